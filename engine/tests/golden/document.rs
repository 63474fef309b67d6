//! docs/FORMAT.md says what the code does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scrutineer_engine::book::{COMMITMENT_CONTEXT, Field};
use scrutineer_engine::event::*;
use scrutineer_engine::handler::COMMAND_CONTEXT;
use scrutineer_engine::record::RECORD_CONTEXT;

use crate::records;
use crate::samples;

fn document() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/FORMAT.md");
    std::fs::read_to_string(file).expect("docs/FORMAT.md")
}

/// The lines below a heading, to the next one.
fn below<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let found = text.lines().skip_while(|line| line.trim_start_matches('#').trim() != heading);
    let lines: Vec<&str> = found.skip(1).take_while(|line| !line.starts_with('#')).collect();
    assert!(!lines.is_empty(), "docs/FORMAT.md has nothing under {heading:?}");
    lines
}

/// The first two cells of each row of the table below a heading, without its head.
fn rows<'a>(text: &'a str, heading: &str) -> Vec<(&'a str, &'a str)> {
    let rows = below(text, heading).into_iter().filter(|line| line.starts_with('|')).skip(2);
    let cells = |line: &'a str| -> Vec<&'a str> {
        line.split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    rows.map(|line| (cells(line)[1], cells(line)[2])).collect()
}

#[test]
fn every_kind_stands_there_with_its_fields_in_order() {
    let text = document();
    let samples: BTreeMap<u16, Vec<String>> =
        samples::all().into_iter().map(|sample| (sample.event.kind(), sample.fields)).collect();
    for (kind, name) in Event::KINDS {
        let heading = format!("{kind} {name}");
        let written: Vec<&str> = rows(&text, &heading).iter().map(|(field, _)| *field).collect();
        assert_eq!(written, samples[kind], "{heading}");
    }
}

#[test]
fn every_range_of_kinds_stands_there() {
    let text = document();
    let ranges: Vec<String> = KIND_RANGES.iter().map(ToString::to_string).collect();
    let ranges: Vec<(&str, &str)> =
        ranges.iter().filter_map(|range| range.split_once(": ")).collect();
    assert_eq!(rows(&text, "Kinds"), ranges);
}

#[test]
fn every_code_stands_there_with_its_word() {
    let text = document();
    macro_rules! check {
        ($($name:ident)+) => { $(
            let codes: Vec<(String, &str)> =
                $name::ALL.iter().map(|value| (value.code().to_string(), value.word())).collect();
            let codes: Vec<(&str, &str)> =
                codes.iter().map(|(code, word)| (code.as_str(), *word)).collect();
            assert_eq!(rows(&text, stringify!($name)), codes, "{}", stringify!($name));
        )+ };
    }
    check!(Per PhaseKind ByeKind DropReason How OriginKind PenaltyKind LotsSource UnknownFact PairingReason);
    for (code, word) in rows(&text, "Field") {
        let field = Field::from_code(code.parse().expect("a code")).expect("a known code");
        assert_eq!(format!("{field:?}"), word);
    }
    assert_eq!(rows(&text, "Field").len(), 8);
    assert_eq!(Field::from_code(9), None);
}

/// The contexts that the code below a folder spells out.
fn contexts_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a list") {
        let path = entry.expect("a name").path();
        if path.is_dir() {
            contexts_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let code = std::fs::read_to_string(&path).expect("its text");
            let starts = code.match_indices("\"scrutineer 2026 ").map(|(at, _)| at + 1);
            let whole = starts.filter_map(|at| Some(code[at..].split_once('"')?.0.to_owned()));
            found.extend(whole);
        }
    }
}

#[test]
fn every_context_of_every_crate_stands_there() {
    let mut used = BTreeSet::new();
    for folder in [
        "engine/src",
        "store/src",
        "projections/src",
        "pairing/src",
        "formats/src",
        "replay/src",
        "desk/src",
        "cli",
    ] {
        contexts_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder), &mut used);
    }
    let text = document();
    let written = rows(&text, "Contexts").into_iter().map(|(context, _)| context.to_owned());
    assert_eq!(written.collect::<BTreeSet<_>>(), used);
    assert!(
        [RECORD_CONTEXT, COMMITMENT_CONTEXT, COMMAND_CONTEXT].iter().all(|c| used.contains(*c))
    );
}

/// The bytes in the first column of the example, together.
#[test]
fn the_example_is_the_golden_record() {
    let text = document();
    let lines = below(&text, "A worked example");
    let block = lines.iter().skip_while(|line| !line.starts_with("```")).skip(1);
    let bytes = block.take_while(|line| !line.starts_with("```"));
    let hex: String = bytes.filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(hex.replace(' ', ""), crate::kit::hex(&records::line("result")));
    let hash = crate::kit::hex(&records::line("result-hash"));
    assert!(lines.iter().any(|line| line.contains(&hash)), "the record's hash {hash}");
}

/// What is said of the words of an event must not leave any of them out.
#[test]
fn every_commitment_of_an_event_is_visited() {
    for sample in samples::all() {
        let text = serde_json::to_string(&sample.event).expect("it has a JSON form");
        let commitments = sample.event.commitments();
        assert_eq!(commitments.len(), text.matches("\"digest\"").count(), "{}", sample.name);
    }
}

//! Every file of a corpus of real tournaments reads, and agrees with the same ones normalised by
//! another program. Runs where `SCRUTINEER_CORPUS` names the corpus' folder.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{ByeKind, PhaseKind};
use scrutineer_engine::{decide, tournament::Tournament};
use serde_json::Value;

use super::*;

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("SCRUTINEER_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        let may_skip = std::env::var_os("SCRUTINEER_NO_SKIPS").is_none();
        assert!(may_skip, "SCRUTINEER_CORPUS is not set, and nothing may be skipped here");
        eprintln!("skipped: SCRUTINEER_CORPUS is not set");
    }
    folder
}

fn raw_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("raw")).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds no files", folder.display());
    files
}

fn read_file(path: &Path) -> (Source, Vec<u8>) {
    let bytes = std::fs::read(path).expect("readable");
    let name = path.file_name().expect("a file").to_string_lossy();
    let source = read(&name, &bytes).unwrap_or_else(|error| panic!("{error}"));
    (source, bytes)
}

fn normalised(folder: &Path) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(folder.join("normalised.jsonl")).expect("readable");
    let events = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    events.map(|event: Value| (event["id"].as_str().expect("an id").to_owned(), event)).collect()
}

/// Each tournament of a folder with its normalised form.
fn both(folder: &Path) -> Vec<(String, Source, Value)> {
    let mut truth = normalised(folder);
    let files = raw_files(folder).into_iter().map(|path| {
        let id = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let event = truth.remove(&id).unwrap_or_else(|| panic!("{id} is not normalised"));
        (id, read_file(&path).0, event)
    });
    files.collect()
}

/// A round as sorted lines `a b 2-1-0` (a before b), `p bye` and `p loss`.
fn lines_of(source: &Source, round: &SourceRound) -> Vec<String> {
    let name = |player: usize| source.players[player].name.as_str();
    let mut lines: Vec<String> = Vec::new();
    for table in &round.tables {
        let [a, b] = [0, 1].map(|seat| name(table.seats[seat].player));
        let [x, y, d] = sheet::games_of(&table.result.score).expect("games");
        lines.push(match_line(a, b, [x, y, d].map(i64::from)));
    }
    for bye in &round.byes {
        let word = if bye.kind == ByeKind::AwardedLoss { "loss" } else { "bye" };
        lines.push(format!("{} {word}", name(bye.player)));
    }
    lines.sort();
    lines
}

fn match_line(a: &str, b: &str, [x, y, d]: [i64; 3]) -> String {
    if a < b { format!("{a} {b} {x}-{y}-{d}") } else { format!("{b} {a} {y}-{x}-{d}") }
}

fn true_lines(round: &Value) -> Vec<String> {
    let matches = round["matches"].as_array().expect("matches");
    let mut lines: Vec<String> = matches.iter().map(true_line).collect();
    lines.sort();
    lines
}

fn true_line(game: &Value) -> String {
    let word = |key: &str| game[key].as_str().expect("a player");
    match game.get("p") {
        Some(_) if game["loss"].as_bool() == Some(true) => format!("{} loss", word("p")),
        Some(_) => format!("{} bye", word("p")),
        None => {
            let games = [0, 1, 2].map(|at| game["g"][at].as_i64().expect("a number"));
            match_line(word("a"), word("b"), games)
        }
    }
}

#[test]
fn every_round_agrees_with_the_normalised_events() {
    let Some(corpus) = corpus() else { return };
    let folders = [
        "melee_swiss",
        "melee_cut",
        "melee_multiday",
        "melee_single_elim",
        "cardsrealm",
        "manatraders",
        "topdeck",
        "mtgo_top8",
    ];
    let mut oddities = 0;
    for folder in folders {
        let mut rounds = 0;
        for (id, source, truth) in both(&corpus.join(folder)) {
            let expected = truth["rounds"].as_array().expect("rounds");
            for (at, ((_, round), expected)) in source.rounds().zip(expected).enumerate() {
                assert_eq!(lines_of(&source, round), true_lines(expected), "{id} round {at}");
                rounds += 1;
            }
            let rows = truth["standings"].as_array().expect("standings").len();
            assert!(source.published.len() >= rows, "{id}: fewer published rows than normalised");
            for oddity in &source.oddities {
                eprintln!("{folder} {id} {}: {}", oddity.place, oddity.sentence);
                oddities += 1;
            }
        }
        eprintln!("{folder}: {rounds} rounds agree");
    }
    eprintln!("{oddities} oddities");
}

/// The first round of every phase, from 0.
fn starts(source: &Source) -> Vec<u64> {
    let lengths = source.phases.iter().map(|phase| phase.rounds.len() as u64);
    let starts = lengths.scan(0, |at, length| {
        *at += length;
        Some(*at - length)
    });
    starts.collect()
}

#[test]
fn phases_are_recognised() {
    let Some(corpus) = corpus() else { return };
    let mut missed = Vec::new();
    let mut compare = |folder: &str, least: usize, expected: fn(&Source, &Value) -> Vec<u64>| {
        let (mut right, mut all) = (0, 0);
        for (id, source, truth) in both(&corpus.join(folder)) {
            let (found, expected) = (starts(&source), expected(&source, &truth));
            all += 1;
            if found == expected {
                right += 1;
            } else {
                missed.push(format!("{folder} {id}: {found:?}, normalised {expected:?}"));
            }
        }
        eprintln!("{folder}: phases of {right} of {all}");
        assert!(right >= least, "{folder}: {missed:#?}");
    };
    fn as_given(_: &Source, truth: &Value) -> Vec<u64> {
        let starts = truth["phase_starts"].as_array().expect("phase starts");
        starts.iter().map(|start| start.as_u64().expect("a number")).collect()
    }
    // Here the ranking may show that phases ended which the normalised events don't have.
    compare("melee_cut", 34, |source, truth| {
        let shown = source.oddities.iter().filter(|one| one.sentence.contains("phase begins"));
        let round =
            |place: &str| place.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().ok();
        let mut starts = as_given(source, truth);
        // Or that what the normalised events take for a cut were Swiss rounds.
        if source.oddities.iter().any(|one| one.sentence.contains("look like a cut")) {
            starts.pop();
        }
        starts.extend(shown.filter_map(|one| round(&one.place)));
        starts.sort_unstable();
        starts.dedup();
        starts
    });
    // Some normalised events leave the rounds of a last cut out.
    compare("melee_multiday", 4, |source, truth| {
        let starts = truth["phase_starts"].as_array().expect("phase starts");
        let rounds = truth["rounds"].as_array().expect("rounds").len();
        let starts = starts.iter().map(|start| start.as_u64().expect("a number"));
        starts.chain((source.rounds().count() > rounds).then_some(rounds as u64)).collect()
    });
    // The normalised events break a single elimination at every round.
    compare("melee_single_elim", 22, |_, _| vec![0]);
    // Here the normalised events leave the rounds of a cut out.
    let swiss_only = |source: &Source, truth: &Value| -> Vec<u64> {
        let rounds = truth["rounds"].as_array().expect("rounds").len();
        if source.rounds().count() > rounds { vec![0, rounds as u64] } else { vec![0] }
    };
    compare("melee_swiss", 163, swiss_only);
    compare("topdeck", 50, swiss_only);
    compare("manatraders", 1, swiss_only);
    compare("cardsrealm", 69, swiss_only);
    missed.iter().for_each(|line| eprintln!("{line}"));
}

#[test]
fn the_round_of_publication_is_that_of_the_normalised_swiss_events() {
    let Some(corpus) = corpus() else { return };
    for folder in ["melee_swiss", "cardsrealm", "topdeck", "manatraders"] {
        let (mut right, mut all) = (0, 0);
        for (id, source, truth) in both(&corpus.join(folder)) {
            let rounds = truth["rounds"].as_array().expect("rounds").len();
            all += 1;
            if source.published_after.map(usize::from) == Some(rounds) {
                right += 1;
            } else {
                eprintln!("{folder} {id}: {:?}, normalised {rounds}", source.published_after);
            }
        }
        eprintln!("{folder}: round of publication of {right} of {all}");
        assert!(right * 100 >= all * 97, "{folder}");
    }
}

/// Commitments without a book.
fn private(number: &mut u32) -> impl FnMut(scrutineer_engine::book::Field, &str) -> Commitment {
    move |_, _| {
        *number += 1;
        Commitment { number: *number, digest: [0; 32] }
    }
}

#[test]
fn every_event_of_every_file_is_legal() {
    let Some(corpus) = corpus() else { return };
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&corpus)
        .expect("the corpus is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.join("raw").is_dir() && !path.ends_with("chess"))
        .collect();
    folders.sort();
    let mut files = 0;
    for path in folders.iter().flat_map(|folder| raw_files(folder)) {
        let (source, bytes) = read_file(&path);
        let mut number = 0;
        let events = events(&source, file_hash(&bytes), &mut private(&mut number), Vec::new())
            .unwrap_or_else(|error| panic!("{error}"));
        let mut state = Tournament::default();
        for (at, event) in events.iter().enumerate() {
            let legal = decide::validate(&state, event);
            assert!(legal.is_ok(), "{}: event {}: {legal:?}", path.display(), at + 1);
            state.evolve(event);
        }
        assert!(state.is_closed());
        files += 1;
    }
    eprintln!("{files} files");
}

#[test]
fn cobra_has_its_double_elimination() {
    let Some(corpus) = corpus() else { return };
    let kinds = |source: &Source| -> Vec<(PhaseKind, usize)> {
        source.phases.iter().map(|phase| (phase.kind, phase.rounds.len())).collect()
    };
    let mut found = BTreeMap::new();
    for path in raw_files(&corpus.join("cobra")) {
        let (source, _) = read_file(&path);
        for oddity in &source.oddities {
            eprintln!("{} {}: {}", source.file, oddity.place, oddity.sentence);
        }
        eprintln!("{} {:?}", source.file, source.scoresheet);
        found.insert(source.file.clone(), kinds(&source));
    }
    let double = vec![(PhaseKind::Swiss, 6), (PhaseKind::DoubleElimination, 7)];
    assert_eq!(found.get("BLM.json"), Some(&double));
    assert_eq!(found.get("Americas.json"), Some(&vec![(PhaseKind::Swiss, 7)]));
}

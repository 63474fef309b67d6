//! Every sample against its line, and every line against the code.

use std::collections::BTreeSet;

use scrutineer_engine::event::{
    ByeKind, DropReason, Event, How, LotsSource, OriginKind, PairingReason, PenaltyKind, Per,
    PhaseKind, Ruling, SCHEMA, UnknownFact,
};

use crate::kit::{Line, golden, hex};
use crate::samples;

/// A new sample's line is printed, to be added by hand: a line that stands is never rewritten.
#[test]
fn every_sample_has_its_golden_bytes() {
    let golden = golden();
    let (mut missing, mut wrong) = (Vec::new(), Vec::new());
    for sample in samples::all() {
        let bytes = sample.event.encode().expect("it fits");
        let found = format!("{} {} {SCHEMA} {}", sample.name, sample.event.kind(), hex(&bytes));
        match golden.get(&sample.name) {
            None => missing.push(found.trim_end().to_owned()),
            Some(Line { bytes: kept, .. }) if *kept != bytes => wrong.push(found),
            Some(line) => assert_eq!(line.decode(), sample.event, "{}", sample.name),
        }
    }
    assert!(wrong.is_empty(), "the bytes have changed:\n{}", wrong.join("\n"));
    if std::env::var_os("SCRUTINEER_PRINT_GOLDEN").is_some() {
        missing.iter().for_each(|line| println!("{line}"));
    }
    assert!(
        missing.is_empty(),
        "{} samples have no line in engine/tests/golden/events.txt; run this test with \
         SCRUTINEER_PRINT_GOLDEN=1 and --nocapture, and add the lines it prints",
        missing.len()
    );
}

#[test]
fn every_line_is_read_and_written_as_it_stands() {
    for (name, line) in golden() {
        let event = line.decode();
        assert_eq!(event.kind(), line.kind, "{name}");
        assert_eq!(event.encode().expect("it fits"), line.bytes, "{name}");
        assert_eq!(Event::decode_own(line.kind, line.schema, &line.bytes), Ok(event), "{name}");
    }
}

#[test]
fn every_kind_has_a_line() {
    let kinds: BTreeSet<u16> = golden().values().map(|line| line.kind).collect();
    let without: Vec<_> = Event::KINDS.iter().filter(|(kind, _)| !kinds.contains(kind)).collect();
    assert!(without.is_empty(), "{without:?} have no golden line");
    assert_eq!(kinds.len(), Event::KINDS.len(), "a line has a kind that is no longer known");
}

/// A kind's number belongs to one kind for ever.
#[test]
fn kinds_keep_their_numbers() {
    let numbers: BTreeSet<u16> = Event::KINDS.iter().map(|(kind, _)| *kind).collect();
    let names: BTreeSet<&str> = Event::KINDS.iter().map(|(_, name)| *name).collect();
    assert_eq!(numbers.len(), Event::KINDS.len());
    assert_eq!(names.len(), Event::KINDS.len());
    for sample in samples::all() {
        let (_, name) = Event::KINDS.iter().find(|(kind, _)| *kind == sample.event.kind()).unwrap();
        assert!(format!("{:?}", sample.event).starts_with(name), "{}", sample.name);
    }
}

/// Codes and words stay apart, and nothing but a listed code is read.
#[test]
fn codes_are_told_apart() {
    macro_rules! check {
        ($($name:ident)+) => { $(
            let listed: BTreeSet<u8> = $name::ALL.iter().map(|value| value.code()).collect();
            let words: BTreeSet<&str> = $name::ALL.iter().map(|value| value.word()).collect();
            assert_eq!((listed.len(), words.len()), ($name::ALL.len(), $name::ALL.len()));
            for code in 0..=u8::MAX {
                let read = scrutineer_engine::codec::decode_strict::<$name>(&[code]);
                assert_eq!(read.is_ok(), listed.contains(&code), "{} {code}", stringify!($name));
                assert_eq!(read.ok(), $name::from_code(code));
            }
        )+ };
    }
    check!(Per PhaseKind ByeKind DropReason How OriginKind PenaltyKind LotsSource UnknownFact PairingReason);
    for code in 0..=u8::MAX {
        let read = scrutineer_engine::codec::decode_strict::<Ruling>(&[code]).ok();
        assert_eq!(read, Ruling::from_code(code));
        assert!(read.is_none_or(|ruling| ruling.code() == code));
    }
}

//! Every byte of a bundle changed in turn: none passes.

use super::*;
use crate::keys::Key;
use crate::kit::FIRST;

/// A small bundle: the ruleset stands in it three times, so its comments are taken out.
fn small(give: Give) -> Vec<u8> {
    let hall = Hall::new();
    let mut parts = Parts::of(&exported(&hall, give));
    for file in parts.header.rulesets.iter_mut().flatten() {
        let lines = file.text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        file.text = lines.map(|line| format!("{line}\n")).collect();
    }
    let files = parts.header.rulesets[0].clone();
    parts.records = rechained(&parts.records, 1, |event| {
        let Event::TournamentOpened(e) = event else { panic!("the opening") };
        e.ruleset = files.clone();
    });
    announce_again(&mut parts);
    let history = crate::kit::history(&parts.records);
    let key = Key::from_secret(&FIRST);
    for note in &mut parts.notes {
        let size = Signed::read(note.as_bytes()).expect("a checkpoint").checkpoint.size;
        let again = history.checkpoint(size).expect("a command ends there");
        *note = again.sign([key.signing()]).to_string();
    }
    let bytes = parts.spell();
    let found = checked(&bytes, None, &[]);
    assert!(found.holds(), "{:?}", found.findings);
    bytes
}

/// A copy that was damaged does not pass, and neither does one of which somebody made the last
/// line again; but for the version of the program, of which nothing follows.
#[test]
fn no_changed_byte_passes() {
    let bytes = small(Give::Roster);
    let end = bytes.len()
        - 2
        - bytes[..bytes.len() - 1].iter().rev().take_while(|b| **b != b'\n').count();
    let version = env!("CARGO_PKG_VERSION");
    let at =
        bytes.windows(version.len()).position(|w| w == version.as_bytes()).expect("it is there");
    for place in 0..bytes.len() {
        // All bits where the file begins, one of each byte elsewhere.
        let bits = if place < 150 { 0..8 } else { place % 8..place % 8 + 1 };
        for bit in bits {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            if place > end || (at..at + version.len()).contains(&place) {
                assert!(!checked(&changed, None, &[]).holds(), "byte {place}, bit {bit}");
                continue;
            }
            changed.truncate(end + 1);
            let lines = changed.iter().filter(|byte| **byte == b'\n').count() as u64;
            let last = line::end(lines, &blake3::hash(&changed));
            changed.extend_from_slice(format!("{last}\n").as_bytes());
            assert!(!checked(&changed, None, &[]).holds(), "byte {place}, bit {bit}");
        }
    }
}

#[test]
fn no_changed_byte_of_a_secret_passes() {
    let mut bytes = small(Give::Handover);
    let line = bytes.len() - lines(&bytes).last().expect("the secret").len() - 100;
    for place in line..bytes.len() {
        bytes[place] ^= 4;
        let found = checked(&bytes, None, &[]);
        assert!(!found.holds(), "byte {place}");
        bytes[place] ^= 4;
    }
}

#[test]
fn a_byte_more_or_less_does_not_pass() {
    let bytes = small(Give::Roster);
    for place in (0..=bytes.len()).step_by(23) {
        for byte in [b' ', b'\n', b'0', b'"', 0xff] {
            let mut more = bytes.clone();
            more.insert(place, byte);
            assert!(!checked(&more, None, &[]).holds(), "{byte} at {place}");
        }
        if place < bytes.len() {
            let mut less = bytes.clone();
            less.remove(place);
            assert!(!checked(&less, None, &[]).holds(), "without byte {place}");
        }
    }
}

/// Lines beyond any measure, and a file of nothing but lines: bounded, and told.
#[test]
fn what_is_too_long_is_passed_over() {
    let bytes = small(Give::Roster);
    let mut with_long = lines(&bytes);
    with_long.insert(3, "x".repeat(MAX_LINE as usize + 5));
    let found = wrong(&checked(&ended(with_long), None, &[]));
    assert!(found.contains(&("line-too-long", 3)), "{found:?}");
    let mut many = lines(&bytes);
    many.extend((0..3 * MAX_FINDINGS).map(|_| "{\"entry\":{}}".to_string()));
    let found = checked(&ended(many), None, &[]);
    assert_eq!(found.findings.len(), MAX_FINDINGS);
    assert!(found.more >= 2 * MAX_FINDINGS as u64);
    for nothing in ["", "\n", "x", "{}", "{\"record\":\"\"}\n"] {
        let found = checked(nothing.as_bytes(), None, &[]);
        assert_eq!(found.is_foreign().map(|finding| finding.code), Some("not-a-bundle"));
        assert!(!found.holds());
    }
    let newer = String::from_utf8(bytes).expect("text").replacen("\"bundle\":1", "\"bundle\":2", 1);
    let found = checked(newer.as_bytes(), None, &[]);
    assert_eq!(found.is_foreign().map(|finding| finding.code), Some("newer-bundle"));
}

//! Every byte of a bundle changed in turn: none passes.

use super::*;

/// A small bundle with a line of each kind.
fn small() -> Vec<u8> {
    let hall = Hall::new();
    let mut parts = Parts::of(&exported(&hall, Give::Handover));
    // The ruleset stands in it three times and would be most of it.
    for file in parts.header.rulesets.iter_mut().flatten() {
        file.text = "name = \"Small\"\n".into();
    }
    let files = parts.header.rulesets[0].clone();
    parts.records = crate::trust::kit::rechained(&parts.records, 1, |event| {
        let Event::TournamentOpened(e) = event else { panic!("the opening") };
        e.ruleset = files.clone();
    });
    let history = crate::trust::kit::history(&parts.records);
    let key = crate::trust::keys::Key::from_secret(&crate::trust::kit::FIRST);
    for note in &mut parts.notes {
        let size = Signed::read(note.as_bytes()).expect("a checkpoint").checkpoint.size;
        let again = history.checkpoint(size).expect("a command ends there");
        *note = again.sign([key.signing()]).to_string();
    }
    parts.spell()
}

#[test]
fn no_changed_byte_passes() {
    let bytes = small();
    let good = wrong(&checked(&bytes, None, &[]));
    assert!(bytes.len() < 40_000, "{} bytes are not small", bytes.len());
    let mut changed = bytes.clone();
    for place in 0..bytes.len() {
        // All bits where each kind of line begins, one of each byte elsewhere.
        let all = place < 600 || place % 101 == 0;
        let bits = if all { 0..8 } else { place % 8..place % 8 + 1 };
        for bit in bits {
            changed[place] ^= 1 << bit;
            let found = wrong(&checked(&changed, None, &[]));
            assert!(found.len() > good.len(), "byte {place}, bit {bit}: {found:?}");
            changed[place] = bytes[place];
        }
    }
}

#[test]
fn a_byte_more_or_less_does_not_pass() {
    let bytes = small();
    let good = wrong(&checked(&bytes, None, &[])).len();
    for place in (0..=bytes.len()).step_by(7) {
        for byte in [b' ', b'\n', b'0', b'"', 0xff] {
            let mut more = bytes.clone();
            more.insert(place, byte);
            assert!(wrong(&checked(&more, None, &[])).len() > good, "{byte} at {place}");
        }
        if place < bytes.len() {
            let mut less = bytes.clone();
            less.remove(place);
            assert!(wrong(&checked(&less, None, &[])).len() > good, "without byte {place}");
        }
    }
}

/// Lines beyond any measure, and a file of nothing but lines: bounded, and told.
#[test]
fn what_is_too_long_is_passed_over() {
    let bytes = small();
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

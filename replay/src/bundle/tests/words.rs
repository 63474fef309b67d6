//! Private words that come with one bundle, and those that come with another.

use super::*;
use crate::archive::Archive;
use crate::bundle::{ImportError, Imported, import};
use crate::desk::{Enrolment, Latecomer};
use scrutineer_engine::book::{Field, commit};
use std::io::Cursor;

fn brought(archive: &Archive, bytes: &[u8]) -> Result<Imported, ImportError> {
    let against = Against::default();
    import(archive, &mut Cursor::new(bytes), &against).map(|(imported, _)| imported)
}

fn exported_from(archive: &Archive, hall: &Hall, give: Give) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(archive, hall.stream, give, &mut bytes).expect("written");
    bytes
}

/// What an earlier bundle did not give, a later one of the same event does: names, then the rest.
#[test]
fn names_and_secrets_come_later() {
    let hall = Hall::new();
    let archive = Archive::in_memory();
    let all = hall.archive.books().book(hall.stream).expect("readable");
    let words =
        |archive: &Archive| archive.books().book(hall.stream).expect("readable").entries().count();
    brought(&archive, &exported(&hall, Give::Nothing)).expect("brought in");
    assert_eq!(words(&archive), 0);
    let bytes = exported(&hall, Give::Roster);
    let names = Imported::Known { beyond: 0, words: 5, secrets: 0 };
    assert_eq!(brought(&archive, &bytes).expect("known"), names);
    assert_eq!(exported_from(&archive, &hall, Give::Roster), bytes);
    let bytes = exported(&hall, Give::Handover);
    let rest = all.entries().count() as u64 - 5;
    let secrets = Imported::Known { beyond: 0, words: rest, secrets: 1 };
    assert_eq!(brought(&archive, &bytes).expect("known"), secrets);
    assert_eq!(exported_from(&archive, &hall, Give::Handover), bytes);
    let again = Imported::Known { beyond: 0, words: 0, secrets: 0 };
    assert_eq!(brought(&archive, &bytes).expect("known"), again);
}

/// Somebody who was forgotten here does not come back with a bundle.
#[test]
fn who_was_forgotten_stays_so() {
    let hall = Hall::new();
    let archive = Archive::in_memory();
    brought(&archive, &exported(&hall, Give::Roster)).expect("brought in");
    let book = archive.books().book(hall.stream).expect("readable");
    let ann = book.entries().find(|entry| entry.text == "Ann").expect("she is there").number;
    archive.books().forget(hall.stream, &[ann]).expect("forgotten");
    brought(&archive, &exported(&hall, Give::Handover)).expect("known");
    let book = archive.books().book(hall.stream).expect("readable");
    assert!(book.entries().any(|entry| entry.text == "Bob"));
    assert!(!book.entries().any(|entry| entry.text == "Ann"));
}

/// An import that failed between the words and the records left words behind; the records that
/// come in later commit to others.
#[test]
fn words_of_an_import_that_failed_do_not_stand_for_others() {
    for give in [Give::Nothing, Give::Roster, Give::Handover] {
        let hall = Hall::new();
        let archive = Archive::in_memory();
        brought(&archive, &exported(&hall, Give::Handover)).expect("brought in");
        let next = archive.books().next_number(hall.stream).expect("readable");
        let left = ["Mallory", "a reason", "more"].into_iter().zip(next..);
        let left: Vec<PrivateEntry> = left
            .map(|(text, number)| PrivateEntry {
                number,
                field: Field::Name,
                salt: [9; 32],
                text: text.into(),
            })
            .collect();
        archive.books().append(hall.stream, &left).expect("kept");
        hall.at(|desk| {
            let people = [Enrolment { name: "Eve".into(), ..Enrolment::default() }];
            desk.enroll(&people, Latecomer::AsRuled).expect("she enrolls");
            desk.note("late", None).expect("noted");
        });
        brought(&archive, &exported(&hall, give)).expect("more of it");
        let event = archive.load(hall.stream, true).expect("it loads");
        let found = crate::verify::verify_event(&archive, hall.stream).expect("readable");
        assert!(found.holds(), "{give:?}: {:?}", found.findings);
        let last = event.state.players().len() as u32;
        let named = event.book.entries().any(|entry| entry.text == "Eve");
        assert_eq!((last, named), (5, give != Give::Nothing), "{give:?}");
        assert!(!event.book.entries().any(|entry| entry.text == "Mallory"));
        // A later one gives what this one did not.
        brought(&archive, &exported(&hall, Give::Handover)).expect("known");
        let bytes = exported(&hall, Give::Handover);
        assert_eq!(exported_from(&archive, &hall, Give::Handover), bytes, "{give:?}");
    }
}

/// Words that a terminal would act on are in no event that a scorekeeper could have recorded.
#[test]
fn a_name_with_a_control_character_is_refused() {
    let hall = Hall::new();
    let mut parts = Parts::of(&exported(&hall, Give::Roster));
    let at = parts.entries.iter().position(|entry| entry.text == "Ann").expect("she is there");
    parts.entries[at].text = "Ann\u{1b}[2J".into();
    let words = commit(hall.stream, &parts.entries[at]);
    parts.records = rechained(&parts.records, 2, |event| {
        let Event::PlayerEnrolled(e) = event else { panic!("{event:?}") };
        e.name = words;
    });
    let found = checked(&parts.spell(), None, &[]);
    assert!(wrong(&found).iter().any(|(code, _)| *code == "entry-not-legal"), "{found:?}");
    assert!(!wrong(&found).iter().any(|(code, _)| *code == "entry-altered"), "{found:?}");
}

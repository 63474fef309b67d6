//! Bundles brought into other stores.

use super::*;
use crate::bundle::{ImportError, Imported};
use crate::desk::Slip;
use crate::kit::{FIRST, rechained, swapped_result};
use crate::store::Store;

fn again(store: &Store, hall: &Hall, give: Give) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(store, hall.stream, give, &mut bytes).expect("written");
    bytes
}

#[test]
fn the_same_bytes_come_out_of_another_store() {
    let hall = Hall::new();
    for give in [Give::Nothing, Give::Roster, Give::Handover] {
        let bytes = exported(&hall, give);
        let folder = tempfile::TempDir::new().expect("a folder");
        let records = Parts::of(&bytes).records.len() as u64;
        {
            let other = Store::open(folder.path()).expect("it opens");
            let imported = brought(&other, &bytes).expect("it is brought in");
            assert_eq!(imported, Imported::New { records });
            assert_eq!(again(&other, &hall, give), bytes);
            let known = brought(&other, &bytes).expect("it is there");
            assert_eq!(known, Imported::Known { beyond: 0, words: 0, secrets: 0 });
        }
        let other = Store::open(folder.path()).expect("it opens again");
        assert_eq!(again(&other, &hall, give), bytes);
    }
}

#[test]
fn a_longer_history_is_added_and_a_shorter_one_is_known() {
    let hall = Hall::new();
    let before = exported(&hall, Give::Handover);
    let had = hall.records().len() as u64;
    hall.at(|desk| desk.enter(Slip { table: 1, score: "2-1" }).expect("entered"));
    let after = exported(&hall, Give::Handover);
    let other = Store::in_memory();
    brought(&other, &before).expect("it is brought in");
    let extended = brought(&other, &after).expect("it goes on");
    assert_eq!(extended, Imported::Extended { had, records: had + 1 });
    assert_eq!(again(&other, &hall, Give::Handover), after);
    assert_eq!(
        brought(&other, &before).expect("known"),
        Imported::Known { beyond: 1, words: 0, secrets: 0 }
    );
}

#[test]
fn another_history_is_refused_and_nothing_of_it_is_kept() {
    let hall = Hall::new();
    let bytes = exported(&hall, Give::Nothing);
    let mut parts = Parts::of(&bytes);
    let seq = crate::kit::first_result(&parts.records);
    parts.records = rechained(&parts.records, seq, swapped_result);
    parts.notes.clear();
    parts.tables.clear();
    let other = Store::in_memory();
    brought(&other, &bytes).expect("it is brought in");
    match brought(&other, &parts.spell()) {
        Err(ImportError::Parted { differ }) => {
            assert_eq!(differ.relation, Relation::Parted(seq - 1));
            let told = differ.sentence("a", "b");
            assert!(told.starts_with(&format!("they part after event {}: ", seq - 1)), "{told}");
        }
        // Announced standings that do not follow are found before.
        Err(ImportError::NotInOrder) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(again(&other, &hall, Give::Nothing), bytes);
}

#[test]
fn what_is_not_in_order_is_not_kept() {
    let hall = Hall::new();
    let mut lines = lines(&exported(&hall, Give::Nothing));
    lines.remove(4);
    let other = Store::in_memory();
    assert!(matches!(brought(&other, &ended(lines)), Err(ImportError::NotInOrder)));
    assert!(other.log().streams().expect("readable").is_empty());
}

/// Nothing is ever written under the number of words that the bundle did not give.
#[test]
fn numbers_of_words_that_were_not_given_stay_taken() {
    let hall = Hall::new();
    let other = Store::in_memory();
    brought(&other, &exported(&hall, Give::Nothing)).expect("it is brought in");
    let next = |store: &Store| store.books().next_number(hall.stream).expect("readable");
    assert_eq!(next(&other), next(&hall.store));
    assert_eq!(other.load(hall.stream, false).expect("it loads").title(), "untitled");
}

/// Handed over, the tournament goes on elsewhere with the same seeds and names.
#[test]
fn a_handed_over_event_is_carried_on() {
    let mut hall = Hall::new();
    let here = exported(&hall, Give::Handover);
    let other = Store::in_memory();
    brought(&other, &here).expect("it is brought in");
    let there = std::mem::replace(&mut hall.store, other);
    for (table, score) in [(1, "2-0"), (2, "0-2")] {
        hall.at(|desk| desk.enter(Slip { table, score }).expect("entered"));
    }
    hall.at(|desk| desk.pair(None, false).expect("round 3 is drawn"));
    hall.at(|desk| desk.note("The other laptop broke", None).expect("noted"));
    assert_eq!(hall.sign().checkpoint.size, hall.records().len() as u64);
    let bytes = exported(&hall, Give::Handover);
    let found = checked(&bytes, Some(crate::kit::public(FIRST)), &[]);
    assert!(found.holds(), "{:?}", found.findings);
    // And back again.
    let back = brought(&there, &bytes).expect("it goes on");
    assert!(matches!(back, Imported::Extended { .. }));
    assert_eq!(again(&there, &hall, Give::Handover), bytes);
}

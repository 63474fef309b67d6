//! What is given of a tournament that is over, with a signature over its end.

use super::*;
use crate::bundle::Covered;
use crate::desk::Slip;
use crate::keys::KeyFolder;
use crate::store::Store;

fn given(store: &Store, hall: &Hall, give: Give, keys: &KeyFolder) -> Vec<u8> {
    let mut bytes = Vec::new();
    let covered = Covered::of((store, store), hall.stream, keys);
    write(&covered, hall.stream, give, &mut bytes).expect("written");
    bytes
}

/// A publisher who keeps copies by their bundles refused each later one of a tournament in which somebody was forgotten
/// once it was over: no round was completed any more that would have signed it.
#[test]
fn a_forgetting_in_a_tournament_that_is_over_comes_to_those_who_keep_it_by_its_bundles() {
    let hall = Hall::new();
    let publisher = Store::in_memory();
    let take = |bytes: &[u8]| import(&publisher, &mut held(bytes), Signatures::Wanted);
    hall.at(|desk| {
        for (table, score) in [(1, "2-0"), (2, "1-2")] {
            desk.enter(Slip { table, score }).expect("entered");
        }
    });
    // As long as it is played, its next round is what signs.
    assert_eq!(
        given(&hall.store, &hall, Give::Audit, &hall.keys),
        exported(&hall, Give::Audit),
        "nothing is signed beside the desk"
    );
    hall.at(|desk| desk.close().expect("closed"));
    hall.sign();
    take(&given(&hall.store, &hall, Give::Audit, &hall.keys)).expect("nothing is here yet");
    let event = hall.store.load(hall.stream, false).expect("loaded");
    let number = event.state.players()[0].name.number;
    hall.at(|desk| desk.forget(&[number]).expect("forgotten"));
    let unsigned = exported(&hall, Give::Audit);
    assert_eq!(take(&unsigned).expect_err("nobody signed it").code(), "not-signed");
    // Who has no key gives what there is.
    let nobodys = KeyFolder::new(None);
    assert_eq!(given(&hall.store, &hall, Give::Audit, &nobodys), unsigned);
    let kept = hall.kept();
    let signed = given(&hall.store, &hall, Give::Audit, &hall.keys);
    let again = given(&hall.store, &hall, Give::Audit, &hall.keys);
    assert_eq!(
        signed, again,
        "a folder that is copied every night changes only where something happened"
    );
    assert_eq!(hall.kept(), kept, "it is not kept here");
    let taken = take(&signed).expect("the key stands for it");
    assert!(matches!(taken, Imported::Extended { .. }), "{taken:?}");
    let book = publisher.books().book(hall.stream).expect("readable");
    assert!(book.entry(number).is_none(), "their name is gone there too");
    // Whoever restores this store is held to what was given away.
    let named = [crate::kit::public(crate::kit::FIRST)];
    let noted = hall.keys.last_signed(hall.stream, &named).expect("readable").expect("noted");
    assert_eq!(noted.checkpoint.size, hall.records().len() as u64);
}

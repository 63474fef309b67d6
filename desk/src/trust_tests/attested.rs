//! What stands under a key.

use crate::keys::Key;
use crate::kit::*;
use scrutineer_replay::trust::attested::*;

#[test]
fn a_key_stands_for_what_its_successors_signed() {
    let hall = Hall::new();
    let before = hall.history().size();
    hall.keys.keep(&Key::from_secret(&SECOND)).expect("kept");
    hall.at(|desk| desk.change_signer(public(SECOND), "a new laptop").expect("recorded"));
    hall.sign();
    hall.at(|desk| desk.retire_key(public(FIRST), before + 1, "old").expect("recorded"));
    hall.sign();
    let (history, kept) = (hall.history(), hall.kept());
    let found = attested(&history, &kept, &public(FIRST));
    assert_eq!(found.size, Some(history.size()));
    assert_eq!(found.successors, [(before + 1, public(SECOND))]);
    assert_eq!(found.retired, Some((before + 2, before + 1)));
    assert_eq!(attested(&history, &kept, &public(SECOND)).size, Some(history.size()));
    assert_eq!(attested(&history, &kept, &public(THIRD)), Attested::default());
}

/// Whoever has a copy can name a key of their own and sign with that.
#[test]
fn who_appoints_himself_is_no_successor() {
    let hall = Hall::new();
    let before = hall.kept().last().expect("signed").checkpoint.size;
    hall.at(|desk| desk.change_signer(public(THIRD), "mine now").expect("recorded"));
    let (history, mut kept) = (hall.history(), hall.kept());
    let all = history.checkpoint(history.size()).expect("whole");
    kept.push(all.sign([Key::from_secret(&THIRD).signing()]));
    let found = attested(&history, &kept, &public(FIRST));
    assert_eq!((found.size, found.successors), (Some(before), Vec::new()));
}

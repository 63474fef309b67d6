//! Two desks that carried one tournament on.

use super::*;
use crate::bundle::{Adopted, Outcome, adopt};
use crate::desk::{Enrolment, Latecomer, Slip};
use crate::store::Store;
use scrutineer_engine::book::Opened;
use scrutineer_engine::event::DropReason;
use scrutineer_replay::bundle::open;

/// A hall whose tournament was handed over, and the copy of it in another store.
struct TwoDesks {
    hall: Hall,
    other: Store,
}

impl TwoDesks {
    fn new() -> TwoDesks {
        let hall = Hall::new();
        let other = Store::in_memory();
        let bytes = exported(&hall, Give::Handover);
        brought(&other, &bytes).expect("brought in");
        TwoDesks { hall, other }
    }

    /// Does something at the other desk.
    fn there<T>(&mut self, what: impl FnOnce(&Hall) -> T) -> T {
        std::mem::swap(&mut self.hall.store, &mut self.other);
        let done = what(&self.hall);
        std::mem::swap(&mut self.hall.store, &mut self.other);
        done
    }

    fn adopt(&mut self, is_dry_run: bool) -> Adopted {
        let bytes = self.there(|hall| exported(hall, Give::Handover));
        let other = open(&mut &bytes[..]).expect("it is read").expect("an event");
        let adopted = adopt(&self.hall.store, &other, is_dry_run).expect("they share events");
        let found = checked(&exported(&self.hall, Give::Handover), None, &[]);
        assert!(found.holds(), "{:?}", found.findings);
        adopted
    }
}

fn outcomes(adopted: &Adopted) -> Vec<&str> {
    let word = |outcome: &Outcome| match outcome {
        Outcome::Adopted(..) => "adopted",
        Outcome::Known(..) => "known",
        Outcome::Same(_) => "same",
        Outcome::LeftOut(_) => "left out",
        Outcome::Refused { code, .. } => code.word,
    };
    adopted.commands.iter().map(|asked| word(&asked.outcome)).collect()
}

#[test]
fn results_of_the_other_desk_are_entered_here() {
    let mut desks = TwoDesks::new();
    desks.there(|hall| {
        hall.at(|desk| desk.enter(Slip { table: 1, score: "2-1" }).expect("entered"))
    });
    desks.hall.at(|desk| desk.enter(Slip { table: 2, score: "2-0" }).expect("entered"));
    let before = desks.hall.records().len();
    let dry = desks.adopt(true);
    assert_eq!(desks.hall.records().len(), before, "a dry run records nothing");
    let adopted = desks.adopt(false);
    assert_eq!(dry, adopted);
    assert_eq!(outcomes(&adopted), ["adopted"]);
    let state = desks.hall.store.load(desks.hall.stream, false).expect("it loads").state;
    assert_eq!(state.last_round().map(|round| round.open_matches), Some(0));
    assert_eq!(outcomes(&desks.adopt(false)), ["known"], "it is adopted once");
}

#[test]
fn what_both_desks_entered_is_told_apart() {
    let mut desks = TwoDesks::new();
    desks.there(|hall| {
        hall.at(|desk| desk.enter(Slip { table: 1, score: "2-1" }).expect("entered"));
        hall.at(|desk| desk.enter(Slip { table: 2, score: "2-0" }).expect("entered"));
        hall.at(|desk| {
            desk.correct(None, Slip { table: 1, score: "1-2" }, "misread", None).expect("corrected")
        });
        hall.at(|desk| {
            desk.correct(None, Slip { table: 2, score: "0-2" }, "misread", None).expect("corrected")
        });
    });
    desks.hall.at(|desk| desk.enter(Slip { table: 1, score: "2-1" }).expect("entered"));
    desks.hall.at(|desk| desk.enter(Slip { table: 2, score: "2-1" }).expect("entered"));
    let adopted = desks.adopt(false);
    let expected = ["same", "already-recorded", "adopted", "builds-on-refused"];
    assert_eq!(outcomes(&adopted), expected);
    let Outcome::Refused { sentence, .. } = &adopted.commands[3].outcome else { panic!("refused") };
    let seq = adopted.commands[1].there.0;
    assert!(sentence.contains(&format!("event {seq} of the other desk")), "{sentence}");
}

/// Players get the next free numbers here, with their names committed to anew.
#[test]
fn players_of_both_desks_keep_apart() {
    let mut desks = TwoDesks::new();
    let person = |name: &str| [Enrolment { name: name.into(), ..Enrolment::default() }];
    let enroll = |hall: &Hall, name: &str| {
        hall.at(|desk| desk.enroll(&person(name), Latecomer::AsRuled).expect("enrolled"));
    };
    desks.there(|hall| {
        enroll(hall, "Eve");
        hall.at(|desk| desk.drop_player(5, DropReason::Left).expect("dropped"));
        hall.at(|desk| desk.note("Eve has to leave early", None).expect("noted"));
    });
    enroll(&desks.hall, "Fay");
    let adopted = desks.adopt(false);
    assert_eq!(outcomes(&adopted), ["adopted"; 3]);
    let event = desks.hall.store.load(desks.hall.stream, true).expect("it loads");
    assert_eq!((event.name(5), event.name(6)), ("Fay".into(), "Eve".into()));
    assert_eq!(event.state.player(6).and_then(|p| p.sign_up), Some(6));
    assert!(event.state.player(5).is_some_and(|player| player.dropped().is_none()));
    assert!(event.state.player(6).is_some_and(|player| player.dropped().is_some()));
    let Some((_, Event::NoteAdded(note))) = event.log.last() else { panic!("the note") };
    assert_eq!(event.book.text(&note.note), Opened::Text("Eve has to leave early"));
}

#[test]
fn a_round_that_both_desks_opened_is_a_conflict() {
    let mut desks = TwoDesks::new();
    let finish = |hall: &Hall| {
        for table in [1, 2] {
            hall.at(|desk| desk.enter(Slip { table, score: "2-0" }).expect("entered"));
        }
        hall.at(|desk| desk.pair(None, false).expect("drawn"));
    };
    desks.there(|hall| {
        finish(hall);
        hall.at(|desk| desk.publish().expect("published"));
        hall.at(|desk| desk.enter(Slip { table: 1, score: "2-0" }).expect("entered"));
    });
    finish(&desks.hall);
    let adopted = desks.adopt(false);
    let expected =
        ["same", "same", "round-on-both-desks", "builds-on-refused", "builds-on-refused"];
    assert_eq!(outcomes(&adopted), expected);
    let Outcome::Refused { sentence, .. } = &adopted.commands[2].outcome else { panic!("refused") };
    assert!(sentence.starts_with("round 3 was opened on both desks"), "{sentence}");
}

/// A round drawn there from other results is not taken for one that the seed gives here.
#[test]
fn a_round_drawn_from_other_results_is_refused() {
    let mut desks = TwoDesks::new();
    desks.there(|hall| {
        for table in [1, 2] {
            hall.at(|desk| desk.enter(Slip { table, score: "2-0" }).expect("entered"));
        }
        hall.at(|desk| desk.pair(None, false).expect("drawn"));
    });
    // Here two of the results came out otherwise, so that other players meet in round 3.
    for table in [1, 2] {
        desks.hall.at(|desk| desk.enter(Slip { table, score: "0-2" }).expect("entered"));
    }
    let adopted = desks.adopt(false);
    let last = outcomes(&adopted)[2];
    assert!(["paired-elsewhere", "adopted"].contains(&last), "{last}");
    assert_eq!(outcomes(&adopted)[..2], ["already-recorded"; 2]);
}

/// Everything that the other desk did fits where nothing was recorded here: its announcements and
/// its draw come out the same, record for record.
#[test]
fn where_nothing_happened_here_the_other_history_comes_out_the_same() {
    let mut desks = TwoDesks::new();
    desks.there(|hall| {
        for table in [1, 2] {
            hall.at(|desk| desk.enter(Slip { table, score: "2-0" }).expect("entered"));
        }
        hall.at(|desk| desk.pair(None, false).expect("drawn"));
        hall.at(|desk| desk.note("All well", None).expect("noted"));
    });
    let adopted = desks.adopt(false);
    assert_eq!(outcomes(&adopted), ["adopted"; 4]);
    let there = desks.there(|hall| exported(hall, Give::Handover));
    assert_eq!(exported(&desks.hall, Give::Handover), there);
}

#[test]
fn without_its_words_a_command_is_refused() {
    let mut desks = TwoDesks::new();
    desks.there(|hall| hall.at(|desk| desk.note("Nobody is to see this", None).expect("noted")));
    let bytes = desks.there(|hall| exported(hall, Give::Nothing));
    let other = open(&mut &bytes[..]).expect("it is read").expect("an event");
    let adopted = adopt(&desks.hall.store, &other, false).expect("they share events");
    assert_eq!(outcomes(&adopted), ["words-missing"]);
}

/// Words that the other desk forgot nobody can hand over, and who is forgotten there by an event that
/// both have is forgotten here.
#[test]
fn what_the_other_desk_forgot_is_not_asked_for() {
    let mut desks = TwoDesks::new();
    let number = |hall: &Hall, name: &str| {
        let book = hall.store.books().book(hall.stream).expect("readable");
        book.entries().find(|entry| entry.text == name).expect("a text").number
    };
    let ann = number(&desks.hall, "Ann");
    desks.there(|hall| {
        hall.at(|desk| desk.note("Eve is late", None).expect("noted"));
        hall.at(|desk| desk.forget(&[number(hall, "Eve is late")]).expect("forgotten"));
        hall.at(|desk| desk.forget(&[ann]).expect("forgotten"));
    });
    let adopted = desks.adopt(false);
    assert_eq!(outcomes(&adopted), ["words-forgotten", "left out", "adopted"]);
    let event = desks.hall.store.load(desks.hall.stream, true).expect("it loads");
    let Some((_, Event::TextsForgotten(told))) = event.log.last() else { panic!("the event") };
    assert_eq!(told.numbers, [ann]);
    assert_eq!(outcomes(&desks.adopt(false)), ["words-forgotten", "left out", "known"]);
}

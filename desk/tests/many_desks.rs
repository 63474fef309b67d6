//! One store in one process: many tournaments at once, several desks of the same tournament, and
//! commands that a program sends twice or too late.

use scrutineer_desk::desk::{Asked, Desk, DeskError, Enrolment, Latecomer, Means, Opening, Slip};
use scrutineer_desk::store::Store;
use scrutineer_desk::verify::verify_tournament;
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_projections::ruleset::Library;
use scrutineer_store::texts::system_salt;
use std::collections::BTreeSet;
use std::thread;

fn clock() -> Time {
    Time { unix_micros: 1_795_255_200_000_000 }
}

fn means() -> Means<'static> {
    Means { actor: Actor(1), clock: &clock, random: &system_salt }
}

fn opening() -> Opening {
    let library = Library::shipped();
    let rules = library.ruleset("mtr").expect("it is shipped");
    Opening {
        title: "Friday".into(),
        held_on: None,
        ruleset: library.chain("mtr").expect("it is shipped"),
        scoresheet: Opening::scoresheet_for(&rules, 3),
        plan: Vec::new(),
        signer: None,
    }
}

fn people(names: impl Iterator<Item = String>) -> Vec<Enrolment> {
    names.map(|name| Enrolment { name, ..Enrolment::default() }).collect()
}

/// A tournament of four players, before round 1.
fn of_four(store: &Store) -> StreamId {
    let desk = Desk::open(store, means(), &opening()).expect("it opens");
    let four = people(["Ann", "Bob", "Cid", "Dee"].map(String::from).into_iter());
    desk.enroll(&four, Latecomer::AsRuled).expect("they enroll");
    desk.stream()
}

/// Plays two rounds; every match is won by the first seat.
fn play(desk: &Desk<'_>) {
    for _ in 0..2 {
        desk.pair(None, false).expect("paired");
        desk.publish().expect("published");
        for table in 1..=2 {
            desk.enter(Slip { table, score: "2-0" }).expect("entered");
        }
    }
    desk.close().expect("closed");
}

#[test]
fn a_store_and_a_desk_may_be_used_by_any_thread() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Store>();
    is_shared::<Desk<'static>>();
}

#[test]
fn sixty_four_tournaments_are_run_at_once_on_one_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("store")).expect("it opens");
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                let stream = of_four(&store);
                play(&Desk::at(&store, stream, means()));
            });
        }
    });
    let streams = store.log().streams().expect("readable");
    assert_eq!(streams.len(), 64);
    for stream in streams {
        let loaded = store.load(stream, false).expect("readable");
        assert!(loaded.state.is_closed() && loaded.state.rounds().len() == 2);
        let found = verify_tournament(&store, stream).expect("readable");
        assert!(found.holds(), "{:?}", found.findings);
    }
}

#[test]
fn four_desks_enroll_at_the_same_tournament_and_nobody_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("store")).expect("it opens");
    let stream = of_four(&store);
    thread::scope(|scope| {
        for desk in 0..4 {
            let store = &store;
            scope.spawn(move || {
                let at = Desk::at(store, stream, means());
                for player in 0..16 {
                    let one = people([format!("Player {desk} {player}")].into_iter());
                    at.enroll(&one, Latecomer::AsRuled).expect("they enroll");
                }
            });
        }
    });
    let loaded = store.load(stream, false).expect("readable");
    let names: BTreeSet<String> =
        loaded.state.players().iter().map(|player| loaded.name(player.number)).collect();
    assert_eq!((loaded.state.players().len(), names.len()), (68, 68));
    assert!(verify_tournament(&store, stream).expect("readable").holds());
}

#[test]
fn a_command_that_is_sent_twice_gets_its_first_answer() {
    let store = Store::in_memory();
    let stream = of_four(&store);
    let with = |id: u128| {
        let asked = Asked { id: Some(CommandId(id)), expected: None };
        Desk::at(&store, stream, means()).asked(asked)
    };
    let first = with(1).pair(None, false).expect("paired");
    Desk::at(&store, stream, means()).publish().expect("published");
    with(2).enter(Slip { table: 1, score: "2-1" }).expect("entered");
    let head = store.log().head(stream).expect("readable");
    // By now the round is played, and would not be paired again; the table has its result.
    let again = with(1).pair(None, false).expect("answered");
    assert!(again.done.repeated && !first.done.repeated);
    assert_eq!((again.round, &again.drawn.tables), (first.round, &first.drawn.tables));
    assert_eq!(again.done.first_seq, first.done.first_seq);
    let entered = with(2).enter(Slip { table: 1, score: "2-1" }).expect("answered");
    assert!(entered.done.repeated);
    assert_eq!(entered.missing, 1, "as it was said then");
    assert_eq!(store.log().head(stream).expect("readable"), head, "nothing was recorded");
    let other = with(2).enter(Slip { table: 2, score: "2-1" });
    assert!(
        matches!(other, Err(DeskError::Refused(CommandError::IdReused(_)))),
        "another command has another id: {other:?}"
    );
}

#[test]
fn a_command_for_what_a_person_saw_is_refused_where_the_tournament_went_on() {
    let store = Store::in_memory();
    let stream = of_four(&store);
    let seen = store.log().head(stream).expect("readable").seq;
    let asked = Asked { id: None, expected: Some(seen) };
    let desk = || Desk::at(&store, stream, means());
    desk().enroll(&people(["Eve".to_string()].into_iter()), Latecomer::AsRuled).expect("enrolled");
    let refused = desk().asked(asked).pair(None, false);
    assert!(
        matches!(
            refused,
            Err(DeskError::Refused(CommandError::Moved { expected, head }))
                if expected == seen && head == seen + 1
        ),
        "{refused:?}"
    );
    let asked = Asked { id: None, expected: Some(seen + 1) };
    // A person who has not been named yet is named first, and that is no other command.
    desk().of_person(Some("Kim")).asked(asked).pair(None, false).expect("paired");
}

#[test]
fn a_person_whose_first_order_the_log_refuses_is_not_named() {
    let store = Store::in_memory();
    let stream = of_four(&store);
    Desk::at(&store, stream, means()).pair(None, false).expect("paired");
    let head = || store.log().head(stream).expect("readable");
    let before = head();
    let kim = || Desk::at(&store, stream, means()).of_person(Some("Kim"));
    let refused = [
        kim().enter(Slip { table: 1, score: "3-0" }).map(drop),
        kim().keep_table(2, Some(0)).map(drop),
    ];
    for refused in refused {
        assert!(
            matches!(refused, Err(DeskError::Refused(CommandError::Rejected(_)))),
            "{refused:?}"
        );
    }
    assert_eq!(head(), before, "nothing was recorded");
    kim().enter(Slip { table: 1, score: "2-0" }).expect("entered");
    assert_eq!(head().seq, before.seq + 2, "who it is, and the result");
}

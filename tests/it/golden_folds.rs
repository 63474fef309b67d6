//! The fold gives what it gave: where the same log gives another table, or another state, the
//! version of the fold has to say so. Otherwise a bug fix would look like tampering.

use scrutineer_desk::store::{Store, prepare};
use scrutineer_engine::event::Ref;
use scrutineer_engine::record::{Actor, Time};
use scrutineer_engine::tournament::{STATE_VERSION, Tournament};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Library;
use scrutineer_projections::standings::{Detail, FOLD_VERSION, Standings};
use std::fmt::Write;
use std::sync::Arc;

const EVENT: &str = include_str!("../../cli/data/autumn-open.csv");

/// A line for the state, and one for each shipped ruleset and each round.
fn folded() -> String {
    let library = Library::shipped();
    let store = Store::in_memory();
    let prepared = prepare("event.csv", EVENT.as_bytes(), None, &library).expect("it is read");
    let stream = prepared.stream;
    store.add(prepared, &mut Vec::new(), Actor(0), Time::default()).expect("it comes in");
    let mut log = store.load(stream, true).expect("it is there").log;
    // The salts of the names are random.
    for (_, event) in &mut log {
        event.each_ref(&mut |reference| {
            if let Ref::Words(_, commitment) = reference {
                commitment.digest = [0; 32];
            }
        });
    }
    let state = Tournament::of(log.iter().map(|(_, event)| event));
    let bytes = state.to_bytes().expect("it fits");
    let mut text = format!("state {STATE_VERSION} {}\n", blake3::hash(&bytes).to_hex());
    for id in library.ids() {
        let rules = Arc::new(library.ruleset(&id).expect("a shipped ruleset"));
        for round in state.rounds() {
            let scope = Scope { through: Some(round.number), final_order: None };
            let hash = match Standings::of(&state, &rules, scope, Detail::Order) {
                Ok(standings) => blake3::Hash::from(standings.hash()).to_hex().to_string(),
                Err(why) => why.to_string(),
            };
            let _ = writeln!(text, "fold {FOLD_VERSION} {id} {} {hash}", round.number);
        }
    }
    text
}

#[test]
fn the_same_log_gives_the_same_tables_or_another_version() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/folds.txt");
    let found = folded();
    if std::env::var_os("SCRUTINEER_NEW_FOLDS").is_some() {
        std::fs::write(file, &found).expect("it is written");
    }
    let kept = std::fs::read_to_string(file).expect("tests/data/folds.txt");
    for (kept, found) in kept.lines().zip(found.lines()) {
        assert_eq!(
            kept, found,
            "the fold gives something else: raise FOLD_VERSION or STATE_VERSION, and write \
             tests/data/folds.txt anew with SCRUTINEER_NEW_FOLDS=1"
        );
    }
    assert_eq!(kept.lines().count(), found.lines().count(), "a ruleset came or went");
}

//! The fold takes every event, whatever it says, and judging one never fails.

use scrutineer_engine::command::Command;
use scrutineer_engine::decide::{decide, validate};
use scrutineer_engine::tournament::Tournament;

use crate::desk::WORDS;
use crate::dice::Dice;

/// Reads everything there is to read.
fn look(state: &Tournament) -> usize {
    let results = state.matches().filter_map(|found| {
        let said = found.score().map(|score| score.to_score());
        let rest =
            format!("{said:?} {:?} {:?} {:?}", found.grade(), found.advanced(), found.table());
        found.to_result().filter(|_| !rest.is_empty())
    });
    let players = state.players().iter().filter(|player| player.takes_part_in(3));
    let sheets = state.rounds().iter().filter_map(|round| state.scoresheet(round));
    results.count() + players.count() + sheets.count() + state.byes().count()
}

#[test]
fn any_events_in_any_order_are_folded_and_judged() {
    for seed in 1..=60 {
        let mut dice = Dice::new(seed);
        let mut state = Tournament::default();
        for head in 0..1_500 {
            let event = dice.event(head);
            let _ = validate(&state, &event);
            state.evolve(&event);
            assert_eq!(state.head(), head + 1);
        }
        look(&state);
        let round = (dice.below(6)) as u16;
        for table in 0..8 {
            let (player, reason) = (1, WORDS);
            let _ = decide(&state, &Command::Advance { round, table, player, reason });
        }
    }
}

#[test]
fn deciding_changes_nothing_and_what_is_decided_is_admitted() {
    let mut recorded = 0;
    for seed in 1..=100 {
        let mut dice = Dice::new(1_000 + seed);
        let mut state = Tournament::default();
        for _ in 0..600 {
            let count = 1 + dice.below(2);
            let events = (0..count).map(|_| dice.sensible(&state)).collect();
            let before = state.clone();
            let decided = decide(&state, &Command::Record(events));
            assert_eq!(state, before);
            for event in decided.into_iter().flatten() {
                assert_eq!(validate(&state, &event), Ok(()));
                state.evolve(&event);
                recorded += 1;
            }
        }
    }
    assert!(recorded > 1_000, "only {recorded} events were legal");
}

//! `replay` and `trace`: every move, and nothing but moves.

use super::{events, small};
use crate::simulated::Played;
use scrutineer_engine::event::{Event, PlayerNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::compare::Passing;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::replay::{How, Pace, Replay, Step};
use std::collections::BTreeMap;

/// One move: the last seq of its command, who, from where, to where.
type Row = (u64, PlayerNumber, Option<u32>, Option<u32>);

fn film(played: &Played, scope: Scope) -> Replay<'_> {
    Replay { log: &played.event.log, rules: None, scope }
}

fn fold(played: &Played, state: &Tournament, scope: Scope) -> Standings {
    Standings::of(state, played.rules(), scope, Detail::Order).expect("folds")
}

/// Every move, found by folding the log from its beginning after each command.
fn naive(played: &Played, scope: Scope) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut places: BTreeMap<PlayerNumber, u32> = BTreeMap::new();
    let mut state = Tournament::default();
    for (header, event) in &played.event.log {
        state.evolve(event);
        if header.part < header.parts {
            continue;
        }
        let standings = fold(played, &state, scope);
        let now: BTreeMap<PlayerNumber, u32> =
            standings.rows.iter().map(|row| (row.player, row.rank)).collect();
        for player in state.players() {
            let (from, to) = (places.get(&player.number), now.get(&player.number));
            if from != to {
                rows.push((header.seq, player.number, from.copied(), to.copied()));
            }
        }
        places = now;
    }
    rows
}

#[test]
fn a_trace_has_every_move_and_no_other() {
    let mut moves = 0;
    for played in small(16) {
        let last = played.event.state.last_round().map(|round| round.number);
        for through in [None, last.map(|last| last.div_ceil(2))] {
            let scope = Scope { through, final_order: None };
            let mut found: Vec<Row> = Vec::new();
            let played_through = film(&played, scope).play(Pace::Event, &mut |step| {
                let moves = step.moves().into_iter();
                found.extend(moves.map(|one| (step.last(), one.player, one.from, one.to)));
                check_reasons(&step);
            });
            played_through.expect("folds");
            found.sort_unstable();
            let expected = naive(&played, scope);
            assert!(found == expected, "{}, through {through:?}", played.name());
            moves += found.len();
        }
    }
    assert!(moves > 5_000, "{moves} moves");
}

/// A player's new place is their old one, less those who are no longer before them, more those who
/// now are; and each of these is told apart from them by something.
fn check_reasons(step: &Step<'_>) {
    for moved in step.moves() {
        let (Some(from), Some(to)) = (moved.from, moved.to) else { continue };
        let mut place = i64::from(from);
        for passed in step.passed(moved.player) {
            let by = match passed.how {
                How::Stands(Passing::Passes | Passing::NowLevel) | How::Gone => -1,
                How::Stands(Passing::PassedBy | Passing::NoLongerLevel) | How::CameIn => 1,
            };
            place += by;
            let named = match passed.how {
                How::Stands(Passing::NowLevel) => passed.before,
                How::Gone => continue,
                _ => passed.after,
            };
            let step_named = named.expect("a step of the order");
            assert!(!step_named.starts_with("nothing"), "{moved:?}: {step_named}");
        }
        assert_eq!(place, i64::from(to), "{moved:?}: {:?}", step.passed(moved.player));
    }
}

#[test]
fn a_film_shows_the_whole_event_in_its_order() {
    for played in small(16) {
        let name = played.name();
        let state = &played.event.state;
        for pace in [Pace::Round, Pace::Event] {
            let mut seen: Vec<Event> = Vec::new();
            let mut rounds = Vec::new();
            let (mut steps, mut last, mut before) = (0, None, None);
            let shown = film(&played, Scope::default());
            let walked = shown.play(pace, &mut |step| {
                assert_eq!(step.before.map(Standings::hash), before, "{name}: {pace:?}");
                assert_eq!(step.first(), seen.len() as u64 + 1, "{name}: {pace:?}");
                seen.extend(step.events.iter().map(|(_, event)| event.clone()));
                assert_eq!(step.last(), seen.len() as u64, "{name}: {pace:?}");
                assert_eq!(*step.state, Tournament::of(&seen[..]), "{name}: {pace:?}");
                before = step.after.map(Standings::hash);
                last = step.after.map(Standings::hash);
                steps += 1;
                if step.round > 0 {
                    rounds.push(step.round);
                }
            });
            walked.expect("folds");
            assert_eq!(seen, events(&played), "{name}: {pace:?}");
            assert_eq!(steps, shown.steps(pace), "{name}: {pace:?}");
            assert_eq!(last, Some(fold(&played, state, Scope::default()).hash()), "{name}");
            let all: Vec<u16> =
                state.rounds().iter().filter(|round| !round.withdrawn).map(|r| r.number).collect();
            match pace {
                Pace::Round => assert_eq!(rounds, all, "{name}: each round is one step"),
                Pace::Event => assert!(rounds.is_sorted(), "{name}"),
            }
        }
    }
}

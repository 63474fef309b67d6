//! Which result slips are taken: what stands on the sheet, for every seat, and who rules rules for
//! all.

use scrutineer_engine::decide::validate;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use smallvec::{SmallVec, smallvec};

use crate::bounds::record;
use crate::desk::{enrolled, line, opened, pairing, round_opened};

/// The seq of the only pairing: behind the opening, two players, the phase and the round.
const PAIRING: Seq = 6;

/// A match of two on a sheet with two lines for each seat and one for the table.
fn at_the_table() -> Tournament {
    let lines = vec![
        line("objective", Per::Seat, 20),
        line("turns", Per::Table, 7),
        line("survival", Per::Seat, 40),
    ];
    let mut state = Tournament::default();
    record(&mut state, opened(Scoresheet { lines, best_of: None }));
    record(&mut state, enrolled(1, 1));
    record(&mut state, enrolled(2, 1));
    let phase = PhaseStarted {
        phase: 1,
        kind: PhaseKind::Swiss,
        first_seed: 1,
        entrants: vec![1, 2],
        group_sizes: Vec::new(),
        passed_over: Vec::new(),
        scoresheet: None,
    };
    record(&mut state, phase);
    record(&mut state, round_opened("1", "1.1"));
    record(&mut state, pairing("1", "1", "1-2"));
    state
}

fn score(seats: [[i32; 2]; 2], turns: i32) -> Score {
    Score { seats: seats.map(|lines| SmallVec::from_slice(&lines)).into(), table: smallvec![turns] }
}

/// `ok` or the code of the refusal.
fn judged(result: MatchResult) -> &'static str {
    let event = ResultRecorded { pairing: PAIRING, result }.into();
    validate(&at_the_table(), &event).map_or_else(|why| why.code().word, |()| "ok")
}

fn slip(seats: [[i32; 2]; 2], turns: i32) -> &'static str {
    judged(MatchResult::played(score(seats, turns)))
}

#[test]
fn each_value_lies_within_the_bounds_of_its_own_line() {
    assert_eq!(slip([[20, 40], [0, 0]], 7), "ok");
    assert_eq!(slip([[21, 0], [0, 0]], 0), "out-of-bounds");
    assert_eq!(slip([[0, 0], [0, 41]], 0), "out-of-bounds");
    assert_eq!(slip([[0, 0], [0, 0]], 8), "out-of-bounds");
    assert_eq!(slip([[-1, 0], [0, 0]], 0), "out-of-bounds");
    let short = Score { seats: smallvec![smallvec![1], smallvec![1]], table: smallvec![1, 1] };
    assert_eq!(judged(MatchResult::played(short)), "wrong-lines");
    let no_table = Score { table: smallvec![], ..score([[1, 1], [1, 1]], 0) };
    assert_eq!(judged(MatchResult::played(no_table)), "wrong-lines");
}

#[test]
fn only_who_rules_may_leave_the_slip_empty() {
    let empty = MatchResult::played(Score::default());
    assert_eq!(judged(empty.clone()), "wrong-seats");
    let rulings: SmallVec<_> = smallvec![Some(Ruling::Win), Some(Ruling::Loss)];
    assert_eq!(judged(MatchResult { rulings: rulings.clone(), ..empty }), "ok");
    // What does stand on it is held to the sheet, also where somebody ruled.
    let overruled = |seats| {
        let played = MatchResult::played(score(seats, 3));
        judged(MatchResult { rulings: rulings.clone(), ..played })
    };
    assert_eq!(overruled([[5, 6], [7, 8]]), "ok");
    assert_eq!(overruled([[5, 41], [7, 8]]), "out-of-bounds");
}

/// A game may have been won though nobody wrote its score, or be written without a winner.
#[test]
fn a_game_says_something_of_every_seat_or_nothing() {
    let part = |seats: usize, rulings: usize| {
        let score = Score { seats: smallvec![smallvec![1]; seats], table: smallvec![] };
        let parts = vec![Part { number: 1, score, rulings: smallvec![None; rulings] }];
        judged(MatchResult { parts, ..MatchResult::played(score_of_nothing()) })
    };
    for (seats, rulings) in [(0, 0), (0, 2), (2, 0), (2, 2)] {
        assert_eq!(part(seats, rulings), "ok", "{seats} {rulings}");
    }
    for (seats, rulings) in [(1, 2), (2, 1), (3, 2), (2, 3), (1, 1), (0, 1), (1, 0)] {
        assert_eq!(part(seats, rulings), "wrong-seats", "{seats} {rulings}");
    }
}

fn score_of_nothing() -> Score {
    score([[0, 0], [0, 0]], 0)
}

//! What was recorded is read back as it was said.

use scrutineer_engine::codec::CodecError;
use scrutineer_engine::decide::validate;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::{MatchView, Tournament};
use smallvec::{SmallVec, smallvec};

use crate::bounds::{record, started};
use crate::desk::{WORDS, games_sheet, line, pairing, round_opened};

fn places(found: MatchView<'_>) -> [Option<u32>; 3] {
    [found.table(), found.group(), found.bracket_slot()]
}

#[test]
fn where_a_match_is_played() {
    let mut state = started(6);
    record(&mut state, round_opened("1", "1.1"));
    let made = |table: u32, group, bracket_slot, seats| {
        let table = (table > 0).then_some(table);
        let origin = Origin::AS_GIVEN;
        PairingMade { table, group, bracket_slot, origin, ..pairing("1", "-", seats) }
    };
    record(&mut state, made(3, Some(2), None, "1-2"));
    record(&mut state, made(0, None, Some(5), "3-4"));
    record(&mut state, made(1, None, None, "5-6"));
    let found: Vec<_> = state.matches().map(places).collect();
    let expected = [[Some(3), Some(2), None], [None, None, Some(5)], [Some(1), None, None]];
    assert_eq!(found, expected);
    let at = |table| state.at_table(1, table).map(MatchView::seq);
    assert_eq!([at(1), at(2), at(3)], [Some(12), None, Some(10)]);
    assert!(state.at_table(2, 1).is_none());
    // They lie behind each other: who goes through them by round need not ask for each.
    assert_eq!(state.matches().map(MatchView::round_index).max(), Some(0));
    record(&mut state, Withdrawn { seq: 9, reason: WORDS });
    assert_eq!(state.next_round_number(), 1);
    record(&mut state, round_opened("1", "1.1"));
    record(&mut state, made(2, None, None, "1-2"));
    let again = state.at_table(1, 2).expect("it stands");
    assert_eq!((again.round_index(), state.matches().count()), (1, 1));
    assert_eq!(state.next_round_number(), 2);
}

/// A table of three on a slip with two lines for each seat and two for the table.
#[test]
fn every_line_of_a_slip() {
    let mut state = started(3);
    let lines = vec![
        line("objective", Per::Seat, 20),
        line("turns", Per::Table, 7),
        line("survival", Per::Seat, 40),
        line("minutes", Per::Table, 90),
    ];
    let own = Scoresheet { lines, best_of: None };
    let phase = PhaseStarted {
        phase: 2,
        kind: PhaseKind::Pods,
        first_seed: 1,
        entrants: vec![1, 2, 3],
        group_sizes: Vec::new(),
        passed_over: Vec::new(),
        scoresheet: Some(own.clone()),
    };
    record(&mut state, phase);
    record(&mut state, round_opened("1", "2.1"));
    record(&mut state, pairing("1", "1", "3-1-2"));
    let places = [own.seat_line("objective"), own.seat_line("survival"), own.seat_line("turns")];
    assert_eq!(places, [Some(0), Some(1), None]);
    assert_eq!([own.table_line("minutes"), own.table_line("survival")], [Some(1), None]);
    assert_eq!([own.seat_lines(), own.table_lines()], [2, 2]);
    assert_eq!([games_sheet(3).seat_lines(), games_sheet(3).table_lines()], [1, 1]);
    let three = Scoresheet { lines: own.lines[..3].to_vec(), best_of: None };
    assert_eq!([three.seat_lines(), three.table_lines()], [2, 1]);

    let round = state.round(1).expect("it stands");
    assert_eq!(state.phase_of(round).map(|phase| phase.number), Some(2));
    assert_eq!(state.scoresheet(round), Some(&own), "of the phase, not of the event");

    let score = Score {
        seats: smallvec![smallvec![11, 31], smallvec![12, 32], smallvec![13, 33]],
        table: smallvec![5, 70],
    };
    let result = MatchResult {
        grade: Some("timed".to_owned()),
        parts: vec![Part { number: 2, score: Score::default(), rulings: SmallVec::new() }],
        ..MatchResult::played(score.clone())
    };
    let seq = state.matches().next().expect("a match").seq();
    record(&mut state, ResultRecorded { pairing: seq, result: result.clone() });
    let found = state.match_at(seq).expect("it stands");
    assert_eq!((found.to_result(), found.grade()), (Some(result), Some("timed")));
    let slip = found.score().expect("a slip");
    assert_eq!(slip.to_score(), score);
    for (seat, lines) in score.seats.iter().enumerate() {
        for (at, value) in lines.iter().enumerate() {
            assert_eq!(slip.seat(seat, at), *value);
        }
        assert_eq!(slip.seat(seat, 2), 0, "the sheet has no third line");
    }
    assert_eq!([slip.seat(3, 0), slip.seat(3, 1)], [0, 0], "nobody sits there");
    assert_eq!([slip.table(0), slip.table(1), slip.table(2)], [5, 70, 0]);
}

/// Few results have a grade, parts or served penalties; each of them is kept by itself.
#[test]
fn what_few_results_have() {
    let mut state = started(2);
    record(&mut state, round_opened("1", "1.1"));
    record(&mut state, pairing("1", "1", "1-2"));
    let kind = PenaltyKind::GameLoss;
    record(&mut state, PenaltyGiven { player: 1, kind, pairing: None, reason: WORDS });
    let (pairing, penalty) = (state.head() - 1, state.head());
    let score = Score { seats: smallvec![smallvec![2], smallvec![0]], table: smallvec![0] };
    let plain = MatchResult::played(score);
    let parts = vec![Part { number: 2, score: Score::default(), rulings: SmallVec::new() }];
    let rare = [
        MatchResult { grade: Some("timed".to_owned()), ..plain.clone() },
        MatchResult { parts, ..plain.clone() },
        MatchResult { penalties_served: vec![penalty], ..plain.clone() },
        plain,
    ];
    for result in rare {
        let mut state = state.clone();
        record(&mut state, ResultRecorded { pairing, result: result.clone() });
        let found = state.match_at(pairing).expect("it stands");
        assert_eq!(found.to_result(), Some(result.clone()));
        let served = (!result.penalties_served.is_empty()).then_some(state.head());
        assert_eq!(state.served_in(penalty), served);
        // A snapshot is this state and no other.
        let bytes = state.to_bytes().expect("small enough");
        assert_eq!(Tournament::from_bytes(&bytes), Ok(state));
        let longer = [&bytes[..], &[0, 0]].concat();
        assert_eq!(Tournament::from_bytes(&longer), Err(CodecError::LeftOver(2)));
    }
}

/// The fold takes every score, also one that no sheet would: it is written over its own slip only.
#[test]
fn a_slip_that_grows_is_not_written_over_its_neighbour() {
    let mut state = started(4);
    record(&mut state, round_opened("1", "1.1"));
    record(&mut state, pairing("1", "1", "1-2"));
    record(&mut state, pairing("1", "2", "3-4"));
    let score = |lines: usize, table: usize| {
        let values = SmallVec::from_elem(table as i32, lines);
        Score { seats: smallvec![values; 2], table: SmallVec::from_elem(7, table) }
    };
    let (first, second) = (state.head() - 1, state.head());
    let note = |pairing, score| ScoreNoted { pairing, score }.into();
    state.evolve(&note(first, score(2, 3)));
    state.evolve(&note(second, score(1, 1)));
    for larger in [score(6, 0), score(2, 8), score(4, 4), score(1, 0)] {
        state.evolve(&note(first, larger.clone()));
        let slip = |seq| state.match_at(seq).and_then(MatchView::score).map(|s| s.to_score());
        assert_eq!([slip(first), slip(second)], [Some(larger), Some(score(1, 1))]);
    }
}

#[test]
fn a_match_ends_when_one_has_won_more_than_half_of_its_games() {
    let ends = |best_of: u8| {
        let sheet = games_sheet(best_of);
        let scores = (0..=4).flat_map(|first| (0..=first).map(move |second| (first, second)));
        let can = scores.filter(move |&(first, second)| sheet.can_end(first, second));
        can.map(|(first, second)| format!("{first}-{second}")).collect::<Vec<_>>().join(" ")
    };
    // An unfinished match may end at any score below.
    assert_eq!(ends(1), "0-0 1-0");
    assert_eq!(ends(3), "0-0 1-0 1-1 2-0 2-1");
    assert_eq!(ends(5), "0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1 3-2");
    let endless = Scoresheet { best_of: None, ..games_sheet(3) };
    assert!(endless.can_end(4, 4));
}

#[test]
fn days_and_rulings_are_written_as_people_read_them() {
    assert_eq!(Day { year: 2026, month: 3, day: 7 }.to_string(), "2026-03-07");
    let rulings = [Ruling::Win, Ruling::Loss, Ruling::Draw, Ruling::NoResult, Ruling::Place(3)];
    let words = rulings.map(|ruling| ruling.to_string()).join(", ");
    assert_eq!(words, "win, loss, draw, no result, place 3");
    for ruling in rulings {
        assert_eq!(Ruling::from_code(ruling.code()), Some(ruling));
    }
    for code in [0, 5, 10, 211] {
        assert_eq!(Ruling::from_code(code), None);
    }
    let codes = [1, 2, 3, 4, 11, 210].map(|code| Ruling::from_code(code).map(Ruling::code));
    assert_eq!(codes, [Some(1), Some(2), Some(3), Some(4), Some(11), Some(210)]);
}

#[test]
fn what_is_said_of_the_whole_event() {
    let mut state = started(2);
    assert_eq!((state.last_entry(), state.closed(), state.announcements().len()), (1, None, 0));
    let ruleset = |name: &str| vec![RulesetFile { name: name.into(), text: String::new() }];
    let name = |state: &Tournament| state.ruleset().map(|files| files[0].name.clone());
    let amended = |name: &str, from_round, number| {
        let reason = scrutineer_engine::book::Commitment { number, ..WORDS };
        RulesetAmended { ruleset: ruleset(name), from_round, reason }
    };
    record(&mut state, amended("first", None, 9));
    record(&mut state, amended("from-round-2", Some(2), 4));
    assert_eq!((name(&state).as_deref(), state.last_entry()), (Some("first"), 9));
    record(&mut state, amended("second", None, 7));
    assert_eq!((name(&state).as_deref(), state.last_entry()), (Some("second"), 9));
    let announced = StandingsAnnounced {
        head: state.head(),
        through_round: 0,
        ruleset: [0; 32],
        fold_version: 1,
        table: [3; 32],
    };
    record(&mut state, announced.clone());
    assert_eq!(state.announcements(), [(state.head(), announced)]);
    record(&mut state, TournamentClosed {});
    assert_eq!(state.closed(), Some(state.head()));
    let note = NoteAdded { note: WORDS, about: None }.into();
    assert_eq!(validate(&state, &note), Ok(()));
}

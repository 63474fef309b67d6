//! Rounds drawn from what is recorded: who is in them, who has which bye and why, and when nothing
//! is left to draw.

use crate::script::{Desk, Told, WORDS, enrolled, games_sheet, on_mtr, tell};
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::{
    PairedRound, PairingError, Situation, decided, lots, method, next_round, running_phase,
};
use scrutineer_projections::ruleset::{Library, Ruleset};
use std::sync::Arc;

const SEED: [u8; 32] = [5; 32];

/// A short name for the tables that each of so many seeds gives.
fn name_of(state: &Tournament, rules: &Arc<Ruleset>, seeds: u8) -> String {
    let mut hasher = blake3::Hasher::new();
    for seed in 0..seeds {
        let drawn = next_round(state, rules, &[seed; 32], b"").expect("a round");
        for table in &drawn.tables {
            for seat in &table.seats {
                hasher.update(&seat.player.to_le_bytes());
            }
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

fn shipped(id: &str) -> Arc<Ruleset> {
    Arc::new(Library::shipped().ruleset(id).expect("a ruleset"))
}

fn drawn(state: &Tournament, rules: &Arc<Ruleset>) -> Result<PairedRound, PairingError> {
    next_round(state, rules, &SEED, b"")
}

/// The tables as players' numbers, with the reason of each.
fn tables(drawn: &PairedRound) -> Vec<(Vec<PlayerNumber>, PairingReason)> {
    let seats = |seats: &[Seat]| seats.iter().map(|seat| seat.player).collect();
    drawn.tables.iter().map(|table| (seats(&table.seats), table.because)).collect()
}

fn byes(drawn: &PairedRound) -> Vec<(PlayerNumber, ByeKind, PairingReason)> {
    drawn.byes.iter().map(|bye| (bye.player, bye.kind, bye.because)).collect()
}

/// A desk with so many players and the plan of one phase, which has begun.
fn begun(players: u32, kind: PhaseKind, rounds: Option<u16>) -> Desk {
    let mut desk = Desk::default();
    let plan = vec![PlannedPhase { kind, rounds, players: None, scoresheet: None }];
    desk.record(TournamentOpened { plan, ..TournamentOpened::new(WORDS, games_sheet(Some(3))) });
    for player in 1..=players {
        desk.record(enrolled(player));
    }
    let entrants = (1..=players).collect();
    desk.record(PhaseStarted { entrants, ..PhaseStarted::new(1, kind) });
    desk
}

/// Records a round as it was drawn; at each table the lowest number wins.
fn play(desk: &mut Desk, drawn: &PairedRound) {
    let phase = running_phase(&desk.state).expect("a phase runs").number;
    let of_phase = desk.state.rounds().iter().filter(|r| r.phase == phase && !r.withdrawn).count();
    let round = desk.state.next_round_number();
    desk.record(RoundOpened {
        round,
        phase,
        phase_round: of_phase as u16 + 1,
        weight: RoundWeight { num: 1, den: 1 },
        drawn: None,
    });
    let mut results = Vec::new();
    for (table, drawn) in (1..).zip(&drawn.tables) {
        let pairing = desk.record(PairingMade {
            round,
            table: Some(table),
            seats: drawn.seats.clone(),
            group: drawn.group,
            bracket_slot: drawn.bracket_slot,
            origin: Origin::AS_GIVEN,
        });
        let lowest = drawn.seats.iter().map(|seat| seat.player).min();
        let ruling = |seat: &Seat| match Some(seat.player) == lowest {
            true => Some(Ruling::Win),
            false => Some(Ruling::Loss),
        };
        let mut result = MatchResult::played(Score::default());
        result.rulings = drawn.seats.iter().map(ruling).collect();
        results.push(ResultRecorded { pairing, result });
    }
    for bye in &drawn.byes {
        let (player, kind, bracket_slot) = (bye.player, bye.kind, bye.bracket_slot);
        let origin = Origin::AS_GIVEN;
        desk.record(ByeGiven { round, player, kind, reported: None, bracket_slot, origin });
    }
    for result in results {
        desk.record(result);
    }
    desk.record(RoundCompleted { round });
}

/// Draws and plays rounds until nothing is left, and says their tables.
fn play_out(desk: &mut Desk, rules: &Arc<Ruleset>) -> Vec<Vec<Vec<PlayerNumber>>> {
    let mut rounds = Vec::new();
    loop {
        match drawn(&desk.state, rules) {
            Ok(drawn) => {
                rounds.push(tables(&drawn).into_iter().map(|(seats, _)| seats).collect());
                play(desk, &drawn);
            }
            Err(over) => {
                let kind = running_phase(&desk.state).expect("a phase runs").kind;
                assert_eq!(over, PairingError::PhaseOver { kind });
                return rounds;
            }
        }
    }
}

#[test]
fn every_phase_has_its_method() {
    let ids = |rules: &Ruleset| {
        let kinds = [
            PhaseKind::Swiss,
            PhaseKind::Elimination,
            PhaseKind::DoubleElimination,
            PhaseKind::RoundRobin,
            PhaseKind::Pods,
        ];
        kinds.map(|kind| method(rules, kind))
    };
    let fixed = [
        ("score-group-random", 1),
        ("single-elimination", 1),
        ("double-elimination", 1),
        ("round-robin", 1),
        ("pods", 1),
    ];
    assert_eq!(ids(&on_mtr("")), fixed);
    let other = ids(&on_mtr("[draw]\nmethod = \"ranked-adjacent\"\nbracket = \"reseed\"\n"));
    assert_eq!(other[..2], [("ranked-adjacent", 1), ("single-elimination-reseeded", 1)]);
    assert_eq!(other[2..], fixed[2..]);
}

/// Ann has met Bob twice and Cid once; Dee had two byes, one of them half; Eve's round without a
/// table was none, and nobody gave it to her. Fay has gone home.
const FIVE: &str = "
    players Ann Bob Cid Dee Eve Fay
    round
    Ann 2-0 Bob
    Cid 2-0 Eve
    Dee bye
    Fay half bye
    round
    Bob 2-0 Ann
    Dee half bye
    Eve zero bye
    Cid bye
    Fay drops
    round
    Cid 1-1 Ann
    Dee awarded bye
    Bob awarded loss
    Eve vacant
    ";

#[test]
fn what_everybody_brings_into_the_next_round() {
    let told = tell(games_sheet(Some(3)), FIVE);
    let state = &told.desk.state;
    let phase = running_phase(state).expect("a phase runs");
    let found = Situation::of(state, &on_mtr(""), phase).expect("it can be folded");
    let expected = Situation {
        round: 4,
        players: vec![1, 2, 3, 4, 5],
        with_byes: Vec::new(),
        points: vec![4, 3, 7, 7, 3],
        byes: vec![0, 0, 1, 3, 0],
        meetings: vec![(0, 1), (2, 4), (1, 0), (2, 0)],
    };
    assert_eq!(found, expected);
}

/// Who asks for a bye has it in that round, whatever else they would have, and is paired in the next one.
#[test]
fn byes_that_players_asked_for() {
    let mut desk = Desk::open(games_sheet(Some(3)));
    for player in 1..=6 {
        let awarded_byes = u8::from(player == 2);
        desk.record(PlayerEnrolled { awarded_byes, ..enrolled(player) });
    }
    desk.record(PhaseStarted {
        entrants: (1..=6).collect(),
        ..PhaseStarted::new(1, PhaseKind::Swiss)
    });
    let asks = |player, round, kind| ByeRequested { player, round, kind };
    desk.record(asks(5, 1, ByeKind::Half));
    desk.record(asks(2, 1, ByeKind::Zero));
    desk.record(asks(6, 2, ByeKind::Awarded));
    let drawn = drawn_now(&desk);
    let requested = PairingReason::Requested;
    assert_eq!(
        byes(&drawn),
        [(2, ByeKind::Zero, requested), (5, ByeKind::Half, requested)],
        "in the order of the entrants"
    );
    assert_eq!(drawn.tables.len(), 2, "the other four play");
    play(&mut desk, &drawn);
    let drawn = drawn_now(&desk);
    assert_eq!(byes(&drawn)[1..], [(6, ByeKind::Awarded, requested)]);
    assert_eq!(
        byes(&drawn)[0].1,
        ByeKind::Assigned,
        "five are left, and one has the bye of the draw"
    );
    // In a round robin whoever would have met them has no opponent.
    let mut robin = Desk::open(games_sheet(Some(3)));
    for player in 1..=4 {
        robin.record(enrolled(player));
    }
    let entrants = (1..=4).collect();
    robin.record(PhaseStarted { entrants, ..PhaseStarted::new(1, PhaseKind::RoundRobin) });
    robin.record(asks(1, 1, ByeKind::Zero));
    let drawn = drawn_now(&robin);
    let found: Vec<_> =
        byes(&drawn).into_iter().map(|(_, kind, because)| (kind, because)).collect();
    let gone = (ByeKind::Assigned, PairingReason::OpponentGone);
    assert_eq!(found, [gone, (ByeKind::Zero, requested)]);
}

fn drawn_now(desk: &Desk) -> PairedRound {
    drawn(&desk.state, &on_mtr("")).expect("it can be drawn")
}

/// A bye that was won beforehand is for the first rounds of the first phase, where it is Swiss.
#[test]
fn byes_that_were_brought_along() {
    let mut desk = Desk::open(games_sheet(Some(3)));
    for player in 1..=5 {
        let awarded_byes = u8::from(player == 2) * 2;
        desk.record(PlayerEnrolled { awarded_byes, ..enrolled(player) });
    }
    let start = |desk: &mut Desk, phase, kind| {
        let entrants = (1..=5).collect();
        desk.record(PhaseStarted { entrants, ..PhaseStarted::new(phase, kind) });
    };
    let brought = |desk: &Desk| {
        let drawn = drawn(&desk.state, &on_mtr("")).expect("it can be drawn");
        let brought =
            |(_, _, because): &(_, _, PairingReason)| *because == PairingReason::BroughtAlong;
        (byes(&drawn).into_iter().filter(brought).collect::<Vec<_>>(), drawn)
    };
    let mut pods = desk.clone();
    start(&mut pods, 1, PhaseKind::Pods);
    assert_eq!(brought(&pods).0, []);
    start(&mut desk, 1, PhaseKind::Swiss);
    let awarded = [(2, ByeKind::Awarded, PairingReason::BroughtAlong)];
    for round in 1..=3 {
        let (found, drawn) = brought(&desk);
        assert_eq!(found, if round < 3 { &awarded[..] } else { &[] }, "round {round}");
        // The other four play, and nobody else has a bye.
        assert_eq!((drawn.tables.len(), drawn.byes.len()), (2, 1));
        if round == 1 {
            // Had the first phase been short, the second would not give it.
            let mut short = desk.clone();
            play(&mut short, &drawn);
            short.record(PhaseEnded { phase: 1 });
            start(&mut short, 2, PhaseKind::Swiss);
            assert_eq!(brought(&short).0, []);
        }
        play(&mut desk, &drawn);
    }
}

#[test]
fn a_ranked_swiss_begins_by_lot() {
    let ranked = on_mtr("[draw]\nmethod = \"ranked-adjacent\"\n");
    let mut desk = begun(5, PhaseKind::Swiss, None);
    let first = drawn(&desk.state, &ranked).expect("round 1");
    assert!(first.tables.iter().all(|table| table.because == PairingReason::FirstRound));
    assert_eq!(first.byes[0].because, PairingReason::FirstRound);
    play(&mut desk, &first);
    let second = drawn(&desk.state, &ranked).expect("round 2");
    let because = |because| second.tables.iter().any(|table| table.because == because);
    assert!(because(PairingReason::Neighbours) && !because(PairingReason::FirstRound));
    // Who had the bye of the first round has none again.
    assert_ne!(second.byes[0].player, first.byes[0].player);
}

#[test]
fn a_swiss_of_score_groups_tells_its_reasons() {
    let mut desk = begun(9, PhaseKind::Swiss, None);
    let first = drawn(&desk.state, &on_mtr("")).expect("round 1");
    let reasons = |drawn: &PairedRound| {
        let mut reasons: Vec<PairingReason> =
            drawn.tables.iter().map(|table| table.because).collect();
        reasons.extend(drawn.byes.iter().map(|bye| bye.because));
        reasons
    };
    assert_eq!(reasons(&first), [PairingReason::FirstRound; 5]);
    play(&mut desk, &first);
    // Five with a win or a bye, four without.
    let second = drawn(&desk.state, &on_mtr("")).expect("round 2");
    let reasons = reasons(&second);
    let count = |because| reasons.iter().filter(|other| **other == because).count();
    assert_eq!((count(PairingReason::SamePoints), count(PairingReason::OddGroup)), (3, 1));
    assert_eq!(reasons[4], PairingReason::LowestPoints);
    // Rounds in old logs are drawn again when they are verified. Where this fails, the method
    // needs another version.
    assert_eq!(name_of(&desk.state, &on_mtr(""), 30), "eabf72faae1bd781");
    // Who has the first seat is the lot's choice.
    let seats = |seed: u8| {
        let drawn = next_round(&desk.state, &on_mtr(""), &[seed; 32], b"").expect("round 2");
        tables(&drawn).iter().filter(|(seats, _)| seats[0] < seats[1]).count()
    };
    let lower_first: usize = (0..100).map(seats).sum();
    assert!((120..280).contains(&lower_first), "{lower_first} of 400");
}

/// Who had white had been drawn anew in every round, so that three and four times in a row were common.
#[test]
fn chess_balances_colors_and_nobody_has_one_three_times_in_a_row() {
    let chess = shipped("fide-swiss-2026");
    for (players, seed) in [(12, 1), (12, 2), (13, 3), (20, 4), (31, 5), (31, 6)] {
        let mut desk = begun(players, PhaseKind::Swiss, None);
        for _ in 0..7 {
            let drawn = next_round(&desk.state, &chess, &[seed; 32], b"").expect("a round");
            assert_eq!((drawn.method, drawn.version), ("score-group-colors", 1));
            play(&mut desk, &drawn);
        }
        let mut had = vec![String::new(); players as usize + 1];
        for found in desk.state.matches() {
            let [white, black] = found.seats() else { panic!("a table of two") };
            had[white.player as usize].push('w');
            had[black.player as usize].push('b');
        }
        let count = |had: &str, color| had.chars().filter(|one| *one == color).count();
        for (player, had) in had.iter().enumerate() {
            assert!(!had.contains("www") && !had.contains("bbb"), "{players}, {player}: {had}");
            assert!(count(had, 'w').abs_diff(count(had, 'b')) <= 2, "{players}, {player}: {had}");
        }
        if (players, seed) == (20, 4) {
            // As above: where this fails, the method needs another version.
            assert_eq!(name_of(&desk.state, &chess, 30), "7924ea1052459223");
        }
    }
}

#[test]
fn pods_begin_by_lot_and_a_cut_to_pods_by_seeds() {
    let pods = shipped("commander-pods");
    let mut desk = begun(9, PhaseKind::Pods, None);
    let reasons = |drawn: &PairedRound| {
        let mut reasons: Vec<PairingReason> =
            drawn.tables.iter().map(|table| table.because).collect();
        reasons.dedup();
        reasons
    };
    for round in 1..=2 {
        let drawn = drawn(&desk.state, &pods).expect("a round");
        let expected = if round == 1 { PairingReason::FirstRound } else { PairingReason::Pod };
        assert_eq!(reasons(&drawn), [expected]);
        assert_eq!(drawn.tables.iter().map(|t| t.seats.len()).collect::<Vec<_>>(), [3, 3, 3]);
        play(&mut desk, &drawn);
    }
    for (phase, entrants) in [(2, vec![3, 1, 2, 9, 8, 7, 4]), (3, vec![9, 8, 7, 6, 5])] {
        desk.record(PhaseEnded { phase: phase - 1 });
        desk.record(PhaseStarted { entrants, ..PhaseStarted::new(phase, PhaseKind::Pods) });
        let seeded = drawn(&desk.state, &pods).expect("the first round of a cut");
        let (expected, waits) = match phase {
            2 => (vec![vec![3, 2, 8, 4], vec![1, 9, 7]], vec![]),
            _ => (vec![vec![8, 7, 6, 5]], vec![(9, ByeKind::Assigned, PairingReason::LeftOver)]),
        };
        let found = tables(&seeded);
        assert!(found.iter().all(|(_, because)| *because == PairingReason::Seeds));
        assert_eq!(found.into_iter().map(|(seats, _)| seats).collect::<Vec<_>>(), expected);
        assert_eq!(byes(&seeded), waits);
        play(&mut desk, &seeded);
        let later = drawn(&desk.state, &pods).expect("its second round");
        assert_eq!(reasons(&later), [PairingReason::Pod]);
    }
}

#[test]
fn a_round_robin_takes_as_many_rounds_as_are_planned() {
    let all = |rounds| {
        let mut desk = begun(4, PhaseKind::RoundRobin, rounds);
        play_out(&mut desk, &on_mtr(""))
    };
    let single = [[vec![1, 4], vec![2, 3]], [vec![4, 3], vec![1, 2]], [vec![2, 4], vec![3, 1]]];
    assert_eq!(all(None), single);
    assert_eq!(all(Some(3)), single);
    assert_eq!(all(Some(2)), single[..2]);
    // Twice against everybody: the last two rounds of the first half change places.
    let turned = |round: &[Vec<u32>; 2]| round.clone().map(|table| vec![table[1], table[0]]);
    let [one, two, three] = &single;
    let double = [one.clone(), three.clone(), two.clone(), turned(one), turned(two), turned(three)];
    assert_eq!(all(Some(6)), double);
    // Neither once nor twice: the tables one after another.
    let five = [one.clone(), two.clone(), three.clone(), turned(one), turned(two)];
    assert_eq!(all(Some(5)), five);
}

#[test]
fn whoever_leaves_a_round_robin_leaves_byes() {
    let mut desk = begun(5, PhaseKind::RoundRobin, None);
    desk.record(PlayerDropped { player: 4, why: DropReason::Left, after_round: 0 });
    desk.record(PlayerDropped { player: 3, why: DropReason::Left, after_round: 0 });
    let first = drawn(&desk.state, &on_mtr("")).expect("round 1");
    // By the tables of six: 1 would meet 6, 2-5 and 3-4.
    assert_eq!(tables(&first), [(vec![2, 5], PairingReason::Schedule)]);
    assert_eq!(byes(&first), [(1, ByeKind::Assigned, PairingReason::Schedule)]);
    play(&mut desk, &first);
    let second = drawn(&desk.state, &on_mtr("")).expect("round 2");
    // 6-4, 5-3 and 1-2.
    assert_eq!(tables(&second), [(vec![1, 2], PairingReason::Schedule)]);
    assert_eq!(byes(&second), [(5, ByeKind::Assigned, PairingReason::OpponentGone)]);
}

/// Six by seed; the lowest number wins always.
#[test]
fn in_a_bracket_that_is_seeded_anew_the_highest_left_meets_the_lowest() {
    let reseed = on_mtr("[draw]\nbracket = \"reseed\"\nqualifier_byes = \"seeds\"\n");
    let mut desk = Desk::open(games_sheet(Some(3)));
    // With ratings a first phase is seeded.
    for player in 1..=6 {
        desk.record(PlayerEnrolled { rating: Some(2000 - player as i32), ..enrolled(player) });
    }
    let start = PhaseStarted::new(1, PhaseKind::Elimination);
    desk.record(PhaseStarted { entrants: vec![6, 5, 4, 3, 2, 1], ..start });
    let first = drawn(&desk.state, &reseed).expect("the first round");
    let mut waiting: Vec<PlayerNumber> = first.byes.iter().map(|bye| bye.player).collect();
    waiting.sort_unstable();
    assert_eq!(waiting, [5, 6]);
    play(&mut desk, &first);
    // 1 and 2 have won; seeds from the top are 6, 5, 2, 1.
    assert_eq!(play_out(&mut desk, &reseed), [vec![vec![6, 1], vec![5, 2]], vec![vec![2, 1]]]);
}

/// A bracket stands still where nobody goes on.
#[test]
fn a_match_that_nobody_won_has_to_be_decided() {
    let bracket = "players Ann Bob Cid Dee
         phase single elimination: Ann Bob Cid Dee
         round
         Ann 1-1 Dee
         Bob 2-0 Cid";
    let asked = |text: &str| {
        let told = tell(games_sheet(Some(3)), text);
        decided(&told.desk.state, &on_mtr(""))
    };
    assert_eq!(asked(bracket), Err(PairingError::NobodyAdvances { round: 1, table: 1 }));
    // Where both have gone home nobody is asked for.
    assert_eq!(asked(&format!("{bracket}\nAnn drops\nDee drops")), Ok(()));
    let one_is_left = format!("{bracket}\nDee drops");
    assert_eq!(asked(&one_is_left), Err(PairingError::NobodyAdvances { round: 1, table: 1 }));
    // Only the last round is asked for, in a bracket that is being played.
    let later = format!("{bracket}\nround\nBob 2-0 Ann");
    assert_eq!(asked(&later), Ok(()));
    let last = format!("{bracket}\nround\nBob 1-1 Ann");
    assert_eq!(asked(&last), Err(PairingError::NobodyAdvances { round: 2, table: 1 }));
    assert_eq!(asked("players Ann Bob\nround\nAnn 1-1 Bob"), Ok(()));
    let cut = "players Ann Bob\nround\nAnn 1-1 Bob\nphase single elimination: Ann Bob";
    assert_eq!(asked(cut), Ok(()), "that draw was before the bracket");
    assert_eq!(asked("players Ann Bob"), Ok(()));
}

#[test]
fn lots_are_for_everybody_whose_enrolment_stands() {
    let mut told: Told = tell(games_sheet(Some(3)), "players Ann Bob Cid Dee");
    let sorted = |state: &Tournament| {
        let mut order = lots(state, &SEED);
        order.sort_unstable();
        order
    };
    assert_eq!(sorted(&told.desk.state), [1, 2, 3, 4]);
    let different: std::collections::BTreeSet<_> =
        (0..40).map(|seed| lots(&told.desk.state, &[seed; 32])).collect();
    assert!(different.len() > 12, "24 orders are as likely: {}", different.len());
    // Bob's enrollment, the third event, never happened.
    told.desk.record(Withdrawn { seq: 3, reason: WORDS });
    assert_eq!(sorted(&told.desk.state), [1, 3, 4]);
}

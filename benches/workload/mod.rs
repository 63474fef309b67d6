//! The tournament over which benches measure, made the same way every time.

use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::*;
use scrutineer_projections::ruleset::Ruleset;
use smallvec::smallvec;

const NOBODY: Commitment = Commitment { number: 1, digest: [0; 32] };

/// A small generator of random numbers: the same workload every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A Swiss tournament as commands: enrollment, then for each round its pairings and its results.
pub fn commands(players: usize, rounds: usize, rules: &Ruleset) -> Vec<Vec<Event>> {
    let mut dice = Dice(0x5eed_1234_5678_9abc);
    let mut points = vec![0u32; players];
    let mut list = vec![enrollment(players, rules)];
    let mut seq = list[0].len() as Seq;
    for round in 1..=rounds as RoundNumber {
        let mut order: Vec<usize> = (0..players).collect();
        order
            .sort_by_cached_key(|player| (std::cmp::Reverse(points[*player]), dice.below(1 << 20)));
        let mut paired: Vec<Event> = vec![opened(round).into()];
        let mut results: Vec<Event> = Vec::new();
        for (at, two) in order.chunks(2).enumerate() {
            let seat = |player: usize| Seat { player: player as PlayerNumber + 1, role: 0 };
            if let [bye] = two {
                points[*bye] += 3;
                paired.push(bye_of(round, seat(*bye).player).into());
                continue;
            }
            let (first, second) = (two[0], two[1]);
            paired.push(
                PairingMade {
                    round,
                    table: Some(at as u32 + 1),
                    seats: smallvec![seat(first), seat(second)],
                    group: None,
                    bracket_slot: None,
                    origin: Origin::AS_GIVEN,
                }
                .into(),
            );
            let pairing = seq + paired.len() as Seq;
            let score = score(&mut dice);
            let (won, lost) = (score.seats[0][0], score.seats[1][0]);
            points[first] += if won > lost { 3 } else { u32::from(won == lost) };
            points[second] += if lost > won { 3 } else { u32::from(won == lost) };
            results.push(ResultRecorded { pairing, result: MatchResult::played(score) }.into());
        }
        results.push(RoundCompleted { round }.into());
        seq += (paired.len() + results.len()) as Seq;
        list.extend([paired, results]);
    }
    list
}

fn score(dice: &mut Dice) -> Score {
    let (first, second, drawn) = match dice.below(25) {
        0 => (1, 1, 1),
        1..=12 => (2, dice.below(2) as i32, 0),
        _ => (dice.below(2) as i32, 2, 0),
    };
    Score { seats: smallvec![smallvec![first], smallvec![second]], table: smallvec![drawn] }
}

fn opened(round: RoundNumber) -> RoundOpened {
    let weight = RoundWeight::ONE;
    RoundOpened { round, phase: 1, phase_round: round, weight, drawn: None }
}

fn bye_of(round: RoundNumber, player: PlayerNumber) -> ByeGiven {
    ByeGiven {
        round,
        player,
        kind: ByeKind::Assigned,
        reported: None,
        bracket_slot: None,
        origin: Origin::AS_GIVEN,
    }
}

fn enrollment(players: usize, rules: &Ruleset) -> Vec<Event> {
    let line = |name: &str, per| ScoreLine {
        name: name.into(),
        per,
        min: 0,
        max: 9,
        unit: "games".into(),
    };
    let scoresheet = Scoresheet {
        lines: vec![line("games", Per::Seat), line("drawn", Per::Table)],
        best_of: Some(3),
    };
    let mut events: Vec<Event> = vec![
        TournamentOpened {
            ruleset: rules.files.clone(),
            ..TournamentOpened::new(NOBODY, scoresheet)
        }
        .into(),
    ];
    let enrolled =
        |player| PlayerEnrolled { sign_up: Some(player), ..PlayerEnrolled::new(player, NOBODY) };
    events.extend((1..=players as PlayerNumber).map(|player| enrolled(player).into()));
    events.push(PhaseStarted::new(1, PhaseKind::Swiss).into());
    events
}

//! How long it takes to say what everybody can still reach.
//!
//! `cargo bench --bench reach` prints it for 2,000 players and 8 rounds under `mtr` with a cut to 8: while
//! a round is to come, in the last round with all, with 100 and with 2 of its results missing. A number of
//! players and of rounds can be given: `cargo bench --bench reach -- 500 9`.

mod workload;

use scrutineer_engine::event::{Event, PhaseKind, PlannedPhase};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::reach::{Basis, Chance, Effort, Reach};
use scrutineer_projections::ruleset::{Library, Ruleset};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use workload::commands;

/// How many make the cut.
const CUT: u32 = 8;

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let (players, rounds) = match sizes[..] {
        [players, rounds] => (players, rounds),
        _ => (2_000, 8),
    };
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr is shipped"));
    println!("{players} players, {rounds} rounds, mtr, cut to {CUT}: median of 5");
    let last = players / 2;
    for (what, missing, to_come) in [
        ("a round to come, all results of this one missing", last, 1),
        ("the last round, all results missing", last, 0),
        ("the last round, 100 results missing", last.min(100), 0),
        ("the last round, 2 results missing", 2, 0),
    ] {
        let state = state(players, rounds, &rules, missing, to_come);
        for (how, effort) in [("whole", Effort::USUAL), ("cut only", Effort::FOR_THE_CUT)] {
            print_one(&format!("{what}, {how}"), &state, &rules, effort);
        }
    }
}

/// A tournament whose last round lacks so many results, with so many rounds to come.
fn state(
    players: usize,
    rounds: usize,
    rules: &Ruleset,
    missing: usize,
    to_come: u16,
) -> Tournament {
    let mut all = commands(players, rounds, rules);
    if let Some(results) = all.last_mut() {
        results.pop();
        results.truncate(results.len().saturating_sub(missing));
    }
    let mut events = all.concat();
    if let Some(Event::TournamentOpened(opened)) = events.first_mut() {
        let planned =
            |kind, rounds, players| PlannedPhase { kind, rounds, players, scoresheet: None };
        opened.plan = vec![
            planned(PhaseKind::Swiss, Some(rounds as u16 + to_come), None),
            planned(PhaseKind::Elimination, None, Some(CUT)),
        ];
    }
    Tournament::of(&events)
}

fn print_one(what: &str, state: &Tournament, rules: &Arc<Ruleset>, effort: Effort) {
    let mut times: Vec<Duration> = Vec::new();
    let mut found = None;
    for _ in 0..5 {
        let mut number = 1_u64;
        let mut below = |end: u64| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (number >> 33) % end
        };
        let started = Instant::now();
        found =
            black_box(Reach::of(black_box(state), rules, None, effort, &mut below).expect("reach"));
        times.push(started.elapsed());
    }
    times.sort_unstable();
    let found = found.expect("a Swiss is played");
    let of = |chance| found.players.iter().filter(|one| one.outlook.chance == Some(chance)).count();
    let basis = match found.basis {
        Basis::Counted(count) => format!("{count} counted"),
        Basis::Sampled(count) => format!("{count} sampled"),
        Basis::Bounds => "bounds".into(),
    };
    let counts = [Chance::Clinched, Chance::Open, Chance::Out].map(of);
    println!(
        "  {what:62} {:>9.2} ms  {basis}; {counts:?} clinched, open, out",
        times[2].as_secs_f64() * 1e3
    );
}

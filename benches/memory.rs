//! How much memory an event takes, for each player and each event, over four decades.
//!
//! `cargo bench --bench memory` makes Swiss tournaments of 10 to 100,000 players and 15 rounds and
//! prints what the state, the crosstable and standings hold, and the most while they are made, as
//! counted at every allocation. The most players can be given: `cargo bench --bench memory --
//! 10000`.

mod workload;

use scrutineer_engine::event::Event;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{Crosstable, Scope};
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use std::sync::Arc;

const ROUNDS: usize = 15;

fn main() {
    let most = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(100_000);
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr is shipped"));
    println!(
        "{ROUNDS} rounds under mtr: kept, and in brackets the most while it is made, in bytes"
    );
    for players in [10, 100, 1_000, 10_000, 100_000].into_iter().filter(|size| *size <= most) {
        print_one(players, &rules);
    }
}

fn print_one(players: usize, rules: &Arc<Ruleset>) {
    let commands = workload::commands(players, ROUNDS, rules);
    let events: Vec<Event> = commands.into_iter().flatten().collect();
    let state = Tournament::of(&events);
    println!("{players:>9} players, {} events", events.len());
    let print = |what: &str, (kept, most): (i64, u64)| {
        let (kept, most) = (kept as f64, most as f64);
        let per = |bytes: f64, count: usize| bytes / count as f64;
        println!(
            "  {what:<10} {kept:>12} ({most:>12})   {:>8.0} a player ({:>8.0})   {:>6.1} an event \
             ({:>6.1})",
            per(kept, players),
            per(most, players),
            per(kept, events.len()),
            per(most, events.len()),
        );
    };
    print("state", held(|| Tournament::of(&events)));
    let crosstable = || Crosstable::of(&state, rules, Scope::FINAL).expect("its lines");
    print("crosstable", held(crosstable));
    let standings = || Standings::of(&state, rules, Scope::FINAL, Detail::Order);
    print("standings", held(|| standings().expect("the workload has its lines")));
}

/// Bytes that stay with what is made, and the most on the way to it.
fn held<R>(make: impl FnOnce() -> R) -> (i64, u64) {
    let mut made = None;
    let counted = allocation_counter::measure(|| made = Some(make()));
    drop(made);
    (counted.bytes_current, counted.bytes_max)
}

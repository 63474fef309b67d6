//! A format tried many times over.

use super::{SimulateError, Simulated, Simulation};
use crate::in_order::in_order;
use crate::store::Store;
use scrutineer_pairing::dice::Dice;
use scrutineer_projections::ruleset::Ruleset;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many of the strongest players are looked at.
const STRONGEST: usize = 8;

/// Plays tournaments in memory with one seed after another, on so many threads, and gives them in the
/// order of their seeds: the same whatever the number of threads. `each` is called after each
/// tournament.
///
/// # Errors
/// The error of the lowest seed that has one.
pub fn play_many(
    simulation: &Simulation,
    times: u32,
    threads: usize,
    each: &(dyn Fn() + Sync),
) -> Result<Vec<Simulated>, SimulateError> {
    let play = |at: u32| {
        let mut simulation = simulation.clone();
        simulation.seed = simulation.seed.wrapping_add(at.into());
        let played = simulation.play(&Store::in_memory());
        each();
        played
    };
    on_threads(times, threads, &play).into_iter().collect()
}

/// Plays tournaments into one store. Where it is a folder every command waits for the disk, and
/// threads that wait share the waiting: 32 are not too many.
///
/// # Errors
/// The error of the first simulation that has one; the others are played all the same.
pub fn play_into(
    store: &Store,
    simulations: &[Simulation],
    threads: usize,
) -> Result<Vec<Simulated>, SimulateError> {
    let play = |at: u32| simulations[at as usize].play(store);
    on_threads(simulations.len() as u32, threads, &play).into_iter().collect()
}

/// Tournaments as an archive of years holds them: 8 to 512 players, twice as many of half the size;
/// those of more than 16 have a cut to eight. One ruleset after the other.
pub fn store_of(events: u32, rules: &[Arc<Ruleset>], seed: u64) -> Vec<Simulation> {
    let simulation = |(at, rules): (u32, &Arc<Ruleset>)| {
        let seed = seed.wrapping_add(at.into());
        let mut dice = Dice::new(&[0; 32], "simulated archive", 1, &seed.to_le_bytes());
        let doublings = (dice.below(63) as u32 + 1).leading_zeros() - 26;
        let players = (8 << doublings) + dice.below(8 << doublings) as u32;
        let mut simulation = Simulation::new(players.min(512), Arc::clone(rules), seed);
        simulation.cut = (players > 16).then_some(8);
        simulation
    };
    (0..events).zip(rules.iter().cycle()).map(simulation).collect()
}

/// What each number below `count` gives, in order.
fn on_threads<T: Send>(count: u32, threads: usize, of: &(dyn Fn(u32) -> T + Sync)) -> Vec<T> {
    let count = count as usize;
    in_order(count, threads, count, || (), |(), at| of(at as u32)).collect()
}

/// How many players with some points made the cut, and how many did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtCut {
    /// Made it.
    pub inside: u64,
    /// Did not.
    pub outside: u64,
}

/// What a format does, over many tournaments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// How many tournaments.
    pub events: u64,
    /// In how many the strongest player won.
    pub strongest_won: u64,
    /// In how many the strongest player made the cut; without a cut, came into the first eight.
    pub strongest_in: u64,
    /// How many of the strongest eight did so, over all tournaments.
    pub strongest_eight_in: u64,
    /// How many of the strongest eight there were, over all tournaments.
    pub strongest_eight: u64,
    /// By points, how many made the cut.
    pub at_cut: BTreeMap<i64, AtCut>,
    /// The fewest points that made the cut of each tournament, in order.
    pub lowest_in: Vec<i64>,
    /// In how many tournaments players with the same points were inside and outside.
    pub cut_within_points: u64,
    /// The points' denominator.
    pub points_den: i64,
    /// Rounds played.
    pub rounds: u64,
    /// Pairs who had met before.
    pub rematches: u64,
    /// Byes for somebody who had had one.
    pub second_byes: u64,
    /// Pairs with different points.
    pub cross_group: u64,
    /// Events of the logs.
    pub log_events: u64,
}

impl Format {
    /// What these tournaments say about their format.
    pub fn of(events: &[Simulated]) -> Format {
        let mut format = Format { points_den: 1, ..Format::default() };
        for event in events {
            format.add(event);
        }
        format.lowest_in.sort_unstable();
        format
    }

    /// Half of the tournaments needed at least so many points for the cut.
    pub fn median_lowest_in(&self) -> Option<i64> {
        self.lowest_in.get(self.lowest_in.len() / 2).copied()
    }

    fn add(&mut self, event: &Simulated) {
        let strongest = event.by_strength();
        let first: Vec<_> = event.standing.order().take(STRONGEST).collect();
        let made_it = if event.made_cut.is_empty() { &first } else { &event.made_cut };
        let is_in = |player| made_it.contains(player);
        self.events += 1;
        self.points_den = event.standing.points_den;
        self.strongest_won += u64::from(event.champion == strongest.first().copied());
        self.strongest_in += u64::from(strongest.first().is_some_and(is_in));
        let eight = &strongest[..STRONGEST.min(strongest.len())];
        self.strongest_eight += eight.len() as u64;
        self.strongest_eight_in += eight.iter().filter(|player| is_in(player)).count() as u64;
        let counts = &event.counts;
        self.rounds += u64::from(counts.rounds);
        self.rematches += u64::from(counts.rematches);
        self.second_byes += u64::from(counts.second_byes);
        self.cross_group += u64::from(counts.cross_group);
        self.log_events += counts.events;
        if event.made_cut.is_empty() {
            return;
        }
        for (player, points) in &event.standing.rows {
            let at = self.at_cut.entry(*points).or_default();
            match event.made_cut.contains(player) {
                true => at.inside += 1,
                false => at.outside += 1,
            }
        }
        let (lowest_in, highest_out) = event.points_at_cut();
        self.lowest_in.extend(lowest_in);
        self.cut_within_points += u64::from(lowest_in.is_some() && lowest_in <= highest_out);
    }
}

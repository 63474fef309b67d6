//! Time, twice: what was known at a moment, and what an earlier round looks like today.

mod known;
mod replay;
mod through;

use super::{Played, play, rulesets, simulation};
use scrutineer_engine::event::Event;

/// Simulated events that are small enough to be looked at after each of their events;
/// `SCRUTINEER_TOURNAMENTS=50` takes fifty times as many.
fn small(count: usize) -> impl Iterator<Item = Played> {
    let times = std::env::var("SCRUTINEER_TOURNAMENTS").ok().and_then(|times| times.parse().ok());
    let count = count * times.unwrap_or(1);
    let rulesets = rulesets();
    let simulations = (0..).map(move |seed| simulation(seed, &rulesets));
    simulations.filter(|simulation| simulation.players <= 40).take(count).map(play)
}

fn events(played: &Played) -> Vec<Event> {
    played.event.log.iter().map(|(_, event)| event.clone()).collect()
}

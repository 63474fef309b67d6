//! What holds for every tournament that is played to its end, by simulated ones of 2 to 300
//! players: who is paired, what a draw avoids, that it can be drawn again, and that the same
//! event comes out the same.

mod brackets;
mod chance;
mod fresh;
mod matching;
mod rounds;
mod store;
mod time;
mod what_if;

use crate::random_tournaments::{Compared, Dice, compare};
use crate::reference::Facts;
use crate::script::Desk;
use scrutineer_desk::simulate::{Rates, Simulated, Simulation};
use scrutineer_desk::store::Store;
use scrutineer_desk::verify::verify_tournament;
use scrutineer_engine::event::{Event, PhaseKind};
use scrutineer_engine::record::StreamId;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::verify::Severity;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What happens often enough to be seen in small fields.
const OFTEN: Rates = Rates {
    drops: 60,
    no_shows: 20,
    returns: 150,
    late: 80,
    wrong: 80,
    penalties: 40,
    draws: 120,
    agreed: 200,
    repairs: 300,
    byes: 50,
    declines: 200,
};

/// An event that was played, and its log.
struct Played {
    simulation: Simulation,
    simulated: Simulated,
    event: LoadedTournament,
    store: Store,
}

impl Played {
    /// Which one it is, for messages.
    fn name(&self) -> String {
        name(&self.simulation)
    }

    fn rules(&self) -> &Arc<Ruleset> {
        &self.simulation.rules
    }
}

fn name(simulation: &Simulation) -> String {
    let Simulation { players, kind, rules, seed, cut, cut_kind, .. } = simulation;
    format!("{players} players, {kind}, {}, cut {cut:?} {cut_kind}, seed {seed}", rules.id)
}

fn play(simulation: Simulation) -> Played {
    let store = Store::in_memory();
    let played = simulation.play(&store);
    let simulated = played.unwrap_or_else(|error| panic!("{}: {error}", name(&simulation)));
    let event = store.load(simulated.stream, true).expect("it is there");
    Played { simulation, simulated, event, store }
}

fn ruleset(id: &str) -> Arc<Ruleset> {
    Arc::new(Library::shipped().ruleset(id).expect("a shipped ruleset"))
}

/// The tournament of a number: small ones mostly, every kind of phase, every method of draw.
fn simulation(seed: u64, rulesets: &BTreeMap<&'static str, Arc<Ruleset>>) -> Simulation {
    use PhaseKind::*;
    let mut dice = Dice(seed ^ 0x51_30_1A_7E);
    let kind =
        dice.pick(&[Swiss, Swiss, Swiss, Swiss, Pods, RoundRobin, Elimination, DoubleElimination]);
    let players = match dice.below(10) {
        0..5 => dice.between(2, 12),
        5..8 => dice.between(13, 70),
        _ => dice.between(71, 300),
    };
    let players = if kind == RoundRobin { players.min(24) } else { players } as u32;
    let id = match kind {
        Pods => "commander-pods",
        _ => dice.pick(&["mtr", "mtr", "hgbts", HGBTS_APART, "netrunner", "fide-buchholz-2026"]),
    };
    let mut simulation = Simulation::new(players, Arc::clone(&rulesets[id]), seed);
    simulation.kind = kind;
    simulation.rates = dice.pick(&[OFTEN, OFTEN, Rates::default(), Rates::NONE]);
    // More rounds than it takes: opponents run out.
    let is_long = kind == Swiss && dice.chance(40);
    simulation.rounds = is_long.then(|| dice.between(3, 9) as u16);
    let cut = dice.pick(&[2, 3, 4, 6, 8, 16, 24]).min(players);
    simulation.cut = (kind != Elimination && dice.chance(50)).then_some(cut);
    simulation.cut_kind = dice.pick(&[Elimination, Elimination, DoubleElimination, RoundRobin]);
    simulation
}

/// As `hgbts`, but nobody meets again.
const HGBTS_APART: &str = "hgbts+draw.rematch=avoid";

fn rulesets() -> BTreeMap<&'static str, Arc<Ruleset>> {
    let ids = ["mtr", "hgbts", HGBTS_APART, "netrunner", "fide-buchholz-2026", "commander-pods"];
    ids.into_iter().map(|id| (id, ruleset(id))).collect()
}

/// So many events; `SCRUTINEER_TOURNAMENTS=50` takes fifty times as many.
fn many(events: u64) -> impl Iterator<Item = Played> {
    let times = std::env::var("SCRUTINEER_TOURNAMENTS").ok().and_then(|times| times.parse().ok());
    let rulesets = rulesets();
    (0..events * times.unwrap_or(1)).map(move |seed| play(simulation(seed, &rulesets)))
}

fn bytes(store: &Store, stream: StreamId) -> Vec<Vec<u8>> {
    let records = store.log().read(stream, 0);
    records.map(|record| record.expect("readable").bytes().to_vec()).collect()
}

#[test]
fn everybody_is_paired_once_and_draws_come_out_again() {
    let mut seen = rounds::Seen::default();
    for played in many(90) {
        rounds::check(&played, &mut seen);
        brackets::check(&played);
    }
    println!("{seen:?}");
    assert!(seen.drawn > 300 && seen.proven > 150 && seen.again > 5, "{seen:?}");
}

#[test]
fn the_same_simulation_gives_the_same_bytes_and_verifies() {
    for played in many(40) {
        let again = play(played.simulation.clone());
        let name = played.name();
        assert_eq!(played.simulated, again.simulated, "{name}");
        let stream = played.simulated.stream;
        assert!(bytes(&played.store, stream) == bytes(&again.store, stream), "{name}");
        assert_eq!(played.event.book, again.event.book, "{name}");
        let found = verify_tournament(&played.store, stream).expect("it is read");
        let told: Vec<_> =
            found.findings.iter().filter(|found| found.severity == Severity::Error).collect();
        assert!(told.is_empty(), "{name}: {told:?}");
    }
}

#[test]
fn standings_are_those_of_the_independent_reference() {
    let mut compared = 0;
    for played in many(60) {
        let events: Vec<Event> = played.event.log.iter().map(|(_, event)| event.clone()).collect();
        let facts = Facts::read(&events);
        let desk = Desk {
            events,
            state: scrutineer_engine::tournament::Tournament::clone(&played.event.state),
        };
        match compare(&desk, &facts, played.rules(), Scope::FINAL) {
            Ok(Compared::Values(values)) => compared += values,
            Ok(Compared::Nothing) => {}
            Err(difference) => panic!("{}: {difference}", played.name()),
        }
    }
    assert!(compared > 10_000, "{compared} values");
}

/// A generator that stopped doing what is rare would prove nothing.
#[test]
fn everything_that_can_go_wrong_goes_wrong() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for played in many(60) {
        let counts = played.simulated.counts;
        for (what, count) in [
            ("corrections", counts.corrections),
            ("drops", counts.drops),
            ("no-shows", counts.no_shows),
            ("returns", counts.returns),
            ("late entries", counts.late),
            ("penalties", counts.penalties),
            ("repairs", counts.repairs),
            ("rounds paired anew", counts.pairings_again),
            ("agreed draws", counts.agreed),
            ("rulings who goes on", counts.advanced),
            ("rematches", counts.rematches),
            ("second byes", counts.second_byes),
        ] {
            *seen.entry(what).or_default() += count;
        }
    }
    assert!(seen.values().all(|count| *count >= 3), "{seen:?}");
}

/// The log of a small tournament of every kind, by number.
pub fn play_small(seed: u64) -> (Store, StreamId) {
    let rulesets = rulesets();
    let mut simulation = simulation(seed, &rulesets);
    simulation.players = simulation.players.min(12);
    simulation.cut = simulation.cut.map(|cut| cut.min(simulation.players));
    let played = play(simulation);
    (played.store, played.simulated.stream)
}

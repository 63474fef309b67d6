//! The program and the independent reference agree on random tournaments, under every ruleset.

mod compare;
pub mod dice;
pub mod generate;
pub mod shrink;

pub use compare::{Compared, compare};
pub use dice::Dice;

use compare::Difference;
use generate::World;
use scrutineer_engine::event::{Event, How, MatchResult, PhaseKind, Ruling};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The shipped rulesets, and some that use what no shipped one does.
pub fn rulesets() -> Vec<Arc<Ruleset>> {
    let mut library = Library::shipped();
    for (path, text) in OPTIONS {
        library.load_file(path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let read = |id: &String| library.ruleset(id).unwrap_or_else(|error| panic!("{id}: {error}"));
    library.ids().iter().map(|id| Arc::new(read(id))).collect()
}

macro_rules! options {
    ($( $id:literal )+) => {
        [$( ($id, include_str!(concat!("../data/rulesets/", $id))) ),+]
    };
}

/// Rulesets of the tests, with the options that no shipped one uses.
const OPTIONS: [(&str, &str); 4] =
    options!["pairs-and-bonuses.toml" "margins.toml" "pod-places.toml" "slip-points.toml"];

/// How far the tournament of a seed is folded.
fn scope(seed: u64) -> Scope {
    let mut dice = Dice(seed ^ 0x5C09E);
    Scope {
        through: dice.chance(35).then(|| dice.between(1, 6) as u16),
        final_order: dice.pick(&[None, Some(true), Some(true), Some(false)]),
    }
}

/// Compares so many tournaments; `SCRUTINEER_TOURNAMENTS=50` takes fifty times as many.
fn sweep(world: World, tournaments: u64) {
    let times = std::env::var("SCRUTINEER_TOURNAMENTS").ok().and_then(|times| times.parse().ok());
    let tournaments = tournaments * times.unwrap_or(1);
    let rulesets = rulesets();

    let (mut tables, mut values) = (0, 0);
    for seed in 0..tournaments {
        let desk = generate::tournament(world, seed);
        let facts = crate::reference::Facts::read(&desk.events);
        for rules in &rulesets {
            match compare(&desk, &facts, rules, scope(seed)) {
                Ok(Compared::Nothing) => {}
                Ok(Compared::Values(compared)) => {
                    tables += 1;
                    values += compared;
                }
                Err(difference) => report(world, seed, &desk, rules, difference),
            }
        }
    }
    assert!(tables > tournaments, "hardly any ruleset could be compared");
    println!("{world:?}: {tournaments} tournaments, {tables} tables, {values} values");
}

fn report(
    world: World,
    seed: u64,
    desk: &crate::script::Desk,
    rules: &Arc<Ruleset>,
    difference: Difference,
) {
    let differs = |events: &crate::script::Desk| {
        let facts = crate::reference::Facts::read(&events.events);
        compare(events, &facts, rules, scope(seed)).err()
    };
    let (small, difference) = shrink::shrink(desk.clone(), difference, differs);
    panic!(
        "{world:?}, seed {seed}, {:?}, ruleset {}:\n{difference}\n{}",
        scope(seed),
        rules.id,
        shrink::script(&small.events)
    );
}

macro_rules! sweeps {
    ($( $name:ident $world:ident $tournaments:literal )+) => {
        $( #[test]
        fn $name() {
            sweep(World::$world, $tournaments);
        } )+
    };
}

sweeps! {
    games_won_and_drawn Games 450
    games_with_every_result_ruled GamesRuled 250
    objective_and_survival_points Objective 350
    slips_that_hold_match_points MatchPoints 250
    rulings_and_no_scores Rulings 300
    pods_of_three_and_four Pods 300
    swiss_with_a_cut Cut 300
    two_days_and_a_cut Days 300
    single_elimination Elimination 300
}

/// The generator would be worth nothing if it stopped doing what is rare.
#[test]
fn everything_that_can_happen_happens() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for (world, seed) in World::ALL.into_iter().flat_map(|w| (0..100).map(move |s| (w, s))) {
        let events = generate::tournament(world, seed).events;
        for event in &events {
            *seen.entry(what(&events, event)).or_default() += 1;
        }
    }
    for rare in RARE.iter().flat_map(|line| line.split(", ")) {
        let times = seen.get(rare).copied().unwrap_or(0);
        assert!(times >= 5, "`{rare}` happened {times} times: {seen:#?}");
    }
}

const RARE: [&str; 6] = [
    "bye, awarded bye, half bye, zero bye, awarded loss, vacant",
    "left, no-show, disqualified, player reinstated, late entry, imported, tournament closed",
    "score noted, result, result corrected, forfeit, double loss, no result, player advanced",
    "withdrawn result, withdrawn pairing, withdrawn bye, withdrawn round opened, lots drawn",
    "withdrawn result corrected, withdrawn round completed, withdrawn player dropped",
    "single elimination after Swiss, double elimination after Swiss, second day, phase ended",
];

fn what(events: &[Event], event: &Event) -> String {
    let ruled = |result: &MatchResult, ruling| {
        let mut rulings = result.rulings.iter();
        !result.rulings.is_empty() && rulings.all(|ruled| *ruled == Some(ruling))
    };
    match event {
        Event::ByeGiven(e) => e.kind.word().to_owned(),
        Event::PhaseStarted(e) if e.phase > 1 => match e.kind {
            PhaseKind::Swiss => "second day".to_owned(),
            kind => format!("{} after Swiss", kind.word()),
        },
        Event::PlayerDropped(e) => e.why.word().to_owned(),
        Event::PlayerEnrolled(e) if e.from_round > 1 => "late entry".to_owned(),
        Event::Withdrawn(e) => format!("withdrawn {}", events[e.seq as usize - 1].word()),
        Event::ResultRecorded(e) if ruled(&e.result, Ruling::Loss) => "double loss".to_owned(),
        Event::ResultRecorded(e) if ruled(&e.result, Ruling::NoResult) => "no result".to_owned(),
        Event::ResultRecorded(e) if e.result.how == How::Forfeit => "forfeit".to_owned(),
        event => event.word().to_owned(),
    }
}

//! The program and the independent reference agree on random tournaments, under every ruleset.

mod compare;
mod dice;
pub mod generate;
pub mod shrink;

pub use dice::Dice;

use compare::{Compared, Difference, compare};
use generate::World;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset};
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
    games_won_and_drawn Games 700
    games_with_every_result_ruled GamesRuled 300
    objective_and_survival_points Objective 500
    slips_that_hold_match_points MatchPoints 300
    rulings_and_no_scores Rulings 400
    pods_of_three_and_four Pods 400
    swiss_with_a_cut Cut 400
    single_elimination Elimination 400
}

#[test]
fn every_world_is_swept() {
    assert_eq!(World::ALL.len(), 8);
}

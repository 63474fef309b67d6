//! Places in divisions, against the plainest way to count them.

use crate::random_tournaments::generate::{World, tournament};
use scrutineer_engine::event::{Event, PlayerEnrolled, PlayerNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::divisions::{DivisionPlaces, divisions};
use scrutineer_projections::ruleset::{Library, Ruleset, Step};
use scrutineer_projections::standings::{Detail, Standings};
use std::sync::Arc;

const NAMES: [Option<&str>; 4] = [Some("junior"), Some("senior"), Some("master"), None];

/// Divisions by the player's number, so that players of all of them meet.
fn division_of(player: PlayerNumber, seed: u64) -> Option<&'static str> {
    NAMES[((u64::from(player) * 7 + seed) % 5 % 4) as usize]
}

/// The same tournament, with divisions.
fn divided(events: &[Event], seed: u64) -> Tournament {
    let with = |event: &Event| match event {
        Event::PlayerEnrolled(of) => {
            let division = division_of(of.player, seed).map(str::to_string);
            PlayerEnrolled { division, ..of.clone() }.into()
        }
        other => other.clone(),
    };
    Tournament::of(&events.iter().map(with).collect::<Vec<Event>>())
}

fn tables(desk: &Tournament, rulesets: &[Arc<Ruleset>]) -> Vec<Standings> {
    let of = |rules| Standings::of(desk, rules, Scope::FINAL, Detail::All).ok();
    rulesets.iter().filter_map(of).collect()
}

/// A player's place in their division is one more than how many of it stand above them among all. Matches
/// among those who are tied are another matter: there the group of those who are tied is smaller.
#[test]
fn a_place_in_a_division_counts_who_of_it_stands_above() {
    let library = Library::shipped();
    let ids = ["mtr", "carde", "splinterlands", "netrunner", "pokemon", "hgbts"];
    let rulesets: Vec<Arc<Ruleset>> =
        ids.iter().map(|id| Arc::new(library.ruleset(id).expect(id))).collect();
    let mut places = 0;
    for world in World::ALL {
        for seed in 0..12 {
            let plain = tournament(world, 9_100 + seed);
            let state = divided(&plain.events, seed);
            for all in tables(&state, &rulesets) {
                let by_matches =
                    all.rules.order.iter().any(|step| matches!(step, Step::HeadToHead { .. }));
                let found = DivisionPlaces::of(&state, &all);
                let without: usize = all
                    .rows
                    .iter()
                    .filter(|row| found.of_player(row.player).is_none())
                    .inspect(|row| assert_eq!(division_of(row.player, seed), None))
                    .count();
                let with: usize = found.divisions.iter().map(|(_, rows)| rows.len()).sum();
                assert_eq!(with + without, all.rows.len());
                for row in all.rows.iter().filter(|_| !by_matches) {
                    let Some(own) = division_of(row.player, seed) else { continue };
                    let above = all.rows.iter().filter(|other| {
                        division_of(other.player, seed) == Some(own) && other.rank < row.rank
                    });
                    let place = found.of_player(row.player).expect("a place");
                    assert_eq!((place.name, place.row().rank as usize), (own, 1 + above.count()));
                    places += 1;
                }
            }
        }
    }
    assert!(places > 500, "{places}");
}

/// Who is of which division changes nothing for all, neither in a value nor in the hash; and in the standings
/// of a division every value is that of the standings of all.
#[test]
fn values_and_the_hash_are_those_of_the_standings_of_all() {
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr"));
    let mut seen = 0;
    for seed in 0..40 {
        let plain = tournament(World::ALL[seed as usize % World::ALL.len()], 9_300 + seed);
        let state = divided(&plain.events, seed);
        let of = |state| Standings::of(state, &rules, Scope::FINAL, Detail::All).ok();
        let (Some(before), Some(all)) = (of(&plain.state), of(&state)) else { continue };
        assert_eq!(before.hash(), all.hash());
        for name in divisions(&state) {
            let own = all.of_division(&state, name);
            assert_eq!((own.hash(), own.division()), (all.hash(), Some(name)));
            assert_eq!(own.everybody(), &all.rows[..]);
            for row in &own.rows {
                let among_all = all.row(row.player).expect("a place among all");
                for measure in &all.rules.measures {
                    let value = own.value(row, &measure.id);
                    assert_eq!(value, all.value(among_all, &measure.id), "{}", measure.id);
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

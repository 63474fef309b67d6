//! Divisions at tables: of which one the players of a table are, and at which tables each of them sits.

use super::set_apart;
use crate::language::Language;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::divisions::divisions;
use std::collections::BTreeMap;

/// A tournament whose players may have divisions.
pub struct Divided<'a> {
    state: &'a Tournament,
    has_any: bool,
}

impl<'a> Divided<'a> {
    /// The divisions of a tournament.
    pub fn of(state: &'a Tournament) -> Divided<'a> {
        Divided { state, has_any: !divisions(state).is_empty() }
    }

    /// The divisions of players who sit together, each once; none where nobody of the tournament has one.
    pub fn of_table(&self, players: impl Iterator<Item = PlayerNumber>) -> Option<String> {
        let mut named: Vec<&str> = Vec::new();
        for player in players {
            let own = self.state.player(player).and_then(|player| player.division.as_deref());
            named.extend(own.filter(|own| !named.contains(own)));
        }
        self.has_any.then(|| named.join(", "))
    }

    /// Each division with its tables, such as `junior: tables 1–4`; empty where somebody meets a player
    /// of another one, and where nobody has a division.
    pub fn tables(&self, round: RoundNumber, language: Language) -> Vec<String> {
        let mut tables: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        let of_round = self.state.matches().filter(|found| found.round().number == round);
        for found in of_round.filter(|_| self.has_any) {
            let own = |seat: &scrutineer_engine::tournament::SeatState| {
                self.state.player(seat.player).and_then(|player| player.division.as_deref())
            };
            let mut seats = found.seats().iter().map(own);
            let Some(Some(first)) = seats.next() else { return Vec::new() };
            if seats.any(|other| other != Some(first)) {
                return Vec::new();
            }
            tables.entry(first).or_default().extend(found.table());
        }
        let mut told: Vec<(u32, String)> = Vec::new();
        for (name, mut own) in tables {
            own.sort_unstable();
            let first = own.first().copied().unwrap_or(0);
            let (name, tables) = (set_apart(name.to_string()), ranges(&own));
            let line = language.b("division-tables", "division", name, "tables", tables);
            told.push((first, line));
        }
        told.sort_by_key(|(first, _)| *first);
        told.into_iter().map(|(_, line)| line).collect()
    }
}

/// Numbers in their order, those that follow each other as a range: `1–4, 9`.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| *one + 1 == *next);
    let told = runs.map(|run| match run {
        [first, .., last] => format!("{first}–{last}"),
        [one] => one.to_string(),
        [] => String::new(),
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::kit::enrolled;
    use super::*;
    use scrutineer_desk::orders::{Enroll, Pair, Person};

    #[test]
    fn tables_that_follow_each_other_are_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1–3, 7, 9–10");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn each_division_is_told_with_its_tables_where_it_is_paired_by_itself() {
        let hall = enrolled();
        let person = |at: usize| Person {
            name: format!("Player {at}"),
            division: Some(if at < 4 { "junior" } else { "senior" }.into()),
            ..Person::default()
        };
        hall.order(Enroll { people: (0..8).map(person).collect(), ..Enroll::default() });
        hall.order(Pair::default());
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let divided = Divided::of(&state);
        assert!(divided.tables(1, Language::English).is_empty(), "some have no division");
        let junior = state.players().iter().find(|one| one.division.as_deref() == Some("junior"));
        let junior = junior.expect("a junior").number;
        assert_eq!(divided.of_table([junior, 1].into_iter()), Some("junior".into()));
        assert_eq!(divided.of_table([1].into_iter()), Some(String::new()));
        let none = enrolled();
        let state = none.store.load(none.stream, false).expect("loaded").state;
        assert_eq!(Divided::of(&state).of_table([1].into_iter()), None);
    }
}

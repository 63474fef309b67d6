//! Divisions, such as age groups: which there are, and who has which place in theirs.

use crate::standings::{Row, Standings, shown_place};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::names::folded;
use scrutineer_engine::tournament::{Phase, Tournament};
use std::collections::{BTreeMap, BTreeSet};

/// The divisions that players have, by name.
pub fn divisions(state: &Tournament) -> Vec<&str> {
    let players = state.players().iter().filter(|player| !player.withdrawn);
    let all: BTreeSet<&str> = players.filter_map(|player| player.division.as_deref()).collect();
    all.into_iter().collect()
}

/// The division that somebody typed: as it is written, else in whichever case.
pub fn find_division<'a>(state: &'a Tournament, typed: &str) -> Option<&'a str> {
    let all = divisions(state);
    let wanted = folded(typed);
    let exact = all.iter().find(|name| **name == typed);
    exact.or_else(|| all.iter().find(|name| folded(name) == wanted)).copied()
}

/// The division that was likely meant by one which nobody has: word for word the same but for a letter or two
/// of one word. What differs in digits, in short words or in how it begins are others: `U12` and `U14`, `A` and
/// `B`, `junior` and `senior`.
pub fn mistyped<'a>(others: impl IntoIterator<Item = &'a str>, typed: &str) -> Option<&'a str> {
    let is_slip = |one: &str, other: &str| {
        let letters = [one, other].map(|word| word.chars().count());
        let shorter = letters[0].min(letters[1]);
        let begin_alike = one.chars().next() == other.chars().next();
        match strsim::osa_distance(one, other) {
            1 => shorter > 3,
            2 => shorter > 5 && begin_alike,
            _ => false,
        }
    };
    let typed = folded(typed);
    let nearly = |other: &&str| {
        let other = folded(other);
        let words = || typed.split_whitespace().zip(other.split_whitespace());
        let count = |text: &str| text.split_whitespace().count();
        let mut apart = words().filter(|(one, other)| one != other);
        let (Some((one, other_word)), None) = (apart.next(), apart.next()) else { return false };
        count(&typed) == count(&other)
            && [one, other_word].iter().all(|word| word.chars().all(char::is_alphabetic))
            && is_slip(one, other_word)
    };
    others.into_iter().find(nearly)
}

/// The division of which all are who enter a phase; none where they are of several, or have none.
pub fn division_of_phase<'a>(state: &'a Tournament, phase: &Phase) -> Option<&'a str> {
    let division = |player: &PlayerNumber| state.player(*player)?.division.as_deref();
    let first = phase.entrants.first().and_then(division);
    first.filter(|first| phase.entrants.iter().all(|player| division(player) == Some(first)))
}

/// Everybody's place in their division.
#[derive(Clone, Debug, Default)]
pub struct DivisionPlaces<'a> {
    /// The divisions, each with its rows.
    pub divisions: Vec<(&'a str, Vec<Row>)>,
    places: BTreeMap<PlayerNumber, (usize, usize)>,
}

impl<'a> DivisionPlaces<'a> {
    /// The places by these standings; none where nobody has a division.
    pub fn of(state: &'a Tournament, standings: &Standings) -> DivisionPlaces<'a> {
        let divisions = standings.rows_of_divisions(state);
        let of = |(at, (_, rows)): (usize, &(&str, Vec<Row>))| -> Vec<_> {
            rows.iter().enumerate().map(|(row, of)| (of.player, (at, row))).collect()
        };
        let places = divisions.iter().enumerate().flat_map(of).collect();
        DivisionPlaces { divisions, places }
    }

    /// Whether nobody has a division.
    pub fn is_empty(&self) -> bool {
        self.divisions.is_empty()
    }

    /// A player's place in their division.
    pub fn of_player(&self, player: PlayerNumber) -> Option<InDivision<'_>> {
        let (division, at) = *self.places.get(&player)?;
        let (name, rows) = self.divisions.get(division)?;
        Some(InDivision { name, rows, at })
    }
}

/// A player's place in their division.
#[derive(Clone, Copy, Debug)]
pub struct InDivision<'a> {
    /// The division.
    pub name: &'a str,
    /// Everybody of it who takes a place.
    pub rows: &'a [Row],
    /// Where the player stands among them, from 0.
    pub at: usize,
}

impl InDivision<'_> {
    /// The player's row.
    pub fn row(&self) -> &Row {
        &self.rows[self.at]
    }

    /// The place as it is shown.
    pub fn place(&self) -> String {
        shown_place(self.rows, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::book::Commitment;
    use scrutineer_engine::event::{Event, PlayerEnrolled};

    fn state(divisions: &[Option<&str>]) -> Tournament {
        let player = |(number, division): (u32, &Option<&str>)| -> Event {
            let division = division.map(str::to_string);
            let name = Commitment { number, digest: [0; 32] };
            PlayerEnrolled { division, ..PlayerEnrolled::new(number, name) }.into()
        };
        let events: Vec<Event> = (1..).zip(divisions).map(player).collect();
        Tournament::of(&events)
    }

    #[test]
    fn divisions_are_named_once_in_order_and_nobody_without_one_counts() {
        let state = state(&[Some("senior"), None, Some("junior"), Some("senior")]);
        assert_eq!(divisions(&state), ["junior", "senior"]);
    }

    #[test]
    fn a_division_is_found_in_whichever_case_and_as_it_is_written_first() {
        let state = state(&[Some("Senior"), Some("senior"), Some("Júnior")]);
        assert_eq!(find_division(&state, "senior"), Some("senior"));
        assert_eq!(find_division(&state, "SENIOR"), Some("Senior"));
        assert_eq!(find_division(&state, "júnior"), Some("Júnior"));
        assert_eq!(find_division(&state, "master"), None);
    }

    #[test]
    fn a_slip_of_the_hand_is_told_from_another_division() {
        let nearly = |one: &str, other: &str| {
            let found = mistyped([one], other);
            assert_eq!(found.is_some(), mistyped([other], one).is_some(), "{one}, {other}");
            found.is_some()
        };
        for (one, other) in [
            ("junior", "junoir"),
            ("Junior", "juniors"),
            ("Senior men", "senior  mens"),
            ("Masters", "Msaters"),
            ("Juniores", "Juniorse"),
        ] {
            let is_word = !one.contains("men");
            assert_eq!(nearly(one, other), is_word, "{one}, {other}");
        }
        for (one, other) in [
            ("junior", "senior"),
            ("U12", "U14"),
            ("Under12", "Under14"),
            ("A", "B"),
            ("Group A", "Group B"),
            ("men", "women"),
            ("Open", "Open A"),
            ("junior", "Junior"),
            ("boys U10", "boys U12"),
        ] {
            assert!(!nearly(one, other), "{one}, {other}");
        }
    }
}

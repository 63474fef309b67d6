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
}

//! Matches and byes that a file lists with the number of their round.

use super::build::Oddities;
use super::source::{SourceBye, SourceRound, SourceSeat, SourceTable};
use super::{Fault, ImportError, limits};
use scrutineer_engine::event::{ByeKind, MatchResult, RoundWeight};
use std::collections::BTreeSet;

/// The rounds collected so far.
#[derive(Default)]
pub(super) struct ByRound {
    rounds: Vec<SourceRound>,
    /// Numbers of tables that have a match, with their round.
    taken: BTreeSet<(usize, u32)>,
}

impl ByRound {
    /// The round of a number as it stands in the file, from 1.
    fn round(&mut self, number: i64, place: &str) -> Result<&mut SourceRound, ImportError> {
        let most = limits::ROUNDS as i64;
        let at = usize::try_from(number - 1).ok().filter(|at| *at < limits::ROUNDS);
        let at = at.ok_or_else(|| {
            let (what, found) = ("the number of the round".to_owned(), number.to_string());
            Fault::OutOfBounds { what, found, min: 1, max: most }.at(place)
        })?;
        while self.rounds.len() <= at {
            self.rounds.push(SourceRound {
                name: format!("Round {}", self.rounds.len() + 1),
                weight: RoundWeight::ONE,
                tables: Vec::new(),
                byes: Vec::new(),
            });
        }
        let round = &mut self.rounds[at];
        if round.tables.len() + round.byes.len() >= limits::TABLES {
            return Err(Fault::TooMany { what: "matches", limit: limits::TABLES }.at(place));
        }
        Ok(round)
    }

    /// Adds a match; the first seat is white's.
    pub fn game(
        &mut self,
        round: i64,
        table: Option<u32>,
        players: [usize; 2],
        (result, place): (MatchResult, String),
        oddities: &mut Oddities,
    ) -> Result<(), ImportError> {
        self.round(round, &place)?;
        let table = table.filter(|table| *table > 0);
        let is_free = |table: &u32| self.taken.insert((round as usize, *table));
        let own = table.filter(is_free);
        if own != table {
            oddities
                .add(&place, "The table's number stands at another match of the round already.");
        }
        let seats = players.map(|player| SourceSeat { player, role: 0 }).to_vec();
        let table = SourceTable { table: own, seats, result, place };
        self.round(round, &table.place.clone())?.tables.push(table);
        Ok(())
    }

    /// Adds a player without an opponent.
    pub fn bye(
        &mut self,
        round: i64,
        player: usize,
        kind: ByeKind,
        place: String,
    ) -> Result<(), ImportError> {
        self.round(round, &place)?.byes.push(SourceBye { player, kind, reported: None, place });
        Ok(())
    }

    /// All rounds, and whether a match of one has no result.
    pub fn finish(self) -> (Vec<SourceRound>, bool) {
        let mut tables = self.rounds.iter().flat_map(|round| &round.tables);
        let is_open = tables.any(|table| !table.has_result());
        (self.rounds, is_open)
    }
}

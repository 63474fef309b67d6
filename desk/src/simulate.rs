//! Simulated tournaments: invented players, results by strength, and everything that goes wrong
//! at a real tournament. They are played through the [desk](crate::desk) with the very commands of a
//! handler, so that what comes out is a real log. The same [`Simulation`] writes the same
//! bytes on every machine.

mod bracket;
mod counts;
mod field;
mod hall;
mod many;
mod mishaps;
mod results;
mod slip;
mod supply;
#[cfg(test)]
mod tests;

pub use counts::{Counts, Simulated, Standing};
pub use field::Person;
pub use many::{AtCut, Format, play_into, play_many, store_of};

use crate::desk::{Desk, DeskError, Means, Opening};
use crate::store::{Store, StoreError};
use hall::Hall;
use scrutineer_engine::event::{PhaseKind, PlannedPhase};
use scrutineer_engine::record::{Actor, StreamId};
use scrutineer_pairing::robin;
use scrutineer_projections::ruleset::Ruleset;
use std::sync::Arc;
use supply::Supply;

/// The most players of a simulated event.
pub const MAX_PLAYERS: u32 = 100_000;

/// The most rounds of a phase in which nobody is knocked out.
pub const MAX_ROUNDS: u16 = 200;

/// How often things happen, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// A player leaves after a round.
    pub drops: u32,
    /// A player does not appear at their table.
    pub no_shows: u32,
    /// Somebody who left comes back before the next round.
    pub returns: u32,
    /// An entrant comes after round one.
    pub late: u32,
    /// A result is entered the wrong way round, and corrected now or a round later.
    pub wrong: u32,
    /// A player is penalised in a round.
    pub penalties: u32,
    /// A match is drawn because time runs out.
    pub draws: u32,
    /// Two players agree on a draw, in the last round before a cut.
    pub agreed: u32,
    /// A round is repaired, or drawn anew, before it is published.
    pub repairs: u32,
    /// An entrant brings byes.
    pub byes: u32,
    /// Somebody who makes the cut declines.
    pub declines: u32,
}

impl Rates {
    /// Nothing goes wrong, and nothing is drawn.
    pub const NONE: Rates = Rates {
        drops: 0,
        no_shows: 0,
        returns: 0,
        late: 0,
        wrong: 0,
        penalties: 0,
        draws: 0,
        agreed: 0,
        repairs: 0,
        byes: 0,
        declines: 0,
    };
}

impl Default for Rates {
    /// About what a large event sees.
    fn default() -> Rates {
        Rates {
            drops: 20,
            no_shows: 4,
            returns: 50,
            late: 20,
            wrong: 15,
            penalties: 5,
            draws: 50,
            agreed: 0,
            repairs: 100,
            byes: 20,
            declines: 10,
        }
    }
}

/// A tournament to be played.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How many enter, those who come late included.
    pub players: u32,
    /// How the first phase is played.
    pub kind: PhaseKind,
    /// Its rounds; none: as the ruleset suggests for so many players, or as many as it takes to
    /// leave one undefeated.
    pub rounds: Option<u16>,
    /// The ruleset.
    pub rules: Arc<Ruleset>,
    /// Everything that is left to chance comes from this.
    pub seed: u64,
    /// How many make the cut; none: there is none.
    pub cut: Option<u32>,
    /// How the phase after the cut is played.
    pub cut_kind: PhaseKind,
    /// Best of how many games, where games count.
    pub best_of: u8,
    /// How often things go wrong.
    pub rates: Rates,
}

scrutineer_engine::errors! {
    /// Why a tournament cannot be simulated.
    pub enum SimulateError -> Option<&'static str> {
        /// Nobody to play with.
        Players { players: u32 } = invalid "simulated-players",
            "{players} players: a tournament is simulated with 2 to {MAX_PLAYERS}",
            Some("choose another --players");
        /// No rounds, or too many.
        Rounds { rounds: u32 } = invalid "simulated-rounds",
            "{rounds} rounds: a phase is simulated with 1 to {MAX_ROUNDS}",
            Some("choose another --rounds");
        /// The cut is none.
        Cut { cut: u32, players: u32 } = invalid "simulated-cut", "a cut to {cut} of {players} players",
            Some("a cut is 2 players or more, and not more than play");
        /// It has been played in this store.
        Known(StreamId) = conflict "simulated-before", "this very tournament is in the store already",
            Some("choose another --seed, or another store");
        /// The desk could not do it.
        Desk(#[from] DeskError) => (error) error.code(), "{0}", error.hint();
    }
}

impl From<StoreError> for SimulateError {
    fn from(error: StoreError) -> SimulateError {
        SimulateError::Desk(error.into())
    }
}

/// How the title of an invented event begins.
const TITLE: &str = "Simulated tournament, seed ";

/// Whether an event of this title was invented here.
pub fn is_invented(title: &str) -> bool {
    title.starts_with(TITLE)
}

impl Simulation {
    /// A Swiss tournament without a cut.
    pub fn new(players: u32, rules: Arc<Ruleset>, seed: u64) -> Simulation {
        Simulation {
            players,
            kind: PhaseKind::Swiss,
            rounds: None,
            rules,
            seed,
            cut: None,
            cut_kind: PhaseKind::Elimination,
            best_of: 3,
            rates: Rates::default(),
        }
    }

    /// The event's title.
    pub fn title(&self) -> String {
        format!("{TITLE}{}", self.seed)
    }

    /// The event's id.
    pub fn stream(&self) -> StreamId {
        Supply::of(self).stream()
    }

    /// How many rounds the first phase has; none: until one is left.
    pub fn rounds(&self) -> Option<u16> {
        match self.kind {
            PhaseKind::Elimination | PhaseKind::DoubleElimination => None,
            PhaseKind::RoundRobin => {
                let cycle = robin::rounds(self.players);
                Some(self.rounds.unwrap_or(u16::try_from(cycle).unwrap_or(u16::MAX)))
            }
            PhaseKind::Swiss | PhaseKind::Pods => {
                let mut rows = self.rules.attendance.iter();
                let row = rows.find(|row| row.up_to.is_none_or(|up_to| self.players <= up_to));
                let usual = row.map(|row| row.rounds).filter(|&rounds| rounds > 0);
                let enough = self.players.next_power_of_two().trailing_zeros().max(1) as u16;
                Some(self.rounds.or(usual).unwrap_or(enough))
            }
        }
    }

    /// Plays it in a store.
    ///
    /// # Errors
    /// Where there are too few or too many players or rounds, it is there already, or the store
    /// cannot be written.
    pub fn play(&self, store: &Store) -> Result<Simulated, SimulateError> {
        self.check()?;
        let supply = Supply::of(self);
        let stream = supply.stream();
        if store.log().head(stream).map_err(StoreError::from)?.seq > 0 {
            return Err(SimulateError::Known(stream));
        }
        let clock = || supply.time();
        let random = || Ok(supply.bytes());
        let means = Means { actor: Actor(0), clock: &clock, random: &random };
        let desk = Desk::open(store, means, &self.opening())?;
        let mut hall = Hall::new(self, desk, &supply);
        hall.play()?;
        hall.simulated()
    }

    /// Whether it can be played, so far as its numbers say.
    ///
    /// # Errors
    /// Where there are too few or too many players or rounds.
    pub fn check(&self) -> Result<(), SimulateError> {
        let players = self.players;
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(SimulateError::Players { players });
        }
        if let Some(rounds) = self.rounds().filter(|n| !(1..=MAX_ROUNDS).contains(n)) {
            return Err(SimulateError::Rounds { rounds: rounds.into() });
        }
        match self.cut.filter(|cut| !(2..=players).contains(cut)) {
            Some(cut) => Err(SimulateError::Cut { cut, players }),
            None => Ok(()),
        }
    }

    fn opening(&self) -> Opening {
        let phase =
            |kind, rounds, players| PlannedPhase { kind, rounds, players, scoresheet: None };
        let first = phase(self.kind, self.rounds(), None);
        let after = self.cut.map(|cut| phase(self.cut_kind, None, Some(cut)));
        Opening {
            title: self.title(),
            held_on: None,
            ruleset: self.rules.files.clone(),
            scoresheet: Opening::scoresheet_for(&self.rules, self.best_of),
            plan: std::iter::once(first).chain(after).collect(),
            signer: None,
        }
    }
}

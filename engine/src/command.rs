//! What a scorekeeper asks for. A command speaks of rounds and tables; `decide` turns it into the
//! events that refer to each other by seq.

use crate::book::Commitment;
use crate::event::{
    ByeGiven, Event, MatchResult, PairingMade, PlayerEnrolled, PlayerNumber, RoundNumber,
    RoundOpened, Seq,
};

/// A request to record something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Records facts just as they are, one or many, in order. This is how files come in and how
    /// everything is asked for that needs no translation.
    Record(Vec<Event>),
    /// Enrols players; their numbers are the next free ones.
    Enrol(Vec<PlayerEnrolled>),
    /// Opens a round with its pairings and byes.
    OpenRound {
        /// The round.
        round: RoundOpened,
        /// Its tables.
        pairings: Vec<PairingMade>,
        /// Its byes.
        byes: Vec<ByeGiven>,
    },
    /// Records the result of a table.
    Result {
        /// The round.
        round: RoundNumber,
        /// The table.
        table: u32,
        /// How it came out.
        result: MatchResult,
    },
    /// Corrects the result of a table, whichever stands now.
    Correct {
        /// The round.
        round: RoundNumber,
        /// The table.
        table: u32,
        /// How it really came out.
        result: MatchResult,
        /// Why.
        reason: Commitment,
        /// The dispute that led to it.
        dispute: Option<Seq>,
    },
    /// Lets a player go on by ruling.
    Advance {
        /// The round.
        round: RoundNumber,
        /// The table.
        table: u32,
        /// Who.
        player: PlayerNumber,
        /// Why.
        reason: Commitment,
    },
    /// Completes the round that is running.
    CompleteRound,
}

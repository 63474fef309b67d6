//! Rounds: their tables, and the results.

use super::{Player, Problem};
use crate::desk::{Entered, write_slip};
use serde::Serialize;
use utoipa::ToSchema;

/// The tables of the hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TablesAnswer {
    /// `tables`.
    pub verb: &'static str,
    /// Tables and ranges of tables, in the order in which they are filled; none: 1, 2, 3 and so on.
    pub ranges: Vec<String>,
}

/// A round that was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PairAnswer {
    /// `pair`.
    pub verb: &'static str,
    /// Its number.
    pub round: u16,
    /// What it is called, in a bracket, such as `semi-final`.
    pub called: Option<String>,
    /// Its tables.
    pub tables: Vec<RoundTable>,
    /// Its byes.
    pub byes: Vec<RoundBye>,
    /// Whether each division was paired by itself.
    pub apart: bool,
    /// The method of pairing.
    pub method: String,
    /// The version of the method.
    pub version: u16,
    /// The pairing engine of somebody else that paired it, with its version; null where none did.
    pub engine: Option<String>,
    /// The number of the seed.
    pub seed_number: Option<u32>,
    /// The seed that was revealed for it, in hexadecimal digits.
    pub seed: Option<String>,
}

/// The tables of a round and the results so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PairingsAnswer {
    /// `pairings`.
    pub verb: &'static str,
    /// The number of the round.
    pub round: u16,
    /// What it is called, in a bracket, such as `semi-final`.
    pub called: Option<String>,
    /// How it stands, in words.
    pub status: String,
    /// The pairing engine of somebody else that paired it, with its version; null where none did.
    pub engine: Option<String>,
    /// How many results are missing.
    pub missing: u32,
    /// Whether players can see it.
    pub published: bool,
    /// Whether it is over.
    pub completed: bool,
    /// Its tables.
    pub tables: Vec<RoundTable>,
    /// Its byes.
    pub byes: Vec<RoundBye>,
    /// Who takes part and has neither a table nor a bye.
    pub unpaired: Vec<Unseated>,
}

/// A table of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RoundTable {
    /// Its number.
    pub table: u32,
    /// Its players, in the order of the seats.
    pub players: Vec<Seated>,
    /// Its result, as on a slip; null as long as it has none.
    pub result: Option<String>,
    /// What is unusual about it; empty where nothing is.
    pub remark: String,
    /// Who goes on by ruling; left out where nobody does.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advanced: Option<Player>,
}

/// What a player reports of their match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClaimAnswer {
    /// `claim`.
    pub verb: &'static str,
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u32,
    /// Who reports it.
    pub player: Player,
    /// The players of the match, in the order of the seats.
    pub players: Vec<Player>,
    /// What they report, as on a slip, in the order of the seats.
    pub score: String,
    /// Whether both report the same; null where one of them has not reported.
    pub agrees: Option<bool>,
    /// The result that stands; null where there is none.
    pub result: Option<String>,
}

/// How a match stands that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoteScoreAnswer {
    /// `note-score`.
    pub verb: &'static str,
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u32,
    /// The players of the match, in the order of the seats.
    pub players: Vec<Player>,
    /// The score so far, as on a slip.
    pub score: String,
}

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Seated {
    /// The player.
    #[serde(flatten)]
    pub player: Player,
    /// Their points before the round, by what was known when it was paired; empty where they are hidden.
    pub points: String,
}

/// A bye of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RoundBye {
    /// Who has it.
    #[serde(flatten)]
    pub player: Player,
    /// What kind of bye it is.
    pub kind: String,
}

/// A player without a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Unseated {
    /// The player.
    #[serde(flatten)]
    pub player: Player,
    /// The round from which they take part.
    pub from_round: u16,
}

/// A round whose pairings players can see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublishAnswer {
    /// `publish`.
    pub verb: &'static str,
    /// The number of the round.
    pub round: u16,
}

/// Tables of a round that were changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RepairAnswer {
    /// `repair` or `set-pairing`.
    pub verb: &'static str,
    /// Who is out.
    pub out: Vec<Player>,
    /// The tables that were made.
    pub tables: Vec<NewTable>,
    /// Who has a bye now that they did not have.
    pub byes: Vec<Player>,
    /// Who sits somewhere else now.
    pub moved: Vec<Moved>,
    /// Who takes part and has neither a table nor a bye now.
    pub unpaired: Vec<Player>,
}

/// A table that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NewTable {
    /// Its number.
    pub table: u32,
    /// Its players, in the order of the seats.
    pub players: Vec<Player>,
}

/// A player who sits somewhere else now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Moved {
    /// The player.
    #[serde(flatten)]
    pub player: Player,
    /// The table at which they sat; null where they had the bye.
    pub from_table: Option<u32>,
}

/// A result that was entered or corrected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ResultAnswer {
    /// `result` or `correct`.
    pub verb: &'static str,
    /// The number of the round.
    pub round: u16,
    /// The number of the table.
    pub table: u32,
    /// Its players, in the order of the seats.
    pub players: Vec<Player>,
    /// The result, as on a slip.
    pub result: String,
    /// Whether the score was turned round into the order of the seats.
    pub turned: bool,
    /// The events of the penalties that are served in this match.
    pub penalties_served: Vec<u64>,
    /// How many results of the round are missing.
    pub missing: u32,
}

impl ResultAnswer {
    /// The answer to a slip of these players.
    pub fn new(verb: &'static str, players: Vec<Player>, entered: &Entered) -> ResultAnswer {
        ResultAnswer {
            verb,
            round: entered.round,
            table: entered.table,
            players,
            result: write_slip(&entered.result),
            turned: entered.turned,
            penalties_served: entered.served.iter().map(|penalty| penalty.seq).collect(),
            missing: entered.missing,
        }
    }
}

/// A line of a stack of slips that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RefusedSlip {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line.
    pub slip: String,
    /// Why it was refused.
    pub error: Problem,
}

/// The end of a stack of slips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StackAnswer {
    /// How many were entered.
    pub entered: usize,
    /// How many were refused.
    pub refused: usize,
    /// How many results of the round are missing; null where no round is played.
    pub missing: Option<u32>,
}

/// A player who goes on by ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AdvanceAnswer {
    /// `advance`.
    pub verb: &'static str,
    /// The number of the table.
    pub table: u32,
    /// The player.
    pub player: Player,
}

//! Players: who takes part, and what becomes of them.

use super::{Player, Record};
use serde::Serialize;
use utoipa::ToSchema;

/// Players who were enrolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EnrollAnswer {
    /// `enroll` or `late`.
    pub verb: &'static str,
    /// The players.
    pub players: Vec<Player>,
    /// Who of the list was enrolled already, and is left as they were.
    pub already: Vec<Player>,
    /// The round from which they take part.
    pub from_round: u16,
}

/// The roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayersAnswer {
    /// `players`.
    pub verb: &'static str,
    /// The players, by number.
    pub players: Vec<RosterRow>,
}

/// A player of the roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RosterRow {
    /// The player.
    #[serde(flatten)]
    pub player: Player,
    /// Their rating, where it is known.
    pub rating: Option<i32>,
    /// Their division, where they have one.
    pub division: Option<String>,
    /// Their title, where they have one.
    pub title: Option<String>,
    /// Their federation, where it is known.
    pub federation: Option<String>,
    /// The table that they keep, where they keep one.
    pub keeps_table: Option<u32>,
    /// How many byes were awarded to them.
    pub byes: u8,
    /// The byes that they asked for in rounds that are not paired yet.
    pub byes_requested: Vec<ByeToCome>,
    /// The round from which they take part.
    pub from_round: u16,
    /// Their matches won, lost and drawn; null where they cannot be counted.
    pub record: Option<Record>,
    /// Why they left; null where they have not.
    pub dropped: Option<String>,
    /// The last round before they left.
    pub after_round: Option<u16>,
    /// Whether they have checked in.
    pub checked_in: bool,
    /// Whether the round that is played has neither a table nor a bye for them.
    pub without_table: bool,
}

/// A bye in a round that is not paired yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ByeToCome {
    /// The round.
    pub round: u16,
    /// What kind of bye, such as `half bye`.
    pub kind: String,
}

/// A player who is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CheckInAnswer {
    /// `check-in`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// How many take part in the next round and have not checked in.
    pub missing: u32,
}

/// A number of the staff with another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NameStaffAnswer {
    /// `name-staff`.
    pub verb: &'static str,
    /// The number.
    pub actor: u32,
    /// The name from now on.
    pub name: String,
}

/// A player who left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DropAnswer {
    /// `drop` or `disqualify`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// The last round before they left.
    pub after_round: Option<u16>,
    /// Whether they lost the match that they were in.
    pub match_lost: bool,
}

/// A player with another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RenameAnswer {
    /// `rename`.
    pub verb: &'static str,
    /// The player, by their new name.
    pub player: Player,
    /// Their name before.
    pub was: String,
}

/// A player with another division.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SetDivisionAnswer {
    /// `set-division`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// Their division before.
    pub was: Option<String>,
    /// Their division from now on.
    pub division: Option<String>,
}

/// A player with another title, federation, rating or id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DescribeAnswer {
    /// `describe`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// Their title from now on.
    pub title: Option<String>,
    /// Their federation from now on.
    pub federation: Option<String>,
    /// Their rating from now on.
    pub rating: Option<i32>,
    /// Their id with the publisher from now on.
    pub id: Option<String>,
}

/// A player who keeps a table, or no longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct KeepTableAnswer {
    /// `keep-table`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// The table at which they sit whenever they are paired; null: any one.
    pub table: Option<u32>,
}

/// A player who has a bye in a round to come, or plays in it after all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ByeAnswer {
    /// `bye`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// The round.
    pub round: u16,
    /// What kind of bye, such as `half bye`; null: they play.
    pub kind: Option<String>,
}

/// A player who is back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReinstateAnswer {
    /// `reinstate`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// The round from which they are back; null where it is as if they had never left.
    pub from_round: Option<u16>,
}

/// A player with a penalty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PenaltyAnswer {
    /// `penalty`.
    pub verb: &'static str,
    /// The player.
    pub player: Player,
    /// The penalty.
    pub penalty: String,
    /// The table at which they serve it now; null where it waits or is a warning.
    pub table: Option<u32>,
}

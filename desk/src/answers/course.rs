//! The course of a tournament: opened, cut, announced, closed; and what is said about its log.

use super::Player;
use serde::Serialize;
use utoipa::ToSchema;

/// A tournament that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NewAnswer {
    /// `new`.
    pub verb: &'static str,
    /// Its title.
    pub title: String,
    /// The id of its ruleset.
    pub rules: String,
    /// What a slip holds, in words.
    pub slip: String,
    /// Its phases, in words.
    pub phases: String,
    /// The pairing commitment, in hexadecimal digits.
    pub seed_commitment: String,
}

/// A phase that began with a cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CutAnswer {
    /// `cut`.
    pub verb: &'static str,
    /// The number of the phase.
    pub phase: u16,
    /// Its kind.
    pub kind: String,
    /// Who is in it, by seed.
    pub entrants: Vec<Player>,
    /// Who declined.
    pub passed_over: Vec<Player>,
}

/// Lots that were drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LotsAnswer {
    /// `lots`.
    pub verb: &'static str,
    /// The players, best lot first.
    pub order: Vec<Player>,
}

/// Standings that were announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AnnounceAnswer {
    /// `announce`.
    pub verb: &'static str,
    /// The last round that counts in them.
    pub through: u16,
    /// The hash of the table, in hexadecimal digits.
    pub table_hash: String,
    /// How many tables of these rounds have no result.
    pub open_tables: u32,
}

/// A tournament that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CloseAnswer {
    /// `close`.
    pub verb: &'static str,
    /// How many rounds it had.
    pub rounds: u16,
    /// The first places.
    pub first: Vec<Ranked>,
}

/// A player and their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Ranked {
    /// The place.
    pub rank: u32,
    /// The player.
    pub player: Player,
}

/// A ruleset that is in force now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AmendRulesAnswer {
    /// `amend-rules`.
    pub verb: &'static str,
    /// The id of the ruleset before.
    pub before: String,
    /// The id of the ruleset now.
    pub rules: String,
}

/// A pairing commitment that replaces the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReseedAnswer {
    /// `reseed`.
    pub verb: &'static str,
    /// The pairing commitment, in hexadecimal digits.
    pub seed_commitment: String,
}

/// A tournament that was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RemoveAnswer {
    /// `remove`.
    pub verb: &'static str,
    /// Why.
    pub reason: String,
}

/// A note that was written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoteAnswer {
    /// `note`.
    pub verb: &'static str,
    /// The event that it is about, if any.
    pub about: Option<u64>,
}

/// An event of the log that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WithdrawAnswer {
    /// `withdraw`.
    pub verb: &'static str,
    /// The event.
    pub seq: u64,
    /// What it said.
    pub what: String,
}

/// A command that was undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UndoAnswer {
    /// `undo`.
    pub verb: &'static str,
    /// The first event of the command.
    pub undone_first: u64,
    /// Its last event.
    pub undone_last: u64,
    /// The events that were taken back.
    pub undone: Vec<Undone>,
    /// The events of the command that stay.
    pub stays: Vec<u64>,
}

/// An event that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Undone {
    /// The event.
    pub seq: u64,
    /// What it said.
    pub what: String,
}

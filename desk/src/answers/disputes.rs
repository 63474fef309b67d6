//! Disputes.

use super::{Changes, LogLine, Player, Problem, Record, ResultAnswer};
use serde::Serialize;
use utoipa::ToSchema;

/// A dispute that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeOpenAnswer {
    /// `dispute open`.
    pub verb: &'static str,
    /// Its number.
    pub dispute: u32,
    /// The match, in words.
    #[serde(rename = "where")]
    pub place: String,
}

/// A dispute that was ruled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeRuleAnswer {
    /// `dispute rule`.
    pub verb: &'static str,
    /// Its number.
    pub dispute: u32,
    /// Whether it is upheld.
    pub upheld: bool,
    /// The result as it was corrected, or recorded where there was none; left out where neither was.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<ResultAnswer>,
}

/// The disputes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputesAnswer {
    /// The disputes, in their order.
    pub disputes: Vec<DisputeRow>,
}

/// A dispute of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeRow {
    /// Its number.
    pub dispute: u32,
    /// The event that opened it.
    pub seq: u64,
    /// How it stands.
    pub state: &'static str,
    /// The match, in words.
    #[serde(rename = "where")]
    pub place: String,
    /// When it was opened, in UTC.
    pub opened: Option<String>,
    /// How many seconds ago it was opened.
    pub age_seconds: Option<i64>,
    /// Who recorded it.
    pub recorded_by: Option<String>,
    /// Who disputes.
    pub by: Option<Player>,
    /// What is claimed.
    pub claim: String,
    /// The event that ruled it.
    pub ruled_in: Option<u64>,
    /// Whether it is upheld, and its result stands uncorrected.
    pub uncorrected: bool,
    /// The events that corrected its result.
    pub corrected_in: Vec<u64>,
}

/// All that a head judge needs for a dispute.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DisputeFileAnswer {
    /// Its number.
    pub dispute: u32,
    /// The event that opened it.
    pub seq: u64,
    /// How it stands.
    pub state: &'static str,
    /// When it was opened, in UTC.
    pub opened: Option<String>,
    /// Who disputes.
    pub by: Option<Player>,
    /// What is claimed.
    pub claim: String,
    /// The ruling, where there is one.
    pub ruling: Option<DisputeRuling>,
    /// The events that corrected its result.
    pub corrected_in: Vec<u64>,
    /// The number of the round.
    pub round: u16,
    /// The number of the table.
    pub table: Option<u32>,
    /// The players of the match, in the order of the seats.
    pub players: Vec<Player>,
    /// The result that stands, as on a slip.
    pub result: Option<String>,
    /// What each player reported last, in the order of the seats.
    pub claims: Vec<DisputeClaim>,
    /// Each slip that was typed, the first one first.
    pub slips: Vec<DisputeSlip>,
    /// As what the next round took the players; empty where it is not paired.
    pub next_round: Vec<DisputeNext>,
    /// What was done on the floor; null where nothing is known of it.
    pub floor: Option<DisputeFloor>,
    /// What happened at the table.
    pub events: Vec<LogLine>,
    /// The standings around the players, at each moment.
    pub standings: Vec<DisputeStandings>,
    /// What each other result would change.
    pub plausible: Vec<PlausibleResult>,
}

/// What a player reported of their match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeClaim {
    /// The player.
    pub player: Player,
    /// What they reported, as on a slip, in the order of the seats.
    pub score: String,
    /// The event.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// Who recorded it.
    pub by: String,
    /// On which device; null where that is not known.
    pub device: Option<String>,
}

/// What a player reported last of one of their matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reported {
    /// The event.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// The number of the round.
    pub round: u16,
    /// The number of the table.
    pub table: Option<u32>,
    /// The player.
    pub player: Player,
    /// What they reported, as on a slip, in the order of the seats.
    pub score: String,
    /// Whether they reported it on a device of their own, and nobody at the desk for them.
    pub own_device: bool,
    /// Whether both players report the same; null where one of them has not.
    pub agrees: Option<bool>,
    /// The result that stands, as on a slip.
    pub result: Option<String>,
}

/// A slip of a match as it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeSlip {
    /// The score, as on a slip.
    pub score: String,
    /// Whether it replaces the one before.
    pub corrected: bool,
    /// The event.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// Who typed it.
    pub by: String,
    /// What took it back; null where nothing did.
    pub undone: Option<DisputeUndone>,
}

/// How a slip was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeUndone {
    /// The event.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// By whom.
    pub by: String,
}

/// As what the next round took a player of the match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeNext {
    /// The player.
    pub player: Player,
    /// The round.
    pub round: u16,
    /// Their table; null where they have a bye.
    pub table: Option<u32>,
    /// Whom they meet.
    pub against: Vec<Player>,
    /// `winner`, `loser` or `drawn`, by the result that stood then; null where none did.
    pub paired_as: Option<&'static str>,
    /// Their matches won, lost and drawn then.
    pub record: Option<Record>,
}

/// What was done on the floor about a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeFloor {
    /// How many minutes more it had.
    pub extension: i32,
    /// What was done, in its order.
    pub done: Vec<DisputeFloorLine>,
}

/// Something that was done on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeFloorLine {
    /// When, in UTC.
    pub time: String,
    /// By whom; null where nobody said.
    pub by: Option<String>,
    /// What, in words.
    pub what: String,
}

/// The ruling of a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeRuling {
    /// Whether it is upheld.
    pub upheld: bool,
    /// Why.
    pub reason: String,
    /// The event.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// Who recorded it.
    pub by: String,
}

/// The standings around the players of a dispute, at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputeStandings {
    /// The moment: `paired`, `disputed` or `now`.
    pub when: &'static str,
    /// The last event that counts in them.
    pub seq: u64,
    /// The last round that counts in them.
    pub through: u16,
    /// The players of the match.
    pub players: Vec<DisputedPlace>,
    /// The places around them.
    pub around: Vec<PlaceAround>,
}

/// The place of a player of the match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DisputedPlace {
    /// The player.
    pub player: Player,
    /// Their place; null where they had none.
    pub rank: Option<u32>,
    /// Their matches won, lost and drawn.
    pub record: Option<Record>,
}

/// A place around those of the match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlaceAround {
    /// The place.
    pub rank: u32,
    /// The player.
    pub player: Player,
    /// Their matches won, lost and drawn.
    pub record: Record,
}

/// Another result of the match, and what it would change.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlausibleResult {
    /// Who wins; null for a draw.
    pub winner: Option<Player>,
    /// The result, as on a slip.
    pub slip: String,
    /// Whether it is the result that stands.
    pub stands: bool,
    /// What it would change; null where it stands or would be refused.
    pub what_if: Option<Changes>,
    /// Why it would be refused; null where it would not.
    pub error: Option<Problem>,
}

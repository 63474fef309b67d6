//! What was put right, ruled and signed in all tournaments.

use super::{Player, TournamentName};
use scrutineer_replay::verify::Finding;
use serde::Serialize;
use utoipa::ToSchema;

/// What a publisher looks at, over all tournaments of a store.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ReviewAnswer {
    /// In how many tournaments it was looked for.
    pub tournaments: u64,
    /// How many of them are verified as they are.
    pub verified: u64,
    /// What was recorded, the newest first.
    pub changes: Vec<ReviewRow>,
    /// What verification found.
    pub findings: Vec<ReviewFinding>,
    /// Tournaments that could not be read.
    pub not_read: Vec<ReviewNotRead>,
    /// What `before` takes to go on behind the last row; null where that was all.
    pub next: Option<String>,
}

/// An event that a publisher looks at.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewRow {
    /// Where it stands.
    pub tournament: TournamentName,
    /// The number of the event.
    pub seq: u64,
    /// When it was recorded, in UTC.
    pub time: String,
    /// Who recorded it.
    pub by: String,
    /// What it is: `correction`, `dispute`, `penalty`, `rules`, `key` or `forgotten`.
    pub what: String,
    /// Its kind in words.
    pub kind: String,
    /// What happened, and why.
    pub sentence: String,
    /// What it took back, in its own sentence; null where it took nothing back.
    pub was: Option<String>,
    /// The event that took it back; null where it stands.
    pub undone_in: Option<u64>,
    /// Who moved through it, the largest move first; null where it moves nobody by itself, or nothing
    /// could be ranked.
    pub moves: Option<Vec<ReviewMove>>,
}

/// A player with their place before and after.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewMove {
    /// Who.
    pub player: Player,
    /// Their place before.
    pub before: u32,
    /// Their place after.
    pub after: u32,
}

/// What verification found in a tournament.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewFinding {
    /// In which.
    pub tournament: TournamentName,
    /// The event; 0: the whole log.
    pub seq: u64,
    /// How bad it is: `note`, `not checked` or `error`.
    pub severity: String,
    /// Its code.
    pub code: String,
    /// What was found.
    pub sentence: String,
}

impl ReviewFinding {
    /// A finding of a tournament.
    pub fn of(tournament: TournamentName, finding: &Finding) -> ReviewFinding {
        ReviewFinding {
            tournament,
            seq: finding.seq,
            severity: finding.severity.word().into(),
            code: finding.code.into(),
            sentence: finding.sentence.clone(),
        }
    }
}

/// A tournament that could not be read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewNotRead {
    /// Which.
    pub tournament: TournamentName,
    /// The code.
    pub code: String,
    /// Why.
    pub message: String,
}

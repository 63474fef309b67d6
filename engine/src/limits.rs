//! How much a tournament holds. Real ones stay far below; what goes beyond is refused, so that no
//! file and no slip of the finger makes a log that nobody can fold.
//!
//! `docs/LIMITS.md` lists these beside every other limit, with the reasons.

use crate::event::MAX_PLACE;
use crate::rejection::Rejection;
use crate::seed;

/// Players of a tournament, those included whose enrollment was taken back.
pub const PLAYERS: u32 = 100_000;

/// Rounds of a tournament, those included that were voided: the chain of seeds serves no more.
pub const ROUNDS: u16 = (seed::DRAWS / 2 - 1) as u16;

/// Phases of a tournament, those included that were taken back; and phases of a plan.
pub const PHASES: u16 = 100;

/// Events in the stream of a tournament: 100,000 players and 64 rounds are 6.5 million.
pub const EVENTS: u64 = 1 << 24;

/// Seats at a table: no higher place than the last of them can be ruled.
pub const SEATS: usize = MAX_PLACE as usize;

/// The highest number of a table.
pub const TABLE: u32 = 1_000_000;

/// Members of a team.
pub const MEMBERS: usize = 100;

/// Texts that one event says were forgotten; more of them take several events.
pub const FORGOTTEN: usize = 1_000;

/// Divisions that are named where some are paired as one.
pub const MERGED: usize = 100;

/// Ranges in which the tables of a hall are set.
pub const TABLE_RANGES: usize = 100;

/// Divisions that have a number of rounds of their own.
pub const DIVISIONS: usize = 100;

/// Lines of a scoresheet.
pub const SCORE_LINES: usize = 16;

/// Bytes of the name of a line of a scoresheet.
pub const LINE_NAME: usize = 32;

/// How far from zero a score may lie: the difference of two still is a number of 32 bits.
pub const SCORE: i32 = 1_000_000_000;

/// Bytes of public dice.
pub const DICE: usize = 1_000;

/// Bytes of a pairing engine's answer: a field of 9,999 players takes 50,000.
pub const ENGINE_ANSWER: usize = 50 * 1024;

/// Refuses what would be more than `limit`.
pub(crate) fn at_most(what: &'static str, count: u64, limit: u64) -> Result<(), Rejection> {
    match count <= limit {
        true => Ok(()),
        false => Err(Rejection::TooMany { what, limit }),
    }
}

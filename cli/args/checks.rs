//! The words of what is checked: the log, pairings, snapshots.

use super::{Known, When, Which};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Check the log.
#[derive(ClapArgs, Debug)]
pub struct Verify {
    /// Compare with this checkpoint, which somebody holds: its file, or '118 3f2a …' from a sheet;
    /// once for each
    #[arg(long = "known", value_name = "CHECKPOINT")]
    pub held: Vec<PathBuf>,
    /// Ask this pairing engine again about the rounds that it paired, as in `pair --engine`
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// How long that program may take for a round; otherwise 120
    #[arg(long, value_name = "SECONDS", requires = "engine")]
    pub engine_seconds: Option<u32>,
    /// When
    #[command(flatten)]
    pub known: Known,
    /// The tournament; otherwise the whole store
    #[command(flatten)]
    pub which: Which,
}

/// Pair rounds again.
#[derive(ClapArgs, Debug)]
pub struct CheckPairing {
    /// Show this round table by table
    #[arg(long, value_name = "ROUND")]
    pub round: Option<u16>,
    /// When
    #[command(flatten)]
    pub when: When,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Say why these players were paired.
#[derive(ClapArgs, Debug)]
pub struct ExplainPairing {
    /// The table's number, or a player
    pub table: String,
    /// The round; otherwise the last one
    #[arg(long, value_name = "ROUND")]
    pub round: Option<u16>,
    /// When
    #[command(flatten)]
    pub when: When,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Snapshots of a tournament's state.
#[derive(ClapArgs, Debug)]
pub struct Snapshots {
    /// Fold every event anew and compare
    #[arg(long)]
    pub check: bool,
    /// Take one now
    #[arg(long, conflicts_with = "drop")]
    pub take: bool,
    /// Remove them; nothing changes but time
    #[arg(long, conflicts_with = "check")]
    pub drop: bool,
    /// The tournament; otherwise all of the store
    #[command(flatten)]
    pub which: Which,
}

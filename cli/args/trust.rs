//! The words for keys, checkpoints and receipts.

use super::Which;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

/// What others can check a log by.
#[derive(Subcommand, Debug)]
pub enum Trust {
    /// Print the signed checkpoint of the log as it stands
    Checkpoint(Checkpoint),
    /// Make, list, change and retire signing keys
    #[command(subcommand)]
    Keys(Keys),
    /// Write a receipt for a player or a table
    Prove(Prove),
    /// Check a receipt; no store is needed
    CheckReceipt(CheckReceipt),
}

/// Print the signed checkpoint.
#[derive(ClapArgs, Debug)]
pub struct Checkpoint {
    /// Show that the log extends this checkpoint, which somebody holds: its file, or '118 3f2a …'
    /// from a sheet; once for each
    #[arg(long, value_name = "CHECKPOINT", conflicts_with_all = ["qr", "restored"])]
    pub extends: Vec<PathBuf>,
    /// Print it as a QR code too
    #[arg(long)]
    pub qr: bool,
    /// Write it to this file; with --extends the proof
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Say that the store was restored from a copy which lacks records that were signed
    #[arg(long, requires = "reason")]
    pub restored: bool,
    /// The last checkpoint that was handed out before, where the store does not have it either
    #[arg(long, value_name = "FILE", requires = "restored")]
    pub known: Option<PathBuf>,
    /// Why a copy was restored
    #[arg(long, requires = "restored")]
    pub reason: Option<String>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Make, list, change and retire keys.
#[derive(Subcommand, Debug)]
pub enum Keys {
    /// Make your first key; with --tournament name it as the signer of a tournament that has none
    New {
        /// The tournament
        #[command(flatten)]
        which: Which,
    },
    /// List your keys, and the tournaments that they sign
    #[command(visible_alias = "list")]
    Show,
    /// Make another key, and let it sign every open tournament from here on
    Rotate {
        /// Why
        #[arg(long)]
        reason: String,
        /// The tournament
        #[command(flatten)]
        which: Which,
    },
    /// Say that a key was stolen: what it signs from here on is not to be trusted
    Retire {
        /// The key, by its 20 or 64 digits
        key: String,
        /// Why
        #[arg(long)]
        reason: String,
        /// Its checkpoints up to so many records hold; otherwise those that are kept in the store
        #[arg(long, value_name = "RECORDS")]
        after: Option<u64>,
        /// The tournament
        #[command(flatten)]
        which: Which,
    },
}

/// Write a receipt.
#[derive(ClapArgs, Debug)]
pub struct Prove {
    /// A player, or a table's number
    #[arg(required_unless_present = "seq")]
    pub what: Option<String>,
    /// An event of the log, by its number
    #[arg(long, conflicts_with = "what")]
    pub seq: Option<u64>,
    /// Only this round; for a table otherwise the last one
    #[arg(long, value_name = "ROUND")]
    pub round: Option<u16>,
    /// Show too that the log extends this checkpoint, which somebody holds: its file, or
    /// '118 3f2a …' from a sheet
    #[arg(long, value_name = "CHECKPOINT")]
    pub extends: Option<PathBuf>,
    /// Write it to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long, requires = "output")]
    pub force: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Check a receipt.
#[derive(ClapArgs, Debug)]
pub struct CheckReceipt {
    /// The receipt
    pub file: PathBuf,
    /// The checkpoint that you hold: its file, or '118 3f2a …' from a sheet
    #[arg(long, value_name = "CHECKPOINT")]
    pub checkpoint: Option<PathBuf>,
    /// The organizer's public key, by its 20 or 64 digits
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
}

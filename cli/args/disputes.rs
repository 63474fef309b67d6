//! The words for disputes, and for what would be.

use super::{Known, Which};
use clap::{ArgGroup, Args as ClapArgs, Subcommand};

/// Say what a change would do; nothing is recorded.
#[derive(ClapArgs, Debug)]
pub struct WhatIf {
    /// Commands of the desk as they would be typed, each in quotation marks; reasons may be left
    /// out: `'correct 3 2-1 --round 2' 'drop bob'`
    #[arg(required = true, value_name = "COMMAND")]
    pub commands: Vec<String>,
    /// How many make the cut; otherwise as the tournament's plan says
    #[arg(long, value_name = "PLAYERS")]
    pub cut: Option<u32>,
    /// Everybody who moves and every table, however many
    #[arg(long)]
    pub all: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Somebody says that a result is wrong.
#[derive(Subcommand, Debug)]
pub enum Dispute {
    /// Somebody disputes a match
    Open(OpenDispute),
    /// A dispute is ruled
    Rule(RuleDispute),
    /// Print all that a head judge needs, on one page
    File(FileOfDispute),
}

/// Somebody disputes a match.
#[derive(ClapArgs, Debug)]
pub struct OpenDispute {
    /// Table or player
    pub table: String,
    /// What is claimed
    #[arg(long)]
    pub claim: String,
    /// Who claims it, where a player of the table does
    #[arg(long, value_name = "PLAYER")]
    pub by: Option<String>,
    /// The round; otherwise the last one
    #[arg(long, value_name = "ROUND")]
    pub round: Option<u16>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// A dispute is ruled.
#[derive(ClapArgs, Debug)]
#[command(group(ArgGroup::new("ruling").required(true).args(["upheld", "denied"])))]
pub struct RuleDispute {
    /// Its number
    pub number: u32,
    /// The claim was right
    #[arg(long)]
    pub upheld: bool,
    /// The claim was wrong: the result stands
    #[arg(long)]
    pub denied: bool,
    /// The right score, in the order of the seats or behind a player; the result is corrected in
    /// the same step
    #[arg(long, value_name = "SCORE", conflicts_with = "denied")]
    pub score: Option<String>,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Print the file of a dispute.
#[derive(ClapArgs, Debug)]
pub struct FileOfDispute {
    /// Its number
    pub number: u32,
    /// What is known
    #[command(flatten)]
    pub known: Known,
    /// How many make the cut; otherwise as the tournament's plan says
    #[arg(long, value_name = "PLAYERS")]
    pub cut: Option<u32>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// List disputes.
#[derive(ClapArgs, Debug)]
pub struct Disputes {
    /// Only those that wait for a ruling
    #[arg(long)]
    pub open: bool,
    /// What is known
    #[command(flatten)]
    pub known: Known,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Go on under another ruleset.
#[derive(ClapArgs, Debug)]
pub struct AmendRules {
    /// The ruleset; or only what changes in the one in force: `+settings.percentage_floor=1/3`
    #[arg(value_name = "ID OR FILE")]
    pub rules: String,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

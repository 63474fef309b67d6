//! The words of the desk: what a scorekeeper types while a tournament is played.

use super::{
    AmendRules, Bye, CheckIn, Describe, Dispute, Disputes, DropPlayers, Enroll, KeepTable, Late,
    Penalty, Players, Reinstate, Rename, SetDivision, Tables, When, Which, WithReason,
};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What a scorekeeper does.
#[derive(Subcommand, Debug)]
pub enum Desk {
    /// Open a tournament
    New(New),
    /// Enroll players: one, many, or a CSV file
    Enroll(Enroll),
    /// List the players
    Players(Players),
    /// Check players in: they are here
    CheckIn(CheckIn),
    /// Pair the next round
    Pair(Pair),
    /// Show players the pairings
    Publish(Publish),
    /// Print who sits where, and the results so far
    Pairings(Pairings),
    /// Enter a result, or one after another
    Result(Enter),
    /// Record what a player reports of their match; it is no result
    Claim(Reported),
    /// Note how a match stands that is not finished
    NoteScore(Slip),
    /// Correct a result
    Correct(Correct),
    /// Correct a player's name
    Rename(Rename),
    /// Correct a player's division
    SetDivision(SetDivision),
    /// Correct a player's title, federation, rating or id
    Describe(Describe),
    /// Note the bye that a player asks for in a round to come
    Bye(Bye),
    /// Drop players
    Drop(DropPlayers),
    /// Bring back a player who dropped
    Reinstate(Reinstate),
    /// Disqualify a player: they take no place
    Disqualify(WithReason),
    /// Enroll a player after round 1
    Late(Late),
    /// Penalize a player
    Penalty(Penalty),
    /// Pair some tables anew, disturbing as few as can be
    Repair(Repair),
    /// Seat players by hand
    SetPairing(SetPairing),
    /// Keep a table for a player: they sit there whenever paired
    KeepTable(KeepTable),
    /// Say which tables the hall has
    Tables(Tables),
    /// End the phase; those who go on play the next one
    Cut(Cut),
    /// Let a player go on by ruling
    Advance(Advance),
    /// Open, rule or print a dispute
    #[command(subcommand)]
    Dispute(Dispute),
    /// List the disputes
    Disputes(Disputes),
    /// Go on under another ruleset, for every round
    AmendRules(AmendRules),
    /// Write a note into the log
    Note(Note),
    /// Say for whom of the staff a number in the log stands
    NameStaff(NameStaff),
    /// Undo your last command; again: the one before it
    Undo(Undo),
    /// Take one event of the log back
    Withdraw(Withdraw),
    /// Draw lots for players whom nothing else tells apart
    Lots(Publish),
    /// Replace the pairing secret where it was lost
    Reseed(Reseed),
    /// Record the standings' hash; completed rounds do it anyway
    Announce(Announce),
    /// Close the tournament: its standings are final
    Close(Close),
}

/// What a player reports.
#[derive(ClapArgs, Debug)]
pub struct Reported {
    /// Who reports it, then the score as they say it, their own games first: `ann 2-1`
    #[arg(required = true, num_args = 2..)]
    pub slip: Vec<String>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// How a match stands.
#[derive(ClapArgs, Debug)]
pub struct Slip {
    /// The table, or a player, then the score so far: `9 1-0`
    #[arg(required = true, num_args = 2..)]
    pub slip: Vec<String>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Say who a number stands for.
#[derive(ClapArgs, Debug)]
pub struct NameStaff {
    /// The number, as the log names it: `actor 4711`
    pub actor: u32,
    /// The name from now on
    pub name: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Announce the standings.
#[derive(ClapArgs, Debug)]
pub struct Announce {
    /// Only the rounds up to this one
    #[arg(long, value_name = "ROUND")]
    pub through: Option<u16>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Open a tournament.
#[derive(ClapArgs, Debug)]
pub struct New {
    /// Its title
    pub title: String,
    /// The ruleset
    #[arg(long, value_name = "ID OR FILE", required_unless_present = "like")]
    pub rules: Option<String>,
    /// Like this tournament: under its rules, with its phases and its slip, where nothing else is said here
    #[arg(long, value_name = "TOURNAMENT")]
    pub like: Option<String>,
    /// Best of how many games, where games are counted; otherwise 3
    #[arg(long, value_name = "GAMES")]
    pub best_of: Option<u8>,
    /// A phase, such as `swiss:5` (rounds) or `single-elimination:8` (players), or
    /// `single-elimination:8:bo5`;
    /// once for each. Otherwise as is usual under the ruleset, then whoever `cut` takes
    #[arg(long, value_name = "PHASE")]
    pub phase: Vec<String>,
    /// The day on which it is held, such as 2026-11-21
    #[arg(long, value_name = "DAY")]
    pub held_on: Option<String>,
    /// What is written on a slip, such as `games,drawn/table` or `objective:0..10,survival`;
    /// otherwise what the ruleset reads
    #[arg(long, value_name = "LINES")]
    pub sheet: Option<String>,
}

/// Pair the next round.
#[derive(ClapArgs, Debug)]
pub struct Pair {
    /// Dice thrown in public, as a text: with them nobody could foresee the pairing
    #[arg(long, value_name = "TEXT")]
    pub dice: Option<String>,
    /// Pair the round anew that has no result yet; it uses its seed again
    #[arg(long)]
    pub again: bool,
    /// A round more than planned
    #[arg(long)]
    pub further: bool,
    /// Let this program pair it, such as `bbpPairings.exe`, `py4swiss`, or with its arguments:
    /// `'pairer {input} {output}'`; `none`: not the one that the running server has
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// How long that program may take; otherwise 120
    #[arg(long, value_name = "SECONDS", requires = "engine")]
    pub engine_seconds: Option<u32>,
    /// Where it runs: what it was given and what it answered stay there
    #[arg(long, value_name = "FOLDER", requires = "engine")]
    pub engine_folder: Option<PathBuf>,
    /// Each division by itself from this round on; otherwise as in the round before
    #[arg(long, conflicts_with = "together")]
    pub by_division: bool,
    /// Divisions that are paired as one, with commas: `junior,senior`; once for each group
    #[arg(long, value_name = "DIVISIONS", requires = "by_division")]
    pub merge: Vec<String>,
    /// All divisions together again
    #[arg(long)]
    pub together: bool,
    /// How many rounds divisions play, where one plays fewer: `junior=4`; `junior=all` takes it back
    #[arg(long, value_name = "DIVISION=ROUNDS")]
    pub rounds: Vec<String>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Publish the pairings, and what else needs no further words.
#[derive(ClapArgs, Debug)]
pub struct Publish {
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Close the tournament.
#[derive(ClapArgs, Debug)]
pub struct Close {
    /// Also where a bracket is not played to its end
    #[arg(long)]
    pub unfinished: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// In which order pairings are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListedBy {
    /// Table by table.
    Table,
    /// By name.
    Name,
}

/// Print a round's tables.
#[derive(ClapArgs, Debug)]
pub struct Pairings {
    /// The round; otherwise the last one
    #[arg(long, value_name = "ROUND")]
    pub round: Option<u16>,
    /// In which order
    #[arg(long, value_enum, default_value_t = ListedBy::Table)]
    pub by: ListedBy,
    /// When
    #[command(flatten)]
    pub when: When,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Enter results.
#[derive(ClapArgs, Debug)]
pub struct Enter {
    /// Table or player, then the score: `12 2-1`, `12 2-1-1` with a drawn game, `ann 2-0`,
    /// `3 id` for an agreed draw, `4 w-l no-show`. Nothing, or `-`: such lines from standard input
    pub slip: Vec<String>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Correct a result.
#[derive(ClapArgs, Debug)]
pub struct Correct {
    /// Table or player, then the right score
    #[arg(required = true, num_args = 2..)]
    pub slip: Vec<String>,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The round; otherwise the last one
    #[arg(long, value_name = "ROUND")]
    pub round: Option<u16>,
    /// The dispute that led to it, by its number
    #[arg(long, value_name = "NUMBER")]
    pub dispute: Option<u32>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Pair some tables anew.
#[derive(ClapArgs, Debug)]
pub struct Repair {
    /// Who did not appear and leaves the tournament; once for each
    #[arg(long, value_name = "PLAYER")]
    pub out: Vec<String>,
    /// A table that is broken up; once for each
    #[arg(long, value_name = "TABLE")]
    pub table: Vec<u32>,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Seat players by hand.
#[derive(ClapArgs, Debug)]
pub struct SetPairing {
    /// Who meets; one alone has the bye
    #[arg(required = true)]
    pub players: Vec<String>,
    /// At which table; otherwise where the first of them sat
    #[arg(long)]
    pub table: Option<u32>,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Start the next phase.
#[derive(ClapArgs, Debug)]
pub struct Cut {
    /// Only players of this division go on; those of others wait for a cut of theirs
    #[arg(long, value_name = "DIVISION")]
    pub division: Option<String>,
    /// How many go on; otherwise as planned, or as the ruleset suggests for so many players
    #[arg(long, value_name = "PLAYERS")]
    pub top: Option<u32>,
    /// Everybody with at least so many points goes on
    #[arg(long, value_name = "POINTS")]
    pub points: Option<i64>,
    /// How it is played: swiss, single-elimination, double-elimination, round-robin or
    /// pods
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// Who declines and is passed over; once for each
    #[arg(long, value_name = "PLAYER")]
    pub decline: Vec<String>,
    /// Best of how many games
    #[arg(long, value_name = "GAMES")]
    pub best_of: Option<u8>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Let a player go on.
#[derive(ClapArgs, Debug)]
pub struct Advance {
    /// The table
    pub table: u32,
    /// Who goes on
    pub player: String,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The round; otherwise the last one
    #[arg(long, value_name = "ROUND")]
    pub round: Option<u16>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Write something down.
#[derive(ClapArgs, Debug)]
pub struct Note {
    /// The words
    pub text: String,
    /// The event of the log that it is about
    #[arg(long, value_name = "SEQ")]
    pub about: Option<u64>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Undo a command.
#[derive(ClapArgs, Debug)]
pub struct Undo {
    /// The command to which this event of the log belongs; otherwise your last one
    pub seq: Option<u64>,
    /// Why
    #[arg(long, default_value = "undone")]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Take an event of the log back.
#[derive(ClapArgs, Debug)]
pub struct Withdraw {
    /// Its number in the log
    pub seq: u64,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Replace the pairing secret.
#[derive(ClapArgs, Debug)]
pub struct Reseed {
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

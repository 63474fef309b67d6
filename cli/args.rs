//! The words of the command line.

mod bundle;
mod checks;
mod copies;
mod desk;
mod disputes;
#[cfg(feature = "serve")]
mod enroll_store;
#[cfg(feature = "serve")]
mod follow;
mod people;
#[cfg(feature = "serve")]
mod publish_to;
mod season;
#[cfg(feature = "serve")]
mod serve;
mod simulate;
mod tournaments;
mod trust;

pub use bundle::*;
pub use checks::*;
pub use copies::*;
pub use desk::*;
pub use disputes::*;
#[cfg(feature = "serve")]
pub use enroll_store::*;
#[cfg(feature = "serve")]
pub use follow::*;
pub use people::*;
#[cfg(feature = "serve")]
pub use publish_to::*;
pub use season::*;
#[cfg(feature = "serve")]
pub use serve::*;
pub use simulate::*;
pub use tournaments::*;
pub use trust::*;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Runs tournaments as a log of events, and shows how every place came about.
#[derive(Parser, Debug)]
#[command(name = "scrutineer", version, max_term_width = 100)]
#[command(after_help = "Try it: scrutineer demo")]
pub struct Args {
    /// The folder in which tournaments are kept, or a database: postgres://user@host/database
    #[arg(long, global = true, env = "SCRUTINEER_STORE", default_value = "scrutineer-store")]
    #[arg(hide_env_values = true)]
    pub store: PathBuf,
    /// The folder in which this machine keeps what is its own about a database
    #[arg(long, global = true, env = "SCRUTINEER_NODE", value_name = "FOLDER", hide = true)]
    pub node: Option<PathBuf>,
    /// The folder of your keys; otherwise a folder of yours that every store shares
    #[arg(long, global = true, env = "SCRUTINEER_KEYS", value_name = "FOLDER")]
    pub keys: Option<PathBuf>,
    /// Keep a copy of the store in this folder too, such as on a stick: it is written after every
    /// command, and remembered; `none` ends it
    #[arg(long, global = true, env = "SCRUTINEER_MIRROR", value_name = "FOLDER", hide_env = true)]
    pub mirror: Option<PathBuf>,
    /// The tournament, by title or the beginning of its id; not needed where one is
    /// open
    #[arg(long, global = true, value_name = "NAME OR ID", hide = true)]
    pub tournament: Option<String>,
    /// Answer in JSON, for programs
    #[arg(long, global = true)]
    pub json: bool,
    /// Who you are, by name, such as `--as "Ann Lee"`: the log says so of all that you do
    #[arg(long = "as", global = true, value_name = "NAME")]
    #[arg(env = "SCRUTINEER_AS", hide_env = true)]
    pub person: Option<String>,
    /// Time and random bytes come from this word, so that a session can be played again; whoever
    /// knows it foresees every pairing
    #[arg(long, global = true, value_name = "WORD", hide = true, env = "SCRUTINEER_REHEARSE")]
    pub rehearse: Option<String>,
    /// What to do
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// Whether nobody typed these words: the program was started by a double click
    #[arg(skip)]
    pub clicked: bool,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Run a tournament
    #[command(flatten)]
    Desk(Desk),
    /// Serve the desk to browsers and programs
    #[cfg(feature = "serve")]
    Serve(Box<Serve>),
    /// Bring in tournaments played elsewhere
    Import(Import),
    /// List the tournaments of the store
    Tournaments(Tournaments),
    /// Print the standings
    Standings(Standings),
    /// Say why a player stands where they stand
    Explain(Explain),
    /// Say who has clinched the cut, who is out, and what is open
    Reach(Reach),
    /// Say what a change would do; nothing is recorded
    WhatIf(WhatIf),
    /// Rank a tournament under other rulesets: who moves, and why
    Compare(Compare),
    /// Rank all tournaments under another ruleset: what changes
    Rebuild(Rebuild),
    /// Look over all tournaments: what was corrected, and who moved
    Review(Review),
    /// Empty all that is kept of a person, for good
    Forget(Forget),
    /// List, print and check rulesets
    #[command(subcommand)]
    Rules(Rules),
    /// Walk through a tournament round by round: who moved
    Replay(Replay),
    /// List what moved a player, and through which measure
    Trace(Trace),
    /// Print what happened, one sentence per event
    Log(Log),
    /// Print one line of the log with everything it holds
    Show(Show),
    /// Check that the log is what was written
    Verify(Verify),
    /// Write a tournament into a file: bundle, page or CSV
    Export(Export),
    /// Check bundles, write those of all tournaments, bring them in
    #[command(subcommand)]
    Bundle(Bundle),
    /// Say where two histories of a tournament part
    Diff(Diff),
    /// Bring in what another desk went on to record
    Adopt(Adopt),
    /// List, check, take or drop snapshots
    Snapshots(Snapshots),
    /// Set a database up, copy a store elsewhere
    #[command(subcommand)]
    Store(OfStore),
    /// Copy the store into a new folder, also while in use
    Backup(Backup),
    /// Bring the store back from a mirror or a backup
    Restore(Restore),
    /// Show others that the log is what it was
    #[command(flatten)]
    Trust(Trust),
    /// Keep a verified copy of tournaments that are run elsewhere
    #[cfg(feature = "serve")]
    Follow(Follow),
    /// Write the public pages of a tournament as files
    #[cfg(feature = "serve")]
    PublishTo(PublishTo),
    /// Enroll this store at a publisher's server, once
    #[cfg(feature = "serve")]
    EnrollStore(EnrollStore),
    /// Pair the rounds again from their seeds, and compare
    CheckPairing(CheckPairing),
    /// Say why these players were paired
    ExplainPairing(ExplainPairing),
    /// Play an invented tournament, or try a format many times
    Simulate(Simulate),
    /// See it at work on an invented tournament; nothing is stored
    Demo,
}

/// Which tournament of the store.
#[derive(ClapArgs, Debug, Clone)]
pub struct Which {
    /// The tournament, by title or the beginning of its id; not needed where one is
    /// open
    #[arg(long, value_name = "NAME OR ID", env = "SCRUTINEER_TOURNAMENT", hide_env = true)]
    pub tournament: Option<String>,
}

/// What was known, and how far the tournament is looked at. Of everything that reads; what writes has
/// no such choice.
#[derive(ClapArgs, Debug, Clone, Default)]
pub struct When {
    /// What is known
    #[command(flatten)]
    pub known: Known,
    /// Only the rounds up to this one, with everything that is known of them
    #[arg(long, value_name = "ROUND")]
    pub through: Option<u16>,
}

/// What was known.
#[derive(ClapArgs, Debug, Clone, Default)]
pub struct Known {
    /// Only what had been recorded by then: the number of an event, or a time such as `14:05` or
    /// `2026-11-21 14:05 UTC`; without a zone it is one of this machine's
    #[arg(long, value_name = "SEQ OR TIME")]
    pub as_of: Option<String>,
}

/// Under which rules, and how far.
#[derive(ClapArgs, Debug, Clone)]
pub struct View {
    /// The tournament
    #[command(flatten)]
    pub which: Which,
    /// Another ruleset: an id, a file, or an id with changes such as
    /// `mtr+settings.percentage_floor=1/3`
    #[arg(long, value_name = "ID OR FILE")]
    pub rules: Option<String>,
    /// When
    #[command(flatten)]
    pub when: When,
}

/// Bring in tournaments.
#[derive(ClapArgs, Debug)]
pub struct Import {
    /// Files, or folders of files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The ruleset; otherwise the one that the file names, or its platform's of the day
    #[arg(long, value_name = "ID OR FILE")]
    pub rules: Option<String>,
    /// Which column of a sheet is what, by number or name, such as `round=1,player_a=2,player_b=4`
    #[arg(long, value_name = "COLUMNS")]
    pub columns: Option<String>,
    /// Compare with the standings found in the file, value by value
    #[arg(long)]
    pub check_standings: bool,
    /// Store nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Print the standings.
#[derive(ClapArgs, Debug)]
pub struct Standings {
    /// Only the players of this division, with places of their own
    #[arg(long, value_name = "DIVISION")]
    pub division: Option<String>,
    /// One division behind the other, each with places of its own
    #[arg(long, conflicts_with = "division")]
    pub by_division: bool,
    /// What to look at
    #[command(flatten)]
    pub view: View,
}

/// Say why a player stands where they stand.
#[derive(ClapArgs, Debug)]
pub struct Explain {
    /// The player, by name or number
    pub player: String,
    /// Whom to compare them with; otherwise the one above
    #[arg(long, value_name = "PLAYER")]
    pub against: Option<String>,
    /// What to look at
    #[command(flatten)]
    pub view: View,
}

/// Say what players can still reach.
#[derive(ClapArgs, Debug)]
pub struct Reach {
    /// The player, by name or number, with what each end of their match would make of them;
    /// otherwise everybody
    pub player: Option<String>,
    /// How many make the cut; otherwise as the tournament's plan says
    #[arg(long)]
    pub cut: Option<u32>,
    /// Another ruleset: an id, a file, or an id with changes
    #[arg(long, value_name = "ID OR FILE")]
    pub rules: Option<String>,
    /// What was known
    #[command(flatten)]
    pub known: Known,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Rank one tournament under several rulesets.
#[derive(ClapArgs, Debug)]
pub struct Compare {
    /// Rulesets: ids, files, or ids with changes such as `mtr+settings.percentage_floor=1/3`. One
    /// is compared with the tournament's own
    #[arg(required = true)]
    pub rulesets: Vec<String>,
    /// How many make the cut; otherwise as the tournament's plan says
    #[arg(long)]
    pub cut: Option<u32>,
    /// When
    #[command(flatten)]
    pub when: When,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// List, print and check rulesets.
#[derive(Subcommand, Debug)]
pub enum Rules {
    /// List the rulesets that are shipped
    List,
    /// Print a ruleset's text and what it extends
    Show {
        /// Its id, or a file
        id: String,
    },
    /// Read a ruleset file and name every mistake
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Sign a ruleset with your key, in a file that desks take
    Sign {
        /// Its id, or a file
        id: String,
        /// The id of the ruleset that it is meant to follow
        #[arg(long, value_name = "ID")]
        replaces: Option<String>,
        /// The file; otherwise one in this folder, named after the ruleset
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace a file that is there already
        #[arg(long)]
        force: bool,
    },
    /// Keep a signed edition of rules in the store, and say what it would change
    Take {
        /// The file
        file: PathBuf,
        /// The publisher's public key, as they gave it to you: 64 digits, or a file with them
        #[arg(long, value_name = "KEY")]
        key: String,
    },
    /// Say which editions are here, and what each would change in every open tournament
    Editions,
    /// Look for new editions at a publisher's server, and say what they would change
    #[cfg(feature = "serve")]
    Fetch {
        /// The server; otherwise the one where this store is enrolled
        address: Option<String>,
        /// The publisher's public key, as they gave it to you: 64 digits, or a file with them. Editions of a
        /// key that nobody has named here wait otherwise
        #[arg(long, value_name = "KEY")]
        key: Option<String>,
    },
}

/// In which steps a tournament is walked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pace {
    /// Round by round.
    Round,
    /// Event by event of the log; what was recorded together is one.
    Event,
}

/// Walk through the tournament.
#[derive(ClapArgs, Debug)]
pub struct Replay {
    /// In which steps
    #[arg(long, value_enum, default_value_t = Pace::Round)]
    pub by: Pace,
    /// The first step that is shown: a round, or the number of an event
    #[arg(long, value_name = "ROUND OR SEQ")]
    pub from: Option<u64>,
    /// The last step that is shown
    #[arg(long, value_name = "ROUND OR SEQ")]
    pub to: Option<u64>,
    /// Only the steps in which this player moves, and only their moves
    #[arg(long)]
    pub player: Option<String>,
    /// What to look at
    #[command(flatten)]
    pub view: View,
}

/// List what moved a player.
#[derive(ClapArgs, Debug)]
pub struct Trace {
    /// The player, by name or number
    pub player: String,
    /// In which steps
    #[arg(long, value_enum, default_value_t = Pace::Event)]
    pub by: Pace,
    /// What to look at
    #[command(flatten)]
    pub view: View,
}

/// Print what happened.
#[derive(ClapArgs, Debug)]
pub struct Log {
    /// Only the last so many events
    #[arg(long)]
    pub limit: Option<usize>,
    /// Only what is about this player, by name or number
    #[arg(long, value_name = "WHO")]
    pub player: Option<String>,
    /// Only what is about this table
    #[arg(long, value_name = "N")]
    pub table: Option<u32>,
    /// Only what is about this round
    #[arg(long, value_name = "N")]
    pub round: Option<u16>,
    /// Only of this kind, such as `result` or `penalty`
    #[arg(long, value_name = "WORD")]
    pub kind: Option<String>,
    /// Only what this person recorded
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Only what was corrected, renamed, ruled or undone, with what did it
    #[arg(long)]
    pub changed: bool,
    /// When
    #[command(flatten)]
    pub when: When,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Print one event of the log.
#[derive(ClapArgs, Debug)]
pub struct Show {
    /// Its number in the log
    pub seq: u64,
    /// When
    #[command(flatten)]
    pub known: Known,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

//! The words of the desk about players.

use super::{When, Which};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// Enroll players.
#[derive(ClapArgs, Debug)]
pub struct Enroll {
    /// Their names
    #[arg(required_unless_present = "csv")]
    pub names: Vec<String>,
    /// A CSV file with the columns name, id, rating, title, federation, division, byes, members, or a sheet of
    /// players as an import reads one; `-`: standard input. Who of it is enrolled already stays as they are
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "rating", "id", "title", "federation", "member"])]
    pub csv: Option<PathBuf>,
    /// They take part in the round that is being played, also who is enrolled from the next one
    /// on; `repair` seats them
    #[arg(long)]
    pub now: bool,
    /// What is known of one player
    #[command(flatten)]
    pub person: Person,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// What is known of a player.
#[derive(ClapArgs, Debug)]
pub struct Person {
    /// Their rating
    #[arg(long, allow_negative_numbers = true)]
    pub rating: Option<i32>,
    /// How many byes they bring
    #[arg(long, default_value_t = 0)]
    pub byes: u8,
    /// Their id with the publisher
    #[arg(long)]
    pub id: Option<String>,
    /// Their title, such as GM
    #[arg(long)]
    pub title: Option<String>,
    /// Their federation, such as SWE
    #[arg(long)]
    pub federation: Option<String>,
    /// Their division
    #[arg(long)]
    pub division: Option<String>,
    /// A member of the team; once for each
    #[arg(long)]
    pub member: Vec<String>,
    /// The division is another one than the one that is nearly called so
    #[arg(long)]
    pub new_division: bool,
    /// It is another person who is called like one already enrolled
    #[arg(long)]
    pub same_name: bool,
}

/// List the players.
#[derive(ClapArgs, Debug)]
pub struct Players {
    /// When
    #[command(flatten)]
    pub when: When,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Players are here.
#[derive(ClapArgs, Debug)]
pub struct CheckIn {
    /// Who, by name or number
    #[arg(required = true)]
    pub players: Vec<String>,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Players leave.
#[derive(ClapArgs, Debug)]
pub struct DropPlayers {
    /// Who, by name or number
    #[arg(required = true)]
    pub players: Vec<String>,
    /// They did not appear: their opponent wins
    #[arg(long)]
    pub no_show: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// A player's name was misspelt.
#[derive(ClapArgs, Debug)]
pub struct Rename {
    /// Who, by name or number
    pub player: String,
    /// The name from now on, everywhere
    pub name: String,
    /// Why
    #[arg(long)]
    pub reason: Option<String>,
    /// It is another person who is called like one already enrolled
    #[arg(long)]
    pub same_name: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// A player's division was wrong.
#[derive(ClapArgs, Debug)]
pub struct SetDivision {
    /// Who, by name or number
    pub player: String,
    /// The division from now on
    #[arg(required_unless_present = "none")]
    pub division: Option<String>,
    /// They have no division
    #[arg(long, conflicts_with = "division")]
    pub none: bool,
    /// The division is another one than the one that is nearly called so
    #[arg(long)]
    pub new_division: bool,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// A player who cannot move, or is not to.
#[derive(ClapArgs, Debug)]
pub struct KeepTable {
    /// Who, by name or number
    pub player: String,
    /// The table at which they sit whenever they are paired
    #[arg(required_unless_present = "none")]
    pub table: Option<u32>,
    /// They sit anywhere again
    #[arg(long, conflicts_with = "table")]
    pub none: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// The tables of the hall.
#[derive(ClapArgs, Debug)]
pub struct Tables {
    /// The tables in their order, such as 1-12 14-40
    #[arg(required_unless_present = "all")]
    pub ranges: Vec<String>,
    /// Tables are numbered from 1 again
    #[arg(long, conflicts_with = "ranges")]
    pub all: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// A player's title, federation, rating or id was wrong, or was not known.
#[derive(ClapArgs, Debug)]
#[command(group(clap::ArgGroup::new("what").required(true).multiple(true)))]
pub struct Describe {
    /// Who, by name or number
    pub player: String,
    /// The title from now on, such as GM
    #[arg(long, group = "what")]
    pub title: Option<String>,
    /// They have no title
    #[arg(long, group = "what", conflicts_with = "title")]
    pub no_title: bool,
    /// The federation from now on, such as SWE
    #[arg(long, group = "what")]
    pub federation: Option<String>,
    /// Their federation is not known
    #[arg(long, group = "what", conflicts_with = "federation")]
    pub no_federation: bool,
    /// The rating from now on, a whole number; empty: they have none
    #[arg(long, group = "what", allow_negative_numbers = true)]
    pub rating: Option<String>,
    /// They have no rating
    #[arg(long, group = "what", conflicts_with = "rating")]
    pub no_rating: bool,
    /// The id with the publisher from now on, such as FIDE's; empty: they have none
    #[arg(long, group = "what")]
    pub id: Option<String>,
    /// They have no id
    #[arg(long, group = "what", conflicts_with = "id")]
    pub no_id: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// A player asks for a bye in a round to come.
#[derive(ClapArgs, Debug)]
#[command(group(clap::ArgGroup::new("worth").required(true)))]
pub struct Bye {
    /// Who, by name or number
    pub player: String,
    /// In which round
    #[arg(long, value_name = "N")]
    pub round: u16,
    /// Worth half a win
    #[arg(long, group = "worth")]
    pub half: bool,
    /// Worth nothing
    #[arg(long, group = "worth")]
    pub zero: bool,
    /// Worth a whole win
    #[arg(long, group = "worth")]
    pub full: bool,
    /// They play after all
    #[arg(long, group = "worth")]
    pub none: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// A player who had dropped is back.
#[derive(ClapArgs, Debug)]
pub struct Reinstate {
    /// Who, by name or number
    pub player: String,
    /// They take part in the round that is being played; `repair` seats them
    #[arg(long)]
    pub now: bool,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Something about a player that needs a reason.
#[derive(ClapArgs, Debug)]
pub struct WithReason {
    /// Who, by name or number
    pub player: String,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// Somebody comes late.
#[derive(ClapArgs, Debug)]
pub struct Late {
    /// Their name
    pub name: String,
    /// Give a loss for each round missed; otherwise what the ruleset says
    #[arg(long, conflicts_with_all = ["byes_missed", "half_byes"])]
    pub losses: bool,
    /// Give a bye for each round missed: a win, so rarely what is meant
    #[arg(long = "byes", conflicts_with = "half_byes")]
    pub byes_missed: bool,
    /// Give a half bye for each round missed: in chess half a point
    #[arg(long)]
    pub half_byes: bool,
    /// They take part in the round that is being played; `repair` seats them
    #[arg(long)]
    pub now: bool,
    /// Their rating
    #[arg(long, allow_negative_numbers = true)]
    pub rating: Option<i32>,
    /// Their id with the publisher
    #[arg(long)]
    pub id: Option<String>,
    /// Their title, such as GM
    #[arg(long)]
    pub title: Option<String>,
    /// Their federation, such as SWE
    #[arg(long)]
    pub federation: Option<String>,
    /// Their division
    #[arg(long)]
    pub division: Option<String>,
    /// The division is another one than the one that is nearly called so
    #[arg(long)]
    pub new_division: bool,
    /// It is another person who is called like one already enrolled
    #[arg(long)]
    pub same_name: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// What a penalty takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Takes {
    /// Nothing: it is written down.
    Warning,
    /// A game.
    GameLoss,
    /// The match.
    MatchLoss,
}

/// Penalize a player.
#[derive(ClapArgs, Debug)]
pub struct Penalty {
    /// Who, by name or number
    pub player: String,
    /// What it takes away
    #[arg(value_enum)]
    pub takes: Takes,
    /// Why
    #[arg(long)]
    pub reason: String,
    /// For the match they are playing; otherwise it waits for their next one
    #[arg(long)]
    pub now: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

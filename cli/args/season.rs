//! The words about whole archives, and about forgetting a person.

use super::Which;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueEnum};
use scrutineer_desk::review::What;
use std::path::PathBuf;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated, for spreadsheets.
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// A workbook, into a file.
    Xlsx,
}

impl From<Format> for scrutineer_desk::rebuilt::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Csv => Self::Csv,
            Format::Jsonl => Self::Jsonl,
            Format::Xlsx => Self::Xlsx,
        }
    }
}

/// Fold every tournament again.
#[derive(ClapArgs, Debug)]
pub struct Rebuild {
    /// The other ruleset: an id, a file, or an id with changes such as
    /// `mtr+settings.percentage_floor=1/3`
    #[arg(long, value_name = "ID OR FILE")]
    pub rules: String,
    /// A store, or a folder of stores, bundles and files that can be imported; otherwise the store
    #[arg(long, value_name = "FOLDER")]
    pub season: Option<PathBuf>,
    /// How many make the cut; otherwise as many as did, or as each tournament's plan says
    #[arg(long)]
    pub cut: Option<u32>,
    /// The file for the report
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    pub force: bool,
    /// How the report is written; otherwise as the file's name ends. Without a file it goes to
    /// standard output
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// One page of who moves in which tournament, to be opened without a network
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// A report of its own for each store, in this folder
    #[arg(long, value_name = "FOLDER")]
    pub each: Option<PathBuf>,
    /// A row for each player who moves, instead of one for each tournament
    #[arg(long)]
    pub players: bool,
    /// Numbers in place of players' names
    #[arg(long)]
    pub no_names: bool,
    /// Fold bundles too of which something could not be checked
    #[arg(long)]
    pub unsigned: bool,
    /// On how many threads; otherwise on all
    #[arg(long, value_name = "NUMBER")]
    pub threads: Option<usize>,
}

/// Reads what `review` is to look for.
fn what() -> impl TypedValueParser<Value = What> {
    let words = PossibleValuesParser::new(What::ALL.map(What::word));
    words.try_map(|word| What::of_word(&word).ok_or("it is none of these"))
}

/// Look over all tournaments.
#[derive(ClapArgs, Debug)]
pub struct Review {
    /// Only what was recorded from then on: a day, or a time such as "2026-11-21 14:05"
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Only what was recorded until then
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
    /// Only what this person recorded
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Only this
    #[arg(long, value_name = "WHAT", value_parser = what())]
    pub only: Option<What>,
    /// Only the last so many events
    #[arg(long, value_name = "NUMBER")]
    pub limit: Option<usize>,
    /// Verify each tournament too, and say what was found
    #[arg(long)]
    pub verify: bool,
    /// Tell findings too that are only good to know
    #[arg(long, requires = "verify")]
    pub notes: bool,
    /// Write all of it into this file too, for a spreadsheet
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long, requires = "csv")]
    pub force: bool,
    /// Only tournaments of this title, or of an id that begins so; otherwise all
    #[command(flatten)]
    pub which: Which,
}

/// Forget a person.
#[derive(ClapArgs, Debug)]
pub struct Forget {
    /// The player, by name or number
    pub player: String,
    /// Also in the other tournaments of the store, where their name or their id with the publisher stands
    #[arg(long)]
    pub everywhere: bool,
    /// Also this entry of the private texts, by its number; once for each
    #[arg(long, value_name = "ENTRY")]
    pub also: Vec<u32>,
    /// Only say what would be done
    #[arg(long)]
    pub dry_run: bool,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

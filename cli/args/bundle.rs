//! The words for bundles: files that carry one tournament.

use super::Which;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

/// Write a tournament into a file.
#[derive(ClapArgs, Debug, Clone)]
pub struct Export {
    /// The file, whose ending says what is written where nothing else does; otherwise one in this folder, named after
    /// the tournament
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Give the title, the names of players and staff, and the players' ids with the publisher
    #[arg(long, conflicts_with = "handover")]
    pub roster: bool,
    /// Give every private text, reasons and notes too, and no secret: for an auditor
    #[arg(long, conflicts_with_all = ["roster", "handover", "html", "csv", "xlsx"])]
    pub audit: bool,
    /// Give everything, private texts and secrets too, so that another desk can carry it on
    #[arg(long)]
    pub handover: bool,
    /// Write a page that shows standings and rounds and checks itself in a browser
    #[arg(long, conflicts_with = "handover")]
    pub html: bool,
    /// Write a file of another program: `trf` (FIDE's report) and others that docs/FORMATS.md lists
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["handover", "audit", "html", "csv"])]
    pub format: Option<String>,
    /// The other program's own file of the tournament: all of it stays that is not written
    #[arg(long, value_name = "FILE", requires = "format")]
    pub into: Option<PathBuf>,
    /// Write standings.csv and matches.csv for a spreadsheet into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["handover", "html", "output"])]
    pub csv: Option<PathBuf>,
    /// Write a workbook with the same, which `import` reads again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["handover", "html", "output", "csv", "format"])]
    pub xlsx: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    pub force: bool,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
}

/// What is done with a bundle.
#[derive(Subcommand, Debug)]
pub enum Bundle {
    /// Check a bundle with nothing but the file, and what you hold against it
    Verify(BundleVerify),
    /// Bring a bundle into the store, or a folder of them
    Import(BundleImport),
    /// Write the bundles of all tournaments into a folder; those that did not change stay
    Export(BundleExport),
}

/// Write all bundles.
#[derive(ClapArgs, Debug)]
pub struct BundleExport {
    /// The folder; each file is named after the id of its tournament
    pub folder: PathBuf,
    /// Give titles, the names of players and staff, and the players' ids with the publisher
    #[arg(long)]
    pub roster: bool,
    /// Give every private text, reasons and notes too, and no secret: for an auditor
    #[arg(long, conflicts_with = "roster")]
    pub audit: bool,
}

/// Check a bundle.
#[derive(ClapArgs, Debug)]
pub struct BundleVerify {
    /// The bundle
    pub file: PathBuf,
    /// The organizer's public key, as they gave it to you: 64 digits, or a file with them
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// A checkpoint that you were given, its file, or '118 3f2a …' from a sheet; can be repeated
    #[arg(long, value_name = "CHECKPOINT")]
    pub known: Vec<PathBuf>,
}

/// Bring a bundle in.
#[derive(ClapArgs, Debug)]
pub struct BundleImport {
    /// The bundle, or a folder of bundles
    pub file: PathBuf,
    /// The organizer's public key, as they gave it to you: nothing comes in that it does not stand for
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// A checkpoint that you were given, its file, or '118 3f2a …' from a sheet; can be repeated
    #[arg(long, value_name = "CHECKPOINT")]
    pub known: Vec<PathBuf>,
    /// Take in too what the key of the tournament here does not stand for, or what could not be checked
    #[arg(long, conflicts_with = "key")]
    pub unsigned: bool,
}

/// Compare two histories.
#[derive(ClapArgs, Debug)]
pub struct Diff {
    /// A bundle
    pub first: PathBuf,
    /// Another one; otherwise the store's tournament
    pub second: Option<PathBuf>,
}

/// Bring another desk's commands in.
#[derive(ClapArgs, Debug)]
pub struct Adopt {
    /// The other desk's bundle: `scrutineer export --handover` there
    pub file: PathBuf,
    /// Only say what would become of them
    #[arg(long)]
    pub dry_run: bool,
    /// The other desk's public key: nothing is asked that it does not stand for
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// A checkpoint of the other desk, its file, or '118 3f2a …' from a sheet; can be repeated
    #[arg(long, value_name = "CHECKPOINT")]
    pub known: Vec<PathBuf>,
    /// Ask for them also where this is a copy of somebody else's tournament, and nobody whom it knows
    /// signed them, or where something could not be checked
    #[arg(long, conflicts_with = "key")]
    pub unsigned: bool,
}

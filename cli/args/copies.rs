//! The words for copies of a store.

use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Copy the store.
#[derive(ClapArgs, Debug)]
pub struct Backup {
    /// A new folder
    pub folder: PathBuf,
}

/// Bring the store back.
#[derive(ClapArgs, Debug)]
pub struct Restore {
    /// The mirror or the backup
    #[arg(long, value_name = "FOLDER")]
    pub from: PathBuf,
    /// Why, for the log of a tournament that lacks what was signed
    #[arg(long)]
    pub reason: Option<String>,
}

//! The words for copies of a store.

use clap::{Args as ClapArgs, Subcommand};
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
    /// Why, for the log of a tournament that lacks what was signed; where a public server has more of it, restore
    /// without this and bring that back first
    #[arg(long)]
    pub reason: Option<String>,
}

/// What is done with a store as a whole.
#[derive(Subcommand, Debug)]
pub enum OfStore {
    /// Make the tables of a database, or bring them up to this version: as the database's owner
    Migrate,
    /// Copy every tournament from one store to another, of which each is a folder or a database; what
    /// is there already is compared
    Copy {
        /// The store that is copied
        #[arg(value_name = "FROM")]
        from: PathBuf,
        /// The store that is copied into
        #[arg(value_name = "TO")]
        to: PathBuf,
        /// A tournament that is not copied, by title or id; can be repeated. A copy of a tournament whose log
        /// was rewritten where it is run is begun anew there
        #[arg(long, value_name = "TOURNAMENT")]
        without: Vec<String>,
    },
}

//! The words of `tournaments`.

use super::Known;
use clap::{Args as ClapArgs, Subcommand};

/// List the tournaments of the store.
#[derive(ClapArgs, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Tournaments {
    /// Those that were removed
    #[arg(long)]
    pub removed: bool,
    /// What was known
    #[command(flatten)]
    pub known: Known,
    /// What to do with one
    #[command(subcommand)]
    pub act: Option<OfTournaments>,
}

/// What is done with a tournament as a whole.
#[derive(Subcommand, Debug)]
pub enum OfTournaments {
    /// Remove one that was imported by mistake, and on which nobody built
    Remove {
        /// The tournament, by title or the beginning of its id
        #[arg(value_name = "NAME OR ID")]
        name: String,
        /// Why
        #[arg(long)]
        reason: String,
    },
}

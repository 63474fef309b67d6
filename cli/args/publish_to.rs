//! The words of `publish-to`.

use super::Which;
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Write the public pages of a tournament as files, for any web space: pairings, standings and why, bracket,
/// log, rules, the page that checks itself, all records and the last checkpoint. They open from a
/// disk too.
#[derive(ClapArgs, Debug)]
pub struct PublishTo {
    /// The folder, which a sync tool or a web space takes: a new one, an empty one, or one that was
    /// written so before
    pub folder: PathBuf,
    /// The tournament
    #[command(flatten)]
    pub which: Which,
    /// Go on, and write what changed, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// The language of the pages, such as `de`
    #[arg(long, value_name = "LANGUAGE", value_parser = ["en", "de"])]
    pub lang: Option<String>,
}

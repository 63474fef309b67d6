//! The words of `follow`.

use clap::Args as ClapArgs;

/// Keep a verified copy of tournaments that are run elsewhere, and say where a log was rewritten.
#[derive(ClapArgs, Debug)]
pub struct Follow {
    /// The page of a tournament, or a server: then all that is public there
    pub address: String,
    /// The organizer's public key, which has to stand for every event; otherwise the first one of each
    /// tournament
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Take in what there is, and end
    #[arg(long)]
    pub once: bool,
}

//! The words of `enroll-store`.

use clap::Args as ClapArgs;

/// Enroll this store at a publisher's server, once for all its tournaments: `serve` then pushes what is
/// public there, without being told again, until that is ended at either side. Without a link: say how it
/// stands.
#[derive(ClapArgs, Debug)]
pub struct EnrollStore {
    /// The link that the publisher's owner made
    #[arg(value_name = "LINK", conflicts_with = "end")]
    pub link: Option<String>,
    /// Push only tournaments whose titles have this part, such as the name of a series
    #[arg(long, value_name = "TEXT", requires = "link")]
    pub only: Option<String>,
    /// End the enrollment, here and there
    #[arg(long)]
    pub end: bool,
}

//! Verified copies over HTTP: what the log of a tournament has behind an event, with a signed checkpoint
//! over it; and whoever keeps such a copy.

mod given;
mod inbox;
mod push;
mod pushed;
pub mod witness;

pub use given::{Behind, records};
pub use inbox::{attend, list as inbox, settle};
pub use push::run as push;
pub use pushed::{Head, head, records as push_records, say_anew, shown as push_shown};

/// How long a server is left alone that does not know the token any more: it may come back from a copy.
const REFUSED: std::time::Duration = std::time::Duration::from_secs(10 * 60);

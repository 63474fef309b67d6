//! Verified copies over HTTP: what the log of a tournament has behind an event, with a signed checkpoint
//! over it; and whoever keeps such a copy.

mod given;
mod inbox;
mod push;
mod pushed;
pub mod witness;

pub use given::{Behind, records};
pub use inbox::{attend, list as inbox, settle, sources};
pub use push::run as push;
pub use pushed::{Head, head, records as push_records, say_anew, shown as push_shown};

use scrutineer_engine::record::StreamId;

/// Returns tournaments in the order of a round: it begins behind the one at which the last round ended, or those that
/// come late would wait for a line on which nothing is lost.
fn behind(mut streams: Vec<StreamId>, last: Option<StreamId>) -> Vec<StreamId> {
    streams.sort_unstable();
    let first = streams.partition_point(|stream| last.is_some_and(|last| *stream <= last));
    streams.rotate_left(first);
    streams
}

/// How long a server is left alone that does not know the token any more: it may come back from a copy.
const REFUSED: std::time::Duration = std::time::Duration::from_secs(10 * 60);

//! Verified copies over HTTP: what the log of a tournament has behind an event, with a signed checkpoint
//! over it; and whoever keeps such a copy.

mod given;
pub mod witness;

pub use given::{Behind, records};

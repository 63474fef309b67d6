//! Takes the power away from a store, kills it and fails its disk, and looks for what was
//! acknowledged.
//!
//! A worker does something to a store while a preloaded library records every write, sync and
//! rename. From the tape the disk is built as a power cut would have left it at many moments, and
//! the store there is opened, read and appended to. `docs/RELIABILITY.md` says what is modelled.
//!
//! [`failover`] does the like to a cluster of databases.

pub mod check;
pub mod child;
pub mod claims;
#[cfg(target_os = "linux")]
pub mod cluster;
pub mod disk;
#[cfg(target_os = "linux")]
pub mod failover;
#[cfg(target_os = "linux")]
mod http;
pub mod power;
pub mod store;
pub mod tape;
pub mod trials;
pub mod work;

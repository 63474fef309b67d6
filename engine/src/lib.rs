//! What happened: the events of a tournament, what is legal, and the append-only log.
#![doc = include_str!("../README.md")]
#![deny(clippy::float_arithmetic, clippy::disallowed_methods, clippy::disallowed_types)]

#[macro_use]
mod codes;
#[macro_use]
pub mod error;
pub mod book;
pub mod codec;
pub mod command;
#[cfg(feature = "testing")]
pub mod conformance;
pub mod decide;
pub mod event;
pub mod files;
pub mod handler;
pub mod limits;
pub mod log;
pub mod names;
mod readable;
pub mod record;
pub mod rejection;
pub mod seed;
pub mod tournament;

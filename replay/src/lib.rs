//! How we know: reading the past again, and holding it against what was written.
#![doc = include_str!("../README.md")]

pub mod again;
pub mod announced;
pub mod as_of;
pub mod bundle;
pub mod by_engine;
pub mod finding;
pub mod kept;
pub mod loaded;
pub mod mirror;
pub mod neutral;
pub mod page;
pub mod published;
pub mod replay;
pub mod sheets;
pub mod staff;
pub mod trust;
pub mod verify;

//! What it means: rulesets, measures, standings, explanations and comparisons.
#![doc = include_str!("../README.md")]
#![deny(clippy::float_arithmetic, clippy::disallowed_methods, clippy::disallowed_types)]

pub mod bracket_rounds;
pub mod compare;
mod counted;
pub mod crosstable;
pub mod cut;
pub mod divisions;
pub mod explain;
pub mod measure;
pub mod ratio;
pub mod reach;
pub mod ruleset;
pub mod standings;
pub mod timeline;

pub use counted::{counted, ordinal};

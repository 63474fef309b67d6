//! Everything that takes more than one crate to test.

mod among;
mod arrows;
mod browser;
mod bundles;
mod cli;
mod clients;
mod conformance;
mod divisions;
mod drill;
mod editions;
mod engines;
mod examples;
mod faults;
#[cfg(feature = "serve")]
mod foreign_bytes;
mod forgeries;
mod golden_folds;
mod hall;
mod interchange;
mod limits;
mod measures;
mod museum;
mod newer;
pub mod page;
mod pairings;
mod phases;
mod pokemon;
mod properties;
mod random_tournaments;
mod reach;
mod rebuild;
mod reference;
pub mod schemas;
mod script;
mod sentences;
#[cfg(feature = "serve")]
mod serve;
mod simulated;
mod sources;
mod tampered;
mod terms;
mod vectors;
mod workspace;

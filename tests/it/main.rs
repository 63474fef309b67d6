//! Everything that takes more than one crate to test.

mod among;
mod bundles;
mod cli;
mod conformance;
mod draws;
mod drill;
mod editions;
mod faults;
mod forgeries;
mod golden_folds;
mod limits;
mod measures;
mod page;
mod phases;
mod properties;
mod random_tournaments;
mod rebuild;
mod reference;
mod script;
mod sentences;
mod simulated;
mod sources;
mod tampered;
mod terms;
mod vectors;
mod workspace;

//! Everything that takes more than one crate to test.

mod cli;
mod properties;
mod random_tournaments;
mod reference;
mod script;
mod sources;
mod vectors;

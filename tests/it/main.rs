//! Everything that takes more than one crate to test.

mod random_tournaments;
mod reference;
mod script;

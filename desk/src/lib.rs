//! Who runs it: the verbs of a scorekeeper and a judge, over a store of many tournaments.
#![doc = include_str!("../README.md")]

pub mod against;
pub mod answers;
pub mod asker;
pub mod bundle;
pub mod claims;
pub mod compared;
pub mod desk;
pub mod dispute;
pub mod edition;
pub mod effect;
pub mod files;
pub mod floor;
pub mod follow;
pub mod foreseen;
pub mod forget;
pub mod forgetting;
pub mod glance;
pub mod hint;
pub mod horizon;
pub mod in_order;
pub mod incoming;
pub mod keys;
#[cfg(test)]
mod kit;
pub mod looking;
pub mod movement;
pub mod names;
pub mod orders;
pub mod outgoing;
pub mod overruled;
pub mod pairing_engine;
pub mod public;
#[cfg(test)]
mod published_tests;
pub mod rebuild;
pub mod rebuilt;
pub mod receipts;
pub mod rehearsal;
pub mod reported;
pub mod review;
pub mod rules;
pub mod shown;
pub mod sign;
pub mod signed;
pub mod simulate;
pub mod standing;
pub mod store;
pub mod table;
pub mod told;
#[cfg(test)]
mod trust_tests;
pub mod verb_error;
pub mod verify;
pub mod what_if;

pub use files::{own_file, publish};

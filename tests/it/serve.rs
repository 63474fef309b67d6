//! The server as people and programs use it: the real binary beside the command, and what it answers
//! over HTTP.

mod api;
mod audit;
#[cfg(feature = "postgres")]
mod balanced;
mod beside;
pub mod client;
mod cut;
mod described;
pub mod enroll;
mod floor;
pub mod folder;
mod follow;
mod follow_inbox;
mod follow_push;
mod gate;
mod hostile;
mod house;
mod https;
mod imports;
mod judge;
mod leaks;
mod live;
mod new_rules;
#[cfg(feature = "postgres")]
mod nodes;
mod open;
mod other_program;
mod own;
mod pages;
mod players;
mod private;
mod problems;
mod proofs;
mod proxy;
mod review;
mod running;
mod season;
mod second;
pub mod secure_hooks;
mod seen;
mod signer;
mod staff;
mod through;
mod twice;
mod undo;
mod visitors;
pub mod webhooks;
mod wire_rules;

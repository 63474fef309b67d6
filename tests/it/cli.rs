//! The command as people use it: the real binary, in a folder of its own, with its own store.

mod bad_input;
pub mod desk;
mod forget;
mod handbook;
mod namesakes;
mod normalise;
#[cfg(feature = "postgres")]
pub mod on_postgres;
mod refusals;
pub mod script;
pub mod sessions;
mod stack;
mod streams;
mod unchecked;
mod what_if;

//! The command as people use it: the real binary, in a folder of its own, with its own store.

mod bad_input;
mod desk;
mod normalise;
mod script;
mod sessions;
mod streams;

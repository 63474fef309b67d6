//! What people hold against a log, tried on tournaments that a desk ran.

mod attested;
mod check;
mod format;
mod held;
mod lots;
mod receipt;

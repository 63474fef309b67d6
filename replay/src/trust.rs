//! What somebody outside can hold against a log: a tree over its records, signed checkpoints of
//! it, and receipts for single records.

pub mod attested;
pub mod check;
pub mod checkpoint;
pub mod history;
pub mod keys;
#[cfg(test)]
pub(crate) mod kit;
pub mod note;
pub mod receipt;
pub mod sign;
pub mod signers;
pub mod tree;

#[cfg(test)]
mod format_tests;

/// A number of records in words.
pub(crate) fn records(count: u64) -> String {
    scrutineer_projections::counted(count, "record")
}

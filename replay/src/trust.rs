//! What somebody outside can hold against a log: a tree over its records, signed checkpoints of
//! it, and receipts for single records.

pub mod note;
pub mod tree;

//! What somebody outside can hold against a log: a tree over its records, signed checkpoints of
//! it, and receipts for single records.

pub mod attested;
pub mod check;
pub mod checkpoint;
pub mod held;
pub mod history;
pub mod note;
pub mod receipt;
pub mod signers;
pub mod tree;

use scrutineer_engine::record::to_hex;

/// A hash by which people compare: its first 32 digits, in fours. Fewer could be forged: whoever
/// writes both sides only has to find two that begin alike.
pub fn digits(hash: &[u8; 32]) -> String {
    note::in_fours(&to_hex(&hash[..16]))
}

/// A number of records in words.
pub fn records(count: u64) -> String {
    scrutineer_projections::counted(count, "record")
}

//! What somebody outside can hold against a log: a tree over its records, signed checkpoints of
//! it, and receipts for single records.

pub mod attested;
pub mod check;
pub mod checkpoint;
pub mod held;
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

use scrutineer_engine::record::to_hex;

/// Digits in fours, as people copy them.
fn in_fours(digits: &str) -> String {
    let fours = digits.as_bytes().chunks(4).map(String::from_utf8_lossy);
    fours.collect::<Vec<_>>().join(" ")
}

/// A hash by which people compare: its first 32 digits, in fours. Fewer could be forged: whoever
/// writes both sides only has to find two that begin alike.
pub fn digits(hash: &[u8; 32]) -> String {
    in_fours(&to_hex(&hash[..16]))
}

/// A number of records in words.
pub(crate) fn records(count: u64) -> String {
    scrutineer_projections::counted(count, "record")
}

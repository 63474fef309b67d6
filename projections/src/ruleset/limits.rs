//! How much a ruleset holds. `docs/LIMITS.md` lists these beside every other limit.

/// Bytes of a ruleset and everything that it extends, together: it stands in one record of the log.
pub const BYTES: usize = 48 * 1024;

/// Files that build on each other.
pub const FILES: usize = 8;

/// Measures of a ruleset.
pub const MEASURES: usize = 64;

/// Entries of a list.
pub const LIST: usize = 100;

/// How deep tables and lists lie in each other.
pub const DEPTH: usize = 6;

/// Bytes of a key or a text.
pub const TEXT: usize = 400;

/// Bytes of the name of a ruleset's file, without `.toml`.
pub const ID: usize = 100;

/// Faults that are told of one ruleset.
pub(crate) const FAULTS: usize = 40;

//! The audit bundle: one tournament in one file, for whoever wants to check it without the store.
//!
//! The format stands in docs/FORMAT.md, "Bundle". A reader takes nothing on trust: whatever
//! follows from the records is made again and compared, line by line.

mod check;
mod diff;
mod held;
pub mod line;
mod packed;
mod read;
mod write;

pub use crate::verify::Against;
pub use check::{Checked, Found, MAX_FINDINGS, check};
pub use diff::{Beyond, Differ, MAX_TOLD, Relation, Told, open, shared};
pub use held::Held;
pub use packed::packed;
pub use read::{Fault, Piece, Place, Read, header, read};
pub use write::{Give, WriteError, Written, proof, write};

use scrutineer_engine::event::RulesetFile;
use scrutineer_engine::record::{RecordHash, StreamId};

/// The longest bundle that is read or written, in bytes.
pub const MAX_BYTES: u64 = 4 << 30;

/// The most records of a bundle.
pub(crate) const MAX_RECORDS: u64 = 1 << 22;

/// The longest line, in bytes with its end, but for the header and announced tables.
pub const MAX_LINE: u64 = 1 << 20;

/// The longest header, and the longest announced table.
pub(crate) const MAX_LONG_LINE: u64 = 64 << 20;

/// The most rulesets of a header.
pub(crate) const MAX_RULESETS: usize = 256;

/// The most secrets.
pub(crate) const MAX_SECRETS: usize = 256;

/// The most bytes of one command's records, so that a store can take it as a whole.
pub(crate) const MAX_COMMAND: u64 = 500 << 20;

/// What the first line says. The id and the hash of a ruleset follow from its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the program that wrote it.
    pub program: String,
    /// The tournament.
    pub stream: StreamId,
    /// How many records there are.
    pub records: u64,
    /// The hash of the last one.
    pub head: RecordHash,
    /// The rulesets that the records bring into force, in their order, each once.
    pub rulesets: Vec<Vec<RulesetFile>>,
    /// Whether it hands the tournament over to another desk.
    pub private: bool,
}

//! How a store is opened, why it can't be, and what its user should be told.

use std::path::PathBuf;
use std::time::Duration;

use super::LogError;
use crate::record::StreamId;

/// How an embedded store works. The defaults are right for a tournament desk.
#[derive(Clone, Debug)]
pub struct Options {
    /// sled's cache, in bytes.
    pub cache_bytes: u64,
    /// sled's own files are cut into pieces of this many bytes, a power of two. It is fixed when a
    /// sled folder is created; with another value later the folder is made again.
    pub sled_segment_bytes: usize,
    /// A journal segment is sealed when it has this many bytes.
    pub journal_segment_bytes: u64,
    /// How long opening sled may show no progress.
    pub open_deadline: Duration,
    /// How long one step inside sled may take before sled counts as stuck.
    pub step_deadline: Duration,
    /// How long a reader waits for sled to catch up before it reads from the journal.
    pub patience: Duration,
    /// How many command ids are kept in memory, over all streams.
    pub hot_commands: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cache_bytes: 256 * 1024 * 1024,
            sled_segment_bytes: 16 * 1024 * 1024,
            journal_segment_bytes: 64 * 1024 * 1024,
            open_deadline: Duration::from_secs(60),
            step_deadline: Duration::from_secs(30),
            patience: Duration::from_secs(2),
            hot_commands: 250_000,
        }
    }
}

/// Something the user should know. Nothing was lost; the store goes on working.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// A stable code: `unclean-stop`, `journal-tail-cut`, `sled-rebuilt`, `sled-unavailable`,
    /// `sled-copy-failed`.
    pub code: &'static str,
    /// A plain sentence.
    pub text: String,
}

impl Notice {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Notice {
        Notice { code, text: text.into() }
    }
}

/// What a store has done since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stats {
    /// Commands in the journal, from its beginning.
    pub commands: u64,
    /// Commands that have reached sled.
    pub commands_in_sled: u64,
    /// How often the disk was waited for since opening.
    pub syncs: u64,
}

/// Why a store can't be opened. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Somebody else has it open.
    #[error(
        "another process has the store {folder} open; use that one, or stop it and try again",
        folder = .folder.display()
    )]
    InUse {
        /// The store.
        folder: PathBuf,
    },
    /// The folder can't be written.
    #[error(
        "the store {folder} can't be written: {reason}; \
         copy it to a folder you may write, or change its permissions",
        folder = .folder.display()
    )]
    ReadOnly {
        /// The store.
        folder: PathBuf,
        /// The operating system's words.
        reason: String,
    },
    /// The folder holds something else.
    #[error(
        "{folder} is not a store: {reason}; name an empty folder or a store",
        folder = .folder.display()
    )]
    NotAStore {
        /// The folder.
        folder: PathBuf,
        /// What is there.
        reason: String,
    },
    /// The store's format is unknown.
    #[error(
        "the store has format {found}, this program knows {known}: \
         it was written by a newer version; install that version to open it"
    )]
    Newer {
        /// The format it has.
        found: u32,
        /// The newest known format.
        known: u32,
    },
    /// The journal ends in a broken frame, although the store had been closed in order.
    #[error(
        "journal segment {segment} is damaged at byte {offset}, its last {bytes} bytes: the store \
         was closed in order, so this is not an interrupted write; restore the file from a copy"
    )]
    TailDamaged {
        /// The segment's number.
        segment: u64,
        /// Where the damage begins.
        offset: u64,
        /// How much follows.
        bytes: u64,
    },
    /// The journal lacks records that were acknowledged: sled still has them.
    #[error(
        "the journal is shorter than it was: stream {stream} ends at record {journal}, sled has \
         records to {sled}; restore the journal from a copy, or, to go on with the shorter one, \
         move the folder `sled` away and open the store again"
    )]
    JournalShort {
        /// The stream.
        stream: StreamId,
        /// The journal's last record.
        journal: u64,
        /// sled's last record.
        sled: u64,
    },
    /// The journal can't be read, or is damaged.
    #[error(transparent)]
    Log(#[from] LogError),
}

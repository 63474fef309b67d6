//! The append-only log: small on purpose, so that another engine can stand behind it.
//!
//! A log holds streams of records. A command's records are appended together or not at all, and
//! only directly after the head their writer has seen.

mod memory;
mod texts_first;

pub use memory::MemoryLog;
pub use texts_first::TextsFirst;

use crate::book::{BookError, PrivateEntry, PrivateTexts};
use crate::error::Code;
use crate::record::{Chain, ChainError, CommandId, Record, RecordError, RecordHash, StreamId};

/// The end of a stream: its last record's place and hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Head {
    /// The place of the last record; 0 for an empty stream.
    pub seq: u64,
    /// The hash of the last record; zeros for an empty stream.
    pub hash: RecordHash,
}

impl Head {
    /// The head of a stream without records.
    pub const EMPTY: Head = Head { seq: 0, hash: RecordHash::ZERO };
}

/// One command: its records, all of them, and the private texts that they commit to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The records, part 1 to the last.
    pub records: Vec<Record>,
    /// A hash of what the command asked for: same id with another digest is another command.
    pub command_digest: [u8; 32],
    /// The private texts behind the commitments of the records, with rising numbers.
    pub texts: Vec<PrivateEntry>,
}

/// Where a command's records stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandTrace {
    /// The place of its first record.
    pub first_seq: u64,
    /// The place of its last record.
    pub last_seq: u64,
    /// The digest it was appended with.
    pub digest: [u8; 32],
}

/// Records as they are read, one by one; nothing follows an error.
pub type Records<'a> = Box<dyn Iterator<Item = Result<Record, LogError>> + 'a>;

/// Where records are kept. Every method may be called from any thread.
pub trait Log: Send + Sync {
    /// The end of a stream; [`Head::EMPTY`] for one that was never written.
    ///
    /// # Errors
    /// When the log can't be read.
    fn head(&self, stream: StreamId) -> Result<Head, LogError>;

    /// Appends one command with its texts if the stream still ends at `expected`, and returns the
    /// new head.
    ///
    /// When this returns `Ok` the records are kept for good, and so are the texts, which are never
    /// durable later than the records. A command id that the stream already holds is never appended
    /// again: that is looked at before `expected`, so that a repeated command gets
    /// [`AppendError::CommandKnown`] however far the stream has moved on.
    ///
    /// Texts that stand there word for word already, from a try that was cut off, are taken for
    /// written. After an error the texts may stand there without records: whoever gives a command
    /// up forgets them.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] when somebody else appended first; read and decide again.
    /// [`AppendError::Texts`] when the texts can't be kept; no record is then.
    /// [`AppendError::Unknown`] where the log is on another machine: the command may be recorded.
    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError>;

    /// The records after place `after`, in order, complete commands only. An error takes the place
    /// of the record that can't be read, and ends the reading.
    ///
    /// What was appended before the call is read; what is appended later may not be.
    fn read(&self, stream: StreamId, after: u64) -> Records<'_>;

    /// Every record of every stream in the order of storage, as the bytes that are kept say:
    /// checksums are checked, and every hash is taken from the bytes. Records of different streams
    /// are mixed, those of one stream stand in order. For verifying and copying a whole log.
    fn scan(&self) -> Records<'_>;

    /// Where a command stands, however long ago it was appended.
    ///
    /// # Errors
    /// When the log can't be read.
    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError>;

    /// Every stream that has records, in the order of their ids.
    ///
    /// # Errors
    /// When the log can't be read.
    fn streams(&self) -> Result<Vec<StreamId>, LogError>;

    /// The private texts behind the commitments of the records.
    fn texts(&self) -> &dyn PrivateTexts;
}

/// The end of a stream that was seen, and what is there instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// What was seen.
    pub seen: Head,
    /// What was found later; [`Head::EMPTY`]: nothing at that place.
    pub found: Head,
}

impl LogError {
    /// A stream that ends otherwise than it was seen to.
    pub fn forked(stream: StreamId, seen: Head, found: Head) -> LogError {
        LogError::Forked { stream, ends: Box::new(Ends { seen, found }) }
    }
}

/// Why a log can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum LogError {
    /// The operating system refused.
    #[error("cannot {action} {file}: {reason}; check the disk and the folder's permissions")]
    Io { action: &'static str, file: String, reason: String },
    /// Bytes in the journal are not what was written.
    #[error(
        "the journal's file {segment:08}.seg is damaged at byte {offset}: {what}; \
         nothing was changed"
    )]
    Damaged { segment: u64, offset: u64, what: String },
    /// A record is kept somewhere else than in a journal, and its bytes are not what was written.
    #[error("record {seq} of tournament {stream} is damaged: {fault}; nothing was changed")]
    Unreadable { stream: StreamId, seq: u64, fault: Box<RecordError> },
    /// The database that keeps the log did not answer, or refused.
    #[error("the database does not answer as it should: {reason}; check that it runs")]
    Database { reason: String },
    /// The database has forgotten, or never had, what was seen there before.
    #[error(
        "the database is not the one that was seen: tournament {stream} had event {} with hash {}, \
         and now its event {} has hash {}; nothing more is recorded in it here",
        .ends.seen.seq, .ends.seen.hash, .ends.found.seq, .ends.found.hash
    )]
    Forked { stream: StreamId, ends: Box<Ends> },
    /// The server of the database is one that another has taken the place of.
    #[error(
        "the database's server is on timeline {found}, and one on timeline {seen} has taken its \
         place: nothing is asked of it"
    )]
    Replaced { seen: u32, found: u32 },
    /// Records don't follow each other.
    #[error("tournament {stream} is broken: {fault}")]
    Broken { stream: StreamId, fault: ChainError },
    /// The log was closed.
    #[error("the store was closed; open it again")]
    Closed,
}

/// What to do about an error of the database, by its code; none: it is of something else.
pub fn what_to_do(code: Code) -> Option<&'static str> {
    Some(match code.word {
        "database-forked" => {
            "whoever runs the database decides which of the two stands: docs/OPERATIONS.md, A fork is \
             reported. What is in the database now is read, exported and backed up with a node folder \
             that has seen nothing: --node <new folder>, and SCRUTINEER_DATABASE_KEY_FILE names the same \
             database.key"
        }
        "database-replaced" => {
            "nothing else is wrong: whoever runs the database mends its HAProxy, docs/OPERATIONS.md"
        }
        "waiting-for-database" => "nothing was done, and nothing is lost: try it again in a moment",
        "outcome-unknown" => {
            "look whether it is recorded before it is entered again: `scrutineer log --limit 5`. What \
             was sent under a key may be sent again under the same one"
        }
        _ => return None,
    })
}

impl From<LogError> for BookError {
    fn from(error: LogError) -> BookError {
        match error {
            LogError::Io { action, file, reason } => BookError::Io { action, file, reason },
            LogError::Database { reason } => BookError::Database { reason },
            other => match (other.code(), other.to_string()) {
                (Some(code), reason) => BookError::OtherDatabase { code, reason },
                (None, reason) => {
                    BookError::Io { action: "keep", file: "the private texts".to_string(), reason }
                }
            },
        }
    }
}

impl LogError {
    /// The stable code of an error of the database; none for others.
    pub const fn code(&self) -> Option<Code> {
        match self {
            LogError::Forked { .. } => Some(Code::damaged("database-forked")),
            LogError::Replaced { .. } => Some(Code::io("database-replaced")),
            LogError::Database { .. } => Some(Code::busy("waiting-for-database")),
            _ => None,
        }
    }

    /// Whether what was written is not there as it was written: a copy brings it back.
    pub const fn is_damage(&self) -> bool {
        use LogError::{Broken, Damaged, Unreadable};
        matches!(self, Damaged { .. } | Unreadable { .. } | Broken { .. })
    }
}

/// Why a command was not appended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum AppendError {
    /// Somebody else appended first.
    #[error(
        "the log has moved on: expected record {} as its last, found {}; read on and try again",
        .expected.seq, .actual.seq
    )]
    Conflict { expected: Head, actual: Head },
    /// The stream already holds a command with this id.
    #[error("this command was already carried out, as records {} to {}", .0.first_seq, .0.last_seq)]
    CommandKnown(CommandTrace),
    /// The batch is not one whole command after `expected`.
    #[error("the batch can't be appended: {0}")]
    Batch(#[from] BatchError),
    /// The log was opened to be read only.
    #[error(
        "the store was opened to be read only, since it can't be written; nothing was recorded"
    )]
    ReadOnly,
    /// Writing failed earlier. What is stored is safe; this handle accepts nothing more.
    #[error("the store stopped accepting: {reason}; free or replace the disk, then open it again")]
    Stopped { reason: String },
    /// The answer was lost on its way, and was not to be had a second time.
    #[error("nobody can say yet whether this was recorded ({reason})")]
    Unknown { reason: String },
    /// The private texts of the command couldn't be kept. None of its records is.
    #[error(transparent)]
    Texts(#[from] BookError),
    /// What is already stored couldn't be read.
    #[error(transparent)]
    Read(#[from] LogError),
}

/// Why records are not one whole command after a head.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum BatchError {
    /// There is nothing in it.
    #[error("it has no records")]
    Empty,
    /// A record doesn't follow the one before.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// It holds less or more than one command.
    #[error("it has {found} records of a command with {parts}")]
    NotOneCommand { parts: u32, found: usize },
    /// It is larger than a journal frame may be.
    #[error("it has {bytes} bytes; {most} is the most for one command, so split it")]
    TooLarge { bytes: u64, most: u64 },
}

impl Batch {
    /// Checks that this is one whole command directly after `expected`, and gives the head after
    /// it. An expected head that doesn't fit the batch itself is a fault of the batch, not a
    /// conflict.
    ///
    /// # Errors
    /// [`BatchError`] names the record.
    pub fn check(&self, expected: Head) -> Result<Head, BatchError> {
        let first = self.records.first().ok_or(BatchError::Empty)?.header();
        let mut chain = Chain::after(first.stream, expected.seq, expected.hash);
        let parts = first.parts;
        if self.records.len() != parts as usize {
            return Err(BatchError::NotOneCommand { parts, found: self.records.len() });
        }
        for record in &self.records {
            chain.follows(record)?;
        }
        let (seq, hash) = chain.last();
        Ok(Head { seq, hash })
    }
}

/// What to do about a damaged journal.
pub const RESTORE: &str = "bring it back: `scrutineer restore --from <mirror or backup>`; the \
     damaged store is set aside, not deleted";

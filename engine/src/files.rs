//! Side files: what is kept beside the log and is no event, such as announced tables and signed
//! checkpoints. What stands in them is none of this crate's business.

mod memory;

pub use memory::MemoryFiles;

use crate::log::LogError;
use crate::record::StreamId;

/// What becomes of a file when its store is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// It goes into every copy.
    Copied,
    /// It follows from the log, so that no copy needs it, and a power cut may take it.
    Derived,
    /// It goes into no copy: whoever finds one must not read it.
    Secret,
}

codes! {
    /// What a side file is for. Its word is the name of its folder in a store on a disk.
    #[non_exhaustive]
    pub enum Room {
        /// The secrets of a tournament's seeds.
        Secrets = 1 "secrets",
        /// What left the store: one file for all tournaments.
        Exports = 2 "exports",
        /// The announced tables of a tournament.
        Announced = 3 "announced",
        /// The signed checkpoints of a tournament.
        Checkpoints = 4 "checkpoints",
        /// States of a tournament after some of its events, one file each.
        Snapshots = 5 "snapshots",
        /// Of which tournament elsewhere one is a copy, and how far it holds.
        Followed = 6 "followed",
        /// The editions of rules that a database keeps for its servers, of all tournaments, each under a number.
        Editions = 7 "editions",
        /// Those that wait until somebody names their key.
        OfferedEditions = 8 "offered",
        /// The season that is ranked under other rules, and what came of it.
        Season = 9 "season",
    }
}

impl Room {
    /// What becomes of its files when their store is copied.
    #[must_use]
    pub const fn kind(self) -> FileKind {
        match self {
            Room::Secrets => FileKind::Secret,
            Room::Exports
            | Room::Announced
            | Room::Checkpoints
            | Room::Followed
            | Room::Editions => FileKind::Copied,
            Room::Snapshots | Room::OfferedEditions | Room::Season => FileKind::Derived,
        }
    }

    /// Whether its files are of all tournaments, and none of one.
    #[must_use]
    pub const fn is_of_all(self) -> bool {
        matches!(self, Room::Exports | Room::Editions | Room::OfferedEditions | Room::Season)
    }
}

/// Which file is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SideFile {
    /// What it is for.
    pub room: Room,
    /// Of which tournament; none: of all.
    pub stream: Option<StreamId>,
    /// Which one of several; 0 where there is one only.
    pub number: u64,
}

impl SideFile {
    /// The only file of a tournament in a room.
    pub const fn of(room: Room, stream: StreamId) -> SideFile {
        SideFile { room, stream: Some(stream), number: 0 }
    }

    /// The only file of a room that is for all tournaments.
    pub const fn of_all(room: Room) -> SideFile {
        SideFile { room, stream: None, number: 0 }
    }

    /// The same with a number.
    #[must_use]
    pub const fn numbered(self, number: u64) -> SideFile {
        SideFile { number, ..self }
    }
}

/// Where side files are kept. Every method may be called from any thread, and each change is
/// compared with what its caller has seen, so that of two who change a file at once one is told.
pub trait SideFiles: Send + Sync {
    /// What a file holds; none where there is no such file.
    ///
    /// # Errors
    /// When it can't be read, or is longer than `most` bytes.
    fn get(&self, file: SideFile, most: u64) -> Result<Option<Vec<u8>>, FileError>;

    /// The files of a room and their lengths in bytes, of one tournament or of all, in order.
    ///
    /// # Errors
    /// When they can't be listed.
    fn list(&self, room: Room, stream: Option<StreamId>)
    -> Result<Vec<(SideFile, u64)>, FileError>;

    /// Appends behind the first `keep` bytes of a file that has `seen` bytes; what stood behind
    /// them, such as the beginning of a line that a power cut tore, goes. A file of 0 bytes need
    /// not be there. Durable when this returns, unless the file is derived.
    ///
    /// # Errors
    /// [`FileError::Changed`] where it has another length. Where writing fails, a part of the bytes
    /// may stand there.
    fn append(&self, file: SideFile, seen: u64, keep: u64, bytes: &[u8]) -> Result<(), FileError>;

    /// Replaces a file that holds `seen`, as a whole; with none, it must not be there yet. Durable
    /// when this returns.
    ///
    /// # Errors
    /// [`FileError::Changed`] where it holds something else. The old file stands after any error.
    fn replace(&self, file: SideFile, seen: Option<&[u8]>, bytes: &[u8]) -> Result<(), FileError>;

    /// Removes a file, and says whether there was one.
    ///
    /// # Errors
    /// When it can't be removed.
    fn remove(&self, file: SideFile) -> Result<bool, FileError>;

    /// How messages call a file, such as its path.
    fn called(&self, file: SideFile) -> String;
}

/// Why a side file can't be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum FileError {
    /// The operating system refused.
    #[error("cannot {action} {file}: {reason}; check the disk and the folder's permissions")]
    Io { action: &'static str, file: String, reason: String },
    /// Somebody else changed it since it was read.
    #[error("{file} was changed by somebody else in between; try again")]
    Changed { file: String },
    /// It is encrypted, and the key for it is not here.
    #[error("{file} {what}")]
    Key { file: String, what: String },
    /// The database that keeps it did not answer, is not the one that was seen, or was replaced.
    #[error(transparent)]
    Database(#[from] LogError),
    /// It is longer than anything that is kept there.
    #[error("{file} has more than the {most} bytes that are read")]
    TooLong { file: String, most: u64 },
}

impl FileError {
    /// The reason alone, without the file's name.
    pub fn reason(&self) -> String {
        match self {
            FileError::Io { reason, .. } => reason.clone(),
            FileError::Key { what, .. } => format!("it {what}"),
            FileError::Database(error) => error.to_string(),
            FileError::Changed { .. } => "somebody else changed it in between".to_string(),
            FileError::TooLong { most, .. } => {
                format!("it has more than the {most} bytes that are read")
            }
        }
    }
}

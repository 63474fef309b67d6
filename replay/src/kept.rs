//! What is kept of tournaments, as verification and exports read it.

use crate::announced::AnnouncedTable;
use scrutineer_engine::book::{BookError, PrivateTexts};
use scrutineer_engine::error::Code;
use scrutineer_engine::handler::{LoadError, WAITING};
use scrutineer_engine::log::{Log, LogError, RESTORE};
use scrutineer_engine::record::StreamId;

/// What is kept of tournaments: the log, the private texts, and the files beside them.
pub trait Kept {
    /// The log.
    fn log(&self) -> &dyn Log;

    /// The private texts.
    fn books(&self) -> &dyn PrivateTexts;

    /// The secrets of a tournament's seeds that are kept here, the latest last; the commitment in
    /// the log says which one counts.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn secrets(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, KeptError>;

    /// The tables of a tournament's announcements, as far as they are kept, by seq.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn announced(&self, stream: StreamId) -> Result<Vec<AnnouncedTable>, KeptError>;

    /// How many lines of those that are kept are no tables; not a last one that a power cut tore.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn announced_unread(&self, stream: StreamId) -> Result<usize, KeptError>;

    /// The checkpoints of a tournament that were signed here, each a signed note, the latest last.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn checkpoints(&self, stream: StreamId) -> Result<Vec<String>, KeptError>;
}

scrutineer_engine::errors! {
    /// Why something that is kept cannot be read.
    #[derive(Clone)]
    pub enum KeptError -> Option<&'static str> {
        /// The log cannot be read.
        Load(#[from] LoadError) => (error) of_log(error).0, "{0}", of_log(error).1;
        /// A private book cannot be read.
        Book(#[from] BookError) => (error) of_book(error).0, "{0}", of_book(error).1;
        /// A secret cannot be kept or read.
        Secret { action: &'static str, file: String, reason: String } = io "secret-not-kept",
            "cannot {action} the pairing secret, {file}: {reason}",
            Some("check the disk and the folder's permissions");
        /// What is kept beside the log cannot be written or read.
        Beside { action: &'static str, file: String, reason: String } = io "beside-not-kept",
            "cannot {action} {file}: {reason}", Some("check the disk and the folder's permissions");
    }
}

/// What to do about a database that is another one than before.
const ASK_WHO_RUNS_IT: &str =
    "whoever runs the database decides which of the two stands: docs/OPERATIONS.md";

/// What to do while a database does not answer.
const AGAIN: &str = "nothing was done, and nothing is lost: try it again in a moment";

/// The code of a private book that is not read, and what to do next.
fn of_book(error: &BookError) -> (Code, Option<&'static str>) {
    let hint = "bring it back: `scrutineer restore --from <mirror or backup>`; without one, \
                `restore --from <this store> --store <new folder>` keeps all that is whole";
    match error {
        BookError::Database { .. } => (WAITING, Some(AGAIN)),
        BookError::Line { .. } => (Code::damaged("book-not-read"), Some(hint)),
        _ => (Code::damaged("book-not-read"), None),
    }
}

/// The code of a log that is not read, and what to do next.
fn of_log(error: &LoadError) -> (Code, Option<&'static str>) {
    match error {
        LoadError::Log(LogError::Database { .. }) => (WAITING, Some(AGAIN)),
        LoadError::Log(error) if error.is_damage() => {
            (Code::damaged("journal-damaged"), Some(RESTORE))
        }
        LoadError::Log(error) => match error.code() {
            Some(code) => (code, Some(ASK_WHO_RUNS_IT)),
            None => (Code::damaged("log-not-read"), None),
        },
        _ => (Code::damaged("log-not-read"), None),
    }
}

impl From<LogError> for KeptError {
    fn from(error: LogError) -> KeptError {
        KeptError::Load(error.into())
    }
}

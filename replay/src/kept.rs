//! What is kept of tournaments, as verification and exports read it.

use crate::announced::AnnouncedTable;
use scrutineer_engine::book::{BookError, PrivateTexts};
use scrutineer_engine::error::Code;
use scrutineer_engine::files::FileError;
use scrutineer_engine::handler::LoadError;
use scrutineer_engine::log::{Log, LogError, RESTORE, what_to_do};
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
        /// A secret is encrypted, and the key that it needs is not here.
        Key { action: &'static str, what: String } = io "secret-not-kept",
            "cannot {action} the pairing secret: {what}",
            Some("all machines of a database have the same key, the file database.key: docs/POSTGRES.md, \
                  What stays on this machine");
        /// What is kept beside the log cannot be written or read.
        Beside { action: &'static str, file: String, reason: String } = io "beside-not-kept",
            "cannot {action} {file}: {reason}", Some("check the disk and the folder's permissions");
    }
}

/// The code of a private book that is not read, and what to do next.
fn of_book(error: &BookError) -> (Code, Option<&'static str>) {
    let hint = "bring it back: `scrutineer restore --from <mirror or backup>`; without one, \
                `restore --from <this store> --store <new folder>` keeps all that is whole";
    if let Some(code) = error.of_database() {
        return (code, what_to_do(code));
    }
    match error {
        BookError::Line { .. } => (Code::damaged("book-not-read"), Some(hint)),
        _ => (Code::damaged("book-not-read"), None),
    }
}

/// The code of a log that is not read, and what to do next.
fn of_log(error: &LoadError) -> (Code, Option<&'static str>) {
    match error {
        LoadError::Log(error) if error.is_damage() => {
            (Code::damaged("journal-damaged"), Some(RESTORE))
        }
        LoadError::Log(error) => match error.code() {
            Some(code) => (code, what_to_do(code)),
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

impl KeptError {
    /// Why a file beside the log cannot be read or written. `called` is how its place is named.
    pub fn of_file(action: &'static str, called: String, error: FileError) -> KeptError {
        match error {
            FileError::Database(error) => error.into(),
            FileError::Key { file, what } => {
                KeptError::Key { action, what: format!("{file} {what}") }
            }
            error => KeptError::Beside { action, file: called, reason: error.reason() },
        }
    }
}

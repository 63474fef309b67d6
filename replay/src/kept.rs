//! What is kept of tournaments, as verification and exports read it.

use crate::announced::AnnouncedTable;
use scrutineer_engine::book::{BookError, PrivateTexts};
use scrutineer_engine::handler::LoadError;
use scrutineer_engine::log::{Log, LogError};
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

/// Why something that is kept cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeptError {
    /// The log cannot be read.
    #[error("{0}")]
    Load(#[from] LoadError),
    /// A private book cannot be read.
    #[error("{0}")]
    Book(#[from] BookError),
    /// A secret cannot be kept or read.
    #[error("cannot {action} the pairing secret, {file}: {reason}")]
    Secret {
        /// What was tried.
        action: &'static str,
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
    /// What is kept beside the log cannot be written or read.
    #[error("cannot {action} {file}: {reason}")]
    Beside {
        /// What was tried.
        action: &'static str,
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
}

impl KeptError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            KeptError::Load(LoadError::Log(LogError::Damaged { .. } | LogError::Broken { .. })) => {
                "journal-damaged"
            }
            KeptError::Load(_) => "log-not-read",
            KeptError::Book(_) => "book-not-read",
            KeptError::Secret { .. } => "secret-not-kept",
            KeptError::Beside { .. } => "beside-not-kept",
        }
    }

    /// What to do next.
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            KeptError::Secret { .. } | KeptError::Beside { .. } => {
                Some("check the disk and the folder's permissions")
            }
            KeptError::Load(LoadError::Log(LogError::Damaged { .. } | LogError::Broken { .. })) => {
                Some(scrutineer_engine::log::RESTORE)
            }
            KeptError::Book(BookError::Line { .. }) => Some(
                "bring it back: `scrutineer restore --from <mirror or backup>`; without one, \
                 `restore --from <this store> --store <new folder>` keeps all that is whole",
            ),
            _ => None,
        }
    }
}

impl From<LogError> for KeptError {
    fn from(error: LogError) -> KeptError {
        KeptError::Load(error.into())
    }
}

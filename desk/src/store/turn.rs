//! Who writes beside the log: one at a time, also while another program has the store open.

use scrutineer_replay::kept::KeptError;
use std::fs::{File, TryLockError};
use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long is waited: who writes beside a log is done in a moment.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long is waited before it is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// Held by whoever adds to what stands beside the log: two who did so at once would write over each
/// other. The store's own lock is for the journal, and is held for as long as a desk is open.
#[derive(Debug)]
pub struct Turn {
    /// None in memory, and in a store that can't be written.
    _file: Option<File>,
}

impl Turn {
    /// Waits until it is nobody else's, in the store of this folder; not without end.
    pub(super) fn at(store: &Path) -> Result<Turn, KeptError> {
        let file = store.join("beside");
        let mut options = File::options();
        let refused = |reason: String| KeptError::Beside {
            action: "lock",
            file: file.display().to_string(),
            reason,
        };
        let open = match options.write(true).create(true).truncate(false).open(&file) {
            Ok(open) => open,
            // Where nothing can be written, what is to be written is refused.
            Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
                return Ok(Turn { _file: None });
            }
            Err(error) => return Err(refused(error.to_string())),
        };
        let begun = Instant::now();
        while let Err(why) = open.try_lock() {
            match why {
                TryLockError::WouldBlock if begun.elapsed() < PATIENCE => sleep(PAUSE),
                TryLockError::WouldBlock => {
                    return Err(refused("another program has held it for a minute".into()));
                }
                TryLockError::Error(error) => return Err(refused(error.to_string())),
            }
        }
        Ok(Turn { _file: Some(open) })
    }

    /// In memory, where nobody else is.
    pub(super) fn alone() -> Turn {
        Turn { _file: None }
    }
}

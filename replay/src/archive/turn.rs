//! Who writes beside the log: one at a time, also while another program has the store open.

use super::ArchiveError;
use std::fs::File;
use std::path::Path;

/// Held by whoever adds to what stands beside the log: two who did so at once would write over each
/// other. The store's own lock is for the journal, and is held for as long as a desk is open.
#[derive(Debug)]
pub struct Turn {
    /// None in memory, and in a store that can't be written.
    _file: Option<File>,
}

impl Turn {
    /// Waits until it is nobody else's, in the store of this folder.
    pub(super) fn at(store: &Path) -> Result<Turn, ArchiveError> {
        let file = store.join("beside");
        let mut options = File::options();
        // Where nothing can be written, what is to be written is refused.
        let Ok(open) = options.write(true).create(true).truncate(false).open(&file) else {
            return Ok(Turn { _file: None });
        };
        open.lock().map_err(|error| ArchiveError::Beside {
            action: "lock",
            file: file.display().to_string(),
            reason: error.to_string(),
        })?;
        Ok(Turn { _file: Some(open) })
    }

    /// In memory, where nobody else is.
    pub(super) fn alone() -> Turn {
        Turn { _file: None }
    }
}

//! [Files that stay](crate::files), with the log's errors.

use std::fs::File;
use std::io;
use std::path::Path;

use super::LogError;
use crate::files::{self, Readers};

/// An operating system's refusal in words, with what was tried.
pub(crate) fn io_error(action: &'static str, file: &Path, error: &io::Error) -> LogError {
    LogError::Io { action, file: file.display().to_string(), reason: error.to_string() }
}

/// Makes durable what a file holds, whoever wrote it.
pub(crate) fn sync_file(file: &Path) -> Result<(), LogError> {
    files::sync_file(file).map_err(|error| io_error("sync", file, &error))
}

/// Makes a folder's list of names durable: a new file may vanish before this.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), LogError> {
    files::sync_folder(folder).map_err(|error| io_error("sync", folder, &error))
}

/// Creates a folder and those above it, each durably.
pub(crate) fn create_folder(folder: &Path) -> Result<(), LogError> {
    files::create_folder(folder).map_err(|error| io_error("create", folder, &error))
}

/// Makes the names of a folder and of those above it durable, as far as they may be opened.
///
/// Whoever made them may have been killed before they did so themselves.
pub(crate) fn sync_above(folder: &Path) -> Result<(), LogError> {
    for above in folder.ancestors().skip(1) {
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        match File::open(above) {
            // Nobody could have made a folder there and not be allowed to look at it.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            _ => sync_folder(above)?,
        }
    }
    Ok(())
}

/// Replaces a file as a whole: after a power cut there is the old one or the new one.
pub(crate) fn replace_file(file: &Path, bytes: &[u8]) -> Result<(), LogError> {
    files::replace(file, bytes, Readers::Owner).map_err(|error| io_error("replace", file, &error))
}

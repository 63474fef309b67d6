//! [Files that stay](crate::files), with the log's errors.

use std::io;
use std::path::Path;

use super::LogError;
use crate::files::{self, Readers};

/// An operating system's refusal in words, with what was tried.
pub(crate) fn io_error(action: &'static str, file: &Path, error: &io::Error) -> LogError {
    LogError::Io { action, file: file.display().to_string(), reason: error.to_string() }
}

/// Makes a folder's list of names durable: a new file may vanish before this.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), LogError> {
    files::sync_folder(folder).map_err(|error| io_error("sync", folder, &error))
}

/// Creates a folder and those above it, each durably.
pub(crate) fn create_folder(folder: &Path) -> Result<(), LogError> {
    files::create_folder(folder).map_err(|error| io_error("create", folder, &error))
}

/// Replaces a file as a whole: after a power cut there is the old one or the new one.
pub(crate) fn replace_file(file: &Path, bytes: &[u8]) -> Result<(), LogError> {
    files::replace(file, bytes, Readers::Owner).map_err(|error| io_error("replace", file, &error))
}

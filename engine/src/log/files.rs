//! Files that stay: creating and replacing them so that they survive a power cut.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::LogError;

/// An operating system's refusal in words, with what was tried.
pub(crate) fn io_error(action: &'static str, file: &Path, error: &io::Error) -> LogError {
    LogError::Io { action, file: file.display().to_string(), reason: error.to_string() }
}

/// Makes a folder's list of names durable: a new file may vanish before this.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), LogError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    match synced {
        Ok(()) => Ok(()),
        // Elsewhere a folder can't be opened as a file, and needs no sync of its own.
        Err(_) if !cfg!(unix) => Ok(()),
        Err(error) => Err(io_error("sync", folder, &error)),
    }
}

/// Creates a folder and those above it, each durably.
pub(crate) fn create_folder(folder: &Path) -> Result<(), LogError> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        create_folder(parent)?;
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(io_error("create", folder, &error));
        }
        _ => {}
    }
    sync_folder(parent.unwrap_or(Path::new(".")))
}

/// Makes the names of a folder and of those above it durable, as far as they may be opened.
///
/// Whoever made them may have been killed before he did so himself.
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
    let next = file.with_extension("new");
    write_synced(&next, bytes)?;
    fs::rename(&next, file).map_err(|error| io_error("replace", file, &error))?;
    match file.parent() {
        Some(folder) => sync_folder(folder),
        None => Ok(()),
    }
}

fn write_synced(file: &Path, bytes: &[u8]) -> Result<(), LogError> {
    let mut out = private_file(file).map_err(|error| io_error("create", file, &error))?;
    io::Write::write_all(&mut out, bytes)
        .and_then(|()| out.sync_all())
        .map_err(|error| io_error("write", file, &error))
}

/// An empty file that only its owner may read.
pub(crate) fn private_file(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

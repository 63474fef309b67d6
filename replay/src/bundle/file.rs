//! The file of a bundle: written beside and renamed, so that it is there whole or not at all.

use super::write::{Give, WriteError, Written, write};
use crate::archive::Archive;
use crate::files;
use scrutineer_engine::record::StreamId;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes an event as a bundle to a file, durably. One that hands the event over is readable by
/// its owner only. A file that is there already stays, unless it is to be replaced.
///
/// # Errors
/// As [`write()`]; nothing is left behind then.
pub fn write_file(
    archive: &Archive,
    stream: StreamId,
    give: Give,
    file: &Path,
    replace: bool,
) -> Result<Written, WriteError> {
    if !replace && file.exists() {
        return Err(WriteError::Exists { file: file.display().to_string() });
    }
    let beside = beside(file);
    let done = write_to(archive, stream, give, &beside).and_then(|written| {
        fs::rename(&beside, file)?;
        files::sync_folder(file.parent().unwrap_or(Path::new(".")))?;
        Ok(written)
    });
    if done.is_err() {
        // What is there is of no use; where it cannot be removed either, the error says enough.
        let _ = fs::remove_file(&beside);
    }
    done
}

fn write_to(
    archive: &Archive,
    stream: StreamId,
    give: Give,
    beside: &Path,
) -> Result<Written, WriteError> {
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if give == Give::Handover {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut out = BufWriter::with_capacity(1 << 16, options.open(beside)?);
    let written = write(archive, stream, give, &mut out)?;
    out.flush()?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(written)
}

/// A name beside the file that nobody else has.
fn beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.{}.new", std::process::id()))
}

//! The file of a bundle: there whole or not at all.

use crate::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::bundle::{Give, WriteError, Written, write};
use scrutineer_store::files::{Beside, Readers};
use std::io;
use std::path::Path;

/// Writes an event as a bundle to a file, durably. One that hands the event over is readable by
/// its owner only. A file that is there already stays, unless it is to be replaced.
///
/// # Errors
/// As [`write()`]; nothing is left behind then.
pub fn write_file(
    store: &Store,
    stream: StreamId,
    give: Give,
    file: &Path,
    replace: bool,
) -> Result<Written, WriteError> {
    let there = || WriteError::Exists { file: file.display().to_string() };
    // Asked before the work too.
    if !replace && file.exists() {
        return Err(there());
    }
    let readers = if give == Give::Handover { Readers::Owner } else { Readers::Others };
    let mut out = Beside::create(file, readers)?;
    let written = write(store, stream, give, &mut out)?;
    let done = if replace { out.finish() } else { out.finish_new() };
    match done {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(there()),
        done => Ok(done.map(|()| written)?),
    }
}

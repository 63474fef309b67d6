//! Small files beside the log that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Replaces a file as a whole: written beside, readable by its owner only, and renamed.
pub fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = file.with_extension("new");
    let mut to = private(OpenOptions::new().truncate(true)).open(&beside)?;
    to.write_all(bytes)?;
    to.sync_all()?;
    fs::rename(&beside, file)?;
    file.parent().map_or(Ok(()), sync_folder)
}

/// Opens for writing what only its owner may read, and makes it where it isn't there.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.write(true).create(true)
}

/// Makes the names in a folder durable, where the system lets a folder be opened.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

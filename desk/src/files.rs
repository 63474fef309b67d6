//! Small files that stay. Only their owner may read them, but for those that are published.

use scrutineer_formats::own::{OwnKind, own_kind};
use scrutineer_store::files::{self, Beside, Readers, create_folder};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Replaces a file as a whole, durably. Its folder is made where there is none.
pub fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    files::replace(file, bytes, Readers::Owner)
}

/// Writes a file for others to read, as a whole. One that is there stays, unless it is to be
/// replaced: then the error's kind is `AlreadyExists`. Its folder is made where there is none.
pub fn publish(file: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    create_folder(file.parent().unwrap_or(Path::new(".")))?;
    let mut to = Beside::create(file, Readers::Others)?;
    to.write_all(bytes)?;
    if replace { to.finish() } else { to.finish_new() }
}

/// Reads a plain file whole; none where there is no such file. A longer one is refused.
pub fn read(file: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match files::read_plain(file, limit) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// What file of ours a file is, by how it begins; none where it is another's.
///
/// # Errors
/// Where it cannot be read.
pub fn own_file(file: &Path) -> io::Result<Option<OwnKind>> {
    let mut start = Vec::new();
    File::open(file)?.take(32).read_to_end(&mut start)?;
    Ok(own_kind(&start))
}

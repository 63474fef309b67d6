//! Small files that stay. Only their owner may read them, but for those that are published.

use scrutineer_store::files::{self, Beside, Readers, create_folder, sync_folder};
use std::fs::File;
use std::io::{self, Write};
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

/// Appends behind the first `end` bytes of a file, durably; what stood there is cut off.
pub fn append(file: &Path, end: u64, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let mut to = private(file)?;
    to.set_len(end)?;
    io::Seek::seek(&mut to, io::SeekFrom::End(0))?;
    to.write_all(bytes)?;
    to.sync_all()?;
    // Also where the file was there: whoever made it may have been killed before this.
    sync_folder(folder)
}

/// Reads a plain file whole; none where there is no such file. A longer one is refused.
pub fn read(file: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match files::read_plain(file, limit) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

fn private(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

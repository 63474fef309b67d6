//! Small files that stay: written beside and renamed, so that after a power cut there is the old
//! one or the new one. Only their owner may read them, but for those that are published.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

/// Replaces a file as a whole, durably. Its folder is made where there is none.
pub fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let beside = file.with_extension("new");
    let mut to = private(&beside, true)?;
    to.write_all(bytes)?;
    to.sync_all()?;
    fs::rename(&beside, file)?;
    sync_folder(folder)
}

/// Writes a file for others to read, as a whole. One that is there stays, unless it is to be
/// replaced: then the error's kind is `AlreadyExists`.
pub fn publish(file: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    if !replace && file.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = file.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let write = || {
        let mut to = File::options().write(true).create_new(true).open(&beside)?;
        to.write_all(bytes)?;
        to.sync_all()?;
        fs::rename(&beside, file)
    };
    if let Err(error) = write() {
        // What is there is of no use; where it cannot be removed either, the error says enough.
        let _ = fs::remove_file(&beside);
        return Err(error);
    }
    sync_folder(folder)
}

/// Appends behind the first `end` bytes of a file, durably; what stood there is cut off.
pub fn append(file: &Path, end: u64, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let mut to = private(file, false)?;
    to.set_len(end)?;
    io::Seek::seek(&mut to, io::SeekFrom::End(0))?;
    to.write_all(bytes)?;
    to.sync_all()?;
    // Also where the file was there: whoever made it may have been killed before this.
    sync_folder(folder)
}

/// Reads a file whole; none where there is no such file. A longer one is refused.
pub fn read(file: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let from = match File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        from => from?,
    };
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::other(format!("it has more than the {limit} bytes that are read"))),
        false => Ok(Some(bytes)),
    }
}

/// Makes a folder and those above it, durably.
fn create_folder(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    let above = folder.parent().unwrap_or(Path::new("."));
    create_folder(above)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => sync_folder(above),
    }
}

fn private(file: &Path, empty: bool) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(empty);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// Makes the names in a folder durable, where the system lets a folder be opened.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

//! The tape that the recorder writes: what was done to the files below a folder, in order.
//!
//! ```text
//!  0  kind u64                24  b u64               40  path
//!  8  number of the file u64  32  bytes of the path u32   data
//! 16  a u64                   36  bytes of the data u32
//! ```

use std::fs;
use std::io;
use std::path::Path;
use std::rc::Rc;

const HEADER: usize = 40;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file or folder was opened, and from now on goes by this number.
    Open {
        /// Its number with the operating system.
        file: u64,
        /// Its path below the folder; empty for the folder itself.
        path: String,
        /// Whether it was to be created if it was not there.
        creates: bool,
        /// Whether it was emptied.
        empties: bool,
    },
    /// Bytes were written.
    Write {
        /// The file.
        file: u64,
        /// Where they begin.
        offset: u64,
        /// The bytes.
        data: Rc<[u8]>,
    },
    /// A file was given a length.
    SetLen {
        /// The file.
        file: u64,
        /// The length in bytes.
        len: u64,
    },
    /// A sync of a file or folder has ended.
    Sync {
        /// The file or folder.
        file: u64,
        /// The entries it waited for: those before this one.
        covers: usize,
        /// Whether it said that it worked.
        worked: bool,
    },
    /// A name was changed, or put in the place of another.
    Rename {
        /// The name it had.
        from: String,
        /// The name it has.
        to: String,
    },
    /// A file's name was removed.
    Remove {
        /// Its path.
        path: String,
    },
    /// A folder was made.
    MakeFolder {
        /// Its path.
        path: String,
    },
    /// A folder was removed.
    RemoveFolder {
        /// Its path.
        path: String,
    },
    /// The worker said something, such as that a command was acknowledged.
    Mark {
        /// Its words.
        text: String,
    },
    /// Something was done that is not modelled.
    Unknown {
        /// What it was.
        what: String,
    },
}

/// Reads a tape. Its last entry may be cut off: the worker was killed.
///
/// # Errors
/// Where the file can't be read, or is no tape.
pub fn read(file: &Path) -> io::Result<Vec<Entry>> {
    let bytes = fs::read(file)?;
    let mut rest = &bytes[..];
    let mut entries = Vec::new();
    while let Some((header, after)) = rest.split_first_chunk::<HEADER>() {
        let path_len = u32::from_le_bytes(part(header, 32)) as usize;
        let data_len = u32::from_le_bytes(part(header, 36)) as usize;
        let (Some(path), Some(data)) =
            (after.get(..path_len), after.get(path_len..path_len + data_len))
        else {
            break;
        };
        entries.push(entry(header, path, data)?);
        rest = &after[path_len + data_len..];
    }
    Ok(entries)
}

fn entry(header: &[u8; HEADER], path: &[u8], data: &[u8]) -> io::Result<Entry> {
    let number = |at: usize| u64::from_le_bytes(part(header, at));
    let (kind, file, a) = (number(0), number(8), number(16));
    let bad = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let text = |bytes: &[u8]| {
        String::from_utf8(bytes.to_vec()).map_err(|_| bad("a name is not UTF-8".to_string()))
    };
    Ok(match kind {
        1 => Entry::Open { file, path: text(path)?, creates: a & 1 != 0, empties: a & 2 != 0 },
        2 => Entry::Write { file, offset: a, data: data.into() },
        3 => Entry::SetLen { file, len: a },
        4 | 5 => Entry::Sync { file, covers: a as usize, worked: kind == 4 },
        6 => Entry::Rename { from: text(path)?, to: text(data)? },
        7 => Entry::Remove { path: text(path)? },
        8 => Entry::MakeFolder { path: text(path)? },
        9 => Entry::RemoveFolder { path: text(path)? },
        10 => Entry::Mark { text: text(data)? },
        11 => Entry::Unknown { what: text(path)? },
        kind => return Err(bad(format!("an entry of kind {kind}"))),
    })
}

/// `N` bytes of a header.
fn part<const N: usize>(header: &[u8; HEADER], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&header[at..at + N]);
    bytes
}

//! The file of a bundle: there whole or not at all.

use scrutineer_engine::record::StreamId;
use scrutineer_replay::bundle::{Give, WriteError, Written, write};
use scrutineer_replay::kept::Kept;
use scrutineer_store::files::{Beside, Readers};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

/// Writes a tournament as a bundle to a file, durably. One that gives every private text is readable by
/// its owner only. A file that is there already stays, unless it is to be replaced.
///
/// # Errors
/// As [`write()`]; nothing is left behind then.
pub fn write_file(
    kept: &dyn Kept,
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
    let readers = if give.all_texts() { Readers::Owner } else { Readers::Others };
    let mut out = Beside::create(file, readers)?;
    let written = write(kept, stream, give, &mut out)?;
    let done = if replace { out.finish() } else { out.finish_new() };
    match done {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(there()),
        done => Ok(done.map(|()| written)?),
    }
}

/// As [`write_file`], in the place of what is there; a file that has these very bytes already is left as
/// it is, and none is returned.
///
/// # Errors
/// As [`write_file`].
pub fn write_changed(
    kept: &dyn Kept,
    stream: StreamId,
    give: Give,
    file: &Path,
) -> Result<Option<Written>, WriteError> {
    if let Ok(there) = File::open(file) {
        let mut same = Same { there: BufReader::with_capacity(1 << 16, there), differs: false };
        let written = write(kept, stream, give, &mut same);
        if !same.differs {
            written?;
            if same.there.read(&mut [0])? == 0 {
                return Ok(None);
            }
        }
    }
    write_file(kept, stream, give, file, true).map(Some)
}

/// Takes bytes as long as they are those of a file.
struct Same {
    there: BufReader<File>,
    differs: bool,
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut there = vec![0; bytes.len()];
        self.differs |= self.there.read_exact(&mut there).is_err() || there != bytes;
        match self.differs {
            true => Err(io::Error::other("it differs")),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

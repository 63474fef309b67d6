//! A bundle that was checked, with its bytes as they were then.

use super::check::{Checked, check};
use super::diff::open;
use crate::loaded::LoadedTournament;
use crate::verify::Against;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use tempfile::SpooledTempFile;

/// So many bytes are held in memory; more of them in an unnamed file of the system's temporary
/// folder.
const IN_MEMORY: usize = 64 << 20;

/// A bundle that was checked to its end, and a copy of the bytes that were checked: whatever
/// becomes of its file, nothing else is read of it afterwards.
pub struct Held {
    checked: Checked,
    bytes: SpooledTempFile,
}

impl Held {
    /// Checks a bundle to its end and holds it.
    ///
    /// # Errors
    /// Where the input cannot be read, or its copy cannot be written.
    pub fn check(input: impl Read, against: &Against) -> io::Result<Held> {
        let mut copying = Copying { from: input, to: SpooledTempFile::new(IN_MEMORY) };
        let checked = check(&mut BufReader::with_capacity(1 << 16, &mut copying), against)?;
        Ok(Held { checked, bytes: copying.to })
    }

    /// What was found.
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// What was found, where nothing more is read of the bundle.
    pub fn into_checked(self) -> Checked {
        self.checked
    }

    /// The tournament, as [`open`](super::open) reads it.
    ///
    /// # Errors
    /// Where the copy cannot be read.
    pub fn open(&mut self) -> io::Result<Option<LoadedTournament>> {
        self.read(|input| open(input))
    }

    /// Reads the bytes from their beginning.
    pub fn read<T, E: From<io::Error>>(
        &mut self,
        read: impl FnOnce(&mut dyn BufRead) -> Result<T, E>,
    ) -> Result<T, E> {
        self.bytes.rewind()?;
        read(&mut BufReader::with_capacity(1 << 16, &mut self.bytes))
    }
}

/// What is read is kept.
struct Copying<R> {
    from: R,
    to: SpooledTempFile,
}

impl<R: Read> Read for Copying<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.to.write_all(&buffer[..count])?;
        Ok(count)
    }
}

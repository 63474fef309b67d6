//! The file of a house: seen as it changes, and copied whole while it is in use, whatever stands in it.

use super::in_file::FileRows;
use super::rows::{Row, Rows};
use super::{House, not_kept, only_for_owner};
use redb::{
    BackendError, Database, StorageBackend, backends::FileBackend, backends::InMemoryBackend,
};
use scrutineer_desk::store::{HOUSE, HOUSE_COPY};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_store::files::{Readers, read_plain, replace};
use std::io;
use std::ops::{Bound, Range};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The largest house that is taken from a copy, in bytes.
const LARGEST: u64 = 64 << 20;

/// The file of a house: its bytes, and the rows in them.
pub(super) struct HouseFile {
    pub(super) rows: Arc<FileRows>,
    bytes: Arc<Bytes>,
}

/// The bytes of a house.
#[derive(Debug)]
struct Bytes {
    kept: Box<dyn StorageBackend>,
    changes: watch::Sender<u64>,
}

/// What the database sees of them.
#[derive(Clone, Debug)]
struct Seen(Arc<Bytes>);

impl StorageBackend for Seen {
    fn len(&self) -> io::Result<u64> {
        self.0.kept.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.kept.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.kept.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.kept.sync_data()?;
        self.0.changes.send_modify(|changes| *changes += 1);
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.kept.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.0.kept.close()
    }

    fn try_lock_range(&self, from: Bound<u64>, to: Bound<u64>) -> Result<bool, BackendError> {
        self.0.kept.try_lock_range(from, to)
    }

    fn try_lock_shared_range(
        &self,
        from: Bound<u64>,
        to: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.0.kept.try_lock_shared_range(from, to)
    }

    fn lock_range(&self, from: Bound<u64>, to: Bound<u64>) -> Result<(), BackendError> {
        self.0.kept.lock_range(from, to)
    }

    fn lock_shared_range(&self, from: Bound<u64>, to: Bound<u64>) -> Result<(), BackendError> {
        self.0.kept.lock_shared_range(from, to)
    }

    fn unlock_range(&self, from: Bound<u64>, to: Bound<u64>) -> Result<(), BackendError> {
        self.0.kept.unlock_range(from, to)
    }

    fn query_lock_range(&self, from: Bound<u64>, to: Bound<u64>) -> Result<bool, BackendError> {
        self.0.kept.query_lock_range(from, to)
    }
}

/// The bytes of a database in memory, of which it is known which were read as they were: those it needs.
#[derive(Clone, Debug)]
struct Watched(Arc<Mutex<Watching>>);

#[derive(Debug)]
struct Watching {
    bytes: Vec<u8>,
    /// Of each byte, as it was in the beginning.
    is_needed: Vec<bool>,
    is_written: Vec<bool>,
}

impl Watched {
    fn of(bytes: Vec<u8>) -> Watched {
        let length = bytes.len();
        let (is_needed, is_written) = (vec![false; length], vec![false; length]);
        Watched(Arc::new(Mutex::new(Watching { bytes, is_needed, is_written })))
    }

    fn lock(&self) -> MutexGuard<'_, Watching> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watching {
    fn range(&self, offset: u64, length: usize) -> io::Result<Range<usize>> {
        let from = usize::try_from(offset).map_err(io::Error::other)?;
        let to = from.checked_add(length).filter(|to| *to <= self.bytes.len());
        to.map(|to| from..to).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl StorageBackend for Watched {
    fn len(&self) -> io::Result<u64> {
        Ok(self.lock().bytes.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut all = self.lock();
        let range = all.range(offset, out.len())?;
        out.copy_from_slice(&all.bytes[range.clone()]);
        // What is behind the end that it had was added since.
        for at in range.start..range.end.min(all.is_written.len()) {
            let is_as_it_was = !all.is_written[at];
            all.is_needed[at] |= is_as_it_was;
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(io::Error::other)?;
        self.lock().bytes.resize(len, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut all = self.lock();
        let range = all.range(offset, data.len())?;
        all.bytes[range.clone()].copy_from_slice(data);
        let end = range.end.min(all.is_written.len());
        (range.start..end).for_each(|at| all.is_written[at] = true);
        Ok(())
    }
}

/// Opens a database and reads every page that it needs, held against its checksums.
fn read_whole(kept: impl StorageBackend) -> Result<Vec<Row>, VerbError> {
    let mut builder = Database::builder();
    builder.set_check_integrity_on_open(true);
    let rows = FileRows::of(builder.create_with_backend(kept).map_err(not_kept)?)?;
    Ok(rows.all()?.rows)
}

/// Returns where a database has bytes that are not nought and that it does not need: pages that were let go.
fn unused(bytes: &[u8]) -> Result<Vec<Range<usize>>, VerbError> {
    let watched = Watched::of(bytes.to_vec());
    let rows = read_whole(watched.clone())?;
    let is_needed = std::mem::take(&mut watched.lock().is_needed);
    let (mut ranges, mut cleared) = (Vec::<Range<usize>>::new(), bytes.to_vec());
    for at in (0..bytes.len()).filter(|at| !is_needed[*at] && bytes[*at] != 0) {
        cleared[at] = 0;
        match ranges.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => ranges.push(at..at + 1),
        }
    }
    // Before a byte of the file is touched: without them it is the same.
    match read_whole(Watched::of(cleared))? == rows {
        true => Ok(ranges),
        false => Err(not_kept("what it holds cannot be told from what it let go")),
    }
}

impl HouseFile {
    /// Clears the pages that were let go, in which what was taken out still stands.
    fn clear_unused(&self) -> Result<(), VerbError> {
        // Nobody reads what stood before, and nobody writes.
        let _none = self.rows.clearing();
        let alone = self.rows.kept.begin_write().map_err(not_kept)?;
        let kept = &self.bytes.kept;
        let length = kept.len().map_err(not_kept)?;
        let mut bytes = vec![0; usize::try_from(length).map_err(not_kept)?];
        kept.read(0, &mut bytes).map_err(not_kept)?;
        for range in unused(&bytes)? {
            kept.write(range.start as u64, &vec![0; range.len()]).map_err(not_kept)?;
        }
        kept.sync_data().map_err(not_kept)?;
        alone.abort().map_err(not_kept)?;
        // Copies of it are made anew.
        self.bytes.changes.send_modify(|changes| *changes += 1);
        Ok(())
    }

    /// The bytes of all of it as they stand between two changes.
    pub(super) fn image(&self) -> Result<Vec<u8>, VerbError> {
        // Nobody else writes meanwhile, and what was kept before is in the file.
        let alone = self.rows.kept.begin_write().map_err(not_kept)?;
        let length = self.bytes.kept.len().map_err(not_kept)?;
        let mut bytes = vec![0; usize::try_from(length).map_err(not_kept)?];
        self.bytes.kept.read(0, &mut bytes).map_err(not_kept)?;
        alone.abort().map_err(not_kept)?;
        Ok(bytes)
    }
}

/// Writes the bytes of a house beside the journal of a store, under the name that goes into copies.
pub(super) fn write_copy(folder: &Path, bytes: &[u8]) -> Result<(), VerbError> {
    replace(&folder.join(HOUSE_COPY), bytes, Readers::Owner).map_err(not_kept)
}

/// Reads the house of a store as it was copied at rest; none: it has none.
pub(super) fn read_copy(folder: &Path) -> Result<Option<HouseFile>, VerbError> {
    let copy = folder.join(HOUSE_COPY);
    if !copy.is_file() {
        return Ok(None);
    }
    let bytes = read_plain(&copy, LARGEST).map_err(not_kept)?;
    let kept = InMemoryBackend::new();
    kept.set_len(bytes.len() as u64).and_then(|()| kept.write(0, &bytes)).map_err(not_kept)?;
    of_bytes(Box::new(kept)).map(Some)
}

/// Opens the file of a house, or begins one: from a copy, where a restored store has only that.
pub(super) fn open(folder: Option<&Path>) -> Result<HouseFile, VerbError> {
    let kept: Box<dyn StorageBackend> = match folder {
        Some(folder) => {
            let (file, copy) = (folder.join(HOUSE), folder.join(HOUSE_COPY));
            if !file.exists() && copy.exists() {
                let bytes = read_plain(&copy, LARGEST).map_err(not_kept)?;
                replace(&file, &bytes, Readers::Owner).map_err(not_kept)?;
            }
            let mut options = std::fs::OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let opened = options.open(&file).map_err(not_kept)?;
            only_for_owner(&file).map_err(not_kept)?;
            Box::new(FileBackend::new(opened).map_err(not_kept)?)
        }
        None => Box::new(InMemoryBackend::new()),
    };
    of_bytes(kept)
}

fn of_bytes(kept: Box<dyn StorageBackend>) -> Result<HouseFile, VerbError> {
    let bytes = Arc::new(Bytes { kept, changes: watch::channel(0).0 });
    let mut builder = Database::builder();
    builder.set_check_integrity_on_open(true);
    let database = builder.create_with_backend(Seen(Arc::clone(&bytes))).map_err(not_kept)?;
    Ok(HouseFile { rows: Arc::new(FileRows::of(database)?), bytes })
}

/// As [`House::write_copy`], of a house that no server has open; nothing where there is none.
///
/// # Errors
/// As [`House::write_copy`].
pub fn copy_at_rest(folder: &Path) -> Result<(), VerbError> {
    match folder.join(HOUSE).exists() {
        true => House::open(Some(folder))?.write_copy(folder),
        false => Ok(()),
    }
}

impl House {
    /// Remembers that texts were taken out whose bytes still stand in the file.
    pub(super) fn leaves_bytes(&self) {
        self.leaves_bytes.store(true, Ordering::Release);
    }

    /// Clears what an earlier run took out of the file of the house and could not clear.
    ///
    /// # Errors
    /// As [`House::clear_unused`].
    pub(crate) fn clear_at_start(&self) -> Result<(), VerbError> {
        self.leaves_bytes();
        self.clear_unused()
    }

    /// Clears what was taken out of the file of the house, where something was that has to be gone. Where that fails,
    /// it is tried again with the next.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub(super) fn clear_unused(&self) -> Result<(), VerbError> {
        let Some(file) =
            self.file.as_ref().filter(|_| self.leaves_bytes.swap(false, Ordering::AcqRel))
        else {
            return Ok(());
        };
        file.clear_unused().inspect_err(|_| self.leaves_bytes())
    }

    /// Returns how often something was kept, and waits for more.
    pub fn changes(&self) -> watch::Receiver<u64> {
        match &self.file {
            Some(file) => file.bytes.changes.subscribe(),
            // Whoever asks has a file to copy, and in a database there is none.
            None => watch::channel(0).1,
        }
    }

    /// Returns the bytes of the whole house as they stand between two changes.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn image(&self) -> Result<Vec<u8>, VerbError> {
        let file = self.file.as_ref().ok_or_else(|| not_kept("it is in a database"))?;
        file.image()
    }

    /// Writes the house as it stands beside the journal, under the name that goes into backups and
    /// mirrors.
    ///
    /// # Errors
    /// Where it cannot be read or written.
    pub fn write_copy(&self, folder: &Path) -> Result<(), VerbError> {
        write_copy(folder, &self.image()?)
    }
}

//! The file of a house: seen as it changes, and copied whole while it is in use, whatever stands in it.

use super::in_file::FileRows;
use super::{House, not_kept, only_for_owner};
use redb::{
    BackendError, Database, StorageBackend, backends::FileBackend, backends::InMemoryBackend,
};
use scrutineer_desk::store::{HOUSE, HOUSE_COPY};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_store::files::{Readers, read_plain, replace};
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
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

impl HouseFile {
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

//! Side files in memory, for tests and for logs in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{FileError, Room, SideFile, SideFiles};
use crate::record::StreamId;

/// Side files that are gone when this is dropped.
#[derive(Debug, Default)]
pub struct MemoryFiles {
    files: Mutex<BTreeMap<SideFile, Vec<u8>>>,
}

impl MemoryFiles {
    /// No files.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SideFile, Vec<u8>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self, file: SideFile) -> FileError {
        FileError::Changed { file: self.called(file) }
    }
}

impl SideFiles for MemoryFiles {
    fn get(&self, file: SideFile, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        match self.lock().get(&file) {
            Some(bytes) if bytes.len() as u64 > most => {
                Err(FileError::TooLong { file: self.called(file), most })
            }
            found => Ok(found.cloned()),
        }
    }

    fn list(
        &self,
        room: Room,
        stream: Option<StreamId>,
    ) -> Result<Vec<(SideFile, u64)>, FileError> {
        let files = self.lock();
        let meant = files
            .iter()
            .filter(|(file, _)| file.room == room && (stream.is_none() || file.stream == stream));
        Ok(meant.map(|(file, bytes)| (*file, bytes.len() as u64)).collect())
    }

    fn append(&self, file: SideFile, seen: u64, keep: u64, bytes: &[u8]) -> Result<(), FileError> {
        let mut files = self.lock();
        let len = files.get(&file).map_or(0, Vec::len);
        let (true, Ok(keep)) = (len as u64 == seen && keep <= seen, usize::try_from(keep)) else {
            return Err(self.changed(file));
        };
        let there = files.entry(file).or_default();
        there.truncate(keep);
        there.extend_from_slice(bytes);
        Ok(())
    }

    fn replace(&self, file: SideFile, seen: Option<&[u8]>, bytes: &[u8]) -> Result<(), FileError> {
        let mut files = self.lock();
        if files.get(&file).map(Vec::as_slice) != seen {
            return Err(self.changed(file));
        }
        files.insert(file, bytes.to_vec());
        Ok(())
    }

    fn remove(&self, file: SideFile) -> Result<bool, FileError> {
        Ok(self.lock().remove(&file).is_some())
    }

    fn called(&self, file: SideFile) -> String {
        let stream = file.stream.map_or(String::new(), |stream| format!("/{stream}"));
        format!("{}{stream}", file.room.word())
    }
}

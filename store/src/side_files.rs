//! Side files in a folder: plain files of the store.
//!
//! ```text
//! secrets/<tournament>             and <tournament>.damaged, a file of which a line was damaged
//! exports
//! announced/<tournament>.jsonl
//! checkpoints/<tournament>
//! snapshots/<tournament>/<event>.snap
//! ```

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::files::{
    Readers, create_folder, open_plain, read_plain, remove_unfinished, replace, sync_folder,
};
use scrutineer_engine::files::{FileError, FileKind, Room, SideFile, SideFiles};
use scrutineer_engine::record::StreamId;

/// The side files of a store in a folder. Of several processes one at a time may change them; what
/// is compared is compared for the threads of one.
#[derive(Debug)]
pub struct FolderFiles {
    store: PathBuf,
    writing: Mutex<()>,
}

impl FolderFiles {
    /// The side files of the store in a folder, which is changed as little as if it were only read.
    pub fn of(store: &Path) -> FolderFiles {
        FolderFiles { store: store.to_path_buf(), writing: Mutex::default() }
    }

    /// As [`FolderFiles::of`], once what a rewriting that was cut off left behind is removed: it may
    /// hold what was to be forgotten.
    ///
    /// # Errors
    /// Where the folder can't be listed, or a file can't be removed.
    pub fn open(store: &Path) -> Result<FolderFiles, FileError> {
        let removed = remove_unfinished(store);
        removed.map_err(|error| refused("remove what is unfinished in", store, &error))?;
        Ok(FolderFiles::of(store))
    }

    /// Where a file stands.
    pub fn path(&self, file: SideFile) -> PathBuf {
        let room = self.store.join(file.room.word());
        let Some(stream) = file.stream else { return room };
        match (file.room, file.number) {
            (Room::Announced, _) => room.join(format!("{stream}.jsonl")),
            (Room::Snapshots, number) => {
                room.join(stream.to_string()).join(format!("{number}.snap"))
            }
            (_, 0) => room.join(stream.to_string()),
            (Room::Secrets, 1) => room.join(format!("{stream}.damaged")),
            (_, number) => room.join(format!("{stream}.{number}")),
        }
    }

    /// The streams that folders or files of a room are called by.
    fn streams(&self, room: Room) -> Result<Vec<StreamId>, FileError> {
        let names = names(&self.store.join(room.word()))?;
        let mut streams: Vec<StreamId> = names
            .iter()
            .filter_map(|name| name.split('.').next().unwrap_or_default().parse().ok())
            .collect();
        streams.sort();
        streams.dedup();
        Ok(streams)
    }

    /// The numbers of a tournament's files in a room that may be there.
    fn numbers(&self, room: Room, stream: StreamId) -> Result<Vec<u64>, FileError> {
        match room {
            Room::Snapshots => {}
            Room::Secrets => return Ok(vec![0, 1]),
            _ => return Ok(vec![0]),
        }
        let names = names(&self.store.join(room.word()).join(stream.to_string()))?;
        let number = |name: &String| name.strip_suffix(".snap")?.parse().ok();
        let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SideFiles for FolderFiles {
    fn get(&self, file: SideFile, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        let path = self.path(file);
        match read_plain(&path, most) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused("read", &path, &error)),
        }
    }

    fn list(
        &self,
        room: Room,
        stream: Option<StreamId>,
    ) -> Result<Vec<(SideFile, u64)>, FileError> {
        let mut files = Vec::new();
        if room == Room::Exports {
            files.extend(stream.is_none().then_some(SideFile::of_all(room)));
        } else {
            let streams = stream.map_or_else(|| self.streams(room), |stream| Ok(vec![stream]))?;
            for stream in streams {
                let file = SideFile::of(room, stream);
                let numbers = self.numbers(room, stream)?;
                files.extend(numbers.into_iter().map(|number| file.numbered(number)));
            }
        }
        let with_length = |file: SideFile| Some((file, fs::metadata(self.path(file)).ok()?.len()));
        Ok(files.into_iter().filter_map(with_length).collect())
    }

    fn append(&self, file: SideFile, seen: u64, keep: u64, bytes: &[u8]) -> Result<(), FileError> {
        let path = self.path(file);
        let folder = path.parent().unwrap_or(Path::new("."));
        let _alone = self.lock();
        let append = || -> io::Result<bool> {
            if seen > 0 && !path.try_exists()? {
                return Ok(false);
            }
            create_folder(folder)?;
            let mut to = for_owner(&path)?;
            if to.metadata()?.len() != seen || keep > seen {
                return Ok(false);
            }
            to.set_len(keep)?;
            to.seek(SeekFrom::End(0))?;
            to.write_all(bytes)?;
            if file.room.kind() != FileKind::Derived {
                to.sync_all()?;
                // Also where the file was there: whoever made it may have been killed before this.
                sync_folder(folder)?;
            }
            Ok(true)
        };
        match append().map_err(|error| refused("write", &path, &error))? {
            true => Ok(()),
            false => Err(FileError::Changed { file: self.called(file) }),
        }
    }

    fn replace(&self, file: SideFile, seen: Option<&[u8]>, bytes: &[u8]) -> Result<(), FileError> {
        let path = self.path(file);
        let _alone = self.lock();
        // One byte more than was seen is enough to know that it is another file.
        let most = seen.map_or(0, |seen| seen.len() as u64);
        let there = match open_plain(&path) {
            Ok(found) if found.metadata().is_ok_and(|data| data.len() != most) => {
                return Err(FileError::Changed { file: self.called(file) });
            }
            Ok(_) => self.get(file, most)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(refused("read", &path, &error)),
        };
        if there.as_deref() != seen {
            return Err(FileError::Changed { file: self.called(file) });
        }
        let written = replace(&path, bytes, Readers::Owner);
        written.map_err(|error| refused("write", &path, &error))?;
        if file.room == Room::Snapshots {
            let folder = path.parent().unwrap_or(Path::new("."));
            remove_unfinished(folder).map_err(|error| refused("write", &path, &error))?;
        }
        Ok(())
    }

    fn remove(&self, file: SideFile) -> Result<bool, FileError> {
        let path = self.path(file);
        let _alone = self.lock();
        let removed = match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => Err(error),
            Ok(()) if file.room.kind() == FileKind::Derived => Ok(()),
            Ok(()) => sync_folder(path.parent().unwrap_or(Path::new("."))),
        };
        removed.map(|()| true).map_err(|error| refused("remove", &path, &error))
    }

    fn called(&self, file: SideFile) -> String {
        self.path(file).display().to_string()
    }
}

/// The names in a folder; none where there is no folder.
fn names(folder: &Path) -> Result<Vec<String>, FileError> {
    let listed = || -> io::Result<Vec<String>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
        let names: io::Result<Vec<_>> = names.collect();
        Ok(names?.into_iter().filter_map(|name| name.into_string().ok()).collect())
    };
    match listed() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        found => found.map_err(|error| refused("list", folder, &error)),
    }
}

fn for_owner(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

fn refused(action: &'static str, file: &Path, error: &io::Error) -> FileError {
    FileError::Io { action, file: file.display().to_string(), reason: error.to_string() }
}

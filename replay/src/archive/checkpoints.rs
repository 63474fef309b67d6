//! Where signed checkpoints stand: a file for each tournament beside the log, one note after the
//! other with an empty line behind each. One is on the disk before it is given to anybody.

use super::ArchiveError;
use crate::files;
use scrutineer_engine::record::StreamId;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The longest file that is read, in bytes: some 40,000 checkpoints.
const MAX_FILE: u64 = 16 << 20;

/// The checkpoints of an archive.
pub enum Checkpoints {
    /// Files in a folder.
    Folder(PathBuf),
    /// Gone when it is dropped.
    Memory(Mutex<BTreeMap<StreamId, Vec<String>>>),
}

impl Checkpoints {
    /// Checkpoints in files of a store's folder `checkpoints`, which is made with the first one.
    pub fn in_store(store: &Path) -> Checkpoints {
        Checkpoints::Folder(store.join("checkpoints"))
    }

    /// Checkpoints in memory.
    pub fn in_memory() -> Checkpoints {
        Checkpoints::Memory(Mutex::default())
    }

    /// The notes of a tournament, the latest last.
    pub fn get(&self, stream: StreamId) -> Result<Vec<String>, ArchiveError> {
        match self {
            Checkpoints::Folder(folder) => {
                let file = folder.join(stream.to_string());
                Ok(notes(&read(&file)?).0)
            }
            Checkpoints::Memory(kept) => {
                let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(kept.get(&stream).cloned().unwrap_or_default())
            }
        }
    }

    /// Keeps a note behind those that are there: it is on the disk when this returns.
    pub fn keep(&self, stream: StreamId, note: &str) -> Result<(), ArchiveError> {
        match self {
            Checkpoints::Folder(folder) => {
                let file = folder.join(stream.to_string());
                let (_, whole) = notes(&read(&file)?);
                let added = files::append(&file, whole, format!("{note}\n").as_bytes());
                added.map_err(|error| failed("keep", &file, &error.to_string()))
            }
            Checkpoints::Memory(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.entry(stream).or_default().push(note.to_string());
                Ok(())
            }
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, ArchiveError> {
    let bytes = files::read(file, MAX_FILE);
    Ok(bytes.map_err(|error| failed("read", file, &error.to_string()))?.unwrap_or_default())
}

/// The notes of a file, and where the last whole one ends: a power cut may have left a part of one
/// behind it, which nobody was given.
fn notes(bytes: &[u8]) -> (Vec<String>, u64) {
    let (mut found, mut at) = (Vec::new(), 0);
    let end = |from: usize| {
        let place = bytes[from..].windows(2).position(|pair| pair == b"\n\n");
        place.map(|place| from + place)
    };
    while let Some(end) = end(at).and_then(|middle| end(middle + 2)) {
        // What is no text is no checkpoint either: whoever reads it is told so.
        found.push(String::from_utf8_lossy(&bytes[at..=end]).into_owned());
        at = end + 2;
    }
    (found, at as u64)
}

fn failed(action: &'static str, file: &Path, reason: &str) -> ArchiveError {
    ArchiveError::Beside { action, file: file.display().to_string(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_kept_is_there_and_a_part_of_one_is_not() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let kept = Checkpoints::in_store(folder.path());
        let stream = StreamId([7; 16]);
        assert_eq!(kept.get(stream).expect("readable"), Vec::<String>::new());
        let (one, two) = ("a\nb\n\n\u{2014} x y\n", "c\n\n\u{2014} x y\n\u{2014} z y\n");
        kept.keep(stream, one).expect("kept");
        let file = folder.path().join("checkpoints").join(stream.to_string());
        let first = fs::read(&file).expect("there");
        kept.keep(stream, two).expect("kept");
        assert_eq!(kept.get(stream).expect("readable"), [one, two]);
        let both = fs::read(&file).expect("there");
        for cut in first.len()..both.len() {
            fs::write(&file, &both[..cut]).expect("written");
            assert_eq!(kept.get(stream).expect("readable"), [one], "cut at {cut}");
            kept.keep(stream, two).expect("kept");
            assert_eq!(fs::read(&file).expect("there"), both, "cut at {cut}");
        }
        assert_eq!(kept.get(StreamId([8; 16])).expect("readable"), Vec::<String>::new());
    }
}

//! Where announced tables are kept: a file of lines for each tournament beside the log. It can be
//! deleted; every table follows from the log.

use super::ArchiveError;
use crate::announced::AnnouncedTable;
use crate::files;
use scrutineer_engine::record::StreamId;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The longest file of an event's tables that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The announced tables of an archive.
pub enum Announced {
    /// Files in a folder.
    Folder(PathBuf),
    /// Gone when it is dropped.
    Memory(Mutex<BTreeMap<StreamId, Vec<AnnouncedTable>>>),
}

impl Announced {
    /// Tables in files of a store's folder `announced`, which is made with the first one.
    pub fn in_store(store: &Path) -> Announced {
        Announced::Folder(store.join("announced"))
    }

    /// Tables in memory.
    pub fn in_memory() -> Announced {
        Announced::Memory(Mutex::default())
    }

    /// The tables of a tournament, by seq. A line that is no table is passed over, such as the
    /// last one after a power cut.
    pub fn get(&self, stream: StreamId) -> Result<Vec<AnnouncedTable>, ArchiveError> {
        let folder = match self {
            Announced::Folder(folder) => folder,
            Announced::Memory(kept) => {
                let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                return Ok(kept.get(&stream).cloned().unwrap_or_default());
            }
        };
        let text = read(folder, stream)?;
        let tables = text.lines().filter_map(|line| AnnouncedTable::from_line(line).ok());
        let by_seq: BTreeMap<u64, AnnouncedTable> =
            tables.map(|table| (table.announced, table)).collect();
        Ok(by_seq.into_values().collect())
    }

    /// How many lines are no tables; not a last one that a power cut tore.
    pub fn unread(&self, stream: StreamId) -> Result<usize, ArchiveError> {
        let Announced::Folder(folder) = self else { return Ok(0) };
        let text = read(folder, stream)?;
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        Ok(whole.filter(|line| AnnouncedTable::from_line(line).is_err()).count())
    }

    /// Keeps tables beside those that are there.
    pub fn keep(&self, stream: StreamId, tables: &[AnnouncedTable]) -> Result<(), ArchiveError> {
        match self {
            Announced::Folder(folder) => {
                let file = file(folder, stream);
                write(folder, &file, tables).map_err(|error| failed("write", &file, &error))
            }
            Announced::Memory(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.entry(stream).or_default().extend_from_slice(tables);
                Ok(())
            }
        }
    }
}

fn read(folder: &Path, stream: StreamId) -> Result<String, ArchiveError> {
    let file = file(folder, stream);
    match files::read(&file, MAX_FILE) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()),
        Err(error) => Err(failed("read", &file, &error)),
    }
}

/// Not synced: what a power cut takes is folded again when it is wanted.
fn write(folder: &Path, file: &Path, tables: &[AnnouncedTable]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut out = OpenOptions::new().create(true).read(true).append(true).open(file)?;
    let mut text = String::new();
    if out.seek(SeekFrom::End(0))? > 0 {
        out.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        out.read_exact(&mut last)?;
        // A line that a power cut tore stays a line of its own.
        text.extend((last != *b"\n").then_some('\n'));
    }
    for table in tables {
        text.push_str(&table.to_line());
        text.push('\n');
    }
    out.write_all(text.as_bytes())
}

fn file(folder: &Path, stream: StreamId) -> PathBuf {
    folder.join(format!("{stream}.jsonl"))
}

fn failed(action: &'static str, file: &Path, error: &std::io::Error) -> ArchiveError {
    let (file, reason) = (file.display().to_string(), error.to_string());
    ArchiveError::Beside { action, file, reason }
}

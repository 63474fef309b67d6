//! Where the secrets of the seeds stand: a file for each tournament beside the log, readable by
//! its owner only, and never part of a copy or an export of the log.

use super::ArchiveError;
use crate::files;
use scrutineer_engine::record::StreamId;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The longest file of secrets that is read, in bytes: each has 65.
pub const LONGEST: u64 = 1 << 20;

/// The secrets of an archive.
pub enum Secrets {
    /// Files in a folder.
    Folder(PathBuf),
    /// Gone when it is dropped.
    Memory(Mutex<BTreeMap<StreamId, Vec<[u8; 32]>>>),
}

impl Secrets {
    /// Secrets in files of a folder, which is made with the first one.
    pub fn in_folder(folder: PathBuf) -> Secrets {
        Secrets::Folder(folder)
    }

    /// Secrets in memory.
    pub fn in_memory() -> Secrets {
        Secrets::Memory(Mutex::default())
    }

    /// The secrets of a tournament that can be read, the latest last.
    pub fn get(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, ArchiveError> {
        match self {
            Secrets::Folder(folder) => Ok(read(&folder.join(stream.to_string()))?.0),
            Secrets::Memory(kept) => {
                let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(kept.get(&stream).cloned().unwrap_or_default())
            }
        }
    }

    /// Keeps a secret beside those that are there: it is on the disk when this returns. A file of
    /// which a line is damaged is first given another name.
    pub fn keep(&self, stream: StreamId, secret: &[u8; 32]) -> Result<(), ArchiveError> {
        match self {
            Secrets::Folder(folder) => {
                let file = folder.join(stream.to_string());
                let (mut secrets, is_damaged) = read(&file)?;
                let kept = |error: std::io::Error| failed("keep", &file, &error.to_string());
                if is_damaged {
                    fs::rename(&file, folder.join(format!("{stream}.damaged"))).map_err(kept)?;
                }
                secrets.push(*secret);
                write(&file, &secrets).map_err(kept)
            }
            Secrets::Memory(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.entry(stream).or_default().push(*secret);
                Ok(())
            }
        }
    }
}

/// The secrets of a file, and whether a line of it is none.
fn read(file: &Path) -> Result<(Vec<[u8; 32]>, bool), ArchiveError> {
    let bytes = match files::read(file, LONGEST) {
        Ok(bytes) => bytes.unwrap_or_default(),
        Err(error) => return Err(failed("read", file, &error.to_string())),
    };
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let (mut secrets, mut is_damaged) = (Vec::new(), false);
    for line in lines {
        match blake3::Hash::from_hex(line.trim_ascii()) {
            Ok(hash) => secrets.push(*hash.as_bytes()),
            Err(_) => is_damaged = true,
        }
    }
    Ok((secrets, is_damaged))
}

fn write(file: &Path, secrets: &[[u8; 32]]) -> std::io::Result<()> {
    let line = |secret: &[u8; 32]| format!("{}\n", blake3::Hash::from_bytes(*secret).to_hex());
    files::replace(file, secrets.iter().map(line).collect::<String>().as_bytes())
}

fn failed(action: &'static str, file: &Path, reason: &str) -> ArchiveError {
    ArchiveError::Secret { action, file: file.display().to_string(), reason: reason.into() }
}

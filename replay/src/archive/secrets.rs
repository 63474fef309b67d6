//! Where the secrets of the seeds stand: a file for each tournament beside the log, readable by
//! its owner only, and never part of a copy or an export of the log.

use super::ArchiveError;
use crate::files;
use scrutineer_engine::record::StreamId;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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

    /// The secrets of a tournament, the latest last.
    pub fn get(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, ArchiveError> {
        let folder = match self {
            Secrets::Folder(folder) => folder,
            Secrets::Memory(kept) => {
                let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                return Ok(kept.get(&stream).cloned().unwrap_or_default());
            }
        };
        let file = folder.join(stream.to_string());
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("read", &file, &error.to_string())),
        };
        let secret = |line: &str| {
            let secret = blake3::Hash::from_hex(line.trim()).map(|hash| *hash.as_bytes());
            secret.map_err(|_| failed("read", &file, "a line is not 64 hexadecimal digits"))
        };
        text.lines().map(secret).collect()
    }

    /// Keeps a secret beside those that are there: it is on the disk when this returns.
    pub fn keep(&self, stream: StreamId, secret: &[u8; 32]) -> Result<(), ArchiveError> {
        let mut secrets = self.get(stream)?;
        secrets.push(*secret);
        match self {
            Secrets::Folder(folder) => {
                let file = folder.join(stream.to_string());
                write(&file, &secrets).map_err(|e| failed("keep", &file, &e.to_string()))
            }
            Secrets::Memory(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.insert(stream, secrets);
                Ok(())
            }
        }
    }
}

fn write(file: &Path, secrets: &[[u8; 32]]) -> std::io::Result<()> {
    let line = |secret: &[u8; 32]| format!("{}\n", blake3::Hash::from_bytes(*secret).to_hex());
    files::replace(file, secrets.iter().map(line).collect::<String>().as_bytes())
}

fn failed(action: &'static str, file: &Path, reason: &str) -> ArchiveError {
    ArchiveError::Secret { action, file: file.display().to_string(), reason: reason.into() }
}

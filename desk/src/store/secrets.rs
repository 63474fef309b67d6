//! Where the secrets of the seeds stand: a file for each tournament beside the log, readable by
//! its owner only, and never part of a copy or an export of the log.

use super::again;
use scrutineer_engine::files::{FileError, Room, SideFile, SideFiles};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::kept::KeptError;
use std::sync::Arc;

/// The longest file of secrets that is read, in bytes: each has 65.
pub const LONGEST: u64 = 1 << 20;

/// The secrets of a store.
pub struct Secrets(pub Arc<dyn SideFiles>);

impl Secrets {
    /// The secrets of a tournament that can be read, the latest last.
    pub fn get(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, KeptError> {
        let file = SideFile::of(Room::Secrets, stream);
        let bytes = self.0.get(file, LONGEST).map_err(|error| self.failed("read", file, error))?;
        Ok(secrets(&bytes.unwrap_or_default()).0)
    }

    /// Keeps a secret beside those that are there: it is on the disk when this returns. A file of
    /// which a line is damaged first gets a copy under another name.
    pub fn keep(&self, stream: StreamId, secret: &[u8; 32]) -> Result<(), KeptError> {
        let file = SideFile::of(Room::Secrets, stream);
        let kept = again(|| {
            let there = self.0.get(file, LONGEST)?;
            let (mut all, is_damaged) = secrets(there.as_deref().unwrap_or_default());
            if let Some(damaged) = there.as_deref().filter(|_| is_damaged) {
                let aside = file.numbered(1);
                let before = self.0.get(aside, LONGEST)?;
                self.0.replace(aside, before.as_deref(), damaged)?;
            }
            all.push(*secret);
            let line =
                |secret: &[u8; 32]| format!("{}\n", blake3::Hash::from_bytes(*secret).to_hex());
            let lines: String = all.iter().map(line).collect();
            self.0.replace(file, there.as_deref(), lines.as_bytes())
        });
        kept.map_err(|error| self.failed("keep", file, error))
    }

    fn failed(&self, action: &'static str, file: SideFile, error: FileError) -> KeptError {
        match KeptError::of_file(action, self.0.called(file), error) {
            KeptError::Beside { action, file, reason } => {
                KeptError::Secret { action, file, reason }
            }
            of_database => of_database,
        }
    }
}

/// The secrets of a file, and whether a line of it is none.
fn secrets(bytes: &[u8]) -> (Vec<[u8; 32]>, bool) {
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let (mut secrets, mut is_damaged) = (Vec::new(), false);
    for line in lines {
        match blake3::Hash::from_hex(line.trim_ascii()) {
            Ok(hash) => secrets.push(*hash.as_bytes()),
            Err(_) => is_damaged = true,
        }
    }
    (secrets, is_damaged)
}

//! The job as all servers of a database see it: which of them runs it, how far it is, and what came of it.

use super::not_kept;
use scrutineer_desk::answers::SeasonStands;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::files::{FileError, Room, SideFile, SideFiles};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long whoever runs a job may be silent before it is held to be gone.
const SILENT: Duration = Duration::from_secs(15);
/// The number of the file that says how it goes; those of its reports are higher.
const JOB: u64 = 0;

/// How a job goes, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) stands: SeasonStands,
    /// The server that runs it.
    pub(super) runner: String,
    /// Rises for as long as that one lives: no clocks are compared.
    pub(super) beat: u64,
    /// Whether somebody stopped it at another server.
    pub(super) is_to_stop: bool,
}

/// What was read or written last, and since when it is so.
struct Seen {
    bytes: Option<Vec<u8>>,
    since: Instant,
}

pub(super) struct Shared {
    files: Arc<dyn SideFiles>,
    /// The name of this server.
    pub(super) runner: String,
    seen: Mutex<Seen>,
}

fn failed(error: FileError) -> VerbError {
    not_kept(&io::Error::other(error.to_string()))
}

fn file(number: u64) -> SideFile {
    SideFile::of_all(Room::Season).numbered(number)
}

impl Shared {
    pub(super) fn new(files: Arc<dyn SideFiles>) -> Result<Shared, VerbError> {
        let seen = Mutex::new(Seen { bytes: None, since: Instant::now() });
        Ok(Shared { files, runner: crate::house::secret()?, seen })
    }

    fn see(&self, bytes: Option<Vec<u8>>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.bytes != bytes {
            *seen = Seen { bytes, since: Instant::now() };
        }
    }

    /// How it goes now; none: there was none yet.
    pub(super) fn read(&self) -> Result<Option<Kept>, VerbError> {
        let bytes = self.files.get(file(JOB), super::LONGEST).map_err(failed)?;
        let kept = bytes.as_deref().and_then(|bytes| serde_json::from_slice(bytes).ok());
        self.see(bytes);
        Ok(kept)
    }

    /// Whether nothing has changed for longer than whoever runs it is silent.
    pub(super) fn is_silent(&self) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.since.elapsed() >= SILENT
    }

    /// Keeps how it goes in the place of what was read last; false where another server was first.
    pub(super) fn keep(&self, kept: &Kept) -> Result<bool, VerbError> {
        let bytes = serde_json::to_vec(kept).unwrap_or_default();
        let before = {
            let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.bytes.clone()
        };
        match self.files.replace(file(JOB), before.as_deref(), &bytes) {
            Err(FileError::Changed { .. }) => Ok(false),
            Err(error) => Err(failed(error)),
            Ok(()) => {
                self.see(Some(bytes));
                Ok(true)
            }
        }
    }

    /// Puts the reports there, in this order, in the place of those of the last job.
    pub(super) fn publish(
        &self,
        reports: impl Iterator<Item = io::Result<Vec<u8>>>,
    ) -> Result<(), VerbError> {
        for (old, _) in self.files.list(Room::Season, None).map_err(failed)? {
            if old.number != JOB {
                self.files.remove(old).map_err(failed)?;
            }
        }
        for (number, report) in (JOB + 1..).zip(reports) {
            let bytes = report.map_err(|error| not_kept(&error))?;
            self.files.replace(file(number), None, &bytes).map_err(failed)?;
        }
        Ok(())
    }

    /// The report at this place.
    pub(super) fn report(&self, place: usize) -> Result<Option<Vec<u8>>, VerbError> {
        self.files.get(file(JOB + 1 + place as u64), super::LONGEST).map_err(failed)
    }
}

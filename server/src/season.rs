//! A season under other rules, as a job of the server: one at a time, behind whatever the desks ask for. It
//! goes over the store as it was when it began, and changes nothing in it.

use crate::house::{now, told_time};
use scrutineer_desk::answers::SeasonStands;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_store::files::{Readers, read_plain, replace};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folder of a store with what the last job found.
const FOLDER: &str = "season";
/// The file that says what it was.
const JOB: &str = "job.json";
/// The page of who moves.
pub(crate) const MOVED: &str = "page.html";
/// The report of everything.
pub(crate) const ALL: &str = "all.csv";
/// The longest file of these that is read, in bytes.
const LONGEST: u64 = 256 << 20;

/// The states of a job, in a word.
const NONE: &str = "none";
const RUNNING: &str = "running";
pub(crate) const DONE: &str = "done";
pub(crate) const STOPPED: &str = "stopped";
pub(crate) const FAILED: &str = "failed";

/// The job of a server, and what came of the last one.
pub struct Season {
    folder: Option<PathBuf>,
    stands: Mutex<SeasonStands>,
    tournaments: AtomicUsize,
    done: AtomicUsize,
    stop: AtomicBool,
}

pub(crate) fn not_kept(error: &io::Error) -> VerbError {
    let message = format!("what the rebuild found cannot be read or written: {error}");
    VerbError::new(Code::io("file-not-written"), message, "look at the disk and the permissions")
}

fn no_season(message: &str) -> VerbError {
    let hint = "begin one on the page /season";
    VerbError::new(Code::not_found("no-season"), message, hint)
}

impl Season {
    /// Reads what came of the last job; one that ran when the server ended was stopped by that.
    pub fn open(store: Option<&Path>) -> Season {
        let folder = store.map(|store| store.join(FOLDER));
        let read = folder.as_ref().and_then(|folder| {
            let bytes = read_plain(&folder.join(JOB), LONGEST).ok()?;
            serde_json::from_slice::<SeasonStands>(&bytes).ok()
        });
        let none = SeasonStands { state: NONE.into(), ..SeasonStands::default() };
        let season = Season {
            folder,
            stands: Mutex::new(read.unwrap_or(none)),
            tournaments: AtomicUsize::default(),
            done: AtomicUsize::default(),
            stop: AtomicBool::default(),
        };
        let was_running = season.lock().state == RUNNING;
        if was_running {
            // It is told where it cannot be kept either.
            let _ = season.end(STOPPED, Some("the server ended while it ran".into()), |_| {});
        }
        season
    }

    fn lock(&self) -> MutexGuard<'_, SeasonStands> {
        self.stands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says how it goes.
    pub fn told(&self) -> SeasonStands {
        let mut stands = self.lock().clone();
        if stands.state == RUNNING {
            stands.tournaments = self.tournaments.load(Ordering::Relaxed);
            stands.done = self.done.load(Ordering::Relaxed);
        }
        stands
    }

    fn keep(&self, stands: &SeasonStands) -> Result<(), VerbError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let bytes = serde_json::to_vec(stands).unwrap_or_default();
        replace(&folder.join(JOB), &bytes, Readers::Owner).map_err(|error| not_kept(&error))
    }

    /// Begins a job in the place of what the last one found.
    pub(crate) fn begin(&self, begins: SeasonStands) -> Result<PathBuf, VerbError> {
        let Some(folder) = &self.folder else {
            let (message, hint) = ("an invented tournament is no season", "serve a store");
            return Err(VerbError::new(Code::invalid("demo-is-local"), message, hint));
        };
        let mut stands = self.lock();
        if stands.state == RUNNING {
            let message = "a season is being ranked under other rules already";
            let hint = "wait for it, or stop it on the page /season";
            return Err(VerbError::new(Code::conflict("season-runs-already"), message, hint));
        }
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(not_kept(&error)),
            _ => {}
        }
        fs::create_dir_all(folder).map_err(|error| not_kept(&error))?;
        only_for_owner(folder).map_err(|error| not_kept(&error))?;
        let begun = SeasonStands { state: RUNNING.into(), begun: Some(told_time(now())), ..begins };
        self.keep(&begun)?;
        self.tournaments.store(0, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
        *stands = begun;
        Ok(folder.clone())
    }

    /// Ends it. Of a job that did not come to its end nothing is kept but that.
    pub(crate) fn end(
        &self,
        state: &str,
        why: Option<String>,
        fill: impl FnOnce(&mut SeasonStands),
    ) -> Result<(), VerbError> {
        let mut ended = self.told();
        (ended.state, ended.why) = (state.into(), why);
        ended.ended = Some(told_time(now()));
        fill(&mut ended);
        if let Some(folder) = self.folder.as_ref().filter(|_| state != DONE) {
            let files = fs::read_dir(folder).into_iter().flatten().flatten();
            for file in files.map(|entry| entry.path()).filter(|file| !file.ends_with(JOB)) {
                // What stays of it is overwritten by the next one.
                let _ = fs::remove_file(file);
            }
        }
        *self.lock() = ended.clone();
        self.keep(&ended)
    }

    /// Has it stopped. It ends at the next tournament.
    ///
    /// # Errors
    /// `no-season` where none runs.
    pub fn stop(&self) -> Result<(), VerbError> {
        if self.lock().state != RUNNING {
            return Err(no_season("no season is being ranked"));
        }
        self.stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether somebody stopped it.
    pub(crate) fn is_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Says over how many tournaments it goes.
    pub(crate) fn goes_over(&self, tournaments: usize) {
        self.tournaments.store(tournaments, Ordering::Relaxed);
    }

    /// Counts one that is done.
    pub(crate) fn one_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns a file that the last job wrote.
    ///
    /// # Errors
    /// `no-season` where there is none of this name.
    pub(crate) fn file(&self, name: &str) -> Result<Vec<u8>, VerbError> {
        let stands = self.lock().clone();
        let is_one = stands.state == DONE
            && (name == MOVED || stands.files.iter().any(|one| one.file == name));
        let folder = self.folder.as_ref().filter(|_| is_one);
        let folder = folder.ok_or_else(|| no_season("there is no such report"))?;
        read_plain(&folder.join(name), LONGEST).map_err(|error| not_kept(&error))
    }
}

/// Leaves a folder to its owner alone, where the platform knows that: reports have names.
fn only_for_owner(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_job_at_a_time_and_one_that_ran_when_the_server_ended_was_stopped() {
        let store = tempfile::tempdir().expect("a folder");
        let begins = || SeasonStands { rules: Some("dci".into()), ..SeasonStands::default() };
        let season = Season::open(Some(store.path()));
        assert_eq!(season.told().state, NONE);
        assert_eq!(season.stop().expect_err("none").code.word, "no-season");
        let folder = season.begin(begins()).expect("begun");
        assert_eq!(season.begin(begins()).expect_err("one").code.word, "season-runs-already");
        fs::write(folder.join(ALL), "half").expect("written");
        drop(season);
        let season = Season::open(Some(store.path()));
        let told = season.told();
        assert_eq!((&told.state[..], told.why.is_some()), (STOPPED, true));
        assert!(!folder.join(ALL).exists() && season.file(ALL).is_err());
        assert_eq!(Season::open(Some(store.path())).told(), told, "it stays so");
        season.begin(begins()).expect("another one");
        assert_eq!(
            Season::open(None).begin(begins()).expect_err("none").code.word,
            "demo-is-local"
        );
    }
}

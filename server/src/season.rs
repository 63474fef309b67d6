//! A season under other rules, as a job of the server: one at a time, behind whatever the desks ask for. It
//! goes over the store as it was when it began, and changes nothing in it. Of several servers at one database
//! one runs it, and all show it.

mod shared;

use crate::house::{now, told_time};
use scrutineer_desk::answers::{SeasonFile, SeasonStands};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::files::SideFiles;
use scrutineer_store::files::{Readers, read_plain, replace};
use shared::{Kept, Shared};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// How often something is kept that another server was faster with.
const TRIES: usize = 100;

/// The states of a job, in a word.
const NONE: &str = "none";
const RUNNING: &str = "running";
pub(crate) const DONE: &str = "done";
pub(crate) const STOPPED: &str = "stopped";
pub(crate) const FAILED: &str = "failed";

/// Why there are no reports any more.
const FORGOTTEN: &str =
    "a name in its reports is shown no longer, as where somebody was forgotten: run it again";

/// The job of a store, and what came of the last one.
pub struct Season {
    folder: Option<PathBuf>,
    /// What the servers of a database share of it.
    shared: Option<Shared>,
    /// Whether it runs here.
    is_here: AtomicBool,
    /// Held by whoever changes what is shared.
    changing: Mutex<()>,
    stands: Mutex<SeasonStands>,
    tournaments: AtomicUsize,
    done: AtomicUsize,
    stop: AtomicBool,
    /// Whether somebody was forgotten while it ran.
    forgets: AtomicBool,
}

pub(crate) fn not_kept(error: &io::Error) -> VerbError {
    let message = format!("what the rebuild found cannot be read or written: {error}");
    VerbError::new(Code::io("file-not-written"), message, "look at the disk and the permissions")
}

fn runs_already() -> VerbError {
    let message = "a season is being ranked under other rules already";
    let hint = "wait for it, or stop it on the page /season";
    VerbError::new(Code::conflict("season-runs-already"), message, hint)
}

fn no_season(message: &str) -> VerbError {
    let hint = "begin one on the page /season";
    VerbError::new(Code::not_found("no-season"), message, hint)
}

impl Season {
    /// Reads what came of the last job; one that ran when the server ended was stopped by that.
    ///
    /// # Errors
    /// Where the database cannot be read that it is in.
    pub fn open(
        store: Option<&Path>,
        files: Option<Arc<dyn SideFiles>>,
    ) -> Result<Season, VerbError> {
        let folder = store.map(|store| store.join(FOLDER));
        let shared = files.map(Shared::new).transpose()?;
        let own = folder.as_ref().filter(|_| shared.is_none());
        let read = own.and_then(|folder| {
            let bytes = read_plain(&folder.join(JOB), LONGEST).ok()?;
            serde_json::from_slice::<SeasonStands>(&bytes).ok()
        });
        let none = SeasonStands { state: NONE.into(), ..SeasonStands::default() };
        let season = Season {
            folder,
            shared,
            is_here: AtomicBool::default(),
            changing: Mutex::default(),
            stands: Mutex::new(read.unwrap_or(none)),
            tournaments: AtomicUsize::default(),
            done: AtomicUsize::default(),
            stop: AtomicBool::default(),
            forgets: AtomicBool::default(),
        };
        let was_running = season.lock().state == RUNNING;
        if was_running {
            // It is told where it cannot be kept either.
            let _ = season.end(STOPPED, Some("the server ended while it ran".into()), |_| {});
        }
        season.look()?;
        Ok(season)
    }

    /// Takes in how it goes at another server of the database, and says there how it goes here.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub(crate) fn look(&self) -> Result<(), VerbError> {
        let Some(shared) = &self.shared else { return Ok(()) };
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = shared.read()?;
        if self.is_here.load(Ordering::Acquire) {
            match kept.filter(|kept| kept.runner == shared.runner) {
                Some(kept) => {
                    self.stop.fetch_or(kept.is_to_stop, Ordering::Relaxed);
                    let beats = Kept { stands: self.told(), beat: kept.beat + 1, ..kept };
                    shared.keep(&beats)?;
                }
                // It was silent for so long that another one took it for gone.
                None => self.stop.store(true, Ordering::Relaxed),
            }
            return Ok(());
        }
        let Some(mut kept) = kept else { return Ok(()) };
        if kept.stands.state == RUNNING && shared.is_silent() {
            kept.stands.state = STOPPED.into();
            kept.stands.why = Some("the server that ran it is gone".into());
            kept.stands.ended = Some(told_time(now()));
            if !shared.keep(&kept)? {
                return Ok(());
            }
        }
        if kept.stands.state != DONE && self.lock().state == DONE {
            self.clear();
        }
        *self.lock() = kept.stands;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, SeasonStands> {
        self.stands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says how it goes.
    pub fn told(&self) -> SeasonStands {
        let mut stands = self.lock().clone();
        if stands.state == RUNNING && self.is_here.load(Ordering::Acquire) {
            stands.tournaments = self.tournaments.load(Ordering::Relaxed);
            stands.done = self.done.load(Ordering::Relaxed);
        }
        stands
    }

    /// Keeps how it goes. Of two servers that begin one at once the later one is refused.
    fn keep(&self, stands: &SeasonStands) -> Result<(), VerbError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        if let Some(shared) = &self.shared {
            let begins = stands.state == RUNNING;
            for _ in 0..TRIES {
                let before = shared.read()?.unwrap_or_default();
                let is_own = before.runner == shared.runner;
                if begins && before.stands.state == RUNNING {
                    return Err(runs_already());
                }
                if !begins && !is_own {
                    // Another server took this one for gone, and may have begun one.
                    return Ok(());
                }
                let kept = Kept {
                    stands: stands.clone(),
                    runner: shared.runner.clone(),
                    beat: before.beat + 1,
                    is_to_stop: false,
                };
                if shared.keep(&kept)? {
                    return Ok(());
                }
            }
            return Err(runs_already());
        }
        let bytes = serde_json::to_vec(stands).unwrap_or_default();
        replace(&folder.join(JOB), &bytes, Readers::Owner).map_err(|error| not_kept(&error))
    }

    /// Begins a job in the place of what the last one found.
    pub(crate) fn begin(&self, begins: SeasonStands) -> Result<PathBuf, VerbError> {
        let Some(folder) = &self.folder else {
            let (message, hint) = ("an invented tournament is no season", "serve a store");
            return Err(VerbError::new(Code::invalid("demo-is-local"), message, hint));
        };
        self.look()?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stands = self.lock();
        if stands.state == RUNNING {
            return Err(runs_already());
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
        self.forgets.store(false, Ordering::Relaxed);
        *stands = begun;
        self.is_here.store(true, Ordering::Release);
        Ok(folder.clone())
    }

    /// Ends it. Of a job that did not come to its end nothing is kept but that.
    pub(crate) fn end(
        &self,
        state: &str,
        why: Option<String>,
        fill: impl FnOnce(&mut SeasonStands),
    ) -> Result<(), VerbError> {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let forgets = self.forgets.load(Ordering::Relaxed);
        let (state, why) = match forgets {
            true => (STOPPED, Some(FORGOTTEN.to_string())),
            false => (state, why),
        };
        let mut ended = self.told();
        (ended.state, ended.why) = (state.into(), why);
        ended.ended = Some(told_time(now()));
        match state == DONE {
            true => fill(&mut ended),
            false => self.clear(),
        }
        *self.lock() = ended.clone();
        self.is_here.store(false, Ordering::Release);
        self.keep(&ended)?;
        match self.shared.as_ref().filter(|_| forgets) {
            Some(shared) => shared.publish(std::iter::empty()),
            None => Ok(()),
        }
    }

    /// Takes the reports out of the folder.
    fn clear(&self) {
        let Some(folder) = &self.folder else { return };
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        for file in files.map(|entry| entry.path()).filter(|file| !file.ends_with(JOB)) {
            // What stays of it is overwritten by the next one.
            let _ = fs::remove_file(file);
        }
    }

    /// Takes reports that name players away, and stops a job that writes some: somebody was forgotten.
    ///
    /// # Errors
    /// Where that cannot be kept.
    pub(crate) fn forget(&self) -> Result<(), VerbError> {
        self.look()?;
        let changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.lock().clone();
        if !before.names {
            return Ok(());
        }
        if before.state == RUNNING && self.is_here.load(Ordering::Acquire) {
            self.forgets.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
            return Ok(());
        }
        if before.state == RUNNING {
            drop(changing);
            return self.stop();
        }
        if before.state != DONE {
            return Ok(());
        }
        let (state, why) = (STOPPED.to_string(), Some(FORGOTTEN.to_string()));
        let gone = SeasonStands { state, why, sums: None, files: Vec::new(), ..before };
        *self.lock() = gone.clone();
        self.clear();
        let Some(shared) = &self.shared else { return self.keep(&gone) };
        for _ in 0..TRIES {
            let kept = shared.read()?.filter(|kept| kept.stands.state == DONE);
            // Another server took them away, or began the next one.
            let Some(kept) = kept else { return Ok(()) };
            if shared.keep(&Kept { stands: gone.clone(), ..kept })? {
                return shared.publish(std::iter::empty());
            }
        }
        Err(crate::problem::too_busy())
    }

    /// Gives the reports to all servers of the database.
    ///
    /// # Errors
    /// Where they cannot be read or kept.
    pub(crate) fn publish(&self, files: &[SeasonFile]) -> Result<(), VerbError> {
        let (Some(shared), Some(folder)) = (&self.shared, &self.folder) else { return Ok(()) };
        let names = std::iter::once(MOVED).chain(files.iter().map(|one| &*one.file));
        shared.publish(names.map(|name| read_plain(&folder.join(name), LONGEST)))
    }

    /// Has it stopped. It ends at the next tournament.
    ///
    /// # Errors
    /// `no-season` where none runs.
    pub fn stop(&self) -> Result<(), VerbError> {
        if self.lock().state != RUNNING {
            return Err(no_season("no season is being ranked"));
        }
        if let Some(shared) = self.shared.as_ref().filter(|_| !self.is_here.load(Ordering::Acquire))
        {
            let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
            for _ in 0..TRIES {
                let kept = shared.read()?.filter(|kept| kept.stands.state == RUNNING);
                let kept = kept.ok_or_else(|| no_season("no season is being ranked"))?;
                // Whoever runs it looks every other second.
                if shared.keep(&Kept { is_to_stop: true, ..kept })? {
                    return Ok(());
                }
            }
            return Err(crate::problem::too_busy());
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
        if let Some(shared) = self.shared.as_ref().filter(|_| is_one) {
            let place = stands.files.iter().position(|one| one.file == name).map_or(0, |at| at + 1);
            return shared.report(place)?.ok_or_else(|| no_season("there is no such report"));
        }
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
    use scrutineer_engine::files::Room;

    #[test]
    fn one_job_at_a_time_and_one_that_ran_when_the_server_ended_was_stopped() {
        let store = tempfile::tempdir().expect("a folder");
        let begins = || SeasonStands { rules: Some("dci".into()), ..SeasonStands::default() };
        let season = Season::open(Some(store.path()), None).expect("opened");
        assert_eq!(season.told().state, NONE);
        assert_eq!(season.stop().expect_err("none").code.word, "no-season");
        let folder = season.begin(begins()).expect("begun");
        assert_eq!(season.begin(begins()).expect_err("one").code.word, "season-runs-already");
        fs::write(folder.join(ALL), "half").expect("written");
        drop(season);
        let season = Season::open(Some(store.path()), None).expect("opened");
        let told = season.told();
        assert_eq!((&told.state[..], told.why.is_some()), (STOPPED, true));
        assert!(!folder.join(ALL).exists() && season.file(ALL).is_err());
        assert_eq!(
            Season::open(Some(store.path()), None).expect("opened").told(),
            told,
            "it stays so"
        );
        season.begin(begins()).expect("another one");
        assert_eq!(
            Season::open(None, None).expect("opened").begin(begins()).expect_err("none").code.word,
            "demo-is-local"
        );
    }

    /// Somebody was forgotten at a venue, and the publisher's reports of the season kept their name.
    #[test]
    fn reports_that_name_players_are_taken_away_when_somebody_is_forgotten() {
        let store = tempfile::tempdir().expect("a folder");
        let season = Season::open(Some(store.path()), None).expect("opened");
        let ran = |names: bool, meanwhile: &dyn Fn()| {
            let folder = season.begin(SeasonStands { names, ..SeasonStands::default() });
            let folder = folder.expect("begun");
            fs::write(folder.join(ALL), "Albert").expect("written");
            fs::write(folder.join(MOVED), "Albert").expect("written");
            meanwhile();
            let all = SeasonFile { file: ALL.into(), store: None, tournaments: 1 };
            season.end(DONE, None, |stands| stands.files = vec![all]).expect("ended");
            folder
        };
        let forget = || season.forget().expect("forgotten");
        let is_gone = |folder: &Path| {
            let told = season.told();
            assert_eq!((&told.state[..], told.why.as_deref()), (STOPPED, Some(FORGOTTEN)));
            assert!(told.files.is_empty() && season.file(ALL).is_err());
            assert!(!folder.join(ALL).exists() && !folder.join(MOVED).exists());
            assert_eq!(Season::open(Some(store.path()), None).expect("opened").told(), told);
        };
        forget();
        assert_eq!(season.told().state, NONE);
        let folder = ran(true, &|| {});
        assert!(season.file(ALL).is_ok());
        forget();
        is_gone(&folder);
        // Whoever is forgotten while it runs stands in no report either.
        is_gone(&ran(true, &forget));
        // It is run again, and numbers are nobody's name.
        ran(true, &|| {});
        assert!(season.file(ALL).is_ok());
        ran(false, &|| {});
        forget();
        assert!(season.file(ALL).is_ok());
    }

    #[test]
    fn of_several_servers_one_runs_a_season_and_all_show_stop_and_have_it() {
        let files: Arc<dyn SideFiles> = Arc::new(scrutineer_engine::files::MemoryFiles::new());
        let nodes = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let open = |at: usize| {
            Season::open(Some(nodes[at].path()), Some(Arc::clone(&files))).expect("opened")
        };
        let begins = || SeasonStands { rules: Some("dci".into()), ..SeasonStands::default() };
        let (one, other) = (open(0), open(1));
        let folder = one.begin(begins()).expect("begun");
        let refused = other.begin(begins()).expect_err("one");
        assert_eq!(refused.code.word, "season-runs-already");
        one.goes_over(9);
        one.one_done();
        one.look().and_then(|()| other.look()).expect("looked");
        let told = other.told();
        assert_eq!((&told.state[..], told.tournaments, told.done), (RUNNING, 9, 1));
        other.stop().expect("stopped");
        assert!(!one.is_to_stop());
        one.look().expect("looked");
        assert!(one.is_to_stop());
        one.end(STOPPED, Some("somebody stopped it".into()), |_| {}).expect("ended");
        other.look().expect("looked");
        assert_eq!(other.told().state, STOPPED);
        // The next one runs at the other, to its end.
        let begun = other.begin(begins()).expect("begun");
        assert_ne!(begun, folder);
        fs::write(begun.join(MOVED), "page").expect("written");
        fs::write(begun.join(ALL), "rows").expect("written");
        let all = [SeasonFile { file: ALL.into(), store: None, tournaments: 9 }];
        other.publish(&all).expect("published");
        other.end(DONE, None, |stands| stands.files = all.to_vec()).expect("ended");
        one.look().expect("looked");
        assert_eq!(
            (one.file(MOVED).expect("read"), one.file(ALL).expect("read")),
            (b"page".to_vec(), b"rows".to_vec())
        );
        assert_eq!(open(0).told(), other.told(), "also after a restart");
        // Whoever is forgotten at one of them is in no report of any.
        one.begin(SeasonStands { names: true, ..begins() }).expect("begun");
        fs::write(nodes[0].path().join(FOLDER).join(MOVED), "page").expect("written");
        fs::write(nodes[0].path().join(FOLDER).join(ALL), "rows").expect("written");
        one.publish(&all).expect("published");
        one.end(DONE, None, |stands| stands.files = all.to_vec()).expect("ended");
        other.forget().expect("forgotten");
        one.look().expect("looked");
        assert!(one.file(ALL).is_err() && one.told() == other.told());
        assert!(!nodes[0].path().join(FOLDER).join(ALL).exists());
        assert_eq!(files.list(Room::Season, None).expect("listed").len(), 1, "how it stands");
    }
}

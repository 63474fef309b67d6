//! The mirror: a further copy of the store. When commands have become durable a helper thread copies
//! them, and ends. The tournament never waits for it, but for a moment when the store is closed.

mod setting;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::LogError;
use super::copying::Copying;
use super::durable::{io_error, sync_above};
use super::identity::Identity;
use super::options::{Mirror, MirrorError, MirrorStanding, Notice, OpenError, Options};
use super::readonly::ReadOnlyLog;
use super::segment::Position;
use super::shelf::Shelf;
use crate::files::lies_in;
use scrutineer_engine::book::BookError;
use scrutineer_engine::record::StreamId;
pub use setting::{Remembered, remember, remembered};

/// What everybody shares.
#[derive(Debug)]
struct Shared {
    store: PathBuf,
    folder: PathBuf,
    id: [u8; 16],
    beside: &'static [&'static str],
    retry: Duration,
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Debug)]
struct State {
    target: Position,
    /// The copy, while no helper has it and it could be reached the last time.
    copying: Option<Copying>,
    /// Whether a helper is at work.
    is_working: bool,
    /// What the first look at the mirror has found.
    found: Option<Result<(), MirrorError>>,
    /// Whether somebody still waits for that.
    is_opening: bool,
    /// The streams whose books are looked at last of all; the store is being closed.
    closing: Option<Vec<StreamId>>,
    /// The store is gone: nothing more is written.
    abandoned: bool,
    /// How far the mirror is, where it could be read, and since when.
    done: Option<u64>,
    progress: Instant,
    /// When it was last tried to reach the mirror.
    tried: Instant,
    /// Whether it is told already that the mirror can't be reached.
    told_away: bool,
    /// Whether the user named it with this very command: then they are told once more.
    is_named: bool,
    /// Why it can't be, as long as that is so.
    away: Option<String>,
    /// Streams whose book can't be carried over, told already.
    books: Vec<StreamId>,
    shelf: Option<Shelf>,
    untold: Vec<Notice>,
}

/// The mirror, as the store sees it.
#[derive(Debug)]
pub(crate) struct Follower {
    shared: Arc<Shared>,
    deadline: Duration,
}

impl Follower {
    /// Looks at the mirror and begins to follow, where there is one to be kept.
    ///
    /// `kept` is what the store keeps in mind. A mirror that can't be reached is told as a notice
    /// and tried again later; one that shows that the store is not what it was is refused.
    pub(crate) fn start(
        store: &Path,
        id: [u8; 16],
        end: Position,
        options: &Options,
        kept: Option<Remembered>,
    ) -> Result<Option<Follower>, OpenError> {
        let (folder, asked) = match &options.mirror {
            Mirror::Off => {
                remember(store, None, false)?;
                return Ok(None);
            }
            Mirror::AsBefore => match &kept {
                Some(kept) => (kept.folder.clone(), false),
                None => return Ok(None),
            },
            Mirror::In(folder) => {
                let absolute = std::path::absolute(folder);
                let folder = absolute.map_err(|error| io_error("find", folder, &error))?;
                let is_new = kept.as_ref().is_none_or(|kept| kept.folder != folder);
                if is_new && lies_in(&folder, store) {
                    return Err(MirrorError::Inside { folder }.into());
                }
                (folder, is_new)
            }
        };
        let replaced = kept.as_ref().filter(|_| asked).map(|kept| kept.folder.clone());
        let state = State {
            target: end,
            copying: None,
            is_working: true,
            found: None,
            is_opening: true,
            closing: None,
            abandoned: false,
            done: None,
            progress: Instant::now(),
            tried: Instant::now(),
            told_away: !asked && kept.is_some_and(|kept| kept.away),
            is_named: matches!(options.mirror, Mirror::In(_)),
            away: None,
            books: Vec::new(),
            shelf: None,
            untold: Vec::new(),
        };
        let shared = Arc::new(Shared {
            store: store.to_path_buf(),
            folder,
            id,
            beside: options.beside,
            retry: options.mirror_retry,
            state: Mutex::new(state),
            news: Condvar::new(),
        });
        let follower = Follower { shared, deadline: options.mirror_deadline };
        let shared = &follower.shared;
        Shared::help(shared, asked);
        match follower.first_look() {
            Ok(()) => {}
            Err(error @ (MirrorError::Ahead { .. } | MirrorError::Differs { .. })) => {
                return Err(error.into());
            }
            Err(error) if asked => return Err(error.into()),
            Err(error) => shared.away(&error.to_string()),
        }
        if asked {
            remember(store, Some(&shared.folder), false)?;
        }
        if let Some(before) = replaced {
            let text = format!(
                "the mirror is in {} from now on; the one in {} stays as it is",
                shared.folder.display(),
                before.display()
            );
            shared.lock().untold.push(Notice::new("mirror-replaced", text));
        }
        Ok(Some(follower))
    }

    /// What a helper finds first. A disk that doesn't answer is away.
    fn first_look(&self) -> Result<(), MirrorError> {
        let (mut state, _) = self.wait_until(self.shared.lock(), |state| state.found.is_some());
        state.is_opening = false;
        let silent = || MirrorError::Away { reason: "it gives no answer".to_string() };
        state.found.take().unwrap_or_else(|| Err(silent()))
    }

    /// What the user is to be told goes here from now on.
    pub(crate) fn tell_from_here(&self, shelf: &Shelf) {
        let mut state = self.shared.lock();
        let untold = std::mem::take(&mut state.untold);
        state.shelf = Some(shelf.clone());
        drop(state);
        untold.into_iter().for_each(|notice| shelf.notice(notice));
    }

    /// The journal has grown.
    pub(crate) fn follow(&self, target: Position) {
        let mut state = self.shared.lock();
        state.target = target;
        Shared::call(&self.shared, state);
    }

    /// How the mirror stands, after it was given the time to catch up.
    pub(crate) fn standing(&self) -> MirrorStanding {
        let mut state = self.shared.lock();
        state.progress = Instant::now();
        // Not for what comes meanwhile: others may write without end.
        let target = state.target.frames;
        Shared::call(&self.shared, state);
        let is_so =
            |state: &State| !state.is_working || state.done.is_some_and(|done| done >= target);
        let (state, _) = self.wait_until(self.shared.lock(), is_so);
        let (missing, away) = (state.missing(), state.away.clone());
        MirrorStanding { folder: self.shared.folder.clone(), missing, away }
    }

    /// Lets the mirror catch up and looks at the books of these streams; not for ever.
    pub(crate) fn close(&self, streams: Vec<StreamId>) {
        let mut state = self.shared.lock();
        state.closing = Some(streams);
        state.progress = Instant::now();
        // Nobody waits for a mirror that isn't there.
        if !state.is_working && state.copying.is_none() {
            return;
        }
        Shared::call(&self.shared, state);
        let (state, has_ended) = self.wait_until(self.shared.lock(), |state| !state.is_working);
        if has_ended {
            return;
        }
        let missing = state.missing();
        drop(state);
        // None where only names are behind, or nobody knows.
        let missing = match missing {
            None | Some(0) => String::new(),
            Some(missing) => format!(": {missing} commands are missing there"),
        };
        let folder = self.shared.folder.display();
        self.shared.tell(Notice::new(
            "mirror-behind",
            format!(
                "The mirror {folder} has not caught up{missing}. It goes on the next time the \
                 store is opened."
            ),
        ));
    }

    /// Waits until it is so, as long as the mirror makes progress; says whether it is.
    fn wait_until<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        is_so: impl Fn(&State) -> bool,
    ) -> (MutexGuard<'a, State>, bool) {
        loop {
            if is_so(&state) {
                return (state, true);
            }
            if state.progress.elapsed() >= self.deadline {
                return (state, false);
            }
            state = match self.shared.news.wait_timeout(state, Duration::from_millis(20)) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

impl State {
    /// Whether the mirror lacks something, or it is to be told that it is back.
    fn has_work(&self) -> bool {
        let is_behind = self.done.is_some_and(|done| done < self.target.frames);
        is_behind || self.closing.is_some() || self.told_away
    }

    /// The commands that the mirror lacks; none where nobody knows.
    fn missing(&self) -> Option<u64> {
        Some(self.target.frames.saturating_sub(self.done?))
    }
}

/// What is to be said where the file that names the mirror can't be read.
pub(crate) fn unknown(why: &LogError) -> Notice {
    Notice::new(
        "mirror-unknown",
        format!(
            "Nobody knows whether there is a mirror: {why}. Name it again with `--mirror <folder>`, \
             or say `--mirror none`."
        ),
    )
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.shared.lock().abandoned = true;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a helper where there is something to do and none is at it.
    fn call(shared: &Arc<Shared>, mut state: MutexGuard<'_, State>) {
        let is_due = match state.copying {
            Some(_) => state.has_work(),
            None => state.tried.elapsed() >= shared.retry,
        };
        if is_due && !state.is_working && !state.abandoned {
            state.is_working = true;
            drop(state);
            Shared::help(shared, false);
        }
    }

    fn help(shared: &Arc<Shared>, may_begin: bool) {
        let its = Arc::clone(shared);
        let thread = std::thread::Builder::new().name("mirror".to_string());
        if let Err(error) = thread.spawn(move || EndOnDrop(&its).0.work(may_begin)) {
            shared.refused(MirrorError::Away { reason: error.to_string() });
            shared.end();
        }
    }

    /// Copies until nothing is left to do.
    fn work(&self, may_begin: bool) {
        let mut state = self.lock();
        let mut copying = state.copying.take();
        while !state.abandoned && (copying.is_none() || state.has_work()) {
            let (target, closing) = (state.target, state.closing.clone());
            drop(state);
            let copied = match &mut copying {
                Some(copying) => self.advance(copying, target, closing.as_deref()),
                None => self.open(may_begin, target).map(|opened| copying = Some(opened)),
            };
            if let Err(error) = copied {
                self.refused(error);
                return self.end();
            }
            state = self.lock();
            state.found.get_or_insert(Ok(()));
            state.done = copying.as_ref().map(|copying| copying.position().frames);
            state.away = None;
            state.progress = Instant::now();
            self.news.notify_all();
        }
        // At once, so that what comes now calls another.
        state.copying = copying;
        state.is_working = false;
        self.news.notify_all();
    }

    /// The helper is gone without having got on.
    fn end(&self) {
        self.lock().is_working = false;
        self.news.notify_all();
    }

    /// The mirror can't be written, for now or because it shows that the store is not what it was.
    /// Where nobody waits to hear that any more, it comes back as one that was away.
    fn refused(&self, error: MirrorError) {
        let mut state = self.lock();
        state.tried = Instant::now();
        if state.is_opening {
            state.found = Some(Err(error));
            self.news.notify_all();
            return;
        }
        drop(state);
        match error {
            MirrorError::Ahead { .. } | MirrorError::Differs { .. } => {
                let mut state = self.lock();
                (state.away, state.abandoned) = (Some(error.to_string()), true);
                drop(state);
                self.tell(Notice::new(error.code().word, format!("{error}: {}", error.hint())));
            }
            _ => self.away(&error.to_string()),
        }
    }

    fn open(&self, may_begin: bool, end: Position) -> Result<Copying, MirrorError> {
        let empty = match is_unbegun(&self.folder) {
            Ok(unbegun) => unbegun,
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(io_error("list", &self.folder, &error).into()),
        };
        if !empty {
            return Copying::resume(&self.store, &self.folder, self.id, end);
        }
        if !may_begin {
            let reason = match self.folder.is_dir() {
                true => {
                    "it is empty, and may be this machine's own disk where a stick was; for a new \
                     stick say `--mirror none`, then name it"
                }
                false => "it is not there",
            };
            return Err(MirrorError::Away { reason: reason.to_string() });
        }
        // Not those above it: they would be made on this disk where a stick isn't plugged in.
        match fs::create_dir(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(io_error("create", &self.folder, &error).into());
            }
            _ => {}
        }
        sync_above(&self.folder)?;
        let removed = crate::files::remove_unfinished(&self.folder);
        removed.map_err(|error| io_error("remove what is unfinished in", &self.folder, &error))?;
        Ok(Copying::begin(&self.store, &self.folder, self.id)?)
    }

    /// One step: some commands, or where there are none the rest of a store that is being closed.
    fn advance(
        &self,
        copying: &mut Copying,
        target: Position,
        closing: Option<&[StreamId]>,
    ) -> Result<(), MirrorError> {
        let is_behind = copying.position().frames < target.frames;
        if is_behind {
            copying.step(target)?;
        } else if let Some(streams) = closing {
            copying.books(streams)?;
            copying.beside(self.beside)?;
            self.lock().closing = None;
        }
        let faults = copying.take_faults();
        let caught_up = copying.position().frames >= target.frames;
        let mut state = self.lock();
        let back = caught_up && std::mem::take(&mut state.told_away);
        let mut notices = Vec::new();
        for (stream, why) in faults {
            if !state.books.contains(&stream) {
                state.books.push(stream);
                let folder = self.folder.display();
                let restore = format!("`scrutineer restore --from {folder}`");
                let hint = match why {
                    BookError::Shorter { .. } => format!("{restore} brings them back."),
                    BookError::Forgotten { .. } => format!("{restore} empties it here too."),
                    BookError::Kept { .. } => format!("{restore} brings them back."),
                    _ => format!(
                        "If `verify` finds an error, {restore} takes each from whichever has it \
                         whole; if not, rename {folder}/books/{stream}.jsonl: it is written again."
                    ),
                };
                let text =
                    format!("The names of tournament {stream} are not mirrored: {why}. {hint}");
                notices.push(Notice::new("mirror-book", text));
            }
        }
        drop(state);
        notices.into_iter().for_each(|notice| self.tell(notice));
        if back {
            self.remember(false);
            let text = format!("The mirror {} is up to date again.", self.folder.display());
            self.tell(Notice::new("mirror-back", text));
        }
        Ok(())
    }

    /// Tells once that the mirror can't be reached, also over several openings of the store.
    fn away(&self, why: &str) {
        let mut state = self.lock();
        state.away = Some(why.to_string());
        state.done = None;
        let is_told = std::mem::replace(&mut state.told_away, true);
        if is_told && !std::mem::take(&mut state.is_named) {
            return;
        }
        drop(state);
        let folder = self.folder.display();
        self.tell(Notice::new(
            "mirror-away",
            format!(
                "The mirror {folder} is not written: {why}. Everything goes on without it, and \
                 nothing is lost here; once it is there again, it catches up by itself. Whoever \
                 has done with it says `--mirror none`."
            ),
        ));
        self.remember(true);
    }

    /// Keeps in mind whether it is told that the mirror is away. Where that can't be written, it is
    /// told again the next time. Twice, since the opening of a store tidies away files that are being
    /// written, and this may be one of them.
    fn remember(&self, away: bool) {
        let kept = || remember(&self.store, Some(&self.folder), away);
        let _ = kept().or_else(|_| kept());
    }

    fn tell(&self, notice: Notice) {
        let mut state = self.lock();
        match state.shelf.clone() {
            Some(shelf) => {
                drop(state);
                shelf.notice(notice);
            }
            None => state.untold.push(notice),
        }
    }
}

/// Whether a folder is empty, or holds no more than what was made before its `FORMAT` when the
/// mirror was begun and interrupted.
fn is_unbegun(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours = match entry.path().is_dir() {
            true => {
                let is_known = name == "journal" || name == "books";
                is_known && fs::read_dir(entry.path())?.next().is_none()
            }
            false => name.to_str().is_some_and(crate::files::is_beside),
        };
        if !is_ours {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A helper that panics is told, and waited for by nobody.
struct EndOnDrop<'a>(&'a Shared);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.refused(MirrorError::Away { reason: "its thread has stopped".to_string() });
            self.0.end();
        }
    }
}

/// A copy that was made once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// The commands in it.
    pub commands: u64,
    /// Books that could not be copied, with the reason.
    pub books: Vec<(StreamId, String)>,
}

/// Copies a store into a new or empty folder, as it stands: also while another process writes to
/// it. `beside` are the files and folders that are copied besides.
///
/// # Errors
/// Where the store's journal is damaged, or something can't be read or written.
pub fn backup(store: &Path, to: &Path, beside: &[&str]) -> Result<Backup, OpenError> {
    let id = Identity::read(store)?.map(|identity| identity.id);
    let id = id.ok_or_else(|| OpenError::NotAStore {
        folder: store.to_path_buf(),
        reason: "it holds no FORMAT".to_string(),
    })?;
    let mut copying = Copying::begin(store, to, id)?;
    // First: a checkpoint must not attest more than the journal in the copy has.
    copying.beside(beside)?;
    let end = ReadOnlyLog::open(store)?.end();
    while copying.position().frames < end.frames {
        copying.step(end).map_err(|error| super::damage::explain(&store.join("journal"), error))?;
    }
    let books = copying.take_faults().into_iter();
    let books = books.map(|(stream, error)| (stream, error.to_string())).collect();
    Ok(Backup { commands: end.frames, books })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::store_of;

    /// A store that was not opened after all leaves no thread behind that goes on writing.
    #[test]
    fn a_mirror_ends_with_its_store() {
        let (store, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let end = *store_of(store.path(), 1_000, &[10, 20]).last().unwrap();
        let id = Identity::read(store.path()).unwrap().unwrap().id;
        let mirror = Mirror::In(place.path().join("mirror"));
        let options = Options { mirror, ..Options::default() };
        let begun = Instant::now();
        let follower = Follower::start(store.path(), id, end, &options, None).unwrap().unwrap();
        let shared = Arc::downgrade(&follower.shared);
        drop(follower);
        while shared.upgrade().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(10), "its thread goes on");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

//! A store in a folder: the journal that is waited for and read, and sled behind it.
//!
//! ```text
//! FORMAT            "scrutineer store 1", and the store's id
//! lock              held by the process that has the store open
//! open              there while the store is open; left behind by an unclean stop
//! journal/          what is acknowledged
//! books/            the private texts
//! heads             where each stream ended at the last orderly closing; can be made again
//! sled/             commands, and a second copy of all; can be made again from the journal
//! mirror            the folder in which a further copy is kept, where there is one
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::committer::{self, Queue};
use super::damage::explain;
use super::durable::{create_folder, io_error, sync_above, sync_folder};
use super::identity::{Identity, Kind};
use super::index::JournalIndex;
use super::journal::{self, Journal};
use super::ledger::Ledger;
use super::mirror::{self, Follower};
use super::options::{Mirror, MirrorStanding, Notice, OpenError, Options, Stats};
use super::recover::{Recovered, Torn, recover};
use super::shelf::{Phase, Setting, Shelf};
use super::store::Store;
use super::stream::Places;
use super::texts::FolderTexts;
use super::{AppendError, Batch, CommandTrace, Head, Log, LogError, Records};
use scrutineer_engine::book::{BookError, PrivateTexts};
use scrutineer_engine::log::TextsFirst;
use scrutineer_engine::record::{CommandId, StreamId};

/// A log in a folder of this machine, for one process at a time.
#[derive(Debug)]
pub struct EmbeddedLog {
    folder: PathBuf,
    store: Arc<Store>,
    queue: Arc<Queue>,
    committer: Mutex<Option<JoinHandle<Journal>>>,
    texts: FolderTexts,
    texts_first: TextsFirst,
    /// Held, and released when the process ends in whatever way.
    _lock: File,
}

impl EmbeddedLog {
    /// Opens a store, or begins one in a new or empty folder.
    ///
    /// What a power cut interrupted is cut off; what sled has lost is filled in again from the
    /// journal. [`EmbeddedLog::notices`] tells what was done.
    ///
    /// # Errors
    /// [`OpenError`]; nothing was changed then.
    pub fn open(folder: impl AsRef<Path>, options: Options) -> Result<EmbeddedLog, OpenError> {
        let folder = folder.as_ref();
        check_folder(folder)?;
        create_folder(folder).map_err(|error| unwritable(folder, error))?;
        let lock = lock_store(folder)?;
        let id = store_id(folder)?;
        let journal_folder = folder.join("journal");
        create_folder(&journal_folder).map_err(|error| unwritable(folder, error))?;
        let unclean = folder.join("open").exists();
        let recovered = recover(folder, Identity { kind: Kind::Store, id });
        let mut recovered = recovered.map_err(|error| explain(&journal_folder, error))?;
        if let Some(Torn { segment, offset, bytes }) = recovered.torn
            && !unclean
        {
            return Err(OpenError::TailDamaged { segment, offset, bytes });
        }
        // Before the store is changed: a mirror that has more shows that it lost something.
        let kept = mirror::remembered(folder);
        let unread = kept.as_ref().err().map(mirror::unknown);
        let known = kept.unwrap_or_default();
        let mirror = Follower::start(folder, id, recovered.end, &options, known)?;
        if unclean {
            recovered.secure(&journal_folder)?;
        }
        mark_open(folder)?;
        let places = Places::new(&journal_folder, std::mem::take(&mut recovered.last), true);
        let places = Arc::new(places);
        let setting = Setting {
            places: Arc::clone(&places),
            journal: journal_folder.clone(),
            root: folder.join("sled"),
            store: id,
            heads: Mutex::new(recovered.heads.clone()),
            unclean,
            options,
        };
        let shelf = Shelf::start(setting, recovered.end);
        // A journal that is as it was closed shows by itself that it lost nothing: then whoever
        // appends first waits for sled, and nobody else.
        if !recovered.as_closed
            && let Phase::Ahead(lost) = shelf.wait_until_open()
        {
            if !unclean {
                mark_closed(folder)?;
            }
            return Err(OpenError::JournalShort { lost });
        }
        tell(&shelf, unclean, &recovered);
        let ledger = Ledger::new(recovered.heads.clone(), shelf.setting.options.hot_commands);
        let ledger = Mutex::new(ledger);
        let store = Arc::new(Store { journal: journal_folder, places, ledger, shelf, mirror });
        if let Some(mirror) = &store.mirror {
            mirror.tell_from_here(&store.shelf);
        } else if let Some(notice) =
            unread.filter(|_| store.shelf.setting.options.mirror == Mirror::AsBefore)
        {
            store.shelf.notice(notice);
        }
        EmbeddedLog::start(folder, store, id, recovered, lock)
    }

    fn start(
        folder: &Path,
        store: Arc<Store>,
        id: [u8; 16],
        recovered: Recovered,
        lock: File,
    ) -> Result<EmbeddedLog, OpenError> {
        let texts = FolderTexts::open(folder.join("books")).map_err(|error| match error {
            BookError::Io { action, file, reason } => LogError::Io { action, file, reason },
            other => LogError::Io {
                action: "open",
                file: folder.join("books").display().to_string(),
                reason: other.to_string(),
            },
        })?;
        let roll_at = store.shelf.setting.options.journal_segment_bytes;
        let tail = Arc::clone(&store.places.tail);
        let journal = Journal::start(&store.journal, id, roll_at, &recovered, tail)?;
        store.follow(journal.end());
        let queue = Arc::new(Queue::default());
        let (its_store, its_queue) = (Arc::clone(&store), Arc::clone(&queue));
        let committer = std::thread::Builder::new()
            .name("committer".to_string())
            .spawn(move || committer::run(&its_store, &its_queue, journal))
            .map_err(|error| io_error("start the committer of", folder, &error))?;
        let committer = Mutex::new(Some(committer));
        let (folder, texts_first) = (folder.to_path_buf(), TextsFirst::default());
        Ok(EmbeddedLog { folder, store, queue, committer, texts, texts_first, _lock: lock })
    }

    /// The store's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the user should know, in the order it happened.
    pub fn notices(&self) -> Vec<Notice> {
        self.store.notices()
    }

    /// How the mirror stands, where there is one. It is given the time to catch up first, as when
    /// the store is closed.
    pub fn mirror(&self) -> Option<MirrorStanding> {
        self.store.mirror.as_ref().map(Follower::standing)
    }

    /// Counts, for tests and for whoever looks after the machine.
    pub fn stats(&self) -> Stats {
        let state = self.store.shelf.lock();
        let (commands, commands_in_sled) = (state.target.frames, state.applied.frames);
        let bytes_behind = self.store.shelf.bytes_behind(&state);
        drop(state);
        Stats { commands, commands_in_sled, bytes_behind, syncs: self.queue.syncs() }
    }

    /// Where each stream stands in the journal now, looked up on so many threads: for whoever
    /// reads many streams whole, which through sled one thread would have to hand over.
    ///
    /// # Errors
    /// [`LogError::Damaged`] names the place.
    pub fn index_journal(&self, threads: usize) -> Result<JournalIndex, LogError> {
        let end = self.store.shelf.lock().target;
        let index = JournalIndex::of(&self.store.journal, end, threads);
        index.map_err(|error| explain(&self.store.journal, error))
    }

    /// Closes the store in order: what is waiting is done, sled catches up, everything is synced.
    ///
    /// # Errors
    /// When the mark of an open store can't be removed. Nothing is lost then either; the next
    /// opening takes longer.
    pub fn close(self) -> Result<(), LogError> {
        self.shut()
    }

    fn shut(&self) -> Result<(), LogError> {
        let mut committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(committer) = committer.take() else {
            return Ok(());
        };
        self.queue.close();
        let journal = committer.join();
        if let Some(mirror) = &self.store.mirror {
            mirror.close(self.streams()?);
        }
        let sled_closed = self.store.shelf.close();
        let ledger = self.store.lock();
        if let Ok(journal) = journal
            && sled_closed
            && ledger.stopped.is_none()
        {
            // Without them the next opening reads the journal.
            let _ = journal.seal(&self.folder, &ledger.heads);
            mark_closed(&self.folder)?;
        }
        Ok(())
    }
}

impl Drop for EmbeddedLog {
    fn drop(&mut self) {
        // Whoever wants to know calls `close`.
        let _ = self.shut();
    }
}

impl Log for EmbeddedLog {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        Ok(self.store.lock().heads.slot(stream)?.head)
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        self.texts_first.append(self, expected, batch, |batch| self.queue.append(expected, batch))
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        self.store.read(stream, after)
    }

    fn scan(&self) -> Records<'_> {
        if let Err(lost) = self.store.lost_nothing() {
            return Box::new(std::iter::once(Err(lost)));
        }
        let end = self.store.shelf.lock().target;
        let scanned = journal::scan(&self.store.journal, end);
        Box::new(scanned.map(|read| read.map_err(|error| explain(&self.store.journal, error))))
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        self.store.command(stream, id)
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        // What is read from a file is read without the lock, which whoever appends waits for.
        let heads = self.store.lock().heads.clone();
        heads.iter().map(|slot| slot.map(|(stream, _)| stream)).collect()
    }

    fn texts(&self) -> &dyn PrivateTexts {
        &self.texts
    }
}

/// Refuses a folder that holds something other than a store, before anything is put into it.
fn check_folder(folder: &Path) -> Result<(), OpenError> {
    let not_a_store = |reason: &str| {
        let (folder, reason) = (folder.to_path_buf(), reason.to_string());
        Err(OpenError::NotAStore { folder, reason })
    };
    let names = match fs::read_dir(folder) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return not_a_store("it is a file");
        }
        Err(error) => return Err(io_error("list", folder, &error).into()),
    };
    let mut foreign = false;
    for name in names {
        let name = name.map_err(|error| io_error("list", folder, &error))?.file_name();
        if name == "FORMAT" {
            return Ok(());
        }
        // What may stand there before FORMAT: a first opening that was interrupted, or books.
        let unfinished = name.to_str().is_some_and(crate::files::is_beside);
        foreign |= name != "lock" && name != "books" && !unfinished;
    }
    match foreign {
        true => not_a_store("it holds other files and no FORMAT"),
        false => Ok(()),
    }
}

/// Takes a store for oneself, as whoever opens it does, for as long as the file is held.
///
/// # Errors
/// [`OpenError::InUse`], or [`OpenError::ReadOnly`].
pub fn lock_store(folder: &Path) -> Result<File, OpenError> {
    let refused = |error: &io::Error| OpenError::ReadOnly {
        folder: folder.to_path_buf(),
        reason: error.to_string(),
    };
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(folder.join("lock")).map_err(|error| refused(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { folder: folder.to_path_buf() }),
        Err(TryLockError::Error(error)) => Err(refused(&error)),
    }
}

/// The store's id, from its FORMAT file; a new store gets one.
fn store_id(folder: &Path) -> Result<[u8; 16], OpenError> {
    match Identity::read(folder)? {
        Some(identity @ Identity { kind: Kind::Store, id }) => {
            identity.renew(folder).map_err(|error| unwritable(folder, error))?;
            Ok(id)
        }
        Some(Identity { kind: Kind::Copy, .. }) => {
            Err(OpenError::IsCopy { folder: folder.to_path_buf() })
        }
        None => {
            sync_above(folder)?;
            Ok(Identity::draw(folder)?.id)
        }
    }
}

fn mark_open(folder: &Path) -> Result<(), OpenError> {
    let file = folder.join("open");
    if let Err(error) = File::create(&file) {
        let reason = error.to_string();
        return Err(OpenError::ReadOnly { folder: folder.to_path_buf(), reason });
    }
    Ok(sync_folder(folder)?)
}

fn unwritable(folder: &Path, error: LogError) -> OpenError {
    match error {
        LogError::Io { reason, .. } => OpenError::ReadOnly { folder: folder.to_path_buf(), reason },
        error => error.into(),
    }
}

fn mark_closed(folder: &Path) -> Result<(), LogError> {
    let file = folder.join("open");
    fs::remove_file(&file).map_err(|error| io_error("remove", &file, &error))?;
    sync_folder(folder)
}

fn tell(shelf: &Shelf, unclean: bool, recovered: &Recovered) {
    if unclean {
        let text = "The store was not closed in order the last time. It was checked.";
        shelf.notice(Notice::new("unclean-stop", text));
    }
    if let Some(torn) = recovered.torn {
        shelf.notice(Notice::new(
            "journal-tail-cut",
            format!(
                "The last write was interrupted: {} bytes at the end of journal segment {} were \
                 cut off. As far as sled and the mirror know, they had not been acknowledged.",
                torn.bytes, torn.segment
            ),
        ));
    }
}

//! A store of many tournaments: the log, the private texts beside it, and the way in for files.

mod add;
mod announced;
mod apart;
mod at;
mod beside;
mod brought;
mod called;
mod carry;
mod checkpoints;
mod copies;
#[cfg(feature = "postgres")]
mod database;
mod exports;
mod followed;
mod forgotten;
mod fork;
pub mod known;
mod left;
mod moved;
mod public;
mod renewed;
mod restore;
mod secrets;
mod snapshots;
mod tail;
mod turn;
mod whole;

use crate::glance::Glance;
use crate::in_order::in_order;
use crate::keys::{KeyError, KeyFolder};
use crate::public::without_served;
pub use add::{AddError, Prepared, of_platform, prepare, prepare_source, ruleset_for};
use announced::Announced;
pub use apart::{apart, titled};
pub use at::{DatabaseAt, DatabaseFault, PlaceError, StoreAt};
pub use brought::{Added, Alike, Way};
pub use called::Called;
pub(crate) use called::KeptNames;
pub use carry::{Carried, CarryError, carry};
use checkpoints::Checkpoints;
pub use copies::{Checked, CopyError, ENROLLED, HOUSE, HOUSE_COPY, back_up, check_copy, is_copy};
pub use exports::{Export, Exported, SCREEN};
pub use followed::{Followed, Fork};
use known::KnownPlayers;
pub use left::without_records;
pub use moved::{CarriedHouse, OfHouse, Placed, back_up_database, copy_store, restore_database};
pub use public::{Given, PRIVATE, Salt, for_keepers};
pub use renewed::built_on;
pub(crate) use renewed::{is_open, numbers, says_the_same, turned, won};
pub use restore::{Restored, restore};
use scrutineer_engine::log::RESTORE;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::as_of::{AsOf, Past};
use scrutineer_replay::kept::{Kept, KeptError};
use scrutineer_replay::loaded::{LoadedTournament, short_id, text_or};
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::verify::verify_journal;
pub use snapshots::Snapshot;
pub use tail::{Besides, PARTED_HINT, SentHead, Tail, TailError};
pub use turn::Turn;
pub use whole::{Reader, Whole};

use beside::Beside;
use exports::Exports;
use scrutineer_engine::book::{Book, BookError, Commitment, Opened, PrivateEntry, PrivateTexts};
use scrutineer_engine::decide::taken_after_removal;
use scrutineer_engine::event::{Day, DecodeError, Event, IMPORTED_AT};
use scrutineer_engine::files::{FileError, Room, SideFile, SideFiles};
use scrutineer_engine::handler::{
    CommandError, CommandHandler, FoldedStates, LoadError, read_events,
};
use scrutineer_engine::log::{Head, Log, LogError, MemoryLog};
use scrutineer_engine::record::{Header, RecordHash, StreamId, Time};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::called;
use scrutineer_store::texts::FolderTexts;
use scrutineer_store::{
    EmbeddedLog, FolderFiles, MendedLog, Mirror, MirrorStanding, Notice, OpenError, Options,
    ReadOnlyLog, Teller, lock_store, remembered,
};
use secrets::Secrets;
use snapshots::Snapshots;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

scrutineer_engine::errors! {
    /// Why a store cannot be opened or read.
    pub enum StoreError -> Option<&'static str> {
        /// The store cannot be opened.
        Open(#[from] OpenError) => (error) error.code(), "{0}", error.hint();
        /// A store whose journal was lost.
        JournalGone(PathBuf) = damaged "journal-damaged",
            "{0} holds no records any more, but checkpoints or tables of tournaments stand beside \
             it; nothing was changed",
            Some(RESTORE);
        /// What is kept cannot be read or written.
        Kept(#[from] KeptError) => (error) error.code(), "{0}", error.hint();
        /// A database that can't be used.
        Database(#[from] Box<DatabaseFault>) => (fault) fault.code, "{0}", Some(fault.hint);
        /// A node folder that belongs to another database.
        OtherNode { folder: PathBuf, of: String } = conflict "node-of-another-database",
            "{folder} is the node folder of {of}: what was seen of that database says nothing about this one",
            Some("name another folder with --node, or none: each database has one of its own then. If this \
                  is that database under another address, remove the file `database` from the folder");
        /// A folder, where only a database makes sense.
        NotADatabase { shown: String } = invalid "not-a-database", "{shown} is a folder, and has no tables",
            Some("name the database: --store postgres://owner@host:5432/database");
        /// A database that keeps its own copies.
        NoMirror { shown: String } = invalid "no-mirror-of-a-database",
            "{shown} is a database, and no mirror is written beside one",
            Some("leave --mirror out: standbys and backups of PostgreSQL keep copies, and \
                  `scrutineer backup <folder>` writes one");
        /// The secret by which snapshots are known cannot be had.
        Keys(#[from] KeyError) => (error) error.code(), "{0}", Some(error.hint());
        /// What is stored is no log that could be copied.
        Copy(#[from] CommandError) = damaged "log-not-read", "the tournament cannot be copied: {0}", None;
        /// There is no tournament in it.
        Empty = not_found "no-tournaments", "the store holds no tournament",
            Some("bring one in: `scrutineer import <file>`");
        /// No tournament is called that.
        UnknownTournament { name: String, close: Option<String> } = not_found "unknown-tournament",
            ["no tournament is called {name:?}{}", suggestion(.close)],
            Some("`scrutineer tournaments` lists them");
        /// It is kept elsewhere, and followed here.
        IsCopy { from: String } = conflict "is-a-copy",
            "this is a copy of a tournament that is run elsewhere ({from}), and nothing is recorded in it",
            Some("record it where it is run");
        /// Several tournaments could be meant.
        WhichTournament { candidates: Vec<(String, StreamId)> } = not_found "which-tournament",
            ["{} tournaments could be meant: {}", .candidates.len(), list(.candidates)],
            Some("name one with --tournament <title or id>");
    }
}

impl StoreError {
    /// Whether a newer version wrote an event that this one does not know.
    pub const fn is_newer(&self) -> bool {
        let StoreError::Kept(KeptError::Load(LoadError::Event { source, .. })) = self else {
            return false;
        };
        matches!(source, DecodeError::UnknownKind { .. })
    }

    /// Whether the database is not the one that was seen, as far as this tournament goes.
    pub fn is_forked(&self) -> bool {
        self.code() == "database-forked"
    }

    /// Whether the store is there but can't be written.
    pub const fn read_only(&self) -> bool {
        matches!(self, StoreError::Open(OpenError::ReadOnly { .. }))
    }

    /// Whether another program has the store open, which passes.
    pub const fn in_use(&self) -> bool {
        matches!(self, StoreError::Open(OpenError::InUse { .. }))
    }
}

impl From<LogError> for StoreError {
    fn from(error: LogError) -> StoreError {
        StoreError::Kept(error.into())
    }
}

impl From<LoadError> for StoreError {
    fn from(error: LoadError) -> StoreError {
        StoreError::Kept(error.into())
    }
}

impl From<BookError> for StoreError {
    fn from(error: BookError) -> StoreError {
        StoreError::Kept(error.into())
    }
}

/// Refuses a store without a journal beside which something stands that comes only with records:
/// as an empty one it would be begun anew.
fn check_journal(folder: &Path) -> Result<(), StoreError> {
    let has_files =
        |name: &str| fs::read_dir(folder.join(name)).is_ok_and(|mut files| files.next().is_some());
    match !has_files("journal") && ["checkpoints", "announced"].into_iter().any(has_files) {
        true => Err(StoreError::JournalGone(folder.join("journal"))),
        false => Ok(()),
    }
}

fn suggestion(close: &Option<String>) -> String {
    close.as_ref().map_or(String::new(), |title| format!("; did you mean {title:?}?"))
}

fn list(candidates: &[(String, StreamId)]) -> String {
    let shown = candidates.iter().take(8);
    let mut text: Vec<String> =
        shown.map(|(title, id)| format!("{title} ({})", short_id(*id))).collect();
    if candidates.len() > 8 {
        text.push("…".into());
    }
    text.join(", ")
}

/// How many threads list events: they wait for sled most of the time.
const LISTING_THREADS: usize = 8;

/// So many events are worth a further thread.
const EVENTS_PER_THREAD: usize = 64;

/// How many events are looked at before the first of them is listed.
const AHEAD: usize = 1_024;

/// One tournament of a store, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentSummary {
    /// Its id.
    pub stream: StreamId,
    /// Its title.
    pub title: String,
    /// The day on which it was held.
    pub held_on: Option<Day>,
    /// When it was opened.
    pub opened_at: Time,
    /// What the ruleset is called that it was opened with.
    pub ruleset: String,
    /// How many events its log has.
    pub head: u64,
    /// What identifies it at its source, where it was imported.
    pub source_event: Option<String>,
    /// The name of the file it was imported from.
    pub file: Option<String>,
    /// Whether its import was taken back.
    pub is_removed: bool,
}

/// What a store holds.
#[derive(Debug)]
pub struct Listed {
    /// The tournaments that this version can read, by title.
    pub events: Vec<TournamentSummary>,
    /// Those that were removed: they stay in the log, and in no list.
    pub removed: Vec<TournamentSummary>,
    /// What is not read: the stream, and why. A newer version wrote it, or the database is not the one that
    /// was seen.
    pub unread: Vec<(StreamId, StoreError)>,
}

/// The next number of a private book. Where the book was lost, or an old copy of it came back, it is
/// behind the log, whose numbers stay taken.
///
/// # Errors
/// Where the book cannot be read, or is full.
pub(crate) fn free_number(
    books: &dyn PrivateTexts,
    stream: StreamId,
    state: &Tournament,
) -> Result<u32, BookError> {
    let after_log = state.last_entry().checked_add(1).ok_or(BookError::Full)?;
    Ok(books.next_number(stream)?.max(after_log))
}

enum Place {
    Folder(Arc<EmbeddedLog>),
    ReadOnly(Arc<ReadOnlyLog>),
    Mended(Arc<MendedLog>),
    Memory(Arc<MemoryLog>),
    #[cfg(feature = "postgres")]
    Database(Arc<scrutineer_postgres::PostgresLog>),
    /// What is public of one tournament.
    Public(Arc<Past<'static>>),
}

impl Place {
    /// The log, where it can only be read.
    fn read_only(&self) -> Option<&ReadOnlyLog> {
        match self {
            Place::ReadOnly(log) => Some(log),
            Place::Mended(log) => Some(log.unmended()),
            _ => None,
        }
    }
}

/// How often a change of a side file is tried that somebody else was faster with.
const TRIES: usize = 1_000;

/// Reads and changes a side file again, for as long as somebody else changed it in between.
fn again<T>(mut change: impl FnMut() -> Result<T, FileError>) -> Result<T, FileError> {
    for _ in 1..TRIES {
        match change() {
            Err(FileError::Changed { .. }) => {}
            done => return done,
        }
    }
    change()
}

/// A store of many tournaments.
pub struct Store {
    log: Place,
    secrets: Secrets,
    exports: Exports,
    announced: Announced,
    checkpoints: Checkpoints,
    snapshots: Snapshots,
    /// The tournaments that were folded, for every desk at this store.
    states: Arc<FoldedStates>,
    /// The same as far as they are public.
    public_states: Arc<FoldedStates>,
    /// Whether its readers are not told of penalties and disqualifications.
    leaves_out: bool,
    /// Who took part in its tournaments.
    known: KnownPlayers,
    /// What the players of its tournaments are called.
    names: Arc<KeptNames>,
    /// The same as everybody is shown them.
    public_names: Arc<KeptNames>,
    meant: Arc<Mutex<Meant>>,
}

/// What became of the tables of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The version they had; 0: there were none.
    pub from: u32,
    /// The version they have.
    pub to: u32,
}

/// How many names are remembered with the tournament that they mean.
const MOST_NAMES: usize = 10_000;

/// Which tournament a name meant when there were so many: it means the same until one comes.
type Meant = (usize, HashMap<(String, By), StreamId>);

/// What names a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum By {
    /// Also a part of its title, and four digits of its id.
    Part,
    /// Its whole title, or eight digits of its id.
    Whole,
}

impl Store {
    /// Opens the store in a folder, or begins one there.
    ///
    /// # Errors
    /// Where the store cannot be opened.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::open_with(folder, Mirror::AsBefore, None)
    }

    /// Opens the store wherever it is, as [`Store::open_with`].
    ///
    /// # Errors
    /// Where it cannot be opened; [`StoreError::NoMirror`] where a database is to have one.
    pub fn open_at(
        at: &StoreAt,
        mirror: Mirror,
        teller: Option<Teller>,
    ) -> Result<Store, StoreError> {
        match at {
            StoreAt::Folder(folder) => Store::open_with(folder, mirror, teller),
            StoreAt::Database(_) if matches!(mirror, Mirror::In(_)) => {
                Err(StoreError::NoMirror { shown: at.to_string() })
            }
            #[cfg(feature = "postgres")]
            StoreAt::Database(database) => database::open(database, teller),
            #[cfg(not(feature = "postgres"))]
            StoreAt::Database(database) => match *database.address {},
        }
    }

    /// Makes the tables of a database, or brings them to the version of this program, as its owner.
    ///
    /// # Errors
    /// [`StoreError::NotADatabase`] for a folder; where the database can't be changed.
    pub fn migrate(at: &StoreAt) -> Result<Migrated, StoreError> {
        match at {
            StoreAt::Folder(_) => Err(StoreError::NotADatabase { shown: at.to_string() }),
            #[cfg(feature = "postgres")]
            StoreAt::Database(database) => database::migrate(database),
            #[cfg(not(feature = "postgres"))]
            StoreAt::Database(database) => match *database.address {},
        }
    }

    /// As [`Store::open`], with what is to be done about a mirror, and somebody who is told
    /// notices as they come up.
    ///
    /// # Errors
    /// Where the store cannot be opened.
    pub fn open_with(
        folder: &Path,
        mirror: Mirror,
        teller: Option<Teller>,
    ) -> Result<Store, StoreError> {
        check_journal(folder)?;
        let options = Options { mirror, teller, beside: copies::BESIDE, ..Options::default() };
        let log = EmbeddedLog::open(folder, options)?;
        let files = FolderFiles::open(folder).map_err(|error| match error {
            FileError::Io { action, file, reason } => KeptError::Beside { action, file, reason },
            other => {
                Beside::in_store(folder).failed("open", SideFile::of_all(Room::Exports))(other)
            }
        })?;
        Ok(Store::among(Place::Folder(Arc::new(log)), Beside::among(files, folder)))
    }

    /// Opens a store that can't be written, or a copy of one. Not a byte of it is changed.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn open_to_read(folder: &Path) -> Result<Store, StoreError> {
        check_journal(folder)?;
        let log = Place::ReadOnly(Arc::new(ReadOnlyLog::open(folder)?));
        Ok(Store::among(log, Beside::in_store(folder)))
    }

    /// The same, which opens the store where a frame of its journal is damaged, since sled may have
    /// those records whole.
    #[must_use]
    pub fn or_sled(self) -> Store {
        let log = match self.log {
            Place::ReadOnly(log) => {
                let options = Options { beside: copies::BESIDE, ..Options::default() };
                match Arc::try_unwrap(log) {
                    Ok(log) => Place::Mended(Arc::new(MendedLog::new(log, options))),
                    Err(shared) => Place::ReadOnly(shared),
                }
            }
            log => log,
        };
        Store { log, ..self }
    }

    /// As [`Store::open_to_read`], a store that was closed in order and has no mirror: nothing has
    /// to be put right in it before it is read. None where that is not so, or somebody has it open.
    pub fn open_closed(folder: &Path) -> Option<Store> {
        if !folder.join("FORMAT").exists() || folder.join("mirror").exists() {
            return None;
        }
        let _ours = lock_store(folder).ok()?;
        let store = Store::open_to_read(folder).ok()?;
        matches!(&store.log, Place::ReadOnly(log) if log.is_as_closed()).then_some(store)
    }

    fn among(log: Place, files: Beside) -> Store {
        Store {
            log,
            secrets: Secrets(Arc::clone(&files.files)),
            exports: Exports(files.clone()),
            announced: Announced(files.clone()),
            checkpoints: Checkpoints(files.clone()),
            snapshots: Snapshots::among(files),
            states: Arc::default(),
            public_states: Arc::default(),
            leaves_out: false,
            known: KnownPlayers::default(),
            names: Arc::default(),
            public_names: Arc::default(),
            meant: Arc::default(),
        }
    }

    /// A store in memory, which is gone when it is dropped.
    pub fn in_memory() -> Store {
        let store = Store::among(Place::Memory(Arc::new(MemoryLog::new())), Beside::in_memory());
        Store { snapshots: Snapshots::nowhere(), ..store }
    }

    /// The store with the keys of this machine, beside which the secret stands by which snapshots are
    /// known: without it none is used and none is taken.
    #[must_use]
    pub fn with_keys(self, keys: KeyFolder) -> Store {
        Store { snapshots: self.snapshots.with_keys(keys), ..self }
    }

    /// What records commands here: the only writer of the log. Every one of a store knows what the
    /// others have folded.
    pub fn handler(&self) -> CommandHandler<'_> {
        CommandHandler::with(self.log(), Arc::clone(&self.states))
    }

    /// What its user should know about the store, until now.
    pub fn notices(&self) -> Vec<Notice> {
        match &self.log {
            Place::Folder(log) => log.notices(),
            _ => Vec::new(),
        }
    }

    /// The log.
    pub fn log(&self) -> &dyn Log {
        match &self.log {
            Place::Folder(log) => &**log,
            Place::ReadOnly(log) => &**log,
            Place::Mended(log) => &**log,
            Place::Memory(log) => &**log,
            #[cfg(feature = "postgres")]
            Place::Database(log) => &**log,
            Place::Public(log) => &**log,
        }
    }

    /// The files beside the log of a database, which all its servers share; none: it is in no database.
    pub fn shared_files(&self) -> Option<Arc<dyn SideFiles>> {
        match &self.log {
            #[cfg(feature = "postgres")]
            Place::Database(log) => Some(Arc::<scrutineer_postgres::PostgresLog>::clone(log)),
            _ => None,
        }
    }

    /// The private books.
    pub fn books(&self) -> &dyn PrivateTexts {
        self.log().texts()
    }

    pub(crate) fn names(&self) -> &KeptNames {
        &self.names
    }

    pub(crate) fn known_players(&self) -> &KnownPlayers {
        &self.known
    }

    /// As [`Kept::secrets`].
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn secrets(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, StoreError> {
        Ok(self.secrets.get(stream)?)
    }

    /// As [`Kept::announced`].
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn announced(&self, stream: StreamId) -> Result<Vec<AnnouncedTable>, StoreError> {
        Ok(Kept::announced(self, stream)?)
    }

    /// As [`Kept::checkpoints`].
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn checkpoints(&self, stream: StreamId) -> Result<Vec<String>, StoreError> {
        Ok(Kept::checkpoints(self, stream)?)
    }

    /// Verifies the journal of a store in a folder, and gives how many records it has.
    ///
    /// # Errors
    /// Where the journal is damaged, with the place.
    pub fn verify_journal(&self) -> Result<Option<u64>, LogError> {
        match &self.log {
            Place::Memory(_) | Place::Public(_) => Ok(None),
            _ => verify_journal(self.log()).map(Some),
        }
    }

    /// How the mirror of the store stands, where there is one.
    pub fn mirror(&self) -> Option<MirrorStanding> {
        if let Place::Folder(log) = &self.log {
            return log.mirror();
        }
        let folder = remembered(self.log.read_only()?.folder()).ok()??.folder;
        let away = Some("the store is only read now".to_string());
        Some(MirrorStanding { folder, missing: None, away })
    }

    /// How many texts of an event's private book a mirror in this folder has not, or not as they
    /// are here.
    ///
    /// # Errors
    /// Where the book itself cannot be read.
    pub fn not_mirrored(&self, stream: StreamId, mirror: &Path) -> Result<usize, StoreError> {
        let book = self.books().book(stream)?;
        let copy = FolderTexts::read_only(mirror.join("books")).book(stream);
        let has = |entry: &PrivateEntry| {
            copy.as_ref().is_ok_and(|copy| copy.entry(entry.number) == Some(entry))
        };
        Ok(book.entries().filter(|entry| !has(entry)).count())
    }

    /// Keeps a secret of a tournament's seeds beside earlier ones, durably, next to the log and
    /// outside of every copy of it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep_secret(&self, stream: StreamId, secret: &[u8; 32]) -> Result<(), StoreError> {
        Ok(self.secrets.keep(stream, secret)?)
    }

    /// Keeps the tables of announcements beside the log.
    ///
    /// # Errors
    /// Where they cannot be written.
    pub fn keep_announced(
        &self,
        stream: StreamId,
        tables: &[AnnouncedTable],
    ) -> Result<(), StoreError> {
        Ok(self.announced.keep(stream, tables)?)
    }

    /// The state after the last event of which there is a snapshot.
    ///
    /// # Errors
    /// Where the folder or the log cannot be read. A damaged snapshot is passed over.
    pub fn snapshot(&self, stream: StreamId) -> Result<Option<(Head, Tournament)>, StoreError> {
        self.snapshots.latest(self.log(), stream, u64::MAX)
    }

    /// The state after this event, where there is a snapshot of it that can be used.
    ///
    /// # Errors
    /// Where the folder or the log cannot be read.
    pub(crate) fn snapshot_at(
        &self,
        stream: StreamId,
        seq: u64,
    ) -> Result<Option<(Head, Tournament)>, StoreError> {
        let found = self.snapshots.latest(self.log(), stream, seq)?;
        Ok(found.filter(|(head, _)| head.seq == seq))
    }

    /// The snapshots of a tournament, the oldest first, also those that are passed over.
    ///
    /// # Errors
    /// Where the folder or the log cannot be read.
    pub fn snapshots(&self, stream: StreamId) -> Result<Vec<Snapshot>, StoreError> {
        self.snapshots.list(self.log(), stream)
    }

    /// Takes a snapshot where many events were recorded since the last one.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(crate) fn snapshot_after(
        &self,
        stream: StreamId,
        head: Head,
        state: &Tournament,
    ) -> Result<(), StoreError> {
        match snapshots::is_due(self.snapshots.last(stream)?, head.seq) {
            true => self.snapshots.take(stream, head, state),
            false => Ok(()),
        }
    }

    /// Takes a snapshot of the state at this head.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn take_snapshot(
        &self,
        stream: StreamId,
        head: Head,
        state: &Tournament,
    ) -> Result<(), StoreError> {
        self.snapshots.take(stream, head, state)
    }

    /// Removes the snapshots of a tournament, and says how many there were.
    ///
    /// # Errors
    /// Where one cannot be removed.
    pub fn drop_snapshots(&self, stream: StreamId) -> Result<usize, StoreError> {
        self.snapshots.drop_all(stream)
    }

    /// Keeps a signed checkpoint behind earlier ones, durably. Nobody is given one before, and what
    /// it attests is on the disk too.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(crate) fn keep_checkpoint(
        &self,
        _turn: &Turn,
        stream: StreamId,
        note: &str,
    ) -> Result<(), StoreError> {
        if let Some(log) = self.log.read_only() {
            // Whoever writes the journal may not have waited for the disk yet.
            log.secure()?;
        }
        Ok(self.checkpoints.keep(stream, &[note.to_string()])?)
    }

    /// Waits until nobody else writes beside this log, which takes a moment; they wait as long as the
    /// answer is held. So who only reads can sign too, while another desk writes.
    ///
    /// # Errors
    /// Where it cannot be waited for.
    pub(crate) fn turn_to_sign(&self) -> Result<Turn, StoreError> {
        Ok(self.checkpoints.0.turn()?)
    }

    /// Keeps signed checkpoints behind earlier ones, but for those that are there, durably.
    ///
    /// # Errors
    /// Where they cannot be written, or are more than are kept of an event: then none is kept.
    pub fn keep_checkpoints(&self, stream: StreamId, notes: &[String]) -> Result<(), StoreError> {
        let _turn = self.turn_to_sign()?;
        Ok(self.checkpoints.keep(stream, notes)?)
    }

    /// Whether such checkpoints can be kept.
    ///
    /// # Errors
    /// Where they are more than are kept of an event, or those that are there cannot be read.
    pub(crate) fn has_room_for_checkpoints(
        &self,
        stream: StreamId,
        notes: &[String],
    ) -> Result<(), StoreError> {
        Ok(self.checkpoints.have_room(stream, notes)?)
    }

    /// Every tournament that this version can read, by title.
    ///
    /// # Errors
    /// Where the log or a book cannot be read.
    pub fn events(&self) -> Result<Vec<TournamentSummary>, StoreError> {
        Ok(self.listed()?.events)
    }

    /// What the store holds: tournaments by title, and what is not read.
    ///
    /// # Errors
    /// Where the log or a book cannot be read.
    pub fn listed(&self) -> Result<Listed, StoreError> {
        let streams = self.log().streams()?;
        let threads = LISTING_THREADS.min(1 + streams.len() / EVENTS_PER_THREAD);
        let (mut events, mut unread) = (Vec::with_capacity(streams.len()), Vec::new());
        let mut removed = Vec::new();
        let work = |(): &mut (), at: usize| (streams[at], self.summary(streams[at]));
        for (stream, found) in in_order(streams.len(), threads, AHEAD, || (), work) {
            match found {
                Err(error) if error.is_newer() || error.is_forked() => unread.push((stream, error)),
                found => match found? {
                    found if found.is_removed => removed.push(found),
                    found => events.push(found),
                },
            }
        }
        events.sort_by(|a, b| (&a.title, a.stream).cmp(&(&b.title, b.stream)));
        Ok(Listed { events, removed, unread })
    }

    /// What lists show of a tournament.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn summary(&self, stream: StreamId) -> Result<TournamentSummary, StoreError> {
        let (mut opened, mut imported) = (None, None);
        let mut opened_at = Time { unix_micros: 0 };
        for read in read_events(self.log(), stream, 0) {
            let (record, event) = read?;
            match event {
                Event::TournamentOpened(found) => {
                    opened_at = record.header().time;
                    opened = Some(found);
                    continue;
                }
                Event::Imported(found) => imported = Some(found),
                _ => {}
            }
            break;
        }
        let title = opened.iter().map(|found| found.title.number);
        let source = imported.iter().flat_map(|i| [i.source_event.number, i.file.number]);
        let book = self.books().beginning(stream, title.chain(source).max().unwrap_or(0))?;
        let mut summary = TournamentSummary {
            stream,
            title: "untitled".into(),
            held_on: None,
            opened_at,
            ruleset: String::new(),
            head: self.log().head(stream)?.seq,
            source_event: None,
            file: None,
            is_removed: imported.is_some() && self.is_removed(stream)?,
        };
        if let Some(opened) = opened {
            summary.title = self.title_of(&book, &opened.title);
            summary.held_on = opened.held_on;
            summary.ruleset = called(&opened.ruleset);
        }
        if let Some(imported) = imported {
            if let Opened::Text(identity) = book.text(&imported.source_event) {
                summary.source_event = Some(identity.to_string());
            }
            summary.file = Some(text_or(&book, &imported.file, "a file"));
        }
        Ok(summary)
    }

    /// What a tournament is called: as its own texts say, or, of a copy that has none, as where it is run.
    pub fn title_of(&self, book: &Book, title: &Commitment) -> String {
        self.known_title(book, title).unwrap_or_else(|| "untitled".into())
    }

    /// As [`Store::title_of`]; none where nothing says the title.
    pub fn known_title(&self, book: &Book, title: &Commitment) -> Option<String> {
        match book.text(title) {
            Opened::Text(text) => Some(text.to_string()),
            _ => self.called_elsewhere(book.stream()),
        }
    }

    fn called_elsewhere(&self, stream: StreamId) -> Option<String> {
        self.followed(stream).ok().flatten()?.title
    }

    /// How many tournaments this node records nothing more in, since the database is not the one that was seen.
    pub fn forked(&self) -> usize {
        match &self.log {
            #[cfg(feature = "postgres")]
            Place::Database(log) => log.forks().len(),
            _ => 0,
        }
    }

    /// Whether a tournament was removed: behind that nothing is recorded but what may still be asked for.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn is_removed(&self, stream: StreamId) -> Result<bool, StoreError> {
        let mut at = self.log().head(stream)?.seq;
        while at > IMPORTED_AT {
            match read_events(self.log(), stream, at - 1).next().transpose()? {
                Some((_, Event::Withdrawn(event))) if event.seq == IMPORTED_AT => {
                    let imported = read_events(self.log(), stream, IMPORTED_AT - 1).next();
                    return Ok(matches!(imported.transpose()?, Some((_, Event::Imported(_)))));
                }
                Some((_, event)) if taken_after_removal(&event) => at -= 1,
                _ => break,
            }
        }
        Ok(false)
    }

    /// The tournament that is meant. Where none is named it is the only one, or the only one that is
    /// still open; else it goes by title or the beginning of the id.
    ///
    /// # Errors
    /// Where none or several could be meant.
    pub fn find(&self, name: Option<&str>) -> Result<StreamId, StoreError> {
        let Some(name) = name else {
            return match &self.log().streams()?[..] {
                [] => Err(StoreError::Empty),
                [only] if !self.is_removed(*only)? => Ok(*only),
                _ => {
                    let Listed { events, unread, .. } = self.listed()?;
                    match &events[..] {
                        [] => {
                            Err(unread.into_iter().next().map_or(StoreError::Empty, |(_, why)| why))
                        }
                        [only] => Ok(only.stream),
                        all => {
                            let mut open = all.iter().filter(|one| self.is_open(one.stream));
                            match (open.next(), open.next()) {
                                (Some(only), None) => Ok(only.stream),
                                _ => Err(which(all.to_vec())),
                            }
                        }
                    }
                }
            };
        };
        self.meant_by(name, By::Part)
    }

    /// The tournament that a program means: by its id, its first eight digits or more, or its whole title. What names
    /// one for somebody at a keyboard, such as a part of its title, would lead a program's order astray.
    ///
    /// # Errors
    /// Where none or several could be meant.
    pub fn find_whole(&self, name: &str) -> Result<StreamId, StoreError> {
        self.meant_by(name, By::Whole)
    }

    fn meant_by(&self, name: &str, by: By) -> Result<StreamId, StoreError> {
        if let Ok(stream) = name.parse::<StreamId>()
            && self.log().head(stream)?.seq > 0
        {
            return Ok(stream);
        }
        let (count, key) = (self.log().streams()?.len(), (name.to_string(), by));
        {
            let mut meant = self.meant.lock().unwrap_or_else(PoisonError::into_inner);
            if meant.0 != count || meant.1.len() >= MOST_NAMES {
                *meant = (count, HashMap::new());
            }
            if let Some(stream) = meant.1.get(&key) {
                return Ok(*stream);
            }
        }
        let stream = self.named(name, by)?;
        let mut meant = self.meant.lock().unwrap_or_else(PoisonError::into_inner);
        if meant.0 == count {
            meant.1.insert(key, stream);
        }
        Ok(stream)
    }

    /// What names meant is looked up anew.
    pub(crate) fn forget_meant(&self) {
        *self.meant.lock().unwrap_or_else(PoisonError::into_inner) = (0, HashMap::new());
    }

    /// The tournament that a title or the beginning of an id means.
    fn named(&self, name: &str, by: By) -> Result<StreamId, StoreError> {
        let Listed { events: all, removed, unread } = self.listed()?;
        let wanted = name.to_lowercase();
        let exact = |event: &&TournamentSummary| event.title.to_lowercase() == wanted;
        let least_digits = match by {
            By::Part => 4,
            By::Whole => 8,
        };
        let is_meant = |stream: &StreamId| {
            wanted.len() >= least_digits && stream.to_string().starts_with(&wanted)
        };
        let by_id = |event: &&TournamentSummary| is_meant(&event.stream);
        let part = |event: &&TournamentSummary| {
            by == By::Part && event.title.to_lowercase().contains(&wanted)
        };
        let tests: [&dyn Fn(&&TournamentSummary) -> bool; 3] = [&exact, &by_id, &part];
        for test in tests {
            let found: Vec<TournamentSummary> = all.iter().filter(test).cloned().collect();
            match &found[..] {
                [] => {}
                [one] => return Ok(one.stream),
                _ => return Err(which(found)),
            }
        }
        let by_id_only =
            removed.iter().map(|event| &event.stream).chain(unread.iter().map(|(s, _)| s));
        if let Some(stream) = by_id_only.into_iter().find(|stream| is_meant(stream)) {
            return Ok(*stream);
        }
        let close = all
            .iter()
            .map(|event| (strsim::jaro_winkler(&event.title.to_lowercase(), &wanted), event))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let close = close.map(|(_, event)| event.title.clone());
        // One whose title could not be read may be the one that is meant.
        if close.is_none()
            && let Some((_, why)) = unread.into_iter().next()
        {
            return Err(why);
        }
        if all.is_empty() {
            return Err(StoreError::Empty);
        }
        Err(StoreError::UnknownTournament { name: name.into(), close })
    }

    /// Reads a tournament whole; with `keep_log` its events too.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn load(&self, stream: StreamId, keep_log: bool) -> Result<LoadedTournament, StoreError> {
        if keep_log {
            return self.load_from(self.log(), stream, true, None);
        }
        self.start(stream)?;
        let (head, state) = self.handler().load(stream)?;
        let book = self.book_of(stream, &state)?;
        self.loaded(state, head.hash, book, Vec::new())
    }

    /// Has a tournament that nobody folded yet begin from its last snapshot.
    ///
    /// # Errors
    /// Where the log or the snapshots cannot be read.
    pub fn start(&self, stream: StreamId) -> Result<(), StoreError> {
        let handler = self.handler();
        if !handler.has_folded(stream)
            && let Some((head, state)) = self.snapshot(stream)?
        {
            handler.start_from(stream, head, state);
        }
        Ok(())
    }

    /// Reads a tournament as it was at a moment, which is one of its
    /// [timeline](scrutineer_replay::as_of::Timeline): nothing that was recorded later is known, but for names
    /// and other words, which are those of the private book as it is now.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn load_as_of(
        &self,
        stream: StreamId,
        as_of: AsOf,
        keep_log: bool,
    ) -> Result<LoadedTournament, StoreError> {
        let past = Past::new(self.log(), stream, as_of.head);
        // What was forgotten since is not read either.
        let event = self.load_from(&past, stream, keep_log, Some(self.book(stream)?))?;
        Ok(LoadedTournament { as_of: Some(as_of), ..event })
    }

    /// Returns how far a tournament is, as of a moment or now.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn glance(&self, stream: StreamId, as_of: Option<AsOf>) -> Result<Glance, StoreError> {
        let past = as_of.map(|as_of| Past::new(self.log(), stream, as_of.head));
        let log = past.as_ref().map_or(self.log(), |past| past as &dyn Log);
        Ok(Glance::of(&self.fold(log, stream, None)?.0))
    }

    /// Whether a desk still has something to do; what cannot be read may be open.
    pub fn is_open(&self, stream: StreamId) -> bool {
        self.glance(stream, None).map_or(true, |glance| glance.state.is_open())
    }

    /// The state of a tournament, from its events or, where nobody keeps these, from its last
    /// snapshot on; and the hash of its last record.
    pub(crate) fn fold(
        &self,
        log: &dyn Log,
        stream: StreamId,
        mut kept: Option<&mut Vec<(Header, Event)>>,
    ) -> Result<(Tournament, RecordHash), StoreError> {
        let (from, mut state) = match kept {
            Some(_) => Default::default(),
            None => self.snapshots.latest(log, stream, log.head(stream)?.seq)?.unwrap_or_default(),
        };
        let mut head = from.hash;
        for read in read_events(log, stream, from.seq) {
            let (record, event) = read?;
            state.evolve(&event);
            head = record.hash();
            if let Some(kept) = &mut kept {
                kept.push((record.header(), event));
            }
        }
        Ok((state, head))
    }

    fn load_from(
        &self,
        log: &dyn Log,
        stream: StreamId,
        keep_log: bool,
        book: Option<Book>,
    ) -> Result<LoadedTournament, StoreError> {
        let mut kept = Vec::new();
        let (state, head) = self.fold(log, stream, keep_log.then_some(&mut kept))?;
        if self.leaves_out {
            kept.iter_mut().for_each(|(_, event)| without_served(event));
        }
        let book = book.map_or_else(|| self.book_of(stream, &state), Ok)?;
        self.loaded(Arc::new(state), head, book, kept)
    }

    fn loaded(
        &self,
        state: Arc<Tournament>,
        head: RecordHash,
        mut book: Book,
        log: Vec<(Header, Event)>,
    ) -> Result<LoadedTournament, StoreError> {
        let stream = book.stream();
        let names = Arc::clone(&self.names.of(&state, &book).shown);
        if let Some(opened) = state.opened()
            && book.text(&opened.title) == Opened::Missing
            && let Some(title) = self.called_elsewhere(stream)
        {
            book.put(opened.title.number, scrutineer_engine::book::Kept::Taken);
            book.show_instead(opened.title.number, title);
        }
        Ok(LoadedTournament { stream, state, head, book, log, as_of: None, names })
    }
}

impl Kept for Store {
    fn log(&self) -> &dyn Log {
        Store::log(self)
    }

    fn books(&self) -> &dyn PrivateTexts {
        self.log().texts()
    }

    fn secrets(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, KeptError> {
        self.secrets.get(stream)
    }

    fn announced(&self, stream: StreamId) -> Result<Vec<AnnouncedTable>, KeptError> {
        let mut tables = self.announced.get(stream)?;
        if let Some(last) = self.last_public(stream)? {
            tables.retain(|table| table.announced <= last);
        }
        Ok(tables)
    }

    fn announced_unread(&self, stream: StreamId) -> Result<usize, KeptError> {
        self.announced.unread(stream)
    }

    fn checkpoints(&self, stream: StreamId) -> Result<Vec<String>, KeptError> {
        let mut notes = self.checkpoints.get(stream)?;
        if let Some(last) = self.last_public(stream)? {
            notes.retain(|note| {
                Signed::read(note.as_bytes()).is_ok_and(|signed| signed.checkpoint.size <= last)
            });
        }
        Ok(notes)
    }
}

fn which(events: Vec<TournamentSummary>) -> StoreError {
    let apart = apart(&events);
    // Its id stands behind each.
    let named = |event: TournamentSummary| {
        let day = event.held_on.filter(|_| apart.contains_key(&event.stream));
        let title = day.map_or(event.title.clone(), |day| format!("{} of {day}", event.title));
        (title, event.stream)
    };
    StoreError::WhichTournament { candidates: events.into_iter().map(named).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asker::Asker;
    use crate::orders::{New, open};

    #[test]
    fn a_name_means_something_else_when_another_tournament_comes() {
        let store = Store::in_memory();
        let opened = |title: &str| {
            let new = New { title: title.into(), rules: "mtr".into(), ..New::default() };
            open(&Asker::default(), &store, &new).expect("opened").0
        };
        let first = opened("Spring Open");
        let found = || store.find(Some("spring"));
        assert_eq!((found().expect("it"), found().expect("again")), (first, first));
        let second = opened("Spring Cup");
        assert!(found().is_err(), "it could be either");
        assert_eq!(store.find(Some("spring cup")).expect("the other"), second);
    }
}

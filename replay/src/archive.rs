//! A store of many tournaments: the log, the private books beside it, and the way in for files.

mod add;
mod announced;
mod checkpoints;
mod copies;
mod exports;
mod fork;
mod left;
mod opened;
mod restore;
mod secrets;
mod snapshots;
mod turn;
mod whole;

use crate::announced::AnnouncedTable;
use crate::as_of::{AsOf, Past};
use crate::in_order::in_order;
use crate::trust::keys::{KeyError, KeyFolder};
use crate::verify::{verify_journal, verify_records};
pub use add::{AddError, Added, Prepared, of_platform, prepare, ruleset_for};
use announced::Announced;
use checkpoints::Checkpoints;
pub use copies::{Checked, CopyError, back_up, check_copy};
pub use exports::{Export, Exported, SCREEN};
pub use left::without_records;
pub use restore::{Restored, restore};
pub use snapshots::Snapshot;
pub use turn::Turn;
pub use whole::{Reader, Whole};

use exports::Exports;
use scrutineer_engine::book::{
    Book, BookError, BookShelf, Commitment, MemoryShelf, Opened, PrivateEntry, Traces,
};
use scrutineer_engine::event::{Day, Event, PlayerNumber};
use scrutineer_engine::log::{AppendError, Head, Log, LogError, MemoryLog};
use scrutineer_engine::record::{Header, RecordHash, StreamId};
use scrutineer_engine::scorekeeper::{LoadError, event_of, read_events};
use scrutineer_engine::tournament::{Player, Tournament};
use scrutineer_projections::names::{looks, unturned};
use scrutineer_projections::ruleset::called;
use scrutineer_store::texts::FileShelf;
use scrutineer_store::{
    EmbeddedLog, Mirror, MirrorStanding, Notice, OpenError, Options, RESTORE, ReadOnlyLog, Teller,
    remembered,
};
use secrets::Secrets;
use snapshots::Snapshots;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Why an archive cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The store cannot be opened.
    #[error("{0}")]
    Open(#[from] OpenError),
    /// A store whose journal was lost.
    #[error(
        "{} holds no records any more, but checkpoints or tables of events stand beside it; nothing \
         was changed",
        .0.join("journal").display()
    )]
    JournalGone(PathBuf),
    /// The log cannot be read.
    #[error("{0}")]
    Load(#[from] LoadError),
    /// A secret cannot be kept or read.
    #[error("cannot {action} the secret of the seeds, {file}: {reason}")]
    Secret {
        /// What was tried.
        action: &'static str,
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
    /// What is kept beside the log cannot be written or read.
    #[error("cannot {action} {file}: {reason}")]
    Beside {
        /// What was tried.
        action: &'static str,
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
    /// The secret by which snapshots are known cannot be had.
    #[error("{0}")]
    Keys(#[from] KeyError),
    /// A private book cannot be read.
    #[error("{0}")]
    Book(#[from] BookError),
    /// What is stored is no log that could be copied.
    #[error("the event cannot be copied: {0}")]
    Copy(#[from] AppendError),
    /// There is no event in it.
    #[error("the store holds no event")]
    Empty,
    /// No event is called that.
    #[error("no event is called {name:?}{}", suggestion(.close))]
    NoSuchEvent {
        /// What was asked for.
        name: String,
        /// A title that is close.
        close: Option<String>,
    },
    /// Several events could be meant.
    #[error("{} events could be meant: {}", .candidates.len(), list(.candidates))]
    WhichEvent {
        /// Their titles and ids.
        candidates: Vec<(String, StreamId)>,
    },
}

impl ArchiveError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            ArchiveError::Open(error) => error.code(),
            ArchiveError::JournalGone(_)
            | ArchiveError::Load(LoadError::Log(
                LogError::Damaged { .. } | LogError::Broken { .. },
            )) => "journal-damaged",
            ArchiveError::Load(_) | ArchiveError::Copy(_) => "log-not-read",
            ArchiveError::Book(_) => "book-not-read",
            ArchiveError::Keys(error) => error.code(),
            ArchiveError::Secret { .. } => "secret-not-kept",
            ArchiveError::Beside { .. } => "beside-not-kept",
            ArchiveError::Empty => "no-events",
            ArchiveError::NoSuchEvent { .. } => "unknown-event",
            ArchiveError::WhichEvent { .. } => "which-event",
        }
    }

    /// Whether the store is there but can't be written.
    pub const fn read_only(&self) -> bool {
        matches!(self, ArchiveError::Open(OpenError::ReadOnly { .. }))
    }

    /// Whether another program has the store open, which passes.
    pub const fn in_use(&self) -> bool {
        matches!(self, ArchiveError::Open(OpenError::InUse { .. }))
    }

    /// What to do next.
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            ArchiveError::Secret { .. } | ArchiveError::Beside { .. } => {
                Some("check the disk and the folder's permissions")
            }
            ArchiveError::Open(error) => error.hint(),
            ArchiveError::Keys(error) => Some(error.hint()),
            ArchiveError::JournalGone(_)
            | ArchiveError::Load(LoadError::Log(
                LogError::Damaged { .. } | LogError::Broken { .. },
            )) => Some(RESTORE),
            ArchiveError::Book(BookError::Line { .. }) => Some(
                "bring it back: `scrutineer restore --from <mirror or backup>`; without one, \
                 `restore --from <this store> --store <new folder>` keeps all that is whole",
            ),
            ArchiveError::Empty => Some("bring one in: `scrutineer import <file>`"),
            ArchiveError::NoSuchEvent { .. } => Some("`scrutineer events` lists them"),
            ArchiveError::WhichEvent { .. } => Some("name one with --event <title or id>"),
            _ => None,
        }
    }
}

impl From<LogError> for ArchiveError {
    fn from(error: LogError) -> ArchiveError {
        ArchiveError::Load(error.into())
    }
}

/// Refuses a store without a journal beside which something stands that comes only with records:
/// as an empty one it would be begun anew.
fn check_journal(folder: &Path) -> Result<(), ArchiveError> {
    let has_files =
        |name: &str| fs::read_dir(folder.join(name)).is_ok_and(|mut files| files.next().is_some());
    match !has_files("journal") && ["checkpoints", "announced"].into_iter().any(has_files) {
        true => Err(ArchiveError::JournalGone(folder.to_path_buf())),
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

/// The first eight digits of an id, by which people name an event.
pub fn short_id(stream: StreamId) -> String {
    stream.to_string().chars().take(8).collect()
}

/// How many threads list events: they wait for sled most of the time.
const LISTING_THREADS: usize = 8;

/// So many events are worth a further thread.
const EVENTS_PER_THREAD: usize = 64;

/// How many events are looked at before the first of them is listed.
const AHEAD: usize = 1_024;

/// One event of an archive, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSummary {
    /// Its id.
    pub stream: StreamId,
    /// Its title.
    pub title: String,
    /// The day on which it was held.
    pub held_on: Option<Day>,
    /// What the ruleset is called that it was opened with.
    pub ruleset: String,
    /// How many events its log has.
    pub head: u64,
    /// What identifies it at its source, where it was imported.
    pub source_event: Option<String>,
    /// The name of the file it was imported from.
    pub file: Option<String>,
}

/// A tournament with everything that is known of it.
pub struct OpenEvent {
    /// Its id.
    pub stream: StreamId,
    /// Its state.
    pub state: Tournament,
    /// The hash of the last record.
    pub head: RecordHash,
    /// Its private book.
    pub book: Book,
    /// Its events with their envelopes, in order, where they were asked for.
    pub log: Vec<(Header, Event)>,
    /// How much of its log it was folded from, where it is shown as of a moment.
    pub as_of: Option<AsOf>,
    names: Vec<String>,
}

impl OpenEvent {
    /// Its title.
    pub fn title(&self) -> String {
        let opened = self.state.opened();
        opened.map_or("untitled".into(), |opened| text_or(&self.book, &opened.title, "untitled"))
    }

    /// A player's name; `player 12` where it was erased, `Bob (12)` where others are called so.
    pub fn name(&self, number: PlayerNumber) -> String {
        let name = self.names.get((number as usize).wrapping_sub(1));
        name.cloned().unwrap_or_else(|| format!("player {number}"))
    }
}

/// The names of all players, by number; who is called like somebody else is told apart by it.
pub fn player_names(state: &Tournament, book: &Book) -> Vec<String> {
    let name = |player: &Player| text_or(book, &player.name, &format!("player {}", player.number));
    let mut names: Vec<String> = state.players().iter().map(name).collect();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (name, _) in names.iter().zip(state.players()).filter(|(_, player)| !player.withdrawn) {
        *counts.entry(looks(name)).or_default() += 1;
    }
    for (name, player) in names.iter_mut().zip(state.players()) {
        if counts.get(&looks(name)).is_some_and(|count| *count > 1) {
            *name = format!("{name} ({})", player.number);
        }
    }
    names
}

/// The text behind a commitment, or a stand-in.
pub fn text_or(book: &Book, commitment: &Commitment, otherwise: &str) -> String {
    match book.text(commitment) {
        Opened::Text(text) => unturned(text),
        Opened::Altered => format!("{otherwise} (the private book was altered)"),
        Opened::Erased | Opened::Missing => otherwise.to_string(),
    }
}

/// The words behind a commitment, or why there are none.
pub fn words(book: &Book, commitment: &Commitment) -> String {
    let otherwise = match book.text(commitment) {
        Opened::Missing => "(not given)",
        _ => "(erased)",
    };
    text_or(book, commitment, otherwise)
}

/// The highest number of a private entry to which an event of a log commits; 0 where none does.
///
/// # Errors
/// Where the log cannot be read.
pub fn last_entry(log: &dyn Log, stream: StreamId) -> Result<u32, ArchiveError> {
    let mut last = 0;
    read_events(log, stream, 0, &mut |_, event| {
        let numbers = event.commitments().into_iter().map(|(_, words)| words.number);
        last = numbers.fold(last, u32::max);
    })?;
    Ok(last)
}

/// What the events of a log say of its private texts.
///
/// # Errors
/// Where the log cannot be read.
pub fn traces(log: &dyn Log, stream: StreamId) -> Result<Traces, ArchiveError> {
    let mut traces = Traces::default();
    read_events(log, stream, 0, &mut |_, event| traces.take(&event))?;
    Ok(traces)
}

/// The next number of a private book. Where the book was lost, or an old copy of it came back, it is
/// behind the log, whose numbers stay taken.
///
/// # Errors
/// Where the book cannot be read, or is full.
pub fn free_number(
    books: &dyn BookShelf,
    stream: StreamId,
    state: &Tournament,
) -> Result<u32, BookError> {
    let after_log = state.last_entry().checked_add(1).ok_or(BookError::Full)?;
    Ok(books.next_number(stream)?.max(after_log))
}

enum Kept {
    Folder(Box<EmbeddedLog>),
    ReadOnly(Box<ReadOnlyLog>),
    Memory(MemoryLog),
}

/// The checkpoints of a tournament that are kept in the store of this folder, which need not be
/// open: as [`Archive::checkpoints`].
///
/// # Errors
/// Where they cannot be read.
pub fn checkpoints_in(store: &Path, stream: StreamId) -> Result<Vec<String>, ArchiveError> {
    Checkpoints::in_store(store).get(stream)
}

/// A store of many tournaments.
pub struct Archive {
    log: Kept,
    secrets: Secrets,
    exports: Exports,
    announced: Announced,
    checkpoints: Checkpoints,
    snapshots: Snapshots,
    books: Box<dyn BookShelf>,
}

impl Archive {
    /// Opens the store in a folder, or begins one there.
    ///
    /// # Errors
    /// Where the store cannot be opened.
    pub fn open(folder: &Path) -> Result<Archive, ArchiveError> {
        Archive::open_with(folder, Mirror::AsBefore, None)
    }

    /// As [`Archive::open`], with what is to be done about a mirror, and somebody who is told
    /// notices as they come up.
    ///
    /// # Errors
    /// Where the store cannot be opened.
    pub fn open_with(
        folder: &Path,
        mirror: Mirror,
        teller: Option<Teller>,
    ) -> Result<Archive, ArchiveError> {
        check_journal(folder)?;
        let options = Options { mirror, teller, beside: copies::BESIDE, ..Options::default() };
        let log = EmbeddedLog::open(folder, options)?;
        let books = FileShelf::open(folder.join("books"))?;
        let exports = Exports::in_file(folder.join("exports"))?;
        let log = Kept::Folder(Box::new(log));
        Ok(Archive::in_folder(folder, log, Box::new(books), exports))
    }

    /// Opens a store that can't be written, or a copy of one. Not a byte of it is changed.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn open_to_read(folder: &Path) -> Result<Archive, ArchiveError> {
        check_journal(folder)?;
        let log = Kept::ReadOnly(Box::new(ReadOnlyLog::open(folder)?));
        let books = FileShelf::read_only(folder.join("books"));
        let exports = Exports::to_read(folder.join("exports"));
        Ok(Archive::in_folder(folder, log, Box::new(books), exports))
    }

    fn in_folder(folder: &Path, log: Kept, books: Box<dyn BookShelf>, exports: Exports) -> Archive {
        Archive {
            log,
            secrets: Secrets::in_folder(folder.join("secrets")),
            exports,
            announced: Announced::in_store(folder),
            checkpoints: Checkpoints::in_store(folder),
            snapshots: Snapshots::in_store(folder),
            books,
        }
    }

    /// A store in memory, which is gone when it is dropped.
    pub fn in_memory() -> Archive {
        Archive {
            log: Kept::Memory(MemoryLog::new()),
            secrets: Secrets::in_memory(),
            exports: Exports::in_memory(),
            announced: Announced::in_memory(),
            checkpoints: Checkpoints::in_memory(),
            snapshots: Snapshots::Nowhere,
            books: Box::new(MemoryShelf::new()),
        }
    }

    /// The store with the keys of this machine, beside which the secret stands by which snapshots are
    /// known: without it none is used and none is taken.
    #[must_use]
    pub fn with_keys(self, keys: KeyFolder) -> Archive {
        Archive { snapshots: self.snapshots.with_keys(keys), ..self }
    }

    /// What its user should know about the store, until now.
    pub fn notices(&self) -> Vec<Notice> {
        match &self.log {
            Kept::Folder(log) => log.notices(),
            Kept::ReadOnly(_) | Kept::Memory(_) => Vec::new(),
        }
    }

    /// The log.
    pub fn log(&self) -> &dyn Log {
        match &self.log {
            Kept::Folder(log) => &**log,
            Kept::ReadOnly(log) => &**log,
            Kept::Memory(log) => log,
        }
    }

    /// Verifies the journal of a store in a folder, and gives how many records it has.
    ///
    /// # Errors
    /// Where the journal is damaged, with the place.
    pub fn verify_journal(&self) -> Result<Option<u64>, LogError> {
        match &self.log {
            Kept::Folder(log) => verify_journal(log).map(Some),
            Kept::ReadOnly(log) => verify_records(&mut |visit| log.scan_journal(visit)).map(Some),
            Kept::Memory(_) => Ok(None),
        }
    }

    /// How the mirror of the store stands, where there is one.
    pub fn mirror(&self) -> Option<MirrorStanding> {
        match &self.log {
            Kept::Folder(log) => log.mirror(),
            Kept::ReadOnly(log) => {
                let folder = remembered(log.folder()).ok()??.folder;
                let away = Some("the store is only read now".to_string());
                Some(MirrorStanding { folder, missing: None, away })
            }
            Kept::Memory(_) => None,
        }
    }

    /// How many texts of an event's private book a mirror in this folder has not, or not as they
    /// are here.
    ///
    /// # Errors
    /// Where the book itself cannot be read.
    pub fn not_mirrored(&self, stream: StreamId, mirror: &Path) -> Result<usize, ArchiveError> {
        let book = self.books.book(stream)?;
        let copy = FileShelf::read_only(mirror.join("books")).book(stream);
        let has = |entry: &PrivateEntry| {
            copy.as_ref().is_ok_and(|copy| copy.entry(entry.number) == Some(entry))
        };
        Ok(book.entries().filter(|entry| !has(entry)).count())
    }

    /// The secrets of a tournament's seeds that are kept here, the latest last; the commitment in
    /// the log says which one counts.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn secrets(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, ArchiveError> {
        self.secrets.get(stream)
    }

    /// Keeps a secret of a tournament's seeds beside earlier ones, durably, next to the log and
    /// outside of every copy of it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep_secret(&self, stream: StreamId, secret: &[u8; 32]) -> Result<(), ArchiveError> {
        self.secrets.keep(stream, secret)
    }

    /// The tables of a tournament's announcements, as far as they are kept, by seq.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn announced(&self, stream: StreamId) -> Result<Vec<AnnouncedTable>, ArchiveError> {
        self.announced.get(stream)
    }

    /// How many lines of those that are kept are no tables; not a last one that a power cut tore.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn announced_unread(&self, stream: StreamId) -> Result<usize, ArchiveError> {
        self.announced.unread(stream)
    }

    /// Keeps the tables of announcements beside the log.
    ///
    /// # Errors
    /// Where they cannot be written.
    pub fn keep_announced(
        &self,
        stream: StreamId,
        tables: &[AnnouncedTable],
    ) -> Result<(), ArchiveError> {
        self.announced.keep(stream, tables)
    }

    /// The state after the last event of which there is a snapshot.
    ///
    /// # Errors
    /// Where the folder or the log cannot be read. A damaged snapshot is passed over.
    pub fn snapshot(&self, stream: StreamId) -> Result<Option<(Head, Tournament)>, ArchiveError> {
        self.snapshots.latest(self.log(), stream, u64::MAX)
    }

    /// The state after this event, where there is a snapshot of it that can be used.
    ///
    /// # Errors
    /// Where the folder or the log cannot be read.
    pub fn snapshot_at(
        &self,
        stream: StreamId,
        seq: u64,
    ) -> Result<Option<(Head, Tournament)>, ArchiveError> {
        let found = self.snapshots.latest(self.log(), stream, seq)?;
        Ok(found.filter(|(head, _)| head.seq == seq))
    }

    /// The snapshots of a tournament, the oldest first, also those that are passed over.
    ///
    /// # Errors
    /// Where the folder or the log cannot be read.
    pub fn snapshots(&self, stream: StreamId) -> Result<Vec<Snapshot>, ArchiveError> {
        self.snapshots.list(self.log(), stream)
    }

    /// Takes a snapshot where many events were recorded since the last one.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn snapshot_after(
        &self,
        stream: StreamId,
        head: Head,
        state: &Tournament,
    ) -> Result<(), ArchiveError> {
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
    ) -> Result<(), ArchiveError> {
        self.snapshots.take(stream, head, state)
    }

    /// Removes the snapshots of a tournament, and says how many there were.
    ///
    /// # Errors
    /// Where one cannot be removed.
    pub fn drop_snapshots(&self, stream: StreamId) -> Result<usize, ArchiveError> {
        self.snapshots.drop_all(stream)
    }

    /// The checkpoints of a tournament that were signed here, each a signed note, the latest last.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn checkpoints(&self, stream: StreamId) -> Result<Vec<String>, ArchiveError> {
        self.checkpoints.get(stream)
    }

    /// Keeps a signed checkpoint behind earlier ones, durably. Nobody is given one before, and what
    /// it attests is on the disk too.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep_checkpoint(
        &self,
        _turn: &Turn,
        stream: StreamId,
        note: &str,
    ) -> Result<(), ArchiveError> {
        if let Kept::ReadOnly(log) = &self.log {
            // Whoever writes the journal may not have waited for the disk yet.
            log.secure()?;
        }
        self.checkpoints.keep(stream, &[note.to_string()])
    }

    /// Waits until nobody else writes beside this log, which takes a moment; they wait as long as the
    /// answer is held. So who only reads can sign too, while another desk writes.
    ///
    /// # Errors
    /// Where it cannot be waited for.
    pub fn turn_to_sign(&self) -> Result<Turn, ArchiveError> {
        self.checkpoints.turn()
    }

    /// Keeps signed checkpoints behind earlier ones, but for those that are there, durably.
    ///
    /// # Errors
    /// Where they cannot be written, or are more than are kept of an event: then none is kept.
    pub fn keep_checkpoints(&self, stream: StreamId, notes: &[String]) -> Result<(), ArchiveError> {
        let _turn = self.turn_to_sign()?;
        self.checkpoints.keep(stream, notes)
    }

    /// Whether such checkpoints can be kept.
    ///
    /// # Errors
    /// Where they are more than are kept of an event, or those that are there cannot be read.
    pub fn has_room_for_checkpoints(
        &self,
        stream: StreamId,
        notes: &[String],
    ) -> Result<(), ArchiveError> {
        self.checkpoints.have_room(stream, notes)
    }

    /// The private books.
    pub fn books(&self) -> &dyn BookShelf {
        &*self.books
    }

    /// Every event, by title.
    ///
    /// # Errors
    /// Where the log or a book cannot be read.
    pub fn events(&self) -> Result<Vec<EventSummary>, ArchiveError> {
        let streams = self.log().streams()?;
        let threads = LISTING_THREADS.min(1 + streams.len() / EVENTS_PER_THREAD);
        let mut list = Vec::with_capacity(streams.len());
        let mut failed = None;
        let work = |(): &mut (), at: usize| self.summary(streams[at]);
        in_order(streams.len(), threads, AHEAD, &|| (), &work, &mut |found| match found {
            Ok(summary) => {
                list.push(summary);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        list.sort_by(|a, b| (&a.title, a.stream).cmp(&(&b.title, b.stream)));
        Ok(list)
    }

    /// What lists show of an event.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn summary(&self, stream: StreamId) -> Result<EventSummary, ArchiveError> {
        let (mut opened, mut imported, mut failed) = (None, None, None);
        self.log().read(stream, 0, &mut |record| {
            match event_of(&record) {
                Ok(Event::TournamentOpened(found)) => {
                    opened = Some(found);
                    return ControlFlow::Continue(());
                }
                Ok(Event::Imported(found)) => imported = Some(found),
                Ok(_) => {}
                Err(error) => failed = Some(error),
            }
            ControlFlow::Break(())
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        let title = opened.iter().map(|found| found.title.number);
        let source = imported.iter().flat_map(|i| [i.source_event.number, i.file.number]);
        let book = self.books.beginning(stream, title.chain(source).max().unwrap_or(0))?;
        let mut summary = EventSummary {
            stream,
            title: "untitled".into(),
            held_on: None,
            ruleset: String::new(),
            head: self.log().head(stream)?.seq,
            source_event: None,
            file: None,
        };
        if let Some(opened) = opened {
            summary.title = text_or(&book, &opened.title, "untitled");
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

    /// The event that is meant: the only one where nobody is named, else by title or the
    /// beginning of the id.
    ///
    /// # Errors
    /// Where none or several could be meant.
    pub fn find(&self, name: Option<&str>) -> Result<StreamId, ArchiveError> {
        let Some(name) = name else {
            return match &self.log().streams()?[..] {
                [] => Err(ArchiveError::Empty),
                [only] => Ok(*only),
                _ => Err(which(self.events()?)),
            };
        };
        if let Ok(stream) = name.parse::<StreamId>()
            && self.log().head(stream)?.seq > 0
        {
            return Ok(stream);
        }
        let all = self.events()?;
        let wanted = name.to_lowercase();
        let exact = |event: &&EventSummary| event.title.to_lowercase() == wanted;
        let by_id = |event: &&EventSummary| {
            wanted.len() >= 4 && event.stream.to_string().starts_with(&wanted)
        };
        let part = |event: &&EventSummary| event.title.to_lowercase().contains(&wanted);
        let tests: [&dyn Fn(&&EventSummary) -> bool; 3] = [&exact, &by_id, &part];
        for test in tests {
            let found: Vec<EventSummary> = all.iter().filter(test).cloned().collect();
            match &found[..] {
                [] => {}
                [one] => return Ok(one.stream),
                _ => return Err(which(found)),
            }
        }
        if all.is_empty() {
            return Err(ArchiveError::Empty);
        }
        let close = all
            .iter()
            .map(|event| (strsim::jaro_winkler(&event.title.to_lowercase(), &wanted), event))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let close = close.map(|(_, event)| event.title.clone());
        Err(ArchiveError::NoSuchEvent { name: name.into(), close })
    }

    /// Reads an event whole; with `keep_log` its events too.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn load(&self, stream: StreamId, keep_log: bool) -> Result<OpenEvent, ArchiveError> {
        self.load_from(self.log(), stream, keep_log)
    }

    /// Reads an event as it was at a moment, which is one of its
    /// [timeline](crate::as_of::Timeline): nothing that was recorded later is known, but for names
    /// and other words, which are those of the private book as it is now.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn load_as_of(
        &self,
        stream: StreamId,
        as_of: AsOf,
        keep_log: bool,
    ) -> Result<OpenEvent, ArchiveError> {
        let past = Past::new(self.log(), stream, as_of.head);
        let event = self.load_from(&past, stream, keep_log)?;
        Ok(OpenEvent { as_of: Some(as_of), ..event })
    }

    fn load_from(
        &self,
        log: &dyn Log,
        stream: StreamId,
        keep_log: bool,
    ) -> Result<OpenEvent, ArchiveError> {
        let (from, mut state) = match keep_log {
            true => Default::default(),
            false => self.snapshots.latest(log, stream, log.head(stream)?.seq)?.unwrap_or_default(),
        };
        let mut kept = Vec::new();
        let mut head = from.hash;
        read_events(log, stream, from.seq, &mut |record, event| {
            state.evolve(&event);
            head = record.hash();
            if keep_log {
                kept.push((*record.header(), event));
            }
        })?;
        let book = self.books.book(stream)?;
        let names = player_names(&state, &book);
        Ok(OpenEvent { stream, state, head, book, log: kept, as_of: None, names })
    }
}

fn which(events: Vec<EventSummary>) -> ArchiveError {
    let candidates = events.into_iter().map(|event| (event.title, event.stream)).collect();
    ArchiveError::WhichEvent { candidates }
}

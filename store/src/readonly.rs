//! A store or a copy of one, read without writing a byte: straight from the journal.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::damage::explain;
use super::durable::{sync_file, sync_folder};
use super::heads::Heads;
use super::identity::{Identity, Kind};
use super::index::JournalIndex;
use super::journal;
use super::options::OpenError;
use super::recover::{Recovered, Torn, recover};
use super::segment::{Position, segment_file};
use super::stream::{Places, Walk, commands_of, until_error};
use super::texts::FolderTexts;
use super::{AppendError, Batch, CommandTrace, Head, Log, LogError, Records};
use scrutineer_engine::book::PrivateTexts;
use scrutineer_engine::record::{CommandId, StreamId};

/// How often a store that seems damaged is read once more.
const TRIES: u32 = 2;

type Commands = HashMap<CommandId, CommandTrace>;

/// A log that can only be read: a store that can't be written, one that another process is
/// writing, or a copy.
///
/// It shows what stood in the journal when it was opened, whole commands only.
#[derive(Debug)]
pub struct ReadOnlyLog {
    identity: Identity,
    journal: PathBuf,
    end: Position,
    torn: u64,
    is_as_closed: bool,
    heads: Heads,
    places: Places,
    commands: Mutex<HashMap<StreamId, Commands>>,
    texts: FolderTexts,
}

impl ReadOnlyLog {
    /// The folder of the store or the copy.
    pub fn folder(&self) -> &Path {
        self.journal.parent().unwrap_or(&self.journal)
    }

    /// Reads a store or a copy. Neither sled nor the store's lock is looked at.
    ///
    /// # Errors
    /// [`OpenError`] as for a store that is opened to be written.
    pub fn open(folder: impl AsRef<Path>) -> Result<ReadOnlyLog, OpenError> {
        let folder = folder.as_ref();
        let mut found = ReadOnlyLog::read(folder);
        for _ in 0..TRIES {
            if found.is_ok() {
                break;
            }
            // Whoever writes it may have cut off a rest or begun a file in between.
            found = ReadOnlyLog::read(folder);
        }
        found
    }

    fn read(folder: &Path) -> Result<ReadOnlyLog, OpenError> {
        let identity = Identity::read(folder)?.ok_or_else(|| OpenError::NotAStore {
            folder: folder.to_path_buf(),
            reason: "it holds no FORMAT".to_string(),
        })?;
        // A store that is open may be in the middle of a write, and so may a copy.
        let is_open = || folder.join("open").exists();
        let was_open = is_open();
        let journal = folder.join("journal");
        let recovered = match journal.exists() {
            true => recover(folder, identity).map_err(|error| explain(&journal, error))?,
            false => Recovered::nothing(),
        };
        let Recovered { heads, end, torn, last, as_closed: is_as_closed, .. } = recovered;
        if let Some(Torn { segment, offset, bytes }) = torn
            && !(identity.kind == Kind::Copy || was_open || is_open())
        {
            return Err(OpenError::TailDamaged { segment, offset, bytes });
        }
        let torn = torn.map_or(0, |torn| torn.bytes);
        let places = Places::new(&journal, last, false);
        Ok(ReadOnlyLog {
            identity,
            journal,
            end,
            torn,
            is_as_closed,
            heads,
            places,
            commands: Mutex::default(),
            texts: FolderTexts::read_only(folder.join("books")),
        })
    }

    /// What the folder is.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Whether it is a store that is as its last orderly closing left it.
    pub fn is_as_closed(&self) -> bool {
        self.is_as_closed
    }

    /// How many commands the journal has.
    pub fn frames(&self) -> u64 {
        self.end.frames
    }

    /// Bytes behind the last whole command: a write that was going on, or was interrupted.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Waits until the disk has all that is shown: whoever writes it may not have done so yet.
    ///
    /// # Errors
    /// Where the disk refuses, or the store cannot be written.
    pub fn secure(&self) -> Result<(), LogError> {
        if self.end.frames == 0 {
            return Ok(());
        }
        // The segments before it were waited for when it was begun.
        sync_file(&segment_file(&self.journal, self.end.segment))?;
        sync_folder(&self.journal)
    }

    pub(crate) fn end(&self) -> Position {
        self.end
    }

    /// As [`EmbeddedLog::index_journal`](super::EmbeddedLog::index_journal).
    ///
    /// # Errors
    /// [`LogError::Damaged`] names the place.
    pub fn index_journal(&self, threads: usize) -> Result<JournalIndex, LogError> {
        self.explained(JournalIndex::of(&self.journal, self.end, threads))
    }

    fn try_read(&self, stream: StreamId, after: u64) -> Result<Records<'_>, LogError> {
        let slot = self.heads.slot(stream)?;
        if after >= slot.head.seq {
            return Ok(Box::new(std::iter::empty()));
        }
        let mut walk = Walk::new(stream, after, slot.head);
        let mut frames = self.places.frames(stream, slot, walk.next_seq())?;
        Ok(Box::new(until_error(move || self.explained(walk.next_of(&mut frames)))))
    }

    fn explained<T>(&self, result: Result<T, LogError>) -> Result<T, LogError> {
        result.map_err(|error| explain(&self.journal, error))
    }
}

impl Log for ReadOnlyLog {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        Ok(self.heads.slot(stream)?.head)
    }

    fn append(&self, _: Head, _: Batch) -> Result<Head, AppendError> {
        Err(AppendError::ReadOnly)
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        match self.explained(self.try_read(stream, after)) {
            Ok(records) => records,
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }

    fn scan(&self) -> Records<'_> {
        let scanned = journal::scan(&self.journal, self.end);
        Box::new(scanned.map(|read| self.explained(read)))
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        let mut known = self.commands.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(commands) = known.get(&stream) {
            return Ok(commands.get(&id).copied());
        }
        let slot = self.heads.slot(stream)?;
        let commands = self.explained(commands_of(&self.places, stream, slot))?;
        let found = commands.get(&id).copied();
        known.insert(stream, commands);
        Ok(found)
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        self.heads.iter().map(|slot| slot.map(|(stream, _)| stream)).collect()
    }

    fn texts(&self) -> &dyn PrivateTexts {
        &self.texts
    }
}

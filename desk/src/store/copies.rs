//! Mirrors and backups: what of a store goes into them, and whether one is whole.

mod books;

use super::announced::Announced;
use super::checkpoints::Checkpoints;
use super::exports::{Export, note_beside};
use super::{Beside, CarryError, Store, StoreError};
pub(super) use books::restore_book;
use scrutineer_engine::book::{Commitment, PrivateEntry, PrivateTexts, commit};
use scrutineer_engine::event::{Event, Seq, Traces};
use scrutineer_engine::files::Room;
use scrutineer_engine::handler::read_events;
use scrutineer_engine::log::{Log, LogError};
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_projections::counted;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::kept::KeptError;
use scrutineer_replay::trust::check::read_kept;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::verify::{altered_tables, verify_journal};
use scrutineer_store::files::{lies_in, sync_folder};
use scrutineer_store::texts::{FolderTexts, check_book};
use scrutineer_store::{Identity, Kind, OpenError, ReadOnlyLog, backup};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What stands beside the journal and the books and goes into every copy. The secrets of the draws
/// do not: who finds a stick must not foresee them.
pub(crate) const BESIDE: &[&str] = &[
    Room::Checkpoints.word(),
    Room::Announced.word(),
    Room::Exports.word(),
    Room::Followed.word(),
    HOUSE_COPY,
    crate::edition::FOLDER,
];

/// The file beside the journal that says who may do what, where a server has run.
pub const HOUSE: &str = "house.redb";
/// A copy of it at rest.
pub const HOUSE_COPY: &str = "house.copy";
/// The file that says where the store is enrolled. It holds the token, so it is in no copy.
pub const ENROLLED: &str = "enrolled.json";

scrutineer_engine::errors! {
    /// Why a store is not copied, or not brought back.
    pub enum CopyError -> Option<&'static str> {
        /// The store or a copy can't be read or written.
        Store(#[from] StoreError) => (error) error.code(), "{0}", error.hint();
        /// A tournament is not carried over.
        Carry(#[from] CarryError) => (error) error.code(), "{0}", error.hint();
        /// There is something where the copy is to be.
        Exists(PathBuf) = conflict "copy-exists", "{0} is there already",
            Some("name a new folder; none is ever overwritten");
        /// One of the two would lie in the other.
        Inside(PathBuf) = invalid "copy-inside-store",
            "{0} lies in the folder that is copied: what harms the one harms both",
            Some("name a folder elsewhere, best on another disk");
        /// The operating system refused.
        Io { action: &'static str, path: PathBuf, reason: String } = io "copy-not-written",
            "cannot {action} {path}: {reason}",
            Some("check the disk and the permissions");
        /// What was written is not what was read.
        NotWhole(String) = damaged "copy-not-whole",
            "the copy was written, but it doesn't hold when it is read back: {0}",
            Some("try another disk; nothing is there under the name");
        /// The folder is no copy.
        NotACopy(PathBuf) = invalid "not-a-copy", "{0} is no mirror and no backup",
            Some("name the folder of `--mirror` or of `backup`");
        /// The copy itself is damaged.
        Damaged(String) = damaged "copy-damaged", "the copy can't be used: {0}",
            Some("name another copy; where it is the store beside it that is damaged, bring this \
             copy back by itself: `--store <new folder>`");
        /// The store in the folder is another one.
        OtherStore(PathBuf) = invalid "copy-of-another-store",
            "{0} holds another store than the copy is of",
            Some("bring the copy back beside it: `--store <new folder>`");
        /// The copy and the store went on in different ways.
        Differs(String) = damaged "copy-differs", "{0}",
            Some("bring the copy back beside it: `--store <new folder>`");
        /// The store is in order and lacks nothing.
        Nothing(PathBuf) = not_found "nothing-to-restore",
            "{0} is in order and has everything that the copy has",
            Some("to look at the copy, bring it back elsewhere: `--store <new folder>`");
    }
}

impl From<KeptError> for CopyError {
    fn from(error: KeptError) -> CopyError {
        CopyError::Store(error.into())
    }
}

impl From<OpenError> for CopyError {
    fn from(error: OpenError) -> CopyError {
        CopyError::Store(error.into())
    }
}

/// What was found in a copy that was read as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Checked {
    /// Its tournaments.
    pub events: usize,
    /// Its commands.
    pub commands: u64,
    /// Its records, each hashed and chained.
    pub records: u64,
    /// Texts in the private books.
    pub texts: usize,
    /// Texts that were emptied there.
    pub emptied: usize,
    /// Checkpoints, each with what it attests.
    pub checkpoints: usize,
    /// Tournaments with a key of which no checkpoint is kept.
    pub without_checkpoints: usize,
    /// Announced tables that can be read.
    pub tables: usize,
    /// Bytes behind the last whole command: an interrupted write.
    pub torn: u64,
    /// What is wrong beside the log, in sentences.
    pub wrong: Vec<String>,
}

/// Reads a store or a copy as a whole: every record is hashed and chained, every book read, every
/// checkpoint held against the records.
///
/// # Errors
/// Where the journal is damaged.
pub fn check_copy(folder: &Path) -> Result<Checked, StoreError> {
    let log = ReadOnlyLog::open(folder)?;
    let mut checked = Checked { commands: log.frames(), torn: log.torn(), ..Checked::default() };
    checked.records = verify_journal(&log)?;
    let checkpoints = Checkpoints(Beside::in_store(folder));
    for stream in log.streams()? {
        checked.events += 1;
        let short = scrutineer_replay::loaded::short_id(stream);
        let facts = match Facts::read(&log, stream) {
            // Its records are whole and chained; what else it needs only a newer version knows.
            Err(error) if error.is_newer() => continue,
            facts => facts?,
        };
        match check_book(&book_file(folder, stream), stream) {
            Ok(book) => {
                checked.texts += book.texts;
                checked.emptied += book.emptied;
                let wrong = wrong_words(folder, &facts, stream)?;
                let told = wrong.iter().map(|what| format!("names of tournament {short}: {what}"));
                checked.wrong.extend(told);
            }
            Err(error) => checked.wrong.push(format!("names of tournament {short}: {error}")),
        }
        let tables = Announced(Beside::in_store(folder)).get(stream)?;
        let altered = altered_tables(&log, stream, &tables)?;
        for table in tables {
            let seq = table.announced;
            let what = match facts.announced.contains_key(&seq) {
                false => "belongs to no announcement of the log",
                true if !facts.has_announced(&table) || altered.contains(&seq) => {
                    "is not the one announced"
                }
                true => {
                    checked.tables += 1;
                    continue;
                }
            };
            checked.wrong.push(format!("tournament {short}: the table kept of event {seq} {what}"));
        }
        let notes = checkpoints.get(stream)?;
        let history = History::read(&log, stream)?;
        if notes.is_empty() {
            checked.without_checkpoints += usize::from(!history.signers().is_empty());
            continue;
        }
        let (kept, damaged) = read_kept(&notes);
        checked
            .wrong
            .extend(damaged.into_iter().map(|f| format!("tournament {short}: {}", f.sentence)));
        for signed in kept {
            let known = &signed.checkpoint;
            let is_signed = !history.signed_by(&signed).is_empty();
            if !is_signed && !may_be_of_a_lost_key(&history, &signed) {
                checked.wrong.push(format!(
                    "tournament {short}: a checkpoint of {} records has no signature that holds",
                    known.size
                ));
                continue;
            }
            let lost = history.lost(known.size, &known.root).is_some();
            match history.begins_with(known) || lost {
                true => checked.checkpoints += 1,
                false => checked.wrong.push(format!(
                    "tournament {short}: a checkpoint of {} records was signed, which are not those \
                     of the log",
                    known.size
                )),
            }
        }
    }
    Ok(checked)
}

/// Whether a checkpoint which no key of a log signed may be of a key that is lost with the end of
/// the log; of what is still there, every key is known.
pub(super) fn may_be_of_a_lost_key(history: &History, signed: &Signed) -> bool {
    let known = &signed.checkpoint;
    let is_beyond = known.size > history.size() || history.lost(known.size, &known.root).is_some();
    is_beyond && !history.is_claimed(signed)
}

/// What is wrong with a book that can be read, held against what the log commits to.
fn wrong_words(folder: &Path, facts: &Facts, stream: StreamId) -> Result<Vec<String>, StoreError> {
    let book = FolderTexts::read_only(folder.join("books")).book(stream)?;
    let differs = |entry: &&PrivateEntry| {
        let words = facts.committed.get(&entry.number);
        words.is_some_and(|words| *words != commit(stream, entry))
    };
    let altered = book.entries().filter(differs);
    let mut wrong: Vec<String> = altered
        .map(|entry| format!("text {} is not what its log commits to", entry.number))
        .collect();
    let is_lost = |number: &&u32| book.lost(**number) && !facts.traces.is_forgotten(**number);
    match facts.committed.keys().filter(is_lost).count() {
        0 => {}
        lost => wrong.push(format!("lost: {}", counted(lost, "text"))),
    }
    let is_taken_away = |number: &u32| !facts.traces.may_be_empty(*number);
    match book.erased().filter(is_taken_away).count() {
        0 => {}
        erased => {
            wrong.push(format!("erased, and nobody was forgotten: {}", counted(erased, "text")))
        }
    }
    Ok(wrong)
}

/// What the events of a log say of what stands beside it.
#[derive(Default)]
pub(super) struct Facts {
    /// What is committed to, by the numbers in the private book.
    pub committed: BTreeMap<u32, Commitment>,
    /// Which texts the log says were forgotten.
    pub traces: Traces,
    /// The hash of each announced table, by the announcement.
    announced: BTreeMap<Seq, [u8; 32]>,
}

impl Facts {
    pub fn read(log: &ReadOnlyLog, stream: StreamId) -> Result<Facts, StoreError> {
        let mut facts = Facts::default();
        for read in read_events(log, stream, 0) {
            let (record, event) = read?;
            facts.traces.take(&event);
            let words = event.commitments().into_iter();
            facts.committed.extend(words.map(|(_, words)| (words.number, words)));
            if let Event::StandingsAnnounced(e) = &event {
                facts.announced.insert(record.header().seq, e.table);
            }
        }
        facts.committed.remove(&0);
        Ok(facts)
    }

    /// Whether a table is the one that was announced.
    pub(crate) fn has_announced(&self, table: &AnnouncedTable) -> bool {
        let announced = self.announced.get(&table.announced);
        announced.is_some_and(|hash| table.hash() == Ok(*hash))
    }
}

/// The file of an event's private book.
pub(super) fn book_file(folder: &Path, stream: StreamId) -> PathBuf {
    folder.join("books").join(format!("{stream}.jsonl"))
}

/// Copies a store into a new folder, also while another program writes to it, reads the copy back,
/// and only then gives it its name. The store's list of exports gets a line.
///
/// # Errors
/// Where the store is damaged, or the copy can't be written or doesn't hold.
pub fn back_up(store: &Path, to: &Path, time: Time) -> Result<Checked, CopyError> {
    if !is_free(to)? {
        return Err(CopyError::Exists(to.to_path_buf()));
    }
    let to = named(to)?;
    if lies_in(&to, store) {
        return Err(CopyError::Inside(to));
    }
    let part = begin_beside(&to, "part")?;
    let path = std::path::absolute(&to).map_err(|error| io("find", &to, &error))?;
    let path = path.to_string_lossy().into_owned();
    let copied = copy_and_check(store, &part);
    let done = copied.and_then(|checked| give_name(&part, &to).map(|()| checked));
    if done.is_err() {
        // Half a copy is none, and it holds names.
        let _ = fs::remove_dir_all(&part);
    }
    let mut checked = done?;
    let (what, stream, path) = ("backup".to_string(), None, Some(path));
    let noted = note_beside(store, &Export { time, stream, what, path, names: true, player: None });
    if let Err(error) = noted {
        checked.wrong.push(format!("the copy is whole, but `forget` will not name it: {error}"));
    }
    Ok(checked)
}

fn copy_and_check(store: &Path, part: &Path) -> Result<Checked, CopyError> {
    let copied = backup(store, part, BESIDE).map_err(|error| match error {
        OpenError::Log(LogError::Io { action, file, reason })
            if Path::new(&file).starts_with(part) =>
        {
            CopyError::Io { action, path: file.into(), reason }
        }
        error => error.into(),
    })?;
    if !copied.books.is_empty() {
        let log = ReadOnlyLog::open(part)?;
        for (stream, _) in &copied.books {
            restore_book(&[store], part, &Facts::read(&log, *stream)?, *stream)?;
        }
    }
    let mut checked = check_copy(part).map_err(|error| match check_copy(store) {
        // Damage that the store had, no disk mends.
        Err(of_store) => of_store.into(),
        Ok(_) => CopyError::NotWhole(error.to_string()),
    })?;
    if checked.commands != copied.commands || checked.torn > 0 {
        let what = format!("{} of {} commands", checked.commands, copied.commands);
        return Err(CopyError::NotWhole(what));
    }
    checked.wrong.extend(copied.books.into_iter().map(|(stream, why)| {
        let event = scrutineer_replay::loaded::short_id(stream);
        format!("names of tournament {event}: {why}; those that are whole were copied")
    }));
    Ok(checked)
}

/// Whether a folder holds a mirror or a backup of a store.
pub fn is_copy(folder: &Path) -> bool {
    matches!(Identity::read(folder), Ok(Some(Identity { kind: Kind::Copy, .. })))
}

/// Whether a folder can be made, or is there and empty.
pub(super) fn is_free(folder: &Path) -> Result<bool, CopyError> {
    match fs::read_dir(folder) {
        Ok(mut names) => Ok(names.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(io("list", folder, &error)),
    }
}

/// A folder by its own name, as it was typed where it has one: `.` has none.
pub(super) fn named(folder: &Path) -> Result<PathBuf, CopyError> {
    match folder.file_name() {
        Some(name) => Ok(folder.with_file_name(name)),
        None => std::path::absolute(folder).map_err(|error| io("find", folder, &error)),
    }
}

/// A new folder beside another one, on the same disk, to be renamed.
pub(super) fn begin_beside(folder: &Path, word: &str) -> Result<PathBuf, CopyError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    for number in 1..1_000 {
        let beside = folder.with_file_name(format!("{name}.{word}-{number}"));
        match fs::create_dir(&beside) {
            Ok(()) => return Ok(beside),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io("create", &beside, &error)),
        }
    }
    Err(CopyError::Exists(folder.with_file_name(format!("{name}.{word}-1"))))
}

/// Renames a finished folder. An empty one of that name makes room.
pub(super) fn give_name(part: &Path, to: &Path) -> Result<(), CopyError> {
    if to.is_dir() {
        fs::remove_dir(to).map_err(|error| io("replace", to, &error))?;
    }
    fs::rename(part, to).map_err(|error| io("name", to, &error))?;
    let above = to.parent().filter(|above| !above.as_os_str().is_empty());
    let above = above.unwrap_or(Path::new("."));
    sync_folder(above).map_err(|error| io("sync", above, &error))
}

pub(super) fn io(action: &'static str, path: &Path, error: &std::io::Error) -> CopyError {
    CopyError::Io { action, path: path.to_path_buf(), reason: error.to_string() }
}

impl Store {
    /// Whether the store can only be read.
    pub fn is_read_only(&self) -> bool {
        self.log.read_only().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::files::FileKind;

    #[test]
    fn what_is_to_be_copied_is_copied_and_no_secret_ever_is() {
        for &room in Room::ALL {
            assert_eq!(BESIDE.contains(&room.word()), room.kind() == FileKind::Copied, "{room:?}");
        }
    }
}

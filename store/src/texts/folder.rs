//! Where private books stand: one plain file for each stream, or memory.
//!
//! A line of a file is one entry as a JSON object. Numbers rise from line to line.
//!
//! ```text
//! {"number":1,"field":2,"salt":"<64 hexadecimal digits>","text":"<text>","after":0}
//! {"number":2,"field":2,"erased":true}
//! {"number":3,"field":8,"taken":true}
//! ```
//!
//! `after` is how many bytes of the file were durable when the line was written. A line behind
//! damage that was written after that place was durable proves that words were changed; without
//! such a proof, a line that lacks whole sectors is a write that a power cut interrupted.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockWriteGuard};
use std::time::SystemTime;

use lru::LruCache;
use serde::{Deserialize, Serialize};

use crate::durable;
use crate::files::{open_plain, read_plain};
use scrutineer_engine::book::{
    Book, BookError, Field, Kept, PrivateEntry, PrivateTexts, check_numbers,
};
use scrutineer_engine::record::{StreamId, from_hex, to_hex};

/// The longest line of a book's file, in bytes.
const MAX_LINE: usize = 64 * 1024;

/// The longest file of a book that is read as a whole, in bytes.
pub(super) const MAX_BOOK: u64 = 256 << 20;

/// 32 random bytes from the operating system.
///
/// # Errors
/// [`BookError::NoRandomness`] when it has none.
pub fn system_salt() -> Result<[u8; 32], BookError> {
    let mut salt = [0; 32];
    match getrandom::fill(&mut salt) {
        Ok(()) => Ok(salt),
        Err(error) => Err(BookError::NoRandomness { reason: error.to_string() }),
    }
}

/// Books as files, `<stream>.jsonl`, readable by their owner only.
///
/// One handle writes: the store that the books stand beside is locked against a second process.
#[derive(Debug)]
pub struct FolderTexts {
    folder: PathBuf,
    state: RwLock<State>,
    read: Mutex<LruCache<StreamId, AsRead>>,
}

/// How many books are kept as they were read.
const MOST_KEPT: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// A book as it was read, and the file that it was read from: its length, and when it was written.
#[derive(Debug)]
struct AsRead {
    file: (u64, Option<SystemTime>),
    book: Book,
}

#[derive(Debug, Default)]
struct State {
    /// What is known of each file that was read or written.
    tails: BTreeMap<StreamId, Tail>,
    /// Why nothing more is accepted: after a failed sync the file's state is unknown.
    stopped: Option<String>,
    read_only: bool,
}

/// The end of a file: where its last whole line ends, and the number after its last entry.
#[derive(Clone, Copy, Debug)]
struct Tail {
    len: u64,
    next: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    number: u32,
    field: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    salt: Option<std::borrow::Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<std::borrow::Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    erased: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<u64>,
}

impl FolderTexts {
    /// Opens the folder of books, creating it durably if there is none.
    ///
    /// # Errors
    /// When the folder can't be created or listed.
    pub fn open(folder: impl Into<PathBuf>) -> Result<FolderTexts, BookError> {
        let folder = folder.into();
        durable::create_folder(&folder)?;
        // A rewriting that was cut off leaves a file that nobody reads; it holds names.
        let removed = crate::files::remove_unfinished(&folder);
        removed.map_err(|error| refused("remove what is unfinished in", &folder, &error))?;
        // Whoever made a book may have been killed before its name was durable.
        durable::sync_folder(&folder)?;
        Ok(FolderTexts::of(folder, State::default()))
    }

    /// Books that can only be read; nothing is written, also where there is no folder.
    pub fn read_only(folder: impl Into<PathBuf>) -> FolderTexts {
        let state = State { read_only: true, ..State::default() };
        FolderTexts::of(folder.into(), state)
    }

    fn of(folder: PathBuf, state: State) -> FolderTexts {
        let read = Mutex::new(LruCache::new(MOST_KEPT));
        FolderTexts { folder, state: RwLock::new(state), read }
    }

    fn file(&self, stream: StreamId) -> PathBuf {
        self.folder.join(format!("{stream}.jsonl"))
    }

    /// The state for whoever writes a book: as it was read it is good no longer.
    fn changing(&self, stream: StreamId) -> RwLockWriteGuard<'_, State> {
        let state = self.lock();
        self.read.lock().unwrap_or_else(PoisonError::into_inner).pop(&stream);
        state
    }

    fn lock(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn tail(&self, state: &mut State, stream: StreamId) -> Result<Tail, BookError> {
        if let Some(tail) = state.tails.get(&stream) {
            return Ok(*tail);
        }
        let file = self.file(stream);
        let (book, len) = read_book(&file, stream, u32::MAX)?;
        if len > 0 && !state.read_only {
            // Whoever wrote the last lines may have been killed before they were durable. They are
            // taken for written when their command is sent again.
            crate::files::sync_file(&file).map_err(|error| refused("sync", &file, &error))?;
        }
        let tail = Tail { len, next: book.next_number()? };
        state.tails.insert(stream, tail);
        Ok(tail)
    }

    fn write(&self, stream: StreamId, tail: Tail, lines: &[u8]) -> Result<(), BookError> {
        let file = self.file(stream);
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut out = options.open(&file).map_err(|error| refused("open", &file, &error))?;
        let mut write = || {
            if out.metadata()?.len() > tail.len {
                // Durably, so that a power cut does not mix it with what is written next.
                out.set_len(tail.len)?;
                out.sync_all()?;
            }
            out.seek(SeekFrom::Start(tail.len))?;
            out.write_all(lines)?;
            out.sync_all()
        };
        if let Err(error) = write() {
            // After a failed sync the lines may look written for as long as the machine runs.
            // Nobody shall find them; where this fails too, nothing more can be done.
            let _ = out.set_len(tail.len);
            return Err(refused("write", &file, &error));
        }
        if tail.len == 0 {
            durable::sync_folder(&self.folder)?;
        }
        Ok(())
    }
}

impl PrivateTexts for FolderTexts {
    fn book(&self, stream: StreamId) -> Result<Book, BookError> {
        let _state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let path = self.file(stream);
        let found = fs::metadata(&path).ok();
        // What somebody else wrote into the file, by hand or from another process, is read anew.
        let file = found.map(|found| (found.len(), found.modified().ok()));
        let kept = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(&stream)
            && Some(known.file) == file
        {
            return Ok(known.book.clone());
        }
        let book = read_book(&path, stream, u32::MAX)?.0;
        if let Some(file) = file {
            kept().put(stream, AsRead { file, book: book.clone() });
        }
        Ok(book)
    }

    fn beginning(&self, stream: StreamId, last: u32) -> Result<Book, BookError> {
        // Under the lock, so that no half-written line is met; readers do not wait for each other.
        let _state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        Ok(read_book(&self.file(stream), stream, last)?.0)
    }

    fn append(&self, stream: StreamId, entries: &[PrivateEntry]) -> Result<(), BookError> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut state = self.changing(stream);
        refuse_when_stopped(&state)?;
        let tail = self.tail(&mut state, stream)?;
        let next = check_numbers(tail.next, entries)?;
        let mut lines = Vec::new();
        for entry in entries {
            write_line(&mut lines, &Kept::Entry(entry.clone()), entry.number, Some(tail.len));
        }
        if let Err(error) = self.write(stream, tail, &lines) {
            state.stopped = Some(error.to_string());
            return Err(error);
        }
        let len = tail.len + lines.len() as u64;
        state.tails.insert(stream, Tail { len, next });
        Ok(())
    }

    fn forget(&self, stream: StreamId, numbers: &[u32]) -> Result<usize, BookError> {
        let mut state = self.changing(stream);
        refuse_when_stopped(&state)?;
        let file = self.file(stream);
        let (mut book, len) = read_book(&file, stream, u32::MAX)?;
        let before = book.erased().count();
        book.forget(numbers);
        let emptied = book.erased().count() - before;
        // A line that was cut off does not count, and may hold a name all the same.
        let cut_off = fs::metadata(&file).is_ok_and(|found| found.len() > len);
        if emptied == 0 && !cut_off {
            return Ok(0);
        }
        state.tails.remove(&stream);
        replace(&file, &book)?;
        Ok(emptied)
    }

    fn mend(
        &self,
        stream: StreamId,
        out: &[u32],
        entries: &[PrivateEntry],
    ) -> Result<usize, BookError> {
        let mut state = self.changing(stream);
        refuse_when_stopped(&state)?;
        let file = self.file(stream);
        let (mut book, _) = read_book(&file, stream, u32::MAX)?;
        let (taken_out, put_in) = book.mend_all(out, entries)?;
        if taken_out + put_in > 0 {
            state.tails.remove(&stream);
            replace(&file, &book)?;
        }
        Ok(put_in)
    }

    fn discard(&self, stream: StreamId) -> Result<(), BookError> {
        let mut state = self.changing(stream);
        refuse_when_stopped(&state)?;
        state.tails.remove(&stream);
        let file = self.file(stream);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(refused("remove", &file, &error))
            }
            _ => Ok(durable::sync_folder(&self.folder)?),
        }
    }

    fn next_number(&self, stream: StreamId) -> Result<u32, BookError> {
        let mut state = self.lock();
        Ok(self.tail(&mut state, stream)?.next)
    }
}

/// Writes a book anew, as a whole.
fn replace(file: &Path, book: &Book) -> Result<(), BookError> {
    Ok(durable::replace_file(file, &write_book(book))?)
}

fn refuse_when_stopped(state: &State) -> Result<(), BookError> {
    if state.read_only {
        return Err(BookError::ReadOnly);
    }
    match &state.stopped {
        Some(reason) => Err(BookError::Stopped { reason: reason.clone() }),
        None => Ok(()),
    }
}

/// Reads a book as far as an entry, and how many bytes the lines read have.
///
/// A last line without its end was never acknowledged, nor was one that a power cut interrupted;
/// it is passed over.
pub(super) fn read_book(
    file: &Path,
    stream: StreamId,
    last: u32,
) -> Result<(Book, u64), BookError> {
    let mut book = Book::new(stream);
    let mut reader = match open_plain(file) {
        Ok(found) => BufReader::new(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((book, 0)),
        Err(error) => return Err(refused("open", file, &error)),
    };
    let (mut len, mut number) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        number += 1;
        (&mut reader)
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut line)
            .map_err(|error| refused("read", file, &error))?;
        let damaged =
            |what: String| BookError::Line { file: file.display().to_string(), line: number, what };
        let taken = match line.strip_suffix(b"\n") {
            _ if line.len() > MAX_LINE => Err(format!("longer than {MAX_LINE} bytes")),
            Some(text) => take_line(&mut book, text),
            // A write that was cut off leaves the beginning of a line, not all of it and more.
            None => match line.split_last() {
                Some((_, text)) if take_line(&mut book.clone(), text).is_ok() => {
                    Err("its end is not what was written".to_string())
                }
                _ => return Ok((book, len)),
            },
        };
        if let Err(what) = taken {
            return match is_interrupted(file, len)? {
                true => Ok((book, len)),
                false => Err(damaged(what)),
            };
        }
        len += line.len() as u64;
        if book.kept().last_key_value().is_some_and(|(number, _)| *number >= last) {
            return Ok((book, len));
        }
    }
}

/// What a damaged book still has: its lines that are whole, each taken for itself.
pub(super) fn read_whole_lines(file: &Path, stream: StreamId) -> Result<Book, BookError> {
    let bytes = read_plain(file, MAX_BOOK).map_err(|error| refused("read", file, &error))?;
    let mut book = Book::new(stream);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(text) = line.strip_suffix(b"\n").filter(|_| line.len() <= MAX_LINE) else {
            continue;
        };
        let mut alone = Book::new(stream);
        if take_line(&mut alone, text).is_ok() {
            for (number, kept) in alone.into_kept() {
                if !book.kept().contains_key(&number) {
                    book.put(number, kept);
                }
            }
        }
    }
    Ok(book)
}

/// What a disk writes at once or not at all, in bytes.
const SECTOR: usize = 512;

/// Whether the line at `offset`, which is no entry, is a write that was interrupted: it lacks whole
/// sectors, which read as zeros, and no line behind it was written after it was durable.
fn is_interrupted(file: &Path, offset: u64) -> Result<bool, BookError> {
    let bytes = read_plain(file, MAX_BOOK).map_err(|error| refused("read", file, &error))?;
    let offset = offset as usize;
    let mut lines = bytes.get(offset..).unwrap_or_default().split(|byte| *byte == b'\n');
    let line = lines.next().unwrap_or_default();
    let (mut at, mut lacks) = (offset, false);
    for run in line.chunk_by(|one, other| (*one == 0) == (*other == 0)) {
        let end = at + run.len();
        if run[0] == 0 {
            let begins_there = at == offset || at % SECTOR == 0;
            if !begins_there || (end % SECTOR != 0 && end != bytes.len()) {
                return Ok(false);
            }
            lacks = true;
        }
        at = end;
    }
    let mut behind = lines.filter_map(|line| serde_json::from_slice::<Line<'_>>(line).ok());
    Ok(lacks && behind.all(|line| line.after.is_some_and(|after| after <= offset as u64)))
}

fn take_line(book: &mut Book, text: &[u8]) -> Result<(), String> {
    let line: Line<'_> = serde_json::from_slice(text)
        .map_err(|error| format!("not an entry of private texts, column {}", error.column()))?;
    let field = Field::from_code(line.field).ok_or_else(|| {
        format!("field {} is unknown: it was written by a newer version", line.field)
    })?;
    let next = book.next_number().map_err(|error| error.to_string())?;
    match (line.salt, line.text, line.erased, line.taken) {
        (Some(salt), Some(text), None, None) => {
            let salt = from_hex(&salt).ok_or("the salt is not 64 hexadecimal digits")?;
            let entry = PrivateEntry { number: line.number, field, salt, text: text.into_owned() };
            book.add(entry).map_err(|error| error.to_string())
        }
        (None, None, Some(true), None) if line.number >= next => {
            book.put(line.number, Kept::Erased(field));
            Ok(())
        }
        (None, None, None, Some(true)) if line.number >= next => {
            book.put(line.number, Kept::Taken);
            Ok(())
        }
        (None, None, Some(true), None) | (None, None, None, Some(true)) => {
            Err(format!("number {} stands twice", line.number))
        }
        _ => Err("neither a text with its salt nor an erased or taken entry".to_string()),
    }
}

/// The file of a book.
pub(super) fn write_book(book: &Book) -> Vec<u8> {
    let mut lines = Vec::new();
    for (number, kept) in book.kept() {
        write_line(&mut lines, kept, *number, None);
    }
    lines
}

fn write_line(out: &mut Vec<u8>, kept: &Kept, number: u32, after: Option<u64>) {
    let line = match kept {
        Kept::Entry(entry) => Line {
            number,
            field: entry.field.code(),
            salt: Some(to_hex(&entry.salt).into()),
            text: Some(entry.text.as_str().into()),
            erased: None,
            taken: None,
            after,
        },
        Kept::Erased(field) => {
            let (field, erased, taken) = (field.code(), Some(true), None);
            Line { number, field, salt: None, text: None, erased, taken, after }
        }
        Kept::Taken => {
            let (field, erased, taken) = (Field::Other.code(), None, Some(true));
            Line { number, field, salt: None, text: None, erased, taken, after }
        }
    };
    // Numbers and strings always have a JSON form, and a Vec takes every write.
    if serde_json::to_writer(&mut *out, &line).is_ok() {
        out.push(b'\n');
    }
}

pub(super) fn refused(action: &'static str, file: &Path, error: &io::Error) -> BookError {
    BookError::Io { action, file: file.display().to_string(), reason: error.to_string() }
}

//! A copy of a store in another folder: the journal's bytes as they stand, the private books, and
//! what else stands beside them. A mirror is one that goes on; a backup is one that is finished.
//!
//! ```text
//! FORMAT            "scrutineer copy 1", and the store's id
//! journal/          the same bytes as the store's, perhaps fewer
//! books/            whatever the commands in the journal need
//! ```
//!
//! There is neither sled nor a secret of draws in it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::LogError;
use super::durable::{create_folder, io_error, replace_file, sync_above, sync_file, sync_folder};
use super::files::open_plain;
use super::identity::{Identity, Kind, id_of_journal};
use super::options::{MirrorError, OpenError};
use super::readonly::ReadOnlyLog;
use super::segment::{
    JournalReader, Position, SEGMENT_HEADER, SegmentHeader, SegmentReader, count_segments,
    file_len, segment_file,
};
use crate::texts::carry_book;
use scrutineer_engine::book::BookError;
use scrutineer_engine::event::Traces;
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::StreamId;

/// So much is written before the disk is waited for.
const STEP: u64 = 1024 * 1024;

/// How much of a copy's end is compared with the store: all that may not have reached its disk.
const COMPARED: u64 = 2 * STEP;

/// The largest file beside the journal that is copied, in bytes.
const MAX_BESIDE: u64 = 64 * 1024 * 1024;

/// A copy on its way.
#[derive(Debug)]
pub(crate) struct Copying {
    store: PathBuf,
    copy: PathBuf,
    /// How far the journal was copied, synced.
    at: Position,
    out: Option<File>,
    /// Whether the name of that file may not be durable yet.
    unnamed: bool,
    /// Books that could not be carried over.
    faults: Vec<(StreamId, BookError)>,
}

impl Copying {
    /// Begins a copy in a new or empty folder.
    pub(crate) fn begin(store: &Path, copy: &Path, id: [u8; 16]) -> Result<Copying, LogError> {
        create_folder(&copy.join("journal"))?;
        create_folder(&copy.join("books"))?;
        Identity { kind: Kind::Copy, id }.write(copy)?;
        Ok(Copying::at(store, copy, Position::START))
    }

    /// Goes on with a copy, after comparing it with the store.
    pub(crate) fn resume(
        store: &Path,
        copy: &Path,
        id: [u8; 16],
        end: Position,
    ) -> Result<Copying, MirrorError> {
        let folder = || copy.to_path_buf();
        match Identity::read(copy) {
            Ok(Some(found)) if found.kind == Kind::Copy && found.id == id => {}
            Ok(Some(found)) if found.kind == Kind::Copy => {
                return Err(MirrorError::OtherStore { folder: folder() });
            }
            // Its segments say of which store it is.
            Ok(None) | Err(OpenError::NotAStore { .. })
                if id_of_journal(copy) == Some(id) && !copy.join("sled").exists() =>
            {
                Identity { kind: Kind::Copy, id }.write(copy)?;
            }
            Ok(_) | Err(OpenError::NotAStore { .. }) => {
                return Err(MirrorError::NotACopy { folder: folder() });
            }
            Err(OpenError::Newer { .. }) => return Err(MirrorError::Newer { folder: folder() }),
            Err(error) => return Err(MirrorError::Away { reason: error.to_string() }),
        }
        // Whoever made these may have been killed before their names were durable.
        sync_above(copy)?;
        for folder in [copy.to_path_buf(), copy.join("journal"), copy.join("books")] {
            if folder.is_dir() {
                sync_folder(&folder)?;
            }
        }
        let theirs = copy.join("journal");
        let at = Compare { ours: &store.join("journal"), theirs: &theirs, copy, end }.place()?;
        let last = segment_file(&theirs, at.segment);
        if last.is_file() {
            // It was compared as the system has it in memory, which need not be on the disk.
            sync_file(&last)?;
        }
        Ok(Copying::at(store, copy, at))
    }

    fn at(store: &Path, copy: &Path, at: Position) -> Copying {
        Copying {
            store: store.to_path_buf(),
            copy: copy.to_path_buf(),
            at,
            out: None,
            unnamed: false,
            faults: Vec::new(),
        }
    }

    pub(crate) fn position(&self) -> Position {
        self.at
    }

    /// Copies some commands, with the books they need in front of them, and waits for the disk.
    /// Damaged ones are not copied.
    pub(crate) fn step(&mut self, target: Position) -> Result<(), LogError> {
        let journal = self.store.join("journal");
        let mut reader = JournalReader::new(&journal, self.at, target);
        reader.settle()?;
        let from = reader.at();
        // A segment that others follow is full.
        let end = match from.segment == target.segment {
            true => target.offset,
            false => file_len(&journal, from.segment)?,
        };
        let mut streams = BTreeSet::new();
        while reader.at().offset < end.min(from.offset + STEP) {
            let Some(frame) = reader.next()? else { break };
            streams.extend(frame.body.first().map(|first| first.stream));
        }
        let to = reader.at();
        for stream in streams {
            self.book(stream)?;
        }
        self.write(from, to)?;
        self.at = to;
        Ok(())
    }

    /// Appends a stretch of one segment.
    fn write(&mut self, from: Position, to: Position) -> Result<(), LogError> {
        let ours = segment_file(&self.store.join("journal"), from.segment);
        let folder = self.copy.join("journal");
        let theirs = segment_file(&folder, from.segment);
        let begins = from.offset == SEGMENT_HEADER as u64;
        if begins {
            self.out = None;
        }
        let mut source = open_plain(&ours).map_err(|error| io_error("open", &ours, &error))?;
        let start = if begins { 0 } else { from.offset };
        let out = match &mut self.out {
            Some(out) => out,
            none => {
                let mut options = File::options();
                options.write(true).create(true).truncate(false);
                let out = options.open(&theirs);
                self.unnamed = true;
                none.insert(out.map_err(|error| io_error("open", &theirs, &error))?)
            }
        };
        let mut copy = || -> io::Result<()> {
            source.seek(SeekFrom::Start(start))?;
            if out.metadata()?.len() != start {
                // Durably, so that a power cut does not mix it with what is written next.
                out.set_len(start)?;
                out.sync_data()?;
            }
            out.seek(SeekFrom::Start(start))?;
            let mut left = to.offset - start;
            let mut piece = vec![0; STEP.min(left) as usize];
            while left > 0 {
                let mut len = piece.len().min(left as usize);
                if begins && left == to.offset {
                    // A segment's header is durable before its first frame is written.
                    len = SEGMENT_HEADER;
                }
                source.read_exact(&mut piece[..len])?;
                out.write_all(&piece[..len])?;
                out.sync_data()?;
                left -= len as u64;
            }
            Ok(())
        };
        let copied = copy();
        if copied.is_err() {
            // What the file holds now is unknown: it is compared before anything else is written.
            self.out = None;
        }
        copied.map_err(|error| io_error("write", &theirs, &error))?;
        // Once for each opened file: whoever made it may have been killed before its name lasted.
        match std::mem::take(&mut self.unnamed) {
            true => sync_folder(&folder),
            false => Ok(()),
        }
    }

    /// Brings a book up to date. What is wrong with the book itself keeps nothing else back.
    fn book(&mut self, stream: StreamId) -> Result<(), LogError> {
        let (from, to) = self.book_files(stream);
        let store = &self.store;
        match carry_book(&from, &to, stream, &|| traces(store, stream)) {
            Ok(()) => Ok(()),
            Err(BookError::Io { action, file, reason }) => {
                Err(LogError::Io { action, file, reason })
            }
            Err(error) => {
                self.faults.push((stream, error));
                Ok(())
            }
        }
    }

    fn book_files(&self, stream: StreamId) -> (PathBuf, PathBuf) {
        let name = format!("{stream}.jsonl");
        (self.store.join("books").join(&name), self.copy.join("books").join(name))
    }

    /// Brings the books of these streams up to date, also those in which somebody was forgotten.
    pub(crate) fn books(&mut self, streams: &[StreamId]) -> Result<(), LogError> {
        for stream in streams {
            let (from, to) = self.book_files(*stream);
            let len = |file: &Path| fs::metadata(file).ok().map(|found| found.len());
            // Whoever is forgotten leaves a shorter book.
            if len(&from) != len(&to) {
                self.book(*stream)?;
            }
        }
        Ok(())
    }

    /// The books that could not be carried over since the last time, with the reason.
    pub(crate) fn take_faults(&mut self) -> Vec<(StreamId, BookError)> {
        std::mem::take(&mut self.faults)
    }

    /// Copies what else stands beside the journal: a file as it is; of a folder the files that
    /// have become longer, since those only grow.
    pub(crate) fn beside(&self, names: &[&str]) -> Result<(), LogError> {
        for name in names {
            let (from, to) = (self.store.join(name), self.copy.join(name));
            if from.is_dir() {
                let list = fs::read_dir(&from).map_err(|error| io_error("list", &from, &error))?;
                for entry in list {
                    let entry = entry.map_err(|error| io_error("list", &from, &error))?.path();
                    let Some(name) = entry.file_name().filter(|_| entry.is_file()) else {
                        continue;
                    };
                    let to = to.join(name);
                    let len = |file: &Path| fs::metadata(file).map_or(0, |found| found.len());
                    if len(&entry) > len(&to) {
                        copy_file(&entry, &to)?;
                    }
                }
            } else if from.is_file() {
                copy_file(&from, &to)?;
            }
        }
        Ok(())
    }
}

/// What the store's log says of an event's texts, as it stands now: an event that says who was
/// forgotten is durable before the text is emptied.
fn traces(store: &Path, stream: StreamId) -> Result<Traces, BookError> {
    let unread = |reason: String| BookError::Io {
        action: "learn who was forgotten from",
        file: store.join("journal").display().to_string(),
        reason,
    };
    let log = ReadOnlyLog::open(store).map_err(|error| unread(error.to_string()))?;
    let mut traces = Traces::default();
    for read in read_events(&log, stream, 0) {
        let (_, event) = read.map_err(|error| unread(error.to_string()))?;
        traces.take(&event);
    }
    Ok(traces)
}

/// Copies a file as a whole, unless it is there like this already.
fn copy_file(from: &Path, to: &Path) -> Result<(), LogError> {
    let read = |file: &Path| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        open_plain(file)?.take(MAX_BESIDE + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read(from).map_err(|error| io_error("read", from, &error))?;
    if bytes.len() as u64 > MAX_BESIDE {
        let error = io::Error::other("it is longer than anything that is kept there");
        return Err(io_error("copy", from, &error));
    }
    if read(to).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        create_folder(folder)?;
    }
    replace_file(to, &bytes)
}

/// A copy's journal beside the store's.
struct Compare<'a> {
    ours: &'a Path,
    theirs: &'a Path,
    copy: &'a Path,
    end: Position,
}

impl Compare<'_> {
    /// Where the copy goes on: behind its last whole command, or at the beginning of the first
    /// segment that is damaged there.
    fn place(&self) -> Result<Position, MirrorError> {
        let segments = count_segments(self.theirs)?;
        if segments > self.end.segment {
            return Err(self.ahead());
        }
        if count_segments(self.ours)? == 0 {
            // The store has no command, and nothing to be compared with.
            return match segments > 0 && self.has_command()? {
                true => Err(self.ahead()),
                false => Ok(Position::START),
            };
        }
        let mut damaged = None;
        for segment in 1..=segments {
            let is_full = segment < segments;
            // The header behind it says how long it was: another history has another header there.
            let is_cut =
                is_full && file_len(self.ours, segment)? != file_len(self.theirs, segment)?;
            if self.has_damaged_header(segment)? || is_cut {
                damaged = damaged.or(Some(segment));
            }
        }
        let Some(last) = Some(segments).filter(|segments| *segments > 0) else {
            return Ok(Position::START);
        };
        let place = self.in_segment(last)?;
        match damaged {
            Some(segment) => Ok(self.begin_of(segment)?),
            None => Ok(place),
        }
    }

    fn in_segment(&self, segment: u64) -> Result<Position, MirrorError> {
        let is_last = segment == self.end.segment;
        let ours = if is_last { self.end.offset } else { file_len(self.ours, segment)? };
        let theirs = file_len(self.theirs, segment)?;
        let mut at = self.begin_of(segment)?;
        if theirs <= at.offset {
            // It was being begun.
            return Ok(at);
        }
        let shared = ours.min(theirs);
        let compared = shared.saturating_sub(COMPARED).max(at.offset);
        let same = match self.same(segment, compared, shared)? {
            true => shared,
            false => self.first_difference(segment, at.offset, shared)?,
        };
        if is_last && same == ours && same == theirs {
            return Ok(self.end);
        }
        // The last of our frames up to which both are the same.
        let mut reader = SegmentReader::open(self.ours, segment)?;
        reader.go_to(at.offset, ours);
        while let Ok(Some(_)) = reader.next() {
            if reader.offset() > same {
                break;
            }
            at.offset = reader.offset();
            at.frames += 1;
        }
        self.behind(at, ours)
    }

    /// What the copy holds behind the last frame that both have: nothing, a write that was
    /// interrupted, or a whole command that is not the store's.
    fn behind(&self, at: Position, ours: u64) -> Result<Position, MirrorError> {
        let mut reader = SegmentReader::open_unchecked(self.theirs, at.segment)?;
        match reader.whole_at(at.offset)? {
            Some(_) if at.offset >= ours => Err(self.ahead()),
            Some(_) => Err(self.differs()),
            None => Ok(at),
        }
    }

    /// Whether the copy's first segment begins with a whole command.
    fn has_command(&self) -> Result<bool, LogError> {
        let mut reader = SegmentReader::open_unchecked(self.theirs, 1)?;
        Ok(reader.whole_at(SEGMENT_HEADER as u64)?.is_some())
    }

    fn begin_of(&self, segment: u64) -> Result<Position, LogError> {
        let frames = SegmentReader::open(self.ours, segment)?.header.frames_before;
        Ok(Position { segment, offset: SEGMENT_HEADER as u64, frames })
    }

    /// Whether the copy's segment has a header that holds no more. A whole one that is not the
    /// store's is of another history.
    fn has_damaged_header(&self, segment: u64) -> Result<bool, MirrorError> {
        let header = SEGMENT_HEADER as u64;
        if file_len(self.theirs, segment)? < header {
            return Ok(true);
        }
        let of = |folder: &Path| read_at(&segment_file(folder, segment), 0, header);
        let (ours, theirs) = (of(self.ours)?, of(self.theirs)?);
        match SegmentHeader::decode(&theirs) {
            Ok(_) if ours != theirs => Err(self.differs()),
            Ok(_) => Ok(false),
            Err(_) => Ok(true),
        }
    }

    fn same(&self, segment: u64, from: u64, to: u64) -> Result<bool, LogError> {
        let read = |folder: &Path| read_at(&segment_file(folder, segment), from, to - from);
        Ok(read(self.ours)? == read(self.theirs)?)
    }

    fn first_difference(&self, segment: u64, begin: u64, shared: u64) -> Result<u64, LogError> {
        let mut from = begin;
        while from < shared {
            let len = STEP.min(shared - from);
            let ours = read_at(&segment_file(self.ours, segment), from, len)?;
            let theirs = read_at(&segment_file(self.theirs, segment), from, len)?;
            if let Some(place) = ours.iter().zip(&theirs).position(|(a, b)| a != b) {
                return Ok(from + place as u64);
            }
            from += len;
        }
        Ok(shared)
    }

    fn ahead(&self) -> MirrorError {
        MirrorError::Ahead { folder: self.copy.to_path_buf() }
    }

    fn differs(&self) -> MirrorError {
        MirrorError::Differs { folder: self.copy.to_path_buf() }
    }
}

fn read_at(file: &Path, from: u64, len: u64) -> Result<Vec<u8>, LogError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut from_file = open_plain(file)?;
        from_file.seek(SeekFrom::Start(from))?;
        let mut bytes = vec![0; len as usize];
        from_file.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| io_error("read", file, &error))
}

#[cfg(test)]
mod tests;

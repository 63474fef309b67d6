//! The journal: what is acknowledged stands here. Append-only segments of frames, one a command.
//!
//! Everything else in a store can be made from these files again.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crc32fast::Hasher;

use super::durable::{io_error, sync_folder};
use super::frame::{FRAME_HEADER, FrameBody, FrameHead};
use super::heads::Heads;
use super::recover::{Recovered, Torn, segment_crc};
use super::segment::{
    JournalReader, Position, SEGMENT_HEADER, SegmentHeader, count_segments, segment_file,
};
use super::stream::until_error;
use super::summary::Summary;
use super::{Head, LogError};
use scrutineer_engine::record::{Record, StreamId};

/// Frames up to this size are gathered into one write.
const GATHER: usize = 1024 * 1024;

/// A command on its way into the journal.
#[derive(Debug)]
pub(crate) struct Entry {
    pub stream: StreamId,
    pub before: Head,
    pub after: Head,
    pub body: FrameBody,
}

/// The journal's end, where commands are written. One thread has it.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    store: [u8; 16],
    roll_at: u64,
    file: File,
    end: Position,
    /// What the last segment holds; readers look there too.
    tail: Arc<Mutex<Summary>>,
    /// The CRC of the last segment.
    crc: Hasher,
    buffer: Vec<u8>,
    /// How often the disk was waited for.
    pub syncs: u64,
}

impl Journal {
    /// Cuts off an interrupted write and goes on at the end.
    pub(crate) fn start(
        folder: &Path,
        store: [u8; 16],
        roll_at: u64,
        recovered: &Recovered,
        tail: Arc<Mutex<Summary>>,
    ) -> Result<Journal, LogError> {
        for summary in &recovered.remade {
            // Only a shortcut: without it the next opening reads the segment again.
            let _ = summary.save(folder);
        }
        let (end, torn, mut crc) = (recovered.end, recovered.torn, recovered.crc.clone());
        let begun = count_segments(folder)? > 0;
        let fresh = match torn {
            Some(torn) if torn.offset == 0 => Some(torn.segment),
            _ if !begun => Some(1),
            _ => None,
        };
        let file = match fresh {
            Some(segment) => begin_segment(folder, store, segment, end)?,
            None => continue_segment(folder, end, torn)?,
        };
        let mut end = end;
        if let Some(segment) = fresh {
            end = Position { segment, offset: SEGMENT_HEADER as u64, frames: end.frames };
            *lock(&tail) = Summary::new(segment, end.frames, end.offset);
            crc = segment_crc(folder, end)?;
        }
        let folder = folder.to_path_buf();
        Ok(Journal { folder, store, roll_at, file, end, tail, crc, buffer: Vec::new(), syncs: 0 })
    }

    /// Notes what stands where, so that the next opening need not read the last segment.
    pub(crate) fn seal(&self, root: &Path, heads: &Heads) -> Result<(), LogError> {
        if heads.is_as_kept() {
            return Ok(());
        }
        let saved = lock(&self.tail).save(&self.folder);
        saved.map_err(|error| io_error("write a summary in", &self.folder, &error))?;
        heads.save(root, self.store, self.end, self.crc.clone().finalize())
    }

    /// The end of what is synced.
    pub(crate) fn end(&self) -> Position {
        self.end
    }

    /// Writes commands behind each other and waits until they are on the disk.
    ///
    /// After an error the file's state is unknown: nothing more may be written through it.
    pub(crate) fn write(&mut self, entries: &[Entry]) -> Result<Position, LogError> {
        if self.end.offset >= self.roll_at {
            self.roll()?;
        }
        let path = segment_file(&self.folder, self.end.segment);
        let written = self.write_frames(entries).and_then(|end| {
            self.file.sync_data()?;
            Ok(end)
        });
        self.syncs += 1;
        self.end = written.map_err(|error| io_error("write", &path, &error))?;
        let mut tail = lock(&self.tail);
        for Entry { stream, before, after, body } in entries {
            tail.count(*stream, *before, *after, (FRAME_HEADER + body.bytes.len()) as u64);
        }
        Ok(self.end)
    }

    fn write_frames(&mut self, entries: &[Entry]) -> io::Result<Position> {
        let synced = self.end.offset;
        let mut end = self.end;
        self.buffer.clear();
        for entry in entries {
            let body = &entry.body.bytes;
            end.frames += 1;
            let (body_len, number) = (body.len() as u32, end.frames);
            let head = FrameHead { body_len, number, synced, body_crc: entry.body.crc };
            let head = head.encode(end.segment, end.offset);
            end.offset += (head.len() + body.len()) as u64;
            self.buffer.extend_from_slice(&head);
            self.crc.update(&head);
            self.crc.update(body);
            if body.len() > GATHER {
                self.file.write_all(&self.buffer)?;
                self.buffer.clear();
                self.file.write_all(body)?;
            } else {
                self.buffer.extend_from_slice(body);
            }
        }
        self.file.write_all(&self.buffer)?;
        Ok(end)
    }

    /// Seals the segment and begins the next one.
    fn roll(&mut self) -> Result<(), LogError> {
        let _ = lock(&self.tail).save(&self.folder);
        let segment = self.end.segment + 1;
        self.file = begin_segment(&self.folder, self.store, segment, self.end)?;
        self.end.segment = segment;
        self.end.offset = SEGMENT_HEADER as u64;
        self.crc = segment_crc(&self.folder, self.end)?;
        *lock(&self.tail) = Summary::new(segment, self.end.frames, self.end.offset);
        Ok(())
    }
}

fn lock(tail: &Mutex<Summary>) -> MutexGuard<'_, Summary> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn begin_segment(
    folder: &Path,
    store: [u8; 16],
    number: u64,
    end: Position,
) -> Result<File, LogError> {
    let path = segment_file(folder, number);
    let previous_len = if number == 1 { 0 } else { end.offset };
    let header = SegmentHeader { store, number, frames_before: end.frames, previous_len };
    let begin = || {
        let mut file = File::options().write(true).create(true).truncate(true).open(&path)?;
        file.write_all(&header.encode())?;
        file.sync_all()?;
        Ok(file)
    };
    let file = begin().map_err(|error| io_error("begin", &path, &error))?;
    sync_folder(folder)?;
    Ok(file)
}

fn continue_segment(folder: &Path, end: Position, torn: Option<Torn>) -> Result<File, LogError> {
    let path = segment_file(folder, end.segment);
    let resume = || {
        let mut file = File::options().write(true).open(&path)?;
        if torn.is_some() {
            file.set_len(end.offset)?;
        }
        file.sync_all()?;
        file.seek(SeekFrom::Start(end.offset))?;
        Ok(file)
    };
    let file = resume().map_err(|error| io_error("open", &path, &error))?;
    // Whoever began this segment may have been killed before its name was durable.
    sync_folder(folder)?;
    Ok(file)
}

/// Every record up to `end`, in the order of writing. One at a time: the records of a large frame
/// gathered at once would leave the processor's cache before they are looked at.
pub(crate) fn scan(folder: &Path, end: Position) -> impl Iterator<Item = Result<Record, LogError>> {
    let mut reader = JournalReader::new(folder, Position::START, end);
    until_error(move || reader.next_record())
}

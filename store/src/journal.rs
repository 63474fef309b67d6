//! The journal: what is acknowledged stands here. Append-only segments of frames, one a command.
//!
//! Everything else in a store can be made from these files again.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::durable::{io_error, sync_folder};
use super::frame::{Frame, FrameBody, FrameHead};
use super::recover::{Recovered, Torn, count_segments, file_len};
use super::segment::{
    JournalReader, Position, SEGMENT_HEADER, SegmentHeader, damaged, segment_file,
};
use super::summary::Summary;
use super::{CommandTrace, Head, LogError, Visit};
use scrutineer_engine::record::{CommandId, Record, StreamId};

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
    summary: Summary,
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
        recovered: Recovered,
    ) -> Result<Journal, LogError> {
        for summary in &recovered.remade {
            // Only a shortcut: without it the next opening reads the segment again.
            let _ = summary.save(folder);
        }
        let Recovered { end, torn, last, .. } = recovered;
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
        let (mut end, mut summary) = (end, last);
        if let Some(segment) = fresh {
            end = Position { segment, offset: SEGMENT_HEADER as u64, frames: end.frames };
            summary = Summary::new(segment, end.frames, end.offset);
        }
        let folder = folder.to_path_buf();
        Ok(Journal { folder, store, roll_at, file, end, summary, buffer: Vec::new(), syncs: 0 })
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
        for entry in entries {
            self.summary.count(entry.stream, entry.before, entry.after);
        }
        self.summary.len = self.end.offset;
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
        let _ = self.summary.save(&self.folder);
        let segment = self.end.segment + 1;
        self.file = begin_segment(&self.folder, self.store, segment, self.end)?;
        self.end.segment = segment;
        self.end.offset = SEGMENT_HEADER as u64;
        self.summary = Summary::new(segment, self.end.frames, self.end.offset);
        Ok(())
    }
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

/// Visits every record up to `end`, in the order it was written.
pub(crate) fn scan(folder: &Path, end: Position, visit: &mut Visit<'_>) -> Result<(), LogError> {
    let mut reader = JournalReader::new(folder, Position::START, end);
    while let Some(frame) = reader.next()? {
        if visit_frame(&frame, visit)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Visits the frames of one stream; segments whose summary doesn't name it are passed over.
pub(crate) fn scan_stream(
    folder: &Path,
    end: Position,
    stream: StreamId,
    visit: &mut dyn FnMut(&Frame<'_>) -> Result<ControlFlow<()>, LogError>,
) -> Result<(), LogError> {
    let mut reader = JournalReader::new(folder, Position::START, end);
    loop {
        reader.settle()?;
        let at = reader.at();
        if at.segment < end.segment && at.offset == SEGMENT_HEADER as u64 {
            let len = file_len(folder, at.segment)?;
            let summary = Summary::load(folder, at.segment, len);
            if let Some(summary) = summary.filter(|found| !found.spans.contains_key(&stream)) {
                reader.skip_segment(summary.frames);
                continue;
            }
        }
        let Some(frame) = reader.next()? else {
            return Ok(());
        };
        let of_stream = frame.body.first().is_some_and(|first| first.stream == stream);
        if of_stream && visit(&frame)?.is_break() {
            return Ok(());
        }
    }
}

/// Every command of a stream up to this head.
pub(crate) fn commands_of(
    folder: &Path,
    end: Position,
    stream: StreamId,
    head: Head,
) -> Result<HashMap<CommandId, CommandTrace>, LogError> {
    let mut commands = HashMap::new();
    scan_stream(folder, end, stream, &mut |frame| {
        let Some(first) = frame.body.first() else {
            return Ok(ControlFlow::Continue(()));
        };
        let last_seq = first.seq.saturating_add(u64::from(frame.body.count) - 1);
        let trace = CommandTrace { first_seq: first.seq, last_seq, digest: frame.body.digest };
        if last_seq <= head.seq {
            commands.insert(first.command, trace);
        }
        Ok(match last_seq < head.seq {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
    })?;
    Ok(commands)
}

/// Hands a frame's records to the visitor, each with the hash that its bytes have: one kept beside
/// them is only compared, since whoever changes bytes can make every checksum right.
pub(crate) fn visit_frame(
    frame: &Frame<'_>,
    visit: &mut Visit<'_>,
) -> Result<ControlFlow<()>, LogError> {
    let bad = |what: String| damaged(frame.segment, frame.offset, what);
    for raw in frame.body.records() {
        let (hash, bytes) = raw.ok_or_else(|| bad("a record is cut off".to_string()))?;
        let record = Record::read_with_hash(hash, bytes).map_err(|error| bad(error.to_string()))?;
        if visit(record).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

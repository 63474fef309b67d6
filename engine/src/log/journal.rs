//! The journal: what is acknowledged stands here. Append-only segments of frames, one a command.
//!
//! Everything else in a store can be made from these files again.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::files::{io_error, sync_folder};
use super::frame::{Frame, FrameBody, FrameHead};
use super::segment::{
    JournalReader, Position, SEGMENT_HEADER, SegmentHeader, SegmentReader, damaged, segment_file,
};
use super::summary::Summary;
use super::{Head, LogError, Visit};
use crate::record::{Record, StreamId};

/// Frames up to this size are gathered into one write.
const GATHER: usize = 1024 * 1024;

/// What the journal holds, as found at opening. Nothing was changed yet.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub heads: HashMap<StreamId, Head>,
    pub end: Position,
    /// Where the last write began: what stands before it was synced.
    synced: u64,
    /// Bytes behind the last whole frame, from a write that was interrupted.
    pub torn: Option<Torn>,
    /// The last segment so far.
    last: Summary,
    /// Summaries that were missing or wrong.
    remade: Vec<Summary>,
}

/// An unacknowledged rest at the journal's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Torn {
    pub segment: u64,
    pub offset: u64,
    pub bytes: u64,
}

/// A command on its way into the journal.
#[derive(Debug)]
pub(crate) struct Entry {
    pub stream: StreamId,
    pub before: Head,
    pub after: Head,
    pub body: FrameBody,
}

/// Reads the journal without changing anything.
pub(crate) fn recover(folder: &Path, store: [u8; 16]) -> Result<Recovered, LogError> {
    let segments = count_segments(folder)?;
    let mut found = Recovered {
        heads: HashMap::new(),
        end: Position::START,
        synced: SEGMENT_HEADER as u64,
        torn: None,
        last: Summary::new(1, 0, SEGMENT_HEADER as u64),
        remade: Vec::new(),
    };
    for segment in 1..=segments {
        found.take_segment(folder, store, segment, segment == segments)?;
    }
    Ok(found)
}

impl Recovered {
    fn take_segment(
        &mut self,
        folder: &Path,
        store: [u8; 16],
        segment: u64,
        is_last: bool,
    ) -> Result<(), LogError> {
        if is_last && unfinished_header(folder, segment)? {
            let bytes = file_len(folder, segment)?;
            self.torn = Some(Torn { segment, offset: 0, bytes });
            return Ok(());
        }
        let mut reader = SegmentReader::open(folder, segment)?;
        self.check_header(&reader, store)?;
        let kept = match is_last {
            true => None,
            false => Summary::load(folder, segment, reader.limit()),
        };
        let summary = match kept {
            Some(summary) if summary.frames_before == self.end.frames => summary,
            _ => self.scan(&mut reader, is_last)?,
        };
        let Summary { segment, frames_before, frames, .. } = summary;
        self.end = Position { segment, offset: summary.len, frames: frames_before + frames };
        self.take_spans(&summary)?;
        self.last = summary;
        Ok(())
    }

    fn check_header(&self, reader: &SegmentReader, store: [u8; 16]) -> Result<(), LogError> {
        let header = reader.header;
        let previous_len = if header.number == 1 { 0 } else { self.end.offset };
        if header.store != store {
            return Err(reader.damaged(0, "it belongs to another store".to_string()));
        }
        if header.previous_len != previous_len || header.frames_before != self.end.frames {
            let what = format!(
                "the segment before it has {previous_len} bytes and {} frames, \
                 but had {} and {} when this one was begun",
                self.end.frames, header.previous_len, header.frames_before
            );
            return Err(reader.damaged(0, what));
        }
        Ok(())
    }

    /// Reads a segment frame by frame.
    fn scan(&mut self, reader: &mut SegmentReader, is_last: bool) -> Result<Summary, LogError> {
        let (segment, frames_before) = (reader.header.number, self.end.frames);
        let mut summary = Summary::new(segment, frames_before, 0);
        loop {
            let offset = reader.offset();
            match reader.next() {
                Ok(None) => break,
                Ok(Some(frame)) => {
                    take_frame(&mut summary, &frame)?;
                    self.synced = frame.synced;
                }
                Err(LogError::Damaged { segment, offset: at, what }) if is_last => {
                    if at != offset || reader.was_synced(offset)? {
                        return Err(damaged(segment, at, what));
                    }
                    let bytes = reader.limit() - offset;
                    self.torn = Some(Torn { segment, offset, bytes });
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        summary.len = self.torn.map_or(reader.offset(), |torn| torn.offset);
        if !is_last {
            self.remade.push(summary.clone());
        }
        Ok(summary)
    }

    /// Writes the last group of frames once more and waits for the disk.
    ///
    /// They were found, but whether they reached the disk is unknown: after a failed sync the
    /// operating system may keep them in memory as if they had. Everything that follows them
    /// would be lost with them.
    pub(crate) fn secure(&self, folder: &Path) -> Result<(), LogError> {
        let path = segment_file(folder, self.end.segment);
        if !path.is_file() || self.end.offset <= self.synced {
            return Ok(());
        }
        let secure = || {
            let mut file = File::options().read(true).write(true).open(&path)?;
            let mut bytes = vec![0; (self.end.offset - self.synced) as usize];
            file.seek(SeekFrom::Start(self.synced))?;
            file.read_exact(&mut bytes)?;
            file.seek(SeekFrom::Start(self.synced))?;
            file.write_all(&bytes)?;
            file.sync_all()
        };
        secure().map_err(|error| io_error("sync", &path, &error))
    }

    fn take_spans(&mut self, summary: &Summary) -> Result<(), LogError> {
        for (stream, span) in &summary.spans {
            let head = self.heads.entry(*stream).or_insert(Head::EMPTY);
            if *head != span.before {
                let what = format!(
                    "stream {stream} goes on after record {}, but the segments before end at {}",
                    span.before.seq, head.seq
                );
                return Err(damaged(summary.segment, 0, what));
            }
            *head = span.last;
        }
        Ok(())
    }
}

fn take_frame(summary: &mut Summary, frame: &Frame<'_>) -> Result<(), LogError> {
    let wanted = summary.frames_before + summary.frames + 1;
    if frame.number != wanted {
        let what = format!("frame {} stands where {wanted} belongs", frame.number);
        return Err(damaged(frame.segment, frame.offset, what));
    }
    summary.take(frame)
}

/// The number of segments, which are numbered from 1 without gaps.
fn count_segments(folder: &Path) -> Result<u64, LogError> {
    let names = fs::read_dir(folder).map_err(|error| io_error("list", folder, &error))?;
    let mut numbers = Vec::new();
    for name in names {
        let path = name.map_err(|error| io_error("list", folder, &error))?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if path.extension().is_some_and(|extension| extension == "seg")
            && let Some(number) = stem.and_then(|stem| stem.parse::<u64>().ok())
        {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    for (wanted, number) in (1..).zip(&numbers) {
        if *number != wanted {
            return Err(damaged(wanted, 0, "the file is missing".to_string()));
        }
    }
    Ok(numbers.len() as u64)
}

fn file_len(folder: &Path, segment: u64) -> Result<u64, LogError> {
    let path = segment_file(folder, segment);
    let data = fs::metadata(&path).map_err(|error| io_error("read", &path, &error))?;
    Ok(data.len())
}

/// A segment's header is synced before its first frame is written. So a header that doesn't hold,
/// with nothing behind it, is a segment that was just being begun.
fn unfinished_header(folder: &Path, segment: u64) -> Result<bool, LogError> {
    let path = segment_file(folder, segment);
    let len = file_len(folder, segment)?;
    if len > SEGMENT_HEADER as u64 {
        return Ok(false);
    }
    let bytes = fs::read(&path).map_err(|error| io_error("read", &path, &error))?;
    let zeros = bytes.iter().all(|byte| *byte == 0);
    Ok(len < SEGMENT_HEADER as u64 || zeros)
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

fn begin_segment(
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
    resume().map_err(|error| io_error("open", &path, &error))
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

/// Hands a frame's records to the visitor.
pub(crate) fn visit_frame(
    frame: &Frame<'_>,
    visit: &mut Visit<'_>,
) -> Result<ControlFlow<()>, LogError> {
    let bad = |what: String| damaged(frame.segment, frame.offset, what);
    for raw in frame.body.records() {
        let (hash, bytes) = raw.ok_or_else(|| bad("a record is cut off".to_string()))?;
        let record = Record::read_own(hash, bytes).map_err(|error| bad(error.to_string()))?;
        if visit(record).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

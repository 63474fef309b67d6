//! Reading the journal at opening: how far it reaches, what was interrupted, what is damaged.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::durable::io_error;
use super::files::read_plain;
use super::frame::Frame;
use super::identity::{Identity, Kind};
use super::segment::{Position, SEGMENT_HEADER, SegmentReader, damaged, segment_file};
use super::summary::Summary;
use super::{Head, LogError};
use scrutineer_engine::record::StreamId;

/// What the journal holds, as found at opening. Nothing was changed yet.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub heads: HashMap<StreamId, Head>,
    pub end: Position,
    /// Where the last write began: what stands before it was synced.
    pub synced: u64,
    /// Bytes behind the last whole frame, from a write that was interrupted.
    pub torn: Option<Torn>,
    /// Whether it is the journal of a copy.
    is_copy: bool,
    /// The last segment so far.
    pub last: Summary,
    /// Summaries that were missing or wrong.
    pub remade: Vec<Summary>,
}

/// An unacknowledged rest at the journal's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Torn {
    pub segment: u64,
    pub offset: u64,
    pub bytes: u64,
}

/// Reads the journal of a store or a copy without changing anything.
pub(crate) fn recover(folder: &Path, identity: Identity) -> Result<Recovered, LogError> {
    let Identity { kind, id: store } = identity;
    let segments = count_segments(folder)?;
    let mut found = Recovered { is_copy: kind == Kind::Copy, ..Recovered::nothing() };
    for segment in 1..=segments {
        found.take_segment(folder, store, segment, segment == segments)?;
    }
    Ok(found)
}

impl Recovered {
    /// What a journal holds in which nothing was written.
    pub(crate) fn nothing() -> Recovered {
        Recovered {
            heads: HashMap::new(),
            end: Position::START,
            synced: SEGMENT_HEADER as u64,
            torn: None,
            is_copy: false,
            last: Summary::new(1, 0, SEGMENT_HEADER as u64),
            remade: Vec::new(),
        }
    }

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
            return Err(reader.damaged(
                0,
                "it belongs to another store than the one that the file FORMAT names".to_string(),
            ));
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
                    let is_written = reader.was_synced(offset)?
                        && !(self.is_copy && reader.lacks_sectors(offset)?);
                    if at != offset || is_written {
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
        if self.end.offset <= self.synced {
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
pub(crate) fn count_segments(folder: &Path) -> Result<u64, LogError> {
    let numbers = segment_numbers(folder)?;
    for (wanted, number) in (1..).zip(&numbers) {
        if *number != wanted {
            return Err(damaged(wanted, 0, "the file is missing".to_string()));
        }
    }
    Ok(numbers.len() as u64)
}

/// The numbers of the segments that are there, in order.
pub(crate) fn segment_numbers(folder: &Path) -> Result<Vec<u64>, LogError> {
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
    Ok(numbers)
}

pub(crate) fn file_len(folder: &Path, segment: u64) -> Result<u64, LogError> {
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
    let bytes = read_plain(&path, SEGMENT_HEADER as u64)
        .map_err(|error| io_error("read", &path, &error))?;
    let zeros = bytes.iter().all(|byte| *byte == 0);
    Ok(len < SEGMENT_HEADER as u64 || zeros)
}

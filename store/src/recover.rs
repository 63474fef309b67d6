//! Reading the journal at opening: how far it reaches, what was interrupted, what is damaged.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::LogError;
use crc32fast::Hasher;

use super::durable::io_error;
use super::files::{open_plain, read_plain};
use super::frame::Frame;
use super::heads::{Heads, HeadsFile, Slot, crc_of};
use super::identity::{Identity, Kind};
use super::segment::{
    Position, SEGMENT_HEADER, SegmentHeader, SegmentReader, count_segments, damaged, file_len,
    segment_file,
};
use super::summary::{Summary, seems_whole};

/// What the journal holds, as found at opening. Nothing was changed yet.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub heads: Heads,
    pub end: Position,
    /// Whether all is as the last orderly closing left it.
    pub as_closed: bool,
    /// The CRC of the last segment up to the end.
    pub crc: Hasher,
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

/// Reads the journal of a store or a copy, in this folder, without changing anything.
pub(crate) fn recover(root: &Path, identity: Identity) -> Result<Recovered, LogError> {
    let Identity { kind, id: store } = identity;
    let folder = &root.join("journal");
    let segments = count_segments(folder)?;
    if kind == Kind::Store
        && !root.join("open").exists()
        && let Some(kept) = HeadsFile::open(root).filter(|kept| kept.store == store)
        && kept.end.segment == segments
        && let Ok(Some(found)) = as_closed(folder, kept)
    {
        return Ok(found);
    }
    let mut found = Recovered { is_copy: kind == Kind::Copy, ..Recovered::nothing() };
    for segment in 1..=segments {
        found.take_segment(folder, store, segment, segment == segments)?;
    }
    if found.torn.is_none_or(|torn| torn.offset > 0) && segments > 0 {
        found.crc = segment_crc(folder, found.end)?;
    }
    Ok(found)
}

/// What the file of heads says, where the journal is as it was when that was written: the headers of
/// all segments and of their summaries, and every byte of the last segment.
fn as_closed(folder: &Path, kept: HeadsFile) -> Result<Option<Recovered>, LogError> {
    let end = kept.end;
    let mut before = (0, 0);
    for segment in 1..=end.segment {
        let reader = SegmentReader::open(folder, segment)?;
        let (len, earlier) = before;
        let SegmentHeader { store, previous_len, frames_before, .. } = reader.header;
        let frames = frames_before.saturating_sub(earlier);
        let is_next =
            store == kept.store && previous_len == len && earlier + frames == frames_before;
        let has_summary = segment == 1 || seems_whole(folder, segment - 1, [len, earlier, frames]);
        if !is_next || !has_summary {
            return Ok(None);
        }
        before = (reader.limit(), frames_before);
    }
    let crc = segment_crc(folder, end)?;
    if before.0 != end.offset || crc.clone().finalize() != kept.crc {
        return Ok(None);
    }
    let last = Summary::load(folder, end.segment, end.offset);
    Ok(last.filter(|last| last.frames_before + last.frames == end.frames).map(|last| Recovered {
        end,
        as_closed: true,
        crc,
        synced: end.offset,
        last,
        heads: Heads::in_file(kept),
        ..Recovered::nothing()
    }))
}

/// The CRC of the last segment up to the end.
pub(crate) fn segment_crc(folder: &Path, end: Position) -> Result<Hasher, LogError> {
    let path = segment_file(folder, end.segment);
    let crc = open_plain(&path).and_then(|mut file| crc_of(&mut file, end.offset));
    crc.map_err(|error| io_error("read", &path, &error))
}

impl Recovered {
    /// What a journal holds in which nothing was written.
    pub(crate) fn nothing() -> Recovered {
        Recovered {
            heads: Heads::default(),
            end: Position::START,
            as_closed: false,
            crc: Hasher::new(),
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
        let mut summary = Summary::new(segment, frames_before, SEGMENT_HEADER as u64);
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
            let found = self.heads.slot(*stream)?;
            if found.head != span.before {
                let what = format!(
                    "stream {stream} goes on after record {}, but the segments before end at {}",
                    span.before.seq, found.head.seq
                );
                return Err(damaged(summary.segment, 0, what));
            }
            let last_segment = summary.segment;
            let first_segment = match found.head.seq {
                0 => last_segment,
                _ => found.first_segment,
            };
            let (head, frames) = (span.last, summary.frames_before + summary.frames);
            self.heads.insert(*stream, Slot { head, frames, first_segment, last_segment });
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

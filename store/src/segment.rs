//! Reading the journal's files: segments of frames, numbered from 1.
//!
//! ```text
//!  0  "SCRUJRNL"             40  frames before this segment u64
//!  8  version u32 (1)        48  length of the segment before u64
//! 12  zero u32               56  zero u32
//! 16  store id, 16 bytes     60  crc32c of bytes 0 to 59
//! 32  segment number u64     64  frames
//! ```

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::LogError;
use super::durable::io_error;
use super::frame::{Body, FRAME_HEADER, FRAME_MAGIC, Frame, FrameHead, RawRecords};
use scrutineer_engine::record::{Record, RecordHash};

/// Bytes before a segment's first frame.
pub(crate) const SEGMENT_HEADER: usize = 64;

const MAGIC: [u8; 8] = *b"SCRUJRNL";
const VERSION: u32 = 1;

/// What a disk writes at once or not at all, in bytes.
const SECTOR: u64 = 512;

/// How much is read at once.
const WINDOW: u64 = 1024 * 1024;

/// A place between two frames of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub segment: u64,
    pub offset: u64,
    /// Frames before this place, in all segments.
    pub frames: u64,
}

impl Position {
    pub(crate) const START: Position =
        Position { segment: 1, offset: SEGMENT_HEADER as u64, frames: 0 };

    /// At least so many bytes of frames lie from here to `later`, when every segment in between
    /// has `sealed_at` bytes or more.
    pub(crate) fn bytes_to(&self, later: &Position, sealed_at: u64) -> u64 {
        let segments = later.segment.saturating_sub(self.segment);
        (segments.saturating_mul(sealed_at).saturating_add(later.offset))
            .saturating_sub(self.offset)
    }
}

/// What a segment says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub store: [u8; 16],
    pub number: u64,
    pub frames_before: u64,
    pub previous_len: u64,
}

impl SegmentHeader {
    pub(crate) fn encode(&self) -> [u8; SEGMENT_HEADER] {
        let mut bytes = [0; SEGMENT_HEADER];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..32].copy_from_slice(&self.store);
        bytes[32..40].copy_from_slice(&self.number.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.frames_before.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.previous_len.to_le_bytes());
        let crc = crc32c::crc32c(&bytes[..60]);
        bytes[60..64].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<SegmentHeader, String> {
        let Some(bytes) = bytes.first_chunk::<SEGMENT_HEADER>() else {
            return Err("its header is cut off".to_string());
        };
        if bytes[60..64] != crc32c::crc32c(&bytes[..60]).to_le_bytes() || bytes[0..8] != MAGIC {
            return Err("its header's checksum does not hold".to_string());
        }
        let number = |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap_or(&[0; 8]));
        let version = number(8) as u32;
        if version != VERSION {
            return Err(format!("it has format {version}, written by a newer version"));
        }
        let mut store = [0; 16];
        store.copy_from_slice(&bytes[16..32]);
        Ok(SegmentHeader {
            store,
            number: number(32),
            frames_before: number(40),
            previous_len: number(48),
        })
    }
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
    let names = std::fs::read_dir(folder).map_err(|error| io_error("list", folder, &error))?;
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
    let data = std::fs::metadata(&path).map_err(|error| io_error("read", &path, &error))?;
    Ok(data.len())
}

/// The file of a segment.
pub(crate) fn segment_file(folder: &Path, segment: u64) -> PathBuf {
    folder.join(format!("{segment:08}.seg"))
}

/// A frame that was checked: where it begins and what its header says.
#[derive(Clone, Copy, Debug)]
struct Step {
    offset: u64,
    head: FrameHead,
}

/// Reads one segment frame by frame, never past its limit.
#[derive(Debug)]
pub(crate) struct SegmentReader {
    file: File,
    path: PathBuf,
    pub header: SegmentHeader,
    number: u64,
    offset: u64,
    limit: u64,
    window: Vec<u8>,
    window_at: u64,
}

impl SegmentReader {
    /// Opens a segment at its first frame, limited to the length it has now.
    pub(crate) fn open(folder: &Path, number: u64) -> Result<SegmentReader, LogError> {
        let mut reader = SegmentReader::open_unchecked(folder, number)?;
        let limit = reader.limit;
        // Not a whole window: whoever reads a few frames in the middle needs no more.
        reader.limit = limit.min(SEGMENT_HEADER as u64);
        let header = SegmentHeader::decode(reader.bytes(0, reader.limit)?);
        reader.header = header.map_err(|what| reader.damaged(0, what))?;
        reader.limit = limit;
        if reader.header.number != number {
            let what = format!("it is segment {} under another name", reader.header.number);
            return Err(reader.damaged(0, what));
        }
        Ok(reader)
    }

    /// As [`SegmentReader::open`], whatever its header is.
    pub(crate) fn open_unchecked(folder: &Path, number: u64) -> Result<SegmentReader, LogError> {
        let path = segment_file(folder, number);
        let file = File::open(&path).map_err(|error| io_error("open", &path, &error))?;
        let limit = file.metadata().map_err(|error| io_error("read", &path, &error))?.len();
        let store = [0; 16];
        let header = SegmentHeader { store, number, frames_before: 0, previous_len: 0 };
        let (window, window_at, offset) = (Vec::new(), 0, SEGMENT_HEADER as u64);
        Ok(SegmentReader { file, path, header, number, offset, limit, window, window_at })
    }

    /// The bytes the segment has, or may be read up to.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Where the next frame begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes on at a frame, and stops at `limit`.
    pub(crate) fn go_to(&mut self, offset: u64, limit: u64) {
        self.offset = offset;
        self.limit = limit;
    }

    fn file_len(&self) -> Result<u64, LogError> {
        let data = self.file.metadata();
        Ok(data.map_err(|error| io_error("read", &self.path, &error))?.len())
    }

    /// The next frame, `None` at the limit. Damage is an error, also an incomplete frame.
    pub(crate) fn next(&mut self) -> Result<Option<Frame<'_>>, LogError> {
        match self.step()? {
            Some(step) => self.view(&step).map(Some),
            None => Ok(None),
        }
    }

    /// Checks the next frame and moves behind it.
    fn step(&mut self) -> Result<Option<Step>, LogError> {
        if self.offset >= self.limit {
            return Ok(None);
        }
        let offset = self.offset;
        let head = self.head(offset)?;
        if let Err(what) = self.body(offset, &head)? {
            return Err(self.damaged(offset, what.to_string()));
        }
        self.offset = offset + FRAME_HEADER as u64 + u64::from(head.body_len);
        Ok(Some(Step { offset, head }))
    }

    /// The frame of the last step, whose body is still in the window.
    fn view(&self, step: &Step) -> Result<Frame<'_>, LogError> {
        let from = (step.offset + FRAME_HEADER as u64).saturating_sub(self.window_at) as usize;
        let bytes = self.window.get(from..from + step.head.body_len as usize);
        let (segment, offset) = (self.number, step.offset);
        let FrameHead { number, synced, .. } = step.head;
        match bytes.and_then(Body::parse) {
            Some(body) => {
                let len = FRAME_HEADER as u64 + u64::from(step.head.body_len);
                Ok(Frame { segment, offset, number, synced, len, body })
            }
            None => Err(self.damaged(offset, "a frame without records".to_string())),
        }
    }

    fn head(&mut self, offset: u64) -> Result<FrameHead, LogError> {
        let segment = self.number;
        if self.limit - offset < FRAME_HEADER as u64 {
            return Err(self.damaged(offset, "a frame is cut off".to_string()));
        }
        let head = FrameHead::decode(self.bytes(offset, FRAME_HEADER as u64)?, segment, offset);
        head.ok_or_else(|| self.damaged(offset, "a frame's header does not hold".to_string()))
    }

    /// Whether the body is there and its checksum holds.
    fn body(
        &mut self,
        offset: u64,
        head: &FrameHead,
    ) -> Result<Result<(), &'static str>, LogError> {
        let at = offset + FRAME_HEADER as u64;
        if !head.fits(self.limit - at) {
            return Ok(Err("a frame is cut off"));
        }
        if crc32c::crc32c(self.bytes(at, u64::from(head.body_len))?) != head.body_crc {
            return Ok(Err("a frame's checksum does not hold"));
        }
        Ok(Ok(()))
    }

    /// Whether a whole frame stands behind `offset` that was written after `offset` was synced.
    ///
    /// Such a frame shows that what is damaged at `offset` had been acknowledged.
    pub(crate) fn was_synced(&mut self, offset: u64) -> Result<bool, LogError> {
        Ok(self.find(offset, |head| head.synced > offset)?.is_some())
    }

    /// Whether the damaged frame at `offset`, near the end and with a whole one behind it, lacks
    /// whole sectors, which read as zeros: what an interrupted write leaves, and a changed byte does
    /// not.
    ///
    /// In a copy this counts more than the frame behind it: its frames say what was durable in the
    /// store that they were copied from.
    pub(crate) fn lacks_sectors(&mut self, offset: u64) -> Result<bool, LogError> {
        // A copy that is shorter than the store ends before that place.
        let left = self.limit.checked_sub(offset);
        if left.is_none_or(|left| left > WINDOW) {
            return Ok(false);
        }
        let Some(next) = self.find_frame(offset)? else { return Ok(false) };
        // A sector that it shares with the whole frame behind it was written.
        let end = next / SECTOR * SECTOR;
        let bytes = self.bytes(offset, end.saturating_sub(offset))?;
        let first = (SECTOR - offset % SECTOR) as usize;
        let (first, others) = bytes.split_at(first.min(bytes.len()));
        let is_lost = |sector: &[u8]| !sector.is_empty() && sector.iter().all(|byte| *byte == 0);
        Ok(is_lost(first) || others.chunks(SECTOR as usize).any(is_lost))
    }

    /// The first whole frame that begins at `from` or behind.
    pub(crate) fn find_frame(&mut self, from: u64) -> Result<Option<u64>, LogError> {
        self.find(from, |_| true)
    }

    fn find(
        &mut self,
        from: u64,
        wanted: impl Fn(&FrameHead) -> bool,
    ) -> Result<Option<u64>, LogError> {
        let mut at = from;
        while at + FRAME_HEADER as u64 <= self.limit {
            let len = WINDOW.min(self.limit - at);
            let found = find(self.bytes(at, len)?, FRAME_MAGIC);
            let Some(found) = found else {
                // The magic may lie across the edge.
                at += len - 3;
                continue;
            };
            let candidate = at + found as u64;
            if let Some(head) = self.whole_at(candidate)?
                && wanted(&head)
            {
                return Ok(Some(candidate));
            }
            at = candidate + 1;
        }
        Ok(None)
    }

    /// The header of the frame that begins there, if it is whole.
    pub(crate) fn whole_at(&mut self, candidate: u64) -> Result<Option<FrameHead>, LogError> {
        if candidate + FRAME_HEADER as u64 > self.limit {
            return Ok(None);
        }
        let segment = self.number;
        let bytes = self.bytes(candidate, FRAME_HEADER as u64)?;
        let Some(head) = FrameHead::decode(bytes, segment, candidate) else {
            return Ok(None);
        };
        Ok(self.body(candidate, &head)?.is_ok().then_some(head))
    }

    /// The body of a frame whose checksums may not hold, as far as it can be made out.
    pub(crate) fn damaged_body(&mut self, offset: u64) -> Option<Body<'_>> {
        let at = offset.checked_add(FRAME_HEADER as u64)?;
        let len = self.limit.checked_sub(at)?.min(WINDOW);
        Body::parse(self.bytes(at, len).ok()?)
    }

    /// The hash and the bytes of the record that begins there, in a frame that ends at `end` and was
    /// read last; `None` where it leads out of it.
    pub(crate) fn raw_record(
        &mut self,
        at: u64,
        end: u64,
    ) -> Result<Option<(RecordHash, &[u8])>, LogError> {
        Ok(RawRecords { rest: self.bytes(at, end - at)? }.next().flatten())
    }

    /// The next frame as it stands in the file, and its number.
    pub(crate) fn next_raw(&mut self) -> Result<Option<(u64, &[u8])>, LogError> {
        let Some(step) = self.step()? else { return Ok(None) };
        let len = FRAME_HEADER as u64 + u64::from(step.head.body_len);
        Ok(Some((step.head.number, self.bytes(step.offset, len)?)))
    }

    /// `len` bytes at `at`; the caller has checked that they lie before the limit.
    fn bytes(&mut self, at: u64, len: u64) -> Result<&[u8], LogError> {
        let end = self.window_at + self.window.len() as u64;
        if at < self.window_at || at + len > end {
            let wanted = len.max(WINDOW.min(self.limit.saturating_sub(at)));
            self.window.resize(wanted as usize, 0);
            self.window_at = at;
            let read = self.file.seek(SeekFrom::Start(at));
            let read = read.and_then(|_| self.file.read_exact(&mut self.window));
            if let Err(error) = read {
                self.window.clear();
                return Err(io_error("read", &self.path, &error));
            }
        }
        let from = (at - self.window_at) as usize;
        Ok(&self.window[from..from + len as usize])
    }

    pub(crate) fn damaged(&self, offset: u64, what: String) -> LogError {
        damaged(self.number, offset, what)
    }
}

pub(crate) fn damaged(segment: u64, offset: u64, what: String) -> LogError {
    LogError::Damaged { segment, offset, what }
}

fn find(bytes: &[u8], magic: [u8; 4]) -> Option<usize> {
    bytes.windows(4).position(|window| window == magic)
}

/// Reads the journal across its segments, from one place to another.
#[derive(Debug)]
pub(crate) struct JournalReader {
    folder: PathBuf,
    reader: Option<SegmentReader>,
    at: Position,
    end: Position,
    records: RecordsOfFrame,
}

/// The records of a frame that are still to be read: where it begins, its next record, and its end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecordsOfFrame {
    pub offset: u64,
    next: u64,
    end: u64,
}

impl RecordsOfFrame {
    /// All records of a frame.
    pub(crate) fn of(frame: &Frame<'_>) -> RecordsOfFrame {
        let next = frame.offset + FRAME_HEADER as u64 + frame.body.records_at();
        RecordsOfFrame { offset: frame.offset, next, end: frame.offset + frame.len }
    }

    /// Whether the frame has been read to its end.
    pub(crate) fn is_over(&self) -> bool {
        self.next >= self.end
    }

    /// The next record, its hash taken from its bytes: one kept beside them is only compared, since
    /// whoever changes bytes can make every checksum right.
    pub(crate) fn read(&mut self, reader: &mut SegmentReader) -> Result<Record, LogError> {
        let (segment, offset) = (reader.header.number, self.offset);
        let bad = |what: String| damaged(segment, offset, what);
        let raw = reader.raw_record(self.next, self.end)?;
        let (hash, bytes) = raw.ok_or_else(|| bad("a record is cut off".to_string()))?;
        let record = Record::read_with_hash(hash, bytes).map_err(|error| bad(error.to_string()))?;
        self.next += 32 + record.bytes().len() as u64;
        Ok(record)
    }
}

impl JournalReader {
    pub(crate) fn new(folder: &Path, from: Position, end: Position) -> JournalReader {
        let records = RecordsOfFrame::default();
        JournalReader { folder: folder.to_path_buf(), reader: None, at: from, end, records }
    }

    /// Where the next frame begins.
    pub(crate) fn at(&self) -> Position {
        self.at
    }

    /// Moves the end on: the journal has grown.
    pub(crate) fn set_end(&mut self, end: Position) {
        self.end = end;
    }

    /// Goes on with the segment after the current one.
    pub(crate) fn skip_segment(&mut self, frames: u64) {
        self.at.segment += 1;
        self.at.offset = SEGMENT_HEADER as u64;
        self.at.frames += frames;
        self.reader = None;
    }

    /// The next frame, `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Frame<'_>>, LogError> {
        if self.at.frames >= self.end.frames {
            return Ok(None);
        }
        self.settle()?;
        // `at_segment_end` has just opened it.
        let Some(reader) = &mut self.reader else {
            return Ok(None);
        };
        let Some(step) = reader.step()? else {
            return Ok(None);
        };
        let (found, wanted) = (step.head.number, self.at.frames + 1);
        if found != wanted {
            let what = format!("frame {found} stands where {wanted} belongs");
            return Err(reader.damaged(step.offset, what));
        }
        self.at.offset = reader.offset;
        self.at.frames = wanted;
        reader.view(&step).map(Some)
    }

    /// The next record, `None` at the end.
    pub(crate) fn next_record(&mut self) -> Result<Option<Record>, LogError> {
        while self.records.is_over() {
            let Some(frame) = self.next()? else { return Ok(None) };
            self.records = RecordsOfFrame::of(&frame);
        }
        // The frame was read from it.
        self.reader.as_mut().map(|reader| self.records.read(reader)).transpose()
    }

    /// Moves from the end of a segment to the beginning of the next.
    pub(crate) fn settle(&mut self) -> Result<(), LogError> {
        while self.at.frames < self.end.frames && self.at_segment_end()? {
            self.skip_segment(0);
        }
        Ok(())
    }

    /// Opens the segment at hand and says whether all of it was read.
    fn at_segment_end(&mut self) -> Result<bool, LogError> {
        if self.at.segment > self.end.segment {
            let what = "the journal ends before its last frame".to_string();
            return Err(damaged(self.end.segment, self.end.offset, what));
        }
        if self.reader.is_none() {
            let mut reader = SegmentReader::open(&self.folder, self.at.segment)?;
            reader.offset = self.at.offset;
            self.reader = Some(reader);
        }
        let Some(reader) = &mut self.reader else {
            return Ok(true);
        };
        if self.at.segment == self.end.segment {
            reader.limit = self.end.offset;
        } else if reader.offset >= reader.limit {
            // It may have grown and been sealed since it was opened.
            reader.limit = reader.file_len()?;
        }
        Ok(reader.offset >= reader.limit)
    }
}

#[cfg(test)]
mod tests;

//! A sealed segment in short, so that opening a store reads only its last segment.
//!
//! ```text
//!  0  "SCRUJSUM"                   48  records u64
//!  8  version u32 (1)              56  streams u64
//! 12  zero u32                     64  each, by stream: stream 16 bytes, first seq u64,
//! 16  segment number u64               hash before it 32 bytes, last seq u64, its hash 32 bytes
//! 24  segment length u64          end  crc32c of all before u32
//! 32  frames before it u64
//! 40  frames u64
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use super::files::read_plain;
use super::frame::Frame;
use super::segment::damaged;
use super::{Head, LogError};
use scrutineer_engine::record::{Chain, Record, RecordHash, StreamId};

const MAGIC: [u8; 8] = *b"SCRUJSUM";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const SPAN: usize = 96;
/// The longest summary that is read, in bytes: a longer one is made again.
const LONGEST: u64 = 1 << 30;

/// What a segment holds of one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub before: Head,
    pub last: Head,
}

/// What a segment holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub segment: u64,
    pub len: u64,
    pub frames_before: u64,
    pub frames: u64,
    pub records: u64,
    pub spans: BTreeMap<StreamId, Span>,
}

impl Summary {
    pub(crate) fn new(segment: u64, frames_before: u64, len: u64) -> Summary {
        Summary { segment, len, frames_before, ..Summary::default() }
    }

    /// Counts a command that was appended after the head it was checked against.
    pub(crate) fn count(&mut self, stream: StreamId, before: Head, last: Head) {
        self.frames += 1;
        self.records += last.seq - before.seq;
        match self.spans.entry(stream) {
            Entry::Occupied(mut span) => span.get_mut().last = last,
            Entry::Vacant(none) => {
                none.insert(Span { before, last });
            }
        }
    }

    /// Reads a frame's records, checks that they follow, and counts them.
    pub(crate) fn take(&mut self, frame: &Frame<'_>) -> Result<(), LogError> {
        let bad = |what: String| damaged(frame.segment, frame.offset, what);
        let first = frame.body.first().ok_or_else(|| bad("not a record".to_string()))?;
        let stream = first.stream;
        let before = match self.spans.get(&stream) {
            Some(span) => span.last,
            None => Head { seq: first.seq.saturating_sub(1), hash: first.previous },
        };
        let mut chain = Chain::after(stream, before.seq, before.hash);
        let mut count = 0;
        for raw in frame.body.records() {
            let (hash, bytes) = raw.ok_or_else(|| bad("a record is cut off".to_string()))?;
            let record = Record::read_own(hash, bytes).map_err(|error| bad(error.to_string()))?;
            chain.follows(&record).map_err(|fault| bad(fault.to_string()))?;
            count += 1;
        }
        if count != first.parts || count != frame.body.count || !chain.is_complete() {
            return Err(bad("a command is not complete".to_string()));
        }
        let (seq, hash) = chain.last();
        self.count(stream, before, Head { seq, hash });
        Ok(())
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + SPAN * self.spans.len() + 4);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&u64::from(VERSION).to_le_bytes());
        let streams = self.spans.len() as u64;
        let numbers =
            [self.segment, self.len, self.frames_before, self.frames, self.records, streams];
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for (stream, span) in &self.spans {
            bytes.extend_from_slice(&stream.0);
            for head in [&span.before, &span.last] {
                bytes.extend_from_slice(&head.seq.to_le_bytes());
                bytes.extend_from_slice(&head.hash.0);
            }
        }
        let crc = crc32c::crc32c(&bytes);
        bytes.extend_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// `None` for anything but a whole, undamaged summary.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Summary> {
        let (bytes, crc) = bytes.split_last_chunk::<4>()?;
        if crc32c::crc32c(bytes).to_le_bytes() != *crc {
            return None;
        }
        let (header, mut rest) = bytes.split_first_chunk::<HEADER>()?;
        let number = |at: usize| -> Option<u64> {
            Some(u64::from_le_bytes(*header.get(at..)?.first_chunk()?))
        };
        if header[0..8] != MAGIC || number(8)? != u64::from(VERSION) {
            return None;
        }
        if number(56)?.checked_mul(SPAN as u64)? != rest.len() as u64 {
            return None;
        }
        let mut summary = Summary::new(number(16)?, number(32)?, number(24)?);
        summary.frames = number(40)?;
        summary.records = number(48)?;
        while let Some((span, next)) = rest.split_first_chunk::<SPAN>() {
            let stream = StreamId(*span.first_chunk()?);
            let (before, last) = (read_head(&span[16..])?, read_head(&span[56..])?);
            summary.spans.insert(stream, Span { before, last });
            rest = next;
        }
        Some(summary)
    }

    /// A segment's summary file, if it is there, whole, and about the segment as it is.
    pub(crate) fn load(folder: &Path, segment: u64, len: u64) -> Option<Summary> {
        let bytes = read_plain(&summary_file(folder, segment), LONGEST).ok()?;
        let summary = Summary::decode(&bytes)?;
        (summary.segment == segment && summary.len == len).then_some(summary)
    }

    /// Writes the file. It can always be made again, so it isn't synced.
    pub(crate) fn save(&self, folder: &Path) -> std::io::Result<()> {
        let file = summary_file(folder, self.segment);
        let next = file.with_extension("new");
        fs::write(&next, self.encode())?;
        fs::rename(next, file)
    }
}

fn read_head(bytes: &[u8]) -> Option<Head> {
    let (seq, rest) = bytes.split_first_chunk::<8>()?;
    let hash = RecordHash(*rest.first_chunk()?);
    Some(Head { seq: u64::from_le_bytes(*seq), hash })
}

/// The file of a segment's summary.
pub(crate) fn summary_file(folder: &Path, segment: u64) -> PathBuf {
    folder.join(format!("{segment:08}.sum"))
}

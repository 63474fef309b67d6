//! A segment in short: what it holds of each stream, and where. So opening a store reads no sealed
//! segment, and a stream is read from where it stands.
//!
//! ```text
//!  0  "SCRUJSUM"                   48  records u64
//!  8  version u32 (2)              56  streams u64
//! 12  zero u32                     64  runs u64
//! 16  segment number u64           72  each, by stream: stream 16 bytes, seq before u64, hash before
//! 24  segment length u64               32 bytes, last seq u64, its hash 32 bytes, runs before u64
//! 32  frames before it u64             each run: offset u64, its first seq u64, length u32
//! 40  frames u64                  end  crc32c of all before u32
//! ```
//!
//! A run is frames of one stream that stand behind each other.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::files::{open_plain, read_plain};
use super::frame::Frame;
use super::segment::damaged;
use super::{Head, LogError};
use scrutineer_engine::record::{Chain, Record, RecordHash, StreamId};

const MAGIC: [u8; 8] = *b"SCRUJSUM";
const VERSION: u32 = 2;
const HEADER: usize = 72;
const SPAN: usize = 104;
const RUN: usize = 20;
/// A run that has so many bytes is not made longer: whoever wants a stream's last records reads no
/// more than that before them.
const RUN_BYTES: u32 = 64 * 1024;
/// The longest summary that is read, in bytes: a longer one is made again.
const LONGEST: u64 = 1 << 30;

/// Frames of one stream that stand behind each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    // Segments have 64 MiB each, and a frame at most 512.
    pub segment: u32,
    pub len: u32,
    pub offset: u64,
    /// The place of its first record.
    pub seq: u64,
}

/// What a segment holds of one stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub before: Head,
    pub last: Head,
    pub runs: Vec<Run>,
}

impl Span {
    fn add(&mut self, run: Run) {
        if let Some(last) = self.runs.last_mut()
            && last.offset + u64::from(last.len) == run.offset
            && last.len < RUN_BYTES
            && let Some(len) = last.len.checked_add(run.len)
        {
            last.len = len;
            return;
        }
        self.runs.push(run);
    }
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

    /// Counts a command of so many bytes, appended behind the segment's end and after the head it
    /// was checked against.
    pub(crate) fn count(&mut self, stream: StreamId, before: Head, last: Head, len: u64) {
        let segment = self.segment as u32;
        let run = Run { segment, len: len as u32, offset: self.len, seq: before.seq + 1 };
        self.len += len;
        self.frames += 1;
        self.records += last.seq.saturating_sub(before.seq);
        match self.spans.entry(stream) {
            Entry::Occupied(mut span) => {
                span.get_mut().last = last;
                span.get_mut().add(run);
            }
            Entry::Vacant(none) => {
                none.insert(Span { before, last, runs: vec![run] });
            }
        }
    }

    /// Counts a frame as it stands there: of its records only the hashes kept beside them are read.
    pub(crate) fn note(&mut self, frame: &Frame<'_>) -> Result<(), LogError> {
        let bad = |what: &str| damaged(frame.segment, frame.offset, what.to_string());
        let first = frame.body.first().ok_or_else(|| bad("not a record"))?;
        let last = frame.body.records().last().flatten();
        let (hash, _) = last.ok_or_else(|| bad("a record is cut off"))?;
        let before = Head { seq: first.seq.saturating_sub(1), hash: first.previous };
        let seq = before.seq.saturating_add(u64::from(frame.body.count));
        self.len = frame.offset;
        self.count(first.stream, before, Head { seq, hash }, frame.len);
        Ok(())
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
        self.count(stream, before, Head { seq, hash }, frame.len);
        Ok(())
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let runs = self.spans.values().map(|span| span.runs.len()).sum::<usize>();
        let mut bytes = Vec::with_capacity(HEADER + SPAN * self.spans.len() + RUN * runs + 4);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&u64::from(VERSION).to_le_bytes());
        let (streams, runs) = (self.spans.len() as u64, runs as u64);
        let Summary { segment, len, frames_before, frames, records, .. } = self;
        for number in [*segment, *len, *frames_before, *frames, *records, streams, runs] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let mut runs_before = 0_u64;
        for (stream, span) in &self.spans {
            bytes.extend_from_slice(&stream.0);
            for head in [&span.before, &span.last] {
                bytes.extend_from_slice(&head.seq.to_le_bytes());
                bytes.extend_from_slice(&head.hash.0);
            }
            bytes.extend_from_slice(&runs_before.to_le_bytes());
            runs_before += span.runs.len() as u64;
        }
        for run in self.spans.values().flat_map(|span| &span.runs) {
            bytes.extend_from_slice(&run.offset.to_le_bytes());
            bytes.extend_from_slice(&run.seq.to_le_bytes());
            bytes.extend_from_slice(&run.len.to_le_bytes());
        }
        let crc = crc32c::crc32c(&bytes);
        bytes.extend_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// A segment's summary file, if it is there, whole, and about the segment as it is.
    pub(crate) fn load(folder: &Path, segment: u64, len: u64) -> Option<Summary> {
        let sum = Sum::load(folder, segment, len)?;
        let mut summary = Summary::new(segment, sum.number(32)?, len);
        (summary.frames, summary.records) = (sum.number(40)?, sum.number(48)?);
        for at in 0..sum.streams {
            let (stream, span) = sum.span(at)?;
            summary.spans.insert(stream, span);
        }
        Some(summary)
    }

    /// Writes the file. It can always be made again, so it isn't synced.
    pub(crate) fn save(&self, folder: &Path) -> std::io::Result<()> {
        let file = summary_file(folder, self.segment);
        let next = file.with_extension("new");
        fs::write(&next, self.encode())?;
        fs::rename(next, file)
    }
}

/// A summary file as it stands, in which a stream is looked up.
#[derive(Debug)]
pub(crate) struct Sum {
    bytes: Vec<u8>,
    streams: usize,
}

impl Sum {
    /// If it is there, whole, and about the segment as it is.
    pub(crate) fn load(folder: &Path, segment: u64, len: u64) -> Option<Sum> {
        let sum = Sum::of(read_plain(&summary_file(folder, segment), LONGEST).ok()?)?;
        (sum.number(16)? == segment && sum.number(24)? == len).then_some(sum)
    }

    /// `None` for anything but a whole, undamaged summary.
    pub(crate) fn of(mut bytes: Vec<u8>) -> Option<Sum> {
        let (kept, crc) = bytes.split_last_chunk::<4>()?;
        if crc32c::crc32c(kept).to_le_bytes() != *crc {
            return None;
        }
        bytes.truncate(bytes.len() - 4);
        let [streams, runs] = counts(bytes.first_chunk()?)?;
        let rest = (bytes.len() - HEADER) as u64;
        let is_whole = streams.checked_mul(SPAN as u64)?.checked_add(runs.checked_mul(RUN as u64)?);
        (is_whole? == rest).then_some(Sum { bytes, streams: streams as usize })
    }

    fn number(&self, at: usize) -> Option<u64> {
        number(self.bytes.get(at..)?)
    }

    fn stream(&self, at: usize) -> Option<StreamId> {
        Some(StreamId(*self.bytes.get(HEADER + SPAN * at..)?.first_chunk()?))
    }

    fn span(&self, at: usize) -> Option<(StreamId, Span)> {
        let bytes: &[u8; SPAN] = self.bytes.get(HEADER + SPAN * at..)?.first_chunk()?;
        let (before, last) = (read_head(&bytes[16..])?, read_head(&bytes[56..])?);
        let runs = self.bytes.get(HEADER + SPAN * self.streams..)?;
        let from = number(&bytes[96..])? as usize;
        let to = match at + 1 < self.streams {
            true => self.number(HEADER + SPAN * (at + 1) + 96)? as usize,
            false => runs.len() / RUN,
        };
        let runs = runs.get(from.checked_mul(RUN)?..to.checked_mul(RUN)?)?.chunks_exact(RUN);
        let segment = self.number(16)? as u32;
        let run = |bytes: &[u8]| {
            let len = u32::from_le_bytes(*bytes[16..].first_chunk()?);
            Some(Run { segment, len, offset: number(bytes)?, seq: number(&bytes[8..])? })
        };
        let runs = runs.map(run).collect::<Option<Vec<Run>>>()?;
        Some((self.stream(at)?, Span { before, last, runs }))
    }

    /// What the segment holds of a stream; `None` where it holds nothing.
    pub(crate) fn find(&self, stream: StreamId) -> Option<Span> {
        let (mut from, mut to) = (0, self.streams);
        while from < to {
            let middle = from.midpoint(to);
            match self.stream(middle)?.cmp(&stream) {
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
                Ordering::Equal => return Some(self.span(middle)?.1),
            }
        }
        None
    }
}

/// How many streams and runs a summary has, where its header is one.
fn counts(header: &[u8; HEADER]) -> Option<[u64; 2]> {
    let is_ours = header[0..8] == MAGIC && number(&header[8..])? == u64::from(VERSION);
    Some([number(&header[56..])?, number(&header[64..])?]).filter(|_| is_ours)
}

/// Whether a segment of so many bytes, with these frames before it and in it, has a summary that
/// says so and is as long as it says: its contents are checked when they are wanted.
pub(crate) fn seems_whole(folder: &Path, segment: u64, [len, before, frames]: [u64; 3]) -> bool {
    let look = || -> Option<bool> {
        let mut file = open_plain(&summary_file(folder, segment)).ok()?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).ok()?;
        let [streams, runs] = counts(&header)?;
        let size = streams.checked_mul(SPAN as u64)?.checked_add(runs.checked_mul(RUN as u64)?)?;
        let found = [number(&header[16..])?, number(&header[24..])?, number(&header[32..])?];
        let is_long = file.metadata().ok()?.len() == size.checked_add(HEADER as u64 + 4)?;
        Some(is_long && found == [segment, len, before] && number(&header[40..])? == frames)
    };
    look().unwrap_or(false)
}

fn number(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.first_chunk()?))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(number: u8) -> StreamId {
        StreamId([number; 16])
    }

    fn head(seq: u64) -> Head {
        Head { seq, hash: RecordHash([seq as u8; 32]) }
    }

    /// Counts commands of one record each: which stream it is of, and how long it is.
    fn counted(commands: &[(u8, u64)]) -> Summary {
        let mut summary = Summary::new(3, 70, 64);
        for (number, len) in commands {
            let last = summary.spans.get(&stream(*number)).map_or(head(10), |span| span.last);
            summary.count(stream(*number), last, head(last.seq + 1), *len);
        }
        summary
    }

    /// Frames of a stream that stand behind each other are noted as one, but no longer than whoever
    /// wants the last of them would read.
    #[test]
    fn frames_behind_each_other_are_one_run() {
        let full = u64::from(RUN_BYTES);
        let summary =
            counted(&[(1, 100), (1, full - 101), (1, 1), (1, 50), (2, 20), (1, full), (1, 9)]);
        let runs = |number| {
            let runs = summary.spans[&stream(number)].runs.iter();
            runs.map(|run| (run.offset, run.seq, u64::from(run.len))).collect::<Vec<_>>()
        };
        let behind = 64 + full + 50 + 20;
        assert_eq!(
            runs(1),
            [(64, 11, full), (64 + full, 14, 50), (behind, 15, full), (behind + full, 16, 9),]
        );
        assert_eq!(runs(2), [(64 + full + 50, 11, 20)]);
        assert_eq!((summary.frames, summary.records, summary.len), (7, 7, behind + full + 9));
    }

    /// A file gives back what was written, each stream by itself and all of them.
    #[test]
    fn a_stream_is_looked_up() {
        let folder = tempfile::tempdir().unwrap();
        for streams in [0_u8, 1, 2, 3, 80] {
            let commands: Vec<(u8, u64)> = (0..streams * 3).map(|at| (at % streams, 70)).collect();
            let summary = counted(&commands);
            summary.save(folder.path()).unwrap();
            assert_eq!(Summary::load(folder.path(), 3, summary.len).unwrap(), summary);
            let sum = Sum::load(folder.path(), 3, summary.len).unwrap();
            for number in 0..=u8::MAX {
                let span = summary.spans.get(&stream(number)).cloned();
                assert_eq!(sum.find(stream(number)), span, "{number} of {streams}");
            }
            let counts = [summary.len, 70, summary.frames];
            assert!(seems_whole(folder.path(), 3, counts));
            for wrong in 0..3 {
                let mut counts = counts;
                counts[wrong] += 1;
                assert!(!seems_whole(folder.path(), 3, counts));
            }
        }
    }

    /// Whatever bytes a summary has, reading them gives an answer.
    #[test]
    fn a_summary_that_lies_is_read_without_a_panic() {
        let good = counted(&[(1, 100), (2, 100), (1, 100)]).encode();
        for at in 0..good.len() - 4 {
            let mut bytes = good.clone();
            bytes[at] ^= 0xff;
            let body = bytes.len() - 4;
            let crc = crc32c::crc32c(&bytes[..body]);
            bytes[body..].copy_from_slice(&crc.to_le_bytes());
            if let Some(sum) = Sum::of(bytes) {
                (0..4).for_each(|number| drop(sum.find(stream(number))));
            }
        }
    }
}

//! One stream, read straight from the journal: from the runs of frames where it stands.

use std::borrow::BorrowMut;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::frame::Frame;
use super::heads::Slot;
use super::segment::{RecordsOfFrame, SEGMENT_HEADER, SegmentReader, damaged, file_len};
use super::summary::{Run, Sum, Summary};
use super::{CommandTrace, Head, LogError};
use scrutineer_engine::record::{Chain, CommandId, Record, RecordHash, StreamId};

/// So many segments a reader keeps open.
const OPEN: usize = 32;

/// So many summaries of full segments are kept in memory, those used last.
const KEPT: usize = 4;

/// The frames of one stream.
pub(crate) type OwnFrames = Frames<Segments, std::vec::IntoIter<Run>>;

/// Where each stream stands, looked up in the summaries of segments.
#[derive(Debug)]
pub(crate) struct Places {
    journal: PathBuf,
    /// What the last segment holds. Whoever appends adds to it.
    pub tail: Arc<Mutex<Summary>>,
    /// Whether a summary that is missing is written.
    may_write: bool,
    kept: Mutex<VecDeque<(u64, Arc<Sum>)>>,
}

impl Places {
    pub(crate) fn new(journal: &Path, tail: Summary, may_write: bool) -> Places {
        let tail = Arc::new(Mutex::new(tail));
        Places { journal: journal.to_path_buf(), tail, may_write, kept: Mutex::default() }
    }

    /// The frames of a stream from the run on in which this record stands.
    pub(crate) fn frames(
        &self,
        stream: StreamId,
        slot: Slot,
        from: u64,
    ) -> Result<OwnFrames, LogError> {
        let mut all: Vec<Run> = Vec::new();
        for segment in (slot.first_segment..=slot.last_segment).rev().filter(|one| *one > 0) {
            let Some(runs) = self.runs_in(stream, segment)? else { continue };
            let behind = runs.partition_point(|run| run.seq <= from);
            let runs = &runs[behind.saturating_sub(1)..];
            all.extend(runs.iter().rev());
            if behind > 0 {
                break;
            }
        }
        all.reverse();
        Ok(Frames::new(Segments::new(&self.journal), all.into_iter()))
    }

    /// The hash of a record, as the journal has it.
    pub(crate) fn hash(&self, stream: StreamId, slot: Slot, seq: u64) -> Option<RecordHash> {
        let mut frames = self.frames(stream, slot, seq).ok()?;
        while let Ok(Some(record)) = frames.next_record() {
            if record.header().seq == seq {
                return Some(record.hash());
            }
        }
        None
    }

    fn runs_in(&self, stream: StreamId, segment: u64) -> Result<Option<Vec<Run>>, LogError> {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.segment == segment {
            return Ok(tail.spans.get(&stream).map(|span| span.runs.clone()));
        }
        drop(tail);
        Ok(self.sum(segment)?.find(stream).map(|span| span.runs))
    }

    /// The summary of a full segment; one that is not there, or not whole, is made again.
    fn sum(&self, segment: u64) -> Result<Arc<Sum>, LogError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|(number, _)| *number == segment) {
            kept.swap(0, at);
            return Ok(Arc::clone(&kept[0].1));
        }
        let len = file_len(&self.journal, segment)?;
        let sum = match Sum::load(&self.journal, segment, len) {
            Some(sum) => sum,
            None => {
                let made = Summary::of_segment(&self.journal, segment, None)?;
                if self.may_write {
                    // Only a shortcut: without it the next reader reads the segment again.
                    let _ = made.save(&self.journal);
                }
                let unread = || damaged(segment, 0, "its summary can't be made".to_string());
                Sum::of(made.encode()).ok_or_else(unread)?
            }
        };
        kept.truncate(KEPT - 1);
        kept.push_front((segment, Arc::new(sum)));
        Ok(Arc::clone(&kept[0].1))
    }
}

impl Summary {
    /// What a segment holds, up to a limit, as far as its frames say without being checked to follow
    /// each other.
    pub(crate) fn of_segment(
        folder: &Path,
        segment: u64,
        limit: Option<u64>,
    ) -> Result<Summary, LogError> {
        let mut reader = SegmentReader::open(folder, segment)?;
        let limit = limit.unwrap_or(reader.limit());
        reader.go_to(SEGMENT_HEADER as u64, limit);
        let mut summary = Summary::new(segment, reader.header.frames_before, SEGMENT_HEADER as u64);
        while let Some(frame) = reader.next()? {
            summary.note(&frame)?;
        }
        Ok(summary)
    }
}

/// Segments of a journal that are open, the one used last in front.
#[derive(Debug)]
pub(crate) struct Segments {
    folder: PathBuf,
    open: VecDeque<(u64, SegmentReader)>,
}

impl Segments {
    pub(crate) fn new(folder: &Path) -> Segments {
        Segments { folder: folder.to_path_buf(), open: VecDeque::new() }
    }

    fn get(&mut self, number: u64) -> Result<&mut SegmentReader, LogError> {
        match self.open.iter().position(|(open, _)| *open == number) {
            Some(at) => self.open.swap(0, at),
            None => {
                let reader = SegmentReader::open(&self.folder, number)?;
                self.open.truncate(OPEN - 1);
                self.open.push_front((number, reader));
            }
        }
        Ok(&mut self.open[0].1)
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.open.len()
    }
}

/// The frames of some runs, one after the other, and their records.
#[derive(Debug)]
pub(crate) struct Frames<S, R> {
    segments: S,
    runs: R,
    segment: u64,
    records: RecordsOfFrame,
}

impl<S: BorrowMut<Segments>, R: Iterator<Item = Run>> Frames<S, R> {
    pub(crate) fn new(segments: S, runs: R) -> Frames<S, R> {
        Frames { segments, runs, segment: 0, records: RecordsOfFrame::default() }
    }

    /// The next frame.
    fn next_frame(&mut self) -> Result<Option<Frame<'_>>, LogError> {
        let segments = self.segments.borrow_mut();
        loop {
            if self.segment > 0 {
                let reader = segments.get(self.segment)?;
                if reader.offset() < reader.limit() {
                    break;
                }
            }
            let Some(run) = self.runs.next() else { return Ok(None) };
            self.segment = u64::from(run.segment);
            let reader = segments.get(self.segment)?;
            reader.go_to(run.offset, run.offset + u64::from(run.len));
        }
        segments.get(self.segment)?.next()
    }

    /// The next record.
    pub(crate) fn next_record(&mut self) -> Result<Option<Record>, LogError> {
        while self.records.is_over() {
            let Some(frame) = self.next_frame()? else { return Ok(None) };
            self.records = RecordsOfFrame::of(&frame);
        }
        let reader = self.segments.borrow_mut().get(self.segment)?;
        self.records.read(reader).map(Some)
    }
}

/// How far a reader has come in a stream.
pub(crate) struct Walk {
    stream: StreamId,
    /// The record that the reader has already seen, or 0.
    after: u64,
    /// The head that was there when reading began.
    head: Head,
    chain: Option<Chain>,
}

impl Walk {
    pub(crate) fn new(stream: StreamId, after: u64, head: Head) -> Walk {
        let chain = (after == 0).then(|| Chain::new(stream));
        Walk { stream, after, head, chain }
    }

    /// The next record that is needed: before the first one shown, the one to begin the chain.
    pub(crate) fn next_seq(&self) -> u64 {
        match &self.chain {
            Some(chain) => chain.last().0 + 1,
            None => self.after,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.next_seq() > self.head.seq
    }

    /// Checks a record; none where it is only the one before the first that is wanted.
    pub(crate) fn step(&mut self, record: Record) -> Result<Option<Record>, String> {
        let (seq, hash) = (record.header().seq, record.hash());
        match &mut self.chain {
            Some(chain) => chain.follows(&record).map_err(|fault| fault.to_string())?,
            None if seq == self.after && record.header().stream == self.stream => {
                self.chain = Some(Chain::after_record(&record));
                return Ok(None);
            }
            None => return Err(format!("record {} is missing", self.after)),
        }
        if seq == self.head.seq && hash != self.head.hash {
            return Err(format!("record {seq} is not the one that was acknowledged"));
        }
        Ok(Some(record))
    }

    /// The next record that the journal has, up to the head.
    pub(crate) fn next_of(&mut self, frames: &mut OwnFrames) -> Result<Option<Record>, LogError> {
        while !self.is_done() {
            let record = frames.next_record()?;
            let bad = |what: String| damaged(frames.segment, frames.records.offset, what);
            let missing = || bad(format!("record {} is missing", self.next_seq()));
            let record = record.ok_or_else(missing)?;
            if record.header().seq < self.next_seq() {
                continue;
            }
            if let Some(record) = self.step(record).map_err(bad)? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
}

/// Records one by one; nothing follows an error.
pub(crate) fn until_error(
    mut next: impl FnMut() -> Result<Option<Record>, LogError>,
) -> impl Iterator<Item = Result<Record, LogError>> {
    let mut has_ended = false;
    std::iter::from_fn(move || {
        let found = if has_ended { None } else { next().transpose() };
        has_ended = !matches!(found, Some(Ok(_)));
        found
    })
}

/// Every command of a stream up to its head.
pub(crate) fn commands_of(
    places: &Places,
    stream: StreamId,
    slot: Slot,
) -> Result<HashMap<CommandId, CommandTrace>, LogError> {
    let mut frames = places.frames(stream, slot, 1)?;
    let mut commands = HashMap::new();
    while let Some(frame) = frames.next_frame()? {
        let Some(first) = frame.body.first() else { continue };
        let last_seq = first.seq.saturating_add(u64::from(frame.body.count) - 1);
        if last_seq > slot.head.seq {
            break;
        }
        let trace = CommandTrace { first_seq: first.seq, last_seq, digest: frame.body.digest };
        commands.insert(first.command, trace);
    }
    Ok(commands)
}

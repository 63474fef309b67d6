//! Where each stream stands in the journal, so that many threads read many streams at once.
//!
//! One pass notes for every stream the runs of frames that are its own. Then each thread reads
//! whole streams with file handles of its own, and nothing is handed from one to another.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::journal::visit_frame;
use super::segment::{Position, SEGMENT_HEADER, SegmentReader};
use super::{Head, LogError, Visit};
use scrutineer_engine::record::{Chain, StreamId};

/// So many segments a reader keeps open.
const OPEN: usize = 32;

/// Frames of one stream that stand behind each other.
#[derive(Clone, Copy, Debug)]
struct Run {
    segment: u32,
    len: u32,
    offset: u64,
}

/// Where a stream stands and where it ends.
#[derive(Debug, Default)]
struct Place {
    head: Head,
    runs: Vec<Run>,
}

/// Where each stream stood in the journal when this was made.
#[derive(Debug)]
pub struct JournalIndex {
    folder: PathBuf,
    places: BTreeMap<StreamId, Place>,
}

impl JournalIndex {
    /// Of a journal without frames.
    pub(crate) fn empty(folder: &Path) -> JournalIndex {
        JournalIndex { folder: folder.to_path_buf(), places: BTreeMap::new() }
    }

    /// Looks through the journal, a segment at a time on each thread.
    pub(crate) fn of(
        folder: &Path,
        end: Position,
        threads: usize,
    ) -> Result<JournalIndex, LogError> {
        let next = AtomicU64::new(1);
        let found = Mutex::new(BTreeMap::new());
        let work = || {
            loop {
                let segment = next.fetch_add(1, Ordering::Relaxed);
                if segment > end.segment {
                    return;
                }
                let limit = (segment == end.segment).then_some(end.offset);
                let looked = look_through(folder, segment, limit);
                let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                found.insert(segment, looked);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut places: BTreeMap<StreamId, Place> = BTreeMap::new();
        for segment in found.into_values() {
            for (stream, mut place) in segment? {
                let whole = places.entry(stream).or_default();
                whole.head = place.head;
                whole.runs.append(&mut place.runs);
            }
        }
        places.values_mut().for_each(|place| place.runs.shrink_to_fit());
        Ok(JournalIndex { folder: folder.to_path_buf(), places })
    }

    /// Every stream, in the order of their ids, and its end.
    pub fn heads(&self) -> impl ExactSizeIterator<Item = (StreamId, Head)> {
        self.places.iter().map(|(stream, place)| (*stream, place.head))
    }

    /// A reader with file handles of its own, for one thread.
    #[must_use]
    pub fn reader(&self) -> StreamReader<'_> {
        StreamReader { index: self, open: VecDeque::new() }
    }
}

/// What one segment holds of each stream.
fn look_through(
    folder: &Path,
    segment: u64,
    limit: Option<u64>,
) -> Result<BTreeMap<StreamId, Place>, LogError> {
    let mut reader = SegmentReader::open(folder, segment)?;
    let limit = limit.unwrap_or(reader.limit());
    reader.go_to(SEGMENT_HEADER as u64, limit);
    let mut places: BTreeMap<StreamId, Place> = BTreeMap::new();
    loop {
        let offset = reader.offset();
        let (stream, head) = {
            let Some(frame) = reader.next()? else { return Ok(places) };
            let damaged = |what: &str| super::segment::damaged(segment, offset, what.to_string());
            let first = frame.body.first().ok_or_else(|| damaged("not a record"))?;
            let last = frame.body.records().last().flatten();
            let (hash, _) = last.ok_or_else(|| damaged("a record is cut off"))?;
            let seq = first.seq.saturating_add(u64::from(frame.body.count) - 1);
            (first.stream, Head { seq, hash })
        };
        let len = reader.offset() - offset;
        let place = places.entry(stream).or_default();
        place.head = head;
        place.add(segment, offset, len);
    }
}

impl Place {
    fn add(&mut self, segment: u64, offset: u64, len: u64) {
        // Segments are numbered from 1 and hold 64 MiB each; a frame has at most 512 MiB.
        let (segment, len) = (segment as u32, len as u32);
        if let Some(last) = self.runs.last_mut()
            && last.offset + u64::from(last.len) == offset
            && let Some(longer) = last.len.checked_add(len)
        {
            last.len = longer;
            return;
        }
        self.runs.push(Run { segment, len, offset });
    }
}

/// Reads whole streams straight from the journal, for one thread.
#[derive(Debug)]
pub struct StreamReader<'a> {
    index: &'a JournalIndex,
    /// Open segments, the one used last in front.
    open: VecDeque<(u32, SegmentReader)>,
}

impl StreamReader<'_> {
    /// Visits a stream's records from the first on, in order, each checked to follow the one
    /// before. As with [`super::EmbeddedLog::scan_journal`], every hash is taken from the bytes.
    ///
    /// # Errors
    /// [`LogError::Damaged`] and [`LogError::Broken`] name the place.
    pub fn read(&mut self, stream: StreamId, visit: &mut Visit<'_>) -> Result<(), LogError> {
        let index = self.index;
        let Some(place) = index.places.get(&stream) else { return Ok(()) };
        let mut chain = Chain::new(stream);
        let mut broken = None;
        for run in &place.runs {
            let reader = self.segment(run.segment)?;
            reader.go_to(run.offset, run.offset + u64::from(run.len));
            while let Some(frame) = reader.next()? {
                let flow = visit_frame(&frame, &mut |record| match chain.follows(&record) {
                    Ok(()) => visit(record),
                    Err(fault) => {
                        broken = Some(LogError::Broken { stream, fault });
                        ControlFlow::Break(())
                    }
                })?;
                if flow.is_break() {
                    return broken.map_or(Ok(()), Err);
                }
            }
        }
        Ok(())
    }

    fn segment(&mut self, number: u32) -> Result<&mut SegmentReader, LogError> {
        match self.open.iter().position(|(open, _)| *open == number) {
            Some(0) => {}
            Some(at) => self.open.swap(0, at),
            None => {
                let reader = SegmentReader::open(&self.index.folder, u64::from(number))?;
                self.open.truncate(OPEN - 1);
                self.open.push_front((number, reader));
            }
        }
        Ok(&mut self.open[0].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{options, store_of, stream};
    use crate::{EmbeddedLog, Log};

    /// Frames of a stream that stand behind each other are noted as one.
    #[test]
    fn frames_behind_each_other_are_one_run() {
        let mut place = Place::default();
        for (offset, len) in [(64, 100), (164, 50), (300, 20), (320, u32::MAX - 10), (1 << 33, 1)] {
            place.add(1, offset, len.into());
        }
        let runs: Vec<_> = place.runs.iter().map(|run| (run.offset, run.len)).collect();
        assert_eq!(runs, [(64, 150), (300, 20), (320, u32::MAX - 10), (1 << 33, 1)]);
    }

    /// A stream over many segments is read whole, and few of their files stay open.
    #[test]
    fn few_files_are_open_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let places = store_of(folder.path(), 100, &[40; 45]);
        let end = *places.last().unwrap();
        assert_eq!(end.segment, 45, "each command has a segment of its own");
        let index = JournalIndex::of(&folder.path().join("journal"), end, 2).unwrap();
        let mut reader = index.reader();
        for _ in 0..2 {
            let mut count = 0;
            let visit = &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            };
            reader.read(stream(1), visit).unwrap();
            assert_eq!((count, reader.open.len()), (45, 32));
        }
        let log = EmbeddedLog::open(folder.path(), options(100)).unwrap();
        assert_eq!(index.heads().collect::<Vec<_>>(), [(stream(1), log.head(stream(1)).unwrap())]);
    }
}

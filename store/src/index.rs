//! Where each stream stands in the journal, so that many threads read many streams at once.
//!
//! One pass notes for every stream the runs of frames that are its own. Then each thread reads
//! whole streams with file handles of its own, and nothing is handed from one to another.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::segment::Position;
use super::stream::{Frames, Segments, until_error};
use super::summary::{Run, Summary};
use super::{Head, LogError};
use scrutineer_engine::record::{Chain, Record, StreamId};

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
    /// Looks through the journal, a segment at a time on each thread.
    pub(crate) fn of(
        folder: &Path,
        end: Position,
        threads: usize,
    ) -> Result<JournalIndex, LogError> {
        if end.frames == 0 {
            return Ok(JournalIndex { folder: folder.to_path_buf(), places: BTreeMap::new() });
        }
        let summary = |segment: u64| {
            let limit = (segment == end.segment).then_some(end.offset);
            Summary::of_segment(folder, segment, limit)
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        let pool = pool.map_err(|error| LogError::Io {
            action: "start threads for",
            file: folder.display().to_string(),
            reason: error.to_string(),
        })?;
        let segments = (1..=end.segment).into_par_iter();
        let found: Vec<_> = pool.install(|| segments.map(summary).collect());
        let mut places: BTreeMap<StreamId, Place> = BTreeMap::new();
        for summary in found {
            for (stream, mut span) in summary?.spans {
                let place = places.entry(stream).or_default();
                place.head = span.last;
                place.runs.append(&mut span.runs);
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
    pub fn reader(&self) -> StreamReader<'_> {
        StreamReader { index: self, segments: Segments::new(&self.folder) }
    }
}

/// Reads whole streams straight from the journal, for one thread.
#[derive(Debug)]
pub struct StreamReader<'a> {
    index: &'a JournalIndex,
    segments: Segments,
}

impl StreamReader<'_> {
    /// A stream's records from the first on, in order, each checked to follow the one before. As
    /// with [`super::Log::scan`], every hash is taken from the bytes. Nothing follows an error,
    /// which names the place.
    pub fn read(&mut self, stream: StreamId) -> impl Iterator<Item = Result<Record, LogError>> {
        let place = self.index.places.get(&stream);
        let runs = place.into_iter().flat_map(|place| &place.runs).copied();
        let mut frames = Frames::new(&mut self.segments, runs);
        let mut chain = Chain::new(stream);
        until_error(move || {
            let Some(record) = frames.next_record()? else { return Ok(None) };
            chain.follows(&record).map_err(|fault| LogError::Broken { stream, fault })?;
            Ok(Some(record))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{options, store_of, stream};
    use crate::{EmbeddedLog, Log};

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
            let count = reader.read(stream(1)).map(Result::unwrap).count();
            assert_eq!((count, reader.segments.count()), (45, 32));
        }
        let log = EmbeddedLog::open(folder.path(), options(100)).unwrap();
        assert_eq!(index.heads().collect::<Vec<_>>(), [(stream(1), log.head(stream(1)).unwrap())]);
    }
}

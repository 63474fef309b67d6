//! A whole archive, read by many threads.

use super::{Archive, ArchiveError, Kept};
use scrutineer_engine::event::Event;
use scrutineer_engine::log::Log;
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_engine::scorekeeper::event_of;
use scrutineer_store::{JournalIndex, StreamReader};
use std::ops::ControlFlow;

/// Every event of an archive, to be read by many threads: from the journal, where the archive is
/// a folder.
pub struct Whole<'a> {
    streams: Vec<StreamId>,
    from: From<'a>,
}

enum From<'a> {
    Journal(JournalIndex),
    Log(&'a dyn Log),
}

/// Reads events whole, for one thread.
pub enum Reader<'a> {
    /// From the journal.
    Journal(StreamReader<'a>),
    /// From the log.
    Log(&'a dyn Log),
}

impl Archive {
    /// Every event as it is now, looked up on so many threads.
    ///
    /// # Errors
    /// Where the journal is damaged.
    pub fn whole(&self, threads: usize) -> Result<Whole<'_>, ArchiveError> {
        Ok(match &self.log {
            Kept::Folder(log) => Whole::of(log.index_journal(threads)?),
            Kept::ReadOnly(log) => Whole::of(log.index_journal(threads)?),
            Kept::Memory(log) => Whole { streams: log.streams()?, from: From::Log(log) },
        })
    }
}

impl Whole<'_> {
    fn of(index: JournalIndex) -> Self {
        let streams = index.heads().map(|(stream, _)| stream).collect();
        Whole { streams, from: From::Journal(index) }
    }

    /// The events, in the order of their ids.
    pub fn streams(&self) -> &[StreamId] {
        &self.streams
    }

    /// A reader for one thread.
    pub fn reader(&self) -> Reader<'_> {
        match &self.from {
            From::Journal(index) => Reader::Journal(index.reader()),
            From::Log(log) => Reader::Log(*log),
        }
    }
}

impl Reader<'_> {
    /// Reads every event of a stream, in order, until `visit` breaks.
    ///
    /// # Errors
    /// Where the journal is damaged or an event cannot be read.
    pub fn read(
        &mut self,
        stream: StreamId,
        visit: &mut dyn FnMut(&Record, Event) -> ControlFlow<()>,
    ) -> Result<(), ArchiveError> {
        let mut failed = None;
        let mut each = |record: Record| match event_of(&record) {
            Ok(event) => visit(&record, event),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        };
        match self {
            Reader::Journal(reader) => reader.read(stream, &mut each)?,
            Reader::Log(log) => log.read(stream, 0, &mut each)?,
        }
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

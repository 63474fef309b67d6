//! A whole archive, read by many threads.

use super::{Place, Store, StoreError};
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{LoadError, event_of};
use scrutineer_engine::log::{Log, Records};
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_store::{JournalIndex, StreamReader};

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

impl Store {
    /// Every event as it is now, looked up on so many threads.
    ///
    /// # Errors
    /// Where the journal is damaged.
    pub fn whole(&self, threads: usize) -> Result<Whole<'_>, StoreError> {
        Ok(match &self.log {
            Place::Folder(log) => Whole::of(log.index_journal(threads)?),
            Place::ReadOnly(log) => Whole::of(log.index_journal(threads)?),
            Place::Mended(log) => Whole::of(log.unmended().index_journal(threads)?),
            _ => Whole { streams: self.log().streams()?, from: From::Log(self.log()) },
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
    /// Every event of a stream, in order, each with its record. Nothing follows an error.
    pub fn read(
        &mut self,
        stream: StreamId,
    ) -> impl Iterator<Item = Result<(Record, Event), LoadError>> {
        let records: Records<'_> = match self {
            Reader::Journal(reader) => Box::new(reader.read(stream)),
            Reader::Log(log) => log.read(stream, 0),
        };
        records.map(|record| {
            let record = record?;
            let event = event_of(&record)?;
            Ok((record, event))
        })
    }
}

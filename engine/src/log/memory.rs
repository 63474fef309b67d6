//! The log in memory: for tests, what-if, and as the measure of the other one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::texts_first::keep_texts;
use super::{AppendError, Batch, CommandTrace, Head, Log, LogError, Records};
use crate::book::{MemoryTexts, PrivateTexts};
use crate::record::{Chain, CommandId, Record, StreamId};

/// A log that is gone when it is dropped. It gives the same answers as the embedded one.
#[derive(Debug, Default)]
pub struct MemoryLog {
    kept: Mutex<Kept>,
    texts: MemoryTexts,
}

#[derive(Debug, Default)]
struct Kept {
    /// Of all streams, in the order of appending.
    records: Vec<Record>,
    streams: BTreeMap<StreamId, Stream>,
}

#[derive(Debug, Default)]
struct Stream {
    head: Head,
    /// Where its records stand among all.
    places: Vec<usize>,
    commands: BTreeMap<CommandId, CommandTrace>,
}

impl Kept {
    fn head(&self, stream: StreamId) -> Head {
        self.streams.get(&stream).map_or(Head::EMPTY, |found| found.head)
    }
}

impl MemoryLog {
    /// An empty log.
    pub fn new() -> MemoryLog {
        MemoryLog::default()
    }

    /// An empty log beside these private texts.
    pub fn with_texts(texts: MemoryTexts) -> MemoryLog {
        MemoryLog { texts, ..MemoryLog::default() }
    }

    /// A panic in another thread can't leave a batch half appended, so the lock is always good.
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log for MemoryLog {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        Ok(self.lock().head(stream))
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        let new = batch.check(expected)?;
        let first = batch.records[0].header();
        let mut kept = self.lock();
        if let Some(stream) = kept.streams.get(&first.stream)
            && let Some(trace) = stream.commands.get(&first.command)
        {
            return Err(AppendError::CommandKnown(*trace));
        }
        let actual = kept.head(first.stream);
        if actual != expected {
            return Err(AppendError::Conflict { expected, actual });
        }
        if !batch.texts.is_empty() {
            keep_texts(&self.texts, first.stream, expected == Head::EMPTY, &batch.texts)?;
        }
        let begin = kept.records.len();
        kept.records.extend(batch.records);
        let places = begin..kept.records.len();
        let stream = kept.streams.entry(first.stream).or_default();
        let (first_seq, last_seq) = (first.seq, new.seq);
        let trace = CommandTrace { first_seq, last_seq, digest: batch.command_digest };
        stream.places.extend(places);
        stream.head = new;
        stream.commands.insert(first.command, trace);
        Ok(new)
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        let skip = usize::try_from(after).unwrap_or(usize::MAX);
        // Copied out, so that the log can be used while this is read.
        let kept = self.lock();
        let places = kept.streams.get(&stream).map_or(&[][..], |found| &found.places);
        let records: Vec<Record> =
            places.iter().skip(skip).map(|place| kept.records[*place].clone()).collect();
        let mut chain: Option<Chain> = None;
        Box::new(records.into_iter().map(move |record| {
            match &mut chain {
                Some(chain) => {
                    chain.follows(&record).map_err(|fault| LogError::Broken { stream, fault })?;
                }
                none => *none = Some(Chain::after_record(&record)),
            }
            Ok(record)
        }))
    }

    fn scan(&self) -> Records<'_> {
        Box::new(self.lock().records.clone().into_iter().map(Ok))
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        Ok(self.lock().streams.get(&stream).and_then(|found| found.commands.get(&id).copied()))
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        Ok(self.lock().streams.keys().copied().collect())
    }

    fn texts(&self) -> &dyn PrivateTexts {
        &self.texts
    }
}

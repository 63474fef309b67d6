//! The log in memory: for tests, what-if, and as the measure of the other one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{AppendError, Batch, CommandTrace, Head, Log, LogError, Visit};
use crate::record::{Chain, CommandId, Record, StreamId};

/// A log that is gone when it is dropped. It gives the same answers as the embedded one.
#[derive(Debug, Default)]
pub struct MemoryLog {
    streams: Mutex<BTreeMap<StreamId, Stream>>,
}

#[derive(Debug, Default)]
struct Stream {
    records: Vec<Record>,
    commands: BTreeMap<CommandId, CommandTrace>,
}

impl Stream {
    fn head(&self) -> Head {
        match self.records.last() {
            Some(last) => Head { seq: last.header().seq, hash: last.hash() },
            None => Head::EMPTY,
        }
    }
}

impl MemoryLog {
    /// An empty log.
    #[must_use]
    pub fn new() -> MemoryLog {
        MemoryLog::default()
    }

    /// A panic in another thread can't leave a batch half appended, so the lock is always good.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<StreamId, Stream>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log for MemoryLog {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        Ok(self.lock().get(&stream).map_or(Head::EMPTY, Stream::head))
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        let new = batch.check(expected)?;
        let first = *batch.records[0].header();
        let mut streams = self.lock();
        if let Some(stream) = streams.get(&first.stream)
            && let Some(trace) = stream.commands.get(&first.command)
        {
            return Err(AppendError::CommandKnown(*trace));
        }
        let actual = streams.get(&first.stream).map_or(Head::EMPTY, Stream::head);
        if actual != expected {
            return Err(AppendError::Conflict { expected, actual });
        }
        let stream = streams.entry(first.stream).or_default();
        let (first_seq, last_seq) = (first.seq, new.seq);
        let trace = CommandTrace { first_seq, last_seq, digest: batch.command_digest };
        stream.records.extend(batch.records);
        stream.commands.insert(first.command, trace);
        Ok(new)
    }

    fn read(&self, stream: StreamId, after: u64, visit: &mut Visit<'_>) -> Result<(), LogError> {
        let Ok(skip) = usize::try_from(after) else {
            return Ok(());
        };
        // Copied out, so that the visitor may use the log.
        let records: Vec<Record> = match self.lock().get(&stream) {
            Some(found) => found.records.iter().skip(skip).cloned().collect(),
            None => return Ok(()),
        };
        let mut chain: Option<Chain> = None;
        for record in records {
            match &mut chain {
                Some(chain) => {
                    chain.follows(&record).map_err(|fault| LogError::Broken { stream, fault })?;
                }
                none => *none = Some(Chain::after_record(&record)),
            }
            if visit(record).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        Ok(self.lock().get(&stream).and_then(|found| found.commands.get(&id).copied()))
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        Ok(self.lock().keys().copied().collect())
    }
}

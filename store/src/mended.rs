//! Reading a store without writing, with sled asked where a frame of the journal is damaged.

use std::sync::OnceLock;

use super::embedded::EmbeddedLog;
use super::options::Options;
use super::readonly::ReadOnlyLog;
use super::{AppendError, Batch, CommandTrace, Head, Log, LogError, Records};
use scrutineer_engine::book::PrivateTexts;
use scrutineer_engine::record::{CommandId, StreamId};

/// A [`ReadOnlyLog`] that opens the store where a frame of its journal is damaged: sled may have the
/// records whole.
#[derive(Debug)]
pub struct MendedLog {
    log: ReadOnlyLog,
    options: Options,
    /// The opened store, once it was needed; none where it cannot be opened.
    store: OnceLock<Option<EmbeddedLog>>,
}

impl MendedLog {
    /// A log whose store is opened with these options where that is needed.
    pub fn new(log: ReadOnlyLog, options: Options) -> MendedLog {
        MendedLog { log, options, store: OnceLock::new() }
    }

    /// The log as its journal alone has it.
    pub fn unmended(&self) -> &ReadOnlyLog {
        &self.log
    }

    fn store(&self) -> Option<&EmbeddedLog> {
        let open = || EmbeddedLog::open(self.log.folder(), self.options.clone()).ok();
        self.store.get_or_init(open).as_ref()
    }
}

impl Log for MendedLog {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        self.log.head(stream)
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        self.log.append(expected, batch)
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        let (mut records, mut seen, mut is_mended) = (self.log.read(stream, after), after, false);
        Box::new(std::iter::from_fn(move || {
            let mut read = records.next();
            if let Some(Err(LogError::Damaged { .. })) = read
                && !is_mended
                && let Some(store) = self.store()
            {
                is_mended = true;
                records = store.read(stream, seen);
                read = records.next();
            }
            if let Some(Ok(record)) = &read {
                seen = record.header().seq;
            }
            read
        }))
    }

    fn scan(&self) -> Records<'_> {
        self.log.scan()
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        self.log.command(stream, id)
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        self.log.streams()
    }

    fn texts(&self) -> &dyn PrivateTexts {
        self.log.texts()
    }
}

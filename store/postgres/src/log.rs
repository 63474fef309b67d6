//! The log: one transaction appends one command.

use postgres::Error;
use scrutineer_engine::book::PrivateTexts;
use scrutineer_engine::log::{AppendError, Batch, CommandTrace, Head, Log, LogError, Records};
use scrutineer_engine::record::{CommandId, StreamId};

use crate::pages::Pages;
use crate::texts::keep_texts;
use crate::{Failure, PostgresLog, fixed, head, reason, signed, unread, unsigned};

impl Log for PostgresLog {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        let ask = "SELECT seq, hash FROM streams WHERE stream = $1";
        let row = self.with(|client| client.query_opt(ask, &[&&stream.0[..]])).map_err(unread)?;
        Ok(row.map_or(Head::EMPTY, |row| head(&row)))
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        let new = batch.check(expected)?;
        // An answer that was lost is asked for again: the id of the command tells whether it was
        // carried out.
        let tried = match self.append_once(expected, new, &batch) {
            Err(Failure::Database(error)) if is_lost(&error) => {
                self.append_once(expected, new, &batch)
            }
            answered => answered,
        };
        tried.map_err(|failure| match failure {
            Failure::Refused(refused) => refused,
            Failure::Database(error) if is_lost(&error) => {
                AppendError::Unknown { reason: reason(&error) }
            }
            Failure::Database(error) => unread(error).into(),
        })?;
        Ok(new)
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        Box::new(Pages::of(self, stream, after))
    }

    fn scan(&self) -> Records<'_> {
        Box::new(Pages::of_all(self))
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        let id = id.0.to_be_bytes();
        let found = self.with(|client| client.query_opt(COMMAND, &[&&stream.0[..], &&id[..]]));
        Ok(found.map_err(unread)?.map(|row| trace(&row)))
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        let ask = "SELECT stream FROM streams WHERE seq > 0 ORDER BY stream";
        let rows = self.with(|client| client.query(ask, &[])).map_err(unread)?;
        Ok(rows.iter().map(|row| StreamId(fixed(row.get(0)))).collect())
    }

    fn texts(&self) -> &dyn PrivateTexts {
        self
    }
}

const COMMAND: &str =
    "SELECT first_seq, last_seq, digest FROM commands WHERE stream = $1 AND command = $2";

fn trace(row: &postgres::Row) -> CommandTrace {
    let (first_seq, last_seq) = (unsigned(row.get(0)), unsigned(row.get(1)));
    CommandTrace { first_seq, last_seq, digest: fixed(row.get(2)) }
}

/// Whether the connection ended before the answer came. A server that shuts down says so (57P),
/// also to somebody whose commit is durable already.
fn is_lost(error: &Error) -> bool {
    error.code().is_none_or(|code| code.code().starts_with("57P"))
}

impl PostgresLog {
    fn append_once(
        &self,
        expected: Head,
        new: Head,
        batch: &Batch,
    ) -> Result<(), Failure<AppendError>> {
        let header = batch.records[0].header();
        let (stream, id) = (&header.stream.0[..], header.command.0.to_be_bytes());
        let (hash, digest) = (&new.hash.0[..], &batch.command_digest[..]);
        self.alone(header.stream, |transaction, actual| {
            if let Some(row) = transaction.query_opt(COMMAND, &[&stream, &&id[..]])? {
                return Err(Failure::Refused(AppendError::CommandKnown(trace(&row))));
            }
            if actual != expected {
                return Err(Failure::Refused(AppendError::Conflict { expected, actual }));
            }
            let begins = expected == Head::EMPTY;
            keep_texts(transaction, header.stream, begins, &batch.texts).map_err(|failure| {
                match failure {
                    Failure::Refused(error) => Failure::Refused(error.into()),
                    Failure::Database(error) => Failure::Database(error),
                }
            })?;
            let hashes: Vec<Vec<u8>> =
                batch.records.iter().map(|record| record.hash().0.to_vec()).collect();
            let bytes: Vec<&[u8]> = batch.records.iter().map(|record| record.bytes()).collect();
            transaction.execute(
                "INSERT INTO records SELECT $1, $2 + n, hash, bytes \
                 FROM unnest($3::bytea[], $4::bytea[]) WITH ORDINALITY AS r (hash, bytes, n)",
                &[&stream, &signed(expected.seq), &hashes, &bytes],
            )?;
            transaction.execute(
                "INSERT INTO commands VALUES ($1, $2, $3, $4, $5)",
                &[&stream, &&id[..], &signed(header.seq), &signed(new.seq), &digest],
            )?;
            transaction.execute(
                "UPDATE streams SET seq = $2, hash = $3 WHERE stream = $1",
                &[&stream, &signed(new.seq), &hash],
            )?;
            Ok(())
        })
    }
}

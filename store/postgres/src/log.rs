//! The log: one call of one function appends one command.

use scrutineer_engine::book::{BookError, MAX_TEXT, PrivateTexts};
use scrutineer_engine::log::{AppendError, Batch, CommandTrace, Head, Log, LogError, Records};
use scrutineer_engine::record::{CommandId, StreamId};
use tokio_postgres::Row;

use crate::connection::Connection;
use crate::error::Trouble;
use crate::pages::Pages;
use crate::texts::{Columns, refused};
use crate::{PostgresLog, fixed, head, heads, signed, unsigned};

impl Log for PostgresLog {
    fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        if let Some(head) = self.leases.head(stream) {
            return Ok(head);
        }
        let fence = self.fence();
        Ok(self.pool.again(|connection| heads::read(connection, fence, stream))?)
    }

    fn append(&self, expected: Head, batch: Batch) -> Result<Head, AppendError> {
        let new = batch.check(expected)?;
        let long = batch.texts.iter().find(|entry| entry.text.len() > MAX_TEXT);
        if let Some(entry) = long {
            return Err(BookError::TooLong { bytes: entry.text.len() }.into());
        }
        let (call, fence) = (Call::new(expected, &batch), self.fence());
        let mut patience = self.pool.patience();
        // Whether a try may have been carried out. An answer that was lost is asked for again: the
        // id of the command tells.
        let mut is_unknown = false;
        loop {
            let answer = self.pool.tried(|connection| {
                heads::guard(connection, fence, call.stream, expected)?;
                let before = fence.seen(call.stream);
                call.make(connection).map(|answer| (answer, before))
            });
            match answer {
                Ok((Answer::Appended, _)) => {
                    fence.appended(call.stream, expected, new);
                    self.leases.appended(call.stream, (expected, new), call.id(), call.trace(new));
                    return Ok(new);
                }
                Ok((Answer::Known(trace), _)) if is_unknown && trace == call.trace(new) => {
                    fence.appended(call.stream, expected, new);
                    self.leases.appended(call.stream, (expected, new), call.id(), trace);
                    return Ok(new);
                }
                Ok((Answer::Known(trace), _)) => {
                    // What was known by heart did not have it.
                    self.leases.forget(call.stream);
                    return Err(AppendError::CommandKnown(trace));
                }
                Ok((Answer::Conflict(actual), before)) => {
                    self.leases.moved(call.stream, actual);
                    fence.ends(call.stream, before, actual)?;
                    return Err(AppendError::Conflict { expected, actual });
                }
                Ok((Answer::Texts(error), _)) => return Err(error.into()),
                Err(trouble) => {
                    is_unknown |= trouble.is_unknown();
                    if trouble.is_passing() && patience.waits(&trouble.reason()) {
                        continue;
                    }
                    return Err(trouble.of_append(is_unknown));
                }
            }
        }
    }

    fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        Box::new(Pages::of(self, stream, after))
    }

    fn scan(&self) -> Records<'_> {
        Box::new(Pages::of_all(self))
    }

    fn command(&self, stream: StreamId, id: CommandId) -> Result<Option<CommandTrace>, LogError> {
        if let Some(known) = self.leases.command(stream, id) {
            return Ok(known);
        }
        let id = id.0.to_be_bytes();
        let ask = "SELECT first_seq, last_seq, digest FROM scrutineer.commands \
                   WHERE stream = $1 AND command = $2";
        let found =
            self.pool.again(|connection| connection.query_opt(ask, &[&&stream.0[..], &&id[..]]))?;
        Ok(found.map(|row| trace(&row, 0)))
    }

    fn streams(&self) -> Result<Vec<StreamId>, LogError> {
        let ask = "SELECT stream FROM scrutineer.streams WHERE seq > 0 ORDER BY stream";
        let rows = self.pool.again(|connection| connection.query(ask, &[]))?;
        Ok(rows.iter().map(|row| StreamId(fixed(row.get(0)))).collect())
    }

    fn texts(&self) -> &dyn PrivateTexts {
        self
    }
}

pub(crate) fn trace(row: &Row, at: usize) -> CommandTrace {
    let (first_seq, last_seq) = (unsigned(row.get(at)), unsigned(row.get(at + 1)));
    CommandTrace { first_seq, last_seq, digest: fixed(row.get(at + 2)) }
}

/// What the database answers to a command.
enum Answer {
    Appended,
    Known(CommandTrace),
    Conflict(Head),
    Texts(BookError),
}

/// A command as the values of the function that appends it.
struct Call<'a> {
    stream: StreamId,
    command: [u8; 16],
    digest: [u8; 32],
    expected: Head,
    hashes: Vec<[u8; 32]>,
    contents: Vec<&'a [u8]>,
    texts: Columns<'a>,
}

impl<'a> Call<'a> {
    fn new(expected: Head, batch: &'a Batch) -> Call<'a> {
        let header = batch.records[0].header();
        Call {
            stream: header.stream,
            command: header.command.0.to_be_bytes(),
            digest: batch.command_digest,
            expected,
            hashes: batch.records.iter().map(|record| record.hash().0).collect(),
            contents: batch.records.iter().map(|record| record.bytes()).collect(),
            texts: Columns::of(&batch.texts),
        }
    }

    fn id(&self) -> CommandId {
        CommandId(u128::from_be_bytes(self.command))
    }

    /// Where the command stands once it is appended.
    fn trace(&self, new: Head) -> CommandTrace {
        let first_seq = self.expected.seq + 1;
        CommandTrace { first_seq, last_seq: new.seq, digest: self.digest }
    }

    fn make(&self, connection: &mut Connection) -> Result<Answer, Trouble> {
        let hashes: Vec<&[u8]> = self.hashes.iter().map(|hash| &hash[..]).collect();
        let row = connection.query_one(
            "SELECT * FROM scrutineer.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            &[
                &&self.stream.0[..],
                &&self.command[..],
                &&self.digest[..],
                &signed(self.expected.seq),
                &&self.expected.hash.0[..],
                &hashes,
                &self.contents,
                &self.texts.numbers,
                &self.texts.fields,
                &self.texts.salts,
                &self.texts.texts,
            ],
        )?;
        Ok(match row.get(0) {
            "appended" => Answer::Appended,
            "known" => Answer::Known(trace(&row, 3)),
            "conflict" => Answer::Conflict(head(&row, 1)),
            _ => Answer::Texts(refused(row.get(6), row.get(7))),
        })
    }
}

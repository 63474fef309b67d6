//! Many commands at once, for whoever copies tournaments: a round trip for each would be most of the time.

use scrutineer_engine::log::{AppendError, Batch, CommandTrace, Head, LogError};
use scrutineer_engine::record::{CommandId, StreamId};

use crate::heads;
use crate::log::trace;
use crate::{PostgresLog, fixed, head, signed};

impl PostgresLog {
    /// Every command of a stream, in order.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn commands(&self, stream: StreamId) -> Result<Vec<(CommandId, CommandTrace)>, LogError> {
        let ask = "SELECT command, first_seq, last_seq, digest FROM scrutineer.commands \
                   WHERE stream = $1 ORDER BY first_seq";
        let rows = self.pool.again(|connection| connection.query(ask, &[&&stream.0[..]]))?;
        let one = |row| {
            (CommandId(u128::from_be_bytes(fixed(tokio_postgres::Row::get(row, 0)))), trace(row, 1))
        };
        Ok(rows.iter().map(one).collect())
    }

    /// Appends commands of one stream that follow each other, all of them or none, if it still ends at
    /// `expected`. Their texts are not kept: whoever copies puts them there before.
    ///
    /// # Errors
    /// As [`scrutineer_engine::log::Log::append`], without [`AppendError::CommandKnown`]: where one of the
    /// commands is there already, the stream ends elsewhere.
    pub fn append_all(&self, expected: Head, batches: &[Batch]) -> Result<Head, AppendError> {
        let mut new = expected;
        let (mut commands, mut lasts, mut digests) = (Vec::new(), Vec::new(), Vec::new());
        for batch in batches {
            new = batch.check(new)?;
            commands.push(batch.records[0].header().command.0.to_be_bytes());
            lasts.push(signed(new.seq));
            digests.push(&batch.command_digest[..]);
        }
        let Some(first) = batches.first() else { return Ok(expected) };
        let stream = first.records[0].header().stream;
        let records = || batches.iter().flat_map(|batch| &batch.records);
        let hashes: Vec<[u8; 32]> = records().map(|record| record.hash().0).collect();
        let hashes: Vec<&[u8]> = hashes.iter().map(|hash| &hash[..]).collect();
        let contents: Vec<&[u8]> = records().map(|record| record.bytes()).collect();
        let commands: Vec<&[u8]> = commands.iter().map(|command| &command[..]).collect();
        let fence = self.fence();
        let mut patience = self.pool.patience();
        let mut is_unknown = false;
        loop {
            let answered = self.pool.tried(|connection| {
                heads::guard(connection, fence, stream, expected)?;
                connection.query_one(
                    "SELECT * FROM scrutineer.append_all($1, $2, $3, $4, $5, $6, $7, $8)",
                    &[
                        &&stream.0[..],
                        &signed(expected.seq),
                        &&expected.hash.0[..],
                        &commands,
                        &lasts,
                        &digests,
                        &hashes,
                        &contents,
                    ],
                )
            });
            match answered {
                Ok(row) => {
                    let actual = head(&row, 1);
                    // An answer that was lost was this one.
                    if row.get::<_, &str>(0) == "appended" || (is_unknown && actual == new) {
                        fence.appended(stream, expected, new);
                        return Ok(new);
                    }
                    return Err(AppendError::Conflict { expected, actual });
                }
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
}

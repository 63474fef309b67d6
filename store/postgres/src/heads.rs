//! The ends of streams: of one, of many in one question, and held against what was seen.

use scrutineer_engine::log::{Head, LogError};
use scrutineer_engine::record::{RecordHash, StreamId};
use tokio_postgres::Row;

use crate::connection::{Connection, Values};
use crate::error::Trouble;
use crate::fence::{Before, Fence};
use crate::{PostgresLog, fixed, head, signed};

const HEAD: &str = "SELECT seq, hash FROM scrutineer.streams WHERE stream = $1";

/// Where a stream ends, if that is not behind what was seen.
pub(crate) fn read(
    connection: &mut Connection,
    fence: &Fence,
    stream: StreamId,
) -> Result<Head, Trouble> {
    let before = fence.seen(stream);
    let rows = connection.query(HEAD, &[&&stream.0[..]])?;
    ends(connection, &rows, fence, (stream, before))
}

/// The same with the rows that answer another statement, in one round trip.
pub(crate) fn read_with(
    connection: &mut Connection,
    fence: &Fence,
    stream: StreamId,
    statement: (&'static str, &Values<'_>),
) -> Result<(Head, Vec<Row>), Trouble> {
    let before = fence.seen(stream);
    let [rows, more] = connection.both((HEAD, &[&&stream.0[..]]), statement)?;
    Ok((ends(connection, &rows, fence, (stream, before))?, more))
}

fn ends(
    connection: &mut Connection,
    rows: &[Row],
    fence: &Fence,
    (stream, before): (StreamId, Option<Head>),
) -> Result<Head, Trouble> {
    let found = rows.first().map_or(Head::EMPTY, |row| head(row, 0));
    if let Some(seen) = fence.unproved(stream, found) {
        look_for(connection, fence, stream, seen)?;
    }
    fence.ends(stream, before, found)?;
    Ok(found)
}

/// Looks whether a stream has the record at an end that was seen.
fn look_for(
    connection: &mut Connection,
    fence: &Fence,
    stream: StreamId,
    seen: Head,
) -> Result<(), Trouble> {
    let ask = "SELECT hash FROM scrutineer.records WHERE stream = $1 AND seq = $2";
    let row = connection.query_opt(ask, &[&&stream.0[..], &signed(seen.seq)])?;
    let hash = row.map(|row| RecordHash(fixed(row.get(0))));
    Ok(fence.has(stream, seen, hash)?)
}

/// Refuses to append to a stream that is not the one that was seen. Where the writer goes on from
/// what was seen last, as nearly always, nothing is asked.
pub(crate) fn guard(
    connection: &mut Connection,
    fence: &Fence,
    stream: StreamId,
    expected: Head,
) -> Result<(), Trouble> {
    match fence.before(stream, expected)? {
        Before::Nothing => Ok(()),
        Before::Head => read(connection, fence, stream).map(|_| ()),
        Before::Record(seen) => look_for(connection, fence, stream, seen),
    }
}

impl PostgresLog {
    /// Where these streams end, in one question; those without records are left out.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub fn heads(&self, streams: &[StreamId]) -> Result<Vec<(StreamId, Head)>, LogError> {
        let ask = "SELECT stream, seq, hash FROM scrutineer.streams \
                   WHERE stream = ANY ($1) AND seq > 0 ORDER BY stream";
        let streams: Vec<&[u8]> = streams.iter().map(|stream| &stream.0[..]).collect();
        let rows = self.pool.again(|connection| connection.query(ask, &[&streams]))?;
        let ends = rows.iter().map(|row| (StreamId(fixed(row.get(0))), head(row, 1)));
        Ok(ends.collect())
    }
}

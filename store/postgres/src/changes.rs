//! What changed lately, asked by each server several times a second in one round trip. Nothing is told by
//! the database itself: a notification in the transaction that appends would make all of them wait.

use std::collections::HashMap;
use std::time::Duration;

use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;

use crate::connection::Connection;
use crate::error::Trouble;
use crate::heads;
use crate::house::HouseError;
use crate::options::Options;
use crate::{PostgresLog, fixed, head, unsigned};

/// How patient whoever watches is: one who hears nothing says so, and asks again.
const PATIENCE: Duration = Duration::from_secs(2);

/// A change of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedStream {
    /// Which.
    pub stream: StreamId,
    /// Its end.
    pub head: Head,
    /// When it or its texts changed, in microseconds by the database's clock: only to be compared.
    pub at: i64,
}

/// What changed lately, or all there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The version of the house.
    pub house: u64,
    /// Streams.
    pub streams: Vec<ChangedStream>,
    /// Floors, each with how many entries it has.
    pub floors: Vec<(StreamId, u64)>,
    /// Whether the server takes changes: one that follows another one takes none.
    pub is_writable: bool,
}

/// Asks on a connection of its own, so that nobody who waits for one keeps it waiting.
pub struct Watcher {
    log: std::sync::Arc<PostgresLog>,
    connection: Option<Connection>,
    /// Whether the last change of this server waited for a standby: no further one is made to wait.
    lacks_standby: bool,
}

/// What changed in this slot of five seconds or in the last one.
const LATELY: &str = "SELECT 'h', NULL::bytea, version, NULL::bytea, 0::bigint, \
            NOT pg_is_in_recovery() FROM scrutineer.house \
     UNION ALL SELECT 's', stream, seq, hash, (extract(epoch FROM changed_at) * 1000000)::bigint, \
            true FROM scrutineer.streams \
            WHERE changed_slot >= floor(extract(epoch FROM clock_timestamp()) / 5)::bigint - 1 \
     UNION ALL SELECT 'f', stream, entries, NULL, 0, true FROM scrutineer.floors \
            WHERE changed_slot >= floor(extract(epoch FROM clock_timestamp()) / 5)::bigint - 1";
const ALL: &str = "SELECT 'h', NULL::bytea, version, NULL::bytea, 0::bigint, \
            NOT pg_is_in_recovery() FROM scrutineer.house \
     UNION ALL SELECT 's', stream, seq, hash, (extract(epoch FROM changed_at) * 1000000)::bigint, \
            true FROM scrutineer.streams \
     UNION ALL SELECT 'f', stream, entries, NULL, 0, true FROM scrutineer.floors";

impl Watcher {
    /// Watches the database of a log.
    pub fn new(log: std::sync::Arc<PostgresLog>) -> Watcher {
        Watcher { log, connection: None, lacks_standby: false }
    }

    /// What changed in the last five seconds or a little longer; or everything: then a tournament that does not go on
    /// from what this node has seen of it is noted, as [`PostgresLog::forks`] tells.
    ///
    /// # Errors
    /// Where the database does not answer within two seconds.
    pub fn look(&mut self, at_everything: bool) -> Result<Changes, HouseError> {
        let mut connection = match self.connection.take().filter(Connection::is_usable) {
            Some(connection) => connection,
            None => Connection::connect(&self.log.pool.address, &options(&self.log))?,
        };
        if self.lacks_standby {
            self.lacks_standby = connection.lacks_standby(PATIENCE)?;
            if self.lacks_standby {
                self.connection = Some(connection);
                return Err(Trouble::NoStandby { is_unknown: false }.into());
            }
        }
        let seen = if at_everything { self.log.fence().all() } else { Vec::new() };
        let rows = connection.query(if at_everything { ALL } else { LATELY }, &[])?;
        let renewed = self.log.leases.renew(&mut connection);
        // Who is told nothing by the next connection either is told so.
        self.lacks_standby = renewed.as_ref().is_err_and(Trouble::is_unknown);
        renewed?;
        let mut changes = Changes::default();
        for row in &rows {
            let stream = || StreamId(fixed(row.get(1)));
            match row.get::<_, &str>(0) {
                "h" => {
                    changes.house = unsigned(row.get(2));
                    changes.is_writable = row.get(5);
                }
                "s" => changes.streams.push(ChangedStream {
                    stream: stream(),
                    head: head(row, 2),
                    at: row.get(4),
                }),
                _ => changes.floors.push((stream(), unsigned(row.get(2)))),
            }
        }
        let ends: HashMap<StreamId, Head> =
            changes.streams.iter().map(|one| (one.stream, one.head)).collect();
        for (stream, seen) in seen {
            // Reading it finds a fork and notes it; what cannot be asked now is asked with the next look.
            let goes_on = |end: &Head| {
                *end == seen
                    || end.seq > seen.seq && self.log.fence().unproved(stream, *end).is_none()
            };
            if !ends.get(&stream).is_some_and(goes_on) {
                let _ = heads::read(&mut connection, self.log.fence(), stream);
            }
        }
        self.connection = Some(connection);
        Ok(changes)
    }

    /// Gives the leases of this server back, where it ends in order.
    pub fn end(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            // Otherwise they are over in a few seconds.
            let _ = self.log.leases.end(&mut connection);
        }
    }
}

fn options(log: &PostgresLog) -> Options {
    Options {
        connect_timeout: PATIENCE,
        statement_timeout: PATIENCE,
        answer: PATIENCE,
        patience: Duration::ZERO,
        ..log.pool.options.clone()
    }
}

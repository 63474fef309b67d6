//! Reading records page by page.

use std::iter::FusedIterator;
use std::vec;

use scrutineer_engine::log::{Head, LogError};
use scrutineer_engine::record::{Chain, ChainError, Record, RecordHash, StreamId};
use tokio_postgres::Row;

use crate::{PostgresLog, fixed, heads, signed, unsigned};

/// Records of one page: 16 MB of the largest ones.
const PAGE: i64 = 256;
/// Records of a page after one of short records.
const LONG_PAGE: i64 = 2_048;
/// The bytes of a page of short records.
const SHORT: usize = 256 << 10;

const OF_ONE: &str = "SELECT stream, seq, hash, bytes FROM scrutineer.records \
                      WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3";
const OF_ALL: &str = "SELECT stream, seq, hash, bytes FROM scrutineer.records \
                      WHERE (stream, seq) > ($1, $2) ORDER BY stream, seq LIMIT $3";

/// Records in the order of their streams and places. Between two pages no connection is held: rows
/// are only ever added, and those of one command all at once.
pub(crate) struct Pages<'a> {
    log: &'a PostgresLog,
    /// The only stream that is read; none: all of them.
    only: Option<StreamId>,
    /// The last place that was read.
    last: (StreamId, u64),
    /// How many records the next page has at most.
    most: i64,
    /// How far the stream must reach; asked for with the first page, before it.
    reach: Option<Head>,
    page: vec::IntoIter<Row>,
    chain: Option<Chain>,
    /// Nothing follows this page.
    ended: bool,
}

impl<'a> Pages<'a> {
    /// The records of a stream after a place.
    pub(crate) fn of(log: &'a PostgresLog, stream: StreamId, after: u64) -> Pages<'a> {
        Pages { only: Some(stream), last: (stream, after), ..Pages::of_all(log) }
    }

    /// The records of every stream.
    pub(crate) fn of_all(log: &'a PostgresLog) -> Pages<'a> {
        let (page, last) = (Vec::new().into_iter(), (StreamId([0; 16]), 0));
        Pages { log, only: None, last, most: PAGE, reach: None, page, chain: None, ended: false }
    }

    fn fetch(&mut self) -> Result<(), LogError> {
        let (stream, after) = (&self.last.0.0[..], signed(self.last.1));
        let (pool, fence, most) = (&self.log.pool, self.log.fence(), self.most);
        let rows = match (self.only, self.reach) {
            (Some(only), None) => {
                let (head, rows) = pool.again(|connection| {
                    heads::read_with(connection, fence, only, (OF_ONE, &[&stream, &after, &most]))
                })?;
                self.reach = Some(head);
                rows
            }
            (only, _) => {
                let ask = if only.is_some() { OF_ONE } else { OF_ALL };
                pool.again(|connection| connection.query(ask, &[&stream, &after, &most]))?
            }
        };
        self.ended = (rows.len() as i64) < most;
        let bytes: usize = rows.iter().map(|row| row.get::<_, &[u8]>(3).len()).sum();
        self.most = if bytes < SHORT { LONG_PAGE } else { PAGE };
        self.page = rows.into_iter();
        Ok(())
    }

    /// A record, if its bytes are what was stored and it follows the one before.
    fn check(&mut self, row: &Row) -> Result<Record, LogError> {
        let (stream, seq) = (StreamId(fixed(row.get(0))), unsigned(row.get(1)));
        let record = Record::read_with_hash(RecordHash(fixed(row.get(2))), row.get(3))
            .map_err(|fault| LogError::Unreadable { stream, seq, fault: Box::new(fault) })?;
        let broken = |fault| LogError::Broken { stream, fault };
        if self.last.0 != stream {
            (self.chain, self.last) = (None, (stream, 0));
        }
        let expected = self.last.1.saturating_add(1);
        match &mut self.chain {
            Some(chain) => chain.follows(&record).map_err(broken)?,
            none if expected == 1 => {
                none.insert(Chain::new(stream)).follows(&record).map_err(broken)?;
            }
            none => {
                let (found, header) = (record.header().stream, record.header().seq);
                if found != stream {
                    return Err(broken(ChainError::OtherStream { seq, expected: stream, found }));
                }
                if header != expected {
                    return Err(broken(ChainError::Gap { expected, found: header }));
                }
                *none = Some(Chain::after_record(&record));
            }
        }
        self.last = (stream, seq);
        Ok(record)
    }

    /// The next record, none at the end: where the stream must not end yet, its end is missing.
    fn step(&mut self) -> Result<Option<Record>, LogError> {
        loop {
            if let Some(row) = self.page.next() {
                return self.check(&row).map(Some);
            }
            if self.ended {
                break;
            }
            self.fetch()?;
        }
        let (stream, seq) = self.last;
        match self.reach.take() {
            Some(head) if head.seq > seq => {
                let fault = ChainError::Gap { expected: seq + 1, found: head.seq };
                Err(LogError::Broken { stream, fault })
            }
            _ => Ok(None),
        }
    }
}

impl Iterator for Pages<'_> {
    type Item = Result<Record, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.step().transpose();
        if matches!(next, Some(Err(_))) {
            (self.page, self.ended, self.reach) = (Vec::new().into_iter(), true, None);
        }
        next
    }
}

impl FusedIterator for Pages<'_> {}

//! The house of a store that several servers share: rows with one version, who changed what, and floors.

use std::fmt;

use scrutineer_engine::record::StreamId;
use tokio_postgres::types::ToSql;

use crate::connection::Values;
use crate::error::Trouble;
use crate::{PostgresLog, fixed, signed, unsigned};

/// Why the house of a database cannot be read or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseError {
    /// What the database said.
    pub reason: String,
    /// Whether it may answer soon: it is away, or another server takes over.
    pub is_passing: bool,
    /// Whether what was asked for may be done.
    pub is_unknown: bool,
}

impl fmt::Display for HouseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl From<Trouble> for HouseError {
    fn from(trouble: Trouble) -> HouseError {
        let is_unknown = trouble.is_unknown();
        let no_standby = matches!(trouble, Trouble::NoStandby { .. });
        let (reason, is_passing) = (trouble.reason(), trouble.is_passing() || no_standby);
        HouseError { reason, is_passing, is_unknown }
    }
}

/// A row of the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseRow {
    /// Its table.
    pub room: String,
    /// Its key.
    pub key: String,
    /// Its text; none: it was removed.
    pub content: Option<String>,
}

/// Rows of the house, and the version that they are of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HouseRead {
    /// The version.
    pub version: u64,
    /// Whether these are all rows there are, and not only what changed.
    pub is_whole: bool,
    /// The rows.
    pub rows: Vec<HouseRow>,
}

/// Who changed what, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseChange {
    /// Its number, from 1 on.
    pub seq: u64,
    /// When, as it was said.
    pub time: String,
    /// Who.
    pub by: String,
    /// What.
    pub what: String,
}

/// One change of the house.
#[derive(Clone, Copy, Debug)]
pub struct HouseCall<'a> {
    /// Random: a call whose answer was lost is asked for again.
    pub id: [u8; 16],
    /// The version that it was decided on; none: it holds for whatever stands.
    pub seen: Option<u64>,
    /// Rows by table and key; one without a text is removed.
    pub rows: &'a [(&'a str, &'a str, Option<&'a str>)],
    /// When, in words.
    pub time: &'a str,
    /// Who did what.
    pub told: &'a [(&'a str, &'a str)],
}

const ALL: &str = "SELECT h.version, r.room, r.key, r.content FROM scrutineer.house h \
     LEFT JOIN scrutineer.house_rows r ON r.content IS NOT NULL";
const BEHIND: &str = "SELECT h.version, r.room, r.key, r.content, h.forgotten \
     FROM scrutineer.house h LEFT JOIN scrutineer.house_rows r ON r.version > $1";

impl PostgresLog {
    fn rows(
        &self,
        statement: &'static str,
        values: &Values<'_>,
    ) -> Result<Vec<tokio_postgres::Row>, HouseError> {
        Ok(self.pool.again(|connection| connection.query(statement, values))?)
    }

    /// As [`PostgresLog::rows`], of a call that changes something and may be made again: whether an
    /// earlier try was carried out is not known where a later one fails.
    fn called(
        &self,
        statement: &'static str,
        values: &Values<'_>,
    ) -> Result<tokio_postgres::Row, HouseError> {
        let mut is_unknown = false;
        let answered = self.pool.again(|connection| {
            let answered = connection.query_one(statement, values);
            is_unknown |= answered.as_ref().is_err_and(Trouble::is_unknown);
            answered
        });
        answered.map_err(|trouble| {
            let error = HouseError::from(trouble);
            HouseError { is_unknown: is_unknown || error.is_unknown, ..error }
        })
    }

    /// Every row of the house.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn house(&self) -> Result<HouseRead, HouseError> {
        Ok(read(&self.rows(ALL, &[])?, true))
    }

    /// What changed in the house behind a version; where nobody knows that any more, every row.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn house_behind(&self, seen: u64) -> Result<HouseRead, HouseError> {
        let rows = self.rows(BEHIND, &[&signed(seen)])?;
        match rows.first().is_some_and(|row| unsigned(row.get(4)) > seen) {
            true => self.house(),
            false => Ok(read(&rows, false)),
        }
    }

    /// Changes the house, and returns its version after that; none: it is of another version than was
    /// seen, and nothing was done.
    ///
    /// # Errors
    /// Where the database does not answer: then it may be done.
    pub fn keep_house(&self, call: &HouseCall<'_>) -> Result<Option<u64>, HouseError> {
        let rooms: Vec<&str> = call.rows.iter().map(|(room, ..)| *room).collect();
        let keys: Vec<&str> = call.rows.iter().map(|(_, key, _)| *key).collect();
        let contents: Vec<Option<&str>> = call.rows.iter().map(|(.., text)| *text).collect();
        let by: Vec<&str> = call.told.iter().map(|(by, _)| *by).collect();
        let whats: Vec<&str> = call.told.iter().map(|(_, what)| *what).collect();
        let seen = call.seen.map(signed);
        let values: [&(dyn ToSql + Sync); 8] =
            [&&call.id[..], &seen, &rooms, &keys, &contents, &call.time, &by, &whats];
        let ask = "SELECT scrutineer.keep_house($1, $2, $3, $4, $5, $6, $7, $8)";
        let row = self.called(ask, &values)?;
        Ok(row.get::<_, Option<i64>>(0).map(unsigned))
    }

    /// The changes of the house behind a number, so many at most.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn house_changes(&self, after: u64, most: u32) -> Result<Vec<HouseChange>, HouseError> {
        let ask = "SELECT seq, said_at, by_whom, what FROM scrutineer.house_changes \
                   WHERE seq > $1 ORDER BY seq LIMIT $2";
        let rows = self.rows(ask, &[&signed(after), &i64::from(most)])?;
        let change = |row: &tokio_postgres::Row| HouseChange {
            seq: unsigned(row.get(0)),
            time: row.get(1),
            by: row.get(2),
            what: row.get(3),
        };
        Ok(rows.iter().map(change).collect())
    }

    /// The number of the last change of the house.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn last_house_change(&self) -> Result<u64, HouseError> {
        let ask = "SELECT coalesce(max(seq), 0) FROM scrutineer.house_changes";
        let rows = self.rows(ask, &[])?;
        Ok(rows.first().map_or(0, |row| unsigned(row.get(0))))
    }

    /// The entries of a floor behind the first so many.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn floor(&self, stream: StreamId, behind: u64) -> Result<Vec<String>, HouseError> {
        let ask = "SELECT content FROM scrutineer.floor_entries \
                   WHERE stream = $1 AND number >= $2 ORDER BY number";
        let rows = self.rows(ask, &[&&stream.0[..], &signed(behind)])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Adds an entry to a floor behind the first so many; false where another one stands there.
    ///
    /// # Errors
    /// Where the database does not answer: then it may be done.
    pub fn add_to_floor(
        &self,
        stream: StreamId,
        behind: u64,
        content: &str,
    ) -> Result<bool, HouseError> {
        let ask = "SELECT scrutineer.add_to_floor($1, $2, $3)";
        Ok(self.called(ask, &[&&stream.0[..], &signed(behind), &content])?.get(0))
    }

    /// Adds changes of a house that was kept elsewhere behind the first so many; false where others
    /// stand there.
    ///
    /// # Errors
    /// Where the database does not answer: then it may be done.
    pub fn bring_house_changes(
        &self,
        behind: u64,
        changes: &[HouseChange],
    ) -> Result<bool, HouseError> {
        let all = |of: fn(&HouseChange) -> &str| changes.iter().map(of).collect::<Vec<_>>();
        let (times, by) = (all(|one| &one.time), all(|one| &one.by));
        let ask = "SELECT scrutineer.bring_house_changes($1, $2, $3, $4)";
        let values: [&(dyn ToSql + Sync); 4] =
            [&signed(behind), &times, &by, &all(|one| &one.what)];
        Ok(self.called(ask, &values)?.get(0))
    }

    /// As [`PostgresLog::bring_house_changes`], entries of a floor.
    ///
    /// # Errors
    /// Where the database does not answer: then it may be done.
    pub fn bring_floor(
        &self,
        stream: StreamId,
        behind: u64,
        entries: &[String],
    ) -> Result<bool, HouseError> {
        let ask = "SELECT scrutineer.bring_floor($1, $2, $3)";
        Ok(self.called(ask, &[&&stream.0[..], &signed(behind), &entries])?.get(0))
    }

    /// Removes a floor.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn remove_floor(&self, stream: StreamId) -> Result<(), HouseError> {
        self.rows("SELECT scrutineer.remove_floor($1)", &[&&stream.0[..]]).map(|_| ())
    }

    /// The tournaments that have a floor.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn floors(&self) -> Result<Vec<StreamId>, HouseError> {
        let ask = "SELECT stream FROM scrutineer.floors WHERE entries > 0 ORDER BY stream";
        let rows = self.rows(ask, &[])?;
        Ok(rows.iter().map(|row| StreamId(fixed(row.get(0)))).collect())
    }
}

fn read(rows: &[tokio_postgres::Row], is_whole: bool) -> HouseRead {
    let version = rows.first().map_or(0, |row| unsigned(row.get(0)));
    let rows = rows.iter().filter_map(|row| {
        // A house in which nothing is has one row without a room.
        let room = row.get::<_, Option<String>>(1)?;
        Some(HouseRow { room, key: row.get(2), content: row.get(3) })
    });
    HouseRead { version, is_whole, rows: rows.collect() }
}

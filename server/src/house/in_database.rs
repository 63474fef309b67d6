//! The rows of a house in a database, which several servers share.

use super::rows::{Keeping, Read, Row, Rows};
use super::{Change, House, not_kept, now, random, told_time};
use crate::problem::waiting_for_database;
use scrutineer_desk::floor::Floor;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_postgres::{HouseCall, HouseChange, HouseError, HouseRead, PostgresLog};
use std::sync::Arc;

/// The rows in a database.
pub(super) struct DatabaseRows(pub(super) Arc<PostgresLog>);

impl House {
    /// Opens the house in a database.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub fn in_database(log: Arc<PostgresLog>) -> Result<House, VerbError> {
        House::of(Arc::new(DatabaseRows(log)), None)
    }
}

/// Returns the floor of a tournament from a database; an empty one where nothing was done.
pub(crate) fn floor_in_database(log: &PostgresLog, stream: StreamId) -> Result<Floor, VerbError> {
    let texts = log.floor(stream, 0).map_err(failed)?;
    let entries = texts.iter().map(|text| serde_json::from_str(text).map_err(not_kept));
    Ok(Floor::of(entries.collect::<Result<Vec<_>, VerbError>>()?))
}

fn failed(error: HouseError) -> VerbError {
    match error {
        HouseError { is_passing: false, .. } => not_kept(error),
        HouseError { is_unknown: true, reason, .. } => {
            let message = format!("nobody can say yet whether this was done ({reason})");
            let code = Code::unknown_outcome("outcome-unknown");
            VerbError::new(code, message, "look whether it was done, or send the same again")
        }
        HouseError { reason, .. } => waiting_for_database(&reason),
    }
}

fn taken(read: HouseRead) -> Read {
    let rows = read.rows.into_iter();
    let rows = rows.map(|row| Row { table: row.room, key: row.key, text: row.content });
    Read { version: read.version, is_whole: read.is_whole, rows: rows.collect() }
}

impl Rows for DatabaseRows {
    fn all(&self) -> Result<Read, VerbError> {
        self.0.house().map(taken).map_err(failed)
    }

    fn behind(&self, seen: u64) -> Result<Read, VerbError> {
        self.0.house_behind(seen).map(taken).map_err(failed)
    }

    fn keep(&self, keeping: &Keeping<'_>) -> Result<Option<u64>, VerbError> {
        let rows = keeping.rows.iter().map(|(table, key, text)| (*table, *key, text.as_deref()));
        let told = keeping.told.iter().map(|(by, what)| (*by, what.as_str()));
        let call = HouseCall {
            id: random::<16>()?,
            seen: keeping.seen,
            rows: &rows.collect::<Vec<_>>(),
            time: &told_time(now()),
            told: &told.collect::<Vec<_>>(),
        };
        self.0.keep_house(&call).map_err(failed)
    }

    fn changed_after(&self, after: u64, most: usize) -> Result<Vec<Change>, VerbError> {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let changes = self.0.house_changes(after, most).map_err(failed)?.into_iter();
        let change =
            |one: HouseChange| Change { seq: one.seq, time: one.time, by: one.by, what: one.what };
        Ok(changes.map(change).collect())
    }

    fn last_change(&self) -> Result<u64, VerbError> {
        self.0.last_house_change().map_err(failed)
    }

    fn floor(&self, stream: StreamId, behind: u64) -> Result<Vec<String>, VerbError> {
        self.0.floor(stream, behind).map_err(failed)
    }

    fn add_to_floor(&self, stream: StreamId, behind: u64, text: &str) -> Result<bool, VerbError> {
        self.0.add_to_floor(stream, behind, text).map_err(failed)
    }

    fn remove_floor(&self, stream: StreamId) -> Result<(), VerbError> {
        self.0.remove_floor(stream).map_err(failed)
    }

    fn floors(&self) -> Result<Vec<StreamId>, VerbError> {
        self.0.floors().map_err(failed)
    }

    fn bring_changes(&self, behind: u64, changes: &[Change]) -> Result<bool, VerbError> {
        let change = |one: &Change| HouseChange {
            seq: one.seq,
            time: one.time.clone(),
            by: one.by.clone(),
            what: one.what.clone(),
        };
        let changes: Vec<HouseChange> = changes.iter().map(change).collect();
        self.0.bring_house_changes(behind, &changes).map_err(failed)
    }

    fn bring_floor(
        &self,
        stream: StreamId,
        behind: u64,
        texts: &[String],
    ) -> Result<bool, VerbError> {
        self.0.bring_floor(stream, behind, texts).map_err(failed)
    }
}

//! The floors as they are kept: a table of the house's file, to which entries are only added until
//! a tournament is over.

use crate::house::not_kept;
use redb::{Database, ReadableDatabase, TableDefinition, TableError};
use scrutineer_desk::floor::{Entry, Floor};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;

/// What was done, by tournament and number.
const FLOOR: TableDefinition<'_, &[u8], &str> = TableDefinition::new("floor");

fn key(stream: StreamId, number: u64) -> Vec<u8> {
    [&stream.0[..], &number.to_be_bytes()].concat()
}

/// Returns the floor of a tournament; an empty one where nothing was done.
///
/// # Errors
/// Where the file cannot be read.
pub fn read(kept: &impl ReadableDatabase, stream: StreamId) -> Result<Floor, VerbError> {
    let read = kept.begin_read().map_err(not_kept)?;
    let table = match read.open_table(FLOOR) {
        Ok(table) => table,
        Err(TableError::TableDoesNotExist(_)) => return Ok(Floor::default()),
        Err(error) => return Err(not_kept(error)),
    };
    let (first, last) = (key(stream, 0), key(stream, u64::MAX));
    let mut floor = Floor::default();
    for row in table.range(&first[..]..=&last[..]).map_err(not_kept)? {
        let (_, text) = row.map_err(not_kept)?;
        floor.add(serde_json::from_str(text.value()).map_err(not_kept)?);
    }
    Ok(floor)
}

/// Adds entries behind the first so many, durably.
///
/// # Errors
/// Where the file cannot be written.
pub fn add(
    kept: &Database,
    stream: StreamId,
    behind: u64,
    entries: &[Entry],
) -> Result<(), VerbError> {
    let write = kept.begin_write().map_err(not_kept)?;
    {
        let mut table = write.open_table(FLOOR).map_err(not_kept)?;
        for (number, entry) in (behind..).zip(entries) {
            let text = serde_json::to_string(entry).map_err(not_kept)?;
            table.insert(&key(stream, number)[..], text.as_str()).map_err(not_kept)?;
        }
    }
    write.commit().map_err(not_kept)
}

/// Removes the floor of a tournament.
///
/// # Errors
/// Where the file cannot be written.
pub fn remove(kept: &Database, stream: StreamId) -> Result<(), VerbError> {
    let write = kept.begin_write().map_err(not_kept)?;
    {
        let mut table = write.open_table(FLOOR).map_err(not_kept)?;
        let (first, last) = (key(stream, 0), key(stream, u64::MAX));
        table.retain_in(&first[..]..=&last[..], |_, _| false).map_err(not_kept)?;
    }
    write.commit().map_err(not_kept)
}

/// Returns the tournaments that have a floor.
///
/// # Errors
/// Where the file cannot be read.
pub fn streams(kept: &Database) -> Result<Vec<StreamId>, VerbError> {
    let read = kept.begin_read().map_err(not_kept)?;
    let table = match read.open_table(FLOOR) {
        Ok(table) => table,
        Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        Err(error) => return Err(not_kept(error)),
    };
    let (mut found, mut from) = (Vec::new(), Vec::new());
    // From one tournament to the next, over all that lies between.
    loop {
        let next = table.range(&from[..]..).map_err(not_kept)?.next().transpose();
        let Some((row, _)) = next.map_err(not_kept)? else { return Ok(found) };
        let mut stream = [0; 16];
        stream.copy_from_slice(row.value().get(..16).unwrap_or(&[0; 16]));
        found.push(StreamId(stream));
        from = key(StreamId(stream), u64::MAX);
        from.push(0);
    }
}

//! The rows of a house in a file, which is one server's alone.

use super::rows::{Keeping, Read, Row, Rows, Table, sent_id, sent_key, sent_of, sent_text};
use super::{
    ACCOUNTS, Change, Kind, MOVED, inbox::INBOX, not_kept, notices::NOTICES, notices::TOLD,
    players::PLAYERS, policies::POLICIES, policies::SHOWN, screens::SCREENS, sent::SENT,
    webhooks::REACHED, webhooks::WEBHOOKS,
};
use redb::{
    Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, TableError,
    WriteTransaction,
};
use scrutineer_desk::floor::Floor;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use std::ops::Deref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Texts by texts.
type Texts<'a> = TableDefinition<'a, &'static str, &'static str>;

const CHANGES: TableDefinition<'_, u64, &str> = TableDefinition::new("changes");
/// When something was sent under the key of a command, and its digest.
const SENT_ROWS: TableDefinition<'_, u128, (u64, [u8; 16])> = TableDefinition::new(SENT);
/// What was done on the floors, by tournament and number.
const FLOOR: TableDefinition<'_, &[u8], &str> = TableDefinition::new("floor");

/// The tables of texts by texts.
const TEXTS: [Table; 14] = [
    ACCOUNTS,
    MOVED,
    Kind::Link.table(),
    Kind::Session.table(),
    Kind::Token.table(),
    PLAYERS,
    SCREENS,
    INBOX,
    WEBHOOKS,
    REACHED,
    POLICIES,
    SHOWN,
    NOTICES,
    TOLD,
];

/// The rows in a file. Nobody else changes them: they have one version for ever.
pub(super) struct FileRows {
    pub(super) kept: Database,
    /// Held by readers, and alone while pages are cleared that were let go: whoever began to read before may
    /// still need them.
    reads: RwLock<()>,
}

/// A transaction that reads.
struct Reading<'a> {
    read: ReadTransaction,
    _held: RwLockReadGuard<'a, ()>,
}

impl Deref for Reading<'_> {
    type Target = ReadTransaction;

    fn deref(&self) -> &ReadTransaction {
        &self.read
    }
}

impl FileRows {
    /// The rows in this file. A table that was never written is made, so that it can be read.
    pub(super) fn of(kept: Database) -> Result<FileRows, VerbError> {
        let write = kept.begin_write().map_err(not_kept)?;
        write.open_table(CHANGES).map_err(not_kept)?;
        write.open_table(SENT_ROWS).map_err(not_kept)?;
        for table in TEXTS {
            write.open_table(Texts::new(table)).map_err(not_kept)?;
        }
        write.commit().map_err(not_kept)?;
        Ok(FileRows { kept, reads: RwLock::default() })
    }

    fn held(&self) -> RwLockReadGuard<'_, ()> {
        self.reads.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn reading(&self) -> Result<Reading<'_>, VerbError> {
        let held = self.held();
        Ok(Reading { read: self.kept.begin_read().map_err(not_kept)?, _held: held })
    }

    /// Waits until nobody reads; nobody begins to meanwhile.
    pub(super) fn clearing(&self) -> RwLockWriteGuard<'_, ()> {
        self.reads.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(
        &self,
        work: impl FnOnce(&WriteTransaction) -> Result<(), VerbError>,
    ) -> Result<(), VerbError> {
        let write = self.kept.begin_write().map_err(not_kept)?;
        work(&write)?;
        write.commit().map_err(not_kept)
    }
}

fn put(
    write: &WriteTransaction,
    table: &str,
    key: &str,
    text: Option<&str>,
) -> Result<(), VerbError> {
    if table == SENT {
        let (mut rows, id) = (write.open_table(SENT_ROWS).map_err(not_kept)?, sent_id(key)?);
        match text {
            Some(text) => drop(rows.insert(id, sent_of(text)?).map_err(not_kept)?),
            None => drop(rows.remove(id).map_err(not_kept)?),
        }
        return Ok(());
    }
    // One that is only in newer versions would not be read back.
    let table = TEXTS.into_iter().find(|known| *known == table);
    let table = table.ok_or_else(|| not_kept("it has a table of a newer version"))?;
    let mut rows = write.open_table(Texts::new(table)).map_err(not_kept)?;
    match text {
        Some(text) => drop(rows.insert(key, text).map_err(not_kept)?),
        None => drop(rows.remove(key).map_err(not_kept)?),
    }
    Ok(())
}

fn tell(write: &WriteTransaction, by: &str, what: &str) -> Result<(), VerbError> {
    let mut table = write.open_table(CHANGES).map_err(not_kept)?;
    let last = table.last().map_err(not_kept)?.map_or(0, |(seq, _)| seq.value());
    let text = Change::now(last + 1, by, what).text()?;
    table.insert(last + 1, text.as_str()).map_err(not_kept)?;
    Ok(())
}

impl Rows for FileRows {
    fn bring_changes(&self, behind: u64, changes: &[Change]) -> Result<bool, VerbError> {
        if self.last_change()? != behind {
            return Ok(false);
        }
        self.writing(|write| {
            let mut table = write.open_table(CHANGES).map_err(not_kept)?;
            for change in changes {
                table.insert(change.seq, change.text()?.as_str()).map_err(not_kept)?;
            }
            Ok(())
        })?;
        Ok(true)
    }

    fn bring_floor(
        &self,
        stream: StreamId,
        behind: u64,
        texts: &[String],
    ) -> Result<bool, VerbError> {
        if !self.floor(stream, behind)?.is_empty() {
            return Ok(false);
        }
        self.writing(|write| {
            let mut table = write.open_table(FLOOR).map_err(not_kept)?;
            for (number, text) in (behind..).zip(texts) {
                table.insert(&floor_key(stream, number)[..], text.as_str()).map_err(not_kept)?;
            }
            Ok(())
        })?;
        Ok(true)
    }

    fn all(&self) -> Result<Read, VerbError> {
        let read = self.reading()?;
        let mut rows = Vec::new();
        for table in TEXTS {
            for row in
                read.open_table(Texts::new(table)).map_err(not_kept)?.iter().map_err(not_kept)?
            {
                let (key, text) = row.map_err(not_kept)?;
                let (key, text) = (key.value().to_string(), Some(text.value().to_string()));
                rows.push(Row { table: table.to_string(), key, text });
            }
        }
        for row in read.open_table(SENT_ROWS).map_err(not_kept)?.iter().map_err(not_kept)? {
            let (id, sent) = row.map_err(not_kept)?;
            let (key, text) = (sent_key(id.value()), Some(sent_text(sent.value())));
            rows.push(Row { table: SENT.to_string(), key, text });
        }
        Ok(Read { version: 0, is_whole: true, rows })
    }

    fn behind(&self, _: u64) -> Result<Read, VerbError> {
        Ok(Read::default())
    }

    fn keep(&self, keeping: &Keeping<'_>) -> Result<Option<u64>, VerbError> {
        self.writing(|write| {
            for (table, key, text) in keeping.rows {
                put(write, table, key, text.as_deref())?;
            }
            keeping.told.iter().try_for_each(|(by, what)| tell(write, by, what))
        })?;
        Ok(Some(0))
    }

    fn changed_after(&self, after: u64, most: usize) -> Result<Vec<Change>, VerbError> {
        let read = self.reading()?;
        let table = read.open_table(CHANGES).map_err(not_kept)?;
        let rows = table.range(after.saturating_add(1)..).map_err(not_kept)?;
        let rows = rows.take(most).map(|row| {
            let (_, text) = row.map_err(not_kept)?;
            serde_json::from_str(text.value()).map_err(not_kept)
        });
        rows.collect()
    }

    fn last_change(&self) -> Result<u64, VerbError> {
        let read = self.reading()?;
        let table = read.open_table(CHANGES).map_err(not_kept)?;
        Ok(table.last().map_err(not_kept)?.map_or(0, |(seq, _)| seq.value()))
    }

    fn floor(&self, stream: StreamId, behind: u64) -> Result<Vec<String>, VerbError> {
        let _held = self.held();
        texts_of_floor(&self.kept, stream, behind)
    }

    fn add_to_floor(&self, stream: StreamId, behind: u64, text: &str) -> Result<bool, VerbError> {
        self.bring_floor(stream, behind, &[text.to_string()])
    }

    fn remove_floor(&self, stream: StreamId) -> Result<(), VerbError> {
        self.writing(|write| {
            let mut table = write.open_table(FLOOR).map_err(not_kept)?;
            let (first, last) = (floor_key(stream, 0), floor_key(stream, u64::MAX));
            table.retain_in(&first[..]..=&last[..], |_, _| false).map_err(not_kept)
        })
    }

    fn floors(&self) -> Result<Vec<StreamId>, VerbError> {
        let read = self.reading()?;
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
            from = floor_key(StreamId(stream), u64::MAX);
            from.push(0);
        }
    }
}

#[cfg(test)]
impl super::House {
    /// From now on nothing can be kept of the floors: their table is one of something else.
    pub(crate) fn break_floors(&self) {
        let rows = &self.file.as_ref().expect("its file").rows;
        let write = rows.kept.begin_write().expect("begun");
        write.open_table(TableDefinition::<u64, u64>::new("floor")).expect("made");
        write.commit().expect("kept");
    }
}

fn floor_key(stream: StreamId, number: u64) -> Vec<u8> {
    [&stream.0[..], &number.to_be_bytes()].concat()
}

fn texts_of_floor(
    kept: &impl ReadableDatabase,
    stream: StreamId,
    behind: u64,
) -> Result<Vec<String>, VerbError> {
    let table = match kept.begin_read().map_err(not_kept)?.open_table(FLOOR) {
        Ok(table) => table,
        Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        Err(error) => return Err(not_kept(error)),
    };
    let (first, last) = (floor_key(stream, behind), floor_key(stream, u64::MAX));
    let rows = table.range(&first[..]..=&last[..]).map_err(not_kept)?;
    rows.map(|row| Ok(row.map_err(not_kept)?.1.value().to_string())).collect()
}

/// Returns the floor of a tournament from a file that nobody has open; an empty one where nothing was done.
pub(crate) fn floor_in(kept: &impl ReadableDatabase, stream: StreamId) -> Result<Floor, VerbError> {
    let texts = texts_of_floor(kept, stream, 0)?;
    let entries = texts.iter().map(|text| serde_json::from_str(text).map_err(not_kept));
    Ok(Floor::of(entries.collect::<Result<Vec<_>, VerbError>>()?))
}

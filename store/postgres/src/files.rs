//! Side files: one row for each, changed by one statement that compares first.

use postgres::types::ToSql;
use scrutineer_engine::files::{FileError, Room, SideFile, SideFiles};
use scrutineer_engine::record::StreamId;

use crate::{PostgresLog, fixed, reason, signed, unsigned};

impl PostgresLog {
    /// Runs a statement whose first parameters are the file's key, and gives how many rows it
    /// changed.
    fn change(
        &self,
        file: SideFile,
        statement: &str,
        more: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, FileError> {
        let (room, number) = (i16::from(file.room.code()), signed(file.number));
        let stream = bytes_of(&file.stream);
        let mut all: Vec<&(dyn ToSql + Sync)> = vec![&room, &stream, &number];
        all.extend_from_slice(more);
        self.with(|client| client.execute(statement, &all))
            .map_err(|error| self.failed("write", file, &error))
    }

    fn failed(&self, action: &'static str, file: SideFile, error: &postgres::Error) -> FileError {
        FileError::Io { action, file: self.called(file), reason: reason(error) }
    }

    /// Whether the one row was changed: otherwise it was not what the caller had seen.
    fn compared(&self, file: SideFile, rows: u64) -> Result<(), FileError> {
        if rows == 1 { Ok(()) } else { Err(FileError::Changed { file: self.called(file) }) }
    }
}

fn bytes_of(stream: &Option<StreamId>) -> &[u8] {
    stream.as_ref().map_or(&[], |stream| &stream.0)
}

impl SideFiles for PostgresLog {
    fn get(&self, file: SideFile, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        let ask = "SELECT CASE WHEN octet_length(content) <= $4::bigint THEN content END \
                   FROM side_files WHERE room = $1 AND stream = $2 AND number = $3";
        let (room, number) = (i16::from(file.room.code()), signed(file.number));
        let (stream, limit) = (bytes_of(&file.stream), signed(most));
        let row = self.with(|client| client.query_opt(ask, &[&room, &stream, &number, &limit]));
        match row.map_err(|error| self.failed("read", file, &error))? {
            None => Ok(None),
            Some(row) => {
                let content: Option<Vec<u8>> = row.get(0);
                let too_long = || FileError::TooLong { file: self.called(file), most };
                content.map(Some).ok_or_else(too_long)
            }
        }
    }

    fn list(
        &self,
        room: Room,
        stream: Option<StreamId>,
    ) -> Result<Vec<(SideFile, u64)>, FileError> {
        let ask = "SELECT stream, number, octet_length(content)::bigint FROM side_files \
                   WHERE room = $1 AND (stream = $2 OR $2 IS NULL) ORDER BY stream, number";
        let (code, only) = (i16::from(room.code()), stream.as_ref().map(|stream| &stream.0[..]));
        let rows = self
            .with(|client| client.query(ask, &[&code, &only]))
            .map_err(|error| self.failed("list", SideFile { room, stream, number: 0 }, &error))?;
        let listed = rows.iter().map(|row| {
            let stream: &[u8] = row.get(0);
            let stream = (!stream.is_empty()).then(|| StreamId(fixed(stream)));
            (SideFile { room, stream, number: unsigned(row.get(1)) }, unsigned(row.get(2)))
        });
        Ok(listed.collect())
    }

    fn append(&self, file: SideFile, seen: u64, keep: u64, bytes: &[u8]) -> Result<(), FileError> {
        let (true, Ok(kept)) = (keep <= seen, i32::try_from(keep)) else {
            return self.compared(file, 0);
        };
        let rows = if seen == 0 {
            let statement = "INSERT INTO side_files VALUES ($1, $2, $3, $4) \
                             ON CONFLICT (room, stream, number) DO UPDATE \
                             SET content = excluded.content WHERE side_files.content = ''";
            self.change(file, statement, &[&bytes])?
        } else {
            let statement = "UPDATE side_files SET content = substring(content FOR $4) || $5 \
                             WHERE room = $1 AND stream = $2 AND number = $3 \
                             AND octet_length(content) = $6::bigint";
            self.change(file, statement, &[&kept, &bytes, &signed(seen)])?
        };
        self.compared(file, rows)
    }

    fn replace(&self, file: SideFile, seen: Option<&[u8]>, bytes: &[u8]) -> Result<(), FileError> {
        let rows = match seen {
            None => {
                let statement =
                    "INSERT INTO side_files VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
                self.change(file, statement, &[&bytes])?
            }
            Some(seen) => {
                let statement = "UPDATE side_files SET content = $4 WHERE room = $1 \
                                 AND stream = $2 AND number = $3 AND content = $5";
                self.change(file, statement, &[&bytes, &seen])?
            }
        };
        self.compared(file, rows)
    }

    fn remove(&self, file: SideFile) -> Result<bool, FileError> {
        let statement = "DELETE FROM side_files WHERE room = $1 AND stream = $2 AND number = $3";
        Ok(self.change(file, statement, &[])? == 1)
    }

    fn called(&self, file: SideFile) -> String {
        let stream = file.stream.map_or(String::new(), |stream| format!("/{stream}"));
        format!("{}{stream} of the database", file.room.word())
    }
}

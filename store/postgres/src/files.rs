//! Side files: a row for each and rows for its pieces, changed by functions that compare first. Secret
//! ones stand there encrypted.

use std::path::Path;

use scrutineer_engine::files::{FileError, FileKind, Room, SideFile, SideFiles};
use scrutineer_engine::log::LogError;
use scrutineer_engine::record::StreamId;

use crate::connection::Values;
use crate::error::Trouble;
use crate::key::{self, Key, MORE};
use crate::options::KeyFrom;
use crate::{PostgresLog, fixed, signed, unsigned};

impl PostgresLog {
    /// Calls a function whose first values are the file's key, and gives its answer.
    fn call(
        &self,
        file: SideFile,
        function: &'static str,
        more: &Values<'_>,
    ) -> Result<bool, FileError> {
        let (room, number) = (i16::from(file.room.code()), signed(file.number));
        let stream = bytes_of(&file.stream);
        let mut all: Vec<_> = vec![&room as _, &stream as _, &number as _];
        all.extend_from_slice(more);
        // Where an answer was lost and it was done, the file is another one now: its caller reads it.
        let row = self.pool.again(|connection| connection.query_one(function, &all));
        row.map(|row| row.get(0)).map_err(failed)
    }

    /// The key of secret files, once it is known to be the one that the database is used with.
    fn key(&self, file: SideFile) -> Result<&Key, FileError> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let refused = |what: String| FileError::Key { file: self.called(file), what };
        let unread = |at: &Path, error: &std::io::Error| {
            refused(format!("is encrypted, and its key {} can't be used: {error}", at.display()))
        };
        let (key, made) = match &self.pool.options.key {
            KeyFrom::Nowhere => return Err(refused(key::NO_KEY.to_string())),
            KeyFrom::Given(key) => (key.clone(), None),
            KeyFrom::File(at) => match Key::read(at).map_err(|error| unread(at, &error))? {
                Some(key) => (key, None),
                None if self.key_in_use(None)?.is_some() => {
                    // Another thread of this node may have made it just now: its file was there first.
                    let read = Key::read(at).map_err(|error| unread(at, &error))?;
                    (read.ok_or_else(|| refused(key::NO_KEY.to_string()))?, None)
                }
                None => (Key::read_or_make(at).map_err(|error| unread(at, &error))?, Some(at)),
            },
        };
        let used = self.key_in_use(Some(&key.name()))?;
        if used.as_deref() != Some(&key.name()[..]) {
            // Another node was first, with a key of its own.
            made.map(std::fs::remove_file).transpose().ok();
            return Err(refused(key::other(&used.unwrap_or_default(), &key)));
        }
        Ok(self.key.get_or_init(|| key))
    }

    /// Looks whether the key that this machine has is the one that the database is used with. One that has none reads,
    /// and records what needs no secret.
    ///
    /// # Errors
    /// [`FileError::Key`] where it is another one, and where it or the database cannot be read.
    pub fn check_key(&self) -> Result<(), FileError> {
        let has_one = match &self.pool.options.key {
            KeyFrom::Nowhere => false,
            KeyFrom::Given(_) => true,
            KeyFrom::File(at) => !matches!(Key::read(at), Ok(None)),
        };
        if has_one && self.key_in_use(None)?.is_some() {
            self.key(SideFile::of_all(Room::Secrets))?;
        }
        Ok(())
    }

    /// The name of the key that the database is used with: this one, if there was none.
    fn key_in_use(&self, name: Option<&[u8]>) -> Result<Option<Vec<u8>>, FileError> {
        let ask = "SELECT scrutineer.use_key($1)";
        let row = self.pool.again(|connection| connection.query_one(ask, &[&name]));
        row.map(|row| row.get(0)).map_err(failed)
    }

    /// What stands in the database, and what it means: a secret file stands there encrypted.
    fn opened(&self, file: SideFile, most: u64) -> Result<Option<Opened>, FileError> {
        let key = self.key(file)?;
        let Some(locked) = self.stored(file, most.saturating_add(MORE))? else { return Ok(None) };
        let content = key.unlock(file, &locked).map_err(|why| FileError::Key {
            file: self.called(file),
            what: key::told(&why, key),
        })?;
        Ok(Some(Opened { locked, content }))
    }

    /// Replaces a secret file by what follows from its content; none: it was changed meanwhile.
    fn reseal(
        &self,
        file: SideFile,
        change: impl FnOnce(Option<&[u8]>) -> Option<Vec<u8>>,
    ) -> Result<(), FileError> {
        let there = self.opened(file, u64::MAX)?;
        let locked = there.as_ref().map(|there| &there.locked[..]);
        let content = there.as_ref().map(|there| &there.content[..]);
        let Some(new) = change(content) else { return self.compared(file, false) };
        let new = self.key(file)?.lock(file, &new).map_err(|error| FileError::Io {
            action: "encrypt",
            file: self.called(file),
            reason: error.to_string(),
        })?;
        self.compared(file, self.call(file, REPLACE, &[&locked, &&new[..]])?)
    }

    /// What stands in the database.
    fn stored(&self, file: SideFile, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        let ask = "SELECT CASE WHEN f.length <= $4 THEN coalesce((\
                       SELECT string_agg(p.bytes, '' ORDER BY p.place) FROM scrutineer.side_pieces p \
                       WHERE p.room = $1 AND p.stream = $2 AND p.number = $3), '') END \
                   FROM scrutineer.side_files f \
                   WHERE f.room = $1 AND f.stream = $2 AND f.number = $3";
        let (room, number) = (i16::from(file.room.code()), signed(file.number));
        let (stream, limit) = (bytes_of(&file.stream), signed(most));
        let row = self
            .pool
            .again(|connection| connection.query_opt(ask, &[&room, &stream, &number, &limit]));
        match row.map_err(failed)? {
            None => Ok(None),
            Some(row) => {
                let content: Option<Vec<u8>> = row.get(0);
                let too_long = || FileError::TooLong { file: self.called(file), most };
                content.map(Some).ok_or_else(too_long)
            }
        }
    }

    /// Whether the file was what the caller had seen.
    fn compared(&self, file: SideFile, is_same: bool) -> Result<(), FileError> {
        if is_same { Ok(()) } else { Err(FileError::Changed { file: self.called(file) }) }
    }
}

/// The database, and no disk of this machine: whoever is told looks there.
fn failed(trouble: Trouble) -> FileError {
    LogError::from(trouble).into()
}

/// A secret file as it stands in the database, and what it holds.
struct Opened {
    locked: Vec<u8>,
    content: Vec<u8>,
}

const REPLACE: &str = "SELECT scrutineer.replace_file($1, $2, $3, $4, $5)";

/// Whether files of this room stand there encrypted.
fn is_secret(room: Room) -> bool {
    room.kind() == FileKind::Secret
}

fn bytes_of(stream: &Option<StreamId>) -> &[u8] {
    stream.as_ref().map_or(&[], |stream| &stream.0)
}

impl SideFiles for PostgresLog {
    fn get(&self, file: SideFile, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        if is_secret(file.room) {
            return Ok(self.opened(file, most)?.map(|there| there.content));
        }
        self.stored(file, most)
    }

    fn list(
        &self,
        room: Room,
        stream: Option<StreamId>,
    ) -> Result<Vec<(SideFile, u64)>, FileError> {
        let ask = "SELECT stream, number, length FROM scrutineer.side_files \
                   WHERE room = $1 AND (stream = $2 OR $2 IS NULL) ORDER BY stream, number";
        let (code, only) = (i16::from(room.code()), stream.as_ref().map(|stream| &stream.0[..]));
        let rows = self.pool.again(|connection| connection.query(ask, &[&code, &only]));
        let rows = rows.map_err(failed)?;
        let listed = rows.iter().map(|row| {
            let stream: &[u8] = row.get(0);
            let stream = (!stream.is_empty()).then(|| StreamId(fixed(stream)));
            let length = unsigned(row.get(2));
            let length = if is_secret(room) { length.saturating_sub(MORE) } else { length };
            (SideFile { room, stream, number: unsigned(row.get(1)) }, length)
        });
        Ok(listed.collect())
    }

    fn append(&self, file: SideFile, seen: u64, keep: u64, bytes: &[u8]) -> Result<(), FileError> {
        if is_secret(file.room) {
            return self.reseal(file, |content| {
                let content = content.unwrap_or_default();
                let kept = content.get(..usize::try_from(keep).ok()?)?;
                (content.len() as u64 == seen).then(|| [kept, bytes].concat())
            });
        }
        let (seen, keep) = (signed(seen), signed(keep));
        let append = "SELECT scrutineer.append_file($1, $2, $3, $4, $5, $6)";
        self.compared(file, self.call(file, append, &[&seen, &keep, &bytes])?)
    }

    fn replace(&self, file: SideFile, seen: Option<&[u8]>, bytes: &[u8]) -> Result<(), FileError> {
        if is_secret(file.room) {
            return self.reseal(file, |content| (content == seen).then(|| bytes.to_vec()));
        }
        self.compared(file, self.call(file, REPLACE, &[&seen, &bytes])?)
    }

    fn remove(&self, file: SideFile) -> Result<bool, FileError> {
        self.call(file, "SELECT scrutineer.remove_file($1, $2, $3)", &[])
    }

    fn called(&self, file: SideFile) -> String {
        let stream = file.stream.map_or(String::new(), |stream| format!("/{stream}"));
        format!("{}{stream} of the database", file.room.word())
    }
}

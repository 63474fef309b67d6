//! What another store of the same tournaments lacks of one: whole commands, the texts that they commit
//! to, and what stands beside the log. A second laptop takes it in, at its own head and no other.

use super::{Store, StoreError, again};
use scrutineer_engine::book::{Field, Kept, PrivateEntry};
use scrutineer_engine::event::Event;
use scrutineer_engine::files::{Room, SideFile};
use scrutineer_engine::handler::{CommandError, event_of};
use scrutineer_engine::log::{AppendError, Head};
use scrutineer_engine::record::{Record, RecordHash, StreamId};
use scrutineer_replay::kept::KeptError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many bytes of records are given at once, if the first command is not longer by itself.
const AT_ONCE: usize = 1 << 20;
/// The longest file beside the log that is given.
const LONGEST_FILE: u64 = 64 << 20;
/// The files of a tournament that a desk needs, and the one of all tournaments.
const ROOMS: [Room; 5] =
    [Room::Secrets, Room::Announced, Room::Checkpoints, Room::Exports, Room::Followed];

/// What to do where two laptops went on in different ways.
pub const PARTED_HINT: &str = "keep both stores; bring what one has more to the desk that goes on: \
     `scrutineer export --handover` on the one, `scrutineer adopt <handover>` on the other; then a second \
     laptop begins anew, in a new folder with a new code";

/// What a store lacks of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    commands: Vec<Command>,
    texts: Vec<Text>,
    files: Vec<(u8, Vec<u8>)>,
    /// Whether there is more behind it.
    pub more: bool,
}

/// A command: the digest that it was recorded with, and its records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Command {
    digest: [u8; 32],
    records: Vec<Vec<u8>>,
}

/// A private text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Text {
    number: u32,
    field: u8,
    salt: [u8; 32],
    text: String,
}

scrutineer_engine::errors! {
    /// Why a tail cannot be given or taken in.
    pub enum TailError -> Option<&'static str> {
        /// The store cannot be read or written.
        Store(#[from] StoreError) => (error) error.code(), "{0}", error.hint();
        /// The two went on in different ways.
        Parted { title: String, seq: u64 } = conflict "desks-parted",
            "{title:?} went on in different ways on the two laptops, at event {seq} or before it",
            Some(PARTED_HINT);
        /// It is no tail.
        Malformed(&'static str) = damaged "second-not-read", "what the other laptop sent is none of its \
             records: {0}",
            Some("look whether both laptops run the same version");
    }
}

impl From<scrutineer_engine::log::LogError> for TailError {
    fn from(error: scrutineer_engine::log::LogError) -> TailError {
        StoreError::from(error).into()
    }
}

impl From<scrutineer_engine::book::BookError> for TailError {
    fn from(error: scrutineer_engine::book::BookError) -> TailError {
        StoreError::from(error).into()
    }
}

/// Where a store stands with the files beside a tournament's log: the hash of each.
pub type Besides = Vec<(u8, [u8; 32])>;

fn file(room: Room, stream: StreamId) -> SideFile {
    match room {
        Room::Exports => SideFile::of_all(room),
        room => SideFile::of(room, stream),
    }
}

impl Store {
    fn beside(&self, room: Room, stream: StreamId) -> Result<Option<Vec<u8>>, TailError> {
        let (files, file) = (&self.secrets.0, file(room, stream));
        let read = files.get(file, LONGEST_FILE);
        read.map_err(|error| not_kept("read", files.called(file), error))
    }

    /// Returns the hashes of the files beside a tournament's log that a desk needs.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn besides(&self, stream: StreamId) -> Result<Besides, TailError> {
        let hash = |room: &Room| {
            let bytes = self.beside(*room, stream)?.unwrap_or_default();
            Ok((room.code(), *blake3::hash(&bytes).as_bytes()))
        };
        ROOMS.iter().map(hash).collect()
    }

    /// Says that a tournament went on in different ways here and on another laptop.
    pub fn parted(&self, stream: StreamId, seq: u64) -> TailError {
        // This one may not have it at all.
        let here = self.summary(stream).ok().filter(|one| one.head > 0);
        let title = here.map_or_else(|| stream.to_string(), |one| one.title);
        TailError::Parted { title, seq }
    }

    /// Returns what stands behind a head: some of it, where it is much.
    ///
    /// # Errors
    /// [`TailError::Parted`] where the tournament has no such head.
    pub fn tail(&self, stream: StreamId, after: Head, has: &Besides) -> Result<Tail, TailError> {
        let log = self.log();
        if after.seq > 0 {
            let there = log.read(stream, after.seq - 1).next().transpose()?;
            if there.is_none_or(|there| there.hash() != after.hash) {
                return Err(self.parted(stream, after.seq));
            }
        }
        let (mut tail, mut size, mut numbers) = (Tail::default(), 0, BTreeSet::new());
        let mut records = Vec::new();
        for read in log.read(stream, after.seq) {
            if size > AT_ONCE {
                tail.more = true;
                break;
            }
            let record = read?;
            let event = event_of(&record).map_err(StoreError::from)?;
            numbers.extend(event.commitments().iter().map(|(_, words)| words.number));
            records.push(record.bytes().to_vec());
            if record.ends_command() {
                let trace = log.command(stream, record.header().command)?;
                let digest = trace.ok_or(TailError::Malformed("a command is not known"))?.digest;
                size += records.iter().map(Vec::len).sum::<usize>();
                tail.commands.push(Command { digest, records: std::mem::take(&mut records) });
            }
        }
        if !numbers.is_empty() {
            // Read behind the records, so it has their texts, but for those that are forgotten.
            let book = self.books().book(stream)?;
            let entries = numbers.iter().filter_map(|number| book.entry(*number));
            tail.texts = entries
                .map(|entry| Text {
                    number: entry.number,
                    field: entry.field.code(),
                    salt: entry.salt,
                    text: entry.text.clone(),
                })
                .collect();
        }
        let here = self.besides(stream)?;
        for ((room, hash), kept) in here.iter().zip(ROOMS) {
            if !has.contains(&(*room, *hash))
                && let Some(bytes) = self.beside(kept, stream)?
            {
                tail.files.push((*room, bytes));
            }
        }
        Ok(tail)
    }

    /// Takes in what stands behind this store's head, and returns the new one. What is there already,
    /// as after a try that was cut off, is not taken in again.
    ///
    /// # Errors
    /// [`TailError::Parted`] where it does not follow what is here; what was taken in before stays.
    pub fn take_tail(&self, stream: StreamId, tail: &Tail) -> Result<Head, TailError> {
        let mut commands = Vec::new();
        let mut last = 0;
        for command in &tail.commands {
            let read = |bytes: &Vec<u8>| {
                let record = Record::read(bytes);
                record.map_err(|_| TailError::Malformed("a record is damaged"))
            };
            let records = command.records.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            if records.iter().any(|record| record.header().stream != stream) {
                return Err(TailError::Malformed("a record is another tournament's"));
            }
            let events = records.iter().map(event_of).collect::<Result<Vec<Event>, _>>();
            let events = events.map_err(StoreError::from)?;
            let words = events.iter().flat_map(Event::commitments);
            last = words.map(|(_, words)| words.number).max().unwrap_or(0).max(last);
            commands.push((command.digest, records, events));
        }
        self.take_texts(stream, &tail.texts, last)?;
        for (room, bytes) in &tail.files {
            self.take_file(*room, stream, bytes)?;
        }
        let mut head = self.log().head(stream)?;
        for (digest, records, events) in commands {
            let first = records.first().map_or(0, |record| record.header().seq);
            if first <= head.seq {
                continue;
            }
            let taken = self.handler().take_over(head, records, Some(digest));
            head = taken.map_err(|error| match error {
                CommandError::Append(AppendError::Batch(_) | AppendError::Conflict { .. }) => {
                    self.parted(stream, first)
                }
                error => StoreError::from(error).into(),
            })?;
            for event in events {
                if let Event::TextsForgotten(forgotten) = event {
                    self.books().forget(stream, &forgotten.numbers)?;
                }
            }
        }
        Ok(head)
    }

    /// Keeps texts under their numbers. Those to which no record commits stay taken and empty.
    fn take_texts(&self, stream: StreamId, texts: &[Text], last: u32) -> Result<(), TailError> {
        let read = |text: &Text| {
            let field = Field::from_code(text.field)
                .ok_or(TailError::Malformed("a text is of no kind that is known"))?;
            let Text { number, salt, ref text, .. } = *text;
            Ok(PrivateEntry { number, field, salt, text: text.clone() })
        };
        let texts = texts.iter().map(read).collect::<Result<Vec<_>, TailError>>()?;
        let book = self.books().book(stream)?;
        let next = self.books().next_number(stream)?;
        let is_erased = |number: u32| matches!(book.kept().get(&number), Some(Kept::Erased(_)));
        let below: Vec<PrivateEntry> = texts
            .iter()
            .filter(|entry| entry.number < next && !is_erased(entry.number))
            .filter(|entry| book.entry(entry.number) != Some(*entry))
            .cloned()
            .collect();
        let mut above: Vec<PrivateEntry> = Vec::new();
        let mut fillers = Vec::new();
        for number in next..=last {
            let entry = texts.iter().find(|entry| entry.number == number).cloned();
            above.push(entry.unwrap_or_else(|| {
                fillers.push(number);
                PrivateEntry { number, field: Field::Other, salt: [0; 32], text: String::new() }
            }));
        }
        if !above.is_empty() {
            self.books().append(stream, &above)?;
        }
        if !fillers.is_empty() || !below.is_empty() {
            self.books().mend(stream, &fillers, &below)?;
        }
        Ok(())
    }

    fn take_file(&self, room: u8, stream: StreamId, bytes: &[u8]) -> Result<(), TailError> {
        let room = ROOMS.into_iter().find(|known| known.code() == room);
        let room = room.ok_or(TailError::Malformed("a file has no place beside the log"))?;
        let (files, file) = (&self.secrets.0, file(room, stream));
        let kept = again(|| {
            let there = files.get(file, LONGEST_FILE)?;
            files.replace(file, there.as_deref(), bytes)
        });
        kept.map_err(|error| not_kept("keep", files.called(file), error))
    }
}

fn not_kept(
    action: &'static str,
    file: String,
    error: scrutineer_engine::files::FileError,
) -> TailError {
    StoreError::from(KeptError::of_file(action, file, error)).into()
}

/// A head as it is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentHead {
    /// The place of the last record.
    pub seq: u64,
    /// Its hash.
    pub hash: [u8; 32],
}

impl From<Head> for SentHead {
    fn from(head: Head) -> SentHead {
        SentHead { seq: head.seq, hash: head.hash.0 }
    }
}

impl From<SentHead> for Head {
    fn from(head: SentHead) -> Head {
        Head { seq: head.seq, hash: RecordHash(head.hash) }
    }
}

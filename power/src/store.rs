//! The store under trial, and how a worker appends to it.

use crate::claims::{Placed, line};
use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::store::Store;
use scrutineer_engine::book::{Field, PrivateEntry, PrivateTexts, commit};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::{PlayerEnrolled, Scoresheet, TournamentOpened};
use scrutineer_engine::handler::{CommandHandler, Request};
use scrutineer_engine::log::{AppendError, Batch, Head, Log};
use scrutineer_engine::record::{Actor, CommandId, Header, Record, RecordHash, StreamId, Time};
use scrutineer_store::{EmbeddedLog, Mirror, Options};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a store is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The log alone, in small pieces.
    Log,
    /// The log with a mirror beside it.
    Mirror,
    /// As the command opens it, with books, secrets and snapshots.
    Store,
}

/// Where a store's mirror stands.
pub fn mirror_of(store: &Path) -> PathBuf {
    store.with_file_name("mirror")
}

/// An open store.
pub enum Tried {
    /// The log and its private texts.
    Log(EmbeddedLog),
    /// All of it.
    Store(Store),
}

impl Tried {
    /// Opens the store in a folder; a journal's segment is sealed at so many bytes.
    ///
    /// # Errors
    /// What the store says.
    pub fn open(folder: &Path, kind: Kind, segment_bytes: u64) -> Result<Tried, String> {
        if kind == Kind::Store {
            let keys = KeyFolder::new(Some(folder.with_file_name("keys")));
            let opened = Store::open(folder).map(|store| store.with_keys(keys));
            return opened.map(Tried::Store).map_err(|error| error.to_string());
        }
        let options = Options {
            cache_bytes: 8 * 1024 * 1024,
            sled_segment_bytes: 64 * 1024,
            journal_segment_bytes: segment_bytes,
            // sled is behind after most faults; reading from the journal is what counts here.
            patience: Duration::from_millis(100),
            mirror: match kind {
                Kind::Mirror => Mirror::In(mirror_of(folder)),
                _ => Mirror::AsBefore,
            },
            ..Options::default()
        };
        let log = EmbeddedLog::open(folder, options).map_err(|error| error.to_string())?;
        Ok(Tried::Log(log))
    }

    /// The log.
    pub fn log(&self) -> &dyn Log {
        match self {
            Tried::Log(log) => log,
            Tried::Store(store) => store.log(),
        }
    }

    /// The private texts.
    pub fn texts(&self) -> &dyn PrivateTexts {
        self.log().texts()
    }
}

/// Where a worker says what it did: a file, one write a line.
#[derive(Debug)]
pub struct Marks(File);

impl Marks {
    /// Goes on in this file.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn open(file: &Path) -> std::io::Result<Marks> {
        File::options().append(true).create(true).open(file).map(Marks)
    }

    /// Says something.
    pub fn say(&self, text: &str) {
        (&self.0).write_all(format!("{text}\n").as_bytes()).expect("marks are written");
    }
}

/// Somebody who appends.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    /// Where.
    pub store: &'a Tried,
    /// Where they say so.
    pub marks: &'a Marks,
}

/// A command's size.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its records.
    pub parts: u32,
    /// The bytes of each payload.
    pub bytes: usize,
}

impl Writer<'_> {
    /// Appends a made-up command, again if somebody else was first.
    ///
    /// # Errors
    /// What the store says.
    pub fn append(self, stream: StreamId, command: u128, size: Size) -> Result<Head, AppendError> {
        loop {
            let head = self.store.log().head(stream)?;
            let batch = batch(stream, head, command, size);
            let hash = batch.records.last().map(Record::hash);
            let (first, last) = (head.seq + 1, head.seq + u64::from(size.parts));
            let placed = Placed { command: CommandId(command), first, last, hash };
            self.marks.say(&line("sent", stream, &placed));
            match self.store.log().append(head, batch) {
                Ok(head) => {
                    self.marks.say(&line("acknowledged", stream, &placed));
                    return Ok(head);
                }
                Err(AppendError::Conflict { .. }) => {}
                Err(error) => {
                    self.marks.say(&format!("refused {error}"));
                    return Err(error);
                }
            }
        }
    }

    /// Opens a tournament, or enrols a player whose name stands in the private book.
    ///
    /// # Errors
    /// What the scorekeeper says.
    pub fn enroll(self, stream: StreamId, command: u128) -> Result<(), String> {
        self.send(&self.request(stream, command)?)
    }

    /// The command that [`Writer::enroll`] sends.
    ///
    /// # Errors
    /// What the store says.
    pub fn request(self, stream: StreamId, command: u128) -> Result<Request, String> {
        let number = self.heard(self.store.texts().next_number(stream))?;
        let head = self.heard(self.store.log().head(stream))?;
        let mut salt = || Ok([command as u8; 32]);
        let text = format!("Player of command {command}");
        let entry = self.heard(PrivateEntry::new(number, Field::Name, text, &mut salt))?;
        let words = commit(stream, &entry);
        Ok(Request {
            stream,
            id: CommandId(command),
            actor: Actor(1),
            time: Time { unix_micros: 1_795_255_200_000_000 },
            private: vec![entry],
            command: match head.seq {
                0 => Command::Record(vec![
                    TournamentOpened::new(words, Scoresheet::default()).into(),
                ]),
                _ => Command::Enrol(vec![PlayerEnrolled::new(0, words)]),
            },
            expected: None,
        })
    }

    /// Sends a command with words to the handler.
    ///
    /// # Errors
    /// What the scorekeeper says.
    pub fn send(self, request: &Request) -> Result<(), String> {
        let (log, stream, command) = (self.store.log(), request.stream, request.id);
        let next = self.heard(log.head(stream))?.seq + 1;
        let sent = Placed { command, first: next, last: next, hash: None };
        self.marks.say(&line("sent", stream, &sent));
        let answer = self.heard(CommandHandler::new(log).handle(request))?;
        let hash = Some(self.heard(log.head(stream))?.hash);
        let (first, last) = (answer.first_seq, answer.last_seq);
        self.marks.say(&line("acknowledged", stream, &Placed { command, first, last, hash }));
        for entry in &request.private {
            let words = commit(stream, entry);
            let digest = RecordHash(words.digest);
            self.marks.say(&format!("words {stream} {} {digest}", words.number));
        }
        Ok(())
    }

    fn heard<T, E: std::fmt::Display>(self, answer: Result<T, E>) -> Result<T, String> {
        answer.map_err(|error| {
            self.marks.say(&format!("refused {error}"));
            error.to_string()
        })
    }
}

fn batch(stream: StreamId, head: Head, command: u128, size: Size) -> Batch {
    let mut bytes = fastrand::Rng::with_seed(command as u64 ^ head.seq);
    let mut previous = head.hash;
    let mut records = Vec::with_capacity(size.parts as usize);
    for part in 1..=size.parts {
        let header = Header {
            stream,
            seq: head.seq + u64::from(part),
            time: Time { unix_micros: 1_795_255_200_000_000 },
            actor: Actor(7),
            command: CommandId(command),
            part,
            parts: size.parts,
            kind: 3,
            schema: 1,
            previous,
        };
        let mut payload = vec![0; size.bytes];
        bytes.fill(&mut payload);
        let record = Record::seal(header, &payload).expect("payloads are within the limit");
        previous = record.hash();
        records.push(record);
    }
    Batch { records, command_digest: [command as u8; 32], texts: Vec::new() }
}

//! What the tests share: places to write to, and requests.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use scrutineer_engine::book::commit;
use scrutineer_engine::book::{Commitment, Field, PrivateEntry};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::handler::Request;
use scrutineer_engine::log::{Log, MemoryLog};
use scrutineer_engine::record::{Actor, Chain, CommandId, Record, StreamId, Time};
use scrutineer_store::texts::system_salt;
use scrutineer_store::{EmbeddedLog, Options};

pub const STREAM: StreamId = StreamId([7; 16]);

/// A folder under the system's temporary one, removed when dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("scrutineer-scorekeeper-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    pub fn log(&self) -> EmbeddedLog {
        let options = Options {
            cache_bytes: 8 * 1024 * 1024,
            sled_segment_bytes: 64 * 1024,
            journal_segment_bytes: 16 * 1024,
            ..Options::default()
        };
        EmbeddedLog::open(&self.0, options).expect("the store opens")
    }

    /// Every file with its bytes.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let (mut found, mut folders) = (Vec::new(), vec![self.0.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a list") {
                let path = entry.expect("a name").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push((path.clone(), std::fs::read(&path).expect("its bytes")));
                }
            }
        }
        found
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a test in memory and in a folder.
pub fn everywhere(test: impl Fn(&dyn Log)) {
    test(&MemoryLog::new());
    let folder = Folder::new();
    let log = folder.log();
    test(&log);
    log.close().expect("it closes");
}

pub fn request(id: u128, command: Command) -> Request {
    Request {
        stream: STREAM,
        id: CommandId(id),
        actor: Actor(1),
        time: Time { unix_micros: 1_795_255_200_000_000 },
        private: Vec::new(),
        command,
        expected: None,
    }
}

pub fn one(id: u128, event: impl Into<Event>) -> Request {
    request(id, Command::Record(vec![event.into()]))
}

/// A text with a fresh salt, and its commitment.
pub fn words(number: u32, field: Field, text: &str) -> (PrivateEntry, Commitment) {
    let entry = PrivateEntry::new(number, field, text, &mut system_salt).expect("a salt");
    let commitment = commit(STREAM, &entry);
    (entry, commitment)
}

pub fn opening(title: Commitment) -> TournamentOpened {
    TournamentOpened::new(title, Scoresheet::default())
}

pub fn enrollment(name: Commitment) -> PlayerEnrolled {
    PlayerEnrolled::new(0, name)
}

pub const NOBODY: Commitment = Commitment { number: 1, digest: [0; 32] };

/// A tournament that is open, as command 1.
pub fn open() -> Request {
    one(1, opening(NOBODY))
}

pub fn note(about: Seq) -> NoteAdded {
    NoteAdded { note: NOBODY, about: Some(about) }
}

/// Every record of the tournament, each checked to follow the one before.
pub fn records(log: &dyn Log) -> Vec<Record> {
    let (mut found, mut chain) = (Vec::new(), Chain::new(STREAM));
    for record in log.read(STREAM, 0) {
        let record = record.expect("it is read");
        chain.follows(&record).expect("it follows");
        found.push(record);
    }
    assert!(chain.is_complete());
    let head = log.head(STREAM).expect("a head");
    assert_eq!((head.seq, head.hash), chain.last());
    found
}

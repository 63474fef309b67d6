//! What the tests share: seeded numbers, made-up commands, folders that go away.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use scrutineer_engine::event::Event;
use scrutineer_engine::log::{Batch, Head, Log};
use scrutineer_engine::record::{Actor, CommandId, Header, Record, StreamId, Time};
use scrutineer_store::{EmbeddedLog, Options};

/// Xorshift: the same seed gives the same test.
pub struct Seeded(pub u64);

impl Seeded {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// A folder under the system's temporary one, removed when dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("scrutineer-store-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    pub fn segment(&self, number: u64) -> PathBuf {
        self.0.join("journal").join(format!("{number:08}.seg"))
    }

    pub fn sled(&self) -> PathBuf {
        self.0.join("sled")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Small pieces, so that tests roll segments and don't wait for large files.
pub fn options() -> Options {
    Options {
        cache_bytes: 8 * 1024 * 1024,
        sled_segment_bytes: 64 * 1024,
        journal_segment_bytes: 16 * 1024,
        ..Options::default()
    }
}

pub fn open(folder: &Folder) -> EmbeddedLog {
    EmbeddedLog::open(&folder.0, options()).expect("the store opens")
}

pub fn stream(number: u8) -> StreamId {
    StreamId([number; 16])
}

/// A command of `parts` records after `head`.
pub fn batch(stream: StreamId, head: Head, command: u128, parts: u32, size: usize) -> Batch {
    let mut records: Vec<Record> = Vec::new();
    for part in 1..=parts {
        let previous = records.last().map_or(head.hash, Record::hash);
        let header = Header {
            stream,
            seq: head.seq + u64::from(part),
            time: Time { unix_micros: 1_700_000_000_000_000 + i64::from(part) },
            actor: Actor(7),
            command: CommandId(command),
            part,
            parts,
            kind: 3,
            schema: 1,
            previous,
        };
        let payload: Vec<u8> = (0..size).map(|at| (at as u8) ^ (command as u8)).collect();
        records.push(Record::seal(header, &payload).expect("it seals"));
    }
    Batch { records, command_digest: [command as u8; 32], texts: Vec::new() }
}

/// Appends at the head, whatever it is.
pub fn append(log: &dyn Log, stream: StreamId, command: u128, parts: u32, size: usize) -> Head {
    let head = log.head(stream).expect("a head");
    log.append(head, batch(stream, head, command, parts, size)).expect("it is appended")
}

/// Appends a command of one event, which can be read.
pub fn record(log: &dyn Log, stream: StreamId, event: Event) -> Head {
    let head = log.head(stream).expect("a head");
    let mut batch = batch(stream, head, u128::from(head.seq) + 1, 1, 0);
    let header = Header { kind: event.kind(), ..batch.records[0].header() };
    let payload = event.encode().expect("it fits");
    batch.records = vec![Record::seal(header, &payload).expect("it seals")];
    log.append(head, batch).expect("it is appended")
}

pub fn read(log: &dyn Log, stream: StreamId, after: u64) -> Vec<Record> {
    log.read(stream, after).map(|record| record.expect("it is read")).collect()
}

/// Everything in a log, by stream.
pub fn everything(log: &dyn Log) -> Vec<(StreamId, Vec<Record>)> {
    let streams = log.streams().expect("streams");
    streams.into_iter().map(|stream| (stream, read(log, stream, 0))).collect()
}

pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a list") {
        let path = entry.expect("a name").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// Every file below a folder with its bytes, in order.
pub fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a list") {
            let path = entry.expect("a name").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = std::fs::read(&path).expect("its bytes");
                found.push((path, bytes));
            }
        }
    }
    found.sort();
    found
}

/// A store with some commands in a few streams, closed in order.
pub fn filled(commands: u64) -> (Folder, Vec<(StreamId, Vec<Record>)>) {
    let folder = Folder::new();
    let log = open(&folder);
    let mut seeded = Seeded(42);
    for command in 0..commands {
        let (id, parts) = (stream(1 + (command % 3) as u8), 1 + seeded.below(4) as u32);
        append(&log, id, u128::from(command) + 1, parts, 20 + seeded.below(200) as usize);
    }
    let all = everything(&log);
    log.close().expect("it closes");
    (folder, all)
}

/// Codes of what a store has to tell.
pub fn codes(log: &EmbeddedLog) -> Vec<&'static str> {
    log.notices().iter().map(|notice| notice.code).collect()
}

/// As [`codes`], once as many were told as are expected: what sled's thread finds is told a moment
/// after the store is open.
pub fn told(log: &EmbeddedLog, expected: usize) -> Vec<&'static str> {
    let begun = Instant::now();
    while codes(log).len() < expected && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
    codes(log)
}

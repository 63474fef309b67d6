//! Opens what a fault has left and looks for everything that was acknowledged.

use crate::claims::{Claims, Placed, Stream};
use crate::store::{Kind, Marks, Size, Tried, Writer, mirror_of};
use scrutineer_desk::store::Store;
use scrutineer_engine::book::{Commitment, Opened, PrivateTexts};
use scrutineer_engine::handler::{LoadError, read_events};
use scrutineer_engine::log::{Head, Log, LogError};
use scrutineer_engine::record::{Chain, RecordHash, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_store::ReadOnlyLog;
use std::path::Path;
use std::time::Duration;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Acknowledged events that were looked for.
    pub events: u64,
    /// Those of them that are not there, or not as they were.
    pub lost: u64,
    /// Everything else that is wrong, and the first losses, in sentences.
    pub faults: Vec<String>,
}

impl Found {
    /// Whether all is well.
    pub fn is_good(&self) -> bool {
        self.lost == 0 && self.faults.is_empty()
    }

    /// Adds what another look has found.
    pub fn add(&mut self, other: Found) {
        self.events += other.events;
        self.lost += other.lost;
        self.faults.extend(other.faults);
    }

    fn fault(&mut self, text: String) {
        if self.faults.len() < 20 {
            self.faults.push(text);
        }
    }

    fn lose(&mut self, events: u64, text: String) {
        self.lost += events;
        self.fault(text);
    }
}

/// Opens the store. Where another trial of this process starts a child, the child has every file that
/// is open, and the lock with it, until it has become another program.
fn open(folder: &Path, kind: Kind) -> Result<Tried, String> {
    const MOMENT: Duration = Duration::from_millis(10);
    let mut opened = Tried::open(folder, kind, 16 * 1024);
    for _ in 0..100 {
        match &opened {
            Err(error) if error.contains("another process has the store") => {
                std::thread::sleep(MOMENT);
                opened = Tried::open(folder, kind, 16 * 1024);
            }
            _ => break,
        }
    }
    opened
}

/// Opens the store, looks for everything, appends more, and looks for that after opening it again.
/// What is appended is said in `marks`.
pub fn check(folder: &Path, kind: Kind, claims: &Claims, marks: &Marks) -> Found {
    let mut found = Found { events: claims.events(), ..Found::default() };
    let mut heads = Vec::new();
    if kind == Kind::Mirror {
        look_at_mirror(&mirror_of(folder), claims, &mut found);
    }
    for round in 0..2 {
        let store = match open(folder, kind) {
            Ok(store) => store,
            Err(error) => {
                found.lose(found.events, format!("the store does not open: {error}"));
                return found;
            }
        };
        if round == 0 {
            look(&store, claims, &mut found);
            heads = append(&store, claims, marks, &mut found);
            continue;
        }
        for (stream, head) in &heads {
            let there = store.log().head(*stream);
            if there != Ok(*head) {
                found.fault(format!("after {head:?} was appended to {stream}: {there:?}"));
            }
        }
    }
    if kind == Kind::Mirror {
        // The store was closed in order: by now the mirror has everything.
        match ReadOnlyLog::open(mirror_of(folder)) {
            Ok(mirror) => heads
                .iter()
                .filter(|(stream, head)| mirror.head(*stream) != Ok(*head))
                .for_each(|(stream, head)| {
                    found.fault(format!("{stream}: the mirror has not come to {head:?}"))
                }),
            Err(error) => found.fault(format!("the mirror, in the end: {error}")),
        }
    }
    found
}

/// What the power cut left of the mirror: perhaps less than the store has, and nothing else. While
/// it was being made it may be no copy yet.
fn look_at_mirror(folder: &Path, claims: &Claims, found: &mut Found) {
    let is_asked = claims.streams.values().any(|stream| stream.mirrored > 0);
    if !is_asked && !folder.join("FORMAT").is_file() {
        return;
    }
    let mirror = match ReadOnlyLog::open(folder) {
        Ok(mirror) => mirror,
        Err(error) => return found.fault(format!("the mirror, as it was left: {error}")),
    };
    let nothing = Stream::default();
    let mut streams = mirror.streams().unwrap_or_default();
    streams.extend(claims.streams.keys());
    streams.sort_unstable();
    streams.dedup();
    for stream in streams {
        let claimed = claims.streams.get(&stream).unwrap_or(&nothing);
        let acknowledged = claimed.acknowledged[..claimed.mirrored].to_vec();
        let known = Stream { sent: claimed.sent.clone(), acknowledged, ..Stream::default() };
        look_at_stream(&mirror, stream, &known, found);
    }
}

fn look(store: &Tried, claims: &Claims, found: &mut Found) {
    let mut streams = match store.log().streams() {
        Ok(streams) => streams,
        Err(error) => return found.lose(found.events, format!("the streams: {error}")),
    };
    streams.extend(claims.streams.keys());
    streams.sort_unstable();
    streams.dedup();
    let nothing = Stream::default();
    for stream in streams {
        let claimed = claims.streams.get(&stream).unwrap_or(&nothing);
        look_at_stream(store.log(), stream, claimed, found);
        look_at_words(store.texts(), stream, claimed, found);
        if let Tried::Store(store) = store {
            look_beside(store, stream, claimed, found);
        }
    }
}

fn look_at_stream(log: &dyn Log, stream: StreamId, claimed: &Stream, found: &mut Found) {
    let mut hashes: Vec<RecordHash> = Vec::new();
    let mut chain = Chain::new(stream);
    let mut faults = Vec::new();
    let mut command: Option<Placed> = None;
    let read = log.read(stream, 0).try_for_each(|record| {
        let record = record?;
        let header = record.header();
        if let Err(fault) = chain.follows(&record) {
            faults.push(format!("{stream}: {fault}"));
        }
        hashes.push(record.hash());
        if header.part == 1 {
            let (command_id, first) = (header.command, header.seq);
            command = Some(Placed { command: command_id, first, last: 0, hash: None });
        }
        if record.ends_command()
            && let Some(mut placed) = command.take()
        {
            (placed.last, placed.hash) = (header.seq, Some(record.hash()));
            if !was_sent(claimed, &placed) {
                faults.push(format!("{stream}: nobody sent {placed:?}"));
            }
        }
        Ok::<(), LogError>(())
    });
    if let Err(error) = read {
        faults.push(format!("{stream}: {error}"));
    }
    let last = hashes.last().copied().unwrap_or(RecordHash::ZERO);
    let head = Head { seq: hashes.len() as u64, hash: last };
    if command.is_some() || log.head(stream) != Ok(head) {
        faults.push(format!("{stream}: it ends within a command, or not at its head"));
    }
    faults.into_iter().for_each(|fault| found.fault(fault));
    for placed in &claimed.acknowledged {
        let there = hashes.get(placed.last as usize - 1).copied();
        let traced = log.command(stream, placed.command);
        let is_traced = traced.as_ref().is_ok_and(|trace| {
            trace.is_some_and(|trace| {
                (trace.first_seq, trace.last_seq) == (placed.first, placed.last)
            })
        });
        if there != placed.hash || !is_traced {
            let events = placed.last - placed.first + 1;
            found.lose(
                events,
                format!("{stream}: {placed:?} was acknowledged; {there:?}, {traced:?}"),
            );
        }
    }
}

fn was_sent(claimed: &Stream, placed: &Placed) -> bool {
    let sent = claimed.sent.get(&(placed.command, placed.first));
    sent.is_some_and(|sent| {
        sent.iter().any(|sent| {
            sent.last == placed.last && (sent.hash.is_none() || sent.hash == placed.hash)
        })
    })
}

fn look_at_words(books: &dyn PrivateTexts, stream: StreamId, claimed: &Stream, found: &mut Found) {
    if claimed.words.is_empty() {
        return;
    }
    let book = match books.book(stream) {
        Ok(book) => book,
        Err(error) => {
            return found.lose(claimed.words.len() as u64, format!("{stream}: its book: {error}"));
        }
    };
    for (number, digest) in &claimed.words {
        let opened = book.text(&Commitment { number: *number, digest: *digest });
        if !matches!(opened, Opened::Text(_)) {
            found.lose(1, format!("{stream}: words {number} of its book: {opened:?}"));
        }
    }
}

/// Secrets have to be there. A snapshot need not be, but has to be right.
fn look_beside(store: &Store, stream: StreamId, claimed: &Stream, found: &mut Found) {
    let secrets = store.secrets(stream).unwrap_or_default();
    for secret in &claimed.secrets {
        if !secrets.contains(secret) {
            found.lose(1, format!("{stream}: a secret of its draws is not there"));
        }
    }
    match store.snapshot(stream) {
        Err(error) => found.fault(format!("{stream}: its snapshots: {error}")),
        Ok(None) => {}
        Ok(Some((head, state))) => {
            let mut folded = Tournament::default();
            let read = read_events(store.log(), stream, 0).try_for_each(|read| {
                let (record, event) = read?;
                if record.header().seq <= head.seq {
                    folded.evolve(&event);
                }
                Ok::<(), LoadError>(())
            });
            if read.is_err() || folded.to_bytes().ok() != state.to_bytes().ok() {
                found.fault(format!("{stream}: its snapshot at {} is another state", head.seq));
            }
        }
    }
}

/// The store has to accept more: in two streams that are there, and in a new one.
fn append(
    store: &Tried,
    claims: &Claims,
    marks: &Marks,
    found: &mut Found,
) -> Vec<(StreamId, Head)> {
    let writer = Writer { store, marks };
    let mut heads = Vec::new();
    let streams = claims.streams.keys().copied().take(2).chain([StreamId([0xee; 16])]);
    for stream in streams {
        let before = store.log().head(stream).unwrap_or_default();
        let command = (1 << 100) + (u128::from(before.seq) << 8) + u128::from(fastrand::u8(..));
        let named = claims.streams.get(&stream).is_some_and(|stream| !stream.words.is_empty());
        let done = match named || matches!(store, Tried::Store(_)) {
            true => writer.enroll(stream, command),
            false => {
                let size = Size { parts: 2, bytes: 100 };
                writer.append(stream, command, size).map(|_| ()).map_err(|error| error.to_string())
            }
        };
        if let Err(error) = done {
            found.fault(format!("{stream}: nothing more could be appended: {error}"));
        }
        heads.extend(store.log().head(stream).ok().map(|head| (stream, head)));
    }
    heads
}

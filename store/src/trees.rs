//! What stands in sled: four trees, filled from the journal's frames.
//!
//! ```text
//! events    stream, seq big-endian          -> hash 32 bytes, record bytes
//! heads     stream                          -> seq u64, hash 32 bytes
//! commands  stream, command id big-endian   -> first seq u64, last seq u64, digest 32 bytes
//! meta      "store"                         -> version u32 (1), store id 16 bytes
//!           "applied"                       -> segment u64, offset u64, frames u64
//! ```

use std::collections::HashMap;
use std::io;
use std::path::Path;

use sled::{Db, IVec, Tree};

use super::frame::Frame;
use super::heads::{Heads, Slot};
use super::options::{Lost, Options};
use super::segment::Position;
use super::stream::Places;
use super::{CommandTrace, Head, LogError};
use scrutineer_engine::record::{Chain, CommandId, Record, RecordHash, StreamId};

const VERSION: u32 = 1;

/// Records that go into sled at once.
const APPLY: usize = 2048;

/// Bytes of values after which sled must have written what it was given. It writes on threads of
/// its own and keeps what they have not come to in memory, however much that is.
const UNWRITTEN: usize = 8 * 1024 * 1024;

/// Bytes that are handed to a reader at once, and records.
const CHUNK_BYTES: usize = 1024 * 1024;
const CHUNK: usize = 1024;

/// Why sled can't be used any more; a sentence for the notice.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The disk has no room for it: another sled would fare no better.
    Full(String),
    /// It is damaged, or not this store's, or does not work.
    Broken(String),
}

impl Failure {
    /// What the operating system refused.
    pub(crate) fn of(error: &io::Error, text: String) -> Failure {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match error.kind() {
            FileTooLarge | QuotaExceeded | StorageFull => Failure::Full(text),
            _ => Failure::Broken(text),
        }
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Failure {
        Failure::Broken(why)
    }
}

impl From<&str> for Failure {
    fn from(why: &str) -> Failure {
        Failure::Broken(why.to_string())
    }
}

/// The open trees.
#[derive(Debug)]
pub(crate) struct Trees {
    db: Db,
    events: Tree,
    heads: Tree,
    commands: Tree,
    meta: Tree,
    pending: Pending,
    /// Bytes of values since sled was waited for.
    unwritten: usize,
}

/// Changes that were read from the journal and not yet handed to sled.
#[derive(Debug, Default)]
struct Pending {
    events: Vec<([u8; 24], Vec<u8>)>,
    heads: HashMap<StreamId, Head>,
    commands: Vec<([u8; 32], [u8; 48])>,
}

/// How sled compares with the journal after opening.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// sled may be behind; it goes on from here.
    From(Position),
    /// sled has records that the journal should have, or others, and their hashes prove it.
    Ahead(Vec<Lost>),
}

impl Trees {
    pub(crate) fn open(
        folder: &Path,
        options: &Options,
        store: [u8; 16],
    ) -> Result<Trees, Failure> {
        let db = sled::Config::default()
            .path(folder)
            .cache_capacity(options.cache_bytes)
            .segment_size(options.sled_segment_bytes)
            .open()
            .map_err(said)?;
        let tree = |name: &str| db.open_tree(name).map_err(said);
        let (events, heads) = (tree("events")?, tree("heads")?);
        let (commands, meta) = (tree("commands")?, tree("meta")?);
        let pending = Pending::default();
        let trees = Trees { db, events, heads, commands, meta, pending, unwritten: 0 };
        trees.claim(store)?;
        Ok(trees)
    }

    /// Refuses a folder of another store or layout.
    fn claim(&self, store: [u8; 16]) -> Result<(), Failure> {
        let mut wanted = VERSION.to_le_bytes().to_vec();
        wanted.extend_from_slice(&store);
        match self.meta.get("store").map_err(said)? {
            Some(found) if found == wanted => Ok(()),
            Some(_) => Err("it belongs to another store or version".into()),
            None if self.heads.is_empty() => {
                self.meta.insert("store", wanted).map_err(said)?;
                Ok(())
            }
            None => Err("it has lost the name of its store".into()),
        }
    }

    /// Compares sled's heads with the journal's, before anything is added.
    pub(crate) fn compare(
        &self,
        heads: &Heads,
        places: &Places,
        end: Position,
        unclean: bool,
    ) -> Result<Compared, Failure> {
        let (mut lost, mut other) = (Vec::new(), None);
        // Both are in the order of their ids.
        let mut journals = heads.iter().peekable();
        for entry in &self.heads {
            let (key, value) = entry.map_err(said)?;
            let (stream, found) = read_head(&key, &value).ok_or("a head is unreadable")?;
            while journals
                .next_if(|slot| matches!(slot, Ok((other, _)) if *other < stream))
                .is_some()
            {}
            let slot =
                match journals.next_if(|slot| !matches!(slot, Ok((other, _)) if *other > stream)) {
                    Some(slot) => slot.map_err(unread)?.1,
                    None => Slot::default(),
                };
            let journal = slot.head;
            // Where it was stopped, that may have been between a record and its head.
            if (unclean || found.seq > journal.seq) && self.goes_on_after(stream, journal) {
                let sled = found.seq.max(journal.seq + 1);
                lost.push(Lost { stream, journal: journal.seq, sled });
            } else if found != journal {
                let seq = found.seq.min(journal.seq);
                let theirs = match seq == journal.seq {
                    true => journal.hash,
                    // A journal that can't be read there is no reason to let go of sled.
                    false => places.hash(stream, slot, seq).unwrap_or(found.hash),
                };
                if self.has_another(stream, seq, theirs) {
                    lost.push(Lost { stream, journal: journal.seq, sled: seq });
                }
                other = other.or((found.seq >= journal.seq).then_some(stream));
            }
        }
        if unclean {
            lost.extend(self.begun_without_head(heads)?);
        }
        if !lost.is_empty() {
            return Ok(Compared::Ahead(lost));
        }
        if let Some(stream) = other {
            return Err(format!("it disagrees with the journal about stream {stream}").into());
        }
        let applied = match self.meta.get("applied").map_err(said)? {
            Some(bytes) => read_position(&bytes).ok_or("its place in the journal is unreadable")?,
            None => Position::START,
        };
        if applied > end || applied.frames > end.frames {
            return Err("it claims to be further than the journal".into());
        }
        Ok(Compared::From(applied))
    }

    /// Events whose records go on after the journal's, and before whose heads sled was stopped.
    fn begun_without_head(&self, heads: &Heads) -> Result<Vec<Lost>, Failure> {
        let mut lost = Vec::new();
        let mut first = self.events.first().map_err(said)?;
        while let Some((key, _)) = first {
            let stream = key.first_chunk().copied().map(StreamId).ok_or("a key is unreadable")?;
            let journal = heads.slot(stream).map_err(unread)?.head;
            let has_head = self.heads.contains_key(stream.0).map_err(said)?;
            if !has_head && self.goes_on_after(stream, journal) {
                lost.push(Lost { stream, journal: journal.seq, sled: journal.seq + 1 });
            }
            first = self.events.get_gt(event_key(stream, u64::MAX)).map_err(said)?;
        }
        Ok(lost)
    }

    /// Whether sled holds a whole record that was written after the journal's head.
    fn goes_on_after(&self, stream: StreamId, journal: Head) -> bool {
        self.record(stream, journal.seq + 1).is_some_and(|record| {
            Chain::after(stream, journal.seq, journal.hash).follows(&record).is_ok()
        })
    }

    /// Whether sled holds a whole record in this place that is not the journal's and follows the one
    /// before it: no damage makes one.
    fn has_another(&self, stream: StreamId, seq: u64, journal: RecordHash) -> bool {
        let Some(record) = self.record(stream, seq).filter(|record| record.hash() != journal)
        else {
            return false;
        };
        let before = match seq {
            1 => Some(Chain::new(stream)),
            _ => self.record(stream, seq - 1).map(|before| Chain::after_record(&before)),
        };
        let header = record.header();
        let is_it = header.stream == stream && header.seq == seq;
        is_it && before.is_some_and(|mut before| before.follows(&record).is_ok())
    }

    /// A record that sled has whole.
    fn record(&self, stream: StreamId, seq: u64) -> Option<Record> {
        let value = self.events.get(event_key(stream, seq)).ok()??;
        let (hash, bytes) = value.split_first_chunk::<32>()?;
        Record::read_with_hash(RecordHash(*hash), bytes).ok()
    }

    /// Compares after everything was added: every head must be there, with its record.
    pub(crate) fn agree(&self, heads: &Heads) -> Result<(), Failure> {
        let mut journals = heads.iter();
        for entry in &self.heads {
            let (key, value) = entry.map_err(said)?;
            let (stream, found) = read_head(&key, &value).ok_or("a head is unreadable")?;
            let journal = journals.next().transpose().map_err(unread)?;
            if journal.map(|(stream, slot)| (stream, slot.head)) != Some((stream, found)) {
                return Err(format!("it disagrees with the journal about stream {stream}").into());
            }
            let last = self.events.get(event_key(stream, found.seq)).map_err(said)?;
            if last.is_none_or(|value| value.get(..32) != Some(&found.hash.0[..])) {
                return Err(format!("it lacks the last record of stream {stream}").into());
            }
        }
        match journals.next() {
            None => Ok(()),
            Some(_) => Err("it has fewer streams than the journal".into()),
        }
    }

    /// Takes a frame; [`Trees::apply`] must follow. `beat` is called when sled was given work.
    pub(crate) fn take(&mut self, frame: &Frame<'_>, beat: &dyn Fn()) -> Result<(), Failure> {
        let first = frame.body.first().ok_or("a frame of the journal is unreadable")?;
        let mut seq = first.seq;
        let mut last = RecordHash::ZERO;
        for raw in frame.body.records() {
            let (hash, bytes) = raw.ok_or("a frame of the journal is unreadable")?;
            let mut value = Vec::with_capacity(32 + bytes.len());
            value.extend_from_slice(&hash.0);
            value.extend_from_slice(bytes);
            self.pending.events.push((event_key(first.stream, seq), value));
            if self.pending.events.len() >= APPLY {
                self.apply_events(beat)?;
            }
            last = hash;
            seq += 1;
        }
        let head = Head { seq: seq - 1, hash: last };
        self.pending.heads.insert(first.stream, head);
        let trace = write_trace(first.seq, head.seq, &frame.body.digest);
        self.pending.commands.push((command_key(first.stream, first.command), trace));
        Ok(())
    }

    /// One by one and in order. A batch of sled's holds on to every page that it replaces, and a
    /// page is replaced for each value; what a batch lets go of is freed far more slowly than the
    /// next ones come, so that an hour of batches takes gigabytes.
    fn apply_events(&mut self, beat: &dyn Fn()) -> Result<(), Failure> {
        let mut events = std::mem::take(&mut self.pending.events);
        events.sort_unstable_by_key(|(key, _)| *key);
        for (key, value) in events {
            self.unwritten += value.len();
            self.events.insert(key, value).map_err(said)?;
        }
        beat();
        if self.unwritten >= UNWRITTEN {
            self.unwritten = 0;
            self.flush()?;
            beat();
        }
        Ok(())
    }

    /// Hands everything taken to sled, and last of all how far it is now. `beat` is called when
    /// sled was given work.
    pub(crate) fn apply(&mut self, at: Position, beat: &dyn Fn()) -> Result<(), Failure> {
        self.apply_events(beat)?;
        let mut commands = std::mem::take(&mut self.pending.commands);
        commands.sort_unstable_by_key(|(key, _)| *key);
        for (key, trace) in commands {
            self.commands.insert(key, &trace[..]).map_err(said)?;
        }
        for (stream, head) in std::mem::take(&mut self.pending.heads) {
            self.heads.insert(stream.0, &write_head(&head)[..]).map_err(said)?;
        }
        self.meta.insert("applied", &write_position(&at)[..]).map_err(said)?;
        Ok(())
    }

    /// Whether enough was taken to be handed over.
    pub(crate) fn is_full(&self) -> bool {
        self.pending.events.len() >= APPLY / 2 || self.pending.heads.len() >= APPLY / 2
    }

    /// Values of a stream from `from` to `to`, as many as are handed over at once.
    pub(crate) fn range(&self, stream: StreamId, from: u64, to: u64) -> Result<Vec<IVec>, Failure> {
        let mut values = Vec::with_capacity(CHUNK.min((to - from) as usize + 1));
        let mut bytes = 0;
        for entry in self.events.range(event_key(stream, from)..=event_key(stream, to)) {
            let (_, value) = entry.map_err(said)?;
            bytes += value.len();
            values.push(value);
            if values.len() == CHUNK || bytes >= CHUNK_BYTES {
                break;
            }
        }
        Ok(values)
    }

    /// Every command of a stream.
    pub(crate) fn commands_of(
        &self,
        stream: StreamId,
    ) -> Result<Vec<(CommandId, CommandTrace)>, Failure> {
        let mut found = Vec::new();
        for entry in self.commands.scan_prefix(stream.0) {
            let (key, value) = entry.map_err(said)?;
            found.push(read_command(&key, &value).ok_or("a command's trace is unreadable")?);
        }
        Ok(found)
    }

    /// Hands everything to the operating system.
    pub(crate) fn flush(&self) -> Result<(), Failure> {
        self.db.flush().map(|_| ()).map_err(said)
    }
}

fn unread(error: LogError) -> Failure {
    Failure::Broken(error.to_string())
}

fn said(error: sled::Error) -> Failure {
    let text = format!("it reported: {error}");
    match &error {
        sled::Error::Io(io) => Failure::of(io, text),
        _ => Failure::Broken(text),
    }
}

fn event_key(stream: StreamId, seq: u64) -> [u8; 24] {
    let mut key = [0; 24];
    key[..16].copy_from_slice(&stream.0);
    key[16..].copy_from_slice(&seq.to_be_bytes());
    key
}

fn command_key(stream: StreamId, id: CommandId) -> [u8; 32] {
    let mut key = [0; 32];
    key[..16].copy_from_slice(&stream.0);
    key[16..].copy_from_slice(&id.0.to_be_bytes());
    key
}

fn write_head(head: &Head) -> [u8; 40] {
    let mut value = [0; 40];
    value[..8].copy_from_slice(&head.seq.to_le_bytes());
    value[8..].copy_from_slice(&head.hash.0);
    value
}

fn read_head(key: &[u8], value: &[u8]) -> Option<(StreamId, Head)> {
    let (seq, hash) = value.split_first_chunk::<8>()?;
    let head = Head { seq: u64::from_le_bytes(*seq), hash: RecordHash(hash.try_into().ok()?) };
    Some((StreamId(key.try_into().ok()?), head))
}

fn write_trace(first: u64, last: u64, digest: &[u8; 32]) -> [u8; 48] {
    let mut value = [0; 48];
    value[..8].copy_from_slice(&first.to_le_bytes());
    value[8..16].copy_from_slice(&last.to_le_bytes());
    value[16..].copy_from_slice(digest);
    value
}

fn read_command(key: &[u8], value: &[u8]) -> Option<(CommandId, CommandTrace)> {
    let id = CommandId(u128::from_be_bytes(key.get(16..)?.try_into().ok()?));
    let value: &[u8; 48] = value.try_into().ok()?;
    let trace = CommandTrace {
        first_seq: u64::from_le_bytes(*value.first_chunk()?),
        last_seq: u64::from_le_bytes(*value[8..].first_chunk()?),
        digest: value[16..].try_into().ok()?,
    };
    Some((id, trace))
}

fn write_position(at: &Position) -> [u8; 24] {
    let mut value = [0; 24];
    value[..8].copy_from_slice(&at.segment.to_le_bytes());
    value[8..16].copy_from_slice(&at.offset.to_le_bytes());
    value[16..].copy_from_slice(&at.frames.to_le_bytes());
    value
}

fn read_position(value: &[u8]) -> Option<Position> {
    let value: &[u8; 24] = value.try_into().ok()?;
    Some(Position {
        segment: u64::from_le_bytes(*value.first_chunk()?),
        offset: u64::from_le_bytes(*value[8..].first_chunk()?),
        frames: u64::from_le_bytes(*value[16..].first_chunk()?),
    })
}

//! What checkpoints need to know of a log: its records' hashes and times, where its commands end,
//! and which keys sign for it.

use super::checkpoint::{Checkpoint, within_years};
use super::note::PublicKey;
use super::tree::{Hash, Tree};
use scrutineer_engine::event::{Event, KeyRetired, LogRestored, Seq};
use scrutineer_engine::log::{Log, LogError};
use scrutineer_engine::record::{Record, RecordHash, StreamId, Time};
use std::ops::ControlFlow;

/// The kinds of event that say which keys sign, and what was lost: TournamentOpened,
/// SignerChanged, KeyRetired, LogRestored.
const KINDS: [u16; 4] = [1, 4, 10, 11];

/// A log as checkpoints see it.
#[derive(Clone, Debug)]
pub struct History {
    stream: StreamId,
    tree: Tree,
    records: Vec<Seen>,
    signers: Vec<(Seq, PublicKey)>,
    retired: Vec<(Seq, KeyRetired)>,
    restored: Vec<(Seq, LogRestored)>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    hash: RecordHash,
    /// The latest time so far: clocks step back.
    latest: Time,
    ends_command: bool,
}

impl History {
    /// A log without records.
    pub fn new(stream: StreamId) -> History {
        let (tree, records) = (Tree::default(), Vec::new());
        let (signers, retired, restored) = (Vec::new(), Vec::new(), Vec::new());
        History { stream, tree, records, signers, retired, restored }
    }

    /// Reads a log.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(log: &dyn Log, stream: StreamId) -> Result<History, LogError> {
        let mut history = History::new(stream);
        log.read(stream, 0, &mut |record| {
            history.add(&record);
            ControlFlow::Continue(())
        })?;
        Ok(history)
    }

    /// Adds the next record. Whether it belongs there is not looked at, nor whether its hash
    /// holds.
    pub fn add(&mut self, record: &Record) {
        let (header, hash) = (record.header(), record.hash());
        let before = self.records.last().map_or(header.time, |last| last.latest);
        let latest = before.max(header.time);
        self.records.push(Seen { hash, latest, ends_command: record.ends_command() });
        self.tree.push(&hash);
        if !KINDS.contains(&header.kind) {
            return;
        }
        let seq = self.size();
        match Event::decode_strict(header.kind, header.schema, record.payload()) {
            Ok(Event::TournamentOpened(e)) => {
                self.signers.extend(e.signer.map(|signer| (seq, signer)));
            }
            Ok(Event::SignerChanged(e)) => self.signers.push((seq, e.signer)),
            Ok(Event::KeyRetired(e)) => self.retired.push((seq, e)),
            Ok(Event::LogRestored(e)) => self.restored.push((seq, e)),
            _ => {}
        }
    }

    /// The tournament.
    pub fn stream(&self) -> StreamId {
        self.stream
    }

    /// How many records it has.
    pub fn size(&self) -> u64 {
        self.records.len() as u64
    }

    /// The tree over them.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The log's state after so many records; none where no command ends there.
    pub fn checkpoint(&self, size: u64) -> Option<Checkpoint> {
        let last = self.last_of(size).filter(|last| last.ends_command)?;
        let root = self.tree.root_at(size)?;
        let (stream, time, head) = (self.stream, within_years(last.latest), last.hash);
        Some(Checkpoint { stream, size, root, time, head })
    }

    /// The last of the first `size` records.
    fn last_of(&self, size: u64) -> Option<&Seen> {
        self.records.get(usize::try_from(size).ok()?.checked_sub(1)?)
    }

    /// The key that signs after so many records.
    pub fn signer(&self, size: u64) -> Option<PublicKey> {
        let mut named = self.signers.iter().rev();
        named.find(|(seq, _)| *seq <= size).map(|(_, key)| *key)
    }

    /// Every key that ever signed, each with the seq of the event that named it.
    pub fn signers(&self) -> &[(Seq, PublicKey)] {
        &self.signers
    }

    /// Whether the log begins with the records of this checkpoint.
    pub fn begins_with(&self, checkpoint: &Checkpoint) -> bool {
        let root = self.tree.root_at(checkpoint.size);
        self.stream == checkpoint.stream && root == Some(checkpoint.root)
    }

    /// The event that retired this key for a checkpoint of so many records.
    pub fn retired(&self, key: &PublicKey, size: u64) -> Option<(Seq, u64)> {
        let mut events = self.retired.iter().filter(|(_, e)| e.key == *key && size > e.last_size);
        events.next().map(|(seq, e)| (*seq, e.last_size))
    }

    /// What was said about restored copies, each with the seq of its event.
    pub fn restored(&self) -> &[(Seq, LogRestored)] {
        &self.restored
    }

    /// The event that says that records up to such a checkpoint were lost.
    pub fn lost(&self, size: u64, root: &Hash) -> Option<Seq> {
        let covers = |e: &LogRestored| {
            size < e.known_size || (size == e.known_size && *root == e.known_root)
        };
        self.restored.iter().find(|(_, e)| covers(e)).map(|(seq, _)| *seq)
    }

    /// The keys that a change of signer replaced among the records after the first `from`.
    pub fn replaced(&self, from: u64) -> Vec<PublicKey> {
        let changes = self.signers.windows(2).filter(|pair| pair[1].0 > from);
        changes.map(|pair| pair[0].1).collect()
    }
}

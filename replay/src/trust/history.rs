//! What checkpoints need to know of a log: its records' hashes and times, where its commands end,
//! and which keys sign for it.

use super::checkpoint::{Checkpoint, Signed, within_years};
use super::note::PublicKey;
use super::signers::Signers;
use super::tree::{Hash, Tree};
use scrutineer_engine::event::{Event, KeyRetired, LogRestored, Seq};
use scrutineer_engine::log::{Log, LogError};
use scrutineer_engine::record::{Record, RecordHash, StreamId, Time};
use std::collections::BTreeMap;

/// The kinds of event that say which keys sign, and what was lost: TournamentOpened,
/// SignerChanged, KeyRetired, LogRestored.
const KINDS: [u16; 4] = [1, 4, 10, 11];

/// A log as checkpoints see it.
#[derive(Clone, Debug)]
pub struct History {
    stream: StreamId,
    tree: Tree,
    records: Vec<Seen>,
    signers: Signers,
    /// Of each key the events that retired it after fewer records than those before.
    retired: BTreeMap<PublicKey, Vec<(Seq, u64)>>,
    restored: Vec<(Seq, LogRestored)>,
    /// The events that said that more records were lost than those before.
    lost: Vec<(Seq, u64)>,
    /// The first event that said so of each size and root.
    lost_roots: BTreeMap<(u64, Hash), Seq>,
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
        let (signers, retired) = (Signers::new(stream), BTreeMap::new());
        let (restored, lost, lost_roots) = (Vec::new(), Vec::new(), BTreeMap::new());
        History { stream, tree, records, signers, retired, restored, lost, lost_roots }
    }

    /// Reads a log.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(log: &dyn Log, stream: StreamId) -> Result<History, LogError> {
        let mut history = History::new(stream);
        for record in log.read(stream, 0) {
            history.add(&record?);
        }
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
                if let Some(signer) = e.signer {
                    self.signers.name(seq, signer);
                }
            }
            Ok(Event::SignerChanged(e)) => self.signers.name(seq, e.signer),
            Ok(Event::KeyRetired(e)) => self.retire(seq, &e),
            Ok(Event::LogRestored(e)) => self.restore(seq, e),
            _ => {}
        }
    }

    fn retire(&mut self, seq: Seq, e: &KeyRetired) {
        let events = self.retired.entry(e.key).or_default();
        if events.last().is_none_or(|(_, last_size)| e.last_size < *last_size) {
            events.push((seq, e.last_size));
        }
    }

    fn restore(&mut self, seq: Seq, e: LogRestored) {
        if self.lost.last().is_none_or(|(_, known_size)| e.known_size > *known_size) {
            self.lost.push((seq, e.known_size));
        }
        self.lost_roots.entry((e.known_size, e.known_root)).or_insert(seq);
        self.restored.push((seq, e));
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
        self.signers.at(size)
    }

    /// The keys of this tournament that signed a checkpoint, each once, in the order in which they were
    /// named.
    pub fn signed_by(&self, signed: &Signed) -> Vec<PublicKey> {
        self.signers.of(signed)
    }

    /// Whether a signature claims to be made with a key of this tournament.
    pub fn is_claimed(&self, signed: &Signed) -> bool {
        !self.signers.claimed(signed).is_empty()
    }

    /// Every key that ever signed, each with the seq of the event that named it.
    pub fn signers(&self) -> &[(Seq, PublicKey)] {
        self.signers.all()
    }

    /// Whether the log begins with the records of this checkpoint.
    pub fn begins_with(&self, checkpoint: &Checkpoint) -> bool {
        let root = self.tree.root_at(checkpoint.size);
        self.stream == checkpoint.stream && root == Some(checkpoint.root)
    }

    /// The event that retired this key for a checkpoint of so many records.
    pub fn retired(&self, key: &PublicKey, size: u64) -> Option<(Seq, u64)> {
        let events = self.retired.get(key)?;
        let first = events.partition_point(|(_, last_size)| *last_size >= size);
        events.get(first).copied()
    }

    /// What was said about restored copies, each with the seq of its event.
    pub fn restored(&self) -> &[(Seq, LogRestored)] {
        &self.restored
    }

    /// The event that says that records up to such a checkpoint were lost.
    pub fn lost(&self, size: u64, root: &Hash) -> Option<Seq> {
        let longer = self.lost.partition_point(|(_, known_size)| *known_size <= size);
        let longer = self.lost.get(longer).map(|(seq, _)| *seq);
        let same = self.lost_roots.get(&(size, *root)).copied();
        longer.into_iter().chain(same).min()
    }

    /// The keys that a change of signer replaced among the records after the first `from`.
    pub fn replaced(&self, from: u64) -> Vec<PublicKey> {
        let changes = self.signers().windows(2).filter(|pair| pair[1].0 > from);
        changes.map(|pair| pair[0].1).collect()
    }
}

//! What somebody outside has of a checkpoint: all of it, or what a sheet shows of it.

use super::checkpoint::{Checkpoint, CheckpointError, Signed};
use super::digits;
use super::history::History;
use super::note::{PublicKey, in_fours};
use super::tree::Hash;
use scrutineer_engine::event::Seq;
use scrutineer_engine::record::to_hex;

/// The fewest digits of a root that are taken: whoever writes two histories with one root has to find
/// a collision, and of fewer digits that can be done.
const FEWEST: usize = 32;

/// What somebody has of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// All of it, signed.
    Signed(Signed),
    /// What stands on a sheet. Nobody signed that: whoever holds it saw it themselves.
    Shown(Shown),
}

/// A checkpoint as a sheet shows it: how many records, and the first digits of the root over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    size: u64,
    digits: String,
}

impl From<Signed> for Held {
    fn from(signed: Signed) -> Held {
        Held::Signed(signed)
    }
}

impl Held {
    /// How many records there were.
    pub fn size(&self) -> u64 {
        match self {
            Held::Signed(signed) => signed.checkpoint.size,
            Held::Shown(shown) => shown.size,
        }
    }

    /// Whether this is its root.
    pub(crate) fn has_root(&self, root: &Hash) -> bool {
        match self {
            Held::Signed(signed) => signed.checkpoint.root == *root,
            Held::Shown(shown) => to_hex(root).starts_with(&shown.digits),
        }
    }

    /// Whether a log begins with its records.
    pub fn begins(&self, history: &History) -> bool {
        let is_own = match self {
            Held::Signed(signed) => signed.checkpoint.stream == history.stream(),
            Held::Shown(_) => true,
        };
        is_own && history.tree().root_at(self.size()).is_some_and(|root| self.has_root(&root))
    }

    /// Whether a log's own checkpoint is the one that is held.
    pub fn is(&self, own: &Checkpoint) -> bool {
        match self {
            Held::Signed(signed) => signed.checkpoint == *own,
            Held::Shown(shown) => shown.size == own.size && self.has_root(&own.root),
        }
    }

    /// The event that says that its records were lost.
    pub fn lost(&self, history: &History) -> Option<Seq> {
        let size = self.size();
        let mut said = history.restored().iter().map(|(_, e)| e);
        let root = match self {
            Held::Signed(signed) => signed.checkpoint.root,
            // Of a root that nobody named only the size counts.
            Held::Shown(_) => said
                .find(|e| e.known_size == size && self.has_root(&e.known_root))
                .map_or([0; 32], |e| e.known_root),
        };
        history.lost(size, &root)
    }

    /// As a sheet shows it.
    pub fn short(&self) -> String {
        match self {
            Held::Signed(signed) => signed.checkpoint.short(),
            Held::Shown(Shown { size, digits }) => {
                format!("{} {}", super::records(*size), in_fours(digits))
            }
        }
    }
}

impl Shown {
    /// A checkpoint as a sheet shows it.
    pub fn of(checkpoint: &Checkpoint) -> Shown {
        Shown { size: checkpoint.size, digits: digits(&checkpoint.root).replace(' ', "") }
    }

    /// Reads what a sheet shows: `118 3f2a 9c01 …`, also with the words around it. None where
    /// somebody wrote something else, such as the name of a file.
    ///
    /// # Errors
    /// [`CheckpointError::Digits`] where there are too few digits, or too many, and
    /// [`CheckpointError::Size`] where the number of records is none.
    pub fn read(typed: &str) -> Option<Result<Shown, CheckpointError>> {
        let typed = typed.to_lowercase();
        let mut words = typed.split_whitespace().peekable();
        while words.next_if(|word| matches!(*word, "the" | "checkpoint" | "of")).is_some() {}
        let size = words.next().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
        words.next_if(|word| matches!(*word, "record" | "records"));
        let digits: String = words.collect();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let Some(size) = size.parse().ok().filter(|size| *size > 0) else {
            return Some(Err(CheckpointError::Size { typed: size.to_string() }));
        };
        Some(match (FEWEST..=64).contains(&digits.len()) {
            true => Ok(Shown { size, digits }),
            false => Err(CheckpointError::Digits { count: digits.len() }),
        })
    }
}

/// What somebody outside holds against a log.
#[derive(Clone, Debug, Default)]
pub struct Against {
    /// The organizer's public key, as they gave it to somebody.
    pub key: Option<PublicKey>,
    /// Checkpoints that were handed out.
    pub known: Vec<Held>,
    /// What each of them is called, such as the name of its file; empty where nobody asks.
    pub names: Vec<String>,
}

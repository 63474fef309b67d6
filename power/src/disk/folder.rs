//! The names in a folder: those that are safe, and the changes since.

use super::{Cut, Id};
use std::collections::BTreeMap;

/// A change of a folder's names.
#[derive(Clone, Debug)]
pub enum NameChange {
    /// A file or folder got its name.
    Put { name: String, id: Id },
    /// A name was removed.
    Remove { name: String },
    /// A name was changed, at once.
    Rename { from: String, to: String, id: Id },
}

#[derive(Clone, Debug, Default)]
pub struct FolderNode {
    safe: BTreeMap<String, Id>,
    now: BTreeMap<String, Id>,
    /// Changes since the last sync, each with its place on the tape.
    pending: Vec<(usize, NameChange)>,
}

impl FolderNode {
    pub fn put_safe(&mut self, name: &str, id: Id) {
        self.safe.insert(name.to_string(), id);
        self.now.insert(name.to_string(), id);
    }

    pub fn now(&self, name: &str) -> Option<Id> {
        self.now.get(name).copied()
    }

    pub fn change(&mut self, at: usize, change: NameChange) {
        change.apply(&mut self.now);
        self.pending.push((at, change));
    }

    pub fn synced(&mut self, covers: usize) {
        let later = self.pending.iter().position(|(at, _)| *at >= covers);
        let rest = self.pending.split_off(later.unwrap_or(self.pending.len()));
        for (_, change) in std::mem::replace(&mut self.pending, rest) {
            change.apply(&mut self.safe);
        }
    }

    pub fn count_anew(&mut self) {
        self.pending.iter_mut().for_each(|(at, _)| *at = 0);
    }

    pub fn image(&self, cut: &mut Cut) -> BTreeMap<String, Id> {
        let rng = match cut {
            Cut::Strict => return self.safe.clone(),
            Cut::Lax => return self.now.clone(),
            Cut::Random(rng) => rng,
        };
        let mut names = self.safe.clone();
        // Half of all disks carry changes of names out in order.
        let in_order = rng.bool();
        let reached = rng.usize(..=self.pending.len());
        for (count, (_, change)) in self.pending.iter().enumerate() {
            if if in_order { count < reached } else { rng.bool() } {
                change.apply(&mut names);
            }
        }
        names
    }
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<String, Id>) {
        match self {
            NameChange::Put { name, id } => {
                names.insert(name.clone(), *id);
            }
            NameChange::Remove { name } => {
                names.remove(name);
            }
            NameChange::Rename { from, to, id } => {
                names.remove(from);
                names.insert(to.clone(), *id);
            }
        }
    }
}

//! The tree over a log's records: the shape of RFC 6962 with BLAKE3 in place of SHA-256.
//!
//! A leaf is the hash of the byte 0 and a record's hash, a node that of the byte 1 and the two
//! below it. One root stands for all records before it; a few hashes show that a record is among
//! them, or that a longer log begins with a shorter one.

use scrutineer_engine::record::RecordHash;

/// A leaf, a node or a root.
pub type Hash = [u8; 32];

/// The longest proof that there can be: sizes are 64 bits wide.
pub(crate) const MAX_PROOF: usize = 64;

/// A tree that grows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The nodes of full subtrees: the leaves first, then those over two of them, over four …
    levels: Vec<Vec<Hash>>,
}

impl Tree {
    /// The tree over these records.
    pub fn of(records: impl IntoIterator<Item = RecordHash>) -> Tree {
        let mut tree = Tree::default();
        records.into_iter().for_each(|record| tree.push(&record));
        tree
    }

    /// Adds a record.
    pub fn push(&mut self, record: &RecordHash) {
        let mut hash = leaf(record);
        for level in 0.. {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let nodes = &mut self.levels[level];
            nodes.push(hash);
            if nodes.len() % 2 == 1 {
                return;
            }
            hash = node(&nodes[nodes.len() - 2], &hash);
        }
    }

    /// How many records it has.
    pub fn size(&self) -> u64 {
        self.levels.first().map_or(0, |leaves| leaves.len() as u64)
    }

    /// The root over all records.
    pub fn root(&self) -> Hash {
        self.over(0, self.size())
    }

    /// The root as it was after so many records; none where there are fewer.
    pub fn root_at(&self, size: u64) -> Option<Hash> {
        (size <= self.size()).then(|| self.over(0, size))
    }

    /// Shows that the record at `index`, from 0, is among the first `size`; none where it is not.
    pub fn inclusion(&self, index: u64, size: u64) -> Option<Vec<Hash>> {
        if index >= size || size > self.size() {
            return None;
        }
        let (mut start, mut end) = (0, size);
        let mut proof = Vec::new();
        while end - start > 1 {
            let middle = start + split(end - start);
            if index < middle {
                proof.push(self.over(middle, end));
                end = middle;
            } else {
                proof.push(self.over(start, middle));
                start = middle;
            }
        }
        proof.reverse();
        Some(proof)
    }

    /// Shows that the tree over the first `size` records begins with the one over the first `old`;
    /// none where there are fewer, or `old` is 0.
    pub fn consistency(&self, old: u64, size: u64) -> Option<Vec<Hash>> {
        if old == 0 || old > size || size > self.size() {
            return None;
        }
        let (mut start, mut end) = (0, size);
        let mut proof = Vec::new();
        while old < end {
            let middle = start + split(end - start);
            if old <= middle {
                proof.push(self.over(middle, end));
                end = middle;
            } else {
                proof.push(self.over(start, middle));
                start = middle;
            }
        }
        // Who checks it has the old root, and needs it told only where it is not a whole subtree.
        if start > 0 {
            proof.push(self.over(start, end));
        }
        proof.reverse();
        Some(proof)
    }

    /// The hash over the records from `start` to before `end`, a subtree of some size of the tree.
    fn over(&self, start: u64, end: u64) -> Hash {
        let count = end - start;
        if count == 0 {
            return *blake3::hash(&[]).as_bytes();
        }
        if count.is_power_of_two() {
            let level = count.trailing_zeros();
            return self.levels[level as usize][(start >> level) as usize];
        }
        let middle = start + split(count);
        node(&self.over(start, middle), &self.over(middle, end))
    }
}

/// Whether `proof` shows that this record stands at `index`, from 0, under a root over `size`
/// records.
pub(crate) fn includes(
    root: &Hash,
    size: u64,
    index: u64,
    record: &RecordHash,
    proof: &[Hash],
) -> bool {
    if index >= size {
        return false;
    }
    let (mut index, mut last) = (index, size - 1);
    let mut hash = leaf(record);
    for beside in proof {
        if last == 0 {
            return false;
        }
        if index % 2 == 1 || index == last {
            hash = node(beside, &hash);
            while index % 2 == 0 && index > 0 {
                (index, last) = (index >> 1, last >> 1);
            }
        } else {
            hash = node(&hash, beside);
        }
        (index, last) = (index >> 1, last >> 1);
    }
    last == 0 && hash == *root
}

/// Whether `proof` shows that a tree of `size` records begins with one of `old` records.
pub fn extends(old: u64, old_root: &Hash, size: u64, root: &Hash, proof: &[Hash]) -> bool {
    if old == 0 || old > size {
        return false;
    }
    if old == size {
        return proof.is_empty() && old_root == root;
    }
    let (first, rest) = match (old.is_power_of_two(), proof) {
        (true, rest) => (old_root, rest),
        (false, [first, rest @ ..]) => (first, rest),
        (false, []) => return false,
    };
    let (mut index, mut last) = (old - 1, size - 1);
    while index % 2 == 1 {
        (index, last) = (index >> 1, last >> 1);
    }
    let (mut before, mut after) = (*first, *first);
    for beside in rest {
        if last == 0 {
            return false;
        }
        if index % 2 == 1 || index == last {
            before = node(beside, &before);
            after = node(beside, &after);
            while index % 2 == 0 && index > 0 {
                (index, last) = (index >> 1, last >> 1);
            }
        } else {
            after = node(&after, beside);
        }
        (index, last) = (index >> 1, last >> 1);
    }
    last == 0 && before == *old_root && after == *root
}

/// The largest power of two below `count`, which is at least 2.
fn split(count: u64) -> u64 {
    1 << (u64::BITS - 1 - (count - 1).leading_zeros())
}

fn leaf(record: &RecordHash) -> Hash {
    let mut bytes = [0; 33];
    bytes[1..].copy_from_slice(&record.0);
    *blake3::hash(&bytes).as_bytes()
}

fn node(left: &Hash, right: &Hash) -> Hash {
    let mut bytes = [1; 65];
    bytes[1..33].copy_from_slice(left);
    bytes[33..].copy_from_slice(right);
    *blake3::hash(&bytes).as_bytes()
}

#[cfg(test)]
mod tests;

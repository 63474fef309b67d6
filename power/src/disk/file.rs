//! The bytes of a file: those that are safe, and what was done to them since.

use super::Cut;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the operating system keeps in memory and writes at once, in bytes.
const PAGE: usize = 4096;

/// What the disk writes at once or not at all, in bytes: pages, or single sectors.
const PIECES: [usize; 2] = [PAGE, 512];

#[derive(Clone, Debug)]
enum Change {
    Write { offset: usize, data: Rc<[u8]> },
    SetLen { len: usize },
}

#[derive(Clone, Debug, Default)]
pub struct FileNode {
    safe: Vec<u8>,
    /// Changes since the last sync, each with its place on the tape.
    pending: Vec<(usize, Change)>,
    /// Pages that a failed sync left in memory as if they were safe, as they were then.
    doubtful: BTreeMap<usize, Vec<u8>>,
    /// The length that a failed sync should have made safe.
    doubtful_len: Option<usize>,
}

impl FileNode {
    pub fn holding(safe: Vec<u8>) -> FileNode {
        FileNode { safe, ..FileNode::default() }
    }

    pub fn write(&mut self, at: usize, offset: u64, data: Rc<[u8]>) {
        self.pending.push((at, Change::Write { offset: offset as usize, data }));
    }

    pub fn set_len(&mut self, at: usize, len: u64) {
        self.pending.push((at, Change::SetLen { len: len as usize }));
    }

    pub fn count_anew(&mut self) {
        self.pending.iter_mut().for_each(|(at, _)| *at = 0);
    }

    fn covered(&mut self, covers: usize) -> Vec<(usize, Change)> {
        let later = self.pending.iter().position(|(at, _)| *at >= covers);
        let rest = self.pending.split_off(later.unwrap_or(self.pending.len()));
        std::mem::replace(&mut self.pending, rest)
    }

    /// What was done before entry `covers` is safe.
    pub fn synced(&mut self, covers: usize) {
        for (_, change) in self.covered(covers) {
            if let Some(len) = self.doubtful_len.take() {
                self.safe.resize(len, 0);
            }
            // The whole page is written, also what a failed sync has left in it.
            for page in change.pages(PAGE, self.safe.len()) {
                if let Some(bytes) = self.doubtful.remove(&page) {
                    put(&mut self.safe, page * PAGE, &bytes);
                }
            }
            change.apply(&mut self.safe);
        }
    }

    /// What was done before entry `covers` is in memory, and counts as written.
    pub fn sync_failed(&mut self, covers: usize) {
        let mut now = self.lasting();
        for (_, change) in self.covered(covers) {
            let pages = change.pages(PAGE, now.len());
            change.apply(&mut now);
            for page in pages {
                let bytes = now.get(page * PAGE..).unwrap_or_default();
                self.doubtful.insert(page, bytes[..bytes.len().min(PAGE)].to_vec());
            }
        }
        self.doubtful_len = Some(now.len());
    }

    /// What is in memory without the pending changes.
    fn lasting(&self) -> Vec<u8> {
        let mut bytes = self.safe.clone();
        if let Some(len) = self.doubtful_len {
            bytes.resize(len, 0);
        }
        for (page, doubtful) in &self.doubtful {
            let room = bytes.len().saturating_sub(page * PAGE).min(doubtful.len());
            if room > 0 {
                put(&mut bytes, page * PAGE, &doubtful[..room]);
            }
        }
        bytes
    }

    pub fn image(&self, cut: &mut Cut) -> Vec<u8> {
        match cut {
            Cut::Strict => self.safe.clone(),
            Cut::Lax => {
                let mut bytes = self.lasting();
                self.pending.iter().for_each(|(_, change)| change.apply(&mut bytes));
                bytes
            }
            Cut::Random(rng) => self.some(rng),
        }
    }

    /// Each piece in one of its states, and one of the lengths.
    fn some(&self, rng: &mut fastrand::Rng) -> Vec<u8> {
        let piece = PIECES[rng.usize(..PIECES.len())];
        let mut bytes = self.safe.clone();
        let mut lengths = vec![bytes.len()];
        lengths.extend(self.doubtful_len);
        let mut len = self.doubtful_len.unwrap_or(bytes.len());
        let mut touched: BTreeMap<usize, Vec<&Change>> = BTreeMap::new();
        for (_, change) in &self.pending {
            for at in change.pages(piece, len.max(bytes.len())) {
                touched.entry(at).or_default().push(change);
            }
            len = change.len_after(len);
            lengths.push(len);
        }
        let most = lengths.iter().copied().max().unwrap_or(0);
        bytes.resize(most, 0);
        for (page, doubtful) in &self.doubtful {
            if rng.bool() {
                let room = most.saturating_sub(page * PAGE).min(doubtful.len());
                put(&mut bytes, page * PAGE, &doubtful[..room]);
            }
        }
        let lasting = self.lasting();
        for (at, changes) in touched {
            let reached = rng.usize(..=changes.len());
            if reached == 0 {
                continue;
            }
            let from = at * piece;
            let mut one = vec![0; piece];
            let kept = lasting.get(from..).unwrap_or_default();
            let kept = &kept[..kept.len().min(piece)];
            one[..kept.len()].copy_from_slice(kept);
            for change in &changes[..reached] {
                change.apply_to_piece(from, &mut one);
            }
            let room = most.saturating_sub(from).min(piece);
            put(&mut bytes, from, &one[..room]);
        }
        bytes.truncate(lengths[rng.usize(..lengths.len())]);
        bytes
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Change::Write { offset, data } => put(bytes, *offset, data),
            Change::SetLen { len } => bytes.resize(*len, 0),
        }
    }

    /// The pieces it touches in a file of this length; making a file longer touches none.
    fn pages(&self, piece: usize, len: usize) -> std::ops::Range<usize> {
        match self {
            Change::Write { data, .. } if data.is_empty() => 0..0,
            Change::Write { offset, data } => offset / piece..(offset + data.len()).div_ceil(piece),
            Change::SetLen { len: new } => new / piece..len.div_ceil(piece).max(new / piece),
        }
    }

    fn len_after(&self, len: usize) -> usize {
        match self {
            Change::Write { offset, data } => len.max(offset + data.len()),
            Change::SetLen { len } => *len,
        }
    }

    fn apply_to_piece(&self, from: usize, piece: &mut [u8]) {
        match self {
            Change::Write { offset, data } => {
                let begin = (*offset).max(from);
                let end = (offset + data.len()).min(from + piece.len());
                if begin < end {
                    piece[begin - from..end - from]
                        .copy_from_slice(&data[begin - offset..end - offset]);
                }
            }
            Change::SetLen { len } => {
                let cut = len.saturating_sub(from).min(piece.len());
                piece[cut..].fill(0);
            }
        }
    }
}

/// Puts bytes into a file; a gap before them is zeros.
fn put(file: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let end = offset + bytes.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[offset..end].copy_from_slice(bytes);
}

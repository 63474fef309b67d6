//! Every stream's head: those of the last orderly closing in a sorted file, in which they are looked
//! up, and those since in memory.
//!
//! ```text
//!  0  "SCRUHEAD"                    32  the journal's end: segment u64, offset u64, frames u64
//!  8  version u32 (1)               56  streams u64
//! 12  crc32 of the last segment     64  each, by stream: stream 16 bytes, seq u64, hash 32 bytes,
//! 16  store id, 16 bytes                first segment u32, last segment u32
//!                                  end  crc32 of all before u32
//! ```
//!
//! It is derived: where it does not fit the journal's end it is passed over, and written again when
//! the store is closed in order.

use std::collections::{BTreeMap, btree_map};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crc32fast::Hasher;

use super::durable::io_error;
use super::files::open_plain;
use super::segment::Position;
use super::{Head, LogError};
use scrutineer_engine::record::{RecordHash, StreamId};

const MAGIC: [u8; 8] = *b"SCRUHEAD";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const ENTRY: usize = 64;

/// Entries that are read at once where all are wanted.
const AT_ONCE: u64 = 4096;

/// The end of a stream, and between which segments it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Slot {
    pub head: Head,
    /// How many frames the journal had with it, or later.
    pub frames: u64,
    pub first_segment: u64,
    pub last_segment: u64,
}

/// Every stream's head.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    kept: Option<Arc<HeadsFile>>,
    since: BTreeMap<StreamId, Slot>,
}

impl Heads {
    pub(crate) fn in_file(kept: HeadsFile) -> Heads {
        Heads { kept: Some(Arc::new(kept)), since: BTreeMap::new() }
    }

    /// The end of a stream; the default where it has no records.
    pub(crate) fn slot(&self, stream: StreamId) -> Result<Slot, LogError> {
        match (self.since.get(&stream), &self.kept) {
            (Some(slot), _) => Ok(*slot),
            (None, Some(kept)) => Ok(kept.find(stream)?.unwrap_or_default()),
            (None, None) => Ok(Slot::default()),
        }
    }

    pub(crate) fn insert(&mut self, stream: StreamId, slot: Slot) {
        self.since.insert(stream, slot);
    }

    /// Whether nothing was added to the file.
    pub(crate) fn is_as_kept(&self) -> bool {
        self.kept.is_some() && self.since.is_empty()
    }

    /// Every stream and its end, in the order of their ids.
    pub(crate) fn iter(&self) -> Iter<'_> {
        let kept = self.kept.as_deref();
        Iter { kept, next: 0, read: Vec::new().into_iter(), since: self.since.iter().peekable() }
    }

    /// Writes the file of a store whose journal ends here, and whose last segment has this CRC. It
    /// can always be made again, so it isn't synced.
    pub(crate) fn save(
        &self,
        root: &Path,
        store: [u8; 16],
        end: Position,
        crc: u32,
    ) -> Result<(), LogError> {
        let file = heads_file(root);
        let mut count = 0_u64;
        for slot in self.iter() {
            slot?;
            count += 1;
        }
        let mut header = Vec::with_capacity(HEADER);
        header.extend_from_slice(&MAGIC);
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&crc.to_le_bytes());
        header.extend_from_slice(&store);
        for number in [end.segment, end.offset, end.frames, count] {
            header.extend_from_slice(&number.to_le_bytes());
        }
        let next = file.with_extension("new");
        let refused = |error: io::Error| io_error("write", &next, &error);
        let mut out = BufWriter::new(File::create(&next).map_err(refused)?);
        out.write_all(&header).map_err(refused)?;
        let mut crc = Hasher::new_with_initial(crc32fast::hash(&header));
        for slot in self.iter() {
            let (stream, slot) = slot?;
            let entry = write_entry(stream, &slot);
            crc.update(&entry);
            out.write_all(&entry).map_err(refused)?;
        }
        out.write_all(&crc.finalize().to_le_bytes()).and_then(|()| out.flush()).map_err(refused)?;
        drop(out);
        fs::rename(&next, &file).map_err(|error| io_error("replace", &file, &error))
    }
}

/// Every stream and its end, in the order of their ids.
pub(crate) struct Iter<'a> {
    kept: Option<&'a HeadsFile>,
    next: u64,
    read: std::vec::IntoIter<(StreamId, Slot)>,
    since: Peekable<btree_map::Iter<'a, StreamId, Slot>>,
}

impl Iterator for Iter<'_> {
    type Item = Result<(StreamId, Slot), LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read.as_slice().is_empty()
            && let Some(kept) = self.kept
        {
            match kept.entries(self.next) {
                Ok(read) => self.read = read.into_iter(),
                Err(error) => return Some(Err(error)),
            }
            self.next += AT_ONCE;
        }
        let kept = self.read.as_slice().first().map(|(stream, _)| *stream);
        match (kept, self.since.peek()) {
            (Some(kept), Some((since, _))) if **since > kept => self.read.next().map(Ok),
            (Some(_), None) => self.read.next().map(Ok),
            (kept, Some((since, _))) => {
                if kept == Some(**since) {
                    self.read.next();
                }
                self.since.next().map(|(stream, slot)| Ok((*stream, *slot)))
            }
            (None, None) => None,
        }
    }
}

/// The file of a store that was closed in order.
#[derive(Debug)]
pub(crate) struct HeadsFile {
    path: PathBuf,
    file: Mutex<File>,
    streams: u64,
    pub store: [u8; 16],
    /// Where the journal ended.
    pub end: Position,
    /// The CRC of its last segment.
    pub crc: u32,
}

impl HeadsFile {
    /// Opens it, if it is there and whole.
    pub(crate) fn open(root: &Path) -> Option<HeadsFile> {
        let path = heads_file(root);
        let mut file = open_plain(&path).ok()?;
        let len = file.metadata().ok()?.len();
        let mut header = [0; HEADER];
        file.read_exact(&mut header).ok()?;
        let number = |at: usize| Some(u64::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let streams = number(56)?;
        let whole = streams.checked_mul(ENTRY as u64)?.checked_add(HEADER as u64 + 4)?;
        if header[..8] != MAGIC || header[8..12] != VERSION.to_le_bytes() || len != whole {
            return None;
        }
        file.rewind().ok()?;
        let crc = crc_of(&mut file, len - 4).ok()?.finalize();
        let mut kept = [0; 4];
        file.read_exact(&mut kept).ok()?;
        if crc.to_le_bytes() != kept {
            return None;
        }
        let end = Position { segment: number(32)?, offset: number(40)?, frames: number(48)? };
        let store = *header[16..].first_chunk()?;
        let crc = u32::from_le_bytes(*header[12..].first_chunk()?);
        Some(HeadsFile { path, file: Mutex::new(file), streams, store, end, crc })
    }

    /// So many bytes from an entry on.
    fn bytes(&self, entry: u64, entries: u64) -> Result<Vec<u8>, LogError> {
        let mut bytes = vec![0; entries as usize * ENTRY];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(HEADER as u64 + entry * ENTRY as u64));
        let read = read.and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|error| io_error("read", &self.path, &error))?;
        Ok(bytes)
    }

    fn entries(&self, from: u64) -> Result<Vec<(StreamId, Slot)>, LogError> {
        let count = AT_ONCE.min(self.streams.saturating_sub(from));
        let bytes = self.bytes(from, count)?;
        Ok(bytes.as_chunks().0.iter().map(|entry| self.entry(entry)).collect())
    }

    fn entry(&self, entry: &[u8; ENTRY]) -> (StreamId, Slot) {
        let (stream, rest) = entry.split_first_chunk().unwrap_or((&[0; 16], &[]));
        let number = |at: usize| u64::from_le_bytes(*rest[at..].first_chunk().unwrap_or(&[0; 8]));
        let hash = RecordHash(*rest[8..].first_chunk().unwrap_or(&[0; 32]));
        let segments = number(40);
        let slot = Slot {
            head: Head { seq: number(0), hash },
            frames: self.end.frames,
            first_segment: segments & u64::from(u32::MAX),
            last_segment: segments >> 32,
        };
        (StreamId(*stream), slot)
    }

    fn find(&self, stream: StreamId) -> Result<Option<Slot>, LogError> {
        let (mut from, mut to) = (0, self.streams);
        while to - from > 64 {
            let middle = from.midpoint(to);
            match self.bytes(middle, 1)?[..16] > stream.0[..] {
                true => to = middle,
                false => from = middle,
            }
        }
        let bytes = self.bytes(from, to - from)?;
        let entry = bytes.as_chunks().0.iter().find(|entry| entry[..16] == stream.0);
        Ok(entry.map(|entry| self.entry(entry).1))
    }
}

fn write_entry(stream: StreamId, slot: &Slot) -> [u8; ENTRY] {
    let mut entry = [0; ENTRY];
    entry[..16].copy_from_slice(&stream.0);
    entry[16..24].copy_from_slice(&slot.head.seq.to_le_bytes());
    entry[24..56].copy_from_slice(&slot.head.hash.0);
    // Segments have 64 MiB each: there are fewer than 2^32.
    entry[56..60].copy_from_slice(&(slot.first_segment as u32).to_le_bytes());
    entry[60..].copy_from_slice(&(slot.last_segment as u32).to_le_bytes());
    entry
}

/// The CRC of the next bytes of a file. It is not that of frames: what covers bytes and their own CRC
/// is blind to bytes that were changed together with it.
pub(crate) fn crc_of(file: &mut File, len: u64) -> io::Result<Hasher> {
    let (mut crc, mut left) = (Hasher::new(), len);
    let mut piece = vec![0; len.min(1024 * 1024) as usize];
    while left > 0 {
        let piece = &mut piece[..left.min(1024 * 1024) as usize];
        file.read_exact(piece)?;
        crc.update(piece);
        left -= piece.len() as u64;
    }
    Ok(crc)
}

/// The file of a store.
pub(crate) fn heads_file(root: &Path) -> PathBuf {
    root.join("heads")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(number: u64) -> StreamId {
        StreamId(u128::from(number).to_be_bytes())
    }

    fn slot(seq: u64) -> Slot {
        let head = Head { seq, hash: RecordHash([seq as u8; 32]) };
        Slot { head, frames: 9, first_segment: 3, last_segment: 0xffff_fff0 }
    }

    /// What is written is found again, each stream in its order, and what came since before it.
    #[test]
    fn heads_are_looked_up_in_their_file() {
        let root = tempfile::tempdir().unwrap();
        let end = Position { segment: 7, offset: 4711, frames: 9 };
        for count in [0, 1, 2, 63, 64, 65, 5_000] {
            let mut heads = Heads::default();
            (1..=count).for_each(|number| heads.insert(stream(number * 2), slot(number)));
            heads.save(root.path(), [5; 16], end, 77).unwrap();
            let kept = HeadsFile::open(root.path()).unwrap();
            assert_eq!((kept.store, kept.end, kept.crc, kept.streams), ([5; 16], end, 77, count));
            let mut again = Heads::in_file(kept);
            for number in 1..=count {
                assert_eq!(again.slot(stream(number * 2)), Ok(slot(number)), "of {count}");
                assert_eq!(again.slot(stream(number * 2 + 1)), Ok(Slot::default()));
            }
            let all = |heads: &Heads| heads.iter().collect::<Result<Vec<_>, _>>().unwrap();
            assert_eq!(all(&again), all(&heads), "{count} streams");
            for number in [0, 1, 4, 9, 20_000] {
                heads.insert(stream(number), slot(number + 1));
                again.insert(stream(number), slot(number + 1));
            }
            assert_eq!(all(&again), all(&heads), "{count} streams and five since");
        }
    }

    /// A file in which anything is not as it was written is none.
    #[test]
    fn a_damaged_file_is_none() {
        let root = tempfile::tempdir().unwrap();
        let mut heads = Heads::default();
        (1..4).for_each(|number| heads.insert(stream(number), slot(number)));
        heads.save(root.path(), [5; 16], Position::START, 77).unwrap();
        let file = heads_file(root.path());
        let whole = fs::read(&file).unwrap();
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&file, bytes).unwrap();
            assert!(HeadsFile::open(root.path()).is_none(), "bit {bit}");
        }
        for len in 0..whole.len() {
            fs::write(&file, &whole[..len]).unwrap();
            assert!(HeadsFile::open(root.path()).is_none(), "{len} bytes");
        }
    }
}

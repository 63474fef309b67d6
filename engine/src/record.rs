//! The envelope of a fact: its bytes, its hash, its place in the chain.
//!
//! A record's bytes are fixed for ever: little-endian fields at fixed offsets, then the payload.
//! The hash is taken over exactly these bytes, so a record is never encoded again to be checked;
//! it is kept beside the bytes wherever they are stored.
//!
//! ```text
//!  0  format version (1)        55  part u32, 1..=parts
//!  1  hash suite (1 = BLAKE3)   59  parts u32
//!  2  codec (1 = bincode 2)     63  kind u16
//!  3  stream, 16 bytes          65  schema u16
//! 19  seq u64, from 1           67  previous hash, 32 bytes
//! 27  time i64, microseconds    99  payload length u32
//! 35  actor u32                103  payload
//! 39  command id, 128 bits
//! ```

mod chain;
mod ids;

use std::cell::RefCell;

pub use chain::{Chain, ChainError};
pub use ids::{Actor, CommandId, IdError, RecordHash, StreamId, Time, from_hex, to_hex};

/// The longest payload, in bytes; with its envelope a record stays below 64 KiB.
pub const MAX_PAYLOAD: usize = 60 * 1024;

/// Bytes before the payload.
pub const HEADER_LEN: usize = 103;

/// The longest record, in bytes.
pub const MAX_RECORD: usize = HEADER_LEN + MAX_PAYLOAD;

/// The BLAKE3 `derive_key` context of record hashes.
pub const RECORD_CONTEXT: &str = "scrutineer 2026 record v1";

const FORMAT: u8 = 1;
const HASH_SUITE: u8 = 1;
const CODEC: u8 = 1;

/// Everything about a record except its payload and its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The tournament.
    pub stream: StreamId,
    /// The place in the stream, from 1 without gaps.
    pub seq: u64,
    /// When it was recorded.
    pub time: Time,
    /// Who sent the command.
    pub actor: Actor,
    /// The command this record came from.
    pub command: CommandId,
    /// Which part of the command, from 1.
    pub part: u32,
    /// How many records the command has.
    pub parts: u32,
    /// What kind of event the payload is; the numbers stand in FORMAT.md.
    pub kind: u16,
    /// The version of that kind's payload.
    pub schema: u16,
    /// The hash of the record before; zeros for the first.
    pub previous: RecordHash,
}

/// A sealed record: its hash was taken from its bytes, and its bytes don't change.
///
/// The header is read from the bytes where it is asked for: records are moved more often than looked
/// into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    hash: RecordHash,
    bytes: Box<[u8]>,
}

/// Why bytes are not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum RecordError {
    /// Fewer bytes than the record needs.
    #[error("a record of {needed} bytes is cut off after {found}; fetch the file again")]
    CutOff { needed: usize, found: usize },
    /// More bytes than the record has.
    #[error("{extra} bytes follow the end of a record")]
    Trailing { extra: usize },
    /// A format, hash suite or codec this program doesn't know.
    #[error(
        "a record has {what} {found}, this program knows {known}: \
         it was written by a newer version; install that version to read it"
    )]
    Newer { what: &'static str, found: u8, known: u8 },
    /// The first bytes can't be a record's.
    #[error("these bytes are not a record: {what} is 0")]
    NotARecord { what: &'static str },
    /// The payload is too long.
    #[error("a record's payload has {len} bytes; {MAX_PAYLOAD} is the most")]
    TooLong { len: u64 },
    /// The part isn't one of the parts.
    #[error("a record claims to be part {part} of {parts}")]
    Part { part: u32, parts: u32 },
    /// The bytes have another hash than the one kept with them.
    #[error(
        "record {seq} was changed: its bytes have hash {}, not {}; restore it from a copy",
        .found.short(), .kept.short()
    )]
    Changed { seq: u64, kept: RecordHash, found: RecordHash },
}

impl Header {
    fn check(&self) -> Result<(), RecordError> {
        if self.seq == 0 {
            return Err(RecordError::NotARecord { what: "seq" });
        }
        if self.part == 0 || self.part > self.parts {
            return Err(RecordError::Part { part: self.part, parts: self.parts });
        }
        Ok(())
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&[FORMAT, HASH_SUITE, CODEC]);
        bytes.extend_from_slice(&self.stream.0);
        bytes.extend_from_slice(&self.seq.to_le_bytes());
        bytes.extend_from_slice(&self.time.unix_micros.to_le_bytes());
        bytes.extend_from_slice(&self.actor.0.to_le_bytes());
        bytes.extend_from_slice(&self.command.0.to_le_bytes());
        bytes.extend_from_slice(&self.part.to_le_bytes());
        bytes.extend_from_slice(&self.parts.to_le_bytes());
        bytes.extend_from_slice(&self.kind.to_le_bytes());
        bytes.extend_from_slice(&self.schema.to_le_bytes());
        bytes.extend_from_slice(&self.previous.0);
    }

    /// The fields of bytes that are a header's length or longer.
    #[inline]
    fn read(bytes: &[u8]) -> Header {
        Header {
            stream: StreamId(at(bytes, 3)),
            seq: u64::from_le_bytes(at(bytes, 19)),
            time: Time { unix_micros: i64::from_le_bytes(at(bytes, 27)) },
            actor: Actor(u32::from_le_bytes(at(bytes, 35))),
            command: CommandId(u128::from_le_bytes(at(bytes, 39))),
            part: u32::from_le_bytes(at(bytes, 55)),
            parts: u32::from_le_bytes(at(bytes, 59)),
            kind: u16::from_le_bytes(at(bytes, 63)),
            schema: u16::from_le_bytes(at(bytes, 65)),
            previous: RecordHash(at(bytes, 67)),
        }
    }
}

impl Record {
    /// Lays out the bytes and takes their hash.
    ///
    /// # Errors
    /// [`RecordError::TooLong`] for a payload over [`MAX_PAYLOAD`], and the header's own faults:
    /// seq 0, a part outside `1..=parts`.
    pub fn seal(header: Header, payload: &[u8]) -> Result<Record, RecordError> {
        header.check()?;
        if payload.len() > MAX_PAYLOAD {
            return Err(RecordError::TooLong { len: payload.len() as u64 });
        }
        let mut bytes = Vec::with_capacity(HEADER_LEN + payload.len());
        header.write(&mut bytes);
        bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        bytes.extend_from_slice(payload);
        debug_assert_eq!(bytes.len(), HEADER_LEN + payload.len());
        let hash = hash_of(&bytes);
        Ok(Record { hash, bytes: bytes.into_boxed_slice() })
    }

    /// Reads foreign bytes: exactly one record, every byte consumed. Takes their hash anew.
    ///
    /// # Errors
    /// [`RecordError`] says what is wrong. Nothing is allocated before the length was checked.
    pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
        check_readable(bytes)?;
        Ok(Record { hash: hash_of(bytes), bytes: bytes.into() })
    }

    /// Reads bytes together with the hash kept beside them.
    ///
    /// # Errors
    /// As [`Record::read`], and [`RecordError::Changed`] when the hash is another.
    pub fn read_with_hash(kept: RecordHash, bytes: &[u8]) -> Result<Record, RecordError> {
        let record = Record::read(bytes)?;
        if record.hash != kept {
            let (seq, found) = (record.header().seq, record.hash);
            return Err(RecordError::Changed { seq, kept, found });
        }
        Ok(record)
    }

    /// Reads this store's own bytes as if they had the hash kept beside them: enough to see whether a
    /// journal's frames follow each other. No record that is read so is ever shown to anybody, since
    /// whoever changes bytes can make every checksum right.
    ///
    /// # Errors
    /// Where the header can't be read, or the length is another one.
    pub fn read_own(hash: RecordHash, bytes: &[u8]) -> Result<Record, RecordError> {
        check_readable(bytes)?;
        Ok(Record { hash, bytes: bytes.into() })
    }

    /// Reads the header at the front of `bytes`, whatever follows it.
    ///
    /// # Errors
    /// As [`Record::read`], except for the payload.
    pub fn read_header(bytes: &[u8]) -> Result<Header, RecordError> {
        if let Some(&first) = bytes.first() {
            known("format", first, FORMAT)?;
        }
        let Some(fixed) = bytes.first_chunk::<HEADER_LEN>() else {
            return Err(RecordError::CutOff { needed: HEADER_LEN, found: bytes.len() });
        };
        known("hash suite", fixed[1], HASH_SUITE)?;
        known("codec", fixed[2], CODEC)?;
        let header = Header::read(fixed);
        header.check()?;
        Ok(header)
    }

    /// Everything but the payload.
    #[inline]
    pub fn header(&self) -> Header {
        Header::read(&self.bytes)
    }

    /// The event's bytes, in the codec of the record.
    pub fn payload(&self) -> &[u8] {
        &self.bytes[HEADER_LEN..]
    }

    /// The hash over [`Record::bytes`].
    pub fn hash(&self) -> RecordHash {
        self.hash
    }

    /// The exact bytes as stored, without the hash.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether this record is the last of its command.
    pub fn ends_command(&self) -> bool {
        let Header { part, parts, .. } = self.header();
        part == parts
    }
}

/// The length a record's own length field gives it, if it is there and allowed.
pub fn record_len(bytes: &[u8]) -> Option<usize> {
    let len = u32::from_le_bytes(*bytes.get(99..)?.first_chunk()?) as usize;
    (len <= MAX_PAYLOAD).then_some(HEADER_LEN + len)
}

/// The hash of bytes as stored. Preparing the context costs as much as hashing, and copying what is
/// prepared a tenth of it: each thread does the one once and the other never.
fn hash_of(bytes: &[u8]) -> RecordHash {
    thread_local! {
        static PREPARED: RefCell<blake3::Hasher> =
            RefCell::new(blake3::Hasher::new_derive_key(RECORD_CONTEXT));
    }
    PREPARED.with_borrow_mut(|hasher| {
        let hash = hasher.update(bytes).finalize();
        hasher.reset();
        RecordHash(*hash.as_bytes())
    })
}

/// Whether bytes are one record by header and length, so that nothing else is hashed.
fn check_readable(bytes: &[u8]) -> Result<(), RecordError> {
    Record::read_header(bytes)?;
    if record_len(bytes) != Some(bytes.len()) {
        return Err(length_fault(bytes));
    }
    Ok(())
}

/// What is wrong with the length of bytes that have a whole header.
fn length_fault(bytes: &[u8]) -> RecordError {
    let found = bytes.len();
    match record_len(bytes) {
        Some(needed) if needed > found => RecordError::CutOff { needed, found },
        Some(needed) => RecordError::Trailing { extra: found - needed },
        None => {
            let len = u32::from_le_bytes(at(bytes, 99));
            RecordError::TooLong { len: u64::from(len) }
        }
    }
}

fn known(what: &'static str, found: u8, known: u8) -> Result<(), RecordError> {
    match found {
        0 => Err(RecordError::NotARecord { what }),
        n if n > known => Err(RecordError::Newer { what, found, known }),
        _ => Ok(()),
    }
}

/// `N` bytes at a fixed offset. Callers have checked the length; short input reads as zeros.
#[inline]
fn at<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let mut out = [0; N];
    if let Some(found) = bytes.get(offset..offset + N) {
        out.copy_from_slice(found);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was read with a hash that somebody kept beside it may be another record's.
    #[test]
    fn a_kept_hash_is_not_believed() {
        let header = Header {
            stream: StreamId([1; 16]),
            seq: 1,
            time: Time { unix_micros: 0 },
            actor: Actor(1),
            command: CommandId(1),
            part: 1,
            parts: 1,
            kind: 1,
            schema: 1,
            previous: RecordHash::ZERO,
        };
        let record = Record::seal(header, b"payload").expect("it seals");
        let kept = Record::read_with_hash(record.hash(), record.bytes());
        assert_eq!(kept.as_ref(), Ok(&record));
        let other = Record::read_with_hash(RecordHash([7; 32]), record.bytes());
        assert!(matches!(other, Err(RecordError::Changed { seq: 1, .. })));
    }
}

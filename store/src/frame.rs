//! The journal's frames: one command each, with checksums over lengths and contents.
//!
//! ```text
//!  0  "SCRF"                              body:
//!  4  body length u32                      0  command digest, 32 bytes
//!  8  frame number u64, from 1            32  records u32
//! 16  synced u64                          36  each: hash 32 bytes, record bytes
//! 24  crc32c of the body u32
//! 28  crc32c u32 of segment number u64, frame offset u64, bytes 0 to 27
//! 32  body
//! ```
//!
//! `synced` is how far this segment was synced when the frame was written. A frame that stands
//! behind damage and was written after that place was synced proves that acknowledged bytes were
//! changed; without such a proof the damage is a write that a power cut interrupted.
//!
//! The header's checksum covers where the frame stands, so that a copy of a frame inside a payload
//! is not taken for one.

use super::{Batch, BatchError};
use scrutineer_engine::record::{Header, Record, RecordHash, record_len};

/// Bytes before a frame's body.
pub(crate) const FRAME_HEADER: usize = 32;

/// The longest body, in bytes: a command of 200,000 records has room many times over.
pub(crate) const MAX_BODY: u64 = 512 * 1024 * 1024;

pub(crate) const FRAME_MAGIC: [u8; 4] = *b"SCRF";

const BODY_HEADER: usize = 36;

/// A frame's header without its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHead {
    pub body_len: u32,
    pub number: u64,
    pub synced: u64,
    pub body_crc: u32,
}

impl FrameHead {
    pub(crate) fn encode(&self, segment: u64, offset: u64) -> [u8; FRAME_HEADER] {
        let mut bytes = [0; FRAME_HEADER];
        bytes[0..4].copy_from_slice(&FRAME_MAGIC);
        bytes[4..8].copy_from_slice(&self.body_len.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.number.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.synced.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.body_crc.to_le_bytes());
        let crc = header_crc(&bytes, segment, offset);
        bytes[28..32].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8], segment: u64, offset: u64) -> Option<FrameHead> {
        let bytes: &[u8; FRAME_HEADER] = bytes.first_chunk()?;
        let crc = header_crc(bytes, segment, offset);
        if bytes[0..4] != FRAME_MAGIC || bytes[28..32] != crc.to_le_bytes() {
            return None;
        }
        Some(FrameHead {
            body_len: u32::from_le_bytes(*bytes[4..].first_chunk()?),
            number: u64::from_le_bytes(*bytes[8..].first_chunk()?),
            synced: u64::from_le_bytes(*bytes[16..].first_chunk()?),
            body_crc: u32::from_le_bytes(*bytes[24..].first_chunk()?),
        })
    }

    /// Whether the body may be that long, and ends within so many bytes.
    pub(crate) fn fits(&self, room: u64) -> bool {
        u64::from(self.body_len) <= MAX_BODY.min(room)
    }
}

fn header_crc(bytes: &[u8; FRAME_HEADER], segment: u64, offset: u64) -> u32 {
    let crc = crc32c::crc32c(&segment.to_le_bytes());
    let crc = crc32c::crc32c_append(crc, &offset.to_le_bytes());
    crc32c::crc32c_append(crc, &bytes[..28])
}

/// A body ready to be written, with what its header needs.
#[derive(Debug)]
pub(crate) struct FrameBody {
    pub bytes: Vec<u8>,
    pub crc: u32,
}

impl FrameBody {
    /// Lays out a checked batch.
    pub(crate) fn encode(batch: &Batch) -> Result<FrameBody, BatchError> {
        FrameBody::encode_within(batch, MAX_BODY)
    }

    fn encode_within(batch: &Batch, most: u64) -> Result<FrameBody, BatchError> {
        let records = batch.records.iter().map(|record| 32 + record.bytes().len());
        let len = BODY_HEADER + records.sum::<usize>();
        if len as u64 > most {
            return Err(BatchError::TooLarge { bytes: len as u64, most });
        }
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(&batch.command_digest);
        bytes.extend_from_slice(&(batch.records.len() as u32).to_le_bytes());
        for record in &batch.records {
            bytes.extend_from_slice(&record.hash().0);
            bytes.extend_from_slice(record.bytes());
        }
        let crc = crc32c::crc32c(&bytes);
        Ok(FrameBody { bytes, crc })
    }
}

/// A frame as it stands in the journal, its checksums good.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub segment: u64,
    pub offset: u64,
    pub number: u64,
    pub synced: u64,
    /// Its bytes, with its header.
    pub len: u64,
    pub body: Body<'a>,
}

/// A frame's contents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    pub digest: [u8; 32],
    pub count: u32,
    records: &'a [u8],
}

impl<'a> Body<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Body<'a>> {
        let (digest, rest) = bytes.split_first_chunk::<32>()?;
        let (count, records) = rest.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count);
        (count > 0).then_some(Body { digest: *digest, count, records })
    }

    /// The first record's header, which names stream, command and first place.
    pub(crate) fn first(&self) -> Option<Header> {
        Record::read_header(self.records.get(32..)?).ok()
    }

    /// Why a record is not what was written, though every checksum holds.
    pub(crate) fn fault(&self) -> Option<String> {
        self.records().find_map(|raw| match raw {
            None => Some("a record is cut off".to_string()),
            Some((hash, bytes)) => {
                Record::read_with_hash(hash, bytes).err().map(|error| error.to_string())
            }
        })
    }

    /// Where the first record's hash stands in the body.
    pub(crate) fn records_at(&self) -> u64 {
        BODY_HEADER as u64
    }

    /// The records' hashes and bytes; `None` where a length leads out of the body.
    pub(crate) fn records(&self) -> RawRecords<'a> {
        RawRecords { rest: self.records }
    }
}

/// A record's hash and bytes, one after the other.
pub(crate) struct RawRecords<'a> {
    pub rest: &'a [u8],
}

impl<'a> Iterator for RawRecords<'a> {
    type Item = Option<(RecordHash, &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let one = self.split();
        if one.is_none() {
            self.rest = &[];
        }
        Some(one)
    }
}

impl<'a> RawRecords<'a> {
    fn split(&mut self) -> Option<(RecordHash, &'a [u8])> {
        let (hash, rest) = self.rest.split_first_chunk::<32>()?;
        let (record, rest) = rest.split_at_checked(record_len(rest)?)?;
        self.rest = rest;
        Some((RecordHash(*hash), record))
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameBody, FrameHead, MAX_BODY};
    use crate::kit::{batch, stream};
    use crate::{BatchError, Head};

    /// A command of exactly as many bytes as a frame may have is taken, one byte more is refused.
    #[test]
    fn a_command_may_have_as_many_bytes_as_a_frame() {
        for parts in [1, 2, 5] {
            let batch = batch(stream(1), Head::EMPTY, 1, parts, 50);
            let bytes = FrameBody::encode(&batch).unwrap().bytes.len() as u64;
            assert!(FrameBody::encode_within(&batch, bytes).is_ok());
            let refused = FrameBody::encode_within(&batch, bytes - 1).unwrap_err();
            assert_eq!(refused, BatchError::TooLarge { bytes, most: bytes - 1 });
        }
    }

    /// A length in a header is believed only as far as a frame may be long, and the file reaches.
    #[test]
    fn a_body_is_no_longer_than_it_may_be() {
        let head =
            |len: u64| FrameHead { body_len: len as u32, number: 1, synced: 64, body_crc: 0 };
        assert!(head(100).fits(100) && head(0).fits(0) && head(MAX_BODY).fits(u64::MAX));
        assert!(!head(101).fits(100) && !head(MAX_BODY + 1).fits(u64::MAX));
    }
}

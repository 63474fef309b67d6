//! Does this record come directly after that one?

use super::{CommandId, Record, RecordHash, StreamId};

/// Walks a stream record by record and checks that each one follows the last.
///
/// A command's records belong together: readers treat a command whose last part is missing as
/// absent, and [`Chain::complete_len`] says how far the complete ones reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    stream: StreamId,
    seq: u64,
    hash: RecordHash,
    unfinished: Option<Unfinished>,
    complete: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unfinished {
    command: CommandId,
    part: u32,
    parts: u32,
}

/// Why a record does not follow its predecessor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum ChainError {
    /// The record belongs to another tournament.
    #[error("record {seq} belongs to tournament {found}, not to {expected}")]
    OtherStream { seq: u64, expected: StreamId, found: StreamId },
    /// A record is missing or stands twice.
    #[error("record {expected} should come here, but this is record {found}")]
    Gap { expected: u64, found: u64 },
    /// The predecessor is not the one the record was written after.
    #[error(
        "record {seq} was written after a record with hash {}, but here it follows {}: \
         one of the two was changed",
        .found.short(), .expected.short()
    )]
    Unlinked { seq: u64, expected: RecordHash, found: RecordHash },
    /// The parts of a command don't stand together and in order.
    #[error("record {seq} is part {part} of {parts} of command {command}, out of its order")]
    Parts { seq: u64, command: CommandId, part: u32, parts: u32 },
}

impl Chain {
    /// A chain before its first record.
    pub fn new(stream: StreamId) -> Chain {
        Chain::after(stream, 0, RecordHash::ZERO)
    }

    /// A chain after record `seq` with this hash, where a command ended.
    pub fn after(stream: StreamId, seq: u64, hash: RecordHash) -> Chain {
        Chain { stream, seq, hash, unfinished: None, complete: seq }
    }

    /// A chain that goes on after this record, also in the middle of its command.
    ///
    /// Nothing before the record is known, so in the middle of a command `complete_len` is 0 until
    /// the command ends.
    pub fn after_record(record: &Record) -> Chain {
        let header = record.header();
        let mut chain = Chain::after(header.stream, header.seq, record.hash());
        if header.part != header.parts {
            chain.complete = 0;
            chain.unfinished = Some(Unfinished {
                command: header.command,
                part: header.part,
                parts: header.parts,
            });
        }
        chain
    }

    /// Takes the next record, or says why it isn't the next one; then the chain is unchanged.
    ///
    /// # Errors
    /// [`ChainError`] names the record and what is wrong with it.
    pub fn follows(&mut self, record: &Record) -> Result<(), ChainError> {
        self.check(record)?;
        let header = record.header();
        self.seq = header.seq;
        self.hash = record.hash();
        if header.part == header.parts {
            self.unfinished = None;
            self.complete = self.seq;
        } else {
            self.unfinished = Some(Unfinished {
                command: header.command,
                part: header.part,
                parts: header.parts,
            });
        }
        Ok(())
    }

    fn check(&self, record: &Record) -> Result<(), ChainError> {
        let header = record.header();
        let seq = header.seq;
        if header.stream != self.stream {
            let (expected, found) = (self.stream, header.stream);
            return Err(ChainError::OtherStream { seq, expected, found });
        }
        if self.seq.checked_add(1) != Some(seq) {
            return Err(ChainError::Gap { expected: self.seq.saturating_add(1), found: seq });
        }
        if header.previous != self.hash {
            let (expected, found) = (self.hash, header.previous);
            return Err(ChainError::Unlinked { seq, expected, found });
        }
        let in_order = match self.unfinished {
            None => header.part == 1,
            Some(u) => {
                header.command == u.command
                    && header.parts == u.parts
                    && u.part.checked_add(1) == Some(header.part)
            }
        };
        if !in_order {
            let (command, part, parts) = (header.command, header.part, header.parts);
            return Err(ChainError::Parts { seq, command, part, parts });
        }
        Ok(())
    }

    /// The stream being walked.
    pub fn stream(&self) -> StreamId {
        self.stream
    }

    /// The last record taken: its place and hash (0 and zeros before the first).
    pub fn last(&self) -> (u64, RecordHash) {
        (self.seq, self.hash)
    }

    /// The number of records up to the end of the last complete command.
    pub fn complete_len(&self) -> u64 {
        self.complete
    }

    /// Whether the last record taken ended its command.
    pub fn is_complete(&self) -> bool {
        self.unfinished.is_none()
    }
}

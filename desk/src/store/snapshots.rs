//! Snapshots: the state of a tournament after one of its events, so that reading does not begin
//! at the first event. They can always be deleted: nothing changes but time.
//!
//! A snapshot is keyed by stream, seq, the hash of that record, and the version of the code that
//! folded. The state does not depend on a ruleset, so no ruleset is part of the key.
//!
//! Nobody else's are used: whoever can write in the store could put the state of another event
//! there. So each is hashed with a secret of this machine, which stands beside the keys and never in
//! a store.
//!
//! ```text
//!  0  SCRUSNAP                       28  seq u64                 72  length of the state u64
//!  8  version of this layout u32: 2  36  hash of that record     80  keyed hash of all but this field
//! 12  stream, 16 bytes               68  version of the fold u32 112 the state
//! ```

use super::{Beside, StoreError};
use crate::keys::{KeyError, KeyFolder};
use scrutineer_engine::files::{FileError, Room, SideFile};
use scrutineer_engine::log::{Head, Log};
use scrutineer_engine::record::{RecordHash, StreamId};
use scrutineer_engine::tournament::{STATE_VERSION, Tournament};
use scrutineer_replay::kept::KeptError;

/// The context in which a snapshot's hash is keyed.
const CONTEXT: &str = "scrutineer 2026 snapshot v2";
const MAGIC: &[u8; 8] = b"SCRUSNAP";
const LAYOUT: u32 = 2;
/// The longest snapshot that is read, in bytes.
const LONGEST: u64 = 1 << 30;
/// Bytes before the state.
const HEADER: usize = 112;
/// After how many events a further snapshot is worth its while.
pub(crate) const EVERY: u64 = 2_000;
/// Of a long log a snapshot is taken after this share of it only: each one is as long as the state,
/// and all that were ever written shall not cost more than some ten logs.
const SHARE: u64 = 8;
/// How many snapshots of a tournament are kept.
const KEPT: usize = 3;

/// Whether a further snapshot is worth its while, after the last one at this event.
pub fn is_due(last: u64, head: u64) -> bool {
    head >= last + EVERY.max(last / SHARE)
}

/// The snapshots of a store.
pub struct Snapshots {
    files: Beside,
    /// The keys beside which the secret stands with which snapshots are hashed; none: no snapshot
    /// is taken, such as of a store in memory, which is folded as it is.
    keys: Option<KeyFolder>,
}

/// A snapshot that is there, and whether it can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The event after which it was taken.
    pub seq: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its file.
    pub file: String,
    /// Why it is passed over; none: it is used.
    pub unusable: Option<&'static str>,
}

impl Snapshots {
    /// Snapshots among these files. Without keys none is used and none is taken.
    pub fn among(files: Beside) -> Snapshots {
        Snapshots { files, keys: Some(KeyFolder::new(None)) }
    }

    /// None: a store in memory is folded as it is.
    pub fn nowhere() -> Snapshots {
        Snapshots { files: Beside::in_memory(), keys: None }
    }

    /// The same, hashed with the secret beside these keys.
    pub fn with_keys(self, keys: KeyFolder) -> Snapshots {
        Snapshots { keys: self.keys.is_some().then_some(keys), ..self }
    }

    /// The secret of this machine; none: no snapshot is used.
    fn secret(&self) -> Result<Option<[u8; 32]>, KeyError> {
        self.keys.as_ref().map_or(Ok(None), KeyFolder::snapshot_secret)
    }

    /// The snapshots of a tournament, the oldest first.
    pub fn list(&self, log: &dyn Log, stream: StreamId) -> Result<Vec<Snapshot>, StoreError> {
        let mut list = Vec::new();
        let secret = self.secret();
        for (file, bytes) in self.of(stream)? {
            let seq = file.number;
            let read = match &secret {
                Ok(Some(secret)) => self.read(file, secret),
                Ok(None) => Err("this machine has no secret to know its own by"),
                Err(_) => Err("the secret beside the keys cannot be read"),
            };
            let unusable = match read {
                Err(why) => Some(why),
                Ok((head, _)) if record_at(log, stream, seq)? != Some(head.hash) => {
                    Some("taken from another history")
                }
                Ok(_) => None,
            };
            list.push(Snapshot { seq, bytes, file: self.files.files.called(file), unusable });
        }
        Ok(list)
    }

    /// The state after the last event up to `until` of which there is a usable snapshot.
    pub fn latest(
        &self,
        log: &dyn Log,
        stream: StreamId,
        until: u64,
    ) -> Result<Option<(Head, Tournament)>, StoreError> {
        // Whoever cannot tell which are theirs reads the log.
        let Ok(Some(secret)) = self.secret() else { return Ok(None) };
        let files = self.of(stream)?.into_iter().map(|(file, _)| file);
        for file in files.rev().filter(|file| file.number <= until) {
            if let Ok((head, state)) = self.read(file, &secret)
                && record_at(log, stream, file.number)? == Some(head.hash)
            {
                return Ok(Some((head, state)));
            }
        }
        Ok(None)
    }

    /// Takes a snapshot; the oldest ones beyond a few go.
    pub fn take(&self, stream: StreamId, head: Head, state: &Tournament) -> Result<(), StoreError> {
        let Some(keys) = &self.keys else { return Ok(()) };
        let secret = keys.own_snapshot_secret()?;
        let file = SideFile::of(Room::Snapshots, stream).numbered(head.seq);
        let bytes = to_bytes(&secret, stream, head, state).map_err(|error| KeptError::Beside {
            action: "write",
            file: self.files.files.called(file),
            reason: error.to_string(),
        })?;
        let mut written = self.files.files.replace(file, None, &bytes);
        if let Err(FileError::Changed { .. }) = written {
            // Of the same event there is one already, from another version or history.
            self.remove(file)?;
            written = self.files.files.replace(file, None, &bytes);
        }
        written.map_err(self.files.failed("write", file))?;
        // Those behind the head are of a longer history, which a restored copy does not have.
        let files = self.of(stream)?.into_iter().map(|(file, _)| file);
        let (own, foreign): (Vec<_>, Vec<_>) = files.partition(|file| file.number <= head.seq);
        let old = &own[..own.len().saturating_sub(KEPT)];
        old.iter().chain(&foreign).try_for_each(|file| self.remove(*file))
    }

    /// Removes the snapshots of a tournament, and says how many there were.
    pub(crate) fn drop_all(&self, stream: StreamId) -> Result<usize, StoreError> {
        let files = self.of(stream)?;
        files.iter().try_for_each(|(file, _)| self.remove(*file))?;
        Ok(files.len())
    }

    /// The event after which the last snapshot was taken; 0: there is none.
    pub fn last(&self, stream: StreamId) -> Result<u64, StoreError> {
        Ok(self.of(stream)?.last().map_or(0, |(file, _)| file.number))
    }

    /// The files of a tournament with their lengths, the oldest first.
    fn of(&self, stream: StreamId) -> Result<Vec<(SideFile, u64)>, StoreError> {
        let file = SideFile::of(Room::Snapshots, stream);
        let listed = self.files.files.list(Room::Snapshots, Some(stream));
        Ok(listed.map_err(self.files.failed("list", file))?)
    }

    fn remove(&self, file: SideFile) -> Result<(), StoreError> {
        let removed = self.files.files.remove(file);
        removed.map_err(self.files.failed("remove", file))?;
        Ok(())
    }

    /// Reads a snapshot, or says why it is passed over.
    fn read(&self, file: SideFile, secret: &[u8; 32]) -> Result<(Head, Tournament), &'static str> {
        let bytes = self.files.files.get(file, LONGEST).ok().flatten().ok_or("cannot be read")?;
        read(&bytes, secret, file)
    }
}

fn to_bytes(
    secret: &[u8; 32],
    stream: StreamId,
    head: Head,
    state: &Tournament,
) -> std::io::Result<Vec<u8>> {
    let state = state.to_bytes().map_err(std::io::Error::other)?;
    let mut bytes = Vec::with_capacity(HEADER + state.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&LAYOUT.to_le_bytes());
    bytes.extend_from_slice(&stream.0);
    bytes.extend_from_slice(&head.seq.to_le_bytes());
    bytes.extend_from_slice(&head.hash.0);
    bytes.extend_from_slice(&STATE_VERSION.to_le_bytes());
    bytes.extend_from_slice(&(state.len() as u64).to_le_bytes());
    let hash = hash_of(secret, &bytes, &state);
    bytes.extend_from_slice(hash.as_bytes());
    bytes.extend_from_slice(&state);
    Ok(bytes)
}

fn read(
    bytes: &[u8],
    secret: &[u8; 32],
    file: SideFile,
) -> Result<(Head, Tournament), &'static str> {
    let seq = file.number;
    let (header, state) = bytes.split_at_checked(HEADER).ok_or("damaged")?;
    let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().unwrap_or_default());
    let short = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap_or_default());
    if &header[..8] != MAGIC || short(8) != LAYOUT || short(68) != STATE_VERSION {
        return Err("taken by another version");
    }
    let right = file.stream.is_some_and(|of| header[12..28] == of.0)
        && number(28) == seq
        && number(72) == state.len() as u64;
    if !right {
        return Err("damaged");
    }
    // Compared in constant time, as `Hash` is.
    let kept: [u8; 32] = header[80..].try_into().map_err(|_| "damaged")?;
    if hash_of(secret, &header[..80], state) != kept {
        return Err("not one that this machine took");
    }
    let hash = RecordHash(header[36..68].try_into().map_err(|_| "damaged")?);
    let state = Tournament::from_bytes(state).map_err(|_| "damaged")?;
    match state.head() == seq {
        true => Ok((Head { seq, hash }, state)),
        false => Err("damaged"),
    }
}

fn hash_of(secret: &[u8; 32], header: &[u8], state: &[u8]) -> blake3::Hash {
    let key = blake3::derive_key(CONTEXT, secret);
    blake3::Hasher::new_keyed(&key).update(header).update(state).finalize()
}

fn record_at(log: &dyn Log, stream: StreamId, seq: u64) -> Result<Option<RecordHash>, StoreError> {
    if seq == 0 {
        return Ok(None);
    }
    let found = log.read(stream, seq - 1).next().transpose()?;
    Ok(found.filter(|record| record.header().seq == seq).map(|record| record.hash()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A snapshot at every two thousandth event would write a log of ten million 25,000 times.
    #[test]
    fn all_snapshots_of_a_long_log_together_are_at_most_ten_times_its_length() {
        let (mut last, mut written) = (0, 0);
        for head in (100..=10_000_000_u64).step_by(100) {
            if is_due(last, head) {
                (last, written) = (head, written + head);
            }
        }
        assert!(last > 8_000_000, "reading begins near the end: {last}");
        assert!(written < 10 * 10_000_000, "{written}");
        assert!(is_due(0, 2_000) && !is_due(0, 1_999) && is_due(14_000, 16_000));
    }
}

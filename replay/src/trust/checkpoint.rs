//! A checkpoint: how many records a log has and the root over them, signed by the organizer.
//!
//! ```text
//! scrutineer/blake3/7369787465656e206279746573206964
//! 57
//! ZmlmdHktc2V2ZW4gcmVjb3JkcyBhbmQgdGhlaXIgcm8=
//! time 2026-11-21T10:00:00.000000Z
//! head c9bb27771624197a850e050e0102de2ffd2377e4e7425959d850340a60750c6e
//!
//! — scrutineer/blake3/7369787465656e206279746573206964 …
//! ```

use super::note::{MAX_SIGNATURES, Note, NoteError, PublicKey};
use super::tree::Hash;
use crate::mirror::in_words;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::NaiveDateTime;
use ed25519_dalek::SigningKey;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{RecordHash, StreamId, Time};
use std::collections::BTreeSet;
use std::fmt;

/// The most checkpoints that are kept of a tournament, in a store or in a bundle.
pub const MAX_KEPT: usize = 1 << 16;

/// The most bytes that they have together, each counted with an empty line behind it.
pub const MAX_KEPT_BYTES: usize = 32 << 20;

/// What every origin begins with; the stream follows.
const ORIGIN: &str = "scrutineer/blake3/";

/// How a time is written.
const TIME: &str = "%Y-%m-%dT%H:%M:%S%.6fZ";

/// The first and the last microsecond that four digits of a year can name.
const TIMES: (i64, i64) = (-62_167_219_200_000_000, 253_402_300_799_999_999);

/// The state of a log at the end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The tournament.
    pub stream: StreamId,
    /// How many records there are.
    pub size: u64,
    /// The root of the tree over them.
    pub root: Hash,
    /// The latest time at which one of them was recorded, within the years 0 to 9999.
    pub time: Time,
    /// The hash of the last one.
    pub head: RecordHash,
}

/// Why a text is no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum CheckpointError {
    /// It is no signed note.
    #[error("it is no checkpoint: {0}")]
    Note(#[from] NoteError),
    /// A line is not as it should be.
    #[error("it is no checkpoint: line {line} is not {wanted}")]
    Line { line: usize, wanted: &'static str },
    /// Not so many digits as a sheet shows.
    #[error(
        "a sheet shows a checkpoint as a number of records and 32 digits, and these are {count}"
    )]
    Digits { count: usize },
    /// The number of records that was typed is none.
    #[error("a checkpoint is of 1 to {} records, and this says {typed}", u64::MAX)]
    Size { typed: String },
}

impl CheckpointError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        Code::invalid("bad-checkpoint")
    }

    /// What to do next.
    pub const fn hint(&self) -> &'static str {
        match self {
            CheckpointError::Digits { .. } | CheckpointError::Size { .. } => {
                "copy them again from the foot of the sheet: `118 3f2a 9c01 …`, eight groups of four"
            }
            _ => "copy it again in full, from the first line to the last",
        }
    }
}

/// The name of a log, under which its keys sign.
pub fn origin(stream: StreamId) -> String {
    format!("{ORIGIN}{stream}")
}

impl Checkpoint {
    /// What is signed.
    pub fn text(&self) -> String {
        let (origin, root) = (origin(self.stream), STANDARD.encode(self.root));
        let (time, head) = (in_words(within_years(self.time)), self.head);
        format!("{origin}\n{}\n{root}\ntime {time}\nhead {head}\n", self.size)
    }

    /// Reads what was signed; written again it is the same.
    ///
    /// # Errors
    /// [`CheckpointError::Line`] names the line.
    pub fn read(text: &str) -> Result<Checkpoint, CheckpointError> {
        let mut lines = text.lines();
        let mut next = |line: usize, wanted: &'static str| {
            lines.next().ok_or(CheckpointError::Line { line, wanted })
        };
        let wanted = [
            "an origin such as scrutineer/blake3/ and a tournament's id",
            "a number of records",
            "a root in base64",
            "`time` and a time such as 2026-11-21T10:00:00.000000Z",
            "`head` and the hash of the last record",
        ];
        let bad = |line: usize| CheckpointError::Line { line, wanted: wanted[line - 1] };
        let stream = next(1, wanted[0])?.strip_prefix(ORIGIN).and_then(|id| id.parse().ok());
        let stream: StreamId = stream.ok_or(bad(1))?;
        let size: u64 = next(2, wanted[1])?.parse().map_err(|_| bad(2))?;
        let root = STANDARD.decode(next(3, wanted[2])?).ok().and_then(|root| root.try_into().ok());
        let root = root.ok_or(bad(3))?;
        let time = next(4, wanted[3])?.strip_prefix("time ").and_then(time).ok_or(bad(4))?;
        let head = next(5, wanted[4])?.strip_prefix("head ").and_then(|head| head.parse().ok());
        let head: RecordHash = head.ok_or(bad(5))?;
        let checkpoint = Checkpoint { stream, size, root, time, head };
        let again = checkpoint.text();
        match again == text {
            true => Ok(checkpoint),
            false => {
                let same = again.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
                match same < wanted.len() {
                    true => Err(bad(same + 1)),
                    false => Err(CheckpointError::Line { line: same + 1, wanted: "empty" }),
                }
            }
        }
    }

    /// In short, for the foot of a sheet: `57 records 3f2a 9c01 …`, with 32 digits of the root.
    pub fn short(&self) -> String {
        format!("{} {}", super::records(self.size), super::digits(&self.root))
    }

    /// Signs it.
    pub fn sign<'a>(self, keys: impl IntoIterator<Item = &'a SigningKey>) -> Signed {
        let note = Note::sign(self.text(), &origin(self.stream), keys);
        Signed { checkpoint: self, note }
    }
}

/// A checkpoint with its signatures, which nobody has looked at yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// What is signed.
    pub checkpoint: Checkpoint,
    note: Note,
}

impl Signed {
    /// Reads a checkpoint as it is handed out, strictly.
    ///
    /// # Errors
    /// [`CheckpointError`] says what is wrong.
    pub fn read(bytes: &[u8]) -> Result<Signed, CheckpointError> {
        let note = Note::read(bytes)?;
        let checkpoint = Checkpoint::read(&note.text)?;
        Ok(Signed { checkpoint, note })
    }

    /// Reads a checkpoint that somebody holds: a reader of QR codes may leave the end of its last
    /// line out, and a mail program ends lines in its own way.
    ///
    /// # Errors
    /// [`CheckpointError`] says what is wrong.
    pub fn read_held(bytes: &[u8]) -> Result<Signed, CheckpointError> {
        let text = std::str::from_utf8(bytes).map_err(|_| NoteError::NoText)?;
        let text = text.replace('\r', "");
        Signed::read(format!("{}\n", text.trim()).as_bytes())
    }

    /// Whether this key signed it.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        self.note.is_signed(&origin(self.checkpoint.stream), key)
    }

    /// Whether a signature claims to be this key's, good or not.
    pub fn claims(&self, key: &PublicKey) -> bool {
        let origin = origin(self.checkpoint.stream);
        let id = super::note::key_id(&origin, key);
        self.note.signatures.iter().any(|s| s.name == origin && s.key_id == id)
    }

    /// The ids of the keys that its signatures under this name claim to be made with, each once.
    pub(crate) fn claimed_ids(&self, origin: &str) -> BTreeSet<[u8; 4]> {
        let own = self.note.signatures.iter().filter(|signature| signature.name == origin);
        own.map(|signature| signature.key_id).collect()
    }

    /// With those of its signatures that claim to be made with these keys, each once, and no others;
    /// as it is where there is none.
    pub fn only(&self, keys: &[PublicKey]) -> Signed {
        let origin = origin(self.checkpoint.stream);
        let ids: Vec<[u8; 4]> = keys.iter().map(|key| super::note::key_id(&origin, key)).collect();
        let mut own = self.clone();
        let mut seen = BTreeSet::new();
        own.note.signatures.retain(|s| {
            s.name == origin && ids.contains(&s.key_id) && seen.insert(s.signature.clone())
        });
        match own.note.signatures.is_empty() {
            true => self.clone(),
            false => own,
        }
    }

    /// With the signatures of another copy of the same checkpoint too, as far as there is room.
    #[must_use]
    pub fn with(mut self, other: &Signed) -> Signed {
        for signature in &other.note.signatures {
            let own = &mut self.note.signatures;
            if own.len() < MAX_SIGNATURES && !own.contains(signature) {
                own.push(signature.clone());
            }
        }
        self
    }

    /// How many signatures it has.
    pub fn signatures(&self) -> usize {
        self.note.signatures.len()
    }
}

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.note.fmt(f)
    }
}

/// A time that a checkpoint can hold.
pub(crate) fn within_years(time: Time) -> Time {
    Time { unix_micros: time.unix_micros.clamp(TIMES.0, TIMES.1) }
}

fn time(text: &str) -> Option<Time> {
    let time = NaiveDateTime::parse_from_str(text, TIME).ok()?;
    Some(Time { unix_micros: time.and_utc().timestamp_micros() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            stream: StreamId(*b"sixteen bytes id"),
            size: 57,
            root: [0xab; 32],
            time: Time { unix_micros: 1_795_255_200_000_001 },
            head: RecordHash([0xcd; 32]),
        }
    }

    #[test]
    fn what_is_signed_is_read_again() {
        let key = SigningKey::from_bytes(&[1; 32]);
        let signed = checkpoint().sign([&key]);
        let again = Signed::read(signed.to_string().as_bytes());
        assert_eq!(again.as_ref(), Ok(&signed));
        assert!(signed.is_signed_by(key.verifying_key().as_bytes()));
        assert!(!signed.is_signed_by(&[7; 32]));
        assert_eq!(signed.checkpoint.short(), "57 records abab abab abab abab abab abab abab abab");
        assert!(signed.to_string().len() < 400, "it is to fit into a QR code");
        for unix_micros in [i64::MIN, TIMES.0, -1, 0, TIMES.1, i64::MAX] {
            let text = Checkpoint { time: Time { unix_micros }, ..checkpoint() }.text();
            let read = Checkpoint::read(&text).expect("a checkpoint");
            assert_eq!(read.time, within_years(Time { unix_micros }));
        }
    }

    #[test]
    fn a_copy_that_a_reader_of_qr_codes_or_a_mail_program_made_is_read() {
        let signed = checkpoint().sign([&SigningKey::from_bytes(&[1; 32])]);
        let text = signed.to_string();
        let copies = [
            text.clone(),
            text.trim_end().into(),
            text.replace('\n', "\r\n"),
            format!("\n{text}\n "),
        ];
        for copy in copies {
            assert_eq!(Signed::read_held(copy.as_bytes()).as_ref(), Ok(&signed), "{copy:?}");
            assert_eq!(Signed::read(copy.as_bytes()).is_ok(), copy == text, "{copy:?}");
        }
        let joined = text.replacen('\n', " ", 1);
        assert!(Signed::read_held(joined.as_bytes()).is_err());
    }

    #[test]
    fn no_changed_byte_passes() {
        let key = SigningKey::from_bytes(&[1; 32]);
        let bytes = checkpoint().sign([&key]).to_string().into_bytes();
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                let read = Signed::read(&damaged);
                let passes = read.is_ok_and(|s| s.is_signed_by(key.verifying_key().as_bytes()));
                assert!(!passes, "bit {bit} of byte {place}");
            }
        }
    }

    #[test]
    fn there_is_one_way_to_write_it() {
        let text = checkpoint().text();
        let lines: Vec<&str> = text.lines().collect();
        let with = |line: usize, other: &str| {
            let mut lines = lines.clone();
            lines[line - 1] = other;
            format!("{}\n", lines.join("\n"))
        };
        let cases = [
            (with(1, "scrutineer/blake3/00"), 1),
            (with(1, "scrutineer/sha256/7369787465656e206279746573206964"), 1),
            (with(1, "scrutineer/blake3/7369787465656E206279746573206964"), 1),
            (with(2, "057"), 2),
            (with(2, "+57"), 2),
            (with(2, "-1"), 2),
            (with(2, "18446744073709551616"), 2),
            (with(3, "AAAA"), 3),
            (with(4, "time 2026-11-21T10:00:00Z"), 4),
            (with(4, "time 2026-11-21T10:00:60.000000Z"), 4),
            (with(4, "time  2026-11-21T10:00:00.000000Z"), 4),
            (with(4, "time +12026-11-21T10:00:00.000000Z"), 4),
            (with(5, "head CDCD"), 5),
            (with(5, &format!("head {}", "CD".repeat(32))), 5),
            (format!("{text}more\n"), 6),
            (lines[..4].join("\n"), 4),
            (String::new(), 1),
        ];
        for (text, wrong) in cases {
            match Checkpoint::read(&text) {
                Err(CheckpointError::Line { line, .. }) => assert!(
                    line == wrong || line == wrong + 1,
                    "line {line}, not {wrong}, of {text:?}"
                ),
                other => panic!("{text:?} gives {other:?}"),
            }
        }
    }
}

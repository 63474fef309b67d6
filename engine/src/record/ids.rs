//! The small values an envelope is made of.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Names one tournament's stream of records: 16 bytes, random or derived from an import's source.
///
/// Shown and read as 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct StreamId(pub [u8; 16]);

/// A command's identity, made by whoever sends it: 128 bits, shown as 32 hexadecimal digits.
///
/// It is repeated unchanged when a command is sent again, so that it is carried out once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CommandId(pub u128);

/// Who sent a command: a number; the name behind it stands in the private book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Actor(pub u32);

/// When something was recorded: microseconds since 1970-01-01 00:00:00 UTC, without leap seconds.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time {
    /// Microseconds since 1970-01-01 00:00:00 UTC; negative before it.
    pub unix_micros: i64,
}

/// A record's hash: 32 bytes over the record's bytes as stored.
///
/// Zeros stand for "no record": the predecessor of a stream's first record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RecordHash(pub [u8; 32]);

impl RecordHash {
    /// The predecessor of a stream's first record.
    pub const ZERO: RecordHash = RecordHash([0; 32]);

    /// The first 8 hexadecimal digits, for messages and tables; not an identity.
    pub fn short(&self) -> String {
        to_hex(&self.0[..4])
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Shown, read and serialized as hexadecimal digits.
macro_rules! as_hex {
    ($name:ident, $digits:literal, $bytes:expr, $of:expr) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&to_hex(&$bytes(self)))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                from_hex(text).map($of).ok_or(IdError { digits: $digits })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<str>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

as_hex!(StreamId, 32, |id: &StreamId| id.0, StreamId);
as_hex!(RecordHash, 64, |hash: &RecordHash| hash.0, RecordHash);
as_hex!(CommandId, 32, |id: &CommandId| id.0.to_be_bytes(), |id| CommandId(u128::from_be_bytes(
    id
)));

/// A text that is not an id: the message says how many hexadecimal digits were wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is written as {digits} hexadecimal digits; copy it again in full")]
pub struct IdError {
    /// How many digits this kind of id has.
    pub digits: usize,
}

/// Bytes as lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Exactly `N` bytes from `2 N` hexadecimal digits of either case.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != N * 2 {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = u8::try_from(high * 16 + low).ok()?;
    }
    Some(bytes)
}

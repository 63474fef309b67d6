//! How a stored value is spelled for people: a code by its word, bytes in hexadecimal digits. The
//! stored form is the other one; which is wanted, the serializer says.

use crate::record::to_hex;
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// A code: its word for people, else the byte.
pub fn code<S: Serializer>(code: u8, word: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    match to.is_human_readable() {
        true => to.collect_str(word),
        false => to.serialize_u8(code),
    }
}

/// A hash, a seed or a key.
pub fn bytes<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
    match to.is_human_readable() {
        true => to.serialize_str(&to_hex(bytes)),
        false => bytes.serialize(to),
    }
}

/// As [`bytes`], where there are some.
pub(crate) fn maybe_bytes<S: Serializer>(
    value: &Option<[u8; 32]>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match to.is_human_readable() {
        true => value.map(|bytes| to_hex(&bytes)).serialize(to),
        false => value.serialize(to),
    }
}

/// Bytes of any length, where there are some.
pub(crate) fn maybe_text<S: Serializer>(value: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
    match to.is_human_readable() {
        true => value.as_ref().map(|bytes| to_hex(bytes)).serialize(to),
        false => value.serialize(to),
    }
}

/// A seed with its number, where there is one.
pub(crate) fn maybe_numbered<S: Serializer>(
    value: &Option<(u32, [u8; 32])>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match to.is_human_readable() {
        true => value.map(|(number, bytes)| (number, to_hex(&bytes))).serialize(to),
        false => value.serialize(to),
    }
}

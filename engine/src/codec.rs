//! The one place that knows how a payload becomes bytes: bincode 2, `standard()`, through serde.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest payload, in bytes, that is written or read.
pub const PAYLOAD_LIMIT_BYTES: usize = 60 * 1024;

/// Why bytes are not a payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum CodecError {
    /// More bytes than a payload may have.
    #[error("{len} bytes, more than the {PAYLOAD_LIMIT_BYTES} a payload may have")]
    TooLong { len: usize },
    /// The bytes do not spell this value.
    #[error("the bytes do not spell the value: {0}")]
    Malformed(String),
    /// Bytes are left over after the value.
    #[error("{0} bytes are left over after the value")]
    LeftOver(usize),
    /// The value is spelled in another way than it would be written.
    #[error("the value is not spelled in its one canonical way")]
    NotCanonical,
}

/// bincode counts a number as its full width, up to 8 bytes, also where it is spelled in one.
const COUNTED_LIMIT_BYTES: usize = 8 * PAYLOAD_LIMIT_BYTES;

const fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<COUNTED_LIMIT_BYTES>()
}

/// The bytes of `value`.
///
/// # Errors
/// `TooLong` where the value does not fit into a payload.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    let bytes = bincode::serde::encode_to_vec(value, bincode::config::standard())
        .map_err(|error| CodecError::Malformed(error.to_string()))?;
    if bytes.len() > PAYLOAD_LIMIT_BYTES {
        return Err(CodecError::TooLong { len: bytes.len() });
    }
    Ok(bytes)
}

/// Reads bytes whose hash already held, so that they are known to be our own writing.
///
/// # Errors
/// Where the bytes do not spell a `T`, or some are left over.
pub fn decode_own<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    if bytes.len() > PAYLOAD_LIMIT_BYTES {
        return Err(CodecError::TooLong { len: bytes.len() });
    }
    let (value, used) = bincode::serde::decode_from_slice(bytes, config())
        .map_err(|error| CodecError::Malformed(error.to_string()))?;
    match bytes.len() - used {
        0 => Ok(value),
        left => Err(CodecError::LeftOver(left)),
    }
}

/// Reads foreign bytes strictly: bounded, every byte used, and spelled in the canonical way
/// (bincode itself accepts overlong numbers).
///
/// # Errors
/// As `decode_own`, and `NotCanonical`.
pub fn decode_strict<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    let value: T = decode_own(bytes)?;
    if encode(&value)? != bytes {
        return Err(CodecError::NotCanonical);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_length_is_an_error_not_an_allocation() {
        let ten_gigabytes = [253, 0, 228, 11, 84, 2, 0, 0, 0, b'x'];
        assert!(matches!(decode_strict::<String>(&ten_gigabytes), Err(CodecError::Malformed(_))));
    }

    /// bincode's own limit counts 8 bytes for a number of one: a list that had been written could
    /// not be read again.
    #[test]
    fn whatever_can_be_written_can_be_read() {
        let list = vec![7_u64; PAYLOAD_LIMIT_BYTES - 3];
        let bytes = encode(&list).expect("it fits");
        assert_eq!(bytes.len(), PAYLOAD_LIMIT_BYTES);
        assert_eq!(decode_strict(&bytes), Ok(list));
        let one_more = vec![7_u64; PAYLOAD_LIMIT_BYTES - 2];
        assert!(matches!(encode(&one_more), Err(CodecError::TooLong { .. })));
    }

    #[test]
    fn an_overlong_number_is_not_canonical() {
        assert_eq!(decode_own::<u32>(&[251, 5, 0]), Ok(5));
        assert_eq!(decode_strict::<u32>(&[251, 5, 0]), Err(CodecError::NotCanonical));
    }

    #[test]
    fn a_trailing_byte_is_refused() {
        assert_eq!(decode_own::<u32>(&[5, 0]), Err(CodecError::LeftOver(1)));
    }
}

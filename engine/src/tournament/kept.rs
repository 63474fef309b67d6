//! The state as bytes, for snapshots: a cache that can always be made again from the events. Its
//! bytes are no format; another version of the code does not read them.

use super::Tournament;

/// The version of the state and of what makes it from events. It changes whenever the same events
/// would give other bytes, so that an old snapshot is passed over.
pub const STATE_VERSION: u32 = 14;

/// How much a snapshot may claim to hold: enough for ten million events.
const LIMIT_BYTES: usize = 4 << 30;

impl Tournament {
    /// The state as bytes.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn to_bytes(&self) -> Result<Vec<u8>, crate::codec::CodecError> {
        bincode::serde::encode_to_vec(self, bincode::config::standard())
            .map_err(|error| crate::codec::CodecError::Malformed(error.to_string()))
    }

    /// The state from bytes that this version wrote.
    ///
    /// # Errors
    /// Where they are not such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tournament, crate::codec::CodecError> {
        let config = bincode::config::standard().with_limit::<LIMIT_BYTES>();
        let (state, used) = bincode::serde::decode_from_slice(bytes, config)
            .map_err(|error| crate::codec::CodecError::Malformed(error.to_string()))?;
        match bytes.len() - used {
            0 => Ok(state),
            left => Err(crate::codec::CodecError::LeftOver(left)),
        }
    }
}

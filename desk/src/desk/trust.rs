//! What is recorded about keys, and about a restored copy.

use super::{Desk, DeskError, Done};
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{KeyRetired, LogRestored, SignerChanged};

impl Desk<'_> {
    /// Names the key that signs from here on.
    ///
    /// # Errors
    /// Where the key was retired, or no reason is given.
    pub fn change_signer(&self, signer: [u8; 32], reason: &str) -> Result<Done, DeskError> {
        self.record(&mut |_, words| {
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![SignerChanged { signer, reason }.into()])
        })
    }

    /// Says that checkpoints of a key with more than so many records are not to be trusted.
    ///
    /// # Errors
    /// Where the key never signed for the tournament, or no reason is given.
    pub fn retire_key(
        &self,
        key: [u8; 32],
        last_size: u64,
        reason: &str,
    ) -> Result<Done, DeskError> {
        self.record(&mut |_, words| {
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![KeyRetired { key, last_size, reason }.into()])
        })
    }

    /// Says that the log was restored from a copy that lacks some of the records under a
    /// checkpoint, of which size and root are known.
    ///
    /// # Errors
    /// Where no reason is given.
    pub fn restored(
        &self,
        known_size: u64,
        known_root: [u8; 32],
        reason: &str,
    ) -> Result<Done, DeskError> {
        self.record(&mut |_, words| {
            let reason = words.say(Field::Reason, reason)?;
            Ok(vec![LogRestored { known_size, known_root, reason }.into()])
        })
    }
}

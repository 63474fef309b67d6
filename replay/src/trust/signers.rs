//! The keys of a tournament, found by what a signature claims: of a log that names thousands of keys
//! only those are tried whose id stands beside a signature.

use super::checkpoint::{Signed, origin};
use super::note::{PublicKey, key_id};
use scrutineer_engine::event::Seq;
use scrutineer_engine::record::StreamId;
use std::collections::BTreeMap;

/// How many keys of a tournament may have the same id: an id has four bytes, so another key has it by
/// chance in one of four thousand million cases, or because somebody looked for it.
const MOST_OF_AN_ID: usize = 4;

/// The keys that an event names, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Signers {
    origin: String,
    named: Vec<(Seq, PublicKey)>,
    /// Each key once, with the place where it was first named, by its id.
    by_id: BTreeMap<[u8; 4], Vec<(usize, PublicKey)>>,
}

impl Signers {
    /// No key yet.
    pub fn new(stream: StreamId) -> Signers {
        Signers { origin: origin(stream), named: Vec::new(), by_id: BTreeMap::new() }
    }

    /// Adds the key that signs from event `seq` on, which is later than those before.
    pub fn name(&mut self, seq: Seq, key: PublicKey) {
        let of_id = self.by_id.entry(key_id(&self.origin, &key)).or_default();
        let is_known = of_id.iter().any(|(_, known)| *known == key);
        if !is_known && of_id.len() < MOST_OF_AN_ID {
            of_id.push((self.named.len(), key));
        }
        self.named.push((seq, key));
    }

    /// Every key with the seq of the event that named it.
    pub fn all(&self) -> &[(Seq, PublicKey)] {
        &self.named
    }

    /// The key that signs after so many records.
    pub fn at(&self, size: u64) -> Option<PublicKey> {
        let after = self.named.partition_point(|(seq, _)| *seq <= size);
        Some(self.named[after.checked_sub(1)?].1)
    }

    /// The keys that the signatures of a checkpoint claim to be made with, each once, in the order
    /// in which the tournament named them. Whether they were, nobody has looked at.
    pub fn claimed(&self, signed: &Signed) -> Vec<PublicKey> {
        let ids = signed.claimed_ids(&self.origin);
        let mut found: Vec<(usize, PublicKey)> =
            ids.iter().filter_map(|id| self.by_id.get(id)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, key)| key).collect()
    }

    /// The keys that signed a checkpoint, each once, in the order in which the tournament named them.
    pub fn of(&self, signed: &Signed) -> Vec<PublicKey> {
        let mut keys = self.claimed(signed);
        keys.retain(|key| signed.is_signed_by(key));
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::super::checkpoint::Checkpoint;
    use super::*;
    use ed25519_dalek::SigningKey;
    use scrutineer_engine::record::{RecordHash, Time};

    const STREAM: StreamId = StreamId([7; 16]);

    fn key(number: u8) -> SigningKey {
        SigningKey::from_bytes(&[number; 32])
    }

    fn public(number: u8) -> PublicKey {
        *key(number).verifying_key().as_bytes()
    }

    fn signed(keys: &[SigningKey]) -> Signed {
        let (time, head) = (Time { unix_micros: 0 }, RecordHash([5; 32]));
        let checkpoint = Checkpoint { stream: STREAM, size: 9, root: [3; 32], time, head };
        checkpoint.sign(keys)
    }

    #[test]
    fn the_key_in_force_is_the_last_that_was_named_by_then() {
        let mut signers = Signers::new(STREAM);
        assert_eq!(signers.at(u64::MAX), None);
        for (seq, number) in [(1, 1), (4, 2), (9, 1)] {
            signers.name(seq, public(number));
        }
        for (size, number) in [(1, 1), (3, 1), (4, 2), (8, 2), (9, 1), (u64::MAX, 1)] {
            assert_eq!(signers.at(size), Some(public(number)), "{size}");
        }
        assert_eq!(signers.at(0), None);
    }

    #[test]
    fn only_the_keys_that_are_claimed_are_tried() {
        let mut signers = Signers::new(STREAM);
        for (seq, number) in (1..).zip([1, 2, 3, 2, 1]) {
            signers.name(seq, public(number));
        }
        let both = signed(&[key(3), key(1)]);
        assert_eq!(signers.claimed(&both), [public(1), public(3)]);
        assert_eq!(signers.of(&both), [public(1), public(3)]);
        assert!(signers.claimed(&signed(&[key(9)])).is_empty());
        // A claim is no signature.
        let text = signed(&[key(1)]).to_string().replacen("\n9\n", "\n8\n", 1);
        let changed = Signed::read(text.as_bytes()).expect("a checkpoint");
        assert_eq!(signers.claimed(&changed), [public(1)]);
        assert!(signers.of(&changed).is_empty());
    }
}

//! What two laptops tell each other is sealed: in a hall anybody can listen to plain http, and the names,
//! the secrets of pairings and the keys go over it. Who can seal is known by that.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::{from_hex, to_hex};

/// Letters and digits that nobody takes for others.
const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// How many of them a code has: 100 bits, so that nobody finds it out from what is sealed with it.
const CODE: usize = 20;
/// How long the name of a key and the number used once are.
const NAME: usize = 16;
const NONCE: usize = 24;

/// A key that both have.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

fn random<const N: usize>() -> Result<[u8; N], VerbError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        let message = format!("the system has no random bytes: {error}");
        VerbError::new(Code::io("second-not-sealed"), message, "try it again")
    })?;
    Ok(bytes)
}

/// Returns the refusal of what is not sealed with the key.
pub fn not_opened() -> VerbError {
    let message = "the two laptops do not know each other: the code was mistyped or used already, or belongs to \
                   another desk";
    let hint = "make a new code at the desk, not here: `scrutineer serve --second-code`";
    VerbError::new(Code::forbidden("second-not-known"), message, hint)
}

impl Key {
    /// Returns a new one.
    ///
    /// # Errors
    /// Where the system has no random bytes.
    pub fn new() -> Result<Key, VerbError> {
        random().map(Key)
    }

    /// Returns the key that was kept as digits.
    pub fn of_hex(digits: &str) -> Option<Key> {
        from_hex(digits).map(Key)
    }

    /// Returns its digits, to be kept.
    pub fn to_hex(&self) -> String {
        to_hex(&self.0)
    }

    /// Returns a new code to be typed, in groups of four.
    ///
    /// # Errors
    /// Where the system has no random bytes.
    pub fn new_code() -> Result<String, VerbError> {
        let bytes: [u8; CODE] = random()?;
        let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 32)]);
        let groups = bytes.chunks(4).map(|four| four.iter().map(letter).collect::<String>());
        Ok(groups.collect::<Vec<_>>().join("-"))
    }

    /// Returns the key that a code stands for; none where it is no code.
    pub fn of_code(typed: &str) -> Option<Key> {
        let letters: String = typed
            .chars()
            .filter(|letter| !letter.is_whitespace() && *letter != '-')
            .map(|letter| letter.to_ascii_uppercase())
            .collect();
        let fits = letters.len() == CODE && letters.bytes().all(|letter| LETTERS.contains(&letter));
        fits.then(|| {
            Key(blake3::derive_key("scrutineer 2026 second laptop code v1", letters.as_bytes()))
        })
    }

    /// Returns the name by which the key is asked for, which says nothing about it.
    pub fn name(&self) -> [u8; NAME] {
        let mut name = [0; NAME];
        let whole = blake3::derive_key("scrutineer 2026 second laptop key name v1", &self.0);
        name.copy_from_slice(&whole[..NAME]);
        name
    }

    /// Returns the key for what names phones: nothing that is sealed with one of the two is opened with the other.
    pub(super) fn of_phones(&self) -> Key {
        Key(blake3::derive_key("scrutineer 2026 second laptop phones v1", &self.0))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }

    /// Seals a message; `about` is what it answers.
    ///
    /// # Errors
    /// Where the system has no random bytes.
    pub fn seal(&self, about: &[u8], message: &[u8]) -> Result<Vec<u8>, VerbError> {
        let nonce: [u8; NONCE] = random()?;
        let payload = Payload { msg: message, aad: about };
        let sealed =
            self.cipher().encrypt(&XNonce::from(nonce), payload).map_err(|_| not_opened())?;
        Ok([&self.name()[..], &nonce, &sealed].concat())
    }

    /// Opens what was sealed with this key.
    ///
    /// # Errors
    /// `second-not-known` where it was not, or answers something else.
    pub fn open(&self, about: &[u8], sealed: &[u8]) -> Result<Vec<u8>, VerbError> {
        let (name, rest) = sealed.split_at_checked(NAME).ok_or_else(not_opened)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE).ok_or_else(not_opened)?;
        let nonce = <[u8; NONCE]>::try_from(nonce).map_err(|_| not_opened())?;
        if *name != self.name() {
            return Err(not_opened());
        }
        let payload = Payload { msg: sealed, aad: about };
        self.cipher().decrypt(&XNonce::from(nonce), payload).map_err(|_| not_opened())
    }
}

/// Returns the part of a sealed message that its answer is about.
pub fn about(sealed: &[u8]) -> &[u8] {
    sealed.get(NAME..NAME + NONCE).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_is_opened_with_its_key_alone_and_not_a_bit_of_it_may_flip() {
        let (key, other) = (Key::new().expect("random"), Key::new().expect("random"));
        let sealed = key.seal(b"asked", b"names").expect("sealed");
        assert_eq!(key.open(b"asked", &sealed).expect("opened"), b"names");
        assert!(key.open(b"something else", &sealed).is_err());
        assert!(other.open(b"asked", &sealed).is_err());
        for at in 0..sealed.len() {
            let mut flipped = sealed.clone();
            flipped[at] ^= 1;
            assert!(key.open(b"asked", &flipped).is_err(), "byte {at}");
            assert!(key.open(b"asked", &sealed[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = Key::new_code().expect("random");
        let typed = code.to_lowercase().replace('-', " ");
        assert!(Key::of_code(&code).is_some() && Key::of_code(&code) == Key::of_code(&typed));
        assert!(Key::of_code("7KQM-2D4X").is_none());
        assert_eq!(Key::of_hex(&Key::new().expect("random").to_hex()[..10]), None);
    }
}

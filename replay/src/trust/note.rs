//! Signed notes: a text, an empty line, and a line for each signature, as C2SP's signed-note
//! specifies them, so that other programs can check ours.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use scrutineer_engine::record::to_hex;
use sha2::{Digest, Sha256};
use std::fmt;

/// The longest note that is read, in bytes.
pub const MAX_NOTE: usize = 16 * 1024;

/// The most signatures that a note may have.
pub const MAX_SIGNATURES: usize = 16;

/// How a signature line begins.
const DASH: &str = "\u{2014} ";

/// Says in a key's id that it is an Ed25519 key.
const ED25519: u8 = 1;

/// A public key of Ed25519.
pub type PublicKey = [u8; 32];

/// A public key in short, to be printed and compared: its first 20 digits, in fours.
pub fn fingerprint(key: &PublicKey) -> String {
    in_fours(&to_hex(&key[..10]))
}

/// Whether what somebody typed is this public key: its 64 digits, or its fingerprint.
pub fn is_called(key: &PublicKey, typed: &str) -> bool {
    let digits: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let digits = digits.to_lowercase();
    [20, 64].contains(&digits.len()) && to_hex(key).starts_with(&digits)
}

/// Digits in fours, as people copy them.
pub(super) fn in_fours(digits: &str) -> String {
    let fours = digits.as_bytes().chunks(4).map(String::from_utf8_lossy);
    fours.collect::<Vec<_>>().join(" ")
}

/// Why a text is not a signed note. What is read gives the same bytes when it is written again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum NoteError {
    /// It is longer than any note.
    #[error("it has {bytes} bytes; a signed note has at most {MAX_NOTE}")]
    TooLong { bytes: usize },
    /// It is no text, or not one line after the other.
    #[error("it is no text of whole lines")]
    NoText,
    /// Its lines end as some programs end them.
    #[error("its lines end in CR LF: a mail program or an editor changed the copy")]
    LineEnds,
    /// Text and signatures are not told apart by an empty line.
    #[error("an empty line and signatures after it are missing")]
    NoSignatures,
    /// It has too many signatures.
    #[error("it has more than {MAX_SIGNATURES} signatures")]
    TooManySignatures,
    /// A line after the empty one is no signature.
    #[error("line {line} is no signature")]
    BadSignature { line: usize },
}

/// One signature of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// Under which name the key signs.
    pub name: String,
    /// The key's id under this name.
    pub key_id: [u8; 4],
    /// The signature itself.
    pub signature: Vec<u8>,
}

/// A text with signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The text; its last line ends too.
    pub text: String,
    /// The signatures, at least one.
    pub signatures: Vec<NoteSignature>,
}

impl Note {
    /// Signs a text of whole lines under a name without spaces and `+`.
    pub fn sign<'a>(
        text: String,
        name: &str,
        keys: impl IntoIterator<Item = &'a SigningKey>,
    ) -> Note {
        let sign = |key: &SigningKey| NoteSignature {
            name: name.into(),
            key_id: key_id(name, key.verifying_key().as_bytes()),
            signature: key.sign(text.as_bytes()).to_bytes().into(),
        };
        let signatures = keys.into_iter().map(sign).collect();
        Note { text, signatures }
    }

    /// Reads a note, strictly.
    ///
    /// # Errors
    /// [`NoteError`] says what is wrong.
    pub fn read(bytes: &[u8]) -> Result<Note, NoteError> {
        if bytes.len() > MAX_NOTE {
            return Err(NoteError::TooLong { bytes: bytes.len() });
        }
        let all = std::str::from_utf8(bytes).map_err(|_| NoteError::NoText)?;
        if all.contains("\r\n") {
            return Err(NoteError::LineEnds);
        }
        if !all.ends_with('\n') || all.chars().any(|c| c.is_control() && c != '\n') {
            return Err(NoteError::NoText);
        }
        let (text, lines) = all.rsplit_once("\n\n").ok_or(NoteError::NoSignatures)?;
        if lines.is_empty() {
            return Err(NoteError::NoSignatures);
        }
        let first = text.lines().count() + 2;
        let mut signatures = Vec::new();
        for (line, text) in (first..).zip(lines.lines()) {
            if signatures.len() == MAX_SIGNATURES {
                return Err(NoteError::TooManySignatures);
            }
            signatures.push(NoteSignature::read(text).ok_or(NoteError::BadSignature { line })?);
        }
        let note = Note { text: format!("{text}\n"), signatures };
        if note.to_string().as_bytes() != bytes {
            return Err(NoteError::NoText);
        }
        Ok(note)
    }

    /// Whether this key signed it under this name: some signature is its own, and none that claims
    /// to be is not.
    pub fn is_signed(&self, name: &str, key: &PublicKey) -> bool {
        #[cfg(feature = "testing")]
        TRIED.set(TRIED.get() + 1);
        let id = key_id(name, key);
        let mut own = self.signatures.iter().filter(|s| s.name == name && s.key_id == id);
        let Ok(key) = VerifyingKey::from_bytes(key) else { return false };
        let verify = |signature: &NoteSignature| {
            let signature = Signature::from_slice(&signature.signature);
            signature.is_ok_and(|s| key.verify_strict(self.text.as_bytes(), &s).is_ok())
        };
        own.clone().count() > 0 && own.all(verify)
    }
}

#[cfg(feature = "testing")]
thread_local! {
    static TRIED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How many times this thread asked whether a key signed a note.
#[cfg(feature = "testing")]
pub fn tried() -> u64 {
    TRIED.get()
}

impl NoteSignature {
    fn read(line: &str) -> Option<NoteSignature> {
        let (name, encoded) = line.strip_prefix(DASH)?.split_once(' ')?;
        if name.is_empty() || name.chars().any(|c| c.is_whitespace() || c == '+') {
            return None;
        }
        let bytes = STANDARD.decode(encoded).ok()?;
        let (key_id, signature) = bytes.split_first_chunk::<4>()?;
        if signature.is_empty() {
            return None;
        }
        Some(NoteSignature { name: name.into(), key_id: *key_id, signature: signature.into() })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        for NoteSignature { name, key_id, signature } in &self.signatures {
            let encoded = STANDARD.encode([key_id, &signature[..]].concat());
            writeln!(f, "{DASH}{name} {encoded}")?;
        }
        Ok(())
    }
}

/// The id of a key under a name: the first four bytes of SHA-256 over name, line end, 1 and key.
pub fn key_id(name: &str, key: &PublicKey) -> [u8; 4] {
    let digest = Sha256::new()
        .chain_update(name)
        .chain_update([b'\n', ED25519])
        .chain_update(key)
        .finalize();
    let mut id = [0; 4];
    id.copy_from_slice(&digest[..4]);
    id
}

/// A public key with its name as programs for signed notes read it: `<name>+<id>+<key>`.
pub fn verifier_key(name: &str, key: &PublicKey) -> String {
    let id: String = key_id(name, key).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{name}+{id}+{}", STANDARD.encode([&[ED25519], &key[..]].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's first implementation, Go's `note`.
    const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const EXAMPLE: &str = "If you think cryptography is the answer to your problem,\n\
        then you don't know what your problem is.\n\n\
        \u{2014} PeterNeumann \
        x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    fn peter() -> PublicKey {
        let encoded = PETER.rsplit('+').next().expect("a key");
        STANDARD.decode(encoded).expect("base64")[1..].try_into().expect("32 bytes")
    }

    #[test]
    fn the_example_of_the_specification_is_signed() {
        let note = Note::read(EXAMPLE.as_bytes()).expect("a note");
        assert!(note.is_signed("PeterNeumann", &peter()));
        assert!(!note.is_signed("PaulNeumann", &peter()));
        assert_eq!(note.to_string(), EXAMPLE);
        assert_eq!(verifier_key("PeterNeumann", &peter()), PETER);
    }

    #[test]
    fn no_changed_byte_passes() {
        for place in 0..EXAMPLE.len() {
            for bit in 0..8 {
                let mut bytes = EXAMPLE.as_bytes().to_vec();
                bytes[place] ^= 1 << bit;
                let read = Note::read(&bytes);
                assert!(!read.is_ok_and(|note| note.is_signed("PeterNeumann", &peter())));
            }
        }
    }

    #[test]
    fn what_we_sign_is_read_again() {
        let keys = [SigningKey::from_bytes(&[1; 32]), SigningKey::from_bytes(&[2; 32])];
        let note = Note::sign("one\n\ntwo\n".into(), "a.example/b", &keys);
        assert_eq!(Note::read(note.to_string().as_bytes()).as_ref(), Ok(&note));
        for key in &keys {
            assert!(note.is_signed("a.example/b", key.verifying_key().as_bytes()));
        }
        let stranger = SigningKey::from_bytes(&[3; 32]);
        assert!(!note.is_signed("a.example/b", stranger.verifying_key().as_bytes()));
    }

    #[test]
    fn a_false_signature_beside_a_good_one_of_the_same_key_is_no_signature() {
        let key = SigningKey::from_bytes(&[1; 32]);
        let mut note = Note::sign("text\n".into(), "a", [&key, &key]);
        assert!(note.is_signed("a", key.verifying_key().as_bytes()));
        note.signatures[1].signature[5] ^= 1;
        assert!(!note.is_signed("a", key.verifying_key().as_bytes()));
    }

    #[test]
    fn what_is_no_note_is_refused() {
        let line = "\u{2014} a AAAAAAA=\n";
        let many = format!("text\n\n{}", line.repeat(MAX_SIGNATURES + 1));
        let cases: [(&str, NoteError); 14] = [
            ("", NoteError::NoText),
            ("text", NoteError::NoText),
            ("text\n", NoteError::NoSignatures),
            ("text\n\n", NoteError::NoSignatures),
            ("text\r\n\n\u{2014} a AAAAAAA=\n", NoteError::LineEnds),
            ("te\u{0}xt\n\n\u{2014} a AAAAAAA=\n", NoteError::NoText),
            ("text\n\n\u{2014} a AAAAAAA=", NoteError::NoText),
            ("text\n\n- a AAAAAAA=\n", NoteError::BadSignature { line: 3 }),
            ("text\n\n\u{2014} AAAAAAA=\n", NoteError::BadSignature { line: 3 }),
            ("text\n\n\u{2014} a+b AAAAAAA=\n", NoteError::BadSignature { line: 3 }),
            ("text\n\n\u{2014} a AAAAAAA\n", NoteError::BadSignature { line: 3 }),
            ("text\n\n\u{2014} a AAAAAAB=\n", NoteError::BadSignature { line: 3 }),
            ("text\n\n\u{2014} a AAAA\n", NoteError::BadSignature { line: 3 }),
            (&many, NoteError::TooManySignatures),
        ];
        for (text, error) in cases {
            assert_eq!(Note::read(text.as_bytes()), Err(error), "{text:?}");
        }
        assert_eq!(Note::read(b"\xff\n\n"), Err(NoteError::NoText));
        let long = vec![b'a'; MAX_NOTE + 1];
        assert_eq!(Note::read(&long), Err(NoteError::TooLong { bytes: MAX_NOTE + 1 }));
    }
}

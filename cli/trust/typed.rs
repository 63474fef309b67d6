//! Keys as people give them: digits in any spacing, a fingerprint, or a file.

use crate::error::VerbError;
use crate::session::read_bounded;
use crate::session::say;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::from_hex;
use scrutineer_formats::own::{OwnKind as Kind, own_kind};
use scrutineer_replay::trust::note::is_called;
use std::collections::BTreeSet;
use std::path::Path;

/// The longest file with a key.
const MAX_KEY: usize = 4_096;

/// A public key, as somebody named it.
pub enum Typed {
    /// All of it.
    Key([u8; 32]),
    /// Its first 20 digits: enough to compare it by, too few to verify with.
    Fingerprint(String),
}

impl Typed {
    /// Whether this key is meant.
    pub fn is(&self, key: &[u8; 32]) -> bool {
        match self {
            Typed::Key(own) => own == key,
            Typed::Fingerprint(digits) => is_called(key, digits),
        }
    }
}

/// Reads what `keys show` prints of a key, or a file in which it stands.
pub fn read_key(typed: &str) -> Result<Typed, VerbError> {
    let digits: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let digits = digits.to_lowercase();
    if let Some(key) = from_hex(&digits) {
        return Ok(Typed::Key(key));
    }
    if digits.len() == 20 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(Typed::Fingerprint(digits));
    }
    let hint = "give its 64 digits, or a file with them: `scrutineer keys show` prints them";
    let path = Path::new(typed);
    if !path.is_file() {
        let message = format!("{typed:?} is neither a public key nor a file");
        return Err(VerbError::new(Code::invalid("bad-key"), message, hint));
    }
    let bytes = read_bounded(path, MAX_KEY)?;
    if own_kind(&bytes) == Some(Kind::Key) {
        say(&format!(
            "{} HOLDS A SECRET KEY, and only its public half was read. Whoever has this file can \
             sign as its owner: if it is yours, give it to nobody, and if it was sent to you, tell \
             them: `scrutineer keys retire`",
            path.display()
        ));
    }
    if let Some(other) = own_kind(&bytes).filter(|kind| *kind != Kind::Key) {
        let message = format!("{} is {}, not a public key", path.display(), other.word());
        return Err(VerbError::new(Code::invalid("other-file"), message, hint));
    }
    let text = String::from_utf8_lossy(&bytes);
    // A file of a secret key says which of its lines is the public one.
    let lines = text.lines().filter(|line| !line.starts_with("secret"));
    let found: BTreeSet<[u8; 32]> =
        lines.flat_map(str::split_whitespace).filter_map(from_hex).collect();
    match (found.len(), found.into_iter().next()) {
        (1, Some(key)) => Ok(Typed::Key(key)),
        (0, _) | (_, None) => {
            let message = format!("there is no public key in {}", path.display());
            Err(VerbError::new(Code::invalid("bad-key"), message, hint))
        }
        (count, _) => {
            let message = format!("there are {count} public keys in {}", path.display());
            Err(VerbError::new(
                Code::invalid("bad-key"),
                message,
                "give the 64 digits of the one that you mean",
            ))
        }
    }
}

/// As [`read_key`], all of it: a signature is checked with every digit.
pub fn read_whole_key(typed: &str) -> Result<[u8; 32], VerbError> {
    match read_key(typed)? {
        Typed::Key(key) => Ok(key),
        Typed::Fingerprint(_) => Err(VerbError::new(
            Code::invalid("bad-key"),
            "a fingerprint has 20 of a key's 64 digits: too few to verify with",
            "give all 64: `scrutineer keys show` prints them behind the word public",
        )),
    }
}

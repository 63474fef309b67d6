//! What a public server is told beside the log of a tournament: names as its organizer shows them, who reads
//! its records, and what is set in the hall. It is signed with the tournament's key, as the log is.

use crate::floor::Entry;
use crate::keys::Key;
use crate::public::Records;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::trust::checkpoint::origin;
use scrutineer_replay::trust::note::{Note, PublicKey};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What everybody is shown of a tournament beside its log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shown {
    /// Its title.
    pub title: Option<String>,
    /// The texts that are shown, by the numbers to which its events commit.
    pub texts: BTreeMap<u32, String>,
    /// Who reads its records.
    pub records: Records,
    /// The links of its players, as hashes: whose device may send what waits for the desk.
    pub links: serde_json::Value,
    /// What was done on the floor, as far as it is for everybody, without who did it.
    pub floor: Vec<Entry>,
}

/// The same as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The signed note: when, and the digest of what is shown.
    pub note: String,
    /// What is shown, as JSON.
    pub shown: String,
}

/// What is signed. It begins as no checkpoint does.
fn text(stream: StreamId, at: i64, shown: &str) -> String {
    format!("shown of {stream}\n{at}\n{}\n", blake3::hash(shown.as_bytes()).to_hex())
}

impl Sealed {
    /// Signs what is shown from a moment on, in microseconds since 1970.
    pub fn sign(stream: StreamId, at: i64, shown: String, key: &Key) -> Sealed {
        let note = Note::sign(text(stream, at, &shown), &origin(stream), [key.signing()]);
        Sealed { note: note.to_string(), shown }
    }

    /// Reads it, with its moment, where this key signed it.
    ///
    /// # Errors
    /// `shown-not-signed` where it did not, or it cannot be read.
    pub fn open(&self, stream: StreamId, key: &PublicKey) -> Result<(i64, Shown), VerbError> {
        let not = || {
            let message = "what is shown beside the log is not signed by the tournament's key";
            VerbError::new(
                Code::refused("shown-not-signed"),
                message,
                "push it from where the key is",
            )
        };
        let note = Note::read(self.note.as_bytes()).map_err(|_| not())?;
        let at = note.text.lines().nth(1).and_then(|at| at.parse().ok()).ok_or_else(not)?;
        if !note.is_signed(&origin(stream), key) || note.text != text(stream, at, &self.shown) {
            return Err(not());
        }
        Ok((at, serde_json::from_str(&self.shown).map_err(|_| not())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{FIRST, SECOND, public};

    #[test]
    fn what_is_shown_is_what_the_key_signed_for_this_tournament() {
        let (one, other) = (StreamId([1; 16]), StreamId([2; 16]));
        let shown = Shown { title: Some("Friday".into()), ..Shown::default() };
        let json = serde_json::to_string(&shown).expect("JSON");
        let sealed = Sealed::sign(one, 7, json, &Key::from_secret(&FIRST));
        assert_eq!(sealed.open(one, &public(FIRST)).expect("opened"), (7, shown));
        let changed = Sealed { shown: sealed.shown.replace("Friday", "Monday"), ..sealed.clone() };
        let later = Sealed { note: sealed.note.replacen("\n7\n", "\n8\n", 1), ..sealed.clone() };
        let refused = [
            sealed.open(one, &public(SECOND)),
            sealed.open(other, &public(FIRST)),
            changed.open(one, &public(FIRST)),
            later.open(one, &public(FIRST)),
        ];
        for one in refused {
            assert_eq!(one.expect_err("refused").code.word, "shown-not-signed");
        }
    }
}

//! What a public server is told beside the log of a tournament: names as its organizer shows them, who reads
//! its records, and what is set in the hall. It is signed with the tournament's key, as the log is.

use crate::floor::Entry;
use crate::keys::Key;
use crate::public::Records;
use crate::store::Salt;
use crate::verb_error::VerbError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, RoundNumber, SCHEMA, Seq, TextsForgotten};
use scrutineer_engine::record::{Header, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
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
    /// What opens those of them that are the very texts that were committed to, by the same numbers: whoever has
    /// a copy can check them then.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub salts: BTreeMap<u32, Salt>,
    /// Who reads its records.
    pub records: Records,
    /// The links of its players, as hashes: whose device may send what waits for the desk.
    pub links: serde_json::Value,
    /// What was done on the floor, as far as it is for everybody, without who did it; and the wishes to drop of
    /// those who send them there, for their own pages alone.
    pub floor: Vec<Entry>,
    /// Pairings that are out though the results before them are hidden, and so the log behind them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<Behind>,
    /// Whether results are hidden, or will be as they come in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hides: bool,
    /// How many results are missing in each round that is out and has hidden ones; not which.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<RoundNumber, u32>,
}

/// An event behind what is public of a log, of those that say who sits where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behind {
    /// Its number.
    pub seq: Seq,
    /// Of what kind it is.
    pub kind: u16,
    /// Its payload, in base64.
    pub payload: String,
}

impl Behind {
    /// The event itself; none: it cannot be read.
    fn event(&self) -> Option<Event> {
        let bytes = STANDARD.decode(&self.payload).ok()?;
        Event::decode_own(self.kind, SCHEMA, &bytes).ok()
    }
}

/// How far behind the public log such an event lies at most: what lies between is filled up in memory. 1,200
/// players have some 15,000 events in nine rounds.
const FARTHEST: u64 = 100_000;

impl Shown {
    /// The events that lie behind the public log, as far as they are given and can be read.
    pub fn events_behind(&self) -> impl Iterator<Item = Event> {
        self.behind.iter().filter_map(Behind::event)
    }

    /// Takes out what the tournament's own log says was forgotten, and says whether any of it was there: a venue
    /// whose store came back from a backup may show it again.
    pub fn forget(&mut self, now: &Tournament) -> bool {
        let before = (self.texts.len(), self.salts.len(), self.title.is_some());
        self.texts.retain(|number, _| !now.is_forgotten(*number));
        self.salts.retain(|number, _| !now.is_forgotten(*number));
        if now.opened().is_some_and(|opened| now.is_forgotten(opened.title.number)) {
            self.title = None;
        }
        before != (self.texts.len(), self.salts.len(), self.title.is_some())
    }

    /// Whether each of its texts stands in another one too, as it is here.
    pub fn is_within(&self, other: &Shown) -> bool {
        let stands = |(number, text): (&u32, &String)| other.texts.get(number) == Some(text);
        self.texts.iter().all(stands) && (self.title.is_none() || self.title == other.title)
    }

    /// Takes the pairings out of what lies behind an event; what else lies there was left out before.
    ///
    /// # Errors
    /// Where an event is larger than its payload may be.
    pub fn of_pairings(pairings: &LoadedTournament, after: Seq) -> Result<Vec<Behind>, VerbError> {
        // A program that paired was told every result.
        let hidden =
            |event: &Event| matches!(event, Event::TextsForgotten(_) | Event::EnginePaired(_));
        let own =
            pairings.log.iter().filter(|(header, event)| header.seq > after && !hidden(event));
        let each = own.map(|(header, event)| {
            let payload = event.encode().map_err(|error| {
                let code = Code::internal("request-not-done");
                VerbError::new(code, error.to_string(), "tell its developers what was asked for")
            })?;
            Ok(Behind { seq: header.seq, kind: event.kind(), payload: STANDARD.encode(&payload) })
        });
        each.collect()
    }

    /// Puts the pairings behind a log as it is public, as the venue has them; none: there are no further ones.
    pub fn pairings(&self, public: LoadedTournament) -> Option<LoadedTournament> {
        let LoadedTournament { stream, head, mut log, book, .. } = public;
        let (last, known) = (log.last()?.0, log.len());
        let nothing = || Event::TextsForgotten(TextsForgotten { numbers: Vec::new() });
        for one in &self.behind {
            let before = log.last()?.0.seq;
            if one.seq <= before {
                continue;
            }
            if one.seq - last.seq > FARTHEST {
                return None;
            }
            let event = one.event()?;
            log.extend((before + 1..one.seq).map(|seq| (Header { seq, ..last }, nothing())));
            log.push((Header { seq: one.seq, kind: one.kind, ..last }, event));
        }
        (log.len() > known).then(|| LoadedTournament::of(stream, head, log, book))
    }
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

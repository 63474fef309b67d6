//! A receipt: records with the proof that a checkpoint stands over them, to be kept by a player.
//!
//! It says that these records were in the log when the checkpoint was signed. What took some of them
//! back until then is among them. It does not say that the rest still stands: a correction or a
//! withdrawal may come later in the log.

mod error;
mod withdrawn;

pub use error::ReceiptError;
pub use withdrawn::{taken_back, with_withdrawals};

use super::checkpoint::{Checkpoint, Signed};
use super::held::Held;
use super::history::History;
use super::note::{MAX_SIGNATURES, PublicKey};
use super::tree::{Hash, MAX_PROOF, extends, includes};
use crate::mirror::mirror;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::book::{Book, Field, PrivateEntry, commit};
use scrutineer_engine::event::{Event, Seq};
use scrutineer_engine::record::{Record, StreamId, from_hex, to_hex};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// The longest receipt that is read, in bytes.
pub const MAX_RECEIPT: usize = 4 << 20;

/// The most records that a receipt has.
pub(crate) const MAX_RECORDS: usize = 4_096;

/// The version of the format.
const VERSION: u32 = 1;

/// A record with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The record.
    pub record: Record,
    /// What it says.
    pub event: Event,
    proof: Vec<Hash>,
}

/// An earlier state of the log, and the proof that it goes on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// How many records there were.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
    proof: Vec<Hash>,
}

/// Records under a checkpoint. One that was read holds what it says: signatures, proofs, readable
/// forms and names were looked at. Whether the key is the organizer's it cannot know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The checkpoint.
    pub checkpoint: Signed,
    /// The keys of its signatures, one for each.
    pub signers: Vec<PublicKey>,
    /// What the log extends.
    pub extends: Option<Earlier>,
    /// The records, by seq.
    pub records: Vec<Proved>,
    /// The names that the receipt opens, by number.
    pub names: Vec<PrivateEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    receipt: u32,
    checkpoint: String,
    signers: Vec<String>,
    extends: Option<WrittenEarlier>,
    records: Vec<WrittenRecord>,
    names: Vec<WrittenName>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEarlier {
    size: u64,
    root: String,
    proof: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRecord {
    record: String,
    mirror: Box<RawValue>,
    proof: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenName {
    number: u32,
    salt: String,
    text: String,
}

impl Receipt {
    /// Makes a receipt for records of a log under one of its checkpoints; `earlier` is what
    /// somebody holds already. The names of these private entries are opened.
    ///
    /// # Errors
    /// Where a record is not covered by the checkpoint, the log does not extend what is held, or there
    /// are too many records.
    pub fn of(
        history: &History,
        checkpoint: &Signed,
        records: Vec<(Record, Event)>,
        earlier: Option<&Held>,
        names: Vec<PrivateEntry>,
    ) -> Result<Receipt, ReceiptError> {
        let tree = history.tree();
        let size = checkpoint.checkpoint.size;
        let extends = earlier.map(|earlier| {
            let held = earlier.size();
            let root = tree.root_at(held).filter(|_| earlier.begins(history));
            let proof = root.and_then(|root| Some((root, tree.consistency(held, size)?)));
            let (root, proof) = proof.ok_or(ReceiptError::NotExtended { size: held })?;
            Ok::<_, ReceiptError>(Earlier { size: held, root, proof })
        });
        let prove = |(record, event): (Record, Event)| {
            let seq = record.header().seq;
            let proof = seq.checked_sub(1).and_then(|index| tree.inclusion(index, size));
            let proof = proof.ok_or(ReceiptError::NotCovered { seq, size })?;
            Ok::<_, ReceiptError>(Proved { record, event, proof })
        };
        if records.len() > MAX_RECORDS {
            return Err(ReceiptError::TooMany { records: records.len() });
        }
        let signers = history.signed_by(checkpoint);
        let receipt = Receipt {
            checkpoint: checkpoint.only(&signers),
            signers,
            extends: extends.transpose()?,
            records: records.into_iter().map(prove).collect::<Result<_, _>>()?,
            names,
        };
        // Nobody is given what does not hold.
        receipt.check()?;
        Ok(receipt)
    }

    /// The bytes of the receipt: one line of JSON.
    pub fn write(&self) -> String {
        let all = |hashes: &[Hash]| hashes.iter().map(|hash| to_hex(hash)).collect();
        let record = |proved: &Proved| {
            let said = mirror(&proved.record.header(), &proved.event);
            WrittenRecord {
                record: STANDARD.encode(proved.record.bytes()),
                // It is JSON, since it was made as such.
                mirror: RawValue::from_string(said).unwrap_or_default(),
                proof: all(&proved.proof),
            }
        };
        let name = |entry: &PrivateEntry| WrittenName {
            number: entry.number,
            salt: to_hex(&entry.salt),
            text: entry.text.clone(),
        };
        let written = Written {
            receipt: VERSION,
            checkpoint: self.checkpoint.to_string(),
            signers: all(&self.signers),
            extends: self.extends.as_ref().map(|earlier| WrittenEarlier {
                size: earlier.size,
                root: to_hex(&earlier.root),
                proof: all(&earlier.proof),
            }),
            records: self.records.iter().map(record).collect(),
            names: self.names.iter().map(name).collect(),
        };
        // Strings and numbers: there is nothing in it that JSON cannot spell.
        let text = serde_json::to_string(&written).unwrap_or_default();
        format!("{text}\n")
    }

    /// Reads a receipt, strictly, and checks all that it says of itself.
    ///
    /// # Errors
    /// [`ReceiptError`] says what does not hold.
    pub fn read(bytes: &[u8]) -> Result<Receipt, ReceiptError> {
        if bytes.len() > MAX_RECEIPT {
            return Err(ReceiptError::Malformed { what: "it is too long".into() });
        }
        if bytes.contains(&b'\r') {
            let what = "its line ends in CR LF: a mail program or an editor changed the copy";
            return Err(malformed(what));
        }
        // A later version may have other keys behind its number.
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let version = leading_number(text, "{\"receipt\":");
        if let Some(version) = version.filter(|found| *found > u64::from(VERSION)) {
            return Err(ReceiptError::Newer { version });
        }
        let written: Written = serde_json::from_slice(bytes)
            .map_err(|error| ReceiptError::Malformed { what: error.to_string() })?;
        if written.receipt != VERSION {
            return Err(malformed("it has no version"));
        }
        let receipt = Receipt::from_written(&written)?;
        receipt.check()?;
        if receipt.write().as_bytes() != bytes {
            return Err(malformed("it is not spelled as receipts are"));
        }
        Ok(receipt)
    }

    fn from_written(written: &Written) -> Result<Receipt, ReceiptError> {
        if written.records.len() > MAX_RECORDS || written.signers.len() > MAX_SIGNATURES {
            return Err(malformed("it has too many records or signers"));
        }
        let checkpoint = Signed::read(written.checkpoint.as_bytes())?;
        let stream = checkpoint.checkpoint.stream;
        let extends = written.extends.as_ref().map(|earlier| {
            let root = from_hex(&earlier.root).ok_or(malformed("a root is not 64 digits"))?;
            let proof = proof(&earlier.proof)?;
            Ok::<_, ReceiptError>(Earlier { size: earlier.size, root, proof })
        });
        let records = written.records.iter().map(|written| proved(written, stream));
        let names = written.names.iter().map(|name| {
            let salt = from_hex(&name.salt).ok_or(malformed("a salt is not 64 digits"))?;
            if let Some(why) = Field::Name.objection(&name.text) {
                return Err(ReceiptError::Malformed { what: format!("a name {why}") });
            }
            let (number, field, text) = (name.number, Field::Name, name.text.clone());
            Ok(PrivateEntry { number, field, salt, text })
        });
        Ok(Receipt {
            signers: proof(&written.signers)?,
            extends: extends.transpose()?,
            records: records.collect::<Result<_, ReceiptError>>()?,
            names: names.collect::<Result<_, ReceiptError>>()?,
            checkpoint,
        })
    }

    /// Checks signatures, proofs and names.
    fn check(&self) -> Result<(), ReceiptError> {
        let Checkpoint { stream, size, root, .. } = self.checkpoint.checkpoint;
        let signs = |key: &PublicKey| self.checkpoint.is_signed_by(key);
        let distinct: BTreeSet<&PublicKey> = self.signers.iter().collect();
        let all = distinct.len() == self.signers.len()
            && self.signers.len() == self.checkpoint.signatures();
        if self.signers.is_empty() || !all || !self.signers.iter().all(signs) {
            return Err(ReceiptError::NotSigned);
        }
        if let Some(earlier) = &self.extends
            && !extends(earlier.size, &earlier.root, size, &root, &earlier.proof)
        {
            return Err(ReceiptError::NotExtended { size: earlier.size });
        }
        let mut before = 0;
        for proved in &self.records {
            let (seq, hash) = (proved.record.header().seq, proved.record.hash());
            if seq <= before {
                return Err(malformed("its records are not in the order of the log"));
            }
            if !includes(&root, size, seq - 1, &hash, &proved.proof) {
                return Err(ReceiptError::NotIncluded { seq });
            }
            before = seq;
        }
        let committed: BTreeSet<_> =
            self.records.iter().flat_map(|proved| proved.event.commitments()).collect();
        let mut before = 0;
        for name in &self.names {
            let is_there = committed.contains(&(Field::Name, commit(stream, name)));
            if name.number <= before || !is_there {
                return Err(ReceiptError::OtherName { number: name.number });
            }
            before = name.number;
        }
        Ok(())
    }

    /// Whether the receipt leads to this checkpoint, which somebody holds: it is its own, or the
    /// one that it extends, and a key that signed it signed that too. Otherwise anybody could write
    /// records of their own behind those that are held, and sign them with a key of their own: only
    /// where its holder named a signer of the receipt themselves, another key may have signed it. What
    /// a sheet shows is signed by nobody: by itself it is enough where the receipt's own records are
    /// those of the sheet.
    ///
    /// # Errors
    /// [`ReceiptError::OtherEvent`] and [`ReceiptError::OtherCheckpoint`] where it contradicts what
    /// is held, [`ReceiptError::NotComparable`] where it says nothing about it,
    /// [`ReceiptError::OtherSigner`].
    pub fn leads_to(&self, held: &Held, is_key_named: bool) -> Result<(), ReceiptError> {
        let own = &self.checkpoint.checkpoint;
        let is_signed = match held {
            Held::Signed(signed) => {
                let stream = signed.checkpoint.stream;
                if stream != own.stream {
                    return Err(ReceiptError::OtherEvent { held: stream, own: own.stream });
                }
                let is_changed = |key: &PublicKey| signed.claims(key) && !signed.is_signed_by(key);
                if self.signers.iter().any(is_changed) {
                    return Err(ReceiptError::ChangedCheckpoint);
                }
                self.signers.iter().any(|key| signed.is_signed_by(key))
            }
            Held::Shown(_) => held.is(own),
        };
        let earlier = self.extends.as_ref().map(|earlier| (earlier.size, earlier.root));
        let mut known = [Some((own.size, own.root)), earlier].into_iter().flatten();
        match known.find(|(size, _)| *size == held.size()) {
            Some((_, root)) if held.has_root(&root) => {}
            Some(_) => return Err(ReceiptError::OtherCheckpoint),
            None => return Err(ReceiptError::NotComparable { held: held.size(), size: own.size }),
        }
        match is_key_named || is_signed {
            true => Ok(()),
            false => Err(ReceiptError::OtherSigner { signers: self.signers.clone() }),
        }
    }

    /// Which of its events were taken back until the checkpoint, each with the seq of what did it.
    pub fn taken_back(&self) -> BTreeMap<Seq, Seq> {
        let events = self.records.iter().map(|proved| (proved.record.header().seq, &proved.event));
        taken_back(events)
    }

    /// Whether this key is among the signers.
    pub fn is_signed_by(&self, is_known: impl Fn(&PublicKey) -> bool) -> bool {
        self.signers.iter().any(is_known)
    }
}

/// The events of a player: their enrollment and name, their pairings and byes, and their results; only
/// those of one round where it is named.
pub fn events_of_player(log: &[(Seq, Event)], player: u32, round: Option<u16>) -> Vec<Seq> {
    let mut matches: BTreeSet<Seq> = BTreeSet::new();
    let wanted = |found: u16| round.is_none_or(|round| round == found);
    let mut found = Vec::new();
    for (seq, event) in log {
        let his = match event {
            Event::PlayerEnrolled(e) => e.player == player,
            Event::PlayerIdentified(e) => e.player == player,
            Event::PlayerDivisionChanged(e) => e.player == player,
            Event::PlayerDescribed(e) => e.player == player,
            Event::PlayerRated(e) => e.player == player,
            Event::PlayerIdCorrected(e) => e.player == player,
            Event::TableKept(e) => e.player == player,
            Event::ByeGiven(e) => e.player == player && wanted(e.round),
            Event::ByeRequested(e) => e.player == player && wanted(e.round),
            Event::PairingMade(e) => {
                let sits = wanted(e.round) && e.seats.iter().any(|seat| seat.player == player);
                matches.extend(sits.then_some(*seq));
                sits
            }
            event => result_of(event).is_some_and(|pairing| matches.contains(&pairing)),
        };
        found.extend(his.then_some(*seq));
    }
    found
}

/// A pairing and its results.
pub fn events_of_pairing(log: &[(Seq, Event)], pairing: Seq) -> Vec<Seq> {
    let its = |(seq, event): &&(Seq, Event)| *seq == pairing || result_of(event) == Some(pairing);
    log.iter().filter(its).map(|(seq, _)| *seq).collect()
}

fn result_of(event: &Event) -> Option<Seq> {
    match event {
        Event::ResultRecorded(e) => Some(e.pairing),
        Event::ResultCorrected(e) => Some(e.pairing),
        _ => None,
    }
}

/// The names of a player that these events commit to and the book still has.
pub fn names_of_player(records: &[(Record, Event)], book: &Book, player: u32) -> Vec<PrivateEntry> {
    let name = |(_, event): &(Record, Event)| match event {
        Event::PlayerEnrolled(e) if e.player == player => Some(e.name),
        Event::PlayerIdentified(e) if e.player == player => Some(e.name),
        _ => None,
    };
    let entry = |name: scrutineer_engine::book::Commitment| {
        let entry = book.entry(name.number)?;
        let fits =
            commit(book.stream(), entry) == name && Field::Name.objection(&entry.text).is_none();
        fits.then(|| entry.clone())
    };
    records.iter().filter_map(name).filter_map(entry).collect()
}

fn proved(written: &WrittenRecord, stream: StreamId) -> Result<Proved, ReceiptError> {
    let bytes = STANDARD.decode(&written.record);
    let bytes = bytes.map_err(|_| malformed("a record is not base64"))?;
    let record = Record::read(&bytes)
        .map_err(|error| ReceiptError::Malformed { what: error.to_string() })?;
    let header = record.header();
    if header.stream != stream {
        return Err(malformed("a record is of another tournament than the checkpoint"));
    }
    let event = Event::decode_strict(header.kind, header.schema, record.payload())
        .map_err(|error| ReceiptError::Malformed { what: error.to_string() })?;
    if mirror(&header, &event) != written.mirror.get() {
        return Err(ReceiptError::OtherMirror { seq: header.seq });
    }
    let proof = proof(&written.proof)?;
    Ok(Proved { record, event, proof })
}

fn proof(hashes: &[String]) -> Result<Vec<Hash>, ReceiptError> {
    if hashes.len() > MAX_PROOF {
        return Err(malformed("a proof is too long"));
    }
    let read = |digits: &String| from_hex(digits).ok_or(malformed("a hash is not 64 digits"));
    hashes.iter().map(read).collect()
}

fn malformed(what: &str) -> ReceiptError {
    ReceiptError::Malformed { what: what.into() }
}

/// The number that a line begins with behind its first key.
pub(crate) fn leading_number(text: &str, key: &str) -> Option<u64> {
    let rest = text.strip_prefix(key)?;
    let (number, _) = rest.split_once([',', '}'])?;
    number.parse().ok().filter(|found: &u64| found.to_string() == number)
}

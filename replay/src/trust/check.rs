//! Checkpoints held against a log: those that were kept beside it, and those that others hold.

use super::checkpoint::{Checkpoint, Signed};
use super::held::Against;
use super::held::Held;
use super::history::History;
use super::note::PublicKey;
use super::note::fingerprint;
use super::records;
use crate::finding::{Finding, Severity};
use std::collections::BTreeMap;

/// The stable codes of what is found here.
pub const CODES: [&str; 23] = [
    "checkpoint-damaged",
    "checkpoint-other-tournament",
    "checkpoint-size",
    "checkpoint-head",
    "checkpoint-time",
    "checkpoint-order",
    "checkpoint-not-signed",
    "checkpoint-other-key",
    "checkpoint-retired-key",
    "signer-change-unattested",
    "not-covered",
    "log-restored",
    "log-shorter",
    "log-forked",
    "log-re-signed",
    "known-same",
    "known-extended",
    "known-other-tournament",
    "known-other-key",
    "known-bad-signature",
    "known-retired-key",
    "known-lost",
    "known-size",
];

/// Reads the checkpoints that were kept beside a log; one that cannot be read is a finding.
pub fn read_kept(notes: &[String]) -> (Vec<Signed>, Vec<Finding>) {
    let (mut kept, mut findings) = (Vec::new(), Vec::new());
    for (number, note) in (1..).zip(notes) {
        match Signed::read(note.as_bytes()) {
            Ok(signed) => kept.push(signed),
            Err(error) => {
                let sentence = format!("checkpoint {number} that is kept here: {error}");
                findings.push(finding("checkpoint-damaged", 0, error_, sentence));
            }
        }
    }
    (kept, findings)
}

/// Checks every checkpoint that was kept beside a log, in the order in which they were signed: who
/// signed it, whether a command ends there, and whether the log begins with its records.
pub fn check_kept(history: &History, kept: &[Signed]) -> Vec<Finding> {
    check_kept_until(history, kept, history.size())
}

/// As [`check_kept`], for whoever looks at so many of the records: a later checkpoint covers them too,
/// and what is good to know of later ones is left out.
pub fn check_kept_until(history: &History, kept: &[Signed], size: u64) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (mut before, mut agreed, mut covered) = (None::<&Checkpoint>, 0, 0);
    let mut broken = false;
    let mut attested: BTreeMap<PublicKey, u64> = BTreeMap::new();
    for signed in kept {
        let found = &signed.checkpoint;
        let mut error = |code, sentence| findings.push(finding(code, found.size, error_, sentence));
        if found.stream != history.stream() {
            error(
                "checkpoint-other-tournament",
                "a checkpoint of another tournament is kept here".into(),
            );
            continue;
        }
        let (stands, keys) = (history.begins_with(found), history.signed_by(signed));
        if stands {
            for key in keys.iter().filter(|key| history.retired(key, found.size).is_none()) {
                let last = attested.entry(*key).or_default();
                *last = found.size.max(*last);
            }
            if before.is_some_and(|before| before.size >= found.size) {
                let sentence = "it was signed after one of as many records or more".to_string();
                error("checkpoint-order", sentence);
            }
            exact(history, found, &mut error);
            covered = covered.max(found.size);
            (before, agreed) = (Some(found), found.size.max(agreed));
        } else if history.lost(found.size, &found.root).is_some() {
            // What the event about it says is told below.
        } else if !std::mem::replace(&mut broken, true) {
            let (code, sentence) = disagreement(history, found.size, agreed);
            error(code, sentence);
        }
        findings.extend(signature(history, signed, stands, &keys));
    }
    for (seq, e) in history.restored() {
        let lost = records(e.known_size);
        let sentence = format!(
            "the store was restored from a copy; a checkpoint of {lost} had been handed out, and \
             not all of them are here"
        );
        findings.push(finding("log-restored", *seq, information, sentence));
    }
    findings.extend(unattested(history, covered, &attested));
    findings.retain(|found| found.severity == error_ || found.seq <= size);
    if agreed < size && !broken && history.signer(size).is_some() {
        let sentence = match agreed {
            0 => "no checkpoint is kept here".to_string(),
            _ if size - agreed == 1 => "the last record is covered by no checkpoint".to_string(),
            _ => format!("the last {} are covered by no checkpoint", records(size - agreed)),
        };
        findings.push(finding("not-covered", size, information, sentence));
    }
    findings
}

/// Holds checkpoints that somebody else has, and a public key that they know, against a log.
/// Everything that is right is a finding too.
///
/// Only what others hold bounds the place of a change: whoever has the key can make the log's own
/// checkpoints again.
pub fn compare_with_known(history: &History, kept: &[Signed], against: &Against) -> Vec<Finding> {
    let (known, key) = (&against.known, against.key.as_ref());
    let mut findings = Vec::new();
    for (place, one) in known.iter().enumerate() {
        let named = |mut finding: Finding| {
            if let Some(name) = against.names.get(place) {
                finding.sentence = format!("{name}: {}", finding.sentence);
            }
            finding
        };
        findings.extend(compare_one(history, kept, known, one, key).into_iter().map(named));
    }
    findings
}

/// What [`compare_with_known`] finds about one of them.
pub fn compare_one(
    history: &History,
    kept: &[Signed],
    known: &[Held],
    one: &Held,
    key: Option<&PublicKey>,
) -> Vec<Finding> {
    let known_size = one.size();
    let tell = |code, severity, sentence: String| finding(code, known_size, severity, sentence);
    let signers = match one {
        Held::Signed(signed) if signed.checkpoint.stream != history.stream() => {
            let sentence =
                format!("the checkpoint is of another tournament, {}", signed.checkpoint.stream);
            return vec![tell("known-other-tournament", error_, sentence)];
        }
        Held::Signed(signed) => match signers(history, signed, key) {
            Ok(signers) => signers,
            Err((code, sentence)) => return vec![tell(code, error_, sentence)],
        },
        Held::Shown(_) => Vec::new(),
    };
    // One key that was never retired is enough.
    let retired: Option<Vec<_>> =
        signers.iter().map(|key| history.retired(key, known_size)).collect();
    let retired = retired.and_then(|all| all.into_iter().min());
    if one.begins(history) {
        if history.checkpoint(known_size).is_none_or(|own| !one.is(&own)) {
            let sentence = "its records are the log's, but its time, its last record or the end \
                            of its command is not";
            return vec![tell("known-size", error_, sentence.into())];
        }
        let retired = retired.map(|(seq, last)| {
            let last = records(last);
            let sentence = format!(
                "its records are the log's, but its key was retired after {last} (event {seq})"
            );
            tell("known-retired-key", information, sentence)
        });
        let (code, sentence) = match history.size() - known_size {
            0 => ("known-same", "the log is what was signed".to_string()),
            more => (
                "known-extended",
                format!("the log is what was signed, and {} more", records(more)),
            ),
        };
        return retired.into_iter().chain([tell(code, information, sentence)]).collect();
    }
    if let Some(seq) = one.lost(history) {
        let sentence = format!(
            "the log has other records; event {seq} says that the store was restored from a copy, \
             and what was recorded since was lost"
        );
        return vec![tell("known-lost", error_, sentence)];
    }
    let agreed = known.iter().filter(|other| other.begins(history)).map(Held::size);
    let agreed = agreed.filter(|size| *size < known_size).max().unwrap_or(0);
    let (mut code, mut sentence) = disagreement(history, known_size, agreed);
    if let Some((seq, last)) = retired {
        let last = records(last);
        sentence.push_str(&format!(
            "; but event {seq} retired its key as stolen after {last}, so somebody else may have \
             signed this: ask for an earlier checkpoint"
        ));
        return vec![tell("known-retired-key", error_, sentence)];
    }
    if code == "log-shorter" {
        sentence.push_str(
            ", it is a copy from before, or another history: ask for one that was made later",
        );
    }
    if matches!(one, Held::Shown(_)) {
        sentence
            .push_str("; or a digit was not copied right, or the sheet is of another tournament");
    }
    let agrees = |own: &&Signed| history.begins_with(&own.checkpoint);
    let mut own = kept.iter().filter(agrees).filter(|own| own.checkpoint.size >= known_size);
    if let Some(again) = own.find(|own| signers.iter().any(|key| own.is_signed_by(key))) {
        code = "log-re-signed";
        let size = records(again.checkpoint.size);
        sentence.push_str(&format!(
            "; the same key signed a checkpoint of {size} over the changed log, so whoever has the \
             key did it"
        ));
    }
    vec![tell(code, error_, sentence)]
}

#[allow(non_upper_case_globals, reason = "they stand where a severity is named in words")]
const error_: Severity = Severity::Error;
#[allow(non_upper_case_globals, reason = "they stand where a severity is named in words")]
const information: Severity = Severity::Information;

fn finding(code: &'static str, seq: u64, severity: Severity, sentence: String) -> Finding {
    Finding { code, seq, sentence, severity }
}

/// How a log that does not begin with a checkpoint's records differs from it. `agreed` is the
/// largest number of records that are known to be the same.
fn disagreement(history: &History, known: u64, agreed: u64) -> (&'static str, String) {
    let size = history.size();
    if known > size {
        let known = records(known);
        let sentence =
            format!("a checkpoint of {known} was signed, but the log has {size}: it was cut short");
        return ("log-shorter", sentence);
    }
    let (first, last) = (agreed + 1, known);
    let sentence = match first == last {
        true => format!("record {last} is not the one that was signed"),
        false => format!("among the records {first} to {last} are others than were signed"),
    };
    ("log-forked", sentence)
}

/// What stands in a checkpoint beside the root, held against the log.
fn exact(history: &History, found: &Checkpoint, error: &mut dyn FnMut(&'static str, String)) {
    match history.checkpoint(found.size) {
        None => error("checkpoint-size", "it ends in the middle of a command".into()),
        Some(own) if own.head != found.head => {
            error("checkpoint-head", "it names another last record than the log has there".into());
        }
        Some(own) if own.time != found.time => {
            error("checkpoint-time", "it names another time than the log has there".into());
        }
        Some(_) => {}
    }
}

/// Whether a kept checkpoint is signed by the key that signs at its size; `stands` says whether the
/// log begins with its records, `keys` are those of the event that signed it.
fn signature(
    history: &History,
    signed: &Signed,
    stands: bool,
    keys: &[PublicKey],
) -> Option<Finding> {
    let size = signed.checkpoint.size;
    let error = |code, sentence| Some(finding(code, size, error_, sentence));
    let signs = |key: &PublicKey| keys.contains(key) || signed.is_signed_by(key);
    match (history.signer(size).filter(signs), keys.first()) {
        (Some(key), _) => {
            let (seq, last) = history.retired(&key, size)?;
            let sentence = format!(
                "it is signed by the key {}, which was retired after {} (event {seq})",
                fingerprint(&key),
                records(last)
            );
            Some(finding("checkpoint-retired-key", size, information, sentence))
        }
        // On a part of the history that was lost other keys may have been named.
        (None, Some(_)) if !stands => None,
        (None, Some(key)) => {
            let sentence = format!(
                "it is signed by the key {}, which is not the tournament's there",
                fingerprint(key)
            );
            error("checkpoint-other-key", sentence)
        }
        (None, None) => {
            error("checkpoint-not-signed", "no key of this tournament signed it".into())
        }
    }
}

/// Changes of the signer that the replaced key did not sign, where a checkpoint covers them.
/// `covered` is how many records the largest checkpoint of this log stands for, `attested` how many
/// each key signed before it was retired.
fn unattested(
    history: &History,
    covered: u64,
    attested: &BTreeMap<PublicKey, u64>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pair in history.signers().windows(2) {
        let ((_, old), (seq, new)) = (pair[0], pair[1]);
        let attests = attested.get(&old).is_some_and(|size| *size >= seq);
        if old != new && covered >= seq && !attests {
            let signed = history
                .retired(&old, seq)
                .map_or("did not sign that", |_| "was retired before that and could not sign it");
            let (old, new) = (fingerprint(&old), fingerprint(&new));
            let sentence =
                format!("the key {new} took the place of {old}, which {signed}: ask the organizer");
            findings.push(finding("signer-change-unattested", seq, information, sentence));
        }
    }
    findings
}

/// The keys of the log that signed this, at least one.
fn signers(
    history: &History,
    signed: &Signed,
    key: Option<&PublicKey>,
) -> Result<Vec<PublicKey>, (&'static str, String)> {
    let keys = history.signed_by(signed);
    if !keys.is_empty() {
        return Ok(keys);
    }
    let claims_known = |key: &PublicKey| signed.claims(key) && !signed.is_signed_by(key);
    if history.is_claimed(signed) || key.is_some_and(claims_known) {
        let sentence = "its signature does not belong to its text: it was changed, or not copied \
                        in full";
        return Err(("known-bad-signature", sentence.into()));
    }
    let sentence = match key.filter(|key| signed.is_signed_by(key)) {
        Some(key) => format!(
            "it is signed by the key {}, which this log does not name: the log was made anew \
             with another key",
            fingerprint(key)
        ),
        None => "it is signed by a key that this log does not name".to_string(),
    };
    Err(("known-other-key", sentence))
}

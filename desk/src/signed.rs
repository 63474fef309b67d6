//! What was signed here, held against what is read and recorded.

use crate::asker::Asker;
use crate::keys::{Key, KeyError, KeyFolder};
use crate::rehearsal::Chance;
use crate::sign::{SignError, goes_on_from_signed, sign};
use crate::store::{Store, StoreError};
use crate::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::fingerprint;

/// Signs a checkpoint where a round was completed, standings were announced, or the tournament closed,
/// since event `before`. A key that is not at hand keeps nobody from going on; a note says what else
/// kept it from being signed.
pub fn after_round(asker: &Asker, store: &Store, stream: StreamId, before: u64) -> Option<String> {
    let (_, state) = store.handler().load(stream).ok()?;
    let completed = state.rounds().iter().filter_map(|round| round.completed).max();
    let announced = state.announcements().last().map(|(seq, _)| *seq);
    let is_wanted =
        [completed, announced, state.closed()].into_iter().flatten().any(|seq| seq > before);
    if !is_wanted {
        return None;
    }
    match sign(store, stream, &asker.keys) {
        Ok(_) | Err(SignError::NoSigner) => None,
        Err(error) => Some(format!("no checkpoint was signed: {error}   [{}]", error.code())),
    }
}

/// Whether a tournament is carried on here: the secret of its draws is here, or its key, or it has no
/// key. A publisher's copy is not. The secret is looked for first: it is at hand, the key in a file.
pub fn is_carried_on(
    keys: &KeyFolder,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Result<bool, StoreError> {
    let Some((_, key)) = state.signers().last() else { return Ok(true) };
    let has_secret = store.secrets(stream).map(|secrets| !secrets.is_empty());
    let has_key = || matches!(keys.get(key), Ok(Some(_)));
    Ok(matches!(has_secret, Ok(true)) || has_key() || has_secret?)
}

/// A warning for those who record something in a copy of somebody else's tournament.
pub fn of_copy(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Result<Option<String>, VerbError> {
    let is_ours = is_carried_on(&asker.keys, store, stream, state)?;
    Ok((!is_ours).then(|| {
        "this is a copy of somebody else's tournament: neither its key nor its pairing secret is \
         here. Their next bundle no longer fits behind what you recorded"
            .to_string()
    }))
}

/// What is wrong between a log and the one that was signed here last. Only a log that is another one
/// is said to be another one.
pub fn other_log(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Option<VerbError> {
    let named: Vec<[u8; 32]> = state.signers().iter().map(|(_, key)| *key).collect();
    let error = goes_on_from_signed(store, stream, &named, &asker.keys).err()?;
    let is_other = is_other(&error);
    let mut fail = VerbError::from(error);
    if is_other {
        fail.message = format!("this is not the log that was signed here: {}", fail.message);
    }
    Some(fail)
}

fn is_other(error: &SignError) -> bool {
    use SignError::{Forked, Parted, Shorter};
    matches!(error, Shorter { .. } | Forked { .. } | Parted { .. })
}

/// Refuses to record anything in a log that is not the one that was signed here last.
pub fn refuse_other_log(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Result<(), VerbError> {
    match strictly_other(asker, store, stream, state) {
        Some(fail) => {
            Err(VerbError { message: format!("{}; nothing was recorded", fail.message), ..fail })
        }
        None => Ok(()),
    }
}

/// A warning for those who look at such a log, or at a copy whose log was rewritten where it is run: the answer
/// is none to rely on.
pub fn doubt(asker: &Asker, store: &Store, stream: StreamId, state: &Tournament) -> Option<String> {
    let other = strictly_other(asker, store, stream, state).map(|fail| in_a_line(&fail));
    other.or_else(|| rewritten(store, stream))
}

/// A warning for those who are given something of a copy whose log was rewritten where it is run.
pub fn rewritten(store: &Store, stream: StreamId) -> Option<String> {
    // What cannot be read is told by whoever verifies.
    let fork = store.rewritten(stream).ok()??;
    Some(format!("{fork}; what stands here is what was kept before"))
}

/// Stores of one rehearsal may have the same ids, so there it is not held against anybody.
fn strictly_other(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Option<VerbError> {
    let found = other_log(asker, store, stream, state).filter(|_| asker.rehearse.is_none());
    found.filter(|fail| matches!(fail.code.word, "log-shorter" | "log-forked"))
}

/// A warning for those who have recorded something in a log of which that was not refused.
pub fn of_other_log(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Option<String> {
    other_log(asker, store, stream, state).map(|fail| in_a_line(&fail))
}

/// An error as a note.
fn in_a_line(fail: &VerbError) -> String {
    let hint = fail.hint.iter().map(|hint| format!("; {hint}")).collect::<String>();
    format!("{}   [{}]{hint}", fail.message, fail.code)
}

/// The last checkpoint of a tournament as it was then, in short, with the key: for the foot of a sheet
/// that many people see. Empty where none was signed, or with a note where the last one is not one of
/// this log.
pub fn foot(
    store: &Store,
    event: &LoadedTournament,
    history: impl FnOnce() -> Option<History>,
) -> (String, Option<String>) {
    let kept = store.checkpoints(event.stream).unwrap_or_default();
    let there = kept.iter().rev().filter_map(|note| Signed::read(note.as_bytes()).ok());
    let there = there.filter(|signed| signed.checkpoint.size <= event.state.head());
    let there: Vec<Signed> = there.collect();
    // A history is not read for a tournament without any.
    if there.is_empty() {
        return (String::new(), None);
    }
    let Some(history) = history() else { return (String::new(), None) };
    let is_lost = |known: &Checkpoint| history.lost(known.size, &known.root).is_some();
    let Some(signed) = there.into_iter().find(|signed| !is_lost(&signed.checkpoint)) else {
        return (String::new(), None);
    };
    let (checkpoint, size) = (signed.checkpoint, signed.checkpoint.size);
    let stands = history.checkpoint(size) == Some(checkpoint);
    let signs = |key: &[u8; 32]| signed.is_signed_by(key) && history.retired(key, size).is_none();
    match history.signer(size).filter(|key| stands && signs(key)) {
        Some(key) => {
            (format!("checkpoint {}\nkey {}\n", checkpoint.short(), fingerprint(&key)), None)
        }
        None => {
            let note = "no checkpoint is printed: the last one here does not stand for these \
                        records, which `scrutineer verify` explains";
            (String::new(), Some(note.into()))
        }
    }
}

/// The key of a new tournament: the current one, or the organizer's first. Where there is nowhere to
/// keep one the tournament has none, and a note says so.
pub fn signer_for_new(asker: &Asker, chance: &Chance) -> (Option<[u8; 32]>, Option<String>) {
    let made = match asker.keys.current() {
        Ok(Some(key)) => return (Some(key.public()), None),
        Ok(None) if asker.rehearse.is_some() && !asker.keys.is_somewhere() => return (None, None),
        Ok(None) => make(asker, chance),
        Err(error) => Err(error.into()),
    };
    match made {
        Ok(key) => (Some(key.public()), Some(made_in_words(asker, &key))),
        Err(fail) => {
            let note = format!("no checkpoints are signed: {}   [{}]", fail.message, fail.code);
            (None, Some(note))
        }
    }
}

/// Makes a key and keeps it.
pub fn make(asker: &Asker, chance: &Chance) -> Result<Key, VerbError> {
    let key = Key::from_secret(&chance.key().map_err(StoreError::from)?);
    asker.keys.keep(&key)?;
    Ok(key)
}

/// Where a new key is.
pub fn made_in_words(asker: &Asker, key: &Key) -> String {
    let file = asker.keys.file(&key.public()).unwrap_or_default();
    format!("your key to sign with is in {}; keep a copy of it elsewhere", file.display())
}

impl From<SignError> for VerbError {
    fn from(error: SignError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<KeyError> for VerbError {
    fn from(error: KeyError) -> VerbError {
        VerbError::new(error.code(), error.to_string(), error.hint())
    }
}

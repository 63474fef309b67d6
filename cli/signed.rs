//! What was signed here, held against what is read and recorded.

use crate::error::CliError;
use crate::printable::printable;
use crate::rehearsal::Chance;
use crate::session::Session;
use scrutineer_desk::keys::{Key, KeyError};
use scrutineer_desk::sign::{SignError, goes_on_from_signed, sign};
use scrutineer_desk::store::{Store, StoreError, checkpoints_in};
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::trust::checkpoint::{Checkpoint, Signed};
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::fingerprint;
use std::io::Write;

/// RoundCompleted, StandingsAnnounced and TournamentClosed: a checkpoint is signed by itself after
/// these.
const SIGNED_AFTER: [u16; 3] = [44, 61, 7];

/// Signs a checkpoint where a round was completed, standings were announced, or the event closed,
/// since event `before`. A key
/// that is not at hand keeps nobody from going on.
pub fn after_round(session: &Session, store: &Store, stream: StreamId, before: u64) {
    let read: Result<Vec<_>, _> = store.log().read(stream, before).collect();
    let is_wanted = |record: &Record| SIGNED_AFTER.contains(&record.header().kind);
    if !read.is_ok_and(|records| records.iter().any(is_wanted)) {
        return;
    }
    match sign(store, stream, &session.keys) {
        Ok(_) | Err(SignError::NoSigner) => {}
        Err(error) => {
            let code = error.code();
            say(&format!("no checkpoint was signed: {error}   [{code}]"));
        }
    }
}

/// Whether an event is carried on here: its key is here, or the secret of its draws, or it has no
/// key. A publisher's copy is not.
pub fn is_carried_on(
    session: &Session,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Result<bool, CliError> {
    let Some((_, key)) = state.signers().last() else { return Ok(true) };
    let has_key = matches!(session.keys.get(key), Ok(Some(_)));
    Ok(has_key || !store.secrets(stream)?.is_empty())
}

/// Warns whoever records something in a copy of somebody else's event.
pub fn warn_in_copy(
    session: &Session,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Result<(), CliError> {
    if !is_carried_on(session, store, stream, state)? {
        say(
            "this is a copy of somebody else's tournament: neither its key nor its pairing secret is \
             here. Their next bundle no longer fits behind what you recorded",
        );
    }
    Ok(())
}

/// What is wrong between a log and the one that was signed here last. Only a log that is another one
/// is said to be another one.
pub fn other_log(
    session: &Session,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Option<CliError> {
    let named: Vec<[u8; 32]> = state.signers().iter().map(|(_, key)| *key).collect();
    let error = goes_on_from_signed(store, stream, &named, &session.keys).err()?;
    let is_other = is_other(&error);
    let mut fail = CliError::from(error);
    if is_other {
        fail.message = format!("this is not the log that was signed here: {}", fail.message);
    }
    Some(fail)
}

fn is_other(error: &SignError) -> bool {
    matches!(error, SignError::Shorter { .. } | SignError::Forked { .. })
}

/// Refuses to record anything in a log that is not the one that was signed here last.
pub fn refuse_other_log(
    session: &Session,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Result<(), CliError> {
    match strictly_other(session, store, stream, state) {
        Some(fail) => {
            Err(CliError { message: format!("{}; nothing was recorded", fail.message), ..fail })
        }
        None => Ok(()),
    }
}

/// Tells whoever looks at such a log, ahead of all else; the answer is none to rely on.
pub fn doubt_other_log(session: &Session, store: &Store, stream: StreamId, state: &Tournament) {
    if let Some(fail) = strictly_other(session, store, stream, state) {
        session.in_doubt.set(true);
        warn(&fail);
    }
}

/// Stores of one rehearsal may have the same ids, so there it is not held against anybody.
fn strictly_other(
    session: &Session,
    store: &Store,
    stream: StreamId,
    state: &Tournament,
) -> Option<CliError> {
    let found = other_log(session, store, stream, state).filter(|_| session.rehearse.is_none());
    found.filter(|fail| matches!(fail.code.word, "log-shorter" | "log-forked"))
}

/// Warns whoever has recorded something in a log of which that was not refused.
pub fn warn_in_other_log(session: &Session, store: &Store, stream: StreamId, state: &Tournament) {
    other_log(session, store, stream, state).iter().for_each(warn);
}

fn warn(fail: &CliError) {
    let hint = fail.hint.iter().map(|hint| format!("; {hint}")).collect::<String>();
    say(&format!("{}   [{}]{hint}", fail.message, fail.code));
}

/// The last checkpoint of an event as it was then, in short, with the key: for the foot of a sheet
/// that many people see. Empty where none was signed, or the last one is not one of this log.
pub fn foot(
    session: &Session,
    event: &LoadedTournament,
    history: impl FnOnce() -> Option<History>,
) -> String {
    let kept = checkpoints_in(&session.store, event.stream).unwrap_or_default();
    let there = kept.iter().rev().filter_map(|note| Signed::read(note.as_bytes()).ok());
    let there = there.filter(|signed| signed.checkpoint.size <= event.state.head());
    let there: Vec<Signed> = there.collect();
    // A history is not read for an event without any.
    if there.is_empty() {
        return String::new();
    }
    let Some(history) = history() else { return String::new() };
    let is_lost = |known: &Checkpoint| history.lost(known.size, &known.root).is_some();
    let Some(signed) = there.into_iter().find(|signed| !is_lost(&signed.checkpoint)) else {
        return String::new();
    };
    let (checkpoint, size) = (signed.checkpoint, signed.checkpoint.size);
    let stands = history.checkpoint(size) == Some(checkpoint);
    let signs = |key: &[u8; 32]| signed.is_signed_by(key) && history.retired(key, size).is_none();
    match history.signer(size).filter(|key| stands && signs(key)) {
        Some(key) => format!("checkpoint {}\nkey {}\n", checkpoint.short(), fingerprint(&key)),
        None => {
            say("no checkpoint is printed: the last one here does not stand for these records, \
                 which `scrutineer verify` explains");
            String::new()
        }
    }
}

/// What its user should know, on standard error.
pub fn say(note: &str) {
    let _ = writeln!(anstream::stderr(), "note: {}", printable(note));
}

/// The key of a new event: the current one, or the organizer's first. Where there is nowhere to
/// keep one the event has none, and a note says so.
pub fn signer_for_new_event(session: &Session, chance: &Chance) -> Option<[u8; 32]> {
    let made = match session.keys.current() {
        Ok(Some(key)) => return Some(key.public()),
        Ok(None) if session.rehearse.is_some() && !session.keys.is_somewhere() => return None,
        Ok(None) => make(session, chance),
        Err(error) => Err(error.into()),
    };
    match made {
        Ok(key) => {
            say(&made_in_words(session, &key));
            Some(key.public())
        }
        Err(fail) => {
            say(&format!("no checkpoints are signed: {}   [{}]", fail.message, fail.code));
            None
        }
    }
}

/// Makes a key and keeps it.
pub fn make(session: &Session, chance: &Chance) -> Result<Key, CliError> {
    let key = Key::from_secret(&chance.key().map_err(StoreError::from)?);
    session.keys.keep(&key)?;
    Ok(key)
}

/// Where a new key is.
pub fn made_in_words(session: &Session, key: &Key) -> String {
    let file = session.keys.file(&key.public()).unwrap_or_default();
    format!("your key to sign with is in {}; keep a copy of it elsewhere", file.display())
}

impl From<SignError> for CliError {
    fn from(error: SignError) -> CliError {
        CliError::new(error.code(), error.to_string(), error.hint())
    }
}

impl From<KeyError> for CliError {
    fn from(error: KeyError) -> CliError {
        CliError::new(error.code(), error.to_string(), error.hint())
    }
}

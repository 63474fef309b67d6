//! `checkpoint`, `keys`, `prove`, `check-receipt`: what others can check a log by.

mod checkpoint;
mod keys;
mod prove;
mod receipt;
mod typed;

pub use checkpoint::say_restored;
pub use keys::signer_for_new_event;
pub use typed::{read_key, read_whole_key};

use crate::Report;
use crate::args::{Trust as Verb, Which};
use crate::desk::{AtDesk, at_stream};
use crate::error::CliError;
use crate::output::{printable, publish};
use crate::session::Session;
use scrutineer_desk::keys::KeyError;
use scrutineer_desk::sign::{SignError, goes_on_from_signed, sign};
use scrutineer_desk::store::{Store, StoreError, checkpoints_in};
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::own::{OwnKind as Kind, own_kind};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::trust::checkpoint::{Checkpoint, CheckpointError, Signed};
use scrutineer_replay::trust::held::{Held, Shown};
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::MAX_NOTE;
use scrutineer_replay::trust::note::fingerprint;
use scrutineer_replay::trust::receipt::ReceiptError;

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// RoundCompleted, StandingsAnnounced and TournamentClosed: a checkpoint is signed by itself after
/// these.
const SIGNED_AFTER: [u16; 3] = [44, 61, 7];

/// Does what is asked about checkpoints, keys and receipts.
pub fn run(session: &Session, verb: &Verb) -> Result<Report, CliError> {
    match verb {
        Verb::Checkpoint(options) => {
            let store = match options.restored {
                true => session.opened_store()?,
                false => session.store_to_read()?,
            };
            let stream = store.find(options.which.tournament.as_deref())?;
            at_stream(session, &store, stream, |desk| checkpoint::run(desk, options))
        }
        Verb::Keys(verb) => keys::run(session, verb),
        Verb::Prove(options) => {
            let store = session.store_to_read()?;
            let stream = store.find(options.which.tournament.as_deref())?;
            at_stream(session, &store, stream, |desk| prove::run(desk, options))
        }
        Verb::CheckReceipt(options) => receipt::run(session, options),
    }
}

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
    found.filter(|fail| matches!(fail.code, "log-shorter" | "log-forked"))
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

/// The streams of all events, or the one that is named.
fn streams(store: &Store, which: &Which) -> Result<Vec<StreamId>, CliError> {
    match &which.tournament {
        Some(name) => Ok(vec![store.find(Some(name))?]),
        None => Ok(store.log().streams().map_err(StoreError::from)?),
    }
}

/// Reads a checkpoint that somebody holds: its file, or what a sheet shows of it.
pub fn read_held(given: &Path) -> Result<Held, CliError> {
    match given.to_str().and_then(Shown::read) {
        Some(shown) => Ok(Held::Shown(shown.map_err(|error| of_file(given, error))?)),
        None => Ok(Held::Signed(read_checkpoint(given)?)),
    }
}

/// Reads a checkpoint from a file.
fn read_checkpoint(file: &Path) -> Result<Signed, CliError> {
    let bytes = read(file, Kind::Checkpoint, MAX_NOTE)?;
    Signed::read_held(&bytes).map_err(|error| of_file(file, error))
}

/// Reads a file, once, which may be a pipe; refuses what is something else of ours.
fn read(file: &Path, wanted: Kind, limit: usize) -> Result<Vec<u8>, CliError> {
    let read = read_start(file, limit + 1).map_err(|error| CliError::file(file, &error))?;
    expect(file, &read, wanted)?;
    match read.len() > limit {
        false => Ok(read),
        true => {
            let message = format!("it has more than the {limit} bytes that are read");
            Err(CliError::file(file, &std::io::Error::other(message)))
        }
    }
}

/// The first bytes of a file.
fn read_start(file: &Path, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn expect(file: &Path, bytes: &[u8], wanted: Kind) -> Result<(), CliError> {
    match own_kind(bytes).filter(|found| *found != wanted) {
        None => Ok(()),
        Some(found) => {
            let (file, found_word, wanted) = (file.display(), found.word(), wanted.word());
            let message = format!("{file} is {found_word}, not {wanted}");
            Err(CliError::new("other-file", message, found.hint()))
        }
    }
}

fn of_file(file: &Path, error: CheckpointError) -> CliError {
    let message = format!("{}: {error}", file.display());
    CliError::new(error.code(), message, error.hint())
}

/// Writes what somebody is given to a file.
fn write(file: &Path, text: &str, force: bool) -> Result<(), CliError> {
    // A folder that is not there is a slip of the pen: none is made.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let there = folder.map_or(Ok(()), |folder| std::fs::metadata(folder).map(drop));
    there.map_err(|error| {
        let message = format!("cannot write {}: {error}", file.display());
        CliError::new("file-not-written", message, "check the name and the permissions")
    })?;
    // Such as standard output, which is written to and not replaced.
    let special = std::fs::metadata(file).is_ok_and(|found| !found.is_file());
    publish(file, text.as_bytes(), force || special)
}

/// The checkpoint as it stands; where the key is elsewhere, the last one that is kept.
fn latest(at: &AtDesk<'_>) -> Result<Signed, CliError> {
    let stream = at.desk.stream();
    match sign(at.store, stream, &at.session.keys) {
        Err(error @ SignError::NoKey { .. }) => {
            let kept = scrutineer_desk::sign::kept(at.store, stream)?;
            let history = History::read(at.store.log(), stream).map_err(StoreError::from)?;
            let stands = |signed: &Signed| history.begins_with(&signed.checkpoint);
            let last = kept.into_iter().rev().find(stands).ok_or(error.clone())?;
            say(&format!("this is the last one that was signed: {error}   [{}]", error.code()));
            Ok(last)
        }
        signed => Ok(signed?),
    }
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

impl From<ReceiptError> for CliError {
    fn from(error: ReceiptError) -> CliError {
        CliError::new(error.code(), error.to_string(), error.hint())
    }
}

//! `checkpoint`, `keys`, `prove`, `check-receipt`: what others can check a log by.

mod checkpoint;
mod keys;
mod prove;
mod receipt;
mod typed;

pub use checkpoint::say_restored;
pub use typed::{read_key, read_whole_key};

use crate::Report;
use crate::args::{Trust as Verb, Which};
use crate::desk::at_stream;
use crate::error::VerbError;
use crate::loading::doubt_rewritten;
use crate::output::publish;
use crate::session::{Session, say};
use scrutineer_desk::orders::AtDesk;
use scrutineer_desk::sign::{SignError, sign};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::own::{OwnKind as Kind, own_kind};
use scrutineer_replay::trust::checkpoint::{CheckpointError, Signed};
use scrutineer_replay::trust::held::{Held, Shown};
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::MAX_NOTE;

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Does what is asked about checkpoints, keys and receipts.
pub fn run(session: &Session, verb: &Verb) -> Result<Report, VerbError> {
    match verb {
        Verb::Checkpoint(options) => {
            let store = match options.restored {
                true => session.opened_store()?,
                false => session.store_to_read()?,
            };
            let stream = store.find(options.which.tournament.as_deref())?;
            doubt_rewritten(session, &store, stream);
            at_stream(session, &store, stream, |desk| checkpoint::run(session, desk, options))
        }
        Verb::Keys(verb) => keys::run(session, verb),
        Verb::Prove(options) => {
            let store = session.store_to_read()?;
            let stream = store.find(options.which.tournament.as_deref())?;
            doubt_rewritten(session, &store, stream);
            at_stream(session, &store, stream, |desk| prove::run(session, desk, options))
        }
        Verb::CheckReceipt(options) => receipt::run(session, options),
    }
}

/// The streams of all tournaments, or the one that is named.
fn streams(store: &Store, which: &Which) -> Result<Vec<StreamId>, VerbError> {
    match &which.tournament {
        Some(name) => Ok(vec![store.find(Some(name))?]),
        None => Ok(store.log().streams().map_err(StoreError::from)?),
    }
}

/// Reads a checkpoint that somebody holds: its file, or what a sheet shows of it.
pub fn read_held(given: &Path) -> Result<Held, VerbError> {
    match given.to_str().and_then(Shown::read) {
        Some(shown) => Ok(Held::Shown(shown.map_err(|error| of_file(given, error))?)),
        None => Ok(Held::Signed(read_checkpoint(given)?)),
    }
}

/// Reads a checkpoint from a file.
fn read_checkpoint(file: &Path) -> Result<Signed, VerbError> {
    let bytes = read(file, Kind::Checkpoint, MAX_NOTE)?;
    Signed::read_held(&bytes).map_err(|error| of_file(file, error))
}

/// Reads a file, once, which may be a pipe; refuses what is something else of ours.
fn read(file: &Path, wanted: Kind, limit: usize) -> Result<Vec<u8>, VerbError> {
    let read = read_start(file, limit + 1).map_err(|error| VerbError::file(file, &error))?;
    expect(file, &read, wanted)?;
    match read.len() > limit {
        false => Ok(read),
        true => {
            let message = format!("it has more than the {limit} bytes that are read");
            Err(VerbError::file(file, &std::io::Error::other(message)))
        }
    }
}

/// The first bytes of a file.
fn read_start(file: &Path, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn expect(file: &Path, bytes: &[u8], wanted: Kind) -> Result<(), VerbError> {
    match own_kind(bytes).filter(|found| *found != wanted) {
        None => Ok(()),
        Some(found) => {
            let (file, found_word, wanted) = (file.display(), found.word(), wanted.word());
            let message = format!("{file} is {found_word}, not {wanted}");
            Err(VerbError::new(Code::invalid("other-file"), message, found.hint()))
        }
    }
}

fn of_file(file: &Path, error: CheckpointError) -> VerbError {
    let message = format!("{}: {error}", file.display());
    VerbError::new(error.code(), message, error.hint())
}

/// Writes what somebody is given to a file.
fn write(file: &Path, text: &str, force: bool) -> Result<(), VerbError> {
    // A folder that is not there is a slip of the pen: none is made.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let there = folder.map_or(Ok(()), |folder| std::fs::metadata(folder).map(drop));
    there.map_err(|error| {
        let message = format!("cannot write {}: {error}", file.display());
        VerbError::new(Code::io("file-not-written"), message, "check the name and the permissions")
    })?;
    // Such as standard output, which is written to and not replaced.
    let special = std::fs::metadata(file).is_ok_and(|found| !found.is_file());
    publish(file, text.as_bytes(), force || special)
}

/// The checkpoint as it stands; where the key is elsewhere, the last one that is kept.
fn latest(at: &AtDesk<'_>) -> Result<Signed, VerbError> {
    let stream = at.desk.stream();
    match sign(at.store, stream, &at.asker.keys) {
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

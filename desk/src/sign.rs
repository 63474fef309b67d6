//! Signing the next checkpoint: only what extends the last one.

use crate::keys::{Key, KeyError, KeyFolder};
use crate::store::{Store, StoreError};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::trust::check::read_kept;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::{MAX_SIGNATURES, PublicKey, fingerprint};
use scrutineer_replay::trust::records;
use std::sync::Arc;

scrutineer_engine::errors! {
    /// Why no checkpoint is signed.
    #[derive(Clone)]
    pub enum SignError -> &'static str {
        /// There is nothing to sign.
        Empty = refused "nothing-to-sign", "the log has no records", "record something first";
        /// The log names no key.
        NoSigner = refused "no-signer", "this tournament has no key to sign with",
            "give it one: `scrutineer keys new --tournament <name>`";
        /// The key is elsewhere, or lost.
        NoKey { key: PublicKey, folder: String } = not_found "no-key",
            ["the key {} of this tournament is not in {folder}", fingerprint(.key)],
            "copy the key there; if it is lost: `scrutineer keys rotate --reason <why>`";
        /// The key was retired.
        Retired { key: PublicKey, seq: u64 } = refused "key-retired",
            ["the key {} was retired by event {seq}, so it signs nothing more", fingerprint(.key)],
            "make another one: `scrutineer keys rotate --reason <why>`";
        /// The log has fewer records than were signed.
        Shorter { known: u64, size: u64 } = refused "log-shorter",
            ["a checkpoint of {} was signed, but the log has {size}: it is a shorter \
             copy", records(*.known)],
            "where the rest is kept elsewhere, as at a publisher's server, bring it back: `scrutineer bundle \
             import <file>`; where it is lost: `scrutineer checkpoint --restored --reason <why>`";
        /// The log does not begin with the records that were signed.
        Forked { known: u64 } = refused "log-forked",
            ["the first {} of this log are not those of a checkpoint that was \
             signed", records(*.known)],
            "if the store was restored from a copy, say so: `scrutineer checkpoint --restored \
             --reason <why>`";
        /// It is the history with which this laptop went on by itself, and another one is that of its desk.
        Parted { size: u64 } = refused "log-forked",
            ["this laptop went on with it by itself, up to {}, after it parted from the desk, whose log goes on \
             otherwise", records(*.size)],
            "keep this folder for its owner, who compares the two; to follow the desk begin anew: `scrutineer serve \
             --store second-store --second <code>`";
        /// What was signed before cannot be read, so nobody knows what the next one must extend.
        Damaged { what: String } = damaged "checkpoint-damaged", "{what}",
            "restore the folder `checkpoints` of the store from a copy";
        /// The log or what is kept beside it cannot be read or written.
        Store(#[from] Arc<StoreError>) => (error) error.code(), "{0}",
            error.hint().unwrap_or("check the disk");
        /// A key cannot be read.
        Key(#[from] KeyError) => (error) error.code(), "{0}", error.hint();
    }
}

impl From<StoreError> for SignError {
    fn from(error: StoreError) -> SignError {
        SignError::Store(error.into())
    }
}

/// The checkpoints that are kept for a tournament.
///
/// # Errors
/// Where one of them cannot be read.
pub fn kept(store: &Store, stream: StreamId) -> Result<Vec<Signed>, SignError> {
    let (kept, damaged) = read_kept(&store.checkpoints(stream)?);
    match damaged.into_iter().next() {
        Some(first) => Err(SignError::Damaged { what: first.sentence }),
        None => Ok(kept),
    }
}

/// The checkpoint of a tournament as it stands, as [`next`] gives it; a new one is kept before
/// this returns.
///
/// # Errors
/// As [`next`], and where something cannot be read or kept.
pub fn sign(store: &Store, stream: StreamId, keys: &KeyFolder) -> Result<Signed, SignError> {
    let turn = store.turn_to_sign()?;
    let history = History::read(store.log(), stream).map_err(StoreError::from)?;
    holds_against_signed(store, &history, keys)?;
    let known = kept_or_noted(store, &history, keys)?;
    let signed = next(&history, &known, keys)?;
    if !kept(store, stream)?.contains(&signed) {
        store.keep_checkpoint(&turn, stream, &signed.to_string())?;
    }
    keys.note_signed(stream, &signed);
    Ok(signed)
}

/// The checkpoints that are kept for a tournament, and the last one that was signed with these keys,
/// where the store has lost it: it was restored from a copy then.
///
/// # Errors
/// As [`kept`].
pub fn kept_or_noted(
    store: &Store,
    history: &History,
    keys: &KeyFolder,
) -> Result<Vec<Signed>, SignError> {
    let mut kept = kept(store, history.stream())?;
    let noted = noted(store, history.stream(), &named(history), keys)?;
    kept.extend(noted.filter(|noted| !kept.contains(noted)));
    kept.sort_by_key(|signed| signed.checkpoint.size);
    Ok(kept)
}

/// The keys that a tournament names.
fn named(history: &History) -> Vec<PublicKey> {
    history.signers().iter().map(|(_, key)| *key).collect()
}

/// The last checkpoint that was signed with these keys for a tournament. What is kept of one that is run
/// elsewhere was signed there.
fn noted(
    store: &Store,
    stream: StreamId,
    named: &[PublicKey],
    keys: &KeyFolder,
) -> Result<Option<Signed>, SignError> {
    match store.followed(stream)?.is_some() {
        true => Ok(None),
        false => Ok(keys.last_signed(stream, named)?),
    }
}

/// What is wrong between a log and the last checkpoint that was signed here: the log does not begin
/// with its records, and does not say that they were lost.
///
/// # Errors
/// Where that checkpoint cannot be read.
pub(crate) fn holds_against_signed(
    store: &Store,
    history: &History,
    keys: &KeyFolder,
) -> Result<(), SignError> {
    match noted(store, history.stream(), &named(history), keys)? {
        Some(noted) => extends_or_parted(history, &noted, keys),
        None => Ok(()),
    }
}

/// As [`extends`]; a history that was signed on this machine before it followed the desk anew is said to be that.
fn extends_or_parted(
    history: &History,
    signed: &Signed,
    keys: &KeyFolder,
) -> Result<(), SignError> {
    extends(history, signed).map_err(|error| {
        let parted = keys.parted(history.stream());
        match parted.iter().any(|before| history.begins_with(&before.checkpoint)) {
            true => SignError::Parted { size: history.size() },
            false => error,
        }
    })
}

/// Has a laptop that was set up anew to follow the desk go on from what the desk signed: where the log, which is the
/// desk's, is not the one that was signed here last, as after the two parted, the last checkpoint that is kept of the
/// desk takes the place of that one, which stays beside it. A third history is signed by nobody so.
///
/// # Errors
/// Where something cannot be read or written.
pub fn go_on_from_desk(store: &Store, stream: StreamId, keys: &KeyFolder) -> Result<(), SignError> {
    let history = History::read(store.log(), stream).map_err(StoreError::from)?;
    let Some(noted) = noted(store, stream, &named(&history), keys)? else { return Ok(()) };
    if extends(&history, &noted).is_ok() {
        return Ok(());
    }
    // A damaged one is named by `verify`.
    let (kept, _) = read_kept(&store.checkpoints(stream)?);
    let is_desks = |signed: &&Signed| {
        history.begins_with(&signed.checkpoint) && !history.signed_by(signed).is_empty()
    };
    let last = kept.iter().filter(is_desks).max_by_key(|signed| signed.checkpoint.size);
    Ok(keys.note_instead(&noted, last)?)
}

/// As [`holds_against_signed`], for whoever has recorded something: where the record that was the last
/// one then is there, no other is read.
///
/// # Errors
/// As [`holds_against_signed`], and where the log cannot be read.
pub fn goes_on_from_signed(
    store: &Store,
    stream: StreamId,
    named: &[PublicKey],
    keys: &KeyFolder,
) -> Result<(), SignError> {
    let Some(noted) = noted(store, stream, named, keys)? else { return Ok(()) };
    let (size, head) = (noted.checkpoint.size, noted.checkpoint.head);
    let first = store.log().read(stream, size.saturating_sub(1)).next();
    let found = first.transpose().map_err(StoreError::from)?;
    match found.is_some_and(|record| record.header().seq == size && record.hash() == head) {
        true => Ok(()),
        false => {
            let history = History::read(store.log(), stream).map_err(StoreError::from)?;
            extends_or_parted(&history, &noted, keys)
        }
    }
}

/// Whether a log begins with the records of a checkpoint, or says that they were lost.
fn extends(history: &History, signed: &Signed) -> Result<(), SignError> {
    let (known, size) = (&signed.checkpoint, history.size());
    if history.begins_with(known) || history.lost(known.size, &known.root).is_some() {
        return Ok(());
    }
    Err(match known.size > size {
        true => SignError::Shorter { known: known.size, size },
        false => SignError::Forked { known: known.size },
    })
}

/// Signs the first `size` records of a log as far as `public` shows it, which `whole` has read, for somebody else: it
/// is not kept here, but whoever restores this store is held to it.
///
/// # Errors
/// As [`next`], and where something cannot be read or the log is not the one that was signed here.
pub fn sign_for_others(
    (store, public): (&Store, &Store),
    (whole, size): (&History, u64),
    kept: &[Signed],
    keys: &KeyFolder,
) -> Result<Signed, SignError> {
    let (stream, named) = (whole.stream(), named(whole));
    goes_on_from_signed(store, stream, &named, keys)?;
    let mut part = History::new(stream);
    if size != whole.size() {
        let count = usize::try_from(size).unwrap_or(usize::MAX);
        for read in public.log().read(stream, 0).take(count) {
            part.add(&read.map_err(StoreError::from)?);
        }
    }
    let history = if size == whole.size() { whole } else { &part };
    let kept: Vec<Signed> =
        kept.iter().filter(|signed| signed.checkpoint.size <= size).cloned().collect();
    let signed = next(history, &kept, keys)?;
    let noted = keys.last_signed(stream, &named)?;
    if noted.is_none_or(|noted| noted.checkpoint.size < size) {
        keys.note_signed(stream, &signed);
    }
    Ok(signed)
}

/// The checkpoint of a log as it stands: the last one where nothing was recorded since, else a new
/// one. A change of the signer that no checkpoint covers yet is signed by the replaced key too,
/// where that is at hand and not retired.
///
/// # Errors
/// Where the key is missing, or the log does not extend one of the checkpoints.
pub fn next(history: &History, kept: &[Signed], keys: &KeyFolder) -> Result<Signed, SignError> {
    let size = history.size();
    let mut from = 0;
    // Each of them, not only the last: the newest may have been signed on a copy that went another way.
    for signed in kept {
        let known = &signed.checkpoint;
        if history.begins_with(known) {
            from = from.max(known.size);
        } else if !history.signed_by(signed).is_empty() {
            extends(history, signed)?;
        }
        // Any other is a damaged one, or a line that somebody put there: `verify` names it.
    }
    let checkpoint = history.checkpoint(size).ok_or(SignError::Empty)?;
    let signer = history.signer(size).ok_or(SignError::NoSigner)?;
    // A line that somebody put there is not handed out.
    let is_ours = |last: &&Signed| last.checkpoint == checkpoint && last.is_signed_by(&signer);
    if let Some(last) = kept.iter().rev().filter(|_| from == size).find(is_ours) {
        return Ok(last.clone());
    }
    if let Some((seq, _)) = history.retired(&signer, size) {
        return Err(SignError::Retired { key: signer, seq });
    }
    let own = keys.get(&signer)?;
    let own = own.ok_or(SignError::NoKey { key: signer, folder: keys.shown() })?;
    let mut signing: Vec<Key> = Vec::new();
    for key in history.replaced(from) {
        let known = key == signer || signing.iter().any(|other| other.public() == key);
        if known || history.retired(&key, size).is_some() {
            continue;
        }
        signing.extend(keys.get(&key)?);
    }
    // A note has only so many signatures; the latest keys are those that are still known.
    signing.drain(..signing.len().saturating_sub(MAX_SIGNATURES - 1));
    signing.push(own);
    Ok(checkpoint.sign(signing.iter().map(Key::signing)))
}

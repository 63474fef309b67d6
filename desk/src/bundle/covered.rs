//! A tournament as it is given to others: with a signature over its end.

use crate::glance::Glance;
use crate::keys::KeyFolder;
use crate::sign::{SignError, kept, sign_for_others};
use crate::store::{Store, StoreError};
use scrutineer_engine::book::PrivateTexts;
use scrutineer_engine::log::Log;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::kept::{Kept, KeptError};
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;

/// A store, with a checkpoint over the end of a tournament that is over. What is recorded in one, such as that somebody
/// was forgotten, no completed round signs any more: whoever keeps a copy by its bundles took none of it.
pub struct Covered<'a> {
    public: &'a Store,
    end: Option<(StreamId, String)>,
}

impl<'a> Covered<'a> {
    /// Returns what is given of a tournament, which is what `public` shows of it. Where its key is not here, or its log
    /// is not the one that was signed here, that is what is kept: whoever checks it is told how far somebody stands
    /// for it.
    pub fn of(
        (store, public): (&Store, &'a Store),
        stream: StreamId,
        keys: &KeyFolder,
    ) -> Covered<'a> {
        let note = over_end((store, public), stream, keys).ok().flatten();
        Covered { public, end: note.map(|note| (stream, note)) }
    }
}

/// A checkpoint over the end of a tournament; none: it is still played, one that is kept stands over it, or its key is
/// not here.
fn over_end(
    (store, public): (&Store, &Store),
    stream: StreamId,
    keys: &KeyFolder,
) -> Result<Option<String>, SignError> {
    let head = public.log().head(stream).map_err(StoreError::from)?;
    let kept = kept(public, stream)?;
    let is_over_end =
        |signed: &Signed| signed.checkpoint.size == head.seq && signed.checkpoint.head == head.hash;
    if kept.iter().any(is_over_end) {
        return Ok(None);
    }
    let (state, _) = public.fold(public.log(), stream, None)?;
    let signer = state.signers().last().map(|(_, key)| keys.get(key)).transpose()?.flatten();
    // Where the key is elsewhere, as that of a copy, nothing is signed: the log is not read for it.
    if signer.is_none() || Glance::of(&state).state.is_open() {
        return Ok(None);
    }
    let whole = History::read(public.log(), stream).map_err(StoreError::from)?;
    let signed = sign_for_others((store, public), (&whole, whole.size()), &kept, keys)?;
    Ok(Some(signed.to_string()))
}

impl Kept for Covered<'_> {
    fn log(&self) -> &dyn Log {
        self.public.log()
    }

    fn books(&self) -> &dyn PrivateTexts {
        self.public.books()
    }

    fn secrets(&self, stream: StreamId) -> Result<Vec<[u8; 32]>, KeptError> {
        Kept::secrets(self.public, stream)
    }

    fn announced(&self, stream: StreamId) -> Result<Vec<AnnouncedTable>, KeptError> {
        Kept::announced(self.public, stream)
    }

    fn announced_unread(&self, stream: StreamId) -> Result<usize, KeptError> {
        Kept::announced_unread(self.public, stream)
    }

    fn checkpoints(&self, stream: StreamId) -> Result<Vec<String>, KeptError> {
        let mut notes = Kept::checkpoints(self.public, stream)?;
        let end = self.end.iter().filter(|(of, _)| *of == stream);
        notes.extend(end.map(|(_, note)| note.clone()));
        Ok(notes)
    }
}

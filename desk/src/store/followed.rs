//! What a store remembers of a tournament that is a copy: where it is kept, and that its log went on in
//! another way there than it was signed.

use super::{Beside, Store, StoreError, again};
use scrutineer_engine::files::{Room, SideFile};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::kept::KeptError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The longest file of a copy, in bytes: room for the digests of 900,000 texts that stay forgotten.
const LONGEST: u64 = 64 << 20;

/// What is remembered of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Followed {
    /// Where it is kept, or who sends it; empty: it is followed nowhere, and came in as a bundle.
    pub from: String,
    /// The public key that somebody named, in hexadecimal digits; none: the tournament's first one.
    pub key: Option<String>,
    /// How many records the checkpoint stands for that only leads to the next one.
    pub passing: Option<u64>,
    /// What it is called where it is run, as was told last; none: nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// That two histories were signed.
    pub forked: Option<Fork>,
    /// Texts that stay forgotten, by the digests of their commitments: the log said so in whose place this one
    /// was begun.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub forgotten: BTreeSet<String>,
}

/// What stands before the name of a venue that pushes.
const PUSHED: &str = "pushed by ";

impl Followed {
    /// Returns how the source of a copy is called that a venue of this name pushes.
    pub fn pushed_by(name: &str) -> String {
        format!("{PUSHED}{name}")
    }

    /// Returns whether a venue pushes it.
    pub fn is_pushed(&self) -> bool {
        self.from.starts_with(PUSHED)
    }

    /// Returns whose it is: the name of the venue that pushes it, or where it is run.
    pub fn whose(&self) -> &str {
        self.from.strip_prefix(PUSHED).unwrap_or(&self.from)
    }
}

/// Another history of a tournament than the one that is kept here, signed by a key of the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The first event that is another one; none: nobody gave the other records.
    pub seq: Option<u64>,
    /// How many records were kept here when that was learned.
    pub kept: u64,
    /// Whether the key that signed the other history also signed this one.
    pub is_same_key: bool,
    /// The checkpoint of the other history, which proves it beside those that are kept.
    pub checkpoint: String,
    /// The event of the other history that says that it was restored from a copy; none: it says nothing of
    /// the kind, or nobody gave its records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<u64>,
}

/// Brings what is remembered of a copy back, from whichever has it; that its log was rewritten is not
/// forgotten by one that is older.
pub(super) fn restore(sources: &[&Path], part: &Path, stream: StreamId) -> Result<(), KeptError> {
    let file = SideFile::of(Room::Followed, stream);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for source in sources {
        all.push(Beside::in_store(source).get(file, LONGEST)?);
    }
    let read = |bytes: &Vec<u8>| serde_json::from_slice::<Followed>(bytes).ok();
    all.retain(|bytes| read(bytes).is_some());
    let is_forked = |bytes: &&Vec<u8>| read(bytes).is_some_and(|it| it.forked.is_some());
    let Some(bytes) = all.iter().find(is_forked).or(all.first()) else { return Ok(()) };
    let beside = Beside::in_store(part);
    beside.files.replace(file, None, bytes).map_err(beside.failed("keep", file))
}

impl Store {
    /// Returns what is remembered of a copy; none: the tournament is run here, or came in as a bundle.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn followed(&self, stream: StreamId) -> Result<Option<Followed>, StoreError> {
        Ok(self.remembered(stream)?.filter(|known| !known.from.is_empty()))
    }

    /// Returns what is known of another history of a tournament that was signed too, however that came in.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn rewritten(&self, stream: StreamId) -> Result<Option<Fork>, StoreError> {
        Ok(self.remembered(stream)?.and_then(|known| known.forked))
    }

    /// Returns what is remembered of a tournament that is not run here.
    pub(crate) fn remembered(&self, stream: StreamId) -> Result<Option<Followed>, StoreError> {
        let beside = &self.checkpoints.0;
        let file = SideFile::of(Room::Followed, stream);
        let bytes = beside.get(file, LONGEST)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let read = serde_json::from_slice(&bytes).map_err(|error| KeptError::Beside {
            action: "read",
            file: beside.files.called(file),
            reason: error.to_string(),
        });
        Ok(Some(read?))
    }

    /// The tournaments of which something is remembered, and no log is there.
    pub(crate) fn remembered_alone(&self) -> Result<Vec<StreamId>, StoreError> {
        let streams = self.log().streams()?;
        let beside = &self.checkpoints.0;
        let file = SideFile::of_all(Room::Followed);
        let files = beside.files.list(Room::Followed, None).map_err(beside.failed("list", file))?;
        let streams_of = files.into_iter().filter_map(|(file, _)| file.stream);
        Ok(streams_of.filter(|stream| !streams.contains(stream)).collect())
    }

    /// Remembers it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep_followed(&self, stream: StreamId, followed: &Followed) -> Result<(), StoreError> {
        let beside = &self.checkpoints.0;
        let file = SideFile::of(Room::Followed, stream);
        let text = serde_json::to_vec(followed).unwrap_or_default();
        let kept = again(|| {
            let there = beside.files.get(file, LONGEST)?;
            match there.as_deref() == Some(&text[..]) {
                true => Ok(()),
                false => beside.files.replace(file, there.as_deref(), &text),
            }
        });
        Ok(kept.map_err(beside.failed("keep", file))?)
    }

    /// Keeps the checkpoint up to which a copy holds, in the place of the one that only led to it.
    pub(crate) fn keep_copied(
        &self,
        stream: StreamId,
        passing: Option<u64>,
        note: &str,
    ) -> Result<(), StoreError> {
        let _turn = self.turn_to_sign()?;
        Ok(self.checkpoints.keep_instead(stream, passing, note)?)
    }

    /// Refuses to record anything in a copy.
    ///
    /// # Errors
    /// [`StoreError::IsCopy`].
    pub fn check_own(&self, stream: StreamId) -> Result<(), StoreError> {
        match self.followed(stream)? {
            Some(Followed { from, .. }) => Err(StoreError::IsCopy { from }),
            None => Ok(()),
        }
    }
}

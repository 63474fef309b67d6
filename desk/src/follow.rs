//! A verified copy of a tournament: what its log has behind an event, given with a signed checkpoint over
//! the last of it, and taken in where all of it holds.

use crate::bundle::{Appending, ImportError, Imported, Signatures, append_up_to, import};
use crate::keys::KeyFolder;
use crate::sign::sign_for_others;
use crate::signed::is_carried_on;
use crate::store::{Followed, Fork, Store, StoreError};
use crate::verb_error::VerbError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::event_of;
use scrutineer_engine::record::{Chain, ChainError, Record, RecordHash, StreamId};
use scrutineer_projections::counted;
use scrutineer_replay::bundle::{Checked, Held};
use scrutineer_replay::trust::attested::attested;
use scrutineer_replay::trust::check::read_kept;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::{PublicKey, fingerprint};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many bytes of records are given at once, where a checkpoint can be had so early.
const AT_ONCE: usize = 1 << 20;

/// Whether a checkpoint that stands over this stays in a copy, and does not only lead to the next one.
const fn stays(event: &Event) -> bool {
    matches!(
        event,
        Event::RoundCompleted(_)
            | Event::StandingsAnnounced(_)
            | Event::TournamentClosed(_)
            | Event::SignerChanged(_)
            | Event::KeyRetired(_)
            | Event::LogRestored(_)
    )
}

/// What a log has behind an event, with a checkpoint over the last of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LogPart {
    /// The signed checkpoint, as docs/FORMAT.md has it.
    pub checkpoint: String,
    /// The records behind the event, in whole commands, each in base64.
    pub records: Vec<String>,
    /// The checkpoint of another history that was signed too, where a copy is given whose log was rewritten
    /// where it is run; null: there is none.
    #[serde(default)]
    pub other: Option<String>,
    /// The event of that other history that says that it was restored from a copy; null: it says nothing of
    /// the kind, or nobody gave its records.
    #[serde(default)]
    pub other_restored: Option<u64>,
}

/// What was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// How many records are new.
    pub new: u64,
    /// How many there are now.
    pub size: u64,
}

scrutineer_engine::errors! {
    /// Why a part of a log is not taken into a copy.
    pub enum FollowError -> Option<&'static str> {
        /// The store cannot be read or written.
        Store(#[from] StoreError) => (error) error.code(), "{0}", error.hint();
        /// It is not what was asked for.
        NotRead(String) = damaged "copy-not-taken",
            "what was sent does not follow the log that is kept here: {0}",
            Some("it is asked for again; if it stays so, tell those who serve it");
        /// Nobody whom the copy knows stands for it.
        NotSigned { key: Option<PublicKey>, size: u64 } = refused "not-signed",
            ["{}", not_signed(*.key, *.size)],
            Some("ask the organizer which key signs, and name it: --key <key>");
        /// Two histories were signed.
        Forked(Box<Fork>) => (fork) fork.code(), "{0}", Some(fork.hint());
    }
}

impl From<scrutineer_engine::log::LogError> for FollowError {
    fn from(error: scrutineer_engine::log::LogError) -> FollowError {
        StoreError::from(error).into()
    }
}

impl Fork {
    /// Returns the code of what it says.
    pub fn code(&self) -> Code {
        match self.is_same_key && !self.is_said() {
            true => Code::refused("log-re-signed"),
            false => Code::refused("log-forked"),
        }
    }

    fn hint(&self) -> &'static str {
        match self.is_said() {
            true => {
                "keep this store: that checkpoint is kept in it, and is held against what comes. Follow the \
                 tournament where it is run, too: then the difference itself is here"
            }
            false => {
                "keep this store: what is in it proves it, with the checkpoint beside it. Show it to the \
                 publisher, and not only to whoever runs the tournament. What differs: follow the other \
                 history into another --store, `export` both, and `diff` the two bundles"
            }
        }
    }

    /// Whether only somebody who has a copy says so: the other checkpoint stands over more records than were kept
    /// here, so that nothing here contradicts it yet.
    pub fn is_said(&self) -> bool {
        self.seq.is_none() && self.size() > self.kept
    }

    /// How many records its checkpoint stands over.
    fn size(&self) -> u64 {
        Signed::read(self.checkpoint.as_bytes()).map_or(0, |signed| signed.checkpoint.size)
    }
}

impl std::fmt::Display for Fork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let by = match self.is_same_key {
            true => "the key that signed what is kept here signed that too",
            false => "another key of the tournament signed that",
        };
        match (self.is_said(), self.seq) {
            (true, _) => write!(
                f,
                "the log of this tournament was rewritten, says the server that has a copy of it: a key of the \
                 tournament signed another history of {} too. What it gave alone does not prove it; the first \
                 {} are kept here as they were",
                counted(self.size(), "event"),
                counted(self.kept, "event")
            )?,
            (false, Some(seq)) => write!(
                f,
                "the log of this tournament was rewritten: event {seq} is another one there than here, and {by}"
            )?,
            (false, None) => write!(
                f,
                "the log of this tournament was rewritten: it is not the log whose first {} events are kept \
                 here, and {by}",
                self.kept
            )?,
        }
        match (self.restored, self.seq) {
            (Some(restored), Some(_)) => write!(
                f,
                "; event {restored} of it says that it was restored from a copy, so a disk may have failed"
            ),
            (Some(restored), None) => write!(
                f,
                "; event {restored} of it, says the server that told of it, says that it was restored from a copy"
            ),
            (None, _) => Ok(()),
        }
    }
}

fn not_signed(key: Option<PublicKey>, size: u64) -> String {
    match key {
        Some(key) => {
            format!("the key {} does not stand for the log of {size} events", fingerprint(&key))
        }
        None => "the tournament names no key, so nobody stands for its log".to_string(),
    }
}

impl From<FollowError> for VerbError {
    fn from(error: FollowError) -> VerbError {
        let (code, message) = (error.code(), error.to_string());
        VerbError { code, message, hint: error.hint().map(Into::into) }
    }
}

impl From<ImportError> for FollowError {
    fn from(error: ImportError) -> FollowError {
        match error {
            ImportError::Store(error) => error.into(),
            other => not_read(other),
        }
    }
}

fn not_read(why: impl std::fmt::Display) -> FollowError {
    FollowError::NotRead(why.to_string())
}

/// Returns what a log has behind its first `after` records, as far as `public` shows it: 1 MiB or a
/// little more. Where the key is at hand a checkpoint is signed over the last of it; otherwise it ends with
/// a checkpoint that is kept.
///
/// # Errors
/// Where the log cannot be read, is not the one that was signed here, or nothing was signed.
pub fn part_behind(
    (store, public): (&Store, &Store),
    stream: StreamId,
    after: u64,
    keys: &KeyFolder,
) -> Result<LogPart, VerbError> {
    let kept = crate::sign::kept(public, stream)?;
    let whole = History::read(public.log(), stream).map_err(StoreError::from)?;
    let signer = whole.signer(whole.size());
    let signs = match &signer {
        Some(signer) => keys.get(signer)?.is_some() && whole.retired(signer, u64::MAX).is_none(),
        None => false,
    };
    let (mut records, mut bytes, mut end) = (Vec::new(), 0, (0, after.min(whole.size())));
    for read in public.log().read(stream, end.1) {
        let record = read.map_err(StoreError::from)?;
        let seq = record.header().seq;
        bytes += record.bytes().len();
        records.push(STANDARD.encode(record.bytes()));
        let is_end = match signs {
            true => record.ends_command(),
            false => kept.iter().any(|signed| signed.checkpoint.size == seq),
        };
        if is_end {
            end = (records.len(), seq);
            if bytes >= AT_ONCE {
                break;
            }
        }
    }
    records.truncate(end.0);
    let signed = match signs && end.1 > 0 {
        true => sign_for_others((store, public), (&whole, end.1), &kept, keys)?,
        false => {
            let last = kept.into_iter().rfind(|signed| signed.checkpoint.size <= end.1.max(after));
            last.ok_or_else(|| {
                let hint =
                    "completed rounds are signed where the key is; the owner signs at any time";
                VerbError::new(Code::refused("nothing-signed"), "nothing was signed yet", hint)
            })?
        }
    };
    let other = store.rewritten(stream)?;
    let other_restored = other.as_ref().and_then(|fork| fork.restored);
    let other = other.map(|fork| fork.checkpoint);
    Ok(LogPart { checkpoint: signed.to_string(), records, other, other_restored })
}

/// What was sent, read.
struct Sent {
    signed: Signed,
    records: Vec<Record>,
}

impl Sent {
    fn read(stream: StreamId, part: &LogPart) -> Result<Sent, FollowError> {
        let signed = Signed::read(part.checkpoint.as_bytes()).map_err(not_read)?;
        if signed.checkpoint.stream != stream {
            return Err(not_read("its checkpoint is of another tournament"));
        }
        let record = |text: &String| {
            let bytes = STANDARD.decode(text).map_err(not_read)?;
            Record::read(&bytes).map_err(not_read)
        };
        let records = part.records.iter().map(record).collect::<Result<_, _>>()?;
        Ok(Sent { signed, records })
    }
}

/// Brings a bundle into a store, as [`import`] does. Where it is another history of a tournament that is not run
/// here, and both were signed, that is remembered as of a copy that is followed.
///
/// # Errors
/// As [`import`].
pub fn bring_in(
    store: &Store,
    keys: &KeyFolder,
    bundle: &mut Held,
    signatures: Signatures,
) -> Result<Imported, ImportError> {
    let differ = match import(store, bundle, signatures) {
        Err(ImportError::Parted { differ }) => differ,
        brought => return brought,
    };
    let bundle = bundle.checked();
    let Some(stream) = bundle.stream else { return Err(ImportError::Parted { differ }) };
    let (_, state) = store.handler().load(stream).map_err(StoreError::from)?;
    let fork = match is_carried_on(keys, store, stream, &state)? {
        true => None,
        false => Copy::parted_from(store, stream, bundle)?,
    };
    Err(match fork {
        Some(fork) => ImportError::Rewritten { fork: Box::new(fork), differ },
        None => ImportError::Parted { differ },
    })
}

/// A copy that is kept in a store.
pub struct Copy<'a> {
    store: &'a Store,
    followed: Followed,
    history: History,
}

impl<'a> Copy<'a> {
    /// The copy of a tournament as it is kept; a new one is empty, and remembers where it is kept and which
    /// key somebody named.
    ///
    /// # Errors
    /// `run-here` where the tournament is run here, and where the store cannot be read.
    pub fn of(
        store: &'a Store,
        stream: StreamId,
        from: &str,
        key: Option<PublicKey>,
    ) -> Result<Copy<'a>, VerbError> {
        let history = History::read(store.log(), stream).map_err(StoreError::from)?;
        let known = store.followed(stream)?;
        if known.is_none() && history.size() > 0 {
            let message =
                "this store has the tournament, and not as a copy that follows another one";
            let hint = "follow it into a store of its own: --store copies";
            return Err(VerbError::new(Code::conflict("run-here"), message, hint));
        }
        let mut followed = known.unwrap_or_default();
        followed.from = from.to_string();
        if let Some(key) = key {
            followed.key = Some(scrutineer_engine::record::to_hex(&key));
        }
        Ok(Copy { store, followed, history })
    }

    /// Names the event from which another history is another one, where only its checkpoint was seen, as that of
    /// a log that is shorter than the copy: `part` is of that history, from whatever event on. Returns what is
    /// remembered of it now, and whether nothing is missing any more.
    ///
    /// # Errors
    /// Where the store cannot be read or written.
    pub fn name_parting(
        store: &'a Store,
        stream: StreamId,
        part: &LogPart,
    ) -> Result<Option<(Fork, bool)>, FollowError> {
        let mut followed = store.remembered(stream)?.unwrap_or_default();
        let Some(mut fork) = followed.forked.clone() else { return Ok(None) };
        if fork.seq.is_some() {
            return Ok(Some((fork, true)));
        }
        let history = History::read(store.log(), stream)?;
        let sent = Sent::read(stream, part)?;
        let heard = fork.restored.is_none().then_some(part.other_restored).flatten();
        let mut copy = Copy { store, followed: followed.clone(), history };
        if let Some(seq) = copy.other_event(&sent.signed, &sent.records)? {
            return match copy.fork(Some(seq), &sent.signed, &sent.records) {
                FollowError::Forked(fork) => Ok(Some((*fork, true))),
                error => Err(error),
            };
        }
        if heard.is_some() {
            fork.restored = heard;
            followed.forked = Some(fork.clone());
            store.keep_followed(stream, &followed)?;
        }
        Ok(Some((fork, false)))
    }

    /// Remembers that a bundle holds another history of a tournament that is not run here, where a key of the
    /// tournament signed both from the event on that is another one. None: it signed one of them.
    ///
    /// # Errors
    /// Where the store cannot be read or written.
    fn parted_from(
        store: &'a Store,
        stream: StreamId,
        bundle: &Checked,
    ) -> Result<Option<Fork>, StoreError> {
        let Some((other, signed)) = bundle.log() else { return Ok(None) };
        let followed = store.remembered(stream)?.unwrap_or_default();
        let mut copy = Copy { store, followed, history: History::read(store.log(), stream)? };
        let Some(seq) = copy.first_other(other, 1) else { return Ok(None) };
        let over = |of: &History, signed: &Signed| {
            let (is_ours, checkpoint) = (copy.is_ours(signed), &signed.checkpoint);
            is_ours && checkpoint.size >= seq && of.begins_with(checkpoint)
        };
        let (kept, _) = read_kept(&store.checkpoints(stream)?);
        let signed = signed.iter().find(|signed| over(other, signed));
        let Some(signed) = signed.filter(|_| kept.iter().any(|kept| over(&copy.history, kept)))
        else {
            return Ok(None);
        };
        let restored = other.restored().iter().map(|(at, _)| *at).find(|at| *at >= seq);
        copy.note(Fork { seq: Some(seq), restored, ..copy.fork_of(signed) }).map(Some)
    }

    /// Returns what is known of another history that was signed too, where it is proved.
    pub fn forked(&self) -> Option<&Fork> {
        self.followed.forked.as_ref().filter(|fork| !fork.is_said())
    }

    /// Remembers what the tournament is called where it is run.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn called(&mut self, title: &str) -> Result<(), StoreError> {
        if self.size() == 0 || self.followed.title.as_deref() == Some(title) {
            return Ok(());
        }
        self.followed.title = Some(title.to_string());
        self.store.keep_followed(self.history.stream(), &self.followed)
    }

    /// Returns how many records are kept.
    pub fn size(&self) -> u64 {
        self.history.size()
    }

    /// Returns the hash of the last record that is kept.
    fn last(&self) -> RecordHash {
        let last = self.history.checkpoint(self.size());
        last.map_or(RecordHash::ZERO, |last| last.head)
    }

    /// The key that has to stand for everything: the one that was named, or the first of the log.
    fn key(&self, history: &History) -> Option<PublicKey> {
        let named = self.followed.key.as_deref().and_then(scrutineer_engine::record::from_hex);
        named.or_else(|| history.signers().first().map(|(_, key)| *key))
    }

    fn is_signed(&self, history: &History, signed: &Signed) -> Result<(), FollowError> {
        let size = signed.checkpoint.size;
        let key = self.key(history);
        let not = FollowError::NotSigned { key, size };
        let Some(key) = key else { return Err(not) };
        let (mut kept, _) = read_kept(&self.store.checkpoints(history.stream())?);
        kept.push(signed.clone());
        match attested(history, &kept, &key).size >= Some(size) {
            true => Ok(()),
            false => Err(not),
        }
    }

    /// Whether a key that stands for what is kept here signed this: then it is one of two histories.
    fn is_ours(&self, signed: &Signed) -> bool {
        let named = self.key(&self.history).is_some_and(|key| signed.is_signed_by(&key));
        named || !self.history.signed_by(signed).is_empty()
    }

    /// Remembers that two histories were signed.
    fn fork(&mut self, seq: Option<u64>, signed: &Signed, records: &[Record]) -> FollowError {
        let behind = |record: &&Record| seq.is_some_and(|seq| record.header().seq >= seq);
        let restores = |record: &&Record| matches!(event_of(record), Ok(Event::LogRestored(_)));
        let restored = records.iter().filter(behind).find(restores);
        let restored = restored.map(|record| record.header().seq);
        self.remember(Fork { seq, restored, ..self.fork_of(signed) })
    }

    /// That another history was signed with this checkpoint, of whose records nobody gave any.
    fn fork_of(&self, signed: &Signed) -> Fork {
        let (kept, last) = (self.size(), self.history.signer(self.size()));
        let is_same_key = last.is_some_and(|key| signed.is_signed_by(&key));
        let checkpoint = signed.to_string();
        Fork { seq: None, kept, is_same_key, checkpoint, restored: None }
    }

    /// Remembers that two histories were signed, and gives what is known of it now.
    fn note(&mut self, fork: Fork) -> Result<Fork, StoreError> {
        // What names the event is not forgotten for what does not.
        let known = self.forked().filter(|known| known.seq.is_some() || fork.seq.is_none());
        let fork = known.cloned().unwrap_or(fork);
        self.followed.forked = Some(fork.clone());
        self.store.keep_followed(self.history.stream(), &self.followed)?;
        Ok(fork)
    }

    fn remember(&mut self, fork: Fork) -> FollowError {
        match self.note(fork) {
            Ok(fork) => FollowError::Forked(Box::new(fork)),
            Err(error) => error.into(),
        }
    }

    /// Holds what was only said of another history against what came since: it is that history, and nothing
    /// is said of it any more, or it is another one, which is proved now.
    fn hold_said(&mut self) -> Result<(), FollowError> {
        let said = self.followed.forked.clone().filter(Fork::is_said);
        let Some(said) = said else { return Ok(()) };
        let signed = Signed::read(said.checkpoint.as_bytes()).map_err(not_read)?;
        if signed.checkpoint.size > self.size() {
            return Ok(());
        }
        match self.history.begins_with(&signed.checkpoint) {
            true => {
                self.followed.forked = None;
                Ok(self.store.keep_followed(self.history.stream(), &self.followed)?)
            }
            false => Err(self.remember(Fork { restored: said.restored, ..self.fork_of(&signed) })),
        }
    }

    fn keep(&mut self, signed: &Signed, stays: bool) -> Result<(), FollowError> {
        let (stream, passing) = (self.history.stream(), self.followed.passing);
        self.store.keep_copied(stream, passing, &signed.to_string())?;
        self.followed.passing = (!stays).then_some(signed.checkpoint.size);
        Ok(self.store.keep_followed(stream, &self.followed)?)
    }

    /// Takes in what stands behind what is kept, where all of it holds: the chain, the signature of whoever
    /// stands for the log, and that each command is legal. What is kept already is passed over, so parts
    /// may come twice or late. That another history was signed too is held against what is kept then.
    ///
    /// # Errors
    /// Where it does not hold, and [`FollowError::Forked`] where two histories are proved. `None` is answered
    /// where records may be another history's: it is proved by those that come before them.
    pub fn take(&mut self, part: &LogPart) -> Result<Option<Taken>, FollowError> {
        let taken = self.take_records(part)?;
        self.hold_said()?;
        match &part.other {
            Some(other) if taken.is_some_and(|taken| taken.new == 0) => {
                self.hear(other, part.other_restored).map(|()| taken)
            }
            _ => Ok(taken),
        }
    }

    /// Holds the checkpoint of another history, of which somebody else says that it was signed too, against
    /// what is kept: over as many records as these or fewer it proves it, and over more it is kept until they
    /// come.
    fn hear(&mut self, other: &str, restored: Option<u64>) -> Result<(), FollowError> {
        let signed = Signed::read(other.as_bytes()).map_err(not_read)?;
        let is_of = signed.checkpoint.stream == self.history.stream();
        if !is_of || !self.is_ours(&signed) {
            return Err(not_read(
                "the other history of which it tells is signed by nobody known here",
            ));
        }
        match self.history.begins_with(&signed.checkpoint) {
            true => Ok(()),
            false => Err(self.remember(Fork { restored, ..self.fork_of(&signed) })),
        }
    }

    fn take_records(&mut self, part: &LogPart) -> Result<Option<Taken>, FollowError> {
        let stream = self.history.stream();
        let Sent { signed, records } = Sent::read(stream, part)?;
        let (kept, size) = (self.size(), signed.checkpoint.size);
        if size <= kept {
            return match self.history.begins_with(&signed.checkpoint) {
                true => {
                    // The records came in, and a power cut before their checkpoint did.
                    let (has, _) = read_kept(&self.store.checkpoints(stream)?);
                    if size == kept && has.iter().all(|has| has.checkpoint.size < size) {
                        self.is_signed(&self.history, &signed)?;
                        self.keep(&signed, true)?;
                        self.store.make_announced(stream)?;
                    }
                    Ok(Some(Taken { new: 0, size: kept }))
                }
                false if self.is_ours(&signed) => {
                    let seq = self.other_event(&signed, &records)?;
                    Err(self.fork(seq, &signed, &records))
                }
                false => Err(FollowError::NotSigned { key: self.key(&self.history), size }),
            };
        }
        let mut chain = Chain::after(stream, kept, self.last());
        let mut history = self.history.clone();
        let is_new = |record: &&Record| record.header().seq > kept;
        let new: Vec<Record> = records.iter().filter(is_new).cloned().collect();
        for record in &new {
            match chain.follows(record) {
                Ok(()) => history.add(record),
                Err(ChainError::Unlinked { seq, .. })
                    if seq == kept + 1 && self.is_ours(&signed) =>
                {
                    return match self.other_event(&signed, &records)? {
                        Some(seq) => Err(self.fork(Some(seq), &signed, &records)),
                        None => Ok(None),
                    };
                }
                Err(error) => return Err(not_read(error)),
            }
        }
        if history.checkpoint(size) != Some(signed.checkpoint) || history.size() != size {
            return Err(not_read("its checkpoint does not stand over the last of its records"));
        }
        self.is_signed(&history, &signed)?;
        // Before the first record: nobody records in what is half a copy.
        self.store.keep_followed(stream, &self.followed)?;
        let (mut last, mut does_stay, mut is_announced, mut forgets) = (0, false, false, false);
        for record in &new {
            let event = event_of(record).map_err(not_read)?;
            does_stay |= stays(&event);
            is_announced |= matches!(event, Event::StandingsAnnounced(_));
            forgets |= matches!(event, Event::TextsForgotten(_));
            let words = event.commitments().into_iter().map(|(_, words)| words.number);
            last = words.max().unwrap_or(0).max(last);
        }
        append_up_to(self.store, stream, Vec::new(), last)?;
        let count = new.len() as u64;
        let head = self.store.log().head(stream)?;
        let mut appending = Appending::after(self.store.log(), head);
        for record in new {
            appending.record(record)?;
        }
        if forgets {
            // A bundle may have brought names in beside the copy.
            self.store.finish_forgetting(stream)?;
        }
        self.history = history;
        self.keep(&signed, does_stay)?;
        if is_announced {
            self.store.make_announced(stream)?;
        }
        Ok(Some(Taken { new: count, size }))
    }

    /// Returns the first event that is another one in what was sent, where it goes on from records that are
    /// kept here and a checkpoint of the tournament's stands over the last of it.
    fn other_event(&self, signed: &Signed, records: &[Record]) -> Result<Option<u64>, FollowError> {
        let stream = self.history.stream();
        let before = records.first().map_or(0, |first| first.header().seq.saturating_sub(1));
        if before >= self.size() || !self.is_ours(signed) {
            return Ok(None);
        }
        let (mut chain, mut other) = (Chain::new(stream), History::new(stream));
        for read in self.store.log().read(stream, 0).take(usize::try_from(before).unwrap_or(0)) {
            let record = read?;
            chain.follows(&record).map_err(not_read)?;
            other.add(&record);
        }
        for record in records {
            if chain.follows(record).is_err() {
                return Ok(None);
            }
            other.add(record);
        }
        if other.checkpoint(other.size()) != Some(signed.checkpoint) {
            return Ok(None);
        }
        Ok(self.first_other(&other, before + 1))
    }

    /// Returns the first event, from one on, that is another one than here.
    fn first_other(&self, other: &History, from: u64) -> Option<u64> {
        let root = |of: &History, seq| of.tree().root_at(seq);
        let is_other = |seq: &u64| root(&self.history, *seq) != root(other, *seq);
        (from..=other.size().min(self.size())).find(is_other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Key;
    use crate::kit::{FIRST, Hall, THIRD, first_result, history, rechained, swapped_result};
    use crate::sign::goes_on_from_signed;

    fn sent(records: &[Record], secret: [u8; 32], after: usize) -> LogPart {
        let seen = history(records);
        let checkpoint = seen.checkpoint(seen.size()).expect("whole");
        let checkpoint = checkpoint.sign([Key::from_secret(&secret).signing()]).to_string();
        let encoded = records[after..].iter().map(|record| STANDARD.encode(record.bytes()));
        LogPart { checkpoint, records: encoded.collect(), other: None, other_restored: None }
    }

    /// Takes a part into the copy of a store.
    fn take(hall: &Hall, store: &Store, part: &LogPart) -> Result<Option<u64>, String> {
        let copy = Copy::of(store, hall.stream, "elsewhere", None);
        let mut copy = copy.map_err(|error| error.code.word.to_string())?;
        let taken = copy.take(part).map_err(|error| error.code().word.to_string())?;
        Ok(taken.map(|taken| taken.new))
    }

    fn is(code: &str) -> Result<Option<u64>, String> {
        Err(code.to_string())
    }

    #[test]
    fn what_comes_twice_late_or_cut_off_changes_nothing() {
        let (hall, store) = (Hall::new(), Store::in_memory());
        let all = hall.records();
        let first = all.iter().position(Record::ends_command).expect("an end") + 1;
        let early = sent(&all[..first], FIRST, 0);
        let whole = part_behind((&hall.store, &hall.store), hall.stream, 0, &hall.keys);
        let whole = whole.expect("given");
        let mut cut = whole.clone();
        cut.records.pop();
        assert_eq!(take(&hall, &store, &cut), is("copy-not-taken"));
        let mut gap = whole.clone();
        gap.records.remove(0);
        assert_eq!(take(&hall, &store, &gap), is("copy-not-taken"));
        assert_eq!(take(&hall, &store, &whole), Ok(Some(all.len() as u64)));
        for old in [&whole, &early, &whole] {
            assert_eq!(take(&hall, &store, old), Ok(Some(0)));
        }
        let behind = part_behind((&hall.store, &hall.store), hall.stream, 5, &hall.keys);
        let behind = behind.expect("given");
        assert_eq!(
            (behind.records.len(), take(&hall, &store, &behind)),
            (all.len() - 5, Ok(Some(0)))
        );
        let kept: Vec<_> =
            store.log().read(hall.stream, 0).map(|read| read.expect("read")).collect();
        assert_eq!(kept, all);
        assert!(store.check_own(hall.stream).is_err() && hall.store.check_own(hall.stream).is_ok());
    }

    /// The page that was saved from a public server had no standings: a copy was sent no tables.
    #[test]
    fn a_copy_has_the_tables_that_were_announced() {
        let (hall, store) = (Hall::new(), Store::in_memory());
        let whole = part_behind((&hall.store, &hall.store), hall.stream, 0, &hall.keys);
        assert!(take(&hall, &store, &whole.expect("given")).is_ok());
        let [there, here] = [&hall.store, &store].map(|one| one.announced(hall.stream));
        let there = there.expect("read");
        assert!(!there.is_empty());
        assert_eq!(here.expect("read"), there);
    }

    /// A server that showed a fork in red gave its copy to followers as if nothing had happened.
    #[test]
    fn whoever_follows_a_copy_is_told_that_its_log_was_rewritten_and_can_prove_it() {
        let hall = Hall::new();
        let all = hall.records();
        let place = first_result(&all);
        let forged = rechained(&all, place, swapped_result);
        let (publisher, follower) = (Store::in_memory(), Store::in_memory());
        assert!(take(&hall, &publisher, &sent(&all, FIRST, 0)).is_ok());
        let before = part_behind((&publisher, &publisher), hall.stream, 0, &hall.keys);
        let before = before.expect("given");
        assert_eq!(before.other, None);
        assert_eq!(take(&hall, &follower, &before), Ok(Some(all.len() as u64)));
        assert_eq!(take(&hall, &publisher, &sent(&forged, FIRST, 0)), is("log-re-signed"));
        let given =
            part_behind((&publisher, &publisher), hall.stream, all.len() as u64, &hall.keys);
        let given = given.expect("given");
        assert!(given.other.is_some() && given.records.is_empty());
        assert_eq!(take(&hall, &follower, &given), is("log-re-signed"));
        let known = follower.rewritten(hall.stream).expect("read");
        assert!(known.is_some(), "it is remembered");
        // A new one has the records first, and is told then.
        let fresh = Store::in_memory();
        let whole =
            part_behind((&publisher, &publisher), hall.stream, 0, &hall.keys).expect("given");
        assert_eq!(take(&hall, &fresh, &whole), Ok(Some(all.len() as u64)));
        assert_eq!(take(&hall, &fresh, &given), is("log-re-signed"));
        // What nobody signed is no history, and one of more records is only said.
        let stranger = sent(&forged, THIRD, 0).checkpoint;
        let told = |other: String| LogPart { other: Some(other), ..given.clone() };
        let again = Store::in_memory();
        assert!(take(&hall, &again, &whole).is_ok());
        assert_eq!(take(&hall, &again, &told(stranger)), is("copy-not-taken"));
        assert_eq!(take(&hall, &again, &told(given.checkpoint.clone())), Ok(Some(0)));
    }

    /// A restored log is shorter than the copy at first: its witness was sent a checkpoint alone, and never told
    /// which event is another one, nor that the log says itself why.
    #[test]
    fn where_a_shorter_log_is_another_one_is_named_once_its_records_are_there() {
        let (hall, witness) = (Hall::new(), Store::in_memory());
        let all = hall.records();
        let place = first_result(&all);
        assert!(take(&hall, &witness, &sent(&all, FIRST, 0)).is_ok());
        let forged = rechained(&all, place, swapped_result);
        let ends = forged[place as usize..].iter().position(Record::ends_command).expect("an end");
        let shorter = &forged[..place as usize + ends + 1];
        assert_eq!(
            take(&hall, &witness, &sent(shorter, FIRST, shorter.len())),
            is("log-re-signed")
        );
        let named = |part: &LogPart| {
            Copy::name_parting(&witness, hall.stream, part).expect("read").expect("known")
        };
        let (fork, is_named) = named(&sent(&all, FIRST, 0));
        assert_eq!((fork.seq, is_named), (None, false), "the same records name nothing");
        let (fork, is_named) = named(&sent(shorter, FIRST, 0));
        assert_eq!((fork.seq, is_named), (Some(place), true));
        let known = witness.rewritten(hall.stream).expect("read");
        assert_eq!(known, Some(fork));
    }

    /// A witness of a copy kept nothing of a rewritten log that was longer than its own, so that nobody could
    /// hold it against what came later.
    #[test]
    fn what_is_said_of_a_longer_rewritten_log_is_kept_and_held_against_what_comes() {
        let hall = Hall::new();
        let all = hall.records();
        let forged = rechained(&all, first_result(&all), swapped_result);
        let begun = all.iter().position(Record::ends_command).expect("an end") + 1;
        let said = |secret_of: &[Record]| LogPart {
            other: Some(sent(secret_of, FIRST, 0).checkpoint),
            other_restored: Some(7),
            ..sent(&all[..begun], FIRST, begun)
        };
        let known = |store: &Store| store.rewritten(hall.stream).expect("read");
        for (other, is_proved) in [(&forged, true), (&all, false)] {
            let witness = Store::in_memory();
            assert_eq!(
                take(&hall, &witness, &sent(&all[..begun], FIRST, 0)),
                Ok(Some(begun as u64))
            );
            for _ in 0..2 {
                assert_eq!(take(&hall, &witness, &said(other)), is("log-forked"));
            }
            let fork = known(&witness).expect("it is kept");
            assert_eq!((fork.is_said(), fork.restored), (true, Some(7)));
            let found = crate::verify::fork_of(&witness, hall.stream)
                .expect("read")
                .expect("verify names it");
            assert!(
                found.sentence.contains("says the server that has a copy of it"),
                "{}",
                found.sentence
            );
            let nobodys = KeyFolder::new(None);
            let passed = part_behind((&witness, &witness), hall.stream, begun as u64, &nobodys);
            assert!(passed.expect("given").other.is_some(), "its own followers are told");
            let rest = take(&hall, &witness, &sent(&all, FIRST, begun));
            match is_proved {
                true => assert_eq!(rest, is("log-re-signed")),
                false => assert_eq!(rest, Ok(Some((all.len() - begun) as u64))),
            }
            assert_eq!(known(&witness).map(|fork| fork.is_said()), is_proved.then_some(false));
        }
    }

    /// A witness with two copies and one folder of keys, in which there was none, was told that one of them was
    /// "signed here", and to say that the other was restored.
    #[test]
    fn of_a_copy_nothing_was_signed_here() {
        let hall = Hall::new();
        let all = hall.records();
        let forged = rechained(&all, first_result(&all), swapped_result);
        let folder = tempfile::tempdir().expect("a folder");
        let keys = KeyFolder::new(Some(folder.path().to_path_buf()));
        let noted = folder.path().join("signed");
        let copied = |records: &[Record]| {
            let store = Store::in_memory();
            assert!(take(&hall, &store, &sent(records, FIRST, 0)).is_ok());
            store
        };
        let named = [Key::from_secret(&FIRST).public()];
        let (one, other) = (copied(&all), copied(&forged));
        for store in [&one, &other] {
            crate::sign::sign(store, hall.stream, &keys).expect("the one that is kept");
            assert!(goes_on_from_signed(store, hall.stream, &named, &keys).is_ok());
        }
        assert!(!noted.exists());
        // An earlier program noted one.
        let note = sent(&all, FIRST, 0).checkpoint;
        std::fs::create_dir_all(&noted).expect("made");
        std::fs::write(noted.join(hall.stream.to_string()), note).expect("written");
        assert!(goes_on_from_signed(&other, hall.stream, &named, &keys).is_ok());
        assert!(crate::sign::sign(&other, hall.stream, &keys).is_ok());
    }

    #[test]
    fn two_histories_are_told_of_where_both_are_signed_and_nobody_can_only_claim_so() {
        let hall = Hall::new();
        let all = hall.records();
        let place = first_result(&all);
        let forged = rechained(&all, place, swapped_result);
        let some = (place..).find(|size| all[*size as usize - 1].ends_command()).expect("an end");
        let (store, kept) = (Store::in_memory(), some as usize);
        assert_eq!(take(&hall, &store, &sent(&all[..kept], FIRST, 0)), Ok(Some(some)));
        // Another one's signature, or a real one over other records, proves nothing.
        assert_eq!(take(&hall, &store, &sent(&forged, THIRD, 0)), is("copy-not-taken"));
        let genuine = sent(&all, FIRST, kept).checkpoint;
        for after in [0, kept] {
            let made_up = LogPart { checkpoint: genuine.clone(), ..sent(&forged, FIRST, after) };
            assert_eq!(take(&hall, &store, &made_up), Ok(None), "{after}");
        }
        // What does not begin with what is kept is asked for from its beginning, which proves it.
        let resigned = |after| sent(&forged, FIRST, after);
        assert_eq!(take(&hall, &store, &resigned(kept)), Ok(None));
        assert_eq!(take(&hall, &store, &resigned(0)), is("log-re-signed"));
        let fork = store.rewritten(hall.stream).expect("read");
        let fork = fork.expect("remembered");
        assert_eq!((fork.seq, fork.kept, fork.is_same_key), (Some(place), some, true));
        // It stays so. What was signed first goes on here, and what is not that does not.
        assert_eq!(take(&hall, &store, &resigned(0)), is("log-re-signed"));
        let rest = (all.len() - kept) as u64;
        assert_eq!(take(&hall, &store, &sent(&all, FIRST, kept)), Ok(Some(rest)));
        assert_eq!(take(&hall, &store, &resigned(0)), is("log-re-signed"));
        assert_eq!(store.rewritten(hall.stream).expect("read"), Some(fork));
    }
}

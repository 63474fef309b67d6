//! What the public may know of each tournament of this server: how far, and by which policy.

use crate::house::{House, KeptShown, Policies};
use scrutineer_desk::desk::open_round;
use scrutineer_desk::glance::Glance;
use scrutineer_desk::horizon::{Horizon, published, shows_draft};
use scrutineer_desk::public::Policy;
use scrutineer_desk::store::{Given, Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{RoundNumber, Seq};
use scrutineer_engine::handler::{CommandError, read_events};
use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// How many logs that hide something are kept as far as they were read.
const MOST: usize = 256;

/// Returns whether the results of the round that is played are hidden: then nobody can tell how many are in.
pub fn hides_round(policy: &Policy, state: &Tournament) -> bool {
    last_told(policy, false, state).is_some()
}

/// Returns the last round of which everybody may know how it went, where the results of the one behind it are hidden: by the
/// policy, or since the venue of a copy says so. Of that one they know who sits where, and a bye of it would show in the standings.
pub fn last_told(policy: &Policy, is_hidden: bool, state: &Tournament) -> Option<RoundNumber> {
    let open = open_round(state)?;
    let is_hidden = policy.hidden_from.map_or(is_hidden, |from| from <= open.number);
    let mut tables = state.matches().filter(|found| found.round().number == open.number);
    // What is postponed says no more than what is missing.
    let is_untold = |found: MatchView<'_>| found.result().is_none() || found.is_postponed();
    (is_hidden && tables.all(is_untold)).then(|| open.number - 1)
}

/// Refuses a tournament that was removed, for everybody who is not of its staff.
///
/// # Errors
/// `unknown-tournament`, and where the log cannot be read.
pub fn check_there(store: &Store, stream: StreamId) -> Result<(), VerbError> {
    if !store.is_removed(stream)? {
        return Ok(());
    }
    let hint = "its organizer says where it is played now; `/` lists the tournaments";
    Err(VerbError::new(Code::not_found("unknown-tournament"), "it was removed", hint))
}

/// The policies, and how far logs were read that hide something.
#[derive(Default)]
pub struct Horizons {
    policies: Arc<Policies>,
    read: Mutex<HashMap<(StreamId, Option<RoundNumber>), Horizon>>,
}

impl Horizons {
    /// Those of a house.
    pub fn of_house(house: &House) -> Horizons {
        Horizons { policies: house.policies(), ..Horizons::default() }
    }

    /// Returns what the organizer of a tournament chose to show.
    pub fn policy(&self, stream: StreamId) -> Policy {
        match self.shown(stream) {
            Some(kept) => Policy { records: kept.shown.records, ..Policy::default() },
            None => self.policies.kept(stream).policy,
        }
    }

    /// Returns what its venue shows of a tournament that is pushed here.
    pub fn shown(&self, stream: StreamId) -> Option<Arc<KeptShown>> {
        self.policies.shown(stream)
    }

    /// Returns what a tournament is called: as its venue says, where it is pushed here.
    pub fn title(&self, stream: StreamId, own: String) -> String {
        self.shown(stream).and_then(|kept| kept.shown.title.clone()).unwrap_or(own)
    }

    /// Reads every log anew: the store was lent, and may be another one.
    pub fn begin_anew(&self) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the last event of a tournament that is public.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn of(&self, store: &Store, stream: StreamId) -> Result<Head, VerbError> {
        let kept = self.policies.kept(stream);
        let public = self.read_on(store, stream, kept.policy.hidden_from)?;
        if public.seq >= kept.public {
            return Ok(public);
        }
        let before = kept.public.saturating_sub(1);
        let last = store.log().read(stream, before).next().transpose().map_err(StoreError::from)?;
        let last = last.map(|last| Head { seq: last.header().seq, hash: last.hash() });
        Ok(last.unwrap_or(public))
    }

    fn read_on(
        &self,
        store: &Store,
        stream: StreamId,
        hidden_from: Option<RoundNumber>,
    ) -> Result<Head, VerbError> {
        let lock = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, state) = store.handler().load(stream).map_err(StoreError::from)?;
        let key = (stream, hidden_from);
        // Most logs hide nothing as they stand, and nothing needs to be read.
        if hidden_from.is_none() && !shows_draft(&state) {
            lock().remove(&key);
            return Ok(head);
        }
        let known = lock().remove(&key).filter(|known| known.read() <= head.seq);
        let mut horizon = known.unwrap_or_else(|| Horizon::new(hidden_from));
        for read in read_events(store.log(), stream, horizon.read()) {
            let (record, event) = read.map_err(CommandError::from).map_err(StoreError::from)?;
            horizon.take(&record.header(), record.hash(), &event);
        }
        let public = horizon.public();
        let mut all = lock();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(key, horizon);
        Ok(public)
    }

    /// Returns what everybody is shown of a tournament, as a store.
    ///
    /// # Errors
    /// As [`public`](Self::public), and where it was removed: its log stays, and is given on to its copies alone.
    pub fn seen(&self, store: &Store, stream: StreamId) -> Result<Store, VerbError> {
        check_there(store, stream)?;
        self.public(store, stream)
    }

    /// Returns what is public of a tournament, as a store.
    ///
    /// # Errors
    /// Where it cannot be read, or nothing of it is public yet.
    pub fn public(&self, store: &Store, stream: StreamId) -> Result<Store, VerbError> {
        let horizon = self.of(store, stream)?;
        if horizon == Head::EMPTY {
            let message = "nothing of this tournament is public yet";
            let hint = "look again when its first round is published";
            return Err(VerbError::new(Code::not_found("unknown-tournament"), message, hint));
        }
        let given = self.shown(stream);
        let given = given.as_deref().map(|kept| {
            let (texts, salts) = (&kept.shown.texts, &kept.shown.salts);
            Given { texts, salts }
        });
        Ok(store.public_as(stream, horizon, &self.policy(stream), given)?)
    }

    /// Returns the pairings that are out behind the horizon, where standings are hidden and there are
    /// any; nothing else stands in it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn pairings(
        &self,
        store: &Store,
        stream: StreamId,
    ) -> Result<Option<LoadedTournament>, VerbError> {
        if let Some(given) = self.shown(stream) {
            // A copy has them from its venue.
            return match given.shown.behind.is_empty() {
                true => Ok(None),
                false => Ok(given.shown.pairings(self.public(store, stream)?.load(stream, true)?)),
            };
        }
        if self.policy(stream).hidden_from.is_none() {
            return Ok(None);
        }
        let (horizon, until) = (self.of(store, stream)?, self.read_on(store, stream, None)?);
        if until.seq <= horizon.seq {
            return Ok(None);
        }
        Ok(Some(store.public_pairings(stream, horizon, until, &self.policy(stream))?))
    }

    /// Returns the last round that is out; of a copy as its venue says, where that is behind its log.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn round_out(
        &self,
        store: &Store,
        stream: StreamId,
    ) -> Result<Option<RoundNumber>, VerbError> {
        let given = match self.shown(stream) {
            Some(_) => self.pairings(store, stream)?,
            None => None,
        };
        if let Some(pairings) = given {
            return Ok(published(&pairings.state));
        }
        let (_, state) = store.handler().load(stream).map_err(StoreError::from)?;
        Ok(published(&state))
    }

    /// Returns the last event that is public, where results are hidden behind it; none: none are.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn hidden_behind(&self, store: &Store, stream: StreamId) -> Result<Option<Seq>, VerbError> {
        // A copy knows of it by what its venue says beside the log.
        if let Some(given) = self.shown(stream) {
            let hides = given.shown.hides || !given.shown.behind.is_empty();
            return hides.then(|| self.of(store, stream).map(|head| head.seq)).transpose();
        }
        if self.policy(stream).hidden_from.is_none() {
            return Ok(None);
        }
        let (horizon, until) = (self.of(store, stream)?, self.read_on(store, stream, None)?);
        Ok((until.seq > horizon.seq).then_some(horizon.seq))
    }

    /// Returns how many results are missing in each round, where results are hidden: everybody may know that, though
    /// not which ones are in. A copy has it from its venue.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn missing(
        &self,
        store: &Store,
        stream: StreamId,
    ) -> Result<BTreeMap<RoundNumber, u32>, VerbError> {
        if let Some(given) = self.shown(stream) {
            return Ok(given.shown.missing.clone());
        }
        if self.policy(stream).hidden_from.is_none() {
            return Ok(BTreeMap::new());
        }
        let (_, now) = store.handler().load(stream).map_err(StoreError::from)?;
        Ok(now.rounds().iter().map(|one| (one.number, one.open_matches)).collect())
    }

    /// Returns how far a tournament is, as everybody may know it, and how many events that is.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn glance(&self, store: &Store, stream: StreamId) -> Result<(Glance, Seq), VerbError> {
        let horizon = self.of(store, stream)?;
        let head = store.log().head(stream).map_err(StoreError::from)?;
        if horizon == head {
            return Ok((store.glance(stream, None)?, head.seq));
        }
        let (_, state) =
            self.public(store, stream)?.handler().load(stream).map_err(StoreError::from)?;
        Ok((Glance::of(&state), horizon.seq))
    }
}

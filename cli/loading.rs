//! The tournament that a verb is about, as it is known.

use crate::args::{Known, View, Which};
use crate::error::VerbError;
use crate::session::doubt_other_log;
use crate::session::{Session, as_of, load};
use scrutineer_desk::looking::Table;
use scrutineer_desk::store::Store;
use scrutineer_projections::standings::Standings;
use scrutineer_replay::loaded::LoadedTournament;

impl Session {
    /// The tournament that is meant, as it is known.
    pub fn event(
        &self,
        which: &Which,
        known: &Known,
        keep_log: bool,
    ) -> Result<LoadedTournament, VerbError> {
        self.event_in(&self.store_to_read()?, which, known, keep_log)
    }

    /// As [`Session::event`], in a store that is open.
    pub fn event_in(
        &self,
        store: &Store,
        which: &Which,
        known: &Known,
        keep_log: bool,
    ) -> Result<LoadedTournament, VerbError> {
        let stream = store.find(which.tournament.as_deref())?;
        let event = load(store, stream, as_of(store, stream, known)?, keep_log)?;
        doubt_other_log(self, store, stream, &event.state);
        Ok(event)
    }

    /// A tournament and its standings.
    pub fn standings(
        &self,
        store: &Store,
        view: &View,
    ) -> Result<(LoadedTournament, Standings), VerbError> {
        let event = self.event_in(store, &view.which, &view.when.known, false)?;
        let rules = self.rules(&event, view.rules.as_deref())?;
        let Table { event, standings, .. } = Table::of(event, rules, view.when.through)?;
        Ok((event, standings))
    }
}

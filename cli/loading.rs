//! The tournament that a verb is about, as it is known.

use crate::args::{Known, View, Which};
use crate::error::VerbError;
use crate::session::{Session, load, say};
use scrutineer_desk::looking::Table;
use scrutineer_desk::orders::moment;
use scrutineer_desk::signed::{doubt, rewritten};
use scrutineer_desk::store::Store;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::standings::Standings;
use scrutineer_replay::as_of::AsOf;
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

/// Tells those who look at a log that is not the one that was signed here last, ahead of all else; the
/// answer is none to rely on.
pub fn doubt_other_log(session: &Session, store: &Store, stream: StreamId, state: &Tournament) {
    tell_doubt(session, doubt(&session.asker, store, stream, state));
}

/// Tells those who are given something of a copy that its log was rewritten where it is run.
pub fn doubt_rewritten(session: &Session, store: &Store, stream: StreamId) {
    tell_doubt(session, rewritten(store, stream));
}

fn tell_doubt(session: &Session, note: Option<String>) {
    if let Some(note) = note {
        session.in_doubt.set(true);
        say(&note);
    }
}

/// How much of a tournament's log was there, where somebody asks for a moment; what they should know
/// of it goes to standard error.
pub fn as_of(store: &Store, stream: StreamId, known: &Known) -> Result<Option<AsOf>, VerbError> {
    let (as_of, notes) = moment(store, stream, known.as_of.as_deref())?;
    notes.iter().for_each(|note| say(note));
    Ok(as_of)
}

//! A file that was prepared goes into the store: as a tournament of its own, or behind an older version of it.

use super::add::{AddError, Prepared};
use super::renewed::{Renewed, renewed};
use super::{Store, StoreError, TournamentSummary};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::handler::Request;
use scrutineer_engine::names::folded;
use scrutineer_engine::record::{Actor, StreamId, Time};
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;

/// What became of a file, or would become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is in the store now.
    New(StreamId),
    /// It was there already.
    Known(StreamId),
    /// An older version of it was there: what this one brought, in words.
    Renewed(StreamId, Vec<String>),
}

impl Store {
    /// Stores a prepared file: as a tournament of its own, or behind an older version of it. The same file is
    /// stored once, also where another version was read since.
    ///
    /// `known` are the tournaments that the store holds; the new one is added to it.
    ///
    /// # Errors
    /// Where the older version cannot be brought up to date, or writing fails.
    pub fn add(
        &self,
        mut prepared: Prepared,
        known: &mut Vec<TournamentSummary>,
        actor: Actor,
        time: Time,
    ) -> Result<Added, AddError> {
        while self.is_removed(prepared.stream)? {
            prepared.begin_anew();
        }
        let stream = prepared.stream;
        if !prepared.is_again && known.iter().any(|event| event.stream == stream) {
            return Ok(Added::Known(stream));
        }
        let identity = Some(&prepared.source.identity);
        let same = known.iter().position(|event| event.source_event.as_ref() == identity);
        if let Some(at) = same {
            let there = known[at].stream;
            let told = self.renew(there, prepared, actor, time)?;
            known[at] = self.summary(there)?;
            return Ok(match told.is_empty() {
                true => Added::Known(there),
                false => Added::Renewed(there, told),
            });
        }
        let handler = self.handler();
        let request = Request {
            stream,
            id: prepared.command,
            actor,
            time,
            private: prepared.private,
            command: Command::Record(prepared.events),
            expected: None,
        };
        handler.handle(&request)?;
        known.push(self.summary(stream)?);
        Ok(Added::New(stream))
    }

    /// Says what would become of a prepared file; nothing is stored.
    ///
    /// # Errors
    /// Where an older version of its tournament is there that it cannot bring up to date.
    pub fn would_add(
        &self,
        prepared: &Prepared,
        known: &[TournamentSummary],
    ) -> Result<Added, AddError> {
        let stream = prepared.stream;
        if !prepared.is_again && known.iter().any(|event| event.stream == stream) {
            return Ok(Added::Known(stream));
        }
        let identity = Some(&prepared.source.identity);
        let Some(there) = known.iter().find(|event| event.source_event.as_ref() == identity) else {
            return Ok(Added::New(stream));
        };
        let before = self.load(there.stream, true)?;
        let told = bringing(&before, prepared)?.map_or(Vec::new(), |renewed| renewed.told);
        Ok(match told.is_empty() {
            true => Added::Known(there.stream),
            false => Added::Renewed(there.stream, told),
        })
    }

    /// The tournament of which a prepared file may be a newer version under another name: it was imported out of a
    /// file that goes by its name too, on the same day or on none, and all its matches, two or more, are in this one.
    /// None where the file is known as what it is.
    ///
    /// # Errors
    /// Where a tournament cannot be read.
    pub fn alike(
        &self,
        prepared: &Prepared,
        known: &[TournamentSummary],
    ) -> Result<Option<TournamentSummary>, StoreError> {
        let source = &prepared.source;
        let goes_by_name = |identity: &str, file: &str| identity.ends_with(file);
        let is_it = |one: &TournamentSummary| {
            one.stream == prepared.stream || one.source_event.as_ref() == Some(&source.identity)
        };
        if !goes_by_name(&source.identity, &source.file) || known.iter().any(is_it) {
            return Ok(None);
        }
        let may_be = |one: &&TournamentSummary| {
            let named = one.source_event.as_deref().zip(one.file.as_deref());
            one.held_on == source.held_on
                && one.head <= prepared.events.len() as u64
                && named.is_some_and(|(identity, file)| goes_by_name(identity, file))
        };
        let mut others: Vec<&TournamentSummary> = known.iter().filter(may_be).collect();
        others.sort_by_key(|one| std::cmp::Reverse(one.opened_at));
        let names = prepared.names();
        let name =
            |number: PlayerNumber| names.get(number as usize - 1).cloned().unwrap_or_default();
        let own = met(&prepared.state, name);
        for other in others.into_iter().take(LOOKED_AT) {
            let there = self.load(other.stream, false)?;
            let all = met(&there.state, |number| there.name(number));
            // One match alone is played on many a night.
            if all.len() > 1 && all.is_subset(&own) {
                return Ok(Some(other.clone()));
            }
        }
        Ok(None)
    }

    /// Brings a tournament that was imported up to date; empty: it has all that already.
    fn renew(
        &self,
        there: StreamId,
        prepared: Prepared,
        actor: Actor,
        time: Time,
    ) -> Result<Vec<String>, AddError> {
        let before = self.load(there, true)?;
        let Some(Renewed { events, private, told }) = bringing(&before, &prepared)? else {
            return Ok(Vec::new());
        };
        let request = Request {
            stream: there,
            id: prepared.command,
            actor,
            time,
            private,
            command: Command::Record(events),
            expected: Some(before.state.head()),
        };
        self.handler().handle(&request)?;
        Ok(told)
    }
}

/// How many tournaments are held against a file that may be a newer version of one of them: the latest.
const LOOKED_AT: usize = 20;

/// Who met in which round, by name.
fn met(
    state: &Tournament,
    name: impl Fn(PlayerNumber) -> String,
) -> BTreeSet<(RoundNumber, Vec<String>)> {
    let one = |found: MatchView<'_>| {
        let mut seated: Vec<String> =
            found.seats().iter().map(|seat| folded(&name(seat.player))).collect();
        seated.sort_unstable();
        (found.round().number, seated)
    };
    state.matches().map(one).collect()
}

/// What a file brings to its tournament; none: all of it is there already.
fn bringing(before: &LoadedTournament, prepared: &Prepared) -> Result<Option<Renewed>, AddError> {
    let is_read = before.log.iter().any(|(header, _)| header.command == prepared.command);
    let renewed = renewed(before, prepared)?;
    Ok(Some(renewed).filter(|renewed| !is_read && !renewed.told.is_empty()))
}

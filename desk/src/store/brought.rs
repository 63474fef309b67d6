//! A file that was prepared goes into the store: as a tournament of its own, or behind an older version of it.

use super::add::{AddError, Prepared};
use super::renewed::{Renewed, read_by, renewed};
use super::{Store, StoreError, TournamentSummary};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::{Event, PlayerNumber, RoundNumber};
use scrutineer_engine::handler::Request;
use scrutineer_engine::names::folded;
use scrutineer_engine::record::{Actor, Header, StreamId, Time};
use scrutineer_engine::tournament::{Bye, MatchView, Tournament};
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
    /// Stores a prepared file: as a tournament of its own, or behind another version of it. The same file is
    /// stored once; where another version was read since, it is compared with what stands if it comes alone.
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
        if let Some(at) = older(&prepared, known) {
            let there = known[at].stream;
            if self.was_read(&known[at], &prepared)? {
                return Ok(Added::Known(there));
            }
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
        let Some(there) = older(prepared, known).map(|at| &known[at]) else {
            return Ok(Added::New(prepared.stream));
        };
        if self.was_read(there, prepared)? {
            return Ok(Added::Known(there.stream));
        }
        let before = self.load(there.stream, true)?;
        let told = bringing(&before, prepared)?.map_or(Vec::new(), |renewed| renewed.told);
        Ok(match told.is_empty() {
            true => Added::Known(there.stream),
            false => Added::Renewed(there.stream, told),
        })
    }

    /// The tournament of which a prepared file may be a newer version under another name or day: it was imported out of
    /// a file that goes by its name too, on the same day or on none, or has the same title, and all its matches, two or
    /// more, or the rows of its standings are in this one.
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
        let by_name = goes_by_name(&source.identity, &source.file);
        if !by_name && source.platform != "csv" || known.iter().any(is_it) {
            return Ok(None);
        }
        let may_be = |one: &&TournamentSummary| {
            let named = one.source_event.as_deref().zip(one.file.as_deref());
            let is_named = |(identity, file): (&str, &str)| match by_name {
                true => one.held_on == source.held_on && goes_by_name(identity, file),
                false => {
                    identity.starts_with("csv ")
                        && one.held_on.is_some()
                        && one.title == source.title
                }
            };
            // Corrections and rounds that came later made it longer than a file that has all of it.
            one.head <= 4 * prepared.events.len() as u64 && named.is_some_and(is_named)
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

    /// Whether there is nothing to compare: this very file was read for a tournament, and where it comes alone no
    /// other version since. A folder has older versions beside newer ones, and each has been read.
    fn was_read(&self, there: &TournamentSummary, prepared: &Prepared) -> Result<bool, StoreError> {
        let is_made = there.stream == prepared.stream;
        if prepared.is_again || !prepared.is_alone || is_made && nothing_since(there, prepared) {
            return Ok(is_made && !prepared.is_again);
        }
        Ok(read_by(&self.load(there.stream, true)?).last() == Some(&prepared.command))
    }

    /// Brings a tournament that was imported up to date; empty: it has all that already.
    fn renew(
        &self,
        there: StreamId,
        mut prepared: Prepared,
        actor: Actor,
        time: Time,
    ) -> Result<Vec<String>, AddError> {
        let before = self.load(there, true)?;
        // What was corrected and is put right again is a command of its own.
        if prepared.is_alone && read_by(&before).contains(&prepared.command) {
            prepared.again(before.state.head());
        }
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

/// The tournament of which a file is a version: the one that it made, or one of the same name where it comes from.
fn older(prepared: &Prepared, known: &[TournamentSummary]) -> Option<usize> {
    let identity = Some(&prepared.source.identity);
    let made = known.iter().position(|event| event.stream == prepared.stream);
    made.or_else(|| known.iter().position(|event| event.source_event.as_ref() == identity))
}

/// Whether nothing was recorded in a tournament since this file made it.
fn nothing_since(there: &TournamentSummary, prepared: &Prepared) -> bool {
    there.head == prepared.events.len() as u64
}

/// How many tournaments are held against a file that may be a newer version of one of them: the latest.
const LOOKED_AT: usize = 20;

/// Who met in which round, by name; of standings alone who has a row.
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
    let rows = state.byes().filter(|_| state.matches().next().is_none());
    let row = |bye: &Bye| (0, vec![folded(&name(bye.player))]);
    state.matches().map(one).chain(rows.map(row)).collect()
}

/// What a file brings to its tournament; none: all of it is there already.
fn bringing(before: &LoadedTournament, prepared: &Prepared) -> Result<Option<Renewed>, AddError> {
    let is_its = |(header, _): &(Header, Event)| header.command == prepared.command;
    let is_read = !prepared.is_alone && before.log.iter().any(is_its);
    let renewed = renewed(before, prepared).map_err(|error| match error {
        AddError::CannotRenew { file, title, id, why, is_built_on }
            if prepared.source.platform != "csv" =>
        {
            AddError::Contradicts { file, title, id, why, is_built_on }
        }
        error => error,
    })?;
    Ok(Some(renewed).filter(|renewed| !is_read && !renewed.told.is_empty()))
}

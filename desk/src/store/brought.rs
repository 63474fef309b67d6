//! A file that was prepared goes into the store: as a tournament of its own, or behind an older version of it.

use super::add::{AddError, Prepared};
use super::renewed::{Renewed, is_taken_back_since, numbers, read_by, renewed};
use super::{Store, StoreError, TournamentSummary};
use scrutineer_engine::book::{Commitment, Field, commit};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::{Day, Event, PlayerNumber, RoundNumber, UnknownFact};
use scrutineer_engine::handler::Request;
use scrutineer_engine::names::folded;
use scrutineer_engine::record::{Actor, Header, StreamId, Time};
use scrutineer_engine::tournament::{Bye, MatchView, Tournament};
use scrutineer_formats::{Source, title_without_round};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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

/// A tournament of the store to which a sheet may belong though it makes one of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// The tournament.
    pub there: TournamentSummary,
    /// What would bring the sheet there.
    pub way: Way,
}

/// What makes a sheet one of a tournament that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The name of the tournament's file.
    Name,
    /// That name, and this title.
    Title(String),
    /// The tournament's day.
    Day(Day),
    /// The name of the tournament's file, without what it did not have above its columns.
    Without {
        /// Whether it had no title either.
        title: bool,
    },
    /// The rounds before it, or its own among them.
    Rounds {
        /// The round with which the sheet begins.
        first: String,
        /// Whether the tournament came in out of one file, with all its rounds.
        are_of_one_file: bool,
    },
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

    /// The tournament to which a prepared sheet may belong though it makes one of its own, with what would bring it
    /// there: all its matches, two or more, with their results, or the rows of its standings stand in the sheet, which
    /// goes by another name or day; or it has the sheet's title and most of its players, and the sheet begins with a
    /// later round. None where the file is known as what it is.
    ///
    /// # Errors
    /// Where a tournament cannot be read.
    pub fn alike(
        &self,
        prepared: &Prepared,
        known: &[TournamentSummary],
    ) -> Result<Option<Alike>, StoreError> {
        let source = &prepared.source;
        let is_it = |one: &TournamentSummary| {
            one.stream == prepared.stream || one.source_event.as_ref() == Some(&source.identity)
        };
        if source.platform != "csv" || known.iter().any(is_it) {
            return Ok(None);
        }
        let first = source.rounds().next().map(|(_, round)| round.name.clone());
        let first = first.filter(|_| source.unknown.contains(&UnknownFact::EarlierRounds));
        let titles = [source.title.as_str(), title_without_round(&source.title)];
        let way = |one: &TournamentSummary| match &first {
            Some(first) => titles.contains(&one.title.as_str()).then(|| {
                let are_of_one_file = one.file.as_ref() != Some(&format!("{}.csv", one.title));
                Way::Rounds { first: first.clone(), are_of_one_file }
            }),
            // Corrections and rounds that came later made it longer than a file that has all of it.
            None => way_to(source, one).filter(|_| one.head <= 4 * prepared.events.len() as u64),
        };
        let is_sheet = |one: &&TournamentSummary| {
            one.source_event.as_deref().is_some_and(|identity| identity.starts_with("csv "))
        };
        let mut others: Vec<(&TournamentSummary, Way)> =
            known.iter().filter(is_sheet).filter_map(|one| Some((one, way(one)?))).collect();
        others.sort_by_key(|(one, _)| std::cmp::Reverse(one.opened_at));
        let names = prepared.names();
        let name =
            |number: PlayerNumber| names.get(number as usize - 1).cloned().unwrap_or_default();
        let own = met(&prepared.state, name);
        for (other, way) in others.into_iter().take(LOOKED_AT) {
            let there = self.load(other.stream, false)?;
            let is_so = match way {
                Way::Rounds { .. } => goes_before(&there, &names),
                _ => {
                    let all = met(&there.state, |number| there.name(number));
                    let is_own = |(key, result): (&Met, &Option<String>)| {
                        own.get(key).is_some_and(|own| result.is_none() || own == result)
                    };
                    // One match alone is played on many a night.
                    all.len() > 1 && all.iter().all(is_own)
                }
            };
            if is_so {
                return Ok(Some(Alike { there: other.clone(), way }));
            }
        }
        Ok(None)
    }

    /// Whether there is nothing to compare: this very file was read for a tournament, and where it comes alone no
    /// other version since, nor was anything taken back since if somebody brings it in. A folder has older versions
    /// beside newer ones, and each has been read.
    fn was_read(&self, there: &TournamentSummary, prepared: &Prepared) -> Result<bool, StoreError> {
        let is_made = there.stream == prepared.stream;
        if prepared.is_again || !prepared.is_alone || is_made && nothing_since(there, prepared) {
            return Ok(is_made && !prepared.is_again);
        }
        let there = self.load(there.stream, true)?;
        let is_changed = || prepared.is_by_hand && is_taken_back_since(&there, prepared.command);
        Ok(read_by(&there).last() == Some(&prepared.command) && !is_changed())
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

/// What would make a sheet the same tournament as one that is there, by what identifies both; none where nothing that
/// is said above its columns would, or they have nothing in common.
fn way_to(source: &Source, there: &TournamentSummary) -> Option<Way> {
    let (identity, file) = (there.source_event.as_deref()?, there.file.as_deref()?);
    let is_its_day = |day: &Day| identity == format!("csv {} {day}", source.title);
    let days = there.held_on.zip(source.held_on);
    let is_other_day = days.is_some_and(|(one, other)| one != other);
    let Some(own) = source.identity.strip_suffix(source.file.as_str()) else {
        // A day or a title that was added since makes another tournament of it.
        let had_no_title = identity == format!("csv {file}");
        let had_no_day = had_no_title || identity == format!("csv {} {file}", source.title);
        if had_no_day && !is_other_day {
            return Some(Way::Without { title: had_no_title });
        }
        return there.held_on.filter(is_its_day).map(Way::Day);
    };
    let of_name = identity.strip_suffix(file)?;
    if is_other_day {
        return None;
    }
    match of_name.strip_prefix("csv ")?.trim_end() {
        _ if own == of_name => Some(Way::Name),
        "" => Some(Way::Without { title: true }),
        title => Some(Way::Title(title.to_owned())),
    }
}

/// Whether a tournament that is there has its first round, and most of these players.
fn goes_before(there: &LoadedTournament, names: &[String]) -> bool {
    let begins = there
        .state
        .imported()
        .is_some_and(|imported| !imported.unknown.contains(&UnknownFact::EarlierRounds));
    let players = there.state.players().iter().zip(1..);
    let players: BTreeSet<String> =
        players.map(|(_, number)| folded(&there.name(number))).collect();
    let known = names.iter().filter(|name| players.contains(&folded(name))).count();
    begins && known * 2 > names.len()
}

/// A round and who met in it, by name.
type Met = (RoundNumber, Vec<String>);

/// Who met in which round, with the result where there is one; of standings alone who has a row, with what stands in it.
fn met(state: &Tournament, name: impl Fn(PlayerNumber) -> String) -> BTreeMap<Met, Option<String>> {
    let one = |found: MatchView<'_>| {
        let result = found.to_result().filter(|result| !result.is_void());
        let seats = found.seats().iter().enumerate().map(|(at, seat)| {
            let of_seat = result.as_ref().map(|one| (one.score.seats.get(at), one.rulings.get(at)));
            (folded(&name(seat.player)), format!("{of_seat:?}"))
        });
        let mut seats: Vec<(String, String)> = seats.collect();
        seats.sort_unstable();
        let (seated, values): (Vec<String>, Vec<String>) = seats.into_iter().unzip();
        let result = result.map(|one| format!("{} {:?}", values.join(" "), one.score.table));
        ((found.round().number, seated), result)
    };
    let rows = state.byes().filter(|_| state.matches().next().is_none());
    let row = |bye: &Bye| {
        (
            (0, vec![folded(&name(bye.player))]),
            bye.reported.as_ref().map(|score| format!("{score:?}")),
        )
    };
    state.matches().map(one).chain(rows.map(row)).collect()
}

impl Prepared {
    /// Returns a file of TOM with its cuts in the order in which its tournament has them; none where they stand so in it
    /// already. Which division began its cut first may be read otherwise out of a newer file, such as where one is paired
    /// again.
    pub(crate) fn in_order_of(&self, there: &LoadedTournament) -> Option<Prepared> {
        let phases = &self.source.phases;
        if self.source.platform != "tom" || phases.len() < 2 {
            return None;
        }
        let numbers = numbers(there, self);
        let in_file: Vec<BTreeSet<PlayerNumber>> = phases
            .iter()
            .map(|phase| phase.entrants.iter().map(|player| numbers[*player]).collect())
            .collect();
        // Whoever comes late enters the Swiss rounds too, which come first in any case.
        let mut order: Vec<usize> =
            (0..phases.len()).take_while(|at| !phases[*at].kind.is_bracket()).collect();
        let begun = there.state.phases().iter().filter(|phase| !phase.withdrawn);
        for phase in begun.skip(order.len()) {
            let entrants: BTreeSet<PlayerNumber> = phase.entrants.iter().copied().collect();
            let is_it = |at: &usize| in_file[*at] == entrants && !order.contains(at);
            let found = (0..phases.len()).find(is_it);
            order.extend(found);
        }
        let others: Vec<usize> = (0..phases.len()).filter(|at| !order.contains(at)).collect();
        order.extend(others);
        if order.is_sorted() { None } else { self.in_order(&order) }
    }

    /// The same with its phases in another order.
    fn in_order(&self, order: &[usize]) -> Option<Prepared> {
        let mut source = self.source.clone();
        source.phases = order.iter().map(|at| self.source.phases[*at].clone()).collect();
        let goes_on = (0..).zip(order).filter(|(_, was)| self.source.goes_on.contains(was));
        source.goes_on = goes_on.map(|(at, _)| at).collect();
        let rounds =
            |at: usize| (0..self.source.phases[at].rounds.len()).map(move |round| (at, round));
        let before: Vec<(usize, usize)> = (0..order.len()).flat_map(rounds).collect();
        let now: BTreeMap<(usize, usize), RoundNumber> =
            order.iter().copied().flat_map(rounds).zip(1..).collect();
        for drop in &mut source.drops {
            let was = usize::from(drop.after_round).checked_sub(1).and_then(|at| before.get(at));
            let is = was.and_then(|was| now.get(was)).copied();
            drop.after_round = is.unwrap_or(drop.after_round);
        }
        let (mut file_hash, mut ruleset) = ([0; 32], Vec::new());
        for event in &self.events {
            match event {
                Event::TournamentOpened(opened) => ruleset.clone_from(&opened.ruleset),
                Event::Imported(imported) => file_hash = imported.source_file,
                _ => {}
            }
        }
        // No words stand in phases: the others come one after the other as before.
        let (mut words, mut is_short) = (self.private.iter(), false);
        let mut keep = |_: Field, _: &str| match words.next() {
            Some(entry) => commit(self.stream, entry),
            None => {
                is_short = true;
                Commitment { number: 0, digest: [0; 32] }
            }
        };
        let events = scrutineer_formats::events(&source, file_hash, &mut keep, ruleset).ok()?;
        if is_short || words.next().is_some() {
            return None;
        }
        Some(Prepared {
            source,
            stream: self.stream,
            rules: Arc::clone(&self.rules),
            state: Tournament::of(&events),
            events,
            private: self.private.clone(),
            command: self.command,
            is_again: self.is_again,
            is_alone: self.is_alone,
            is_by_hand: self.is_by_hand,
        })
    }
}

/// What a file brings to its tournament; none: all of it is there already.
fn bringing(before: &LoadedTournament, prepared: &Prepared) -> Result<Option<Renewed>, AddError> {
    let ordered = prepared.in_order_of(before);
    let prepared = ordered.as_ref().unwrap_or(prepared);
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

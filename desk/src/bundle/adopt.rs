//! Bringing another desk's commands in. Histories are never merged: what the other desk recorded
//! after the common beginning is asked again here, command by command, and decided again.

mod rewrite;

use crate::store::{Store, StoreError, free_number};
use rewrite::{Numbers, Why};
use scrutineer_engine::book::{BookError, PrivateTexts};
use scrutineer_engine::command::Command;
use scrutineer_engine::decide::decide;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, RoundNumber};
use scrutineer_engine::handler::{CommandError, CommandHandler, LoadError, Request, read_events};
use scrutineer_engine::log::{Log, LogError};
use scrutineer_engine::record::{CommandId, Header};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::parse;
use scrutineer_projections::timeline::sentence;
use scrutineer_replay::again::pair_again;
use scrutineer_replay::announced::{AnnouncedTable, announcement, standings_in};
use scrutineer_replay::bundle::shared;
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What became of one command of the other desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its id.
    pub command: CommandId,
    /// The seqs of its events on the other desk, first and last.
    pub there: (u64, u64),
    /// What it asked for: the sentence of each event, at most [`MAX_SENTENCES`].
    pub sentences: Vec<String>,
    /// What became of it.
    pub outcome: Outcome,
}

/// How many sentences are kept for a command.
pub(crate) const MAX_SENTENCES: usize = 4;

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is recorded here now, as these events, first and last.
    Adopted(u64, u64),
    /// This very command was recorded here before.
    Known(u64, u64),
    /// The same was recorded here by another command.
    Same(u64),
    /// It is for the other desk alone, for this reason.
    LeftOut(&'static str),
    /// It does not fit.
    Refused {
        /// A stable code.
        code: Code,
        /// Why not.
        sentence: String,
        /// What to do next.
        hint: String,
    },
}

/// What became of another desk's commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// How many events both had from the first.
    pub shared: u64,
    /// Whether this desk has recorded nothing but those: then the bundle can be brought in as it
    /// is, and nothing has to be asked again.
    pub is_beginning: bool,
    /// The other desk's commands after those, in their order.
    pub commands: Vec<Asked>,
}

impl Adopted {
    /// Whether nothing was refused.
    pub fn all(&self) -> bool {
        let refused = |asked: &Asked| matches!(asked.outcome, Outcome::Refused { .. });
        !self.commands.iter().any(refused)
    }
}

scrutineer_engine::errors! {
    /// Why nothing can be adopted.
    pub enum AdoptError -> Option<&'static str> {
        /// They are of two tournaments.
        OtherEvent = refused "other-tournament", "the bundle is of another tournament",
            Some("this store has nothing of that tournament: `scrutineer bundle import <file>` \
             brings it in");
        /// They have nothing in common.
        NothingShared = refused "nothing-shared",
            "the two histories of this tournament part at their first event",
            Some("only a desk that carried this very tournament on has something to adopt");
        /// The store cannot be read or written.
        Store(#[from] StoreError) => (error) error.code(), "{0}", error.hint();
        /// A command cannot be recorded, for another reason than the rules of the log.
        Refused(CommandError) => (refusal) refusal.code(), "{0}", None;
    }
}

impl From<LogError> for AdoptError {
    fn from(error: LogError) -> AdoptError {
        AdoptError::Store(error.into())
    }
}

impl From<BookError> for AdoptError {
    fn from(error: BookError) -> AdoptError {
        AdoptError::Store(error.into())
    }
}

/// Asks for everything again that another desk recorded after the common beginning. A dry run
/// does it on a copy in memory.
///
/// # Errors
/// Where the histories have nothing in common, or the store cannot be read or written. A command
/// that does not fit is no error.
pub fn adopt(
    store: &Store,
    other: &LoadedTournament,
    is_dry_run: bool,
) -> Result<Adopted, AdoptError> {
    store.check_own(other.stream)?;
    let here = store.load(other.stream, true)?;
    if here.log.is_empty() {
        return Err(AdoptError::OtherEvent);
    }
    let shared = shared(&here, other);
    if shared == 0 {
        return Err(AdoptError::NothingShared);
    }
    let is_beginning = shared == here.log.len() && shared < other.log.len();
    let copied = match is_dry_run {
        true => Some(store.fork(other.stream)?),
        false => None,
    };
    let store = copied.as_ref().unwrap_or(store);
    let mut desk = Adopting {
        store,
        here: here.log,
        log: store.log(),
        books: store.books(),
        keeper: store.handler(),
        other,
        numbers: Numbers::shared(other, shared),
        refused_rounds: BTreeSet::new(),
        refused_phases: BTreeSet::new(),
    };
    let mut commands = Vec::new();
    let mut rest = &other.log[shared..];
    while let Some((first, _)) = rest.first() {
        let parts = rest.iter().take_while(|(header, _)| header.command == first.command).count();
        let (command, after) = rest.split_at(parts);
        commands.push(desk.ask(command)?);
        rest = after;
    }
    Ok(Adopted { shared: shared as u64, is_beginning, commands })
}

/// Whether an event says who signs, or what was signed: that holds for the desk that said it.
fn is_about_keys(event: &Event) -> bool {
    matches!(event, Event::SignerChanged(_) | Event::KeyRetired(_) | Event::LogRestored(_))
}

struct Adopting<'a> {
    store: &'a Store,
    /// The log here, as it grows.
    here: Vec<(Header, Event)>,
    log: &'a dyn Log,
    books: &'a dyn PrivateTexts,
    keeper: CommandHandler<'a>,
    other: &'a LoadedTournament,
    numbers: Numbers,
    refused_rounds: BTreeSet<RoundNumber>,
    refused_phases: BTreeSet<u16>,
}

impl Adopting<'_> {
    fn ask(&mut self, command: &[(Header, Event)]) -> Result<Asked, AdoptError> {
        let (header, last) = (command[0].0, command[command.len() - 1].0);
        let outcome = match self.outcome(&header, command)? {
            Ok(outcome) => outcome,
            Err(why) => {
                for (_, event) in command {
                    match event {
                        Event::RoundOpened(e) => _ = self.refused_rounds.insert(e.round),
                        Event::PhaseStarted(e) => _ = self.refused_phases.insert(e.phase),
                        _ => {}
                    }
                }
                let (code, sentence, hint) = why.told();
                Outcome::Refused { code, sentence, hint }
            }
        };
        let told = command.iter().take(MAX_SENTENCES);
        let sentences = told
            .map(|(header, event)| sentence(&self.other.state, header.seq, event, self.other))
            .collect();
        let there = (header.seq, last.seq);
        Ok(Asked { command: header.command, there, sentences, outcome })
    }

    fn outcome(
        &mut self,
        header: &Header,
        command: &[(Header, Event)],
    ) -> Result<Result<Outcome, Why>, AdoptError> {
        let known = self.log.command(header.stream, header.command)?;
        if let Some(trace) = known {
            let here = self.events(header, trace.first_seq, trace.last_seq)?;
            if !rewrite::alike(command, &here) {
                return Ok(Err(Why::IdReused));
            }
            self.numbers.learn(command, trace.first_seq, &here);
            return Ok(Ok(Outcome::Known(trace.first_seq, trace.last_seq)));
        }
        if command.iter().all(|(_, event)| is_about_keys(event)) {
            return Ok(Ok(Outcome::LeftOut("each desk signs with its own key")));
        }
        if self.numbers.forgets_nothing(command) {
            return Ok(Ok(Outcome::LeftOut("what was forgotten there never came here")));
        }
        let (head, state) = self.keeper.load(header.stream).map_err(StoreError::from)?;
        if let Some(why) = self.builds_on_refused(command) {
            return Ok(Err(why));
        }
        let next = free_number(self.books, header.stream, &state)?;
        let rewritten =
            self.numbers.rewrite(self.other, command, head.seq, state.players().len(), next);
        let (mut events, private) = match rewritten {
            Ok(rewritten) => rewritten,
            Err(why) => return Ok(Err(why)),
        };
        let tables = match announce_again(&state, &mut events) {
            Ok(tables) => tables,
            Err(why) => return Ok(Err(why)),
        };
        if let Some(round) = self.drawn_elsewhere(&state, header, head.seq, &events)
            && decide(&state, &Command::Record(events.clone())).is_ok()
        {
            return Ok(Err(Why::DrawnElsewhere { round }));
        }
        let request = Request {
            stream: header.stream,
            id: header.command,
            actor: header.actor,
            time: header.time,
            private,
            command: Command::Record(events.clone()),
            expected: Some(head.seq),
        };
        // Held any longer it would be copied when the events are added to it.
        drop(state);
        match self.keeper.handle(&request) {
            Ok(answer) => {
                if !tables.is_empty() {
                    self.store.keep_announced(header.stream, &tables)?;
                }
                self.numbers.learn(command, answer.first_seq, &events);
                self.here.extend(numbered(header, answer.first_seq, &events));
                Ok(Ok(Outcome::Adopted(answer.first_seq, answer.last_seq)))
            }
            Err(CommandError::Rejected(rejected)) => {
                let (_, state) = self.keeper.load(header.stream).map_err(StoreError::from)?;
                if let [event] = &events[..]
                    && let Some(seq) = same(&state, event, &rejected)
                {
                    self.numbers.learn(command, seq, &events);
                    return Ok(Ok(Outcome::Same(seq)));
                }
                Ok(Err(Why::of(&state, &events, rejected)))
            }
            Err(other) => Err(AdoptError::Refused(other)),
        }
    }

    /// The events of a command that was recorded here.
    fn events(&self, header: &Header, first: u64, last: u64) -> Result<Vec<Event>, AdoptError> {
        let count = usize::try_from(last + 1 - first).unwrap_or(usize::MAX);
        let read = read_events(self.log, header.stream, first - 1).take(count);
        let events: Result<_, LoadError> = read.map(|read| read.map(|(_, event)| event)).collect();
        Ok(events.map_err(StoreError::from)?)
    }

    /// A round that was drawn, and comes out otherwise from the log here.
    fn drawn_elsewhere(
        &mut self,
        state: &Tournament,
        header: &Header,
        head: u64,
        events: &[Event],
    ) -> Option<RoundNumber> {
        let opened = |event: &Event| match event {
            Event::RoundOpened(e) if e.drawn.is_some() => Some(e.round),
            _ => None,
        };
        let round = events.iter().find_map(opened)?;
        let mut state = state.clone();
        events.iter().for_each(|event| state.evolve(event));
        let before = self.here.len();
        self.here.extend(numbered(header, head + 1, events));
        let holds =
            pair_again(&self.here, &state, round).is_ok_and(|paired_again| paired_again.holds());
        self.here.truncate(before);
        (!holds).then_some(round)
    }

    /// Rounds and phases are named by number: here another one may have that of a refused one.
    fn builds_on_refused(&self, command: &[(Header, Event)]) -> Option<Why> {
        command.iter().find_map(|(_, event)| {
            let (round, phase) = match event {
                Event::PairingMade(e) => (e.round, 0),
                Event::EnginePaired(e) => (e.round, 0),
                Event::ByeGiven(e) => (e.round, 0),
                Event::PairingsPublished(e) => (e.round, 0),
                Event::RoundCompleted(e) => (e.round, 0),
                Event::RoundOpened(e) => (0, e.phase),
                Event::PhaseEnded(e) => (0, e.phase),
                _ => return None,
            };
            let own = |event: &(Header, Event)| {
                matches!(&event.1, Event::RoundOpened(e) if e.round == round)
                    || matches!(&event.1, Event::PhaseStarted(e) if e.phase == phase)
            };
            if command.iter().any(own) {
                return None;
            }
            match (self.refused_rounds.contains(&round), self.refused_phases.contains(&phase)) {
                (true, _) => Some(Why::RoundRefused { round }),
                (_, true) => Some(Why::PhaseRefused { phase }),
                _ => None,
            }
        })
    }
}

/// The events of a command with their envelopes, as they are numbered here.
fn numbered(header: &Header, first: u64, events: &[Event]) -> Vec<(Header, Event)> {
    let of = |(seq, event): (u64, &Event)| (Header { seq, ..*header }, event.clone());
    (first..).zip(events).map(of).collect()
}

/// Standings are announced as they stand here: the other desk's follow from its own history.
fn announce_again(state: &Tournament, events: &mut [Event]) -> Result<Vec<AnnouncedTable>, Why> {
    let mut tables = Vec::new();
    for at in 0..events.len() {
        let (before, rest) = events.split_at_mut(at);
        let Event::StandingsAnnounced(announced) = &mut rest[0] else { continue };
        let mut state = state.clone();
        before.iter().for_each(|event| state.evolve(event));
        let through = Some(announced.through_round);
        let rules = parse(state.ruleset().unwrap_or_default()).map_err(|_| Why::Announced)?;
        let standings = standings_in(&state, &Arc::new(rules), through);
        let (event, table) = announcement(&standings.map_err(|_| Why::Announced)?);
        *announced = event;
        tables.push(table);
    }
    Ok(tables)
}

/// The event by which the same was recorded here, where that is why it is refused.
fn same(state: &Tournament, event: &Event, rejected: &Rejection) -> Option<u64> {
    match (event, rejected) {
        (Event::ResultRecorded(e), Rejection::AlreadyRecorded { pairing, result }) => {
            let standing = state.match_at(*pairing)?.to_result()?;
            (standing == e.result).then_some(*result)
        }
        (Event::RoundCompleted(e), _) => state.round(e.round)?.completed,
        (Event::PairingsPublished(e), _) => state.round(e.round)?.published,
        (Event::TournamentClosed(_), Rejection::Closed) => state.closed(),
        _ => None,
    }
}

//! The desk: what a scorekeeper asks for in their words, turned into commands for the log.
//!
//! Every question is answered on the state of the log as it is now, and recorded on that state
//! only: where another desk records something in between, the question is answered again. What a
//! program needs beside the log (the time, random bytes, who asks) it gives in [`Means`], so that
//! a whole tournament can be played again byte by byte.

mod announcing;
mod attendance;
mod claims;
mod disputes;
mod error;
mod hall;
mod least;
mod opening;
mod people;
mod phases;
mod plan;
mod remarks;
mod repair;
mod results;
mod roster;
mod rounds;
mod score;
mod seating;
mod staff;
mod trust;
mod undo;

pub use attendance::suggested;
pub use claims::{Claimed, Heard};
pub use disputes::{Ruled, dispute_number, dispute_of, disputed};
pub use error::{DeskError, Objection};
pub use opening::Opening;
pub use people::{Enrolment, Joining, Latecomer};
pub use phases::CutTo;
pub(crate) use phases::could_go_on;
pub use results::{Entered, Slip, Spot, holds_penalties, match_of_player, waiting};
pub use roster::{Description, MAX_BYES, MAX_LIST, MAX_ROWS, read_roster, waits};
pub(crate) use rounds::untouched;
pub use rounds::{Divided, Divisions, Paired};
pub use score::{MAX_SLIP, ScoreError, UNLIMITED, example_slip, of_chess, parse_slip, write_slip};
pub use seating::{Displaced, Repaired, displaced, is_fixed, unpaired, without_seat};
pub use undo::{Undone, is_undo, is_undoable, undone_commands};

use crate::rules::in_force;
use crate::store::{Store, StoreError, free_number};
use scrutineer_engine::book::{BookError, Commitment, Field, PrivateEntry, commit};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{Answer, CommandError, CommandHandler, Request, read_events};
use scrutineer_engine::limits;
use scrutineer_engine::log::{CommandTrace, Head};
use scrutineer_engine::record::{Actor, CommandId, Header, StreamId, Time};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::seed::Seeds;
use scrutineer_engine::tournament::{Round, Tournament};
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_store::texts::system_salt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// How often a question is answered again because others recorded something in between.
const MAX_TRIES: u32 = 100;

/// What a desk needs beside the log.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Who asks.
    pub actor: Actor,
    /// The time by this desk's clock.
    pub clock: &'a (dyn Fn() -> Time + Sync),
    /// 32 random bytes, such as [`system_salt`](scrutineer_store::texts::system_salt).
    pub random: &'a (dyn Fn() -> Result<[u8; 32], BookError> + Sync),
}

impl Means<'static> {
    /// The clock and the random bytes of this machine.
    pub fn of_machine(actor: Actor) -> Means<'static> {
        Means { actor, clock: &now, random: &system_salt }
    }
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time { unix_micros: i64::try_from(since.as_micros()).unwrap_or(i64::MAX) }
}

/// What was recorded: the events with the seq of the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The seq of the first event.
    pub first_seq: u64,
    /// The events.
    pub events: Vec<Event>,
    /// Whether a command with this id had been recorded before, and nothing new was.
    pub repeated: bool,
}

/// What a program says of a command beside what it asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The id of the command: one that was recorded already gets its first answer again, and nothing
    /// is recorded. None: a new one.
    pub id: Option<CommandId>,
    /// The seq of the last event that the person has seen: where another command was recorded since,
    /// this one is refused. None: the command holds for whatever stands when it is recorded.
    pub expected: Option<u64>,
}

/// What a question makes of the state: the events that answer it.
pub(crate) type Planning<'a> =
    dyn FnMut(&Tournament, &mut Words<'_>) -> Result<Vec<Event>, DeskError> + 'a;

/// A desk at one tournament.
pub struct Desk<'a> {
    store: &'a Store,
    keeper: CommandHandler<'a>,
    stream: StreamId,
    means: Means<'a>,
    /// Who asks, where that is somebody with a name.
    person: Option<staff::Person>,
    /// The number of the next private entry, where it is known.
    next_entry: Mutex<Option<u32>>,
    seeds: Mutex<Option<Arc<Seeds>>>,
    /// The tables of the announcements that are being put together.
    announced: Mutex<Vec<AnnouncedTable>>,
    asked: Asked,
}

/// What another thread left when it panicked is looked up again or held against the log.
fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Desk<'a> {
    /// A desk at a tournament of the archive.
    pub fn at(store: &'a Store, stream: StreamId, means: Means<'a>) -> Desk<'a> {
        let keeper = store.handler();
        Desk {
            store,
            keeper,
            stream,
            means,
            person: None,
            next_entry: Mutex::default(),
            seeds: Mutex::default(),
            announced: Mutex::default(),
            asked: Asked::default(),
        }
    }

    /// This desk for one command, of which the program that asks says more.
    #[must_use]
    pub fn asked(mut self, asked: Asked) -> Desk<'a> {
        self.asked = asked;
        self
    }

    /// The tournament's id.
    pub fn stream(&self) -> StreamId {
        self.stream
    }

    /// The tournament as it stands.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn state(&self) -> Result<Arc<Tournament>, DeskError> {
        Ok(self.load()?.1)
    }

    /// The tournament and its head; the first time from the last snapshot on.
    fn load(&self) -> Result<(Head, Arc<Tournament>), DeskError> {
        self.store.start(self.stream)?;
        Ok(self.keeper.load(self.stream).map_err(CommandError::from)?)
    }

    /// The ruleset in force.
    ///
    /// # Errors
    /// Where the text in the log is no ruleset for this version.
    pub fn rules(&self, state: &Tournament) -> Result<Arc<Ruleset>, DeskError> {
        Ok(in_force(state.ruleset().unwrap_or_default())?)
    }

    /// Records what `plan` makes of the state as it stands.
    ///
    /// # Errors
    /// What `plan` objects to, or why it cannot be recorded.
    pub fn record(&self, plan: &mut Planning<'_>) -> Result<Done, DeskError> {
        self.store.check_own(self.stream)?;
        if let Some(id) = self.asked.id
            && let Some(trace) =
                self.store.log().command(self.stream, id).map_err(StoreError::from)?
        {
            return self.repeated(trace, plan);
        }
        match &self.person {
            Some(person) => self.record_of(person, plan),
            None => self.record_by(self.means.actor, plan, self.asked),
        }
    }

    /// The answer that a command got when it was recorded: `plan` is asked on the state of then.
    fn repeated(&self, trace: CommandTrace, plan: &mut Planning<'_>) -> Result<Done, DeskError> {
        let (mut state, mut recorded) = (Tournament::default(), Vec::new());
        for read in read_events(self.store.log(), self.stream, 0) {
            let (record, event) = read.map_err(CommandError::from)?;
            match record.header().seq {
                seq if seq < trace.first_seq => state.evolve(&event),
                seq if seq <= trace.last_seq => recorded.push(event),
                _ => break,
            }
        }
        let planned = plan(&state, &mut self.words(&state)?);
        // Salts are random, so events that commit to a text are never the same twice.
        let same = |(planned, recorded): (&Event, &Event)| {
            planned == recorded
                || planned.kind() == recorded.kind() && !recorded.commitments().is_empty()
        };
        match planned {
            Ok(planned)
                if planned.len() == recorded.len() && planned.iter().zip(&recorded).all(same) =>
            {
                Ok(Done { first_seq: trace.first_seq, events: recorded, repeated: true })
            }
            _ => Err(CommandError::IdReused(trace).into()),
        }
    }

    fn record_by(
        &self,
        actor: Actor,
        plan: &mut Planning<'_>,
        asked: Asked,
    ) -> Result<Done, DeskError> {
        let id = match asked.id {
            Some(id) => id,
            None => CommandId(u128::from_le_bytes(first_half((self.means.random)()?))),
        };
        for _ in 0..MAX_TRIES {
            let (head, state) = self.load()?;
            if let Some(expected) = asked.expected.filter(|&expected| expected != head.seq) {
                return Err(CommandError::Moved { expected, head: head.seq }.into());
            }
            let mut words = self.words(&state)?;
            locked(&self.announced).clear();
            let events = plan(&state, &mut words)?;
            let private = words.entries;
            let next = locked(&self.next_entry).map(|next| next + private.len() as u32);
            let request = Request {
                stream: self.stream,
                id,
                actor,
                time: (self.means.clock)(),
                private,
                command: Command::Record(events.clone()),
                expected: Some(head.seq),
            };
            drop(state);
            match self.keeper.handle(&request) {
                // Two who send the same command at once get the same answer.
                Ok(Answer { first_seq, last_seq, repeated: true }) => {
                    *locked(&self.next_entry) = None;
                    let digest = [0; 32];
                    return self.repeated(CommandTrace { first_seq, last_seq, digest }, plan);
                }
                // So do they where each made salts of its own.
                Err(CommandError::IdReused(trace)) => {
                    *locked(&self.next_entry) = None;
                    return self.repeated(trace, plan);
                }
                Ok(Answer { first_seq, .. }) => {
                    *locked(&self.next_entry) = next;
                    if events.iter().any(|event| matches!(event, Event::StandingsAnnounced(_))) {
                        self.keep_beside();
                    }
                    return Ok(Done { first_seq, events, repeated: false });
                }
                Err(
                    CommandError::Moved { .. } | CommandError::Book(BookError::NumberTaken { .. }),
                ) => {
                    *locked(&self.next_entry) = None;
                }
                Err(other) => {
                    *locked(&self.next_entry) = None;
                    return Err(other.into());
                }
            }
        }
        Err(CommandError::TooBusy.into())
    }

    /// Every event of the log.
    fn logged(&self) -> Result<Vec<(Header, Event)>, DeskError> {
        let read = read_events(self.store.log(), self.stream, 0);
        let log = read.map(|read| read.map(|(record, event)| (record.header(), event)));
        Ok(log.collect::<Result<_, _>>().map_err(CommandError::from)?)
    }

    fn words(&self, state: &Tournament) -> Result<Words<'a>, DeskError> {
        let next = match *locked(&self.next_entry) {
            Some(next) => next,
            None => free_number(self.store.books(), self.stream, state)?,
        };
        *locked(&self.next_entry) = Some(next);
        let random = self.means.random;
        Ok(Words { stream: self.stream, next, entries: Vec::new(), random })
    }

    /// The seeds, from the organizer's secret to which the tournament has committed.
    fn seeds(&self, state: &Tournament) -> Result<Arc<Seeds>, DeskError> {
        let committed = state.opened().and_then(|opened| opened.seed_commitment);
        if let Some(kept) = locked(&self.seeds).as_ref()
            && Some(kept.commitment()) == committed
        {
            return Ok(Arc::clone(kept));
        }
        let secrets = self.store.secrets(self.stream)?;
        let mut chains = secrets.iter().rev().map(Seeds::of);
        let fits = chains.find(|seeds| Some(seeds.commitment()) == committed);
        let seeds = Arc::new(fits.ok_or(Objection::NoSecret)?);
        *locked(&self.seeds) = Some(Arc::clone(&seeds));
        Ok(seeds)
    }
}

/// The texts of a command that go into the private book.
pub struct Words<'a> {
    stream: StreamId,
    next: u32,
    entries: Vec<PrivateEntry>,
    random: &'a (dyn Fn() -> Result<[u8; 32], BookError> + Sync),
}

impl Words<'_> {
    /// Puts a text into the book, and gives what the event holds of it.
    ///
    /// # Errors
    /// Where the text is too long or cannot be printed, or a reason or note is empty, or there are no
    /// random bytes.
    pub fn say(&mut self, field: Field, text: &str) -> Result<Commitment, DeskError> {
        if matches!(field, Field::Reason | Field::Note) && text.trim().is_empty() {
            return Err(Objection::NoReason.into());
        }
        if field.objection(text).is_some() {
            return Err(Objection::TextNotPrintable.into());
        }
        let number = self.next + self.entries.len() as u32;
        let entry = PrivateEntry::new(number, field, text, &mut || (self.random)());
        let entry = entry.map_err(|error| match error {
            BookError::TooLong { bytes } => DeskError::from(Objection::TextTooLong { bytes }),
            other => other.into(),
        })?;
        let commitment = commit(self.stream, &entry);
        self.entries.push(entry);
        Ok(commitment)
    }
}

/// Said where the chain of seeds ends: it serves as many rounds as an event has.
const NO_ROUND_LEFT: CommandError =
    CommandError::Rejected(Rejection::TooMany { what: "rounds", limit: limits::ROUNDS as u64 });

/// What nothing more can be entered for, once the event is closed.
fn not_closed(state: &Tournament) -> Result<(), DeskError> {
    match state.is_closed() {
        true => Err(CommandError::from(Rejection::Closed).into()),
        false => Ok(()),
    }
}

/// Refuses to go on with an event that was played elsewhere: its rounds come from its file.
fn played_here(state: &Tournament) -> Result<(), DeskError> {
    match state.imported() {
        Some(_) => Err(Objection::PlayedElsewhere.into()),
        None => Ok(()),
    }
}

/// The round that is being played.
pub fn open_round(state: &Tournament) -> Option<&Round> {
    state.last_round().filter(|round| round.completed.is_none())
}

fn first_half(bytes: [u8; 32]) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&bytes[..16]);
    half
}

impl From<StoreError> for DeskError {
    fn from(error: StoreError) -> DeskError {
        DeskError::Store(error.into())
    }
}

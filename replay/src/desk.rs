//! The desk: what a scorekeeper asks for in their words, turned into commands for the log.
//!
//! Every question is answered on the state of the log as it is now, and recorded on that state
//! only: where another desk records something in between, the question is answered again. What a
//! program needs beside the log (the time, random bytes, who asks) it gives in [`Means`], so that
//! a whole tournament can be played again byte by byte.

mod announcing;
mod attendance;
mod disputes;
mod error;
mod least;
mod opening;
mod people;
mod phases;
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

pub use attendance::{attendance, suggested};
pub use disputes::{Ruled, dispute_number, dispute_of};
pub use error::{DeskError, Objection};
pub use opening::Opening;
pub use people::{Enrolment, Joining, Latecomer};
pub use phases::CutTo;
pub(crate) use phases::could_go_on;
pub use repair::Repaired;
pub use results::{Entered, Slip, Spot, waiting};
pub use roster::{MAX_BYES, MAX_LIST, MAX_ROWS, read_roster, waits};
pub use rounds::{Paired, events_of};
pub use score::{MAX_SLIP, ScoreError, parse_slip, write_slip};
pub use seating::{unpaired, without_seat};
pub use undo::Undone;

use crate::announced::AnnouncedTable;
use crate::archive::{Archive, ArchiveError, free_number};
use scrutineer_engine::book::{BookError, Commitment, Field, PrivateEntry, commit};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::Event;
use scrutineer_engine::limits;
use scrutineer_engine::log::Head;
use scrutineer_engine::record::{Actor, CommandId, Header, StreamId, Time};
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::scorekeeper::{Answer, Refusal, Request, Scorekeeper, read_events};
use scrutineer_engine::seed::Seeds;
use scrutineer_engine::tournament::{Round, Tournament};
use scrutineer_projections::ruleset::{Ruleset, parse};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// How often a question is answered again because others recorded something in between.
const MAX_TRIES: u32 = 100;

/// What a desk needs beside the log.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Who asks.
    pub actor: Actor,
    /// The time by this desk's clock.
    pub clock: &'a dyn Fn() -> Time,
    /// 32 random bytes, such as [`system_salt`](scrutineer_store::texts::system_salt).
    pub random: &'a dyn Fn() -> Result<[u8; 32], BookError>,
}

/// What was recorded: the events with the seq of the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The seq of the first event.
    pub first_seq: u64,
    /// The events.
    pub events: Vec<Event>,
}

/// What a question makes of the state: the events that answer it.
pub type Planning<'a> =
    dyn FnMut(&Tournament, &mut Words<'_>) -> Result<Vec<Event>, DeskError> + 'a;

/// A desk at one tournament.
pub struct Desk<'a> {
    archive: &'a Archive,
    keeper: Scorekeeper<'a>,
    stream: StreamId,
    means: Means<'a>,
    /// Who asks, where that is somebody with a name.
    person: Option<staff::Person>,
    /// The number of the next private entry, where it is known.
    next_entry: Cell<Option<u32>>,
    rules: RefCell<Option<Arc<Ruleset>>>,
    seeds: RefCell<Option<Rc<Seeds>>>,
    /// The tables of the announcements that are being put together.
    announced: RefCell<Vec<AnnouncedTable>>,
    /// Whether the last snapshot was looked for.
    started: Cell<bool>,
}

impl<'a> Desk<'a> {
    /// A desk at a tournament of the archive.
    pub fn at(archive: &'a Archive, stream: StreamId, means: Means<'a>) -> Desk<'a> {
        let keeper = Scorekeeper::new(archive.log(), archive.books());
        Desk {
            archive,
            keeper,
            stream,
            means,
            person: None,
            next_entry: Cell::new(None),
            rules: RefCell::default(),
            seeds: RefCell::default(),
            announced: RefCell::default(),
            started: Cell::new(false),
        }
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
        if !self.started.replace(true)
            && let Some((head, state)) = self.archive.snapshot(self.stream)?
        {
            self.keeper.start_from(self.stream, head, state);
        }
        Ok(self.keeper.load(self.stream).map_err(Refusal::from)?)
    }

    /// The ruleset in force.
    ///
    /// # Errors
    /// Where the text in the log is no ruleset for this version.
    pub fn rules(&self, state: &Tournament) -> Result<Arc<Ruleset>, DeskError> {
        let files = state.ruleset().unwrap_or_default();
        if let Some(kept) = self.rules.borrow().as_ref().filter(|kept| kept.files == files) {
            return Ok(Arc::clone(kept));
        }
        let rules = Arc::new(parse(files)?);
        *self.rules.borrow_mut() = Some(Arc::clone(&rules));
        Ok(rules)
    }

    /// Spares the desk reading a ruleset that its owner has read already. Another one than the log
    /// holds is never used.
    pub fn knows(&self, rules: &Arc<Ruleset>) {
        *self.rules.borrow_mut() = Some(Arc::clone(rules));
    }

    /// Records what `plan` makes of the state as it stands.
    ///
    /// # Errors
    /// What `plan` objects to, or why it cannot be recorded.
    pub fn record(&self, plan: &mut Planning<'_>) -> Result<Done, DeskError> {
        match &self.person {
            Some(person) => self.record_of(person, plan),
            None => self.record_by(self.means.actor, plan),
        }
    }

    fn record_by(&self, actor: Actor, plan: &mut Planning<'_>) -> Result<Done, DeskError> {
        let id = CommandId(u128::from_le_bytes(first_half((self.means.random)()?)));
        for _ in 0..MAX_TRIES {
            let (head, state) = self.load()?;
            let mut words = self.words(&state)?;
            self.announced.borrow_mut().clear();
            let events = plan(&state, &mut words)?;
            let private = words.entries;
            let next = self.next_entry.get().map(|next| next + private.len() as u32);
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
                Ok(Answer { first_seq, .. }) => {
                    self.next_entry.set(next);
                    if events.iter().any(|event| matches!(event, Event::StandingsAnnounced(_))) {
                        self.keep_beside();
                    }
                    return Ok(Done { first_seq, events });
                }
                Err(Refusal::Moved { .. } | Refusal::Book(BookError::NumberTaken { .. })) => {
                    self.next_entry.set(None);
                }
                Err(other) => {
                    self.next_entry.set(None);
                    return Err(other.into());
                }
            }
        }
        Err(Refusal::TooBusy.into())
    }

    /// Every event of the log.
    fn logged(&self) -> Result<Vec<(Header, Event)>, DeskError> {
        let mut log = Vec::new();
        let read = read_events(self.archive.log(), self.stream, 0, &mut |record, event| {
            log.push((*record.header(), event));
        });
        read.map_err(Refusal::from)?;
        Ok(log)
    }

    fn words(&self, state: &Tournament) -> Result<Words<'a>, DeskError> {
        let next = match self.next_entry.get() {
            Some(next) => next,
            None => free_number(self.archive.books(), self.stream, state)?,
        };
        self.next_entry.set(Some(next));
        let random = self.means.random;
        Ok(Words { stream: self.stream, next, entries: Vec::new(), random })
    }

    /// The seeds, from the organizer's secret to which the tournament has committed.
    fn seeds(&self, state: &Tournament) -> Result<Rc<Seeds>, DeskError> {
        let committed = state.opened().and_then(|opened| opened.seed_commitment);
        if let Some(kept) = self.seeds.borrow().as_ref()
            && Some(kept.commitment()) == committed
        {
            return Ok(Rc::clone(kept));
        }
        let secrets = self.archive.secrets(self.stream)?;
        let mut chains = secrets.iter().rev().map(Seeds::of);
        let fits = chains.find(|seeds| Some(seeds.commitment()) == committed);
        let seeds = Rc::new(fits.ok_or(Objection::NoSecret)?);
        *self.seeds.borrow_mut() = Some(Rc::clone(&seeds));
        Ok(seeds)
    }
}

/// The texts of a command that go into the private book.
pub struct Words<'a> {
    stream: StreamId,
    next: u32,
    entries: Vec<PrivateEntry>,
    random: &'a dyn Fn() -> Result<[u8; 32], BookError>,
}

impl Words<'_> {
    /// Puts a text into the book, and gives what the event holds of it.
    ///
    /// # Errors
    /// Where the text is too long or cannot be printed, or there are no random bytes.
    pub fn say(&mut self, field: Field, text: &str) -> Result<Commitment, DeskError> {
        if field == Field::Reason && text.trim().is_empty() {
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
const NO_ROUND_LEFT: Refusal =
    Refusal::Rejected(Rejection::TooMany { what: "rounds", limit: limits::ROUNDS as u64 });

/// What nothing more can be entered for, once the event is closed.
fn not_closed(state: &Tournament) -> Result<(), DeskError> {
    match state.is_closed() {
        true => Err(Refusal::from(Rejection::Closed).into()),
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

impl From<ArchiveError> for DeskError {
    fn from(error: ArchiveError) -> DeskError {
        DeskError::Archive(error.into())
    }
}

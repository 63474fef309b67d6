//! The only writer: it loads a tournament, decides, appends, and answers.

use crate::book::{BookError, BookShelf, PrivateEntry};
use crate::codec::{self, CodecError};
use crate::command::Command;
use crate::decide::decide_on;
use crate::event::{DecodeError, Event, SCHEMA};
use crate::log::{AppendError, Batch, CommandTrace, Head, Log, LogError};
use crate::record::{Actor, CommandId, Header, Record, RecordError, StreamId, Time};
use crate::rejection::Rejection;
use crate::tournament::Tournament;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

mod scratch;

use scratch::Scratches;

/// How often a command is decided anew because somebody else appended in between.
const MAX_TRIES: u32 = 1_000;

/// The context of a command's digest.
pub const COMMAND_CONTEXT: &str = "scrutineer 2026 command v1";

/// A command with everything about it that is not what happened.
#[derive(Clone, Debug)]
pub struct Request {
    /// The tournament.
    pub stream: StreamId,
    /// Made by the client; a repeated id gets its first answer again.
    pub id: CommandId,
    /// Who asks.
    pub actor: Actor,
    /// When, by the clock of the desk.
    pub time: Time,
    /// The words behind the commitments of the command; they are on the disk before the events.
    pub private: Vec<PrivateEntry>,
    /// What is asked for.
    pub command: Command,
    /// The head on whose state the command was made up, where it holds for that state only, such
    /// as a draw; none: for whatever stands when it is recorded.
    pub expected: Option<u64>,
}

/// A command that is recorded, durably.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The seq of its first event.
    pub first_seq: u64,
    /// The seq of its last event.
    pub last_seq: u64,
    /// Whether it had been recorded before and nothing new was.
    pub repeated: bool,
}

/// Why a command is not recorded.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The rules of the log say no.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// The id was used for another command.
    #[error("this command id was used for something else, as events {} to {}", .0.first_seq, .0.last_seq)]
    IdReused(CommandTrace),
    /// The log cannot be written.
    #[error("{0}")]
    Append(#[from] AppendError),
    /// The tournament cannot be read.
    #[error("{0}")]
    Load(#[from] LoadError),
    /// The private book cannot be written.
    #[error("{0}")]
    Book(#[from] BookError),
    /// Somebody recorded something since the state for which the command was made up.
    #[error("events were recorded since event {expected}: the log is at {head}")]
    Moved {
        /// The head for which it was made up.
        expected: u64,
        /// The head now.
        head: u64,
    },
    /// Others appended every time.
    #[error("others recorded {MAX_TRIES} times in between; try again")]
    TooBusy,
}

impl Refusal {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::Rejected(rejection) => rejection.code(),
            Refusal::IdReused(_) => "command-id-reused",
            Refusal::Append(_) => "log-not-written",
            Refusal::Load(_) => "log-not-read",
            Refusal::Book(_) => "book-not-written",
            Refusal::Moved { .. } => "moved",
            Refusal::TooBusy => "too-busy",
        }
    }
}

/// Why a tournament cannot be folded from its log.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The log cannot be read.
    #[error("{0}")]
    Log(#[from] LogError),
    /// An event cannot be read.
    #[error("event {seq}: {source}")]
    Event {
        /// Its seq.
        seq: u64,
        /// What is wrong with it.
        source: DecodeError,
    },
}

/// Reads every event of a stream after `after`, in order.
///
/// # Errors
/// Where the log or an event cannot be read.
pub fn read_events(
    log: &dyn Log,
    stream: StreamId,
    after: u64,
    visit: &mut dyn FnMut(&Record, Event),
) -> Result<(), LoadError> {
    let mut failed = None;
    log.read(stream, after, &mut |record| match event_of(&record) {
        Ok(event) => {
            visit(&record, event);
            ControlFlow::Continue(())
        }
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    })?;
    failed.map_or(Ok(()), Err)
}

/// The event that a record of our own log holds.
///
/// # Errors
/// Where its kind is unknown or its payload malformed.
pub fn event_of(record: &Record) -> Result<Event, LoadError> {
    let header = record.header();
    Event::decode_own(header.kind, header.schema, record.payload())
        .map_err(|source| LoadError::Event { seq: header.seq, source })
}

/// A tournament and the head up to which it is folded.
type Loaded = (Head, Arc<Tournament>);

/// The only writer of a log.
pub struct Scorekeeper<'a> {
    log: &'a dyn Log,
    books: &'a dyn BookShelf,
    loaded: Mutex<HashMap<StreamId, Loaded>>,
    scratches: Scratches,
    /// Held while a tournament is begun: two who begin the same one must not take each other's
    /// words for those of an earlier try.
    beginning: Mutex<()>,
}

impl<'a> Scorekeeper<'a> {
    /// A scorekeeper for this log and its private books.
    pub fn new(log: &'a dyn Log, books: &'a dyn BookShelf) -> Scorekeeper<'a> {
        Scorekeeper {
            log,
            books,
            loaded: Mutex::default(),
            scratches: Scratches::default(),
            beginning: Mutex::default(),
        }
    }

    /// Records a command. The answer comes when its events are on the disk.
    ///
    /// # Errors
    /// A [`Refusal`]. Nothing of the command is in the log then, but for `log-not-written`: what a
    /// failing disk kept of it shows when the store is opened again.
    pub fn handle(&self, request: &Request) -> Result<Answer, Refusal> {
        let digest = digest(&request.command, request.actor)?;
        let known = self.log.command(request.stream, request.id).map_err(LoadError::from)?;
        if let Some(trace) = known {
            return repeated(trace, digest);
        }
        let mut written = false;
        for _ in 0..MAX_TRIES {
            let (head, state) = self.load(request.stream)?;
            if let Some(expected) = request.expected.filter(|&expected| expected != head.seq) {
                let known =
                    self.log.command(request.stream, request.id).map_err(LoadError::from)?;
                if let Some(trace) = known {
                    return repeated(trace, digest);
                }
                self.forget_words(request)?;
                return Err(Refusal::Moved { expected, head: head.seq });
            }
            let scratch = || self.scratches.take(request.stream, &state);
            let sealed = decide_on(&state, &request.command, scratch)
                .and_then(|decided| Ok((seal(request, head, digest, &decided.0)?, decided)));
            let (batch, (events, tried)) = match sealed {
                Ok(sealed) => sealed,
                Err(rejected) => return self.reject(request, digest, rejected),
            };
            let begins = head == Head::EMPTY && !request.private.is_empty();
            let _alone = begins
                .then(|| self.beginning.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
            if begins && self.log.head(request.stream).map_err(LoadError::from)? != head {
                continue;
            }
            if !std::mem::replace(&mut written, true) {
                self.write_private(request, head)?;
            }
            match self.log.append(head, batch) {
                Ok(new_head) => {
                    self.keep(request.stream, new_head, state, events, tried);
                    let (first_seq, last_seq) = (head.seq + 1, new_head.seq);
                    return Ok(Answer { first_seq, last_seq, repeated: false });
                }
                Err(AppendError::Conflict { .. }) => {}
                Err(AppendError::CommandKnown(trace)) => return repeated(trace, digest),
                Err(other) => return Err(other.into()),
            }
        }
        Err(Refusal::TooBusy)
    }

    /// Puts the words into the book. A command that is sent again after it was cut off finds its
    /// own words there already; one that begins a tournament may find those of an earlier try, to
    /// which no event refers.
    fn write_private(&self, request: &Request, head: Head) -> Result<(), BookError> {
        let (stream, entries) = (request.stream, &request.private[..]);
        match self.books.append(stream, entries) {
            Err(BookError::NumberTaken { .. }) => {}
            done => return done,
        }
        let book = self.books.book(stream)?;
        let there = entries.iter().take_while(|entry| book.entry(entry.number) == Some(*entry));
        let missing = &entries[there.count()..];
        if head == Head::EMPTY && missing.len() == entries.len() {
            self.books.discard(stream)?;
        }
        self.books.append(stream, missing)
    }

    /// Nothing of a rejected command stays: somebody else may have made it illegal after its
    /// words were written. Unless it was this very command, sent twice at once.
    fn reject(
        &self,
        request: &Request,
        digest: [u8; 32],
        rejected: Rejection,
    ) -> Result<Answer, Refusal> {
        let known = self.log.command(request.stream, request.id).map_err(LoadError::from)?;
        if let Some(trace) = known {
            return repeated(trace, digest);
        }
        self.forget_words(request)?;
        Err(rejected.into())
    }

    /// The words may also be those of an earlier try that was cut off before its events. Salts are
    /// random, so what stands in the book word for word is this command's own.
    fn forget_words(&self, request: &Request) -> Result<(), BookError> {
        if request.private.is_empty() {
            return Ok(());
        }
        let book = self.books.book(request.stream)?;
        let own = request.private.iter().filter(|entry| book.entry(entry.number) == Some(*entry));
        let numbers: Vec<u32> = own.map(|entry| entry.number).collect();
        if !numbers.is_empty() {
            self.books.forget(request.stream, &numbers)?;
        }
        Ok(())
    }

    /// The tournament as it stands, and its head.
    ///
    /// # Errors
    /// Where the log or an event cannot be read.
    pub fn load(&self, stream: StreamId) -> Result<Loaded, LoadError> {
        let kept = self.loaded().get(&stream).cloned();
        let head = self.log.head(stream)?;
        let (mut at, state) = kept.unwrap_or_default();
        if at == head {
            return Ok((at, state));
        }
        let mut state = Arc::unwrap_or_clone(state);
        read_events(self.log, stream, at.seq, &mut |record, event| {
            state.evolve(&event);
            at = Head { seq: record.header().seq, hash: record.hash() };
        })?;
        let state = Arc::new(state);
        self.loaded().insert(stream, (at, Arc::clone(&state)));
        Ok((at, state))
    }

    /// Spares the scorekeeper reading a tournament from its first event: this is its state at that
    /// head, such as a snapshot has it.
    pub fn start_from(&self, stream: StreamId, head: Head, state: Tournament) {
        self.loaded().entry(stream).or_insert_with(|| (head, Arc::new(state)));
    }

    /// Keeps the tournament after these events; `tried` is what it is then, where they were tried.
    fn keep(
        &self,
        stream: StreamId,
        head: Head,
        state: Arc<Tournament>,
        events: Vec<Event>,
        tried: Option<Tournament>,
    ) {
        self.loaded().remove(&stream);
        let state = match tried {
            Some(tried) => {
                self.scratches.keep(stream, state, events);
                tried
            }
            None => {
                let mut state = Arc::unwrap_or_clone(state);
                events.iter().for_each(|event| state.evolve(event));
                self.scratches.follow(stream, head.seq, events);
                state
            }
        };
        self.loaded().insert(stream, (head, Arc::new(state)));
    }

    /// A panic elsewhere leaves at worst an older state, which the head shows to be old.
    fn loaded(&self) -> std::sync::MutexGuard<'_, HashMap<StreamId, Loaded>> {
        self.loaded.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn repeated(trace: CommandTrace, digest: [u8; 32]) -> Result<Answer, Refusal> {
    if trace.digest != digest {
        return Err(Refusal::IdReused(trace));
    }
    let CommandTrace { first_seq, last_seq, .. } = trace;
    Ok(Answer { first_seq, last_seq, repeated: true })
}

/// Says whether two requests under one id ask for the same. A retry sends the same commitments.
///
/// # Errors
/// Where a part of the command is larger than a record may be.
pub fn digest(command: &Command, actor: Actor) -> Result<[u8; 32], Rejection> {
    let mut hasher = blake3::Hasher::new_derive_key(COMMAND_CONTEXT);
    hasher.update(&actor.0.to_le_bytes());
    let mut part = |bytes: Result<Vec<u8>, CodecError>| {
        let bytes = bytes.map_err(|why| Rejection::TooLarge { why })?;
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(&bytes);
        Ok::<(), Rejection>(())
    };
    match command {
        Command::Record(events) => {
            part(codec::encode(&"record"))?;
            events.iter().try_for_each(|event| {
                part(codec::encode(&event.kind()))?;
                part(event.encode())
            })?;
        }
        Command::Enrol(players) => {
            part(codec::encode(&"enrol"))?;
            players.iter().try_for_each(|player| part(codec::encode(player)))?;
        }
        Command::OpenRound { round, pairings, byes } => {
            part(codec::encode(&("open round", round)))?;
            pairings.iter().try_for_each(|pairing| part(codec::encode(pairing)))?;
            byes.iter().try_for_each(|bye| part(codec::encode(bye)))?;
        }
        Command::Result { round, table, result } => {
            part(codec::encode(&("result", round, table, result)))?;
        }
        Command::Correct { round, table, result, reason, dispute } => {
            part(codec::encode(&("correct", round, table, result, reason, dispute)))?;
        }
        Command::Advance { round, table, player, reason } => {
            part(codec::encode(&("advance", round, table, player, reason)))?;
        }
        Command::CompleteRound => part(codec::encode(&"complete round"))?,
    }
    Ok(*hasher.finalize().as_bytes())
}

fn seal(
    request: &Request,
    head: Head,
    command_digest: [u8; 32],
    events: &[Event],
) -> Result<Batch, Rejection> {
    let mut previous = head.hash;
    let mut records = Vec::with_capacity(events.len());
    let parts = events.len() as u32;
    for (part, event) in (1..).zip(events) {
        let payload = event.encode().map_err(|why| Rejection::TooLarge { why })?;
        let header = Header {
            stream: request.stream,
            seq: head.seq + u64::from(part),
            time: request.time,
            actor: request.actor,
            command: request.id,
            part,
            parts,
            kind: event.kind(),
            schema: SCHEMA,
            previous,
        };
        let record = Record::seal(header, &payload).map_err(too_large)?;
        previous = record.hash();
        records.push(record);
    }
    Ok(Batch { records, command_digest })
}

fn too_large(error: RecordError) -> Rejection {
    Rejection::TooLarge { why: CodecError::Malformed(error.to_string()) }
}

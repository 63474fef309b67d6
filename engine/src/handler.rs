//! The only writer: it loads a tournament, decides, appends, and answers.

use crate::book::{BookError, PrivateEntry};
use crate::codec::{self, CodecError};
use crate::command::Command;
use crate::decide::decide_on;
use crate::error::Code;
use crate::event::{DecodeError, Event, SCHEMA};
use crate::log::{AppendError, Batch, BatchError, CommandTrace, Head, Log, LogError};
use crate::record::{Actor, CommandId, Header, Record, RecordError, StreamId, Time};
use crate::rejection::Rejection;
use crate::tournament::Tournament;
use lru::LruCache;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

mod scratch;

use scratch::Scratches;

/// How often a command is decided anew because somebody else appended in between.
const MAX_TRIES: u32 = 1_000;

/// The code of what was not done because the database that keeps the log does not answer.
pub const WAITING: Code = Code::busy("waiting-for-database");

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
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum CommandError {
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
    Moved { expected: u64, head: u64 },
    /// Others appended every time.
    #[error("others recorded {MAX_TRIES} times in between; try again")]
    TooBusy,
}

impl CommandError {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            CommandError::Rejected(rejection) => rejection.code(),
            CommandError::IdReused(_) => Code::conflict("command-id-reused"),
            CommandError::Append(AppendError::Unknown { .. }) => {
                Code::unknown_outcome("outcome-unknown")
            }
            CommandError::Append(AppendError::Read(error)) => {
                error.code().unwrap_or(Code::io("log-not-written"))
            }
            CommandError::Append(AppendError::Texts(error)) => {
                error.of_database().unwrap_or(Code::io("log-not-written"))
            }
            CommandError::Append(_) => Code::io("log-not-written"),
            CommandError::Load(LoadError::Log(error)) => {
                error.code().unwrap_or(Code::damaged("log-not-read"))
            }
            CommandError::Load(_) => Code::damaged("log-not-read"),
            CommandError::Book(error) => {
                error.of_database().unwrap_or(Code::io("book-not-written"))
            }
            CommandError::Moved { .. } => Code::stale("moved"),
            CommandError::TooBusy => Code::busy("too-busy"),
        }
    }
}

/// Why a tournament cannot be folded from its log.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum LoadError {
    /// The log cannot be read.
    #[error("{0}")]
    Log(#[from] LogError),
    /// An event cannot be read.
    #[error("event {seq}: {source}")]
    Event { seq: u64, source: DecodeError },
}

/// Every event of a stream after place `after`, in order, each with its record. Nothing follows an
/// error.
pub fn read_events(
    log: &dyn Log,
    stream: StreamId,
    after: u64,
) -> impl Iterator<Item = Result<(Record, Event), LoadError>> {
    log.read(stream, after).map(|record| {
        let record = record?;
        let event = event_of(&record)?;
        Ok((record, event))
    })
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
pub type Loaded = (Head, Arc<Tournament>);

/// The most tournaments that are kept folded.
const MOST_FOLDED: usize = 256;

/// The most events of all tournaments that are kept folded: the memory of a state grows with them.
const MOST_FOLDED_EVENTS: u64 = 1_000_000;

/// Tournaments that were folded from a log, so that the next command reads only what came since.
/// Those that nobody asked for longest are forgotten first: at most 256 tournaments or 1,000,000
/// events are kept, whichever is reached first.
pub struct FoldedStates {
    loaded: Mutex<LruCache<StreamId, Loaded>>,
    scratches: Scratches,
}

impl Default for FoldedStates {
    fn default() -> FoldedStates {
        FoldedStates { loaded: Mutex::new(LruCache::unbounded()), scratches: Scratches::default() }
    }
}

impl FoldedStates {
    fn put(&self, stream: StreamId, loaded: Loaded) {
        let mut kept = self.loaded();
        kept.put(stream, loaded);
        let mut events: u64 = kept.iter().map(|(_, (head, _))| head.seq).sum();
        while kept.len() > 1 && (kept.len() > MOST_FOLDED || events > MOST_FOLDED_EVENTS) {
            let Some((oldest, (head, _))) = kept.pop_lru() else { break };
            self.scratches.forget(oldest);
            events -= head.seq;
        }
    }

    /// Takes a tournament as others have folded it from the same log, unless a later state is here.
    pub fn share(&self, stream: StreamId, (head, state): Loaded) {
        let is_newer = self.loaded().peek(&stream).is_none_or(|(at, _)| at.seq < head.seq);
        if is_newer {
            self.put(stream, (head, state));
        }
    }

    /// A panic elsewhere leaves at worst an older state, which the head shows to be old.
    fn loaded(&self) -> MutexGuard<'_, LruCache<StreamId, Loaded>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The only writer of a log.
pub struct CommandHandler<'a> {
    log: &'a dyn Log,
    states: Arc<FoldedStates>,
}

impl<'a> CommandHandler<'a> {
    /// A handler of commands for this log and its private texts.
    pub fn new(log: &'a dyn Log) -> CommandHandler<'a> {
        CommandHandler::with(log, Arc::default())
    }

    /// As [`CommandHandler::new`], with states that were folded from this very log before.
    pub fn with(log: &'a dyn Log, states: Arc<FoldedStates>) -> CommandHandler<'a> {
        CommandHandler { log, states }
    }

    /// Records a command. The answer comes when its events are on the disk.
    ///
    /// # Errors
    /// A [`CommandError`]. Nothing of the command is in the log then, but for `log-not-written`: what a
    /// failing disk kept of it shows when the store is opened again.
    pub fn handle(&self, request: &Request) -> Result<Answer, CommandError> {
        let digest = digest(&request.command, request.actor)?;
        let known = self.log.command(request.stream, request.id).map_err(LoadError::from)?;
        if let Some(trace) = known {
            return repeated(trace, digest);
        }
        for _ in 0..MAX_TRIES {
            let (head, state) = self.load(request.stream)?;
            if let Some(expected) = request.expected.filter(|&expected| expected != head.seq) {
                let known =
                    self.log.command(request.stream, request.id).map_err(LoadError::from)?;
                if let Some(trace) = known {
                    return repeated(trace, digest);
                }
                self.forget_words(request)?;
                return Err(CommandError::Moved { expected, head: head.seq });
            }
            let scratch = || self.states.scratches.take(request.stream, &state);
            let sealed = decide_on(&state, &request.command, scratch)
                .and_then(|decided| Ok((seal(request, head, digest, &decided.0)?, decided)));
            let (batch, (events, tried)) = match sealed {
                Ok(sealed) => sealed,
                Err(rejected) => return self.reject(request, digest, rejected),
            };
            match self.log.append(head, batch) {
                Ok(new_head) => {
                    self.keep(request.stream, new_head, state, events, tried);
                    let (first_seq, last_seq) = (head.seq + 1, new_head.seq);
                    return Ok(Answer { first_seq, last_seq, repeated: false });
                }
                Err(AppendError::Conflict { .. }) => {}
                Err(AppendError::CommandKnown(trace)) => return repeated(trace, digest),
                Err(AppendError::Texts(error)) => return Err(error.into()),
                Err(other) => return Err(other.into()),
            }
        }
        Err(CommandError::TooBusy)
    }

    /// Records a command that was recorded elsewhere, as it is: with its envelopes and hashes, behind
    /// `expected`. `digest` is what it was recorded with, where that is known; otherwise that of a
    /// command that asks for its events. Its private texts are the caller's business.
    ///
    /// # Errors
    /// A [`CommandError`]: where the records are not one whole command that follows `expected`, where
    /// what they say is not legal there, and as [`CommandHandler::handle`]. Nothing of it is in the
    /// log then.
    pub fn take_over(
        &self,
        expected: Head,
        records: Vec<Record>,
        digest_there: Option<[u8; 32]>,
    ) -> Result<Head, CommandError> {
        let first = records.first().ok_or(AppendError::Batch(BatchError::Empty))?;
        let Header { stream, actor, .. } = first.header();
        let events = records.iter().map(event_of).collect::<Result<Vec<Event>, LoadError>>()?;
        let command = Command::Record(events);
        let command_digest = digest_there.map_or_else(|| digest(&command, actor), Ok)?;
        let (head, state) = self.load(stream)?;
        if head != expected {
            return Err(AppendError::Conflict { expected, actual: head }.into());
        }
        let batch = Batch { records, command_digest, texts: Vec::new() };
        batch.check(expected).map_err(AppendError::from)?;
        let scratch = || self.states.scratches.take(stream, &state);
        let (events, tried) = decide_on(&state, &command, scratch)?;
        let head = self.log.append(expected, batch)?;
        self.keep(stream, head, state, events, tried);
        Ok(head)
    }

    /// Nothing of a rejected command stays: somebody else may have made it illegal after its
    /// words were written. Unless it was this very command, sent twice at once.
    fn reject(
        &self,
        request: &Request,
        digest: [u8; 32],
        rejected: Rejection,
    ) -> Result<Answer, CommandError> {
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
        let book = self.log.texts().book(request.stream)?;
        let own = request.private.iter().filter(|entry| book.entry(entry.number) == Some(*entry));
        let numbers: Vec<u32> = own.map(|entry| entry.number).collect();
        if !numbers.is_empty() {
            self.log.texts().forget(request.stream, &numbers)?;
        }
        Ok(())
    }

    /// The tournament as it stands, and its head.
    ///
    /// # Errors
    /// Where the log or an event cannot be read.
    pub fn load(&self, stream: StreamId) -> Result<Loaded, LoadError> {
        let kept = self.states.loaded().get(&stream).cloned();
        let head = self.log.head(stream)?;
        // A log that ends earlier, such as one up to what is public, knows nothing of a later state.
        let (mut at, state) = kept.filter(|(at, _)| at.seq <= head.seq).unwrap_or_default();
        if at == head {
            return Ok((at, state));
        }
        let mut state = Arc::unwrap_or_clone(state);
        for read in read_events(self.log, stream, at.seq) {
            let (record, event) = read?;
            state.evolve(&event);
            at = Head { seq: record.header().seq, hash: record.hash() };
        }
        let state = Arc::new(state);
        self.states.put(stream, (at, Arc::clone(&state)));
        Ok((at, state))
    }

    /// Whether a tournament was folded before, so that only what is new in its log is read.
    pub fn has_folded(&self, stream: StreamId) -> bool {
        self.states.loaded().contains(&stream)
    }

    /// Spares the handler reading a tournament from its first event: this is its state at that
    /// head, such as a snapshot has it.
    pub fn start_from(&self, stream: StreamId, head: Head, state: Tournament) {
        if !self.has_folded(stream) {
            self.states.put(stream, (head, Arc::new(state)));
        }
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
        self.states.loaded().pop(&stream);
        let state = match tried {
            Some(tried) => {
                self.states.scratches.keep(stream, state, events);
                tried
            }
            None => {
                let mut state = Arc::unwrap_or_clone(state);
                events.iter().for_each(|event| state.evolve(event));
                self.states.scratches.follow(stream, head.seq, events);
                state
            }
        };
        self.states.put(stream, (head, Arc::new(state)));
    }
}

fn repeated(trace: CommandTrace, digest: [u8; 32]) -> Result<Answer, CommandError> {
    if trace.digest != digest {
        return Err(CommandError::IdReused(trace));
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
    Ok(Batch { records, command_digest, texts: request.private.clone() })
}

fn too_large(error: RecordError) -> Rejection {
    Rejection::TooLarge { why: CodecError::Malformed(error.to_string()) }
}

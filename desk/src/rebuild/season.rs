//! Whole archives rebuilt on many threads, one event after another.

use super::{Rebuilt, rebuild};
use crate::in_order::in_order;
use crate::rules::in_force;
use crate::store::{AddError, Reader, Store, StoreError};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Day, Event, PlayerNumber};
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::FoldError;
use scrutineer_projections::ruleset::{Ruleset, RulesetError, called};
use scrutineer_replay::loaded::{player_names, short_id};
use std::ops::ControlFlow;
use std::sync::Arc;

/// So many events are begun and not reported, for each thread: enough that waiting for the last of
/// them counts for little.
const AHEAD: usize = 512;

/// What a rebuild asks of every event.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The other ruleset.
    pub after: Arc<Ruleset>,
    /// How many make the cut; none: as many as did, or as the event's plan says.
    pub cut: Option<u32>,
    /// Whether everybody who moves will be named, and not only winners and those at the cut.
    pub name_movers: bool,
    /// Whether bundles count too of which something could not be checked.
    pub unsigned: bool,
}

/// A ruleset by what it is called, and its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// What it is called.
    pub id: String,
    /// Its hash.
    pub hash: [u8; 32],
}

impl From<&Ruleset> for Used {
    fn from(rules: &Ruleset) -> Used {
        Used { id: called(&rules.files), hash: rules.hash }
    }
}

/// Why an event could not be folded again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// Its own ruleset or the other one needs what it does not hold.
    #[error("{0}")]
    Fold(#[from] FoldError),
    /// The ruleset it was played by cannot be read.
    #[error("{0}")]
    Ruleset(#[from] RulesetError),
    /// Its log or its private book cannot be read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Its file is not good.
    #[error("{0}")]
    File(#[from] Box<AddError>),
    /// Its file cannot be read.
    #[error("{0}")]
    NotRead(String),
    /// Its bundle is not in order.
    #[error("{0}")]
    Bundle(String),
    /// Some of its bundle could not be checked.
    #[error("not verified: {0}; --unsigned counts it all the same")]
    NotChecked(String),
}

impl Cause {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Cause::Fold(error) => error.code(),
            Cause::Ruleset(_) => Code::invalid("bad-ruleset"),
            Cause::Store(error) => error.code(),
            Cause::File(error) => error.code(),
            Cause::NotRead(_) => Code::io("file-not-read"),
            Cause::Bundle(_) => Code::refused("bundle-not-in-order"),
            Cause::NotChecked(_) => Code::refused("bundle-not-checked"),
        }
    }
}

/// What became of one event.
#[derive(Debug)]
pub struct TournamentFound {
    /// Its id.
    pub stream: StreamId,
    /// Its title; its id where nothing says the title, as in a bundle without names.
    pub title: String,
    /// The day on which it was held.
    pub held_on: Option<Day>,
    /// Whether it is over.
    pub closed: bool,
    /// What it is called where it comes from, of a file of another program: two versions of one are called the same.
    pub source_event: Option<String>,
    /// Whether it was removed: it counts for nothing.
    is_removed: bool,
    /// Whether another history of it was signed too: what is ranked is what was kept of it here.
    pub is_rewritten: bool,
    /// How many players were enrolled.
    pub players: u32,
    /// How many rounds were played.
    pub rounds: u16,
    /// How many facts its log has.
    pub head: u64,
    /// The ruleset it was played by, where it can be read.
    pub before: Option<Used>,
    /// What the comparison found, or why there is none.
    pub found: Result<Rebuilt, Cause>,
    /// What the players are called, where somebody has to be named.
    pub(super) names: Vec<String>,
}

impl TournamentFound {
    /// A player's name; `player 12` where it was erased.
    pub fn name(&self, player: PlayerNumber) -> String {
        let name = self.names.get((player as usize).wrapping_sub(1));
        name.cloned().unwrap_or_else(|| format!("player {player}"))
    }

    /// Names it and its players as they are shown: a copy has no texts of its own.
    pub fn show_as(&mut self, title: String, names: Vec<String>) {
        (self.title, self.names) = (title, names);
    }

    pub(super) fn of(stream: StreamId, title: String) -> TournamentFound {
        TournamentFound {
            stream,
            title,
            held_on: None,
            closed: false,
            source_event: None,
            is_removed: false,
            is_rewritten: false,
            players: 0,
            rounds: 0,
            head: 0,
            before: None,
            found: Err(Cause::Fold(FoldError::NotOpened)),
            names: Vec::new(),
        }
    }

    pub(super) fn look(&mut self, state: &Tournament, asked: &Asked) {
        self.held_on = state.opened().and_then(|opened| opened.held_on);
        self.closed = state.is_closed();
        self.is_removed = state.is_removed();
        self.head = state.head();
        let here = state.players().iter().filter(|player| !player.withdrawn);
        self.players = here.count() as u32;
        self.rounds = state.rounds().iter().filter(|round| !round.withdrawn).count() as u16;
        self.found = self.compare(state, asked);
    }

    fn compare(&mut self, state: &Tournament, asked: &Asked) -> Result<Rebuilt, Cause> {
        let before = in_force(state.ruleset().unwrap_or_default())?;
        self.before = Some(Used::from(&*before));
        Ok(rebuild(state, &before, &asked.after, asked.cut)?)
    }

    /// Whether a report has to name players.
    pub(super) fn names_somebody(&self, asked: &Asked) -> bool {
        let moves = |found: &Rebuilt| asked.name_movers && !found.comparison.moves.is_empty();
        let names = |found: &Rebuilt| found.winner_changes() || found.cut_changes();
        self.found.as_ref().is_ok_and(|found| moves(found) || names(found))
    }
}

/// Folds every event of an archive under another ruleset, on so many threads, and hands over what
/// was found by title and then by id, whatever the number of threads. An event that cannot be
/// folded is handed over with the reason. `begun` is told how many events there are.
///
/// # Errors
/// Where the journal is damaged: then nothing is handed over.
pub fn rebuild_store(
    store: &Store,
    asked: &Asked,
    threads: usize,
    begun: &mut dyn FnMut(usize),
    take: &mut dyn FnMut(TournamentFound) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    rebuild_bit_by_bit(store, asked, (threads, threads.saturating_mul(AHEAD)), begun, take)
}

/// As [`rebuild_store`], with at most so many events done and not handed over: the fewer, the sooner
/// somebody hears how far it is, and the sooner it ends when `take` wants no more.
///
/// # Errors
/// As [`rebuild_store`].
pub fn rebuild_bit_by_bit(
    store: &Store,
    asked: &Asked,
    (threads, ahead): (usize, usize),
    begun: &mut dyn FnMut(usize),
    take: &mut dyn FnMut(TournamentFound) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let whole = store.whole(threads)?;
    let streams = whole.streams();
    let begin = || whole.reader();
    let title =
        |reader: &mut Reader<'_>, at: usize| (title(store, reader, streams[at]), streams[at]);
    let mut order: Vec<(String, StreamId)> =
        in_order(streams.len(), threads, ahead.max(AHEAD), begin, title).collect();
    order.sort_unstable();
    begun(order.len());
    let work = |reader: &mut Reader<'_>, at: usize| {
        let (title, stream) = &order[at];
        let mut event = TournamentFound::of(*stream, title.clone());
        if let Err(error) = fill(store, reader, &mut event, asked) {
            event.found = Err(error.into());
        }
        event
    };
    let found = in_order(order.len(), threads, ahead, begin, work);
    let mut found = found.filter(|event| !event.is_removed);
    let _ = found.try_for_each(take);
    Ok(())
}

/// An event's title, or its id where nothing says the title; what cannot be read is told when the event is
/// folded.
fn title(store: &Store, reader: &mut Reader<'_>, stream: StreamId) -> String {
    let first = reader.read(stream).next();
    let title = match first {
        Some(Ok((_, Event::TournamentOpened(opened)))) => Some(opened.title),
        _ => None,
    };
    let text = title.and_then(|title| {
        let book = store.books().beginning(stream, title.number).ok()?;
        store.known_title(&book, &title)
    });
    text.unwrap_or_else(|| short_id(stream))
}

fn fill(
    store: &Store,
    reader: &mut Reader<'_>,
    event: &mut TournamentFound,
    asked: &Asked,
) -> Result<(), StoreError> {
    let mut state = Tournament::default();
    for read in reader.read(event.stream) {
        state.evolve(&read?.1);
    }
    event.look(&state, asked);
    event.is_rewritten = store.rewritten(event.stream)?.is_some();
    if event.names_somebody(asked) {
        event.names = player_names(&state, &store.book_of(event.stream, &state)?);
    }
    Ok(())
}

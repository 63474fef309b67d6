//! A tournament as it was read: its state, its names, and the texts behind its commitments.

use crate::as_of::AsOf;
use crate::kept::KeptError;
use crate::trust::receipt::taken_back;
use scrutineer_engine::book::{Book, Commitment, Opened};
use scrutineer_engine::event::{Event, PlayerNumber, Seq, Traces};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::log::Log;
use scrutineer_engine::names::{looks, unturned};
use scrutineer_engine::record::{Header, RecordHash, StreamId};
use scrutineer_engine::tournament::{Player, Tournament};
use scrutineer_projections::timeline::Words;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The first eight digits of an id, by which people name a tournament.
pub fn short_id(stream: StreamId) -> String {
    stream.to_string().chars().take(8).collect()
}

/// A tournament with everything that is known of it.
pub struct LoadedTournament {
    /// Its id.
    pub stream: StreamId,
    /// Its state.
    pub state: Arc<Tournament>,
    /// The hash of the last record.
    pub head: RecordHash,
    /// Its private book.
    pub book: Book,
    /// Its events with their envelopes, in order, where they were asked for.
    pub log: Vec<(Header, Event)>,
    /// How much of its log it was folded from, where it is shown as of a moment.
    pub as_of: Option<AsOf>,
    /// What its players are called, by number, as [`player_names`] gives it.
    pub names: Arc<Vec<String>>,
}

impl LoadedTournament {
    /// Returns it with other texts, such as those that a venue shows beside a copy of it.
    pub fn read_with(self, book: Book) -> LoadedTournament {
        let names = Arc::new(player_names(&self.state, &book));
        LoadedTournament { book, names, ..self }
    }

    /// Its title.
    pub fn title(&self) -> String {
        let opened = self.state.opened();
        opened.map_or("untitled".into(), |opened| text_or(&self.book, &opened.title, "untitled"))
    }

    /// A player's name; `player 12` where it was erased, `Bob (12)` where others are called so.
    pub fn name(&self, number: PlayerNumber) -> String {
        let name = self.names.get((number as usize).wrapping_sub(1));
        name.cloned().unwrap_or_else(|| format!("player {number}"))
    }

    /// A player's title and federation; neither where nobody has a name here, since they would say who it is.
    pub fn described(&self, player: &Player) -> [Option<String>; 2] {
        let is_named = matches!(self.book.text(&player.name), Opened::Text(_));
        [&player.title, &player.federation].map(|word| word.clone().filter(|_| is_named))
    }

    /// Each event of its log that was taken back, by itself or with its match or round, with the event that
    /// took it back.
    pub fn taken_back(&self) -> BTreeMap<Seq, Seq> {
        taken_back(self.log.iter().map(|(header, event)| (header.seq, event)))
    }
}

/// The names of all players, by number; who is called like somebody else is told apart by it.
pub fn player_names(state: &Tournament, book: &Book) -> Vec<String> {
    told_apart(state, names_alone(state, book))
}

/// The names of all players, by number, as they stand in the private texts; `player 12` where one was erased.
pub fn names_alone(state: &Tournament, book: &Book) -> Vec<String> {
    let name =
        |player: &Player| text_or_else(book, &player.name, || format!("player {}", player.number));
    state.players().iter().map(name).collect()
}

/// The names of all players, by number, with the number behind each that looks like another one.
pub fn told_apart(state: &Tournament, mut names: Vec<String>) -> Vec<String> {
    let looked: Vec<String> = names.iter().map(|name| looks(name)).collect();
    let mut counts: HashMap<&str, u32> = HashMap::with_capacity(looked.len());
    for (look, _) in looked.iter().zip(state.players()).filter(|(_, player)| !player.withdrawn) {
        *counts.entry(look).or_default() += 1;
    }
    for ((name, look), player) in names.iter_mut().zip(&looked).zip(state.players()) {
        if counts.get(&look[..]).is_some_and(|count| *count > 1) {
            *name = format!("{name} ({})", player.number);
        }
    }
    names
}

/// The text behind a commitment, or a stand-in.
pub fn text_or(book: &Book, commitment: &Commitment, otherwise: &str) -> String {
    text_or_else(book, commitment, || otherwise.to_string())
}

/// As [`text_or`], with a stand-in that is made where it is needed.
fn text_or_else(
    book: &Book,
    commitment: &Commitment,
    otherwise: impl FnOnce() -> String,
) -> String {
    match book.text(commitment) {
        Opened::Text(text) => unturned(text),
        Opened::Altered => format!("{} (the private texts were altered)", otherwise()),
        Opened::Erased | Opened::Missing => otherwise(),
    }
}

/// The words behind a commitment, or why there are none.
pub fn words(book: &Book, commitment: &Commitment) -> String {
    let otherwise = match book.text(commitment) {
        Opened::Missing => "(not given)",
        _ => "(erased)",
    };
    text_or(book, commitment, otherwise)
}

/// The highest number of a private entry to which an event of a log commits; 0 where none does.
///
/// # Errors
/// Where the log cannot be read.
pub fn last_entry(log: &dyn Log, stream: StreamId) -> Result<u32, KeptError> {
    let mut last = 0;
    for read in read_events(log, stream, 0) {
        let (_, event) = read?;
        let numbers = event.commitments().into_iter().map(|(_, words)| words.number);
        last = numbers.fold(last, u32::max);
    }
    Ok(last)
}

/// What the events of a log say of its private texts.
///
/// # Errors
/// Where the log cannot be read.
pub fn traces(log: &dyn Log, stream: StreamId) -> Result<Traces, KeptError> {
    let mut traces = Traces::default();
    for read in read_events(log, stream, 0) {
        traces.take(&read?.1);
    }
    Ok(traces)
}

impl LoadedTournament {
    /// A tournament from its events and what is known of its words.
    pub fn of(
        stream: StreamId,
        head: RecordHash,
        log: Vec<(Header, Event)>,
        book: Book,
    ) -> LoadedTournament {
        let state = Arc::new(Tournament::of(log.iter().map(|(_, event)| event)));
        let names = Arc::new(player_names(&state, &book));
        LoadedTournament { stream, state, head, book, log, as_of: None, names }
    }
}

impl Words for LoadedTournament {
    fn player(&self, number: PlayerNumber) -> String {
        self.name(number)
    }

    fn text(&self, commitment: &Commitment) -> String {
        words(&self.book, commitment)
    }

    fn name(&self, number: PlayerNumber, name: &Commitment) -> String {
        text_or(&self.book, name, &format!("player {number}"))
    }
}

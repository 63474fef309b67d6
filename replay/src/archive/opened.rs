//! An event that was read, as lists and sentences use it.

use super::{OpenEvent, player_names, words};
use scrutineer_engine::book::{Book, Commitment};
use scrutineer_engine::event::{Event, PlayerNumber};
use scrutineer_engine::record::{Header, RecordHash, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::timeline::Words;

impl OpenEvent {
    /// A tournament from its events and what is known of its words.
    pub fn of(
        stream: StreamId,
        head: RecordHash,
        log: Vec<(Header, Event)>,
        book: Book,
    ) -> OpenEvent {
        let state = Tournament::of(log.iter().map(|(_, event)| event));
        let names = player_names(&state, &book);
        OpenEvent { stream, state, head, book, log, as_of: None, names }
    }
}

impl Words for OpenEvent {
    fn player(&self, number: PlayerNumber) -> String {
        self.name(number)
    }

    fn text(&self, commitment: &Commitment) -> String {
        words(&self.book, commitment)
    }
}

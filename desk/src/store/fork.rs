//! A copy of one tournament, on which anything can be tried.

use super::{Place, Store, StoreError};
use scrutineer_engine::book::MemoryTexts;
use scrutineer_engine::event::Seq;
use scrutineer_engine::handler::CommandHandler;
use scrutineer_engine::log::{Head, MemoryLog};
use scrutineer_engine::record::{Record, StreamId};
use std::sync::Arc;

impl Store {
    /// A copy of one tournament in memory: its records and its private book. What is recorded
    /// there never reaches this store. The secret of its seeds stays behind, so that nobody sees
    /// a draw before it is made, and could choose.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn fork(&self, stream: StreamId) -> Result<Store, StoreError> {
        self.fork_until(stream, Seq::MAX)
    }

    /// As [`Store::fork`], of what had been recorded when `until` ended its command.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub(crate) fn fork_until(&self, stream: StreamId, until: Seq) -> Result<Store, StoreError> {
        let count = usize::try_from(until).unwrap_or(usize::MAX);
        let records: Vec<Record> =
            self.log().read(stream, 0).take(count).collect::<Result<_, _>>()?;
        let log = MemoryLog::with_texts(MemoryTexts::holding(self.book(stream)?));
        let handler = CommandHandler::new(&log);
        let mut head = Head::EMPTY;
        let of_one = |a: &Record, b: &Record| a.header().command == b.header().command;
        for command in records.chunk_by(of_one) {
            let known = self.log().command(stream, command[0].header().command)?;
            let digest = known.map_or([0; 32], |trace| trace.digest);
            head = handler.take_over(head, command.to_vec(), Some(digest))?;
        }
        drop(handler);
        Ok(Store { log: Place::Memory(Arc::new(log)), ..Store::in_memory() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::{Desk, Means};
    use crate::simulate::Simulation;
    use scrutineer_engine::event::{DropReason, Event};
    use scrutineer_engine::record::{Actor, Time};
    use scrutineer_projections::ruleset::Library;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU8, Ordering};

    #[test]
    fn what_is_recorded_on_a_copy_stays_there() {
        let store = Store::in_memory();
        let rules = Library::shipped().ruleset("mtr").expect("it is shipped");
        let simulation = Simulation { rounds: Some(3), ..Simulation::new(9, Arc::new(rules), 3) };
        let stream = simulation.play(&store).expect("played").stream;
        let event = || store.load(stream, true).expect("it loads");
        let (before, fork) = (event(), store.fork(stream).expect("copied"));
        let copied = fork.load(stream, true).expect("it loads");
        assert!(copied.head == before.head && copied.log == before.log);
        assert_eq!(copied.book, before.book);
        assert!(fork.secrets(stream).expect("readable").is_empty());

        let drawn = AtomicU8::new(0);
        let random = || Ok([drawn.fetch_add(1, Ordering::Relaxed); 32]);
        let means = Means { actor: Actor(1), clock: &Time::default, random: &random };
        let desk = Desk::at(&fork, stream, means);
        let state = desk.state().expect("a state");
        if state.is_closed() {
            let closed = |(_, event): &&(_, Event)| matches!(event, Event::TournamentClosed(_));
            let (header, _) = before.log.iter().rfind(closed).expect("it was closed");
            desk.withdraw(header.seq, "what if").expect("it opens again");
        }
        let here = state.players().iter().find(|p| p.dropped().is_none()).expect("somebody");
        desk.drop_player(here.number, DropReason::Left).expect("he drops");
        let changed = fork.load(stream, true).expect("it loads");
        assert_eq!(changed.log[..before.log.len()], before.log[..]);
        assert!(changed.log.len() > before.log.len());
        assert!(event().head == before.head && event().book == before.book);
    }
}

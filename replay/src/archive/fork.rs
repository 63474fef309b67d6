//! A copy of one tournament, on which anything can be tried.

use super::{Archive, ArchiveError, Kept};
use scrutineer_engine::book::MemoryShelf;
use scrutineer_engine::event::Seq;
use scrutineer_engine::log::{Batch, Log, MemoryLog};
use scrutineer_engine::record::{Record, StreamId};
use std::ops::ControlFlow;

impl Archive {
    /// A copy of one tournament in memory: its records and its private book. What is recorded
    /// there never reaches this store. The secret of its seeds stays behind, so that nobody sees
    /// a draw before it is made, and could choose.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn fork(&self, stream: StreamId) -> Result<Archive, ArchiveError> {
        self.fork_until(stream, Seq::MAX)
    }

    /// As [`Archive::fork`], of what had been recorded when `until` ended its command.
    ///
    /// # Errors
    /// Where the log or the book cannot be read.
    pub fn fork_until(&self, stream: StreamId, until: Seq) -> Result<Archive, ArchiveError> {
        let mut records: Vec<Record> = Vec::new();
        self.log().read(stream, 0, &mut |record| {
            if record.header().seq > until {
                return ControlFlow::Break(());
            }
            records.push(record);
            ControlFlow::Continue(())
        })?;
        let log = MemoryLog::new();
        let mut head = log.head(stream)?;
        let of_one = |a: &Record, b: &Record| a.header().command == b.header().command;
        for command in records.chunk_by(of_one) {
            let known = self.log().command(stream, command[0].header().command)?;
            let command_digest = known.map_or([0; 32], |trace| trace.digest);
            head = log.append(head, Batch { records: command.to_vec(), command_digest })?;
        }
        let books = Box::new(MemoryShelf::holding(self.books.book(stream)?));
        Ok(Archive { log: Kept::Memory(log), books, ..Archive::in_memory() })
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

    #[test]
    fn what_is_recorded_on_a_copy_stays_there() {
        let archive = Archive::in_memory();
        let rules = Library::shipped().ruleset("mtr").expect("it is shipped");
        let simulation = Simulation { rounds: Some(3), ..Simulation::new(9, Arc::new(rules), 3) };
        let stream = simulation.play(&archive).expect("played").stream;
        let event = || archive.load(stream, true).expect("it loads");
        let (before, fork) = (event(), archive.fork(stream).expect("copied"));
        let copied = fork.load(stream, true).expect("it loads");
        assert!(copied.head == before.head && copied.log == before.log);
        assert_eq!(copied.book, before.book);
        assert!(fork.secrets(stream).expect("readable").is_empty());

        let drawn = std::cell::Cell::new(0);
        let random = || Ok([drawn.replace(drawn.get() + 1); 32]);
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

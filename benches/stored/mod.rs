//! The tournament over which benches measure, in a store.

use scrutineer_engine::book::MemoryShelf;
use scrutineer_engine::command::Command;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_engine::scorekeeper::{Request, Scorekeeper};
use scrutineer_store::EmbeddedLog;

/// Plays the commands into a store.
pub fn write(log: &EmbeddedLog, stream: StreamId, commands: Vec<Vec<Event>>) {
    let books = MemoryShelf::new();
    let scorekeeper = Scorekeeper::new(log, &books);
    for (id, events) in (1..).zip(commands) {
        let request = Request {
            stream,
            id: CommandId(id),
            actor: Actor(1),
            time: Time { unix_micros: 0 },
            private: Vec::new(),
            command: Command::Record(events),
            expected: None,
        };
        scorekeeper.handle(&request).expect("the workload is legal");
    }
}

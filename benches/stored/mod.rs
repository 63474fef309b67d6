//! The tournament over which benches measure, in a store.

use scrutineer_engine::command::Command;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{CommandHandler, Request};
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_store::EmbeddedLog;

/// Plays the commands into a store.
pub fn write(log: &EmbeddedLog, stream: StreamId, commands: Vec<Vec<Event>>) {
    let handler = CommandHandler::new(log);
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
        handler.handle(&request).expect("the workload is legal");
    }
}

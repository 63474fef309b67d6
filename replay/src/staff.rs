//! Who recorded what: the people behind the actors' numbers.

use crate::loaded::{LoadedTournament, text_or};
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::{Actor, Header};
use std::collections::BTreeMap;

/// The actor of what a file says, which nobody did at a desk.
const PROGRAM: Actor = Actor(0);

/// Who the actors' numbers stand for, as last named.
pub struct Staff<'a> {
    event: &'a LoadedTournament,
    names: BTreeMap<u32, Commitment>,
}

impl<'a> Staff<'a> {
    /// Who they are by an event's log.
    pub fn of(event: &'a LoadedTournament) -> Staff<'a> {
        let named = event.log.iter().filter_map(|(_, logged)| match logged {
            Event::StaffNamed(staff) => Some((staff.actor, staff.name)),
            _ => None,
        });
        Staff { event, names: named.collect() }
    }

    /// Who recorded something.
    pub fn who(&self, header: &Header) -> String {
        match self.names.get(&header.actor.0) {
            None if header.actor == PROGRAM => "import".into(),
            None => format!("actor {}", header.actor),
            Some(name) => text_or(&self.event.book, name, &format!("actor {}", header.actor)),
        }
    }
}

/// Whether somebody did this at a desk when the record says. What was played elsewhere and came in
/// as a file has the time of its import.
pub fn at_a_desk(header: &Header) -> bool {
    header.actor != PROGRAM
}

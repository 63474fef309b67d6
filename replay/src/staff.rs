//! Who recorded what: the people behind the actors' numbers.

use crate::loaded::{LoadedTournament, text_or};
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::{Event, PlayerNumber};
use scrutineer_engine::record::{Actor, Header};
use std::collections::BTreeMap;

/// The actor of what a file says, which nobody did at a desk.
const PROGRAM: Actor = Actor(0);

/// The number to which a player's is added where they record something on a device of their own.
const PLAYERS: u32 = 0x4000_0000;

/// Returns the actor of what a player records.
pub const fn actor_of_player(player: PlayerNumber) -> Actor {
    Actor(PLAYERS | player)
}

/// Returns the player of an actor, where it is one's.
pub fn player_of(actor: Actor) -> Option<PlayerNumber> {
    actor.0.checked_sub(PLAYERS).filter(|player| (1..PLAYERS).contains(player))
}

/// Who the actors' numbers stand for, as last named.
pub struct Staff<'a> {
    event: &'a LoadedTournament,
    names: BTreeMap<u32, Commitment>,
}

impl<'a> Staff<'a> {
    /// Who they are by a tournament's log.
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
            None => match player_of(header.actor) {
                Some(player) => self.event.name(player),
                None => format!("actor {}", header.actor),
            },
            Some(name) => text_or(&self.event.book, name, &format!("actor {}", header.actor)),
        }
    }
}

/// Whether somebody did this at a desk when the record says. What was played elsewhere and came in
/// as a file has the time of its import.
pub fn at_a_desk(header: &Header) -> bool {
    header.actor != PROGRAM
}

//! Who recorded what: the people behind the actors' numbers.

use crate::loaded::{LoadedTournament, text_or};
use scrutineer_engine::book::{Book, Commitment};
use scrutineer_engine::event::{Event, PlayerNumber, Seq};
use scrutineer_engine::handler::{LoadError, event_of};
use scrutineer_engine::log::Log;
use scrutineer_engine::record::{Actor, Header, RecordHash, StreamId};
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
        let player = |player| self.event.name(player);
        called(header.actor, self.names.get(&header.actor.0), &self.event.book, player)
    }
}

/// What an actor is called, who was last named so or never.
fn called(
    actor: Actor,
    name: Option<&Commitment>,
    book: &Book,
    player: impl FnOnce(PlayerNumber) -> String,
) -> String {
    match name {
        None if actor == PROGRAM => "import".into(),
        None => match player_of(actor) {
            Some(number) => player(number),
            None => format!("actor {actor}"),
        },
        Some(name) => text_or(book, name, &format!("actor {actor}")),
    }
}

/// Who the actors' numbers stand for in a log that is not loaded: what was read of it is not read again.
#[derive(Debug, Default)]
pub struct Named {
    /// The last record that was read.
    read: Option<(Seq, RecordHash)>,
    names: BTreeMap<u32, Commitment>,
}

impl Named {
    /// Who recorded an event, as [`Staff::who`] says it, but for players, who are told by their numbers. None where
    /// there is no such event.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn who_recorded(
        &mut self,
        log: &dyn Log,
        stream: StreamId,
        book: &Book,
        seq: Seq,
    ) -> Result<Option<String>, LoadError> {
        self.read_on(log, stream)?;
        let record = log.read(stream, seq.saturating_sub(1)).next().transpose()?;
        let header = record.map(|record| record.header()).filter(|header| header.seq == seq);
        Ok(header.map(|header| {
            let player = |player: PlayerNumber| format!("player {player}");
            called(header.actor, self.names.get(&header.actor.0), book, player)
        }))
    }

    fn read_on(&mut self, log: &dyn Log, stream: StreamId) -> Result<(), LoadError> {
        let mut records = log.read(stream, self.read.map_or(0, |(seq, _)| seq.saturating_sub(1)));
        if let Some((seq, hash)) = self.read {
            let there = records.next().transpose()?;
            // Where another record stands there, or none, it is another log.
            if there.is_none_or(|record| (record.header().seq, record.hash()) != (seq, hash)) {
                *self = Named::default();
                records = log.read(stream, 0);
            }
        }
        for record in records {
            let record = record?;
            let header = record.header();
            if Event::KINDS.contains(&(header.kind, "StaffNamed"))
                && let Event::StaffNamed(staff) = event_of(&record)?
            {
                self.names.insert(staff.actor, staff.name);
            }
            self.read = Some((header.seq, record.hash()));
        }
        Ok(())
    }
}

/// Whether somebody did this at a desk when the record says. What was played elsewhere and came in
/// as a file has the time of its import.
pub fn at_a_desk(header: &Header) -> bool {
    header.actor != PROGRAM
}

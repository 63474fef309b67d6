//! Who asks: the people at the desk, by name.
//!
//! The log holds numbers, and says once for whom each stands. A number is drawn, so that two desks
//! which carry a tournament on without each other hardly ever give one to two people.

use super::Asked;
use super::{Desk, DeskError, Done, Planning};
use crate::store::StoreError;
use scrutineer_engine::book::{Book, Field, Opened};
use scrutineer_engine::command::Command;
use scrutineer_engine::decide::decide;
use scrutineer_engine::event::{Event, StaffNamed};
use scrutineer_engine::handler::{CommandError, read_events};
use scrutineer_engine::names::{looks, plain};
use scrutineer_engine::record::Actor;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// The first number of the staff; those below are the program's and the owner's.
const FIRST: u32 = 100;

/// Numbers are drawn from this many.
const COUNT: u32 = 1_000_000 - FIRST;

/// How often a number is drawn that somebody has.
const TRIES: usize = 64;

/// Somebody who asks, and the number that stands for them here once it is known.
pub(super) struct Person {
    name: String,
    actor: Mutex<Option<Actor>>,
}

/// Who has recorded something in a tournament.
struct Known {
    /// The number of this person, as last named.
    own: Option<Actor>,
    taken: BTreeSet<u32>,
}

impl<'a> Desk<'a> {
    /// This desk with somebody at it who has a name: what they record has a number of its own, and
    /// the first time the log says for whom it stands.
    #[must_use]
    pub fn of_person(mut self, name: Option<&str>) -> Desk<'a> {
        let person = |name: &str| Person { name: name.into(), actor: Mutex::default() };
        self.person = name.map(person);
        self
    }

    pub(super) fn record_of(
        &self,
        person: &Person,
        plan: &mut Planning<'_>,
    ) -> Result<Done, DeskError> {
        if let Some(actor) = *super::locked(&person.actor) {
            return self.record_by(actor, plan, self.asked);
        }
        let known = self.known(&person.name)?;
        let actor = match known.own {
            Some(actor) => actor,
            None => self.free_actor(&known.taken)?,
        };
        let mut name = |_: &_, words: &mut super::Words<'_>| {
            let name = words.say(Field::Staff, &person.name)?;
            Ok(vec![Event::StaffNamed(StaffNamed { actor: actor.0, name })])
        };
        let (head, state) = self.load()?;
        let mut asked = self.asked;
        if known.own.is_none() && head.seq > 0 {
            // A person who is refused, by the desk or by the log, is not named.
            let asked_for = Command::Record(plan(&state, &mut self.words(&state)?)?);
            decide(&state, &asked_for).map_err(CommandError::from)?;
            let naming = Asked { id: None, ..asked };
            let named = self.record_by(actor, &mut name, naming)?;
            asked.expected = asked.expected.map(|_| named.first_seq);
        }
        drop(state);
        let done = self.record_by(actor, plan, asked)?;
        if head.seq == 0 {
            self.record_by(actor, &mut name, Asked::default())?;
        }
        *super::locked(&person.actor) = Some(actor);
        Ok(done)
    }

    /// Returns the number of whoever is at this desk; none where they have recorded nothing yet.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn asker(&self) -> Result<Option<Actor>, DeskError> {
        match &self.person {
            Some(person) => match *super::locked(&person.actor) {
                Some(actor) => Ok(Some(actor)),
                None => Ok(self.known(&person.name)?.own),
            },
            None => Ok(Some(self.means.actor)),
        }
    }

    /// Returns whether somebody of the staff has a number here.
    pub(super) fn is_staff(&self, actor: u32) -> Result<bool, DeskError> {
        Ok(actor >= FIRST && self.known("")?.taken.contains(&actor))
    }

    fn known(&self, person: &str) -> Result<Known, DeskError> {
        let book = self.store.book(self.stream)?;
        let (mut named, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for read in read_events(self.store.log(), self.stream, 0) {
            let (record, event) = read.map_err(StoreError::from)?;
            taken.insert(record.header().actor.0);
            if let Event::StaffNamed(staff) = event {
                taken.insert(staff.actor);
                named.insert(staff.actor, is_called(&book, &staff, person));
            }
        }
        let own = named.into_iter().find(|(_, is_own)| *is_own);
        Ok(Known { own: own.map(|(actor, _)| Actor(actor)), taken })
    }

    fn free_actor(&self, taken: &BTreeSet<u32>) -> Result<Actor, DeskError> {
        for _ in 0..TRIES {
            let [a, b, c, d, ..] = (self.means.random)()?;
            let number = FIRST + u32::from_le_bytes([a, b, c, d]) % COUNT;
            if !taken.contains(&number) {
                return Ok(Actor(number));
            }
        }
        // Whoever draws the same again and again gets the next that is free.
        let free = (FIRST..u32::MAX).find(|number| !taken.contains(number));
        Ok(Actor(free.unwrap_or(u32::MAX)))
    }
}

fn is_called(book: &Book, staff: &StaffNamed, name: &str) -> bool {
    matches!(book.text(&staff.name), Opened::Text(text) if plain(&looks(text)) == plain(&looks(name)))
}

//! What a log says of the texts beside it.

use std::collections::BTreeSet;

use super::{Event, TextsForgotten};

/// What the events of a log say of the texts beside it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Traces {
    committed: BTreeSet<u32>,
    forgotten: BTreeSet<u32>,
}

impl Traces {
    /// Takes the next event of the log. A number counts as forgotten only where an earlier event
    /// has a text under it.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::TextsForgotten(TextsForgotten { numbers }) => {
                let there = numbers.iter().filter(|number| self.committed.contains(number));
                self.forgotten.extend(there);
            }
            event if event.last_entry() > 0 => {
                self.committed.extend(event.commitments().iter().map(|(_, words)| words.number));
            }
            _ => {}
        }
    }

    /// Whether the log says that the text under this number was forgotten.
    pub fn is_forgotten(&self, number: u32) -> bool {
        self.forgotten.contains(&number)
    }

    /// The numbers of the texts that were forgotten.
    pub fn forgotten(&self) -> impl Iterator<Item = u32> {
        self.forgotten.iter().copied()
    }

    /// Whether nothing may stand under this number: its text was forgotten, or no event has one
    /// there, such as where a command was refused.
    pub fn may_be_empty(&self, number: u32) -> bool {
        self.is_forgotten(number) || !self.committed.contains(&number)
    }
}

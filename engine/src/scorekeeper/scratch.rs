//! Copies of long tournaments on which commands of several events are tried. Copying a tournament
//! for each such command would make a log of many of them cost the square of its length.

use crate::event::Event;
use crate::record::StreamId;
use crate::tournament::Tournament;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// From so many events on a copy is kept: a shorter tournament is copied in no time.
const LONG: u64 = 10_000;

/// The most that a copy may be behind before it is given up.
const MOST_BEHIND: usize = 1_000;

/// A copy of a tournament, and what was recorded since.
struct Scratch {
    state: Tournament,
    behind: Vec<Event>,
}

impl Scratch {
    fn head(&self) -> u64 {
        self.state.head() + self.behind.len() as u64
    }
}

/// The copies that are kept.
#[derive(Default)]
pub struct Scratches(Mutex<HashMap<StreamId, Scratch>>);

impl Scratches {
    /// A copy of `state`, to try a command on. Whoever takes it and then records nothing drops it.
    pub fn take(&self, stream: StreamId, state: &Tournament) -> Tournament {
        let kept = self.kept().remove(&stream);
        match kept.filter(|scratch| scratch.head() == state.head()) {
            Some(Scratch { state: mut scratch, behind }) => {
                behind.iter().for_each(|event| scratch.evolve(event));
                scratch
            }
            None => state.clone(),
        }
    }

    /// Notes that `events` were recorded, up to `head`: on a copy, or not.
    pub fn keep(&self, stream: StreamId, head: u64, events: Vec<Event>, tried: Option<Tournament>) {
        if head < LONG {
            return;
        }
        let mut kept = self.kept();
        if let Some(state) = tried {
            kept.insert(stream, Scratch { state, behind: Vec::new() });
            return;
        }
        let Some(scratch) = kept.get_mut(&stream) else { return };
        scratch.behind.extend(events);
        if scratch.head() != head || scratch.behind.len() > MOST_BEHIND {
            kept.remove(&stream);
        }
    }

    /// A panic elsewhere leaves at worst a copy that its head shows to be old.
    fn kept(&self) -> MutexGuard<'_, HashMap<StreamId, Scratch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Copies of long tournaments on which commands of several events are tried. Copying a tournament
//! for each such command would make a log of many of them cost the square of its length.

use crate::event::Event;
use crate::record::StreamId;
use crate::tournament::Tournament;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// From so many events on a copy is kept: a shorter tournament is copied in no time.
const LONG: u64 = 10_000;

/// A copy of a tournament, and what was recorded since.
struct Scratch {
    state: Tournament,
    behind: Vec<Event>,
}

impl Scratch {
    fn head(&self) -> u64 {
        self.state.head() + self.behind.len() as u64
    }

    /// Whether it is so far behind that the events it waits for would fill the memory.
    fn is_far_behind(&self) -> bool {
        self.behind.len() as u64 > LONG.max(self.state.head() / 4)
    }
}

/// The copies that are kept.
#[derive(Default)]
pub(crate) struct Scratches(Mutex<HashMap<StreamId, Scratch>>);

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

    /// Keeps the tournament as it was before `events`, as a copy to try the next command on. Where
    /// somebody else still reads it, none is kept.
    pub fn keep(&self, stream: StreamId, before: Arc<Tournament>, events: Vec<Event>) {
        let Ok(state) = Arc::try_unwrap(before) else { return };
        let scratch = Scratch { state, behind: events };
        if scratch.state.head() >= LONG && !scratch.is_far_behind() {
            self.kept().insert(stream, scratch);
        }
    }

    /// Lets the copy follow what was recorded up to `head` without it.
    pub fn follow(&self, stream: StreamId, head: u64, events: Vec<Event>) {
        let mut kept = self.kept();
        let Some(scratch) = kept.get_mut(&stream) else { return };
        scratch.behind.extend(events);
        if scratch.head() != head || scratch.is_far_behind() {
            kept.remove(&stream);
        }
    }

    /// Drops the copy of a tournament.
    pub fn forget(&self, stream: StreamId) {
        self.kept().remove(&stream);
    }

    /// A panic elsewhere leaves at worst a copy that its head shows to be old.
    fn kept(&self) -> MutexGuard<'_, HashMap<StreamId, Scratch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG, Scratch, Scratches};
    use crate::book::Commitment;
    use crate::event::{Event, PlayerEnrolled, Scoresheet, TournamentOpened};
    use crate::record::StreamId;
    use crate::tournament::Tournament;
    use std::sync::Arc;

    const STREAM: StreamId = StreamId([7; 16]);
    const NOBODY: Commitment = Commitment { number: 1, digest: [0; 32] };

    fn enrollments(state: &Tournament, count: u32) -> Vec<Event> {
        let first = state.players().len() as u32 + 1;
        (first..first + count).map(|player| PlayerEnrolled::new(player, NOBODY).into()).collect()
    }

    #[test]
    fn a_copy_is_always_what_the_tournament_is() {
        let scratches = Scratches::default();
        let opened = TournamentOpened::new(NOBODY, Scoresheet::default());
        let mut state = Tournament::of(&[opened.into()]);
        enrollments(&state, LONG as u32).iter().for_each(|event| state.evolve(event));
        let mut kept = 0;
        for step in 0..80 {
            let events = enrollments(&state, 1 + step % 3);
            let mut after = scratches.take(STREAM, &state);
            assert!(after == state, "step {step}");
            events.iter().for_each(|event| after.evolve(event));
            match step % 7 {
                // Refused: what was tried is gone.
                0 => continue,
                // Recorded without having been tried, or by somebody else.
                1 | 2 => scratches.follow(STREAM, after.head(), events),
                3 => {}
                // Somebody still reads what stood before.
                4 => {
                    let before = Arc::new(state);
                    scratches.keep(STREAM, Arc::clone(&before), events);
                }
                _ => scratches.keep(STREAM, Arc::new(state), events),
            }
            state = after;
            kept += scratches.kept().len();
        }
        assert!(kept > 20, "copies are kept");
    }

    #[test]
    fn a_copy_follows_what_is_recorded_without_it() {
        let scratches = Scratches::default();
        let mut state = Tournament::default();
        enrollments(&state, LONG as u32).iter().for_each(|event| state.evolve(event));
        let record = |count: u32, state: &mut Tournament| {
            let events = enrollments(state, count);
            events.iter().for_each(|event| state.evolve(event));
            events
        };
        let before = Arc::new(state.clone());
        scratches.keep(STREAM, before, record(2, &mut state));
        for _ in 0..5 {
            let events = record(1, &mut state);
            scratches.follow(STREAM, state.head(), events);
        }
        assert_eq!(scratches.kept().len(), 1);
        assert!(scratches.take(STREAM, &state) == state);
        // One that is far behind is given up, and so is one that missed something.
        scratches.keep(STREAM, Arc::new(state.clone()), record(2, &mut state));
        let many = record(LONG as u32, &mut state);
        scratches.follow(STREAM, state.head(), many);
        assert_eq!(scratches.kept().len(), 0);
        scratches.keep(STREAM, Arc::new(state.clone()), record(2, &mut state));
        record(1, &mut state);
        let events = record(1, &mut state);
        scratches.follow(STREAM, state.head(), events);
        assert_eq!(scratches.kept().len(), 0);
        assert!(scratches.take(STREAM, &state) == state);
    }

    /// A short tournament is copied in no time, and what a copy waits for stays within a quarter
    /// of it.
    #[test]
    fn copies_are_kept_of_long_tournaments_that_are_near() {
        let mut state = Tournament::default();
        for (events, waits_for) in [(LONG - 1, LONG), (LONG, LONG), (60_000, 15_000)] {
            let more = (events - state.head()) as u32;
            enrollments(&state, more).iter().for_each(|event| state.evolve(event));
            for (behind, is_near) in [(waits_for, true), (waits_for + 1, false)] {
                let behind = vec![
                    TournamentOpened::new(NOBODY, Scoresheet::default()).into();
                    behind as usize
                ];
                let scratch = Scratch { state: state.clone(), behind };
                assert_eq!(!scratch.is_far_behind(), is_near, "{events} events");
                let scratches = Scratches::default();
                scratches.keep(STREAM, Arc::new(scratch.state), scratch.behind);
                let is_kept = is_near && events >= LONG;
                assert_eq!(scratches.kept().len(), usize::from(is_kept), "{events} events");
            }
        }
    }
}

//! Events that are being put together for one command.

use scrutineer_engine::event::{
    Event, PassedOver, PhaseKind, PhaseStarted, PlayerNumber, Scoresheet,
};
use scrutineer_engine::tournament::Tournament;

/// How many players one event of the log lists; a longer list goes on in the next.
pub(super) const LISTED: usize = 10_000;

/// Events that are being put together, and the state after them.
pub(super) struct Plan {
    pub state: Tournament,
    pub events: Vec<Event>,
}

impl Plan {
    pub fn of(state: &Tournament) -> Plan {
        Plan { state: state.clone(), events: Vec::new() }
    }

    pub fn add(&mut self, event: impl Into<Event>) {
        let event = event.into();
        self.state.evolve(&event);
        self.events.push(event);
    }

    /// Starts the next phase.
    pub fn start_phase(
        &mut self,
        kind: PhaseKind,
        entrants: &[PlayerNumber],
        passed_over: Vec<PassedOver>,
        scoresheet: Option<Scoresheet>,
    ) {
        let before = self.state.phases().iter().rev().find(|phase| !phase.withdrawn);
        let phase = before.map_or(1, |phase| phase.number + 1);
        let mut first_seed = 1;
        let (mut passed_over, mut scoresheet) = (passed_over, scoresheet);
        let mut parts = entrants.chunks(LISTED);
        let mut part = parts.next().unwrap_or_default();
        loop {
            self.add(PhaseStarted {
                phase,
                kind,
                first_seed,
                entrants: part.to_vec(),
                group_sizes: Vec::new(),
                passed_over: std::mem::take(&mut passed_over),
                scoresheet: scoresheet.take(),
            });
            first_seed += part.len() as u32;
            match parts.next() {
                Some(next) => part = next,
                None => break,
            }
        }
    }
}

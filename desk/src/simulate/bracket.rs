//! What a simulated bracket needs beside the desk: who has to be let through.

use super::SimulateError;
use super::hall::Hall;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_pairing::winner;

impl Hall<'_> {
    /// Where a match of a bracket has no winner, the head judge lets somebody go on.
    pub(crate) fn decide_draws(&mut self, round: RoundNumber) -> Result<(), SimulateError> {
        let state = self.desk.state()?;
        let of_round = state.matches().filter(|found| found.round().number == round);
        let undecided =
            of_round.filter(|found| winner(&state, &self.simulation.rules, *found).is_none());
        let tables: Vec<(u32, Vec<PlayerNumber>)> = undecided
            .filter_map(|found| {
                Some((found.table()?, found.seats().iter().map(|s| s.player).collect()))
            })
            .collect();
        drop(state);
        for (table, seats) in tables {
            let player = seats[self.dice.below(seats.len() as u64) as usize];
            self.desk.advance(Some(round), table, player, "sudden death")?;
            self.counts.advanced += 1;
        }
        Ok(())
    }
}

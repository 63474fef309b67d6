//! What goes on beside the play: late entries, drops, returns, no-shows, penalties, repairs.

use super::SimulateError;
use super::hall::{Hall, Setting};
use crate::desk::Paired;
use scrutineer_engine::event::{DropReason, PenaltyKind, PhaseKind, PlayerNumber};
use scrutineer_engine::tournament::Availability;
use scrutineer_pairing::winner;

impl Hall<'_> {
    /// Before a round: who comes late, and who comes back.
    pub(crate) fn come_and_go_back(&mut self, setting: Setting) -> Result<(), SimulateError> {
        if !setting.first || !matches!(setting.kind, PhaseKind::Swiss | PhaseKind::Pods) {
            return Ok(());
        }
        let has_begun = self.desk.state()?.last_round().is_some();
        while has_begun && self.enrolled < self.people.len() && (setting.last || self.chance(600)) {
            let person = self.people[self.enrolled].enrollment.clone();
            self.desk.enroll(&[person], self.late)?;
            self.enrolled += 1;
            self.counts.late += 1;
        }
        let state = self.desk.state()?;
        let left = |player: &&scrutineer_engine::tournament::Player| {
            matches!(
                player.availability.last(),
                Some((_, Availability::Dropped(DropReason::Left, _)))
            )
        };
        let gone: Vec<PlayerNumber> =
            state.players().iter().filter(left).map(|p| p.number).collect();
        drop(state);
        for player in gone {
            if self.chance(self.simulation.rates.returns) {
                self.desk.reinstate(player, false, "changed his mind")?;
                self.counts.returns += 1;
            }
        }
        Ok(())
    }

    /// Before the pairings are published: a late correction and a new draw, or a repair around
    /// somebody who is not there.
    pub fn disturb(
        &mut self,
        setting: Setting,
        paired: &Paired,
    ) -> Result<Option<Paired>, SimulateError> {
        let disturbed = self.chance(self.simulation.rates.repairs);
        let tables = &paired.drawn.tables;
        let again = disturbed && self.chance(400) && !tables.is_empty();
        self.correct_all()?;
        if again {
            self.counts.pairings_again += 1;
            return self.pair(true);
        }
        let is_possible = matches!(setting.kind, PhaseKind::Swiss) || setting.knockout();
        if disturbed && is_possible && tables.len() > 2 {
            let table = &tables[self.dice.below(tables.len() as u64) as usize];
            let seat = self.dice.below(table.seats.len() as u64) as usize;
            let out = table.seats[seat].player;
            self.desk.repair(&[out], &[], "is not in the hall")?;
            self.counts.repairs += 1;
            self.counts.no_shows += 1;
        }
        Ok(None)
    }

    /// Penalties, for this match or the next one.
    pub fn penalise(&mut self, setting: Setting) -> Result<(), SimulateError> {
        // A match loss says who won only where there are two.
        let kinds = match setting.kind {
            PhaseKind::Pods => &[PenaltyKind::Warning, PenaltyKind::GameLoss][..],
            _ => &[PenaltyKind::Warning, PenaltyKind::GameLoss, PenaltyKind::MatchLoss],
        };
        for player in self.seated()?.concat() {
            if self.chance(self.simulation.rates.penalties) {
                let kind = kinds[self.dice.below(kinds.len() as u64) as usize];
                let now = self.chance(500);
                self.desk.penalise(player, kind, now, "tardiness")?;
                self.counts.penalties += 1;
            }
        }
        Ok(())
    }

    /// Who does not appear at their table loses there; a head judge removes a few.
    pub fn absent(&mut self, setting: Setting) -> Result<(), SimulateError> {
        let tables = self.seated()?;
        if setting.kind == PhaseKind::Pods || tables.len() < 2 {
            return Ok(());
        }
        for table in tables {
            let Some(&player) = table.get(self.dice.below(table.len() as u64) as usize) else {
                continue;
            };
            // Either of the two.
            if self.chance(self.simulation.rates.no_shows * 2) {
                let why = match self.chance(150) {
                    true => DropReason::Disqualified,
                    false => DropReason::NoShow,
                };
                self.desk.drop_player(player, why)?;
                self.counts.no_shows += 1;
            }
        }
        Ok(())
    }

    /// After a round: who goes home.
    pub fn leave(&mut self, setting: Setting) -> Result<(), SimulateError> {
        let state = self.desk.state()?;
        let next = state.next_round_number();
        let here = state.players().iter().filter(|player| player.takes_part_in(next));
        let mut here: Vec<PlayerNumber> = here.map(|player| player.number).collect();
        if setting.knockout() {
            // Of those who are still in at most one leaves, and never a finalist.
            let round = next - 1;
            let tables = state.matches().filter(|found| found.round().number == round);
            let won: Vec<PlayerNumber> =
                tables.filter_map(|found| winner(&state, &self.simulation.rules, found)).collect();
            here = if won.len() < 4 { Vec::new() } else { won[..1].to_vec() };
        }
        drop(state);
        let mut left = here.len();
        for player in here {
            if (left > 2 || setting.knockout()) && self.chance(self.simulation.rates.drops) {
                self.desk.drop_player(player, DropReason::Left)?;
                self.counts.drops += 1;
                left -= 1;
            }
        }
        Ok(())
    }

    /// Who sits where in the round that is being played, at tables without a result.
    fn seated(&self) -> Result<Vec<Vec<PlayerNumber>>, SimulateError> {
        let state = self.desk.state()?;
        let round = state.last_round().map_or(0, |round| round.number);
        let open = state.matches().filter(|m| m.round().number == round && m.result().is_none());
        Ok(open.map(|found| found.seats().iter().map(|seat| seat.player).collect()).collect())
    }
}

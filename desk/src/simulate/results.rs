//! A round's results as they come to the desk: some the wrong way round.

use super::SimulateError;
use super::hall::{Correction, Hall, Setting};
use super::slip::{Play, Written};
use crate::desk::{DeskError, Objection, Slip};
use scrutineer_engine::event::{PlayerNumber, RoundNumber};

/// A table that plays.
struct Table {
    number: u32,
    seats: Vec<PlayerNumber>,
}

impl Hall<'_> {
    /// Plays every table that has no result yet and enters what comes out.
    pub fn enter_results(&mut self, setting: Setting) -> Result<(), SimulateError> {
        self.absent(setting)?;
        let (round, tables) = self.open_tables()?;
        let written = self.play_all(setting, &tables)?;
        let mut slips: Vec<(Table, Written)> = tables.into_iter().zip(written).collect();
        self.dice.shuffle(&mut slips);
        for (table, right) in slips {
            let wrong = match self.chance(self.simulation.rates.wrong) {
                true => right.backwards(),
                false => None,
            };
            let entered = self.enter(&table, wrong.as_ref().unwrap_or(&right))?;
            if wrong.is_some() && entered {
                self.corrections.push(Correction { round, table: table.number, right });
            }
        }
        // What would let the wrong player go on is noticed at once, half of the rest too.
        let mut kept = Vec::new();
        for correction in std::mem::take(&mut self.corrections) {
            match setting.knockout() || setting.last || self.chance(500) {
                true => self.correct(&correction)?,
                false => kept.push(correction),
            }
        }
        self.corrections = kept;
        Ok(())
    }

    /// Puts right everything that is known to be wrong.
    pub(crate) fn correct_all(&mut self) -> Result<(), SimulateError> {
        for correction in std::mem::take(&mut self.corrections) {
            self.correct(&correction)?;
        }
        Ok(())
    }

    fn correct(&mut self, correction: &Correction) -> Result<(), SimulateError> {
        let score = correction.right.text();
        let slip = Slip { table: correction.table, score: &score };
        self.desk.correct(Some(correction.round), slip, "entered the wrong way round", None)?;
        self.counts.corrections += 1;
        Ok(())
    }

    fn open_tables(&self) -> Result<(RoundNumber, Vec<Table>), SimulateError> {
        let state = self.desk.state()?;
        let round = state.last_round().map_or(0, |round| round.number);
        let open = state.matches().filter(|m| m.round().number == round && m.result().is_none());
        let table = |found: scrutineer_engine::tournament::MatchView<'_>| {
            let seats = found.seats().iter().map(|seat| seat.player).collect();
            Some(Table { number: found.table()?, seats })
        };
        Ok((round, open.filter_map(table).collect()))
    }

    fn play_all(
        &mut self,
        setting: Setting,
        tables: &[Table],
    ) -> Result<Vec<Written>, SimulateError> {
        let state = self.desk.state()?;
        let sheet = state.last_round().and_then(|round| state.scoresheet(round)).cloned();
        let play = Play {
            sheet: &sheet.unwrap_or_default(),
            rules: &self.simulation.rules,
            draws: self.simulation.rates.draws,
            knockout: setting.knockout(),
        };
        let strength = |player: &PlayerNumber| self.people[*player as usize - 1].strength;
        let agree = setting.first && setting.last && self.simulation.cut.is_some();
        let agreed = if agree { self.simulation.rates.agreed } else { 0 };
        let mut slips = Vec::new();
        for table in tables {
            let strengths: Vec<u32> = table.seats.iter().map(strength).collect();
            let mut written = play.play(&strengths, &mut self.dice);
            // Those who are sure of the cut sit at the first tables.
            let safe = table.number <= self.simulation.cut.unwrap_or(0).div_ceil(2);
            if safe && agreed > 0 && self.dice.below(1000) < u64::from(agreed) {
                written = Written::agreed_draw();
                self.counts.agreed += 1;
            }
            slips.push(written);
        }
        Ok(slips)
    }

    /// Enters a slip; false where a penalty decides the match, whatever was played.
    fn enter(&mut self, table: &Table, written: &Written) -> Result<bool, SimulateError> {
        let score = written.text();
        self.counts.results += 1;
        match self.desk.enter(Slip { table: table.number, score: &score }) {
            Ok(entered) => Ok(entered.served.is_empty()),
            Err(DeskError::Objection(Objection::PenaltyWaits { player })) => {
                let word = |seat: &PlayerNumber| if *seat == player { "l" } else { "w" };
                let words: Vec<&str> = table.seats.iter().map(word).collect();
                let slip = Slip { table: table.number, score: &words.join("-") };
                match self.desk.enter(slip) {
                    Ok(_) => Ok(false),
                    // Both of them.
                    Err(DeskError::Objection(Objection::PenaltyWaits { .. })) => {
                        let words = vec!["l"; table.seats.len()].join("-");
                        self.desk.enter(Slip { table: table.number, score: &words })?;
                        Ok(false)
                    }
                    Err(error) => Err(error.into()),
                }
            }
            Err(DeskError::Objection(Objection::GameLossWaits { player, .. })) => {
                self.counts.results -= 1;
                let seat = table.seats.iter().position(|seat| *seat == player).unwrap_or(0);
                let state = self.desk.state()?;
                let sheet = state.last_round().and_then(|round| state.scoresheet(round));
                let best_of = sheet.and_then(|sheet| sheet.best_of).unwrap_or(3);
                drop(state);
                self.enter(table, &written.clone().with_lost_game(seat, best_of))
            }
            // The head judge lets somebody go on.
            Err(DeskError::Objection(Objection::DrawnInBracket { round, .. })) => {
                let player = table.seats[self.dice.below(table.seats.len() as u64) as usize];
                self.desk.advance(Some(round), table.number, player, "sudden death")?;
                self.counts.advanced += 1;
                let entered = self.desk.enter(Slip { table: table.number, score: &score })?;
                Ok(entered.served.is_empty())
            }
            Err(error) => Err(error.into()),
        }
    }
}

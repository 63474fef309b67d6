//! The hall in which a simulated tournament is played, phase by phase and round by round.

use super::counts::{Counts, Simulated, Standing};
use super::field::{Person, people};
use super::slip::Written;
use super::supply::Supply;
use super::{SimulateError, Simulation};
use crate::desk::{CutTo, Desk, DeskError, Latecomer, Objection, Paired};
use scrutineer_engine::event::{PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::dice::Dice;
use scrutineer_pairing::{PairingError, Situation, robin, running_phase, winner};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::standings::{Detail, Standings};

/// A result that was entered wrongly and will be corrected.
pub(super) struct Correction {
    pub round: RoundNumber,
    pub table: u32,
    pub right: Written,
}

/// Everything about the tournament while it is played.
pub(super) struct Hall<'a> {
    pub simulation: &'a Simulation,
    pub desk: Desk<'a>,
    pub dice: Dice,
    /// By player number, from 1; those who have not come yet at the end.
    pub people: Vec<Person>,
    /// How many have enrolled.
    pub enrolled: usize,
    pub late: Latecomer,
    pub corrections: Vec<Correction>,
    pub counts: Counts,
    made_cut: Vec<PlayerNumber>,
    standing: Option<Standing>,
}

/// How a round went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// How the phase is played.
    pub kind: PhaseKind,
    /// Whether it is the first phase.
    pub first: bool,
    /// Whether no round follows in the phase.
    pub last: bool,
}

impl Setting {
    /// Whether losers are out.
    pub fn knockout(self) -> bool {
        self.kind.is_bracket()
    }
}

impl<'a> Hall<'a> {
    pub fn new(simulation: &'a Simulation, desk: Desk<'a>, supply: &Supply) -> Hall<'a> {
        let mut dice = Dice::new(supply.chance(), "simulated event", 1, b"");
        let (people, late_ones) = people(simulation, supply.chance());
        // Never a win: whoever misses every round but one would make the cut.
        let late = [Latecomer::AsRuled, Latecomer::Losses];
        Hall {
            simulation,
            desk,
            late: late[dice.below(2) as usize],
            dice,
            enrolled: people.len() - late_ones,
            people,
            corrections: Vec::new(),
            counts: Counts::default(),
            made_cut: Vec::new(),
            standing: None,
        }
    }

    /// Whether something happens that happens so often in a thousand times.
    pub fn chance(&mut self, rate: u32) -> bool {
        rate > 0 && self.dice.below(1000) < u64::from(rate)
    }

    pub fn play(&mut self) -> Result<(), SimulateError> {
        self.sign_up()?;
        self.phase(self.simulation.kind, true)?;
        if let Some(cut) = self.simulation.cut {
            self.cut(cut)?;
        }
        self.correct_all()?;
        if self.standing.is_none() {
            self.standing = Some(self.look()?);
        }
        self.desk.close()?;
        Ok(())
    }

    fn sign_up(&mut self) -> Result<(), SimulateError> {
        let here: Vec<_> =
            self.people[..self.enrolled].iter().map(|p| p.enrollment.clone()).collect();
        // Most come in a list, the last ones one by one.
        let (list, single) = here.split_at(here.len() - here.len().min(3));
        if !list.is_empty() {
            self.desk.enroll(list, Latecomer::AsRuled)?;
        }
        for person in single {
            self.desk.enroll(std::slice::from_ref(person), Latecomer::AsRuled)?;
        }
        Ok(())
    }

    fn phase(&mut self, kind: PhaseKind, first: bool) -> Result<(), SimulateError> {
        let rounds = match (kind, first) {
            (PhaseKind::Elimination | PhaseKind::DoubleElimination, _) => None,
            (_, true) => self.simulation.rounds(),
            (PhaseKind::RoundRobin, false) => {
                Some(robin::rounds(self.made_cut.len() as u32).min(u32::from(u16::MAX)) as u16)
            }
            (_, false) => Some(self.made_cut.len().next_power_of_two().trailing_zeros() as u16),
        };
        let mut played = 0;
        while rounds.is_none_or(|rounds| played < rounds) {
            played += 1;
            let last = rounds == Some(played);
            if !self.round(Setting { kind, first, last })? {
                break;
            }
        }
        Ok(())
    }

    /// Plays a round; false where nothing is left to pair.
    fn round(&mut self, setting: Setting) -> Result<bool, SimulateError> {
        self.come_and_go_back(setting)?;
        let before = self.situation(setting)?;
        let Some(mut paired) = self.pair(false)? else { return Ok(false) };
        if let Some(again) = self.disturb(setting, &paired)? {
            paired = again;
        }
        self.counts.look_at(before.as_ref(), &paired);
        self.desk.publish()?;
        self.penalise(setting)?;
        self.enter_results(setting)?;
        if setting.knockout() {
            self.decide_draws(paired.round)?;
        }
        self.leave(setting)?;
        Ok(true)
    }

    pub fn pair(&self, again: bool) -> Result<Option<Paired>, SimulateError> {
        match self.desk.pair(None, again) {
            Ok(paired) => Ok(Some(paired)),
            Err(DeskError::Draw(PairingError::PhaseOver { .. } | PairingError::Nobody { .. })) => {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What the draw will look at, to count what it could not avoid.
    fn situation(&self, setting: Setting) -> Result<Option<Situation>, SimulateError> {
        let state = self.desk.state()?;
        let phase = running_phase(&state).filter(|_| setting.kind == PhaseKind::Swiss);
        let Some(phase) = phase else { return Ok(None) };
        match Situation::of(&state, &self.simulation.rules, phase) {
            Ok(situation) => Ok(Some(situation)),
            Err(PairingError::Nobody { .. }) => Ok(None),
            Err(error) => Err(DeskError::from(error).into()),
        }
    }

    fn cut(&mut self, cut: u32) -> Result<(), SimulateError> {
        // What decides who goes on is put right first.
        self.correct_all()?;
        self.complete()?;
        let standing = self.look()?;
        let state = self.desk.state()?;
        let next = state.next_round_number();
        let here = |player: &PlayerNumber| {
            state.player(*player).is_some_and(|player| player.takes_part_in(next))
        };
        let mut able = standing.order().filter(here).count();
        let best = standing.order().find(here);
        drop(state);
        let mut declined = Vec::new();
        if able > cut as usize && self.chance(self.simulation.rates.declines) {
            declined.extend(best.map(|player| (player, "has to catch a train")));
            able -= declined.len();
        }
        if able < 2 {
            return Ok(());
        }
        let top = Some(cut.min(able as u32));
        let kind = self.simulation.cut_kind;
        let (entrants, _) =
            self.desk.cut(CutTo { top, points: None }, Some(kind), None, &declined)?;
        self.standing = Some(standing);
        self.made_cut = entrants;
        self.phase(kind, false)
    }

    fn complete(&self) -> Result<(), SimulateError> {
        match self.desk.complete() {
            Ok(_) | Err(DeskError::Objection(Objection::NoOpenRound)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The standings as they are, in the final order.
    fn look(&self) -> Result<Standing, SimulateError> {
        let state = self.desk.state()?;
        let rules = &self.simulation.rules;
        let standings = Standings::of(&state, rules, Scope::FINAL, Detail::Order);
        Ok(Standing::of(&standings.map_err(DeskError::from)?))
    }

    pub fn simulated(self) -> Result<Simulated, SimulateError> {
        let final_standing = self.look()?;
        let state = self.desk.state()?;
        let champion = champion(&state, &self.simulation.rules);
        let mut counts = self.counts;
        counts.events = state.head();
        counts.rounds = state.rounds().iter().filter(|round| !round.withdrawn).count() as u32;
        Ok(Simulated {
            stream: self.desk.stream(),
            champion: champion.or_else(|| final_standing.order().next()),
            strengths: self.people.iter().map(|person| person.strength).collect(),
            made_cut: self.made_cut,
            standing: self.standing.unwrap_or(final_standing),
            counts,
        })
    }
}

/// Who won the last bracket: the last of its tables has the final, unless nobody was left to play
/// it.
fn champion(state: &Tournament, rules: &Ruleset) -> Option<PlayerNumber> {
    let phase = state.phases().iter().rev().find(|phase| !phase.withdrawn)?;
    if !phase.kind.is_bracket() {
        return None;
    }
    let last = state.last_round().filter(|round| round.phase == phase.number)?;
    let mut tables = state.matches().filter(|found| found.round().number == last.number);
    let mut byes =
        state.byes().filter(|bye| state.rounds()[bye.round as usize].number == last.number);
    match (tables.next(), tables.next(), byes.next()) {
        (Some(final_match), None, None) => winner(state, rules, final_match),
        (None, _, Some(bye)) => Some(bye.player),
        _ => None,
    }
}

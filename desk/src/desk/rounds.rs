//! Rounds: drawn, published, completed.

use super::plan::Plan;
use super::{Desk, DeskError, Done, Objection, Words, open_round, unpaired};
use crate::pairing_engine::PairingEngine;
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{
    DivisionRounds, DivisionsPaired, DrawUsed, DropReason, EnginePaired, PairingsPublished,
    PenaltyGiven, PenaltyKind, PhaseKind, PlayerDropped, PlayerNumber, RoundCompleted, RoundNumber,
    RoundOpened, RoundWeight, Seq, Withdrawn,
};
use scrutineer_engine::seed;
use scrutineer_engine::tournament::{Availability, Tournament};
use scrutineer_pairing::{PairedRound, can_be_apart, running_phase};
use scrutineer_projections::divisions::find_division;
use scrutineer_replay::by_engine::EngineRound;
use std::sync::Arc;

/// How divisions are to be paired from a round on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divisions {
    /// Everybody together.
    Together,
    /// Each by itself, but for those that are paired as one, as they were typed.
    Apart(Vec<Vec<String>>),
}

/// What is said of divisions before a round is paired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divided {
    /// How they are paired; otherwise as in the round before.
    pub how: Option<Divisions>,
    /// How many rounds each of these plays, as it was typed; none: as many as everybody.
    pub rounds: Vec<(String, Option<u16>)>,
}

/// A round that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paired {
    /// Its number.
    pub round: RoundNumber,
    /// Its tables and byes.
    pub drawn: PairedRound,
    /// What was recorded.
    pub done: Done,
}

impl Desk<'_> {
    /// Draws the next round. What must be over before is completed with it: the round before,
    /// where every result is in, and the first phase begins where none runs.
    ///
    /// With `again` the round that is being played is drawn anew, as long as it has no result: it
    /// uses its seed and its dice again, so that nobody can draw until they like the outcome. It
    /// comes out differently where somebody has come or gone since.
    ///
    /// Divisions are paired as in the round before.
    ///
    /// # Errors
    /// Where a round is unfinished, nothing is left to draw, or the log refuses.
    pub fn pair(&self, public_dice: Option<&[u8]>, again: bool) -> Result<Paired, DeskError> {
        self.pair_by(None, public_dice, again)
    }

    /// As [`Desk::pair`], by a pairing engine of somebody else where one is given.
    ///
    /// # Errors
    /// As there; and where the engine gives no answer, or one that cannot be taken.
    pub fn pair_by(
        &self,
        engine: Option<&PairingEngine>,
        public_dice: Option<&[u8]>,
        again: bool,
    ) -> Result<Paired, DeskError> {
        self.pair_divided(engine, public_dice, again, &Divided::default())
    }

    /// As [`Desk::pair_by`]; where it is said how divisions are paired, or how many rounds they play, that holds
    /// from this round on.
    ///
    /// # Errors
    /// As there; and where there is no such division, or an engine is to pair divisions apart.
    pub fn pair_divided(
        &self,
        engine: Option<&PairingEngine>,
        public_dice: Option<&[u8]>,
        again: bool,
        divided: &Divided,
    ) -> Result<Paired, DeskError> {
        let mut drawn = None;
        let done = self.record(&mut |state, words| {
            let mut plan = Plan::of(state);
            super::played_here(state)?;
            super::not_closed(state)?;
            match open_round(state) {
                Some(_) if again => void_round(&mut plan, words)?,
                Some(open) if untouched(state, open.number) => {
                    return Err(Objection::AlreadyPaired { round: open.number }.into());
                }
                Some(_) => self.complete_round(&mut plan)?,
                None if again => return Err(Objection::NoOpenRound.into()),
                None => {}
            }
            if plan.state.phases().iter().all(|phase| phase.withdrawn) {
                start_first_phase(&mut plan);
            }
            if let Some(divisions) = &divided.how {
                pair_divisions(&mut plan, divisions)?;
            }
            for (typed, rounds) in &divided.rounds {
                let division = known_division(&plan.state, typed)?;
                if plan.state.rounds_of_division(&division) != *rounds {
                    plan.add(DivisionRounds { division, rounds: *rounds });
                }
            }
            if engine.is_some() && plan.state.divisions_paired().apart {
                return Err(Objection::EngineApart.into());
            }
            let (number, round) = self.draw(&mut plan, engine, public_dice)?;
            drawn = Some((number, round));
            Ok(plan.events)
        })?;
        match drawn {
            Some((round, drawn)) => Ok(Paired { round, drawn, done }),
            None => Err(Objection::NoRound.into()),
        }
    }

    /// Whether the plan has a further round for the phase that is running, with as many rounds of divisions as
    /// are asked for; where it names no number, it has.
    ///
    /// # Errors
    /// Where every round that was planned is played.
    pub fn within_plan(&self, divided: &Divided) -> Result<(), DeskError> {
        let mut state = self.state()?;
        super::played_here(&state)?;
        for (typed, rounds) in &divided.rounds {
            let division = known_division(&state, typed)?;
            let event = DivisionRounds { division, rounds: *rounds }.into();
            Arc::make_mut(&mut state).evolve(&event);
        }
        let Some(phase) = scrutineer_pairing::running_phase(&state).map(|phase| phase.number)
        else {
            return Ok(());
        };
        let planned = state.planned_rounds(phase);
        let of_phase = state.rounds().iter().filter(|r| r.phase == phase && !r.withdrawn);
        let unfinished = open_round(&state).is_some_and(|open| open.open_matches > 0);
        match planned.filter(|&rounds| !unfinished && of_phase.count() >= rounds.into()) {
            Some(rounds) => Err(Objection::RoundsPlayed { rounds }.into()),
            None => Ok(()),
        }
    }

    /// Players can see the pairings.
    ///
    /// # Errors
    /// Where no round is open, or they can see them already.
    pub fn publish(&self) -> Result<Done, DeskError> {
        self.record(&mut |state, _| {
            let round = open_round(state).ok_or(Objection::NoOpenRound)?.number;
            Ok(vec![PairingsPublished { round }.into()])
        })
    }

    /// The round is over: every result is in.
    ///
    /// # Errors
    /// Where results are missing.
    pub fn complete(&self) -> Result<Done, DeskError> {
        self.record(&mut |state, _| {
            let mut plan = Plan::of(state);
            if open_round(state).is_none() {
                return Err(Objection::NoOpenRound.into());
            }
            self.complete_round(&mut plan)?;
            Ok(plan.events)
        })
    }

    /// Completes the round that is being played, if one is, and announces the standings after it.
    pub(super) fn complete_round(&self, plan: &mut Plan) -> Result<(), DeskError> {
        let Some(open) = open_round(&plan.state) else { return Ok(()) };
        let round = open.number;
        if open.open_matches > 0 {
            let tables = open_tables(&plan.state, round);
            return Err(Objection::TablesOpen { round, tables }.into());
        }
        let players = unpaired(&plan.state, round).len();
        if players > 0 {
            return Err(Objection::WithoutTable { round, players }.into());
        }
        plan.add(RoundCompleted { round });
        self.announce_as_it_stands(plan)
    }

    fn draw(
        &self,
        plan: &mut Plan,
        engine: Option<&PairingEngine>,
        public_dice: Option<&[u8]>,
    ) -> Result<(RoundNumber, PairedRound), DeskError> {
        let state = &plan.state;
        let rules = self.rules(state)?;
        let round = state.next_round_number();
        let phase = scrutineer_pairing::running_phase(state).ok_or(Objection::NoPhaseRuns)?.number;
        let in_phase = state.rounds().iter().filter(|r| r.phase == phase && !r.withdrawn);
        let phase_round = in_phase.count() as u16 + 1;
        let number = seed::draw_of_round(round);
        let voided = state.voided_draw(round);
        let seed = match voided {
            Some(before) => before.seed,
            None => {
                let seed = self.seeds(state)?.reveal(number);
                seed.ok_or(super::NO_ROUND_LEFT)?
            }
        };
        let dice = public_dice.map(<[u8]>::to_vec);
        let dice = dice.or_else(|| voided.and_then(|before| before.dice.clone()));
        let public = dice.as_deref().unwrap_or_default();
        let mut answer = None;
        let drawn = match engine {
            None => scrutineer_pairing::next_round(state, &rules, &seed, public)?,
            Some(engine) => {
                let question = EngineRound::of(state, &rules, &seed, public)?;
                let output = engine.ask(&question.input)?;
                let drawn = question.read(&output)?;
                answer = Some(EnginePaired {
                    round,
                    engine: engine.name.clone(),
                    version: engine.version.clone(),
                    arguments: engine.arguments(),
                    input: question.input_hash(),
                    output,
                });
                drawn
            }
        };
        let (method, version) = (drawn.method.to_string(), drawn.version);
        let used = DrawUsed { method, version, draw: number, seed, dice };
        let weight = RoundWeight::ONE;
        plan.add(RoundOpened { round, phase, phase_round, weight, drawn: Some(used) });
        answer.into_iter().for_each(|answer| plan.add(answer));
        for event in scrutineer_pairing::events_of(&plan.state, &drawn, round) {
            plan.add(event);
        }
        Ok((round, drawn))
    }
}

/// Records how divisions are paired, where they were not paired so before.
fn pair_divisions(plan: &mut Plan, divisions: &Divisions) -> Result<(), DeskError> {
    let phase = running_phase(&plan.state).ok_or(Objection::NoPhaseRuns)?;
    let kind = phase.kind;
    let wanted = match divisions {
        Divisions::Together => DivisionsPaired::default(),
        Divisions::Apart(_) if !can_be_apart(kind) => {
            return Err(Objection::PairedTogether { kind }.into());
        }
        Divisions::Apart(merged) => {
            let known = |typed: &String| known_division(&plan.state, typed);
            let merged = merged.iter().map(|group| group.iter().map(known).collect());
            DivisionsPaired { apart: true, merged: merged.collect::<Result<_, _>>()? }
        }
    };
    if *plan.state.divisions_paired() != wanted {
        plan.add(wanted);
    }
    Ok(())
}

/// The division that is typed so.
fn known_division(state: &Tournament, typed: &str) -> Result<String, Objection> {
    let found = find_division(state, typed.trim()).map(str::to_string);
    found.ok_or_else(|| Objection::UnknownDivision { name: typed.to_string() })
}

/// Whether no result of a round is recorded, of those that can be.
pub fn untouched(state: &Tournament, round: RoundNumber) -> bool {
    let of_round = || state.matches().filter(|found| found.round().number == round);
    of_round().count() > 0 && of_round().all(|found| found.result().is_none())
}

/// The tables of a round without a result, in words.
fn open_tables(state: &Tournament, round: RoundNumber) -> String {
    let open = state.matches().filter(|m| m.round().number == round && m.result().is_none());
    let mut tables: Vec<u32> = open.filter_map(|found| found.table()).collect();
    tables.sort_unstable();
    let shown: Vec<String> = tables.iter().take(12).map(u32::to_string).collect();
    let more = match tables.len() > shown.len() {
        true => format!(" and {} more", tables.len() - shown.len()),
        false => String::new(),
    };
    let noun = if tables.len() == 1 { "table" } else { "tables" };
    format!("{noun} {}{more}", shown.join(", "))
}

fn void_round(plan: &mut Plan, words: &mut Words<'_>) -> Result<(), DeskError> {
    let Some(open) = open_round(&plan.state) else { return Ok(()) };
    let (round, seq) = (open.number, open.opened);
    let of_round = plan.state.matches().filter(|found| found.round().number == round);
    let results = of_round.filter(|found| found.result().is_some()).count();
    if results > 0 {
        return Err(Objection::ResultsExist { round, results }.into());
    }
    let reason = words.say(Field::Reason, "paired anew")?;
    // A penalty for a table that is no longer there waits for the player's next match.
    let of_round =
        |pairing| plan.state.match_at(pairing).is_some_and(|m| m.round().number == round);
    let penalties = plan.state.penalties().iter();
    let penalties: Vec<(Seq, PlayerNumber, PenaltyKind)> = penalties
        .filter(|penalty| !penalty.withdrawn && penalty.pairing.is_some_and(of_round))
        .map(|penalty| (penalty.seq, penalty.player, penalty.kind))
        .collect();
    for (seq, player, kind) in penalties {
        plan.add(Withdrawn { seq, reason });
        plan.add(PenaltyGiven { player, kind, pairing: None, reason });
    }
    plan.add(Withdrawn { seq, reason });
    // Who left since it was drawn belonged to it; now they are gone before it.
    let left: Vec<(PlayerNumber, u64, DropReason)> = plan
        .state
        .players()
        .iter()
        .filter_map(|player| match player.availability.last() {
            Some(&(left, Availability::Dropped(why, after))) if left > seq && after >= round => {
                Some((player.number, left, why))
            }
            _ => None,
        })
        .collect();
    for (player, seq, why) in left {
        plan.add(Withdrawn { seq, reason });
        plan.add(PlayerDropped { player, why, after_round: round - 1 });
    }
    Ok(())
}

/// The first phase: as planned, else Swiss. Its seeds go by rating, and behind those who have one by
/// sign-up.
fn start_first_phase(plan: &mut Plan) {
    let state = &plan.state;
    let planned = state.opened().and_then(|opened| opened.plan.first());
    let kind = planned.map_or(PhaseKind::Swiss, |phase| phase.kind);
    let scoresheet = planned.and_then(|phase| phase.scoresheet.clone());
    let here = state.players().iter().filter(|player| player.takes_part_in(1));
    let mut entrants: Vec<(Option<i32>, PlayerNumber)> =
        here.map(|player| (player.rating, player.number)).collect();
    entrants.sort_by_key(|(rating, number)| (std::cmp::Reverse(*rating), *number));
    let entrants: Vec<PlayerNumber> = entrants.into_iter().map(|(_, number)| number).collect();
    plan.start_phase(kind, &entrants, Vec::new(), scoresheet);
}

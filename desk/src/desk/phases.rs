//! Phases: the cut, its seeds, and the end of the tournament.

use super::plan::{LISTED, Plan};
use super::{Desk, DeskError, Done, Objection, suggested};
use scrutineer_engine::book::Field;
use scrutineer_engine::event::{
    LotsDrawn, LotsSource, PassedOver, PhaseEnded, PhaseKind, PlayerNumber, Scoresheet,
    TournamentClosed,
};
use scrutineer_engine::seed;
use scrutineer_engine::tournament::{Round, Tournament};
use scrutineer_pairing::{PairingError, decided, running_phase};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::cut::stays_out;
use scrutineer_projections::divisions::find_division;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::standings::{Decided, Detail, Row, Standings};
use std::sync::Arc;

/// Who goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutTo {
    /// The first so many.
    pub top: Option<u32>,
    /// Everybody with at least so many points.
    pub points: Option<i64>,
}

impl Desk<'_> {
    /// Ends the phase that is running and starts the next one with those who go on, in the order
    /// of the standings. Ties are drawn by lot where the ruleset says so. Whoever declines is
    /// passed over, and the next one moves up. `points` and `top` together: everybody with the
    /// points, and at least so many.
    ///
    /// # Errors
    /// Where results are missing, too few or too many would go on, or the log refuses.
    pub fn cut(
        &self,
        to: CutTo,
        kind: Option<PhaseKind>,
        scoresheet: Option<Scoresheet>,
        declined: &[(PlayerNumber, &str)],
    ) -> Result<(Vec<PlayerNumber>, Done), DeskError> {
        self.cut_division(None, to, kind, scoresheet, declined)
    }

    /// As [`Desk::cut`], with the players of one division alone where one is named: those who are in the
    /// last phase that anybody of it is in. So the divisions have their cuts one after the other.
    ///
    /// # Errors
    /// As [`Desk::cut`], and where there is no such division.
    pub fn cut_division(
        &self,
        division: Option<&str>,
        to: CutTo,
        kind: Option<PhaseKind>,
        scoresheet: Option<Scoresheet>,
        declined: &[(PlayerNumber, &str)],
    ) -> Result<(Vec<PlayerNumber>, Done), DeskError> {
        let mut entrants = Vec::new();
        let done = self.record(&mut |state, words| {
            super::not_closed(state)?;
            super::played_here(state)?;
            let mut plan = Plan::of(state);
            self.complete_round(&mut plan)?;
            let phase = running_phase(&plan.state).ok_or(Objection::NoPhaseRuns)?.number;
            let rules = self.rules(&plan.state)?;
            let played = |round: &Round| round.phase == phase && !round.withdrawn;
            if !plan.state.rounds().iter().any(played) {
                return Err(Objection::NothingPlayed { phase }.into());
            }
            decided(&plan.state, &rules)?;
            let standings = self.with_lots(&mut plan, &rules)?;
            let planned = plan.state.opened().and_then(|o| o.plan.get(usize::from(phase)));
            let planned = planned.cloned();
            let decline = |player| declined.iter().any(|(out, _)| *out == player);
            let division = match division {
                Some(typed) => {
                    let found = find_division(&plan.state, typed.trim());
                    let name = typed.to_string();
                    Some(found.ok_or(Objection::UnknownDivision { name })?.to_string())
                }
                None => None,
            };
            let in_order = match &division {
                Some(name) => {
                    let own = standings.of_division(&plan.state, name);
                    could_go_on_of_division(&plan.state, &own, &decline)
                }
                None => could_go_on(&plan.state, &standings, &decline),
            };
            // Plans and rulesets say how many of everybody go on.
            let for_all = division.is_none();
            let usual = suggested(&rules, &plan.state).filter(|_| phase == 1 && for_all);
            let planned_size = planned.as_ref().filter(|_| for_all).and_then(|p| p.players);
            let to = usual_cut(to, planned_size, usual.map(|row| row.cut))?;
            entrants = select(&in_order, to)?;
            let mut passed_over = Vec::new();
            for (player, why) in declined {
                let reason = words.say(Field::Reason, why)?;
                passed_over.push(PassedOver { player: *player, reason });
            }
            plan.add(PhaseEnded { phase });
            let kind = kind.or(planned.as_ref().map(|p| p.kind)).unwrap_or(PhaseKind::Elimination);
            let sheet = scoresheet.clone().or(planned.and_then(|p| p.scoresheet));
            plan.start_phase(kind, &entrants, passed_over, sheet);
            Ok(plan.events)
        })?;
        Ok((entrants, done))
    }

    /// Draws lots for everybody from the seed, for players whom nothing else tells apart.
    ///
    /// # Errors
    /// Where the log refuses.
    pub fn draw_lots(&self) -> Result<Done, DeskError> {
        self.record(&mut |state, _| {
            let mut plan = Plan::of(state);
            self.lots(&mut plan)?;
            Ok(plan.events)
        })
    }

    /// Nothing more is expected: the last round is completed, lots are drawn where the ruleset
    /// needs them, the final standings hold.
    ///
    /// # Errors
    /// Where results are missing, nobody won a match of a bracket, or the log refuses.
    pub fn close(&self) -> Result<Done, DeskError> {
        self.close_where(decided)
    }

    /// As [`Desk::close`], also where nobody won a match of a bracket, as one that is postponed.
    ///
    /// # Errors
    /// Where results are missing or the log refuses.
    pub fn close_unfinished(&self) -> Result<Done, DeskError> {
        self.close_where(|_, _| Ok(()))
    }

    fn close_where(
        &self,
        is_decided: fn(&Tournament, &Ruleset) -> Result<(), PairingError>,
    ) -> Result<Done, DeskError> {
        self.record(&mut |state, _| {
            let mut plan = Plan::of(state);
            self.complete_round(&mut plan)?;
            if plan.state.last_round().is_some() {
                let rules = self.rules(&plan.state)?;
                is_decided(&plan.state, &rules)?;
                self.with_lots(&mut plan, &rules)?;
            }
            if let Some(phase) = running_phase(&plan.state).map(|phase| phase.number) {
                plan.add(PhaseEnded { phase });
            }
            plan.add(TournamentClosed {});
            self.announce_as_it_stands(&mut plan)?;
            Ok(plan.events)
        })
    }

    /// The final standings; lots are drawn first where they decide something and are missing.
    fn with_lots(&self, plan: &mut Plan, rules: &Arc<Ruleset>) -> Result<Standings, DeskError> {
        let standings =
            |state: &Tournament| Standings::of(state, rules, Scope::FINAL, Detail::Order);
        let before = standings(&plan.state)?;
        if !before.rows.iter().any(|row| row.decided == Decided::LotsPending) {
            return Ok(before);
        }
        self.lots(plan)?;
        Ok(standings(&plan.state)?)
    }

    fn lots(&self, plan: &mut Plan) -> Result<(), DeskError> {
        let last = plan.state.last_round().map_or(0, |round| round.number);
        let number = seed::draw_of_lots(last);
        let seed = self.seeds(&plan.state)?.reveal(number);
        let seed = seed.ok_or(super::NO_ROUND_LEFT)?;
        let order = scrutineer_pairing::lots(&plan.state, &seed);
        let mut first_place = 1;
        for part in order.chunks(LISTED) {
            let (source, order) = (LotsSource::Seed, part.to_vec());
            plan.add(LotsDrawn { source, first_place, order, seed: Some((number, seed)) });
            first_place += part.len() as u32;
        }
        Ok(())
    }
}

/// Who can go on after the phase that is running, in the order of the standings, each with their
/// points: everybody who is in it, is still here, and does not decline.
pub(crate) fn could_go_on(
    state: &Tournament,
    standings: &Standings,
    declines: &dyn Fn(PlayerNumber) -> bool,
) -> Vec<(PlayerNumber, i64)> {
    let goes_on = |player: PlayerNumber| {
        !declines(player) && stays_out(state, standings.through, player).is_none()
    };
    let listed = standings.rows.iter().filter(|row| goes_on(row.player));
    listed.map(|row| (row.player, points_of(standings, row.index))).collect()
}

/// The same for one division: who is in the last phase that anybody of it is in, is still here, and does
/// not decline.
fn could_go_on_of_division(
    state: &Tournament,
    standings: &Standings,
    declines: &dyn Fn(PlayerNumber) -> bool,
) -> Vec<(PlayerNumber, i64)> {
    let next = state.next_round_number();
    let is_here = |row: &&Row| {
        !declines(row.player) && state.player(row.player).is_some_and(|p| p.takes_part_in(next))
    };
    let here: Vec<&Row> = standings.rows.iter().filter(is_here).collect();
    let phase = |row: &Row| standings.layer(row).stage.phase;
    let last = here.iter().map(|row| phase(row)).max();
    let listed = here.into_iter().filter(|row| Some(phase(row)) == last);
    listed.map(|row| (row.player, points_of(standings, row.index))).collect()
}

/// A player's points, in whole points of the ruleset; what lies between is cut off.
fn points_of(standings: &Standings, index: u32) -> i64 {
    let points = standings.table().rounds_of(index).map(|(_, entry)| i64::from(entry.points));
    points.sum::<i64>() / standings.table().points_den
}

/// What was asked for, else what the plan says, else what the ruleset says for so many players.
fn usual_cut(to: CutTo, planned: Option<u32>, usual: Option<u32>) -> Result<CutTo, DeskError> {
    if to != CutTo::default() {
        return Ok(to);
    }
    let top = planned.or(usual.filter(|&cut| cut > 0));
    Ok(CutTo { top: Some(top.ok_or(Objection::NoCut)?), points: None })
}

fn select(in_order: &[(PlayerNumber, i64)], to: CutTo) -> Result<Vec<PlayerNumber>, DeskError> {
    let players = in_order.len();
    let top = to.top.unwrap_or(0) as usize;
    if top > players {
        return Err(Objection::CutTooLarge { asked: top as u32, players }.into());
    }
    let with_points = match to.points {
        Some(points) => in_order.iter().filter(|(_, own)| *own >= points).count(),
        None => 0,
    };
    let count = top.max(with_points);
    if count < 2 {
        return Err(Objection::CutTooSmall { players: count }.into());
    }
    let chosen = in_order
        .iter()
        .enumerate()
        .filter(|(at, (_, own))| *at < top || to.points.is_some_and(|points| *own >= points));
    Ok(chosen.map(|(_, (player, _))| *player).collect())
}

//! What a draw looks at: who is there, what everybody has so far, who has met whom.

use super::dice::Dice;
use super::{DrawError, DrawnBye, DrawnTable, reasons, seats};
use crate::crosstable::{Crosstable, Scope};
use crate::draw::{pods, ranked, robin, swiss};
use crate::ruleset::{Ruleset, SwissMethod};
use crate::standings::{Detail, Standings};
use scrutineer_engine::event::{Because, ByeKind, PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Phase, Tournament};
use std::sync::Arc;

/// The phase that is running.
pub fn running_phase(state: &Tournament) -> Option<&Phase> {
    let last = state.phases().iter().rev().find(|phase| !phase.withdrawn)?;
    last.ended.is_none().then_some(last)
}

/// The players of a round that is about to be drawn, and what they bring. Players are named by
/// their place in [`Situation::players`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The round that is drawn.
    pub round: RoundNumber,
    /// Whether the phase has had no round yet.
    pub first_of_phase: bool,
    /// Who is to be paired, in the order of their seeds in the phase, those who came later by
    /// number.
    pub players: Vec<PlayerNumber>,
    /// Who has a bye that he brought along.
    pub with_byes: Vec<PlayerNumber>,
    /// Points of each player, over the ruleset's denominator.
    pub points: Vec<i64>,
    /// How many byes each has had.
    pub byes: Vec<u32>,
    /// For each player, whom he has met, once for each match.
    pub met: Vec<Vec<u32>>,
}

impl Situation {
    /// The situation before the next round of a phase.
    ///
    /// # Errors
    /// Where the results so far cannot be folded, or nobody takes part.
    pub fn of(state: &Tournament, rules: &Ruleset, phase: &Phase) -> Result<Situation, DrawError> {
        let round = state.last_round().map_or(1, |last| last.number + 1);
        let of_phase = |r: &&_| matches!(r, round if of_phase(round, phase));
        let first_of_phase = !state.rounds().iter().any(|r| of_phase(&r));
        let here = active(state, phase, round);
        if here.is_empty() {
            return Err(DrawError::Nobody { round });
        }
        let (with_byes, players): (Vec<PlayerNumber>, Vec<PlayerNumber>) =
            here.into_iter().partition(|&player| brings_bye(state, phase, player, round));
        let mut place = vec![u32::MAX; state.players().len() + 1];
        for (at, &player) in (0..).zip(&players) {
            place[player as usize] = at;
        }
        let points = points(state, rules, &players)?;
        let mut byes = vec![0; players.len()];
        for bye in state.byes() {
            let full = matches!(bye.kind, ByeKind::Assigned | ByeKind::Awarded | ByeKind::Half);
            if full && let Some(count) = byes.get_mut(place[bye.player as usize] as usize) {
                *count += 1;
            }
        }
        let met = met(state, &place, players.len());
        Ok(Situation { round, first_of_phase, players, with_byes, points, byes, met })
    }

    /// Draws a round in which everybody meets somebody.
    pub(super) fn draw(
        &self,
        state: &Tournament,
        rules: &Arc<Ruleset>,
        phase: &Phase,
        dice: &mut Dice,
    ) -> Result<(Vec<DrawnTable>, Vec<DrawnBye>), DrawError> {
        let (tables, mut byes) = match (phase.kind, rules.draw.method) {
            (PhaseKind::RoundRobin, _) => self.round_robin(state, phase),
            (PhaseKind::Pods, _) => self.pods(dice),
            (_, SwissMethod::ScoreGroupRandom) => self.score_groups(rules, dice),
            (_, SwissMethod::RankedAdjacent) => self.ranked(state, rules, dice)?,
        };
        byes.extend(self.with_byes.iter().map(|&player| DrawnBye {
            player,
            kind: ByeKind::Awarded,
            bracket_slot: None,
            because: Because::BroughtAlong,
        }));
        Ok((tables, byes))
    }

    fn score_groups(&self, rules: &Ruleset, dice: &mut Dice) -> (Vec<DrawnTable>, Vec<DrawnBye>) {
        let rematches_allowed = rules.draw.rematches_allowed;
        let field = swiss::Field::new(&self.points, &self.byes, &self.met, rematches_allowed);
        let mut pairing = swiss::pair(&field, dice);
        // Who sits where says nothing of how the pair came about.
        for (first, second) in &mut pairing.pairs {
            if dice.below(2) == 1 {
                std::mem::swap(first, second);
            }
        }
        let sum = |(a, b): &(u32, u32)| self.points[*a as usize] + self.points[*b as usize];
        pairing.pairs.sort_by_key(|pair| std::cmp::Reverse(sum(pair)));
        let because = reasons::of_pairs(self, &pairing.pairs, pairing.bye, rematches_allowed);
        let tables = pairing.pairs.iter().zip(because).map(|((a, b), because)| DrawnTable {
            seats: seats(&[self.players[*a as usize], self.players[*b as usize]]),
            group: None,
            bracket_slot: None,
            because,
        });
        let bye = pairing.bye.map(|at| self.bye(at, reasons::of_bye(self, at)));
        (tables.collect(), bye.into_iter().collect())
    }

    fn ranked(
        &self,
        state: &Tournament,
        rules: &Arc<Ruleset>,
        dice: &mut Dice,
    ) -> Result<(Vec<DrawnTable>, Vec<DrawnBye>), DrawError> {
        let order = match self.first_of_phase && self.round == 1 {
            true => None,
            false => Some(self.running_order(state, rules, dice)?),
        };
        let allowed = rules.draw.rematches_allowed;
        let drawn = ranked::pair(order, self.players.len(), &self.byes, &self.met, allowed, dice);
        let tables = drawn.pairs.iter().map(|pair| DrawnTable {
            seats: seats(&[self.players[pair.first as usize], self.players[pair.second as usize]]),
            group: None,
            bracket_slot: None,
            because: pair.because,
        });
        let bye = drawn.bye.map(|(at, because)| self.bye(at, because));
        Ok((tables.collect(), bye.into_iter().collect()))
    }

    /// The players in the running order; whoever shares a place is drawn within it, and who has
    /// no place yet stands at the end.
    fn running_order(
        &self,
        state: &Tournament,
        rules: &Arc<Ruleset>,
        dice: &mut Dice,
    ) -> Result<Vec<u32>, DrawError> {
        let scope = Scope { through: None, final_order: Some(false) };
        let standings = Standings::of(state, rules, scope, Detail::Order)?;
        let rank =
            |at: &u32| standings.row(self.players[*at as usize]).map_or(u32::MAX, |row| row.rank);
        let mut order: Vec<u32> = (0..self.players.len() as u32).collect();
        dice.shuffle(&mut order);
        order.sort_by_key(rank);
        Ok(order)
    }

    fn round_robin(&self, state: &Tournament, phase: &Phase) -> (Vec<DrawnTable>, Vec<DrawnBye>) {
        let played = state.rounds().iter().filter(|round| of_phase(round, phase)).count() as u32;
        let cycle = robin::rounds(phase.entrants.len() as u32);
        let planned = state.opened().and_then(|o| o.plan.get(usize::from(phase.number) - 1));
        let rounds = planned.and_then(|p| p.rounds).map_or(cycle, u32::from);
        if played >= rounds {
            return (Vec::new(), Vec::new());
        }
        let scheduled = match rounds == 2 * cycle {
            true => robin::double_round(&phase.entrants, played + 1),
            false => robin::round(&phase.entrants, played + 1),
        };
        let here = |player: &PlayerNumber| self.players.contains(player);
        let (mut drawn, mut free) = (Vec::new(), Vec::new());
        for pair in &scheduled.tables {
            let left: Vec<PlayerNumber> = pair.iter().copied().filter(here).collect();
            match left[..] {
                [player] => free.push((player, ByeKind::Assigned, Because::OpponentGone)),
                [] => {}
                _ => drawn.push(DrawnTable {
                    seats: seats(&left),
                    group: None,
                    bracket_slot: None,
                    because: Because::Schedule,
                }),
            }
        }
        let bye = scheduled.bye.filter(here);
        free.extend(bye.map(|player| (player, ByeKind::Assigned, Because::Schedule)));
        let bye = |(player, kind, because)| DrawnBye { player, kind, bracket_slot: None, because };
        (drawn, free.into_iter().map(bye).collect())
    }

    fn pods(&self, dice: &mut Dice) -> (Vec<DrawnTable>, Vec<DrawnBye>) {
        let drawn = pods::pair(&self.points, &self.byes, &self.met, dice);
        let because = match self.first_of_phase {
            true => Because::FirstRound,
            false => Because::Pod,
        };
        let table = |pod: &Vec<u32>| {
            let players: Vec<PlayerNumber> =
                pod.iter().map(|&at| self.players[at as usize]).collect();
            DrawnTable { seats: seats(&players), group: None, bracket_slot: None, because }
        };
        let byes = drawn.byes.iter().map(|&at| self.bye(at, Because::LeftOver));
        (drawn.pods.iter().map(table).collect(), byes.collect())
    }

    fn bye(&self, at: u32, because: Because) -> DrawnBye {
        let player = self.players[at as usize];
        DrawnBye { player, kind: ByeKind::Assigned, bracket_slot: None, because }
    }
}

fn of_phase(round: &scrutineer_engine::tournament::Round, phase: &Phase) -> bool {
    round.phase == phase.number && !round.withdrawn
}

/// Who takes part in a round of a phase: its entrants, and in the first phase also who came later.
pub(super) fn active(state: &Tournament, phase: &Phase, round: RoundNumber) -> Vec<PlayerNumber> {
    let here = |number: PlayerNumber| state.player(number).is_some_and(|p| p.takes_part_in(round));
    let mut entered = vec![false; state.players().len() + 1];
    for &player in &phase.entrants {
        entered[player as usize] = true;
    }
    let late = state.players().iter().map(|player| player.number);
    let late = late.filter(|&number| phase.number == 1 && !entered[number as usize]);
    phase.entrants.iter().copied().chain(late).filter(|&number| here(number)).collect()
}

/// Byes won beforehand are for the first rounds of the event.
fn brings_bye(state: &Tournament, phase: &Phase, player: PlayerNumber, round: RoundNumber) -> bool {
    let brought = state.player(player).map_or(0, |player| player.awarded_byes);
    phase.number == 1 && phase.kind == PhaseKind::Swiss && round <= RoundNumber::from(brought)
}

fn points(
    state: &Tournament,
    rules: &Ruleset,
    players: &[PlayerNumber],
) -> Result<Vec<i64>, DrawError> {
    if state.last_round().is_none() {
        return Ok(vec![0; players.len()]);
    }
    let table = Crosstable::of(state, rules, Scope { through: None, final_order: Some(false) })?;
    let of = |&player: &PlayerNumber| match table.index_of(player) {
        Some(index) => table.rounds_of(index).map(|(_, entry)| i64::from(entry.points)).sum(),
        None => 0,
    };
    Ok(players.iter().map(of).collect())
}

fn met(state: &Tournament, place: &[u32], players: usize) -> Vec<Vec<u32>> {
    let mut met = vec![Vec::new(); players];
    for found in state.matches() {
        for (at, seat) in found.seats().iter().enumerate() {
            let own = place[seat.player as usize];
            for (other, opponent) in found.seats().iter().enumerate() {
                let theirs = place[opponent.player as usize];
                if other != at && own != u32::MAX && theirs != u32::MAX {
                    met[own as usize].push(theirs);
                }
            }
        }
    }
    met
}

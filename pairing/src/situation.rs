//! What a draw looks at: who is there, what everybody has so far, who has met whom.

use super::dice::Dice;
use super::{Colors, PairedBye, PairedTable, PairingError, reasons, seats};
use crate::{pods, ranked, robin, swiss};
use scrutineer_engine::event::{ByeKind, PairingReason, PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Phase, Tournament};
use scrutineer_projections::crosstable::{Crosstable, Scope};
use scrutineer_projections::ruleset::{Ruleset, SwissMethod};
use scrutineer_projections::standings::{Detail, Standings};
use std::sync::Arc;

/// The phase that is running.
pub fn running_phase(state: &Tournament) -> Option<&Phase> {
    let last = state.phases().iter().rev().find(|phase| !phase.withdrawn)?;
    last.ended.is_none().then_some(last)
}

/// A round of a round robin by its schedule, from 1; empty after the last that is planned.
pub fn scheduled(state: &Tournament, phase: &Phase, round: u32) -> robin::Round {
    let cycle = robin::rounds(phase.entrants.len() as u32);
    let planned = state.opened().and_then(|o| o.plan.get(usize::from(phase.number) - 1));
    match planned.and_then(|p| p.rounds).map_or(cycle, u32::from) {
        rounds if round > rounds => robin::Round::default(),
        rounds if rounds == 2 * cycle => robin::double_round(&phase.entrants, round),
        _ => robin::round(&phase.entrants, round),
    }
}

/// The players of a round that is about to be drawn, and what they bring. Players are named by
/// their place in [`Situation::players`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The round that is drawn.
    pub round: RoundNumber,
    /// Who is to be paired, in the order of their seeds in the phase, those who came later by
    /// number.
    pub players: Vec<PlayerNumber>,
    /// The byes of those who asked for one in this round, and of those who brought one along.
    pub with_byes: Vec<PairedBye>,
    /// Points of each player, over the ruleset's denominator.
    pub points: Vec<i64>,
    /// How many byes each has had.
    pub byes: Vec<u32>,
    /// Who has met, once for each match.
    pub meetings: Vec<(u32, u32)>,
}

impl Situation {
    /// The situation before the next round of a phase.
    ///
    /// # Errors
    /// Where the results so far cannot be folded, or nobody takes part.
    pub fn of(
        state: &Tournament,
        rules: &Ruleset,
        phase: &Phase,
    ) -> Result<Situation, PairingError> {
        let round = state.next_round_number();
        let mut here = active(state, phase, round);
        if here.is_empty() {
            return Err(PairingError::Nobody { round });
        }
        let phase_round = state.next_of_phase(phase.number);
        here.retain(|number| {
            let player = state.player(*number);
            !player.is_some_and(|one| state.has_played_its_rounds(one, phase.number, phase_round))
        });
        if here.is_empty() {
            return Err(PairingError::PhaseOver { kind: phase.kind });
        }
        let (mut with_byes, mut players) = (Vec::new(), Vec::new());
        for player in here {
            match settled_bye(state, phase, player, round) {
                Some(bye) => with_byes.push(bye),
                None => players.push(player),
            }
        }
        let mut situation = Situation::among(state, rules, players)?;
        situation.with_byes = with_byes;
        Ok(situation)
    }

    /// What these players bring into the next round, whether or not they are to be paired.
    pub(super) fn among(
        state: &Tournament,
        rules: &Ruleset,
        players: Vec<PlayerNumber>,
    ) -> Result<Situation, PairingError> {
        let mut place = vec![u32::MAX; state.players().len() + 1];
        for (at, &player) in (0..).zip(&players) {
            place[player as usize] = at;
        }
        let points = points(state, rules, &players)?;
        let mut byes = vec![0; players.len()];
        for bye in state.byes() {
            // Those that somebody was given without playing for them, whole or half.
            let given = matches!(bye.kind, ByeKind::Assigned | ByeKind::Awarded | ByeKind::Half);
            if given && let Some(count) = byes.get_mut(place[bye.player as usize] as usize) {
                *count += 1;
            }
        }
        let meetings = meetings(state, &place);
        let round = state.next_round_number();
        Ok(Situation { round, players, with_byes: Vec::new(), points, byes, meetings })
    }

    /// Draws a round in which everybody meets somebody.
    pub(super) fn draw(
        &self,
        state: &Tournament,
        rules: &Arc<Ruleset>,
        (phase, with_colors): (&Phase, bool),
        dice: &mut Dice,
    ) -> Result<(Vec<PairedTable>, Vec<PairedBye>), PairingError> {
        let colors = with_colors.then(|| Colors::of(state, &self.players));
        let (tables, mut byes) = match (phase.kind, rules.draw.method) {
            // Whoever of a division is there has a bye beforehand.
            _ if self.players.is_empty() => (Vec::new(), Vec::new()),
            (PhaseKind::RoundRobin, _) => self.round_robin(state, phase),
            (PhaseKind::Pods, _) => self.pods(state, phase, dice),
            (_, SwissMethod::ScoreGroupRandom) => self.score_groups(rules, colors.as_ref(), dice),
            (_, SwissMethod::RankedAdjacent) => self.ranked(state, rules, dice)?,
        };
        byes.extend(self.with_byes.iter().copied());
        Ok((tables, byes))
    }

    fn score_groups(
        &self,
        rules: &Ruleset,
        colors: Option<&Colors>,
        dice: &mut Dice,
    ) -> (Vec<PairedTable>, Vec<PairedBye>) {
        let rematches_allowed = rules.draw.rematches_allowed;
        let field = self.field(rematches_allowed);
        let mut pairing = swiss::pair(&field, dice);
        let drawn = pairing.pairs.clone();
        if let Some(colors) = colors {
            colors.exchange(&field, &mut pairing.pairs);
        }
        let mut because = reasons::of_pairs(self, &pairing.pairs, pairing.bye, rematches_allowed);
        if drawn != pairing.pairs {
            reasons::of_colors(&field, &drawn, &pairing.pairs, &mut because);
        }
        // Who sits where says nothing of how the pair came about.
        for (first, second) in &mut pairing.pairs {
            let is_drawn = dice.below(2) == 1;
            let turned = colors.and_then(|colors| colors.turned(*first, *second));
            if turned.unwrap_or(is_drawn) {
                std::mem::swap(first, second);
            }
        }
        let tables = pairing.pairs.iter().zip(because).map(|((a, b), because)| PairedTable {
            seats: seats(&[self.players[*a as usize], self.players[*b as usize]]),
            group: None,
            bracket_slot: None,
            because,
        });
        let bye =
            pairing.bye.map(|at| assigned(self.players[at as usize], reasons::of_bye(self, at)));
        (tables.collect(), bye.into_iter().collect())
    }

    /// The players as the draw of score groups takes them.
    pub fn field(&self, rematches_allowed: bool) -> swiss::Field {
        swiss::Field::new(self.points.clone(), self.byes.clone(), &self.meetings, rematches_allowed)
    }

    fn ranked(
        &self,
        state: &Tournament,
        rules: &Arc<Ruleset>,
        dice: &mut Dice,
    ) -> Result<(Vec<PairedTable>, Vec<PairedBye>), PairingError> {
        let drawn = match self.round {
            1 => ranked::first_round(&self.players, dice),
            _ => {
                let scope = Scope { through: None, final_order: Some(false) };
                let standings = Standings::of(state, rules, scope, Detail::Order)?;
                let met = self.met();
                let entrant = |(at, met): (usize, Vec<PlayerNumber>)| {
                    let player = self.players[at];
                    // Who came just now has no place yet, and stands at the end.
                    let rank = standings.row(player).map_or(u32::MAX, |row| row.rank);
                    ranked::Entrant { player, rank, byes: self.byes[at], met }
                };
                let field: Vec<ranked::Entrant> =
                    met.into_iter().enumerate().map(entrant).collect();
                ranked::later_round(&field, rules.draw.rematches_allowed, dice)
            }
        };
        let table = |&(first, second, because): &(PlayerNumber, PlayerNumber, PairingReason)| {
            let (group, bracket_slot) = (None, None);
            PairedTable { seats: seats(&[first, second]), group, bracket_slot, because }
        };
        let bye = drawn.bye.map(|(player, because)| assigned(player, because));
        Ok((drawn.tables.iter().map(table).collect(), bye.into_iter().collect()))
    }

    /// Whom each player has met, once for each match.
    fn met(&self) -> Vec<Vec<PlayerNumber>> {
        let mut met = vec![Vec::new(); self.players.len()];
        for &(one, other) in &self.meetings {
            met[one as usize].push(self.players[other as usize]);
            met[other as usize].push(self.players[one as usize]);
        }
        met
    }

    fn round_robin(&self, state: &Tournament, phase: &Phase) -> (Vec<PairedTable>, Vec<PairedBye>) {
        let played = state.rounds().iter().filter(|round| of_phase(round, phase)).count() as u32;
        let scheduled = scheduled(state, phase, played + 1);
        let here = |player: &PlayerNumber| self.players.contains(player);
        let (mut drawn, mut free) = (Vec::new(), Vec::new());
        for pair in &scheduled.tables {
            let left: Vec<PlayerNumber> = pair.iter().copied().filter(here).collect();
            match left[..] {
                [player] => free.push((player, ByeKind::Assigned, PairingReason::OpponentGone)),
                [] => {}
                _ => drawn.push(PairedTable {
                    seats: seats(&left),
                    group: None,
                    bracket_slot: None,
                    because: PairingReason::Schedule,
                }),
            }
        }
        let bye = scheduled.bye.filter(here);
        free.extend(bye.map(|player| (player, ByeKind::Assigned, PairingReason::Schedule)));
        let bye = |(player, kind, because)| PairedBye { player, kind, bracket_slot: None, because };
        (drawn, free.into_iter().map(bye).collect())
    }

    /// A cut to pods begins by seeds: 1-5-9-13, 2-6-10-14 and so on.
    fn seeded_pods(&self) -> (Vec<PairedTable>, Vec<PairedBye>) {
        let (tables, waiting) = pods::seeded_pods(&self.players);
        let table = |players: &Vec<PlayerNumber>| PairedTable {
            seats: seats(players),
            group: None,
            bracket_slot: None,
            because: PairingReason::Seeds,
        };
        let bye = waiting.map(|player| assigned(player, PairingReason::LeftOver));
        (tables.iter().map(table).collect(), bye.into_iter().collect())
    }

    fn pods(
        &self,
        state: &Tournament,
        phase: &Phase,
        dice: &mut Dice,
    ) -> (Vec<PairedTable>, Vec<PairedBye>) {
        let begun = state.rounds().iter().any(|round| of_phase(round, phase));
        let drawn = match self.round {
            1 => pods::first_round(&self.players, dice),
            _ if phase.number > 1 && !begun => return self.seeded_pods(),
            _ => {
                let entrant = |(at, met): (usize, Vec<PlayerNumber>)| pods::Entrant {
                    player: self.players[at],
                    points: self.points[at],
                    byes: self.byes[at],
                    met,
                };
                let field: Vec<pods::Entrant> =
                    self.met().into_iter().enumerate().map(entrant).collect();
                pods::later_round(&field, dice)
            }
        };
        let because = drawn.because.unwrap_or(PairingReason::Pod);
        let table = |players: &Vec<PlayerNumber>| PairedTable {
            seats: seats(players),
            group: None,
            bracket_slot: None,
            because,
        };
        let bye = drawn.bye.map(|(player, because)| assigned(player, because));
        (drawn.tables.iter().map(table).collect(), bye.into_iter().collect())
    }
}

fn assigned(player: PlayerNumber, because: PairingReason) -> PairedBye {
    PairedBye { player, kind: ByeKind::Assigned, bracket_slot: None, because }
}

fn of_phase(round: &scrutineer_engine::tournament::Round, phase: &Phase) -> bool {
    round.phase == phase.number && !round.withdrawn
}

/// Who takes part in a round of a phase: who plays it, and in the first phase also who came later.
pub(super) fn active(state: &Tournament, phase: &Phase, round: RoundNumber) -> Vec<PlayerNumber> {
    let here = |number: PlayerNumber| state.player(number).is_some_and(|p| p.takes_part_in(round));
    let field = state.field(phase);
    let mut entered = vec![false; state.players().len() + 1];
    for &player in phase.entrants.iter().chain(field.iter()) {
        entered[player as usize] = true;
    }
    let late = state.players().iter().map(|player| player.number);
    let late = late.filter(|&number| phase.number == 1 && !entered[number as usize]);
    field.iter().copied().chain(late).filter(|&number| here(number)).collect()
}

/// The bye that a player has before anybody is paired: what they asked for, else what they brought.
fn settled_bye(
    state: &Tournament,
    phase: &Phase,
    player: PlayerNumber,
    round: RoundNumber,
) -> Option<PairedBye> {
    let (kind, because) = match state.bye_requested(player, round) {
        Some(kind) => (kind, PairingReason::Requested),
        None if brings_bye(state, phase, player, round) => {
            (ByeKind::Awarded, PairingReason::BroughtAlong)
        }
        None => return None,
    };
    Some(PairedBye { player, kind, bracket_slot: None, because })
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
) -> Result<Vec<i64>, PairingError> {
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

fn meetings(state: &Tournament, place: &[u32]) -> Vec<(u32, u32)> {
    let mut meetings = Vec::new();
    for found in state.matches() {
        let seats = found.seats();
        for (at, one) in seats.iter().enumerate() {
            for other in &seats[at + 1..] {
                let pair = (place[one.player as usize], place[other.player as usize]);
                if pair.0 != u32::MAX && pair.1 != u32::MAX {
                    meetings.push(pair);
                }
            }
        }
    }
    meetings
}

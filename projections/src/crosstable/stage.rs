//! The phases that standings know: each player belongs to the last one that they entered, and is
//! judged by what was known at its end.

use scrutineer_engine::event::{PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Phase, Round, Tournament};
use std::collections::BTreeMap;

/// A phase, as far as standings know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The phase's number; 0 where none has been started.
    pub phase: u16,
    /// How it is played.
    pub kind: PhaseKind,
    /// The last round that is known in it: of an earlier phase its own last one, of the last
    /// phase that of the scope.
    pub through: RoundNumber,
}

/// The phases that standings through a round know, the first one first; never none. A phase counts
/// from its start on, or where a round is named from its first round on.
pub fn stages(state: &Tournament, through: Option<RoundNumber>) -> Vec<Stage> {
    let scope = through.unwrap_or(RoundNumber::MAX);
    let mut stages: Vec<Stage> = Vec::new();
    for phase in state.phases().iter().filter(|phase| !phase.withdrawn) {
        let last = last_round(state, phase, scope);
        if last.is_some() || through.is_none() || stages.is_empty() {
            let before = stages.last().map_or(0, |stage| stage.through);
            let through = last.unwrap_or(before);
            stages.push(Stage { phase: phase.number, kind: phase.kind, through });
        }
    }
    if stages.is_empty() {
        stages.push(Stage { phase: 0, kind: PhaseKind::Swiss, through: scope });
    }
    if let Some(last) = stages.last_mut() {
        last.through = scope;
    }
    stages
}

fn last_round(state: &Tournament, phase: &Phase, scope: RoundNumber) -> Option<RoundNumber> {
    let rounds = state.rounds().iter().filter(|round| !round.withdrawn && round.number <= scope);
    rounds.filter(|round| round.phase == phase.number).map(|round| round.number).max()
}

/// For each player, by number, the position of the last of `stages` that they entered: as one of its
/// entrants, or by a table or bye in one of its rounds. Everybody entered the first.
pub fn last_entered(state: &Tournament, stages: &[Stage]) -> Vec<usize> {
    let mut entered = vec![0; state.players().len() + 1];
    let mut enter = |player: PlayerNumber, stage: usize| {
        if let Some(entered) = entered.get_mut(player as usize) {
            *entered = stage.max(*entered);
        }
    };
    // By phase: the stage that it is, and how far its rounds are known.
    let mut known: BTreeMap<u16, (usize, RoundNumber)> = BTreeMap::new();
    for (at, stage) in stages.iter().enumerate().skip(1) {
        if let Some(phase) = state.phase(stage.phase) {
            state.field(phase).iter().for_each(|player| enter(*player, at));
        }
        known.insert(stage.phase, (at, stage.through));
    }
    if known.is_empty() {
        return entered;
    }
    let stage_of = |round: &Round| {
        let (at, through) = known.get(&round.phase)?;
        (round.number <= *through).then_some(*at)
    };
    let stages: Vec<Option<usize>> = state.rounds().iter().map(stage_of).collect();
    for found in state.matches() {
        if let Some(at) = stages[found.round_index()] {
            found.seats().iter().for_each(|seat| enter(seat.player, at));
        }
    }
    for bye in state.byes() {
        if let Some(at) = stages[bye.round as usize] {
            enter(bye.player, at);
        }
    }
    entered
}

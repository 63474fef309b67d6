//! Rounds in which a player has neither table nor bye, where the ruleset counts them as something.

use super::{Crosstable, Index};
use crate::ruleset::{RoundKind, Ruleset};
use scrutineer_engine::event::{ByeKind, PhaseKind, RoundNumber};
use scrutineer_engine::tournament::{Bye, Player, Round, Tournament};
use std::collections::BTreeSet;

/// Each round missed, by column, with what it counts as. `counted` are the positions of the columns'
/// rounds among the state's. `voided` are tables whose match does not count, and
/// free rounds: no round, and not a missed one either.
pub fn rounds(
    state: &Tournament,
    rules: &Ruleset,
    table: &Crosstable,
    counted: &[usize],
    voided: &[(RoundNumber, Index)],
) -> Vec<(Index, usize, RoundKind)> {
    let missing = rules.missing;
    if (missing.late, missing.unpaired, missing.dropped) == (None, None, None) {
        return Vec::new();
    }
    let mut list = Vec::new();
    let voided: BTreeSet<(RoundNumber, Index)> = voided.iter().copied().collect();
    for (column, at) in counted.iter().enumerate() {
        let round = &state.rounds()[*at];
        let within = entrants(state, round);
        for (index, entrant) in (0..).zip(&table.entrants) {
            let Some(player) = state.player(entrant.number) else { continue };
            let takes_part = within.as_ref().is_none_or(|within| within[player.number as usize]);
            let appears = table.cells.rounds[table.cells.at(index, column)].is_some();
            if !takes_part || appears || voided.contains(&(round.number, index)) {
                continue;
            }
            if state.has_played_its_rounds(player, round.phase, round.phase_round) {
                continue;
            }
            if let Some(kind) = kind(rules, player, round.number) {
                list.push((index, column, kind));
            }
        }
    }
    list
}

/// Whether a bye is the free round of a round robin, where the ruleset counts that as no round.
pub fn is_free_round(state: &Tournament, rules: &Ruleset, bye: &Bye) -> bool {
    let phase = || state.phase_of(state.rounds().get(bye.round as usize)?);
    rules.missing.no_free_rounds
        && bye.scheduled
        && matches!(bye.kind, ByeKind::Assigned | ByeKind::Zero)
        && phase().is_some_and(|phase| phase.kind == PhaseKind::RoundRobin)
}

/// Who belongs to a later phase, by number; none: everybody does.
fn entrants(state: &Tournament, round: &Round) -> Option<Vec<bool>> {
    let phase = state.phase_of(round).filter(|phase| phase.number > 1)?;
    if phase.entrants.is_empty() {
        return None;
    }
    let mut within = vec![false; state.players().len() + 1];
    for number in state.field(phase).iter() {
        within[*number as usize] = true;
    }
    Some(within)
}

fn kind(rules: &Ruleset, player: &Player, round: RoundNumber) -> Option<RoundKind> {
    if round < player.from_round {
        rules.missing.late
    } else if player.takes_part_in(round) {
        rules.missing.unpaired
    } else {
        rules.missing.dropped
    }
}

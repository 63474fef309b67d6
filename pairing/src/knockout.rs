//! Brackets from the log: who stands where, and who goes on.

use super::bracket::{self, Bracket, Course, Placed, PlacedKind, Recorded, Reseeded};
use super::dice::Dice;
use super::situation::{active, running_phase};
use super::{PairedBye, PairedTable, PairingError, seats};
use scrutineer_engine::event::{ByeKind, PairingReason, PhaseKind, PlayerNumber};
use scrutineer_engine::tournament::{MatchView, Phase, Tournament};
use scrutineer_projections::crosstable::outcomes;
use scrutineer_projections::ruleset::{Outcome, QualifierByes, Ruleset};
use std::collections::BTreeMap;

/// The bracket of a phase.
pub(crate) fn bracket_of(phase: &Phase) -> Bracket {
    let entrants = phase.entrants.len() as u32;
    match phase.kind {
        PhaseKind::DoubleElimination => Bracket::double(entrants),
        _ => Bracket::single(entrants),
    }
}

/// What is recorded at each place of a phase's bracket.
pub fn recorded(state: &Tournament, rules: &Ruleset, phase: &Phase) -> BTreeMap<u32, Recorded> {
    let mut places = BTreeMap::new();
    for found in state.matches().filter(|found| found.round().phase == phase.number) {
        let Some(slot) = found.bracket_slot() else { continue };
        let [first, second] = found.seats() else { continue };
        let seats = [first.player, second.player];
        places.insert(slot, Recorded::Match { seats, winner: winner(state, rules, found) });
    }
    for bye in state.byes() {
        let round = &state.rounds()[bye.round as usize];
        if let Some(slot) = bye.bracket_slot.filter(|_| round.phase == phase.number) {
            places.insert(slot, Recorded::Bye { player: bye.player });
        }
    }
    places
}

/// Who goes on from a match: by ruling, or by its outcome; a draw takes nobody further.
pub fn winner(state: &Tournament, rules: &Ruleset, found: MatchView<'_>) -> Option<PlayerNumber> {
    found.advanced().or_else(|| {
        let outcomes = outcomes(state, rules, found);
        let won = outcomes.iter().position(|outcome| *outcome == Outcome::Win)?;
        Some(found.seats()[won].player)
    })
}

/// Draws the next round of a bracket.
pub fn draw(
    state: &Tournament,
    rules: &Ruleset,
    phase: &Phase,
    dice: &mut Dice,
) -> Result<(Vec<PairedTable>, Vec<PairedBye>), PairingError> {
    let round = state.next_round_number();
    let begun = state.rounds().iter().any(|r| r.phase == phase.number && !r.withdrawn);
    let reseed = rules.draw.reseed && phase.kind == PhaseKind::Elimination;
    if reseed && begun {
        return reseeded(state, rules, phase);
    }
    let mut here = vec![false; state.players().len() + 1];
    active(state, phase, round).into_iter().for_each(|player| here[player as usize] = true);
    let gone = |player: PlayerNumber| !here[player as usize];
    // Once the first stage is recorded, its slots say who took which seed.
    let seeds = match begun {
        false => {
            let sign_up = |player| state.player(player).and_then(|player| player.sign_up);
            let byes = qualifier_byes(state, rules, phase);
            bracket::place_entrants(&phase.entrants, sign_up, byes, dice)
        }
        true => Vec::new(),
    };
    let bracket = bracket_of(phase);
    let recorded = recorded(state, rules, phase);
    let at = |slot: u32| recorded.get(&slot).copied().unwrap_or(Recorded::Nothing);
    let Some(stage) = Course::of(&bracket, &seeds, at, gone).next_stage() else {
        return Ok((Vec::new(), Vec::new()));
    };
    let mut placed = bracket::next_round(&bracket, &seeds, at, gone, stage)
        .map_err(|undecided| nobody_advances(state, phase, undecided.slot))?;
    // Where somebody took a pairing back, only its place is drawn again.
    placed.retain(|place| !recorded.contains_key(&place.slot));
    Ok(tables_and_byes(placed, reseed))
}

/// Whether somebody goes on from every match of the last round, where a bracket is being played.
///
/// # Errors
/// `NobodyAdvances`, with the first table at which that is open.
pub fn decided(state: &Tournament, rules: &Ruleset) -> Result<(), PairingError> {
    let Some(phase) = running_phase(state).filter(|phase| phase.kind.is_bracket()) else {
        return Ok(());
    };
    let Some(last) = state.last_round().filter(|round| round.phase == phase.number) else {
        return Ok(());
    };
    let here = active(state, phase, state.next_round_number());
    let open = |found: &MatchView<'_>| {
        found.round().number == last.number
            && winner(state, rules, *found).is_none()
            && found.seats().iter().any(|seat| here.contains(&seat.player))
    };
    match state.matches().find(open) {
        None => Ok(()),
        Some(found) => {
            let (round, table) = (last.number, found.table().unwrap_or(0));
            Err(PairingError::NobodyAdvances { round, table })
        }
    }
}

/// Without an earlier phase and without ratings nobody has earned a seed, so they are drawn.
fn qualifier_byes(state: &Tournament, rules: &Ruleset, phase: &Phase) -> QualifierByes {
    let rated = |number: &PlayerNumber| state.player(*number).is_some_and(|p| p.rating.is_some());
    let unseeded = phase.number == 1 && !phase.entrants.iter().all(rated);
    match rules.draw.qualifier_byes {
        QualifierByes::Seeds if unseeded => QualifierByes::Random,
        byes => byes,
    }
}

fn nobody_advances(state: &Tournament, phase: &Phase, slot: u32) -> PairingError {
    let of_slot = |found: &MatchView<'_>| {
        found.round().phase == phase.number && found.bracket_slot() == Some(slot)
    };
    match state.matches().find(of_slot) {
        Some(found) => PairingError::NobodyAdvances {
            round: found.round().number,
            table: found.table().unwrap_or(0),
        },
        None => PairingError::NobodyAdvances { round: 0, table: 0 },
    }
}

fn tables_and_byes(placed: Vec<Placed>, without_slots: bool) -> (Vec<PairedTable>, Vec<PairedBye>) {
    let (mut tables, mut byes) = (Vec::new(), Vec::new());
    for Placed { slot, group, kind } in placed {
        let bracket_slot = (!without_slots).then_some(slot);
        let mut bye = |player, kind, because| {
            byes.push(PairedBye { player, kind, bracket_slot, because });
        };
        match kind {
            PlacedKind::Table { a, b } => tables.push(PairedTable {
                seats: seats(&[a, b]),
                group: Some(group),
                bracket_slot,
                because: PairingReason::Bracket,
            }),
            PlacedKind::FreePlace { player } => {
                bye(player, ByeKind::Assigned, PairingReason::FreePlace);
            }
            PlacedKind::OpponentGone { player } => {
                bye(player, ByeKind::Vacant, PairingReason::OpponentGone);
            }
        }
    }
    (tables, byes)
}

/// The highest seed left meets the lowest.
fn reseeded(
    state: &Tournament,
    rules: &Ruleset,
    phase: &Phase,
) -> Result<(Vec<PairedTable>, Vec<PairedBye>), PairingError> {
    let Some(last) = state.last_round() else { return Ok((Vec::new(), Vec::new())) };
    let here = active(state, phase, state.next_round_number());
    let mut left = Vec::new();
    for found in state.matches().filter(|found| found.round().number == last.number) {
        let table = found.table().unwrap_or(0);
        let undecided = PairingError::NobodyAdvances { round: last.number, table };
        left.push(winner(state, rules, found).ok_or(undecided)?);
    }
    let of_last = |round: u32| state.rounds()[round as usize].number == last.number;
    left.extend(state.byes().filter(|bye| of_last(bye.round)).map(|bye| bye.player));
    if left.len() < 2 {
        return Ok((Vec::new(), Vec::new()));
    }
    let field = state.field(phase).into_owned().into_iter();
    let seeds: Vec<PlayerNumber> =
        field.filter(|player| left.contains(player) && here.contains(player)).collect();
    let Reseeded { byes, tables } = bracket::reseeded_round(&seeds);
    let table = |players: [PlayerNumber; 2]| PairedTable {
        seats: seats(&players),
        group: Some(1),
        bracket_slot: None,
        because: PairingReason::Seeds,
    };
    let bye = |player| PairedBye {
        player,
        kind: ByeKind::Vacant,
        bracket_slot: None,
        because: PairingReason::OpponentGone,
    };
    Ok((tables.into_iter().map(table).collect(), byes.into_iter().map(bye).collect()))
}

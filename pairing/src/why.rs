//! Why a pairing: what a scorekeeper looks at when a player asks.

use super::knockout::bracket_of;
use super::situation::active;
use super::{PairingError, Parts, Situation, running_phase};
use crate::bracket::Source;
use scrutineer_engine::event::{PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{Crosstable, Scope};
use scrutineer_projections::ruleset::Ruleset;

/// What a player brought into a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brought {
    /// Who.
    pub player: PlayerNumber,
    /// Their points, over `points_den`.
    pub points: i64,
    /// What points are counted in.
    pub points_den: i64,
    /// How many byes they had had.
    pub byes: u32,
    /// Their seed in the phase, from 1, where they entered at its start.
    pub seed: Option<u32>,
    /// Who else had the same points and took part, with the rounds in which they had met them.
    pub same_points: Vec<(PlayerNumber, Vec<RoundNumber>)>,
}

/// What was known before a round about the players of a table, or about one with a bye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// How the phase is played.
    pub kind: PhaseKind,
    /// The players, in the order of their seats.
    pub players: Vec<Brought>,
    /// The earlier rounds in which two of them had met.
    pub met: Vec<RoundNumber>,
    /// The lowest points of anybody who took part, over `points_den`.
    pub lowest: i64,
    /// In a bracket, where the players of the place come from.
    pub sources: Option<[Source; 2]>,
}

/// What was known about these players in the state right before a round.
///
/// # Errors
/// Where no phase was running, or the results could not be folded.
pub fn why(
    before: &Tournament,
    rules: &Ruleset,
    players: &[PlayerNumber],
    bracket_slot: Option<u32>,
) -> Result<Why, PairingError> {
    let phase = running_phase(before).ok_or(PairingError::NoPhase)?;
    let mut field = active(before, phase, before.next_round_number());
    let asked = players.iter().filter(|player| !field.contains(player));
    let asked: Vec<PlayerNumber> = asked.copied().collect();
    field.extend(asked);
    // Whom they could not have met says nothing.
    let parts = Parts::of(before, phase);
    field.retain(|&other| players.iter().any(|&player| parts.has_both(player, other)));
    let situation = Situation::among(before, rules, field)?;
    let points_den = match before.last_round() {
        Some(_) => {
            let scope = Scope { through: None, final_order: Some(false) };
            Crosstable::of(before, rules, scope)?.points_den
        }
        None => 1,
    };
    let seeds = before.field(phase);
    let brought = |&player: &PlayerNumber| {
        let at = situation.players.iter().position(|other| *other == player);
        let points = at.map_or(0, |at| situation.points[at]);
        let others = (0..situation.players.len())
            .filter(|&other| Some(other) != at && situation.points[other] == points);
        let same_points = others.map(|other| {
            let other = situation.players[other];
            (other, rounds_met(before, player, other))
        });
        let seed = seeds.iter().position(|entrant| *entrant == player);
        Brought {
            player,
            points,
            points_den,
            byes: at.map_or(0, |at| situation.byes[at]),
            seed: seed.map(|at| at as u32 + 1),
            same_points: same_points.collect(),
        }
    };
    let mut met = Vec::new();
    for (at, &first) in players.iter().enumerate() {
        for &second in &players[at + 1..] {
            met.extend(rounds_met(before, first, second));
        }
    }
    met.sort_unstable();
    let slot = bracket_slot.filter(|_| phase.kind.is_bracket());
    Ok(Why {
        kind: phase.kind,
        players: players.iter().map(brought).collect(),
        met,
        lowest: situation.points.iter().min().copied().unwrap_or(0),
        sources: slot.and_then(|slot| Some(bracket_of(phase).node(slot)?.sources)),
    })
}

/// The rounds in which two players sat at one table.
fn rounds_met(state: &Tournament, first: PlayerNumber, second: PlayerNumber) -> Vec<RoundNumber> {
    let sat = |seats: &[scrutineer_engine::tournament::SeatState], player| {
        seats.iter().any(|seat| seat.player == player)
    };
    let both = state.matches().filter(|m| sat(m.seats(), first) && sat(m.seats(), second));
    both.map(|found| found.round().number).collect()
}

//! What the rounds of a bracket are called.

use scrutineer_engine::event::{PhaseKind, RoundNumber};
use scrutineer_engine::tournament::Tournament;

/// Returns a round by its number and, in a bracket, its name: `round 7 (final)`.
pub fn round_in_words(state: &Tournament, number: RoundNumber) -> String {
    match bracket_round(state, number) {
        Some(called) => format!("round {number} ({called})"),
        None => format!("round {number}"),
    }
}

/// Returns what a round of single elimination is called, such as `semi-final` or `round of 16`;
/// none where the round belongs to no such phase, or is played after its final.
pub fn bracket_round(state: &Tournament, number: RoundNumber) -> Option<String> {
    bracket_places(state, number).map(bracket_round_of)
}

/// Returns how many places are left in a round of single elimination: 2 in the final; none as of
/// [`bracket_round`].
pub fn bracket_places(state: &Tournament, number: RoundNumber) -> Option<usize> {
    let standing = |round: &&scrutineer_engine::tournament::Round| !round.withdrawn;
    let is_it =
        |round: &scrutineer_engine::tournament::Round| !round.withdrawn && round.number == number;
    let at = state.rounds().iter().position(is_it)?;
    let round = &state.rounds()[at];
    let phase = state.phase_of(round).filter(|phase| phase.kind == PhaseKind::Elimination)?;
    if is_final_of_pods(state, at) {
        return Some(2);
    }
    let of_phase = state.rounds().iter().filter(standing).filter(|r| r.phase == round.phase);
    let before = of_phase.filter(|other| other.number < number).count() as u32;
    // As many players as there are places in the first round, whether or not each is taken.
    let places = phase.entrants.len().max(2).next_power_of_two();
    places.checked_shr(before).filter(|left| *left > 1)
}

/// Whether all who are left sit at one table of more than two, from which one goes on: that is the final of pods.
fn is_final_of_pods(state: &Tournament, at: usize) -> bool {
    let mut tables = state.matches_of(at);
    let (Some(table), None) = (tables.next(), tables.next()) else { return false };
    table.seats().len() > 2 && state.byes().all(|bye| bye.round as usize != at)
}

/// What the round of a single elimination is called that so many places are left for.
pub fn bracket_round_of(places: usize) -> String {
    match places {
        2 => "final".into(),
        4 => "semi-final".into(),
        8 => "quarter-final".into(),
        left => format!("round of {left}"),
    }
}

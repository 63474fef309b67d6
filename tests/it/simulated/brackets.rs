//! Brackets that were played to their end.

use super::Played;
use scrutineer_engine::event::{PhaseKind, PlayerNumber};
use scrutineer_engine::tournament::{MatchView, Phase, Tournament};
use scrutineer_projections::crosstable::{Scope, outcomes};
use scrutineer_projections::ruleset::{Outcome, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use std::collections::BTreeMap;

/// How often each player lost in a phase; a ruling who goes on counts before the score.
pub fn losses(state: &Tournament, rules: &Ruleset, phase: &Phase) -> BTreeMap<PlayerNumber, u32> {
    let mut losses = BTreeMap::new();
    for found in state.matches().filter(|found| found.round().phase == phase.number) {
        let won = winner(state, rules, found);
        for seat in found.seats().iter().filter(|seat| won.is_some_and(|won| won != seat.player)) {
            *losses.entry(seat.player).or_default() += 1;
        }
    }
    losses
}

fn winner(state: &Tournament, rules: &Ruleset, found: MatchView<'_>) -> Option<PlayerNumber> {
    let by_score = || {
        let won = outcomes(state, rules, found).iter().position(|one| *one == Outcome::Win);
        won.map(|seat| found.seats()[seat].player)
    };
    found.advanced().or_else(by_score)
}

/// One is left, who lost never, or once where two losses are out; everybody else is out.
pub fn check(played: &Played) {
    let (state, name) = (&played.event.state, played.name());
    for phase in state.phases().iter().filter(|phase| !phase.withdrawn) {
        let most = match phase.kind {
            PhaseKind::Elimination => 0,
            PhaseKind::DoubleElimination => 1,
            _ => continue,
        };
        let losses = losses(state, played.rules(), phase);
        let of = |player: &PlayerNumber| losses.get(player).copied().unwrap_or(0);
        assert!(losses.values().all(|lost| *lost <= most + 1), "{name}: {losses:?}");
        let next = state.last_round().map_or(1, |last| last.number + 1);
        let here = |player: &PlayerNumber| {
            state.player(*player).is_some_and(|player| player.takes_part_in(next))
        };
        let left: Vec<PlayerNumber> =
            phase.entrants.iter().copied().filter(|p| of(p) <= most && here(p)).collect();
        if state.phases().last().is_some_and(|last| last.number == phase.number) {
            assert_eq!(left, Vec::from_iter(played.simulated.champion), "{name}: who is left");
            let standings = Standings::of(state, played.rules(), Scope::FINAL, Detail::Order);
            let first = standings.expect("standings").rows[0].player;
            assert_eq!(Some(first), played.simulated.champion, "{name}: who is first");
        }
    }
}

//! The repair of the round being played that would disturb least.

use super::rounds::LaterRound;
use super::touched;
use crate::desk::{Desk, DeskError, Means, Repaired, open_round, unpaired};
use crate::store::Store;
use scrutineer_engine::event::{PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{MatchView, Tournament};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;

/// A repair of the round that is being played, as it would come out.
#[derive(Clone, Debug)]
pub struct Repairing {
    /// The round.
    pub round: RoundNumber,
    /// Who leaves and has not played yet.
    pub out: Vec<PlayerNumber>,
    /// The tables that are broken up.
    pub broken: Vec<u32>,
    /// How many tables the round has.
    pub tables: usize,
    /// How many of them stay as they are.
    pub kept: usize,
    /// Of the players at the tables that are broken up, those whose result elsewhere changes.
    pub touched: Vec<PlayerNumber>,
    /// How many tables stay where only who leaves is seen to, and no table is broken up; only where
    /// there is both.
    pub kept_without: Option<usize>,
    /// What would be set; or why it cannot be done.
    pub found: Result<Repaired, DeskError>,
}

/// Tries the least repair on a copy of `fork`, which is `before` with something recorded: around
/// who leaves and has not played, at the tables of those whose result changes where the round
/// would have been drawn otherwise, and for whoever is without a table.
///
/// # Errors
/// Where the copy cannot be read.
pub fn repairing(
    fork: &Store,
    before: &LoadedTournament,
    after: &LoadedTournament,
    rounds: &[LaterRound],
    means: Means<'_>,
) -> Result<Option<Repairing>, DeskError> {
    let state = &after.state;
    let Some(round) = open_round(state).map(|open| open.number) else { return Ok(None) };
    let left = |player: PlayerNumber| {
        let dropped = |of: &Tournament| of.player(player).is_some_and(|p| p.dropped().is_some());
        dropped(state) && !dropped(&before.state)
    };
    let open: Vec<MatchView<'_>> =
        of_round(state, round).filter(|m| m.result().is_none()).collect();
    let seated = || open.iter().flat_map(|found| found.seats()).map(|seat| seat.player);
    let out: Vec<PlayerNumber> = seated().filter(|&player| left(player)).collect();
    let would_differ = rounds.iter().any(|later| later.round == round && later.otherwise() > 0);
    let touched: BTreeSet<PlayerNumber> = touched(before, after);
    let is_touched = |found: &&MatchView<'_>| {
        let seats = found.seats();
        !seats.iter().any(|s| out.contains(&s.player))
            && seats.iter().any(|s| touched.contains(&s.player))
    };
    let kind = state.round(round).and_then(|round| state.phase_of(round)).map(|phase| phase.kind);
    let scheduled = kind.is_none_or(|kind| kind.is_bracket() || kind == PhaseKind::RoundRobin);
    let broken: Vec<u32> = match would_differ && !scheduled {
        true => open.iter().filter(is_touched).filter_map(|found| found.table()).collect(),
        false => Vec::new(),
    };
    if out.is_empty() && broken.is_empty() && (scheduled || unpaired(state, round).is_empty()) {
        return Ok(None);
    }
    let was = seats(state, round);
    let try_out = |broken: &[u32]| -> Result<_, DeskError> {
        let trial = fork.fork(after.stream)?;
        let desk = Desk::at(&trial, after.stream, means);
        let found = desk.repair(&out, broken, "what if").map(|(repaired, _)| repaired);
        let kept = was.intersection(&seats(&*desk.state()?, round)).count();
        Ok((found, kept))
    };
    let (found, kept) = try_out(&broken)?;
    let kept_without = match out.is_empty() || broken.is_empty() {
        true => None,
        false => Some(try_out(&[])?).filter(|(found, _)| found.is_ok()).map(|(_, kept)| kept),
    };
    let at_broken = |found: &&MatchView<'_>| found.table().is_some_and(|t| broken.contains(&t));
    let seated = open.iter().filter(at_broken).flat_map(|found| found.seats());
    let touched =
        seated.map(|seat| seat.player).filter(|player| touched.contains(player)).collect();
    let tables = was.len();
    Ok(Some(Repairing { round, out, broken, tables, kept, touched, kept_without, found }))
}

fn of_round(state: &Tournament, round: RoundNumber) -> impl Iterator<Item = MatchView<'_>> {
    state.matches().filter(move |found| found.round().number == round)
}

/// Who meets in a round.
fn seats(state: &Tournament, round: RoundNumber) -> BTreeSet<BTreeSet<PlayerNumber>> {
    of_round(state, round).map(|m| m.seats().iter().map(|seat| seat.player).collect()).collect()
}

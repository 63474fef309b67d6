//! Tournaments folded again under another ruleset: who moves, who would have won, whose cut changes.

mod files;
mod season;

pub use files::{rebuild_bundle, rebuild_file};
pub use season::{Asked, Cause, TournamentFound, Used, rebuild_bit_by_bit, rebuild_store};

use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Phase, Tournament};
use scrutineer_projections::compare::{Comparison, compare};
use scrutineer_projections::crosstable::{FoldError, Scope, check_rulings};
use scrutineer_projections::cut::Cut;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::standings::{Detail, Standings};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A cut under two rulesets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutFound {
    /// The last round before it; 0 where none was played.
    pub after_round: RoundNumber,
    /// How many make it.
    pub size: u32,
    /// Who makes it under the second ruleset only, by number.
    pub enters: Vec<PlayerNumber>,
    /// Who makes it under the first only, by number.
    pub leaves: Vec<PlayerNumber>,
    /// The places at the cut of those who enter or leave: player, first place, second place.
    pub places: Vec<(PlayerNumber, u32, u32)>,
}

/// One tournament under two rulesets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Who moves, as the standings are now.
    pub comparison: Comparison,
    /// Who is first under each: several where they share the place.
    pub winners: [Vec<PlayerNumber>; 2],
    /// Of the cuts the first at which others would have gone on, since nobody knows how the tournament
    /// would have gone from there; where there is none the last one.
    pub cut: Option<CutFound>,
}

impl Rebuilt {
    /// The largest number of places that somebody moves.
    pub fn largest_move(&self) -> u32 {
        let moves = self.comparison.moves.iter();
        moves.map(|one| one.first.abs_diff(one.second)).max().unwrap_or(0)
    }

    /// Whether others are first.
    pub fn winner_changes(&self) -> bool {
        self.winners[0] != self.winners[1]
    }

    /// Whether others make the cut.
    pub fn cut_changes(&self) -> bool {
        self.cut.as_ref().is_some_and(|cut| !cut.enters.is_empty())
    }
}

/// Compares a tournament's standings under two rulesets. `cut` is how many make the cut; none: as many
/// as did, or as the plan says.
///
/// # Errors
/// Where one of the two needs what the tournament does not hold.
pub fn rebuild(
    state: &Tournament,
    before: &Arc<Ruleset>,
    after: &Arc<Ruleset>,
    cut: Option<u32>,
) -> Result<Rebuilt, FoldError> {
    let rulesets = [before, after];
    for rules in rulesets {
        check_rulings(state, rules)?;
    }
    let fold = |scope: Scope| -> Result<[Standings; 2], FoldError> {
        let of = |rules| Standings::of(state, rules, scope, Detail::Order);
        Ok([of(before)?, of(after)?])
    };
    let now = fold(Scope::default())?;
    let comparison = compare(&now[0], &now[1], Vec::new(), &[], None);
    let winners = [first_place(&now[0]), first_place(&now[1])];
    let mut found = None;
    for after_round in cut_points(state) {
        let there = fold(Scope { through: Some(after_round), final_order: Some(true) })?;
        // Where nobody stays behind there is no cut.
        if let Some(one) = at_cut(state, &there, cut) {
            let changes = !one.enters.is_empty();
            found = Some(one);
            if changes {
                break;
            }
        }
    }
    if found.is_none() {
        found = at_cut(state, &now, cut);
    }
    Ok(Rebuilt { comparison, winners, cut: found })
}

/// Everybody on the first place.
fn first_place(standings: &Standings) -> Vec<PlayerNumber> {
    let first = standings.rows.iter().take_while(|row| row.rank == 1);
    let first: BTreeSet<PlayerNumber> = first.map(|row| row.player).collect();
    first.into_iter().collect()
}

/// The last round before each phase that followed another that had had rounds.
fn cut_points(state: &Tournament) -> Vec<RoundNumber> {
    let phases: Vec<&Phase> = state.phases().iter().filter(|phase| !phase.withdrawn).collect();
    let point = |two: &[&'_ Phase]| {
        let rounds = state.rounds().iter().filter(|round| !round.withdrawn);
        let of_before = rounds.filter(|round| round.phase == two[0].number);
        of_before.map(|round| round.number).max().filter(|_| !two[1].entrants.is_empty())
    };
    phases.windows(2).filter_map(point).collect()
}

/// Who makes a cut of the same size under both; none where nobody who could go on stays behind.
fn at_cut(state: &Tournament, there: &[Standings; 2], asked: Option<u32>) -> Option<CutFound> {
    let first = Cut::of(state, &there[0], asked).filter(|cut| cut.next.is_some())?;
    let second = Cut::of(state, &there[1], Some(first.size))?;
    let made = [first, second].map(|cut| (cut.size, BTreeSet::from_iter(cut.players)));
    let [(size, first), (_, second)] = made;
    let enters: Vec<PlayerNumber> = second.difference(&first).copied().collect();
    let leaves: Vec<PlayerNumber> = first.difference(&second).copied().collect();
    let place = |at: usize, player| there[at].row(player).map_or(0, |row| row.rank);
    let crossing = enters.iter().chain(&leaves);
    let places = crossing.map(|&player| (player, place(0, player), place(1, player))).collect();
    Some(CutFound { after_round: there[0].through, size, enters, leaves, places })
}

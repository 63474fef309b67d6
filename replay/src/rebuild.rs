//! Events folded again under another ruleset: who moves, who would have won, whose cut changes.

mod files;
mod season;

pub use files::{rebuild_bundle, rebuild_file};
pub use season::{Asked, Cause, EventFound, Used, rebuild_archive};

use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Phase, Tournament};
use scrutineer_projections::compare::{Comparison, compare, makes_cut};
use scrutineer_projections::crosstable::{FoldError, Scope, check_rulings};
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

/// One event under two rulesets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Who moves, as the standings are now.
    pub comparison: Comparison,
    /// Who is first under each: several where they share the place.
    pub winners: [Vec<PlayerNumber>; 2],
    /// Of the cuts the first at which others would have gone on, since nobody knows how the event
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

/// Compares an event's standings under two rulesets. `cut` is how many make the cut; none: as many
/// as did, or as the plan says.
///
/// # Errors
/// Where one of the two needs what the event does not hold.
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
    for point in cut_points(state) {
        let there = fold(Scope { through: Some(point.after_round), final_order: Some(true) })?;
        let size = cut.unwrap_or(point.entrants);
        let able = |player| point.is_able(state, player);
        // Where nobody stays behind there is no cut.
        if there[0].rows.iter().filter(|row| able(row.player)).count() > size as usize {
            let one = at_cut(&there, point.after_round, size, &able);
            let changes = !one.enters.is_empty();
            found = Some(one);
            if changes {
                break;
            }
        }
    }
    let size = cut.or_else(|| now[0].planned_cut(state));
    if let Some(size) = size.filter(|size| found.is_none() && (*size as usize) < now[0].rows.len())
    {
        let next = state.next_round_number();
        let able = |player| {
            state.is_closed() || state.player(player).is_some_and(|p| p.takes_part_in(next))
        };
        found = Some(at_cut(&now, now[0].through, size, &able));
    }
    Ok(Rebuilt { comparison, winners, cut: found })
}

/// Everybody on the first place.
fn first_place(standings: &Standings) -> Vec<PlayerNumber> {
    let first = standings.rows.iter().take_while(|row| row.rank == 1);
    let first: BTreeSet<PlayerNumber> = first.map(|row| row.player).collect();
    first.into_iter().collect()
}

/// Where one phase followed another.
struct CutPoint<'a> {
    before: &'a Phase,
    after: &'a Phase,
    after_round: RoundNumber,
    entrants: u32,
}

/// Every place at which a phase followed another that had had rounds.
fn cut_points(state: &Tournament) -> Vec<CutPoint<'_>> {
    let phases: Vec<&Phase> = state.phases().iter().filter(|phase| !phase.withdrawn).collect();
    let point = |two: &[&'_ Phase]| {
        let (before, after) = (state.phase(two[0].number)?, state.phase(two[1].number)?);
        let rounds = state.rounds().iter().filter(|round| !round.withdrawn);
        let of_before = rounds.filter(|round| round.phase == before.number);
        let after_round = of_before.map(|round| round.number).max()?;
        Some(CutPoint { before, after, after_round, entrants: after.entrants.len() as u32 })
    };
    phases.windows(2).filter_map(point).filter(|point| point.entrants > 0).collect()
}

impl CutPoint<'_> {
    /// Whether a player could have gone on: he was there and did not decline.
    fn is_able(&self, state: &Tournament, player: PlayerNumber) -> bool {
        let next = self.after_round + 1;
        let entered = self.after.entrants.contains(&player);
        let declined = self.after.passed_over.contains(&player);
        let was_in = self.before.entrants.is_empty() || self.before.entrants.contains(&player);
        let here = state.player(player).is_some_and(|found| found.takes_part_in(next));
        entered || (here && !declined && (was_in || self.before.number == 1))
    }
}

fn at_cut(
    there: &[Standings; 2],
    after_round: RoundNumber,
    size: u32,
    able: &dyn Fn(PlayerNumber) -> bool,
) -> CutFound {
    let made = [0, 1].map(|at| makes_cut(&there[at], size, able));
    let enters: Vec<PlayerNumber> = made[1].difference(&made[0]).copied().collect();
    let leaves: Vec<PlayerNumber> = made[0].difference(&made[1]).copied().collect();
    let place = |at: usize, player| there[at].row(player).map_or(0, |row| row.rank);
    let crossing = enters.iter().chain(&leaves);
    let places = crossing.map(|&player| (player, place(0, player), place(1, player))).collect();
    CutFound { after_round, size, enters, leaves, places }
}

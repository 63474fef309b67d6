//! Why the draw of score groups put two players together, told from the outcome: the reason is
//! what a scorekeeper sees in the groups, not a step of the search.

use super::Situation;
use scrutineer_engine::event::Because;
use std::collections::{BTreeMap, BTreeSet};

/// A reason for each pair.
pub fn of_pairs(
    situation: &Situation,
    pairs: &[(u32, u32)],
    bye: Option<u32>,
    rematches_allowed: bool,
) -> Vec<Because> {
    let points = |at: u32| situation.points[at as usize];
    let mut odd = odd_groups(situation, bye);
    let met: BTreeSet<(u32, u32)> =
        situation.meetings.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let reason = |&(a, b): &(u32, u32)| {
        let met = met.contains(&(a.min(b), a.max(b)));
        if met && !rematches_allowed {
            Because::RematchUnavoidable
        } else if situation.round == 1 {
            Because::FirstRound
        } else if points(a) == points(b) {
            Because::SamePoints
        } else if odd.remove(&(points(a).max(points(b)), points(a).min(points(b)))) {
            Because::OddGroup
        } else {
            Because::RematchAvoided
        }
    };
    pairs.iter().map(reason).collect()
}

/// The pairs of groups, as (higher points, lower points), between which one player must go down
/// because a group is odd.
fn odd_groups(situation: &Situation, bye: Option<u32>) -> BTreeSet<(i64, i64)> {
    let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
    for (at, &points) in (0..).zip(&situation.points) {
        if Some(at) != bye {
            *sizes.entry(points).or_default() += 1;
        }
    }
    let mut odd = BTreeSet::new();
    let mut waiting: Option<i64> = None;
    for (&points, &size) in sizes.iter().rev() {
        let left = size - usize::from(waiting.is_some());
        if let Some(above) = waiting.take() {
            odd.insert((above, points));
        }
        if left % 2 == 1 {
            waiting = Some(points);
        }
    }
    odd
}

/// Why a player has the bye.
pub fn of_bye(situation: &Situation, at: u32) -> Because {
    let had = situation.byes[at as usize];
    let lowest = situation.points.iter().min().copied().unwrap_or(0);
    if had > 0 {
        Because::SecondByeUnavoidable
    } else if situation.round == 1 {
        Because::FirstRound
    } else if situation.points[at as usize] > lowest {
        Because::SecondByeAvoided
    } else {
        Because::LowestPoints
    }
}

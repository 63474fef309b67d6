//! How good pods are.

use super::Entrant;
use scrutineer_engine::event::PlayerNumber;
use std::collections::BTreeMap;

/// What a draw should have little of; the first counts most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// How often players of one pod have met before.
    pub repeats: u64,
    /// The points of the players in pods of three.
    pub points_in_threes: i64,
    /// The squared differences in points of all pairs inside pods.
    pub spread: u64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            repeats: self.repeats + other.repeats,
            points_in_threes: self.points_in_threes + other.points_in_threes,
            spread: self.spread.saturating_add(other.spread),
        }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), |sum, cost| sum + cost)
    }
}

/// The players by their position in the order, from 0.
pub(super) struct Field {
    pub points: Vec<i64>,
    /// For each, whom they have met and how often, sorted.
    pub met: Vec<Vec<(usize, u32)>>,
}

impl Field {
    pub fn of(order: &[&Entrant]) -> Field {
        let positions: BTreeMap<PlayerNumber, usize> =
            order.iter().map(|entrant| entrant.player).zip(0..).collect();
        let met = |entrant: &&Entrant| {
            let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
            for other in entrant.met.iter().filter_map(|player| positions.get(player)) {
                *counts.entry(*other).or_default() += 1;
            }
            counts.into_iter().collect()
        };
        Field {
            points: order.iter().map(|entrant| entrant.points).collect(),
            met: order.iter().map(met).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// How often these two have met.
    pub fn meetings(&self, a: usize, b: usize) -> u32 {
        let met = &self.met[a];
        met.binary_search_by_key(&b, |(other, _)| *other).map_or(0, |at| met[at].1)
    }

    /// What a player adds to a pod of `size` by sitting with these.
    pub fn joining(&self, player: usize, others: impl Iterator<Item = usize>, size: usize) -> Cost {
        let alone = if size == 3 { self.points[player] } else { 0 };
        let mut cost = Cost { points_in_threes: alone, ..Cost::default() };
        for other in others {
            cost.repeats += u64::from(self.meetings(player, other));
            let apart = self.points[player].abs_diff(self.points[other]);
            cost.spread = cost.spread.saturating_add(apart.saturating_mul(apart));
        }
        cost
    }

    pub(crate) fn pod_cost(&self, pod: &[usize]) -> Cost {
        let joining = |at| self.joining(pod[at], pod[..at].iter().copied(), pod.len());
        (0..pod.len()).map(joining).sum()
    }

    pub fn cost(&self, pods: &[Vec<usize>]) -> Cost {
        pods.iter().map(|pod| self.pod_cost(pod)).sum()
    }

    /// No draw has fewer repeats than this: whoever has too few players left that they have not met
    /// must repeat some, each repeat serves two players at most, and a seat in a pod of three
    /// needs one player less.
    pub fn at_least(&self, sizes: &[usize]) -> u64 {
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let smaller = sizes.iter().filter(|size| **size < largest).sum::<usize>();
        let new = |met: &Vec<(usize, u32)>| self.len() - 1 - met.len();
        let short: Vec<usize> =
            self.met.iter().map(|met| largest.saturating_sub(1 + new(met))).collect();
        let relieved = short.iter().filter(|short| **short > 0).count().min(smaller);
        ((short.iter().sum::<usize>() - relieved) as u64).div_ceil(2)
    }
}

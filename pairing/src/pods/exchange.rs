//! Good pods of many players: from the order into pods, then players exchange their seats as
//! long as that helps; from where nothing helps, a few exchanges by lot and the same again.

use super::weigh::{Cost, Field};
use crate::dice::Dice;
use std::collections::VecDeque;

/// So many positions up and down the order exchanges are looked for; for a player who has met
/// somebody of their pod, among all where nobody so near will do.
const NEAR: usize = 12;

/// Up to so many players exchanges by lot go on when no repeat is left, to bring the points in
/// the pods closer together.
const FEW: usize = 64;

/// So much work goes into exchanges by lot: their number, times the players.
const WORK: usize = 10_000;

pub(super) fn good(field: &Field, sizes: &[usize], dice: &mut Dice) -> Vec<Vec<usize>> {
    let mut seating = Seating::of(field, sizes);
    seating.improve((0..field.len()).collect());
    let mut best = (field.cost(&seating.pods), seating.clone());
    let at_least = field.at_least(sizes);
    for _ in 0..(WORK / field.len()).max(10) {
        let Some(player) = seating.troubled(dice, best.0.repeats > at_least) else { break };
        let touched = seating.shake(player, dice);
        seating.improve(touched);
        let cost = field.cost(&seating.pods);
        // One as good is taken too: from there the next exchange may lead further.
        match cost <= best.0 {
            true => best = (cost, seating.clone()),
            false => seating = best.1.clone(),
        }
    }
    best.1.pods
}

/// How much an exchange makes smaller or larger; the least is the best.
type Change = (i64, i64, i128);

#[derive(Clone)]
struct Seating<'a> {
    field: &'a Field,
    pods: Vec<Vec<usize>>,
    pod_of: Vec<usize>,
}

impl Seating<'_> {
    fn of<'a>(field: &'a Field, sizes: &[usize]) -> Seating<'a> {
        let mut players = 0..field.len();
        let pods: Vec<Vec<usize>> =
            sizes.iter().map(|size| players.by_ref().take(*size).collect()).collect();
        let pod_of = pods.iter().enumerate().flat_map(|(at, pod)| vec![at; pod.len()]).collect();
        Seating { field, pods, pod_of }
    }

    /// Exchanges players as long as that helps: looks for a better seat for each of the list,
    /// and again for everybody whose pod has changed.
    fn improve(&mut self, list: Vec<usize>) {
        let mut waiting = vec![false; self.field.len()];
        list.iter().for_each(|player| waiting[*player] = true);
        let mut list = VecDeque::from(list);
        while let Some(player) = list.pop_front() {
            waiting[player] = false;
            let Some(other) = self.better_seat(player) else { continue };
            self.exchange(player, other);
            for pod in [self.pod_of[player], self.pod_of[other]] {
                for again in &self.pods[pod] {
                    if !std::mem::replace(&mut waiting[*again], true) {
                        list.push_back(*again);
                    }
                }
            }
        }
    }

    /// The player with whom an exchange helps most; none where none helps.
    fn better_seat(&self, player: usize) -> Option<usize> {
        let repeats = self.sitting(player).repeats as i64;
        let near = player.saturating_sub(NEAR)..(player + NEAR + 1).min(self.field.len());
        let mut best = self.best_of(player, near);
        if repeats > 0 && best.is_none_or(|((change, ..), _)| change > -repeats) {
            best = self.best_of(player, 0..self.field.len());
        }
        best.filter(|(change, _)| *change < (0, 0, 0)).map(|(_, other)| other)
    }

    fn best_of(&self, player: usize, others: std::ops::Range<usize>) -> Option<(Change, usize)> {
        others
            .filter(|other| self.pod_of[*other] != self.pod_of[player])
            .map(|other| (self.change(player, other), other))
            .min()
    }

    fn change(&self, a: usize, b: usize) -> Change {
        let before = self.sitting(a) + self.sitting(b);
        let after = self.sitting_for(a, b) + self.sitting_for(b, a);
        (
            after.repeats as i64 - before.repeats as i64,
            after.points_in_threes - before.points_in_threes,
            i128::from(after.spread) - i128::from(before.spread),
        )
    }

    fn sitting(&self, player: usize) -> Cost {
        self.sitting_for(player, player)
    }

    /// What a player adds to the pod of `seat`, in the place of that player.
    fn sitting_for(&self, player: usize, seat: usize) -> Cost {
        let pod = &self.pods[self.pod_of[seat]];
        let others = pod.iter().copied().filter(|other| *other != seat);
        self.field.joining(player, others, pod.len())
    }

    fn exchange(&mut self, a: usize, b: usize) {
        let (pod_a, pod_b) = (self.pod_of[a], self.pod_of[b]);
        self.pods[pod_a].iter_mut().filter(|seat| **seat == a).for_each(|seat| *seat = b);
        self.pods[pod_b].iter_mut().filter(|seat| **seat == b).for_each(|seat| *seat = a);
        self.pod_of.swap(a, b);
    }

    /// A player for whom things could be better, by lot; none where it is good enough.
    fn troubled(&self, dice: &mut Dice, by_repeats: bool) -> Option<usize> {
        let count = self.field.len();
        if !by_repeats {
            return (count <= FEW).then(|| dice.below(count as u64) as usize);
        }
        let repeats: Vec<usize> =
            (0..count).filter(|player| self.sitting(*player).repeats > 0).collect();
        repeats.get(dice.below(repeats.len() as u64) as usize).copied()
    }

    /// Exchanges a player and two of their new pod by lot; says whose pods have changed.
    fn shake(&mut self, player: usize, dice: &mut Dice) -> Vec<usize> {
        let mut pods = vec![self.pod_of[player]];
        let mut moved = player;
        for _ in 0..3 {
            let other = dice.below(self.field.len() as u64) as usize;
            pods.push(self.pod_of[other]);
            if self.pod_of[other] != self.pod_of[moved] {
                self.exchange(moved, other);
            }
            let pod = &self.pods[self.pod_of[moved]];
            moved = pod[dice.below(pod.len() as u64) as usize];
        }
        pods.sort_unstable();
        pods.dedup();
        pods.iter().flat_map(|pod| self.pods[*pod].clone()).collect()
    }
}

//! The best pods of few players, by trying all.

use super::weigh::{Cost, Field};

/// Up to so many players the best draw is found: twelve can be seated in 5,775 ways.
pub const EXACT: usize = 12;

/// The best pods of these sizes; among equally good ones the first, counted from the top of the
/// order.
pub(super) fn best(field: &Field, sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut search = Search { field, best: None, pods: Vec::new() };
    let everybody: Vec<usize> = (0..field.len()).collect();
    search.pods(&everybody, sizes, Cost::default());
    search.best.map(|(_, pods)| pods).unwrap_or_default()
}

struct Search<'a> {
    field: &'a Field,
    best: Option<(Cost, Vec<Vec<usize>>)>,
    pods: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Seats the rest. The highest player left is in the next pod, which is of any size left.
    fn pods(&mut self, left: &[usize], sizes: &[usize], so_far: Cost) {
        let Some((first, others)) = left.split_first() else {
            if self.best.as_ref().is_none_or(|(cost, _)| so_far < *cost) {
                self.best = Some((so_far, self.pods.clone()));
            }
            return;
        };
        if self.best.as_ref().is_some_and(|(cost, _)| so_far.repeats > cost.repeats) {
            return;
        }
        let mut tried = 0;
        for (at, size) in sizes.iter().enumerate() {
            if *size != tried {
                tried = *size;
                let sizes = [&sizes[..at], &sizes[at + 1..]].concat();
                self.fill(&mut vec![*first], others, &sizes, *size, so_far);
            }
        }
    }

    /// Fills a pod with players from the order.
    fn fill(
        &mut self,
        pod: &mut Vec<usize>,
        others: &[usize],
        sizes: &[usize],
        size: usize,
        so_far: Cost,
    ) {
        if pod.len() == size {
            let cost = so_far + self.field.pod_cost(pod);
            self.pods.push(pod.clone());
            self.pods(others, sizes, cost);
            self.pods.pop();
            return;
        }
        let last = pod.last().copied();
        for (at, other) in others.iter().enumerate().filter(|(_, other)| last < Some(**other)) {
            let rest = [&others[..at], &others[at + 1..]].concat();
            pod.push(*other);
            self.fill(pod, &rest, sizes, size, so_far);
            pod.pop();
        }
    }
}

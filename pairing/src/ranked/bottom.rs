//! The bottom of the order, where a pair taken at will could leave a rest that can't be paired:
//! an exact look ahead by matchings.
//!
//! A largest matching among pairs that have not met leaves over just as many players as must
//! meet again. So a pair is right where the rest without it has a matching large enough. When a
//! player is taken out, the matching is mended, not searched again: only the one who lost them as
//! a partner can begin a path that makes it larger.

use std::collections::VecDeque;

/// A pair of positions, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub top: usize,
    pub other: usize,
    /// Nobody between them was left.
    pub neighbours: bool,
    /// They have met.
    pub rematch: bool,
}

/// Pairs an even number of players: as few rematches as can be, and then each from the top with
/// the highest whom they can meet.
pub(super) fn pairs(count: usize, met: impl Fn(usize, usize) -> bool) -> Vec<Pair> {
    let others = |at| (0..count).filter(|other| *other != at && !met(at, *other)).collect();
    let graph = Graph { may_meet: (0..count).map(others).collect() };
    let mut rest = graph.largest();
    let mut pairs = Vec::with_capacity(count / 2);
    while let Some(top) = rest.here.iter().position(|here| *here) {
        let others: Vec<usize> = (top + 1..count).filter(|other| rest.here[*other]).collect();
        let found = others.iter().enumerate().find_map(|(skipped, &other)| {
            let rematch = met(top, other);
            let pair = Pair { top, other, neighbours: skipped == 0, rematch };
            Some((pair, graph.without(&rest, &pair)?))
        });
        // A best draw holds the first player, so one is found as long as two are left.
        let Some((pair, without)) = found else { break };
        rest = without;
        pairs.push(pair);
    }
    pairs
}

/// Whom each may meet without a rematch, from the top.
struct Graph {
    may_meet: Vec<Vec<usize>>,
}

/// Players still to be paired, with a largest matching among them.
#[derive(Clone)]
struct Rest {
    here: Vec<bool>,
    mate: Vec<Option<usize>>,
    pairs: usize,
}

impl Graph {
    fn largest(&self) -> Rest {
        let count = self.may_meet.len();
        let mut rest = Rest { here: vec![true; count], mate: vec![None; count], pairs: 0 };
        // A start that is mostly right already.
        for (at, others) in self.may_meet.iter().enumerate() {
            let free = |other: &&usize| rest.mate[**other].is_none();
            if let Some(other) = others.iter().find(free).filter(|_| rest.mate[at].is_none()) {
                (rest.mate[at], rest.mate[*other]) = (Some(*other), Some(at));
                rest.pairs += 1;
            }
        }
        for at in 0..count {
            self.enlarge(&mut rest, at);
        }
        rest
    }

    /// The rest without a pair; none where it would have to hold more rematches than needed.
    fn without(&self, rest: &Rest, pair: &Pair) -> Option<Rest> {
        let mut without = rest.clone();
        for player in [pair.top, pair.other] {
            without.here[player] = false;
            if let Some(mate) = without.mate[player].take() {
                without.mate[mate] = None;
                without.pairs -= 1;
                self.enlarge(&mut without, mate);
            }
        }
        (without.pairs + 1 >= rest.pairs + usize::from(pair.rematch)).then_some(without)
    }

    /// Makes the matching larger by one along a path from this player, if there is one.
    fn enlarge(&self, rest: &mut Rest, from: usize) {
        if rest.mate[from].is_some() {
            return;
        }
        let mut search = Search::new(self.may_meet.len(), from);
        let Some(end) = search.run(self, rest) else { return };
        // Along the path, pairs and gaps change places.
        let mut at = Some(end);
        while let Some(odd) = at {
            let Some(even) = search.came_from[odd] else { break };
            at = rest.mate[even];
            (rest.mate[odd], rest.mate[even]) = (Some(even), Some(odd));
        }
        rest.pairs += 1;
    }
}

/// A search for an alternating path (Edmonds): odd circles are shrunk into their first player.
struct Search {
    root: usize,
    /// For a player reached over a gap of the matching: from whom.
    came_from: Vec<Option<usize>>,
    /// The player into whom the circle they belong to is shrunk; themselves, if none.
    base: Vec<usize>,
    /// Reached at an even distance, so that the path may go on from them to anybody.
    even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Search {
    fn new(count: usize, root: usize) -> Search {
        let mut even = vec![false; count];
        even[root] = true;
        let (came_from, base) = (vec![None; count], (0..count).collect());
        Search { root, came_from, base, even, queue: VecDeque::from([root]) }
    }

    /// The player without a partner at the other end of a path.
    fn run(&mut self, graph: &Graph, rest: &Rest) -> Option<usize> {
        while let Some(at) = self.queue.pop_front() {
            for &to in graph.may_meet[at].iter().filter(|to| rest.here[**to]) {
                if self.base[at] == self.base[to] || rest.mate[at] == Some(to) {
                    continue;
                }
                if self.even[to] {
                    self.shrink(rest, at, to);
                } else if self.came_from[to].is_none() {
                    self.came_from[to] = Some(at);
                    let Some(mate) = rest.mate[to] else { return Some(to) };
                    self.even[mate] = true;
                    self.queue.push_back(mate);
                }
            }
        }
        None
    }

    /// Two players at even distances can meet: the paths to them close an odd circle.
    fn shrink(&mut self, rest: &Rest, a: usize, b: usize) {
        let base = self.fork(rest, a, b);
        let mut circle = vec![false; self.base.len()];
        self.mark(rest, a, b, base, &mut circle);
        self.mark(rest, b, a, base, &mut circle);
        for player in 0..self.base.len() {
            if circle[self.base[player]] {
                self.base[player] = base;
                if !self.even[player] {
                    self.even[player] = true;
                    self.queue.push_back(player);
                }
            }
        }
    }

    /// Where the paths from the root to these two part.
    fn fork(&self, rest: &Rest, a: usize, b: usize) -> usize {
        let path = |player: usize| {
            std::iter::successors(Some(self.base[player]), |at| {
                let odd = rest.mate[*at].filter(|_| *at != self.root)?;
                Some(self.base[self.came_from[odd]?])
            })
        };
        let mut passed = vec![false; self.base.len()];
        path(a).for_each(|at| passed[at] = true);
        path(b).find(|at| passed[*at]).unwrap_or(self.root)
    }

    /// Marks one side of a circle, and lets paths enter it from the other side.
    fn mark(&mut self, rest: &Rest, from: usize, over: usize, base: usize, circle: &mut [bool]) {
        let (mut at, mut over) = (from, over);
        while self.base[at] != base {
            let Some(odd) = rest.mate[at] else { break };
            circle[self.base[at]] = true;
            circle[self.base[odd]] = true;
            self.came_from[at] = Some(over);
            let Some(before) = self.came_from[odd] else { break };
            (over, at) = (odd, before);
        }
    }
}

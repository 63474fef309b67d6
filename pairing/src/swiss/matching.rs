//! The exact search: a perfect matching of least weight, after Edmonds.
//!
//! Every vertex has a price, and no pair may cost less than the prices of its two ends. Where the
//! pairs of a perfect matching cost exactly their prices, no other perfect matching is cheaper.
//! The search starts with low prices, matches one vertex after another along pairs that cost
//! exactly their prices, and moves prices where there is no such way. An odd cycle of such pairs
//! becomes a blossom, one vertex for the search; a blossom's rebate is what pairs inside it may
//! fall short of their prices.

mod blossom;
mod prices;

use super::weight::Weight;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// No vertex.
const NONE: u32 = u32::MAX;

/// What the search knows of a vertex or blossom that lies in no other blossom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// Not reached.
    Fresh,
    /// Reached by a way of even length from the root: its price rises.
    Outer,
    /// Reached by a way of odd length: its price falls.
    Inner,
}

/// An odd cycle of vertices and blossoms that the search treats as one vertex.
struct Blossom<W> {
    /// The cycle, beginning with the one that holds the base. Among the rest the first is matched
    /// with the second, the third with the fourth, and so on.
    children: Vec<u32>,
    /// From each child to the next: a vertex in it, a vertex in the next.
    links: Vec<(u32, u32)>,
    rebate: W,
}

/// Something that happens when prices have moved far enough.
struct Happening<W> {
    /// By how much they must have moved since the search for the present root began.
    due: W,
    /// A pair may be used; where `from` is `NONE`, blossom `to` falls apart.
    from: u32,
    to: u32,
    /// The pair's weight.
    weight: W,
}

impl<W: Weight> Happening<W> {
    fn order(&self) -> (W, u32, u32) {
        (self.due, self.from, self.to)
    }
}

impl<W: Weight> PartialEq for Happening<W> {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl<W: Weight> Eq for Happening<W> {}

impl<W: Weight> PartialOrd for Happening<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<W: Weight> Ord for Happening<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

/// A matching in the making, with the prices that prove it.
pub(super) struct Matching<W> {
    /// Where each vertex's pairs begin in `arcs`.
    first: Vec<u32>,
    /// For each vertex the other ends, with twice the weight: so prices stay whole.
    arcs: Vec<(u32, W)>,
    /// Each vertex's price, as of its blossom's `since`.
    price: Vec<W>,
    mate: Vec<u32>,
    /// For each vertex the vertex or blossom that holds it and lies in no other.
    top: Vec<u32>,
    // For each vertex, and then for each blossom:
    label: Vec<Label>,
    /// How far prices had moved when it was labelled.
    since: Vec<W>,
    /// For an inner one the pair by which it was reached: outer end, inner end.
    entry: Vec<(u32, u32)>,
    parent: Vec<u32>,
    base: Vec<u32>,
    mark: Vec<u32>,
    blossoms: Vec<Blossom<W>>,
    /// Numbers of blossoms not in use.
    unused: Vec<u32>,
    /// How far prices have moved in the search for the present root.
    now: W,
    /// What happens now.
    at_once: Vec<Happening<W>>,
    later: BinaryHeap<Reverse<Happening<W>>>,
    labelled: Vec<u32>,
    stamp: u32,
}

impl<W: Weight> Matching<W> {
    /// The best perfect matching of `vertices` vertices by these pairs (each once), if there is
    /// one. No weight is negative.
    ///
    /// The search begins with the prices of an earlier one, if there was one: better than none.
    pub(crate) fn solve(
        vertices: usize,
        pairs: &[(u32, u32, W)],
        earlier: Option<Vec<W>>,
    ) -> Option<Matching<W>> {
        let mut matching = Matching::new(vertices, pairs);
        matching.begin(earlier);
        for root in 0..vertices as u32 {
            if matching.mate[root as usize] == NONE && !matching.search(root) {
                return None;
            }
        }
        Some(matching)
    }

    /// The other end of a vertex's pair.
    pub(crate) fn mate(&self, vertex: usize) -> usize {
        self.mate[vertex] as usize
    }

    fn new(vertices: usize, pairs: &[(u32, u32, W)]) -> Matching<W> {
        let mut first = vec![0u32; vertices + 1];
        for (a, b, _) in pairs {
            first[*a as usize + 1] += 1;
            first[*b as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            first[vertex + 1] += first[vertex];
        }
        let mut next = first.clone();
        let mut arcs = vec![(0, W::default()); 2 * pairs.len()];
        for (a, b, weight) in pairs {
            for (from, to) in [(*a, *b), (*b, *a)] {
                arcs[next[from as usize] as usize] = (to, *weight + *weight);
                next[from as usize] += 1;
            }
        }
        // Blossoms lie in one another or apart, and each has three children at least.
        let blossoms = vertices / 2;
        let nodes = vertices + blossoms;
        let empty = || Blossom { children: Vec::new(), links: Vec::new(), rebate: W::default() };
        Matching {
            first,
            arcs,
            price: vec![W::default(); vertices],
            mate: vec![NONE; vertices],
            top: (0..vertices as u32).collect(),
            label: vec![Label::Fresh; nodes],
            since: vec![W::default(); nodes],
            entry: vec![(NONE, NONE); nodes],
            parent: vec![NONE; nodes],
            base: (0..nodes as u32).collect(),
            mark: vec![0; nodes],
            blossoms: (0..blossoms).map(|_| empty()).collect(),
            unused: (vertices as u32..nodes as u32).rev().collect(),
            now: W::default(),
            at_once: Vec::new(),
            later: BinaryHeap::new(),
            labelled: Vec::new(),
            stamp: 0,
        }
    }

    fn arcs_of(&self, vertex: u32) -> std::ops::Range<usize> {
        self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize
    }

    fn is_blossom(&self, node: u32) -> bool {
        node as usize >= self.mate.len()
    }

    fn blossom(&mut self, node: u32) -> &mut Blossom<W> {
        &mut self.blossoms[node as usize - self.mate.len()]
    }

    fn label_at(&self, vertex: u32) -> Label {
        self.label[self.top[vertex as usize] as usize]
    }

    /// First prices, as high as is simple, and the pairs that they allow at once.
    fn begin(&mut self, earlier: Option<Vec<W>>) {
        let is_first = earlier.is_none();
        self.price = earlier.unwrap_or_else(|| vec![W::default(); self.mate.len()]);
        for vertex in 0..self.mate.len() as u32 {
            let arcs = self.arcs[self.arcs_of(vertex)].iter();
            let least = match is_first {
                true => arcs.map(|(_, weight)| weight.half()).min(),
                false => arcs.map(|(to, weight)| *weight - self.price[*to as usize]).min(),
            };
            let least = least.unwrap_or_default();
            let price = &mut self.price[vertex as usize];
            *price = if is_first { least } else { least.min(*price) };
        }
        for vertex in 0..self.mate.len() as u32 {
            if self.mate[vertex as usize] != NONE {
                continue;
            }
            let left = |arc: usize| self.arcs[arc].1 - self.price[self.arcs[arc].0 as usize];
            let Some(price) = self.arcs_of(vertex).map(left).min() else { continue };
            let free =
                |arc: &usize| self.mate[self.arcs[*arc].0 as usize] == NONE && left(*arc) == price;
            let found = self.arcs_of(vertex).find(free).map(|arc| self.arcs[arc].0);
            self.price[vertex as usize] = price;
            if let Some(other) = found {
                self.mate[vertex as usize] = other;
                self.mate[other as usize] = vertex;
            }
        }
    }

    /// Matches one more vertex, and so one more besides. False: there is no way.
    fn search(&mut self, root: u32) -> bool {
        self.now = W::default();
        self.set_label(root, Label::Outer);
        self.look_around(root);
        let mut found = false;
        while let Some(happening) = self.next() {
            let (from, to) = (happening.from, happening.to);
            if from == NONE {
                self.open(to);
                continue;
            }
            let other = self.top[to as usize] as usize;
            match self.label[other] {
                Label::Inner => {}
                Label::Outer => self.shrink(from, to),
                Label::Fresh if self.mate[self.base[other] as usize] == NONE => {
                    self.flip(from, to);
                    found = true;
                    break;
                }
                Label::Fresh => self.grow(from, to),
            }
        }
        self.settle();
        found
    }

    /// What happens next; prices move as far as that.
    fn next(&mut self) -> Option<Happening<W>> {
        loop {
            let happening = match self.at_once.pop() {
                Some(happening) => happening,
                None => self.later.pop()?.0,
            };
            // The labels may have changed since it was noted.
            match self.due(&happening) {
                Some(due) if due > happening.due => self.note(Happening { due, ..happening }),
                Some(due) => {
                    self.now = due;
                    return Some(happening);
                }
                None => {}
            }
        }
    }

    fn due(&self, happening: &Happening<W>) -> Option<W> {
        if happening.from == NONE {
            let node = happening.to as usize;
            let rebate = self.blossoms[node - self.mate.len()].rebate;
            // Fresh: it lies in a blossom that has closed since.
            let falls = self.label[node] == Label::Inner;
            return falls.then(|| self.since[node] + rebate.half());
        }
        if self.top[happening.from as usize] == self.top[happening.to as usize] {
            return None;
        }
        let slack =
            happening.weight - self.price_now(happening.from) - self.price_now(happening.to);
        match self.label_at(happening.to) {
            Label::Fresh => Some(self.now + slack),
            Label::Outer => Some(self.now + slack.half()),
            Label::Inner => None,
        }
    }

    fn note(&mut self, happening: Happening<W>) {
        if happening.due == self.now {
            self.at_once.push(happening);
        } else {
            self.later.push(Reverse(happening));
        }
    }

    fn note_pair(&mut self, from: u32, to: u32, weight: W) {
        let due = self.now;
        let mut happening = Happening { due, from, to, weight };
        if let Some(due) = self.due(&happening) {
            happening.due = due;
            self.note(happening);
        }
    }

    /// Notes the pairs of every vertex in an outer node.
    fn look_around(&mut self, node: u32) {
        for vertex in self.vertices_in(node) {
            for arc in self.arcs_of(vertex) {
                let (to, weight) = self.arcs[arc];
                self.note_pair(vertex, to, weight);
            }
        }
    }

    fn set_label(&mut self, node: u32, label: Label) {
        self.label[node as usize] = label;
        self.since[node as usize] = self.now;
        self.labelled.push(node);
    }

    fn set_inner(&mut self, node: u32, entry: (u32, u32)) {
        self.set_label(node, Label::Inner);
        self.entry[node as usize] = entry;
        if self.is_blossom(node) {
            let due = self.now + self.blossom(node).rebate.half();
            self.note(Happening { due, from: NONE, to: node, weight: W::default() });
        }
    }

    /// Reaches a matched node, and its mate behind it.
    fn grow(&mut self, from: u32, to: u32) {
        let inner = self.top[to as usize];
        self.set_inner(inner, (from, to));
        let mate = self.mate[self.base[inner as usize] as usize];
        let outer = self.top[mate as usize];
        self.set_label(outer, Label::Outer);
        self.look_around(outer);
    }

    /// Matches `from` (outer) with `to` (free), and changes all pairs on the way to the root.
    fn flip(&mut self, mut from: u32, mut to: u32) {
        self.mate[to as usize] = from;
        loop {
            let outer = self.top[from as usize];
            let before = self.mate[self.base[outer as usize] as usize];
            self.rotate(outer, from);
            self.mate[from as usize] = to;
            if before == NONE {
                return;
            }
            let inner = self.top[before as usize];
            let entry = self.entry[inner as usize];
            self.rotate(inner, entry.1);
            self.mate[entry.1 as usize] = entry.0;
            (from, to) = entry;
        }
    }
}

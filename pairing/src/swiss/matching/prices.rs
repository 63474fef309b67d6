//! Prices: what they are now, and what they prove.

use super::{Label, Matching, NONE};
use crate::swiss::weight::Weight;

impl<W: Weight> Matching<W> {
    /// A vertex's price now.
    pub(super) fn price_now(&self, vertex: u32) -> W {
        let top = self.top[vertex as usize] as usize;
        let price = self.price[vertex as usize];
        match self.label[top] {
            Label::Fresh => price,
            Label::Outer => price + (self.now - self.since[top]),
            Label::Inner => price - (self.now - self.since[top]),
        }
    }

    /// Writes down the prices in a labelled node, and its rebate, as they are now.
    pub(super) fn bring_up_to_date(&mut self, node: u32) {
        let moved = self.now - self.since[node as usize];
        self.since[node as usize] = self.now;
        let label = self.label[node as usize];
        if label == Label::Fresh || moved == W::default() {
            return;
        }
        for vertex in self.vertices_in(node) {
            let price = &mut self.price[vertex as usize];
            match label {
                Label::Outer => *price += moved,
                _ => *price -= moved,
            }
        }
        if self.is_blossom(node) {
            let rebate = &mut self.blossom(node).rebate;
            match label {
                Label::Outer => *rebate += moved + moved,
                _ => *rebate -= moved + moved,
            }
        }
    }

    /// What the prices prove: twice the least that any perfect matching weighs, provided that no
    /// pair is underpriced.
    pub fn proven(&self) -> W {
        let mut sum = W::default();
        self.price.iter().for_each(|price| sum += *price);
        for (index, blossom) in self.blossoms.iter().enumerate() {
            if !blossom.children.is_empty() {
                let size = self.vertices_in((self.mate.len() + index) as u32).len();
                (0..size / 2).for_each(|_| sum -= blossom.rebate);
            }
        }
        sum
    }

    /// Prices that no pair underprices though no blossom gives a rebate: each vertex bears half
    /// of those around it.
    pub(crate) fn plain_prices(&self) -> Vec<W> {
        let mut prices = self.price.clone();
        for (index, blossom) in self.blossoms.iter().enumerate() {
            if !blossom.children.is_empty() {
                for vertex in self.vertices_in((self.mate.len() + index) as u32) {
                    prices[vertex as usize] -= blossom.rebate.half();
                }
            }
        }
        prices
    }

    /// What the prices forbid, to hold many pairs against them.
    pub fn proof(&self) -> Proof<'_, W> {
        let nodes = self.parent.len();
        let mut nests: Vec<Nest<W>> = vec![Nest { depth: 0, rebates: W::default() }; nodes];
        let mut open: Vec<u32> = self.top.clone();
        open.sort_unstable();
        open.dedup();
        while let Some(node) = open.pop() {
            let above = match self.parent[node as usize] {
                NONE => Nest { depth: 0, rebates: W::default() },
                parent => nests[parent as usize],
            };
            let mut rebates = above.rebates;
            if let Some(blossom) = (node as usize).checked_sub(self.mate.len()) {
                rebates += self.blossoms[blossom].rebate;
                open.extend(&self.blossoms[blossom].children);
            }
            nests[node as usize] = Nest { depth: above.depth + 1, rebates };
        }
        Proof { matching: self, nests }
    }
}

/// How deep a vertex or blossom lies, and the rebates of itself and of all around it.
#[derive(Clone, Copy)]
struct Nest<W> {
    depth: u32,
    rebates: W,
}

/// The prices of a finished matching, and for each pair of vertices their rebate.
pub(in crate::swiss) struct Proof<'a, W> {
    matching: &'a Matching<W>,
    nests: Vec<Nest<W>>,
}

impl<W: Weight> Proof<'_, W> {
    /// Whether a pair of this weight costs less than its prices less its rebates, so that the
    /// search might have done better with it.
    pub(crate) fn is_underpriced(&self, one: u32, other: u32, weight: W) -> bool {
        let price = |vertex: u32| self.matching.price[vertex as usize];
        let slack = weight + weight - price(one) - price(other);
        slack < W::default() && slack + self.rebates(one, other) < W::default()
    }

    /// The rebates of all blossoms that hold both.
    fn rebates(&self, mut one: u32, mut other: u32) -> W {
        let top = |vertex: u32| self.matching.top[vertex as usize];
        if top(one) != top(other) {
            return W::default();
        }
        let depth = |node: u32| self.nests[node as usize].depth;
        while one != other {
            if depth(one) < depth(other) {
                std::mem::swap(&mut one, &mut other);
            }
            one = self.matching.parent[one as usize];
        }
        self.nests[one as usize].rebates
    }
}

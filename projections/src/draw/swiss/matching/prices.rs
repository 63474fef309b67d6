//! Prices: what they are now, and what they prove.

use super::{Label, Matching, NONE};
use crate::draw::swiss::weight::Weight;

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

    /// Whether a pair of this weight costs less than its prices less its rebates, so that the
    /// search might have done better with it.
    pub fn is_underpriced(&self, one: u32, other: u32, weight: W) -> bool {
        let mut slack = weight + weight - self.price[one as usize] - self.price[other as usize];
        if slack >= W::default() {
            return false;
        }
        let mut node = self.parent[one as usize];
        while node != NONE {
            if self.holds(node, other) {
                slack += self.blossoms[node as usize - self.mate.len()].rebate;
            }
            node = self.parent[node as usize];
        }
        slack < W::default()
    }

    fn holds(&self, blossom: u32, vertex: u32) -> bool {
        let mut node = vertex;
        while node != NONE && node != blossom {
            node = self.parent[node as usize];
        }
        node == blossom
    }
}

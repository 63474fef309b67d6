//! Blossoms: how they close, open and turn.

use super::{Label, Matching, NONE};
use crate::swiss::weight::Weight;

/// A node on the way to the root, and the pair that leads on: an end in it, an end in the next.
type Step = (u32, (u32, u32));

impl<W: Weight> Matching<W> {
    /// The vertices in a node.
    pub(super) fn vertices_in(&self, node: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match (node as usize).checked_sub(self.mate.len()) {
                Some(blossom) => open.extend(&self.blossoms[blossom].children),
                None => found.push(node),
            }
        }
        found
    }

    /// The outer node above an outer node; `NONE` above the root.
    fn outer_above(&self, node: u32) -> u32 {
        match self.mate[self.base[node as usize] as usize] {
            NONE => NONE,
            mate => {
                let inner = self.top[mate as usize] as usize;
                self.top[self.entry[inner].0 as usize]
            }
        }
    }

    /// Where the ways of two outer nodes to the root come together.
    fn meeting_of(&mut self, mut one: u32, mut other: u32) -> u32 {
        self.stamp += 1;
        loop {
            if one != NONE {
                if self.mark[one as usize] == self.stamp {
                    return one;
                }
                self.mark[one as usize] = self.stamp;
                one = self.outer_above(one);
            }
            std::mem::swap(&mut one, &mut other);
        }
    }

    fn way_up(&self, mut node: u32, end: u32) -> Vec<Step> {
        let mut way = Vec::new();
        while node != end {
            let base = self.base[node as usize];
            let mate = self.mate[base as usize];
            way.push((node, (base, mate)));
            let inner = self.top[mate as usize];
            let (above, entered) = self.entry[inner as usize];
            way.push((inner, (entered, above)));
            node = self.top[above as usize];
        }
        way
    }

    /// Closes the cycle that a pair of outer vertices makes.
    pub(super) fn shrink(&mut self, from: u32, to: u32) {
        let (one, other) = (self.top[from as usize], self.top[to as usize]);
        let end = self.meeting_of(one, other);
        let mut children = vec![end];
        let mut links = Vec::new();
        for (node, (low, high)) in self.way_up(one, end).into_iter().rev() {
            links.push((high, low));
            children.push(node);
        }
        links.push((from, to));
        for (node, link) in self.way_up(other, end) {
            children.push(node);
            links.push(link);
        }
        let node = self.unused.pop().expect("blossoms are fewer than half the vertices");
        let mut reached = Vec::new();
        for child in &children {
            self.bring_up_to_date(*child);
            let was_inner = self.label[*child as usize] == Label::Inner;
            self.label[*child as usize] = Label::Fresh;
            self.parent[*child as usize] = node;
            for vertex in self.vertices_in(*child) {
                self.top[vertex as usize] = node;
                if was_inner {
                    reached.push(vertex);
                }
            }
        }
        self.base[node as usize] = self.base[end as usize];
        self.parent[node as usize] = NONE;
        let blossom = self.blossom(node);
        (blossom.children, blossom.links, blossom.rebate) = (children, links, W::default());
        self.set_label(node, Label::Outer);
        for vertex in reached {
            self.look_around(vertex);
        }
    }

    /// Takes a blossom apart: its children lie in no blossom from now on.
    fn take_apart(&mut self, node: u32) -> (Vec<u32>, Vec<(u32, u32)>) {
        let blossom = self.blossom(node);
        let children = std::mem::take(&mut blossom.children);
        let links = std::mem::take(&mut blossom.links);
        for child in &children {
            self.parent[*child as usize] = NONE;
            self.label[*child as usize] = Label::Fresh;
            for vertex in self.vertices_in(*child) {
                self.top[vertex as usize] = *child;
            }
        }
        self.label[node as usize] = Label::Fresh;
        self.unused.push(node);
        (children, links)
    }

    /// An inner blossom whose rebate is used up falls apart: the way through it stays.
    pub(super) fn open(&mut self, node: u32) {
        self.bring_up_to_date(node);
        let entry = self.entry[node as usize];
        let (children, links) = self.take_apart(node);
        let entered = self.top[entry.1 as usize];
        let len = children.len();
        let mut at = children.iter().position(|child| *child == entered).unwrap_or(0);
        // The way from the child that was entered to the base that takes an even number of steps.
        let backwards = at % 2 == 0;
        let step = |at: usize| if backwards { at - 1 } else { (at + 1) % len };
        self.set_inner(entered, entry);
        let mut outer = Vec::new();
        while at != 0 {
            let next = step(at);
            at = step(next);
            self.set_label(children[next], Label::Outer);
            outer.push(children[next]);
            let (here, there) = if backwards { (links[at].1, links[at].0) } else { links[next] };
            self.set_inner(children[at], (here, there));
        }
        for node in outer {
            self.look_around(node);
        }
        for child in children {
            if self.label[child as usize] == Label::Fresh {
                self.look_back(child);
            }
        }
    }

    /// Notes the pairs of outer vertices with a node that has become fresh.
    fn look_back(&mut self, node: u32) {
        for vertex in self.vertices_in(node) {
            for arc in self.arcs_of(vertex) {
                let (from, weight) = self.arcs[arc];
                if self.label_at(from) == Label::Outer {
                    self.note_pair(from, vertex, weight);
                }
            }
        }
    }

    /// Turns a blossom so that a vertex in it becomes its base.
    pub(super) fn rotate(&mut self, node: u32, vertex: u32) {
        if !self.is_blossom(node) || self.base[node as usize] == vertex {
            return;
        }
        let mut child = vertex;
        while self.parent[child as usize] != node {
            child = self.parent[child as usize];
        }
        self.rotate(child, vertex);
        let blossom = self.blossom(node);
        let mut children = std::mem::take(&mut blossom.children);
        let mut links = std::mem::take(&mut blossom.links);
        let len = children.len();
        let at = children.iter().position(|other| *other == child).unwrap_or(0);
        // Along the way of even length from the old base to the new one, pairs change places.
        let changed = if at % 2 == 0 { 0..at } else { at + 1..len };
        for from in changed.step_by(2) {
            let (a, b) = links[from];
            self.rotate(children[from], a);
            self.rotate(children[(from + 1) % len], b);
            self.mate[a as usize] = b;
            self.mate[b as usize] = a;
        }
        children.rotate_left(at);
        links.rotate_left(at);
        let blossom = self.blossom(node);
        (blossom.children, blossom.links) = (children, links);
        self.base[node as usize] = vertex;
    }

    /// Ends the search for a root: prices are brought up to date, labels go, and blossoms
    /// without a rebate fall apart.
    pub(super) fn settle(&mut self) {
        self.at_once.clear();
        self.later.clear();
        let mut open = std::mem::take(&mut self.labelled);
        for node in &open {
            self.bring_up_to_date(*node);
            self.label[*node as usize] = Label::Fresh;
        }
        while let Some(node) = open.pop() {
            let lies_outside = self.parent[node as usize] == NONE;
            if self.is_blossom(node) && lies_outside {
                let blossom = self.blossom(node);
                if blossom.rebate == W::default() && !blossom.children.is_empty() {
                    open.extend(self.take_apart(node).0);
                }
            }
        }
    }
}

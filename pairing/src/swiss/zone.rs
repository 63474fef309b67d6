//! A window of the line, matched exactly.
//!
//! The groups above and below it are walls: whoever plays somebody there is paired with the wall
//! at the wall's points, and nobody has met a wall. Every pair of the whole field costs at least
//! what its parts above, inside and below the window cost, so the window's best is a bound for
//! what happens inside it, whatever happens elsewhere.

use super::Field;
use super::deal::Joint;
use super::matching::Matching;
use super::weight::{Levels, Scale, Weight, Wide};
use std::ops::Range;

/// So many players without a rematch are tried on either side of each player at first; the
/// prices tell whether that was enough.
const NEAR: usize = 12;

/// And so many whom they have met.
const NEAR_MET: usize = 2;

/// So many pairs are added for a player when it was not.
const ADDED: usize = 8;

/// Spans of points up to this one fit into one number with the other levels.
const NARROW: i128 = 1 << 20;

/// The group beside a window.
pub(super) struct Wall {
    /// Its points.
    pub points: i64,
    /// Whether an odd number of players stands on its side of the boundary.
    pub odd: bool,
}

/// A window to be matched.
pub(super) struct Zone<'a> {
    /// All players.
    pub field: &'a Field,
    /// Those of the window, in the line's order.
    pub players: &'a [u32],
    /// What lies above; nothing where the window begins the line.
    pub above: Option<Wall>,
    /// What lies below.
    pub below: Option<Wall>,
    /// Whether somebody of the window has the bye.
    pub has_bye: bool,
}

/// How the window's vertices are numbered: places at the wall above, players, places at the wall
/// below, the bye.
struct Layout {
    players: Range<usize>,
    below: Range<usize>,
    vertices: usize,
    points: Vec<i64>,
    /// For each player of the window the others whom they have met, and how often.
    met: Vec<Vec<(usize, i64)>>,
    /// For each player how they stand for the bye.
    bye: Vec<i64>,
    most: Levels,
}

impl Zone<'_> {
    /// The best that the window can do.
    pub(crate) fn solve(&self) -> Joint {
        let places =
            |wall: &Option<Wall>| wall.as_ref().map_or(0, |wall| 2 + usize::from(wall.odd));
        let (mut above, mut below) = (places(&self.above), places(&self.below));
        loop {
            let layout = self.layout(above, below);
            let pairs = layout.vertices / 2;
            // Prices can grow to some multiple of the weights.
            let room = i128::from(i64::MAX) / (8 * (layout.vertices as i128 + 1));
            let narrow = (layout.most.squares <= NARROW * NARROW)
                .then(|| Scale::new(pairs, &layout.most, false))
                .filter(|scale| scale.heaviest(&layout.most) < room);
            let (mates, bound) = match narrow {
                Some(scale) => best::<i64>(&layout, &scale),
                None => best::<Wide>(&layout, &Scale::new(pairs, &layout.most, true)),
            };
            // More places at a wall could only help if all of them were taken: what a window
            // costs is convex in the number that leave it on either side.
            let is_enough = |wall: Range<usize>| {
                wall.is_empty() || wall.clone().any(|place| wall.contains(&mates[place]))
            };
            let (up, down) = (is_enough(0..above), is_enough(layout.below.clone()));
            if up && down {
                return self.joint(&layout, &mates, bound);
            }
            above += if up { 0 } else { above + above % 2 };
            below += if down { 0 } else { below + below % 2 };
        }
    }

    fn layout(&self, above: usize, below: usize) -> Layout {
        let players = above..above + self.players.len();
        let below = players.end..players.end + below;
        let vertices = below.end + usize::from(self.has_bye);
        let wall = |wall: &Option<Wall>| wall.as_ref().map_or(0, |wall| wall.points);
        let mut points = vec![wall(&self.above); vertices];
        points[below.clone()].fill(wall(&self.below));
        let mut vertex_of: Vec<(u32, usize)> = Vec::with_capacity(self.players.len());
        for (vertex, player) in players.clone().zip(self.players) {
            points[vertex] = self.field.points[*player as usize];
            vertex_of.push((*player, vertex));
        }
        vertex_of.sort_unstable();
        let find = |other: &u32| {
            let found = vertex_of.binary_search_by_key(other, |(player, _)| *player);
            found.ok().map(|at| vertex_of[at].1)
        };
        let mut met = Vec::with_capacity(self.players.len());
        for player in self.players {
            let mut there: Vec<usize> = self.field.met(*player).iter().filter_map(find).collect();
            there.sort_unstable();
            let times = there.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as i64));
            met.push(times.collect());
        }
        let standing =
            |player: &u32| (self.field.byes[*player as usize], self.field.points[*player as usize]);
        let mut standings: Vec<(u32, i64)> = self.players.iter().map(standing).collect();
        standings.sort_unstable();
        standings.dedup();
        let place = |player| standings.partition_point(|other| *other < standing(player)) as i64;
        let bye: Vec<i64> = self.players.iter().map(place).collect();
        let meetings = |met: &Vec<(usize, i64)>| met.iter().map(|(_, times)| *times).max();
        let meetings = met.iter().filter_map(meetings).max().unwrap_or(0);
        let everybody = &points[..below.end];
        let span = everybody.iter().max().zip(everybody.iter().min());
        let span = span.map_or(0, |(most, least)| i128::from(most - least));
        let most = Levels {
            rematches: meetings.min(1),
            meetings,
            bye: standings.len() as i64,
            squares: span * span,
        };
        Layout { players, below, vertices, points, met, bye, most }
    }

    fn joint(&self, layout: &Layout, mates: &[usize], bound: Levels) -> Joint {
        let mut joint = Joint { bound, ..Joint::default() };
        let player = |vertex: usize| self.players[vertex - layout.players.start];
        for (vertex, &mate) in mates.iter().enumerate() {
            let is_player = layout.players.contains(&vertex);
            match (is_player, layout.players.contains(&mate)) {
                (true, true) if vertex < mate => joint.pairs.push((player(vertex), player(mate))),
                (true, false) if mate < layout.players.start => joint.up.push(player(vertex)),
                (true, false) if layout.below.contains(&mate) => joint.down.push(player(vertex)),
                (true, false) => joint.bye = Some(player(vertex)),
                (false, false) if vertex < layout.players.start && layout.below.contains(&mate) => {
                    joint.through = true;
                }
                _ => {}
            }
        }
        joint
    }
}

impl Layout {
    fn levels(&self, one: usize, other: usize, meetings: i64) -> Levels {
        if other >= self.below.end {
            let bye = self.bye[one - self.players.start];
            return Levels { bye, ..Levels::default() };
        }
        let apart = i128::from(self.points[one] - self.points[other]);
        Levels { rematches: meetings.min(1), meetings, bye: 0, squares: apart * apart }
    }

    /// The pairs that are tried first, the lower vertex first. A perfect matching is among them.
    fn first_pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let walls = [0..self.players.start, self.below.clone()];
        for one in walls.iter().cloned().flatten() {
            pairs.extend(walls.iter().cloned().flatten().map(|other| (one, other)));
        }
        for one in self.players.clone() {
            let has_met = |other: usize| self.meetings(one, other) > 0;
            pairs.push((one, one.saturating_sub(1)));
            let upwards = (self.players.start..one).rev();
            let reaches_up = near(upwards, has_met, |other| pairs.push((one, other)));
            let reaches_down =
                near(one + 1..self.players.end, has_met, |other| pairs.push((one, other)));
            for (reaches, wall) in [reaches_up, reaches_down].into_iter().zip(walls.clone()) {
                if reaches {
                    pairs.extend(wall.map(|place| (one, place)));
                }
            }
            pairs.extend((self.below.end..self.vertices).map(|bye| (one, bye)));
        }
        for pair in &mut pairs {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        // The bye is only for players.
        pairs.retain(|(one, other)| {
            let is_bye = *other >= self.below.end;
            one != other && *other < self.vertices && (!is_bye || self.players.contains(one))
        });
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Calls for every pair of vertices, the lower first, with how often they have met.
    fn every_pair(&self, mut call: impl FnMut(usize, usize, i64)) {
        let mut times = vec![0; self.vertices];
        for one in 0..self.below.end {
            let met = self.players.contains(&one).then(|| &self.met[one - self.players.start]);
            met.into_iter().flatten().for_each(|(other, meetings)| times[*other] = *meetings);
            let others = times.iter().enumerate().take(self.below.end).skip(one + 1);
            others.for_each(|(other, meetings)| call(one, other, *meetings));
            met.into_iter().flatten().for_each(|(other, _)| times[*other] = 0);
        }
    }

    fn meetings(&self, one: usize, other: usize) -> i64 {
        let Some(met) = one.checked_sub(self.players.start).and_then(|at| self.met.get(at)) else {
            return 0;
        };
        met.binary_search_by_key(&other, |(vertex, _)| *vertex).map_or(0, |at| met[at].1)
    }
}

/// The nearest on one side; whether that is all of them.
fn near(
    side: impl Iterator<Item = usize>,
    has_met: impl Fn(usize) -> bool,
    mut take: impl FnMut(usize),
) -> bool {
    let (mut unmet, mut met) = (0, 0);
    for other in side {
        let count = if has_met(other) { &mut met } else { &mut unmet };
        *count += 1;
        if unmet > NEAR {
            return false;
        }
        if !has_met(other) || met <= NEAR_MET {
            take(other);
        }
    }
    true
}

/// Every vertex's mate, and what they cost, which is what any matching costs at least: the
/// search knows a few pairs only, its prices are held against all of them, and it begins anew
/// with those that they forbid.
fn best<W: Weight>(layout: &Layout, scale: &Scale) -> (Vec<usize>, Levels) {
    let weight = |one, other, meetings| W::of(&layout.levels(one, other, meetings), scale);
    let known = layout.first_pairs().into_iter();
    let mut known: Vec<(u32, u32, W)> = known
        .map(|(one, other)| {
            let weight = weight(one, other, layout.meetings(one, other));
            (one as u32, other as u32, weight)
        })
        .collect();
    let mut prices = None;
    loop {
        let matching = Matching::solve(layout.vertices, &known, prices);
        let matching = matching.expect("neighbours in the line are a matching");
        let before = known.len();
        let proof = matching.proof();
        let (mut row, mut added) = (usize::MAX, 0);
        layout.every_pair(|one, other, meetings| {
            if row != one {
                (row, added) = (one, 0);
            }
            let weight = weight(one, other, meetings);
            if added < ADDED && proof.is_underpriced(one as u32, other as u32, weight) {
                known.push((one as u32, other as u32, weight));
                added += 1;
            }
        });
        if known.len() == before {
            let mates = (0..layout.vertices).map(|vertex| matching.mate(vertex)).collect();
            return (mates, matching.proven().half().levels(scale));
        }
        prices = Some(matching.plain_prices());
    }
}

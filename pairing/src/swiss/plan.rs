//! Where groups can be paired freely, and where players are matched exactly.

use super::deal::{Deal, Joint};
use super::line::Line;
use super::weight::Levels;
use super::zone::{Wall, Zone};
use super::{Cost, Field};
use std::collections::BTreeMap;
use std::ops::Range;

/// Up to this many players, the whole field is matched exactly once half of it is.
const SMALL_FIELD: usize = 600;

/// What is decided so far.
pub(super) struct Plan<'a> {
    field: &'a Field,
    line: &'a Line,
    bye_group: Option<usize>,
    /// For each group whether its players are matched exactly.
    exact: Vec<bool>,
    /// Windows matched so far, by their groups.
    solved: BTreeMap<(usize, usize), Joint>,
}

impl<'a> Plan<'a> {
    /// Begins without windows.
    pub fn of(field: &'a Field, line: &'a Line) -> Plan<'a> {
        let bye_group = line.bye_group(field);
        let exact = vec![false; line.groups.len()];
        Plan { field, line, bye_group, exact, solved: BTreeMap::new() }
    }

    /// Pairs, bye, and the bound.
    pub fn carry_out(mut self) -> (Vec<(u32, u32)>, Option<u32>, Cost) {
        loop {
            let free: Vec<usize> = (0..self.exact.len()).filter(|g| !self.exact[*g]).collect();
            let joints = self.joints(&free);
            let mut deal = Deal::of(self.field, self.line, &free);
            let bye_group = self.bye_group.filter(|group| !self.exact[*group]);
            let failed = deal.deal(&joints, bye_group);
            if failed.is_empty() {
                let bound = self.bound(&joints);
                let (pairs, bye) = deal.finish(joints);
                return (pairs, bye, bound);
            }
            failed.iter().for_each(|group| self.exact[*group] = true);
            self.widen();
        }
    }

    /// What lies before, between and behind the free groups.
    fn joints(&mut self, free: &[usize]) -> Vec<Joint> {
        let ends = free.iter().map(|group| Some(*group)).chain([None]);
        let mut above = None;
        let mut joints = Vec::new();
        for below in ends {
            let from = above.map_or(0, |group| group + 1);
            let window = from..below.unwrap_or(self.exact.len());
            joints.push(self.joint(above, window, below));
            above = below;
        }
        joints
    }

    fn joint(&mut self, above: Option<usize>, window: Range<usize>, below: Option<usize>) -> Joint {
        if let (true, Some(up), Some(down)) = (window.is_empty(), above, below) {
            let through = self.line.odd_above[down];
            let gap =
                i128::from(self.line.points(self.field, up) - self.line.points(self.field, down));
            let squares = if through { gap * gap } else { 0 };
            let bound = Levels { squares, ..Levels::default() };
            return Joint { through, bound, ..Joint::default() };
        }
        if window.is_empty() {
            return Joint::default();
        }
        let key = (window.start, window.end);
        if let Some(joint) = self.solved.get(&key) {
            return joint.clone();
        }
        let wall = |group: usize, boundary: usize| Wall {
            points: self.line.points(self.field, group),
            odd: self.line.odd_above[boundary],
        };
        let zone = Zone {
            field: self.field,
            players: self.line.players(window.clone()),
            above: above.map(|group| wall(group, window.start)),
            below: below.map(|group| wall(group, window.end)),
            has_bye: self.bye_group.is_some_and(|group| window.contains(&group)),
        };
        // Beside a wall nobody meets again and the first for the bye has it, for whoever is left
        // plays somebody of the wall. So nobody outside could better have it.
        let joint = zone.solve();
        self.solved.insert(key, joint.clone());
        joint
    }

    /// Windows that had to grow take half as many players again around them, so that few steps
    /// lead to any size.
    fn widen(&mut self) {
        let size = |group: usize| self.line.groups[group].len();
        let exact: usize = (0..self.exact.len()).filter(|g| self.exact[*g]).map(size).sum();
        if 2 * exact > self.field.len() && self.field.len() <= SMALL_FIELD {
            self.exact.fill(true);
            return;
        }
        let mut from = 0;
        while from < self.exact.len() {
            let run = (from..self.exact.len()).take_while(|group| self.exact[*group]).count();
            let window = from..from + run;
            from += run + 1;
            let is_new = !self.solved.contains_key(&(window.start, window.end));
            let has_grown =
                self.solved.keys().any(|(start, end)| window.start <= *start && *end <= window.end);
            if run == 0 || !is_new || !has_grown {
                continue;
            }
            let most = self.line.players(window.clone()).len() / 4;
            self.take((0..window.start).rev(), most);
            self.take(window.end..self.exact.len(), most);
        }
    }

    /// Takes groups into a window while they hold no more than so many players.
    fn take(&mut self, groups: impl Iterator<Item = usize>, most: usize) {
        let mut left = most;
        for group in groups {
            match left.checked_sub(self.line.groups[group].len()) {
                Some(rest) => left = rest,
                None => return,
            }
            self.exact[group] = true;
        }
    }

    fn bound(&self, joints: &[Joint]) -> Cost {
        let mut cost = Cost::default();
        for Joint { bound, .. } in joints {
            cost.rematches += bound.rematches as u64;
            cost.meetings += bound.meetings as u64;
            cost.squares += bound.squares;
        }
        if let Some((byes, points)) = self.line.bye {
            let fewest = self.field.points.iter().min().copied().unwrap_or(0);
            // A window with the bye gives their place among all; the window is the whole field
            // unless that is the first.
            let level: i64 = joints.iter().map(|joint| joint.bound.bye).sum();
            let receiver = joints.iter().find_map(|joint| joint.bye).filter(|_| level > 0);
            let (byes, points) = receiver.map_or((byes, points), |player| {
                (self.field.byes[player as usize], self.field.points[player as usize])
            });
            cost.byes_again = u64::from(byes);
            cost.bye_points = points - fewest;
        }
        cost
    }
}

//! Pairs for the groups that can be paired freely.

use super::Field;
use super::line::Line;
use super::weight::Levels;

/// Nobody.
const NONE: u32 = u32::MAX;

/// What lies between two free groups: nothing, or a window of players matched exactly.
#[derive(Clone, Debug, Default)]
pub(super) struct Joint {
    /// Pairs inside the window.
    pub pairs: Vec<(u32, u32)>,
    /// Who of the window plays somebody of the group above.
    pub up: Vec<u32>,
    /// Who plays somebody of the group below.
    pub down: Vec<u32>,
    /// Whether somebody of the group above plays somebody of the group below.
    pub through: bool,
    /// Who of the window has the bye.
    pub bye: Option<u32>,
    /// What this costs, and any other choice at least.
    pub bound: Levels,
}

/// The free groups being paired.
pub(super) struct Deal<'a> {
    field: &'a Field,
    line: &'a Line,
    free: &'a [usize],
    /// Each player's opponent; their own index if they have the bye.
    partner: Vec<u32>,
    /// For each free group how many from its beginning have a partner.
    taken: Vec<usize>,
    bye: Option<u32>,
}

impl<'a> Deal<'a> {
    /// Nobody is paired yet.
    pub fn of(field: &'a Field, line: &'a Line, free: &'a [usize]) -> Deal<'a> {
        let partner = vec![NONE; field.len()];
        Deal { field, line, free, partner, taken: vec![0; free.len()], bye: None }
    }

    /// Pairs all that it can, without a rematch and at no more than what the joints demand;
    /// names the groups where it fails.
    pub(crate) fn deal(&mut self, joints: &[Joint], bye_group: Option<usize>) -> Vec<usize> {
        let mut failed = vec![false; self.free.len()];
        if let Some(group) = bye_group {
            self.give_bye(group);
        }
        for (at, joint) in joints.iter().enumerate() {
            let above = at.checked_sub(1);
            for (players, side) in [(&joint.up, above), (&joint.down, Some(at))] {
                for player in players {
                    if let Some(side) = side.filter(|side| !self.find_for(*player, *side)) {
                        failed[side] = true;
                    }
                }
            }
            if let Some(above) = above.filter(|above| joint.through && !self.cross(*above)) {
                let size = |at: usize| self.line.groups[self.free[at]].len();
                let smaller = if size(above) < size(at) { above } else { at };
                failed[smaller] = true;
            }
        }
        for (at, failed) in failed.iter_mut().enumerate() {
            *failed = *failed || !self.pair_group(at);
        }
        self.free
            .iter()
            .zip(failed)
            .filter(|(_, failed)| *failed)
            .map(|(group, _)| *group)
            .collect()
    }

    /// All pairs, with those of the windows, and the bye.
    pub fn finish(self, joints: Vec<Joint>) -> (Vec<(u32, u32)>, Option<u32>) {
        let is_first = |(one, other): &(u32, u32)| *other != NONE && one < other;
        let mut pairs: Vec<(u32, u32)> = (0..).zip(self.partner).filter(is_first).collect();
        let mut bye = self.bye;
        for joint in joints {
            pairs.extend(joint.pairs);
            bye = bye.or(joint.bye);
        }
        (pairs, bye)
    }

    fn group(&self, at: usize) -> &'a [u32] {
        &self.line.order[self.line.groups[self.free[at]].clone()]
    }

    fn is_open(&self, player: u32) -> bool {
        self.partner[player as usize] == NONE
    }

    fn join(&mut self, one: u32, other: u32) {
        self.partner[one as usize] = other;
        self.partner[other as usize] = one;
    }

    /// The open players of a group.
    fn open(&mut self, at: usize) -> &'a [u32] {
        let group = self.group(at);
        let is_taken = |player: &&u32| self.partner[**player as usize] != NONE;
        self.taken[at] += group[self.taken[at]..].iter().take_while(is_taken).count();
        &group[self.taken[at]..]
    }

    fn give_bye(&mut self, group: usize) {
        let Some((byes, _)) = self.line.bye else { return };
        let players = self.line.players(group..group + 1).iter();
        let mut fit = players.filter(|player| self.field.byes[**player as usize] == byes);
        if let Some(player) = fit.next() {
            self.partner[*player as usize] = *player;
            self.bye = Some(*player);
        }
    }

    /// Somebody of a group for a player from outside.
    fn find_for(&mut self, player: u32, at: usize) -> bool {
        let group = self.open(at);
        let fits = |other: &&u32| self.is_open(**other) && !self.field.have_met(player, **other);
        let found = group.iter().find(fits).copied();
        if let Some(other) = found {
            self.join(player, other);
        }
        found.is_some()
    }

    /// Somebody of a free group against somebody of the next.
    fn cross(&mut self, above: usize) -> bool {
        let group = self.open(above);
        group.iter().any(|player| self.is_open(*player) && self.find_for(*player, above + 1))
    }

    /// Pairs a group's open players with one another.
    fn pair_group(&mut self, at: usize) -> bool {
        let group = self.group(at);
        let mut left = Vec::new();
        for (place, player) in group.iter().enumerate() {
            if !self.is_open(*player) {
                continue;
            }
            let fits =
                |other: &&u32| self.is_open(**other) && !self.field.have_met(*player, **other);
            match group[place + 1..].iter().find(fits).copied() {
                Some(other) => self.join(*player, other),
                None => left.push(*player),
            }
        }
        left.len() % 2 == 0 && left.chunks(2).all(|two| self.repair(group, two[0], two[1]))
    }

    /// Lets two players change places with a pair, of whom one belongs to their group.
    fn repair(&mut self, group: &[u32], one: u32, other: u32) -> bool {
        let found = group.iter().copied().find(|player| {
            let partner = self.partner[*player as usize];
            partner != NONE
                && partner != *player
                && !self.field.have_met(one, partner)
                && !self.field.have_met(other, *player)
        });
        if let Some(player) = found {
            self.join(one, self.partner[player as usize]);
            self.join(other, player);
        }
        found.is_some()
    }
}

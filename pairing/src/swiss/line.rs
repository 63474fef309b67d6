//! The players in a line: most points first, shuffled within each group.

use super::Field;
use crate::dice::Dice;
use std::cmp::Reverse;
use std::ops::Range;

/// The players in the order of points, and the groups of equal points.
pub(super) struct Line {
    /// The players.
    pub order: Vec<u32>,
    /// Where each group stands in the order; none is empty.
    pub groups: Vec<Range<usize>>,
    /// Who may have the bye: byes had and points of those who come first for it. None where
    /// their number is even.
    pub bye: Option<(u32, i64)>,
    /// For each group, whether an odd number stands above it once somebody of the right group
    /// has the bye; and at the end, for all.
    pub odd_above: Vec<bool>,
}

impl Line {
    /// Shuffles and sorts.
    pub fn of(field: &Field, dice: &mut Dice) -> Line {
        let mut shuffled: Vec<u32> = (0..field.len() as u32).collect();
        dice.shuffle(&mut shuffled);
        let mut keyed: Vec<(i64, u32)> =
            shuffled.into_iter().map(|player| (field.points[player as usize], player)).collect();
        keyed.sort_by_key(|(points, _)| Reverse(*points));
        let mut groups = Vec::new();
        let mut from = 0;
        for group in keyed.chunk_by(|one, other| one.0 == other.0) {
            groups.push(from..from + group.len());
            from += group.len();
        }
        let standing =
            |player: &u32| (field.byes[*player as usize], field.points[*player as usize]);
        let order: Vec<u32> = keyed.iter().map(|(_, player)| *player).collect();
        let bye = order.iter().map(standing).min().filter(|_| order.len() % 2 == 1);
        let mut odd_above = vec![false];
        for group in &groups {
            let gives_bye = bye.is_some_and(|(_, points)| keyed[group.start].0 == points);
            let odd = (group.len() % 2 == 1) ^ gives_bye;
            odd_above.push(odd ^ odd_above[odd_above.len() - 1]);
        }
        Line { order, groups, bye, odd_above }
    }

    /// The players of some groups that follow one another.
    pub fn players(&self, groups: Range<usize>) -> &[u32] {
        match groups.is_empty() {
            true => &[],
            false => &self.order[self.groups[groups.start].start..self.groups[groups.end - 1].end],
        }
    }

    /// A group's points.
    pub fn points(&self, field: &Field, group: usize) -> i64 {
        field.points[self.order[self.groups[group].start] as usize]
    }

    /// The group that gives the bye, if there is a bye.
    pub(crate) fn bye_group(&self, field: &Field) -> Option<usize> {
        let (_, points) = self.bye?;
        (0..self.groups.len()).find(|group| self.points(field, *group) == points)
    }
}

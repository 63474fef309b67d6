//! Who has which color, where the seats are not alike: in chess the first one is white's.
//!
//! A player prefers the color that they had less often, or, where they had both as often, not the last one (FIDE
//! C.04.3, A.6). The same color a third time in a row, or three times more often than the other, is given only where
//! no exchange of opponents between two tables avoids it; what else a preference costs comes after the points of those
//! who meet.

use super::swiss::Field;
use scrutineer_engine::event::{How, PlayerNumber, RoundNumber, Ruling};
use scrutineer_engine::tournament::{MatchView, Tournament};
use std::iter::Sum;
use std::ops::Add;

/// How many pairs on either side of one are looked at to exchange opponents with.
const REACH: usize = 300;

/// How often all pairs are gone through.
const PASSES: usize = 12;

/// What a color costs; the first that differs decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Clash {
    /// Third times in a row, and differences above two.
    third: u64,
    /// By how much it was had more often than the other.
    more: u64,
    /// Whether it was the last one, where both were had as often.
    again: u64,
}

impl Add for Clash {
    type Output = Clash;

    fn add(self, other: Clash) -> Clash {
        let Clash { third, more, again } = other;
        Clash { third: self.third + third, more: self.more + more, again: self.again + again }
    }
}

/// The colors that players had in the games that they played, the first game first: whether each was of the first
/// seat.
#[derive(Clone, Debug, Default)]
pub struct Colors(Vec<Vec<bool>>);

impl Colors {
    /// Those of some players.
    pub fn of(state: &Tournament, players: &[PlayerNumber]) -> Colors {
        let mut place = vec![usize::MAX; state.players().len() + 1];
        for (at, player) in players.iter().enumerate() {
            place[*player as usize] = at;
        }
        let mut had: Vec<Vec<(RoundNumber, bool)>> = vec![Vec::new(); players.len()];
        for found in state.matches().filter(was_played) {
            let [one, other] = found.seats() else { continue };
            let is_turned = one.role == 2 || other.role == 1;
            for (seat, is_first) in [(one, !is_turned), (other, is_turned)] {
                if let Some(own) = had.get_mut(place[seat.player as usize]) {
                    own.push((found.round().number, is_first));
                }
            }
        }
        had.iter_mut().for_each(|own| own.sort_by_key(|(round, _)| *round));
        let plain = |own: Vec<(RoundNumber, bool)>| own.into_iter().map(|(_, is_first)| is_first);
        Colors(had.into_iter().map(|own| plain(own).collect()).collect())
    }

    /// What it costs to give a player the first seat, or the second.
    fn cost(&self, player: u32, is_first: bool) -> Clash {
        let had = &self.0[player as usize];
        let more = had.iter().map(|one| if *one == is_first { 1 } else { -1 }).sum::<i64>();
        let in_a_row = had.iter().rev().take_while(|one| **one == is_first).count();
        Clash {
            third: u64::from(in_a_row >= 2 || more >= 2),
            more: more.max(0).unsigned_abs(),
            again: u64::from(more == 0 && in_a_row > 0),
        }
    }

    /// What a pair costs with the first of them on the first seat, and with the second.
    fn both(&self, one: u32, other: u32) -> [Clash; 2] {
        let of = |first, second| self.cost(first, true) + self.cost(second, false);
        [of(one, other), of(other, one)]
    }

    fn least(&self, (one, other): (u32, u32)) -> Clash {
        let [as_is, turned] = self.both(one, other);
        as_is.min(turned)
    }

    /// Whether the second of two takes the first seat; none where nothing speaks for either.
    pub fn turned(&self, one: u32, other: u32) -> Option<bool> {
        let [as_is, turned] = self.both(one, other);
        if as_is != turned {
            return Some(turned < as_is);
        }
        // As FIDE has it: they change what they had when they last had different ones.
        let [had, theirs] = [one, other].map(|player| self.0[player as usize].iter().rev());
        let mut last = had.zip(theirs).filter(|(own, theirs)| own != theirs);
        last.next().map(|(own, _)| *own)
    }

    /// Lets pairs exchange opponents where colors clash, and nobody meets again who would not have.
    pub fn exchange(&self, field: &Field, pairs: &mut [(u32, u32)]) {
        for _ in 0..PASSES {
            let mut is_done = true;
            for at in 0..pairs.len() {
                if self.least(pairs[at]) == Clash::default() {
                    continue;
                }
                if let Some((with, two)) = self.better(field, pairs, at) {
                    (pairs[at], pairs[with]) = (two[0], two[1]);
                    is_done = false;
                }
            }
            if is_done {
                break;
            }
        }
        for pair in pairs.iter_mut().filter(|pair| field.points(pair.0) < field.points(pair.1)) {
            *pair = (pair.1, pair.0);
        }
        pairs.sort_by_key(|(one, other)| {
            std::cmp::Reverse((field.points(*one), field.points(*other)))
        });
    }

    /// The best exchange of a pair with another one, and what the two are then; none where none is better.
    fn better(
        &self,
        field: &Field,
        pairs: &[(u32, u32)],
        at: usize,
    ) -> Option<(usize, [(u32, u32); 2])> {
        let (a, b) = pairs[at];
        let near = at.saturating_sub(REACH)..pairs.len().min(at + REACH + 1);
        let exchanges = near.filter(|with| *with != at).flat_map(|with| {
            let (c, d) = pairs[with];
            let before = self.weight(field, [(a, b), (c, d)]);
            [[(a, c), (b, d)], [(a, d), (b, c)]].map(|two| (with, two, before))
        });
        let weighed = exchanges.filter_map(|(with, two, before)| {
            let after = self.weight(field, two);
            (after < before).then_some((after - before, with, two))
        });
        weighed.min_by_key(|(gain, with, _)| (*gain, *with)).map(|(_, with, two)| (with, two))
    }

    fn weight(&self, field: &Field, pairs: [(u32, u32); 2]) -> Weight {
        let of = |pair: &(u32, u32)| {
            let cost = field.cost(&[*pair], None);
            let Clash { third, more, again } = self.least(*pair);
            let [third, more, again] = [third, more, again].map(i128::from);
            let [rematches, meetings] = [cost.rematches, cost.meetings].map(i128::from);
            Weight([rematches, meetings, third, cost.squares, more, again])
        };
        pairs.iter().map(of).sum()
    }
}

/// Rematches, meetings, third times, the squared differences in points, and what else colors cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Weight([i128; 6]);

impl std::ops::Sub for Weight {
    type Output = Weight;

    fn sub(self, other: Weight) -> Weight {
        Weight(std::array::from_fn(|at| self.0[at] - other.0[at]))
    }
}

impl Sum for Weight {
    fn sum<I: Iterator<Item = Weight>>(all: I) -> Weight {
        all.fold(Weight::default(), |sum, one| {
            Weight(std::array::from_fn(|at| sum.0[at] + one.0[at]))
        })
    }
}

/// Whether it was played, so that its colors count.
fn was_played(found: &MatchView<'_>) -> bool {
    let is_void = found.seats().iter().any(|seat| seat.ruling == Some(Ruling::NoResult));
    found.result().is_some() && !is_void && !matches!(found.how(), How::Forfeit | How::NoShow)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `wb`: white, then black.
    fn colors(had: &[&str]) -> Colors {
        let of = |had: &&str| had.chars().map(|color| color == 'w').collect();
        Colors(had.iter().map(of).collect())
    }

    #[test]
    fn who_had_white_more_often_has_black_and_who_had_it_twice_in_a_row_first() {
        let turned = |one, other| colors(&[one, other]).turned(0, 1);
        assert_eq!(turned("", ""), None, "nothing speaks for either");
        assert_eq!((turned("w", ""), turned("b", "")), (Some(true), Some(false)));
        assert_eq!((turned("wb", "bw"), turned("bw", "wb")), (Some(false), Some(true)));
        assert_eq!(turned("wbw", "w"), None, "both had it once more");
        assert_eq!((turned("bww", "w"), turned("w", "bww")), (Some(true), Some(false)));
        assert_eq!(
            turned("bwwbw", "wbwbw"),
            Some(true),
            "they change what they had when it differed"
        );
    }

    /// Two of six had white twice in a row and would meet each other: they exchange opponents in their group, also
    /// where one of them then meets somebody with fewer points.
    #[test]
    fn those_who_both_had_white_twice_do_not_meet() {
        let colors = colors(&["ww", "ww", "bb", "bb", "wb", "bw"]);
        let field = Field::new(vec![2, 2, 2, 2, 0, 0], vec![0; 6], &[], false);
        let mut pairs = vec![(0, 1), (2, 3), (4, 5)];
        colors.exchange(&field, &mut pairs);
        assert_eq!(pairs, [(0, 2), (1, 3), (4, 5)]);
        let field = Field::new(vec![2, 2, 1, 1, 0, 0], vec![0; 6], &[], false);
        let mut pairs = vec![(0, 1), (2, 3), (4, 5)];
        colors.exchange(&field, &mut pairs);
        assert_eq!(pairs, [(0, 2), (1, 3), (4, 5)]);
        // But not where they would meet again.
        let met = [(0, 2), (0, 3), (1, 2), (1, 3), (0, 4), (0, 5), (1, 4), (1, 5)];
        let field = Field::new(vec![2, 2, 1, 1, 0, 0], vec![0; 6], &met, false);
        let mut pairs = vec![(0, 1), (2, 3), (4, 5)];
        colors.exchange(&field, &mut pairs);
        assert_eq!(pairs, [(0, 1), (2, 4), (3, 5)], "those of black alone");
    }
}

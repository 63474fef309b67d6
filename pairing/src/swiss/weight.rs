//! What a pair costs in the exact search: one number, or two where one would overflow.

use std::ops::{Add, AddAssign, Sub, SubAssign};

/// What a pair costs, level by level; the first that differs decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Levels {
    /// Pairs who have met.
    pub rematches: i64,
    /// How often they have met.
    pub meetings: i64,
    /// Where the receiver of the bye stands among all: fewest byes first, then fewest points.
    pub bye: i64,
    /// The squared difference in points.
    pub squares: i128,
}

/// How much a step of each level weighs, so that no sum of lower levels outweighs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    rematch: i128,
    meeting: i128,
    bye: i128,
}

impl Scale {
    /// For at most `pairs` pairs, none of which costs more than `most` on any level; with the
    /// squares among the rest or, where `apart`, in a number of their own.
    pub fn new(pairs: usize, most: &Levels, apart: bool) -> Scale {
        let pairs = pairs as i128;
        let bye = if apart { 1 } else { pairs * most.squares + 1 };
        // There is one bye at most.
        let meeting = bye * (i128::from(most.bye) + 1);
        let rematch = meeting * (pairs * i128::from(most.meetings) + 1);
        Scale { rematch, meeting, bye }
    }

    /// The weight of the costliest pair.
    pub(crate) fn heaviest(&self, most: &Levels) -> i128 {
        self.grave(most) + most.squares
    }

    fn grave(&self, levels: &Levels) -> i128 {
        i128::from(levels.rematches) * self.rematch
            + i128::from(levels.meetings) * self.meeting
            + i128::from(levels.bye) * self.bye
    }

    /// The levels of a sum of weights, and what is left for the squares.
    fn levels(&self, sum: i128) -> Levels {
        let narrow = |value: i128| value as i64;
        let (rematches, rest) = (sum / self.rematch, sum % self.rematch);
        let (meetings, rest) = (rest / self.meeting, rest % self.meeting);
        let (bye, squares) = (rest / self.bye, rest % self.bye);
        let (rematches, meetings) = (narrow(rematches), narrow(meetings));
        Levels { rematches, meetings, bye: narrow(bye), squares }
    }
}

/// A weight of the exact search: whole numbers in an order. Only even ones are ever halved.
pub(super) trait Weight:
    Copy + Ord + Default + Add<Output = Self> + Sub<Output = Self> + AddAssign + SubAssign
{
    /// Half of it; exact, since it is even.
    fn half(self) -> Self;

    /// These levels as a weight.
    fn of(levels: &Levels, scale: &Scale) -> Self;

    /// The levels of a weight, or of a sum of weights.
    fn levels(self, scale: &Scale) -> Levels;
}

impl Weight for i64 {
    fn half(self) -> i64 {
        self >> 1
    }

    fn of(levels: &Levels, scale: &Scale) -> i64 {
        (scale.grave(levels) + levels.squares) as i64
    }

    fn levels(self, scale: &Scale) -> Levels {
        scale.levels(i128::from(self))
    }
}

/// Two numbers, the first of which decides. Everything that the search does (adding,
/// subtracting, comparing, halving what is even) holds for each of them by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide {
    grave: i128,
    squares: i128,
}

impl Add for Wide {
    type Output = Wide;

    fn add(self, other: Wide) -> Wide {
        Wide { grave: self.grave + other.grave, squares: self.squares + other.squares }
    }
}

impl Sub for Wide {
    type Output = Wide;

    fn sub(self, other: Wide) -> Wide {
        Wide { grave: self.grave - other.grave, squares: self.squares - other.squares }
    }
}

impl AddAssign for Wide {
    fn add_assign(&mut self, other: Wide) {
        *self = *self + other;
    }
}

impl SubAssign for Wide {
    fn sub_assign(&mut self, other: Wide) {
        *self = *self - other;
    }
}

impl Weight for Wide {
    fn half(self) -> Wide {
        Wide { grave: self.grave >> 1, squares: self.squares >> 1 }
    }

    fn of(levels: &Levels, scale: &Scale) -> Wide {
        Wide { grave: scale.grave(levels), squares: levels.squares }
    }

    fn levels(self, scale: &Scale) -> Levels {
        Levels { squares: self.squares, ..scale.levels(self.grave) }
    }
}

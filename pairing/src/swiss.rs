//! The Swiss draw `score-group-random`: who meets whom is the seed's choice among the best.
//!
//! Best is, in this order: the fewest rematches, the fewest meetings that they repeat, a bye to
//! somebody with the fewest byes, a bye to somebody with the fewest points, and then the least
//! sum over the pairs of the squared difference in points.
//!
//! The players are shuffled first, and everything after that sees only where they stand in the
//! shuffled order: so names and sign-up have no influence, and in the first round every pairing
//! is as likely as every other.
//!
//! A draw is proven. Where the players stand in the order of points, a boundary between two
//! groups with an odd number above it is crossed by at least one pair, and a pair that crosses
//! several costs at least as much as one across each: so the squares of these gaps are a bound.
//! Nearly always there are pairs without a rematch that reach it. Where a few players cannot
//! (the last two undefeated have met), they are matched exactly, as a window with the groups
//! above and below as walls, and what they cost takes the place of the bound there; windows grow
//! until all can be paired at that cost, at worst until one holds the whole field.

mod deal;
mod line;
mod matching;
mod plan;
mod weight;
mod zone;

#[cfg(test)]
mod tests;

use super::dice::Dice;

/// Who is to be paired. A player is an index from 0.
#[derive(Clone, Debug)]
pub struct Field {
    points: Vec<i64>,
    byes: Vec<u32>,
    /// Where each player's opponents begin in `met`.
    met_from: Vec<usize>,
    met: Vec<u32>,
}

impl Field {
    /// Points over a common denominator (their differences below 2⁵⁰), the byes that each has
    /// had, and every pair who met, once for each time. Where rematches are allowed, nobody
    /// counts as having met anybody.
    ///
    /// # Panics
    /// Where points and byes are not of the same number of players, or an opponent is not one of
    /// them.
    pub fn new(
        points: Vec<i64>,
        byes: Vec<u32>,
        meetings: &[(u32, u32)],
        rematches_allowed: bool,
    ) -> Field {
        let meetings = if rematches_allowed { &[] } else { meetings };
        let players = points.len();
        assert_eq!(players, byes.len(), "points and byes are of the same players");
        let mut met_from = vec![0usize; players + 1];
        for (one, other) in meetings {
            met_from[*one as usize + 1] += 1;
            met_from[*other as usize + 1] += 1;
        }
        for player in 0..players {
            met_from[player + 1] += met_from[player];
        }
        let mut next = met_from.clone();
        let mut met = vec![0; 2 * meetings.len()];
        for (one, other) in meetings {
            for (player, opponent) in [(*one, *other), (*other, *one)] {
                met[next[player as usize]] = opponent;
                next[player as usize] += 1;
            }
        }
        Field { points, byes, met_from, met }
    }

    /// How many are to be paired.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether nobody is to be paired.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// A player's earlier opponents, once for each meeting.
    pub fn met(&self, player: u32) -> &[u32] {
        &self.met[self.met_from[player as usize]..self.met_from[player as usize + 1]]
    }

    /// A player's points.
    pub fn points(&self, player: u32) -> i64 {
        self.points[player as usize]
    }

    fn have_met(&self, one: u32, other: u32) -> bool {
        self.met(one).contains(&other)
    }

    /// What a pairing costs.
    pub fn cost(&self, pairs: &[(u32, u32)], bye: Option<u32>) -> Cost {
        let mut cost = Cost::default();
        for (one, other) in pairs {
            let times = self.met(*one).iter().filter(|opponent| *opponent == other).count() as u64;
            cost.rematches += u64::from(times > 0);
            cost.meetings += times;
            let apart = i128::from(self.points[*one as usize] - self.points[*other as usize]);
            cost.squares += apart * apart;
        }
        if let Some(player) = bye {
            cost.byes_again = u64::from(self.byes[player as usize]);
            let fewest = self.points.iter().min().copied().unwrap_or(0);
            cost.bye_points = self.points[player as usize] - fewest;
        }
        cost
    }
}

/// What a pairing costs; the first level that differs decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Pairs who have met before.
    pub rematches: u64,
    /// How often these have met, together.
    pub meetings: u64,
    /// Byes that the receiver of the bye has had before.
    pub byes_again: u64,
    /// Their points above the fewest of all.
    pub bye_points: i64,
    /// The sum over the pairs of the squared difference in points.
    pub squares: i128,
}

/// A round as drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Who meets whom: the player with more points first, the pairs in the order of points.
    pub pairs: Vec<(u32, u32)>,
    /// Who has the bye, where their number is odd.
    pub bye: Option<u32>,
    /// What it costs.
    pub cost: Cost,
    /// What any pairing costs at least, as proven in finding this one.
    pub bound: Cost,
}

/// Draws a round.
pub fn pair(field: &Field, dice: &mut Dice) -> Pairing {
    let line = line::Line::of(field, dice);
    let (mut pairs, bye, bound) = plan::Plan::of(field, &line).carry_out();
    let mut places = vec![0u32; field.len()];
    (0..).zip(&line.order).for_each(|(place, player)| places[*player as usize] = place);
    let place = |player: u32| places[player as usize];
    for pair in &mut pairs {
        if place(pair.0) > place(pair.1) {
            *pair = (pair.1, pair.0);
        }
    }
    pairs.sort_unstable_by_key(|pair| place(pair.0));
    let cost = field.cost(&pairs, bye);
    Pairing { pairs, bye, cost, bound }
}

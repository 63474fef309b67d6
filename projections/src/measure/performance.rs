//! Performance by ratings: FIDE's tables of expected scores, in whole numbers.

use super::Job;
use super::exact::{Exact, Int};
use super::{Notes, plain};
use crate::crosstable::Index;
use crate::ruleset::{Outcome, Performance, PerformanceBy, RoundKind};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use scrutineer_engine::event::RoundNumber;

/// The difference of ratings that stands for a score of 50, 51, … 100 in a hundred (FIDE Rating Regulations
/// B.02, 8.1.1).
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// From which difference of ratings on the stronger player is expected to score 50, 51, … 100 in a hundred
/// (B.02, 8.1.2), whatever the difference: C.07 knows no cut at 400.
const EXPECTED_FROM: [i64; 51] = [
    0, 4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154,
    163, 171, 180, 189, 198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358,
    375, 392, 412, 433, 457, 485, 518, 560, 620, 736,
];

/// How far ratings go: what is beyond is none.
const HIGHEST: i64 = 100_000;

/// Hundredths of a point that a player rated `own` is expected to score against one rated `other`.
fn expected(own: i64, other: i64) -> i64 {
    let difference = (own - other).abs();
    let above = EXPECTED_FROM.partition_point(|from| *from <= difference) as i64 - 1;
    if own >= other { 50 + above } else { 50 - above }
}

/// The share of the points in hundredths, halves up.
fn hundredths(half_points: i64, games: i64) -> i64 {
    (100 * half_points + games) / (2 * games)
}

/// The difference that a share of the points stands for: in hundredths, halves up.
fn difference(half_points: i64, games: i64) -> i64 {
    match hundredths(half_points, games) {
        share @ 50.. => DIFFERENCES[(share - 50) as usize],
        below => -DIFFERENCES[(50 - below) as usize],
    }
}

/// The mean of ratings as a whole number, halves up.
fn mean(ratings: &[i64]) -> i64 {
    let (sum, count) = (ratings.iter().sum::<i64>(), ratings.len() as i64);
    (2 * sum + count).div_euclid(2 * count)
}

/// A game that counts for a performance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// Its round.
    pub round: RoundNumber,
    /// Whom they met, by their place in the crosstable.
    pub opponent: Index,
    /// The opponent's rating.
    pub rating: i64,
    /// Twice the points.
    pub half_points: i64,
}

/// How a performance comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerformanceTerms {
    /// By what.
    pub by: PerformanceBy,
    /// The games against rated opponents.
    pub games: Vec<RatedGame>,
    /// The mean of their ratings.
    pub mean: i64,
    /// Twice the points of these games.
    pub half_points: i64,
    /// The share of the points, in hundredths.
    pub hundredths: i64,
    /// The difference of ratings that FIDE's table has for it.
    pub difference: i64,
}

/// A player's games against rated opponents.
fn games(job: &Job<'_>, ratings: &[Option<i64>], player: Index) -> Vec<RatedGame> {
    let mut games = Vec::new();
    for (_, entry) in job.table.rounds_of(player) {
        let [opponent] = job.table.opponents_of(&entry) else { continue };
        if !matches!(entry.kind, RoundKind::Played | RoundKind::DoubleLoss) {
            continue;
        }
        let Some(rating) = ratings[*opponent as usize] else { continue };
        let half_points = match entry.outcome {
            Outcome::Win => 2,
            Outcome::Draw => 1,
            Outcome::Loss | Outcome::None => 0,
        };
        games.push(RatedGame { round: entry.round, opponent: *opponent, rating, half_points });
    }
    games
}

/// How a player's performance comes about; none where they met no rated opponent.
pub(super) fn terms(job: &Job<'_>, spec: &Performance, player: Index) -> Option<PerformanceTerms> {
    let games = games(job, &ratings(job, spec)?, player);
    let met: Vec<i64> = games.iter().map(|game| game.rating).collect();
    let (half_points, count) = (games.iter().map(|game| game.half_points).sum(), met.len() as i64);
    (count > 0).then(|| PerformanceTerms {
        by: spec.by,
        mean: mean(&met),
        half_points,
        hundredths: hundredths(half_points, count),
        difference: difference(half_points, count),
        games,
    })
}

/// The rating of everybody who has one.
fn ratings(job: &Job<'_>, spec: &Performance) -> Option<Vec<Option<i64>>> {
    let of = job.columns[spec.of].as_deref()?;
    let rating = |player: usize| {
        let value = rounded(&of.value(player as u32))?;
        (1..=HIGHEST).contains(&value).then_some(value)
    };
    Some((0..job.table.len()).map(rating).collect())
}

/// The mean of the opponents' ratings and what the share of the points adds (C.07, 10.2).
fn tournament(met: &[i64], half_points: i64) -> i64 {
    mean(met) + difference(half_points, met.len() as i64)
}

/// The lowest rating that is expected to score as much as was scored (C.07, 10.3).
fn perfect(met: &[i64], half_points: i64) -> i64 {
    let lowest = met.iter().min().copied().unwrap_or(0) - 800;
    let highest = met.iter().max().copied().unwrap_or(0) + 800;
    if half_points == 0 {
        return lowest;
    }
    let is_enough =
        |own: i64| met.iter().map(|other| expected(own, *other)).sum::<i64>() >= 50 * half_points;
    // What is expected never falls where the own rating rises.
    let (mut below, mut enough) = (lowest, highest);
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if is_enough(middle) { enough = middle } else { below = middle }
    }
    enough
}

/// The column: `when_empty` for who met no rated opponent over the board.
pub(super) fn column<T: Int>(
    job: &Job<'_>,
    empty: &crate::ratio::Fraction,
    spec: &Performance,
) -> Option<Exact<T>> {
    let ratings = ratings(job, spec)?;
    let den = T::from(empty.den());
    let mut column = plain(Vec::with_capacity(ratings.len()), den.clone());
    column.notes = vec![Notes::default(); ratings.len()];
    for player in 0..ratings.len() {
        let games = games(job, &ratings, player as Index);
        let met: Vec<i64> = games.iter().map(|game| game.rating).collect();
        let half_points = games.iter().map(|game| game.half_points).sum();
        if met.is_empty() {
            column.notes[player].add(Notes::EMPTY);
            column.nums.push(T::from(empty.num()));
            continue;
        }
        let num = match spec.by {
            PerformanceBy::Mean => mean(&met),
            PerformanceBy::Score => tournament(&met, half_points),
            PerformanceBy::Perfect => perfect(&met, half_points),
        };
        column.nums.push(T::from(num).times(&den)?);
    }
    Some(column)
}

/// A value as a whole number, halves up.
fn rounded(value: &BigRational) -> Option<i64> {
    value.round().to_integer().to_i64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_points_performs_as_the_opponents_and_all_of_them_800_above() {
        assert_eq!(tournament(&[2000, 2100], 2), 2050);
        assert_eq!(tournament(&[2000, 2101], 2), 2051, "half a point of rating goes up");
        assert_eq!(tournament(&[2000, 2100], 4), 2850);
        assert_eq!(tournament(&[2000, 2100], 0), 1250);
        // Five and a half of nine: 61 in a hundred, 80 above.
        assert_eq!(tournament(&[2400; 9], 11), 2480);
        // Three and a half of nine: 39 in a hundred, 80 below.
        assert_eq!(tournament(&[2400; 9], 7), 2320);
    }

    #[test]
    fn the_tables_are_each_others_mirror_within_a_step() {
        assert!(DIFFERENCES.is_sorted() && EXPECTED_FROM.is_sorted());
        for (at, difference) in DIFFERENCES.iter().enumerate().take(50) {
            assert!(expected(2000 + difference, 2000) == 50 + at as i64, "{difference}");
            assert_eq!(expected(2000, 2000 + difference), 50 - at as i64);
        }
    }

    #[test]
    fn the_perfect_performance_is_the_lowest_rating_that_is_expected_to_score_as_much() {
        // A level score against one opponent: three below them still counts as half.
        assert_eq!(perfect(&[2000], 1), 1997);
        assert_eq!(perfect(&[2000], 2), 2736, "everything needs the last step of the table");
        assert_eq!(perfect(&[1800, 2000], 0), 1000, "nothing is 800 below the lowest");
        for half_points in 1..=8 {
            let met = [1800, 1950, 2100, 2210];
            let found = perfect(&met, half_points);
            let score = |own: i64| met.iter().map(|other| expected(own, *other)).sum::<i64>();
            assert!(score(found) >= 50 * half_points && score(found - 1) < 50 * half_points);
        }
    }

    #[test]
    fn a_share_of_the_points_is_read_off_the_table_in_hundredths() {
        assert_eq!((hundredths(3, 3), difference(3, 3)), (50, 0));
        assert_eq!((hundredths(9, 7), difference(9, 7)), (64, 102));
        assert_eq!((hundredths(5, 7), difference(5, 7)), (36, -102));
    }
}

//! The draw as a lottery: what should be equally likely is.

use super::draw;
use crate::swiss::Field;
use std::collections::BTreeMap;

/// Pearson's sum over the counts, in thousandths, where each is expected `expected` times.
fn chi_squared(counts: impl IntoIterator<Item = u64>, expected: u64) -> u64 {
    let square = |count: u64| (count.abs_diff(expected)).pow(2) * 1_000;
    counts.into_iter().map(square).sum::<u64>() / expected
}

#[test]
fn in_round_one_every_pairing_is_as_likely() {
    let field = Field::new(vec![0; 8], vec![0; 8], &[], false);
    let mut counts: BTreeMap<Vec<(u32, u32)>, u64> = BTreeMap::new();
    for seed in 0..21_000 {
        let pairs = draw(&field, seed).pairs;
        let mut pairs: Vec<_> = pairs.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
        pairs.sort_unstable();
        *counts.entry(pairs).or_default() += 1;
    }
    assert_eq!(counts.len(), 105);
    // With 104 degrees of freedom more than 156 happens once in a thousand times.
    let sum = chi_squared(counts.into_values(), 200);
    assert!(sum < 156_000, "{sum}");
}

#[test]
fn in_round_one_every_bye_is_as_likely() {
    let field = Field::new(vec![0; 7], vec![0; 7], &[], false);
    let mut counts = [0; 7];
    (0..7_000).for_each(|seed| counts[draw(&field, seed).bye.expect("seven") as usize] += 1);
    // With 6 degrees of freedom more than 22.5 happens once in a thousand times.
    let sum = chi_squared(counts, 1_000);
    assert!(sum < 22_500, "{counts:?}");
}

/// How often each pair plays in 6,000 draws, where the players are numbered in another order.
fn times_paired(order: [u32; 9], from: u64) -> BTreeMap<(u32, u32), u64> {
    let mut points = vec![0; 9];
    let mut byes = vec![0; 9];
    for (player, (had, count)) in
        [(6, 0), (6, 0), (6, 0), (3, 1), (3, 0), (3, 0), (1, 0), (1, 0), (0, 1)]
            .into_iter()
            .enumerate()
    {
        points[order[player] as usize] = had;
        byes[order[player] as usize] = count;
    }
    let met = [(0, 1), (0, 2), (1, 3), (4, 6), (3, 4), (7, 8), (5, 8), (6, 8)];
    let met = met.map(|(a, b)| (order[a], order[b]));
    let field = Field::new(points, byes, &met, false);
    let name = |index: u32| order.iter().position(|other| *other == index).unwrap_or(0) as u32;
    let mut counts = BTreeMap::new();
    for seed in from..from + 6_000 {
        let drawn = draw(&field, seed);
        let mut count = |a: u32, b: u32| *counts.entry((a.min(b), a.max(b))).or_default() += 1;
        drawn.pairs.iter().for_each(|(a, b)| count(name(*a), name(*b)));
        drawn.bye.iter().for_each(|player| count(name(*player), 9));
    }
    counts
}

#[test]
fn the_order_of_the_players_has_no_influence() {
    let straight = times_paired([0, 1, 2, 3, 4, 5, 6, 7, 8], 0);
    let turned = times_paired([8, 3, 5, 0, 7, 1, 6, 2, 4], 100_000);
    assert!(straight.len() > 5, "there is something to choose: {straight:?}");
    assert!(straight.keys().eq(turned.keys()), "{straight:?} {turned:?}");
    // Two counts of the same chance differ by at most 4 standard deviations of their difference,
    // which is below 55.
    for (pair, times) in &straight {
        assert!(times.abs_diff(turned[pair]) < 220, "{pair:?}: {times} and {}", turned[pair]);
    }
}

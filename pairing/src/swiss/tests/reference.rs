//! Beside an enumeration of all pairings, and beside another's exact matching.

use super::workload::{Event, made_up};
use super::{dice, draw};
use crate::swiss::{Cost, Field};
use rustworkx_core::max_weight_matching::max_weight_matching;
use rustworkx_core::petgraph::graph::UnGraph;

/// The least cost of all pairings, by trying every one.
fn by_enumeration(field: &Field) -> Cost {
    fn go(field: &Field, left: &[u32], pairs: &mut Vec<(u32, u32)>, bye: Option<u32>) -> Cost {
        let Some((first, rest)) = left.split_first() else { return field.cost(pairs, bye) };
        let without = |other: u32| -> Vec<u32> {
            rest.iter().copied().filter(|player| *player != other).collect()
        };
        let mut best = None;
        let mut keep = |cost: Cost| best = Some(best.map_or(cost, |best: Cost| best.min(cost)));
        if field.len() % 2 == 1 && bye.is_none() {
            keep(go(field, rest, pairs, Some(*first)));
        }
        for other in rest {
            pairs.push((*first, *other));
            keep(go(field, &without(*other), pairs, bye));
            pairs.pop();
        }
        best.unwrap_or(Cost { rematches: u64::MAX, ..Cost::default() })
    }
    let all: Vec<u32> = (0..field.len() as u32).collect();
    go(field, &all, &mut Vec::new(), None)
}

/// The least cost of all pairings, by a library.
fn by_library(field: &Field) -> Cost {
    let players = field.len();
    let points = &field.points;
    let fewest = points.iter().min().copied().unwrap_or(0);
    let span = i128::from(points.iter().max().copied().unwrap_or(0) - fewest);
    // One unit of each level outweighs all that lies below it.
    let half = players as i128;
    let bye_points = half * span * span + 1;
    let byes_again = bye_points * (span + 1);
    let meeting = byes_again * (i128::from(field.byes.iter().max().copied().unwrap_or(0)) + 1);
    let rematch = meeting * (field.met.len() as i128 + 1);
    let weight = |cost: &Cost| {
        i128::from(cost.rematches) * rematch
            + i128::from(cost.meetings) * meeting
            + i128::from(cost.byes_again) * byes_again
            + i128::from(cost.bye_points) * bye_points
            + cost.squares
    };
    let mut edges = Vec::new();
    for one in 0..players as u32 {
        for other in one + 1..players as u32 {
            edges.push((one, other, weight(&field.cost(&[(one, other)], None))));
        }
        if players % 2 == 1 {
            edges.push((one, players as u32, weight(&field.cost(&[], Some(one)))));
        }
    }
    let most = edges.iter().map(|edge| edge.2).max().unwrap_or(0);
    let graph = UnGraph::<(), i128>::from_edges(
        edges.iter().map(|(one, other, weight)| (*one, *other, most - weight)),
    );
    let found: Result<_, std::convert::Infallible> =
        max_weight_matching(&graph, true, |edge| Ok(*edge.weight()), false);
    let found = found.expect("nothing can fail");
    let mut pairs: Vec<(u32, u32)> =
        found.into_iter().map(|(a, b)| (a.min(b) as u32, a.max(b) as u32)).collect();
    assert_eq!(pairs.len(), players.div_ceil(2));
    let at = pairs.iter().position(|pair| pair.1 as usize == players);
    let bye = at.map(|at| pairs.swap_remove(at).0);
    field.cost(&pairs, bye)
}

/// How often a sweep is repeated: more by the variable `SCRUTINEER_SWEEP`.
#[allow(clippy::disallowed_methods, reason = "how long a test runs is no answer")]
fn sweep(times: u64) -> u64 {
    let more = std::env::var("SCRUTINEER_SWEEP").ok().and_then(|value| value.parse::<u64>().ok());
    times * more.unwrap_or(1)
}

#[test]
fn no_pairing_of_up_to_ten_is_cheaper() {
    let mut random = dice(1);
    for number in 0..sweep(900) {
        let players = if number % 40 == 0 { 9 + random.below(2) } else { random.below(9) };
        let field = made_up(players as usize, &mut random);
        assert_eq!(draw(&field, number).cost, by_enumeration(&field), "{number}: {field:?}");
    }
}

#[test]
fn a_library_finds_nothing_cheaper_in_made_up_states() {
    let mut random = dice(2);
    for number in 0..sweep(300) {
        let field = made_up(2 + random.below(60) as usize, &mut random);
        assert_eq!(draw(&field, number).cost, by_library(&field), "{number}");
    }
}

#[test]
fn a_library_finds_nothing_cheaper_in_large_made_up_states() {
    let mut random = dice(3);
    for number in 0..sweep(4) {
        let field =
            made_up(100 + random.below(if number < 3 { 120 } else { 400 }) as usize, &mut random);
        assert_eq!(draw(&field, number).cost, by_library(&field), "{number}");
    }
}

#[test]
fn a_library_finds_nothing_cheaper_in_played_states() {
    for seed in 0..sweep(12) {
        let players = [9, 12, 17, 24, 33, 40][seed as usize % 6];
        let mut event = Event::of(players);
        // Longer than it can go without a rematch, for some.
        for round in 0..14 {
            let reference = by_library(&event.field());
            assert_eq!(event.round(seed * 100 + round, 10).cost, reference, "{seed} {round}");
        }
    }
}

#[test]
fn a_library_finds_nothing_cheaper_where_neighbours_have_all_met() {
    for seed in 0..sweep(1) {
        let mut event = Event::of(100 + seed as usize % 9);
        for round in 0..70 {
            let field = event.field();
            let cost = event.round(seed * 100 + round, 10).cost;
            if round % 23 == 22 {
                assert_eq!(cost, by_library(&field), "{seed} {round}");
            }
        }
    }
}

/// Everybody has met everybody, two of them sixty times, and no two stand alike: one number of 64
/// bits does not hold what a pair costs, although the points are near enough.
#[test]
fn a_library_finds_nothing_cheaper_where_pairs_weigh_more_than_64_bits_hold() {
    let mut random = dice(4);
    let players = 80u32;
    let points = (0..i64::from(players)).map(|place| place * 13_000 + random.below(9_000) as i64);
    let mut meetings = Vec::new();
    for one in 0..players {
        meetings.extend((one + 1..players).map(|other| (one, other)));
    }
    meetings.extend([(40, 41); 59]);
    let field = Field::new(points.collect(), vec![0; players as usize], &meetings, false);
    assert_eq!(draw(&field, 1).cost, by_library(&field));
}

/// Points below nought are points like others.
#[test]
fn what_everybody_has_more_or_less_changes_nothing() {
    let mut random = dice(5);
    for number in 0..sweep(200) {
        let field = made_up(2 + random.below(30) as usize, &mut random);
        let apart = field.points.iter().max().zip(field.points.iter().min());
        let apart = apart.map_or(0, |(most, least)| most + least);
        for less in [apart / 2, apart, 1_000_000] {
            let points = field.points.iter().map(|points| points - less).collect();
            let moved = Field { points, ..field.clone() };
            assert_eq!(draw(&moved, number), draw(&field, number), "{number}");
        }
    }
}

//! Small events that go wrong with lesser methods, and large ones with their proof.

use super::workload::Event;
use super::{dice, draw};
use crate::swiss::{Cost, Field, pair};

#[test]
fn six_players_play_five_rounds_without_a_rematch_and_then_the_fewest() {
    for seed in 0..150 {
        let mut event = Event::of(6);
        for round in 1..=10 {
            let drawn = event.round(seed * 100 + round, 10);
            // A random start can leave six players without five rounds (two triangles are left
            // after three): what `draw` proves is that no rematch was avoidable.
            if round <= 3 {
                assert_eq!(drawn.cost.rematches, 0, "seed {seed} round {round}");
            }
        }
        let met = |one: u32, other: u32| {
            let together = |pair: &&(u32, u32)| **pair == (one, other) || **pair == (other, one);
            event.meetings.iter().filter(together).count()
        };
        let most = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))).map(|(a, b)| met(a, b));
        assert!(most.max() <= Some(3), "seed {seed}");
    }
}

#[test]
fn a_second_bye_comes_after_everybody_has_had_one() {
    for seed in 0..30 {
        let (event, _) = Event::rounds(31, 8, seed, 10);
        assert!(event.byes.iter().all(|byes| *byes <= 1), "seed {seed}");
    }
    // All have had one: the fewest points decide. One has had two: not they.
    let field = |byes| Field::new(vec![6, 3, 3, 0, 0], byes, &[], false);
    let drawn = draw(&field(vec![1; 5]), 1);
    assert_eq!(drawn.cost, Cost { byes_again: 1, squares: 9 + 9, ..Cost::default() });
    let drawn = draw(&field(vec![1, 1, 1, 2, 2]), 1);
    let cost = Cost { byes_again: 1, bye_points: 3, squares: 9, ..Cost::default() };
    assert_eq!(drawn.cost, cost);
}

#[test]
fn a_second_bye_is_better_than_a_rematch() {
    // The third alone has had no bye, but the others have met.
    let field = Field::new(vec![6, 3, 0], vec![1, 1, 0], &[(0, 1)], false);
    let drawn = draw(&field, 1);
    assert_eq!(drawn.bye, Some(1));
    let cost = Cost { byes_again: 1, bye_points: 3, squares: 36, ..Cost::default() };
    assert_eq!(drawn.cost, cost);
}

#[test]
fn the_last_two_undefeated_have_met() {
    let mut points = vec![9, 9];
    points.extend([6; 6]);
    points.extend([3; 6]);
    points.extend([0; 2]);
    let field = Field::new(points, vec![0; 16], &[(0, 1)], false);
    for seed in 0..20 {
        let drawn = draw(&field, seed);
        assert_eq!(drawn.cost, Cost { squares: 18, ..Cost::default() });
        let of = |player| drawn.pairs.iter().find(|pair| pair.0 == player).expect("he plays").1;
        assert!((2..8).contains(&of(0)) && (2..8).contains(&of(1)));
    }
}

#[test]
fn the_smallest_fields() {
    let nobody = Field::new(vec![], vec![], &[], false);
    let empty = draw(&nobody, 1);
    assert!(nobody.is_empty() && !Field::new(vec![4], vec![1], &[], false).is_empty());
    assert_eq!((empty.pairs, empty.bye, empty.cost), (vec![], None, Cost::default()));
    let alone = draw(&Field::new(vec![4], vec![1], &[], false), 1);
    assert_eq!((alone.pairs, alone.bye), (vec![], Some(0)));
    assert_eq!(alone.cost, Cost { byes_again: 1, ..Cost::default() });
    let two = draw(&Field::new(vec![0, 3], vec![0; 2], &[(0, 1), (1, 0)], false), 1);
    assert_eq!((two.pairs, two.bye), (vec![(1, 0)], None));
    assert_eq!(two.cost, Cost { rematches: 1, meetings: 2, squares: 9, ..Cost::default() });
    let allowed = draw(&Field::new(vec![0, 3], vec![0; 2], &[(0, 1)], true), 1);
    assert_eq!(allowed.cost, Cost { squares: 9, ..Cost::default() });
}

#[test]
fn points_may_be_as_far_apart_as_they_like() {
    let far = |player: i64| player * player * (1 << 40) + player;
    let points: Vec<i64> = (0..21).map(|player| far(player % 8)).collect();
    let met: Vec<(u32, u32)> = (0..20).flat_map(|a| (a + 1..21).map(move |b| (a, b))).collect();
    let apart: Vec<(u32, u32)> = met.iter().copied().filter(|(a, b)| (a + b) % 8 < 5).collect();
    for meetings in [&met, &apart] {
        draw(&Field::new(points.clone(), vec![0; 21], meetings, false), 1);
    }
}

#[test]
fn one_seed_gives_one_draw() {
    let (event, _) = Event::rounds(61, 6, 3, 10);
    let field = event.field();
    assert_eq!(pair(&field, &mut dice(5)), pair(&field, &mut dice(5)));
    assert_ne!(pair(&field, &mut dice(5)).pairs, pair(&field, &mut dice(6)).pairs);
}

#[test]
fn large_events_are_proven() {
    // `draw` holds the cost against the bound in every round.
    for (players, rounds, drawn_matches) in
        [(500, 15, 10), (999, 12, 0), (1_000, 15, 3), (5_001, 15, 10), (3_000, 9, 1)]
    {
        let (_, cost) = Event::rounds(players, rounds, players as u64, drawn_matches);
        assert_eq!((cost.rematches, cost.byes_again), (0, 0), "{players} players");
    }
}

#[test]
fn a_large_field_without_level_players_is_proven() {
    let players = 3_000u32;
    let mut random = dice(9);
    let points = (0..i64::from(players)).map(|place| place * 7 + random.below(5) as i64).collect();
    let mut meetings = Vec::new();
    for one in 0..players {
        (0..5).for_each(|_| {
            let other = one + 1 + random.below(9) as u32;
            meetings.extend((other < players).then_some((one, other)));
        });
    }
    let drawn = draw(&Field::new(points, vec![0; players as usize], &meetings, false), 1);
    assert_eq!(drawn.cost.rematches, 0);
}

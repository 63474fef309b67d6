//! Single elimination.

use super::*;

#[test]
fn the_placing_is_the_one_that_documents_print() {
    let stage_one = |entrants| {
        let play = Play::new(Bracket::single(entrants), entrants);
        tables(&play.draw(1).expect("stage 1 waits for nobody"))
    };
    assert_eq!(stage_one(2), [(1, 2)]);
    assert_eq!(stage_one(4), [(1, 4), (2, 3)]);
    assert_eq!(stage_one(8), [(1, 8), (4, 5), (2, 7), (3, 6)]);
    assert_eq!(stage_one(10), [(8, 9), (7, 10)]);
}

#[test]
fn the_winner_of_one_and_eight_meets_the_winner_of_four_and_five() {
    let mut play = Play::new(Bracket::single(8), 8);
    play.stage(|a, b| a > b);
    assert_eq!(tables(&play.draw(2).expect("stage 1 is played")), [(8, 5), (7, 6)]);
    play.stage(higher_seed);
    assert_eq!(tables(&play.draw(3).expect("stage 2 is played")), [(5, 6)]);
}

#[test]
fn the_qualifier_leaves_a_power_of_two() {
    // Entrants, byes, playing in the qualifier, left after it.
    let vectors = [
        (140, 116, 24, 128),
        (240, 16, 224, 128),
        (2, 0, 2, 1),
        (3, 1, 2, 2),
        (5, 3, 2, 4),
        (65, 63, 2, 64),
        (127, 1, 126, 64),
        (129, 127, 2, 128),
        (255, 1, 254, 128),
        (10, 6, 4, 8),
        (128, 0, 128, 64),
    ];
    for (entrants, waiting, playing, left) in vectors {
        assert_eq!(byes(entrants), waiting, "{entrants}");
        let play = Play::new(Bracket::single(entrants), entrants);
        let placed = play.draw(1).expect("stage 1 waits for nobody");
        assert_eq!(tables(&placed).len() as u32 * 2, playing, "{entrants}");
        assert_eq!(placed.len() as u32, left, "{entrants}");
        let free: BTreeSet<PlayerNumber> = placed
            .iter()
            .filter_map(|placed| match placed.kind {
                PlacedKind::FreePlace { player } => Some(player),
                _ => None,
            })
            .collect();
        assert_eq!(free, (1..=waiting).collect(), "the highest seeds of {entrants} wait");
    }
}

#[test]
fn every_size_is_played_finish() {
    for entrants in 2..=300 {
        let mut dice = dice(entrants);
        let mut play = Play::new(Bracket::single(entrants), entrants);
        let first = play.draw(1).expect("stage 1 waits for nobody");
        assert_eq!(first.len() + tables(&first).len(), entrants as usize);
        play.finish(|_, _| dice.below(2) == 0);
        assert_eq!(play.matches.len() as u32, entrants - 1);
        assert_eq!(play.bracket.last_stage() as u32, entrants.next_power_of_two().ilog2());
        let champion = play.course().champion().expect("somebody has won");
        for player in 1..=entrants {
            assert_eq!(play.losses(player), usize::from(player != champion));
        }
    }
}

#[test]
fn a_stage_waits_for_a_match_that_nobody_has_won() {
    let mut play = Play::new(Bracket::single(4), 4);
    play.recorded.insert(1, Recorded::Match { seats: [1, 4], winner: Some(1) });
    play.recorded.insert(2, Recorded::Match { seats: [2, 3], winner: None });
    assert_eq!(play.draw(2), Err(Undecided { slot: 2 }));
    assert_eq!(play.course().next_stage(), Some(2));
    // Somebody is left who could win it, so somebody has to say so.
    play.gone.insert(2);
    assert_eq!(play.draw(2), Err(Undecided { slot: 2 }));
    // With both gone, nobody is.
    play.gone.insert(3);
    let alone = Placed { slot: 3, group: UPPER, kind: PlacedKind::OpponentGone { player: 1 } };
    assert_eq!(play.draw(2), Ok(vec![alone]));
    play.finish(higher_seed);
    assert_eq!(play.course().champion(), Some(1));
}

#[test]
fn whoever_is_gone_leaves_his_opponent_a_bye() {
    let mut play = Play::new(Bracket::single(6), 6);
    play.gone.extend([1, 4]);
    let kinds = |play: &Play, stage| -> Vec<(u32, PlacedKind)> {
        let placed = play.draw(stage).expect("earlier stages are played");
        placed.iter().map(|placed| (placed.slot, placed.kind)).collect()
    };
    // Seed 1 waited at slot 1, and nobody is there now.
    let gone = |player| PlacedKind::OpponentGone { player };
    let free = PlacedKind::FreePlace { player: 2 };
    let three = PlacedKind::Table { a: 3, b: 6 };
    assert_eq!(kinds(&play, 1), [(2, gone(5)), (3, free), (4, three)]);
    play.stage(higher_seed);
    assert_eq!(kinds(&play, 2), [(5, gone(5)), (6, PlacedKind::Table { a: 2, b: 3 })]);
    play.stage(higher_seed);
    play.gone.insert(2);
    assert_eq!(kinds(&play, 3), [(7, gone(5))]);
    play.finish(higher_seed);
    assert_eq!(play.course().champion(), Some(5));
    // A stage comes out again as it was drawn.
    assert_eq!(kinds(&play, 3), [(7, gone(5))]);
}

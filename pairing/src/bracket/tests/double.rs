//! Double elimination.

use super::*;

fn describe(bracket: &Bracket, stage: u16) -> Vec<String> {
    let source = |source: &Source| match source {
        Source::Seed(seed) => format!("{seed}"),
        Source::WinnerOf(slot) => format!("W{slot}"),
        Source::LoserOf(slot) => format!("L{slot}"),
    };
    let line = |node: &Node| {
        let [first, second] = &node.sources;
        format!("{}/{} {} v {}", node.slot, node.group, source(first), source(second))
    };
    bracket.stage(stage).iter().map(line).collect()
}

#[test]
fn eight_players_in_the_usual_order() {
    let bracket = Bracket::double(8);
    let stages: Vec<String> =
        (1..=bracket.last_stage()).map(|stage| describe(&bracket, stage).join(", ")).collect();
    let expected = [
        "1/1 1 v 8, 2/1 4 v 5, 3/1 2 v 7, 4/1 3 v 6",
        "5/1 W1 v W2, 6/1 W3 v W4, 7/2 L1 v L2, 8/2 L3 v L4",
        // Crossed: the losers of the upper half meet those left in the lower half.
        "9/2 W7 v L6, 10/2 W8 v L5",
        "11/1 W5 v W6, 12/2 W9 v W10",
        "13/2 W12 v L11",
        "14/3 W11 v W13",
        "15/3 W14 v L14",
    ];
    assert_eq!(stages, expected);
    assert_eq!(bracket.second_final(), Some(15));
}

#[test]
fn two_players_meet_until_one_has_lost_twice() {
    let mut play = Play::new(Bracket::double(2), 2);
    play.finish(higher_seed);
    assert_eq!(play.matches, [(1, 1, 2), (2, 1, 2)]);
    let mut play = Play::new(Bracket::double(2), 2);
    let mut winners = [1, 2, 2].into_iter();
    play.finish(|a, _| winners.next() == Some(a));
    assert_eq!(play.matches, [(1, 1, 2), (2, 2, 1), (3, 2, 1)]);
    assert_eq!(play.course().champion(), Some(2));
}

#[test]
fn every_size_is_played_finish() {
    let mut second_finals = 0;
    for entrants in 2..=300 {
        let mut dice = dice(entrants);
        let mut play = Play::new(Bracket::double(entrants), entrants);
        play.finish(|_, _| dice.below(2) == 0);
        let champion = play.course().champion().expect("somebody has won");
        let lost = play.losses(champion);
        assert!(lost <= 1);
        assert_eq!(play.matches.len(), 2 * (entrants as usize - 1) + lost);
        for player in (1..=entrants).filter(|player| *player != champion) {
            assert_eq!(play.losses(player), 2, "{player} of {entrants}");
        }
        let second = play.bracket.second_final().expect("a double elimination has one");
        let last = play.bracket.last_stage();
        let played = play.matches.last().map(|(stage, ..)| *stage);
        assert_eq!(played, Some(last - u16::from(lost == 0)));
        assert_eq!(play.recorded.contains_key(&second), lost == 1);
        second_finals += lost;
    }
    assert!((100..200).contains(&second_finals), "{second_finals}");
}

#[test]
fn a_bye_above_means_that_nobody_drops_down() {
    let mut play = Play::new(Bracket::double(5), 5);
    play.stage(higher_seed);
    let placed = play.draw(2).expect("stage 1 is played");
    let lower: Vec<&Placed> = placed.iter().filter(|placed| placed.group == LOWER).collect();
    assert_eq!(lower.len(), 1);
    assert_eq!(lower[0].kind, PlacedKind::FreePlace { player: 5 });
    assert_eq!(tables(&placed), [(1, 4), (2, 3)]);
}

#[test]
fn without_upsets_nobody_meets_again_before_the_lower_final() {
    for entrants in 4..=256 {
        let mut play = Play::new(Bracket::double(entrants), entrants);
        play.finish(higher_seed);
        let lower_final = play.bracket.last_stage() - 2;
        let mut met = BTreeSet::new();
        for (stage, winner, loser) in &play.matches {
            let again = !met.insert((winner.min(loser), winner.max(loser)));
            assert!(!again || *stage >= lower_final, "{winner} v {loser} of {entrants}");
        }
    }
}

#[test]
fn rematches_come_late_also_with_upsets() {
    // With 32 players the crossings let nobody meet again before the third drop, at stage 6 or 7.
    for seed in 0..100 {
        let mut dice = dice(seed);
        let mut play = Play::new(Bracket::double(32), 32);
        play.finish(|_, _| dice.below(2) == 0);
        let mut met = BTreeSet::new();
        for (stage, winner, loser) in &play.matches {
            let again = !met.insert((winner.min(loser), winner.max(loser)));
            assert!(!again || *stage >= 6, "{winner} v {loser} at stage {stage}");
        }
    }
}

#[test]
fn whoever_leaves_after_his_first_loss_does_not_drop_down() {
    let mut play = Play::new(Bracket::double(4), 4);
    play.stage(higher_seed);
    play.gone.insert(4);
    let placed = play.draw(2).expect("stage 1 is played");
    let alone = Placed { slot: 4, group: LOWER, kind: PlacedKind::OpponentGone { player: 3 } };
    assert_eq!(placed[1], alone);
    play.finish(higher_seed);
    assert_eq!(play.course().champion(), Some(1));
}

#[test]
fn an_unbeaten_player_who_is_gone_leaves_the_title_without_a_second_final() {
    let mut play = Play::new(Bracket::double(4), 4);
    (0..3).for_each(|_| assert!(play.stage(higher_seed)));
    play.gone.insert(1);
    assert_eq!(play.course().next_stage(), Some(4));
    play.finish(higher_seed);
    assert_eq!(play.course().champion(), Some(2));
    assert_eq!(play.course().next_stage(), None);
    // Gone after losing the first final, they leave a bye in the second.
    let mut play = Play::new(Bracket::double(4), 4);
    (0..3).for_each(|_| assert!(play.stage(higher_seed)));
    assert!(play.stage(|a, _| a == 2));
    play.gone.insert(1);
    let alone = Placed { slot: 7, group: FINAL, kind: PlacedKind::OpponentGone { player: 2 } };
    assert_eq!(play.draw(5), Ok(vec![alone]));
    play.finish(higher_seed);
}

#[test]
fn a_lower_stage_can_be_empty_while_the_upper_winner_waits() {
    let mut play = Play::new(Bracket::double(4), 4);
    play.stage(higher_seed);
    play.stage(higher_seed);
    play.gone.extend([2, 3]);
    assert_eq!(play.draw(3), Ok(vec![]));
    assert_eq!(play.course().next_stage(), Some(4));
    play.finish(higher_seed);
    assert_eq!(play.course().champion(), Some(1));
}

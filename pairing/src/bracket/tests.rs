//! Brackets: vectors, and brackets of many sizes played to the end.

mod double;
mod single;

use super::*;
use crate::dice::Dice;
use std::collections::{BTreeMap, BTreeSet};

impl Bracket {
    /// The number of the last stage; in double elimination that of the second final, which may
    /// not be needed.
    fn last_stage(&self) -> u16 {
        self.nodes.last().map_or(0, |node| node.stage)
    }

    /// Whether a player is out only with their second loss.
    fn is_double(&self) -> bool {
        self.double
    }
}

fn dice(number: u32) -> Dice {
    Dice::new(&[number as u8; 32], "bracket test", (number >> 8) as u16, b"")
}

/// A bracket being played. Player n has seed n.
struct Play {
    bracket: Bracket,
    seeds: Vec<PlayerNumber>,
    recorded: BTreeMap<u32, Recorded>,
    gone: BTreeSet<PlayerNumber>,
    /// Matches with winner and loser, and the stage.
    matches: Vec<(u16, PlayerNumber, PlayerNumber)>,
}

impl Play {
    fn new(bracket: Bracket, entrants: u32) -> Play {
        let seeds = (1..=entrants).collect();
        let (recorded, gone) = (BTreeMap::new(), BTreeSet::new());
        Play { bracket, seeds, recorded, gone, matches: Vec::new() }
    }

    fn recorded(&self, slot: u32) -> Recorded {
        self.recorded.get(&slot).copied().unwrap_or(Recorded::Nothing)
    }

    fn course(&self) -> Course<'_> {
        let gone = |player| self.gone.contains(&player);
        Course::of(&self.bracket, &self.seeds, |slot| self.recorded(slot), gone)
    }

    fn draw(&self, stage: u16) -> Result<Vec<Placed>, Undecided> {
        let gone = |player| self.gone.contains(&player);
        next_round(&self.bracket, &self.seeds, |slot| self.recorded(slot), gone, stage)
    }

    /// Draws the next stage and plays it; false: there is none.
    fn stage(&mut self, mut wins: impl FnMut(PlayerNumber, PlayerNumber) -> bool) -> bool {
        let Some(stage) = self.course().next_stage() else { return false };
        assert!(!self.course().is_over(), "stage {stage} is left");
        let placed = self.draw(stage).expect("every earlier match has a winner");
        assert!(!placed.is_empty(), "somebody is at stage {stage}");
        let mut here = BTreeSet::new();
        for Placed { slot, kind, .. } in placed {
            let record = match kind {
                PlacedKind::Table { a, b } => {
                    assert!(here.insert(a) && here.insert(b), "{a} or {b} is placed twice");
                    let seats = self.course().seats(slot);
                    assert_eq!(seats, Some([Place::Player(a), Place::Player(b)]));
                    let (winner, loser) = if wins(a, b) { (a, b) } else { (b, a) };
                    self.matches.push((stage, winner, loser));
                    Recorded::Match { seats: [a, b], winner: Some(winner) }
                }
                PlacedKind::FreePlace { player } | PlacedKind::OpponentGone { player } => {
                    assert!(here.insert(player), "{player} is placed twice");
                    Recorded::Bye { player }
                }
            };
            assert!(self.recorded.insert(slot, record).is_none(), "slot {slot} is drawn twice");
        }
        assert!(here.is_disjoint(&self.gone), "nobody who is gone is drawn");
        true
    }

    fn finish(&mut self, mut wins: impl FnMut(PlayerNumber, PlayerNumber) -> bool) {
        while self.stage(&mut wins) {}
        assert!(self.course().is_over());
    }

    /// Once stage 1 is recorded, the course is the same without the seeds, but for players
    /// who were gone before they came to any slot.
    fn check_without_seeds(&self) {
        let gone = |player| self.gone.contains(&player);
        let without = Course::of(&self.bracket, &[], |slot| self.recorded(slot), gone);
        let with = self.course();
        assert!(without.is_over());
        assert_eq!(without.champion(), with.champion());
        for node in self.bracket.nodes() {
            let who =
                |course: &Course<'_>| course.seats(node.slot).map(|seats| seats.map(Place::who));
            let kind = |course: &Course<'_>| {
                course.seats(node.slot).map(|seats| seats.map(|seat| seat == Place::Free))
            };
            assert_eq!(kind(&without), kind(&with), "slot {}", node.slot);
            if self.gone.is_empty() && node.stage > 1 {
                assert_eq!(who(&without), who(&with));
            }
        }
    }

    fn losses(&self, player: PlayerNumber) -> usize {
        self.matches.iter().filter(|(_, _, loser)| *loser == player).count()
    }
}

fn higher_seed(a: PlayerNumber, b: PlayerNumber) -> bool {
    a < b
}

fn tables(placed: &[Placed]) -> Vec<(PlayerNumber, PlayerNumber)> {
    let table = |placed: &Placed| match placed.kind {
        PlacedKind::Table { a, b } => Some((a, b)),
        _ => None,
    };
    placed.iter().filter_map(table).collect()
}

#[test]
fn slots_are_numbered_in_the_order_of_the_stages() {
    for entrants in (2..=70).chain([65_535, 65_536]) {
        for bracket in [Bracket::single(entrants), Bracket::double(entrants)] {
            let size = entrants.next_power_of_two() as usize;
            let slots = if bracket.is_double() { 2 * size - 1 } else { size - 1 };
            assert_eq!(bracket.nodes().len(), slots);
            let mut stage = 0;
            let mut fed = BTreeSet::new();
            for (slot, node) in (1..).zip(bracket.nodes()) {
                assert_eq!(node.slot, slot);
                assert!(node.stage == stage || node.stage == stage + 1);
                stage = node.stage;
                for source in node.sources {
                    assert!(fed.insert(format!("{source:?}")), "{source:?} goes to two slots");
                    if let Source::WinnerOf(from) | Source::LoserOf(from) = source {
                        assert!(bracket.node(from).is_some_and(|node| node.stage < stage));
                    }
                }
            }
            assert_eq!(stage, bracket.last_stage());
        }
    }
}

#[test]
fn with_random_drops_no_bracket_hangs() {
    for entrants in 2..=80 {
        for (trial, double) in [(0, false), (1, true), (2, false), (3, true)] {
            let mut dice = dice(entrants * 4 + trial);
            let bracket = match double {
                true => Bracket::double(entrants),
                false => Bracket::single(entrants),
            };
            let mut play = Play::new(bracket, entrants);
            let often = if trial < 2 { 4 } else { 15 };
            loop {
                for player in 1..=entrants {
                    if dice.below(often) == 0 {
                        play.gone.insert(player);
                    }
                }
                if !play.stage(|_, _| dice.below(2) == 0) {
                    break;
                }
            }
            assert!(play.course().is_over());
            play.check_without_seeds();
            let allowed = 1 + usize::from(double);
            let course = play.course();
            for player in 1..=entrants {
                let losses = play.losses(player);
                assert!(losses <= allowed, "{player} lost {losses} times");
                let is_champion = course.champion() == Some(player);
                assert!(losses == allowed || play.gone.contains(&player) || is_champion);
                assert!(!is_champion || losses < allowed);
            }
        }
    }
}

#[test]
fn entrants_take_the_seeds_by_sign_up_or_by_lot() {
    let entrants: Vec<PlayerNumber> = (1..=10).collect();
    // Player 10 signed up first; player 1 has no place in the order of sign-up.
    let sign_up = |player: PlayerNumber| (player > 1).then_some(11 - player);
    let place = |how, seed| place_entrants(&entrants, sign_up, how, &mut dice(seed));
    use scrutineer_projections::ruleset::QualifierByes::{Random, Seeds, SignUp};
    assert_eq!(place(Seeds, 1), entrants);
    let mut places_of_last = BTreeSet::new();
    for seed in 0..60 {
        let order = place(SignUp, seed);
        assert!(order[..6].iter().all(|player| *player >= 5), "{order:?}");
        assert!(order[6..].iter().all(|player| *player <= 4), "{order:?}");
        let mut order = place(Random, seed);
        places_of_last.insert(order.iter().position(|player| *player == 1));
        order.sort_unstable();
        assert_eq!(order, entrants);
    }
    assert_eq!(places_of_last.len(), 10);
}

#[test]
fn a_bracket_seeded_anew_pairs_the_highest_left_with_the_lowest() {
    let round = reseeded_round(&[1, 3, 4, 8]);
    assert_eq!(round, Reseeded { byes: vec![], tables: vec![[1, 8], [3, 4]] });
    let round = reseeded_round(&[1, 2, 5, 6, 7, 9]);
    assert_eq!(round, Reseeded { byes: vec![1, 2], tables: vec![[5, 9], [6, 7]] });
    assert_eq!(reseeded_round(&[3]), Reseeded::default());
    // The first stage is the same as that of a fixed bracket, in another order of tables.
    for entrants in 2..=300 {
        let play = Play::new(Bracket::single(entrants), entrants);
        let fixed = tables(&play.draw(1).expect("stage 1 waits for nobody"));
        let anew = reseeded_round(&play.seeds);
        assert_eq!(anew.byes.len() as u32, byes(entrants));
        let anew: BTreeSet<_> = anew.tables.iter().map(|[a, b]| (*a.min(b), *a.max(b))).collect();
        assert_eq!(
            fixed.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect::<BTreeSet<_>>(),
            anew
        );
    }
}

#[test]
fn what_becomes_of_a_slot() {
    use Place::{Free, Gone, Open, Player};
    let everybody_is_here = |_: PlayerNumber| false;
    let of = |seats, recorded| fate::Fate::of(9, seats, recorded, &everybody_is_here);
    // One had a bye: whom they beat, if anybody, or who was not there.
    for (seats, loser) in [
        ([Player(1), Gone(Some(2))], Gone(Some(2))),
        ([Gone(Some(2)), Player(1)], Gone(Some(2))),
        ([Player(1), Free], Free),
        ([Free, Player(1)], Free),
        // They are gone themselves by now, and who was away then is back.
        ([Gone(Some(1)), Player(2)], Gone(Some(2))),
        ([Player(2), Gone(Some(1))], Gone(Some(2))),
        ([Player(1), Open(3)], Gone(None)),
        // A scorekeeper put them there: the bracket has others at this slot.
        ([Player(3), Free], Free),
        ([Free, Player(3)], Free),
        ([Player(3), Player(2)], Gone(None)),
        ([Gone(None), Player(2)], Gone(None)),
    ] {
        let fate = of(seats, Recorded::Bye { player: 1 });
        assert_eq!((fate.winner, fate.loser), (Player(1), loser), "{seats:?}");
        assert!(fate.drawn && fate.seats == seats);
    }
    // Nothing is recorded.
    for (seats, winner, loser) in [
        ([Free, Free], Free, Free),
        ([Gone(None), Free], Gone(None), Free),
        ([Free, Gone(Some(4))], Gone(None), Free),
        ([Gone(Some(4)), Gone(Some(5))], Gone(None), Gone(None)),
        ([Player(1), Player(2)], Open(9), Open(9)),
        ([Player(1), Gone(Some(4))], Open(9), Open(9)),
        ([Free, Player(2)], Open(9), Open(9)),
        ([Open(3), Player(2)], Open(3), Open(3)),
        ([Player(1), Open(4)], Open(4), Open(4)),
    ] {
        let fate = of(seats, Recorded::Nothing);
        assert_eq!((fate.winner, fate.loser, fate.drawn), (winner, loser, false), "{seats:?}");
    }
    // A match between others than the bracket has there: they are the ones who sat there.
    let recorded = |winner| Recorded::Match { seats: [5, 6], winner };
    let fate = of([Player(1), Player(2)], recorded(Some(6)));
    assert_eq!(fate.seats, [Player(5), Player(6)]);
    assert_eq!((fate.winner, fate.loser), (Player(6), Player(5)));
    assert_eq!(of([Player(1), Player(2)], recorded(None)).winner, Open(9));
    // Who is at a place of the bracket that is none.
    let bracket = Bracket::single(2);
    let course = Course::of(&bracket, &[7, 8], |_| Recorded::Nothing, everybody_is_here);
    assert_eq!(
        [0, 1, 2].map(|slot| course.seats(slot)),
        [None, Some([Player(7), Player(8)]), None]
    );
}

/// Whoever sat at the place of another, by hand, changes nothing in what the bracket has there.
#[test]
fn a_stage_is_drawn_as_it_was_whatever_was_recorded_for_it() {
    let bracket = Bracket::single(4);
    let seeds = [1, 2, 3, 4];
    let by_hand = |_: u32| Recorded::Match { seats: [1, 2], winner: Some(2) };
    let drawn = next_round(&bracket, &seeds, by_hand, |_| false, 1).expect("nothing is open");
    assert_eq!(tables(&drawn), [(1, 4), (2, 3)]);
}

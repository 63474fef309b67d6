//! What is told of events that are rare.

use crate::script::{Desk, WORDS, enrolled, games_sheet, line};
use scrutineer_engine::book::Commitment;
use scrutineer_engine::event::*;
use scrutineer_projections::timeline::{Words, sentence};

/// Everybody is called by their number, and every word is `why`.
struct Plain;

impl Words for Plain {
    fn player(&self, number: PlayerNumber) -> String {
        format!("#{number}")
    }

    fn text(&self, _: &Commitment) -> String {
        "why".to_owned()
    }
}

fn told(desk: &mut Desk, event: impl Into<Event>) -> String {
    let event = event.into();
    let seq = desk.record(event.clone());
    sentence(&desk.state, seq, &event, &Plain)
}

#[test]
fn rare_things_are_told_as_they_were() {
    let mut sheet = games_sheet(None);
    sheet.lines.push(line("prizes", Per::Seat, 0, 9));
    let mut desk = Desk::open(sheet);
    for player in 1..=5 {
        desk.record(enrolled(player));
    }
    let phase = |first_seed, entrants: &[u32]| PhaseStarted {
        phase: 1,
        kind: PhaseKind::Swiss,
        first_seed,
        entrants: entrants.to_vec(),
        group_sizes: Vec::new(),
        passed_over: Vec::new(),
        scoresheet: None,
    };
    let rated = |rating| PlayerRated { player: 3, rating };
    assert_eq!(told(&mut desk, rated(Some(1876))), "#3 has the rating 1876");
    assert_eq!(told(&mut desk, rated(Some(1912))), "#3 has the rating 1912 (was 1876)");
    assert_eq!(told(&mut desk, rated(None)), "#3 has no rating (was 1912)");
    assert_eq!(told(&mut desk, rated(None)), "#3 has no rating");
    let of_id = |publisher_id| PlayerIdCorrected { player: 3, publisher_id };
    assert_eq!(told(&mut desk, of_id(Some(WORDS))), "#3 has the id why");
    assert_eq!(told(&mut desk, of_id(None)), "#3 has no id");
    assert_eq!(told(&mut desk, phase(1, &[1, 2, 3])), "phase 1 begins: swiss, 3 players");
    assert_eq!(told(&mut desk, phase(4, &[4])), "1 more entrant of phase 1");
    assert_eq!(told(&mut desk, phase(5, &[5])), "1 more entrant of phase 1");
    let pairing = first_table(&mut desk);
    let kind = PenaltyKind::GameLoss;
    let mut penalty =
        || desk.record(PenaltyGiven { player: 1, kind, pairing: None, reason: WORDS });
    let (one, other) = (penalty(), penalty());
    let mut result = MatchResult::played(Score::default());
    result.rulings = [Some(Ruling::Loss), Some(Ruling::Place(1))].into_iter().collect();
    let recorded = |result: &MatchResult| ResultRecorded { pairing, result: result.clone() };
    let say = |result: &MatchResult| told(&mut desk.clone(), recorded(result));
    assert_eq!(say(&result), "R1 T1 #1 against #2, ruled loss/place 1");
    result.penalties_served = vec![one];
    assert_eq!(
        say(&result),
        format!("R1 T1 #1 against #2, ruled loss/place 1, penalty of event {one} served")
    );
    result.penalties_served.push(other);
    assert!(say(&result).ends_with(&format!(", penalties of events {one}, {other} served")));
}

/// Who won stands first, with what was ruled for them.
#[test]
fn what_was_ruled_stands_in_the_order_of_the_names() {
    let (desk, pairing) = two_at_a_table(None);
    let say = |games: [i32; 2], rulings: [Ruling; 2]| {
        let seats = games.into_iter().map(|own| [own].into_iter().collect()).collect();
        let score = Score { seats, table: [0].into_iter().collect() };
        let rulings = rulings.into_iter().map(Some).collect();
        let result = MatchResult { rulings, how: How::Forfeit, ..MatchResult::played(score) };
        told(&mut desk.clone(), ResultRecorded { pairing, result })
    };
    let (win, loss) = (Ruling::Win, Ruling::Loss);
    assert_eq!(say([0, 1], [loss, win]), "R1 T1 #2 1-0 #1 (forfeit), ruled win/loss");
    assert_eq!(say([1, 0], [win, loss]), "R1 T1 #1 1-0 #2 (forfeit), ruled win/loss");
    assert_eq!(say([0, 1], [win, loss]), "R1 T1 #2 1-0 #1 (forfeit), ruled loss/win");
}

/// A desk with players 1 and 2, and round 1 with their table.
fn two_at_a_table(best_of: Option<u8>) -> (Desk, Seq) {
    let mut desk = Desk::open(games_sheet(best_of));
    desk.record(enrolled(1));
    desk.record(enrolled(2));
    desk.record(PhaseStarted {
        phase: 1,
        kind: PhaseKind::Swiss,
        first_seed: 1,
        entrants: vec![1, 2],
        group_sizes: Vec::new(),
        passed_over: Vec::new(),
        scoresheet: None,
    });
    let pairing = first_table(&mut desk);
    (desk, pairing)
}

/// Opens round 1 with a table of players 1 and 2.
fn first_table(desk: &mut Desk) -> Seq {
    let weight = RoundWeight::ONE;
    desk.record(RoundOpened { round: 1, phase: 1, phase_round: 1, weight, drawn: None });
    let origin = Origin::AS_GIVEN;
    let seats = [1, 2].map(|player| Seat { player, role: 0 }).into_iter().collect();
    let (group, bracket_slot) = (None, None);
    let table = PairingMade { round: 1, table: Some(1), seats, group, bracket_slot, origin };
    desk.record(table)
}

#[test]
fn the_result_of_a_postponed_match_is_told_as_played_and_not_as_put_right() {
    let (mut desk, pairing) = two_at_a_table(Some(3));
    let mut postponed = MatchResult::played(Score::default());
    postponed.rulings = [Some(Ruling::NoResult); 2].into_iter().collect();
    postponed.grade = Some(POSTPONED.into());
    let mut won = MatchResult::played(Score::default());
    won.rulings = [Some(Ruling::Win), Some(Ruling::Loss)].into_iter().collect();
    let first = desk.record(ResultRecorded { pairing, result: postponed });
    let mut correct = |replaces| {
        let (result, reason, dispute) = (won.clone(), WORDS, None);
        told(&mut desk, ResultCorrected { pairing, replaces, result, reason, dispute })
    };
    assert_eq!(
        correct(first),
        format!("R1 T1 #1 against #2, ruled win/loss, played (postponed by event {first}): why")
    );
    let said = correct(first + 1);
    assert!(said.contains(&format!(", corrected (event {} was wrong): why", first + 1)), "{said}");
}

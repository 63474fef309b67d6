//! Tournaments of platforms that still run: what is played ahead waits for its round, so that the next version of a
//! file only adds to this one.

use super::*;

/// A match of Challonge: who won, or that it is to be played.
fn game(id: u32, round: i32, [one, other]: [u32; 2], won: Option<usize>) -> String {
    let how = match won {
        Some(seat) => {
            let (winner, loser) = if seat == 0 { (one, other) } else { (other, one) };
            let scores = if seat == 0 { "2-1" } else { "0-2" };
            format!(
                r#""state":"complete","winner_id":{winner},"loser_id":{loser},"scores_csv":"{scores}""#
            )
        }
        None => r#""state":"open","winner_id":null,"loser_id":null,"scores_csv":"""#.to_owned(),
    };
    format!(
        r#"{{"match":{{"id":{id},"round":{round},"player1_id":{one},"player2_id":{other},{how}}}}}"#
    )
}

fn cup(kind: &str, state: &str, games: &[String]) -> Source {
    let players: Vec<String> = (1..=8)
        .map(|id| format!(r#"{{"participant":{{"id":{id},"name":"P{id}","seed":{id}}}}}"#))
        .collect();
    source(&format!(
        r#"{{"tournament":{{"id":7,"name":"Cup","tournament_type":"{kind}","state":"{state}","participants":[{}],"matches":[{}]}}}}"#,
        players.join(","),
        games.join(",")
    ))
}

/// The first round, with its last match still to be played.
fn first_round(last: Option<usize>) -> Vec<String> {
    vec![
        game(1, 1, [1, 8], Some(0)),
        game(2, 1, [4, 5], Some(0)),
        game(3, 1, [2, 7], Some(0)),
        game(4, 1, [3, 6], last),
    ]
}

fn rounds(source: &Source) -> Vec<usize> {
    source.rounds().map(|(_, round)| round.tables.len()).collect()
}

/// The open match stood in the last round, and was of another one once it was played: no version was taken any more.
#[test]
fn an_open_match_of_a_bracket_stays_in_its_round_and_what_was_played_ahead_waits() {
    let mut games = first_round(None);
    games.push(game(5, 2, [1, 4], Some(0)));
    let running = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&running), [4]);
    assert!(!running.finished);
    let ahead = "Matches that were played ahead of a round that is not over: 1.";
    assert!(
        running.oddities.iter().any(|odd| odd.sentence.starts_with(ahead)),
        "{:?}",
        running.oddities
    );
    let mut games = first_round(Some(1));
    games.extend([game(5, 2, [1, 4], Some(0)), game(6, 2, [2, 6], None)]);
    let later = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&later), [4, 2]);
    let pairs = |source: &Source| -> Vec<Vec<usize>> {
        let seats = |table: &SourceTable| table.seats.iter().map(|seat| seat.player).collect();
        source.phases[0].rounds[0].tables.iter().map(seats).collect()
    };
    assert_eq!(pairs(&later), pairs(&running), "the first round is the same");
    legal_events(&later).expect("legal where they stand");
}

#[test]
fn a_bracket_that_is_over_keeps_what_was_never_played_and_all_that_was() {
    let mut games = first_round(None);
    games.extend([game(5, 2, [1, 4], Some(0)), game(7, 3, [1, 2], Some(0))]);
    let over = cup("single elimination", "complete", &games);
    assert_eq!(rounds(&over).iter().sum::<usize>(), 6);
    // So it is where everybody but one is out, whatever the platform says.
    let mut games = first_round(Some(0));
    games.extend([
        game(5, 2, [1, 4], Some(0)),
        game(6, 2, [2, 3], Some(0)),
        game(7, 3, [1, 2], Some(0)),
        game(8, 0, [4, 3], None),
    ]);
    let third_open = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&third_open).iter().sum::<usize>(), 8);
}

#[test]
fn rounds_of_a_round_robin_that_are_to_come_are_not_void() {
    let games = |played: Option<usize>| {
        vec![
            game(1, 1, [1, 2], played),
            game(2, 1, [3, 4], played),
            game(3, 2, [1, 3], None),
            game(4, 2, [2, 4], None),
            game(5, 3, [1, 4], None),
            game(6, 3, [2, 3], None),
        ]
    };
    for played in [None, Some(0)] {
        let found = cup("round robin", "underway", &games(played));
        let is_void = |table: &SourceTable| table.result.rulings.contains(&Some(Ruling::NoResult));
        assert!(!found.rounds().any(|(_, round)| round.tables.iter().any(is_void)), "{played:?}");
        assert!(!found.finished && rounds(&found) == [2, 2, 2]);
    }
}

/// The scoresheet is that of the first version for good: 3-2 in the final was refused after matches of best of three.
#[test]
fn a_sheet_of_a_tournament_that_runs_takes_the_scores_that_are_to_come() {
    let running = cup("single elimination", "underway", &first_round(None));
    assert_eq!(running.scoresheet.lines[0].max, 99);
    let over = cup("single elimination", "complete", &[game(1, 1, [1, 2], Some(0))]);
    assert_eq!(over.scoresheet.lines[0].max, 2);
}

/// One match was never reported, and its player played on: all rounds behind it were held back for ever.
#[test]
fn who_plays_on_does_not_wait_for_a_match_that_was_never_reported() {
    let mut games = first_round(None);
    games.extend([
        game(5, 2, [1, 4], Some(0)),
        game(6, 2, [2, 3], Some(1)),
        game(7, 3, [1, 3], Some(1)),
    ]);
    let found = cup("single elimination", "underway", &games);
    assert_eq!(rounds(&found), [4, 2, 1]);
    let open = &found.phases[0].rounds[0].tables[3].result;
    assert_eq!(open.rulings[..], [Some(Ruling::NoResult); 2]);
    legal_events(&found).expect("legal where they stand");
}

//! Which rounds, byes and results there are where an answer shows only some of them, or one of them twice.

use super::platforms::{refused, shape};
use super::*;

/// The rounds behind it were counted one too low, and nothing told it.
#[test]
fn a_round_that_is_missing_between_others_is_refused() {
    let cases = [
        (SPLINTERLANDS, "\"round\":2", "\"round\":3", "battles: round 2: the tournament with the"),
        (KTS, "<Round>2<", "<Round>3<", "round 2 is missing"),
        (KTS, "<Round>1<", "<Round>3<", "round 1 is missing"),
        (XWING, "\"round-number\":3", "\"round-number\":4", "rounds: round 3 is missing"),
        (LIMITLESS, "\"round\":2,", "\"round\":4,", "pairings: round 2 is missing"),
        (CHALLONGE_2, "\"round\":2,", "\"round\":3,", "matches: round 2 is missing"),
        (TOPDECK, "\"RoundName\": \"2\"", "\"RoundName\": \"3\"", "Rounds: round 2 is missing"),
        (MANATRADERS_API, "\"Round 2\"", "\"Round 3\"", "Rounds: round 2 is missing"),
        (BCP, "\"round\": 2,", "\"round\": 3,", "round 2: the pairings of every round"),
        (MELEE_API, "\"RoundNumber\": 2", "\"RoundNumber\": 3", "round 2: the matches of every"),
    ];
    for (text, from, to, expected) in cases {
        let without = text.replace(from, to);
        assert_ne!(without, text, "{from}");
        let told = refused(&without);
        assert!(told.contains(expected), "{told}");
    }
}

/// Files of Pro Tours, which have no drafts on purpose, were refused.
#[test]
fn rounds_that_the_deck_cache_leaves_out_of_an_event_of_melee_are_told() {
    let between = read_legal(&MELEE.replace("\"Round 2\"", "\"Round 3\""));
    assert_eq!(sheet_of(&between), sheet_of(&source(MELEE)));
    let told = |source: &Source, missing: &str| {
        let sentence = format!("as files of Melee leave out drafts: {missing}. ");
        source.oddities.iter().any(|odd| odd.sentence.contains(&sentence))
    };
    assert!(told(&between, "2"), "{:?}", between.oddities);
    assert!(!between.unknown.contains(&UnknownFact::EarlierRounds));

    let game = |[won, lost]: [&str; 2]| {
        format!(r#"{{"Player1":"{won}","Player2":"{lost}","Result":"2-0-0"}}"#)
    };
    let round = |number: u8, [first, second]: [[&str; 2]; 2]| {
        let games = [game(first), game(second)].join(",");
        format!(r#"{{"RoundName":"Round {number}","Matches":[{games}]}}"#)
    };
    let rounds = [
        round(4, [["a", "b"], ["c", "d"]]),
        round(5, [["b", "c"], ["d", "a"]]),
        round(12, [["a", "c"], ["b", "d"]]),
    ];
    let later = read_legal(&format!(
        r#"{{"Tournament":{{"Date":"2023-02-17","Name":"Pro Tour","Uri":"https://melee.gg/Tournament/View/1"}},"Rounds":[{}],"Standings":[]}}"#,
        rounds.join(",")
    ));
    let names: Vec<&str> = later.rounds().map(|(_, round)| round.name.as_str()).collect();
    assert_eq!(names, ["Round 4", "Round 5", "Round 12"]);
    assert!(told(&later, "1 to 3, 6 to 11"), "{:?}", later.oddities);
    assert!(later.unknown.contains(&UnknownFact::EarlierRounds), "{:?}", later.unknown);
}

/// Such a round was opened without a match and completed.
#[test]
fn a_round_of_carde_that_was_played_has_matches_and_one_that_was_not_is_none() {
    let moved =
        CARDE.replace("\"round_number\":2,\"table_number\"", "\"round_number\":3,\"table_number\"");
    assert_ne!(moved, CARDE);
    let told = refused(&moved);
    assert!(told.contains("matches: round 2: the event with the matches"), "{told}");
    let own = "\"round_number\":2,\"status\":";
    let skipped = moved.replace(&format!("{own}\"COMPLETE\""), &format!("{own}\"NOT_STARTED\""));
    let source = source(&skipped);
    assert_eq!(sheet_of(&source), sheet_of(&super::source(CARDE)));
    let names: Vec<&str> = source.rounds().map(|(_, round)| round.name.as_str()).collect();
    assert_eq!(names, ["Round 1", "Round 3"]);
    legal_events(&source).expect("legal where they stand");
}

/// The final was read as played before the semi-finals.
#[test]
fn a_cut_of_list_fortress_ends_with_fewest_matches_however_its_rounds_are_numbered() {
    let players = ["A", "B", "C", "D", "E", "F"].iter().zip(1..);
    let players: Vec<String> =
        players.map(|(name, id)| format!(r#"{{"id":{id},"name":"{name}"}}"#)).collect();
    let game = |[first, second]: [u8; 2]| {
        format!(
            r#"{{"player1_id":{first},"player2_id":{second},"player1_points":100,"player2_points":20,"result":"win","winner_id":{first}}}"#
        )
    };
    let round = |kind: u8, number: u8, games: &[[u8; 2]]| {
        let games: Vec<String> = games.iter().copied().map(game).collect();
        format!(
            r#"{{"roundtype_id":{kind},"round_number":{number},"matches":[{}]}}"#,
            games.join(",")
        )
    };
    let read = |rounds: &[String]| {
        source(&format!(
            r#"{{"name":"Cup","participants":[{}],"rounds":[{}]}}"#,
            players.join(","),
            rounds.join(",")
        ))
    };
    for [semifinals, last] in [[2, 3], [1, 2], [4, 2]] {
        let rounds = [
            round(2, last, &[[1, 2]]),
            round(1, 1, &[[1, 3], [2, 4]]),
            round(2, semifinals, &[[1, 4], [2, 3]]),
        ];
        let source = read(&rounds);
        let expected = [
            "1: A-C 100,20 ()",
            "1: B-D 100,20 ()",
            "2: A-D 100,20 ()",
            "2: B-C 100,20 ()",
            "3: A-B 100,20 ()",
        ];
        assert_eq!(sheet_of(&source), expected, "{semifinals}, {last}");
        assert_eq!(shape(&source), [(PhaseKind::Swiss, 1), (PhaseKind::Elimination, 2)]);
        legal_events(&source).expect("legal where they stand");
    }
    // Of a cut of six the first two rounds have two matches each; numbers may count who is in it, or run on.
    for [first, second, third] in [[6, 4, 2], [2, 3, 4]] {
        let source = read(&[
            round(1, 1, &[[1, 4], [2, 5], [3, 6]]),
            round(2, second, &[[1, 4], [2, 3]]),
            round(2, third, &[[1, 2]]),
            round(2, first, &[[3, 6], [4, 5]]),
        ]);
        let expected = [
            "2: C-F 100,20 ()",
            "2: D-E 100,20 ()",
            "3: A-D 100,20 ()",
            "3: B-C 100,20 ()",
            "4: A-B 100,20 ()",
        ];
        assert_eq!(sheet_of(&source)[3..], expected, "{first}, {second}, {third}");
    }
}

/// A tournament of Splinterlands: who won and who lost in each matchup, and what else stands in it.
fn splinterlands(more: &str, players: &[&str], battles: &[&[[&str; 2]]]) -> String {
    let players: Vec<String> =
        players.iter().map(|player| format!(r#"{{"player":"{player}","finish":null}}"#)).collect();
    let matchup = |round: usize, [won, lost]: [&str; 2]| {
        format!(
            r#"{{"id":"{round}{won}","tournament_id":"t","round":{round},"player_1":"{won}","player_2":"{lost}","player_1_wins":2,"player_2_wins":0,"best_of":3,"winner":"{won}","battles":[]}}"#
        )
    };
    let rounds = (1..).zip(battles).map(|(round, battles)| {
        let battles: Vec<String> = battles.iter().map(|two| matchup(round, *two)).collect();
        format!("[{}]", battles.join(","))
    });
    let rounds: Vec<String> = rounds.collect();
    format!(
        r#"{{"tournament":{{"id":"t","name":"Cup","current_round":{},"total_rounds":3,{more},"players":[{}]}},"battles":[{}]}}"#,
        battles.len().max(1),
        players.join(","),
        rounds.join(",")
    )
}

/// Who had them was one win short.
#[test]
fn swiss_rounds_of_splinterlands_have_the_byes_that_nobody_lists() {
    let swiss = r#""status":2,"format":"swiss""#;
    let three = read_legal(&splinterlands(
        swiss,
        &["a", "b", "c"],
        &[&[["a", "b"]], &[["a", "c"]], &[["b", "c"]]],
    ));
    let expected = [
        "1: a-b 2,0 (0)",
        "1: c bye ",
        "2: a-c 2,0 (0)",
        "2: b bye ",
        "3: b-c 2,0 (0)",
        "3: a bye ",
    ];
    assert_eq!(sheet_of(&three), expected);
    // Who left has none, though they are the only one in no matchup.
    let left = read_legal(&splinterlands(
        swiss,
        &["a", "b", "c", "d", "e"],
        &[&[["a", "b"], ["c", "d"]], &[["a", "c"], ["d", "e"]], &[["a", "d"], ["c", "e"]]],
    ));
    let byes: Vec<String> =
        sheet_of(&left).into_iter().filter(|line| line.contains("bye")).collect();
    assert_eq!(byes, ["1: e bye "]);
}

/// They were known in the first round alone.
#[test]
fn who_plays_on_in_an_elimination_of_splinterlands_was_in_every_round_before() {
    let elimination = r#""status":2,"format":"single_elimination""#;
    let five = read_legal(&splinterlands(
        elimination,
        &["a", "b", "c", "d", "e"],
        &[&[["a", "b"], ["c", "d"]], &[["a", "c"]], &[["e", "a"]]],
    ));
    let expected = [
        "1: a-b 2,0 (0)",
        "1: c-d 2,0 (0)",
        "1: e bye ",
        "2: a-c 2,0 (0)",
        "2: e bye ",
        "3: e-a 2,0 (0)",
    ];
    assert_eq!(sheet_of(&five), expected);
    let six = read_legal(&splinterlands(
        elimination,
        &["a", "b", "c", "d", "e", "f"],
        &[&[["a", "b"], ["c", "d"], ["e", "f"]], &[["a", "c"]], &[["e", "a"]]],
    ));
    let byes: Vec<String> =
        sheet_of(&six).into_iter().filter(|line| line.contains("bye")).collect();
    assert_eq!(byes, ["2: e bye "]);
}

/// They were opened and completed without a match, and the file with the next round was refused.
#[test]
fn rounds_that_a_tournament_of_splinterlands_only_announces_are_none() {
    let announced = r#""status":1,"format":"swiss","rounds":[{"round":1,"status":2},{"round":2,"status":0},{"round":3,"status":0}]"#;
    let players = ["a", "b", "c", "d"];
    let [first, second] = [[["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]]];
    let one = read_legal(&splinterlands(announced, &players, &[&first]));
    assert_eq!((one.rounds().count(), one.finished, one.planned_rounds), (1, false, Some(3)));
    let two = read_legal(&splinterlands(announced, &players, &[&first, &second]));
    let rounds = |source: &Source| sheet_of(source)[..2].to_vec();
    assert_eq!((two.rounds().count(), rounds(&two)), (2, rounds(&one)));
    let told = refused(&splinterlands(announced, &players, &[]));
    assert!(told.contains("\"battles\": [[..], [..]]"), "{told}");
}

/// It was dropped without a word.
#[test]
fn a_matchup_of_splinterlands_without_anybody_is_told() {
    let text = splinterlands(
        r#""status":1,"format":"swiss""#,
        &["a", "b"],
        &[&[["a", "b"]], &[["a", "b"]]],
    );
    let nobody = text.replacen(
        r#""round":2,"player_1":"a","player_2":"b""#,
        r#""round":2,"player_1":null,"player_2":null"#,
        1,
    );
    assert_ne!(nobody, text);
    let source = read_legal(&nobody);
    assert_eq!(sheet_of(&source), ["1: a-b 2,0 (0)"]);
    let odd = source.oddities.iter().find(|odd| odd.sentence.contains("without players"));
    assert_eq!(odd.map(|odd| odd.place.as_str()), Some("battles[1][0]"));
}

/// The first one was kept, and the result lost.
#[test]
fn a_pairing_that_stands_on_two_pages_of_bcp_is_the_one_that_was_played() {
    let page = |games: [&str; 2]| {
        let [first, second] = games;
        format!(
            r#"{{"data":[{{"id":"g1","eventId":"ev","round":1,"table":1,"player1":{{"id":"a","firstName":"Ann"}},"player1Game":{first},"player2":{{"id":"b","firstName":"Ben"}},"player2Game":{second}}}],"nextKey":null}}"#
        )
    };
    let open = page([r#"{"points":null,"result":null}"#; 2]);
    let played = page([r#"{"points":80,"result":2}"#, r#"{"points":20,"result":0}"#]);
    for pages in [[&open, &played], [&played, &open]] {
        let [first, second] = pages;
        let source = read_legal(&format!(
            r#"{{"event":{{"id":"ev","name":"Cup","eventDate":"2026-05-01","numberOfRounds":1}},"pairings":[{first},{second}]}}"#
        ));
        assert_eq!(sheet_of(&source), ["1: Ann-Ben 80,20 ()"]);
        assert!(source.finished && source.oddities.is_empty(), "{:?}", source.oddities);
    }
    let other = page([r#"{"points":20,"result":0}"#, r#"{"points":80,"result":2}"#]);
    let source = read_legal(&format!(r#"{{"pairings":[{played},{other}]}}"#));
    assert_eq!(sheet_of(&source), ["1: Ann-Ben 80,20 ()"]);
    let told = &source.oddities[0].sentence;
    assert_eq!(told, "It stands on two pages with two results: the first one is taken.");
}

/// A match of Melee with the games that each won; without them it is still to be played.
fn melee(id: u8, players: [u8; 2], games: Option<[u8; 2]>) -> String {
    let side = |seat: usize| {
        let player = players[seat];
        let games = games.map_or("null".to_owned(), |games| games[seat].to_string());
        format!(
            r#"{{"GameWins":{games},"Team":{{"ID":{player},"Players":[{{"ID":{player},"DisplayName":"P{player}","Username":"p{player}"}}]}}}}"#
        )
    };
    format!(
        r#"{{"ID":{id},"TournamentId":9,"RoundNumber":1,"TableNumber":{id},"HasResult":{},"GameDraws":0,"Competitors":[{},{}]}}"#,
        games.is_some(),
        side(0),
        side(1)
    )
}

fn melee_round(matches: &[String]) -> String {
    format!(r#"{{"tournament":{{"Name":"Cup"}},"matches":[{}]}}"#, matches.join(","))
}

#[test]
fn a_match_that_stands_on_two_pages_of_melee_is_the_one_that_was_played() {
    let (open, played) = (melee(1, [1, 2], None), melee(1, [1, 2], Some([2, 0])));
    let other = read_legal(&melee_round(&[played.clone(), melee(1, [1, 2], Some([1, 2]))]));
    assert_eq!(sheet_of(&other), ["1: P1-P2 2,0 (0)"]);
    let told = &other.oddities[0].sentence;
    assert_eq!(told, "It stands on two pages with two results: the first one is taken.");
    for matches in [[open.clone(), played.clone()], [played, open]] {
        let source = read_legal(&melee_round(&matches));
        assert_eq!(
            (sheet_of(&source), source.finished),
            (vec!["1: P1-P2 2,0 (0)".to_owned()], true)
        );
    }
}

/// It was refused, as a player who stands twice in a round.
#[test]
fn a_drawn_match_of_melee_may_be_listed_from_either_side() {
    let drawn = [melee(1, [1, 2], Some([1, 1])), melee(2, [2, 1], Some([1, 1]))];
    let drawn = read_legal(&melee_round(&drawn));
    assert_eq!((sheet_of(&drawn), drawn.oddities.len()), (vec!["1: P1-P2 1,1 (0)".to_owned()], 0));
    // Of two results, one of which says nothing, the other one is taken.
    let one = [melee(1, [1, 2], None), melee(2, [2, 1], Some([0, 2]))];
    let one = read_legal(&melee_round(&one));
    assert_eq!(sheet_of(&one), ["1: P1-P2 2,0 (0)"]);
    assert_eq!(one.oddities[0].sentence, "The match at matches[0] stands here again.");
    let two = [melee(1, [1, 2], Some([2, 0])), melee(2, [2, 1], Some([2, 1]))];
    let told = refused(&melee_round(&two));
    assert!(told.contains("P1 against P2 in Round 1: 2-0-0 and 1-2-0"), "{told}");
}

//! Answers of Carde.io, Challonge, Best Coast Pairings and TopDeck in the other shapes that they come in, and what is
//! said where something is missing in them.

use super::platforms::{refused, shape};
use super::*;

fn day(month: u8, day: u8) -> Option<Day> {
    Some(Day { year: 2026, month, day })
}

/// An event of Carde.io with one Swiss phase.
fn of_carde(rounds: &str) -> String {
    format!(
        r#"{{"id":7,"name":"Club","start_datetime":"2026-03-01T10:00:00Z","tournament_phases":[{{"id":1,"round_type":"SWISS","rounds":[{rounds}]}}]}}"#
    )
}

/// A match of Carde.io that player 2 won, with what says of it who plays and how many games they won.
fn match_of_carde(seats: &str) -> String {
    format!(
        r#"{{"id":5,"round_number":1,"table_number":1,"status":"COMPLETE","winning_player":2,"games_drawn":0,{seats}}}"#
    )
}

const ROUND: &str = r#"{"id":11,"round_number":1,"status":"COMPLETE"}"#;

const GAMES: &str = r#""games_won_by_winner":2,"games_won_by_loser":1"#;

const RELATIONS: &str = r#""player_match_relationships":[{"player_order":1,"player":{"id":1,"best_identifier":"Ann A"}},{"player_order":2,"player":{"id":2,"best_identifier":"Ben B"}}]"#;

/// Such a tournament was never over.
#[test]
fn a_round_of_carde_is_over_however_its_status_is_spelled() {
    let game = match_of_carde(&format!("{GAMES},{RELATIONS}"));
    for (status, is_over) in [("complete", true), ("COMPLETED", true), ("in_progress", false)] {
        let event = of_carde(&ROUND.replace("COMPLETE", status));
        let source = read_legal(&format!(r#"{{"event":{event},"matches":[{game}]}}"#));
        assert_eq!(source.finished, is_over, "{status}");
    }
    let to_come = format!("{ROUND},{}", ROUND.replace("11", "12").replace(":1,", ":2,"));
    let to_come = of_carde(&to_come.replacen("\"COMPLETE\"},", "\"complete\"},", 1));
    let to_come = to_come.replace("COMPLETE", "not_started");
    let source = read_legal(&format!(r#"{{"event":{to_come},"matches":[{game}]}}"#));
    assert_eq!((source.rounds().count(), source.finished), (1, false));
}

#[test]
fn seats_of_carde_are_read_with_the_registration_alone_and_as_older_answers_have_them() {
    let user = |id: u8, name: &str| {
        format!(
            r#"{{"id":9{id},"games_won":{id},"user_event_status":{{"id":8{id},"best_identifier":"h{id}","user":{{"id":{id},"best_identifier":"{name}"}}}}}}"#
        )
    };
    let users = [user(1, "Ann A"), user(2, "Ben B")].join(",");
    let old = r#""players":[{"player":{"id":1,"best_identifier":"Ann A"},"games_won":1},{"player":{"id":2,"best_identifier":"Ben B"},"games_won":2,"is_winner":true}]"#;
    let shapes = [
        format!("{GAMES},{RELATIONS}"),
        format!(r#"{GAMES},"player_match_relationships":[{users}]"#),
        format!(r#""player_match_relationships":[{users}]"#),
        old.to_owned(),
    ];
    let event = of_carde(ROUND);
    for seats in shapes {
        let game = match_of_carde(&seats);
        let source = read_legal(&format!(r#"{{"event":{event},"matches":[{game}]}}"#));
        assert_eq!(sheet_of(&source), ["1: Ann A-Ben B 1,2 (0)"], "{seats}");
    }
    let nobody = match_of_carde(r#""player_match_relationships":[{"id":1},{"id":2}]"#);
    let told = refused(&format!(r#"{{"event":{event},"matches":[{nobody}]}}"#));
    assert!(told.contains("player_match_relationships[0]: player is missing"), "{told}");
}

#[test]
fn matches_in_the_rounds_of_carde_are_read_where_none_of_the_round_stand_beside_them() {
    let game = match_of_carde(&format!("{GAMES},{RELATIONS}"));
    let round = ROUND.replace('}', &format!(r#","matches":[{game}]}}"#));
    let event = of_carde(&round);
    assert_eq!(sheet_of(&read_legal(&event)), ["1: Ann A-Ben B 1,2 (0)"]);
    let mended = game.replace("\"games_won_by_loser\":1", "\"games_won_by_loser\":0");
    let both = read_legal(&format!(r#"{{"event":{event},"matches":[{mended}]}}"#));
    assert_eq!(sheet_of(&both), ["1: Ann A-Ben B 0,2 (0)"], "once, as it was asked for apart");
}

/// It was told that the file has no day.
#[test]
fn challonges_newest_version_has_the_day_among_its_times_and_as_that_of_the_start() {
    let times = r#""timestamps":{"created_at":"2026-04-01T10:00:00.000Z","started_at":"2026-05-02T18:05:00.000Z"}"#;
    let timed = CHALLONGE_2.replace(r#""timestamps":{}"#, times);
    assert_ne!(timed, CHALLONGE_2);
    assert_eq!(source(&timed).held_on, day(5, 2));
    let announced = r#""starts_at":"2026-05-03T18:00:00.000Z","timestamps":{}"#;
    let announced = CHALLONGE_2.replace(r#""timestamps":{}"#, announced);
    assert_eq!(source(&announced).held_on, day(5, 3));
    assert_eq!(source(&announced).identity, source(CHALLONGE_2).identity);
}

/// A match as Challonge's pages show it. A player's id is their seed behind `ids`, as a group has its own.
fn shown(id: u8, round: u8, [one, other]: [u8; 2], [first, second]: [u8; 2], ids: u8) -> String {
    let player = |seed: u8| {
        format!(
            r#"{{"id":{ids}{seed},"seed":{seed},"display_name":"P{seed}","participant_id":null}}"#
        )
    };
    let (players, winner) =
        ([player(one), player(other)], if first > second { one } else { other });
    let [here, there] = players;
    format!(
        r#"{{"id":{id},"round":{round},"state":"complete","player1":{here},"player2":{there},"winner_id":{ids}{winner},"scores":[{first},{second}],"games":[[{first},{second}]],"forfeited":null}}"#
    )
}

/// The bracket of a page, with what stands beside its matches.
fn page(matches: &str, beside: &str) -> String {
    format!(
        r#"{{"requested_plotter":"SingleEliminationPlotter","tournament":{{"id":70,"name":"Night","tournament_type":"single elimination","state":"complete","started_at":"2026-01-09T15:35:07.962Z"}},"matches_by_round":{{{matches}}},"consolation_matches":[],{beside}}}"#
    )
}

/// It was recognized, and refused as one of three parts.
#[test]
fn the_bracket_of_challonges_pages_has_its_participants_in_the_matches() {
    let semifinals = [shown(1, 1, [1, 4], [2, 1], 1), shown(2, 1, [2, 3], [2, 0], 1)].join(",");
    let matches = format!(r#""2":[{}],"1":[{semifinals}]"#, shown(3, 2, [1, 2], [3, 1], 1));
    let third = shown(4, 2, [4, 3], [0, 2], 1);
    let text = page(&matches, &format!(r#""third_place_match":{third},"groups":[]"#));
    let found = read_legal(&text);
    let mut lines = sheet_of(&found);
    lines.sort();
    let expected = ["1: P1-P4 2,1 (0)", "1: P2-P3 2,0 (0)", "2: P1-P2 3,1 (0)", "2: P4-P3 0,2 (0)"];
    assert_eq!(lines, expected);
    assert_eq!(shape(&found), [(PhaseKind::Elimination, 2)]);
    let names: Vec<&str> = found.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!((names, found.phases[0].seeded), (vec!["P1", "P2", "P3", "P4"], true));
    assert_eq!((found.identity.as_str(), found.held_on), ("challonge 70", day(1, 9)));
    assert!(found.finished);
    let beside = found.oddities.iter().filter(|odd| odd.sentence.contains("beside the bracket"));
    assert_eq!(beside.count(), 1, "the match for the third place");
    let unnamed = text.replace(r#""name":"Night","#, "");
    let unnamed = read("night.json", unnamed.as_bytes()).expect("the page has the title");
    assert_eq!((unnamed.title.as_str(), unnamed.identity), ("night", found.identity));
}

#[test]
fn groups_of_challonge_are_played_as_the_file_says() {
    let of_groups = |kind: &str| {
        let group = |game: String| {
            format!(r#"{{"requested_plotter":"{kind}","matches_by_round":{{"1":[{game}]}}}}"#)
        };
        let groups =
            [shown(1, 1, [1, 3], [2, 0], 8), shown(2, 1, [2, 4], [2, 0], 9)].map(group).join(",");
        let last = format!(r#""1":[{}]"#, shown(3, 1, [1, 2], [2, 1], 1));
        page(&last, &format!(r#""third_place_match":null,"groups":[{groups}]"#))
    };
    let kinds = [
        ("RoundRobinPlotter", PhaseKind::RoundRobin),
        ("SingleEliminationPlotter", PhaseKind::Elimination),
        ("AnotherPlotter", PhaseKind::RoundRobin),
    ];
    for (plotter, kind) in kinds {
        let found = read_legal(&of_groups(plotter));
        assert_eq!(shape(&found), [(kind, 1), (PhaseKind::Elimination, 1)], "{plotter}");
        assert_eq!(found.players.len(), 4, "the ids of a group are its own");
        assert!(!found.phases[0].seeded, "and so are its seeds");
        let expected = ["1: P1-P3 2,0 (0)", "1: P2-P4 2,0 (0)", "2: P1-P2 2,1 (0)"];
        assert_eq!(sheet_of(&found), expected);
    }
    let said = r#""group_stage_options":{"stage_type":"single elimination"},"state":"complete""#;
    let text = of_groups("RoundRobinPlotter").replacen(r#""state":"complete""#, said, 1);
    assert_eq!(shape(&read_legal(&text))[0], (PhaseKind::Elimination, 1));
}

/// A pairing of Best Coast Pairings.
fn pairing(id: &str, round: u8, says: &str, players: [&str; 2], points: [[u8; 2]; 2]) -> String {
    let [[first, won], [second, lost]] = points;
    let [one, other] = players;
    format!(
        r#"{{"id":"{id}","eventId":"ev","round":{round},{says},"player1":{one},"player1Game":{{"points":{first},"result":{won}}},"player2":{other},"player2Game":{{"points":{second},"result":{lost}}}}}"#
    )
}

fn of_bcp(pairings: &[String]) -> Source {
    read_legal(&format!(
        r#"{{"event":{{"id":"ev","name":"Cup","eventDate":"2026-05-01"}},"pairings":[{}]}}"#,
        pairings.join(",")
    ))
}

const ANN: &str = r#"{"id":"a","user":{"id":"ua","firstName":"Ann"}}"#;

const BEN: &str = r#"{"id":"b","user":{"id":"ub","firstName":"Ben"}}"#;

/// A player called "BYE" took part.
#[test]
fn who_meets_the_bye_of_best_coast_pairings_meets_nobody() {
    let nobody = r#"{"id":"bye","name":"BYE"}"#;
    let bye = pairing("p1", 1, r#""isBye":true"#, [nobody, ANN], [[0, 0], [100, 2]]);
    let cem = r#"{"id":"c","user":{"id":"uc","firstName":"Cem"}}"#;
    let game = pairing("p2", 1, r#""isBye":false"#, [BEN, cem], [[60, 2], [40, 0]]);
    let found = of_bcp(&[bye, game]);
    assert_eq!(sheet_of(&found), ["1: Ben-Cem 60,40 ()", "1: Ann bye "]);
    assert_eq!(found.players.len(), 3);
    let called = r#"{"id":"b","user":{"id":"ub","firstName":"Bye"}}"#;
    let game = pairing("p1", 1, r#""isBye":false"#, [called, ANN], [[0, 0], [100, 2]]);
    assert_eq!(sheet_of(&of_bcp(&[game])), ["1: Bye-Ann 0,100 ()"]);
}

/// Points of a match that was on counted as its result.
#[test]
fn a_pairing_that_is_not_done_is_still_played_unless_later_rounds_are_there() {
    let running = pairing("p1", 1, r#""isDone":false"#, [ANN, BEN], [[20, 2], [10, 0]]);
    let found = of_bcp(std::slice::from_ref(&running));
    assert_eq!((sheet_of(&found), found.finished), (vec!["1: Ann-Ben  ()".to_owned()], false));
    let done = running.replace("false", "true");
    assert_eq!(sheet_of(&of_bcp(&[running.clone(), done])), ["1: Ann-Ben 20,10 ()"]);
    let next = pairing("p2", 2, r#""isDone":true"#, [ANN, BEN], [[5, 0], [50, 2]]);
    let found = of_bcp(&[running, next]);
    assert_eq!(sheet_of(&found), ["1: Ann-Ben 20,10 ()", "2: Ann-Ben 5,50 ()"]);
    assert!(found.finished);
}

/// They were called by their ids.
#[test]
fn players_of_topdeck_have_the_names_of_the_standings_where_tables_have_none() {
    let found = read_legal(
        r#"{"id":"e","name":"Night","startDate":"2026-01-01T00:00:00+00:00","standings":[{"id":"t2","name":"Ben","standing":2},{"id":"t1","name":"Ann","standing":1}],"rounds":[{"round":1,"tables":[{"table":1,"players":[{"id":"t1"},{"id":"t2"}],"status":"Completed","winner":"Ann","winner_id":"t1"}]}]}"#,
    );
    assert_eq!(sheet_of(&found), ["1: Ann-Ben  () [Win, Loss]"]);
    let places: Vec<(usize, u32)> =
        found.places.iter().map(|one| (one.player, one.place)).collect();
    assert_eq!(places, [(1, 2), (0, 1)]);
}

/// Of a missing key it was said to leave the row out.
#[test]
fn what_to_do_about_a_missing_value_is_another_thing_in_an_answer_than_in_a_sheet() {
    let hint = |name: &str, text: &str| {
        let error = read(name, text.as_bytes()).expect_err("something is missing");
        assert_eq!(error.code(), "missing", "{error}");
        error.hint()
    };
    let answer = BCP.replacen("\"round\": 1, ", "", 1);
    assert!(hint("event.json", &answer).starts_with("save or download the file again"));
    let sheet = "round,player_a,player_b,games_a,games_b\n1,Ann,,2,0\n";
    assert!(hint("event.csv", sheet).contains("leave the whole row out"));
}

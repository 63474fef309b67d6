//! What the answers of start.gg, Challonge, Battlefy and Limitless say beside their matches: of which group or stage
//! they are, whether a page is missing, and what is still to come.

use super::platforms::{refused, shape, written};
use super::*;

fn is_told(source: &Source, said: &str) -> bool {
    source.oddities.iter().any(|odd| odd.sentence.contains(said))
}

/// A set of start.gg: still being played, or with the games that each won.
fn set(id: u32, of: &str, round: i32, players: [u32; 2], games: Option<[i32; 2]>) -> String {
    let slot = |seat: usize| {
        let (player, games) = (players[seat], games.map(|games| games[seat]));
        let entrant = format!(r#""entrant":{{"id":{player},"name":"P{player}"}}"#);
        let score = games.map_or("null".to_owned(), |games| format!(r#"{{"value":{games}}}"#));
        format!(r#"{{{entrant},"standing":{{"stats":{{"score":{score}}}}}}}"#)
    };
    let winner = games.map(|[first, second]| players[usize::from(first < second)]);
    let winner = winner.map_or("null".to_owned(), |player| player.to_string());
    let (state, slots) = (if games.is_some() { 3 } else { 2 }, [slot(0), slot(1)].join(","));
    format!(
        r#"{{"id":"{id}","eventId":5,{of},"round":{round},"fullRoundText":"Round {round}","state":{state},"winnerId":{winner},"totalGames":3,"slots":[{slots}]}}"#
    )
}

/// A page of an event's sets.
fn page(info: &str, sets: &[String]) -> String {
    let sets = format!(r#"{{"pageInfo":{{{info}}},"nodes":[{}]}}"#, sets.join(","));
    format!(r#"{{"data":{{"event":{{"id":5,"name":"Singles","sets":{sets}}}}}}}"#)
}

/// Each pool was a phase after the other, in the order of their ids as texts: 1000000 came before 999999, and who
/// won the last one of them was the champion.
#[test]
fn pools_of_start_gg_are_one_phase_and_the_bracket_of_who_came_out_of_them_is_the_next_one() {
    let sets = [
        set(1, r#""phaseGroupId":999999"#, 1, [1, 2], Some([2, 0])),
        set(2, r#""phaseGroupId":1000000"#, 1, [3, 4], Some([2, 0])),
        set(3, r#""phaseGroupId":1000001"#, 1, [1, 3], Some([0, 2])),
    ];
    let source = source(&format!("[{}]", sets.join(",")));
    let expected = ["1: P1-P2 2,0 (0)", "1: P3-P4 2,0 (0)", "2: P1-P3 0,2 (0)"];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(shape(&source), [(PhaseKind::Elimination, 1), (PhaseKind::Elimination, 1)]);
    assert!(source.finished);
    assert!(is_told(&source, "2 groups in which nobody is twice"), "{:?}", source.oddities);
    legal_events(&source).expect("legal where they stand");
}

/// The set of the first pool was left out, as one that nobody needed, and the tournament was closed.
#[test]
fn a_pool_of_start_gg_may_still_be_played_while_another_one_is_over() {
    let sets = [
        set(1, r#""phaseGroupId":11"#, 1, [1, 2], None),
        set(2, r#""phaseGroupId":12"#, 1, [3, 4], Some([2, 0])),
    ];
    let source = source(&format!("[{}]", sets.join(",")));
    assert_eq!(sheet_of(&source), ["1: P1-P2  ()", "1: P3-P4 2,0 (0)"]);
    assert!(!source.finished);
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn an_open_set_is_left_out_only_where_one_of_its_players_plays_in_a_later_phase() {
    let phase = |order: u32| {
        format!(
            r#""phaseGroup":{{"id":{order},"phase":{{"id":{order},"phaseOrder":{order},"bracketType":"SINGLE_ELIMINATION"}}}}"#
        )
    };
    let sets = [
        set(1, &phase(1), 1, [1, 2], Some([2, 0])),
        set(2, &phase(1), 1, [3, 4], Some([2, 1])),
        set(3, &phase(1), 1, [5, 6], None),
        // Both go on: who won the pool did not matter.
        set(4, &phase(1), 2, [1, 3], None),
        set(5, &phase(2), 1, [1, 3], Some([0, 2])),
    ];
    let source = source(&format!("[{}]", sets.join(",")));
    let expected = [
        "1: P1-P2 2,0 (0)",
        "1: P3-P4 2,1 (0)",
        "1: P5-P6  () [NoResult, NoResult]",
        "2: P1-P3 0,2 (0)",
    ];
    assert_eq!(sheet_of(&source), expected);
    let told: Vec<&str> = source.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    let expected = [
        "The set was not played; a later phase has begun.",
        "The match has no result, and later rounds were played.",
    ];
    assert_eq!(told, expected);
    legal_events(&source).expect("legal where they stand");
}

/// Sets move between pages while an event runs. The first one was taken, and the result was lost.
#[test]
fn of_a_set_of_start_gg_that_stands_in_two_pages_the_one_with_a_result_is_taken() {
    let of = r#""phaseGroupId":9"#;
    let info = r#""total":2"#;
    let before = page(info, &[set(1, of, 1, [1, 2], None)]);
    let now = [set(1, of, 1, [1, 2], Some([2, 1])), set(2, of, 1, [3, 4], Some([2, 0]))];
    let now = page(info, &now);
    for pages in [format!("[{before},{now}]"), format!("[{now},{before}]")] {
        let source = source(&pages);
        assert_eq!(sheet_of(&source), ["1: P1-P2 2,1 (0)", "1: P3-P4 2,0 (0)"]);
        assert!(source.finished && source.oddities.is_empty(), "{:?}", source.oddities);
    }
    let other = page(info, &[set(1, of, 1, [1, 2], Some([0, 2]))]);
    let source = source(&format!("[{now},{other}]"));
    assert_eq!(sheet_of(&source)[0], "1: P1-P2 2,1 (0)");
    assert!(is_told(&source, "on two pages with two results"), "{:?}", source.oddities);
}

#[test]
fn some_pages_of_start_gg_are_refused_by_their_number_and_in_each_group() {
    let of = r#""phaseGroupId":9"#;
    let first = page(r#""totalPages":2,"page":1"#, &[set(1, of, 1, [1, 2], Some([2, 1]))]);
    let second = page(r#""totalPages":2,"page":2"#, &[set(2, of, 1, [3, 4], Some([2, 0]))]);
    let told = refused(&first);
    assert!(told.contains("data.event.sets.nodes: the next page of the sets"), "{told}");
    assert!(told.contains("here are 1 rows"), "{told}");
    let whole = source(&format!("[{first},{second}]"));
    assert_eq!(sheet_of(&whole), ["1: P1-P2 2,1 (0)", "1: P3-P4 2,0 (0)"]);

    // The sets of the second group stood for those that the first one lacks.
    let group = |id: u32, total: usize, sets: &[String]| {
        let nodes = sets.join(",");
        format!(r#"{{"id":{id},"sets":{{"pageInfo":{{"total":{total}}},"nodes":[{nodes}]}}}}"#)
    };
    let of = |id: u32| format!(r#""phaseGroupId":{id}"#);
    let one = [set(1, &of(1), 1, [1, 2], Some([2, 0]))];
    let three = [
        set(4, &of(2), 1, [5, 6], Some([2, 0])),
        set(5, &of(2), 1, [7, 8], Some([2, 0])),
        set(6, &of(2), 2, [5, 7], Some([2, 1])),
    ];
    let event = |groups: [String; 2]| {
        let groups = groups.join(",");
        format!(r#"{{"data":{{"event":{{"id":5,"name":"Singles","phaseGroups":[{groups}]}}}}}}"#)
    };
    let told = refused(&event([group(1, 3, &one), group(2, 3, &three)]));
    assert!(told.contains("phaseGroups[0].sets.nodes"), "{told}");
    assert!(told.contains("here are 1 of 3 rows"), "{told}");
    let whole = source(&event([group(1, 1, &one), group(2, 3, &three)]));
    assert_eq!(shape(&whole), [(PhaseKind::Elimination, 2)]);
}

/// Each name stood for a list of its own, and each was refused as a part.
#[test]
fn pages_of_start_gg_under_several_names_in_one_answer_are_of_one_list() {
    let of = r#""phaseGroupId":9"#;
    let sets = |page: u8, set: String| {
        format!(r#"{{"pageInfo":{{"total":2,"page":{page}}},"nodes":[{set}]}}"#)
    };
    let first = sets(1, set(1, of, 1, [1, 2], Some([2, 1])));
    let second = sets(2, set(2, of, 1, [3, 4], Some([2, 0])));
    let two = |one: &str, other: &str| format!(r#"{{"p1":{one},"p2":{other}}}"#);
    let with_id = |sets: &str| format!(r#"{{"id":5,"sets":{sets}}}"#);
    let without = |sets: &str| format!(r#"{{"sets":{sets}}}"#);
    let data = |of: &str| format!(r#"{{"data":{of}}}"#);
    let event = |of: &str| data(&format!(r#"{{"event":{of}}}"#));
    let whole = [
        data(&two(&with_id(&first), &with_id(&second))),
        data(&two(&without(&first), &without(&second))),
        event(&two(&first, &second)),
        format!("[{},{}]", event(&with_id(&first)), event(&without(&second))),
    ];
    for text in whole {
        let source = source(&text);
        assert_eq!(sheet_of(&source), ["1: P1-P2 2,1 (0)", "1: P3-P4 2,0 (0)"], "{text}");
    }
    let told = refused(&data(&two(&without(&first), &without(&first))));
    assert!(told.contains("here are 1 of 2 rows"), "{told}");
}

/// It was drawn: the winner of version 2.1 may stand among what a match is related to.
#[test]
fn the_winner_of_challonge_may_stand_beside_the_players_of_the_match() {
    let related = |key: &str, id: u32| format!(r#""{key}":{{"data":{{"id":"{id}"}}}}"#);
    let game = |relations: &[String]| {
        let relations = relations.join(",");
        let points = r#"[{"participant_id":1},{"participant_id":2}]"#;
        format!(
            r#"{{"data":{{"id":"7","type":"tournament","attributes":{{"name":"Cup","tournament_type":"swiss","state":"complete"}}}},"included":[{{"id":"1","type":"participant","attributes":{{"name":"Ann","seed":1}}}},{{"id":"2","type":"participant","attributes":{{"name":"Ben","seed":2}}}},{{"id":"5","type":"match","attributes":{{"round":1,"state":"complete","scores":"","points_by_participant":{points}}},"relationships":{{{relations}}}}}]}}"#
        )
    };
    let players = [related("player1", 1), related("player2", 2)];
    let won = [players[0].clone(), players[1].clone(), related("winner", 2)];
    assert_eq!(sheet_of(&source(&game(&won))), ["1: Ann-Ben  () [Loss, Win]"]);
    assert_eq!(sheet_of(&source(&game(&players))), ["1: Ann-Ben  () [Draw, Draw]"]);
}

/// The tournament came in without the matches of the other pages, and was closed.
#[test]
fn some_pages_of_challonge_are_refused() {
    let with =
        |more: &str| CHALLONGE_2.replacen(r#""matches":{"#, &format!(r#""matches":{{{more},"#), 1);
    let linked = |per_page: u32| {
        let url = "https://api.challonge.com/v2.1/tournaments/9/matches.json";
        with(&format!(r#""links":{{"next":"{url}?page=2&per_page={per_page}"}}"#))
    };
    let told = refused(&with(r#""meta":{"count":3}"#));
    assert!(told.contains("the next page of the matches (here are 2 of 3 rows"), "{told}");
    let told = refused(&linked(2));
    assert!(told.contains("matches.data: the next page of the matches (here are 2 rows"), "{told}");
    let whole = [
        with(r#""meta":{"count":2},"links":{"next":null}"#),
        // A page that is not full is the last one.
        linked(25),
    ];
    for text in whole {
        let source = source(&text);
        assert_eq!(sheet_of(&source), sheet_of(&super::source(CHALLONGE_2)));
        assert!(!is_told(&source, "links.next"), "{:?}", source.oddities);
    }
}

/// It was refused as one of several, whatever stood in it.
#[test]
fn a_page_of_challonge_that_does_not_say_how_long_one_is_is_told() {
    let with = |meta: &str, query: &str| {
        let next = format!("https://api.challonge.com/v2.1/tournaments/9/matches.json?{query}");
        let more = format!(r#""matches":{{{meta}"links":{{"next":"{next}"}},"#);
        CHALLONGE_2.replacen(r#""matches":{"#, &more, 1)
    };
    let size = |size: u8| with("", &format!("page%5Bnumber%5D=2&page%5Bsize%5D={size}"));
    let unknown = source(&with("", "page=2"));
    assert_eq!(sheet_of(&unknown), sheet_of(&source(CHALLONGE_2)));
    assert!(is_told(&unknown, "links.next"), "{:?}", unknown.oddities);
    for text in [size(25), with(r#""meta":{"count":2},"#, "page=2")] {
        let source = source(&text);
        assert!(!is_told(&source, "links.next"), "{:?}", source.oddities);
    }
    let told = refused(&size(2));
    assert!(told.contains("the next page of the matches"), "{told}");
    let told = refused(&with(r#""meta":{"count":3},"#, "page=2"));
    assert!(told.contains("here are 2 of 3 rows"), "{told}");
}

/// The second match of a group's final had the number of the first one, and the file was refused.
#[test]
fn each_group_of_challonge_may_have_a_second_final() {
    let player = |at: usize| {
        let (id, name) = (10 + at, &"ABCDEFGH"[at..=at]);
        format!(r#"{{"participant":{{"id":{id},"name":"{name}","seed":{}}}}}"#, at + 1)
    };
    let game = |group: &str, (round, players, games): (i32, [usize; 2], [u32; 2])| {
        let [first, second] = players.map(|at| 10 + at);
        let winner = if games[0] > games[1] { first } else { second };
        format!(
            r#"{{"match":{{"id":1,"round":{round},"state":"complete","player1_id":{first},"player2_id":{second},"winner_id":{winner},"scores_csv":"{}-{}","group_id":{group}}}}}"#,
            games[0], games[1]
        )
    };
    let group = |at: usize| {
        [
            (1, [at, at + 3], [2, 0]),
            (1, [at + 1, at + 2], [2, 1]),
            (2, [at, at + 1], [2, 0]),
            (-1, [at + 3, at + 2], [0, 2]),
            (-2, [at + 1, at + 2], [2, 0]),
        ]
    };
    let mut games: Vec<String> = group(0).map(|one| game("1", one)).to_vec();
    games.extend(group(4).map(|one| game("2", one)));
    games.push(game("1", (3, [0, 1], [1, 2])));
    games.push(game("2", (3, [4, 5], [2, 0])));
    games.push(game("1", (3, [0, 1], [0, 2])));
    games.push(game("null", (1, [1, 4], [2, 0])));
    let (players, games) = ((0..8).map(player).collect::<Vec<_>>().join(","), games.join(","));
    let source = source(&format!(
        r#"{{"tournament":{{"id":7,"name":"Cup","tournament_type":"single elimination","state":"complete","participants":[{players}],"matches":[{games}]}}}}"#
    ));
    assert_eq!(shape(&source), [(PhaseKind::DoubleElimination, 5), (PhaseKind::Elimination, 1)]);
    let expected = ["4: A-B 1,2 (0)", "4: E-F 2,0 (0)", "5: A-B 0,2 (0)", "6: B-E 2,0 (0)"];
    let sheet = sheet_of(&source);
    assert_eq!(sheet[sheet.len() - 4..], expected);
    legal_events(&source).expect("legal where they stand");
}

/// They came back as forfeits, and nothing told it.
#[test]
fn double_losses_are_told_for_challonge() {
    let mut truth = source(CHALLONGE_2);
    let told = |source: &Source| {
        let left_out = written(&challonge::Challonge, source).left_out;
        left_out.into_iter().find(|what| what.starts_with("double losses"))
    };
    truth.phases[0].rounds[0].tables[0].result =
        crate::sheet::ruled(How::Unknown, [Ruling::Loss, Ruling::Loss]);
    assert_eq!(told(&truth).as_deref(), Some("double losses, written as forfeits: 1"));
    truth.phases[0].rounds[0].tables[0].result =
        crate::sheet::ruled(How::Forfeit, [Ruling::Loss, Ruling::Loss]);
    assert_eq!(told(&truth), None);
}

/// A match of Battlefy that is over: two teams with their games.
fn game(round: u32, sides: [(&str, u32); 2]) -> String {
    let most = sides[0].1.max(sides[1].1);
    let [top, bottom] = sides.map(|(team, games)| {
        let own = format!(r#"{{"_id":"{team}","name":"{team}","playerIDs":["p"]}}"#);
        let won = games == most;
        format!(r#"{{"teamID":"{team}","team":{own},"score":{games},"winner":{won}}}"#)
    });
    format!(
        r#"{{"matchType":"winner","roundNumber":{round},"isComplete":true,"top":{top},"bottom":{bottom}}}"#
    )
}

fn stage(id: &str, bracket: &str, games: &[String]) -> String {
    let games = games.join(",");
    format!(r#"{{"_id":"{id}","name":"{id}","bracket":{{{bracket}}},"matches":[{games}]}}"#)
}

/// A tournament of Battlefy.
fn cup(ids: &str, stages: &[String]) -> String {
    let stages = stages.join(",");
    format!(r#"{{"_id":"t","name":"Cup","stageIDs":[{ids}],"stages":[{stages}]}}"#)
}

const SINGLE: &str = r#""type":"elimination","style":"single""#;
const SWISS: &str = r#""type":"swiss","roundsCount":2"#;

#[test]
fn stages_of_battlefy_stand_in_the_order_that_the_tournament_says() {
    let last = stage("f", SINGLE, &[game(1, [("Ash", 2), ("Cedar", 0)])]);
    let first = [game(1, [("Ash", 2), ("Birch", 0)]), game(1, [("Cedar", 2), ("Date", 0)])];
    let stages = [last, stage("g", SWISS, &first)];
    let as_said = source(&cup(r#""g","f""#, &stages));
    let expected = ["1: Ash-Birch 2,0 (0)", "1: Cedar-Date 2,0 (0)", "2: Ash-Cedar 2,0 (0)"];
    assert_eq!(sheet_of(&as_said), expected);
    assert_eq!(shape(&as_said), [(PhaseKind::Swiss, 1), (PhaseKind::Elimination, 1)]);
    // There is nothing more to come of Swiss rounds that were cut short.
    assert!(as_said.finished);
    legal_events(&as_said).expect("legal where they stand");
    let as_listed = source(&cup(r#""g""#, &stages));
    assert_eq!(shape(&as_listed), [(PhaseKind::Elimination, 1), (PhaseKind::Swiss, 1)]);
}

#[test]
fn a_battlefy_team_called_bye_is_nobody_where_no_players_are_named_at_all() {
    let games = [
        game(1, [("Ash", 2), ("BYE A", 0)]).replace(r#""BYE A","playerIDs":["p"]"#, r#""BYE A""#),
        game(1, [("Birch", 2), ("Cedar", 0)]),
        game(2, [("Ash", 2), ("Birch", 1)]),
    ];
    let text = cup(r#""s""#, &[stage("s", SINGLE, &games)]);
    let expected = ["1: Birch-Cedar 2,0 (0)", "1: Ash bye ", "2: Ash-Birch 2,1 (0)"];
    assert_eq!(sheet_of(&source(&text)), expected);
    assert!(is_told(&source(&text), "\"BYE A\" has no players"));
    // The list of teams may name them.
    let teams = r#"{"teams":[{"_id":"BYE A","name":"BYE A","playerIDs":["p"]}],"#;
    let named = source(&text.replacen('{', teams, 1));
    assert_eq!(sheet_of(&named)[0], "1: Ash-BYE A 2,0 (0)");
}

/// It was closed after the first round of two.
#[test]
fn swiss_rounds_of_battlefy_run_on_until_all_that_are_planned_were_played() {
    let first = [game(1, [("Ash", 2), ("Birch", 0)]), game(1, [("Cedar", 2), ("Date", 0)])];
    let second = [game(2, [("Ash", 2), ("Cedar", 0)]), game(2, [("Birch", 2), ("Date", 0)])];
    let of = |games: &[String]| source(&cup(r#""s""#, &[stage("s", SWISS, games)]));
    let running = of(&first);
    assert_eq!((running.finished, running.planned_rounds), (false, Some(2)));
    legal_events(&running).expect("legal where they stand");
    assert!(of(&[first, second].concat()).finished);
}

/// It was void while the stage ran and left out behind it: no version was taken any more.
#[test]
fn a_match_of_an_earlier_stage_of_battlefy_that_was_never_reported_stays_in_its_round() {
    let side =
        |team: &str| format!(r#"{{"team":{{"name":"{team}","_id":"{team}","playerIDs":["p"]}}}}"#);
    let never = format!(
        r#"{{"matchType":"winner","roundNumber":1,"isComplete":false,"top":{},"bottom":{}}}"#,
        side("Cedar"),
        side("Date")
    );
    let games = [
        game(1, [("Ash", 2), ("Birch", 0)]),
        never,
        game(2, [("Ash", 2), ("Cedar", 0)]),
        game(2, [("Birch", 2), ("Date", 0)]),
    ];
    let last = stage("f", SINGLE, &[game(1, [("Ash", 2), ("Birch", 0)])]);
    let expected = [
        "1: Ash-Birch 2,0 (0)",
        "1: Cedar-Date  () [NoResult, NoResult]",
        "2: Ash-Cedar 2,0 (0)",
        "2: Birch-Date 2,0 (0)",
        "3: Ash-Birch 2,0 (0)",
    ];
    for kind in [SWISS, r#""type":"roundrobin""#] {
        let first = stage("g", kind, &games);
        let running = source(&cup(r#""g""#, std::slice::from_ref(&first)));
        assert_eq!(sheet_of(&running), expected[..4], "{kind}");
        let later = source(&cup(r#""g","f""#, &[first, last.clone()]));
        assert_eq!(sheet_of(&later), expected, "{kind}");
        assert!(is_told(&later, "The match has no result"), "{:?}", later.oddities);
        legal_events(&later).expect("legal where they stand");
    }
    // Of a bracket nobody needed it.
    let bracket = stage("g", SINGLE, &games[..2]);
    let later = source(&cup(r#""g","f""#, &[bracket, last]));
    assert_eq!(sheet_of(&later)[..1], expected[..1]);
    assert!(is_told(&later, "The match was not played"), "{:?}", later.oddities);
}

/// It was closed after the last Swiss round, and after the first one.
#[test]
fn a_limitless_tournament_runs_on_while_its_details_list_rounds_or_a_phase_without_pairings() {
    let bracket = r#",{"phase":2,"type":"SINGLE_BRACKET","rounds":1}"#;
    let last =
        r#",{"round":3,"phase":2,"match":"T2-1","player1":"ann","player2":"cem","winner":"cem"}"#;
    let swiss = |rounds: u32| format!(r#""type":"SWISS","rounds":{rounds}"#);
    let of = |rounds: u32, left_out: &[&str]| {
        let mut text = LIMITLESS.replacen(&swiss(2), &swiss(rounds), 1);
        for part in left_out {
            assert!(text.contains(part), "{part}");
            text = text.replacen(part, "", 1);
        }
        source(&text)
    };
    assert!(of(2, &[]).finished);
    let running = of(2, &[last]);
    assert!(!running.finished, "the bracket is still to come");
    legal_events(&running).expect("legal where they stand");
    let running = of(5, &[last, bracket]);
    assert_eq!((running.finished, running.planned_rounds), (false, Some(5)));
    legal_events(&running).expect("legal where they stand");
    assert!(of(2, &[last, bracket]).finished);
    assert!(of(5, &[]).finished, "the bracket was played, after fewer rounds than planned");
}

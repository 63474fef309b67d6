//! What start.gg, Battlefy and Splinterlands say apart from their matches, or in words of their own: how phases are
//! played, byes, days, groups, and matches that were not asked for.

use super::platforms::{refused, shape};
use super::*;
use crate::bracket::{Game, Side};
use crate::outcome::Won;

/// A set of start.gg that was played: of which group, in which round, who, with the games that each won. Nobody
/// is `-`.
fn set(id: u32, of: &str, round: i32, players: [&str; 2], games: [i32; 2]) -> String {
    let slot = |seat: usize| match players[seat] {
        "-" => r#"{"entrant":null}"#.to_owned(),
        name => {
            let entrant = format!(r#""entrant":{{"id":"{name}","name":"{name}"}}"#);
            let score = format!(r#"{{"value":{}}}"#, games[seat]);
            format!(r#"{{{entrant},"standing":{{"stats":{{"score":{score}}}}}}}"#)
        }
    };
    let (winner, over) = (players[usize::from(games[0] < games[1])], 1_700_000_000 + id);
    let (slots, text) = ([slot(0), slot(1)].join(","), format!("Round {round}"));
    format!(
        r#"{{"id":{id},{of}"round":{round},"fullRoundText":"{text}","state":3,"winnerId":"{winner}","totalGames":3,"completedAt":{over},"slots":[{slots}]}}"#
    )
}

/// An answer of start.gg with the sets of an event.
fn event(more: &str, sets: &[String]) -> String {
    let sets = format!(r#"{{"nodes":[{}]}}"#, sets.join(","));
    format!(r#"{{"data":{{"event":{{"id":5,"name":"Singles",{more}"sets":{sets}}}}}}}"#)
}

/// Each met each: who won the most lost their first one.
fn pool(of: &str) -> Vec<String> {
    vec![
        set(1, of, 1, ["Ann", "Dee"], [0, 2]),
        set(2, of, 1, ["Ben", "Cem"], [2, 0]),
        set(3, of, 2, ["Ann", "Cem"], [2, 0]),
        set(4, of, 2, ["Dee", "Ben"], [0, 2]),
        set(5, of, 3, ["Ann", "Ben"], [2, 1]),
        set(6, of, 3, ["Cem", "Dee"], [2, 0]),
    ]
}

const POOL: [&str; 6] = [
    "1: Ann-Dee 0,2 (0)",
    "1: Ben-Cem 2,0 (0)",
    "2: Ann-Cem 2,0 (0)",
    "2: Dee-Ben 0,2 (0)",
    "3: Ann-Ben 2,1 (0)",
    "3: Cem-Dee 2,0 (0)",
];

fn sentences(source: &Source) -> Vec<&str> {
    source.oddities.iter().map(|odd| odd.sentence.as_str()).collect()
}

/// The final was read as the first round of a single elimination, and the pool behind it as another one.
#[test]
fn phases_of_start_gg_that_stand_beside_the_sets_say_their_order_and_how_they_are_played() {
    let mut sets = pool(r#""phaseGroup":{"id":99,"phase":{"id":9,"name":"Pools"}},"#);
    let last = r#""phaseGroup":{"id":50,"phase":{"id":5,"name":"Top 2"}},"#;
    sets.push(set(7, last, 1, ["Ann", "Ben"], [0, 2]));
    let beside = r#""phases":[{"id":5,"name":"Top 2","bracketType":"SINGLE_ELIMINATION","phaseOrder":2},{"id":9,"name":"Pools","bracketType":"ROUND_ROBIN","phaseOrder":1}],"#;
    let read = source(&event(beside, &sets));
    assert_eq!(shape(&read), [(PhaseKind::RoundRobin, 3), (PhaseKind::Elimination, 1)]);
    let lines = sheet_of(&read);
    assert_eq!(lines[..6], POOL);
    assert_eq!(lines[6..], ["4: Ann-Ben 0,2 (0)"]);
    assert!(read.finished && read.oddities.is_empty(), "{:?}", read.oddities);
    assert_eq!(read.phases[0].rounds[0].name, "Round 1");
    legal_events(&read).expect("legal where they stand");
    // The name says which phase it is where nothing else does.
    let by_name: Vec<String> =
        sets.iter().map(|set| set.replace(r#""phase":{"id":9,"#, r#""phase":{"#)).collect();
    assert_ne!(by_name, sets);
    assert_eq!(shape(&source(&event(beside, &by_name))), shape(&read));
}

/// It was read as a single elimination, in which the winner was out in round 1.
#[test]
fn a_group_of_start_gg_may_say_how_it_is_played_and_where_nothing_does_a_loss_is_told() {
    let of = r#""phaseGroup":{"id":11,"bracketType":"ROUND_ROBIN","phase":{"id":1}},"#;
    let said = source(&event("", &pool(of)));
    assert_eq!(shape(&said), [(PhaseKind::RoundRobin, 3)]);
    assert_eq!(sheet_of(&said), POOL);
    assert_eq!(sentences(&said), [] as [&str; 0]);
    let unsaid = source(&event("", &pool(r#""phaseGroup":{"id":11,"phase":{"id":1}},"#)));
    assert_eq!(shape(&unsaid), [(PhaseKind::Elimination, 3)]);
    let told = sentences(&unsaid);
    assert!(told.len() == 1 && told[0].contains("\"Ann\" plays on in a single"), "{told:?}");
}

const SWISS: &str =
    r#""phaseGroup":{"id":21,"phase":{"id":3,"bracketType":"SWISS","phaseOrder":1}},"#;

/// They were left out, and who had them was a win short.
#[test]
fn byes_of_start_gg_are_read_where_they_are_shown_and_added_where_they_are_not() {
    let matches = [
        set(1, SWISS, 1, ["Ann", "Ben"], [2, 0]),
        set(2, SWISS, 1, ["Cem", "Dee"], [2, 0]),
        set(4, SWISS, 2, ["Ann", "Cem"], [2, 0]),
        set(5, SWISS, 2, ["Eli", "Ben"], [0, 2]),
    ];
    let byes = [set(3, SWISS, 1, ["Eli", "-"], [0, 0]), set(6, SWISS, 2, ["Dee", "-"], [0, 0])];
    let expected = [
        "1: Ann-Ben 2,0 (0)",
        "1: Cem-Dee 2,0 (0)",
        "1: Eli bye ",
        "2: Ann-Cem 2,0 (0)",
        "2: Eli-Ben 0,2 (0)",
        "2: Dee bye ",
    ];
    for sets in [[&matches[..], &byes[..]].concat(), matches.to_vec()] {
        let read = source(&event("", &sets));
        assert_eq!(sheet_of(&read), expected);
        assert!(read.finished && read.oddities.is_empty(), "{:?}", read.oddities);
        legal_events(&read).expect("legal where they stand");
    }
    // Where some are shown, all are: Eli was not there in the first round.
    let shown = source(&event("", &[&matches[..], &byes[1..]].concat()));
    let of_byes: Vec<String> =
        sheet_of(&shown).into_iter().filter(|line| line.contains("bye")).collect();
    assert_eq!(of_byes, ["2: Dee bye "]);
    // Who stands in the standings alone was not there.
    let row = r#""standings":{"nodes":[{"placement":5,"entrant":{"id":"Eli","name":"Eli"}}]},"#;
    assert_eq!(sheet_of(&source(&event(row, &matches[..2]))), expected[..2]);
}

#[test]
fn a_bye_in_a_bracket_of_start_gg_stands_though_a_later_phase_has_begun() {
    let phase = |order: u8| {
        format!(
            r#""phaseGroup":{{"id":{order},"phase":{{"id":{order},"phaseOrder":{order},"bracketType":"SINGLE_ELIMINATION"}}}},"#
        )
    };
    let sets = [
        set(1, &phase(1), 1, ["Ann", "Ben"], [2, 0]),
        set(2, &phase(1), 1, ["Cem", "-"], [0, 0]),
        set(3, &phase(1), 2, ["Ann", "Cem"], [2, 0]),
        set(4, &phase(2), 1, ["Cem", "Ann"], [2, 1]),
    ];
    let read = source(&event("", &sets));
    let expected =
        ["1: Ann-Ben 2,0 (0)", "1: Cem bye ", "2: Ann-Cem 2,0 (0)", "3: Cem-Ann 2,1 (0)"];
    assert_eq!(sheet_of(&read), expected);
    assert_eq!(sentences(&read), [] as [&str; 0]);
    legal_events(&read).expect("legal where they stand");
}

/// The rounds behind it were counted one too low.
#[test]
fn a_swiss_round_of_start_gg_or_battlefy_that_is_missing_between_others_is_refused() {
    let sets = [set(1, SWISS, 1, ["Ann", "Ben"], [2, 0]), set(2, SWISS, 3, ["Ben", "Ann"], [2, 0])];
    let told = refused(&event("", &sets));
    assert!(told.contains("sets: round 2: the sets of every round"), "{told}");
    let later = sets.map(|set| set.replace(r#""round":1"#, r#""round":2"#));
    assert_eq!(shape(&source(&event("", &later))), [(PhaseKind::Swiss, 2)]);
    let rounds = [(1, 4), (2, 5), (3, 7)];
    let later = rounds.map(|(id, round)| set(id, SWISS, round, ["Ann", "Ben"], [2, 0]));
    let told = refused(&event("", &later));
    assert!(told.contains("sets: round 6: the sets of every round"), "{told}");
    let games = [won("1", 1, ["Ash", "Birch"]), won("2", 3, ["Birch", "Ash"])].join(",");
    let matches = format!(r#""matches":[{games}]"#);
    let told = refused(&cup(&[stage("s", r#""type":"swiss""#, &matches)]));
    assert!(told.contains("stages[0]: round 2: the matches of every round"), "{told}");
}

/// Everybody was twice in round 1, and the hint said that two players have one name.
#[test]
fn groups_of_start_gg_are_known_by_what_is_around_their_sets_and_by_names_alone() {
    let expected = ["1: Ann-Ben 2,0 (0)", "1: Cem-Dee 2,0 (0)", "2: Ann-Cem 2,1 (0)"];
    let two = [(PhaseKind::Elimination, 1), (PhaseKind::Elimination, 1)];
    let games: [([&str; 2], [i32; 2]); 3] =
        [(["Ann", "Ben"], [2, 0]), (["Cem", "Dee"], [2, 0]), (["Ann", "Cem"], [2, 1])];
    let around = [("12", "1"), ("11", "1"), ("13", "2")];
    let groups = (1..).zip(around).zip(games).map(|((id, (group, phase)), (players, games))| {
        let set = set(id, "", 1, players, games);
        format!(
            r#"{{"id":{group},"phase":{{"id":{phase}}},"sets":{{"pageInfo":{{"total":1}},"nodes":[{set}]}}}}"#
        )
    });
    let groups: Vec<String> = groups.collect();
    let nested = format!(
        r#"{{"data":{{"event":{{"id":5,"name":"Singles","phaseGroups":[{}]}}}}}}"#,
        groups.join(",")
    );
    let names = [("A1", "Pools"), ("A2", "Pools"), ("1", "Bracket")];
    let sets = (1..).zip(names).zip(games).map(|((id, (called, name)), (players, games))| {
        let of = format!(
            r#""phaseGroup":{{"displayIdentifier":"{called}","phase":{{"name":"{name}"}}}},"#
        );
        set(id, &of, 1, players, games)
    });
    let named = event("", &sets.collect::<Vec<_>>());
    for text in [nested, named] {
        let read = source(&text);
        assert_eq!(sheet_of(&read), expected, "{text}");
        assert_eq!(shape(&read), two);
        assert!(read.finished && read.oddities.is_empty(), "{:?}", read.oddities);
        assert_eq!(read.identity, "start.gg event 5");
        legal_events(&read).expect("legal where they stand");
    }
}

/// They were one tournament of everybody, under the name of the last one.
#[test]
fn two_events_of_start_gg_are_refused_where_they_stand_around_their_sets() {
    let with = |id: u32, set: String| {
        let sets = format!(r#"{{"pageInfo":{{"total":1}},"nodes":[{set}]}}"#);
        format!(r#"{{"id":{id},"name":"E{id}","sets":{sets}}}"#)
    };
    let first = with(5, set(1, "", 1, ["Ann", "Ben"], [2, 0]));
    let second = |id: u32| with(id, set(2, "", 1, ["Cem", "Dee"], [2, 0]));
    let data = |inner: String| format!(r#"{{"data":{{{inner}}}}}"#);
    let answer = |event: &str| data(format!(r#""event":{event}"#));
    let texts = |other: &str| {
        let pages = [answer(&first), answer(other)];
        let files = [("p0.json", pages[0].as_bytes()), ("p1.json", pages[1].as_bytes())];
        let joined = join(&files).expect("pages");
        [
            data(format!(r#""tournament":{{"name":"Bash","events":[{first},{other}]}}"#)),
            data(format!(r#""a":{first},"b":{other}"#)),
            format!("[{}]", pages.join(",")),
            String::from_utf8(joined).expect("text"),
        ]
    };
    for text in texts(&second(6)) {
        let told = refused(&text);
        assert!(told.contains("the event is \"6\"; expected 5, as the sets before"), "{told}");
    }
    let expected = ["1: Ann-Ben 2,0 (0)", "1: Cem-Dee 2,0 (0)"];
    for text in texts(&second(5)) {
        let read = source(&text);
        assert_eq!(sheet_of(&read), expected, "{text}");
        assert_eq!(read.identity, "start.gg event 5");
    }
    // What has a name of the query's own may be a group, as its sets say.
    let group = |id: u32, players: [&str; 2]| {
        with(20 + id, set(id, &format!(r#""phaseGroupId":{},"#, 20 + id), 1, players, [2, 0]))
    };
    let [one, other] = [group(1, ["Ann", "Ben"]), group(2, ["Cem", "Dee"])];
    let groups = data(format!(r#""a":{one},"b":{other}"#));
    assert_eq!(sheet_of(&source(&groups)), expected);
}

/// Each of the zeros had a copy of the key: eight gigabytes, and the program was aborted.
#[test]
fn a_long_key_is_shortened_in_the_places_of_what_stands_below_it() {
    let zeros = "0,".repeat(39_999) + "0";
    let key = "k".repeat(200_000);
    let told =
        refused(&format!(r#"{{"x":{{"slots":1,"entrant":1,"winnerId":2}},"{key}":[{zeros}]}}"#));
    assert!(told.len() < 600, "a message of {} bytes", told.len());
    let nested = format!("{}0{}", format!(r#"{{"{}":"#, &key[..200]).repeat(30), "}".repeat(30));
    let json = crate::json::Json::read(&nested).expect("JSON");
    let mut node = json.root();
    for _ in 0..30 {
        let inner = node.entries().next().map(|(_, inner)| inner);
        node = inner.expect("there are 30");
        assert!((80..600).contains(&node.place.len()), "{}", node.place);
    }
}

/// No day was known, though every answer has one.
#[test]
fn the_day_of_start_gg_is_that_of_the_event_or_else_of_the_tournament() {
    let of = r#""phaseGroupId":5,"#;
    let sets = [set(1, of, 1, ["Ann", "Ben"], [2, 0])];
    let tournament = r#""tournament":{"name":"Bash","startAt":1600000000},"#;
    let both = source(&event(&format!(r#""startAt":1700000000,{tournament}"#), &sets));
    assert_eq!(both.held_on, Some(Day { year: 2023, month: 11, day: 14 }));
    let one = source(&event(tournament, &sets));
    assert_eq!(one.held_on, Some(Day { year: 2020, month: 9, day: 13 }));
    assert_eq!(source(&event("", &sets)).held_on, None);
}

/// A match of Battlefy that the first of two won.
fn won(id: &str, round: u8, teams: [&str; 2]) -> String {
    let [top, bottom] = [0, 1].map(|at| {
        let (team, games, is_winner) = (teams[at], 2 * (1 - at), at == 0);
        let own = format!(r#"{{"_id":"{team}","name":"{team}","playerIDs":["p"]}}"#);
        format!(r#"{{"team":{own},"score":{games},"winner":{is_winner}}}"#)
    });
    format!(
        r#"{{"_id":"{id}","roundNumber":{round},"isComplete":true,"top":{top},"bottom":{bottom}}}"#
    )
}

fn stage(id: &str, bracket: &str, more: &str) -> String {
    format!(r#"{{"_id":"{id}","name":"{id}","bracket":{{{bracket}}},{more}}}"#)
}

fn cup(stages: &[String]) -> String {
    format!(r#"{{"_id":"t","name":"Cup","stageIDs":[],"stages":[{}]}}"#, stages.join(","))
}

const SINGLE: &str = r#""type":"elimination","style":"single""#;

/// A tournament of nobody and no rounds was stored.
#[test]
fn a_stage_of_battlefy_without_its_matches_is_refused_and_a_cut_without_them_is_told() {
    let swiss = r#""type":"swiss","roundsCount":1"#;
    for more in [r#""hasStarted":true"#, r#""matchIDs":["m"],"matches":[]"#] {
        let told = refused(&cup(&[stage("s", swiss, more)]));
        assert!(told.contains("stages[0]: the list of the matches of a stage"), "{told}");
    }
    let games = [won("1", 1, ["Ash", "Birch"]), won("2", 1, ["Cedar", "Date"])].join(",");
    let first = stage("s", swiss, &format!(r#""matches":[{games}]"#));
    let begun = stage("f", SINGLE, r#""hasStarted":true,"matchIDs":["m"]"#);
    let read = source(&cup(&[first.clone(), begun.clone()]));
    assert_eq!((shape(&read), read.finished), (vec![(PhaseKind::Swiss, 1)], false));
    assert_eq!(read.oddities.len(), 1);
    assert_eq!(read.oddities[0].place, "stages[1]");
    assert!(read.oddities[0].sentence.contains("\"f\" are not in the file"));
    let told = refused(&cup(&[begun, first.clone()]));
    assert!(told.contains("stages[0]: the list"), "{told}");
    // One that is still to come is told nowhere.
    let to_come = stage("f", SINGLE, r#""hasStarted":false,"matchIDs":[]"#);
    let read = source(&cup(&[first, to_come]));
    assert!(!read.finished && read.oddities.is_empty(), "{:?}", read.oddities);
}

#[test]
fn matches_of_battlefy_may_stand_in_the_groups_of_a_stage() {
    let group = |game: String| format!(r#"{{"_id":"g","matches":[{game}]}}"#);
    let groups =
        [group(won("1", 1, ["Ash", "Birch"])), group(won("2", 1, ["Cedar", "Date"]))].join(",");
    let more = format!(r#""hasStarted":true,"matches":[],"groups":[{groups}]"#);
    let read = source(&cup(&[stage("s", r#""type":"roundrobin""#, &more)]));
    assert_eq!(sheet_of(&read), ["1: Ash-Birch 2,0 (0)", "1: Cedar-Date 2,0 (0)"]);
    assert_eq!((shape(&read), read.finished), (vec![(PhaseKind::RoundRobin, 1)], true));
    legal_events(&read).expect("legal where they stand");
}

/// One of them refused the whole tournament.
#[test]
fn a_matchup_of_splinterlands_may_be_no_contest_or_won_by_surrender() {
    let matchup = |round: u8, players: [&str; 2], games: [u8; 2], winner: &str| {
        let ([first, second], [one, other]) = (players, games);
        format!(
            r#"{{"id":"{round}{first}","tournament_id":"t","round":{round},"player_1":"{first}","player_2":"{second}","player_1_wins":{one},"player_2_wins":{other},"best_of":3,"winner":"{winner}"}}"#
        )
    };
    let text = |surrendered: &str| {
        let matchups = [
            matchup(1, ["ann", "dia"], [0, 0], surrendered),
            matchup(1, ["ben", "cyr"], [0, 0], "no contest"),
            matchup(2, ["ann", "ben"], [2, 1], "ann"),
            matchup(2, ["cyr", "dia"], [2, 0], "cyr"),
        ];
        let players = ["ann", "ben", "cyr", "dia"].map(|one| format!(r#"{{"player":"{one}"}}"#));
        format!(
            r#"{{"tournament":{{"id":"t","name":"Cup","status":2,"format":"swiss","current_round":2,"total_rounds":2,"players":[{}]}},"battles":[{}]}}"#,
            players.join(","),
            matchups.join(",")
        )
    };
    let read = source(&text("dia, by surrender"));
    let expected = [
        "1: ann-dia  () [Loss, Win]",
        "1: ben-cyr  () [NoResult, NoResult]",
        "2: ann-ben 2,1 (0)",
        "2: cyr-dia 2,0 (0)",
    ];
    assert_eq!(sheet_of(&read), expected);
    assert_eq!(read.phases[0].rounds[0].tables[0].result.how, How::Conceded);
    assert!(read.finished && read.oddities.is_empty(), "{:?}", read.oddities);
    legal_events(&read).expect("legal where they stand");
    let told = refused(&text("eve, by surrender"));
    assert!(told.contains("one of the two players, or no contest"), "{told}");
}

/// A made-up file could ask for more byes than fit anywhere: of everybody in every round.
#[test]
fn no_more_byes_are_added_than_matches_are_read() {
    let players = limits::TABLES / 5 * 3;
    let round = |name: &str, players: usize| {
        let bye = |player| SourceBye {
            player,
            kind: ByeKind::Assigned,
            reported: None,
            place: String::new(),
        };
        let byes = (0..players).map(bye).collect();
        SourceRound { name: name.to_owned(), weight: RoundWeight::ONE, tables: Vec::new(), byes }
    };
    let mut rounds = [round("one", 0), round("two", 0), round("three", players)];
    let mut oddities = crate::build::Oddities::default();
    crate::numbered::add_byes(&mut rounds, players, &|_| true, &|_, _| false, &mut oddities);
    assert_eq!(rounds.map(|round| round.byes.len()), [players, 0, players]);
    let told = oddities.finish();
    assert!(told.iter().any(|odd| odd.place == "two" && odd.sentence.contains("no byes are")));
}

/// A match of a bracket that the first of two won.
fn first_won(side: Side, round: i64, players: [usize; 2]) -> Game {
    let result = crate::outcome::result(None, Some(Won::Seat(0)), How::Unknown);
    Game::new((side, round), players.to_vec(), result, format!("match {}", players[0]))
}

/// Each of 6,200 players had 17 byes before their match in round 18: a file of some megabytes took gigabytes.
#[test]
fn no_more_byes_of_a_bracket_are_added_than_matches_are_read() {
    let mut games: Vec<Game> =
        (0..17).map(|at| first_won(Side::Winners, at as i64 + 1, [2 * at, 2 * at + 1])).collect();
    games.extend((17..3_117).map(|at| first_won(Side::Winners, 18, [2 * at, 2 * at + 1])));
    let mut oddities = crate::build::Oddities::default();
    let rounds = crate::bracket::rounds(games, true, &mut oddities).expect("18 rounds");
    let byes: usize = rounds.iter().map(|round| round.byes.len()).sum();
    assert!((limits::TABLES - 18..=limits::TABLES).contains(&byes), "{byes}");
    let told = oddities.finish();
    assert!(told.len() == 1 && told[0].sentence.contains("no byes are added"), "{told:?}");
}

/// Whether they do was learnt by going through all matches once for each round: two minutes for a made-up file.
#[test]
fn rounds_of_a_bracket_that_need_each_other_stand_each_by_itself() {
    let mut games = Vec::new();
    for at in 0..1_000 {
        let (round, [first, second, third]) = (at as i64, [3 * at, 3 * at + 1, 3 * at + 2]);
        games.push(first_won(Side::Winners, 1, [first, second]));
        games.push(first_won(Side::Winners, round + 2, [second, third]));
        games.push(first_won(Side::Losers, round + 1, [second, third]));
    }
    let mut oddities = crate::build::Oddities::default();
    let rounds = crate::bracket::rounds(games, true, &mut oddities).expect("2,001 rounds");
    assert_eq!(rounds.len(), 2_001);
}

#[test]
fn an_entrant_of_start_gg_without_a_name_is_called_by_the_tags_of_its_people() {
    let tagged = |text: &str, id: &str, people: &str| {
        text.replace(
            &format!(r#""id":"{id}","name":"{id}""#),
            &format!(r#""id":"{id}","participants":[{people}]"#),
        )
    };
    let text = event("", &[set(1, "", 1, ["Ann", "Ben"], [2, 0])]);
    let text = tagged(&text, "Ann", r#"{"gamerTag":"Annie","prefix":""}"#);
    let text = tagged(
        &text,
        "Ben",
        r#"{"player":{"gamerTag":"B","prefix":"T1"}},{"player":{"gamerTag":"Cy"}}"#,
    );
    let names: Vec<String> = source(&text).players.into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["Annie", "T1 | B / Cy"]);
}

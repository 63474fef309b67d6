//! The answers of Melee, TopDeck, MTGO, ManaTraders and Best Coast Pairings, and files that are parts of one
//! tournament.

use super::*;

fn refused(text: &str) -> String {
    read("event.json", text.as_bytes()).expect_err("refused").to_string()
}

fn joined(parts: &[&str]) -> Source {
    let names: Vec<String> = (0..parts.len()).map(|at| format!("part {at}.json")).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().map(String::as_str).zip(parts.iter().map(|part| part.as_bytes())).collect();
    let bytes = join(&files).unwrap_or_else(|error| panic!("{error}"));
    read("folder", &bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// What stands in a JSON text behind a key, up to where its brackets close.
fn value_of<'a>(text: &'a str, key: &str) -> &'a str {
    let from = text.find(&format!("\"{key}\": ")).expect("the key") + key.len() + 4;
    let mut depth = 0;
    for (at, letter) in text[from..].char_indices() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' if depth == 1 => return &text[from..=from + at],
            ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    panic!("{key} is not closed");
}

#[test]
fn melees_answers_have_games_byes_forfeits_and_the_standings_of_the_last_round() {
    let source = source(MELEE_API);
    let expected = [
        "1: Ada Loes-Bo Kim 2,1 (0)",
        "1: Cy Dorn-Di Park 1,1 (1)",
        "1: Ed Nye bye 2,0 (0)",
        "2: Ed Nye-Ada Loes 1,2 (0)",
        "2: Bo Kim-Cy Dorn  () [Loss, Win]",
        "2: Di Park awarded loss ",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(source.title, "Tuesday Night");
    assert_eq!(source.identity, "melee melee.gg/Tournament/View/4711");
    assert_eq!(source.held_on, Some(Day { year: 2026, month: 8, day: 4 }));
    assert_eq!((source.published.len(), source.published_after), (5, Some(2)));
    assert_eq!((source.drops.len(), source.drops[0].after_round), (1, 2));
    assert_eq!(source.published[1].record, Some([1, 0, 1]));
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn some_pages_of_melees_matches_are_refused_with_what_is_missing() {
    let some = MELEE_API.replacen("\"recordsFiltered\": 3", "\"recordsFiltered\": 4", 1);
    let told = refused(&some);
    assert!(told.contains("matches[0].data") && told.contains("3 of 4 rows"), "{told}");
    let matches = value_of(MELEE_API, "matches");
    let second = matches[1..matches.len() - 1].split("{\"draw\"").nth(2).expect("a page");
    let third = matches[1..matches.len() - 1].split("{\"draw\"").nth(3).expect("a page");
    let both = format!("[{{\"draw\"{second} {{\"draw\"{third}]");
    let told = refused(&both);
    assert!(told.contains("round 1"), "{told}");
}

#[test]
fn melees_pages_in_several_files_are_one_tournament_in_whatever_order() {
    let pages: Vec<String> = value_of(MELEE_API, "matches")
        .trim_matches(['[', ']'])
        .split("{\"draw\"")
        .skip(1)
        .map(|page| format!("{{\"draw\"{}", page.trim_end_matches([',', ' '])))
        .collect();
    let standings = value_of(MELEE_API, "standings").trim_matches(['[', ']']).to_owned();
    for page in pages.iter().chain([&standings]) {
        assert_eq!(part_of("page.json", page.as_bytes()), Some("melee json"), "{page}");
    }
    let there = joined(&[&pages[0], &pages[1], &pages[2], &standings]);
    let back = joined(&[&standings, &pages[2], &pages[1], &pages[0]]);
    assert_eq!(sheet_of(&there), sheet_of(&source(MELEE_API)));
    assert_eq!((there.published.len(), there.identity), (5, back.identity));
    let whole = part_of("whole.json", MELEE_API.as_bytes());
    assert_eq!(whole, None, "what is whole is no part");
}

#[test]
fn topdecks_pods_have_a_winner_a_draw_and_byes_and_two_players_of_one_name() {
    let source = source(TOPDECK_API);
    let expected = [
        "1: Ann-Ben-Cem-Dot  () [Loss, Loss, Win, Loss]",
        "1: Eli-Ann-Gus  () [Draw, Draw, Draw]",
        "1: Hal bye ",
        "2: Cem-Eli-Hal-Ann  () [Loss, Loss, Loss, Win]",
        "2: Ann-Ben-Dot-Gus  ()",
    ];
    assert_eq!(sheet_of(&source), expected);
    let kinds: Vec<PhaseKind> = source.phases.iter().map(|phase| phase.kind).collect();
    assert_eq!((kinds, source.players.len()), (vec![PhaseKind::Pods], 8));
    assert_eq!(source.held_on, Some(Day { year: 2026, month: 8, day: 1 }));
    assert!(!source.finished, "a table is not over");
    assert_eq!(source.published.len(), 3);
    legal_events(&source).expect("legal where they stand");
    let other = refused(
        &TOPDECK_API.replace("\"winner\": \"Cem\", \"winner_id\": \"u3\"", "\"winner\": \"Zed\""),
    );
    assert!(other.contains("rounds[0].tables[0].winner"), "{other}");
}

#[test]
fn topdecks_three_answers_are_one_tournament() {
    let parts = ["data", "rounds", "standings"].map(|key| value_of(TOPDECK_API, key));
    let alone = refused(parts[2]);
    assert!(alone.contains("\"rounds\": [..]"), "{alone}");
    assert_eq!(sheet_of(&joined(&parts)), sheet_of(&source(TOPDECK_API)));
    let two =
        join(&[("a.json", parts[1].as_bytes()), ("b.json", b"[{\"round\": 1, \"tables\": []}]")]);
    let told = two.expect_err("two of one part").to_string();
    assert!(told.contains("b.json") && told.contains("a.json"), "{told}");
}

#[test]
fn a_list_of_topdecks_tournaments_is_read_where_there_is_one() {
    let one = "{\"TID\": \"t1\", \"tournamentName\": \"Duel\", \"startDate\": 1785600000, \"swissNum\": 1, \"topCut\": 2, \
               \"rounds\": [{\"round\": 1, \"tables\": [{\"table\": 1, \"players\": [{\"name\": \"Ann\", \"id\": null}, \
               {\"name\": \"Ben\", \"id\": null}], \"winner\": \"Ben\", \"status\": \"Completed\"}]}, {\"round\": \"Top 2\", \
               \"tables\": [{\"table\": 1, \"players\": [{\"name\": \"Ann\"}, {\"name\": \"Ben\"}], \"winner\": \"Ann\", \
               \"status\": \"Completed\"}]}]}";
    let source = source(&format!("[{one}]"));
    assert_eq!(sheet_of(&source), ["1: Ann-Ben  () [Loss, Win]", "2: Ann-Ben  () [Win, Loss]"]);
    assert_eq!((source.phases.len(), source.finished, source.cut), (2, true, Some(2)));
    legal_events(&source).expect("legal where they stand");
    let two = refused(&format!("[{one}, {one}]"));
    assert!(two.contains("2 tournaments"), "{two}");
}

#[test]
fn mtgos_page_has_the_standings_before_the_bracket_and_the_places_after_it() {
    let page = format!(
        "<!DOCTYPE html><html><script>\n  window.MTGO.decklists.data = {MTGO_API};\n  other();</script></html>"
    );
    for text in [MTGO_API, &page] {
        let source = source(text);
        let expected = ["1: Ash-Dune 2,0 (0)", "1: Bay-Cove 0,2 (0)", "2: Ash-Cove 2,1 (0)"];
        assert_eq!(sheet_of(&source), expected);
        let [swiss, cut] = &source.phases[..] else { panic!("{:?}", source.phases) };
        assert_eq!((swiss.rounds.len(), swiss.entrants.len(), cut.seeded), (0, 5, true));
        assert_eq!((source.places.len(), source.published_after), (4, Some(0)));
        legal_events(&source).expect("legal where they stand");
    }
    let league = refused("{\"description\": \"Modern League\", \"decklists\": [{\"loginid\": 1}]}");
    assert!(league.contains("a league"), "{league}");
}

#[test]
fn manatraders_answers_rounds_by_name() {
    let source = source(MANATRADERS_API);
    let expected =
        ["1: Ash-Bay 2,1 (0)", "1: Cove bye 2,0 (0)", "2: Ash-Cove 2,0 (0)", "2: Bay bye 2,0 (0)"];
    assert_eq!(sheet_of(&source), expected);
    legal_events(&source).expect("legal where they stand");
}

#[test]
fn bcps_pairings_have_points_and_a_result_and_deleted_ones_are_none() {
    let source = source(BCP);
    let expected = [
        "1: Ann Ash-Ben Bay 87,41 ()",
        "1: Cem Cove bye ",
        "2: Cem Cove-Ann Ash 60,60 ()",
        "2: Ben Bay bye ",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!((source.places.len(), source.drops.len(), source.planned_rounds), (3, 1, Some(3)));
    assert!(!source.finished, "two rounds of three");
    legal_events(&source).expect("legal where they stand");
    let other = BCP.replacen("\"points\": 41, \"result\": 0", "\"points\": 41, \"result\": 2", 1);
    let other = other.replacen("\"points\": 87, \"result\": 2", "\"points\": 87, \"result\": 0", 1);
    let source = super::source(&other);
    assert_eq!(sheet_of(&source)[0], "1: Ann Ash-Ben Bay 87,41 () [Loss, Win]");
    assert_eq!(source.oddities.len(), 1);
}

#[test]
fn bcps_full_page_with_a_next_key_is_not_the_last() {
    let row = |at: usize| {
        format!(
            "{{\"id\": \"{at}\", \"round\": 1, \"player1\": {{\"id\": \"{at}\", \"firstName\": \"P{at}\"}}, \"player1Game\": {{}}}}"
        )
    };
    let page = |rows: usize| {
        let rows: Vec<String> = (0..rows).map(row).collect();
        format!("{{\"data\": [{}], \"nextKey\": \"k\"}}", rows.join(","))
    };
    for rows in [100, 25] {
        let told = refused(&page(rows));
        assert!(told.contains("the next page of the pairings"), "{told}");
    }
    let end = r#"{"data": [], "nextKey": null}"#;
    let all = source(&format!("{{\"pairings\": [{}, {end}]}}", page(25)));
    assert_eq!((all.players.len(), all.oddities.len()), (25, 0), "behind it is nothing");
    let last = source(&page(7));
    assert_eq!(last.players.len(), 7, "a page that is not full is the last");
    let told = &last.oddities[0].sentence;
    assert!(told.contains("names another one behind it (nextKey)"), "{told}");
}

/// Whether they were refused depended on the order of the pages, and so were rounds of 25 beside longer pages.
#[test]
fn each_empty_page_of_bcp_ends_one_list_and_a_page_shorter_than_others_is_told() {
    let page = |round: u8, rows: usize| {
        let row = |at: usize| {
            format!(
                r#"{{"id":"{round} {at}","round":{round},"player1":{{"id":"{at}","firstName":"P{at}"}},"player1Game":{{}}}}"#
            )
        };
        let rows: Vec<String> = (0..rows).map(row).collect();
        format!(r#"{{"data":[{}],"nextKey":"k"}}"#, rows.join(","))
    };
    let of = |pages: &[&str]| format!(r#"{{"pairings":[{}]}}"#, pages.join(","));
    let (first, second, end) = (page(1, 20), page(2, 20), r#"{"data":[],"nextKey":null}"#);
    let (first, second) = (first.as_str(), second.as_str());
    for pages in [[first, second, end, end], [end, second, end, first]] {
        let all = source(&of(&pages));
        assert_eq!((all.rounds().count(), all.players.len(), all.oddities.len()), (2, 20, 0));
    }
    let told = refused(&of(&[first, end, second]));
    assert!(told.contains("the next page of the pairings"), "{told}");

    let (long, short) = (page(1, 100), page(2, 25));
    let all = source(&of(&[long.as_str(), end, short.as_str()]));
    assert_eq!((all.rounds().count(), all.players.len()), (2, 100));
    let told = all.oddities.iter().filter(|odd| odd.sentence.contains("(nextKey)"));
    let places: Vec<&str> = told.map(|odd| odd.place.as_str()).collect();
    assert_eq!(places, ["pairings[2].data"]);
}

#[test]
fn cardes_pages_in_several_files_are_one_tournament() {
    let event = CARDE.find("\"event\":").expect("an event") + 8;
    let matches = CARDE.find(",\"matches\":").expect("matches");
    let event = &CARDE[event..matches];
    let games = CARDE[matches + 11..]
        .split("],\"standings\"")
        .next()
        .expect("matches")
        .trim_start_matches('[');
    let page =
        format!("{{\"count\": 4, \"page_size\": 25, \"next\": null, \"results\": [{games}]}}");
    assert_eq!(part_of("event.json", event.as_bytes()), Some("carde json"));
    assert_eq!(sheet_of(&joined(&[event, &page])), sheet_of(&source(CARDE)));
}

#[test]
fn macmahon_names_blacks_part_of_a_result_first() {
    let source = source(MACMAHON);
    let expected = [
        "1: Ash, Ann-Bay, Ben 0,1 (0) [Loss, Win]",
        "1: Cove, Cem bye ",
        "2: Cove, Cem-Ash, Ann  () [Win, Loss]",
    ];
    assert_eq!(sheet_of(&source), expected);
    assert_eq!(
        (source.players.len(), source.finished, source.rules.as_deref()),
        (3, false, Some("go"))
    );
    let told: Vec<&str> = source.oddities.iter().map(|one| one.sentence.as_str()).collect();
    assert!(told[0].contains("1 games were played with a handicap") && told.len() == 2, "{told:?}");
    legal_events(&source).expect("legal where they stand");
    let bad = read("lake.xml", MACMAHON.replace("0-1!", "2-1").as_bytes()).expect_err("refused");
    assert_eq!(bad.place, "line 13");
}

#[test]
fn both_pages_of_cardes_standings_are_standings_without_rounds_and_one_alone_says_what_is_missing()
{
    let row = |rank: u32| {
        format!(
            "{{\"rank\": {rank}, \"player\": {{\"id\": {rank}, \"best_identifier\": \"P{rank}\"}}, \"match_points\": {}, \
             \"record\": \"1-0-0\", \"opponent_match_win_percentage\": 0.5, \"user_event_status\": {{\"registration_status\": \"COMPLETE\"}}}}",
            9 - rank
        )
    };
    let page = |number: u32, rows: std::ops::Range<u32>, next: &str| {
        let rows: Vec<String> = rows.map(row).collect();
        format!(
            "{{\"page_size\": 3, \"count\": 5, \"current_page_number\": {number}, \"next_page_number\": {next}, \"results\": [{}]}}",
            rows.join(",")
        )
    };
    let (one, two) = (page(1, 1..4, "2"), page(2, 4..6, "null"));
    for (alone, here) in [(&one, "3 of 5"), (&two, "2 of 5")] {
        let told = refused(alone);
        assert!(told.contains(here) && told.contains("give their files together"), "{told}");
    }
    for source in [joined(&[&one, &two]), joined(&[&two, &one]), source(&format!("[{one}, {two}]"))]
    {
        assert_eq!((source.players.len(), source.published.len()), (5, 5));
        assert!(
            source.unknown.contains(&UnknownFact::EarlierRounds)
                && source.rounds().next().is_none()
        );
        legal_events(&source).expect("legal where they stand");
    }
}

#[test]
fn decks_of_manatraders_as_csv_are_no_tournament() {
    let decks = "Qty,Card,Sideboard,Companion,Player_Name,Player_Id,Tournament_Name,Tournament_Number,Player_Username\n\
                 4,Island,false,false,Ann,1,Series,7,ann\n20,Forest,false,false,Ann,1,Series,7,ann\n\
                 4,Swamp,false,false,Ben,2,Series,7,ben\n";
    let told = read("decks.csv", decks.as_bytes()).map(|source| source.players.len());
    assert!(told.is_err(), "{told:?}");
}

#[test]
fn pages_of_two_tournaments_are_refused() {
    let melee = MELEE_API.replacen("\"TournamentId\": 4711", "\"TournamentId\": 4712", 1);
    assert!(refused(&melee).contains("one tournament"), "{}", refused(&melee));
    let bcp = BCP.replacen("\"eventId\": \"EV9\"", "\"eventId\": \"EV8\"", 1);
    assert!(refused(&bcp).contains("one tournament"), "{}", refused(&bcp));
    let page = "{\"page_size\": 1, \"count\": 1, \"current_page_number\": 1, \"next\": null, \"results\": [{\"rank\": 1, \
                \"player\": {\"id\": 1}, \"match_points\": 3, \"user_event_status\": {}}]}";
    let other = page.replace("\"id\": 1", "\"id\": 2");
    assert_eq!(source(page).players.len(), 1);
    let told = refused(&format!("[{page}, {other}]"));
    assert!(told.contains("each page once"), "{told}");
}

/// Some keep the list of an answer alone, without the page around it.
#[test]
fn cardes_matches_without_a_page_around_them_are_a_part_too() {
    let event = r#"{"id":9,"name":"Friday","start_datetime":"2026-01-02T18:00:00Z","tournament_phases":[{"id":1,"order_in_phases":1,"status":"COMPLETE","round_type":"SWISS","number_of_rounds":1,"rounds":[{"id":11,"round_number":1,"status":"COMPLETE","pairings_status":"GENERATED"}]}]}"#;
    let matches = r#"[{"id":1,"tournament_round":11,"table_number":1,"status":"COMPLETE","players":[1,2],"winning_player":2,"match_is_bye":false,"match_is_loss":false,"match_is_intentional_draw":false,"match_is_unintentional_draw":false,"games_won_by_winner":2,"games_won_by_loser":1,"games_drawn":0,"player_match_relationships":[{"player_order":1,"player":{"id":1,"best_identifier":"Ada B"}},{"player_order":2,"player":{"id":2,"best_identifier":"Bo D"}}]}]"#;
    let files = [("event.json", event.as_bytes()), ("matches.json", matches.as_bytes())];
    for (name, bytes) in files {
        assert_eq!(part_of(name, bytes), Some("carde json"), "{name}");
        assert_eq!(read(name, bytes).expect_err("a part").code(), "missing", "{name}");
    }
    let source = read("friday.json", &join(&files).expect("joined")).expect("read");
    let games: Vec<_> = source.rounds().flat_map(|(_, round)| &round.tables).collect();
    assert_eq!(games.len(), 1);
    assert_eq!(crate::sheet::games_of(&games[0].result.score), Some([1, 2, 0]));
}

#[test]
fn a_list_of_limitless_tournaments_is_refused_with_what_to_ask_for() {
    let list = r#"[{"id":"63fd4a","game":"PTCG","format":"STANDARD","name":"Cup","date":"2026-11-01T10:00:00.000Z","players":64}]"#;
    let told = refused(list);
    for said in ["a list of tournaments of Limitless", "\"pairings\"", "/tournaments/<id>/pairings"]
    {
        assert!(told.contains(said), "{said}: {told}");
    }
}

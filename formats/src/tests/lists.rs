//! Lists and tables of a league, as an organizer keeps them: matches that were postponed, rounds side by side, chats.

use super::*;

fn lines(text: &str) -> Vec<String> {
    let source = read("a.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    legal_events(&source).unwrap_or_else(|error| panic!("{error}"));
    sheet_of(&source)
}

fn told(text: &str) -> String {
    source(text).oddities.iter().map(|odd| format!("{}: {}\n", odd.place, odd.sentence)).collect()
}

fn refused(text: &str) -> String {
    read("a.csv", text.as_bytes()).expect_err(text).to_string()
}

#[test]
fn a_list_of_one_line_matches_has_halves_open_matches_and_postponed_ones() {
    for (line, expected) in [
        ("Cy 1/2-1/2 Di", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy 1/2 Di", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy 0,5:0,5 Di", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy .5-.5 Di", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy \u{bd} - \u{bd} Di", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy - Di \u{bd}-\u{bd}", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy vs Di draw", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy - Di Remis", "1: Cy-Di  () [Draw, Draw]"),
        ("Cy postponed Di", "1: Cy-Di  ()"),
        ("Cy v Di postponed", "1: Cy-Di  ()"),
        ("Cy - Di verlegt", "1: Cy-Di  ()"),
        ("Cy - Di abg.", "1: Cy-Di  ()"),
        ("Cy v Di no result", "1: Cy-Di  ()"),
        ("Cy + - Di", "1: Cy-Di  () [Win, Loss]"),
        ("FC 04 2:1 Club 96", "1: FC 04-Club 96 2,1 (0)"),
        ("Cy - Di (2-1)", "1: Cy-Di 2,1 (0)"),
        ("Cy - Di: 2-1", "1: Cy-Di 2,1 (0)"),
    ] {
        let found = lines(&format!("Ann Lee 1-0 Bob Smith\nEd 1-0 Flo\n{line}\n"));
        assert_eq!(found[2].trim_end(), expected, "{line}");
    }
    // A surname that is a word elsewhere is one, and what nobody understands is refused with its line.
    assert_eq!(lines("Ann 1-0 Bob\nAung - Thu Win\n")[1].trim_end(), "1: Aung-Thu Win  ()");
    let unclear = refused("Ann 1-0 Bob\nEd 1-0 Flo\nCy lost 2-1\n");
    assert!(unclear.contains("line 3: the line is \"Cy lost 2-1\"; expected a match"), "{unclear}");
    let note = told("Ann 1-0 Bob\nEd 1-0 Flo\nCy was late\n");
    assert!(note.contains("line 3: \"Cy was late\" is read as no match"), "{note}");
}

/// Two players who do not exist stood in the standings, and title and day were lost.
#[test]
fn a_title_with_a_dash_above_a_list_is_no_match() {
    let rounds = "Round 1\nAnn Lee 2-0 Bob\nCy 0-2 Di\nEd bye\n";
    let found = ["1: Ann Lee-Bob 2,0 (0)", "1: Cy-Di 0,2 (0)", "1: Ed bye "];
    let numbered = "\nRound 1\n1. Ann Lee 2-0 Bob\n2. Cy 0-2 Di\n3. Ed - bye\n";
    for (line, title, day) in [
        ("FNM - Corner Cards", "FNM - Corner Cards", None),
        ("FNM \u{2013} Corner Cards", "FNM \u{2013} Corner Cards", None),
        ("Corner Cards vs. the world", "Corner Cards vs. the world", None),
        ("Friday League - 27 Nov 2026", "Friday League - 27 Nov 2026", Some("2026-11-27")),
        ("FNM - Corner Cards\n27.11.2026", "FNM - Corner Cards", Some("2026-11-27")),
        ("Corner Cards - Week 9 - Nov 27 2026", "Corner Cards", Some("2026-11-27")),
    ] {
        // The numbers of the matches were parts of names, as the title has none.
        for below in [rounds, numbered] {
            let text = format!("{line}\n{below}");
            assert_eq!(lines(&text), found, "{text}");
            let source = source(&text);
            let held_on = source.held_on.map(|day| day.to_string());
            assert_eq!((source.title.as_str(), held_on.as_deref()), (title, day), "{text}");
            assert!(!told(&text).contains("no match"), "{text}: {}", told(&text));
        }
    }
    // Cells of a spreadsheet that was saved.
    let cells = "Corner Cards - Modern\nRound 1,\nAnn Lee 2-0 Bob,\nCy 0-2 Di,\n";
    assert_eq!(lines(cells), found[..2]);
    assert_eq!(source(cells).title, "Corner Cards - Modern");
    // Without a round below it the line may be a match too, so it is told, unless a day stands in it alone.
    let alone = "FNM - Corner Cards\nAnn Lee 2-0 Bob\nCy 0-2 Di\n";
    assert_eq!(lines(alone), found[..2]);
    assert_eq!(source(alone).title, "FNM - Corner Cards");
    let line = "line 1: \"FNM - Corner Cards\" is read as no match";
    assert!(told(alone).contains(line), "{}", told(alone));
    let dated = alone.replace("Corner Cards", "27 Nov 2026");
    assert_eq!(lines(&dated), found[..2]);
    assert!(source(&dated).held_on.is_some() && !told(&dated).contains("no match"));
    // Above each round.
    let again =
        format!("FNM - Corner Cards\n{rounds}FNM - Corner Cards\nRound 2\nAnn Lee 2-0 Di\n");
    assert_eq!(source(&again).players.len(), 5, "{:?}", lines(&again));
}

#[test]
fn a_note_with_a_dash_among_matches_is_told_and_no_match() {
    for note in [
        "Thanks - see you next week",
        "Note: Ann - late by 5 min",
        "Lunch break - 30 min",
        "Next week - 4 Dec 2026",
        "Merry Christmas - Your Team",
    ] {
        for rounds in ["Round 1\n", ""] {
            let text = format!("Corner Cards\n{rounds}Ann Lee 2-0 Bob\nCy 0-2 Di\n{note}\n");
            assert_eq!(lines(&text), ["1: Ann Lee-Bob 2,0 (0)", "1: Cy-Di 0,2 (0)"], "{text}");
            let said = format!("{note:?} is read as no match");
            assert!(told(&text).contains(&said), "{}", told(&text));
        }
    }
    // Small words are no player also beside one, and while the round runs.
    let running =
        "Round 1\nAnn 2-0 Bob\nCy 0-2 Di\nRound 2\nAnn - Di\nBob - Cy\nAnn - late by 5 min\n";
    assert_eq!(source(running).players.len(), 4, "{:?}", lines(running));
    // Where players call themselves in small letters, these say nothing.
    let small = "Round 1\nel greco 2-0 bob\ncy 0-2 di\nRound 2\nel greco 2-0 cy\nbob - la mano\n";
    assert_eq!(lines(small)[3].trim_end(), "2: bob-la mano  ()");
}

#[test]
fn a_match_to_be_played_stays_one_where_its_players_or_its_round_say_so() {
    // Whoever plays in another round.
    let running = "Round 1\nAnn 2-0 Bob\nCy 0-2 Di\nRound 2\nAnn 2-1 Di\nBob - Cy\n";
    assert_eq!(lines(running)[3].trim_end(), "2: Bob-Cy  ()");
    let newcomer = running.replace("Bob - Cy", "Bob vs Hal");
    assert_eq!(lines(&newcomer)[3].trim_end(), "2: Bob-Hal  ()");
    // Several that are open, and pairings of which all are.
    let several = lines("Ann 2-0 Bob\nCy 0-2 Di\nEd - Flo\nGus vs. Hal\n");
    assert_eq!((several[2].trim_end(), several[3].trim_end()), ("1: Ed-Flo  ()", "1: Gus-Hal  ()"));
    for pairings in ["Ann - Bob\nCy - Di\nEd - Flo\n", "Ann v Bob\nCy v Di\nEd v Flo\n"] {
        assert_eq!(lines(pairings).len(), 3, "{pairings}");
        let dated = format!("Friday League - 27 Nov 2026\n{pairings}");
        assert_eq!(lines(&dated), lines(pairings), "{dated}");
        let source = source(&dated);
        assert!(source.title.starts_with("Friday League") && source.held_on.is_some());
        let titled = format!("FNM - Corner Cards\nRound 1\n{pairings}");
        assert_eq!(lines(&titled), lines(pairings), "{titled}");
    }
    // Days of matches make no title of the first one.
    let days = "Ann - Bob 27 Nov 2026\nCy - Di 28 Nov 2026\nEd - Flo 29 Nov 2026\n";
    assert_eq!(lines(days).len(), 3);
    // A number, a table or an hour beside it.
    for text in [
        "1. Ann 2-0 Bob\n2. Cy 0-2 Di\n3. Ed - Flo\n",
        "Table 1: Ann 2-0 Bob\nTable 2: Cy 0-2 Di\nTable 3: Ed - Flo\n",
        "Ann 2-0 Bob\nCy 0-2 Di\nEd - Flo 20:00\n",
    ] {
        assert_eq!(lines(text)[2].trim_end(), "1: Ed-Flo  ()", "{text}");
    }
    // One of a first round, of two who stand nowhere else, may be a note: that it is left out is told.
    for line in ["Cy v Di", "Cy vs. Di", "Cy - Di"] {
        let text = format!("Ann Lee 1-0 Bob Smith\nEd 1-0 Flo\n{line}\n");
        assert_eq!(lines(&text).len(), 2, "{line}");
        let said = format!("line 3: {line:?} is read as no match");
        assert!(told(&text).contains(&said), "{}", told(&text));
        let open = text.replace("Di\n", "Di postponed\n");
        assert_eq!(lines(&open)[2].trim_end(), "1: Cy-Di  ()", "{open}");
    }
}

/// In a file of one round nobody of an open match stands elsewhere: the files of other rounds say who they are.
#[test]
fn an_open_match_of_a_file_of_its_own_is_of_who_plays_in_the_other_rounds() {
    let one = "Ann 2-0 Bob\nCy 2-1 Di\nEd 0-2 Flo\nGus 2-1 Hal\n";
    let two = "Ann 2-0 Cy\nBob 2-1 Ed\nFlo 0-2 Gus\nDi - Hal\n";
    let joined =
        crate::join_rounds(&[("week1.txt", one.as_bytes()), ("week2.txt", two.as_bytes())]);
    let text = String::from_utf8(joined.expect("joined").bytes).expect("a text");
    assert_eq!(lines(&text).last().map(|line| line.trim_end()), Some("2: Di-Hal  ()"), "{text}");
    // So do the sheets of a workbook.
    let book = super::oddsheets::book(&[("Round 1", one), ("Round 2", two)]);
    let found = sheet_of(&read("a.xlsx", &book).expect("read"));
    assert_eq!(found.last().map(|line| line.trim_end()), Some("2: Di-Hal  ()"), "{found:?}");
}

#[test]
fn who_won_may_stand_between_two_names_as_a_word() {
    for (line, expected) in [
        ("Cy beat Di 2-1", "1: Cy-Di 2,1 (0)"),
        ("Cy d. Di 2 - 0", "1: Cy-Di 2,0 (0)"),
        ("Cy def. Di (2-0)", "1: Cy-Di 2,0 (0)"),
        ("Cy over Di 2-0", "1: Cy-Di 2,0 (0)"),
        ("Cy lost to Di 1-2", "1: Cy-Di 1,2 (0)"),
        ("Cy lost to Di 2-1", "1: Cy-Di 1,2 (0)"),
        ("Cy drew Di 1-1", "1: Cy-Di 1,1 (0)"),
        ("Cy schl\u{e4}gt Di 2:1", "1: Cy-Di 2,1 (0)"),
        ("Cy verliert gegen Di 0:2", "1: Cy-Di 0,2 (0)"),
        ("Cy beat Di", "1: Cy-Di  () [Win, Loss]"),
    ] {
        let found = lines(&format!("Ann Lee 1-0 Bob Smith\nEd 1-0 Flo\n{line}\n"));
        assert_eq!(found[2].trim_end(), expected, "{line}");
    }
    let denied = refused("Ann 1-0 Bob\nEd 1-0 Flo\nCy beat Di 1-2\n");
    assert!(denied.contains("line 3") && denied.contains("expected a match"), "{denied}");
    // The same in a column beside the rounds; there too a score makes a match, and nobody's name.
    let column =
        "Round;Match\n1;Ann beat Bob 2-1\n1;Cid - Dee 2-0\n2;Ann d. Dee 2-1\n2;Bob 2:1 Cid\n";
    let found =
        ["1: Ann-Bob 2,1 (0)", "1: Cid-Dee 2,0 (0)", "2: Ann-Dee 2,1 (0)", "2: Bob-Cid 2,1 (0)"];
    assert_eq!(lines(column), found);
    let odd = refused(&column.replace("d. Dee", "crushed Dee"));
    assert!(odd.contains("line 4") && odd.contains("expected a match"), "{odd}");
}

#[test]
fn what_stands_beside_a_match_in_its_line_is_no_part_of_a_name() {
    for text in [
        "1. Ann Lee 2-1 Bob\n2. Cy 0-2 Di\n",
        "20:00 Ann Lee 2-1 Bob\n20:15 Cy 0-2 Di\n",
        "14.03. 20:00 Ann Lee 2-1 Bob\n14.03. 20:15 Uhr Cy 0-2 Di\n",
        "Ann Lee (1450) 2-1 Bob (1320)\nCy (1600) 0-2 Di\n",
        "Table 1: Ann Lee - Bob 2:1\nTable 2: Cy - Di 0:2\n",
        "- Ann Lee 2-1 Bob\n- Cy 0-2 Di\n",
    ] {
        assert_eq!(lines(text), ["1: Ann Lee-Bob 2,1 (0)", "1: Cy-Di 0,2 (0)"], "{text}");
        assert!(
            text.starts_with('-') || told(text).contains("Left out beside the matches"),
            "{text}: {}",
            told(text)
        );
    }
    // A club may be called so: where the numbers do not count the lines they are of names.
    assert_eq!(
        lines("TSV Chor 2:1 SV Berg\n1. FC Dorf 0:2 SC Elm\n")[1],
        "1: 1. FC Dorf-SC Elm 0,2 (0)"
    );
    let clubs = "1. FC Au 2:1 SV Berg\n1. FC Dorf 0:2 TSV Chor\n";
    assert_eq!(lines(clubs)[0], "1: 1. FC Au-SV Berg 2,1 (0)");
    assert!(
        told(clubs).contains("\"1.\" is read as part of the name \"1. FC Au\""),
        "{}",
        told(clubs)
    );
    // An hour behind is no score.
    assert_eq!(lines("Ann 2-1 Bob\nCy - Di 20:00\n")[1].trim_end(), "1: Cy-Di  ()");
}

#[test]
fn a_chat_is_called_one_also_where_a_message_has_several_lines() {
    for text in [
        "14/03/2026, 21:12 - Sam: Week 1\nAnn 2-1 Bob\nCy 0-2 Di\n",
        "14/03/2026, 21:10 - Messages are end-to-end encrypted.\n14/03/2026, 21:12 - Sam: Week 1\nAnn 2-1 Bob\n",
        "[14/03/2026, 21:12:05] Sam: Week 1\nAnn 2-1 Bob\nCy 0-2 Di\nEd 1-0 Flo\n",
    ] {
        assert!(refused(text).contains("this is a chat that was copied"), "{}", refused(text));
    }
    let dated =
        "14.03.2026 Week 1\nAnn 2-1 Bob\nCy 0-2 Di\n\n21.03.2026 Week 2\nAnn 2-0 Cy\nBob 2-0 Di\n";
    let found = lines(dated);
    assert_eq!((found.len(), &found[2][..2]), (4, "2:"), "{found:?}");
}

#[test]
fn a_league_comes_in_as_it_stands_with_matches_that_were_postponed_and_rounds_to_come() {
    let league = |third: &str| {
        format!(
            "Week,Home,Away,Result\n1,Ann,Bob,2-1\n1,Cy,Di,{third}\n2,Ann,Cy,2-0\n2,Bob,Di,0-2\n3,Ann,Di,\n3,Bob,Cy,\n"
        )
    };
    for open in ["", "postponed", "no result", "abg.", "verlegt auf 14.3.", "not played"] {
        let text = league(open);
        let found = lines(&text);
        assert_eq!(found[1].trim_end(), "1: Cy-Di  () [NoResult, NoResult]", "{open}");
        assert_eq!(found[4].trim_end(), "3: Ann-Di  ()", "{open}");
        let odd = told(&text);
        assert!(odd.contains("line 3: The match has no result, and later rounds have"), "{odd}");
        assert!(!source(&text).finished);
    }
    assert!(
        source(&league("2-0").replace("Di,\n", "Di,2-0\n").replace("Cy,\n", "Cy,2-0\n")).finished
    );
    let goals = "Week,Home,Away,HG,AG\n1,Ann,Bob,2,1\n1,Cy,Di,abg.,\n2,Ann,Cy,2,0\n2,Bob,Di,0,2\n";
    let asked = Asked { columns: Some("games_a=4,games_b=5,round=1,player_a=2,player_b=3".into()) };
    let read = read_with("a.csv", goals.as_bytes(), &asked).expect("read");
    assert_eq!(sheet_of(&read)[1].trim_end(), "1: Cy-Di  () [NoResult, NoResult]");
    // Our own columns are read strictly: there the ruling says it.
    let typed = "round,player_a,player_b,games_a,games_b\n1,Ann,Bob,2,1\n1,Cy,Di,,\n2,Ann,Cy,2,0\n";
    assert!(
        refused(typed).contains("line 3: the score of the match is missing"),
        "{}",
        refused(typed)
    );
    let ruled = typed.replace("games_b\n", "games_b,ruling\n").replace("Di,,", "Di,,,no result");
    assert_eq!(lines(&ruled)[1].trim_end(), "1: Cy-Di  () [NoResult, NoResult]");
}

#[test]
fn cells_of_a_cross_table_that_are_empty_are_matches_to_come() {
    let once = ";Lions;Bears;Wolves;Hawks\nLions;x;2:1;;1:1\nBears;3:0;x;2:0;\nWolves;;0:3;x;\nHawks;0:1;;2:2;x\n";
    let found = lines(once);
    assert_eq!(found.len(), 12, "{found:?}");
    assert!(found.iter().any(|line| line.contains("NoResult")), "{found:?}");
    assert!(!told(once).contains("Not read"), "{}", told(once));
    let early =
        ";Lions;Bears;Wolves;Hawks\nLions;x;2:1;;\nBears;;x;;\nWolves;1:0;;x;\nHawks;;3:3;;x\n";
    assert_eq!(lines(early).len(), 12, "{}", told(early));
    assert!(told(early).contains("at home and away"), "{}", told(early));
}

#[test]
fn rounds_side_by_side_are_read_each_without_a_column_between_them() {
    let four =
        ["1: Ann-Ben 2,1 (0)", "1: Cid-Dee 2,0 (0)", "2: Ann-Cid 2,0 (0)", "2: Ben-Dee 1,2 (0)"];
    for text in [
        "Round 1,,,Round 2,,\nHome,Score,Away,Home,Score,Away\nAnn,2-1,Ben,Ann,2-0,Cid\nCid,2-0,Dee,Ben,1-2,Dee\n",
        "Round 1,,,,Round 2,,,\nHome,Result,,Away,Home,Result,,Away\nAnn,2,1,Ben,Ann,2,0,Cid\nCid,2,0,Dee,Ben,1,2,Dee\n",
        "Round 1,,,,Round 2,,,\nHome,Away,Result,,Home,Away,Result,\nAnn,Ben,2,1,Ann,Cid,2,0\nCid,Dee,2,0,Ben,Dee,1,2\n",
    ] {
        assert_eq!(lines(text), four, "{text}");
    }
    // Names in two lines, of which the upper one has the round's.
    let over = "Round,Home,,Away,\n,Name,Goals,Name,Goals\n1,Ann,2,Ben,1\n1,Cid,2,Dee,0\n2,Ann,2,Cid,0\n2,Ben,1,Dee,2\n";
    assert_eq!(lines(over), four);
    let seen = preview(
        "a.csv",
        b"Name,Name,Name,Result\nAnn,Ben,Cid,2-0\nDee,Eve,Fay,2-1\n",
        &Asked::default(),
    );
    let roles: Vec<_> =
        seen.expect("read").expect("a table").columns.iter().map(|one| one.role).collect();
    assert_eq!(roles, [None, None, None, Some("result")]);
}

#[test]
fn columns_that_may_be_the_result_are_asked_for_and_unnamed_ones_are_told() {
    for (text, may) in [
        (
            "Week;Home;HS;Away;AS\n1;Ann;2;Ben;1\n1;Cid;3;Dee;0\n2;Ann;2;Cid;2\n",
            "games_a=3,player_b=4,games_b=5",
        ),
        ("Home,,Away,\nAnn,2,Ben,1\nCid,2,Dee,0\n", "games_a=2,player_b=3,games_b=4"),
        ("Week;Home;Away;Tally\n1;Ann;Ben;12:9\n1;Cid;Dee;3:5\n2;Ann;Cid;1:4\n", "result=4"),
    ] {
        let error = refused(text);
        assert!(error.contains("which column is") && error.contains(may), "{error}");
        let choice =
            error.split_once("--columns ").expect("a choice").1.trim_end_matches('`').to_owned();
        let read =
            read_with("a.csv", text.as_bytes(), &Asked { columns: Some(choice) }).expect("read");
        assert!(sheet_of(&read).iter().all(|line| line.contains(',')), "{:?}", sheet_of(&read));
    }
    assert_eq!(
        lines("Spieltag;Heim;Gast;Punkte\n1;Ann;Ben;5:1\n1;Cid;Dee;3:3\n2;Ann;Cid;abg.\n")[0],
        "1: Ann-Ben 5,1 (0)"
    );
    assert_eq!(
        lines("Week;Home;Away;Tore\n1;Ann;Ben;4:1\n1;Cid;Dee;abg.\n2;Ann;Cid;2:2\n")[0],
        "1: Ann-Ben 4,1 (0)"
    );
    let headless = refused("1,Ann,Ben,2-1\n1,Cid,Dee,2-0\n2,Ann,Cid,2-1\n");
    assert!(headless.contains("--columns round=1,player_a=2,player_b=3,result=4"), "{headless}");
    let unnamed = told("Round,Home,Away,Result,\n1,Ann,Ben,2-1,late\n1,Cid,Dee,2-0,\n");
    assert!(unnamed.contains("Not read: column 5"), "{unnamed}");
    let days = refused("Date,Home,Away,Result\n14.03.2026,Ann,Ben,2-1\n21.03.2026,Ann,Cid,2-0\n");
    assert!(days.contains("number them 1, 2, 3"), "{days}");
    let boards = refused("Round,Home,Away,Result\n1,Ann,Ben,\"4,5:3,5\"\n");
    assert!(boards.contains("line 2") && boards.contains("9:7"), "{boards}");
    let goals = "Week,Home,Away,Result\n1,Ann,Ben,0:0\n1,Cid,Dee,3:3\n";
    assert!(!told(goals).contains("0-0"), "{}", told(goals));
    let chess = "Round,White,Black,Result\n1,Ann,Ben,0-0\n1,Cid,Dee,\u{bd}-\u{bd}\n1,Eve,Fay,1-0\n";
    assert_eq!(lines(chess)[0].trim_end(), "1: Ann-Ben  () [Loss, Loss]");
    let zero = "Round,White,Black,Result\n1,Ann,Ben,0/0\n1,Cid,Dee,2/0\n";
    assert_eq!(lines(zero)[1], "1: Cid-Dee 2,0 (0)");
    let won = "Platz;Team;Punkte\n1;Ann;5:1\n2;Ben;3:3\n";
    assert!(told(won).contains("those before the colon are read"), "{}", told(won));
    assert_eq!(source(won).published[0].points_tenths, 50);
}

#[test]
fn standings_alone_are_recorded_with_their_places_and_points_and_without_lots() {
    let text = "Rank,Name,Points\n1,Ann,12\n2,Bob,9\n2,Cy,9\n4,Di,7.5\n";
    let events = legal_events(&source(text)).expect("events");
    let rows: Vec<(u32, Vec<i32>)> = events
        .iter()
        .filter_map(|event| match event {
            Event::ByeGiven(bye) => {
                let score = bye.reported.as_ref()?;
                Some((bye.player, score.seats[0].to_vec()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(rows, [(1, vec![1, 120]), (2, vec![2, 90]), (3, vec![2, 90]), (4, vec![4, 75])]);
    assert!(!events.iter().any(|event| matches!(event, Event::LotsDrawn(_))));
}

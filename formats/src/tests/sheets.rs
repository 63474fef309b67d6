//! Rounds that somebody kept in a spreadsheet, with what they and their spreadsheet make of a table.

use super::*;

const HEAD: &str = "round,player_a,player_b,games_a,games_b\n";

/// The lines above, then these rows under the five columns that a file has to have.
fn sheet(above: &str, rows: &str) -> Source {
    source(&format!("{above}{HEAD}{}\n", rows.split_whitespace().collect::<Vec<_>>().join("\n")))
}

fn phases(source: &Source) -> Vec<(PhaseKind, usize)> {
    source.phases.iter().map(|phase| (phase.kind, phase.rounds.len())).collect()
}

/// What looks wrong in it, a line each.
fn told(source: &Source) -> String {
    let line = |odd: &Oddity| format!("{}: {}\n", odd.place, odd.sentence);
    source.oddities.iter().map(line).collect()
}

const THREE_ROUNDS: &str = "1,A,B,2,0 1,C,D,2,0 1,E,F,2,0 2,A,C,2,0 2,B,E,2,1 2,D,F,2,0 \
    3,A,E,2,0 3,C,B,2,0 3,D,F,2,1 ";

#[test]
fn a_cut_with_a_match_for_the_third_place_is_a_cut() {
    let rows = format!("{THREE_ROUNDS} 4,A,B,2,0 4,C,D,2,0 5,A,C,2,0 5,B,D,2,1");
    let four = sheet("# cut: 4\n", &rows);
    assert_eq!(phases(&four), [(PhaseKind::Swiss, 3), (PhaseKind::Elimination, 2)]);
    assert_eq!(told(&four), "");
}

#[test]
fn a_semifinal_that_nobody_came_to_is_part_of_the_cut() {
    let rows = format!("{THREE_ROUNDS} 4,A,-,, 4,C,D,2,0 5,A,C,2,0");
    let four = sheet("# cut: 4\n", &rows);
    assert_eq!(phases(&four), [(PhaseKind::Swiss, 3), (PhaseKind::Elimination, 2)]);
}

#[test]
fn a_cut_that_the_rounds_do_not_show_is_told() {
    // Fewer players than seats; rounds too few; and one who lost in the final.
    for (cut, rows) in [
        (8, format!("{THREE_ROUNDS} 4,A,B,2,0 4,C,D,2,0 5,A,C,2,0")),
        (4, format!("{THREE_ROUNDS} 4,A,B,2,0 4,C,D,2,0 5,B,C,2,0")),
        (2, "1,A,B,2,0".to_owned()),
    ] {
        let source = sheet(&format!("# cut: {cut}\n"), &rows);
        assert_eq!(source.phases.len(), 1, "{cut}: {rows}");
        assert!(told(&source).contains("`# phases: "), "{cut}: {rows}: {}", told(&source));
        legal_events(&source).expect("events");
    }
    // One that is not in the file is announced, and one that runs is there as far as it got.
    let announced = sheet("# cut: 4\n", THREE_ROUNDS);
    assert_eq!((phases(&announced).len(), told(&announced).as_str()), (1, ""));
    let still = "# finished: no\n# cut: 4\n";
    let runs = sheet(still, &format!("{THREE_ROUNDS} 4,A,B,2,0 4,C,D,2,0"));
    assert_eq!(phases(&runs), [(PhaseKind::Swiss, 3), (PhaseKind::Elimination, 1)]);
}

#[test]
fn a_match_without_a_game_is_told_or_waits_for_its_result() {
    let rows = "1,A,B,2,0 1,C,D,0,0 2,A,C,2,0 2,B,D,0,0";
    let over = sheet("", rows);
    assert!(told(&over).starts_with("line 3: 0-0 is read as a draw"), "{}", told(&over));
    let runs = sheet("# finished: no\n", rows);
    assert!(told(&runs).contains("line 6: 0-0 is read as a match that is not played yet"));
    let last = legal_events(&runs).expect("events").pop();
    assert!(matches!(last, Some(Event::ResultRecorded(_))), "{last:?}");
    // So does a match without any score, but only in the round that runs.
    let empty = |rows: &str| {
        let text = format!("# finished: no\n{HEAD}{rows}");
        read("a.csv", text.as_bytes()).map(|source| legal_events(&source).expect("events").len())
    };
    assert_eq!(empty("1,A,B,,\n").expect("a file"), 7);
    assert_eq!(empty("1,A,B,,\n2,A,B,2,0\n").expect_err("a hole").code(), "missing");
}

#[test]
fn a_column_that_is_no_games_is_told_wherever_it_stands() {
    for head in [
        "round,player_a,player_b,games_a,games_b,points",
        "round,player_a,player_b,points,games_a,games_b",
    ] {
        let source = source(&format!("{head}\n1,A,B,2,2,1\n").replace("2,2,1", "2,1,1"));
        assert!(told(&source).contains("The column points is read"), "{head}: {}", told(&source));
        let names: Vec<&str> =
            source.scoresheet.lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["games", "drawn", "points"], "{head}");
    }
    // Games are games where another line of the players stands before them.
    let text = "round,player_a,player_b,life_a,life_b,games_a,games_b\n1,A,B,9,1,2,0\n";
    assert_eq!(sheet_of(&source(text)), ["1: A-B 2+9,0+1 ()"]);
}

#[test]
fn a_dash_for_an_opponent_is_a_bye() {
    for nobody in ["-", "--", "\u{2014}", "\u{200b}", "..."] {
        let source = sheet("", &format!("1,A,B,2,0 1,C,{nobody},2,0"));
        assert_eq!(source.players.len(), 3, "{nobody:?}");
        assert_eq!(sheet_of(&source), ["1: A-B 2,0 ()", "1: C bye 2,0 ()"]);
        assert!(told(&source).contains("\"C\" has a bye"), "{nobody:?}: {}", told(&source));
    }
}

#[test]
fn what_a_spreadsheet_adds_around_the_lines_above_is_taken_away() {
    for (above, comma) in [
        ("# event: Season;;;;\n# rules: mtr;;;;\n;;;;\n", ';'),
        ("\"# event: Season\",,,,\n# rules: mtr,,,,\n,,,,\n", ','),
        ("sep=;\n# event: Season\n# rules: mtr\n", ';'),
        ("\u{feff}sep=,\r\n# event: Season,,\r\n# rules:,mtr,\r\n", ','),
    ] {
        let table = format!("{},\n1,A,B,2,0,\n", HEAD.trim()).replace(',', &comma.to_string());
        let source = source(&format!("{above}{table}"));
        assert_eq!(source.title, "Season", "{above}");
        assert_eq!(source.rules.as_deref(), Some("mtr"), "{above}");
        assert_eq!(told(&source), "", "{above}");
    }
    let quoted = sheet("\"# event: A, \"\"B\"\"\",,,\n", "1,A,B,2,0");
    assert_eq!(quoted.title, "A, \"B\"");
}

#[test]
fn who_plays_on_in_a_single_elimination_after_a_loss_is_told() {
    let swiss = "1,A,B,2,0 1,C,D,2,0 2,A,D,2,0 2,C,B,2,0";
    let source = sheet("# phases: single elimination 2\n", swiss);
    assert!(told(&source).starts_with("line 5: \"D\" plays on"), "{}", told(&source));
    let third = "1,A,B,2,0 1,C,D,2,0 2,A,C,2,0 2,B,D,2,0";
    assert_eq!(told(&sheet("# phases: single elimination 2\n", third)), "");
}

#[test]
fn a_phase_alone_has_all_the_rounds() {
    let source = sheet("# phases: single elimination\n", "1,A,B,2,0 1,C,D,2,0 2,A,C,2,0");
    assert_eq!(phases(&source), [(PhaseKind::Elimination, 2)]);
}

#[test]
fn what_a_spreadsheet_saved_otherwise_is_to_be_saved_as_csv() {
    let cases: [(&[u8], &str); 2] = [
        (b"PK\x03\x04\x14\x00\x06\x00", "unknown-format"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "unknown-format"),
    ];
    for (bytes, code) in cases {
        let error = read("a.xlsx", bytes).expect_err(code);
        assert_eq!(error.code(), code);
        assert!(error.hint().contains("save it as CSV"), "{error}");
    }
}

#[test]
fn the_column_that_is_missing_is_named() {
    for (head, name) in [("round,player_a,games_a", "player_b"), ("Round;Player A;Foe", "player_b")]
    {
        let error = read("a.csv", format!("{head}\n1,A,B\n").as_bytes()).expect_err(head);
        assert_eq!(error.code(), "missing");
        assert_eq!(error.to_string(), format!("a.csv: line 1: the column {name} is missing"));
    }
}

#[test]
fn an_opponent_called_bye_is_told_in_their_own_column() {
    let text = format!("{},kind\n1,A,BYE,2,0,conceded b\n", HEAD.trim());
    let error = read("a.csv", text.as_bytes()).expect_err("nobody concedes");
    assert!(error.to_string().contains("player_b is \"BYE\""), "{error}");
}

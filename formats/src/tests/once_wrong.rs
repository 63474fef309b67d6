//! Sheets that once came in as something that they do not say: each is read as it is meant, or asks, or says which
//! cell it does not understand.

use super::oddsheets::{book, lines, refused, told};
use super::*;

#[test]
fn a_name_that_stands_for_several_rows_gives_nobody_a_bye() {
    let refused = refused("Player,Opponent,Result\nAnn,Bob,2-1\n,Cid,0-2\n");
    assert!(refused.contains("line 3") && refused.contains("column 1 (Player)"), "{refused}");
    // A bye may stand in the place of the result; without one the other one has nobody.
    let bye = "Player,Opponent,Result\nAnn,Bob,2-1\n,Cid,bye\n";
    assert_eq!(lines(bye).len(), 2);
    assert_eq!(lines("Player,Opponent,Result\nAnn,Bob,2-1\nCid,,\n").len(), 2);
}

#[test]
fn opponents_are_found_by_their_numbers() {
    let sheet = "Nr;Spieler;Gegner;Ergebnis\n1;Ann;2;2-1\n2;Bob;1;1-2\n3;Cid;4;0-2\n4;Dan;3;2-0\n";
    assert_eq!(lines(sheet), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 0,2 (0)"]);
    assert!(told(sheet).contains("column 1 (Nr)"), "{}", told(sheet));
    assert_eq!(
        lines(&sheet.replace(";2;2-1", ";#2;2-1").replace(";1;1-2", ";1.;1-2")),
        lines(sheet)
    );
    for (sheet, line) in [
        ("Player,Opponent,Result\nAnn,2,2-1\nBob,1,1-2\n", "line 2"),
        ("Nr,Player,Opponent,Result\n1,Ann,2,2-1\n2,Bob,7,1-2\n", "line 3"),
    ] {
        let refused = refused(sheet);
        assert!(refused.contains(line) && refused.contains("Opponent"), "{refused}");
    }
}

#[test]
fn the_name_of_the_column_says_in_which_order_a_record_stands() {
    for (head, cell) in [
        ("Result (W-D-L)", "1-0-2"),
        ("Result (W-L-D)", "1-2-0"),
        ("Ergebnis (S-U-N)", "1-0-2"),
        ("Resultado (G-E-P)", "1-0-2"),
        ("Score (G-N-P)", "1-0-2"),
        ("Resultado (V-E-D)", "1-0-2"),
        ("Result (W-D-L)", "1-2"),
        ("Result (WDL)", "1-0-2"),
        ("Result (win-draw-loss)", "1-0-2"),
        ("Result (W-D-L)", "1-2 (3)"),
    ] {
        let sheet = format!("Player 1,Player 2,{head}\nAnn,Bob,{cell}\nCid,Dan,2-0\n");
        assert_eq!(lines(&sheet)[0], "1: Ann-Bob 1,2 (0)", "{head}");
    }
}

#[test]
fn a_plus_behind_a_color_is_a_win_where_draws_are_marked_and_points_are_not() {
    let sheet = "Nr;Name;1\n1;Anna;2w+\n2;Bernd;1s-\n3;Cy;4w=\n4;Di;3s=\n";
    let found = source(sheet);
    let results = found.phases[0].rounds[0].tables.iter().map(|table| &table.result);
    assert!(results.clone().count() == 2 && results.clone().all(|one| one.how == How::Played));
    // Beside points it is one without play.
    let sheet = "Nr;Name;1;2\n1;Anna;2w+;3s1\n2;Bernd;1s-;4w1\n3;Cy;4w1;1w0\n4;Di;3s0;2s0\n";
    let found = source(sheet);
    assert_eq!(found.phases[0].rounds[0].tables[0].result.how, How::Forfeit);
}

#[test]
fn a_letter_that_denies_the_games_beside_it_is_refused() {
    let sheet = |letters: [&str; 2]| {
        let [one, other] = letters;
        format!(
            "Player 1,Player 2,Games 1,Games 2,Result\nAnn,Bob,2,1,{one}\nCid,Dan,2,0,{other}\n"
        )
    };
    let refused = refused(&sheet(["L", "W"]));
    assert!(refused.contains("line 2") && refused.contains("mend one of them"), "{refused}");
    assert_eq!(lines(&sheet(["W", "W"])), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 2,0 (0)"]);
}

#[test]
fn sums_and_days_below_a_table_are_no_matches() {
    let sheet = "Spieler 1;Spieler 2;Ergebnis\nAnna;Bernd;2:1\nGesamt;1;2:1\n";
    assert_eq!(lines(sheet), ["1: Anna-Bernd 2,1 (0)"]);
    assert!(told(sheet).contains("line 3"), "{}", told(sheet));
    // A team may be called by a year, and begin like a sum.
    let teams = "Team 1,Team 2,Result\nMedia Markt,1860,2-1\nStand Up,Union,0-2\n";
    assert_eq!(lines(teams), ["1: Media Markt-1860 2,1 (0)", "1: Stand Up-Union 0,2 (0)"]);
    let told = told("Spieler 1;Spieler 2;Ergebnis\nAnna;Bernd;2:1\nDatum;12.10.2026;\n");
    assert!(told.contains("line 3") && told.contains("12.10.2026"), "{told}");
}

#[test]
fn names_in_two_columns_each_are_of_both_players() {
    let sheet = "Runde;Vorname;Nachname;Vorname;Nachname;Ergebnis\n1;Anna;Kurz;Bernd;Lang;2:1\n";
    assert_eq!(lines(sheet), ["1: Anna Kurz-Bernd Lang 2,1 (0)"]);
}

#[test]
fn names_of_columns_stand_in_two_lines() {
    let head =
        "Cup 2026;;;;;;\n;;Runde 1;;Runde 2;;\nNr.;Name;Gegner;Ergebnis;Gegner;Ergebnis;Pkt\n";
    let rows = "1;Anna;2;1;3;0;1\n2;Bernd;1;0;4;1;1\n3;Cy;4;1;1;1;2\n4;Di;3;0;2;0;0\n";
    assert_eq!(
        lines(&format!("{head}{rows}")),
        ["1: Anna-Bernd 1,0 (0)", "1: Cy-Di 1,0 (0)", "2: Anna-Cy 0,1 (0)", "2: Bernd-Di 1,0 (0)"]
    );
}

#[test]
fn the_name_of_one_round_above_a_table_is_no_part_of_its_columns() {
    let head = ";Runde 1;\nSpieler;Gegner;Ergebnis\nAnna;Bernd;2:1\nCy;Di;0:2\n";
    let more = ";Runde 2;\nSpieler;Gegner;Ergebnis\nAnna;Di;2:0\nBernd;Cy;1:2\n";
    assert_eq!(lines(&format!("{head}{more}")).len(), 4);
}

#[test]
fn no_choice_of_columns_is_suggested_that_takes_a_match_or_a_score_for_a_name() {
    let refused = refused(
        "Table,Round 1,Result,Round 2,Result\n1,Anna - Bernd,2:1,Anna - Clara,0:2\n\
         2,Clara - Dirk,2:0,Bernd - Dirk,2:1\n",
    );
    assert!(refused.contains("No choice of columns is sure here"), "{refused}");
    // Of the games of a match none is the result.
    let refused = self::refused(
        "Round,Player 1,Player 2,Game 1,Game 2,Game 3\n1,Ann,Bob,1,0,1\n1,Cid,Dan,1,1,\n",
    );
    assert!(refused.contains("No choice of columns is sure here"), "{refused}");
}

/// Each row looked for the players of all of them, so that a small file took minutes.
#[test]
fn a_long_list_of_opponents_by_number_is_read_at_once() {
    let row = |at: usize| format!("{at},P{at},{},2-1\n", if at % 2 == 1 { at + 1 } else { at - 1 });
    let rows: String = (1..=8_000).map(row).collect();
    let sheet = format!("Nr,Player,Opponent,Result\n{}", rows.replace("2-1\n", "1-1\n"));
    assert_eq!(source(&sheet).phases[0].rounds[0].tables.len(), 4_000);
}

#[test]
fn when_a_match_is_to_be_played_is_no_result() {
    let sheet = "Runde;Spieler 1;Spieler 2;Ergebnis\n1;Anna;Bernd;2:1\n1;Clara;Dirk;2:0\n\
                 2;Anna;Clara;18:00\n2;Bernd;Dirk;19:30\n";
    let found = source(sheet);
    let open = |table: &SourceTable| table.result.score.seats.is_empty();
    assert!(found.phases[0].rounds[1].tables.iter().all(open));
    let told = told(sheet);
    assert!(told.contains("line 4: 18:00") && told.contains("line 5: 19:30"), "{told}");
    // Points of a wargame may be so many, also where each line is so, and beside the points of both.
    for sheet in [
        "Player 1,Player 2,Result\nAnn,Bob,15:15\nCid,Dan,20:0\n",
        "# rules: wargame\nPlayer 1,Player 2,Result\nAnn,Bob,20:00\nCid,Dan,10:30\n",
        "Games 1,Games 2,Player 1,Player 2,Result\n21,15,Ann,Bob,21:15\n",
    ] {
        let source = read("a.csv", sheet.as_bytes());
        let told = source.map_or(String::new(), |source| format!("{:?}", source.oddities));
        assert!(!told.contains("is read as a time"), "{told}");
    }
}

#[test]
fn letters_of_an_old_mac_are_told_from_those_of_windows() {
    for (bytes, name) in [
        (&b"M\x9fller"[..], "Müller"),
        (b"J\x8ager", "Jäger"),
        (b"Zo\x8e", "Zoé"),
        (b"\x83lise", "Élise"),
        (b"Gro\xa7", "Groß"),
    ] {
        let sheet = [b"Spieler 1;Spieler 2;Ergebnis\n", bytes, b";Kurz;2:1\n"].concat();
        let found = read("a.csv", &sheet).expect("read");
        assert_eq!(found.players[0].name, name);
    }
}

#[test]
fn a_draw_is_marked_beside_winner_and_loser() {
    let sheet = "Round,Winner,Loser,Draw\n1,Ann,Bob,\n1,Cid,Dan,x\n";
    let found = source(sheet);
    let score = |at: usize| crate::csv::written(&found.phases[0].rounds[0].tables[at].result.score);
    assert_ne!(score(0), score(1));
    assert!(score(1).contains("0-0"), "{}", score(1));
    // What says no, as a box that is not ticked, is none; and nobody knows what `later` means there.
    assert_eq!(
        source(&sheet.replace(",x", ",no")).phases[0].rounds[0].tables[1].result,
        found.phases[0].rounds[0].tables[0].result
    );
    // Numbers are of games.
    let games = "Round,Winner,Loser,Winner Games,Loser Games,Draws\n1,Ann,Bob,2,0,1\n";
    let won = &source(games).phases[0].rounds[0].tables[0].result;
    assert_eq!(
        crate::csv::written(&won.score),
        crate::csv::written(&found.phases[0].rounds[0].tables[0].result.score)
    );
    assert!(told(games).contains("1 is read as no drawn match"), "{}", told(games));
    let refused = refused(&sheet.replace(",x", ",maybe"));
    assert!(refused.contains("column 4 (Draw)"), "{refused}");
}

#[test]
fn a_letter_means_what_the_language_of_its_column_says() {
    let sheet = |head: &str| format!("Nome 1,Nome 2,{head}\nAnna,Bea,S\nCarla,Dora,N\n");
    let winner = |head: &str| {
        let found = source(&sheet(head));
        crate::csv::written(&found.phases[0].rounds[0].tables[0].result.score)
    };
    assert_ne!(winner("Esito"), winner("Ergebnis"));
}

#[test]
fn sheets_of_other_players_in_the_same_round_are_told_to_be_one_tournament() {
    let one = "Round,Player 1,Player 2,Result\n1,Ann,Bob,2-1\n".replace(',', "|");
    let other = "Round,Player 1,Player 2,Result\n1,Cid,Dan,2-1\n".replace(',', "|");
    let told = |sheets: &[(&str, &str)]| {
        let source = read("a.xlsx", &book(sheets)).expect("read");
        format!("{:?}", source.oddities)
    };
    assert!(told(&[("Liga A", &one), ("Liga B", &other)]).contains("all groups of this file"));
    assert!(!told(&[("Pairings", &one), ("Results", &one)]).contains("all groups of this file"));
}

#[test]
fn what_players_had_before_the_round_is_no_part_of_their_names() {
    for (first, second) in [
        ("Ann (1-0)", "Bob (0-1)"),
        ("Ann 1-0", "Bob 0-1"),
        ("Ann [2-0-1]", "Bob [0-2-1]"),
        ("Ann (3 pts)", "Bob (0 pts)"),
        ("Ann 4,5 Punkte", "Bob 0 Punkte"),
    ] {
        let sheet = format!(
            "Round,Player 1,Player 2,Result\n1,Ann (0-0),Bob (0-0),2-1\n2,\"{first}\",\"{second}\",1-2\n"
        );
        assert_eq!(source(&sheet).players.len(), 2, "{first}");
        assert_eq!(lines(&sheet), ["1: Ann-Bob 2,1 (0)", "2: Ann-Bob 1,2 (0)"]);
        assert!(told(&sheet).contains("behind their names"), "{}", told(&sheet));
    }
    // What stands behind one name of many belongs to it, and a result behind the names is the result.
    let teams = "Round,Player 1,Player 2,Result\n1,Studio 54,Bob,2-1\n1,Team 1-0,Cid,2-1\n";
    let teams = source(teams);
    assert!(teams.players.iter().any(|player| player.name == "Team 1-0"), "{:?}", teams.players);
}

#[test]
fn sheets_that_count_their_rounds_anew_are_told_apart() {
    let first = "Runde|Spieler 1|Spieler 2|Ergebnis\n1|Anna|Bernd|2:1\n1|Clara|Dirk|2:0";
    let second = "Runde|Spieler 1|Spieler 2|Ergebnis\n1|Anna|Clara|0:2\n1|Bernd|Dirk|1:2";
    let bytes = book(&[("Abend 1", first), ("Abend 2", second)]);
    let error = read("evenings.xlsx", &bytes).expect_err("two tournaments");
    let error = error.to_string();
    assert!(
        error.contains("\"Abend 2\", row 2") && error.contains("files of their own"),
        "{error}"
    );
}

#[test]
fn two_players_who_meet_on_two_days_have_two_matches() {
    // Without rounds, days do not say which they are.
    for sheet in [
        "Datum;Heim;Gast;Ergebnis\n01.03.2026;Adler;Bär;2:1\n08.03.2026;Bär;Adler;1:2\n",
        "date,player1,player2,score1,score2\n2026-03-01,Ann,Bob,11,5\n2026-03-02,Bob,Ann,5,11\n",
        "Heim;Gast;Ergebnis\nAdler;Bär;2:1\nBär;Adler;4:2\n",
    ] {
        let refused = refused(sheet);
        assert!(refused.contains("the column round"), "{refused}");
    }
    let legs = "Round,Date,Home,Away,Score\nSemi-finals,2026-05-01,Ann,Bob,2-1\nSemi-finals,2026-05-08,Bob,Ann,1-2\n";
    assert!(refused(legs).contains("two legs"), "{}", refused(legs));
    // Once for each player it is one match, with its day or without.
    let both = "Datum;Spieler;Gegner;Ergebnis\n01.03.2026;Ann;Bob;2:1\n01.03.2026;Bob;Ann;1:2\n";
    assert_eq!(lines(both), ["1: Ann-Bob 2,1 (0)"]);
}

#[test]
fn sets_that_are_written_one_by_one_are_counted() {
    let sheet = |score: &str| format!("Player 1;Player 2;Score\nAnn;Bob;{score}\n");
    for (score, line) in [
        ("6-4 6-4", "1: Ann-Bob 2,0 (0)"),
        ("6-3, 3-6, 1-0", "1: Ann-Bob 2,1 (0)"),
        ("11:8 9:11 7:11", "1: Ann-Bob 1,2 (0)"),
        ("7-6(5) 6-3", "1: Ann-Bob 2,0 (0)"),
        ("2-1 (6-4 3-6 6-2)", "1: Ann-Bob 2,1 (0)"),
        ("'2-1", "1: Ann-Bob 2,1 (0)"),
    ] {
        assert_eq!(lines(&sheet(score)), [line], "{score}");
    }
    assert!(told(&sheet("6-4 6-4")).contains("Of sets"));
    for other in ["2-1 1-0", "15-13 20:30", "5:3 18:00"] {
        assert!(
            refused(&sheet(other)).contains(other),
            "the half-time or the hour may stand behind"
        );
    }
}

#[test]
fn who_won_may_be_said_by_color_or_side() {
    for (head, results, expected) in [
        // White stands first, wherever its column does.
        ("Schwarz;Weiß", ["W+3.5", "B+R"], ["1,0", "0,1"]),
        ("White;Black", ["WHITE_WIN", "black"], ["1,0", "0,1"]),
        ("Blancas;Negras", ["negras", "blancas"], ["0,1", "1,0"]),
        ("Home;Away", ["H", "A"], ["1,0", "0,1"]),
        ("Home;Away", ["X", "2"], ["0,0", "0,1"]),
    ] {
        let sheet = format!("{head};Result\nAnn;Bob;{}\nCid;Dan;{}\n", results[0], results[1]);
        let found: Vec<String> = lines(&sheet)
            .iter()
            .map(|line| line.split(' ').nth(2).unwrap_or_default().to_owned())
            .collect();
        assert_eq!(found, expected, "{sheet}");
    }
    // Without a color no one is said to have one.
    assert!(refused("Player 1;Player 2;Result\nAnn;Bob;W+3.5\n").contains("W+3.5"));
}

#[test]
fn a_result_that_says_no_more_than_that_it_is_over_leaves_it_to_the_other_columns() {
    let sheet = "Round,Player 1,Player 2,Games 1,Games 2,Result\n1,Ann,Bob,2,1,Finished\n1,Cid,Dan,0,2,Completed\n";
    assert_eq!(lines(sheet), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 0,2 (0)"]);
}

#[test]
fn a_bye_may_stand_beside_the_name_and_a_note_below_the_matches() {
    let sheet = "jornada;local;visitante;resultado\n1;Ann;Bob;2-1\n1;RIF descansa;;\n2;RIF;Ann;1-0\n2;descansa: Bob;;\n";
    let found = source(sheet);
    let mut names: Vec<&str> = found.players.iter().map(|player| player.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Ann", "Bob", "RIF"]);
    assert_eq!(found.phases[0].rounds[0].byes.len() + found.phases[0].rounds[1].byes.len(), 2);
    let note = "Round,White,Black,Result\n1,Ann,Bob,1-0\nDate,3 May,,\nPlayers,2,,\n";
    assert_eq!(lines(note).len(), 1);
}

#[test]
fn a_column_of_winners_is_no_column_of_chess_points() {
    let sheet =
        "Round,Player 1,Points 1,Player 2,Points 2,Winner\n1,Ann,0,Bob,0,Ann\n2,Ann,3,Bob,0,Bob\n";
    assert!(!source(sheet).halves);
}

#[test]
fn columns_of_sets_are_one_result() {
    let sheet = "Runde;Spieler 1;Spieler 2;1. Satz;2. Satz;3. Satz\n1;Ann;Bob;11:9;8:11;11:5\n1;Cid;Dan;2:11;4:11;\n";
    assert_eq!(lines(sheet), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 0,2 (0)"]);
    // Columns that do not have the points of both are something else.
    let ones = sheet.replace("11:9;8:11;11:5", "1;0;1").replace("2:11;4:11;", "0;0;");
    assert!(refused(&ones).contains("which column"));
}

#[test]
fn a_word_for_a_forfeit_beside_the_winner_is_theirs_without_play() {
    let sheet = "Spieler 1;Spieler 2;Ergebnis;Sieger\nAnn;Bob;2:1;Ann\nCid;Dan;kampflos;Dan\n";
    let found = source(sheet);
    let result = &found.phases[0].rounds[0].tables[1].result;
    assert_eq!(
        (result.how, &result.rulings[..]),
        (How::Forfeit, &[Some(Ruling::Loss), Some(Ruling::Win)][..])
    );
}

#[test]
fn a_score_that_looks_like_an_hour_is_one_only_where_it_says_so() {
    let sheet = |score: &str| {
        format!(
            "Player 1,Player 2,Result\nAnn,Bob,9:5\nCid,Dan,3:2\nEva,Fay,4:1\nGus,Hal,{score}\n"
        )
    };
    for score in ["12:10", "10:05", "8:10"] {
        let line = format!("1: Gus-Hal {} (0)", score.replace(':', ",").replace(",05", ",5"));
        assert!(lines(&sheet(score)).contains(&line), "{score}: {:?}", lines(&sheet(score)));
    }
    assert!(told(&sheet("18:00")).contains("is read as a time"));
    // Sets go on to two points more.
    let sets = |score: &str| format!("Player 1;Player 2;Score\nAnn;Bob;{score}\n");
    for score in ["11:9 12:10 11:7", "21:15 21:10", "15:10 15:12"] {
        assert!(lines(&sets(score))[0].starts_with("1: Ann-Bob"), "{score}");
    }
}

#[test]
fn columns_of_sets_keep_their_numbers_and_stand_beside_no_other_result() {
    let sheet = "Runde,Heim,Gast,Satz 1,Satz 2,Satz 3,Halle\n1,Ann,Bob,11:9,8:11,11:5,A\n1,Cid,Dan,2:11,4:11,,B\n";
    let results = ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 0,2 (0)"];
    assert_eq!(lines(sheet), results);
    assert!(told(sheet).contains("column 7 (Halle)"), "{}", told(sheet));
    let asked = Asked { columns: Some("ignore=7".to_owned()) };
    let chosen = read_with("a.csv", sheet.as_bytes(), &asked).expect("a choice");
    assert_eq!(sheet_of(&chosen), results);
    // Of a match that was broken off one set says nothing.
    let broken = sheet.replace("2:11,4:11,", "2:11,,");
    assert!(source(&broken).phases[0].rounds[0].tables[1].result.score.seats.is_empty());
    let beside =
        sheet.replace(",Halle", ",Ergebnis").replace(",A\n", ",2:1\n").replace(",B\n", ",0:2\n");
    assert_eq!(lines(&beside), results);
    let list = "Name,Punkte,Spiel 1,Spiel 2,Spiel 3\nAnn,6,3:1,2:0,3:0\nBob,3,1:3,2:1,0:2\n";
    assert_eq!(source(list).players.len(), 2);
}

#[test]
fn a_dash_for_a_winner_is_a_draw_once_later_rounds_were_played() {
    let sheet =
        "Round,Player 1,Player 2,Winner\n1,Ann,Bob,Ann\n1,Cid,Dan,-\n2,Ann,Cid,-\n2,Bob,Dan,Dan\n";
    let found = lines(sheet);
    assert_eq!((found[1].as_str(), found[2].as_str()), ("1: Cid-Dan 0,0 (1)", "2: Ann-Cid  ()"));
    assert!(told(sheet).contains("read as a draw"), "{}", told(sheet));
}

#[test]
fn standings_with_what_each_round_brought_are_standings() {
    for cells in [["W 2-0", "L 0-2"], ["3 pts", "0 pts"], ["10 10", "5 15"]] {
        let sheet = format!(
            "Rank,Player,R1,R2,Points\n1,Ann,{0},{0},6\n2,Bob,{1},{1},0\n",
            cells[0], cells[1]
        );
        assert_eq!(source(&sheet).published.len(), 2, "{sheet}");
    }
    let lost = "Rank,Player,R1,R2,Points\n1,Ann,w2x,w2x,6\n2,Bob,b1x,b1x,0\n";
    assert!(refused(lost).contains("an opponent's number"));
}

#[test]
fn two_results_below_the_name_of_a_round_are_of_that_round() {
    let sheet =
        "Runde 1\nSpieler;Gegner;Ergebnis\nAnn;Bob;2:1\nBob;Ann;2:1\nRunde 2\nAnn;Cid;2:0\n";
    let refused = refused(sheet);
    assert!(refused.contains("two results for one match in Round 1"), "{refused}");
}

/// Round 1 was lost without a word.
#[test]
fn columns_of_sets_are_one_result_above_each_round_and_by_words() {
    let round = "Heim,Gast,Satz 1,Satz 2,Satz 3\n";
    let sheet = format!(
        "Runde 1\n{round}Ann,Bob,11:9,8:11,11:5\nCid,Dan,2:11,4:11,\nRunde 2\n{round}Ann,Dan,11:9,11:5,\n"
    );
    assert_eq!(lines(&sheet), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 0,2 (0)", "2: Ann-Dan 2,0 (0)"]);
    for [won, lost] in [["W", "L"], ["P1", "P2"]] {
        let sheet = format!(
            "Player 1,Player 2,Game 1,Game 2,Game 3\nAnn,Bob,{won},{lost},{won}\nCid,Dan,{lost},{lost},\n"
        );
        assert_eq!(lines(&sheet), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 0,2 (0)"]);
    }
    // Where both players were chosen, their columns need no name that is known.
    let chosen = Asked { columns: Some("round=1,player_a=2,player_b=3".to_owned()) };
    let sheet = "Runde,Wer,Gegen wen,Satz 1,Satz 2\n1,Ann,Bob,11:9,11:5\n1,Cid,Dan,2:11,4:11\n";
    let found = read_with("a.csv", sheet.as_bytes(), &chosen).expect("a choice");
    assert_eq!(sheet_of(&found), ["1: Ann-Bob 2,0 (0)", "1: Cid-Dan 0,2 (0)"]);
    let list = "Name,Team,Game 1,Game 2\nAnn,Lions,3:1,2:0\nBob,Tigers,1:3,0:2\n";
    assert_eq!(source(list).phases.len(), 0, "a player met no team");
}

#[test]
fn a_match_that_is_postponed_is_no_draw_where_nobody_is_its_winner() {
    let sheet = "Round,Player 1,Player 2,Result,Winner\n1,Ann,Bob,2-1,Ann\n1,Cid,Dan,postponed,-\n2,Ann,Cid,2-0,Ann\n";
    assert!(lines(sheet)[1].contains("NoResult"), "{:?}", lines(sheet));
}

#[test]
fn who_won_is_read_from_a_column_of_their_names_or_asked_for() {
    let sheet = |name: &str| {
        format!("Round,Player 1,Player 2,{name}\n1,Ann,Bob,Ann\n1,Cid,Dan,Dan\n2,Ann,Dan,\n")
    };
    for name in [
        "Match Winner",
        "Winning Team",
        "Victor",
        "Who won?",
        "Gewonnen hat",
        "Ganó",
        "Gagnant(e)",
        "Vittoria",
        "Ganhou",
    ] {
        assert_eq!(lines(&sheet(name))[1], "1: Cid-Dan 0,1 (0)", "{name}");
    }
    let asked = refused(&sheet("Champ"));
    assert!(asked.contains("which column is winner") && asked.contains("winner=4"), "{asked}");
    // Where somebody plays is one of the two in each row, and always the same one.
    let places = "Round,Home,Away,Ground\n1,Ann,Bob,Ann\n1,Cid,Dan,Cid\n";
    assert_eq!(lines(places).len(), 2);
    let letters = "Round,Player 1,Player 2,W/L\n1,Ann,Bob,W\n1,Cid,Dan,L\n";
    assert!(refused(letters).contains("--columns round=1,player_a=2,player_b=3,result=4"));
    for name in ["Result (W/D/L)", "Ergebnis (S/U/N)"] {
        let sheet = letters.replace("W/L", name);
        let sheet = if name.contains('S') {
            sheet.replace(",W\n", ",S\n").replace(",L\n", ",N\n")
        } else {
            sheet
        };
        assert_eq!(lines(&sheet).len(), 2, "{sheet}");
    }
    let games = "Player 1,Player 2,Game 1 Winner,Game 2 Winner\nAnn,Bob,Ann,Bob\nCid,Dan,Cid,Cid\n";
    assert!(told(games).contains("Not read"), "of two games none is the match");
    let sides = "Aff,Neg,Judge,Win\nAnn,Bob,J,Aff\nCid,Dan,J,Neg\n";
    assert_eq!(lines(sides), ["1: Ann-Bob 1,0 (0)", "1: Cid-Dan 0,1 (0)"]);
}

#[test]
fn what_players_had_before_a_match_is_no_result_of_it() {
    for head in
        ["Table,Player,Record,Opponent,Record", "Table,Player 1,P1 Record,Player 2,P2 Record"]
    {
        let sheet = format!("{head}\n1,Ann,1-0-0,Cid,1-0-0\n2,Bob,0-1-0,Dan,0-1-0\n");
        assert_eq!(lines(&sheet), ["1: Ann-Cid  ()", "1: Bob-Dan  ()"]);
        assert!(told(&sheet).contains("Not read"), "{}", told(&sheet));
    }
}

/// The suggested choice gave the guest's games to who played at home, or named one player as both.
#[test]
fn a_choice_is_suggested_only_where_it_is_sure() {
    let two_each = "Home,Home handicap,Home hoops,Away,Away handicap,Away hoops\nAnn,8,6,Bob,7,2\nCid,1,4,Dan,4,8\n";
    let asked = refused(two_each);
    assert!(asked.contains("Look which two have the games") && !asked.contains("=2"), "{asked}");
    let known = "Fecha,Local,goles_local,Otros,goles_visitante,resultado_local\n1,Ann,5,Bob,8,P\n2,Ann,10,Bob,5,G\n";
    let asked = refused(known);
    assert!(asked.matches("games_b").count() < 2, "{asked}");
    let weeks =
        "semaine;club rec;club vis;sc rec;sc vis\n2024-40;Ann;Bob;28;25\n2024-41;Cid;Dan;22;20\n";
    assert!(!refused(weeks).contains("result=1"), "{}", refused(weeks));
    let partners = "Équipe;Joueur 1;Joueur 2\n1;Ann;Bob\n2;Cid;Dan\n";
    let chosen = Asked { columns: Some("name=2".to_owned()) };
    let found = read_with("a.csv", partners.as_bytes(), &chosen).expect("a choice");
    assert!(found.phases.is_empty() && found.players.len() == 2);
    let form = "Round,Your name,Your opponent's name,Games you won,Games opponent won\n1,Ann,Bob,2,1\n1,Cid,Dan,0,2\n";
    assert!(
        refused(form).contains("player_a=2,player_b=3,games_a=4,games_b=5"),
        "{}",
        refused(form)
    );
}

#[test]
fn clubs_play_where_nobody_else_is_named() {
    let sheet = "Runde;Verein 1;Verein 2;Ergebnis\n1;SV Adler;TSV Baer;3:5\n";
    assert_eq!(lines(sheet), ["1: SV Adler-TSV Baer 3,5 (0)"]);
    assert_eq!(source("Verein\nSV Adler\nTSV Baer\n").players.len(), 2);
    let beside = "Name;Verein\nAnn;SV Adler\nBob;TSV Baer\n";
    assert!(source(beside).players.iter().any(|player| player.name == "Ann"));
}

#[test]
fn rounds_that_begin_anew_in_another_phase_are_to_be_numbered_on() {
    let sheet = "Phase,Round,Player 1,Player 2,Result\nSwiss,1,Ann,Bob,2-0\nSwiss,1,Cid,Dan,2-1\nTop 4,1,Ann,Dan,2-0\n";
    let refused_with = refused(sheet);
    assert!(refused_with.contains("column 1 (Phase)"), "{refused_with}");
    let again =
        sheet.replace("Ann,Dan,2-0", "Ann,Bob,0-2").replace(",1,Cid,Dan,2-1", ",2,Cid,Dan,2-1");
    assert!(refused(&again).contains("column 1 (Phase)"), "{}", refused(&again));
    let losers = "Round,Player 1,Player 2,Result\n1,Ann,Bob,2-0\n-1,Cid,Dan,2-1\n";
    assert!(refused(losers).contains("rounds of the losers"), "{}", refused(losers));
}

#[test]
fn a_number_in_brackets_before_a_name_is_none_of_it() {
    let sheet = "Round,Player 1,Player 2,Score\n1,[1] Ann,[2] Bob,2-0\n2,Ann,Cid,2-1\n";
    assert_eq!(lines(sheet), ["1: Ann-Bob 2,0 (0)", "2: Ann-Cid 2,1 (0)"]);
    assert!(told(sheet).contains("number in brackets"), "{}", told(sheet));
}

/// Every score went to the other player.
#[test]
fn scores_are_of_the_player_beside_them_where_the_second_one_stands_first() {
    for head in ["Visitor,Score,Home,Score", "Away,Goals,Home,Goals", "Gast;Tore;Heim;Tore"] {
        let sheet = format!("{head}\nBlues,5,Reds,3\nCats,1,Dogs,4\n")
            .replace(',', if head.contains(';') { ";" } else { "," });
        assert_eq!(lines(&sheet), ["1: Reds-Blues 3,5 (0)", "1: Dogs-Cats 4,1 (0)"], "{head}");
    }
}

#[test]
fn a_line_above_matches_is_nobody() {
    for head in [
        ["Samstag 28.11.", "Sonntag 29.11."],
        ["Court 1", "Court 2"],
        ["U12 Boys", "U12 Girls"],
        ["Saturday", "Sunday"],
        ["WINNERS BRACKET", "LOSERS BRACKET"],
    ] {
        let sheet = format!(
            "Home,Away,Score\n{},,\nReds,Blues,2-1\nCats,Dogs,0-1\n{},,\nEels,Foxes,1-3\n",
            head[0], head[1]
        );
        assert_eq!(lines(&sheet).len(), 3, "{sheet}");
        assert!(told(&sheet).contains("read as no match"), "{}", told(&sheet));
    }
    let bye = "Home,Away,Score\nReds,Blues,2-1\nCats,,\n";
    assert_eq!((lines(bye).len(), told(bye).contains("with a bye")), (2, true));
}

#[test]
fn the_set_that_decides_counts_too() {
    for last in ["MTB", "Match Tiebreak", "Decider", "Final set", "3. Satz"] {
        let sheet = format!(
            "Spieler 1;Spieler 2;1. Satz;2. Satz;{last}\nAnn;Bob;4:3;0:4;10:3\nCid;Dan;4:1;4:2;\n"
        );
        assert_eq!(lines(&sheet), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dan 2,0 (0)"], "{last}");
    }
}

#[test]
fn nought_is_the_second_player_where_no_winner_is_2() {
    let sheet =
        |last: &str| format!("Player 1,Player 2,Winner\nAnn,Bob,1\nCid,Dan,0\nEva,Fay,{last}\n");
    assert_eq!(lines(&sheet("1"))[1], "1: Cid-Dan 0,1 (0)");
    assert!(told(&sheet("1")).contains("0 or no as won by the second"));
    let flags = |name: &str, [yes, no]: [&str; 2]| {
        format!("Round,Player 1,Player 2,{name}\n1,Ann,Bob,{yes}\n1,Cid,Dan,{no}\n")
    };
    for words in [["Yes", "No"], ["TRUE", "FALSE"], ["ja", "nein"]] {
        assert_eq!(lines(&flags("Won?", words)), ["1: Ann-Bob 1,0 (0)", "1: Cid-Dan 0,1 (0)"]);
    }
    let beside = "Round,Player 1,Player 2,Won?,Score\n1,Ann,Bob,TRUE,2-1\n1,Cid,Dan,FALSE,0-2\n";
    assert_eq!(lines(beside)[1], "1: Cid-Dan 0,2 (0)");
    assert_eq!(lines(&sheet("2"))[1], "1: Cid-Dan 0,0 (1)");
}

#[test]
fn rows_of_a_longer_table_beside_the_matches_are_none() {
    let sheet = "Heim;Gast;Tore;;Platz;Team;Punkte\nAnn;Bob;2:1;;1;Ann;3\nCy;Di;0:2;;2;Di;3\n;;;;3;Bob;0\n;;;;4;Cy;0\n";
    assert_eq!(lines(sheet), ["1: Ann-Bob 2,1 (0)", "1: Cy-Di 0,2 (0)"]);
    assert!(told(sheet).contains("read as no match"), "{}", told(sheet));
}

/// The upper of two tables was lost without a word.
#[test]
fn tables_below_one_another_are_each_read_where_a_name_of_a_column_has_a_number() {
    let sheet = "Runde 1\nHeim,Gast,Ergebnis,Feld 3\nAnn,Bob,2:1,x\nCid,Dan,2:0,y\nRunde 2\nHeim,Gast,Ergebnis,Feld 3,Tisch\nAnn,Cid,2:1,x,1\nBob,Dan,2:1,x,2\n";
    assert_eq!(lines(sheet).len(), 4, "{:?}", lines(sheet));
}

#[test]
fn sets_may_have_slashes_and_an_hour_is_none_of_them() {
    let sheet = "Ronde;Joueur 1;Joueur 2;Score\n1;Ann;Bob;6/4 3/6 7/5\n1;Cy;Di;6/0 6/1\n";
    assert_eq!(lines(sheet), ["1: Ann-Bob 2,1 (0)", "1: Cy-Di 2,0 (0)"]);
    for score in ["5:4 11:00", "6:0 15:10", "3:5 15:00"] {
        let sheet = format!("Player 1,Player 2,Result\nAnn,Bob,{score}\n");
        assert!(refused(&sheet).contains(score), "{}", refused(&sheet));
    }
    for score in ["6:4 3:6 12:10", "11:9 12:10"] {
        assert_eq!(lines(&format!("Player 1,Player 2,Result\nAnn,Bob,{score}\n")).len(), 1);
    }
}

#[test]
fn an_opponent_beside_a_mark_is_not_left_out_of_a_cross_table() {
    for cells in [["2 W+", "1 L-"], ["w2 q", "b1 q"]] {
        let sheet = format!("Rank,Player,R1,Points\n1,Ann,{},1\n2,Bob,{},0\n", cells[0], cells[1]);
        assert!(refused(&sheet).contains("an opponent's number"), "{}", refused(&sheet));
    }
}

#[test]
fn a_wide_file_is_refused_at_once_and_a_long_name_too() {
    let wide =
        format!("Player 1,Player 2,Result\n{}", format!("{}\n", "ab,".repeat(20_000)).repeat(60));
    assert!(refused(&wide).contains("columns"));
    let long = format!("Player 1,Player 2,Result\n{},Bob,2-0\n", "a ".repeat(30_000));
    assert!(refused(&long).contains("name"), "{}", refused(&long));
}

#[test]
fn a_result_in_words_names_who_won_or_who_forfeited() {
    let sheet = "Player 1,Player 2,ResultString\nAnn,Bob,Bob won 2-1-0\nCid,Dan,Cid forfeited the match\nEva,Fay,Eva won\n";
    assert_eq!(lines(sheet)[0], "1: Ann-Bob 1,2 (0)");
    let tables = &source(sheet).phases[0].rounds[0].tables;
    assert_eq!(tables[1].result.how, How::Forfeit);
    assert_eq!(tables[1].result.rulings[..], [Some(Ruling::Loss), Some(Ruling::Win)]);
    assert_eq!(tables[2].result.rulings[..], [Some(Ruling::Win), Some(Ruling::Loss)]);
}

#[test]
fn whoever_has_a_bye_keeps_it_whatever_they_are_called() {
    for name in ["Team 5", "SV Nord 2", "Schalke 04", "Ed Kim (1450)", "Jim Hall", "Ana Domingo"] {
        let sheet = format!("Home,Away,Score\nReds,Blues,2-1\n{name},,\nCats,Dogs,0-1\n");
        assert_eq!(lines(&sheet).len(), 3, "{sheet}");
    }
    let two = "Player 1,Player 2,Score\nAnn,,\nDi,,\nBob,Cy,2-1\n";
    assert_eq!(source(two).players.len(), 4);
}

#[test]
fn clubs_beside_persons_of_whom_nobody_knows_the_column_do_not_play() {
    for sheet in [
        "Platz;Sch\u{fc}tze;Verein;Ringe\n1;Ann;SV Nord;98\n2;Bob;SG Ost;97\n",
        "Fechter 1;Verein 1;Fechter 2;Verein 2;Ergebnis\nAnn;SV Nord;Bob;SG Ost;5:3\nCid;SV Nord;Dan;SG Ost;2:5\n",
    ] {
        assert!(refused(sheet).contains("which column"), "{}", refused(sheet));
    }
}

#[test]
fn a_tie_break_within_a_set_is_none_of_its_own() {
    let sheet =
        "Player 1;Player 2;Set 1;Set 2;Tiebreak\nAnn;Bob;7:6;6:4;7:5\nCid;Dan;6:4;4:6;10:8\n";
    assert_eq!(lines(sheet), ["1: Ann-Bob 2,0 (0)", "1: Cid-Dan 2,1 (0)"]);
}

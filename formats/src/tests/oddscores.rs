//! Scores, colors, byes, rounds and letters of sheets as people and programs write them: nothing becomes another
//! result.

use super::oddsheets::{lines, refused, told};
use super::*;

const HEAD: &str = "Round,Player 1,Player 2,Result\n";

/// The half-time and the points of the games stood behind the score, and became a part of it.
#[test]
fn what_stands_in_brackets_behind_a_score_is_left_out_and_told_once() {
    for (score, expected) in [
        ("2:1 (1:0)", "2,1 (0)"),
        ("2:1(1:0)", "2,1 (0)"),
        ("2-1 (3)", "2,1 (0)"),
        ("2-0 [1]", "2,0 (0)"),
        ("2:2 (2:1)", "2,2 (0)"),
        ("2:1 (HZ 1:0)", "2,1 (0)"),
        ("\"2-1 (11-9, 5-11, 11-7)\"", "2,1 (0)"),
        ("Abel 2-1 (1-0)", "2,1 (0)"),
    ] {
        let text = format!("{HEAD}1,Abel,Bora,{score}\n1,Cleo,Dana,2:0 (1:0)\n1,Egon,Fay,0:2\n");
        let expected = [format!("1: Abel-Bora {expected}"), "1: Cleo-Dana 2,0 (0)".to_owned()];
        assert_eq!(lines(&text)[..2], expected, "{score}");
        assert_eq!(told(&text).matches("in brackets behind a score").count(), 1, "{score}");
    }
    let between = "Ann Lee 2:1 (1:0) Bob Smith\nCid Roe - Dee Fox 0:2 (0:1)\n";
    assert_eq!(lines(between), ["1: Ann Lee-Bob Smith 2,1 (0)", "1: Cid Roe-Dee Fox 0,2 (0)"]);
    let grid = ";Ann;Ben;Cid\nAnn;;2:1 (1:0);3:0\nBen;1:2;;2:1\nCid;0:3;1:2;\n";
    assert!(lines(grid).iter().any(|line| line.ends_with("Ann-Ben 2,1 (0)")), "{:?}", lines(grid));
    assert!(told(grid).contains("in brackets behind a score"), "{}", told(grid));
    // A whole score in brackets is one.
    let whole = format!("{HEAD}1,Abel,Bora,(2-1)\n1,Cleo,Dana,[0-2]\n");
    assert_eq!(lines(&whole), ["1: Abel-Bora 2,1 (0)", "1: Cleo-Dana 0,2 (0)"]);
    assert!(!told(&whole).contains("brackets"), "{}", told(&whole));
}

#[test]
fn numbers_that_nobody_can_tell_the_score_from_are_refused_with_their_cell() {
    for score in [
        "2:2 (4:3)",
        "(1:0) 2:1",
        "2 (1) - 0",
        "1 (0)",
        "2-1 (table 3)",
        "2 1-0",
        "2*1-0",
        "4.5:3.5",
        "1.5-0.5",
        "\"0,0\"",
    ] {
        let error = refused(&format!("{HEAD}1,Abel,Bora,{score}\n1,Cleo,Dana,2-0\n"));
        let cell = score.trim_matches('"');
        assert!(error.contains("line 2") && error.contains(&format!("{cell:?}")), "{error}");
    }
}

#[test]
fn a_number_with_nothing_behind_its_point_is_whole() {
    for (score, expected) in [
        ("1.0-0.0", "1,0 (0)"),
        ("\"1,0-0,0\"", "1,0 (0)"),
        ("0.0 : 1.0", "0,1 (0)"),
        ("0.5-0.5", " () [Draw, Draw]"),
    ] {
        let text = format!("{HEAD}1,Abel,Bora,{score}\n1,Cleo,Dana,0.5-0.5\n1,Egon,Fay,1.0-0.0\n");
        assert_eq!(lines(&text)[0], format!("1: Abel-Bora {expected}"), "{score}");
        assert!(source(&text).halves, "{score}: points of single games");
    }
    let games = format!("{HEAD}1,Abel,Bora,2.0-1.0\n1,Cleo,Dana,0.0-2.0\n");
    assert_eq!(lines(&games), ["1: Abel-Bora 2,1 (0)", "1: Cleo-Dana 0,2 (0)"]);
    let battle = format!("{HEAD}1,Abel,Bora,1.250-900\n1,Cleo,Dana,40-1.100\n");
    assert_eq!(lines(&battle), ["1: Abel-Bora 1250,900 ()", "1: Cleo-Dana 40,1100 ()"]);
}

/// `B` is black in English and white in French: who had white is told by the other letter.
#[test]
fn colors_of_a_cross_table_are_those_of_its_language() {
    let four = [
        "1: Abel-Bora 1,0 (0)",
        "1: Dana-Cleo 0,1 (0)",
        "2: Cleo-Abel 0,0 (1)",
        "2: Bora-Dana 1,0 (0)",
    ];
    for text in [
        "No,Name,1,2\n1,Abel,2w1,3b½\n2,Bora,1b0,4w1\n3,Cleo,4b1,1w½\n4,Dana,3w0,2b0\n",
        "Nr;Name;1;2\n1;Abel;2w1;3s½\n2;Bora;1s0;4w1\n3;Cleo;4s1;1w½\n4;Dana;3w0;2s0\n",
        "No;Nombre;1;2\n1;Abel;2b1;3n½\n2;Bora;1n0;4b1\n3;Cleo;4n1;1b½\n4;Dana;3b0;2n0\n",
        "Num;Nome;1;2\n1;Abel;+2B;=3P\n2;Bora;-1P;+4B\n3;Cleo;+4P;=1B\n4;Dana;-3B;-2P\n",
        "Pl;Nom;R 1;R 2\n1;Abel;+ 2B;= 3N\n2;Bora;- 1N;+ 4B\n3;Cleo;+ 4N;= 1B\n4;Dana;- 3B;- 2N\n",
    ] {
        assert_eq!(lines(text), four, "{text}");
    }
    // Matches that are not over have a color alone.
    for (black, white) in [("N", "B"), ("P", "B"), ("B", "W"), ("S", "W")] {
        let text = format!(
            "No;Nom;1\n1;Abel;2{black}\n2;Bora;1{white}\n3;Cleo;4{white}\n4;Dana;3{black}\n"
        );
        assert_eq!(lines(&text), ["1: Bora-Abel  ()", "1: Cleo-Dana  ()"], "{black}");
    }
    let only = "No,Name,1\n1,Abel,2b1\n2,Bora,1b0\n3,Cleo,4b½\n4,Dana,3b½\n";
    assert!(told(only).contains("no color but b, which is read as black"), "{}", told(only));
}

/// As the French federation prints it: `>` and `<` are won and lost without play, `EXE` is exempt.
#[test]
fn an_american_grid_of_the_french_federation_is_read() {
    let text = "Pl;Nom;R 1;R 2;Pts\n1;LEFEVRE;+ 3B;= 2N;1,5\n2;MARTIN;> 4B;= 1B;1,5\n3;PETIT;- 1N;EXE;1\n4;ROUX;< 2N;;0\n";
    assert_eq!(
        lines(text),
        [
            "1: LEFEVRE-PETIT 1,0 (0)",
            "1: MARTIN-ROUX  () [Win, Loss]",
            "2: MARTIN-LEFEVRE 0,0 (1)",
            "2: PETIT bye ",
        ]
    );
    assert_eq!(source(text).published[0].points_tenths, 15);
}

#[test]
fn who_was_not_paired_has_a_bye_of_what_the_result_says() {
    for nobody in [
        "not paired",
        "nicht ausgelost",
        "no emparejado",
        "non apparié",
        "non abbinato",
        "não emparceirado",
    ] {
        let text = format!(
            "Round;Bo.;White;Result;Black\n1;1;Ann;1-0;Ben\n1;2;Cid;0;{nobody}\n1;3;Dee;;{nobody}\n\
             1;4;Eve;½;{nobody}\n1;5;Fay;1;{nobody}\n"
        );
        assert_eq!(
            lines(&text),
            [
                "1: Ann-Ben 1,0 (0)",
                "1: Cid zero bye ",
                "1: Dee zero bye ",
                "1: Eve half bye ",
                "1: Fay bye ",
            ],
            "{nobody}"
        );
    }
    let cross =
        "Name,Round 1,Round 2\nAnn,Bob 2-1,half bye\nBob,Ann 1-2,Cid 2-0\nCid,not paired,Bob 0-2\n";
    assert_eq!(
        lines(cross),
        ["1: Ann-Bob 2,1 (0)", "1: Cid zero bye ", "2: Bob-Cid 2,0 (0)", "2: Ann half bye "]
    );
    for head in ["Bo.", "Br."] {
        let source = source(&format!("{head};White;Black;Result\n7;Ann;Ben;1-0\n8;Cid;Dee;½\n"));
        let (_, round) = source.rounds().next().expect("a round");
        assert_eq!(round.tables[0].table, Some(7), "{head}");
    }
}

#[test]
fn byes_of_half_a_point_and_of_none_are_what_they_say() {
    let kinds: [(&str, &[&str]); 3] = [
        (
            "half bye",
            &["0.5 bye", "\"0,5 bye\"", "Bye (0.5)", "\"freilos 0,5\"", "1/2 pt bye", "½ pt bye"],
        ),
        ("zero bye", &["0 bye", "0-point bye", "zero point bye"]),
        (
            "bye",
            &[
                "pairing bye",
                "Bye Round",
                "won by bye",
                "turno di riposo",
                "Turno libre",
                "setzt aus",
            ],
        ),
    ];
    for (kind, cells) in kinds {
        for cell in cells {
            let text = format!("{HEAD}1,Ann,Ben,2-0\n1,Cid,{cell},\n");
            assert_eq!(lines(&text)[1], format!("1: Cid {kind} "), "{cell}");
        }
    }
    for (result, kind) in [("BYE", "bye"), ("½ bye", "half bye"), ("0 bye", "zero bye")] {
        let text = format!("{HEAD}1,Ann,Ben,2-0\n1,Cid,,{result}\n");
        assert_eq!(lines(&text)[1], format!("1: Cid {kind} "), "{result}");
    }
    for doubtful in ["bye as asked by mail", "Libre 3 x", "folga pedida"] {
        let told = told(&format!("{HEAD}1,Ann,Ben,2-0\n1,Cid,{doubtful},2-0\n"));
        assert!(told.contains("looks like no player"), "{doubtful}: {told}");
    }
    for name in ["Bye Smith", "Ana de la Folga"] {
        let told = told(&format!("{HEAD}1,Ann,Ben,2-0\n1,Cid,{name},2-0\n"));
        assert!(!told.contains("looks like no player"), "{name}: {told}");
    }
}

#[test]
fn rounds_of_a_cut_may_be_parts_of_the_final_or_letters() {
    let names = |rounds: [&str; 3]| -> Vec<String> {
        let [quarter, semi, last] = rounds;
        let text = format!(
            "{HEAD}{quarter},Ann,Bob,2-1\n{quarter},Cid,Dee,2-1\n{quarter},Eve,Fay,2-1\n{quarter},Gus,Hal,2-1\n\
             {semi},Ann,Cid,2-0\n{semi},Eve,Gus,2-0\n{last},Ann,Eve,2-1\n"
        );
        source(&text).rounds().map(|(_, round)| round.name.clone()).collect()
    };
    for rounds in [
        ["1/4 de finale", "1/2 finale", "Finale"],
        ["1/4 de final", "1/2 final", "Final"],
        ["¼ finale", "½ finale", "finale"],
        ["QF", "SF", "F"],
        ["QF1", "SF1", "F"],
    ] {
        assert_eq!(names(rounds), ["Quarterfinals", "Semifinals", "Final"], "{rounds:?}");
    }
    assert_eq!(names(["1/8 final", "1/4 final", "1/2 final"])[0], "Round of 16");
    assert_eq!(names(["R16", "QF", "SF"]), ["Round of 16", "Quarterfinals", "Semifinals"]);
    for round in ["Swiss", "Fecha", "Journée", "Giornata", "R"] {
        let [one, two] = [1, 2].map(|number| format!("{round} {number}"));
        assert_eq!(
            names([one.as_str(), two.as_str(), "SF"]),
            ["Round 1", "Round 2", "Semifinals"],
            "{round}"
        );
    }
}

#[test]
fn fecha_is_a_matchday_where_small_numbers_stand_below_it() {
    let text = "Fecha;Local;Visitante;Resultado\n1;Ana;Bob;2-1\n1;Cid;Dan;0-2\n2;Ana;Cid;2-0\n";
    assert_eq!(lines(text), ["1: Ana-Bob 2,1 (0)", "1: Cid-Dan 0,2 (0)", "2: Ana-Cid 2,0 (0)"]);
    let days = text.replace("\n1;", "\n13/10/2026;").replace("\n2;Ana;Cid", "\n13/10/2026;Eva;Fay");
    let source = source(&days);
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-10-13"));
    assert_eq!(source.rounds().count(), 1);
}

#[test]
fn letters_for_won_drawn_and_lost_are_settled_by_all_of_a_column() {
    let text = |letters: &[&str]| -> String {
        let pairs = ["Abel;Bora", "Cleo;Dana", "Egon;Fay"];
        let rows = pairs.iter().zip(letters).map(|(pair, letter)| format!("1;{pair};{letter}\n"));
        format!("Runde;Spieler;Gegner;Ergebnis\n{}", rows.collect::<String>())
    };
    for letters in [
        ["S", "R", "V"],
        ["S", "U", "V"],
        ["S", "U", "N"],
        ["V", "N", "D"],
        ["V", "N", "P"],
        ["V", "P", "S"],
        ["G", "E", "P"],
        ["G", "N", "P"],
        ["G", "U", "V"],
        ["V", "E", "D"],
    ] {
        let expected = ["1: Abel-Bora 1,0 (0)", "1: Cleo-Dana 0,0 (1)", "1: Egon-Fay 0,1 (0)"];
        assert_eq!(lines(&text(&letters)), expected, "{letters:?}");
    }
    // Won and lost in German, or lost and won in Italian.
    for letters in [["S", "V"], ["V", "P"]] {
        let error = refused(&text(&letters));
        assert!(error.contains("line 2") && error.contains("letters of one language"), "{error}");
    }
}

/// It was read as a list of players, and what they played was told as not read.
#[test]
fn the_opponent_and_the_result_of_each_round_may_stand_side_by_side() {
    let english = "Name,Opponent 1,Result 1,Opponent 2,Result 2\nAnn,Bob,2-1,Cid,0-2\nBob,Ann,1-2,bye,\n\
                   Cid,,,Ann,2-0\n";
    let found = ["1: Ann-Bob 2,1 (0)", "2: Ann-Cid 0,2 (0)", "2: Bob bye "];
    assert_eq!(lines(english), found);
    assert!(!told(english).contains("ot read"), "{}", told(english));
    let german = "Name;R1 Gegner;R1 Ergebnis;R2 Gegner;R2 Ergebnis;Punkte\nAnn;Bob;S;Cid;N;1\n\
                  Bob;Ann;N;spielfrei;;1\nCid;-;-;Ann;S;1\n";
    let found = ["1: Ann-Bob 1,0 (0)", "2: Ann-Cid 0,1 (0)", "2: Bob bye "];
    assert_eq!(lines(german), found);
    assert_eq!(source(german).published.len(), 3);
    let points = "Name,Round 1 Opponent,Round 1 Result\nAnn,Bob,½\nBob,Ann,½\nCid,Dee,1\nDee,Cid,0\nEve,,1\n";
    let found = ["1: Ann-Bob 0,0 (1)", "1: Cid-Dee 1,0 (0)", "1: Eve bye "];
    assert_eq!(lines(points), found);
    let numbers = "No,Name,Opp 1,Result 1\n7,Ann,9,W\n9,Bob,7,L\n";
    assert_eq!(lines(numbers), ["1: Ann-Bob 1,0 (0)"]);
    // A round that is paired has no column of results yet.
    let open = "Name,Opponent 1,Result 1,Opponent 2\nAnn,Bob,W,Cid\nBob,Ann,L,Dee\nCid,Dee,W,Ann\nDee,Cid,L,Bob\n";
    let found = ["1: Ann-Bob 1,0 (0)", "1: Cid-Dee 1,0 (0)", "2: Ann-Cid  ()", "2: Bob-Dee  ()"];
    assert_eq!(lines(open), found);
    for (opponent, result) in [
        ("Result 1", "Opponent 1"),
        ("1. Runde Gegner", "1. Runde Ergebnis"),
        ("Ergebnis1", "Gegner1"),
        ("Adversaire ronde 1", "Résultat ronde 1"),
        ("Rival 1", "Resultado 1"),
        ("Avversario 1º turno", "Risultato 1º turno"),
        ("Adversário rodada 1", "Resultado rodada 1"),
    ] {
        let is_turned = ["Result 1", "Ergebnis1"].contains(&opponent);
        let rows = match is_turned {
            true => "Ann,2-0,Bob\nBob,0-2,Ann\n",
            false => "Ann,Bob,2-0\nBob,Ann,0-2\n",
        };
        let text = format!("Name,{opponent},{result}\n{rows}");
        assert_eq!(lines(&text), ["1: Ann-Bob 2,0 (0)"], "{text}");
    }
    let denied = refused(&english.replace("Ann,1-2", "Ann,2-1"));
    let has = |part: &str| denied.contains(part);
    assert!(has("line 3") && has("line 2") && has("two results"), "{denied}");
    let other = refused(&english.replace("Bob,Ann,1-2", "Bob,Cid,1-2"));
    assert!(other.contains("line 3") && other.contains("line 2"), "{other}");
}

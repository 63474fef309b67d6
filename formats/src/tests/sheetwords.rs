//! Words and marks of sheets that once became a result or a player: who won, who left, overtime, rounds.

use super::oddsheets::{book, lines, refused, told};
use super::*;

const WON: &str = "Round,Player 1,Player 2,Winner\n";

#[test]
fn a_winner_without_letters_is_not_known_yet() {
    for mark in ["-", "--", "?", "...", "\u{2013}"] {
        let text = format!("{WON}1,Ann,Bob,Ann\n1,Cy,Dan,Dan\n2,Ann,Dan,{mark}\n");
        assert_eq!(lines(&text)[2], "2: Ann-Dan  ()", "{mark}");
        let last = format!(
            "{WON}Semi Finals,Ann,Bob,Ann\nSemi Finals,Cy,Dan,Dan\nFinal,Ann,{mark},{mark}\n"
        );
        assert_eq!(lines(&last).len(), 2, "{mark}");
        assert!(told(&last).contains("is to come"), "{}", told(&last));
    }
    let drawn = format!("{WON}1,Ann,Bob,Draw\n1,Cy,Dan,x\n");
    assert_eq!(lines(&drawn), ["1: Ann-Bob 0,0 (1)", "1: Cy-Dan 0,0 (1)"]);
}

#[test]
fn who_won_may_be_a_color_a_side_or_a_number() {
    let two = ["1: Ann-Bob 1,0 (0)", "1: Cy-Dan 0,1 (0)"];
    for (names, won) in [
        ("White,Black,Winner", ["White", "Black"]),
        ("Home,Away,Winner", ["Home", "Away"]),
        ("jugador_blancas,jugador_negras,resultado", ["blancas", "negras"]),
        ("player1,player2,result", ["player1", "player2"]),
        ("Player 1,Player 2,Result", ["Player 1 Win", "Player 2 Win"]),
    ] {
        let text = format!("Round,{names}\n1,Ann,Bob,{}\n1,Cy,Dan,{}\n", won[0], won[1]);
        assert_eq!(lines(&text), two, "{text}");
    }
    // Nobody knows which of them is at home.
    refused("Round,Player 1,Player 2,Winner\n1,Ann,Bob,Home\n1,Cy,Dan,Away\n");
}

#[test]
fn scores_from_the_side_of_who_won_are_turned_and_told() {
    let text = "Round,Player 1,Player 2,Winner,Score\n1,Ann,Bob,Ann,2-1\n1,Cy,Dan,Dan,2-0\n";
    assert_eq!(lines(text), ["1: Ann-Bob 2,1 (0)", "1: Cy-Dan 0,2 (0)"]);
    assert_eq!(told(text).matches("from the side of who won").count(), 1, "{}", told(text));
    let drawn = "Round,Home,Score,Away,Winner\n1,Ann,1-1,Bob,Bob\n1,Cy,2-0,Dan,Cy\n";
    assert_eq!(lines(drawn)[0], "1: Ann-Bob 1,1 (0) [Loss, Win]");
    assert!(told(drawn).contains("is read as a ruling"), "{}", told(drawn));
}

#[test]
fn overtime_leaves_a_score_and_penalties_decide_it() {
    let head = "Round,Home,Away,Score\n1,Cy,Dan,4-1\n1,Ann,Bob,";
    for score in ["3:2 n.V.", "3-2 OT", "3:2 n.P.", "3-2 (SO)"] {
        assert_eq!(lines(&format!("{head}{score}\n"))[1], "1: Ann-Bob 3,2 (0)", "{score}");
    }
    for score in ["2:2 (4:5 i.E.)", "2-2 (4-5 pens)", "2-2 n.E. (4-5)"] {
        let expected = "1: Ann-Bob 2,2 (0) [Loss, Win]";
        assert_eq!(lines(&format!("{head}{score}\n"))[1], expected, "{score}");
    }
    for score in ["2:2 n.E.", "2:2 (4:3)"] {
        refused(&format!("{head}{score}\n"));
    }
}

#[test]
fn who_left_and_who_comes_out_of_a_match_is_told() {
    let head = "Round,Player 1,Player 2,Result\n1,Ann,Bob,2-0\n1,Cy,";
    for name in ["zurückgezogen", "withdrawn", "retirado", "sits out", "krank", "forfeit"] {
        let text = format!("{head}{name},\n");
        assert!(told(&text).contains("looks like no player"), "{name}: {}", told(&text));
    }
    for name in ["Winner SF1", "Sieger HF 2", "Loser of match 3", "Vainqueur QF1"] {
        let text = format!("{head}{name},\n");
        assert!(told(&text).contains("comes out of another match"), "{name}: {}", told(&text));
    }
    let alone = format!("{head}Dan,2-1\n2,Winner M3,,\n");
    assert_eq!(lines(&alone).len(), 2);
}

#[test]
fn a_state_beside_scores_is_no_result() {
    let text = "Round,Table,Player 1,Player 2,Games (P1-P2-draws),Result,Winner\n\
                1,1,Ann,Bob,2-0-0,Finished,Ann\n1,2,Cy,Dan,1-1-1,Finished,\n2,1,Ann,Cy,0-2-0,No-show,Cy\n";
    assert_eq!(lines(text)[1], "1: Cy-Dan 1,1 (1)", "{}", told(text));
    assert!(lines(text)[2].starts_with("2: Ann-Cy 0,2 (0) [Loss, Win]"), "{:?}", lines(text));
}

#[test]
fn rounds_of_a_column_may_be_one_letter_and_a_number() {
    for (one, two) in [("J1", "J2"), ("1\u{aa}", "2\u{aa}")] {
        let text = format!("Round,Home,Away,Score\n{one},Ann,Bob,2-1\n{two},Ann,Bob,verl.\n");
        assert_eq!(lines(&text), ["1: Ann-Bob 2,1 (0)", "2: Ann-Bob  ()"], "{one}");
    }
    for title in ["Liga Runde 1 - 11.10.2016", "Liga - 1. Spieltag am 11.10.2016"] {
        let found = source(&format!("{title},,\nPlayer 1,Player 2,Result\nAnn,Bob,2-1\n"));
        assert_eq!(found.title, "Liga", "{title}");
        let later = source(&format!(
            "{},,\nPlayer 1,Player 2,Result\nAnn,Bob,2-1\n",
            title.replace('1', "2").replace("22.20.2026", "12.10.2016")
        ));
        assert_eq!(later.rounds().next().map(|(_, round)| round.name.as_str()), Some("Round 2"));
    }
    let date = source("Fecha 1 - 5 de marzo de 2022,,\nPlayer 1,Player 2,Result\nAnn,Bob,2-1\n");
    assert_eq!(date.held_on, Some(Day { year: 2022, month: 3, day: 5 }));
}

#[test]
fn cells_of_a_cross_table_may_have_the_color_first_or_a_blank() {
    for text in [
        "No,Name,1,2\n1,Abel,W2+,B3-\n2,Bora,B1-,W4+\n3,Cleo,W4=,W1+\n4,Dana,B3=,B2-\n",
        "No;Name;1;2\n1;Abel;+W2;-S3\n2;Bora;-S1;+W4\n3;Cleo;=W4;+W1\n4;Dana;=S3;-S2\n",
        "Nr;Name;Rd 1;Rd 2\n1;Abel;2 1;3 0\n2;Bora;1 0;4 1\n3;Cleo;4 ½;1 1\n4;Dana;3 ½;2 0\n",
        "Name,Round 1,Round 2\nAbel,Bora W,Cleo L\nBora,Abel L,Dana W\nCleo,Dana D,Abel W\nDana,Cleo D,Bora L\n",
    ] {
        let found = lines(text);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found.contains(&"1: Abel-Bora 1,0 (0)".to_owned()), "{found:?}");
    }
}

#[test]
fn a_workbook_with_an_opponent_and_a_result_for_each_round_is_not_our_own() {
    let sheet = "Player|Opponent 1|Result 1|Opponent 2|Result 2\nAnn|Bob|1|Cy|0\nBob|Ann|0|Dan|1\n\
                 Cy|Dan|1|Ann|1\nDan|Cy|0|Bob|0\n";
    let read = read("a.xlsx", &book(&[("Sheet1", sheet)])).expect("read");
    assert_eq!(sheet_of(&read)[0], "1: Ann-Bob 1,0 (0)");
    assert_eq!(sheet_of(&read).len(), 4);
}

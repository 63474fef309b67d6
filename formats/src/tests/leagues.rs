//! Sheets of a league, as the one who runs it keeps them: nothing in them is lost without a word.

use super::oddsheets::{lines, refused, told};
use super::*;

#[test]
fn games_won_and_lost_beside_a_player_and_their_opponent_are_those_of_the_match() {
    for head in [
        "Round,Player,Opponent,Wins,Losses,Draws",
        "Runde,Spieler,Gegner,Siege,Niederlagen,Unentschieden",
        "Round,Player,Opponent,Won,Lost,Drawn",
    ] {
        let text = format!(
            "{head}\n1,Ann Lee,Bob Smith,2,0,0\n1,Cid Ray,Dana Poe,1,2,0\n2,Ann Lee,Dana Poe,1,1,1\n"
        );
        let expected = [
            "1: Ann Lee-Bob Smith 2,0 (0)",
            "1: Cid Ray-Dana Poe 1,2 (0)",
            "2: Ann Lee-Dana Poe 1,1 (1)",
        ];
        assert_eq!(lines(&text), expected, "{head}");
    }
}

#[test]
fn a_column_that_is_known_and_was_not_read_is_told() {
    for (text, unread) in [
        ("Round,Player,Opponent,Points\n1,Ann,Bob,3\n1,Bob,Ann,0\n", "column 4 (Points)"),
        ("Round,Player,Opponent,Wins\n1,Ann,Bob,2\n1,Bob,Ann,0\n", "column 4 (Wins)"),
        (
            "Round,Player 1,Player 2,Result,Wins,Losses\n1,Ann,Bob,2-0,5,1\n",
            "column 5 (Wins), column 6 (Losses)",
        ),
        ("Round,Player 1,Player 2,Result,Loser\n1,Ann,Bob,2-0,Bob\n", "column 5 (Loser)"),
        ("Name,Rating,Wins\nAnn,1500,3\nBob,1400,1\n", "column 3 (Wins)"),
        (
            "Pos,Player,W,D,L,Points\n1,Ann,3,0,1,9\n2,Bob,2,1,1,7\n",
            "column 3 (W), column 4 (D), column 5 (L)",
        ),
        ("Round,Date,Player 1,Player 2,Result\n1,soon,Ann,Bob,2-0\n", "column 2 (Date)"),
    ] {
        assert!(
            told(text).contains(&format!("the columns: Not read: {unread}.")),
            "{text}{}",
            told(text)
        );
    }
    let all = "Round,Table,Date,Player 1,ID 1,Player 2,ID 2,Games 1,Games 2,Draws,Winner\n\
               1,1,2026-11-03,Ann,A-1,Bob,B-2,2,0,0,Ann\n2,1,2026-11-10,Bob,B-2,Ann,A-1,,,,\n";
    assert!(!told(all).contains("Not read"), "{}", told(all));
    assert_eq!(source(all).held_on.map(|day| day.to_string()).as_deref(), Some("2026-11-03"));
}

#[test]
fn who_won_is_read_where_the_result_leaves_it_open() {
    let text = "Round,Player 1,Player 2,Result,Winner\n1,Ann,Bob,2-1,Ann\n1,Cid,Dana,1-2,\n2,Bob,Dana,,Dana\n2,Ann,Cid,0-0,Cid\n";
    assert_eq!(lines(text)[2..], ["2: Bob-Dana  () [Loss, Win]", "2: Ann-Cid  () [Loss, Win]"]);
    let games =
        "Round,Player 1,Player 2,Games 1,Games 2,Result\n1,Ann,Bob,2,1,1-0\n1,Cid,Dana,,,0-1\n";
    assert_eq!(lines(games), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dana 0,1 (0)"]);
    let first = "Winner,Loser,Score\nAnn,Bob,0-0\nDana,Cid,1-2\n";
    assert_eq!(lines(first), ["1: Ann-Bob  () [Win, Loss]", "1: Dana-Cid 2,1 (0)"]);
    assert!(
        told(first).contains("line 3: Who won stands first: 1-2 is read as 2-1."),
        "{}",
        told(first)
    );
}

#[test]
fn two_columns_that_say_another_winner_are_refused_with_the_line() {
    let text = "Round,Player 1,Player 2,Result,Winner\n1,Ann,Bob,2-0,Ann\n1,Cid,Dana,0-2,Cid\n";
    let error = refused(text);
    assert!(
        error.contains("line 3: column 4 (Result) is \"0-2\"; expected the one who won by column 5 (Winner), Cid: mend")
            && error.contains("--columns ignore=4"),
        "{error}"
    );
    let asked = Asked { columns: Some("ignore=5".to_owned()) };
    let without = read_with("a.csv", text.as_bytes(), &asked).expect("read");
    assert_eq!(sheet_of(&without)[1], "1: Cid-Dana 0,2 (0)");
    let games = refused("Round,Player 1,Player 2,Games 1,Games 2,Result\n1,Ann,Bob,1,2,1-0\n");
    assert!(
        games.contains("column 6 (Result) is \"1-0\"") && games.contains("(Games 1), 1-2: mend"),
        "{games}"
    );
}

const GRID: &str = ";Ann;Bob;Cid;Dana\nAnn;X;2:0;2:1;1:1\nBob;0:2;X;2:1;2:0\nCid;2:1;1:2;X;0:2\nDana;2:0;0:2;1:1;X\n";

#[test]
fn a_grid_of_home_and_away_is_read_half_filled_and_filled() {
    let half = GRID.replace("X;2:1;2:0", "X;;2:0").replace("2:0;0:2;1:1", "2:0;;1:1");
    for grid in [GRID, &half] {
        assert_eq!(lines(&format!("Home and away league;;;;\n{grid}")).len(), 12);
        assert!(told(grid).contains("two matches, at home and away"), "{}", told(grid));
    }
    let slip = GRID.replace("Cid;2:1", "Cid;1:2").replace("Dana;2:0", "Dana;1:1");
    let error = refused(&slip);
    assert!(
        error.contains("line 5, column 4 (Cid)") && error.contains("\"home and away\""),
        "{error}"
    );
    for words in
        ["Home and away", "Hin- und Rückrunde", "aller-retour", "ida y vuelta", "Andata e ritorno"]
    {
        let said = format!("{words}\n{slip}");
        assert_eq!((lines(&said).len(), source(&said).title.as_str()), (12, "event"), "{words}");
    }
}

#[test]
fn the_day_on_which_a_sheet_was_made_is_neither_its_title_nor_the_day_held() {
    let rows = "Round,Player 1,Player 2,Result\n1,Ann,Bob,2-1\n";
    for line in [
        "Stand: 12.11.2026",
        "As of 12 November 2026",
        "Last updated 21.11.2026",
        "État au 12/11/2026",
        "Mise à jour : 12.11.2026",
        "Actualizado: 12 de noviembre de 2026",
        "Aggiornato al 12.11.2026",
        "Atualizado em 12.11.2026",
        "Stand 12.11.",
        "Stand nach Runde 5",
    ] {
        let read = source(&format!("{line}\n{rows}"));
        assert_eq!((read.title.as_str(), read.held_on), ("event", None), "{line}");
        let read = source(&format!("Herbstliga, {line}\n{rows}"));
        assert_eq!((read.title.as_str(), read.held_on), ("Herbstliga", None), "{line}");
    }
    let read = source(&format!("Last Stand Open\n12.11.2026\n{rows}"));
    assert_eq!((read.title.as_str(), read.held_on.is_some()), ("Last Stand Open", true));
}

#[test]
fn a_line_that_says_more_than_a_round_is_the_title() {
    let rows = "Round,Player 1,Player 2,Result\n1,Ann,Bob,2-1\n";
    for title in [
        "Regional Finals 2026",
        "Monday League 2026 - final",
        "Top 8 Saturday",
        "League night at Final Boss Games",
    ] {
        assert_eq!(source(&format!("{title}\n{rows}")).title, title);
    }
    for round in
        ["Halbfinale", "Quarter-finals", "Top 8", "Round of 16", "Quarts de finale", "Finale 2026"]
    {
        assert_eq!(source(&format!("{round}\n{rows}")).title, "event", "{round}");
    }
}

#[test]
fn points_that_add_up_to_one_are_those_of_chess() {
    let text = "Runde;Spieler 1;Spieler 2;Punkte 1;Punkte 2\n1;Ann;Bob;1;0\n1;Cid;Dana;0,5;0,5\n";
    assert_eq!(lines(text), ["1: Ann-Bob 1,0 (0)", "1: Cid-Dana 0,0 (1)"]);
    assert!(source(text).halves && source(text).scoresheet.seat_line("games") == Some(0));
    let battle = source(&text.replace("1;0\n1", "12;8\n1").replace("0,5;0,5", "9;9"));
    assert_eq!(battle.scoresheet.seat_line("points"), Some(0));
}

#[test]
fn what_a_chat_has_beside_a_name_is_told() {
    let chat = "Round 1\n*Hal Ito 2 - 1 Ivy Jon\nDana Poe \u{1f3b2} 2 - 0 Bob Smith (great game!)\n\nRound 2\nHal Ito vs Ivy Jon - postponed to Thursday\n";
    let names: Vec<String> = source(chat).players.into_iter().map(|one| one.name).collect();
    assert!(
        names.contains(&"Ivy Jon".to_owned()) && !names.contains(&"Ivy Jon -".to_owned()),
        "{names:?}"
    );
    let odd = told(chat);
    for (line, name) in [(2, "*Hal Ito"), (3, "Dana Poe \u{1f3b2}"), (3, "Bob Smith (great game!)")]
    {
        assert!(odd.contains(&format!("line {line}: {name:?} is ")), "{name}: {odd}");
    }
    let club = "Round,Player 1,Player 2,Result\n1,Ann (A),Bob (B),2-0\n2,Ann (A),Bob (B),2-0\n";
    assert!(!told(club).contains("sign"), "{}", told(club));
}

#[test]
fn three_letters_beside_a_player_and_their_opponent_are_games_won_drawn_and_lost() {
    let names = |of: &str| match of {
        "wdl" | "wtl" => "Round;Player;Opponent",
        "sun" | "guv" => "Runde;Spieler;Gegner",
        "vnd" => "Ronde;Joueur;Adversaire",
        "gep" => "Ronda;Jugador;Rival",
        "ved" => "Rodada;Jogador;Advers\u{e1}rio",
        _ => "Turno;Giocatore;Avversario",
    };
    let letters = ["wdl", "wtl", "sun", "guv", "vnd", "gnp", "gep", "ved", "vnp", "vps"]
        .map(|of| (of, names(of)));
    let expected =
        ["1: Ann-Bob 2,0 (0)", "1: Cid-Di 1,2 (0)", "2: Ann-Di 0,2 (1)", "2: Bob-Cid 1,1 (1)"];
    let games = [["1;Ann;Bob", "2", "0", "0"], ["1;Cid;Di", "1", "0", "2"]];
    let games = [games, [["2;Ann;Di", "0", "1", "2"], ["2;Bob;Cid", "1", "1", "1"]]].concat();
    for (of, names) in letters {
        for order in [[0, 1, 2], [0, 2, 1]] {
            let upper: Vec<char> = of.to_uppercase().chars().collect();
            let head = order.map(|at| upper[at].to_string()).join(";");
            let row = |[of, values @ ..]: &[&str; 4]| {
                format!("{of};{}\n", order.map(|at| values[at]).join(";"))
            };
            let rows: String = games.iter().map(row).collect();
            let text = format!("{names};{head}\n{rows}");
            assert_eq!(lines(&text), expected, "{text}");
            assert!(!told(&text).contains("Not read"), "{}", told(&text));
        }
    }
    // Without a round, too; and who says otherwise is right.
    let once = "Spieler;Gegner;S;U;N\nAnn;Bob;2;0;0\nCid;Di;1;0;2\n";
    assert_eq!(lines(once), expected[..2]);
    let asked = Asked { columns: Some("player_a=1,player_b=2,games_a=5,games_b=3".to_owned()) };
    let turned = read_with("a.csv", once.as_bytes(), &asked).expect("read");
    assert_eq!(sheet_of(&turned), ["1: Ann-Bob 0,2 (0)", "1: Cid-Di 2,1 (0)"]);
}

#[test]
fn three_letters_of_standings_are_won_drawn_and_lost_and_none_is_a_number() {
    for (text, unread) in [
        (
            "Pos.,Giocatore,V,N,P,Punti\n1,Ugo,3,3,0,12\n2,Ada,2,2,2,8\n",
            "column 3 (V), column 4 (N), column 5 (P)",
        ),
        (
            "Pos.,Giocatore,G,V,P,N,Punti\n1,Ugo,4,3,0,1,10\n2,Ada,4,2,0,2,8\n",
            "column 3 (G), column 4 (V), column 5 (P), column 6 (N)",
        ),
        (
            "Pos;Squadra;PG;V;N;P;Pt\n1;Ugo;4;3;1;0;10\n2;Ada;4;2;2;0;8\n",
            "column 3 (PG), column 4 (V), column 5 (N), column 6 (P)",
        ),
    ] {
        let read = source(text);
        assert!(read.players.iter().all(|player| player.sign_up.is_none()), "{text}");
        assert!(told(text).contains(&format!("Not read: {unread}.")), "{text}{}", told(text));
    }
    let records = source("Pos;Squadra;PG;V;N;P;Pt\n1;Ugo;4;3;1;0;10\n2;Ada;4;2;0;2;6\n").published;
    let records: Vec<_> = records.iter().map(|row| row.record).collect();
    assert_eq!(records, [Some([3, 0, 1]), Some([2, 2, 0])]);
}

#[test]
fn the_first_day_of_a_column_is_the_earliest_once_one_of_its_days_says_the_order() {
    let day = |dates: [&str; 3]| {
        let [one, two, three] = dates;
        let text = format!(
            "Jornada;Fecha;Local;Visitante;Resultado\n1;{one};Ana;Bob;2-1\n1;{two};Cid;Dan;0-2\n2;{three};Ana;Cid;2-0\n"
        );
        source(&text).held_on.map(|day| day.to_string())
    };
    let is = |day: &str| Some(day.to_owned());
    assert_eq!(day(["05/10/2026", "06/10/2026", "13/10/2026"]), is("2026-10-05"));
    assert_eq!(day(["5-10-2026 20:00", "", "13-10-2026"]), is("2026-10-05"));
    assert_eq!(day(["10/6/2026", "10/6/2026", "10/13/2026"]), is("2026-10-06"));
    assert_eq!(day(["05.10.2026", "06.10.2026", "13.10.2026"]), is("2026-10-05"));
    // Which of the two numbers is the day nothing says, or one date denies another.
    assert_eq!(day(["05/10/2026", "06/10/2026", "12/10/2026"]), None);
    assert_eq!(day(["05/10/2026", "10/10/2026", "12/10/2026"]), None);
    assert_eq!(day(["13/10/2026", "10/14/2026", "05/10/2026"]), None);
}

#[test]
fn groups_that_are_put_together_are_told_with_how_to_keep_them_apart() {
    let text = "Sommerliga\nGruppe A\nRunde;Heim;Gast;Ergebnis\n1;Abel;Boll;2:1\n2;Cox;Abel;0:2\n\n\
                Gruppe B\nRunde;Heim;Gast;Ergebnis\n1;Dahl;Eck;2:1\n2;Funk;Dahl;0:2\n";
    assert_eq!(lines(text).len(), 4);
    let odd = told(text);
    assert!(
        odd.contains("line 7: \"Gruppe B\" is read as no tournament of its own: all groups of this file are put together")
            && odd.contains("write each into a file of its own"),
        "{odd}"
    );
    let of_players = "Spieler 1;Spieler 2;Ergebnis\nAbel;Boll;2:1\nStaffel 2\nDahl;Eck;2:1\n";
    assert_eq!(lines(of_players), ["1: Abel-Boll 2,1 (0)", "1: Dahl-Eck 2,1 (0)"]);
    assert!(told(of_players).contains("\"Staffel 2\" is read as no tournament"));
}

#[test]
fn home_and_guest_have_their_names_in_italian_and_portuguese_and_goals_may_stand_around_an_x() {
    let italian = "Giornata;Casa;Ospite;Gol casa;Gol ospite\n1;Ugo;Ada;2;1\n1;Ivo;Eva;0;2\n";
    assert_eq!(lines(italian), ["1: Ugo-Ada 2,1 (0)", "1: Ivo-Eva 0,2 (0)"]);
    let portuguese = "Rodada;Mandante;Placar;Visitante\n1;Iris;2 x 1;Jo\u{e3}o\n1;\u{ca}nio;1x1;L\u{ea}\n2;Iris;3 X 0;L\u{ea}\n";
    assert_eq!(
        lines(portuguese),
        ["1: Iris-Jo\u{e3}o 2,1 (0)", "1: \u{ca}nio-L\u{ea} 1,1 (0)", "2: Iris-L\u{ea} 3,0 (0)"]
    );
}

#[test]
fn a_postponed_match_of_a_grid_is_told_once_as_what_it_is() {
    let grid = GRID.replace("X;2:1;2:0", "X;;2:0");
    let odd = told(&format!("Home and away league;;;;\n{grid}"));
    assert!(odd.contains("1 match has no result.") && !odd.contains("to be played"), "{odd}");
}

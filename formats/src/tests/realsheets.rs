//! Sheets as they were found: with teams and names of users beside players, hours, words of sides, and names of
//! columns in other languages.

use super::oddsheets::{book, lines, refused, told};
use super::*;

fn names(source: &Source) -> Vec<&str> {
    source.players.iter().map(|player| player.name.as_str()).collect()
}

/// The choice of columns that a refusal says.
fn said(text: &str) -> Asked {
    let refused = refused(text);
    let (_, said) = refused.split_once("--columns ").unwrap_or_else(|| panic!("{refused}"));
    Asked { columns: said.split('`').next().map(str::to_owned) }
}

fn chosen(text: &str, columns: &str) -> Source {
    let asked = Asked { columns: Some(columns.to_owned()) };
    read_with("a.csv", text.as_bytes(), &asked).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A team was an opponent, and wins beside it the games of a match.
#[test]
fn another_name_beside_a_players_is_no_opponent() {
    for (text, unread) in [
        ("Name,Team,Wins,Losses\nAda,Reds,2,0\nBea,Blues,0,2\n", "column 2 (Team)"),
        (
            "Rank,Player,Team,Wins,Losses,Draws,Points\n1,Ada,Reds,3,0,0,9\n2,Bea,Blues,1,2,0,3\n",
            "column 3 (Team)",
        ),
        (
            "Platz;Spieler;Mannschaft;Siege;Niederlagen;Punkte\n1;Ada;Rot;3;0;9\n2;Bea;Rot;1;2;3\n",
            "column 3 (Mannschaft)",
        ),
        ("Joueur;\u{c9}quipe;Points\nAda;Rouge;9\nBea;Bleu;6\n", "column 2 (\u{c9}quipe)"),
        ("Rank,Name,Gamertag,Points\n1,Ada,adaX,9\n2,Bea,beaY,6\n", "column 3 (Gamertag)"),
        ("Nombre,Equipo\nAda,Leones\nBea,Tigres\n", "column 2 (Equipo)"),
        ("Team;Spieler\nRot;Ada\nRot;Bea\n", "column 1 (Team)"),
        ("Name,Username,Deck\nAda,ada1,Burn\nBea,bea2,Elves\n", "column 2 (Username)"),
        ("Nr;Name;Nick;Team\n1;Ada;adi;Rot\n2;Bea;bi;Blau\n", "column 3 (Nick), column 4 (Team)"),
        ("Vorname;Team;DWZ\nAda;Rot;1500\nBea;Blau;1400\n", "column 2 (Team)"),
        ("Player,Team,Score\nAda,Reds,12\nBea,Blues,9\n", "column 2 (Team)"),
        ("Table,Player,Team\n1,Ada,Reds\n1,Bea,Blues\n", "column 3 (Team)"),
        (
            "Rang,Team,Spieler,Siege,BH,FBH,Netto,Lose\n1,2,Ada,3,5,9,20,0\n2,1,Bea,1,4,8,-3,0\n",
            "column 2 (Team)",
        ),
    ] {
        let source = source(text);
        assert_eq!(names(&source), ["Ada", "Bea"], "{text}");
        assert_eq!(source.rounds().count(), 0, "{text}");
        assert!(told(text).contains(unread), "{text}{}", told(text));
    }
    let whole = "Vorname;Nachname;Team;Nick\nAda;Kurz;Rot;adi\nBea;Lang;Blau;bi\n";
    assert_eq!(names(&source(whole)), ["Ada Kurz", "Bea Lang"]);
    // Of two names that may both be the player's a person says which.
    let both = "Player Name,Full Name\nadax,Ada Kurz\nbeay,Bea Lang\n";
    assert!(refused(both).contains("which column is name?"), "{}", refused(both));
    assert_eq!(names(&chosen(both, "name=2")), ["Ada Kurz", "Bea Lang"]);
}

#[test]
fn two_names_called_alike_or_beside_a_result_are_both_players() {
    for (text, expected) in [
        ("Team,Team,Result\nReds,Blues,2-1\n", "1: Reds-Blues 2,1 (0)"),
        ("Name;Name\nReds;Blues\n", "1: Reds-Blues  ()"),
        ("Home team,Away team\nReds,Blues\n", "1: Reds-Blues  ()"),
        ("Round,Player,Team,Result\n1,Reds,Blues,2-1\n", "1: Reds-Blues 2,1 (0)"),
        ("Table,Player 1,Player 2\n1,Reds,Blues\n", "1: Reds-Blues  ()"),
        ("Name,Points,Name,Points\nReds,2,Blues,1\n", "ask"),
        (
            "Round,Home team,Player 1,Away team,Player 2,Result\n1,X,Reds,Y,Blues,2-1\n",
            "1: Reds-Blues 2,1 (0)",
        ),
    ] {
        match expected {
            "ask" => assert!(refused(text).contains("which column is points_a?"), "{text}"),
            _ => assert_eq!(lines(text), [expected], "{text}"),
        }
    }
}

#[test]
fn players_of_one_team_have_not_met() {
    let table =
        "Rank,Team,Player 1,Player 2,Wins,Losses\n1,Reds,Ada,Bea,3,0\n2,Blues,Cleo,Dora,1,2\n";
    assert_eq!(names(&source(table)), ["Reds", "Blues"]);
    assert!(told(table).contains("column 3 (Player 1), column 4 (Player 2)"), "{}", told(table));
    let list = "Team;Spieler 1;Spieler 2\nRot;Ada;Bea\nBlau;Cleo;Dora\n";
    assert_eq!(names(&source(list)), ["Rot", "Blau"]);
    // Where teams are only numbered one of both may stand for them.
    let numbers = "Rang,Team,Spieler 1,Spieler 2,Siege\n1,2,Ada,Bea,3\n2,1,Cleo,Dora,1\n";
    assert!(refused(numbers).contains("which column is name?"), "{}", refused(numbers));
    let source = read_with("a.csv", numbers.as_bytes(), &said(numbers)).expect("read");
    assert_eq!((names(&source), source.rounds().count()), (vec!["Ada", "Cleo"], 0));
}

#[test]
fn a_block_of_scorers_below_a_table_is_no_round() {
    let text = "Pos,Team,Pts\n1,Reds,7\n2,Blues,4\n\nTOP SCORERS\nRank,Player,Team,Goals\n1,Ada,Reds,4\n2,Bea,Blues,3\n";
    let source = source(text);
    assert_eq!((names(&source), source.published.len()), (vec!["Reds", "Blues"], 2));
    assert!(told(text).contains("The table is not read"), "{}", told(text));
}

#[test]
fn the_hour_of_a_match_is_no_result() {
    for head in ["Time", "Uhrzeit", "Heure", "Hora", "Ora", "Ansto\u{df}", "Kick-off", "When"] {
        for hour in ["15:30", "9:00", "20:45"] {
            let text = format!("Round,{head},Home,Away\n1,{hour},Ada,Bea\n1,{hour},Cleo,Dora\n");
            assert_eq!(lines(&text), ["1: Ada-Bea  ()", "1: Cleo-Dora  ()"], "{text}");
            assert!(told(&text).contains(&format!("column 2 ({head})")), "{}", told(&text));
        }
    }
    // What is no hour is asked for.
    let scores = "Round,Tally,Home,Away\n1,12:9,Ada,Bea\n1,21:19,Cleo,Dora\n";
    assert!(refused(scores).contains("result=2"), "{}", refused(scores));
}

#[test]
fn sides_are_called_after_home_and_guest_in_six_languages() {
    for head in [
        "Round;HomeTeam;AwayTeam;Result",
        "round;hometeam;awayteam;result",
        "Week;Home;Visitor;Score",
        "Spieltag;Heimteam;Gastteam;Ergebnis",
        "Spieltag;Heimteam;Ausw\u{e4}rtsteam;Ergebnis",
        "Spieltag;Heimmannschaft;Gastmannschaft;Ergebnis",
        "Spieltag;Heim;Ausw\u{e4}rts;Ergebnis",
        "Journ\u{e9}e;\u{c9}quipe \u{e0} domicile;\u{c9}quipe \u{e0} l'ext\u{e9}rieur;Score",
        "Journ\u{e9}e;Domicile;Visiteur;Score",
        "Jornada;Local;Visita;Resultado",
        "Jornada;Equipo local;Equipo visitante;Resultado",
        "Giornata;Squadra in casa;Squadra ospite;Risultato",
        "Giornata;Casa;Trasferta;Risultato",
        "rodada;time_casa;time_fora;placar",
        "rodada;time_mandante;time_visitante;placar",
    ] {
        let text = format!("{head}\n1;Ada;Bea;2-1\n");
        assert_eq!(lines(&text), ["1: Ada-Bea 2,1 (0)"], "{head}");
    }
}

#[test]
fn matches_without_a_known_player_ask_for_both() {
    let text = "Round;Date;Pool;Hosts;Callers\n1;2026-03-01;North;Ada;Bea\n1;2026-03-01;North;Cleo;Dora\n\
                2;2026-03-08;North;Bea;Cleo\n";
    assert!(refused(text).contains("which column is player_a?"), "{}", refused(text));
    assert_eq!(said(text).columns.as_deref(), Some("round=1,date=2,player_a=4,player_b=5"));
    let source = read_with("a.csv", text.as_bytes(), &said(text)).expect("read");
    assert_eq!((source.players.len(), sheet_of(&source).len()), (4, 3));
}

#[test]
fn a_list_of_one_clubs_own_matches_hears_that_both_names_are_needed() {
    for (head, sides) in [
        ("Heim/Ausw\u{e4}rts", ["Heim", "Ausw\u{e4}rts"]),
        ("HA", ["H", "A"]),
        ("Where", ["home", "away"]),
        ("Sede", ["casa", "trasferta"]),
    ] {
        let [one, other] = sides;
        let text = format!("Round;Opponent;{head};Result\n1;Reds;{one};6:3\n2;Blues;{other};4:5\n");
        let refused = refused(&text);
        assert!(refused.contains("write both names into each row"), "{refused}");
        assert!(!refused.contains("--columns"), "{refused}");
    }
}

/// What a refusal suggests took the names of columns in another language for a match.
#[test]
fn names_of_columns_in_another_language_stand_above_what_is_chosen() {
    let rows = "1;Ada;Bea;2:1\n1;Cleo;Dora;0:0\n2;Bea;Cleo;3:1\n";
    let text = format!("Kolo;Dom\u{e1}c\u{ed};Host\u{e9};V\u{fd}sledek\n{rows}");
    let expected = read_with("a.csv", text.as_bytes(), &said(&text)).expect("read");
    assert_eq!((expected.players.len(), sheet_of(&expected).len()), (4, 3));
    for columns in
        ["round=Kolo,player_a=2,player_b=3,result=4", "player_a=2,player_b=3,result=4,round=1"]
    {
        assert_eq!(sheet_of(&chosen(&text, columns)), sheet_of(&expected), "{columns}");
    }
    // Without such names the first row is one like any other.
    assert_eq!(sheet_of(&chosen(rows, "round=1,player_a=2,player_b=3,result=4")).len(), 3);
    let named = "Ada;Bea;Ada 2-1\nCleo;Dora;2-1\nEve;Fay;2-0\n";
    assert_eq!(sheet_of(&chosen(named, "player_a=1,player_b=2,result=3")).len(), 3);
}

#[test]
fn a_column_that_is_left_out_by_number_is_one_of_the_matches() {
    let text = "Registrations\nPlayer,Category,Status,Day\nada,Open,in,x\nbea,Open,in,y\n\nMatches\n\
                Round,Player 1,Player 2,Score,Winner\n1,ada,bea,\"6-3 6-4\",ada\n";
    for columns in ["ignore=4", "ignore=Score"] {
        let source = chosen(text, columns);
        assert_eq!(sheet_of(&source), ["1: ada-bea 1,0 (0)"], "{columns}");
    }
}

#[test]
fn a_word_for_a_bye_beside_a_name_is_told() {
    for name in ["RIF descansa", "Cid (spielfrei)", "Cid Freilos", "Cid exento", "Cid riposa"] {
        let text = format!("Round,Player 1,Player 2,Result\n1,Ann,Ben,2-0\n1,{name},Dee,2-0\n");
        assert!(told(&text).contains("looks like no player"), "{name}: {}", told(&text));
    }
    for bye in ["descansan", "exenta", "reposo", "repos", "isento", "riposa"] {
        let text = format!("Round,Player 1,Player 2,Result\n1,Ann,Ben,2-0\n1,Cid,{bye},\n");
        assert_eq!(lines(&text)[1].trim_end(), "1: Cid bye", "{bye}");
    }
}

#[test]
fn names_that_are_repeated_over_each_block_are_no_cells_of_their_columns() {
    let block = |head: &str| {
        format!(
            "Runde 1\n{head}\nReds;Blues;2;1\nGreens;Whites;0;2\nRunde 2\n{head}\nReds;Greens;1;3\n"
        )
    };
    let found = ["1: Reds-Blues 2,1 (0)", "1: Greens-Whites 0,2 (0)", "2: Reds-Greens 1,3 (0)"];
    assert_eq!(lines(&block("Heim;Gast;Tore;")), found);
    let asked = block("Heim;Gast;HG;AG");
    assert!(refused(&asked).contains("games_a=3,games_b=4"), "{}", refused(&asked));
}

#[test]
fn a_line_below_a_grid_or_a_list_is_no_player() {
    let grid =
        "Home / Away,Reds,Blues,Greens\nReds,x,2-1,0-2\nBlues,1-3,x,2-0\nGreens,2-1,4-0,x\n\n";
    let noted = format!("{grid}Blank = not yet played\n");
    assert_eq!(lines(&noted), lines(grid));
    assert!(told(&noted).contains("\"Blank = not yet played\" is read as no player"));
    let list = "Name,Club\nAda,X\nBea,Y\nEntries close 12 Oct\n";
    assert_eq!(names(&source(list)), ["Ada", "Bea"]);
    let table = "Pos,Team,Pts\n1,Reds,7\n2,Blues,4\n,Blues deducted 3 points,\n";
    assert_eq!(names(&source(table)), ["Reds", "Blues"]);
    assert!(told(table).contains("\"Blues deducted 3 points\" is read as no player"));
}

#[test]
fn two_columns_of_numbers_that_may_be_the_result_are_asked_for_whatever_they_are_called() {
    for (text, may) in [
        (
            "Runde;Spieler 1;Volk;SP;Spieler 2;Volk;SP\n1;Ada;Orks;17;Bea;Tau;3\n2;Bea;Tau;12;Ada;Orks;8\n",
            "games_a=4,player_b=5,games_b=7",
        ),
        (
            "Runde;Spieler 1;Spieler 2;Pins 1;Pins 2\n1;Ada;Bea;712;698\n2;Bea;Ada;690;701\n",
            "games_a=4,games_b=5",
        ),
        (
            "Rodada;Mandante;;;;Visitante\n1;Ada;2;x;1;Bea\n1;Cleo;0;x;3;Dora\n",
            "games_a=3,games_b=5",
        ),
        (
            "Round,Player,Opponent,For,Against\n1,Ada,Bea,420,380\n2,Bea,Ada,390,388\n",
            "games_a=4,games_b=5",
        ),
        (
            "Runde;Heim;Gast;Heim;Gast\n1;Ada;Bea;2;1\n1;Cleo;Dora;0;3\n",
            "player_a=2,player_b=3,games_a=4,games_b=5",
        ),
    ] {
        assert!(refused(text).contains(may), "{}", refused(text));
        let read = read_with("a.csv", text.as_bytes(), &said(text)).expect(text);
        assert!(sheet_of(&read).iter().all(|line| line.contains(',')), "{:?}", sheet_of(&read));
    }
    let postponed =
        "Week,Home,Away,H,A\n1,Ada,Bea,5,4\n1,Cleo,Dora,P,P\n2,Ada,Cleo,3,6\n2,Bea,Dora,4,5\n";
    assert!(refused(postponed).contains("games_a=4,games_b=5"), "{}", refused(postponed));
    // What is the same in each row of a player is theirs.
    let start = "Round,Home,Away,Power,Power\n1,Ada,Bea,150,170\n2,Bea,Ada,170,150\n";
    assert!(told(start).contains("Not read: column 4 (Power)"), "{}", told(start));
    // Who named players alone is asked for the rest.
    let teams = "Runde;Wer;Wen;IMP A;IMP B\n1;Ada;Bea;6;4\n2;Bea;Ada;0;9\n";
    let error = read_with(
        "a.csv",
        teams.as_bytes(),
        &Asked { columns: Some("round=1,player_a=2,player_b=3".to_owned()) },
    );
    assert_eq!(error.expect_err("a question").code(), "which-column");
}

#[test]
fn a_part_of_a_match_is_not_suggested_for_its_result() {
    let halves = "Round,Home,Away,HT,FT\n1,Ada,Bea,2-1,3-2\n1,Cleo,Dora,1-2,2-3\n";
    assert_eq!(said(halves).columns.as_deref(), Some("round=1,player_a=2,player_b=3,result=5"));
    let legs = "Runde;Heim;Gast;Hinspiel;R\u{fc}ckspiel;Gesamt\n1;Ada;Bea;3:1;1:2;4:3\n1;Cleo;Dora;2:2;2:1;4:3\n";
    assert!(refused(legs).contains("result=6"), "{}", refused(legs));
    let unclear = halves.replace("HT,FT", "Foo,Bar");
    assert!(refused(&unclear).contains("Look which of them has the whole result"));
    let pairs = "Round,Player 1a,Player 1b,Player 2a,Player 2b,Result\n1,Ada,Bea,Cleo,Dora,6-3\n";
    assert!(refused(pairs).contains("No choice of columns is sure here"), "{}", refused(pairs));
}

#[test]
fn games_are_called_legs_and_a_pairing_may_be_a_jogo() {
    let legs = "Runde;Spieler 1;Spieler 2;Legs 1;Legs 2\n1;Kai;Ole;3;1\n1;Ute;Pia;2;3\n";
    assert_eq!(lines(legs), ["1: Kai-Ole 3,1 (0)", "1: Ute-Pia 2,3 (0)"]);
    let games = "Rodada;Jogo;Placar\n1;Caio x Davi;2x1\n1;Edu x Ivo;0x2\n";
    assert_eq!(lines(games), ["1: Caio-Davi 2,1 (0)", "1: Edu-Ivo 0,2 (0)"]);
    let asked = "Rodada;Duelo;Placar\n1;Caio x Davi;2x1\n1;Edu x Ivo;0x2\n";
    assert!(refused(asked).contains("pairing=2"), "{}", refused(asked));
}

#[test]
fn a_ranking_of_many_more_or_a_grade_is_no_place() {
    for text in [
        "Nom;Pr\u{e9}nom;Club;Classement\nDurand;Paul;X;12\nPetit;Anne;Y;34\n",
        "Name,Club,Rank\nAda,X,3d\nBea,Y,5k\nCleo,Z,1 kyu\n",
    ] {
        let read = source(text);
        assert!(read.phases.is_empty() && read.places.is_empty(), "{text}");
    }
    let places = source("Rank,Name\n1st,Ada\n2nd,Bea\n3\u{ba},Cleo\n").places;
    assert_eq!(places.iter().map(|one| one.place).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn tables_of_standings_are_kept_apart_or_told() {
    let league = "Pos,Team,P,W,D,L,Pts\n1,Reds,3,2,1,0,7\n2,Blues,3,1,1,1,4\n\nTOP SCORERS\nRank,Player,Team,Goals\n1,Ada,Reds,4\n";
    assert_eq!(names(&source(league)), ["Reds", "Blues"]);
    let groups = "Gruppe A\nPlatz;Team;Punkte\n1;Reds;6\n2;Blues;0\n\nGruppe B\nPlatz;Team;Punkte\n1;Greens;4\n2;Whites;1\n";
    assert!(told(groups).contains("\"Gruppe B\" is read as no ranking of its own"));
    let column = "Pool,Pos,Team,Points\nA,1,Reds,6\nA,2,Blues,0\nB,1,Greens,4\nB,2,Whites,1\n";
    assert!(told(column).contains("line 4: Places begin with 1 again here"), "{}", told(column));
    let season = source("Name;Abend 1;Abend 2;Gesamt\nUwe;3;0;3\nMax;0;3;4\n").published;
    assert_eq!(season[1].points_tenths, 40);
}

#[test]
fn rounds_that_are_not_understood_are_refused_rather_than_left_out() {
    let text = "No,Name,R1,R2\n1,Ada,beat no2,beat no3\n2,Bea,lost no1,beat no4\n3,Cleo,beat no4,lost no1\n4,Dora,lost no3,lost no2\n";
    assert!(refused(text).contains("`--columns ignore=3,ignore=4`"), "{}", refused(text));
    assert_eq!(chosen(text, "ignore=3,ignore=4").players.len(), 4);
}

#[test]
fn a_sheet_of_a_round_with_other_columns_asks() {
    let one = "Home|Away|Result\nAbel|Bora|2-1\nCleo|Dana|2-0";
    let other = "Home|HG|AG|Away\nAbel|2|0|Cleo\nBora|1|2|Dana";
    let error = read("a.xlsx", &book(&[("Round 1", one), ("Round 2", other)]));
    let error = error.expect_err("a question").to_string();
    assert!(error.contains("which column is games_a?"), "{error}");
}

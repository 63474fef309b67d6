//! Sheets that people keep, as odd as they are: each is read, or asks with the column, or says which cell it
//! does not understand.

use super::*;
use crate::sheets::{Cell, Sheet, workbook};

/// What a file of this text says, a line for each match.
pub(super) fn lines(text: &str) -> Vec<String> {
    lines_of("a.csv", text.as_bytes())
}

fn lines_of(name: &str, bytes: &[u8]) -> Vec<String> {
    let source = read(name, bytes)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(bytes)));
    legal_events(&source).unwrap_or_else(|error| panic!("{error}"));
    sheet_of(&source)
}

pub(super) fn told(text: &str) -> String {
    let source = source(text);
    source.oddities.iter().map(|odd| format!("{}: {}\n", odd.place, odd.sentence)).collect()
}

pub(super) fn refused(text: &str) -> String {
    read("a.csv", text.as_bytes()).expect_err(text).to_string()
}

/// A workbook of sheets whose cells are separated by `|`, rows by line ends.
pub(super) fn book(sheets: &[(&str, &str)]) -> Vec<u8> {
    let sheet = |(name, text): &(&str, &str)| {
        let mut rows = text
            .lines()
            .map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
        let head = rows.next().unwrap_or_default();
        let rows = rows.map(|row| row.into_iter().map(Cell::printed).collect()).collect();
        Sheet { name: (*name).to_owned(), head, rows }
    };
    workbook(&sheets.iter().map(sheet).collect::<Vec<_>>()).expect("a workbook")
}

const FOUR: [&str; 4] = [
    "1: Abel-Bora 1,0 (0)",
    "1: Cleo-Dana 0,0 (1)",
    "2: Abel-Cleo 0,1 (0)",
    "2: Bora-Dana 1,0 (0)",
];

#[test]
fn a_cross_table_has_opponents_by_number_and_results() {
    for text in [
        "No,Name,Rd 1,Rd 2,Pts\n1,Abel,2w1,3b0,1\n2,Bora,1b0,4w1,1\n3,Cleo,4w½,1w1,1.5\n4,Dana,3b½,2b0,0.5\n",
        "Nr;Name;1;2;Punkte\n1;Abel;+2;-3;1\n2;Bora;-1;+4;1\n3;Cleo;=4;+1;1,5\n4;Dana;=3;-2;0,5\n",
        "Rank|Name|R1|R2\n1|Abel|2+|3-\n2|Bora|1-|4+\n3|Cleo|4=|1+\n4|Dana|3=|2-\n",
        "#,Player,Round 1,Round 2\n1,Abel,W2,L3\n2,Bora,L1,W4\n3,Cleo,D4,W1\n4,Dana,D3,L2\n",
        "Platz\tName\t1. Runde\t2. Runde\n1\tAbel\t2S\t3N\n2\tBora\t1N\t4S\n3\tCleo\t4U\t1S\n4\tDana\t3U\t2N\n",
        "Name,R1,R2\nAbel,2w1,3w0\nBora,1s0,4w1\nCleo,4w1/2,1s1\nDana,3s1/2,2s0\n",
    ] {
        let mut found = lines(text);
        found
            .iter_mut()
            .for_each(|line| *line = line.replace("2: Cleo-Abel 1,0 (0)", "2: Abel-Cleo 0,1 (0)"));
        assert_eq!(found, FOUR, "{text}");
    }
}

#[test]
fn a_cross_table_has_byes_forfeits_and_who_was_away() {
    let text = "No,Name,1,2,3\n1,Abel,2w+,-1,3b1\n2,Bora,1b-,3w1,--\n3,Cleo,½,2b0,1w0\n";
    assert_eq!(
        lines(text),
        [
            "1: Abel-Bora  () [Win, Loss]",
            "1: Cleo half bye ",
            "2: Bora-Cleo 1,0 (0)",
            "2: Abel bye ",
            "3: Cleo-Abel 0,1 (0)"
        ]
    );
    let open = "No,Name,1,2\n1,Abel,2w1,3w\n2,Bora,1b0,4b\n3,Cleo,4w1,1b\n4,Dana,3b0,2w\n";
    assert_eq!(lines(open)[2..], ["2: Abel-Cleo  ()", "2: Dana-Bora  ()"]);
}

#[test]
fn a_cross_table_that_denies_itself_is_refused_with_the_cell() {
    for (text, place) in [
        (
            "No,Name,1\n1,Abel,2w1\n2,Bora,1b1\n3,Cleo,4w1\n4,Dana,3b0\n",
            "line 3, column 3 (1): the result is \"1b1\"",
        ),
        (
            "No,Name,1\n1,Abel,2w1\n2,Bora,3b0\n3,Cleo,4w1\n4,Dana,3b0\n",
            "line 2, column 3 (1): the result is \"2w1\"",
        ),
        (
            "No,Name,1\n1,Abel,9w1\n2,Bora,3b0\n3,Cleo,2w1\n",
            "line 2, column 3 (1): the result is \"9w1\"",
        ),
        (
            "No,Name,1,2\n1,Abel,2w1,3w1\n2,Bora,1b0,hello\n3,Cleo,-,1b0\n4,Dana,-,-\n",
            "line 3, column 4 (2): the result is \"hello\"",
        ),
    ] {
        let error = refused(text);
        assert!(error.contains(place), "{error}");
    }
}

#[test]
fn a_grid_of_everybody_against_everybody_is_a_round_robin() {
    let found = [
        ["1: Cleo-Dana 0,0 (1)", "1: Abel-Bora 1,0 (0)"],
        ["2: Bora-Cleo 0,1 (0)", "2: Abel-Dana 1,0 (0)"],
        ["3: Bora-Dana 1,0 (0)", "3: Abel-Cleo 1,0 (0)"],
    ];
    let mut found = found.concat();
    found.sort_unstable();
    for text in [
        "No,Name,1,2,3,4,Points\n1,Abel,x,1,1,1,3\n2,Bora,0,x,0,1,1\n3,Cleo,0,1,x,½,1.5\n4,Dana,0,0,½,x,0.5\n",
        ";Abel;Bora;Cleo;Dana\nAbel;;1;1;1\nBora;0;;0;1\nCleo;0;1;;½\nDana;0;0;½;\n",
        "Name,Abel,Bora,Cleo,Dana\nAbel,*,W,W,W\nBora,L,*,L,W\nCleo,L,W,*,D\nDana,L,L,D,*\n",
        "Spieler|1|2|3|4|Summe\nAbel|-|1|1|1|3\nBora||-|0|1|1\nCleo|||-|½|1,5\nDana||||-|0,5\n",
    ] {
        let source = source(text);
        assert_eq!(source.phases[0].kind, PhaseKind::RoundRobin, "{text}");
        let mut own = lines(text);
        own.sort_unstable();
        assert_eq!(own, found, "{text}");
        assert!(told(text).contains("in which round a match was played"), "{}", told(text));
    }
}

#[test]
fn a_grid_with_games_may_be_of_matches_at_home_and_away() {
    let once = "Team,A-Town,B-Town,C-Town\nA-Town,x,2-1,0-2\nB-Town,1-2,x,2-0\nC-Town,2-0,0-2,x\n";
    assert_eq!(lines(once).len(), 3);
    let twice = "Heim;A-Town;B-Town;C-Town\nA-Town;x;2:1;0:2\nB-Town;3:0;x;2:0\nC-Town;1:1;0:3;x\n";
    assert_eq!(lines(twice).len(), 6);
    assert!(told(twice).contains("at home and away"));
    let typo = "Team,A-Town,B-Town,C-Town\nA-Town,x,2-1,0-2\nB-Town,1-2,x,2-0\nC-Town,2-0,1-2,x\n";
    assert!(
        refused(typo).contains("line 4, column 3 (B-Town): the result is \"1-2\""),
        "{}",
        refused(typo)
    );
    let partly = "Name,Abel,Bora,Cleo\nAbel,x,1,\nBora,0,x,½\nCleo,,½,x\n";
    assert!(told(partly).contains("1 match has no result"), "{}", told(partly));
}

#[test]
fn a_workbook_with_a_sheet_for_each_round_is_one_tournament() {
    for (names, head) in [
        (["Round 1", "Round 2"], "Table|Player 1|Player 2|Result"),
        (["Runde 1", "Runde 2"], "Tisch|Spieler 1|Spieler 2|Ergebnis"),
        (["1. Ronde", "2. Ronde"], "Table|Blancs|Noirs|Résultat"),
        (["Ronda 1", "Ronda 2"], "Mesa|Jugador 1|Jugador 2|Resultado"),
        (["Turno 1", "Turno 2"], "Tavolo|Giocatore 1|Giocatore 2|Risultato"),
        (["Turno 1", "Turno 2"], "Tavolo|Giocatore 1|Giocatore 2|Ris."),
        (["Rodada 1", "Rodada 2"], "Mesa|Jogador 1|Jogador 2|Resultado"),
        (["1", "2"], "Table|White|Black|Result"),
    ] {
        let first = format!("{head}\n1|Abel|Bora|2-1\n2|Cleo|Dana|2-0");
        let second = format!("{head}\n1|Abel|Cleo|0-2\n2|Dana|Bora|1-2");
        let players =
            "Name|Rating|ID\nAbel|1500|A-1\nBora|1400|B-2\nCleo|1600|\nDana||\nEgon|1200|E-5";
        let bytes = book(&[("Players", players), (names[0], &first), (names[1], &second)]);
        assert_eq!(
            lines_of("a.xlsx", &bytes),
            [
                "1: Abel-Bora 2,1 (0)",
                "1: Cleo-Dana 2,0 (0)",
                "2: Abel-Cleo 0,2 (0)",
                "2: Dana-Bora 1,2 (0)"
            ]
        );
        let source = read("a.xlsx", &bytes).expect("a workbook");
        let facts: Vec<_> = source.players.iter().map(|one| (&one.name[..], one.rating)).collect();
        assert_eq!(
            facts,
            [
                ("Abel", Some(1500)),
                ("Bora", Some(1400)),
                ("Cleo", Some(1600)),
                ("Dana", None),
                ("Egon", Some(1200))
            ]
        );
        assert_eq!(source.players[1].publisher_id.as_deref(), Some("B-2"));
    }
}

#[test]
fn sheets_of_matches_without_a_round_are_refused_and_others_are_told() {
    let one = "Player 1|Player 2|Result\nAbel|Bora|2-1";
    let other = "Player 1|Player 2|Result\nCleo|Dana|2-1";
    let error = read("a.xlsx", &book(&[("North", one), ("South", other)]))
        .expect_err("which round?")
        .to_string();
    assert!(error.contains("sheet \"South\", row 1") && error.contains("the round"), "{error}");
    let cash = "Name|Fee\nEgon|5\nFred|5";
    let source = read("a.xlsx", &book(&[("Cash", cash), ("Round 1", one)])).expect("a workbook");
    assert!(
        source.oddities.iter().any(|odd| odd.sentence == "The sheet \"Cash\" is not read."),
        "{:?}",
        source.oddities
    );
    // All matches, and the same once more on a sheet of their round.
    let all = "Round|Player 1|Player 2|Result\n1|Abel|Bora|2-1\n2|Abel|Bora|1-2";
    assert_eq!(lines_of("a.xlsx", &book(&[("All", all), ("Round 1", one)])).len(), 2);
}

#[test]
fn tables_stacked_in_one_sheet_are_read_each_by_its_own_columns() {
    let text = "Club night\nRound 1\nTable,Player 1,Player 2,Result\n1,Abel,Bora,2-1\n2,Cleo,Dana,2-0\n\n\
                Round 2\nTable,White,Black,Score\n1,Abel,Cleo,0-2\n2,Dana,Bora,1-2\n\n\
                Standings\nRank,Name,Points\n1,Cleo,6\n2,Abel,3\n2,Bora,3\n4,Dana,0\n";
    assert_eq!(
        lines(text),
        [
            "1: Abel-Bora 2,1 (0)",
            "1: Cleo-Dana 2,0 (0)",
            "2: Abel-Cleo 0,2 (0)",
            "2: Dana-Bora 1,2 (0)"
        ]
    );
    let source = source(text);
    assert_eq!((source.title.as_str(), source.published.len()), ("Club night", 4));
}

#[test]
fn names_may_stand_in_two_columns_or_last_name_first() {
    let expected = ["1: Ann Lee-Ben Ott 2,1 (0)", "1: Cid Poe-Dee Roe 0,2 (0)"];
    for text in [
        "Round,First name 1,Last name 1,First name 2,Last name 2,Result\n1,Ann,Lee,Ben,Ott,2-1\n1,Cid,Poe,Dee,Roe,0-2\n",
        "Runde;Vorname A;Nachname A;Vorname B;Nachname B;Ergebnis\n1;Ann;Lee;Ben;Ott;2:1\n1;Cid;Poe;Dee;Roe;0:2\n",
        "Round,Player 1,Player 2,Result\n1,\"Lee, Ann\",\"Ott, Ben\",2-1\n1,\"Poe, Cid\",\"Roe, Dee\",0-2\n",
        "Round;Player 1;Player 2;Result\n1;Lee, Ann;Ott, Ben;2-1\n1;Poe, Cid;Roe, Dee;0-2\n",
    ] {
        let found = lines(text);
        let found: Vec<String> = found
            .iter()
            .map(|line| {
                line.replace("Lee, Ann", "Ann Lee")
                    .replace("Ott, Ben", "Ben Ott")
                    .replace("Poe, Cid", "Cid Poe")
                    .replace("Roe, Dee", "Dee Roe")
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
    // One spells it the other way round: they are one and the same.
    let mixed =
        "Round,Player 1,Player 2,Result\n1,\"Lee, Ann\",\"Ott, Ben\",2-1\n2,Ann Lee,Ben Ott,0-2\n";
    assert_eq!(source(mixed).players.len(), 2, "{:?}", source(mixed).players);
}

#[test]
fn results_are_two_columns_words_and_letters_of_six_languages() {
    for (text, expected) in [
        ("Runde;Heim;Gast;Satz H;Satz G\n1;Abel;Bora;2;1\n", "ask"),
        ("Runde;Heim;Gast;Sätze Heim;Sätze Gast\n1;Abel;Bora;2;1\n", "1: Abel-Bora 2,1 (0)"),
        ("Round,Home,Away,Home score,Away score\n1,Abel,Bora,2,1\n", "1: Abel-Bora 2,1 (0)"),
        ("Ronde;Joueur 1;Joueur 2;Score 1;Score 2\n1;Abel;Bora;2;1\n", "1: Abel-Bora 2,1 (0)"),
        (
            "Runde;Spieler;Gegner;Ergebnis\n1;Abel;Bora;gewonnen\n1;Cleo;Dana;unentschieden\n",
            "1: Abel-Bora 1,0 (0)",
        ),
        (
            "Ronda;Jugador 1;Jugador 2;Resultado\n1;Abel;Bora;gana\n1;Cleo;Dana;empate\n",
            "1: Abel-Bora 1,0 (0)",
        ),
        (
            "Turno;Giocatore 1;Giocatore 2;Risultato\n1;Abel;Bora;vittoria\n1;Cleo;Dana;patta\n",
            "1: Abel-Bora 1,0 (0)",
        ),
        (
            "Rodada;Jogador 1;Jogador 2;Resultado\n1;Abel;Bora;vitória\n1;Cleo;Dana;derrota\n",
            "1: Abel-Bora 1,0 (0)",
        ),
        (
            "Ronde;Joueur;Adversaire;Résultat\n1;Abel;Bora;victoire\n1;Cleo;Dana;défaite\n",
            "1: Abel-Bora 1,0 (0)",
        ),
        (
            "Jornada;Local;Visitante;Resultado\n1;Abel;Bora;2 - 1\n1;Cleo;Dana;0 - 2\n",
            "1: Abel-Bora 2,1 (0)",
        ),
        (
            "Journée;Domicile;Extérieur;Score\n1;Abel;Bora;2 à 1\n1;Cleo;Dana;0 à 2\n",
            "1: Abel-Bora 2,1 (0)",
        ),
        (
            "Spieltag;Heim;Gast;Ergebnis\n1;Abel;Bora;2 zu 1\n1;Cleo;Dana;0 zu 2\n",
            "1: Abel-Bora 2,1 (0)",
        ),
        ("Week,Home,Away,Result\n1,Abel,Bora,2 to 1\n1,Cleo,Dana,0 to 2\n", "1: Abel-Bora 2,1 (0)"),
        (
            "Round,Player 1,Player 2,Games\n1,Abel,Bora,2-1\n1,Cleo,Dana,0-2\n",
            "1: Abel-Bora 2,1 (0)",
        ),
        ("Round,Player 1,Player 2,Bo3\n1,Abel,Bora,2-1\n1,Cleo,Dana,0-2\n", "1: Abel-Bora 2,1 (0)"),
        (
            "Round,Player 1,Player 2,Result\n1,Abel,Bora,2 1\n1,Cleo,Dana,0 2\n",
            "1: Abel-Bora 2,1 (0)",
        ),
        (
            "Round,Player 1,Player 2,Result\n1,Abel,Bora,(2-1)\n1,Cleo,Dana,[0-2]\n",
            "1: Abel-Bora 2,1 (0)",
        ),
        (
            "Round,Player 1,Player 2,Result\n1,Abel,Bora,Abel\n1,Cleo,Dana,Dana\n",
            "1: Abel-Bora 1,0 (0)",
        ),
        (
            "Round,Player 1,Player 2,Result\n1,Abel,Bora,Abel 2-1\n1,Cleo,Dana,Dana 2-0\n",
            "1: Abel-Bora 2,1 (0)",
        ),
        ("Round,Match\n1,Abel 2 - 1 Bora\n1,Cleo 0 - 2 Dana\n", "1: Abel-Bora 2,1 (0)"),
        ("Round,Winner,Loser,Score\n1,Abel,Bora,2-1\n1,Dana,Cleo,2-0\n", "1: Abel-Bora 2,1 (0)"),
        ("Runde;Sieger;Verlierer\n1;Abel;Bora\n1;Dana;Cleo\n", "1: Abel-Bora 1,0 (0)"),
    ] {
        match read("a.csv", text.as_bytes()) {
            Ok(_) => assert_eq!(lines(text)[0], expected, "{text}"),
            Err(error) => {
                assert_eq!(expected, "ask", "{error}\n{text}");
                assert_eq!(error.code(), "which-column", "{error}");
            }
        }
    }
}

#[test]
fn dates_that_were_results_are_read_where_they_can_mean_one_thing() {
    // All of the column are days of one year, and every one is a result that others have as text.
    let text = "Round,Player 1,Player 2,Result\n1,Abel,Bora,2026-01-02\n1,Cleo,Dana,2-0\n2,Abel,Cleo,2026-02-01\n2,Dana,Bora,0-2\n";
    let error = refused(text);
    assert!(error.contains("2-1 or 1-2") && error.contains("as text"), "{error}");
    // `02. Jan` is what a spreadsheet makes of `2-1` where days come first, `1-Feb` where months do.
    let named = "Runde;Spieler 1;Spieler 2;Ergebnis\n1;Abel;Bora;02. Jan\n1;Cleo;Dana;02. Jan\n";
    assert!(refused(named).contains("made a date of it"), "{}", refused(named));
}

#[test]
fn letters_and_signs_of_older_programs_are_read() {
    let text = "Runde;Spieler 1;Spieler 2;Ergebnis\r\n1;Jörg;Zoë;2:1\r\n1;Änne;Uß;0:2\r\n";
    let expected = ["1: Jörg-Zoë 2,1 (0)", "1: Änne-Uß 0,2 (0)"];
    let utf16: Vec<u8> =
        std::iter::once(0xfeffu16).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let windows: Vec<u8> = text.chars().map(|c| u8::try_from(c as u32).unwrap_or(b'?')).collect();
    let mac: Vec<u8> = text
        .chars()
        .map(|c| match c {
            'ö' => 0x9a,
            'ë' => 0x91,
            'Ä' => 0x80,
            'ß' => 0xa7,
            c => c as u8,
        })
        .collect();
    let old_ends = text.replace("\r\n", "\r");
    for bytes in [text.as_bytes(), &utf16, &windows, &mac, old_ends.as_bytes()] {
        assert_eq!(lines_of("a.csv", bytes), expected);
    }
}

#[test]
fn titles_footers_totals_and_blank_lines_are_no_matches() {
    let text = "Tuesday League;;;\n;;;\nHall: Town Hall;;;\nDate: 12.03.2026;;;\n;;;\nRound;Player 1;Player 2;Result\n\
                1;Abel;Bora;2-1\n;Cleo;Dana;2-0\n;;;\n2;Abel;Cleo;0-2\n;Dana;Bora;1-2\n;;;\nTotal;4 matches;;\n\
                * Bora came late;;;\nprinted on 13.03.2026;;;\n";
    assert_eq!(lines(text).len(), 4, "{:?}", lines(text));
    let source = source(text);
    assert_eq!(source.title, "Tuesday League");
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-03-12"));
}

#[test]
fn tables_side_by_side_are_read_each() {
    let text = "Round 1,,,,Round 2,,\nWhite,Black,Result,,White,Black,Result\nAnn,Ben,1-0,,Ann,Dee,0-1\nCid,Dee,½-½,,Ben,Cid,1-0\n";
    assert_eq!(lines(text).len(), 4, "{:?}", lines(text));
    let tore = "Spieltag;Datum;Heim;Gast;Tore Heim;Tore Gast\n1;01.09.2026;SV Au;TSV Berg;2;1\n1;01.09.2026;FC Chor;SC Dorf;0;0\n";
    assert_eq!(lines(tore)[0], "1: SV Au-TSV Berg 2,1 (0)");
    let asked = "Spieltag;Heim;Gast;H;G\n1;SV Au;TSV Berg;2;1\n1;FC Chor;SC Dorf;0;3\n";
    assert!(refused(asked).contains("games_a=4,games_b=5"), "{}", refused(asked));
    let words = "Round 1,,\nMatch,Score,Umpire\nAnn Lee vs Ben Ott,3-1,Zed\nCid Poe vs Dee Roe,walkover Dee Roe,Zed\n";
    assert_eq!(lines(words)[1], "1: Cid Poe-Dee Roe  () [Loss, Win]");
}

#[test]
fn what_an_organizer_keeps_beside_the_results_is_not_taken_for_one() {
    // A time of day is no score, and ratings of both players are no question.
    let pairings = "Board,White,Rating,Black,Rating,Time\n1,Ann,1800,Ben,1700,18:00\n2,Cid,1500,Dee,1400,18:00\n";
    assert_eq!(lines(pairings), ["1: Ann-Ben  ()", "1: Cid-Dee  ()"]);
    let table = "Rang;Team;Sp;S;U;N;Tore;Diff;Punkte\n1;SV Au;3;3;0;0;9:1;+8;9\n2;TSV Berg;3;1;0;2;4:5;-1;3\n";
    let source = source(table);
    assert_eq!(source.published[1].record, Some([1, 2, 0]));
    assert_eq!(source.players[1].sign_up, None);
    let grid = "Pool A;;;;;\n;Ann;Ben;Cid;Dee;Punkte\nAnn;;2:0;2:1;;6\nBen;0:2;;1:2;2:0;3\nCid;1:2;2:1;;2:0;6\nDee;;0:2;0:2;;0\n";
    assert_eq!(
        lines(grid).iter().filter(|line| !line.ends_with("[NoResult, NoResult]")).count(),
        5
    );
}

/// Excel saves with CR LF; blank lines and the line of a record are told as an editor counts them.
#[test]
fn lines_are_those_of_an_editor() {
    for end in ["\n", "\r\n"] {
        let text = ["Runde;Heim;Gast;Ergebnis", "1;Jo;An;2:1", "", "1;Ka;Ol;zwei", ""].join(end);
        let refused = read("c.csv", text.as_bytes()).expect_err("no result").to_string();
        assert!(refused.contains("line 4"), "{end:?}: {refused}");
    }
}

/// A question that is asked about columns is answered by typing what it suggests.
#[test]
fn what_is_suggested_for_columns_can_be_typed() {
    let sheets = [
        "1;1;Abel;Bora;2-1\n1;2;Cleo;Dana;2-0\n",
        "Round,Player,Foe,Result\n1,Abel,Bora,2-1\n1,Cleo,Dana,2-0\n",
        "Table,Player 1,Points,Player 2,Points\n1,Abel,6,Bora,6\n2,Cleo,3,Dana,3\n",
        "Round,Name,Name,Name,Result\n1,Abel,Bora,Cleo,2-0\n1,Dana,Egon,Fynn,2-1\n",
        "Spieltag;Heim;Gast;H;G\n1;SV Au;TSV Berg;2;1\n1;FC Chor;SC Dorf;0;3\n",
        "Round,Name,Full name,Nickname,Opponent,Opponent name,Result\n1,Abel,Abel A,Ab,Bora,Bora B,2-0\n",
        "Runde;Spieler;Name;Gegner;Gegnername;Ergebnis\n1;Abel;Abel A;Bora;Bora B;2-0\n",
        "Name;Spieler;Team;Punkte\nAbel;Abel A;X;3\nBora;Bora B;Y;0\n",
        "Name;Spieler;Teilnehmer;Punkte\nAbel;Abel A;X;3\nBora;Bora B;Y;0\n",
        "Player;Who;Result;Result\nAbel;Bora;2-0;3-0\n",
        "Round,Player 1,Player 1,Player 2,Result,Score\n1,Abel,Ab,Bora,2-1,3-0\n",
        "Runde;Wer;Gegen wen;Ergebnis\n1;Abel;Bora;2-1\n1;Cleo;Dana;0-2\n",
    ];
    for text in sheets {
        let Err(error) = read("a.csv", text.as_bytes()) else { continue };
        assert_eq!(error.code(), "which-column", "{error}\n{text}");
        let message = error.to_string();
        let said = message.split_once("--columns ").expect("a choice").1.trim_end_matches('`');
        let asked = Asked { columns: Some(said.to_owned()) };
        let source = read_with("a.csv", text.as_bytes(), &asked);
        let source = source.unwrap_or_else(|error| panic!("{said}: {error}\n{text}"));
        assert!(source.players.len() > 1, "{text}");
    }
}

/// The choice is for the table that asks; what stands below it in the same sheet, or on another one, is read as
/// without a choice.
#[test]
fn a_choice_of_columns_reads_the_second_table_of_a_sheet_too() {
    let first = "Round 1\nTable,Who,Foe,Result\n1,Abel,Bora,2-1\n2,Cleo,Dana,2-0\n\n";
    let second = "Round 2\nTable,Player 1,Player 2,Score\n1,Abel,Cleo,0-2\n2,Dana,Bora,1-2\n\n";
    let table = "Standings\nRank,Name,Points\n1,Cleo,6\n2,Abel,3\n2,Bora,3\n4,Dana,0\n";
    let asked = Asked { columns: Some("player_a=2,player_b=3".to_owned()) };
    let alike = second.replace("Player 1,Player 2,Score", "Who,Foe,Result");
    for second in [second, &alike] {
        let text = format!("{first}{second}{table}");
        let source = read_with("a.csv", text.as_bytes(), &asked).expect(&text);
        assert_eq!(sheet_of(&source).len(), 4, "{:?}", sheet_of(&source));
        assert_eq!(source.published.len(), 4, "{:?}", source.oddities);
    }
    let players = "Name|Rating\nAbel|1500\nBora|1400\nCleo|1300\nDana|1200";
    let round = "Table|Player|Foe|Result\n1|Abel|Bora|2-1\n2|Cleo|Dana|2-0";
    let bytes = book(&[("Players", players), ("Round 1", round)]);
    let error = read("a.xlsx", &bytes).expect_err("which opponent").to_string();
    assert!(error.contains("which column is player_b?"), "{error}");
    let asked = Asked { columns: Some("player_b=Foe".to_owned()) };
    let source = read_with("a.xlsx", &bytes, &asked).expect("read");
    assert_eq!((sheet_of(&source).len(), source.players[0].rating), (2, Some(1500)));
}

/// A slip of the pen in a name makes a player of its own: the file is told to mend it, and nothing is changed.
#[test]
fn a_misspelt_name_is_told_beside_the_one_that_it_may_be() {
    let head = "Round,Player 1,Player 2,Result\n";
    let rows = "1,Ann Lee,Ben Ott,2-1\n1,Cid Poe,Dee Roe,2-0\n";
    for (slip, right) in [
        ("Ann Lea", "Ann Lee"),
        ("Lee Ann", "Ann Lee"),
        ("Ben Otto", "Ben Ott"),
        ("Ott", "Ben Ott"),
        ("Dee Reo", "Dee Roe"),
    ] {
        let rest =
            ["Ann Lee", "Ben Ott", "Cid Poe", "Dee Roe"].into_iter().filter(|name| *name != right);
        let rest: Vec<&str> = rest.collect();
        let text = format!("{head}{rows}2,{slip},{},2-0\n2,{},{},1-2\n", rest[0], rest[1], rest[2]);
        let said = told(&text);
        assert!(
            said.contains(&format!("line 4: {slip:?} is a player of their own here. {right:?} is")),
            "{said}"
        );
        assert_eq!(source(&text).players.len(), 5);
    }
    // Who plays beside another in one round is not them, and of two who are as near nobody is guessed.
    for rows in [
        "1,Ann Lee,Ann Lea,2-1\n1,Cid Poe,Dee Roe,2-0\n2,Ann Lee,Cid Poe,2-1\n",
        "1,Ann Lee,Ann Leo,2-1\n2,Ann Lea,Cid Poe,2-1\n",
        "1,Team 1,Team 2,2-1\n2,Team 3,Team 4,2-1\n",
    ] {
        let said = told(&format!("{head}{rows}"));
        assert!(!said.contains("of their own"), "{said}");
    }
    // Where players are listed, the list is right; whoever is near nobody there is told too.
    let list = "Name|Rating\nAnn Lee|1500\nBen Ott|1400\nCid Poe|1300\nDee Roe|1200";
    let round = "Player 1|Player 2|Result\nAnn Lea|Ben Ott|2-1\nCid Poe|Zoe|2-0";
    let source = read("a.xlsx", &book(&[("Players", list), ("Round 1", round)])).expect("read");
    let said: Vec<&str> = source.oddities.iter().map(|odd| odd.sentence.as_str()).collect();
    assert!(
        said.iter()
            .any(|one| one.starts_with("\"Ann Lea\" is a player of their own here. \"Ann Lee\"")),
        "{said:?}"
    );
    assert!(said.contains(&"\"Zoe\" does not stand in the list of players."), "{said:?}");
}

/// `Autumn Cup, Runde 2` is a round of Autumn Cup.
#[test]
fn the_round_in_a_title_is_no_part_of_it() {
    let head = "Table,Player 1,Player 2,Result\n";
    for (one, two) in [
        ("\"Autumn Cup, Runde 1\"", "\"Autumn Cup, Runde 2\""),
        ("Autumn Cup - Round 1", "Autumn Cup - Round 2"),
        ("Autumn Cup (Ronde 1)", "Autumn Cup (Ronde 2)"),
        ("Autumn Cup 1. Runde", "Autumn Cup 2. Runde"),
        ("Autumn Cup: Giornata 1", "Autumn Cup: Giornata 2"),
    ] {
        let text = format!(
            "{one}\n\n{head}1,Abel,Bora,2-1\n2,Cleo,Dana,2-0\n\n{two}\n\n{head}1,Abel,Cleo,0-2\n2,Dana,Bora,1-2\n"
        );
        let both = source(&text);
        assert_eq!((both.title.as_str(), lines(&text).len()), ("Autumn Cup", 4), "{text}");
        let first = source(&format!("{one}\n\n{head}1,Abel,Bora,2-1\n2,Cleo,Dana,2-0\n"));
        assert_eq!(first.title, "Autumn Cup", "{one}");
        // A later round alone says which it is.
        let second = source(&format!("{two}\n\n{head}1,Abel,Cleo,0-2\n2,Dana,Bora,1-2\n"));
        assert_eq!(second.title, two.trim_matches('"'));
        assert!(second.unknown.contains(&UnknownFact::EarlierRounds), "{:?}", second.unknown);
        assert_ne!(first.identity, second.identity);
    }
    let named = |name: &str| {
        let source = read(name, format!("{head}1,Abel,Bora,2-1\n").as_bytes()).expect(name);
        (source.title.clone(), source.rounds().next().map(|(_, round)| round.name.clone()))
    };
    assert_eq!(named("Liga Runde 1.csv"), ("Liga".into(), Some("Round 1".into())));
    assert_eq!(named("Liga Runde 3.csv"), ("Liga Runde 3".into(), Some("Round 3".into())));
    assert_eq!(named("Liga 3.csv"), ("Liga 3".into(), Some("Round 1".into())));
}

/// A workbook of Excel 97 to 2003, as many clubs keep them.
#[test]
fn an_older_workbook_is_read_as_a_newer_one_and_never_breaks_the_reader() {
    let bytes = include_bytes!("../../fuzz-seeds/sheets/runden.xls");
    let source = read("pokal.xls", bytes).expect("a workbook");
    assert_eq!((source.format.as_str(), source.title.as_str()), ("xls", "Herbstpokal 2026"));
    assert_eq!(source.held_on.map(|day| day.to_string()).as_deref(), Some("2026-10-03"));
    assert_eq!(
        lines_of("pokal.xls", bytes),
        [
            "1: Jörg Abel-Bora 2,1 (0)",
            "1: Cleo-Zoë Дана 2,0 (0)",
            "2: Jörg Abel-Cleo 1,2 (0)",
            "2: Zoë Дана-Bora 0,2 (0)"
        ]
    );
    assert_eq!(source.players[0].rating, Some(1510));
    assert_eq!(source.players[0].publisher_id.as_deref(), Some("007"));
    assert!(!format!("{source:?}").contains("Geheim"), "hidden sheets are not read");
    // Cut short, and with a byte changed anywhere: refused or read, never worse.
    for end in (0..bytes.len()).step_by(97) {
        let _ = read("a.xls", &bytes[..end]);
    }
    for at in (0..bytes.len()).step_by(3) {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= [0x55, 0xff][at % 2];
        let _ = read("a.xls", &damaged);
    }
    let other = [&bytes[..8], &[0; 600][..]].concat();
    let refused = read("a.doc", &other).expect_err("no workbook").to_string();
    assert!(refused.contains("workbook"), "{refused}");
}

#[test]
fn a_rating_that_cannot_be_read_is_told_by_its_line_and_thousands_are_read() {
    let list = "Name,Rating\nAnn,\"1,955\"\nBen,k.A.\nCid,1800.5\nDan,2100 (DWZ)\nEve,-\nFay,0\nGus,2.004\n";
    let ratings: Vec<_> = source(list).players.iter().map(|player| player.rating).collect();
    assert_eq!(ratings, [Some(1955), None, None, None, None, None, Some(2004)]);
    let odd = told(list);
    assert_eq!(odd.lines().count(), 3, "{odd}");
    for (line, cell) in [(3, "k.A."), (4, "1800.5"), (5, "2100 (DWZ)")] {
        assert!(odd.contains(&format!("line {line}: The rating {cell:?} of ")), "{odd}");
    }
}

#[test]
fn a_date_above_the_columns_is_read_as_people_write_it() {
    let below = "\n\nRunde;Spieler 1;Spieler 2;Ergebnis\n1;Abel;Bora;2-1\n1;Cleo;Dana;2-0\n";
    let held = |line: &str| {
        let source = source(&format!("Herbstpokal\n{line}{below}"));
        assert_eq!((source.title.as_str(), source.rounds().count()), ("Herbstpokal", 1), "{line}");
        (source.held_on.map(|day| day.to_string()), source.oddities)
    };
    for line in [
        "3. November 2026",
        "Samstag, 3. November 2026, 19 Uhr",
        "Datum: 03.11.2026",
        "Datum;3.11.2026",
        "Nov 3, 2026",
        "November 3rd, 2026",
        "Tuesday 3 November 2026",
        "le mardi 3 novembre 2026",
        "3 de noviembre de 2026",
        "3 novembre 2026",
        "Data: 3 de novembro de 2026",
        "Runde 1, 3. November 2026",
        "Runde 1 - 3. November 2026",
        "3.-4. November 2026",
        "3 y 4 de noviembre de 2026",
        "Nov 3-4, 2026",
        "3./4.11.2026",
        "03.11.-04.11.2026",
        "2026-11-03",
        "(2026-11-03)",
        "2026-11-03T19:00",
        "3 November - 1 December 2026",
    ] {
        let (day, told) = held(line);
        assert_eq!(day.as_deref(), Some("2026-11-03"), "{line}");
        assert!(told.iter().all(|odd| !odd.sentence.contains("date")), "{line}: {told:?}");
    }
    for (line, day) in [
        ("11/25/2026", "2026-11-25"),
        ("25/11/2026", "2026-11-25"),
        ("05/05/2026", "2026-05-05"),
        ("1er août 2026", "2026-08-01"),
        ("14. M\u{e4}rz 2026", "2026-03-14"),
        ("14. Ma\u{308}rz 2026", "2026-03-14"),
        ("31 October - 1 November 2026", "2026-10-31"),
        ("29 dicembre - 2 gennaio 2027", "2026-12-29"),
        ("29.12.-02.01.2027", "2026-12-29"),
        ("mar 3 novembre 2026", "2026-11-03"),
        ("mar, 3 de noviembre de 2026", "2026-11-03"),
    ] {
        assert_eq!(held(line).0.as_deref(), Some(day), "{line}");
    }
}

#[test]
fn a_date_that_may_be_two_days_is_told_and_not_read() {
    let below = "\nRunde;Spieler 1;Spieler 2;Ergebnis\n1;Abel;Bora;2-1\n1;Cleo;Dana;2-0\n";
    let text = |above: &str| format!("{above}\n{below}");
    let read = source(&text("11/03/2026\nHerbstpokal"));
    assert_eq!((read.title.as_str(), read.held_on), ("Herbstpokal", None));
    let both = told(&text("Herbstpokal\n11/03/2026"));
    let sentence = "line 2: The date \"11/03/2026\" is not read: of 11 and 3 it does not say which is the day. \
                    Type 2026-03-11 or 2026-11-03 instead.\n";
    assert!(both.contains(sentence), "{both}");
    // A line that says the day settles it.
    assert!(!told(&text("# date: 2026-11-03\nHerbstpokal 11/03/2026")).contains("not read"));
    for short in ["03.11.26", "3/11/26", "3. November", "November 3"] {
        let told = told(&text(&format!("Herbstpokal\n{short}")));
        let sentence = format!(
            "line 2: The date {short:?} is not read: type it with its whole year, such as 2026-05-31.\n"
        );
        assert!(told.contains(&sentence), "{short}: {told}");
    }
    // What looks like one and is none stays what it is.
    for title in ["March Madness", "May 2026 Open", "Version 1.2.3", "Marathon 3"] {
        let source = source(&text(title));
        assert_eq!((source.title.as_str(), source.held_on), (title, None));
        assert!(told(&text(title)).find("The date").is_none(), "{title}");
    }
}

#[test]
fn a_cross_table_of_chess_is_told_by_halves_and_colors_and_its_points_are_compared() {
    let halves = |text: &str| source(text).halves;
    let chess =
        "No,Name,1,2,Pts\n1,Abel,2w1,3b0,1\n2,Bora,1b0,4w1,1\n3,Cleo,4w1,1w1,2\n4,Dana,3b0,2b0,0\n";
    assert!(halves(chess), "colors");
    assert!(halves("Name,A,B,C\nA,x,1,½\nB,0,x,1\nC,½,0,x\n"));
    assert!(halves("White,Black,Result\nAbel,Bora,1-0\nCleo,Dana,½-½\n"));
    // Points of one for each match tell it too, and three for a win tell that it is none.
    let cups = |points: [&str; 4]| {
        let [a, b, c, d] = points;
        format!(
            "No,Name,1,2,Points\n1,Abel,+2,-3,{a}\n2,Bora,-1,+4,{b}\n3,Cleo,+4,+1,{c}\n4,Dana,-3,-2,{d}\n"
        )
    };
    assert!(halves(&cups(["1", "1", "2", "0"])));
    assert!(!halves(&cups(["3", "3", "6", "0"])));
    assert!(!halves("White,Black,Result\nAbel,Bora,2-1\nCleo,Dana,½-½\n"), "games");
    assert!(!halves(&cups(["", "", "", ""])));
    let source = source(chess);
    let points: Vec<(usize, i64)> =
        source.published.iter().map(|row| (row.player, row.points_tenths)).collect();
    assert_eq!(points, [(0, 10), (1, 10), (2, 20), (3, 0)]);
    let odd = told(&chess.replace(",3b0,1\n", ",3b0,one\n"));
    assert!(
        odd.contains("line 2: The points are not compared: column 5 (Pts) is \"one\""),
        "{odd}"
    );
}

#[test]
fn a_rank_that_two_share_draws_no_lots_between_them() {
    let lots = |text: &str| -> Vec<u32> {
        let events = legal_events(&source(text)).expect("events");
        let drawn = events.into_iter().filter_map(|event| match event {
            Event::LotsDrawn(lots) => Some(lots.order),
            _ => None,
        });
        drawn.flatten().collect()
    };
    let of = |ranks: [&str; 4]| {
        let [a, b, c, d] = ranks;
        format!(
            "Rank,No,Name,1,Points\n{a},1,Abel,+2,3\n{b},2,Bora,-1,0\n{c},3,Cleo,+4,3\n{d},4,Dana,-3,0\n"
        )
    };
    assert_eq!(lots(&of(["1", "4", "2", "3"])), [1, 3, 4, 2]);
    assert_eq!(lots(&of(["1", "3-4", "2", "3-4"])), [1, 3]);
    assert_eq!(lots(&of(["=1", "4", "=1", "3"])), [4, 2]);
    // Points alone say who is ahead, and nobody of those who have as many.
    assert!(lots(&of(["1", "3", "1", "3"])).is_empty());
    let without = "No,Name,1,Points\n1,Abel,+2,3\n2,Bora,-1,0\n3,Cleo,+4,3\n4,Dana,-3,0\n";
    assert!(lots(without).is_empty());
}

#[test]
fn a_column_of_matches_with_their_scores_is_read_as_names_and_scores() {
    let four = ["1: Ann Lee-Bob Smith 2,1 (0)", "1: Cid Roe-Dee Fox 0,2 (0)"];
    for text in [
        "Ann Lee 2 - 1 Bob Smith\nCid Roe 0 - 2 Dee Fox\n",
        "Spring Cup\n\nAnn Lee 2-1 Bob Smith\nCid Roe 0:2 Dee Fox\n",
        "Ann Lee - Bob Smith 2:1\nCid Roe - Dee Fox 0:2\n",
        "Ann Lee vs Bob Smith 2-1\nCid Roe vs Dee Fox 0-2\n",
    ] {
        assert_eq!(lines(text), four, "{text}");
    }
    let rounds = "Spring Cup, 3 November 2026\nRound 1\nAnn 2-1 Bob\nCid 0-2 Dee\n\nRound 2\nAnn 2-0 Dee\nBob 2-1 Cid\n";
    assert_eq!(
        lines(rounds),
        ["1: Ann-Bob 2,1 (0)", "1: Cid-Dee 0,2 (0)", "2: Ann-Dee 2,0 (0)", "2: Bob-Cid 2,1 (0)"]
    );
    assert_eq!(lines("Ann Lee 2 - 1 Bob Smith\n"), ["1: Ann Lee-Bob Smith 2,1 (0)"]);
}

#[test]
fn a_copied_chat_is_called_one_and_no_list_of_json() {
    for text in [
        "[03/11/2026, 19:04] Ann: Ann 2-1 Bob\n[03/11/2026, 19:05] Cid: I lost 0-2\n",
        "[03.11.26, 19:04:31] Ann Lee: done\n",
        "03/11/2026, 19:04 - Ann: Ann 2-1 Bob\n03/11/2026, 19:06 - Cid: thanks\n",
        "\u{200e}[11/3/26, 7:04:31 PM] Ann: Ann 2-1 Bob\n",
    ] {
        let error = refused(text);
        assert!(error.contains("this is a chat that was copied"), "{error}");
        assert!(error.contains("such as Ann Lee 2 - 1 Bob Smith"), "{error}");
    }
    assert!(refused("[1, 2]").contains("a JSON list"));
}

#[test]
fn goals_of_ten_are_asked_for_as_those_of_fewer_are() {
    let text = "Heim;Gast;HG;AG\nAbel;Bora;2;10\nCleo;Dana;1;3\n";
    let error = refused(text);
    assert!(
        error.contains("which column is games_a?") && error.contains("games_a=3,games_b=4"),
        "{error}"
    );
}

#[test]
fn what_is_not_read_of_further_sheets_is_told_and_a_hole_is_told_where_it_shows() {
    let matches = "Round|Player 1|Player 2|Result\n1|Abel|Bora|2-1\n1|Cleo|Dana|2-0";
    let roster = "Name|Rating|Shirt\nAbel|1500|M\nBora|1480|S\nCleo|1470|S\nDana|1400|L";
    let bytes = book(&[("Matches", matches), ("Players", roster)]);
    let source = read("a.xlsx", &bytes).expect("read");
    let odd: Vec<String> =
        source.oddities.iter().map(|odd| format!("{}: {}", odd.place, odd.sentence)).collect();
    assert!(
        odd.contains(&"sheet \"Players\", row 1: Not read: column 3 (Shirt).".to_owned()),
        "{odd:?}"
    );
    let hole = "Spring Cup\n\nRound,Player 1,Player 2,Result\n1,Abel,Bora,2-1\n1,Cleo,Dana,2-0\n3,Abel,Cleo,2-0\n";
    assert!(refused(hole).contains("line 6: round 2 is missing"), "{}", refused(hole));
}

#[test]
fn what_is_told_of_a_whole_file_has_a_place() {
    let text = b"Runde;Spieler 1;Spieler 2;Ergebnis\n1;J\xf6rg;Bora;2-1\n1;Cleo;Dana;2-0\n";
    let source = read("a.csv", text).expect("read");
    assert!(source.oddities.iter().all(|odd| !odd.place.is_empty()), "{:?}", source.oddities);
    let mut oddities = crate::build::Oddities::default();
    oddities.add("", "It is odd.");
    assert_eq!(oddities.finish()[0].place, "the file");
}

#[test]
fn a_list_of_one_column_has_byes_among_its_matches_and_a_word_above_them() {
    for bye in
        ["Cid Ray BYE", "Cid Ray - bye", "Bye: Cid Ray", "Cid Ray (spielfrei)", "Cid Ray vs. BYE"]
    {
        let text = format!("Match\nAnn Lee 2 - 1 Bob Smith\n{bye}\n");
        let expected = ["1: Ann Lee-Bob Smith 2,1 (0)", "1: Cid Ray bye "];
        assert_eq!(lines(&text), expected, "{bye}");
        let text = format!("Spiel\nAnn Lee - Bob Smith 2:1\nDot Fay - Eve Hay 2:0\n{bye}\n");
        assert_eq!(lines(&text).len(), 3, "{bye}");
    }
    let nobody = told("Spiel\nAnn Lee 2 - 1 Bob Smith\nDot Fay 2 - 0 Eve Hay\nBYE\n");
    assert!(nobody.contains("line 4: \"BYE\" is read as no match"), "{nobody}");
    assert_eq!(source("Spiel\nAnn Lee 2 - 1 Bob Smith\n").title, "event", "no title");
    let rounds = "Runde 1\nAnn Lee 2 - 1 Bob Smith\nCid Ray BYE\n\nRunde 2\nAnn Lee 2 - 0 Cid Ray\nBob Smith BYE\n";
    assert_eq!(lines(rounds).len(), 4, "{:?}", lines(rounds));
}

#[test]
fn a_table_whose_columns_are_not_known_hears_what_a_table_needs_and_no_list_of_programs() {
    let list = refused("Spiel\nAnn gegen Bob war laut\nCid kam nicht\nspäter mehr\n");
    assert!(list.contains("Player A, Player B and Result"), "{list}");
    assert!(!list.contains("swiss-manager"), "{list}");
    assert!(refused("hello world").contains("swiss-manager"), "a text that is no table");
}

#[test]
fn goals_above_nine_are_goals_among_others_and_what_is_read_as_points_names_its_line() {
    let league = "Spieltag;Heim;Gast;Ergebnis\n1;Ann;Ben;12:3\n1;Cid;Dee;2:2\n2;Ann;Cid;1:0\n2;Ben;Dee;4:3\n";
    assert_eq!(lines(league)[0], "1: Ann-Ben 12,3 (0)");
    assert!(told(league).contains("line 2: 12-3 is read as games won"), "{}", told(league));
    assert_eq!(source(league).scoresheet.seat_line("games"), Some(0));
    let robin = ";Ann;Ben;Cid\nAnn;;12:3;1:0\nBen;3:12;;2:2\nCid;0:1;2:2;\n";
    assert_eq!(source(robin).scoresheet.seat_line("games"), Some(0), "{}", told(robin));
    let battle = league.replace("2:2", "11:9").replace("1:0", "75:60");
    assert_eq!(source(&battle).scoresheet.seat_line("points"), Some(0));
    assert!(
        told(&battle).contains("points of a game, not as games won: 12-3 at line 2"),
        "{}",
        told(&battle)
    );
}

#[test]
fn the_title_is_not_the_club_that_holds_the_tournament() {
    let rows = "Round,Player 1,Player 2,Result\n1,Ann,Bob,2-1\n";
    let title = |above: &str| source(&format!("{above}{rows}")).title;
    assert_eq!(title("Schachklub Musterstadt e.V.\nHerbstpokal\n\n"), "Herbstpokal");
    assert_eq!(title("Herbstpokal\nSchachklub Musterstadt e.V.\n\n"), "Herbstpokal");
    assert_eq!(title("Schachklub Musterstadt e.V.\n\n"), "event", "the file's name");
    assert_eq!(title("Club Championship 2026\n\n"), "Club Championship 2026");
    assert_eq!(title("Vereinsmeisterschaft\n\n"), "Vereinsmeisterschaft");
}

#[test]
fn who_won_may_be_called_by_one_of_their_names_where_only_they_have_it() {
    let rows = "Round,Player A,Player B,Winner\n1,Ann Lee,Bob Smith,Ann\n1,Cid Ray,Dot Ray,dot\n";
    assert_eq!(lines(rows), ["1: Ann Lee-Bob Smith 1,0 (0)", "1: Cid Ray-Dot Ray 0,1 (0)"]);
    let both = refused(&rows.replace("dot\n", "Ray\n"));
    assert!(both.contains("line 3") && both.contains("one of the two players"), "{both}");
}

/// A mark that is typed once swallows the rows behind it, which nobody would miss.
#[test]
fn a_quotation_mark_that_is_not_closed_is_refused_with_its_line_and_column() {
    let head = "Runde;Spieler 1;Spieler 2;Ergebnis\n1;Ann;Bob;2:1\n";
    for rows in [
        "1;Cid;\"Dee;2:0\n2;Ann;Cid;2:1\n2;Bob;Dee;2:0\n",
        "1;Cid;\"Dee;2:0\n2;Ann;\"Cid\";2:1\n2;Bob;Dee;2:0\n",
        "1;Cid;\"Dee;2:0\n",
    ] {
        let error = refused(&format!("{head}{rows}"));
        assert!(error.contains("line 3, column 3: a quotation mark"), "{error}");
        assert!(error.contains("take its mark away"), "it says what to do: {error}");
    }
    let own =
        "round,player_a,player_b,games_a,games_b\n1,Ann,Bob,2,0\n1,Cid,\"Dee,2,0\n2,Ann,Cid,2,1\n";
    assert!(refused(own).contains("line 3, column 3: a quotation mark"), "{}", refused(own));
    let note = "Runde;Spieler 1;Spieler 2;Ergebnis;Notiz\n1;Ann;\"Bob\";2:1;\"laut; mit\nUhr; kurz\"\n1;Cid;Dee;2:0;\n";
    assert_eq!(lines(note), ["1: Ann-Bob 2,1 (0)", "1: Cid-Dee 2,0 (0)"]);
}

#[test]
fn a_comma_within_a_result_between_commas_is_refused_with_its_line() {
    let text = "Round,White,Black,Result\n1,Ann,Bob,0,5-0,5\n1,Cid,Dee,1-0\n";
    let error = refused(text);
    assert!(error.contains("line 2") && error.contains("more cells than"), "{error}");
    let quoted = text.replace("0,5-0,5", "\"0,5-0,5\"");
    assert!(lines(&quoted)[0].ends_with("[Draw, Draw]"), "{:?}", lines(&quoted));
}

#[test]
fn a_row_with_more_cells_than_columns_is_refused_also_where_all_rows_have_one() {
    let head = "Round,White,Black,Result";
    for text in [
        format!("{head}\n1,Ann,Ben,0,5\n1,Cid,Dan,1,0\n"),
        format!("{head}\n1,Ann,Ben,2,1\n1,Cid,Dan,2-0\n"),
        format!("{head},Bemerkung\n1,Ann,Ben,0,5,\n1,Cid,Dan,1,0,\n"),
        "round,player_a,player_b,games_a,games_b\n1,Ann,Ben,0,5,2\n".to_owned(),
    ] {
        let error = refused(&text);
        assert!(error.contains("line 2: ") && error.contains("more cells than"), "{error}");
        assert!(error.contains("semicolons"), "{error}");
    }
    assert!(refused(&format!("{head}\n1,Ann,Ben,0,5\n")).contains("5 cells under 4 columns"));
    // Empty cells at an end say nothing, and a name over two columns has an empty one behind it.
    let padded = format!("{head}\n1,Ann,Ben,1-0,,\n1,Cid,Dan,2-0,,\n");
    assert_eq!(lines(&padded).len(), 2);
    assert_eq!(lines(&format!("{head},\n1,Ann,Ben,2,1\n"))[0], "1: Ann-Ben 2,1 (0)");
}

#[test]
fn words_of_a_bye_are_nobody_and_doubtful_ones_are_told() {
    let head = "Round,Player 1,Player 2,Result\n1,Ann,Ben,2-0\n";
    for bye in [
        "Full-point bye",
        "requested bye",
        "BYE 1",
        "BYE BYE",
        "Bye (2-0)",
        "Bye (free win)",
        "Freilos (1:0)",
        "Freilos/Bye",
        "Auto-Bye",
        "Pause",
        "Ruht",
        "Rastet",
    ] {
        assert_eq!(lines(&format!("{head}1,Cid,{bye},\n"))[1], "1: Cid bye ", "{bye}");
    }
    for half in ["Half bye", "\u{bd} bye"] {
        let source = source(&format!("{head}1,Cid,{half},\n"));
        let (_, round) = source.rounds().next().expect("a round");
        assert_eq!(round.byes[0].kind, scrutineer_engine::event::ByeKind::Half, "{half}");
    }
    for doubtful in ["x", "n/a", "#N/A", "TBD", "N.N.", "leer", "unpaired", "no show", "kampflos"] {
        let told = told(&format!("{head}1,Cid,{doubtful},2-0\n"));
        assert!(told.contains("looks like no player"), "{doubtful}: {told}");
    }
    let named = lines(&format!("{head}1,Cid,Bye Smith,2-0\n"));
    assert_eq!(named[1], "1: Cid-Bye Smith 2,0 (0)");
}

#[test]
fn a_bye_that_was_lost_is_told_in_both_kinds_of_sheets() {
    let theirs = told("Round,Player 1,Player 2,Result\n1,Ann,Ben,2-0\n1,Cid,Freilos,0:2\n");
    assert!(theirs.contains("awarded loss"), "{theirs}");
    let ours = "round,player_a,player_b,games_a,games_b\n1,Ann,Ben,2,0\n1,Cid,BYE,0,2\n";
    assert!(told(ours).contains("awarded loss"), "{}", told(ours));
}

#[test]
fn halves_of_a_point_in_two_columns_are_refused_as_they_stand_with_what_to_type() {
    let text = "Runde;Spieler 1;Spieler 2;Punkte 1;Punkte 2\n1;Ann;Ben;12,5;3,5\n";
    let error = refused(text);
    assert!(error.contains("\"12,5\"") && error.contains("who won"), "{error}");
}

#[test]
fn a_choice_among_columns_of_one_name_says_that_it_reads_one_alone() {
    let text = "Name,Gegner,Ergebnis,Gegner,Ergebnis\nAnn,Ben,2:0,Cid,2:1\nCid,Dan,2:0,Ann,1:2\n";
    let error = refused(text);
    assert!(error.contains("a choice reads one alone"), "{error}");
}

#[test]
fn notes_and_sums_among_the_players_are_told_and_no_byes() {
    let text = "Runde;Spieler 1;Spieler 2;Ergebnis\n1;Ann;Bob;2:1\n1;Cid;Dee;2:0\n;N\u{e4}chste Runde am 3.11.;;\n\
                2;Ann;Cid;2:1\n2;Bob;Dee;2:0\n;Bob ging fr\u{fc}her;;\n;Gesamt;4 Spiele;\n;Total;2;\n;Summe;2;\n";
    assert_eq!(lines(text).len(), 4, "{:?}", lines(text));
    let said = told(text);
    for note in [
        "line 4: \"N\u{e4}chste Runde am 3.11.\" is read as no match",
        "line 7: \"Bob ging fr\u{fc}her\" is read as no match",
        "line 8: \"Gesamt\" is read as no match",
        "line 9: \"Total\" is read as no match",
        "line 10: \"Summe\" is read as no match",
    ] {
        assert!(said.contains(note), "{said}");
    }
    // Where the cells of a round are merged, somebody who plays has a bye there.
    let merged =
        "Runde;Spieler 1;Spieler 2;Ergebnis\n1;Ann;Bob;2:1\n;Cid;;\n2;Ann;Cid;2:1\n;Bob;;\n";
    assert_eq!(lines(merged)[1].trim_end(), "1: Cid bye");
}

#[test]
fn the_match_for_third_place_stands_beside_the_final() {
    for third in [
        "3rd place",
        "Third place",
        "3. Platz",
        "Platz 3",
        "Spiel um Platz 3",
        "Bronze",
        "petite finale",
        "Finale 3\u{b0} posto",
    ] {
        let text = format!(
            "Round,Player 1,Player 2,Result\nQuarterfinal,Ann,Bob,2-1\nQuarterfinal,Cid,Dee,2-1\n\
             Quarterfinal,Eve,Fay,2-1\nQuarterfinal,Gus,Hal,2-1\nSemifinal,Ann,Cid,2-0\nSemifinal,Eve,Gus,2-0\n\
             {third},Cid,Gus,2-1\nFinal,Ann,Eve,2-1\n"
        );
        assert_eq!(lines(&text)[6..], ["3: Cid-Gus 2,1 (0)", "3: Ann-Eve 2,1 (0)"], "{third}");
        let phases = source(&text).phases;
        assert_eq!((phases.len(), phases[0].kind), (1, PhaseKind::Elimination), "{third}");
    }
}

/// What is suggested is typed: a column of numbers would make players of them.
#[test]
fn a_column_of_numbers_is_not_suggested_for_a_player() {
    let finnish =
        refused("Pos;Pelaaja;Vastustaja;Tulos\n1;Aino;Eero;2-1\n2;Onni;V\u{e4}in\u{f6};0-2\n");
    assert!(finnish.contains("--columns player_a=2,player_b=3,result=4"), "{finnish}");
    let dutch =
        refused("Ronde;Speler 1;Speler 2;Uitslag\n1;Ann;Bob;2-1\n1;Cid;Dee;0-2\n2;Ann;Cid;2-0\n");
    assert!(dutch.contains("--columns round=1,player_a=2,player_b=3,result=4"), "{dutch}");
}

#[test]
fn a_cross_table_may_have_opponents_by_name_with_their_games() {
    let text = "Name,Round 1,Round 2,Round 3\nAnn,Bob 2-1,Cid 0-2,Dee 2-0\nBob,Ann 1-2,Dee 2-0,Cid 2-1\n\
                Cid,Dee 2-0,Ann 2-0,Bob 1-2\nDee,Cid 0-2,Bob 0-2,Ann 0-2\n";
    let found = [
        "1: Ann-Bob 2,1 (0)",
        "1: Cid-Dee 2,0 (0)",
        "2: Ann-Cid 0,2 (0)",
        "2: Bob-Dee 2,0 (0)",
        "3: Ann-Dee 2,0 (0)",
        "3: Bob-Cid 2,1 (0)",
    ];
    assert_eq!(lines(text), found);
    assert!(!told(text).contains("Not read"), "{}", told(text));
    let denied = refused(&text.replace("Ann 1-2", "Ann 2-1"));
    assert!(denied.contains("line 3") && denied.contains("two results"), "{denied}");
}

#[test]
fn how_it_came_out_is_read_in_italian_too() {
    let text =
        "Turno;Giocatore;Avversario;Esito\n1;Ann;Bob;V\n1;Cid;Dee;N\n2;Ann;Cid;P\n2;Bob;Dee;V\n";
    let found =
        ["1: Ann-Bob 1,0 (0)", "1: Cid-Dee 0,0 (1)", "2: Ann-Cid 0,1 (0)", "2: Bob-Dee 1,0 (0)"];
    assert_eq!(lines(text), found);
    let both = "Turno;Giocatore;Avversario;Risultato;Esito\n1;Ann;Bob;2-1;V\n1;Cid;Dee;0-2;P\n";
    assert_eq!(lines(both)[1], "1: Cid-Dee 0,2 (0)");
}

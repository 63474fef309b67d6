//! Sheets as people keep them, in six languages.

use super::*;
use std::path::PathBuf;

#[allow(clippy::disallowed_methods, reason = "a test reads files")]
fn bytes(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz-seeds/sheets");
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn sheet(name: &str) -> Source {
    let source = read(name, &bytes(name)).unwrap_or_else(|error| panic!("{error}"));
    legal_events(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
    source
}

fn with(name: &str, columns: &str) -> Result<Source, ImportError> {
    read_with(name, &bytes(name), &Asked { columns: Some(columns.into()) })
}

fn told(source: &Source) -> String {
    let line = |odd: &Oddity| format!("{}: {}\n", odd.place, odd.sentence);
    source.oddities.iter().map(line).collect()
}

/// Every sheet of matches, with what it says.
const MATCHES: [(&str, &[&str]); 26] = [
    (
        "en-round.csv",
        &[
            "1: Abel-Bora 2,1 (0)",
            "1: Cleo-Dana 2,0 (0)",
            "2: Abel-Cleo 1,1 (1)",
            "2: Dana-Bora 0,2 (0)",
        ],
    ),
    ("en-opponent.csv", &["1: Abel-Bora 2,1 (0)", "1: Cleo bye 2,0 (0)"]),
    (
        "en-chess.csv",
        &[
            "1: Abel-Bora 1,0 (0)",
            "1: Cleo-Dana  () [Draw, Draw]",
            "2: Dana-Abel 0,1 (0)",
            "2: Bora-Cleo  () [Draw, Draw]",
        ],
    ),
    (
        "en-wld.csv",
        &[
            "1: Abel-Bora 1,0 (0)",
            "1: Cleo-Dana 0,0 (1)",
            "2: Abel-Cleo 0,1 (0)",
            "2: Dana-Bora 1,0 (0)",
        ],
    ),
    ("en-winner.csv", &["1: Abel-Bora 1,0 (0)", "1: Cleo-Dana 0,0 (1)"]),
    ("en-versus.csv", &["1: Abel-Bora 2,0 (0)", "1: Cleo-Dana 1,2 (0)"]),
    ("en-pairings.csv", &["1: Abel-Bora  ()", "1: Cleo-Dana  ()", "1: Egon bye "]),
    (
        "en-stacked.csv",
        &[
            "1: Abel-Bora 2,0 (0)",
            "1: Cleo-Dana 2,1 (0)",
            "2: Abel-Cleo 2,1 (0)",
            "2: Bora-Dana 0,2 (0)",
        ],
    ),
    (
        "en-cut.csv",
        &[
            "1: Abel-Bora 2,0 (0)",
            "1: Cleo-Dana 2,1 (0)",
            "2: Abel-Cleo 2,1 (0)",
            "2: Bora-Dana 2,0 (0)",
            "3: Abel-Dana 2,0 (0)",
            "3: Bora-Cleo 1,2 (0)",
            "4: Abel-Cleo 2,1 (0)",
        ],
    ),
    ("en-pipes.txt", &["1: Abel-Bora 2,0 (0)", "1: Cleo-Dana  () [Win, Loss]"]),
    ("en-forfeit.csv", &["1: Abel-Bora 2,0 (0) [Win, Loss]", "1: Cleo-Dana  () [Loss, Win]"]),
    ("en-ids.csv", &["1: Abel-Bora 2,1 (0)", "1: Cleo-Dana 1,1 (1)"]),
    ("en-wargame.csv", &["1: Abel-Bora 13,7 ()", "1: Cleo-Dana 20,0 ()"]),
    ("de-semikolon.csv", &["1: Jörg-Bora 2,1 (0)", "1: Cleo-Dana 2,0 (0)", "1: Egon bye "]),
    ("de-schach.csv", &["1: Jürgen Groß-Bora 1,0 (0)", "1: Cleo-Dana  () [Draw, Draw]"]),
    (
        "de-woerter.csv",
        &["1: Abel-Bora 1,0 (0)", "1: Cleo-Dana 0,0 (1)", "2: Abel-Cleo 0,1 (0)", "2: Bora bye "],
    ),
    (
        "de-paarung.csv",
        &[
            "1: Abel-Bora 2,1 (0)",
            "1: Cleo-Dana 0,2 (0)",
            "2: Abel-Dana 1,2 (0)",
            "2: Cleo-Bora 2,0 (0)",
        ],
    ),
    (
        "de-gestapelt.csv",
        &["1: Abel-Bora 2,0 (0)", "1: Cleo-Dana 2,1 (0)", "2: Abel-Cleo  ()", "2: Bora-Dana  ()"],
    ),
    ("de-sun.csv", &["1: Abel-Bora 1,0 (0)", "1: Cleo-Dana 0,0 (1)", "2: Abel-Cleo 0,1 (0)"]),
    ("fr-ronde.csv", &["1: Abel-Hélène 2,1 (0)", "1: Cleo-Dana 2,0 (0)", "1: Egon bye "]),
    ("fr-mots.csv", &["1: Abel-Bora 1,0 (0)", "1: Cleo-Dana 0,0 (1)"]),
    ("es-ronda.csv", &["1: Abel-Íñigo 2,1 (0)", "1: Cleo-Dana 0,2 (0)", "1: Egon bye "]),
    ("it-turno.csv", &["1: Abel-Bora 2,1 (0)", "1: Cleo-Dana  () [Draw, Draw]", "1: Egon bye "]),
    ("pt-rodada.csv", &["1: Abel-João 2,1 (0)", "1: Cleo-Dana 0,2 (0)", "1: Egon bye "]),
    (
        "de-runden.xlsx",
        &[
            "1: Jörg-Bora 2,1 (0)",
            "1: Cleo-Dana 2,0 (0)",
            "2: Jörg-Cleo 1,1 (1)",
            "2: Dana-Bora 0,2 (0)",
        ],
    ),
    (
        "en-scores.csv",
        &[
            "1: Abel-Bora 2,1 (0)",
            "1: Cleo-Dana 2,0 (0)",
            "2: Abel-Cleo 0,2 (0)",
            "2: Dana-Bora 1,2 (0)",
        ],
    ),
];

#[test]
fn sheets_of_matches_come_in_without_a_flag() {
    for (name, lines) in MATCHES {
        let source = sheet(name);
        let read: Vec<String> =
            sheet_of(&source).iter().map(|line| line.trim_end_matches("()").to_owned()).collect();
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end_matches("()")).collect();
        let trim = |line: &str| line.trim_end().to_owned();
        assert_eq!(
            read.iter().map(|line| trim(line)).collect::<Vec<_>>(),
            lines.iter().map(|line| trim(line)).collect::<Vec<_>>(),
            "{name}: {}",
            told(&source)
        );
    }
    assert_eq!(sheet("en-stacked.csv").title, "Spring Cup");
    let stacked = sheet("de-gestapelt.csv");
    assert_eq!((stacked.title.as_str(), stacked.finished), ("Vereinsmeisterschaft", false));
    assert_eq!(stacked.held_on.map(|day| day.to_string()).as_deref(), Some("2026-09-12"));
    assert!(!sheet("en-pairings.csv").finished);
    assert_eq!(sheet("en-cut.csv").phases[1].kind, PhaseKind::Elimination);
    assert_eq!(sheet("en-ids.csv").players[3].publisher_id.as_deref(), Some("D-4"));
    assert!(sheet("en-wld.csv").unknown.contains(&UnknownFact::Games));
    let book = sheet("de-runden.xlsx");
    assert_eq!((book.title.as_str(), book.format.as_str()), ("Herbstpokal 2026", "xlsx"));
    assert!(told(&book).contains("\"Kasse\" is not read"), "{}", told(&book));
}

#[test]
fn standings_alone_are_players_with_published_points_and_no_round() {
    let rows = |name: &str| -> Vec<String> {
        let source = sheet(name);
        assert_eq!(source.rounds().count(), 0, "{name}");
        assert!(source.unknown.contains(&UnknownFact::EarlierRounds), "{name}");
        let row = |row: &PublishedRow| {
            let values: Vec<&str> = row.values.iter().map(|value| value.text.as_str()).collect();
            format!(
                "{} {} {} {}",
                row.rank,
                source.players[row.player].name,
                row.points_tenths,
                values.join(" ")
            )
        };
        source.published.iter().map(|one| row(one).trim_end().to_owned()).collect()
    };
    assert_eq!(rows("en-standings.csv")[0], "1 Abel 90 0.6667 0.7500 0.6000");
    assert_eq!(
        rows("en-standings.xlsx"),
        ["1 Abel 90 0.6667", "2 Bora 60 0.5", "3 Cleo 30 0.3333"]
    );
    assert_eq!(rows("de-tabelle.csv"), ["1 Jörg 75", "2 Bora 60"]);
    assert_eq!(rows("fr-classement.csv"), ["1 Hélène Arnaud 90", "2 Zoé Blanc 60"]);
    assert_eq!(rows("es-clasificacion.csv"), ["1 Íñigo Abad 90", "2 Bea Ruiz 60"]);
    assert_eq!(rows("it-classifica.csv")[2], "2 Cleo 60");
    assert_eq!(rows("pt-classificacao.csv")[1], "2 João 60");
    assert_eq!(sheet("en-record.csv").published[1].record, Some([1, 1, 1]));
    assert_eq!(sheet("de-tabelle.csv").title, "Stadtmeisterschaft 2026");
}

#[test]
fn a_roster_is_players_and_no_round() {
    let english = sheet("en-roster.csv");
    assert_eq!(
        (english.players[0].name.as_str(), english.players[0].rating),
        ("Abel Stone", Some(1500))
    );
    assert!(!english.finished && english.phases.is_empty());
    assert!(!format!("{english:?}").contains("example.org"), "addresses are not kept");
    let german = sheet("de-meldeliste.csv");
    assert_eq!(
        (german.players[0].name.as_str(), german.players[0].sign_up),
        ("Jürgen Groß", Some(1))
    );
    assert_eq!(sheet("es-inscritos.csv").players.len(), 3);
}

#[test]
fn what_cannot_be_told_is_asked_with_the_columns_and_the_words_to_say_it() {
    for (name, role, columns, lines) in [
        ("ask-headless.csv", "player_a", "round=1,table=2,player_a=3,player_b=4,result=5", 2),
        ("ask-two.csv", "name", "player_a=2,player_b=3,ignore=4", 2),
        ("ask-opponent.csv", "player_b", "player_b=Foe", 2),
        ("ask-points.csv", "points_a", "ignore=3,ignore=5", 2),
        ("ask-points.csv", "points_a", "points_a=3,points_b=5", 2),
    ] {
        let error = read(name, &bytes(name)).expect_err(name);
        assert_eq!(error.code(), "which-column", "{error}");
        let message = error.to_string();
        assert!(message.contains(&format!("which column is {role}?")), "{message}");
        assert!(message.contains("--columns ") && message.len() < 600, "{message}");
        let source = with(name, columns).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(sheet_of(&source).len(), lines, "{name}");
    }
    let bad = with("ask-opponent.csv", "player_c=3").expect_err("no such word");
    assert_eq!(bad.code(), "bad-value");
    assert_eq!(
        with("ask-opponent.csv", "player_b=9").expect_err("no such column").code(),
        "bad-value"
    );
}

#[test]
fn results_that_became_dates_are_refused_with_the_column() {
    for (name, place) in
        [("date-iso.csv", "line 2"), ("date-de.csv", "line 2"), ("date.xlsx", "row 2")]
    {
        let error = read(name, &bytes(name)).expect_err(name).to_string();
        assert!(error.contains(place) && error.contains("column 4"), "{error}");
        assert!(error.contains("made a date of it") && error.contains("as text"), "{error}");
    }
}

#[test]
fn a_preview_tells_columns_rows_and_the_question() {
    let shown = preview("a.csv", &bytes("ask-opponent.csv"), &Asked::default())
        .expect("read")
        .expect("a table");
    let roles: Vec<Option<&str>> = shown.columns.iter().map(|one| one.role).collect();
    assert_eq!(roles, [Some("round"), Some("name"), None, Some("result")]);
    assert_eq!(shown.question, Some(Question { role: "player_b", candidates: vec![3] }));
    assert_eq!(shown.rows.len(), 2);
    let asked = Asked { columns: Some("player_b=3".into()) };
    let said =
        preview("a.csv", &bytes("ask-opponent.csv"), &asked).expect("read").expect("a table");
    assert_eq!((said.question, said.kind), (None, SheetKind::Matches));
    assert_eq!(preview("a.json", MELEE.as_bytes(), &Asked::default()), Ok(None));
}

#[test]
fn ways_to_write_a_result_and_nobody() {
    let head = "Round,Player 1,Player 2,Result\n";
    for (result, expected) in [
        ("2-1", "2,1 (0)"),
        ("2:1", "2,1 (0)"),
        ("2 - 1", "2,1 (0)"),
        ("2–1", "2,1 (0)"),
        ("2-1-0", "2,1 (0)"),
        ("½-½", " () [Draw, Draw]"),
        ("1/2", " () [Draw, Draw]"),
        ("\"0,5-0,5\"", " () [Draw, Draw]"),
        ("+ -", " () [Win, Loss]"),
        ("-:+", " () [Loss, Win]"),
        ("--", " () [Loss, Loss]"),
        ("02:01", "2,1 (0)"),
        ("Unentschieden", " () [Draw, Draw]"),
        ("2:0 kampflos", "2,0 (0) [Win, Loss]"),
    ] {
        let source = source(&format!("{head}1,Abel,Bora,{result}\n1,Cleo,Dana,2-0\n"));
        assert_eq!(sheet_of(&source)[0], format!("1: Abel-Bora {expected}"), "{result}");
    }
    for nobody in ["BYE", "Bye", "***BYE***", "Freilos", "spielfrei", "exempt", "", "0", "-"] {
        let source = source(&format!("{head}1,Abel,Bora,2-0\n1,Cleo,{nobody},\n"));
        assert_eq!(sheet_of(&source)[1], "1: Cleo bye ", "{nobody:?}");
    }
    for bad in ["2-x", "02. Jan", "1-Feb", "01.02.2026", "46054", "maybe"] {
        let text = format!("{head}1,Abel,Bora,{bad}\n1,Cleo,Dana,2-0\n");
        assert!(read("a.csv", text.as_bytes()).is_err(), "{bad}");
    }
}

/// What an arbiter may rule was refused in a sheet, and a workbook of this program held none of it.
#[test]
fn half_a_point_for_one_and_none_for_the_other_is_read_for_both_columns() {
    for text in [
        "Round,White,Black,Result\n1,Abel,Bora,½–0\n1,Cleo,Dana,0-½\n1,Eva,Fay,1-0\n",
        "Round,White,Black,Result\n1,Abel,Bora,0.5-0\n1,Cleo,Dana,0:1/2\n1,Eva,Fay,1-0\n",
        "Round,White,Black,Points White,Points Black\n1,Abel,Bora,½,0\n1,Cleo,Dana,0,½\n1,Eva,Fay,1,0\n",
        "Round,Player,Opponent,Result\n1,Abel,Bora,½-0\n1,Bora,Abel,0-½\n1,Cleo,Dana,0-½\n1,Dana,Cleo,½-0\n",
        "round,player_a,player_b,games_a,games_b,ruling\n1,Abel,Bora,,,draw loss\n1,Cleo,Dana,,,loss draw\n",
    ] {
        let source = source(text);
        let lines = sheet_of(&source);
        let ruled = ["1: Abel-Bora  () [Draw, Loss]", "1: Cleo-Dana  () [Loss, Draw]"];
        assert_eq!(lines[..2], ruled, "{text}");
        legal_events(&source).expect("legal");
        let (_, left_out) = as_sheets(&source).expect("written");
        assert!(!left_out.iter().any(|told| told.starts_with("rulings")), "{left_out:?}");
    }
    // In the rows of a cross table each has their own points, whichever color.
    let cross = source(
        "No,Name,Rd 1,Rd 2\n1,Abel,2b0,3w1\n2,Bora,1w½,4w1\n3,Cleo,4w0,1b0\n4,Dana,3b½,2b0\n",
    );
    let ruled = ["1: Bora-Abel  () [Draw, Loss]", "1: Cleo-Dana  () [Loss, Draw]"];
    assert_eq!(sheet_of(&cross)[..2], ruled);
    let told = cross.oddities.iter().filter(|odd| odd.sentence.starts_with("Half a point"));
    assert_eq!(told.count(), 2, "{:?}", cross.oddities);
}

#[test]
fn a_workbook_that_unpacks_to_more_than_is_read_or_is_broken_is_refused() {
    let book = bytes("en-standings.xlsx");
    for end in [40, book.len() / 2, book.len() - 10] {
        assert!(read("a.xlsx", &book[..end]).is_err());
    }
    let mut cut = 0;
    for at in (0..book.len()).step_by(7) {
        let mut damaged = book.clone();
        damaged[at] ^= 0x55;
        cut += usize::from(read("a.xlsx", &damaged).is_err());
    }
    assert!(cut > 10, "{cut}");
}

/// A workbook of one sheet with these rows, whose cells may share a text.
fn packed(rows: &str, shared: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let parts = [
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{package}\"><Relationship Id=\"rId1\" \
                 Type=\"{rel}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{rel}\"><sheets>\
                 <sheet name=\"a\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{package}\">\
                 <Relationship Id=\"rId1\" Type=\"{rel}/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
                 <Relationship Id=\"rId2\" Type=\"{rel}/sharedStrings\" Target=\"sharedStrings.xml\"/>\
                 </Relationships>"
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
        ),
        (
            "xl/sharedStrings.xml",
            format!(
                "<sst xmlns=\"{main}\" uniqueCount=\"1\"><si><t xml:space=\"preserve\">\
                 {shared}</t></si></sst>"
            ),
        ),
    ];
    let mut packed = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        packed.start_file(name, zip::write::SimpleFileOptions::default()).expect("begun");
        std::io::Write::write_all(&mut packed, text.as_bytes()).expect("written");
    }
    packed.finish().expect("packed").into_inner()
}

/// A text that all cells share is read for each of them, also where nothing but blanks is in it.
#[test]
fn a_workbook_of_blanks_that_every_cell_shares_is_refused_for_what_it_unpacks_to() {
    let row = |number| format!("<row r=\"{number}\"><c r=\"A{number}\" t=\"s\"><v>0</v></c></row>");
    let rows: String = (1..=65).map(row).collect();
    let book = packed(&rows, &format!("a{}", " ".repeat(1 << 20)));
    assert!(book.len() < 100_000, "{}", book.len());
    let error = read("a.xlsx", &book).expect_err("too large");
    assert_eq!(error.code(), "file-too-large", "{error}");
}

/// Whoever writes a workbook by a script stores no values of its formulas: an opponent was a bye, and nobody was told.
#[test]
fn a_formula_without_a_stored_value_is_no_empty_cell_of_a_match() {
    let text =
        |at: &str, text: &str| format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let row = |number: u32, cells: &str| format!("<row r=\"{number}\">{cells}</row>");
    let head = [text("A1", "Player"), text("B1", "Opponent"), text("C1", "Result")].concat();
    let with = |opponent: &str, note: &str| {
        let cells = [&text("A2", "Ann"), opponent, &text("C2", "2-0"), note].concat();
        let rows = [row(1, &head), row(2, &cells)].concat();
        read("a.xlsx", &packed(&rows, ""))
    };
    let formula = "<c r=\"B2\"><f>IF(TRUE,\"Bob\",\"\")</f><v></v></c>";
    let refused = with(formula, "").expect_err("no value").to_string();
    assert!(refused.contains("row 2: column 2 (Opponent)"), "{refused}");
    // Where nothing rests on it, it is told.
    let told = |opponent: &str, note: &str| told(&with(opponent, note).expect("read"));
    let bob = &text("B2", "Bob");
    let note = "<c r=\"D2\"><f>A2</f></c>";
    assert!(
        told(bob, note).contains("Formulas whose values are not stored"),
        "{}",
        told(bob, note)
    );
    let value = "<c r=\"B2\" t=\"str\"><f>IF(TRUE,\"Bob\",\"\")</f><v>Bob</v></c>";
    assert!(
        !told(value, "").contains("Formulas")
            && !told("<c r=\"B2\" s=\"1\"/>", "").contains("Formulas")
    );
}

#[test]
fn a_player_twice_without_a_round_is_told_as_the_missing_column() {
    let text = "Player 1,Player 2,Result\nAbel,Bora,2-0\nAbel,Cleo,2-1\n";
    let error = read("a.csv", text.as_bytes()).expect_err("two rounds");
    assert!(error.to_string().contains("the column round is missing"), "{error}");
}

#[test]
fn a_sheet_of_more_columns_rows_or_cells_than_anybody_has_is_refused() {
    let refused = |text: String| {
        let error = read("a.csv", text.as_bytes()).expect_err("too many");
        assert_eq!(error.code(), "too-many", "{error}");
        error.to_string()
    };
    let columns = format!("Name{}\n", ";Runde".repeat(limits::SHEET_COLUMNS + 1));
    assert!(refused(columns).contains("512 columns"));
    let rows = format!("Name\n{}", "A\n".repeat(limits::SHEET_ROWS + 1));
    assert!(refused(rows).contains("250000 rows"));
    let row = format!("A{}\n", ";b".repeat(99));
    let cells = format!("Name;Rating\n{}", row.repeat(limits::SHEET_CELLS / 100 + 1));
    assert!(refused(cells).contains("4000000 cells"));
}

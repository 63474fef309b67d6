//! Workbooks as this program writes them, and as people keep them.

use super::*;
use crate::csv::of_tournament;
use crate::sheets::{Cell, ROWS, Sheet, workbook};

/// A source without what a file of another kind stands for: places, its name, what is unknown.
fn plain(mut source: Source) -> Source {
    for phase in &mut source.phases {
        for round in &mut phase.rounds {
            round.tables.iter_mut().for_each(|table| table.place.clear());
            round.byes.iter_mut().for_each(|bye| bye.place.clear());
        }
    }
    source.drops.iter_mut().for_each(|drop| drop.place.clear());
    let (file, format, identity) = (String::new(), String::new(), String::new());
    Source { file, format, identity, unknown: Vec::new(), oddities: Vec::new(), ..source }
}

fn written(source: &Source) -> Vec<u8> {
    let (sheets, left_out) = of_tournament(source).expect("two players each");
    assert_eq!(left_out, [""; 0], "{}", source.title);
    workbook(&sheets).expect("short")
}

fn holds(source: &Source) {
    let bytes = written(source);
    assert_eq!(written(source), bytes, "the same bytes each time");
    let again =
        read("book.xlsx", &bytes).unwrap_or_else(|error| panic!("{}: {error}", source.title));
    assert_eq!(plain(again.clone()), plain(source.clone()), "{}", source.title);
    legal_events(&again).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(written(&again), bytes, "{}", source.title);
}

#[test]
fn what_is_written_as_a_workbook_is_read_as_it_was() {
    for text in [
        "round,table,player_a,player_b,games_a,games_b,games_drawn\n1,1,Abel,Bora,2,1,0\n1,2,Cleo,Dana,1,1,1\n",
        "# event: Gear Day\n# date: 2026-05-31\n# rules: hgbts\n\
         round,table,player_a,player_b,objective_a,objective_b,survival_a,survival_b,kind\n\
         1,1,Abel,Bora,5,4,10,8,\n1,,Egon,,,,,,bye\n2,1,Abel,Egon,2,6,-5,9,\n2,,Bora,,,,,,bye\n",
        "# event: Kinds\nround,table,player_a,player_b,games_a,games_b,games_drawn,kind,ruling\n\
         1,1,A,B,2,1,0,,\n1,2,C,D,2,0,0,conceded b,\n1,,E,,2,0,0,bye,\n2,1,A,C,0,0,3,agreed draw,\n\
         2,2,E,B,,,,no-show b,\n2,,D,,,,,awarded loss,\n2,,B,,,,,drop,\n3,1,A,E,1,1,0,,a\n3,2,D,C,,,,double loss,\n",
        "# best_of: 3\n# cut: 2\n# finished: no\nround,player_a,player_b,games_a,games_b,kind,sign_up,rating,division,id\n\
         ,Ann,,,,player,2,1610,senior,007\n,=Ben,,,,player,1,-5,,\n,Cid,,,,player,3,,,B-2\n,Dee,,,,player,,,,\n\
         0,Dee,,,,disqualified,,,,\n1,Ann,=Ben,2,1,,,,,\n1,Cid,,,,zero bye,,,,\n2,Ann,Cid,,,,,,,\n2,=Ben,,,,half bye,,,,\n",
        "# phases: swiss 1, single elimination 1\nround,player_a,player_b,ruling,weight,kind\n\
         1,A,B,draw,1/2,\n1,C,D,a,1/2,\n2,A,C,double loss,,forfeit a\n",
        "round,player_a,player_b,ruling,kind,rating,title,federation\n,Ann,,,player,2510,GM,SWE\n\
         ,Ben,,,player,,,\n,Cid,,,player,,=FM,\n,Dee,,,player,,,U.S.A.\n1,Ann,Ben,a,,,,\n1,Cid,Dee,draw,,,,\n",
    ] {
        holds(&source(text));
    }
}

#[test]
fn a_match_without_games_has_none_that_a_workbook_lacks() {
    let mut league = source(
        "# finished: no\nround,player_a,player_b,games_a,games_b,ruling\n1,Ann,Bob,2,1,\n1,Cid,Dee,,,draw\n2,Ann,Cid,2,0,\n2,Bob,Dee,,,\n",
    );
    // The log has a line of no value for each of the two.
    for table in
        league.phases.iter_mut().flat_map(|phase| &mut phase.rounds).flat_map(|one| &mut one.tables)
    {
        table.result.score.seats.resize(2, Default::default());
    }
    written(&league);
}

/// Game percentages were made up of them where the workbook was read again.
#[test]
fn games_that_nobody_knows_stay_unknown_in_a_workbook() {
    let sheet = source("round,player 1,player 2,result\n1,Ann,Bob,W\n1,Cid,Dee,D\n2,Ann,Cid,L\n");
    assert!(sheet.unknown.contains(&UnknownFact::Games), "{:?}", sheet.unknown);
    let again = read("book.xlsx", &written(&sheet)).expect("read");
    assert!(again.unknown.contains(&UnknownFact::Games), "{:?}", again.unknown);
    let known = "round,player_a,player_b,games_a,games_b,games_drawn\n1,Ann,Bob,2,1,0\n";
    let again = read("book.xlsx", &written(&source(known))).expect("read");
    assert!(!again.unknown.contains(&UnknownFact::Games), "{:?}", again.unknown);
    let other = read("a.csv", format!("# games: many\n{known}").as_bytes()).expect_err("no");
    assert!(other.to_string().contains("expected unknown"), "{other}");
}

#[test]
fn any_tournament_that_is_written_as_a_workbook_is_read_as_it_was() {
    // A small generator of its own, so that a failure is the same each time.
    let mut state = 7u64;
    let mut next = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let kinds = ["", "", "", "agreed draw", "conceded a", "forfeit b", "no-show a", "double loss"];
    let byes = ["bye", "awarded bye", "half bye", "zero bye", "awarded loss"];
    let names = [
        "=A",
        "+B",
        "-C",
        "@D",
        "Émile Ö",
        "O\"x",
        "1",
        "2-1",
        "a,b",
        "<&>",
        "0.5",
        "07",
        "3/4",
        "TRUE",
    ];
    for number in 0..120 {
        let count = 3 + next(12) as usize;
        let mut text =
            format!("# event: No. {number}\n# date: 2026-0{}-1{}\n", 1 + next(9), next(9));
        // The ruleset is the one that is written, and where none is none is made up.
        text += ["", "# rules: mtr\n", "# rules: pokemon\n", "# rules: mtr+points.draw=0\n"]
            [next(4) as usize];
        text += "round,table,player_a,player_b,games_a,games_b,games_drawn,kind,ruling,sign_up,rating,division,id\n";
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        for (at, name) in names[..count.min(names.len())].iter().enumerate() {
            let id = if next(2) == 0 { format!("0{}", next(99)) } else { String::new() };
            // Nor is an order of sign-up.
            let sign_up = if number % 3 == 0 { String::new() } else { (at + 1).to_string() };
            text +=
                &format!(",,{},,,,,player,,{sign_up},{},,{id}\n", quoted(name), 1000 + next(900));
        }
        let count = count.min(names.len());
        for round in 1..=1 + next(4) {
            let from = next(count as u64) as usize;
            let order: Vec<&str> = (0..count).map(|at| names[(at + from) % count]).collect();
            for (table, pair) in (1..).zip(order.chunks(2)) {
                text += &match pair {
                    [one, other] => {
                        let (kind, ruling) =
                            (kinds[next(8) as usize], ["", "", "a", "draw"][next(4) as usize]);
                        let ruling = if kind.is_empty() { ruling } else { "" };
                        let games = format!("{},{},{}", next(3), next(2), next(2));
                        format!(
                            "{round},{table},{},{},{games},{kind},{ruling}\n",
                            quoted(one),
                            quoted(other)
                        )
                    }
                    [alone, ..] => {
                        format!("{round},,{},,,,,{}\n", quoted(alone), byes[next(5) as usize])
                    }
                    [] => String::new(),
                };
            }
        }
        holds(&source(&text));
    }
}

#[test]
fn a_workbook_holds_text_numbers_and_days_as_they_are() {
    let rows = vec![vec![
        Cell::text("=1+1"),
        Cell::printed("66.6667%"),
        Cell::printed("123456789012345678901"),
        Cell::day("2026-05-31"),
        Cell::count(-3),
        Cell::text("007"),
    ]];
    let head = ["name", "omw", "numerator", "date", "points", "id"].map(str::to_owned).to_vec();
    let sheet = Sheet { name: "One & two".into(), head, rows };
    let bytes = workbook(&[sheet]).expect("a workbook");
    let grids = crate::anysheet::workbook::grids(&bytes).expect("a workbook").0;
    assert_eq!(grids[0].sheet.as_deref(), Some("One & two"));
    assert_eq!(
        grids[0].rows[1].cells,
        ["=1+1", "0.666667", "123456789012345678901", "2026-05-31", "-3", "007"]
    );
}

#[test]
fn a_workbook_with_our_columns_is_read_strictly_with_the_sheet_and_the_row() {
    let cells = |row: &[&str]| row.iter().map(|cell| Cell::printed(*cell)).collect::<Vec<_>>();
    let head =
        ["round", "player_a", "player_b", "games_a", "games_b", "kind"].map(str::to_owned).to_vec();
    let rows =
        vec![cells(&["1", "Ann", "Ben", "2", "0", ""]), cells(&["1", "Cid", "", "", "", "byes"])];
    let sheet = Sheet { name: "League".into(), head, rows };
    let error = read("a.xlsx", &workbook(&[sheet]).expect("a workbook")).expect_err("no such kind");
    assert!(
        error.to_string().starts_with("a.xlsx: sheet \"League\", row 3: the kind is \"byes\""),
        "{error}"
    );
}

/// A sheet of OpenDocument with this content.
fn ods(content: &str) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let packed = zip::write::SimpleFileOptions::default();
    archive.start_file("mimetype", stored).expect("a part");
    archive.write_all(b"application/vnd.oasis.opendocument.spreadsheet").expect("a part");
    archive.start_file("content.xml", packed).expect("a part");
    let text = format!(
        "<?xml version=\"1.0\"?><office:document-content><office:body><office:spreadsheet>{content}</office:spreadsheet></office:body></office:document-content>"
    );
    archive.write_all(text.as_bytes()).expect("a part");
    archive.finish().expect("an archive").into_inner()
}

fn ods_row(cells: &[&str]) -> String {
    let cell = |cell: &&str| match cell.parse::<i32>() {
        Ok(_) => format!(
            "<table:table-cell office:value-type=\"float\" office:value=\"{cell}\"><text:p>{cell}.00</text:p></table:table-cell>"
        ),
        Err(_) => format!(
            "<table:table-cell office:value-type=\"string\"><text:p>{cell}</text:p></table:table-cell>"
        ),
    };
    let cells: String = cells.iter().map(cell).collect();
    format!(
        "<table:table-row>{cells}<table:table-cell table:number-columns-repeated=\"16380\"/></table:table-row>"
    )
}

#[test]
fn a_sheet_of_opendocument_is_read_with_its_values() {
    let rows = [
        ods_row(&["Round", "Player 1", "Player 2", "Result"]),
        ods_row(&["1", "Ann &amp; Co", "Ben", "2-1"]),
        "<table:table-row table:number-rows-repeated=\"1048570\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>".into(),
        ods_row(&["1", "Cid", "Dee<office:annotation><text:p>was late</text:p></office:annotation>", "0-2"]),
    ];
    let bytes = ods(&format!("<table:table table:name=\"League\">{}</table:table>", rows.concat()));
    let source = read("a.ods", &bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(source.format, "ods");
    assert_eq!(sheet_of(&source), ["1: Ann & Co-Ben 2,1 (0)", "1: Cid-Dee 0,2 (0)"]);
}

#[test]
fn a_sheet_of_opendocument_that_says_it_is_larger_than_any_is_refused() {
    let cell = |repeated: &str, text: &str| {
        format!("<table:table-cell {repeated}><text:p>{text}</text:p></table:table-cell>")
    };
    for (rows, code) in [
        (
            format!(
                "<table:table-row>{}</table:table-row>",
                cell("table:number-columns-repeated=\"4000000000\"", "a")
            ),
            "too-many",
        ),
        (
            format!(
                "<table:table-row table:number-rows-repeated=\"4000000000\">{}</table:table-row>",
                cell("", "a")
            ),
            "too-many",
        ),
        ("<table:table-row><table:table-cell>".to_owned(), "bad-csv"),
        ("<!DOCTYPE x [<!ENTITY a \"b\">]>".to_owned(), "bad-csv"),
        (format!("<table:table-row>{}</table:table-row>", cell("", "&bomb;")), "bad-csv"),
    ] {
        let bytes = ods(&format!("<table:table table:name=\"A\">{rows}</table:table>"));
        assert_eq!(read("a.ods", &bytes).expect_err(&rows).code(), code, "{rows}");
    }
}

#[test]
fn a_sheet_that_spreadsheet_programs_cannot_open_is_not_written() {
    let sheet =
        Sheet { name: "Long".into(), head: vec!["a".into()], rows: vec![Vec::new(); ROWS + 1] };
    assert_eq!(workbook(&[sheet]).expect_err("too long").code().word, "sheet-too-long");
}

/// Every round was said to be missing.
#[test]
fn a_workbook_of_a_tournament_before_its_first_round_is_the_list_of_its_players() {
    let text = "# event: Spring Cup\n# best_of: 3\n# finished: no\n\
                round,player_a,player_b,games_a,games_b,games_drawn,kind,sign_up,rating\n\
                ,Ann,,,,,player,1,1610\n,Ben,,,,,player,2,\n1,Ann,Ben,2,0,0,,,\n";
    let played = source(text);
    let round = |source: &mut Source| {
        let rounds = &mut source.phases[0].rounds;
        rounds.iter_mut().for_each(|round| round.tables.clear());
    };
    let changes: [&dyn Fn(&mut Source); 3] = [
        &|source: &mut Source| source.phases.clear(),
        &|source: &mut Source| source.phases[0].rounds.clear(),
        &round,
    ];
    for change in changes {
        let mut before = played.clone();
        change(&mut before);
        let (sheets, _) = of_tournament(&before).expect("two players each");
        let again = read("book.xlsx", &workbook(&sheets).expect("short")).expect("a list");
        assert_eq!(again.players, before.players);
        assert_eq!((again.phases.len(), again.finished), (0, false));
        assert_eq!((again.title.as_str(), again.scoresheet.best_of), ("Spring Cup", Some(3)));
        legal_events(&again).expect("legal where they stand");
    }
    // Who left is on the list, which is told.
    let mut before = played.clone();
    before.phases.clear();
    let (why, place) = (DropReason::Left, String::new());
    before.drops.push(SourceDrop { player: 1, why, after_round: 0, place });
    let (sheets, _) = of_tournament(&before).expect("two players each");
    let again = read("book.xlsx", &workbook(&sheets).expect("short")).expect("a list");
    let told = again.oddities.iter().find(|odd| odd.sentence.contains("left before"));
    assert!(told.is_some_and(|odd| odd.sentence.starts_with("\"Ben\"")), "{:?}", again.oddities);
    assert_eq!((again.players.len(), again.drops.len()), (2, 0));
    legal_events(&again).expect("legal where they stand");
    // So is our own CSV with a roster alone.
    let (roster, _) = text.split_once("1,Ann").expect("a match");
    assert_eq!(source(roster).players, before.players);
}

/// A workbook of one sheet with something else in its part.
fn edited(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    edited_in("worksheets/", bytes, from, to)
}

/// A workbook with something else in the part that is called so.
fn edited_in(part_name: &str, bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    use std::io::{Read, Write};
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a workbook");
    let mut written = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).expect("a part");
        let name = part.name().expect("a name").to_string();
        let mut text = String::new();
        part.read_to_string(&mut text).expect("a text");
        if name.contains(part_name) {
            assert!(text.contains(from), "{text}");
            text = text.replace(from, to);
        }
        written.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
        written.write_all(text.as_bytes()).expect("a part");
    }
    written.finish().expect("an archive").into_inner()
}

#[test]
fn a_name_that_is_merged_with_the_cells_below_it_stands_in_each_row() {
    let perspective = super::oddsheets::book(&[(
        "Liga",
        "Spieler|Runde|Gegner|Ergebnis\nAnna|1|Bernd|2:1\n|2|Clara|0:2\nBernd|2|Dirk|2:0\nClara|1|Dirk|2:0",
    )]);
    let refused = read("liga.xlsx", &perspective).expect_err("a name is missing").to_string();
    assert!(refused.contains("row 3"), "{refused}");
    let merged = edited(
        &perspective,
        "</sheetData>",
        "</sheetData><mergeCells count=\"1\"><mergeCell ref=\"A2:A3\"/></mergeCells>",
    );
    let names = |source: &Source| {
        let rounds = &source.phases[0].rounds;
        let tables = rounds.iter().flat_map(|round| &round.tables);
        let seats = tables.flat_map(|table| &table.seats);
        seats.map(|seat| source.players[seat.player].name.clone()).collect::<Vec<_>>()
    };
    let source = read("liga.xlsx", &merged).expect("a workbook");
    assert_eq!(
        names(&source),
        ["Anna", "Bernd", "Clara", "Dirk", "Anna", "Clara", "Bernd", "Dirk"]
    );
    // So it is where nothing stands behind it.
    let last = super::oddsheets::book(&[(
        "Liga",
        "Runde|Ergebnis|Heim|Gast\n1|2:1|Anna|Bernd\n2|0:2|Clara|",
    )]);
    let range = "</sheetData><mergeCells count=\"1\"><mergeCell ref=\"D2:D3\"/></mergeCells>";
    let source = read("liga.xlsx", &edited(&last, "</sheetData>", range)).expect("a workbook");
    assert_eq!(names(&source), ["Anna", "Bernd", "Clara", "Bernd"]);
    for ranges in ["A3:A2", "A2:AAAA3", "A2:A99999999"] {
        let broken = edited(&merged, "A2:A3", ranges);
        assert_eq!(read("liga.xlsx", &broken).expect_err(ranges).code(), "bad-csv", "{ranges}");
    }
    let spans = ods_row(&["Anna", "1", "Bernd", "2:1"]).replacen(
        "<table:table-cell",
        "<table:table-cell table:number-rows-spanned=\"2\"",
        1,
    );
    let covered = ods_row(&["", "2", "Clara", "0:2"]).replacen(
        "table:table-cell",
        "table:covered-table-cell",
        1,
    );
    let rows = [
        ods_row(&["Spieler", "Runde", "Gegner", "Ergebnis"]),
        spans,
        covered.replacen("</table:table-cell>", "</table:covered-table-cell>", 1),
    ];
    let bytes = ods(&format!("<table:table table:name=\"Liga\">{}</table:table>", rows.concat()));
    let source = read("liga.ods", &bytes).expect("a sheet");
    assert_eq!(names(&source), ["Anna", "Bernd", "Anna", "Clara"]);
}

/// A workbook of Excel 97 to 2003 with one sheet of these records. Cells of the kinds 1 to 4 are shown as `[h]:mm:ss`,
/// as `[h]:mm`, as `h:mm` and as a day.
fn xls(cells: &[Vec<u8>]) -> Vec<u8> {
    let begin = |kind: u8| record(0x809, &[0, 6, kind, 0]);
    let end = record(0x0a, &[]);
    let kind = |format: u16| record(0xe0, &[0u16, format, 0, 0].map(u16::to_le_bytes).concat());
    let format = [&164u16.to_le_bytes()[..], &7u16.to_le_bytes(), &[0], b"[h]:mm;"].concat();
    let listed = |at: usize| {
        let at = u32::try_from(at).expect("short").to_le_bytes();
        record(0x85, &[&at[..], &[0, 0, 4, 0], b"Liga"].concat())
    };
    let kinds = [0, 46, 164, 20, 14].map(kind).concat();
    let book = |at| [begin(5), record(0x41e, &format), kinds.clone(), listed(at), end.clone()];
    let mut stream = book(book(0).concat().len()).concat();
    stream.extend([begin(0x10), cells.concat(), end].concat());
    // A sector for the table of sectors, one for the directory, and the stream behind them.
    const SECTOR: usize = 512;
    const SECTORS: usize = 8;
    assert!(stream.len() <= SECTOR * SECTORS);
    stream.resize(SECTOR * SECTORS, 0);
    let numbers = |all: &[u32]| all.iter().flat_map(|one| one.to_le_bytes()).collect::<Vec<u8>>();
    let mut header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    header.resize(SECTOR, 0xff);
    header[30..32].copy_from_slice(&9u16.to_le_bytes());
    header[48..52].copy_from_slice(&numbers(&[1]));
    header[76..80].copy_from_slice(&numbers(&[0]));
    const LAST: u32 = 0xffff_fffe;
    let mut table = numbers(&[0xffff_fffd, LAST, 3, 4, 5, 6, 7, 8, 9, LAST]);
    table.resize(SECTOR, 0xff);
    let entry = |name: &str, kind: u8, start: u32, size: usize| {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry.resize(128, 0);
        entry[66] = kind;
        let size = u32::try_from(size).expect("short");
        entry[116..124].copy_from_slice(&numbers(&[start, size]));
        entry
    };
    let mut directory =
        [entry("Root Entry", 5, LAST, 0), entry("Workbook", 2, 2, stream.len())].concat();
    directory.resize(SECTOR, 0);
    [header, table, directory, stream].concat()
}

/// A record of such a workbook.
fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).expect("short");
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), data].concat()
}

/// A record of a cell: its row, its column and the kind of cells, and what stands there.
fn xls_cell(kind: u16, [row, column, shown]: [u16; 3], data: &[u8]) -> Vec<u8> {
    record(kind, &[&[row, column, shown].map(u16::to_le_bytes).concat()[..], data].concat())
}

/// Cells of such a workbook with these texts, one row below another.
fn xls_texts(rows: &[&str]) -> Vec<Vec<u8>> {
    let cell = |row: u16, column: u16, text: &str| {
        let length = u16::try_from(text.len()).expect("short").to_le_bytes();
        xls_cell(0x204, [row, column, 0], &[&length[..], &[0], text.as_bytes()].concat())
    };
    let row = |(row, text): (u16, &&str)| {
        let filled = (0..).zip(text.split('|')).filter(|(_, text)| !text.is_empty());
        filled.map(|(column, text)| cell(row, column, text)).collect::<Vec<_>>()
    };
    (0..).zip(rows).flat_map(row).collect()
}

/// The cells of a column, below its name.
fn column(bytes: &[u8], at: usize) -> Vec<String> {
    let (grids, _) = crate::anysheet::workbook::grids(bytes).expect("a workbook");
    grids[0].rows[1..].iter().map(|row| row.get(at).to_owned()).collect()
}

/// Spreadsheets take `31:20` for hours and minutes: more than a day of them was the first of January 1900, and so a
/// draw of one goal each.
#[test]
fn a_result_that_a_spreadsheet_keeps_as_more_than_a_day_is_read_as_it_was_typed() {
    let typed = ["31:20", "24:20", "22:25"];
    let days = [1.305_555_555_555_556, 1.013_888_888_888_889, 0.934_027_777_777_778];
    let teams = [["A", "B"], ["C", "D"], ["E", "F"]];
    let rows =
        teams.iter().zip(typed).map(|([one, other], goals)| format!("1;{one};{other};{goals}\n"));
    let text = format!("Spieltag;Heim;Gast;Ergebnis\n{}", rows.collect::<String>());
    let expected = sheet_of(&source(&text));
    let played = ["2026-05-31", "2026-06-01", "2026-06-02"];
    let dated = |played: &[&str]| {
        let row = |([one, other], day): (&[&str; 2], &&str)| {
            vec![Cell::count(1), Cell::text(*one), Cell::text(*other), Cell::day(day)]
        };
        let rows = teams.iter().zip(played).map(row).collect();
        let head = ["Spieltag", "Heim", "Gast", "Ergebnis"].map(str::to_owned).to_vec();
        workbook(&[Sheet { name: "Liga".into(), head, rows }]).expect("a workbook")
    };
    let kept = |day: usize| format!("<v>{}</v>", 46_173 + day);
    let day = "yyyy\\-mm\\-dd";
    for format in ["[h]:mm:ss", "[hh]:mm", "h:mm"] {
        let mut book = edited_in("styles", &dated(&played), day, format);
        for (at, days) in days.iter().enumerate() {
            book = edited(&book, &kept(at), &format!("<v>{days}</v>"));
        }
        assert_eq!(column(&book, 3), typed, "{format}");
        assert_eq!(sheet_of(&read("liga.xlsx", &book).expect(format)), expected, "{format}");
    }
    let texts = ["Spieltag|Heim|Gast|Ergebnis", "1|A|B", "1|C|D", "1|E|F"];
    for kind in [1, 2, 3] {
        let goals = (1..)
            .zip(days)
            .map(|(row, days): (u16, f64)| xls_cell(0x203, [row, 3, kind], &days.to_le_bytes()));
        let book = xls(&xls_texts(&texts).into_iter().chain(goals).collect::<Vec<_>>());
        assert_eq!(column(&book, 3), typed, "{kind}");
        assert_eq!(sheet_of(&read("liga.xls", &book).expect("read")), expected, "{kind}");
    }
    let time = "<table:table-cell office:value-type=\"time\" office:time-value=";
    let row = |([one, other], goals): (&[&str; 2], &str)| {
        let (hours, minutes) = goals.split_once(':').expect("both");
        let goals = format!(
            "{time}\"PT{hours}H{minutes}M00S\"><text:p>{goals}:00</text:p></table:table-cell>"
        );
        ods_row(&["1", *one, *other]).replacen(
            "<table:table-cell table:number-columns-repeated",
            &format!("{goals}<table:table-cell table:number-columns-repeated"),
            1,
        )
    };
    let rows: String = teams.iter().zip(typed).map(row).collect();
    let head = ods_row(&["Spieltag", "Heim", "Gast", "Ergebnis"]);
    let book = ods(&format!("<table:table table:name=\"Liga\">{head}{rows}</table:table>"));
    assert_eq!(sheet_of(&read("liga.ods", &book).expect("read")), expected);
    // A whole number of days is a time by its format alone. What is a day stays one, with an hour and without.
    let whole = edited(&dated(&played[..1]), &kept(0), "<v>1</v>");
    assert_eq!(column(&whole, 3), ["1900-01-01"]);
    assert_eq!(column(&edited_in("styles", &whole, day, "[h]:mm"), 3), ["24:00"]);
    assert_eq!(column(&edited(&whole, "<v>1</v>", "<v>46173.75</v>"), 3), ["2026-05-31"]);
    let whole = |kind| xls_cell(0x203, [1, 3, kind], &1f64.to_le_bytes());
    for (kind, shown) in [(1, "24:00"), (2, "24:00"), (4, "1900-01-01")] {
        let book = [xls_texts(&texts[..2]), vec![whole(kind)]].concat();
        assert_eq!(column(&xls(&book), 3), [shown], "{kind}");
    }
}

/// An opponent whom a formula did not find was a bye, or an awarded loss, and a result that failed was none.
#[test]
fn an_error_of_a_formula_is_no_empty_cell_of_a_match() {
    let rows = ["Runde|Heim|Gast|Ergebnis|Quote", "1|Ann|Bob|2-1|x", "1|Cy|Di|2-0|x"];
    let book = super::oddsheets::book(&[("Liga", &rows.join("\n"))]);
    let is = |place: &str, text: &str| {
        format!(
            "<c r=\"{place}\" s=\"3\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>"
        )
    };
    let failed = |place: &str, text: &str, error: &str| {
        let cell = format!("<c r=\"{place}\" t=\"e\"><f>A1</f><v>{error}</v></c>");
        read("liga.xlsx", &edited(&book, &is(place, text), &cell))
    };
    let told = |source: &Source| {
        source.oddities.iter().map(|odd| odd.sentence.as_str()).collect::<Vec<_>>().join("\n")
    };
    for (place, text, error, column) in [
        ("C3", "Di", "#N/A", "column 3 (Gast)"),
        ("B3", "Cy", "#REF!", "column 2 (Heim)"),
        ("D3", "2-0", "#VALUE!", "column 4 (Ergebnis)"),
        ("D3", "2-0", "#DIV/0!", "column 4 (Ergebnis)"),
    ] {
        let refused = failed(place, text, error).expect_err(error).to_string();
        let expected = format!("row 3: {column} is {error:?}; expected a value");
        assert!(refused.contains(&expected), "{refused}");
    }
    // Where nothing rests on it, it is told.
    let source = failed("E3", "x", "#DIV/0!").expect("read");
    assert_eq!(sheet_of(&source), ["1: Ann-Bob 2,1 (0)", "1: Cy-Di 2,0 (0)"]);
    assert!(told(&source).contains("Cells with an error of the spreadsheet"), "{}", told(&source));
    let source = read("liga.xlsx", &book).expect("read");
    assert!(!told(&source).contains("error"), "{}", told(&source));

    // As a value, and as what a formula gave.
    let texts = ["Runde|Heim|Gast|Ergebnis", "1|Ann|Bob|2-1", "1|Cy||2-0"];
    let value = xls_cell(0x205, [2, 2, 0], &[0x2a, 1]);
    let formula = xls_cell(0x06, [2, 2, 0], &[2, 0, 0x2a, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]);
    for error in [value, formula] {
        let book = xls(&[xls_texts(&texts), vec![error]].concat());
        let refused = read("liga.xls", &book).expect_err("no opponent").to_string();
        assert!(refused.contains("row 3: column 3 (Gast) is \"#N/A\""), "{refused}");
    }

    let with = |attributes: &str, shown: &str| {
        let string = "<table:table-cell office:value-type=\"string\"";
        let cell = format!("{string}><text:p>Di</text:p>");
        let failed = format!("{string} {attributes}><text:p>{shown}</text:p>");
        let row = ods_row(&["1", "Cy", "Di", "2-0"]);
        assert!(row.contains(&cell), "{row}");
        let head = [["Runde", "Heim", "Gast", "Ergebnis"], ["1", "Ann", "Bob", "2-1"]];
        let rows = head.map(|row| ods_row(&row)).concat() + &row.replace(&cell, &failed);
        read("liga.ods", &ods(&format!("<table:table table:name=\"Liga\">{rows}</table:table>")))
    };
    let formula = "table:formula=\"of:=NA()\"";
    let is_one = "office:string-value=\"\" calcext:value-type=\"error\"";
    for (attributes, shown) in [
        (is_one, "#NV"),
        (formula, "#N/A"),
        (formula, "#NAME?"),
        (formula, "Err:502"),
        (formula, "#DIV/0!"),
    ] {
        let refused = with(attributes, shown).expect_err(shown).to_string();
        let expected = format!("row 3: column 3 (Gast) is {shown:?}");
        assert!(refused.contains(&expected), "{refused}");
    }
    // A formula that gave a name, and a name like an error.
    for (attributes, name) in [(formula, "Di"), (formula, "#Seven"), ("", "#Di!")] {
        let source = with(attributes, name).expect(name);
        assert_eq!(source.players[3].name, name);
    }
}

/// Markdown has a line of dashes below the names of columns, and so do tables as people draw them.
#[test]
fn a_line_of_dashes_below_the_names_of_columns_is_no_row() {
    let drawn = [
        "|Runde|Heim|Gast|Ergebnis|\n|:-:|:---|----|---:|\n|1|Ann|Bob|2-1|\n|1|Cy|Di|0-2|\n",
        "Runde ; Heim ; Gast ; Ergebnis\n------;------;------;---------\n\n1 ; Ann ; Bob ; 2-1\n1;Cy;Di;0-2\n",
        "| Runde | Heim | Gast | Ergebnis |\n| - | :---: | :-: | - |\n| 1 | Ann | Bob | 2-1 |\n| 1 | Cy | Di | 0-2 |\n",
        "Runde,Heim,Gast,Ergebnis\n-----,----,,\n1,Ann,Bob,2-1\n1,Cy,Di,0-2\n",
    ];
    for text in drawn {
        let read = sheet_of(&source(text));
        assert_eq!(read, ["1: Ann-Bob 2,1 (0)", "1: Cy-Di 0,2 (0)"], "{text}");
    }
    // The lines below it keep their numbers.
    let refused = super::oddsheets::refused(&drawn[0].replace("0-2", "0-z"));
    assert!(refused.contains("line 4"), "{refused}");
    // Anywhere else it is a row, and so is one with a single line in it.
    for text in [
        "Runde;Heim;Gast;Ergebnis\n1;Ann;Bob;2-1\n---;---;---;---\n1;Cy;Di;2-0\n",
        "Runde;Heim;Gast;Ergebnis\n---;-;-;-\n1;Cy;Di;2-0\n",
    ] {
        let refused = super::oddsheets::refused(text);
        assert!(refused.contains("column 1 (Runde) is \"---\""), "{refused}");
    }
}

//! The columns of a CSV, by the names in its first row.

use std::sync::Arc;

use crate::error::shortened;
use crate::letters::Lines;
use crate::{Fault, ImportError, limits};

use super::header::Table;
use super::words::{self, Kind};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Round,
    Table,
    PlayerA,
    PlayerB,
    Kind,
    Ruling,
    Weight,
    SignUp,
    Rating,
    Division,
    Title,
    Federation,
    Id,
    /// A line of the scoresheet, and the seat that it is for.
    Seat(usize, usize),
    /// A line that the table shares.
    Shared(usize),
}

const NAMES: [(&str, Column); 13] = [
    ("round", Column::Round),
    ("table", Column::Table),
    ("player_a", Column::PlayerA),
    ("player_b", Column::PlayerB),
    ("kind", Column::Kind),
    ("ruling", Column::Ruling),
    ("weight", Column::Weight),
    ("sign_up", Column::SignUp),
    ("rating", Column::Rating),
    ("division", Column::Division),
    ("title", Column::Title),
    ("federation", Column::Federation),
    ("id", Column::Id),
];

/// The columns, in the file's order, and the score lines that they name.
#[derive(Default)]
pub(crate) struct Columns {
    list: Vec<Column>,
    pub seat_lines: Vec<String>,
    pub table_lines: Vec<String>,
}

impl Columns {
    /// Where the column stands.
    pub fn at(&self, column: Column) -> Option<usize> {
        self.list.iter().position(|known| *known == column)
    }

    /// Whether the first seat line is games won; the first shared one, if any, is then games drawn.
    pub(crate) fn starts_with_games(&self) -> bool {
        self.seat_lines.first().is_some_and(|name| name == "games")
    }

    /// The score lines of a file with games that are not about games.
    pub(crate) fn beside_games(&self) -> impl Iterator<Item = &String> {
        let lines = self.seat_lines.iter().chain(&self.table_lines);
        lines.filter(|name| !["games", "drawn"].contains(&name.as_str()))
    }

    fn read(header: &csv::StringRecord, above: &str) -> Result<Columns, ImportError> {
        let mut columns = Columns::default();
        // Games come first on a slip, wherever their columns stand.
        if header.iter().any(|name| words::plain(name) == "games a") {
            columns.seat_lines.push("games".to_owned());
        }
        for (at, name) in header.iter().take(filled(header)).enumerate() {
            let place = format!("{above}, column {}", at + 1);
            let name = words::plain(name).replace(' ', "_");
            let column = columns.column(&name, &place)?;
            if columns.list.contains(&column) {
                let what = "a column's name".to_owned();
                let expected = "each name once".to_owned();
                return Err(Fault::BadValue { what, found: name, expected }.at(place));
            }
            columns.list.push(column);
        }
        columns.check(above)?;
        Ok(columns)
    }

    fn column(&mut self, name: &str, place: &str) -> Result<Column, ImportError> {
        if let Some((_, column)) = NAMES.iter().find(|(known, _)| *known == name) {
            return Ok(*column);
        }
        let seat = [("_a", 0), ("_b", 1)];
        let of_seat = seat.iter().find_map(|(end, seat)| Some((name.strip_suffix(end)?, *seat)));
        let line = of_seat.map_or(if name == "games_drawn" { "drawn" } else { name }, |(l, _)| l);
        line_name(line, name).map_err(|fault| fault.at(place))?;
        Ok(match of_seat {
            Some((line, seat)) => Column::Seat(position(&mut self.seat_lines, line), seat),
            None => {
                // The first line that a table shares beside games is games drawn.
                if self.seat_lines.first().is_some_and(|first| first == "games") {
                    position(&mut self.table_lines, "drawn");
                }
                Column::Shared(position(&mut self.table_lines, line))
            }
        })
    }

    fn check(&self, place: &str) -> Result<(), ImportError> {
        if self.seat_lines.len() + self.table_lines.len() > limits::SCORE_LINES {
            let limit = limits::SCORE_LINES;
            return Err(Fault::TooMany { what: "score lines", limit }.at(place));
        }
        for (at, name) in self.seat_lines.iter().enumerate() {
            for (seat, end) in ["_a", "_b"].iter().enumerate() {
                if self.at(Column::Seat(at, seat)).is_none() {
                    return Err(Fault::MissingColumn { name: format!("{name}{end}") }.at(place));
                }
            }
            if self.table_lines.contains(name) {
                let what = "a score line's name".to_owned();
                let expected = "either one column or two, ending in _a and _b".to_owned();
                return Err(Fault::BadValue { what, found: name.clone(), expected }.at(place));
            }
        }
        Ok(())
    }
}

fn position(lines: &mut Vec<String>, name: &str) -> usize {
    lines.iter().position(|known| known == name).unwrap_or_else(|| {
        lines.push(name.to_owned());
        lines.len() - 1
    })
}

/// Refuses what cannot be a score line's name, or looks like another column's name misspelt.
pub(super) fn line_name(line: &str, column: &str) -> Result<(), Fault> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    let games = ["games_a", "games_b", "games_drawn"];
    let known = NAMES.iter().map(|(known, _)| *known).chain(games);
    let near = known.filter(|known| *known != column).find(|known| one_letter_apart(known, column));
    let near = near.filter(|_| !games.contains(&column));
    let expected = match near {
        Some(known) => format!("{known}, perhaps"),
        None if line.is_empty() || line.len() > 32 || !line.bytes().all(plain) => {
            "a name of letters, digits and _ for a score line".to_owned()
        }
        None => return Ok(()),
    };
    Err(Fault::BadValue { what: "a column's name".into(), found: shortened(column), expected })
}

/// Whether two words differ by one letter more, less or other, or by two swapped.
fn one_letter_apart(known: &str, word: &str) -> bool {
    known.len() > 3 && strsim::osa_distance(known, word) == 1
}

/// A row with its line in the file, or in a sheet of a workbook.
pub struct Record {
    cells: csv::StringRecord,
    line: u64,
    sheet: Option<Arc<str>>,
}

impl Record {
    /// The cell of a column; empty where there is none.
    pub fn get(&self, columns: &Columns, column: Column) -> &str {
        columns.at(column).and_then(|at| self.cells.get(at)).unwrap_or("")
    }

    /// Where the row stands.
    pub fn place(&self) -> String {
        place(self.sheet.as_deref(), self.line)
    }

    /// Whether the row only introduces a player.
    pub(crate) fn is_roster(&self, columns: &Columns) -> bool {
        words::kind(self.get(columns, Column::Kind)) == Ok(Kind::Roster)
    }
}

/// The columns and all rows that are not empty.
pub fn records(table: Table) -> Result<(Columns, Vec<Record>), ImportError> {
    let first = table.text.lines().next().unwrap_or("");
    let mut lines = table.text.split_inclusive('\n');
    if let Some(at) = lines.position(|line| line.len() > limits::LINE_BYTES) {
        let line = table.lines_above + at as u64 + 1;
        let (what, limit) = ("bytes in a line", limits::LINE_BYTES);
        return Err(Fault::TooMany { what, limit }.at(format!("line {line}")));
    }
    let mut reader = reader(table.text, first);
    let above = table.lines_above;
    let mut lines = Lines::of(table.text);
    let mut rows = reader.records().map(|row| {
        let cells = row.map_err(|error| broken(&error, above))?;
        let line = above + lines.of_byte(cells.position().map_or(0, csv::Position::byte));
        Ok((line, cells))
    });
    let header = rows.next().ok_or(Fault::Empty)??.1;
    collect((above + 1, header), rows, None)
}

/// That a quotation mark is not closed: the line and the cell, counted from 0, in which it stands.
pub(crate) fn unclosed(cell: &str, line: u64, at: usize) -> ImportError {
    let words: Vec<&str> = cell.split_whitespace().collect();
    let message = format!(
        "a quotation mark is not closed where it should be: the cell that begins with {:?}; take its mark away, or \
         put a second one at the end of the cell",
        shortened(&words.join(" "))
    );
    Fault::Csv { message }.at(format!("line {line}, column {}", at + 1))
}

/// That a row has more cells than there are columns.
pub(crate) fn too_many_cells(cells: usize, columns: usize, place: String) -> ImportError {
    let message = format!(
        "{cells} cells under {columns} columns, more cells than columns: put a cell with a comma in quotation marks \
         (\"0,5\"), or separate the cells by semicolons"
    );
    Fault::Csv { message }.at(place)
}

/// The columns and rows of a sheet of a workbook, the names of the columns first.
pub(crate) fn of_sheet(
    sheet: &str,
    rows: impl Iterator<Item = (u64, csv::StringRecord)>,
) -> Result<(Columns, Vec<Record>), ImportError> {
    let mut rows = rows.map(Ok);
    let header = rows.next().ok_or(Fault::Empty)??;
    collect(header, rows, Some(sheet.into()))
}

/// The columns of the players' sheet of a workbook, whose first one is `name`, and its rows.
pub(crate) fn of_roster(
    sheet: &str,
    rows: impl Iterator<Item = (u64, csv::StringRecord)>,
) -> Result<(Columns, Vec<Record>), ImportError> {
    let mut rows = rows.map(Ok);
    let (line, header) = rows.next().ok_or(Fault::Empty)??;
    let header =
        header.iter().map(|name| if words::plain(name) == "name" { "player_a" } else { name });
    let columns = Columns::read(&header.collect(), &place(Some(sheet), line))?;
    let records = below(&columns, rows, Some(sheet.into()))?;
    Ok((columns, records))
}

/// Where a row stands.
fn place(sheet: Option<&str>, line: u64) -> String {
    match sheet {
        Some(sheet) => format!("sheet {:?}, row {line}", shortened(sheet)),
        None => format!("line {line}"),
    }
}

fn collect(
    (line, header): (u64, csv::StringRecord),
    rows: impl Iterator<Item = Result<(u64, csv::StringRecord), ImportError>>,
    sheet: Option<Arc<str>>,
) -> Result<(Columns, Vec<Record>), ImportError> {
    let above = place(sheet.as_deref(), line);
    recognised(&header, &above)?;
    if header.len() > limits::COLUMNS {
        let (what, limit) = ("columns", limits::COLUMNS);
        return Err(Fault::TooMany { what, limit }.at(above));
    }
    let columns = Columns::read(&header, &above)?;
    let records = below(&columns, rows, sheet)?;
    Ok((columns, records))
}

/// The rows below the columns' names that are not empty.
fn below(
    columns: &Columns,
    rows: impl Iterator<Item = Result<(u64, csv::StringRecord), ImportError>>,
    sheet: Option<Arc<str>>,
) -> Result<Vec<Record>, ImportError> {
    let mut records = Vec::new();
    for row in rows {
        let (line, cells) = row?;
        if cells.iter().all(str::is_empty) {
            continue;
        }
        // Of a text, such a cell goes on where it should end.
        let has_rows = |cell: &str| cell.contains('\n') && cell.contains([',', ';', '\t']);
        let mut numbered = cells.iter().enumerate().filter(|_| sheet.is_none());
        if let Some((at, cell)) = numbered.find(|(_, cell)| has_rows(cell)) {
            return Err(unclosed(cell, line, at));
        }
        if filled(&cells) > columns.list.len() {
            let place = place(sheet.as_deref(), line);
            return Err(too_many_cells(filled(&cells), columns.list.len(), place));
        }
        if records.len() >= limits::TABLES * limits::ROUNDS {
            let limit = limits::TABLES * limits::ROUNDS;
            return Err(Fault::TooMany { what: "rows", limit }.into());
        }
        records.push(Record { cells, line, sheet: sheet.clone() });
    }
    Ok(records)
}

/// Spreadsheets of some languages separate by semicolons.
fn delimiter(first: &str) -> u8 {
    let usual = [b',', b';', b'\t'];
    let count = |by: u8| first.bytes().filter(|byte| *byte == by).count();
    usual.into_iter().rev().max_by_key(|by| count(*by)).unwrap_or(b',')
}

/// How many cells a row has up to its last one that is not empty: spreadsheets pad the others.
fn filled(cells: &csv::StringRecord) -> usize {
    (0..cells.len()).rev().find(|at| !cells[*at].is_empty()).map_or(0, |last| last + 1)
}

/// Rows of any length, by the delimiter of the first line.
fn reader<'t>(text: &'t str, first: &str) -> csv::Reader<&'t [u8]> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter(first))
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes())
}

/// The names in the first row of a text, and the rows below it; none where there is no row.
fn first_row(text: &str) -> Option<(Vec<String>, Vec<csv::StringRecord>)> {
    let (_, table) = super::header::split(text, &mut crate::build::Oddities::default()).ok()?;
    let first = table.text.lines().next()?;
    let mut reader = reader(table.text, first);
    let mut rows = reader.records().flatten();
    let names = rows.next()?.iter().map(words::plain).collect();
    Some((names, rows.take(1_000).collect()))
}

/// Whether a text has the columns that docs/IMPORT.md asks for, and is to be read strictly. One with
/// a column of results as `2-1` is a sheet as anybody keeps it.
pub(crate) fn are_ours(text: &str) -> bool {
    let Some((names, rows)) = first_row(text) else {
        return super::header::split(text, &mut crate::build::Oddities::default()).is_err();
    };
    are_own_names(&names, rows.iter().map(|row| row.iter().collect()))
}

/// Whether the names of columns are ours, and the rows below them not as anybody types them.
pub(crate) fn are_own_names<'r>(
    names: &[String],
    mut rows: impl Iterator<Item = Vec<&'r str>>,
) -> bool {
    let needed = ["round", "player a", "player b"];
    let is_there = needed.iter().all(|name| names.iter().any(|one| one == name));
    let at = names.iter().position(|name| ["result", "score", "winner"].contains(&name.as_str()));
    let is_number = |cell: &str| cell.is_empty() || cell.parse::<i64>().is_ok();
    let as_typed =
        at.is_some_and(|at| rows.any(|row| !is_number(row.get(at).copied().unwrap_or(""))));
    is_there && !as_typed
}

/// What is missing in a text that names one of our own columns and was not read otherwise either.
pub(crate) fn half_ours(text: &str, error: ImportError) -> ImportError {
    let about_columns =
        matches!(*error.fault, Fault::WhichColumn { .. } | Fault::UnknownFormat { .. });
    let names = first_row(text).map(|(names, _)| names).unwrap_or_default();
    let needed = ["round", "player_a", "player_b"];
    let is_there = |name: &&&str| names.contains(&words::plain(name));
    let missing = needed.iter().find(|name| !is_there(name));
    match missing.filter(|_| about_columns && needed[1..].iter().any(|name| is_there(&name))) {
        Some(name) => Fault::MissingColumn { name: (*name).to_owned() }.at(error.place),
        None => error,
    }
}

fn recognised(header: &csv::StringRecord, above: &str) -> Result<(), ImportError> {
    let names: Vec<String> = header.iter().map(words::plain).collect();
    let needed = ["round", "player_a", "player_b"];
    let is_there = |name: &&str| names.contains(&words::plain(name));
    let Some(missing) = needed.iter().find(|name| !is_there(name)) else { return Ok(()) };
    if needed.iter().any(is_there) {
        return Err(Fault::MissingColumn { name: (*missing).to_owned() }.at(above));
    }
    let first = shortened(&names.join(","));
    Err(Fault::UnknownFormat { found: format!("text that begins with {first:?}") }.into())
}

fn broken(error: &csv::Error, lines_above: u64) -> ImportError {
    let line = error.position().map_or(0, csv::Position::line) + lines_above;
    Fault::Csv { message: error.to_string() }.at(format!("line {line}"))
}

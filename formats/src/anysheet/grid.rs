//! A sheet as rows of cells, from a delimited text.

use super::names;
use crate::letters::Lines;
use crate::{Fault, ImportError, limits};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A row that is not empty.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Its number in the file, from 1.
    pub line: u64,
    /// Its cells, without spaces around them.
    pub cells: Vec<String>,
}

impl Row {
    /// A cell; empty where there is none.
    pub fn get(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", String::as_str)
    }

    /// The cells that are not empty, with their columns.
    pub fn filled(&self) -> impl Iterator<Item = (usize, &str)> {
        self.cells.iter().map(String::as_str).enumerate().filter(|(_, cell)| !cell.is_empty())
    }
}

/// A sheet.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// Its name, of a workbook's.
    pub sheet: Option<String>,
    pub rows: Vec<Row>,
    /// The files of which a text was put together, in order.
    pub files: Rc<[Origin]>,
    /// Where a workbook has no value though something should stand there, by row and column.
    pub unknown: Rc<Unknown>,
}

/// Cells without a value, by row and column, with why they have none.
pub(crate) type Unknown = BTreeMap<(u64, usize), NoValue>;

/// Why a cell of a workbook has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// The file has its formula without the value.
    Formula,
    /// An error stands there, such as `#N/A`.
    Error(String),
}

/// Cells of one column that a workbook shows as one: what it says stands in the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Merged {
    pub column: usize,
    pub first: u64,
    pub last: u64,
}

/// Where lines of a text come from that was put together: from this line on out of a file, from that line of it on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub line: u64,
    pub own: u64,
    /// The file, and what its lines are called.
    pub of: String,
}

/// How a line begins that says it.
const FILE: &str = "# file: ";

impl Origin {
    /// The line that says it, above a text that was put together.
    pub fn said(&self) -> String {
        format!("{FILE}{} {} {}", self.line, self.own, self.of)
    }

    fn read(cell: &str) -> Option<Origin> {
        let mut parts = cell.strip_prefix(FILE)?.splitn(3, ' ');
        let mut number = || parts.next()?.parse::<u32>().ok().map(u64::from);
        let (line, own) = (number()?, number()?);
        Some(Origin { line, own, of: parts.next()?.to_owned() })
    }
}

impl Grid {
    /// A sheet of a workbook, without a row so far.
    pub fn of_sheet(name: String) -> Grid {
        Grid { sheet: Some(name), ..Grid::default() }
    }

    /// Writes what stands in the first of merged cells into each row of theirs, but for the names of columns: these
    /// stand once over several lines.
    pub fn fill_down(&mut self, mut merged: Vec<Merged>) -> Result<(), ImportError> {
        merged.sort_unstable();
        let (mut done, mut bytes, mut cells) = ((usize::MAX, 0), 0, 0);
        for Merged { column, first, last } in merged {
            // What overlaps was written by no spreadsheet.
            if last <= first || done.0 == column && first <= done.1 {
                continue;
            }
            done = (column, last);
            let at = self.rows.partition_point(|row| row.line < first);
            let Some(row) = self.rows.get(at).filter(|row| row.line == first) else { continue };
            let cell = row.get(column).to_owned();
            if cell.is_empty() || cell.len() > limits::NAME_CHARS || names::is_known(&cell) {
                continue;
            }
            for row in self.rows[at + 1..].iter_mut().take_while(|row| row.line <= last) {
                if !row.get(column).is_empty() {
                    continue;
                }
                let width = row.cells.len().max(column + 1);
                (bytes, cells) = (bytes + cell.len(), cells + width - row.cells.len());
                if bytes > limits::FILE_BYTES {
                    return Err(Fault::TooLarge { bytes }.into());
                }
                if cells > limits::SHEET_CELLS {
                    let (what, limit) = ("cells", limits::SHEET_CELLS);
                    return Err(Fault::TooMany { what, limit }.into());
                }
                row.cells.resize(width, String::new());
                row.cells[column].clone_from(&cell);
            }
        }
        Ok(())
    }

    /// The same sheet, of which nothing is read yet.
    pub fn without_rows(&self) -> Grid {
        let Grid { sheet, files, unknown, .. } = self;
        Grid {
            sheet: sheet.clone(),
            rows: Vec::new(),
            files: files.clone(),
            unknown: unknown.clone(),
        }
    }

    /// Where a row stands.
    pub fn place(&self, row: &Row) -> String {
        match &self.sheet {
            Some(sheet) => {
                format!("sheet {:?}, row {}", crate::error::shortened(sheet), row.line)
            }
            None => match self.files.iter().rev().find(|file| file.line <= row.line) {
                Some(Origin { line, own, of }) => format!("{of} {}", row.line - line + own),
                None => format!("line {}", row.line),
            },
        }
    }
}

/// A cell's text with one space between words.
pub(super) fn clean(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of a text: of a list of matches, as `is_list` knows them, each line is one cell.
pub(super) fn of_text(text: &str, is_list: fn(&str) -> bool) -> Result<Grid, ImportError> {
    let old_ends;
    let text = match text.contains('\r') && !text.contains('\n') {
        true => {
            old_ends = text.replace('\r', "\n");
            &old_ends
        }
        false => text,
    };
    if let Some(at) = text.split_inclusive('\n').position(|line| line.len() > limits::LINE_BYTES) {
        let (what, limit) = ("bytes in a line", limits::LINE_BYTES);
        return Err(Fault::TooMany { what, limit }.at(format!("line {}", at + 1)));
    }
    // In a list of matches nothing separates cells, and no text has this sign.
    let by = if is_list(text) { 0x1f } else { delimiter(text) };
    let (mut grid, mut cells) = (Grid::default(), 0);
    let mut lines = Lines::of(text);
    let (mut last, mut widths) = (None, Vec::new());
    for row in records(text, by) {
        let row = row.map_err(|error| Fault::Csv { message: error.to_string() })?;
        let line = lines.of_byte(row.position().map_or(0, csv::Position::byte));
        if let Some((at, cell)) = row.iter().enumerate().find(|(_, cell)| holds_rows(cell, by)) {
            return Err(crate::csv::unclosed(cell, line, at));
        }
        let end = row.iter().next_back();
        last = end.map(|cell| (line, row.len() - 1, cell.to_owned(), holds(cell, by)));
        let read: Vec<String> = row.iter().map(clean).collect();
        if line == 1 && read.first().is_some_and(|cell| cell.to_lowercase().starts_with("sep=")) {
            continue;
        }
        cells += read.len();
        add(&mut grid, line, read, cells)?;
        // A row that is empty is none.
        widths.resize(grid.rows.len(), row.len());
    }
    // A cell that holds what ends one is closed by a quotation mark.
    if let Some((line, at, cell, true)) = last.filter(|_| !text.trim_end().ends_with('"')) {
        return Err(crate::csv::unclosed(&cell, line, at));
    }
    let files: Vec<Origin> = grid.rows.iter().map_while(|row| Origin::read(row.get(0))).collect();
    grid.rows.drain(..files.len());
    widths.drain(..files.len());
    grid.files = files.into();
    // Under the names of the columns Markdown has a line of dashes.
    if grid.rows.get(1).is_some_and(is_line) {
        grid.rows.remove(1);
        widths.remove(1);
    }
    let wide = too_wide(&grid.rows, &widths).filter(|_| by == b',');
    if let Some((row, cells, columns)) = wide {
        return Err(crate::csv::too_many_cells(cells, columns, grid.place(row)));
    }
    Ok(grid)
}

/// Whether a row is a line below the names of columns: dashes and colons in every filled cell, and several of three
/// dashes or more, or `:-:`.
fn is_line(row: &Row) -> bool {
    let is_drawn = |cell: &str| {
        let dashes = cell.trim_matches(':');
        cell == ":-:" || dashes.len() > 2 && dashes.bytes().all(|byte| byte == b'-')
    };
    let all_signs = |cell: &str| cell.chars().all(|sign| matches!(sign, '-' | ':' | ' '));
    row.filled().all(|(_, cell)| all_signs(cell))
        && row.filled().filter(|(_, cell)| is_drawn(cell)).nth(1).is_some()
}

/// Whether a cell holds what ends one.
fn holds(cell: &str, by: u8) -> bool {
    cell.contains(['\n', char::from(by)])
}

/// Whether a cell goes over several lines and holds cells of further rows: nobody types what separates cells into a
/// note again and again without a space behind it.
fn holds_rows(cell: &str, by: u8) -> bool {
    let by = char::from(by);
    let mut ends = cell.match_indices(by).filter(|(at, _)| {
        let behind = cell[at + 1..].chars().next();
        behind.is_some_and(|behind| behind != by && !behind.is_whitespace())
    });
    cell.contains('\n') && ends.nth(1).is_some()
}

/// The first row with a result and more cells than there are columns, as where `0,5` was taken apart: with how many
/// cells and columns. The widths are those of the rows with the empty cells at their ends, which are allowed.
fn too_wide<'r>(rows: &'r [Row], widths: &[usize]) -> Option<(&'r Row, usize, usize)> {
    use names::Role::*;
    let known = |row: &Row| row.filled().filter(|(_, cell)| names::is_known(cell)).count();
    let is_value = |name: &String| {
        let role = names::role(name);
        matches!(role, Some(Result | Score | Games | GamesA | GamesB | Points | PointsA | PointsB))
    };
    let starts = |cell: &str| cell.starts_with(|c: char| c.is_numeric() || c == '+' || c == '-');
    let is_number = |cell: &str| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
    let (mut columns, mut value, mut is_below_names) = (0, None, false);
    for (row, width) in rows.iter().zip(widths.iter().copied()) {
        if known(row) > 1 {
            // Names in two lines are of one table.
            columns = if is_below_names { width.max(columns) } else { width };
            value = row.cells.iter().position(is_value);
            is_below_names = true;
            continue;
        }
        is_below_names = false;
        let Some(at) = value.filter(|at| width > columns && starts(row.get(*at))) else { continue };
        if row.cells.len() > columns {
            return Some((row, row.cells.len(), columns));
        }
        // The half of a number that took the place of an empty note.
        if is_number(row.get(at)) && matches!(row.get(at + 1), "0" | "5") {
            return Some((row, width, columns));
        }
    }
    None
}

/// Adds a row that is not empty, within the limits.
pub(super) fn add(
    grid: &mut Grid,
    line: u64,
    mut cells: Vec<String>,
    total: usize,
) -> Result<(), ImportError> {
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    let (what, limit, is) = match () {
        () if cells.len() > limits::SHEET_COLUMNS => ("columns", limits::SHEET_COLUMNS, true),
        () if total > limits::SHEET_CELLS => ("cells", limits::SHEET_CELLS, true),
        () => ("rows", limits::SHEET_ROWS, grid.rows.len() >= limits::SHEET_ROWS),
    };
    if is {
        return Err(Fault::TooMany { what, limit }.at(format!("row {line}")));
    }
    if !cells.is_empty() {
        grid.rows.push(Row { line, cells });
    }
    Ok(())
}

fn records(text: &str, by: u8) -> csv::StringRecordsIntoIter<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(by)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes())
        .into_records()
}

/// What separates the cells: what the first line says, or with what the first lines make the best
/// table: most names of columns in a row, then most rows that are as long.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or("").trim_matches('"');
    if let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', by] = first.as_bytes() {
        return *by;
    }
    let worth = |by: &u8| {
        let rows: Vec<csv::StringRecord> = records(text, *by).take(60).flatten().collect();
        // A table has no more columns than that.
        let names = |row: &csv::StringRecord| {
            row.iter().take(limits::SHEET_COLUMNS).filter(|n| names::is_known(n)).count()
        };
        let worth = rows.iter().map(|row| (names(row), row.len()));
        let (named, wide) = worth.rev().max().unwrap_or_default();
        let alike = rows.iter().filter(|row| row.len() == wide && wide > 1).count();
        (named, alike)
    };
    [b'|', b',', b';', b'\t'].into_iter().max_by_key(worth).unwrap_or(b',')
}

//! A workbook (`.xlsx`, `.ods`, `.xls`) as rows of cells. A small file may unpack to a large one, so every part is
//! measured before anything is read of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use std::rc::Rc;

use super::biff::{Book, Unread, Value};
use super::compound::{self, Compound};
use super::grid::{self, Grid, Merged, NoValue, Unknown};
use super::ods;
use crate::{Fault, ImportError, limits};
use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType, Reader, SheetType, SheetVisible, Xlsx};

/// The most sheets that are looked at.
const SHEETS: usize = 64;
/// What is told of formulas whose values are not in the file.
const UNKNOWN: &str = "Formulas whose values are not stored in the file are read as empty cells: open it in a spreadsheet \
                       and save it, then they have them.";
/// What is told of cells in which an error stands.
const ERRORS: &str =
    "Cells with an error of the spreadsheet, such as #N/A or #DIV/0!, are read as empty cells.";
/// As many days as hours fit into a cell where somebody types them, which are 9,999.
const MOST_DAYS: f64 = 417.0;
/// The most parts of a workbook.
const PARTS: usize = 4_000;

/// Whether a file is an archive that holds a workbook, a sheet of OpenDocument, or a workbook of older programs.
pub(crate) fn is_one(bytes: &[u8]) -> bool {
    is_xlsx(bytes) || ods::is_one(bytes) || is_xls(bytes)
}

/// How the names of such files end.
pub(super) fn ending(bytes: &[u8]) -> &'static str {
    match () {
        () if is_xlsx(bytes) => "xlsx",
        () if is_xls(bytes) => "xls",
        () => "ods",
    }
}

/// Whether a compound file has a stream that is called as a workbook's.
fn is_xls(bytes: &[u8]) -> bool {
    let name = b"B\0o\0o\0k\0";
    let is_new = b"W\0o\0r\0k\0b\0o\0o\0k\0";
    let has = |name: &[u8]| bytes.windows(name.len()).any(|at| at == name);
    bytes.starts_with(compound::MAGIC) && (has(name) || has(is_new))
}

fn is_xlsx(bytes: &[u8]) -> bool {
    let name = b"xl/workbook";
    bytes.starts_with(b"PK\x03\x04") && bytes.windows(name.len()).any(|at| at == name)
}

/// The sheets that have rows, in their order, and what is told of cells without a value.
pub(crate) fn grids(bytes: &[u8]) -> Result<(Vec<Grid>, Option<&'static str>), ImportError> {
    let mut grids = all_grids(bytes)?;
    let why = || grids.iter().flat_map(|grid| grid.unknown.values());
    let told = match why().any(|why| *why == NoValue::Formula) {
        true => Some(UNKNOWN),
        false => why().next().map(|_| ERRORS),
    };
    grids.retain(|grid| !grid.rows.is_empty());
    Ok((grids, told))
}

fn all_grids(bytes: &[u8]) -> Result<Vec<Grid>, ImportError> {
    if is_xls(bytes) {
        return old_grids(bytes);
    }
    let content = measure(bytes)?;
    if !is_xlsx(bytes) {
        let missing =
            || Fault::Csv { message: "the workbook is broken: its content is missing".into() };
        return ods::grids(&content.ok_or_else(missing)?);
    }
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let sheets = book.sheets_metadata().iter();
    let shown = sheets.filter(|one| one.typ == SheetType::WorkSheet);
    let shown = shown.filter(|one| one.visible == SheetVisible::Visible);
    let names: Vec<String> = shown.map(|one| one.name.clone()).take(SHEETS).collect();
    let (mut grids, mut total, mut bytes) = (Vec::new(), 0, 0);
    for name in names {
        grids.push(sheet(&mut book, &name, &mut total, &mut bytes)?);
    }
    Ok(grids)
}

/// The sheets of a workbook of older programs.
fn old_grids(bytes: &[u8]) -> Result<Vec<Grid>, ImportError> {
    let damaged = |what: &str| -> ImportError {
        Fault::Csv { message: format!("the workbook is broken: {what}") }.into()
    };
    if bytes.len() > limits::FILE_BYTES {
        return Err(Fault::TooLarge { bytes: bytes.len() }.into());
    }
    let unread = |unread: Unread| match unread {
        Unread::Protected => Fault::Workbook.into(),
        Unread::Broken(what) => damaged(what),
    };
    let file = Compound::open(bytes).ok_or_else(|| damaged("its table of sectors"))?;
    let stream = file.stream("Workbook").or_else(|| file.stream("Book"));
    let stream = stream.ok_or_else(|| damaged("its content is missing"))?;
    let old: fn(&[u8]) -> String = crate::letters::of_8_bits;
    let book = Book::open(&stream, old).map_err(unread)?;
    let (mut grids, mut total, mut taken) = (Vec::new(), 0, 0);
    for sheet in book.sheets.iter().take(SHEETS) {
        let mut cells: BTreeMap<(u16, u16), Result<String, &str>> = BTreeMap::new();
        let take = |row: u16, column: u16, value: Value| -> Result<(), ImportError> {
            // Of what is read, not of what is left: one text of blanks may stand in every cell.
            taken += if let Value::Text(text) = &value { text.len() } else { 0 };
            let text = old_words(value, book.is_1904);
            if taken > limits::FILE_BYTES {
                return Err(Fault::TooLarge { bytes: taken }.into());
            }
            cells.insert((row, column), text);
            match cells.len() > limits::SHEET_CELLS {
                true => Err(Fault::TooMany { what: "cells", limit: limits::SHEET_CELLS }.into()),
                false => Ok(()),
            }
        };
        book.cells(sheet, old, take).map_err(unread)??;
        let merged = book.merged(sheet).map_err(unread)?;
        let mut filling = Filling::of(&sheet.name);
        for ((row, column), text) in cells {
            match text {
                Ok(text) => filling.cell(row.into(), column.into(), text, &mut total)?,
                Err(error) => {
                    filling.error(row.into(), column.into(), error.to_owned(), &mut total)?;
                }
            }
        }
        let mut grid = filling.end(total)?;
        grid.fill_down(merged)?;
        grids.push(grid);
    }
    Ok(grids)
}

/// What stands in a cell of an older workbook, as text, or the error that stands there.
fn old_words(value: Value, is_1904: bool) -> Result<String, &'static str> {
    let of_days = |days, kind| words(&DataRef::DateTime(ExcelDateTime::new(days, kind, is_1904)));
    Ok(match value {
        Value::Text(text) => grid::clean(&text),
        Value::Number(number) => words(&DataRef::Float(number)),
        Value::Hundredths(digits) => digits,
        Value::Bool(is) => words(&DataRef::Bool(is)),
        Value::Moment(days) => of_days(days, ExcelDateTimeType::DateTime),
        Value::Duration(days) => of_days(days, ExcelDateTimeType::TimeDelta),
        Value::Error(error) => return Err(error),
    })
}

/// A sheet whose cells come row by row.
struct Filling {
    grid: Grid,
    /// The row that is being filled, and what it has.
    at: u32,
    cells: Vec<String>,
    unknown: Unknown,
}

impl Filling {
    fn of(name: &str) -> Filling {
        let grid = Grid::of_sheet(name.to_owned());
        Filling { grid, at: 0, cells: Vec::new(), unknown: Unknown::new() }
    }

    /// Takes a cell in which an error stands: it counts as a cell, and has no text.
    fn error(
        &mut self,
        row: u32,
        column: usize,
        error: String,
        total: &mut usize,
    ) -> Result<(), ImportError> {
        *total += 1;
        self.unknown.insert((u64::from(row) + 1, column), NoValue::Error(error));
        match *total > limits::SHEET_CELLS {
            true => Err(Fault::TooMany { what: "cells", limit: limits::SHEET_CELLS }.into()),
            false => Ok(()),
        }
    }

    /// Takes a cell; `total` counts those of all sheets, with those that are passed over.
    fn cell(
        &mut self,
        row: u32,
        column: usize,
        text: String,
        total: &mut usize,
    ) -> Result<(), ImportError> {
        if text.is_empty() {
            return Ok(());
        }
        if column >= limits::SHEET_COLUMNS {
            return Err(Fault::TooMany { what: "columns", limit: limits::SHEET_COLUMNS }
                .at(self.grid.place(&grid::Row { line: u64::from(row) + 1, cells: Vec::new() })));
        }
        if row < self.at {
            let message = "the rows do not follow one another".to_owned();
            return Err(Fault::Csv { message }.at(format!("row {}", u64::from(row) + 1)));
        }
        if row > self.at {
            let cells = std::mem::take(&mut self.cells);
            grid::add(&mut self.grid, u64::from(self.at) + 1, cells, *total)?;
            self.at = row;
        }
        if self.cells.len() <= column {
            *total += column + 1 - self.cells.len();
            self.cells.resize(column + 1, String::new());
        }
        self.cells[column] = text;
        match *total > limits::SHEET_CELLS {
            true => Err(Fault::TooMany { what: "cells", limit: limits::SHEET_CELLS }.into()),
            false => Ok(()),
        }
    }

    fn end(mut self, total: usize) -> Result<Grid, ImportError> {
        grid::add(&mut self.grid, u64::from(self.at) + 1, self.cells, total)?;
        self.grid.unknown = Rc::new(self.unknown);
        Ok(self.grid)
    }
}

fn sheet(
    book: &mut Xlsx<Cursor<&[u8]>>,
    name: &str,
    total: &mut usize,
    bytes: &mut usize,
) -> Result<Grid, ImportError> {
    let mut empty = BTreeSet::new();
    let mut filling = Filling::of(name);
    let mut reader = book.worksheet_cells_reader(name).map_err(|error| broken(&error))?;
    while let Some(cell) = reader.next_cell().map_err(|error| broken(&error))? {
        let (row, column) = cell.get_position();
        *bytes += read_bytes(cell.get_value());
        if let DataRef::Error(error) = cell.get_value() {
            filling.error(row, column as usize, error.to_string(), total)?;
            continue;
        }
        let text = words(cell.get_value());
        if matches!(cell.get_value(), DataRef::Empty) && empty.len() < limits::SHEET_CELLS {
            empty.insert((row, column));
        }
        if *bytes > limits::FILE_BYTES {
            return Err(Fault::TooLarge { bytes: *bytes }.into());
        }
        filling.cell(row, column as usize, text, total)?;
    }
    // Whoever writes a workbook without its program may store no value of a formula.
    drop(reader);
    if !empty.is_empty() {
        let mut reader = book.worksheet_cells_reader(name).map_err(|error| broken(&error))?;
        while let Some(cell) = reader.next_formula().map_err(|error| broken(&error))? {
            let (row, column) = cell.get_position();
            if !cell.get_value().is_empty() && empty.contains(&(row, column)) {
                filling.unknown.insert((u64::from(row) + 1, column as usize), NoValue::Formula);
            }
        }
    }
    let merged = book.merge_cells_by_sheet_name(name).map_err(|error| broken(&error))?;
    let merged = merged.into_iter().filter(|one| one.start.1 == one.end.1);
    let merged = merged.map(|one| Merged {
        column: one.start.1 as usize,
        first: u64::from(one.start.0) + 1,
        last: u64::from(one.end.0) + 1,
    });
    let mut grid = filling.end(*total)?;
    grid.fill_down(merged.collect())?;
    Ok(grid)
}

/// How many bytes of text are read for a cell: one text may stand in every cell, blanks and all.
fn read_bytes(cell: &DataRef<'_>) -> usize {
    match cell {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.len()
        }
        DataRef::SharedString(text) => text.len(),
        _ => 0,
    }
}

/// What stands in a cell, as text. A date is `2026-02-01`, a time `02:01`, one of more than a day `31:20`.
fn words(cell: &DataRef<'_>) -> String {
    match cell {
        DataRef::Empty | DataRef::Error(_) => String::new(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) => grid::clean(text),
        DataRef::SharedString(text) => grid::clean(text),
        DataRef::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => grid::clean(text),
        DataRef::DateTime(moment) => {
            if let Some(time) = hours(moment) {
                return time;
            }
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            match moment.as_f64() < 1.0 {
                true if second > 0 => format!("{hour:02}:{minute:02}:{second:02}"),
                true => format!("{hour:02}:{minute:02}"),
                false => format!("{year:04}-{month:02}-{day:02}"),
            }
        }
    }
}

/// The hours and minutes of a day and more: spreadsheets keep a result such as `31:20` as that many days. What is no
/// duration by its format is one where it has hours beside its days: nobody played in 1900.
fn hours(moment: &ExcelDateTime) -> Option<String> {
    let days = moment.as_f64();
    if !(1.0..MOST_DAYS).contains(&days) {
        return None;
    }
    let (_, _, _, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let is_one = moment.is_duration() || (hour, minute, second) != (0, 0, 0);
    // The whole days of it.
    let hour = 24 * (days as u32) + u32::from(hour);
    match is_one {
        true if second > 0 => Some(format!("{hour}:{minute:02}:{second:02}")),
        true => Some(format!("{hour}:{minute:02}")),
        false => None,
    }
}

fn broken(error: &calamine::XlsxError) -> ImportError {
    match error {
        calamine::XlsxError::Password => Fault::Workbook.into(),
        error => {
            let message = format!("the workbook is broken: {error}");
            Fault::Csv { message: crate::error::shortened(&message) }.into()
        }
    }
}

/// Refuses a workbook whose parts are larger than a file may be, or that would make the reader
/// take more room than its parts have bytes. Gives the part in which OpenDocument has its cells.
fn measure(bytes: &[u8]) -> Result<Option<Vec<u8>>, ImportError> {
    let damaged = |what: &str| -> ImportError {
        Fault::Csv { message: format!("the workbook is broken: {what}") }.into()
    };
    let archive = zip::ZipArchive::new(Cursor::new(bytes));
    let mut archive = archive.map_err(|_| ImportError::from(Fault::Workbook))?;
    if archive.len() > PARTS {
        return Err(Fault::TooMany { what: "parts of a workbook", limit: PARTS }.into());
    }
    let mut left = limits::FILE_BYTES as u64;
    let mut content = None;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|error| damaged(&error.to_string()))?;
        let name = part.name().map_err(|error| damaged(&error.to_string()))?.to_lowercase();
        let mut unpacked = Vec::new();
        let read = part.take(left + 1).read_to_end(&mut unpacked);
        read.map_err(|error| damaged(&error.to_string()))?;
        let size = unpacked.len() as u64;
        if size > left {
            return Err(Fault::TooLarge { bytes: limits::FILE_BYTES + 1 }.into());
        }
        left -= size;
        let is_good = match () {
            () if name.ends_with("sharedstrings.xml") => counts_true(&unpacked),
            () if name.contains("worksheets/") && name.ends_with(".xml") => refers_short(&unpacked),
            () => true,
        };
        if !is_good {
            return Err(damaged("a count or a cell's place is none"));
        }
        if name == "content.xml" {
            content = Some(unpacked);
        }
    }
    Ok(content)
}

/// Whether the number of texts that a part promises can be in it: room is made for so many.
fn counts_true(part: &[u8]) -> bool {
    values(part, b"uniqueCount").all(|value| {
        let number = std::str::from_utf8(value).ok().and_then(|text| text.parse::<usize>().ok());
        number.is_none_or(|number| number <= part.len())
    })
}

/// Whether every cell's place is as short as the last cell's of a sheet, `XFD1048576`, and no range ends before it
/// begins.
fn refers_short(part: &[u8]) -> bool {
    let of = |name: [&'static [u8]; 3]| name.into_iter().flat_map(|name| values(part, name));
    let place = |value: &[u8]| {
        let letters = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = std::str::from_utf8(&value[letters..]).ok()?;
        let column: Vec<u8> = value[..letters].to_ascii_uppercase();
        let is_short = letters <= 3 && digits.len() <= 7;
        is_short.then(|| ((letters, column), digits.parse::<u32>().unwrap_or(0)))
    };
    let is_range = |value: &[u8]| {
        let mut ends = value.split(|byte| *byte == b':').map(place);
        let (first, last) = (ends.next().flatten(), ends.next());
        first.is_some_and(|first| match last {
            Some(last) => last.is_some_and(|last| first.0 <= last.0 && first.1 <= last.1),
            None => true,
        })
    };
    of([b" r", b"\nr", b"\tr"]).all(|value| place(value).is_some())
        && of([b" ref", b"\nref", b"\tref"]).all(is_range)
}

/// The values of an attribute, wherever it stands.
fn values<'a>(part: &'a [u8], name: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let starts = part.windows(name.len()).enumerate().filter(move |(_, at)| *at == name);
    starts.filter_map(move |(at, _)| {
        let rest = part[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?;
        let (quote, rest) = rest.trim_ascii_start().split_first()?;
        let end = rest.iter().position(|byte| byte == quote)?;
        matches!(quote, b'"' | b'\'').then(|| rest[..end].trim_ascii())
    })
}

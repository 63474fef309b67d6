//! Sheets as anybody keeps them: CSV, TSV and workbooks whose columns are recognized by name in six
//! languages, or chosen by a person. docs/IMPORT.md describes them.

mod above;
mod assemble;
mod beside;
mod biff;
mod columns;
mod compound;
mod cross;
mod days;
mod files;
mod grid;
mod listed;
mod matches;
mod names;
mod ods;
mod oneline;
mod own;
mod result;
mod robin;
mod set_columns;
mod sets;
mod table;
mod tables;
pub(crate) mod workbook;

use crate::build::Oddities;
use crate::csv::{self, Header};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, File, ImportError, letters};
pub use columns::{Question, SheetKind};
pub use files::{Joined, join_rounds, rounds_of_one};
use grid::Grid;
use names::Role;
use scrutineer_engine::event::PhaseKind;
use std::collections::BTreeSet;
use table::Table;
use tables::{Choice, Found, Shape};

/// A sheet: our own CSV, read strictly, or one as anybody keeps it.
pub(super) struct Csv;

impl crate::Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn ending(&self) -> &'static str {
        "csv"
    }

    /// A text that is neither JSON nor XML is taken for one, so that a wrong header gets its message.
    fn detect(&self, file: &File) -> bool {
        if file.bytes.starts_with(b"PK\x03\x04") || file.bytes.starts_with(compound::MAGIC) {
            return workbook::is_one(file.bytes);
        }
        let is_one = |text: &str| {
            let first = text.trim_start().chars().next();
            first.is_some_and(|first| !matches!(first, '{' | '[' | '<'))
        };
        match file.text {
            Some(text) if !text.contains('\0') => is_one(text),
            _ => letters::text(file.bytes).is_some_and(|(text, _)| is_one(&text)),
        }
    }

    fn read(&self, file: &File) -> Result<Source, ImportError> {
        if file.columns.is_some() || workbook::is_one(file.bytes) {
            return read(file);
        }
        let decoded;
        let text = match file.text {
            Some(text) if !text.contains('\0') => text,
            _ => {
                decoded = letters::text(file.bytes);
                decoded.as_ref().map_or("", |(text, _)| text.as_str())
            }
        };
        match csv::are_ours(text) {
            true => csv::read(file.name, text),
            false => read(file).map_err(|error| csv::half_ours(text, error)),
        }
    }
}

/// How many rows a [`Preview`] shows.
const SHOWN: usize = 10;

/// A sheet before it is read: what its columns are taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// What the sheet is.
    pub kind: SheetKind,
    /// The sheet's name in its workbook.
    pub sheet: Option<String>,
    /// Its columns, in order.
    pub columns: Vec<PreviewColumn>,
    /// The first rows below the columns' names.
    pub rows: Vec<Vec<String>>,
    /// What only a person can tell; `read` refuses the file until they do.
    pub question: Option<Question>,
}

/// A column of a [`Preview`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewColumn {
    /// Its number, from 1.
    pub number: usize,
    /// Its name in the sheet.
    pub name: String,
    /// The word of what it holds, such as `player_a`; none where it is not read.
    pub role: Option<&'static str>,
}

/// The words with which a choice of columns names what they hold.
pub fn column_words() -> impl Iterator<Item = &'static str> {
    names::WORDS.iter().map(|(word, _)| *word)
}

/// Whether a line names columns: two or more of its cells are what columns are called in any of the languages.
pub fn names_columns(line: &str) -> bool {
    let cells = line.split([',', ';', '\t']).map(|cell| cell.trim().trim_matches('"'));
    cells.filter(|cell| names::is_known(cell)).count() > 1
}

/// A title without the round that it ends with: `Spring Cup` of `Spring Cup - Round 2`.
pub fn title_without_round(title: &str) -> &str {
    above::apart(title).map_or(title, |(before, _)| before)
}

/// Whether a file is a workbook of a spreadsheet.
pub fn is_workbook(bytes: &[u8]) -> bool {
    (bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(compound::MAGIC))
        && workbook::is_one(bytes)
}

/// What the columns of a file are taken for; none where it is no table.
///
/// # Errors
/// Where the file cannot be opened, or the choice names no columns.
pub(crate) fn preview(file: &File) -> Result<Option<Preview>, ImportError> {
    let (mut grids, _) = grids(file)?;
    grids.retain(|grid| !grid.rows.is_empty());
    let grids = tables::apart(grids, file.columns);
    let choice = tables::choose(&grids, file.columns, &mut Header::default())?;
    let Some(Choice { found, .. }) = choice else { return Ok(None) };
    let (tables, is_cross) = match found {
        Found::Matches(tables) => (tables, false),
        Found::Cross(table, _) => (vec![table], true),
        Found::Listed(table) => (vec![table], false),
    };
    let Some(table) = tables.first() else { return Ok(None) };
    let (grid, columns) = (table.grid, &table.columns);
    // A word is of one column: of several that may be it nobody has said which.
    let is_clear =
        |role: &Role| columns.roles.iter().filter(|one| *one == &Some(*role)).count() == 1;
    let column = |(at, role): (usize, &Option<Role>)| PreviewColumn {
        number: at + 1,
        name: columns.names[at].clone(),
        role: role.filter(is_clear).and_then(Role::word).filter(|word| *word != "ignore"),
    };
    Ok(Some(Preview {
        kind: if is_cross { SheetKind::Matches } else { columns.kind },
        sheet: grid.sheet.clone(),
        columns: columns.roles.iter().enumerate().map(column).collect(),
        rows: table.body().take(SHOWN).map(|row| row.cells.clone()).collect(),
        question: columns.question.clone(),
    }))
}

/// The sheets of a file, and what is to be told of its letters and lines.
fn grids(file: &File) -> Result<(Vec<Grid>, Oddities), ImportError> {
    grids_among(file, &BTreeSet::new())
}

/// The same, where players are known from other files, by names as people compare them.
fn grids_among(
    file: &File,
    known: &BTreeSet<String>,
) -> Result<(Vec<Grid>, Oddities), ImportError> {
    let (grids, told) = grids_of(file)?;
    let mut oddities = Oddities::default();
    if let Some(told) = told {
        oddities.add("the file", told);
    }
    const COUNTED: &str = "Of sets in columns of their own is counted who won each.";
    if let Some(asked) = file.columns {
        let chosen = set_columns::Chosen::of(asked);
        let mut grids = grids;
        for grid in &mut grids {
            if set_columns::join(grid, &chosen) {
                oddities.add("the columns", COUNTED);
            }
        }
        return Ok((grids, oddities));
    }
    let named = oneline::Named::among(&grids, known);
    let apart = |grid| oneline::apart(grid, &named, &mut oddities);
    let grids = grids.into_iter().map(apart).collect::<Result<Vec<Grid>, _>>()?;
    let mut by_names = |mut grid: Grid| {
        cross::join_heads(&mut grid);
        if set_columns::join(&mut grid, &Default::default()) {
            oddities.add("the columns", COUNTED);
        }
        cross::by_names(&grid).unwrap_or_else(|| vec![grid])
    };
    let grids = grids.into_iter().flat_map(&mut by_names).collect();
    Ok((grids, oddities))
}

fn grids_of(file: &File) -> Result<(Vec<Grid>, Option<&'static str>), ImportError> {
    if workbook::is_one(file.bytes) {
        return workbook::grids(file.bytes);
    }
    match file.text {
        Some(text) if !text.contains('\0') => {
            Ok((vec![grid::of_text(text, oneline::is_list)?], None))
        }
        _ => match letters::text(file.bytes) {
            Some((text, told)) => Ok((vec![grid::of_text(&text, oneline::is_list)?], told)),
            None => Err(file.text().err().unwrap_or_else(|| Fault::Empty.into())),
        },
    }
}

/// Reads a file whose columns are not those of our own CSV.
pub(crate) fn read(file: &File) -> Result<Source, ImportError> {
    let (mut grids, mut oddities) = grids(file)?;
    let mut header = Header::default();
    for grid in &mut grids {
        above::lines_above(grid, &mut header, &mut oddities)?;
    }
    grids.retain(|grid| !grid.rows.is_empty());
    if let Some(at) = own::find(&grids).filter(|_| file.columns.is_none()) {
        return own::read(file, &grids, at, header, oddities);
    }
    let is_book = grids.iter().any(|grid| grid.sheet.is_some());
    let format = if is_book { workbook::ending(file.bytes) } else { "csv" };
    let grids = tables::apart(grids, file.columns);
    let Some(Choice { found, beside, unread }) = tables::choose(&grids, file.columns, &mut header)?
    else {
        return Err(match grids.first().and_then(|grid| grid.rows.first()) {
            Some(row) if is_table(&grids[0]) => {
                let first = shortened(&row.cells.join(","));
                Fault::NoColumns { first }.at(grids[0].place(row))
            }
            Some(row) => {
                let first = shortened(&row.cells.join(","));
                Fault::UnknownFormat { found: format!("text that begins with {first:?}") }.into()
            }
            None => Fault::Empty.into(),
        });
    };
    for at in unread {
        self::unread(&grids[at], at, &mut oddities);
    }
    if let Some((place, sentence)) = header.unclear_day.take().filter(|_| header.held_on.is_none())
    {
        oddities.add(&place, sentence);
    }
    let of = assemble::Of { file, format, header };
    let first = oddities.len();
    let (mut source, tables) = match found {
        Found::Matches(tables) => {
            let read = matches::read(&tables, oddities)?;
            (assemble::of_rounds(of, &tables, None, read, &beside)?, tables)
        }
        Found::Cross(table, Shape::ByRound) => {
            let (read, tables) = (cross::read(&table, oddities)?, vec![table]);
            (assemble::of_rounds(of, &tables, None, read, &beside)?, tables)
        }
        Found::Cross(table, Shape::EachOther(first)) => {
            let (read, tables) = (robin::read(&table, first, oddities)?, vec![table]);
            let kind = Some(PhaseKind::RoundRobin);
            (assemble::of_rounds(of, &tables, kind, read, &beside)?, tables)
        }
        Found::Listed(table) => {
            if let Some(question) = &table.columns.question {
                return Err(table.columns.asked(table.grid, question).at(table.place()));
            }
            (assemble::of_listed(of, &table, oddities, &beside)?, vec![table])
        }
    };
    // What was read is known when all of it was.
    let told = tables.iter().enumerate().filter_map(|(at, table)| passed_over(table, at == 0));
    source.oddities.splice(first..first, told.collect::<Vec<_>>());
    Ok(source)
}

/// Whether a text of which no column is known is a table all the same: of most rows several cells are filled, or
/// its first line names a column.
fn is_table(grid: &Grid) -> bool {
    let several = grid.rows.iter().filter(|row| row.filled().nth(1).is_some()).count();
    let first = grid.rows.first().and_then(|row| row.filled().next());
    grid.sheet.is_some()
        || several * 2 > grid.rows.len() && grid.rows.len() > 1
        || first.is_some_and(|(_, cell)| oneline::heads(cell))
}

/// What is told of the columns of a table that were not read; of any but the first one with where it stands.
fn passed_over(table: &Table, is_first: bool) -> Option<Oddity> {
    let columns = &table.columns;
    let unread: Vec<String> = table.unread().map(|at| columns.label(at)).take(12).collect();
    let place = if is_first { "the columns".to_owned() } else { table.place() };
    let sentence = format!("Not read: {}.", unread.join(", "));
    (!unread.is_empty() && columns.header.is_some()).then_some(Oddity { place, sentence })
}

/// Tells that a sheet is not read.
fn unread(grid: &Grid, at: usize, oddities: &mut Oddities) {
    match &grid.sheet {
        Some(sheet) => {
            let name = shortened(sheet);
            oddities.add(&format!("sheet {}", at + 1), format!("The sheet {name:?} is not read."));
        }
        None => {
            let place = grid.rows.first().map_or_else(String::new, |row| grid.place(row));
            oddities.add(&place, "The table that begins here is not read.");
        }
    }
}

/// Tells that a table is not read.
fn unread_table(table: &Table, oddities: &mut Oddities) {
    let name = table.grid.sheet.as_deref().map(shortened);
    let what = name.map_or("The table".to_owned(), |name| format!("The sheet {name:?}"));
    oddities.add(&table.place(), format!("{what} is not read."));
}

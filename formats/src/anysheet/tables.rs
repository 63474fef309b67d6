//! The tables of a file: of each sheet one or several, and which of them are read together.

use super::columns::{self, SheetKind};
use super::grid::{Grid, Row};
use super::names::{self, Role};
use super::table::Table;
use super::{above, cross, robin};
use crate::csv::Header;
use crate::error::shortened;
use crate::{Fault, ImportError};
use std::rc::Rc;

/// What the columns of a table with a row for each player stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A round each.
    ByRound,
    /// The players in the order of the rows, from this column on.
    EachOther(usize),
}

/// Whether a table is a cross table, and which.
fn shape(table: &Table) -> Option<Shape> {
    if !(table.columns.has(Role::Name) || table.columns.has(Role::LastName)) {
        return None;
    }
    let other = || cross::is_one(table).then_some(Shape::ByRound);
    robin::first_column(table).map(Shape::EachOther).or_else(other)
}

/// What is read of a file.
pub(super) enum Found<'g> {
    /// Matches, a row each, of one sheet or several.
    Matches(Vec<Table<'g>>),
    /// A row for each player, with what they did in each round or against each other one.
    Cross(Table<'g>, Shape),
    /// Players, with points or without.
    Listed(Table<'g>),
}

/// What is read of the file, and the other tables.
pub(super) struct Choice<'g> {
    pub found: Found<'g>,
    /// Tables with a row for each player.
    pub beside: Vec<Table<'g>>,
    /// What is not read, as indexes of sheets.
    pub unread: Vec<usize>,
}

/// Finds what is to be read, and sets the title, the day and the rounds that stand above.
pub(super) fn choose<'g>(
    grids: &'g [Grid],
    asked: Option<&str>,
    header: &mut Header,
) -> Result<Option<Choice<'g>>, ImportError> {
    let mut tables = Vec::new();
    let mut unread = Vec::new();
    let chosen = asked.map(|asked| chosen(grids, asked)).transpose()?.flatten();
    for (at, grid) in grids.iter().enumerate() {
        // A choice is made for one table, and for others that are like it.
        let of_choice = chosen.as_ref().filter(|(of, names)| *of == at || is_like(grid, names));
        let columns = match asked.filter(|_| of_choice.is_some()) {
            Some(asked) => columns::find(grid, Some(asked)).ok().flatten(),
            None => columns::find(grid, None)?,
        };
        let is_sure = columns
            .as_ref()
            .is_some_and(|columns| columns.question.is_none() && columns.header.is_some());
        let columns = match is_sure || of_choice.is_some() {
            true => columns,
            false => robin::columns(grid).or(columns),
        };
        match columns {
            Some(columns) => tables.push((at, Table { grid, columns, round: None })),
            None => unread.push(at),
        }
    }
    if tables.is_empty() {
        return Ok(None);
    }
    for (at, table) in &mut tables {
        let mut other = Header::default();
        // The title of a later sheet is that sheet's own.
        let header = if *at == 0 || header.title.is_none() { &mut *header } else { &mut other };
        table.round = above::title(table.grid, &table.columns, header);
        let sheet = table.grid.sheet.as_deref().unwrap_or("");
        let by_name = names::round(sheet, true).filter(|round| *round < 200 || *round > 9_000);
        table.round = table.round.or(by_name).filter(|_| !table.columns.has(Role::Round));
    }
    let is_match = |table: &Table| table.columns.kind == SheetKind::Matches;
    let asks = |table: &Table| table.columns.question.is_some();
    let (matches, mut others): (Vec<_>, Vec<_>) =
        tables.into_iter().partition(|(_, table)| is_match(table) && !asks(table));
    if !matches.is_empty() {
        let (named, unnamed): (Vec<_>, Vec<_>) =
            matches.into_iter().partition(|(_, table)| table.has_round());
        let read = match (named.is_empty(), unnamed.len()) {
            (false, _) => {
                unread.extend(unnamed.iter().map(|(at, _)| *at));
                named
            }
            (true, 0 | 1) => unnamed,
            (true, _) => {
                let what = format!(
                    "the round, which neither the sheet nor a line above {:?} names,",
                    shortened(&unnamed[1].1.columns.names.join(" "))
                );
                return Err(Fault::Missing { what }.at(unnamed[1].1.place()));
            }
        };
        // Matches of another round, of which a column is to be said, are not left out.
        let is_round = |table: &Table| asks(table) && is_match(table) && table.has_round();
        if let Some(at) = others.iter().position(|(_, table)| is_round(table)) {
            let found = Found::Listed(others.remove(at).1);
            return Ok(Some(Choice { found, beside: Vec::new(), unread: Vec::new() }));
        }
        let (beside, rest): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(_, table)| !asks(table));
        unread.extend(rest.iter().map(|(at, _)| *at));
        let found = Found::Matches(read.into_iter().map(|(_, table)| table).collect());
        let beside = beside.into_iter().map(|(_, table)| table).collect();
        return Ok(Some(Choice { found, beside, unread }));
    }
    let crossed = others.iter().position(|(_, table)| !asks(table) && shape(table).is_some());
    // Matches of which a column is to be said, rather than the players beside them.
    let meets = |table: &Table| {
        let has = |role: &Role| table.columns.has(*role);
        asks(table)
            && (is_match(table) || [Role::Result, Role::PlayerA, Role::PlayerB].iter().any(has))
    };
    let asking = others.iter().position(|(_, table)| meets(table));
    let at = crossed.or(asking).unwrap_or(0);
    let table = others.remove(at).1;
    let shape = shape(&table).filter(|_| crossed.is_some());
    let (beside, rest): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(_, table)| !asks(table) && !is_match(table));
    unread.extend(rest.iter().map(|(at, _)| *at));
    let beside = beside.into_iter().map(|(_, table)| table).collect();
    let found = match shape {
        Some(shape) => Found::Cross(table, shape),
        None => Found::Listed(table),
    };
    Ok(Some(Choice { found, beside, unread }))
}

/// The table of which somebody chose the columns, with their names: the first one that asks, otherwise the first
/// one that has them, of matches where columns are only left out.
fn chosen(grids: &[Grid], asked: &str) -> Result<Option<(usize, Vec<String>)>, ImportError> {
    let mut found: Option<(usize, Vec<String>)> = None;
    let mut refused = None;
    // What is left out is left out of matches, where there are some.
    let leaves_out = asked.split(',').all(|part| part.trim().to_lowercase().starts_with("ignore"));
    let mut has_matches = false;
    for (at, grid) in grids.iter().enumerate() {
        match columns::find(grid, Some(asked)) {
            Ok(Some(columns)) => {
                let alone = columns::find(grid, None)?;
                let kind = alone.as_ref().map(|alone| alone.kind);
                let is_meant = leaves_out && kind == Some(SheetKind::Matches) && !has_matches;
                let asks = alone.is_none_or(|alone| alone.question.is_some());
                if asks || found.is_none() || is_meant {
                    found = Some((at, columns.names));
                    has_matches |= is_meant;
                }
                if asks {
                    break;
                }
            }
            Ok(None) => {}
            Err(error) => drop(refused.get_or_insert(error)),
        }
    }
    match (found, refused) {
        (None, Some(error)) => Err(error),
        (found, _) => Ok(found),
    }
}

/// Whether a table has a row with these names of columns, or has none as the one for which they were chosen.
fn is_like(grid: &Grid, names: &[String]) -> bool {
    let has = names.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
    grid.rows.iter().any(|row| row.cells == names[..has])
}

/// Whether a row is one of columns' names, as far as it can be told alone.
fn is_head(row: &Row) -> bool {
    let (mut known, mut filled, mut plain) = (0, 0, true);
    for (_, cell) in row.filled() {
        filled += 1;
        match names::role(cell) {
            Some(role) => known += usize::from(role != Role::OfRound),
            // `P`, `W`, `D`, `L` say nothing by themselves.
            None if names::is_of_record(cell) => filled -= 1,
            None => plain &= !cell.starts_with(|c: char| c.is_ascii_digit()),
        }
    }
    known > 1 && known * 2 >= filled && plain
}

/// Takes sheets apart where a second table stands beside the first one, with the same columns, or below it, with
/// others. A choice of columns is one of the first table's; where it names columns behind it nothing stands beside.
pub(super) fn apart(grids: Vec<Grid>, asked: Option<&str>) -> Vec<Grid> {
    let mut all = Vec::new();
    let parts = |grid: Grid| {
        let parts = beside(&grid);
        let fits = |asked: &str| {
            parts.first().is_some_and(|part| columns::find(part, Some(asked)).is_ok())
        };
        match parts.is_empty() || !asked.is_none_or(fits) {
            true => vec![grid],
            false => parts,
        }
    };
    for mut grid in grids.into_iter().flat_map(parts) {
        let starts = starts(&grid.rows);
        let mut blocks = Vec::new();
        for start in starts.into_iter().rev() {
            let rows = grid.rows.split_off(start);
            blocks.push(Grid { rows, ..grid.without_rows() });
        }
        blocks.push(grid);
        all.extend(blocks.into_iter().rev().filter(|grid| !grid.rows.is_empty()));
    }
    all
}

/// The tables of a sheet that stand side by side: the same names of columns again and again, with an empty column
/// before each of them, or each with both players. None where there is one.
fn beside(grid: &Grid) -> Vec<Grid> {
    let Some(head) = grid.rows.iter().find(|row| is_head(row)) else { return Vec::new() };
    let Some((first, name)) = head.filled().next() else { return Vec::new() };
    let same = |start: usize, end: usize| {
        let cells = head.cells.get(start..end.min(head.cells.len())).unwrap_or_default();
        let filled = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        &cells[..filled]
    };
    let starts: Vec<usize> =
        head.filled().filter(|(_, cell)| *cell == name).map(|(at, _)| at).collect();
    let width = grid.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([width]).collect();
    let all: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
    let [(_, end), others @ ..] = &all[..] else { return Vec::new() };
    let names = same(first, *end);
    if others.is_empty()
        || names.len() < 2
        || others.iter().any(|(start, end)| same(*start, *end) != names)
    {
        return Vec::new();
    }
    let has_both = have_both(names);
    // What stands between two tables belongs to neither, but it does to one that has both players.
    let widest = if has_both { usize::MAX } else { names.len() };
    let ends = |start: usize, end: usize| end.min(start.saturating_add(widest));
    let is_apart = others.iter().all(|(start, _)| head.get(start - 1).is_empty());
    let between =
        |at: usize| all.iter().all(|(start, end)| !(*start..ends(*start, *end)).contains(&at));
    let has_between = |row: &Row| row.filled().any(|(at, _)| between(at));
    if !has_both && (!is_apart || grid.rows.iter().any(has_between)) {
        return Vec::new();
    }
    let part = |(start, end): &(usize, usize)| {
        let rows = grid.rows.iter().map(|row| {
            let cells = (*start..ends(*start, *end)).map(|at| row.get(at).to_owned());
            let mut cells: Vec<String> = cells.collect();
            while cells.last().is_some_and(String::is_empty) {
                cells.pop();
            }
            Row { line: row.line, cells }
        });
        let rows = rows.filter(|row| !row.cells.is_empty()).collect();
        let unknown = grid
            .unknown
            .iter()
            .filter_map(|((line, at), why)| Some(((*line, at.checked_sub(*start)?), why.clone())));
        Grid { rows, unknown: Rc::new(unknown.collect()), ..grid.without_rows() }
    };
    all.iter().map(part).collect()
}

/// Whether columns of these names have both players of a match.
fn have_both(names: &[String]) -> bool {
    let roles: Vec<Option<Role>> = names.iter().map(|name| names::role(name)).collect();
    let has = |all: &[Role]| roles.iter().flatten().any(|role| all.contains(role));
    let of_match = has(&[Role::Round, Role::Table, Role::Result, Role::Score, Role::Winner])
        && !has(&[Role::Rank, Role::Points, Role::Wins, Role::Losses]);
    let mut both = names.iter().zip(&roles).filter(|(_, role)| **role == Some(Role::Name));
    let is_two = match (both.next(), both.next(), both.next()) {
        (Some((one, _)), Some((other, _)), None) => of_match || names::are_alike(one, other),
        _ => false,
    };
    has(&[Role::Pairing, Role::PlayerB]) || is_two
}

/// The rows with which a further table begins: its columns' names, or lines above them.
fn starts(rows: &[Row]) -> Vec<usize> {
    let mut heads: Vec<usize> = Vec::new();
    let mut starts = Vec::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| is_head(row)) {
        let Some(last) = heads.last().copied() else {
            heads.push(at);
            continue;
        };
        let start = start(rows, at);
        let is_known = heads.iter().any(|head| rows[*head].cells == row.cells);
        // Names of columns in two lines are of one table, and names repeated are of the same.
        if is_known && rows[last].cells == row.cells || start <= last + 1 {
            continue;
        }
        let is_apart = start < at || rows[at].line > rows[at - 1].line + 1;
        if is_apart {
            heads.push(at);
            starts.push(start);
        }
    }
    starts
}

/// The first of the lines that stand above columns' names alone.
fn start(rows: &[Row], head: usize) -> usize {
    let mut start = head;
    while start > 0 {
        let above = &rows[start - 1];
        let (mut cells, gap) = (above.filled(), rows[start].line > above.line + 1);
        let first = cells.next().map_or("", |(_, cell)| cell);
        if gap && start < head || cells.next().is_some() {
            break;
        }
        let is_line = names::round(first, false).is_some()
            || first.contains(':')
            || start == 1
            || above.line > rows[start - 2].line + 1;
        if !is_line {
            break;
        }
        start -= 1;
    }
    start
}

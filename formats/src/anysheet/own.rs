//! Workbooks with the columns of our own CSV: what `export --xlsx` writes, or somebody's table in them.

use super::grid::{Grid, Row};
use crate::build::Oddities;
use crate::csv::{self, ABOUT, Header, ROSTER, SheetRows};
use crate::sheets;
use crate::source::Source;
use crate::{File, ImportError};

/// The sheet with our own columns of matches; none where the workbook has none.
pub(super) fn find(grids: &[Grid]) -> Option<usize> {
    grids.iter().position(|grid| {
        let Some((head, rows)) = grid.rows.split_first() else { return false };
        let names: Vec<String> = head.cells.iter().map(|name| csv::plain(name)).collect();
        let rows =
            rows.iter().take(1_000).map(|row| row.cells.iter().map(String::as_str).collect());
        grid.sheet.is_some() && !is_printed(head) && csv::are_own_names(&names, rows)
    })
}

/// Whether a sheet holds what was printed of a tournament, as the sheets of `export --csv` do.
pub(super) fn is_printed(head: &Row) -> bool {
    sheets::is_one(&format!("{},", head.cells.join(",")))
}

/// Reads a workbook whose matches stand in this sheet.
pub(super) fn read(
    file: &File,
    grids: &[Grid],
    at: usize,
    mut header: Header,
    mut oddities: Oddities,
) -> Result<Source, ImportError> {
    let begins = |grid: &Grid, names: &[&str]| {
        let head = grid.rows.first().map_or(&[][..], |row| &row.cells[..]);
        head.len() >= names.len()
            && head.iter().zip(names).all(|(own, name)| csv::plain(own) == csv::plain(name))
    };
    let mut roster = None;
    for (other, grid) in grids.iter().enumerate().filter(|(other, _)| *other != at) {
        if begins(grid, &ABOUT) {
            for row in grid.rows.iter().skip(1) {
                let line = format!("{}: {}", row.get(0), row.get(1));
                header.line(&line, &grid.place(row), &mut oddities)?;
            }
        } else if begins(grid, &ROSTER[..1]) && roster.is_none() && is_roster(grid) {
            roster = Some(grid);
        } else if !grid.rows.first().is_some_and(is_printed) {
            super::unread(grid, other, &mut oddities);
        }
    }
    let mut source =
        csv::read_book(file.name, header, rows(&grids[at]), roster.map(rows), oddities)?;
    source.format = super::workbook::ending(file.bytes).to_owned();
    Ok(source)
}

/// Whether every column of a sheet is one of the players' sheet.
fn is_roster(grid: &Grid) -> bool {
    let names = grid.rows.first().map_or(&[][..], |row| &row.cells[..]);
    names.iter().all(|name| ROSTER.iter().any(|known| csv::plain(known) == csv::plain(name)))
}

fn rows(grid: &Grid) -> SheetRows<'_> {
    let row = |row: &Row| (row.line, row.cells.iter().collect());
    (grid.sheet.as_deref().unwrap_or(""), grid.rows.iter().map(row).collect())
}

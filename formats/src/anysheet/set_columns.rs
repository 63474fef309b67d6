//! Sets in columns of their own.

use super::grid::Grid;
use super::names;
use super::sets::{MOST, points};
use std::collections::BTreeSet;

/// How many rows are looked at for the names of columns.
const ABOVE: usize = 10;

/// Makes one column of results of those of sets that stand side by side, such as `Satz 1`, `Satz 2`, `Satz 3`, where
/// every cell below them has the points of a set that somebody won. Says whether there are any.
pub(super) fn join(grid: &mut Grid) -> bool {
    let heads = grid.rows.iter().take(ABOVE).enumerate();
    let mut found = heads.filter_map(|(at, row)| Some((at, numbered(&row.cells)?)));
    let found = found.find(|(at, columns)| {
        let rows = grid.rows[at + 1..].iter();
        let mut cells = rows
            .flat_map(|row| columns.clone().map(|column| row.get(column)))
            .filter(|cell| !cell.is_empty())
            .peekable();
        cells.peek().is_some()
            && cells.all(|cell| points(cell).is_some_and(|[one, other]| one != other))
    });
    let Some((head, columns)) = found else { return false };
    let begins = grid.rows[head].line;
    for (at, row) in grid.rows.iter_mut().enumerate().skip(head) {
        if row.cells.len() <= columns.start {
            continue;
        }
        let end = columns.end.min(row.cells.len());
        let sets: Vec<[u8; 2]> =
            row.cells.drain(columns.start..end).filter_map(|cell| points(&cell)).collect();
        let won = sets.iter().filter(|[one, other]| one > other).count();
        let cell = match (at == head, sets.len()) {
            (true, _) => "Result".to_owned(),
            (false, 0) => String::new(),
            (false, count) => format!("{won}-{}", count - won),
        };
        row.cells.insert(columns.start, cell);
    }
    let moved = |(line, at): &(u64, usize)| match *at {
        at if *line < begins || at < columns.start => (*line, at),
        at if at < columns.end => (*line, columns.start),
        at => (*line, at + 1 - columns.len()),
    };
    grid.unknown = grid.unknown.iter().map(moved).collect::<BTreeSet<_>>().into();
    true
}

/// The columns that are called after sets and counted from 1, side by side.
fn numbered(cells: &[String]) -> Option<std::ops::Range<usize>> {
    let start = cells.iter().position(|cell| names::set(cell) == Some(1))?;
    let is_next = |(number, cell): &(u16, &String)| names::set(cell) == Some(*number);
    let count = (1..).zip(&cells[start..]).take_while(is_next).count();
    (2..=MOST).contains(&count).then_some(start..start + count)
}

//! Sets in columns of their own.

use super::grid::{Grid, Row};
use super::names::{self, Role};
use super::sets::{MOST, points};
use std::collections::BTreeSet;

/// How many rows are looked at for the names of columns.
const ABOVE: usize = 10;

/// Makes results of sets that stand side by side, such as `Satz 1`, `Satz 2`, `Satz 3`, where there are two players and
/// no other result, and every cell below has the points of a set that somebody won. They stand in the first of these
/// columns; the others are empty then, so that every column keeps its number. A match of which no more than a set was
/// played is not over. `chosen` are the columns that somebody named, by number. Says whether there are any.
pub(super) fn join(grid: &mut Grid, chosen: &BTreeSet<usize>) -> bool {
    let heads = grid.rows.iter().take(ABOVE).enumerate();
    let mut found = heads.filter_map(|(at, row)| Some((at, numbered(&row.cells)?)));
    let found = found.find(|(at, columns)| {
        let rows = grid.rows[at + 1..].iter();
        let mut cells = rows
            .flat_map(|row| columns.clone().map(|column| row.get(column)))
            .filter(|cell| !cell.is_empty())
            .peekable();
        let is_set = |cell: &str| points(cell).is_some_and(|[one, other]| one != other);
        are_matches(&grid.rows[*at].cells)
            && !columns.clone().any(|column| chosen.contains(&column))
            && cells.peek().is_some()
            && cells.all(is_set)
    });
    let Some((head, columns)) = found else { return false };
    let of = |row: &Row| {
        let sets: Vec<[u8; 2]> = columns.clone().filter_map(|at| points(row.get(at))).collect();
        let won = sets.iter().filter(|[one, other]| one > other).count();
        [won, sets.len() - won]
    };
    let most = grid.rows[head + 1..].iter().flat_map(of).max().unwrap_or(0);
    let begins = grid.rows[head].line;
    for (at, row) in grid.rows.iter_mut().enumerate().skip(head) {
        let [won, lost] = of(row);
        let is_over = won + lost > 1 || most < 2;
        let end = columns.end.min(row.cells.len());
        row.cells[columns.start.min(end)..end].iter_mut().for_each(String::clear);
        if let Some(cell) = row.cells.get_mut(columns.start) {
            match at == head {
                true => "Result".clone_into(cell),
                false if won + lost > 0 && is_over => *cell = format!("{won}-{lost}"),
                false => {}
            }
        }
    }
    let moved = |(line, at): &(u64, usize)| match columns.contains(at) && *line > begins {
        true => (*line, columns.start),
        false => (*line, *at),
    };
    grid.unknown = grid.unknown.iter().map(moved).collect::<BTreeSet<_>>().into();
    true
}

/// Whether columns are of matches of which none says the result.
fn are_matches(names: &[String]) -> bool {
    use Role::*;
    let roles: Vec<Role> = names.iter().filter_map(|name| names::role(name)).collect();
    let is_player =
        |role: &&Role| matches!(role, Name | PlayerA | PlayerB | FirstA | LastA | FirstB | LastB);
    let is_result = |role: &Role| {
        matches!(role, Result | Score | Games | GamesA | GamesB | Points | PointsA | PointsB)
    };
    (roles.contains(&Pairing) || roles.iter().filter(is_player).count() > 1)
        && !roles.iter().any(is_result)
}

/// The columns that are called after sets and counted from 1, side by side.
fn numbered(cells: &[String]) -> Option<std::ops::Range<usize>> {
    let start = cells.iter().position(|cell| names::set(cell) == Some(1))?;
    let is_next = |(number, cell): &(u16, &String)| names::set(cell) == Some(*number);
    let count = (1..).zip(&cells[start..]).take_while(is_next).count();
    (2..=MOST).contains(&count).then_some(start..start + count)
}

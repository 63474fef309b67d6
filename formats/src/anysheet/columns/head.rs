//! A row of columns' names in a language that is not known, told by what stands below it.

use std::collections::BTreeMap;

use crate::anysheet::grid::Grid;
use crate::anysheet::names::{self, Role};
use crate::anysheet::result::{self, Cell};

/// Whether the first row names the columns that somebody chose: where a round or a result stands below, it has a word
/// that is neither.
pub(super) fn is_unknown(grid: &Grid, chosen: &BTreeMap<usize, Role>) -> bool {
    let [first, below @ ..] = &grid.rows[..] else { return false };
    let is_word = |at: usize| {
        let cell = first.get(at);
        cell.starts_with(char::is_alphabetic)
            && result::read(cell) == Cell::Bad
            && !result::is_forfeit(cell)
            && !names::is_nobody(cell)
            // A result may be the name of who won.
            && !first.filled().any(|(other, text)| other != at && cell.contains(text))
    };
    let are_values = |at: usize, role: Role| {
        let cells = || below.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty());
        cells().filter(|cell| is_value(role, cell)).count() * 2 > cells().count()
    };
    let mut said = chosen.iter().filter(|(_, role)| is_told(**role)).peekable();
    said.peek().is_some()
        && said.all(|(at, role)| {
            is_word(*at) && !is_value(*role, first.get(*at)) && are_values(*at, *role)
        })
}

/// Whether what a role's column holds is told from a word.
fn is_told(role: Role) -> bool {
    matches!(role, Role::Round | Role::Result | Role::GamesA | Role::GamesB)
}

fn is_value(role: Role, cell: &str) -> bool {
    match role {
        Role::Round => names::round_of_column(cell).is_some(),
        Role::Result => !matches!(result::read(cell), Cell::Bad),
        _ => cell.starts_with(|c: char| c.is_ascii_digit()),
    }
}

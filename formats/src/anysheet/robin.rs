//! Tables of everybody against everybody: a row and a column for each player, in each cell the result of the
//! row's player against the column's.

use std::collections::BTreeMap;

use super::above;
use super::columns::{Columns, SheetKind};
use super::cross::{empty, place, players, rows, seated};
use super::grid::{Grid, Row};
use super::matches::{Read, by_outcome};
use super::names::Role;
use super::result::{self, Cell, Outcome};
use super::table::Table;
use crate::build::Oddities;
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, ImportError, sheet};
use scrutineer_engine::event::{How, MatchResult};
use scrutineer_engine::names::folded;

/// How many lines may stand above such a table without names of columns.
const ABOVE: usize = 10;

/// The column of the first row's player; none where the table is no such one.
pub(super) fn first_column(table: &Table) -> Option<usize> {
    found(table).map(|(first, _)| first)
}

/// The column of the first row's player, and the rows of players. A line below the table is none of one, nor is the only
/// row for which there is no column.
fn found<'t>(table: &'t Table) -> Option<(usize, Vec<&'t Row>)> {
    let all: Vec<&Row> = rows(table).collect();
    let wide: Vec<&Row> = all.iter().copied().filter(|row| row.filled().nth(1).is_some()).collect();
    let has_column = |row: &&Row| {
        let own = folded(&super::listed::name(&table.columns, row));
        table.columns.names.iter().any(|name| folded(name) == own)
    };
    let own: Vec<&Row> = wide.iter().copied().filter(has_column).collect();
    let own = if wide.len() - own.len() == 1 { own } else { Vec::new() };
    [all, wide, own].into_iter().find_map(|rows| Some((first_of(table, &rows)?, rows)))
}

/// The column of the first of these rows' players, where each of them has one, in order.
fn first_of(table: &Table, rows: &[&Row]) -> Option<usize> {
    let (count, names) = (rows.len(), &table.columns.names);
    if count < 3 || names.len() < count {
        return None;
    }
    let is_own = |row: usize, column: usize| {
        let (name, own) =
            (folded(&names[column]), folded(&super::listed::name(&table.columns, rows[row])));
        let number = names[column].trim_end_matches('.').parse() == Ok(row + 1);
        number || name == own || name.chars().count() > 1 && own.starts_with(&name)
    };
    let fits = |first: usize| {
        (0..count).all(|at| is_own(at, first + at) && is_itself(rows[at].get(first + at)))
    };
    let first = (0..=names.len() - count).find(|first| fits(*first))?;
    let cells = || {
        rows.iter().enumerate().flat_map(move |(row, cells)| {
            (0..count).filter(move |at| *at != row).map(move |at| cells.get(first + at))
        })
    };
    let filled = cells().filter(|cell| !cell.is_empty()).count();
    let good =
        cells().filter(|cell| !cell.is_empty() && !matches!(result::read(cell), Cell::Bad)).count();
    (filled > 1 && good * 4 > filled * 3).then_some(first)
}

/// The columns of such a table whose columns have the players' names or numbers, where nothing else in the first
/// row is known; none where it is no such one.
pub(super) fn columns(grid: &Grid) -> Option<Columns> {
    (0..ABOVE.min(grid.rows.len())).find_map(|head| columns_at(grid, head))
}

fn columns_at(grid: &Grid, line: usize) -> Option<Columns> {
    let (head, rows) = grid.rows[line..].split_first()?;
    for at in 0..2 {
        let names: Vec<&str> = rows
            .iter()
            .map(|row| row.get(at))
            .take_while(|name| name.chars().any(char::is_alphabetic))
            .collect();
        let is_own = |row: usize| {
            let name = head.get(at + 1 + row);
            name.trim_end_matches('.').parse() == Ok(row + 1) || folded(name) == folded(names[row])
        };
        let count = names.iter().enumerate().take_while(|(row, _)| is_own(*row)).count();
        // A line below the table is no player's.
        let is_wide = |row: &usize| rows[*row].filled().nth(1).is_some();
        let is_whole = count >= 3 && (count..names.len()).filter(is_wide).count() < 2;
        if is_whole && (0..count).all(|row| is_itself(rows[row].get(at + 1 + row))) {
            let width = grid.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
            let mut all = head.cells.clone();
            all.resize(width, String::new());
            let mut roles = vec![None; width];
            roles[at] = Some(Role::Name);
            let kind = SheetKind::Roster;
            return Some(Columns {
                header: Some(line),
                names: all,
                roles,
                read: vec![std::cell::Cell::new(false); width],
                kind,
                first_wins: false,
                question: None,
            });
        }
    }
    None
}

/// Whether a cell of a player against themselves says so.
fn is_itself(cell: &str) -> bool {
    !cell.chars().any(|c| c.is_alphanumeric() && !matches!(c, 'x' | 'X'))
        && cell.chars().count() <= 5
}

/// Reads such a table.
pub(super) fn read(
    table: &Table,
    first: usize,
    mut oddities: Oddities,
) -> Result<Read, ImportError> {
    let Some((_, rows)) = found(table) else { return Err(Fault::Empty.into()) };
    let left = self::rows(table).filter(|row| rows.iter().all(|own| own.line != row.line));
    for row in left {
        let text = row.filled().next().map_or("", |(_, cell)| cell);
        let sentence = format!("{:?} is read as no player.", shortened(text));
        oddities.add(&table.grid.place(row), sentence);
    }
    let count = rows.len();
    let names = [Role::Name, Role::FirstName, Role::LastName];
    table.refuse_unknown(|at, role| {
        (first..first + count).contains(&at) || role.is_some_and(|role| names.contains(&role))
    })?;
    let mut players = players(table, &rows, first..first + count, &mut oddities)?;
    let mut cells = BTreeMap::new();
    for (one, row) in rows.iter().enumerate() {
        for other in (0..count).filter(|other| *other != one) {
            let text = row.get(first + other);
            let cell = match result::read(text) {
                Cell::Bad | Cell::Date => {
                    return Err(bad(table, row, first + other, "a result such as 2-1, 1, ½ or W"));
                }
                Cell::Dashes => Cell::Open,
                cell => cell,
            };
            cells.insert((one, other), cell);
        }
    }
    let texts = || rows.iter().flat_map(|row| (0..count).map(move |at| row.get(first + at)));
    if let Some(text) = texts().find(|text| result::has_aside(text)) {
        oddities.add("the results", result::aside_left_out(text));
    }
    settle_letters(table, &rows, first, &mut cells)?;
    let scores = || {
        cells.iter().filter_map(|(at, cell)| match cell {
            Cell::Games { games, .. } => Some((at, *games)),
            _ => None,
        })
    };
    let is_games = result::are_games(scores().map(|(_, games)| games));
    let high = scores().find(|(_, games)| result::is_high(games)).map(|((one, other), games)| {
        (place(table, rows[*one], first + other), [games[0], games[1]])
    });
    let halves = texts().any(result::has_half);
    let only_outcomes = !cells.values().any(|cell| matches!(cell, Cell::Games { .. }));
    let pairs = || (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
    let filled = pairs().filter(|(one, other)| {
        cells[&(*one, *other)] != Cell::Open && cells[&(*other, *one)] != Cell::Open
    });
    let denied: Vec<(usize, usize)> = filled
        .clone()
        .filter(|(one, other)| !mirrors(&cells[&(*one, *other)], &cells[&(*other, *one)]))
        .collect();
    // At home and away, each cell is a match of its own; before any pair has met twice, results stand on both sides.
    let alone = |one: usize, other: usize| {
        cells[&(one, other)] != Cell::Open && cells[&(other, one)] == Cell::Open
    };
    let both = filled.count();
    let is_on_both_sides = || {
        pairs().any(|(one, other)| alone(one, other))
            && pairs().any(|(one, other)| alone(other, one))
    };
    // Where nearly all pairs are one result from both sides, another one is a slip.
    let are_apart = denied.len() * 2 > both || denied.len() > 1 && denied.len() * 4 > both;
    let is_double = above::has_legs(&table.grid.rows[..table.columns.header.unwrap_or(0)])
        || !only_outcomes && (are_apart || both == 0 && is_on_both_sides());
    if let Some((one, other)) = denied.first().filter(|_| !is_double) {
        let expected = format!(
            "the result of {} the other way round; where each cell is a match of its own, a line \"home and \
             away\" above the table says so",
            place(table, rows[*one], first + other)
        );
        return Err(bad(table, rows[*other], first + one, &expected));
    }
    let schedule = schedule(count);
    let legs: &[bool] = if is_double { &[false, true] } else { &[false] };
    let mut rounds: Vec<SourceRound> = Vec::new();
    let mut open = 0;
    for away in legs {
        for pairs in &schedule {
            let mut round = empty(rounds.len() as u16 + 1);
            for (one, other) in pairs {
                let pair = if *away { (*other, *one) } else { (*one, *other) };
                let own = &cells[&pair];
                let back = &cells[&(pair.1, pair.0)];
                let (cell, turned, place) = match own {
                    Cell::Open if !is_double && *back != Cell::Open => {
                        (back, true, place(table, rows[pair.1], first + pair.0))
                    }
                    own => (own, false, place(table, rows[pair.0], first + pair.1)),
                };
                let result = recorded(cell, is_games, only_outcomes).unwrap_or_else(|| {
                    open += 1;
                    MatchResult::played(Default::default())
                });
                let players = if turned { [pair.1, pair.0] } else { [pair.0, pair.1] };
                round.tables.push(seated(players, result, false, place));
            }
            rounds.push(round);
        }
    }
    if is_double {
        oddities.add(
            "the results",
            "The two cells of a pair are read as two matches, at home and away.",
        );
    }
    oddities.add("the rounds", "The table does not say in which round a match was played: the rounds are those of a round robin in the order of the rows.");
    if open > 0 {
        let sentence = match open {
            1 => "1 match has no result.".to_owned(),
            open => format!("{open} matches have no result."),
        };
        oddities.add("the results", sentence);
    }
    players.tell_alike(&mut oddities);
    let rounds = (1..).zip(rounds).collect();
    Ok(Read { players, rounds, oddities, only_outcomes, is_games, high, halves })
}

/// Whether two cells are one result from both sides.
fn mirrors(one: &Cell, other: &Cell) -> bool {
    match (one, other) {
        (Cell::Games { games: [a, b, drawn], .. }, Cell::Games { games: [c, d, also], .. }) => {
            (a, b, drawn) == (d, c, also)
        }
        (Cell::Outcome { outcome, .. }, Cell::Outcome { outcome: back, .. }) => {
            *outcome == back.turned()
        }
        _ => false,
    }
}

fn recorded(cell: &Cell, is_games: bool, only_outcomes: bool) -> Option<MatchResult> {
    let how = |forfeit: bool| if forfeit { How::Forfeit } else { How::Played };
    match cell {
        Cell::Games { games, forfeit: true } => {
            let ruled = by_outcome(result::winner(*games), true);
            Some(MatchResult { how: How::Forfeit, score: sheet::games_score(*games), ..ruled })
        }
        Cell::Games { games, .. } if is_games => {
            Some(MatchResult::played(sheet::games_score(*games)))
        }
        Cell::Games { games: [one, other, _], .. } => {
            Some(MatchResult::played(sheet::score(&[vec![*one], vec![*other]], &[])))
        }
        Cell::Outcome { outcome, forfeit } => {
            let ruled = *forfeit || !only_outcomes;
            Some(MatchResult { how: how(*forfeit), ..by_outcome(*outcome, ruled) })
        }
        _ => None,
    }
}

fn settle_letters(
    table: &Table,
    rows: &[&Row],
    first: usize,
    cells: &mut BTreeMap<(usize, usize), Cell>,
) -> Result<(), ImportError> {
    let all: Vec<char> = cells
        .values()
        .filter_map(|cell| if let Cell::Letter(letter) = cell { Some(*letter) } else { None })
        .collect();
    let set = result::letters(&all, "");
    for ((one, other), cell) in cells.iter_mut() {
        let Cell::Letter(letter) = cell else { continue };
        let Some(at) = set.and_then(|set| set.iter().position(|own| own == letter)) else {
            return Err(bad(
                table,
                rows[*one],
                first + other,
                "letters of one language for won, drawn and lost, such as W, D and L",
            ));
        };
        let outcome = [Outcome::First, Outcome::Draw, Outcome::Second][at];
        *cell = Cell::Outcome { outcome, forfeit: false };
    }
    Ok(())
}

/// The rounds in which each meets each once: one stays, the others go round.
fn schedule(count: usize) -> Vec<Vec<(usize, usize)>> {
    let even = count + count % 2;
    let at = |place: usize, round: usize| match place {
        0 => even - 1,
        place => (place - 1 + round) % (even - 1),
    };
    let of = |round: usize| {
        let pairs = (0..even / 2).map(|place| {
            let (one, other) = (at(place, round), at(even - 1 - place, round));
            (one.min(other), one.max(other))
        });
        pairs.filter(|(_, other)| *other < count).collect()
    };
    (0..even - 1).map(of).collect()
}

fn bad(table: &Table, row: &Row, column: usize, expected: &str) -> ImportError {
    let (found, expected) = (shortened(row.get(column)), expected.to_owned());
    Fault::BadResult { found, expected }.at(place(table, row, column))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn everybody_meets_everybody_once_and_nobody_twice_in_a_round() {
        for count in 3..12 {
            let rounds = schedule(count);
            let all: BTreeSet<_> = rounds.iter().flatten().copied().collect();
            assert_eq!(all.len(), count * (count - 1) / 2, "{count}");
            for round in &rounds {
                let seats: BTreeSet<usize> = round.iter().flat_map(|(a, b)| [*a, *b]).collect();
                assert_eq!(seats.len(), round.len() * 2, "{count}: {round:?}");
            }
        }
    }
}

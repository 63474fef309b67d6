//! Sets in columns of their own.

use super::grid::{Grid, NoValue, Row, Unknown};
use super::names::{self, Role};
use super::sets::{MOST, points};
use scrutineer_engine::names::plain;
use std::collections::BTreeSet;

/// How many rows are looked at for the names of columns.
const ABOVE: usize = 10;

/// Makes results of sets that stand side by side, such as `Satz 1`, `Satz 2`, `Satz 3`, where there are two players and
/// no other result, and every cell below says who won a set. They stand in the first of these
/// columns; the others are empty then, so that every column keeps its number. A match of which no more than a set was
/// played is not over. The names of the columns may stand there again above each round. `chosen` are the columns that
/// somebody named, by number or name, with whether those are both players'. Says whether there are any.
pub(super) fn join(grid: &mut Grid, chosen: &Chosen) -> bool {
    let heads = grid.rows.iter().take(ABOVE).enumerate();
    let mut found = heads.filter_map(|(at, row)| Some((at, numbered(&row.cells)?)));
    let found = found.find(|(at, columns)| {
        let names = &grid.rows[*at].cells[columns.clone()];
        let rows = grid.rows[at + 1..].iter().filter(|row| !repeats(row, names, columns));
        let mut cells = rows
            .flat_map(|row| columns.clone().map(|column| row.get(column)))
            .filter(|cell| !cell.is_empty())
            .peekable();
        let says = |column: usize| {
            let name = grid.rows[*at].get(column);
            chosen.columns.contains(&(column + 1).to_string())
                || chosen.columns.contains(&plain(name))
        };
        are_matches(&grid.rows[*at].cells, chosen.has_both)
            && !columns.clone().any(says)
            && cells.peek().is_some()
            && cells.all(|cell| first_won(cell).is_some())
    });
    let Some((head, columns)) = found else { return false };
    let last = columns.end - 1;
    let decider = Some(last).filter(|at| names::is_last_set(grid.rows[head].get(*at)));
    let of = |row: &Row| {
        let mut sets = [0, 0];
        for at in columns.clone() {
            // The points of a tie-break within a set decide none.
            let counts = Some(at) != decider || sets[0] == sets[1];
            if let Some(first) = first_won(row.get(at)).filter(|_| counts) {
                sets[usize::from(!first)] += 1;
            }
        }
        sets
    };
    let most = grid.rows[head + 1..].iter().flat_map(of).max().unwrap_or(0);
    let begins = grid.rows[head].line;
    let names = grid.rows[head].cells[columns.clone()].to_vec();
    for row in grid.rows.iter_mut().skip(head) {
        let is_head = repeats(row, &names, &columns);
        let [won, lost] = of(row);
        let is_over = won + lost > 1 || most < 2;
        let end = columns.end.min(row.cells.len());
        row.cells[columns.start.min(end)..end].iter_mut().for_each(String::clear);
        if let Some(cell) = row.cells.get_mut(columns.start) {
            match is_head {
                true => "Result".clone_into(cell),
                false if won + lost > 0 && is_over => *cell = format!("{won}-{lost}"),
                false => {}
            }
        }
    }
    let moved = |((line, at), why): (&(u64, usize), &NoValue)| {
        let is_set = columns.contains(at) && *line > begins;
        ((*line, if is_set { columns.start } else { *at }), why.clone())
    };
    grid.unknown = grid.unknown.iter().map(moved).collect::<Unknown>().into();
    true
}

/// Whether the first player won a set, by its points (`11:9`) or by a word for who won it (`W`, `P1`).
fn first_won(cell: &str) -> Option<bool> {
    match plain(cell).as_str() {
        "w" | "win" | "won" | "p1" => Some(true),
        "l" | "loss" | "lost" | "p2" => Some(false),
        _ => points(cell).filter(|[one, other]| one != other).map(|[one, other]| one > other),
    }
}

/// What somebody chose of the columns.
#[derive(Default)]
pub(super) struct Chosen {
    /// Their numbers or names, but of those that are left out.
    columns: BTreeSet<String>,
    /// Whether both players' are among them.
    has_both: bool,
}

impl Chosen {
    /// Takes a choice such as `player_a=2,player_b=Gegner` apart.
    pub fn of(asked: &str) -> Chosen {
        let parts = || {
            let two = |part: &'_ str| -> Option<(String, String)> {
                let (word, column) = part.split_once('=')?;
                Some((super::columns::word(word), plain(column.trim())))
            };
            asked.split(',').filter_map(two)
        };
        let has = |word: &str| parts().any(|(one, _)| one == word);
        Chosen {
            columns: parts().filter(|(word, _)| word != "ignore").map(|(_, at)| at).collect(),
            has_both: has("pairing") || has("player_a") && has("player_b"),
        }
    }
}

/// Whether a row has the names of these columns again.
fn repeats(row: &Row, names: &[String], columns: &std::ops::Range<usize>) -> bool {
    columns.clone().zip(names).all(|(at, name)| row.get(at) == name)
}

/// Whether columns are of matches of which none says the result. A player and a team in a row are of a list.
fn are_matches(heads: &[String], has_both: bool) -> bool {
    use Role::*;
    let roles: Vec<Role> = heads.iter().filter_map(|head| names::role(head)).collect();
    let is_player =
        |role: &&Role| matches!(role, Name | PlayerA | PlayerB | FirstA | LastA | FirstB | LastB);
    let is_result = |role: &Role| {
        matches!(role, Result | Score | Games | GamesA | GamesB | Points | PointsA | PointsB)
    };
    let of_names = heads.iter().filter(|head| names::role(head) == Some(Name));
    let whose: BTreeSet<_> = of_names.map(|head| names::whose(head)).collect();
    (has_both || roles.contains(&Pairing) || roles.iter().filter(is_player).count() > 1)
        && (has_both || whose.len() < 2)
        && !roles.iter().any(is_result)
}

/// The columns that are called after sets and counted from 1, side by side.
fn numbered(cells: &[String]) -> Option<std::ops::Range<usize>> {
    let start = cells.iter().position(|cell| names::set(cell) == Some(1))?;
    let is_next = |(number, cell): &(u16, &String)| names::set(cell) == Some(*number);
    let count = (1..).zip(&cells[start..]).take_while(is_next).count();
    let is_last = |cell: &String| names::is_last_set(cell);
    let count = count + usize::from(cells.get(start + count).is_some_and(is_last));
    (2..=MOST).contains(&count).then_some(start..start + count)
}

//! Cross tables: a row for each player, a column for each round, and in each cell against whom and how it
//! ended: `12w1`, `5b½`, `+7`, `7-`, `W12`, `3S`.

mod cell;

use std::collections::{BTreeMap, BTreeSet};

use super::above::heading;
use super::columns;
use super::grid::{Grid, Row};
use super::matches::Read;
use super::names::{self, Role};
use super::result::{self, Cell as Ended, Outcome};
use super::table::Table;
use crate::build::{Oddities, Players};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, ImportError, limits};
use cell::{Cell, Colors, End, both, marks, read_cell};
use scrutineer_engine::event::{MatchResult, RoundWeight, Ruling};
use scrutineer_engine::names::folded;

/// Whether the columns of rounds hold whom each player met.
pub(super) fn is_one(table: &Table) -> bool {
    let rounds = rounds(table);
    let cells = || rows(table).flat_map(|row| rounds.iter().map(|(at, _)| row.get(*at)));
    let marks = marks(cells());
    let met = cells().filter(|cell| matches!(read_cell(cell, marks), Cell::Met { .. })).count();
    let bad = cells().filter(|cell| read_cell(cell, marks) == Cell::Bad).count();
    !rounds.is_empty() && met > 1 && met > bad * 2
}

/// How many rows may stand above the columns.
const ABOVE: usize = 40;

/// Of a table with a row for each player and in its rounds an opponent by name with a score, in one cell or in two: the
/// same without its rounds, and a row for each player's match.
pub(super) fn by_names(grid: &Grid) -> Option<Vec<Grid>> {
    side_by_side(grid).or_else(|| in_one_cell(grid))
}

/// Where most cells of the rounds are such as `Bob 2-1`.
fn in_one_cell(grid: &Grid) -> Option<Vec<Grid>> {
    let columns = columns::find(grid, None).ok().flatten().filter(|one| one.header.is_some())?;
    let table = Table { grid, columns, round: None };
    let rounds = rounds(&table);
    let name = |row: &Row| super::listed::name(&table.columns, row);
    let players: BTreeSet<String> = rows(&table).map(|row| folded(&name(row))).collect();
    let mut matches = Vec::new();
    let (mut met, mut others) = (0, 0);
    for row in rows(&table) {
        for (at, number) in &rounds {
            let is_score = |word: &&str| {
                word.contains(char::is_numeric) || matches!(*word, "-" | ":" | "\u{2013}")
            };
            let words = row.get(*at).split_whitespace();
            let (score, opponent): (Vec<&str>, Vec<&str>) = words.partition(is_score);
            let (score, mut opponent) = (score.concat(), opponent.join(" "));
            if opponent.is_empty() {
                others += usize::from(score.len() > 1);
                continue;
            }
            // A word behind the name says how it ended: `Klaus S`.
            let mut word = String::new();
            if score.is_empty()
                && !players.contains(&folded(&opponent))
                && let Some((name, last)) = opponent.rsplit_once(' ')
                && players.contains(&folded(name))
                && matches!(result::read(last), Ended::Outcome { .. } | Ended::Letter(_))
            {
                (word, opponent) = (last.to_owned(), name.to_owned());
            }
            if players.contains(&folded(&opponent)) {
                met += usize::from(!score.is_empty() || !word.is_empty());
            } else if names::is_nobody(&opponent) {
                opponent = nobody(opponent);
            } else {
                others += 1;
            }
            let score = format!("{}{word}", score.trim_matches(['(', ')', '[', ']']));
            let cells = vec![number.to_string(), name(row), score, opponent];
            matches.push(Row { line: row.line, cells });
        }
    }
    if met < 2 || met <= others * 2 {
        return None;
    }
    let columns: BTreeSet<usize> = rounds.into_iter().map(|(at, _)| at).collect();
    Some(apart(grid, table.columns.header.unwrap_or(0), &columns, matches))
}

/// Where each round has a column of the opponent and one of the result, such as `Opponent 1` and `Result 1`: a round
/// without the latter is to be played.
fn side_by_side(grid: &Grid) -> Option<Vec<Grid>> {
    let find = |(line, row): (usize, &Row)| Some((line, rounds_of_two(row)?));
    let (head, rounds) = grid.rows.iter().enumerate().take(ABOVE).find_map(find)?;
    let top = &grid.rows[head];
    let at = |role: Role| top.cells.iter().position(|name| names::role(name) == Some(role));
    let parts = [Role::FirstName, Role::Name, Role::LastName].map(at);
    let name = |row: &Row| {
        let parts = parts.iter().flatten().map(|at| row.get(*at));
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let is_player = |row: &&Row| {
        let first = row.filled().next().map_or("", |(_, cell)| cell);
        row.cells != top.cells && !names::is_total(first) && !name(row).is_empty()
    };
    let rows: Vec<&Row> = grid.rows.iter().skip(head + 1).filter(is_player).collect();
    let players: BTreeSet<String> = rows.iter().map(|row| folded(&name(row))).collect();
    // A number instead of a name is that of a column, or the row's own place.
    let column = at(Role::Number);
    let numbered = rows.iter().zip(1u32..).map(|(row, place)| {
        let own = column.map_or("", |at| row.get(at).trim_end_matches('.'));
        (if own.is_empty() { place.to_string() } else { own.to_owned() }, name(row))
    });
    let by_number: BTreeMap<String, String> = numbered.collect();
    let says = |text: &str| text.contains(|c: char| c.is_alphanumeric() || matches!(c, '+' | '='));
    let mut matches = Vec::new();
    let mut met = 0;
    for row in rows {
        for (round, columns) in &rounds {
            let Some(at) = columns[0] else { continue };
            let (cell, score) = (row.get(at), columns[1].map_or("", |at| row.get(at)));
            let is_mark = !cell.contains(|c: char| c.is_alphanumeric() && c != '0');
            // Without an opponent and a result they were away.
            if is_mark && !says(score) {
                continue;
            }
            let number = cell.trim_start_matches('#').trim_end_matches('.');
            let opponent = match by_number.get(number) {
                _ if is_mark => nobody(String::new()),
                Some(other) if !players.contains(&folded(cell)) => other.clone(),
                _ if names::is_nobody(cell) => nobody(cell.to_owned()),
                _ => cell.to_owned(),
            };
            met += usize::from(!names::is_nobody(&opponent));
            let cells = vec![round.to_string(), name(row), score.to_owned(), opponent];
            matches.push(Row { line: row.line, cells });
        }
    }
    let columns: BTreeSet<usize> = rounds.into_values().flatten().flatten().collect();
    (met > 0).then(|| apart(grid, head, &columns, matches))
}

/// Makes one of columns' names in two lines of which the upper one names the rounds: `Opponent 1` of `Round 1`, which
/// stands once above all columns of it, and `Opponent`.
pub(super) fn join_heads(grid: &mut Grid) {
    let joined = |two: &[Row]| {
        let [over, head] = two else { return None };
        let (mut cells, mut round, mut found) = (head.cells.clone(), None, BTreeSet::new());
        cells.resize(cells.len().max(over.cells.len()), String::new());
        for (at, cell) in cells.iter_mut().enumerate() {
            match over.get(at) {
                "" => {}
                above if heading(above).is_some() => round = heading(above),
                above if cell.is_empty() => {
                    above.clone_into(cell);
                    round = None;
                }
                _ => return None,
            }
            let Some(number) = round else { continue };
            let name = format!("{cell} {number}");
            match names::of_round(&name) {
                Some((round, _)) => {
                    *cell = name;
                    found.insert(round);
                }
                // Another column of the round, such as the color.
                None if over.get(at).is_empty() => {}
                None => return None,
            }
        }
        // One round alone is that of the table below its name.
        (found.len() > 1 && head.line == over.line + 1).then_some(cells)
    };
    let found = grid.rows.windows(2).take(ABOVE).enumerate();
    let found = found.filter_map(|(at, two)| Some((at, joined(two)?))).next();
    if let Some((at, cells)) = found {
        grid.rows[at + 1].cells = cells;
        grid.rows.remove(at);
    }
}

/// The columns of rounds that have two each, by the round: of the opponent and of the result. None where no round has
/// both, or one has two of a kind.
fn rounds_of_two(row: &Row) -> Option<BTreeMap<u16, [Option<usize>; 2]>> {
    let mut rounds: BTreeMap<u16, [Option<usize>; 2]> = BTreeMap::new();
    for (at, name) in row.filled() {
        let Some((round, is_result)) = names::of_round(name) else { continue };
        if !(1..=limits::ROUNDS as u16).contains(&round) {
            return None;
        }
        let own = &mut rounds.entry(round).or_default()[usize::from(is_result)];
        if own.replace(at).is_some() {
            return None;
        }
    }
    // A result without an opponent is told as not read.
    rounds.retain(|_, columns| columns[0].is_some());
    rounds.values().any(|columns| columns[1].is_some()).then_some(rounds)
}

/// The word for no opponent that a row of a match has: its own where that says what kind of bye it is.
fn nobody(word: String) -> String {
    let kinds = [names::is_half_bye, names::is_zero_bye, names::is_unpaired];
    if kinds.iter().any(|is| is(&word)) { word } else { "Bye".to_owned() }
}

/// A table without the columns of its rounds, and the matches that stood in them.
fn apart(grid: &Grid, head: usize, columns: &BTreeSet<usize>, matches: Vec<Row>) -> Vec<Grid> {
    let without = |(line, row): (usize, &Row)| {
        let cells = row.cells.iter().enumerate().map(|(at, cell)| {
            match line >= head && columns.contains(&at) {
                true => String::new(),
                false => cell.clone(),
            }
        });
        Row { line: row.line, cells: cells.collect() }
    };
    let line = grid.rows.first().map_or(1, |row| row.line);
    // A workbook with our own names of columns is read as strictly as our own CSV.
    let names = ["Round", "Player 1", "Result", "Player 2"].map(str::to_owned).to_vec();
    let rows = std::iter::once(Row { line, cells: names }).chain(matches).collect();
    let of = |rows| Grid { rows, ..grid.without_rows() };
    vec![of(grid.rows.iter().enumerate().map(without).collect()), of(rows)]
}

/// The columns of rounds with their numbers.
fn rounds(table: &Table) -> Vec<(usize, u16)> {
    let columns = table.columns.roles.iter().enumerate();
    let of = columns.filter(|(_, role)| **role == Some(Role::OfRound));
    let number = |(at, _): (usize, _)| {
        let name = &table.columns.names[at];
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        Some((
            at,
            digits
                .parse::<u16>()
                .ok()
                .filter(|round| (1..=limits::ROUNDS as u16).contains(round))?,
        ))
    };
    of.filter_map(number).collect()
}

/// The rows of players.
pub(super) fn rows<'t>(table: &'t Table) -> impl Iterator<Item = &'t Row> {
    let is_player = |row: &&Row| {
        let first = row.filled().next().map_or("", |(_, cell)| cell);
        !table.columns.is_header(row)
            && !names::is_total(first)
            && !super::listed::name(&table.columns, row).is_empty()
    };
    table.body().filter(is_player)
}

/// A cell of a player's row.
struct Said<'t> {
    row: &'t Row,
    column: usize,
    cell: Cell,
}

/// Reads a cross table by rounds.
pub(super) fn read(table: &Table, mut oddities: Oddities) -> Result<Read, ImportError> {
    let names = [Role::Name, Role::FirstName, Role::LastName, Role::OfRound];
    table.refuse_unknown(|_, role| role.is_some_and(|role| names.contains(&role)))?;
    let rounds = rounds(table);
    let rows: Vec<&Row> = rows(table).collect();
    let mut players = players(table, &rows, rounds.iter().map(|(at, _)| *at), &mut oddities)?;
    let mut said: Vec<Vec<Said>> = Vec::new();
    let cells = rows.iter().flat_map(|row| rounds.iter().map(|(at, _)| row.get(*at)));
    let marks = marks(cells);
    for row in &rows {
        let cell = |(at, _): &(usize, u16)| Said {
            row,
            column: *at,
            cell: read_cell(row.get(*at), marks),
        };
        let cells: Vec<Said> = rounds.iter().map(cell).collect();
        if let Some(one) = cells.iter().find(|one| one.cell == Cell::Bad) {
            return Err(bad(
                table,
                one,
                "an opponent's number and a result, such as 12w1, +12 or 12+, or - for nobody",
            ));
        }
        said.push(cells);
    }
    let is_half = |one: &Said| {
        let has_color = matches!(one.cell, Cell::Met { is_white: Some(_), .. });
        has_color || result::has_half(one.row.get(one.column))
    };
    let halves = said.iter().flatten().any(is_half);
    settle_letters(table, &mut said, marks.colors)?;
    if marks.colors == Colors::OnlyBlack {
        oddities.add("the results", "There is no color but b, which is read as black.");
    }
    let by_number = numbers(table, &rows, &said)?;
    let mut all: BTreeMap<u16, SourceRound> = BTreeMap::new();
    for (at, (_, number)) in rounds.iter().enumerate() {
        let is_played = said.iter().any(|cells| cells[at].cell != Cell::Away);
        if !is_played {
            continue;
        }
        let mut round = empty(*number);
        for (player, cells) in said.iter().enumerate() {
            let (one, place) = (&cells[at], place(table, cells[at].row, cells[at].column));
            match &one.cell {
                Cell::Bye(kind) => {
                    round.byes.push(SourceBye { player, kind: *kind, reported: None, place })
                }
                Cell::Met { opponent, is_white, end } => {
                    let other = by_number[opponent];
                    let back = &said[other][at];
                    let Cell::Met { is_white: theirs, end: others, .. } = &back.cell else {
                        return Err(bad(
                            table,
                            back,
                            &format!("player {opponent}, as in the opponent's row"),
                        ));
                    };
                    if player > other {
                        continue;
                    }
                    let is_chess = is_white.is_some() && theirs.is_some();
                    let result = both(*end, *others, is_chess).ok_or_else(|| {
                        bad(table, back, "the opponent's result the other way round")
                    })?;
                    let is_ruled = |ruling| result.rulings.contains(&Some(ruling));
                    if is_ruled(Ruling::Draw) && is_ruled(Ruling::Loss) {
                        oddities.add(&place, result::HALF);
                    }
                    let turned = *is_white == Some(false) || *theirs == Some(true);
                    round.tables.push(seated([player, other], result, turned, place));
                }
                Cell::Away | Cell::Bad => {}
            }
        }
        if all.insert(*number, round).is_some() {
            let what = "a column's name".to_owned();
            let (found, expected) = (number.to_string(), "each round once".to_owned());
            return Err(Fault::BadValue { what, found, expected }.at(table.place()));
        }
    }
    players.tell_alike(&mut oddities);
    let rounds = all;
    Ok(Read { players, rounds, oddities, only_outcomes: true, is_games: true, high: None, halves })
}

/// The players of the rows, with what is said of each; the columns of rounds or of players are read
/// beside that.
pub(super) fn players(
    table: &Table,
    rows: &[&Row],
    of_rounds_or_players: impl Iterator<Item = usize>,
    oddities: &mut Oddities,
) -> Result<Players, ImportError> {
    let mut players = Players::typed();
    for row in rows {
        super::listed::add(&mut players, table.grid, &table.columns, row, oddities)?;
    }
    of_rounds_or_players.for_each(|at| table.columns.read[at].set(true));
    Ok(players)
}

pub(super) fn empty(number: u16) -> SourceRound {
    let (tables, byes) = (Vec::new(), Vec::new());
    SourceRound { name: format!("Round {number}"), weight: RoundWeight::ONE, tables, byes }
}

/// A match with its seats, white's first where that is known.
pub(super) fn seated(
    [first, second]: [usize; 2],
    mut result: MatchResult,
    turned: bool,
    place: String,
) -> SourceTable {
    let seats = if turned { [second, first] } else { [first, second] };
    if turned {
        result.score.seats.reverse();
        result.rulings.reverse();
    }
    let seats = seats.map(|player| SourceSeat { player, role: 0 }).to_vec();
    SourceTable { table: None, seats, result, place }
}

/// What the letters of a table mean: results, or colors of matches that are not over.
fn settle_letters(
    table: &Table,
    said: &mut [Vec<Said>],
    colors_of: Colors,
) -> Result<(), ImportError> {
    let letters: Vec<char> = said
        .iter()
        .flatten()
        .filter_map(|one| match one.cell {
            Cell::Met { end: End::Letter(letter), .. } => Some(letter),
            _ => None,
        })
        .collect();
    if letters.is_empty() {
        return Ok(());
    }
    let is_one_of = |set: &[char]| letters.iter().all(|letter| set.contains(letter));
    // Nobody wins where nobody loses: the letters are colors.
    let colors = [['w', 'b'], ['w', 's'], ['b', 'n']].iter().any(|set| is_one_of(set))
        || letters.contains(&'b') && is_one_of(&['b', 'n', 'p']);
    let set = result::letters(&letters, "").filter(|_| !colors);
    for cells in said.iter_mut() {
        for one in cells.iter_mut() {
            let Cell::Met { is_white, end, .. } = &mut one.cell else { continue };
            let End::Letter(letter) = *end else { continue };
            let at = set.and_then(|set| set.iter().position(|own| *own == letter));
            match at {
                Some(at) => {
                    let outcome = [Outcome::First, Outcome::Draw, Outcome::Second][at];
                    *end = End::Known { outcome, forfeit: false };
                }
                None if colors => (*is_white, *end) = (colors_of.of(letter), End::Open),
                None => {
                    return Err(bad(
                        table,
                        one,
                        "letters of one language for won, drawn and lost, such as W, D and L",
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Which row a number in the cells means: the number of a column, the rank, or the row's own place. It is the
/// one by which each cell is answered by the opponent's.
fn numbers(
    table: &Table,
    rows: &[&Row],
    said: &[Vec<Said>],
) -> Result<BTreeMap<u32, usize>, ImportError> {
    let of = |role| -> Option<BTreeMap<u32, usize>> {
        let number = |row: &&Row| table.columns.get(row, role).trim_end_matches('.').parse().ok();
        let all: Option<Vec<u32>> = rows.iter().map(number).collect();
        let map: BTreeMap<u32, usize> = all?.into_iter().zip(0..).collect();
        (map.len() == rows.len()).then_some(map)
    };
    let by_row: BTreeMap<u32, usize> = (1..).zip(0..rows.len()).collect();
    let all = [of(Role::Number), of(Role::Rank), Some(by_row)];
    let mut wrong: Option<(usize, &Said)> = None;
    for map in all.into_iter().flatten() {
        let back: BTreeMap<usize, u32> = map.iter().map(|(number, row)| (*row, *number)).collect();
        let is_wrong = |row: usize, at: usize, cell: &Cell| match cell {
            Cell::Met { opponent, .. } => match map.get(opponent) {
                Some(other) => {
                    !matches!(&said[*other][at].cell, Cell::Met { opponent, .. } if *opponent == back[&row])
                }
                None => true,
            },
            _ => false,
        };
        let found = said
            .iter()
            .enumerate()
            .flat_map(|(row, cells)| cells.iter().enumerate().map(move |(at, one)| (row, at, one)));
        let all: Vec<&Said> = found
            .filter(|(row, at, one)| is_wrong(*row, *at, &one.cell))
            .map(|(_, _, one)| one)
            .collect();
        let Some(first) = all.first() else { return Ok(map) };
        let count = all.len();
        if wrong.is_none_or(|(fewest, _)| count < fewest) {
            wrong = Some((count, first));
        }
    }
    let expected = "an opponent in whose row the same round names this player";
    Err(match wrong {
        Some((_, one)) => bad(table, one, expected),
        None => Fault::Empty.into(),
    })
}

/// Where a cell stands.
pub(super) fn place(table: &Table, row: &Row, column: usize) -> String {
    format!("{}, {}", table.grid.place(row), table.columns.label(column))
}

fn bad(table: &Table, one: &Said, expected: &str) -> ImportError {
    let (found, expected) = (shortened(one.row.get(one.column)), expected.to_owned());
    Fault::BadResult { found, expected }.at(place(table, one.row, one.column))
}

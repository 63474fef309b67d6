//! A sheet of matches: who met whom, in which round, and how it ended.

mod places;
mod scores;

pub(super) use scores::by_outcome;

use std::collections::{BTreeMap, BTreeSet};

use super::above;
use super::columns::Columns;
use super::days;
use super::grid::{Grid, Row};
use super::names::{self, Role, is_nobody};
use super::oneline::{self, Played};
use super::result::{self, Cell, Outcome};
use super::table::Table;
use crate::build::{Oddities, Players};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::event::{ByeKind, MatchResult, RoundWeight, Ruling};
use scrutineer_engine::names::folded;

/// Rounds as sheets have them.
pub(super) struct Read {
    pub players: Players,
    pub rounds: BTreeMap<u16, SourceRound>,
    pub oddities: Oddities,
    /// Whether a result says no more than who won.
    pub only_outcomes: bool,
    /// Whether scores are games; otherwise they are a wargame's points.
    pub is_games: bool,
    /// The first score that is higher than games mostly are, and where it stands.
    pub high: Option<(String, [i32; 2])>,
    /// Whether results are points in halves and wholes, as chess has them.
    pub halves: bool,
}

/// What is read so far.
struct Matches<'a> {
    columns: &'a Columns,
    players: Players,
    rounds: BTreeMap<u16, SourceRound>,
    oddities: Oddities,
    only_outcomes: bool,
    is_games: bool,
    high: Option<(String, [i32; 2])>,
    letters: Option<[char; 3]>,
    halves: bool,
    /// Whether it is told that brackets behind scores are not read.
    told_aside: bool,
    /// Whether a result of two marks is one that is not there yet, by round.
    dashes_open: BTreeMap<u16, bool>,
    /// The match of two players in a round: the day that the row says, and which of the round's tables.
    seen: BTreeMap<(u16, usize, usize), (String, usize)>,
    /// Who is meant where a column of opponents has numbers.
    by_number: BTreeMap<u16, String>,
    mirrored: usize,
    /// Whether players have their standing behind their names: `Ann (1-0)`.
    has_standings: bool,
    /// Whether results are 1, x and 2.
    are_signs: bool,
    /// Whether the table says in which round its matches are.
    says_round: bool,
    /// Whether scores beside a column of winners stand from the side of who won.
    is_from_winner: bool,
    /// Whether 0 in a column of winners is the second player.
    zero_is_second: bool,
    /// The column of scores where that of results says no more than that matches are over.
    scores_at: Option<usize>,
    /// Whether it is told that words for overtime behind scores are not read.
    told_overtime: bool,
}

/// Columns that say who met whom, when, and how it ended.
const SAYS_MATCHES: [Role; 14] = [
    Role::Round,
    Role::Pairing,
    Role::PlayerA,
    Role::PlayerB,
    Role::FirstA,
    Role::FirstB,
    Role::LastA,
    Role::LastB,
    Role::Result,
    Role::GamesA,
    Role::GamesB,
    Role::PointsA,
    Role::PointsB,
    Role::Winner,
];

/// Whether a name is a number or a date.
fn is_number(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_digit() || ".,:/- ".contains(c))
}

/// Whether a round is counted from -1 down, as the losers' are in a bracket.
fn is_of_losers(cell: &str) -> bool {
    let digits = cell.trim().strip_prefix(['-', '\u{2212}']);
    digits.is_some_and(|digits| digits.parse::<u16>().is_ok())
}

/// Whether nobody has won a game, nor drawn one.
fn is_nothing(cell: &Cell) -> bool {
    matches!(cell, Cell::Games { games: [0, 0, 0], .. })
}

/// A letter that says a result, the column where it stands, and that by which the result is known.
type Letter = (char, [Role; 2]);

/// A row with its round and its result.
struct Met<'r> {
    row: &'r Row,
    /// Both players.
    names: (String, String),
    round: u16,
    result: Cell,
    /// Whether a letter says it too.
    letter: Option<Letter>,
}

/// Reads the rows below the columns' names of every table.
pub(super) fn read<'a>(tables: &'a [Table<'a>], oddities: Oddities) -> Result<Read, ImportError> {
    let Some(first) = tables.first() else { return Err(Fault::Empty.into()) };
    let mut matches = Matches {
        columns: &first.columns,
        players: Players::typed(),
        rounds: BTreeMap::new(),
        oddities,
        only_outcomes: false,
        is_games: true,
        high: None,
        letters: None,
        halves: false,
        told_aside: false,
        dashes_open: BTreeMap::new(),
        seen: BTreeMap::new(),
        by_number: BTreeMap::new(),
        mirrored: 0,
        has_standings: false,
        are_signs: false,
        says_round: false,
        is_from_winner: false,
        zero_is_second: false,
        scores_at: None,
        told_overtime: false,
    };
    let mut met = Vec::new();
    for table in tables {
        table.refuse_unknown(|_, role| role.is_some_and(|role| SAYS_MATCHES.contains(&role)))?;
        matches.columns = &table.columns;
        matches.has_standings = matches.are_with_standings(table);
        matches.are_signs = Matches::are_signs(table);
        let sheet = table.grid.sheet.as_deref().filter(|_| tables.len() > 1);
        if let Some(sheet) = sheet.filter(|sheet| names::is_group(sheet)) {
            matches.put_together(sheet, &table.place());
        }
        for one in matches.rows(table.grid, table.round)? {
            met.push((table, one));
        }
    }
    matches.tell_sheets(&met);
    matches.refuse_evenings(&met)?;
    matches.times_are_no_results(&mut met);
    matches.dashes_are_draws(&mut met);
    // Of points that add up to one for each match only who won is known, as in chess.
    let adds_up = |cell: &Cell| match cell {
        Cell::Games { games: [one, other, 0], .. } => *one >= 0 && *other >= 0 && one + other == 1,
        cell => !matches!(cell, Cell::Games { .. }),
    };
    let has_numbers = met.iter().any(|(_, one)| matches!(one.result, Cell::Games { .. }));
    let of_points = has_numbers
        && tables.iter().any(|table| table.columns.has(Role::PointsA))
        && met.iter().all(|(_, one)| adds_up(&one.result));
    for (_, one) in met.iter_mut().filter(|_| of_points) {
        if let Cell::Games { games, forfeit } = one.result {
            one.result = Cell::Outcome { outcome: result::winner(games), forfeit };
        }
    }
    matches.judge(&met)?;
    let is_one = |cell: &Cell| {
        !scores::games_of(cell).is_some_and(|games| games.iter().any(|games| *games > 1))
    };
    matches.halves = of_points && matches.only_outcomes
        || met.iter().all(|(_, one)| is_one(&one.result))
            && met.iter().any(|(table, one)| {
                let cells = [Role::Result, Role::GamesA, Role::PointsA, Role::Pairing];
                cells.iter().any(|role| result::has_half(table.columns.get(one.row, *role)))
            });
    let mut of: Option<&Table<'_>> = None;
    for (table, one) in met {
        matches.columns = &table.columns;
        if !of.is_some_and(|before| std::ptr::eq(before, table)) {
            (of, matches.says_round) = (Some(table), table.has_round());
        }
        matches.add(table.grid, one)?;
    }
    if matches.mirrored > 0 {
        let sentence = format!(
            "{} matches stand there twice, such as once for each player, and are one each.",
            matches.mirrored
        );
        matches.oddities.add("the rows", sentence);
    }
    let Matches { players, rounds, oddities, only_outcomes, is_games, high, halves, .. } = matches;
    Ok(Read { players, rounds, oddities, only_outcomes, is_games, high, halves })
}

impl<'a> Matches<'a> {
    fn rows<'r>(
        &mut self,
        grid: &'r Grid,
        above: Option<u16>,
    ) -> Result<Vec<Met<'r>>, ImportError> {
        let mut current = above;
        let mut met = Vec::new();
        self.by_number = self.numbered_players(grid)?;
        if !self.by_number.is_empty() {
            let at =
                self.columns.at(Role::Number).map_or(String::new(), |at| self.columns.label(at));
            self.oddities
                .add("the columns", format!("Opponents are found by their numbers in {at}."));
        }
        if self.has_standings {
            self.oddities.add(
                "the columns",
                "What players had so far stands behind their names, and is not read.",
            );
        }
        let seeded =
            grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1)).find_map(|row| {
                let (first, second) = self.written_names(row);
                [first, second].into_iter().find(|name| names::without_seed(name).is_some())
            });
        if let Some(seeded) = seeded {
            let sentence = format!(
                "A number in brackets beside a name, as in {:?}, is not read.",
                shortened(&seeded)
            );
            self.oddities.add("the columns", sentence);
        }
        self.tell_scores(grid);
        let (headings, byes) = self.alone(grid);
        let mut without_match = None;
        let numbered = self.numbered(grid);
        let has_round_of = self.has_round_of(grid);
        for row in grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1)) {
            if self.columns.is_header(row) {
                continue;
            }
            let cells: Vec<(usize, &str)> = row.filled().collect();
            if let [(at, cell)] = cells[..] {
                if let Some(round) = above::heading(cell) {
                    current = Some(round);
                    continue;
                }
                if names::is_group(cell) {
                    self.put_together(cell, &grid.place(row));
                    continue;
                }
                let is_player = Some(at) == self.columns.at(Role::PlayerA)
                    || Some(at) == self.columns.at(Role::Pairing);
                if !is_player
                    || headings.contains(&row.line)
                    || cell.contains(':')
                    || names::is_total(cell)
                    || cell.split(' ').count() > 5
                {
                    let sentence = format!("{:?} is read as no match.", shortened(cell));
                    self.oddities.add(&grid.place(row), sentence);
                    continue;
                }
                if byes.contains(&row.line) {
                    let sentence = format!(
                        "{:?} stands alone in a row, and is read as a player with a bye.",
                        shortened(cell)
                    );
                    self.oddities.add(&grid.place(row), sentence);
                }
            }
            let says_match = |role: &Role| {
                *role != Role::Round
                    && self.columns.at(*role).is_some_and(|at| !row.get(at).is_empty())
            };
            // Another table stands beside this one, and is longer.
            if !SAYS_MATCHES.iter().any(says_match) && cells.len() > 1 {
                without_match.get_or_insert_with(|| grid.place(row));
                continue;
            }
            let (first, second) = self.names(row);
            let start = cells.first().map_or("", |(_, cell)| *cell);
            let has_score = self.has_score(row);
            let is_sum = names::is_total(start)
                && (second.is_empty()
                    || second.starts_with(|c: char| c.is_ascii_digit())
                        && (!has_score || names::is_only_total(start)));
            // Behind matches that all have their round, what has none, no opponent and no result is no player's bye.
            let is_note = second.is_empty()
                && !has_score
                && current.is_some()
                && self.columns.get(row, Role::Round).is_empty()
                && numbered.as_ref().is_some_and(|players| !players.contains(&folded(&first)));
            // A line below the table, such as `Date, 3 May`, has no round and no second player.
            let no_round = self.columns.get(row, Role::Round);
            let is_line = second.is_empty()
                && !has_score
                && !is_nobody(no_round)
                && !no_round.contains(|c: char| c.is_ascii_digit())
                && names::round_of_column(no_round).is_none()
                && places::round(no_round).is_none();
            if is_sum || is_note || is_line {
                let sentence = format!("{:?} is read as no match.", shortened(start));
                self.oddities.add(&grid.place(row), sentence);
                continue;
            }
            let cell = self.columns.get(row, Role::Round);
            let round = match cell.is_empty() {
                true => current,
                false => Some(
                    names::round_of(cell)
                        .filter(|_| has_round_of)
                        .or_else(|| names::round_of_column(cell))
                        .or_else(|| places::round(cell))
                        .filter(|_| !is_of_losers(cell))
                        .ok_or_else(|| {
                            let expected = match is_of_losers(cell) {
                                true => {
                                    "a round's number, such as 3: rounds of the losers are numbered among the others, \
                                     in the order in which they were played"
                                }
                                false => "a round's number, such as 3",
                            };
                            self.bad(grid, row, Role::Round, cell, expected)
                        })?,
                ),
            };
            if cell.is_empty() && self.columns.has(Role::Round) && current.is_none() {
                return Err(Fault::Missing { what: "the round".into() }.at(grid.place(row)));
            }
            // A merged cell stands in the first of its rows.
            if !cell.is_empty() {
                current = round;
            }
            let round = round.unwrap_or(1);
            if round == 0 || round > limits::ROUNDS as u16 && round < 9_000 {
                let (what, found, max) =
                    ("the round".into(), shortened(cell), limits::ROUNDS as i64);
                return Err(Fault::OutOfBounds { what, found, min: 1, max }.at(grid.place(row)));
            }
            self.refuse_odd_pair(grid, row)?;
            let (result, letter) = self.result(grid, row)?;
            met.push(Met { row, names: (first, second), round, result, letter });
        }
        if let Some(place) = without_match {
            self.oddities.add(&place, "A row without any player is read as no match.");
        }
        Ok(met)
    }

    /// The lines of rows with one cell that is no name of the other rows: those that are headings, such as a day or a
    /// court above its matches, and those of somebody who may have a bye.
    fn alone(&self, grid: &Grid) -> (BTreeSet<u64>, BTreeSet<u64>) {
        let rows = &grid.rows[self.columns.header.map_or(0, |at| at + 1)..];
        let is_alone = |row: &Row| row.filled().nth(1).is_none();
        let names = |row: &Row| {
            let (first, second) = self.names(row);
            [folded(&first), folded(&second)]
        };
        let (mut headings, mut byes) = (BTreeSet::new(), BTreeSet::new());
        if !rows.iter().any(is_alone) {
            return (headings, byes);
        }
        let known: BTreeSet<String> =
            rows.iter().filter(|row| !is_alone(row)).flat_map(names).collect();
        let is_new =
            |row: &&Row| is_alone(row) && !names(row).iter().any(|name| known.contains(name));
        let alone: BTreeSet<u64> = rows.iter().filter(is_new).map(|row| row.line).collect();
        for row in rows.iter().filter(|row| alone.contains(&row.line)) {
            match row
                .filled()
                .any(|(_, cell)| names::stands_above(cell) || days::dated(cell).is_some())
            {
                true => headings.insert(row.line),
                false => byes.insert(row.line),
            };
        }
        (headings, byes)
    }

    /// Whether `R16` in the column of rounds is the round of 16: there are rounds of a cut, and none with the number
    /// before it.
    fn has_round_of(&self, grid: &Grid) -> bool {
        let Some(at) = self.columns.at(Role::Round) else { return false };
        let rows = grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1));
        let cells: BTreeSet<&str> = rows.map(|row| row.get(at)).collect();
        let rounds: BTreeSet<u16> =
            cells.iter().filter_map(|cell| names::round_of_column(cell)).collect();
        let of = |cell: &&str| names::round_of(cell).map(|round| 10_000 - round);
        let mut sizes = cells.iter().filter_map(of);
        rounds.iter().any(|round| *round > 9_000) && sizes.all(|size| !rounds.contains(&(size - 1)))
    }

    /// The players of the matches, where each of these has its round in a column: none where a cell of that is merged
    /// with those below.
    fn numbered(&self, grid: &Grid) -> Option<BTreeSet<String>> {
        self.columns.at(Role::Round)?;
        let mut players = BTreeSet::new();
        for row in grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1)) {
            let (first, second) = self.names(row);
            if is_nobody(&first) || is_nobody(&second) || names::is_total(&first) {
                continue;
            }
            if self.columns.get(row, Role::Round).is_empty() {
                return None;
            }
            players.extend([folded(&first), folded(&second)]);
        }
        Some(players)
    }

    /// Whether anything stands where a result would.
    fn has_score(&self, row: &Row) -> bool {
        use Role::*;
        let at =
            [Result, GamesA, GamesB, PointsA, PointsB, Winner].map(|role| self.columns.at(role));
        at.into_iter().flatten().any(|at| !row.get(at).is_empty())
    }

    /// A cell of matches with a score that is no match is nobody's name.
    fn refuse_odd_pair(&self, grid: &Grid, row: &Row) -> Result<(), ImportError> {
        let cell = self.columns.get(row, Role::Pairing);
        let is_odd = !self.columns.has(Role::PlayerB)
            && !self.columns.says_results()
            && oneline::met(cell).is_none()
            && oneline::has_score(cell);
        match is_odd {
            true => Err(self.bad(grid, row, Role::Pairing, cell, oneline::A_MATCH)),
            false => Ok(()),
        }
    }

    /// Sheets of which none names its round, with other players in the same round, may be of two tournaments.
    fn tell_sheets(&mut self, met: &[(&'a Table<'a>, Met<'_>)]) {
        let mut sheets: Vec<(&str, String, BTreeSet<u16>, BTreeSet<String>)> = Vec::new();
        for (table, one) in met {
            let Some(sheet) = table.grid.sheet.as_deref().filter(|_| table.round.is_none()) else {
                continue;
            };
            let at = sheets.iter().position(|(known, ..)| *known == sheet).unwrap_or_else(|| {
                sheets.push((sheet, table.place(), BTreeSet::new(), BTreeSet::new()));
                sheets.len() - 1
            });
            let names = [&one.names.0, &one.names.1].into_iter().filter(|name| !is_nobody(name));
            sheets[at].2.insert(one.round);
            sheets[at].3.extend(names.map(|name| folded(name)));
        }
        for (at, (sheet, place, rounds, names)) in sheets.iter().enumerate() {
            let meets = |other: usize| {
                let (.., of, them) = &sheets[other];
                other != at && !of.is_disjoint(rounds) && them.is_disjoint(names)
            };
            if !names::is_group(sheet) && (0..sheets.len()).any(meets) {
                self.put_together(sheet, place);
            }
        }
    }

    /// Among low scores `18:00` says when a match is to be played.
    fn times_are_no_results(&mut self, met: &mut [(&Table<'_>, Met<'_>)]) {
        let text =
            |table: &Table<'_>, one: &Met<'_>| table.columns.get(one.row, Role::Result).to_owned();
        let games = |one: &Met<'_>| match one.result {
            Cell::Games { games, .. } => Some(games),
            _ => None,
        };
        let (mut low, mut high) = (0, 0);
        for (table, one) in &*met {
            match games(one).filter(|_| !result::is_rather_a_time(&text(table, one))) {
                Some(games) if result::is_high(&games) => high += 1,
                Some(_) => low += 1,
                None => {}
            }
        }
        if low <= high {
            return;
        }
        for (table, one) in met {
            let said = text(table, one);
            let has_games = [Role::GamesA, Role::PointsA]
                .iter()
                .any(|role| !table.columns.get(one.row, *role).is_empty());
            let is_high = games(one).is_some_and(|games| result::is_high(&games));
            if result::is_rather_a_time(&said) && is_high && !has_games {
                let sentence = format!("{said} is read as a time: the match is to be played.");
                self.oddities.add(&table.grid.place(one.row), sentence);
                one.result = Cell::Open;
            }
        }
    }

    /// A dash in a column of winners is a draw where later rounds were played and no other column says results;
    /// otherwise nobody has won yet.
    fn dashes_are_draws(&mut self, met: &mut [(&Table<'_>, Met<'_>)]) {
        let is_open = |one: &Met<'_>| one.result == Cell::Open;
        let played = met.iter().filter(|(_, one)| !is_open(one)).map(|(_, one)| one.round);
        let last = played.max().unwrap_or(0);
        for (table, one) in met {
            let says = table.columns.get(one.row, Role::Winner).trim();
            let [first, second] = [&one.names.0, &one.names.1].map(|name| is_nobody(name));
            let is_said_elsewhere = [Role::Result, Role::GamesA, Role::PointsA]
                .iter()
                .any(|role| table.columns.has(*role));
            if is_open(one)
                && one.round < last
                && says == "-"
                && !first
                && !second
                && !is_said_elsewhere
            {
                let sentence =
                    "`-` as the winner is read as a draw, since later rounds were played.";
                self.oddities.add(&table.grid.place(one.row), sentence);
                one.result = Cell::Outcome { outcome: Outcome::Draw, forfeit: false };
            }
        }
    }

    /// Groups are one tournament, though each may have a table of its own.
    fn put_together(&mut self, group: &str, place: &str) {
        let sentence = format!(
            "{:?} is read as no tournament of its own: all groups of this file are put together, with one ranking. To \
             keep them apart, write each into a file of its own.",
            shortened(group)
        );
        self.oddities.add(place, sentence);
    }

    /// Refuses sheets that count their rounds anew, with the same players: each is a tournament of its own.
    fn refuse_evenings(&self, met: &[(&'a Table<'a>, Met<'_>)]) -> Result<(), ImportError> {
        let mut sheets: BTreeMap<(u16, String), (&str, String)> = BTreeMap::new();
        for (table, one) in met {
            let Some(sheet) = table.grid.sheet.as_deref() else { continue };
            let (first, second) = (folded(&one.names.0), folded(&one.names.1));
            for (own, other) in [(&first, &second), (&second, &first)] {
                if is_nobody(own) {
                    continue;
                }
                let known = sheets
                    .entry((one.round, own.clone()))
                    .or_insert_with(|| (sheet, other.clone()));
                if known.0 != sheet && known.1 != *other {
                    let what = names::round_name(one.round);
                    let found =
                        format!("one more, after that of the sheet {:?}", shortened(known.0));
                    let expected = "rounds of one tournament, with each player once in each: write sheets that are \
                                    tournaments of their own into files of their own, or number their rounds on"
                        .to_owned();
                    let place = table.grid.place(one.row);
                    return Err(Fault::BadValue { what, found, expected }.at(place));
                }
            }
        }
        Ok(())
    }

    /// Whether most names have a standing behind them, and results stand elsewhere.
    fn are_with_standings(&self, table: &Table) -> bool {
        let names: Vec<String> = table
            .body()
            .flat_map(|row| <[String; 2]>::from(self.written_names(row)))
            .filter(|name| !is_nobody(name))
            .collect();
        let with = names.iter().filter(|name| names::without_standing(name).is_some()).count();
        self.columns.says_results() && with * 2 > names.len()
    }

    fn bad(&self, grid: &Grid, row: &Row, role: Role, found: &str, expected: &str) -> ImportError {
        let column = self.columns.at(role).map_or(String::new(), |at| self.columns.label(at));
        let (what, found) = (column, shortened(found));
        Fault::BadValue { what, found, expected: expected.to_owned() }.at(grid.place(row))
    }

    /// Who is meant by the numbers in a column of opponents, beside one of names.
    fn numbered_players(&self, grid: &Grid) -> Result<BTreeMap<u16, String>, ImportError> {
        let mut known: BTreeMap<u16, String> = BTreeMap::new();
        let rows = || grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1));
        let number = |row: &Row, role| names::number(self.columns.get(row, role));
        let opponents = || rows().filter(|row| !is_nobody(self.columns.get(row, Role::PlayerB)));
        let name = |row: &Row| self.columns.get(row, Role::PlayerA).to_owned();
        let are_numbers = self.columns.has(Role::PlayerA)
            && opponents().next().is_some()
            && opponents().all(|row| number(row, Role::PlayerB).is_some())
            && opponents().all(|row| name(row).contains(char::is_alphabetic));
        if !are_numbers {
            return Ok(known);
        }
        let expected = "the name of a player: by number they are found where each player has one number, in a column \
                        such as Nr";
        let bad = |row: &Row| {
            self.bad(grid, row, Role::PlayerB, self.columns.get(row, Role::PlayerB), expected)
        };
        for row in rows() {
            let Some(own) = number(row, Role::Number) else { continue };
            let other = known.insert(own, name(row));
            if other.is_some_and(|other| folded(&other) != folded(&name(row))) {
                return Err(bad(row));
            }
        }
        let is_unknown = |row: &&Row| {
            number(row, Role::PlayerB).is_some_and(|number| !known.contains_key(&number))
        };
        match opponents().find(is_unknown) {
            Some(row) => Err(bad(row)),
            None => Ok(known),
        }
    }

    /// Both names of a row, without what stands behind them.
    fn names(&self, row: &Row) -> (String, String) {
        let (mut first, mut second) = self.written_names(row);
        if second.is_empty()
            && let Some((name, word)) = names::apart_from_bye(&first)
        {
            (first, second) = (name.to_owned(), word.to_owned());
        }
        let bare = |name: String| match names::without_standing(&name) {
            Some(bare) if self.has_standings => bare.to_owned(),
            _ => name,
        };
        let unseeded = |name: String| match names::without_seed(&name) {
            Some(bare) => bare.to_owned(),
            None => name,
        };
        (unseeded(bare(first)), unseeded(bare(second)))
    }

    /// Both names of a row as they stand there.
    fn written_names(&self, row: &Row) -> (String, String) {
        use Role::*;
        let get = |role| self.columns.get(row, role);
        if let Some(Played { first, second, .. }) = self.paired(row) {
            return (first, second);
        }
        let one = |player, first, last| {
            [get(first), get(player), get(last)]
                .iter()
                .filter(|part| !part.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(" ")
        };
        let second = one(PlayerB, FirstB, LastB);
        let meant = names::number(&second).and_then(|number| self.by_number.get(&number));
        (one(PlayerA, FirstA, LastA), meant.cloned().unwrap_or(second))
    }

    fn add(&mut self, grid: &Grid, met: Met<'_>) -> Result<(), ImportError> {
        let place = grid.place(met.row);
        let (first, second) = met.names.clone();
        let (mut result, how) = self.match_result(&met);
        result.how = how;
        if self.halves && is_nothing(&met.result) {
            self.oddities.add(&place, "0-0 is read as lost by both.");
        }
        if let Cell::Outcome { outcome: Outcome::HalfFirst | Outcome::HalfSecond, .. } = met.result
        {
            self.oddities.add(&place, result::HALF);
        }
        let sides = [is_nobody(&first), is_nobody(&second)];
        if let [true, true] = sides {
            return Err(Fault::Missing { what: "the name of a player".into() }.at(place));
        }
        // A merged cell stands in the first of its rows: who has a result there has no bye.
        let says_score = match met.result {
            Cell::Games { .. } | Cell::Letter(_) => true,
            Cell::Outcome { forfeit, .. } => !forfeit && !self.columns.has(Role::Winner),
            _ => false,
        };
        if first.is_empty() && sides[0] && says_score {
            let expected = format!(
                "the name of a player, or BYE where {} had no opponent: a name that stands for several rows is written \
                 in each",
                shortened(&second)
            );
            return Err(self.bad(grid, met.row, Role::PlayerA, "", &expected));
        }
        let table = self.table(grid, met.row)?;
        if sides.contains(&true) {
            let (name, other) = if sides[0] { (&second, &first) } else { (&first, &second) };
            if self.is_to_come(&met, name, other) {
                let sentence = format!(
                    "The match of {:?} is to come: who plays it is not known yet, and the row is left out.",
                    shortened(name)
                );
                self.oddities.add(&place, sentence);
                return Ok(());
            }
            let player =
                self.player(name, if sides[0] { Role::IdB } else { Role::IdA }, &met, &place)?;
            if ["frei", "libre", "livre", "libero"].contains(&folded(other).as_str()) {
                self.oddities.add(
                    &place,
                    format!(
                        "{:?} is read as nobody: {:?} has a bye.",
                        shortened(other),
                        shortened(name)
                    ),
                );
            }
            let won =
                |ruling: &[Option<Ruling>]| ruling.get(usize::from(sides[0])).copied().flatten();
            let games = crate::sheet::games_of(&result.score).filter(|_| self.is_games);
            let (own, others) =
                games.map_or((0, 0), |[a, b, _]| if sides[0] { (b, a) } else { (a, b) });
            let text = self.columns.get(met.row, Role::Result);
            // The word for a bye may stand in the place of the result.
            let says = |is: fn(&str) -> bool| is(other) || is(text);
            let is_unpaired = says(names::is_unpaired);
            let is_open =
                matches!(met.result, Cell::Open | Cell::Dashes) || is_nothing(&met.result);
            let kind = match (won(&result.rulings), games) {
                _ if matches!(text, "0" | "0.0") => ByeKind::Zero,
                _ if says(names::is_half_bye) => ByeKind::Half,
                _ if says(names::is_zero_bye) => ByeKind::Zero,
                _ if is_unpaired && is_open => ByeKind::Zero,
                (Some(Ruling::Loss), _) if is_unpaired => ByeKind::Zero,
                (_, Some(_)) if is_unpaired && own < others => ByeKind::Zero,
                (Some(Ruling::Draw), _) => ByeKind::Half,
                (Some(Ruling::Loss), _) => ByeKind::AwardedLoss,
                (_, Some([0, 0, 1])) => ByeKind::Half,
                (_, Some(_)) if own < others => ByeKind::AwardedLoss,
                _ => ByeKind::Assigned,
            };
            if kind == ByeKind::AwardedLoss {
                let (name, other) = (shortened(name), shortened(other));
                let sentence = format!(
                    "{name:?} lost to {other:?}: that is read as an awarded loss, not as a bye."
                );
                self.oddities.add(&place, sentence);
            }
            let reported = games
                .filter(|_| !sides[0] && !self.only_outcomes && kind != ByeKind::Half)
                .map(crate::sheet::games_score);
            self.round(met.round, &place)?.byes.push(SourceBye { player, kind, reported, place });
            return Ok(());
        }
        for name in [&first, &second].into_iter().filter(|name| places::is_place(name)) {
            let sentence = format!(
                "{:?} is read as a player, and looks like who comes out of another match: write the name there once \
                 it is known, or leave the row out until then.",
                shortened(name)
            );
            self.oddities.add(&place, sentence);
        }
        let is_nobodys = |name: &&String| names::is_doubtful(name) || places::says_away(name);
        for name in [&first, &second].into_iter().filter(is_nobodys) {
            let name = shortened(name);
            let sentence = format!(
                "{name:?} looks like no player: where there was no opponent, write BYE there."
            );
            self.oddities.add(&place, sentence);
        }
        for name in [&first, &second].into_iter().filter(|name| is_number(name)) {
            let sentence = format!("{:?} is read as the name of a player.", shortened(name));
            self.oddities.add(&place, sentence);
        }
        let players = [
            self.player(&first, Role::IdA, &met, &place)?,
            self.player(&second, Role::IdB, &met, &place)?,
        ];
        if players[0] == players[1] {
            return Err(Fault::AgainstSelf { player: self.players.name(players[0]) }.at(place));
        }
        let day = self.columns.get(met.row, Role::Date).to_owned();
        let own = (met.round, players[0], players[1]);
        let turned = self.seen.get(&(met.round, players[1], players[0]));
        if let Some((of, at)) = turned.or_else(|| self.seen.get(&own)) {
            if *of != day && !of.is_empty() && !day.is_empty() {
                return Err(self.second_day(grid, &met, *at));
            }
            if turned.is_some() {
                result.score.seats.reverse();
                result.rulings.reverse();
            }
            return self.mirror(grid, &met, *at, result);
        }
        let seats = players.map(|player| SourceSeat { player, role: 0 }).to_vec();
        let tables = &mut self.round(met.round, &place)?.tables;
        let at = tables.len();
        tables.push(SourceTable { table, seats, result, place });
        self.seen.insert(own, (day, at));
        Ok(())
    }

    /// Whether a match without a second player is one to come: its first one comes out of another match, or who won
    /// is as unknown as the opponent, as with `...` or `?`, and in a cut with `-`.
    fn is_to_come(&self, met: &Met<'_>, name: &str, other: &str) -> bool {
        let winner = self.columns.get(met.row, Role::Winner).trim();
        let is_mark = |text: &str| !text.is_empty() && !text.contains(char::is_alphanumeric);
        let is_unknown =
            is_mark(winner) && is_mark(other) && (met.round > 9_000 || other.contains(['.', '?']));
        let is_open = matches!(met.result, Cell::Open | Cell::Dashes);
        is_open && (is_unknown || places::is_place(name))
    }

    /// Two players who stand in a round on two days have two matches.
    fn second_day(&self, grid: &Grid, met: &Met<'_>, at: usize) -> ImportError {
        let place = grid.place(met.row);
        let [one, other] = [&met.names.0, &met.names.1].map(|name| shortened(name));
        if !self.says_round {
            let name = format!(
                "round ({one} and {other} meet on two days, and days are no rounds: number them 1, 2, 3)"
            );
            return Fault::MissingColumn { name }.at(place);
        }
        let tables = self.rounds.get(&met.round).map_or(&[][..], |round| &round.tables);
        let first = tables.get(at).map_or("", |table| &table.place);
        let found = format!("one more match of {one} and {other}, after {first}");
        let expected = "one match of two players in a round: write two legs as one row, or give the second one a \
                        round of its own"
            .to_owned();
        Fault::BadValue { what: names::round_name(met.round), found, expected }.at(place)
    }

    /// A match that stands there once more, turned as it was at first.
    fn mirror(
        &mut self,
        grid: &Grid,
        met: &Met<'_>,
        at: usize,
        turned: MatchResult,
    ) -> Result<(), ImportError> {
        let place = grid.place(met.row);
        let Some(round) = self.rounds.get_mut(&met.round) else { return Ok(()) };
        let (name, first) = (round.name.clone(), &mut round.tables[at]);
        let is_open =
            |result: &MatchResult| result.rulings.is_empty() && result.score.seats.is_empty();
        if is_open(&first.result) {
            first.result = turned;
        } else if !is_open(&turned) && first.result != turned {
            if !self.says_round {
                let [one, other] = [&met.names.0, &met.names.1].map(|name| shortened(name));
                let name = format!(
                    "round ({one} and {other} stand there twice, with two results: number the rounds in which they \
                     met, or keep the right row)"
                );
                return Err(Fault::MissingColumn { name }.at(place));
            }
            if let Some(part) = self.columns.part() {
                return Err(self.columns.numbered_on(part, met.row).at(place));
            }
            let what = "one match".to_owned();
            let (other, first) = (first.place.clone(), crate::csv::written(&first.result.score));
            let second = crate::csv::written(&turned.score);
            return Err(Fault::TwoResults { what, round: name, first, second, other }.at(place));
        }
        self.mirrored += 1;
        Ok(())
    }

    fn round(&mut self, number: u16, place: &str) -> Result<&mut SourceRound, ImportError> {
        let empty = || SourceRound {
            name: names::round_name(number),
            weight: RoundWeight::ONE,
            tables: Vec::new(),
            byes: Vec::new(),
        };
        let round = self.rounds.entry(number).or_insert_with(empty);
        match round.tables.len() + round.byes.len() >= limits::TABLES {
            true => {
                Err(Fault::TooMany { what: "rows of a round", limit: limits::TABLES }.at(place))
            }
            false => Ok(round),
        }
    }

    fn player(
        &mut self,
        name: &str,
        id: Role,
        met: &Met<'_>,
        place: &str,
    ) -> Result<usize, ImportError> {
        let player = match known(&self.players, name).filter(|_| self.players.known(name).is_none())
        {
            Some(player) => {
                let (name, other) = (shortened(name), self.players.name(player));
                self.oddities.add(place, format!("{name:?} is taken to be {other:?}."));
                player
            }
            None => self.players.named(name, place)?,
        };
        let id = self.columns.get(met.row, id);
        if !id.is_empty() && id != "0" && self.players.list[player].publisher_id.is_none() {
            let id = crate::build::clean_name("the id", id).map_err(|fault| fault.at(place))?;
            self.players.list[player].publisher_id = Some(id);
        }
        Ok(player)
    }

    /// Both players of one cell, with the result between or behind them where nothing else says it.
    fn paired(&self, row: &Row) -> Option<Played> {
        use Role::*;
        if !self.columns.has(Pairing) || self.columns.has(PlayerB) {
            return None;
        }
        let cell = self.columns.get(row, Pairing);
        let two = |first: &str, second: &str| Played {
            first: first.to_owned(),
            second: second.to_owned(),
            result: String::new(),
        };
        let found = match self.columns.says_results() {
            true => names::pair(cell).map(|(first, second)| two(first, second)),
            false => oneline::met(cell),
        };
        Some(found.unwrap_or_else(|| two(cell, "")))
    }

    fn table(&self, grid: &Grid, row: &Row) -> Result<Option<u32>, ImportError> {
        let cell = self.columns.get(row, Role::Table);
        let digits: String = cell.chars().filter(char::is_ascii_digit).collect();
        match digits.parse::<u32>() {
            _ if is_nobody(cell) || digits.is_empty() => Ok(None),
            Ok(0) => Ok(None),
            Ok(table) => Ok(Some(table)),
            Err(_) => Err(self.bad(grid, row, Role::Table, cell, "the table's number")),
        }
    }
}

/// The player of a name, or of the same one with the last name first or last.
pub(super) fn known(players: &Players, name: &str) -> Option<usize> {
    let turned = || -> Option<usize> {
        // No name is as long; each blank of one is tried.
        if name.chars().nth(limits::NAME_CHARS).is_some() {
            return None;
        }
        if let Some((last, first)) = name.split_once(',') {
            return players.known(&format!("{} {}", first.trim(), last.trim()));
        }
        let mut spaces = name.match_indices(' ');
        spaces.find_map(|(at, _)| {
            players.known(&format!("{}, {}", name[at..].trim(), name[..at].trim()))
        })
    };
    players.known(name).or_else(turned)
}

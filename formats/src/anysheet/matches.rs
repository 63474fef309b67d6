//! A sheet of matches: who met whom, in which round, and how it ended.

use std::collections::BTreeMap;

use super::columns::Columns;
use super::grid::{Grid, Row};
use super::names::{self, Role, is_nobody};
use super::result::{self, Cell, Outcome};
use crate::build::{Oddities, Players};
use crate::error::shortened;
use crate::source::*;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::event::{ByeKind, How, MatchResult, RoundWeight, Ruling};
use scrutineer_engine::names::folded;

/// What is read so far.
pub(super) struct Matches<'a> {
    columns: &'a Columns,
    pub players: Players,
    pub rounds: BTreeMap<u16, SourceRound>,
    pub oddities: Oddities,
    /// Whether a result says no more than who won.
    pub only_outcomes: bool,
    /// Whether scores are games; otherwise they are a wargame's points.
    pub is_games: bool,
    letters: Option<[char; 3]>,
    /// Whether a result of two marks is one that is not there yet, by round.
    dashes_open: BTreeMap<u16, bool>,
    seen: BTreeMap<(u16, usize, usize), usize>,
    mirrored: usize,
}

/// A row with its round and its result.
struct Met<'r> {
    row: &'r Row,
    round: u16,
    result: Cell,
}

/// Reads the rows below the columns' names; `round` is the one that a line above them names.
pub(super) fn read<'a>(
    grid: &Grid,
    columns: &'a Columns,
    round: Option<u16>,
    oddities: Oddities,
) -> Result<Matches<'a>, ImportError> {
    let mut matches = Matches {
        columns,
        players: Players::typed(),
        rounds: BTreeMap::new(),
        oddities,
        only_outcomes: false,
        is_games: true,
        letters: None,
        dashes_open: BTreeMap::new(),
        seen: BTreeMap::new(),
        mirrored: 0,
    };
    let met = matches.rows(grid, round)?;
    matches.judge(grid, &met)?;
    for one in met {
        matches.add(grid, one)?;
    }
    if matches.mirrored > 0 {
        let sentence = format!(
            "{} matches stand there twice, once for each player, and are one each.",
            matches.mirrored
        );
        matches.oddities.add("the rows", sentence);
    }
    Ok(matches)
}

impl Matches<'_> {
    fn rows<'r>(
        &mut self,
        grid: &'r Grid,
        above: Option<u16>,
    ) -> Result<Vec<Met<'r>>, ImportError> {
        let mut current = above;
        let mut met = Vec::new();
        for row in grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1)) {
            if self.columns.is_header(row) {
                continue;
            }
            let cells: Vec<(usize, &str)> = row.filled().collect();
            if let [(at, cell)] = cells[..] {
                if let Some(round) = names::round(cell, false) {
                    current = Some(round);
                    continue;
                }
                let is_player = Some(at) == self.columns.at(Role::PlayerA)
                    || Some(at) == self.columns.at(Role::Pairing);
                if !is_player
                    || cell.contains(':')
                    || names::is_total(cell)
                    || cell.split(' ').count() > 5
                {
                    let sentence = format!("{:?} is read as no match.", shortened(cell));
                    self.oddities.add(&grid.place(row), sentence);
                    continue;
                }
            }
            if cells.first().is_some_and(|(_, cell)| names::is_total(cell))
                && self.names(row).1.is_empty()
            {
                let sentence = format!("{:?} is read as no match.", shortened(cells[0].1));
                self.oddities.add(&grid.place(row), sentence);
                continue;
            }
            let cell = self.columns.get(row, Role::Round);
            let round = match cell.is_empty() {
                true => current,
                false => Some(names::round(cell, true).ok_or_else(|| {
                    self.bad(grid, row, Role::Round, cell, "a round's number, such as 3")
                })?),
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
            met.push(Met { row, round, result: self.result(grid, row)? });
        }
        Ok(met)
    }

    fn bad(&self, grid: &Grid, row: &Row, role: Role, found: &str, expected: &str) -> ImportError {
        let column = self.columns.at(role).map_or(String::new(), |at| self.columns.label(at));
        let (what, found) = (column, shortened(found));
        Fault::BadValue { what, found, expected: expected.to_owned() }.at(grid.place(row))
    }

    /// Both names of a row.
    fn names(&self, row: &Row) -> (String, String) {
        use Role::*;
        let get = |role| self.columns.get(row, role);
        if self.columns.has(Pairing) && !self.columns.has(PlayerB) {
            let cell = get(Pairing);
            let by = [
                " vs. ",
                " vs ",
                " - ",
                " \u{2013} ",
                " \u{2014} ",
                " : ",
                " gegen ",
                " contre ",
                " contra ",
                " contro ",
                " x ",
            ];
            let lower = cell.to_lowercase();
            let at = by.iter().find_map(|by| lower.find(by).map(|at| (at, by.len())));
            return match at
                .filter(|(at, len)| cell.is_char_boundary(*at) && cell.is_char_boundary(at + len))
            {
                Some((at, len)) => {
                    (cell[..at].trim().to_owned(), cell[at + len..].trim().to_owned())
                }
                None => (cell.to_owned(), String::new()),
            };
        }
        let one = |player, first, last| {
            [get(first), get(player), get(last)]
                .iter()
                .filter(|part| !part.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(" ")
        };
        (one(PlayerA, FirstA, LastA), one(PlayerB, FirstB, LastB))
    }

    fn result(&self, grid: &Grid, row: &Row) -> Result<Cell, ImportError> {
        use Role::*;
        if self.columns.has(Result) {
            let text = self.columns.get(row, Result);
            return match result::read(text) {
                Cell::Date => Err(self.bad(grid, row, Result, text, "games such as 2-1: the spreadsheet has made a date of it. Format the column as text, type its results anew, and save")),
                Cell::Bad => {
                    let column = self.columns.at(Result).map_or(String::new(), |at| self.columns.label(at));
                    let (found, expected) = (shortened(text), format!("in {column} a result such as 2-1, 2:1, 1-0, \u{bd}, W or + -"));
                    Err(Fault::BadResult { found, expected }.at(grid.place(row)))
                }
                cell => Ok(cell),
            };
        }
        if self.columns.has(Winner) && !self.columns.has(GamesA) {
            return self.winner(grid, row);
        }
        let (first, second) =
            if self.columns.has(GamesA) { (GamesA, GamesB) } else { (PointsA, PointsB) };
        if !self.columns.has(first) && !self.columns.has(second) {
            return Ok(Cell::Open);
        }
        let get = |role| self.columns.get(row, role);
        let halves = |text: &str| text.replace(',', ".").replace('\u{bd}', "0.5");
        let (a, b) = (halves(get(first)), halves(get(second)));
        let value = |role, text: &str| -> std::result::Result<i32, ImportError> {
            let read = text.strip_suffix(".0").unwrap_or(text).parse::<i32>().ok();
            read.filter(|value| {
                value.unsigned_abs() <= limits::SCORE as u32 && (*value >= 0 || first == PointsA)
            })
            .ok_or_else(|| self.bad(grid, row, role, text, "a whole number"))
        };
        match (a.as_str(), b.as_str()) {
            ("", "") => Ok(Cell::Open),
            ("0.5", "0.5") => Ok(Cell::Outcome { outcome: Outcome::Draw, forfeit: false }),
            ("+", "-" | "") => Ok(Cell::Outcome { outcome: Outcome::First, forfeit: true }),
            ("-" | "", "+") => Ok(Cell::Outcome { outcome: Outcome::Second, forfeit: true }),
            ("-", "-") => Ok(Cell::Dashes),
            ("", _) if !is_nobody(&self.names(row).0) && !is_nobody(&self.names(row).1) => {
                Err(Fault::Missing {
                    what: format!(
                        "the value of {}",
                        self.columns.at(first).map_or(String::new(), |at| self.columns.label(at))
                    ),
                }
                .at(grid.place(row)))
            }
            (_, "") if !is_nobody(&self.names(row).1) => Err(Fault::Missing {
                what: format!(
                    "the value of {}",
                    self.columns.at(second).map_or(String::new(), |at| self.columns.label(at))
                ),
            }
            .at(grid.place(row))),
            (a, b) => {
                let drawn = get(Drawn);
                let drawn = if drawn.is_empty() { 0 } else { value(Drawn, drawn)? };
                let part =
                    |role, text: &str| if text.is_empty() { Ok(0) } else { value(role, text) };
                Ok(Cell::Games {
                    games: [part(first, a)?, part(second, b)?, drawn],
                    forfeit: false,
                })
            }
        }
    }

    /// Who won, where a column names them.
    fn winner(&self, grid: &Grid, row: &Row) -> Result<Cell, ImportError> {
        let text = self.columns.get(row, Role::Winner);
        let (first, second) = self.names(row);
        let said = folded(text);
        let outcome = match said.as_str() {
            "" => return Ok(Cell::Open),
            "1" | "a" => Outcome::First,
            "2" | "b" => Outcome::Second,
            "x" | "0" | "-" => Outcome::Draw,
            said if said == folded(&first) => Outcome::First,
            said if said == folded(&second) => Outcome::Second,
            _ => match result::read(text) {
                Cell::Outcome { outcome: Outcome::Draw, .. } => Outcome::Draw,
                _ => {
                    return Err(self.bad(
                        grid,
                        row,
                        Role::Winner,
                        text,
                        "one of the two players, 1, 2, or a word for a draw",
                    ));
                }
            },
        };
        Ok(Cell::Outcome { outcome, forfeit: false })
    }

    /// What only all rows together tell.
    fn judge(&mut self, grid: &Grid, met: &[Met<'_>]) -> Result<(), ImportError> {
        let letters: Vec<char> = met
            .iter()
            .filter_map(|one| match one.result {
                Cell::Letter(letter) => Some(letter),
                _ => None,
            })
            .collect();
        self.letters = result::letters(&letters);
        if self.letters.is_none()
            && let Some(one) = met.iter().find(|one| matches!(one.result, Cell::Letter(_)))
        {
            let text = self.columns.get(one.row, Role::Result);
            return Err(self.bad(
                grid,
                one.row,
                Role::Result,
                text,
                "letters of one language for won, drawn and lost, such as W, D and L",
            ));
        }
        let games = || {
            met.iter().filter_map(|one| match one.result {
                Cell::Games { games, .. } => Some(games),
                _ => None,
            })
        };
        let most = games().flatten().max().unwrap_or(0);
        self.is_games = most <= 9 && !self.columns.has(Role::PointsA);
        self.only_outcomes = games().next().is_none()
            && met.iter().any(|one| matches!(one.result, Cell::Outcome { .. } | Cell::Letter(_)));
        for one in met.iter().filter(|one| one.result != Cell::Open) {
            let open = self.dashes_open.entry(one.round).or_insert(true);
            *open &= one.result == Cell::Dashes;
        }
        Ok(())
    }

    fn add(&mut self, grid: &Grid, met: Met<'_>) -> Result<(), ImportError> {
        let place = grid.place(met.row);
        let (first, second) = self.names(met.row);
        let (mut result, how) = self.match_result(&met);
        result.how = how;
        let sides = [is_nobody(&first), is_nobody(&second)];
        if let [true, true] = sides {
            return Err(Fault::Missing { what: "the name of a player".into() }.at(place));
        }
        let table = self.table(grid, met.row)?;
        if sides.contains(&true) {
            let (name, other) = if sides[0] { (&second, &first) } else { (&first, &second) };
            let player =
                self.player(name, if sides[0] { Role::IdB } else { Role::IdA }, &met, &place)?;
            if folded(other) == "frei" || folded(other) == "libre" || folded(other) == "libero" {
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
            let kind = match (won(&result.rulings), games) {
                _ if text == "0" => ByeKind::Zero,
                (Some(Ruling::Draw), _) => ByeKind::Half,
                (Some(Ruling::Loss), _) => ByeKind::AwardedLoss,
                (_, Some([0, 0, 1])) => ByeKind::Half,
                (_, Some(_)) if own < others => ByeKind::AwardedLoss,
                _ => ByeKind::Assigned,
            };
            let reported = games
                .filter(|_| !sides[0] && !self.only_outcomes && kind != ByeKind::Half)
                .map(crate::sheet::games_score);
            self.round(met.round, &place)?.byes.push(SourceBye { player, kind, reported, place });
            return Ok(());
        }
        let players = [
            self.player(&first, Role::IdA, &met, &place)?,
            self.player(&second, Role::IdB, &met, &place)?,
        ];
        if players[0] == players[1] {
            return Err(Fault::AgainstSelf { player: self.players.name(players[0]) }.at(place));
        }
        if let Some(at) = self.seen.get(&(met.round, players[1], players[0])).copied() {
            return self.mirror(met.round, at, &result, place);
        }
        let seats = players.map(|player| SourceSeat { player, role: 0 }).to_vec();
        let tables = &mut self.round(met.round, &place)?.tables;
        let at = tables.len();
        tables.push(SourceTable { table, seats, result, place });
        self.seen.insert((met.round, players[0], players[1]), at);
        Ok(())
    }

    /// A match that stands there from its other side too.
    fn mirror(
        &mut self,
        round: u16,
        at: usize,
        result: &MatchResult,
        place: String,
    ) -> Result<(), ImportError> {
        let mut turned = result.clone();
        turned.score.seats.reverse();
        turned.rulings.reverse();
        let Some(round) = self.rounds.get_mut(&round) else { return Ok(()) };
        let (name, first) = (round.name.clone(), &mut round.tables[at]);
        let is_open =
            |result: &MatchResult| result.rulings.is_empty() && result.score.seats.is_empty();
        if is_open(&first.result) {
            first.result = turned;
        } else if !is_open(&turned) && first.result != turned {
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
        let player = self.players.named(name, place)?;
        let id = self.columns.get(met.row, id);
        if !id.is_empty() && id != "0" && self.players.list[player].publisher_id.is_none() {
            let id = crate::build::clean_name("the id", id).map_err(|fault| fault.at(place))?;
            self.players.list[player].publisher_id = Some(id);
        }
        Ok(player)
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

    /// The result of a row as it is recorded.
    fn match_result(&self, met: &Met<'_>) -> (MatchResult, How) {
        let ruled = |outcome| {
            let both = match outcome {
                Outcome::First => [Ruling::Win, Ruling::Loss],
                Outcome::Second => [Ruling::Loss, Ruling::Win],
                Outcome::Draw => [Ruling::Draw; 2],
                Outcome::BothLost => [Ruling::Loss; 2],
            };
            both.map(Some).to_vec()
        };
        let empty = MatchResult::played(Default::default());
        let how = |forfeit| if forfeit { How::Forfeit } else { How::Played };
        let by_outcome = |outcome, forfeit: bool| {
            let score = match outcome {
                _ if forfeit || !self.only_outcomes => None,
                Outcome::First => Some([1, 0, 0]),
                Outcome::Second => Some([0, 1, 0]),
                Outcome::Draw => Some([0, 0, 1]),
                Outcome::BothLost => None,
            };
            match score {
                Some(games) => MatchResult::played(crate::sheet::games_score(games)),
                None => {
                    MatchResult { rulings: ruled(outcome).into_iter().collect(), ..empty.clone() }
                }
            }
        };
        match met.result {
            Cell::Games { games, forfeit } => {
                let score = match self.is_games {
                    true => crate::sheet::games_score(games),
                    false => crate::sheet::score(&[vec![games[0]], vec![games[1]]], &[]),
                };
                let rulings = if forfeit { ruled(result::winner(games)) } else { Vec::new() };
                let rulings = rulings.into_iter().collect();
                (MatchResult { rulings, ..MatchResult::played(score) }, how(forfeit))
            }
            Cell::Outcome { outcome, forfeit } => (by_outcome(outcome, forfeit), how(forfeit)),
            Cell::Letter(letter) => {
                let at = self.letters.and_then(|set| set.iter().position(|one| *one == letter));
                let outcome = [Outcome::First, Outcome::Draw, Outcome::Second][at.unwrap_or(1)];
                (by_outcome(outcome, false), How::Played)
            }
            Cell::Dashes if self.dashes_open.get(&met.round) == Some(&false) => {
                (by_outcome(Outcome::BothLost, true), How::Forfeit)
            }
            _ => (empty, How::Played),
        }
    }
}

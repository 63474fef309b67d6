//! The results of a sheet's rows: as they stand there, as all of them together tell, and as they are recorded.

use super::{Letter, Matches, Met, is_nothing};
use crate::anysheet::grid::{Grid, Row};
use crate::anysheet::names::{self, Role, is_nobody};
use crate::anysheet::oneline::Played;
use crate::anysheet::result::{self, Cell, Outcome};
use crate::anysheet::sets;
use crate::anysheet::table::Table;
use crate::error::shortened;
use crate::{Fault, ImportError, limits};
use scrutineer_engine::event::{How, MatchResult, Ruling, Score};
use scrutineer_engine::names::folded;

impl<'a> Matches<'a> {
    /// The result of a row, out of all columns that say it: each says what the others leave open, and none another
    /// one.
    pub(super) fn result(
        &mut self,
        grid: &Grid,
        row: &Row,
    ) -> Result<(Cell, Option<Letter>), ImportError> {
        use Role::*;
        let mut said: Vec<(Role, Cell)> = Vec::new();
        if self.columns.has(Result) {
            let cell = self.written(grid, row, self.score(row))?;
            said.push((Result, self.turned_by_winner(grid, row, cell)?));
        }
        if let Some(Played { result, .. }) = self.paired(row).filter(|one| !one.result.is_empty()) {
            said.push((Pairing, self.written(grid, row, &result)?));
        }
        if self.columns.has(GamesA) || self.columns.has(GamesB) {
            said.push((GamesA, self.games(grid, row, [GamesA, GamesB])?));
        }
        if self.columns.has(Winner) {
            said.push((Winner, self.winner(grid, row)?));
        }
        if said.is_empty() && (self.columns.has(PointsA) || self.columns.has(PointsB)) {
            said.push((PointsA, self.games(grid, row, [PointsA, PointsB])?));
        }
        let letter = said.iter().find_map(|(role, cell)| match cell {
            Cell::Letter(letter) => Some((*letter, *role)),
            _ => None,
        });
        let mut said = said.into_iter();
        let (mut by, mut cell) = said.next().unwrap_or((Result, Cell::Open));
        for (role, other) in said {
            if let Some(ruled) = drawn_and_won(&cell, &other).filter(|_| role == Winner) {
                self.tell_ruled(grid, row, &ruled);
                cell = ruled;
                continue;
            }
            if says(&cell).zip(says(&other)).is_some_and(|(one, other)| one != other) {
                return Err(self.contradicted(grid, row, by, role));
            }
            if weight(&other) > weight(&cell) {
                (by, cell) = (role, other);
            }
        }
        // Where another column says who won, this one may say no more than that nobody played.
        let is_forfeit =
            self.columns.has(Result) && result::is_forfeit(self.columns.get(row, Result));
        if let Cell::Outcome { forfeit, .. } | Cell::Games { forfeit, .. } = &mut cell {
            *forfeit |= is_forfeit;
        }
        let cell = match self.columns.first_wins {
            true => self.by_first(grid, row, cell)?,
            false => cell,
        };
        Ok((cell, letter.map(|(letter, role)| (letter, [role, by]))))
    }

    /// Of two columns that say two results one is to be mended, or left out.
    fn contradicted(&self, grid: &Grid, row: &Row, by: Role, role: Role) -> ImportError {
        // Beside who won it is the score that can be left out.
        let (role, by) = match (role, by) {
            (Role::GamesA, _) | (Role::Winner, Role::Result) => (by, role),
            _ => (role, by),
        };
        let said = |role| match role {
            Role::Result => self.score(row).to_owned(),
            Role::GamesA => [role, Role::GamesB].map(|role| self.columns.get(row, role)).join("-"),
            role => self.columns.get(row, role).to_owned(),
        };
        let label = self.columns.at(by).map_or(String::new(), |at| self.columns.label(at));
        let at = self.scores_at.filter(|_| role == Role::Result).or_else(|| self.columns.at(role));
        let number = at.map_or(0, |at| at + 1);
        let expected = format!(
            "the one who won by {label}, {}: mend one of them, or leave this column out (--columns ignore={number})",
            shortened(&said(by))
        );
        self.bad(grid, row, role, &said(role), &expected)
    }

    /// What stands where a row has its result in one cell.
    fn score<'r>(&self, row: &'r Row) -> &'r str {
        match self.scores_at {
            Some(at) if !row.get(at).is_empty() => {
                self.columns.read[at].set(true);
                row.get(at)
            }
            _ => self.columns.get(row, Role::Result),
        }
    }

    /// Looks at all rows of a table for where its scores stand, and tells what is not as its columns say.
    pub(super) fn tell_scores(&mut self, grid: &Grid) {
        self.scores_at = self.scores_beside(grid);
        if let Some(at) = self.scores_at {
            let result = self.columns.at(Role::Result).unwrap_or(0);
            let sentence = format!(
                "{} says no more than that matches are over: results are those of {}.",
                self.columns.label(result),
                self.columns.label(at)
            );
            self.oddities.add("the columns", sentence);
        }
        self.zero_is_second = self.is_zero_second(grid);
        if self.zero_is_second {
            let at = self.columns.at(Role::Winner).unwrap_or(0);
            let sentence = format!(
                "In {} 1 or yes is read as won by the first player, and 0 or no as won by the second.",
                self.columns.label(at)
            );
            self.oddities.add("the columns", sentence);
        }
        self.is_from_winner = self.are_from_winner(grid);
        if self.is_from_winner {
            let label =
                |role| self.columns.at(role).map_or(String::new(), |at| self.columns.label(at));
            let sentence = format!(
                "{} is read from the side of who won, as {} names them: in no row the smaller number stands first.",
                label(Role::Result),
                label(Role::Winner)
            );
            self.oddities.add("the columns", sentence);
        }
    }

    /// The one column of scores that nothing else is, beside one of results in which no result stands.
    fn scores_beside(&self, grid: &Grid) -> Option<usize> {
        let columns = self.columns;
        let result = columns.at(Role::Result)?;
        let rows = || {
            let below = grid.rows.iter().skip(columns.header.map_or(0, |at| at + 1));
            below.filter(move |row| !columns.is_header(row))
        };
        let cells = |at: usize| rows().map(move |row| row.get(at)).filter(|cell| !cell.is_empty());
        let says_state = |cell: &str| {
            result::is_over(cell)
                || result::is_forfeit(cell)
                || result::says_later(cell)
                || is_nobody(cell)
        };
        let has_others = [Role::GamesA, Role::PointsA].iter().any(|role| columns.has(*role));
        if has_others || !cells(result).any(result::is_over) || !cells(result).all(says_state) {
            return None;
        }
        let is_score = |cell: &str| {
            cell.contains(['-', ':'])
                && !result::is_time(cell)
                && matches!(result::read(cell), Cell::Games { .. })
        };
        let is_free = |at: &usize| {
            matches!(columns.roles[*at], None | Some(Role::Games | Role::Score))
                && cells(*at).next().is_some()
                && cells(*at).all(is_score)
        };
        let mut found = (0..columns.roles.len()).filter(is_free);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Whether a column of winners says whether the first player is one: there is 0 or no, and nothing but that and 1 or
    /// yes.
    fn is_zero_second(&self, grid: &Grid) -> bool {
        let Some(at) = self.columns.at(Role::Winner) else { return false };
        let rows = || grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1));
        let cells = || rows().map(|row| row.get(at).to_lowercase()).filter(|cell| !cell.is_empty());
        let is_draw = |cell: &str| {
            matches!(result::read(cell), Cell::Outcome { outcome: Outcome::Draw, forfeit: false })
        };
        let is_name = |row: &Row| {
            let (first, second) = self.names(row);
            [first, second].iter().any(|name| folded(name) == folded(row.get(at)))
        };
        cells().any(|cell| is_no(&cell))
            && cells().all(|cell| is_no(&cell) || is_yes(&cell) || is_draw(&cell))
            && !rows().any(is_name)
    }

    /// Whether scores stand from the side of who won: in no row the smaller number is first, and often enough the
    /// second player won.
    fn are_from_winner(&self, grid: &Grid) -> bool {
        let has = |role| self.columns.has(role);
        if !has(Role::Winner) || !has(Role::Result) || has(Role::GamesA) || self.columns.first_wins
        {
            return false;
        }
        let (mut all, mut turned) = (0, 0);
        for row in grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1)) {
            let Cell::Games { games, .. } = result::read(self.score(row)) else { continue };
            let won = self.winner(grid, row).ok().and_then(|cell| says(&cell));
            match won.zip(Some(result::winner(games))) {
                None | Some((_, Outcome::Draw)) => {}
                Some((won @ (Outcome::First | Outcome::Second), Outcome::First)) => {
                    all += 1;
                    turned += usize::from(won == Outcome::Second);
                }
                Some(_) => return false,
            }
        }
        turned > 0 && turned * 4 >= all
    }

    /// A score from the side of who won, as the first player has it.
    fn turned_by_winner(&self, grid: &Grid, row: &Row, cell: Cell) -> Result<Cell, ImportError> {
        Ok(match cell {
            Cell::Games { games: [one, other, drawn], forfeit }
                if self.is_from_winner
                    && says(&self.winner(grid, row)?) == Some(Outcome::Second) =>
            {
                Cell::Games { games: [other, one, drawn], forfeit }
            }
            cell => cell,
        })
    }

    /// Tells that a drawn match has a winner.
    fn tell_ruled(&mut self, grid: &Grid, row: &Row, cell: &Cell) {
        let Cell::Ruled { games: [one, other, _], outcome } = cell else { return };
        let (first, second) = self.names(row);
        let name = if *outcome == Outcome::First { first } else { second };
        let sentence = format!(
            "{one}-{other} is drawn, and {:?} won: that is read as a ruling, as after penalties.",
            shortened(&name)
        );
        self.oddities.add(&grid.place(row), sentence);
    }

    /// Who won stands first, whatever the order of the games.
    fn by_first(&mut self, grid: &Grid, row: &Row, cell: Cell) -> Result<Cell, ImportError> {
        Ok(match cell {
            Cell::Games { games: [one, other, drawn], forfeit } if one < other => {
                let sentence =
                    format!("Who won stands first: {one}-{other} is read as {other}-{one}.");
                self.oddities.add(&grid.place(row), sentence);
                Cell::Games { games: [other, one, drawn], forfeit }
            }
            cell if says(&cell).is_none() => {
                let is_drawn = self.is_drawn(grid, row)?;
                let outcome = if is_drawn { Outcome::Draw } else { Outcome::First };
                Cell::Outcome { outcome, forfeit: false }
            }
            cell => cell,
        })
    }

    /// Whether a column beside winner and loser says that neither was one. Numbers are of games.
    fn is_drawn(&mut self, grid: &Grid, row: &Row) -> Result<bool, ImportError> {
        let text = self.columns.get(row, Role::Draws);
        let said = text.trim().to_lowercase();
        if let Ok(games) = said.parse::<u16>() {
            if games > 0 {
                let sentence = format!("{games} is read as no drawn match: x says that.");
                self.oddities.add(&grid.place(row), sentence);
            }
            return Ok(false);
        }
        match result::read(text) {
            _ if matches!(said.as_str(), "" | "-") || NO.contains(&said.as_str()) => Ok(false),
            _ if said == "x" || YES.contains(&said.as_str()) => Ok(true),
            Cell::Outcome { outcome: Outcome::Draw, .. } => Ok(true),
            _ => Err(self.bad(grid, row, Role::Draws, text, "x where it was a draw, or nothing")),
        }
    }

    /// A result in two columns, one for each player.
    fn games(
        &self,
        grid: &Grid,
        row: &Row,
        [first, second]: [Role; 2],
    ) -> Result<Cell, ImportError> {
        use Role::*;
        let get = |role| self.columns.get(row, role);
        let halves = |text: &str| match result::read(text) {
            Cell::Open => String::new(),
            Cell::Outcome { outcome: Outcome::Draw, forfeit: false } => "0.5".to_owned(),
            _ => text.replace(',', "."),
        };
        let sign = |role| Some(get(role).trim()).filter(|text| matches!(*text, "-" | "+"));
        let drawn = get(Drawn);
        let [a, b] =
            [first, second].map(|role| sign(role).map_or_else(|| halves(get(role)), str::to_owned));
        let value = |role, text: &str| -> std::result::Result<i32, ImportError> {
            let read = text.strip_suffix(".0").unwrap_or(text).parse::<i32>().ok();
            read.filter(|value| {
                value.unsigned_abs() <= limits::SCORE as u32 && (*value >= 0 || first == PointsA)
            })
            .ok_or_else(|| {
                let is_broken = text.contains('.') && text.parse::<f32>().is_ok();
                let expected = if is_broken {
                    "a whole number: of points of boards such as 4,5 and 3,5 type in a column of results who won (1-0, \
                     0-1 or \u{bd}), or twice as many in every match (9 and 7)"
                } else {
                    "a whole number"
                };
                self.bad(grid, row, role, get(role), expected)
            })
        };
        match (a.as_str(), b.as_str()) {
            ("", "") => Ok(Cell::Open),
            ("0.5", "0.5") => Ok(Cell::Outcome { outcome: Outcome::Draw, forfeit: false }),
            ("0.5", "0") => Ok(Cell::Outcome { outcome: Outcome::HalfFirst, forfeit: false }),
            ("0", "0.5") => Ok(Cell::Outcome { outcome: Outcome::HalfSecond, forfeit: false }),
            ("+", "-" | "") => Ok(Cell::Outcome { outcome: Outcome::First, forfeit: true }),
            ("-" | "", "+") => Ok(Cell::Outcome { outcome: Outcome::Second, forfeit: true }),
            ("-", "-") => Ok(Cell::Dashes),
            ("", _) if !is_nobody(&self.names(row).0) && !is_nobody(&self.names(row).1) => {
                Err(Fault::Missing {
                    what: format!(
                        "the value of {}",
                        self.columns
                            .at(first)
                            .map_or("the first player".to_owned(), |at| self.columns.label(at))
                    ),
                }
                .at(grid.place(row)))
            }
            (_, "") if !is_nobody(&self.names(row).1) => Err(Fault::Missing {
                what: format!(
                    "the value of {}",
                    self.columns
                        .at(second)
                        .map_or("the second player".to_owned(), |at| self.columns.label(at))
                ),
            }
            .at(grid.place(row))),
            (a, b) => {
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

    /// A result as it is written in one cell.
    fn written(&mut self, grid: &Grid, row: &Row, text: &str) -> Result<Cell, ImportError> {
        let (first, second) = self.names(row);
        if let Some((games, outcome)) = result::by_penalties(text) {
            let ruled = Cell::Ruled { games, outcome };
            self.tell_ruled(grid, row, &ruled);
            return Ok(ruled);
        }
        if !self.told_overtime && result::has_overtime(text) {
            self.told_overtime = true;
            let sentence = format!(
                "What stands behind a score for overtime or penalties, as in {:?}, is not read: the score stands.",
                shortened(text)
            );
            self.oddities.add("the results", sentence);
        }
        // The names have their own brackets.
        if let Some(told) = sets::told(text).filter(|_| !self.told_aside) {
            self.told_aside = true;
            self.oddities.add("the results", told);
        }
        if !self.told_aside && result::has_aside(&text.replace(&first, "").replace(&second, "")) {
            self.told_aside = true;
            self.oddities.add("the results", result::aside_left_out(text));
        }
        if let Some(cell) = self.by_sign(text).or_else(|| self.by_color(text)) {
            return Ok(cell);
        }
        match result::read(text) {
            Cell::Date => self.of_date(grid, row, text),
            Cell::Bad
                if (result::is_over(text) || result::is_forfeit(text)) && self.says_it_elsewhere() =>
            {
                Ok(Cell::Open)
            }
            // Who has no opponent has a bye, where the word for it stands instead of a result.
            Cell::Bad
                if is_nobody(text)
                    && text.contains(char::is_alphabetic)
                    && is_nobody(&first) != is_nobody(&second) =>
            {
                Ok(Cell::Open)
            }
            Cell::Bad => self.named(row, text).or_else(|| self.by_side(row, text)).ok_or_else(|| {
                let column =
                    self.columns.at(Role::Result).map_or(String::new(), |at| self.columns.label(at));
                let found = shortened(text);
                let first = self.columns.first_wins.then(|| self.columns.at(Role::PlayerA)).flatten();
                let winner = self.columns.at(Role::Winner).or(first);
                let winner = winner.filter(|_| self.columns.has(Role::Result) && self.have_winners(grid));
                let mut expected = match result::has_half_among(text) {
                    true => "whole games: of points of boards such as 4,5:3,5 type who won (1-0, 0-1 or \u{bd}), or \
                             twice as many in every match (9:7)"
                        .to_owned(),
                    false => format!(
                        "in {column} a result such as 2-1, 2:1, 1-0, \u{bd}, W or + -, or nothing where it is to be \
                         played"
                    ),
                };
                if let Some(winner) = winner {
                    let winner = self.columns.label(winner);
                    let number = self.columns.at(Role::Result).map_or(0, |at| at + 1);
                    expected += &format!("; {winner} is enough, with --columns ignore={number}");
                }
                Fault::BadResult { found, expected }.at(grid.place(row))
            }),
            // Of three numbers the last are games drawn, unless the column's name says it otherwise.
            Cell::Games { games: [won, second, third], forfeit }
                if self.columns.is_drawn_second() && result::has_three(text) =>
            {
                Ok(Cell::Games { games: [won, third, second], forfeit })
            }
            cell => Ok(cell),
        }
    }

    /// Whether every match has a word for who won it: where one has none, it may be drawn.
    fn have_winners(&self, grid: &Grid) -> bool {
        let rows = grid.rows.iter().skip(self.columns.header.map_or(0, |at| at + 1));
        let mut rows = rows.filter(|row| row.filled().nth(1).is_some());
        self.columns.first_wins
            || rows.all(|row| {
                let (first, second) = self.names(row);
                is_nobody(&first)
                    || is_nobody(&second)
                    || !self.columns.get(row, Role::Winner).is_empty()
            })
    }

    /// Whether the result stands in a column beside that of results.
    fn says_it_elsewhere(&self) -> bool {
        [Role::GamesA, Role::Winner, Role::PointsA].iter().any(|role| self.columns.has(*role))
    }

    /// A result as pools have it, where all of a table are: 1, x or 2.
    fn by_sign(&self, text: &str) -> Option<Cell> {
        let outcome = match text.trim() {
            "1" => Outcome::First,
            "x" | "X" => Outcome::Draw,
            "2" => Outcome::Second,
            _ => return None,
        };
        self.are_signs.then_some(Cell::Outcome { outcome, forfeit: false })
    }

    /// Whether all results of a table are 1, x or 2, and x is among them.
    pub(super) fn are_signs(table: &Table) -> bool {
        let cells = || table.body().map(|row| table.columns.get(row, Role::Result));
        let is_sign = |cell: &str| matches!(cell, "" | "1" | "x" | "X" | "2");
        cells().all(is_sign) && cells().any(|cell| matches!(cell, "x" | "X"))
    }

    /// A result that names the color that won, where the columns of both players name theirs.
    fn by_color(&self, text: &str) -> Option<Cell> {
        let (is_white, forfeit) = result::won_by_color(text)?;
        let color = |role| {
            let at = self.columns.at(role)?;
            result::color_of(&self.columns.names[at])
        };
        let first = color(Role::PlayerA)?;
        let is_one_each = color(Role::PlayerB) == Some(!first);
        let outcome = if first == is_white { Outcome::First } else { Outcome::Second };
        is_one_each.then_some(Cell::Outcome { outcome, forfeit })
    }

    /// A result that names the side that won: `Player 2`, and `Home` or `Away Win` where the columns are called so.
    fn by_side(&self, row: &Row, text: &str) -> Option<Cell> {
        let side = result::won_by(text)?;
        let outcome = match names::role(&side)? {
            Role::PlayerA => Outcome::First,
            Role::PlayerB => Outcome::Second,
            _ => return None,
        };
        let (first, second) = self.names(row);
        let own = &self.columns.names[self.columns.at(Role::PlayerA)?];
        // Players may be called by numbers, too.
        let is_a_name = [&first, &second].iter().any(|name| names::are_alike(&side, name));
        let fits = match side.ends_with(['1', '2']) {
            true => names::role(own) != Some(Role::PlayerB),
            false => {
                names::role(own) == Some(Role::PlayerA)
                    && !names::is_numbered(own)
                    && !names::is_numbered(&side)
                    && result::color_of(own).is_none()
                    && result::color_of(&side).is_none()
            }
        };
        (fits && !is_a_name).then_some(Cell::Outcome { outcome, forfeit: false })
    }

    /// A result of which the spreadsheet has made a date: it is read where day and month are the same.
    fn of_date(&mut self, grid: &Grid, row: &Row, text: &str) -> Result<Cell, ImportError> {
        let expected = |was: String| {
            format!(
                "games such as 2-1: the spreadsheet has made a date of it{was}. Format the column as \
                 text, type its results anew, and save"
            )
        };
        match result::of_date(text) {
            Some([one, other]) if one == other => {
                let sentence = format!(
                    "The spreadsheet has made a date of {one}-{other}: {:?}.",
                    shortened(text)
                );
                self.oddities.add(&grid.place(row), sentence);
                Ok(Cell::Games { games: [i32::from(one), i32::from(other), 0], forfeit: false })
            }
            Some([one, other]) => {
                let was = expected(format!(" ({one}-{other} or {other}-{one})"));
                Err(self.bad(grid, row, Role::Result, text, &was))
            }
            None => Err(self.bad(grid, row, Role::Result, text, &expected(String::new()))),
        }
    }

    /// A result that names who won, with their games or without: `Ann`, `Ann 2-1`.
    fn named(&self, row: &Row, text: &str) -> Option<Cell> {
        let (first, second) = self.names(row);
        let said = text.trim();
        let found = [(first, Outcome::First), (second, Outcome::Second)].into_iter().find_map(
            |(name, outcome)| {
                let rest = match said.strip_prefix(name.as_str()) {
                    Some(rest) => rest,
                    None if folded(said) == folded(&name) => "",
                    None => said.strip_suffix(name.as_str())?,
                };
                let is_whole = rest.is_empty()
                    || rest.starts_with([' ', ',', ':', '('])
                    || rest.ends_with([' ', ')']);
                (is_whole && !name.is_empty())
                    .then(|| (outcome, rest.trim_matches([' ', ',', ':', '(', ')']).to_owned()))
            },
        );
        let (outcome, rest) = found?;
        // `Ann won 2-1` says no more than `Ann 2-1`.
        let rest = match rest.split_once(' ') {
            Some((word, rest)) if result::is_win(word) => rest.to_owned(),
            _ => rest,
        };
        if rest.is_empty() || result::is_win(&rest) {
            return Some(Cell::Outcome { outcome, forfeit: false });
        }
        // Whoever forfeited has lost.
        if rest.split(' ').next().is_some_and(|word| matches!(word, "forfeited" | "forfeits")) {
            return Some(Cell::Outcome { outcome: outcome.turned(), forfeit: true });
        }
        if result::is_forfeit(&rest) {
            return Some(Cell::Outcome { outcome, forfeit: true });
        }
        match result::read(&rest) {
            Cell::Games { games, forfeit } if result::winner(games) == outcome => {
                Some(Cell::Games { games, forfeit })
            }
            Cell::Games { games: [one, other, drawn], forfeit } => {
                let games = [other, one, drawn];
                (result::winner(games) == outcome).then_some(Cell::Games { games, forfeit })
            }
            Cell::Outcome { outcome: Outcome::First, forfeit } => {
                Some(Cell::Outcome { outcome, forfeit })
            }
            _ => None,
        }
    }

    /// Who won, where a column names them.
    fn winner(&self, grid: &Grid, row: &Row) -> Result<Cell, ImportError> {
        let text = self.columns.get(row, Role::Winner);
        let (first, second) = self.names(row);
        let said = folded(text);
        // A first or last name is enough where only one of the two has it.
        let is_part = |name: &str| {
            let name = folded(name);
            name.split([' ', ',']).any(|part| !part.is_empty() && part == said)
        };
        // Without a letter or a digit, such as `-` or `...`, it names nobody yet.
        let is_mark = !text.contains(char::is_alphanumeric) && !matches!(text.trim(), "=" | "+");
        let outcome = match said.as_str() {
            _ if is_mark || result::says_later(text) => return Ok(Cell::Open),
            "1" | "a" => Outcome::First,
            "2" | "b" => Outcome::Second,
            said if self.zero_is_second && is_no(said) => Outcome::Second,
            said if self.zero_is_second && is_yes(said) => Outcome::First,
            "x" | "0" => Outcome::Draw,
            said if said == folded(&first) => Outcome::First,
            said if said == folded(&second) => Outcome::Second,
            _ if is_part(&first) && !is_part(&second) => Outcome::First,
            _ if is_part(&second) && !is_part(&first) => Outcome::Second,
            _ => match result::read(text) {
                Cell::Outcome { outcome: Outcome::Draw, .. } => Outcome::Draw,
                Cell::Open => return Ok(Cell::Open),
                _ => {
                    if let Some(cell) = self.by_color(text).or_else(|| self.by_side(row, text)) {
                        return Ok(cell);
                    }
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
    pub(super) fn judge(&mut self, met: &[(&'a Table<'a>, Met<'_>)]) -> Result<(), ImportError> {
        let letters: Vec<char> =
            met.iter().filter_map(|(_, one)| one.letter.map(|(letter, _)| letter)).collect();
        let name = met.first().map_or("", |(table, _)| {
            table.columns.at(Role::Result).map_or("", |at| &table.columns.names[at])
        });
        self.letters = result::letters(&letters, name);
        if self.letters.is_none()
            && let Some((table, one)) =
                met.iter().find(|(_, one)| matches!(one.result, Cell::Letter(_)))
        {
            let text = table.columns.get(one.row, Role::Result);
            return Err(self.bad(
                table.grid,
                one.row,
                Role::Result,
                text,
                "letters of one language for won, drawn and lost, such as W, D and L",
            ));
        }
        for (table, one) in met {
            let Some((letter, [role, by])) = one.letter else { continue };
            let meant = self.outcome_of(letter);
            let other = says(&one.result).filter(|_| role != by);
            if meant.zip(other).is_some_and(|(meant, other)| meant != other) {
                self.columns = &table.columns;
                return Err(self.contradicted(table.grid, one.row, by, role));
            }
        }
        let games = || met.iter().filter_map(|(_, one)| games_of(&one.result));
        self.high = met.iter().find_map(|(table, one)| {
            let games = games_of(&one.result).filter(result::is_high)?;
            Some((table.grid.place(one.row), [games[0], games[1]]))
        });
        self.only_outcomes = games().next().is_none()
            && met
                .iter()
                .any(|(_, one)| matches!(one.result, Cell::Outcome { .. } | Cell::Letter(_)));
        let of_points = met.iter().any(|(table, _)| table.columns.has(Role::PointsA));
        self.is_games = result::are_games(games()) && (self.only_outcomes || !of_points);
        for (_, one) in met.iter().filter(|(_, one)| one.result != Cell::Open) {
            let open = self.dashes_open.entry(one.round).or_insert(true);
            *open &= one.result == Cell::Dashes;
        }
        Ok(())
    }

    /// What a letter says, in the language of all of them.
    fn outcome_of(&self, letter: char) -> Option<Outcome> {
        let at = self.letters?.iter().position(|one| *one == letter)?;
        Some([Outcome::First, Outcome::Draw, Outcome::Second][at])
    }

    /// Games as lines of a scoresheet.
    fn scored(&self, games: [i32; 3]) -> Score {
        match self.is_games {
            true => crate::sheet::games_score(games),
            false => crate::sheet::score(&[vec![games[0]], vec![games[1]]], &[]),
        }
    }

    /// The result of a row as it is recorded.
    pub(super) fn match_result(&self, met: &Met<'_>) -> (MatchResult, How) {
        let empty = MatchResult::played(Default::default());
        let how = |forfeit| if forfeit { How::Forfeit } else { How::Played };
        let by_outcome = |outcome, forfeit| by_outcome(outcome, forfeit || !self.only_outcomes);
        match met.result {
            // Of a draw each has half a point, where points are counted so.
            Cell::Games { games: [0, 0, 0], .. } if self.halves => {
                (by_outcome(Outcome::BothLost, true), How::Played)
            }
            Cell::Ruled { games, outcome } => {
                let rulings = ruled(outcome).into_iter().collect();
                (MatchResult { rulings, ..MatchResult::played(self.scored(games)) }, How::Played)
            }
            Cell::Games { games, forfeit } => {
                let score = self.scored(games);
                let rulings = if forfeit { ruled(result::winner(games)) } else { Vec::new() };
                let rulings = rulings.into_iter().collect();
                (MatchResult { rulings, ..MatchResult::played(score) }, how(forfeit))
            }
            Cell::Outcome { outcome, forfeit } => (by_outcome(outcome, forfeit), how(forfeit)),
            Cell::Letter(letter) => {
                let outcome = self.outcome_of(letter).unwrap_or(Outcome::Draw);
                (by_outcome(outcome, false), How::Played)
            }
            Cell::Dashes if self.dashes_open.get(&met.round) == Some(&false) => {
                (by_outcome(Outcome::BothLost, true), How::Forfeit)
            }
            _ => (empty, How::Played),
        }
    }
}

/// Words and signs for no.
const NO: [&str; 9] = ["no", "n", "nein", "non", "não", "false", "falsch", "faux", "falso"];
/// Words and signs for yes.
const YES: [&str; 15] = [
    "yes",
    "y",
    "ja",
    "j",
    "oui",
    "o",
    "si",
    "sì",
    "sí",
    "sim",
    "true",
    "wahr",
    "vrai",
    "vero",
    "verdadero",
];

fn is_no(said: &str) -> bool {
    said == "0" || NO.contains(&said)
}

fn is_yes(said: &str) -> bool {
    said == "1" || YES.contains(&said)
}

/// Who won by what a cell says; none where it leaves that open, as 0-0 does.
fn says(cell: &Cell) -> Option<Outcome> {
    match cell {
        Cell::Games { games, .. } if !is_nothing(cell) => Some(result::winner(*games)),
        Cell::Outcome { outcome, .. } | Cell::Ruled { outcome, .. } => Some(*outcome),
        _ => None,
    }
}

/// The games of a cell.
pub(super) fn games_of(cell: &Cell) -> Option<[i32; 3]> {
    match cell {
        Cell::Games { games, .. } | Cell::Ruled { games, .. } => Some(*games),
        _ => None,
    }
}

/// A drawn score, where who won stands beside it.
fn drawn_and_won(cell: &Cell, winner: &Cell) -> Option<Cell> {
    let outcome = says(winner).filter(|won| matches!(won, Outcome::First | Outcome::Second))?;
    match cell {
        Cell::Games { games, forfeit: false } if says(cell) == Some(Outcome::Draw) => {
            Some(Cell::Ruled { games: *games, outcome })
        }
        _ => None,
    }
}

/// How much a cell says: who won more than nothing, that nobody came or the most games most.
fn weight(cell: &Cell) -> (bool, bool, i32) {
    let (forfeit, games) = match cell {
        Cell::Games { games, forfeit } => (*forfeit, games.iter().sum()),
        Cell::Ruled { games, .. } => (false, games.iter().sum()),
        Cell::Outcome { forfeit, .. } => (*forfeit, 0),
        _ => (false, -1),
    };
    (says(cell).is_some(), forfeit, games)
}

/// The rulings of an outcome.
fn ruled(outcome: Outcome) -> Vec<Option<Ruling>> {
    let both = match outcome {
        Outcome::First => [Ruling::Win, Ruling::Loss],
        Outcome::Second => [Ruling::Loss, Ruling::Win],
        Outcome::Draw => [Ruling::Draw; 2],
        Outcome::BothLost => [Ruling::Loss; 2],
        Outcome::HalfFirst => [Ruling::Draw, Ruling::Loss],
        Outcome::HalfSecond => [Ruling::Loss, Ruling::Draw],
    };
    both.map(Some).to_vec()
}

/// What is recorded where only the outcome is known: one game, or what was ruled.
pub(in crate::anysheet) fn by_outcome(outcome: Outcome, is_ruled: bool) -> MatchResult {
    let games = match outcome {
        _ if is_ruled => None,
        Outcome::First => Some([1, 0, 0]),
        Outcome::Second => Some([0, 1, 0]),
        Outcome::Draw => Some([0, 0, 1]),
        Outcome::BothLost | Outcome::HalfFirst | Outcome::HalfSecond => None,
    };
    let score = games.map_or_else(Default::default, crate::sheet::games_score);
    let rulings = if games.is_none() { ruled(outcome) } else { Vec::new() };
    MatchResult { rulings: rulings.into_iter().collect(), ..MatchResult::played(score) }
}

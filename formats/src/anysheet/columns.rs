//! Which column holds what: by name, by a person's choice, or asked for.

mod ask;
mod head;
mod mistaken;
mod pairs;
mod unnamed;

use std::cell::Cell;
use std::collections::BTreeMap;

use super::grid::{Grid, Row};
use super::names::{self, Role, WORDS};
use super::result;
use crate::error::shortened;
use crate::{Fault, ImportError};

/// How many rows may stand above the columns.
const ABOVE: usize = 40;

/// The letters of won, drawn and lost, in the order in which a language has them.
const RECORDS: [&str; 10] = ["wdl", "wtl", "sun", "guv", "vnd", "gnp", "gep", "ved", "vnp", "vps"];

/// What a sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    /// Players alone.
    Roster,
    /// Matches, with their results or without.
    Matches,
    /// Points or ranks, without a round.
    Standings,
}

/// Something that nobody but a person can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The word of what is looked for, such as `player_b`.
    pub role: &'static str,
    /// The columns that may hold it, from 1.
    pub candidates: Vec<usize>,
}

/// The columns of a sheet.
#[derive(Debug)]
pub(super) struct Columns {
    /// The row of their names, by its index; none where the first row is a row like any other.
    pub header: Option<usize>,
    /// Their names as they are written.
    pub names: Vec<String>,
    /// What each holds.
    pub roles: Vec<Option<Role>>,
    /// Whether a cell of it was asked for: a column of which none was is told as not read.
    pub read: Vec<Cell<bool>>,
    pub kind: SheetKind,
    /// Whether the first player of each row is the one who won.
    pub first_wins: bool,
    pub question: Option<Question>,
}

impl Columns {
    /// Where a role's column is.
    pub fn at(&self, role: Role) -> Option<usize> {
        self.roles.iter().position(|one| *one == Some(role))
    }

    pub fn has(&self, role: Role) -> bool {
        self.at(role).is_some()
    }

    /// Whether results stand in columns of their own.
    pub fn says_results(&self) -> bool {
        use Role::*;
        [Result, GamesA, Winner, PointsA].iter().any(|role| self.has(*role))
    }

    /// The cell of a role; empty where there is none.
    pub fn get<'r>(&self, row: &'r Row, role: Role) -> &'r str {
        self.at(role).map_or("", |at| {
            self.read[at].set(true);
            row.get(at)
        })
    }

    /// What these columns hold is not kept.
    pub fn are_not_kept(&self, roles: &[Role]) {
        roles.iter().filter_map(|role| self.at(*role)).for_each(|at| self.read[at].set(false));
    }

    /// A column for messages: its number and its name.
    pub fn label(&self, at: usize) -> String {
        let name = self.names.get(at).map_or("", String::as_str);
        match name.is_empty() {
            true => format!("column {}", at + 1),
            false => format!("column {} ({})", at + 1, brief(name)),
        }
    }

    /// The column that says in which part of the tournament matches are, such as `Phase`.
    pub fn part(&self) -> Option<usize> {
        (0..self.roles.len())
            .find(|at| self.roles[*at].is_none() && names::is_part(&self.names[*at]))
    }

    /// What is said where rounds begin anew in each part, as in this row.
    pub fn numbered_on(&self, part: usize, row: &Row) -> Fault {
        let at = self.at(Role::Round).or_else(|| self.at(Role::PlayerA)).unwrap_or(0);
        let expected = format!(
            "a number of its own for each round: where {} says another part, number the rounds on (behind 1, 2, 3 comes \
             4)",
            self.label(part)
        );
        Fault::BadValue { what: self.label(at), found: shortened(row.get(at)), expected }
    }

    /// Whether a row repeats the columns' names.
    pub fn is_header(&self, row: &Row) -> bool {
        let is_name = |(cell, name): (&String, &String)| cell == name || cell.is_empty();
        self.header.is_some() && row.cells.iter().zip(&self.names).all(is_name)
    }
}

/// A name as short as a list of many needs it.
fn brief(name: &str) -> String {
    match name.char_indices().nth(24) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

/// Finds the columns of a sheet. None where it is no table at all.
pub(super) fn find(grid: &Grid, asked: Option<&str>) -> Result<Option<Columns>, ImportError> {
    let worth = |row: &Row| row.cells.iter().filter(|cell| names::is_known(cell)).count();
    let above = grid.rows.iter().take(ABOVE).enumerate();
    let best = above.map(|(at, row)| (at, worth(row))).rev().max_by_key(|(_, worth)| *worth);
    // A single known name is a header where it stands alone, or where most cells are short words.
    let header = best.filter(|(at, worth)| {
        let cells = grid.rows[*at].filled().count();
        let of_rounds =
            grid.rows[*at].filled().filter(|(_, name)| names::role(name) == Some(Role::OfRound));
        *worth > 1 || *worth == 1 && (cells == 1 + of_rounds.count() || asked.is_some())
    });
    let header = header.map(|(at, _)| at);
    let first = match grid.rows.get(header.unwrap_or(0)) {
        Some(row) => row,
        None => return Err(Fault::Empty.into()),
    };
    let width = grid.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let mut names = first.cells.clone();
    names.resize(width, String::new());
    // Of names in two lines the upper one is that of a column without a name in the lower one.
    let over = header.and_then(|at| at.checked_sub(1)).map(|at| &grid.rows[at]);
    let is_over =
        |row: &&Row| row.line + 1 == first.line && worth(row) > 0 && row.filled().count() > 1;
    if let Some(over) = over.filter(is_over) {
        for (at, name) in over.filled().filter(|(_, name)| names::is_known(name)) {
            if names.get(at).is_some_and(String::is_empty) {
                name.clone_into(&mut names[at]);
            }
        }
    }
    let chosen = asked.map(|asked| choice(asked, &names, width)).transpose()?.unwrap_or_default();
    let header = header.or_else(|| head::is_unknown(grid, &chosen).then_some(0));
    if header.is_none() && chosen.is_empty() && !is_table(grid) {
        return Ok(None);
    }
    let mut roles: Vec<Option<Role>> = match header {
        Some(_) => names.iter().map(|name| names::role(name)).collect(),
        None => vec![None; width],
    };
    for role in &mut roles {
        // What was chosen stands elsewhere.
        if role.is_some_and(|role| chosen.values().any(|one| *one == role && one != &Role::Ignore))
        {
            *role = None;
        }
    }
    chosen.iter().for_each(|(at, role)| roles[*at] = Some(*role));
    // Blocks under one another repeat the names, which are no cells.
    let repeats = |row: &&Row| {
        let is_name = |(cell, name): (&String, &String)| cell == name || cell.is_empty();
        header.is_some() && row.cells.iter().zip(&names).all(is_name)
    };
    let below = grid.rows.iter().skip(header.map_or(0, |at| at + 1));
    let body: Vec<&Row> = below.filter(|row| !repeats(row)).collect();
    let (kind, first_wins, question) = (SheetKind::Roster, false, None);
    let read = vec![Cell::new(false); width];
    let mut columns = Columns { header, names, roles, read, kind, first_wins, question };
    if header.is_none() && chosen.is_empty() {
        for (at, role) in columns.guess(&body) {
            columns.roles[at] = Some(role);
        }
    }
    columns.settle(&body, &chosen);
    let of_matches = columns.kind == SheetKind::Matches;
    if let Some((at, row)) = columns.third(&body).filter(|_| of_matches) {
        let (what, found) = (columns.label(at), shortened(row.get(at)));
        let expected = "two players at a table: a sheet with three or more in a row, such as pods, is not read. Bring \
                        in what the program exports, or choose `ignore` for this column"
            .to_owned();
        return Err(Fault::BadValue { what, found, expected }.at(grid.place(row)));
    }
    Ok(Some(columns))
}

/// Whether most cells of a column are scores of two, such as `2:1`.
fn are_scores_of_two(body: &[&Row], at: usize) -> bool {
    let cells = || body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty());
    let is_score = |cell: &&str| {
        cell.contains(['-', ':', '\u{2013}'])
            && matches!(result::read(cell), result::Cell::Games { .. })
    };
    cells().filter(is_score).count() * 2 > cells().count()
}

/// Whether rows of several cells each stand under one another.
fn is_table(grid: &Grid) -> bool {
    let wide = |row: &&Row| row.filled().count() > 1;
    let rows = grid.rows.iter().filter(wide).count();
    let same = grid.rows.windows(2).filter(|two| two[0].cells.len() == two[1].cells.len()).count();
    rows > 1 && same * 2 >= rows
}

/// A word of a choice as it is looked for.
pub(super) fn word(word: &str) -> String {
    word.trim().to_lowercase().replace(['-', ' '], "_")
}

/// A choice such as `round=1,player_a=2,player_b=Gegner`.
fn choice(
    asked: &str,
    names: &[String],
    width: usize,
) -> Result<BTreeMap<usize, Role>, ImportError> {
    let mut chosen = BTreeMap::new();
    for part in asked.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let bad = |expected: String| -> ImportError {
            let (what, found) = ("the choice of columns".to_owned(), shortened(part));
            Fault::BadValue { what, found, expected }.into()
        };
        let (word, column) = part
            .split_once('=')
            .ok_or_else(|| bad("a word and a column, such as player_a=2".into()))?;
        let word = self::word(word);
        let role = WORDS.iter().find(|(known, _)| *known == word).map(|(_, role)| *role);
        let role = role.ok_or_else(|| bad(WORDS.map(|(word, _)| word).join(", ")))?;
        let column = column.trim();
        let named = |name: &&String| {
            scrutineer_engine::names::plain(name) == scrutineer_engine::names::plain(column)
        };
        let at = match column.parse::<usize>() {
            Ok(number) => number.checked_sub(1).filter(|at| *at < width),
            Err(_) => names.iter().position(|name| named(&name)),
        };
        let at = at.ok_or_else(|| bad(format!("a column from 1 to {width}, or its name")))?;
        if chosen.insert(at, role).is_some_and(|other| other != role)
            || role != Role::Ignore && chosen.values().filter(|one| **one == role).count() > 1
        {
            return Err(bad("each column and each word once".into()));
        }
    }
    Ok(chosen)
}

impl Columns {
    /// Settles what names alone leave open.
    fn settle(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        self.clubs(body, chosen);
        self.leave_out_others(chosen);
        self.leave_out_ranks(body, chosen);
        self.leave_out_totals(chosen);
        self.leave_out_numbers(body, chosen);
        self.leave_out_sets(chosen);
        self.pairings(body, chosen);
        self.between(body, chosen);
        let count = |columns: &Columns, role| columns.all(role).len();
        self.names_of(body, chosen);
        // Of two persons in a row each may have a column for either name.
        for (one, sides) in [(FirstName, [FirstA, FirstB]), (LastName, [LastA, LastB])] {
            let of_matches = [Round, Table, Result, Score, Games, Winner, Wins];
            if count(self, one) == 2
                && of_matches.iter().any(|role| self.has(*role))
                && !sides.iter().any(|side| self.has(*side))
            {
                self.in_order(one, sides);
            }
        }
        if self.has(PlayerB) && !self.has(PlayerA) && count(self, Name) == 1 {
            self.rename(Name, PlayerA);
        }
        for (one, first, second) in [(FirstName, FirstA, FirstB), (LastName, LastA, LastB)] {
            if self.has(second) && !self.has(first) {
                self.rename(one, first);
            }
        }
        if self.has(Winner) && self.has(Loser) && !self.has(PlayerA) && !self.has(PlayerB) {
            self.rename(Winner, PlayerA);
            self.rename(Loser, PlayerB);
            self.first_wins = true;
        }
        let second = self.has(PlayerB) || self.has(LastB);
        let pair = self.has(Pairing) || (self.has(PlayerA) || self.has(LastA)) && second;
        self.record(chosen);
        if pair {
            for (one, first, second) in [
                (Points, PointsA, PointsB),
                (Games, GamesA, GamesB),
                (Score, GamesA, GamesB),
                (Wins, GamesA, GamesB),
                (Id, IdA, IdB),
            ] {
                let both = self.all(one);
                // `Sets` and `Legs` are not of one player each.
                let are_alike =
                    |two: &[usize]| names::are_alike(&self.names[two[0]], &self.names[two[1]]);
                match (both.len(), self.has(first), self.has(second)) {
                    (2, false, false) if one == Games && !are_alike(&both[..]) => {}
                    (2, false, false) => self.in_order(one, [first, second]),
                    (1, false, true) => self.rename(one, first),
                    _ => {}
                }
            }
            // Both players' own, which a list of players tells better.
            let by_number = self.are_numbers(body, PlayerB);
            for (at, role) in self.roles.iter_mut().enumerate() {
                let is_own = matches!(
                    role,
                    Some(Rating | Division | Title | Federation | Country | Number | Rank)
                ) && !(by_number && *role == Some(Number));
                if is_own && !chosen.contains_key(&at) {
                    *role = Some(Ignore);
                }
            }
            // Beside a score `Esito` says no more.
            let results = self.all(Result);
            for at in results.iter().filter(|_| results.len() > 1) {
                let is_outcome = self.names[*at].eq_ignore_ascii_case("esito");
                if is_outcome && !chosen.contains_key(at) {
                    self.roles[*at] = None;
                }
            }
            if !self.has(Result) {
                self.rename(Score, Result);
            }
            // Won and lost by one of the two, against the other: the games of their match.
            if self.all(Wins).len() == 1
                && self.has(Losses)
                && ![Result, GamesA, GamesB, PointsA].iter().any(|role| self.has(*role))
            {
                self.rename(Wins, GamesA);
                self.rename(Losses, GamesB);
            }
            if self.has(GamesA) {
                self.rename(Draws, Drawn);
            }
            self.scores(body, chosen);
            self.winners(body, chosen);
            // Points beside a result are those before the round, as lists of pairings print them.
            if self.has(Result) || self.has(GamesA) {
                for (at, role) in self.roles.iter_mut().enumerate() {
                    if matches!(role, Some(PointsA | PointsB)) && !chosen.contains_key(&at) {
                        *role = Some(Ignore);
                    }
                }
            }
            self.kind = SheetKind::Matches;
        } else {
            if !self.has(Points) {
                // Scores of two in a round: the other name stands in a column that is not known.
                let is_of_match = self.has(Round) && self.are_of_two(body, Score);
                self.rename(Score, if is_of_match { Result } else { Points });
            }
            let is_ranked = self.has(Points) || self.has(Rank);
            self.kind = if is_ranked { SheetKind::Standings } else { SheetKind::Roster };
        }
        self.ask(body, chosen, pair);
    }

    /// Columns without a name: the other half of a pairing or a result, or a sign between two.
    fn between(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let cells =
            |at: usize| body.iter().map(move |row| row.get(at)).filter(|cell| !cell.is_empty());
        let is_sign = |at: usize| {
            let mut all = cells(at).peekable();
            all.peek().is_some()
                && all.all(|cell| {
                    [
                        "-", ":", "vs", "vs.", "v", "gegen", "x", "\u{2013}", "contre", "contra",
                        "contro",
                    ]
                    .contains(&cell.to_lowercase().as_str())
                })
        };
        for at in 0..self.roles.len() {
            if chosen.contains_key(&at) || !self.names[at].is_empty() && self.roles[at].is_some() {
                continue;
            }
            if is_sign(at) {
                self.roles[at] = Some(Ignore);
                continue;
            }
            if !self.names[at].is_empty() || self.header.is_none() || cells(at).next().is_none() {
                continue;
            }
            let before = (0..at).rev().find(|before| self.roles[*before] != Some(Ignore));
            let Some(before) = before.filter(|before| at - before <= 2) else { continue };
            let numbers = |at: usize| cells(at).all(|cell| cell.parse::<u16>().is_ok());
            match self.roles[before] {
                // What stands beside the name of somebody who has a rank or a record is no opponent.
                Some(Name)
                    if self.is_of_one(body) && !self.has_matches(body) && !self.has(Table) => {}
                Some(Pairing | Name) if !self.has(PlayerB) && !numbers(at) => {
                    self.roles[before] = Some(PlayerA);
                    self.roles[at] = Some(PlayerB);
                }
                Some(Result | Score | Games) if numbers(before) && numbers(at) => {
                    self.roles[before] = Some(GamesA);
                    self.roles[at] = Some(GamesB);
                }
                _ => {}
            }
        }
    }

    /// Three columns of one letter each, side by side, such as `S`, `U`, `N`: won, drawn, lost, or the last two the
    /// other way round. What they say together no single one says otherwise: `N` is no number, and beside them `PG`
    /// is how many were played.
    fn record(&mut self, chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        let letter = |name: &String| {
            let mut letters = name.chars().filter(|c| c.is_alphanumeric());
            letters.next().filter(|_| letters.next().is_none()).map(|c| c.to_ascii_lowercase())
        };
        let at = |start: usize| {
            let three = self.names.get(start..start + 3)?.iter().map(letter);
            let three = three.collect::<Option<Vec<_>>>()?;
            let is = |[won, second, third]: [usize; 3]| {
                let all = [three[won], three[second], three[third]];
                RECORDS.contains(&String::from_iter(all).as_str())
            };
            match (is([0, 1, 2]), is([0, 2, 1])) {
                (true, _) => Some((start, [Wins, Draws, Losses])),
                (_, true) => Some((start, [Wins, Losses, Draws])),
                _ => None,
            }
        };
        let free = |start: usize| (start..start + 3).all(|at| !chosen.contains_key(&at));
        let found = (0..self.names.len()).filter(|start| free(*start)).find_map(at);
        let is_said = |role: &Role| chosen.values().any(|one| one == role);
        if let Some((start, roles)) = found
            && ![Draws, Losses].iter().any(|role| self.has(*role))
            && !is_said(&Wins)
        {
            self.all(Wins).into_iter().for_each(|at| self.roles[at] = None);
            self.roles[start..start + 3].copy_from_slice(&roles.map(Some));
        }
    }

    /// Whether the name of the column of results says that games drawn stand before those lost: `Result (W-D-L)`.
    pub fn is_drawn_second(&self) -> bool {
        let name = self.at(Role::Result).map_or("", |at| &self.names[at]);
        let name = name.to_lowercase();
        let parts: Vec<&str> =
            name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
        parts.iter().any(|part| RECORDS.contains(part))
            || parts.windows(3).any(|three| {
                let words = [three[0], three[1], three[2]].map(names::role);
                let letters = three.concat();
                words == [Some(Role::Wins), Some(Role::Draws), Some(Role::Losses)]
                    || three.iter().all(|part| part.len() == 1)
                        && RECORDS.contains(&letters.as_str())
            })
    }

    /// The only column of scores such as `2-1` is the result, whatever it is called.
    fn scores(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        use Role::*;
        if self.says_results() || self.first_wins {
            return;
        }
        // Times of day are none.
        let is_score = |cell: &str| match result::read(cell) {
            result::Cell::Games { games, .. } => games.iter().all(|games| *games < 10),
            _ => false,
        };
        let is_open = |cell: &str| result::read(cell) == result::Cell::Open;
        let are_scores = |at: &usize| {
            let cells = || body.iter().map(|row| row.get(*at)).filter(|cell| !cell.is_empty());
            cells().any(is_score) && cells().all(|cell| is_score(cell) || is_open(cell))
        };
        let free = |at: &usize| {
            matches!(self.roles[*at], None | Some(Games | Points)) && !chosen.contains_key(at)
        };
        let free = |at: &usize| free(at) && !self.are_times(body, *at);
        let found: Vec<usize> = (0..self.roles.len()).filter(free).filter(are_scores).collect();
        // Of a half or a leg it is none beside that of the whole match.
        let is_part = |at: usize| {
            let mut others = (0..self.roles.len()).filter(|other| *other != at);
            names::is_of_part(&self.names[at]) && others.any(|other| are_scores_of_two(body, other))
        };
        if let [at] = found[..]
            && !is_part(at)
        {
            self.roles[at] = Some(Result);
        }
    }

    /// Whether the only column of a role has scores of two in most of its cells, such as `2:1`.
    fn are_of_two(&self, body: &[&Row], role: Role) -> bool {
        let [at] = self.all(role)[..] else { return false };
        are_scores_of_two(body, at)
    }

    /// Whether there are numbers in the column of a role, and nothing else.
    fn are_numbers(&self, body: &[&Row], role: Role) -> bool {
        let Some(at) = self.at(role) else { return false };
        let mut cells =
            body.iter().map(|row| row.get(at)).filter(|cell| !names::is_nobody(cell)).peekable();
        cells.peek().is_some() && cells.all(|cell| names::number(cell).is_some())
    }

    /// The first cell of a third player at a table, as pods have them, with its column: a row is a match of two.
    fn third<'r>(&self, body: &[&'r Row]) -> Option<(usize, &'r Row)> {
        let is_third = |at: &usize| {
            let name = &self.names[*at];
            let digits: String = name.chars().filter(char::is_ascii_digit).collect();
            let is_later = digits.parse::<u8>().is_ok_and(|seat| (3..10).contains(&seat));
            is_later && names::role(&name.replace(&digits, "1")) == Some(Role::PlayerA)
        };
        let at = (0..self.names.len()).filter(|at| self.roles[*at].is_none()).find(is_third)?;
        Some((at, body.iter().find(|row| !row.get(at).is_empty())?))
    }

    fn all(&self, role: Role) -> Vec<usize> {
        (0..self.roles.len()).filter(|at| self.roles[*at] == Some(role)).collect()
    }

    fn rename(&mut self, from: Role, to: Role) {
        if !self.has(to) {
            self.roles
                .iter_mut()
                .filter(|role| **role == Some(from))
                .for_each(|role| *role = Some(to));
        }
    }

    fn in_order(&mut self, from: Role, to: [Role; 2]) {
        let mut to = to;
        // Who stands first in the row need not be the first player: `Visitor, Runs, Home, Runs`.
        let sides = [[Role::PlayerA, Role::PlayerB], [Role::LastA, Role::LastB]];
        let is_turned = |[one, other]: [Role; 2]| self.at(other) < self.at(one) && self.has(other);
        if sides.into_iter().any(is_turned) {
            to.reverse();
        }
        for (at, to) in self.all(from).into_iter().zip(to) {
            self.roles[at] = Some(to);
        }
    }
}

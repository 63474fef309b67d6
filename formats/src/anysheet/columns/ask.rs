//! What only a person can say of a sheet's columns.

use std::collections::{BTreeMap, BTreeSet};

use super::{Columns, Question, brief};
use crate::Fault;
use crate::anysheet::grid::{Grid, Row};
use crate::anysheet::names::{self, Role, WORDS};
use crate::anysheet::result::{self, Cell, Outcome};

/// How many questions one choice answers.
const QUESTIONS: usize = 6;

/// Of how many columns, and of how many rows, names are compared.
const COMPARED: [usize; 2] = [16, 500];

impl Columns {
    /// `Fecha` is a day or a matchday: where its cells are small whole numbers it is the round.
    fn matchdays(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>) {
        let Some(at) = self.at(Role::Date).filter(|at| !chosen.contains_key(at)) else { return };
        let cells = || body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty());
        let is_small = |cell: &str| cell.parse::<u8>().is_ok_and(|day| (1..100).contains(&day));
        let is_fecha = self.names[at].trim().eq_ignore_ascii_case("fecha");
        let is_round = is_fecha && cells().next().is_some() && cells().all(is_small);
        if is_round && !self.has(Role::Round) && !chosen.values().any(|role| *role == Role::Round) {
            self.roles[at] = Some(Role::Round);
        }
    }

    /// Columns that may hold the result where none is known as that: two of small numbers, of which most are below 10,
    /// side by side or as far from each player; otherwise those in which scores stand, such as `2:1`, words for won and
    /// lost, or the names of those who won.
    fn perhaps_result(&self, body: &[&Row]) -> Option<(Role, Vec<usize>)> {
        use Role::*;
        if self.says_results() || self.first_wins {
            return None;
        }
        let cells =
            |at: usize| body.iter().map(move |row| row.get(at)).filter(|cell| !cell.is_empty());
        let is_open = |cell: &str| result::read(cell) == Cell::Open;
        let is_small = |cell: &str| cell.parse::<u8>().is_ok_and(|games| games < 100);
        let are_small = |at: usize| {
            self.roles[at].is_none()
                && !names::is_of_before(&self.names, at)
                && cells(at).any(is_small)
                && cells(at).all(|cell| is_small(cell) || is_open(cell))
        };
        let are_games = |one: usize, other: usize| {
            let both = || cells(one).chain(cells(other));
            let single = both().filter(|cell| cell.len() == 1).count();
            are_small(one) && are_small(other) && single * 2 > both().count()
        };
        let width = self.roles.len();
        let sides = self.at(PlayerA).zip(self.at(PlayerB));
        let apart = sides.map(|(one, other)| other.abs_diff(one)).filter(|apart| *apart > 1);
        let pairs = |by: usize| -> Vec<[usize; 2]> {
            // Of three in a row each is a game.
            let alone = |at: usize| at >= width || !are_small(at);
            let is_pair = |at: &usize| {
                are_games(*at, at + by)
                    && (by > 1 || alone(at + 2) && alone(at.checked_sub(1).unwrap_or(width)))
            };
            (by..width).map(|at| at - by).filter(is_pair).map(|at| [at, at + by]).collect()
        };
        // Only the games of the second player are known by their name.
        if let Some(second) = self.at(GamesB) {
            let found: Vec<usize> = (0..width).filter(|at| are_small(*at)).collect();
            return (!found.is_empty()).then_some((GamesA, [found, vec![second]].concat()));
        }
        let (beside, as_far) = (pairs(1), apart.map(pairs).unwrap_or_default());
        // Two side by side behind each player are theirs, such as a handicap and hoops.
        let pair = match (beside.len(), as_far.is_empty()) {
            (0, _) => as_far.concat(),
            (2.., false) => beside.concat(),
            _ => beside[0].to_vec(),
        };
        let in_order = |pair: Vec<usize>| match sides {
            Some((one, other)) if other < one && pair.is_sorted() => {
                pair.into_iter().rev().collect()
            }
            _ => pair,
        };
        let pair = Some(pair).filter(|pair| !pair.is_empty());
        // Days are none.
        let is_padded = |cell: &str| {
            let mut numbers = cell.split(|c: char| !c.is_ascii_digit());
            numbers.any(|number| number.len() > 1 && number.starts_with('0'))
        };
        let is_score = |cell: &str| match result::read(cell) {
            Cell::Games { games: [one, other, _], .. } => {
                let is_written = cell.contains(['-', ':']) && !result::is_time(cell);
                // A year and a week are none.
                let is_low = one < 1_000 && other < 1_000;
                (one < 7 || other < 7 || is_written) && is_low && !is_padded(cell)
            }
            Cell::Outcome { forfeit, .. } => !forfeit && cell.contains(['-', ':']),
            _ => false,
        };
        let are_scores = |at: &usize| {
            let scores = cells(*at).filter(|cell| is_score(cell)).count();
            self.roles[*at].is_none_or(|role| matches!(role, Games | Points | Score))
                && scores * 2 > cells(*at).count()
                && !self.are_times(body, *at)
                && !names::is_of_before(&self.names, *at)
        };
        let scores = || self.whole((0..width).filter(are_scores).collect());
        let three = (0..width.saturating_sub(2)).find(|at| (0..3).all(|by| are_small(at + by)));
        match pair {
            Some(pair) => Some((GamesA, in_order(pair))),
            None if three.is_some() => three.map(|at| (Result, vec![at, at + 1, at + 2])),
            None => match scores() {
                found if found.is_empty() => {
                    let words = || self.words_of_results(body).map(|at| (Result, vec![at]));
                    let winners = || self.names_of_winners(body);
                    let numbers = self.unnamed(body).map(|pair| (GamesA, in_order(pair)));
                    numbers.or_else(words).or_else(winners)
                }
                found => Some((Result, found)),
            },
        }
    }

    /// The only column that is not read in which nothing but words or letters for won, drawn and lost stand, and more
    /// than one of them.
    fn words_of_results(&self, body: &[&Row]) -> Option<usize> {
        let are_words = |at: &usize| {
            let cells = body.iter().map(|row| row.get(*at)).filter(|cell| !cell.is_empty());
            let cells: BTreeSet<&str> = cells.take(COMPARED[1]).collect();
            let letters: Option<Vec<char>> = cells
                .iter()
                .map(|cell| match result::read(cell) {
                    Cell::Letter(letter) => Some(letter),
                    _ => None,
                })
                .collect();
            let are_outcomes = || {
                let is_outcome = |cell: &&str| {
                    matches!(result::read(cell), Cell::Outcome { forfeit: false, .. })
                };
                cells.iter().all(is_outcome)
                    && cells.iter().all(|cell| !cell.contains(char::is_numeric))
            };
            cells.len() > 1
                && (letters.is_some_and(|all| result::letters(&all, "").is_some())
                    || are_outcomes())
        };
        let mut found = self.unread().filter(are_words);
        found.next().filter(|_| found.next().is_none())
    }

    /// The only column that is not read in which each cell names one of the two players of its row, alone or before a
    /// score, and not the same side in all of them, as a place does.
    fn names_of_winners(&self, body: &[&Row]) -> Option<(Role, Vec<usize>)> {
        let [one, other] = [self.at(Role::PlayerA)?, self.at(Role::PlayerB)?];
        let role = |at: usize| {
            let (mut sides, mut has_more) = (BTreeSet::new(), false);
            for row in body.iter().take(COMPARED[1]).filter(|row| !row.get(at).is_empty()) {
                let cell = row.get(at);
                let begins = |side: &usize| {
                    let name = row.get(*side);
                    let rest = cell.strip_prefix(name).filter(|_| !name.is_empty());
                    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
                };
                let is_neither = matches!(
                    result::read(cell),
                    Cell::Open | Cell::Outcome { outcome: Outcome::Draw, .. }
                );
                let side = [one, other].into_iter().find(begins);
                if side.is_none() && !is_neither {
                    return None;
                }
                has_more |= side.is_some_and(|side| cell.len() > row.get(side).len());
                sides.extend(side);
            }
            let role = if has_more { Role::Result } else { Role::Winner };
            (!sides.is_empty()).then_some((sides.len(), role, at))
        };
        // Of several each may be of one game.
        let mut found = self.unread().filter_map(role);
        let (sides, role, at) = found.next().filter(|_| found.next().is_none())?;
        (sides == 2).then(|| (role, vec![at]))
    }

    /// The columns that hold nothing that is known.
    fn unread(&self) -> impl Iterator<Item = usize> {
        (0..self.roles.len())
            .filter(|at| matches!(self.roles[*at], None | Some(Role::Wins | Role::OfRound)))
    }

    /// Of columns of scores those of half a match or of one leg are none where there is another one, and that of the
    /// whole match is the first.
    fn whole(&self, found: Vec<usize>) -> Vec<usize> {
        let is_part = |at: &usize| names::is_of_part(&self.names[*at]);
        let (parts, mut others): (Vec<usize>, Vec<usize>) = found.into_iter().partition(is_part);
        if others.is_empty() {
            return parts;
        }
        others.sort_by_key(|at| !names::is_of_whole(&self.names[*at]));
        others
    }

    /// Whether a column says at what time of day matches are played, by its name or by its cells.
    pub(super) fn are_times(&self, body: &[&Row], at: usize) -> bool {
        let mut cells =
            body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty()).peekable();
        self.header.is_some() && names::is_time(&self.names[at])
            || cells.peek().is_some() && cells.all(result::is_time)
    }

    /// Without a row of names: which column the results and which the rounds may be, by what stands in them.
    pub(super) fn guess(&self, body: &[&Row]) -> BTreeMap<usize, Role> {
        let mut found = BTreeMap::new();
        let cells = |at: usize| body.iter().map(move |row| row.get(at));
        let is_score = |cell: &str| {
            cell.contains(['-', ':'])
                && matches!(result::read(cell), Cell::Games { games: [one, other, _], .. } if one < 1_000 && other < 1_000)
        };
        let all = 0..self.roles.len();
        let are_scores =
            |at: &usize| cells(*at).filter(|cell| is_score(cell)).count() * 2 > body.len();
        // Above hours there may be a name that is not known.
        let below = body.get(1..).unwrap_or_default();
        let are_results = |at: &usize| are_scores(at) && !self.are_times(below, *at);
        let Some(result) = all.clone().find(are_results) else { return found };
        found.insert(result, Role::Result);
        // Names of columns in a language that is not known stand above the numbers.
        let is_head = |row: &&Row| row.get(result).contains(char::is_alphabetic);
        let head = usize::from(body.first().is_some_and(is_head));
        let numbers = |at: usize| {
            cells(at).skip(head).map(|cell| cell.parse::<u16>().ok()).collect::<Option<Vec<_>>>()
        };
        let rises = |at: &usize| {
            numbers(*at).is_some_and(|all| {
                all.first() == Some(&1)
                    && all.is_sorted()
                    && all.windows(2).any(|two| two[0] == two[1])
            })
        };
        found.extend(all.clone().find(rises).map(|at| (at, Role::Round)));
        found
    }

    /// What a person has to say: a role of several columns, one side of a pair, nobody's name.
    pub(super) fn ask(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>, pair: bool) {
        use Role::*;
        self.matchdays(body, chosen);
        // Of numbers below a name that is not known most are none.
        let are_words = |at: &usize| {
            let cells = || body.iter().map(|row| row.get(*at)).filter(|cell| !cell.is_empty());
            cells().filter(|cell| cell.contains(char::is_alphabetic)).count() * 2 > cells().count()
        };
        let free: Vec<usize> = (0..self.roles.len())
            .filter(|at| {
                matches!(self.roles[*at], None | Some(Name | OfRound | Score | Games))
                    && !chosen.contains_key(at)
            })
            .filter(are_words)
            .collect();
        let question = |role: Role, candidates: Vec<usize>| {
            let candidates = candidates.into_iter().map(|at| at + 1).collect();
            role.word().map(|role| Question { role, candidates })
        };
        let twice =
            |role: &Role| self.all(*role).len() > 1 && !matches!(role, Ignore | OfRound | Date);
        let roles: Vec<Role> = WORDS.iter().map(|(_, role)| *role).collect();
        let has_name = self.has(Name) || self.has(LastName) || self.has(FirstName);
        let has_side = has_name || self.has(PlayerA) || self.has(PlayerB);
        let is_of_match = self.has(Result) || self.has(Winner) || self.are_of_both(body);
        let pairing = self.both(body, &free).filter(|_| !has_side && !pair && is_of_match);
        self.question = match roles.iter().find(|role| twice(role)) {
            Some(role) => question(*role, self.all(*role)),
            None if pair
                && self.has(PointsA)
                && !self.has(Round)
                && !chosen.values().any(|role| *role == PointsA) =>
            {
                let is_open = |at: usize| body.iter().all(|row| row.get(at).is_empty());
                match self.all(PointsA).into_iter().all(is_open) {
                    true => None,
                    false => question(PointsA, self.all(PointsA)),
                }
            }
            None if pair => {
                // Who said how matches ended, or what is no result, has said it.
                let is_of_result = |role: &Role| {
                    matches!(role, Result | GamesA | GamesB | PointsA | PointsB | Winner | Ignore)
                };
                let found = self.perhaps_result(body);
                let is_half_said = self.has(GamesB) && !self.has(GamesA);
                let found = found.filter(|_| is_half_said || !chosen.values().any(is_of_result));
                found.and_then(|(role, candidates)| question(role, candidates))
            }
            None if pairing.is_some() => question(Pairing, pairing.into_iter().collect()),
            None if self.has(PlayerA)
                || self.has(PlayerB)
                || self.has(Result)
                || self.has(Winner) =>
            {
                let role = if self.has(PlayerA) || self.has(Name) { PlayerB } else { PlayerA };
                // The only name is the first player's.
                let only = self.all(Name);
                let others = |at: &usize| role != PlayerB || only != [*at];
                let free = free.into_iter().filter(others).collect();
                question(role, self.likely_first(body, free))
            }
            None if !has_name && free.len() > 1 && self.are_of_both(body) => {
                question(PlayerA, self.likely_first(body, free))
            }
            None if !has_name => question(Name, free),
            None => None,
        };
    }

    /// Whether columns that are known are those of matches, without any player.
    fn are_of_both(&self, body: &[&Row]) -> bool {
        use Role::*;
        let has_score =
            || self.perhaps_result(body).is_some_and(|(role, at)| role == Result && at.len() == 1);
        let is_of_match =
            [Round, GamesA, GamesB, PointsA, PointsB].iter().any(|role| self.has(*role));
        !self.is_of_one(body) && (is_of_match || has_score())
    }

    /// Of columns that may hold a player those come first that share a name with another: who plays at home is the
    /// guest elsewhere.
    fn likely_first(&self, body: &[&Row], free: Vec<usize>) -> Vec<usize> {
        let known = [Role::PlayerA, Role::PlayerB, Role::Name].map(|role| self.all(role)).concat();
        let rows = &body[..body.len().min(COMPARED[1])];
        let names = |at: &usize| {
            let cells = rows.iter().map(|row| row.get(*at)).filter(|cell| !cell.is_empty());
            (*at, cells.collect::<BTreeSet<&str>>())
        };
        let all: Vec<(usize, BTreeSet<&str>)> =
            known.iter().chain(&free).take(COMPARED[0]).map(names).collect();
        let shares = |at: &usize| {
            let own = all.iter().find(|(one, _)| one == at);
            own.is_some_and(|(_, own)| {
                all.iter().any(|(other, names)| other != at && !names.is_disjoint(own))
            })
        };
        let (first, rest): (Vec<usize>, Vec<usize>) = free.into_iter().partition(shares);
        [first, rest].concat()
    }

    /// The question about a sheet's columns as an error, with a choice that answers it.
    pub(in crate::anysheet) fn asked(&self, grid: &Grid, question: &Question) -> Fault {
        let all: Vec<String> = (0..self.names.len())
            .take(12)
            .map(|at| format!("{} {}", at + 1, brief(&self.names[at])).trim_end().to_owned())
            .collect();
        let more = if self.names.len() > all.len() { ", ..." } else { "" };
        let numbers: Vec<String> =
            question.candidates.iter().take(6).map(usize::to_string).collect();
        let may = match numbers.is_empty() {
            true => "no column is like it".to_owned(),
            false if question.role != "games_a" && self.are_alike(question) => format!(
                "it may be {}, of which a choice reads one alone, such as one round: to bring in all of them write \
                 each match, with its round, into a row",
                numbers.join(" or ")
            ),
            false => format!("it may be {}", numbers.join(" or ")),
        };
        Fault::WhichColumn {
            role: question.role,
            columns: format!("{}{more}", all.join(", ")),
            may,
            say: match self.example(grid, question) {
                _ if question.role == "winner" && !self.is_of_winner(question) => {
                    let at = numbers.first().map_or("", String::as_str);
                    format!(
                        "Where it names who won, say it with `--columns winner={at}`, otherwise with `--columns \
                         ignore={at}`"
                    )
                }
                Some(example) if question.role == "round" => format!(
                    "Say it with `--columns {example}` where everybody plays once in each; where rounds begin anew, \
                     number them on in one column, or write each part into a file of its own"
                ),
                Some(example) => format!("Say it with `--columns {example}`"),
                None if self.names_one_side(grid) => {
                    "Each row names one player and at which side they were: write both names into each row, and who \
                     was at home first"
                        .to_owned()
                }
                None if question.role == "games_a" && !self.are_numbered(question) => {
                    "Look which two have the games or points of the first and of the second player, and say their \
                     numbers with `--columns games_a=` and `games_b=`"
                        .to_owned()
                }
                None if self.is_one_of_several(question) && !self.are_numbered(question) => {
                    "Look which of them has the whole result, and say its number with `--columns result=`".to_owned()
                }
                None => "No choice of columns is sure here: write each match into a row".to_owned(),
            },
        }
    }

    /// Whether a column says at which side somebody played, and one of the two is not named.
    fn names_one_side(&self, grid: &Grid) -> bool {
        let rows = || grid.rows.iter().skip(self.header.map_or(0, |at| at + 1));
        let are_sides = |at: usize| names::are_sides(rows().map(|row| row.get(at)));
        !(self.has(Role::PlayerA) && self.has(Role::PlayerB))
            && (0..self.roles.len()).any(|at| self.roles[at].is_none() && are_sides(at))
    }

    /// Whether all columns that are asked for have one name, as those of rounds side by side.
    fn are_alike(&self, question: &Question) -> bool {
        let name = |number: &usize| self.names.get(number.saturating_sub(1));
        let mut names = question.candidates.iter().filter_map(name);
        let first = names.next();
        let mut others = names.peekable();
        others.peek().is_some() && others.all(|other| Some(other) == first && !other.is_empty())
    }

    /// A choice of columns that can be typed as it stands: where it leaves another question open, it answers
    /// that one too.
    fn example(&self, grid: &Grid, question: &Question) -> Option<String> {
        if self.is_unsure(grid, question) {
            return None;
        }
        let mut said: BTreeMap<usize, Role> = BTreeMap::new();
        for (at, role) in self.roles.iter().enumerate() {
            let role = role.filter(|role| {
                *role != Role::Ignore && role.word().is_some_and(|word| word != question.role)
            });
            if let Some(role) = role.filter(|role| !said.values().any(|other| other == role)) {
                said.insert(at, role);
            }
        }
        let mut next = question.clone();
        for _ in 0..QUESTIONS {
            answer(&mut said, &next);
            let text = typed(&said);
            match super::find(grid, Some(&text)) {
                Ok(Some(columns @ Columns { question: Some(_), .. }))
                    if columns
                        .question
                        .as_ref()
                        .is_some_and(|other| columns.is_unsure(grid, other)) =>
                {
                    return None;
                }
                Ok(Some(Columns { question: Some(other), .. })) if other != next => next = other,
                Ok(Some(columns @ Columns { question: None, .. })) => {
                    return Some(text)
                        .filter(|_| columns.are_names(grid) && !columns.leaves_out_scores(grid));
                }
                // What leaves the question open, or cannot be, is no choice.
                _ => return None,
            }
        }
        None
    }

    /// Whether a column that is asked for is called after winning.
    fn is_of_winner(&self, question: &Question) -> bool {
        let mut asked = question.candidates.iter().filter_map(|number| self.names.get(number - 1));
        asked.any(|name| names::is_of_winner(name))
    }

    /// Whether no column that is asked for is likelier than the others.
    fn is_unsure(&self, grid: &Grid, question: &Question) -> bool {
        let is = |role: Role| role.word() == Some(question.role);
        let names: Vec<&str> = question
            .candidates
            .iter()
            .filter_map(|number| self.names.get(number - 1))
            .map(String::as_str)
            .collect();
        let are_numbered = self.are_numbered(question);
        // Of the games of a match, or sets, none is the result; two that are numbered as the players are theirs.
        let are_sets = || {
            let below = grid.rows.iter().skip(self.header.map_or(0, |at| at + 1));
            let mut cells = below
                .flat_map(|row| question.candidates.iter().map(move |number| row.get(number - 1)));
            let is_won = |cell: &str| matches!(cell, "" | "0" | "1");
            names.iter().all(|name| names::set(name).is_some()) && cells.all(is_won)
        };
        match () {
            () if is(Role::GamesA) => {
                names.len() > 3 || are_numbered && (names.len() > 2 || are_sets())
            }
            () if is(Role::Result) => are_numbered || self.is_one_of_several(question),
            // A pair on each side, or both names of each player in a column of their own.
            () if is(Role::PlayerA) || is(Role::PlayerB) => {
                are_numbered && names.len() > 3 || names::are_of_sides(&names)
            }
            () => false,
        }
    }

    /// Whether several columns that are asked for have one name, each with a number.
    fn are_numbered(&self, question: &Question) -> bool {
        let names = question.candidates.iter().filter_map(|number| self.names.get(number - 1));
        let names: Vec<&String> = names.collect();
        let is_alike =
            |name: &&String| names::is_numbered(name) && names::are_alike(name, names[0]);
        names.len() > 1 && names.iter().all(is_alike)
    }

    /// Whether scores stand in several columns of which no name says that it is the result.
    fn is_one_of_several(&self, question: &Question) -> bool {
        let ats = || question.candidates.iter().map(|number| number - 1);
        let is_whole = |at: usize| self.names.get(at).is_some_and(|name| names::is_of_whole(name));
        let is_known = |at: usize| self.roles.get(at).copied().flatten() == Some(Role::Result);
        Role::Result.word() == Some(question.role)
            && question.candidates.len() > 1
            && !ats().any(is_known)
            && (!ats().next().is_some_and(is_whole) || ats().skip(1).any(is_whole))
    }

    /// Whether a list of players would leave columns of small numbers, or of scores, unread: these are of matches.
    fn leaves_out_scores(&self, grid: &Grid) -> bool {
        if self.kind != super::SheetKind::Roster {
            return false;
        }
        let body: Vec<&Row> = grid.rows.iter().skip(self.header.map_or(0, |at| at + 1)).collect();
        let cells =
            |at: usize| body.iter().map(move |row| row.get(at)).filter(|cell| !cell.is_empty());
        let is_small = |cell: &&str| cell.parse::<u8>().is_ok_and(|games| games < 100);
        let are_small = |at: &usize| cells(*at).filter(is_small).count() * 2 > cells(*at).count();
        let free = || (0..self.roles.len()).filter(|at| self.roles[*at].is_none());
        free().filter(are_small).nth(1).is_some()
            || free().any(|at| !self.are_times(&body, at) && super::are_scores_of_two(&body, at))
    }

    /// Whether names may stand in the columns of players, as far as signs tell: no score, nobody against another, and
    /// not only at which side they played.
    fn are_names(&self, grid: &Grid) -> bool {
        let is_name = |cell: &str| {
            let is_score =
                cell.contains(|c: char| c.is_ascii_digit()) && !cell.contains(char::is_alphabetic);
            !is_score && names::pair(cell).is_none()
        };
        let rows = || grid.rows.iter().skip(self.header.map_or(0, |at| at + 1));
        let players = [Role::PlayerA, Role::PlayerB].map(|role| self.at(role));
        // Of a person with a first and a last name neither is the other player.
        let is_apart =
            !(self.has(Role::PlayerB) && (self.has(Role::FirstName) || self.has(Role::LastName)));
        let are_names = |at: usize| {
            rows().all(|row| is_name(row.get(at)))
                && !names::are_sides(rows().map(|row| row.get(at)))
        };
        // A line that names a round is no player's.
        let is_round = |at: usize| rows().any(|row| names::round_alone(row.get(at)).is_some());
        let is_list = self.kind == super::SheetKind::Roster;
        let is_of_rounds = is_list && self.at(Role::Name).is_some_and(is_round);
        is_apart && !is_of_rounds && players.into_iter().flatten().all(are_names)
    }
}

/// Takes the first of the columns that may be meant.
fn answer(said: &mut BTreeMap<usize, Role>, question: &Question) {
    let role = WORDS.iter().find(|(word, _)| *word == question.role).map(|(_, role)| *role);
    let Some(role) = role else { return };
    let Some(at) = question.candidates.first().map(|number| number - 1) else { return };
    said.retain(|_, other| *other != role);
    said.insert(at, role);
    // Games are of both.
    if let (Role::GamesA, [_, second, ..]) = (role, &question.candidates[..])
        && !said.values().any(|other| *other == Role::GamesB)
    {
        said.insert(second - 1, Role::GamesB);
    }
}

/// A choice as it is typed.
fn typed(said: &BTreeMap<usize, Role>) -> String {
    let one = |(at, role): (&usize, &Role)| Some(format!("{}={}", role.word()?, at + 1));
    said.iter().filter_map(one).collect::<Vec<_>>().join(",")
}

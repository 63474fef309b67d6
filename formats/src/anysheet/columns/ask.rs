//! What only a person can say of a sheet's columns.

use std::collections::BTreeMap;

use super::{Columns, Question, brief};
use crate::Fault;
use crate::anysheet::grid::{Grid, Row};
use crate::anysheet::names::{Role, WORDS};

/// How many questions one choice answers.
const QUESTIONS: usize = 6;

impl Columns {
    /// Two columns side by side of small numbers, of which nothing says that they are games: most of them below 10.
    fn perhaps_games(&self, body: &[&Row]) -> Option<usize> {
        use Role::*;
        if [Result, GamesA, Winner, PointsA].iter().any(|role| self.has(*role)) || self.first_wins {
            return None;
        }
        let are_small = |at: usize| {
            let mut cells =
                body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty()).peekable();
            self.roles[at].is_none()
                && cells.peek().is_some()
                && cells.all(|cell| cell.parse::<u8>().is_ok_and(|games| games < 100))
        };
        let are_most_single = |at: usize| {
            let cells = || body.iter().flat_map(|row| [row.get(at), row.get(at + 1)]);
            let single = cells().filter(|cell| cell.len() == 1).count();
            single * 2 > cells().filter(|cell| !cell.is_empty()).count()
        };
        let are_games = |at: &usize| are_small(*at) && are_small(*at + 1) && are_most_single(*at);
        (1..self.roles.len()).map(|at| at - 1).find(are_games)
    }

    /// What a person has to say: a role of several columns, one side of a pair, nobody's name.
    pub(super) fn ask(&mut self, body: &[&Row], chosen: &BTreeMap<usize, Role>, pair: bool) {
        use Role::*;
        let free: Vec<usize> = (0..self.roles.len())
            .filter(|at| {
                matches!(self.roles[*at], None | Some(Name | OfRound | Score | Games))
                    && !chosen.contains_key(at)
            })
            .filter(|at| body.iter().any(|row| row.get(*at).chars().any(char::is_alphabetic)))
            .collect();
        let question = |role: Role, candidates: Vec<usize>| {
            let candidates = candidates.into_iter().map(|at| at + 1).collect();
            role.word().map(|role| Question { role, candidates })
        };
        let twice =
            |role: &Role| self.all(*role).len() > 1 && !matches!(role, Ignore | OfRound | Date);
        let roles: Vec<Role> = WORDS.iter().map(|(_, role)| *role).collect();
        let has_name = self.has(Name) || self.has(LastName) || self.has(FirstName);
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
                let games = self.perhaps_games(body).filter(|_| chosen.is_empty());
                games.and_then(|at| question(GamesA, vec![at, at + 1]))
            }
            None if self.has(PlayerA)
                || self.has(PlayerB)
                || self.has(Result)
                || self.has(Winner) =>
            {
                let role = if self.has(PlayerA) || self.has(Name) { PlayerB } else { PlayerA };
                // The only name is the first player's.
                let only = self.all(Name);
                let others = |at: &usize| role != PlayerB || only != [*at];
                question(role, free.into_iter().filter(others).collect())
            }
            None if !has_name => question(Name, free),
            None => None,
        };
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
            false => format!("it may be {}", numbers.join(" or ")),
        };
        Fault::WhichColumn {
            role: question.role,
            columns: format!("{}{more}", all.join(", ")),
            may,
            example: self.example(grid, question),
        }
    }

    /// A choice of columns that can be typed as it stands: where it leaves another question open, it answers
    /// that one too.
    fn example(&self, grid: &Grid, question: &Question) -> String {
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
        let mut first = None;
        for _ in 0..QUESTIONS {
            answer(&mut said, &next);
            let text = typed(&said);
            match super::find(grid, Some(&text)) {
                Ok(Some(Columns { question: Some(other), .. })) if other != next => next = other,
                Ok(Some(Columns { question: None, .. })) => return text,
                _ => return first.unwrap_or(text),
            }
            first.get_or_insert(text);
        }
        first.unwrap_or_default()
    }
}

/// Takes the first of the columns that may be meant.
fn answer(said: &mut BTreeMap<usize, Role>, question: &Question) {
    let role = WORDS.iter().find(|(word, _)| *word == question.role).map(|(_, role)| *role);
    let Some(role) = role else { return };
    let at = question.candidates.first().map_or(1, |number| number - 1);
    said.retain(|_, other| *other != role);
    said.insert(at, role);
    // Games are of both.
    if let (Role::GamesA, [_, second, ..]) = (role, &question.candidates[..]) {
        said.insert(second - 1, Role::GamesB);
    }
}

/// A choice as it is typed.
fn typed(said: &BTreeMap<usize, Role>) -> String {
    let one = |(at, role): (&usize, &Role)| Some(format!("{}={}", role.word()?, at + 1));
    said.iter().filter_map(one).collect::<Vec<_>>().join(",")
}

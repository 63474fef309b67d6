//! Results in two columns of numbers of which no name tells that they are.

use std::collections::{BTreeMap, BTreeSet};

use super::Columns;
use crate::anysheet::grid::Row;
use crate::anysheet::names::{self, Role};
use scrutineer_engine::names::folded;

impl Columns {
    /// Two columns of numbers that may be the result where nothing else is: with a sign between them, of one name, each
    /// behind its player, or side by side. What is the same in all rows of a player is theirs, such as a rating.
    pub(super) fn unnamed(&self, body: &[&Row]) -> Option<Vec<usize>> {
        let width = self.roles.len();
        let numbers: Vec<usize> = (0..width).filter(|at| self.are_of_score(body, *at)).collect();
        let two = |one: usize, other: usize| {
            (numbers.contains(&one) && numbers.contains(&other)).then_some([one, other])
        };
        let by_sign = (1..width.saturating_sub(1))
            .filter(|at| self.roles[*at] == Some(Role::Ignore) && are_signs(body, *at))
            .find_map(|at| two(at - 1, at + 1));
        let is_named = |at: &&usize| self.names[**at].contains(char::is_alphabetic);
        let alike = |one: &usize| {
            let is_other = |at: &&usize| {
                **at != *one && names::are_alike(&self.names[*one], &self.names[**at])
            };
            let mut others = numbers.iter().filter(is_other);
            let other = others.next().filter(|_| others.next().is_none())?;
            Some([*one, *other]).filter(|_| self.differ(body, [*one, *other]))
        };
        let by_name = || numbers.iter().filter(is_named).find_map(alike);
        let sides = self.sides();
        let behind = || {
            let found = sides.and_then(|[one, other]| two(one + 1, other + 1))?;
            Some(found).filter(|found| self.differ(body, *found))
        };
        let side_by_side = || {
            let is_alone = |at: usize| {
                !numbers.contains(&(at + 2))
                    && at.checked_sub(1).is_none_or(|at| !numbers.contains(&at))
            };
            let mut found = numbers.iter().filter_map(|at| two(*at, *at + 1));
            found.find(|[at, other]| is_alone(*at) && self.differ(body, [*at, *other]))
        };
        let found = by_sign.or_else(by_name).or_else(behind);
        found.or_else(side_by_side).map(Vec::from)
    }

    /// The columns of the two players, the first player's before the other's.
    fn sides(&self) -> Option<[usize; 2]> {
        let one = self.at(Role::PlayerA).or_else(|| self.at(Role::LastA))?;
        Some([one, self.at(Role::PlayerB).or_else(|| self.at(Role::LastB))?])
    }

    /// Whether most cells of a column that is not read are numbers, halves among them.
    fn are_of_score(&self, body: &[&Row], at: usize) -> bool {
        let is_free = matches!(
            self.roles[at],
            None | Some(Role::OfRound | Role::Games | Role::Score | Role::Points)
        );
        let cells = || body.iter().map(|row| row.get(at)).filter(|cell| !cell.is_empty());
        is_free
            && cells().filter(|cell| is_number(cell)).count() * 2 > cells().count()
            && !self.are_times(body, at)
    }

    /// Whether the numbers of a player differ from row to row; where nobody has two rows, whether some are the same, as
    /// numbers at the start are not.
    fn differ(&self, body: &[&Row], columns: [usize; 2]) -> bool {
        let Some(sides) = self.sides() else { return true };
        let mut numbers: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for row in body {
            for (side, at) in sides.into_iter().zip(columns) {
                let (name, cell) = (row.get(side), row.get(at));
                if !name.is_empty() && is_number(cell) {
                    numbers.entry(folded(name)).or_default().push(cell);
                }
            }
        }
        let mut again = numbers.values().filter(|cells| cells.len() > 1).peekable();
        if again.peek().is_some() {
            return again.any(|cells| cells.iter().any(|cell| *cell != cells[0]));
        }
        let all = || numbers.values().flatten();
        let different: BTreeSet<&&str> = all().collect();
        different.len() < all().count() && all().all(|cell| cell.len() < 4)
    }
}

/// Whether no cell of a column is more than a sign between two numbers.
fn are_signs(body: &[&Row], at: usize) -> bool {
    let is_sign = |cell: &str| {
        let is_known = |c: char| !c.is_alphanumeric() || matches!(c, 'x' | 'X' | 'v' | 'V' | 's');
        cell.chars().count() < 4 && cell.chars().all(is_known)
    };
    body.iter().any(|row| !row.get(at).is_empty()) && body.iter().all(|row| is_sign(row.get(at)))
}

/// Whether a cell is a number of games or points, or half of one.
fn is_number(cell: &str) -> bool {
    let halves = ["\u{bd}", ",5", ".5"];
    let whole = halves.iter().find_map(|half| cell.strip_suffix(half)).unwrap_or(cell);
    cell == halves[0]
        || !whole.is_empty() && whole.len() < 5 && whole.bytes().all(|byte| byte.is_ascii_digit())
}

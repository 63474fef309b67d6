//! The codes of all refusals, with their statuses and what to do: for the page of each.

use serde::Serialize;
use std::sync::OnceLock;
use utoipa::ToSchema;

/// A line for each code, made by a test from docs/REFUSALS.md and the source: the word, the kind, the
/// status, what is said, what to do; behind that `order` where an order can be refused so.
const ALL: &str = include_str!("problems.txt");

/// A code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProblemCode)]
pub struct Code {
    /// The code.
    #[serde(rename = "code")]
    pub word: String,
    /// The kind.
    pub kind: String,
    /// The status of an answer that refuses so.
    pub status: u16,
    /// What is said.
    pub says: String,
    /// What to do.
    pub hint: String,
}

/// Returns every code, by its word.
pub fn all() -> &'static [Code] {
    static READ: OnceLock<Vec<Code>> = OnceLock::new();
    READ.get_or_init(|| ALL.lines().filter_map(read).collect())
}

fn read(line: &str) -> Option<Code> {
    let mut cells = line.split('\t').map(str::to_string);
    let (word, kind, status) = (cells.next()?, cells.next()?, cells.next()?.parse().ok()?);
    Some(Code { word, kind, status, says: cells.next()?, hint: cells.next()? })
}

/// Returns the codes with which orders are refused.
pub fn of_orders() -> impl Iterator<Item = &'static str> {
    let lines = ALL.lines().filter(|line| line.ends_with("\torder"));
    lines.filter_map(|line| line.split('\t').next())
}

/// Returns a code.
pub fn find(word: &str) -> Option<&'static Code> {
    all().iter().find(|code| code.word == word)
}

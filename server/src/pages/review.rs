//! All tournaments as their publisher looks at them: what was put right, ruled and signed, by whom, and
//! who moved.

use super::{clock_of, render};
use crate::query::{encoded, flag};
use askama::Template;
use scrutineer_desk::answers::{ReviewAnswer, ReviewFinding, ReviewRow};
use scrutineer_desk::review::What;
use scrutineer_desk::verb_error::VerbError;
use serde::Deserialize;

/// How many moves are shown at once.
const MOVES: usize = 3;

/// What is looked for, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct View {
    /// From when on.
    pub since: String,
    /// Until when.
    pub until: String,
    /// By whom.
    pub by: String,
    /// In which tournaments.
    pub tournament: String,
    /// Only this.
    pub only: String,
    /// Whether tournaments are verified too.
    #[serde(deserialize_with = "flag")]
    pub verify: bool,
    /// Only what came before this row.
    pub before: String,
}

impl View {
    /// The query that asks for the same, from a row on.
    fn query(&self, before: &str) -> String {
        let parts = [
            ("since", &self.since[..]),
            ("until", &self.until),
            ("by", &self.by),
            ("tournament", &self.tournament),
            ("only", &self.only),
            ("verify", if self.verify { "true" } else { "" }),
            ("before", before),
        ];
        let parts = parts.into_iter().filter(|(_, value)| !value.is_empty());
        let parts: Vec<String> =
            parts.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        format!("/review?{}", parts.join("&"))
    }
}

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    view: View,
    kinds: [What; 6],
    rows: Vec<Row>,
    findings: Vec<Finding>,
    answer: ReviewAnswer,
    older: Option<String>,
    again: String,
}

/// A row with the links that lead from it.
struct Row {
    row: ReviewRow,
    base: String,
    time: String,
    /// Who moves: their name, from which place, to which.
    moves: Vec<(String, u32, u32)>,
    more: usize,
}

impl Row {
    fn title(&self) -> &str {
        self.row.tournament.title.as_deref().unwrap_or("untitled")
    }
}

/// The path of a tournament's pages.
fn base(id: Option<&str>) -> String {
    let id = id.unwrap_or_default();
    format!("/t/{}", id.get(..8).unwrap_or(id))
}

fn row(row: ReviewRow) -> Row {
    let moves = row.moves.iter().flatten();
    let more = row.moves.as_ref().map_or(0, |moves| moves.len().saturating_sub(MOVES));
    let one = |one: &scrutineer_desk::answers::ReviewMove| {
        (one.player.name.clone(), one.before, one.after)
    };
    Row {
        base: base(row.tournament.id.as_deref()),
        time: clock_of(&row.time),
        moves: moves.take(MOVES).map(one).collect(),
        more,
        row,
    }
}

struct Finding {
    found: ReviewFinding,
    base: String,
}

/// The page of what was found.
///
/// # Errors
/// Where it cannot be made.
pub fn page(mut answer: ReviewAnswer, view: View) -> Result<String, VerbError> {
    let rows = std::mem::take(&mut answer.changes).into_iter().map(row).collect();
    let finding = |found: ReviewFinding| {
        let base = base(found.tournament.id.as_deref());
        Finding { found, base }
    };
    let findings = std::mem::take(&mut answer.findings).into_iter().map(finding).collect();
    render(&ReviewPage {
        kinds: What::ALL,
        rows,
        findings,
        older: answer.next.as_deref().map(|next| view.query(next)),
        again: view.query(&view.before),
        answer,
        view,
    })
}

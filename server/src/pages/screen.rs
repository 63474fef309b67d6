//! The screen for a projector: where everybody sits, by name, in columns that turn their pages;
//! between rounds the standings. Nothing on it that is not published.

use super::print::{NameLine, by_name, columns, seated, span};
use super::standings::{Shown, Table, View};
use super::{Looked, assets, render, round_called};
use crate::language::Language;
use askama::Template;
use scrutineer_desk::desk::open_round;
use scrutineer_desk::orders::scope;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::tournament::Tournament;
use serde::Deserialize;

/// How many lines a column of the screen has, and how many columns a page.
const LINES: usize = 26;
const COLUMNS: usize = 3;
/// How many rows of the standings a column holds.
const ROWS: usize = 26;

/// What a screen is to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Show {
    /// `pairings`, `standings`; otherwise whichever is of use now.
    pub show: Option<String>,
}

#[derive(Template)]
#[template(path = "screen.html")]
struct ScreenPage {
    language: Language,
    title: String,
    head: String,
    note: String,
    pages: Vec<Page>,
    event: u64,
    styles: Vec<String>,
    script: String,
}

struct Page {
    span: String,
    names: Vec<Vec<NameLine>>,
    places: Vec<Vec<PlaceLine>>,
}

struct PlaceLine {
    place: String,
    name: String,
    is_long: bool,
    record: String,
    value: String,
    is_last_in: bool,
}

/// The last round that players may see.
fn published(state: &Tournament) -> Option<RoundNumber> {
    let shown = |round: &&scrutineer_engine::tournament::Round| {
        !round.withdrawn && (round.published.is_some() || round.completed.is_some())
    };
    state.rounds().iter().rfind(shown).map(|round| round.number)
}

fn place(row: &Shown) -> PlaceLine {
    PlaceLine {
        place: row.place.clone(),
        name: row.player.name.clone(),
        is_long: row.player.name.chars().count() > 20,
        record: row.record.clone(),
        value: row.values.first().map_or(String::new(), |(value, _)| value.clone()),
        is_last_in: row.is_last_in,
    }
}

/// The screen.
///
/// # Errors
/// Where the store cannot be read or the standings not be folded.
pub fn page(at: &Looked<'_>, show: &Show) -> Result<String, VerbError> {
    let event = at.load()?;
    let state = &event.state;
    let round = published(state);
    let is_played =
        open_round(state).is_some_and(|open| open.published.is_some() && open.open_matches > 0);
    let wants_pairings = match show.show.as_deref() {
        Some("pairings") => true,
        Some("standings") => false,
        _ => is_played,
    };
    let (mut head, mut note, mut pages) = (at.language.t("welcome"), String::new(), Vec::new());
    match round.filter(|_| wants_pairings) {
        Some(round) => {
            head = round_called(state, round, at.language);
            let lines = by_name(seated(&event, round, at.language)?);
            let columns = columns(&lines, LINES);
            pages.extend(columns.chunks(COLUMNS).map(|columns| Page {
                span: span(columns),
                names: columns.to_vec(),
                places: Vec::new(),
            }));
        }
        None => {
            // Before a draft is published its round is nobody's business.
            let through = round.filter(|_| !is_played).or(round);
            if let Some(through) = through {
                scope(state, Some(through))?;
                let view = View { through: Some(through), ..View::default() };
                let table = Table::of(&view.asked(at)?, at.language);
                head = at.language.t("standings");
                note = table.head.clone();
                let rows: Vec<PlaceLine> = table.rows.iter().map(place).collect();
                let mut rows = rows.into_iter().peekable();
                while rows.peek().is_some() {
                    let column = |rows: &mut dyn Iterator<Item = PlaceLine>| {
                        rows.take(ROWS).collect::<Vec<PlaceLine>>()
                    };
                    let places: Vec<Vec<PlaceLine>> = (0..COLUMNS)
                        .map(|_| column(&mut rows))
                        .filter(|column| !column.is_empty())
                        .collect();
                    let first = places.first().and_then(|column| column.first());
                    let last = places.last().and_then(|column| column.last());
                    let span = first.zip(last).map_or(String::new(), |(first, last)| {
                        format!("{} – {}", first.place, last.place)
                    });
                    pages.push(Page { span, names: Vec::new(), places });
                }
            }
        }
    }
    render(&ScreenPage {
        language: at.language,
        title: event.title(),
        head,
        note,
        pages,
        event: state.head(),
        styles: ["tokens.css", "screen.css"].map(assets::path).into(),
        script: assets::path("screen.js"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, enrolled, hall};
    use super::*;
    use scrutineer_desk::orders::{Pair, Publish};

    #[test]
    fn a_draft_is_not_on_the_screen_before_it_is_published() {
        let hall = enrolled();
        hall.order(Pair::default());
        let html = page(&hall.looked(), &Show::default()).expect("a page");
        assert!(!html.contains("Round 1") && !html.contains("Ann Lee"), "{html}");
        let asked = Show { show: Some("pairings".into()) };
        let html = page(&hall.looked(), &asked).expect("a page");
        assert!(!html.contains("Ann Lee"), "also where somebody asks for pairings");
        hall.order(Publish {});
        let html = page(&hall.looked(), &Show::default()).expect("a page");
        assert!(html.contains("Round 1") && html.contains("Ann Lee"));
        assert!(!html.contains(HTML));
    }

    #[test]
    fn between_rounds_the_screen_shows_standings() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let tables = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        tables.for_each(|table| hall.slip(&format!("{table} 2-0")));
        let html = page(&hall.looked(), &Show::default()).expect("a page");
        assert!(html.contains("Standings"));
    }
}

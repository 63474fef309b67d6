//! The screen for a projector: what the desk tells it to show, otherwise what is of use now: clock and
//! pairings by name, in columns that turn their pages, while a round is played, and the standings between
//! rounds. Nothing on it that is not published.

use super::bracket::{Bracket, brackets};
use super::clock::{ClockShown, announcements};
use super::missing_tables;
use super::print::{NameLine, by_name, columns, seated, span};
use super::standings::{Shown, Table, View};
use super::{Looked, assets, render, round_called};
use crate::language::Language;
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::desk::open_round;
use scrutineer_desk::floor::Showing;
use scrutineer_desk::orders::scope;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::LoadedTournament;
use serde::Deserialize;

/// How many lines a column of the screen has, and how many columns a page.
const LINES: usize = 26;
const COLUMNS: usize = 3;
/// How many letters of an announcement stand in a line, how many lines of a column each takes, and the
/// fewest that are left.
const LETTERS: usize = 60;
const TAKES: usize = 2;
const FEWEST: usize = 8;

/// What a screen is to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Show {
    /// What, as [`Showing`] has it in words; otherwise what the desk told.
    pub show: Option<String>,
}

#[derive(Template)]
#[template(path = "screen.html")]
struct ScreenPage {
    language: Language,
    title: String,
    head: String,
    note: String,
    clock: Option<ClockShown>,
    is_clock_alone: bool,
    announcements: Vec<(u32, String)>,
    pages: Vec<Page>,
    missing: Vec<MissingLine>,
    brackets: Vec<Bracket>,
    event: u64,
    base: String,
    floor: u64,
    styles: Vec<String>,
    scripts: Vec<String>,
}

struct MissingLine {
    table: u32,
    names: Vec<String>,
}

struct Page {
    span: String,
    names: Vec<Vec<Line>>,
    places: Vec<Vec<PlaceLine>>,
    /// What the last column of the standings is called.
    value: String,
}

/// Where somebody sits, or the letter with which the names behind it begin.
struct Line {
    name: String,
    size: &'static str,
    table: String,
    against: String,
    against_size: &'static str,
    is_letter: bool,
}

pub(super) struct PlaceLine {
    pub(super) place: String,
    pub(super) name: String,
    pub(super) size: &'static str,
    pub(super) record: String,
    pub(super) value: String,
    pub(super) is_last_in: bool,
}

/// The last round that players may see.
pub(super) fn published(state: &Tournament) -> Option<RoundNumber> {
    let shown = |round: &&scrutineer_engine::tournament::Round| {
        !round.withdrawn && (round.published.is_some() || round.completed.is_some())
    };
    state.rounds().iter().rfind(shown).map(|round| round.number)
}

/// How many lines of a column there is room for beneath announcements.
fn room(announcements: &[(u32, String)]) -> usize {
    let lines = announcements.iter().map(|(_, text)| text.chars().count().div_ceil(LETTERS).max(1));
    LINES.saturating_sub(lines.sum::<usize>() * TAKES).max(FEWEST)
}

/// How large a name is set: a long one smaller, and the longest in two lines.
pub(super) fn size(name: &str) -> &'static str {
    match name.chars().count() {
        ..16 => "",
        16..20 => "long",
        20..24 => "longer",
        _ => "longest",
    }
}

fn line(line: &NameLine) -> Line {
    let against = if line.against == line.table { "" } else { &line.against[..] };
    Line {
        size: size(&line.name),
        name: line.name.clone(),
        table: line.table.clone(),
        against_size: size(against),
        against: against.to_string(),
        is_letter: line.is_letter,
    }
}

pub(super) fn place(row: &Shown, main: usize) -> PlaceLine {
    PlaceLine {
        place: row.place.clone(),
        name: row.player.name.clone(),
        size: size(&row.player.name),
        record: row.record.clone(),
        value: row.values.get(main).map_or(String::new(), |(value, _)| value.clone()),
        is_last_in: row.is_last_in,
    }
}

/// The pages of the pairings of a round.
fn pairings(
    event: &LoadedTournament,
    round: RoundNumber,
    language: Language,
    high: usize,
) -> Result<Vec<Page>, VerbError> {
    let columns = columns(&by_name(seated(event, round, language)?), high);
    let page = |columns: &[Vec<NameLine>]| Page {
        span: span(columns),
        names: columns.iter().map(|column| column.iter().map(line).collect()).collect(),
        places: Vec::new(),
        value: String::new(),
    };
    Ok(columns.chunks(COLUMNS).map(page).collect())
}

/// The pages of the standings after a round, and what stands above them.
fn standings(
    at: &Looked<'_>,
    through: RoundNumber,
    high: usize,
) -> Result<(String, Vec<Page>), VerbError> {
    let view = View { through: Some(through), ..View::default() };
    let table = Table::of(&view.asked(at)?, at.language);
    let rows: Vec<PlaceLine> = table.rows.iter().map(|row| place(row, table.main)).collect();
    let (mut rows, mut pages) = (rows.into_iter().peekable(), Vec::new());
    while rows.peek().is_some() {
        let column =
            |rows: &mut dyn Iterator<Item = PlaceLine>| rows.take(high).collect::<Vec<PlaceLine>>();
        let places: Vec<Vec<PlaceLine>> =
            (0..COLUMNS).map(|_| column(&mut rows)).filter(|column| !column.is_empty()).collect();
        let first = places.first().and_then(|column| column.first());
        let last = places.last().and_then(|column| column.last());
        let span = first
            .zip(last)
            .map_or(String::new(), |(first, last)| format!("{} – {}", first.place, last.place));
        let value = table.labels.get(table.main).cloned().unwrap_or_default();
        pages.push(Page { span, names: Vec::new(), places, value });
    }
    Ok((table.head.clone(), pages))
}

/// The screen.
///
/// # Errors
/// Where the store cannot be read or the standings not be folded.
pub fn page(at: &Looked<'_>, show: &Show) -> Result<String, VerbError> {
    let event = at.load()?;
    let state = &event.state;
    let round = published(state);
    let open = open_round(state).filter(|open| open.published.is_some());
    let is_played = open.is_some_and(|open| open.open_matches > 0);
    let asked = show.show.as_deref().and_then(Showing::of_word);
    let told = asked.filter(|asked| *asked != Showing::Auto).unwrap_or_else(|| at.floor.shows());
    let told = match told {
        Showing::Auto if is_played => Showing::Pairings,
        Showing::Auto => Showing::Standings,
        told => told,
    };
    let mut page = ScreenPage {
        language: at.language,
        title: event.title(),
        head: round
            .map_or(at.language.t("welcome"), |round| round_called(state, round, at.language)),
        note: String::new(),
        clock: round.and_then(|round| ClockShown::of(&at.floor, round, crate::floor::now())),
        is_clock_alone: told == Showing::Clock,
        announcements: announcements(&event, &at.floor),
        pages: Vec::new(),
        missing: Vec::new(),
        brackets: Vec::new(),
        event: state.head(),
        base: at.base.to_string(),
        floor: at.floor.version(),
        styles: ["tokens.css", "screen.css"].map(assets::path).into(),
        scripts: ["clock.js", "screen.js"].map(assets::path).into(),
    };
    let high = room(&page.announcements);
    match (told, round) {
        (Showing::Pairings, Some(round)) => {
            page.pages = pairings(&event, round, at.language, high)?
        }
        (Showing::Standings, Some(round)) => {
            scope(state, Some(round))?;
            page.head = at.language.t("standings");
            (page.note, page.pages) = standings(at, round, high)?;
        }
        // Before a draft is published its round is nobody's business.
        (Showing::Bracket, _) if state.last_round().is_none_or(|last| is_out(state, last)) => {
            page.head = at.language.t("bracket");
            page.brackets = brackets(&event, at.language)?;
        }
        (Showing::Missing, Some(_)) if open.is_some() => {
            let line = |row: super::MissingTable| MissingLine {
                table: row.table,
                names: row.players.into_iter().map(|player| player.name).collect(),
            };
            page.missing = missing_tables(at, &event).into_iter().map(line).collect();
            page.note = at.language.a("screen-playing", "tables", page.missing.len());
        }
        _ => {}
    }
    render(&page)
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

    #[test]
    fn a_screen_shows_what_the_desk_tells_it_and_a_draft_under_no_word() {
        use scrutineer_desk::floor::{Change, Entry, Floor};
        let hall = hall();
        let mut looked = hall.looked();
        let now = crate::floor::now();
        let floor = |changes: Vec<Change>| {
            let entry = |change| Entry { at: now, by: None, key: None, change };
            std::sync::Arc::new(Floor::of(changes.into_iter().map(entry)))
        };
        let start = Change::StartClock { minutes: 50, round: Some(1) };
        let announce = Change::Announce { text: "Lunch & coffee".into() };
        looked.floor = floor(vec![start.clone(), announce, Change::Show { what: Showing::Clock }]);
        let html = page(&looked, &Show::default()).expect("a page");
        assert!(html.contains("class=\"alone\"") && html.contains("Lunch &#38; coffee"), "{html}");
        assert!(!html.contains("Ann Lee"));
        looked.floor = floor(vec![start, Change::Show { what: Showing::Missing }]);
        let html = page(&looked, &Show::default()).expect("a page");
        assert!(html.contains("2 tables still play") && html.contains("data-clock"), "{html}");
        let html = page(&looked, &Show { show: Some("pairings".into()) }).expect("a page");
        assert!(html.contains("data-page") && html.contains("data-clock"), "the page's own word");
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let open = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        open.for_each(|table| hall.slip(&format!("{table} 2-0")));
        hall.order(Pair::default());
        for (_, word, _) in Showing::ALL {
            let html = page(&hall.looked(), &Show { show: Some(word.into()) }).expect(word);
            assert!(!html.contains("Round 2"), "{word}");
        }
    }

    #[test]
    fn announcements_take_lines_from_the_columns() {
        let texts = |lengths: &[usize]| -> Vec<(u32, String)> {
            lengths.iter().map(|length| (1, "a".repeat(*length))).collect()
        };
        let rooms = [&[][..], &[10], &[10, 130], &[500, 500]].map(|one| room(&texts(one)));
        assert_eq!(rooms, [26, 24, 18, 8]);
    }

    #[test]
    fn a_long_name_is_set_smaller_and_stays_whole() {
        assert_eq!(["Ann Lee", "Maximiliane von Hohenlohe-Waldenburg"].map(size), ["", "longest"]);
    }
}

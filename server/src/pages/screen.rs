//! The screen for a projector: what the desk tells it to show, otherwise what is of use now: clock and
//! pairings by name, in columns that turn their pages, while a round is played, and the standings between
//! rounds. Nothing on it that is not published.

use super::bracket::{Bracket, brackets};
use super::clock::{ClockShown, announcements};
use super::desk::Awaited;
use super::divided::Divided;
use super::frame::{Frame, Tab};
use super::missing_tables;
use super::print::{NameLine, by_name, cut, seated, span};
use super::reach::disputed_in_words;
use super::standings::{Asked, Shown, Table, View, is_over, told_through};
use super::{Looked, assets, render, round_called};
use crate::language::Language;
use crate::live::is_out;
use askama::Template;
use scrutineer_desk::desk::open_round;
use scrutineer_desk::floor::Showing;
use scrutineer_desk::horizon::published;
use scrutineer_desk::orders::scope;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::divisions::divisions;
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
/// How many letters of a name are shown: one with more would be set smaller than anybody reads.
const NAME: usize = 40;

#[derive(Template)]
#[template(path = "screen_link.html")]
struct LinkPage {
    frame: Frame,
    link: Option<Awaited>,
    has_divisions: bool,
}

/// The link by which a device shows the screen and nothing else.
///
/// # Errors
/// Where the store cannot be read.
pub fn link_page(at: &Looked<'_>) -> Result<String, VerbError> {
    let event = at.load()?;
    let address = |code: &String| format!("{}{}/screen/{code}", at.origin, at.base);
    let link = at.screen.as_ref().map(|code| Awaited::at(address(code)));
    let has_divisions = !divisions(&event.state).is_empty();
    render(&LinkPage {
        frame: Frame::of(at, &event, Tab::None, "screen-link"),
        link,
        has_divisions,
    })
}

/// What a screen is to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Show {
    /// What, as [`Showing`] has it in words; otherwise what the desk told.
    pub show: Option<String>,
    /// Only the standings of this division.
    pub division: Option<String>,
    /// Whether the standings of all divisions are shown, one behind the other.
    #[serde(skip)]
    pub by_division: bool,
}

#[derive(Template)]
#[template(path = "screen.html")]
struct ScreenPage {
    language: Language,
    title: String,
    head: String,
    note: String,
    /// Which division sits at which tables; empty where there is nothing to say.
    divided: String,
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
    /// The classes of its columns: how many they are, and how high a row is.
    class: String,
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
    /// How a bracket ended for them; on the screen it stands in the place of the record and the points.
    pub(super) ended: String,
    pub(super) value: String,
    pub(super) is_last_in: bool,
}

/// How many lines of a column there is room for beneath announcements.
fn room(announcements: &[(u32, String)]) -> usize {
    let lines = announcements.iter().map(|(_, text)| text.chars().count().div_ceil(LETTERS).max(1));
    LINES.saturating_sub(lines.sum::<usize>() * TAKES).max(FEWEST)
}

/// How many columns so many lines are shown in: few are read from farther away in one or two.
fn columns_for(lines: usize, high: usize) -> usize {
    lines.div_ceil(high / 2).clamp(1, COLUMNS)
}

/// The classes of a page: how many columns it has, and how high a row can be where there is room for so many.
fn class(columns: usize, rows: usize, high: usize) -> String {
    let row = match (rows * 100) / high.max(1) {
        ..=33 => " r8",
        34..=52 => " r13",
        53..=72 => " r18",
        _ => "",
    };
    format!("columns c{columns}{row}")
}

/// How large a name is set without a script: a long one smaller, and the longest in two lines.
pub(super) fn size(name: &str) -> &'static str {
    match name.chars().count() {
        ..16 => "",
        16..20 => "long",
        20..24 => "longer",
        _ => "longest",
    }
}

/// A name as it is shown: one that is too long ends in dots.
fn shown(name: &str) -> String {
    match whole(name) {
        None => name.to_string(),
        Some(name) => {
            let begins: String = name.chars().take(NAME - 1).collect();
            format!("{}…", begins.trim_end())
        }
    }
}

/// The whole of a name of which only the beginning is shown; none: all of it is.
fn whole(name: &str) -> Option<&str> {
    (name.chars().count() > NAME).then_some(name)
}

impl Line {
    fn shown(&self) -> String {
        shown(&self.name)
    }

    fn whole(&self) -> Option<&str> {
        whole(&self.name)
    }

    fn shown_against(&self) -> String {
        shown(&self.against)
    }

    fn whole_against(&self) -> Option<&str> {
        whole(&self.against)
    }
}

impl PlaceLine {
    fn shown(&self) -> String {
        shown(&self.name)
    }

    fn whole(&self) -> Option<&str> {
        whole(&self.name)
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
        ended: row.ended.clone(),
        value: row.values.get(main).map_or(String::new(), |(value, _)| value.clone()),
        is_last_in: row.is_last_in,
    }
}

/// Whether lines are cut into no more columns than one page has: a letter that moves on makes one longer.
fn columns_fit(lines: &[NameLine], rows: usize, count: usize) -> bool {
    cut(lines, rows).len() <= count || lines.len() > rows * count
}

/// The pages of the pairings of a round.
fn pairings(
    event: &LoadedTournament,
    round: RoundNumber,
    language: Language,
    high: usize,
) -> Result<Vec<Page>, VerbError> {
    let mut lines = by_name(seated(event, round, language)?);
    // Every row is as high as the others here: a long name takes further lines on paper alone.
    lines.iter_mut().for_each(|line| line.lines = 1);
    let count = columns_for(lines.len(), high);
    let rows = high.min(lines.len().div_ceil(count));
    // As few rows as there can be, so that no column is left empty.
    let rows = (rows..high).find(|rows| columns_fit(&lines, *rows, count)).unwrap_or(high);
    let columns = cut(&lines, rows);
    let page = |columns: &[Vec<NameLine>]| Page {
        span: span(columns),
        class: class(count, columns.iter().map(Vec::len).max().unwrap_or(0), high),
        names: columns.iter().map(|column| column.iter().map(line).collect()).collect(),
        places: Vec::new(),
        value: String::new(),
    };
    Ok(columns.chunks(COLUMNS).map(page).collect())
}

/// The pages of the standings after a round, what stands above them, and how far they go.
fn standings(
    at: &Looked<'_>,
    state: &Tournament,
    through: RoundNumber,
    division: Option<String>,
    high: usize,
) -> Result<(String, String, Vec<Page>), VerbError> {
    // What is hidden from everybody is hidden from the room.
    let view = View { division, is_public: true, ..View::default() };
    let view = match at.hidden {
        Some(public) => View { as_of: Some(public.to_string()), ..view },
        None if is_over(state) => view,
        None => View { through: Some(through), ..view },
    };
    let asked = view.asked_for_table(at)?;
    let table = Table::of(&asked, at.language);
    let rows: Vec<PlaceLine> = table.rows.iter().map(|row| place(row, table.main)).collect();
    let count = columns_for(rows.len(), high);
    let each = high.min(rows.len().div_ceil(count)).max(1);
    let (mut rows, mut pages) = (rows.into_iter().peekable(), Vec::new());
    while rows.peek().is_some() {
        let column =
            |rows: &mut dyn Iterator<Item = PlaceLine>| rows.take(each).collect::<Vec<PlaceLine>>();
        let places: Vec<Vec<PlaceLine>> =
            (0..count).map(|_| column(&mut rows)).filter(|column| !column.is_empty()).collect();
        let first = places.first().and_then(|column| column.first());
        let last = places.last().and_then(|column| column.last());
        let span = first
            .zip(last)
            .map_or(String::new(), |(first, last)| format!("{} – {}", first.place, last.place));
        let span = format!("{} {span}", table.division).trim().to_string();
        let value = table.labels.get(table.main).cloned().unwrap_or_default();
        let class = class(count, each, high);
        pages.push(Page { span, class, names: Vec::new(), places, value });
    }
    Ok((at.language.t(table.head_word()), notes(at, &asked, table).join(" "), pages))
}

/// How far standings go that are shown to a room or over a stream, that what follows is hidden, and what else
/// is said of them.
pub(super) fn notes(at: &Looked<'_>, asked: &Asked, table: Table) -> Vec<String> {
    let (through, postponed) = match at.hidden {
        Some(_) => {
            let told = told_through(&asked.event.state, asked.standings.through, at.language);
            (format!("{told} · {}", at.language.t("state-hidden")), String::new())
        }
        None if table.is_over => (String::new(), table.postponed),
        None => (table.head, table.postponed),
    };
    let (state, last) = (&asked.event.state, asked.standings.through);
    let disputed = match at.hidden {
        Some(_) => Vec::new(),
        None => disputed_in_words(state, last, false, at.language),
    };
    // Where another cut was made its line stands nowhere.
    let told = [through, postponed, table.another_cut].into_iter().filter(|one| !one.is_empty());
    told.chain(disputed).collect()
}

/// The screen.
///
/// # Errors
/// Where the store cannot be read or the standings not be folded.
pub fn page(at: &Looked<'_>, show: &Show) -> Result<String, VerbError> {
    let event = at.load()?;
    let state = &event.state;
    let round = published(state);
    let open = open_round(state).filter(|open| is_out(state, open));
    let is_played = open.is_some_and(|open| open.open_matches > 0);
    // Standings that everybody is to wait for are shown when the desk says so.
    let is_hidden = !state.is_closed()
        && at.policy.hidden_from.zip(round).is_some_and(|(from, round)| from <= round);
    let asked = show.show.as_deref().and_then(Showing::of_word);
    let told = asked.filter(|asked| *asked != Showing::Auto).unwrap_or_else(|| at.floor.shows());
    let by_division = show.by_division || told == Showing::Divisions;
    let told = match told {
        Showing::Auto if is_played || is_hidden => Showing::Pairings,
        // Where nobody has a division they are those of everybody.
        Showing::Divisions => Showing::Standings,
        Showing::Auto => Showing::Standings,
        told => told,
    };
    let mut page = ScreenPage {
        language: at.language,
        title: event.title(),
        head: round
            .map_or(at.language.t("welcome"), |round| round_called(state, round, at.language)),
        note: String::new(),
        divided: String::new(),
        clock: round
            .filter(|_| !state.is_closed())
            .and_then(|round| ClockShown::of(&at.floor, round, crate::floor::now())),
        is_clock_alone: told == Showing::Clock,
        announcements: announcements(&event, &at.floor, at.language),
        pages: Vec::new(),
        missing: Vec::new(),
        brackets: Vec::new(),
        event: state.head(),
        base: at.base.to_string(),
        floor: at.floor.version(),
        styles: ["tokens.css", "screen.css"].map(assets::path).into(),
        scripts: ["clock.js", "screen.js"].map(assets::path).into(),
    };
    // Whoever looks at a screen is told too.
    page.announcements.splice(..0, super::frame::rewritten(at).map(|text| (0, text)));
    let high = room(&page.announcements);
    match (told, round) {
        (Showing::Pairings, Some(round)) => {
            page.divided = Divided::of(state).tables(round, at.language).join(" · ");
            // It stands above the columns, as announcements do.
            let lines = page.divided.chars().count().div_ceil(LETTERS);
            let high = high.saturating_sub(lines * TAKES).max(FEWEST);
            page.pages = pairings(&event, round, at.language, high)?
        }
        (Showing::Standings, Some(_)) if at.hidden == Some(0) => {}
        (Showing::Standings, Some(round)) => {
            scope(state, Some(round))?;
            let names = divisions(state);
            let all: Vec<Option<String>> = match by_division && !names.is_empty() {
                true => names.into_iter().map(|name| Some(name.into())).collect(),
                false => vec![show.division.clone()],
            };
            for division in all {
                let (head, note, pages) = standings(at, state, round, division, high)?;
                page.head = head;
                page.note = note;
                page.pages.extend(pages);
            }
        }
        // Before a draft is published its round is nobody's business.
        (Showing::Bracket, _) if state.last_round().is_none_or(|last| is_out(state, last)) => {
            page.head = at.language.t("bracket");
            page.brackets = match at.hidden {
                Some(0) => Vec::new(),
                Some(public) => brackets(&at.load_as_of(public)?, at.language)?,
                None => brackets(&event, at.language)?,
            };
        }
        (Showing::Missing, Some(_)) if open.is_some() => {
            let line = |row: super::MissingTable| MissingLine {
                table: row.table,
                names: row.players.into_iter().map(|player| player.name).collect(),
            };
            page.missing = missing_tables(&event).into_iter().map(line).collect();
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
        let asked = Show { show: Some("pairings".into()), ..Show::default() };
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
    fn behind_the_end_screen_and_phone_show_final_standings_and_how_the_bracket_ended() {
        use super::super::kit::planned;
        use scrutineer_desk::orders::{Close, Cut};
        let hall = planned(&["swiss:2", "single-elimination:4"]);
        for round in 1..=4 {
            if round == 3 {
                hall.order(Cut::default());
            }
            hall.order(Pair::default());
            hall.order(Publish {});
            let state = hall.store.load(hall.stream, false).expect("loaded").state;
            let open = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
            open.for_each(|table| hall.slip(&format!("{table} 2-0")));
        }
        let both = |looked: &Looked<'_>| {
            let phone = super::super::standings::page(looked, &View::default(), "", 0);
            [page(looked, &Show::default()).expect("a page"), phone.expect("a page")]
        };
        let mut looked = hall.looked();
        looked.role = crate::gate::Role::Public;
        for html in both(&looked) {
            assert!(html.contains("<h1>Standings</h1>") && html.contains("after final"), "{html}");
            assert!(!html.contains("out in the"), "{html}");
        }
        hall.order(Close::default());
        for (language, head, semi_final) in [
            (Language::English, "Final standings", "out in the semi-final"),
            (Language::German, "Endstand", "Halbfinale: ausgeschieden"),
        ] {
            looked.language = language;
            for html in both(&looked) {
                assert!(html.contains(&format!("<h1>{head}</h1>")), "{html}");
                assert!(!html.contains("after final") && !html.contains("nach Finale"), "{html}");
                assert_eq!(html.matches(semi_final).count(), 2, "{html}");
            }
        }
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
        let html = page(&looked, &Show { show: Some("pairings".into()), ..Show::default() })
            .expect("a page");
        assert!(html.contains("data-page") && html.contains("data-clock"), "the page's own word");
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let open = state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table());
        open.for_each(|table| hall.slip(&format!("{table} 2-0")));
        hall.order(Pair::default());
        for (_, word, _) in Showing::ALL {
            let html = page(&hall.looked(), &Show { show: Some(word.into()), ..Show::default() })
                .expect(word);
            assert!(!html.contains("Round 2"), "{word}");
        }
    }

    #[test]
    fn a_screen_shows_no_standings_that_are_hidden_and_paper_says_that_it_is_not_public() {
        let hall = hall();
        hall.slip("1 2-0");
        hall.slip("3 2-0");
        let state = |hall: &super::super::kit::Hall| {
            hall.store.load(hall.stream, false).expect("loaded").state
        };
        let public = state(&hall).head();
        hall.play_on();
        for table in 1..=3 {
            hall.slip(&format!("{table} 2-1"));
        }
        let mut looked = hall.looked();
        looked.policy.hidden_from = Some(2);
        let asked = Show { show: Some("standings".into()), ..Show::default() };
        let before = page(&looked, &asked).expect("a page");
        assert!(before.contains("fter round 2"), "{before}");
        looked.hidden = Some(public);
        let html = page(&looked, &asked).expect("a page");
        assert!(html.contains("results are hidden until they are announced"), "{html}");
        assert!(html.contains("fter round 1") && !html.contains("fter round 2"), "{html}");
        looked.hidden = Some(0);
        let html = page(&looked, &asked).expect("a page");
        assert!(!html.contains("Ann Lee"), "{html}");
        let wanted = super::super::print::Wanted::default();
        let paper = super::super::print::page(&looked, "standings", wanted).expect("a page");
        assert!(paper.contains("Not public: results are hidden") && paper.contains("hatch"));
        let own = super::super::standings::page(&looked, &View::default(), "", 0).expect("a page");
        assert!(own.contains("value=\"announce\"") && own.contains("Not public yet"), "{own}");
        looked.role = crate::gate::Role::Public;
        let all = super::super::standings::page(&looked, &View::default(), "", 0).expect("a page");
        assert!(!all.contains("value=\"announce\"") && !all.contains("Not public yet"), "{all}");
    }

    #[test]
    fn a_screen_says_at_which_tables_each_division_sits() {
        use scrutineer_desk::orders::{Enroll, HowDivided, New, Person, open};
        let hall = enrolled();
        let new = New { title: "Cup".into(), rules: "mtr".into(), ..New::default() };
        let (stream, _) = open(&hall.asker, &hall.store, &new).expect("opened");
        let person = |at: usize| Person {
            name: format!("Player {at}"),
            division: Some(if at < 4 { "Junior" } else { "Masters" }.into()),
            ..Person::default()
        };
        let record = |order: scrutineer_desk::orders::Order| {
            let asked = scrutineer_desk::desk::Asked::default();
            let told =
                scrutineer_desk::orders::record(&hall.asker, &hall.store, stream, asked, &order);
            told.0.expect("recorded");
        };
        record(Enroll { people: (0..8).map(person).collect(), ..Enroll::default() }.into());
        record(Pair { divisions: Some(HowDivided::Apart), ..Pair::default() }.into());
        record(Publish {}.into());
        let looked = Looked { stream, ..hall.looked() };
        let html = page(&looked, &Show::default()).expect("a page");
        let both = ["Junior: tables 1–2", "Masters: tables 3–4"];
        let others = ["Masters: tables 1–2", "Junior: tables 3–4"];
        let has = |told: [&str; 2]| told.iter().all(|one| html.contains(one));
        assert!(has(both) || has(others), "{html}");
        let round = super::super::round::page(&looked, None).expect("a page");
        assert_eq!(round.matches("class=\"tag division\">Junior<").count(), 2, "{round}");
    }

    /// The line of the cut was gone without a word.
    #[test]
    fn a_screen_and_an_overlay_say_that_another_cut_was_made_than_their_standings_give() {
        use super::super::kit::planned;
        use super::super::overlay;
        use scrutineer_desk::orders::{Correct, Cut};
        let hall = planned(&["swiss:1", "single-elimination:2"]);
        hall.order(Pair::default());
        hall.order(Publish {});
        for slip in ["1 postponed", "2 2-0", "3 1-1-1"] {
            hall.slip(slip);
        }
        hall.order(Cut::default());
        hall.order(Pair::default());
        let shown = |language| {
            let looked = Looked { language, ..hall.looked() };
            let show = Show { show: Some("standings".into()), ..Show::default() };
            [page(&looked, &show), overlay::page(&looked, Some("standings"))]
                .map(|html| html.expect("a page"))
        };
        let another = "Another cut was made: to a top 2 who are not the first 2 of these";
        let line = |html: &String| (html.contains("cutline"), html.contains(another));
        assert_eq!(shown(Language::English).each_ref().map(line), [(true, false); 2]);
        let (slip, reason) = ("1 2-0".to_string(), "played".to_string());
        hall.order(Correct { slip, reason, round: Some(1), ..Correct::default() });
        assert_eq!(shown(Language::English).each_ref().map(line), [(false, true); 2]);
        let german = shown(Language::German);
        assert!(german.iter().all(|html| html.contains("Der Schnitt fiel anders aus")));
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
    fn a_top_eight_fills_the_screen_and_many_are_cut_into_three_columns() {
        let of = |lines: usize| {
            let count = columns_for(lines, LINES);
            class(count, LINES.min(lines.div_ceil(count)), LINES)
        };
        assert_eq!(of(8), "columns c1 r8");
        assert_eq!(of(13), "columns c1 r13");
        assert_eq!(of(23), "columns c2 r13");
        assert_eq!(of(50), "columns c3 r18");
        assert_eq!(of(500), "columns c3");
    }

    /// Among 45 names one of 105 letters was 8 pixels high, and left one of three columns empty.
    #[test]
    fn a_name_that_nobody_could_read_ends_in_dots_and_takes_no_room_from_the_others() {
        use super::super::kit::with_people;
        use scrutineer_desk::orders::Person;
        let long = format!("Mustermann-{}", "abcdefghij".repeat(10)).chars().take(105).collect();
        let names = (0..45).map(|at| format!("Player {at:02}")).chain([long]);
        let people = names.map(|name| Person { name, ..Person::default() }).collect();
        let hall = with_people(&[], people);
        hall.order(Pair::default());
        hall.order(Publish {});
        let html = page(&hall.looked(), &Show::default()).expect("a page");
        assert_eq!(html.matches("<table>").count(), COLUMNS, "{html}");
        let begins = "Mustermann-abcdefghijabcdefghijabcdefgh";
        assert!(html.contains(&format!("<bdi>{begins}…</bdi>")), "{html}");
        assert!(html.contains(&format!("title=\"{begins}")), "the whole of it is there: {html}");
    }

    #[test]
    fn a_long_name_is_set_smaller_and_stays_whole() {
        assert_eq!(["Ann Lee", "Maximiliane von Hohenlohe-Waldenburg"].map(size), ["", "longest"]);
    }
}

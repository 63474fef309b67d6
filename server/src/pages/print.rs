//! What goes on paper: pairings, slips, standings, brackets, a dispute's file.

use super::bracket::{Bracket, brackets};
use super::disputes::{File, read_file};
use super::frame::{Frame, Tab, capital};
use super::standings::{Table, View};
use super::{Looked, render, rules_of};
use askama::Template;
use qrcode::{Color, EcLevel, QrCode};
use scrutineer_desk::answers::RoundTable;
use scrutineer_desk::names::Names;
use scrutineer_desk::orders::Sheet;
use scrutineer_desk::signed::foot;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::RoundNumber;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::trust::history::History;
use std::fmt::Write;

/// How many columns a sheet by name has, and how many lines a column.
const COLUMNS: usize = 3;
const LINES: usize = 37;
/// From so many names on, letters stand between them.
const MANY: usize = 60;
/// The fewest lines for which a further column is begun.
const FEWEST: usize = 12;
/// How many slips are on a sheet: two beside each other, in three rows.
const SLIPS: usize = 6;

/// What can be printed: its name in the path, and in words.
pub const ALL: [(&str, &str); 8] = [
    ("pairings-by-name", "Pairings by name, for the wall"),
    ("pairings-by-table", "Pairings by table"),
    ("slips", "Result slips, in cutting order"),
    ("standings", "Standings"),
    ("final", "Final standings"),
    ("bracket", "Bracket"),
    ("seat-all", "Seats for everybody, by name"),
    ("dispute", "Files of disputes"),
];

/// What stands around a sheet of paper.
struct Paper {
    frame: Frame,
    title: String,
    what: &'static str,
    day: String,
    foot: Vec<String>,
    code: Option<Svg>,
}

/// A code that a camera reads: the side in squares, and the dark ones as a path.
struct Svg {
    side: usize,
    path: String,
}

/// The code of a text; none where it is too long for one.
fn code(text: &str) -> Option<Svg> {
    let code = QrCode::with_error_correction_level(text.as_bytes(), EcLevel::M).ok()?;
    let side = code.width();
    let mut path = String::new();
    for (at, color) in code.into_colors().into_iter().enumerate() {
        if color == Color::Dark {
            // A text takes whatever is written into it.
            let _ = write!(path, "M{} {}h1v1h-1z", at % side, at / side);
        }
    }
    Some(Svg { side, path })
}

#[derive(Template)]
#[template(path = "print_index.html")]
struct IndexPage {
    frame: Frame,
    all: Vec<(&'static str, &'static str)>,
    disputes: usize,
}

#[derive(Template)]
#[template(path = "print_names.html")]
struct NamesPage {
    paper: Paper,
    sheets: Vec<NameSheet>,
}

/// A sheet by name: what it holds, and its columns.
struct NameSheet {
    span: String,
    columns: Vec<Vec<NameLine>>,
}

/// A line of a sheet by name; a letter alone begins a part.
#[derive(Clone)]
pub struct NameLine {
    /// The name, or the letter.
    pub name: String,
    /// The table; empty where the line is a letter.
    pub table: String,
    /// Who is met there.
    pub against: String,
    /// Whether it is only a letter.
    pub is_letter: bool,
    /// Whether the name is long, and set smaller.
    pub is_long: bool,
}

#[derive(Template)]
#[template(path = "print_tables.html")]
struct TablesPage {
    paper: Paper,
    tables: Vec<RoundTable>,
    byes: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "print_slips.html")]
struct SlipsPage {
    paper: Paper,
    sheets: Vec<Vec<Option<Slip>>>,
    wins: Vec<u8>,
    with_games: bool,
}

/// A slip of a table.
struct Slip {
    table: u32,
    players: Vec<(String, String, bool)>,
    code: Option<Svg>,
}

#[derive(Template)]
#[template(path = "print_standings.html")]
struct StandingsPage {
    paper: Paper,
    frame: Frame,
    table: Table,
    query: String,
}

#[derive(Template)]
#[template(path = "print_bracket.html")]
struct BracketPage {
    paper: Paper,
    brackets: Vec<Bracket>,
}

#[derive(Template)]
#[template(path = "print_dispute.html")]
struct DisputePage {
    paper: Paper,
    file: File,
}

fn paper(at: &Looked<'_>, event: &LoadedTournament, what: &'static str, title: String) -> Paper {
    let history = || History::read(at.store.log(), event.stream).ok();
    let (foot, _) = foot(at.store, event, history);
    let mut frame = Frame::of(at, event, Tab::Print, &format!("print/{what}"));
    frame.styles = ["tokens.css", "print.css"].map(super::assets::path).into();
    Paper {
        title,
        what,
        day: event
            .state
            .opened()
            .and_then(|opened| opened.held_on)
            .map_or(String::new(), |day| day.to_string()),
        code: (!foot.is_empty()).then(|| code(foot.trim())).flatten(),
        foot: foot.lines().map(str::to_string).collect(),
        frame,
    }
}

/// A name that needs smaller letters to stay on its line.
fn is_long(name: &str) -> bool {
    name.chars().count() > 22
}

/// By name, with a letter where a new one begins. Names are sorted as they are written.
pub fn by_name(mut rows: Vec<(String, String, String)>) -> Vec<NameLine> {
    rows.sort_by_cached_key(|(name, ..)| (name.to_lowercase(), name.clone()));
    // Letters help to find a name among many; among few they only take room.
    let with_letters = rows.len() >= MANY;
    let mut lines = Vec::new();
    let mut letter = String::new();
    for (name, table, against) in rows {
        let first: String = name.chars().take(1).flat_map(char::to_uppercase).take(1).collect();
        if with_letters && first != letter {
            letter.clone_from(&first);
            lines.push(NameLine {
                name: first,
                table: String::new(),
                against: String::new(),
                is_letter: true,
                is_long: false,
            });
        }
        let is_long = is_long(&name);
        lines.push(NameLine { name, table, against, is_letter: false, is_long });
    }
    lines
}

/// Lines cut into columns of at most so many; few are spread over all columns of a page. No letter
/// stands alone at the foot of one.
pub fn columns(lines: &[NameLine], high: usize) -> Vec<Vec<NameLine>> {
    let spread = lines.len().div_ceil(COLUMNS).max(FEWEST);
    let high = high.min(spread);
    let mut columns: Vec<Vec<NameLine>> = Vec::new();
    for line in lines {
        let is_full = columns.last().is_none_or(|column| {
            column.len() >= high || (line.is_letter && column.len() + 1 >= high)
        });
        if is_full {
            columns.push(Vec::new());
        }
        if let Some(column) = columns.last_mut() {
            column.push(line.clone());
        }
    }
    columns
}

/// The first and the last name of some columns, as far as they need to be told.
pub fn span(columns: &[Vec<NameLine>]) -> String {
    let mut names = columns.iter().flatten().filter(|line| !line.is_letter);
    let short = |line: &NameLine| line.name.chars().take(3).collect::<String>();
    let first = names.next().map(short).unwrap_or_default();
    let last = names.next_back().map_or(first.clone(), short);
    format!("{first} – {last}")
}

/// Everybody who sits in a round: name, table, whom they meet.
pub fn seated(
    event: &LoadedTournament,
    round: RoundNumber,
) -> Result<Vec<(String, String, String)>, VerbError> {
    let rules = rules_of(event, None)?;
    let names = Names::of(&event.state, &event.book);
    let (tables, byes) = Sheet::of(&event.state, &rules, round).answered(&names);
    let mut rows = Vec::new();
    for row in &tables {
        for seat in &row.players {
            let others = row.players.iter().filter(|other| other.player != seat.player);
            let others: Vec<&str> = others.map(|other| &other.player.name[..]).collect();
            rows.push((seat.player.name.clone(), row.table.to_string(), others.join(", ")));
        }
    }
    rows.extend(byes.into_iter().map(|bye| (bye.player.name, "bye".into(), bye.kind)));
    Ok(rows)
}

fn name_sheets(lines: &[NameLine]) -> Vec<NameSheet> {
    let columns = columns(lines, LINES);
    let sheets = columns.chunks(COLUMNS);
    sheets.map(|columns| NameSheet { span: span(columns), columns: columns.to_vec() }).collect()
}

/// The tables of each sheet of slips: cut as a stack, the stacks put on each other lie in the order of
/// the tables.
fn cutting_order(count: usize) -> Vec<Vec<Option<usize>>> {
    let sheets = count.div_ceil(SLIPS);
    let slip = |sheet: usize, place: usize| Some(place * sheets + sheet).filter(|at| *at < count);
    (0..sheets).map(|sheet| (0..SLIPS).map(|place| slip(sheet, place)).collect()).collect()
}

fn slips(
    at: &Looked<'_>,
    event: &LoadedTournament,
    round: RoundNumber,
) -> Result<String, VerbError> {
    let rules = rules_of(event, None)?;
    let names = Names::of(&event.state, &event.book);
    let (tables, _) = Sheet::of(&event.state, &rules, round).answered(&names);
    let sheet = event.state.round(round).and_then(|round| event.state.scoresheet(round));
    let best_of = sheet.and_then(|sheet| sheet.best_of);
    let of = |table: &RoundTable| Slip {
        table: table.table,
        players: table
            .players
            .iter()
            .map(|seat| {
                let name = seat.player.name.clone();
                (name.clone(), seat.points.clone(), is_long(&name))
            })
            .collect(),
        // A scanner types it into the field of the entry page; it names the table and nobody.
        code: code(&table.table.to_string()),
    };
    let order = cutting_order(tables.len());
    let slip = |at: Option<usize>| at.and_then(|at| tables.get(at)).map(of);
    render(&SlipsPage {
        paper: paper(at, event, "slips", format!("Round {round}")),
        sheets: order.into_iter().map(|sheet| sheet.into_iter().map(slip).collect()).collect(),
        wins: (0..=best_of.map_or(0, |games| games / 2 + 1)).collect(),
        with_games: best_of.is_some(),
    })
}

/// The round whose pairings are printed.
fn round_of(event: &LoadedTournament) -> Result<RoundNumber, VerbError> {
    let last = event.state.last_round().map(|round| round.number);
    last.ok_or_else(|| scrutineer_desk::orders::no_such_round(1, 0))
}

fn round_title(event: &LoadedTournament, round: RoundNumber) -> String {
    let called = scrutineer_projections::bracket_rounds::bracket_round(&event.state, round);
    let draft = event.state.round(round).is_some_and(|round| round.published.is_none());
    let title = called.map_or(format!("Round {round}"), |called| capital(&called));
    if draft { format!("{title} (draft)") } else { title }
}

/// Something to print; `index` lists what there is.
///
/// # Errors
/// Where there is no such sheet, or nothing to stand on it.
pub fn page(at: &Looked<'_>, what: &str, dispute: Option<u32>) -> Result<String, VerbError> {
    let event = at.load()?;
    match what {
        "pairings-by-name" => {
            let round = round_of(&event)?;
            let lines = by_name(seated(&event, round)?);
            let paper = paper(at, &event, "pairings-by-name", round_title(&event, round));
            render(&NamesPage { paper, sheets: name_sheets(&lines) })
        }
        "pairings-by-table" => {
            let round = round_of(&event)?;
            let rules = rules_of(&event, None)?;
            let names = Names::of(&event.state, &event.book);
            let (tables, byes) = Sheet::of(&event.state, &rules, round).answered(&names);
            render(&TablesPage {
                paper: paper(at, &event, "pairings-by-table", round_title(&event, round)),
                tables,
                byes: byes.into_iter().map(|bye| (bye.player.name, bye.kind)).collect(),
            })
        }
        "slips" => slips(at, &event, round_of(&event)?),
        "standings" | "final" => {
            let asked = View::default().asked(at)?;
            let what = if what == "final" { "final" } else { "standings" };
            let is_over = event.state.is_closed() || event.state.imported().is_some();
            let title = match (what, is_over) {
                ("final", true) => "Final standings",
                ("final", false) => "Standings, not final",
                _ => "Standings",
            };
            let paper = paper(at, &event, what, title.into());
            let frame = Frame::of(at, &event, Tab::Print, "print/standings");
            let table = Table::of(&asked);
            render(&StandingsPage { paper, frame, table, query: String::new() })
        }
        "bracket" => {
            let paper = paper(at, &event, "bracket", "Bracket".into());
            render(&BracketPage { paper, brackets: brackets(&event)? })
        }
        "seat-all" => {
            let here = event
                .state
                .players()
                .iter()
                .filter(|player| !player.withdrawn && player.dropped().is_none());
            let mut names: Vec<String> = here.map(|player| event.name(player.number)).collect();
            names.sort_by_cached_key(|name| (name.to_lowercase(), name.clone()));
            let seat =
                |(at, name): (usize, String)| (name, (at / 2 + 1).to_string(), String::new());
            let lines = by_name(names.into_iter().enumerate().map(seat).collect());
            let paper = paper(at, &event, "seat-all", "Seats, everybody by name".into());
            render(&NamesPage { paper, sheets: name_sheets(&lines) })
        }
        "dispute" if dispute.is_some() => {
            let file = read_file(at, dispute.unwrap_or_default())?;
            let title = format!("Dispute {}", file.number);
            render(&DisputePage { paper: paper(at, &event, "dispute", title), file })
        }
        "index" | "dispute" => render(&IndexPage {
            frame: Frame::of(at, &event, Tab::Print, "print/index"),
            all: ALL.into_iter().filter(|(name, _)| *name != "dispute").collect(),
            disputes: event.state.disputes().len(),
        }),
        other => {
            let known: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
            let message = format!("nothing called {other:?} is printed");
            let hint = format!("what is printed: {}", known.join(", "));
            Err(VerbError::new(Code::not_found("no-such-page"), message, hint))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::{HTML, hall};
    use super::*;

    #[test]
    fn slips_cut_as_a_stack_lie_in_the_order_of_the_tables() {
        for count in [0, 1, 5, 6, 7, 11, 12, 250] {
            let sheets = cutting_order(count);
            let cut = (0..SLIPS).flat_map(|place| sheets.iter().map(move |sheet| sheet[place]));
            let stack: Vec<usize> = cut.flatten().collect();
            assert_eq!(stack, (0..count).collect::<Vec<_>>(), "{count} tables");
        }
    }

    #[test]
    fn everybody_stands_once_on_the_sheet_by_name_and_no_letter_ends_a_column() {
        let row = |at: usize| {
            (format!("{}name {at}", (b'A' + (at % 26) as u8) as char), "1".into(), String::new())
        };
        let lines = by_name((0..300).map(row).collect());
        let columns = columns(&lines, LINES);
        let names = columns.iter().flatten().filter(|line| !line.is_letter).count();
        assert_eq!(names, 300);
        assert!(columns.iter().all(|column| column.len() <= LINES));
        assert!(columns.iter().all(|column| !column.last().is_some_and(|line| line.is_letter)));
    }

    #[test]
    fn all_that_is_printed_escapes_names_and_holds_everybody() {
        let hall = hall();
        hall.dispute(2);
        for (what, _) in ALL {
            let html = page(&hall.looked(), what, Some(1)).expect(what);
            assert!(!html.contains(HTML), "{what}");
            assert!(!html.contains("style="), "{what}: content security forbids it");
            let names = ["Ann Lee", "Cid", "Dee", "Eva", "Fay"];
            if what != "dispute" && what != "bracket" {
                assert!(names.iter().all(|name| html.contains(name)), "{what}");
            }
        }
        let error = page(&hall.looked(), "money", None).expect_err("not printed");
        assert_eq!(error.code.word, "no-such-page");
    }

    #[test]
    fn the_code_of_a_slip_is_its_table() {
        let svg = code("12").expect("a code");
        assert_eq!(svg.side, 21);
        assert!(svg.path.starts_with("M0 0h1v1h-1z"), "the corner of every code is dark");
    }
}

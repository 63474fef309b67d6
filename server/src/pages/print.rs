//! What goes on paper: pairings, slips, standings, brackets, lists for those who run, a dispute's file.
//!
//! Sheets and columns are cut here; a sheet is 210 by 279 mm, which A4 and Letter both hold.

pub mod badges;
mod cross;
mod draw;
mod fit;
mod names;
mod places;
mod prizes;
mod receipts;
mod rows;
mod slips;

pub use names::{NameLine, by_name, cut, seated, span};

use super::bracket::brackets;
use super::code::{Svg, code};
use super::disputes::{File, read_file};
use super::divided::Divided;
use super::frame::{Frame, Tab};
use super::missing::postponed;
use super::missing_tables;
use super::reach::disputed_in_words;
use super::standings::{Table, View, is_over, name_rounds};
use super::{Looked, is_chess, is_for_this_machine, render, round_called, rules_of};
use crate::language::Language;
use crate::live::is_out;
use askama::Template;
use draw::DrawSheet;
use names::NameSheet;
use places::{Columns, PlaceSheet};
use prizes::Prizes;
use rows::RowSheet;
use scrutineer_desk::answers::{RoundBye, RoundTable};
use scrutineer_desk::names::Names;
use scrutineer_desk::orders::Sheet;
use scrutineer_desk::public::ShownName;
use scrutineer_desk::signed::foot;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{PlayerNumber, RoundNumber, UnknownFact};
use scrutineer_engine::names::listed;
use scrutineer_engine::record::to_hex;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::divisions::divisions;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::neutral::starting_numbers;
use scrutineer_replay::trust::history::History;
use slips::{Slip, slip};

/// What can be printed: its name in the path, and in words.
pub const ALL: [(&str, &str); 17] = [
    ("pairings-by-name", "Pairings by name, for the wall"),
    ("pairings-by-table", "Pairings by table"),
    ("slips", "Result slips, in cutting order"),
    ("receipts", "Receipts of the last results, as strips to cut"),
    ("missing", "Missing tables, for runners"),
    ("standings", "Standings"),
    ("final", "Final standings"),
    ("cross-by-rank", "Cross table by place"),
    ("cross-by-start", "Cross table by starting rank"),
    ("bracket", "Bracket"),
    ("seat-all", "Seats for everybody, by name"),
    ("starting-ranks", "Starting rank list, with federations and ratings"),
    ("roster", "Players, with a box to tick"),
    ("deck-checks", "Deck checks, a line a player"),
    ("poster", "Poster with the address of this tournament"),
    ("dispute", "Files of disputes"),
    ("index", ""),
];

/// What is asked for beside its name.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The dispute whose file is printed.
    pub dispute: Option<u32>,
    /// How many slips are on a sheet.
    pub per_sheet: Option<u16>,
    /// The division whose standings are printed.
    pub division: Option<String>,
    /// Whether standings are printed division by division.
    pub by_division: bool,
    /// Which places have a prize.
    pub prizes: Option<String>,
    /// The round whose tables are printed; none: the last one.
    pub round: Option<RoundNumber>,
}

/// What stands around a sheet of paper.
struct Paper {
    frame: Frame,
    title: String,
    what: &'static str,
    /// What was asked for beside the language, as it stands in the query.
    query: String,
    day: String,
    /// That the numbers of its tables are counted through; empty where they are those of the hall.
    counted: String,
    /// Why it is not for the public; empty where it is.
    secret: String,
    foot: Vec<String>,
    code: Option<Svg>,
    /// Where others look: server, path and the code of both; for the wall alone.
    public: Option<(String, String, Svg)>,
}

#[derive(Template)]
#[template(path = "print_index.html")]
struct IndexPage {
    frame: Frame,
    all: Vec<(&'static str, &'static str)>,
    disputes: usize,
    with_divisions: bool,
    /// The rounds that can be printed anew, the last one first.
    rounds: Vec<RoundNumber>,
    /// Whether nobody reaches this server but this machine.
    is_alone: bool,
}

#[derive(Template)]
#[template(path = "print_names.html")]
struct NamesPage {
    paper: Paper,
    sheets: Vec<NameSheet>,
    with_boxes: bool,
    /// Which division sits at which tables; empty where there is nothing to say.
    divided: String,
}

/// What is written beside a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Result,
    Note,
    Decks,
    Rating,
}

#[derive(Template)]
#[template(path = "print_tables.html")]
struct TablesPage {
    paper: Paper,
    sheets: Vec<RowSheet>,
    column: Column,
    with_points: bool,
    with_divisions: bool,
    /// Whether a line is a player with their number, and not a table.
    is_of_players: bool,
}

#[derive(Template)]
#[template(path = "print_slips.html")]
struct SlipsPage {
    paper: Paper,
    sheets: Vec<Vec<Option<Slip>>>,
    per_sheet: usize,
    wins: Vec<u8>,
    with_games: bool,
}

#[derive(Template)]
#[template(path = "print_standings.html")]
struct StandingsPage<'a> {
    paper: Paper,
    table_hash: String,
    tables: Vec<Placed<'a>>,
}

/// A table of standings on sheets of its own.
struct Placed<'a> {
    table: &'a Table,
    columns: Columns,
    sheets: Vec<PlaceSheet<'a>>,
}

#[derive(Template)]
#[template(path = "print_bracket.html")]
struct BracketPage<'a> {
    paper: Paper,
    sheets: Vec<DrawSheet<'a>>,
}

#[derive(Template)]
#[template(path = "print_poster.html")]
struct PosterPage {
    paper: Paper,
}

#[derive(Template)]
#[template(path = "print_dispute.html")]
struct DisputePage {
    paper: Paper,
    file: File,
}

/// What hangs on the wall: with the last checkpoint at its foot, and the address.
const WALL: [&str; 10] = [
    "pairings-by-name",
    "pairings-by-table",
    "standings",
    "final",
    "cross-by-rank",
    "cross-by-start",
    "bracket",
    "seat-all",
    "starting-ranks",
    "poster",
];

/// Whether a paper names tables of a round.
fn numbers_tables(what: &str) -> bool {
    matches!(what, "pairings-by-name" | "pairings-by-table" | "deck-checks" | "missing")
}

/// Whether a tournament came from a file that numbers no tables, so that theirs are counted through.
fn are_counted(state: &Tournament) -> bool {
    let imported = state.imported();
    imported.is_some_and(|imported| imported.unknown.contains(&UnknownFact::Tables))
}

fn paper(at: &Looked<'_>, event: &LoadedTournament, what: &'static str, title: String) -> Paper {
    let history = || History::read(at.store.log(), event.stream).ok();
    let is_wall = WALL.contains(&what);
    let foot = if is_wall { foot(at.store, event, history).0 } else { String::new() };
    let mut frame = Frame::of(at, event, Tab::Print, &format!("print/{what}"));
    frame.styles = ["tokens.css", "print.css"].map(super::assets::path).into();
    // The tournament's own address leads to where people sit while a round is played.
    let path = match what {
        "poster" => at.base.to_string(),
        _ => format!("{}/standings", at.base),
    };
    let of_results = ["standings", "final", "cross-by-rank", "cross-by-start", "bracket"];
    let is_secret = at.hidden.is_some() && of_results.contains(&what);
    // Of a laptop that was replaced nothing may hang beside what the desk prints.
    let is_replaced = at.second.as_ref().is_some_and(|line| line.is_replaced);
    // Who photographs it shall not find it confirmed.
    let foot = if is_secret { String::new() } else { foot };
    Paper {
        title,
        what,
        query: at.printed.clone(),
        secret: match is_secret {
            _ if is_replaced => at.language.t("paper-replaced"),
            true => at.language.t("paper-hidden"),
            false => String::new(),
        },
        public: code(&format!("{}{path}", at.origin))
            .filter(|_| is_wall && !is_for_this_machine(&at.origin))
            .map(|code| (at.origin.clone(), path, code)),
        day: frame.day.clone(),
        counted: match numbers_tables(what) && are_counted(&event.state) {
            true => at.language.t("paper-counted"),
            false => String::new(),
        },
        code: (!foot.is_empty()).then(|| code(foot.trim())).flatten(),
        foot: foot.lines().map(str::to_string).collect(),
        frame,
    }
}

impl Paper {
    /// The same in another language.
    fn in_language(&self, other: &Language) -> String {
        let sign = if self.query.is_empty() { "" } else { "&" };
        format!("?{}{sign}lang={}", self.query, other.tag())
    }

    /// A paper about a round: as long as it is a draft nobody but the staff may see it.
    fn of_round(
        at: &Looked<'_>,
        event: &LoadedTournament,
        what: &'static str,
        round: RoundNumber,
    ) -> Paper {
        let is_draft = event.state.round(round).is_some_and(|round| !is_out(&event.state, round));
        let mut paper = paper(at, event, what, round_called(&event.state, round, at.language));
        if is_draft {
            paper.secret = at.language.t("paper-draft");
            // Who photographs it shall not find it confirmed.
            (paper.foot, paper.code) = (Vec::new(), None);
        }
        paper
    }
}

/// Whether paper may name points: not while results are hidden, from which they could be told.
fn with_points(at: &Looked<'_>) -> bool {
    at.hidden.is_none()
}

/// How many letters of the divisions and their tables there is room for above names.
const DIVIDED: usize = 180;

/// Which division sits at which tables in a round, in a line.
fn divided_in(at: &Looked<'_>, event: &LoadedTournament, round: RoundNumber) -> String {
    let told = Divided::of(&event.state).tables(round, at.language).join(" · ");
    Some(told).filter(|told| told.chars().count() <= DIVIDED).unwrap_or_default()
}

/// The round whose pairings are printed: the one that is asked for, else the last one.
fn round_of(
    event: &LoadedTournament,
    asked: Option<RoundNumber>,
) -> Result<RoundNumber, VerbError> {
    let last = event.state.last_round().map_or(0, |round| round.number);
    let round = asked.unwrap_or(last.max(1));
    match event.state.round(round).is_some_and(|found| !found.withdrawn) {
        true => Ok(round),
        false => Err(scrutineer_desk::orders::no_such_round(round, last)),
    }
}

/// The tables of a round, with the points it was paired by, and who has which bye in it.
fn tables_of(
    event: &LoadedTournament,
    round: RoundNumber,
) -> Result<(Vec<RoundTable>, Vec<RoundBye>), VerbError> {
    let rules = rules_of(event, None)?;
    let names = Names::of(&event.state, &event.book);
    Ok(Sheet::of(&event.state, &rules, round).as_paired(event).answered(&names))
}

fn slips_page(
    at: &Looked<'_>,
    event: &LoadedTournament,
    round: RoundNumber,
    asked: Option<u16>,
) -> Result<String, VerbError> {
    let (tables, _) = tables_of(event, round)?;
    let sheet = event.state.round(round).and_then(|round| event.state.scoresheet(round));
    let best_of = sheet.and_then(|sheet| sheet.best_of);
    let wins: Vec<u8> = (0..=best_of.map_or(0, |games| games / 2 + 1)).collect();
    let is_chess = is_chess(event);
    let boxes = match best_of {
        // One tick beside each name, and the result below.
        _ if is_chess => 3,
        Some(_) => wins.len() + 1,
        None => 4,
    };
    let most_players = tables.iter().map(|table| table.players.len()).max().unwrap_or(2);
    let per_sheet = slips::per_sheet(asked, most_players);
    // A name that nobody could read on a small slip has a larger one.
    let per_sheet = match slips::fits(&tables, per_sheet, boxes) {
        true => per_sheet,
        false => 4,
    };
    let (divided, points) = (Divided::of(&event.state), with_points(at));
    let of = |place: Option<usize>| {
        let table = tables.get(place?)?;
        let division = divided.of_table(table.players.iter().map(|seat| seat.player.number));
        Some(slip(table, per_sheet, boxes, points, division.unwrap_or_default()))
    };
    let order = slips::cutting_order(tables.len(), per_sheet);
    render(&SlipsPage {
        paper: Paper::of_round(at, event, "slips", round),
        sheets: order.into_iter().map(|sheet| sheet.into_iter().map(of).collect()).collect(),
        per_sheet,
        wins,
        with_games: best_of.is_some() && !is_chess,
    })
}

fn standings_page(
    at: &Looked<'_>,
    event: &LoadedTournament,
    is_final: bool,
    wanted: &Wanted,
) -> Result<String, VerbError> {
    let all: Vec<Option<String>> = match wanted.by_division {
        true => divisions(&event.state).into_iter().map(|name| Some(name.into())).collect(),
        false => vec![wanted.division.clone()],
    };
    let prizes = Prizes::read(wanted.prizes.as_deref().unwrap_or_default())?;
    let is_chess = is_chess(event);
    let mut table_hash = String::new();
    let mut tables = Vec::new();
    for division in all {
        let asked = View { division, ..View::default() }.asked_for_table(at)?;
        table_hash = to_hex(&asked.standings.hash());
        let mut table = Table::of(&asked, at.language);
        name_rounds(&mut table, &asked, at.language);
        let (state, through) = (&asked.event.state, asked.standings.through);
        // Paper is printed by the staff.
        table.disputed = disputed_in_words(state, through, true, at.language);
        for row in table.rows.iter_mut().chain(&mut table.out).filter(|_| is_chess) {
            row.player.name = rated(at, event, row.player.number, &row.player.name);
        }
        tables.push(table);
    }
    let placed = |table| {
        let mut sheets = places::sheets(table, &prizes);
        for sheet in &mut sheets {
            sheet.span = format!("{} {}", table.division, sheet.span).trim().to_string();
        }
        Placed { columns: places::columns(table), sheets, table }
    };
    let is_over = is_over(&event.state);
    let (what, title) = match (is_final, is_over) {
        (true, true) => ("final", "paper-final"),
        (true, false) => ("final", "paper-not-final"),
        _ => ("standings", "standings"),
    };
    render(&StandingsPage {
        paper: paper(at, event, what, at.language.t(title)),
        table_hash,
        tables: tables.iter().map(placed).collect(),
    })
}

/// A player as they stand on the wall of a chess hall, such as `WIM Ann Lee 2210`; by name alone where less than
/// that is shown of them, since their rating would tell who they are.
fn rated(at: &Looked<'_>, event: &LoadedTournament, player: PlayerNumber, name: &str) -> String {
    let [title, _, rating] = described(at, event, player);
    joined([title, Some(name.to_string()), rating])
}

/// The title, federation and rating of a player as paper may have them.
fn described(
    at: &Looked<'_>,
    event: &LoadedTournament,
    player: PlayerNumber,
) -> [Option<String>; 3] {
    let is_whole = at.policy.shown(player) == ShownName::Full;
    let found = event.state.player(player).filter(|_| is_whole);
    let [title, federation] = found.map_or([None, None], |player| event.described(player));
    [title, federation, found.and_then(|player| player.rating).map(|rating| rating.to_string())]
}

/// What there is of these, a space between.
fn joined(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Everybody who takes part: the number and the name.
fn here(event: &LoadedTournament) -> Vec<(u32, String)> {
    let players = event.state.players().iter();
    let here = players.filter(|player| !player.withdrawn && player.dropped().is_none());
    here.map(|player| (player.number, event.name(player.number))).collect()
}

/// Something to print; `index` lists what there is.
///
/// # Errors
/// Where there is no such sheet, or nothing to stand on it.
pub fn page(at: &Looked<'_>, what: &str, wanted: Wanted) -> Result<String, VerbError> {
    let event = at.load_whole()?;
    let language = at.language;
    let divided = Divided::of(&event.state);
    let tables_page = |paper: Paper, rows: Vec<rows::TableRow>, column: Column| {
        render(&TablesPage {
            paper,
            with_divisions: rows.iter().any(|row| !row.division.is_empty()),
            sheets: rows::sheets(rows),
            column,
            with_points: with_points(at),
            is_of_players: column == Column::Rating,
        })
    };
    match what {
        "pairings-by-name" => {
            let round = round_of(&event, wanted.round)?;
            let lines = by_name(seated(&event, round, language)?);
            let paper = Paper::of_round(at, &event, "pairings-by-name", round);
            let told = [divided_in(at, &event, round)].into_iter().filter(|told| !told.is_empty());
            let colors = paper.frame.is_chess.then(|| language.t("colors-told"));
            let divided = told.chain(colors).collect::<Vec<_>>().join(" · ");
            render(&NamesPage { paper, sheets: names::sheets(&lines), with_boxes: false, divided })
        }
        // Lists and decks are looked through before anybody has a table too.
        "deck-checks" if event.state.last_round().is_none() => {
            let paper = paper(at, &event, "deck-checks", language.t("paper-decks-before"));
            let rows = rows::of_players(here(&event), &divided);
            let with_divisions = rows.iter().any(|row| !row.division.is_empty());
            render(&TablesPage {
                paper,
                sheets: rows::spanned_by_name(rows::sheets(rows)),
                column: Column::Decks,
                with_points: false,
                with_divisions,
                is_of_players: true,
            })
        }
        "pairings-by-table" | "deck-checks" => {
            let round = round_of(&event, wanted.round)?;
            let is_chess = is_chess(&event);
            let (mut tables, byes) = tables_of(&event, round)?;
            for seat in tables.iter_mut().flat_map(|row| &mut row.players).filter(|_| is_chess) {
                seat.player.name = rated(at, &event, seat.player.number, &seat.player.name);
            }
            let mut lines = rows::rows(&tables, &divided, is_chess, language);
            if what == "deck-checks" {
                let paper = Paper::of_round(at, &event, "deck-checks", round);
                return tables_page(paper, rows::one_each(lines), Column::Decks);
            }
            lines.extend(byes.into_iter().map(|bye| {
                let division = divided.of_table(std::iter::once(bye.player.number));
                rows::bye(bye.player.name, &bye.kind, division, language)
            }));
            let paper = Paper::of_round(at, &event, "pairings-by-table", round);
            tables_page(paper, lines, Column::Result)
        }
        "missing" => {
            let round = round_of(&event, None)?;
            let missing = missing_tables(&event);
            let is_missing =
                |table: &RoundTable| missing.iter().any(|row| row.table == table.table);
            let lines_of = |round, is_meant: &dyn Fn(&RoundTable) -> bool| {
                let (mut tables, _) = tables_of(&event, round)?;
                tables.retain(is_meant);
                Ok::<_, VerbError>(rows::rows(&tables, &divided, is_chess(&event), language))
            };
            let mut lines = lines_of(round, &is_missing)?;
            let are_missing = !lines.is_empty();
            // What is postponed may be of any round, and is noted with it.
            for found in postponed(&event.state) {
                let (of, table) = (found.round().number, found.table().unwrap_or(0));
                let called = round_called(&event.state, of, language);
                for line in lines_of(of, &|row: &RoundTable| row.table == table)? {
                    let result = format!("{called}: {}", line.result);
                    lines.push(rows::TableRow { result, ..line });
                }
            }
            let mut paper = Paper::of_round(at, &event, "missing", round);
            paper.title = match (are_missing, lines.is_empty()) {
                (true, _) => language.a("paper-missing", "round", &paper.title),
                (false, true) => language.a("paper-none-missing", "round", &paper.title),
                (false, false) => language.t("paper-postponed"),
            };
            tables_page(paper, lines, Column::Note)
        }
        "receipts" => receipts::page(at, &event),
        "slips" => slips_page(at, &event, round_of(&event, wanted.round)?, wanted.per_sheet),
        "cross-by-rank" | "cross-by-start" => cross::page(at, &event, what == "cross-by-rank"),
        "standings" | "final" => standings_page(at, &event, what == "final", &wanted),
        "bracket" => {
            let paper = paper(at, &event, "bracket", language.t("bracket"));
            let brackets = brackets(&event, language)?;
            render(&BracketPage { paper, sheets: draw::sheets(&brackets) })
        }
        "seat-all" => {
            let mut names: Vec<String> = here(&event).into_iter().map(|(_, name)| name).collect();
            names.sort_by_cached_key(|name| (listed(name), name.clone()));
            let seat =
                |(at, name): (usize, String)| (name, (at / 2 + 1).to_string(), String::new());
            let lines = by_name(names.into_iter().enumerate().map(seat).collect());
            let paper = paper(at, &event, "seat-all", language.t("paper-seats"));
            let (sheets, divided) = (names::sheets(&lines), String::new());
            render(&NamesPage { paper, sheets, with_boxes: false, divided })
        }
        "roster" => {
            let row = |(number, name): (u32, String)| {
                let beside = described(at, &event, number);
                let name = joined(std::iter::once(Some(name)).chain(beside));
                (name, number.to_string(), String::new())
            };
            let lines = by_name(here(&event).into_iter().map(row).collect());
            let paper = paper(at, &event, "roster", language.t("paper-roster"));
            let (sheets, divided) = (names::sheets(&lines), String::new());
            render(&NamesPage { paper, sheets, with_boxes: true, divided })
        }
        "starting-ranks" => {
            let row = |(number, player): (u32, PlayerNumber)| {
                let [title, federation, rating] = described(at, &event, player);
                let name = joined([title, Some(event.name(player))]);
                let division = divided.of_table(std::iter::once(player));
                rows::starter(number, (name, federation.unwrap_or_default()), rating, division)
            };
            let rows = starting_numbers(&event.state).into_iter().map(row).collect();
            let paper = paper(at, &event, "starting-ranks", language.t("paper-ranks"));
            tables_page(paper, rows, Column::Rating)
        }
        "poster" => {
            let paper = paper(at, &event, "poster", event.title());
            render(&PosterPage { paper })
        }
        "dispute" if wanted.dispute.is_some() => {
            let file = read_file(at, wanted.dispute.unwrap_or_default())?;
            let title = language.a("file-title", "number", file.number);
            let mut paper = paper(at, &event, "dispute", title);
            paper.secret = language.t("paper-private");
            render(&DisputePage { paper, file })
        }
        "index" | "dispute" => render(&IndexPage {
            frame: Frame::of(at, &event, Tab::Print, "print/index"),
            all: ALL
                .into_iter()
                .filter(|(name, _)| !matches!(*name, "dispute" | "index"))
                .collect(),
            disputes: event.state.disputes().len(),
            with_divisions: !divisions(&event.state).is_empty(),
            rounds: {
                let paired = event.state.rounds().iter().filter(|round| !round.withdrawn);
                paired.map(|round| round.number).rev().collect()
            },
            is_alone: is_for_this_machine(&at.origin),
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
mod tests;

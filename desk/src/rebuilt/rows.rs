//! The report's rows: one for each tournament, or one for each player who moves.

use crate::answers::{PlayerRebuilt, TournamentRebuilt, line};
use crate::rebuild::{TournamentFound, Used};
use scrutineer_formats::sheets::{Cell, Sheet};
use serde_json::Value;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated, for spreadsheets.
    Csv,
    /// A JSON object on each line.
    Jsonl,
    /// A workbook.
    Xlsx,
}

impl Format {
    /// Returns how the names of its files end.
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
            Format::Xlsx => "xlsx",
        }
    }
}

/// The name of the file in which a store's own report stands: what is not of a file's name is a stroke.
pub fn file_of_store(name: &str, format: Format) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = if name.trim_matches('.').is_empty() { "store".into() } else { name };
    format!("{name}.{}", format.ending())
}

/// A column: its head, and where its value stands in a row for programs.
type Column = (&'static str, &'static str);

/// The columns of a report with a row for each tournament.
const EVENT: [Column; 25] = [
    ("source", "/source"),
    ("tournament_id", "/tournament/id"),
    ("tournament", "/tournament/title"),
    ("held_on", "/held_on"),
    ("closed", "/closed"),
    ("players", "/players"),
    ("rounds", "/rounds"),
    ("events", "/events"),
    ("ruleset_before", "/ruleset_before/id"),
    ("ruleset_before_hash", "/ruleset_before/hash"),
    ("ruleset_after", "/ruleset_after/id"),
    ("ruleset_after_hash", "/ruleset_after/hash"),
    ("code", "/error/code"),
    ("why", "/error/message"),
    ("moved", "/moved"),
    ("largest_move", "/largest_move"),
    ("winner_changes", "/winner_changes"),
    ("winner_before", "/winner_before"),
    ("winner_after", "/winner_after"),
    ("cut_changes", "/cut_changes"),
    ("cut", "/cut"),
    ("cut_after_round", "/cut_after_round"),
    ("enters", "/enters"),
    ("leaves", "/leaves"),
    ("rewritten", "/rewritten"),
];

/// The columns of a report with a row for each player who moves.
const PLAYER: [Column; 18] = [
    ("source", "/source"),
    ("tournament_id", "/tournament/id"),
    ("tournament", "/tournament/title"),
    ("held_on", "/held_on"),
    ("player", "/player/name"),
    ("number", "/player/number"),
    ("place_before", "/place_before"),
    ("place_after", "/place_after"),
    ("passing", "/passing"),
    ("other", "/other/name"),
    ("step_before", "/step_before"),
    ("step_after", "/step_after"),
    ("at_cut", "/at_cut"),
    ("place_at_cut_before", "/place_at_cut_before"),
    ("place_at_cut_after", "/place_at_cut_after"),
    ("code", "/error/code"),
    ("why", "/error/message"),
    ("rewritten", "/rewritten"),
];

/// How rows are made.
pub struct Rows {
    /// How they are written.
    pub format: Format,
    /// One for each player who moves.
    pub by_player: bool,
    /// Numbers in place of names.
    pub no_names: bool,
    /// The other ruleset.
    pub after: Used,
}

impl Rows {
    fn columns(&self) -> &'static [Column] {
        if self.by_player { &PLAYER } else { &EVENT }
    }

    /// What stands above the rows; nothing of a workbook, which is made once all of them are there.
    pub fn head(&self) -> Vec<u8> {
        match self.format {
            Format::Csv => csv_line(self.columns().iter().map(|(name, _)| Cell::text(*name))),
            Format::Jsonl | Format::Xlsx => Vec::new(),
        }
    }

    /// The rows of a tournament, as they stand in the report; of a workbook none.
    pub fn of(&self, source: &str, event: &TournamentFound) -> Vec<u8> {
        let rows = self.values(source, event);
        let written = |row: &Value| match self.format {
            Format::Csv => csv_line(self.cells(row)),
            Format::Jsonl => line(row).into_bytes(),
            Format::Xlsx => Vec::new(),
        };
        rows.iter().flat_map(written).collect()
    }

    /// Adds the rows of a tournament to a sheet.
    pub fn add(&self, sheet: &mut Sheet, source: &str, event: &TournamentFound) {
        let rows = self.values(source, event);
        sheet.rows.extend(rows.iter().map(|row| self.cells(row).collect()));
    }

    /// A sheet without a row.
    pub fn sheet(&self) -> Sheet {
        let head = self.columns().iter().map(|(name, _)| (*name).to_owned()).collect();
        Sheet { name: "Season".into(), head, rows: Vec::new() }
    }

    fn values(&self, source: &str, event: &TournamentFound) -> Vec<Value> {
        let rows = match self.by_player {
            true => serde_json::to_value(PlayerRebuilt::all(source, event, self.no_names)),
            false => {
                let row = TournamentRebuilt::of(source, event, &self.after, self.no_names);
                serde_json::to_value([row])
            }
        };
        // Every key is a text, so nothing is left out.
        match rows {
            Ok(Value::Array(rows)) => rows,
            _ => Vec::new(),
        }
    }

    fn cells(&self, row: &Value) -> impl Iterator<Item = Cell> {
        let cell = |(name, at): &Column| match row.pointer(at) {
            Some(Value::String(words)) if *name == "held_on" => Cell::day(words),
            value => value.map_or(Cell::Empty, cell),
        };
        self.columns().iter().map(cell).collect::<Vec<_>>().into_iter()
    }
}

/// A value as a cell of a spreadsheet; a list is one of players.
fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::Bool(yes) => Cell::text(if *yes { "yes" } else { "no" }),
        Value::String(words) => Cell::text(words),
        Value::Array(list) => {
            let name = |one: &'_ Value| one["name"].as_str().unwrap_or_default().to_string();
            let words: Vec<String> = list.iter().map(name).collect();
            Cell::text(words.join("; "))
        }
        other => Cell::printed(other.to_string()),
    }
}

fn csv_line(cells: impl Iterator<Item = Cell>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // A vector takes every write, and every row has as many cells.
    let _ = writer.write_record(cells.map(|cell| cell.in_csv()));
    writer.into_inner().unwrap_or_default()
}

//! The report's rows: one for each event, or one for each player who moves.

use crate::answers::{PlayerRebuilt, TournamentRebuilt, line};
use crate::rebuild::{TournamentFound, Used};
use scrutineer_formats::sheets::text;
use serde_json::Value;
use std::borrow::Cow;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated, for spreadsheets.
    Csv,
    /// A JSON object on each line.
    Jsonl,
}

impl Format {
    /// Returns how the names of its files end.
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
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

/// The columns of a report with a row for each event.
const EVENT: [Column; 24] = [
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
];

/// The columns of a report with a row for each player who moves.
const PLAYER: [Column; 17] = [
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

    /// What stands above the rows.
    pub fn head(&self) -> Vec<u8> {
        match self.format {
            Format::Csv => csv_line(self.columns().iter().map(|(name, _)| Cow::Borrowed(*name))),
            Format::Jsonl => Vec::new(),
        }
    }

    /// The rows of an event, as they stand in the report.
    pub fn of(&self, source: &str, event: &TournamentFound) -> Vec<u8> {
        let rows = match self.by_player {
            true => serde_json::to_value(PlayerRebuilt::all(source, event, self.no_names)),
            false => {
                let row = TournamentRebuilt::of(source, event, &self.after, self.no_names);
                serde_json::to_value([row])
            }
        };
        let written = |row: &Value| match self.format {
            Format::Csv => {
                let columns = self.columns().iter();
                csv_line(columns.map(|(_, at)| row.pointer(at).map_or("".into(), cell)))
            }
            Format::Jsonl => line(row).into_bytes(),
        };
        // Every key is a text, so nothing is left out.
        rows.unwrap_or_default().as_array().into_iter().flatten().flat_map(written).collect()
    }
}

/// A value as a cell of a spreadsheet; a list is one of players.
fn cell(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "".into(),
        Value::Bool(yes) => (if *yes { "yes" } else { "no" }).into(),
        Value::String(words) => text(words).into(),
        Value::Array(list) => {
            let name = |one: &'_ Value| one["name"].as_str().unwrap_or_default().to_string();
            let words: Vec<String> = list.iter().map(name).collect();
            text(&words.join("; ")).into()
        }
        other => other.to_string().into(),
    }
}

fn csv_line<'a>(cells: impl Iterator<Item = Cow<'a, str>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // A vector takes every write, and every row has as many cells.
    let _ = writer.write_record(cells.map(|cell| cell.into_owned()));
    writer.into_inner().unwrap_or_default()
}

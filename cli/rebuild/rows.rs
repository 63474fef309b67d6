//! The report's rows: one for each event, or one for each player who moves.

use crate::args::Format;
use crate::session::hex;
use scrutineer_desk::rebuild::{Cause, CutFound, Rebuilt, TournamentFound, Used};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_formats::sheets::text;
use scrutineer_projections::compare::{AtCut, Move, Passing};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The columns of a report with a row for each event.
const EVENT: [&str; 24] = [
    "source",
    "tournament_id",
    "tournament",
    "held_on",
    "closed",
    "players",
    "rounds",
    "events",
    "ruleset_before",
    "ruleset_before_hash",
    "ruleset_after",
    "ruleset_after_hash",
    "code",
    "why",
    "moved",
    "largest_move",
    "winner_changes",
    "winner_before",
    "winner_after",
    "cut_changes",
    "cut",
    "cut_after_round",
    "enters",
    "leaves",
];

/// The columns of a report with a row for each player who moves.
const PLAYER: [&str; 17] = [
    "source",
    "tournament_id",
    "tournament",
    "held_on",
    "player",
    "number",
    "place_before",
    "place_after",
    "passing",
    "other",
    "step_before",
    "step_after",
    "at_cut",
    "place_at_cut_before",
    "place_at_cut_after",
    "code",
    "why",
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
    fn columns(&self) -> &'static [&'static str] {
        if self.by_player { &PLAYER } else { &EVENT }
    }

    /// What stands above the rows.
    pub fn head(&self) -> Vec<u8> {
        match self.format {
            Format::Csv => csv_line(self.columns().iter().map(|name| Cow::Borrowed(*name))),
            Format::Jsonl => Vec::new(),
        }
    }

    /// The rows of an event, as they stand in the report.
    pub fn of(&self, source: &str, event: &TournamentFound) -> Vec<u8> {
        let rows = match self.by_player {
            true => self.players(source, event),
            false => vec![self.event(source, event)],
        };
        let mut bytes = Vec::new();
        for row in rows {
            match self.format {
                Format::Csv => {
                    let cells = self.columns().iter().map(|name| cell(&row[*name]));
                    bytes.extend(csv_line(cells));
                }
                Format::Jsonl => bytes.extend(format!("{}\n", nested(row)).bytes()),
            }
        }
        bytes
    }

    fn name(&self, event: &TournamentFound, player: PlayerNumber) -> String {
        if self.no_names { format!("player {player}") } else { event.name(player) }
    }

    fn names(&self, event: &TournamentFound, players: &[PlayerNumber]) -> Value {
        players.iter().map(|player| self.name(event, *player)).collect()
    }

    fn event(&self, source: &str, event: &TournamentFound) -> Value {
        let mut row = head_of(source, event, &EVENT);
        let mut set = |key: &str, value: Value| drop(row.insert(key.into(), value));
        set("closed", json!(event.closed));
        set("players", json!(event.players));
        set("rounds", json!(event.rounds));
        set("events", json!(event.head));
        if let Some(before) = &event.before {
            set("ruleset_before", json!(before.id));
            set("ruleset_before_hash", json!(hex(&before.hash)));
        }
        set("ruleset_after", json!(self.after.id));
        set("ruleset_after_hash", json!(hex(&self.after.hash)));
        let found = match &event.found {
            Ok(found) => found,
            Err(cause) => return refused(row, cause),
        };
        set("moved", json!(found.comparison.moves.len()));
        set("largest_move", json!(found.largest_move()));
        set("winner_changes", json!(found.winner_changes()));
        if found.winner_changes() {
            set("winner_before", self.names(event, &found.winners[0]));
            set("winner_after", self.names(event, &found.winners[1]));
        }
        if let Some(cut) = &found.cut {
            set("cut_changes", json!(found.cut_changes()));
            set("cut", json!(cut.size));
            set("cut_after_round", json!(cut.after_round));
            set("enters", self.names(event, &cut.enters));
            set("leaves", self.names(event, &cut.leaves));
        }
        Value::Object(row)
    }

    /// Whoever moves, and whoever makes or misses the cut; an event that could not be folded has
    /// one row that says so.
    fn players(&self, source: &str, event: &TournamentFound) -> Vec<Value> {
        let found = match &event.found {
            Ok(found) => found,
            Err(cause) => return vec![refused(head_of(source, event, &PLAYER), cause)],
        };
        let moves = found.comparison.moves.iter();
        let mut rows: Vec<Value> =
            moves.map(|one| self.player(source, event, found, one.player, Some(one))).collect();
        let crossing = found.cut.iter().flat_map(|cut| cut.enters.iter().chain(&cut.leaves));
        let moves = |player| found.comparison.moves.iter().any(|one| one.player == player);
        for &player in crossing.filter(|player| !moves(**player)) {
            rows.push(self.player(source, event, found, player, None));
        }
        rows
    }

    fn player(
        &self,
        source: &str,
        event: &TournamentFound,
        found: &Rebuilt,
        player: PlayerNumber,
        one: Option<&Move>,
    ) -> Value {
        let mut row = head_of(source, event, &PLAYER);
        let mut set = |key: &str, value: Value| drop(row.insert(key.into(), value));
        set("player", json!(self.name(event, player)));
        set("number", json!(player));
        if let Some(one) = one {
            set("place_before", json!(one.first));
            set("place_after", json!(one.second));
            if let Some((other, passing)) = one.passes {
                set("passing", json!(in_words(passing)));
                set("other", json!(self.name(event, other)));
            }
            set("step_before", json!(one.first_step));
            set("step_after", json!(one.second_step));
        }
        if let Some((cut, at)) =
            found.cut.as_ref().and_then(|cut| Some((cut, crosses(cut, player)?)))
        {
            set("at_cut", json!(if at == AtCut::Enters { "enters" } else { "leaves" }));
            if let Some((_, before, after)) = cut.places.iter().find(|place| place.0 == player) {
                set("place_at_cut_before", json!(before));
                set("place_at_cut_after", json!(after));
            }
        }
        Value::Object(row)
    }
}

fn crosses(cut: &CutFound, player: PlayerNumber) -> Option<AtCut> {
    match (cut.enters.contains(&player), cut.leaves.contains(&player)) {
        (true, _) => Some(AtCut::Enters),
        (_, true) => Some(AtCut::Leaves),
        _ => None,
    }
}

/// How somebody stands to somebody else under the second ruleset.
fn in_words(passing: Passing) -> &'static str {
    match passing {
        Passing::Passes => "passes",
        Passing::PassedBy => "passed by",
        Passing::NowLevel => "now level with",
        Passing::NoLongerLevel => "no longer level with",
    }
}

/// Every column, with which event it is.
fn head_of(source: &str, event: &TournamentFound, columns: &[&str]) -> Map<String, Value> {
    let empty = columns.iter().map(|name| (name.to_string(), Value::Null));
    let mut row: Map<String, Value> = empty.collect();
    row.insert("source".into(), json!(source));
    // A file that could not be read is no event.
    let id = Some(event.stream).filter(|stream| stream.0 != [0; 16]);
    row.insert("tournament_id".into(), json!(id.map(|stream| stream.to_string())));
    row.insert("tournament".into(), json!(event.title));
    row.insert("held_on".into(), json!(event.held_on.map(|day| day.to_string())));
    row
}

fn refused(mut row: Map<String, Value>, cause: &Cause) -> Value {
    row.insert("code".into(), json!(cause.code()));
    row.insert("why".into(), json!(cause.to_string()));
    Value::Object(row)
}

/// A row as every answer for programs names its tournament.
fn nested(mut row: Value) -> Value {
    if let Some(columns) = row.as_object_mut() {
        let [id, title] = ["tournament_id", "tournament"].map(|name| columns.remove(name));
        columns.insert("tournament".into(), json!({ "id": id, "title": title }));
    }
    row
}

/// A value as a cell of a spreadsheet.
fn cell(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "".into(),
        Value::Bool(yes) => (if *yes { "yes" } else { "no" }).into(),
        Value::String(words) => text(words).into(),
        Value::Array(list) => {
            let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
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

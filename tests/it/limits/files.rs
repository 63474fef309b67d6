//! What comes in from files and from the command line.

use super::{Here, Limit, There, Try, outcome};
use crate::cli::desk::Desk;
use chrono::Utc;
use scrutineer_desk::desk::{
    MAX_LIST, MAX_ROWS, MAX_SLIP, Objection, Opening, ScoreError, parse_slip, read_roster,
};
use scrutineer_desk::edition;
use scrutineer_desk::floor::{Change, Entry, Floor, MAX_ENTRIES, MAX_MINUTES, MAX_TEXT};
use scrutineer_desk::pairing_engine;
use scrutineer_desk::simulate::{MAX_PLAYERS, MAX_ROUNDS, SimulateError, Simulation};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::Scoresheet;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::{ImportError, limits, read};
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::as_of::{self, AsOfError, Timeline};
use scrutineer_replay::bundle;
use scrutineer_replay::trust::checkpoint::{MAX_KEPT, MAX_KEPT_BYTES};
use scrutineer_replay::trust::note::{MAX_NOTE, MAX_SIGNATURES};
use scrutineer_replay::trust::receipt::MAX_RECEIPT;
use std::fmt::Write;
use std::sync::Arc;

pub fn limits() -> Vec<Limit> {
    let of = |what, limit: usize, code, tried: Try| Limit(what, limit as u64, code, Here(tried));
    let there =
        |what, limit: usize, code, file, words| Limit(what, limit as u64, code, There(file, words));
    vec![
        of("rows of a list of players", MAX_ROWS, "bad-row", roster_rows),
        of("bytes of a list of players", MAX_LIST, "file-not-read", roster_bytes),
        there(
            "bytes of an edition of rules",
            edition::MAX_BYTES as usize,
            "not-an-edition",
            "desk/src/edition.rs",
            "MAX_BYTES as usize + 1",
        ),
        there(
            "editions of rules in a store",
            edition::MAX_KEPT,
            "too-many",
            "desk/src/edition.rs",
            "MAX_KEPT - 1",
        ),
        of("bytes of a slip", MAX_SLIP, "bad-slip", slip),
        of("characters of a moment", as_of::LONGEST, "bad-moment", moment),
        of("bytes of a file to import", limits::FILE_BYTES, "file-too-large", file_bytes),
        of("players in a file", limits::PLAYERS, "too-many", players),
        there(
            "rounds in a file",
            limits::ROUNDS,
            "too-many",
            "formats/src/tests/bad.rs",
            "limits::ROUNDS + 1",
        ),
        of("the number of a round in a CSV", limits::ROUNDS, "out-of-bounds", rounds),
        of("rows of one round in a file", limits::TABLES, "too-many", tables),
        of("columns of a CSV", limits::COLUMNS, "too-many", columns),
        of("bytes of a line of a CSV", limits::LINE_BYTES, "too-many", line_bytes),
        of("score lines in a file", limits::SCORE_LINES, "too-many", score_lines),
        of("a score in a file", limits::SCORE as usize, "out-of-bounds", score),
        of("levels of a JSON file", limits::JSON_DEPTH, "too-deep", levels),
        there(
            "columns of a sheet",
            limits::SHEET_COLUMNS,
            "too-many",
            "formats/src/tests/anysheet.rs",
            "limits::SHEET_COLUMNS + 1",
        ),
        there(
            "rows of a sheet",
            limits::SHEET_ROWS,
            "too-many",
            "formats/src/tests/anysheet.rs",
            "limits::SHEET_ROWS + 1",
        ),
        there(
            "cells of a sheet",
            limits::SHEET_CELLS,
            "too-many",
            "formats/src/tests/anysheet.rs",
            "limits::SHEET_CELLS / 100 + 1",
        ),
        there(
            "rows of a sheet that is written",
            scrutineer_formats::sheets::ROWS,
            "sheet-too-long",
            "formats/src/tests/books.rs",
            "ROWS + 1",
        ),
        there(
            "levels of an XML file",
            limits::XML_DEPTH,
            "too-deep",
            "formats/src/tests/xml.rs",
            "limits::XML_DEPTH + 1",
        ),
        there(
            "elements of an XML file",
            limits::XML_ELEMENTS,
            "too-many",
            "formats/src/tests/xml.rs",
            "limits::XML_ELEMENTS + 1",
        ),
        there(
            "attributes of an element of an XML file",
            limits::XML_ATTRIBUTES,
            "too-many",
            "formats/src/tests/xml.rs",
            "limits::XML_ATTRIBUTES + 1",
        ),
        there(
            "values of a platform's JSON",
            limits::JSON_VALUES,
            "too-many",
            "formats/src/tests/platforms.rs",
            "an_answer_of_too_many_values_is_refused",
        ),
        of("characters of a name in a file", limits::NAME_CHARS, "bad-name", name),
        of("characters of a published number", limits::NUMBER_CHARS, "bad-value", number),
        there(
            "players that a pairing engine is told",
            scrutineer_formats::trf::engine::MOST_PLAYERS,
            "engine-too-many",
            "replay/src/by_engine.rs",
            "players.len() > MOST_PLAYERS",
        ),
        there(
            "seconds of a pairing engine",
            pairing_engine::MOST_SECONDS as usize,
            "bad-engine",
            "tests/it/engines.rs",
            "[bad-engine]",
        ),
        there(
            "bytes that a pairing engine prints beside its answer",
            pairing_engine::PRINTED_BYTES as usize,
            "engine-answer-too-long",
            "tests/it/engines.rs",
            "chatty",
        ),
        of("players of a simulation", MAX_PLAYERS as usize, "simulated-players", simulated_players),
        of("rounds of a simulation", MAX_ROUNDS as usize, "simulated-rounds", simulated_rounds),
        there(
            "bytes of a line of a bundle",
            bundle::MAX_LINE as usize,
            "line-too-long",
            "desk/src/bundle/tests/flips.rs",
            "MAX_LINE as usize",
        ),
        there(
            "bytes of a checkpoint",
            MAX_NOTE,
            "bad-checkpoint",
            "replay/src/trust/note.rs",
            "MAX_NOTE + 1",
        ),
        there(
            "signatures of a checkpoint",
            MAX_SIGNATURES,
            "bad-checkpoint",
            "replay/src/trust/note.rs",
            "MAX_SIGNATURES + 1",
        ),
        there(
            "bytes of a receipt",
            MAX_RECEIPT,
            "bad-receipt",
            "desk/src/trust_tests/receipt.rs",
            "MAX_RECEIPT + 1",
        ),
        there(
            "checkpoints that are kept of a tournament",
            MAX_KEPT,
            "beside-not-kept",
            "desk/src/store/checkpoints.rs",
            "note(MAX_KEPT)",
        ),
        there(
            "bytes of those checkpoints",
            MAX_KEPT_BYTES,
            "beside-not-kept",
            "desk/src/store/checkpoints.rs",
            "< MAX_KEPT_BYTES",
        ),
        of("entries of a tournament's floor", MAX_ENTRIES, "too-many", floor_entries),
        of("bytes of a text on the floor", MAX_TEXT, "text-too-long", floor_text),
        of("minutes that are given at once", MAX_MINUTES as usize, "bad-minutes", floor_minutes),
    ]
}

fn roster_rows(count: usize) -> String {
    let mut list = String::from("name\n");
    (0..count).for_each(|number| writeln!(list, "Player {number}").expect("a string"));
    outcome(read_roster(list.as_bytes()), Objection::code)
}

fn roster_bytes(count: usize) -> String {
    let desk = Desk::new();
    assert_eq!(desk.run(&["new", "Limits", "--rules", "mtr"]).code, 0);
    let mut list = b"name\nAnn\n".to_vec();
    list.resize(count, b'\n');
    desk.write("players.csv", &list);
    let said = desk.run(&["enroll", "--csv", "players.csv"]);
    match said.code {
        0 => "ok".into(),
        _ => {
            said.err.split('[').nth(1).and_then(|rest| rest.split(']').next()).unwrap_or("").into()
        }
    }
}

fn slip(bytes: usize) -> String {
    let rules = Library::shipped().ruleset("mtr").expect("it is shipped");
    let sheet: Scoresheet = Opening::scoresheet_for(&rules, 3);
    let slip = format!("2-1{}", " ".repeat(bytes - 3));
    outcome(parse_slip(&sheet, 2, &slip), ScoreError::code)
}

fn on_floor(change: Change, before: usize) -> String {
    let stop = Entry { at: 0, by: None, key: None, change: Change::StopClock {} };
    let start = Change::StartClock { minutes: 1, round: Some(1) };
    let start = Entry { change: start, ..stop.clone() };
    let before = std::iter::repeat_n(stop, before.saturating_sub(1)).chain([start]);
    let done = change.accepted(&Floor::of(before), &Tournament::default());
    outcome(done, |error| error.code)
}

fn floor_entries(count: usize) -> String {
    on_floor(Change::StopClock {}, count - 1)
}

fn floor_text(bytes: usize) -> String {
    on_floor(Change::Announce { text: "x".repeat(bytes) }, 1)
}

fn floor_minutes(minutes: usize) -> String {
    on_floor(Change::AddMinutes { minutes: minutes as i32 }, 1)
}

fn moment(characters: usize) -> String {
    let store = Store::in_memory();
    let timeline = Timeline::read(store.log(), StreamId([1; 16])).expect("it is empty");
    let text = format!("{:0>characters$}", 57);
    outcome(as_of::parse(&text, &Utc, &timeline), AsOfError::code)
}

fn imported(text: &str) -> String {
    outcome(read("limits", text.as_bytes()), ImportError::code)
}

const COLUMNS: &str = "round,table,player_a,player_b,games_a,games_b,games_drawn,kind\n";

fn csv(rows: &str) -> String {
    format!("# event: Limits\n{COLUMNS}{rows}")
}

/// All that have names, then two for each line of the slip.
fn columns(count: usize) -> String {
    let named = "round,table,player_a,player_b,kind,ruling,weight,sign_up,rating,division,id";
    let lines = (0..count - 11).map(|at| format!(",line{}_{}", at / 2, ["a", "b"][at % 2]));
    let (lines, cells) = (lines.collect::<String>(), ",1".repeat(count - 11));
    imported(&format!("# event: Limits\n{named}{lines}\n1,1,Ann,Bob,,,,,,,{cells}\n"))
}

fn line_bytes(count: usize) -> String {
    let row = "1,1,Ann,Bob,2,0,0,";
    imported(&csv(&format!("{row}{}\n", " ".repeat(count - row.len() - 1))))
}

fn file_bytes(count: usize) -> String {
    let mut text = csv("1,1,Ann,Bob,2,0,0,\n");
    text.extend(std::iter::repeat_n('\n', count - text.len()));
    imported(&text)
}

fn players(count: usize) -> String {
    let mut rows = String::new();
    for table in 1..=count / 2 {
        writeln!(rows, "1,{table},a{table},b{table},2,0,0,").expect("a string");
    }
    if count % 2 == 1 {
        rows.push_str("1,,Odd,,,,,bye\n");
    }
    imported(&csv(&rows))
}

fn rounds(count: usize) -> String {
    let rows = (1..=count).map(|round| format!("{round},1,Ann,Bob,2,0,0,\n"));
    imported(&csv(&rows.collect::<String>()))
}

const MELEE: &str = include_str!("../../../formats/fuzz-seeds/melee.json");

fn melee(from: &str, to: &str) -> String {
    let changed = MELEE.replacen(from, to, 1);
    assert_ne!(changed, MELEE, "{from} is not in the sample");
    changed
}

/// A match may stand in a file again and again, as both of its players have it.
fn tables(count: usize) -> String {
    let one = "{\"Player1\": \"Abel\", \"Player2\": \"Bora\", \"Result\": \"2-0-0\"},";
    imported(&melee(one, &one.repeat(count - 3)))
}

fn score_lines(count: usize) -> String {
    let lines =
        |end: &str| (1..=count).map(|line| format!("l{line}_{end}")).collect::<Vec<_>>().join(",");
    let values = vec!["1"; 2 * count].join(",");
    let (a, b) = (lines("a"), lines("b"));
    imported(&format!(
        "# event: Limits\nround,table,player_a,player_b,{a},{b}\n1,1,Ann,Bob,{values}\n"
    ))
}

fn score(value: usize) -> String {
    imported(&format!(
        "# event: Limits\nround,table,player_a,player_b,points_a,points_b\n1,1,Ann,Bob,{value},0\n"
    ))
}

fn levels(count: usize) -> String {
    let inside = count - 2;
    let deep = format!(
        "\"Date\": \"2026-03-01T10:00:00\", \"More\": {}{}",
        "[".repeat(inside),
        "]".repeat(inside)
    );
    imported(&melee("\"Date\": \"2026-03-01T10:00:00\"", &deep))
}

fn name(characters: usize) -> String {
    imported(&csv(&format!("1,1,{},Bob,2,0,0,\n", "ä".repeat(characters))))
}

fn number(characters: usize) -> String {
    imported(&melee("0.66666667", &format!("0.{}", "6".repeat(characters - 2))))
}

/// Whether a simulation refuses its format before it plays anything.
fn simulated(simulation: &Simulation) -> String {
    outcome(simulation.check(), SimulateError::code)
}

fn simulation(players: u32) -> Simulation {
    let rules = Library::shipped().ruleset("mtr").expect("it is shipped");
    Simulation::new(players, Arc::new(rules), 1)
}

fn simulated_players(count: usize) -> String {
    simulated(&simulation(count as u32))
}

fn simulated_rounds(count: usize) -> String {
    let mut simulation = simulation(8);
    simulation.rounds = Some(count as u16);
    simulated(&simulation)
}

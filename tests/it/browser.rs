//! A room is run in a real browser: the server is started, and a script types what a scorekeeper types.

use crate::page::{answers, is_there, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

mod asked;
mod elsewhere;
mod entry;
mod folder;
mod gone;
mod home;
mod imports;
mod lines;
mod notices;
mod offline;
mod players;
mod queue;
mod receipts;
mod signup;
mod slow;
mod taps;
mod troubles;

/// A server that is stopped when it is dropped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether the libraries of the script are installed; where not, the test is skipped for all to see.
fn has_libraries() -> bool {
    let is_there = root().join("tests/browser/node_modules/playwright-core").is_dir();
    if !is_there {
        assert!(
            std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(),
            "`npm ci` was not run in tests/browser, and nothing may be skipped here"
        );
        eprintln!("skipped: `npm ci` was not run in tests/browser");
    }
    is_there
}

/// What a script saw of a server that was started for it, line by line; none where there is no browser.
fn seen(name: &str, keep: &str) -> Option<BTreeMap<String, Value>> {
    seen_with(name, keep, &[], &[])
}

/// The same with further words for the server, and for the script.
fn seen_with(
    name: &str,
    keep: &str,
    words: &[&str],
    known: &[(&str, &str)],
) -> Option<BTreeMap<String, Value>> {
    if !is_there("node") || !is_there("chromium") || !has_libraries() {
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let listens = if words.contains(&"--listen") { &[][..] } else { &["--listen", "127.0.0.1:0"] };
    let server = Command::new(env!("CARGO_BIN_EXE_scrutineer"))
        .arg("serve")
        .args(listens)
        .args(words)
        .env("SCRUTINEER_STORE", folder.path().join("store"))
        .env("SCRUTINEER_KEYS", folder.path().join("keys"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut server = Served(server);
    let said = BufReader::new(server.0.stdout.take().expect("its answers"));
    let lines = said.lines().map_while(Result::ok);
    let owner = lines
        .filter_map(|line| Some(line.trim().strip_prefix("for the owner")?.trim().to_string()))
        .next()
        .expect("the link for the owner");

    let mut script = Command::new("node");
    script.current_dir(root().join("tests/browser")).arg(name).args(["chromium", &owner]);
    script.envs(known.iter().copied());
    // What the command line of this machine knows of it stands in its folder.
    script.env("SCRUTINEER_STORE", folder.path().join("store"));
    // What a script needs that kills the server and starts it again.
    script.env("SCRUTINEER_KEYS", folder.path().join("keys"));
    script.env("SCRUTINEER_PROGRAM", env!("CARGO_BIN_EXE_scrutineer"));
    script.env("SCRUTINEER_SERVER", server.0.id().to_string());
    if let Some(folder) = std::env::var_os(keep) {
        script.arg(root().join(folder));
    }
    Some(told(&mut script))
}

/// What a script says, by word.
fn told(script: &mut Command) -> BTreeMap<String, Value> {
    let done = script.output().expect("node runs");
    let text = String::from_utf8(done.stdout).expect("text");
    let failed = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{failed}\nso far: {text}");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let said = |line: Value| (line["what"].as_str().expect("a word").into(), line["value"].clone());
    lines.map(said).collect()
}

#[test]
fn a_room_is_run_by_keyboard_from_sign_up_to_the_final() {
    // The pictures in docs are those that this makes: SCRUTINEER_SHOTS=docs/shots cargo test …
    let Some(seen) = seen("room.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["enrolled"], 22, "everybody of the list is enrolled");
    assert_eq!(seen["round 1"], 11, "11 tables, each entered once");
    assert_eq!(seen["last entry corrected"], "1–2 2–1", "the old score stays beside the right one");
    for focus in ["focus after undo", "focus in the pile"] {
        assert_eq!(seen[focus], "slip", "the focus never moves");
    }
    let refused = seen["refused"].as_str().expect("words");
    assert!(refused.contains("Best of 3 cannot end 3-0"), "{refused}");
    assert_eq!(seen["by name"], "0–2", "the second player won, by name");
    assert!(seen["who moves"].as_u64() > Some(0), "a correction shows who moves");
    let names = serde_json::json!(["Björn Åkesson", "Jan Kowalski"]);
    assert_eq!(seen["like last week"], names, "one was ticked off, one found by three letters");
    assert_eq!(seen["late"], true);
    assert_eq!(seen["dropped"], true);
    assert_eq!(seen["undone"], 0, "who was dropped by mistake is in again");
    disqualified_by_keyboard(&seen);
    assert_eq!(seen["findings"], serde_json::json!([]), "what is hard to see or to reach");
    for page in ["places", "replay", "what-if", "moved"] {
        let right = serde_json::json!({ "lines": 0, "hidden": 0, "wide": 390 });
        assert_eq!(seen["on a phone"][page], right, "{page}: names and rows are in sight");
    }
    assert_eq!(seen["broken"], serde_json::json!([]), "errors in the browser's console");
}

/// In the middle of the quarter-finals, by Tab and Enter: who sat against them goes on.
fn disqualified_by_keyboard(seen: &BTreeMap<String, Value>) {
    let out = &seen["disqualified"];
    let name = out["name"].as_str().expect("a name");
    let asked = out["asked"].as_str().expect("words");
    assert!(asked.starts_with(&format!("Disqualify {name} (")), "{asked}");
    let said = out["said"].as_str().expect("words");
    assert!(
        said.starts_with("Recorded:") && said.contains("is disqualified after round 6"),
        "{said}"
    );
    assert_eq!(seen["tables left"], 3, "their match is not played any more");
    let players = seen["semi-finals"]["players"].as_array().expect("a list");
    let goes_on = &seen["semi-finals"]["wants"];
    assert!(players.len() == 4 && players.contains(goes_on), "{players:?}");
    assert!(!players.contains(&out["name"]), "{players:?}");
    let sentence = format!("{name} is disqualified after round 6");
    let once = serde_json::json!([{ "by": "Ann Lindberg", "sentence": sentence }]);
    assert_eq!(seen["in the log"], once, "once, and by whom");
    let rows = seen["without a place"].as_array().expect("a list");
    let is_theirs = rows[0].as_str().is_some_and(|row| row.contains(name));
    assert!(rows.len() == 1 && is_theirs, "{rows:?}");
}

#[test]
fn all_that_is_printed_fits_a4_and_letter_and_is_found_again_in_the_pdf() {
    if ["pdftotext", "pdftoppm", "pdfinfo"].iter().any(|tool| !answers(tool, "-v")) {
        return;
    }
    // The PDFs stay where SCRUTINEER_PDFS says, to be looked at.
    // Paper has the address of the server only where others reach it.
    let everywhere = ["--listen", "0.0.0.0:0"];
    let Some(seen) = seen_with("paper.mjs", "SCRUTINEER_PDFS", &everywhere, &[]) else { return };
    assert_eq!(seen["findings"], serde_json::json!([]), "what is wrong on paper");
    for paper in ["A4", "Letter"] {
        let sheets = |what: &str| seen[&format!("{what}-{paper}")]["sheets"].as_u64();
        assert_eq!(sheets("1200-slips"), Some(100), "600 tables, six on a sheet");
        assert_eq!(sheets("23-slips-per-8"), Some(2));
        assert_eq!(sheets("1200-pairings-by-table"), Some(19), "32 tables on a sheet");
        assert_eq!(sheets("23-bracket"), Some(1));
    }
}

#[test]
fn players_read_every_page_in_their_language_and_nothing_is_hard_to_see_or_to_reach() {
    let Some(seen) = seen("readers.mjs", "SCRUTINEER_READERS") else { return };
    assert_eq!(seen["findings"], serde_json::json!([]), "in one language or the other");
    assert_eq!(seen["screen's last column"], "Punkte", "not the round in which somebody went out");
    let points = seen["screen's points"].as_array().expect("a list");
    let is_points = |one: &Value| one.as_str().is_some_and(|one| one.parse::<u32>().is_ok());
    assert!(points.len() == 5 && points.iter().all(is_points), "{points:?}");
    let bracket = seen["screen's bracket"].as_array().expect("a list");
    let of = |said: &str| bracket.iter().filter(|one| **one == said).count();
    let ended = ["Finale: gewonnen", "Finale: ausgeschieden", "Halbfinale: ausgeschieden"].map(of);
    assert_eq!((ended, bracket.len()), ([1, 1, 2], 8), "{bracket:?}");
    assert_eq!(seen["live regions"], 1, "one voice");
    assert_eq!(seen["after results"], "", "which is silent about results");
    assert_eq!(seen["after the round"], "das Halbfinale ist da", "not the number of a round");
    assert_eq!(seen["staff"], "en");
}

/// A judge's phone loses its Wi-Fi while the wired desk goes on: what was queued arrives once each, what
/// the desk has otherwise is listed for one decision, and nothing lands in a later round.
#[test]
fn a_judges_queued_entries_arrive_once_when_the_wifi_is_back() {
    let Some(seen) = seen("floor.mjs", "SCRUTINEER_SHOTS") else { return };
    assert_eq!(seen["missing"], 11, "one of twelve tables is in");
    assert_eq!(seen["cells"], 12);
    assert_eq!(seen["wide"], 390, "nothing is wider than the phone");
    assert_eq!(seen["clock"], true);
    assert_eq!(seen["small targets"], serde_json::json!([]));
    let waiting = seen["waiting"].as_str().expect("a line");
    assert!(waiting.contains("No Wi-Fi since") && waiting.contains("5 entries wait"), "{waiting}");
    // Those of table 4 and 3 too: nobody knows yet that the desk has them.
    assert_eq!(seen["kept"], serde_json::json!(["2", "3", "4", "5"]), "over a reload");
    let differ = seen["differ"].as_array().expect("a list");
    assert_eq!(differ.len(), 1, "table 3 agrees without a word: {differ:?}");
    let line = differ[0].as_str().expect("a line");
    assert!(line.contains("Table 4") && line.contains("1–2") && line.contains("2–1"), "{line}");
    let results = seen["results"].as_array().expect("a list");
    for result in ["1 2-1", "2 2-0", "3 2-1", "4 2-1", "7 2-0"] {
        assert!(results.iter().any(|one| one == result), "{result}: {results:?}");
    }
    assert_eq!(seen["entered by the judge"], 2, "tables 1 and 2, once each");
    assert_eq!(seen["penalties"], 1);
    let extensions =
        serde_json::json!([{ "table": 5, "minutes": 3 }, { "table": 6, "minutes": 5 }]);
    assert_eq!(seen["extensions"], extensions);
    assert_eq!(seen["disputes"], serde_json::json!(["entered as 1-2 on the floor"]));
    let over = seen["round over"].as_str().expect("a line");
    assert!(over.contains("Table 5, round 1") && over.contains("0–2"), "{over}");
    assert_eq!(seen["next round"], 0, "what was typed for round 1 is none of round 2");
    assert_eq!(seen["without scripts"], true);
    assert_eq!(seen["screen"], "Round 2");
    assert_eq!(seen["cut"], serde_json::json!([]), "no name is cut on the screen");
    assert_eq!(seen["numbers"], serde_json::json!([]), "no table reaches the next name at 4:3");
    assert!(seen["told"].as_str().is_some_and(|told| told.contains("Lunch")));
    assert_eq!(seen["ground"], serde_json::json!(vec!["rgba(0, 0, 0, 0)"; 3]));
    assert_eq!(
        (&seen["featured"], &seen["places"], &seen["over"]),
        (&2.into(), &8.into(), &0.into())
    );
    assert_eq!(seen["findings"], serde_json::json!([]), "what is hard to see or to reach");
    assert_eq!(seen["broken"], serde_json::json!([]), "errors in the browser's console");
}

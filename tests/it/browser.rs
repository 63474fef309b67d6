//! A room is run in a real browser: the server is started, and a script types what a scorekeeper types.

use crate::page::{is_there, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

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

#[test]
fn a_room_is_run_by_keyboard_from_sign_up_to_the_final() {
    if !is_there("node") || !is_there("chromium") || !has_libraries() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let server = Command::new(env!("CARGO_BIN_EXE_scrutineer"))
        .args(["serve", "--listen", "127.0.0.1:0"])
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
    script.current_dir(root().join("tests/browser")).arg("room.mjs").args(["chromium", &owner]);
    // The pictures in docs are those that this makes: SCRUTINEER_SHOTS=docs/shots cargo test …
    if let Some(shots) = std::env::var_os("SCRUTINEER_SHOTS") {
        script.arg(root().join(shots));
    }
    let done = script.output().expect("node runs");
    let text = String::from_utf8(done.stdout).expect("text");
    let failed = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{failed}\nso far: {text}");
    let seen: BTreeMap<String, Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|line| (line["what"].as_str().expect("a word").to_string(), line["value"].clone()))
        .collect();
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
    assert_eq!(seen["findings"], serde_json::json!([]), "what is hard to see or to reach");
    assert_eq!(seen["broken"], serde_json::json!([]), "errors in the browser's console");
}

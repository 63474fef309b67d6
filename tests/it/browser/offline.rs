//! The page that checks itself, as readers use it: found by keyboard, linked to, printed.

use super::{answers, has_libraries, is_there, root, told};
use crate::cli::desk::Desk;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A tournament with a bracket that goes on, its page with names, and the last result with 16 digits of its
/// hash.
fn played() -> (Desk, String) {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    run(&[
        "new",
        "Kranich",
        "--rules",
        "mtr",
        "--phase",
        "swiss:2",
        "--phase",
        "single-elimination",
    ]);
    let names =
        ["Ewa Wójcik", "مريم حداد", "Maximilian-Alexander Freiherr von Hohenlohe", "Björn Åkesson"];
    let more = ["Priya Raman", "Léa Dubois", "Diego Núñez", "Jan Kowalski", "Hugo Martín"];
    run(&[&["enroll"][..], &names, &more].concat());
    for round in 1..=3 {
        if round == 3 {
            run(&["announce"]);
            run(&["cut", "--top", "8"]);
        }
        run(&["pair"]);
        run(&["publish"]);
        for table in 1..=4 {
            run(&["result", &table.to_string(), if table % 2 == 0 { "2-0" } else { "1-2" }]);
        }
    }
    run(&["pair"]);
    run(&["publish"]);
    run(&["result", "1", "2-1"]);
    run(&["dispute", "open", "1", "--claim", "it was 1-2"]);
    run(&["dispute", "rule", "1", "--denied", "--reason", "the slip says so"]);
    run(&["announce"]);
    run(&["export", "--html", "--roster", "--output", "page.html"]);
    run(&["export", "--output", "tournament.bundle"]);
    let bundle = fs::read_to_string(desk.path("tournament.bundle")).expect("a file");
    let mut results = bundle.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let last = results.rfind(|line| line["mirror"]["kind"] == "ResultRecorded");
    let last = last.expect("a result");
    let hash = last["hash"].as_str().expect("its hash");
    let held = format!("{}-{}", last["mirror"]["seq"], &hash[..16]);
    (desk, held)
}

/// How many sheets a PDF has, and its text.
fn printed(file: &Path) -> (usize, String) {
    let ran = |tool: &str, more: &[&str]| {
        let out = Command::new(tool).arg(file).args(more).output().expect("it runs");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let sheets = ran("pdfinfo", &[])
        .lines()
        .find_map(|line| line.strip_prefix("Pages:")?.trim().parse().ok());
    (sheets.expect("pages"), ran("pdftotext", &["-layout", "-"]))
}

#[test]
fn a_reader_finds_their_matches_by_keyboard_and_prints_sheets_of_their_own() {
    let tools = ["pdftotext", "pdfinfo"].iter().all(|tool| answers(tool, "-v"));
    if !is_there("node") || !is_there("chromium") || !has_libraries() || !tools {
        return;
    }
    let (desk, held) = played();
    let folder = desk.path("");
    let mut script = Command::new("node");
    script.current_dir(root().join("tests/browser")).args(["offline.mjs", "chromium"]);
    let seen = told(script.arg(&folder).arg(&held));
    assert_eq!(seen["findings"], json!([]), "what is hard to see or to reach");
    assert_eq!(seen["focus"], "who");
    assert_eq!(seen["hits"], json!(["Ewa Wójcik"]), "found without the marks of the letters");
    assert_eq!((&seen["address"], &seen["picked"]), (&json!("#player=1"), &json!("Ewa Wójcik")));
    let words = |what: &str| seen[what].as_str().expect("words").to_string();
    assert!(
        words("place").contains("place ") && words("place").contains("Points "),
        "{}",
        words("place")
    );
    let matches = seen["matches"].as_array().expect("rows");
    assert!(
        matches.len() >= 2 && matches.iter().all(|row| row.as_array().expect("cells").len() == 4),
        "{matches:?}"
    );
    assert_eq!(seen["stages"], json!(["Quarter-finals", "Semi-finals", "Final"]));
    assert_eq!(
        seen["goes on"].as_array().expect("names").len(),
        5,
        "four of the quarter-finals, one of a semi-final"
    );
    // A player's own list had the dispute, and not what was ruled.
    assert_eq!((&seen["disputed"], &seen["ruled"]), (&json!(2), &json!(2)));
    assert_eq!(seen["nobody"], "Nobody here is called so.");
    assert_eq!(seen["after printing"], Value::Null);
    // A page that a phone had saved kept its tick, and nothing was checked.
    let [told, verdict, save] = [0, 1, 2].map(|at| seen["picture"][at].clone());
    assert!(told.as_str().is_some_and(|told| told.contains("Not checked")), "{told}");
    assert_eq!((verdict, save), (json!(false), json!(false)), "no tick, and nothing to press");
    assert!(
        words("record").contains("is in these records") && words("record").contains("✓"),
        "{}",
        words("record")
    );
    assert!(words("record").contains("under the checkpoint over"), "{}", words("record"));
    assert!(
        words("another record").contains("is another one") && words("another record").contains("✗")
    );
    // It stayed green on top, beside a strip that somebody held against it.
    assert_eq!(words("verdict of another record"), "✗ Does not match");
    assert_eq!(words("verdict of record"), "✓ Consistent in itself");
    assert!(words("no record").contains("is not on this page"), "{}", words("no record"));
    assert_eq!(words("verdict of no record"), "⚠ Not compared");
    assert!(words("link").contains("مريم حداد"), "{}", words("link"));
    for paper in ["A4", "Letter"] {
        let sheet = |what: &str| printed(&folder.join(format!("{what}-{paper}.pdf")));
        for (what, has, has_not) in [
            ("standings", "Standings after", &["Round 1", "Quarter-finals", "Check it"][..]),
            ("bracket", "Semi-finals", &["Standings after", "Round 1", "Check it"][..]),
            ("matches", "Ewa W", &["Round 1", "Quarter-finals", "Check it", "Find a player"][..]),
        ] {
            let (sheets, text) = sheet(what);
            assert_eq!(sheets, 1, "{what} on {paper}: {text}");
            assert!(text.contains(has) && text.contains("Kranich"), "{what} on {paper}: {text}");
            assert!(!has_not.iter().any(|other| text.contains(other)), "{what} on {paper}: {text}");
        }
    }
}

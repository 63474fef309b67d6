//! The page in a real browser, without a window: what it says of itself, and of what it is given.

use super::{NAMES, Played, bundle, is_there, played, root};
use scrutineer_replay::bundle::Give;
use scrutineer_replay::page;
use scrutineer_replay::trust::keys::Key;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A page to open, and what is typed into it.
fn open(folder: &Path, requests: &[Value]) -> Vec<Value> {
    let mut node = Command::new("node")
        .arg(root().join("tests/it/page/browser.mjs"))
        .args(["chromium".as_ref(), folder.join("browser").as_os_str()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    node.stdin.take().expect("its input").write_all(lines.as_bytes()).expect("node reads");
    let done = node.wait_with_output().expect("node ends");
    assert!(done.status.success(), "the browser did not come to an end");
    let said = String::from_utf8(done.stdout).expect("text");
    let said: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(said.len(), requests.len());
    said
}

/// A page whose text was changed in one place.
fn altered(page: &str, from: &str, to: &str) -> String {
    assert!(page.contains(from), "{from}");
    page.replacen(from, to, 1)
}

#[test]
fn a_page_says_what_it_is_worth_in_a_real_browser() {
    if !is_there("node") || !is_there("chromium") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Played { page: good, note, .. } = played();

    // Words beside a record that it does not hold.
    let from = "&quot;seq&quot;:3,&quot;time&quot;:&quot;20";
    let damaged = altered(&good, from, &from.replace("20", "19"));
    let first = "<td class=number>1</td><td class=name>";
    let shown = altered(&good, first, &first.replace('1', "7"));
    let added = altered(&good, "</main>", "Ana won.</main>");
    let above = altered(&good, "<main>", "<h1>Winner: Ana</h1><main>");
    let below = altered(&good, "</main>", "</main>Winner: Ana");

    let pages = [
        ("good", &good),
        ("damaged", &damaged),
        ("shown", &shown),
        ("added", &added),
        ("above", &above),
        ("below", &below),
    ];
    for (name, page) in pages {
        fs::write(folder.path().join(format!("{name}.html")), page).expect("written");
    }
    let file = |name: &str| folder.path().join(format!("{name}.html")).display().to_string();
    let key: String =
        Key::from_secret(&[7; 32]).public().iter().map(|byte| format!("{byte:02x}")).collect();
    let root = note.lines().nth(2).expect("a root").to_string();
    let answers = open(
        folder.path(),
        &[
            json!({ "file": file("good") }),
            json!({ "file": file("good"), "known": key }),
            json!({ "file": file("good"), "known": root }),
            json!({ "file": file("good"), "known": note }),
            json!({ "file": file("good"), "known": "ab".repeat(32) }),
            json!({ "file": file("damaged") }),
            json!({ "file": file("damaged"), "known": key }),
            json!({ "file": file("shown") }),
            json!({ "file": file("added") }),
            json!({ "file": file("good"), "script": false }),
            json!({ "file": file("above") }),
            json!({ "file": file("below") }),
        ],
    );
    let verdicts: Vec<&str> =
        answers.iter().map(|answer| answer["verdict"].as_str().expect("a verdict")).collect();
    let (right, wrong) = ("consistent", "not consistent");
    assert_eq!(
        verdicts,
        [
            right,
            "verified",
            "verified",
            "verified",
            "differs",
            wrong,
            wrong,
            wrong,
            wrong,
            "unchecked",
            wrong,
            wrong,
        ],
        "{answers:#?}"
    );
    let first = |at: usize| answers[at]["findings"][0].as_str().unwrap_or_default().to_string();
    assert!(first(5).starts_with("record 3 "), "{}", first(5));
    assert!(
        first(7).starts_with("standings, ") || first(7).starts_with("round 1, "),
        "{}",
        first(7)
    );
    assert!(first(7).contains("shows “7”"), "{}", first(7));
    assert!(first(8).contains("Ana won."), "{}", first(8));
    assert!([10, 11].iter().all(|at| first(*at).contains("Winner: Ana")), "{answers:#?}");
    for answer in &answers {
        let asked = answer["requests"].as_array().expect("a list");
        assert_eq!(asked.len(), 1, "nothing but the page itself is asked for: {asked:?}");
    }
    let text = answers[0]["text"].as_str().expect("text");
    assert!(NAMES.iter().all(|name| text.contains(name)), "{text}");
    // Without JavaScript the page reads the same.
    assert_eq!(answers[0]["text"], answers[9]["text"]);
    assert!(answers[9]["text"].as_str().expect("text").contains("Standings after round"));
}

#[test]
fn pages_of_all_kinds_of_events_are_consistent() {
    if !is_there("node") || !is_there("chromium") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut requests = Vec::new();
    for seed in 0..10 {
        for give in [Give::Nothing, Give::Roster] {
            let text = String::from_utf8(bundle(seed, give)).expect("text");
            let file = folder.path().join(format!("{seed}-{give:?}.html"));
            fs::write(&file, page::html(&text).expect("a page")).expect("written");
            requests.push(json!({ "file": file }));
        }
    }
    for (answer, request) in open(folder.path(), &requests).iter().zip(&requests) {
        assert_eq!(answer["verdict"], "consistent", "{request}: {answer:#}");
    }
}

//! The page in a real browser, without a window: what it says of itself, and of what it is given.

use super::{NAMES, Played, bundle, is_there, played, root, turning};
use crate::cli::desk::Desk;
use scrutineer_desk::keys::Key;
use scrutineer_replay::bundle::Give;
use scrutineer_replay::page;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A page to open, and what is typed into it.
pub fn open(folder: &Path, requests: &[Value]) -> Vec<Value> {
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

#[test]
fn a_page_says_what_it_is_worth_in_a_real_browser() {
    if !is_there("node") || !is_there("chromium") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Played { page: good, note, bundle } = played();

    fs::write(folder.path().join("good.html"), &good).expect("written");
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
            json!({ "file": file("good"), "script": false }),
            json!({ "file": file("good"), "save": true }),
        ],
    );
    let verdicts: Vec<&str> =
        answers.iter().map(|answer| answer["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(
        verdicts,
        ["consistent", "verified", "verified", "verified", "differs", "unchecked", "consistent"],
        "{answers:#?}"
    );
    assert!(answers[6]["saved"].as_str().map(str::as_bytes) == Some(&bundle[..]), "{answers:#?}");
    for answer in &answers[..6] {
        let asked = answer["requests"].as_array().expect("a list");
        assert_eq!(asked.len(), 1, "nothing but the page itself is asked for: {asked:?}");
    }
    let text = answers[0]["text"].as_str().expect("text");
    assert!(NAMES.iter().all(|name| text.contains(name)), "{text}");
    assert!(text.contains("Standings after round"), "{text}");
}

/// *Verified* stood on top of a page in whose field something else had been typed since, which nobody can read.
#[test]
fn what_a_page_cannot_read_brings_back_what_it_says_by_itself() {
    if !is_there("node") || !is_there("chromium") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Played { page, note, .. } = played();
    let file = folder.path().join("page.html");
    fs::write(&file, &page).expect("written");
    let other = "ab".repeat(32);
    let requests = [
        json!({ "file": file }),
        json!({ "file": file, "known": [note, "the sheet on the wall"] }),
        json!({ "file": file, "known": [other, "half of a checkpoint"] }),
    ];
    let answers = open(folder.path(), &requests);
    for answer in &answers[1..] {
        assert_eq!(answer["verdict"], "consistent", "{answer:#?}");
        assert_eq!(answer["said"], answers[0]["said"]);
        assert_ne!(answer["answer"], "", "what was typed is answered");
    }
}

/// A code from paper of which a digit was read wrongly left *Consistent in itself* on top, and not a word below it.
#[test]
fn a_receipt_whose_address_cannot_be_read_is_told_and_takes_the_tick_away() {
    if !is_there("node") || !is_there("chromium") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Played { page, note, .. } = played();
    let file = folder.path().join("page.html");
    fs::write(&file, &page).expect("written");
    let at = |hash: &str| json!({ "file": file, "hash": hash });
    let first = &open(folder.path(), &[at("#record=3")])[0];
    let mine = first["mine"].as_str().expect("words");
    let digits = mine.split("Its digits: ").nth(1).expect("digits").lines().next();
    let typed = digits.expect("digits").trim().to_uppercase();
    let bare = typed.replace(' ', "").to_lowercase();
    let requests = [
        at(&format!("#record=3-{bare}")),
        at(&format!("#record=3-{}", typed.replace(' ', "%20"))),
        at(&format!("#RECORD=3-{}%C2%A0", typed.replace(' ', ""))),
        at(&format!("#record=3-{}l", &bare[1..])),
        at("#record=3-a7f5"),
        json!({ "file": file, "hash": "#record=", "known": note }),
        at("#mine"),
        at("#record=9999-a7f5434e1ecfff01"),
        json!({ "file": file, "hash": "#record=3-ffffffffff", "then": format!("#record=3-{bare}") }),
        json!({ "file": file, "hash": "#record=3-ffffffffff", "then": "#record=3-xyz" }),
        at("#record=3-ffffffffff"),
    ];
    let answers = open(folder.path(), &requests);
    for answer in &answers[..3] {
        assert_eq!(answer["verdict"], "consistent", "{answer:#?}");
        let mine = answer["mine"].as_str().expect("words");
        assert!(mine.contains("✓ The digits that you hold"), "{mine}");
    }
    for answer in &answers[3..6] {
        let words = (&answer["verdict"], &answer["words"]);
        assert_eq!(words, (&json!("incomplete"), &json!("⚠ Not compared")), "{answer:#?}");
        for told in ["mine", "said"] {
            let told = answer[told].as_str().expect("words");
            assert!(told.contains("nothing was compared"), "{told}");
        }
    }
    // Digits of a record that is not here yet were compared with nothing, and digits that are put right are those.
    let said = answers[7]["said"].as_str().expect("words");
    assert!(said.contains("Record 9999 is not on this page"), "{said}");
    let verdicts = answers[7..].iter().map(|answer| answer["verdict"].as_str());
    let wanted = ["incomplete", "consistent", "incomplete", "differs"].map(Some);
    assert_eq!(verdicts.collect::<Vec<_>>(), wanted, "{answers:#?}");
    // What was found before is still what is told once such an address is gone, or came.
    let other = "ab".repeat(32);
    let requests = [
        json!({ "file": file, "hash": "#record=", "known": other, "then": "#main" }),
        json!({ "file": file, "known": other, "then": "#record=" }),
        json!({ "file": file, "hash": "#record=", "known": note, "then": "#main" }),
    ];
    let compared = open(folder.path(), &requests);
    let verdicts = compared.iter().map(|answer| answer["verdict"].as_str());
    let wanted = ["differs", "differs", "verified"].map(Some);
    assert_eq!(verdicts.collect::<Vec<_>>(), wanted, "{compared:#?}");
    // Of a page that is linked to elsewhere nothing is asked.
    assert_eq!((&answers[6]["verdict"], &answers[6]["mine"]), (&json!("consistent"), &json!("")));
}

/// Beside what is drawn and the script, a page has about the bytes of its records.
#[test]
fn a_page_holds_no_byte_that_follows_from_others() {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    };
    run(&["simulate", "--players", "120", "--rounds", "7", "--keep"]);
    run(&["export", "--html", "--roster", "--output", "page.html"]);
    run(&["export", "--roster", "--output", "tournament.bundle"]);
    let size = |name: &str| fs::metadata(desk.path(name)).expect("a file").len();
    let (page, bundle) = (size("page.html"), size("tournament.bundle"));
    assert!(page < 450_000, "{page} bytes");
    if !is_there("gzip") {
        return;
    }
    let packed = Command::new("gzip").args(["-9", "-c"]).arg(desk.path("page.html")).output();
    let packed = packed.expect("gzip runs").stdout.len();
    run(&["export", "--csv", "sheets"]);
    let sheet = fs::read_to_string(desk.path("sheets/matches.csv")).expect("a file");
    let matches = sheet.lines().count() - 1;
    println!("a page of {page} bytes, its bundle {bundle}, packed {packed}, of {matches} matches");
    assert!(packed <= 60_000 + 120 * matches, "{packed} bytes for {matches} matches");
}

#[test]
fn a_page_reads_alike_with_javascript_and_without() {
    if !is_there("node") || !is_there("chromium") {
        return;
    }
    let turning = fs::read_to_string(turning().path("page.html")).expect("a file");
    let mut pages = vec![played().page, turning];
    for seed in 0..10 {
        for give in [Give::Nothing, Give::Roster] {
            let text = String::from_utf8(bundle(seed, give)).expect("text");
            pages.push(page::html(&text, None).expect("a page"));
        }
    }
    reads_alike(&pages);
}

/// Each page is consistent, and says the same with JavaScript as without.
pub fn reads_alike(pages: &[String]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut requests = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let file = folder.path().join(format!("{at}.html"));
        fs::write(&file, page).expect("written");
        requests.push(json!({ "file": file }));
        requests.push(json!({ "file": file, "script": false }));
    }
    for (answers, request) in open(folder.path(), &requests).chunks(2).zip(&requests) {
        assert_eq!(answers[0]["verdict"], "consistent", "{request}: {answers:#?}");
        assert_eq!(answers[1]["verdict"], "unchecked", "{request}: {answers:#?}");
        assert_eq!(answers[0]["text"], answers[1]["text"], "{request}");
    }
}

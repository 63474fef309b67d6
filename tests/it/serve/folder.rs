//! The public pages as files: complete, linked from file to file, only what everybody may see, and rewritten
//! when something changes.

use super::client::{Server, rehearsed};
use crate::cli::desk::{Desk, Said};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Every file of a folder.
pub fn files(folder: &Path) -> BTreeMap<String, String> {
    let all = fs::read_dir(folder).expect("a folder").map(|one| one.expect("an entry"));
    let read = |one: fs::DirEntry| {
        // One that is being replaced has another name for a moment.
        let text = fs::read(one.path()).unwrap_or_default();
        (
            one.file_name().to_string_lossy().into_owned(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    };
    all.map(read).collect()
}

fn published(desk: &Desk, more: &[&str]) -> Said {
    let said = desk.run(&[&["publish-to", "site"][..], more].concat());
    assert_eq!(said.code, 0, "{}", said.all());
    said
}

fn played() -> Desk {
    let desk = Desk::new();
    for words in [
        &["new", "Friday", "--rules", "mtr", "--phase", "swiss:3"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "1-2"],
        &["announce"],
    ] {
        rehearsed(&desk, words);
    }
    desk
}

#[test]
fn a_folder_has_every_public_page_with_links_from_file_to_file() {
    let desk = played();
    let said = published(&desk, &[]);
    assert!(said.out.contains("files in site"), "{}", said.all());
    let all = files(&desk.path("site"));
    for name in [
        "index.html",
        "round.html",
        "round-1.html",
        "standings.html",
        "standings-1.html",
        "standings-4.html",
        "bracket.html",
        "log.html",
        "rules.html",
        "page.html",
        "tournament.bundle",
        "checkpoint.txt",
    ] {
        assert!(all.contains_key(name), "{name} is missing: {:?}", all.keys());
    }
    assert!(
        all["standings.html"].contains("Ann") && all["checkpoint.txt"].starts_with("scrutineer/")
    );
    let pages = all.iter().filter(|(name, _)| name.ends_with(".html") && *name != "page.html");
    for (name, page) in pages {
        for needs_a_server in
            ["<script", "<form", "href=\"/", "src=\"", "data-base", "data-live", "<kbd"]
        {
            assert!(!page.contains(needs_a_server), "{name} has {needs_a_server}: {page}");
        }
        let targets = page.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for target in targets.filter(|target| !target.starts_with("data:")) {
            let file = target.split('#').next().unwrap_or_default();
            assert!(file.is_empty() || all.contains_key(file), "{name} leads to {target}");
        }
    }
    // The whole of it is checked by the program too.
    let checked = desk.run(&["bundle", "verify", "site/tournament.bundle"]);
    assert!(checked.code != 1 && checked.all().contains("record"), "{}", checked.all());
    // Nothing changed: nothing is written.
    assert!(published(&desk, &[]).out.contains(", 0 changed"), "it is the same");
    let german = published(&desk, &["--lang", "de"]);
    assert!(!german.out.contains(", 0 changed"));
    assert!(files(&desk.path("site"))["standings.html"].contains("Tabelle"));
    let answer = published(&desk, &["--json"]);
    assert!(answer.out.contains("\"removed\":0"), "{}", answer.out);
}

/// The words went to the server, which knows whole titles alone.
#[test]
fn a_tournament_is_named_as_for_other_commands_beside_a_server_and_alone() {
    let desk = played();
    let words = ["--tournament", "fri"];
    rehearsed(&desk, &[&["standings"][..], &words].concat());
    published(&desk, &words);
    let server = Server::of(&desk);
    published(&desk, &words);
    let said = desk.run(&["publish-to", "site", "--tournament", "nobody"]);
    assert!(said.code != 0 && said.err.contains("[unknown-tournament]"), "{}", said.all());
    server.stop();
}

#[test]
fn a_draft_is_in_no_file_and_a_folder_of_somebody_else_stays_as_it_is() {
    let desk = played();
    rehearsed(&desk, &["pair"]);
    rehearsed(&desk, &["late", "Zephyrine"]);
    published(&desk, &[]);
    let has = |word: &str| files(&desk.path("site")).values().any(|text| text.contains(word));
    assert!(has("Ann") && !has("Zephyrine"), "who came behind the draft is not public yet");
    assert!(!files(&desk.path("site")).contains_key("round-2.html"));
    rehearsed(&desk, &["publish"]);
    published(&desk, &[]);
    assert!(files(&desk.path("site")).contains_key("round-2.html"));
    fs::create_dir(desk.path("mine")).expect("made");
    fs::write(desk.path("mine/letter.txt"), "dear").expect("written");
    let refused = desk.run(&["publish-to", "mine"]);
    assert!(refused.code == 2 && refused.all().contains("[folder-not-ours]"), "{}", refused.all());
    assert_eq!(files(&desk.path("mine")).len(), 1);
}

/// A process that ends with its test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_watched_folder_has_a_result_soon_after_it_was_recorded() {
    let desk = played();
    let server = Server::of(&desk);
    let mut command = desk.command(&["publish-to", "site", "--watch"]);
    let mut watching = Ended(command.stdout(Stdio::null()).spawn().expect("it starts"));
    let until = |what: &str, is_so: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
            std::thread::sleep(Duration::from_millis(100));
        }
        begun.elapsed()
    };
    let has = |file: &str, word: &str| {
        fs::read_to_string(desk.path("site").join(file)).is_ok_and(|text| text.contains(word))
    };
    until("the first pages", &|| has("index.html", "Ann") && has("tournament.bundle", "\"end\""));
    let before = fs::metadata(desk.path("site/rules.html")).and_then(|found| found.modified());
    rehearsed(&desk, &["correct", "1", "2-1", "--reason", "a game was forgotten"]);
    let took =
        until("the correction", &|| has("round-1.html", "2–1") && has("log.html", "corrected"));
    println!("a correction is in the folder after {took:?}");
    let after = fs::metadata(desk.path("site/page.html")).and_then(|found| found.modified());
    assert!(after.expect("a time") > before.expect("a time"), "page.html is new");
    // Who is forgotten is in no file of it a little later.
    rehearsed(&desk, &["forget", "Cid", "--yes"]);
    let gone = || !files(&desk.path("site")).values().any(|text| text.contains("Cid"));
    let took = until("a forgotten name", &gone);
    println!("a forgotten name is in no file after {took:?}");
    assert!(watching.0.try_wait().expect("asked").is_none(), "it goes on");
    drop(watching);
    server.stop();
}

/// Nobody could say where names still stood: the folder of the pages was in no list.
#[test]
fn whoever_is_forgotten_is_told_of_each_folder_that_pages_were_written_to_once() {
    let desk = played();
    published(&desk, &[]);
    published(&desk, &["--lang", "de"]);
    let said = desk.run(&["forget", "Ann", "--dry-run"]);
    let line =
        |line: &&str| line.contains("exported with names: pages") && line.ends_with(" UTC, site");
    assert_eq!(said.out.lines().filter(line).count(), 1, "{}", said.all());
}

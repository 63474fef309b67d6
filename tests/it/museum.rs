//! What earlier versions wrote, opened by this one: tests/museum, and its README.md.

use crate::cli::desk::{Desk, Said};
use crate::cli::script::words;
use crate::forgeries::all_files;
use crate::page::{is_there, root};
use crate::serve::client::{Answer, Server};
use scrutineer_desk::store::{HOUSE, Store};
use scrutineer_engine::event::Event;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::parse;
use scrutineer_projections::standings::{Detail, FOLD_VERSION, Standings};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Where an exhibit is written: the name of a new folder.
const WRITE: &str = "SCRUTINEER_WRITE_MUSEUM";

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")
}

/// The folders of the museum, the oldest first.
fn exhibits() -> Vec<PathBuf> {
    let all = fs::read_dir(museum()).expect("readable").map(|entry| entry.expect("one").path());
    let mut exhibits: Vec<PathBuf> = all.filter(|path| path.is_dir()).collect();
    exhibits.sort();
    exhibits
}

/// A line for each tournament: id, records, hash of the last one, version of the fold, hash of the
/// standings, title.
fn told(store: &Store) -> String {
    let mut text = String::new();
    for summary in store.events().expect("listed") {
        let event = store.load(summary.stream, true).expect("read");
        let ruleset = &event.state.opened().expect("opened").ruleset;
        let rules = Arc::new(parse(ruleset).expect("a ruleset"));
        let scope = Scope { through: None, final_order: None };
        let standings = Standings::of(&event.state, &rules, scope, Detail::Order).expect("folded");
        let (records, head) = (event.log.len(), event.head);
        let table = blake3::Hash::from(standings.hash()).to_hex();
        let (stream, title) = (summary.stream, summary.title);
        let _ = writeln!(text, "{stream} {records} {head} {FOLD_VERSION} {table} {title}");
    }
    text
}

/// Holds what is told now against what was told then: by another version of the fold standings may be
/// others.
fn assert_told(then: &str, now: &str, what: &str) {
    assert_eq!(then.lines().count(), now.lines().count(), "{what}: {now}");
    for (then, now) in then.lines().zip(now.lines()) {
        let words = |line: &str| line.splitn(6, ' ').map(str::to_string).collect::<Vec<_>>();
        let (mut then, mut now) = (words(then), words(now));
        if then[3] != now[3] {
            then.drain(3..5);
            now.drain(3..5);
        }
        assert_eq!(then, now, "{what}");
    }
}

/// The name and the password of the account in play.txt.
const SIGNED_IN: &str = "name=Eva+Wong&password=the+hall+closes+at+six";
/// The tournament in play.txt that has a floor.
const OPEN: &str = "/api/v1/tournaments/Winter%20Open";

/// What a server tells of those who may do something, and of the floor. Its owner's link is made anew
/// whenever one is started.
fn told_of_house(server: &Server) -> Value {
    let ask = |path: &str| {
        let answer = server.local("GET", path, "");
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    };
    let mut links = ask("/api/v1/links")["links"].clone();
    links.as_array_mut().expect("a list").retain(|link| link["role"] != "owner");
    let mut accounts = ask("/api/v1/staff")["accounts"].clone();
    for account in accounts.as_array_mut().expect("a list") {
        account.as_object_mut().expect("an account").remove("sessions");
    }
    json!({
        "accounts": accounts,
        "links": links,
        "tokens": ask("/api/v1/tokens")["tokens"],
        "floor": ask(&format!("{OPEN}/floor/entries"))["entries"],
    })
}

fn sign_in(server: &Server) -> Answer {
    let own = format!("http://{}", server.address);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    server.send("POST", "/sign-in", &[("Origin", &own), form], SIGNED_IN)
}

/// A desk with an exhibit's files.
fn desk_with(exhibit: &Path) -> Desk {
    let desk = Desk::new();
    for (path, bytes) in all_files(exhibit) {
        desk.write(&path.to_string_lossy(), &bytes);
    }
    desk
}

#[test]
fn whatever_a_version_wrote_is_opened_verified_and_folded() {
    let mut kinds = BTreeSet::new();
    let mut houses = 0;
    for exhibit in exhibits() {
        let what = exhibit.display().to_string();
        let desk = desk_with(&exhibit);
        let run = |words: &[&str]| {
            let said = desk.run(words);
            assert_eq!(said.code, 0, "{what}: {words:?}: {}", said.all());
        };
        let read = |name: &str| fs::read_to_string(desk.path(name)).expect("a text");
        let then = read("says.txt");
        run(&["verify"]);
        {
            let store = Store::open(&desk.path("store")).expect("a store");
            assert_told(&then, &told(&store), &what);
            for stream in store.log().streams().expect("listed") {
                let event = store.load(stream, true).expect("read");
                kinds.extend(event.log.iter().map(|(header, _)| header.kind));
            }
        }
        if exhibit.join("store").join(HOUSE).is_file() {
            let server = Server::of(&desk);
            let then: Value = serde_json::from_str(&read("house.json")).expect("JSON");
            assert_eq!(told_of_house(&server), then, "{what}");
            assert_eq!(sign_in(&server).status, 303, "{what}: the password still holds");
            let more = r#"{"do":"extend","table":1,"minutes":2}"#;
            let answer = server.local_under("goes-on", "PATCH", &format!("{OPEN}/floor"), more);
            assert_eq!(answer.status, 201, "{what}: {answer:?}");
            let minutes = &server.local("GET", &format!("{OPEN}/floor"), "").json()["extensions"];
            assert_eq!(*minutes, json!([{ "table": 1, "minutes": 7 }]), "{what}");
            houses += 1;
            server.stop();
        }
        // It goes on: something is recorded, and read again.
        run(&["publish", "--tournament", "Chess Evening"]);
        run(&["result", "1", "0-1", "--tournament", "Chess Evening"]);
        run(&["verify"]);
        if is_there("node") {
            let check = root().join("replay/page/check.mjs");
            let said = Command::new("node").arg(check).arg(desk.path("event.bundle")).output();
            let said = Said::of(said.expect("node runs"));
            assert!(said.out.contains("\"verdict\":\"consistent\""), "{what}: {}", said.all());
        }
        run(&["bundle", "verify", "event.bundle", "--key", read("key.txt").trim()]);
        run(&["--store", "brought", "bundle", "import", "event.bundle", "--unsigned"]);
        let store = Store::open(&desk.path("brought")).expect("a store");
        let now = told(&store);
        let of_bundle: String =
            then.lines().filter(|line| line.split(' ').next() == now.split(' ').next()).collect();
        assert_told(&of_bundle, &now, &what);
    }
    assert!(houses > 0, "no exhibit has a house");
    // LogRestored needs a disaster, EnginePaired a program of somebody else, the third no verb of the desk
    // records; engine/tests/golden has a sample of each.
    let missing = Event::KINDS.iter().filter(|(kind, _)| !kinds.contains(kind));
    let missing: Vec<&str> = missing.map(|(_, name)| *name).collect();
    assert_eq!(
        missing,
        [
            "PlanAmended",
            "LogRestored",
            "PlayerDivisionChanged",
            "ByeRequested",
            "PlayerDescribed",
            "PlayerRated",
            "PlayerIdCorrected",
            "DivisionsPaired",
            "DivisionRounds",
            "EnginePaired",
            "TableKept",
            "TablesSet"
        ]
    );
}

/// Writes an exhibit, where one is asked for.
#[test]
fn an_exhibit_is_written_where_one_is_asked_for() {
    let Ok(name) = std::env::var(WRITE) else { return };
    let to = museum().join(&name);
    assert!(!to.exists(), "{} is there already, and no exhibit ever changes", to.display());
    let desk = play();
    let store = Store::open(&desk.path("store")).expect("a store");
    desk.write("says.txt", told(&store).as_bytes());
    drop(store);
    for (path, bytes) in all_files(&desk.path("")) {
        // A lock is nobody's, and snapshots are read by the version that took them.
        let is_kept = ["store", "event.bundle", "says.txt", "key.txt", "house.json"]
            .iter()
            .any(|one| path.starts_with(one))
            && !["store/lock", "store/snapshots"].iter().any(|one| path.starts_with(one));
        if is_kept {
            let path = to.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, bytes).expect("written");
        }
    }
}

/// What the desk does that is kept: an imported tournament, one by Swiss rounds and a bracket, one of
/// chess that is not over, and one that a server has, with its staff and its floor.
const PLAY: &str = include_str!("../museum/play.txt");

fn play() -> Desk {
    let desk = Desk::new();
    let run = |words: &[&str]| {
        let mut command = desk.command(words);
        // The same tables each time, so that the commands fit.
        command.env("SCRUTINEER_REHEARSE", "museum");
        let said = Said::of(command.output().expect("it runs"));
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    let mut server = None;
    for (at, line) in PLAY.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        if let (Some(method @ ("POST" | "PUT" | "PATCH")), Some(path), Some(body)) =
            (parts.next(), parts.next(), parts.next())
        {
            // Commands that follow go through it.
            let server = server.get_or_insert_with(|| Server::rehearsing(&desk, "museum"));
            let key = format!("play-{at}");
            let answer = server.local_under(&key, method, path, body);
            assert!((200..300).contains(&answer.status), "{line}: {answer:?}");
            continue;
        }
        let words = words(line);
        run(&words.iter().map(String::as_str).collect::<Vec<&str>>());
    }
    let server = server.expect("something is asked for");
    let house = serde_json::to_string_pretty(&told_of_house(&server)).expect("JSON");
    desk.write("house.json", format!("{house}\n").as_bytes());
    server.stop();
    run(&["export", "--tournament", "Spring Open", "--roster", "--output", "event.bundle"]);
    let keys: Value = serde_json::from_str(&run(&["--json", "keys", "show"])).expect("JSON");
    let is_current = |key: &&Value| key["state"] == "current";
    let key = keys.as_array().and_then(|keys| keys.iter().find(is_current)).expect("a key");
    desk.write("key.txt", format!("{}\n", key["key"].as_str().expect("digits")).as_bytes());
    desk
}

//! What a version wrote that nobody knows: it is not called verified.

use super::desk::Desk;
use scrutineer_desk::desk::{Desk as EngineDesk, Means};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::{Actor, Time};
use serde_json::Value;
use std::process::Command;
use std::sync::atomic::{AtomicU8, Ordering};

/// Whoever has store and key announces a table under a version of the fold that nobody knows.
fn with_unknown_fold() -> Desk {
    let desk = Desk::new();
    for words in [
        &["new", "Spring Open", "--rules", "mtr"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "2-1"],
        &["announce"],
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{}", said.all());
    }
    let store = Store::open(&desk.path("store")).expect("it opens");
    let stream = store.find(None).expect("one event");
    let drawn = AtomicU8::new(0);
    let random = || {
        drawn.fetch_add(1, Ordering::Relaxed);
        Ok([drawn.load(Ordering::Relaxed); 32])
    };
    let clock = || Time { unix_micros: 4_000_000_000_000_000 };
    let means = Means { actor: Actor(1), clock: &clock, random: &random };
    let at = EngineDesk::at(&store, stream, means);
    let mut again = None;
    for read in read_events(store.log(), stream, 0) {
        let (record, event) = read.expect("an event");
        if let Event::StandingsAnnounced(mut e) = event {
            (e.head, e.fold_version) = (record.header().seq, 3);
            again = Some(e);
        }
    }
    let again = again.expect("announced");
    at.record(&mut |_, _| Ok(vec![again.clone().into()])).expect("recorded");
    drop(at);
    drop(store);
    let said = desk.run(&["checkpoint"]);
    assert_eq!(said.code, 0, "{}", said.all());
    desk
}

#[test]
fn a_table_under_a_version_that_nobody_knows_is_not_verified() {
    let desk = with_unknown_fold();
    let said = desk.run(&["verify"]);
    assert_eq!(said.code, 3, "{}", said.all());
    assert!(said.out.contains("[unknown-fold]"), "{}", said.all());
    let last = said.out.lines().last().expect("a line").to_string();
    assert!(last.contains("not verified: 1 thing could not be checked"), "{last}");
    let said = desk.run(&["export", "--roster", "--output", "spring.bundle"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let key = desk.run(&["--json", "keys", "show"]).out;
    let key = key.split('"').find(|part| part.len() == 64).expect("a key").to_string();
    let said = desk.run(&["bundle", "verify", "spring.bundle", "--key", &key]);
    assert_eq!(said.code, 3, "{}", said.all());
    assert!(!said.out.contains("\nverified"), "{}", said.all());
    // The verifier of the page says so too, and does not call it verified with the key either.
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: node is not there");
        return;
    }
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("replay/page/check.mjs");
    for known in ["", &key] {
        let mut node = Command::new("node");
        node.arg(&page).arg(desk.path("spring.bundle"));
        if !known.is_empty() {
            node.args(["--known", known]);
        }
        let done = node.output().expect("node runs");
        let said: Value = serde_json::from_slice(&done.stdout).expect("JSON");
        assert_eq!((&said["verdict"], done.status.code()), (&"incomplete".into(), Some(3)));
        assert_eq!(said["unchecked"][0]["code"], "unknown-fold");
    }
}

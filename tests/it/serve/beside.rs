//! The command beside a running server.

use super::client::{Server, friday, rehearsed, whole};
use crate::cli::{desk::Desk, script};
use std::path::Path;

fn session(name: &str) -> String {
    let file = format!("tests/scripts/{name}.txt");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(path).expect("a session")
}

/// The sessions of the handbook and of the desk, played beside a server: the same is answered, and the
/// same is recorded.
#[test]
fn a_session_beside_a_server_says_and_records_the_same() {
    for name in [
        "desk_bracket",
        "desk_pods",
        "desk_tables",
        "desk_undo",
        "story_penalty_and_score",
        "story_who_did_it",
    ] {
        let (alone, beside) = (Desk::new(), Desk::new());
        let text = session(name);
        let (_, wrong) = script::play(&alone, &text);
        assert!(wrong.is_empty(), "{name}: {wrong}");
        let server = Server::of(&beside);
        let (_, wrong) = script::play(&beside, &text);
        assert!(wrong.is_empty(), "{name} beside a server says something else:\n{wrong}");
        server.stop();
        assert!(!beside.path("store/server.json").exists());
        assert!(whole(&alone) == whole(&beside), "{name}: another log");
    }
}

/// Those that read slips from a list, and those whose verbs need the store for themselves.
#[test]
fn a_session_that_borrows_the_store_says_the_same() {
    for name in
        ["desk_event", "desk_results", "forget", "import_again", "handover", "trust_checkpoints"]
    {
        let beside = Desk::new();
        let _server = Server::of(&beside);
        let (_, wrong) = script::play(&beside, &session(name));
        assert!(wrong.is_empty(), "{name} beside a server says something else:\n{wrong}");
    }
}

/// What needs the store for itself has it lent, and gives it back by ending.
#[test]
fn nobody_sees_a_locked_store() {
    let desk = friday();
    let server = Server::of(&desk);
    for words in [
        &["import", "autumn-open.csv"][..],
        &["snapshots", "--take"],
        &["backup", "saved"],
        &["verify"],
        &["tournaments"],
    ] {
        rehearsed(&desk, words);
        // It is open again, and what was brought in is there.
        let listed = server.local("GET", "/api/v1/tournaments", "");
        assert_eq!(listed.status, 200, "{words:?}: {listed:?}");
        assert!(listed.body.contains("autumn-open"), "{words:?}: {listed:?}");
    }
    rehearsed(&desk, &["result", "1", "2-0", "--tournament", "Friday"]);
    server.stop();
}

/// The server lends its store to whoever pairs with an engine of their own, and who wishes to drop is told before.
#[cfg(unix)]
#[test]
fn a_round_is_paired_by_an_engine_beside_a_server() {
    let desk = Desk::new();
    desk.write("engine.sh", b"printf '2\\n1 3\\n4 2\\n'\n");
    rehearsed(&desk, &["new", "Friday", "--rules", "fide-swiss-2026", "--phase", "swiss:3"]);
    rehearsed(&desk, &["enroll", "Ann", "Bob", "Cid", "Dee"]);
    let _server = Server::of(&desk);
    let said = rehearsed(&desk, &["pair", "--engine", "/bin/sh engine.sh {input}"]);
    assert!(said.contains("paired by engine"), "{said}");
}

/// A server that was killed leaves its file: it is as none.
#[test]
fn what_a_killed_server_leaves_behind_is_in_nobodys_way() {
    let desk = friday();
    let mut server = Server::of(&desk);
    server.kill();
    assert!(desk.path("store/server.json").exists());
    rehearsed(&desk, &["result", "1", "2-0"]);
    let again = Server::of(&desk);
    rehearsed(&desk, &["result", "2", "2-1"]);
    assert_eq!(again.get("/api/v1/tournaments/Friday").json()["missing"], 0);
}

#[test]
fn a_second_server_of_a_store_is_refused() {
    let desk = friday();
    let _server = Server::of(&desk);
    let said = desk.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.err.contains("server-runs-already"), "{}", said.all());
}

/// Many commands at once beside a server: each of them is done.
#[test]
fn commands_at_once_are_all_carried_out() {
    let desk = friday();
    let server = Server::of(&desk);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let desk = &desk;
            scope.spawn(move || rehearsed(desk, &["note", &format!("bag {number} was found")]));
        }
    });
    server.stop();
    let log = rehearsed(&desk, &["log"]);
    assert_eq!(log.matches("was found").count(), 8, "{log}");
}

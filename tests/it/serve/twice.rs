//! Nothing is done twice, and nothing that was answered is lost.

use super::client::{Answer, Server, friday, rehearsed};
use crate::cli::desk::Desk;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[test]
fn what_is_sent_twice_under_a_key_is_recorded_once() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let order = r#"{"order":"result","slip":"1 2-0"}"#;
    let first = server.order(&token, "k", order);
    assert_eq!((first.status, first.header("idempotent-replayed")), (201, None));
    let again = server.order(&token, "k", order);
    assert_eq!((again.status, again.header("idempotent-replayed")), (200, Some("true")));
    assert_eq!(first.json()["first_seq"], again.json()["first_seq"]);
    let other = server.order(&token, "k", r#"{"order":"result","slip":"2 2-0"}"#);
    assert_eq!((other.status, other.code().as_str()), (422, "command-id-reused"));
    // Another program's key is another key.
    let others = server.token("scorekeeper");
    let second = server.order(&others, "k", r#"{"order":"result","slip":"2 2-0"}"#);
    assert_eq!(second.status, 201, "{second:?}");
    server.stop();
    // Also after a restart, and long after the round has gone on.
    rehearsed(&desk, &["pair"]);
    let server = Server::of(&desk);
    let again = server.order(&token, "k", order);
    assert_eq!(again.header("idempotent-replayed"), Some("true"), "{again:?}");
    assert_eq!(first.json()["first_seq"], again.json()["first_seq"]);
    let other = server.order(&token, "k", r#"{"order":"result","slip":"2 2-0"}"#);
    assert_eq!((other.status, other.code().as_str()), (422, "command-id-reused"));
}

/// The answer to an order did not say who had given it.
#[test]
fn an_answer_says_who_did_it_and_says_so_again_after_a_restart() {
    let desk = friday();
    let server = Server::of(&desk);
    let wanted = r#"{"role":"scorekeeper","name":"Olga Kim"}"#;
    let made = server.local("POST", "/api/v1/tokens", wanted).json();
    let olga = format!("Bearer {}", made["token"].as_str().expect("a token"));
    let nobody = server.token("scorekeeper");
    let slips = r#"[{"order":"result","slip":"1 2-0"},{"order":"result","slip":"2 2-1"}]"#;
    let note = r#"{"order":"note","text":"the hall closes at six"}"#;
    let by = |answer: &Answer| -> Vec<serde_json::Value> {
        let lines = answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        lines.map(|line: serde_json::Value| line["by"].clone()).collect()
    };
    assert_eq!(by(&server.order(&olga, "slips", slips)), ["Olga Kim", "Olga Kim"]);
    assert_eq!(by(&server.order(&nobody, "note", note)), ["actor 1"]);
    assert_eq!(by(&server.order(&olga, "note", note)), ["Olga Kim"]);
    server.stop();
    let server = Server::of(&desk);
    let again = server.order(&nobody, "note", note);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(by(&again), ["actor 1"]);
    assert_eq!(by(&server.order(&olga, "slips", slips)), ["Olga Kim", "Olga Kim"]);
    // The page of the log, which said `staff 1`, has the same word as everything else, and one of its own in German.
    for (language, word) in [("en", "actor 1"), ("de", "Person 1")] {
        let log = server.send("GET", "/t/Friday/log", &[("Accept-Language", language)], "");
        assert!(log.body.contains(&format!("<bdi>{word}</bdi>")), "{log:?}");
    }
    server.stop();
    assert!(rehearsed(&desk, &["log"]).contains("actor 1"), "the command says it likewise");
}

#[test]
fn a_list_and_a_single_order_have_no_key_in_common_and_each_line_has_its_own() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let note = |text: &str| format!(r#"{{"order":"note","text":"note {text} is written"}}"#);
    let list = |texts: &[&str]| {
        let notes: Vec<String> = texts.iter().map(|text| note(text)).collect();
        server.order(&token, texts[0], &format!("[{}]", notes.join(",")))
    };
    let statuses = |answer: &Answer| -> Vec<u64> {
        let lines = answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        lines.filter_map(|line: serde_json::Value| line["status"].as_u64()).collect()
    };
    let is_refused = |answer: &Answer| {
        assert_eq!((answer.status, &answer.code()[..]), (422, "command-id-reused"), "{answer:?}");
        assert_eq!(answer.json()["kind"], "conflict", "{answer:?}");
    };
    assert_eq!(statuses(&list(&["a", "b"])), [201, 201]);
    is_refused(&server.order(&token, "a", &note("c")));
    assert_eq!(server.order(&token, "d", &note("d")).status, 201);
    is_refused(&list(&["d", "e"]));
    // A list that is sent again may go on.
    assert_eq!(statuses(&list(&["a", "b", "f"])), [200, 200, 201]);
    let line = server.order(&token, "a#1", &note("a"));
    assert_eq!(line.header("idempotent-replayed"), Some("true"), "{line:?}");
    server.stop();
    let log = rehearsed(&desk, &["log"]);
    let written = |text: &&str| log.contains(&format!("note {text} is written"));
    assert_eq!(["a", "b", "c", "d", "e", "f"].iter().filter(|text| written(text)).count(), 4);
}

#[test]
fn a_tournament_is_opened_once_under_a_key() {
    let desk = Desk::new();
    let server = Server::of(&desk);
    let token = server.token("owner");
    let headers = [("Authorization", token.as_str()), ("Idempotency-Key", "k")];
    let open = || {
        server.send("POST", "/api/v1/tournaments", &headers, r#"{"title":"Friday","rules":"mtr"}"#)
    };
    let (first, again) = (open(), open());
    assert_eq!((first.status, again.status), (201, 200), "{first:?} {again:?}");
    assert_eq!(first.header("location"), again.header("location"));
    let listed = server.get("/api/v1/tournaments").json();
    assert_eq!(listed["tournaments"].as_array().map(Vec::len), Some(1));
    server.stop();
    let server = Server::of(&desk);
    let other = r#"{"title":"Saturday","rules":"mtr"}"#;
    let other = server.send("POST", "/api/v1/tournaments", &headers, other);
    assert_eq!((other.status, other.code().as_str()), (422, "command-id-reused"));
}

/// The server is killed while notes come in as fast as they can: whoever was answered finds theirs, and
/// sending everything again adds only what is missing.
#[test]
fn what_was_answered_outlives_a_kill_and_is_there_once() {
    let desk = friday();
    let mut server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let (answered, ended) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let note = |name: &str| format!(r#"{{"order":"note","text":"note {name} is written"}}"#);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (server, token, answered, ended, note) =
                (&server, &token, &answered, &ended, &note);
            scope.spawn(move || {
                for number in 0.. {
                    let name = format!("{thread}-{number}");
                    let headers =
                        [("Authorization", token.as_str()), ("Idempotency-Key", name.as_str())];
                    let path = "/api/v1/tournaments/Friday/orders";
                    let request = server.request("POST", path, &headers, &note(&name));
                    match server.try_raw(&request) {
                        Ok(answer) if answer.status == 201 => {
                            answered.lock().expect("whole").push(name);
                        }
                        _ if ended.load(Ordering::Relaxed) => return,
                        // Too busy, such as: it was not done.
                        Ok(answer) => assert_eq!(answer.status, 503, "{answer:?}"),
                        Err(_) => return,
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_millis(700));
        ended.store(true, Ordering::Relaxed);
        let id = server_id(&desk);
        let killed = std::process::Command::new("kill").args(["-KILL", &id]).status();
        assert!(killed.expect("kill runs").success());
    });
    server.kill_if_there();
    let answered = answered.into_inner().expect("whole");
    assert!(answered.len() > 8, "only {} were answered", answered.len());
    let again = Server::of(&desk);
    for name in &answered {
        let sent = again.order(&token, name, &note(name));
        assert_eq!(sent.header("idempotent-replayed"), Some("true"), "{name}: {sent:?}");
    }
    again.stop();
    let log = rehearsed(&desk, &["log"]);
    for name in &answered {
        assert_eq!(log.matches(&format!("note {name} is")).count(), 1, "{name}");
    }
}

/// The server's process, as its file says.
fn server_id(desk: &Desk) -> String {
    let said = std::fs::read_to_string(desk.path("store/server.json")).expect("it runs");
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    said["process"].to_string()
}

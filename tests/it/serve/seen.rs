//! Whoever decides on what they saw is told where it has changed since, and is not disturbed by the
//! rest.

use super::client::{Answer, Server, friday, rehearsed};
use serde_json::Value;

const ORDERS: &str = "/api/v1/tournaments/Friday/orders";

fn order(server: &Server, token: &str, seen: &str, order: &str) -> Answer {
    // A key has at most 64 characters.
    let key: String = order.chars().filter(char::is_ascii_alphanumeric).take(60).collect();
    let headers = [("Authorization", token), ("Idempotency-Key", &key), ("If-Match", seen)];
    server.send("POST", ORDERS, &headers, order)
}

#[track_caller]
fn assert_moved(answer: &Answer) {
    assert_eq!((answer.status, answer.code().as_str()), (412, "moved"), "{answer:?}");
    let json = answer.json();
    assert!(json["since"].as_str().is_some_and(|path| path.contains("/log?after=")), "{json}");
    assert!(json["head"].is_string(), "{json}");
}

#[test]
fn a_result_elsewhere_disturbs_no_repair_and_another_repair_does() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("owner");
    let seen = server.tag();
    rehearsed(&desk, &["note", "the hall closes at six"]);
    rehearsed(&desk, &["result", "1", "2-0"]);
    let withdraw = r#"{"order":"withdraw","seq":12,"reason":"slip of another table"}"#;
    let after_result = server.tag();
    let repair = r#"{"order":"repair","tables":[2],"reason":"a seat is broken"}"#;
    // Table 2 alone can be paired no other way, and that is what is said: not that something moved.
    assert_ne!(order(&server, &token, &seen, repair).status, 412);
    let bye = r#"{"order":"set-pairing","players":["Cid"],"reason":"ill"}"#;
    let left = rehearsed(&desk, &["drop", "Dee"]);
    assert_moved(&order(&server, &token, &seen, bye));
    assert!(left.contains("Dee"));
    // The result at table 1 is as it was, whatever was done at table 2.
    rehearsed(&desk, &["penalty", "Cid", "warning", "--reason", "late"]);
    let taken = order(&server, &token, &after_result, withdraw);
    assert_eq!(taken.status, 201, "{taken:?}");
    let again = r#"{"order":"withdraw","seq":12,"reason":"again"}"#;
    assert_moved(&order(&server, &token, &after_result, again));
}

#[test]
fn a_draft_that_was_paired_anew_is_not_published_by_who_saw_the_old_one() {
    let desk = friday();
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let unsaid = server.order(&token, "unsaid", r#"{"order":"publish"}"#);
    assert_eq!((unsaid.status, unsaid.code().as_str()), (428, "if-match-needed"));
    let seen = server.tag();
    // It is caught on the page, which says where to look.
    let page = server.local("GET", "/t/Friday/round", "").body;
    let field = format!("name=\"seen\" value={seen}");
    assert!(page.contains(&field), "{field} is missing in {page}");
    rehearsed(&desk, &["correct", "1", "0-2", "--round", "1", "--reason", "backwards"]);
    let form = format!("order=publish&key=form&seen={}", seen.trim_matches('"'));
    let kind = ("Content-Type", "application/x-www-form-urlencoded");
    let posted = server.send("POST", "/t/Friday/orders", &[("Authorization", &token), kind], &form);
    let to = posted.header("location").expect("it leads back").to_string();
    assert!(to.contains("refused=moved"), "{to}");
    let headers = [("Authorization", token.as_str())];
    let told = server.send("GET", &to, &headers, "").body;
    assert!(told.contains("What happened since") && told.contains("corrected"), "{told}");
    let publish = r#"{"order":"publish"}"#;
    assert_moved(&order(&server, &token, &seen, publish));
    // A note says nothing about a draft.
    let seen = server.tag();
    rehearsed(&desk, &["note", "the hall closes at six"]);
    assert_eq!(order(&server, &token, &seen, publish).status, 201);
}

#[test]
fn a_phase_is_ended_and_a_tournament_closed_on_what_stands() {
    let desk = friday();
    let server = Server::of(&desk);
    let (owner, seen) = (server.token("owner"), server.tag());
    rehearsed(&desk, &["result", "1", "2-0"]);
    rehearsed(&desk, &["result", "2", "2-0"]);
    for verb in ["cut", "close"] {
        assert_moved(&order(&server, &owner, &seen, &format!(r#"{{"order":"{verb}"}}"#)));
    }
    // Pairing makes a draft: nobody has to say what they saw, and whoever does is held to it.
    let pair = r#"{"order":"pair"}"#;
    assert_moved(&order(&server, &owner, &seen, r#"{"order":"pair","further":true}"#));
    assert_eq!(server.order(&owner, "pair", pair).status, 201);
    // A tag of another log.
    let other = order(&server, &owner, "\"3-00000000\"", r#"{"order":"publish"}"#);
    assert_moved(&other);
}

/// Orders in a list, with what was seen before the first of them.
fn list(server: &Server, token: &str, key: &str, seen: &str, orders: &str) -> Vec<Value> {
    let headers = [("Authorization", token), ("Idempotency-Key", key), ("If-Match", seen)];
    let answer = server.send("POST", ORDERS, &headers, orders);
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn statuses(lines: &[Value]) -> Vec<u64> {
    lines.iter().map(|line| line["status"].as_u64().expect("a status")).collect()
}

#[test]
fn a_list_that_saw_something_else_is_carried_out_up_to_there_and_no_further() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let old = server.tag();
    rehearsed(&desk, &["note", "the hall closes at six"]);
    let slips = r#"[{"order":"result","slip":"1 2-0"},{"order":"result","slip":"2 2-0"}]"#;
    let before = server.tag();
    let lines = list(&server, &token, "old", &old, slips);
    assert_eq!(statuses(&lines), [412], "the rest is held to what was seen too: {lines:?}");
    assert_eq!((server.tag(), lines[0]["code"].as_str()), (before.clone(), Some("moved")));
    // Each order of a list is held to what stands behind the one before, also those that need it.
    let all = r#"[{"order":"result","slip":"1 2-0"},{"order":"result","slip":"7 2-0"},
        {"order":"result","slip":"2 2-0"},{"order":"pair"},{"order":"publish"}]"#;
    let lines = list(&server, &token, "all", &before, all);
    assert_eq!(statuses(&lines), [201, 404, 201, 201, 201], "{lines:?}");
}

#[test]
fn what_is_sent_again_has_seen_no_more_than_it_had_the_first_time() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let seen = server.tag();
    let result = r#"{"order":"result","slip":"1 2-0"}"#;
    let first = order(&server, &token, &seen, result);
    let lines = list(
        &server,
        &token,
        "list",
        first.header("etag").expect("an ETag"),
        &format!("[{}]", r#"{"order":"note","text":"table 1 is done"}"#),
    );
    assert_eq!(statuses(&lines), [201]);
    rehearsed(&desk, &["note", "the hall closes at six"]);
    // Its answer is the one that was lost, and so is its tag.
    let again = order(&server, &token, &seen, result);
    assert_eq!((again.status, again.header("etag")), (200, first.header("etag")), "{again:?}");
    let longer = r#"[{"order":"note","text":"table 1 is done"},{"order":"result","slip":"2 2-0"}]"#;
    let lines = list(&server, &token, "list", &seen, longer);
    assert_eq!(statuses(&lines), [200, 412], "{lines:?}");
}

//! Streams, and pages that are kept.

use super::client::{Server, friday, rehearsed};
use crate::cli::desk::Desk;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A stream that goes on after an event.
pub fn watch(server: &Server, path: &str, after: &str) -> TcpStream {
    watch_with(server, path, ("Last-Event-ID", after))
}

pub fn watch_with(server: &Server, path: &str, header: (&str, &str)) -> TcpStream {
    let mut socket = TcpStream::connect(server.address).expect("connected");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
    let request = server.request("GET", path, &[header], "");
    socket.write_all(&request).expect("sent");
    socket
}

/// What it says up to a word and the end of its frame.
pub fn read_until(socket: &mut TcpStream, word: &str) -> String {
    let (mut text, mut bytes) = (String::new(), [0; 4_096]);
    while !text.split_once(word).is_some_and(|(_, rest)| rest.contains("\n\n")) {
        let read = socket.read(&mut bytes).expect("it says something");
        assert!(read > 0, "it ended before {word:?}: {text}");
        text.push_str(&String::from_utf8_lossy(&bytes[..read]));
    }
    text
}

/// The events of a stream, each with its number: everything but where the tournament stands.
pub fn events(text: &str) -> Vec<(u64, String)> {
    let frames = text.split("\n\n").filter(|frame| frame.contains("id: "));
    let frame = |frame: &str| {
        let from = frame.find("id: ").map_or("", |at| &frame[at + 4..]);
        let (id, rest) = from.split_once('\n').unwrap_or((from, ""));
        (id.trim().parse().unwrap_or(0), rest.to_string())
    };
    frames.map(frame).filter(|(_, rest)| !rest.starts_with("event: head")).collect()
}

/// A tournament with everything that is told to everybody.
fn closed() -> Desk {
    let desk = friday();
    for words in [
        &["result", "1", "2-0"][..],
        &["result", "2", "2-1"],
        &["correct", "2", "1-2", "--reason", "misread"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "2-1"],
        &["close"],
    ] {
        rehearsed(&desk, words);
    }
    desk
}

#[test]
fn a_stream_goes_on_from_every_event_also_after_a_restart() {
    let desk = closed();
    let server = Server::of(&desk);
    let stands = server.get("/api/v1/tournaments/Friday").json();
    let head = stands["seq"].as_u64().expect("a number");
    let from = |server: &Server, after: u64| {
        let mut socket = watch(server, "/t/Friday/live", &after.to_string());
        events(&read_until(&mut socket, "event: head"))
    };
    let all = from(&server, 0);
    for name in ["published", "result", "corrected", "standings", "closed"] {
        assert!(
            all.iter().any(|(_, rest)| rest.starts_with(&format!("event: {name}\n"))),
            "{all:?}"
        );
    }
    let rest = |after: u64| all.iter().filter(|(id, _)| *id > after).cloned().collect::<Vec<_>>();
    for after in 0..=head {
        assert_eq!(from(&server, after), rest(after), "after {after}");
    }
    server.stop();
    let again = Server::of(&desk);
    for after in (0..=head).rev() {
        assert_eq!(from(&again, after), rest(after), "after {after}, restarted");
    }
    // A number that no event has: the page is to be loaded again.
    read_until(&mut watch(&again, "/t/Friday/live", &(head + 1).to_string()), "event: behind");
    let wrong = again.send("GET", "/t/Friday/live", &[("Last-Event-ID", "x")], "");
    assert_eq!((wrong.status, wrong.code().as_str()), (400, "bad-request"));
    assert_eq!(again.get("/t/Monday/live").status, 404);
}

/// What was recorded while the store was lent is told when it is back.
#[test]
fn a_stream_goes_on_while_the_store_is_lent() {
    let desk = friday();
    let server = Server::of(&desk);
    let mut socket = watch(&server, "/api/v1/tournaments/Friday/live?after=1", "");
    assert!(read_until(&mut socket, "event: head").contains("event: published"));
    rehearsed(&desk, &["backup", "saved"]);
    rehearsed(&desk, &["result", "1", "2-0"]);
    assert!(read_until(&mut socket, "event: head").contains("event: result"));
}

/// They kept its tables until it was out again, and a judge's tap there put it out.
#[test]
fn judges_and_everybody_are_told_at_once_that_a_round_was_taken_back() {
    let desk = friday();
    let server = Server::of(&desk);
    let judge = server.token("judge");
    let watched = [("Authorization", &judge[..]), ("Last-Event-ID", "")];
    let mut streams = watched.map(|header| watch_with(&server, "/t/Friday/live", header));
    for stream in &mut streams {
        read_until(stream, "event: head");
    }
    rehearsed(&desk, &["undo"]);
    for stream in &mut streams {
        let told = read_until(stream, "event: unpublished");
        assert!(told.contains("event: unpublished\ndata: {\"round\":1}\n\n"), "{told}");
        let frame = told.split("\n\n").find(|frame| frame.contains("unpublished"));
        assert!(!frame.expect("told").contains("id: "), "its event is not public: {told}");
        assert!(!told.contains("event: draft"), "{told}");
    }
}

#[test]
fn who_may_see_drafts_no_longer_is_told_of_none_from_then_on() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let mut socket = watch_with(&server, "/t/Friday/live", ("Authorization", &token));
    read_until(&mut socket, "event: floor");
    let id = server.local("GET", "/api/v1/tokens", "").json()["tokens"][0]["id"].clone();
    let path = format!("/api/v1/tokens/{}", id.as_str().expect("an id"));
    assert_eq!(server.local("DELETE", &path, "").status, 204);
    rehearsed(&desk, &["result", "1", "2-0"]);
    let told = read_until(&mut socket, "event: bye");
    assert!(!told.contains("event: result"), "{told}");
}

#[test]
fn a_page_that_everybody_sees_is_kept_until_something_changes() {
    let desk = friday();
    let server = Server::of(&desk);
    let page = "/t/Friday/standings";
    let first = server.get(page);
    let tag = first.header("etag").expect("a tag").to_string();
    let caching = first.header("cache-control").expect("said").to_string();
    assert!(caching.starts_with("public, max-age=2"), "{caching}");
    let unchanged = server.send("GET", page, &[("If-None-Match", &tag)], "");
    assert_eq!((unchanged.status, unchanged.body.as_str()), (304, ""));
    for name in ["content-security-policy", "x-content-type-options", "etag", "cache-control"] {
        assert_eq!(first.header(name), unchanged.header(name), "{name}");
    }
    // A name that is none of this server's gets nothing, kept or not.
    assert_eq!(server.send("GET", page, &[("Host", "evil.example")], "").status, 403);
    // What staff see is theirs, and is never kept.
    let token = server.token("scorekeeper");
    let own = server.send("GET", page, &[("Authorization", &token)], "");
    assert_eq!((own.status, own.header("etag")), (200, None));
    assert_eq!(own.header("cache-control"), Some("private, no-cache"));
    assert_ne!(own.body, first.body);
    assert_eq!(server.get(page).body, first.body);
    rehearsed(&desk, &["result", "1", "2-0"]);
    let changed = server.send("GET", page, &[("If-None-Match", &tag)], "");
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
    // Where the store was lent, nothing that was kept holds.
    let tag = changed.header("etag").expect("a tag").to_string();
    rehearsed(&desk, &["backup", "saved"]);
    rehearsed(&desk, &["result", "2", "2-0"]);
    assert_eq!(server.send("GET", page, &[("If-None-Match", &tag)], "").status, 200);
}

/// A browser that is told something packed unpacks to what others are told.
#[test]
fn a_kept_page_is_packed_for_those_who_unpack_it() {
    let desk = friday();
    let server = Server::of(&desk);
    let page = "/t/Friday/standings";
    let plain = server.get(page);
    assert_eq!(plain.header("content-encoding"), None);
    let mut socket = TcpStream::connect(server.address).expect("connected");
    socket
        .write_all(&server.request("GET", page, &[("Accept-Encoding", "gzip")], ""))
        .expect("sent");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).expect("read");
    let at = answer.windows(4).position(|part| part == b"\r\n\r\n").expect("a head");
    assert!(String::from_utf8_lossy(&answer[..at]).contains("content-encoding: gzip"));
    let packed = &answer[at + 4..];
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    // The last four bytes are the length of what was packed.
    let length = u32::from_le_bytes(packed[packed.len() - 4..].try_into().expect("four"));
    assert_eq!(length as usize, plain.body.len());
}

/// The log as lines.
fn lines(server: &Server, path: &str, token: Option<&str>) -> Vec<serde_json::Value> {
    let path = format!("/api/v1/tournaments/{path}");
    let mut headers = vec![("Accept", "application/x-ndjson")];
    headers.extend(token.map(|token| ("Authorization", token)));
    let answer = server.send("GET", &path, &headers, "");
    let kind = answer.header("content-type");
    assert_eq!((answer.status, kind), (200, Some("application/x-ndjson")), "{path}: {answer:?}");
    answer.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A program that mirrored a log asked for a thousand events at a time, and for what came every few seconds.
#[test]
fn the_log_comes_line_by_line_as_its_reader_may_know_it_and_goes_on_while_it_waits() {
    let desk = friday();
    let names: String = (1..=1_100).map(|at| format!("Player {at}\n")).collect();
    desk.write("many.csv", format!("name\n{names}").as_bytes());
    rehearsed(&desk, &["new", "Big", "--rules", "mtr"]);
    rehearsed(&desk, &["enroll", "--tournament", "Big", "--csv", "many.csv"]);
    let server = Server::of(&desk);
    let (judge, keeper) = (server.token("judge"), server.token("scorekeeper"));
    assert!(lines(&server, "Big/log", Some(&keeper)).len() > 1_100, "all of it at once");
    // A draft is the scorekeepers' alone; the others have what everybody has, in either form.
    let friday = ["--tournament", "Friday"];
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"]] {
        rehearsed(&desk, &[words, &friday].concat());
    }
    let mut known = Vec::new();
    for token in [None, Some(&judge[..]), Some(&keeper[..])] {
        let headers: Vec<_> = token.map(|token| ("Authorization", token)).into_iter().collect();
        let path = "/api/v1/tournaments/Friday/log?after=3";
        let whole = server.send("GET", path, &headers, "").json();
        let told = lines(&server, "Friday/log?after=3", token);
        assert_eq!(Some(&told), whole["log"].as_array(), "{token:?}");
        known.push(told.len());
    }
    assert!(known[0] == known[1] && known[1] < known[2], "{known:?}");
    let only = lines(&server, "Friday/log?kind=result", Some(&keeper));
    assert_eq!(only.len(), 2, "{only:?}");
    let refused = [("Accept", "application/x-ndjson")];
    let refused = server.send("GET", "/api/v1/tournaments/Friday/log?kind=zebra", &refused, "");
    assert_eq!((refused.status, refused.code()), (422, "no-such-kind".into()), "{refused:?}");
    // What comes while it waits comes by it, and it ends by itself.
    let head = ("Accept", "application/x-ndjson");
    let path = "/api/v1/tournaments/Friday/log?after=3&wait=4";
    let mut socket = TcpStream::connect(server.address).expect("connected");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
    let request = server.request("GET", path, &[head, ("Authorization", &keeper)], "");
    socket.write_all(&request).expect("sent");
    let mut bytes = [0; 65_536];
    let mut text = String::new();
    while !text.contains("result") {
        let read = socket.read(&mut bytes).expect("what there is");
        text.push_str(&String::from_utf8_lossy(&bytes[..read]));
    }
    rehearsed(&desk, &[&["note", "the hall closes at six"][..], &friday].concat());
    socket.read_to_string(&mut text).expect("it ends");
    assert!(text.contains("the hall closes at six"), "{text}");
}

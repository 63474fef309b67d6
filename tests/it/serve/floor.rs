//! The floor over HTTP: kept beside the log, done once, told to those who watch.

use super::client::{Answer, Server, friday, rehearsed, whole};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

const FLOOR: &str = "/api/v1/tournaments/Friday/floor";

fn change(server: &Server, token: &str, key: &str, body: &str) -> Answer {
    let headers = [("Authorization", token), ("Idempotency-Key", key)];
    server.send("PATCH", FLOOR, &headers, body)
}

#[test]
fn what_is_done_on_the_floor_is_done_once_and_is_there_after_a_kill() {
    let desk = friday();
    let mut server = Server::of(&desk);
    let (judge, keeper) = (server.token("judge"), server.token("scorekeeper"));
    let before = whole(&desk);
    let extend = r#"{"do":"extend","table":1,"minutes":5}"#;
    for (repeated, status) in [(false, 201), (true, 200)] {
        let answer = change(&server, &judge, "x1", extend);
        assert_eq!((answer.status, &answer.json()["repeated"]), (status, &repeated.into()));
    }
    let named = r#"{"do":"extend","table":1,"minutes":5,"round":1}"#;
    assert_eq!(
        change(&server, &judge, "x1", named).json()["repeated"],
        true,
        "the same, said more"
    );
    let other = change(&server, &judge, "x1", r#"{"do":"extend","table":2,"minutes":5}"#);
    assert_eq!((other.status, other.code().as_str()), (422, "command-id-reused"));
    let start = change(&server, &keeper, "c1", r#"{"do":"start-clock","minutes":50}"#);
    assert_eq!(start.status, 201, "{start:?}");
    assert!(before == whole(&desk), "the log knows nothing of it");
    server.kill();
    let server = Server::of(&desk);
    let again = change(&server, &judge, "x1", extend);
    assert_eq!((again.status, &again.json()["repeated"]), (200, &true.into()), "{again:?}");
    let floor = server.local("GET", FLOOR, "").json();
    assert_eq!(floor["extensions"], serde_json::json!([{ "table": 1, "minutes": 5 }]), "{floor}");
    let left =
        floor["clock"]["ends"].as_i64().expect("it runs") - floor["now"].as_i64().expect("now");
    assert!((2_700_000..=3_000_000).contains(&left), "{left} ms of 50 minutes");
}

#[test]
fn a_call_is_opened_taken_and_done_and_the_public_sees_none_of_it() {
    let desk = friday();
    let server = Server::of(&desk);
    let judge = server.token("judge");
    let headers = [("Authorization", judge.as_str()), ("Idempotency-Key", "k1")];
    let body = r#"{"table":2,"what":"they report different results"}"#;
    let called = server.send("POST", &format!("{FLOOR}/calls"), &headers, body);
    assert_eq!((called.status, &called.json()["call"]), (201, &1.into()), "{called:?}");
    assert_eq!(change(&server, &judge, "k2", r#"{"do":"take","call":1}"#).status, 201);
    let floor = server.local("GET", FLOOR, "").json();
    assert_eq!(
        (&floor["calls"][0]["table"], &floor["calls"][0]["is_taken"]),
        (&2.into(), &true.into())
    );
    let public = server.get(FLOOR);
    assert_eq!(public.status, 200);
    for word in ["calls", "different", "extensions", "seats"] {
        assert!(!public.body.contains(word), "{word}: {public:?}");
    }
    assert_eq!(change(&server, &judge, "k3", r#"{"do":"finish","call":1}"#).status, 201);
    let twice = change(&server, &judge, "k4", r#"{"do":"finish","call":1}"#);
    assert_eq!((twice.status, twice.code().as_str()), (404, "no-such-call"));
}

#[test]
fn what_cannot_be_done_on_the_floor_is_refused_with_a_code() {
    let desk = friday();
    let server = Server::of(&desk);
    let (judge, keeper) = (server.token("judge"), server.token("scorekeeper"));
    let long = format!(r#"{{"do":"announce","text":"{}"}}"#, "x".repeat(501));
    for (token, body, status, code) in [
        (&judge, r#"{"do":"start-clock","minutes":50}"#, 403, "not-allowed"),
        (&judge, r#"{"do":"announce","text":"lunch"}"#, 403, "not-allowed"),
        (&judge, r#"{"do":"extend","table":9,"minutes":5}"#, 404, "no-such-table"),
        (&judge, r#"{"do":"extend","table":1,"minutes":5,"round":7}"#, 404, "no-such-round"),
        (&judge, r#"{"do":"extend","table":1,"minutes":601}"#, 422, "bad-minutes"),
        (&judge, r#"{"do":"extend","table":1,"minutes":0}"#, 422, "bad-minutes"),
        (&judge, r#"{"do":"device","seq":1,"device":"x"}"#, 400, "bad-request"),
        (&judge, r#"{"do":"extend","table":1,"minutes":5,"x":1}"#, 400, "bad-request"),
        (&judge, r#"{"do":"sit","table":1,"note":true}"#, 400, "bad-request"),
        (&keeper, r#"{"do":"feature","table":1,"on":true,"note":true}"#, 400, "bad-request"),
        (&keeper, r#"{"do":"pause-clock"}"#, 409, "no-clock"),
        (&keeper, r#"{"do":"end-announcement","announcement":1}"#, 404, "no-such-announcement"),
        (&keeper, &long, 413, "text-too-long"),
        (&keeper, "{", 400, "bad-request"),
        (&judge, r#"{"do":"stand-up","table":1}"#, 400, "bad-request"),
    ] {
        let answer = change(&server, token, "k", body);
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{body}: {answer:?}");
    }
    let empty = change(&server, &keeper, "k", r#"{"do":"announce","text":" "}"#);
    assert_eq!((empty.status, empty.code().as_str()), (422, "no-reason"), "{empty:?}");
    assert!(empty.body.contains("the announcement is empty"), "{empty:?}");
    let keyless = server.send("PATCH", FLOOR, &[("Authorization", &judge)], r#"{"do":"stand-up"}"#);
    assert_eq!(keyless.code(), "bad-request");
}

/// One tap put the players of a draft's table on every phone and on the screens; one tapped score put the whole
/// round out.
#[test]
fn nothing_of_a_draft_is_published_from_the_floor_or_from_missing() {
    let desk = friday();
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-0"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let roles = ["judge", "scorekeeper", "head-judge"].map(|role| server.token(role));
    for token in &roles {
        for (key, body) in [
            ("p1", r#"{"do":"call-players","table":1}"#),
            ("p2", r#"{"do":"call-players","table":1,"round":2}"#),
            ("p3", r#"{"do":"extend","table":1,"minutes":5}"#),
            ("p4", r#"{"do":"call","table":1}"#),
        ] {
            let refused = change(&server, token, key, body);
            assert_eq!((refused.status, refused.code().as_str()), (404, "no-such-round"));
            assert!(refused.body.contains("round 2 is not published"), "{refused:?}");
        }
        let page = |path: &str| server.send("GET", path, &[("Authorization", token)], "").body;
        let (floor, missing) = (page("/t/Friday/floor?table=1"), page("/t/Friday/missing"));
        assert!(floor.contains("Round 2 is a draft") && !floor.contains("data-table=\"1\""));
        assert!(!missing.contains("call-players"), "{missing}");
        let entry = page("/t/Friday/entry");
        assert!(!entry.contains("name=\"slip\"") && entry.contains("data-awaits"), "{entry}");
        // A call to the desk is about no table.
        assert_eq!(change(&server, token, "p6", r#"{"do":"call"}"#).status, 201);
    }
    let announced = || server.get(FLOOR).json()["announcements"].as_array().map(Vec::len);
    assert_eq!(announced(), Some(0));
    rehearsed(&desk, &["publish"]);
    let call = r#"{"do":"call-players","table":1}"#;
    assert_eq!(change(&server, &roles[0], "p5", call).status, 201);
    assert_eq!(announced(), Some(1));
    // Taken back it is a draft, and nothing new of it gets out; the desk does not say that nobody has seen it.
    rehearsed(&desk, &["undo"]);
    assert_eq!(announced(), Some(0));
    let at_desk = server.send("GET", "/t/Friday/desk", &[("Authorization", &roles[1])], "").body;
    assert!(at_desk.contains("who saw it has seen it"), "{at_desk}");
    assert!(!at_desk.to_lowercase().contains("nobody sees it"), "{at_desk}");
}

#[test]
fn one_tick_puts_an_extension_into_the_log_once() {
    let desk = friday();
    let server = Server::of(&desk);
    let judge = server.token("judge");
    let body = r#"{"do":"extend","table":2,"minutes":3,"note":true}"#;
    assert_eq!(change(&server, &judge, "n1", body).status, 201);
    assert_eq!(change(&server, &judge, "n1", body).status, 200);
    let log = rehearsed(&desk, &["log"]);
    assert_eq!(log.matches("table 2: 3 min more").count(), 1, "{log}");
}

/// A stream begins with how the floor stands, and has it again with each change.
#[test]
fn streams_are_told_how_the_floor_stands() {
    let desk = friday();
    let server = Server::of(&desk);
    let keeper = server.token("scorekeeper");
    let mut socket = TcpStream::connect(server.address).expect("connected");
    socket.set_read_timeout(Some(std::time::Duration::from_secs(30))).expect("set");
    let request = server.request("GET", "/api/v1/tournaments/Friday/live", &[], "");
    let request = String::from_utf8_lossy(&request).replace("Connection: close\r\n", "");
    socket.write_all(request.as_bytes()).expect("sent");
    let mut lines = BufReader::new(socket).lines().map_while(Result::ok);
    let mut floor = || {
        lines.by_ref().find(|line| line.contains("event: floor")).expect("a frame");
        let data = lines.next().expect("its data");
        assert!(!data.starts_with("id:"), "a state is no event: {data}");
        data
    };
    assert!(floor().contains("\"version\":0"));
    change(&server, &keeper, "a1", r#"{"do":"announce","text":"Round 2 at 15:10"}"#);
    let told = floor();
    assert!(told.contains("\"version\":1") && told.contains("Round 2 at 15:10"), "{told}");
}

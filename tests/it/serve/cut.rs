//! Orders, slips of the entry page, extra minutes and openings, cut off in the middle of what is sent or
//! answered, then sent again under their key: each is done once. And an end by the system under load loses
//! nothing.

use super::client::{Server, friday, rehearsed};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Orders that may be given any number of times, each recorded as one event.
const ORDERS: [&str; 2] = [
    r#"{"order":"note","text":"cut NAME off"}"#,
    r#"{"order":"rename","player":"1","name":"Ann NAME"}"#,
];

fn head(server: &Server) -> u64 {
    server.get("/api/v1/tournaments/Friday").json()["seq"].as_u64().expect("a number")
}

/// What is sent, under the key of its name.
fn request(server: &Server, token: &str, order: &str, name: &str) -> Vec<u8> {
    let headers = [("Authorization", token), ("Idempotency-Key", name)];
    let order = order.replace("NAME", name);
    server.request("POST", "/api/v1/tournaments/Friday/orders", &headers, &order)
}

/// Sends it twice more: it is done, once, with the same numbers. Returns them.
fn is_done_once(server: &Server, request: &[u8], name: &str) -> u64 {
    let (second, third) = (server.raw(request), server.raw(request));
    assert!(matches!(second.status, 200 | 201), "{name}: {second:?}");
    assert_eq!((third.status, third.header("idempotent-replayed")), (200, Some("true")), "{name}");
    let seq = |answer: &super::client::Answer| answer.json()["first_seq"].as_u64();
    assert!(seq(&second).is_some() && seq(&second) == seq(&third), "{name}: {second:?} {third:?}");
    seq(&second).expect("a number")
}

/// Cuts a request off at every so many of its bytes and of its answer's, each time another one under the
/// key of its name, and has it sent again by `done_once`. Says how many there were.
fn cut_off(
    server: &Server,
    (called, step): (&str, usize),
    request: impl Fn(&str) -> Vec<u8>,
    mut done_once: impl FnMut(&[u8], &str),
) -> usize {
    let length = request(&format!("{called}r000")).len();
    let mut cuts = [0, 0];
    // Its last byte is missing first.
    for at in (0..length).rev().step_by(step) {
        let name = format!("{called}r{at:03}");
        let request = request(&name);
        let mut socket = TcpStream::connect(server.address).expect("it listens");
        socket.write_all(&request[..at]).expect("sent");
        socket.shutdown(Shutdown::Both).expect("cut");
        done_once(&request, &name);
        cuts[0] += 1;
    }
    // Until one is heard to its end: what a repeat is answered is longer or shorter.
    let (mut at, mut is_whole) = (0, false);
    while !is_whole {
        let name = format!("{called}a{at:03}");
        let request = request(&name);
        let mut socket = TcpStream::connect(server.address).expect("it listens");
        socket.write_all(&request).expect("sent");
        let mut heard = Vec::new();
        socket.take(at as u64).read_to_end(&mut heard).expect("so many bytes");
        is_whole = heard.len() < at;
        done_once(&request, &name);
        at += step;
        cuts[1] += 1;
    }
    println!("{called}: cut off at {} bytes of requests and {} of answers", cuts[0], cuts[1]);
    cuts[0] + cuts[1]
}

#[test]
fn a_request_cut_off_at_each_byte_of_it_and_of_its_answer_is_done_once() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let (before, mut done, mut seqs) = (head(&server), 0, Vec::new());
    for (called, order) in ["note", "rename"].into_iter().zip(ORDERS) {
        let request = |name: &str| request(&server, &token, order, name);
        done += cut_off(&server, (called, 1), request, |request, name| {
            seqs.push(is_done_once(&server, request, name));
        });
    }
    seqs.sort_unstable();
    seqs.dedup();
    assert_eq!(seqs.len(), done, "each is an event of its own");
    // A staff member's first order names them, which is an event too.
    let recorded = head(&server) - before;
    assert!(recorded as usize - done <= 1, "{recorded} events, {done} orders");
}

/// As the script of the entry page posts it: each result is taken back, so that the next one is new.
#[test]
fn a_slip_of_the_entry_page_that_is_cut_off_is_recorded_once() {
    let desk = friday();
    let server = Server::of(&desk);
    let own = format!("http://{}", server.address);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let joined = server.send("POST", &server.owner, &[("Origin", &own), form], "name=Olga");
    let cookie = joined.header("set-cookie").and_then(|all| all.split(';').next());
    let cookie = cookie.expect("a session");
    let json = ("Accept", "application/json");
    let headers = [("Cookie", cookie), ("Origin", own.as_str()), form, json];
    let before = head(&server);
    let slip = |name: &str| {
        let fields = format!("order=result&slip=1+2-0&round=1&key={name}");
        server.request("POST", "/t/Friday/orders", &headers, &fields)
    };
    let mut taken_back = 0;
    let done = cut_off(&server, ("slip", 3), slip, |request, name| {
        let seq = is_done_once(&server, request, name);
        let undo = format!(r#"{{"order":"undo","seq":{seq}}}"#);
        let orders = "/api/v1/tournaments/Friday/orders";
        let undone = server.local_under(&format!("undo {name}"), "POST", orders, &undo);
        assert_eq!(undone.status, 201, "{name}: {undone:?}");
        let events = ["first_seq", "last_seq"].map(|end| undone.json()[end].as_u64());
        taken_back += events[1].expect("a number") + 1 - events[0].expect("a number");
    });
    // Olga's first one names her, which is an event too.
    let recorded = (head(&server) - before - taken_back) as usize;
    assert!(recorded - done <= 1, "{recorded} events, {done} slips");
    let tables = server.get("/api/v1/tournaments/Friday/rounds/1").json();
    assert!(tables["tables"][0]["result"].is_null(), "{tables}");
}

/// The floor is no part of the log: a table would have its minutes twice.
#[test]
fn extra_minutes_that_are_cut_off_are_given_once() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("judge");
    let extend = |name: &str| {
        let headers = [("Authorization", token.as_str()), ("Idempotency-Key", name)];
        let minute = r#"{"do":"extend","table":1,"minutes":1}"#;
        server.request("PATCH", "/api/v1/tournaments/Friday/floor", &headers, minute)
    };
    let mut numbers = Vec::new();
    let done = cut_off(&server, ("extend", 3), extend, |request, name| {
        let (second, third) = (server.raw(request), server.raw(request));
        assert!(matches!(second.status, 200 | 201), "{name}: {second:?}");
        let (second, third) = (second.json(), third.json());
        assert_eq!(third["repeated"], true, "{name}: {third}");
        assert_eq!(second["number"], third["number"], "{name}: {second} {third}");
        numbers.push(second["number"].as_u64().expect("a number"));
    });
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), done, "each is one of its own");
    let floor = server.local("GET", "/api/v1/tournaments/Friday/floor", "").json();
    assert_eq!(floor["extensions"], serde_json::json!([{ "table": 1, "minutes": done }]));
}

#[test]
fn a_tournament_whose_opening_is_cut_off_is_opened_once() {
    let desk = friday();
    let server = Server::of(&desk);
    let listed = || {
        let listed = server.local("GET", "/api/v1/tournaments", "").json();
        listed["tournaments"].as_array().expect("a list").len()
    };
    let before = listed();
    let key = format!("Bearer {}", server.key);
    let open = |name: &str| {
        let headers = [("Authorization", key.as_str()), ("Idempotency-Key", name)];
        let new = format!(r#"{{"title":"Cut {name}","rules":"mtr"}}"#);
        server.request("POST", "/api/v1/tournaments", &headers, &new)
    };
    let done = cut_off(&server, ("open", 7), open, |request, name| {
        let (second, third) = (server.raw(request), server.raw(request));
        assert!(matches!(second.status, 200 | 201), "{name}: {second:?}");
        let replayed = (third.status, third.header("idempotent-replayed"));
        assert_eq!(replayed, (200, Some("true")), "{name}");
        assert!(second.header("location").is_some_and(|at| third.header("location") == Some(at)));
    });
    assert_eq!(listed() - before, done, "each is there once");
}

/// The system ends the server while orders come in: what was answered is there once, nothing that was
/// refused is, the streams are told, and it takes no longer than ten seconds.
#[test]
fn an_end_by_the_system_under_load_finishes_what_was_begun_and_loses_nothing() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let answered = Mutex::new(Vec::new());
    let mut stream = TcpStream::connect(server.address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("set");
    let ask = format!("GET /t/Friday/live HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(ask.as_bytes()).expect("sent");
    let took = std::thread::scope(|scope| {
        for thread in 0..4 {
            let (server, token, answered) = (&server, &token, &answered);
            scope.spawn(move || {
                for number in 0.. {
                    let name = format!("{thread}-{number}");
                    match server.try_raw(&request(server, token, ORDERS[0], &name)) {
                        Ok(answer) if answer.status == 201 => {
                            answered.lock().expect("whole").push(name);
                        }
                        Ok(answer) => assert_eq!(answer.status, 503, "{answer:?}"),
                        Err(_) => return,
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_millis(500));
        let since = Instant::now();
        let id = server.process().to_string();
        let sent = std::process::Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.expect("kill runs").success());
        let mut told = String::new();
        let _ = stream.read_to_string(&mut told);
        assert!(told.contains("event: bye"), "{told}");
        since
    });
    server.ended();
    let took = took.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    let answered = answered.into_inner().expect("whole");
    assert!(answered.len() > 8, "only {} were answered", answered.len());
    println!("{} orders were answered; it ended within {took:?}", answered.len());
    assert!(!desk.path("store/server.json").exists());
    let log = rehearsed(&desk, &["log"]);
    for name in &answered {
        assert_eq!(log.matches(&format!("cut {name} off")).count(), 1, "{name}");
    }
}

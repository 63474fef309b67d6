//! Each request of a session, cut off at each of its bytes and at each byte of its answer, then sent
//! again under its key: it is done once. And an end by the system under load loses nothing.

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

#[test]
fn a_request_cut_off_at_each_byte_of_it_and_of_its_answer_is_done_once() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("scorekeeper");
    let (before, mut cuts, mut seqs) = (head(&server), [0, 0], Vec::new());
    for (number, order) in ORDERS.iter().enumerate() {
        let length = request(&server, &token, order, &format!("{number}r000")).len();
        for at in 0..length {
            let name = format!("{number}r{at:03}");
            let request = request(&server, &token, order, &name);
            let mut socket = TcpStream::connect(server.address).expect("it listens");
            socket.write_all(&request[..at]).expect("sent");
            socket.shutdown(Shutdown::Both).expect("cut");
            seqs.push(is_done_once(&server, &request, &name));
            cuts[0] += 1;
        }
        let mut length = 1;
        let mut at = 0;
        while at < length {
            let name = format!("{number}a{at:03}");
            let request = request(&server, &token, order, &name);
            let mut socket = TcpStream::connect(server.address).expect("it listens");
            socket.write_all(&request).expect("sent");
            let mut part = vec![0; at];
            socket.read_exact(&mut part).expect("so many bytes");
            drop(socket);
            if at == 0 {
                // How long an answer is, one that was heard to its end says.
                let mut socket = TcpStream::connect(server.address).expect("it listens");
                socket.write_all(&request).expect("sent");
                let mut whole = Vec::new();
                socket.read_to_end(&mut whole).expect("read");
                length = whole.len().saturating_sub(40);
            }
            seqs.push(is_done_once(&server, &request, &name));
            at += 1;
            cuts[1] += 1;
        }
    }
    seqs.sort_unstable();
    seqs.dedup();
    let done = cuts[0] + cuts[1];
    println!("cut off at {} bytes of requests and {} of answers", cuts[0], cuts[1]);
    assert_eq!(seqs.len(), done, "each is an event of its own");
    // A staff member's first order names them, which is an event too.
    let recorded = head(&server) - before;
    assert!(recorded as usize - done <= 1, "{recorded} events, {done} orders");
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

//! Every route is sent what nobody should send: each is told a clear problem, nothing is recorded, and
//! the server goes on.

use super::client::{Answer, Server, friday, rehearsed};
use crate::cli::desk::Desk;
use scrutineer_server::connection::READ_ON;
use scrutineer_server::gate::{Need, Role};
use scrutineer_server::routes::{Route, table};
use scrutineer_server::uploads::MOST_BYTES;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A path with something in its places.
fn filled(path: &str, id: &str, other: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        "{id}" => id,
        part if part.starts_with('{') => other,
        part => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Everything that could have changed: where each tournament stands, and who may do what.
fn everything(desk: &Desk, server: &Server) -> (Vec<String>, Vec<u8>) {
    let stands = |name: &str| server.get(&format!("/api/v1/tournaments/{name}")).body;
    let listed = server.get("/api/v1/tournaments").body;
    let house = std::fs::read(desk.path("store/house.redb")).expect("the house");
    (vec![stands("Friday"), stands("Monday"), listed], house)
}

/// A store of two tournaments.
fn two() -> Desk {
    let desk = friday();
    rehearsed(&desk, &["new", "Monday", "--rules", "mtr"]);
    desk
}

/// That an answer is a refusal in words that people and programs understand.
fn assert_refused(what: &str, route: &Route, answer: &Answer) {
    let told = format!("{} {}, {what}: {answer:?}", route.method, route.path);
    // A form goes back to its page with what is to be said there.
    let is_said = answer.status == 303
        && answer
            .header("location")
            .is_some_and(|to| to.contains("refused=") || to.contains("why="));
    assert!(is_said || (400..500).contains(&answer.status), "{told}");
    if answer.header("content-type") == Some("application/problem+json") {
        let problem = answer.json();
        assert!(problem["code"].is_string() && problem["detail"].is_string(), "{told}");
    } else if !is_said && answer.status != 431 && answer.status != 400 {
        assert!(answer.body.contains("<code>"), "{told}");
    }
}

#[test]
fn no_route_takes_what_is_forged_malformed_or_too_large() {
    let desk = two();
    let server = Server::of(&desk);
    let made = r#"{"role":"judge","tournament":"Monday"}"#;
    let made = server.local("POST", "/api/v1/tokens", made).json();
    let elsewhere = format!("Bearer {}", made["token"].as_str().expect("a token"));
    let (judge, owner) = (server.token("judge"), server.token("owner"));
    let before = everything(&desk, &server);
    let deep = "[".repeat(200_000);
    let junk = "%00%ff%fe%zz";
    let long = "x".repeat(7_000);
    for route in table() {
        let path = filled(route.path, "Friday", "1");
        let is_post = route.method == "POST";
        // What is asked for without a word, or checked whatever it is: nothing sent there is wrong.
        let takes_all = ["/local/lend", "/local/house", "/sign-out", "/api/v1/rulesets/check"]
            .contains(&route.path)
            || route.path.ends_with("/checkpoint");
        let send =
            |headers: &[(&str, &str)], body: &str| server.send(route.method, &path, headers, body);
        let told = |what: &str, headers: &[(&str, &str)], body: &str| {
            assert_refused(what, &route, &send(headers, body));
        };
        let own = [("Authorization", owner.as_str()), ("Idempotency-Key", "h")];
        told("another host", &[("Host", "evil.example"), own[0]], "{}");
        told("no host's name", &[("Host", "\u{1}"), own[0]], "{}");
        if is_post {
            told("another site", &[own[0], own[1], ("Origin", "http://evil.example")], "{}");
            told("a browser elsewhere", &[own[0], own[1], ("Sec-Fetch-Site", "cross-site")], "{}");
            told("a cookie alone", &[("Cookie", "scrutineer=0")], "{}");
            for (what, body) in [
                ("nothing", ""),
                ("no JSON", "{"),
                ("depth", deep.as_str()),
                ("a NUL", "\0"),
                ("another thing", r#"{"order":{"order":[]},"role":7,"title":[],"orders":1}"#),
                ("an array", "[[[],{}]]"),
            ] {
                let key = format!("Bearer {}", server.key);
                let secrets = [&owner, &key].into_iter().filter(|_| !takes_all);
                for secret in secrets {
                    let answer = send(&[("Authorization", secret.as_str()), own[1]], body);
                    // An array has a refusal for each of its orders.
                    let is_lines = answer.body.lines().all(|line| line.contains(r#""code":"#));
                    if !(answer.status == 200 && is_lines) {
                        assert_refused(what, &route, &answer);
                    }
                }
            }
        }
        if !route.need.admits(Role::Public) {
            told("nobody", &[own[1]], "{}");
            told("a made-up token", &[("Authorization", "Bearer scr_0"), own[1]], "{}");
            told("a token's bytes", &[("Authorization", "Bearer \u{fe}"), own[1]], "{}");
            // What is of no tournament is told to any of the staff.
            let is_any_staffs = route.need == Need::Staff && !route.path.contains("{id}");
            if !is_any_staffs && !matches!(route.path, "/api/v1/tournaments" | "/new") {
                told("another tournament's", &[("Authorization", &elsewhere), own[1]], "{}");
            }
        }
        if matches!(route.need, Need::Drafts | Need::Owner | Need::Local) {
            told("a judge", &[("Authorization", &judge), own[1]], "{}");
        }
        // Whatever stands in the places of a path or in its query is looked at and not stumbled over.
        for id in [junk, long.as_str(), "..%2f..", "%F0%9F%98%80", "'\"<"] {
            let odd = filled(route.path, id, id);
            for path in
                [odd, format!("{path}?as-of={id}&through={id}&rules={id}&after={id}&player={id}")]
            {
                let headers =
                    [own[0], own[1], ("If-None-Match", "\"\u{fe}"), ("Last-Event-ID", id)];
                let answer = server.send(route.method, &path, &headers, "\u{fe}");
                assert!(answer.status < 500, "{} {path}: {answer:?}", route.method);
            }
        }
        for (what, request) in torn(&server, &route, &path, &owner) {
            match server.try_raw(&request) {
                Ok(answer) => {
                    let is_told = !is_post || takes_all || answer.status >= 300;
                    let fine = answer.status < 500 && is_told;
                    assert!(fine, "{} {path}, {what}: {answer:?}", route.method);
                }
                // It hung up: what came was no request.
                Err(error) => {
                    let hung_up = error.kind() == std::io::ErrorKind::ConnectionReset;
                    assert!(hung_up || error.to_string() == "no answer", "{path}, {what}: {error}");
                }
            }
        }
    }
    assert!(before == everything(&desk, &server), "something was recorded");
    server.stop();
}

/// Requests that are none, or are two things at once.
fn torn(server: &Server, route: &Route, path: &str, token: &str) -> Vec<(&'static str, Vec<u8>)> {
    let begin = format!(
        "{} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: {token}\r\n",
        route.method, server.address
    );
    let with = |rest: &[u8]| [begin.as_bytes(), rest].concat();
    let large = format!("X: {}\r\n\r\n", "x".repeat(20_000));
    let mut all = vec![
        ("two gigabytes", with(b"Content-Length: 2147483648\r\n\r\n{}")),
        ("no length", with(b"Content-Length: -1\r\n\r\n{}")),
        ("two lengths", with(b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x")),
        ("no chunks", with(b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n")),
        (
            "chunks and a length",
            with(b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n5\r\n{}\r\n0\r\n\r\n"),
        ),
        ("large headers", with(large.as_bytes())),
        ("a header's NUL", with(b"X: a\0b\r\n\r\n")),
        ("bytes in headers", with(b"Cookie: scrutineer=\xff\xfe\r\nIf-Match: \xff\r\nIdempotency-Key: \xff\r\nContent-Length: 2\r\n\r\n{}")),
        ("bytes in a body", with(b"Idempotency-Key: k\r\nContent-Length: 4\r\n\r\n\xff\xfe\0{")),
    ];
    if route.method == "GET" {
        // Nothing is read of a body where none is wanted.
        all.retain(|(what, _)| *what != "two gigabytes");
    }
    all
}

/// Who sends a request letter by letter, or no end of it, is in nobody's way and is cut off.
#[test]
fn who_is_slow_on_purpose_is_cut_off_and_in_nobodys_way() {
    let desk = friday();
    let server = Server::of(&desk);
    let begun = Instant::now();
    let connect = |begin: &str| {
        let mut socket = TcpStream::connect(server.address).expect("connected");
        socket.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        socket.write_all(begin.as_bytes()).expect("sent");
        socket
    };
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n", server.address);
    let mut slow: Vec<TcpStream> = (0..100).map(|_| connect(&head)).collect();
    let silent: Vec<TcpStream> = (0..100).map(|_| connect("")).collect();
    let post = format!(
        "POST /api/v1/tournaments/Friday/orders HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Content-Length: 100\r\n\r\n{{",
        server.address, server.key
    );
    let mut body = connect(&post);
    let asked = Instant::now();
    assert_eq!(server.get("/t/Friday/standings").status, 200);
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    while begun.elapsed() < Duration::from_secs(9) {
        std::thread::sleep(Duration::from_millis(500));
        // A letter is no head.
        slow.iter_mut().for_each(|socket| _ = socket.write_all(b"X"));
    }
    let mut said = Vec::new();
    for mut socket in slow.into_iter().chain(silent) {
        // Cut off, with or without a word.
        let _ = socket.read_to_end(&mut said);
    }
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    said.clear();
    body.read_to_end(&mut said).expect("it is told");
    let took = begun.elapsed();
    assert!(took > Duration::from_secs(20) && took < Duration::from_secs(50), "{took:?}");
    assert!(String::from_utf8_lossy(&said).starts_with("HTTP/1.1 504"), "{took:?}");
    assert_eq!(server.get("/").status, 200);
}

/// Python's and Node's own programs for HTTP write all of a request before they read.
#[test]
fn who_writes_all_of_a_long_body_before_they_read_hears_that_it_is_too_large() {
    let desk = friday();
    let server = Server::of(&desk);
    let token = server.token("owner");
    let own = [("Authorization", token.as_str()), ("Idempotency-Key", "long")];
    let long = "x".repeat(MOST_BYTES + (6 << 20));
    for (method, path, headers, bytes) in [
        ("POST", "/api/v1/tournaments/Friday/orders", &own[..], 25 << 20),
        ("POST", "/api/v1/tournaments/Friday/what-if", &own[..], 17 << 20),
        ("PATCH", "/api/v1/tournaments/Friday/floor", &own[..], 3 << 20),
        ("POST", "/api/v1/imports?name=a.csv", &own[..], long.len()),
        ("POST", "/api/v1/tournaments/Friday/orders", &own[1..], 25 << 20),
    ] {
        let mut socket = TcpStream::connect(server.address).expect("connected");
        socket.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        let request = server.request(method, path, headers, &long[..bytes]);
        socket.write_all(&request).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut said = String::new();
        socket.read_to_string(&mut said).unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_told = said.starts_with("HTTP/1.1 413") && said.contains(r#""code":"too-large""#);
        assert!(is_told, "{method} {path}: {said}");
    }
    server.stop();
}

/// A refused body without end is read up to a bound; one that waits to be asked for is not read.
#[test]
fn a_refused_body_that_has_no_end_or_never_comes_holds_no_connection() {
    let desk = friday();
    let server = Server::of(&desk);
    let begun = Instant::now();
    let connect = |more: &str| {
        let mut socket = TcpStream::connect(server.address).expect("connected");
        socket.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        socket.set_write_timeout(Some(Duration::from_secs(60))).expect("set");
        let path = "/api/v1/tournaments/Friday/orders";
        let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\n{more}\r\n", server.address);
        socket.write_all(head.as_bytes()).expect("sent");
        socket
    };
    let mut said = String::new();
    let mut asks = connect("Expect: 100-continue\r\nContent-Length: 20000000\r\n");
    asks.read_to_string(&mut said).expect("it is told");
    assert!(said.starts_with("HTTP/1.1 413"), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let mut endless = connect("Transfer-Encoding: chunked\r\n");
    let chunk = format!("100000\r\n{}\r\n", "x".repeat(1 << 20));
    let most = 2 * (READ_ON >> 20);
    let sent = (0..most).take_while(|_| endless.write_all(chunk.as_bytes()).is_ok()).count();
    assert!(sent < most, "{sent} MiB");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert_eq!(server.get("/").status, 200);
}

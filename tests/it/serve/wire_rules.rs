//! What browsers of other sites may read, and how fast a program may ask.

use super::client::{Answer, Server, answered, friday};
use super::https::own;
use super::live::{read_until, watch_with};
use scrutineer_server::house::{REQUESTS_A_SECOND, REQUESTS_AT_ONCE};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

const ORIGIN: (&str, &str) = ("Origin", "https://stream.example");

/// What a page of another site is sent.
fn elsewhere(server: &Server, path: &str, more: &[(&str, &str)]) -> Answer {
    let browser = [ORIGIN, ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "cors")];
    server.send("GET", path, &[&browser[..], more].concat(), "")
}

/// Whether its browser lets the page read it.
fn is_read(answer: &Answer) -> bool {
    let own = answer.header("cross-origin-resource-policy");
    let is_read = answer.header("access-control-allow-origin") == Some("*");
    assert_eq!(own, Some(if is_read { "cross-origin" } else { "same-origin" }), "{answer:?}");
    assert_eq!(answer.header("access-control-allow-credentials"), None, "{answer:?}");
    is_read
}

#[test]
fn pages_of_other_sites_read_what_everybody_reads_and_nothing_else() {
    let desk = friday();
    let server = Server::of(&desk);
    let (token, own) = (server.token("judge"), format!("http://{}", server.address));
    let at = "/api/v1/tournaments/Friday";
    let varies = |answer: &Answer| {
        let head = answer.head.to_lowercase();
        head.lines().any(|line| line.starts_with("vary:") && line.contains("cookie"))
    };
    for path in ["", "/rounds/1", "/standings", "/floor", "/log", "/bundle"] {
        let path = format!("{at}{path}");
        // As it is made, and as it is kept.
        for _ in 0..2 {
            let answer = elsewhere(&server, &path, &[]);
            assert!(answer.status == 200 && is_read(&answer), "{path}: {answer:?}");
            let told = answer.header("access-control-expose-headers");
            assert_eq!(told, Some("etag, link, retry-after"), "{path}");
            assert!(varies(&answer), "{path}: {answer:?}");
        }
        for shows in [("Authorization", &token[..]), ("Cookie", "scrutineer-me=0")] {
            let answer = elsewhere(&server, &path, &[shows]);
            assert!(!is_read(&answer) && varies(&answer), "{path}: {answer:?}");
        }
    }
    for path in ["/api/v1/tournaments", "/api/v1/rulesets", "/api/v1/openapi.json"] {
        let answer = elsewhere(&server, path, &[]);
        assert!(answer.status == 200 && is_read(&answer), "{path}: {answer:?}");
    }
    let tag = elsewhere(&server, at, &[]).header("etag").expect("an ETag").to_string();
    let same = elsewhere(&server, at, &[("If-None-Match", &tag)]);
    assert!(same.status == 304 && is_read(&same), "{same:?}");
    for (path, status) in [
        ("/api/v1/tournaments/Nobody", 404),
        ("/api/v1/tournaments/Friday/rounds/9", 404),
        ("/api/v1/tournaments/Friday/standings?through=x", 400),
    ] {
        let answer = elsewhere(&server, path, &[]);
        assert!(answer.status == status && is_read(&answer), "why is told too: {answer:?}");
    }
    // Pages, what is the staff's, what is another name's, and what changes something.
    let players = format!("{at}/players");
    for path in ["/", "/t/Friday", "/t/Friday/me", &players[..], "/api/v1/tokens"] {
        assert!(!is_read(&elsewhere(&server, path, &[])), "{path}");
    }
    assert!(!is_read(&elsewhere(&server, at, &[("Host", "evil.example")])));
    assert!(!is_read(&server.send("POST", &format!("{at}/orders"), &[("Origin", &own)], "{}")));
}

#[test]
fn streams_that_everybody_reads_are_read_by_pages_of_other_sites() {
    let desk = friday();
    let server = Server::of(&desk);
    for path in ["/t/Friday/live", "/api/v1/tournaments/Friday/live"] {
        let told = read_until(&mut watch_with(&server, path, ORIGIN), "event: head").to_lowercase();
        assert!(told.contains("access-control-allow-origin: *"), "{path}: {told}");
        let token = server.token("judge");
        let mut staff = watch_with(&server, path, ("Authorization", &token));
        let told = read_until(&mut staff, "event: head").to_lowercase();
        assert!(!told.contains("access-control"), "{path}: {told}");
    }
}

#[test]
fn a_browser_that_asks_before_is_allowed_to_read_and_nothing_more() {
    let desk = friday();
    let server = Server::of(&desk);
    let asks = |path: &str, method: &str, with: &str| {
        let wanted = [
            ORIGIN,
            ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", with),
        ];
        server.send("OPTIONS", path, &wanted, "")
    };
    let standings = "/api/v1/tournaments/Friday/standings";
    for path in [standings, "/api/v1/tournaments/Friday/live", "/t/Friday/live"] {
        let answer = asks(path, "GET", "if-none-match,last-event-id");
        assert_eq!(answer.status, 204, "{path}: {answer:?}");
        for (name, value) in [
            ("access-control-allow-origin", "*"),
            ("access-control-allow-methods", "GET, HEAD"),
            ("access-control-allow-headers", "if-none-match, last-event-id, accept"),
            ("access-control-max-age", "86400"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}: {answer:?}");
        }
    }
    for (path, method, with) in [
        (standings, "POST", ""),
        (standings, "GET", "authorization"),
        ("/api/v1/tournaments/Friday/orders", "POST", "content-type, idempotency-key"),
        ("/api/v1/tournaments/Friday/players", "GET", ""),
        ("/t/Friday/me/live", "GET", ""),
        ("/t/Friday", "GET", ""),
    ] {
        let answer = asks(path, method, with);
        let head = answer.head.to_lowercase();
        assert!(!head.contains("access-control-allow"), "{path} {method} {with}: {head}");
    }
}

/// From this machine itself nothing is counted, so the token comes from its address in the network.
#[test]
fn a_token_that_asks_too_fast_is_told_how_long_to_wait_and_others_are_not() {
    let Some(ip) = own() else { return };
    let desk = friday();
    let server = Server::at(&desk, "0.0.0.0:0", &[]);
    let (fast, other) = (server.token("judge"), server.token("judge"));
    let there = SocketAddr::new(ip, server.address.port());
    let host = there.to_string();
    let request = |token: &str| {
        let headers = [("Host", host.as_str()), ("Authorization", token)];
        server.request("GET", "/api/v1/tournaments/Friday", &headers, "")
    };
    let asks = |token: &str| answered(there, &request(token)).expect("it answers");
    let policy =
        format!("\"token\";q={REQUESTS_AT_ONCE};w={}", REQUESTS_AT_ONCE / REQUESTS_A_SECOND);
    let all_but_one = format!("\"token\";r={};t=1", REQUESTS_AT_ONCE - 1);
    let first = asks(&fast);
    assert_eq!(first.status, 200, "{first:?}");
    assert_eq!(first.header("ratelimit-policy"), Some(&policy[..]));
    assert_eq!(first.header("ratelimit"), Some(&all_but_one[..]));
    // One behind another on one connection, so that they come faster than the quota fills.
    let last = request(&fast);
    let next = String::from_utf8_lossy(&last).replace("Connection: close\r\n", "");
    let mut socket = TcpStream::connect(there).expect("connected");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
    let all = [next.repeat(2 * REQUESTS_AT_ONCE as usize).as_bytes(), &last[..]].concat();
    let mut reads = socket.try_clone().expect("the same line");
    let told = std::thread::scope(|both| {
        both.spawn(move || socket.write_all(&all).expect("sent"));
        let mut told = Vec::new();
        reads.read_to_end(&mut told).expect("answered");
        String::from_utf8_lossy(&told).to_lowercase()
    });
    let refused = told.split("http/1.1 ").find(|answer| answer.starts_with("429"));
    let refused = refused.unwrap_or_else(|| panic!("none was too fast: {told}"));
    assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
    assert!(refused.contains("ratelimit: \"token\";r=0;t=4\r\n"), "{refused}");
    assert!(refused.contains("wait 1 second: nothing was done"), "{refused}");
    assert!(refused.contains("\"slow-down\""), "{refused}");
    // Each token has its own, and who waits as long as it says is answered.
    assert_eq!(asks(&other).header("ratelimit"), Some(&all_but_one[..]));
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(asks(&fast).status, 200);
    let near = server.send("GET", "/api/v1/tournaments/Friday", &[("Authorization", &fast)], "");
    assert!(near.status == 200 && near.header("ratelimit").is_none(), "{near:?}");
    server.stop();
}

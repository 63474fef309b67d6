//! Pages: from memory, unchanged, and made anew; coming in.

use super::client::{Client, Server, signed_up};
use super::{Size, ms, quantile, row, stored, workload};
use scrutineer_engine::record::StreamId;
use scrutineer_projections::ruleset::Library;
use scrutineer_store::{EmbeddedLog, Options};
use std::process::Command;
use std::time::{Duration, Instant};

/// Rounds of the tournaments whose standings are made.
const ROUNDS: usize = 9;
/// How often standings are made.
const TIMES: usize = 21;

/// How many answers a second wrk gets; none: there is no wrk.
fn answers(server: &Server, path: &str, headers: &[&str], size: Size) -> Option<f64> {
    let mut command = Command::new("wrk");
    command.args(["-t1", "-c64", &format!("-d{}s", size.seconds)]);
    headers.iter().for_each(|header| _ = command.args(["-H", header]));
    let said = command.arg(format!("http://{}{path}", server.address)).output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(!said.contains("Non-2xx"), "{said}");
    let line = said.lines().find_map(|line| line.strip_prefix("Requests/sec:"))?;
    line.trim().parse().ok()
}

/// A tournament that is played already, in a server of its own.
fn played(players: usize) -> (Server, String) {
    let stream = StreamId([9; 16]);
    let rules = Library::shipped().ruleset("mtr").expect("shipped");
    let server = Server::of(|store| {
        std::fs::create_dir_all(store).expect("a folder");
        drop(scrutineer_desk::store::Store::open(store).expect("a new store"));
        let log = EmbeddedLog::open(store, Options::default()).expect("opened");
        stored::write(&log, stream, workload::commands(players, ROUNDS, &rules));
    });
    (server, format!("/t/{stream}/standings"))
}

/// Standings that somebody asks for after something changed.
fn made(players: usize, limit: f64) {
    let (server, path) = played(players);
    let mut desk = server.scorekeeper();
    let (mut times, mut bytes, mut worked) = (Vec::new(), 0, Duration::ZERO);
    for number in 0..TIMES {
        let orders = path.replace("/t/", "/api/v1/tournaments/").replace("standings", "orders");
        let key = format!("Idempotency-Key: {number}\r\n");
        let order = br#"{"order":"note","text":"something changed"}"#;
        let (status, said) = desk.send("POST", &orders, &key, order);
        assert_eq!(status, 201, "{}", String::from_utf8_lossy(&said));
        // Pages that were just made wait for their pace.
        std::thread::sleep(Duration::from_millis(400));
        let mut client = Client::to(server.address, "Accept-Encoding: gzip\r\n");
        let (begun, before) = (Instant::now(), server.time());
        let (status, body) = client.send("GET", &path, "", b"");
        times.push(begun.elapsed());
        worked += server.time() - before;
        assert_eq!(status, 200);
        bytes = body.len();
    }
    let what = format!("standings of {players} made, printed, packed ({} kB), p50", bytes / 1_000);
    row(&what, ms(quantile(&mut times, 0.5)), "ms", limit, false);
    // Of large ones two processors do a part each: that has no limit of its own.
    println!(
        "  {:<58}{:>10.1} ms",
        "  of it the server's processor time, mean",
        ms(worked) / TIMES as f64
    );
}

/// All of it.
pub fn print(size: Size) {
    println!("\npages");
    let (server, path) = played(512);
    let mut client = Client::to(server.address, "");
    let (status, plain) = client.send("GET", &path, "", b"");
    assert_eq!(status, 200);
    let mut asked = Client::to(server.address, "Connection: close\r\n");
    let (_, packed) = asked.send("GET", &path, "Accept-Encoding: gzip\r\n", b"");
    println!("  standings of 512: {} kB, {} kB packed", plain.len() / 1_000, packed.len() / 1_000);
    let gzip = "Accept-Encoding: gzip";
    let tag = tag_of(&server, &path);
    match answers(&server, &path, &[gzip], size) {
        None => println!("  skipped: there is no wrk; Debian has it as `wrk`"),
        Some(rate) => {
            row("a page of standings from memory", rate, "a second", 10_000.0, true);
            let unchanged = format!("If-None-Match: {tag}");
            let rate = answers(&server, &path, &[gzip, &unchanged], size).unwrap_or(0.0);
            row("unchanged pages (304)", rate, "a second", 40_000.0, true);
        }
    }
    drop(server);
    made(size.largest.min(512), 10.0);
    made(size.largest, 30.0);
    coming_in();
}

/// The ETag of a page.
fn tag_of(server: &Server, path: &str) -> String {
    use std::io::{Read, Write};
    let mut socket = std::net::TcpStream::connect(server.address).expect("connected");
    let host = server.address;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).expect("read");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: "));
    tag.expect("a tag").to_string()
}

/// A judge's link becomes a session.
fn coming_in() {
    let server = Server::of(|store| signed_up(store, 8));
    let made = server.local().send("POST", "/api/v1/links", "", br#"{"role":"judge"}"#);
    let made: serde_json::Value = serde_json::from_slice(&made.1).expect("JSON");
    let path = made["path"].as_str().expect("a path");
    let own = format!(
        "Origin: http://{}\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        server.address
    );
    let mut client = Client::to(server.address, &own);
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..TIMES {
        let begun = Instant::now();
        let (status, _) = client.send("POST", path, "", b"name=Olga");
        times.push(begun.elapsed());
        assert_eq!(status, 303);
    }
    row("coming in by a link, p99", ms(quantile(&mut times, 0.99)), "ms", 100.0, false);
}

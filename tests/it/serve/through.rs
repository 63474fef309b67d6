//! The sessions of commands a second time, through HTTP: each is played beside a server, which says the
//! same, and every order that it passes on is sent to a second server as a request of a program. At the
//! end both stores hold the same log, byte by byte.

use super::client::{Answer, Server};
use crate::cli::desk::Desk;
use crate::cli::script;
use crate::cli::sessions;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The word of all sessions.
const WORD: &str = "session";

/// Sessions that are not played beside a server: they work on the store's own files while nobody has
/// it open, which a server forbids; begin where there is no store, which a server makes; or start a server.
const ALONE: &[&str] = &[
    "bundle",
    "check_standings",
    "copies",
    "demo",
    "desk_refusals",
    "events",
    "follow",
    "store_copy",
    "story_slips_as_printed",
    "trust_checkpoints",
    "trust_forked_log",
    "trust_lost_key",
    "trust_receipt",
    "trust_restored_store",
    "trust_signed_damaged",
    "trust_stolen_key",
    "whole_event",
];

/// What was done of a session.
#[derive(Default)]
struct Done {
    /// How many events each tournament has, and had when the last order was sent twice.
    events: BTreeMap<String, u64>,
    /// Why the rest is not comparable.
    apart: Option<String>,
    /// How many orders were sent.
    orders: usize,
    wrong: Vec<String>,
}

struct Pair<'a> {
    /// Beside which the command works.
    first: &'a Server,
    /// To which a program sends the same.
    second: &'a Server,
    done: Mutex<Done>,
}

/// How far every tournament of a server's store is.
fn heads(server: &Server) -> BTreeMap<String, u64> {
    let listed = server.local("GET", "/api/v1/tournaments", "").json();
    let rows = listed["tournaments"].as_array().cloned().unwrap_or_default();
    let row = |row: &Value| {
        let id = row["tournament"]["id"].as_str().expect("an id").to_string();
        (id, row["events"].as_u64().expect("a number"))
    };
    rows.iter().map(row).collect()
}

impl Pair<'_> {
    /// Passes a request of the command on, and sends its orders to the second server.
    fn pass(&self, mut socket: TcpStream) {
        let Some((head, body)) = request(&mut socket) else { return };
        let path = head.split(' ').nth(1).unwrap_or_default().to_string();
        let mut sent = head.replacen("\r\n", "\r\nConnection: close\r\n", 1).into_bytes();
        sent.extend_from_slice(&body);
        if path == "/local/lend" {
            // It lasts for as long as the command listens.
            let mut to = TcpStream::connect(self.first.address).expect("connected");
            to.write_all(&sent).expect("sent");
            let mut back = to.try_clone().expect("a second end");
            let mut from = socket.try_clone().expect("a second end");
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    let _ = std::io::copy(&mut back, &mut socket);
                });
                let mut rest = [0; 1];
                // The command sends nothing more: it goes.
                let _ = from.read(&mut rest);
                let _ = to.shutdown(std::net::Shutdown::Both);
            });
            return;
        }
        let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
        let twice = path == "/local/orders" && self.is_comparable(&asked);
        let answer = self.first.raw(&sent);
        if twice {
            self.send(&asked, &answer);
        }
        let length = answer.body.len();
        let kind = answer.header("content-type").unwrap_or("application/json");
        let status = answer.status;
        let text = format!(
            "HTTP/1.1 {status} x\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{}",
            answer.body
        );
        // Who has gone needs no answer.
        let _ = socket.write_all(text.as_bytes());
    }

    fn is_comparable(&self, asked: &Value) -> bool {
        let mut done = self.done.lock().expect("whole");
        let count = asked["orders"].as_array().map_or(0, Vec::len);
        let why = if !asked["asker"]["person"].is_null() {
            Some("a person's program sends a key, which names its commands")
        } else if asked["asker"]["rehearse"] != WORD {
            Some("the session takes another word")
        } else if count > 1 {
            Some("several orders of one command share its dice")
        } else if heads(self.first) != heads(self.second) {
            Some("a verb that has the store to itself recorded before")
        } else {
            None
        };
        if let Some(why) = why {
            done.apart.get_or_insert_with(|| why.to_string());
        }
        done.apart.is_none()
    }

    fn send(&self, asked: &Value, first: &Answer) {
        let mut done = self.done.lock().expect("whole");
        let second = match &asked["new"] {
            Value::Null => {
                let orders = asked["orders"].as_array().expect("orders");
                let order = orders.first().map(Value::to_string).unwrap_or_default();
                let name = asked["tournament"].as_str().unwrap_or_default();
                let path = format!("/api/v1/tournaments/{name}");
                let tag = self.second.local("GET", &path, "");
                let tag = tag.header("etag").unwrap_or("\"0-0\"").to_string();
                let key = format!("Bearer {}", self.second.key);
                let headers = [("Authorization", key.as_str()), ("If-Match", &tag)];
                self.second.send("POST", &format!("{path}/orders"), &headers, &order)
            }
            new => self.second.local("POST", "/api/v1/tournaments", &new.to_string()),
        };
        done.orders += 1;
        let told = first.json();
        let refused = |told: &Value| match &told["answers"][0]["Err"]["code"] {
            Value::Null => told["failed"]["code"].clone(),
            code => code.clone(),
        };
        let code = match first.status {
            200 => refused(&told),
            _ => told["code"].clone(),
        };
        let json: Value = serde_json::from_str(&second.body).unwrap_or_default();
        let same = match code.as_str() {
            // The same answer: what the command prints with --json is in what a program gets.
            None => {
                let own = told["answers"][0]["Ok"]["json"].as_object().cloned().unwrap_or_default();
                // The order that lots drew stands beside the order that was given.
                let key_of = |key: &str| if key == "order" { "drawn" } else { key }.to_string();
                second.status < 300 && own.iter().all(|(key, value)| json[key_of(key)] == *value)
            }
            Some(code) => second.status >= 400 && json["code"] == *code,
        };
        if !same {
            done.wrong.push(format!("{asked}\n  {first:?}\n  {second:?}"));
        }
        done.events = heads(self.second);
    }
}

/// A request as it stands: its head with the empty line, and its body.
fn request(socket: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut bytes, mut one) = (Vec::new(), [0; 1]);
    while !bytes.ends_with(b"\r\n\r\n") {
        if socket.read(&mut one).ok()? == 0 {
            return None;
        }
        bytes.push(one[0]);
    }
    let head = String::from_utf8(bytes).ok()?;
    let length = head.lines().find_map(|line| {
        line.to_lowercase().strip_prefix("content-length: ").and_then(|n| n.parse().ok())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    socket.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// Plays a session beside a server, with everything that it orders sent to a second one.
fn played(name: &str) -> Done {
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/scripts/{name}.txt"));
    let text = std::fs::read_to_string(text).expect("a session");
    let (beside, program) = (Desk::new(), Desk::new());
    let (first, second) = (Server::rehearsing(&beside, WORD), Server::rehearsing(&program, WORD));
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    let address = listener.local_addr().expect("an address");
    let file = beside.path("store/server.json");
    let said = std::fs::read_to_string(&file).expect("it is there");
    std::fs::write(&file, said.replace(&first.address.to_string(), &address.to_string()))
        .expect("written");
    let pair = Pair { first: &first, second: &second, done: Mutex::default() };
    let (done, wrong) = std::thread::scope(|scope| {
        let (pair, listener) = (&pair, &listener);
        scope.spawn(move || {
            for socket in listener.incoming() {
                let mut socket = socket.expect("connected");
                let mut first = [0; 1];
                // The test's own word that it is over.
                if socket.peek(&mut first).is_ok_and(|read| read == 1) && first == [0] {
                    let _ = socket.read(&mut first);
                    return;
                }
                scope.spawn(move || pair.pass(socket));
            }
        });
        let (_, wrong) = script::play(&beside, &text);
        TcpStream::connect(address).expect("connected").write_all(&[0]).expect("told");
        (std::mem::take(&mut *pair.done.lock().expect("whole")), wrong)
    });
    let mut done = done;
    if !wrong.is_empty() {
        done.wrong.push(format!("beside a server it says something else: {wrong}"));
    }
    let now = heads(&first);
    first.stop();
    second.stop();
    // What went on apart from the second server is not compared.
    done.events.retain(|id, events| now.get(id) == Some(events));
    let whole = |desk: &Desk, id: &str| {
        let words = ["export", "--handover", "--force", "--tournament", id, "--output", "whole"];
        let mut command = desk.command(&words);
        command.env("SCRUTINEER_REHEARSE", WORD);
        let said = desk.feed(command, "");
        assert_eq!(said.code, 0, "{}", said.all());
        let whole = std::fs::read_to_string(desk.path("whole")).expect("written");
        // What was signed with the key is of the verbs that sign, and of no order; the last line
        // counts the others.
        let is_of_log =
            |line: &&str| !["{\"checkpoint\":", "{\"end\":"].iter().any(|of| line.starts_with(of));
        whole.lines().filter(is_of_log).map(str::to_string).collect::<Vec<_>>()
    };
    for id in done.events.keys() {
        if whole(&beside, id) != whole(&program, id) {
            done.wrong.push(format!("the logs of {id} are not the same"));
        }
    }
    done
}

#[test]
fn sessions_through_http_say_the_same_and_make_the_same_log_byte_by_byte() {
    let names: Vec<&str> =
        sessions::NAMES.iter().copied().filter(|name| !ALONE.contains(name)).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let done = played(name);
                    all.lock().expect("whole").insert(*name, done);
                }
            });
        }
    });
    let all = all.into_inner().expect("whole");
    let wrong: Vec<String> = all
        .iter()
        .flat_map(|(name, done)| done.wrong.iter().map(move |wrong| format!("{name}: {wrong}")))
        .collect();
    let compared = all.values().filter(|done| !done.events.is_empty()).count();
    let events: u64 = all.values().flat_map(|done| done.events.values()).sum();
    let orders: usize = all.values().map(|done| done.orders).sum();
    println!("{compared} sessions, {orders} orders, {events} events compared");
    let apart: BTreeSet<String> = all
        .iter()
        .filter_map(|(name, done)| Some(format!("{name}: {}", done.apart.as_ref()?)))
        .collect();
    println!("apart from some order on: {apart:#?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 50 && events >= 1_000, "{compared} sessions, {events} events");
}

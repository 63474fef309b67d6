//! Many servers of one database: what is changed through one is there on all others, nobody is lost where
//! one dies, and while the database is away nothing is.

use super::client::{Answer, Server, answered};
use super::live::{events, read_until, watch, watch_with};
use crate::cli::desk::Desk;
use crate::cli::on_postgres::server::Server as Database;
use serde_json::Value;
use std::collections::BTreeSet;
use std::net::TcpListener;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How soon others are told of a change at most: twice what they are told in on a quiet machine, since
/// tests share theirs.
const TOLD_IN: Duration = Duration::from_millis(1_500);
/// How long something may take that takes a moment.
const MOMENT: Duration = Duration::from_secs(30);

/// A database with a tournament of four whose first round is published.
pub fn friday(database: &Database, name: &str) -> String {
    let address = database.database(name).to_string();
    let desk = Desk::on(&address);
    for words in [
        &["new", "Friday", "--rules", "mtr"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
        &["publish"],
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    }
    address
}

/// A server of a database, with a node folder of its own.
pub struct Node {
    pub desk: Desk,
    pub server: Server,
    admin: String,
}

pub fn node(address: &str) -> Node {
    node_with(address, &[])
}

pub fn node_with(address: &str, more: &[&str]) -> Node {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let admin = free.expect("a free port").to_string();
    let desk = Desk::on(address);
    let mut command = desk.command(&["serve", "--listen", "127.0.0.1:0", "--admin", &admin]);
    command.args(more);
    command.stderr(Stdio::inherit());
    let server = Server::played(&desk, command);
    Node { desk, server, admin }
}

impl Node {
    pub fn ready(&self) -> Answer {
        let admin = &self.admin;
        let request = format!("GET /readyz HTTP/1.1\r\nHost: {admin}\r\nConnection: close\r\n\r\n");
        answered(admin.parse().expect("an address"), request.as_bytes()).expect("it answers")
    }

    /// Where the tournament stands.
    fn stands(&self) -> Value {
        let stands = self.server.local("GET", "/api/v1/tournaments/Friday", "").json();
        serde_json::json!([stands["seq"], stands["hash"]])
    }
}

/// Waits until something is so.
pub fn until(what: &str, is_so: impl Fn() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < MOMENT, "{what} does not come");
        sleep(Duration::from_millis(20));
    }
}

fn note(text: &str) -> String {
    format!(r#"{{"order":"note","text":"{text}"}}"#)
}

#[test]
fn an_order_through_one_node_is_told_on_the_streams_and_pages_of_the_other() {
    let Some(database) = Database::start() else { return };
    let address = friday(&database, "told");
    let (one, other) = (node(&address), node(&address));
    let token = one.server.token("scorekeeper");
    let mut stream = watch(&other.server, "/t/Friday/live", "0");
    read_until(&mut stream, "event: floor");
    let mut slowest = Duration::ZERO;
    let mut all = Duration::ZERO;
    for number in 0..100_u64 {
        // At another moment of the time between two looks.
        sleep(Duration::from_millis(number * 37 % 230));
        let order = match number {
            0 => r#"{"order":"result","slip":"1 2-0"}"#.to_string(),
            _ => note(&format!("note {number}")),
        };
        let sent = one.server.order(&token, &format!("key {number}"), &order);
        assert_eq!(sent.status, 201, "{sent:?}");
        let since = Instant::now();
        let seq = sent.json()["last_seq"].as_u64().expect("a number");
        let told = read_until(&mut stream, &format!("id: {seq}\n"));
        slowest = slowest.max(since.elapsed());
        all += since.elapsed();
        assert_eq!(told.contains("event: result"), number == 0, "{told}");
    }
    println!("told on the other node: slowest of 100 {slowest:?}, on average {:?}", all / 100);
    assert!(slowest < TOLD_IN, "{slowest:?}");
    // A page that was kept there is another one by then.
    let shown = || other.server.get("/t/Friday/round/1").body;
    let before = shown();
    assert_eq!(one.server.order(&token, "b", r#"{"order":"result","slip":"2 2-1"}"#).status, 201);
    until("the page", || shown() != before);
    // What the command line records past all servers is told too.
    let said = one.desk.run(&["note", "past the servers"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let head = other.server.local("GET", "/api/v1/tournaments/Friday", "").json()["seq"].clone();
    read_until(&mut stream, &format!("id: {head}\n"));
}

#[test]
fn who_may_do_what_on_one_node_may_do_it_on_the_next_request_on_another() {
    let Some(database) = Database::start() else { return };
    let address = friday(&database, "house");
    let (one, other) = (node(&address), node(&address));
    for (here, there) in [(&one, &other), (&other, &one)] {
        let made = here.server.local("POST", "/api/v1/links", r#"{"role":"judge"}"#).json();
        let path = format!("/join/{}", made["code"].as_str().expect("a code"));
        assert_eq!(there.server.get(&path).status, 200, "the link is known at once");
        let origin = format!("http://{}", there.server.address);
        let form =
            [("Content-Type", "application/x-www-form-urlencoded"), ("Origin", origin.as_str())];
        let joined = there.server.send("POST", &path, &form, "name=Eva");
        let cookie = joined.header("set-cookie").and_then(|all| all.split(';').next());
        let cookie = [("Cookie", cookie.expect("a cookie"))];
        let floor = here.server.send("GET", "/t/Friday/floor", &cookie, "");
        assert_eq!(floor.status, 200, "the session is known at once");
        let token = here.server.token("scorekeeper");
        let asked = |at: &Node| {
            let path = "/api/v1/tournaments/Friday/floor/entries";
            at.server.send("GET", path, &[("Authorization", &token)], "").status
        };
        assert_eq!((asked(there), asked(here)), (200, 200), "a token too");
        let tokens = here.server.local("GET", "/api/v1/tokens", "").json();
        let id = tokens["tokens"][0]["id"].as_str().expect("an id").to_string();
        assert_eq!(there.server.local("DELETE", &format!("/api/v1/tokens/{id}"), "").status, 204);
        until("it ends", || asked(here) == 401);
    }
    // Calls of both at once: each is on the floor once, and both show the same.
    let tokens = [one.server.token("judge"), other.server.token("judge")];
    std::thread::scope(|scope| {
        for (at, token) in [&one, &other].into_iter().zip(&tokens) {
            scope.spawn(move || {
                for number in 0..20 {
                    let key = number.to_string();
                    let headers = [("Authorization", token.as_str()), ("Idempotency-Key", &key)];
                    let call = r#"{"table":1,"what":"a question"}"#;
                    let path = "/api/v1/tournaments/Friday/floor/calls";
                    let called = at.server.send("POST", path, &headers, call);
                    assert_eq!(called.status, 201, "{called:?}");
                }
            });
        }
    });
    let floor = |at: &Node| {
        let path = "/api/v1/tournaments/Friday/floor/entries";
        at.server.local("GET", path, "").json()["entries"].as_array().map_or(0, Vec::len)
    };
    until("the floor", || (floor(&one), floor(&other)) == (40, 40));
    // What is shown is chosen on one and holds on both.
    let hidden = r#"{"names":"initials"}"#;
    let path = "/api/v1/tournaments/Friday/policies";
    assert_eq!(one.server.local("PUT", path, hidden).status, 200);
    until("the policy", || !other.server.get("/t/Friday/round/1").body.contains("Ann"));
}

/// Who may do what and the floors go along from a folder to a database, on to a backup, and back.
#[test]
fn who_may_do_what_and_the_floors_go_along_with_a_store_that_is_copied() {
    let Some(database) = Database::start() else { return };
    let address = database.database("moved").to_string();
    let desk = Desk::new();
    let said = |desk: &Desk, words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.out
    };
    said(&desk, &["new", "Friday", "--rules", "mtr"]);
    said(&desk, &["enroll", "Ann", "Bob", "Cid", "Dee"]);
    said(&desk, &["pair"]);
    said(&desk, &["publish"]);
    let call = |server: &Server, token: &str, key: &str| {
        let headers = [("Authorization", token), ("Idempotency-Key", key)];
        let path = "/api/v1/tournaments/Friday/floor/calls";
        let called = server.send("POST", path, &headers, r#"{"table":1,"what":"a question"}"#);
        assert!([200, 201].contains(&called.status), "{called:?}");
    };
    let server = Server::of(&desk);
    let (token, over) = (server.token("scorekeeper"), server.token("judge"));
    let floor = |server: &Server, token: &str| {
        let path = "/api/v1/tournaments/Friday/floor/entries";
        server.send("GET", path, &[("Authorization", token)], "")
    };
    let asked = |server: &Server, token: &str| floor(server, token).status;
    let calls =
        |server: &Server| floor(server, &token).json()["entries"].as_array().map_or(0, Vec::len);
    call(&server, &token, "one");
    let hidden = r#"{"names":"initials"}"#;
    assert_eq!(server.local("PUT", "/api/v1/tournaments/Friday/policies", hidden).status, 200);
    // The server has the store meanwhile: it lends it.
    let copied = said(&desk, &["store", "copy", "store", &address]);
    assert!(copied.contains("who may do what: "), "{copied}");
    assert!(copied.contains("floors of 1 tournament: 1 line"), "{copied}");
    let tokens = server.local("GET", "/api/v1/tokens", "").json();
    let found = tokens["tokens"].as_array().expect("tokens").iter();
    let id = found.filter(|one| one["role"] == "judge").map(|one| one["id"].clone()).next();
    let path = format!("/api/v1/tokens/{}", id.expect("it is there").as_str().expect("an id"));
    assert_eq!(server.local("DELETE", &path, "").status, 204);
    call(&server, &token, "two");
    let again = said(&desk, &["store", "copy", "store", &address, "--json"]);
    let again: Value = serde_json::from_str(&again).expect("JSON");
    assert_eq!(
        (&again["house"]["entries"], &again["house"]["has_own"]),
        (&2.into(), &false.into())
    );
    drop(server);
    let there = node(&address);
    let stranger = Desk::on(&address);
    stranger.write("node/database.key", "5e".repeat(32).as_bytes());
    let refused = stranger.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, 2, "{}", refused.all());
    assert!(refused.err.contains("[secret-not-kept]"), "{}", refused.all());
    // Every machine that pairs or copies is brought the key of the secrets.
    there
        .desk
        .write("node/database.key", &std::fs::read(desk.path("node/database.key")).expect("it"));
    assert_eq!((asked(&there.server, &token), asked(&there.server, &over)), (200, 401));
    assert_eq!(calls(&there.server), 2);
    call(&there.server, &token, "two");
    call(&there.server, &token, "three");
    assert_eq!(calls(&there.server), 3, "what was sent before is known there");
    assert!(!there.server.get("/t/Friday/round/1").body.contains("Ann"), "the policy holds");
    // It has people of its own now: nothing of the folder is written over them.
    let kept = said(&desk, &["store", "copy", "store", &address]);
    assert!(kept.contains("who may do what stays as it is in"), "{kept}");
    assert_eq!((asked(&there.server, &token), calls(&there.server)), (200, 3));
    // Back: copied into a folder, and by a backup, also while a server runs.
    said(&there.desk, &["store", "copy", &address, "back"]);
    said(&there.desk, &["backup", "stick"]);
    said(&there.desk, &["restore", "--from", "stick", "--store", "brought"]);
    let other = database.database("brought").to_string();
    let stick = there.desk.path("stick").display().to_string();
    let third = Desk::on(&other);
    said(&third, &["restore", "--from", &stick]);
    drop(there.server);
    for folder in ["back", "brought"] {
        let server = Server::played(&there.desk, served(&there.desk, folder));
        assert_eq!((asked(&server, &token), asked(&server, &over)), (200, 401), "{folder}");
        assert_eq!(calls(&server), 3, "{folder}");
    }
    let third = node(&other);
    assert_eq!((asked(&third.server, &token), calls(&third.server)), (200, 3));
}

fn served(desk: &Desk, store: &str) -> std::process::Command {
    let mut command = desk.command(&["serve", "--listen", "127.0.0.1:0", "--store", store]);
    command.stderr(Stdio::inherit());
    command
}

#[test]
fn two_nodes_that_write_one_tournament_at_once_lose_nothing_and_double_nothing() {
    let Some(database) = Database::start() else { return };
    let address = friday(&database, "writers");
    let (one, other) = (node(&address), node(&address));
    let token = one.server.token("scorekeeper");
    let texts = |writer: usize| (0..25).map(move |number| format!("note {writer}-{number}"));
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (here, there, token) = match writer % 2 {
                0 => (&one.server, &other.server, &token),
                _ => (&other.server, &one.server, &token),
            };
            scope.spawn(move || {
                for text in texts(writer) {
                    let first = here.order(token, &text, &note(&text));
                    assert_eq!(first.status, 201, "{first:?}");
                    // Somebody whose answer was lost sends it again, and meets the other node.
                    let again = there.order(token, &text, &note(&text));
                    assert_eq!(again.header("idempotent-replayed"), Some("true"), "{again:?}");
                    assert_eq!(first.json()["first_seq"], again.json()["first_seq"]);
                    let another = there.order(token, &text, &note("something else"));
                    assert_eq!(another.code(), "command-id-reused", "{another:?}");
                }
            });
        }
    });
    let said = one.desk.run(&["log", "--json"]);
    for text in (0..4).flat_map(texts) {
        assert_eq!(said.out.matches(&format!("{text}\"")).count(), 1, "{text}: {}", said.out);
    }
    until("the same on both", || one.stands() == other.stands());
    let verified = one.desk.run(&["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.all());
}

/// A database that was brought back from before grows past what a node had seen, and is another one all the same.
#[test]
fn a_tournament_whose_database_is_another_one_is_told_and_the_others_go_on() {
    let Some(database) = Database::start() else { return };
    let address = database.database("forked").to_string();
    let (desk, others) = (Desk::on(&address), Desk::on(&address));
    for words in [
        &["new", "Friday", "--rules", "mtr"][..],
        &["new", "Saturday", "--rules", "mtr"],
        &["note", "seen", "--tournament", "Friday"],
    ] {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    }
    // What this node has seen of Friday is not what stands there.
    let file = desk.path("node/database.seen");
    let seen = std::fs::read_to_string(&file).expect("what was seen");
    let lines = seen.lines().map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
        [stream, seq, hash] if seq != "1" && hash.len() == 64 => {
            format!("{stream} {seq} {}\n", "5e".repeat(32))
        }
        _ => format!("{line}\n"),
    });
    std::fs::write(&file, lines.collect::<String>()).expect("written");
    assert_eq!(others.run(&["note", "more", "--tournament", "Friday"]).code, 0);
    let listed = desk.run(&["tournaments"]);
    assert_eq!(listed.code, 0, "{}", listed.all());
    assert!(listed.all().contains("is not read: the database is not the one"), "{}", listed.all());
    assert!(listed.all().contains("Saturday"), "{}", listed.all());
    let id = listed.all().split(" is not read").next().expect("an id").to_string();
    let id = id.rsplit(' ').next().expect("an id").to_string();
    let refused = desk.run(&["note", "lost", "--tournament", &id]);
    assert!(refused.code != 0 && refused.all().contains("database-forked"), "{}", refused.all());
    let by_title = desk.run(&["note", "lost", "--tournament", "Friday"]);
    assert!(by_title.all().contains("[database-forked]"), "{}", by_title.all());
    assert_eq!(desk.run(&["note", "goes on", "--tournament", "Saturday"]).code, 0);
    // Nothing here is the disk's fault: whoever copies or exports is told how to read what is there now.
    for words in [&["backup", "stick"][..], &["export", "-o", "it.bundle", "--tournament", &id]] {
        let refused = desk.run(words);
        assert!(refused.err.contains("[database-forked]"), "{words:?}: {}", refused.all());
        assert!(refused.err.contains("--node <new folder>"), "{words:?}: {}", refused.all());
        assert!(!refused.err.contains("check the disk"), "{words:?}: {}", refused.all());
    }
    let keyless = desk.run(&["store", "copy", &address, "elsewhere", "--node", "fresh"]);
    assert!(keyless.err.contains("[secret-not-kept]"), "{}", keyless.all());
    assert!(keyless.err.contains("database.key"), "{}", keyless.all());
    assert!(!keyless.err.contains("check the disk"), "{}", keyless.all());
    // No secret is in a backup, so nobody needs their key for one.
    let copied = desk.run(&["backup", "stick", "--node", "fresh"]);
    assert_eq!(copied.code, 0, "{}", copied.all());
    assert!(desk.run(&["verify", "--store", "stick"]).code == 0, "the copy is looked at as it is");
    // Whoever is on call reads it in the log: both ends and no title.
    let log = desk.path("server.log");
    let mut command = served(&desk, &address);
    command.arg("--log").stderr(std::fs::File::create(&log).expect("a file"));
    let server = Server::played(&desk, command);
    let told = || std::fs::read_to_string(&log).expect("a log");
    // Nobody has to ask for the tournament.
    until("the line of the fork", || told().contains(r#""event":"database-forked""#));
    let list = server.get("/api/v1/tournaments");
    assert!(list.status == 200 && list.body.contains("Saturday"), "{list:?}");
    assert!(!list.body.contains("unread"), "it is the staff's: {list:?}");
    let token = server.token("judge");
    let list = server.send("GET", "/api/v1/tournaments", &[("Authorization", &token)], "");
    let unread = &list.json()["unread"][0];
    assert_eq!(unread["code"], "database-forked", "{list:?}");
    assert!(unread["id"].as_str().expect("an id").starts_with(&id), "{list:?}");
    let told = told();
    let lines = told.lines().filter(|line| line.starts_with('{') && line.contains("-forked"));
    let lines: Vec<Value> =
        lines.map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert_eq!(lines.len(), 1, "it is told once: {told}");
    assert!(lines[0]["tournament"].as_str().expect("an id").starts_with(&id), "{told}");
    assert_eq!((&lines[0]["seen"], &lines[0]["found"]), (&2.into(), &2.into()), "{told}");
    assert_eq!(lines[0]["seen_hash"], "5e".repeat(32), "{told}");
    assert!(!lines[0].to_string().contains("Friday"), "{told}");
}

#[test]
fn while_the_database_is_away_the_desk_says_so_and_goes_on_when_it_is_back() {
    let Some(mut database) = Database::start() else { return };
    let address = friday(&database, "away");
    let (one, other) = (node(&address), node(&address));
    let token = one.server.token("scorekeeper");
    assert_eq!((one.ready().status, other.ready().status), (200, 200));
    let mut stream = watch(&other.server, "/t/Friday/live", "0");
    read_until(&mut stream, "event: floor");
    let kept = one.server.get("/t/Friday/round/1").body;
    database.stop();
    until("it is seen", || one.ready().status == 503 && other.ready().status == 503);
    assert!(one.ready().body.contains("waiting for the database"), "{:?}", one.ready());
    let order = r#"{"order":"result","slip":"1 2-0"}"#;
    for _ in 0..2 {
        let refused = one.server.order(&token, "k", order);
        assert_eq!((refused.status, refused.code().as_str()), (503, "waiting-for-database"));
        assert_eq!(refused.header("retry-after"), Some("1"), "{refused:?}");
    }
    assert_eq!(one.server.get("/t/Friday/round/1").body, kept, "who only reads has the last page");
    let headers = [("Authorization", token.as_str()), ("Accept", "text/html")];
    let page = one.server.send("GET", "/t/Friday/desk", &headers, "");
    assert!(page.status == 503 && page.body.contains("waiting for the database"), "{page:?}");
    assert_eq!(page.header("refresh"), Some("2"), "it comes by itself");
    // An order that comes while it is away waits a moment, and is done when the database is back in it.
    let sent = std::thread::scope(|scope| {
        let waits = scope.spawn(|| {
            let since = Instant::now();
            loop {
                let sent = one.server.order(&token, "k", order);
                if sent.status != 503 || since.elapsed() > MOMENT {
                    return sent;
                }
                sleep(Duration::from_millis(200));
            }
        });
        database.run();
        waits.join().expect("it ends")
    });
    assert_eq!(sent.status, 201, "{sent:?}");
    read_until(&mut stream, "event: result");
    until("they are ready", || one.ready().status == 200 && other.ready().status == 200);
    assert_eq!(one.server.order(&token, "k", order).status, 200, "it is done once");
}

/// A failover begins while a judge types: the command line waits as the server does, says so, and what was typed
/// is recorded once.
#[test]
fn a_command_that_is_typed_while_the_database_is_away_waits_and_is_recorded_once() {
    let Some(mut database) = Database::start() else { return };
    let address = friday(&database, "typed");
    let desk = Desk::on(&address);
    assert_eq!(desk.run(&["standings"]).code, 0, "this machine has seen the database");
    database.stop();
    let typed = std::thread::scope(|scope| {
        let types = scope.spawn(|| desk.run(&["note", "while it was away"]));
        sleep(Duration::from_secs(4));
        assert!(!types.is_finished(), "it waits");
        database.run();
        types.join().expect("it ends")
    });
    assert_eq!(typed.code, 0, "{}", typed.all());
    assert_eq!(
        typed.err.matches("note: waiting for the database, for ").count(),
        1,
        "{}",
        typed.err
    );
    assert!(typed.err.contains("[waiting-for-database]"), "{}", typed.err);
    let log = desk.run(&["log", "--json"]);
    assert_eq!(log.out.matches("while it was away").count(), 1, "{}", log.all());
}

#[test]
fn a_node_that_is_killed_while_it_serves_is_left_for_another_and_nothing_is_told_twice() {
    let Some(database) = Database::start() else { return };
    let address = friday(&database, "killed");
    let (mut one, other) = (node(&address), node(&address));
    let token = one.server.token("scorekeeper");
    let mut stream = watch(&one.server, "/t/Friday/live", "0");
    let mut seen = events(&read_until(&mut stream, "event: floor"));
    let send = |at: &Node, number: usize| {
        // Each is corrected again and again: every one of them is told.
        let order = match number {
            0 => r#"{"order":"result","slip":"1 2-0"}"#.to_string(),
            _ => {
                let score = if number.is_multiple_of(2) { "2-0" } else { "0-2" };
                format!(r#"{{"order":"correct","slip":"1 {score}","reason":"misread {number}"}}"#)
            }
        };
        at.server.try_order(&token, &format!("key {number}"), &order)
    };
    let mut last = 0;
    for number in 0..10 {
        let sent = send(&one, number).expect("it answers");
        assert_eq!(sent.status, 201, "{sent:?}");
        last = sent.json()["last_seq"].as_u64().expect("a number");
    }
    seen.extend(events(&read_until(&mut stream, &format!("id: {last}\n"))));
    one.server.kill();
    // Who sends the last one again meets the other node, and so does who watched.
    let again = send(&other, 9).expect("it answers");
    assert_eq!(again.header("idempotent-replayed"), Some("true"), "{again:?}");
    for number in 10..20 {
        let sent = send(&other, number).expect("it answers");
        assert_eq!(sent.status, 201, "{sent:?}");
        last = sent.json()["last_seq"].as_u64().expect("a number");
    }
    let from = seen.last().map_or(0, |(seq, _)| *seq).to_string();
    let mut stream = watch_with(&other.server, "/t/Friday/live", ("Last-Event-ID", &from));
    seen.extend(events(&read_until(&mut stream, &format!("id: {last}\n"))));
    let told: Vec<u64> = seen.iter().map(|(seq, _)| *seq).collect();
    let each: BTreeSet<u64> = told.iter().copied().collect();
    assert_eq!(told.len(), each.len(), "nothing is told twice: {told:?}");
    let results = seen.iter().filter(|(_, rest)| {
        rest.starts_with("event: result") || rest.starts_with("event: corrected")
    });
    assert_eq!(results.count(), 20, "{seen:?}");
    // Another one comes in the place of the first.
    let third = node(&address);
    assert_eq!(third.stands(), other.stands());
}

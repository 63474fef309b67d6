//! Webhooks: a receiver that drops, delays, refuses or is away is told everything in the end, in its order,
//! signed and numbered; and nothing goes where nothing may go.

use super::client::{Server, friday, rehearsed};
use super::follow_push::until;
use serde_json::Value;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a receiver does with a delivery.
#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// It answers with this status.
    Answer(u16),
    /// It hangs up without a word.
    HangUp,
    /// It answers so much later.
    Late(Duration),
}

/// What it was sent.
#[derive(Clone, Debug)]
pub struct Taken {
    pub id: String,
    pub path: String,
    pub host: String,
    time: u64,
    signature: String,
    pub body: String,
}

impl Taken {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// What happened, and as the how manieth delivery it is told.
    pub fn told(&self) -> (String, u64) {
        let json = self.json();
        let kind = json["type"].as_str().expect("a type").to_string();
        (kind, json["number"].as_u64().expect("a number"))
    }

    pub fn is_signed(&self, secret: &str) -> bool {
        let signed =
            scrutineer_server::webhooks::signature(secret, &self.id, self.time, &self.body);
        signed == self.signature
    }
}

/// Somebody who is told what happens.
pub struct Receiver {
    pub address: SocketAddr,
    taken: Arc<Mutex<Vec<Taken>>>,
    does: Arc<Mutex<VecDeque<Does>>>,
}

impl Receiver {
    pub fn new() -> Receiver {
        Receiver::at("127.0.0.1:0")
    }

    /// One at an address of this machine.
    pub fn at(address: &str) -> Receiver {
        let mut bound = TcpListener::bind(address);
        for _ in 0..50 {
            if bound.is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
            bound = TcpListener::bind(address);
        }
        let listener = bound.expect("bound");
        let receiver = Receiver {
            address: listener.local_addr().expect("an address"),
            taken: Arc::default(),
            does: Arc::default(),
        };
        let (taken, does) = (Arc::clone(&receiver.taken), Arc::clone(&receiver.does));
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                // Who hangs up in the middle is met too.
                let _ = take(socket, &taken, &does);
            }
        });
        receiver
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook?of=friday", self.address)
    }

    pub fn will(&self, does: impl IntoIterator<Item = Does>) {
        self.does.lock().expect("unlocked").extend(does);
    }

    pub fn taken(&self) -> Vec<Taken> {
        self.taken.lock().expect("unlocked").clone()
    }

    /// How it takes what comes over another line, of which it was given the first bytes.
    pub fn within(&self) -> impl Fn(&mut dyn Line, Vec<u8>) -> std::io::Result<()> + use<> {
        let (taken, does) = (Arc::clone(&self.taken), Arc::clone(&self.does));
        move |line, first| take_from(line, first, &taken, &does)
    }

    /// Waits until it was sent so much.
    pub fn gets(&self, count: usize) -> Vec<Taken> {
        until("a delivery", 60, || self.taken().len() >= count);
        self.taken()
    }
}

/// What deliveries are read from, and answered to.
pub trait Line: Read + Write {}
impl<T: Read + Write> Line for T {}

fn take(
    mut socket: TcpStream,
    taken: &Mutex<Vec<Taken>>,
    does: &Mutex<VecDeque<Does>>,
) -> std::io::Result<()> {
    take_from(&mut socket, Vec::new(), taken, does)
}

fn take_from(
    socket: &mut dyn Line,
    mut bytes: Vec<u8>,
    taken: &Mutex<Vec<Taken>>,
    does: &Mutex<VecDeque<Does>>,
) -> std::io::Result<()> {
    let mut part = [0; 65_536];
    let (head, body) = loop {
        let count = socket.read(&mut part)?;
        if count == 0 {
            return Ok(());
        }
        bytes.extend(&part[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = header(head, "content-length").parse().unwrap_or(0);
        if body.len() >= length {
            break (head.to_string(), body.to_string());
        }
    };
    taken.lock().expect("unlocked").push(Taken {
        id: header(&head, "webhook-id"),
        path: head.split(' ').nth(1).unwrap_or_default().to_string(),
        host: header(&head, "host"),
        time: header(&head, "webhook-timestamp").parse().unwrap_or(0),
        signature: header(&head, "webhook-signature"),
        body,
    });
    let does = does.lock().expect("unlocked").pop_front().unwrap_or(Does::Answer(204));
    let status = match does {
        Does::HangUp => return Ok(()),
        Does::Late(late) => {
            // Others are answered meanwhile.
            std::thread::sleep(late);
            204
        }
        Does::Answer(status) => status,
    };
    let more = if status == 302 { "Location: /elsewhere\r\n" } else { "" };
    let answer =
        format!("HTTP/1.1 {status} So\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n");
    socket.write_all(answer.as_bytes())
}

fn header(head: &str, name: &str) -> String {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let found = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map_or(String::new(), |(_, value)| value.trim().to_string())
}

/// Lets a receiver be told of a tournament, or of all; gives the webhook's id and secret.
pub fn hook(server: &Server, url: &str, tournament: Option<&str>) -> (String, String) {
    let body = serde_json::json!({ "url": url, "tournament": tournament }).to_string();
    let made = server.local("POST", "/api/v1/webhooks", &body);
    assert_eq!(made.status, 201, "{made:?}");
    let text = |name: &str| made.json()[name].as_str().expect("a text").to_string();
    (text("id"), text("secret"))
}

fn with_hooks(desk: &crate::cli::desk::Desk) -> Server {
    Server::with(desk, &["--webhooks-to", "127.0.0.1"])
}

fn listed(server: &Server) -> Value {
    server.local("GET", "/api/v1/webhooks", "").json()["webhooks"][0].clone()
}

fn order(server: &Server, key: &str, order: &str) {
    let answer = server.local_under(key, "POST", "/api/v1/tournaments/Friday/orders", order);
    assert!(answer.status < 300, "{answer:?}");
}

#[test]
fn what_everybody_may_know_is_told_in_its_order_signed_and_numbered() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    let (id, secret) = hook(&server, &receiver.url(), Some("Friday"));
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    order(&server, "2", r#"{"order":"correct","slip":"1 2-1","reason":"misread"}"#);
    order(&server, "3", r#"{"order":"result","slip":"2 2-0"}"#);
    // A draft is nobody's business; what comes once it is out is told with it.
    order(&server, "4", r#"{"order":"pair"}"#);
    order(&server, "5", r#"{"order":"note","text":"whispered"}"#);
    receiver.gets(3);
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(receiver.taken().len(), 3, "the draft is told");
    rehearsed(&desk, &["publish"]);
    let taken = receiver.gets(6);
    let told: Vec<(String, u64)> = taken.iter().map(Taken::told).collect();
    let kinds = [
        "result.recorded",
        "result.corrected",
        "result.recorded",
        // What the round was paired by is announced with it.
        "standings.announced",
        // The round before is complete, and what was signed of it is public now.
        "checkpoint.signed",
        "round.published",
    ];
    let numbered = kinds.iter().zip(1..).map(|(kind, at)| (kind.to_string(), at));
    assert_eq!(told, numbered.collect::<Vec<_>>());
    let seqs: Vec<u64> = taken.iter().filter_map(|one| one.json()["seq"].as_u64()).collect();
    assert!(seqs.len() == 6 && seqs.is_sorted(), "{seqs:?}");
    assert_eq!(taken[1].json()["data"]["score"], "2-1");
    let tournament = server.get("/api/v1/tournaments/Friday").json()["tournament"]["id"].clone();
    for one in &taken {
        assert!(one.is_signed(&secret) && !one.is_signed("whsec_AAAA"), "{one:?}");
        assert_eq!((&one.path[..], &one.json()["tournament"]), ("/hook?of=friday", &tournament));
        assert_eq!(one.host, receiver.address.to_string());
        for name in ["Ann", "Bob", "Cid", "Dee", "misread", "whispered", "Friday"] {
            assert!(!one.body.contains(name), "{one:?}");
        }
    }
    let listed = listed(&server);
    assert!(listed["id"] == *id && listed["is"] == "delivering", "{listed}");
    until("that it is kept", 10, || self::listed(&server)["delivered"] == 6);
    // Removed, it is told nothing any more.
    assert_eq!(server.local("DELETE", &format!("/api/v1/webhooks/{id}"), "").status, 204);
    order(&server, "6", r#"{"order":"result","slip":"1 2-0"}"#);
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(receiver.taken().len(), 6);
}

#[test]
fn who_drops_a_dispute_and_a_checkpoint_are_told_and_who_is_disqualified_is_not() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    hook(&server, &receiver.url(), Some("Friday"));
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    order(&server, "2", r#"{"order":"dispute","table":"1","claim":"it was 1-2"}"#);
    order(&server, "3", r#"{"order":"drop","player":"Dee"}"#);
    order(&server, "4", r#"{"order":"disqualify","player":"Cid","reason":"whispered"}"#);
    let path = "/api/v1/tournaments/Friday/checkpoint";
    let signed = server.local("POST", path, "");
    assert_eq!(signed.status, 200, "{signed:?}");
    let told = receiver.gets(4);
    std::thread::sleep(Duration::from_millis(1_500));
    let kinds: Vec<(String, u64)> = receiver.taken().iter().map(Taken::told).collect();
    let wanted = ["result.recorded", "dispute.opened", "player.dropped", "checkpoint.signed"];
    assert_eq!(kinds, wanted.iter().map(|kind| kind.to_string()).zip(1..).collect::<Vec<_>>());
    assert_eq!(told[1].json()["data"], serde_json::json!({ "round": 1, "table": 1 }));
    assert_eq!(told[2].json()["data"], serde_json::json!({ "player": 4 }));
    let (said, data) = (signed.json(), told[3].json()["data"].clone());
    for name in ["records", "root", "checkpoint"] {
        assert_eq!(data[name], said[name], "{data}");
    }
    // Signed again as it stands, nothing is told twice.
    assert_eq!(server.local("POST", path, "").status, 200);
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(receiver.taken().len(), 4);
}

/// One checkpoint that could not be read held back everything that was to be told.
#[test]
fn what_happens_is_told_also_where_a_checkpoint_that_is_kept_cannot_be_read() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    hook(&server, &receiver.url(), None);
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    let signed = server.local("POST", "/api/v1/tournaments/Friday/checkpoint", "");
    assert_eq!(signed.status, 200, "{signed:?}");
    assert_eq!(receiver.gets(2)[1].told(), ("checkpoint.signed".into(), 2));
    let kept = std::fs::read_dir(desk.path("store/checkpoints")).expect("a folder");
    for file in kept {
        let file = file.expect("a file").path();
        let text = std::fs::read_to_string(&file).expect("text");
        std::fs::write(&file, text.replacen("\ntime ", "\nday ", 1)).expect("written");
    }
    order(&server, "2", r#"{"order":"correct","slip":"1 2-1","reason":"misread"}"#);
    assert_eq!(receiver.gets(3)[2].told(), ("result.corrected".into(), 3));
}

#[test]
fn a_receiver_that_refuses_hangs_up_or_is_slow_gets_each_delivery_again_under_its_id() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    let (_, secret) = hook(&server, &receiver.url(), None);
    let slow = Does::Late(Duration::from_millis(1_500));
    receiver.will([Does::Answer(500), Does::Answer(204), Does::HangUp, Does::Answer(204), slow]);
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("that it is tried again", 10, || listed(&server)["is"] == "retrying");
    let said = listed(&server);
    assert!(said["trouble"] == "it answered 500" && said["next"].is_string(), "{said}");
    order(&server, "2", r#"{"order":"result","slip":"2 2-0"}"#);
    order(&server, "3", r#"{"order":"correct","slip":"1 2-1","reason":"misread"}"#);
    let taken = receiver.gets(5);
    let numbers: Vec<u64> = taken.iter().map(|one| one.told().1).collect();
    assert_eq!(numbers, [1, 1, 2, 2, 3], "{taken:?}");
    assert!(taken[0].id == taken[1].id && taken[2].id == taken[3].id && taken[1].id != taken[2].id);
    assert_eq!(taken[0].body, taken[1].body);
    assert!(taken.iter().all(|one| one.is_signed(&secret)));
    until("that it goes on", 10, || listed(&server)["is"] == "delivering");
    // Where it does not say in time that it has it, it is told again.
    receiver.will([Does::Late(Duration::from_secs(12))]);
    order(&server, "4", r#"{"order":"correct","slip":"1 2-0","reason":"misread"}"#);
    until("that it is too slow", 20, || {
        listed(&server)["trouble"] == "it did not answer within 10 seconds"
    });
    let taken = receiver.gets(7);
    assert_eq!((taken[5].told().1, &taken[5].id), (4, &taken[6].id));
    // It is sent nowhere else.
    receiver.will([Does::Answer(302)]);
    order(&server, "5", r#"{"order":"correct","slip":"2 2-1","reason":"misread"}"#);
    until("the refusal", 10, || listed(&server)["trouble"] == "it answered 302");
    let taken = receiver.gets(9);
    assert!(taken.iter().all(|one| one.path == "/hook?of=friday"), "{taken:?}");
}

#[test]
fn a_receiver_that_was_away_while_the_server_was_killed_misses_nothing() {
    let desk = friday();
    let receiver = Receiver::new();
    let mut server = with_hooks(&desk);
    let (_, secret) = hook(&server, &receiver.url(), None);
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    receiver.gets(1);
    // From here on nobody listens at its address.
    let nobody = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let away = nobody.expect("a free port").to_string();
    let (id, away_secret) = hook(&server, &format!("http://{away}/"), None);
    order(&server, "2", r#"{"order":"result","slip":"2 2-0"}"#);
    let of = |server: &Server| -> Value {
        let all = server.local("GET", "/api/v1/webhooks", "").json()["webhooks"].clone();
        let found = all.as_array().expect("a list").iter().find(|one| one["id"] == *id);
        found.expect("it is there").clone()
    };
    until("that nobody answers", 10, || of(&server)["trouble"] == "nobody answers there");
    server.kill();
    // What is recorded while no server runs is told too.
    rehearsed(&desk, &["correct", "1", "2-1", "--reason", "misread"]);
    let back = Receiver::at(&away);
    let server = with_hooks(&desk);
    let taken = back.gets(2);
    let numbers: Vec<u64> = taken.iter().map(|one| one.told().1).collect();
    assert_eq!(numbers, [1, 2], "{taken:?}");
    assert!(taken.iter().all(|one| one.is_signed(&away_secret)));
    // The other one was told each, and what a kill made doubtful under the same number.
    until("the rest", 20, || receiver.taken().iter().any(|one| one.told().1 == 3));
    let taken = receiver.taken();
    let mut ids: Vec<&str> = taken.iter().map(|one| &one.id[..]).collect();
    assert!(taken.iter().map(|one| one.told().1).is_sorted(), "{taken:?}");
    ids.dedup();
    assert!(ids.len() == 3 && taken.iter().all(|one| one.is_signed(&secret)), "{taken:?}");
    until("that it goes on", 10, || of(&server)["is"] == "delivering");
}

#[test]
fn one_that_says_it_is_gone_is_paused_the_page_says_so_and_it_goes_on_when_it_is_told() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    let (id, secret) = hook(&server, &receiver.url(), None);
    let path = format!("/api/v1/webhooks/{id}");
    // Tried, it gets something that is of no tournament.
    receiver.will([Does::Answer(200), Does::Answer(404), Does::Answer(410)]);
    let tried = server.local("POST", &format!("{path}/try"), "").json();
    assert_eq!((&tried["delivered"], &tried["trouble"]), (&true.into(), &Value::Null));
    let tried = server.local("POST", &format!("{path}/try"), "").json();
    assert_eq!(tried["trouble"], "it answered 404");
    let taken = receiver.gets(2);
    assert!(taken[0].told() == ("webhook.tried".into(), 0) && taken[0].is_signed(&secret));
    assert_ne!(taken[0].id, taken[1].id);
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("that it is paused", 10, || listed(&server)["is"] == "paused");
    let page = server.local("GET", "/webhooks", "").body;
    assert!(page.contains("paused</span> since") && page.contains("it is gone"), "{page}");
    assert!(!page.contains(&secret), "{page}");
    let staff = server.local("GET", "/staff", "").body;
    assert!(staff.contains("href=\"/webhooks\"") && staff.contains("1 paused"), "{staff}");
    let shown = server.local("GET", "/t/Friday/desk", "").body;
    assert!(shown.contains("A webhook is paused"), "{shown}");
    order(&server, "2", r#"{"order":"result","slip":"2 2-0"}"#);
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(receiver.taken().len(), 3);
    let going = server.local("PATCH", &path, r#"{"paused":false}"#).json();
    assert_eq!(going["is"], "delivering");
    let taken = receiver.gets(5);
    let numbers: Vec<u64> = taken[2..].iter().map(|one| one.told().1).collect();
    assert_eq!(numbers, [1, 1, 2]);
    let told = server.local("GET", "/api/v1/changes", "").body;
    assert!(told.contains("made webhook") && told.contains("let go on webhook"), "{told}");
    assert!(!told.contains(&secret), "{told}");
}

#[test]
fn nothing_goes_into_the_own_network_unless_serve_was_told_of_it() {
    let desk = friday();
    let (server, receiver) = (Server::of(&desk), Receiver::new());
    let make = |server: &Server, url: &str| {
        let body = serde_json::json!({ "url": url }).to_string();
        server.local("POST", "/api/v1/webhooks", &body)
    };
    for (url, code) in [
        (receiver.url(), "address-not-public"),
        ("http://localhost/".into(), "address-not-public"),
        ("http://169.254.169.254/latest".into(), "address-not-public"),
        ("https://127.0.0.1/".into(), "address-not-public"),
        ("hooks.example.org".into(), "bad-address"),
    ] {
        let refused = make(&server, &url);
        assert_eq!((refused.status, refused.code().as_str()), (422, code), "{refused:?}");
    }
    // One that was allowed is not any more; it is not sent anything, and the page says why.
    server.stop();
    let server = with_hooks(&desk);
    hook(&server, &receiver.url(), None);
    server.stop();
    let server = Server::with(&desk, &["--webhooks-to", "127.0.0.1:1"]);
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("the trouble", 10, || {
        listed(&server)["trouble"].as_str().is_some_and(|why| why.contains("own network"))
    });
    assert!(receiver.taken().is_empty());
    // Only the owner of the store has to do with them.
    for role in ["head-judge", "scorekeeper", "judge"] {
        let token = server.token(role);
        let headers = [("Authorization", token.as_str())];
        for path in ["/api/v1/webhooks", "/webhooks"] {
            assert_eq!(server.send("GET", path, &headers, "").status, 403, "{role}");
        }
    }
}

#[test]
fn of_a_tournament_that_is_opened_later_it_is_told_from_its_beginning_and_of_others_not() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    rehearsed(&desk, &["result", "1", "2-0"]);
    let only = Receiver::new();
    hook(&server, &receiver.url(), None);
    hook(&server, &only.url(), Some("Friday"));
    for words in [
        &["new", "Saturday", "--rules", "mtr"][..],
        &["enroll", "Ann", "Bob", "--tournament", "Saturday"],
        &["pair", "--tournament", "Saturday"],
        &["publish", "--tournament", "Saturday"],
        &["result", "1", "2-0", "--tournament", "Saturday"],
    ] {
        rehearsed(&desk, words);
        // The times of a rehearsal do not say that it is new: it is looked at once it is there.
        std::thread::sleep(Duration::from_millis(700));
    }
    rehearsed(&desk, &["result", "2", "2-1", "--tournament", "Friday"]);
    let taken = receiver.gets(3);
    let of = |title: &str| -> Vec<(String, u64)> {
        let id =
            server.get(&format!("/api/v1/tournaments/{title}")).json()["tournament"]["id"].clone();
        taken.iter().filter(|one| one.json()["tournament"] == id).map(Taken::told).collect()
    };
    assert_eq!(of("Saturday"), [("round.published".into(), 1), ("result.recorded".into(), 2)]);
    assert_eq!(of("Friday"), [("result.recorded".into(), 1)], "what was before is not told");
    assert_eq!(only.gets(1)[0].told(), ("result.recorded".into(), 1));
    std::thread::sleep(Duration::from_millis(1_000));
    assert_eq!((receiver.taken().len(), only.taken().len()), (3, 1));
}

/// So much at once is told of in one word, and what is none of the public's is not counted among it.
#[test]
fn who_missed_more_than_is_told_is_told_that_and_what_comes_then() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    let (id, _) = hook(&server, &receiver.url(), None);
    let path = format!("/api/v1/webhooks/{id}");
    let many = |batches: std::ops::Range<usize>| {
        for batch in batches {
            let person = |at: usize| format!(r#"{{"name":"Player {batch} {at}"}}"#);
            let people: Vec<String> = (0..250).map(person).collect();
            let enroll = format!(r#"{{"order":"enroll","people":[{}]}}"#, people.join(","));
            order(&server, &format!("batch-{batch}"), &enroll);
        }
    };
    // A sign-up is told of to nobody.
    many(0..8);
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    assert_eq!(receiver.gets(1)[0].told(), ("result.recorded".into(), 1));
    until("that it is kept", 10, || listed(&server)["delivered"] == 1);
    let seq = receiver.taken()[0].json()["seq"].clone();
    assert_eq!(server.local("PATCH", &path, r#"{"paused":true}"#).json()["is"], "paused");
    many(8..25);
    // A checkpoint that is missed so is not told behind that.
    let signed = server.local("POST", "/api/v1/tournaments/Friday/checkpoint", "");
    assert_eq!(signed.status, 200, "{signed:?}");
    order(&server, "2", r#"{"order":"result","slip":"2 2-0"}"#);
    assert_eq!(server.local("PATCH", &path, r#"{"paused":false}"#).status, 200);
    let told = receiver.gets(2)[1].clone();
    assert_eq!((told.told(), &told.json()["data"]["after"]), (("behind".into(), 2), &seq));
    order(&server, "3", r#"{"order":"correct","slip":"2 2-1","reason":"misread"}"#);
    assert_eq!(receiver.gets(3)[2].told(), ("result.corrected".into(), 3));
}

/// Whoever writes the pages of a store into a folder delivers nothing, and notes no trouble.
#[test]
fn a_server_for_this_machine_alone_delivers_nothing() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    hook(&server, &receiver.url(), None);
    server.stop();
    rehearsed(&desk, &["result", "1", "2-0"]);
    rehearsed(&desk, &["publish-to", "site"]);
    assert!(receiver.taken().is_empty());
    let server = with_hooks(&desk);
    assert_eq!(receiver.gets(1)[0].told(), ("result.recorded".into(), 1));
    assert_eq!(listed(&server)["tries"], 0);
}

#[test]
fn what_was_hidden_when_it_was_made_is_told_once_it_is_out() {
    let desk = friday();
    let (server, receiver) = (with_hooks(&desk), Receiver::new());
    let policies = "/api/v1/tournaments/Friday/policies";
    assert_eq!(server.local("PUT", policies, r#"{"hidden_from":1}"#).status, 200);
    order(&server, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    hook(&server, &receiver.url(), None);
    order(&server, "2", r#"{"order":"result","slip":"2 2-0"}"#);
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(receiver.taken().is_empty(), "{:?}", receiver.taken());
    assert_eq!(server.local("PUT", policies, "{}").status, 200);
    let taken = receiver.gets(2);
    let tables: Vec<Value> = taken.iter().map(|one| one.json()["data"]["table"].clone()).collect();
    assert_eq!(tables, [1, 2]);
}

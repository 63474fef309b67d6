//! A second laptop: it has what was answered, and goes on when the first is gone.

use super::client::{Server, WORD, friday, rehearsed};
use super::live::{read_until, watch_with};
use super::players::{links, me, phone};
use crate::cli::desk::{Desk, Said};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Waits for something that comes.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(60), "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn status(server: &Server) -> serde_json::Value {
    server.local("GET", "/second/status", "").json()
}

/// What is typed on the second laptop.
fn code(desk: &Server) -> String {
    let made = desk.local("POST", "/second/code", "make=code");
    made.json()["second"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_string()
}

/// A second laptop that has everything.
pub fn second(desk: &Server, laptop: &Desk) -> Server {
    let follows = Server::at(laptop, "127.0.0.2:0", &["--second", &code(desk)]);
    until("everything", || status(desk)["has_everything"] == true);
    follows
}

/// The events of a tournament, each as a line.
fn log(server: &Server) -> String {
    server.local("GET", "/api/v1/tournaments/Friday/log", "").body
}

/// Makes a laptop the desk: its server begins anew, with another key for the command line.
pub fn take_over(laptop: &Desk, server: &mut Server) {
    say_it(laptop, &[]);
    is_desk(laptop, server);
}

/// Waits until a laptop is the desk.
fn is_desk(laptop: &Desk, server: &mut Server) {
    until("the desk", || {
        let key = super::client::local_key(laptop);
        let is_new = !key.is_empty() && key != server.key;
        server.key = if is_new { key } else { std::mem::take(&mut server.key) };
        is_new
    });
}

fn say_it(laptop: &Desk, words: &[&str]) {
    let mut command = rehearsal(laptop, &[&["serve", "--take-over"], words].concat());
    let said = Said::of(command.output().expect("it runs"));
    assert!(said.out.contains("is the desk now"), "{}", said.all());
}

#[test]
fn a_second_laptop_has_what_was_answered_and_goes_on_with_links_secrets_and_names() {
    let (desk, laptop) = (friday(), Desk::new());
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let token = first.token("scorekeeper");
    let answer = first.order(&token, "k", r#"{"order":"result","slip":"1 2-0"}"#);
    assert_eq!(answer.status, 201, "{answer:?}");
    // It was answered, so the other has it.
    assert_eq!(log(&follows), log(&first));
    let late = first.order(&token, "late", r#"{"order":"late","person":{"name":"Kowalski, Jan"}}"#);
    assert_eq!(late.status, 201, "{late:?}");
    assert!(
        follows.local("GET", "/api/v1/tournaments/Friday/players", "").body.contains("Kowalski")
    );
    // Nothing is recorded there, whoever asks, and it is said why.
    let key = format!("Bearer {}", follows.key);
    let refused = follows.order(&key, "x", r#"{"order":"result","slip":"2 2-0"}"#);
    assert_eq!((refused.status, refused.code().as_str()), (409, "follows-the-desk"));
    let said = laptop.run(&["note", "here"]);
    assert!(said.err.contains("follows-the-desk"), "{}", said.all());
    // The token was made after it began to follow: the house arrives within moments.
    house_arrives(&desk, &laptop);
    first.kill();
    take_over(&laptop, &mut follows);
    let order = r#"{"order":"result","slip":"2 2-1"}"#;
    until("the desk", || {
        follows.try_order(&token, "l", order).is_ok_and(|done| done.status <= 201)
    });
    let again = follows.order(&token, "k", r#"{"order":"result","slip":"1 2-0"}"#);
    assert_eq!(again.header("idempotent-replayed"), Some("true"), "{again:?}");
    // The secret of the pairings is there, and the key that signs.
    let paired = follows.order(&token, "p", r#"{"order":"pair"}"#);
    assert_eq!(paired.status, 201, "{paired:?}");
    assert!(rehearsed(&laptop, &["log"]).contains("Kowalski"));
    // The first one comes back, and records nothing.
    let back = Server::of(&desk);
    let before = log(&back);
    let refused = back.order(&token, "m", r#"{"order":"note","text":"here"}"#);
    assert_eq!((refused.status, refused.code().as_str()), (409, "taken-over"), "{refused:?}");
    assert!(
        refused.json()["hint"].as_str().unwrap_or_default().contains("serve --second 127.0.0.2")
    );
    let said = desk.run(&["note", "here"]);
    assert!(said.err.contains("taken-over"), "{}", said.all());
    // Nor does it write pages that get old, and it says why.
    let said = desk.run(&["publish-to", "site"]);
    assert!(said.code != 0 && said.err.contains("[desk-is-elsewhere]"), "{}", said.all());
    assert!(
        said.err.contains("on another laptop") && said.err.contains("127.0.0.2"),
        "{}",
        said.all()
    );
    assert!(!desk.path("site").exists(), "nothing is written");
    assert_eq!(log(&back), before);
    back.stop();
    let said = desk.run(&["note", "here"]);
    assert!(said.err.contains("taken-over"), "{}", said.all());
    // It follows in its turn, with the key that both have, and can go back.
    let address = follows.address.to_string();
    let mut back = Server::at(&desk, "127.0.0.1:0", &["--second", &address]);
    until("everything", || status(&follows)["has_everything"] == true);
    assert_eq!(log(&back), log(&follows));
    // The desk runs still: that is meant, or it is refused.
    let said = desk.run(&["serve", "--take-over"]);
    assert!(said.err.contains("desk-is-heard") && said.code == 1, "{}", said.all());
    let key = format!("Bearer {}", back.key);
    let shown = [("Authorization", key.as_str()), ("Accept", "text/html")];
    let asked = back.send("POST", "/second/take-over", &shown, "make=desk");
    assert_eq!(asked.status, 200, "{asked:?}");
    assert!(asked.body.contains("runs and answers") && asked.body.contains("all the same"));
    let refused = back.local("POST", "/second/take-over", "make=desk");
    assert_eq!((refused.status, refused.code().as_str()), (409, "desk-is-heard"), "{refused:?}");
    let refused = back.local("POST", "/second/take-over", "sure=true");
    assert_eq!((refused.status, refused.code().as_str()), (400, "bad-request"), "{refused:?}");
    assert_eq!(status(&back)["is"], "following", "nobody said that it is meant");
    say_it(&desk, &["--even-if-heard"]);
    is_desk(&desk, &mut back);
    until("the first is the desk", || {
        let order = r#"{"order":"note","text":"back again"}"#;
        back.try_order(&token, "n", order).is_ok_and(|done| done.status <= 201)
    });
    until("the other has heard", || {
        follows.order(&token, "o", r#"{"order":"note","text":"x"}"#).code() == "taken-over"
    });
}

/// A command asks as a server does: where none runs, the first laptop does not go on beside the second.
#[test]
fn the_replaced_first_laptop_records_nothing_by_command_while_the_second_is_the_desk() {
    let (desk, laptop) = (friday(), Desk::new());
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    first.kill();
    take_over(&laptop, &mut follows);
    assert_eq!(status(&follows)["is"], "desk");
    // Who only reads asks nobody: what this laptop is, it has not heard yet.
    let standing = || std::fs::read_to_string(desk.path("store/second.json")).expect("a standing");
    let before = standing();
    let said = desk.run(&["log"]);
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(before.contains(r#""is":"desk""#) && standing() == before, "{before}");
    let kept = desk.kept();
    let said = desk.run(&["result", "2", "0-2"]);
    assert!(said.err.contains("taken-over") && said.code == 1, "{}", said.all());
    assert!(said.err.contains(&follows.address.to_string()), "{}", said.all());
    // It is known from then on, also where the other one is not heard.
    follows.kill();
    for words in [&["note", "here"][..], &["drop", "ann"], &["new", "Saturday", "--rules", "mtr"]] {
        let said = desk.run(words);
        assert!(said.err.contains("taken-over") && said.code == 1, "{}", said.all());
    }
    assert_eq!(desk.kept(), kept, "nothing was recorded");
}

#[test]
fn a_command_goes_on_where_the_second_laptop_follows_and_says_so_where_it_does_not_answer() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    first.stop();
    let run = |words: &[&str]| {
        let output = rehearsal(&desk, words).output().expect("it runs");
        let said = Said::of(output);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said
    };
    let said = run(&["result", "2", "0-2"]);
    assert!(!said.err.contains("does not answer"), "{}", said.all());
    assert_eq!(status(&follows)["is"], "following");
    follows.kill();
    let said = run(&["result", "1", "2-0"]);
    let told = format!("the other laptop, at {}, does not answer", follows.address);
    assert_eq!(said.err.matches(&told).count(), 1, "{}", said.all());
    assert!(said.out.contains("(event "), "{}", said.all());
    // What the system says, and no part of the program.
    assert!(said.err.contains("refused") && !said.err.contains("client error"), "{}", said.all());
    // Before a round is paired the store is read, too: it is said once all the same.
    let said = run(&["pair"]);
    assert_eq!(said.err.matches(&told).count(), 1, "{}", said.all());
    let said = run(&["log"]);
    assert!(!said.err.contains("does not answer"), "who reads asks nobody: {}", said.all());
}

#[test]
fn a_code_of_a_server_on_this_machine_alone_comes_with_word_that_no_laptop_reaches_it() {
    let desk = friday();
    let first = Server::of(&desk);
    let alone = "listens on this machine alone";
    let said = desk.run(&["serve", "--second-code"]);
    assert!(said.code == 0 && said.out.contains("--second 127.0.0.1:"), "{}", said.all());
    assert!(said.err.contains(alone) && said.err.contains("scrutineer serve"), "{}", said.all());
    let made = first.local("POST", "/second/code", "make=code").json();
    assert!(made["note"].as_str().is_some_and(|note| note.contains(alone)), "{made}");
    let key = format!("Bearer {}", first.key);
    let shown = [("Authorization", key.as_str()), ("Accept", "text/html")];
    let page = first.send("GET", "/second", &shown, "");
    let made = first.send("POST", "/second/code", &shown, "make=code");
    for page in [page, made] {
        assert!(page.status == 200 && page.body.contains(alone), "{page:?}");
        assert!(!page.body.contains(r#"class="qr-big""#), "nobody scans that: {page:?}");
    }
}

#[test]
fn who_follows_signs_out_and_asks_and_is_told_on_the_page_what_is_the_desks() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let port = std::net::TcpListener::bind("127.0.0.2:0").and_then(|free| free.local_addr());
    let admin = port.expect("a free port").to_string();
    let more = ["--second", &code(&first), "--admin", &admin];
    let follows = Server::at(&laptop, "127.0.0.2:0", &more);
    until("everything", || status(&first)["has_everything"] == true);
    let own = format!("http://{}", follows.address);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let joined = follows.send("POST", &follows.owner, &[("Origin", &own), form], "name=Olga");
    let cookie = joined.header("set-cookie").and_then(|all| all.split(';').next());
    let headers = [("Cookie", cookie.expect("a session")), ("Origin", own.as_str()), form];
    let post = |path: &str, body: &str| follows.send("POST", path, &headers, body);
    // What is the desk's is refused: where a page asks, on a page.
    let floor = post("/t/Friday/floor", "do=stop-clock&key=a&back=/t/Friday/floor");
    let to = floor.header("location").expect("it leads back");
    assert!(to.starts_with("/t/Friday/floor?refused=follows-the-desk"), "{floor:?}");
    let link = post("/staff/links", "role=judge&key=b");
    assert_eq!((link.status, link.header("content-type")), (409, Some("text/html; charset=utf-8")));
    // A link of the desk is none here yet, and whoever has it is not to ask for another one.
    for path in ["/t/Friday/me/abcdefghijklmnop", "/t/Friday/me"] {
        let opened = follows.get(path);
        assert_eq!(opened.status, 409, "{path}: {opened:?}");
        assert!(opened.body.contains("on another laptop now"), "{path}: {opened:?}");
    }
    let (token, order) = (first.token("scorekeeper"), r#"{"order":"note","text":"x"}"#);
    let unknown = follows.order(&token, "t", order);
    assert_eq!((unknown.status, unknown.code().as_str()), (409, "follows-the-desk"));
    let link = follows.local("POST", "/api/v1/links", r#"{"role":"judge"}"#);
    assert_eq!((link.status, link.code().as_str()), (409, "follows-the-desk"));
    // What changes nothing is answered, and whoever is signed in can go.
    let checked = follows.send("POST", "/api/v1/rulesets/check", &[], "id = \"mine\"");
    assert_eq!(checked.status, 200, "{checked:?}");
    assert_eq!(post("/sign-out", "").status, 303);
    // Whoever is nobody here may be of the staff at the desk.
    let gone = follows.send("GET", "/t/Friday/desk", &headers, "");
    let there = format!("http://{}/t/Friday/desk", first.address);
    assert_eq!((gone.status, gone.header("location")), (409, Some(there.as_str())), "{gone:?}");
    // Orders are recorded at the desk: those who run this laptop learn that it is not ready for them.
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {admin}\r\nConnection: close\r\n\r\n");
    let ready = super::client::answered(admin.parse().expect("an address"), request.as_bytes());
    let ready = ready.expect("it answers");
    assert!(ready.status == 503 && ready.body.contains("follows"), "{ready:?}");
}

#[test]
fn a_code_is_used_once_and_a_stranger_gets_nothing() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let typed = code(&first);
    let _follows = Server::at(&laptop, "127.0.0.2:0", &["--second", &typed]);
    until("everything", || status(&first)["has_everything"] == true);
    let other = Desk::new();
    let said = other.run(&["serve", "--listen", "127.0.0.3:0", "--second", &typed]);
    assert!(said.err.contains("second-not-known"), "{}", said.all());
    // The code is made in the desk's store: the one that was typed here is another.
    let words = ["--store", "c", "serve", "--listen", "127.0.0.3:0", "--second", &typed];
    let said = other.run(&words);
    let hint = "at the desk, not here: `scrutineer serve --second-code`";
    assert!(said.err.contains("second-not-known") && said.err.contains(hint), "{}", said.all());
    let said = other.run(&["--store", "c", "serve", "--second", "127.0.0.1:7780/7KQM"]);
    assert!(said.err.contains("bad-second"), "{}", said.all());
    assert!(said.err.contains("not here: `scrutineer serve --second-code`"), "{}", said.all());
    // A typing error leads to a server of something else, which answers in its own way.
    let strange = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let at = strange.local_addr().expect("an address");
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        for (socket, status) in strange.incoming().zip(["404 Not Found", "200 OK"]) {
            let mut socket = socket.expect("connected");
            let _ = socket.read(&mut [0; 4_096]);
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n");
            let body = "Content-Length: 4\r\nConnection: close\r\n\r\n<p>x";
            let _ = socket.write_all(format!("{head}{body}").as_bytes());
        }
    });
    let to = typed.split_once('/').map(|(_, code)| format!("{at}/{code}")).expect("a code");
    for _ in 0..2 {
        let said =
            other.run(&["--store", "d", "serve", "--listen", "127.0.0.3:0", "--second", &to]);
        let told = format!("what answers at {at} is no Scrutineer desk");
        assert!(said.code != 0 && said.err.contains(&told), "{}", said.all());
    }
    let own = friday();
    let said = own.run(&["serve", "--listen", "127.0.0.3:0", "--second", &code(&first)]);
    assert!(said.err.contains("second-not-empty"), "{}", said.all());
    for body in ["", "x", &"x".repeat(100)] {
        let sent = first.send("POST", "/second", &[], body);
        assert_eq!((sent.status, sent.code().as_str()), (403, "second-not-known"), "{sent:?}");
    }
    let judge = first.token("head-judge");
    let made = first.send("POST", "/second/code", &[("Authorization", &judge)], "make=code");
    assert_eq!(made.code(), "not-allowed");
}

#[test]
fn a_second_laptop_that_hangs_costs_an_order_a_moment_once_and_is_told_as_behind() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let follows = second(&first, &laptop);
    let token = first.token("scorekeeper");
    let note = |name: &str| {
        let since = Instant::now();
        let sent = first.order(&token, name, r#"{"order":"note","text":"a bag"}"#);
        assert_eq!(sent.status, 201, "{sent:?}");
        since.elapsed()
    };
    note("a");
    signal("STOP", &follows);
    let waited: Vec<Duration> = ["b", "c", "d"].map(note).into();
    assert!(waited[0] < Duration::from_secs(3), "{waited:?}");
    assert_eq!(status(&first)["is_behind"], true);
    println!("a second laptop that hangs: {waited:?}");
    signal("CONT", &follows);
    until("it catches up", || status(&first)["is_behind"] == false);
    assert_eq!(log(&follows), log(&first));
}

/// The open page of a desk said that the second laptop had everything for as long as nothing was recorded.
#[test]
fn an_open_page_is_told_when_the_second_laptop_is_not_heard_any_more() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let mut pages = ["scorekeeper", "judge"].map(|role| {
        let token = first.token(role);
        let mut page = watch_with(&first, "/t/Friday/live", ("Authorization", &token));
        read_until(&mut page, "event: head");
        page
    });
    let since = Instant::now();
    follows.kill();
    // That it was heard at all may be told before.
    let shown = |page: &str| first.local("GET", &format!("/t/Friday/{page}"), "").body;
    while !shown("desk").contains("it was last heard") {
        for page in &mut pages {
            read_until(page, "event: second");
        }
        assert!(since.elapsed() < Duration::from_secs(30), "{:?}", since.elapsed());
    }
    // What open pages of these put in its place.
    for page in ["entry", "players", "floor"] {
        let html = shown(page);
        let line = html.split("data-second").nth(1).unwrap_or_default();
        assert!(line.contains("laptop:</strong> it was last heard"), "{page}: {html}");
    }
}

/// What was recorded on one laptop alone is told on both, and nothing of it is thrown away.
#[test]
fn two_histories_are_told_and_kept() {
    let (desk, laptop) = (friday(), Desk::new());
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let token = first.token("scorekeeper");
    house_arrives(&desk, &laptop);
    // The second laptop does not hear this one, and the first dies for good with it.
    signal("STOP", &follows);
    let alone = first.order(&token, "a", r#"{"order":"note","text":"only on the first"}"#);
    assert_eq!(alone.status, 201);
    first.kill();
    signal("CONT", &follows);
    take_over(&laptop, &mut follows);
    let order = r#"{"order":"note","text":"only on the second"}"#;
    until("the desk", || {
        follows.try_order(&token, "b", order).is_ok_and(|done| done.status == 201)
    });
    // It is told on both as soon as the first one hears of it.
    let parted = |server: &Server| {
        status(server)["trouble"].as_str().is_some_and(|why| why.contains("in different ways"))
    };
    let mut plain = Server::of(&desk);
    until("it is told", || parted(&plain) && parted(&follows));
    assert!(plain.local("GET", "/t/Friday/desk", "").body.contains("scrutineer adopt"));
    plain.kill();
    // Whoever types a command there is told, too.
    let refused = desk.run(&["note", "one more"]);
    assert!(refused.err.contains("taken-over"), "{}", refused.all());
    assert!(refused.err.contains("\"Friday\" went on in different ways"), "{}", refused.all());
    assert!(refused.err.contains("scrutineer adopt"), "{}", refused.all());
    let address = follows.address.to_string();
    let back = Server::at(&desk, "127.0.0.1:0", &["--second", &address]);
    until("it is told", || {
        status(&back)["trouble"].as_str().is_some_and(|why| why.contains("scrutineer adopt"))
    });
    // The desk does not count on a copy that keeps nothing, and whoever works there sees it.
    until("the desk knows", || parted(&follows));
    let page = follows.local("GET", "/t/Friday/desk", "").body;
    assert!(
        page.contains("it does not keep what is recorded here") && page.contains("adopt"),
        "{page}"
    );
    assert!(!page.contains("it has everything"), "{page}");
    // It says nothing of the one that takes its place.
    let next = Desk::new();
    let _next = second(&follows, &next);
    let page = follows.local("GET", "/t/Friday/desk", "").body;
    assert!(page.contains("it has everything") && !page.contains("does not keep"), "{page}");
    // The desk is gone for good: what is here goes on where somebody says that they mean it.
    follows.kill();
    let refused = Said::of(rehearsal(&desk, &["serve", "--take-over"]).output().expect("it runs"));
    assert!(refused.err.contains("second-not-whole"), "{}", refused.all());
    assert!(refused.err.contains("--even-if-heard"), "{}", refused.all());
    say_it(&desk, &["--even-if-heard"]);
    let kept = |desk: &Desk| desk.run(&["log"]).out;
    assert!(kept(&desk).contains("only on the first"), "{}", kept(&desk));
    assert!(kept(&laptop).contains("only on the second"), "{}", kept(&laptop));
}

/// It looked healthy, became the desk, and refused every result: its keys knew only the other way that it had gone.
#[test]
fn a_laptop_that_signed_another_history_and_follows_anew_records_once_it_is_the_desk() {
    let (desk, laptop) = (Desk::new(), Desk::new());
    // No rehearsal: in one nothing is held against what was signed.
    let run = |desk: &Desk, words: &[&str]| {
        let said = desk.run(words);
        assert_eq!(said.code, 0, "{words:?}: {}", said.all());
        said.all()
    };
    let serve = |desk: &Desk, address: &str, more: &[&str]| {
        let words = [&["serve", "--listen", address], more].concat();
        Server::played(desk, desk.command(&words))
    };
    for words in [
        &["new", "Friday", "--rules", "mtr"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "2-0"],
    ] {
        run(&desk, words);
    }
    let mut first = serve(&desk, "127.0.0.1:0", &[]);
    let mut follows = serve(&laptop, "127.0.0.2:0", &["--second", &code(&first)]);
    until("everything", || status(&first)["has_everything"] == true);
    let token = first.token("scorekeeper");
    house_arrives(&desk, &laptop);
    // Both pair round 2, which signs what was recorded, and neither hears the other one.
    first.kill();
    run(&laptop, &["serve", "--take-over"]);
    is_desk(&laptop, &mut follows);
    let paired = follows.order(&token, "p", r#"{"order":"pair"}"#);
    assert_eq!(paired.status, 201, "{paired:?}");
    let address = follows.address.to_string();
    follows.kill();
    run(&desk, &["pair"]);
    // They hear each other, and have parted.
    let mut follows = serve(&laptop, &address, &[]);
    let mut parted = serve(&desk, "127.0.0.1:0", &[]);
    until("it is told", || {
        status(&parted)["trouble"].as_str().is_some_and(|why| why.contains("in different ways"))
    });
    parted.kill();
    // The first machine begins anew, in a new folder with a new code; its keys are those that it had.
    std::fs::rename(desk.path("store"), desk.path("parted")).expect("set aside");
    let mut anew = serve(&desk, "127.0.0.1:0", &["--second", &code(&follows)]);
    until("everything", || {
        status(&follows)["has_everything"] == true && status(&anew)["has_everything"] == true
    });
    let signed = std::fs::read_dir(desk.path("keys/signed")).expect("what was signed");
    let names: Vec<String> =
        signed.map(|file| file.expect("a file").file_name().to_string_lossy().into()).collect();
    let aside = names.iter().filter(|name| name.contains(".parted-")).count();
    assert_eq!((aside, names.len()), (1, 2), "what was signed before stays beside it: {names:?}");
    // The desk is gone, and it goes on there.
    follows.kill();
    run(&desk, &["serve", "--take-over"]);
    is_desk(&desk, &mut anew);
    for (key, order) in [
        ("q", r#"{"order":"publish"}"#),
        ("r", r#"{"order":"result","slip":"1 2-0"}"#),
        ("s", r#"{"order":"result","slip":"2 2-0"}"#),
        ("t", r#"{"order":"pair"}"#),
    ] {
        let tag = anew.tag();
        let headers =
            [("Authorization", &token[..]), ("Idempotency-Key", key), ("If-Match", &tag[..])];
        let done = anew.send("POST", "/api/v1/tournaments/Friday/orders", &headers, order);
        assert_eq!(done.status, 201, "{order}: {done:?}");
    }
    anew.stop();
    run(&desk, &["verify"]);
}

/// What the other laptop had answered stayed there, and whoever took over was not told.
#[test]
fn who_takes_over_from_a_desk_that_parted_is_told_how_many_events_stay_there() {
    let (desk, laptop) = (friday(), Desk::new());
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let token = first.token("scorekeeper");
    house_arrives(&desk, &laptop);
    let seq = |server: &Server| {
        let stands = server.local("GET", "/api/v1/tournaments/Friday", "").json();
        stands["seq"].as_u64().expect("a number")
    };
    let note = |server: &Server, key: &str| {
        let order = format!(r#"{{"order":"note","text":"{key}"}}"#);
        let done = server.order(&token, key, &order);
        assert_eq!(done.status, 201, "{key}: {done:?}");
    };
    let both = seq(&first);
    signal("STOP", &follows);
    note(&first, "only on the first");
    first.kill();
    signal("CONT", &follows);
    take_over(&laptop, &mut follows);
    note(&follows, "one");
    // The first one follows as far as it can, and the desk goes on.
    let address = follows.address.to_string();
    let mut back = Server::at(&desk, "127.0.0.1:0", &["--second", &address]);
    until("it is told", || {
        status(&back)["trouble"].as_str().is_some_and(|why| why.contains("adopt"))
    });
    note(&follows, "two");
    note(&follows, "three");
    let told = |server: &Server| {
        let events = seq(server) - both;
        assert!(events > 1, "{events}");
        format!("the other laptop holds {events} events of \"Friday\" that are not here")
    };
    let stays = told(&follows);
    let words = ["serve", "--take-over", "--even-if-heard"];
    let said = Said::of(rehearsal(&desk, &words).output().expect("it runs"));
    assert!(said.out.contains("is the desk now") && said.out.contains(&stays), "{}", said.all());
    assert!(said.out.contains("scrutineer adopt <its handover>"), "{}", said.all());
    is_desk(&desk, &mut back);
    until("the other has heard", || {
        follows.order(&token, "x", r#"{"order":"note","text":"x"}"#).code() == "taken-over"
    });
    // The same where the one that takes over is started by that.
    note(&back, "four");
    let stays = told(&back);
    follows.kill();
    let errors = laptop.path("errors");
    let to = std::fs::File::create(&errors).expect("a file");
    let _again = Server::with_stderr(&laptop, &words[1..], to.into());
    let said = std::fs::read_to_string(&errors).expect("a text");
    assert!(said.contains(&stays), "{said}");
}

/// It said so up to two seconds before it answered anybody.
#[test]
fn a_laptop_that_says_that_it_is_the_desk_answers_the_very_next_order() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let follows = second(&first, &laptop);
    let token = first.token("scorekeeper");
    house_arrives(&desk, &laptop);
    // It hangs: whoever asks it waits.
    signal("STOP", &first);
    say_it(&laptop, &[]);
    let done = follows.try_order(&token, "k", r#"{"order":"note","text":"the very next"}"#);
    assert!(done.as_ref().is_ok_and(|done| done.status == 201), "{done:?}");
}

/// Waits until the second laptop has the house of the desk.
fn house_arrives(desk: &Desk, laptop: &Desk) {
    until("the house", || {
        let (here, there) = (desk.path("store/house.redb"), laptop.path("store/house.redb"));
        std::fs::read(here).ok() == std::fs::read(there).ok()
    });
}

/// The last order was answered by the old desk after the new one had begun, and both said that they had parted.
#[test]
fn a_desk_that_is_replaced_while_it_runs_answers_nothing_that_the_new_one_lacks() {
    let (desk, laptop) = (friday(), Desk::new());
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    assert_eq!(status(&follows)["has_everything"], true);
    let token = first.token("scorekeeper");
    let answered = std::thread::scope(|scope| {
        let orders = scope.spawn(|| {
            let mut answered = Vec::new();
            for number in 0.. {
                let text = format!("slip {number} is lost");
                let order = format!(r#"{{"order":"note","text":"{text}"}}"#);
                match first.try_order(&token, &format!("k{number}"), &order) {
                    Ok(done) if done.status == 201 => answered.push(text),
                    // Nothing was done: it is sent again, and the other laptop is the desk by then.
                    Ok(done) if done.status == 503 => {}
                    Ok(done) if done.body.contains("taken-over") => break,
                    other => panic!("{other:?}"),
                }
            }
            answered
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        say_it(&laptop, &["--even-if-heard"]);
        orders.join().expect("ordered")
    });
    assert!(!answered.is_empty());
    let log = laptop.run(&["log"]).out;
    let lacks: Vec<&String> = answered.iter().filter(|text| !log.contains(*text)).collect();
    assert_eq!(lacks, [] as [&String; 0], "of {}", answered.len());
    // And none of both has what the other one lacks.
    is_desk(&laptop, &mut follows);
    first.kill();
    let _back = Server::at(&desk, "127.0.0.1:0", &["--second", &follows.address.to_string()]);
    until("it follows", || status(&follows)["has_everything"] == true);
}

/// It answered an order on its own before it heard of the other one, and both said that they had parted.
#[test]
fn a_desk_that_hung_while_it_was_replaced_records_nothing_when_it_wakes() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let token = first.token("scorekeeper");
    signal("STOP", &first);
    let hung = std::time::Instant::now();
    take_over(&laptop, &mut follows);
    // One that was sent meanwhile waits for it, and is the first that it hears of.
    let waits = std::thread::scope(|scope| {
        let note = r#"{"order":"note","text":"sent while it hung"}"#;
        let waits = scope.spawn(|| first.order(&token, "waits", note));
        std::thread::sleep(std::time::Duration::from_secs(7).saturating_sub(hung.elapsed()));
        signal("CONT", &first);
        waits.join().expect("it is answered")
    });
    assert_eq!(waits.status, 409, "{waits:?}");
    // The room is led to the desk, and reads nothing that gets old.
    for path in ["/t/Friday/round", "/t/Friday/standings", "/t/Friday/live"] {
        let public = first.get(path);
        assert_eq!(
            (public.status, public.body.contains(&follows.address.to_string())),
            (409, true),
            "{path}"
        );
    }
    let late = first.order(&token, "late", r#"{"order":"note","text":"too late"}"#);
    assert_eq!(late.status, 409, "{late:?}");
    assert!(late.body.contains("taken-over"), "{late:?}");
}

/// It showed an address in words, and open pages said for good that they are not connected.
#[test]
fn whoever_opens_the_replaced_laptop_is_led_to_the_same_page_at_the_desk() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let links = links(&first);
    let phone = phone(&first, &links[&1]);
    let made = |path: &str, body: &str| {
        let made = first.local("POST", path, body);
        made.json()["path"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_string()
    };
    let join = made("/api/v1/links", r#"{"role":"judge"}"#);
    let screen = made("/api/v1/tournaments/Friday/screens", r#"{"another":false}"#);
    house_arrives(&desk, &laptop);
    say_it(&laptop, &["--even-if-heard"]);
    is_desk(&laptop, &mut follows);
    until("it has heard", || status(&first)["is"] == "taken-over");
    let there = format!("http://{}", follows.address);
    let page = ("Accept", "text/html");
    let standings = "/t/Friday/standings?lang=de";
    for path in ["/", standings, join.as_str(), screen.as_str(), links[&2].as_str()] {
        let led = first.send("GET", path, &[page], "");
        let to = format!("{there}{path}");
        assert_eq!((led.status, led.header("location")), (307, Some(to.as_str())), "{led:?}");
        let opened = follows.get(path);
        assert_eq!(opened.status, 200, "{path}: {opened:?}");
    }
    // The owner of this laptop looks at it still.
    assert_eq!(first.send("GET", &first.owner, &[page], "").status, 200);
    // A phone has no cookie for the other address, and is its player's there all the same, once they say so: whoever gets
    // its address from somebody else is asked too, and the secret of the device does not stand in it.
    let own = links[&1].rsplit_once('/').expect("a path").0;
    let mine = format!("{own}?player=1");
    let led = first.send("GET", &mine, &[page, ("Cookie", &phone)], "");
    let to = led.header("location").and_then(|to| to.strip_prefix(&there));
    let to = to.unwrap_or_else(|| panic!("{led:?}"));
    let (_, secret) = phone.split_once('=').expect("a value");
    assert!(!to.contains(secret), "{to}");
    let came = follows.get(to);
    assert_eq!((came.status, came.header("set-cookie")), (200, None), "{came:?}");
    assert!(came.body.contains("Are you Ann?"), "{came:?}");
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let press = |path: &str, origin: &str| {
        follows.send("POST", path, &[("Origin", origin), form], "do=bind")
    };
    let other = press(to, "http://192.0.2.7");
    assert_eq!((other.status, other.code().as_str()), (403, "other-origin"), "{other:?}");
    let pressed = press(to, &there);
    let location = pressed.header("location");
    assert_eq!((pressed.status, location), (303, Some(mine.as_str())), "{pressed:?}");
    let cookie = pressed.header("set-cookie").and_then(|all| all.split(';').next());
    assert_eq!(cookie, Some(phone.as_str()));
    assert!(me(&follows, &phone, "?player=1").contains("Ann"));
    // Whoever has the address from it makes no other phone its player's.
    let second = press(to, &there);
    assert_eq!((second.status, second.header("set-cookie")), (404, None), "{second:?}");
    let copied = follows.get(&format!("{own}/{secret}"));
    assert_eq!((copied.status, copied.header("set-cookie")), (404, None), "{copied:?}");
    // The same where it reads its own strip once more; and a phone that has been there before keeps its cookie.
    let led = first.send("GET", &links[&1], &[page, ("Cookie", &phone)], "");
    let to = led.header("location").and_then(|to| to.strip_prefix(&there));
    let to = to.unwrap_or_else(|| panic!("{led:?}"));
    let again = follows.send("GET", to, &[("Cookie", &phone)], "");
    assert_eq!((again.status, again.header("location")), (303, Some(mine.as_str())), "{again:?}");
    assert_eq!(again.header("set-cookie"), None);
    // Pages that are open ask for themselves again.
    let mut round = watch_with(&first, "/t/Friday/live?page=1", ("Last-Event-ID", "0"));
    read_until(&mut round, "event: elsewhere");
    let path = format!("{own}/live?page=1&player=1");
    read_until(&mut watch_with(&first, &path, ("Cookie", &phone)), "event: elsewhere");
    // Nobody is led to where nobody answers.
    follows.kill();
    let link = format!("href=\"{there}/\"");
    until("a page with a link", || {
        let said = first.send("GET", "/", &[page], "");
        said.status == 409 && said.body.contains(&link)
    });
}

/// A wall that a judge had opened went on with standings of before and then was an error page for good, and a code that
/// was typed where the desk had been did nothing.
#[test]
fn a_replaced_laptop_leads_the_screens_of_the_staff_and_who_signs_in_to_the_desk() {
    let (desk, laptop) = (friday(), Desk::new());
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let link = || {
        let made = first.local("POST", "/api/v1/links", r#"{"role":"judge"}"#);
        made.json()["path"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_string()
    };
    let (own, form) = (
        format!("http://{}", first.address),
        ("Content-Type", "application/x-www-form-urlencoded"),
    );
    let joined = first.send("POST", &link(), &[("Origin", &own), form], "name=Olga");
    let cookie = joined.header("set-cookie").and_then(|all| all.split(';').next());
    let (page, olga) = (("Accept", "text/html"), ("Cookie", cookie.expect("a session")));
    let screen = "/t/Friday/screen";
    assert_eq!(first.send("GET", screen, &[page, olga], "").status, 200);
    let (typed, keeper) = (link(), first.token("scorekeeper"));
    house_arrives(&desk, &laptop);
    say_it(&laptop, &["--even-if-heard"]);
    is_desk(&laptop, &mut follows);
    until("it has heard", || status(&first)["is"] == "taken-over");
    let there = format!("http://{}", follows.address);
    let is_led = |server: &Server, path: &str, headers: &[(&str, &str)]| {
        let led = server.send("GET", path, &[&[page], headers].concat(), "");
        let to = format!("{there}{path}");
        assert_eq!((led.status, led.header("location")), (307, Some(to.as_str())), "{led:?}");
    };
    is_led(&first, screen, &[olga]);
    // The script of the screen sees by the answer that its page is led on.
    let asked = first.send("GET", screen, &[olga], "");
    assert!(asked.status == 409 && asked.header("location").is_some(), "{asked:?}");
    // The staff look at the other pages still, and what they print says what it is.
    assert_eq!(first.send("GET", "/t/Friday/standings", &[page, olga], "").status, 200);
    for what in ["pairings-by-name", "standings", "slips"] {
        let path = format!("/t/Friday/print/{what}");
        let sheet = first.send("GET", &path, &[("Authorization", &keeper)], "").body;
        assert!(sheet.contains("Not from the desk"), "{what}: {sheet}");
        assert!(sheet.contains(&follows.address.to_string()), "{what}: {sheet}");
    }
    // Who signs in does so at the desk. A form leads nowhere else, so its answer has a link with what was typed.
    is_led(&first, "/sign-in?back=/t/Friday/floor", &[]);
    let code = typed.rsplit('/').next().expect("a code");
    let path = format!("/sign-in?back=/t/Friday/floor&code={code}");
    let told = first.send("GET", &path, &[page], "");
    assert_eq!((told.status, told.header("location")), (409, None), "{told:?}");
    let way = format!("href=\"{there}/join/{code}?back=");
    assert!(told.body.contains(&way), "{way}: {told:?}");
    assert_eq!(follows.get(&typed).status, 200);
    let posted = first.send("POST", "/sign-in", &[page, ("Origin", &own), form], "name=Eva");
    let way = format!("href=\"{there}/\"");
    assert!(posted.status == 409 && posted.body.contains(&way), "{posted:?}");
    // The owner of this laptop looks at it still.
    let path = format!("/sign-in?code={}", first.owner.rsplit('/').next().expect("a code"));
    let owner = first.send("GET", &path, &[page], "");
    let to = owner.header("location").unwrap_or_default();
    assert!(owner.status == 303 && to.starts_with(&first.owner), "{owner:?}");
    // It follows, and knows the judge no more: they may be the desk's.
    first.kill();
    let back = Server::at(&desk, "127.0.0.1:0", &["--second", &follows.address.to_string()]);
    until("everything", || status(&follows)["has_everything"] == true);
    for path in [screen, "/t/Friday/desk", "/t/Friday/print/index"] {
        is_led(&back, path, &[olga]);
    }
}

/// It went from red back to green, and said that the second laptop had everything.
#[test]
fn an_open_page_whose_line_comes_back_sees_that_its_laptop_is_not_the_desk_any_more() {
    let (desk, laptop) = (friday(), Desk::new());
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    let token = first.token("scorekeeper");
    let opened = |server: &Server| {
        server.send("GET", "/t/Friday/desk", &[("Authorization", &token)], "").body
    };
    let line = |server: &Server| {
        let path = "/t/Friday/live?page=1&after=1";
        let mut line = watch_with(server, path, ("Authorization", &token));
        read_until(&mut line, "event: second")
    };
    until("nothing is new", || {
        opened(&first).contains(r#"data-laptops="false-false""#)
            && line(&first).contains(r#"{"stands":"false-false"}"#)
    });
    first.kill();
    take_over(&laptop, &mut follows);
    let back = Server::of(&desk);
    let told = line(&back);
    assert!(told.contains(r#"{"stands":"true-true"}"#), "{told}");
    assert!(opened(&back).contains(r#"data-laptops="true-true""#), "{}", opened(&back));
}

/// Started again by the command that its window had been started with, it followed the one that it had replaced, and
/// nobody recorded.
#[test]
fn a_laptop_that_has_become_the_desk_does_not_follow_the_one_that_it_replaced() {
    let (desk, laptop) = (friday(), Desk::new());
    let first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    say_it(&laptop, &["--even-if-heard"]);
    is_desk(&laptop, &mut follows);
    follows.kill();
    let typed = ["serve", "--second", &first.address.to_string()];
    let refused = Said::of(rehearsal(&laptop, &typed).output().expect("it runs"));
    assert!(refused.err.contains("desk-already"), "{}", refused.all());
}

fn signal(name: &str, server: &Server) {
    let id = server.process().to_string();
    let sent = std::process::Command::new("kill").args([&format!("-{name}"), &id]).status();
    assert!(sent.expect("kill runs").success());
}

/// How many players sit in the hall.
const PLAYERS: usize = 1_200;

/// A command under the rehearsal.
fn rehearsal(desk: &Desk, words: &[&str]) -> std::process::Command {
    let mut command = desk.command(words);
    command.env("SCRUTINEER_REHEARSE", WORD);
    command
}

/// Power off in round 3 of 1,200 players while three desks enter slips: the second laptop goes on
/// within a minute, every slip that was answered is there once, and the first records nothing more.
#[test]
fn a_hall_of_1200_goes_on_when_the_laptop_dies() {
    let (desk, laptop) = (Desk::new(), Desk::new());
    rehearsed(&desk, &["new", "Friday", "--rules", "mtr", "--phase", "swiss:9"]);
    let names: String = (1..=PLAYERS).map(|number| format!("Player {number:04}\n")).collect();
    desk.write("players.csv", format!("name\n{names}").as_bytes());
    rehearsed(&desk, &["enroll", "--csv", "players.csv"]);
    let tables = PLAYERS / 2;
    for round in 1..=3 {
        for verb in ["pair", "publish"] {
            rehearsed(&desk, &[verb]);
        }
        if round < 3 {
            let slips: String =
                (1..=tables).map(|table| format!("{table} 2-{}\n", table % 2)).collect();
            let said = desk.feed(rehearsal(&desk, &["result", "-"]), &slips);
            assert_eq!(said.code, 0, "{}", said.all());
        }
    }
    let mut first = Server::of(&desk);
    let tokens: Vec<String> = (0..3).map(|_| first.token("scorekeeper")).collect();
    let mut follows = second(&first, &laptop);
    until("everything", || status(&first)["has_everything"] == true);
    // Three desks enter slips; what is not answered is sent again, to whoever is the desk.
    let next = AtomicUsize::new(1);
    let (died, answered) = (AtomicBool::new(false), Mutex::new(BTreeMap::new()));
    let since = Mutex::new(None::<Instant>);
    let first_after = Mutex::new(None::<Duration>);
    let gone = std::thread::scope(|scope| {
        for token in &tokens {
            let (first, follows) = (&first, &follows);
            let (next, died, answered, since, first_after) =
                (&next, &died, &answered, &since, &first_after);
            scope.spawn(move || {
                loop {
                    let table = next.fetch_add(1, Ordering::Relaxed);
                    if table > tables {
                        return;
                    }
                    let order = format!(r#"{{"order":"result","slip":"{table} 2-{}"}}"#, table % 2);
                    let begun = Instant::now();
                    loop {
                        let to = if died.load(Ordering::Relaxed) { follows } else { first };
                        match to.try_order(token, &format!("slip {table}"), &order) {
                            Ok(done) if done.status == 200 || done.status == 201 => {
                                let seq = done.json()["first_seq"].as_u64().expect("a number");
                                answered.lock().expect("whole").insert(table, seq);
                                let since = *since.lock().expect("whole");
                                if let Some(since) = since {
                                    let mut after = first_after.lock().expect("whole");
                                    after.get_or_insert(since.elapsed());
                                }
                                break;
                            }
                            _ => std::thread::sleep(Duration::from_millis(20)),
                        }
                        assert!(begun.elapsed() < Duration::from_secs(60), "table {table}");
                    }
                }
            });
        }
        until("slips", || answered.lock().expect("whole").len() >= 150);
        let before = answered.lock().expect("whole").clone();
        *since.lock().expect("whole") = Some(Instant::now());
        signal("KILL", &first);
        died.store(true, Ordering::Relaxed);
        say_it(&laptop, &[]);
        before
    });
    first.kill_if_there();
    follows.key = super::client::local_key(&laptop);
    let after = first_after.into_inner().expect("whole").expect("a slip after the power went");
    assert!(after < Duration::from_secs(60), "{after:?}");
    println!(
        "{} slips were answered when the power went; the next one after {after:?}",
        gone.len()
    );
    // Every slip is there once, with the numbers that were answered.
    let answered = answered.into_inner().expect("whole");
    assert_eq!(answered.len(), tables);
    assert_eq!(answered.values().collect::<BTreeSet<_>>().len(), tables);
    let at = follows.local("GET", "/api/v1/tournaments/Friday", "").json();
    assert_eq!((at["round"].as_u64(), at["missing"].as_u64()), (Some(3), Some(0)), "{at}");
    let address = follows.address.to_string();
    follows.stop();
    let log = rehearsed(&laptop, &["log"]);
    let round = log.lines().filter(|line| line.contains("R3") && line.contains("2-")).count();
    assert_eq!(round, tables, "results of round 3 in the log");
    let verified = laptop.run(&["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.all());
    // The first one comes back, hears that the other is the desk, and records nothing.
    let follows = Server::at(&laptop, &address, &[]);
    let back = Server::of(&desk);
    until("it is told", || status(&back)["is"] == "taken-over");
    let head = back.get("/api/v1/tournaments/Friday").json()["seq"].clone();
    let refused = back.order(&tokens[0], "m", r#"{"order":"note","text":"here"}"#);
    assert_eq!(refused.code(), "taken-over", "{refused:?}");
    assert_eq!(back.get("/api/v1/tournaments/Friday").json()["seq"], head);
    drop(follows);
}

#[test]
fn webhooks_are_told_by_the_desk_alone_and_go_on_where_it_moves_to() {
    use super::webhooks::{Receiver, Taken, hook};
    let (desk, laptop, receiver) = (friday(), Desk::new(), Receiver::new());
    let to = ["--webhooks-to", "127.0.0.1"];
    let mut first = Server::with(&desk, &to);
    let typed = code(&first);
    let words = [&["--second", &typed][..], &to[..]].concat();
    let mut follows = Server::at(&laptop, "127.0.0.2:0", &words);
    until("everything", || status(&first)["has_everything"] == true);
    let (_, secret) = hook(&first, &receiver.url(), None);
    let token = first.token("scorekeeper");
    assert_eq!(first.order(&token, "k", r#"{"order":"result","slip":"1 2-0"}"#).status, 201);
    receiver.gets(1);
    let delivered = || {
        let listed = first.local("GET", "/api/v1/webhooks", "").json();
        listed["webhooks"][0]["delivered"] == 1
    };
    until("that it is kept", delivered);
    until("everything", || status(&first)["has_everything"] == true);
    first.kill();
    take_over(&laptop, &mut follows);
    assert_eq!(follows.order(&token, "l", r#"{"order":"result","slip":"2 2-0"}"#).status, 201);
    until("the second one", || receiver.taken().iter().any(|one| one.told().1 == 2));
    let taken = receiver.taken();
    // What the second laptop had not heard to be delivered comes once more, and nothing out of order.
    let mut numbers: Vec<u64> = taken.iter().map(|one| one.told().1).collect();
    numbers.dedup();
    assert_eq!(numbers, [1, 2], "{taken:?}");
    assert!(taken.iter().all(|one: &Taken| one.is_signed(&secret)));
}

//! A witness: a verified copy of what is run elsewhere, also over a line that drops, delays, repeats and
//! cuts; and a history that was rewritten is noticed.

use super::client::{Server, friday, rehearsed};
use super::follow_push::until;
use super::proxy::{Fault, Proxy};
use crate::cli::desk::{Desk, Said};
use serde_json::Value;

/// Somebody elsewhere, without the organizer's key.
pub fn elsewhere() -> Desk {
    let desk = Desk::new();
    std::fs::remove_dir_all(desk.path("keys")).expect("removed");
    desk
}

/// A witness catches up once.
fn once(witness: &Desk, address: &str) -> Said {
    witness.run(&["--json", "follow", address, "--once"])
}

/// The last line that a witness said.
fn last(said: &Said) -> Value {
    let line = said.out.lines().last().unwrap_or_else(|| panic!("{}", said.all()));
    serde_json::from_str(line).expect("JSON")
}

fn page(server: &Server) -> String {
    format!("http://{}/t/Friday", server.address)
}

/// A desk's folder, twice.
pub fn twice(desk: &Desk) -> Desk {
    let other = Desk::new();
    let status = std::process::Command::new("cp")
        .args(["-r", &format!("{}/.", desk.path("").display())])
        .arg(other.path(""))
        .status();
    assert!(status.expect("cp runs").success());
    let _ = std::fs::remove_file(other.path("store/server.json"));
    other
}

/// The log of a store, each event as its line.
fn log(desk: &Desk) -> Vec<String> {
    let said = desk.run(&["--json", "log"]);
    said.out.lines().map(str::to_string).collect()
}

#[test]
fn a_witness_has_what_is_public_and_signed_and_records_nothing_in_it() {
    let (desk, witness) = (friday(), elsewhere());
    let server = Server::of(&desk);
    let said = once(&witness, &page(&server));
    assert_eq!(said.code, 0, "{}", said.all());
    let told = last(&said);
    assert_eq!((told["events"].as_u64(), &told["is_whole"]), (Some(10), &true.into()), "{told}");
    // A result, and a draft that nobody is told of.
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-1"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let before = last(&once(&witness, &page(&server)))["events"].as_u64().expect("a number");
    let public = server.get("/api/v1/tournaments/Friday").json()["seq"].as_u64();
    let all = server.local("GET", "/api/v1/tournaments/Friday", "").json()["seq"].as_u64();
    assert!(Some(before) == public && public < all, "{before} of {public:?} of {all:?}");
    assert_eq!(last(&once(&witness, &page(&server)))["events"], before);
    rehearsed(&desk, &["publish"]);
    assert!(last(&once(&witness, &page(&server)))["events"].as_u64() > Some(before));
    // It is verified, as any log is, and every record is under a checkpoint.
    let verified = witness.run(&["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.all());
    assert!(!verified.all().contains("not-covered"), "{}", verified.all());
    let refused = witness.run(&["result", "1", "2-0"]);
    assert!(refused.code == 1 && refused.all().contains("is-a-copy"), "{}", refused.all());
    // It is served, and those who follow the copy have the same.
    drop(server);
    let serves = Server::of(&witness);
    let second = elsewhere();
    let said = once(&second, &format!("http://{}/", serves.address));
    assert_eq!(said.code, 0, "{}", said.all());
    assert_eq!(log(&second), log(&witness));
    let order = r#"{"order":"note","text":"x"}"#;
    let id = last(&said)["tournament"]["id"].as_str().expect("an id").to_string();
    let refused =
        serves.local_under("1", "POST", &format!("/api/v1/tournaments/{id}/orders"), order);
    assert_eq!((refused.status, refused.code().as_str()), (409, "is-a-copy"), "{refused:?}");
    // Nobody pushes it, so that no venue is heard or missed.
    let page = serves.get(&format!("/t/{id}/round/1")).body;
    assert!(page.contains("A copy, as of event") && !page.contains("was not heard"), "{page}");
}

#[test]
fn a_history_that_was_rewritten_and_signed_with_the_real_key_is_noticed() {
    let desk = friday();
    let (other, witness) = (twice(&desk), elsewhere());
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let (page, address) = (page(&server), server.address.to_string());
    assert_eq!(once(&witness, &page).code, 0);
    let kept = log(&witness);
    server.stop();
    // The other one says otherwise who won, and goes on further; the witness was started anew.
    for words in [&["result", "1", "0-2"][..], &["result", "2", "2-1"], &["announce"]] {
        rehearsed(&other, words);
    }
    let server = Server::at(&other, &address, &[]);
    for _ in 0..2 {
        let said = once(&witness, &page);
        assert_eq!(said.code, 1, "{}", said.all());
        let told = last(&said);
        assert_eq!(told["error"]["code"], "log-re-signed", "{told}");
        let message = told["error"]["message"].as_str();
        assert!(
            message.is_some_and(|message| message.contains("event 11 is another one")),
            "{told}"
        );
        assert_eq!(log(&witness), kept, "what it has stays");
    }
    drop(server);
    // A new witness follows the other one, and what is kept proves that there are two.
    let verified = witness.run(&["verify"]);
    assert_eq!(verified.code, 1, "{}", verified.all());
    assert!(verified.all().contains("event 11 is another one"), "{}", verified.all());
    assert!(verified.all().contains("keep this store"), "{}", verified.all());
    let review = witness.run(&["review", "--verify"]);
    assert!(review.code == 1 && review.all().contains("log-re-signed"), "{}", review.all());
    // What it hands on says so too.
    for words in [
        &["checkpoint"][..],
        &["prove", "--seq", "10"],
        &["publish-to", "pages"],
        &["bundle", "export", "bundles"],
    ] {
        let said = witness.run(words);
        assert_eq!(said.code, 1, "{words:?}: {}", said.all());
        assert!(said.err.contains("event 11 is another one"), "{words:?}: {}", said.all());
    }
    // Lists and the season counted it like any other.
    for words in [&["tournaments"][..], &["rebuild", "--rules", "carde"]] {
        let listed = witness.run(words).all();
        assert!(listed.to_lowercase().contains("rewritten"), "{words:?}: {listed}");
    }
}

/// A witness that kept running never took in what went on from its own history, once a tournament was rewritten.
#[test]
fn a_running_witness_of_a_rewritten_tournament_takes_in_what_goes_on_from_its_history() {
    let desk = friday();
    let (other, witness) = (twice(&desk), elsewhere());
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let address = server.address.to_string();
    let mut follows = witness.command(&["follow", &format!("http://{address}/")]);
    follows.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut follows = follows.spawn().expect("it starts");
    let events = || {
        let said = witness.run(&["--json", "tournaments"]);
        serde_json::from_str::<Value>(said.out.trim())
            .ok()
            .and_then(|all| all[0]["events"].as_u64())
    };
    until("the first log", 60, || events() == Some(11));
    server.stop();
    for words in [&["result", "1", "0-2"][..], &["result", "2", "2-1"], &["announce"]] {
        rehearsed(&other, words);
    }
    let server = Server::at(&other, &address, &[]);
    until("that it is rewritten", 60, || {
        witness.run(&["tournaments"]).all().to_lowercase().contains("rewritten")
    });
    until("that it stayed", 10, || events() == Some(11));
    server.stop();
    for words in [&["result", "2", "1-2"][..], &["announce"]] {
        rehearsed(&desk, words);
    }
    let server = Server::at(&desk, &address, &[]);
    let there = server.get("/api/v1/tournaments/Friday").json()["seq"].as_u64();
    assert!(there > Some(11));
    until("what goes on", 60, || events() == there);
    assert!(witness.run(&["tournaments"]).all().to_lowercase().contains("rewritten"));
    follows.kill().expect("killed");
    follows.wait().expect("gone");
}

#[test]
fn a_history_that_became_shorter_is_no_other_one_and_one_of_the_same_length_is() {
    let desk = friday();
    let (older, witness) = (twice(&desk), elsewhere());
    rehearsed(&desk, &["result", "1", "2-0"]);
    let server = Server::of(&desk);
    let (page, address) = (page(&server), server.address.to_string());
    assert_eq!(once(&witness, &page).code, 0);
    server.stop();
    // Restored from an older copy, it has less, and says nothing else.
    let server = Server::at(&older, &address, &[]);
    let said = once(&witness, &page);
    assert_eq!((said.code, last(&said)["events"].as_u64()), (0, Some(11)), "{}", said.all());
    rehearsed(&older, &["result", "1", "2-1"]);
    let said = once(&witness, &page);
    assert_eq!((said.code, &last(&said)["error"]["code"]), (1, &"log-re-signed".into()));
    drop(server);
}

/// Because of one tournament without a key a witness of a whole server ended as if nothing had been found out.
#[test]
fn a_tournament_that_nobody_signed_is_told_and_what_the_others_are_found_to_be_stands() {
    let (desk, witness) = (friday(), elsewhere());
    desk.write("cup.csv", b"round,player_a,player_b,games_a,games_b\n1,Ann,Bob,2,0\n");
    rehearsed(&desk, &["import", "cup.csv", "--rules", "mtr"]);
    let server = Server::of(&desk);
    let said = once(&witness, &format!("http://{}/", server.address));
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(said.out.contains("[nothing-signed]") || said.out.contains("\"nothing-signed\""));
    assert!(said.out.contains("\"is_whole\":true"), "{}", said.all());
}

/// A witness of a whole server ended with exit code 2 for ever because of one tournament whose records need a token.
#[test]
fn a_tournament_whose_records_need_a_token_is_told_and_the_others_are_followed() {
    let (desk, witness) = (friday(), elsewhere());
    rehearsed(&desk, &["new", "Sunday", "--rules", "mtr"]);
    let server = Server::of(&desk);
    let policy = r#"{"records":"with-token","hidden_from":null}"#;
    let kept = server.local("PUT", "/api/v1/tournaments/Sunday/policies", policy);
    assert_eq!(kept.status, 200, "{kept:?}");
    for _ in 0..2 {
        let said = once(&witness, &format!("http://{}/", server.address));
        assert_eq!(said.code, 0, "{}", said.all());
        assert!(said.out.contains("\"not-allowed\""), "{}", said.all());
        assert!(said.out.contains("without a token"), "{}", said.all());
        assert!(said.out.contains("\"is_whole\":true"), "{}", said.all());
    }
    let said = once(&witness, &format!("http://{}/t/Sunday", server.address));
    assert!(said.code != 0 && said.all().contains("not-allowed"), "{}", said.all());
}

/// A witness of a whole server whose store was lost read "nothing is public there yet", with exit code 0.
#[test]
fn a_witness_of_a_whole_server_says_which_of_its_copies_are_not_there_any_more() {
    let (desk, witness, empty) = (friday(), elsewhere(), Desk::new());
    let server = Server::of(&desk);
    let address = server.address.to_string();
    let all = format!("http://{address}/");
    assert_eq!(once(&witness, &all).code, 0);
    let kept = log(&witness);
    server.stop();
    let server = Server::at(&empty, &address, &[]);
    for _ in 0..2 {
        let said = once(&witness, &all);
        assert_eq!(said.code, 2, "{}", said.all());
        let told = last(&said);
        assert_eq!(told["error"]["code"], "gone-there", "{told}");
        assert_eq!(told["tournament"]["title"], "Friday", "{told}");
        assert_eq!(log(&witness), kept, "what it has stays");
    }
    // Who has no copy from there misses nothing.
    let said = elsewhere().run(&["follow", &all, "--once"]);
    assert!(said.code == 0 && said.out.contains("nothing is public there yet"), "{}", said.all());
    server.stop();
    let _server = Server::at(&desk, &address, &[]);
    let said = once(&witness, &all);
    assert!(said.code == 0 && last(&said)["is_whole"] == true, "{}", said.all());
}

/// A running one was told by the tournament's refusal alone, or not at all.
#[test]
fn a_running_witness_says_once_that_a_tournament_is_gone() {
    let (desk, witness, empty) = (friday(), elsewhere(), Desk::new());
    let server = Server::of(&desk);
    let address = server.address.to_string();
    let mut follows = witness.command(&["--json", "follow", &format!("http://{address}/")]);
    let said = std::fs::File::create(witness.path("said")).expect("a file");
    follows.stdout(said).stderr(std::process::Stdio::null());
    let mut follows = follows.spawn().expect("it starts");
    let told = |word: &str| {
        let said = std::fs::read_to_string(witness.path("said")).expect("a file");
        said.matches(word).count()
    };
    until("the log", 60, || told("\"is_whole\":true") == 1);
    server.stop();
    let _server = Server::at(&empty, &address, &[]);
    until("that it is gone", 60, || told("gone-there") > 0);
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert_eq!((told("gone-there"), told("unknown-tournament")), (1, 0));
    follows.kill().expect("killed");
    follows.wait().expect("gone");
}

/// Whatever a server said of its own log stood there in red as if it had been found out here, with a hint that named
/// the store of whoever follows.
#[test]
fn what_a_server_only_says_is_told_as_its_words_and_is_no_proof() {
    use std::io::{Read, Write};
    let witness = elsewhere();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let address = listener.local_addr().expect("an address");
    let id = "7b".repeat(16);
    let row = format!(r#"{{"tournament":{{"id":"{id}","title":"Friday"}},"events":5}}"#);
    let list = format!(r#"{{"tournaments":[{row}]}}"#);
    let refusal = r#"{"kind":"refused","code":"log-re-signed","detail":"it is another log","hint":"keep this store"}"#;
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let (mut socket, mut bytes) = (socket.expect("connected"), [0; 4_096]);
            let count = socket.read(&mut bytes).unwrap_or(0);
            let asked = String::from_utf8_lossy(&bytes[..count]).to_string();
            let (status, body) = match asked.contains("/records") {
                true => ("409 Conflict", refusal),
                false => ("200 OK", &list[..]),
            };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
            let _ = socket.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes());
        }
    });
    let said = witness.run(&["follow", &format!("http://{address}/"), "--once"]);
    assert_eq!(said.code, 2, "{}", said.all());
    for words in ["the server says: it is another log [log-re-signed]", "[refused-there]"] {
        assert!(said.out.contains(words), "{words}: {}", said.all());
    }
    for words in ["REWRITTEN", "keep this store"] {
        assert!(!said.all().contains(words), "{words}: {}", said.all());
    }
}

/// One lost answer began the whole round over, so that a bad line kept the last of many tournaments back for ever.
#[test]
fn a_line_that_loses_some_answers_keeps_no_tournament_of_a_whole_server_back() {
    const COUNT: usize = 12;
    let (desk, witness) = (friday(), elsewhere());
    for number in 1..COUNT {
        rehearsed(&desk, &["new", &format!("Cup {number}"), "--rules", "mtr"]);
    }
    let server = Server::of(&desk);
    let proxy = Proxy::to(server.address);
    proxy.fault(Fault::RefuseEach(5));
    let said = once(&witness, &format!("http://{}/", proxy.address));
    assert_eq!(said.code, 0, "{}", said.all());
    assert_eq!(said.out.matches("\"is_whole\":true").count(), COUNT, "{}", said.all());
    assert!(proxy.faults() > 0, "the line was bad");
}

#[test]
fn what_a_key_does_not_stand_for_is_not_taken() {
    let (desk, witness) = (friday(), elsewhere());
    let server = Server::of(&desk);
    let key = "7".repeat(64);
    let said = witness.run(&["--json", "follow", &page(&server), "--once", "--key", &key]);
    assert_eq!(said.code, 1, "{}", said.all());
    assert!(said.all().contains("not-signed"), "{}", said.all());
    assert!(witness.run(&["log"]).code != 0, "nothing was taken in");
}

#[test]
fn a_tournament_that_is_run_here_is_not_followed_into_its_own_store() {
    let desk = friday();
    let other = twice(&desk);
    let server = Server::of(&desk);
    let said = once(&other, &page(&server));
    assert!(said.code == 1 && said.all().contains("run-here"), "{}", said.all());
}

#[test]
fn a_witness_goes_on_over_a_line_that_drops_delays_repeats_reorders_and_cuts() {
    let (desk, witness) = (friday(), elsewhere());
    let server = Server::of(&desk);
    let proxy = Proxy::to(server.address);
    let page = format!("http://{}/t/Friday", proxy.address);
    let mut follows = witness.command(&["--json", "follow", &page]);
    let mut follows = follows.stderr(std::process::Stdio::null()).spawn().expect("it starts");
    let faults = [
        Fault::Refuse,
        Fault::CutAfter(300),
        Fault::DelayMs(400),
        Fault::AnswerOfBefore,
        Fault::CutAfter(1),
        Fault::Refuse,
        Fault::BehindTheNext,
        Fault::BehindTheNext,
        Fault::AnswerOfBefore,
    ];
    for (at, fault) in faults.into_iter().enumerate() {
        proxy.fault(fault);
        rehearsed(&desk, &["note", &format!("note {at}")]);
        let (before, begun) = (proxy.faults(), std::time::Instant::now());
        while proxy.faults() == before && begun.elapsed().as_secs() < 20 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    proxy.fault(Fault::None);
    let wanted = server.get("/api/v1/tournaments/Friday").json()["seq"].as_u64();
    let begun = std::time::Instant::now();
    let has = || {
        let said = witness.run(&["--json", "tournaments"]);
        serde_json::from_str::<Value>(said.out.trim())
            .ok()
            .and_then(|all| all[0]["events"].as_u64())
    };
    while has() != wanted {
        assert!(begun.elapsed().as_secs() < 60, "{:?} of {wanted:?}", has());
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    follows.kill().expect("killed");
    follows.wait().expect("gone");
    assert_eq!(witness.run(&["verify"]).code, 0);
    assert!(proxy.faults() >= faults.len(), "the line was bad");
}

//! The page by which others check a tournament: it says what the command says, ends where the public does, and gives
//! what it takes to check it elsewhere.

use super::client::{Server, friday, rehearsed};
use super::follow_push::{events, only, public, until, venue};
use super::proxy::Proxy;
use crate::cli::desk::Desk;
use scrutineer_engine::record::from_hex;
use scrutineer_replay::trust::digits;
use scrutineer_replay::trust::note::fingerprint;
use serde_json::Value;

const FRIDAY: &str = "/api/v1/tournaments/Friday";

/// A number of 32 bytes that stands in an answer.
fn bytes(value: &Value) -> [u8; 32] {
    value.as_str().and_then(from_hex).unwrap_or_else(|| panic!("{value} is no hash"))
}

fn page(server: &Server) -> String {
    let answer = server.get("/t/Friday/audit");
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// The checkpoints that everybody is given, the smallest first.
fn checkpoints(server: &Server) -> Vec<Value> {
    let all = server.get(&format!("{FRIDAY}/checkpoints")).json();
    all["checkpoints"].as_array().expect("a list").clone()
}

/// What a command says of a tournament, as JSON.
fn said(desk: &Desk, words: &[&str]) -> Value {
    let out = rehearsed(desk, &[&["--json"], words].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// Friday after two rounds, each announced and so signed.
fn played() -> Desk {
    let desk = friday();
    for words in [
        &["result", "1", "2-0"][..],
        &["result", "2", "2-0"],
        &["announce"],
        &["pair"],
        &["publish"],
        &["result", "1", "2-0"],
        &["result", "2", "2-0"],
        &["announce"],
    ] {
        rehearsed(&desk, words);
    }
    desk
}

#[test]
fn the_page_says_what_the_command_and_the_answers_for_programs_say() {
    let desk = played();
    let known = said(&desk, &["checkpoint"]);
    let server = Server::of(&desk);
    let html = page(&server);
    let (records, key) = (&known["records"], fingerprint(&bytes(&known["signers"][0])));
    assert!(html.contains(&format!("<dd>{records}</dd>")), "{records}: {html}");
    for (what, said) in [("head", &known["head"]), ("root", &known["root"])] {
        let said = said.as_str().expect("digits");
        assert!(html.contains(&format!("<code class=\"digits\">{said}</code>")), "{what}: {html}");
    }
    assert!(html.contains(&key), "{key}: {html}");
    let all = checkpoints(&server);
    assert!(all.len() >= 2, "{all:?}");
    let newest_first = all.iter().rev().map(|one| {
        let (time, records) = (one["time"].as_str().expect("a time"), &one["records"]);
        for said in [
            format!("<time datetime=\"{time}\">"),
            digits(&bytes(&one["root"])),
            fingerprint(&bytes(&one["signers"][0])),
        ] {
            assert!(html.contains(&said), "{said}: {html}");
        }
        html.find(&format!(">{records}</th>")).unwrap_or_else(|| panic!("{records}: {html}"))
    });
    assert!(newest_first.collect::<Vec<_>>().is_sorted(), "{html}");
    assert_eq!(html.matches("<svg class=\"qr-big\"").count(), all.len(), "{html}");
    assert!(!html.contains("class=\"band bad\""), "every checkpoint stands: {html}");
    // What it gives and the commands that it names prove the same without the server.
    let id = known["tournament"]["id"].as_str().expect("an id");
    let command = format!("scrutineer bundle verify {id}.bundle --key");
    assert!(html.contains(&command) && html.contains("follow http://"), "{html}");
    desk.write("friday.bundle", server.get(&format!("{FRIDAY}/bundle")).body.as_bytes());
    let note = known["checkpoint"].as_str().expect("a text");
    desk.write("checkpoint.txt", note.as_bytes());
    let file = |name: &str| desk.path(name).display().to_string();
    let (bundle, held) = (file("friday.bundle"), file("checkpoint.txt"));
    let whole = known["signers"][0].as_str().expect("a key");
    assert!(html.contains(&format!("--key {whole}")), "all of its digits: {html}");
    let checked = said(&desk, &["bundle", "verify", &bundle, "--key", whole, "--known", &held]);
    assert_eq!((&checked["holds"], &checked["attested_all"]), (&true.into(), &true.into()));
    assert_eq!((&checked["records"], &checked["head"]), (records, &known["head"]));
}

#[test]
fn it_is_led_to_from_the_log_and_the_standings_and_speaks_both_languages() {
    let desk = played();
    let server = Server::of(&desk);
    for path in ["/t/Friday/log", "/t/Friday/standings"] {
        let html = server.get(path).body;
        assert!(html.contains("<a data-audit href=\"/t/"), "{path}: {html}");
        let german = server.get(&format!("{path}?lang=de")).body;
        assert!(german.contains("/audit?lang=de\">Dieses Turnier prüfen"), "{path}: {german}");
    }
    let german = server.get("/t/Friday/audit?lang=de").body;
    assert!(german.contains("<html lang=\"de\">") && german.contains("Prüfpunkte"), "{german}");
    let sheet = server.get("/t/Friday/standings.csv");
    assert_eq!(sheet.header("content-type"), Some("text/csv; charset=utf-8"), "{sheet:?}");
    assert!(sheet.body.contains("Ann") && sheet.body.lines().count() == 5, "{sheet:?}");
}

/// What the page of everybody says of how far the log goes is what everybody is told elsewhere.
fn ends_where_the_public_does(server: &Server) {
    let html = page(server);
    let path = format!("{FRIDAY}/proof?from=1");
    let (public, whole) = (server.get(&path).json(), server.local("GET", &path, "").json());
    assert!(public["to"].as_u64() < whole["to"].as_u64(), "{public} {whole}");
    let root = |proof: &Value| proof["to_root"].as_str().expect("a root").to_string();
    assert!(html.contains(&root(&public)) && !html.contains(&root(&whole)), "{html}");
    let known = checkpoints(server);
    let all = server.local("GET", &format!("{FRIDAY}/checkpoints"), "").json();
    let all = all["checkpoints"].as_array().expect("a list");
    assert!(all.len() > known.len(), "something was signed behind it: {all:?}");
    for one in all {
        let (is_known, short) = (known.contains(one), digits(&bytes(&one["root"])));
        assert_eq!(html.contains(&short), is_known, "{one}: {html}");
    }
}

/// Signs what there is.
fn sign(server: &Server) {
    let signed = server.local("POST", &format!("{FRIDAY}/checkpoint"), "");
    assert_eq!(signed.status, 200, "{signed:?}");
}

#[test]
fn a_draft_leaves_no_trace_on_it_though_it_is_signed() {
    let desk = played();
    rehearsed(&desk, &["pair"]);
    let server = Server::of(&desk);
    sign(&server);
    ends_where_the_public_does(&server);
    rehearsed(&desk, &["publish"]);
    sign(&server);
    let last = checkpoints(&server).pop().expect("one");
    assert!(page(&server).contains(&digits(&bytes(&last["root"]))), "it is out: {last}");
}

#[test]
fn hidden_results_leave_no_trace_on_it_nor_in_its_standings() {
    let desk = friday();
    let server = Server::of(&desk);
    let policies = format!("{FRIDAY}/policies");
    let policy = |policy: &str| {
        let put = server.local("PUT", &policies, policy);
        assert_eq!(put.status, 200, "{put:?}");
    };
    policy(r#"{"hidden_from":1}"#);
    let sheet = || server.get("/t/Friday/standings.csv").body;
    rehearsed(&desk, &["result", "1", "2-0"]);
    let before = sheet();
    assert!(before.contains("decided by"), "{before}");
    rehearsed(&desk, &["result", "2", "2-0"]);
    sign(&server);
    ends_where_the_public_does(&server);
    assert_eq!(sheet(), before);
    rehearsed(&desk, &["announce"]);
    assert_ne!(sheet(), before);
    // Where records are for tokens, what they would show is given to nobody here, and the page says so.
    policy(r#"{"records":"with-token"}"#);
    let html = page(&server);
    assert!(!html.contains("/bundle\"") && html.contains("programs with a token"), "{html}");
    assert_eq!(server.get("/t/Friday/standings.csv").status, 403);
}

#[test]
fn a_copy_has_the_same_page_and_says_that_it_is_a_copy() {
    let desk = played();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let venue = venue(&desk, &server, &proxy);
    until("the copy", 30, || events(&venue) > 0 && events(&server) == events(&venue));
    let id = only(&venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    let path = format!("/t/{id}/audit");
    let known = venue.get(&format!("{FRIDAY}/checkpoint")).json();
    let short = digits(&bytes(&known["root"]));
    until("its checkpoint", 30, || server.get(&path).body.contains(&short));
    let facts = |server: &Server| {
        let html = server.get(&path).body;
        let facts =
            html.split("<dl class=\"facts").nth(1).and_then(|rest| rest.split("</dl>").next());
        facts.unwrap_or_else(|| panic!("{html}")).to_string()
    };
    assert_eq!(facts(&server), facts(&venue));
    let (copy, own) = (server.get(&path).body, venue.get(&path).body);
    let said = "This is a copy of a tournament that is run elsewhere";
    assert!(copy.contains(said) && copy.contains("A copy, as of event"), "{copy}");
    assert!(!own.contains(said) && own.contains("nobody but the server that made it"), "{own}");
}

//! Who visits to see or to take what is not theirs: another one's page, a tournament that was removed, the clock of a
//! draft, the reports of another club.

use super::client::{Server, friday, rehearsed};
use super::live::{read_until, watch, watch_with};
use super::players::{links, phone};
use crate::cli::desk::Desk;
use serde_json::Value;

const API: &str = "/api/v1/tournaments/Friday";
const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
const LEAGUE: &str = "# event: Friday Modern\n# date: 2026-10-02\n# finished: no\n# rules: mtr\n\
    round,table,player_a,player_b,games_a,games_b,games_drawn\n1,1,Ann,Bob,2,0,0\n1,2,Cid,Dot,,,\n";

/// A player sent the value of their cookie as a link, and whoever opened it reported as them.
#[test]
fn the_secret_of_a_phone_makes_no_other_phone_its_players() {
    let desk = friday();
    let server = Server::of(&desk);
    let links = links(&server);
    let cookie = phone(&server, &links[&1]);
    let (_, secret) = cookie.split_once('=').expect("a value");
    let (page, _) = links[&1].rsplit_once('/').expect("a path");
    let path = format!("{page}/{secret}");
    let origin = format!("http://{}", server.address);
    for answer in [
        server.get(&path),
        server.send("POST", &path, &[("Origin", &origin), FORM], "do=bind"),
        // Nor a phone that is another player's.
        server.send("GET", &path, &[("Cookie", &phone(&server, &links[&2]))], ""),
    ] {
        assert_eq!((answer.status, answer.header("set-cookie")), (404, None), "{answer:?}");
        assert!(!answer.body.contains("Ann"), "{answer:?}");
    }
}

/// Its pages were gone, and whoever had the address of an answer for programs read on.
#[test]
fn a_tournament_that_was_removed_is_gone_for_programs_and_from_open_streams_too() {
    let desk = Desk::new();
    desk.write("friday.csv", LEAGUE.as_bytes());
    rehearsed(&desk, &["import", "friday.csv"]);
    let server = Server::of(&desk);
    let all = server.get("/api/v1/tournaments").json();
    let id = all["tournaments"][0]["tournament"]["id"].as_str().expect("an id").to_string();
    let api = format!("/api/v1/tournaments/{id}");
    let stands = server.get(&api).json();
    let hash = stands["hash"].as_str().expect("a hash");
    let at = format!("{api}/at/{}-{}", stands["seq"], &hash[..8]);
    let paths = [format!("{at}/standings"), format!("{at}/rounds/1"), format!("{api}/floor")];
    for path in &paths {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let mut open = watch(&server, &format!("/t/{id}/live"), "");
    read_until(&mut open, "event: head");
    let (owner, judge) = (server.token("owner"), server.token("judge"));
    let remove = "order=remove&reason=twice&sure=true&key=gone";
    let headers = [("Authorization", owner.as_str()), FORM];
    let removed = server.send("POST", &format!("/t/{id}/orders"), &headers, remove);
    assert_eq!(removed.status, 303, "{removed:?}");
    let rest = read_until(&mut open, "event: bye");
    assert!(!rest.contains("id: "), "nobody is told more: {rest}");
    let streams = [format!("/t/{id}/live"), format!("{api}/live")];
    for path in paths.iter().chain(&streams) {
        let gone = server.get(path);
        assert_eq!((gone.status, gone.code().as_str()), (404, "unknown-tournament"), "{path}");
    }
    for path in &paths {
        let read = server.send("GET", path, &[("Authorization", &judge)], "");
        assert_eq!(read.status, 200, "the staff look at it still: {path}: {read:?}");
        let caching = read.header("cache-control").expect("it is said");
        assert!(!caching.contains("public"), "{path}: {caching}");
    }
    read_until(&mut watch_with(&server, &streams[0], ("Authorization", &judge)), "event: floor");
}

/// It was told that nothing had changed, since the log had not.
#[test]
fn a_token_of_another_tournament_is_told_anew_when_names_are_shown_otherwise() {
    let desk = Desk::new();
    rehearsed(&desk, &["new", "Friday", "--rules", "mtr"]);
    rehearsed(&desk, &["enroll", "Ann Lee", "Bo Park", "Cid Ek", "Dee Oz"]);
    let server = Server::of(&desk);
    let orders = format!("{API}/orders");
    let result = r#"{"order":"result","slip":"1 2-0"}"#;
    for order in [r#"{"order":"pair"}"#, r#"{"order":"publish"}"#, result] {
        assert_eq!(server.local_seeing(&orders, order).status, 201, "{order}");
    }
    let sunday = server.local("POST", "/api/v1/tournaments", r#"{"title":"Sunday","rules":"mtr"}"#);
    assert_eq!(sunday.status, 201, "{sunday:?}");
    let made = r#"{"role":"judge","tournament":"Sunday"}"#;
    let made = server.local("POST", "/api/v1/tokens", made).json();
    let token = format!("Bearer {}", made["token"].as_str().expect("a token"));
    let path = format!("{API}/standings");
    let read = |tag: &str| {
        let headers = [("Authorization", token.as_str()), ("If-None-Match", tag)];
        server.send("GET", &path, &headers, "")
    };
    let before = read("\"none\"");
    let tag = before.header("etag").expect("an ETag");
    assert!(before.body.contains("Ann Lee"), "{before:?}");
    assert_eq!(read(tag).status, 304);
    let put = server.local("PUT", &format!("{API}/policies"), r#"{"names":"initials"}"#);
    assert_eq!(put.status, 200, "{put:?}");
    let after = read(tag);
    assert!(after.status == 200 && !after.body.contains("Ann Lee"), "{after:?}");
}

/// Two clubs whose tokens had no name were one venue, and each took what the phones of the other had sent.
#[test]
fn no_token_of_a_venue_is_made_without_a_name() {
    let desk = friday();
    let server = Server::of(&desk);
    for kind in ["tokens", "links"] {
        let make = |body: &str| server.local("POST", &format!("/api/v1/{kind}"), body);
        for nameless in [r#"{"role":"venue"}"#, r#"{"role":"venue","name":" "}"#] {
            let refused = make(nameless);
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad-request"), "{kind}");
            assert!(refused.body.contains("needs a name"), "{refused:?}");
        }
        assert_eq!(make(r#"{"role":"venue","name":"Card club"}"#).status, 201, "{kind}");
        assert_eq!(make(r#"{"role":"judge"}"#).status, 201, "{kind}");
    }
}

/// Whoever asked first chose the form for all others.
#[test]
fn a_refusal_comes_in_the_form_that_is_asked_for_whoever_asked_before() {
    let desk = friday();
    let server = Server::of(&desk);
    let (page, problem) = ("text/html,*/*;q=0.8", "application/problem+json");
    for path in ["/t/Friday/round/9", "/t/Friday/nix", "/api/v1/tournaments/Friday/rounds/9"] {
        for accepted in [page, problem, page, problem, problem, page] {
            let told = server.send("GET", path, &[("Accept", accepted)], "");
            let kind = told.header("content-type").unwrap_or_default();
            let wanted = accepted.split(',').next().unwrap_or_default();
            assert!(told.status == 404 && kind.starts_with(wanted), "{path}, {wanted}: {told:?}");
        }
    }
}

/// It said to everybody that the next round was paired.
#[test]
fn the_clock_of_a_draft_is_the_staffs_until_its_round_is_out() {
    let desk = friday();
    for words in [&["result", "1", "2-0"][..], &["result", "2", "2-1"], &["pair"]] {
        rehearsed(&desk, words);
    }
    let server = Server::of(&desk);
    let keeper = server.token("scorekeeper");
    let mut room = watch(&server, "/t/Friday/live", "");
    let mut staff = watch_with(&server, "/t/Friday/live", ("Authorization", &keeper));
    for open in [&mut room, &mut staff] {
        assert!(!read_until(open, "event: floor").contains("\"clock\":{"));
    }
    let floor = format!("{API}/floor");
    let start = r#"{"do":"start-clock","minutes":50,"round":2}"#;
    assert_eq!(server.local_under("clock", "PATCH", &floor, start).status, 201);
    assert!(!read_until(&mut room, "event: floor").contains("\"clock\":{"));
    assert!(read_until(&mut staff, "\"clock\":{").contains("\"round\":2"));
    let clock = |answer: super::client::Answer| answer.json()["clock"]["round"].clone();
    assert_eq!(clock(server.get(&floor)), Value::Null);
    assert_eq!(clock(server.local("GET", &floor, "")), 2);
    // Who comes now finds the same.
    let told = read_until(&mut watch(&server, "/t/Friday/live", ""), "event: floor");
    assert!(!told.contains("\"clock\":{"), "{told}");
    let mut late = watch_with(&server, "/t/Friday/live", ("Authorization", &keeper));
    assert!(read_until(&mut late, "event: floor").contains("\"clock\":{"));
    let orders = format!("{API}/orders");
    assert_eq!(server.local_seeing(&orders, r#"{"order":"publish"}"#).status, 201);
    assert_eq!(clock(server.get(&floor)), 2);
    let told = read_until(&mut watch(&server, "/t/Friday/live", ""), "event: floor");
    assert!(told.contains("\"clock\":{"), "{told}");
}

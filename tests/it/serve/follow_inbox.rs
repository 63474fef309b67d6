//! What phones send to a public server waits there until the desk of the venue has it.

use super::client::{Answer, Server, friday};
use super::follow_push::{events, only, public, until, venue};
use super::live::{read_until, watch_with};
use super::players::{links_in, phone, tables};
use super::proxy::{Fault, Proxy};

/// What is said of a report that the desk has.
const REPORTED: &str = ": with the desk as your report; by itself it is no result";

fn send(server: &Server, id: &str, cookie: &str, fields: &str) -> Answer {
    let origin = format!("http://{}", server.address);
    let headers = [
        ("Origin", origin.as_str()),
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Cookie", cookie),
        ("Accept", "application/json"),
    ];
    server.send("POST", &format!("/t/{}/me", &id[..8]), &headers, fields)
}

fn me(server: &Server, id: &str, cookie: &str) -> String {
    server.send("GET", &format!("/t/{}/me", &id[..8]), &[("Cookie", cookie)], "").body
}

fn results(venue: &Server) -> usize {
    let round = venue.local("GET", "/api/v1/tournaments/Friday/rounds/1", "").json();
    let tables = round["tables"].as_array().cloned().unwrap_or_default();
    tables.iter().filter(|table| table["result"].is_string()).count()
}

#[test]
fn a_report_waits_in_the_inbox_until_the_desk_has_it_and_is_done_once() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    let links = links_in(&at_venue, "Friday");
    let id =
        only(&at_venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the links", 60, || server.get(&links[&1]).body.contains("Are you Ann?"));
    let round = at_venue.local("GET", "/api/v1/tournaments/Friday/rounds/1", "").json();
    let number =
        |at: usize| round["tables"][0]["players"][at]["number"].as_u64().expect("one") as u32;
    let (one, other) = (number(0), number(1));
    let cookies = [one, other].map(|player| phone(&server, &links[&player]));
    let open = format!("/t/{}/me/live?player={one}", &id[..8]);
    let mut open = watch_with(&server, &open, ("Cookie", &cookies[0]));
    read_until(&mut open, "event: floor");
    // The line is gone: it lies there, and is sent again without being done again.
    proxy.fault(Fault::Refuse);
    std::thread::sleep(std::time::Duration::from_millis(500));
    // A question that was on its way before may bring the report home meanwhile.
    let before = events(&at_venue);
    let report = "do=claim&round=1&slip=2-0&key=k1";
    let sent = send(&server, &id, &cookies[0], report);
    assert_eq!((sent.status, &sent.json()["is"]), (201, &"sent".into()), "{sent:?}");
    // Another venue of this server has no part in it.
    let made = r#"{"role":"venue","name":"Another club"}"#;
    let made = server.local("POST", "/api/v1/tokens", made).json();
    let token = format!("Bearer {}", made["token"].as_str().expect("a token"));
    let other = |method: &str, path: &str, body: &str| {
        let headers = [("Authorization", token.as_str()), ("Content-Type", "application/json")];
        server.send(method, path, &headers, body)
    };
    let settled = format!(r#"{{"tournament":"{id}","id":"x","is":"recorded"}}"#);
    assert_eq!(other("POST", "/follow/inbox", &settled).status, 403);
    assert_eq!(other("GET", &format!("/follow/{id}"), "").status, 403);
    let part = server.get(&format!("/api/v1/tournaments/{id}/records?after=0")).body;
    assert_eq!(other("POST", &format!("/follow/{id}/records"), &part).status, 403);
    let again = send(&server, &id, &cookies[0], report);
    assert_eq!((again.status, &again.json()["repeated"]), (200, &true.into()), "{again:?}");
    // Unless such a question brought it home.
    let page = me(&server, &id, &cookies[0]);
    let said = ["the desk has not fetched it yet", ": at the desk", REPORTED];
    assert!(said.iter().any(|said| page.contains(said)), "{page}");
    let wrong = send(&server, &id, &cookies[0], "do=claim&round=1&slip=9-0&key=k2");
    assert_eq!(wrong.status, 422, "{wrong:?}");
    proxy.fault(Fault::None);
    until("the report", 60, || me(&server, &id, &cookies[0]).contains(REPORTED));
    // A page that was left open went on saying that it was not fetched.
    read_until(&mut open, "event: own-floor");
    until("its event", 30, || events(&at_venue) == before + 1);
    // The other one says the same: two devices that came in from afar make no result by themselves.
    let sent = send(&server, &id, &cookies[1], "do=claim&round=1&slip=0-2&key=k1");
    assert_eq!(sent.status, 201, "{sent:?}");
    until("the other report", 60, || me(&server, &id, &cookies[1]).contains(REPORTED));
    until("its event", 30, || events(&at_venue) == before + 2);
    assert_eq!(results(&at_venue), 0, "the desk confirms it");
    until("the claims", 60, || events(&server) == events(&at_venue));
    // What the desk refuses is told.
    at_venue.local_under(
        "r",
        "POST",
        "/api/v1/tournaments/Friday/orders",
        r#"{"order":"result","slip":"1 2-0"}"#,
    );
    assert_eq!(results(&at_venue), 1);
}

/// Each of two reports that differ was told as noted by the desk, as if it stood.
#[test]
fn a_report_that_the_opponent_contradicts_is_told_as_one_and_the_desk_decides() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    let links = links_in(&at_venue, "Friday");
    let id =
        only(&at_venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the links", 60, || server.get(&links[&1]).body.contains("Are you Ann?"));
    let seated = tables(&at_venue);
    let cookies = [0, 1].map(|seat: usize| phone(&server, &links[&seated[0].0[seat]]));
    let report = "do=claim&round=1&slip=2-0&key=k1";
    assert_eq!(send(&server, &id, &cookies[0], report).status, 201);
    until("the report", 60, || me(&server, &id, &cookies[0]).contains(REPORTED));
    assert_eq!(send(&server, &id, &cookies[1], report).status, 201);
    let differs = "as your report; your opponent reported something else, and the desk decides";
    for cookie in &cookies {
        until("that they differ", 60, || me(&server, &id, cookie).contains(differs));
        assert_eq!(recorded(&server, &id, cookie), 0);
    }
    let result = r#"{"order":"result","slip":"1 2-0"}"#;
    let path = "/api/v1/tournaments/Friday/orders";
    assert_eq!(at_venue.local_under("r", "POST", path, result).status, 201);
    until("the result", 60, || !me(&server, &id, &cookies[0]).contains(differs));
}

/// What came by a copy had lost on its way by which pairing its player sat, and was of whichever match they had then.
#[test]
fn a_report_from_afar_is_of_the_match_that_its_player_saw_and_of_no_other() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    let links = links_in(&at_venue, "Friday");
    let id =
        only(&at_venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the links", 60, || server.get(&links[&1]).body.contains("Are you Ann?"));
    let cookie = phone(&server, &links[&1]);
    // The first event is nobody's pairing.
    let report = "do=claim&round=1&pairing=1&slip=2-0&key=k1";
    assert_eq!(send(&server, &id, &cookie, report).status, 201);
    let refused = "not recorded: you sit elsewhere now in round 1";
    until("why it was refused", 60, || me(&server, &id, &cookie).contains(refused));
    let german =
        server.send("GET", &format!("/t/{id}/me?lang=de"), &[("Cookie", &cookie)], "").body;
    assert!(german.contains("Du sitzt jetzt woanders") && !german.contains("you sit"), "{german}");
    let html = me(&server, &id, &cookie);
    let pairing = html.split("name=\"pairing\" value=\"").nth(1).expect("a field of a form");
    let pairing = pairing.split('"').next().expect("a number");
    let report = format!("do=claim&round=1&pairing={pairing}&slip=2-0&key=k2");
    assert_eq!(send(&server, &id, &cookie, &report).status, 201);
    until("the report", 60, || me(&server, &id, &cookie).contains("You reported: you won 2–0"));
}

#[test]
fn a_link_that_belongs_to_a_phone_at_the_venue_is_of_no_use_elsewhere() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    let links = links_in(&at_venue, "Friday");
    until("the links", 60, || server.get(&links[&1]).body.contains("Are you Ann?"));
    phone(&at_venue, &links[&1]);
    until("that it is bound", 60, || server.get(&links[&1]).status == 403);
}

/// Sends something twice under one key, as a phone does that did not hear the answer.
fn twice(server: &Server, id: &str, cookie: &str, fields: &str) {
    let sent = [0, 1].map(|_| send(server, id, cookie, fields));
    assert_eq!((sent[0].status, sent[1].status), (201, 200), "{fields}: {sent:?}");
    assert_eq!(sent[1].json()["repeated"], true, "{fields}");
}

/// How many of the things that a player sent are noted by the desk, as their page says it.
fn recorded(server: &Server, id: &str, cookie: &str) -> usize {
    me(server, id, cookie).matches(": noted by the desk").count()
}

#[test]
fn a_call_a_dispute_and_a_wish_to_drop_come_to_the_venue_once_each_over_a_line_that_repeats() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    let links = links_in(&at_venue, "Friday");
    let id =
        only(&at_venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the links", 60, || server.get(&links[&1]).body.contains("Are you Ann?"));
    let ann = phone(&server, &links[&1]);
    // The line is gone for a while, and then gives answers that were meant for others.
    proxy.fault(Fault::Refuse);
    std::thread::sleep(std::time::Duration::from_millis(500));
    twice(&server, &id, &ann, "do=call&what=Wendeltreppe&key=k1");
    twice(&server, &id, &ann, "do=dispute&round=1&claim=it+was+a+draw&key=k2");
    twice(&server, &id, &ann, "do=wish-drop&key=k3");
    assert_eq!(recorded(&server, &id, &ann), 0);
    proxy.fault(Fault::AnswerOfBefore);
    std::thread::sleep(std::time::Duration::from_secs(3));
    proxy.fault(Fault::BehindTheNext);
    std::thread::sleep(std::time::Duration::from_secs(3));
    proxy.fault(Fault::None);
    until("all three", 60, || recorded(&server, &id, &ann) == 3);
    let read =
        |path: &str| at_venue.local("GET", &format!("/api/v1/tournaments/Friday/{path}"), "");
    let floor = read("floor").json();
    let calls = floor["calls"].as_array().expect("a list").clone();
    assert_eq!(calls.len(), 1, "{floor}");
    assert_eq!((&calls[0]["what"], &calls[0]["by"]), (&"Wendeltreppe".into(), &"player 1".into()));
    assert!(calls[0]["table"].is_u64(), "to their table: {floor}");
    let disputes = read("disputes").json()["disputes"].as_array().expect("a list").clone();
    assert_eq!(disputes.len(), 1, "{disputes:?}");
    assert_eq!(disputes[0]["claim"], "it was a draw");
    let done = |what: &str| {
        let entries = read("floor/entries").json()["entries"].as_array().expect("a list").clone();
        entries.iter().filter(|one| one["do"] == what).count()
    };
    assert_eq!(done("wish-drop"), 1);
    let owner = at_venue.local("GET", "/t/Friday/desk", "").body;
    assert!(owner.contains("wishes to drop"), "the desk is told: {owner}");
    // Behind the closing there is nothing to drop from.
    for (verb, is_told) in [("pair", true), ("cut", true), ("close", false)] {
        let typed = desk.run(&[verb]).all();
        let told = typed.contains("Ann wishes to drop");
        assert_eq!(told, is_told, "{verb} beside the server: {typed}");
    }
    // They think better of it, also once.
    twice(&server, &id, &ann, "do=end-wish&key=k4");
    until("that they stay", 60, || recorded(&server, &id, &ann) == 4);
    assert_eq!((done("wish-drop"), done("end-wish")), (1, 1));
    assert!(!at_venue.local("GET", "/t/Friday/desk", "").body.contains("wishes to drop"));
}

/// The desk let a player stay, and their page at the public server went on saying that they wish to drop.
#[test]
fn a_wish_that_the_desk_ends_ends_on_the_public_server_too_and_no_other_wish_is_told_there() {
    let desk = friday();
    let (copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    let links = links_in(&at_venue, "Friday");
    let id =
        only(&at_venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the links", 60, || server.get(&links[&1]).body.contains("Are you Ann?"));
    let ann = phone(&server, &links[&1]);
    let floor = |key: &str, change: &str| {
        let path = "/api/v1/tournaments/Friday/floor";
        let done = at_venue.local_under(key, "PATCH", path, change);
        assert_eq!(done.status, 201, "{done:?}");
    };
    floor("b", r#"{"do":"wish-drop","player":2}"#);
    assert_eq!(send(&server, &id, &ann, "do=wish-drop&key=k1").status, 201);
    until("the wish", 60, || recorded(&server, &id, &ann) == 1);
    let has = |text: &str| {
        let house = std::fs::read(copy.path("store/house.redb")).expect("there");
        house.windows(text.len()).any(|part| part == text.as_bytes())
    };
    until("that the venue has it", 60, || has(r#""do":"wish-drop","player":1"#));
    assert!(!has(r#""do":"wish-drop","player":2"#), "it is of no use there");
    let offers = |act: &str| me(&server, &id, &ann).contains(&format!("value=\"{act}\""));
    assert!(offers("end-wish") && !offers("wish-drop"));
    floor("a", r#"{"do":"end-wish","player":1}"#);
    until("that they stay", 60, || me(&server, &id, &ann).contains(": ended by the desk"));
    assert!(offers("wish-drop") && !offers("end-wish"));
    // It is sent once more, and granted.
    assert_eq!(send(&server, &id, &ann, "do=wish-drop&key=k2").status, 201);
    until("the second wish", 60, || recorded(&server, &id, &ann) > 0 && offers("end-wish"));
    let dropped = r#"{"order":"drop","player":"Ann"}"#;
    let path = "/api/v1/tournaments/Friday/orders";
    assert_eq!(at_venue.local_under("d", "POST", path, dropped).status, 201);
    until("that they are out", 60, || !offers("end-wish") && !offers("wish-drop"));
}

#[test]
fn who_checks_in_on_a_public_server_is_here_at_the_venue_once() {
    let desk = crate::cli::desk::Desk::new();
    super::client::rehearsed(&desk, &["new", "Friday", "--rules", "mtr"]);
    super::client::rehearsed(&desk, &["enroll", "Ann", "Bob", "Cid", "Dee"]);
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    let links = links_in(&at_venue, "Friday");
    let id =
        only(&at_venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the links", 60, || server.get(&links[&2]).body.contains("Are you Bob?"));
    let bob = phone(&server, &links[&2]);
    let before = events(&at_venue);
    proxy.fault(Fault::Refuse);
    std::thread::sleep(std::time::Duration::from_millis(500));
    twice(&server, &id, &bob, "do=check-in&key=k1");
    proxy.fault(Fault::AnswerOfBefore);
    std::thread::sleep(std::time::Duration::from_secs(2));
    proxy.fault(Fault::None);
    until("that they are here", 60, || recorded(&server, &id, &bob) == 1);
    assert_eq!(events(&at_venue), before + 1, "one event");
    let page = at_venue.local("GET", "/t/Friday/players", "").body;
    assert_eq!(page.matches(">here</span>").count(), 1, "{page}");
    // And their page says so once the copy has it.
    until("the copy", 90, || me(&server, &id, &bob).contains("You are checked in."));
}

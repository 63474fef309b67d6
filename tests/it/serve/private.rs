//! What programs of the staff read and ask for that nobody else gets: reports of players, the file for
//! another desk, that somebody is forgotten; and a list of tournaments that have the same title.

use super::client::{Server, friday, rehearsed};
use super::pages::page;
use crate::cli::desk::Desk;

const FRIDAY: &str = "/api/v1/tournaments/Friday";

#[test]
fn a_program_reads_what_players_report_and_whether_both_say_the_same() {
    let desk = friday();
    let server = Server::of(&desk);
    let round = server.local("GET", &format!("{FRIDAY}/rounds/1"), "").json();
    let player = |at: usize| round["tables"][0]["players"][at]["name"].as_str().expect("a name");
    for (key, at, score) in [("c1", 0, "2-1"), ("c2", 1, "1-2"), ("c3", 0, "2-0")] {
        let slip = format!(r#"{{"order":"claim","slip":"{} {score}"}}"#, player(at));
        assert_eq!(server.local_under(key, "POST", &format!("{FRIDAY}/orders"), &slip).status, 201);
    }
    let judge = server.token("judge");
    let read = |query: &str, token: &str| {
        let head = [("Authorization", token)];
        server.send("GET", &format!("{FRIDAY}/claims{query}"), &head, "")
    };
    assert_eq!(read("", "Bearer nobody").status, 401);
    let claims = read("?round=1&open=true", &judge).json()["claims"].clone();
    assert_eq!(claims.as_array().map(Vec::len), Some(2), "the last of each: {claims}");
    assert_eq!(claims[0]["player"]["name"], player(1), "in the order of the log: {claims}");
    assert_eq!((&claims[0]["score"], &claims[1]["score"]), (&"2-1".into(), &"2-0".into()));
    assert_eq!((&claims[1]["agrees"], &claims[1]["own_device"]), (&false.into(), &false.into()));
    assert_eq!(claims[1]["result"], serde_json::Value::Null, "a report is no result");
    let result = r#"{"order":"result","slip":"1 2-0"}"#;
    assert_eq!(server.local_under("r", "POST", &format!("{FRIDAY}/orders"), result).status, 201);
    let none = serde_json::json!([]);
    assert_eq!(read("?open=true", &judge).json()["claims"], none, "its table is in");
    assert_eq!(read("?round=2", &judge).json()["claims"], none);
}

#[test]
fn another_desk_carries_on_with_the_file_that_the_owner_gets() {
    let (desk, other) = (friday(), Desk::new());
    let server = Server::of(&desk);
    let token = server.token("head-judge");
    let head = [("Authorization", token.as_str())];
    let path = format!("{FRIDAY}/handover");
    assert_eq!(server.send("GET", &path, &head, "").code(), "not-allowed");
    let given = server.local("GET", &path, "");
    assert_eq!((given.status, given.header("cache-control")), (200, Some("no-store")));
    let file = other.path("friday.bundle");
    std::fs::write(&file, &given.body).expect("written");
    // An auditor gets all of it but the secret, and an owner finds it on the page.
    let path = format!("{FRIDAY}/audit");
    assert_eq!(server.send("GET", &path, &head, "").code(), "not-allowed");
    let audit = server.local("GET", &path, "");
    assert_eq!((audit.status, audit.header("cache-control")), (200, Some("no-store")));
    assert!(audit.body.contains("Ann") && !audit.body.contains("\"secret\":"));
    server.stop();
    let said = rehearsed(&other, &["bundle", "import", file.to_str().expect("a path")]);
    assert!(said.contains("Friday"), "{said}");
    assert!(rehearsed(&other, &["players"]).contains("Ann"), "with names");
    let noted = rehearsed(&desk, &["forget", "Ann", "--dry-run"]);
    for what in ["handover", "audit"] {
        assert!(noted.contains(what), "it is noted that names left: {noted}");
    }
}

#[test]
fn somebody_is_forgotten_through_the_server_and_no_page_has_their_name_afterwards() {
    let desk = friday();
    let server = Server::of(&desk);
    let owner = server.token("owner");
    let has_name = |path: &str| {
        let html = page(&server, &owner, &format!("/t/Friday/{path}"));
        html.split(|c: char| !c.is_alphabetic()).any(|word| word == "Ann")
    };
    assert!(has_name("players"));
    let forget = |body: &str| server.local("POST", &format!("{FRIDAY}/forget"), body);
    assert_eq!(forget(r#"{"player":"Nobody At All"}"#).code(), "unknown-player");
    let would = forget(r#"{"player":"Ann","dry_run":true}"#).json();
    assert_eq!((&would["done"], &would["emptied"][0]["text"]), (&false.into(), &"Ann".into()));
    assert!(has_name("players"), "nothing was done");
    let head = server.get(FRIDAY).json()["seq"].to_string();
    let mut open_page = super::live::watch(&server, "/t/Friday/live?page=1", &head);
    super::live::read_until(&mut open_page, "event: head");
    let done = forget(r#"{"player":"Ann","everywhere":true}"#);
    assert_eq!(done.status, 200, "{done:?}");
    // Whoever has a page open is told to load it again.
    super::live::read_until(&mut open_page, "event: forgotten");
    assert_eq!(
        (&done.json()["done"], &done.json()["emptied"][0]["text"]),
        (&true.into(), &serde_json::Value::Null)
    );
    for path in ["players", "round", "standings", "log"] {
        assert!(!has_name(path), "{path}");
    }
    assert_eq!(forget(r#"{"player":"1"}"#).json()["already"], true);
    // The desk goes on.
    let result = r#"{"order":"result","slip":"1 2-0"}"#;
    assert_eq!(server.local_under("r", "POST", &format!("{FRIDAY}/orders"), result).status, 201);
    server.stop();
    assert!(rehearsed(&desk, &["verify"]).contains("Friday"));
}

#[test]
fn tournaments_of_the_same_title_are_told_apart_and_listed_page_by_page() {
    let desk = Desk::new();
    for day in ["2026-11-20", "2026-11-27"] {
        rehearsed(&desk, &["new", "Friday", "--rules", "mtr", "--held-on", day]);
    }
    rehearsed(&desk, &["new", "Saturday", "--rules", "mtr", "--held-on", "2026-11-28"]);
    let server = Server::of(&desk);
    let owner = server.token("owner");
    let html = page(&server, &owner, "/");
    for day in ["2026-11-20", "2026-11-27"] {
        assert!(html.contains(&format!("<span class=\"soft small\">{day}</span>")), "{html}");
    }
    assert!(!html.contains("<span class=\"soft small\">2026-11-28</span>"), "it is the only one");
    let refused = server.local("GET", FRIDAY, "").json();
    let detail = refused["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("Friday of 2026-11-20 (") && detail.contains("Friday of 2026-11-27 ("));
    let list = |query: &str| server.local("GET", &format!("/api/v1/tournaments{query}"), "");
    let first = list("?limit=2&state=enrolling");
    assert_eq!(first.json()["tournaments"].as_array().map(Vec::len), Some(2));
    let link = first.header("link").expect("a next page").to_string();
    let next = link.trim_start_matches('<').split('>').next().expect("a path");
    let rest = server.local("GET", next, "");
    assert_eq!(rest.json()["tournaments"][0]["tournament"]["title"], "Saturday");
    assert_eq!(
        (rest.json()["tournaments"].as_array().map(Vec::len), rest.header("link")),
        (Some(1), None)
    );
    assert_eq!(list("?state=closed").json()["tournaments"], serde_json::json!([]));
    assert_eq!((list("?state=over").status, list("?limit=0").status), (400, 400));
}

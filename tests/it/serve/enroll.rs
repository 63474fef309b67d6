//! A store enrolls at a publisher's server, once, with one link: it pushes from then on without being told
//! again, until that is ended at either side.

use super::client::{Answer, Server, friday, rehearsed};
use super::follow_push::{events, public, until};
use super::proxy::{Fault, Proxy};
use super::second::{second, take_over};
use crate::cli::desk::Desk;
use std::path::Path;

/// A link that the publisher's owner made.
pub fn link(publisher: &Server, name: &str) -> String {
    let made = publisher.local("POST", "/api/v1/stores", &format!(r#"{{"name":"{name}"}}"#));
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.header("cache-control"), Some("no-store"));
    made.json()["link"].as_str().expect("a link").to_string()
}

pub fn enroll(desk: &Desk, link: &str) -> String {
    let said = desk.run(&["enroll-store", link]);
    assert_eq!(said.code, 0, "{}", said.all());
    said.out
}

fn stores(publisher: &Server) -> Vec<serde_json::Value> {
    let listed = publisher.local("GET", "/api/v1/stores", "").json();
    listed["stores"].as_array().cloned().expect("a list")
}

fn desk_page(venue: &Server) -> String {
    venue.local("GET", "/t/Friday/desk", "").body
}

fn order(server: &Server, key: &str, order: &str) {
    let answer = server.local_under(key, "POST", "/api/v1/tournaments/Friday/orders", order);
    assert!(answer.status < 300, "{answer:?}");
}

/// The token that a store keeps.
fn token(desk: &Desk) -> String {
    let kept = std::fs::read(desk.path("store/enrolled.json")).expect("there");
    let kept: serde_json::Value = serde_json::from_slice(&kept).expect("JSON");
    kept["enrolled"]["token"].as_str().expect("a token").to_string()
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => {
                all.push((path.display().to_string(), std::fs::read(&path).unwrap_or_default()));
            }
        }
    }
    all
}

#[test]
fn a_store_enrolls_once_and_pushes_from_then_on_also_after_a_restart() {
    let desk = friday();
    let (_copy, publisher) = public();
    let link = link(&publisher, "Card club");
    // Whoever opens it sees how it is done, and uses nothing up.
    let path = &link[link.find("/enroll/").expect("a path")..];
    let landing = publisher.get(path);
    assert!(landing.status == 200 && landing.body.contains("Card club"), "{landing:?}");
    assert!(landing.body.contains(&format!("scrutineer enroll-store {link}")), "{landing:?}");
    assert!(desk.run(&["enroll-store"]).out.contains("enrolled nowhere"));
    let said = enroll(&desk, &link);
    assert!(said.contains("as Card club: all tournaments"), "{said}");
    assert_eq!(enroll(&desk, &link), said, "the same link again is the same enrollment");
    assert_eq!(stores(&publisher).len(), 1);
    let log = desk.path("requests.log");
    let file = std::fs::File::create(&log).expect("a file");
    let venue = Server::with_stderr(&desk, &["--log"], file.into());
    until("the log", 30, || events(&publisher) > 0 && events(&publisher) == events(&venue));
    until("that it is said", 30, || desk_page(&venue).contains("all that is public is there"));
    let stands = venue.local("GET", "/api/v1/publisher", "").json();
    assert_eq!((&stands["name"], &stands["there"]), (&"Card club".into(), &1.into()), "{stands}");
    assert!(desk.run(&["enroll-store"]).out.contains("1 there, 0 not pushed"));
    let store = &stores(&publisher)[0];
    assert_eq!((&store["name"], &store["tournaments"]), (&"Card club".into(), &1.into()));
    venue.stop();
    let venue = Server::of(&desk);
    order(&venue, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("the result", 30, || events(&publisher) == events(&venue));
    // The token is with what is private, and in nothing that leaves the store.
    let token = token(&desk);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let kept = std::fs::metadata(desk.path("store/enrolled.json")).expect("there");
        assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    }
    let backup = desk.path("backup").display().to_string();
    assert_eq!(desk.run(&["backup", &backup]).code, 0);
    rehearsed(&desk, &["export", "--handover", "--output", "all.handover"]);
    let is_in = |bytes: &[u8]| bytes.windows(token.len()).any(|part| part == token.as_bytes());
    let shown = ["/api/v1/publisher", "/publisher", "/t/Friday/desk", "/api/v1/changes", "/staff"];
    for path in shown {
        assert!(!is_in(venue.local("GET", path, "").body.as_bytes()), "{path}");
    }
    venue.stop();
    for (name, bytes) in files(desk.path("").as_path()) {
        assert!(!is_in(&bytes) || name.ends_with("store/enrolled.json"), "{name} has the token");
    }
    assert!(!is_in(&std::fs::read(&log).expect("written")));
}

#[test]
fn it_ends_at_either_side_and_the_desk_says_so() {
    let desk = friday();
    let (_copy, publisher) = public();
    let venue = Server::of(&desk);
    let enrolled = |link: &str| {
        let body = format!(r#"{{"link":"{link}"}}"#);
        venue.local("POST", "/api/v1/publisher", &body)
    };
    assert_eq!(enrolled(&link(&publisher, "Card club")).status, 201);
    until("the log", 30, || events(&publisher) == events(&venue));
    let id = stores(&publisher)[0]["id"].as_str().expect("an id").to_string();
    assert_eq!(publisher.local("DELETE", &format!("/api/v1/stores/{id}"), "").status, 204);
    order(&venue, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("that it is told", 30, || desk_page(&venue).contains("it was ended there"));
    assert!(events(&publisher) < events(&venue), "nothing is taken any more");
    assert!(
        desk_page(&venue).contains("href=\"/publisher\">Publisher</a>"),
        "it waits for a person"
    );
    // A new link of the same name goes on where it was.
    let again = enrolled(&link(&publisher, "Card club"));
    assert_eq!(again.status, 201, "{again:?}");
    until("the result", 30, || events(&publisher) == events(&venue));
    // The page does what the command does.
    let form = [
        ("Authorization", format!("Bearer {}", venue.key)),
        ("Content-Type", "application/x-www-form-urlencoded".to_string()),
    ];
    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, &value[..])).collect();
    let ended = venue.send("POST", "/publisher", &form, "do=end");
    assert_eq!(ended.header("location"), Some("/publisher?done=ended"), "{ended:?}");
    assert_eq!(stores(&publisher), Vec::<serde_json::Value>::new(), "it is ended there too");
    let none = venue.local("DELETE", "/api/v1/publisher", "");
    assert_eq!((none.status, none.code().as_str()), (404, "not-enrolled"));
    let before = events(&publisher);
    order(&venue, "2", r#"{"order":"result","slip":"2 2-0"}"#);
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(events(&publisher), before);
    // Where the other one does not answer, it is ended here, and that is said.
    assert_eq!(enrolled(&link(&publisher, "Card club")).status, 201);
    publisher.stop();
    let said = desk.run(&["--json", "enroll-store", "--end"]);
    assert!(said.code == 0 && said.out.contains(r#""told":false"#), "{}", said.all());
    assert!(!desk.path("store/enrolled.json").exists());
}

#[test]
fn what_enrolls_no_store_is_refused_with_its_reason() {
    let desk = friday();
    let (_copy, publisher) = public();
    let refused = |words: &[&str], code: &str| {
        let said = desk.run(&[&["--json", "enroll-store"], words].concat());
        assert!(said.code != 0 && said.err.contains(code), "{code}: {}", said.all());
    };
    let address = format!("http://{}", publisher.address);
    refused(&["nonsense"], "bad-store-link");
    refused(&[&format!("{address}/enroll/madeupmadeup")], "no-such-link");
    refused(&["https://127.0.0.1:1/enroll/madeupmadeup"], "elsewhere-not-heard");
    refused(&["--end"], "not-enrolled");
    let judge = publisher.local("POST", "/api/v1/links", r#"{"role":"judge"}"#).json();
    let code = judge["code"].as_str().expect("a code").replace('-', "");
    refused(&[&format!("{address}/enroll/{code}")], "link-of-another-kind");
    assert_eq!(publisher.get(&format!("/enroll/{code}")).status, 409);
    // The judge's link is good still, and that of a store signs nobody in.
    assert_eq!(publisher.get(&format!("/join/{code}")).status, 200);
    let link = link(&publisher, "Card club");
    let store = link.rsplit('/').next().expect("a code");
    let origin = format!("http://{}", publisher.address);
    let form = [("Origin", origin.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let joined = publisher.send("POST", &format!("/join/{store}"), &form, "name=Eva");
    assert!(joined.status == 409 && joined.header("set-cookie").is_none(), "{joined:?}");
    enroll(&desk, &link);
    // Another store finds it used up, and one that is enrolled goes nowhere else.
    let other = friday();
    let said = other.run(&["--json", "enroll-store", &link]);
    assert!(said.err.contains("no-such-link"), "{}", said.all());
    assert!(!other.path("store/enrolled.json").exists(), "nothing is left of it");
    let (_elsewhere, second) = public();
    refused(&[&self::link(&second, "Card club")], "enrolled-already");
    // Who is not the owner makes no link, and sees none.
    for role in ["head-judge", "judge", "venue"] {
        let token = publisher.token(role);
        let headers = [("Authorization", token.as_str()), ("Idempotency-Key", "k")];
        for (method, path) in
            [("POST", "/api/v1/stores"), ("GET", "/api/v1/stores"), ("GET", "/stores")]
        {
            let answer: Answer = publisher.send(method, path, &headers, r#"{"name":"x"}"#);
            assert_eq!(answer.status, 403, "{role} {method} {path}");
        }
    }
    let nameless = publisher.local("POST", "/api/v1/stores", r#"{"name":" "}"#);
    assert_eq!((nameless.status, nameless.code().as_str()), (400, "bad-request"));
}

#[test]
fn an_answer_that_is_lost_on_a_bad_line_uses_no_link_up() {
    let desk = friday();
    let (_copy, publisher) = public();
    let proxy = Proxy::to(publisher.address);
    let link = link(&publisher, "Card club");
    let link = link.replace(&publisher.address.to_string(), &proxy.address.to_string());
    proxy.fault(Fault::CutAfter(10));
    let said = desk.run(&["--json", "enroll-store", &link]);
    assert!(said.err.contains("elsewhere-not-heard"), "{}", said.all());
    assert_eq!(stores(&publisher).len(), 1, "it arrived, and nobody was told");
    proxy.fault(Fault::None);
    enroll(&desk, &link);
    assert_eq!(stores(&publisher).len(), 1, "it is the same one");
    let venue = Server::of(&desk);
    until("the log", 30, || events(&publisher) > 0 && events(&publisher) == events(&venue));
}

#[test]
fn only_tournaments_of_the_series_that_is_named_are_pushed() {
    let desk = friday();
    let (_copy, publisher) = public();
    let venue = Server::of(&desk);
    let new = r#"{"title":"Spring League","rules":"mtr"}"#;
    assert_eq!(venue.local_under("n", "POST", "/api/v1/tournaments", new).status, 201);
    let body = format!(r#"{{"link":"{}","only":"league"}}"#, link(&publisher, "Card club"));
    assert_eq!(venue.local("POST", "/api/v1/publisher", &body).status, 201);
    let titles = || {
        let listed = publisher.get("/api/v1/tournaments").json();
        let rows = listed["tournaments"].as_array().cloned().unwrap_or_default();
        rows.iter()
            .filter_map(|row| row["tournament"]["title"].as_str().map(str::to_string))
            .collect::<Vec<_>>()
    };
    until("the league", 30, || titles() == ["Spring League"]);
    until("that it is said", 30, || desk_page(&venue).contains("is not one of those"));
    // What is not meant is not missing there.
    until("the count", 30, || {
        let stands = venue.local("GET", "/api/v1/publisher", "").json();
        stands["there"] == 1 && stands["not_pushed"] == 0
    });
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(titles(), ["Spring League"]);
}

#[test]
fn a_second_laptop_has_the_enrollment_and_pushes_once_it_is_the_desk() {
    let (desk, laptop) = (friday(), Desk::new());
    let (_copy, publisher) = public();
    let mut first = Server::of(&desk);
    let mut follows = second(&first, &laptop);
    enroll(&desk, &link(&publisher, "Card club"));
    until("the log", 30, || events(&publisher) > 0 && events(&publisher) == events(&first));
    until("the enrollment", 30, || laptop.path("store/enrolled.json").exists());
    assert_eq!(token(&laptop), token(&desk));
    let before = events(&publisher);
    first.kill();
    take_over(&laptop, &mut follows);
    let order = r#"{"order":"result","slip":"1 2-0"}"#;
    let key = format!("Bearer {}", follows.key);
    until("the desk", 30, || follows.try_order(&key, "l", order).is_ok_and(|it| it.status < 300));
    until("the result", 60, || events(&publisher) == before + 1);
    assert_eq!(stores(&publisher).len(), 1, "it is one store still");
}

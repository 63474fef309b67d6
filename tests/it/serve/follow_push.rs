//! A venue pushes what is public of its tournaments to a public server: over a bad line, after a day
//! offline, to a server that was restored; and a log that was rewritten is told of on every page.

use super::client::{Server, friday, rehearsed};
use super::live::{read_until, watch, watch_with};
use super::players::{links_in, phone};
use super::proxy::{Fault, Proxy};
use crate::cli::desk::Desk;
use serde_json::Value;
use std::io::Read;
use std::time::{Duration, Instant};

/// A public server, which nobody runs a tournament on.
pub fn public() -> (Desk, Server) {
    let desk = Desk::new();
    std::fs::remove_dir_all(desk.path("keys")).expect("removed");
    let server = Server::of(&desk);
    (desk, server)
}

/// A server of a venue that pushes over a line.
pub fn venue(desk: &Desk, public: &Server, proxy: &Proxy) -> Server {
    venue_with(desk, public, proxy, &[])
}

/// As [`venue`], with further options.
pub fn venue_with(desk: &Desk, public: &Server, proxy: &Proxy, more: &[&str]) -> Server {
    let token = public.token("venue");
    desk.write("token", token.trim_start_matches("Bearer ").as_bytes());
    let to = format!("http://{}/", proxy.address);
    Server::with(desk, &[&["--push", &to, "--push-token", "token"], more].concat())
}

pub fn until(what: &str, seconds: u64, mut is_so: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed().as_secs() < seconds, "{what} does not come");
        std::thread::sleep(Duration::from_millis(50));
    }
    begun.elapsed()
}

/// The only tournament of a server, as everybody sees it.
pub fn only(server: &Server) -> Option<Value> {
    server.get("/api/v1/tournaments").json()["tournaments"].get(0).cloned()
}

pub fn events(server: &Server) -> u64 {
    only(server).and_then(|one| one["events"].as_u64()).unwrap_or(0)
}

/// The log as everybody reads it.
fn log(server: &Server, id: &str) -> Value {
    let mut log = server.get(&format!("/api/v1/tournaments/{id}/log")).json();
    // Who recorded something is said where it is run.
    for line in log["log"].as_array_mut().into_iter().flatten() {
        line.as_object_mut().expect("a line").remove("person");
    }
    log
}

fn order(server: &Server, key: &str, order: &str) {
    let answer = server.local_under(key, "POST", "/api/v1/tournaments/Friday/orders", order);
    assert!(answer.status < 300, "{answer:?}");
}

#[test]
fn what_is_public_stands_on_a_public_server_with_its_names_and_its_clock_and_nothing_else() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let venue = venue(&desk, &server, &proxy);
    let policy = r#"{"names":"first-last-initial"}"#;
    let path = "/api/v1/tournaments/Friday/policies";
    assert_eq!(venue.local("PUT", path, policy).status, 200);
    order(&venue, "1", r#"{"order":"late","person":{"name":"Zephyrine Quill"}}"#);
    order(&venue, "2", r#"{"order":"note","text":"whispered"}"#);
    let clock = r#"{"do":"start-clock","minutes":50}"#;
    let done = venue.local_under("3", "PATCH", "/api/v1/tournaments/Friday/floor", clock);
    assert!(done.status < 300, "{done:?}");
    let feature = r#"{"do":"feature","table":1}"#;
    let done = venue.local_under("4", "PATCH", "/api/v1/tournaments/Friday/floor", feature);
    assert!(done.status < 300, "{done:?}");
    let id = only(&venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    let pairings = || server.get(&format!("/t/{id}/round/1")).body;
    until("the log", 30, || events(&server) == events(&venue) && pairings().contains("A."));
    let floor = || server.get(&format!("/api/v1/tournaments/{id}/floor")).json();
    until("the clock", 30, || floor()["clock"]["ends"].is_number());
    // A stream can have its overlay from there.
    let overlay = || server.get(&format!("/t/{id}/overlay")).body;
    until("the featured table", 30, || overlay().contains("class=\"tables\""));
    assert!(overlay().contains("data-counts"), "{}", overlay());
    until("the names", 30, || log(&server, &id) == log(&venue, &id));
    let title = only(&server).expect("there")["tournament"]["title"].clone();
    assert_eq!(title, "Friday");
    let page = pairings();
    assert!(page.contains("A copy, as of event"), "{page}");
    // A time without its day and its zone said nothing to who looked the day after, or from elsewhere.
    let heard = page.split("The venue was last heard: ").nth(1).expect("when");
    let sign = |at: usize| heard.as_bytes()[at];
    let form = [sign(4), sign(10), sign(13), sign(19)];
    assert!(form == *b"- : " && matches!(sign(20), b'+' | b'-'), "{heard}");
    // Nobody records in it, and who pushes is of no staff.
    let refused = server.local_under(
        "4",
        "POST",
        &format!("/api/v1/tournaments/{id}/orders"),
        r#"{"order":"note","text":"x"}"#,
    );
    assert_eq!((refused.status, refused.code().as_str()), (409, "is-a-copy"));
    let token = server.token("venue");
    let headers = [("Authorization", token.as_str())];
    for path in [format!("/t/{id}/desk"), "/api/v1/tokens".into(), "/staff".into()] {
        assert_eq!(server.send("GET", &path, &headers, "").status, 403, "{path}");
    }
    assert_eq!(server.get(&format!("/follow/{id}")).status, 403);
    // Its owner has no desk of it, and sees what everybody does, by its name.
    let owner = server.token("owner");
    let headers = [("Authorization", owner.as_str()), ("Accept", "text/html")];
    let begin = server.send("GET", &format!("/t/{id}"), &headers, "");
    assert!(begin.header("location").is_some_and(|to| to.ends_with("/round")), "{begin:?}");
    for page in ["desk", "entry", "players"] {
        let refused = server.send("GET", &format!("/t/{id}/{page}"), &headers, "");
        assert!(refused.status == 409 && refused.body.contains("is-a-copy"), "{refused:?}");
    }
    for page in ["standings", "round", "log"] {
        let page = server.send("GET", &format!("/t/{id}/{page}"), &headers, "");
        assert!(page.status == 200 && page.body.contains("Friday"), "{page:?}");
        for words in ["untitled", "Enter results", "/orders\""] {
            assert!(!page.body.contains(words), "{words}: {page:?}");
        }
    }
    // Neither a name nor a word that is not shown has left the venue.
    let book = std::fs::read_dir(_copy.path("store/books")).expect("there").count();
    assert!(book <= 1, "numbers of texts, and no text");
    let house = std::fs::read(_copy.path("store/house.redb")).expect("there");
    for word in ["Quill", "whispered"] {
        let is_in = |bytes: &[u8]| bytes.windows(word.len()).any(|part| part == word.as_bytes());
        assert!(!is_in(&house), "{word}");
    }
    // Who is forgotten is gone from there too.
    rehearsed(&desk, &["forget", "Zephyrine Quill", "--yes"]);
    until("that they are forgotten", 60, || {
        !server.get(&format!("/t/{id}/log")).body.contains("Zephyrine")
    });
}

#[test]
fn a_day_offline_is_there_ten_seconds_after_the_line_came_back() {
    let desk = Desk::new();
    rehearsed(&desk, &["new", "Friday", "--rules", "mtr"]);
    let (copy, server) = public();
    let proxy = Proxy::to(server.address);
    let venue = venue(&desk, &server, &proxy);
    until("the log", 30, || events(&server) > 0 && events(&server) == events(&venue));
    let before = events(&server);
    proxy.fault(Fault::Refuse);
    for batch in 0..20 {
        let person = |at: usize| format!(r#"{{"name":"Player {batch} {at}"}}"#);
        let people: Vec<String> = (0..250).map(person).collect();
        let enroll = format!(r#"{{"order":"enroll","people":[{}]}}"#, people.join(","));
        order(&venue, &format!("batch-{batch}"), &enroll);
    }
    let all = events(&venue);
    assert!(all >= before + 5_000, "{all}");
    // Long enough that it is tried as seldom as it ever is.
    std::thread::sleep(Duration::from_secs(12));
    assert_eq!(events(&server), before);
    proxy.fault(Fault::None);
    let took = until("what was missing", 60, || events(&server) == all);
    println!("5,000 events were there {:.1} s after the line came back", took.as_secs_f32());
    assert!(took < Duration::from_secs(10), "{took:?}");
    server.stop();
    assert_eq!(copy.run(&["verify"]).code, 0);
}

#[test]
fn a_public_server_that_was_restored_gets_what_it_lacks_over_a_bad_line() {
    let desk = friday();
    let (copy, server) = public();
    let proxy = Proxy::to(server.address);
    let venue = venue(&desk, &server, &proxy);
    until("the log", 30, || events(&server) == events(&venue));
    let backup = copy.path("backup").display().to_string();
    assert_eq!(copy.run(&["backup", &backup]).code, 0);
    order(&venue, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("the result", 30, || events(&server) == events(&venue));
    let (address, key) = (server.address.to_string(), server.token("venue"));
    server.stop();
    std::fs::rename(copy.path("store"), copy.path("lost")).expect("moved");
    let restored = copy.run(&["restore", "--from", &backup]);
    assert_eq!(restored.code, 0, "{}", restored.all());
    let server = Server::at(&copy, &address, &[]);
    drop(key);
    proxy.fault(Fault::CutAfter(40));
    order(&venue, "2", r#"{"order":"result","slip":"2 2-1"}"#);
    std::thread::sleep(Duration::from_secs(2));
    proxy.fault(Fault::AnswerOfBefore);
    std::thread::sleep(Duration::from_secs(3));
    proxy.fault(Fault::BehindTheNext);
    order(&venue, "3", r#"{"order":"note","text":"behind the next"}"#);
    std::thread::sleep(Duration::from_secs(3));
    proxy.fault(Fault::None);
    until("what it lacks", 60, || events(&server) == events(&venue));
}

#[test]
fn a_log_that_was_rewritten_at_the_venue_is_refused_and_told_of_on_every_page() {
    let desk = friday();
    let other = super::follow::twice(&desk);
    let (copy, server) = public();
    let proxy = Proxy::to(server.address);
    let first = venue(&desk, &server, &proxy);
    order(&first, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    order(&first, "3", r#"{"order":"correct","slip":"1 0-2","reason":"read wrongly"}"#);
    until("the log", 30, || events(&server) == events(&first));
    // The publisher's review called those player 1 and player 2 whose names its pages had.
    until("names", 30, || {
        let review = server.local("GET", "/review", "").body;
        review.contains(" → ") && !(1..=4).any(|one| review.contains(&format!("player {one}")))
    });
    let kept = events(&server);
    let id = only(&server).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    // Who has its audit beside the copy reads why, and read "(not public)"; everybody else does not.
    let audit = first.local("GET", &format!("/api/v1/tournaments/{id}/audit"), "").body;
    copy.write("one.audit", audit.as_bytes());
    let brought = copy.run(&["bundle", "import", "one.audit"]);
    assert_eq!(brought.code, 0, "{}", brought.all());
    let review = server.local("GET", "/api/v1/review", "").body;
    assert!(review.contains("read wrongly") && !review.contains("(not public)"), "{review}");
    let log = server.get(&format!("/t/{id}/log")).body;
    assert!(log.contains("(not public)") && !log.contains("read wrongly"), "{log}");
    first.stop();
    rehearsed(&other, &["result", "1", "0-2"]);
    rehearsed(&other, &["result", "2", "2-1"]);
    let mut open = watch(&server, &format!("/t/{id}/live"), &kept.to_string());
    read_until(&mut open, "event: head");
    let second = venue(&other, &server, &proxy);
    let page = |path: &str| server.get(&format!("/t/{id}/{path}")).body;
    until("the fork", 30, || page("standings").contains("was rewritten"));
    for path in ["round/1", "log", "standings", "bracket", "overlay"] {
        assert!(page(path).contains("was rewritten"), "{path}");
    }
    read_until(&mut open, "event: copied");
    // It is told once: pages that load again at it would do so at each result of the venue.
    open.set_read_timeout(Some(Duration::from_millis(200))).expect("set");
    let mut rest = || {
        let (begun, mut text, mut bytes) = (Instant::now(), String::new(), [0; 4_096]);
        while begun.elapsed() < Duration::from_secs(3) {
            let read = open.read(&mut bytes).unwrap_or(0);
            text.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        text
    };
    rest();
    order(&second, "4", r#"{"order":"note","text":"sent once more"}"#);
    let rest = rest();
    assert!(!rest.contains("event: copied"), "{rest}");
    let get = |path: &str| server.get(&format!("/api/v1/tournaments/{id}{path}"));
    let head = get("/standings").json()["log_head"].clone();
    let hash = head["hash"].as_str().expect("a hash");
    let then = format!("/at/{}-{}/standings", head["seq"], &hash[..8]);
    for path in ["", "/floor", "/records/1", &then[..]] {
        let answer = get(path);
        assert_eq!(answer.json()["rewritten"], true, "{path}: {answer:?}");
        let caching = answer.header("cache-control");
        assert!(caching.is_none_or(|how| !how.contains("immutable")), "{path}: {answer:?}");
    }
    // Who keeps a copy is given the checkpoint that proves it.
    assert!(get("/records").json()["other"].is_string(), "{:?}", get("/records"));
    assert_eq!(events(&server), kept, "nothing newer is shown");
    second.stop();
    // The venue that found the right store again was told that its log parts, and nothing could be done.
    let found = venue(&desk, &server, &proxy);
    order(&found, "2", r#"{"order":"result","slip":"2 2-1"}"#);
    until("the log that was there first", 30, || events(&server) == events(&found));
    assert!(events(&server) > kept && page("standings").contains("was rewritten"), "both are seen");
}

/// One lost answer began the whole push over: what stood late in the order was never there. And while nothing was
/// there, the venue read that nothing was missing.
#[test]
fn a_line_that_loses_some_answers_keeps_no_tournament_back_and_what_is_not_there_is_counted() {
    const COUNT: usize = 12;
    let desk = friday();
    for number in 1..COUNT {
        rehearsed(&desk, &["new", &format!("Cup {number}"), "--rules", "mtr"]);
    }
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    proxy.fault(Fault::Refuse);
    let venue = venue(&desk, &server, &proxy);
    let own = || {
        let listed = venue.get("/api/v1/tournaments").json();
        let rows = listed["tournaments"].as_array().cloned().unwrap_or_default();
        rows.iter().filter(|row| row["events"].as_u64() != Some(0)).count()
    };
    assert_eq!(own(), COUNT);
    let stands = || venue.local("GET", "/api/v1/publisher", "").json();
    let counts = |there: usize| {
        let stands = stands();
        stands["there"] == there && stands["not_pushed"] == COUNT - there
    };
    until("that nothing is there", 30, || counts(0));
    proxy.fault(Fault::RefuseEach(5));
    let there = || {
        let listed = server.get("/api/v1/tournaments").json();
        listed["tournaments"].as_array().map_or(0, Vec::len)
    };
    until("all of them", 60, || there() == COUNT);
    proxy.fault(Fault::None);
    until("that all are there", 60, || counts(COUNT));
    assert!(proxy.faults() > 0, "the line was bad");
    // While the line is gone, what is new is not there.
    proxy.fault(Fault::Refuse);
    order(&venue, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("that one is not", 30, || counts(COUNT - 1));
}

/// The files below a folder in which a text stands.
fn holding(folder: &std::path::Path, text: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        // One that is written anew may be gone.
        } else if let Ok(bytes) = std::fs::read(&path)
            && memchr::memmem::find(&bytes, text.as_bytes()).is_some()
        {
            found.push(path);
        }
    }
    found
}

/// Whoever was forgotten came back with the venue's backup, though the log says that they were forgotten: on its
/// pages, at its publisher, and in the files of both.
#[test]
fn whoever_was_forgotten_is_shown_nowhere_again_when_a_backup_of_before_comes_back() {
    const NAME: &str = "Wanda Frost";
    let desk = friday();
    let (copy, server) = public();
    let proxy = Proxy::to(server.address);
    let first = venue(&desk, &server, &proxy);
    order(&first, "1", &format!(r#"{{"order":"late","person":{{"name":"{NAME}"}}}}"#));
    let id = only(&first).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    let log = || server.get(&format!("/t/{id}/log")).body;
    until("the name", 30, || log().contains(NAME));
    until("its file", 10, || !holding(&copy.path("store"), NAME).is_empty());
    assert_eq!(desk.run(&["backup", "backup"]).code, 0);
    // A copy is not the place where somebody is forgotten.
    let forget = |server: &Server, of: &str| {
        let path = format!("/api/v1/tournaments/{id}/forget");
        server.local("POST", &path, &format!(r#"{{"player":"{of}"}}"#))
    };
    let refused = forget(&server, "5");
    assert_eq!((refused.status, refused.code().as_str()), (409, "is-a-copy"), "{refused:?}");
    let refused = copy.run(&["forget", "5", "--tournament", &id[..8], "--yes"]);
    assert!(refused.code == 1 && refused.err.contains("ask whoever runs it"), "{}", refused.all());
    assert_eq!(forget(&first, NAME).status, 200);
    until("that they are forgotten", 30, || {
        events(&server) == events(&first) && !log().contains(NAME)
    });
    until("that no file has them", 30, || holding(&copy.path("store"), NAME).is_empty());
    first.stop();
    std::fs::rename(desk.path("store"), desk.path("lost")).expect("moved");
    let older = |desk: &Desk| {
        let restored = desk.run(&["restore", "--from", "backup"]);
        assert_eq!(restored.code, 0, "{}", restored.all());
        assert!(!holding(&desk.path("store"), NAME).is_empty());
    };
    // Pushed as it came back, it is shorter than what is there.
    older(&desk);
    let shorter = venue(&desk, &server, &proxy);
    until("that more is there", 30, || {
        shorter.local("GET", "/publisher", "").body.contains("log-shorter")
    });
    // Its keys remember a later checkpoint: it was told to tell the publisher a word in brackets.
    assert!(shorter.local("GET", "/publisher", "").body.contains("bundle import"));
    std::thread::sleep(Duration::from_secs(1));
    assert!(!log().contains(NAME) && log().contains("Ann"), "{}", log());
    assert_eq!(holding(&copy.path("store"), NAME), Vec::<std::path::PathBuf>::new());
    shorter.stop();
    // With what is missing brought in, nobody here knows the name either.
    let bundle = server.get(&format!("/api/v1/tournaments/{id}/bundle"));
    desk.write("missing.bundle", bundle.body.as_bytes());
    let brought = desk.run(&["bundle", "import", "missing.bundle"]);
    assert_eq!(brought.code, 0, "{}", brought.all());
    assert_eq!(holding(&desk.path("store"), NAME), Vec::<std::path::PathBuf>::new());
    assert!(!rehearsed(&desk, &["players"]).contains(NAME));
    let verified = rehearsed(&desk, &["verify"]);
    assert!(!verified.contains("forget-unfinished"), "{verified}");
    let second = venue(&desk, &server, &proxy);
    order(&second, "2", r#"{"order":"result","slip":"1 2-0"}"#);
    until("the log", 30, || events(&server) == events(&second));
    assert!(!log().contains(NAME), "{}", log());
    // The book of before beside the log of now: a server finishes what was not finished.
    second.stop();
    let book = |of: &str| {
        let book = holding(&desk.path(of).join("books"), "Ann");
        book.into_iter().next().expect("a book")
    };
    std::fs::copy(book("backup"), book("store")).expect("copied");
    assert!(!rehearsed(&desk, &["players"]).contains(NAME));
    let third = venue(&desk, &server, &proxy);
    until("that it is finished", 30, || holding(&desk.path("store"), NAME).is_empty());
    assert!(!third.local("GET", &format!("/t/{id}/players"), "").body.contains(NAME));
    third.stop();
    server.stop();
    assert_eq!(holding(&copy.path("store"), NAME), Vec::<std::path::PathBuf>::new());
}

/// A lost disk looked like fraud for ever: the publisher could neither see that the venue had said so nor go on.
#[test]
fn a_log_that_was_restored_names_itself_and_goes_on_in_a_store_without_the_old_one() {
    let desk = friday();
    let backup = super::follow::twice(&desk);
    let (copy, server) = public();
    let proxy = Proxy::to(server.address);
    let first = venue(&desk, &server, &proxy);
    order(&first, "1", r#"{"order":"result","slip":"1 2-0"}"#);
    until("the log", 30, || events(&server) == events(&first));
    let id = only(&server).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("its title", 30, || copy.run(&["tournaments"]).out.contains("Friday"));
    // What names are open to everybody at the venue can be checked on the copy's page, too.
    until("its names", 30, || server.get(&format!("/t/{id}/page")).body.contains("Friday"));
    let names = |server: &Server| server.get(&format!("/t/{id}/round/1")).body;
    until("all of them", 30, || names(&server).contains("Dee"));
    // Somebody is forgotten behind the backup.
    let path = format!("/api/v1/tournaments/{id}/forget");
    assert_eq!(first.local("POST", &path, r#"{"player":"Dee"}"#).status, 200);
    until("that they are forgotten", 30, || {
        events(&server) == events(&first) && !names(&server).contains("Dee")
    });
    first.stop();
    std::fs::remove_dir_all(desk.path("store")).expect("lost");
    let moved = std::process::Command::new("cp")
        .args(["-r".as_ref(), backup.path("store").as_os_str(), desk.path("store").as_os_str()])
        .status();
    assert!(moved.expect("cp runs").success());
    rehearsed(&desk, &["checkpoint", "--restored", "--reason", "the disk failed"]);
    rehearsed(&desk, &["result", "1", "0-2"]);
    rehearsed(&desk, &["note", "on with the other laptop"]);
    let second = venue(&desk, &server, &proxy);
    let page = |path: &str| server.get(&format!("/t/{id}/{path}")).body;
    until("the fork", 30, || page("standings").contains("it was restored from a copy"));
    // The page that checks itself shows the one history, and names the other.
    assert!(page("page").contains("The log of this tournament was rewritten"));
    let address = server.address;
    server.stop();
    let said = copy.run(&["store", "copy", "store", "goes-on", "--without", &id[..8]]);
    assert!(said.code == 0 && said.out.contains("1 tournament left out"), "{}", said.all());
    assert!(said.out.contains("somebody was forgotten"), "{}", said.all());
    assert!(copy.run(&["verify"]).code == 1, "the old store proves it");
    let again = copy.command(&["tournaments", "--store", "goes-on"]).output().expect("it runs");
    assert!(!String::from_utf8_lossy(&again.stdout).contains("Friday"));
    std::fs::rename(copy.path("store"), copy.path("proof")).expect("kept");
    std::fs::rename(copy.path("goes-on"), copy.path("store")).expect("goes on");
    let server = Server::at(&copy, &address.to_string(), &[]);
    order(&second, "2", r#"{"order":"result","slip":"2 2-1"}"#);
    until("the restored log", 40, || events(&server) == events(&second));
    let log = server.get(&format!("/t/{id}/log")).body;
    assert!(log.contains("the log was restored") && !log.contains("was rewritten"), "{log}");
    // So does the page by which others check it, which showed nothing of it where no checkpoint of before is kept.
    for (query, words) in [
        ("", "records had been signed before"),
        ("?lang=de", "Einträge waren schon unterschrieben"),
    ] {
        for one in [&second, &server] {
            let audit = one.get(&format!("/t/{id}/audit{query}")).body;
            assert!(audit.contains(words), "{words}: {audit}");
        }
    }
    // The venue's book has the name again, and shows it to everybody; here it stays forgotten.
    until("its names again", 30, || names(&server).contains("Ann"));
    assert!(second.local("GET", &format!("/t/{id}/players"), "").body.contains("Dee"));
    for path in ["round/1", "log", "standings"] {
        let body = server.get(&format!("/t/{id}/{path}")).body;
        assert!(!body.contains("Dee"), "{path}: {body}");
    }
}

/// Who sits where is out though standings are hidden; what the results before it were is not, whoever looks.
#[test]
fn pairings_behind_hidden_standings_stand_on_a_copy_for_everybody_and_no_result_does() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let venue = venue(&desk, &server, &proxy);
    let path = "/api/v1/tournaments/Friday/policies";
    assert_eq!(venue.local("PUT", path, r#"{"hidden_from":1}"#).status, 200);
    order(&venue, "1", r#"{"order":"result","slip":"1 2-1"}"#);
    order(&venue, "2", r#"{"order":"result","slip":"2 2-1"}"#);
    order(&venue, "3", r#"{"order":"late","person":{"name":"Zephyrine Quill"}}"#);
    let orders = "/api/v1/tournaments/Friday/orders";
    assert_eq!(venue.local_seeing(orders, r#"{"order":"pair"}"#).status, 201);
    let id = only(&venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the copy", 60, || server.get(&format!("/t/{id}/round/1")).body.contains("Ann"));
    let round = || server.get(&format!("/t/{id}/round")).body;
    assert!(!round().contains("<h1>Round 2"), "a draft is nobody's");
    assert_eq!(venue.local_seeing(orders, r#"{"order":"publish"}"#).status, 201);
    until("the pairings", 60, || round().contains("<h1>Round 2"));
    // Its open pages are told of it, and points of before the hidden results are nowhere.
    let page = server.get(&format!("/t/{id}/round")).body;
    assert!(!page.contains(">Points<"), "{page}");
    let told = server.get(&format!("/api/v1/tournaments/{id}/rounds/2")).body;
    assert!(told.contains("points\":\"\"") && !told.contains("points\":\"0"), "{told}");
    let mut stream = watch(&server, &format!("/t/{id}/live"), "0");
    let head = read_until(&mut stream, "event: head");
    assert!(head.contains("round\":2"), "{head}");
    let owner = server.token("owner");
    let headers = [("Authorization", owner.as_str()), ("Accept", "text/html")];
    let of_owner = |page: &str| server.send("GET", &format!("/t/{id}/{page}"), &headers, "").body;
    for page in [round(), of_owner("round")] {
        for name in ["Ann", "Bob", "Cid", "Dee", "Quill"] {
            assert!(page.contains(name), "{name}: {page}");
        }
    }
    for page in ["round", "round/1", "standings", "log", "bracket"] {
        for body in [server.get(&format!("/t/{id}/{page}")).body, of_owner(page)] {
            assert!(!body.contains("2–1") && !body.contains("2-1"), "{page}: {body}");
        }
    }
    // What was pushed holds no result either.
    let house = std::fs::read(_copy.path("store/house.redb")).expect("there");
    assert!(!house.windows(8).any(|part| part == b"\"2-1\"".as_slice() || part == b"ResultRe"));
}

/// A copy answered programs that every result of a hidden round is missing, where its venue said how many are.
#[test]
fn a_copy_answers_programs_of_a_round_whose_results_are_hidden_as_its_venue_does() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let venue = venue(&desk, &server, &proxy);
    let path = "/api/v1/tournaments/Friday/policies";
    assert_eq!(venue.local("PUT", path, r#"{"hidden_from":1}"#).status, 200);
    let id = only(&venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    until("the copy", 60, || server.get(&format!("/t/{id}/round/1")).body.contains("Ann"));
    let told = |of: &Server, what: &str| of.get(&format!("/api/v1/tournaments/{id}{what}")).json();
    let alike = |what: &[&str], missing: u64| {
        until("how many are missing", 60, || told(&server, "")["missing"] == missing);
        for path in what {
            assert_eq!(told(&server, path), told(&venue, path), "{path}");
        }
    };
    order(&venue, "1", r#"{"order":"result","slip":"1 2-1"}"#);
    alike(&["", "/rounds/1"], 1);
    assert_eq!(told(&server, "/rounds/1")["status"], "1 result is missing");
    let mut stream = watch(&server, &format!("/t/{id}/live"), "0");
    let head = read_until(&mut stream, "event: head");
    assert!(head.contains("\"missing\":1"), "{head}");
    order(&venue, "2", r#"{"order":"result","slip":"2 2-1"}"#);
    alike(&["", "/rounds/1"], 0);
    // Of a draft nobody is told how many tables it has.
    let orders = "/api/v1/tournaments/Friday/orders";
    assert_eq!(venue.local_seeing(orders, r#"{"order":"pair"}"#).status, 201);
    std::thread::sleep(Duration::from_secs(2));
    alike(&["", "/rounds/1", "/rounds/2"], 0);
    assert_eq!(venue.local_seeing(orders, r#"{"order":"publish"}"#).status, 201);
    alike(&["", "/rounds/1", "/rounds/2"], 2);
}

/// A venue in which nothing had happened for an hour was heard every ten minutes, as if its line was gone.
#[test]
fn a_venue_that_only_asks_what_phones_sent_is_heard_on_the_pages_of_its_copies() {
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let at_venue = venue(&desk, &server, &proxy);
    until("the log", 30, || events(&server) == events(&at_venue));
    let id = only(&server).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    at_venue.stop();
    let heard = || {
        let page = server.get(&format!("/t/{id}/round/1")).body;
        page.split("last heard: ").nth(1).map(|rest| rest[..26].to_string())
    };
    until("that it was heard", 15, || heard().is_some());
    let before = heard();
    std::thread::sleep(Duration::from_secs(2));
    let token = std::fs::read_to_string(desk.path("token")).expect("its token");
    let token = format!("Bearer {token}");
    let _asked = watch_with(&server, "/follow/inbox", ("Authorization", &token));
    until("that it is heard again", 15, || heard().is_some_and(|now| Some(now) > before));
}

/// A copy told of a round whose results are hidden as if nobody had played it: no table in, every result missing, and
/// a player's own match without one. The foot of their page had the number of one event and the hash of another.
#[test]
fn a_copy_says_that_results_are_hidden_and_counts_none_of_them() {
    const HIDDEN: &str = "results are hidden until they are announced";
    let desk = friday();
    let (_copy, server) = public();
    let proxy = Proxy::to(server.address);
    let venue = venue(&desk, &server, &proxy);
    let path = "/api/v1/tournaments/Friday/policies";
    assert_eq!(venue.local("PUT", path, r#"{"hidden_from":1}"#).status, 200);
    let links = links_in(&venue, "Friday");
    let id = only(&venue).expect("there")["tournament"]["id"].as_str().expect("an id").to_string();
    let page = |what: &str| server.get(&format!("/t/{id}/{what}")).body;
    until("the links", 60, || server.get(&links[&1]).body.contains("Are you Ann?"));
    until("that results are hidden", 60, || page("round/1").contains(HIDDEN));
    let ann = phone(&server, &links[&1]);
    let me = || {
        let cookie = [("Cookie", ann.as_str())];
        server.send("GET", &format!("/t/{}/me", &id[..8]), &cookie, "").body
    };
    let own = format!("<td>{HIDDEN}");
    let counts_none = || {
        // Nobody has a place before the first round is told, so that no page says why.
        for what in ["round/1", "standings", "bracket", "log"] {
            let page = page(what);
            assert!(page.contains(HIDDEN), "{what}: {page}");
            for count in ["2 tables in", "results are missing", "of its results missing"] {
                assert!(!page.contains(count), "{count}, {what}: {page}");
            }
        }
        let german = page("round/1?lang=de");
        assert!(german.contains("die Ergebnisse sind bis zur Bekanntgabe verdeckt"), "{german}");
        assert!(me().contains(&own) && !me().contains("no result"), "{}", me());
    };
    counts_none();
    order(&venue, "1", r#"{"order":"result","slip":"1 2-1"}"#);
    order(&venue, "2", r#"{"order":"result","slip":"2 2-1"}"#);
    std::thread::sleep(Duration::from_secs(2));
    counts_none();
    let orders = "/api/v1/tournaments/Friday/orders";
    for one in [r#"{"order":"pair"}"#, r#"{"order":"publish"}"#] {
        assert_eq!(venue.local_seeing(orders, one).status, 201);
    }
    until("the pairings", 60, || me().contains("Round 2"));
    assert_eq!(me().matches(&own).count(), 2, "{}", me());
    let stands = server.get(&format!("/api/v1/tournaments/{id}")).json();
    let hash = stands["hash"].as_str().expect("a hash");
    let last = format!("event {}, {}", stands["seq"], &hash[..4]);
    assert_eq!(me().matches(&last).count(), 2, "{last}: {}", me());
    // What was announced stands there, and the next round is hidden in its turn.
    order(&venue, "3", r#"{"order":"announce"}"#);
    until("the results", 60, || me().matches(&own).count() == 1);
    let said = ["you won 2\u{2013}1", "you lost 1\u{2013}2"];
    assert!(said.iter().any(|said| me().contains(said)), "{}", me());
}

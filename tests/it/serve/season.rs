//! A season under other rules as a job of a publisher's server: with its progress, an end at any time, a page
//! of who moves and a file for each store.

use super::client::{Server, friday, rehearsed};
use super::enroll::{enroll, link};
use super::follow_push::{events, only, public, until};
use crate::cli::desk::Desk;
use serde_json::Value;

fn stands(server: &Server) -> Value {
    server.local("GET", "/api/v1/season", "").json()
}

fn begin(server: &Server, wanted: &str) -> Value {
    let begun = server.local("POST", "/api/v1/season", wanted);
    assert_eq!(begun.status, 202, "{begun:?}");
    begun.json()
}

fn done(server: &Server) -> Value {
    until("its end", 120, || stands(server)["state"] != "running");
    stands(server)
}

fn file(server: &Server, name: &str) -> String {
    let answer = server.local("GET", &format!("/api/v1/season/{name}"), "");
    assert_eq!(answer.status, 200, "{name}: {answer:?}");
    answer.body
}

/// A tournament of so many players, as a file of another program.
fn large(title: &str, players: usize) -> String {
    let mut text = format!(
        "# event: {title}\n# rules: mtr\nround,table,player_a,player_b,games_a,games_b,games_drawn\n"
    );
    for round in 0..9 {
        for table in 0..players / 2 {
            let (one, other) = (table, players / 2 + (table + round) % (players / 2));
            let score = ["2,0,0", "2,1,0", "0,2,0", "1,1,1"][(table * 7 + round * 3) % 4];
            let (round, table) = (round + 1, table + 1);
            text.push_str(&format!("{round},{table},Player {one},Player {other},{score}\n"));
        }
    }
    text
}

#[test]
fn the_owner_gets_a_page_of_who_moves_and_a_file_for_each_store() {
    let (publishers, server) = public();
    // What was brought in stands beside what a venue pushes.
    let venue = friday();
    rehearsed(&venue, &["result", "1", "2-0"]);
    rehearsed(&venue, &["result", "2", "1-1-1"]);
    enroll(&venue, &link(&server, "Card club"));
    let at_venue = Server::of(&venue);
    until("the log", 30, || events(&server) > 0 && events(&server) == events(&at_venue));
    at_venue.stop();
    rehearsed(&publishers, &["import", "autumn-open.csv"]);
    let journal = || {
        let said = rehearsed(&publishers, &["verify"]);
        said.lines().next().unwrap_or_default().to_string()
    };
    let before = journal();
    let wanted = r#"{"rules":"battlefy+points.draw=0"}"#;
    assert_eq!(stands(&server)["state"], "none");
    begin(&server, wanted);
    let ended = done(&server);
    assert_eq!((&ended["state"], &ended["done"]), (&"done".into(), &2.into()), "{ended}");
    // It says what the command says.
    let mut command = publishers.command(&["rebuild", "--rules", "battlefy+points.draw=0"]);
    command.args(["--output", "season.csv"]);
    let said = crate::cli::desk::Said::of(command.output().expect("it runs"));
    let sums = ended["sums"].as_str().expect("sums");
    assert!(said.out.starts_with(sums), "{sums}\n{}", said.all());
    let of_command = std::fs::read_to_string(publishers.path("season.csv")).expect("written");
    let rest = |text: &str| -> Vec<String> {
        let rows = text.lines().filter_map(|line| Some(line.split_once(',')?.1.to_string()));
        rows.collect()
    };
    // A copy is called as its venue says, here and there.
    let all = file(&server, "all.csv");
    let sorted = |text: &str| {
        let mut rows = rest(text);
        rows.sort();
        rows
    };
    assert_eq!(sorted(&all), sorted(&of_command));
    let files: Vec<(String, Value)> = ended["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|one| (one["file"].as_str().expect("a name").to_string(), one["store"].clone()))
        .collect();
    let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, ["all.csv", "Card-club.csv", "this-server.csv"], "{ended}");
    // Of each store its own and no other's.
    let club = file(&server, "Card-club.csv");
    assert!(club.contains("\nCard club,") && club.contains(",Friday,"), "{club}");
    assert!(!club.contains("Autumn Open") && club.lines().count() == 2, "{club}");
    assert!(file(&server, "this-server.csv").contains("Autumn Open"));
    let page = server.local("GET", "/season/moved", "");
    assert!(page.body.contains("Who moves under battlefy"), "{page:?}");
    assert!(page.body.contains("Autumn Open") && page.body.contains("</html>"));
    let security = page.header("content-security-policy").expect("one");
    assert!(security.contains("style-src 'unsafe-inline'") && security.ends_with("sandbox"));
    let shown = server.local("GET", "/season", "").body;
    assert!(shown.contains("href=\"/api/v1/season/Card-club.csv\""), "{shown}");
    assert!(shown.contains("another cut"), "{shown}");
    // Names left the store: whoever is forgotten is told of it.
    let forget = publishers.run(&["forget", "Haddad", "--tournament", "Autumn", "--dry-run"]);
    assert!(forget.out.contains("season"), "{}", forget.all());
    // With a row for each player, and without names.
    begin(&server, r#"{"rules":"battlefy+points.draw=0","players":true,"no_names":true}"#);
    let ended = done(&server);
    let rows = file(&server, "all.csv");
    assert!(rows.starts_with("source,tournament_id,tournament,held_on,player,"), "{rows}");
    assert!(!rows.contains("Haddad") && rows.contains("player "), "{rows}");
    assert_eq!(ended["names"], false);
    assert!(!file(&server, "page.html").contains("Haddad"));
    assert_eq!(journal(), before, "nothing was recorded");
}

/// Somebody was forgotten at a venue, and their name stood in the reports at the publisher for good.
#[test]
fn reports_of_a_season_are_taken_away_when_a_venue_forgets_somebody() {
    let (publishers, server) = public();
    let venue = friday();
    rehearsed(&venue, &["result", "1", "2-0"]);
    rehearsed(&venue, &["result", "2", "1-1-1"]);
    enroll(&venue, &link(&server, "Card club"));
    let at_venue = Server::of(&venue);
    until("the log", 30, || events(&server) > 0 && events(&server) == events(&at_venue));
    let log = || {
        let there = only(&server).expect("there");
        let id = there["tournament"]["id"].as_str().expect("an id").to_string();
        server.get(&format!("/t/{id}/log")).body
    };
    until("the names", 30, || log().contains("Cid"));
    let wanted = r#"{"rules":"battlefy+points.draw=0","players":true}"#;
    begin(&server, wanted);
    assert_eq!(done(&server)["state"], "done");
    let forgotten =
        at_venue.local("POST", "/api/v1/tournaments/Friday/forget", r#"{"player":"Cid"}"#);
    assert_eq!(forgotten.status, 200, "{forgotten:?}");
    until("that the reports are gone", 30, || stands(&server)["state"] == "stopped");
    let why = stands(&server)["why"].as_str().expect("a reason").to_string();
    assert!(why.contains("somebody was forgotten: run it again"), "{why}");
    for name in ["all.csv", "page.html", "Card-club.csv"] {
        let answer = server.local("GET", &format!("/api/v1/season/{name}"), "");
        assert_eq!(answer.code(), "no-season", "{name}");
        assert!(!publishers.path("store/season").join(name).exists(), "{name}");
    }
    until("that the log has no name", 30, || !log().contains("Cid"));
    begin(&server, wanted);
    assert_eq!(done(&server)["state"], "done");
    assert!(!file(&server, "all.csv").contains("Cid"));
}

/// A job may be done before the next request comes: then it is tried again with another one.
fn caught(mut tried: impl FnMut(usize) -> bool) {
    assert!((0..40).any(&mut tried), "40 of them were done at once");
}

#[test]
fn one_runs_at_a_time_and_ends_when_somebody_stops_it_or_the_server_ends() {
    let desk = Desk::new();
    for number in 0..6 {
        let title = format!("Open {number}");
        desk.write(&format!("{number}.csv"), large(&title, 600).as_bytes());
        rehearsed(&desk, &["import", &format!("{number}.csv")]);
    }
    rehearsed(&desk, &["new", "Friday", "--rules", "mtr"]);
    let mut server = Server::of(&desk);
    let wanted = r#"{"rules":"battlefy"}"#;
    caught(|_| {
        begin(&server, wanted);
        let second = server.local("POST", "/api/v1/season", wanted);
        done(&server);
        second.status == 409 && second.code() == "season-runs-already"
    });
    caught(|_| {
        begin(&server, wanted);
        let page = server.local("GET", "/season", "").body;
        done(&server);
        page.contains("<progress")
    });
    // The desks go on meanwhile.
    caught(|attempt| {
        begin(&server, wanted);
        let path = "/api/v1/tournaments/Friday/orders";
        let order = r#"{"order":"note","text":"while it runs"}"#;
        assert_eq!(server.local_under(&format!("n{attempt}"), "POST", path, order).status, 201);
        let runs = stands(&server)["state"] == "running";
        done(&server);
        runs
    });
    caught(|_| {
        begin(&server, wanted);
        let stop = server.local("DELETE", "/api/v1/season", "");
        let ended = done(&server);
        if ended["state"] == "done" {
            return false;
        }
        assert_eq!(stop.status, 202, "{stop:?}");
        assert_eq!(
            (&ended["state"], &ended["why"]),
            (&"stopped".into(), &"somebody stopped it".into())
        );
        assert_eq!(ended["files"], serde_json::json!([]));
        true
    });
    assert!(server.local("GET", "/season", "").body.contains("It was stopped"));
    assert_eq!(server.local("GET", "/api/v1/season/all.csv", "").code(), "no-season");
    assert_eq!(server.local("DELETE", "/api/v1/season", "").code(), "no-season");
    // A server that dies says afterwards that it was stopped, and begins another one.
    caught(|_| {
        begin(&server, wanted);
        server.kill();
        server = Server::of(&desk);
        let told = stands(&server);
        let why = "the server ended while it ran";
        told["state"] == "stopped" && told["why"] == why
    });
    begin(&server, wanted);
    let ended = done(&server);
    assert_eq!((&ended["state"], &ended["done"]), (&"done".into(), &7.into()), "{ended}");
    server.stop();
    let server = Server::of(&desk);
    assert_eq!(stands(&server), ended, "what came of it is there after a restart");
    assert!(file(&server, "all.csv").contains("Open 2"));
}

#[test]
fn who_may_not_and_what_cannot_be_done_is_refused() {
    let desk = friday();
    let server = Server::of(&desk);
    let refused = |body: &str| {
        let answer = server.local("POST", "/api/v1/season", body);
        (answer.status, answer.code())
    };
    assert_eq!(refused(r#"{"rules":"no-such-rules"}"#), (422, "bad-ruleset".into()));
    assert_eq!(refused(r#"{"rules":" "}"#), (422, "bad-ruleset".into()));
    assert_eq!(refused(r#"{"rules":"edition:0000000000000000"}"#), (404, "no-such-edition".into()));
    assert_eq!(refused("{}"), (400, "bad-request".into()));
    for role in ["head-judge", "scorekeeper", "venue"] {
        let token = server.token(role);
        let headers = [("Authorization", token.as_str())];
        for (method, path) in [
            ("GET", "/api/v1/season"),
            ("POST", "/api/v1/season"),
            ("DELETE", "/api/v1/season"),
            ("GET", "/api/v1/season/all.csv"),
            ("GET", "/season"),
            ("POST", "/season"),
            ("GET", "/season/moved"),
        ] {
            let answer = server.send(method, path, &headers, r#"{"rules":"battlefy"}"#);
            assert_eq!(answer.status, 403, "{role} {method} {path}");
        }
    }
    begin(&server, r#"{"rules":"battlefy"}"#);
    done(&server);
    // A report is named by its name in the list, and leads nowhere else.
    for name in ["job.json", "..%2Fhouse.redb", "%2e%2e%2fhouse.redb", "other.csv"] {
        let answer = server.local("GET", &format!("/api/v1/season/{name}"), "");
        assert_eq!((answer.status, answer.code().as_str()), (404, "no-season"), "{name}");
    }
}

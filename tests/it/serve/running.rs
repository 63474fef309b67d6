//! What those who run the server are told of it.

use super::client::{Answer, Server, answered, friday, rehearsed};
use super::live::{read_until, watch, watch_with};
use crate::cli::desk::Desk;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// `--store typo` began an empty store without a word.
#[test]
fn a_store_that_a_server_makes_is_said_to_be_a_new_one() {
    let desk = Desk::new();
    let greets = || {
        let words = ["serve", "--store", "typo", "--listen", "127.0.0.1:0", "--no-mdns"];
        let mut server = desk.command(&words).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let mut out = BufReader::new(server.stdout.take().expect("piped"));
        out.read_line(&mut line).expect("it says something");
        server.kill().expect("killed");
        server.wait().expect("gone");
        line
    };
    assert_eq!(greets(), "serving a new store: typo\n");
    assert_eq!(greets(), "serving the store typo\n");
}

#[test]
fn those_who_run_it_learn_whether_it_is_ready_and_what_it_counts() {
    let desk = friday();
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let admin = port.expect("a free port").to_string();
    let server = Server::with(&desk, &["--admin", &admin]);
    let ask = |path: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {admin}\r\nConnection: close\r\n\r\n");
        answered(admin.parse().expect("an address"), request.as_bytes()).expect("it answers")
    };
    assert_eq!((ask("/healthz").status, ask("/readyz").body.as_str()), (200, "ready\n"));
    let token = server.token("judge");
    server.order(&token, "a", r#"{"order":"result","slip":"1 2-0"}"#);
    server.order(&token, "b", r#"{"order":"result","slip":"1 2-0"}"#);
    server.order(&token, "c", r#"{"order":"pair"}"#);
    (0..3).for_each(|_| _ = server.get("/t/Friday/standings"));
    let counted = ask("/metrics").body;
    for line in [
        r#"scrutineer_orders_total{verb="result",code=""} 1"#,
        r#"scrutineer_orders_total{verb="pair",code="not-allowed"} 1"#,
        r#"scrutineer_requests_total{route="/t/{id}/standings",status="200"} 3"#,
        "scrutineer_pages_made_total 1",
        "scrutineer_pages_kept_total 2",
        "scrutineer_streams 0",
        "scrutineer_webhooks_paused 0",
        "# EOF",
    ] {
        assert!(counted.contains(line), "{line} is missing:\n{counted}");
    }
    assert!(counted.contains(r#"scrutineer_order_seconds_count{verb="result"} 2"#), "{counted}");
    watched(&server, &desk, &ask);
    // Each is told about in the list of them.
    let listed =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/OPERATIONS.md"));
    let listed = listed.expect("a document");
    let all = ask("/metrics").body;
    let names = all.lines().filter_map(|line| line.strip_prefix("# TYPE scrutineer_"));
    let names: Vec<&str> = names.filter_map(|line| line.split(' ').next()).collect();
    assert!(names.len() > 15, "{all}");
    for name in names {
        assert!(listed.contains(&format!("`{name}`")), "{name} is not listed");
    }
    // Nobody else is told.
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.get(path).status, 404);
    }
    server.stop();
    let refused = desk.run(&["serve", "--listen", "127.0.0.1:0", "--admin", "0.0.0.0:7781"]);
    assert!(refused.err.contains("admin-is-local"), "{}", refused.all());
}

/// Somebody watches while a round is drafted, and somebody comes back who missed too much.
fn watched(server: &Server, desk: &Desk, ask: &dyn Fn(&str) -> Answer) {
    let says = |lines: &[&str]| {
        // What ends is counted once its connection is gone.
        let begun = Instant::now();
        loop {
            let counted = ask("/metrics").body;
            let missing = lines.iter().find(|line| !counted.lines().any(|one| one == **line));
            let Some(missing) = missing else { return counted };
            assert!(begun.elapsed().as_secs() < 20, "{missing} is missing:\n{counted}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let path = "/t/Friday/live";
    let mut watching = watch_with(server, path, ("Accept", "text/event-stream"));
    read_until(&mut watching, "event: head");
    let in_time = ["scrutineer_horizon_behind 0", "scrutineer_tournaments_held_back 0"];
    let new = r#"scrutineer_streams_begun_total{how="new"} 1"#;
    says(&["scrutineer_streams 1", new, "scrutineer_streams_behind 0"]);
    says(&in_time);
    says(&["scrutineer_second_laptop_behind 0", "scrutineer_tournaments_not_pushed 0"]);
    rehearsed(desk, &["result", "2", "2-0"]);
    rehearsed(desk, &["pair"]);
    // Whoever watches was told all that there is for them; the draft is nobody's business yet.
    let counted = says(&["scrutineer_tournaments_held_back 1", "scrutineer_streams_behind 0"]);
    assert!(!counted.contains("scrutineer_horizon_behind 0"), "{counted}");
    rehearsed(desk, &["publish"]);
    says(&in_time);
    let mut late = watch(server, path, "9999");
    read_until(&mut late, "event: behind");
    says(&[
        r#"scrutineer_streams_begun_total{how="resumed"} 1"#,
        r#"scrutineer_streams_ended_total{how="behind"} 1"#,
    ]);
    drop(watching);
    rehearsed(desk, &["result", "1", "2-0"]);
    says(&[r#"scrutineer_streams_ended_total{how="dropped"} 1"#, "scrutineer_streams 0"]);
}

/// A session with names, texts, links and keys: the log of requests has a line of each request and none
/// of them.
#[test]
fn the_log_of_requests_says_what_was_asked_for_and_not_by_whom() {
    let desk = friday();
    let log = desk.path("requests.log");
    let file = std::fs::File::create(&log).expect("a file");
    let server = Server::with_stderr(&desk, &["--log"], Stdio::from(file));
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let origin = format!("http://{}", server.address);
    let post = |path: &str, more: &[(&str, &str)], body: &str| {
        let headers = [&form[..], &[("Origin", origin.as_str())], more].concat();
        server.send("POST", path, &headers, body)
    };
    let joined = post(&server.owner, &[], "name=Olga+Secretname");
    let cookie =
        joined.header("set-cookie").and_then(|all| all.split(';').next()).expect("a cookie");
    let code = server.local("POST", "/api/v1/links", r#"{"role":"judge"}"#).json();
    let code = code["code"].as_str().expect("a code").to_string();
    let token = server.token("judge");
    let id = server.get("/api/v1/tournaments/Friday").json()["tournament"]["id"].clone();
    let id = id.as_str().expect("an id").to_string();
    server.get(&format!("/join/{code}"));
    server.get(&format!("/t/{id}/standings"));
    server.get(&format!("/t/{id}/standings?player=Ann&search=Wendeltreppe"));
    server.get(&format!("/t/{id}/standings"));
    server.get("/t/Friday/standings");
    server.get("/Wendeltreppe");
    server.order(&token, "key-of-this", r#"{"order":"result","slip":"1 2-0"}"#);
    let mine = [("Cookie", cookie)];
    post("/t/Friday/orders", &mine, "order=note&text=Wendeltreppe&key=key-of-that");
    server.send("GET", "/t/Friday/desk", &mine, "");
    server.send("GET", "/t/Friday/log?search=Ann", &[("Authorization", "Bearer scr_madeup")], "");
    let owner = server.owner.trim_start_matches("/join/").to_string();
    let local = server.key.clone();
    server.stop();
    let log = std::fs::read_to_string(&log).expect("written");
    let secrets = [
        "Ann",
        "Olga",
        "Secretname",
        "Wendeltreppe",
        "Friday",
        "key-of",
        "scr_",
        "slip",
        "note",
        code.as_str(),
        owner.as_str(),
        local.as_str(),
        token.trim_start_matches("Bearer "),
        cookie.trim_start_matches("scrutineer="),
    ];
    for secret in secrets {
        assert!(!log.contains(secret), "{secret} stands in the log:\n{log}");
    }
    let lines: Vec<Value> = log
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let of = |route: &str| lines.iter().filter(|line| line["route"] == route).collect::<Vec<_>>();
    assert_eq!(of("/t/{id}/standings").len(), 4, "{log}");
    assert!(of("/t/{id}/standings").iter().any(|line| line["tournament"] == id.as_str()), "{log}");
    let order = of("/api/v1/tournaments/{id}/orders");
    assert_eq!((&order[0]["who"], &order[0]["role"]), (&"token".into(), &"judge".into()), "{log}");
    assert_eq!(of("/t/{id}/desk")[0]["who"], "session", "{log}");
    assert_eq!(of("/t/{id}/log")[0]["who"], "unknown", "{log}");
    assert_eq!(of("none")[0]["status"], 404, "{log}");
    let mut ids: Vec<u64> = lines.iter().filter_map(|line| line["id"].as_u64()).collect();
    assert!(lines.iter().all(|line| line["ms"].is_number() && line["time"].is_u64()));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), lines.len());
}

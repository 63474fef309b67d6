//! Servers of one database behind a load balancer: one that does not reach the database, or was led to a server
//! that another one has taken the place of, is left; and what is kept beside the logs is on all of them.

use super::client::{Answer, answered};
use super::new_rules::{put, signed};
use super::nodes::{Node, friday, node, node_with, until};
use crate::cli::on_postgres::server::Server as Database;
use serde_json::Value;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// A way to a database that can be cut, and lead elsewhere.
struct Way {
    port: u16,
    to: Arc<Mutex<Option<PathBuf>>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

fn socket_of(database: &Database) -> PathBuf {
    let data = database.data();
    data.with_file_name(format!(".s.PGSQL.{}", database.port()))
}

impl Way {
    fn to(database: &Database) -> Way {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let to = Arc::new(Mutex::new(Some(socket_of(database))));
        let open = Arc::new(Mutex::new(Vec::new()));
        let way = Way { port, to: Arc::clone(&to), open: Arc::clone(&open) };
        std::thread::spawn(move || {
            for from in listener.incoming().map_while(Result::ok) {
                let leads = to.lock().expect("whole").clone();
                let Some(there) = leads.and_then(|to| UnixStream::connect(to).ok()) else {
                    continue;
                };
                open.lock().expect("whole").push(from.try_clone().expect("cloned"));
                let (mut in_from, mut in_to) =
                    (from.try_clone().expect("cloned"), there.try_clone().expect("cloned"));
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut in_from, &mut in_to);
                    let _ = in_to.shutdown(Shutdown::Both);
                });
                let (mut out_from, mut out_to) = (there, from);
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut out_from, &mut out_to);
                    let _ = out_to.shutdown(Shutdown::Both);
                });
            }
        });
        way
    }

    fn leads(&self, to: Option<PathBuf>) {
        *self.to.lock().expect("whole") = to;
        for connection in self.open.lock().expect("whole").drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn address(&self, name: &str) -> String {
        format!("postgres://desk@127.0.0.1:{}/{name}", self.port)
    }
}

fn free() -> SocketAddr {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    free.expect("a free port")
}

fn asked(at: SocketAddr, path: &str) -> Answer {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n");
    answered(at, request.as_bytes()).unwrap_or_else(|error| panic!("{at} {path}: {error}"))
}

/// HAProxy, as `deploy/` has it.
struct Balancer {
    child: Child,
    at: SocketAddr,
    _folder: tempfile::TempDir,
}

impl Balancer {
    /// Before these nodes, each with where its health is; none where HAProxy is not installed, which is said.
    fn before(nodes: [(&Node, SocketAddr); 2]) -> Option<Balancer> {
        let folder = tempfile::tempdir().expect("a folder");
        let at = free();
        let text = include_str!("../../../deploy/haproxy-nodes.cfg");
        let mut text = text.replace("${LISTEN_NODES}", &at.to_string());
        for (name, (node, health)) in ["A", "B"].into_iter().zip(nodes) {
            let address = node.server.address;
            text = text
                .replace(&format!("${{NODE_{name}}}"), &address.ip().to_string())
                .replace(&format!("${{NODE_{name}_PORT}}"), &address.port().to_string())
                .replace(&format!("${{NODE_{name}_HEALTH}}"), &health.port().to_string());
        }
        let text = text.replace("maxconn 20000", "maxconn 200");
        assert!(!text.replace("${…}", "").contains("${"), "{text}");
        let file = folder.path().join("haproxy-nodes.cfg");
        std::fs::write(&file, text).expect("written");
        let mut command = Command::new("haproxy");
        command.args(["-db", "-f"]).arg(&file).stdin(Stdio::null()).stdout(Stdio::null());
        match command.spawn() {
            Ok(child) => Some(Balancer { child, at, _folder: folder }),
            Err(error) => {
                assert!(std::env::var_os("SCRUTINEER_NO_SKIPS").is_none(), "no HAProxy: {error}");
                eprintln!("skipped: there is no HAProxy here");
                None
            }
        }
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_node_that_does_not_reach_the_database_or_was_led_to_a_replaced_one_is_left() {
    let Some(mut database) = Database::start() else { return };
    friday(&database, "balanced");
    let ways = [Way::to(&database), Way::to(&database)];
    let health = [free(), free()];
    let served = |at: usize| {
        let health = health[at].to_string();
        node_with(&ways[at].address("balanced"), &["--health", &health])
    };
    let (one, other) = (served(0), served(1));
    let Some(balancer) = Balancer::before([(&one, health[0]), (&other, health[1])]) else { return };
    let ready = |at: usize| asked(health[at], "/readyz").status == 200;
    assert_eq!(asked(health[0], "/healthz").body, "alive\n");
    assert_eq!(asked(health[0], "/metrics").status, 404, "nothing else is answered there");
    let shows = || {
        let path = "/t/Friday/round/1";
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", balancer.at);
        answered(balancer.at, request.as_bytes()).is_ok_and(|answer| answer.status == 200)
    };
    until("both are ready", || ready(0) && ready(1));
    until("the balancer has found them", shows);
    // One does not reach the database: it is left, and nobody notices.
    ways[0].leads(None);
    until("it is seen", || !ready(0));
    assert_eq!(asked(health[0], "/readyz").body, "not ready\n", "without the reason");
    assert!(one.ready().body.contains("waiting for the database"), "{:?}", one.ready());
    // The balancer asks every second.
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert!((0..30).all(|_| shows()), "whoever comes meets the other one");
    ways[0].leads(Some(socket_of(&database)));
    until("it is back", || ready(0));
    // Where none is ready, whoever comes is told why, and not by a closed door.
    ways.iter().for_each(|way| way.leads(None));
    until("none is ready", || !ready(0) && !ready(1));
    let request = format!(
        "GET /api/v1/tournaments HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        balancer.at
    );
    let said = || answered(balancer.at, request.as_bytes());
    until("it is said", || {
        said().is_ok_and(|answer| {
            answer.status == 503 && answer.body.contains("waiting-for-database")
        })
    });
    ways.iter().for_each(|way| way.leads(Some(socket_of(&database))));
    until("both are back", || ready(0) && ready(1));
    // Another server takes the place of this one, which runs on: whoever is led to it again is left too.
    let replacing = database.replaced();
    replacing.promote();
    database.run();
    for way in &ways {
        way.leads(Some(socket_of(&replacing)));
    }
    until("both have seen it", || ready(0) && ready(1));
    let token = other.server.token("scorekeeper");
    let sent = one.server.order(&token, "new", r#"{"order":"note","text":"on the new one"}"#);
    assert_eq!(sent.status, 201, "{sent:?}");
    ways[0].leads(Some(socket_of(&database)));
    until("it is fenced", || !ready(0));
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert!(!ready(0), "and stays so: {:?}", one.ready());
    assert!((0..30).all(|_| shows()), "whoever comes meets the other one");
    let sent = other.server.order(&token, "on", r#"{"order":"note","text":"it goes on"}"#);
    assert_eq!(sent.status, 201, "{sent:?}");
}

#[test]
fn editions_of_rules_and_a_season_are_on_every_node() {
    let Some(database) = Database::start() else { return };
    let address = friday(&database, "beside");
    let (one, other) = (node(&address), node(&address));
    put(&one.server, &signed("carde", 9));
    let names = |at: &Node| at.server.get("/api/v1/editions").json()["editions"].clone();
    assert_eq!(names(&one)[0]["rules"], "carde");
    until("the edition", || names(&other) == names(&one));
    let name = names(&other)[0]["name"].as_str().expect("a name").to_string();
    assert_eq!(other.server.get(&format!("/api/v1/editions/{name}")).status, 200);
    let said = other.desk.run(&["rules", "editions"]);
    assert!(said.code == 0 && said.out.contains("carde"), "{}", said.all());
    // A season: begun on one, and seen on both.
    let said = one.desk.run(&["import", "autumn-open.csv"]);
    assert_eq!(said.code, 0, "{}", said.all());
    let stands = |at: &Node| at.server.local("GET", "/api/v1/season", "").json();
    let wanted = format!(r#"{{"rules":"edition:{name}"}}"#);
    let begun = other.server.local("POST", "/api/v1/season", &wanted);
    assert_eq!(begun.status, 202, "{begun:?}");
    until("its end", || stands(&one)["state"] == "done");
    let (here, there): (Value, Value) = (stands(&one), stands(&other));
    assert_eq!((&here, &here["done"]), (&there, &2.into()));
    for file in ["all.csv", "page.html"] {
        let path = format!("/api/v1/season/{file}");
        let of = |at: &Node| at.server.local("GET", &path, "").body;
        assert!(of(&one).len() > 100 && of(&one) == of(&other), "{file}: {}", of(&one));
        let has_all = file == "page.html" || of(&one).contains("Autumn Open");
        assert!(has_all, "{}", of(&one));
    }
    // The command ranks the season of a database too.
    let said = one.desk.run(&["rebuild", "--season", &address, "--rules", "carde"]);
    assert!(said.out.contains("2 tournaments under carde"), "{}", said.all());
    let refused = one.desk.run(&["backup", &address]);
    assert!(refused.err.contains("folder-is-meant"), "{}", refused.all());
}

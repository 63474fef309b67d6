//! Nodes of Scrutineer that serve a database of a cluster: the built program, in processes of its own.

use super::{Cluster, ports, process, wait};
use crate::http;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

/// Names the program, where it is not the one that was built beside this one.
pub const PROGRAM: &str = "SCRUTINEER_PROGRAM";

/// Where the program is; none where it was not built.
pub fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(PROGRAM) {
        return Some(PathBuf::from(named)).filter(|named| named.exists());
    }
    let this = std::env::current_exe().ok()?;
    // Tests lie one folder deeper.
    let beside = this.ancestors().skip(1).take(2).map(|folder| folder.join("scrutineer"));
    beside.into_iter().find(|program| program.is_file())
}

/// Why no node can be started here; none if one can.
pub fn hindrance() -> Option<&'static str> {
    program().is_none().then_some(
        "the program is not there: `cargo build` makes it, or SCRUTINEER_PROGRAM names its file",
    )
}

/// One of them.
struct Node {
    folder: PathBuf,
    address: SocketAddr,
    child: Option<Child>,
}

/// Nodes of one database, which end with the value or with the cluster.
pub struct Nodes {
    program: String,
    store: String,
    nodes: Vec<Node>,
}

impl Nodes {
    /// Starts so many nodes at a new database of this name.
    ///
    /// # Errors
    /// Where there is no program, or it does not serve within a minute.
    pub fn start(cluster: &Cluster, name: &str, count: usize) -> io::Result<Nodes> {
        let built = program().ok_or_else(|| io::Error::other("the program was not built"))?;
        let room = cluster.folder.join(name);
        fs::create_dir_all(&room)?;
        // Somebody else runs it, who may not see where it was built.
        let program = room.join("scrutineer");
        fs::copy(built, &program)?;
        let nodes = ports(count)?.into_iter().enumerate().map(|(place, port)| {
            let folder = room.join(format!("node{}", place + 1));
            fs::create_dir_all(&folder)?;
            Ok(Node { folder, address: ([127, 0, 0, 1], port).into(), child: None })
        });
        let nodes = nodes.collect::<io::Result<Vec<_>>>()?;
        process::give_to_postgres(&room)?;
        let store = cluster.another_database(name)?;
        let program = program.to_string_lossy().into_owned();
        let mut started = Nodes { program, store, nodes };
        // The key of draws' secrets is made by the first one, and all have it.
        for node in 0..count {
            started.start_one(node)?;
        }
        Ok(started)
    }

    /// How the database is reached.
    pub fn store(&self) -> &str {
        &self.store
    }

    /// Where they listen.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Starts one, and waits until it answers. Where it ends, since the database is away, it is started
    /// again, as systemd does.
    ///
    /// # Errors
    /// Where it does not answer within a minute.
    pub fn start_one(&mut self, node: usize) -> io::Result<()> {
        let address = self.nodes[node].address;
        let listen = address.to_string();
        let words = ["serve", "--listen", &listen, "--no-mdns"];
        let what = format!("node {} serves; its log is in its folder", node + 1);
        wait(60, &what, || {
            let child = self.nodes[node].child.as_mut();
            if child.is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
                self.nodes[node].child = self.spawn(node, &words).ok();
            }
            let asked = http::asked(address, "GET", "/", &[], "", Duration::from_secs(5));
            asked.is_ok_and(|(status, _)| status < 500)
        })
    }

    /// Kills one.
    pub fn kill(&mut self, node: usize) {
        if let Some(mut child) = self.nodes[node].child.take() {
            process::signal_child(&child, Signal::KILL);
            drop(child.wait());
        }
    }

    /// Runs the command line at the database, as on the first node's machine.
    ///
    /// # Errors
    /// Where it says no: what it said is in the message.
    pub fn run(&self, words: &[&str]) -> io::Result<()> {
        let status = self.spawn(0, words)?.wait()?;
        if status.success() {
            return Ok(());
        }
        let log = fs::read_to_string(self.nodes[0].folder.join("log")).unwrap_or_default();
        let said = log.lines().rev().take(20).collect::<Vec<_>>();
        let said = said.into_iter().rev().collect::<Vec<_>>().join("\n");
        Err(io::Error::other(format!("scrutineer {}: {status}\n{said}", words.join(" "))))
    }

    fn spawn(&self, node: usize, words: &[&str]) -> io::Result<Child> {
        let folder = &self.nodes[node].folder;
        let named = |name: &str, path: &Path| format!("{name}={}", path.display());
        let room = folder.parent().unwrap_or(folder);
        let surroundings = [
            format!("SCRUTINEER_STORE={}", self.store),
            named("SCRUTINEER_NODE", folder),
            named("SCRUTINEER_KEYS", &room.join("keys")),
            named("SCRUTINEER_DATABASE_KEY_FILE", &room.join("database.key")),
        ];
        let mut all = vec!["env"];
        all.extend(surroundings.iter().map(String::as_str));
        all.push(&self.program);
        all.extend(words);
        process::spawn(folder, None, &all)
    }

    /// A token of a scorekeeper, as the header that shows it.
    ///
    /// # Errors
    /// Where the first node gives none.
    pub fn token(&self) -> io::Result<String> {
        let node = &self.nodes[0];
        let said = fs::read_to_string(node.folder.join("server.json"))?;
        let said: Value = serde_json::from_str(&said)?;
        let key = format!("Bearer {}", said["key"].as_str().unwrap_or_default());
        let asks = json!({ "role": "scorekeeper" }).to_string();
        let headers = [("Authorization", &*key)];
        let patience = Duration::from_secs(30);
        let (status, body) =
            http::asked(node.address, "POST", "/api/v1/tokens", &headers, &asks, patience)?;
        let made: Value = serde_json::from_str(&body).unwrap_or_default();
        let token = made["token"].as_str();
        let token = token.ok_or_else(|| io::Error::other(format!("no token: {status} {body}")))?;
        Ok(format!("Bearer {token}"))
    }

    /// Begins a tournament of eight whose first round is out.
    ///
    /// # Errors
    /// Where the command line says no.
    pub fn begin(&self, title: &str) -> io::Result<()> {
        self.run(&["new", title, "--rules", "mtr"])?;
        let players = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal"];
        for words in [&[&["enroll"], &players[..]].concat()[..], &["pair"], &["publish"]] {
            self.run(&[words, &["--tournament", title]].concat())?;
        }
        Ok(())
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        (0..self.nodes.len()).for_each(|node| self.kill(node));
    }
}

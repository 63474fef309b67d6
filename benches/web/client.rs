//! A server in a process of its own, and a client that keeps its connection.

use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::orders::{self, Enroll, New, Person};
use scrutineer_desk::store::Store;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server at a store.
pub struct Server {
    child: Child,
    /// Its address.
    pub address: SocketAddr,
    key: String,
    /// Its store.
    pub store: PathBuf,
    _folder: tempfile::TempDir,
}

impl Server {
    /// Fills a store, and serves it. The folder is on the disk where the project is built: that for
    /// temporary files may lie in memory.
    pub fn of(fill: impl FnOnce(&Path)) -> Server {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let store = folder.path().join("store");
        fill(&store);
        let mut command = Command::new(env!("CARGO_BIN_EXE_scrutineer"));
        command.arg("--store").arg(&store).args(["serve", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        while !line.contains("Ctrl-C") {
            line.clear();
            assert_ne!(out.read_line(&mut line).expect("it says something"), 0, "it has ended");
        }
        let said = std::fs::read_to_string(store.join("server.json")).expect("it says where it is");
        let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        let text = |name: &str| said[name].as_str().expect("a text").to_string();
        let address = text("address").parse().expect("an address");
        Server { child, address, key: text("key"), store, _folder: folder }
    }

    /// The memory that it holds, in bytes.
    pub fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        line.split_whitespace().next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
    }

    /// The processor time that it has taken.
    pub fn time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|one| one.parse::<u64>().ok()).sum();
        // Linux counts hundredths of a second.
        Duration::from_millis(ticks * 10)
    }

    /// As the command line of this machine.
    pub fn local(&self) -> Client {
        Client::to(self.address, &format!("Authorization: Bearer {}\r\n", self.key))
    }

    /// As a program with a token.
    pub fn scorekeeper(&self) -> Client {
        let made = self.local().send("POST", "/api/v1/tokens", "", br#"{"role":"owner"}"#);
        let made: serde_json::Value = serde_json::from_slice(&made.1).expect("JSON");
        let token = made["token"].as_str().expect("a token");
        Client::to(self.address, &format!("Authorization: Bearer {token}\r\n"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already is gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tournament of so many, signed up by name.
pub fn signed_up(store: &Path, players: usize) {
    let store = Store::open(store).expect("a new store");
    let asker = Asker::default();
    let phases = vec!["swiss:9".into()];
    let new = New { title: "Hall".into(), rules: "mtr".into(), phases, ..New::default() };
    let (stream, _) = orders::open(&asker, &store, &new).expect("opened");
    let person = |n| Person { name: format!("Surname{n:05}, Given"), ..Person::default() };
    let enroll = Enroll { people: (0..players).map(person).collect(), ..Enroll::default() };
    orders::record(&asker, &store, stream, Asked::default(), &enroll.into()).0.expect("enrolled");
}

/// The path of orders of the tournament that [`signed_up`] makes.
const HALL: &str = "/api/v1/tournaments/Hall/orders";

/// A connection that is kept.
pub struct Client {
    socket: BufReader<TcpStream>,
    head: String,
    keys: u64,
    /// How the tournament stood when its last answer came.
    tag: String,
}

impl Client {
    /// Connects; `headers` go with each request.
    pub fn to(address: SocketAddr, headers: &str) -> Client {
        let socket = TcpStream::connect(address).expect("connected");
        socket.set_nodelay(true).expect("set");
        let head = format!("Host: {address}\r\n{headers}");
        Client {
            socket: BufReader::with_capacity(1 << 16, socket),
            head,
            keys: 0,
            tag: String::new(),
        }
    }

    /// Sends a request, and gives the status and the body.
    pub fn send(&mut self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\n{}{headers}Content-Length: {length}\r\n\r\n",
            self.head
        );
        let request = [text.as_bytes(), body].concat();
        self.socket.get_mut().write_all(&request).expect("sent");
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            assert_ne!(
                self.socket.read_line(&mut line).expect("an answer"),
                0,
                "it hung up: {path}"
            );
            if line == "\r\n" {
                break;
            }
            if status == 0 {
                status =
                    line.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().expect("a length"),
                "etag" => self.tag = value.trim().to_string(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.socket.read_exact(&mut body).expect("a body");
        (status, body)
    }

    /// Gives an order, under a key of its own.
    pub fn order(&mut self, order: &str) {
        self.order_of(HALL, order, "");
    }

    /// The same in a tournament of which this is the path of orders.
    pub fn order_of(&mut self, path: &str, order: &str, headers: &str) {
        self.keys += 1;
        let key = format!("Idempotency-Key: {}\r\n{headers}", self.keys);
        let (status, said) = self.send("POST", path, &key, order.as_bytes());
        assert_eq!(status, 201, "{order}: {}", String::from_utf8_lossy(&said));
    }

    /// Pairs and publishes a round.
    pub fn round(&mut self) {
        self.round_of(HALL);
    }

    /// The same in a tournament of which this is the path of orders.
    pub fn round_of(&mut self, path: &str) {
        self.order_of(path, r#"{"order":"pair"}"#, "");
        let seen = format!("If-Match: {}\r\n", self.tag);
        self.order_of(path, r#"{"order":"publish"}"#, &seen);
    }

    /// Enters the result of a table.
    pub fn result(&mut self, table: usize) {
        self.order(&format!(r#"{{"order":"result","slip":"{table} 2-{}"}}"#, table % 2));
    }
}

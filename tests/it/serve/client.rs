//! A server at a store of a test, and requests to it.

use crate::cli::desk::Desk;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The word of every rehearsal here.
pub const WORD: &str = "friday";

/// A server that runs, and is ended with the test.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    pub key: String,
    pub owner: String,
}

/// What it answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_string()
    }
}

impl Server {
    /// Serves a desk's store.
    pub fn of(desk: &Desk) -> Server {
        Server::with(desk, &[])
    }

    /// As [`Server::of`], with further options.
    pub fn with(desk: &Desk, more: &[&str]) -> Server {
        Server::with_stderr(desk, more, Stdio::inherit())
    }

    /// As [`Server::with`], with its errors and its log somewhere else.
    pub fn with_stderr(desk: &Desk, more: &[&str], errors: Stdio) -> Server {
        let mut command = desk.command(&[&["serve", "--listen", "127.0.0.1:0"], more].concat());
        command.stderr(errors);
        Server::started(desk, command)
    }

    /// As [`Server::with`], at an address of this machine.
    pub fn at(desk: &Desk, address: &str, more: &[&str]) -> Server {
        let words = [&["serve", "--listen", address], more].concat();
        Server::started(desk, desk.command(&words))
    }

    /// As [`Server::of`], under another word.
    pub fn rehearsing(desk: &Desk, word: &str) -> Server {
        Server::under(desk, desk.command(&["serve", "--listen", "127.0.0.1:0"]), word)
    }

    /// As [`Server::of`], started by this command.
    pub fn started(desk: &Desk, command: Command) -> Server {
        Server::under(desk, command, WORD)
    }

    fn under(desk: &Desk, mut command: Command, word: &str) -> Server {
        command.env("SCRUTINEER_REHEARSE", word);
        Server::played(desk, command)
    }

    /// As [`Server::started`], and no rehearsal.
    pub fn played(desk: &Desk, mut command: Command) -> Server {
        command.arg("--no-mdns");
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let (mut told, mut line) = (String::new(), String::new());
        while !told.contains("Ctrl-C") {
            line.clear();
            assert_ne!(out.read_line(&mut line).expect("it says something"), 0, "{told}");
            told.push_str(&line);
        }
        let link = told.split_whitespace().find(|word| word.contains("/join/")).expect("a link");
        let (address, owner) =
            link.strip_prefix("http://").expect("http").split_once('/').expect("a path");
        let address = address.parse().expect("an address");
        let key = local_key(desk);
        Server { child, address, key, owner: format!("/{owner}") }
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as the system does.
    pub fn stop(mut self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.expect("kill runs").success());
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Waits until it has ended by itself, in order.
    pub fn ended(mut self) {
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// As [`Server::kill`], of one that may be gone.
    pub fn kill_if_there(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub fn try_raw(&self, request: &[u8]) -> std::io::Result<Answer> {
        answered(self.address, request)
    }

    /// Sends a request as it stands, and gives the answer.
    pub fn raw(&self, request: &[u8]) -> Answer {
        self.try_raw(request).expect("it answers")
    }

    /// The bytes of a request.
    pub fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Vec<u8> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        text.into_bytes()
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.raw(&self.request(method, path, headers, body))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    /// As the command line of this machine.
    pub fn local(&self, method: &str, path: &str, body: &str) -> Answer {
        let key = format!("Bearer {}", self.key);
        self.send(method, path, &[("Authorization", &key)], body)
    }

    /// As [`Server::local`], under a key.
    pub fn local_under(&self, key: &str, method: &str, path: &str, body: &str) -> Answer {
        let local = format!("Bearer {}", self.key);
        self.send(method, path, &[("Authorization", &local), ("Idempotency-Key", key)], body)
    }

    /// The ETag of the tournament as it stands.
    pub fn tag(&self) -> String {
        let stands = self.local("GET", "/api/v1/tournaments/Friday", "");
        stands.header("etag").expect("an ETag").to_string()
    }

    /// As [`Server::local`], an order that says what was seen.
    pub fn local_seeing(&self, path: &str, order: &str) -> Answer {
        let (key, tag) = (format!("Bearer {}", self.key), self.tag());
        self.send("POST", path, &[("Authorization", &key), ("If-Match", &tag)], order)
    }

    /// A token of this role; a venue's has a name.
    pub fn token(&self, role: &str) -> String {
        let name = if role == "venue" { r#","name":"The venue""# } else { "" };
        let made = self.local("POST", "/api/v1/tokens", &format!(r#"{{"role":"{role}"{name}}}"#));
        assert_eq!(made.status, 201, "{made:?}");
        format!("Bearer {}", made.json()["token"].as_str().expect("a token"))
    }

    /// An order with a token, under a key.
    pub fn order(&self, token: &str, key: &str, order: &str) -> Answer {
        self.try_order(token, key, order).expect("it answers")
    }

    /// As [`Server::order`], to a server that may be gone.
    pub fn try_order(&self, token: &str, key: &str, order: &str) -> std::io::Result<Answer> {
        let headers = [("Authorization", token), ("Idempotency-Key", key)];
        self.try_raw(&self.request("POST", "/api/v1/tournaments/Friday/orders", &headers, order))
    }
}

/// Sends a request as it stands to an address, and gives the answer.
pub fn answered(address: SocketAddr, request: &[u8]) -> std::io::Result<Answer> {
    let mut socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(Duration::from_secs(60)))?;
    // Who is refused early may hang up before all is written.
    let _ = socket.write_all(request);
    let mut bytes = Vec::new();
    let read = socket.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        read?;
        return Err(std::io::Error::other("no answer"));
    };
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(body) } else { body.to_string() };
    let wanted = head.lines().find_map(|line| {
        line.to_lowercase().strip_prefix("content-length: ").and_then(|n| n.parse().ok())
    });
    if wanted.is_some_and(|wanted: usize| body.len() < wanted) {
        return Err(std::io::Error::other("half an answer"));
    }
    let status = status.ok_or_else(|| std::io::Error::other("no status"))?;
    Ok(Answer { status, head: head.to_string(), body })
}

/// The key of the command line for the server of a desk, as its file says; empty: there is none.
pub fn local_key(desk: &Desk) -> String {
    // A database has no folder, and a node has one of its own.
    let said = ["store", "node"].map(|folder| desk.path(folder).join("server.json"));
    let said = said.iter().find_map(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let said: Value = serde_json::from_str(&said).unwrap_or_default();
    said["key"].as_str().unwrap_or_default().to_string()
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already is gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn unchunked(body: &str) -> String {
    let (mut rest, mut text) = (body, String::new());
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || after.len() < size {
            break;
        }
        text.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    text
}

/// A store with a tournament of four whose first round is published, made under the rehearsal.
pub fn friday() -> Desk {
    let desk = Desk::new();
    for words in [
        &["new", "Friday", "--rules", "mtr"][..],
        &["enroll", "Ann", "Bob", "Cid", "Dee"],
        &["pair"],
        &["publish"],
    ] {
        rehearsed(&desk, words);
    }
    desk
}

/// A command under the rehearsal that does its work.
pub fn rehearsed(desk: &Desk, words: &[&str]) -> String {
    let mut command = desk.command(words);
    command.env("SCRUTINEER_REHEARSE", WORD);
    let said = crate::cli::desk::Said::of(command.output().expect("it runs"));
    assert_eq!(said.code, 0, "{words:?}: {}", said.all());
    said.out
}

/// Everything that a tournament's log holds, byte by byte.
pub fn whole(desk: &Desk) -> Vec<u8> {
    let file = desk.path("whole.bundle");
    let name = file.display().to_string();
    rehearsed(desk, &["export", "--handover", "--force", "--output", &name]);
    std::fs::read(file).expect("written")
}

//! A line to a server that is not a good one.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// It is hung up.
    Refuse,
    /// Each so many-th one is hung up.
    RefuseEach(usize),
    /// Its answer is cut off after so many bytes.
    CutAfter(usize),
    /// Its answer comes so much later.
    DelayMs(u64),
    /// It gets the answer that another request got before, as if it came late.
    AnswerOfBefore,
    /// It is hung up, and its request arrives all the same: behind the next one, which gets through.
    BehindTheNext,
}

struct Line {
    to: Mutex<SocketAddr>,
    fault: Mutex<Fault>,
    before: Mutex<Vec<u8>>,
    /// A request that arrives behind the next one.
    held: Mutex<Option<Vec<u8>>>,
    faults: AtomicUsize,
    /// How many connections there were.
    count: AtomicUsize,
}

/// A line to a server, one request a connection.
pub struct Proxy {
    pub address: SocketAddr,
    line: Arc<Line>,
}

impl Proxy {
    /// A line to a server.
    pub fn to(server: SocketAddr) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
        let address = listener.local_addr().expect("an address");
        let line = Arc::new(Line {
            to: Mutex::new(server),
            fault: Mutex::new(Fault::None),
            before: Mutex::default(),
            held: Mutex::default(),
            faults: AtomicUsize::new(0),
            count: AtomicUsize::new(0),
        });
        let shared = Arc::clone(&line);
        std::thread::spawn(move || {
            for socket in listener.incoming() {
                let (Ok(socket), line) = (socket, Arc::clone(&shared)) else { return };
                // A line that breaks is what this is for.
                std::thread::spawn(move || _ = line.carry(socket));
            }
        });
        Proxy { address, line }
    }

    /// From now on it does this.
    pub fn fault(&self, fault: Fault) {
        *self.line.fault.lock().expect("unlocked") = fault;
    }

    /// From now on it leads there.
    #[allow(dead_code, reason = "used by those who move the server")]
    pub fn leads_to(&self, server: SocketAddr) {
        *self.line.to.lock().expect("unlocked") = server;
    }

    /// How many connections met a fault.
    pub fn faults(&self) -> usize {
        self.line.faults.load(Ordering::Relaxed)
    }
}

/// Reads a request: its head, and its body by its length.
fn request(socket: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let (mut bytes, mut part) = (Vec::new(), [0; 65_536]);
    loop {
        let count = socket.read(&mut part)?;
        if count == 0 {
            return Ok(Vec::new());
        }
        bytes.extend(&part[..count]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
        if bytes.len() >= end + 4 + length {
            return Ok(bytes);
        }
    }
}

impl Line {
    fn carry(&self, mut near: TcpStream) -> std::io::Result<()> {
        let asked = request(&mut near)?;
        if asked.is_empty() {
            return Ok(());
        }
        let fault = *self.fault.lock().expect("unlocked");
        if fault != Fault::None {
            self.faults.fetch_add(1, Ordering::Relaxed);
        }
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let is_lost = matches!(fault, Fault::RefuseEach(each) if count.is_multiple_of(each));
        if fault == Fault::Refuse || is_lost {
            return Ok(());
        }
        let held = match fault {
            Fault::BehindTheNext => {
                let mut held = self.held.lock().expect("unlocked");
                if held.is_none() {
                    *held = Some(asked);
                    return Ok(());
                }
                held.take()
            }
            _ => None,
        };
        let mut answer = self.deliver(&asked)?;
        if let Some(held) = held {
            self.deliver(&held)?;
        }
        let before = std::mem::replace(&mut *self.before.lock().expect("unlocked"), answer.clone());
        match fault {
            Fault::CutAfter(count) => answer.truncate(count),
            Fault::DelayMs(late) => std::thread::sleep(Duration::from_millis(late)),
            Fault::AnswerOfBefore if !before.is_empty() => answer = before,
            _ => {}
        }
        near.write_all(&answer)
    }

    /// Gives a request to the server, and returns its answer.
    fn deliver(&self, asked: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut far = TcpStream::connect(*self.to.lock().expect("unlocked"))?;
        // One answer a connection: its end is the end of the connection.
        let text = String::from_utf8_lossy(asked).replacen("\r\n", "\r\nConnection: close\r\n", 1);
        far.write_all(text.as_bytes())?;
        far.set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut answer = Vec::new();
        far.read_to_end(&mut answer)?;
        Ok(answer)
    }
}

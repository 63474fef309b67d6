//! A database, and the lines to it, one of which is cut in the middle of a request or of its answer.

use crate::cli::on_postgres::server::{Server, options};
use scrutineer_engine::log::Log;
use scrutineer_postgres::{Address, Options, PostgresLog};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::spawn;
use std::time::Duration;

/// Where a line is cut: once, at this byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// Bytes are counted from the append on, and not from the first question about the command.
    pub at_append: bool,
    /// They are counted in what the database answers: what was asked for is done by then.
    pub in_answer: bool,
    /// So many bytes still come through.
    pub bytes: usize,
    /// The node has no patience: it says that it does not know, and somebody asks again.
    pub gives_up: bool,
}

impl Cut {
    pub fn name(self) -> &'static str {
        match (self.in_answer, self.gives_up) {
            (false, false) => "line cut in a request, asked again",
            (true, false) => "line cut in an answer, asked again",
            (false, true) => "line cut in a request, given up",
            (true, true) => "line cut in an answer, given up",
        }
    }
}

/// A line: who connects to its port gets to the database, until it is cut.
struct Line {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    cut: Mutex<Option<Cut>>,
    /// The one that happened.
    happened: Mutex<Option<Cut>>,
    ends: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// A line to a server's socket.
    fn to(socket: PathBuf) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::<Shared>::default();
        let line = Line { port, shared: Arc::clone(&shared) };
        spawn(move || {
            for client in listener.incoming() {
                if shared.ends.load(Ordering::Relaxed) {
                    return;
                }
                // Whoever is not connected finds out.
                if let (Ok(client), Ok(server)) = (client, UnixStream::connect(&socket)) {
                    connect(client, server, &shared);
                }
            }
        });
        line
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Relaxed);
        // It looks when somebody comes.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

/// Carries bytes in both directions, until one side ends or the line is cut.
fn connect(client: TcpStream, server: UnixStream, shared: &Arc<Shared>) {
    client.set_nodelay(true).expect("set");
    let both = || (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
    let ((from, to), shared_too) = (both(), Arc::clone(shared));
    let (client_too, server_too) = both();
    spawn(move || {
        carry(from, to, |bytes| shared_too.passes(false, bytes));
        drop((client_too.shutdown(Shutdown::Both), server_too.shutdown(Shutdown::Both)));
    });
    let shared = Arc::clone(shared);
    spawn(move || {
        let (to, from) = (client.try_clone().expect("a socket"), server.try_clone());
        carry(from.expect("a socket"), to, |bytes| shared.passes(true, bytes));
        drop((client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both)));
    });
}

fn carry(mut from: impl Read, mut to: impl Write, passes: impl Fn(usize) -> usize) {
    let mut bytes = [0; 16_384];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        let through = passes(read);
        if to.write_all(&bytes[..through]).is_err() || through < read {
            return;
        }
    }
}

impl Shared {
    /// How many of so many bytes come through; the line is cut behind them where those are fewer.
    fn passes(&self, in_answer: bool, bytes: usize) -> usize {
        let mut armed = lock(&self.cut);
        let Some(cut) = armed.as_mut().filter(|cut| cut.in_answer == in_answer) else {
            return bytes;
        };
        if bytes <= cut.bytes {
            cut.bytes -= bytes;
            return bytes;
        }
        let through = cut.bytes;
        *lock(&self.happened) = armed.take();
        through
    }
}

/// A database with two nodes: one whose line is cut, with patience and without, and another one.
pub struct Database {
    line: Line,
    patient: PostgresLog,
    hasty: PostgresLog,
    elsewhere: PostgresLog,
    /// A cut that waits for an append.
    waits: Mutex<Option<Cut>>,
    /// Whether this node has no patience at the moment.
    is_hasty: AtomicBool,
}

impl Database {
    /// The database of this name on a server.
    pub fn on(server: &Server, name: &str) -> Database {
        let folder = server.data();
        let folder = folder.parent().map_or(PathBuf::new(), Path::to_path_buf);
        let line = Line::to(folder.join(format!(".s.PGSQL.{}", server.port())));
        let by_line = format!("postgres://desk@127.0.0.1:{}/{name}", line.port);
        let by_line = Address::parse(&by_line).expect("an address");
        let open = |address: &Address, patience| {
            let options = Options { patience, connections: 2, ..options() };
            PostgresLog::open(address.clone(), options).expect("it opens")
        };
        // Long enough on any machine: patience that ends would not be what a seed says.
        let patience = Duration::from_secs(60);
        let (patient, hasty) = (open(&by_line, patience), open(&by_line, Duration::ZERO));
        let elsewhere = open(&server.address("desk", name), patience);
        let (waits, is_hasty) = (Mutex::default(), AtomicBool::default());
        Database { line, patient, hasty, elsewhere, waits, is_hasty }
    }

    /// The log of the node whose line is cut.
    pub fn here(&self) -> &dyn Log {
        if self.is_hasty.load(Ordering::Relaxed) { &self.hasty } else { &self.patient }
    }

    /// The log of another node.
    pub fn elsewhere(&self) -> &dyn Log {
        &self.elsewhere
    }

    /// Cuts the line at the next occasion.
    pub fn arm(&self, cut: Cut) {
        self.is_hasty.store(cut.gives_up, Ordering::Relaxed);
        *lock(if cut.at_append { &self.waits } else { &self.line.shared.cut }) = Some(cut);
    }

    /// The occasion of a cut that waits for an append.
    pub fn append_begins(&self) {
        if let Some(cut) = lock(&self.waits).take() {
            *lock(&self.line.shared.cut) = Some(cut);
        }
    }

    /// The cut that happened. One that had no occasion is put away.
    pub fn mend(&self) -> Option<Cut> {
        self.is_hasty.store(false, Ordering::Relaxed);
        *lock(&self.waits) = None;
        *lock(&self.line.shared.cut) = None;
        lock(&self.line.shared.happened).take()
    }
}

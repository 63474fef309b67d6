//! Many streams at two nodes of Scrutineer, while the primary is killed and then one of the nodes: each
//! stream has to be told each event once, and in order.

use super::faults::another;
use super::orders::{Answer, order, titles};
use crate::cluster::nodes::Nodes;
use crate::cluster::{Cluster, wait};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use std::collections::HashSet;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};

const NODES: usize = 2;
const TOURNAMENTS: usize = 4;
/// From how many addresses of this machine streams come: a node takes 2,000 connections from each.
const ADDRESSES: usize = 20;
/// How many connect at a time.
const AT_ONCE: usize = 128;
/// So many results are corrected between one thing and the next.
const EVENTS: usize = 12;
/// Between two of them.
const EVERY: Duration = Duration::from_millis(300);
/// How long the last stream may take to be told of the last event.
const PATIENCE: Duration = Duration::from_secs(180);

/// What streams were told.
#[derive(Default)]
pub struct Told {
    /// How many streams there were.
    pub streams: usize,
    /// Events of all tournaments.
    pub events: usize,
    /// What all streams were told, and should have been told.
    pub told: u64,
    /// Events that a stream of their tournament was not told of.
    pub missing: u64,
    /// Events that a stream was told of twice.
    pub doubled: u64,
    /// Events that came after a later one, or that nobody ordered.
    pub misplaced: u64,
    /// How often a stream was cut, and went on elsewhere.
    pub resumed: u64,
    /// The longest that an order waited for its answer.
    pub stall: Duration,
    /// What should not have been said.
    pub faults: Vec<String>,
}

impl Told {
    /// Whether each stream has each event once and in order.
    pub fn is_good(&self) -> bool {
        self.missing + self.doubled + self.misplaced == 0 && self.faults.is_empty()
    }
}

/// What streams share.
struct Shared {
    nodes: Vec<SocketAddr>,
    open: AtomicU64,
    told: AtomicU64,
    resumed: AtomicU64,
    behind: AtomicU64,
    places: Semaphore,
}

/// One stream.
struct Stream {
    path: String,
    number: usize,
    /// The last number that it heard, whatever it was of.
    last: u64,
    /// The events that it was told of.
    seen: Vec<u64>,
}

/// Opens so many streams, and lets the primary and then a node die while results are corrected.
///
/// # Errors
/// Where the cluster or the nodes do not do what they have to.
pub fn run(cluster: &mut Cluster, streams: usize) -> io::Result<Told> {
    more_files(streams)?;
    let mut nodes = Nodes::start(cluster, &format!("streams{}", fastrand::u32(..)), NODES)?;
    let titles = titles(TOURNAMENTS);
    titles.iter().try_for_each(|title| nodes.begin(title))?;
    let mut orders = Orders {
        nodes: nodes.addresses(),
        token: nodes.token()?,
        titles,
        recorded: vec![Vec::new(); TOURNAMENTS],
        sent: 0,
        stall: Duration::ZERO,
    };
    for tournament in 0..TOURNAMENTS {
        orders.send(tournament, &json!({ "order": "result", "slip": "1 2-0" }))?;
    }
    // Streams begin after these.
    let begun: Vec<u64> = orders.recorded.iter_mut().filter_map(Vec::pop).collect();
    let shared = Arc::new(Shared {
        nodes: nodes.addresses(),
        open: AtomicU64::new(0),
        told: AtomicU64::new(0),
        resumed: AtomicU64::new(0),
        behind: AtomicU64::new(0),
        places: Semaphore::new(AT_ONCE),
    });
    let mut threads = tokio::runtime::Builder::new_multi_thread();
    let runtime = threads.worker_threads(2).enable_all().build()?;
    let (stop, over) = watch::channel(false);
    let tasks = (0..streams).map(|number| {
        let tournament = number / NODES % TOURNAMENTS;
        let path = format!("/t/{}/live", orders.titles[tournament]);
        let stream = Stream { path, number, last: begun[tournament], seen: Vec::new() };
        (tournament, runtime.spawn(listen(stream, Arc::clone(&shared), over.clone())))
    });
    let tasks: Vec<_> = tasks.collect();
    let all = streams as u64;
    wait(300, "all streams are open", || shared.open.load(Ordering::Relaxed) >= all)?;

    let orders = break_it(cluster, &mut nodes, orders)?;
    let each = |number: usize| orders.recorded[number / NODES % TOURNAMENTS].len() as u64;
    let expected: u64 = (0..streams).map(each).sum();
    let since = Instant::now();
    while shared.told.load(Ordering::Relaxed) < expected && since.elapsed() < PATIENCE {
        sleep(Duration::from_millis(200));
    }
    // What is told twice may come late.
    sleep(Duration::from_secs(3));
    stop.send_replace(true);
    let events = orders.recorded.iter().map(Vec::len).sum();
    let mut told = Told { streams, events, stall: orders.stall, ..Told::default() };
    for (tournament, task) in tasks {
        let seen = runtime.block_on(task).map_err(io::Error::other)?;
        compare(&seen, &orders.recorded[tournament], &mut told);
    }
    told.resumed = shared.resumed.load(Ordering::Relaxed);
    let behind = shared.behind.load(Ordering::Relaxed);
    if behind > 0 {
        told.faults.push(format!("{behind} streams were told to load the page again"));
    }
    if let Err(error) = nodes.run(&["verify"]) {
        told.faults.push(error.to_string());
    }
    Ok(told)
}

/// Kills the primary and then a node, with results that are corrected before, meanwhile and after.
fn break_it(cluster: &mut Cluster, nodes: &mut Nodes, orders: Orders) -> io::Result<Orders> {
    let ends = Arc::new(AtomicBool::new(false));
    let sent = Arc::new(AtomicU64::new(0));
    let (ends_too, sent_too) = (Arc::clone(&ends), Arc::clone(&sent));
    let corrects = spawn(move || orders.correct(&ends_too, &sent_too));
    let more = || {
        let until = sent.load(Ordering::Relaxed) + EVENTS as u64;
        wait(120, "results are corrected", || {
            sent.load(Ordering::Relaxed) >= until || corrects.is_finished()
        })
    };
    let mut breaks = || {
        more()?;
        let primary = cluster.primary().ok_or_else(|| io::Error::other("there is no primary"))?;
        cluster.kill(primary);
        another(cluster, primary)?;
        cluster.start_patroni(primary, 0)?;
        more()?;
        nodes.kill(NODES - 1);
        more()?;
        nodes.start_one(NODES - 1)?;
        more()
    };
    let broken = breaks();
    ends.store(true, Ordering::Relaxed);
    let orders = corrects.join().map_err(|_| io::Error::other("the orders broke off"))?;
    broken?;
    orders
}

/// Whoever corrects results.
struct Orders {
    nodes: Vec<SocketAddr>,
    token: String,
    titles: Vec<String>,
    /// The events of each tournament.
    recorded: Vec<Vec<u64>>,
    sent: usize,
    stall: Duration,
}

impl Orders {
    /// Corrects a result of each tournament in turn.
    fn correct(mut self, ends: &AtomicBool, sent: &AtomicU64) -> io::Result<Orders> {
        for number in 0.. {
            if ends.load(Ordering::Relaxed) {
                break;
            }
            let score = if (number / TOURNAMENTS).is_multiple_of(2) { "0-2" } else { "2-0" };
            let slip = format!("1 {score}");
            let reason = format!("misread {number}");
            let order = json!({ "order": "correct", "slip": slip, "reason": reason });
            self.send(number % TOURNAMENTS, &order)?;
            sent.fetch_add(1, Ordering::Relaxed);
            sleep(EVERY);
        }
        Ok(self)
    }

    /// Sends an order to any node until it is acknowledged.
    fn send(&mut self, tournament: usize, said: &serde_json::Value) -> io::Result<()> {
        self.sent += 1;
        let (key, since) = (format!("order {}", self.sent), Instant::now());
        loop {
            let node = self.nodes[fastrand::usize(..self.nodes.len())];
            match order(node, &self.token, &self.titles[tournament], &key, said) {
                Answer::Done { last, .. } => {
                    self.recorded[tournament].push(last);
                    self.stall = self.stall.max(since.elapsed());
                    return Ok(());
                }
                Answer::Again => sleep(Duration::from_millis(100)),
                Answer::No(why) => return Err(io::Error::other(why)),
            }
        }
    }
}

/// Listens until it is over. Where the stream is cut it goes on after what it heard last, at another node.
async fn listen(
    mut stream: Stream,
    shared: Arc<Shared>,
    mut over: watch::Receiver<bool>,
) -> Vec<u64> {
    let mut turn = 0;
    loop {
        let ended = tokio::select! {
            ended = stream.hear(&shared, turn) => ended,
            _ = over.wait_for(|over| *over) => return stream.seen,
        };
        if matches!(ended, Ok(End::Behind)) {
            shared.behind.fetch_add(1, Ordering::Relaxed);
            return stream.seen;
        }
        turn += 1;
        // Browsers wait some seconds, each others.
        let pause = Duration::from_millis(fastrand::u64(200..2_000));
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = over.wait_for(|over| *over) => return stream.seen,
        }
    }
}

/// How a stream ended that did not break off.
enum End {
    Over,
    Behind,
}

impl Stream {
    /// Connects to a node, and hears what it is told until it ends.
    async fn hear(&mut self, shared: &Shared, turn: usize) -> io::Result<End> {
        let node = shared.nodes[(self.number + turn) % shared.nodes.len()];
        let place = shared.places.acquire().await.map_err(io::Error::other)?;
        let mut socket = self.connect(node).await?;
        let (mut heard, mut bytes, mut is_new) = (Vec::new(), [0; 2_048], true);
        let mut place = Some(place);
        loop {
            let read = socket.read(&mut bytes).await?;
            if read == 0 {
                return Ok(End::Over);
            }
            heard.extend_from_slice(&bytes[..read]);
            if is_new {
                let Some(at) = heard.windows(4).position(|four| four == b"\r\n\r\n") else {
                    continue;
                };
                if !heard.starts_with(b"HTTP/1.0 200") && !heard.starts_with(b"HTTP/1.1 200") {
                    let head = String::from_utf8_lossy(&heard[..at]).into_owned();
                    return Err(io::Error::other(head));
                }
                heard.drain(..at + 4);
                is_new = false;
                drop(place.take());
                match turn {
                    0 => &shared.open,
                    _ => &shared.resumed,
                }
                .fetch_add(1, Ordering::Relaxed);
            }
            while let Some(at) = heard.windows(2).position(|two| two == b"\n\n") {
                let frame = String::from_utf8_lossy(&heard[..at]).into_owned();
                heard.drain(..at + 2);
                let said = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
                let name = said("event: ");
                if name == Some("behind") {
                    return Ok(End::Behind);
                }
                let Some(seq) = said("id: ").and_then(|id| id.parse().ok()) else { continue };
                self.last = seq;
                // Where the tournament stands is no event.
                if name != Some("head") {
                    self.seen.push(seq);
                    shared.told.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    async fn connect(&self, node: SocketAddr) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        let own = IpAddr::from([127, 0, 1, (1 + self.number % ADDRESSES) as u8]);
        socket.bind((own, 0).into())?;
        let mut socket = socket.connect(node).await?;
        // Of this version, so that what is told comes as it is, without the lengths of its pieces.
        let Stream { path, last, .. } = self;
        let asks = format!("GET {path} HTTP/1.0\r\nHost: {node}\r\nLast-Event-ID: {last}\r\n\r\n");
        socket.write_all(asks.as_bytes()).await?;
        Ok(socket)
    }
}

/// Holds what a stream was told against what was recorded.
fn compare(seen: &[u64], recorded: &[u64], told: &mut Told) {
    let (mut once, mut latest) = (HashSet::new(), 0);
    told.told += seen.len() as u64;
    for seq in seen {
        if !once.insert(*seq) {
            told.doubled += 1;
        } else if *seq < latest || !recorded.contains(seq) {
            told.misplaced += 1;
        }
        latest = latest.max(*seq);
    }
    told.missing += recorded.iter().filter(|seq| !once.contains(seq)).count() as u64;
}

/// Allows as many open files as so many streams take.
fn more_files(streams: usize) -> io::Result<()> {
    let wanted = streams as u64 + 1_000;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|current| current < wanted) {
        let maximum = maximum.map(|most| most.max(wanted));
        let set = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
        let why = format!("{streams} streams need as many open files: raise `ulimit -n`");
        set.map_err(|error| io::Error::other(format!("{why} ({error})")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_told_twice_or_late_is_counted() {
        let counted = |seen: &[u64]| {
            let mut told = Told::default();
            compare(seen, &[3, 5, 8], &mut told);
            (told.missing, told.doubled, told.misplaced)
        };
        assert_eq!(counted(&[3, 5, 8]), (0, 0, 0));
        assert_eq!(counted(&[3, 8]), (1, 0, 0));
        assert_eq!(counted(&[3, 5, 5, 8]), (0, 1, 0));
        assert_eq!(counted(&[5, 3, 8]), (0, 0, 1));
        assert_eq!(counted(&[3, 4, 5, 8]), (0, 0, 1));
    }
}

//! Many open streams: raw sockets from many addresses of the loopback.

use super::client::{Server, signed_up};
use super::orders::{Beside, bytes_of_an_order};
use super::{Size, ms, quantile, row};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};

/// From how many addresses they come.
const ADDRESSES: usize = 20;
/// How many of them connect at a time.
const AT_ONCE: usize = 256;
/// How often a result is entered.
const EVERY: Duration = Duration::from_millis(250);

/// When a stream was told of which event.
type Heard = Vec<(u64, Instant)>;

/// Reads what comes next; nothing: it ended.
pub async fn read(socket: &TcpStream, bytes: &mut [u8]) -> usize {
    loop {
        if socket.readable().await.is_err() {
            return 0;
        }
        match socket.try_read(bytes) {
            Ok(read) => return read,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return 0,
        }
    }
}

/// Connects from an address of its own, and reads until it is told where the tournament stands.
pub async fn opened(server: SocketAddr, path: &str, number: usize) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    let own = IpAddr::from([127, 0, 1, (1 + number % ADDRESSES) as u8]);
    socket.bind((own, 0).into()).expect("bound");
    let socket = socket.connect(server).await.expect("connected");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\n\r\n");
    socket.writable().await.expect("connected");
    assert_eq!(socket.try_write(request.as_bytes()).expect("sent"), request.len());
    let (mut seen, mut bytes) = (Vec::new(), [0; 1_024]);
    while !seen.windows(11).any(|part| part == b"event: head") {
        let read = read(&socket, &mut bytes).await;
        assert!(read > 0, "it ended: {}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&bytes[..read]);
    }
    socket
}

/// Listens until it is over.
async fn listen(socket: TcpStream, mut over: watch::Receiver<bool>) -> Heard {
    let (mut heard, mut bytes) = (Heard::new(), [0; 1_024]);
    loop {
        let read = tokio::select! {
            read = read(&socket, &mut bytes) => read,
            _ = over.wait_for(|over| *over) => return heard,
        };
        let now = Instant::now();
        assert!(read > 0, "a stream ended");
        let text = String::from_utf8_lossy(&bytes[..read]);
        let mut ids = text.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok());
        heard.extend(ids.next_back().map(|id| (id, now)));
    }
}

/// Orders while streams are open, and what these take.
pub fn print(size: Size) {
    let server = Server::of(|store| signed_up(store, size.players));
    let mut client = server.scorekeeper();
    client.round();
    let tables = size.players / 2;
    let bytes = bytes_of_an_order(&server, &mut client, 1..tables.min(9));
    println!("\n{} open streams", size.streams);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("threads");
    let (stop, over) = watch::channel(false);
    let (before, begun, address) = (server.memory(), Instant::now(), server.address);
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let opening: Vec<_> = (0..size.streams)
        .map(|number| {
            let (places, over) = (Arc::clone(&places), over.clone());
            let (opened_all, all) = tokio::sync::oneshot::channel();
            let task = runtime.spawn(async move {
                let place = places.acquire_owned().await.expect("open");
                let socket = opened(address, "/t/Hall/live", number).await;
                drop(place);
                let _ = opened_all.send(());
                listen(socket, over).await
            });
            (task, all)
        })
        .collect();
    let mut tasks = Vec::new();
    for (task, all) in opening {
        runtime.block_on(all).expect("opened");
        tasks.push(task);
    }
    row("all of them opened, as after a restart", begun.elapsed().as_secs_f64(), "s", 10.0, false);
    let each = (server.memory() - before) / size.streams as f64 / 1e3;
    row("memory of a stream", each, "kB", 20.0, false);

    // A connection that said nothing for so long is closed.
    let mut client = server.scorekeeper();
    let mut beside = Beside::of(&server.store, bytes);
    let mut told = Vec::new();
    for table in (tables.min(9)..=tables).take(size.told) {
        let begun = Instant::now();
        beside.result(&mut client, table);
        told.push(begun + beside.bare.last().copied().unwrap_or_default());
        std::thread::sleep(EVERY.saturating_sub(begun.elapsed()));
    }
    std::thread::sleep(EVERY * 4);
    stop.send_replace(true);
    let first = told.len();
    let heard: Vec<Heard> =
        tasks.into_iter().map(|task| runtime.block_on(task).expect("it listened")).collect();
    // The last ids are those of the results, one event each.
    let last = heard.iter().flatten().map(|(id, _)| *id).max().unwrap_or(0);
    let mut after: Vec<Duration> = Vec::new();
    for (id, when) in heard.iter().flatten() {
        let index = (*id + first as u64).checked_sub(last + 1).map(|at| at as usize);
        let sent = index.and_then(|at| told.get(at));
        after.extend(sent.map(|sent| when.saturating_duration_since(*sent)));
    }
    let whole = size.streams * told.len();
    println!("  told {} times, of {whole}: who is told of two at once is told once", after.len());
    beside.print(&format!("{} streams open", size.streams), 40.0);
    let median = ms(quantile(&mut after, 0.5));
    println!("  a result is on a stream after {median:.1} ms (p50)");
    row("a result is on a stream, p99", ms(quantile(&mut after, 0.99)), "ms", 500.0, false);
    row("a result is on the last stream", ms(quantile(&mut after, 1.0)), "ms", 1_000.0, false);
}

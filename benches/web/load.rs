//! A hall of many tournaments for minutes: desks that enter results, streams, and readers of pages, the desks
//! measured with and without the others in the same run.

use super::client::{Client, Server};
use super::streams::{opened, read};
use super::{Size, ms, quantile, row};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::orders::{self, Enroll, New, Order, Pair, Person, Publish};
use scrutineer_desk::store::Store;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};

/// Players of a tournament, and the results of a round.
const PLAYERS: usize = 8;
/// Rounds that are played of it at most.
const ROUNDS: usize = 6;
/// Desks, and how often each enters a result.
const DESKS: usize = 4;
const EVERY: Duration = Duration::from_millis(125);
/// Readers of pages.
const READERS: usize = 4;
/// For how much of the time the desks are alone.
const ALONE: u64 = 5;

/// Tournaments of which the first round is out; gives their ids.
fn hall(store: &Path, tournaments: usize) -> Vec<String> {
    let store = Store::open(store).expect("a new store");
    let asker = Asker::default();
    let one = |number: usize| {
        let (title, phases) = (format!("Hall {number}"), vec![format!("swiss:{ROUNDS}")]);
        let new = New { title, rules: "mtr".into(), phases, ..New::default() };
        let (stream, _) = orders::open(&asker, &store, &new).expect("opened");
        let person = |n| Person { name: format!("Surname{n}, Given"), ..Person::default() };
        let people = (0..PLAYERS).map(person).collect();
        let enroll: Order = Enroll { people, ..Enroll::default() }.into();
        for order in [enroll, Pair::default().into(), Publish {}.into()] {
            orders::record(&asker, &store, stream, Asked::default(), &order).0.expect("recorded");
        }
        stream.to_string()
    };
    (0..tournaments).map(one).collect()
}

/// What the desks share.
struct Desks {
    is_over: AtomicBool,
    /// Of each tournament how many results were entered while streams were open.
    told: Vec<AtomicU64>,
    are_told: AtomicBool,
}

/// A desk with its tournaments, one result after another; gives what each took.
fn desk(
    mut client: Client,
    number: usize,
    ids: &[String],
    desks: &Desks,
) -> Vec<(Instant, Duration)> {
    let mut took = Vec::new();
    for round in 0..ROUNDS {
        for table in 1..=PLAYERS / 2 {
            for (at, id) in ids.iter().enumerate().filter(|(at, _)| at % DESKS == number) {
                if desks.is_over.load(Ordering::Relaxed) {
                    return took;
                }
                let path = format!("/api/v1/tournaments/{id}/orders");
                if round > 0 && table == 1 {
                    client.round_of(&path);
                }
                let order = format!(r#"{{"order":"result","slip":"{table} 2-{}"}}"#, table % 2);
                let begun = Instant::now();
                client.order_of(&path, &order, "");
                took.push((begun, begun.elapsed()));
                if desks.are_told.load(Ordering::Relaxed) {
                    desks.told[at].fetch_add(1, Ordering::Relaxed);
                }
                std::thread::sleep(EVERY.saturating_sub(begun.elapsed()));
            }
        }
    }
    took
}

/// Reads a page of one tournament after another, one `each` time, until it is over; gives how many.
fn reader(
    address: SocketAddr,
    number: usize,
    ids: &[String],
    desks: &Desks,
    each: Duration,
) -> u64 {
    let mut client = Client::to(address, "Accept-Encoding: gzip\r\n");
    let (begun, mut count) = (Instant::now(), 0u64);
    while !desks.is_over.load(Ordering::Relaxed) {
        let id = &ids[(number + count as usize * 7) % ids.len()];
        let page = ["standings", "round", "bracket"][usize::from(count % 3 == 1)];
        let (status, _) = client.send("GET", &format!("/t/{id}/{page}"), "", b"");
        assert_eq!(status, 200, "{page}");
        count += 1;
        std::thread::sleep((each * count as u32).saturating_sub(begun.elapsed()));
    }
    count
}

/// The numbers of the results that a stream was told of.
async fn listen(socket: TcpStream, mut over: watch::Receiver<bool>) -> Vec<u64> {
    let (mut told, mut text, mut bytes) = (Vec::new(), String::new(), [0; 4_096]);
    loop {
        let read = tokio::select! {
            read = read(&socket, &mut bytes) => read,
            _ = over.wait_for(|over| *over) => return told,
        };
        assert!(read > 0, "a stream ended");
        text.push_str(&String::from_utf8_lossy(&bytes[..read]));
        while let Some(end) = text.find("\n\n") {
            let frame: String = text.drain(..end + 2).collect();
            let id = frame.lines().find_map(|line| line.strip_prefix("id: ")?.parse::<u64>().ok());
            told.extend(id.filter(|_| frame.contains("event: result\n")));
        }
    }
}

/// All of it.
pub fn print(size: Size, seconds: u64) {
    let mut ids = Vec::new();
    let server = Server::of(|store| ids = hall(store, size.tournaments));
    println!(
        "\n{} tournaments, {DESKS} desks, {} streams and {} pages a second for {seconds} s",
        size.tournaments, size.spectators, size.pages_a_second
    );
    let told = (0..ids.len()).map(|_| AtomicU64::new(0)).collect();
    let desks = Desks { is_over: false.into(), told, are_told: false.into() };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("threads");
    let (stop, over) = watch::channel(false);
    let address = server.address;
    let each = Duration::from_secs(1) * READERS as u32 / size.pages_a_second.max(1);
    let (mut memory, mut pages) = (Vec::new(), 0);
    let (begun, heard, took) = std::thread::scope(|scope| {
        let (desks, ids) = (&desks, &ids[..]);
        let at_work: Vec<_> = (0..DESKS)
            .map(|number| {
                let client = server.scorekeeper();
                scope.spawn(move || desk(client, number, ids, desks))
            })
            .collect();
        std::thread::sleep(Duration::from_secs(seconds / ALONE));
        let places = Arc::new(Semaphore::new(256));
        let opening: Vec<_> = (0..size.spectators)
            .map(|number| {
                let (places, id) = (Arc::clone(&places), ids[number % ids.len()].clone());
                runtime.spawn(async move {
                    let _place = places.acquire_owned().await.expect("open");
                    opened(address, &format!("/t/{id}/live"), number).await
                })
            })
            .collect();
        let sockets: Vec<TcpStream> =
            opening.into_iter().map(|one| runtime.block_on(one).expect("opened")).collect();
        let listening: Vec<_> =
            sockets.into_iter().map(|one| runtime.spawn(listen(one, over.clone()))).collect();
        desks.are_told.store(true, Ordering::Relaxed);
        let begun = Instant::now();
        let readers: Vec<_> = (0..READERS)
            .map(|number| scope.spawn(move || reader(address, number, ids, desks, each)))
            .collect();
        for _ in 0..4 {
            std::thread::sleep(Duration::from_secs(seconds) / 4);
            memory.push(server.memory() / 1e6);
        }
        desks.is_over.store(true, Ordering::Relaxed);
        let took: Vec<(Instant, Duration)> =
            at_work.into_iter().flat_map(|one| one.join().expect("a desk")).collect();
        pages = readers.into_iter().map(|one| one.join().expect("a reader")).sum::<u64>();
        std::thread::sleep(Duration::from_secs(2));
        stop.send_replace(true);
        let heard: Vec<Vec<u64>> =
            listening.into_iter().map(|one| runtime.block_on(one).expect("it listened")).collect();
        (begun, heard, took)
    });
    let of = |is: &dyn Fn(&Instant) -> bool| {
        let mut times: Vec<Duration> =
            took.iter().filter(|(at, _)| is(at)).map(|(_, took)| *took).collect();
        [0.5, 0.99].map(|share| ms(quantile(&mut times, share)))
    };
    let (alone, beside) = (of(&|at| *at < begun), of(&|at| *at >= begun));
    let orders = took.iter().filter(|(at, _)| *at >= begun).count();
    println!(
        "  {} orders alone {:.2} {:.2} ms, {orders} beside the others {:.2} {:.2} ms (p50 p99); {pages} pages",
        took.len() - orders,
        alone[0],
        alone[1],
        beside[0],
        beside[1]
    );
    row("an order beside the others, p99, of one alone", beside[1] / alone[1], "times", 2.0, false);
    let told: Vec<u64> = desks.told.iter().map(|one| one.load(Ordering::Relaxed)).collect();
    // Results between the opening of a stream and the begin of the count are told too.
    let wrong = heard.iter().enumerate().filter(|(number, ids)| {
        let wanted = told[number % told.len()] as usize;
        ids.windows(2).any(|pair| pair[0] >= pair[1]) || ids.len() < wanted
    });
    let frames: usize = heard.iter().map(Vec::len).sum();
    println!("  told {frames} times of results");
    row("streams that skipped or doubled one", wrong.count() as f64, "", 0.0, false);
    println!(
        "  memory {} MB, each quarter",
        memory.iter().map(|one| format!("{one:.0}")).collect::<Vec<_>>().join(", ")
    );
    // What is kept for readers has filled up by half of the time. A record takes its part of the store's cache until
    // that is full, with spectators and without; nothing else may grow.
    let half = begun + Duration::from_secs(seconds) / 2;
    let orders = took.iter().filter(|(at, _)| *at >= half).count().max(1);
    let grown = (memory[3] - memory[1]) * 1e3 / orders as f64;
    row("memory that grew in the second half, for each order", grown, "kB", 5.0, false);
}

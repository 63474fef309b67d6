//! Orders over HTTP beside the bare append of as many bytes.

use super::client::{Client, Server, signed_up};
use super::{Size, ms, quantile, row};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Readers of pages, and how many pages a second they read together.
const READERS: u32 = 8;
const READ_A_SECOND: u32 = 10_000;

/// How much time is between orders while pages are read.
const BETWEEN: Duration = Duration::from_millis(20);

/// Measures orders in turn with the bare append: how long the disk takes changes from second to second.
pub struct Beside {
    file: File,
    bytes: Vec<u8>,
    /// What the appends took.
    pub bare: Vec<Duration>,
    /// What the orders took.
    pub orders: Vec<Duration>,
}

impl Beside {
    /// Beside a store: on the same disk, with as many bytes as an order has there.
    pub fn of(store: &Path, bytes: usize) -> Beside {
        let file = store.with_file_name("bare");
        let file = File::options().append(true).create(true).open(file).expect("a file");
        Beside { file, bytes: vec![7; bytes], bare: Vec::new(), orders: Vec::new() }
    }

    /// An append, and the result of a table.
    pub fn result(&mut self, client: &mut Client, table: usize) {
        let begun = Instant::now();
        self.file.write_all(&self.bytes).and_then(|()| self.file.sync_data()).expect("written");
        self.bare.push(begun.elapsed());
        let begun = Instant::now();
        client.result(table);
        self.orders.push(begun.elapsed());
    }

    /// What was measured.
    pub fn print(&mut self, what: &str, more: f64) {
        let [bare, order] = [&mut self.bare, &mut self.orders]
            .map(|times| [0.5, 0.9, 0.99].map(|share| ms(quantile(times, share))));
        println!(
            "  {what}: append+fdatasync {:.2} {:.2} {:.2} ms, order {:.2} {:.2} {:.2} ms (p50 p90 p99)",
            bare[0], bare[1], bare[2], order[0], order[1], order[2]
        );
        row(
            &format!("{what}: an order above fdatasync, p99"),
            order[2] - bare[2],
            "ms",
            more,
            false,
        );
    }
}

/// The bytes of a store's journal.
pub fn journal(store: &Path) -> u64 {
    let files = std::fs::read_dir(store.join("journal")).expect("the journal");
    files.map(|file| file.expect("a file").metadata().expect("its size").len()).sum()
}

/// How many bytes an order is in the journal: a few tables are played for it.
pub fn bytes_of_an_order(
    server: &Server,
    client: &mut Client,
    tables: std::ops::Range<usize>,
) -> usize {
    let (before, count) = (journal(&server.store), tables.len() as u64);
    tables.for_each(|table| client.result(table));
    ((journal(&server.store) - before) / count.max(1)).max(1) as usize
}

/// Orders of a quiet server, and while pages are read.
pub fn print(size: Size) {
    let server = Server::of(|store| signed_up(store, size.players));
    let mut client = server.scorekeeper();
    let tables = size.players / 2;
    client.round();
    let bytes = bytes_of_an_order(&server, &mut client, 1..tables.min(9));
    println!("\norders in a tournament of {} players, {bytes} bytes of journal each", size.players);
    let mut quiet = Beside::of(&server.store, bytes);
    let all: Vec<usize> = (tables.min(9)..=tables).collect();
    all.iter().take(size.orders).for_each(|table| quiet.result(&mut client, *table));
    quiet.print("quiet", 1.0);
    all.iter().skip(size.orders).for_each(|table| client.result(*table));

    client.round();
    let mut beside = Beside::of(&server.store, bytes);
    let (over, read) = (AtomicBool::new(false), AtomicU64::new(0));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| read_pages(&server, &over, &read));
        }
        for table in (1..=tables).take(size.orders) {
            beside.result(&mut client, table);
            // As many slips as a busy desk has.
            std::thread::sleep(BETWEEN);
        }
        over.store(true, Ordering::Relaxed);
    });
    let rate = read.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
    beside.print(&format!("under {rate:.0} page reads a second"), 15.0);
}

/// Reads standings as spectators' phones do, at a steady pace.
fn read_pages(server: &Server, over: &AtomicBool, read: &AtomicU64) {
    let mut client = Client::to(server.address, "Accept-Encoding: gzip\r\n");
    let pace = Duration::from_secs(1) * READERS / READ_A_SECOND;
    let begun = Instant::now();
    let mut mine = 0;
    while !over.load(Ordering::Relaxed) {
        let (status, _) = client.send("GET", "/t/Hall/round/1", "", b"");
        assert_eq!(status, 200);
        mine += 1;
        read.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep((pace * mine).saturating_sub(begun.elapsed()));
    }
}

//! What the server answers, and how soon, each figure beside its limit in the same run.
//!
//! `cargo bench --bench web` starts `scrutineer serve`, as it is released, in a process of its own
//! and talks to it over the loopback: orders beside the bare append and fdatasync of as many bytes,
//! alone, under page reads and under 10,000 open streams; what a result takes to reach them all, and
//! the memory of each; unchanged pages and pages from memory, by wrk; standings that have to be made;
//! coming in. `cargo bench --bench web -- quick` is short, to see that it runs. The names of parts
//! can be given too: `-- streams`. `-- load 600` runs a hall of 1,000 tournaments for so many seconds: desks,
//! streams and readers of pages, the desks measured with and without the others; `-- load 600 5000 1000` says how
//! many streams, and how many pages a second.

mod client;
mod load;
mod orders;
mod pages;
#[path = "../stored/mod.rs"]
mod stored;
mod streams;
#[path = "../workload/mod.rs"]
mod workload;

use std::time::Duration;

/// How much is measured.
#[derive(Clone, Copy)]
pub struct Size {
    /// Players of the tournament in which orders are given.
    players: usize,
    /// Orders for each figure.
    orders: usize,
    /// Open streams.
    streams: usize,
    /// Orders while they are open.
    told: usize,
    /// For how long pages are read.
    seconds: u64,
    /// Players of the largest standings.
    largest: usize,
    /// Tournaments of a load, the streams over all of them, and the pages that are read in a second.
    tournaments: usize,
    spectators: usize,
    pages_a_second: u32,
}

const WHOLE: Size = Size {
    players: 2_000,
    orders: 1_000,
    streams: 10_000,
    told: 200,
    seconds: 8,
    largest: 10_000,
    tournaments: 1_000,
    spectators: 5_000,
    pages_a_second: 1_000,
};

const QUICK: Size = Size {
    players: 64,
    orders: 32,
    streams: 200,
    told: 10,
    seconds: 1,
    largest: 600,
    tournaments: 20,
    spectators: 100,
    pages_a_second: 1_000,
};

/// A figure beside its limit.
pub fn row(what: &str, figure: f64, unit: &str, limit: f64, at_least: bool) {
    let holds = if at_least { figure >= limit } else { figure <= limit };
    let sign = if at_least { "at least" } else { "at most" };
    let over = if holds { "" } else { "   MISSED" };
    println!("  {what:<58}{figure:>10.1} {unit:<9} {sign} {limit:.1}{over}");
}

/// Milliseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The value below which this share of them lies.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let mut size = if words.iter().any(|word| word == "quick") { QUICK } else { WHOLE };
    let mut numbers = words.iter().filter_map(|word| word.parse::<u32>().ok());
    let seconds = numbers.next();
    size.spectators = numbers.next().map_or(size.spectators, |streams| streams as usize);
    size.pages_a_second = numbers.next().unwrap_or(size.pages_a_second);
    let is_part = |word: &&String| *word != "quick" && word.parse::<u32>().is_err();
    let parts: Vec<&String> = words.iter().filter(is_part).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|word| *word == part);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load before: {}", load.trim());
    if wanted("orders") {
        orders::print(size);
    }
    if wanted("streams") {
        streams::print(size);
    }
    if wanted("pages") {
        pages::print(size);
    }
    // Ten minutes are asked for by name; in short it is part of all.
    let is_quick = words.iter().any(|word| word == "quick");
    if is_quick && wanted("load") || parts.iter().any(|part| *part == "load") {
        load::print(size, seconds.unwrap_or(if is_quick { 5 } else { 600 }).into());
    }
}

//! How long it takes from a log to standings, beside a limit measured in the same run.
//!
//! `cargo bench --bench standings` prints, for 10,000 players and 15 rounds, the standings under
//! `mtr` from a folded log, the fold of the log in memory, and opening the store through the
//! verified chain to standings. A number of players and of rounds can be given: `cargo bench
//! --bench standings -- 1000 10`. How each grows is `cargo bench --bench growth`.

mod stored;
mod workload;

use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::store::Store;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{event_of, read_events};
use scrutineer_engine::log::{Head, Log};
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{Crosstable, Scope};
use scrutineer_projections::measure::Measured;
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_store::{EmbeddedLog, Options};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stored::write;
use workload::commands;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr is shipped"));
    match sizes[..] {
        [players, rounds] => print_one(players, rounds, &rules),
        _ => print_one(10_000, 15, &rules),
    }
}

/// The median of several runs, each of which is timed from `make`'s end on.
fn median<T, R>(runs: usize, mut make: impl FnMut() -> T, mut run: impl FnMut(T) -> R) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let input = make();
            let started = Instant::now();
            let answer = black_box(run(black_box(input)));
            let elapsed = started.elapsed();
            drop(answer);
            elapsed
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// What one size takes.
struct Figures {
    events: usize,
    bytes: usize,
    standings: Duration,
    crosstable: Duration,
    measures: Duration,
    walk: Duration,
    fold: Duration,
    clone: Duration,
    open: Duration,
    hash: Duration,
    one_by_one: Duration,
    read: Duration,
    resume: Duration,
}

fn measure(players: usize, rounds: usize, rules: &Arc<Ruleset>) -> Figures {
    let commands = commands(players, rounds, rules);
    let events: Vec<Event> = commands.iter().flatten().cloned().collect();
    let runs = (16_000_000 / events.len().max(1)).clamp(3, 101);
    let state = Tournament::of(&events);
    let standings = median(runs, || (), |()| table(&state, rules));
    let crosstable = median(runs, || (), |()| Crosstable::of(&state, rules, Scope::FINAL));
    let rounds_of_each = Crosstable::of(&state, rules, Scope::FINAL).expect("its lines");
    let measures = median(runs, || (), |()| Measured::of(&state, rules, &rounds_of_each, false));
    // The least that any standings must do: look at every score once.
    let walk = median(runs, || (), |()| every_score(&state));
    let fold = median(runs.min(31), || (), |()| Tournament::of(&events));
    let clone = median(runs.min(31), || (), |()| events.clone());
    let Stored { open, hash, one_by_one, bytes, read, resume } = through_the_store(commands, rules);
    let events = events.len();
    Figures {
        events,
        bytes,
        standings,
        crosstable,
        measures,
        walk,
        fold,
        clone,
        open,
        hash,
        one_by_one,
        read,
        resume,
    }
}

fn table(state: &Tournament, rules: &Arc<Ruleset>) -> Standings {
    Standings::of(state, rules, Scope::FINAL, Detail::Order).expect("the workload has its lines")
}

fn every_score(state: &Tournament) -> i64 {
    let value = |found: scrutineer_engine::tournament::MatchView<'_>| {
        let score = found.score()?;
        let seats = found.seats();
        Some(i64::from(score.seat(0, 0) - score.seat(1, 0)) * i64::from(seats[0].player))
    };
    state.matches().filter_map(value).sum()
}

/// What a store takes.
struct Stored {
    open: Duration,
    hash: Duration,
    /// Every record hashed and decoded, one after the other.
    one_by_one: Duration,
    bytes: usize,
    read: Duration,
    resume: Duration,
}

/// Writes a store, opens it anew, and times the way from opening to standings.
fn through_the_store(commands: Vec<Vec<Event>>, rules: &Arc<Ruleset>) -> Stored {
    let folder = tempfile::tempdir().expect("a folder for the store");
    let stream = StreamId([7; 16]);
    let log = EmbeddedLog::open(folder.path(), Options::default()).expect("a new store");
    write(&log, stream, commands);
    log.close().expect("the store closes");
    let mut bytes: Vec<u8> = Vec::new();
    let runs = 5;
    let open = median(
        runs,
        || (),
        |()| {
            let log = EmbeddedLog::open(folder.path(), Options::default()).expect("the store");
            let mut state = Tournament::default();
            for read in read_events(&log, stream, 0) {
                state.evolve(&read.expect("its log").1);
            }
            (table(&state, rules), log)
        },
    );
    let log = EmbeddedLog::open(folder.path(), Options::default()).expect("the store");
    let mut records = Vec::new();
    for record in log.read(stream, 0) {
        let record = record.expect("its log");
        bytes.extend_from_slice(record.bytes());
        records.push(record);
    }
    // The least that a verified chain must do: hash every byte once.
    let hash = median(runs, || (), |()| blake3::hash(&bytes));
    let one_by_one = median(
        runs,
        || (),
        |()| {
            let read = |record: &Record| Record::read(record.bytes()).expect("it was read");
            records.iter().map(|record| event_of(&read(record)).expect("an event")).for_each(
                |event| {
                    std::hint::black_box(event);
                },
            );
        },
    );
    drop(log);
    let keys = KeyFolder::new(Some(folder.path().join("keys")));
    let store = Store::open(folder.path()).expect("the store").with_keys(keys);
    let load = || store.load(stream, false).expect("its log");
    let read = median(runs, || (), |()| load());
    let event = load();
    let head = Head { seq: event.state.head(), hash: event.head };
    store.take_snapshot(stream, head, &event.state).expect("a snapshot");
    let resume = median(runs, || (), |()| load());
    assert!(load().state == event.state, "the snapshot is what the events say");
    Stored { open, hash, one_by_one, bytes: bytes.len(), read, resume }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn print_one(players: usize, rounds: usize, rules: &Arc<Ruleset>) {
    let f = measure(players, rounds, rules);
    println!("{players} players, {rounds} rounds, {} events, {} bytes", f.events, f.bytes);
    let line = |what: &str, time: Duration, limit: &str, least: Duration| {
        let ratio = time.as_secs_f64() / least.as_secs_f64();
        let (time, least) = (millis(time), millis(least));
        println!("  {what:<44} {time:>9.2} ms   {ratio:>6.1} x {limit} ({least:.2} ms)");
    };
    line("standings under mtr from a folded log", f.standings, "looking at every score", f.walk);
    line("  of it: the crosstable", f.crosstable, "looking at every score", f.walk);
    line("  of it: the measures", f.measures, "looking at every score", f.walk);
    line("fold of the log in memory", f.fold, "copying the events", f.clone);
    line("store opened, chain verified, to standings", f.open, "hashing the bytes", f.hash);
    line("  the same", f.open, "hashing and decoding each record", f.one_by_one);
    line("event read from its last snapshot", f.resume, "reading it from event 1", f.read);
}

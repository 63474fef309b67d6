//! How time grows with a tournament, over four decades.
//!
//! `cargo bench --bench growth` makes Swiss tournaments of 10 to 100,000 players and 15 rounds and
//! prints for each what copying the events and folding them, standings, the draw of the next round,
//! appending to a store, rebuilding from its journal and verifying it take in processor time, which
//! on a busy machine says more than the clock (appending and rebuilding: of all threads); then the
//! exponent that fits best over all sizes, that of the last step, and the most that it may be: that
//! of n log n where players are ranked or paired, 1 where events are read or written, and for the
//! fold in memory that of copying the same events. Then how many records a second are verified
//! beside hashing the same bytes. The most players can be given: `cargo bench --bench growth --
//! 10000`.
//! What it takes of memory is `cargo bench --bench memory`.

mod stored;
mod workload;

use rustix::time::{ClockId, clock_gettime};
use scrutineer_desk::rebuild::{Asked, rebuild_store};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::Event;
use scrutineer_engine::log::Log;
use scrutineer_engine::record::{Header, StreamId};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::next_round;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::verify::verify_journal;
use scrutineer_store::{EmbeddedLog, Options};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 15;

/// How far an exponent may lie above its aim before it counts as above: single runs differ by so
/// much.
const TOLERANCE: f64 = 0.05;

/// What may not grow faster than what.
#[derive(Clone, Copy)]
enum Aim {
    /// n log n in players.
    Players,
    /// Linear in events.
    Events,
    /// As copying the events does in the same run, but not less than linear: the more they are, the
    /// farther from the processor they lie, and no fold can help that.
    Copying,
    /// Nothing: it is the copying.
    Limit,
}

/// The steps that are timed, in the order of [`Figures::times`].
const STEPS: [(&str, Aim); 7] = [
    ("copy", Aim::Limit),
    ("fold", Aim::Copying),
    ("standings", Aim::Players),
    ("draw", Aim::Players),
    ("append", Aim::Events),
    ("rebuild", Aim::Players),
    ("verify", Aim::Events),
];

/// What one size takes.
struct Figures {
    players: usize,
    events: usize,
    /// None where the step means nothing at this size.
    times: [Option<Duration>; STEPS.len()],
    records: Records,
}

/// Records a second, in millions, on one core.
struct Records {
    verified: f64,
    decoded: f64,
    hashed: f64,
}

fn main() {
    let most = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(100_000);
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr is shipped"));
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("{ROUNDS} rounds under mtr, processor time; load before: {}", load.trim());
    print!("{:>9} {:>9}", "players", "events");
    STEPS.iter().for_each(|(name, _)| print!(" {name:>11}"));
    println!();
    let sizes = [10, 100, 1_000, 10_000, 100_000].into_iter().filter(|size| *size <= most);
    let figures: Vec<Figures> = sizes.map(|size| measured(size, &rules)).collect();
    print_exponents(&figures);
    print_records(&figures);
}

/// Processor time so far, of this thread or of all of the process.
fn processor(of: ClockId) -> Duration {
    let now = clock_gettime(of);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// The median of several runs, each on this thread alone; what sled still does behind a store that
/// was just opened is not theirs.
fn median<R>(run: impl FnMut() -> R) -> Duration {
    median_of(ClockId::ThreadCPUTime, run)
}

/// The median of several runs, by the processor time of this thread or of all of the process.
fn median_of<R>(clock: ClockId, mut run: impl FnMut() -> R) -> Duration {
    let begun = Instant::now();
    let mut times: Vec<Duration> = Vec::new();
    while times.len() < 3 || (times.len() < 101 && begun.elapsed() < Duration::from_millis(700)) {
        let before = processor(clock);
        let answer = black_box(run());
        times.push(processor(clock) - before);
        drop(answer);
    }
    times.sort_unstable();
    times[times.len() / 2]
}

fn measured(players: usize, rules: &Arc<Ruleset>) -> Figures {
    let commands = workload::commands(players, ROUNDS, rules);
    let events: Vec<Event> = commands.iter().flatten().cloned().collect();
    let state = Tournament::of(&events);
    let standings = || {
        Standings::of(&state, rules, Scope::FINAL, Detail::Order)
            .expect("the workload has its lines")
    };
    let copy = median(|| events.clone());
    let fold = median(|| Tournament::of(&events));
    let ranked = median(standings);
    // Of 10 players each has met every other long before.
    let draw = (players > 2 * ROUNDS)
        .then(|| median(|| next_round(&state, rules, &[7; 32], b"").expect("another round")));
    let count = events.len();
    drop(events);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let before = processor(ClockId::ProcessCPUTime);
    let log = EmbeddedLog::open(folder.path(), Options::default()).expect("a new store");
    stored::write(&log, StreamId([7; 16]), commands);
    log.close().expect("the store closes");
    let append = processor(ClockId::ProcessCPUTime) - before;
    let rebuild = rebuilt(folder.path(), rules);
    let (verify, records) = verified(folder.path());
    let times =
        [Some(copy), Some(fold), Some(ranked), draw, Some(append), Some(rebuild), Some(verify)];
    print!("{players:>9} {count:>9}");
    for time in times {
        let text = time.map_or("-".into(), |time| format!("{:.3} ms", time.as_secs_f64() * 1e3));
        print!(" {text:>11}");
    }
    println!();
    Figures { players, events: count, times, records }
}

/// The tournament under its own ruleset and another, straight from the journal, on one thread; it is one
/// of a pool, so the whole process is measured.
fn rebuilt(folder: &Path, rules: &Arc<Ruleset>) -> Duration {
    let store = Store::open(folder).expect("the store");
    let other = format!("{}+settings.percentage_floor=1/3", rules.id);
    let after = Arc::new(Library::shipped().ruleset(&other).expect("a ruleset"));
    let asked = Asked { after, cut: None, name_movers: false, unsigned: false };
    median_of(ClockId::ProcessCPUTime, || {
        let mut ranked = 0;
        let take = &mut |event: scrutineer_desk::rebuild::TournamentFound| {
            ranked += usize::from(event.found.is_ok());
            ControlFlow::Continue(())
        };
        rebuild_store(&store, &asked, 1, &mut |_| {}, take).expect("the journal is good");
        assert_eq!(ranked, 1, "the event was rebuilt");
    })
}

/// What verifying the journal takes, and how many records a second that is, with and without
/// reading what stands in them.
fn verified(folder: &Path) -> (Duration, Records) {
    let log = EmbeddedLog::open(folder, Options::default()).expect("the store");
    let mut records = 0;
    let verify = median(|| records = verify_journal(&log).expect("the journal is good"));
    let mut bytes: Vec<u8> = Vec::new();
    let decode = median(|| {
        bytes.clear();
        for record in log.scan() {
            let record = record.expect("the journal is good");
            let Header { kind, schema, .. } = record.header();
            black_box(Event::decode_own(kind, schema, record.payload()).expect("our own"));
            bytes.extend_from_slice(record.bytes());
        }
    });
    let hash = median(|| blake3::hash(&bytes));
    let rate = |time: Duration| records as f64 / time.as_secs_f64() / 1e6;
    let records = Records { verified: rate(verify), decoded: rate(decode), hashed: rate(hash) };
    (verify, records)
}

/// The slope of the straight line through the logarithms that fits best.
fn slope(points: &[(f64, f64)]) -> f64 {
    let points: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    both / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

fn print_exponents(figures: &[Figures]) {
    let (mut fitted, mut last, mut aims, mut within) = (vec![], vec![], vec![], vec![]);
    let mut copying = None;
    for (at, (_, aim)) in STEPS.iter().enumerate() {
        let size = |one: &Figures| match aim {
            Aim::Players => one.players as f64,
            Aim::Events | Aim::Copying | Aim::Limit => one.events as f64,
        };
        let point = |one: &Figures| Some((size(one), one.times[at]?.as_secs_f64()));
        let points: Vec<(f64, f64)> = figures.iter().filter_map(point).collect();
        let exponent = slope(&points);
        let most = match aim {
            // What n log n itself would fit over these sizes.
            Aim::Players => {
                Some(slope(&points.iter().map(|(n, _)| (*n, n * n.ln())).collect::<Vec<_>>()))
            }
            Aim::Events => Some(1.0),
            Aim::Copying => copying,
            Aim::Limit => {
                copying = Some(exponent.max(1.0));
                None
            }
        };
        if points.len() < 2 {
            for cells in [&mut fitted, &mut last, &mut aims, &mut within] {
                cells.push("-".to_string());
            }
            continue;
        }
        let is_within = |most| if exponent <= most + TOLERANCE { "yes" } else { "NO" };
        fitted.push(format!("{exponent:.2}"));
        last.push(format!("{:.2}", slope(&points[points.len() - 2..])));
        aims.push(most.map_or("-".into(), |most| format!("{most:.2}")));
        within.push(most.map_or("-", is_within).to_string());
    }
    for (what, cells) in [
        ("exponent, all sizes", fitted),
        ("exponent, last step", last),
        ("at most", aims),
        ("within the aim", within),
    ] {
        print!("{what:<19}");
        cells.iter().for_each(|cell| print!(" {cell:>11}"));
        println!();
    }
}

fn print_records(figures: &[Figures]) {
    println!("\nmillion records a second from the journal, on one core");
    println!(
        "   events    verified   with what stands in them read   hashing the bytes in one piece"
    );
    for Figures { events, records, .. } in figures {
        println!(
            "{events:>9}   {:>9.2}   {:>30.2}   {:>30.2}",
            records.verified, records.decoded, records.hashed,
        );
    }
}

//! How fast a whole archive is folded under another ruleset, and how fast its journal is verified.
//!
//! `cargo bench --bench store` plays 10,000 events of 8 to 512 players into a store (once: it is
//! kept in the target folder for the next run) and prints how many tournaments a second are rebuilt on
//! one thread and on all of them, with the peak memory of the process that did it, and how many
//! records a second are verified from the journal, beside plain BLAKE3 over the same bytes and
//! plain decoding. A number of tournaments can be given: `cargo bench --bench store -- 200`.

use scrutineer_desk::rebuild::{Asked, rebuild_store};
use scrutineer_desk::simulate::{play_into, store_of};
use scrutineer_desk::store::Store;
use scrutineer_engine::event::Event;
use scrutineer_engine::log::Log;
use scrutineer_engine::record::Header;
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_replay::verify::verify_journal;
use scrutineer_store::{EmbeddedLog, Options};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The context in which records are hashed, as docs/FORMAT.md has it.
const RECORD_CONTEXT: &str = "scrutineer 2026 record v1";

/// Threads that play events: they wait for the disk together.
const PLAYERS: usize = 32;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["child", "rebuild", folder, threads] => {
            rebuild(Path::new(folder), threads.parse().expect("a number"));
        }
        ["child", "verify", folder] => verify(Path::new(folder)),
        _ => run(words.first().map_or(10_000, |word| word.parse().expect("a number of events"))),
    }
}

fn ruleset(id: &str) -> Arc<Ruleset> {
    Arc::new(Library::shipped().ruleset(id).expect("a shipped ruleset"))
}

fn run(events: u32) {
    let folder = made(events);
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("{events} events, {cores} cores, load before: {}", load.trim());
    let folder = folder.to_str().expect("a path");
    println!("\nrebuild under mtr with a floor of 1/3, from the journal");
    for threads in [1, cores] {
        child(&["rebuild", folder, &threads.to_string()]);
    }
    println!("\nverify the chain and records of the journal");
    child(&["verify", folder]);
}

/// Runs a part in a process of its own, so that its peak memory is its own.
fn child(words: &[&str]) {
    let own = std::env::current_exe().expect("this program");
    let status = Command::new(own).arg("child").args(words).status().expect("it runs");
    assert!(status.success(), "{words:?}");
}

/// A store of so many tournaments, played unless an earlier run has left it.
fn made(events: u32) -> PathBuf {
    let own = std::env::current_exe().expect("this program");
    let target = own.ancestors().nth(3).expect("the target folder");
    let folder = target.join(format!("archive-{events}"));
    let begun = Instant::now();
    if !folder.join("made").exists() {
        let _ = std::fs::remove_dir_all(&folder);
        let store = Store::open(&folder).expect("a new store");
        let simulations = store_of(events, &[ruleset("mtr"), ruleset("carde")], 1);
        let played = play_into(&store, &simulations, PLAYERS).expect("played");
        let facts: u64 = played.iter().map(|event| event.counts.events).sum();
        let players: u64 = simulations.iter().map(|one| u64::from(one.players)).sum();
        drop(store);
        std::fs::write(folder.join("made"), format!("{players} players, {facts} facts"))
            .expect("written");
        println!("played in {:.0?}", begun.elapsed());
    }
    let what = std::fs::read_to_string(folder.join("made")).expect("what it holds");
    println!("{}: {what}", folder.display());
    folder
}

/// The most memory that this process has had, in megabytes.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or("unknown".into(), |kilobytes| format!("{} MB", kilobytes / 1024))
}

/// Processor time of this process so far, all threads, in seconds: on a busy machine it says more
/// than the clock.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or("").split_whitespace();
    // utime and stime, fields 14 and 15 of the line, in hundredths.
    let ticks = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn rebuild(folder: &Path, threads: usize) {
    let begun = Instant::now();
    let store = Store::open(folder).expect("the store");
    let (opening, peak_open) = (begun.elapsed(), peak());
    let library = Library::shipped();
    let after = library.ruleset("mtr+settings.percentage_floor=1/3").expect("a ruleset");
    let asked = Asked { after: Arc::new(after), cut: None, name_movers: false, unsigned: false };
    let (mut events, mut refused, mut facts, mut moved) = (0u64, 0u64, 0u64, 0usize);
    let (begun, worked) = (Instant::now(), processor_seconds());
    let mut looked = Duration::ZERO;
    let begin = &mut |_| looked = begun.elapsed();
    let done = rebuild_store(&store, &asked, threads, begin, &mut |event| {
        events += 1;
        facts += event.head;
        match &event.found {
            Ok(found) => moved += found.comparison.moves.len(),
            Err(_) => refused += 1,
        }
        ControlFlow::Continue(())
    });
    done.expect("the journal is good");
    let seconds = begun.elapsed().as_secs_f64();
    let worked = processor_seconds() - worked;
    println!(
        "  {threads} threads: {:>7.0} events/s, {:>9.0} facts/s, {seconds:.2} s, processor {worked:.2} s \
         (of it the titles {:.2} s; opening before it {:.2} s); \
         peak memory {} (after opening {peak_open}); {moved} moved, {refused} refused",
        events as f64 / seconds,
        facts as f64 / seconds,
        looked.as_secs_f64(),
        opening.as_secs_f64(),
        peak(),
    );
}

/// One record's bytes, by where they stand among others.
struct Kept {
    header: Header,
    from: usize,
    to: usize,
}

fn verify(folder: &Path) {
    let log = EmbeddedLog::open(folder, Options::default()).expect("the store");
    let begun = Instant::now();
    let records = verify_journal(&log).expect("the journal is good");
    let verified = begun.elapsed();
    let (mut one_by_one, mut in_one, mut own, mut strict) = Default::default();
    let mut times = |bytes: &[u8], kept: &[Kept]| {
        let payload = |one: &Kept| &bytes[one.from + 103..one.to];
        let context = blake3::Hasher::new_derive_key(RECORD_CONTEXT);
        time(&mut one_by_one, || {
            for one in kept {
                black_box(context.clone().update(&bytes[one.from..one.to]).finalize());
            }
        });
        time(&mut in_one, || {
            black_box(blake3::hash(bytes));
        });
        time(&mut own, || {
            for one in kept {
                let Header { kind, schema, .. } = one.header;
                black_box(Event::decode_own(kind, schema, payload(one)).expect("our own"));
            }
        });
        time(&mut strict, || {
            for one in kept {
                let Header { kind, schema, .. } = one.header;
                black_box(Event::decode_strict(kind, schema, payload(one)).expect("canonical"));
            }
        });
    };
    let (mut bytes, mut kept, mut total) = (Vec::new(), Vec::new(), 0);
    for record in log.scan() {
        let record = record.expect("the journal is good");
        let from = bytes.len();
        bytes.extend_from_slice(record.bytes());
        kept.push(Kept { header: record.header(), from, to: bytes.len() });
        // Piece by piece, so that the archive need not fit into memory.
        if bytes.len() > 1 << 24 {
            times(&bytes, &kept);
            total += bytes.len();
            bytes.clear();
            kept.clear();
        }
    }
    times(&bytes, &kept);
    total += bytes.len();
    let rate = |time: Duration| records as f64 / time.as_secs_f64() / 1e6;
    println!("  {records} records, {} MB", total >> 20);
    println!("  verified             {:>7.2} million records/s", rate(verified));
    for (what, time) in [
        ("hashed one by one and decoded", one_by_one + own),
        ("hashed one by one and decoded strictly", one_by_one + strict),
        ("hashed in one piece and decoded", in_one + own),
        ("hashed one by one", one_by_one),
        ("hashed in one piece", in_one),
        ("decoded", own),
    ] {
        let ratio = verified.as_secs_f64() / time.as_secs_f64();
        println!("    {:>7.2} million/s {what}: verifying takes {ratio:.2} times that", rate(time));
    }
    println!("  peak memory {}", peak());
}

fn time(sum: &mut Duration, run: impl FnOnce()) {
    let begun = Instant::now();
    run();
    *sum += begun.elapsed();
}

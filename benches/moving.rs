//! How fast a store of many tournaments is copied from a folder into PostgreSQL and back, beside `COPY` of
//! the same rows into the same tables on the same server: the least that PostgreSQL must do.
//!
//! `cargo bench --bench moving` plays 10,000 tournaments of 8 to 32 players into a folder, starts a PostgreSQL of
//! its own, copies, compares and copies back. A number of tournaments can be given:
//! `cargo bench --bench moving -- 500`. Where no PostgreSQL is installed it says so and ends.

use scrutineer_desk::simulate::{Simulation, play_into};
use scrutineer_desk::store::{Carried, Store, StoreAt, carry};
use scrutineer_projections::ruleset::Library;
use scrutineer_store::Mirror;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../store/postgres/tests/it/server.rs"]
mod server;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What is copied: the tables with what each row stands for.
const TABLES: [&str; 3] = ["scrutineer.records", "scrutineer.commands", "scrutineer_private.texts"];

fn main() {
    let count = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(10_000);
    let Some(server) = server::Server::start() else { return };
    let address = server.database("moved").to_string();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(target).expect("the target folder");
    let folder = tempfile::TempDir::new_in(target).expect("a folder on the disk");
    let at = |name: &str| folder.path().join(name);

    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("it is shipped"));
    let simulation = |seed: u64| {
        Simulation::new(8 + u32::try_from(seed % 25).expect("small"), Arc::clone(&rules), seed)
    };
    let simulations: Vec<Simulation> = (0..count).map(simulation).collect();
    let begun = Instant::now();
    let store = Store::open(&at("store")).expect("a new store");
    play_into(&store, &simulations, 16).expect("played");
    drop(store);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("{count} tournaments played in {:.0?}; load {}", begun.elapsed(), load.trim());

    let store = Store::open_to_read(&at("store")).expect("the store");
    let place = StoreAt::new(Path::new(&address), Some(at("node"))).expect("an address");
    let database = Store::open_at(&place, Mirror::AsBefore, None).expect("the database");
    let into = timed("folder to PostgreSQL", || carry(&store, &database, &[], &mut |_, _| {}));
    timed("the same again: all is compared", || carry(&store, &database, &[], &mut |_, _| {}));
    let back = Store::open(&at("back")).expect("a new store");
    let out = timed("PostgreSQL to folder", || carry(&database, &back, &[], &mut |_, _| {}));
    assert_eq!((into.0.records, into.0.texts), (out.0.records, out.0.texts));
    timed("folder to folder: all is compared", || carry(&store, &back, &[], &mut |_, _| {}));

    let limit = copied(&server);
    let share = 100.0 * limit.as_secs_f64() / into.1.as_secs_f64();
    println!(
        "COPY of the same rows                {:>8.2} s  {:>9.0} records/s; copying a store, with its \
         comparison, reaches {share:.0} % of it",
        limit.as_secs_f64(),
        into.0.records as f64 / limit.as_secs_f64(),
    );
}

/// Carries, and prints how fast.
fn timed<E: std::fmt::Debug>(
    what: &str,
    work: impl FnOnce() -> Result<Carried, E>,
) -> (Carried, Duration) {
    let begun = Instant::now();
    let carried = work().expect("carried");
    let took = begun.elapsed();
    let seconds = took.as_secs_f64();
    println!(
        "{what:<36} {seconds:>8.2} s  {:>9.0} records/s  {:>6.0} tournaments/s  {:>6.1} MB/s  ({} records, {} \
         commands, {} texts, {} files)",
        carried.records as f64 / seconds,
        carried.tournaments as f64 / seconds,
        carried.bytes as f64 / seconds / 1e6,
        carried.records,
        carried.commands,
        carried.texts,
        carried.files,
    );
    (carried, took)
}

/// How long `COPY` takes for the same rows, into tables with the same indexes.
fn copied(server: &server::Server) -> Duration {
    let mut client = server.connect("moved");
    client.batch_execute("SET statement_timeout = 0").expect("set");
    let mut took = Duration::ZERO;
    for (number, table) in TABLES.iter().enumerate() {
        let mut rows = Vec::new();
        let out = format!("COPY {table} TO STDOUT (FORMAT binary)");
        client.copy_out(&out).expect("asked").read_to_end(&mut rows).expect("read");
        let like = format!("CREATE TABLE limit_{number} (LIKE {table} INCLUDING ALL)");
        client.batch_execute(&like).expect("made");
        let begun = Instant::now();
        let mut into = client
            .copy_in(&format!("COPY limit_{number} FROM STDIN (FORMAT binary)"))
            .expect("asked");
        into.write_all(&rows).expect("written");
        into.finish().expect("copied");
        took += begun.elapsed();
    }
    took
}

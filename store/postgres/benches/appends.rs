//! How many commands a database takes, beside what its own benchmark does with the same statements in
//! the same run; and how long opening a tournament takes. A server of its own, which syncs.
//!
//! `cargo bench -p scrutineer-postgres --bench appends [seconds of each measurement] [rounds]`
//!
//! With `-- cluster`, before the numbers, on three nodes: a primary whose commits wait for a synchronous standby, and
//! another standby, as `deploy/` describes them; both by way of HAProxy.

#[path = "appends/cluster.rs"]
mod cluster;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/it/server.rs"]
mod server;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use scrutineer_engine::conformance::{batch, entry};
use scrutineer_engine::log::{Batch, Head, Log};
use scrutineer_engine::record::{CommandId, StreamId};
use scrutineer_postgres::{Options, PostgresLog};
use server::Server;

/// The bytes of a payload, as most events have.
const BYTES: usize = 160;

/// Writers, and the connections that they share. pgbench has as many as are used.
const WRITERS: [(usize, usize); 4] = [(1, 16), (8, 16), (64, 16), (64, 64)];

/// The statements of `scrutineer.append` on tables of their own: what is compared there is made up here,
/// so that a client that knows nothing can call it.
const SAME_SHAPE: &str = "
CREATE SCHEMA bench;
CREATE TABLE bench.streams (LIKE scrutineer.streams INCLUDING ALL) WITH (fillfactor = 50);
CREATE TABLE bench.records (LIKE scrutineer.records INCLUDING ALL);
CREATE TABLE bench.commands (LIKE scrutineer.commands INCLUDING ALL);
CREATE FUNCTION bench.append(the_stream bytea, the_command bytea, the_digest bytea, hashes bytea[],
    contents bytea[], OUT answer text, OUT seq bigint, OUT hash bytea, OUT first_seq bigint,
    OUT last_seq bigint, OUT digest bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    total integer := cardinality(hashes);
    now   timestamptz;
    there bigint;
BEGIN
    SELECT s.seq, s.hash INTO seq, hash FROM bench.streams s WHERE s.stream = the_stream FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO bench.streams VALUES (the_stream, 0, hashes[1], clock_timestamp(), 0);
        seq := 0;
    END IF;
    there := seq;
    SELECT c.first_seq, c.last_seq, c.digest INTO first_seq, last_seq, digest
        FROM bench.commands c WHERE c.stream = the_stream AND c.command = the_command;
    IF FOUND THEN
        answer := 'known';
        RETURN;
    END IF;
    INSERT INTO bench.records SELECT the_stream, there + r.n, r.hash, r.bytes
        FROM unnest(hashes, contents) WITH ORDINALITY AS r (hash, bytes, n);
    INSERT INTO bench.commands
        VALUES (the_stream, the_command, there + 1, there + total, the_digest);
    now := clock_timestamp();
    UPDATE bench.streams s SET seq = there + total, hash = hashes[total], changed_at = now,
        changed_slot = floor(extract(epoch FROM now) / 5)::bigint WHERE s.stream = the_stream;
    answer := 'appended';
END $$;";

fn main() {
    // `cargo bench` hands over words of its own.
    let numbers: Vec<u64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let seconds = numbers.first().copied().unwrap_or(5);
    let rounds = numbers.get(1).copied().unwrap_or(3) as usize;
    if std::env::args().any(|word| word == "cluster") {
        return cluster::run(seconds, rounds.max(1));
    }
    let Some(mut server) = Server::durable() else { return };
    for setting in ["max_wal_size = '4GB'", "shared_buffers = '256MB'", "max_connections = 200"] {
        server.set(setting);
    }
    server.stop();
    server.run();
    server.database("open");
    server.connect("open").batch_execute(SAME_SHAPE).expect("made");
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("script.sql");
    let record = batch(StreamId([1; 16]), Head::EMPTY, 1, 1, BYTES).records.remove(0);
    let payload = hex(record.bytes());
    std::fs::write(&script, script_of(&payload)).expect("written");
    server::give_to_postgres(folder.path());

    if rounds == 0 {
        return opened(&server);
    }
    let mut command = 1;
    let own = |options| PostgresLog::open(server.address("desk", "open"), options);
    let theirs = |writers, seconds| pgbench(&server, &script, writers, seconds);
    beside(own, theirs, seconds, rounds, &mut command);
    let own = PostgresLog::open(server.address("desk", "open"), Options::default());
    let log = own.expect("it opens");
    let busy = processor();
    let rate = appended(&log, 8, 1, seconds, &mut command);
    let busy = (processor() - busy) * 1e6 / (rate * seconds as f64);
    println!("  of a processor here, for each command of 8 writers: {busy:.0} µs");
    let many = appended(&log, 8, 100, seconds, &mut command) * 100.0;
    println!("  events a second with 100 in each command, 8 writers: {many:.0}");
    let kept = "SELECT 100.0::float8 * n_tup_hot_upd / greatest(n_tup_upd, 1) \
                FROM pg_stat_user_tables WHERE relid = 'scrutineer.streams'::regclass";
    let hot: f64 = server.connect("open").query_one(kept, &[]).expect("a row").get(0);
    println!("  changes of an end that touched no index: {hot:.1} %");
    let size = "SELECT pg_total_relation_size('scrutineer.records')::float8 / count(*), \
                pg_total_relation_size('scrutineer.commands')::float8 \
                    / (SELECT count(*) FROM scrutineer.commands) FROM scrutineer.records";
    let row = server.connect("open").query_one(size, &[]).expect("a row");
    let (record, command): (f64, f64) = (row.get(0), row.get(1));
    println!("  on the disk, with indexes: {record:.0} bytes an event, {command:.0} a command");
    opened(&server);
}

/// Measures both in turn, so that a machine that others use too is as busy for the one as for the other, and tells
/// the median of what each round says of the two.
fn beside(
    open: impl Fn(Options) -> Result<PostgresLog, scrutineer_postgres::DatabaseError>,
    pgbench: impl Fn(usize, u64) -> f64,
    seconds: u64,
    rounds: usize,
    command: &mut u128,
) {
    let bytes = batch(StreamId([1; 16]), Head::EMPTY, 1, 1, BYTES).records[0].bytes().len();
    println!("durable commands a second, each of one event of {bytes} bytes");
    println!("  writers connections      here   pgbench   share   lowest, highest");
    println!("  (medians of {rounds} rounds of {seconds} s each; the share is that of each round)");
    for (writers, connections) in WRITERS {
        let log = open(Options { connections, ..Options::default() }).expect("it opens");
        let (mut ours, mut theirs, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..rounds {
            let mut here = || appended(&log, writers, 1, seconds, command);
            let there = || pgbench(writers.min(connections), seconds);
            // Who goes first changes: a machine gets slower or faster as time goes.
            let (own, other) = match round % 2 {
                0 => {
                    let other = there();
                    (here(), other)
                }
                _ => {
                    let own = here();
                    (own, there())
                }
            };
            ours.push(own);
            theirs.push(other);
            shares.push(100.0 * own / other);
        }
        shares.sort_by(f64::total_cmp);
        let (lowest, highest) = (shares[0], shares[shares.len() - 1]);
        let (ours, theirs, share) = (median(ours), median(theirs), median(shares));
        println!(
            "  {writers:>7} {connections:>11} {ours:>9.0} {theirs:>9.0} {share:>5.0} %   {lowest:.0} to {highest:.0} %"
        );
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn script_of(payload: &str) -> String {
    let id = |word: &str| format!("decode(lpad(to_hex({word}::bigint), 32, '0'), 'hex')");
    format!(
        "\\set c random(1, 4611686018427387904)\n\
         SELECT * FROM bench.append({}, {}, decode(repeat('11', 32), 'hex'), \
         ARRAY[decode(repeat('22', 32), 'hex')], ARRAY['\\x{payload}'::bytea]);\n",
        id(":client_id"),
        id(":c")
    )
}

/// The transactions a second of pgbench, as it says itself.
fn pgbench(server: &Server, script: &Path, writers: usize, seconds: u64) -> f64 {
    let (writers, seconds) = (writers.to_string(), seconds.to_string());
    let threads = if writers == "1" { "1" } else { "2" };
    let script = script.display().to_string();
    let said = server.client_program(
        "pgbench",
        &[
            "-n", "-M", "prepared", "-c", &writers, "-j", threads, "-T", &seconds, "-f", &script,
            "open",
        ],
    );
    rate_of(&said)
}

/// The rate in what pgbench says.
fn rate_of(said: &str) -> f64 {
    let rate = said.lines().find_map(|line| line.strip_prefix("tps = ")).expect("a rate");
    rate.split(' ').next().and_then(|rate| rate.parse().ok()).expect("a number")
}

/// Appends from so many threads, each to a stream of its own, and gives the commands a second.
fn appended(
    log: &PostgresLog,
    writers: usize,
    parts: u32,
    seconds: u64,
    command: &mut u128,
) -> f64 {
    let (over, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let first = *command;
    *command += 1 << 32;
    let since = Instant::now();
    thread::scope(|scope| {
        for writer in 0..writers {
            let (over, done) = (&over, &done);
            scope.spawn(move || {
                let stream = StreamId([writer as u8 + 1; 16]);
                let mut head = log.head(stream).expect("a head");
                for next in 0.. {
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    let order = batch(stream, head, first + next, parts, BYTES);
                    head = log.append(head, order).expect("appended");
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        thread::sleep(Duration::from_secs(seconds));
        over.store(true, Ordering::Relaxed);
    });
    done.load(Ordering::Relaxed) as f64 / since.elapsed().as_secs_f64()
}

/// Opens 1,000 tournaments of 400 events and 60 texts, one after the other and by 8 at once.
fn opened(server: &Server) {
    const TOURNAMENTS: u32 = 1_000;
    let log = server.log("opened");
    let stream = |number: u32| {
        let mut id = [9; 16];
        id[..4].copy_from_slice(&number.to_be_bytes());
        StreamId(id)
    };
    for number in 0..TOURNAMENTS {
        let texts = (1..=60).map(|number| entry(number, "Ada Lovelace")).collect();
        let whole = Batch { texts, ..batch(stream(number), Head::EMPTY, 1, 400, BYTES) };
        log.append(Head::EMPTY, whole).expect("appended");
    }
    let open = |log: &PostgresLog, number: u32| {
        let events = log.read(stream(number), 0).filter(Result::is_ok).count();
        let texts = log.texts().book(stream(number)).expect("readable").entries().count();
        assert_eq!((events, texts), (400, 60));
    };
    let log = PostgresLog::open(server.address("desk", "opened"), Options::default());
    let log = log.expect("it opens");
    let (since, busy) = (Instant::now(), processor());
    (0..TOURNAMENTS).for_each(|number| open(&log, number));
    let (one, busy) = (since.elapsed().as_secs_f64(), processor() - busy);
    let since = Instant::now();
    thread::scope(|scope| {
        for part in 0..8 {
            let (log, open) = (&log, &open);
            scope
                .spawn(move || (part..TOURNAMENTS).step_by(8).for_each(|number| open(log, number)));
        }
    });
    let eight = since.elapsed().as_secs_f64();
    let since = Instant::now();
    let streams: Vec<StreamId> = (0..TOURNAMENTS).map(stream).collect();
    assert_eq!(log.heads(&streams).expect("heads").len(), TOURNAMENTS as usize);
    let heads = since.elapsed();
    let since = Instant::now();
    for number in 0..TOURNAMENTS {
        let id = CommandId(u128::from(number) + 7);
        assert_eq!(log.command(stream(number), id), Ok(None));
    }
    let trip = since.elapsed();
    println!("1,000 tournaments of 400 events and 60 texts, verified as they are read");
    println!("  one after the other {one:.3} ms each, {busy:.3} ms of a processor here");
    println!("  by 8 at once {eight:.3} ms each");
    println!("  all their ends in one question {:.1} ms", heads.as_secs_f64() * 1e3);
    println!("  a question and its answer {:.3} ms", trip.as_secs_f64());
}

/// How many seconds of a processor this program has had.
fn processor() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

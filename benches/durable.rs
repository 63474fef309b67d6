//! How many events a second are kept for good, beside appending the same bytes to a file and
//! waiting for the disk.
//!
//! `cargo bench --bench durable` lets 1, 8 and 64 desks play a tournament each, in one store, one
//! command after the other: every command is decided, encoded, hashed, written, waited for and
//! indexed. Beside it as many threads hand as many bytes in as many pieces to one thread that
//! writes what waits for it, calls fdatasync once, and answers: the least that a durable log must
//! do. Both run in turn, on the same disk. Then it prints how the time of a command grows with the
//! length of its stream. A number of seconds for each part can be given:
//! `cargo bench --bench durable -- 1`.

use scrutineer_engine::book::Commitment;
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::handler::{CommandHandler, Request};
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_store::{EmbeddedLog, Options};
use smallvec::smallvec;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NOBODY: Commitment = Commitment { number: 1, digest: [0; 32] };

/// How often the store and the bare append are measured in turn: how long the disk takes changes
/// from second to second.
const TURNS: u32 = 9;

/// Tables of a round of the tournaments that are played.
const TABLES: u32 = 32;

fn main() {
    let seconds = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(3.0);
    let each = Duration::from_secs_f64(seconds);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "a round of {TABLES} tables is 1 command of {} events and {TABLES} of one",
        TABLES + 1
    );
    println!("load before: {}\n", load.trim());
    println!(
        " desks   commands/s     events/s   bare append+fdatasync   share   with sled caught up"
    );
    for desks in [1, 8, 64] {
        print_desks(desks, each);
    }
    println!("\na command of one event in a stream that is already so long");
    print_growth();
}

/// A folder on the disk where the project is built: that for temporary files may lie in memory.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

fn print_desks(desks: u32, each: Duration) {
    let mut runs: Vec<(Rate, f64)> = Vec::new();
    for _ in 0..TURNS {
        let rate = through_the_store(desks, each);
        let bytes = rate.bytes_per_command;
        let bare = bare(desks, bytes, each);
        runs.push((rate, bare));
    }
    // The one in the middle by its share.
    runs.sort_by(|a, b| (a.0.commands / a.1).total_cmp(&(b.0.commands / b.1)));
    let (rate, bare) = &runs[runs.len() / 2];
    println!(
        "{desks:>6}   {:>10.0}   {:>10.0}   {bare:>21.0}   {:>4.0} %   {:>10.0} events/s",
        rate.commands,
        rate.events,
        100.0 * rate.commands / bare,
        rate.sustained,
    );
}

/// What one run came to, per second.
struct Rate {
    commands: f64,
    events: f64,
    /// Events per second until sled had the last of them too.
    sustained: f64,
    bytes_per_command: usize,
}

fn through_the_store(desks: u32, each: Duration) -> Rate {
    let folder = folder();
    let log = EmbeddedLog::open(folder.path(), Options::default()).expect("a new store");
    let handler = CommandHandler::new(&log);
    let mut desks: Vec<Desk> = (1..=desks).map(Desk::new).collect();
    desks.iter_mut().for_each(|desk| desk.hand_in(&handler));
    let before = folder_bytes(&folder.path().join("journal"));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for desk in &mut desks {
            let handler = &handler;
            scope.spawn(move || {
                while begun.elapsed() < each {
                    desk.hand_in(handler);
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    let bytes = folder_bytes(&folder.path().join("journal")) - before;
    wait_for_sled(&log);
    let until_sled = begun.elapsed().as_secs_f64();
    let sum = |of: fn(&Desk) -> u64| desks.iter().map(of).sum::<u64>() as f64;
    let (commands, events) = (sum(|desk| desk.commands - 1), sum(|desk| desk.events));
    Rate {
        commands: commands / seconds,
        events: events / seconds,
        sustained: events / until_sled,
        bytes_per_command: (bytes as f64 / commands.max(1.0)) as usize,
    }
}

/// Waits until sled has every command. A sled that stands still is told of and left behind, as
/// whoever reads from the store leaves it.
fn wait_for_sled(log: &EmbeddedLog) {
    let mut moved = (0, Instant::now());
    loop {
        let stats = log.stats();
        if stats.commands_in_sled >= stats.commands {
            return;
        }
        if stats.commands_in_sled != moved.0 {
            moved = (stats.commands_in_sled, Instant::now());
        }
        if moved.1.elapsed() >= Duration::from_secs(60) {
            println!("sled stands still at {stats:?}: {:?}", log.notices());
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn folder_bytes(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).expect("the journal");
    files.map(|file| file.expect("a file").metadata().expect("its size").len()).sum()
}

/// A desk that plays a tournament: a command each time it is asked.
struct Desk {
    stream: StreamId,
    commands: u64,
    /// Since its opening.
    events: u64,
    round: RoundNumber,
    /// The seq of the first pairing of the round, and how many tables still play.
    pairings: (Seq, u32),
    head: Seq,
}

impl Desk {
    fn new(number: u32) -> Desk {
        let stream = StreamId(u128::from(number).to_le_bytes());
        Desk { stream, commands: 0, events: 0, round: 0, pairings: (0, 0), head: 0 }
    }

    fn hand_in(&mut self, handler: &CommandHandler<'_>) {
        let events = self.next();
        self.record(handler, events);
    }

    fn record(&mut self, handler: &CommandHandler<'_>, events: Vec<Event>) {
        let (id, count) = (CommandId(u128::from(self.commands) + 1), events.len() as u64);
        let (stream, actor, time) = (self.stream, Actor(1), Time { unix_micros: 0 });
        let (private, command) = (Vec::new(), Command::Record(events));
        let request = Request { stream, id, actor, time, private, command, expected: None };
        self.head = handler.handle(&request).expect("the tournament is legal").last_seq;
        self.events += if self.commands == 0 { 0 } else { count };
        self.commands += 1;
    }

    fn next(&mut self) -> Vec<Event> {
        if self.head == 0 {
            return opening();
        }
        if self.pairings.1 > 0 {
            let (first, open) = self.pairings;
            let table = TABLES - open;
            self.pairings.1 -= 1;
            let result = MatchResult::played(Score {
                seats: smallvec![smallvec![2], smallvec![(table % 2) as i32]],
                table: smallvec![],
            });
            let result = ResultRecorded { pairing: first + u64::from(table), result };
            return vec![result.into()];
        }
        let mut events: Vec<Event> = Vec::new();
        if self.round > 0 {
            events.push(RoundCompleted { round: self.round }.into());
        }
        self.round += 1;
        events.push(
            RoundOpened {
                round: self.round,
                phase: 1,
                phase_round: self.round,
                weight: RoundWeight::ONE,
                drawn: None,
            }
            .into(),
        );
        self.pairings = (self.head + events.len() as Seq + 1, TABLES);
        events.extend((0..TABLES).map(|table| {
            let seat = |player| Seat { player, role: 0 };
            let (first, second) = (1 + table * 2, 2 + table * 2);
            Event::from(PairingMade {
                round: self.round,
                table: Some(table + 1),
                seats: smallvec![seat(first), seat(second)],
                group: None,
                bracket_slot: None,
                origin: Origin::AS_GIVEN,
            })
        }));
        events
    }
}

/// The opening of a tournament and its players.
fn opening() -> Vec<Event> {
    let games =
        ScoreLine { name: "games".into(), per: Per::Seat, min: 0, max: 9, unit: "games".into() };
    let rules = RulesetFile { name: "bench".into(), text: "none".into() };
    let opened = TournamentOpened {
        ruleset: vec![rules],
        ..TournamentOpened::new(NOBODY, Scoresheet { lines: vec![games], best_of: Some(3) })
    };
    let mut events: Vec<Event> = vec![opened.into()];
    events.extend((1..=TABLES * 2).map(|player| {
        Event::from(PlayerEnrolled { sign_up: Some(player), ..PlayerEnrolled::new(player, NOBODY) })
    }));
    let started = PhaseStarted::new(1, PhaseKind::Swiss);
    events.push(started.into());
    events
}

/// A piece, and who waits for it.
type Piece = (Vec<u8>, SyncSender<()>);

/// Pieces that wait for the thread that writes, and whether no more will come.
#[derive(Default)]
struct Waiting {
    pieces: Mutex<(VecDeque<Piece>, bool)>,
    more: Condvar,
}

/// Pieces per second that are appended to a file and waited for, handed in by so many threads.
fn bare(threads: u32, bytes: usize, each: Duration) -> f64 {
    let folder = folder();
    let mut file = File::create(folder.path().join("bare")).expect("a file");
    let waiting = Arc::new(Waiting::default());
    let begun = Instant::now();
    let total: u64 = std::thread::scope(|scope| {
        let its = Arc::clone(&waiting);
        scope.spawn(move || {
            loop {
                let mut pieces = its.pieces.lock().expect("nobody panics");
                while pieces.0.is_empty() && !pieces.1 {
                    pieces = its.more.wait(pieces).expect("nobody panics");
                }
                let taken = std::mem::take(&mut pieces.0);
                drop(pieces);
                if taken.is_empty() {
                    return;
                }
                let together: Vec<u8> =
                    taken.iter().flat_map(|(piece, _)| piece.iter().copied()).collect();
                file.write_all(&together).expect("room on the disk");
                file.sync_data().expect("a disk that works");
                for (_, answer) in taken {
                    answer.send(()).expect("somebody waits");
                }
            }
        });
        let writers: Vec<_> = (0..threads)
            .map(|number| {
                let waiting = Arc::clone(&waiting);
                scope.spawn(move || {
                    let mut count = 0u64;
                    while begun.elapsed() < each {
                        let (answer, answered) = sync_channel(1);
                        let piece = vec![number as u8; bytes];
                        waiting.pieces.lock().expect("nobody panics").0.push_back((piece, answer));
                        waiting.more.notify_one();
                        answered.recv().expect("an answer");
                        count += 1;
                    }
                    count
                })
            })
            .collect();
        let total = writers.into_iter().map(|writer| writer.join().expect("it ends")).sum();
        waiting.pieces.lock().expect("nobody panics").1 = true;
        waiting.more.notify_all();
        total
    });
    total as f64 / begun.elapsed().as_secs_f64()
}

/// Whether a command costs more the longer its stream is.
fn print_growth() {
    let folder = folder();
    let log = EmbeddedLog::open(folder.path(), Options::default()).expect("a new store");
    let handler = CommandHandler::new(&log);
    let mut desk = Desk::new(1);
    let mut before: Option<(f64, f64)> = None;
    for length in [1_000u64, 10_000, 100_000, 1_000_000] {
        lengthen(&mut desk, &handler, length);
        wait_for_sled(&log);
        let (begun, count) = (Instant::now(), 2_000);
        (0..count).for_each(|_| desk.record(&handler, vec![note()]));
        let each = begun.elapsed().as_secs_f64() / f64::from(count);
        let exponent = before.map_or(String::new(), |(length_before, each_before)| {
            let grown = (each / each_before).ln() / (length as f64 / length_before).ln();
            format!("   exponent {grown:>5.2}")
        });
        println!("{length:>9} events   {:>7.1} us{exponent}", each * 1e6);
        before = Some((length as f64, each));
    }
}

/// Brings a stream to so many events, many in a command.
fn lengthen(desk: &mut Desk, handler: &CommandHandler<'_>, length: u64) {
    if desk.head == 0 {
        desk.hand_in(handler);
    }
    while desk.head < length {
        let count = (length - desk.head).min(20_000);
        desk.record(handler, (0..count).map(|_| note()).collect());
    }
}

fn note() -> Event {
    NoteAdded { note: NOBODY, about: None }.into()
}

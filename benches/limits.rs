//! Stores as large as they may be: what they cost in time and memory.
//!
//! `cargo bench --bench limits -- event 100000 64` records one tournament of so many players and rounds
//! and reads it in every way; `… -- stream 1000000` one of few players and so many events;
//! `… -- store 100000` a store of so many tournaments. Without words each runs small. A store is made
//! in the target folder and removed at the end; every reading is a process of its own, so that its
//! peak memory is its own.

use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::store::Store;
use scrutineer_desk::verify::verify_tournament;
use scrutineer_engine::book::{BookError, Commitment, Field, PrivateEntry, commit};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::handler::{CommandHandler, Request, read_events};
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::explain::explain;
use scrutineer_projections::ruleset::{Library, parse};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::bundle::{Give, write};
use scrutineer_replay::verify::Severity;
use scrutineer_store::Options;
use smallvec::smallvec;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A reason or note whose words are not in the book: those of players are.
const WORDLESS: Commitment = Commitment { number: 1_000_000, digest: [0; 32] };

/// A number that no event and no command has.
const MORE: u32 = 1 << 31;

/// Threads that record events: they wait for the disk together.
const DESKS: usize = 64;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| -> u32 { word.parse().expect("a number") };
    match words[..] {
        ["child", what, folder] => child(what, Path::new(folder)),
        ["event", players, rounds] => event(number(players), number(rounds) as RoundNumber),
        ["stream", events] => stream(number(events)),
        ["store", events] => store(number(events)),
        _ => {
            event(1_000, 8);
            stream(10_000);
            store(200);
        }
    }
}

/// Makes a store, reads it, and removes it.
fn at_the_limit(what: &str, make: impl FnOnce(&Store), readings: &[&str]) {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("{what}   (load before: {})", load.trim());
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let begun = Instant::now();
    let store = Store::open(folder.path()).expect("a new store");
    make(&store);
    let recorded = begun.elapsed();
    drop(store);
    println!(
        "  {:<34} {recorded:>10.2?}   until sled had it too {:.2?}",
        "recorded",
        begun.elapsed()
    );
    println!("  {:<34} {:>10}", "memory while recording", peak());
    println!("  {:<34} {:>10} MB", "on the disk", bytes_below(folder.path()) >> 20);
    let own = std::env::current_exe().expect("this program");
    for reading in readings {
        let path = folder.path().to_str().expect("a path");
        let run = std::process::Command::new(&own).args(["child", reading, path]).status();
        assert!(run.expect("it runs").success(), "{reading}");
    }
}

/// One event of a store that was closed in order, and sled by itself, for whom whoever appends first
/// waits.
fn before_it_is_opened(what: &str, folder: &Path) -> Option<String> {
    let begun = Instant::now();
    match what {
        "read one" => {
            let store = Store::open_closed(folder).expect("it was closed in order");
            let opened = begun.elapsed();
            let stream = StreamId((u128::from(77_u32) << 96 | 1).to_be_bytes());
            let mut state = Tournament::default();
            for read in read_events(store.log(), stream, 0) {
                state.evolve(&read.expect("readable").1);
            }
            Some(format!("opened in {opened:.2?}; {} events folded", state.head()))
        }
        "sled alone" => {
            let found = std::fs::read_dir(folder.join("sled")).expect("it is there");
            let live = found.map(|entry| entry.expect("a name").path()).next().expect("a folder");
            let settings = Options::default();
            let opened = sled::Config::default()
                .path(live)
                .cache_capacity(settings.cache_bytes)
                .segment_size(settings.sled_segment_bytes)
                .open();
            let opened = opened.expect("sled opens");
            let took = begun.elapsed();
            drop(opened);
            Some(format!("sled::open in {took:.2?}"))
        }
        _ => None,
    }
}

fn child(what: &str, folder: &Path) {
    let begun = Instant::now();
    if let Some(said) = before_it_is_opened(what, folder) {
        return println!("  {what:<34} {:>10.2?}   {}; {said}", begun.elapsed(), peak());
    }
    let keys = KeyFolder::new(Some(folder.join("keys")));
    let store = Store::open(folder).expect("the store").with_keys(keys);
    let opened = begun.elapsed();
    let begun = Instant::now();
    let said = match what {
        "open" => String::new(),
        "events" => format!("{} listed", store.events().expect("readable").len()),
        "find" => {
            let found = store.find(Some("event 77")).expect("it is there");
            let event = store.load(found, false).expect("readable");
            format!("{} has {} players", event.title(), event.state.players().len())
        }
        "one more event" => {
            let mut desk = Desk::new(&store, MORE);
            desk.begin(4);
            desk.round(4, 1);
            format!("of {} events", desk.head)
        }
        "verify one" => verify_one(&store, store.find(Some("event 77")).expect("it is there")),
        "verify the journal" => {
            format!("{} records", store.verify_journal().expect("readable").unwrap_or(0))
        }
        _ => of_one(&store, what),
    };
    let memory = peak();
    println!("  {what:<34} {:>10.2?}   {memory}; opened in {opened:.2?}; {said}", begun.elapsed());
}

/// A question about the only event of a store.
fn of_one(store: &Store, what: &str) -> String {
    let stream = store.find(None).expect("one event");
    if what == "verify" {
        return verify_one(store, stream);
    }
    if what == "append" {
        return append(store);
    }
    if what == "export" {
        let mut bytes = Counter(0);
        return match write(store, stream, Give::Nothing, &mut bytes) {
            Ok(_) => format!("{} MB", bytes.0 >> 20),
            Err(refused) => format!("refused: {refused} [{}]", refused.code()),
        };
    }
    let event = store.load(stream, false).expect("readable");
    if what == "snapshot" {
        let head = store.log().head(stream).expect("readable");
        store.take_snapshot(stream, head, &event.state).expect("written");
    }
    if what == "standings" || what == "explain" {
        let rules = Arc::new(parse(event.state.ruleset().expect("opened")).expect("a ruleset"));
        let begun = Instant::now();
        let of = Standings::of(&event.state, &rules, Scope::default(), Detail::All);
        let standings = of.expect("they fold");
        let mut said = format!("{} rows in {:.2?}", standings.rows.len(), begun.elapsed());
        if what == "explain" {
            let (begun, row) = (Instant::now(), &standings.rows[standings.rows.len() / 2]);
            let explained = explain(&event.state, &standings, row.player, None);
            said = format!("{said}; explained in {:.2?}", begun.elapsed());
            assert!(explained.is_some());
        }
        return said;
    }
    format!("{} events folded", event.state.head())
}

fn verify_one(store: &Store, stream: StreamId) -> String {
    let found = verify_tournament(store, stream).expect("readable");
    let errors = found.findings.iter().filter(|finding| finding.severity == Severity::Error);
    let codes: BTreeSet<&str> = errors.map(|finding| finding.code).collect();
    format!("{} records, errors: {codes:?}", found.records)
}

/// More commands to an event that was recorded before.
fn append(store: &Store) -> String {
    let mut desk = Desk::new(store, 1);
    // Ids that no command before has.
    desk.commands = MORE + store.log().head(desk.stream()).expect("readable").seq as u32;
    let mut note = || {
        let begun = Instant::now();
        let note = NoteAdded { note: WORDLESS, about: None };
        desk.record(Command::Record(vec![note.into()]), Vec::new());
        begun.elapsed()
    };
    let first = note();
    let next: Duration = (0..100).map(|_| note()).sum();
    format!("the first command in {first:.2?}, a further one in {:.2?}", next / 100)
}

struct Counter(u64);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn event(players: u32, rounds: RoundNumber) {
    let what = format!("one event of {players} players and {rounds} rounds");
    let make = |store: &Store| {
        let mut desk = Desk::new(store, 1);
        desk.begin(players);
        for round in 1..=rounds {
            desk.round(players, round);
        }
        println!("  {} events", desk.head);
    };
    let readings = [
        "open",
        "fold",
        "append",
        "standings",
        "verify",
        "snapshot",
        "fold",
        "standings",
        "explain",
        "export",
    ];
    at_the_limit(&what, make, &readings);
}

/// Few players, many events: rounds of which every result is corrected again and again.
fn stream(events: u32) {
    let what = format!("a stream of {events} events");
    let make = |store: &Store| {
        let mut desk = Desk::new(store, 1);
        desk.begin(8);
        for round in 1..=4 {
            desk.round(8, round);
        }
        let (pairing, mut replaces) = desk.last_result;
        while desk.head < u64::from(events) {
            let count = (u64::from(events) - desk.head).min(2_000);
            let mut corrections = Vec::new();
            for seq in desk.head + 1..=desk.head + count {
                let (result, reason) = (result(seq as u32), WORDLESS);
                let correction =
                    ResultCorrected { pairing, replaces, result, reason, dispute: None };
                corrections.push(correction.into());
                replaces = seq;
            }
            desk.record(Command::Record(corrections), Vec::new());
        }
    };
    at_the_limit(
        &what,
        make,
        &["open", "fold", "append", "standings", "verify", "snapshot", "fold", "append", "export"],
    );
}

fn store(events: u32) {
    let what = format!("a store of {events} events");
    let make = |store: &Store| {
        let next = AtomicU32::new(1);
        std::thread::scope(|scope| {
            for _ in 0..DESKS {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number > events {
                            return;
                        }
                        let mut desk = Desk::new(store, number);
                        desk.begin(4);
                        desk.round(4, 1);
                    }
                });
            }
        });
    };
    at_the_limit(
        &what,
        make,
        &[
            "sled alone",
            "read one",
            "open",
            "events",
            "find",
            "one more event",
            "verify one",
            "verify the journal",
        ],
    );
}

/// One tournament, recorded without a draw: a command for the pairings of a round and one for its
/// results.
struct Desk<'a> {
    keeper: CommandHandler<'a>,
    number: u32,
    commands: u32,
    head: Seq,
    /// The last result that was recorded: its pairing and its own seq.
    last_result: (Seq, Seq),
}

impl<'a> Desk<'a> {
    fn new(store: &'a Store, number: u32) -> Desk<'a> {
        let keeper = CommandHandler::new(store.log());
        Desk { keeper, number, commands: 0, head: 0, last_result: (0, 0) }
    }

    fn stream(&self) -> StreamId {
        StreamId((u128::from(self.number) << 96 | 1).to_be_bytes())
    }

    fn record(&mut self, command: Command, private: Vec<PrivateEntry>) {
        self.commands += 1;
        let (id, time) = (CommandId(self.commands.into()), Time { unix_micros: 0 });
        let (stream, actor) = (self.stream(), Actor(1));
        let request = Request { stream, id, actor, time, private, command, expected: None };
        self.head = self.keeper.handle(&request).expect("the tournament is legal").last_seq;
    }

    fn begin(&mut self, players: u32) {
        let salt = &mut || -> Result<[u8; 32], BookError> { Ok([7; 32]) };
        let mut entry = |number, field, text: String| {
            PrivateEntry::new(number, field, &text, salt).expect("a text")
        };
        let title = entry(1, Field::Title, format!("event {}", self.number));
        let games = |name: &str, per| ScoreLine {
            name: name.into(),
            per,
            min: 0,
            max: 9,
            unit: "games".into(),
        };
        let opened = TournamentOpened {
            ruleset: Library::shipped().chain("mtr").expect("it is shipped"),
            ..TournamentOpened::new(
                commit(self.stream(), &title),
                Scoresheet {
                    lines: vec![games("games", Per::Seat), games("drawn", Per::Table)],
                    best_of: Some(3),
                },
            )
        };
        self.record(Command::Record(vec![opened.into()]), vec![title]);
        let name = |player| entry(player + 1, Field::Name, format!("player {player}"));
        let names: Vec<PrivateEntry> = (1..=players).map(name).collect();
        let stream = self.stream();
        let enrolled = |player| PlayerEnrolled {
            sign_up: Some(player),
            ..PlayerEnrolled::new(player, commit(stream, &names[player as usize - 1]))
        };
        self.record(Command::Enrol((1..=players).map(enrolled).collect()), names);
        let started = PhaseStarted::new(1, PhaseKind::Swiss);
        self.record(Command::Record(vec![started.into()]), Vec::new());
    }

    /// Everybody of one half meets another one of the other half.
    fn round(&mut self, players: u32, number: RoundNumber) {
        let half = players / 2;
        let opened = RoundOpened {
            round: number,
            phase: 1,
            phase_round: number,
            weight: RoundWeight::ONE,
            drawn: None,
        };
        let seat = |player| Seat { player, role: 0 };
        let pairing = |table: u32| PairingMade {
            round: number,
            table: Some(table + 1),
            seats: smallvec![
                seat(table + 1),
                seat(half + (table + u32::from(number) * 7_919) % half + 1)
            ],
            group: None,
            bracket_slot: None,
            origin: Origin::AS_GIVEN,
        };
        let first = self.head + 2;
        let pairings = (0..half).map(pairing).collect();
        self.record(Command::OpenRound { round: opened, pairings, byes: Vec::new() }, Vec::new());
        let recorded = |table: u32| {
            let result = result(table.wrapping_mul(2_654_435_761) ^ u32::from(number) << 7);
            Event::from(ResultRecorded { pairing: first + u64::from(table), result })
        };
        let mut results: Vec<Event> = (0..half).map(recorded).collect();
        results.push(RoundCompleted { round: number }.into());
        self.record(Command::Record(results), Vec::new());
        self.last_result = (first + u64::from(half) - 1, self.head - 1);
    }
}

/// A result from a number: 2-0, 2-1 or 1-1-1, either way round.
fn result(of: u32) -> MatchResult {
    let (first, second, drawn) =
        [(2, 0, 0), (2, 1, 0), (1, 1, 1), (1, 2, 0), (0, 2, 0)][((of >> 8) % 5) as usize];
    MatchResult::played(Score {
        seats: smallvec![smallvec![first], smallvec![second]],
        table: smallvec![drawn],
    })
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok);
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => bytes_below(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

/// The most memory that this process has had.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or("unknown".into(), |kilobytes| format!("{} MB", kilobytes / 1024))
}

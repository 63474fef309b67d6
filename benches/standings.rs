//! How long it takes from a log to standings, beside a limit measured in the same run.
//!
//! `cargo bench --bench standings` prints, for 10,000 players and 15 rounds, the standings under
//! `mtr` from a folded log, the fold of the log in memory, and opening the store through the
//! verified chain to standings; then how each grows from 100 to 100,000 players. A number of
//! players and of rounds can be given: `cargo bench --bench standings -- 1000 10`.

use scrutineer_engine::book::{Commitment, MemoryShelf};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::*;
use scrutineer_engine::log::{EmbeddedLog, Head, Log, Options};
use scrutineer_engine::record::{Actor, CommandId, StreamId, Time};
use scrutineer_engine::scorekeeper::{Request, Scorekeeper, read_events};
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::crosstable::{Crosstable, Scope};
use scrutineer_projections::measure::Measured;
use scrutineer_projections::ruleset::{Library, Ruleset};
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::archive::Archive;
use smallvec::smallvec;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const NOBODY: Commitment = Commitment { number: 1, digest: [0; 32] };

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let rules = Arc::new(Library::shipped().ruleset("mtr").expect("mtr is shipped"));
    match sizes[..] {
        [players, rounds] => print_one(players, rounds, &rules),
        _ => {
            print_one(10_000, 15, &rules);
            print_growth(&rules);
        }
    }
}

/// A small generator of random numbers: the same workload every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A Swiss tournament as commands: enrolment, then for each round its pairings and its results.
fn commands(players: usize, rounds: usize, rules: &Ruleset) -> Vec<Vec<Event>> {
    let mut dice = Dice(0x5eed_1234_5678_9abc);
    let mut points = vec![0u32; players];
    let mut list = vec![enrolment(players, rules)];
    let mut seq = list[0].len() as Seq;
    for round in 1..=rounds as RoundNumber {
        let mut order: Vec<usize> = (0..players).collect();
        order
            .sort_by_cached_key(|player| (std::cmp::Reverse(points[*player]), dice.below(1 << 20)));
        let mut paired: Vec<Event> = vec![opened(round).into()];
        let mut results: Vec<Event> = Vec::new();
        for (at, two) in order.chunks(2).enumerate() {
            let seat = |player: usize| Seat { player: player as PlayerNumber + 1, role: 0 };
            if let [bye] = two {
                points[*bye] += 3;
                paired.push(bye_of(round, seat(*bye).player).into());
                continue;
            }
            let (first, second) = (two[0], two[1]);
            paired.push(
                PairingMade {
                    round,
                    table: Some(at as u32 + 1),
                    seats: smallvec![seat(first), seat(second)],
                    group: None,
                    bracket_slot: None,
                    origin: Origin::AS_GIVEN,
                }
                .into(),
            );
            let pairing = seq + paired.len() as Seq;
            let score = score(&mut dice);
            let (won, lost) = (score.seats[0][0], score.seats[1][0]);
            points[first] += if won > lost { 3 } else { u32::from(won == lost) };
            points[second] += if lost > won { 3 } else { u32::from(won == lost) };
            results.push(ResultRecorded { pairing, result: MatchResult::played(score) }.into());
        }
        results.push(RoundCompleted { round }.into());
        seq += (paired.len() + results.len()) as Seq;
        list.extend([paired, results]);
    }
    list
}

fn score(dice: &mut Dice) -> Score {
    let (first, second, drawn) = match dice.below(25) {
        0 => (1, 1, 1),
        1..=12 => (2, dice.below(2) as i32, 0),
        _ => (dice.below(2) as i32, 2, 0),
    };
    Score { seats: smallvec![smallvec![first], smallvec![second]], table: smallvec![drawn] }
}

fn opened(round: RoundNumber) -> RoundOpened {
    let weight = RoundWeight::ONE;
    RoundOpened { round, phase: 1, phase_round: round, weight, drawn: None }
}

fn bye_of(round: RoundNumber, player: PlayerNumber) -> ByeGiven {
    ByeGiven {
        round,
        player,
        kind: ByeKind::Assigned,
        reported: None,
        bracket_slot: None,
        origin: Origin::AS_GIVEN,
    }
}

fn enrolment(players: usize, rules: &Ruleset) -> Vec<Event> {
    let line = |name: &str, per| ScoreLine {
        name: name.into(),
        per,
        min: 0,
        max: 9,
        unit: "games".into(),
    };
    let scoresheet = Scoresheet {
        lines: vec![line("games", Per::Seat), line("drawn", Per::Table)],
        best_of: Some(3),
    };
    let mut events: Vec<Event> = vec![
        TournamentOpened {
            title: NOBODY,
            held_on: None,
            scoresheet,
            ruleset: rules.files.clone(),
            plan: Vec::new(),
            seed_commitment: None,
            signer: None,
        }
        .into(),
    ];
    let enrolled = |player| PlayerEnrolled {
        player,
        name: NOBODY,
        publisher_id: None,
        sign_up: Some(player),
        from_round: 1,
        awarded_byes: 0,
        rating: None,
        division: None,
        members: Vec::new(),
    };
    events.extend((1..=players as PlayerNumber).map(|player| enrolled(player).into()));
    events.push(
        PhaseStarted {
            phase: 1,
            kind: PhaseKind::Swiss,
            first_seed: 1,
            entrants: Vec::new(),
            group_sizes: Vec::new(),
            passed_over: Vec::new(),
            scoresheet: None,
        }
        .into(),
    );
    events
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
    players: usize,
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
    read: Duration,
    resume: Duration,
}

fn measure(players: usize, rounds: usize, rules: &Arc<Ruleset>) -> Figures {
    let commands = commands(players, rounds, rules);
    let events: Vec<Event> = commands.iter().flatten().cloned().collect();
    let runs = (2_000_000 / events.len().max(1)).clamp(3, 51);
    let state = Tournament::of(&events);
    let standings = median(runs, || (), |()| table(&state, rules));
    let crosstable = median(runs, || (), |()| Crosstable::of(&state, rules, Scope::FINAL));
    let rounds_of_each = Crosstable::of(&state, rules, Scope::FINAL).expect("its lines");
    let measures = median(runs, || (), |()| Measured::of(&state, rules, &rounds_of_each, false));
    // The least that any standings must do: look at every score once.
    let walk = median(runs, || (), |()| every_score(&state));
    let fold = median(runs.min(15), || (), |()| Tournament::of(&events));
    let clone = median(runs.min(15), || (), |()| events.clone());
    let Stored { open, hash, bytes, read, resume } = through_the_store(commands, rules);
    let events = events.len();
    Figures {
        players,
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
            read_events(&log, stream, 0, &mut |_, event| state.evolve(&event)).expect("its log");
            (table(&state, rules), log)
        },
    );
    let log = EmbeddedLog::open(folder.path(), Options::default()).expect("the store");
    let mut take = |record: scrutineer_engine::record::Record| {
        bytes.extend_from_slice(record.bytes());
        std::ops::ControlFlow::Continue(())
    };
    log.read(stream, 0, &mut take).expect("its log");
    // The least that a verified chain must do: hash every byte once.
    let hash = median(runs, || (), |()| blake3::hash(&bytes));
    drop(log);
    let archive = Archive::open(folder.path()).expect("the store");
    let load = || archive.load(stream, false).expect("its log");
    let read = median(runs, || (), |()| load());
    let event = load();
    let head = Head { seq: event.state.head(), hash: event.head };
    archive.take_snapshot(stream, head, &event.state).expect("a snapshot");
    let resume = median(runs, || (), |()| load());
    assert!(load().state == event.state, "the snapshot is what the events say");
    Stored { open, hash, bytes: bytes.len(), read, resume }
}

fn write(log: &EmbeddedLog, stream: StreamId, commands: Vec<Vec<Event>>) {
    let books = MemoryShelf::new();
    let scorekeeper = Scorekeeper::new(log, &books);
    for (id, events) in (1..).zip(commands) {
        let request = Request {
            stream,
            id: CommandId(id),
            actor: Actor(1),
            time: Time { unix_micros: 0 },
            private: Vec::new(),
            command: Command::Record(events),
            expected: None,
        };
        scorekeeper.handle(&request).expect("the workload is legal");
    }
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
    line("event read from its last snapshot", f.resume, "reading it from event 1", f.read);
}

fn print_growth(rules: &Arc<Ruleset>) {
    println!("\ngrowth at 15 rounds; in brackets the exponent since the size before");
    println!("  players    standings          fold               store to standings");
    let mut before: Option<Figures> = None;
    for players in [100, 1_000, 10_000, 100_000] {
        let now = measure(players, 15, rules);
        let cell = |time: fn(&Figures) -> Duration| {
            let exponent = before.as_ref().map(|before| {
                let grown = time(&now).as_secs_f64() / time(before).as_secs_f64();
                grown.ln() / (now.players as f64 / before.players as f64).ln()
            });
            let exponent = exponent.map_or("      ".into(), |value| format!("({value:.2})"));
            format!("{:>9.2} ms {exponent}", millis(time(&now)))
        };
        let (a, b, c) = (cell(|f| f.standings), cell(|f| f.fold), cell(|f| f.open));
        println!("  {players:>7}  {a}  {b}  {c}");
        before = Some(now);
    }
}

//! Writers that keep a journal of what was acknowledged, and a reader that follows them.

use crate::claims::Placed;
use scrutineer_engine::conformance::batch;
use scrutineer_engine::log::{AppendError, Head, Log, LogError};
use scrutineer_engine::record::{CommandId, RecordHash, StreamId};
use scrutineer_postgres::{Address, Options, PostgresLog};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// After an error a writer waits so long, and asks again.
const PAUSE: Duration = Duration::from_millis(100);

/// How writers get to the database.
#[derive(Clone)]
pub struct Door {
    hosts: Vec<String>,
}

impl Door {
    /// By one address.
    pub fn one(address: String) -> Door {
        Door { hosts: vec![address] }
    }

    /// By any of them at random: where one does not take a command, another one is tried.
    pub fn any_of(hosts: [String; 3]) -> Door {
        Door { hosts: hosts.into() }
    }

    /// A log of one's own; none where nobody answers.
    pub fn open(&self) -> Option<PostgresLog> {
        let host = fastrand::usize(..self.hosts.len());
        let mut options = Options { connections: 1, ..Options::default() };
        if self.hosts.len() > 1 {
            options.patience = Duration::ZERO;
        }
        PostgresLog::open(Address::parse(&self.hosts[host]).ok()?, options).ok()
    }
}

/// What a writer was told.
pub struct Journal {
    /// Where it writes.
    pub stream: StreamId,
    /// Its number: the upper half of its command ids.
    pub writer: u32,
    /// Commands that were acknowledged, in this order.
    pub acknowledged: Vec<Placed>,
    /// Its last command that was sent: the lower half of the id.
    pub sent: u64,
    /// The longest that a command waited for its answer.
    pub stall: Duration,
    /// Answers that were lost on their way.
    pub unknown: u64,
    /// What the log said that it should not have to.
    pub faults: Vec<String>,
}

/// What a reader saw of a stream, in order.
pub struct Followed {
    /// The stream.
    pub stream: StreamId,
    /// Hashes of records, from the first one on.
    pub seen: Vec<RecordHash>,
    /// What should not be.
    pub faults: Vec<String>,
}

/// Everything that was said.
pub struct Said {
    /// By writer.
    pub journals: Vec<Journal>,
    /// By stream.
    pub followed: Vec<Followed>,
}

/// Writers and a reader at work.
pub struct Work {
    streams: Vec<StreamId>,
    shared: Arc<Shared>,
    writers: Vec<JoinHandle<Journal>>,
    others: std::sync::Mutex<Vec<JoinHandle<Journal>>>,
    reader: JoinHandle<Vec<Followed>>,
}

#[derive(Default)]
struct Shared {
    ends: AtomicBool,
    reading_ends: AtomicBool,
    acknowledged: AtomicU64,
}

impl Work {
    /// Starts writers, two to a stream of their own, and a reader of all these streams.
    pub fn start(door: Door, writers: u32) -> Work {
        let streams: Vec<_> = (0..writers.div_ceil(2)).map(|_| StreamId(rand())).collect();
        let shared = Arc::<Shared>::default();
        let write = |writer: u32| {
            let (door, shared) = (door.clone(), shared.clone());
            let stream = streams[writer as usize / 2];
            spawn(move || write(&door, stream, writer, &shared))
        };
        let handles = (0..writers).map(write).collect();
        let (follows, ends) = (streams.clone(), shared.clone());
        let reader = spawn(move || follow(&door, &follows, &ends));
        Work { streams, shared, writers: handles, others: Default::default(), reader }
    }

    /// Another writer, which comes by another way.
    pub fn join(&self, door: Door) {
        let mut others = self.others.lock().expect("nobody panics with it");
        let writer = self.writers.len() as u32 + others.len() as u32;
        let (stream, shared) =
            (self.streams[others.len() % self.streams.len()], self.shared.clone());
        others.push(spawn(move || write(&door, stream, writer, &shared)));
    }

    /// Commands that were acknowledged so far.
    pub fn acknowledged(&self) -> u64 {
        self.shared.acknowledged.load(Ordering::Relaxed)
    }

    /// Ends it: each writer waits for the answer to its last command, then the reader reads to the end.
    pub fn end(self) -> Said {
        self.shared.ends.store(true, Ordering::Relaxed);
        let others = self.others.into_inner().expect("nobody panics with it");
        let journals = self.writers.into_iter().chain(others);
        let journals = journals.map(|writer| writer.join().expect("a writer ends")).collect();
        self.shared.reading_ends.store(true, Ordering::Relaxed);
        Said { journals, followed: self.reader.join().expect("the reader ends") }
    }
}

fn write(door: &Door, stream: StreamId, writer: u32, shared: &Shared) -> Journal {
    let (acknowledged, stall) = (Vec::new(), Duration::ZERO);
    let mut journal =
        Journal { stream, writer, acknowledged, sent: 0, stall, unknown: 0, faults: Vec::new() };
    let (mut log, mut head) = (None, Head::EMPTY);
    while !shared.ends.load(Ordering::Relaxed) {
        journal.sent += 1;
        let command = CommandId(u128::from(writer + 1) << 64 | u128::from(journal.sent));
        let parts = 1 + (journal.sent % 2) as u32;
        let since = Instant::now();
        let placed = loop {
            let Some(open) = log.take().or_else(|| door.open()) else {
                sleep(PAUSE);
                continue;
            };
            let appended = open.append(head, batch(stream, head, command.0, parts, 150));
            log = Some(open);
            match appended {
                Ok(new) => {
                    let first = head.seq + 1;
                    head = new;
                    break Placed { command, first, last: new.seq, hash: Some(new.hash) };
                }
                Err(AppendError::Conflict { actual, .. }) => head = actual,
                Err(AppendError::CommandKnown(trace)) => {
                    break Placed {
                        command,
                        first: trace.first_seq,
                        last: trace.last_seq,
                        hash: None,
                    };
                }
                Err(error @ AppendError::Read(LogError::Forked { .. })) => {
                    journal.faults.push(format!("writer: {error}"));
                    // Without what it remembered, as an operator would have it go on.
                    log = None;
                }
                Err(error) => {
                    journal.unknown += u64::from(matches!(error, AppendError::Unknown { .. }));
                    // Where there are several hosts, perhaps another one.
                    if door.hosts.len() > 1 {
                        log = None;
                    }
                    sleep(PAUSE);
                }
            }
        };
        journal.stall = journal.stall.max(since.elapsed());
        journal.acknowledged.push(placed);
        shared.acknowledged.fetch_add(1, Ordering::Relaxed);
    }
    journal
}

fn follow(door: &Door, streams: &[StreamId], shared: &Shared) -> Vec<Followed> {
    let begin =
        |stream: &StreamId| Followed { stream: *stream, seen: Vec::new(), faults: Vec::new() };
    let mut all: Vec<_> = streams.iter().map(begin).collect();
    let mut log = None;
    loop {
        let is_last = shared.reading_ends.load(Ordering::Relaxed);
        let mut could = true;
        for followed in &mut all {
            let Some(open) = log.take().or_else(|| door.open()) else {
                could = false;
                break;
            };
            could &= read_on(&open, followed);
            log = (could || door.hosts.len() == 1).then_some(open);
        }
        // What wandering writers left behind may be unreadable for the reader too; it gives up.
        if is_last && (could || door.hosts.len() > 1) {
            return all;
        }
        sleep(PAUSE);
    }
}

/// Reads what is new in a stream; false where the database did not answer.
fn read_on(log: &PostgresLog, followed: &mut Followed) -> bool {
    for record in log.read(followed.stream, followed.seen.len() as u64) {
        match record {
            Ok(record) => {
                let (header, last) = (record.header(), followed.seen.last());
                if header.seq != followed.seen.len() as u64 + 1
                    || last.is_some_and(|last| *last != header.previous)
                {
                    let fault = format!("reader: {} does not follow what was read", header.seq);
                    followed.faults.push(fault);
                    return true;
                }
                followed.seen.push(record.hash());
            }
            Err(LogError::Database { .. } | LogError::Replaced { .. }) => return false,
            Err(error) => {
                followed.faults.push(format!("reader: {error}"));
                return true;
            }
        }
    }
    true
}

fn rand() -> [u8; 16] {
    fastrand::u128(..).to_be_bytes()
}

//! Leases: for a few seconds one server answers from memory where a stream ends and which commands it
//! holds. That saves round trips and protects nothing: an append that was planned on what is old meets
//! the end that stands, and is told so.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scrutineer_engine::log::{CommandTrace, Head};
use scrutineer_engine::record::{CommandId, StreamId};

use crate::connection::Connection;
use crate::error::Trouble;
use crate::{PostgresLog, fixed, unsigned};

/// How long a lease lasts.
pub const LEASE: Duration = Duration::from_secs(15);
/// How often it is renewed.
pub const RENEWED: Duration = Duration::from_secs(5);
/// A clock may run so much slower than the database's while a lease lasts.
const MARGIN: Duration = Duration::from_secs(1);
/// A stream that nobody wrote for so long is not renewed.
const UNUSED: Duration = Duration::from_secs(60);
/// How many streams are held at most: of each the ids of its commands are in memory.
const MOST: usize = 1_000;
/// What is done once for the whole store, such as deliveries.
pub(crate) const OF_STORE: StreamId = StreamId([0; 16]);

/// What a server holds, and what it knows by heart of it.
#[derive(Default)]
pub(crate) struct Leases {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The name under which leases are taken; none: none are.
    node: Option<String>,
    held: HashMap<StreamId, Held>,
    /// When somebody wrote a stream last, and the last place of it that is known here.
    used: HashMap<StreamId, (Instant, u64)>,
    renewed: Option<Instant>,
    /// Until when this server does what is done once for the whole store.
    of_store: Option<Instant>,
}

struct Held {
    until: Instant,
    head: Head,
    commands: HashMap<CommandId, CommandTrace>,
}

impl Leases {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on leases are taken under this name.
    pub(crate) fn begin(&self, node: &str) {
        self.lock().node = Some(node.to_string());
    }

    /// Whether this server does what is done once for the whole store.
    pub(crate) fn holds_store(&self) -> bool {
        self.lock().of_store.is_some_and(|until| Instant::now() < until)
    }

    /// Where a stream ends, as far as that is known by heart.
    pub(crate) fn head(&self, stream: StreamId) -> Option<Head> {
        let known = self.lock();
        known.held.get(&stream).filter(|held| Instant::now() < held.until).map(|held| held.head)
    }

    /// Where a command stands, as far as that is known by heart: none, or that it stands nowhere.
    pub(crate) fn command(&self, stream: StreamId, id: CommandId) -> Option<Option<CommandTrace>> {
        let known = self.lock();
        let held = known.held.get(&stream).filter(|held| Instant::now() < held.until)?;
        Some(held.commands.get(&id).copied())
    }

    /// Notes what was appended here.
    pub(crate) fn appended(
        &self,
        stream: StreamId,
        (expected, new): (Head, Head),
        id: CommandId,
        trace: CommandTrace,
    ) {
        let mut known = self.lock();
        if known.node.is_none() {
            return;
        }
        let used = known.used.entry(stream).or_insert((Instant::now(), 0));
        *used = (Instant::now(), used.1.max(new.seq));
        let Some(held) = known.held.get_mut(&stream) else { return };
        if held.head == expected {
            held.head = new;
            held.commands.insert(id, trace);
        } else if held.head.seq < new.seq {
            known.held.remove(&stream);
        }
    }

    /// Notes that a stream ends elsewhere than is known by heart: somebody else wrote it.
    pub(crate) fn moved(&self, stream: StreamId, head: Head) {
        let mut known = self.lock();
        if let Some(used) = known.used.get_mut(&stream) {
            used.1 = used.1.max(head.seq);
        }
        let is_old = |held: &Held| held.head.seq <= head.seq && held.head != head;
        if known.held.get(&stream).is_some_and(is_old) {
            known.held.remove(&stream);
        }
    }

    /// Lets go of what is known by heart of a stream: it was of before.
    pub(crate) fn forget(&self, stream: StreamId) {
        self.lock().held.remove(&stream);
    }

    /// Takes and renews leases, where it is time to.
    pub(crate) fn renew(&self, connection: &mut Connection) -> Result<(), Trouble> {
        let begun = Instant::now();
        let (node, wanted) = {
            let mut known = self.lock();
            let Some(node) = known.node.clone() else { return Ok(()) };
            known.used.retain(|_, (used, _)| used.elapsed() < UNUSED);
            known.held.retain(|_, held| begun < held.until);
            let is_due = known.renewed.is_none_or(|renewed| renewed.elapsed() >= RENEWED);
            let new = known.used.keys().filter(|stream| !known.held.contains_key(*stream));
            let mut wanted: HashSet<StreamId> = new.copied().collect();
            if is_due {
                wanted.extend(known.used.keys());
                wanted.insert(OF_STORE);
            }
            if wanted.is_empty() {
                return Ok(());
            }
            if is_due {
                known.renewed = Some(begun);
            }
            (node, wanted.into_iter().take(MOST).collect::<Vec<_>>())
        };
        let seconds = i32::try_from(LEASE.as_secs()).unwrap_or(i32::MAX);
        let streams: Vec<&[u8]> = wanted.iter().map(|stream| &stream.0[..]).collect();
        let ask = "SELECT l FROM scrutineer.take_leases($1, $2, $3) AS l";
        let taken = connection.query(ask, &[&node, &streams, &seconds])?;
        let until = begun + LEASE - MARGIN;
        let mut new = Vec::new();
        {
            let mut known = self.lock();
            for row in &taken {
                let stream = StreamId(fixed(row.get(0)));
                if stream == OF_STORE {
                    known.of_store = Some(until);
                } else if let Some(held) = known.held.get_mut(&stream) {
                    held.until = until;
                } else {
                    new.push(stream);
                }
            }
        }
        for stream in new {
            let held = read(connection, stream, until)?;
            let mut known = self.lock();
            // What was written in between is not in what was read: it is read again the next time.
            let is_new = known.used.get(&stream).is_none_or(|(_, last)| *last <= held.head.seq);
            if is_new && known.held.len() < MOST {
                known.held.insert(stream, held);
            }
        }
        Ok(())
    }

    /// Gives everything back, where this server ends in order.
    pub(crate) fn end(&self, connection: &mut Connection) -> Result<(), Trouble> {
        let node = {
            let mut known = self.lock();
            let node = known.node.take();
            *known = Known::default();
            node
        };
        let Some(node) = node else { return Ok(()) };
        connection.query("SELECT scrutineer.give_leases($1)", &[&node]).map(|_| ())
    }
}

/// Where a stream ends and what it holds, of one moment.
fn read(connection: &mut Connection, stream: StreamId, until: Instant) -> Result<Held, Trouble> {
    let ask = "SELECT s.seq, s.hash, c.command, c.first_seq, c.last_seq, c.digest \
               FROM (SELECT $1::bytea AS stream) w \
               LEFT JOIN scrutineer.streams s ON s.stream = w.stream \
               LEFT JOIN scrutineer.commands c ON c.stream = w.stream";
    let rows = connection.query(ask, &[&&stream.0[..]])?;
    let mut held = Held { until, head: Head::EMPTY, commands: HashMap::new() };
    for row in &rows {
        if row.get::<_, Option<i64>>(0).is_some() {
            held.head = crate::head(row, 0);
        }
        let Some(id) = row.get::<_, Option<&[u8]>>(2) else { continue };
        let id = CommandId(u128::from_be_bytes(fixed(id)));
        let (first_seq, last_seq) = (unsigned(row.get(3)), unsigned(row.get(4)));
        held.commands.insert(id, CommandTrace { first_seq, last_seq, digest: fixed(row.get(5)) });
    }
    Ok(held)
}

impl PostgresLog {
    /// Takes part beside other servers, under a name of its own: what this one writes it answers from
    /// memory for as long as it has a lease, which a [`crate::Watcher`] takes and renews.
    pub fn take_part(&self, node: &str) {
        self.leases.begin(node);
    }

    /// Whether this server does what is done once for the whole store.
    pub fn holds_store(&self) -> bool {
        self.leases.holds_store()
    }

    /// Notes where a stream ends as it was heard: what was known by heart of another end is let go.
    pub fn ends_at(&self, stream: StreamId, head: Head) {
        self.leases.moved(stream, head);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrutineer_engine::record::RecordHash;

    const FRIDAY: StreamId = StreamId([7; 16]);

    fn head(seq: u64) -> Head {
        Head { seq, hash: RecordHash([seq as u8; 32]) }
    }

    fn trace(seq: u64) -> CommandTrace {
        CommandTrace { first_seq: seq, last_seq: seq, digest: [0; 32] }
    }

    fn held(until: Instant) -> Leases {
        let leases = Leases::default();
        leases.begin("a");
        let held = Held { until, head: head(3), commands: HashMap::new() };
        leases.lock().held.insert(FRIDAY, held);
        leases
    }

    #[test]
    fn what_is_held_is_known_by_heart_until_somebody_else_writes() {
        let leases = held(Instant::now() + LEASE);
        assert_eq!(leases.head(FRIDAY), Some(head(3)));
        assert_eq!(leases.command(FRIDAY, CommandId(1)), Some(None));
        leases.appended(FRIDAY, (head(3), head(4)), CommandId(1), trace(4));
        assert_eq!(leases.head(FRIDAY), Some(head(4)));
        assert_eq!(leases.command(FRIDAY, CommandId(1)), Some(Some(trace(4))));
        leases.moved(FRIDAY, head(3));
        assert_eq!(leases.head(FRIDAY), Some(head(4)), "what was read late is old");
        leases.moved(FRIDAY, head(5));
        assert_eq!((leases.head(FRIDAY), leases.command(FRIDAY, CommandId(1))), (None, None));
    }

    #[test]
    fn a_lease_that_is_over_answers_nothing_and_neither_does_one_that_was_never_taken() {
        let leases = held(Instant::now());
        assert_eq!((leases.head(FRIDAY), leases.command(FRIDAY, CommandId(1))), (None, None));
        let none = Leases::default();
        none.appended(FRIDAY, (head(3), head(4)), CommandId(1), trace(4));
        assert!(none.lock().used.is_empty() && !none.holds_store());
    }
}

//! Reading a store: from sled while it answers and is right, otherwise from the journal.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::damage::explain;
use super::journal;
use super::ledger::{Ledger, are_complete};
use super::mirror::Follower;
use super::options::Notice;
use super::segment::Position;
use super::shelf::{Absent, Job, Shelf};
use super::{CommandTrace, Head, LogError, Visit};
use scrutineer_engine::record::{Chain, CommandId, Record, RecordHash, StreamId};

/// What callers, the committer and readers share.
#[derive(Debug)]
pub(crate) struct Store {
    pub journal: PathBuf,
    pub ledger: Mutex<Ledger>,
    pub shelf: Shelf,
    pub mirror: Option<Follower>,
}

/// How far a reader has come.
struct Walk {
    stream: StreamId,
    /// The record that the visitor has already seen, or 0.
    after: u64,
    /// The head that was there when reading began.
    head: Head,
    chain: Option<Chain>,
}

/// Why a reader leaves sled.
enum Leave {
    Absent,
    Distrust(u64, String),
}

impl From<Absent> for Leave {
    fn from(_: Absent) -> Leave {
        Leave::Absent
    }
}

impl Store {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The journal has grown: sled and the mirror may follow.
    pub(crate) fn follow(&self, end: Position) {
        self.shelf.follow(end);
        if let Some(mirror) = &self.mirror {
            mirror.follow(end);
        }
    }

    /// Visits what is durable now, in order.
    pub(crate) fn read(
        &self,
        stream: StreamId,
        after: u64,
        visit: &mut Visit<'_>,
    ) -> Result<(), LogError> {
        let slot = self.lock().slot(stream);
        if after >= slot.head.seq {
            return Ok(());
        }
        let chain = (after == 0).then(|| Chain::new(stream));
        let mut walk = Walk { stream, after, head: slot.head, chain };
        match self.read_sled(&mut walk, slot.frames, visit) {
            Ok(()) => return Ok(()),
            Err(Leave::Absent) => {}
            Err(Leave::Distrust(generation, why)) => self.shelf.condemn(generation, &why),
        }
        self.read_journal(&mut walk, visit)
    }

    fn read_sled(&self, walk: &mut Walk, need: u64, visit: &mut Visit<'_>) -> Result<(), Leave> {
        let (stream, to) = (walk.stream, walk.head.seq);
        let ask = |from: u64| self.shelf.ask(need, |reply| Job::Range { stream, from, to, reply });
        // The record before the first is read too: the chain begins there.
        let mut from = walk.after.max(1);
        let mut asked = Some(ask(from));
        while let Some(pending) = asked.take() {
            let (values, generation) = pending.wait()?;
            if values.is_empty() {
                let why = format!("it lacks record {from} of stream {stream}");
                return Err(Leave::Distrust(generation, why));
            }
            from += values.len() as u64;
            // sled works on the next piece while this one is visited.
            asked = (from <= to).then(|| ask(from));
            for value in values {
                let record = open_value(&value).map_err(|why| Leave::Distrust(generation, why))?;
                let step = walk.step(record, visit);
                match step.map_err(|why| Leave::Distrust(generation, why))? {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(()) => return Ok(()),
                }
            }
        }
        Ok(())
    }

    fn read_journal(&self, walk: &mut Walk, visit: &mut Visit<'_>) -> Result<(), LogError> {
        let end = self.shelf.lock().target;
        let stream = walk.stream;
        let mut broken = None;
        let scanned = journal::scan_stream(&self.journal, end, stream, &mut |frame| {
            journal::visit_frame(frame, &mut |record| {
                let seq = record.header().seq;
                if seq < walk.next_seq() {
                    return ControlFlow::Continue(());
                }
                let offset = frame.offset;
                match walk.step(record, visit) {
                    Ok(flow) if seq < walk.head.seq => flow,
                    Ok(_) => ControlFlow::Break(()),
                    Err(what) => {
                        broken = Some(LogError::Damaged { segment: frame.segment, offset, what });
                        ControlFlow::Break(())
                    }
                }
            })
        });
        let read = scanned.and_then(|()| broken.map_or(Ok(()), Err));
        read.map_err(|error| explain(&self.journal, error))
    }

    /// Where a command stands; reads all commands of its stream unless they are in memory.
    pub(crate) fn command(
        &self,
        stream: StreamId,
        id: CommandId,
    ) -> Result<Option<CommandTrace>, LogError> {
        let slot = {
            let mut ledger = self.lock();
            if let Some(known) = ledger.command(stream, id) {
                return Ok(known);
            }
            ledger.slot(stream)
        };
        let commands = match self.commands_in_sled(stream, slot.head, slot.frames) {
            Ok(commands) => commands,
            Err(leave) => {
                if let Leave::Distrust(generation, why) = leave {
                    self.shelf.condemn(generation, &why);
                }
                let end = self.shelf.lock().target;
                let found = journal::commands_of(&self.journal, end, stream, slot.head);
                found.map_err(|error| explain(&self.journal, error))?
            }
        };
        let found = commands.get(&id).copied();
        self.lock().warm(stream, slot.head, commands);
        Ok(found)
    }

    fn commands_in_sled(
        &self,
        stream: StreamId,
        head: Head,
        need: u64,
    ) -> Result<HashMap<CommandId, CommandTrace>, Leave> {
        let pending = self.shelf.ask(need, |reply| Job::Commands { stream, reply });
        let (commands, generation) = pending.wait()?;
        // What was appended since the head was looked at is not part of the answer.
        let before = commands.into_iter().filter(|(_, trace)| trace.last_seq <= head.seq);
        let commands: HashMap<CommandId, CommandTrace> = before.collect();
        if are_complete(&commands, head) {
            return Ok(commands);
        }
        let why = format!("it lacks commands of stream {stream}");
        Err(Leave::Distrust(generation, why))
    }

    /// What the user should know.
    pub(crate) fn notices(&self) -> Vec<Notice> {
        self.shelf.lock().notices.clone()
    }
}

impl Walk {
    /// The next record that is needed: before the first one visited, the one to begin the chain.
    fn next_seq(&self) -> u64 {
        match &self.chain {
            Some(chain) => chain.last().0 + 1,
            None => self.after,
        }
    }

    /// Checks a record and shows it to the visitor, unless they have seen it.
    fn step(&mut self, record: Record, visit: &mut Visit<'_>) -> Result<ControlFlow<()>, String> {
        let (seq, hash) = (record.header().seq, record.hash());
        match &mut self.chain {
            Some(chain) => chain.follows(&record).map_err(|fault| fault.to_string())?,
            None if seq == self.after && record.header().stream == self.stream => {
                self.chain = Some(Chain::after_record(&record));
                return Ok(ControlFlow::Continue(()));
            }
            None => return Err(format!("record {} is missing", self.after)),
        }
        if seq == self.head.seq && hash != self.head.hash {
            return Err(format!("record {seq} is not the one that was acknowledged"));
        }
        Ok(visit(record))
    }
}

fn open_value(value: &[u8]) -> Result<Record, String> {
    let (hash, bytes) = value.split_first_chunk::<32>().ok_or("a record of it is cut off")?;
    Record::read_with_hash(RecordHash(*hash), bytes).map_err(|error| error.to_string())
}

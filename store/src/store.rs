//! Reading a store: from the journal, and from sled where a frame of it is damaged; which commands
//! there are from sled, while it answers and is right, otherwise from the journal.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::damage::explain;
use super::heads::Slot;
use super::ledger::{Ledger, are_complete};
use super::mirror::Follower;
use super::options::{Notice, list};
use super::segment::Position;
use super::shelf::{Absent, Job, Phase, Shelf};
use super::stream::{Places, Walk, commands_of, until_error};
use super::{CommandTrace, Head, LogError, Records};
use scrutineer_engine::record::{CommandId, Record, RecordHash, StreamId};

/// What callers, the committer and readers share.
#[derive(Debug)]
pub(crate) struct Store {
    pub journal: PathBuf,
    pub places: Arc<Places>,
    pub ledger: Mutex<Ledger>,
    pub shelf: Shelf,
    pub mirror: Option<Follower>,
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

    /// Waits until sled was compared with the journal, which it proves to be short where it has more.
    pub(crate) fn lost_nothing(&self) -> Result<(), LogError> {
        let Phase::Ahead(lost) = self.shelf.wait_until_open() else { return Ok(()) };
        let Position { segment, offset, .. } = self.shelf.lock().target;
        let what = format!("it ends here, and is not what it was: {}", list(&lost));
        Err(LogError::Damaged { segment, offset, what })
    }

    /// What is durable now, in order.
    pub(crate) fn read(&self, stream: StreamId, after: u64) -> Records<'_> {
        match self.try_read(stream, after) {
            Ok(records) => records,
            Err(error) => Box::new(std::iter::once(Err(explain(&self.journal, error)))),
        }
    }

    fn try_read(&self, stream: StreamId, after: u64) -> Result<Records<'_>, LogError> {
        let slot = self.lock().heads.slot(stream)?;
        if after >= slot.head.seq {
            return Ok(Box::new(std::iter::empty()));
        }
        let mut walk = Walk::new(stream, after, slot.head);
        let mut frames = self.places.frames(stream, slot, walk.next_seq())?;
        // What sled has of the rest, once a frame was damaged.
        let mut rest = None;
        Ok(Box::new(until_error(move || {
            if rest.is_none() {
                match walk.next_of(&mut frames) {
                    Err(error @ LogError::Damaged { .. }) => {
                        rest = Some((explain(&self.journal, error), Vec::new().into_iter()));
                    }
                    read => return read,
                }
            }
            let Some((damage, records)) = &mut rest else { return Ok(None) };
            while records.as_slice().is_empty() && !walk.is_done() {
                match self.piece_of_sled(&mut walk, stream, slot) {
                    Ok(piece) => *records = piece.into_iter(),
                    Err(leave) => {
                        self.leave(leave);
                        return Err(damage.clone());
                    }
                }
            }
            Ok(records.next())
        })))
    }

    /// The next records as sled has them, as far as they are right.
    fn piece_of_sled(
        &self,
        walk: &mut Walk,
        stream: StreamId,
        slot: Slot,
    ) -> Result<Vec<Record>, Leave> {
        let (from, to) = (walk.next_seq().max(1), slot.head.seq);
        let ask = |reply| Job::Range { stream, from, to, reply };
        let (values, generation) = self.shelf.ask(slot.frames, ask)?;
        let mut piece = Vec::with_capacity(values.len());
        let mut wrong = format!("it lacks record {from} of stream {stream}");
        for value in values {
            match open_value(&value).and_then(|record| walk.step(record)) {
                Ok(record) => piece.extend(record),
                Err(why) => {
                    wrong = why;
                    break;
                }
            }
        }
        if walk.next_seq() == from {
            return Err(Leave::Distrust(generation, wrong));
        }
        Ok(piece)
    }

    /// sled was wrong, or gave no answer.
    fn leave(&self, leave: Leave) {
        if let Leave::Distrust(generation, why) = leave {
            self.shelf.condemn(generation, &why);
        }
    }

    /// Where a command stands; reads all commands of its stream unless they are in memory.
    pub(crate) fn command(
        &self,
        stream: StreamId,
        id: CommandId,
    ) -> Result<Option<CommandTrace>, LogError> {
        let slot = {
            let mut ledger = self.lock();
            if let Some(known) = ledger.command(stream, id)? {
                return Ok(known);
            }
            ledger.heads.slot(stream)?
        };
        let commands = match self.commands_in_sled(stream, slot.head, slot.frames) {
            Ok(commands) => commands,
            Err(leave) => {
                self.leave(leave);
                let found = commands_of(&self.places, stream, slot);
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
        let ask = |reply| Job::Commands { stream, reply };
        let (commands, generation) = self.shelf.ask(need, ask)?;
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

fn open_value(value: &[u8]) -> Result<Record, String> {
    let (hash, bytes) = value.split_first_chunk::<32>().ok_or("a record of it is cut off")?;
    Record::read_with_hash(RecordHash(*hash), bytes).map_err(|error| error.to_string())
}

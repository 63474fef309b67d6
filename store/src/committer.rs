//! The one thread that writes the journal: it collects waiting commands, checks them against what
//! is there, writes them together, waits for the disk once, and answers all.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::frame::FrameBody;
use super::heads::Slot;
use super::journal::{Entry, Journal};
use super::store::Store;
use super::{AppendError, Batch, CommandTrace, Head, LogError};
use scrutineer_engine::record::{CommandId, StreamId};

/// Bodies up to this many bytes are written together.
const GROUP_BYTES: usize = 32 * 1024 * 1024;

type Answer = Result<Head, AppendError>;

/// Commands waiting for the committer.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    orders: VecDeque<Order>,
    closed: bool,
    syncs: u64,
}

/// A command with everything that could be prepared before its turn.
#[derive(Debug)]
struct Order {
    command: CommandId,
    trace: CommandTrace,
    entry: Entry,
    answer: SyncSender<Answer>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands in a command and waits for its answer.
    pub(crate) fn append(&self, expected: Head, batch: Batch) -> Answer {
        let after = batch.check(expected)?;
        let first = batch.records[0].header();
        let digest = batch.command_digest;
        let trace = CommandTrace { first_seq: first.seq, last_seq: after.seq, digest };
        let body = FrameBody::encode(&batch)?;
        drop(batch);
        let entry = Entry { stream: first.stream, before: expected, after, body };
        let (answer, answered) = mpsc::sync_channel(1);
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(LogError::Closed.into());
        }
        waiting.orders.push_back(Order { command: first.command, trace, entry, answer });
        drop(waiting);
        self.more.notify_one();
        answered.recv().unwrap_or(Err(LogError::Closed.into()))
    }

    /// Accepts nothing more; what is waiting is still done.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.more.notify_all();
    }

    /// How often the disk was waited for.
    pub(crate) fn syncs(&self) -> u64 {
        self.lock().syncs
    }

    /// The next group, `None` when closed and empty.
    fn take_group(&self) -> Option<Vec<Order>> {
        let mut waiting = self.lock();
        while waiting.orders.is_empty() {
            if waiting.closed {
                return None;
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let mut group = Vec::new();
        let mut bytes = 0;
        while let Some(order) = waiting.orders.front() {
            bytes += order.entry.body.bytes.len();
            if bytes > GROUP_BYTES && !group.is_empty() {
                break;
            }
            group.extend(waiting.orders.pop_front());
        }
        Some(group)
    }
}

/// Writes until the queue is closed.
pub(crate) fn run(store: &Arc<Store>, queue: &Arc<Queue>, mut journal: Journal) -> Journal {
    // Should this thread panic, nobody may wait for it for ever.
    let _closes = CloseOnDrop(queue);
    let mut is_checked = false;
    while let Some(group) = queue.take_group() {
        if !std::mem::replace(&mut is_checked, true)
            && let Err(lost) = store.lost_nothing()
        {
            store.lock().stopped = Some(lost.into());
        }
        store.shelf.wait_until_near();
        commit(store, &mut journal, group);
        queue.lock().syncs = journal.syncs;
    }
    journal
}

struct CloseOnDrop<'a>(&'a Queue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
        self.0.lock().orders.clear();
    }
}

/// One group, as it is admitted.
#[derive(Default)]
struct Staged {
    entries: Vec<Entry>,
    commands: Vec<(CommandId, CommandTrace, SyncSender<Answer>)>,
    heads: HashMap<StreamId, Head>,
    ids: HashMap<(StreamId, CommandId), CommandTrace>,
    /// Refusals. They may name what this group is still writing, so they wait for the disk too.
    refused: Vec<(SyncSender<Answer>, AppendError)>,
}

fn commit(store: &Store, journal: &mut Journal, group: Vec<Order>) {
    let mut staged = Staged::default();
    for order in group {
        staged.validate(store, order);
    }
    if staged.entries.is_empty() {
        return staged.answer_refused();
    }
    let first_frame = journal.end().frames;
    match journal.write(&staged.entries) {
        Ok(end) => {
            staged.record(store, first_frame, end.segment);
            store.follow(end);
            staged.answer();
        }
        Err(error) => {
            let stopped = AppendError::Stopped { reason: error.to_string() };
            store.lock().stopped = Some(stopped.clone());
            staged.answer_stopped(&stopped);
        }
    }
}

impl Staged {
    fn validate(&mut self, store: &Store, order: Order) {
        match self.check(store, &order) {
            Ok(()) => {
                let Order { command, trace, entry, answer } = order;
                self.heads.insert(entry.stream, entry.after);
                self.ids.insert((entry.stream, command), trace);
                self.entries.push(entry);
                self.commands.push((command, trace, answer));
            }
            Err(error) => self.refused.push((order.answer, error)),
        }
    }

    fn check(&self, store: &Store, order: &Order) -> Result<(), AppendError> {
        let stream = order.entry.stream;
        if let Some(stopped) = store.lock().stopped.clone() {
            return Err(stopped);
        }
        let staged = self.ids.get(&(stream, order.command)).copied();
        let known = match staged {
            Some(trace) => Some(trace),
            None => store.command(stream, order.command)?,
        };
        if let Some(trace) = known {
            return Err(AppendError::CommandKnown(trace));
        }
        let actual = match self.heads.get(&stream) {
            Some(head) => *head,
            None => store.lock().heads.slot(stream)?.head,
        };
        let expected = order.entry.before;
        if actual != expected {
            return Err(AppendError::Conflict { expected, actual });
        }
        Ok(())
    }

    /// Everything is on the disk: readers may see it.
    fn record(&self, store: &Store, first_frame: u64, last_segment: u64) {
        let mut ledger = store.lock();
        for (at, entry) in (1..).zip(&self.entries) {
            let (command, trace, _) = &self.commands[at as usize - 1];
            // It was looked up before it was written.
            let before = ledger.heads.slot(entry.stream).unwrap_or_default();
            let first_segment = match entry.before.seq {
                0 => last_segment,
                _ => before.first_segment,
            };
            let (head, frames) = (entry.after, first_frame + at);
            let slot = Slot { head, frames, first_segment, last_segment };
            ledger.commit(entry.stream, *command, *trace, slot);
        }
    }

    fn answer(self) {
        for (entry, (_, _, answer)) in self.entries.iter().zip(&self.commands) {
            // Whoever has stopped waiting will ask again with the same command id.
            let _ = answer.send(Ok(entry.after));
        }
        self.answer_refused();
    }

    fn answer_refused(self) {
        for (answer, error) in self.refused {
            let _ = answer.send(Err(error));
        }
    }

    /// What this group would have written is unknown now, and so is all that refers to it.
    fn answer_stopped(self, stopped: &AppendError) {
        let written = self.commands.into_iter().map(|(_, _, answer)| answer);
        let refused = self.refused.into_iter().map(|(answer, _)| answer);
        for answer in written.chain(refused) {
            let _ = answer.send(Err(stopped.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kit::{batch, stream};
    use super::*;

    const MIB: usize = 1024 * 1024;

    /// A command with a body of so many bytes, and where its answer comes.
    fn order(bytes: usize) -> (Order, mpsc::Receiver<Answer>) {
        let (answer, answered) = mpsc::sync_channel(1);
        let body = FrameBody { bytes: vec![0; bytes], crc: 0 };
        let (before, after) = (Head::EMPTY, Head::EMPTY);
        let entry = Entry { stream: stream(1), before, after, body };
        let trace = CommandTrace { first_seq: 1, last_seq: 1, digest: [0; 32] };
        (Order { command: CommandId(1), trace, entry, answer }, answered)
    }

    /// Commands up to 32 MiB are written together; a longer one is written by itself.
    #[test]
    fn waiting_commands_are_written_together_up_to_a_bound() {
        let queue = Queue::default();
        let sizes = [16 * MIB, 16 * MIB, 1, 33 * MIB, 1, 2, 3];
        queue.lock().orders = sizes.into_iter().map(|bytes| order(bytes).0).collect();
        let groups = [2, 1, 1, 3];
        assert_eq!(groups.map(|_| queue.take_group().map_or(0, |group| group.len())), groups);
        queue.close();
        assert!(queue.take_group().is_none());
    }

    /// Whatever ends the thread that writes, nobody waits for it any longer.
    #[test]
    fn a_committer_that_is_gone_keeps_nobody_waiting() {
        let queue = Queue::default();
        let (order, answered) = order(10);
        queue.lock().orders.push_back(order);
        drop(CloseOnDrop(&queue));
        assert_eq!(answered.try_recv(), Err(mpsc::TryRecvError::Disconnected));
        assert!(queue.lock().closed, "whoever comes later would wait");
        let late = queue.append(Head::EMPTY, batch(stream(1), Head::EMPTY, 1, 1, 10));
        assert_eq!(late, Err(LogError::Closed.into()));
    }
}

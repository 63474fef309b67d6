//! What is kept in memory: every stream's head, and the commands of the streams in use.

use std::collections::HashMap;

use super::{CommandTrace, Head};
use crate::record::{CommandId, StreamId};

/// Heads and commands of what is durable.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    slots: HashMap<StreamId, Slot>,
    hot: HashMap<StreamId, Hot>,
    hot_commands: usize,
    hot_limit: usize,
    clock: u64,
    /// Why nothing more is accepted.
    pub stopped: Option<String>,
}

/// The end of a stream, and how many frames the journal had with it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    pub head: Head,
    pub frames: u64,
}

/// Every command of one stream.
#[derive(Debug)]
struct Hot {
    commands: HashMap<CommandId, CommandTrace>,
    used: u64,
}

impl Ledger {
    pub(crate) fn new(heads: &HashMap<StreamId, Head>, frames: u64, hot_limit: usize) -> Ledger {
        let slots = heads.iter().map(|(stream, head)| (*stream, Slot { head: *head, frames }));
        Ledger { slots: slots.collect(), hot_limit, ..Ledger::default() }
    }

    pub(crate) fn slot(&self, stream: StreamId) -> Slot {
        self.slots.get(&stream).copied().unwrap_or_default()
    }

    /// Every stream, sorted.
    pub(crate) fn streams(&self) -> Vec<StreamId> {
        let mut streams: Vec<StreamId> = self.slots.keys().copied().collect();
        streams.sort_unstable();
        streams
    }

    /// Whether a stream's commands are all in memory, and this one among them.
    pub(crate) fn command(
        &mut self,
        stream: StreamId,
        id: CommandId,
    ) -> Option<Option<CommandTrace>> {
        self.clock += 1;
        if let Some(hot) = self.hot.get_mut(&stream) {
            hot.used = self.clock;
            return Some(hot.commands.get(&id).copied());
        }
        // A stream without records has no commands.
        (self.slot(stream).head.seq == 0).then_some(None)
    }

    /// Takes all commands of a stream, as they were when its head was `head`.
    pub(crate) fn warm(
        &mut self,
        stream: StreamId,
        head: Head,
        commands: HashMap<CommandId, CommandTrace>,
    ) {
        if self.slot(stream).head != head || self.hot.contains_key(&stream) {
            return;
        }
        self.make_room(commands.len());
        self.clock += 1;
        self.hot_commands += commands.len();
        self.hot.insert(stream, Hot { commands, used: self.clock });
    }

    /// A command became durable.
    pub(crate) fn commit(
        &mut self,
        stream: StreamId,
        id: CommandId,
        trace: CommandTrace,
        slot: Slot,
    ) {
        let is_new = self.slots.insert(stream, slot).is_none();
        if is_new {
            self.clock += 1;
            self.hot.insert(stream, Hot { commands: HashMap::new(), used: self.clock });
        }
        if let Some(hot) = self.hot.get_mut(&stream) {
            hot.commands.insert(id, trace);
            self.hot_commands += 1;
        }
        if self.hot_commands > self.hot_limit {
            self.make_room(0);
        }
    }

    /// Forgets the streams that were used least lately; a single large one may stay.
    fn make_room(&mut self, wanted: usize) {
        if self.hot_commands + wanted <= self.hot_limit || self.hot.len() <= 1 {
            return;
        }
        let mut by_use: Vec<(u64, StreamId)> =
            self.hot.iter().map(|(stream, hot)| (hot.used, *stream)).collect();
        by_use.sort_unstable();
        // A quarter more than needed, so that this isn't done for every command.
        let goal = self.hot_limit - self.hot_limit / 4;
        for (_, stream) in &by_use[..by_use.len() - 1] {
            if self.hot_commands + wanted <= goal {
                break;
            }
            if let Some(hot) = self.hot.remove(stream) {
                self.hot_commands -= hot.commands.len();
            }
        }
    }
}

/// Whether these commands are all there are up to a head: they follow each other without a gap.
pub(crate) fn are_complete(commands: &HashMap<CommandId, CommandTrace>, head: Head) -> bool {
    let mut traces: Vec<(u64, u64)> =
        commands.values().map(|trace| (trace.first_seq, trace.last_seq)).collect();
    traces.sort_unstable();
    let mut next = 1;
    for (first, last) in traces {
        if first != next || last < first || last > head.seq {
            return false;
        }
        next = last + 1;
    }
    next == head.seq + 1
}

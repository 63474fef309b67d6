//! What is kept in memory: the heads that changed, and the commands of the streams in use.

use std::collections::HashMap;

use super::heads::{Heads, Slot};
use super::{AppendError, CommandTrace, Head, LogError};
use scrutineer_engine::record::{CommandId, StreamId};

/// A stream that was asked for within so many questions (or as many as commands are kept, where
/// that is less) is in use. Its commands stay in memory, however many they are: to forget them
/// would mean to read them all for the next command.
const IN_USE: u64 = 4096;

/// Heads and commands of what is durable.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub heads: Heads,
    hot: HashMap<StreamId, Hot>,
    hot_commands: usize,
    hot_limit: usize,
    /// Room is made when there are more commands than this.
    full_at: usize,
    clock: u64,
    /// Why nothing more is accepted.
    pub stopped: Option<AppendError>,
}

/// Every command of one stream.
#[derive(Debug)]
struct Hot {
    commands: HashMap<CommandId, CommandTrace>,
    used: u64,
}

impl Ledger {
    pub(crate) fn new(heads: Heads, hot_limit: usize) -> Ledger {
        Ledger { heads, hot_limit, full_at: hot_limit, ..Ledger::default() }
    }

    /// Whether a stream's commands are all in memory, and this one among them.
    pub(crate) fn command(
        &mut self,
        stream: StreamId,
        id: CommandId,
    ) -> Result<Option<Option<CommandTrace>>, LogError> {
        self.clock += 1;
        if let Some(hot) = self.hot.get_mut(&stream) {
            hot.used = self.clock;
            return Ok(Some(hot.commands.get(&id).copied()));
        }
        // A stream without records has no commands.
        Ok((self.heads.slot(stream)?.head.seq == 0).then_some(None))
    }

    /// Takes all commands of a stream, as they were when its head was `head`.
    pub(crate) fn warm(
        &mut self,
        stream: StreamId,
        head: Head,
        commands: HashMap<CommandId, CommandTrace>,
    ) {
        let is_old = self.heads.slot(stream).map_or(true, |slot| slot.head != head);
        if is_old || self.hot.contains_key(&stream) {
            return;
        }
        self.hot_commands += commands.len();
        self.hot.insert(stream, Hot { commands, used: self.clock });
        self.make_room();
    }

    /// A command became durable.
    pub(crate) fn commit(
        &mut self,
        stream: StreamId,
        id: CommandId,
        trace: CommandTrace,
        slot: Slot,
    ) {
        self.heads.insert(stream, slot);
        if trace.first_seq == 1 {
            self.hot.insert(stream, Hot { commands: HashMap::new(), used: self.clock });
        }
        if let Some(hot) = self.hot.get_mut(&stream) {
            hot.commands.insert(id, trace);
            self.hot_commands += 1;
        }
        self.make_room();
    }

    /// Forgets the streams that were used least lately, but for those in use.
    fn make_room(&mut self) {
        if self.hot_commands <= self.full_at {
            return;
        }
        let since = self.clock.saturating_sub(IN_USE.min(self.hot_limit as u64));
        let idle = self.hot.iter().filter(|(_, hot)| hot.used < since);
        let mut idle: Vec<(u64, StreamId)> = idle.map(|(id, hot)| (hot.used, *id)).collect();
        idle.sort_unstable();
        // A quarter more than needed, so that this isn't done for every command; the same when
        // most are in use.
        let goal = self.hot_limit - self.hot_limit / 4;
        for (_, stream) in idle {
            if self.hot_commands <= goal {
                break;
            }
            if let Some(hot) = self.hot.remove(&stream) {
                self.hot_commands -= hot.commands.len();
            }
        }
        self.full_at = self.hot_limit.max(self.hot_commands + self.hot_commands / 4);
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

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 100;

    fn stream(number: u64) -> StreamId {
        StreamId(u128::from(number).to_be_bytes())
    }

    fn commit(ledger: &mut Ledger, number: u64, id: u64) {
        let head = ledger.heads.slot(stream(number)).unwrap().head;
        let head = Head { seq: head.seq + 1, ..Head::EMPTY };
        let trace = CommandTrace { first_seq: head.seq, last_seq: head.seq, digest: [0; 32] };
        let slot = Slot { head, ..Slot::default() };
        ledger.commit(stream(number), CommandId(id.into()), trace, slot);
    }

    fn knows(ledger: &mut Ledger, number: u64) -> bool {
        ledger.command(stream(number), CommandId(0)).unwrap().is_some()
    }

    /// Two long events side by side: neither is forgotten for the other's sake.
    #[test]
    fn streams_in_use_stay() {
        let mut ledger = Ledger::new(Heads::default(), LIMIT);
        for id in 0..LIMIT as u64 * 3 {
            for number in [1, 2] {
                assert!(knows(&mut ledger, number), "stream {number} at command {id}");
                commit(&mut ledger, number, id);
            }
        }
    }

    /// Many events one after the other, such as a season that is imported.
    #[test]
    fn streams_out_of_use_are_forgotten() {
        let mut ledger = Ledger::new(Heads::default(), LIMIT);
        let many = LIMIT as u64 * 10;
        for number in 1..=many {
            assert!(knows(&mut ledger, number));
            commit(&mut ledger, number, 0);
        }
        assert!(ledger.hot_commands <= LIMIT * 3 / 2, "{} commands in memory", ledger.hot_commands);
        let counted: usize = ledger.hot.values().map(|hot| hot.commands.len()).sum();
        assert_eq!(ledger.hot_commands, counted);
        assert!(!knows(&mut ledger, 1) && knows(&mut ledger, many));
    }

    /// What is asked for often stays, and what nobody asked for so many questions long goes, be it
    /// ever so much.
    #[test]
    fn a_stream_is_in_use_while_it_is_asked_for() {
        let mut ledger = Ledger::new(Heads::default(), LIMIT);
        for (number, commands) in [(1, 60), (2, 61)] {
            for id in 0..commands {
                knows(&mut ledger, number);
                commit(&mut ledger, number, id);
            }
        }
        // Both in use: more is kept than should be, and next looked at when there is a quarter more.
        assert_eq!((ledger.hot.len(), ledger.hot_commands, ledger.full_at), (2, 121, 126));
        for id in 61..200 {
            knows(&mut ledger, 2);
            commit(&mut ledger, 2, id);
            assert!(ledger.hot.contains_key(&stream(1)) || id > 100, "forgotten at {id}");
        }
        assert!(!ledger.hot.contains_key(&stream(1)), "it was not asked for 139 times");
        assert!(knows(&mut ledger, 2));
        assert_eq!(ledger.hot_commands, 200);
    }

    /// Where room is made, a quarter more goes than must, those not used for longest first.
    #[test]
    fn more_room_is_made_than_is_needed() {
        let mut ledger = Ledger::new(Heads::default(), LIMIT);
        for number in 1..=LIMIT as u64 {
            knows(&mut ledger, number);
            commit(&mut ledger, number, 0);
        }
        assert_eq!(ledger.hot.len(), LIMIT, "there is room for as many");
        // The last one alone is in use.
        for _ in 0..=LIMIT {
            knows(&mut ledger, LIMIT as u64);
        }
        commit(&mut ledger, LIMIT as u64, 1);
        assert_eq!((ledger.hot_commands, ledger.hot.len()), (75, 74));
        assert!(!knows(&mut ledger, 26) && knows(&mut ledger, 27));
    }

    /// A stream that was asked for exactly so many questions ago still counts as in use.
    #[test]
    fn the_last_questions_are_counted() {
        for (questions, stays) in [(LIMIT - 1, true), (LIMIT, true), (LIMIT + 1, false)] {
            let mut ledger = Ledger::new(Heads::default(), LIMIT);
            knows(&mut ledger, 1);
            commit(&mut ledger, 1, 0);
            for _ in 0..questions {
                knows(&mut ledger, 2);
            }
            for id in 0..LIMIT as u64 {
                commit(&mut ledger, 2, id);
            }
            assert_eq!(ledger.hot.contains_key(&stream(1)), stays, "{questions} questions later");
        }
    }

    fn traces(places: &[(u64, u64)]) -> HashMap<CommandId, CommandTrace> {
        let trace = |(first_seq, last_seq)| CommandTrace { first_seq, last_seq, digest: [0; 32] };
        (1..).map(CommandId).zip(places.iter().copied().map(trace)).collect()
    }

    /// Commands are read from the disk while others may be appended: what is older than the head is
    /// not kept, since a command would be missing from it.
    #[test]
    fn commands_read_before_another_was_appended_are_not_kept() {
        let head = |seq| Head { seq, ..Head::EMPTY };
        let mut heads = Heads::default();
        for number in [1, 2] {
            heads.insert(stream(number), Slot { head: head(2), ..Slot::default() });
        }
        let mut ledger = Ledger::new(heads, LIMIT);
        ledger.warm(stream(1), head(1), traces(&[(1, 1)]));
        assert_eq!(ledger.command(stream(1), CommandId(1)), Ok(None), "it is not known");
        ledger.warm(stream(1), head(2), traces(&[(1, 1), (2, 2)]));
        ledger.warm(stream(2), head(2), traces(&[(1, 2)]));
        assert_eq!(ledger.command(stream(1), CommandId(3)), Ok(Some(None)));
        assert_eq!(ledger.hot_commands, 3);
        // Nor twice.
        ledger.warm(stream(1), head(2), traces(&[(1, 2)]));
        assert_eq!(ledger.hot_commands, 3);
        let found = ledger.command(stream(1), CommandId(2)).unwrap().flatten();
        assert_eq!(found.map(|trace| trace.first_seq), Some(2));
        assert_eq!(
            ledger.command(stream(3), CommandId(1)),
            Ok(Some(None)),
            "a new stream has none"
        );
    }

    #[test]
    fn commands_are_complete_without_a_gap() {
        let head = Head { seq: 6, ..Head::EMPTY };
        assert!(are_complete(&traces(&[]), Head::EMPTY));
        assert!(are_complete(&traces(&[(5, 6), (1, 3), (4, 4)]), head));
        let wrong: [&[(u64, u64)]; 9] = [
            &[],
            &[(1, 3), (4, 4)],
            &[(1, 3), (5, 6)],
            &[(2, 6)],
            &[(0, 6)],
            &[(1, 3), (3, 6)],
            &[(1, 6), (7, 7)],
            &[(1, 6), (7, 6)],
            &[(1, 7)],
        ];
        for places in wrong {
            assert!(!are_complete(&traces(places), head), "{places:?}");
        }
    }
}

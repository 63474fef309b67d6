//! Looks for every acknowledged command in what the database has at the end.

use super::writers::{Followed, Journal, Said};
use scrutineer_engine::log::Log;
use scrutineer_engine::record::{CommandId, RecordHash, StreamId};
use std::collections::HashMap;
use std::time::Duration;

/// One in so many commands is asked for by its id.
const ASKED: usize = 50;

/// What was found.
#[derive(Default)]
pub struct Found {
    /// Commands that were acknowledged.
    pub acknowledged: u64,
    /// Acknowledged commands that are not there.
    pub lost: u64,
    /// Commands that are there twice.
    pub doubled: u64,
    /// Commands that are there, elsewhere than was said or before an earlier one of their writer.
    pub reordered: u64,
    /// The longest that a command waited for its answer.
    pub stall: Duration,
    /// Answers that were lost on their way.
    pub unknown: u64,
    /// Chains that are broken, records that nobody sent, streams that a reader saw otherwise.
    pub faults: Vec<String>,
}

impl Found {
    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.lost + self.doubled + self.reordered == 0 && self.faults.is_empty()
    }
}

/// Where a command stands.
struct Stands {
    first: u64,
    last: u64,
    hash: RecordHash,
}

/// One stream as it is.
#[derive(Default)]
pub(super) struct Stream {
    hashes: Vec<RecordHash>,
    commands: HashMap<CommandId, Stands>,
}

/// Reads every stream and looks for what was said.
pub fn look(log: &dyn Log, said: Said) -> Found {
    let mut found = Found::default();
    let mut streams = HashMap::new();
    for Followed { stream, seen, faults } in said.followed {
        let read = read(log, stream, &mut found);
        found.faults.extend(faults);
        if read.hashes != seen {
            let same =
                read.hashes.iter().zip(&seen).take_while(|(one, other)| one == other).count();
            let (there, saw) = (read.hashes.len(), seen.len());
            let fault = format!(
                "a reader saw {saw} records of {stream}; {there} are there, {same} the same"
            );
            found.faults.push(fault);
        }
        streams.insert(stream, read);
    }
    for journal in &said.journals {
        compare(log, journal, &streams[&journal.stream], &mut found);
    }
    let sent: HashMap<_, _> =
        said.journals.iter().map(|journal| (journal.writer, journal)).collect();
    for (stream, read) in &streams {
        let foreign = read.commands.keys().filter(|command| {
            let writer =
                u32::try_from(command.0 >> 64).ok().and_then(|writer| writer.checked_sub(1));
            let journal = writer.and_then(|writer| sent.get(&writer));
            !journal.is_some_and(|journal| {
                journal.stream == *stream && command.0 as u64 <= journal.sent
            })
        });
        let foreign = foreign.count();
        if foreign > 0 {
            found.faults.push(format!("{foreign} commands of {stream} were sent by nobody"));
        }
    }
    found
}

/// Reads a stream, with its chain and its commands checked.
pub(super) fn read(log: &dyn Log, stream: StreamId, found: &mut Found) -> Stream {
    let mut read = Stream::default();
    let mut last = RecordHash::ZERO;
    for record in log.read(stream, 0) {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                found.faults.push(format!("{stream}: {error}"));
                break;
            }
        };
        let (header, seq) = (record.header(), read.hashes.len() as u64 + 1);
        if header.seq != seq || header.previous != last {
            found.faults.push(format!("{stream}: the chain breaks at {seq}"));
        }
        last = record.hash();
        read.hashes.push(last);
        let known = read.commands.get_mut(&header.command);
        match known {
            None if header.part == 1 => {
                let stands = Stands { first: seq, last: seq, hash: last };
                read.commands.insert(header.command, stands);
            }
            Some(stands)
                if stands.first + u64::from(header.part) - 1 == seq && stands.last + 1 == seq =>
            {
                (stands.last, stands.hash) = (seq, last);
            }
            Some(_) => found.doubled += u64::from(header.part == 1),
            None => found.faults.push(format!("{stream}: {seq} has no first part")),
        }
    }
    read
}

fn compare(log: &dyn Log, journal: &Journal, stream: &Stream, found: &mut Found) {
    let mut last = 0;
    found.acknowledged += journal.acknowledged.len() as u64;
    found.stall = found.stall.max(journal.stall);
    found.unknown += journal.unknown;
    found.faults.extend(journal.faults.iter().cloned());
    for (place, said) in journal.acknowledged.iter().enumerate() {
        let Some(stands) = stream.commands.get(&said.command) else {
            found.lost += 1;
            continue;
        };
        let is_there = (stands.first, stands.last) == (said.first, said.last);
        let is_same = said.hash.is_none_or(|hash| hash == stands.hash);
        found.reordered += u64::from(!is_there || !is_same || said.first <= last);
        last = said.last;
        if place % ASKED == 0 {
            let traced = log.command(journal.stream, said.command);
            let agrees = traced.as_ref().is_ok_and(|traced| {
                traced
                    .as_ref()
                    .is_some_and(|it| (it.first_seq, it.last_seq) == (said.first, said.last))
            });
            if !agrees {
                found.faults.push(format!("{}: asked for, {traced:?}", said.command));
            }
        }
    }
}

//! Both logs give the same answers; the embedded one still does after it was opened again.

use std::collections::BTreeMap;
use std::sync::Barrier;

use scrutineer_engine::log::{AppendError, BatchError, CommandTrace, Head, Log, MemoryLog};
use scrutineer_engine::record::CommandId;
use scrutineer_store::{EmbeddedLog, OpenError};

use crate::kit::{
    Folder, Seeded, append, batch, codes, everything, filled, open, options, read, stream,
};

/// Random commands, good, repeated, late and broken, on both logs.
#[test]
fn memory_and_embedded_agree() {
    let folder = Folder::new();
    let memory = MemoryLog::new();
    let mut embedded = open(&folder);
    let mut seeded = Seeded(7);
    let mut heads: BTreeMap<u8, Vec<Head>> = BTreeMap::new();
    for round in 0..400 {
        let number = 1 + seeded.below(4) as u8;
        let id = stream(number);
        let seen = heads.entry(number).or_insert_with(|| vec![Head::EMPTY]);
        let at = match seeded.below(4) {
            0 => seen[seeded.below(seen.len() as u64) as usize],
            _ => seen[seen.len() - 1],
        };
        let command = u128::from(seeded.below(300));
        let parts = 1 + seeded.below(3) as u32;
        let mut order = batch(id, at, command, parts, seeded.below(300) as usize);
        if seeded.below(20) == 0 {
            order.records.remove(seeded.below(u64::from(parts)) as usize);
        }
        let expected = memory.append(at, order.clone());
        assert_eq!(embedded.append(at, order), expected, "round {round}");
        if let Ok(head) = expected {
            seen.push(head);
        }
        let asked = CommandId(u128::from(seeded.below(300)));
        assert_eq!(embedded.command(id, asked), memory.command(id, asked), "round {round}");
        let after = seeded.below(50);
        assert_eq!(read(&embedded, id, after), read(&memory, id, after), "round {round}");
        if round % 100 == 99 {
            // Reading what was just recorded asks sled for no less and no more than that.
            assert_eq!(codes(&embedded), [""; 0]);
            embedded.close().unwrap();
            embedded = open(&folder);
            assert_eq!(codes(&embedded), [""; 0]);
        }
    }
    assert_eq!(everything(&embedded), everything(&memory));
}

/// sled lets go of its lock a little after it was closed. A store that is opened again in the same
/// moment waits for that, and does not take sled for broken and fill it anew.
#[test]
fn a_store_opened_right_after_it_was_closed_keeps_its_sled() {
    let (folder, all) = filled(20);
    let held = std::fs::File::open(folder.sled().join("live-1").join("db")).unwrap();
    held.lock().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            drop(held);
        });
        let log = open(&folder);
        assert_eq!(codes(&log), [""; 0]);
        assert_eq!(everything(&log), all);
    });
}

#[test]
fn one_of_two_writers_wins() {
    let folder = Folder::new();
    for log in [&open(&folder) as &dyn Log, &MemoryLog::new()] {
        let id = stream(1);
        let head = append(log, id, 1, 2, 50);
        let barrier = Barrier::new(2);
        let answers: Vec<_> = std::thread::scope(|scope| {
            let write = |command| {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    log.append(head, batch(id, head, command, 1, 10))
                })
            };
            let writers = [write(10), write(11)];
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        let won: Vec<Head> = answers.iter().filter_map(|answer| answer.clone().ok()).collect();
        assert_eq!(won.len(), 1);
        let lost = answers.into_iter().find_map(Result::err).unwrap();
        assert_eq!(lost, AppendError::Conflict { expected: head, actual: won[0] });
        assert_eq!(read(log, id, 0).len(), 3);
    }
}

#[test]
fn a_command_is_never_appended_twice() {
    let folder = Folder::new();
    let id = stream(1);
    let trace = CommandTrace { first_seq: 3, last_seq: 4, digest: [9; 32] };
    let log = open(&folder);
    append(&log, id, 1, 2, 10);
    append(&log, id, 9, 2, 10);
    append(&log, id, 2, 1, 10);
    let known = |log: &EmbeddedLog| {
        let head = log.head(id).unwrap();
        let again = log.append(head, batch(id, head, 9, 1, 10));
        assert_eq!(again, Err(AppendError::CommandKnown(trace)));
        // Also from a writer that has seen nothing of it.
        let late = log.append(Head::EMPTY, batch(id, Head::EMPTY, 9, 1, 10));
        assert_eq!(late, Err(AppendError::CommandKnown(trace)));
        assert_eq!(log.command(id, CommandId(9)), Ok(Some(trace)));
        assert_eq!(log.command(id, CommandId(77)), Ok(None));
        assert_eq!(log.command(stream(2), CommandId(9)), Ok(None));
    };
    known(&log);
    log.close().unwrap();
    let log = open(&folder);
    known(&log);
    log.close().unwrap();
    std::fs::remove_dir_all(folder.sled()).unwrap();
    let log = open(&folder);
    known(&log);
    assert_eq!(read(&log, id, 0).len(), 5);
}

/// The first records of an event are read in the moment in which they are recorded: sled is asked
/// when it has them, and not before.
#[test]
fn an_event_is_read_as_soon_as_it_is_begun() {
    let folder = Folder::new();
    let log = open(&folder);
    for number in 1..=40 {
        append(&log, stream(number), 1, 2, 10);
        assert_eq!(read(&log, stream(number), 0).len(), 2);
    }
    assert_eq!(codes(&log), [""; 0]);
}

/// The same id in two streams is two commands.
#[test]
fn ids_belong_to_their_stream() {
    let folder = Folder::new();
    let log = open(&folder);
    append(&log, stream(1), 5, 1, 10);
    append(&log, stream(2), 5, 1, 10);
    assert_eq!(log.streams().unwrap(), [stream(1), stream(2)]);
}

#[test]
fn many_writers_share_syncs() {
    let folder = Folder::new();
    let log = open(&folder);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let log = &log;
            scope.spawn(move || {
                for command in 0..200 {
                    append(log, stream(writer), command, 1, 100);
                }
            });
        }
    });
    let stats = log.stats();
    assert_eq!(stats.commands, 1600);
    // Each writer waits for each of its commands.
    assert!((200..1600).contains(&stats.syncs), "{stats:?}");
    let all = everything(&log);
    assert!(all.iter().all(|(_, records)| records.len() == 200));
    log.close().unwrap();
    assert_eq!(everything(&open(&folder)), all);
}

#[test]
fn batches_that_are_not_one_command_are_refused() {
    let folder = Folder::new();
    let (memory, embedded) = (MemoryLog::new(), open(&folder));
    let whole = batch(stream(1), Head::EMPTY, 1, 3, 10);
    for log in [&memory as &dyn Log, &embedded] {
        let mut none = whole.clone();
        none.records.clear();
        let refused = log.append(Head::EMPTY, none);
        assert_eq!(refused, Err(AppendError::Batch(BatchError::Empty)));
        let mut half = whole.clone();
        half.records.pop();
        let refused = log.append(Head::EMPTY, half);
        let fault = BatchError::NotOneCommand { parts: 3, found: 2 };
        assert_eq!(refused, Err(AppendError::Batch(fault)));
        let mut mixed = whole.clone();
        mixed.records.swap(0, 1);
        assert!(matches!(log.append(Head::EMPTY, mixed), Err(AppendError::Batch(_))));
        assert_eq!(log.streams().unwrap(), []);
    }
}

#[test]
fn a_reader_may_stop_and_may_write() {
    let folder = Folder::new();
    let log = open(&folder);
    let id = stream(1);
    append(&log, id, 1, 4, 10);
    append(&log, id, 2, 1, 10);
    let mut seen = Vec::new();
    for record in log.read(id, 1).take(3) {
        let seq = record.unwrap().header().seq;
        seen.push(seq);
        append(&log, stream(2), 100 + u128::from(seq), 1, 10);
    }
    assert_eq!(seen, [2, 3, 4]);
    assert_eq!(read(&log, stream(2), 0).len(), 3);
    assert_eq!(read(&log, id, 5), []);
    assert_eq!(read(&log, id, u64::MAX), []);
}

#[test]
fn a_large_command_is_whole() {
    let folder = Folder::new();
    let log = open(&folder);
    append(&log, stream(1), 1, 1, 10);
    append(&log, stream(1), 2, 20_000, 200);
    append(&log, stream(1), 3, 1, 60 * 1024);
    log.close().unwrap();
    let log = open(&folder);
    let records = read(&log, stream(1), 0);
    assert_eq!(records.len(), 20_002);
    assert_eq!(read(&log, stream(1), 20_001).len(), 1);
}

#[test]
fn the_journal_alone_has_everything() {
    let (folder, all) = filled(60);
    let log = open(&folder);
    let mut found = BTreeMap::new();
    for record in log.scan().map(Result::unwrap) {
        let records: &mut Vec<_> = found.entry(record.header().stream).or_default();
        records.push(record);
    }
    assert_eq!(found.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_store_is_open_once() {
    let folder = Folder::new();
    let log = open(&folder);
    let second = EmbeddedLog::open(&folder.0, options());
    assert_eq!(second.err(), Some(OpenError::InUse { folder: folder.0.clone() }));
    append(&log, stream(1), 1, 1, 10);
    log.close().unwrap();
    assert_eq!(read(&open(&folder), stream(1), 0).len(), 1);
}

#[test]
fn other_folders_are_not_taken_for_stores() {
    let folder = Folder::new();
    std::fs::create_dir_all(&folder.0).unwrap();
    std::fs::write(folder.0.join("letter.txt"), "hello").unwrap();
    let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
    assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused}");
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    let refused = EmbeddedLog::open(folder.0.join("letter.txt"), options()).err().unwrap();
    assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused}");
}

/// A later version's store is told from one in whose version a bit has flipped: the last line of
/// `FORMAT` holds for the first only. Stores of the first days lack that line.
#[test]
fn a_newer_store_is_told_from_a_damaged_one() {
    let (folder, _) = filled(1);
    let file = folder.0.join("FORMAT");
    let format = std::fs::read_to_string(&file).unwrap();
    let opened = |text: &[u8]| {
        std::fs::write(&file, text).unwrap();
        EmbeddedLog::open(&folder.0, options()).map(drop).err()
    };
    let (body, _) = format.split_once("check ").unwrap();
    let later = body.replace("store 1", "store 2");
    let check = blake3::hash(later.as_bytes()).to_hex();
    let checked = format!("{later}check {}\n", &check[..16]);
    for newer in [checked.as_bytes(), later.as_bytes()] {
        assert_eq!(opened(newer), Some(OpenError::Newer { found: 2, known: 1 }));
    }
    for bit in 0..format.len() * 8 {
        let mut bytes = format.clone().into_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let refused = opened(&bytes);
        assert!(matches!(refused, Some(OpenError::NotAStore { .. })), "bit {bit}: {refused:?}");
    }
    for whole in [body, &format] {
        assert_eq!(opened(whole.as_bytes()), None);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), format, "it has the line from now on");
    }
}

/// Ids leave memory and come back from sled.
#[test]
fn few_ids_in_memory_suffice() {
    let folder = Folder::new();
    let small = || {
        EmbeddedLog::open(&folder.0, scrutineer_store::Options { hot_commands: 10, ..options() })
    };
    let log = small().unwrap();
    let mut seeded = Seeded(3);
    let mut known = BTreeMap::new();
    for command in 0..300_u128 {
        let id = stream(seeded.below(20) as u8);
        append(&log, id, command, 1, 20);
        known.insert((id, command), log.head(id).unwrap().seq);
    }
    for ((id, command), seq) in known {
        let trace = log.command(id, CommandId(command)).unwrap().unwrap();
        assert_eq!((trace.first_seq, trace.last_seq), (seq, seq));
    }
    assert_eq!(codes(&log), [""; 0]);
}

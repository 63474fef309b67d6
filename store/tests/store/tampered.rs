//! A sled in which something is wrong that it does not notice itself. The journal knows better:
//! whatever is asked, the answer is right, and sled is filled again.

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use scrutineer_engine::log::{AppendError, Log, LogError};
use scrutineer_engine::record::StreamId;
use scrutineer_store::{EmbeddedLog, Lost, MendedLog, OpenError, Options, ReadOnlyLog, Teller};
use sled::Tree;

use crate::copies::{flip, frames};
use crate::kit::{
    Folder, append, batch, codes, contents, copy_folder, everything, filled, options, read, stream,
    told,
};

struct Trees {
    events: Tree,
    heads: Tree,
    commands: Tree,
    meta: Tree,
}

fn event_key(id: StreamId, seq: u64) -> Vec<u8> {
    [&id.0[..], &seq.to_be_bytes()].concat()
}

/// Changes what stands in the sled of a store that is closed.
fn tamper(folder: &Folder, change: impl FnOnce(&Trees)) {
    let config = sled::Config::default().path(folder.sled().join("live-1"));
    // Whoever closed it a moment ago may still hold its lock.
    let db = loop {
        match config.clone().cache_capacity(8 * 1024 * 1024).segment_size(64 * 1024).open() {
            Ok(db) => break db,
            Err(sled::Error::Io(_)) => std::thread::sleep(Duration::from_millis(5)),
            Err(other) => panic!("{other}"),
        }
    };
    let tree = |name: &str| db.open_tree(name).unwrap();
    let (events, heads, commands) = (tree("events"), tree("heads"), tree("commands"));
    change(&Trees { events, heads, commands, meta: tree("meta") });
    db.flush().unwrap();
}

/// Opens a store and waits for its sled's answers, however slow the machine is.
fn open(folder: &Folder) -> EmbeddedLog {
    let patience = Duration::from_secs(600);
    EmbeddedLog::open(&folder.0, Options { patience, ..options() }).expect("the store opens")
}

fn copy_of(folder: &Folder) -> Folder {
    let copy = Folder::new();
    copy_folder(&folder.0, &copy.0);
    copy
}

/// Adds to the number at a place of a value.
fn add(tree: &Tree, key: &[u8], at: usize, more: u64) {
    let mut value = tree.get(key).unwrap().unwrap().to_vec();
    let number = u64::from_le_bytes(value[at..at + 8].try_into().unwrap()).wrapping_add(more);
    value[at..at + 8].copy_from_slice(&number.to_le_bytes());
    tree.insert(key, value).unwrap();
}

type Change = Box<dyn Fn(&Trees)>;

#[test]
fn a_sled_that_disagrees_with_the_journal_is_filled_again() {
    let (folder, all) = filled(30);
    let (one, two) = (stream(1), stream(2));
    let last = all[0].1.len() as u64;
    let before_last = all[0].1[last as usize - 2].clone();
    let head_before = [&(last - 1).to_le_bytes()[..], &before_last.hash().0].concat();
    let wrong: Vec<(&str, Change)> = vec![
        ("a head further than the journal", Box::new(move |sled| add(&sled.heads, &one.0, 0, 5))),
        ("a head with another hash", Box::new(move |sled| add(&sled.heads, &one.0, 8, 1))),
        ("a head that is behind", {
            Box::new(move |sled| drop(sled.heads.insert(one.0, &head_before[..]).unwrap()))
        }),
        ("a head that is cut off", {
            Box::new(move |sled| drop(sled.heads.insert(one.0, &[1; 39][..]).unwrap()))
        }),
        ("an event without a head", Box::new(move |sled| drop(sled.heads.remove(two.0).unwrap()))),
        ("a head of an event that is not there", {
            Box::new(move |sled| drop(sled.heads.insert([9; 16], &[3; 40][..]).unwrap()))
        }),
        ("no last record", {
            Box::new(move |sled| drop(sled.events.remove(event_key(one, last)).unwrap()))
        }),
        ("another last record", {
            Box::new(move |sled| {
                let other = sled.events.get(event_key(two, 1)).unwrap().unwrap();
                sled.events.insert(event_key(one, last), other).unwrap();
            })
        }),
        ("it was filled up to a later segment", Box::new(|sled| add(&sled.meta, b"applied", 0, 1))),
        ("it was filled up to a later place", Box::new(|sled| add(&sled.meta, b"applied", 8, 1))),
        ("it was filled up to a later command", {
            Box::new(|sled| add(&sled.meta, b"applied", 16, 1))
        }),
        ("more commands, and an earlier place", {
            Box::new(|sled| {
                add(&sled.meta, b"applied", 8, u64::MAX);
                add(&sled.meta, b"applied", 16, 1);
            })
        }),
        ("how far it was filled is cut off", {
            Box::new(|sled| drop(sled.meta.insert("applied", &[0; 23][..]).unwrap()))
        }),
        ("it has lost the name of its store", {
            Box::new(|sled| drop(sled.meta.remove("store").unwrap()))
        }),
        ("it is of another store", Box::new(|sled| add(&sled.meta, b"store", 8, 1))),
        ("it is of another version", Box::new(|sled| add(&sled.meta, b"store", 0, 1))),
    ];
    for (what, change) in wrong {
        let copy = copy_of(&folder);
        tamper(&copy, change);
        let log = open(&copy);
        assert_eq!(told(&log, 1), ["sled-rebuilt"], "{what}");
        assert_eq!(everything(&log), all, "{what}");
        log.close().unwrap();
        let log = open(&copy);
        assert_eq!(codes(&log), [""; 0], "{what}");
        assert_eq!(everything(&log), all, "{what}");
    }
    // Without a word of how far it was filled, it is filled from the beginning.
    let copy = copy_of(&folder);
    tamper(&copy, |sled| drop(sled.meta.remove("applied").unwrap()));
    let log = open(&copy);
    assert_eq!((codes(&log), everything(&log)), (vec![], all));
}

/// A record in sled that is not the one, or is missing: whoever reads gets the right ones, each of
/// them once, from whichever record on. Where that record is damaged in the journal too, nobody is
/// shown another one; where sled has it, it is shown.
#[test]
fn a_record_that_is_wrong_in_sled_is_read_from_the_journal() {
    let (folder, all) = filled(60);
    let (one, records) = (stream(1), &all[0].1);
    let places = frames(&folder);
    let (segment, from, _, _, at, _) = *places
        .iter()
        .rfind(|(segment, _, _, stream, ..)| *segment == 1 && *stream == one)
        .unwrap();
    assert!(at > 2 && segment < places.last().unwrap().0, "a segment that is full");
    let damage = |folder: &Folder| flip(&folder.segment(segment), (from + 40) * 8);
    let refused = |log: &EmbeddedLog, after: u64| {
        let mut read: Vec<_> = log.read(one, after).collect();
        let last = read.pop();
        assert!(matches!(last, Some(Err(LogError::Damaged { segment: 1, .. }))), "{last:?}");
        assert!(read.iter().all(Result::is_ok));
        read.len() as u64
    };
    let wrong: Vec<(&str, Change)> = vec![
        ("it is missing", {
            Box::new(move |sled| drop(sled.events.remove(event_key(one, at)).unwrap()))
        }),
        ("it is cut off", {
            Box::new(move |sled| {
                drop(sled.events.insert(event_key(one, at), &[1; 31][..]).unwrap())
            })
        }),
        ("another byte", {
            Box::new(move |sled| add(&sled.events, &event_key(one, at), 140, 1 << 40))
        }),
        ("another event's", {
            Box::new(move |sled| {
                let other = sled.events.get(event_key(stream(2), at)).unwrap().unwrap();
                sled.events.insert(event_key(one, at), other).unwrap();
            })
        }),
        ("the one behind it", {
            Box::new(move |sled| {
                let other = sled.events.get(event_key(one, at + 1)).unwrap().unwrap();
                sled.events.insert(event_key(one, at), other).unwrap();
            })
        }),
    ];
    for (what, change) in wrong {
        let copy = copy_of(&folder);
        tamper(&copy, change);
        for after in [0, at - 2, at - 1, at, at + 1] {
            let copy = copy_of(&copy);
            let log = open(&copy);
            assert_eq!(read(&log, one, after), records[after as usize..], "{what}, after {after}");
            assert_eq!(everything(&log), all, "{what}, after {after}");
            drop(log);
            damage(&copy);
            let log = open(&copy);
            if after <= at {
                assert_eq!(refused(&log, after), at.saturating_sub(after + 1), "{what}");
                assert_eq!(told(&log, 1), ["sled-rebuilt"], "{what}, after {after}");
            }
        }
    }
    let copy = copy_of(&folder);
    damage(&copy);
    let log = open(&copy);
    assert_eq!((everything(&log), codes(&log)), (all.clone(), vec![]), "sled has it");
    drop(log);
    let reader = ReadOnlyLog::open(&copy.0).unwrap();
    assert!(reader.is_as_closed() && reader.read(one, 0).any(|read| read.is_err()));
    assert_eq!(everything(&MendedLog::new(reader, options())), all, "sled has it for a reader too");
}

/// Where sled lacks a command's trace, or has one that can't be, the command is known all the same.
#[test]
fn a_command_that_sled_forgot_is_known() {
    let (folder, all) = filled(30);
    let (one, records) = (stream(1), &all[0].1);
    let at = records.len() / 2;
    let id = records[at].header().command;
    let key = [&one.0[..], &id.0.to_be_bytes()].concat();
    let wrong: Vec<(&str, Change)> = vec![
        ("missing", {
            let key = key.clone();
            Box::new(move |sled| drop(sled.commands.remove(&key).unwrap()))
        }),
        ("cut off", {
            let key = key.clone();
            Box::new(move |sled| drop(sled.commands.insert(&key[..], &[1; 47][..]).unwrap()))
        }),
        ("elsewhere", {
            let key = key.clone();
            Box::new(move |sled| add(&sled.commands, &key, 0, 1))
        }),
        ("longer", {
            let key = key.clone();
            Box::new(move |sled| add(&sled.commands, &key, 8, 1))
        }),
    ];
    let trace = open(&copy_of(&folder)).command(one, id).unwrap();
    assert!(trace.is_some());
    for (what, change) in wrong {
        let copy = copy_of(&folder);
        tamper(&copy, change);
        let log = open(&copy);
        assert_eq!(log.command(one, id), Ok(trace), "{what}");
        assert_eq!(told(&log, 1), ["sled-rebuilt"], "{what}");
    }
}

/// sled was stopped when it had a record and not yet the head of its event; and the journal has
/// lost that record since. It had been acknowledged. So with the first of an event, and a later one.
#[test]
fn a_record_that_sled_has_and_the_journal_lost_is_not_given_up() {
    for commands in [3, 10] {
        let (folder, all) = filled(commands);
        let (segment, from, _, id, first, last) = *frames(&folder).last().unwrap();
        assert_eq!(first == 1, commands == 3);
        let bytes = fs::read(folder.segment(segment)).unwrap();
        fs::write(folder.segment(segment), &bytes[..from as usize]).unwrap();
        let records = &all.iter().find(|(stream, _)| *stream == id).unwrap().1;
        tamper(&folder, |sled| {
            match first {
                1 => drop(sled.heads.remove(id.0).unwrap()),
                _ => {
                    let before = records[first as usize - 2].hash().0;
                    let head = [&(first - 1).to_le_bytes()[..], &before].concat();
                    sled.heads.insert(id.0, head).unwrap();
                }
            }
            let place = [segment, from, commands - 1].map(u64::to_le_bytes).concat();
            sled.meta.insert("applied", place).unwrap();
        });
        fs::write(folder.0.join("open"), "").unwrap();
        let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
        let lost = vec![Lost { stream: id, journal: first - 1, sled: first }];
        assert_eq!(refused, OpenError::JournalShort { lost });
        fs::write(folder.segment(segment), &bytes).unwrap();
        fs::remove_file(folder.0.join("open")).unwrap();
        let log = open(&folder);
        assert_eq!((codes(&log), everything(&log)), (vec![], all.clone()));
        assert_eq!(log.head(id).unwrap().seq, last);
    }
}

/// Somebody puts back an older journal with what was noted at its closing, and forgets sled, which
/// has more. What is there can be read; nothing is appended to it, and `verify` says why.
#[test]
fn nothing_is_appended_to_a_journal_that_sled_shows_to_be_older() {
    let (folder, all) = filled(10);
    let older = copy_of(&folder);
    let log = open(&folder);
    append(&log, stream(1), 900, 2, 30);
    log.close().unwrap();
    for file in ["heads", "journal/00000001.seg", "journal/00000001.sum"] {
        fs::copy(older.0.join(file), folder.0.join(file)).unwrap();
    }
    let log = open(&folder);
    assert_eq!(everything(&log), all);
    let is_told = |error: &LogError| matches!(error, LogError::Damaged { segment: 1, what, .. } if what.contains("is not what it was"));
    let scanned = log.scan().next().unwrap().unwrap_err();
    assert!(is_told(&scanned), "{scanned}");
    for id in [stream(1), stream(7)] {
        let head = log.head(id).unwrap();
        let refused = log.append(head, batch(id, head, 901, 1, 10)).unwrap_err();
        assert!(matches!(&refused, AppendError::Read(error) if is_told(error)), "{refused}");
    }
    log.close().unwrap();
    let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
    assert!(matches!(refused, OpenError::JournalShort { .. }), "{refused}");
}

/// The journal was cut and went on in another way, while sled still has what was cut: it is refused
/// whether sled is further than the journal by now, as far, or behind.
#[test]
fn a_journal_that_went_on_otherwise_than_sled_is_refused() {
    let (folder, _) = filled(20);
    let one = stream(1);
    let older = copy_of(&folder);
    let log = open(&folder);
    for command in 0..5 {
        append(&log, one, 900 + command, 1, 30);
    }
    let sled = log.head(one).unwrap().seq;
    log.close().unwrap();
    for others in [1, 5, 12] {
        let copy = copy_of(&older);
        let log = open(&copy);
        for command in 0..others {
            append(&log, one, 700 + command, 1, 50);
        }
        log.close().unwrap();
        fs::remove_dir_all(copy.sled()).unwrap();
        copy_folder(&folder.sled(), &copy.sled());
        for unclean in [true, false] {
            fs::remove_file(copy.0.join("heads")).unwrap_or_default();
            fs::remove_file(copy.0.join("open")).unwrap_or_default();
            if unclean {
                fs::write(copy.0.join("open"), "").unwrap();
            }
            let refused = EmbeddedLog::open(&copy.0, options()).err().unwrap();
            let OpenError::JournalShort { lost } = &refused else { panic!("{refused}") };
            assert_eq!((lost.len(), lost[0].stream), (1, one), "{others} others");
            assert_eq!(lost[0].sled, (sled - 5 + others as u64).min(sled), "{others} others");
            assert!(refused.to_string().contains("sled has another record"), "{refused}");
        }
    }
}

/// After an unclean stop sled is copied before it is opened: what is set aside is what was found.
#[test]
fn what_is_set_aside_is_what_was_found() {
    let ((folder, all), (other, _)) = (filled(20), filled(30));
    fs::remove_dir_all(folder.sled()).unwrap();
    copy_folder(&other.sled(), &folder.sled());
    let of = |name: &str| -> Vec<_> {
        let root = folder.sled().join(name);
        let files = contents(&root).into_iter();
        files.map(|(path, bytes)| (path.strip_prefix(&root).unwrap().to_owned(), bytes)).collect()
    };
    let found = of("live-1");
    fs::write(folder.0.join("open"), "").unwrap();
    let log = open(&folder);
    assert!(codes(&log).contains(&"sled-rebuilt"));
    assert_eq!(everything(&log), all);
    log.close().unwrap();
    assert!(of("aside-1") == found);
    let mut names: Vec<_> = fs::read_dir(folder.sled()).unwrap().collect();
    names.retain(|name| name.as_ref().unwrap().path().is_dir());
    assert_eq!(names.len(), 2, "the one set aside and the one in use, under a name of its own");
    assert!(folder.sled().join("live-2").is_dir());
}

/// Without a sled folder there is nothing to copy, and nothing is said of it.
#[test]
fn a_sled_that_is_not_there_is_not_missed() {
    let (folder, all) = filled(20);
    fs::remove_dir_all(folder.sled()).unwrap();
    fs::write(folder.0.join("open"), "").unwrap();
    let log = open(&folder);
    assert_eq!((codes(&log), everything(&log)), (vec!["unclean-stop"], all));
}

/// A sled that can't be used is tried three times more, then left alone; all is told as it happens.
#[test]
fn a_sled_that_cannot_be_used_is_left_alone() {
    let (folder, all) = filled(20);
    fs::remove_dir_all(folder.sled()).unwrap();
    fs::write(folder.sled(), "not a folder").unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&told);
    let teller = Teller(Arc::new(move |notice| hears.lock().unwrap().push(notice.clone())));
    let log = EmbeddedLog::open(&folder.0, Options { teller: Some(teller), ..options() }).unwrap();
    let begun = Instant::now();
    while !codes(&log).contains(&"sled-unavailable") {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", codes(&log));
        std::thread::sleep(Duration::from_millis(5));
    }
    let expected = ["sled-rebuilt", "sled-rebuilt", "sled-rebuilt", "sled-unavailable"];
    assert_eq!(codes(&log), expected);
    assert_eq!(*told.lock().unwrap(), log.notices());
    assert!(log.notices()[0].text.contains("it reported: "), "{}", log.notices()[0].text);
    let last = &log.notices()[3].text;
    assert!(last.contains("the operating system refused: "), "{last}");
    assert_eq!(everything(&log), all);
    append(&log, stream(1), 700, 1, 10);
    log.close().unwrap();
    assert_eq!(fs::read_to_string(folder.sled()).unwrap(), "not a folder");
}

/// A sled that does not open in time is not waited for.
#[test]
fn a_sled_that_does_not_open_in_time_is_set_aside() {
    let (folder, all) = filled(20);
    let held = fs::File::open(folder.sled().join("live-1").join("db")).unwrap();
    held.lock().unwrap();
    let hasty = Options { open_deadline: Duration::from_millis(100), ..options() };
    let begun = Instant::now();
    let log = EmbeddedLog::open(&folder.0, hasty).unwrap();
    assert_eq!(everything(&log), all);
    append(&log, stream(1), 700, 1, 10);
    assert!(begun.elapsed() < Duration::from_secs(9), "it was waited for");
    assert!(log.notices()[0].text.contains("it could not be opened in time"));
    assert_eq!(everything(&log)[1..], all[1..]);
    drop(held);
}

/// sled stopped while it wrote a snapshot, which keeps it from being opened.
#[test]
fn an_unfinished_snapshot_is_removed() {
    let (folder, all) = filled(20);
    let snapshot = folder.sled().join("live-1").join("snap.0000000000000F00.generating");
    fs::write(&snapshot, "half of it").unwrap();
    let log = open(&folder);
    assert_eq!((codes(&log), everything(&log)), (vec![], all));
    log.close().unwrap();
    assert!(!snapshot.exists());
}

//! How a store is opened and closed where something is in the way.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use scrutineer_engine::error::Code;
use scrutineer_engine::log::{Head, Log, LogError};
use scrutineer_engine::record::CommandId;
use scrutineer_store::{EmbeddedLog, Lost, MirrorError, OpenError, Options, ReadOnlyLog, backup};

use crate::copies::{flip, frames, open_copy};
use crate::kit::{
    Folder, append, codes, contents, copy_folder, everything, filled, open, options, read, stream,
};

/// A first opening that was killed before it had written FORMAT, in a folder with books.
#[test]
fn a_first_opening_that_was_interrupted_is_gone_on_with() {
    let folder = Folder::new();
    fs::create_dir_all(folder.0.join("books")).unwrap();
    fs::write(folder.0.join("lock"), "").unwrap();
    fs::write(folder.0.join(".FORMAT.4711-0.new"), "scrutineer sto").unwrap();
    let log = open(&folder);
    append(&log, stream(1), 1, 1, 10);
    log.close().unwrap();
    assert_eq!(read(&open(&folder), stream(1), 0).len(), 1);
}

/// A folder or a FORMAT that can't be read is told as that, not as one that is no store or new.
#[test]
fn what_cannot_be_read_is_not_taken_for_missing() {
    let long = std::env::temp_dir().join("n".repeat(300));
    let refused = EmbeddedLog::open(&long, options()).err().unwrap();
    assert!(refused.to_string().starts_with("cannot list"), "{refused}");
    let (folder, _) = filled(3);
    let format = folder.0.join("FORMAT");
    fs::remove_file(&format).unwrap();
    fs::create_dir(&format).unwrap();
    for refused in [
        EmbeddedLog::open(&folder.0, options()).err().unwrap(),
        ReadOnlyLog::open(&folder.0).err().unwrap(),
    ] {
        assert!(refused.to_string().starts_with("cannot read"), "{refused}");
    }
}

/// The first segment was just being begun when the machine stopped.
#[test]
fn a_first_segment_that_was_being_begun_is_begun_again() {
    for torn in [&[][..], &[7; 10], &[0; 64]] {
        let folder = Folder::new();
        open(&folder).close().unwrap();
        fs::remove_dir_all(folder.sled()).unwrap();
        fs::write(folder.segment(1), torn).unwrap();
        fs::write(folder.0.join("open"), "").unwrap();
        let log = open(&folder);
        append(&log, stream(1), 1, 2, 10);
        let all = everything(&log);
        log.close().unwrap();
        let log = open(&folder);
        assert_eq!(everything(&log), all);
        assert_eq!(codes(&log), [""; 0]);
    }
}

/// Closing tells when the mark of an open store could not be removed.
#[test]
fn closing_tells_when_the_mark_stays() {
    let (folder, _) = filled(3);
    let log = open(&folder);
    let mark = folder.0.join("open");
    fs::remove_file(&mark).unwrap();
    fs::create_dir(&mark).unwrap();
    let told = log.close().unwrap_err();
    assert!(matches!(told, LogError::Io { action: "remove", .. }), "{told}");
}

/// A sled that did not close in time: the store counts as not closed in order.
#[test]
fn a_store_whose_sled_was_not_closed_is_checked_the_next_time() {
    let (folder, all) = filled(20);
    let harsh = Options { step_deadline: Duration::ZERO, ..options() };
    let log = EmbeddedLog::open(&folder.0, harsh).unwrap();
    log.close().unwrap();
    assert!(folder.0.join("open").exists());
    let log = open(&folder);
    assert!(codes(&log).contains(&"unclean-stop"));
    assert_eq!(everything(&log), all);
}

/// The journal lost whole commands that sled has. Each event is named that they were of, and the
/// store is refused as it is: one that had been closed in order counts as closed, one that had not
/// does not.
#[test]
fn a_store_that_is_refused_stays_as_it_was() {
    let (folder, _) = filled(10);
    let all = frames(&folder);
    let (segment, from, ..) = all[8];
    let mut lost: Vec<Lost> = all[8..]
        .iter()
        .map(|(.., stream, first, last)| Lost { stream: *stream, journal: first - 1, sled: *last })
        .collect();
    lost.sort_by_key(|lost| lost.stream);
    assert_eq!(lost.len(), 2);
    let bytes = fs::read(folder.segment(segment)).unwrap();
    fs::write(folder.segment(segment), &bytes[..from as usize]).unwrap();
    let mark = folder.0.join("open");
    let outside_sled = || -> Vec<_> {
        let files = contents(&folder.0).into_iter();
        files.filter(|(path, _)| !path.starts_with(folder.sled())).collect()
    };
    for unclean in [false, true] {
        if unclean {
            fs::write(&mark, "").unwrap();
        }
        let before = outside_sled();
        let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
        assert_eq!(refused, OpenError::JournalShort { lost: lost.clone() });
        assert!(outside_sled() == before, "unclean: {unclean}");
    }
}

#[test]
fn of_many_events_that_the_journal_lost_ten_are_listed() {
    let lost = |count: u8| {
        let of = |number| Lost { stream: stream(number), journal: 1, sled: 2 };
        OpenError::JournalShort { lost: (1..=count).map(of).collect() }.to_string()
    };
    assert_eq!(lost(10).matches("ends at record 1").count(), 10);
    assert!(!lost(10).contains("other tournaments"));
    assert_eq!(lost(12).matches("ends at record 1").count(), 10);
    assert!(lost(12).contains("; and 2 other tournaments; nothing was changed"), "{}", lost(12));
}

/// A store without a command, and a copy of it, which has not even a segment.
#[test]
fn a_store_without_commands_is_read() {
    let folder = Folder::new();
    open(&folder).close().unwrap();
    let copy = open_copy(&folder);
    assert!(!copy.segment(1).exists());
    for folder in [&folder, &copy] {
        let log = ReadOnlyLog::open(&folder.0).unwrap();
        assert_eq!((log.frames(), log.torn(), log.streams().unwrap()), (0, 0, vec![]));
        assert_eq!(log.head(stream(1)), Ok(Head::EMPTY));
        assert_eq!(read(&log, stream(1), 0), []);
    }
}

/// Whole streams through an index, the journal in one go, and commands of events that are not
/// there, from a store that is only read.
#[test]
fn a_store_that_is_only_read_gives_the_same() {
    let (folder, all) = filled(150);
    let log = ReadOnlyLog::open(&folder.0).unwrap();
    assert_eq!(log.frames(), 150);
    let scanned = log.scan().map(Result::unwrap).count();
    assert_eq!(scanned, all.iter().map(|(_, records)| records.len()).sum::<usize>());
    for threads in [1, 4] {
        let index = log.index_journal(threads).unwrap();
        let heads: Vec<_> = index.heads().collect();
        let known: Vec<_> = all.iter().map(|(id, _)| (*id, log.head(*id).unwrap())).collect();
        assert_eq!(heads, known);
        let mut reader = index.reader();
        for (id, records) in &all {
            let found: Vec<_> = reader.read(*id).map(Result::unwrap).collect();
            assert_eq!(&found, records);
        }
    }
    assert_eq!(log.command(stream(99), CommandId(1)), Ok(None));
    assert_eq!(log.command(stream(1), CommandId(9_999)), Ok(None));
}

/// Puts a file where sled's folder should be: it can't be used at all.
fn without_sled(folder: &Folder) -> EmbeddedLog {
    fs::remove_dir_all(folder.sled()).unwrap();
    fs::write(folder.sled(), "").unwrap();
    let patient = Options { patience: Duration::from_secs(60), ..options() };
    let log = EmbeddedLog::open(&folder.0, patient).unwrap();
    while !codes(&log).contains(&"sled-unavailable") {
        std::thread::sleep(Duration::from_millis(5));
    }
    log
}

/// Damage keeps those events from being read of which the segment holds something, and no others.
#[test]
fn damage_in_a_segment_is_no_matter_to_other_events() {
    let folder = Folder::new();
    let log = open(&folder);
    for number in [1, 2] {
        for command in 0..60 {
            append(&log, stream(number), command, 1, 400);
        }
    }
    let all = everything(&log);
    log.close().unwrap();
    let places = frames(&folder);
    let second = places.iter().find(|place| place.3 == stream(2)).unwrap().0;
    assert!(second > 1);
    flip(&folder.segment(1), 8 * 5_000);
    let log = without_sled(&folder);
    assert_eq!(read(&log, stream(2), 0), all[1].1);
    let refused = log.read(stream(1), 0).collect::<Result<Vec<_>, _>>();
    assert!(matches!(refused, Err(LogError::Damaged { segment: 1, .. })), "{refused:?}");
    assert!(log.command(stream(2), CommandId(7)).unwrap().is_some());
    assert!(log.command(stream(1), CommandId(7)).is_err());
}

/// Without sled the journal answers, from any record on, and nobody waits for what is not there.
#[test]
fn a_store_without_sled_answers_at_once() {
    let (folder, all) = filled(60);
    let log = without_sled(&folder);
    let begun = std::time::Instant::now();
    for (id, records) in &all {
        for after in 0..=records.len() {
            assert_eq!(read(&log, *id, after as u64), records[after..], "after {after}");
        }
        let command = records[records.len() - 1].header().command;
        assert!(log.command(*id, command).unwrap().is_some());
    }
    append(&log, stream(1), 5_000, 1, 10);
    assert!(begun.elapsed() < Duration::from_secs(30), "somebody waited for a sled that is gone");
}

/// Two places of a segment are damaged while the store is open: how many commands came before the
/// second is not guessed.
#[test]
fn what_a_frame_held_is_not_guessed_behind_damage_in_its_segment() {
    let folder = Folder::new();
    let log = open(&folder);
    for command in 0..20 {
        append(&log, stream(1 + (command % 2) as u8), command, 1, 40);
    }
    log.close().unwrap();
    let places = frames(&folder);
    let log = ReadOnlyLog::open(&folder.0).unwrap();
    flip(&folder.segment(1), (places[4].1 + 60) * 8);
    let refused = |id| match log.read(stream(id), 0).collect::<Result<Vec<_>, _>>() {
        Err(LogError::Damaged { offset, what, .. }) => (offset, what),
        other => panic!("{other:?}"),
    };
    let (offset, what) = refused(1);
    assert_eq!(offset, places[4].1);
    assert!(what.starts_with("frame 5, which holds record 3 of tournament 01010101: "), "{what}");
    flip(&folder.segment(1), (places[9].1 + 60) * 8);
    let (offset, what) = refused(2);
    assert_eq!((offset, &what[..]), (places[9].1, "a frame's checksum does not hold"));
}

fn format_of(folder: &Path) -> String {
    fs::read_to_string(folder.join("FORMAT")).unwrap()
}

/// A backup is made into a folder that has an older one: it goes on being one of this store.
#[test]
fn a_backup_is_made_anew_over_an_older_one() {
    let (folder, _) = filled(20);
    let copy = open_copy(&folder);
    let log = open(&folder);
    append(&log, stream(1), 900, 2, 30);
    let all = everything(&log);
    log.close().unwrap();
    let before = format_of(&copy.0);
    let older = Folder::new();
    copy_folder(&copy.0, &older.0);
    assert_eq!(backup(&folder.0, &copy.0, &[]).unwrap().commands, 21);
    assert_eq!(format_of(&copy.0), before);
    assert_eq!(everything(&ReadOnlyLog::open(&copy.0).unwrap()), all);
    assert!(everything(&ReadOnlyLog::open(&older.0).unwrap()) != all);
}

/// Whoever is refused learns by a code what it is, and what to do next.
#[test]
fn a_refusal_has_a_code_and_says_what_to_do() {
    let folder = || PathBuf::from("spring");
    let damaged = LogError::Damaged { segment: 1, offset: 64, what: String::new() };
    let closed = || OpenError::Log(LogError::Closed);
    let refusals = [
        (OpenError::InUse { folder: folder() }, "store-not-opened", "use that one"),
        (
            OpenError::ReadOnly { folder: folder(), reason: String::new() },
            "store-not-opened",
            "check the disk's space",
        ),
        (
            OpenError::NotAStore { folder: folder(), reason: String::new() },
            "store-not-opened",
            "name an empty folder or a store",
        ),
        (OpenError::IsCopy { folder: folder() }, "store-not-opened", "make a store of it"),
        (OpenError::Newer { found: 2, known: 1 }, "store-not-opened", "install the version"),
        (
            OpenError::TailDamaged { segment: 1, offset: 64, bytes: 1 },
            "journal-damaged",
            "bring it back",
        ),
        (OpenError::JournalShort { lost: vec![] }, "journal-damaged", "bring it back"),
        (damaged.into(), "journal-damaged", "bring it back"),
        (
            MirrorError::NotACopy { folder: folder() }.into(),
            "mirror-not-empty",
            "name an empty or a new folder",
        ),
        (
            MirrorError::OtherStore { folder: folder() }.into(),
            "mirror-of-another-store",
            "a folder of its own for each store",
        ),
        (MirrorError::Newer { folder: folder() }.into(), "mirror-newer", "name another folder"),
        (
            MirrorError::Ahead { folder: folder() }.into(),
            "mirror-ahead",
            "bring back what is missing",
        ),
        (MirrorError::Differs { folder: folder() }.into(), "mirror-differs", "an older copy"),
        (
            MirrorError::Away { reason: String::new() }.into(),
            "mirror-away",
            "check the folder, the disk",
        ),
    ];
    for (refusal, code, hint) in refusals {
        assert_eq!(refusal.code(), code);
        let said = refusal.hint().unwrap_or_default();
        assert!(said.contains(hint), "{code}: {said}");
    }
    assert_eq!((closed().code(), closed().hint()), (Code::io("store-not-opened"), None));
}

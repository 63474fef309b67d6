//! Mirrors, backups, and journals put together again.

use std::fs;
use std::path::Path;
use std::time::Duration;

use scrutineer_engine::book::{Field, PrivateEntry, PrivateTexts, commit};
use scrutineer_engine::event::{NoteAdded, TextsForgotten};
use scrutineer_engine::log::{AppendError, Head, Log, LogError};
use scrutineer_engine::record::StreamId;
use scrutineer_store::texts::FolderTexts;
use scrutineer_store::{
    CombineError, EmbeddedLog, Kind, Mirror, MirrorError, OpenError, Options, ReadOnlyLog, backup,
    combine_journals, remembered,
};

use crate::kit::{
    Folder, Seeded, append, batch, codes, contents, copy_folder, everything, filled, open, options,
    record, stream,
};

fn mirrored(folder: &Folder, mirror: &Folder) -> Result<EmbeddedLog, OpenError> {
    let options = Options { mirror: Mirror::In(mirror.0.clone()), ..options() };
    EmbeddedLog::open(&folder.0, options)
}

fn refusal(folder: &Folder, mirror: &Folder) -> MirrorError {
    match mirrored(folder, mirror) {
        Err(OpenError::Mirror(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was not refused"),
    }
}

pub fn same_journal(store: &Path, copy: &Path) {
    let of = |folder: &Path| -> Vec<(String, Vec<u8>)> {
        let files = contents(&folder.join("journal")).into_iter();
        let named = files.map(|(path, bytes)| {
            (path.file_name().expect("a name").to_string_lossy().into_owned(), bytes)
        });
        named.filter(|(name, _)| name.ends_with(".seg")).collect()
    };
    assert!(of(store) == of(copy), "the copy's journal is not the store's");
}

fn name(number: u32, text: &str) -> PrivateEntry {
    PrivateEntry { number, field: Field::Name, salt: [number as u8; 32], text: text.to_string() }
}

fn book(folder: &Path, id: StreamId) -> String {
    fs::read_to_string(folder.join("books").join(format!("{id}.jsonl"))).unwrap_or_default()
}

/// Every command reaches the mirror, over segments and openings, and what stands in it can be read.
#[test]
fn a_mirror_follows() {
    let (folder, _) = filled(20);
    let mirror = Folder::new();
    let log = mirrored(&folder, &mirror).unwrap();
    for command in 0..100 {
        append(&log, stream(4), 900 + command, 2, 150);
    }
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
    assert!(folder.segment(3).exists(), "the test wants several segments");
    // It is remembered.
    assert_eq!(remembered(&folder.0).unwrap().unwrap().folder, mirror.0.clone());
    let log = open(&folder);
    append(&log, stream(4), 2_000, 1, 10);
    let all = everything(&log);
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
    let copy = ReadOnlyLog::open(&mirror.0).unwrap();
    assert_eq!(copy.identity().kind, Kind::Copy);
    assert_eq!(everything(&copy), all);
    // And forgotten again.
    let off = Options { mirror: Mirror::Off, ..options() };
    EmbeddedLog::open(&folder.0, off).unwrap().close().unwrap();
    assert_eq!(remembered(&folder.0), Ok(None));
}

/// A mirror that is not there keeps nobody from going on; it is told once, and catches up.
#[test]
fn a_mirror_that_was_away_catches_up() {
    let (folder, _) = filled(5);
    let mirror = Folder::new();
    mirrored(&folder, &mirror).unwrap().close().unwrap();
    let elsewhere = Folder::new();
    fs::rename(&mirror.0, &elsewhere.0).unwrap();
    for (opening, told) in [(0, vec!["mirror-away"]), (1, vec![])] {
        let log = open(&folder);
        assert_eq!(codes(&log), told);
        append(&log, stream(1), 500 + opening, 1, 10);
        log.close().unwrap();
    }
    assert!(!mirror.0.exists(), "it must not be begun anew where a stick was");
    fs::rename(&elsewhere.0, &mirror.0).unwrap();
    let log = open(&folder);
    while !codes(&log).contains(&"mirror-back") {
        std::thread::sleep(Duration::from_millis(5));
    }
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
    assert_eq!(codes(&open(&folder)), [""; 0]);
}

/// A stick that is pulled out while the store is open.
#[test]
fn a_mirror_that_fails_stops_nothing() {
    let (folder, _) = filled(5);
    let mirror = Folder::new();
    let log = mirrored(&folder, &mirror).unwrap();
    let elsewhere = Folder::new();
    fs::rename(&mirror.0, &elsewhere.0).unwrap();
    for command in 0..200 {
        append(&log, stream(2), 700 + command, 1, 400);
    }
    let all = everything(&log);
    log.close().unwrap();
    fs::rename(&elsewhere.0, &mirror.0).unwrap();
    let log = open(&folder);
    assert_eq!(everything(&log), all);
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
}

/// Cut anywhere, as by a stick that was pulled out, a mirror goes on behind its last whole command.
#[test]
fn a_torn_mirror_is_cut_and_goes_on() {
    let (folder, _) = filled(12);
    let mirror = Folder::new();
    mirrored(&folder, &mirror).unwrap().close().unwrap();
    let file = mirror.segment(1);
    let whole = fs::read(&file).unwrap();
    let mut seeded = Seeded(77);
    for turn in 0..40 {
        let mut bytes = whole.clone();
        bytes.truncate(seeded.below(whole.len() as u64) as usize);
        if turn % 3 == 0 {
            // Its length was written, and not all of its contents.
            bytes.resize(whole.len() - seeded.below(200) as usize, 0);
        }
        fs::write(&file, bytes).unwrap();
        let log = open(&folder);
        assert_eq!(codes(&log), [""; 0], "turn {turn}");
        log.close().unwrap();
        same_journal(&folder.0, &mirror.0);
    }
}

/// One bit flips in the header of a mirror's segment: what it copies is copied again, also where the
/// segment has long been full.
#[test]
fn a_mirror_whose_header_is_damaged_is_written_again() {
    let (folder, _) = filled(60);
    let mirror = Folder::new();
    mirrored(&folder, &mirror).unwrap().close().unwrap();
    assert!(mirror.segment(2).exists(), "the test wants two segments");
    for (segment, at) in [(1, 0), (1, 20), (2, 63)] {
        flip(&mirror.segment(segment), 8 * at);
        let log = open(&folder);
        assert_eq!(codes(&log), [""; 0], "byte {at} of segment {segment}");
        log.close().unwrap();
        same_journal(&folder.0, &mirror.0);
    }
}

/// Whoever began a mirror was killed before it had its FORMAT.
#[test]
fn a_mirror_whose_beginning_was_killed_is_begun_again() {
    let (folder, _) = filled(5);
    let mirror = Folder::new();
    fs::create_dir_all(mirror.0.join("journal")).unwrap();
    fs::write(mirror.0.join(".FORMAT.4711-0.new"), "scrutineer mir").unwrap();
    mirrored(&folder, &mirror).unwrap().close().unwrap();
    same_journal(&folder.0, &mirror.0);
    assert!(!mirror.0.join(".FORMAT.4711-0.new").exists());
}

#[test]
fn a_mirror_of_something_else_is_refused() {
    let ((folder, _), (other, _)) = (filled(5), filled(5));
    let mirror = Folder::new();
    mirrored(&folder, &mirror).unwrap().close().unwrap();
    assert!(matches!(refusal(&other, &mirror), MirrorError::OtherStore { .. }));
    assert!(matches!(refusal(&other, &folder), MirrorError::NotACopy { .. }));
    let foreign = Folder::new();
    fs::create_dir_all(&foreign.0).unwrap();
    fs::write(foreign.0.join("holiday.jpg"), "").unwrap();
    assert!(matches!(refusal(&other, &foreign), MirrorError::NotACopy { .. }));
    let nowhere = Folder(foreign.0.join("no/such/stick"));
    assert!(matches!(refusal(&other, &nowhere), MirrorError::Away { .. }));
    let inside = Folder(other.0.join("stick"));
    assert!(matches!(refusal(&other, &inside), MirrorError::Inside { .. }));
    assert!(!inside.0.exists());
    assert_eq!(remembered(&other.0), Ok(None));
    open(&other).close().unwrap();
}

/// The store was replaced by an older copy of itself: the mirror knows more, or something else.
#[test]
fn a_mirror_that_has_more_or_something_else_is_refused() {
    let (folder, _) = filled(5);
    let (mirror, older) = (Folder::new(), Folder::new());
    copy_folder(&folder.0, &older.0);
    let log = mirrored(&folder, &mirror).unwrap();
    append(&log, stream(1), 500, 1, 300);
    log.close().unwrap();
    assert!(matches!(refusal(&older, &mirror), MirrorError::Ahead { .. }));
    let log = open(&older);
    append(&log, stream(1), 501, 1, 300);
    log.close().unwrap();
    let before = contents(&mirror.0);
    assert!(matches!(refusal(&older, &mirror), MirrorError::Differs { .. }));
    assert!(contents(&mirror.0) == before, "a refused mirror was changed");
}

/// Names are in the mirror before their events, and go from it when they go from the store.
#[test]
fn a_mirror_has_the_names_and_loses_them() {
    let folder = Folder::new();
    let (id, mirror) = (stream(1), Folder::new());
    let log = mirrored(&folder, &mirror).unwrap();
    let books = FolderTexts::open(folder.0.join("books")).unwrap();
    books.append(id, &[name(1, "Ann Lee"), name(2, "Bob")]).unwrap();
    for entry in [name(1, "Ann Lee"), name(2, "Bob")] {
        record(&log, id, NoteAdded { note: commit(id, &entry), about: None }.into());
    }
    log.close().unwrap();
    assert_eq!(book(&mirror.0, id), book(&folder.0, id));
    assert!(book(&mirror.0, id).contains("Ann Lee"));
    // Somebody took it away: the mirror keeps it until the log says that it was forgotten.
    books.forget(id, &[1]).unwrap();
    open(&folder).close().unwrap();
    assert!(book(&mirror.0, id).contains("Ann Lee"));
    let log = open(&folder);
    record(&log, id, TextsForgotten { numbers: vec![1] }.into());
    log.close().unwrap();
    assert_eq!(book(&mirror.0, id), book(&folder.0, id));
    assert!(!book(&mirror.0, id).contains("Ann Lee"));
    // A book that lost a line is not carried over: the mirror's is better.
    let kept = book(&mirror.0, id);
    let file = folder.0.join("books").join(format!("{id}.jsonl"));
    fs::write(&file, kept.lines().next().unwrap().to_string() + "\n").unwrap();
    let log = open(&folder);
    record(&log, id, TextsForgotten { numbers: vec![1] }.into());
    log.close().unwrap();
    same_journal(&folder.0, &mirror.0);
    assert_eq!(book(&mirror.0, id), kept);
}

/// A store is copied while eight writers write to it: what is copied is whole, and a beginning.
#[test]
fn a_backup_is_whole_while_others_write() {
    let (folder, _) = filled(10);
    let log = open(&folder);
    let copies: Vec<Folder> = (0..5).map(|_| Folder::new()).collect();
    std::thread::scope(|scope| {
        for writer in 0..8_u8 {
            let log = &log;
            scope.spawn(move || {
                for command in 0..60 {
                    append(log, stream(20 + writer), 1 + command, 2, 100);
                }
            });
        }
        for copy in &copies {
            backup(&folder.0, &copy.0, &[]).unwrap();
        }
    });
    let all = everything(&log);
    log.close().unwrap();
    for copy in &copies {
        let log = ReadOnlyLog::open(&copy.0).unwrap();
        assert_eq!(log.torn(), 0);
        for (id, records) in everything(&log) {
            let (_, whole) = all.iter().find(|(stream, _)| *stream == id).unwrap();
            assert_eq!(records, whole[..records.len()]);
        }
    }
}

/// What is read without writing is the same, and nothing is written.
#[test]
fn a_store_is_read_without_writing() {
    let (folder, all) = filled(60);
    let before = contents(&folder.0);
    let log = ReadOnlyLog::open(&folder.0).unwrap();
    assert_eq!(everything(&log), all);
    let writable = open(&folder);
    for (id, records) in &all {
        assert_eq!(log.head(*id).unwrap(), writable.head(*id).unwrap());
        for record in records {
            let command = record.header().command;
            assert_eq!(log.command(*id, command), writable.command(*id, command));
        }
        let half = records.len() / 2;
        assert_eq!(crate::kit::read(&log, *id, half as u64), records[half..]);
    }
    writable.close().unwrap();
    let refused = log.append(Head::EMPTY, batch(stream(9), Head::EMPTY, 1, 1, 10));
    assert_eq!(refused, Err(AppendError::ReadOnly));
    let journal = |files: Vec<(std::path::PathBuf, Vec<u8>)>| -> Vec<_> {
        let kept = |path: &std::path::PathBuf| !path.starts_with(folder.sled());
        files.into_iter().filter(|(path, _)| kept(path)).collect()
    };
    assert!(journal(contents(&folder.0)) == journal(before));
    let copy = open_copy(&folder);
    assert!(matches!(EmbeddedLog::open(&copy.0, options()), Err(OpenError::IsCopy { .. })));
}

pub fn open_copy(folder: &Folder) -> Folder {
    let copy = Folder::new();
    backup(&folder.0, &copy.0, &[]).unwrap();
    copy
}

/// Where each frame stands, and what it holds: segment, offset, end, stream, first and last record.
pub fn frames(folder: &Folder) -> Vec<(u64, u64, u64, StreamId, u64, u64)> {
    let mut found = Vec::new();
    for segment in 1.. {
        let Ok(bytes) = fs::read(folder.segment(segment)) else { return found };
        let mut at = 64;
        while at < bytes.len() {
            let len = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
            let body = &bytes[at + 32..at + 32 + len];
            let count = u64::from(u32::from_le_bytes(body[32..36].try_into().unwrap()));
            let first = scrutineer_engine::record::Record::read_header(&body[68..]).unwrap();
            let end = (at + 32 + len) as u64;
            found.push((segment, at as u64, end, first.stream, first.seq, first.seq + count - 1));
            at = end as usize;
        }
    }
    unreachable!()
}

pub fn flip(file: &Path, bit: u64) {
    let mut bytes = fs::read(file).unwrap();
    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    fs::write(file, bytes).unwrap();
}

/// A bit anywhere in the journal: the frame is named with what it held, and a copy brings it back.
#[test]
fn a_flipped_bit_in_the_journal_is_named_and_mended() {
    let (folder, all) = filled(150);
    let copy = open_copy(&folder);
    let places = frames(&folder);
    for segment in 1..=places.last().unwrap().0 {
        // Without summaries every segment is read at opening.
        let _ = fs::remove_file(folder.segment(segment).with_extension("sum"));
    }
    let (mut seeded, mut named) = (Seeded(2_026), 0);
    for turn in 0..400 {
        let segment = 1 + seeded.below(places.last().unwrap().0);
        let file = folder.segment(segment);
        let bit = seeded.below(fs::metadata(&file).unwrap().len() * 8);
        flip(&file, bit);
        let place = places.iter().position(|(in_segment, from, to, ..)| {
            *in_segment == segment && (*from..*to).contains(&(bit / 8))
        });
        let error = match ReadOnlyLog::open(&folder.0) {
            Err(OpenError::Log(LogError::Damaged { segment: at, what, .. })) => {
                assert_eq!(at, segment, "turn {turn}, bit {bit}: {what}");
                Some(what)
            }
            Err(OpenError::TailDamaged { segment: at, .. }) => {
                assert_eq!(at, segment);
                None
            }
            Err(other) => panic!("turn {turn}, bit {bit}: {other}"),
            // Bytes 12 to 15 and 56 to 59 of a header are zero and say nothing.
            Ok(_) => panic!("turn {turn}: bit {bit} of segment {segment} went unnoticed"),
        };
        if let Some((place, what)) = place.zip(error) {
            let (_, _, _, id, first, last) = places[place];
            let (number, short) = (place + 1, &id.to_string()[..8]);
            assert!(what.starts_with(&format!("frame {number}")), "bit {bit}: {what}");
            if what.contains("which holds") {
                named += 1;
                let held = match first == last {
                    true => format!("record {first} of tournament {short}"),
                    false => format!("records {first} to {last} of tournament {short}"),
                };
                assert!(what.contains(&held), "bit {bit}: {what}, but it held {held}");
            }
        }
        if turn % 20 > 0 {
            flip(&file, bit);
            continue;
        }
        let mended = Folder::new();
        let journals = [copy.0.join("journal"), folder.0.join("journal")];
        let journals: Vec<&Path> = journals.iter().map(|journal| &**journal).collect();
        let id = ReadOnlyLog::open(&copy.0).unwrap().identity().id;
        combine_journals(&journals, id, &mended.0.join("journal")).unwrap();
        flip(&file, bit);
        same_journal(&folder.0, &mended.0);
    }
    assert!(named > 300, "only {named} of 400 frames were named with what they held");
    assert_eq!(everything(&open(&folder)), all);
}

/// The copy is behind and the store damaged: together they have everything.
#[test]
fn an_older_copy_and_a_damaged_store_make_a_whole_one() {
    let (folder, _) = filled(40);
    let copy = open_copy(&folder);
    let log = open(&folder);
    for command in 0..40 {
        append(&log, stream(5), 3_000 + command, 1, 300);
    }
    let all = everything(&log);
    log.close().unwrap();
    let whole = Folder::new();
    copy_folder(&folder.0, &whole.0);
    flip(&folder.segment(1), 8 * 700);
    let id = ReadOnlyLog::open(&copy.0).unwrap().identity().id;
    let combine = |from: &[&Folder], to: &Folder| {
        let journals: Vec<_> = from.iter().map(|folder| folder.0.join("journal")).collect();
        let journals: Vec<&Path> = journals.iter().map(|journal| &**journal).collect();
        combine_journals(&journals, id, &to.0.join("journal"))
    };
    let mended = Folder::new();
    let combined = combine(&[&copy, &folder], &mended).unwrap();
    assert_eq!(combined.alone, [1, 40]);
    assert_eq!(combined.commands, 80);
    same_journal(&whole.0, &mended.0);
    fs::write(mended.0.join("FORMAT"), fs::read(whole.0.join("FORMAT")).unwrap()).unwrap();
    assert_eq!(everything(&open(&mended)), all);
    // Without the copy there is a gap, and it is not passed over.
    let gap = combine(&[&folder], &Folder::new()).unwrap_err();
    assert!(matches!(gap, CombineError::Gap { .. }), "{gap}");
    // Another store's journal, and another history of this one.
    let (other, _) = filled(3);
    let foreign = combine(&[&copy, &other], &Folder::new()).unwrap_err();
    assert!(matches!(foreign, CombineError::OtherStore { .. }), "{foreign}");
    let fork = Folder::new();
    copy_folder(&whole.0, &fork.0);
    let last = frames(&fork).pop().unwrap();
    let file = fork.segment(last.0);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..last.1 as usize]).unwrap();
    fs::remove_dir_all(fork.sled()).unwrap();
    let log = open(&fork);
    append(&log, stream(6), 9_000, 1, 10);
    log.close().unwrap();
    let differ = combine(&[&whole, &fork], &Folder::new()).unwrap_err();
    assert!(matches!(differ, CombineError::Differ { command: 80, .. }), "{differ}");
}

//! Power cuts, flipped bits, folders that are gone.

use std::path::PathBuf;
use std::time::Duration;

use scrutineer_engine::log::{AppendError, Log, LogError};
use scrutineer_engine::record::StreamId;
use scrutineer_store::{EmbeddedLog, OpenError, Options};

use crate::kit::{
    Folder, Seeded, append, batch, codes, contents, copy_folder, everything, filled, open, options,
    stream, told,
};

/// The mark that an unclean stop leaves behind.
fn mark_unclean(folder: &Folder) {
    std::fs::write(folder.0.join("open"), "").unwrap();
}

fn last_segment(folder: &Folder) -> PathBuf {
    let names = std::fs::read_dir(folder.0.join("journal")).unwrap();
    let segments = names.map(|name| name.unwrap().path());
    segments.filter(|path| path.extension().is_some_and(|kind| kind == "seg")).max().unwrap()
}

fn flip(file: &PathBuf, bit: u64) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    std::fs::write(file, bytes).unwrap();
}

fn copy_of(folder: &Folder) -> Folder {
    let copy = Folder::new();
    copy_folder(&folder.0, &copy.0);
    copy
}

/// Cut at every byte of its last frame, the journal loses that frame and nothing else.
#[test]
fn an_interrupted_write_loses_only_itself() {
    let folder = Folder::new();
    let log = open(&folder);
    append(&log, stream(1), 1, 2, 4);
    append(&log, stream(2), 2, 1, 4);
    let before = everything(&log);
    let file = folder.segment(1);
    let whole_before = std::fs::metadata(&file).unwrap().len();
    append(&log, stream(1), 3, 2, 4);
    log.close().unwrap();
    let bytes = std::fs::read(&file).unwrap();
    for len in whole_before as usize..bytes.len() {
        // sled would know better: here it is gone, as after a power cut.
        std::fs::remove_dir_all(folder.sled()).unwrap();
        std::fs::write(&file, &bytes[..len]).unwrap();
        mark_unclean(&folder);
        let log = open(&folder);
        assert_eq!(everything(&log), before, "cut at {len}");
        let cut = codes(&log).contains(&"journal-tail-cut");
        assert_eq!(cut, len as u64 != whole_before, "cut at {len}");
        if len % 64 == 0 {
            append(&log, stream(1), 3, 1, 4);
        }
        log.close().unwrap();
    }
}

/// Garbage behind the last frame goes; what follows is written in its place.
#[test]
fn garbage_at_the_end_is_cut() {
    let (folder, all) = filled(10);
    for garbage in [&[0_u8; 5000][..], &[0xff; 40], b"SCRF and more that is no frame ......."] {
        let file = last_segment(&folder);
        let mut bytes = std::fs::read(&file).unwrap();
        bytes.extend_from_slice(garbage);
        std::fs::write(&file, bytes).unwrap();
        let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
        assert!(matches!(refused, OpenError::TailDamaged { .. }), "{refused}");
        mark_unclean(&folder);
        let log = open(&folder);
        assert_eq!(codes(&log), ["unclean-stop", "journal-tail-cut"]);
        assert_eq!(everything(&log), all);
        log.close().unwrap();
        assert_eq!(codes(&open(&folder)), [""; 0]);
    }
}

/// A damaged frame in front of whole ones is not an interrupted write.
#[test]
fn damage_in_the_middle_is_named_and_nothing_is_changed() {
    let (folder, _) = filled(30);
    let file = last_segment(&folder);
    let number: u64 = file.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let len = std::fs::metadata(&file).unwrap().len();
    mark_unclean(&folder);
    let mut seeded = Seeded(11);
    for _ in 0..20 {
        // Not in the last frame: that one may be taken for an interrupted write.
        let bit = seeded.below((len - 1500) * 8);
        flip(&file, bit);
        let before = contents(&folder.0);
        let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
        let OpenError::Log(LogError::Damaged { segment, offset, .. }) = &refused else {
            panic!("bit {bit}: {refused}");
        };
        assert_eq!(*segment, number);
        assert!(*offset <= bit / 8, "{refused}");
        assert!(contents(&folder.0) == before, "bit {bit}: the store was changed");
        flip(&file, bit);
    }
    open(&folder).close().unwrap();
}

/// The last frame was acknowledged and sled has it: cutting it off would be a loss.
#[test]
fn sled_knows_that_the_journal_was_longer() {
    let (folder, all) = filled(10);
    let file = last_segment(&folder);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    mark_unclean(&folder);
    let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
    assert!(matches!(refused, OpenError::JournalShort { .. }), "{refused}");
    assert_eq!(std::fs::read(&file).unwrap().len(), bytes.len() - 1);
    std::fs::write(&file, &bytes).unwrap();
    assert_eq!(everything(&open(&folder)), all);
}

/// A segment in the middle: its summary hides the damage at opening, reading finds it.
#[test]
fn missing_and_damaged_segments_are_named() {
    let (folder, all) = filled(200);
    assert!(folder.segment(3).exists(), "the test wants several segments");
    let copy = copy_of(&folder);
    std::fs::remove_file(copy.segment(2)).unwrap();
    let refused = EmbeddedLog::open(&copy.0, options()).err().unwrap();
    let missing = LogError::Damaged { segment: 2, offset: 0, what: "the file is missing".into() };
    assert_eq!(refused, OpenError::Log(missing));

    let copy = copy_of(&folder);
    std::fs::write(copy.segment(2), &std::fs::read(folder.segment(2)).unwrap()[..9000]).unwrap();
    let refused = EmbeddedLog::open(&copy.0, options()).err().unwrap();
    assert!(matches!(refused, OpenError::Log(LogError::Damaged { .. })), "{refused}");

    // Without their summaries the segments are read, and get new ones.
    let copy = copy_of(&folder);
    let sum = copy.segment(1).with_extension("sum");
    std::fs::remove_file(&sum).unwrap();
    flip(&copy.segment(2).with_extension("sum"), 999);
    let log = open(&copy);
    assert_eq!(everything(&log), all);
    assert!(sum.exists());

    let copy = copy_of(&folder);
    flip(&copy.segment(2), 8 * 5000);
    let log = open(&copy);
    let scanned: Vec<_> = log.scan().collect();
    let (damaged, before) = scanned.split_last().unwrap();
    assert!(matches!(damaged, Err(LogError::Damaged { segment: 2, .. })), "{damaged:?}");
    assert!(!before.is_empty() && before.iter().all(Result::is_ok));
}

/// sled panics, errs or forgets when a bit flips; the journal doesn't.
#[test]
fn flipped_bits_in_sled_lose_nothing() {
    let (folder, all) = filled(120);
    let mut seeded = Seeded(5);
    let mut told = 0;
    for _ in 0..24 {
        let copy = copy_of(&folder);
        let files = contents(&copy.sled());
        let (path, bytes) = &files[seeded.below(files.len() as u64) as usize];
        if bytes.is_empty() {
            continue;
        }
        flip(path, seeded.below(bytes.len() as u64 * 8));
        let log = open(&copy);
        assert_eq!(everything(&log), all, "{}", path.display());
        append(&log, stream(1), 10_000, 1, 30);
        told += usize::from(codes(&log).contains(&"sled-rebuilt"));
        log.close().unwrap();
    }
    assert!(told > 0, "no flip was noticed");
}

#[test]
fn sled_is_made_again() {
    let (folder, all) = filled(50);
    std::fs::remove_dir_all(folder.sled()).unwrap();
    let log = open(&folder);
    assert_eq!(everything(&log), all);
    log.close().unwrap();
    // Another store's sled is moved aside.
    let (other, _) = filled(3);
    std::fs::remove_dir_all(folder.sled()).unwrap();
    copy_folder(&other.sled(), &folder.sled());
    let log = open(&folder);
    assert_eq!(told(&log, 1), ["sled-rebuilt"]);
    assert_eq!(everything(&log), all);
    log.close().unwrap();
    assert!(folder.sled().join("aside-1").is_dir());
    assert_eq!(codes(&open(&folder)), [""; 0]);
}

/// An old sled is behind: it is brought up to the journal, not made again.
#[test]
fn sled_catches_up() {
    let (folder, _) = filled(20);
    let old = Folder::new();
    copy_folder(&folder.sled(), &old.0);
    let log = open(&folder);
    for command in 0..40 {
        append(&log, stream(9), command, 2, 30);
    }
    let all = everything(&log);
    log.close().unwrap();
    std::fs::remove_dir_all(folder.sled()).unwrap();
    copy_folder(&old.0, &folder.sled());
    mark_unclean(&folder);
    let log = open(&folder);
    assert_eq!(codes(&log), ["unclean-stop"]);
    assert_eq!(everything(&log), all);
    // sled is opened and tidied behind the store; closing waits for it.
    log.close().unwrap();
    let names: Vec<_> = std::fs::read_dir(folder.sled()).unwrap().collect();
    assert_eq!(names.len(), 1, "the copy was removed");
}

/// A shorter sled of the same store whose head says so is still behind; one that lies is not.
#[test]
fn a_log_in_use_survives_the_loss_of_its_sled() {
    let (folder, _) = filled(30);
    let log = open(&folder);
    // Whoever appends first waits until sled is open.
    append(&log, stream(4), 499, 1, 100);
    std::fs::remove_dir_all(folder.sled()).unwrap();
    for command in 0..200 {
        append(&log, stream(4), 500 + command, 1, 100);
    }
    let all = everything(&log);
    let _ = log.close();
    assert_eq!(everything(&open(&folder)), all);
}

/// Journals with random damage anywhere: a typed answer, never a panic, never a wrong record.
#[test]
fn random_journals_never_panic() {
    let (folder, all) = filled(25);
    std::fs::remove_dir_all(folder.sled()).unwrap();
    let file = last_segment(&folder);
    let good = std::fs::read(&file).unwrap();
    let mut seeded = Seeded(23);
    for _ in 0..60 {
        let mut bytes = good.clone();
        for _ in 0..1 + seeded.below(3) {
            let at = seeded.below(bytes.len() as u64) as usize;
            let end = (at + 1 + seeded.below(40) as usize).min(bytes.len());
            bytes[at..end].iter_mut().for_each(|byte| *byte = seeded.next() as u8);
        }
        if seeded.below(3) == 0 {
            bytes.truncate(seeded.below(bytes.len() as u64) as usize);
        }
        let copy = copy_of(&folder);
        std::fs::write(last_segment(&copy), bytes).unwrap();
        mark_unclean(&copy);
        if let Ok(log) = EmbeddedLog::open(&copy.0, options()) {
            for (id, records) in everything(&log) {
                let whole = of_stream(&all, id);
                assert_eq!(records, whole[..records.len()]);
            }
        }
    }
}

fn of_stream(
    all: &[(StreamId, Vec<scrutineer_engine::record::Record>)],
    id: StreamId,
) -> &[scrutineer_engine::record::Record] {
    all.iter().find(|(stream, _)| *stream == id).map_or(&[], |(_, records)| records)
}

/// Readers that don't wait for sled read the journal; a sled that counts as stuck is given up.
#[test]
fn the_journal_answers_while_sled_does_not() {
    let (folder, all) = filled(40);
    let impatient = Options { patience: Duration::ZERO, ..options() };
    let log = EmbeddedLog::open(&folder.0, impatient.clone()).unwrap();
    assert_eq!(everything(&log), all);
    log.close().unwrap();
    let harsh = Options { step_deadline: Duration::ZERO, ..impatient };
    let log = EmbeddedLog::open(&folder.0, harsh).unwrap();
    for command in 0..20 {
        assert_eq!(everything(&log)[..all.len()], all);
        append(&log, stream(9), command, 1, 30);
    }
    let head = log.head(stream(1)).unwrap();
    let again = log.append(head, batch(stream(1), head, 1, 1, 10));
    assert!(matches!(again, Err(AppendError::CommandKnown(_))), "{again:?}");
    let more = everything(&log);
    let _ = log.close();
    assert_eq!(everything(&open(&folder)), more);
}

/// After a write that failed the handle accepts nothing; what was acknowledged is still there.
#[test]
fn a_failed_write_stops_the_store() {
    let (folder, _) = filled(5);
    let log = open(&folder);
    let kept = folder.0.join("kept");
    std::fs::rename(folder.0.join("journal"), &kept).unwrap();
    let mut appended = 0;
    let reason = loop {
        let head = log.head(stream(1)).unwrap();
        match log.append(head, batch(stream(1), head, 1000 + appended, 1, 2000)) {
            Ok(_) => appended += 1,
            Err(AppendError::Stopped { reason }) => break reason,
            Err(other) => panic!("{other}"),
        }
    };
    assert!(appended > 0 && reason.contains("journal"), "{reason}");
    std::fs::rename(&kept, folder.0.join("journal")).unwrap();
    let head = log.head(stream(2)).unwrap();
    let refused = log.append(head, batch(stream(2), head, 5000, 1, 10));
    assert_eq!(refused, Err(AppendError::Stopped { reason }));
    let all = everything(&log);
    log.close().unwrap();
    let log = open(&folder);
    assert!(codes(&log).contains(&"unclean-stop"));
    assert_eq!(everything(&log), all);
    append(&log, stream(1), 7000, 1, 10);
}

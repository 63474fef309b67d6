//! Journals whose checksums hold and whose contents do not: nothing that a disk does, but what a
//! program could have written. And frames that were written together.

use std::fs;
use std::path::Path;

use scrutineer_engine::log::{Log, LogError};
use scrutineer_engine::record::Record;
use scrutineer_store::{
    CombineError, EmbeddedLog, OpenError, ReadOnlyLog, combine_journals, id_of_journal,
};

use crate::copies::{flip, frames, same_journal};
use crate::kit::{Folder, codes, copy_folder, everything, filled, open, options};

/// Changes a frame and gives it the checksums of what it holds then.
fn reseal(folder: &Folder, segment: u64, offset: u64, change: impl FnOnce(&mut [u8])) {
    let file = folder.segment(segment);
    let mut bytes = fs::read(&file).unwrap();
    let frame = &mut bytes[offset as usize..];
    let end = 32 + u32::from_le_bytes(frame[4..8].try_into().unwrap()) as usize;
    let frame = &mut frame[..end];
    change(frame);
    let body = crc32c::crc32c(&frame[32..]);
    frame[24..28].copy_from_slice(&body.to_le_bytes());
    let place =
        crc32c::crc32c_append(crc32c::crc32c(&segment.to_le_bytes()), &offset.to_le_bytes());
    let header = crc32c::crc32c_append(place, &frame[..28]);
    frame[28..32].copy_from_slice(&header.to_le_bytes());
    fs::write(file, bytes).unwrap();
}

/// Changes a number in a file, and the checksum that stands behind `covered` bytes.
fn reseal_number(file: &Path, at: usize, number: u64, covered: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    let crc = crc32c::crc32c(&bytes[..covered]);
    bytes[covered..covered + 4].copy_from_slice(&crc.to_le_bytes());
    fs::write(file, bytes).unwrap();
}

fn number_at(file: &Path, at: usize) -> u64 {
    u64::from_le_bytes(fs::read(file).unwrap()[at..at + 8].try_into().unwrap())
}

fn damage(folder: &Folder) -> (u64, u64, String) {
    match ReadOnlyLog::open(&folder.0).map(|_| ()) {
        Err(OpenError::Log(LogError::Damaged { segment, offset, what })) => (segment, offset, what),
        other => panic!("{other:?}"),
    }
}

fn copy_of(folder: &Folder) -> Folder {
    let copy = Folder::new();
    copy_folder(&folder.0, &copy.0);
    copy
}

/// A frame says how many records it has; it has them, and they are one command.
#[test]
fn a_frame_has_as_many_records_as_it_says() {
    let (folder, _) = filled(60);
    let places = frames(&folder);
    let last_segment = places.last().unwrap().0;
    let in_last = places.iter().filter(|place| place.0 == last_segment);
    for (segment, from, _, _, first, last) in in_last {
        let wrong = copy_of(&folder);
        let count = (last - first + 2) as u32;
        let change = |frame: &mut [u8]| frame[64..68].copy_from_slice(&count.to_le_bytes());
        reseal(&wrong, *segment, *from, change);
        let (s, offset, what) = damage(&wrong);
        assert_eq!((s, offset), (*segment, *from));
        assert!(what.ends_with("a command is not complete"), "{what}");
    }
    // In a full segment, which is not read at opening.
    let wrong = copy_of(&folder);
    let (segment, from, ..) = places[3];
    assert!(segment < last_segment);
    reseal(&wrong, segment, from, |frame| frame[64..68].fill(0));
    let log = ReadOnlyLog::open(&wrong.0).unwrap();
    match log.read(places[3].3, 0).last() {
        Some(Err(LogError::Damaged { segment: s, offset, what })) => {
            assert_eq!((s, offset), (segment, from));
            assert!(what.ends_with("a frame without records"), "{what}");
        }
        other => panic!("{other:?}"),
    }
    let log = open(&wrong);
    for threads in [1, 3] {
        let found = log.index_journal(threads).err();
        assert!(matches!(found, Some(LogError::Damaged { offset, .. }) if offset == from));
    }
    let found = log.scan().collect::<Result<Vec<_>, _>>();
    assert!(matches!(found, Err(LogError::Damaged { offset, .. }) if offset == from), "{found:?}");
}

/// A frame with another number than its place has: some before it are missing.
#[test]
fn a_frame_out_of_turn_is_told_and_never_taken() {
    let (folder, _) = filled(9);
    let id = id_of_journal(&folder.0).unwrap();
    for place in [3, 8] {
        let wrong = copy_of(&folder);
        let (segment, from, ..) = frames(&folder)[place];
        let number = place as u64 + 2;
        reseal(&wrong, segment, from, |frame| frame[8..16].copy_from_slice(&number.to_le_bytes()));
        let said = format!("frame {number} stands where {} belongs", place + 1);
        let (s, offset, what) = damage(&wrong);
        assert_eq!((s, offset), (segment, from));
        assert!(what.ends_with(&said), "{what}");
        let journal = wrong.0.join("journal");
        let gap = combine_journals(&[&journal], id, &Folder::new().0).unwrap_err();
        let CombineError::Gap { command, fault } = gap else { panic!("{gap}") };
        assert_eq!(command, place as u64 + 1);
        assert!(fault.to_string().contains(&said), "{fault}");
    }
}

/// Commands that were written together are acknowledged together: where the first of them is
/// damaged, one behind it does not show that it had been durable.
#[test]
fn commands_written_together_are_cut_together() {
    let (folder, _) = filled(12);
    let places = frames(&folder);
    let [(_, first, ..), (segment, second, ..)] = places[places.len() - 2..] else { panic!() };
    fs::remove_dir_all(folder.sled()).unwrap();
    fs::write(folder.0.join("open"), "").unwrap();
    flip(&folder.segment(segment), (first + 50) * 8);
    let refused = EmbeddedLog::open(&folder.0, options()).err().unwrap();
    assert!(matches!(refused, OpenError::Log(LogError::Damaged { .. })), "{refused}");
    reseal(&folder, segment, second, |frame| frame[16..24].copy_from_slice(&first.to_le_bytes()));
    let log = open(&folder);
    assert_eq!(codes(&log), ["unclean-stop", "journal-tail-cut"]);
    assert_eq!(log.stats().commands, 10);
    assert_eq!(fs::metadata(folder.segment(segment)).unwrap().len(), first);
}

/// A segment says how long the one before it was and how many commands came before: both must be
/// so.
#[test]
fn a_segment_goes_on_from_the_one_before() {
    let (folder, _) = filled(120);
    for at in [40, 48] {
        let file = folder.segment(2);
        let number = number_at(&file, at);
        for wrong in [number - 1, number + 1] {
            reseal_number(&file, at, wrong, 60);
            let (segment, _, what) = damage(&folder);
            assert_eq!(segment, 2);
            assert!(what.starts_with("the segment before it has"), "{what}");
        }
        reseal_number(&file, at, number, 60);
    }
    let file = folder.segment(2);
    reseal_number(&file, 8, 2, 60);
    assert_eq!(damage(&folder).2, "it has format 2, written by a newer version");
    reseal_number(&file, 8, 1, 60);
    ReadOnlyLog::open(&folder.0).unwrap();
}

/// What stands beside a full segment is believed only where it is about this one; else it is made
/// again, and is what it was when the segment was full.
#[test]
fn a_summary_that_is_wrong_is_made_again() {
    let (folder, all) = filled(120);
    let file = folder.segment(2).with_extension("sum");
    let good = fs::read(&file).unwrap();
    // Its version; which segment it is about; how long that is; what came before it.
    for at in [8, 16, 24, 32] {
        reseal_number(&file, at, number_at(&file, at) + 1, good.len() - 4);
        let log = open(&folder);
        assert_eq!(everything(&log), all, "number at {at}");
        log.close().unwrap();
        assert!(fs::read(&file).unwrap() == good, "number at {at}");
    }
    let of_other = fs::read(folder.segment(1).with_extension("sum")).unwrap();
    for wrong in [&good[..good.len() - 1], &good[..10], &of_other] {
        fs::write(&file, wrong).unwrap();
        open(&folder).close().unwrap();
        assert!(fs::read(&file).unwrap() == good);
    }
}

/// A summary counts what its segment holds.
#[test]
fn a_summary_counts_what_its_segment_holds() {
    let (folder, _) = filled(120);
    let places = frames(&folder);
    let last_segment = places.last().unwrap().0;
    assert!(last_segment > 2);
    for segment in 1..last_segment {
        let file = folder.segment(segment).with_extension("sum");
        let held: Vec<_> = places.iter().filter(|place| place.0 == segment).collect();
        let before = places.iter().filter(|place| place.0 < segment).count() as u64;
        let records: u64 = held.iter().map(|(.., first, last)| last - first + 1).sum();
        let len = held.last().unwrap().2;
        let numbers = [16, 24, 32, 40, 48, 56].map(|at| number_at(&file, at));
        assert_eq!(numbers, [segment, len, before, held.len() as u64, records, 3]);
    }
}

/// The header of a segment is damaged in all journals there are: its commands are whole.
#[test]
fn a_segment_whose_header_alone_is_damaged_loses_nothing() {
    let (folder, _) = filled(120);
    let whole = copy_of(&folder);
    let id = id_of_journal(&folder.0).unwrap();
    for segment in 2..=frames(&folder).last().unwrap().0 {
        flip(&folder.segment(segment), 8 * 20);
        assert_eq!(damage(&folder).0, segment);
        let mended = Folder::new();
        let journal = folder.0.join("journal");
        let made = combine_journals(&[&journal], id, &mended.0.join("journal")).unwrap();
        assert_eq!((made.commands, &made.left[..]), (120, &[None][..]));
        same_journal(&whole.0, &mended.0);
        flip(&folder.segment(segment), 8 * 20);
    }
}

/// Where the file that says of which store a folder is was lost, its segments say so.
#[test]
fn a_journal_knows_of_which_store_it_is() {
    let ((folder, _), (other, _)) = (filled(120), filled(120));
    let id = ReadOnlyLog::open(&folder.0).unwrap().identity().id;
    fs::remove_file(folder.0.join("FORMAT")).unwrap();
    assert_eq!(id_of_journal(&folder.0), Some(id));
    flip(&folder.segment(1), 8 * 20);
    assert_eq!(id_of_journal(&folder.0), Some(id), "one header is damaged, the others hold");
    fs::copy(other.segment(3), folder.segment(3)).unwrap();
    assert_eq!(id_of_journal(&folder.0), None, "segments of two stores");
    fs::remove_dir_all(folder.0.join("journal")).unwrap();
    assert_eq!(id_of_journal(&folder.0), None);
}

/// Somebody changes a record, makes every checksum right and leaves its hash. sled is gone, so there
/// is nothing but the journal: neither a reader nor a writer shows the record, and a copy is taken
/// where it has what was written.
#[test]
fn a_changed_record_under_its_old_hash_is_shown_by_nobody() {
    let (folder, _) = filled(60);
    let id = id_of_journal(&folder.0).unwrap();
    let places = frames(&folder);
    // In a full segment, which is not read at opening, and in the last one.
    for (segment, from, ..) in [places[3], places[places.len() - 2]] {
        let wrong = copy_of(&folder);
        // The last byte of the first record's payload, or of the last one's.
        reseal(&wrong, segment, from, |frame| *frame.last_mut().unwrap() ^= 1);
        let _ = fs::remove_dir_all(wrong.sled());
        let is_told = |found: Result<Vec<Record>, LogError>| match found {
            Err(LogError::Damaged { segment: s, offset, what }) => {
                assert_eq!((s, offset), (segment, from));
                assert!(what.contains("was changed: its bytes have hash"), "{what}");
            }
            other => panic!("{other:?}"),
        };
        let reader = ReadOnlyLog::open(&wrong.0).unwrap();
        is_told(reader.scan().collect());
        let streams = reader.streams().unwrap();
        let read = |log: &dyn Log| -> Vec<Result<Vec<Record>, LogError>> {
            streams.iter().map(|one| log.read(*one, 0).collect()).collect()
        };
        let found: Vec<_> = read(&reader).into_iter().filter(Result::is_err).collect();
        assert_eq!(found.len(), 1, "one event is damaged");
        found.into_iter().for_each(is_told);
        let log = open(&wrong);
        let found: Vec<_> = read(&log).into_iter().filter(Result::is_err).collect();
        assert_eq!(found.len(), 1, "one event is damaged");
        found.into_iter().for_each(is_told);
        drop(log);
        let (bad, good) = (wrong.0.join("journal"), folder.0.join("journal"));
        let gap = combine_journals(&[&bad], id, &Folder::new().0).unwrap_err();
        assert!(matches!(gap, CombineError::Gap { .. }), "{gap}");
        let into = Folder::new();
        let combined = combine_journals(&[&bad, &good], id, &into.0.join("journal")).unwrap();
        assert_eq!(combined.alone, [0, 1]);
        same_journal(&folder.0, &into.0);
    }
}

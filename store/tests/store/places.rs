//! Damage to the journal, place by place: what is told of it, what a copy passes over, and what is
//! left when journals are put together.

use std::fs;
use std::path::Path;

use scrutineer_engine::log::LogError;
use scrutineer_store::{CombineError, Combined, OpenError, ReadOnlyLog, combine_journals};

use crate::copies::{flip, frames, open_copy, same_journal};
use crate::kit::{Folder, append, codes, contents, copy_folder, everything, filled, open, stream};

/// How opening a folder only to read it went: how many bytes were passed over, or what is damaged.
fn opened(folder: &Folder) -> Result<u64, String> {
    match ReadOnlyLog::open(&folder.0) {
        Ok(log) => Ok(log.torn()),
        Err(OpenError::Log(LogError::Damaged { segment, offset, what })) => {
            Err(format!("segment {segment} at {offset}: {what}"))
        }
        Err(OpenError::TailDamaged { segment, offset, .. }) => {
            Err(format!("segment {segment} ends at {offset}"))
        }
        Err(other) => Err(other.to_string()),
    }
}

/// A store of one segment whose commands are longer than a few sectors, and a copy of it.
fn of_large_commands() -> (Folder, Folder) {
    let folder = Folder::new();
    let log = open(&folder);
    for (command, size) in [(1, 1_800), (2, 700), (3, 2_100), (4, 1_300)] {
        append(&log, stream(1), command, 1, size);
    }
    log.close().unwrap();
    let copy = open_copy(&folder);
    (folder, copy)
}

/// An interrupted write lacks whole sectors, which read as zeros. In a copy that is no damage, also
/// where commands behind it arrived: the frames say what was durable in the store. In the store a
/// command behind it shows that it had been acknowledged.
#[test]
fn a_copy_may_lack_sectors_and_a_store_may_not() {
    let (folder, copy) = of_large_commands();
    let places = frames(&folder);
    assert_eq!(places.len(), 4);
    let whole = fs::read(copy.segment(1)).unwrap();
    for (number, (_, from, to, ..)) in (1..).zip(&places) {
        let is_last = number == places.len();
        for sector in from / 512..=(to - 1) / 512 {
            let (begin, end) = ((sector * 512).max(*from), (sector * 512 + 512).min(*to));
            let mut bytes = whole.clone();
            bytes[begin as usize..end as usize].fill(0);
            fs::write(copy.segment(1), &bytes).unwrap();
            fs::write(folder.segment(1), &bytes).unwrap();
            // A sector in which the next frame begins was written with it.
            let is_shared = sector * 512 + 512 > *to && !is_last;
            let passed_over = whole.len() as u64 - from;
            let found = opened(&copy);
            match is_shared {
                true => assert!(found.is_err(), "frame {number}, sector {sector}: {found:?}"),
                false => assert_eq!(found, Ok(passed_over), "frame {number}, sector {sector}"),
            }
            let found = opened(&folder).unwrap_err();
            let said = match is_last {
                // A store that was closed has no interrupted write.
                true => format!("segment 1 ends at {from}"),
                false => format!("segment 1 at {from}: frame {number}"),
            };
            assert!(found.starts_with(&said), "sector {sector}: {found}");
        }
        // Zeros that do not fill a sector, and a changed byte, are no interrupted write.
        let middle = (from / 512 + 1) * 512;
        for (begin, end) in [(middle + 1, middle + 512), (middle, middle + 511)] {
            let mut bytes = whole.clone();
            if end >= *to || is_last {
                continue;
            }
            bytes[begin as usize..end as usize].fill(0);
            fs::write(copy.segment(1), &bytes).unwrap();
            assert!(opened(&copy).is_err(), "frame {number}, {begin}..{end}");
        }
    }
}

/// A segment's header is durable before its first frame is written, so a file that holds no more
/// than a header, and no whole one, was just being begun.
#[test]
fn a_segment_that_was_being_begun_is_none() {
    let (folder, _) = filled(40);
    let copy = open_copy(&folder);
    let all = everything(&ReadOnlyLog::open(&copy.0).unwrap());
    let segments = frames(&copy).last().unwrap().0;
    let next = copy.segment(segments + 1);
    let header = fs::read(copy.segment(segments)).unwrap()[..64].to_vec();
    for begun in [vec![], vec![7; 1], header[..63].to_vec(), vec![0; 63], vec![0; 64]] {
        fs::write(&next, &begun).unwrap();
        assert_eq!(opened(&copy), Ok(begun.len() as u64), "{begun:?}");
        assert_eq!(everything(&ReadOnlyLog::open(&copy.0).unwrap()), all);
    }
    let mut flipped = vec![0; 64];
    flipped[63] = 1;
    for wrong in [flipped, vec![0; 65], header] {
        fs::write(&next, &wrong).unwrap();
        assert!(opened(&copy).is_err(), "{wrong:?}");
    }
    fs::remove_file(&next).unwrap();
    // The store itself goes on behind such a beginning.
    fs::write(folder.segment(segments + 1), [0; 64]).unwrap();
    fs::write(folder.0.join("open"), "").unwrap();
    let log = open(&folder);
    assert_eq!(codes(&log), ["unclean-stop", "journal-tail-cut"]);
    for command in 0..100 {
        append(&log, stream(7), 9_000 + command, 1, 300);
    }
    let all = everything(&log);
    log.close().unwrap();
    assert_eq!(everything(&open(&folder)), all);
}

/// A damaged frame is told with the records that it held, whichever of its bytes is damaged: by
/// what it goes on from, or else by what the next record of that event leaves out.
#[test]
fn a_damaged_frame_is_told_with_what_it_held() {
    let (folder, _) = filled(120);
    let places = frames(&folder);
    let last_segment = places.last().unwrap().0;
    assert!(last_segment > 1);
    for segment in 1..=last_segment {
        let _ = fs::remove_file(folder.segment(segment).with_extension("sum"));
    }
    for (at, (segment, from, to, id, first, last)) in places.iter().enumerate() {
        let held = match first == last {
            true => format!("record {first} of tournament {}", &id.to_string()[..8]),
            false => format!("records {first} to {last} of tournament {}", &id.to_string()[..8]),
        };
        let expected =
            format!("segment {segment} at {from}: frame {}, which holds {held}: ", at + 1);
        let goes_on = places[at + 1..].iter().any(|place| place.3 == *id);
        // A record's text; the event's id in the first record's header; the frame's own number.
        for (byte, by_itself) in
            [(to - 1, true), (from + 32 + 36 + 32 + 3, false), (from + 8, true)]
        {
            if at + 1 == places.len() || !(goes_on || by_itself) {
                continue;
            }
            flip(&folder.segment(*segment), byte * 8);
            let found = opened(&folder).unwrap_err();
            assert!(found.starts_with(&expected), "byte {byte}: {found}, not {expected}");
            flip(&folder.segment(*segment), byte * 8);
        }
    }
    assert_eq!(opened(&folder), Ok(0));
}

/// Where an earlier place is damaged too, nobody knows how many commands came before.
#[test]
fn what_a_frame_held_is_not_guessed_behind_other_damage() {
    let (folder, _) = filled(120);
    let places = frames(&folder);
    let (segment, from, ..) = places[places.len() - 3];
    assert!(segment > 2, "the test wants several segments");
    // A summary stands for each segment that is full: what is damaged in it is not looked at.
    flip(&folder.segment(1), (places[2].1 + 40) * 8);
    flip(&folder.segment(segment), (from + 40) * 8);
    let found = opened(&folder).unwrap_err();
    assert!(found.starts_with(&format!("segment {segment} at {from}: a frame")), "{found}");
    flip(&folder.segment(1), (places[2].1 + 40) * 8);
    let found = opened(&folder).unwrap_err();
    let number = places.len() - 2;
    assert!(found.contains(&format!(": frame {number}, which holds record")), "{found}");
}

/// A segment that belongs elsewhere, under this one's name.
#[test]
fn a_segment_of_another_store_or_another_place_is_told() {
    let ((folder, _), (other, _)) = (filled(120), filled(120));
    let copy = Folder::new();
    copy_folder(&folder.0, &copy.0);
    let told = |from: &Path, to: u64| {
        fs::copy(from, copy.segment(to)).unwrap();
        let found = opened(&copy).unwrap_err();
        fs::copy(folder.segment(to), copy.segment(to)).unwrap();
        found
    };
    let foreign = told(&other.segment(2), 2);
    assert_eq!(
        foreign,
        "segment 2 at 0: it belongs to another store than the one that the file FORMAT names"
    );
    let third = told(&folder.segment(3), 2);
    assert_eq!(third, "segment 2 at 0: it is segment 3 under another name");
    let before = fs::read(folder.segment(1)).unwrap();
    let cut = copy.0.join("cut");
    fs::write(&cut, &before[..frames(&folder)[5].1 as usize]).unwrap();
    fs::remove_file(copy.segment(1).with_extension("sum")).unwrap();
    let shorter = told(&cut, 1);
    assert!(shorter.contains("the segment before it has"), "{shorter}");
    assert_eq!(opened(&copy), Ok(0));
}

fn combine(from: &[&Folder], to: &Folder) -> Result<Combined, CombineError> {
    let id = ReadOnlyLog::open(&from[0].0).unwrap().identity().id;
    combine_of(id, from, to)
}

fn combine_of(id: [u8; 16], from: &[&Folder], to: &Folder) -> Result<Combined, CombineError> {
    let journals: Vec<_> = from.iter().map(|folder| folder.0.join("journal")).collect();
    let journals: Vec<&Path> = journals.iter().map(|journal| &**journal).collect();
    combine_journals(&journals, id, &to.0.join("journal"))
}

/// A journal that lacks any command but its last has a gap; cut behind a command it has none, and
/// what is left of a command is told.
#[test]
fn a_gap_is_a_command_that_others_follow() {
    let (folder, _) = filled(60);
    let id = ReadOnlyLog::open(&folder.0).unwrap().identity().id;
    let places = frames(&folder);
    let last_segment = places.last().unwrap().0;
    assert!(last_segment > 2);
    let whole = combine_of(id, &[&folder], &Folder::new()).unwrap();
    assert_eq!((whole.commands, &whole.alone[..]), (60, &[60][..]));
    assert_eq!(whole.left, [None]);
    for (at, (segment, from, to, ..)) in places.iter().enumerate() {
        let file = folder.segment(*segment);
        let command = at as u64 + 1;
        let bytes = fs::read(&file).unwrap();
        flip(&file, (to - 1) * 8);
        let found = combine_of(id, &[&folder], &Folder::new());
        match found {
            Err(CombineError::Gap { command: gap, fault }) if at + 1 < places.len() => {
                assert_eq!(gap, command);
                let LogError::Damaged { segment: s, offset, what } = fault else { panic!() };
                assert_eq!((s, offset), (*segment, *from));
                assert!(what.starts_with(&format!("frame {command}")), "{what}");
            }
            Ok(combined) if at + 1 == places.len() => {
                assert_eq!(combined.commands, command - 1);
                let left = combined.left[0].as_ref().expect("the damaged command");
                assert_eq!(left.bytes, to - from);
                let LogError::Damaged { offset, .. } = left.what else { panic!() };
                assert_eq!(offset, *from);
            }
            other => panic!("command {command}: {other:?}"),
        }
        fs::write(&file, bytes).unwrap();
    }
    // The file of a segment is gone, with others behind it, or without.
    for segment in 2..=last_segment {
        let file = folder.segment(segment);
        let bytes = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        let before = places.iter().filter(|place| place.0 < segment).count() as u64;
        match combine_of(id, &[&folder], &Folder::new()) {
            Err(CombineError::Gap { command, .. }) if segment < last_segment => {
                assert_eq!(command, before + 1);
            }
            Ok(combined) if segment == last_segment => assert_eq!(combined.commands, before),
            other => panic!("segment {segment}: {other:?}"),
        }
        fs::write(&file, bytes).unwrap();
    }
}

/// The last write to a copy was interrupted; it has no gap, and the store has what it lacks.
#[test]
fn an_interrupted_copy_has_no_gap() {
    let (folder, copy) = of_large_commands();
    let (_, from, to, ..) = frames(&folder)[2];
    let sector = (from / 512 + 1) * 512;
    assert!(sector + 512 < to);
    let mut bytes = fs::read(copy.segment(1)).unwrap();
    bytes[sector as usize..sector as usize + 512].fill(0);
    fs::write(copy.segment(1), &bytes).unwrap();
    let alone = combine(&[&copy], &Folder::new()).unwrap();
    assert_eq!((alone.commands, &alone.alone[..]), (2, &[2][..]));
    assert_eq!(alone.left[0].as_ref().map(|left| left.bytes), Some(bytes.len() as u64 - from));
    // The same bytes as the store's own are damage.
    let damaged = Folder::new();
    copy_folder(&folder.0, &damaged.0);
    fs::write(damaged.segment(1), &bytes).unwrap();
    let id = ReadOnlyLog::open(&folder.0).unwrap().identity().id;
    let gap = combine_of(id, &[&damaged], &Folder::new()).unwrap_err();
    assert!(matches!(gap, CombineError::Gap { command: 3, .. }), "{gap}");
    let mended = Folder::new();
    let both = combine(&[&copy, &folder], &mended).unwrap();
    assert_eq!((both.commands, &both.alone[..]), (4, &[0, 1][..]));
    same_journal(&folder.0, &mended.0);
    assert!(contents(&mended.0).len() == 1, "nothing but the segment");
}

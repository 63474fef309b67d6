//! A copy of which anything at all is missing or wrong, beside the store.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::super::kit::{batch, options, places, store_of, stream};
use super::super::{EmbeddedLog, Log};
use super::{
    Compare, Copying, Identity, MirrorError, Position, SEGMENT_HEADER, SegmentHeader, segment_file,
};

const HEADER: usize = SEGMENT_HEADER;
const MIB: u64 = 1024 * 1024;

/// Where a copy goes on, or how it is refused.
fn place(ours: &Path, theirs: &Path, end: Position) -> Result<Position, &'static str> {
    let compare = Compare { ours, theirs, copy: theirs, end };
    compare.place().map_err(|error| match error {
        MirrorError::Ahead { .. } => "ahead",
        MirrorError::Differs { .. } => "differs",
        other => panic!("{other}"),
    })
}

/// The last place that both have, when the bytes of this segment are the same up to `same`.
fn last_shared(places: &[Position], segment: u64, same: usize) -> Position {
    let in_front = places.iter().rfind(|place| place.segment < segment);
    let begin = Position {
        segment,
        offset: HEADER as u64,
        frames: in_front.map_or(0, |place| place.frames),
    };
    let shared =
        places.iter().rfind(|place| place.segment == segment && place.offset <= same as u64);
    shared.copied().unwrap_or(begin)
}

/// A copy has the first segments of its store, and its last one is cut, or cut and filled up with
/// zeros, or has one byte that is wrong: at each byte in turn.
#[test]
fn a_copy_goes_on_behind_the_last_command_it_has_whole() {
    let (store, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let places = store_of(store.path(), 900, &[60, 100, 5, 200, 90, 30, 77, 150, 8, 40]);
    let end = *places.last().unwrap();
    assert!(end.segment > 2, "the test wants three segments");
    let (ours, theirs) = (store.path().join("journal"), copy.path());
    for segment in 1..=end.segment {
        let (from, to) = (segment_file(&ours, segment), segment_file(theirs, segment));
        let whole = fs::read(&from).unwrap();
        let check = |bytes: &[u8], what: &str| {
            // Anew: to shorten a file that is there takes some systems long.
            let _ = fs::remove_file(&to);
            fs::write(&to, bytes).unwrap();
            let same = bytes.iter().zip(&whole).take_while(|(a, b)| a == b).count();
            let expected = last_shared(&places, segment, same);
            assert_eq!(place(&ours, theirs, end), Ok(expected), "segment {segment}: {what}");
        };
        for at in 0..whole.len() {
            check(&whole[..at], &format!("cut at {at}"));
            let mut filled = whole[..at].to_vec();
            filled.resize(whole.len(), 0);
            check(&filled, &format!("zeros from {at}"));
            let mut wrong = whole.clone();
            wrong[at] ^= 0x10;
            check(&wrong, &format!("wrong at {at}"));
            if at == HEADER {
                check(&wrong[..HEADER], "no more than a header");
                check(&[0; HEADER], "a header that is not written yet");
            }
        }
        let mut longer = whole.clone();
        longer.extend([0x77; 500]);
        check(&longer, "more behind it");
        check(&whole, "whole");
    }
    assert_eq!(place(&ours, theirs, end), Ok(end));
}

#[test]
fn a_copy_that_is_not_begun_goes_on_at_the_beginning() {
    let (store, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let places = store_of(store.path(), 600, &[60, 100, 5]);
    let found = place(&store.path().join("journal"), copy.path(), places[3]);
    assert_eq!(found, Ok(Position::START));
}

/// The store is an older copy of itself: at each of its commands the mirror is ahead.
#[test]
fn a_copy_with_more_commands_is_ahead() {
    let (store, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let places = store_of(store.path(), 600, &[60, 100, 5, 200, 90, 30, 77, 150]);
    let (ours, theirs) = (store.path().join("journal"), copy.path());
    let last = places.last().unwrap();
    for segment in 1..=last.segment {
        fs::copy(segment_file(&ours, segment), segment_file(theirs, segment)).unwrap();
    }
    for older in places[..places.len() - 1].iter().rev() {
        if older.segment < last.segment {
            let _ = fs::remove_file(segment_file(&ours, older.segment + 1));
        }
        let file = segment_file(&ours, older.segment);
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..older.offset as usize]).unwrap();
        assert_eq!(place(&ours, theirs, *older), Err("ahead"), "{older:?}");
    }
    // Nothing is left of it.
    fs::remove_file(segment_file(&ours, 1)).unwrap();
    for segment in 2..=last.segment {
        fs::remove_file(segment_file(theirs, segment)).unwrap();
    }
    assert_eq!(place(&ours, theirs, Position::START), Err("ahead"));
    fs::write(segment_file(theirs, 1), [0; 900]).unwrap();
    assert_eq!(place(&ours, theirs, Position::START), Ok(Position::START));
    // Neither of them was ever written to.
    fs::remove_file(segment_file(theirs, 1)).unwrap();
    assert_eq!(place(&ours, theirs, Position::START), Ok(Position::START));
}

/// An earlier segment of the copy is damaged, and is copied again; or it begins with the header of
/// another history, which nothing is written over.
#[test]
fn earlier_segments_that_are_damaged_are_not_those_of_another_history() {
    let (store, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let places = store_of(store.path(), 600, &[60, 100, 5, 200, 90, 30, 77, 150]);
    let (ours, theirs) = (store.path().join("journal"), copy.path());
    let end = *places.last().unwrap();
    for segment in 1..=end.segment {
        fs::copy(segment_file(&ours, segment), segment_file(theirs, segment)).unwrap();
    }
    let file = segment_file(theirs, 1);
    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    flipped[20] ^= 1;
    for damaged in [&whole[..whole.len() - 1], &whole[..10], &[], &flipped] {
        fs::write(&file, damaged).unwrap();
        assert_eq!(place(&ours, theirs, end), Ok(Position::START));
    }
    let mut other = whole.clone();
    let header = SegmentHeader { store: [9; 16], ..SegmentHeader::decode(&whole).unwrap() };
    other[..HEADER].copy_from_slice(&header.encode());
    fs::write(&file, other).unwrap();
    assert_eq!(place(&ours, theirs, end), Err("differs"));
    fs::write(&file, &whole).unwrap();
    assert_eq!(place(&ours, theirs, end), Ok(end));
}

/// A large store is copied a mebibyte at a time, so that whoever waits sees it get on; and when it
/// is opened again, the last two of a copy are compared.
#[test]
fn a_large_copy_is_made_in_pieces_and_its_end_is_compared() {
    let (store, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut places = store_of(store.path(), 3 * MIB + MIB / 2, &[60_000; 80]);
    let end = *places.last().unwrap();
    let journal = copy.path().join("journal");
    let id = Identity::read(store.path()).unwrap().unwrap().id;
    let mut copying = Copying::begin(store.path(), copy.path(), id).unwrap();
    let mut steps = 0;
    while copying.position() != end {
        let before = copying.position();
        copying.step(end).unwrap();
        let after = copying.position();
        assert!(places.contains(&after) && after.frames > before.frames, "{after:?}");
        let from = if after.segment == before.segment { before.offset } else { HEADER as u64 };
        let full = (MIB..MIB + 61_000).contains(&(after.offset - from));
        let ends = places.iter().rfind(|place| place.segment == after.segment) == Some(&after);
        assert!(full || (ends && after.offset - from < MIB), "from {from} to {after:?}");
        steps += 1;
    }
    assert_eq!((end.segment, steps), (2, 6));
    let ours = store.path().join("journal");
    for segment in 1..=2 {
        let read = |folder: &Path| fs::read(segment_file(folder, segment)).unwrap();
        assert!(read(&ours) == read(&journal), "segment {segment}");
    }
    // The first segment alone, of three mebibytes and a half.
    fs::remove_file(segment_file(&journal, 2)).unwrap();
    places.retain(|place| place.segment == 1);
    let file = segment_file(&journal, 1);
    let whole = fs::read(&file).unwrap();
    let len = whole.len();
    let compared = 2 * MIB as usize;
    for (at, is_seen) in [
        (len - 1, true),
        (len - 1_000_000, true),
        (len - MIB as usize - 10_000, true),
        (len - compared, true),
        (len - compared - 1, false),
        (1_000, false),
    ] {
        let mut wrong = whole.clone();
        wrong[at] ^= 0x10;
        fs::write(&file, wrong).unwrap();
        let expected = last_shared(&places, 1, if is_seen { at } else { len });
        assert_eq!(place(&ours, &journal, end), Ok(expected), "wrong at {at} of {len}");
    }
    for cut in [len - 70_000, len - 2 * MIB as usize - 70_000] {
        fs::write(&file, &whole[..cut]).unwrap();
        assert_eq!(place(&ours, &journal, end), Ok(last_shared(&places, 1, cut)), "cut at {cut}");
    }
}

/// What an interrupted write left behind the last whole command goes with the next one, also where
/// that is shorter.
#[test]
fn what_is_left_of_an_interrupted_write_goes() {
    let (store, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let end = *store_of(store.path(), MIB, &[60, 100]).last().unwrap();
    let id = Identity::read(store.path()).unwrap().unwrap().id;
    Copying::begin(store.path(), copy.path(), id).unwrap().step(end).unwrap();
    let (ours, theirs) = (store.path().join("journal"), copy.path().join("journal"));
    let mut bytes = fs::read(segment_file(&theirs, 1)).unwrap();
    bytes.extend([0x77; 5_000]);
    fs::write(segment_file(&theirs, 1), bytes).unwrap();
    let log = EmbeddedLog::open(store.path(), options(MIB)).unwrap();
    let head = log.head(stream(1)).unwrap();
    log.append(head, batch(stream(1), head, 9, 1, 10)).unwrap();
    log.close().unwrap();
    let end = *places(&ours).last().unwrap();
    let mut copying = Copying::resume(store.path(), copy.path(), id, end).unwrap();
    copying.step(end).unwrap();
    let read = |folder: &Path| fs::read(segment_file(folder, 1)).unwrap();
    assert!(read(&ours) == read(&theirs));
}

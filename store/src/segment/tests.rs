//! Segments that end and are damaged at every place where it matters, beside slow answers that are
//! plainly right.

use std::ops::Range;

use super::super::LogError;
use super::super::frame::{FRAME_HEADER, FrameHead};
use super::{Position, SECTOR, SEGMENT_HEADER, SegmentHeader, SegmentReader, WINDOW, segment_file};

const START: u64 = SEGMENT_HEADER as u64;

/// A segment's bytes, and where its frames stand.
struct Segment {
    bytes: Vec<u8>,
    frames: Vec<Range<u64>>,
}

impl Segment {
    /// Of frames with bodies of so many bytes, each written after `synced` was synced.
    fn of(frames: &[(usize, u64)]) -> Segment {
        let header = SegmentHeader { store: [7; 16], number: 1, frames_before: 0, previous_len: 0 };
        let mut made = Segment { bytes: header.encode().to_vec(), frames: Vec::new() };
        for (number, (len, synced)) in (1..).zip(frames) {
            let mut body = vec![b'a'; *len];
            if let Some(count) = body.get_mut(32..36) {
                count.copy_from_slice(&1_u32.to_le_bytes());
            }
            let offset = made.bytes.len() as u64;
            let body_crc = crc32c::crc32c(&body);
            let head = FrameHead { body_len: *len as u32, number, synced: *synced, body_crc };
            made.bytes.extend_from_slice(&head.encode(1, offset));
            made.bytes.extend_from_slice(&body);
            made.frames.push(offset..made.bytes.len() as u64);
        }
        made
    }

    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn fill(&mut self, place: Range<u64>, with: u8) {
        self.bytes[place.start as usize..place.end as usize].fill(with);
    }

    /// The first frame that begins at `from` or behind, but for a damaged one.
    fn first_whole(&self, from: u64, damaged: usize) -> Option<u64> {
        let whole = self.frames.iter().enumerate().filter(|(place, _)| *place != damaged);
        whole.map(|(_, frame)| frame.start).find(|start| *start >= from)
    }

    fn read<T>(&self, read: impl FnOnce(&mut SegmentReader) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(segment_file(folder.path(), 1), &self.bytes).unwrap();
        read(&mut SegmentReader::open(folder.path(), 1).unwrap())
    }
}

/// How many frames were read, and what came then.
fn read_on(reader: &mut SegmentReader) -> (usize, Result<(), (u64, String)>) {
    for count in 0.. {
        match reader.next() {
            Ok(Some(_)) => {}
            Ok(None) => return (count, Ok(())),
            Err(LogError::Damaged { offset, what, .. }) => return (count, Err((offset, what))),
            Err(other) => panic!("{other}"),
        }
    }
    unreachable!()
}

#[test]
fn a_segment_is_read_up_to_its_last_whole_frame_wherever_it_ends() {
    let segment = Segment::of(&[(40, START), (100, START), (36, START), (700, START)]);
    segment.read(|reader| {
        for end in START..=segment.len() {
            reader.go_to(START, end);
            let whole = segment.frames.iter().filter(|frame| frame.end <= end).count();
            let next = segment.frames.get(whole).map_or(segment.len(), |frame| frame.start);
            let then = match next < end {
                true => Err((next, "a frame is cut off".to_string())),
                false => Ok(()),
            };
            assert_eq!(read_on(reader), (whole, then), "cut at {end}");
        }
    });
}

#[test]
fn what_is_no_frame_is_told_as_what_it_is() {
    for len in 1..=40 {
        let mut segment = Segment::of(&[(40, START)]);
        let end = segment.len();
        segment.bytes.extend(vec![b'x'; len]);
        let what = match len < FRAME_HEADER {
            true => "a frame is cut off",
            false => "a frame's header does not hold",
        };
        let found = segment.read(read_on);
        assert_eq!(found, (1, Err((end, what.to_string()))), "{len} bytes");
    }
    let mut segment = Segment::of(&[(40, START), (40, START)]);
    segment.fill(200..201, b'x');
    let what = "a frame's checksum does not hold".to_string();
    assert_eq!(segment.read(read_on), (1, Err((136, what))));
    // A body too short for a record's hash, and one that says that it has no records.
    let what = "a frame without records".to_string();
    assert_eq!(Segment::of(&[(35, START)]).read(read_on), (0, Err((START, what))));
}

/// A frame behind damage is found from wherever it is looked for, however long the damage is, also
/// where the mark that frames begin with lies across two pieces that are read.
#[test]
fn a_whole_frame_is_found_behind_long_damage() {
    let long = 5 * WINDOW as usize / 2;
    let mut segment = Segment::of(&[
        (100, START),
        (long, START),
        (50, START),
        (0, START),
        (60, START),
        (0, START),
    ]);
    segment.fill(segment.frames[1].start + 40..segment.frames[1].start + 41, b'x');
    let mut places: Vec<u64> = Vec::new();
    for frame in &segment.frames {
        places.extend([frame.start - 1, frame.start, frame.start + 1]);
    }
    let behind = segment.frames[2].start;
    places.extend((0..6).map(|cut| behind + cut - WINDOW));
    places.extend((0..6).map(|cut| behind + cut - 2 * WINDOW));
    places.push(segment.len() - 5);
    segment.read(|reader| {
        for from in places {
            let found = reader.find_frame(from).unwrap();
            assert_eq!(found, segment.first_whole(from, 1), "from {from}");
        }
        // And back again, to the first of them.
        reader.go_to(START, segment.len());
        assert_eq!(read_on(reader).0, 1);
    });
}

/// The mark alone, at the very end, is no frame.
#[test]
fn a_mark_at_the_end_is_no_frame() {
    for len in 4..=40 {
        let mut segment = Segment::of(&[(40, START)]);
        let end = segment.len();
        segment.bytes.extend(b"SCRF");
        segment.bytes.resize(end as usize + len, b'x');
        assert_eq!(segment.read(|reader| reader.find_frame(end)), Ok(None), "{len} bytes");
        assert_eq!(segment.read(|reader| reader.whole_at(end)), Ok(None), "{len} bytes");
    }
}

/// Only a frame that was written after the place was synced shows that what stood there had been
/// acknowledged: one that was written together with it does not.
#[test]
fn a_frame_of_the_same_write_proves_nothing() {
    let second = START + 32 + 40;
    for (synced, proves) in [(START, false), (second, false), (second + 1, true)] {
        let mut segment = Segment::of(&[(40, START), (40, START), (40, synced)]);
        segment.fill(second + 50..second + 51, b'x');
        assert_eq!(segment.read(|reader| reader.was_synced(second)), Ok(proves), "{synced}");
    }
}

/// Each stretch of a frame is filled with zeros in turn: what is lost is a sector of which all that
/// belongs to the frame is zero, unless the next frame shares it.
#[test]
fn lost_sectors_are_told_from_other_zeros() {
    // The second frame ends where a sector ends, the third within the sector it begins in.
    let mut frames = [(1_500, START), (0, START), (100, START), (900, START)];
    let (until, sector) = (START as usize + 32 + 1_500, SECTOR as usize);
    frames[1].0 = 3 * sector - until % sector - 32;
    let whole = Segment::of(&frames);
    assert_eq!(whole.frames[1].end % SECTOR, 0);
    for (place, frame) in whole.frames.iter().enumerate() {
        let sectors = frame.start / SECTOR..=frame.end.div_ceil(SECTOR);
        let mut edges: Vec<u64> = sectors.flat_map(|at| [at * SECTOR, at * SECTOR + 1]).collect();
        edges.extend([frame.start, frame.start + 1, frame.end - 1, frame.end]);
        edges.retain(|edge| (frame.start..=frame.end).contains(edge));
        for (from, to) in edges.iter().flat_map(|from| edges.iter().map(move |to| (*from, *to))) {
            if from >= to {
                continue;
            }
            let mut segment = Segment::of(&frames);
            segment.fill(from..to, 0);
            let next = segment.first_whole(frame.start, place);
            let lost = next.is_some_and(|next| {
                (frame.start / SECTOR..next / SECTOR).any(|at| {
                    let bytes = (at * SECTOR).max(frame.start)..(at + 1) * SECTOR;
                    from <= bytes.start && bytes.end <= to
                })
            });
            let found = segment.read(|reader| reader.lacks_sectors(frame.start));
            assert_eq!(found, Ok(lost), "frame {place}, zeros {from}..{to}");
        }
    }
}

/// An interrupted write to a copy is no longer than what is written at once.
#[test]
fn sectors_are_lost_near_the_end_only() {
    let mut segment = Segment::of(&[(1_500, START), (40, START), (2 * WINDOW as usize, START)]);
    segment.fill(SECTOR..2 * SECTOR, 0);
    segment.read(|reader| {
        for (end, lost) in [
            (START + WINDOW - 1, true),
            (START + WINDOW, true),
            (START + WINDOW + 1, false),
            (START + 2 * WINDOW, false),
        ] {
            reader.go_to(START, end);
            assert_eq!(reader.lacks_sectors(START), Ok(lost), "a copy of {end} bytes");
        }
        // A copy that ends before the place, and one that ends there.
        for end in [START, START + 1] {
            reader.go_to(START, end);
            assert_eq!(reader.lacks_sectors(START + 1), Ok(false));
        }
    });
}

#[test]
fn bytes_between_two_places_are_no_fewer_than_counted() {
    let at = |segment, offset| Position { segment, offset, frames: 0 };
    assert_eq!(at(2, 100).bytes_to(&at(2, 400), 1_000), 300);
    assert_eq!(at(2, 100).bytes_to(&at(4, 400), 1_000), 2_300);
    assert_eq!(at(2, 400).bytes_to(&at(2, 100), 1_000), 0);
}

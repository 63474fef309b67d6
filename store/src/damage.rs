//! What stood at a damaged place of the journal, as far as it can be known.
//!
//! The frames in front say how far each stream had come. So the damaged frame is known by what its
//! first record goes on from, where that much of it can still be read; otherwise by what the first
//! later record of a stream leaves out.

use std::collections::HashMap;
use std::path::Path;

use super::frame::Frame;
use super::segment::{SEGMENT_HEADER, SegmentReader, count_segments};
use super::{Head, LogError};
use scrutineer_engine::record::StreamId;

/// The same error, with the frame's number and the records it held.
pub(crate) fn explain(journal: &Path, error: LogError) -> LogError {
    let LogError::Damaged { segment, offset, what } = error else {
        return error;
    };
    let found = look(journal, segment, offset);
    let what = found.map_or(what.clone(), |found| format!("{found}: {what}"));
    LogError::Damaged { segment, offset, what }
}

/// How far the journal had come before a place.
#[derive(Default)]
struct Before {
    frames: u64,
    heads: HashMap<StreamId, Head>,
}

impl Before {
    fn take(&mut self, frame: &Frame<'_>) -> Option<()> {
        let first = frame.body.first()?;
        let (hash, _) = frame.body.records().last()??;
        let seq = first.seq.checked_add(u64::from(frame.body.count))?.checked_sub(1)?;
        self.heads.insert(first.stream, Head { seq, hash });
        self.frames = frame.number;
        Some(())
    }

    fn head(&self, stream: StreamId) -> Head {
        self.heads.get(&stream).copied().unwrap_or_default()
    }
}

fn look(journal: &Path, segment: u64, offset: u64) -> Option<String> {
    if offset < SEGMENT_HEADER as u64 {
        return None;
    }
    let mut before = Before::default();
    for number in 1..=segment {
        let mut reader = SegmentReader::open(journal, number).ok()?;
        if number == segment {
            reader.go_to(SEGMENT_HEADER as u64, offset);
        }
        while let Ok(Some(frame)) = reader.next() {
            before.take(&frame)?;
        }
        if reader.offset() < reader.limit() {
            // An earlier place is damaged too: what came before this one can't be counted.
            return None;
        }
    }
    let number = before.frames + 1;
    // The first frame of an event goes on from nothing, so the event that it names may be damaged.
    let own = by_itself(&before, journal, segment, offset);
    let sure = own.filter(|(stream, ..)| before.heads.contains_key(stream));
    let held = sure.or_else(|| {
        // What follows may leave out what a later damaged place held.
        let follows = by_what_follows(before, journal, segment, offset);
        let agrees = |found: &(StreamId, u64, u64)| {
            own.is_none_or(|(_, first, last)| (first, last) == (found.1, found.2))
        };
        follows.filter(agrees).or(own)
    });
    Some(match held {
        Some((stream, first, last)) if first == last => {
            format!("frame {number}, which holds record {first} of tournament {}", short(stream))
        }
        Some((stream, first, last)) => {
            let stream = short(stream);
            format!("frame {number}, which holds records {first} to {last} of tournament {stream}")
        }
        None => format!("frame {number}"),
    })
}

fn short(stream: StreamId) -> String {
    stream.to_string().chars().take(8).collect()
}

/// The damaged frame says what it goes on from, and that is what stood in front of it.
fn by_itself(
    before: &Before,
    journal: &Path,
    segment: u64,
    offset: u64,
) -> Option<(StreamId, u64, u64)> {
    let mut reader = SegmentReader::open(journal, segment).ok()?;
    let body = reader.damaged_body(offset)?;
    let first = body.first()?;
    let head = before.head(first.stream);
    let fits = first.seq == head.seq + 1 && first.previous == head.hash && first.part == 1;
    let count = u64::from(body.count);
    (fits && body.count == first.parts).then(|| (first.stream, first.seq, head.seq + count))
}

/// The first later record that does not go on from what stood in front leaves out what is damaged.
fn by_what_follows(
    mut before: Before,
    journal: &Path,
    segment: u64,
    offset: u64,
) -> Option<(StreamId, u64, u64)> {
    let mut from = offset;
    for number in segment..=count_segments(journal).ok()? {
        let mut reader = SegmentReader::open(journal, number).ok()?;
        while let Ok(Some(found)) = reader.find_frame(from) {
            reader.go_to(found, reader.limit());
            while let Ok(Some(frame)) = reader.next() {
                let first = frame.body.first()?;
                let head = before.head(first.stream);
                if first.seq > head.seq + 1 {
                    return Some((first.stream, head.seq + 1, first.seq - 1));
                }
                before.take(&frame)?;
            }
            from = reader.offset();
        }
        from = SEGMENT_HEADER as u64;
    }
    None
}

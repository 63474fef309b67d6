//! A bundle as a page embeds it: its records without what follows from their bytes.
//!
//! The format stands in docs/FORMAT.md, "Packed bundle".

use super::line::{self, Kind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrutineer_engine::record::{HEADER_LEN, Header, Record, RecordHash, StreamId};
use std::ops::Range;

/// In a record's bytes: time, actor, command, part and parts, kind and schema.
const OWN: Range<usize> = 27..67;

/// In a record's bytes: kind and schema, all that is new in the head of a command's later part.
const OWN_OF_PART: Range<usize> = 63..67;

/// A bundle's lines, each record that follows the one before it in short. Every other line stands as it
/// is, so that the bundle comes out again byte by byte, also where something is wrong with it.
pub fn packed(bundle: &str) -> String {
    let mut out = String::with_capacity(bundle.len() / 4);
    let mut lines = bundle.split_inclusive('\n');
    let Some(first) = lines.next() else { return out };
    out.push_str(first);
    let stream = line::read_header(first.trim_end_matches('\n')).map(|header| header.stream);
    let mut before = None;
    for text in lines {
        let short = stream.as_ref().ok().and_then(|stream| {
            let record = whole(text)?;
            let short = in_short(*stream, before.as_ref(), &record)?;
            before = Some(record.header()).zip(Some(record.hash()));
            Some(short)
        });
        match short {
            Some(short) => out.push_str(&short),
            None => out.push_str(text),
        }
    }
    out
}

/// The record of a line that is spelled as a bundle spells it.
fn whole(text: &str) -> Option<Record> {
    let inner =
        text.strip_suffix('\n').filter(|_| Kind::of(text.as_bytes()) == Some(Kind::Record))?;
    let read = line::read_record(inner);
    read.record.filter(|_| read.faults.is_empty())
}

/// A record's line; none where the record does not follow the one before it.
fn in_short(
    stream: StreamId,
    before: Option<&(Header, RecordHash)>,
    record: &Record,
) -> Option<String> {
    let header = record.header();
    let (seq, previous) =
        before.map_or((1, RecordHash::default()), |(header, hash)| (header.seq + 1, *hash));
    if (header.stream, header.seq, header.previous) != (stream, seq, previous) {
        return None;
    }
    let is_next_part = before.is_some_and(|(before, _)| {
        let part = Header { part: before.part.wrapping_add(1), ..*before };
        let own = |header: &Header| {
            (header.time, header.actor, header.command, header.part, header.parts)
        };
        own(&part) == own(&header)
    });
    let (mark, head) = if is_next_part { (".", OWN_OF_PART) } else { ("", OWN) };
    let bytes = record.bytes();
    let own = [bytes.get(head)?, bytes.get(HEADER_LEN..)?].concat();
    Some(format!("{mark}{}\n", STANDARD.encode(own)))
}

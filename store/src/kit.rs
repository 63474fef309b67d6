//! What the unit tests of the log share.

use std::path::Path;

use super::segment::{JournalReader, Position};
use super::{EmbeddedLog, Log, Options};

pub(crate) use scrutineer_engine::conformance::{batch, stream};

/// Small files, so that tests don't wait for large ones.
pub(crate) fn options(journal_segment_bytes: u64) -> Options {
    Options {
        cache_bytes: 8 * 1024 * 1024,
        sled_segment_bytes: 64 * 1024,
        journal_segment_bytes,
        ..Options::default()
    }
}

/// A store of commands with one record of so many bytes each, all of one stream, closed in order.
pub(crate) fn store_of(folder: &Path, roll_at: u64, sizes: &[usize]) -> Vec<Position> {
    let log = EmbeddedLog::open(folder, options(roll_at)).expect("the store opens");
    for size in sizes {
        let head = log.head(stream(1)).expect("a head");
        let command = u128::from(head.seq) + 1;
        log.append(head, batch(stream(1), head, command, 1, *size)).expect("it is appended");
    }
    log.close().expect("it closes");
    places(&folder.join("journal"))
}

/// The places behind each command of a journal, and its beginning.
pub(crate) fn places(journal: &Path) -> Vec<Position> {
    let end = Position { segment: u64::MAX, offset: 0, frames: u64::MAX };
    let mut reader = JournalReader::new(journal, Position::START, end);
    let mut places = vec![Position::START];
    while let Ok(Some(_)) = reader.next() {
        places.push(reader.at());
    }
    places
}

//! Where announced tables are kept: a file of lines for each tournament beside the log. It can be
//! deleted; every table follows from the log.

use super::{Beside, again};
use scrutineer_engine::files::{Room, SideFile};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::announced::AnnouncedTable;
use scrutineer_replay::kept::KeptError;
use std::collections::BTreeMap;

/// The longest file of an event's tables that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The announced tables of a store.
pub struct Announced(pub Beside);

impl Announced {
    /// The tables of a tournament, by seq. A line that is no table is passed over, such as the
    /// last one after a power cut.
    pub fn get(&self, stream: StreamId) -> Result<Vec<AnnouncedTable>, KeptError> {
        let text = self.text(stream)?;
        let tables = text.lines().filter_map(|line| AnnouncedTable::from_line(line).ok());
        let by_seq: BTreeMap<u64, AnnouncedTable> =
            tables.map(|table| (table.announced, table)).collect();
        Ok(by_seq.into_values().collect())
    }

    /// How many lines are no tables; not a last one that a power cut tore.
    pub fn unread(&self, stream: StreamId) -> Result<usize, KeptError> {
        let text = self.text(stream)?;
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        Ok(whole.filter(|line| AnnouncedTable::from_line(line).is_err()).count())
    }

    /// Keeps tables beside those that are there.
    pub fn keep(&self, stream: StreamId, tables: &[AnnouncedTable]) -> Result<(), KeptError> {
        let file = SideFile::of(Room::Announced, stream);
        let lines: String = tables.iter().map(|table| table.to_line() + "\n").collect();
        let kept = again(|| {
            let there = self.0.files.get(file, MAX_FILE)?.unwrap_or_default();
            let len = there.len() as u64;
            // A line that a power cut tore stays a line of its own.
            let is_torn = there.last().is_some_and(|last| *last != b'\n');
            let lines = if is_torn { format!("\n{lines}") } else { lines.clone() };
            self.0.files.append(file, len, len, lines.as_bytes())
        });
        kept.map_err(self.0.failed("write", file))
    }

    fn text(&self, stream: StreamId) -> Result<String, KeptError> {
        let bytes = self.0.get(SideFile::of(Room::Announced, stream), MAX_FILE)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

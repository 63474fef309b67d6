//! Where announced tables are kept: a file of lines for each tournament beside the log. It can be
//! deleted; every table follows from the log.

use super::{Beside, Store, StoreError, again};
use scrutineer_engine::event::{Event, Seq};
use scrutineer_engine::files::{Room, SideFile};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::parse;
use scrutineer_replay::announced::{AnnouncedTable, announcement, standings_in};
use scrutineer_replay::kept::KeptError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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

impl Store {
    /// Makes the tables that are not kept from the events, where the fold gives what was announced. A copy of
    /// another store's tournament was sent none.
    ///
    /// # Errors
    /// Where the log cannot be read, or they cannot be kept.
    pub(crate) fn make_announced(&self, stream: StreamId) -> Result<(), StoreError> {
        let kept: BTreeSet<Seq> =
            self.announced(stream)?.into_iter().map(|table| table.announced).collect();
        let (mut state, mut made) = (Tournament::default(), Vec::new());
        for read in read_events(self.log(), stream, 0) {
            let (record, event) = read?;
            if let Event::StandingsAnnounced(announced) = &event
                && !kept.contains(&record.header().seq)
                && let Ok(rules) = parse(state.ruleset().unwrap_or_default())
                && let Ok(standings) =
                    standings_in(&state, &Arc::new(rules), Some(announced.through_round))
            {
                let (again, table) = announcement(&standings);
                made.extend((again == *announced).then_some(table));
            }
            state.evolve(&event);
        }
        match made.is_empty() {
            true => Ok(()),
            false => self.keep_announced(stream, &made),
        }
    }
}

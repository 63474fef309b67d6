//! Receipts out of a store: records of a tournament, proved to be under a checkpoint.

use crate::store::{Store, StoreError};
use crate::verb_error::VerbError;
use scrutineer_engine::event::{Event, Seq};
use scrutineer_engine::handler::read_events;
use scrutineer_engine::record::{Record, StreamId};
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::held::Held;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::receipt::{Receipt, names_of_player, with_withdrawals};

/// Every record of a tournament, and the events that they say.
pub struct Whole {
    /// The records, in their order.
    pub records: Vec<Record>,
    /// What they say.
    pub log: Vec<(Seq, Event)>,
}

impl Whole {
    /// Reads the log of a tournament.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(store: &Store, stream: StreamId) -> Result<Whole, StoreError> {
        let mut whole = Whole { records: Vec::new(), log: Vec::new() };
        for read in read_events(store.log(), stream, 0) {
            let (record, event) = read?;
            whole.log.push((record.header().seq, event));
            whole.records.push(record);
        }
        Ok(whole)
    }

    /// Forgets what stands behind an event.
    pub fn until(&mut self, last: Seq) {
        let kept = usize::try_from(last).unwrap_or(usize::MAX);
        self.records.truncate(kept);
        self.log.truncate(kept);
    }
}

/// A receipt that was made.
pub struct Made {
    /// The events in it, with those that took one of them back.
    pub events: Vec<Seq>,
    /// The receipt itself.
    pub text: String,
    /// Whether a name is opened in it.
    pub is_named: bool,
}

/// Makes a receipt for events under a checkpoint; `earlier` is what somebody holds already. The name of
/// `named` is opened.
///
/// # Errors
/// Where an event is not covered by the checkpoint, or the log does not extend what is held.
pub fn receipt(
    (store, stream): (&Store, StreamId),
    whole: Whole,
    events: &[Seq],
    signed: &Signed,
    earlier: Option<&Held>,
    named: Option<u32>,
) -> Result<Made, VerbError> {
    let events = with_withdrawals(&whole.log, events);
    // Both rise.
    let is_chosen = |(_, (seq, _)): &(Record, (Seq, Event))| events.binary_search(seq).is_ok();
    let chosen = whole.records.into_iter().zip(whole.log).filter(is_chosen);
    let chosen: Vec<(Record, Event)> = chosen.map(|(record, (_, event))| (record, event)).collect();
    let names = match named {
        Some(player) => {
            let book = store.book(stream)?;
            names_of_player(&chosen, &book, player)
        }
        None => Vec::new(),
    };
    let is_named = !names.is_empty();
    let history = History::read(store.log(), stream).map_err(StoreError::from)?;
    let text = Receipt::of(&history, signed, chosen, earlier, names)?.write();
    Ok(Made { events, text, is_named })
}

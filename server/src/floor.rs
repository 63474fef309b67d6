//! The floor of each tournament: what is done there is kept in the house, done once under its key,
//! and told to those who watch.

mod api;
mod kept;

pub use api::{call, change as patch, entries, form, get};

use crate::gate::may_change;
use crate::house::{House, not_kept};
use crate::live::state_of;
use crate::local::Server;
use crate::orders_api::command_id;
use crate::state::State;
use crate::who::Who;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::floor::{Change, Entry, Floor};
use scrutineer_desk::orders::{self, Note};
use scrutineer_desk::store::{HOUSE, Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// How long a floor is kept once its tournament is closed, in milliseconds: 30 days.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Returns the time in milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The floors of a store, as far as they were looked at.
#[derive(Default)]
pub struct Floors {
    known: Mutex<HashMap<StreamId, Arc<Floor>>>,
}

impl Floors {
    fn known(&self) -> MutexGuard<'_, HashMap<StreamId, Arc<Floor>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how the floor of a tournament stands.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn of(&self, house: &House, stream: StreamId) -> Result<Arc<Floor>, VerbError> {
        let mut known = self.known();
        if let Some(floor) = known.get(&stream) {
            return Ok(Arc::clone(floor));
        }
        let floor = Arc::new(kept::read(house.kept(), stream)?);
        known.insert(stream, Arc::clone(&floor));
        Ok(floor)
    }

    /// Adds what was done, durably.
    fn add(&self, house: &House, stream: StreamId, entry: Entry) -> Result<Arc<Floor>, VerbError> {
        let mut floor = self.of(house, stream)?;
        kept::add(house.kept(), stream, floor.version(), std::slice::from_ref(&entry))?;
        Arc::make_mut(&mut floor).add(entry);
        self.known().insert(stream, Arc::clone(&floor));
        Ok(floor)
    }

    /// Removes the floors of tournaments that have been closed for 30 days.
    ///
    /// # Errors
    /// Where they cannot be read or removed.
    pub fn tidy(&self, house: &House, store: &Store, now: i64) -> Result<usize, VerbError> {
        let mut removed = 0;
        for stream in kept::streams(house.kept())? {
            if is_over(store, stream, now)? {
                kept::remove(house.kept(), stream)?;
                self.known().remove(&stream);
                removed += 1;
            }
        }
        Ok(removed)
    }
}

/// Whether a tournament has been closed for as long as its floor is kept. One that is not in the
/// store, as while it comes from elsewhere, is not.
fn is_over(store: &Store, stream: StreamId, now: i64) -> Result<bool, VerbError> {
    let Ok(state) = state_of(store, stream) else { return Ok(false) };
    let Some(closed) = state.closed() else { return Ok(false) };
    let mut records = store.log().read(stream, closed.saturating_sub(1));
    let record = records.next().transpose().map_err(StoreError::from)?;
    Ok(record.is_some_and(|record| now - record.header().time.unix_micros / 1_000 > KEPT))
}

/// What was done on the floor.
pub struct Changed {
    /// How it stands now.
    pub floor: Arc<Floor>,
    /// The number of what was done.
    pub number: u64,
    /// What was done.
    pub entry: Entry,
    /// Whether it had been done before under this key, and nothing was done now.
    pub repeated: bool,
}

/// What stands beside a change.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// What makes a repeat harmless.
    pub key: Option<String>,
    /// Whether it is written into the log as well, as a note about its table.
    pub note: bool,
}

/// Does something on the floor, where its giver may; once under its key.
///
/// # Errors
/// Why it is not done.
pub fn change(
    state: &State,
    store: &Store,
    stream: StreamId,
    who: &Who,
    asked: Change,
    beside: &Beside,
) -> Result<Changed, VerbError> {
    may_change(who.role_in(stream), &asked)?;
    let floor = state.floor(stream)?;
    let key = beside.key.as_ref().map(|key| format!("floor {key}"));
    let id = key.as_ref().map(|key| command_id(&who.principal, stream, key));
    let kept_key = id.map(|id| format!("{:032x}", id.0));
    if let Some(done) = kept_key.as_deref().and_then(|key| floor.done_under(key)) {
        if !is_same(&done.change, &asked) {
            let message = "something else was done under this key";
            let code = Code::conflict("command-id-reused");
            return Err(VerbError::new(code, message, "take a new key for something new"));
        }
        let (entry, number) = (done.clone(), number_of(&floor, done));
        return Ok(Changed { floor, number, entry, repeated: true });
    }
    let change = asked.accepted(&floor, &*state_of(store, stream)?)?;
    if let Some((round, table)) = change.place().filter(|_| beside.note) {
        note(state, store, stream, who, &change, (round, table), key.as_deref())?;
    }
    let entry = Entry { at: now(), by: who.name.clone(), key: kept_key, change };
    let floor = state.floors.add(&state.house, stream, entry.clone())?;
    state.live.tell(stream, "floor", &open(&floor, now()), true);
    Ok(Changed { number: floor.version(), floor, entry, repeated: false })
}

/// Says from which device an event of the log came.
///
/// # Errors
/// Where it cannot be kept.
pub fn came_from(state: &State, stream: StreamId, seq: u64, device: &str) -> Result<(), VerbError> {
    let change = Change::Device { seq, device: device.to_string() };
    let entry = Entry { at: now(), by: None, key: None, change };
    state.floors.add(&state.house, stream, entry).map(drop)
}

fn number_of(floor: &Floor, entry: &Entry) -> u64 {
    floor.entries().iter().position(|known| known == entry).map_or(0, |at| at as u64 + 1)
}

/// Whether a change that is asked for is the one that was done; a round that was not named was found.
fn is_same(done: &Change, asked: &Change) -> bool {
    let bare = |change: &Change| {
        let mut value = serde_json::to_value(change).unwrap_or_default();
        let round = value.as_object_mut().and_then(|fields| fields.remove("round"));
        (value, round.filter(|round| !round.is_null()))
    };
    let ((done, of), (asked, named)) = (bare(done), bare(asked));
    done == asked && named.is_none_or(|named| of == Some(named))
}

/// Writes a change into the log, as a note about its table.
fn note(
    state: &State,
    store: &Store,
    stream: StreamId,
    who: &Who,
    change: &Change,
    (round, table): (u16, u32),
    key: Option<&str>,
) -> Result<(), VerbError> {
    let about = state_of(store, stream)?.at_table(round, table).map(|found| found.seq());
    let id = key.map(|key| command_id(&who.principal, stream, &format!("{key} note")));
    let note = Note { text: format!("round {round}, {}", change.told()), about };
    let asked = Asked { id, expected: None };
    orders::record(&who.asker(state), store, stream, asked, &note.into()).0.map(drop)
}

/// Returns the floor of a tournament of the store in a folder, for the command line: from the server
/// that has it, or from the house; none where nothing was ever done.
///
/// # Errors
/// Where it cannot be read.
pub fn of_store(folder: &Path, stream: StreamId) -> Result<Option<Floor>, VerbError> {
    if let Some(server) = Server::of(folder) {
        let json = server.read(&format!("/api/v1/tournaments/{stream}/floor/entries"))?;
        let entries: Vec<Entry> =
            serde_json::from_value(json["entries"].clone()).map_err(not_kept)?;
        return Ok(Some(Floor::of(entries)).filter(|floor| floor.version() > 0));
    }
    if !folder.join(HOUSE).is_file() {
        return Ok(None);
    }
    let file = folder.join(HOUSE);
    let floor = match redb::ReadOnlyDatabase::open(&file) {
        Ok(kept) => kept::read(&kept, stream)?,
        // A server that was killed leaves it to be put in order.
        Err(_) => kept::read(House::open(Some(folder))?.kept(), stream)?,
    };
    Ok(Some(floor).filter(|floor| floor.version() > 0))
}

/// Returns what was done on a floor, as it goes into files.
pub fn in_file(floor: &Floor) -> Value {
    // A key is a device's own.
    let entries = floor.entries().iter().map(|entry| Entry { key: None, ..entry.clone() });
    json!({ "entries": entries.collect::<Vec<Entry>>() })
}

/// Returns the state of a floor that everybody may know.
pub fn open(floor: &Floor, now: i64) -> Value {
    let round = floor.clock().map(|clock| clock.round);
    let featured: Vec<u32> = round.map_or(Vec::new(), |round| floor.featured(round).collect());
    json!({
        "version": floor.version(),
        "now": now,
        "clock": floor.clock(),
        "announcements": floor.announcements(),
        "featured": featured,
        "shows": floor.shows(),
    })
}

/// Returns the same with what is for the staff, of a round.
pub fn whole(floor: &Floor, round: u16, now: i64) -> Value {
    let mut json = open(floor, now);
    let pairs = |(table, minutes)| json!({ "table": table, "minutes": minutes });
    let seats = |(who, table)| json!({ "who": who, "table": table });
    let calls: Vec<_> = floor.open_calls().collect();
    let checks: Vec<_> = floor.checks().iter().filter(|check| check.round == round).collect();
    json["round"] = round.into();
    json["featured"] = floor.featured(round).collect::<Vec<u32>>().into();
    json["extensions"] = floor.extensions(round).map(pairs).collect::<Vec<Value>>().into();
    json["calls"] = json!(calls);
    json["seats"] = floor.seats(round).map(seats).collect::<Vec<Value>>().into();
    json["deck_checks"] = json!(checks);
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(change: Change) -> Entry {
        Entry { at: 1, by: None, key: None, change }
    }

    #[test]
    fn a_floor_is_there_after_a_restart_and_others_have_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (StreamId([1; 16]), StreamId([2; 16]));
        {
            let (house, floors) =
                (House::open(Some(folder.path())).expect("opened"), Floors::default());
            let more = |minutes| entry(Change::Extend { table: 3, minutes, round: Some(1) });
            floors.add(&house, one, more(5)).expect("kept");
            floors.add(&house, one, more(1)).expect("kept");
            floors.add(&house, other, more(2)).expect("kept");
        }
        let (house, floors) =
            (House::open(Some(folder.path())).expect("opened"), Floors::default());
        assert_eq!(floors.of(&house, one).expect("read").extension(1, 3), 6);
        assert_eq!(floors.of(&house, other).expect("read").extension(1, 3), 2);
        assert_eq!(kept::streams(house.kept()).expect("read"), [one, other]);
        kept::remove(house.kept(), one).expect("removed");
        assert_eq!(kept::streams(house.kept()).expect("read"), [other]);
    }

    #[test]
    fn the_floor_of_a_tournament_goes_30_days_after_its_end_and_not_before() {
        use crate::pages::kit::hall;
        use scrutineer_desk::orders::Close;
        let hall = hall();
        let (house, floors) = (House::open(None).expect("opened"), Floors::default());
        floors.add(&house, hall.stream, entry(Change::StopClock {})).expect("kept");
        assert_eq!(floors.tidy(&house, &hall.store, i64::MAX).expect("tidied"), 0, "it is played");
        hall.slip("1 2-0");
        hall.slip("3 2-0");
        hall.order(Close::default());
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let closed = event.state.closed();
        let now = event.log.last().expect("the closing").0.time.unix_micros / 1_000;
        assert_eq!(floors.tidy(&house, &hall.store, now).expect("tidied"), 0);
        assert_eq!(floors.tidy(&house, &hall.store, now + KEPT + 60_000).expect("tidied"), 1);
        assert_eq!(floors.of(&house, hall.stream).expect("read").version(), 0);
        assert!(closed.is_some());
    }

    #[test]
    fn the_same_change_is_known_whether_its_round_was_named_or_not() {
        let more = |round| Change::Extend { table: 3, minutes: 5, round };
        assert!(is_same(&more(Some(1)), &more(None)) && is_same(&more(Some(1)), &more(Some(1))));
        assert!(!is_same(&more(Some(1)), &more(Some(2))));
        assert!(!is_same(&more(Some(1)), &Change::StandUp {}));
    }
}

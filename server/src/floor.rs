//! The floor of each tournament, kept in the house.

use crate::house::{House, NotDecided, deciding, floor_in, not_kept};
use crate::live::state_of;
use scrutineer_desk::floor::{Announcement, Call, Change, Entry, Floor};
use scrutineer_desk::store::{HOUSE, Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
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
        let mut floor = Floor::default();
        read_behind(house, stream, &mut floor)?;
        let floor = Arc::new(floor);
        known.insert(stream, Arc::clone(&floor));
        Ok(floor)
    }

    /// Returns how many entries of a floor are known here; none: it was not looked at.
    #[cfg(feature = "postgres")]
    pub(crate) fn known_version(&self, stream: StreamId) -> Option<u64> {
        self.known().get(&stream).map(|floor| floor.version())
    }

    /// Reads on what other servers have added to a floor that was looked at here.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn read_on(&self, house: &House, stream: StreamId) -> Result<(), VerbError> {
        let Some(mut floor) = self.known().get(&stream).cloned() else { return Ok(()) };
        if read_behind(house, stream, Arc::make_mut(&mut floor))? {
            let mut known = self.known();
            if known.get(&stream).is_none_or(|there| there.version() < floor.version()) {
                known.insert(stream, floor);
            }
        }
        Ok(())
    }

    /// Decides what is to be done on a floor as it stands, and adds it; anew where another server was
    /// first.
    ///
    /// # Errors
    /// Why it is not done.
    pub(crate) fn deciding<T>(
        &self,
        house: &House,
        stream: StreamId,
        decide: impl FnMut() -> Result<T, NotDecided>,
    ) -> Result<T, VerbError> {
        deciding(decide, || self.read_on(house, stream))
    }

    /// Shows the floor of a tournament that is pushed here, as its venue has it.
    pub(crate) fn show(&self, stream: StreamId, floor: Floor) {
        self.known().insert(stream, Arc::new(floor));
    }

    /// Adds what was done, durably. Within [`Floors::deciding`], on the floor that stands.
    pub(crate) fn add(
        &self,
        house: &House,
        stream: StreamId,
        entry: Entry,
    ) -> Result<Arc<Floor>, NotDecided> {
        let floor = self.of(house, stream)?;
        let text = serde_json::to_string(&entry).map_err(not_kept)?;
        let before = floor.version();
        if !house.rows().add_to_floor(stream, before, &text)? {
            return Err(NotDecided::Overtaken);
        }
        // Where nobody else holds it, it is added to and not copied.
        let mut known = self.known();
        let kept = known.entry(stream).or_insert(floor);
        // Otherwise it was read already by whoever looks for what other servers add.
        if kept.version() == before {
            Arc::make_mut(kept).add(entry);
        }
        Ok(Arc::clone(kept))
    }

    /// Says from which device an event of the log came.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn came_from(
        &self,
        house: &House,
        stream: StreamId,
        seq: u64,
        device: &str,
    ) -> Result<(), VerbError> {
        let change = Change::Device { seq, device: device.to_string() };
        let entry = Entry { at: now(), by: None, key: None, change };
        self.deciding(house, stream, || self.add(house, stream, entry.clone())).map(drop)
    }

    /// Removes the floors and the links of players of tournaments that have been closed for 30 days.
    ///
    /// # Errors
    /// Where they cannot be read or removed.
    pub fn tidy(&self, house: &House, store: &Store, now: i64) -> Result<usize, VerbError> {
        let mut removed = 0;
        for stream in house.rows().floors()? {
            if is_over(store, stream, now)? {
                house.rows().remove_floor(stream)?;
                self.known().remove(&stream);
                removed += 1;
            }
        }
        house.end_player_links(|id| {
            let stream = store.find(Some(id));
            stream.is_ok_and(|stream| is_over(store, stream, now).unwrap_or(false))
        })?;
        Ok(removed)
    }
}

/// Adds to a floor what stands behind it; returns whether anything does.
fn read_behind(house: &House, stream: StreamId, floor: &mut Floor) -> Result<bool, VerbError> {
    let texts = house.rows().floor(stream, floor.version())?;
    for text in &texts {
        floor.add(serde_json::from_str(text).map_err(not_kept)?);
    }
    Ok(!texts.is_empty())
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

/// Returns the floor of a tournament from the house in a folder; none where nothing was ever done.
///
/// # Errors
/// Where it cannot be read.
pub fn in_folder(folder: &Path, stream: StreamId) -> Result<Option<Floor>, VerbError> {
    let file = folder.join(HOUSE);
    if !file.is_file() {
        return Ok(None);
    }
    let floor = match redb::ReadOnlyDatabase::open(&file) {
        Ok(kept) => floor_in(&kept, stream)?,
        // A server that was killed leaves it to be put in order.
        Err(_) => {
            let mut floor = Floor::default();
            read_behind(&House::open(Some(folder))?, stream, &mut floor)?;
            floor
        }
    };
    Ok(Some(floor).filter(|floor| floor.version() > 0))
}

/// Returns the floor of a tournament from the database that a store is in; none where it is in none, or
/// nothing was ever done.
///
/// # Errors
/// Where the database does not answer.
pub fn in_database(store: &Store, stream: StreamId) -> Result<Option<Floor>, VerbError> {
    #[cfg(feature = "postgres")]
    if let Some(log) = store.database() {
        let floor = crate::house::floor_in_database(&log, stream)?;
        return Ok(Some(floor).filter(|floor| floor.version() > 0));
    }
    let _ = (store, stream);
    Ok(None)
}

/// Returns what was done on a floor, as it goes into files.
pub fn in_file(floor: &Floor) -> Value {
    // A key is a device's own.
    let entries = floor.entries().iter().map(|entry| Entry { key: None, ..entry.clone() });
    json!({ "entries": entries.collect::<Vec<Entry>>() })
}

/// Returns the state of a floor that everybody may know, where a round is the last one that is out: its featured
/// tables, and of a later one neither who was called to a table nor the clock, which would say that it is paired.
pub fn open(floor: &Floor, round: Option<RoundNumber>, now: i64) -> Value {
    let is_out = |one: &&Announcement| one.round.is_none_or(|of| Some(of) <= round);
    let announcements: Vec<&Announcement> = floor.announcements().iter().filter(is_out).collect();
    let clock = floor.clock().filter(|clock| Some(clock.round) <= round);
    let featured: Vec<u32> = round.map_or(Vec::new(), |round| floor.featured(round).collect());
    json!({
        "version": floor.version(),
        "now": now,
        "clock": clock,
        "announcements": announcements,
        "featured": featured,
        "shows": floor.shows(),
        "overlay": floor.overlays(),
    })
}

/// Returns the same for the streams of the staff, who have the clock of a draft too.
pub fn for_staff(floor: &Floor, round: Option<RoundNumber>, now: i64) -> Value {
    let mut json = open(floor, round, now);
    json["clock"] = json!(floor.clock());
    json
}

/// Returns the same with what is for the staff, of the last round.
pub fn whole(floor: &Floor, state: &Tournament, now: i64) -> Value {
    let round = state.last_round().map_or(0, |round| round.number);
    let mut json = open(floor, Some(round), now);
    let pairs = |(table, minutes)| json!({ "table": table, "minutes": minutes });
    let seats = |(who, table)| json!({ "who": who, "table": table });
    let called = |call: &Call| Call { table: call.at_table(state), ..call.clone() };
    let calls: Vec<Call> = floor.open_calls().map(called).collect();
    let checks: Vec<_> = floor.checks().iter().filter(|check| check.round == round).collect();
    json["round"] = round.into();
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
        assert_eq!(house.rows().floors().expect("read"), [one, other]);
        house.rows().remove_floor(one).expect("removed");
        assert_eq!(house.rows().floors().expect("read"), [other]);
    }

    /// One tap put the players of a draft's table on every phone.
    #[test]
    fn nobody_reads_who_was_called_to_a_table_of_a_round_that_is_not_out() {
        let call = |round| entry(Change::CallPlayers { table: 1, round: Some(round) });
        let lunch = entry(Change::Announce { text: "lunch".into() });
        let floor = Floor::of([call(1), call(2), lunch]);
        let told = |out| open(&floor, out, 2)["announcements"].as_array().map(Vec::len);
        assert_eq!([told(None), told(Some(1)), told(Some(2))], [Some(1), Some(2), Some(3)]);
    }

    /// It said that a round was paired before anybody was to know.
    #[test]
    fn nobody_reads_the_clock_of_a_round_that_is_not_out() {
        let floor = Floor::of([entry(Change::StartClock { minutes: 50, round: Some(2) })]);
        let told = |out| open(&floor, out, 2)["clock"]["round"].as_u64();
        assert_eq!([told(None), told(Some(1)), told(Some(2))], [None, None, Some(2)]);
    }

    /// Streams of the staff had the featured tables and the announcements of a draft along with its clock.
    #[test]
    fn the_streams_of_the_staff_have_the_clock_of_a_draft_and_nothing_else_of_it() {
        let feature = |table, round| Change::Feature { table, on: true, round: Some(round) };
        let floor = Floor::of([
            entry(feature(3, 1)),
            entry(feature(4, 2)),
            entry(Change::CallPlayers { table: 1, round: Some(2) }),
            entry(Change::StartClock { minutes: 50, round: Some(2) }),
        ]);
        let told = for_staff(&floor, Some(1), 2);
        assert_eq!(told["clock"]["round"], 2);
        assert_eq!(told["featured"], json!([3]));
        assert_eq!(told["announcements"], json!([]));
        assert_eq!(open(&floor, Some(2), 2), for_staff(&floor, Some(2), 2));
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
}

//! A house that goes from one place to another, row by row, whatever the two are kept in. Until somebody
//! changes it in the new place, it is brought to how it stands in the old one, each time; from then on it is
//! a house of its own, and its rows stay.

use super::file::{self, HouseFile};
use super::rows::{Keeping, Rows};
use super::{Change, MOVED, not_kept};
use scrutineer_desk::store::{CarriedHouse, DatabaseAt, HOUSE, Store, StoreAt};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::to_hex;
use scrutineer_store::Identity;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The key of its only row.
const FROM: &str = "from";
/// So many rows, changes or entries go together.
const TOGETHER: usize = 500;

/// From where a house came, and how it stood when all of it was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Moved {
    /// The store that it came from.
    from: String,
    /// The digest of what was brought; none: it is under way.
    stood: Option<String>,
}

/// All that stands in a house, apart from the floors.
#[derive(Debug, Default)]
struct Whole {
    version: u64,
    rows: BTreeMap<(String, String), String>,
    changes: Vec<Change>,
    moved: Option<Moved>,
}

impl Whole {
    fn read(of: &dyn Rows) -> Result<Whole, VerbError> {
        let read = of.all()?;
        let mut whole = Whole { version: read.version, ..Whole::default() };
        for row in read.rows {
            let Some(text) = row.text else { continue };
            match row.table == MOVED {
                true => whole.moved = Some(serde_json::from_str(&text).map_err(not_kept)?),
                false => drop(whole.rows.insert((row.table, row.key), text)),
            }
        }
        loop {
            let after = whole.changes.last().map_or(0, |change| change.seq);
            let more = of.changed_after(after, TOGETHER)?;
            if more.is_empty() {
                return Ok(whole);
            }
            whole.changes.extend(more);
        }
    }

    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.changes.is_empty()
    }

    fn is_as(&self, other: &Whole) -> bool {
        self.rows == other.rows && self.changes == other.changes
    }

    /// Whether a copy of it began and did not come to its end.
    fn is_under_way(&self) -> bool {
        self.moved.as_ref().is_some_and(|moved| moved.stood.is_none())
    }

    fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("scrutineer 2026 moved house v1");
        let mut part = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        for ((table, key), text) in &self.rows {
            [table, key, text].into_iter().for_each(|text| part(text));
        }
        for Change { time, by, what, .. } in &self.changes {
            [time, by, what].into_iter().for_each(|text| part(text));
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Whether nobody has changed it since it came from this store, or nothing is in it yet.
    fn is_of(&self, from: &str) -> bool {
        let is_of = |moved: &Moved| {
            let is_untouched = moved.stood.as_ref().is_none_or(|stood| *stood == self.digest());
            moved.from == from && is_untouched
        };
        self.moved.as_ref().map_or(self.is_empty(), is_of)
    }
}

/// Carries the rows, the list of changes and the floors of a house over. What is there already is compared.
fn carry(from: &dyn Rows, of: &str, to: &dyn Rows) -> Result<CarriedHouse, VerbError> {
    let (own, there) = (Whole::read(from)?, Whole::read(to)?);
    let changes = own.changes.len();
    let mut done = CarriedHouse { rows: own.rows.len(), changes, ..CarriedHouse::default() };
    let is_behind = own.changes.starts_with(&there.changes);
    let is_whole = own.is_as(&there) && !there.is_under_way();
    if !own.is_empty() && !is_whole {
        match there.is_of(of) && is_behind {
            true => done.written = bring(&own, of, to, there)?,
            false => done.has_own = true,
        }
    }
    for stream in from.floors()? {
        let (own, there) = (from.floor(stream, 0)?, to.floor(stream, 0)?);
        (done.floors, done.entries) = (done.floors + 1, done.entries + own.len());
        if there.starts_with(&own) {
            continue;
        }
        let Some(more) = own.strip_prefix(&there[..]) else {
            done.parted += 1;
            continue;
        };
        for (at, some) in more.chunks(TOGETHER).enumerate() {
            let behind = (there.len() + at * TOGETHER) as u64;
            taken(to.bring_floor(stream, behind, some)?)?;
        }
        done.written += more.len();
        same(to.floor(stream, 0)? == own, "what is done on a floor")?;
    }
    Ok(done)
}

/// Makes a house what another one is; returns how much was written.
fn bring(own: &Whole, of: &str, to: &dyn Rows, there: Whole) -> Result<usize, VerbError> {
    let mut version = there.version;
    let mut keep = |rows: &[(&str, &str, Option<String>)]| {
        let keeping = Keeping { seen: Some(version), rows, told: &[] };
        version = to.keep(&keeping)?.ok_or_else(used)?;
        Ok::<_, VerbError>(())
    };
    let said = |stood: Option<String>| {
        let moved = Moved { from: of.to_string(), stood };
        serde_json::to_string(&moved).map(Some).map_err(not_kept)
    };
    // Whoever finds it half done finds whose it is.
    keep(&[(MOVED, FROM, said(None)?)])?;
    let both: BTreeSet<_> = own.rows.keys().chain(there.rows.keys()).collect();
    let differs = both.into_iter().filter(|key| own.rows.get(key) != there.rows.get(key));
    let row = |key: &'_ (String, String)| own.rows.get(key).cloned();
    let differs: Vec<_> = differs.collect();
    for some in differs.chunks(TOGETHER) {
        let rows: Vec<_> = some.iter().map(|key| (&*key.0, &*key.1, row(key))).collect();
        keep(&rows)?;
    }
    let more = &own.changes[there.changes.len()..];
    let mut behind = there.changes.last().map_or(0, |change| change.seq);
    for some in more.chunks(TOGETHER) {
        taken(to.bring_changes(behind, some)?)?;
        behind = some.last().map_or(behind, |change| change.seq);
    }
    let read = Whole::read(to)?;
    same(read.is_as(own), "who may do what")?;
    keep(&[(MOVED, FROM, said(Some(own.digest()))?)])?;
    Ok(differs.len() + more.len())
}

fn taken(is_taken: bool) -> Result<(), VerbError> {
    if is_taken { Ok(()) } else { Err(used()) }
}

/// The refusal where somebody works in the store that is copied into.
fn used() -> VerbError {
    let message = "somebody changes who may do what in the other store just now";
    let hint = "end its servers, and ask for the same again: it goes on where it stopped";
    VerbError::new(Code::conflict("house-in-use"), message, hint)
}

fn same(is_same: bool, what: &str) -> Result<(), VerbError> {
    if is_same {
        return Ok(());
    }
    let message = format!("what was written is not what is read back: {what}");
    let hint = "look at the disk or the database; ask for the same copy again";
    Err(VerbError::new(Code::damaged("copy-not-same"), message, hint))
}

/// The store that a house is of, wherever copies of it are.
fn id_of(at: &StoreAt) -> Result<String, VerbError> {
    match at {
        StoreAt::Folder(folder) => id_of_folder(folder),
        StoreAt::Database(database) => Ok(to_hex(&database.id())),
    }
}

fn id_of_folder(folder: &Path) -> Result<String, VerbError> {
    let identity = Identity::read(folder).map_err(not_kept)?;
    let identity = identity.ok_or_else(|| not_kept("the file FORMAT of its store is gone"))?;
    Ok(to_hex(&identity.id))
}

#[cfg(feature = "postgres")]
fn in_database(store: &Store) -> Option<Arc<dyn Rows>> {
    Some(Arc::new(super::in_database::DatabaseRows(store.database()?)))
}

#[cfg(not(feature = "postgres"))]
fn in_database(_: &Store) -> Option<Arc<dyn Rows>> {
    None
}

/// Carries the house of a store into another one, which this program alone has open. Of a folder it is
/// what was copied at rest last.
///
/// # Errors
/// Where one of the two cannot be read or written, or what is read back is something else. What was carried
/// stays, and the same call goes on.
pub fn carry_house(
    (from, at): (&Store, &StoreAt),
    (to, into): (&Store, &StoreAt),
) -> Result<CarriedHouse, VerbError> {
    let own = match at {
        StoreAt::Folder(folder) => file::read_copy(folder)?.map(|file| file.rows as Arc<dyn Rows>),
        StoreAt::Database(_) => in_database(from),
    };
    let Some(own) = own else { return Ok(CarriedHouse::default()) };
    let there = match into {
        StoreAt::Folder(folder) => Some(file::open(Some(folder))?.rows as Arc<dyn Rows>),
        StoreAt::Database(_) => in_database(to),
    };
    let Some(there) = there else { return Ok(CarriedHouse::default()) };
    carry(&*own, &id_of(at)?, &*there)
}

/// Writes the house of a database into the folder of a copy of it, under the name that goes into copies.
///
/// # Errors
/// As [`carry_house`].
pub fn copy_of(store: &Store, at: &DatabaseAt, folder: &Path) -> Result<CarriedHouse, VerbError> {
    let Some(own) = in_database(store) else { return Ok(CarriedHouse::default()) };
    let copy: HouseFile = file::open(None)?;
    let done = carry(&*own, &to_hex(&at.id()), &*copy.rows)?;
    if done.written > 0 {
        file::write_copy(folder, &copy.image()?)?;
    }
    Ok(done)
}

/// Brings the house of a store in a folder, which nobody has open, into a database.
///
/// # Errors
/// As [`carry_house`].
pub fn bring_copy(folder: &Path, store: &Store) -> Result<CarriedHouse, VerbError> {
    match in_database(store).filter(|_| folder.join(HOUSE).is_file()) {
        Some(there) => {
            let own = file::open(Some(folder))?;
            carry(&*own.rows, &id_of_folder(folder)?, &*there)
        }
        None => Ok(CarriedHouse::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::{Read, Row};
    use super::super::{Grant, House, Kind};
    use super::*;
    use crate::gate::Role;
    use scrutineer_engine::record::StreamId;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const FRIDAY: StreamId = StreamId([7; 16]);

    fn house() -> House {
        House::open(None).expect("opened")
    }

    fn with_people() -> House {
        let house = house();
        house
            .put_account("Eva", Some("the hall closes at six"), Role::Judge, None, "Olga")
            .expect("made");
        for _ in 0..1_200 {
            house.note("Olga", "looked").expect("noted");
        }
        house.make(Kind::Token, Grant::default(), "Olga", None).expect("made");
        let texts: Vec<String> = (0..1_100).map(|number| format!("{{\"n\":{number}}}")).collect();
        assert!(house.rows().bring_floor(FRIDAY, 0, &texts).expect("kept"));
        house
    }

    fn carried(from: &House, to: &dyn Rows) -> CarriedHouse {
        carry(from.rows(), "one", to).expect("carried")
    }

    fn is_same(from: &House, to: &dyn Rows) -> bool {
        let read = |of: &dyn Rows| (Whole::read(of).expect("read"), of.floor(FRIDAY, 0));
        let ((own, own_floor), (there, floor)) = (read(from.rows()), read(to));
        own.is_as(&there) && own_floor.expect("read") == floor.expect("read")
    }

    /// Rows that fail after so many changes.
    struct Failing<'a> {
        rows: &'a dyn Rows,
        left: AtomicUsize,
    }

    impl Failing<'_> {
        fn spend(&self) -> Result<(), VerbError> {
            let left = self.left.load(Ordering::Relaxed).checked_sub(1).ok_or_else(used)?;
            self.left.store(left, Ordering::Relaxed);
            Ok(())
        }
    }

    impl Rows for Failing<'_> {
        fn all(&self) -> Result<Read, VerbError> {
            self.rows.all()
        }
        fn behind(&self, seen: u64) -> Result<Read, VerbError> {
            self.rows.behind(seen)
        }
        fn keep(&self, keeping: &Keeping<'_>) -> Result<Option<u64>, VerbError> {
            self.spend().and_then(|()| self.rows.keep(keeping))
        }
        fn changed_after(&self, after: u64, most: usize) -> Result<Vec<Change>, VerbError> {
            self.rows.changed_after(after, most)
        }
        fn last_change(&self) -> Result<u64, VerbError> {
            self.rows.last_change()
        }
        fn floor(&self, stream: StreamId, behind: u64) -> Result<Vec<String>, VerbError> {
            self.rows.floor(stream, behind)
        }
        fn add_to_floor(&self, of: StreamId, behind: u64, text: &str) -> Result<bool, VerbError> {
            self.rows.add_to_floor(of, behind, text)
        }
        fn remove_floor(&self, stream: StreamId) -> Result<(), VerbError> {
            self.rows.remove_floor(stream)
        }
        fn floors(&self) -> Result<Vec<StreamId>, VerbError> {
            self.rows.floors()
        }
        fn bring_changes(&self, behind: u64, changes: &[Change]) -> Result<bool, VerbError> {
            self.spend().and_then(|()| self.rows.bring_changes(behind, changes))
        }
        fn bring_floor(&self, of: StreamId, at: u64, texts: &[String]) -> Result<bool, VerbError> {
            self.spend().and_then(|()| self.rows.bring_floor(of, at, texts))
        }
    }

    #[test]
    fn a_copy_of_a_house_that_was_cut_off_anywhere_goes_on_and_is_the_same() {
        let own = with_people();
        for left in 0.. {
            let other = house();
            let failing = Failing { rows: other.rows(), left: AtomicUsize::new(left) };
            let is_whole = carry(own.rows(), "one", &failing).is_ok();
            let done = carried(&own, other.rows());
            assert!(!done.has_own && is_same(&own, other.rows()), "cut off after {left}");
            assert_eq!((done.floors, done.entries, done.parted), (1, 1_100, 0));
            assert_eq!(carried(&own, other.rows()).written, 0, "cut off after {left}");
            if is_whole {
                assert!(left > 6, "{left}");
                return;
            }
        }
    }

    #[test]
    fn who_is_taken_back_is_so_in_the_copy_until_the_copy_has_people_of_its_own() {
        let (own, other) = (with_people(), house());
        carried(&own, other.rows());
        let token = own.listed(Kind::Token)[0].id.clone();
        own.take_back(Kind::Token, &token, "Olga").expect("taken back");
        assert_eq!(carried(&own, other.rows()).written, 2, "the token, and a line that says so");
        assert!(is_same(&own, other.rows()));
        // A house of another store, or one in which somebody did something, is nobody's copy.
        assert!(carry(with_people().rows(), "two", other.rows()).expect("asked").has_own);
        let rows = [("accounts", "ann", Some("{}".to_string()))];
        let keeping = Keeping { seen: None, rows: &rows, told: &[] };
        other.rows().keep(&keeping).expect("kept");
        own.remove_account("Eva", "Olga").expect("removed");
        let done = carried(&own, other.rows());
        assert!(done.has_own && done.written == 0, "{done:?}");
        let row = |row: &Row| row.table == "accounts" && row.key == "ann";
        assert!(other.rows().all().expect("read").rows.iter().any(row));
    }

    #[test]
    fn a_floor_that_went_on_otherwise_stays_and_is_told() {
        let (own, other) = (house(), house());
        let bring = |to: &House, behind: u64, text: &str| {
            assert!(to.rows().bring_floor(FRIDAY, behind, &[text.to_string()]).expect("kept"));
        };
        bring(&own, 0, "a");
        assert_eq!(
            (carried(&own, other.rows()).written, carried(&own, other.rows()).written),
            (1, 0)
        );
        bring(&other, 1, "b");
        assert_eq!(carried(&own, other.rows()).parted, 0, "the copy went on, and has more");
        bring(&own, 1, "c");
        assert_eq!(carried(&own, other.rows()).parted, 1);
        assert_eq!(other.rows().floor(FRIDAY, 0).expect("read"), ["a", "b"]);
    }
}

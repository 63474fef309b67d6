//! A store moved between a folder and a database: copied, backed up into a folder, brought back out of
//! one.

use super::carry::{Carried, CarryError, carry, carry_without_secrets};
use super::copies::{CopyError, back_up, begin_beside, io, is_free, named};
use super::restore::{restore, restore_editions};
use super::{Checked, DatabaseAt, Export, Restored, Store, StoreAt};
use crate::edition::Editions;
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_store::files::lies_in;
use scrutineer_store::{Identity, Kind};
use std::fs;
use std::path::{Path, PathBuf};

/// A store with where it is.
pub struct Placed<'a> {
    /// The store.
    pub store: &'a Store,
    /// Where it is.
    pub at: &'a StoreAt,
}

/// What was carried of who may do what and of the floors, which a server keeps beside the logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CarriedHouse {
    /// Accounts, links, tokens, policies, webhooks and the like, each compared.
    pub rows: usize,
    /// Lines of the list of who changed what.
    pub changes: usize,
    /// Tournaments with a floor.
    pub floors: usize,
    /// What was done on these.
    pub entries: usize,
    /// How much of all that was written.
    pub written: usize,
    /// Whether the other store has people of its own: they stay, and these were not carried.
    pub has_own: bool,
    /// Floors on which something else was done in the other store: they stay.
    pub parted: usize,
}

/// Copies all of a store into another one: every tournament as [`carry`] does, apart from those that stay out,
/// and the editions of rules. Who was forgotten in a copy that stays out is not shown again where it is begun anew.
/// The store that is copied notes it.
///
/// # Errors
/// As [`carry`].
pub fn copy_store(
    from: &Placed<'_>,
    to: &Placed<'_>,
    (without, time): (&[StreamId], Time),
    tell: &mut dyn FnMut(usize, &Carried),
) -> Result<Carried, CopyError> {
    let same = |a: &Path, b: &Path| match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    if from.at == to.at || same(from.at.folder(), to.at.folder()) {
        return Err(CarryError::Same { shown: from.at.to_string() }.into());
    }
    let mut carried = carry(from.store, to.store, without, tell)?;
    for stream in without {
        carried.stay_empty += from.store.stay_forgotten_in(to.store, *stream)?;
    }
    // Where such a copy was begun, and nothing of it has come yet.
    for stream in from.store.remembered_alone()? {
        from.store.stay_forgotten_in(to.store, stream)?;
    }
    let editions = |of: &Placed<'_>| Editions::of(of.store.shared_files(), of.at.folder());
    restore_editions(&[editions(from)], &editions(to))?;
    if !from.store.is_read_only() && carried.written > 0 {
        note(from.store, "copy", to.at.to_string(), time)?;
    }
    Ok(carried)
}

/// Notes that all of a store went elsewhere: whoever is forgotten is told where.
fn note(store: &Store, what: &str, path: String, time: Time) -> Result<(), CopyError> {
    let (what, path) = (what.to_string(), Some(path));
    let export = Export { time, stream: None, what, path, names: true, player: None };
    Ok(store.note_export(&export)?)
}

/// What is done about the house of a store, which a server keeps: given the folder of a copy.
pub type OfHouse<'a, E> = &'a dyn Fn(&Path) -> Result<CarriedHouse, E>;

/// Copies the store of a database into a new folder, as [`back_up`] does with one in a folder. `house` writes
/// the copy of its house there.
///
/// # Errors
/// As [`back_up`] and [`carry`].
pub fn back_up_database<E: From<CopyError>>(
    from: &Store,
    at: &DatabaseAt,
    to: &Path,
    time: Time,
    house: OfHouse<'_, E>,
) -> Result<Checked, E> {
    if !is_free(to)? {
        return Err(CopyError::Exists(to.to_path_buf()).into());
    }
    let to = named(to)?;
    let part = begin_beside(&to, "reading")?;
    let read = read_into(from, at, &part).map_err(E::from);
    let read = read.and_then(|()| house(&part));
    let copied = read.and_then(|_| Ok(back_up(&part, &to, time)?));
    // What was read stands in the copy now, or nowhere.
    fs::remove_dir_all(&part).map_err(|error| io("remove", &part, &error))?;
    let mut checked = copied?;
    let path = std::path::absolute(&to).map_err(|error| io("find", &to, &error))?;
    if let Err(error) = note(from, "backup", path.to_string_lossy().into_owned(), time) {
        checked.wrong.push(format!("the copy is whole, but `forget` will not name it: {error}"));
    }
    Ok(checked)
}

/// Reads a database into a store in a folder.
fn read_into(from: &Store, at: &DatabaseAt, part: &Path) -> Result<(), CopyError> {
    Identity { kind: Kind::Store, id: at.id() }
        .write(part)
        .map_err(|error| CopyError::Store(error.into()))?;
    carry_without_secrets(from, &Store::open(part)?, &mut |_, _| {})?;
    restore_editions(&[Editions::of(from.shared_files(), at.node())], &Editions::in_folder(part))
}

/// Brings a copy back into a database. What is there already is compared and stays; the copy adds what
/// it has more. `house` takes the house of the store that it is given.
///
/// # Errors
/// As [`restore`] and [`carry`]. [`CopyError::Nothing`] where the database lacks nothing.
pub fn restore_database<E: From<CopyError>>(
    from: &Path,
    to: &Store,
    at: &DatabaseAt,
    house: OfHouse<'_, E>,
) -> Result<Restored, E> {
    let node = at.node();
    if lies_in(node, from) {
        return Err(CopyError::Inside(node.to_path_buf()).into());
    }
    let part = tempfile::Builder::new().prefix("restoring-").tempdir_in(node);
    let part = part.map_err(|error| io("create a folder in", node, &error))?;
    let brought = part.path().join("store");
    let restored = restore(from, &brought)?;
    let brought_store = Store::open_to_read(&brought).map_err(CopyError::Store)?;
    let carried = carry(&brought_store, to, &[], &mut |_, _| {});
    let carried = carried.map_err(CopyError::from)?;
    let house = house(&brought)?;
    if carried.written == 0 && house.written == 0 {
        return Err(CopyError::Nothing(PathBuf::from(at.to_string())).into());
    }
    restore_editions(&[Editions::in_folder(&brought)], &Editions::of(to.shared_files(), node))?;
    Ok(restored)
}

//! A store moved between a folder and a database: copied, backed up into a folder, brought back out of
//! one.

use super::carry::{Carried, CarryError, carry};
use super::copies::{CopyError, HOUSE, HOUSE_COPY, back_up, begin_beside, io, is_free, named};
use super::restore::{restore, restore_editions, restore_house};
use super::{Checked, Export, Restored, Store, StoreAt};
use scrutineer_engine::record::Time;
use scrutineer_store::files::{lies_in, read_plain};
use scrutineer_store::{Identity, Kind};
use std::fs;
use std::path::{Path, PathBuf};

/// The largest copy of a house, in bytes.
const LARGEST_HOUSE: u64 = 64 << 20;

/// A store with where it is.
pub struct Placed<'a> {
    /// The store.
    pub store: &'a Store,
    /// Where it is.
    pub at: &'a StoreAt,
}

/// Copies all of a store into another one: every tournament as [`carry`] does, the editions of rules,
/// and who may do what where the other one has nobody yet. The store that is copied notes it.
///
/// # Errors
/// As [`carry`].
pub fn copy_store(
    from: &Placed<'_>,
    to: &Placed<'_>,
    time: Time,
    tell: &mut dyn FnMut(usize, &Carried),
) -> Result<Carried, CopyError> {
    let same = |a: &Path, b: &Path| match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    if from.at == to.at || same(from.at.folder(), to.at.folder()) {
        return Err(CarryError::Same { shown: from.at.to_string() }.into());
    }
    let carried = carry(from.store, to.store, tell)?;
    carry_folder(from.at.folder(), to.at.folder())?;
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

/// Carries what stands in the folder and is no part of a log.
fn carry_folder(from: &Path, to: &Path) -> Result<(), CopyError> {
    restore_editions(&[from], to)?;
    match to.join(HOUSE).exists() {
        true => Ok(()),
        false => restore_house(from, None, to),
    }
}

/// Copies the store of a database into a new folder, as [`back_up`] does with one in a folder.
///
/// # Errors
/// As [`back_up`] and [`carry`].
pub fn back_up_database(from: &Placed<'_>, to: &Path, time: Time) -> Result<Checked, CopyError> {
    if !is_free(to)? {
        return Err(CopyError::Exists(to.to_path_buf()));
    }
    let to = named(to)?;
    let part = begin_beside(&to, "reading")?;
    let copied = read_into(from, &part).and_then(|()| back_up(&part, &to, time));
    // What was read stands in the copy now, or nowhere.
    fs::remove_dir_all(&part).map_err(|error| io("remove", &part, &error))?;
    let mut checked = copied?;
    let path = std::path::absolute(&to).map_err(|error| io("find", &to, &error))?;
    if let Err(error) = note(from.store, "backup", path.to_string_lossy().into_owned(), time) {
        checked.wrong.push(format!("the copy is whole, but `forget` will not name it: {error}"));
    }
    Ok(checked)
}

/// Reads a database into a store in a folder.
fn read_into(from: &Placed<'_>, part: &Path) -> Result<(), CopyError> {
    let id = from.at.id();
    Identity { kind: Kind::Store, id }
        .write(part)
        .map_err(|error| CopyError::Store(error.into()))?;
    let store = Store::open(part)?;
    carry(from.store, &store, &mut |_, _| {})?;
    drop(store);
    let node = from.at.folder();
    restore_editions(&[node], part)?;
    let house = node.join(HOUSE_COPY);
    if house.is_file() {
        let bytes =
            read_plain(&house, LARGEST_HOUSE).map_err(|error| io("read", &house, &error))?;
        let to = part.join(HOUSE_COPY);
        crate::files::replace(&to, &bytes).map_err(|error| io("write", &to, &error))?;
    }
    Ok(())
}

/// Brings a copy back into a database. What is there already is compared and stays; the copy adds what
/// it has more.
///
/// # Errors
/// As [`restore`] and [`carry`]. [`CopyError::Nothing`] where the database lacks nothing.
pub fn restore_database(from: &Path, to: &Placed<'_>) -> Result<Restored, CopyError> {
    let node = to.at.folder();
    if lies_in(node, from) {
        return Err(CopyError::Inside(node.to_path_buf()));
    }
    let part = tempfile::Builder::new().prefix("restoring-").tempdir_in(node);
    let part = part.map_err(|error| io("create a folder in", node, &error))?;
    let brought = part.path().join("store");
    let restored = restore(from, &brought)?;
    let carried = carry(&Store::open_to_read(&brought)?, to.store, &mut |_, _| {})?;
    if carried.written == 0 {
        return Err(CopyError::Nothing(PathBuf::from(to.at.to_string())));
    }
    carry_folder(&brought, node)?;
    Ok(restored)
}

//! Where the editions of a store are: in its folder; or in its database, for every server of it, and in the node
//! folder as files, which `amend-rules` takes.

use super::{
    Edition, EditionError, FOLDER, MAX_BYTES, Offer, bytes_of, keep, kept, offer, offered,
    offered_file,
};
use crate::files::publish;
use scrutineer_engine::files::{FileError, Room, SideFile, SideFiles};
use scrutineer_replay::trust::note::PublicKey;
use scrutineer_store::files::read_plain;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Editions by their files, each checked.
pub type ByFile = Vec<(PathBuf, Result<Edition, EditionError>)>;

/// The editions of a store.
#[derive(Clone)]
pub struct Editions {
    folder: PathBuf,
    /// Those of a database.
    files: Option<Arc<dyn SideFiles>>,
    /// How both stood when they were brought together last.
    looked: Arc<Mutex<Option<Looked>>>,
}

/// What is kept and what waits in a database, and when the two folders changed last.
type Looked = (BTreeSet<u64>, BTreeSet<u64>, [Option<SystemTime>; 2]);

impl std::fmt::Debug for Editions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Editions").field(&self.folder).finish()
    }
}

fn failed(error: FileError) -> EditionError {
    EditionError::Io(io::Error::other(error.to_string()))
}

/// The file of an edition in a database: the digits of its name are its number.
fn file_of(room: Room, edition: &Edition) -> SideFile {
    let mut number = [0; 8];
    number.copy_from_slice(&edition.rules.hash[..8]);
    SideFile::of_all(room).numbered(u64::from_be_bytes(number))
}

fn read_file(file: &Path) -> Result<Vec<u8>, EditionError> {
    Ok(read_plain(file, MAX_BYTES)?)
}

impl Editions {
    /// Those of the store in a folder.
    pub fn in_folder(store: &Path) -> Editions {
        Editions { folder: store.to_path_buf(), files: None, looked: Arc::default() }
    }

    /// Those of a store, which is in this folder, or in a database, whose files these are, and of which it is
    /// the node folder.
    pub fn of(files: Option<Arc<dyn SideFiles>>, folder: &Path) -> Editions {
        Editions { folder: folder.to_path_buf(), files, looked: Arc::default() }
    }

    /// The folder in which they stand as files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Brings the node folder and the database together: what one of them lacks it is given. Of a folder
    /// there is nothing to bring.
    ///
    /// # Errors
    /// Where one of them cannot be read or written.
    pub fn look(&self) -> Result<(), EditionError> {
        let Some(files) = &self.files else { return Ok(()) };
        let there = numbers(&**files, Room::Editions)?;
        let waiting = numbers(&**files, Room::OfferedEditions)?;
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if *looked == Some((there.clone(), waiting.clone(), self.changed())) {
            return Ok(());
        }
        let here = good(kept(&self.folder)?);
        let known: BTreeSet<u64> =
            here.iter().map(|(_, one)| file_of(Room::Editions, one).number).collect();
        for (file, edition) in &here {
            if !there.contains(&file_of(Room::Editions, edition).number) {
                put(&**files, Room::Editions, edition, &read_file(file)?)?;
            }
        }
        for bytes in lacking(&**files, Room::Editions, &there, &known)? {
            // One that is damaged there is nowhere of use.
            if let Ok(edition) = super::read(&bytes, None) {
                keep(&self.folder, &bytes, &edition.key)?;
            }
        }
        let mut known = BTreeSet::new();
        for (file, edition) in good(offered(&self.folder)?) {
            let number = file_of(Room::OfferedEditions, &edition).number;
            match waiting.contains(&number) {
                true => drop(known.insert(number)),
                // Somebody has named its key.
                false => std::fs::remove_file(file)?,
            }
        }
        for bytes in lacking(&**files, Room::OfferedEditions, &waiting, &known)? {
            if let Ok(edition) = super::read(&bytes, None) {
                publish(&offered_file(&self.folder, &edition), &bytes, true)?;
            }
        }
        *looked = Some((there, waiting, self.changed()));
        Ok(())
    }

    /// When the folders of those that are kept and of those that wait changed last.
    pub fn changed(&self) -> [Option<SystemTime>; 2] {
        let changed = |folder: &Path| folder.metadata().and_then(|found| found.modified()).ok();
        let kept = self.kept_in();
        [changed(&kept), changed(&kept.join("offered"))]
    }

    /// Keeps an edition, as [`keep`] does.
    ///
    /// # Errors
    /// As [`keep`].
    pub fn keep(&self, bytes: &[u8], key: &PublicKey) -> Result<(Edition, PathBuf), EditionError> {
        self.look()?;
        let (edition, ruleset) = keep(&self.folder, bytes, key)?;
        self.put_kept(&edition, bytes)?;
        Ok((edition, ruleset))
    }

    fn put_kept(&self, edition: &Edition, bytes: &[u8]) -> Result<(), EditionError> {
        let Some(files) = &self.files else { return Ok(()) };
        put(&**files, Room::Editions, edition, bytes)?;
        files.remove(file_of(Room::OfferedEditions, edition)).map(drop).map_err(failed)
    }

    /// Takes in an edition that came, as [`offer`] does.
    ///
    /// # Errors
    /// As [`offer`].
    pub fn offer(&self, bytes: &[u8]) -> Result<(Edition, Offer), EditionError> {
        self.look()?;
        let (edition, became) = offer(&self.folder, bytes)?;
        match (&self.files, became) {
            (Some(files), Offer::Waits) => put(&**files, Room::OfferedEditions, &edition, bytes)?,
            (_, Offer::Kept) => self.put_kept(&edition, bytes)?,
            _ => {}
        }
        Ok((edition, became))
    }

    /// Those that are kept, each checked again.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn kept(&self) -> Result<ByFile, EditionError> {
        self.look()?;
        Ok(kept(&self.folder)?)
    }

    /// Those that wait for their key to be named, each checked again.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn offered(&self) -> Result<ByFile, EditionError> {
        self.look()?;
        Ok(offered(&self.folder)?)
    }

    /// The bytes of one that is kept, as they were signed.
    ///
    /// # Errors
    /// As [`bytes_of`].
    pub fn bytes_of(&self, name: &str) -> Result<Vec<u8>, EditionError> {
        match bytes_of(&self.folder, name) {
            Err(EditionError::NoSuch { .. }) => {
                self.look()?;
                bytes_of(&self.folder, name)
            }
            read => read,
        }
    }

    /// The bytes of one that waits.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn bytes_of_offered(&self, edition: &Edition) -> Result<Vec<u8>, EditionError> {
        read_file(&offered_file(&self.folder, edition))
    }

    /// The folder in which those that are kept stand.
    pub fn kept_in(&self) -> PathBuf {
        self.folder.join(FOLDER)
    }
}

fn good(all: ByFile) -> Vec<(PathBuf, Edition)> {
    all.into_iter().filter_map(|(file, read)| Some((file, read.ok()?))).collect()
}

/// The numbers of the editions that are in a room of a database.
fn numbers(files: &dyn SideFiles, room: Room) -> Result<BTreeSet<u64>, EditionError> {
    let listed = files.list(room, None).map_err(failed)?;
    Ok(listed.into_iter().map(|(file, _)| file.number).collect())
}

/// The bytes of those that are there and not known.
fn lacking(
    files: &dyn SideFiles,
    room: Room,
    there: &BTreeSet<u64>,
    known: &BTreeSet<u64>,
) -> Result<Vec<Vec<u8>>, EditionError> {
    let of = |number: &u64| SideFile::of_all(room).numbered(*number);
    let read = there.difference(known).map(|number| files.get(of(number), MAX_BYTES));
    let read = read.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    Ok(read.into_iter().flatten().collect())
}

/// Puts an edition into a database; the same may be there already.
fn put(
    files: &dyn SideFiles,
    room: Room,
    edition: &Edition,
    bytes: &[u8],
) -> Result<(), EditionError> {
    let file = file_of(room, edition);
    let there = files.get(file, MAX_BYTES).map_err(failed)?;
    if there.as_deref() == Some(bytes) {
        return Ok(());
    }
    match files.replace(file, there.as_deref(), bytes) {
        // Another server was first, with the same or with another signature of the same texts.
        Err(FileError::Changed { .. }) => Ok(()),
        done => done.map_err(failed),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edition_of, signed};
    use super::*;
    use crate::kit::{FIRST, SECOND, public};
    use scrutineer_engine::files::MemoryFiles;

    #[test]
    fn what_one_server_takes_all_servers_of_the_database_have() {
        let files: Arc<dyn SideFiles> = Arc::new(MemoryFiles::new());
        let nodes = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let of = |at: usize| Editions {
            folder: nodes[at].path().to_path_buf(),
            files: Some(Arc::clone(&files)),
            looked: Arc::default(),
        };
        let (one, other) = (of(0), of(1));
        let count =
            |at: &Editions| (at.kept().expect("read").len(), at.offered().expect("read").len());
        assert_eq!(one.offer(signed().as_bytes()).expect("taken").1, Offer::Waits);
        assert_eq!((count(&one), count(&other)), ((0, 1), (0, 1)));
        let (edition, ruleset) =
            other.keep(signed().as_bytes(), &public(FIRST)).expect("its key is named");
        assert!(ruleset.is_file());
        assert_eq!((count(&one), count(&other)), ((1, 0), (1, 0)));
        assert!(super::super::ruleset_file(one.folder(), &edition).is_file(), "with its texts");
        assert_eq!(one.bytes_of(&edition.name()).expect("read"), signed().into_bytes());
        assert_eq!(one.offer(edition_of("mtr", &FIRST).as_bytes()).expect("taken").1, Offer::Kept);
        let waits = edition_of("battlefy", &SECOND);
        assert_eq!(one.offer(waits.as_bytes()).expect("taken").1, Offer::Waits);
        assert_eq!(other.offer(waits.as_bytes()).expect("taken").1, Offer::Known);
        assert_eq!(count(&other), (2, 1));
        // What a node had in its folder before goes to all, too.
        let own = edition_of("hgbts", &FIRST);
        keep(other.folder(), own.as_bytes(), &public(FIRST)).expect("kept");
        other.look().expect("looked");
        assert_eq!(count(&one), (3, 1));
    }
}

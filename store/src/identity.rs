//! The file `FORMAT` of a folder: whether it is a store or a copy of one, and of which store.

use std::io::{self, Read};
use std::path::Path;

use super::LogError;
use super::checked::{checked, with_check};
use super::durable::{io_error, replace_file};
use super::files::{open_plain, read_plain};
use super::options::OpenError;
use super::segment::{SegmentReader, count_segments};
use scrutineer_engine::record::{from_hex, to_hex};

/// The newest known format of stores and copies.
const FORMAT: u32 = 1;

/// No such file is longer.
const MAX_BYTES: u64 = 4096;

/// What a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A store: the journal, sled, and what stands beside them.
    Store,
    /// A mirror or a backup of one.
    Copy,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Store => "store",
            Kind::Copy => "copy",
        }
    }
}

/// What a folder is, and the id that a store shares with its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Whether it is the store or a copy.
    pub kind: Kind,
    /// The store's id.
    pub id: [u8; 16],
}

impl Identity {
    /// Reads a folder's identity; none where it has none.
    ///
    /// # Errors
    /// [`OpenError::Newer`], or [`OpenError::NotAStore`] where the file is damaged.
    pub fn read(folder: &Path) -> Result<Option<Identity>, OpenError> {
        let file = folder.join("FORMAT");
        let mut bytes = Vec::new();
        let read = open_plain(&file).and_then(|from| from.take(MAX_BYTES).read_to_end(&mut bytes));
        match read {
            Ok(_) => {}
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(io_error("read", &file, &error).into()),
        }
        let unreadable = || OpenError::NotAStore {
            folder: folder.to_path_buf(),
            reason: "its FORMAT file is unreadable".to_string(),
        };
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable())?;
        // First: a flipped bit in the version is no newer version.
        let text = checked(text).ok_or_else(unreadable)?;
        let (first, rest) = text.split_once('\n').ok_or_else(unreadable)?;
        let known = [Kind::Store, Kind::Copy].into_iter().find_map(|kind| {
            let version = first.strip_prefix("scrutineer ")?.strip_prefix(kind.word())?;
            Some((kind, version.strip_prefix(' ')?.parse::<u32>().ok()?))
        });
        let (kind, version) = known.ok_or_else(unreadable)?;
        if version > FORMAT {
            return Err(OpenError::Newer { found: version, known: FORMAT });
        }
        let id = rest.strip_prefix("id ").and_then(|rest| from_hex(rest.strip_suffix('\n')?));
        match (version, id) {
            (FORMAT, Some(id)) => Ok(Some(Identity { kind, id })),
            _ => Err(unreadable()),
        }
    }

    /// Writes it, durably.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn write(&self, folder: &Path) -> Result<(), LogError> {
        replace_file(&folder.join("FORMAT"), self.text().as_bytes())
    }

    /// Writes it anew where a folder of the first days has it without its check.
    pub(crate) fn renew(&self, folder: &Path) -> Result<(), LogError> {
        let found = read_plain(&folder.join("FORMAT"), MAX_BYTES);
        match found.is_ok_and(|found| found == self.text().as_bytes()) {
            true => Ok(()),
            false => self.write(folder),
        }
    }

    fn text(&self) -> String {
        with_check(&format!("scrutineer {} {FORMAT}\nid {}\n", self.kind.word(), to_hex(&self.id)))
    }

    /// A new store's, with a random id; written durably.
    pub(crate) fn draw(folder: &Path) -> Result<Identity, LogError> {
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| LogError::Io {
            action: "draw a random id for",
            file: folder.join("FORMAT").display().to_string(),
            reason: error.to_string(),
        })?;
        let identity = Identity { kind: Kind::Store, id };
        identity.write(folder)?;
        Ok(identity)
    }
}

/// The id that the segments of a folder's journal agree on, where at least one can be asked: for a
/// folder whose file `FORMAT` is damaged or gone.
pub fn id_of_journal(folder: &Path) -> Option<[u8; 16]> {
    let journal = folder.join("journal");
    let segments = 1..=count_segments(&journal).ok()?;
    let mut ids = segments.filter_map(|segment| SegmentReader::open(&journal, segment).ok());
    let id = ids.next()?.header.store;
    ids.all(|reader| reader.header.store == id).then_some(id)
}

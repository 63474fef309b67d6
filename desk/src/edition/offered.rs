//! Editions that came from a publisher's server. Those of a key that somebody has named here are kept;
//! others wait until somebody names theirs.

use super::{ENDING, Edition, EditionError, MAX_KEPT, folder, in_folder, keep, kept, read};
use crate::files::publish;
use std::io;
use std::path::{Path, PathBuf};

/// What became of an edition that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It was here.
    Known,
    /// Its key was named here before: it is kept.
    Kept,
    /// Nobody has named its key here: it waits.
    Waits,
}

/// Where those are that wait.
fn waiting(store: &Path) -> PathBuf {
    folder(store).join("offered")
}

/// Returns the file of an edition that waits.
pub fn offered_file(store: &Path, edition: &Edition) -> PathBuf {
    waiting(store).join(format!("{}.{ENDING}", edition.name()))
}

/// Takes in an edition that came.
///
/// # Errors
/// Where it is none, there are too many, or it cannot be written.
pub fn offer(store: &Path, bytes: &[u8]) -> Result<(Edition, Offer), EditionError> {
    let edition = read(bytes, None)?;
    let here = kept(store)?;
    let of_here = || here.iter().filter_map(|(_, read)| read.as_ref().ok());
    if of_here().any(|known| known.rules.hash == edition.rules.hash) {
        return Ok((edition, Offer::Known));
    }
    if of_here().any(|known| known.key == edition.key) {
        return Ok((keep(store, bytes, &edition.key)?.0, Offer::Kept));
    }
    let file = offered_file(store, &edition);
    if file.exists() {
        return Ok((edition, Offer::Known));
    }
    if offered(store)?.len() >= MAX_KEPT {
        return Err(EditionError::TooMany);
    }
    publish(&file, bytes, true)?;
    Ok((edition, Offer::Waits))
}

/// Returns the editions that wait, each checked again, by their files.
///
/// # Errors
/// Where the folder cannot be read.
pub fn offered(store: &Path) -> io::Result<Vec<(PathBuf, Result<Edition, EditionError>)>> {
    in_folder(&waiting(store))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edition_of, signed};
    use super::*;
    use crate::kit::{FIRST, SECOND, public};

    #[test]
    fn one_of_a_key_that_nobody_has_named_waits_until_somebody_names_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = folder.path();
        let bytes = signed();
        let what = |bytes: &str| offer(store, bytes.as_bytes()).expect("taken").1;
        assert_eq!((what(&bytes), what(&bytes)), (Offer::Waits, Offer::Known));
        assert_eq!((kept(store).expect("read").len(), offered(store).expect("read").len()), (0, 1));
        keep(store, bytes.as_bytes(), &public(SECOND)).expect_err("another key");
        keep(store, bytes.as_bytes(), &public(FIRST)).expect("kept");
        assert_eq!((kept(store).expect("read").len(), offered(store).expect("read").len()), (1, 0));
        assert_eq!(what(&bytes), Offer::Known);
        // The next one of that key is kept at once, and one of another key waits again.
        assert_eq!(what(&edition_of("mtr", &FIRST)), Offer::Kept);
        assert_eq!(what(&edition_of("battlefy", &SECOND)), Offer::Waits);
        assert!(offer(store, b"{}").is_err());
    }
}

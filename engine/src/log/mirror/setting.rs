//! The file `mirror` of a store: the folder that it keeps in mind.
//!
//! ```text
//! scrutineer mirror 1
//! folder /media/ann/stick/spring
//! away
//! ```
//!
//! The last line is there while it is told that the mirror can't be reached, so that it is told
//! once. A file that can't be read counts as none: a mirror is named again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::log::LogError;
use crate::log::files::{io_error, replace_file, sync_folder};

/// The mirror of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether its user was told that it can't be reached.
    pub away: bool,
}

/// The mirror that a store keeps in mind.
#[must_use]
pub fn remembered(store: &Path) -> Option<Remembered> {
    let text = fs::read_to_string(store.join("mirror")).ok()?;
    let mut lines = text.lines().filter(|_| text.len() < 16 * 1024);
    let known = lines.next()? == "scrutineer mirror 1";
    let folder = lines.next()?.strip_prefix("folder ").filter(|_| known)?;
    Some(Remembered { folder: PathBuf::from(folder), away: lines.next() == Some("away") })
}

/// Keeps a mirror in mind, or none.
///
/// # Errors
/// Where the file can't be written.
pub fn remember(store: &Path, folder: Option<&Path>, away: bool) -> Result<(), LogError> {
    let file = store.join("mirror");
    let Some(folder) = folder else {
        return match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io_error("remove", &file, &error))
            }
            _ => sync_folder(store),
        };
    };
    let plain = folder.to_str().filter(|folder| !folder.contains(['\n', '\r']));
    let Some(plain) = plain else {
        let error = io::Error::other("its name is not plain text");
        return Err(io_error("keep in mind", folder, &error));
    };
    let away = if away { "away\n" } else { "" };
    replace_file(&file, format!("scrutineer mirror 1\nfolder {plain}\n{away}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long path is kept in mind, and read again; a file that is too long is none of ours.
    #[test]
    fn a_folder_is_kept_in_mind() {
        let store = tempfile::tempdir().unwrap();
        let folder = PathBuf::from(format!("/media/{}", "stick/".repeat(500)));
        for away in [false, true] {
            remember(store.path(), Some(&folder), away).unwrap();
            let kept = Remembered { folder: folder.clone(), away };
            assert_eq!(remembered(store.path()), Some(kept));
        }
        let begin = "scrutineer mirror 1\nfolder ";
        for (len, is_read) in [(16 * 1024 - 1, true), (16 * 1024, false)] {
            let text = begin.to_string() + &"x".repeat(len - begin.len());
            fs::write(store.path().join("mirror"), text).unwrap();
            assert_eq!(remembered(store.path()).is_some(), is_read, "{len} bytes");
        }
    }
}

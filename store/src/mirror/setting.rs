//! The file `mirror` of a store: the folder that it keeps in mind.
//!
//! ```text
//! scrutineer mirror 1
//! folder /media/ann/stick/spring
//! away
//! check 2d9be2ba9ff2ff49
//! ```
//!
//! The third line is there while it is told that the mirror can't be reached, so that it is told
//! once.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::checked::{checked, with_check};
use crate::durable::{io_error, replace_file, sync_folder};
use crate::files::open_plain;
use scrutineer_engine::log::LogError;

/// Of a file that is longer no more is read.
const MAX_BYTES: u64 = 16 * 1024;

/// The mirror of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether its user was told that it can't be reached.
    pub away: bool,
}

/// The mirror that a store keeps in mind.
///
/// # Errors
/// Where the file can't be read or is damaged: nobody knows then whether there is a mirror.
pub fn remembered(store: &Path) -> Result<Option<Remembered>, LogError> {
    let file = store.join("mirror");
    let mut text = String::new();
    let read = open_plain(&file).and_then(|from| from.take(MAX_BYTES).read_to_string(&mut text));
    match read {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error("read", &file, &error)),
    }
    let damaged = || io_error("read", &file, &io::Error::other("it is damaged"));
    checked(&text).and_then(parse).map(Some).ok_or_else(damaged)
}

fn parse(text: &str) -> Option<Remembered> {
    let rest = text.strip_prefix("scrutineer mirror 1\nfolder ")?;
    let (folder, rest) = rest.split_once('\n')?;
    let away = match rest {
        "" => false,
        "away\n" => true,
        _ => return None,
    };
    Some(Remembered { folder: PathBuf::from(folder), away })
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
    let text = format!("scrutineer mirror 1\nfolder {plain}\n{away}");
    replace_file(&file, with_check(&text).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_kept_in_mind() {
        let store = tempfile::tempdir().unwrap();
        assert_eq!(remembered(store.path()), Ok(None));
        let folder = PathBuf::from(format!("/media/{}", "stick/".repeat(500)));
        for away in [false, true] {
            remember(store.path(), Some(&folder), away).unwrap();
            let kept = Remembered { folder: folder.clone(), away };
            assert_eq!(remembered(store.path()), Ok(Some(kept)));
        }
        remember(store.path(), None, false).unwrap();
        assert_eq!(remembered(store.path()), Ok(None));
    }

    /// No bit of it flips unnoticed, also none of the path; and what is too long is none of ours.
    #[test]
    fn a_damaged_file_is_told() {
        let store = tempfile::tempdir().unwrap();
        let file = store.path().join("mirror");
        for away in [false, true] {
            remember(store.path(), Some(Path::new("/media/ann/stick/check in")), away).unwrap();
            let whole = fs::read(&file).unwrap();
            for bit in 0..whole.len() * 8 {
                let mut bytes = whole.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                fs::write(&file, bytes).unwrap();
                assert!(remembered(store.path()).is_err(), "{away}, bit {bit}");
            }
        }
        let begin = "scrutineer mirror 1\nfolder ";
        for (len, is_read) in [(16 * 1024, true), (16 * 1024 + 1, false)] {
            let text = format!("{begin}{}\n", "x".repeat(len - begin.len() - 1));
            fs::write(&file, text).unwrap();
            assert_eq!(remembered(store.path()).is_ok(), is_read, "{len} bytes");
        }
    }
}

//! Beside another program that runs tournaments, as TOM has to: the files that it keeps in a folder are followed,
//! each version brings its tournament up to date, and what is recorded here is written into copies for it.
//! Its own files are never touched.

use crate::pushing::Line;
use scrutineer_engine::record::StreamId;
use scrutineer_formats::ENDINGS;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// How many files are followed: those that were changed last.
pub const MOST_FILES: usize = 64;
/// The folder beside the files into which copies are written.
pub const COPIES: &str = "scrutineer";

/// Whoever is told what became of a file.
pub type Teller = Box<dyn Fn(&str) + Send + Sync>;

/// What is followed.
pub struct Setup {
    /// The folder.
    pub folder: PathBuf,
    /// Who is told.
    pub tell: Teller,
}

/// How a file was last seen: its length and when it was changed.
pub type Seen = (u64, SystemTime);

/// Where that stands which the file does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Here {
    /// There is nothing of the kind.
    #[default]
    Nothing,
    /// In a copy of the file.
    InCopy,
    /// In the log alone: the format is not written into a file.
    Only,
}

/// A file that is followed.
#[derive(Clone, Default)]
pub struct Followed {
    /// How it was seen last.
    pub seen: Option<Seen>,
    /// The version that was read.
    pub read: Option<Seen>,
    /// Its tournament.
    pub stream: Option<StreamId>,
    /// The file, where it was understood.
    pub bytes: Arc<Vec<u8>>,
    /// Up to which event of the log its copy was written.
    pub written: u64,
    /// Where that stands which was recorded here and is not in the file.
    pub here: Here,
    /// Why the last copy was not written; it is tried again.
    pub unwritten: Option<String>,
    /// Why the last version was not taken.
    pub refused: Option<String>,
    /// How many events the log had then: where it grows, the version is tried again.
    pub refused_at: u64,
}

/// The files that are followed.
#[derive(Default)]
pub struct OtherProgram(Mutex<BTreeMap<PathBuf, Followed>>);

impl OtherProgram {
    /// The files, by their paths.
    pub fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Followed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the desk of a tournament is told of its file; none: it has none.
    pub fn line(&self, stream: StreamId) -> Option<Line> {
        let files = self.files();
        let (path, followed) = files.iter().find(|(_, one)| one.stream == Some(stream))?;
        let name = name_of(path);
        if let Some(why) = followed.refused.as_ref().or(followed.unwritten.as_ref()) {
            return Some(Line { text: format!("{name}: {why}"), is_alarm: true });
        }
        let text = match followed.here {
            Here::Nothing => format!("{name} is followed, and has all that was recorded here"),
            Here::InCopy => format!(
                "{name} is followed; what was recorded here is in {COPIES}/{name}: open that in the other \
                 program, or type it there"
            ),
            Here::Only => format!(
                "{name} is followed; it lacks what was recorded here, and no copy of such a file can be written"
            ),
        };
        Some(Line { text, is_alarm: false })
    }
}

/// What a file is called.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or("a file".into(), |name| name.to_string_lossy().into_owned())
}

/// The files of the folder that may be tournaments, by name, with how they look.
///
/// # Errors
/// Where the folder cannot be read.
pub fn look(folder: &Path) -> std::io::Result<Vec<(PathBuf, Seen)>> {
    let is_known = |path: &Path| {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        ending.is_some_and(|ending| ENDINGS.contains(&&ending[..]))
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        // A name that begins with a dot is a file that is being written.
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let Ok(about) = entry.metadata() else { continue };
        if is_hidden || !about.is_file() || !is_known(&path) {
            continue;
        }
        found.push((path, (about.len(), about.modified().unwrap_or(SystemTime::UNIX_EPOCH))));
    }
    // Those that were changed last are followed, where there are too many.
    found.sort_by_key(|(_, (_, changed))| std::cmp::Reverse(*changed));
    found.truncate(MOST_FILES);
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_may_be_tournaments_are_followed_up_to_the_limit_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..MOST_FILES + 3 {
            std::fs::write(folder.path().join(format!("{number:03}.tdf")), "x").expect("written");
        }
        for other in [".000.tdf", "000.tdf.bak", "notes.txt", "000"] {
            std::fs::write(folder.path().join(other), "x").expect("written");
        }
        std::fs::create_dir(folder.path().join("000a.tdf")).expect("a folder");
        let found = look(folder.path()).expect("it is there");
        assert_eq!(found.len(), MOST_FILES);
        assert!(found.iter().all(|(path, _)| path.to_string_lossy().ends_with(".tdf")));
        assert!(look(&folder.path().join("gone")).is_err());
    }
}

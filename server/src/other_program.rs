//! Beside another program that runs tournaments, as TOM has to: the files that it keeps in a folder are followed,
//! each version brings its tournament up to date, and what is recorded here is written into copies for it.
//! Its own files are never touched.

use scrutineer_desk::orders::Told;
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

/// How the command begins that brings a file in.
const IMPORT: &str = "scrutineer import ";

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
    /// How many rounds it has.
    pub rounds: usize,
    /// The matches that have a result here, and none or another one in it, in words.
    pub lacks: Vec<String>,
    /// Where its tables and final standings are others than those here, in words; empty where they are not.
    pub differs: String,
    /// What is paired in it and waits here for a round that is not over, in words.
    pub waits: Option<String>,
    /// What looked wrong in the last version that was taken, each as it was told.
    pub odd: Vec<String>,
    /// Whether its last version was understood, whether or not it was taken.
    pub is_read: bool,
    /// Whether it is there no longer.
    pub is_gone: bool,
    /// How its copy was seen last.
    pub copy: Option<Seen>,
    /// The versions of the file and of its copy that were held against each other.
    pub judged: (Option<Seen>, Option<Seen>),
    /// What there is to say where the other program saved into the copy.
    pub saved_into: Option<String>,
    /// The tournaments whose file it was before another one's was saved over it, each with what there is to say.
    pub before: Vec<(StreamId, String)>,
}

impl Followed {
    /// How far it is: of several files of one tournament that are there the one with most rounds is followed, and of
    /// those the one that was saved last.
    pub fn progress(&self) -> (bool, usize, Option<SystemTime>) {
        (!self.is_gone, self.rounds, self.read.map(|(_, changed)| changed))
    }
}

/// What the desk of a tournament is told of its file.
#[derive(Clone, Debug)]
pub struct FileLine {
    /// How far it is.
    pub text: String,
    /// Whether somebody has to look at it.
    pub is_alarm: bool,
    /// What is to be done in the other program before anything else.
    pub first: Option<String>,
}

/// The files that are followed.
#[derive(Default)]
pub struct OtherProgram(Mutex<BTreeMap<PathBuf, Followed>>);

impl OtherProgram {
    /// The files, by their paths.
    pub fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Followed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a tournament; none: it has none.
    pub fn of(&self, stream: StreamId) -> Option<(PathBuf, Followed)> {
        let files = self.files();
        let of_it = files.iter().filter(|(_, one)| one.stream == Some(stream));
        let found = of_it.max_by_key(|(_, one)| one.progress());
        found.map(|(path, one)| (path.clone(), one.clone()))
    }

    /// Says to who recorded something in a tournament that is followed that nothing is to be imported: what is saved
    /// in the other program comes by itself.
    pub fn goes_on(&self, stream: StreamId, told: &mut Told) {
        let is_import = told.next.as_ref().is_some_and(|next| next.starts_with(IMPORT));
        let Some((path, _)) = self.of(stream).filter(|_| is_import) else { return };
        told.next = None;
        let name = name_of(&path);
        told.notes.push(format!(
            "{name} is followed: go on in the other program and save there, and it is here; what {name} lacks of \
             this stands on the desk page"
        ));
    }

    /// What the desk of a tournament is told over whose file another one's was saved.
    fn replaced(&self, stream: StreamId) -> Option<FileLine> {
        let files = self.files();
        let mut all = files.iter().flat_map(|(path, one)| {
            one.before.iter().map(move |(of, text)| (name_of(path), *of, text))
        });
        let (name, _, text) = all.find(|(_, of, _)| *of == stream)?;
        let first = Some(format!("First see to {name}, which is another tournament now"));
        Some(FileLine { text: text.clone(), is_alarm: true, first })
    }

    /// What the desk of a tournament is told of its file; none: it has none.
    pub fn line(&self, stream: StreamId) -> Option<FileLine> {
        let Some((path, followed)) = self.of(stream) else { return self.replaced(stream) };
        let name = name_of(&path);
        let Followed { saved_into, refused, unwritten, lacks, differs, waits, .. } = followed;
        if let Some(why) = saved_into.or(refused).or(unwritten) {
            let first = Some(format!("First see to {name}, which waits for you"));
            return Some(FileLine { text: format!("{name}: {why}"), is_alarm: true, first });
        }
        let lacked = match lacks.is_empty() {
            true => "what was recorded here".into(),
            false => format!("the result of {}", lacks.join(", ")),
        };
        let (text, first) = match followed.here {
            Here::Nothing => ("has all that was recorded here".to_string(), None),
            Here::InCopy => {
                let take =
                    format!("open {COPIES}/{name} in the other program and save it over {name}");
                let text = format!("lacks {lacked}: {take}, or type it there");
                (text, Some(format!("{name} lacks {lacked}: first {take}")))
            }
            Here::Only => {
                let text = format!("lacks {lacked}, and no copy of such a file can be written");
                (text, Some(format!("{name} lacks {lacked}: type it in the other program first")))
            }
        };
        // Players of a division that is ahead find nothing here.
        let is_alarm = waits.is_some();
        let waits = waits.map_or(String::new(), |waits| format!(". {waits}"));
        let text = format!("{name} is followed, and {text}{differs}{waits}");
        Some(FileLine { text, is_alarm, first })
    }
}

/// What a file is called.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or("a file".into(), |name| name.to_string_lossy().into_owned())
}

/// The files of the folder that may be tournaments, those that were changed last first, with how they look.
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
    // Those that were changed last are followed, where there are too many, and they come first.
    found.sort_by_key(|(_, (_, changed))| std::cmp::Reverse(*changed));
    found.truncate(MOST_FILES);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed_by(stream: StreamId) -> Followed {
        Followed { stream: Some(stream), ..Followed::default() }
    }

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

    #[test]
    fn what_waits_in_a_file_for_a_round_is_an_alarm_beside_what_the_file_lacks() {
        let (files, stream) = (OtherProgram::default(), StreamId([7; 16]));
        let waits = "Round 3 of the juniors is paired there";
        let followed = Followed {
            stream: Some(stream),
            waits: Some(waits.into()),
            here: Here::InCopy,
            ..Followed::default()
        };
        files.files().insert("cup.tdf".into(), followed.clone());
        let line = files.line(stream).expect("a line");
        assert!(line.is_alarm && line.text.ends_with(&format!(". {waits}")), "{}", line.text);
        assert!(line.first.is_some_and(|first| first.contains("first open scrutineer/cup.tdf")));
        files.files().insert("cup.tdf".into(), Followed { waits: None, ..followed });
        assert!(!files.line(stream).expect("a line").is_alarm);
        // Another one's was saved over it, and it came under another name.
        let other = Some(StreamId([8; 16]));
        let before = vec![(stream, "cup.tdf is another tournament now".to_string())];
        let replaced = Followed { stream: other, before, ..Followed::default() };
        files.files().insert("cup.tdf".into(), replaced);
        let line = files.line(stream).expect("a line");
        assert!(line.is_alarm && line.text.starts_with("cup.tdf is another"), "{}", line.text);
        files.files().insert("own.tdf".into(), followed_by(stream));
        assert!(files.line(stream).expect("a line").text.starts_with("own.tdf is followed"));
    }
}

//! Files that are parts of one tournament, such as pages of an answer: they are read together.

use crate::error::VerbError;
use crate::import::{Candidate, ends_in};
use crate::printable::printable;
use crate::session::read_bounded;
use scrutineer_desk::store::AddError;
use scrutineer_formats::{ENDINGS, join, join_rounds, limits, part_of, rounds_of_one};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is brought in as one: a file, or the parts of a tournament in one folder.
pub struct Given {
    /// The file; of several parts their folder.
    pub path: PathBuf,
    /// The parts; none where the file is whole.
    parts: Vec<PathBuf>,
    /// The name under which sheets of a round each are read together.
    as_rounds: Option<String>,
    /// Why there is nothing to read.
    readable: Result<(), VerbError>,
}

impl Given {
    /// The name of the file, or of the parts' folder.
    pub fn name(&self) -> String {
        if let Some(name) = &self.as_rounds {
            return name.clone();
        }
        // The folder in which one stands has none.
        let first = self.parts.first().filter(|_| self.path.file_name().is_none());
        name_of(first.unwrap_or(&self.path))
    }

    /// The file; of several their folder and the name that they have together.
    pub fn place(&self) -> PathBuf {
        if self.as_rounds.is_some() { self.path.join(self.name()) } else { self.path.clone() }
    }

    /// What is said of it, with the names of its files as somebody typed them: what was put together has a name
    /// that no file has.
    pub fn said(&self, text: &str) -> String {
        let typed = |path: &PathBuf| path.display().to_string();
        let begins = |name: &str| {
            text.strip_prefix(name).filter(|rest| rest.starts_with([':', ' ']) || rest.is_empty())
        };
        let of_part = self.parts.iter().find_map(|part| Some((part, begins(&name_of(part))?)));
        match (of_part, self.as_rounds.as_deref().and_then(begins)) {
            (Some((part, rest)), _) => format!("{}{rest}", typed(part)),
            (None, Some(rest)) => {
                let all: Vec<String> = self.parts.iter().map(typed).collect();
                format!("{}{rest}", all.join(", "))
            }
            (None, None) => text.to_owned(),
        }
    }

    /// The bytes of the file, or of its parts put together.
    pub fn bytes(&self) -> Result<Vec<u8>, VerbError> {
        self.readable.clone()?;
        if self.parts.is_empty() {
            return read_bounded(&self.path, limits::FILE_BYTES);
        }
        let mut read = Vec::new();
        for path in &self.parts {
            read.push((name_of(path), read_bounded(path, limits::FILE_BYTES)?));
        }
        let files: Vec<(&str, &[u8])> =
            read.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        match self.as_rounds {
            Some(_) => Ok(join_rounds(&files).map_err(AddError::from)?.bytes),
            None => Ok(join(&files).map_err(AddError::from)?),
        }
    }
}

/// A file's name without its folders.
fn name_of(path: &Path) -> String {
    path.file_name().map_or("file".into(), |name| name.to_string_lossy().into_owned())
}

/// Each file alone, but for those of a folder that are parts of one format, and sheets of a round each: these
/// together, told on standard error.
pub fn together(files: Vec<Candidate>) -> Vec<Given> {
    let mut parts: BTreeMap<(PathBuf, &'static str), Vec<PathBuf>> = BTreeMap::new();
    // One file has no others to go with.
    for (path, readable) in files.iter().filter(|_| files.len() > 1) {
        let is_json = ends_in(path, "json") || !has_known_ending(path);
        if readable.is_err() || !is_json {
            continue;
        }
        let bytes = read_bounded(path, limits::FILE_BYTES);
        let format = bytes.ok().and_then(|bytes| part_of(&name_of(path), &bytes));
        if let (Some(format), Some(folder)) = (format, path.parent()) {
            parts.entry((folder.to_owned(), format)).or_default().push(path.clone());
        }
    }
    parts.retain(|_, paths| {
        paths.sort();
        paths.dedup();
        paths.len() > 1
    });
    let is_part = |path: &PathBuf| parts.values().any(|paths| paths.contains(path));
    let alone = files.into_iter().filter(|(path, _)| !is_part(path));
    let mut given: Vec<Given> = alone
        .map(|(path, readable)| Given { path, parts: Vec::new(), as_rounds: None, readable })
        .collect();
    for ((folder, format), parts) in parts {
        let path = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let names: Vec<String> = parts.iter().map(|path| name_of(path)).collect();
        let text = format!("{} ({format}) are read as one tournament", names.join(", "));
        let _ = writeln!(anstream::stderr(), "note: {}", printable(&text));
        given.push(Given { path, parts, as_rounds: None, readable: Ok(()) });
    }
    by_rounds(given)
}

/// Whether the name says of which sort a file is; of others only the content does.
fn has_known_ending(path: &Path) -> bool {
    ENDINGS.iter().any(|known| ends_in(path, known))
}

/// How the names of sheets end.
const SHEETS: [&str; 5] = ["csv", "tsv", "xlsx", "xls", "ods"];

/// Puts the sheets of a folder that are rounds of one tournament together.
fn by_rounds(given: Vec<Given>) -> Vec<Given> {
    let mut folders: BTreeMap<PathBuf, Vec<(usize, String, Vec<u8>)>> = BTreeMap::new();
    for (at, one) in given.iter().enumerate().filter(|_| given.len() > 1) {
        let is_sheet =
            SHEETS.iter().any(|known| ends_in(&one.path, known)) || !has_known_ending(&one.path);
        let is_whole = one.parts.is_empty() && one.readable.is_ok();
        if let Some(folder) = one.path.parent().filter(|_| is_sheet && is_whole)
            && let Ok(bytes) = read_bounded(&one.path, limits::FILE_BYTES)
        {
            folders.entry(folder.to_owned()).or_default().push((at, name_of(&one.path), bytes));
        }
    }
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut joined: Vec<Given> = Vec::new();
    for (folder, sheets) in folders {
        let files: Vec<(&str, &[u8])> =
            sheets.iter().map(|(_, name, bytes)| (name.as_str(), &bytes[..])).collect();
        for group in rounds_of_one(&files) {
            let places: Vec<usize> = group.iter().map(|at| sheets[*at].0).collect();
            let of_group: Vec<(&str, &[u8])> = group.iter().map(|at| files[*at]).collect();
            let title = join_rounds(&of_group).ok().and_then(|joined| joined.title);
            let whole = || match folder.as_os_str().is_empty() {
                true => std::fs::canonicalize("."),
                false => std::fs::canonicalize(&folder),
            };
            let folder_name = || Some(whole().ok()?.file_name()?.to_string_lossy().into_owned());
            let title = title.or_else(folder_name).unwrap_or_else(|| "rounds".into());
            let names: Vec<&str> = of_group.iter().map(|(name, _)| *name).collect();
            let text = format!("{} are read as the rounds of one tournament", names.join(", "));
            let _ = writeln!(anstream::stderr(), "note: {}", printable(&text));
            taken.extend(&places);
            let path =
                if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.clone() };
            let parts = places.iter().map(|place| given[*place].path.clone()).collect();
            let as_rounds = Some(format!("{title}.csv"));
            joined.push(Given { path, parts, as_rounds, readable: Ok(()) });
        }
    }
    let alone = given.into_iter().enumerate().filter(|(at, _)| !taken.contains(at));
    let mut all: Vec<Given> = alone.map(|(_, one)| one).collect();
    all.extend(joined);
    all
}

//! Files that are parts of one tournament, such as pages of an answer: they are read together.

use crate::error::VerbError;
use crate::import::Candidate;
use crate::printable::printable;
use crate::session::read_bounded;
use scrutineer_desk::store::AddError;
use scrutineer_formats::{join, limits, part_of};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is brought in as one: a file, or the parts of a tournament in one folder.
pub struct Given {
    /// The file; of several parts their folder.
    pub path: PathBuf,
    /// The parts; none where the file is whole.
    parts: Vec<PathBuf>,
    /// Why there is nothing to read.
    readable: Result<(), VerbError>,
}

impl Given {
    /// The name of the file, or of the parts' folder.
    pub fn name(&self) -> String {
        // The folder in which one stands has none.
        let first = self.parts.first().filter(|_| self.path.file_name().is_none());
        name_of(first.unwrap_or(&self.path))
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
        Ok(join(&files).map_err(AddError::from)?)
    }
}

/// A file's name without its folders.
fn name_of(path: &Path) -> String {
    path.file_name().map_or("file".into(), |name| name.to_string_lossy().into_owned())
}

/// Each file alone, but for those of a folder that are parts of one format: these together, told on
/// standard error.
pub fn together(files: Vec<Candidate>) -> Vec<Given> {
    let mut parts: BTreeMap<(PathBuf, &'static str), Vec<PathBuf>> = BTreeMap::new();
    // One file has no others to go with.
    for (path, readable) in files.iter().filter(|_| files.len() > 1) {
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
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
    let mut given: Vec<Given> =
        alone.map(|(path, readable)| Given { path, parts: Vec::new(), readable }).collect();
    for ((folder, format), parts) in parts {
        let path = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let names: Vec<String> = parts.iter().map(|path| name_of(path)).collect();
        let text = format!("{} ({format}) are read as one tournament", names.join(", "));
        let _ = writeln!(anstream::stderr(), "note: {}", printable(&text));
        given.push(Given { path, parts, readable: Ok(()) });
    }
    given
}

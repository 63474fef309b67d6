//! What was exported, so that whoever asks to be forgotten can be told where copies are.

use super::{Archive, ArchiveError};
use crate::files;
use scrutineer_engine::record::{StreamId, Time};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The longest list that is read, in bytes: some hundred thousand exports.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The longest path that is kept, in bytes.
const MAX_PATH: usize = 4096;

/// Something that left the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// When.
    pub time: Time,
    /// Of which event; none: of every event that the store then had.
    pub stream: Option<StreamId>,
    /// What it was, in a word: `bundle`, `handover`, `rebuild` …
    pub what: String,
    /// Where it was written to; none: to standard output, or the path held a name that was
    /// forgotten since.
    pub path: Option<String>,
    /// Whether players' names stand in it.
    pub names: bool,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    time: i64,
    stream: Option<String>,
    what: String,
    path: Option<String>,
    names: bool,
}

/// The list, in a file of the store or in memory.
pub(super) struct Exports {
    file: Option<PathBuf>,
    memory: Mutex<Vec<Export>>,
}

impl Exports {
    pub(super) fn in_memory() -> Exports {
        Exports { file: None, memory: Mutex::default() }
    }

    /// The list in a file. What a rewriting that was cut off left behind is removed: it may hold
    /// what was to be forgotten.
    pub(super) fn in_file(file: PathBuf) -> Result<Exports, ArchiveError> {
        let beside = file.with_extension("new");
        match fs::remove_file(&beside) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(failed("remove the rest of", &beside, &error));
            }
            _ => {}
        }
        Ok(Exports { file: Some(file), memory: Mutex::default() })
    }

    /// The list in a file that is not written.
    pub(super) fn to_read(file: PathBuf) -> Exports {
        Exports { file: Some(file), memory: Mutex::default() }
    }

    fn all(&self) -> Result<Vec<Export>, ArchiveError> {
        match &self.file {
            None => Ok(self.memory.lock().unwrap_or_else(PoisonError::into_inner).clone()),
            Some(file) => read(file),
        }
    }

    /// Adds a line, durably. A last line that was cut off is written over.
    fn add(&self, export: &Export) -> Result<(), ArchiveError> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &self.file else {
            memory.push(export.clone());
            return Ok(());
        };
        let end = whole_lines(&bytes(file)?).len() as u64;
        let added = files::append(file, end, line(export).as_bytes());
        added.map_err(|error| failed("write", file, &error))
    }

    /// Empties the paths that a test picks out, and says how many.
    fn forget(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<usize, ArchiveError> {
        let mut all = self.all()?;
        let meant = |export: &&mut Export| export.path.as_deref().is_some_and(is_meant);
        let emptied = all.iter_mut().filter(meant).map(|export| export.path = None).count();
        if emptied == 0 {
            return Ok(0);
        }
        match &self.file {
            None => *self.memory.lock().unwrap_or_else(PoisonError::into_inner) = all,
            Some(file) => {
                let lines: String = all.iter().map(line).collect();
                let replaced = files::replace(file, lines.as_bytes());
                replaced.map_err(|error| failed("write", file, &error))?;
            }
        }
        Ok(emptied)
    }
}

impl Archive {
    /// Notes that something left the store, durably. Whatever writes a file for somebody else
    /// calls it before it writes.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn note_export(&self, export: &Export) -> Result<(), ArchiveError> {
        self.exports.add(export)
    }

    /// What left the store of this event, the oldest first; exports of the whole store too.
    ///
    /// # Errors
    /// Where the list cannot be read.
    pub fn exports(&self, stream: StreamId) -> Result<Vec<Export>, ArchiveError> {
        let mut all = self.exports.all()?;
        if all.is_empty() {
            return Ok(all);
        }
        let mut begun = None;
        self.log().read(stream, 0, &mut |record| {
            begun = Some(record.header().time);
            ControlFlow::Break(())
        })?;
        // The whole store did not hold yet what was opened later.
        let held = |export: &Export| begun.is_some_and(|begun| begun < export.time);
        all.retain(|export| export.stream.map_or(held(export), |of| of == stream));
        Ok(all)
    }

    /// Empties the paths in the list of exports that a test picks out: a path can hold a name.
    ///
    /// # Errors
    /// Where the list cannot be replaced; then the old one stands.
    pub fn forget_paths(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<usize, ArchiveError> {
        self.exports.forget(is_meant)
    }
}

/// Adds a line to the list of a store that another program may have open: behind whatever it adds.
pub(super) fn note_beside(file: &Path, export: &Export) -> Result<(), ArchiveError> {
    let mut options = fs::File::options();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let add = || -> std::io::Result<()> {
        let mut to = options.open(file)?;
        std::io::Write::write_all(&mut to, line(export).as_bytes())?;
        to.sync_all()
    };
    add().map_err(|error| failed("write", file, &error))
}

/// Puts the lists of several folders together in a new one. A list that can't be read is passed
/// over and named.
pub(super) fn merge(
    from: &[&Path],
    to: &Path,
    passed_over: &mut Vec<String>,
) -> Result<(), ArchiveError> {
    let mut all: Vec<Export> = Vec::new();
    for folder in from {
        match read(&folder.join("exports")) {
            Ok(list) => {
                let new = list.into_iter().filter(|export| !all.contains(export));
                all.extend(new.collect::<Vec<_>>());
            }
            Err(error) => passed_over.push(format!("a list of exports was passed over: {error}")),
        }
    }
    all.sort_by_key(|export| export.time);
    let (file, lines) = (to.join("exports"), all.iter().map(line).collect::<String>());
    match all.is_empty() {
        true => Ok(()),
        false => files::replace(&file, lines.as_bytes()).map_err(|e| failed("write", &file, &e)),
    }
}

fn line(export: &Export) -> String {
    let path = export.path.as_deref().map(|path| match path.char_indices().nth(MAX_PATH / 4) {
        Some((end, _)) => path[..end].to_string(),
        None => path.to_string(),
    });
    let stream = export.stream.map(|stream| stream.to_string());
    let (what, names) = (export.what.clone(), export.names);
    let line = Line { time: export.time.unix_micros, stream, what, path, names };
    // Numbers and strings always have a JSON form.
    serde_json::to_string(&line).map_or(String::new(), |line| line + "\n")
}

fn bytes(file: &Path) -> Result<Vec<u8>, ArchiveError> {
    let read = files::read(file, MAX_BYTES).map_err(|error| failed("read", file, &error))?;
    Ok(read.unwrap_or_default())
}

/// A last line without its end was never answered for.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

fn read(file: &Path) -> Result<Vec<Export>, ArchiveError> {
    let bytes = bytes(file)?;
    let lines = whole_lines(&bytes).split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let one = |(number, line): (usize, &[u8])| {
        let wrong = || {
            let what = format!("line {number} is none of it");
            failed("read", file, &std::io::Error::other(what))
        };
        let line: Line = serde_json::from_slice(line).map_err(|_| wrong())?;
        let stream = match line.stream {
            Some(id) => Some(id.parse().map_err(|_| wrong())?),
            None => None,
        };
        let time = Time { unix_micros: line.time };
        Ok(Export { time, stream, what: line.what, path: line.path, names: line.names })
    };
    (1..).zip(lines).map(one).collect()
}

fn failed(action: &'static str, file: &Path, error: &std::io::Error) -> ArchiveError {
    ArchiveError::Beside { action, file: file.display().to_string(), reason: error.to_string() }
}

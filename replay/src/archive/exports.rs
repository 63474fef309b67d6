//! What was exported, so that whoever asks to be forgotten can be told where copies are.

use super::{Archive, ArchiveError, Turn};
use crate::files;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_store::files::remove_unfinished;
use serde::{Deserialize, Serialize};
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
    /// Where it was written to, [`SCREEN`] for standard output; none: the path held a name that was
    /// forgotten since.
    pub path: Option<String>,
    /// Whether players' names stand in it.
    pub names: bool,
    /// The only player whose name stands in it; none: everybody's.
    pub player: Option<PlayerNumber>,
}

/// The path of what was printed instead of written to a file.
pub const SCREEN: &str = "-";

/// What is known to have left the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The exports, the oldest first.
    pub exports: Vec<Export>,
    /// How many lines of the list cannot be read: what they noted is not known.
    pub unreadable: u64,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<PlayerNumber>,
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
        let folder = file.parent().unwrap_or(Path::new("."));
        let removed = remove_unfinished(folder);
        removed.map_err(|error| failed("remove what is unfinished in", folder, &error))?;
        Ok(Exports { file: Some(file), memory: Mutex::default() })
    }

    /// The list in a file of a store that is only read, or that another program has open.
    pub(super) fn to_read(file: PathBuf) -> Exports {
        Exports { file: Some(file), memory: Mutex::default() }
    }

    pub(super) fn all(&self) -> Result<Exported, ArchiveError> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &self.file else {
            return Ok(Exported { exports: memory.clone(), unreadable: 0 });
        };
        let mut all = Exported::default();
        for line in lines(&bytes(file)?) {
            match line {
                Ok(export) => all.exports.push(export),
                Err(_) => all.unreadable += 1,
            }
        }
        Ok(all)
    }

    /// Adds a line, durably. A last line that was cut off is written over.
    fn add(&self, export: &Export) -> Result<(), ArchiveError> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &self.file else {
            memory.push(export.clone());
            return Ok(());
        };
        let _turn = turn(file)?;
        let end = whole_lines(&bytes(file)?).len() as u64;
        let added = files::append(file, end, line(export).as_bytes());
        added.map_err(|error| failed("write", file, &error))
    }

    /// Empties the paths that a test picks out, and says how many. A line that cannot be read goes
    /// where the test picks it out, and stays as it is elsewhere: a newer version may read it.
    fn forget(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<usize, ArchiveError> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let meant = |export: &mut Export| {
            let meant = export.path.as_deref().is_some_and(is_meant);
            export.path.take_if(|_| meant).is_some()
        };
        let Some(file) = &self.file else {
            return Ok(memory.iter_mut().filter_map(|export| meant(export).then_some(())).count());
        };
        let _turn = turn(file)?;
        let bytes = bytes(file)?;
        let (mut emptied, mut rest) = (0, Vec::new());
        for found in lines(&bytes) {
            match found {
                Ok(mut export) => {
                    emptied += usize::from(meant(&mut export));
                    rest.extend(line(&export).bytes());
                }
                Err(line) if is_meant(&String::from_utf8_lossy(line)) => emptied += 1,
                Err(line) => {
                    rest.extend(line);
                    rest.push(b'\n');
                }
            }
        }
        // What was cut off does not count, and may hold a name all the same.
        if emptied > 0 || whole_lines(&bytes).len() < bytes.len() {
            let replaced = files::replace(file, &rest);
            replaced.map_err(|error| failed("write", file, &error))?;
        }
        Ok(emptied)
    }
}

impl Archive {
    /// Notes that something left the store, durably. Whatever writes a file for somebody else
    /// calls it once the file is there.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn note_export(&self, export: &Export) -> Result<(), ArchiveError> {
        self.exports.add(export)
    }

    /// What left the store of this event; exports of the whole store too.
    ///
    /// # Errors
    /// Where the list cannot be read.
    pub fn exports(&self, stream: StreamId) -> Result<Exported, ArchiveError> {
        let mut all = self.exports.all()?;
        if all.exports.is_empty() {
            return Ok(all);
        }
        let mut begun = None;
        self.log().read(stream, 0, &mut |record| {
            begun = Some(record.header().time);
            ControlFlow::Break(())
        })?;
        // The whole store did not hold yet what was opened later.
        let held = |export: &Export| begun.is_some_and(|begun| begun < export.time);
        all.exports.retain(|export| export.stream.map_or(held(export), |of| of == stream));
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

/// Adds a line to the list of a store that another program may have open.
pub(super) fn note_beside(file: &Path, export: &Export) -> Result<(), ArchiveError> {
    Exports::to_read(file.to_path_buf()).add(export)
}

fn turn(file: &Path) -> Result<Turn, ArchiveError> {
    Turn::at(file.parent().unwrap_or(Path::new(".")))
}

/// Puts the lists of several folders together in a new one. A line that can't be read stays as it
/// is: it may hold a path that somebody has to be told.
pub(super) fn merge(from: &[&Path], to: &Path) -> Result<(), ArchiveError> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for folder in from {
        let list = bytes(&folder.join("exports"))?;
        for line in whole_lines(&list).split_inclusive(|byte| *byte == b'\n') {
            if !all.iter().any(|known| known == line) {
                all.push(line.to_vec());
            }
        }
    }
    let file = to.join("exports");
    match all.is_empty() {
        true => Ok(()),
        false => files::replace(&file, &all.concat()).map_err(|e| failed("write", &file, &e)),
    }
}

fn line(export: &Export) -> String {
    let path = export.path.as_deref().map(|path| match path.char_indices().nth(MAX_PATH / 4) {
        Some((end, _)) => path[..end].to_string(),
        None => path.to_string(),
    });
    let stream = export.stream.map(|stream| stream.to_string());
    let (what, names, player) = (export.what.clone(), export.names, export.player);
    let line = Line { time: export.time.unix_micros, stream, what, path, names, player };
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

/// The lines of a list; one that cannot be read as it is.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Result<Export, &[u8]>> {
    let lines = whole_lines(bytes).split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| parsed(line).ok_or(line))
}

fn parsed(line: &[u8]) -> Option<Export> {
    let line: Line = serde_json::from_slice(line).ok()?;
    let stream = match line.stream {
        Some(id) => Some(id.parse().ok()?),
        None => None,
    };
    let time = Time { unix_micros: line.time };
    let Line { what, path, names, player, .. } = line;
    Some(Export { time, stream, what, path, names, player })
}

fn failed(action: &'static str, file: &Path, error: &std::io::Error) -> ArchiveError {
    ArchiveError::Beside { action, file: file.display().to_string(), reason: error.to_string() }
}

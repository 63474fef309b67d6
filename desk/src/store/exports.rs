//! What was exported, so that whoever asks to be forgotten can be told where copies are.

use super::{Beside, Store, again};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::files::{Room, SideFile};
use scrutineer_engine::record::{StreamId, Time};
use scrutineer_replay::kept::KeptError;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The list, which is one for all tournaments.
const LIST: SideFile = SideFile::of_all(Room::Exports);

/// The longest list that is read, in bytes: some hundred thousand exports.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The longest path that is kept, in bytes.
const MAX_PATH: usize = 4096;

/// Something that left the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

/// The list of a store.
pub(super) struct Exports(pub Beside);

impl Exports {
    pub(super) fn all(&self) -> Result<Exported, KeptError> {
        let mut all = Exported::default();
        for line in lines(&self.0.get(LIST, MAX_BYTES)?) {
            match line {
                Ok(export) => all.exports.push(export),
                Err(_) => all.unreadable += 1,
            }
        }
        Ok(all)
    }

    /// Adds a line, durably. A last line that was cut off is written over.
    fn add(&self, export: &Export) -> Result<(), KeptError> {
        let _turn = self.0.turn()?;
        let line = line(export);
        let added = again(|| {
            let there = self.0.files.get(LIST, MAX_BYTES)?.unwrap_or_default();
            let (seen, keep) = (there.len() as u64, whole_lines(&there).len() as u64);
            self.0.files.append(LIST, seen, keep, line.as_bytes())
        });
        added.map_err(self.0.failed("write", LIST))
    }

    /// Empties the paths that a test picks out, and says how many. A line that cannot be read goes
    /// where the test picks it out, and stays as it is elsewhere: a newer version may read it.
    fn forget(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<usize, KeptError> {
        let _turn = self.0.turn()?;
        let forgotten = again(|| {
            let Some(bytes) = self.0.files.get(LIST, MAX_BYTES)? else { return Ok(0) };
            let (emptied, rest) = without(&bytes, is_meant);
            // What was cut off does not count, and may hold a name all the same.
            if emptied > 0 || whole_lines(&bytes).len() < bytes.len() {
                self.0.files.replace(LIST, Some(&bytes), &rest)?;
            }
            Ok(emptied)
        });
        forgotten.map_err(self.0.failed("write", LIST))
    }
}

/// A list without the paths that a test picks out, and how many those were.
fn without(bytes: &[u8], is_meant: &dyn Fn(&str) -> bool) -> (usize, Vec<u8>) {
    let (mut emptied, mut rest) = (0, Vec::new());
    for found in lines(bytes) {
        match found {
            Ok(mut export) => {
                let meant = export.path.as_deref().is_some_and(is_meant);
                emptied += usize::from(export.path.take_if(|_| meant).is_some());
                rest.extend(line(&export).bytes());
            }
            Err(line) if is_meant(&String::from_utf8_lossy(line)) => emptied += 1,
            Err(line) => {
                rest.extend(line);
                rest.push(b'\n');
            }
        }
    }
    (emptied, rest)
}

impl Store {
    /// Notes that something left the store, durably. Whatever writes a file for somebody else
    /// calls it once the file is there.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn note_export(&self, export: &Export) -> Result<(), KeptError> {
        self.exports.add(export)
    }

    /// What left the store of this event; exports of the whole store too.
    ///
    /// # Errors
    /// Where the list cannot be read.
    pub fn exports(&self, stream: StreamId) -> Result<Exported, KeptError> {
        let mut all = self.exports.all()?;
        if all.exports.is_empty() {
            return Ok(all);
        }
        let first = self.log().read(stream, 0).next().transpose()?;
        let begun = first.map(|record| record.header().time);
        // The whole store did not hold yet what was opened later.
        let held = |export: &Export| begun.is_some_and(|begun| begun < export.time);
        all.exports.retain(|export| export.stream.map_or(held(export), |of| of == stream));
        Ok(all)
    }

    /// Empties the paths in the list of exports that a test picks out: a path can hold a name.
    ///
    /// # Errors
    /// Where the list cannot be replaced; then the old one stands.
    pub fn forget_paths(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<usize, KeptError> {
        self.exports.forget(is_meant)
    }
}

/// Adds a line to the list of a store that another program may have open.
pub(super) fn note_beside(store: &Path, export: &Export) -> Result<(), KeptError> {
    Exports(Beside::in_store(store)).add(export)
}

/// Puts the lists of several folders together in a new one. A line that can't be read stays as it
/// is: it may hold a path that somebody has to be told.
pub(super) fn merge(from: &[&Path], to: &Path) -> Result<(), KeptError> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for folder in from {
        let list = Beside::in_store(folder).get(LIST, MAX_BYTES)?;
        for line in whole_lines(&list).split_inclusive(|byte| *byte == b'\n') {
            if !all.iter().any(|known| known == line) {
                all.push(line.to_vec());
            }
        }
    }
    let to = Beside::in_store(to);
    match all.is_empty() {
        true => Ok(()),
        false => to.files.replace(LIST, None, &all.concat()).map_err(to.failed("write", LIST)),
    }
}

fn line(export: &Export) -> String {
    let mut export = export.clone();
    if let Some(path) = &mut export.path
        && let Some((end, _)) = path.char_indices().nth(MAX_PATH / 4)
    {
        path.truncate(end);
    }
    // Numbers and strings always have a JSON form.
    serde_json::to_string(&export).map_or(String::new(), |line| line + "\n")
}

/// A last line without its end was never answered for.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

/// The lines of a list; one that cannot be read as it is.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Result<Export, &[u8]>> {
    let lines = whole_lines(bytes).split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(|_| line))
}

//! One whole journal out of several that may be damaged: the store's own and its copies.
//!
//! A copy holds the same frames at the same places, so that each frame can be taken from whichever
//! journal still has it whole.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::LogError;
use super::damage::explain;
use super::durable::{create_folder, io_error, sync_folder};
use super::frame::{Body, FRAME_HEADER};
use super::identity::{Identity, Kind};
use super::journal::begin_segment;
use super::segment::{
    Position, SEGMENT_HEADER, SegmentHeader, SegmentReader, damaged, segment_file, segment_numbers,
};

/// A journal that was put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combined {
    /// The commands it has.
    pub commands: u64,
    /// For each journal, how many commands it alone had whole.
    pub alone: Vec<u64>,
    /// For each journal, what it held behind the last command that could be taken.
    pub left: Vec<Option<Left>>,
}

/// Bytes at a journal's end that are no whole command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// How many.
    pub bytes: u64,
    /// What is there.
    pub what: LogError,
}

/// Why journals can't be put together. What was written until then is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum CombineError {
    /// One can't be read, or the new one not written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Two of them go on in different ways.
    #[error(
        "{} and {} part at command {command}: they are two histories of one store",
        .first.display(), .second.display()
    )]
    Differ { first: PathBuf, second: PathBuf, command: u64 },
    /// A command is damaged in all of them, and others follow it.
    #[error("no copy has command {command} whole, and others follow it: {fault}")]
    Gap { command: u64, fault: LogError },
    /// One of them is another store's.
    #[error("{} is of another store", .journal.display())]
    OtherStore { journal: PathBuf },
}

/// A journal that is read.
struct Source {
    folder: PathBuf,
    /// The segment at hand, where there is one.
    reader: Option<SegmentReader>,
}

/// What a source has at a place.
enum Found {
    /// A whole frame.
    Frame(Vec<u8>),
    /// Nothing: its segment ends there, or isn't there.
    End,
    /// Something else.
    Fault(LogError),
}

impl Source {
    fn open(&mut self, segment: u64) {
        // What can't be opened has nothing to give; the others may.
        self.reader = SegmentReader::open_unchecked(&self.folder, segment).ok();
    }

    fn at(&mut self, at: Position) -> Found {
        let Some(reader) = &mut self.reader else { return Found::End };
        let limit = reader.limit();
        if at.offset >= limit {
            return Found::End;
        }
        reader.go_to(at.offset, limit);
        match reader.next_raw() {
            Ok(None) => Found::End,
            Ok(Some((number, bytes))) if number == at.frames + 1 => {
                let body = bytes.get(FRAME_HEADER..).and_then(Body::parse);
                match body.map_or(Some("a frame without records".to_string()), |b| b.fault()) {
                    None => Found::Frame(bytes.to_vec()),
                    Some(what) => Found::Fault(damaged(at.segment, at.offset, what)),
                }
            }
            Ok(Some((number, _))) => {
                let what = format!("frame {number} stands where {} belongs", at.frames + 1);
                Found::Fault(damaged(at.segment, at.offset, what))
            }
            Err(fault) => Found::Fault(fault),
        }
    }

    /// Whether its next segment was begun where this one ends.
    fn goes_on(&self, at: Position, store: [u8; 16]) -> bool {
        let next = at.segment + 1;
        match SegmentReader::open(&self.folder, next) {
            Ok(reader) => {
                let wanted = SegmentHeader {
                    store,
                    number: next,
                    frames_before: at.frames,
                    previous_len: at.offset,
                };
                reader.header == wanted
            }
            // Its header is damaged: then the length of the one before says so.
            Err(LogError::Damaged { .. }) => {
                self.reader.as_ref().is_some_and(|reader| reader.limit() == at.offset)
            }
            Err(_) => false,
        }
    }

    /// Whether a whole frame stands at this place or behind, or another segment behind; the segments
    /// between may be gone.
    fn has_more(&mut self, at: Position) -> bool {
        if matches!(self.folder.try_exists(), Ok(false)) {
            return false;
        }
        match segment_numbers(&self.folder) {
            Ok(segments) if segments.last().is_none_or(|last| *last <= at.segment) => {}
            // Also where nobody can say: better a gap that is told than an end that is not.
            _ => return true,
        }
        let Some(reader) = &mut self.reader else { return false };
        let is_copy = self.folder.parent().is_some_and(|folder| {
            Identity::read(folder)
                .is_ok_and(|found| found.is_some_and(|found| found.kind == Kind::Copy))
        });
        if is_copy && reader.lacks_sectors(at.offset).unwrap_or(false) {
            // The last write to it was interrupted.
            return false;
        }
        reader.find_frame(at.offset).is_ok_and(|found| found.is_some())
    }

    fn left(&self, at: Position, what: Option<LogError>) -> Option<Left> {
        let bytes = self.reader.as_ref()?.limit().checked_sub(at.offset)?;
        let journal = &self.folder;
        what.map(|what| Left { bytes, what: explain(journal, what) })
    }
}

/// Puts the journal of this store together in a new folder, each frame from the first journal that
/// has it whole. Nothing is written to the journals it is taken from.
///
/// # Errors
/// [`CombineError`]
pub fn combine_journals(
    journals: &[&Path],
    store: [u8; 16],
    into: &Path,
) -> Result<Combined, CombineError> {
    let source = |folder: &&Path| Source { folder: folder.to_path_buf(), reader: None };
    let mut sources: Vec<Source> = journals.iter().map(source).collect();
    create_folder(into)?;
    let mut at = Position::START;
    let mut out = begin_segment(into, store, 1, at)?;
    let mut alone = vec![0; sources.len()];
    enter(&mut sources, at.segment, store)?;
    let faults = loop {
        let found: Vec<Found> = sources.iter_mut().map(|source| source.at(at)).collect();
        if let Some(frame) = one_of(&found, &sources, at, &mut alone)? {
            write(&mut out, into, at.segment, frame)?;
            at.offset += frame.len() as u64;
            at.frames += 1;
            continue;
        }
        if sources.iter().any(|source| source.goes_on(at, store)) {
            sync(&out, into, at.segment)?;
            at.segment += 1;
            out = begin_segment(into, store, at.segment, at)?;
            at.offset = SEGMENT_HEADER as u64;
            enter(&mut sources, at.segment, store)?;
            continue;
        }
        let faults = found.into_iter().map(|found| match found {
            Found::Fault(fault) => Some(fault),
            _ => None,
        });
        break faults.collect::<Vec<_>>();
    };
    sync(&out, into, at.segment)?;
    sync_folder(into)?;
    if sources.iter_mut().any(|source| source.has_more(at)) {
        let first = sources
            .iter()
            .zip(&faults)
            .find_map(|(source, fault)| fault.clone().map(|fault| explain(&source.folder, fault)));
        let missing = || damaged(at.segment, at.offset, "it ends here".to_string());
        let fault = first.unwrap_or_else(missing);
        return Err(CombineError::Gap { command: at.frames + 1, fault });
    }
    let left = sources.iter().zip(faults).map(|(source, fault)| source.left(at, fault));
    Ok(Combined { commands: at.frames, alone, left: left.collect() })
}

/// Opens a segment in all of them. A header that holds must name this store.
fn enter(sources: &mut [Source], segment: u64, store: [u8; 16]) -> Result<(), CombineError> {
    for source in sources {
        source.open(segment);
        if let Ok(checked) = SegmentReader::open(&source.folder, segment)
            && checked.header.store != store
        {
            return Err(CombineError::OtherStore { journal: source.folder.clone() });
        }
    }
    Ok(())
}

/// The frame that is there, the same in all that have it.
fn one_of<'a>(
    found: &'a [Found],
    sources: &[Source],
    at: Position,
    alone: &mut [u64],
) -> Result<Option<&'a [u8]>, CombineError> {
    let whole: Vec<(usize, &[u8])> = found
        .iter()
        .enumerate()
        .filter_map(|(place, found)| match found {
            Found::Frame(bytes) => Some((place, &bytes[..])),
            _ => None,
        })
        .collect();
    let Some((first, frame)) = whole.first().copied() else { return Ok(None) };
    if let Some((other, _)) = whole.iter().find(|(_, bytes)| *bytes != frame) {
        return Err(CombineError::Differ {
            first: sources[first].folder.clone(),
            second: sources[*other].folder.clone(),
            command: at.frames + 1,
        });
    }
    if let [(only, _)] = whole[..] {
        alone[only] += 1;
    }
    Ok(Some(frame))
}

fn write(out: &mut File, folder: &Path, segment: u64, bytes: &[u8]) -> Result<(), LogError> {
    let path = segment_file(folder, segment);
    out.write_all(bytes).map_err(|error| io_error("write", &path, &error))
}

fn sync(out: &File, folder: &Path, segment: u64) -> Result<(), LogError> {
    let path = segment_file(folder, segment);
    out.sync_all().map_err(|error| io_error("sync", &path, &error))
}

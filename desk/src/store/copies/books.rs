//! The private texts of a tournament, put together from several copies.

use super::{CopyError, Facts, book_file};
use scrutineer_engine::book::{BookError, PrivateEntry, PrivateTexts, commit};
use scrutineer_engine::record::StreamId;
use scrutineer_store::texts::{FolderTexts, merge_books};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What came of putting a book together, in sentences.
#[derive(Default)]
pub(crate) struct BookFound {
    pub mended: Vec<String>,
    pub lost: Option<String>,
}

/// Puts a book together. Of what is damaged in one file the other gives what it has whole; the log
/// says which of two texts is right.
pub(crate) fn restore_book(
    sources: &[&Path],
    part: &Path,
    facts: &Facts,
    stream: StreamId,
) -> Result<BookFound, CopyError> {
    let files: Vec<PathBuf> = sources.iter().map(|folder| book_file(folder, stream)).collect();
    let there: Vec<&Path> =
        files.iter().map(PathBuf::as_path).filter(|file| file.exists()).collect();
    let committed = &facts.committed;
    let last = committed.keys().next_back().copied().unwrap_or(0);
    if there.is_empty() && last == 0 {
        return Ok(BookFound::default());
    }
    let opens = |entry: &PrivateEntry| {
        committed.get(&entry.number).is_some_and(|words| *words == commit(stream, entry))
    };
    let names = |what: String| {
        format!("the names of tournament {}: {what}", scrutineer_replay::loaded::short_id(stream))
    };
    let unread = |error: BookError| CopyError::Store(error.into());
    let merged = merge_books(&there, &book_file(part, stream), stream, last, &opens, &facts.traces);
    let merged = merged.map_err(unread)?;
    let book = FolderTexts::read_only(part.join("books")).book(stream).map_err(unread)?;
    let emptied: BTreeSet<u32> =
        book.erased().filter(|number| facts.traces.may_be_empty(*number)).collect();
    let is_there = |number: &u32| {
        book.entry(*number).is_some()
            || emptied.contains(number)
            || facts.traces.is_forgotten(*number)
    };
    // What was never given to this store is not lost; what is damaged in all of them is.
    let is_lost = |number: &&u32| !is_there(number) && **number > merged.taken_to;
    let lost = match committed.keys().filter(is_lost).count() {
        0 => None,
        1 => Some(names("one text is whole in none of them".to_string())),
        many => Some(names(format!("{many} texts are whole in none of them"))),
    };
    Ok(BookFound { mended: merged.damaged.iter().map(BookError::to_string).collect(), lost })
}

//! Private books in copies of a store: brought up to date, checked, and put together again.

use std::io;
use std::path::Path;

use super::folder::{MAX_BOOK, read_book, read_whole_lines, refused, write_book};
use crate::durable;
use crate::files::read_plain;
use scrutineer_engine::book::{Book, BookError, Kept, PrivateEntry};
use scrutineer_engine::event::Traces;
use scrutineer_engine::record::StreamId;

/// What a book's file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BookState {
    /// Entries with a text.
    pub texts: usize,
    /// Entries that were emptied.
    pub emptied: usize,
}

/// Brings the copy of a book up to date: it gets what was added, and loses what was forgotten, as
/// far as the log says so. `traces` are read only where the copy has a text that the book has no
/// more, or the other way round.
///
/// # Errors
/// [`BookError::Shorter`] where the copy holds an entry that the book lacks now,
/// [`BookError::Forgotten`] where it has emptied one that the book has, though it was forgotten, and
/// [`BookError::Differs`] where it holds another one. Nothing was changed then.
/// [`BookError::Kept`] where the book has emptied texts that nobody forgot: the copy keeps those,
/// and is brought up to date otherwise.
pub fn carry_book(
    from: &Path,
    to: &Path,
    stream: StreamId,
    traces: &dyn Fn() -> Result<Traces, BookError>,
) -> Result<(), BookError> {
    let bytes = read(from)?.unwrap_or_default();
    let there = read(to)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if there.as_deref() == Some(&bytes[..whole]) || (there.is_none() && whole == 0) {
        return Ok(());
    }
    let (mut book, _) = read_book(from, stream, u32::MAX)?;
    let mut kept = 0;
    if !there.as_deref().is_none_or(|there| bytes[..whole].starts_with(there)) {
        let (copy, _) = read_book(to, stream, u32::MAX)?;
        let has_text = |book: &Book, number| book.entry(number).is_some();
        let differs = |(number, _): &(&u32, &Kept)| {
            book.kept().contains_key(number)
                && has_text(&copy, **number) != has_text(&book, **number)
        };
        let differ: Vec<u32> =
            copy.kept().iter().filter(differs).map(|(number, _)| *number).collect();
        let traces = if differ.is_empty() { Traces::default() } else { traces()? };
        if let Some(objection) = objection(&copy, &book, &traces, to) {
            return Err(objection);
        }
        for number in differ {
            if let Some(entry) = copy.entry(number).filter(|_| !traces.may_be_empty(number)) {
                book.put(number, Kept::Entry(entry.clone()));
                kept += 1;
            }
        }
    }
    if let Some(folder) = to.parent() {
        durable::create_folder(folder)?;
    }
    if kept == 0 {
        return Ok(durable::replace_file(to, &bytes[..whole])?);
    }
    let bytes = write_book(&book);
    if there.as_deref() != Some(&bytes) {
        durable::replace_file(to, &bytes)?;
    }
    Err(BookError::Kept { file: to.display().to_string(), texts: kept })
}

/// Reads a book's file whole, strictly.
///
/// # Errors
/// Where a line is damaged.
pub fn check_book(file: &Path, stream: StreamId) -> Result<BookState, BookError> {
    let (book, _) = read_book(file, stream, u32::MAX)?;
    Ok(BookState { texts: book.entries().count(), emptied: book.erased().count() })
}

/// What came of putting a book together.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Merged {
    /// What could not be used, and where.
    pub damaged: Vec<BookError>,
    /// Up to this number a file says of texts that it lacks that they were never given.
    pub taken_to: u32,
}

/// Writes one book out of several files of it: an entry that is emptied in one of them and may be
/// empty is emptied, and where one has a text, a number that is only taken elsewhere has it too. Where two texts stand
/// under one number, the one that `opens` its commitment counts. Numbers up to `last`, the highest
/// to which an event commits, are taken, so that nothing else is ever written under them. Damaged
/// lines are passed over, and given back with the first of each file; so are files with a text that
/// does not count. Where neither of two does, the number is only taken. A file that can't be read
/// has nothing to give, and is given back too; only who was forgotten in it is not known then.
///
/// # Errors
/// Where a file is of another tournament or version, or nothing can be written.
pub fn merge_books(
    from: &[&Path],
    to: &Path,
    stream: StreamId,
    last: u32,
    opens: &dyn Fn(&PrivateEntry) -> bool,
    traces: &Traces,
) -> Result<Merged, BookError> {
    let mut merged = Book::new(stream);
    let (mut damaged, mut taken_to) = (Vec::new(), 0);
    for file in from {
        let (book, fault) = match read_book(file, stream, u32::MAX) {
            Ok((book, _)) => (book, None),
            Err(fault @ BookError::Line { .. }) => (read_whole_lines(file, stream)?, Some(fault)),
            Err(fault @ BookError::Io { .. }) => (Book::new(stream), Some(fault)),
            Err(error) => return Err(error),
        };
        damaged.extend(fault);
        taken_to = book.taken_to().max(taken_to);
        for (number, kept) in book.into_kept() {
            match (merged.kept().get(&number), kept) {
                // Nobody forgot it: somebody took it away there.
                (Some(Kept::Erased(_)), kept @ Kept::Entry(_)) if !traces.may_be_empty(number) => {
                    merged.put(number, kept);
                }
                (Some(Kept::Entry(_)), Kept::Erased(_)) if !traces.may_be_empty(number) => {}
                (Some(Kept::Erased(_)), _) => {}
                (None | Some(Kept::Taken), kept) | (Some(_), kept @ Kept::Erased(_)) => {
                    merged.put(number, kept);
                }
                (Some(_), Kept::Taken) => {}
                (Some(Kept::Entry(one)), Kept::Entry(other)) if *one == other => {}
                (Some(Kept::Entry(one)), Kept::Entry(other)) => {
                    if !opens(one) {
                        let right = if opens(&other) { Kept::Entry(other) } else { Kept::Taken };
                        merged.put(number, right);
                    }
                    damaged.push(BookError::Differs { file: file.display().to_string() });
                }
            }
        }
    }
    // Whoever was forgotten does not come back with an older copy.
    merged.forget(&traces.forgotten().collect::<Vec<_>>());
    if last < u32::MAX && merged.kept().last_key_value().is_none_or(|(number, _)| *number < last) {
        merged.put(last, Kept::Taken);
    }
    if let Some(folder) = to.parent() {
        durable::create_folder(folder)?;
    }
    durable::replace_file(to, &write_book(&merged))?;
    Ok(Merged { damaged, taken_to })
}

/// Why a copy may not be written over: it holds something that the book never held, or holds no
/// more.
fn objection(copy: &Book, book: &Book, traces: &Traces, file: &Path) -> Option<BookError> {
    let file = || file.display().to_string();
    let of = |(number, kept): (&u32, &Kept)| match (kept, book.kept().get(number)) {
        (_, None) => Some(BookError::Shorter { file: file() }),
        (Kept::Entry(one), Some(Kept::Entry(other))) if one != other => {
            Some(BookError::Differs { file: file() })
        }
        (Kept::Erased(_), Some(Kept::Entry(_))) if traces.is_forgotten(*number) => {
            Some(BookError::Forgotten { file: file() })
        }
        // A text that was taken out again or emptied since, one that was brought in later, and one
        // that only the copy has emptied though nobody forgot it.
        _ => None,
    };
    copy.kept().iter().find_map(of)
}

fn read(file: &Path) -> Result<Option<Vec<u8>>, BookError> {
    match read_plain(file, MAX_BOOK) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused("read", file, &error)),
    }
}

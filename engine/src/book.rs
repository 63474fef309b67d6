//! The private book: names and other free text, which the log holds only as commitments.
//!
//! A commitment binds a text without showing it: it is a hash over the text and 32 random bytes,
//! its salt, that stand in the book beside the log. Whoever has both can check that the text is
//! the one that was meant. Erasing a person empties their entries, salts included; the log stays as
//! it is and still verifies.

mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use texts::{MemoryTexts, PrivateTexts};

use crate::error::Code;
use crate::record::StreamId;

/// The longest text of one entry, in bytes.
pub const MAX_TEXT: usize = 8 * 1024;

/// The BLAKE3 `derive_key` context of commitments.
pub const COMMITMENT_CONTEXT: &str = "scrutineer 2026 private entry v1";

/// What a private text is. The codes are part of the commitment and never change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Field {
    /// The tournament's title.
    Title = 1,
    /// A player's name.
    Name = 2,
    /// A player's id with the publisher.
    PublisherId = 3,
    /// A member of the staff.
    Staff = 4,
    /// Why something was done.
    Reason = 5,
    /// A note.
    Note = 6,
    /// The name of an imported file.
    File = 7,
    /// Anything else.
    Other = 8,
}

impl Field {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Every field, in the order of the codes.
    pub const ALL: [Field; 8] = [
        Field::Title,
        Field::Name,
        Field::PublisherId,
        Field::Staff,
        Field::Reason,
        Field::Note,
        Field::File,
        Field::Other,
    ];

    /// The field with this code, if it is a known one.
    pub fn from_code(code: u8) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.code() == code)
    }

    /// Its word in readable files, such as `PublisherId`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Field::Title => "Title",
            Field::Name => "Name",
            Field::PublisherId => "PublisherId",
            Field::Staff => "Staff",
            Field::Reason => "Reason",
            Field::Note => "Note",
            Field::File => "File",
            Field::Other => "Other",
        }
    }

    /// The field whose word this is.
    pub fn from_word(word: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.word() == word)
    }
}

/// The longest title, name or id, in characters.
pub const MAX_NAME: usize = 200;

/// Whether nothing is seen of a character: spaces, and what only joins, parts or turns others.
pub fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

impl Field {
    /// Why nobody can have entered this text as such a field; none where they can. What comes from
    /// elsewhere is held to the same: a control character would reach somebody's terminal.
    #[must_use]
    pub fn objection(self, text: &str) -> Option<&'static str> {
        let is_name =
            matches!(self, Field::Title | Field::Name | Field::PublisherId | Field::Staff);
        // People write reasons and notes in lines.
        let fits = |c: char| !c.is_control() || (!is_name && matches!(c, '\n' | '\t'));
        if is_name && text.trim().is_empty() {
            Some("is empty")
        } else if !text.chars().all(fits) {
            Some("has a control character in it")
        } else if is_name && text.chars().all(is_unseen) {
            Some("has no letter that is seen")
        } else if is_name && text.chars().count() > MAX_NAME {
            Some("is longer than 200 characters")
        } else {
            None
        }
    }
}

/// What an event holds instead of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Commitment {
    /// The entry's number in the stream's book, from 1.
    pub number: u32,
    /// The hash over stream, number, field, salt and text.
    #[serde(serialize_with = "crate::readable::bytes")]
    pub digest: [u8; 32],
}

/// One text of the private book.
#[derive(Clone, PartialEq, Eq)]
pub struct PrivateEntry {
    /// Its number in the stream's book, from 1.
    pub number: u32,
    /// What the text is.
    pub field: Field,
    /// 32 random bytes; without them a name could be guessed from its commitment.
    pub salt: [u8; 32],
    /// The text itself, at most [`MAX_TEXT`] bytes.
    pub text: String,
}

/// Shows neither salt nor text, so that no message or log file carries a name.
impl std::fmt::Debug for PrivateEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PrivateEntry({} {:?})", self.number, self.field)
    }
}

/// Why the book can't be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum BookError {
    /// The operating system refused.
    #[error("cannot {action} {file}: {reason}; check the disk and the folder's permissions")]
    Io { action: &'static str, file: String, reason: String },
    /// The database that keeps the texts did not answer.
    #[error("the database does not answer as it should: {reason}; check that it runs")]
    Database { reason: String },
    /// The database is not the one that was seen, or its server was replaced.
    #[error("{reason}")]
    OtherDatabase { code: Code, reason: String },
    /// A line of a book's file is not an entry.
    #[error("{file}, line {line}: {what}")]
    Line { file: String, line: u64, what: String },
    /// The number is not free: numbers only grow.
    #[error("entry {number} can't be added, the next free number is {next}")]
    NumberTaken { number: u32, next: u32 },
    /// The text is too long.
    #[error("a text of {bytes} bytes is too long; {MAX_TEXT} is the most")]
    TooLong { bytes: usize },
    /// Every number is used.
    #[error("the private texts are full")]
    Full,
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes ({reason}); try again")]
    NoRandomness { reason: String },
    /// A copy of the book and the book itself hold different texts.
    #[error("{file} has another text than the other copy of the private texts")]
    Differs { file: String },
    /// A copy of the book has entries that the book itself lacks.
    #[error("{file} has entries that are no more in the private texts themselves")]
    Shorter { file: String },
    /// The book has emptied texts of which no event says that they were forgotten.
    #[error(
        "{file} keeps texts that the private texts have no more, and no event says that they \
             were forgotten: {texts} of them"
    )]
    Kept { file: String, texts: usize },
    /// A copy of the book has a text emptied that stands in the book itself.
    #[error(
        "{file} has emptied a text that the private texts themselves still have: somebody was forgotten"
    )]
    Forgotten { file: String },
    /// The book can only be read.
    #[error("the private texts were opened to be read only, since the store can't be written")]
    ReadOnly,
    /// A write failed earlier, so nothing more is accepted through this handle.
    #[error("the private texts stopped accepting: {reason}; check the disk, then open it again")]
    Stopped { reason: String },
}

impl BookError {
    /// The stable code of an error of the database; none for others.
    pub const fn of_database(&self) -> Option<Code> {
        match self {
            BookError::Database { .. } => Some(Code::busy("waiting-for-database")),
            BookError::OtherDatabase { code, .. } => Some(*code),
            _ => None,
        }
    }
}

impl PrivateEntry {
    /// An entry with a fresh salt, which `draw` draws.
    ///
    /// # Errors
    /// A text over [`MAX_TEXT`], or whatever drawing the salt fails with.
    pub fn new(
        number: u32,
        field: Field,
        text: impl Into<String>,
        draw: &mut dyn FnMut() -> Result<[u8; 32], BookError>,
    ) -> Result<PrivateEntry, BookError> {
        let text = text.into();
        if text.len() > MAX_TEXT {
            return Err(BookError::TooLong { bytes: text.len() });
        }
        Ok(PrivateEntry { number, field, salt: draw()?, text })
    }
}

/// The commitment to an entry: BLAKE3 `derive_key` over the stream (16 bytes), the number (u32,
/// little-endian), the field's code, the salt, the text's length (u32, little-endian), the text.
pub fn commit(stream: StreamId, entry: &PrivateEntry) -> Commitment {
    let mut hasher = blake3::Hasher::new_derive_key(COMMITMENT_CONTEXT);
    hasher.update(&stream.0);
    hasher.update(&entry.number.to_le_bytes());
    hasher.update(&[entry.field.code()]);
    hasher.update(&entry.salt);
    hasher.update(&(entry.text.len() as u32).to_le_bytes());
    hasher.update(entry.text.as_bytes());
    Commitment { number: entry.number, digest: *hasher.finalize().as_bytes() }
}

/// What stands behind a commitment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opened<'a> {
    /// The text that was committed to.
    Text(&'a str),
    /// The text was erased.
    Erased,
    /// The book has no such entry: it is another book or a shorter copy.
    Missing,
    /// The book has a text under this number, but not the one that was committed to.
    Altered,
}

/// The private texts of one stream. A clone shares them until one of the two is changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    stream: StreamId,
    entries: Arc<BTreeMap<u32, Kept>>,
    /// What is shown instead of texts, by number.
    shown: Arc<BTreeMap<u32, String>>,
}

/// What stands under a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// A text.
    Entry(PrivateEntry),
    /// A text that was erased.
    Erased(Field),
    /// Only the number is taken: nobody brought its text here.
    Taken,
}

impl Book {
    /// An empty book.
    pub fn new(stream: StreamId) -> Book {
        Book { stream, entries: Arc::default(), shown: Arc::default() }
    }

    /// The stream whose texts these are.
    pub fn stream(&self) -> StreamId {
        self.stream
    }

    /// Whether this is a clone of the other one and neither was changed since: looked up at once, where
    /// comparing takes as long as there are texts.
    pub fn is_clone_of(&self, other: &Book) -> bool {
        self.stream == other.stream
            && Arc::ptr_eq(&self.entries, &other.entries)
            && Arc::ptr_eq(&self.shown, &other.shown)
    }

    /// Whether the same stands under a number in both, and is shown the same way.
    pub fn has_same(&self, other: &Book, number: u32) -> bool {
        self.entries.get(&number) == other.entries.get(&number)
            && self.shown.get(&number) == other.shown.get(&number)
    }

    fn changed(&mut self) -> &mut BTreeMap<u32, Kept> {
        Arc::make_mut(&mut self.entries)
    }

    /// Adds an entry with the next free number or a higher one.
    ///
    /// # Errors
    /// [`BookError::NumberTaken`], [`BookError::TooLong`].
    pub fn add(&mut self, entry: PrivateEntry) -> Result<(), BookError> {
        self.check(&entry)?;
        self.changed().insert(entry.number, Kept::Entry(entry));
        Ok(())
    }

    fn check(&self, entry: &PrivateEntry) -> Result<(), BookError> {
        check_numbers(self.next_number()?, std::slice::from_ref(entry)).map(|_| ())
    }

    /// Puts this under a number, whatever stood there: for who reads a copy of the book.
    pub fn put(&mut self, number: u32, kept: Kept) {
        if self.shown.contains_key(&number) {
            Arc::make_mut(&mut self.shown).remove(&number);
        }
        self.changed().insert(number, kept);
    }

    /// What stands under each number.
    pub fn kept(&self) -> &BTreeMap<u32, Kept> {
        &self.entries
    }

    /// As [`Book::kept`].
    #[must_use]
    pub fn into_kept(self) -> BTreeMap<u32, Kept> {
        Arc::unwrap_or_clone(self.entries)
    }

    /// Shows something else instead of a text, which is gone from this copy: for readers who may not
    /// know it.
    pub fn show_instead(&mut self, number: u32, text: String) {
        if self.changed().remove(&number).is_some() {
            Arc::make_mut(&mut self.shown).insert(number, text);
        }
    }

    /// What stands behind a commitment. A text that doesn't match is never shown.
    pub fn text(&self, commitment: &Commitment) -> Opened<'_> {
        if let Some(shown) = self.shown.get(&commitment.number) {
            return Opened::Text(shown);
        }
        match self.entries.get(&commitment.number) {
            None | Some(Kept::Taken) => Opened::Missing,
            Some(Kept::Erased(_)) => Opened::Erased,
            Some(Kept::Entry(entry)) if commit(self.stream, entry) == *commitment => {
                Opened::Text(&entry.text)
            }
            Some(Kept::Entry(_)) => Opened::Altered,
        }
    }

    /// Whether a text was lost: an event commits to this number, and the book knows nothing of it.
    /// Below a number that is only taken, texts were never given; the highest number has none.
    pub fn lost(&self, number: u32) -> bool {
        let may_be_here = number > self.taken_to() && number < u32::MAX;
        may_be_here && !self.entries.contains_key(&number)
    }

    /// The highest number that is only taken; 0 where there is none.
    pub fn taken_to(&self) -> u32 {
        let taken = self.entries.iter().rev().find(|(_, kept)| matches!(kept, Kept::Taken));
        taken.map_or(0, |(number, _)| *number)
    }

    /// The entry with this number, unless it was erased: what is needed to open one commitment to
    /// somebody.
    pub fn entry(&self, number: u32) -> Option<&PrivateEntry> {
        match self.entries.get(&number) {
            Some(Kept::Entry(entry)) => Some(entry),
            _ => None,
        }
    }

    /// The entries that still have a text, by number.
    pub fn entries(&self) -> impl Iterator<Item = &PrivateEntry> {
        self.entries.values().filter_map(|kept| match kept {
            Kept::Entry(entry) => Some(entry),
            Kept::Erased(_) | Kept::Taken => None,
        })
    }

    /// The numbers of erased entries.
    pub fn erased(&self) -> impl Iterator<Item = u32> {
        let erased = |(number, kept): (&u32, &Kept)| match kept {
            Kept::Entry(_) | Kept::Taken => None,
            Kept::Erased(_) => Some(*number),
        };
        self.entries.iter().filter_map(erased)
    }

    /// The book as far as this number.
    #[must_use]
    pub fn until(mut self, last: u32) -> Book {
        self.changed().retain(|number, _| *number <= last);
        self
    }

    /// Empties these entries: text and salt. Numbers the book doesn't have are passed over.
    pub fn forget(&mut self, numbers: &[u32]) {
        for number in numbers {
            if let Some(kept) = self.changed().get_mut(number)
                && let Kept::Entry(entry) = kept
            {
                *kept = Kept::Erased(entry.field);
            }
        }
    }

    /// Puts a text under its number, where there is none or another one, and says whether it did.
    /// What was erased stays so, but for a number that was only taken.
    fn mend(&mut self, entry: &PrivateEntry) -> bool {
        let is_wanted = match self.entries.get(&entry.number) {
            None | Some(Kept::Taken) => true,
            Some(Kept::Erased(_)) => false,
            Some(Kept::Entry(there)) => there != entry,
        };
        if is_wanted {
            self.changed().insert(entry.number, Kept::Entry(entry.clone()));
        }
        is_wanted
    }

    /// Takes texts out to which no event refers, and puts `entries` in as [`PrivateTexts::mend`] says;
    /// gives how many were taken out, and how many put in.
    ///
    /// # Errors
    /// [`BookError::NumberTaken`], [`BookError::TooLong`]; nothing was changed then.
    pub fn mend_all(
        &mut self,
        out: &[u32],
        entries: &[PrivateEntry],
    ) -> Result<(usize, usize), BookError> {
        let next = self.next_number()?;
        for entry in entries {
            if entry.number == 0 || entry.number >= next {
                return Err(BookError::NumberTaken { number: entry.number, next });
            }
            if entry.text.len() > MAX_TEXT {
                return Err(BookError::TooLong { bytes: entry.text.len() });
            }
        }
        let taken_out = out.iter().filter(|number| self.take_out(**number)).count();
        let put_in = entries.iter().filter(|entry| self.mend(entry)).count();
        Ok((taken_out, put_in))
    }

    /// Takes a text out to which no event refers; its number stays taken. Says whether there was
    /// one.
    fn take_out(&mut self, number: u32) -> bool {
        let kept = self.changed().get_mut(&number);
        let Some(kept) = kept.filter(|kept| matches!(kept, Kept::Entry(_))) else { return false };
        *kept = Kept::Taken;
        true
    }

    /// The number the next entry gets.
    ///
    /// # Errors
    /// [`BookError::Full`] after 4,294,967,294 entries.
    pub fn next_number(&self) -> Result<u32, BookError> {
        let last = self.entries.last_key_value().map_or(0, |(number, _)| *number);
        last.checked_add(1).ok_or(BookError::Full)
    }
}

/// Checks that entries go on from `next` with rising numbers, and gives the number behind them.
///
/// # Errors
/// [`BookError::NumberTaken`], [`BookError::TooLong`].
pub fn check_numbers(next: u32, entries: &[PrivateEntry]) -> Result<u32, BookError> {
    let mut free = next;
    for entry in entries {
        if entry.number < free || entry.number == u32::MAX {
            return Err(BookError::NumberTaken { number: entry.number, next: free });
        }
        if entry.text.len() > MAX_TEXT {
            return Err(BookError::TooLong { bytes: entry.text.len() });
        }
        free = entry.number + 1;
    }
    Ok(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_under_a_number_takes_the_place_of_what_was_shown_there() {
        let (stream, mut book) = (StreamId([7; 16]), Book::new(StreamId([7; 16])));
        let text = "read upside down".to_string();
        let entry = PrivateEntry { number: 1, field: Field::Reason, salt: [1; 32], text };
        let committed = commit(stream, &entry);
        book.put(1, Kept::Entry(entry.clone()));
        book.show_instead(1, "(not public)".into());
        assert_eq!(book.text(&committed), Opened::Text("(not public)"));
        book.put(1, Kept::Entry(entry));
        assert_eq!(book.text(&committed), Opened::Text("read upside down"));
    }

    #[test]
    fn a_field_has_one_code_and_one_word() {
        for field in Field::ALL {
            assert_eq!(Field::from_code(field.code()), Some(field));
            assert_eq!(Field::from_word(field.word()), Some(field));
            assert_eq!(field.word(), format!("{field:?}"));
        }
        assert_eq!((Field::from_code(0), Field::from_word("")), (None, None));
    }

    #[test]
    fn names_are_one_line_and_reasons_may_be_several() {
        for field in Field::ALL {
            let is_name = matches!(field.code(), 1..=4);
            assert_eq!(field.objection("Zoë O'Neil"), None);
            for text in ["a\u{1b}[2Jb", "a\u{7}", "a\u{0}", "a\r\n", "\u{9b}31m"] {
                assert_eq!(
                    field.objection(text),
                    Some("has a control character in it"),
                    "{text:?}"
                );
            }
            assert_eq!(field.objection("a\nb\tc").is_some(), is_name);
            assert_eq!(field.objection(" ").is_some(), is_name);
            assert_eq!(field.objection("\u{200b} \u{2800}\u{3164}").is_some(), is_name);
            assert_eq!(field.objection("\u{feff}A"), None);
            assert_eq!(field.objection(&"ä".repeat(MAX_NAME)), None);
            assert_eq!(field.objection(&"ä".repeat(MAX_NAME + 1)).is_some(), is_name);
        }
    }
}

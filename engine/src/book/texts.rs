//! Where private books stand.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Book, BookError, PrivateEntry, check_numbers};
use crate::record::StreamId;

/// A place for private books.
pub trait PrivateTexts: Send + Sync {
    /// The whole book of a stream; empty for one that has none.
    ///
    /// # Errors
    /// When the file can't be read or a line of it is damaged.
    fn book(&self, stream: StreamId) -> Result<Book, BookError>;

    /// The book of a stream as far as this number: enough for the words of its first events,
    /// such as its title, without reading everybody's name.
    ///
    /// # Errors
    /// When the file can't be read or a line of what was read is damaged.
    fn beginning(&self, stream: StreamId, last: u32) -> Result<Book, BookError> {
        self.book(stream).map(|book| book.until(last))
    }

    /// Adds entries, durably, before this returns: call it before the events that commit to them.
    ///
    /// # Errors
    /// [`BookError::NumberTaken`] unless the numbers go on from [`PrivateTexts::next_number`].
    fn append(&self, stream: StreamId, entries: &[PrivateEntry]) -> Result<(), BookError>;

    /// Empties entries for good, and returns how many were emptied by this call.
    ///
    /// # Errors
    /// When the file can't be replaced; then the old one still stands.
    fn forget(&self, stream: StreamId, numbers: &[u32]) -> Result<usize, BookError>;

    /// Takes texts out to which no event refers, such as those of an import that failed, and puts
    /// texts under numbers that hold none or another one; all at once, durably. Numbers stay taken,
    /// and what was erased stays erased. Gives how many were put in.
    ///
    /// # Errors
    /// [`BookError::NumberTaken`] for a number that is not below [`PrivateTexts::next_number`],
    /// [`BookError::TooLong`]; and when the file can't be replaced, then the old one still stands.
    fn mend(
        &self,
        stream: StreamId,
        out: &[u32],
        entries: &[PrivateEntry],
    ) -> Result<usize, BookError>;

    /// Removes the book of a stream without records, to which no event refers.
    ///
    /// # Errors
    /// When the file can't be removed.
    fn discard(&self, stream: StreamId) -> Result<(), BookError>;

    /// The number the next entry gets.
    ///
    /// # Errors
    /// When the file can't be read or a line of it is damaged.
    fn next_number(&self, stream: StreamId) -> Result<u32, BookError>;
}

/// Books in memory, for tests and for logs in memory.
#[derive(Debug, Default)]
pub struct MemoryTexts {
    books: Mutex<BTreeMap<StreamId, Book>>,
}

impl MemoryTexts {
    /// A shelf without books.
    pub fn new() -> MemoryTexts {
        MemoryTexts::default()
    }

    /// A shelf with this book, such as a copy of one that stands elsewhere.
    pub fn holding(book: Book) -> MemoryTexts {
        MemoryTexts { books: Mutex::new(BTreeMap::from([(book.stream(), book)])) }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<StreamId, Book>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PrivateTexts for MemoryTexts {
    fn book(&self, stream: StreamId) -> Result<Book, BookError> {
        Ok(self.lock().get(&stream).cloned().unwrap_or_else(|| Book::new(stream)))
    }

    fn append(&self, stream: StreamId, entries: &[PrivateEntry]) -> Result<(), BookError> {
        let mut books = self.lock();
        let book = books.entry(stream).or_insert_with(|| Book::new(stream));
        check_numbers(book.next_number()?, entries)?;
        entries.iter().try_for_each(|entry| book.add(entry.clone()))
    }

    fn forget(&self, stream: StreamId, numbers: &[u32]) -> Result<usize, BookError> {
        let mut books = self.lock();
        let Some(book) = books.get_mut(&stream) else {
            return Ok(0);
        };
        let before = book.erased().count();
        book.forget(numbers);
        Ok(book.erased().count() - before)
    }

    fn mend(
        &self,
        stream: StreamId,
        out: &[u32],
        entries: &[PrivateEntry],
    ) -> Result<usize, BookError> {
        let mut books = self.lock();
        let book = books.entry(stream).or_insert_with(|| Book::new(stream));
        book.mend_all(out, entries).map(|(_, put_in)| put_in)
    }

    fn discard(&self, stream: StreamId) -> Result<(), BookError> {
        self.lock().remove(&stream);
        Ok(())
    }

    fn next_number(&self, stream: StreamId) -> Result<u32, BookError> {
        self.lock().get(&stream).map_or(Ok(1), Book::next_number)
    }
}

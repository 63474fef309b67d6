//! Texts before records: for a log that keeps both in places of their own.

use std::sync::{Mutex, PoisonError};

use super::{AppendError, Batch, Head, Log};
use crate::book::{BookError, PrivateEntry, PrivateTexts};
use crate::record::StreamId;

/// Appends commands to a log that cannot keep texts and records in one transaction: the texts are
/// durable first, so that no record commits to a text that a power cut took.
#[derive(Debug, Default)]
pub struct TextsFirst {
    /// Held while a stream is begun, one for many streams: two who begin the same one must not
    /// take each other's texts for those of an earlier try.
    beginning: [Mutex<()>; 32],
}

impl TextsFirst {
    /// Keeps the texts of a command, and then its records by `append_records`, which gets the batch
    /// without texts.
    ///
    /// # Errors
    /// As [`Log::append`].
    pub fn append(
        &self,
        log: &dyn Log,
        expected: Head,
        mut batch: Batch,
        append_records: impl FnOnce(Batch) -> Result<Head, AppendError>,
    ) -> Result<Head, AppendError> {
        let texts = std::mem::take(&mut batch.texts);
        let (false, Some(first)) = (texts.is_empty(), batch.records.first()) else {
            return append_records(batch);
        };
        let stream = first.header().stream;
        let begins = expected == Head::EMPTY;
        let beginning = &self.beginning[usize::from(stream.0[0]) % self.beginning.len()];
        let _alone = begins.then(|| beginning.lock().unwrap_or_else(PoisonError::into_inner));
        // Where the stream has moved on, no record will be appended.
        if log.head(stream)? == expected {
            keep_texts(log.texts(), stream, begins, &texts)?;
        }
        append_records(batch)
    }
}

/// Keeps the texts of a command. One that is sent again after it was cut off finds its own texts
/// there already; one that begins a stream may find those of an earlier try, to which no record
/// refers.
pub(super) fn keep_texts(
    kept: &dyn PrivateTexts,
    stream: StreamId,
    begins: bool,
    texts: &[PrivateEntry],
) -> Result<(), BookError> {
    match kept.append(stream, texts) {
        Err(BookError::NumberTaken { .. }) => {}
        done => return done,
    }
    let book = kept.book(stream)?;
    let there = texts.iter().take_while(|entry| book.entry(entry.number) == Some(*entry));
    let missing = &texts[there.count()..];
    if begins && missing.len() == texts.len() {
        kept.discard(stream)?;
    }
    kept.append(stream, missing)
}

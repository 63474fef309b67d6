//! The private texts behind the commitments of the records.

use postgres::{GenericClient, Row, Transaction};
use scrutineer_engine::book::{
    Book, BookError, Field, Kept, PrivateEntry, PrivateTexts, check_numbers,
};
use scrutineer_engine::record::StreamId;

use crate::{Failure, PostgresLog, fixed, reason};

impl PrivateTexts for PostgresLog {
    fn book(&self, stream: StreamId) -> Result<Book, BookError> {
        self.beginning(stream, u32::MAX)
    }

    fn beginning(&self, stream: StreamId, last: u32) -> Result<Book, BookError> {
        self.with(|client| book(client, stream, 1, last)).map_err(told)
    }

    fn append(&self, stream: StreamId, entries: &[PrivateEntry]) -> Result<(), BookError> {
        if entries.is_empty() {
            return Ok(());
        }
        self.alone(stream, |transaction, _| add(transaction, stream, entries)).map_err(told)
    }

    fn forget(&self, stream: StreamId, numbers: &[u32]) -> Result<usize, BookError> {
        let numbers: Vec<i64> = numbers.iter().map(|number| i64::from(*number)).collect();
        let emptied = self.alone(stream, |transaction, _| {
            let empty = "UPDATE texts SET salt = NULL, text = NULL \
                         WHERE stream = $1 AND number = ANY($2) AND salt IS NOT NULL";
            Ok(transaction.execute(empty, &[&&stream.0[..], &numbers])?)
        });
        emptied.map(|emptied| emptied as usize).map_err(told)
    }

    fn mend(
        &self,
        stream: StreamId,
        out: &[u32],
        entries: &[PrivateEntry],
    ) -> Result<usize, BookError> {
        let mended = self.alone(stream, |transaction, _| {
            let before = book(transaction, stream, 1, u32::MAX)?;
            let mut after = before.clone();
            let (_, put_in) = after.mend_all(out, entries).map_err(Failure::Refused)?;
            let changed = after.kept().iter();
            let changed = changed.filter(|(number, kept)| before.kept().get(number) != Some(kept));
            for (number, kept) in changed {
                put(transaction, stream, *number, kept)?;
            }
            Ok(put_in)
        });
        mended.map_err(told)
    }

    fn discard(&self, stream: StreamId) -> Result<(), BookError> {
        self.alone(stream, |transaction, _| Ok(remove_all(transaction, stream)?)).map_err(told)
    }

    fn next_number(&self, stream: StreamId) -> Result<u32, BookError> {
        self.with(|client| next_number(client, stream)).map_err(told)
    }
}

fn told(failure: Failure<BookError>) -> BookError {
    let file = || "the private texts".to_string();
    match failure {
        Failure::Refused(error) => error,
        Failure::Database(error) => {
            BookError::Io { action: "reach", file: file(), reason: reason(&error) }
        }
    }
}

/// The texts from one number to another.
fn book(
    client: &mut impl GenericClient,
    stream: StreamId,
    from: u32,
    to: u32,
) -> Result<Book, Failure<BookError>> {
    let ask = "SELECT number, field, salt, text FROM texts \
               WHERE stream = $1 AND number BETWEEN $2 AND $3 ORDER BY number";
    let (from, to) = (i64::from(from), i64::from(to));
    let mut book = Book::new(stream);
    for (line, row) in (1..).zip(client.query(ask, &[&&stream.0[..], &from, &to])?) {
        let (number, kept) = kept(&row).map_err(|what| {
            let (file, what) = ("the private texts".to_string(), what.to_string());
            Failure::Refused(BookError::Line { file, line, what })
        })?;
        book.put(number, kept);
    }
    Ok(book)
}

/// What a row says, or what is wrong with it.
fn kept(row: &Row) -> Result<(u32, Kept), &'static str> {
    let number = u32::try_from(row.get::<_, i64>(0)).map_err(|_| "its number is too high")?;
    let (salt, text): (Option<&[u8]>, Option<&[u8]>) = (row.get(2), row.get(3));
    let Some(code) = row.get::<_, Option<i16>>(1) else { return Ok((number, Kept::Taken)) };
    let field = u8::try_from(code).ok().and_then(Field::from_code).ok_or("its field is unknown")?;
    let (Some(salt), Some(text)) = (salt, text) else { return Ok((number, Kept::Erased(field))) };
    let text = String::from_utf8(text.to_vec()).map_err(|_| "its text is not UTF-8")?;
    Ok((number, Kept::Entry(PrivateEntry { number, field, salt: fixed(salt), text })))
}

fn next_number(
    client: &mut impl GenericClient,
    stream: StreamId,
) -> Result<u32, Failure<BookError>> {
    let ask = "SELECT coalesce(max(number), 0) FROM texts WHERE stream = $1";
    let last: i64 = client.query_one(ask, &[&&stream.0[..]])?.get(0);
    let next = u32::try_from(last + 1).ok().filter(|next| *next < u32::MAX);
    next.ok_or(Failure::Refused(BookError::Full))
}

/// Adds texts with the next free numbers.
fn add(
    transaction: &mut Transaction<'_>,
    stream: StreamId,
    entries: &[PrivateEntry],
) -> Result<(), Failure<BookError>> {
    let next = next_number(transaction, stream)?;
    check_numbers(next, entries).map_err(Failure::Refused)?;
    let numbers: Vec<i64> = entries.iter().map(|entry| i64::from(entry.number)).collect();
    let fields: Vec<i16> = entries.iter().map(|entry| i16::from(entry.field.code())).collect();
    let salts: Vec<&[u8]> = entries.iter().map(|entry| &entry.salt[..]).collect();
    let texts: Vec<&[u8]> = entries.iter().map(|entry| entry.text.as_bytes()).collect();
    transaction.execute(
        "INSERT INTO texts SELECT $1, * \
         FROM unnest($2::bigint[], $3::smallint[], $4::bytea[], $5::bytea[])",
        &[&&stream.0[..], &numbers, &fields, &salts, &texts],
    )?;
    Ok(())
}

/// Puts this under a number, whatever stood there.
fn put(
    transaction: &mut Transaction<'_>,
    stream: StreamId,
    number: u32,
    kept: &Kept,
) -> Result<(), postgres::Error> {
    let (field, entry) = match kept {
        Kept::Entry(entry) => (Some(entry.field), Some(entry)),
        Kept::Erased(field) => (Some(*field), None),
        Kept::Taken => (None, None),
    };
    let field = field.map(|field| i16::from(field.code()));
    let salt = entry.map(|entry| &entry.salt[..]);
    let text = entry.map(|entry| entry.text.as_bytes());
    transaction.execute(
        "INSERT INTO texts VALUES ($1, $2, $3, $4, $5) ON CONFLICT (stream, number) \
         DO UPDATE SET field = excluded.field, salt = excluded.salt, text = excluded.text",
        &[&&stream.0[..], &i64::from(number), &field, &salt, &text],
    )?;
    Ok(())
}

fn remove_all(transaction: &mut Transaction<'_>, stream: StreamId) -> Result<(), postgres::Error> {
    transaction.execute("DELETE FROM texts WHERE stream = $1", &[&&stream.0[..]]).map(|_| ())
}

/// Keeps the texts of a command. Those that stand there word for word are taken for written; a
/// stream that begins may find others of an earlier try, to which no record refers.
pub(crate) fn keep_texts(
    transaction: &mut Transaction<'_>,
    stream: StreamId,
    begins: bool,
    texts: &[PrivateEntry],
) -> Result<(), Failure<BookError>> {
    let (Some(first), Some(last)) = (texts.first(), texts.last()) else { return Ok(()) };
    let there = book(transaction, stream, first.number, last.number)?;
    let is_there = |entry: &&PrivateEntry| there.entry(entry.number) == Some(*entry);
    let missing = &texts[texts.iter().take_while(is_there).count()..];
    let is_taken = first.number < next_number(transaction, stream)?;
    if begins && is_taken && missing.len() == texts.len() {
        remove_all(transaction, stream)?;
    }
    if missing.is_empty() { Ok(()) } else { add(transaction, stream, missing) }
}

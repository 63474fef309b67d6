//! The private texts behind the commitments of the records.

use scrutineer_engine::book::{Book, BookError, Field, Kept, MAX_TEXT, PrivateEntry, PrivateTexts};
use scrutineer_engine::log::LogError;
use scrutineer_engine::record::StreamId;
use tokio_postgres::Row;

use crate::connection::Connection;
use crate::error::Trouble;
use crate::{PostgresLog, fixed};

impl PrivateTexts for PostgresLog {
    fn book(&self, stream: StreamId) -> Result<Book, BookError> {
        self.beginning(stream, u32::MAX)
    }

    fn beginning(&self, stream: StreamId, last: u32) -> Result<Book, BookError> {
        let last = i64::from(last);
        let rows = self.pool.again(|connection| connection.query(BOOK, &[&&stream.0[..], &last]));
        book(stream, &rows.map_err(|trouble| told(&trouble))?)
    }

    fn append(&self, stream: StreamId, entries: &[PrivateEntry]) -> Result<(), BookError> {
        if let Some(long) = entries.iter().find(|entry| entry.text.len() > MAX_TEXT) {
            return Err(BookError::TooLong { bytes: long.text.len() });
        }
        if entries.is_empty() {
            return Ok(());
        }
        let of = Columns::of(entries);
        let mut is_unknown = false;
        let row = self.pool.again(|connection| {
            let added = connection.query_one(
                "SELECT * FROM scrutineer.add_texts($1, $2, $3, $4, $5)",
                &[&&stream.0[..], &of.numbers, &of.fields, &of.salts, &of.texts],
            );
            is_unknown |= added.as_ref().is_err_and(Trouble::is_unknown);
            added
        });
        let row = row.map_err(|trouble| told(&trouble))?;
        let Some(taken) = row.get(0) else { return Ok(()) };
        // An answer that was lost: they may stand there from the first time.
        if is_unknown {
            let book = self.book(stream)?;
            if entries.iter().all(|entry| book.entry(entry.number) == Some(entry)) {
                return Ok(());
            }
        }
        Err(refused(Some(taken), row.get(1)))
    }

    fn forget(&self, stream: StreamId, numbers: &[u32]) -> Result<usize, BookError> {
        let numbers: Vec<i64> = numbers.iter().map(|number| i64::from(*number)).collect();
        let forget = "SELECT scrutineer.forget_texts($1, $2)";
        let row =
            self.pool.again(|connection| connection.query_one(forget, &[&&stream.0[..], &numbers]));
        Ok(row.map_err(|trouble| told(&trouble))?.get::<_, i64>(0) as usize)
    }

    fn mend(
        &self,
        stream: StreamId,
        out: &[u32],
        entries: &[PrivateEntry],
    ) -> Result<usize, BookError> {
        let mended = self.pool.again(|connection| {
            connection.transaction(|connection| mend(connection, stream, out, entries))
        });
        mended.map_err(|trouble| told(&trouble))?
    }

    fn discard(&self, stream: StreamId) -> Result<(), BookError> {
        let discard = "SELECT scrutineer.discard_texts($1)";
        let done = self.pool.again(|connection| connection.query(discard, &[&&stream.0[..]]));
        done.map(|_| ()).map_err(|trouble| told(&trouble))
    }

    fn next_number(&self, stream: StreamId) -> Result<u32, BookError> {
        let ask = "SELECT coalesce(max(number), 0) FROM scrutineer_private.texts WHERE stream = $1";
        let row = self.pool.again(|connection| connection.query_one(ask, &[&&stream.0[..]]));
        let last: i64 = row.map_err(|trouble| told(&trouble))?.get(0);
        u32::try_from(last + 1).ok().filter(|next| *next < u32::MAX).ok_or(BookError::Full)
    }
}

/// The texts up to a number.
const BOOK: &str = "SELECT number, field, salt, text FROM scrutineer_private.texts \
                    WHERE stream = $1 AND number <= $2 ORDER BY number";

/// Mends a book while its stream is locked. What is refused was not begun.
fn mend(
    connection: &mut Connection,
    stream: StreamId,
    out: &[u32],
    entries: &[PrivateEntry],
) -> Result<Result<usize, BookError>, Trouble> {
    connection.query_one("SELECT seq FROM scrutineer.lock_stream($1)", &[&&stream.0[..]])?;
    let rows = connection.query(BOOK, &[&&stream.0[..], &i64::MAX])?;
    let mended = book(stream, &rows).and_then(|before| {
        let mut after = before.clone();
        let (_, put_in) = after.mend_all(out, entries)?;
        Ok((before, after, put_in))
    });
    let (before, after, put_in) = match mended {
        Ok(mended) => mended,
        Err(refused) => return Ok(Err(refused)),
    };
    let changed = after.kept().iter();
    let changed = changed.filter(|(number, kept)| before.kept().get(number) != Some(kept));
    let of = Columns::of_kept(changed);
    connection.query(
        "SELECT scrutineer.put_texts($1, $2, $3, $4, $5)",
        &[&&stream.0[..], &of.numbers, &of.fields, &of.salts, &of.texts],
    )?;
    Ok(Ok(put_in))
}

fn told(trouble: &Trouble) -> BookError {
    LogError::from(trouble.clone()).into()
}

/// What it means that a number is not free.
pub(crate) fn refused(taken: Option<i64>, free: Option<i64>) -> BookError {
    let number = |number: Option<i64>| number.and_then(|number| u32::try_from(number).ok());
    match (number(taken), number(free).filter(|free| *free < u32::MAX)) {
        (Some(number), Some(next)) => BookError::NumberTaken { number, next },
        _ => BookError::Full,
    }
}

fn book(stream: StreamId, rows: &[Row]) -> Result<Book, BookError> {
    let mut book = Book::new(stream);
    for (line, row) in (1..).zip(rows) {
        let (number, kept) = kept(row).map_err(|what| {
            let (file, what) = ("the private texts".to_string(), what.to_string());
            BookError::Line { file, line, what }
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

/// Texts as the functions of the database take them: a list for each column.
#[derive(Default)]
pub(crate) struct Columns<'a> {
    pub(crate) numbers: Vec<i64>,
    pub(crate) fields: Vec<Option<i16>>,
    pub(crate) salts: Vec<Option<&'a [u8]>>,
    pub(crate) texts: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    pub(crate) fn of(entries: &'a [PrivateEntry]) -> Columns<'a> {
        let mut columns = Columns::default();
        entries.iter().for_each(|entry| columns.push(entry.number, Some(entry.field), Some(entry)));
        columns
    }

    fn of_kept(all: impl Iterator<Item = (&'a u32, &'a Kept)>) -> Columns<'a> {
        let mut columns = Columns::default();
        for (number, kept) in all {
            match kept {
                Kept::Entry(entry) => columns.push(*number, Some(entry.field), Some(entry)),
                Kept::Erased(field) => columns.push(*number, Some(*field), None),
                Kept::Taken => columns.push(*number, None, None),
            }
        }
        columns
    }

    fn push(&mut self, number: u32, field: Option<Field>, entry: Option<&'a PrivateEntry>) {
        self.numbers.push(i64::from(number));
        self.fields.push(field.map(|field| i16::from(field.code())));
        self.salts.push(entry.map(|entry| &entry.salt[..]));
        self.texts.push(entry.map(|entry| entry.text.as_bytes()));
    }
}

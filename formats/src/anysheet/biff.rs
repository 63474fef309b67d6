//! Workbooks of older programs (`.xls`): the records of Excel 5 to 2003, read strictly within bounds.

use super::compound::{u16_at, u32_at};
use super::grid::Merged;
use crate::limits;
use std::collections::BTreeMap;

const BOF: u16 = 0x809;
const EOF: u16 = 0x0a;
const CONTINUE: u16 = 0x3c;
const FILE_PASS: u16 = 0x2f;
const BOUND_SHEET: u16 = 0x85;
const DATE_MODE: u16 = 0x22;
const FORMAT: u16 = 0x41e;
const XF: u16 = 0xe0;
const SST: u16 = 0xfc;
const LABEL_SST: u16 = 0xfd;
const LABEL: u16 = 0x204;
const RICH_LABEL: u16 = 0xd6;
const NUMBER: u16 = 0x203;
const RK: u16 = 0x27e;
const MUL_RK: u16 = 0xbd;
const BOOL_ERR: u16 = 0x205;
const FORMULA: [u16; 3] = [0x06, 0x206, 0x406];
const STRING: u16 = 0x207;
const MERGED_CELLS: u16 = 0xe5;

/// Why a workbook is not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// A password protects it.
    Protected,
    /// It is broken here.
    Broken(&'static str),
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Words.
    Text(String),
    /// A number.
    Number(f64),
    /// A number that is kept as so many hundredths, by its digits.
    Hundredths(String),
    /// A day or a time, in days.
    Moment(f64),
    /// How long something took, in days.
    Duration(f64),
    /// Yes or no.
    Bool(bool),
    /// An error, such as `#N/A`.
    Error(&'static str),
}

/// As what a format shows a number.
#[derive(Clone, Copy)]
enum Shown {
    Number,
    Moment,
    Duration,
}

impl Shown {
    fn value(self, number: f64) -> Value {
        match self {
            Shown::Number => Value::Number(number),
            Shown::Moment => Value::Moment(number),
            Shown::Duration => Value::Duration(number),
        }
    }
}

/// A sheet of a workbook.
#[derive(Debug)]
pub(super) struct Listed {
    pub name: String,
    /// Where its records begin.
    at: usize,
}

/// A workbook.
pub(super) struct Book<'s> {
    stream: &'s [u8],
    is_new: bool,
    pub is_1904: bool,
    pub sheets: Vec<Listed>,
    texts: Vec<String>,
    /// As what the format of each kind of cells shows a number.
    shown: Vec<Shown>,
}

/// A record with those that continue it.
struct Record<'s> {
    kind: u16,
    parts: Vec<&'s [u8]>,
}

impl<'s> Record<'s> {
    fn first(&self) -> &'s [u8] {
        self.parts.first().copied().unwrap_or_default()
    }
}

/// The records of a stream from a place on.
struct Records<'s> {
    stream: &'s [u8],
    at: usize,
}

impl<'s> Records<'s> {
    fn header(&self) -> Option<(u16, &'s [u8])> {
        let (kind, length) = (u16_at(self.stream, self.at)?, u16_at(self.stream, self.at + 2)?);
        let from = self.at + 4;
        Some((kind, self.stream.get(from..from + usize::from(length))?))
    }
}

impl<'s> Iterator for Records<'s> {
    type Item = Record<'s>;

    fn next(&mut self) -> Option<Record<'s>> {
        let (kind, data) = self.header()?;
        self.at += 4 + data.len();
        let mut parts = vec![data];
        while let Some((CONTINUE, more)) = self.header() {
            parts.push(more);
            self.at += 4 + more.len();
        }
        Some(Record { kind, parts })
    }
}

/// What is read of a record bit by bit, over the ends of its parts.
struct Reading<'r, 's> {
    parts: &'r [&'s [u8]],
    at: usize,
}

impl<'s> Reading<'_, 's> {
    /// What is left of the part in which the next byte stands.
    fn part(&mut self) -> Option<&'s [u8]> {
        while self.parts.first()?.len() <= self.at {
            self.parts = &self.parts[1..];
            self.at = 0;
        }
        self.parts.first()?.get(self.at..)
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.part()?.first()?;
        self.at += 1;
        Some(byte)
    }

    fn two(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    fn four(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes([self.byte()?, self.byte()?, self.byte()?, self.byte()?]))
    }

    fn skip(&mut self, mut bytes: usize) -> Option<()> {
        while bytes > 0 {
            let here = self.part()?.len().min(bytes);
            self.at += here;
            bytes -= here;
        }
        Some(())
    }

    /// So many letters, of which the flags say how wide they are; a part that continues them says it anew.
    fn letters(&mut self, count: usize, mut flags: u8) -> Option<String> {
        let mut units: Vec<u16> = Vec::new();
        let mut left = count;
        while left > 0 {
            let is_at_end = self.parts.first()?.len() <= self.at;
            let part = self.part()?;
            if is_at_end && left < count {
                flags = self.byte()?;
                continue;
            }
            let width = 1 + usize::from(flags & 1);
            let here = (part.len() / width).min(left);
            if here == 0 {
                return None;
            }
            let own = &part[..here * width];
            match width {
                1 => units.extend(own.iter().map(|byte| u16::from(*byte))),
                _ => {
                    units.extend(own.as_chunks::<2>().0.iter().map(|two| u16::from_le_bytes(*two)))
                }
            }
            self.at += here * width;
            left -= here;
        }
        Some(String::from_utf16_lossy(&units))
    }

    /// A text with its length in two bytes, and what it may have beside its letters.
    fn text(&mut self) -> Option<String> {
        let (count, flags) = (self.two()?, self.byte()?);
        let runs = if flags & 8 == 0 { 0 } else { usize::from(self.two()?) * 4 };
        let beside = if flags & 4 == 0 { 0 } else { self.four()? as usize };
        let text = self.letters(count.into(), flags)?;
        self.skip(runs.checked_add(beside)?)?;
        Some(text)
    }
}

fn reading<'r, 's>(record: &'r Record<'s>, at: usize) -> Reading<'r, 's> {
    Reading { parts: &record.parts, at }
}

impl<'s> Book<'s> {
    /// Opens the stream of a workbook; `old` gives the letters of Excel 5 and 95.
    pub fn open(stream: &'s [u8], old: fn(&[u8]) -> String) -> Result<Book<'s>, Unread> {
        let mut records = Records { stream, at: 0 };
        let first = records.next().filter(|first| first.kind == BOF);
        let version = first.and_then(|first| u16_at(first.first(), 0));
        let is_new = match version {
            Some(0x600) => true,
            Some(0x500) => false,
            _ => return Err(Unread::Broken("it does not begin as a workbook of Excel 5 to 2003")),
        };
        let mut book = Book {
            stream,
            is_new,
            is_1904: false,
            sheets: Vec::new(),
            texts: Vec::new(),
            shown: Vec::new(),
        };
        let mut formats: BTreeMap<u16, Shown> = BTreeMap::new();
        let mut kinds: Vec<u16> = Vec::new();
        for record in records {
            let data = record.first();
            match record.kind {
                EOF => break,
                FILE_PASS => return Err(Unread::Protected),
                DATE_MODE => book.is_1904 = u16_at(data, 0) == Some(1),
                XF => kinds.push(u16_at(data, 2).unwrap_or(0)),
                FORMAT => {
                    let text = match is_new {
                        true => reading(&record, 2).text(),
                        false => short(data, 2, old),
                    };
                    if let (Some(number), Some(text)) = (u16_at(data, 0), text) {
                        formats.insert(number, shown(&text));
                    }
                }
                BOUND_SHEET => book.list(&record, old)?,
                SST => book.texts = texts(&record)?,
                _ => {}
            }
        }
        let built_in = |number: &u16| match number {
            14..=22 | 27..=36 | 45 | 47 | 50..=58 => Shown::Moment,
            46 => Shown::Duration,
            _ => Shown::Number,
        };
        let of = |number: &u16| formats.get(number).copied().unwrap_or_else(|| built_in(number));
        book.shown = kinds.iter().map(of).collect();
        Ok(book)
    }

    /// Takes a sheet into the list, where it is shown and one of cells.
    fn list(&mut self, record: &Record<'s>, old: fn(&[u8]) -> String) -> Result<(), Unread> {
        let data = record.first();
        let broken = || Unread::Broken("the list of its sheets");
        let at = u32_at(data, 0).ok_or_else(broken)? as usize;
        let (hidden, kind) = (data.get(4).copied(), data.get(5).copied());
        let name = match self.is_new {
            true => {
                let mut reading = reading(record, 6);
                let count = reading.byte().ok_or_else(broken)?;
                let flags = reading.byte().ok_or_else(broken)?;
                reading.letters(count.into(), flags)
            }
            false => short(data, 6, old),
        };
        let name = name.ok_or_else(broken)?;
        if (hidden.map(|hidden| hidden & 3), kind) == (Some(0), Some(0)) {
            self.sheets.push(Listed { name, at });
        }
        Ok(())
    }

    /// Gives each cell of a sheet, by row and column, in the order in which they are kept.
    pub fn cells<E>(
        &self,
        sheet: &Listed,
        old: fn(&[u8]) -> String,
        mut take: impl FnMut(u16, u16, Value) -> Result<(), E>,
    ) -> Result<Result<(), E>, Unread> {
        let mut records = Records { stream: self.stream, at: sheet.at };
        if records.next().is_none_or(|first| first.kind != BOF) {
            return Err(Unread::Broken("a sheet does not stand where it is listed"));
        }
        // Charts within a sheet have records of their own.
        let mut depth = 1_u32;
        let mut waits = None;
        let broken = || Unread::Broken("a cell");
        for record in records {
            let data = record.first();
            match record.kind {
                BOF => depth += 1,
                EOF => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(Ok(()));
                    }
                }
                _ if depth > 1 => {}
                STRING => {
                    if let Some((row, column)) = waits.take() {
                        let text = match self.is_new {
                            true => reading(&record, 0).text(),
                            false => long(data, 0, old),
                        };
                        if let Err(error) = take(row, column, Value::Text(text.ok_or_else(broken)?))
                        {
                            return Ok(Err(error));
                        }
                    }
                }
                MUL_RK => {
                    let (row, first) = place(data).ok_or_else(broken)?;
                    // Behind them stands the last column.
                    let pairs = data.get(4..data.len().saturating_sub(2)).unwrap_or_default();
                    for (at, pair) in (0..).zip(pairs.as_chunks::<6>().0) {
                        let column = first.checked_add(at).ok_or_else(broken)?;
                        let value = self.rk(pair, 0).ok_or_else(broken)?;
                        if let Err(error) = take(row, column, value) {
                            return Ok(Err(error));
                        }
                    }
                }
                kind => {
                    let Some(value) =
                        self.value(kind, &record, old, &mut waits).ok_or_else(broken)?
                    else {
                        continue;
                    };
                    let (row, column) = place(data).ok_or_else(broken)?;
                    if let Err(error) = take(row, column, value) {
                        return Ok(Err(error));
                    }
                }
            }
        }
        Err(Unread::Broken("a sheet has no end"))
    }

    /// The cells of a sheet that are shown as one, of one column.
    pub fn merged(&self, sheet: &Listed) -> Result<Vec<Merged>, Unread> {
        let records = Records { stream: self.stream, at: sheet.at };
        let mut merged = Vec::new();
        let mut depth = 0_u32;
        for record in records {
            match record.kind {
                BOF => depth += 1,
                EOF if depth < 2 => break,
                EOF => depth -= 1,
                MERGED_CELLS if depth == 1 => {
                    // Behind their number: the first row and the last, the first column and the last.
                    for one in record.first().get(2..).unwrap_or_default().as_chunks::<8>().0 {
                        let at = |at| u16_at(one, at).ok_or(Unread::Broken("merged cells"));
                        let (first, last, column, until) = (at(0)?, at(2)?, at(4)?, at(6)?);
                        if column == until {
                            let line = |row| u64::from(row) + 1;
                            let (first, last) = (line(first), line(last));
                            merged.push(Merged { column: column.into(), first, last });
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(merged)
    }

    /// The value of a record; none within where it is none of a cell, none at all where it is broken.
    fn value(
        &self,
        kind: u16,
        record: &Record<'_>,
        old: fn(&[u8]) -> String,
        waits: &mut Option<(u16, u16)>,
    ) -> Option<Option<Value>> {
        let data = record.first();
        Some(Some(match kind {
            NUMBER => self.number(data, float(data, 6)?)?,
            RK => self.rk(data, 4)?,
            LABEL_SST => {
                let at = u32_at(data, 6)? as usize;
                Value::Text(self.texts.get(at)?.clone())
            }
            LABEL | RICH_LABEL => Value::Text(match self.is_new {
                true => reading(record, 6).text()?,
                false => long(data, 6, old)?,
            }),
            BOOL_ERR => match (data.get(6)?, data.get(7)?) {
                (is, 0) => Value::Bool(*is != 0),
                (code, _) => Value::Error(error(*code)),
            },
            kind if FORMULA.contains(&kind) => match (data.get(6)?, data.get(12)?, data.get(13)?) {
                (0, 0xff, 0xff) => {
                    *waits = place(data);
                    return Some(None);
                }
                (1, 0xff, 0xff) => Value::Bool(*data.get(8)? != 0),
                (2, 0xff, 0xff) => Value::Error(error(*data.get(8)?)),
                (_, 0xff, 0xff) => return Some(None),
                _ => self.number(data, float(data, 6)?)?,
            },
            _ => return Some(None),
        }))
    }

    /// As what cells of the kind that stands here show a number.
    fn shown(&self, data: &[u8], at: usize) -> Option<Shown> {
        Some(self.shown.get(usize::from(u16_at(data, at)?)).copied().unwrap_or(Shown::Number))
    }

    fn number(&self, data: &[u8], number: f64) -> Option<Value> {
        Some(self.shown(data, 4)?.value(number))
    }

    /// A number of four bytes behind the kind of its cell.
    fn rk(&self, data: &[u8], at: usize) -> Option<Value> {
        let (shown, raw) = (self.shown(data, at)?, u32_at(data, at + 2)?);
        let number = match raw & 2 {
            0 => f64::from_bits(u64::from(raw & !3) << 32),
            _ => f64::from(raw as i32 >> 2),
        };
        Some(match (raw & 1, shown) {
            (0, shown) => shown.value(number),
            (_, Shown::Number) => Value::Hundredths(shifted(&number.to_string())),
            (_, shown) => shown.value(shifted(&number.to_string()).parse().ok()?),
        })
    }
}

/// The row and the column of a cell.
fn place(data: &[u8]) -> Option<(u16, u16)> {
    Some((u16_at(data, 0)?, u16_at(data, 2)?))
}

fn float(data: &[u8], at: usize) -> Option<f64> {
    let number = f64::from_le_bytes(data.get(at..at + 8)?.try_into().ok()?);
    number.is_finite().then_some(number)
}

/// A hundredth of a number, by its digits.
fn shifted(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = format!("{whole:0>3}");
    let (before, behind) = whole.split_at(whole.len() - 2);
    let part = format!("{behind}{part}");
    match part.trim_end_matches('0') {
        "" if before == "0" => "0".to_owned(),
        "" => format!("{sign}{before}"),
        part => format!("{sign}{before}.{part}"),
    }
}

/// A text of Excel 5 with its length in one byte.
fn short(data: &[u8], at: usize, old: fn(&[u8]) -> String) -> Option<String> {
    let from = at + 1;
    Some(old(data.get(from..from + usize::from(*data.get(at)?))?))
}

/// The same with its length in two bytes.
fn long(data: &[u8], at: usize, old: fn(&[u8]) -> String) -> Option<String> {
    let from = at + 2;
    Some(old(data.get(from..from + usize::from(u16_at(data, at)?))?))
}

/// The texts that the cells of all sheets share.
fn texts(record: &Record<'_>) -> Result<Vec<String>, Unread> {
    let broken = || Unread::Broken("its texts");
    let mut reading = reading(record, 4);
    let count = reading.four().ok_or_else(broken)?;
    let mut texts = Vec::new();
    // However many are promised, each takes three bytes.
    for _ in 0..count {
        if texts.len() >= limits::SHEET_CELLS {
            return Err(Unread::Broken("more texts than there can be cells"));
        }
        texts.push(reading.text().ok_or_else(broken)?);
    }
    Ok(texts)
}

/// The error of a code.
fn error(code: u8) -> &'static str {
    match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0f => "#VALUE!",
        0x17 => "#REF!",
        0x1d => "#NAME?",
        0x24 => "#NUM!",
        0x2a => "#N/A",
        _ => "an error",
    }
}

/// As what a format shows a number: a day or a time where its letters outside of quotes, brackets and escapes are
/// theirs, a duration where the first of them stands in brackets, as in `[h]:mm`.
fn shown(format: &str) -> Shown {
    let mut letters = format.chars();
    let of_time = |letter: char| matches!(letter, 'h' | 'H' | 'm' | 'M' | 's' | 'S');
    while let Some(letter) = letters.next() {
        match letter {
            '"' => drop(letters.by_ref().find(|end| *end == '"')),
            '\\' | '_' | '*' => drop(letters.next()),
            '[' => {
                let within: String = letters.by_ref().take_while(|end| *end != ']').collect();
                if !within.is_empty() && within.chars().all(of_time) {
                    return Shown::Duration;
                }
            }
            'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' | 's' | 'S' => return Shown::Moment,
            _ => {}
        }
    }
    Shown::Number
}

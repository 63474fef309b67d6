//! A sheet of OpenDocument (`.ods`) as rows of cells. A cell or a row may say that it stands there a million
//! times: what is empty is counted and not made.

use super::grid::{self, Grid, Merged, NoValue, Unknown};
use crate::error::shortened;
use crate::{Fault, ImportError, limits};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::rc::Rc;

/// The most sheets that are looked at.
const SHEETS: usize = 64;

/// Whether a file is an archive of such a sheet.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    let kind = b"application/vnd.oasis.opendocument.spreadsheet";
    bytes.starts_with(b"PK\x03\x04")
        && bytes[..bytes.len().min(200)].windows(kind.len()).any(|at| at == kind)
}

/// The sheets that have rows, in their order, of the part `content.xml`.
pub(super) fn grids(content: &[u8]) -> Result<Vec<Grid>, ImportError> {
    let text = std::str::from_utf8(content)
        .map_err(|error| Fault::NotUtf8 { offset: error.valid_up_to() })?;
    let mut reader = Reader::from_str(text);
    let mut read = Read::default();
    loop {
        match reader.read_event().map_err(|error| broken(&error.to_string()))? {
            Event::Start(tag) => read.start(&tag, false)?,
            Event::Empty(tag) => read.start(&tag, true)?,
            Event::End(tag) => read.end(tag.local_name().as_ref())?,
            Event::Text(words) if read.in_text > 0 => {
                read.words(&words.xml10_content())?;
            }
            Event::GeneralRef(name) if read.in_text > 0 => {
                let sign = crate::xml::character(&name);
                let sign = sign.ok_or_else(|| broken("an entity that nothing declares"))?;
                read.words(sign.encode_utf8(&mut [0; 4]))?;
            }
            Event::DocType(_) => return Err(broken("it declares a document type")),
            Event::Eof => break,
            _ => {}
        }
    }
    Ok(read.grids)
}

/// What is read so far.
#[derive(Default)]
struct Read {
    grids: Vec<Grid>,
    sheet: Option<Grid>,
    line: u64,
    cells: Vec<String>,
    total: usize,
    bytes: usize,
    row_repeats: u64,
    cell_repeats: usize,
    /// The value of a cell where its text is not what counts.
    value: Option<String>,
    text: String,
    in_cell: bool,
    in_text: usize,
    in_note: usize,
    /// How many rows the cell stands for, where it is one of one column.
    spans: u64,
    /// Cells of one column that are shown as one.
    merged: Vec<Merged>,
    /// Whether an error stands in a cell.
    fails: Fails,
    /// The errors of a row, with their columns.
    errors: Vec<(usize, String)>,
    unknown: Unknown,
}

/// Whether an error stands in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fails {
    #[default]
    No,
    /// It has a formula: where its text is an error's.
    AsItsText,
    /// It says so.
    Yes,
}

impl Read {
    fn start(&mut self, tag: &BytesStart, is_empty: bool) -> Result<(), ImportError> {
        match tag.local_name().as_ref() {
            "table" if self.grids.len() < SHEETS => {
                let name = attribute(tag, "name")?.unwrap_or_default();
                self.sheet = (!is_empty).then(|| Grid::of_sheet(grid::clean(&name)));
                self.unknown.clear();
                self.line = 0;
            }
            "table-row" => {
                self.row_repeats = repeats(tag, "number-rows-repeated")?;
                self.cells.clear();
                self.errors.clear();
                if is_empty {
                    self.end("table-row")?;
                }
            }
            "table-cell" | "covered-table-cell" => {
                self.cell_repeats =
                    usize::try_from(repeats(tag, "number-columns-repeated")?).unwrap_or(usize::MAX);
                self.value = value(tag)?;
                self.fails = fails(tag)?;
                let is_wide = repeats(tag, "number-columns-spanned")? > 1;
                self.spans = if is_wide { 1 } else { repeats(tag, "number-rows-spanned")? };
                self.text.clear();
                self.in_cell = true;
                if is_empty {
                    self.end("table-cell")?;
                }
            }
            "annotation" if !is_empty => self.in_note += 1,
            "p" | "h" if self.in_cell && !is_empty => self.in_text += 1,
            "s" | "tab" | "line-break" if self.in_text > 0 => self.words(" ")?,
            _ => {}
        }
        Ok(())
    }

    fn words(&mut self, words: &str) -> Result<(), ImportError> {
        if self.in_note > 0 {
            return Ok(());
        }
        self.bytes += words.len();
        if self.bytes > limits::FILE_BYTES {
            return Err(Fault::TooLarge { bytes: self.bytes }.into());
        }
        self.text.push_str(words);
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), ImportError> {
        match name {
            "table" => {
                let merged = std::mem::take(&mut self.merged);
                let Some(mut sheet) = self.sheet.take().filter(|sheet| !sheet.rows.is_empty())
                else {
                    return Ok(());
                };
                sheet.fill_down(merged)?;
                sheet.unknown = Rc::new(std::mem::take(&mut self.unknown));
                self.grids.push(sheet);
            }
            "table-row" => self.row()?,
            "table-cell" | "covered-table-cell" => self.cell()?,
            "annotation" => self.in_note = self.in_note.saturating_sub(1),
            "p" | "h" => {
                self.in_text = self.in_text.saturating_sub(1);
                // Paragraphs of a cell stand under one another.
                self.text.push(' ');
            }
            _ => {}
        }
        Ok(())
    }

    fn cell(&mut self) -> Result<(), ImportError> {
        self.in_cell = false;
        let shown = grid::clean(&self.text);
        let is_error = match self.fails {
            Fails::No => false,
            Fails::AsItsText => is_error(&shown),
            Fails::Yes => true,
        };
        let text = match is_error {
            true => String::new(),
            false => self.value.take().unwrap_or_else(|| shown.clone()),
        };
        if self.spans > 1 && !text.is_empty() {
            let first = self.line + 1;
            let last = first.saturating_add(self.spans - 1);
            self.merged.push(Merged { column: self.cells.len(), first, last });
        }
        // Empty cells behind the last one that is filled may be any number.
        let count = match text.is_empty() {
            true => self.cell_repeats.min(limits::SHEET_COLUMNS + 1),
            false => self.cell_repeats,
        };
        if !text.is_empty() && self.cells.len().saturating_add(count) > limits::SHEET_COLUMNS {
            let (what, limit) = ("columns", limits::SHEET_COLUMNS);
            return Err(Fault::TooMany { what, limit }.at(format!("row {}", self.line + 1)));
        }
        let room = (limits::SHEET_COLUMNS + 1).saturating_sub(self.cells.len());
        let count = count.min(room);
        self.weigh(text.len().saturating_mul(count.saturating_sub(1)))?;
        if is_error {
            let columns = self.cells.len()..self.cells.len() + count;
            self.errors.extend(columns.map(|at| (at, shortened(&shown))));
        }
        self.cells.extend(std::iter::repeat_n(text, count));
        Ok(())
    }

    /// Refuses more text than a file may have: what is repeated counts as if it stood there.
    fn weigh(&mut self, bytes: usize) -> Result<(), ImportError> {
        self.bytes = self.bytes.saturating_add(bytes);
        match self.bytes > limits::FILE_BYTES {
            true => Err(Fault::TooLarge { bytes: self.bytes }.into()),
            false => Ok(()),
        }
    }

    fn row(&mut self) -> Result<(), ImportError> {
        let mut cells = std::mem::take(&mut self.cells);
        let errors = std::mem::take(&mut self.errors);
        while cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        if !cells.is_empty() && self.row_repeats > limits::SHEET_ROWS as u64 {
            let (what, limit) = ("rows", limits::SHEET_ROWS);
            return Err(Fault::TooMany { what, limit }.at(format!("row {}", self.line + 1)));
        }
        let texts = cells.iter().chain(errors.iter().map(|(_, error)| error));
        let bytes = texts.map(String::len).sum::<usize>();
        let more = usize::try_from(self.row_repeats - 1).unwrap_or(usize::MAX);
        self.weigh(bytes.saturating_mul(more))?;
        let Some(sheet) = self.sheet.as_mut() else { return Ok(()) };
        if !cells.is_empty() {
            for at in 0..self.row_repeats {
                self.total += cells.len() + errors.len();
                grid::add(sheet, self.line + 1 + at, cells.clone(), self.total)?;
                for (column, error) in &errors {
                    let place = (self.line + 1 + at, *column);
                    self.unknown.insert(place, NoValue::Error(error.clone()));
                }
            }
        }
        self.line = self.line.saturating_add(self.row_repeats);
        Ok(())
    }
}

/// More rows than any sheet has, so that their numbers can be added up.
const MOST_REPEATED: u64 = 1 << 32;

/// How often a cell or a row stands there.
fn repeats(tag: &BytesStart, name: &str) -> Result<u64, ImportError> {
    let text = attribute(tag, name)?;
    Ok(text
        .and_then(|text| text.parse().ok())
        .filter(|count| *count > 0)
        .unwrap_or(1)
        .min(MOST_REPEATED))
}

/// A value that is another than the text of a cell, which has the digits that are shown.
fn value(tag: &BytesStart) -> Result<Option<String>, ImportError> {
    Ok(match attribute(tag, "value-type")?.as_deref() {
        Some("float" | "percentage" | "currency") => attribute(tag, "value")?,
        Some("date") => {
            attribute(tag, "date-value")?.map(|day| day.split('T').next().unwrap_or("").to_owned())
        }
        Some("time") => attribute(tag, "time-value")?.and_then(|time| clock(&time)),
        Some("boolean") => attribute(tag, "boolean-value")?
            .map(|is| if is == "true" { "yes" } else { "no" }.to_owned()),
        _ => None,
    })
}

/// Whether an error stands in a cell: programs write it as a text, with a value of an error or at least a formula.
fn fails(tag: &BytesStart) -> Result<Fails, ImportError> {
    let mut fails = Fails::No;
    for one in tag.attributes().take(limits::XML_ATTRIBUTES) {
        let one = one.map_err(|error| broken(&error.to_string()))?;
        match one.key.local_name().as_ref() {
            "value-type" if one.value == "error" => return Ok(Fails::Yes),
            "formula" => fails = Fails::AsItsText,
            _ => {}
        }
    }
    Ok(fails)
}

/// Whether what a formula gave is an error, such as `#N/A`, `#DIV/0!`, `#NAME?` or `Err:502`.
fn is_error(shown: &str) -> bool {
    let is_number = |code: &str| code.parse::<u16>().is_ok();
    let is_word = |word: &str| {
        matches!(word, "N/A" | "N/D" | "NV") || word.len() > 2 && word.ends_with(['!', '?'])
    };
    shown.strip_prefix("Err:").is_some_and(is_number)
        || shown.strip_prefix('#').is_some_and(|word| !word.contains(' ') && is_word(word))
}

/// The hour and the minute of `PT02H01M00S`.
fn clock(time: &str) -> Option<String> {
    let (hour, rest) = time.strip_prefix("PT")?.split_once('H')?;
    let minute = rest.split_once('M')?.0;
    let plain = |text: &str| text.len() < 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    (plain(hour) && plain(minute)).then(|| format!("{hour:0>2}:{minute:0>2}"))
}

fn attribute(tag: &BytesStart, name: &str) -> Result<Option<String>, ImportError> {
    for one in tag.attributes().take(limits::XML_ATTRIBUTES) {
        let one = one.map_err(|error| broken(&error.to_string()))?;
        if one.key.local_name().as_ref() == name {
            let value = one
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| broken(&error.to_string()))?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

fn broken(what: &str) -> ImportError {
    Fault::Csv { message: format!("the workbook is broken: {}", shortened(what)) }.into()
}

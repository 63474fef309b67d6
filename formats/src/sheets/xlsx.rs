//! How a workbook (`.xlsx`) is written: plain sheets with a bold first row that stays in sight. The
//! same sheets are the same bytes, on whichever day.

use std::io::Write;

use super::{Cell, Sheet};
use crate::WriteError;
use crate::xml_edit::escaped;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use scrutineer_engine::event::Day;
use scrutineer_engine::names::unturned;

/// The most rows of a sheet that spreadsheet programs open, its head left out.
pub const ROWS: usize = 1_048_575;
/// The most characters of a cell that they keep.
const CELL_CHARS: usize = 32_767;
/// How many digits of a number they keep.
const DIGITS: usize = 15;
/// Number formats with so many digits behind the point.
const DECIMALS: usize = 10;
/// How wide columns are, in characters.
const WIDTHS: (usize, usize) = (6, 48);
/// How many rows are measured for it.
const MEASURED: usize = 1_000;

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// The styles of cells, by their number in the workbook.
const BOLD: usize = 1;
const DATE: usize = 2;
const TEXT: usize = 3;
const FIRST_DECIMAL: usize = 4;
const FIRST_PERCENT: usize = FIRST_DECIMAL + DECIMALS;

/// Writes a workbook of these sheets.
///
/// # Errors
/// Where a sheet has more rows, or a cell more characters, than spreadsheet programs open.
pub fn workbook(sheets: &[Sheet]) -> Result<Vec<u8>, WriteError> {
    let mut parts = vec![
        ("[Content_Types].xml".to_owned(), content_types(sheets.len())),
        ("_rels/.rels".to_owned(), relations(&[("officeDocument", "xl/workbook.xml".to_owned())])),
        ("xl/workbook.xml".to_owned(), book(sheets)),
        ("xl/_rels/workbook.xml.rels".to_owned(), of_book(sheets.len())),
        ("xl/styles.xml".to_owned(), styles()),
    ];
    for (number, one) in (1..).zip(sheets) {
        parts.push((format!("xl/worksheets/sheet{number}.xml"), sheet(one)?));
    }
    archive(&parts)
        .ok_or(WriteError::TooLongForSheet { sheet: "the workbook".into(), what: "bytes" })
}

/// An archive of these parts, packed; none where it is longer than one may be. No clock: every part is of the
/// first day that an archive can name.
fn archive(parts: &[(String, String)]) -> Option<Vec<u8>> {
    const FIRST_DAY: u32 = 1 << 21 | 1 << 16;
    let (mut all, mut list) = (Vec::new(), Vec::new());
    for (name, text) in parts {
        let at = u32::try_from(all.len()).ok()?;
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        packer.write_all(text.as_bytes()).ok()?;
        let packed = packer.finish().ok()?;
        // What is needed to read it, how it is packed, when, its sum and its lengths.
        let mut about = Vec::new();
        about.extend([20u16, 0, 8].map(u16::to_le_bytes).concat());
        about.extend(FIRST_DAY.to_le_bytes());
        about.extend(crc32fast::hash(text.as_bytes()).to_le_bytes());
        about.extend(u32::try_from(packed.len()).ok()?.to_le_bytes());
        about.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
        about.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        about.extend([0; 2]);
        all.extend(b"PK\x03\x04");
        all.extend(&about);
        all.extend(name.as_bytes());
        all.extend(packed);
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&about);
        list.extend([0; 10]);
        list.extend(at.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let (count, at) = (u16::try_from(parts.len()).ok()?, u32::try_from(all.len()).ok()?);
    all.extend(&list);
    all.extend(b"PK\x05\x06\x00\x00\x00\x00");
    all.extend([count, count].map(u16::to_le_bytes).concat());
    all.extend(u32::try_from(list.len()).ok()?.to_le_bytes());
    all.extend(at.to_le_bytes());
    all.extend([0; 2]);
    Some(all)
}

fn content_types(sheets: usize) -> String {
    let kind = |part: &str, kind: &str| {
        format!(
            "<Override PartName=\"{part}\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml\"/>"
        )
    };
    let mut text = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>"
    );
    text += &kind("/xl/workbook.xml", "sheet.main");
    text += &kind("/xl/styles.xml", "styles");
    for number in 1..=sheets {
        text += &kind(&format!("/xl/worksheets/sheet{number}.xml"), "worksheet");
    }
    text + "</Types>"
}

fn relations(all: &[(&str, String)]) -> String {
    let mut text = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    for (number, (kind, target)) in (1..).zip(all) {
        text += &format!(
            "<Relationship Id=\"rId{number}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>"
        );
    }
    text + "</Relationships>"
}

fn of_book(sheets: usize) -> String {
    let sheet = |number: usize| ("worksheet", format!("worksheets/sheet{number}.xml"));
    let mut all: Vec<(&str, String)> = (1..=sheets).map(sheet).collect();
    all.push(("styles", "styles.xml".to_owned()));
    relations(&all)
}

fn book(sheets: &[Sheet]) -> String {
    let mut text = format!("{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>");
    for (number, sheet) in (1..).zip(sheets) {
        let name = escaped(&sheet.name);
        text += &format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>");
    }
    text + "</sheets></workbook>"
}

fn styles() -> String {
    let zeros = |digits: usize| format!("0.{}", "0".repeat(digits));
    let mut formats = "<numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/>".to_owned();
    let mut cells = String::new();
    let mut cell = |format: usize, font: usize| {
        cells += &format!(
            "<xf numFmtId=\"{format}\" fontId=\"{font}\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\" applyFont=\"1\"/>"
        );
    };
    cell(0, 0);
    cell(49, 1);
    cell(164, 0);
    cell(49, 0);
    for digits in 1..=DECIMALS {
        formats +=
            &format!("<numFmt numFmtId=\"{}\" formatCode=\"{}\"/>", 164 + digits, zeros(digits));
        cell(164 + digits, 0);
    }
    for digits in 0..=DECIMALS {
        let code = if digits == 0 { "0".to_owned() } else { zeros(digits) };
        formats += &format!("<numFmt numFmtId=\"{}\" formatCode=\"{code}%\"/>", 200 + digits);
        cell(200 + digits, 0);
    }
    let (of_formats, of_cells) = (2 * DECIMALS + 2, FIRST_PERCENT + DECIMALS + 1);
    let font = |bold: &str| format!("<font>{bold}<sz val=\"11\"/><name val=\"Calibri\"/></font>");
    format!(
        "{HEAD}<styleSheet xmlns=\"{MAIN}\"><numFmts count=\"{of_formats}\">{formats}</numFmts>\
         <fonts count=\"2\">{}{}</fonts><fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>\
         <fill><patternFill patternType=\"gray125\"/></fill></fills><borders count=\"1\"><border/></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"{of_cells}\">{cells}</cellXfs></styleSheet>",
        font(""),
        font("<b/>"),
    )
}

fn sheet(sheet: &Sheet) -> Result<String, WriteError> {
    let too_long = |what| WriteError::TooLongForSheet { sheet: sheet.name.clone(), what };
    if sheet.rows.len() > ROWS {
        return Err(too_long("rows"));
    }
    let mut text = format!(
        "{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\">\
         <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>\
         </sheetView></sheetViews><cols>"
    );
    for (at, name) in sheet.head.iter().enumerate() {
        let cells = sheet.rows.iter().take(MEASURED).filter_map(|row| row.get(at));
        let wide = cells.map(shown).chain([name.chars().count()]).max().unwrap_or(0);
        let (wide, column) = ((wide + 2).clamp(WIDTHS.0, WIDTHS.1), at + 1);
        text +=
            &format!("<col min=\"{column}\" max=\"{column}\" width=\"{wide}\" customWidth=\"1\"/>");
    }
    text += "</cols><sheetData>";
    let head: Vec<Cell> = sheet.head.iter().map(Cell::text).collect();
    for (number, row) in (1..).zip(std::iter::once(&head).chain(&sheet.rows)) {
        text += &format!("<row r=\"{number}\">");
        for (at, cell) in row.iter().enumerate() {
            let style = (number == 1).then_some(BOLD);
            write(&mut text, &format!("{}{number}", letters(at)), cell, style)
                .ok_or_else(|| too_long("characters in a cell"))?;
        }
        text += "</row>";
    }
    text += "</sheetData></worksheet>";
    Ok(text)
}

/// How wide a cell is, in characters.
fn shown(cell: &Cell) -> usize {
    match cell {
        Cell::Empty => 0,
        Cell::Text(text) | Cell::Number(text) => text.chars().count(),
        Cell::Date(_) => "2026-05-31".len(),
    }
}

/// Writes a cell; none where it is too long.
fn write(text: &mut String, place: &str, cell: &Cell, style: Option<usize>) -> Option<()> {
    match cell {
        Cell::Empty => {}
        Cell::Number(printed) if is_exact(printed) => {
            let (value, own) = value(printed);
            *text += &format!("<c r=\"{place}\" s=\"{}\"><v>{value}</v></c>", style.unwrap_or(own));
        }
        Cell::Date(day) => match serial(*day) {
            Some(days) => *text += &format!("<c r=\"{place}\" s=\"{DATE}\"><v>{days}</v></c>"),
            None => write(text, place, &Cell::Text(day.to_string()), style)?,
        },
        Cell::Text(words) | Cell::Number(words) => {
            let words = typed(words);
            if words.chars().count() > CELL_CHARS {
                return None;
            }
            let style = style.unwrap_or(TEXT);
            *text += &format!(
                "<c r=\"{place}\" s=\"{style}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
                escaped(&words)
            );
        }
    }
    Some(())
}

/// Words as an XML part may hold them: without characters that it cannot, and without signs that turn
/// what stands behind them.
fn typed(words: &str) -> String {
    let is_held = |c: &char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    unturned(words).chars().filter(is_held).collect()
}

/// Whether words are a number that a spreadsheet keeps to its last digit.
pub(super) fn is_exact(words: &str) -> bool {
    let number = words.strip_suffix('%').unwrap_or(words);
    let number = number.strip_prefix('-').unwrap_or(number);
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = whole.len() == 1 || !whole.is_empty() && !whole.starts_with('0');
    let is_whole = is_plain && !number.ends_with('.');
    is_whole && are_digits(whole) && are_digits(rest) && whole.len() + rest.len() <= DIGITS
}

/// The value of a number as it is printed, and its style.
fn value(printed: &str) -> (String, usize) {
    let digits = |number: &str| number.split_once('.').map_or(0, |(_, rest)| rest.len());
    match printed.strip_suffix('%') {
        Some(number) => {
            let sign = if number.starts_with('-') { "-" } else { "" };
            let number = number.trim_start_matches('-');
            let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
            let padded = format!("{whole:0>3}");
            let (ones, hundredths) = padded.split_at(padded.len() - 2);
            let style = FIRST_PERCENT + digits(number).min(DECIMALS);
            (format!("{sign}{ones}.{hundredths}{rest}"), style)
        }
        None => match digits(printed) {
            0 => (printed.to_owned(), 0),
            digits => (printed.to_owned(), FIRST_DECIMAL - 1 + digits.min(DECIMALS)),
        },
    }
}

/// A day as spreadsheets count it; none before March 1900, since they count a day there that was none.
fn serial(day: Day) -> Option<i64> {
    let (year, month, of_month) = (i64::from(day.year), i64::from(day.month), i64::from(day.day));
    // Years begin in March here, so that the leap day is their last.
    let years = if month < 3 { year - 1 } else { year };
    let months = (month + 9) % 12;
    let days =
        years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + of_month;
    Some(days - 693_900).filter(|days| *days > 60)
}

/// The letters of a column: `A`, `Z`, `AA`.
fn letters(at: usize) -> String {
    let (mut left, mut name) = (at + 1, String::new());
    while left > 0 {
        let letter = b'A' + ((left - 1) % 26) as u8;
        name.insert(0, char::from(letter));
        left = (left - 1) / 26;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_spreadsheets_do() {
        let day = |year, month, day| serial(Day { year, month, day });
        assert_eq!(day(1900, 3, 1), Some(61));
        assert_eq!(day(1999, 12, 31), Some(36_525));
        assert_eq!(day(2000, 2, 29), Some(36_585));
        assert_eq!(day(2026, 11, 26), Some(46_352));
        assert_eq!(day(1900, 2, 1), None);
    }

    #[test]
    fn only_a_number_that_is_kept_to_its_last_digit_is_one() {
        for number in ["0", "12", "-3", "0.6667", "66.67%", "100%", "123456789012345"] {
            assert!(is_exact(number), "{number}");
        }
        for words in
            ["", "-", "007", "1,5", "1/2", "1e5", ".5", "5.", "1234567890123456", "%", "+1"]
        {
            assert!(!is_exact(words), "{words}");
        }
        assert_eq!(value("66.67%").0, "0.6667");
        assert_eq!(value("5%").0, "0.05");
        assert_eq!(value("100.0%").0, "1.000");
    }

    #[test]
    fn columns_have_the_letters_of_a_spreadsheet() {
        assert_eq!([0, 25, 26, 701, 702].map(letters), ["A", "Z", "AA", "ZZ", "AAA"]);
    }
}

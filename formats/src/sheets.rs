//! Our own sheets for spreadsheet programs: how they are written, as CSV or as one workbook, and
//! how one is known again (docs/PAGE.md, "Spreadsheets").
//!
//! A CSV is comma-separated, quoted where it must be, lines end with CR LF, UTF-8 with a byte-order
//! mark: that is what spreadsheet programs open without asking.

mod xlsx;

use csv::{Terminator, WriterBuilder};
use scrutineer_engine::event::Day;
use scrutineer_engine::names::unturned;
pub use xlsx::{ROWS, workbook};

/// A cell of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// Words. They never become a formula or a date.
    Text(String),
    /// A number as it is printed, such as `12`, `-3`, `0.6667` or `66.67%`.
    Number(String),
    /// A day.
    Date(Day),
}

impl Cell {
    /// Words, or an empty cell.
    pub fn text(words: impl Into<String>) -> Cell {
        match words.into() {
            words if words.is_empty() => Cell::Empty,
            words => Cell::Text(words),
        }
    }

    /// A number that has this many.
    pub fn count(number: impl ToString) -> Cell {
        Cell::Number(number.to_string())
    }

    /// The day of words such as `2026-05-31`, otherwise the words.
    pub fn day(words: &str) -> Cell {
        crate::build::day(words).map_or_else(|| Cell::text(words), Cell::Date)
    }

    /// A number where the words are one that a spreadsheet keeps exactly, otherwise the words.
    pub fn printed(words: impl Into<String>) -> Cell {
        match words.into() {
            words if xlsx::is_exact(&words) => Cell::Number(words),
            words => Cell::text(words),
        }
    }

    /// What stands in a CSV.
    pub fn in_csv(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(words) => text(words),
            Cell::Number(number) => number.clone(),
            Cell::Date(day) => day.to_string(),
        }
    }
}

/// A table for a spreadsheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Its name in a workbook: at most 31 characters, none of `[]:*?/\\`.
    pub name: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows, none longer than the head.
    pub rows: Vec<Vec<Cell>>,
}

impl Sheet {
    /// The sheet as CSV.
    pub fn csv(&self) -> Vec<u8> {
        let head = self.head.iter().map(|name| text(name)).collect();
        table(head, self.rows.iter().map(|row| row.iter().map(Cell::in_csv).collect()))
    }
}

/// What tells a spreadsheet that the file is UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The first columns of the standings.
pub const STANDINGS: [&str; 7] = ["place", "player", "number", "phase", "wins", "losses", "draws"];
/// The first columns of the matches.
pub const MATCHES: [&str; 4] = ["round", "phase", "kind of phase", "table"];

/// The columns of what a workbook says of itself.
pub const ABOUT: [&str; 2] = ["about this workbook", "said here"];

/// Whether a text without its byte-order mark begins like one of these sheets.
pub fn is_one(text: &str) -> bool {
    let begins = |head: &[&str]| text.starts_with(&format!("{},", head.join(",")));
    begins(&STANDINGS) || begins(&MATCHES) || begins(&ABOUT)
}

/// Words that a spreadsheet would take for a formula get an apostrophe before them, which it does
/// not show.
pub fn text(words: &str) -> String {
    let words = unturned(words);
    match words.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        true => format!("'{words}"),
        false => words,
    }
}

/// Writes a sheet: its head, and rows that are as long as the head.
fn table(head: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = WriterBuilder::new();
    writer.terminator(Terminator::CRLF);
    let mut writer = writer.from_writer(BYTE_ORDER_MARK.to_vec());
    for cells in std::iter::once(head).chain(rows) {
        // Writing to memory does not fail, and every row is as long as the head.
        let _ = writer.write_record(&cells);
    }
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_somebody_typed_becomes_a_formula() {
        for typed in ["=1+1", "+1", "-Ana", "@SUM(A1)", "\t=1", "\r=1"] {
            assert!(text(typed).starts_with('\''), "{typed:?}");
        }
        assert_eq!(text("Ana-Lena = 3"), "Ana-Lena = 3");
    }

    #[test]
    fn a_sheet_is_known_by_its_head() {
        assert!(is_one("round,phase,kind of phase,table,player_a,number_a"));
        assert!(is_one("place,player,number,phase,wins,losses,draws,points"));
        assert!(is_one("about this workbook,said here,"));
        assert!(!is_one("round,table,player_a,player_b,games_a,games_b"));
    }

    #[test]
    fn cells_with_commas_quotes_and_line_ends_stay_cells() {
        let head = vec!["a".to_string(), "b".to_string()];
        let rows = vec![vec!["one, \"two\"".to_string(), "three\nfour".to_string()]];
        let bytes = table(head, rows.into_iter());
        let expected = "\u{feff}a,b\r\n\"one, \"\"two\"\"\",\"three\nfour\"\r\n";
        assert_eq!(String::from_utf8(bytes).expect("text"), expected);
    }
}

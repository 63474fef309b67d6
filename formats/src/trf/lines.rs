//! The lines of the file, and columns of them.

use crate::build::tenths;

/// A line.
#[derive(Clone)]
pub struct Line<'a> {
    /// From 1.
    number: usize,
    text: &'a str,
    /// The last column that stands where it belongs, and by how many columns all behind it stands further to the
    /// right.
    shift: (usize, isize),
}

/// The last column of a player's name.
const NAME_END: usize = 47;
/// Columns of a player's line that part its fields and are blank, behind the name and before the rounds.
const BETWEEN: [usize; 8] = [48, 53, 57, 69, 80, 85, 90, 91];
/// How far a line may be read aside from where it belongs.
const MOST_SHIFT: isize = 3;
/// How many letters more than its columns a name may have in a file whose program does not cut it.
const MOST_LONGER: isize = 40;

/// The lines that have a record in them. They end with LF, CR LF or CR, in one file too.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    let all = std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = text.find(['\n', '\r']) else {
            rest = None;
            return Some(text);
        };
        let (line, behind) = text.split_at(at);
        rest = Some(behind.strip_prefix("\r\n").unwrap_or(&behind[1..]));
        Some(line)
    });
    let all = (1..).zip(all).map(|(number, text)| Line { number, text, shift: (0, 0) });
    all.filter(|line| !line.text.trim().is_empty())
}

impl<'a> Line<'a> {
    /// Which record it is.
    pub fn id(&self) -> &'a str {
        let end = self.text.char_indices().nth(3).map_or(self.text.len(), |(at, _)| at);
        &self.text[..end]
    }

    /// What stands in these columns, without blanks around it.
    pub fn text(&self, first: usize, last: usize) -> String {
        let (first, end) = (self.column(first), self.column(last + 1));
        let chars = self.text.chars().skip(first - 1).take(end.saturating_sub(first));
        chars.collect::<String>().trim().to_owned()
    }

    /// Where a column of the format stands in this line.
    fn column(&self, column: usize) -> usize {
        let (last, by) = self.shift;
        if column > last { column.saturating_add_signed(by).max(1) } else { column }
    }

    /// The line with what stands behind one of its fields further to the left or right, where `fits` says that its
    /// rounds can be read so and not as they stand: some programs pad a name by its bytes, or have other room for a
    /// field.
    pub fn aside(&self, fits: impl Fn(&Line<'a>) -> bool) -> Option<Line<'a>> {
        let is_parted =
            |line: &Line<'a>| BETWEEN.iter().all(|at| line.text(*at, *at).is_empty()) && fits(line);
        if is_parted(self) {
            return None;
        }
        let shifted = |last: usize, by: isize| Line { shift: (last, by), ..self.clone() };
        let bytes = self.text.chars().take(NAME_END).map(|c| c.len_utf8() - 1).sum::<usize>();
        let padded = isize::try_from(bytes).ok().filter(|bytes| (1..33).contains(bytes));
        let by_bytes = padded.map(|bytes| shifted(NAME_END, -bytes)).filter(is_parted);
        let shifts = (1..=MOST_SHIFT).flat_map(|by| [by, -by]);
        let mut others =
            shifts.flat_map(|by| BETWEEN.iter().rev().map(move |at| shifted(at - 1, by)));
        // Rounds that stand where they belong say more than a blank that is none.
        by_bytes
            .or_else(|| if fits(self) { None } else { others.find(is_parted) })
            .or_else(|| self.behind_long_name(is_parted))
    }

    /// The line with all behind a name further to the right that is longer than its columns, as programs write it
    /// that pad names and do not cut them: where that can be read in one way only, with points and a rank.
    fn behind_long_name(&self, is_parted: impl Fn(&Line<'a>) -> bool) -> Option<Line<'a>> {
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_one = |line: &Line<'a>| {
            let (rating, rank) = (line.text(49, 52), line.text(86, 89));
            let points = line.text(81, 84).replace('½', ".5");
            is_parted(line)
                && is_digits(&rating)
                && is_digits(&rank)
                && !rank.is_empty()
                && tenths(&points).is_some()
        };
        // No blank stands behind the last letter but the one that parts the fields.
        let ends_there = |by: &isize| {
            let last = NAME_END.saturating_add_signed(*by);
            !self.text(last, last).is_empty()
        };
        let longer = (MOST_SHIFT + 1..=MOST_LONGER).filter(ends_there);
        let mut found =
            longer.map(|by| Line { shift: (NAME_END, by), ..self.clone() }).filter(is_one);
        found.next().filter(|_| found.next().is_none())
    }

    /// Whether a name goes on where a blank should part it from the rating.
    pub fn has_long_name(&self) -> bool {
        let edge = self.text(NAME_END + 1, NAME_END + 1);
        let is_full = !self.text(NAME_END, NAME_END).is_empty();
        !edge.is_empty() && (is_full || edge.chars().all(char::is_alphabetic))
    }

    /// All behind the record's id, without blanks around it.
    pub fn rest(&self) -> String {
        self.text.chars().skip(3).collect::<String>().trim().to_owned()
    }

    /// Whether it has the columns of a player's line: a number, and a name.
    pub fn is_of_player(&self) -> bool {
        self.text(5, 8).parse::<u32>().is_ok() && !self.text(15, 47).is_empty()
    }

    /// The characters from a column on, to the last that is no blank.
    pub fn from(&self, column: usize) -> Vec<char> {
        self.text.trim_end().chars().skip(self.column(column) - 1).collect()
    }

    /// Where a column of it stands, for messages.
    pub fn place(&self, column: usize) -> String {
        format!("line {}, column {}", self.number, self.column(column))
    }
}

/// The characters of a record's text in these columns of its line, without blanks around them.
pub fn columns(text: &str, first: usize, last: usize) -> String {
    let chars = text.chars().skip(first - 5).take(last + 1 - first);
    chars.collect::<String>().trim().to_owned()
}

/// The numbers that stand from a column on.
pub fn numbers_from(text: &str, column: usize) -> Vec<u32> {
    let rest: String = text.chars().skip(column - 5).collect();
    rest.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

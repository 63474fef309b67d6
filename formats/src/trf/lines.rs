//! The lines of the file, and columns of them.

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
const BETWEEN: [usize; 7] = [48, 53, 57, 69, 80, 85, 91];
/// How far a line may be read aside from where it belongs.
const MOST_SHIFT: isize = 3;

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
        by_bytes.or_else(|| if fits(self) { None } else { others.find(is_parted) })
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

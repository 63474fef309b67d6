//! The lines of the file, and columns of them.

/// A line.
pub struct Line<'a> {
    /// From 1.
    number: usize,
    text: &'a str,
}

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
    let all = (1..).zip(all).map(|(number, text)| Line { number, text });
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
        let chars = self.text.chars().skip(first - 1).take(last + 1 - first);
        chars.collect::<String>().trim().to_owned()
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
        self.text.trim_end().chars().skip(column - 1).collect()
    }

    /// Where a column of it stands, for messages.
    pub fn place(&self, column: usize) -> String {
        format!("line {}, column {column}", self.number)
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

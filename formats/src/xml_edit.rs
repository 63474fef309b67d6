//! Changes to an XML text that leave every other byte of it as it is.

use super::xml::Element;
use std::ops::Range;

/// A text and what is to change in it. Changes must not overlap.
pub(crate) struct Edits<'t> {
    text: &'t str,
    changes: Vec<(Range<usize>, String)>,
    end_of_line: &'static str,
}

impl<'t> Edits<'t> {
    /// No changes yet.
    pub fn of(text: &'t str) -> Edits<'t> {
        let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Edits { text, changes: Vec::new(), end_of_line }
    }

    /// Whether there is no change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The text with the changes; of several at one place in the order in which they were made.
    pub fn apply(mut self) -> String {
        self.changes.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, new) in &self.changes {
            text.push_str(self.text.get(at..range.start).unwrap_or_default());
            text.push_str(new);
            at = at.max(range.end);
        }
        text.push_str(self.text.get(at..).unwrap_or_default());
        text
    }

    /// Gives an element's attribute another value, where it has one.
    pub fn attribute(&mut self, element: &Element<'_>, name: &str, value: &str) {
        let tag = &self.text[element.tag.clone()];
        let mut from = element.name.len() + 1;
        while let Some(found) = tag[from..].find(name).map(|at| from + at) {
            from = found + name.len();
            let before = tag[..found].chars().next_back();
            let rest = tag[from..].trim_start().strip_prefix('=').map(str::trim_start);
            let Some(rest) = rest.filter(|_| before.is_some_and(char::is_whitespace)) else {
                continue;
            };
            let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))
            else {
                continue;
            };
            let start = element.tag.start + tag.len() - rest.len() + 1;
            let length = rest[1..].find(quote).unwrap_or(0);
            self.changes.push((start..start + length, escaped(value)));
            return;
        }
    }

    /// Gives an element's attribute another value; one that it does not have comes behind the others.
    pub fn set(&mut self, element: &Element<'_>, name: &str, value: &str) {
        if element.attributes.iter().any(|(own, _)| own == name) {
            return self.attribute(element, name, value);
        }
        let tag = self.text[element.tag.clone()].trim_end_matches(['/', '>']).trim_end();
        let end = element.tag.start + tag.len();
        self.changes.push((end..end, format!(" {name}=\"{}\"", escaped(value))));
    }

    /// Takes an element away, with its line where nothing else stands in it.
    pub fn remove(&mut self, element: &Element<'_>) {
        let indent = self.indent(element.whole.start);
        let begins = element.whole.start - indent.len();
        let behind = self.text.get(element.whole.end..).unwrap_or_default();
        let end_of_line = ["\r\n", "\n"].into_iter().find(|end| behind.starts_with(end));
        let is_alone = begins == 0 || self.text[..begins].ends_with('\n');
        let whole = match end_of_line.filter(|_| is_alone) {
            Some(end) => begins..element.whole.end + end.len(),
            None => element.whole.clone(),
        };
        self.changes.push((whole, String::new()));
    }

    /// Gives an element without children another text.
    pub fn value(&mut self, element: &Element<'_>, value: &str) {
        let name = element.name;
        match self.end_tag(element) {
            Some(end) => self.changes.push((element.tag.end..end, escaped(value))),
            None => {
                let new = format!("<{name}>{}</{name}>", escaped(value));
                self.changes.push((element.whole.clone(), new));
            }
        }
    }

    /// Puts lines behind an element, as deep as it stands.
    pub fn after(&mut self, element: &Element<'_>, lines: &[String]) {
        let indent = self.indent(element.whole.start);
        let mut new = String::new();
        for line in lines {
            new += self.end_of_line;
            new += indent;
            new += line;
        }
        self.changes.push((element.whole.end..element.whole.end, new));
    }

    /// Puts lines at the end of an element, deeper than it stands by one tab.
    pub fn append(&mut self, element: &Element<'_>, lines: &[String]) {
        let own = self.indent(element.whole.start);
        let mut new = String::new();
        for line in lines {
            new += &format!("{own}\t{line}{}", self.end_of_line);
        }
        match self.end_tag(element) {
            Some(end) => {
                let indent = self.indent(end);
                let begins = end - indent.len();
                // The end tag may stand on the line of what is before it.
                let is_alone = self.text[..begins].ends_with(['\n', '\r']);
                match is_alone {
                    true => self.changes.push((begins..begins, new)),
                    false => {
                        let new = format!("{}{new}{own}", self.end_of_line);
                        self.changes.push((end..end, new));
                    }
                }
            }
            None => {
                let tag = self.text[element.tag.clone()].trim_end_matches("/>").trim_end();
                let new = format!("{tag}>{}{new}{own}</{}>", self.end_of_line, element.name);
                self.changes.push((element.whole.clone(), new));
            }
        }
    }

    /// Replaces what stands in an element by lines.
    pub fn replace(&mut self, element: &Element<'_>, lines: &[String]) {
        if let Some(end) = self.end_tag(element) {
            let own = self.indent(element.whole.start);
            let mut new = self.end_of_line.to_owned();
            for line in lines {
                new += &format!("{own}\t{line}{}", self.end_of_line);
            }
            new += own;
            self.changes.push((element.tag.end..end, new));
        } else {
            self.append(element, lines);
        }
    }

    /// Where an element's end tag begins; none where its first tag is all of it.
    fn end_tag(&self, element: &Element<'_>) -> Option<usize> {
        let inner =
            self.text.get(element.tag.end..element.whole.end).filter(|text| !text.is_empty())?;
        Some(element.tag.end + inner.rfind("</")?)
    }

    /// The blanks before a place in its line, where there is nothing else before it.
    fn indent(&self, at: usize) -> &'t str {
        let before = &self.text[..at];
        let start = before.trim_end_matches([' ', '\t']).len();
        match start == 0 || before[..start].ends_with(['\n', '\r']) {
            true => &before[start..],
            false => "",
        }
    }
}

/// A text as it stands in an attribute or an element.
pub(crate) fn escaped(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}

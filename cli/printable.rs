//! What a terminal gets to see.

use scrutineer_engine::names::{turns, unturned};
use std::borrow::Cow;

/// Text for a terminal. What people and files brought in may hold what a terminal acts on, so of
/// all control characters only ends of lines, tabs and our own colours pass; and nothing that turns
/// the direction of what stands beside it.
pub fn printable(text: &str) -> Cow<'_, str> {
    let passes = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    if text.chars().all(|c| passes(c) && !turns(c)) {
        return text.into();
    }
    let text = unturned(text);
    let mut shown = String::with_capacity(text.len());
    let mut rest = &text[..];
    while let Some(first) = rest.chars().next() {
        let colour = colour(rest);
        let len = colour.unwrap_or(first.len_utf8());
        match colour.is_some() || passes(first) {
            true => shown.push_str(&rest[..len]),
            false => shown.push('\u{fffd}'),
        }
        rest = &rest[len..];
    }
    shown.into()
}

/// The length of the colour that a text begins with: `ESC [`, digits and `;`, `m`.
fn colour(text: &str) -> Option<usize> {
    let digits = text.strip_prefix("\u{1b}[")?;
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    digits[end..].starts_with('m').then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn a_terminal_gets_text_and_colours_and_nothing_that_it_acts_on() {
        let table = "\u{1b}[1;31merror\u{1b}[0m:\ta name\n";
        assert_eq!(printable(table), table);
        assert_eq!(printable("Zo\u{eb}"), "Zo\u{eb}");
        assert_eq!(printable("a\u{1b}]0;title\u{7}b"), "a\u{fffd}]0;title\u{fffd}b");
        assert_eq!(printable("a\u{1b}[2Jb\rc\u{9b}d"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d");
        assert_eq!(printable("\u{1b}"), "\u{fffd}");
    }
}

//! Names as people compare them, and texts that turn nothing round that stands beside them.

use scrutineer_engine::book::is_unseen;
use unicode_normalization::UnicodeNormalization;

/// A name as people compare it: without case, without what nobody sees, and without the wide forms
/// of letters.
pub fn folded(name: &str) -> String {
    let seen: String = name.nfkc().filter(|c| c.is_whitespace() || !is_unseen(*c)).collect();
    // Upper case first: `ß` and `SS` are the same.
    let lower = seen.to_uppercase().to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character turns the direction of what stands beside it: Unicode's marks, embeddings,
/// overrides and isolates.
pub fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text with a sign in place of each character that turns the direction of others.
pub fn unturned(text: &str) -> String {
    text.replace(turns, "\u{fffd}")
}

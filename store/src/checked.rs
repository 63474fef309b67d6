//! Small text files whose last line shows whether a bit of them has flipped.
//!
//! ```text
//! scrutineer store 1
//! id 000102030405060708090a0b0c0d0e0f
//! check f282eb921fbe0642
//! ```

use scrutineer_engine::record::to_hex;

const WORD: &str = "check ";

/// How many digits the hash has.
const DIGITS: usize = 16;

/// The text with its last line: the first eight bytes of the BLAKE3 hash of all before it.
pub(crate) fn with_check(text: &str) -> String {
    format!("{text}{WORD}{}\n", digits(text))
}

/// What stands before the last line, if it is what was written. One without such a line, as the
/// first stores have it, is taken as it is: whoever reads on must refuse a line too many.
pub(crate) fn checked(text: &str) -> Option<&str> {
    let is_check = |digest: &str| {
        digest.len() == DIGITS && digest.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    let last = text.strip_suffix('\n').and_then(|text| text.rsplit_once(WORD));
    match last.filter(|(_, digest)| is_check(digest)) {
        // Wherever it begins: the end of the line before it may be what has flipped.
        Some((body, digest)) => (body.ends_with('\n') && digest == digits(body)).then_some(body),
        None => Some(text),
    }
}

fn digits(text: &str) -> String {
    to_hex(&blake3::hash(text.as_bytes()).as_bytes()[..DIGITS / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_format_is_what_is_written() {
        let document = include_str!("../../docs/FORMAT.md");
        let (_, below) = document.split_once("\n### `FORMAT`\n").unwrap();
        let (_, example) = below.split_once("```text\n").unwrap();
        let (example, _) = example.split_once("```").unwrap();
        let (body, _) = example.split_once(WORD).unwrap();
        assert_eq!(with_check(body), example);
    }

    #[test]
    fn another_text_or_another_check_is_none() {
        let text = "first 1\nsecond check 2\n";
        let written = with_check(text);
        assert_eq!(checked(&written), Some(text));
        assert_eq!(checked(text), Some(text), "the first stores have none");
        assert_eq!(checked(&written.replace("first 1", "first 2")), None);
        assert_eq!(checked(&written.replace("2\ncheck", "2Jcheck")), None);
        // What is no check is a line too many.
        for more in [written.trim_end().to_string(), format!("{written}\n")] {
            assert_eq!(checked(&more), Some(&more[..]));
        }
    }
}

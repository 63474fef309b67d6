//! What sort of file somebody has in their hand, by how it begins: whoever takes a bundle for a
//! receipt is told so.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A file of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An event in one file.
    Bundle,
    /// Records with their proof.
    Receipt,
    /// A signed checkpoint.
    Checkpoint,
    /// A key that signs.
    Key,
    /// A page that shows an event.
    Page,
}

impl Kind {
    /// The word for people, with its article.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Bundle => "a bundle",
            Kind::Receipt => "a receipt",
            Kind::Checkpoint => "a checkpoint",
            Kind::Key => "a key, with its secret",
            Kind::Page => "a page",
        }
    }

    /// What can be done with it.
    pub const fn hint(self) -> &'static str {
        match self {
            Kind::Bundle => {
                "`scrutineer bundle verify <file>` checks it, `scrutineer bundle import <file>` \
                 brings it in"
            }
            Kind::Receipt => "`scrutineer check-receipt <file>` says what it proves",
            Kind::Checkpoint => {
                "`scrutineer checkpoint --extends <file>` compares it with the event; `--known \
                 <file>` with a bundle"
            }
            Kind::Key => "keep it to yourself: `scrutineer keys show` prints its public half",
            Kind::Page => "open it in a browser, and save the bundle with the button at its end",
        }
    }
}

/// What a file is whose first bytes are these; none where it is nothing of ours.
pub fn kind_of(bytes: &[u8]) -> Option<Kind> {
    let kinds: [(&[u8], Kind); 5] = [
        (b"{\"bundle\":", Kind::Bundle),
        (b"{\"receipt\":", Kind::Receipt),
        (b"scrutineer/blake3/", Kind::Checkpoint),
        (b"scrutineer key ", Kind::Key),
        (b"<!DOCTYPE html>", Kind::Page),
    ];
    kinds.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| kind)
}

/// What a file is.
///
/// # Errors
/// Where it cannot be read.
pub fn kind_of_file(file: &Path) -> io::Result<Option<Kind>> {
    let mut start = Vec::new();
    File::open(file)?.take(32).read_to_end(&mut start)?;
    Ok(kind_of(&start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_how_it_begins() {
        assert_eq!(kind_of(b"{\"bundle\":1,"), Some(Kind::Bundle));
        assert_eq!(kind_of(b"{\"receipt\":7}"), Some(Kind::Receipt));
        assert_eq!(kind_of(b"scrutineer/blake3/00\n3\n"), Some(Kind::Checkpoint));
        assert_eq!(kind_of(b"scrutineer key 1\npublic"), Some(Kind::Key));
        assert_eq!(kind_of(b"<!DOCTYPE html>\n<html"), Some(Kind::Page));
        for other in ["", "{", "{\"rounds\":[]}", "name,rating\n", "scrutineer"] {
            assert_eq!(kind_of(other.as_bytes()), None, "{other}");
        }
    }
}

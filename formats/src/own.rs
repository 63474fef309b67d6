//! Files of our own, by how they begin: a person who takes a bundle for a receipt is told so.

/// A file of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnKind {
    /// A tournament in one file.
    Bundle,
    /// Records with their proof.
    Receipt,
    /// A signed checkpoint.
    Checkpoint,
    /// A key that signs.
    Key,
    /// A page that shows a tournament.
    Page,
}

impl OwnKind {
    /// The word for people, with its article.
    pub const fn word(self) -> &'static str {
        match self {
            OwnKind::Bundle => "a bundle",
            OwnKind::Receipt => "a receipt",
            OwnKind::Checkpoint => "a checkpoint",
            OwnKind::Key => "a key, with its secret",
            OwnKind::Page => "a page",
        }
    }

    /// What can be done with it.
    pub const fn hint(self) -> &'static str {
        match self {
            OwnKind::Bundle => {
                "`scrutineer bundle verify <file>` checks it, `scrutineer bundle import <file>` \
                 brings it in"
            }
            OwnKind::Receipt => "`scrutineer check-receipt <file>` says what it proves",
            OwnKind::Checkpoint => {
                "`scrutineer checkpoint --extends <file>` compares it with the tournament; `--known \
                 <file>` with a bundle"
            }
            OwnKind::Key => "keep it to yourself: `scrutineer keys show` prints its public half",
            OwnKind::Page => "open it in a browser, and save the bundle with the button at its end",
        }
    }
}

/// What a file is whose first bytes are these; none where it is nothing of ours.
pub fn own_kind(bytes: &[u8]) -> Option<OwnKind> {
    let kinds: [(&[u8], OwnKind); 5] = [
        (b"{\"bundle\":", OwnKind::Bundle),
        (b"{\"receipt\":", OwnKind::Receipt),
        (b"scrutineer/blake3/", OwnKind::Checkpoint),
        (b"scrutineer key ", OwnKind::Key),
        (b"<!DOCTYPE html>", OwnKind::Page),
    ];
    kinds.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| kind)
}

/// Whether a file is a bundle, which is no file of another program.
pub fn is_bundle(bytes: &[u8]) -> bool {
    matches!(own_kind(bytes), Some(OwnKind::Bundle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_how_it_begins() {
        assert_eq!(own_kind(b"{\"bundle\":1,"), Some(OwnKind::Bundle));
        assert_eq!(own_kind(b"{\"receipt\":7}"), Some(OwnKind::Receipt));
        assert_eq!(own_kind(b"scrutineer/blake3/00\n3\n"), Some(OwnKind::Checkpoint));
        assert_eq!(own_kind(b"scrutineer key 1\npublic"), Some(OwnKind::Key));
        assert_eq!(own_kind(b"<!DOCTYPE html>\n<html"), Some(OwnKind::Page));
        for other in ["", "{", "{\"rounds\":[]}", "name,rating\n", "scrutineer"] {
            assert_eq!(own_kind(other.as_bytes()), None, "{other}");
        }
    }
}

//! The rows of a house: texts under keys in tables, in a file or in a database that several servers share.

use super::{Change, not_kept};
use crate::problem::too_busy;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;

/// The name of a table: texts by texts.
pub(crate) type Table = &'static str;

/// A row as it stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The name of its table.
    pub(crate) table: String,
    /// Its key.
    pub(crate) key: String,
    /// Its text; none: it is there no longer.
    pub(crate) text: Option<String>,
}

/// Rows, and the version of the house that they are of.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The version: it rises with each change.
    pub(crate) version: u64,
    /// Whether these are all rows that there are, and not only those that changed.
    pub(crate) is_whole: bool,
    /// The rows.
    pub(crate) rows: Vec<Row>,
}

/// One change: rows, and what is said of it in the list of changes.
pub(crate) struct Keeping<'a> {
    /// The version that it was decided on; none: it holds for whatever stands.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code, reason = "a file is one server's"))]
    pub(crate) seen: Option<u64>,
    /// Rows that are written, and those without a text that are removed.
    pub(crate) rows: &'a [(&'a str, &'a str, Option<String>)],
    /// Who did what.
    pub(crate) told: &'a [(&'a str, String)],
}

/// Where the rows of a house are kept. Each change is one transaction.
pub(crate) trait Rows: Send + Sync {
    /// Every row.
    fn all(&self) -> Result<Read, VerbError>;

    /// What changed behind a version; where nobody knows that any more, every row.
    fn behind(&self, seen: u64) -> Result<Read, VerbError>;

    /// Keeps a change, and returns the version after it; none: another server was first, and nothing
    /// was kept.
    fn keep(&self, keeping: &Keeping<'_>) -> Result<Option<u64>, VerbError>;

    /// The changes behind a number, so many at most.
    fn changed_after(&self, after: u64, most: usize) -> Result<Vec<Change>, VerbError>;

    /// The number of the last change.
    fn last_change(&self) -> Result<u64, VerbError>;

    /// What was done on the floor of a tournament behind the first so many.
    fn floor(&self, stream: StreamId, behind: u64) -> Result<Vec<String>, VerbError>;

    /// Adds something to a floor behind the first so many; false where another server was first.
    fn add_to_floor(&self, stream: StreamId, behind: u64, text: &str) -> Result<bool, VerbError>;

    /// Removes a floor.
    fn remove_floor(&self, stream: StreamId) -> Result<(), VerbError>;

    /// The tournaments that have a floor.
    fn floors(&self) -> Result<Vec<StreamId>, VerbError>;

    /// Adds changes that were kept elsewhere behind the first so many; false where others stand there.
    fn bring_changes(&self, behind: u64, changes: &[Change]) -> Result<bool, VerbError>;

    /// As [`Rows::bring_changes`], entries of a floor.
    fn bring_floor(
        &self,
        stream: StreamId,
        behind: u64,
        texts: &[String],
    ) -> Result<bool, VerbError>;
}

/// Why something was not decided and kept.
#[derive(Debug)]
pub(crate) enum NotDecided {
    /// Another server changed the rows that it was decided on: it is decided anew.
    Overtaken,
    /// It is refused.
    Refused(VerbError),
}

impl From<VerbError> for NotDecided {
    fn from(refused: VerbError) -> NotDecided {
        NotDecided::Refused(refused)
    }
}

impl From<StoreError> for NotDecided {
    fn from(error: StoreError) -> NotDecided {
        NotDecided::Refused(error.into())
    }
}

/// How often something is decided anew.
const TRIES: usize = 1_000;

/// Decides and keeps; anew, once it was read on, where another server was first.
pub(crate) fn deciding<T>(
    mut decide: impl FnMut() -> Result<T, NotDecided>,
    mut read_on: impl FnMut() -> Result<(), VerbError>,
) -> Result<T, VerbError> {
    for _ in 0..TRIES {
        match decide() {
            Err(NotDecided::Overtaken) => read_on()?,
            Err(NotDecided::Refused(refused)) => return Err(refused),
            Ok(done) => return Ok(done),
        }
    }
    Err(too_busy())
}

/// Returns a row of what was sent under a key: when, and the digest in hexadecimal digits.
pub(crate) fn sent_text((at, digest): (u64, [u8; 16])) -> String {
    format!("{at} {}", scrutineer_engine::record::to_hex(&digest))
}

/// Reads such a row.
pub(crate) fn sent_of(text: &str) -> Result<(u64, [u8; 16]), VerbError> {
    let read = || {
        let (at, digits) = text.split_once(' ')?;
        let digest = u128::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 32)?;
        Some((at.parse().ok()?, digest.to_be_bytes()))
    };
    read().ok_or_else(|| not_kept(format!("{text:?} is nothing that was sent")))
}

/// Returns the key under which it stands.
pub(crate) fn sent_key(id: u128) -> String {
    format!("{id:032x}")
}

/// Reads such a key.
pub(crate) fn sent_id(key: &str) -> Result<u128, VerbError> {
    u128::from_str_radix(key, 16).map_err(not_kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_read_as_it_was_written() {
        let sent = (1_790_000_000, [0x0a; 16]);
        assert_eq!(sent_of(&sent_text(sent)).expect("read"), sent);
        assert_eq!(sent_id(&sent_key(7)).expect("read"), 7);
        assert!(sent_of("1 0a").is_err() && sent_of("").is_err());
    }

    #[test]
    fn what_another_server_overtakes_is_decided_anew_and_what_is_refused_is_not() {
        let (mut tries, mut read) = (0, 0);
        let decide = || {
            tries += 1;
            if tries < 3 { Err(NotDecided::Overtaken) } else { Ok(tries) }
        };
        let done = deciding(decide, || {
            read += 1;
            Ok(())
        });
        assert_eq!((done.expect("decided"), read), (3, 2));
        let refused = deciding::<()>(|| Err(too_busy().into()), || panic!("nothing is to be read"));
        assert_eq!(refused.expect_err("refused").code.word, "too-busy");
    }
}

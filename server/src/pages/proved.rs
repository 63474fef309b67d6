//! The addresses that lead to a result on the page that checks itself.

use super::Looked;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::RecordHash;
use scrutineer_engine::tournament::MatchView;

/// How many digits of a record's hash stand in an address: too many for another record to be made that has
/// them too, and few enough for a small code.
const DIGITS: usize = 32;

/// A result that somebody can look up on the page.
pub struct Proved {
    /// The record that says it.
    pub seq: u64,
    /// Its hash.
    hash: RecordHash,
}

impl Proved {
    /// Returns the result of a match; none where there is none.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn of(at: &Looked<'_>, found: MatchView<'_>) -> Result<Option<Proved>, VerbError> {
        let Some(seq) = found.result() else { return Ok(None) };
        let record = at.store.log().read(at.stream, seq - 1).next();
        let record = record.transpose().map_err(StoreError::from)?;
        Ok(record.map(|record| Proved { seq, hash: record.hash() }))
    }

    /// The digits that stand on paper.
    pub fn digits(&self) -> String {
        self.hash.to_string().chars().take(DIGITS).collect()
    }

    /// What leads from the tournament's address to the page, and says which record has to be there.
    pub fn path(&self) -> String {
        format!("/page#record={}-{}", self.seq, self.digits())
    }

    /// The whole address, as others find it.
    pub fn address(&self, at: &Looked<'_>) -> String {
        format!("{}{}{}", at.origin, at.base, self.path())
    }
}

//! The page that checks itself, as everybody gets it, and the addresses that lead to a record on it.

use crate::gate::Need;
use crate::pages::Looked;
use crate::problem::Refusal;
use crate::reading::read_in;
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, State as Shared};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::looking;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::RecordHash;
use scrutineer_engine::tournament::MatchView;
use scrutineer_replay::bundle::Give;
use std::sync::Arc;

/// Where it stands.
pub const PATH: &str = "/t/{id}/page";

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

/// Gives the page, with the names that everybody may see.
///
/// # Errors
/// Where records are not for everybody, or it cannot be made.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    let (shared, nobody) = (Arc::clone(&state), Who::nobody(who.address));
    let made = state.read_long(move |store| {
        read_in(&shared, store, &nobody, &id, Need::Published, |at| {
            at.check_records()?;
            Ok(looking::checked_page(at.store, at.stream, Give::Roster)?.html)
        })
    });
    Ok(Html(made.await?).into_response())
}

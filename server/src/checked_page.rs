//! The page that checks itself, as everybody gets it.

use crate::gate::Need;
use crate::problem::Refusal;
use crate::reading::read_in;
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, State as Shared};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::looking;
use scrutineer_replay::bundle::Give;
use std::sync::Arc;

/// Where it stands.
pub const PATH: &str = "/t/{id}/page";

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

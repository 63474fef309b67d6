//! What is given to those who keep a copy.

use crate::api::wait_behind;
use crate::live::Viewer;
use crate::orders_api::find;
use crate::problem::Refusal;
use crate::reading::{Given, Reading, json_response};
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, Query, State as Shared};
use axum::http::HeaderMap;
use axum::response::Response;
use scrutineer_desk::follow::part_behind;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// Behind which event.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Behind {
    after: u64,
    wait: u64,
}

/// Gives what the log has behind an event as far as it is public, with a checkpoint over the last of it.
///
/// # Errors
/// Where it may not be read, or nobody signs it.
pub async fn records(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(behind): Query<Behind>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Behind { after, wait } = behind;
    if wait > 0 {
        wait_behind(&state, &id, (after, Duration::from_secs(wait)), |_| Viewer::Everybody).await?;
    }
    let (shared, caller) = (Arc::clone(&state), who.clone());
    let given = state.read_long(move |store| {
        let stream = find(store, &id)?;
        let public = shared.horizons.public(store, stream)?;
        Reading::of(&shared, &public, stream, &who)?.check_records()?;
        let part = part_behind((store, &public), stream, after, &shared.setup.asker.keys)?;
        Ok(Given::of(serde_json::to_value(part).unwrap_or_default()))
    });
    Ok(json_response(&headers, &caller, given.await?))
}

//! The page that checks itself, as everybody gets it.

use crate::gate::Need;
use crate::problem::Refusal;
use crate::query::flag;
use crate::reading::read_in;
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, Query, State as Shared};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::looking;
use scrutineer_desk::outgoing::file_name;
use scrutineer_replay::bundle::Give;
use serde::Deserialize;
use std::sync::Arc;

/// Where it stands.
pub const PATH: &str = "/t/{id}/page";

/// How it is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// As a file: the page comes from nowhere, so its own link may not say so.
    #[serde(deserialize_with = "flag")]
    save: bool,
}

/// Gives the page, with the names that everybody may see.
///
/// # Errors
/// Where records are not for everybody, or it cannot be made.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Result<Response, Refusal> {
    let (shared, nobody) = (Arc::clone(&state), Who::nobody(who.address));
    let made = state.read_long(move |store| {
        read_in(&shared, store, &nobody, &id, Need::Published, |at| {
            at.check_records()?;
            let html = looking::checked_page(at.store, at.stream, Give::Roster)?.html;
            Ok((html, file_name(&at.store.summary(at.stream)?.title, at.stream, None, "html")))
        })
    });
    let (html, name) = made.await?;
    let saved = [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))];
    Ok(match asked.save {
        true => (saved, Html(html)).into_response(),
        false => Html(html).into_response(),
    })
}

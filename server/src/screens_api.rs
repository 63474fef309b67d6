//! The screens of a tournament for programs: what they show, and the link by which a device shows it and does
//! nothing else.

use crate::body::{UNREAD, object_of};
use crate::gate::Need;
use crate::live::state_of;
use crate::orders_api::find;
use crate::problem::Refusal;
use crate::reading::reading;
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::floor::{Overlaying, Showing};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The screens of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Screens {
    /// What screens show; `show` of the floor changes it.
    pub show: Showing,
    /// What the overlays of streams show; `overlay` of the floor changes it.
    pub overlay: Overlaying,
    /// Where a device shows the screen and nothing else, without signing in; null: no link was made.
    pub path: Option<String>,
}

/// Which link of a screen is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedScreenLink {
    /// Another one is made, and one that is there ends. False: the one that is there, made where there is none.
    pub another: bool,
}

impl Screens {
    fn of(state: &State, stream: StreamId) -> Result<Screens, VerbError> {
        let floor = state.floor(stream)?;
        let path = state.house.screen(stream).map(|code| format!("/t/{stream}/screen/{code}"));
        Ok(Screens { show: floor.shows(), overlay: floor.overlays(), path })
    }
}

/// Says what screens show, and where.
///
/// # Errors
/// Where there is no such tournament.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Drafts, |at| {
        Ok(at.tagged(Screens::of(at.state, at.stream)?))
    })
    .await
}

/// Makes the link of a tournament's screen. Where another is wanted, one that was there ends.
///
/// # Errors
/// Where somebody may not, or it cannot be kept.
pub fn make(
    state: &State,
    store: &Store,
    who: &Who,
    id: &str,
    wanted: WantedScreenLink,
) -> Result<Screens, VerbError> {
    let stream = find(store, id)?;
    who.check_in(Need::Drafts, stream)?;
    // It is there, and can be read.
    state_of(store, stream)?;
    if wanted.another || state.house.screen(stream).is_none() {
        state.house.make_screen(stream, &who.told())?;
        state.changed(stream);
    }
    Screens::of(state, stream)
}

/// Makes the link for a program.
///
/// # Errors
/// As [`make`].
pub async fn new(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Drafts)?;
    let wanted = object_of(&body, UNREAD)?;
    let shared = Arc::clone(&state);
    let made = state.read(move |store| make(&shared, store, &who, &id, wanted)).await?;
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, no_store, axum::Json(made)).into_response())
}

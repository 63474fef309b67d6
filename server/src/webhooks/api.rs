//! Webhooks, as the owner's programs make, list, try and remove them.

use super::delivery::Delivery;
use super::named;
use crate::body::{UNREAD, object_of};
use crate::connected::check;
use crate::elsewhere::Elsewhere;
use crate::gate::Need;
use crate::house::{Once, Webhook, WebhookListed, secret};
use crate::once::once_id;
use crate::problem::Refusal;
use crate::staff_api::{answer, only};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// An address that is to be told what happens.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedWebhook {
    /// The address: `https://…` or `http://…`, up to 500 bytes.
    pub url: String,
    /// The only tournament of which it is told; otherwise all of the store.
    pub tournament: Option<String>,
}

/// A webhook that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebhookMade {
    /// By what it is called.
    pub id: String,
    /// With what its deliveries are signed; it is told once.
    pub secret: String,
}

/// Webhooks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Webhooks {
    /// The newest first.
    pub webhooks: Vec<WebhookListed>,
}

/// Whether something arrived.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Tried {
    /// Whether it did.
    pub delivered: bool,
    /// Why not.
    pub trouble: Option<String>,
}

/// Whether it is paused, from now on.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Paused {
    /// Whether it is.
    pub paused: bool,
}

/// Makes a webhook, once under its key.
///
/// # Errors
/// Where the address or the tournament is none, it leads into the own network, there are too many, or it
/// cannot be kept.
pub(super) async fn make(
    state: &Arc<State>,
    who: &Who,
    wanted: WantedWebhook,
    key: Option<String>,
) -> Result<Webhook, Refusal> {
    who.check(Need::Owner)?;
    let url = wanted.url.trim().to_string();
    check(&url, named(state))?;
    let tournament = only(state, wanted.tournament).await?;
    let body = *blake3::hash(format!("{url} {tournament:?}").as_bytes()).as_bytes();
    let once = key.map(|key| Once { id: once_id(&who.principal, "webhook", &key), body });
    let only: Option<StreamId> = tournament.as_ref().and_then(|id| id.parse().ok());
    let horizons = Arc::clone(&state.horizons);
    let heads = state.read(move |store| {
        let streams = match only {
            Some(only) => vec![only],
            None => store.log().streams().map_err(StoreError::from)?,
        };
        // What is hidden as yet is told once it is out.
        let head = |stream| match horizons.policy(stream).hidden_from {
            Some(_) => Ok((stream, horizons.of(store, stream)?.seq)),
            None => Ok((stream, store.log().head(stream).map_err(StoreError::from)?.seq)),
        };
        streams.into_iter().map(head).collect::<Result<Vec<_>, VerbError>>()
    });
    let (heads, by) = (heads.await?, who.told());
    let make =
        move |state: &State| state.house.make_webhook(&url, tournament, &heads, &by, once.as_ref());
    Ok(state.beside(make).await?)
}

/// Sends it something to try whether it arrives.
///
/// # Errors
/// `no-such-webhook`.
pub(super) async fn try_one(state: &Arc<State>, who: &Who, id: &str) -> Result<Tried, Refusal> {
    who.check(Need::Owner)?;
    let hook = state.house.webhook(id)?;
    let word: String = secret()?.chars().take(16).collect();
    let line = Elsewhere::guarded(named(state));
    let sent = Delivery::trial(&hook, &word).send(&hook, named(state), &line).await;
    Ok(Tried { delivered: sent.is_ok(), trouble: sent.err().map(|trouble| trouble.words) })
}

/// Pauses one, or lets it go on at once.
///
/// # Errors
/// `no-such-webhook`, or where that cannot be kept.
pub(super) async fn pause(
    state: &Arc<State>,
    who: &Who,
    id: String,
    pauses: bool,
) -> Result<WebhookListed, Refusal> {
    who.check(Need::Owner)?;
    let by = who.told();
    let one = state.beside(move |state| state.house.pause_webhook(&id, pauses, &by)).await?;
    Ok(one.into())
}

/// Removes one.
///
/// # Errors
/// `no-such-webhook`, or where that cannot be kept.
pub(super) async fn remove(state: &Arc<State>, who: &Who, id: String) -> Result<(), Refusal> {
    who.check(Need::Owner)?;
    let by = who.told();
    Ok(state.beside(move |state| state.house.remove_webhook(&id, &by)).await?)
}

/// Makes a webhook.
///
/// # Errors
/// As [`make`].
pub async fn new(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let key = who.needed_key(&headers)?;
    let Webhook { id, secret, .. } = make(&state, &who, object_of(&body, UNREAD)?, key).await?;
    Ok(answer(StatusCode::CREATED, WebhookMade { id, secret }))
}

/// Lists the webhooks.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn list(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let webhooks = state.house.webhooks().into_iter().map(WebhookListed::from).collect();
    Ok(answer(StatusCode::OK, Webhooks { webhooks }))
}

/// Tries one.
///
/// # Errors
/// As [`try_one`].
pub async fn try_now(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    Ok(answer(StatusCode::OK, try_one(&state, &who, &id).await?))
}

/// Pauses one, or lets it go on.
///
/// # Errors
/// As [`pause`], or where it is not said which.
pub async fn change(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let Paused { paused } = object_of(&body, UNREAD)?;
    Ok(answer(StatusCode::OK, pause(&state, &who, id, paused).await?))
}

/// Removes one.
///
/// # Errors
/// As [`remove`].
pub async fn end(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    remove(&state, &who, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

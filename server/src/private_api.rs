//! What programs ask for that is the staff's alone: what players report, the file for another desk, and
//! that somebody is forgotten.

use crate::body::object_of;
use crate::exports::{Out, download, note_names};
use crate::gate::Need;
use crate::orders_api::find;
use crate::problem::Refusal;
use crate::reading::{Asking, reading};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::answers::{ForgetAnswer, Reported};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::claims::claims as claims_of;
use scrutineer_desk::forgetting::look;
use scrutineer_desk::looking::private_bundle;
use scrutineer_desk::outgoing::file_name;
use scrutineer_desk::reported::listed;
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::bundle::Give;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::oneshot;
use utoipa::ToSchema;

/// What players report.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Claims {
    /// The last report of each player in each of their matches, in the order of the log.
    pub claims: Vec<Reported>,
}

/// Who is to be forgotten.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WantedForget {
    /// Their whole name or their number.
    #[schema(required = true)]
    player: String,
    /// Texts that are emptied besides, by their numbers.
    also: Vec<u32>,
    /// In every tournament of the store.
    everywhere: bool,
    /// Nothing is emptied: the answer says what would be.
    dry_run: bool,
}

/// Gives what players report of their matches.
///
/// # Errors
/// Where the tournament cannot be read.
pub async fn claims(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Staff, move |at| {
        let event = at.store.load(at.stream, true)?;
        let mut claims = listed(&event, &claims_of(&event));
        claims.retain(|one| asking.round.is_none_or(|round| one.round == round));
        claims.retain(|one| asking.table.is_none_or(|table| one.table == Some(table)));
        claims.retain(|one| !asking.open || one.result.is_none());
        Ok(at.tagged(Claims { claims }))
    })
    .await
}

/// Gives the file by which another desk carries the tournament on. It is noted that names left the store.
///
/// # Errors
/// Where it cannot be made.
pub async fn handover(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    given(&state, who, id, "handover", Give::Handover).await
}

/// Gives every private text and no secret, for an auditor. It is noted that names left the store.
///
/// # Errors
/// Where it cannot be made.
pub async fn audit(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    given(&state, who, id, "audit", Give::Audit).await
}

async fn given(
    state: &Arc<State>,
    who: Who,
    id: String,
    what: &'static str,
    give: Give,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let shared = Arc::clone(state);
    let made = state.read_long(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Owner, stream)?;
        let mut bytes = Vec::new();
        private_bundle(store, stream, give, &shared.setup.asker.keys, &mut bytes)?;
        let title = store.summary(stream)?.title;
        let name = file_name(&title, stream, Some(what), "bundle");
        note_names(store, stream, what, &name)?;
        Ok(Out { name, kind: "application/octet-stream", bytes })
    });
    Ok(download(made.await?))
}

/// Empties the texts that are somebody's or name them, or says which those are. The store is lent for
/// it, as to the command: nothing that was read before is kept.
///
/// # Errors
/// Where nobody is called so, or it cannot be done.
pub async fn forget(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let wanted: WantedForget = object_of(&body, "this says not who is to be forgotten")?;
    if wanted.everywhere {
        who.check_of_store(Need::Owner)?;
    }
    let asker = who.asker(&state);
    let found = state.read(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Owner, stream)?;
        Ok(stream)
    });
    let stream = found.await?;
    let answer = match wanted.dry_run {
        true => state.read_long(move |store| emptied(&asker, store, stream, &wanted)).await?,
        false => {
            let (_lent, returned) = oneshot::channel();
            state.lend(returned).await?;
            state.beside(move |state| emptied(&asker, &state.opened()?, stream, &wanted)).await?
        }
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(answer)).into_response())
}

/// What is emptied, or would be.
fn emptied(
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    wanted: &WantedForget,
) -> Result<ForgetAnswer, VerbError> {
    let all = if wanted.everywhere { store.events()? } else { Vec::new() };
    let work = look(asker, store, stream, (&wanted.player, &wanted.also), all)?;
    if wanted.dry_run || work.is_done() {
        return Ok(work.answer(false, wanted.dry_run));
    }
    work.check_logs(asker, store)?;
    work.carry_out(asker, store, &mut |_| {})?;
    Ok(work.answer(true, false))
}

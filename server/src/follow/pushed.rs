//! What a public server takes from the venues that push to it: parts of logs, and what is shown beside
//! them. It is a copy like any other; a token says who may push, and the tournament's key what.

use super::inbox::{called, check_theirs, hear};
use crate::floor_api::tell;
use crate::gate::Need;
use crate::orders_api::find;
use crate::problem::{Refusal, bad_request};
use crate::state::State;
use crate::who::Who;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::floor::{Entry, Floor};
use scrutineer_desk::follow::{Copy, FollowError, LogPart};
use scrutineer_desk::shown::Sealed;
use scrutineer_desk::store::{Followed, Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// How often pages say anew when a venue was heard.
const SAID_EVERY: Duration = Duration::from_secs(5);

/// Has pages that say when a venue was heard made anew, until the server stops.
pub async fn say_anew(state: Arc<State>) {
    let mut stopping = state.stopping.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(SAID_EVERY) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
        state.venues.all().into_iter().for_each(|stream| state.changed(stream));
    }
}

/// How far a copy is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// How many records it has.
    pub size: u64,
    /// The hash of the last one; empty: it has none.
    pub hash: String,
    /// When what is shown beside it was signed, in microseconds since 1970; 0: nothing is.
    pub shown: i64,
    /// Whether another history of the tournament was signed too, which its pages say.
    #[serde(default)]
    pub is_forked: bool,
}

fn head_of(state: &State, store: &Store, stream: StreamId) -> Result<Head, VerbError> {
    let head = store.log().head(stream).map_err(StoreError::from)?;
    let hash = if head.seq == 0 { String::new() } else { head.hash.to_string() };
    let shown = state.horizons.shown(stream).map_or(0, |kept| kept.at);
    let known = store.rewritten(stream)?;
    let is_forked = known.is_some_and(|fork| !fork.is_said() && fork.restored.is_none());
    Ok(Head { size: head.seq, hash, shown, is_forked })
}

fn stream_of(id: &str) -> Result<StreamId, VerbError> {
    id.parse().map_err(|_| bad_request("a tournament is named by its whole id"))
}

fn checked(who: &Who, id: &str) -> Result<StreamId, VerbError> {
    who.check(Need::Venue)?;
    let stream = stream_of(id)?;
    who.check_in(Need::Venue, stream)?;
    Ok(stream)
}

/// Says how far the copy of a tournament is.
///
/// # Errors
/// Where it is no venue that asks.
pub async fn head(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    let stream = checked(&who, &id)?;
    let shared = Arc::clone(&state);
    let head = state.read(move |store| {
        check_theirs(store, stream, &who)?;
        hear(&shared, &who);
        head_of(&shared, store, stream)
    });
    let head = head.await?;
    Ok(Json(head).into_response())
}

/// Takes in what stands behind the copy's head.
///
/// # Errors
/// `log-forked` where the venue's log is another one than was signed, and what else does not hold.
pub async fn records(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    let stream = checked(&who, &id)?;
    let part: LogPart = serde_json::from_slice(&body)
        .map_err(|error| bad_request(format!("this is no part of a log: {error}")))?;
    let from = called(&who);
    let done = state.act(stream, move |state, store| {
        check_theirs(store, stream, &who)?;
        hear(state, &who);
        let known = store.rewritten(stream)?;
        let mut copy = Copy::of(store, stream, &from, None)?;
        let taken = copy.take(&part);
        if store.rewritten(stream)? != known {
            // Its pages say so, and open ones are told: once, and not whenever its venue sends the same again.
            state.changed(stream);
            state.live.tell(stream, "copied", &serde_json::json!({}), true);
        }
        match taken? {
            Some(taken) => {
                if taken.new > 0 {
                    // Whoever is forgotten is gone before their venue shows anew what it has.
                    state.forget_shown(store, stream)?;
                }
                head_of(state, store, stream)
            }
            None => Err(FollowError::NotRead("send it from its beginning".into()).into()),
        }
    });
    Ok(Json(done.await?).into_response())
}

/// Takes what is shown beside the log.
///
/// # Errors
/// Where the tournament's key did not sign it.
pub async fn shown(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    let stream = checked(&who, &id)?;
    let sealed: Sealed = serde_json::from_slice(&body)
        .map_err(|error| bad_request(format!("this is nothing to be shown: {error}")))?;
    let name = stream.to_string();
    let done = state.act(stream, move |state, store| {
        check_theirs(store, stream, &who)?;
        hear(state, &who);
        let known = find(store, &name)?;
        let (_, now) = store.handler().load(known).map_err(StoreError::from)?;
        let key = now.signers().last().map(|(_, key)| *key);
        let key = key.filter(|_| store.followed(stream).is_ok_and(|known| known.is_some()));
        let key = key.ok_or_else(|| {
            let message = "no tournament of this id is pushed here";
            VerbError::new(Code::not_found("unknown-tournament"), message, "push its log first")
        })?;
        let (at, mut shown) = sealed.open(stream, &key)?;
        let forgotten = store.now_forgotten(stream, shown.events_behind())?;
        shown.forget(&forgotten);
        let kept = state.horizons.shown(stream);
        let is_gone = |number: &u32| !shown.texts.contains_key(number);
        let is_less = kept.as_ref().is_some_and(|kept| kept.shown.texts.keys().any(is_gone));
        if kept.is_none_or(|kept| kept.at < at) {
            let links = serde_json::from_value(shown.links.clone());
            state.house.take_links(stream, &links.unwrap_or_default())?;
            state.house.keep_shown(stream, at, &shown)?;
            let known = store.followed(stream)?;
            let renamed = |known: &Followed| shown.title.is_some() && known.title != shown.title;
            if let Some(known) = known.filter(renamed) {
                let title = shown.title.clone();
                store.keep_followed(stream, &Followed { title, ..known })?;
            }
            let floor = Floor::of(shown.floor.clone());
            let before = state.floor(stream)?;
            let given: Vec<Entry> = floor
                .entries()
                .iter()
                .filter(|one| !before.entries().contains(one))
                .cloned()
                .collect();
            state.floors.show(stream, floor.clone());
            tell(state, store, stream, &floor);
            state.live.chosen_anew(store, stream);
            if is_less {
                state.live.name_gone(stream);
                // The log says only later that somebody was forgotten behind a draft.
                state.season.forget()?;
            }
            for one in &given {
                state.live.tell_table(stream, &before, &one.change);
            }
        }
        head_of(state, store, stream)
    });
    Ok(Json(done.await?).into_response())
}

//! Editions of rules: what this server has of them for everybody, and what a venue's server fetches from its
//! publisher's. Nothing of it changes a tournament.

use crate::elsewhere::Elsewhere;
use crate::enrolled::not_enrolled;
use crate::gate::Need;
use crate::kept::FOR_GOOD;
use crate::problem::{Refusal, bad_request};
use crate::reading::{Given, json_response};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::answers::{EditionOffered, EditionsOffered};
use scrutineer_desk::edition::{self, Edition, Editions, MAX_KEPT, Offer};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_engine::record::from_hex;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Where they stand.
const PATH: &str = "/api/v1/editions";
/// How often a venue looks for new ones.
const LOOK_EVERY: Duration = Duration::from_secs(15 * 60);
/// How long after a server did not answer.
const AGAIN: Duration = Duration::from_secs(60);

/// Lists the editions that are here for everybody.
///
/// # Errors
/// Never: what cannot be relied on is left out.
pub async fn list(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let known = state.beside(|state| Ok(state.editions.now())).await?;
    let editions = known.kept.iter().map(|edition| EditionOffered::of(edition)).collect();
    let json = serde_json::to_value(EditionsOffered { editions }).unwrap_or_default();
    let tag = blake3::hash(json.to_string().as_bytes()).to_hex()[..16].to_string();
    Ok(json_response(&headers, &who, Given { json, tag: Some(tag), next: None }))
}

/// Gives an edition as it was signed.
///
/// # Errors
/// `no-such-edition`.
pub async fn one(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let bytes = state.beside(move |state| {
        let no_such = || edition::EditionError::NoSuch { name: name.clone() };
        let at = state.editions.at().map_err(|_| no_such())?;
        Ok(at.bytes_of(&name)?)
    });
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, FOR_GOOD)];
    Ok((kind, bytes.await?).into_response())
}

/// By which key an edition is taken.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ByKey {
    key: String,
}

/// Keeps an edition here for everybody, signed by the key that is named.
///
/// # Errors
/// Where somebody else than the owner sends it, or it is not signed by that key.
pub async fn put(
    Shared(state): Shared<Arc<State>>,
    Query(ByKey { key }): Query<ByKey>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let taken = state.beside(move |state| take(state, &body, &key)).await?;
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, no_store, axum::Json(EditionOffered::of(&taken))).into_response())
}

/// Takes an edition by the key that somebody names.
///
/// # Errors
/// Where that key did not sign it.
pub fn take(state: &State, bytes: &[u8], key: &str) -> Result<Edition, VerbError> {
    let key = from_hex(key.trim()).ok_or_else(|| {
        bad_request("key: all 64 digits of the publisher's public key, as they gave it to you")
    })?;
    Ok(state.editions.at()?.keep(bytes, &key)?.0)
}

/// Takes an edition that waits, by the key that somebody names.
///
/// # Errors
/// As [`take`], or where none of this name waits.
pub fn take_offered(state: &State, name: &str, key: &str) -> Result<Edition, VerbError> {
    let no_such = || edition::EditionError::NoSuch { name: name.into() };
    let at = state.editions.at()?;
    let known = state.editions.now();
    let found = known.offered.iter().find(|one| one.name() == name).ok_or_else(no_such)?;
    take(state, &at.bytes_of_offered(found)?, key)
}

/// What a look at a server found.
#[derive(Debug, Default)]
pub struct Fetched {
    /// Those that are new here, and what became of them.
    pub new: Vec<(Edition, Offer)>,
    /// How many were here.
    pub known: usize,
    /// Those that cannot be taken, by their names there, and why.
    pub refused: Vec<(String, VerbError)>,
}

/// Fetches what is new at a server into a store. Each is checked as whoever gets the file checks
/// it; what is not in order does not stop the rest.
///
/// # Errors
/// Where the server does not answer, or has no editions.
pub async fn fetch(at: &Editions, there: &Elsewhere) -> Result<Fetched, VerbError> {
    let bytes = there.ask("GET", PATH, Vec::new(), 0).await?;
    let listed: EditionsOffered = serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("{} gave no list of editions: {error}", there.base());
        VerbError::new(
            Code::damaged("copy-not-taken"),
            message,
            "look whether both run one version",
        )
    })?;
    let here: BTreeSet<String> = [at.kept()?, at.offered()?]
        .into_iter()
        .flatten()
        .filter_map(|(_, read)| Some(read.ok()?.name()))
        .collect();
    let mut fetched = Fetched::default();
    for EditionOffered { name, .. } in listed.editions.into_iter().take(MAX_KEPT) {
        let is_name = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_name || here.contains(&name) {
            fetched.known += usize::from(is_name);
            continue;
        }
        let got = match there.ask("GET", &format!("{PATH}/{name}"), Vec::new(), 0).await {
            Ok(bytes) => at.offer(&bytes).map_err(VerbError::from),
            Err(error) if error.code.kind == ErrorKind::UnknownOutcome => return Err(error),
            Err(error) => Err(error),
        };
        match got {
            Ok((_, Offer::Known)) => fetched.known += 1,
            Ok(new) => fetched.new.push(new),
            Err(error) => fetched.refused.push((name, error)),
        }
    }
    Ok(fetched)
}

/// Looks for new editions at the publisher's server, until the server stops.
pub async fn attend(state: Arc<State>, there: Elsewhere) {
    let Ok(at) = state.editions.at().cloned() else { return };
    let mut stopping = state.stopping.clone();
    loop {
        let pause = match state.second.is_desk() {
            true => match fetch(&at, &there).await {
                // A server that has none is asked as rarely as one that has nothing new.
                Ok(_) => LOOK_EVERY,
                Err(error) if error.code.kind == ErrorKind::NotFound => LOOK_EVERY,
                Err(_) => AGAIN,
            },
            false => AGAIN,
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stopping.wait_for(|stops| *stops) => return,
        }
    }
}

/// Looks at once.
///
/// # Errors
/// Where this server pushes nowhere, or the other one does not answer.
pub async fn look(state: &Arc<State>) -> Result<Fetched, VerbError> {
    let to = state.pushing.to().borrow().clone();
    let to = to.ok_or_else(not_enrolled)?;
    fetch(state.editions.at()?, &to.server).await
}

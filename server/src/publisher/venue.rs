//! The venue's side: where this store is enrolled, as its owner chooses it, and what goes on there as long
//! as the server runs.

use super::editions;
use crate::body::object_of;
use crate::enrolled::{self, Enrolled};
use crate::follow;
use crate::gate::Need;
use crate::join::refusal_page;
use crate::language::Language;
use crate::pages::publisher::{self as pages, View};
use crate::posted::{Posted, field, fields_of, refused_at, see, with_query};
use crate::problem::Refusal;
use crate::pushing::To;
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Query, State as Shared};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::answers::PublisherEnded;
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use utoipa::ToSchema;

/// With which link a store is enrolled.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedPublisher {
    /// The link, which the publisher's owner made.
    pub link: String,
    /// Push only tournaments whose titles have this part; otherwise all.
    pub only: Option<String>,
}

/// Pushes, fetches what waits there, and looks for new rules, for as long as the server runs: wherever the
/// store is enrolled at that moment.
pub async fn attend(state: Arc<State>) {
    let (mut chosen, mut stopping) = (state.pushing.to(), state.stopping.clone());
    loop {
        let to = chosen.borrow_and_update().clone();
        let all = async {
            match to {
                Some(to) => {
                    let inbox = follow::attend(Arc::clone(&state), to.server.clone());
                    let rules = editions::attend(Arc::clone(&state), to.server.clone());
                    tokio::join!(inbox, rules, follow::push(Arc::clone(&state), to));
                }
                None => _ = stopping.wait_for(|stops| *stops).await,
            }
        };
        // What is on its way when another server is chosen is asked for again: its head is the whole state.
        tokio::select! {
            () = all => return,
            changed = chosen.changed() => if changed.is_err() { return },
        }
    }
}

fn folder(state: &State) -> Result<PathBuf, VerbError> {
    state.setup.folder.clone().ok_or_else(|| {
        let (message, hint) = ("an invented tournament is enrolled nowhere", "serve a store");
        VerbError::new(Code::invalid("demo-is-local"), message, hint)
    })
}

async fn enrolled_with(
    state: &Arc<State>,
    who: &Who,
    link: &str,
    only: Option<String>,
) -> Result<Enrolled, VerbError> {
    who.check(Need::Owner)?;
    let _alone = state.enrolling.lock().await;
    let only = only.map(|only| only.trim().to_string()).filter(|only| !only.is_empty());
    let enrolled = enrolled::enroll(&folder(state)?, link, only).await?;
    let what = format!("enrolled the store at {} as {}", enrolled.address, enrolled.name);
    note(state, who, what).await?;
    state.pushing.change(Some(To::from(&enrolled)));
    Ok(enrolled)
}

async fn ended(state: &Arc<State>, who: &Who) -> Result<PublisherEnded, VerbError> {
    who.check(Need::Owner)?;
    let _alone = state.enrolling.lock().await;
    let folder = folder(state)?;
    // Nothing is pushed any more while the other server is told.
    if enrolled::enrolled(&folder)?.is_some() {
        state.pushing.change(None);
    }
    let (was, untold) = enrolled::end(&folder).await?;
    note(state, who, format!("ended the enrollment at {}", was.address)).await?;
    Ok(PublisherEnded { address: was.address, told: untold.is_none() })
}

/// Who did it stands in the list of changes; and so the second laptop hears of it.
async fn note(state: &Arc<State>, who: &Who, what: String) -> Result<(), VerbError> {
    let by = who.told();
    state.beside(move |state| state.house.note(&by, what)).await
}

fn answer(status: StatusCode, json: impl Serialize) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], axum::Json(json)).into_response()
}

/// Says where this store is enrolled, and how it goes.
///
/// # Errors
/// Where somebody asks who is not of the staff.
pub async fn stands(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Staff)?;
    Ok(answer(StatusCode::OK, state.pushing.told()))
}

/// Enrolls this store.
///
/// # Errors
/// What the publisher's server refuses, or that it does not answer.
pub async fn enroll(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let WantedPublisher { link, only } = object_of(&body, "this names no link")?;
    enrolled_with(&state, &who, &link, only).await?;
    Ok(answer(StatusCode::CREATED, state.pushing.told()))
}

/// Ends the enrollment.
///
/// # Errors
/// Where the store is enrolled nowhere.
pub async fn end(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    Ok(answer(StatusCode::OK, ended(&state, &who).await?))
}

/// Shows where this store is enrolled, with what its owner can do about it.
pub async fn page(
    Shared(state): Shared<Arc<State>>,
    Query(view): Query<View>,
    who: Who,
) -> Response {
    let stands = state.pushing.told();
    let refused: Vec<String> = stands.refused.iter().map(|one| one.id.clone()).collect();
    let made = async {
        who.check(Need::Owner)?;
        let titled = move |store: &Store| {
            let title = |id: String| {
                let stream = id.parse().ok()?;
                Some((id, store.summary(stream).ok()?.title))
            };
            Ok(refused.into_iter().filter_map(title).collect())
        };
        pages::page(stands, state.read(titled).await?, &state.editions.now(), &view)
    };
    let made = made.await;
    let mut response = match made {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page(&error.into(), Language::English),
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Does what the page asks for.
pub async fn form(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    const BACK: &str = "/publisher";
    if let Err(error) = who.check(Need::Owner) {
        return refusal_page(&error.into(), Language::English);
    }
    let done = async {
        let fields = fields_of(posted)?;
        let text = |name: &str| field(&fields, name).map(str::to_string);
        match field(&fields, "do") {
            Some("look") => {
                let new = editions::look(&state).await?.new.len();
                Ok(if new > 0 { "found" } else { "found-none" })
            }
            Some("take") => {
                let (name, key) = (text("edition"), text("key"));
                let taken = state.beside(move |state| {
                    let (name, key) = (name.unwrap_or_default(), key.unwrap_or_default());
                    editions::take_offered(state, &name, &key)
                });
                taken.await.map(|_| "taken")
            }
            Some("end") => {
                let PublisherEnded { told, .. } = ended(&state, &who).await?;
                Ok(if told { "ended" } else { "ended-here" })
            }
            _ => {
                let link = text("link").unwrap_or_default();
                enrolled_with(&state, &who, &link, text("only")).await.map(|_| "enrolled")
            }
        }
    };
    match done.await {
        Ok(done) => see(with_query(BACK, &[("done", done.to_string())])),
        Err(error) => refused_at(BACK, &Refusal::from(error), Vec::new()),
    }
}

//! All tournaments of the store as their publisher looks at them, for browsers and for programs.

use crate::gate::Need;
use crate::join::refusal_page;
use crate::language::Language;
use crate::pages::review::{View, page};
use crate::problem::{Refusal, bad_request, of_parameter};
use crate::reading::{Given, json_response};
use crate::state::State;
use crate::who::Who;
use axum::extract::{Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::answers::ReviewAnswer;
use scrutineer_desk::review::{Cursor, Effort, Wanted, What, day_or_time};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use std::sync::Arc;
use std::time::Duration;

/// How many rows a page has.
const ROWS: usize = 200;
/// How many threads look; the desks need the others.
const THREADS: usize = 2;
/// How long tournaments are verified for one answer. The rest is verified for the next one.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is asked for, read from what was typed.
fn wanted(view: &View) -> Result<Wanted, VerbError> {
    let typed = |text: &str| Some(text.trim().to_string()).filter(|text| !text.is_empty());
    let time = |name: &str, text: &str, is_end| {
        let read = typed(text).map(|text| day_or_time(&text, is_end)).transpose();
        read.map_err(|error| of_parameter(name, error))
    };
    let what = |word: String| {
        let words = What::ALL.map(What::word).join(", ");
        What::of_word(&word).ok_or_else(|| bad_request(format!("only is one of {words}")))
    };
    let cursor = |text: String| {
        Cursor::read(&text).ok_or_else(|| bad_request("before is the `next` of an earlier answer"))
    };
    Ok(Wanted {
        since: time("since", &view.since, false)?,
        until: time("until", &view.until, true)?,
        person: view.by.clone(),
        tournament: view.tournament.clone(),
        only: typed(&view.only).map(what).transpose()?,
        verify: view.verify,
        notes: false,
        most: Some(ROWS),
        before: typed(&view.before).map(cursor).transpose()?,
    })
}

async fn looked(state: &Arc<State>, who: &Who, view: &View) -> Result<ReviewAnswer, VerbError> {
    who.check(Need::Owner)?;
    let (wanted, shared) = (wanted(view)?, Arc::clone(state));
    let read = move |store: &scrutineer_desk::store::Store| {
        let keys = Some(&shared.setup.asker.keys);
        // The names that a venue shows beside its copy are names here too.
        let names = |stream: StreamId| {
            shared.horizons.shown(stream)?;
            let public = shared.horizons.public(store, stream).ok()?;
            public.books().book(stream).ok()
        };
        let patience = Some(PATIENCE);
        let effort = Effort { threads: THREADS, patience, keys, shown: Some(&names) };
        let mut answer = shared.reviews.review(store, &wanted, effort)?;
        // What a venue pushes is called here as it says.
        let changes = answer.changes.iter_mut().map(|row| &mut row.tournament);
        let findings = answer.findings.iter_mut().map(|found| &mut found.tournament);
        for name in changes.chain(findings) {
            let stream = name.id.as_deref().and_then(|id| id.parse().ok());
            if let (Some(stream), Some(own)) = (stream, name.title.take()) {
                name.title = Some(shared.horizons.title(stream, own));
            }
        }
        Ok(answer)
    };
    state.read_long(read).await
}

/// Shows what was put right, ruled and signed in all tournaments.
pub async fn show(
    Shared(state): Shared<Arc<State>>,
    Query(view): Query<View>,
    who: Who,
) -> Response {
    let made = async { page(looked(&state, &who, &view).await?, view) };
    let mut response = match made.await {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page(&error.into(), Language::English),
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Gives the same to programs.
///
/// # Errors
/// Where the store cannot be read, or they may not.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    Query(view): Query<View>,
    who: Who,
) -> Result<Response, Refusal> {
    let answer = looked(&state, &who, &view).await?;
    let json = serde_json::to_value(answer).unwrap_or_default();
    Ok(json_response(&HeaderMap::new(), &who, Given::of(json)))
}

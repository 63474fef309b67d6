//! The page of the second laptop, and what its owner asks for there.

use super::become_desk;
use crate::gate::{Need, not_allowed};
use crate::join::refusal_page;
use crate::language::Language;
use crate::pages::code::{Svg, code as drawn};
use crate::pages::render;
use crate::posted::wants_page;
use crate::problem::{Refusal, bad_request, plain};
use crate::second::{Line, MAKE, is_sure, lock};
use crate::state::State;
use crate::who::Who;
use askama::Template;
use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::standing::Is;
use scrutineer_desk::verb_error::VerbError;
use serde_json::json;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "second.html")]
struct SecondPage {
    line: Option<Line>,
    /// When it was looked at, by the clock of this machine.
    as_of: String,
    is_desk: bool,
    /// Whether this laptop has become the desk in place of another, since its server runs.
    has_taken_over: bool,
    /// Whether the two went on in different ways, so that this one cannot follow with what it has.
    is_parted: bool,
    may_take_over: bool,
    /// What speaks against taking over, where somebody is asked whether they mean it.
    against: Option<VerbError>,
    /// Whether the desk is called by its name in this network.
    is_named: bool,
    code: Option<String>,
    /// What is typed to serve this store.
    serve: String,
    /// Where the other laptop is.
    other: String,
    address: String,
    picture: Option<Svg>,
}

fn shown(
    state: &State,
    code: Option<String>,
    against: Option<VerbError>,
    left: Option<String>,
) -> Result<String, VerbError> {
    let (second, standing) = (&state.second, state.second.standing());
    let address = second.address();
    let unreached = second.unreached().filter(|_| standing.is == Is::Desk);
    // Nobody gets anywhere with an address that leads back to their own machine.
    let picture = match unreached {
        Some(_) => None,
        None => drawn(&format!("http://{address}/")),
    };
    render(&SecondPage {
        line: match left {
            Some(left) => Some(Line::alarm(format!("{}.", plain(&left)))),
            None => line(second.line(None), unreached),
        },
        as_of: chrono::Local::now().format("%H:%M:%S").to_string(),
        is_desk: standing.is == Is::Desk,
        has_taken_over: second.has_taken_over(),
        is_parted: standing.parted.is_some(),
        may_take_over: standing.is == Is::Following,
        against,
        is_named: lock(&second.name).is_some(),
        code: code
            .map(|code| format!("scrutineer serve --store second-store --second {address}/{code}")),
        serve: second.serve(),
        other: standing
            .partner
            .as_ref()
            .and_then(|partner| partner.address)
            .map_or_else(|| "<address>".into(), |address| address.to_string()),
        address,
        picture,
    })
}

/// What is said of the second laptop; where none is heard, also why none reaches this one.
fn line(said: Option<Line>, unreached: Option<&str>) -> Option<Line> {
    let Some(unreached) = unreached.map(plain) else { return said };
    match said {
        Some(said) if said.is_alarm => {
            Some(Line { text: format!("{} Beside that, {unreached}.", said.text), ..said })
        }
        // One that is heard reaches it, on the same machine.
        Some(said) => Some(said),
        None => Some(Line::alarm(format!("{unreached}."))),
    }
}

fn at_this_machine(who: &Who) -> Result<(), VerbError> {
    who.check(Need::Owner)?;
    match who.address.to_canonical().is_loopback() {
        true => Ok(()),
        false => Err(not_allowed(who.role, "the owner may, at this machine")),
    }
}

/// Shows how the two laptops stand.
pub async fn page(Shared(state): Shared<Arc<State>>, who: Who) -> Response {
    match who.check(Need::Owner).and_then(|()| shown(&state, None, None, None)) {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page(&error.into(), Language::English),
    }
}

/// Says how the two laptops stand.
///
/// # Errors
/// Where somebody asks who is not of the staff.
pub async fn status(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Staff)?;
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, format!("{}\n", state.second.status())).into_response())
}

/// Makes a code for a second laptop: as a page for a browser, as JSON for a program.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn code(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: axum::http::HeaderMap,
    body: axum::body::Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    if body != MAKE {
        return Err(bad_request(format!("a code is made by the form {MAKE}")).into());
    }
    let code = state.second.make_code()?;
    if wants_page(&headers) {
        return Ok(Html(shown(&state, Some(code), None, None)?).into_response());
    }
    let typed = format!("{}/{code}", state.second.address());
    let made = json!({ "code": code, "second": typed, "note": state.second.unreached() });
    Ok((StatusCode::CREATED, axum::Json(made)).into_response())
}

/// Makes this laptop the desk; where the desk is heard still, a browser is asked whether that is meant.
///
/// # Errors
/// Where it does not follow one, or somebody else than the owner at this machine asks; `desk-is-heard` and
/// `second-not-whole` for a program.
pub async fn take_over(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: axum::http::HeaderMap,
    body: axum::body::Bytes,
) -> Result<Response, Refusal> {
    at_this_machine(&who)?;
    let sure = is_sure(&body)?;
    let left = match become_desk(&state, sure).await {
        Err(against)
            if wants_page(&headers)
                && matches!(against.code.word, "desk-is-heard" | "second-not-whole") =>
        {
            return Ok(Html(shown(&state, None, Some(against), None)?).into_response());
        }
        done => done?,
    };
    Ok(Html(shown(&state, None, None, left)?).into_response())
}

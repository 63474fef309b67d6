//! Coming in: a link becomes the session of a browser.

use crate::gate::Role;
use crate::house::{Grant, LAPTOP_SECONDS, SESSION_SECONDS};
use crate::language::Language;
use crate::pages::{problem, staff};
use crate::posted::is_own;
use crate::problem::Refusal;
use crate::reader::Reader;
use crate::state::State;
use crate::who::{COOKIE, Who};
use axum::extract::{Form, Path, Query, State as Shared};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::book::Field;
use scrutineer_engine::error::Code;
use serde::Deserialize;
use std::sync::Arc;

/// Returns a refusal as a page.
pub fn refusal_page(refusal: &Refusal, language: Language) -> Response {
    refusal_page_of(refusal, language, None)
}

/// As [`refusal_page`], of a page of a tournament: a player whose phone is not known is led on to it.
pub fn refusal_page_of(refusal: &Refusal, language: Language, id: Option<&str>) -> Response {
    // A page is a problem too: it waits as long.
    let mut response = refusal.clone().into_response();
    if let Ok(page) = problem::refused(&refusal.error, language, id) {
        *response.body_mut() = page.into();
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, html);
    }
    response.extensions_mut().clear();
    response.extensions_mut().insert(OnAPage(refusal.clone()));
    if refusal.error.code.word == "desk-is-elsewhere" {
        response.extensions_mut().insert(LedOn);
    }
    response
}

/// What a page refuses: a program that asks for problems is told it as one.
#[derive(Clone, Debug)]
pub struct OnAPage(pub Refusal);

/// A page that says that the desk is on another laptop: a browser is led there.
#[derive(Clone, Copy, Debug)]
pub struct LedOn;

/// Asks who comes by a link; the link is used by the answer, so that a preview uses none up.
pub async fn page(
    Shared(state): Shared<Arc<State>>,
    Path(code): Path<String>,
    Query(from): Query<From>,
    who: Who,
    reader: Reader,
) -> Response {
    let language = reader.language(Role::Public);
    let linked = state.house.linked(&code, &who.address.to_string());
    // The owner looks at this laptop; all others work at the desk.
    let linked = match linked {
        Ok(grant) if grant.role == Role::Owner => Ok(grant),
        other => state.second.is_the_rooms().and(other),
    };
    let back = from.back.as_deref().unwrap_or_default();
    let page = linked.and_then(|grant| {
        staff::join_page((grant.role, grant.name.as_deref()), who.most, back, language)
    });
    match page {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page(&error.into(), language),
    }
}

/// Where somebody came from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct From {
    /// The page to which they come back.
    pub back: Option<String>,
    /// The code of a link, where they typed one.
    pub code: Option<String>,
}

/// Who comes in.
#[derive(Deserialize)]
pub struct Coming {
    #[serde(default)]
    name: String,
    laptop: Option<String>,
    back: Option<String>,
}

/// Makes a link the session of this browser.
///
/// # Errors
/// Where the link is none, or the name cannot stand in a log.
pub async fn come_in(
    Shared(state): Shared<Arc<State>>,
    Path(code): Path<String>,
    who: Who,
    reader: Reader,
    Form(coming): Form<Coming>,
) -> Response {
    let language = reader.language(Role::Public);
    let name = Some(coming.name.trim().to_string()).filter(|name| !name.is_empty());
    if let Some(why) = name.as_deref().and_then(|name| Field::Staff.objection(name)) {
        let (code, hint) = (Code::invalid("bad-name"), "go back and type it otherwise");
        return refusal_page(
            &VerbError::new(code, format!("the name {why}"), hint).into(),
            language,
        );
    }
    let address = who.address.to_string();
    let seconds = seconds(coming.laptop.as_deref());
    match state.beside(move |state| state.house.join(&code, name, &address, seconds)).await {
        Ok((secret, grant)) => {
            signed_in(&secret, &grant, seconds, coming.back.filter(|back| is_own(back)))
        }
        Err(error) => refusal_page(&error.into(), language),
    }
}

/// How long a session lasts, on somebody's own laptop or not.
pub fn seconds(laptop: Option<&str>) -> u64 {
    if laptop.is_some() { LAPTOP_SECONDS } else { SESSION_SECONDS }
}

/// Gives a browser its session, and leads to where it works.
pub fn signed_in(secret: &str, grant: &Grant, seconds: u64, back: Option<String>) -> Response {
    // A judge works on the floor.
    let page = if grant.role == Role::Judge { "floor" } else { "desk" };
    let own = || grant.tournament.as_ref().map_or("/".into(), |id| format!("/t/{id}/{page}"));
    let cookie = format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}");
    let headers = [
        (header::LOCATION, back.unwrap_or_else(own)),
        (header::SET_COOKIE, cookie),
        (header::CACHE_CONTROL, "no-store".into()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

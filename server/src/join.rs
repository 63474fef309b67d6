//! Coming in: a link becomes the session of a browser.

use crate::gate::{Need, Role};
use crate::house::{Grant, SESSION_SECONDS};
use crate::orders_api::find;
use crate::pages::assets;
use crate::problem::{Refusal, bad_request};
use crate::state::State;
use crate::who::{COOKIE, Who};
use axum::body::Bytes;
use axum::extract::{Form, Path, State as Shared};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::book::Field;
use scrutineer_engine::error::Code;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// Returns a text as it stands in a page.
pub fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, letter| {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
        out
    })
}

/// Returns a page of a few words, such as a refusal.
pub fn plain_page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>\
         <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"{1}\"><link rel=\"stylesheet\" href=\"{2}\"></head>\
         <body><main id=\"main\"><h1>{0}</h1>{body}</main></body></html>",
        escaped(title),
        assets::path("tokens.css"),
        assets::path("desk.css"),
    )
}

/// Returns a refusal as a page.
pub fn refusal_page(refusal: &Refusal) -> Response {
    let error = &refusal.error;
    let hint = error
        .hint
        .as_ref()
        .map_or(String::new(), |hint| format!("<p>{}</p>", escaped(&hint.to_string())));
    let body = format!("{hint}<p><code>{}</code> · <a href=\"/\">tournaments</a></p>", error.code);
    let page = Html(plain_page(&error.message, &body));
    let mut response = (refusal.status(), page).into_response();
    // A page is a problem too: it waits as long.
    let problem = refusal.clone().into_response();
    for name in [header::RETRY_AFTER, header::CACHE_CONTROL] {
        if let Some(value) = problem.headers().get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

/// Asks who comes by a link; the link is used by the answer, so that a preview uses none up.
pub async fn page(
    Shared(state): Shared<Arc<State>>,
    Path(code): Path<String>,
    who: Who,
) -> Response {
    match state.house.linked(&code, &who.address.to_string()) {
        Err(error) => refusal_page(&error.into()),
        Ok(grant) => {
            let body = format!(
                "<p>This browser becomes the {}'s.</p><form method=\"post\"><p><label>Your name, as \
                 the log has it: <input name=\"name\" maxlength=\"100\" autocomplete=\"name\">\
                 </label></p><p><button>Come in</button></p></form>",
                escaped(grant.role.word()),
            );
            Html(plain_page("Come in", &body)).into_response()
        }
    }
}

/// Who comes in.
#[derive(Deserialize)]
pub struct Coming {
    #[serde(default)]
    name: String,
}

/// Makes a link the session of this browser.
///
/// # Errors
/// Where the link is none, or the name cannot stand in a log.
pub async fn come_in(
    Shared(state): Shared<Arc<State>>,
    Path(code): Path<String>,
    who: Who,
    Form(coming): Form<Coming>,
) -> Response {
    let name = Some(coming.name.trim().to_string()).filter(|name| !name.is_empty());
    if let Some(why) = name.as_deref().and_then(|name| Field::Staff.objection(name)) {
        let (code, hint) = (Code::invalid("bad-name"), "go back and type it otherwise");
        return refusal_page(&VerbError::new(code, format!("the name {why}"), hint).into());
    }
    let address = who.address.to_string();
    let joined = tokio::task::spawn_blocking(move || state.house.join(&code, name, &address)).await;
    let (secret, grant) = match joined {
        Ok(Ok(joined)) => joined,
        Ok(Err(error)) => return refusal_page(&error.into()),
        Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    let to = grant.tournament.map_or("/".to_string(), |id| format!("/t/{id}/desk"));
    let cookie =
        format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age={SESSION_SECONDS}");
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// For whom a link or a token is made.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    role: String,
    name: Option<String>,
    tournament: Option<String>,
    hours: Option<u64>,
    #[serde(default)]
    once: bool,
}

async fn wanted(state: &Arc<State>, who: &Who, body: &Bytes) -> Result<Grant, Refusal> {
    who.check(Need::Owner)?;
    let wanted: Wanted = serde_json::from_slice(body)
        .map_err(|error| bad_request(format!("this makes no link: {error}")))?;
    let role = Role::of_word(&wanted.role).filter(|role| *role != Role::Public);
    let role = role.ok_or_else(|| {
        bad_request("the role is owner, head-judge, scorekeeper, judge or helper")
    })?;
    let tournament = match wanted.tournament {
        Some(name) => Some(state.read(move |store| find(store, &name)).await?.to_string()),
        None => None,
    };
    let until = wanted.hours.map(|hours| crate::house::now() + hours.saturating_mul(3_600));
    if let Some(why) = wanted.name.as_deref().and_then(|name| Field::Staff.objection(name)) {
        return Err(bad_request(format!("the name {why}")).into());
    }
    Ok(Grant { role, name: wanted.name, tournament, until, once: wanted.once })
}

/// Makes a link for staff.
///
/// # Errors
/// Where somebody else than the owner asks, or the role is none.
pub async fn new_link(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    let grant = wanted(&state, &who, &body).await?;
    let code = kept(&state, move |state| state.house.link(grant)).await?;
    let answer = json!({ "code": code, "path": format!("/join/{code}") });
    Ok((StatusCode::CREATED, axum::Json(answer)).into_response())
}

/// Makes a token for a program.
///
/// # Errors
/// As [`new_link`].
pub async fn new_token(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    let grant = wanted(&state, &who, &body).await?;
    let token = kept(&state, move |state| state.house.token(grant)).await?;
    Ok((StatusCode::CREATED, axum::Json(json!({ "token": token }))).into_response())
}

/// Keeps something in the house, which waits for the disk.
async fn kept(
    state: &Arc<State>,
    keep: impl FnOnce(&State) -> Result<String, VerbError> + Send + 'static,
) -> Result<String, VerbError> {
    let state = Arc::clone(state);
    let done = tokio::task::spawn_blocking(move || keep(&state)).await;
    done.unwrap_or_else(|_| {
        let code = Code::internal("request-not-done");
        Err(VerbError::new(code, "this request could not be carried out", "try it again"))
    })
}

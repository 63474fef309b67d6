//! The page of the second laptop, the line about it on the desk's pages, and the same for programs.

use super::{Second, blocking, lock};
use crate::gate::{Need, not_allowed};
use crate::join::refusal_page;
use crate::pages::render;
use crate::problem::{Refusal, bad_request};
use crate::serve::in_the_room;
use crate::state::State;
use crate::who::Who;
use askama::Template;
use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use qrcode::{QrCode, render::svg};
use scrutineer_desk::standing::Is;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// After how long without a word it is said that the other laptop is not heard.
const QUIET: Duration = Duration::from_secs(8);

/// What is sent for a code.
pub const MAKE: &str = "make=code";

/// What is said of the other laptop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Whether somebody has to see it: it stands above every page then.
    pub is_alarm: bool,
    /// What.
    pub text: String,
}

fn ago(when: Instant) -> String {
    match when.elapsed().as_secs() {
        0..=1 => "1 s ago".to_string(),
        seconds @ 2..=99 => format!("{seconds} s ago"),
        seconds => format!("{} min ago", seconds / 60),
    }
}

impl Second {
    /// Returns what is said of the other laptop on the pages of a tournament; none: there is none.
    pub fn line(&self, tournament: Option<StreamId>) -> Option<Line> {
        let standing = self.standing();
        if let Err(refused) = standing.check() {
            let hint = refused.hint.map(|hint| hint.to_string()).unwrap_or_default();
            let following = lock(&self.following);
            let heard =
                following.when.map_or(String::new(), |when| format!(" Heard {}.", ago(when)));
            let trouble = following.trouble.as_ref().map(|why| format!(" {why}."));
            let trouble = trouble.unwrap_or_default();
            let text = format!("{}: {hint}.{heard}{trouble}", refused.message);
            return Some(Line { is_alarm: true, text });
        }
        standing.partner.as_ref()?;
        let heard = lock(&self.heard);
        let up_to = tournament.and_then(|stream| heard.has.get(&stream));
        let up_to =
            up_to.map_or("up to an earlier event".into(), |seq| format!("up to event {seq}"));
        Some(match heard.when {
            _ if heard.waits > 0 && !heard.is_behind => {
                Line { is_alarm: false, text: format!("{up_to}, 1 s ago") }
            }
            Some(when) if when.elapsed() < QUIET && !heard.is_behind => {
                Line { is_alarm: false, text: format!("{up_to}, {}", ago(when)) }
            }
            when => {
                let when = when.map_or("not since this server started".into(), ago);
                let text =
                    format!("{up_to}, heard {when}. What is recorded now is on this laptop alone");
                Line { is_alarm: true, text }
            }
        })
    }

    /// Returns the same for programs.
    fn status(&self) -> Value {
        let standing = self.standing();
        let (heard, following) = (lock(&self.heard), lock(&self.following));
        let when = if standing.is == Is::Desk { heard.when } else { following.when };
        json!({
            "is": standing.is,
            "term": standing.term,
            "is_whole": standing.is_whole,
            "other": standing.partner.and_then(|partner| partner.address),
            "heard_ms": when.map(|when| when.elapsed().as_millis() as u64),
            "has_everything": *self.arrived.borrow() >= *self.changes.borrow(),
            "is_behind": heard.is_behind,
            "trouble": following.trouble,
        })
    }

    /// Where others reach this laptop.
    fn address(&self) -> String {
        self.listens.get().map_or(String::new(), |address| in_the_room(*address).to_string())
    }
}

#[derive(Template)]
#[template(path = "second.html")]
struct SecondPage {
    line: Option<Line>,
    is_desk: bool,
    may_take_over: bool,
    code: Option<String>,
    address: String,
    picture: String,
}

fn shown(state: &State, code: Option<String>) -> Result<String, VerbError> {
    let (second, standing) = (&state.second, state.second.standing());
    let address = second.address();
    let drawn = QrCode::new(format!("http://{address}/"));
    let picture = drawn.map_or(String::new(), |code| {
        let drawn = code.render::<svg::Color<'_>>().min_dimensions(180, 180).build();
        // The picture stands in the page, where no declaration is.
        drawn.find("<svg").map_or(String::new(), |from| drawn[from..].to_string())
    });
    render(&SecondPage {
        line: second.line(None),
        is_desk: standing.is == Is::Desk,
        may_take_over: standing.is == Is::Following,
        code: code
            .map(|code| format!("scrutineer serve --store second-store --second {address}/{code}")),
        address,
        picture,
    })
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
    match who.check(Need::Owner).and_then(|()| shown(&state, None)) {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page(&error.into()),
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
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if accepts.is_some_and(|accepts| accepts.contains("text/html")) {
        return Ok(Html(shown(&state, Some(code))?).into_response());
    }
    let typed = format!("{}/{code}", state.second.address());
    Ok((StatusCode::CREATED, axum::Json(json!({ "code": code, "second": typed }))).into_response())
}

/// Makes this laptop the desk.
///
/// # Errors
/// Where it does not follow one, or somebody else than the owner at this machine asks.
pub async fn take_over(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    at_this_machine(&who)?;
    blocking(&state, |state| state.second.become_desk()).await?;
    Ok(Html(shown(&state, None)?).into_response())
}

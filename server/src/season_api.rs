//! The job as its owner begins it, looks at it and stops it: on a page, and for programs.

use crate::body::object_of;
use crate::gate::Need;
use crate::join::refusal_page;
use crate::language::Language;
use crate::pages::season::{self as pages, View};
use crate::posted::{Posted, field, fields_of, refused_at, see};
use crate::problem::{Refusal, bad_request};
use crate::season::{MOVED, STOPPED};
use crate::season_job::{rules, start};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::answers::SeasonStands;
use scrutineer_desk::verb_error::VerbError;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Where the page of who moves stands: it is whole in itself, and may be saved.
pub const PAGE: &str = "/season/moved";

/// What a season is ranked by.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedSeason {
    /// The other ruleset: an id, an id with changes, or `edition:` and the name of an edition that is here.
    pub rules: String,
    /// How many make the cut; otherwise as many as did.
    pub cut: Option<u32>,
    /// Whether reports have a row for each player who moves, instead of one for each tournament.
    #[serde(default)]
    pub players: bool,
    /// Whether players are numbers in place of names.
    #[serde(default)]
    pub no_names: bool,
}

fn no_store(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn answer(status: StatusCode, json: impl Serialize) -> Response {
    no_store((status, axum::Json(json)).into_response())
}

async fn begun(
    state: &Arc<State>,
    who: &Who,
    wanted: WantedSeason,
) -> Result<SeasonStands, VerbError> {
    who.check(Need::Owner)?;
    let (shared, by) = (Arc::clone(state), who.told());
    let done = state.beside(move |state| {
        let rules = rules(state, &wanted.rules)?;
        let WantedSeason { rules: typed, cut, players, no_names } = wanted;
        let begins = SeasonStands {
            rules: Some(typed.trim().to_string()),
            cut,
            players,
            names: !no_names,
            by: Some(by),
            ..SeasonStands::default()
        };
        start(&shared, rules, begins)
    });
    done.await
}

/// Says how it goes, or what came of the last one.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn stands(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    Ok(answer(StatusCode::OK, state.season.told()))
}

/// Begins one.
///
/// # Errors
/// `season-runs-already`, or where the ruleset is none.
pub async fn begin(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let wanted: WantedSeason = object_of(&body, "this asks for no season")?;
    Ok(answer(StatusCode::ACCEPTED, begun(&state, &who, wanted).await?))
}

/// Stops the one that runs.
///
/// # Errors
/// `no-season` where none runs.
pub async fn stop(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    state.beside(|state| state.season.stop()).await?;
    Ok(answer(StatusCode::ACCEPTED, state.season.told()))
}

async fn read(state: &Arc<State>, who: &Who, name: String) -> Result<Vec<u8>, Refusal> {
    who.check(Need::Owner)?;
    Ok(state.beside(move |state| state.season.file(&name)).await?)
}

/// Gives a report of the last one.
///
/// # Errors
/// `no-season` where there is none of this name.
pub async fn file(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    let bytes = read(&state, &who, name.clone()).await?;
    let is_page = name == MOVED;
    let kind = if is_page { "text/html; charset=utf-8" } else { "text/csv; charset=utf-8" };
    let plain: String =
        name.chars().map(|c| if c.is_ascii_graphic() && c != '"' { c } else { '-' }).collect();
    let saved = format!("attachment; filename=\"{plain}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, saved)];
    Ok(no_store((headers, bytes).into_response()))
}

/// The way back from the page of who moves.
const BACK: &str = "<main>\n<p><a href=\"/season\">A season under other rules</a> · <a href=\"/\">All tournaments</a></p>\n";

/// Shows the page of who moves.
pub async fn moved_page(Shared(state): Shared<Arc<State>>, who: Who) -> Response {
    let shown = read(&state, &who, MOVED.into()).await;
    no_store(match shown {
        // The file that is downloaded leads nowhere.
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).replacen("<main>\n", BACK, 1);
            Html(text).into_response()
        }
        Err(refusal) => refusal_page(&refusal, Language::English),
    })
}

/// Shows how it goes, with the form for another one.
pub async fn show(
    Shared(state): Shared<Arc<State>>,
    Query(view): Query<View>,
    who: Who,
) -> Response {
    let made = who.check(Need::Owner).and_then(|()| {
        let editions = state.editions.now();
        pages::page(state.season.told(), &editions, &view)
    });
    no_store(match made {
        Ok(page) => Html(page).into_response(),
        Err(error) => refusal_page(&error.into(), Language::English),
    })
}

/// Begins or stops one from the page.
pub async fn form(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    const SEASON: &str = "/season";
    let mut typed = String::new();
    if let Err(error) = who.check(Need::Owner) {
        return refusal_page(&error.into(), Language::English);
    }
    let done = async {
        let fields = fields_of(posted)?;
        if field(&fields, "do") == Some("stop") {
            return match state.beside(|state| state.season.stop()).await {
                // It came to its end meanwhile.
                Err(_) if state.season.told().state != STOPPED => Ok(()),
                stopped => stopped,
            };
        }
        typed = field(&fields, "rules").unwrap_or_default().to_string();
        let cut = field(&fields, "cut").map(str::parse).transpose();
        let cut = cut.map_err(|_| bad_request("cut: how many go on is a number"))?;
        let is_yes = |name: &str| field(&fields, name).is_some();
        let (players, no_names) = (is_yes("players"), is_yes("no_names"));
        let wanted = WantedSeason { rules: typed.clone(), cut, players, no_names };
        begun(&state, &who, wanted).await.map(|_| ())
    };
    match done.await {
        Ok(()) => see(SEASON.into()),
        Err(error) => refused_at(SEASON, &Refusal::from(error), vec![("rules", typed)]),
    }
}

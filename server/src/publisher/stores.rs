//! What a publisher's server has for the stores that enroll there: links for them, and what became of each.

use crate::body::object_of;
use crate::enrolled::{EnrolledStore, Enrolling, LEAVING, PATH, StoreLinkMade, Stores, Taken};
use crate::follow::sources;
use crate::gate::{Need, Role};
use crate::house::{Kind, Listed};
use crate::join::refusal_page;
use crate::language::Language;
use crate::once::key_of;
use crate::pages::stores as pages;
use crate::posted::{Posted, field, fields_of, see};
use crate::problem::{Refusal, bad_request};
use crate::reader::Reader;
use crate::staff_api::{Wanted, make, take_back};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// For how many hours a link is good where nobody says more: a week.
const HOURS: u64 = 7 * 24;

/// For which store a link is made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedStore {
    /// What it is called here: its tournaments stay with this name.
    pub name: String,
    /// For how many hours the link is good, a year at most; otherwise a week.
    pub hours: Option<u64>,
}

fn no_store(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn shown(page: Result<Response, Refusal>) -> Response {
    no_store(page.unwrap_or_else(|refusal| refusal_page(&refusal, Language::English)))
}

/// Returns the stores that are enrolled here, and links for others.
///
/// # Errors
/// Where the store cannot be read.
pub fn all(state: &State, store: &Store) -> Result<Stores, VerbError> {
    let mut pushed: HashMap<String, (usize, Vec<(String, String)>)> = HashMap::new();
    for stream in store.log().streams().map_err(StoreError::from)? {
        if let Some(followed) = store.followed(stream)? {
            let one = pushed.entry(followed.from).or_default();
            one.0 += 1;
            if followed.forked.is_some() {
                let title = state.horizons.title(stream, store.summary(stream)?.title);
                one.1.push((stream.to_string(), title));
            }
        }
    }
    let is_venue = |one: &Listed| one.role == Role::Venue.word();
    let tokens = state.house.listed(Kind::Token).into_iter().filter(is_venue);
    let stores = tokens.map(|one| {
        let (source, older) = sources(one.name.as_deref(), &one.id);
        let name = one.name.unwrap_or_default();
        let (mut tournaments, mut rewritten) = pushed.remove(&source).unwrap_or_default();
        if let Some((count, forked)) = older.and_then(|older| pushed.remove(&older)) {
            tournaments += count;
            rewritten.extend(forked);
        }
        let (rewritten, titles): (Vec<String>, Vec<String>) = rewritten.into_iter().unzip();
        EnrolledStore {
            id: one.id,
            name,
            made: one.made,
            used: one.used,
            tournaments,
            forked: rewritten.len(),
            rewritten,
            titles,
        }
    });
    let links = state.house.listed(Kind::Link).into_iter().filter(is_venue);
    Ok(Stores { stores: stores.collect(), links: links.collect() })
}

async fn made(
    state: &Arc<State>,
    who: &Who,
    origin: &str,
    wanted: WantedStore,
    key: Option<String>,
) -> Result<StoreLinkMade, Refusal> {
    if wanted.name.trim().is_empty() {
        return Err(bad_request("name: what is the store called here?").into());
    }
    let wanted = Wanted {
        role: Role::Venue.word().into(),
        name: Some(wanted.name),
        hours: Some(wanted.hours.unwrap_or(HOURS)),
        once: true,
        tournament: None,
    };
    let made = make(state, who, Kind::Link, wanted, key).await?;
    Ok(StoreLinkMade { link: format!("{origin}{PATH}{}", made.secret), id: made.id })
}

/// Makes a link that enrolls a store.
///
/// # Errors
/// Where somebody else than the owner asks, or it has no name.
pub async fn new(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    reader: Reader,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let key = who.needed_key(&headers)?;
    let wanted: WantedStore = object_of(&body, "this asks for no link")?;
    let made = made(&state, &who, &reader.origin, wanted, key).await?;
    Ok(no_store((StatusCode::CREATED, axum::Json(made)).into_response()))
}

/// Lists the stores that are enrolled here.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn list(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let shared = Arc::clone(&state);
    let all = state.read(move |store| all(&shared, store)).await?;
    Ok(no_store(axum::Json(all).into_response()))
}

/// Ends the enrollment of a store, or takes a link back.
///
/// # Errors
/// Where there is none with this id.
pub async fn end(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    ended(&state, &who, id).await
}

async fn ended(state: &Arc<State>, who: &Who, id: String) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let is_link = state.house.listed(Kind::Link).iter().any(|one| one.id == id);
    take_back(state, who, if is_link { Kind::Link } else { Kind::Token }, id).await
}

/// Shows the stores that are enrolled here, with the form for a link.
pub async fn page(Shared(state): Shared<Arc<State>>, who: Who) -> Response {
    let shared = Arc::clone(&state);
    let made = async {
        who.check(Need::Owner)?;
        let page = state.read(move |store| pages::page(all(&shared, store)?)).await?;
        Ok(Html(page).into_response())
    };
    shown(made.await)
}

/// Makes a link, and shows it; or ends what is named.
pub async fn form(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    reader: Reader,
    posted: Posted,
) -> Response {
    let done = async {
        who.check(Need::Owner)?;
        let fields = fields_of(posted)?;
        if let Some(id) = field(&fields, "end") {
            ended(&state, &who, id.to_string()).await?;
            return Ok(see("/stores".into()));
        }
        let name = field(&fields, "name").unwrap_or_default().to_string();
        let hours = field(&fields, "hours").map(str::parse).transpose();
        let hours = hours.map_err(|_| bad_request("the hours are a number"))?;
        let key = key_of(field(&fields, "key"))?;
        let wanted = WantedStore { name: name.clone(), hours };
        let made = made(&state, &who, &reader.origin, wanted, key).await?;
        Ok(Html(pages::made_page(&made, &name)?).into_response())
    };
    shown(done.await)
}

/// What a link leads to in a browser: how the store is enrolled with it.
pub async fn landing(
    Shared(state): Shared<Arc<State>>,
    Path(code): Path<String>,
    who: Who,
    reader: Reader,
) -> Response {
    let linked = state.house.linked(&code, &who.address.to_string());
    let page = linked.and_then(|grant| {
        let link = format!("{}{PATH}{code}", reader.origin);
        pages::landing_page(&link, grant.name.as_deref().unwrap_or_default(), grant.role)
    });
    shown(page.map(|page| Html(page).into_response()).map_err(Refusal::from))
}

/// Enrolls a store that shows the code of a link: it is known by its own token from now on.
///
/// # Errors
/// Where the link is none, is used up, or is for somebody else.
pub async fn enroll(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    let Enrolling { code, token } = object_of(&body, "this enrolls no store")?;
    let address = who.address.to_string();
    let grant =
        state.beside(move |state| state.house.enroll_store(&code, &token, &address)).await?;
    let name = grant.name.unwrap_or_default();
    Ok(no_store((StatusCode::CREATED, axum::Json(Taken { name })).into_response()))
}

/// Ends the enrollment of the store that says so.
///
/// # Errors
/// Where it is no store that is enrolled.
pub async fn leave(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Venue)?;
    if body != LEAVING {
        return Err(bad_request(format!("a store leaves by saying {LEAVING}")).into());
    }
    let id = who.grant_id().unwrap_or_default().to_string();
    let by = who.told();
    state.beside(move |state| state.house.take_back(Kind::Token, &id, &by)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

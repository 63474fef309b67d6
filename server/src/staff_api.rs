//! Who may do what, as the owner's programs ask for it: links, tokens, sessions, accounts, and who
//! changed them.

use crate::body::{UNREAD, object_of};
use crate::gate::{Need, Role};
use crate::house::{self, AccountListed, Change, Grant, Kind, Listed, Made, Once};
use crate::once::once_id;
use crate::orders_api::find;
use crate::problem::{Refusal, bad_request};
use crate::reading::lead_on;
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::book::Field;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// For whom a link or a token is made.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// `owner`, `head-judge`, `scorekeeper`, `judge`, `helper` or, for a server that pushes tournaments here,
    /// `venue`.
    pub role: String,
    /// The name that the log has for whoever uses it.
    pub name: Option<String>,
    /// The tournament in which it holds; otherwise all of the store.
    pub tournament: Option<String>,
    /// For how many hours, a year at most; otherwise until it is taken back.
    pub hours: Option<u64>,
    /// Whether it is good for one browser alone.
    #[serde(default)]
    pub once: bool,
}

/// What an account is to be.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedAccount {
    /// `owner`, `head-judge`, `scorekeeper`, `judge` or `helper`.
    pub role: String,
    /// The password, 8 to 200 characters; a new account needs one.
    pub password: Option<String>,
    /// The tournament in which it holds; otherwise all of the store.
    pub tournament: Option<String>,
}

/// A link that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LinkMade {
    /// The code; it is told once.
    pub code: String,
    /// Where a browser goes with it.
    pub path: String,
    /// By what it is called where it is taken back.
    pub id: String,
}

/// A token that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TokenMade {
    /// The token; it is told once.
    pub token: String,
    /// By what it is called where it is taken back.
    pub id: String,
}

/// Links that hold.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Links {
    /// The newest first.
    pub links: Vec<Listed>,
}

/// Tokens that hold.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Tokens {
    /// The newest first.
    pub tokens: Vec<Listed>,
}

/// Browsers that are signed in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// The newest first.
    pub sessions: Vec<Listed>,
}

/// Those who sign in by name.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Accounts {
    /// By name.
    pub accounts: Vec<AccountListed>,
}

/// What was changed of accounts, links and tokens.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Changes {
    /// The oldest first, 500 at a time.
    pub changes: Vec<Change>,
}

/// Behind which change.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct After {
    after: u64,
}

pub(crate) fn answer(status: StatusCode, answer: impl Serialize) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], axum::Json(answer)).into_response()
}

/// Reads a role that somebody can be given.
///
/// # Errors
/// Where it is none.
pub fn role_of(word: &str) -> Result<Role, VerbError> {
    let role = Role::of_word(word).filter(|role| *role != Role::Public);
    role.ok_or_else(|| {
        bad_request("the role is owner, head-judge, scorekeeper, judge, helper or venue")
    })
}

/// Returns the id of the only tournament, where one is named.
///
/// # Errors
/// Where there is no such tournament.
pub async fn only(state: &Arc<State>, named: Option<String>) -> Result<Option<String>, VerbError> {
    match named {
        Some(name) => Ok(Some(state.read(move |store| find(store, &name)).await?.to_string())),
        None => Ok(None),
    }
}

/// For how many hours a link or a token is made at most: a year.
pub const MOST_HOURS: u64 = 366 * 24;

/// Returns when something ends that is for so many hours, in seconds since 1970.
///
/// # Errors
/// Where that is none, or more than a year.
pub fn end_of(hours: u64) -> Result<u64, VerbError> {
    match hours {
        1..=MOST_HOURS => Ok(house::now() + hours * 3_600),
        _ => Err(bad_request(format!("`hours` is a number from 1 to {MOST_HOURS}"))),
    }
}

/// Makes a link or a token, once under its key.
///
/// # Errors
/// Where the role, the name or the tournament is none, or it cannot be kept.
pub async fn make(
    state: &Arc<State>,
    who: &Who,
    kind: Kind,
    wanted: Wanted,
    key: Option<String>,
) -> Result<Made, Refusal> {
    who.check(Need::Owner)?;
    let role = role_of(&wanted.role)?;
    let name = wanted.name.map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
    if let Some(why) = name.as_deref().and_then(|name| Field::Staff.objection(name)) {
        return Err(bad_request(format!("the name {why}")).into());
    }
    // Two without one would be taken for one venue.
    if role == Role::Venue && name.is_none() {
        return Err(bad_request("a venue needs a name: what it pushes is its own by that").into());
    }
    let tournament = only(state, wanted.tournament).await?;
    let hours = wanted.hours;
    let body = format!("{role:?} {name:?} {tournament:?} {hours:?} {}", wanted.once);
    let once = key.map(|key| Once {
        id: once_id(&who.principal, kind.word(), &key),
        body: *blake3::hash(body.as_bytes()).as_bytes(),
    });
    let until = hours.map(end_of).transpose()?;
    let grant = Grant { role, name, tournament, until, once: wanted.once, ..Grant::default() };
    let by = who.told();
    Ok(state.beside(move |state| state.house.make(kind, grant, &by, once.as_ref())).await?)
}

/// Makes a link for staff.
///
/// # Errors
/// As [`make`].
pub async fn new_link(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let key = who.needed_key(&headers)?;
    let wanted = object_of(&body, UNREAD)?;
    let Made { secret, id } = make(&state, &who, Kind::Link, wanted, key).await?;
    let path = format!("/join/{secret}");
    Ok(answer(StatusCode::CREATED, LinkMade { code: secret, path, id }))
}

/// Makes a token for a program.
///
/// # Errors
/// As [`make`].
pub async fn new_token(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let key = who.needed_key(&headers)?;
    let wanted = object_of(&body, UNREAD)?;
    let Made { secret, id } = make(&state, &who, Kind::Token, wanted, key).await?;
    Ok(answer(StatusCode::CREATED, TokenMade { token: secret, id }))
}

/// Lists the links that hold.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn links(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    Ok(answer(StatusCode::OK, Links { links: state.house.listed(Kind::Link) }))
}

/// Lists the tokens that hold.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn tokens(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    Ok(answer(StatusCode::OK, Tokens { tokens: state.house.listed(Kind::Token) }))
}

/// Lists the browsers that are signed in.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn sessions(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    Ok(answer(StatusCode::OK, Sessions { sessions: state.house.listed(Kind::Session) }))
}

/// Lists the accounts.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn accounts(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    Ok(answer(StatusCode::OK, Accounts { accounts: state.house.accounts() }))
}

/// Lists who changed accounts, links and tokens.
///
/// # Errors
/// Where somebody else than the owner asks.
pub async fn changes(
    Shared(state): Shared<Arc<State>>,
    Query(After { after }): Query<After>,
    who: Who,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let read = move |state: &State| {
        let changes = state.house.changed_after(after)?;
        let last = changes.last().map_or(after, |last| last.seq);
        let is_more = !state.house.changed_after(last)?.is_empty();
        Ok((changes, is_more.then(|| format!("/api/v1/changes?after={last}"))))
    };
    let (changes, next) = state.beside(read).await?;
    let mut response = answer(StatusCode::OK, Changes { changes });
    lead_on(&mut response, next);
    Ok(response)
}

/// Takes a link, a token or a session back.
///
/// # Errors
/// Where there is none with this id.
pub async fn take_back(
    state: &Arc<State>,
    who: &Who,
    kind: Kind,
    id: String,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let by = who.told();
    state.beside(move |state| state.house.take_back(kind, &id, &by)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Takes a link back.
///
/// # Errors
/// As [`take_back`].
pub async fn end_link(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    take_back(&state, &who, Kind::Link, id).await
}

/// Takes a token back.
///
/// # Errors
/// As [`take_back`].
pub async fn end_token(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    take_back(&state, &who, Kind::Token, id).await
}

/// Ends a session.
///
/// # Errors
/// As [`take_back`].
pub async fn end_session(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    take_back(&state, &who, Kind::Session, id).await
}

/// Makes an account or changes one, and says whether it is a new one.
///
/// # Errors
/// Where the name, the password, the role or the tournament is none.
pub async fn put(
    state: &Arc<State>,
    who: &Who,
    name: String,
    wanted: WantedAccount,
) -> Result<bool, Refusal> {
    who.check(Need::Owner)?;
    let role = role_of(&wanted.role)?;
    let tournament = only(state, wanted.tournament).await?;
    let turn = house::at_once().await?;
    let by = who.told();
    let put = state.beside(move |state| {
        let _turn = turn;
        state.house.put_account(&name, wanted.password.as_deref(), role, tournament, &by)
    });
    Ok(put.await?)
}

/// Makes an account, or changes one.
///
/// # Errors
/// As [`put`].
pub async fn put_account(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let is_new = put(&state, &who, name, object_of(&body, UNREAD)?).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(answer(status, Accounts { accounts: state.house.accounts() }))
}

/// Removes an account.
///
/// # Errors
/// Where there is none of this name.
pub async fn remove_account(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let by = who.told();
    state.beside(move |state| state.house.remove_account(&name, &by)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

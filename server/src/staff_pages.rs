//! The owner's page of who may do what, and signing in and out.

use crate::gate::{Need, Role};
use crate::house::{Kind, at_once};
use crate::join::{From, LedOn, refusal_page, seconds, signed_in};
use crate::language::Language;
use crate::once::key_of;
use crate::pages::staff;
use crate::posted::{Posted, back_of, field, fields_of, see, with_query};
use crate::problem::{Refusal, bad_request};
use crate::query::encoded;
use crate::reader::Reader;
use crate::staff_api::{Wanted, WantedAccount, make, put, take_back};
use crate::state::State;
use crate::who::{COOKIE, Who, sessions_in};
use axum::extract::{Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use std::sync::Arc;

/// Pages of the owner are English.
pub(crate) fn shown(page: Result<Response, Refusal>) -> Response {
    shown_in(Language::English, page)
}

fn shown_in(language: Language, page: Result<Response, Refusal>) -> Response {
    let mut response = page.unwrap_or_else(|refusal| refusal_page(&refusal, language));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Who may do what, with the forms that change it.
pub async fn page(Shared(state): Shared<Arc<State>>, who: Who) -> Response {
    let shared = Arc::clone(&state);
    let made = async {
        who.check(Need::Owner)?;
        let page = state.read(move |store| staff::page(store, &shared.house)).await?;
        Ok(Html(page).into_response())
    };
    shown(made.await)
}

/// Makes a link or a token, and shows it this once.
async fn made(
    state: Arc<State>,
    who: Who,
    kind: Kind,
    posted: Posted,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let fields = fields_of(posted)?;
    let text = |name: &str| field(&fields, name).map(str::to_string);
    let hours = text("hours").map(|hours| hours.parse());
    let hours = hours.transpose().map_err(|_| bad_request("the hours are a number"))?;
    let wanted = Wanted {
        role: text("role").unwrap_or_default(),
        name: text("name"),
        tournament: text("tournament"),
        hours,
        once: field(&fields, "once").is_some(),
    };
    let role = wanted.role.replace('-', " ");
    let made = make(&state, &who, kind, wanted, key_of(field(&fields, "key"))?).await?;
    let link = (kind == Kind::Link)
        .then(|| format!("{}/join/{}", state.origin().unwrap_or_default(), made.secret));
    let allows = state.setup.allow_plain_staff;
    Ok(Html(staff::made_page(&made, &role, link, allows)?).into_response())
}

/// Makes a link, and shows its code.
pub async fn new_link(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    shown(made(state, who, Kind::Link, posted).await)
}

/// Makes a token, and shows it.
pub async fn new_token(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    shown(made(state, who, Kind::Token, posted).await)
}

/// Makes an account, or changes one.
pub async fn account(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    let done = async {
        who.check(Need::Owner)?;
        let fields = fields_of(posted)?;
        let text = |name: &str| field(&fields, name).map(str::to_string);
        let name = text("name").unwrap_or_default();
        if text("remove").is_some() {
            let by = who.told();
            state.beside(move |state| state.house.remove_account(&name, &by)).await?;
        } else {
            let role = text("role").unwrap_or_default();
            let (password, tournament) = (text("password"), text("tournament"));
            put(&state, &who, name, WantedAccount { role, password, tournament }).await?;
        }
        Ok(see("/staff#accounts".into()))
    };
    shown(done.await)
}

/// Takes a link, a token or a session back.
pub async fn end(Shared(state): Shared<Arc<State>>, who: Who, posted: Posted) -> Response {
    let done = async {
        who.check(Need::Owner)?;
        let fields = fields_of(posted)?;
        let word = field(&fields, "kind").unwrap_or_default();
        let kind = Kind::ALL.into_iter().find(|kind| kind.word() == word);
        let kind = kind.ok_or_else(|| bad_request("it is a link, a token or a session"))?;
        let id = field(&fields, "id").unwrap_or_default().to_string();
        take_back(&state, &who, kind, id).await?;
        Ok(see(format!("/staff#{word}s")))
    };
    shown(done.await)
}

/// Says on a page where the desk is, with a link to what was asked for there: after a form no browser is led to another
/// machine.
fn named(desk: VerbError, path: &str, language: Language) -> Response {
    let hint = desk.hint.as_ref().map(ToString::to_string).unwrap_or_default();
    let hint = if hint.starts_with("http://") { format!("{hint}{path}") } else { hint };
    let refusal = VerbError { hint: Some(hint.into()), ..desk }.into();
    let mut response = shown_in(language, Err(refusal));
    response.extensions_mut().remove::<LedOn>();
    response
}

/// Asks for name and password, or leads to the link whose code was typed. Where this laptop is not the desk, nobody signs
/// in here but its owner.
pub async fn sign_in_page(
    Shared(state): Shared<Arc<State>>,
    Query(from): Query<From>,
    who: Who,
    reader: Reader,
) -> Response {
    let as_whom = Need::Staff.admits(who.role).then(|| who.told());
    let language = reader.language(who.role);
    let back = from.back.as_deref().unwrap_or_default();
    let typed = from.code.as_deref().and_then(|typed| typed.trim().rsplit('/').next());
    let desk = state.second.is_the_rooms().err();
    if let Some(code) = typed.filter(|code| !code.is_empty()) {
        let path = with_query(&format!("/join/{}", encoded(code)), &[("back", back.to_string())]);
        // The link of its own owner leads to this laptop, as it does where it is opened.
        let is_owners = || {
            let linked = state.house.linked(code, &who.address.to_string());
            linked.is_ok_and(|grant| grant.role == Role::Owner)
        };
        return match desk {
            Some(desk) if !is_owners() => named(desk, &path, language),
            _ => see(path),
        };
    }
    if let Some(desk) = desk.filter(|_| as_whom.is_none()) {
        return shown_in(language, Err(desk.into()));
    }
    let page = staff::sign_in_page(back, as_whom, None, language);
    shown_in(language, page.map(|page| Html(page).into_response()).map_err(Refusal::from))
}

/// Signs somebody in by name.
pub async fn sign_in(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    reader: Reader,
    posted: Posted,
) -> Response {
    let language = reader.language(who.role);
    let fields = match fields_of(posted) {
        Ok(fields) => fields,
        Err(error) => return shown(Err(error.into())),
    };
    let text = |name: &str| field(&fields, name).unwrap_or_default().to_string();
    let (name, password, address) = (text("name"), text("password"), who.address.to_string());
    let seconds = seconds(field(&fields, "laptop"));
    let back = field(&fields, "back").map(|_| back_of(&fields, "/"));
    let done = async {
        let turn = at_once().await?;
        state
            .beside(move |state| {
                let _turn = turn;
                state.house.sign_in(&name, &password, &address, seconds)
            })
            .await
    };
    match done.await {
        Ok((secret, grant)) => signed_in(&secret, &grant, seconds, back),
        Err(refusal) => {
            let page = staff::sign_in_page(&text("back"), None, Some(&refusal), language);
            let mut response = Refusal::from(refusal.clone()).into_response();
            match page {
                Ok(page) => {
                    *response.body_mut() = page.into();
                    let html = HeaderValue::from_static("text/html; charset=utf-8");
                    response.headers_mut().insert(header::CONTENT_TYPE, html);
                    response.headers_mut().remove(header::CONTENT_LENGTH);
                    response.extensions_mut().clear();
                    response
                }
                Err(error) => shown(Err(error.into())),
            }
        }
    }
}

/// Ends the session of this browser.
pub async fn sign_out(Shared(state): Shared<Arc<State>>, headers: HeaderMap) -> Response {
    let secrets: Vec<String> = sessions_in(&headers).map(str::to_string).collect();
    let done: Result<(), VerbError> = match secrets.is_empty() {
        true => Ok(()),
        false => {
            let end = move |state: &State| {
                secrets.iter().try_for_each(|one| state.house.sign_out(one).map(drop))
            };
            state.beside(end).await
        }
    };
    let gone = format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    shown(done.map_err(Refusal::from).map(|()| {
        let mut response = see("/sign-in".into());
        if let Ok(gone) = HeaderValue::from_str(&gone) {
            response.headers_mut().insert(header::SET_COOKIE, gone);
        }
        response
    }))
}

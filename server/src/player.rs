//! Players: each by the link that was opened on their device, which may do what a player may and nothing
//! else. Their cookie is sent to their own page alone, so that they read all other pages as everybody does.

use crate::gate::Need;
use crate::gate::Role;
use crate::holder::{COOKIE, Holder, device_in};
use crate::join::refusal_page_of;
use crate::orders_api::find;
use crate::pages;
use crate::posted::{see, wants_json};
use crate::problem::Refusal;
use crate::proofs::receipt_of;
use crate::reader::Reader;
use crate::reading::{Given, Reading, json_response};
use crate::sites::{Asked, page, read};
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use scrutineer_desk::store::StoreError;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::short_id;
use std::sync::Arc;

/// How long a browser keeps the cookie of a device, in seconds: longer than a league is played.
const SECONDS: u64 = 400 * 24 * 60 * 60;

/// The page of a player.
pub async fn me(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
    headers: HeaderMap,
    reader: Reader,
) -> Response {
    let (shared, nobody) = (Arc::clone(&state), Who::nobody(who.address));
    page(state, nobody, reader, id, asked, Need::Player, move |at, asked| {
        let holder = Holder::of(&shared, at.stream, &headers, read(&asked.player))?;
        let said = pages::player::Said {
            done: asked.said.clone(),
            refused: asked.refused.clone(),
            why: asked.why.clone(),
        };
        let sent = shared.house.sent_by(at.stream, holder.player);
        let told = shared.house.phones_told(at.stream);
        // Over plain http browsers tell phones nothing.
        let is_safe = at.origin.starts_with("https://") || who.address.is_loopback();
        let notices = match shared.setup.webhooks_to.is_some() && is_safe {
            true => Some(pages::player::Notices {
                key: shared.house.public_key_of_notices()?.to_string(),
                is_told: told.iter().any(|(player, _)| *player == holder.player),
            }),
            false => None,
        };
        pages::player::page(at, &holder, &said, &sent, notices)
    })
    .await
}

/// The address of a player's page, in the language that was chosen.
fn own_page(stream: StreamId, player: PlayerNumber, reader: &Reader) -> String {
    let chosen = reader.asked().map_or(String::new(), |one| format!("&lang={}", one.tag()));
    format!("/t/{}/me?player={player}{chosen}", short_id(stream))
}

/// Gives a phone what makes it its player's, and leads to their page.
fn at_home(stream: StreamId, player: PlayerNumber, device: &str, reader: &Reader) -> Response {
    let path = format!("/t/{}/me", short_id(stream));
    let mut response = see(own_page(stream, player, reader));
    let cookie =
        format!("{COOKIE}={device}; Path={path}; HttpOnly; SameSite=Lax; Max-Age={SECONDS}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// The player of a device whose page is meant, or the first of them.
fn meant_of(all: &[PlayerNumber], asked: &Asked) -> Option<PlayerNumber> {
    let meant = read(&asked.player).filter(|one| all.contains(one));
    meant.or(all.first().copied())
}

/// Asks whether a link is of whoever opens it. Reading it binds nothing: messengers do so for a preview, and a player may
/// send another one what names their own phone.
pub async fn link(
    Shared(state): Shared<Arc<State>>,
    Path((id, secret)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    who: Who,
    headers: HeaderMap,
    reader: Reader,
) -> Response {
    let (shared, nobody) = (Arc::clone(&state), Who::nobody(who.address));
    let device = device_in(&headers).map(str::to_string);
    let (named, link, own) = (id.clone(), secret.clone(), device.clone());
    let (meant, led) = (asked.clone(), asked.clone());
    let known = state.read(move |store| {
        let stream = find(store, &named)?;
        shared.second.is_the_rooms()?;
        if shared.second.phone_of(&link).is_some() {
            let known = own.map_or(Vec::new(), |own| shared.house.players_of(stream, &own));
            return Ok(meant_of(&known, &meant).map(|player| (stream, player)));
        }
        let (player, is_bound) = shared.house.linked_player(stream, &link, own.as_deref())?;
        Ok(is_bound.then_some((stream, player)))
    });
    // Whose phone it is already has nothing to say: they go on to their page.
    if let Ok(Some((stream, player))) = known.await {
        return see(own_page(stream, player, &reader));
    }
    let shared = Arc::clone(&state);
    page(state, nobody, reader, id, asked, Need::Player, move |at, _| {
        let device = device.as_deref();
        shared.second.is_the_rooms()?;
        // The laptop that was the desk named the phone: it is to be its player's here too.
        if let Some(named) = shared.second.phone_of(&secret) {
            let all = shared.house.players_of(at.stream, &named);
            if let Some(player) = meant_of(&all, &led) {
                return pages::player::led_page(at, &secret, player, &all);
            }
        }
        let (player, _) = shared.house.linked_player(at.stream, &secret, device)?;
        let others = device.map_or(Vec::new(), |device| shared.house.players_of(at.stream, device));
        pages::player::link_page(at, &secret, player, &others)
    })
    .await
}

/// Binds a link to the device that opens it; a phone that the other laptop named stays its player's.
pub async fn bind(
    Shared(state): Shared<Arc<State>>,
    Path((id, secret)): Path<(String, String)>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    reader: Reader,
) -> Response {
    let (shared, named) = (Arc::clone(&state), id.clone());
    let device = device_in(&headers).map(str::to_string);
    let bound = state.read(move |store| {
        let stream = find(store, &id)?;
        shared.second.is_the_rooms()?;
        let all = |device: &str| shared.house.players_of(stream, device);
        if let Some(named) = shared.second.phone_of(&secret) {
            // One that has been here before keeps its cookie, and takes no name.
            let known = device.clone().filter(|own| !all(own).is_empty());
            let is_known = known.is_some();
            let own = known.unwrap_or(named);
            if let Some(player) = meant_of(&all(&own), &asked)
                && (is_known || shared.second.takes_phone(&secret))
            {
                return Ok((stream, (player, own)));
            }
        }
        let seen = store.log().head(stream).map_err(StoreError::from)?.seq;
        let bound = shared.house.bind_player(stream, &secret, device.as_deref(), seen)?;
        shared.changed(stream);
        Ok((stream, bound))
    });
    match bound.await {
        Ok((stream, (player, device))) => at_home(stream, player, &device, &reader),
        Err(error) => refusal_page_of(&error.into(), reader.language(Role::Public), Some(&named)),
    }
}

/// Gives a player their receipt.
///
/// # Errors
/// Where they are none, or nothing was signed yet.
pub async fn receipt(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (shared, nobody) = (Arc::clone(&state), Who::nobody(who.address));
    let (asked, sent) = (read(&asked.player), headers.clone());
    let given = state.read(move |store| {
        let stream = find(store, &id)?;
        let holder = Holder::of(&shared, stream, &sent, asked)?;
        let nobody = Who::nobody(who.address);
        receipt_of(&Reading::of(&shared, store, stream, &nobody)?, holder.player, true)
    });
    let given = given.await?;
    let alone = HeaderValue::from_static("no-store");
    if wants_json(&headers) {
        // Its tag would name the last event of the log, which may not be public.
        let mut response = json_response(&headers, &nobody, Given { tag: None, ..given });
        response.headers_mut().insert(header::CACHE_CONTROL, alone);
        return Ok(response);
    }
    // A file for whoever keeps it.
    let text = given.json["receipt"].as_str().unwrap_or_default().to_string();
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    let kept = HeaderValue::from_static("attachment; filename=\"receipt.txt\"");
    let mut response = Response::new(text.into());
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response.headers_mut().insert(header::CONTENT_DISPOSITION, kept);
    response.headers_mut().insert(header::CACHE_CONTROL, alone);
    Ok(response)
}

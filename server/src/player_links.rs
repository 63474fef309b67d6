//! The links of players, as the desk makes them, prints them and frees them from their devices.

use crate::body::{UNREAD, object_of};
use crate::gate::Need;
use crate::holder::link_path;
use crate::house::{LinksMade, Once};
use crate::once::{key_of, once_id};
use crate::orders_api::find;
use crate::pages;
use crate::posted::{Posted, back_of, field, fields_for, refused_at, see};
use crate::problem::{Refusal, bad_request};
use crate::query::encoded;
use crate::reader::Reader;
use crate::sites::{Asked, page};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::rejection::Rejection;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// For whom links are made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedPlayerLinks {
    /// The numbers of the players, who then have a new link each; otherwise everybody who takes part and has
    /// none.
    #[serde(default)]
    pub players: Vec<PlayerNumber>,
    /// Everybody who takes part and on whose link no device was seen; links that they had end.
    #[serde(default)]
    pub without_device: bool,
}

/// A link that was made for a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerLinkMade {
    /// The number of the player.
    pub player: PlayerNumber,
    /// Where their device goes with it. It is told once.
    pub path: String,
}

/// Links that were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerLinksMade {
    /// By number.
    pub links: Vec<PlayerLinkMade>,
}

/// How the link of a player stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerLinkListed {
    /// The number of the player.
    pub player: PlayerNumber,
    /// Whether a device is bound to it.
    pub bound: bool,
}

/// The links of the players of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerLinksListed {
    /// By number; who has none is not here.
    pub links: Vec<PlayerLinkListed>,
}

/// The players for whom links are made: those who are named, or those who take part and have none.
fn wanted(
    state: &State,
    store: &Store,
    stream: StreamId,
    wanted: &WantedPlayerLinks,
) -> Result<Vec<PlayerNumber>, VerbError> {
    let now = crate::live::state_of(store, stream)?;
    for player in &wanted.players {
        if now.player(*player).is_none_or(|one| one.withdrawn) {
            let error = Rejection::UnknownPlayer { player: *player };
            return Err(scrutineer_desk::desk::DeskError::from(CommandError::from(error)).into());
        }
    }
    if !wanted.players.is_empty() {
        let mut named = wanted.players.clone();
        named.sort_unstable();
        named.dedup();
        return Ok(named);
    }
    let links = state.house.player_links(stream);
    let here = now.players().iter().filter(|one| !one.withdrawn && one.dropped().is_none());
    let without = here.filter(|one| match links.get(&one.number) {
        None => true,
        Some(link) => wanted.without_device && !link.is_bound(),
    });
    Ok(without.map(|one| one.number).collect())
}

/// What a request to make links is known by.
fn id_of(who: &Who, key: &str) -> String {
    once_id(&who.principal, "player links", key)
}

async fn make(
    state: &Arc<State>,
    id: String,
    who: Who,
    asked: WantedPlayerLinks,
    key: String,
) -> Result<(StreamId, LinksMade), Refusal> {
    who.check(Need::Drafts)?;
    let shared = Arc::clone(state);
    let made = state.read(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Drafts, stream)?;
        let once = Once {
            id: id_of(&who, &key),
            body: *blake3::hash(format!("{stream} {asked:?}").as_bytes()).as_bytes(),
        };
        let players = wanted(&shared, store, stream, &asked)?;
        let made = shared.house.make_player_links(stream, &players, &who.told(), &once)?;
        // A public server knows them, too.
        shared.changed(stream);
        Ok((stream, made))
    });
    Ok(made.await?)
}

/// Makes links for players.
///
/// # Errors
/// Where one of them is no player, or they cannot be kept.
pub async fn new(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Drafts)?;
    let key = who.needed_key(&headers)?.unwrap_or_default();
    let asked = object_of(&body, UNREAD)?;
    let (stream, made) = make(&state, id, who, asked, key).await?;
    let one = |(player, secret): &(PlayerNumber, String)| PlayerLinkMade {
        player: *player,
        path: link_path(stream, secret),
    };
    let links = PlayerLinksMade { links: made.iter().map(one).collect() };
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], axum::Json(links))
        .into_response())
}

/// Lists the links of the players of a tournament.
///
/// # Errors
/// Where there is no such tournament.
pub async fn list(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    who.check(Need::Drafts)?;
    let shared = Arc::clone(&state);
    let links = state.read(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Drafts, stream)?;
        Ok(shared.house.player_links(stream))
    });
    let one = |(player, link): (PlayerNumber, crate::house::PlayerLink)| PlayerLinkListed {
        player,
        bound: link.is_bound(),
    };
    let links = PlayerLinksListed { links: links.await?.into_iter().map(one).collect() };
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(links)).into_response())
}

async fn freed(
    state: &Arc<State>,
    id: String,
    player: PlayerNumber,
    who: Who,
) -> Result<(), Refusal> {
    who.check(Need::Drafts)?;
    let shared = Arc::clone(state);
    let freed = state.read(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Drafts, stream)?;
        shared.house.free_player(stream, player, &who.told())?;
        shared.changed(stream);
        Ok(())
    });
    Ok(freed.await?)
}

/// Frees the link of a player from its device.
///
/// # Errors
/// Where they have no link.
pub async fn free(
    Shared(state): Shared<Arc<State>>,
    Path((id, player)): Path<(String, PlayerNumber)>,
    who: Who,
) -> Result<Response, Refusal> {
    freed(&state, id, player, who).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The same, from a form.
pub async fn free_form(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    posted: Posted,
) -> Response {
    let fields = match fields_for(Need::Drafts, &who, posted) {
        Ok(fields) => fields,
        Err(refusal) => return refusal.into_response(),
    };
    let back = back_of(&fields, &format!("/t/{}/players", encoded(&id)));
    let player = field(&fields, "player").and_then(|player| player.parse().ok());
    match freed(&state, id, player.unwrap_or(0), who).await {
        Ok(()) => see(back),
        Err(refusal) => refused_at(&back, &refusal, vec![]),
    }
}

/// The strips that were made just now, or how some are made.
pub async fn badges(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    who: Who,
    reader: Reader,
) -> Response {
    let (shared, asker) = (Arc::clone(&state), who.clone());
    page(state, who, reader, id, asked, Need::Drafts, move |at, asked| {
        let links = shared.house.player_links(at.stream);
        let made =
            asked.made.as_deref().and_then(|key| shared.house.links_made(&id_of(&asker, key)));
        match made {
            Some(made) => pages::print::badges::strips(at, &made),
            None => pages::print::badges::page(at, &links, asked.made.is_some()),
        }
    })
    .await
}

/// Makes links from a form, and leads to their strips, in the language of its page.
pub async fn badges_form(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    reader: Reader,
    posted: Posted,
) -> Response {
    let fields = match fields_for(Need::Drafts, &who, posted) {
        Ok(fields) => fields,
        Err(refusal) => return refusal.into_response(),
    };
    let path = format!("/t/{}/print/badges", encoded(&id));
    let lang = reader.asked().map_or(String::new(), |asked| format!("&lang={}", asked.tag()));
    let players = field(&fields, "player").and_then(|player| player.parse().ok());
    let asked = WantedPlayerLinks {
        players: players.into_iter().collect(),
        without_device: field(&fields, "who") == Some("without-device"),
    };
    let made = async {
        let key = key_of(field(&fields, "key"))?;
        let key =
            key.ok_or_else(|| bad_request("`key` is needed: with it a repeat is harmless"))?;
        make(&state, id, who, asked, key.clone()).await.map(|_| key)
    };
    match made.await {
        Ok(key) => see(format!("{path}?made={}{lang}", encoded(&key))),
        Err(refusal) => refused_at(&back_of(&fields, &path), &refusal, vec![]),
    }
}

//! A player's page on the home screen of their phone: how it is called there, and the worker that keeps the
//! last page for when there is no network. Nothing here is anybody's own: it is the same for everybody.

use crate::gate::Role;
use crate::orders_api::find;
use crate::pages::{self, icons};
use crate::problem::Refusal;
use crate::reader::Reader;
use crate::sites::{Asked, read};
use crate::state::State;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_replay::loaded::short_id;
use serde_json::json;
use std::sync::Arc;

/// The color of the page in the light and in the dark, as the style sheet has it.
pub const COLORS: [&str; 2] = ["#fbfaf6", "#161512"];

/// How the page of a player is put onto a home screen. No name stands in it but the tournament's.
///
/// # Errors
/// Where there is no such tournament.
pub async fn manifest(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    reader: Reader,
) -> Result<Response, Refusal> {
    let shared = Arc::clone(&state);
    let found = state.read(move |store| {
        let stream = find(store, &id)?;
        let title = shared.horizons.seen(store, stream)?.load(stream, true)?.title();
        Ok((stream, shared.horizons.title(stream, title)))
    });
    let (stream, title) = found.await?;
    let base = format!("/t/{}", short_id(stream));
    let player: Option<PlayerNumber> = read(&asked.player);
    let mut start = format!("{base}/me");
    let said = [
        player.map(|player| format!("player={player}")),
        reader.asked().map(|language| format!("lang={}", language.tag())),
    ];
    for (one, begin) in said.into_iter().flatten().zip(["?", "&"]) {
        start = format!("{start}{begin}{one}");
    }
    let icon = |size: u32, purpose: &str| {
        json!({
            "src": icons::path(size), "type": "image/png", "purpose": purpose,
            "sizes": format!("{size}x{size}"),
        })
    };
    let text = json!({
        "id": start, "name": title, "short_name": title, "start_url": start,
        "scope": format!("{base}/"), "display": "standalone",
        "lang": reader.language(Role::Public).tag(),
        "background_color": COLORS[0], "theme_color": COLORS[0],
        "icons": [icon(192, "any"), icon(512, "any"), icon(512, "maskable")],
    });
    let kind = [(header::CONTENT_TYPE, "application/manifest+json")];
    Ok((kind, text.to_string()).into_response())
}

/// The worker of the page. It may work above the folder that it lies in, and browsers look for another one each
/// time.
///
/// # Errors
/// Where there is no such tournament.
pub async fn worker(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let named = id.clone();
    state.read(move |store| find(store, &named)).await?;
    let kind = HeaderValue::from_static("text/javascript; charset=utf-8");
    let mut response = Response::new(pages::assets::worker().into());
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    if let Ok(scope) = HeaderValue::from_str(&format!("/t/{id}/me")) {
        let allowed = HeaderName::from_static("service-worker-allowed");
        response.headers_mut().insert(allowed, scope);
    }
    Ok(response)
}

/// What stands there where there is no network, and nothing was kept.
///
/// # Errors
/// Where there is no such tournament.
pub async fn offline(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    reader: Reader,
) -> Result<Response, Refusal> {
    let stream = state.read(move |store| find(store, &id)).await?;
    let back = format!("/t/{}/me", short_id(stream));
    Ok(Html(pages::player::offline_page(&back, reader.language(Role::Public))?).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colors_of_the_home_screen_are_those_of_the_page() {
        let styles = include_str!("../web/tokens.css");
        let papers = styles.lines().filter_map(|line| line.trim().strip_prefix("--paper: "));
        let papers: Vec<&str> = papers.filter_map(|line| line.split(';').next()).collect();
        assert_eq!(papers, COLORS);
    }
}

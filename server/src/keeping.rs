//! Answers with what is kept, and keeps what is made.

use crate::guard::route_of;
use crate::kept::{FOR_GOOD, Kept, decoded, key_of, name_in, packed, takes_refusal};
use crate::orders_api::find;
use crate::state::{State, apart};
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The largest page that is kept.
const LARGEST: usize = 16 << 20;
/// A page is not made anew before this many times as long as making it took have gone by: however
/// fast results come in, most of the time is left for the desk.
const PACE: u32 = 4;
/// Nobody waits longer for that.
const PATIENCE: Duration = Duration::from_secs(2);

/// Answers with what is kept, or has it made and keeps it.
pub async fn serve(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let key = key_of(request.method(), request.uri(), request.headers());
    let Some(key) = key.filter(|_| !state.second.is_replaced()) else {
        return next.run(request).await;
    };
    let asked = request.headers().clone();
    let place = state.pages.place(&key);
    // A refusal is kept in one form: whoever takes the other one has it made.
    if place.holding().is_some_and(|kept| !kept.fits(&asked)) {
        return next.run(request).await;
    }
    let last = place.lock().clone().filter(|last| last.fits(&asked));
    let _making = match (place.making.try_lock(), last) {
        (Ok(making), _) => making,
        // As long as somebody makes it anew, the others get the last one.
        (Err(_), Some(last)) => {
            state.pages.answered.fetch_add(1, Ordering::Relaxed);
            return last.answer(&asked);
        }
        (Err(_), None) => place.making.lock().await,
    };
    // Somebody made it meanwhile.
    match place.holding() {
        Some(kept) if kept.fits(&asked) => {
            state.pages.answered.fetch_add(1, Ordering::Relaxed);
            return kept.answer(&asked);
        }
        Some(_) => return next.run(request).await,
        None => {}
    }
    let before = place.lock().clone();
    if let Some(before) = before {
        let pace = (before.took * (PACE + 1)).min(PATIENCE);
        tokio::time::sleep_until((before.begun + pace).into()).await;
    }
    let changes = match name_in(request.uri().path()).map(decoded) {
        None => state.changes(None),
        Some(name) => match state.read(move |store| find(store, &name)).await {
            Ok(stream) => state.changes(Some(stream)),
            // The refusal is the handler's.
            Err(_) => return next.run(request).await,
        },
    };
    let (at, begun, route) = (changes.load(Ordering::Acquire), Instant::now(), route_of(&request));
    let response = next.run(bare(request)).await;
    let (kind, status) = (response.headers().get(header::CONTENT_TYPE).cloned(), response.status());
    // That a round is not out is asked for as often as the round.
    let (Some(kind), StatusCode::OK | StatusCode::NOT_FOUND) = (kind, status) else {
        return response;
    };
    // What makes the other form of it stands beside the answer, and is not kept.
    if status != StatusCode::OK && !takes_refusal(&asked, &kind) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(plain) = axum::body::to_bytes(body, LARGEST).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let file = parts.headers.get(header::CONTENT_DISPOSITION).cloned();
    let is_for_good =
        parts.headers.get(header::CACHE_CONTROL).is_some_and(|caching| caching == FOR_GOOD);
    let made = apart(move || {
        let digits: String = blake3::hash(&plain).to_hex().chars().take(16).collect();
        let tag = HeaderValue::from_str(&format!("\"{digits}\""));
        let tag = parts.headers.get(header::ETAG).cloned().or(tag.ok());
        let packed = packed(&plain);
        (plain, packed, tag, parts.headers.get(header::LINK).cloned())
    });
    let Ok((plain, packed, Some(tag), link)) = made.await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let took = begun.elapsed();
    let kept = Kept {
        route,
        status,
        tag,
        kind,
        link,
        file,
        is_for_good,
        plain,
        packed,
        at,
        changes,
        begun,
        took,
    };
    let (kept, answered) = (Arc::new(kept), asked);
    *place.lock() = Some(Arc::clone(&kept));
    state.pages.made.fetch_add(1, Ordering::Relaxed);
    state.pages.tidy();
    kept.answer(&answered)
}

/// A request for the whole page as it is.
fn bare(mut request: Request) -> Request {
    for name in [header::ACCEPT_ENCODING, header::IF_NONE_MATCH] {
        request.headers_mut().remove(name);
    }
    request
}

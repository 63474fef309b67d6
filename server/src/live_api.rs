//! The stream of a tournament: server-sent events that go on where they broke off.

use crate::floor;
use crate::holder::Holder;
use crate::horizon::check_there;
use crate::live::{Viewer, Watching, encoded};
use crate::orders_api::find;
use crate::problem::{Refusal, bad_request};
use crate::state::State;
use crate::who::{Ends, Who};
use axum::body::{Body, Bytes};
use axum::extract::{Extension, Path, Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use serde::Deserialize;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How often a comment, or for a page an event, says that the stream is alive.
const ALIVE: Duration = Duration::from_secs(15);
/// After how long a browser comes back, in milliseconds: different for each, so that not all of them
/// come at once.
const RETRY: (u64, u64) = (2_000, 5_000);

/// How a stream ends, which is counted once it is gone.
struct Ending {
    state: Arc<State>,
    how: &'static str,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.state.counted.stream_ends(self.how);
    }
}

/// A stream on its way.
struct Going {
    watching: Watching,
    /// How the floor stands where it begins, and for pages of the staff the two laptops: states, which are told whole.
    floor: Bytes,
    stopping: watch::Receiver<bool>,
    /// Whether whoever watches may still be told, and from here.
    may_still: Box<dyn Fn() -> bool + Send + Sync>,
    /// Whether they are told nothing more of a tournament that was removed.
    ends_with_it: bool,
    /// Whether that it is alive is told by an event: scripts of pages do not see comments.
    is_page: bool,
    /// Whether anything was sent, and whether anything will be.
    has_begun: bool,
    is_over: bool,
    /// Whoever is not told that it ends has left it, or was cut off.
    ending: Ending,
}

fn retry() -> u64 {
    let mut bytes = [0; 2];
    // Without random bytes they come together, which is no harm.
    let _ = getrandom::fill(&mut bytes);
    let (least, most) = RETRY;
    least + u64::from(u16::from_le_bytes(bytes)) % (most - least)
}

impl Going {
    /// The next bytes, when there are any.
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Going)> {
        if self.is_over {
            return None;
        }
        let begin = match self.has_begun {
            true => String::new(),
            false => {
                // Told once, and kept no longer.
                let floor = std::mem::take(&mut self.floor);
                format!("retry: {}\n: here\n\n{}", retry(), String::from_utf8_lossy(&floor))
            }
        };
        self.has_begun = true;
        // Whom nothing concerns of what happens is told all the same that the line is alive.
        let until = Instant::now() + ALIVE;
        loop {
            // Who comes back without the right is told what everybody is.
            let has_ended = !(self.may_still)() || self.ends_with_it && self.watching.is_removed();
            if has_ended || *self.stopping.borrow() {
                (self.is_over, self.ending.how) = (true, "bye");
                let bye = format!("retry: {}\nevent: bye\ndata: {{}}\n\n", retry());
                return Some((Ok(bye.into()), self));
            }
            let missed = self.watching.missed().unwrap_or_else(|| {
                (self.is_over, self.ending.how) = (true, "behind");
                Bytes::from_static(b"event: behind\ndata: {}\n\n")
            });
            if !begin.is_empty() {
                return Some((Ok([begin.as_bytes(), &missed].concat().into()), self));
            }
            if !missed.is_empty() {
                return Some((Ok(missed), self));
            }
            let comes = async {
                tokio::select! {
                    () = self.watching.rung() => {}
                    // Whether it stops is looked at again.
                    _ = self.stopping.changed() => {}
                }
            };
            if timeout_at(until, comes).await.is_err() {
                let alive = match self.is_page {
                    true => self.watching.alive(),
                    false => Bytes::from_static(b": here\n\n"),
                };
                return Some((Ok(alive), self));
            }
        }
    }
}

/// From where on somebody wants to be told.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Since {
    after: Option<String>,
    player: Option<PlayerNumber>,
    /// Whether a page asks.
    page: Option<String>,
}

/// Returns after which event a stream goes on, as a browser says it that comes back, or else its page.
///
/// # Errors
/// Where that is no number of an event.
pub fn after_of(last: Option<&[u8]>, page: Option<&str>) -> Result<Option<u64>, VerbError> {
    let said = last.filter(|last| !last.is_empty()).or(page.map(str::as_bytes));
    let Some(said) = said else { return Ok(None) };
    let text =
        std::str::from_utf8(said).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
    let seq = text.and_then(|text| text.parse().ok());
    let wrong = || bad_request("a stream goes on after an event: its number, as `id` has it");
    seq.map(Some).ok_or_else(wrong)
}

/// Tells what happens in a tournament as it happens.
///
/// # Errors
/// Where there is no such tournament, or it is not said after which event.
pub async fn stream(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(since): Query<Since>,
    who: Who,
    ends: Option<Extension<Ends>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let ends = ends.map(|Extension(ends)| ends);
    let (shared, caller) = (Arc::clone(&state), headers.clone());
    let viewer = move |state: &State, stream| {
        let role = who.role_in(stream);
        state.second.leads_on(role)?;
        Ok(Viewer::of(role))
    };
    begun(state, id, &since, &headers, viewer, move |stream, viewer| {
        Who::of(&shared, &caller, ends).is_ok_and(|who| Viewer::of(who.role_in(stream)) == viewer)
    })
    .await
}

/// Tells a player what concerns them as it happens.
///
/// # Errors
/// Where they are none on this device.
pub async fn own_stream(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(since): Query<Since>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (shared, caller, asks) = (Arc::clone(&state), headers.clone(), headers.clone());
    let (player, still) = (since.player, since.player);
    let viewer = move |state: &State, stream| {
        Ok(Viewer::Player(Holder::of(state, stream, &asks, player)?.player))
    };
    begun(state, id, &since, &headers, viewer, move |stream, _| {
        Holder::of(&shared, stream, &caller, still).is_ok()
    })
    .await
}

/// Begins a stream for whoever `viewer` says; it ends where `may_still` says no.
async fn begun(
    state: Arc<State>,
    id: String,
    since: &Since,
    headers: &HeaderMap,
    viewer: impl FnOnce(&State, StreamId) -> Result<Viewer, VerbError> + Send + 'static,
    may_still: impl Fn(StreamId, Viewer) -> bool + Send + Sync + 'static,
) -> Result<Response, Refusal> {
    let last = headers.get("last-event-id").map(HeaderValue::as_bytes);
    let begins = if last.is_some_and(|last| !last.is_empty()) { "resumed" } else { "new" };
    let after = after_of(last, since.after.as_deref())?;
    let shared = Arc::clone(&state);
    let begun = state.read(move |store| {
        let stream = find(store, &id)?;
        let viewer = viewer(&shared, stream)?;
        if !viewer.is_staff() {
            check_there(store, stream)?;
        }
        let watching = shared.live.watch(store, stream, after, viewer)?;
        // Read once it is watched: what is done from here on is told.
        let stands = shared.floor(stream)?;
        let round = shared.horizons.round_out(store, stream)?;
        let floor = match viewer.is_staff() {
            true => floor::for_staff(&stands, round, floor::now()),
            false => floor::open(&stands, round, floor::now()),
        };
        Ok((watching, encoded(None, "floor", &floor), (stream, viewer)))
    });
    let is_page = since.page.is_some();
    let kinds = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    let is_led = |error: &VerbError| {
        is_page && error.code.word == "desk-is-elsewhere" && state.second.desk_heard().is_some()
    };
    let (watching, mut floor, (in_stream, viewer)) = match begun.await {
        // The page asks for itself again, and is led to the desk.
        Err(error) if is_led(&error) => {
            let led = format!("retry: {}\nevent: elsewhere\ndata: {{}}\n\n", retry());
            return Ok((kinds, led).into_response());
        }
        begun => begun?,
    };
    let ends_with_it = !viewer.is_staff();
    if is_page && viewer.is_staff() {
        let stands = json!({ "stands": state.second.stands() });
        floor = [floor, encoded(None, "second", &stands)].concat().into();
    }
    let stopping = state.stopping.clone();
    // Whoever is not of the staff is led to the laptop that became the desk; of everybody nothing else is asked.
    let shared = Arc::clone(&state);
    let may_still: Box<dyn Fn() -> bool + Send + Sync> = match viewer {
        Viewer::Everybody => Box::new(move || !shared.second.is_replaced()),
        _ => Box::new(move || may_still(in_stream, viewer)),
    };
    let (has_begun, is_over) = (false, false);
    state.counted.stream_begins(begins);
    let ending = Ending { state, how: "dropped" };
    let going = Going {
        watching,
        floor,
        stopping,
        may_still,
        ends_with_it,
        is_page,
        has_begun,
        is_over,
        ending,
    };
    Ok((kinds, Body::from_stream(stream::unfold(going, Going::next))).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_goes_on_after_a_number_and_after_nothing_else() {
        assert_eq!(after_of(None, None).expect("read"), None);
        assert_eq!(after_of(Some(b""), None).expect("read"), None);
        assert_eq!(after_of(Some(b"57"), Some("12")).expect("read"), Some(57));
        assert_eq!(after_of(None, Some("12")).expect("read"), Some(12));
        for wrong in [&b"-1"[..], b"+1", b"1 ", b"x", b"\xff", b"18446744073709551616"] {
            assert!(after_of(Some(wrong), None).is_err(), "{wrong:?}");
        }
    }
}

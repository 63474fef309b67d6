//! The stream of a tournament: server-sent events that go on where they broke off.

use crate::gate::Need;
use crate::live::{Frame, Subscription};
use crate::orders_api::find;
use crate::problem::Refusal;
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::watch;

/// How often a comment says that the stream is alive.
const ALIVE: Duration = Duration::from_secs(15);
/// After how long a browser comes back, in milliseconds: different for each, so that not all of them
/// come at once.
const RETRY: (u64, u64) = (2_000, 5_000);

/// A stream on its way.
struct Going {
    waiting: VecDeque<Event>,
    coming: Receiver<Frame>,
    stopping: watch::Receiver<bool>,
    sees_drafts: bool,
    is_over: bool,
}

fn event(frame: &Frame) -> Event {
    Event::default().id(frame.id.to_string()).event(frame.name).data(&frame.data)
}

fn retry() -> Duration {
    let mut bytes = [0; 2];
    // Without random bytes they come together, which is no harm.
    let _ = getrandom::fill(&mut bytes);
    let (least, most) = RETRY;
    Duration::from_millis(least + u64::from(u16::from_le_bytes(bytes)) % (most - least))
}

impl Going {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Going)> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some((Ok(event), self));
            }
            if self.is_over {
                return None;
            }
            tokio::select! {
                stopped = self.stopping.wait_for(|stops| *stops) => {
                    drop(stopped);
                    self.is_over = true;
                    self.waiting.push_back(Event::default().event("bye").data("{}").retry(retry()));
                }
                frame = self.coming.recv() => match frame {
                    Ok(frame) if frame.is_public || self.sees_drafts => {
                        self.waiting.push_back(event(&frame));
                    }
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => {
                        self.is_over = true;
                        self.waiting.push_back(Event::default().event("behind").data("{}"));
                    }
                    Err(RecvError::Closed) => self.is_over = true,
                },
            }
        }
    }
}

/// Tells what happens in a tournament as it happens.
///
/// # Errors
/// Where there is no such tournament.
pub async fn stream(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let after = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let shared = Arc::clone(&state);
    let begun = state.read(move |store| {
        let stream = find(store, &id)?;
        let sees_drafts = Need::Drafts.admits(who.role_in(stream));
        Ok((shared.live.subscribe(store, stream, after)?, sees_drafts))
    });
    let (Subscription { missed, coming }, sees_drafts) = begun.await?;
    let mut waiting = VecDeque::from([Event::default().retry(retry()).comment("here")]);
    match &missed {
        Some(missed) => {
            let shown = missed.iter().filter(|frame| frame.is_public || sees_drafts);
            waiting.extend(shown.map(event));
        }
        None => waiting.push_back(Event::default().event("behind").data("{}")),
    }
    let (stopping, is_over) = (state.stopping.clone(), missed.is_none());
    let going = Going { waiting, coming, stopping, sees_drafts, is_over };
    let mut response = Sse::new(stream::unfold(going, Going::next))
        .keep_alive(KeepAlive::new().interval(ALIVE).text("here"))
        .into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

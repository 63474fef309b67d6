//! The log in sentences, page by page; or line by line (NDJSON), all of it behind an event and for so many seconds
//! what comes.

use crate::api::{Lines, MOST_SECONDS, wait_behind};
use crate::gate::Need;
use crate::kept::{LINES, takes_lines};
use crate::live::Viewer;
use crate::problem::Refusal;
use crate::reading::{Asking, Reading, read_in, reading};
use crate::state::State;
use crate::who::Who;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, TryStreamExt, future, stream};
use scrutineer_desk::answers::LogLine;
use scrutineer_desk::told::Told;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How many lines of a log are answered at once.
const MOST_LINES: usize = 1_000;
/// How long after a reading the next one begins, where it waits for what comes.
const PAUSE: Duration = Duration::from_millis(250);

/// What somebody hears of who waits: everything, or what everybody does.
fn viewer_of(who: &Who) -> impl FnOnce(StreamId) -> Viewer + Send + use<> {
    let who = who.clone();
    move |stream| Viewer::of(who.role_in(stream))
}

/// Gives the log in sentences.
///
/// # Errors
/// Where it cannot be read.
pub async fn log(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if takes_lines(&headers) {
        return given(state, id, asking, who).await;
    }
    if let Some(wait) = asking.wait {
        let behind = (asking.after.unwrap_or(0), Duration::from_secs(wait));
        wait_behind(&state, &id, behind, viewer_of(&who)).await?;
    }
    reading(&state, who, headers, id, Need::Published, move |at| {
        let page = lines_in(at, &asking)?;
        let mut given = at.tagged(Lines { log: page.lines });
        given.next = page.is_more.then(|| at.next_page("log", &asking, page.seen));
        Ok(given)
    })
    .await
}

/// A page of a log.
struct LogPage {
    lines: Vec<LogLine>,
    /// The last event that was looked at for it.
    seen: u64,
    /// Whether more lines follow.
    is_more: bool,
}

/// The lines that are asked for, so many of them as a page has.
///
/// # Errors
/// Where the log cannot be read, or something is asked for that it does not have.
fn lines_in(at: &Reading<'_>, asking: &Asking) -> Result<LogPage, VerbError> {
    let event = at.store.load(at.stream, true)?;
    let (log, after) = (Told::of(&event, at.store.left_out(&event)), asking.after.unwrap_or(0));
    let asked = asking.filter();
    log.check(&asked)?;
    let rows = event.log.iter().filter(|(header, _)| header.seq > after);
    let rows = rows.filter(|row| log.is_asked(row, &asked)).take(MOST_LINES + 1);
    let mut lines: Vec<LogLine> = rows.map(|row| log.line(row)).collect();
    let is_more = lines.len() > MOST_LINES;
    lines.truncate(MOST_LINES);
    let last = match is_more {
        true => lines.last().map(|line| line.seq),
        false => event.log.last().map(|(header, _)| header.seq),
    };
    Ok(LogPage { lines, seen: last.unwrap_or(0).max(after), is_more })
}

/// A log on its way.
struct Going {
    state: Arc<State>,
    id: String,
    /// What is asked for, behind what was read already.
    asking: Asking,
    who: Who,
    /// Until when it waits for what comes.
    until: Instant,
    read: Instant,
    is_more: bool,
}

impl Going {
    /// The lines of the next page; empty: nothing that is asked for came.
    async fn page(&mut self) -> Result<Bytes, Refusal> {
        let (state, id) = (Arc::clone(&self.state), self.id.clone());
        let (asking, who) = (self.asking.clone(), self.who.clone());
        let read = self.state.read(move |store| {
            read_in(&state, store, &who, &id, Need::Published, |at| {
                let page = lines_in(at, &asking)?;
                let line = |line: &LogLine| serde_json::to_string(line).map(|text| text + "\n");
                let text = page.lines.iter().map(line).collect::<Result<String, _>>();
                Ok((text.unwrap_or_default(), page.seen, page.is_more))
            })
        });
        let (text, seen, is_more) = read.await?;
        self.read = Instant::now();
        self.asking.after = Some(seen);
        self.is_more = is_more;
        Ok(text.into())
    }

    /// The lines that come next, and what follows them.
    async fn next(mut self) -> Result<Option<(Bytes, Going)>, Refusal> {
        loop {
            if !self.is_more {
                let left = self.until.saturating_duration_since(Instant::now());
                if left.is_zero() || *self.state.stopping.borrow() {
                    return Ok(None);
                }
                let behind = self.asking.after.unwrap_or(0);
                let viewer = viewer_of(&self.who);
                wait_behind(&self.state, &self.id, (behind, left), viewer).await?;
                sleep_until(self.read + PAUSE).await;
            }
            let lines = self.page().await?;
            if !lines.is_empty() {
                return Ok(Some((lines, self)));
            }
        }
    }
}

/// Gives the log line by line. Each page of it is read as far as its reader may know it by then.
///
/// # Errors
/// Where it cannot be read.
async fn given(
    state: Arc<State>,
    id: String,
    asking: Asking,
    who: Who,
) -> Result<Response, Refusal> {
    let waits = Duration::from_secs(asking.wait.unwrap_or(0).min(MOST_SECONDS));
    let (read, is_more) = (Instant::now(), false);
    let mut going = Going { state, id, asking, who, until: read + waits, read, is_more };
    // What is refused is refused before the first line.
    let first = going.page().await?;
    let rest = stream::try_unfold(going, Going::next);
    // Whoever reads finds it cut off where it cannot be read on.
    let rest = rest.map_err(|refusal| std::io::Error::other(refusal.error.message));
    let lines = stream::once(future::ok(first)).chain(rest);
    let kinds = [
        (header::CONTENT_TYPE, LINES),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "accept"),
    ];
    Ok((kinds, Body::from_stream(lines)).into_response())
}

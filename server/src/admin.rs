//! What those who run the server ask: is it alive, is it ready, what does it count. It is answered at
//! an address of its own, which is this machine's alone.

use crate::state::{State, apart};
use axum::Router;
use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long an order is at its turn before the server is not ready.
const IN_TURN: Duration = Duration::from_secs(1);
/// How much of the disk is free where it is ready.
pub const FREE_BYTES: u64 = 64 << 20;

/// Listens for those who run the server.
///
/// # Errors
/// Where the address is another machine's to reach, or is taken.
pub async fn listen(at: SocketAddr) -> Result<TcpListener, VerbError> {
    if !at.ip().is_loopback() {
        let message = format!("{at} can be reached from other machines");
        let hint = "what the server says of itself is for this one: --admin 127.0.0.1:7781";
        return Err(VerbError::new(Code::invalid("admin-is-local"), message, hint));
    }
    TcpListener::bind(at).await.map_err(|error| {
        let message = format!("cannot listen at {at}: {error}");
        let hint = "name another address with --admin 127.0.0.1:7791";
        VerbError::new(Code::io("server-not-started"), message, hint)
    })
}

/// Listens for load balancers, which may be other machines.
///
/// # Errors
/// Where the address is taken.
pub async fn listen_for_balancers(at: SocketAddr) -> Result<TcpListener, VerbError> {
    TcpListener::bind(at).await.map_err(|error| {
        let message = format!("cannot listen at {at}: {error}");
        let hint = "name another address with --health 0.0.0.0:7792";
        VerbError::new(Code::io("server-not-started"), message, hint)
    })
}

/// Answers until the server stops.
pub async fn serve(listener: TcpListener, routes: Router, mut stopping: watch::Receiver<bool>) {
    let ends = async move { _ = stopping.wait_for(|stops| *stops).await };
    let served = axum::serve(listener, routes);
    // Where it ends early, nobody learns of it here: health is asked for in vain.
    let _ = served.with_graceful_shutdown(ends).await;
}

/// What is answered there.
pub fn routes(state: Arc<State>) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(state)
}

/// What is answered to load balancers: whether this server is to be given anything, and no reason, which may name
/// a tournament or the database.
pub fn routes_for_balancers(state: Arc<State>) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready_or_not))
        .with_state(state)
}

async fn ready_or_not(Shared(state): Shared<Arc<State>>) -> Response {
    match unready(&state).await {
        None => "ready\n".into_response(),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response(),
    }
}

/// As many as are counted.
fn number(events: u64) -> usize {
    usize::try_from(events).unwrap_or(usize::MAX)
}

async fn metrics(Shared(state): Shared<Arc<State>>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let (connections, at_desk) = state.places.count();
    let (waiting, longest) = state.waiting();
    let shared = Arc::clone(&state);
    let looked = state.read(move |store| {
        let lag = shared.live.lag(store).unwrap_or_default();
        Ok((store.forked(), lag))
    });
    let (forked, lag) = looked.await.unwrap_or_default();
    let now = [
        ("connections", "open connections", connections),
        ("desk_connections", "those of them that work at the desk", at_desk),
        ("streams", "those who watch a tournament", state.live.count()),
        (
            "horizon_behind",
            "most events of a watched tournament that everybody does not know yet",
            number(lag.not_public),
        ),
        (
            "tournaments_held_back",
            "watched tournaments of which something is not public: a draft, hidden standings",
            lag.held_back,
        ),
        (
            "streams_behind",
            "most events of a watched tournament that no stream was told yet",
            number(lag.not_told),
        ),
        ("orders_waiting", "orders that wait for their turn", waiting),
        ("longest_queue", "most of them in one tournament", longest),
        (
            "forked_tournaments",
            "tournaments of which the database is not the one that was seen",
            forked,
        ),
        (
            "second_laptop_behind",
            "changes that the second laptop has not got yet",
            number(state.second.behind()),
        ),
        (
            "tournaments_not_pushed",
            "tournaments of which the public server has not got all that is public",
            state.pushing.told().not_pushed,
        ),
        (
            "webhooks_paused",
            "webhooks to which nothing is delivered",
            state.house.paused_webhooks(),
        ),
    ];
    let pages = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let counted = [
        ("pages_kept", "pages that were answered as they were kept", pages(&state.pages.answered)),
        ("pages_made", "pages that were made", pages(&state.pages.made)),
    ];
    ([(header::CONTENT_TYPE, kind)], state.counted.written(&now, &counted)).into_response()
}

/// Says whether the server can take orders, or else what is in the way.
async fn ready(Shared(state): Shared<Arc<State>>) -> Response {
    match unready(&state).await {
        None => "ready\n".into_response(),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

async fn unready(state: &Arc<State>) -> Option<String> {
    if *state.stopping.borrow() {
        return Some("the server stops".into());
    }
    if let Err(error) = state.second.may_record() {
        return Some(error.message);
    }
    if let Some(trouble) = state.trouble() {
        return Some(trouble);
    }
    if let Err(error) = state.read(|_| Ok(())).await {
        return Some(format!("the store is not there: {}", error.message));
    }
    if let Some(stuck) = state.stuck(IN_TURN).await {
        return Some(format!("an order of {stuck} takes longer than {IN_TURN:?}"));
    }
    let folder = state.setup.folder.clone()?;
    let looked = apart(move || look_at(&folder)).await;
    looked.unwrap_or_else(|error| Err(error.message)).err()
}

/// Looks whether a folder can be written, and whether there is room.
fn look_at(folder: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(folder).map_err(|error| format!("the disk: {error}"))?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < FREE_BYTES {
            return Err(format!("{} MB are free on the disk", free >> 20));
        }
    }
    let file = folder.join("ready");
    let removed = || match std::fs::remove_file(&file) {
        // Somebody else looks at the same time, and has removed it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    };
    let written = std::fs::write(&file, b"ready\n").and_then(|()| removed());
    written.map_err(|error| format!("the store cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_written_is_not_ready() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(look_at(folder.path()), Ok(()));
        assert!(std::fs::read_dir(folder.path()).expect("read").next().is_none());
        assert!(look_at(&folder.path().join("gone")).is_err());
    }

    #[test]
    fn a_folder_that_many_look_at_at_once_is_ready_for_each_of_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let look = || (0..300).all(|_| look_at(folder.path()) == Ok(()));
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|_| scope.spawn(look)).collect();
            assert!(all.into_iter().all(|one| one.join().expect("it ends")));
        });
    }
}

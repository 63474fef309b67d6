//! What phones send to a public server lies there until the venue has fetched it and its desk has
//! recorded it, under an id of its own: the desk alone decides.

use super::REFUSED;
use crate::elsewhere::Elsewhere;
use crate::gate::{Need, not_allowed};
use crate::house::{Waiting, Whereabouts, coded};
use crate::player_acts;
use crate::problem::{Refusal, bad_request};
use crate::state::State;
use crate::who::Who;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use scrutineer_desk::store::{Followed, Store};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_engine::record::StreamId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// How long the venue waits for something to come, and how often that is looked for.
const WAIT: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long it is left alone after a failure.
const PAUSE: Duration = Duration::from_secs(5);

/// What waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Inbox {
    waiting: Vec<Waiting>,
}

/// Keeps where something is by now, and has the phone that sent it say so.
fn move_on(
    state: &State,
    stream: StreamId,
    id: &str,
    is: Whereabouts,
    why: &str,
) -> Result<(), VerbError> {
    if let Some(player) = state.house.moved_on(stream, id, is, why)? {
        state.live.tell_player(stream, player);
    }
    Ok(())
}

/// What became of something.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Became {
    tournament: StreamId,
    id: String,
    is: Whereabouts,
    #[serde(default)]
    why: String,
}

/// Returns the source of the copies that are pushed under a token, by its name. One of before may have none: each of
/// these is a venue of its own, by the token's id, and what it pushed before has an older source, which all of them had.
pub fn sources(name: Option<&str>, id: &str) -> (String, Option<String>) {
    match name {
        Some(name) => (Followed::pushed_by(name), None),
        None => {
            let older = Followed::pushed_by("its venue");
            (Followed::pushed_by(&format!("venue {id}")), Some(older))
        }
    }
}

fn sources_of(who: &Who) -> (String, Option<String>) {
    sources(who.name.as_deref(), who.grant_id().unwrap_or_default())
}

/// Returns the source of what somebody pushes now.
pub fn called(who: &Who) -> String {
    sources_of(who).0
}

/// Notes that a venue is heard, whose copies may have either source.
pub fn hear(state: &State, who: &Who) {
    let (source, older) = sources_of(who);
    state.venues.hear(&source);
    older.iter().for_each(|older| state.venues.hear(older));
}

/// Returns whether a tournament is pushed here by this venue; none: it is no copy, or not yet.
fn is_theirs(store: &Store, stream: StreamId, who: &Who) -> Result<Option<bool>, VerbError> {
    let (known, (source, older)) = (store.followed(stream)?, sources_of(who));
    Ok(known.map(|known| known.from == source || Some(known.from) == older))
}

/// Refuses a venue where another one pushes the tournament: who has a token of this server can fetch what
/// is public elsewhere, and is to have neither its phones' reports nor its word.
///
/// # Errors
/// `not-allowed` with who may.
pub fn check_theirs(store: &Store, stream: StreamId, who: &Who) -> Result<(), VerbError> {
    match is_theirs(store, stream, who)? {
        Some(false) => Err(not_allowed(who.role, "the venue that pushes this tournament may")),
        _ => Ok(()),
    }
}

/// Gives what waits for a venue, once there is something, or after a while.
///
/// # Errors
/// Where it is no venue that asks.
pub async fn list(Shared(state): Shared<Arc<State>>, who: Who) -> Result<Response, Refusal> {
    who.check(Need::Venue)?;
    // A venue where nothing happens is there all the same.
    hear(&state, &who);
    let begun = tokio::time::Instant::now();
    let mut stopping = state.stopping.clone();
    loop {
        let (shared, caller) = (Arc::clone(&state), who.clone());
        let waiting = state.read(move |store| {
            let is_own = |id: &str| {
                let Ok(stream) = id.parse::<StreamId>() else { return false };
                caller.check_in(Need::Venue, stream).is_ok()
                    && is_theirs(store, stream, &caller).is_ok_and(|is| is == Some(true))
            };
            let waiting = shared.house.waiting(is_own);
            for one in &waiting {
                let stream = one.tournament.parse().map_err(|_| bad_request("no tournament"))?;
                move_on(&shared, stream, &one.id, Whereabouts::AtTheDesk, "")?;
            }
            Ok(waiting)
        });
        let waiting = waiting.await?;
        if !waiting.is_empty() || begun.elapsed() >= WAIT || *stopping.borrow_and_update() {
            return Ok(Json(Inbox { waiting }).into_response());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Takes what became of something.
///
/// # Errors
/// Where it is no venue that says so.
pub async fn settle(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Venue)?;
    let Became { tournament, id, is, why } = serde_json::from_slice(&body)
        .map_err(|error| bad_request(format!("this says not what became of it: {error}")))?;
    who.check_in(Need::Venue, tournament)?;
    let shared = Arc::clone(&state);
    let kept = state.read(move |store| {
        check_theirs(store, tournament, &who)?;
        move_on(&shared, tournament, &id, is, &why)
    });
    kept.await?;
    Ok(Json(serde_json::json!({ "is": is })).into_response())
}

/// Fetches what waits, has it done, and says what became of it, until the server stops.
pub async fn attend(state: Arc<State>, to: Elsewhere) {
    let mut stopping = state.stopping.clone();
    loop {
        let done = tokio::select! {
            done = fetch(&state, &to) => done,
            _ = stopping.wait_for(|stops| *stops) => return,
        };
        match done {
            Err(error) if error.code.kind == ErrorKind::SignIn => {
                tokio::time::sleep(REFUSED).await;
            }
            Ok(()) if state.second.is_desk() => {}
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn fetch(state: &Arc<State>, to: &Elsewhere) -> Result<(), VerbError> {
    let bytes = to.ask("GET", "/follow/inbox", Vec::new(), WAIT.as_secs()).await?;
    let not_read = |error: serde_json::Error| {
        let message = format!("{} gave no inbox: {error}", to.base());
        VerbError::new(
            Code::damaged("copy-not-taken"),
            message,
            "look whether both run one version",
        )
    };
    let Inbox { waiting } = serde_json::from_slice(&bytes).map_err(not_read)?;
    for one in waiting {
        let Ok(tournament) = one.tournament.parse::<StreamId>() else { continue };
        let id = one.id.clone();
        let done = state.act(tournament, move |state, store| {
            player_acts::from_elsewhere(state, store, tournament, &one)
        });
        let (is, why) = match done.await {
            Ok(()) => (Whereabouts::Recorded, String::new()),
            Err(error) if matches!(error.code.kind, ErrorKind::Busy | ErrorKind::SlowDown) => {
                continue;
            }
            // What is for a tournament of another venue is left to that one.
            Err(error) if error.code.word == "unknown-tournament" => continue,
            Err(error) => (Whereabouts::Refused, coded(error.code.word, &error.message)),
        };
        let became = Became { tournament, id, is, why };
        to.ask("POST", "/follow/inbox", serde_json::to_vec(&became).unwrap_or_default(), 0).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::kit::enrolled;
    use std::net::Ipv4Addr;

    /// An upgrade refused a venue whose token has no name what it had pushed before.
    #[test]
    fn a_venue_without_a_name_goes_on_with_what_it_pushed_before_and_with_no_other() {
        let hall = enrolled();
        let nameless = Who::nobody(Ipv4Addr::LOCALHOST.into());
        let mut named = nameless.clone();
        named.name = Some("Harbour".into());
        for (from, may) in [
            ("its venue", [true, false]),
            ("venue ", [true, false]),
            ("venue another", [false, false]),
            ("Harbour", [false, true]),
        ] {
            let followed = Followed { from: Followed::pushed_by(from), ..Followed::default() };
            hall.store.keep_followed(hall.stream, &followed).expect("kept");
            for (who, may) in [&nameless, &named].into_iter().zip(may) {
                let theirs = check_theirs(&hall.store, hall.stream, who);
                assert_eq!(theirs.is_ok(), may, "{from}: {:?}", who.name);
            }
        }
    }
}

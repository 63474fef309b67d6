//! A tournament as everybody knows that it stood at an event, with numbers and no names: what is answered never
//! changes, and may be kept for good, unless the log was rewritten, which it says.

use crate::api::{explained_in, round_in, table_in};
use crate::gate::Need;
use crate::horizon::check_there;
use crate::kept::FOR_GOOD;
use crate::orders_api::find;
use crate::problem::{Refusal, bad_request};
use crate::proofs::bracket_in;
use crate::reading::{Answer, Asking, Reading, json_response, tell_rewritten};
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use scrutineer_desk::answers::TournamentName;
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::log::Head;
use scrutineer_engine::record::StreamId;
use std::sync::Arc;

/// How many digits of a hash say which one it is, as in an ETag.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=64;

/// The number of an event and the digits of its hash: `57-9f3a1c04`.
fn parts(typed: &str) -> Option<(u64, &str)> {
    let (seq, hash) = typed.split_once('-')?;
    let is_hash = DIGITS.contains(&hash.len())
        && hash.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit));
    let seq = seq.parse().ok().filter(|seq| *seq > 0 && !typed.starts_with('+'))?;
    is_hash.then_some((seq, hash))
}

/// The head that somebody names, where everybody may know it.
fn head_of(state: &State, store: &Store, stream: StreamId, typed: &str) -> Result<Head, VerbError> {
    let (seq, hash) = parts(typed).ok_or_else(|| {
        bad_request("name the number of an event and eight or more digits of its hash: 57-9f3a1c04")
    })?;
    let public = state.horizons.of(store, stream)?;
    let read = match seq <= public.seq {
        true => store.log().read(stream, seq - 1).next().transpose().map_err(StoreError::from)?,
        false => None,
    };
    let head = read.map(|record| Head { seq: record.header().seq, hash: record.hash() });
    head.filter(|head| head.seq == seq && head.hash.to_string().starts_with(hash)).ok_or_else(
        || {
            let message =
                format!("everybody knows of no event {seq} whose hash begins with {hash}");
            let hint = "standings have it as `log_head`, and a tournament as `seq` and `hash`";
            VerbError::new(Code::not_found("no-such-event"), message, hint)
        },
    )
}

/// What is read, boxed: so the program has what reads once, and not once for each answer.
type Read = Box<dyn FnOnce(&Reading<'_>) -> Answer + Send>;

/// Reads as everybody, whoever asks: what is kept in between is given to others.
async fn read_at(
    state: Arc<State>,
    who: Who,
    headers: HeaderMap,
    (id, typed): (String, String),
    read: Read,
) -> Result<Response, Refusal> {
    let shared = Arc::clone(&state);
    let everybody = Who::nobody(who.address);
    let reader = everybody.clone();
    let given = state.read_long(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Anyone, stream)?;
        let is_staff = Need::Staff.admits(who.role_in(stream));
        if !is_staff {
            check_there(store, stream)?;
        }
        let head = head_of(&shared, store, stream, &typed)?;
        let past = store.numbers_at(stream, head);
        let mut given = read(&Reading::of(&shared, &past, stream, &reader)?)?;
        // It has no title either.
        if let Some(name) = given.json.get_mut("tournament") {
            *name = serde_json::to_value(TournamentName::untitled(stream)).unwrap_or_default();
        }
        let is_rewritten = tell_rewritten(store, stream, &mut given.json)?;
        Ok((given, is_rewritten, is_staff && store.is_removed(stream)?))
    });
    let (given, is_rewritten, is_removed) = given.await?;
    let mut response = json_response(&headers, &everybody, given);
    let is_given = matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED);
    let caching = match is_removed {
        // The staff alone are given it.
        true => Some("private, no-cache"),
        false => (is_given && !is_rewritten).then_some(FOR_GOOD),
    };
    if let Some(caching) = caching {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    }
    Ok(response)
}

/// Refuses what would be answered otherwise one day.
fn check(asking: &Asking) -> Result<(), VerbError> {
    match asking.as_of.is_some() || asking.rules.is_some() {
        true => Err(bad_request("at an event there is no as-of, and no other rules than its own")),
        false => Ok(()),
    }
}

/// Gives the standings as they stood at an event.
///
/// # Errors
/// Where everybody knows of no such event.
pub async fn table(
    Shared(state): Shared<Arc<State>>,
    Path((id, head)): Path<(String, String)>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    check(&asking)?;
    let list = format!("at/{head}/standings");
    let read: Read = Box::new(move |at| table_in(at, &asking, &list));
    read_at(state, who, headers, (id, head), read).await
}

/// Says why a player stood where they stood at an event.
///
/// # Errors
/// Where everybody knows of no such event, or they take no place.
pub async fn explanation(
    Shared(state): Shared<Arc<State>>,
    Path((id, head, player)): Path<(String, String, u32)>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    check(&asking)?;
    let read: Read = Box::new(move |at| explained_in(at, player, &asking));
    read_at(state, who, headers, (id, head), read).await
}

/// Gives a round as it stood at an event.
///
/// # Errors
/// Where everybody knows of no such event, or the round was not out.
pub async fn round(
    Shared(state): Shared<Arc<State>>,
    Path((id, head, number)): Path<(String, String, u16)>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    read_at(state, who, headers, (id, head), Box::new(move |at| round_in(at, number))).await
}

/// Gives the brackets as they stood at an event.
///
/// # Errors
/// Where everybody knows of no such event, or the last round was not out.
pub async fn bracket(
    Shared(state): Shared<Arc<State>>,
    Path((id, head)): Path<(String, String)>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    read_at(state, who, headers, (id, head), Box::new(bracket_in)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_the_number_of_an_event_and_enough_of_its_hash() {
        assert_eq!(parts("57-9f3a1c04"), Some((57, "9f3a1c04")));
        let whole = format!("57-{}", "9f3a1c04".repeat(8));
        assert_eq!(parts(&whole), Some((57, &whole[3..])));
        for wrong in [
            "57",
            "57-",
            "57-9f3a1c0",
            "0-9f3a1c04",
            "+7-9f3a1c04",
            "57-9F3A1C04",
            "57-9f3a1c04-9f3a1c04",
            "x-9f3a1c04",
        ] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
        assert_eq!(parts(&format!("{whole}0")), None);
    }
}

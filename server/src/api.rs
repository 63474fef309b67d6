//! What programs read: the answers of the desk as JSON.

use crate::gate::{Need, Role, not_allowed};
use crate::live::{head_json, is_out, state_of, tag, tag_of};
use crate::orders_api::find;
use crate::problem::{Refusal, bad_request};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::answers::{
    Dated, ExplainAnswer, LogLine, StandingsAnswer, TournamentListed, TournamentName,
};
use scrutineer_desk::desk::Asked;
use scrutineer_desk::looking::{Table, explained, standings};
use scrutineer_desk::orders::{self, AtDesk, ListedBy, Order, Told, When};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::staff::Staff;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// How many lines of a log are answered at once.
const MOST_LINES: usize = 1_000;

/// What a reading is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Asking {
    /// Only what had been recorded by then.
    #[serde(rename = "as-of")]
    as_of: Option<String>,
    /// Only the rounds up to this one.
    through: Option<u16>,
    /// Under this ruleset, by its id.
    rules: Option<String>,
    /// Beside this player.
    against: Option<u32>,
    /// What comes behind this one.
    after: Option<u64>,
    /// Only what is open.
    #[serde(default)]
    open: bool,
    /// A cut to so many.
    cut: Option<u32>,
}

/// An answer, and the head that it was made from.
type Answer = Result<(Value, Option<String>), VerbError>;

fn json_response(headers: &HeaderMap, who: &Who, answer: (Value, Option<String>)) -> Response {
    let (json, tag) = answer;
    let etag = tag.map(|tag| format!("\"{tag}\""));
    let asked = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = match etag.as_deref().is_some_and(|etag| asked == Some(etag)) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => format!("{json}\n").into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let caching = match who.role {
        Role::Public => "public, max-age=2",
        _ => "private, no-cache",
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(&etag).ok()) {
        headers.insert(header::ETAG, etag);
    }
    response
}

/// Reads in a tournament, where its reader may.
async fn reading(
    state: &Arc<State>,
    who: Who,
    headers: HeaderMap,
    id: String,
    need: Need,
    read: impl FnOnce(&Reading<'_>) -> Answer + Send + 'static,
) -> Result<Response, Refusal> {
    let (shared, caller) = (Arc::clone(state), who.clone());
    let answer = state.read(move |store| {
        if need != Need::Anyone {
            who.check(need)?;
        }
        let stream = find(store, &id)?;
        who.check_in(need, stream)?;
        read(&Reading { state: &shared, store, stream, who: &who })
    });
    Ok(json_response(&headers, &caller, answer.await?))
}

/// A tournament, and who reads in it.
struct Reading<'a> {
    state: &'a State,
    store: &'a Store,
    stream: StreamId,
    who: &'a Who,
}

impl Reading<'_> {
    /// Whether drafts are shown.
    fn sees_drafts(&self) -> bool {
        Need::Drafts.admits(self.who.role_in(self.stream))
    }

    fn at_desk(&self, ask: impl FnOnce(&AtDesk<'_>) -> Result<Told, VerbError>) -> Answer {
        let asker = self.who.asker(self.state);
        let (told, notes) =
            orders::at_stream(&asker, self.store, self.stream, Asked::default(), |at| {
                Ok((ask(at)?, at.tournament()))
            });
        let (mut told, tournament) = told?;
        told.notes.extend(notes);
        self.tagged(told.answer(tournament))
    }

    fn tagged(&self, answer: impl Serialize) -> Answer {
        let json = serde_json::to_value(answer).unwrap_or_default();
        Ok((json, Some(tag_of(self.store, self.stream)?)))
    }

    fn table(&self, asking: &Asking) -> Result<Table, VerbError> {
        check_rules(self.who.role_in(self.stream), asking.rules.as_deref())?;
        let (as_of, _) = orders::moment(self.store, self.stream, asking.as_of.as_deref())?;
        let mut table = standings(
            self.store,
            self.stream,
            &When { as_of, through: asking.through },
            asking.rules.as_deref(),
        )?;
        // A bye that was only drafted would show in the standings.
        let state = &table.event.state;
        let hidden = state.last_round().filter(|last| !is_out(state, last)).map(|last| last.number);
        if let Some(last) =
            hidden.filter(|last| !self.sees_drafts() && table.standings.through >= *last)
        {
            table = table.through(last - 1)?;
        }
        Ok(table)
    }
}

/// Refuses changes of rules that the public makes up: rulesets that are shipped are looked at by
/// everybody.
///
/// # Errors
/// `not-allowed` with who may.
pub fn check_rules(role: Role, rules: Option<&str>) -> Result<(), VerbError> {
    match rules.filter(|rules| rules.contains('+')) {
        Some(_) if !Need::Staff.admits(role) => Err(not_allowed(
            role,
            "the staff of the tournament may change rulesets; name one by its id",
        )),
        _ => Ok(()),
    }
}

/// Lists the tournaments of the store.
///
/// # Errors
/// Where they cannot be read.
pub async fn tournaments(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let answer = state.read(|store| {
        let rows = store.listed()?.events.into_iter().map(|event| {
            let glance = store.glance(event.stream, None).ok();
            TournamentListed::of(&event, glance, None)
        });
        let rows: Vec<TournamentListed> = rows.collect();
        Ok((json!({ "tournaments": rows }), None))
    });
    Ok(json_response(&headers, &who, answer.await?))
}

/// Says where a tournament stands.
///
/// # Errors
/// Where it cannot be read.
pub async fn tournament(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, |at| {
        let (head, now) = at.store.handler().load(at.stream).map_err(StoreError::from)?;
        let glance = at.store.glance(at.stream, None)?;
        let hash = head.hash.to_string();
        let mut json = head_json(&now, &hash);
        if now.last_round().is_some_and(|last| !is_out(&now, last)) && !at.sees_drafts() {
            let last = now.last_round().map_or(0, |last| last.number - 1);
            json["round"] = last.into();
            json["missing"] = 0.into();
        }
        let asker = at.who.asker(at.state);
        let (told, _) = orders::at_stream(&asker, at.store, at.stream, Asked::default(), |desk| {
            Ok((desk.tournament(), orders::step(desk, &now).ok()))
        });
        let (tournament, next): (TournamentName, Option<String>) = told?;
        json["tournament"] = serde_json::to_value(tournament).unwrap_or_default();
        json["players"] = glance.players.into();
        json["state"] = glance.state.word().into();
        json["next"] = match Need::Staff.admits(at.who.role_in(at.stream)) {
            true => next.into(),
            false => Value::Null,
        };
        Ok((json, Some(tag(head.seq, &hash))))
    })
    .await
}

/// Lists the players.
///
/// # Errors
/// Where they cannot be read.
pub async fn players(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Staff, move |at| {
        let (as_of, _) = orders::moment(at.store, at.stream, asking.as_of.as_deref())?;
        let when = When { as_of, through: asking.through };
        at.at_desk(|desk| orders::players(desk, &when))
    })
    .await
}

/// Refuses a round that is a draft still.
///
/// # Errors
/// `no-such-round`, as where there is none.
pub fn check_out(store: &Store, stream: StreamId, round: Option<u16>) -> Result<(), VerbError> {
    let state = state_of(store, stream)?;
    let asked = match round {
        Some(number) => state.round(number),
        None => state.last_round(),
    };
    match asked.filter(|round| !is_out(&state, round)) {
        None => Ok(()),
        Some(draft) => Err(VerbError::new(
            Code::not_found("no-such-round"),
            format!("round {} is not published", draft.number),
            "its pairings are shown when they are published",
        )),
    }
}

/// Gives a round: tables, results, byes.
///
/// # Errors
/// Where there is none, or it is a draft still.
pub async fn round(
    Shared(state): Shared<Arc<State>>,
    Path((id, number)): Path<(String, u16)>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, move |at| {
        if !at.sees_drafts() {
            check_out(at.store, at.stream, Some(number))?;
        }
        at.at_desk(|desk| orders::pairings(desk, Some(number), ListedBy::Table, &When::default()))
    })
    .await
}

/// Gives the standings.
///
/// # Errors
/// Where they cannot be made.
pub async fn table(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, move |at| {
        let Table { event, standings, .. } = at.table(&asking)?;
        at.tagged(Dated::of(&event, StandingsAnswer::of(&event, &standings)))
    })
    .await
}

/// Says why a player stands where they stand.
///
/// # Errors
/// Where they take no place.
pub async fn explanation(
    Shared(state): Shared<Arc<State>>,
    Path((id, number)): Path<(String, u32)>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, move |at| {
        let Table { event, standings, .. } = at.table(&asking)?;
        let found = explained(&event, &standings, number, asking.against)?;
        at.tagged(Dated::of(&event, ExplainAnswer::of(&event, &standings, &found)))
    })
    .await
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
    reading(&state, who, headers, id, Need::Staff, move |at| {
        let event = at.store.load(at.stream, true)?;
        let (staff, after) = (Staff::of(&event), asking.after.unwrap_or(0));
        let rows = event.log.iter().filter(|(header, _)| header.seq > after).take(MOST_LINES);
        let lines: Vec<LogLine> = rows.map(|row| LogLine::of(&event, &staff, row)).collect();
        at.tagged(json!({ "log": lines }))
    })
    .await
}

/// Lists the disputes.
///
/// # Errors
/// Where they cannot be read.
pub async fn disputes(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Staff, move |at| {
        let (as_of, _) = orders::moment(at.store, at.stream, asking.as_of.as_deref())?;
        at.at_desk(|desk| orders::disputes(desk, asking.open, as_of))
    })
    .await
}

/// Gives all that a head judge needs for a dispute.
///
/// # Errors
/// Where there is no such dispute.
pub async fn dispute_file(
    Shared(state): Shared<Arc<State>>,
    Path((id, number)): Path<(String, u32)>,
    Query(asking): Query<Asking>,
    who: Who,
) -> Result<Response, Refusal> {
    let (shared, caller) = (Arc::clone(&state), who.clone());
    let answer = state.read_long(move |store| {
        who.check(Need::Drafts)?;
        let stream = find(store, &id)?;
        who.check_in(Need::Drafts, stream)?;
        let at = Reading { state: &shared, store, stream, who: &who };
        let (as_of, _) = orders::moment(store, stream, asking.as_of.as_deref())?;
        at.at_desk(|desk| orders::dispute_file(desk, number, as_of, asking.cut))
    });
    Ok(json_response(&HeaderMap::new(), &caller, answer.await?))
}

/// Says what orders would do; nothing is recorded.
///
/// # Errors
/// Which of them is refused.
pub async fn what_if(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Drafts)?;
    let unread = |error| bad_request(format!("these are no orders: {error}"));
    let body: Value = serde_json::from_slice(&body).map_err(unread)?;
    let tried: Vec<Order> = match body {
        Value::Array(_) => serde_json::from_value(body).map_err(unread)?,
        one => vec![serde_json::from_value(one).map_err(unread)?],
    };
    let (shared, caller) = (Arc::clone(&state), who.clone());
    let answer = state.read_long(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Drafts, stream)?;
        let asker = who.asker(&shared);
        let outcome = scrutineer_desk::looking::tried(&asker, store, stream, asking.cut, &tried)?;
        let mut json = serde_json::to_value(outcome.answer()).unwrap_or_default();
        json["recorded"] = false.into();
        Ok((json, Some(tag_of(store, stream)?)))
    });
    Ok(json_response(&HeaderMap::new(), &caller, answer.await?))
}

/// Gives the tournament in one file, with its names.
///
/// # Errors
/// Where it cannot be made.
pub async fn bundle(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let made = state.read_long(move |store| {
        let stream = find(store, &id)?;
        who.check_in(Need::Owner, stream)?;
        let mut bytes = Vec::new();
        scrutineer_desk::looking::bundle(store, stream, &mut bytes)?;
        Ok((bytes, stream))
    });
    let (bytes, stream) = made.await?;
    let name = format!("attachment; filename=\"{stream}.bundle\"");
    let kinds = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-store".to_string()),
    ];
    Ok((kinds, bytes).into_response())
}

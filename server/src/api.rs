//! What programs read: the answers of the desk as JSON.

use crate::editions::resolved;
use crate::exports::{Out, download};
use crate::gate::Need;
use crate::live::{Viewer, is_out, state_of, tag};
use crate::orders_api::{find, orders_of, tried_of};
use crate::pages::rules_of;
use crate::problem::{Refusal, bad_request};
use crate::reading::{
    Answer, Asking, Given, Reading, json_response, read_in, reading, reading_long,
};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::HeaderMap;
use axum::response::Response;
use scrutineer_desk::answers::{
    Dated, ExplainAnswer, LogLine, StandingsAnswer, StandingsRow, TournamentListed, TournamentName,
};
use scrutineer_desk::desk::Asked;
use scrutineer_desk::glance::TournamentState;
use scrutineer_desk::looking::{Table, division_of, explained, of_line};
use scrutineer_desk::orders::{self, ListedBy, Order, When};
use scrutineer_desk::store::{Listed, Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::RoundNumber;
use scrutineer_engine::record::StreamId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// How many rows of standings are answered at once.
const MOST_ROWS: usize = 500;
/// The list of the standings as they are.
const STANDINGS: &str = "standings";
/// How long a reader waits for something to happen, in seconds: less than a request takes.
pub(crate) const MOST_SECONDS: u64 = 25;

/// The tournaments of the store.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Tournaments {
    /// Each of them.
    pub tournaments: Vec<TournamentListed>,
    /// What is not read, such as a tournament of which a fork was seen: told to its staff alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<NotRead>,
}

/// A tournament that is in the store and not read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct NotRead {
    /// Its id.
    pub id: String,
    /// Why, as a code.
    pub code: String,
    /// The same in a sentence.
    pub message: String,
}

/// Where a tournament stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Stands {
    /// The last event of its log.
    pub seq: u64,
    /// The hash of that event's record.
    pub hash: String,
    /// The last round, as far as it is out; 0 before the first one.
    pub round: u16,
    /// How many of its results are missing.
    pub missing: u32,
    /// Whether the last round is out: it was published, or has a result.
    pub published: bool,
    /// Which tournament.
    pub tournament: TournamentName,
    /// How many players take part.
    pub players: u32,
    /// How far it is.
    pub state: String,
    /// The command that usually comes next; null for others than staff.
    pub next: Option<String>,
}

/// Lines of a log.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Lines {
    /// The oldest first, 1,000 at a time.
    pub log: Vec<LogLine>,
}

/// Which tournaments are listed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Which {
    state: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
}

/// Lists the tournaments of the store.
///
/// # Errors
/// Where they cannot be read.
pub async fn tournaments(
    Shared(state): Shared<Arc<State>>,
    Query(asked): Query<Which>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (shared, who_asks) = (Arc::clone(&state), who.clone());
    if let Some(word) = asked.state.as_deref()
        && TournamentState::ALL.iter().all(|state| state.word() != word)
    {
        return Err(bad_request("state is `enrolling`, `running`, `closed` or `imported`").into());
    }
    if asked.limit == Some(0) {
        return Err(bad_request("limit is 1 or more").into());
    }
    let answer = state.read(move |store| {
        let Listed { mut events, unread, .. } = store.listed()?;
        let is_told =
            |(stream, _): &(StreamId, StoreError)| Need::Staff.admits(who_asks.role_in(*stream));
        let told = |(stream, why): (StreamId, StoreError)| NotRead {
            id: stream.to_string(),
            code: why.code().word.to_string(),
            message: why.to_string(),
        };
        let unread = unread.into_iter().filter(is_told).map(told).collect();
        if let Some(after) = &asked.after {
            let stream = find(store, after)?;
            let behind = events.iter().position(|event| event.stream == stream);
            events.drain(..behind.map_or(events.len(), |at| at + 1));
        }
        let rows = events.into_iter().map(|mut event| {
            let stream = event.stream;
            let is_rewritten = store.rewritten(stream).is_ok_and(|fork| fork.is_some());
            if Need::Staff.admits(who_asks.role_in(stream)) {
                let glance = store.glance(stream, None).ok();
                return TournamentListed::of(&event, glance, None, is_rewritten);
            }
            let glance = shared.horizons.glance(store, stream).ok();
            (event.head, event.file) = (glance.as_ref().map_or(0, |(_, events)| *events), None);
            event.title = shared.horizons.title(stream, event.title);
            let glance = glance.map(|(glance, _)| glance);
            TournamentListed::of(&event, glance, None, is_rewritten)
        });
        let is_asked = |row: &TournamentListed| {
            asked.state.as_deref().is_none_or(|state| row.how_far.state == state)
        };
        let mut rows = rows.filter(is_asked);
        let limit = asked.limit.unwrap_or(usize::MAX);
        let tournaments: Vec<TournamentListed> = rows.by_ref().take(limit).collect();
        // Without a limit nothing is left.
        let next = rows.next().and(tournaments.last()).map(|last| {
            let state = asked.state.as_ref().map_or(String::new(), |one| format!("&state={one}"));
            let id = last.tournament.id.as_deref().unwrap_or_default();
            format!("/api/v1/tournaments?limit={limit}{state}&after={id}")
        });
        let json = serde_json::to_value(Tournaments { tournaments, unread }).unwrap_or_default();
        Ok(Given { next, ..Given::of(json) })
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
        // How many results are missing is known of every round that is out.
        let last = at.pairings.as_ref().map_or(&*now, |event| &event.state).last_round();
        let is_hidden = last.is_some_and(|last| !is_out(&now, last)) && !at.sees_drafts();
        let asker = at.who.asker(at.state);
        let (told, _) = orders::at_stream(&asker, at.store, at.stream, Asked::default(), |desk| {
            Ok((desk.tournament(), orders::step(desk, &now).ok()))
        });
        let (tournament, next): (TournamentName, Option<String>) = told?;
        let number = last.map_or(0, |last| last.number);
        let is_staff = Need::Staff.admits(at.who.role_in(at.stream));
        let answer = Stands {
            seq: head.seq,
            hash: hash.clone(),
            round: if is_hidden { number - 1 } else { number },
            missing: last.filter(|_| !is_hidden).map_or(0, |last| at.missing(last)),
            published: last.is_some_and(|last| is_out(&now, last)),
            tournament,
            players: glance.players,
            state: glance.state.word().to_string(),
            next: next.filter(|_| is_staff),
        };
        let json = serde_json::to_value(answer).unwrap_or_default();
        Ok(Given { json, tag: Some(tag(head.seq, &hash)), next: None })
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
        let when = When { as_of: at.moment(&asking)?, through: asking.through, out: at.out()? };
        at.at_desk(|desk| orders::players(desk, &when)).map_err(|error| asking.named(error))
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
    Path((id, typed)): Path<(String, String)>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let number: RoundNumber = typed.parse().map_err(|_| {
        // A number that is none of a round is no fault of the program's.
        match !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit()) {
            true => VerbError::new(
                Code::not_found("no-such-round"),
                format!("there is no round {typed}"),
                "where the tournament stands says which round is its last",
            ),
            false => bad_request(format!("{typed:?} is no round: a round is a number from 1")),
        }
    })?;
    reading(&state, who, headers, id, Need::Anyone, move |at| round_in(at, number)).await
}

/// A round, as far as its reader may see it.
///
/// # Errors
/// As [`round`].
pub fn round_in(at: &Reading<'_>, number: u16) -> Answer {
    if !at.sees_drafts() {
        check_out(at.store, at.stream, Some(number))?;
    }
    let state = state_of(at.store, at.stream)?;
    let shown = state.round(number);
    let loaded;
    let event = match at.pairings.as_ref().filter(|_| shown.is_none()) {
        Some(event) => event,
        // The first round whose results are hidden is public itself.
        None if shown.is_some_and(|round| at.missing(round) != round.open_matches) => {
            loaded = at.store.load(at.stream, false)?;
            &loaded
        }
        None => {
            return at.at_desk(|desk| {
                orders::pairings(desk, Some(number), ListedBy::Table, &When::default())
            });
        }
    };
    let rules = rules_of(event, None)?;
    let mut told = orders::round_told(event, &rules, Some(number), None)?.answer;
    if let Some(round) = event.state.round(number) {
        told.missing = at.missing(round);
        told.status = orders::how_it_stands(&event.state, round, told.missing);
    }
    // Those of before the hidden results are not what stands.
    let seats = told.tables.iter_mut().flat_map(|one| &mut one.players);
    seats.filter(|_| shown.is_none()).for_each(|one| one.points.clear());
    let told = orders::Told::only(String::new(), Dated::of(event, told));
    Ok(at.tagged(told.answer(TournamentName::new(at.stream, event.title()))))
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
    reading(&state, who, headers, id, Need::Anyone, move |at| table_in(at, &asking, STANDINGS))
        .await
}

/// The standings; further pages of them are at `list`.
///
/// # Errors
/// As [`table`].
pub fn table_in(at: &Reading<'_>, asking: &Asking, list: &str) -> Answer {
    let Table { event, mut standings, .. } = at.table(asking)?;
    if let Some(typed) = &asking.division {
        standings = standings.of_division(&event.state, division_of(&event.state, typed)?);
    }
    let mut answer = StandingsAnswer::of(&event, &standings);
    match asking.measures.as_deref() {
        Some("all") => {}
        None | Some("ranking") => {
            let measures = &standings.rules.measures;
            let ranking: Vec<&String> =
                standings.ranking_measures().into_iter().map(|at| &measures[at].id).collect();
            for row in &mut answer.rows {
                row.measures.retain(|id, _| ranking.contains(&id));
            }
        }
        Some(_) => return Err(bad_request("measures is `ranking` or `all`")),
    }
    let last = part(&mut answer.rows, asking, |row: &StandingsRow| row.player.number);
    let mut given = at.tagged(Dated::of(&event, answer));
    given.next = last.map(|last| match list {
        STANDINGS => {
            let behind = (Some(standings.through), last.into());
            at.next_page_as_of(list, asking, &event.state, behind)
        }
        // At an event they are those of the same events anyway.
        at_event => at.next_page(at_event, asking, last.into()),
    });
    Ok(given)
}

/// Cuts rows down to those of a page, behind the player who is asked for. Returns the last of them,
/// where more follow.
pub fn part<T>(rows: &mut Vec<T>, asking: &Asking, of: impl Fn(&T) -> u32) -> Option<u32> {
    let is_last = |row: &T| Some(u64::from(of(row))) == asking.after;
    let from = match asking.after {
        None => 0,
        Some(_) => rows.iter().position(is_last).map_or(rows.len(), |at| at + 1),
    };
    rows.drain(..from);
    let more = rows.len() > MOST_ROWS;
    rows.truncate(MOST_ROWS);
    rows.last().filter(|_| more).map(of)
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
    reading(&state, who, headers, id, Need::Anyone, move |at| explained_in(at, number, &asking))
        .await
}

/// Why a player stands where they stand.
///
/// # Errors
/// As [`explanation`].
pub fn explained_in(at: &Reading<'_>, number: u32, asking: &Asking) -> Answer {
    let Table { event, standings, .. } = at.table(asking)?;
    let found = explained(&event, &standings, number, asking.against)?;
    Ok(at.tagged(Dated::of(&event, ExplainAnswer::of(&event, &standings, &found))))
}

/// Waits until something is to be known behind an event, so long at most; where there is something, not
/// at all.
///
/// # Errors
/// Where the log cannot be read.
pub(crate) async fn wait_behind(
    state: &Arc<State>,
    id: &str,
    (after, most): (u64, Duration),
    viewer: impl FnOnce(StreamId) -> Viewer + Send + 'static,
) -> Result<(), Refusal> {
    let (shared, id) = (Arc::clone(state), id.to_string());
    let most = most.min(Duration::from_secs(MOST_SECONDS));
    let begun = state.read(move |store| {
        let stream = find(store, &id)?;
        let watching = shared.live.watch(store, stream, None, viewer(stream))?;
        Ok((watching.last() <= after).then_some(watching))
    });
    if let Some(mut watching) = begun.await? {
        let mut stopping = state.stopping.clone();
        let told = async {
            loop {
                watching.rung().await;
                if watching.last() > after {
                    return;
                }
            }
        };
        tokio::select! {
            () = told => {}
            () = tokio::time::sleep(most) => {}
            _ = stopping.wait_for(|stops| *stops) => {}
        }
    }
    Ok(())
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
        let as_of = at.moment(&asking)?;
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
    reading_long(&state, who, id, Need::Drafts, move |at| {
        let (as_of, floor) = (at.moment(&asking)?, at.state.floor(at.stream)?);
        at.at_desk(|desk| orders::dispute_file(desk, number, as_of, asking.cut, Some(&floor)))
            .map_err(|error| asking.named(error))
    })
    .await
}

/// Says what orders would do; nothing is recorded. They are written as those that are carried out.
///
/// # Errors
/// Which of them is refused.
pub async fn what_if(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Drafts)?;
    let (values, many) = orders_of(&headers, &body)?;
    let editions = state.editions.now();
    let read = (1..).zip(values).map(|(line, value)| {
        let order = tried_of(value).and_then(|order| resolved(&editions, order));
        order.map_err(|error| match many {
            true => VerbError { message: of_line(line, &error.message), ..error },
            false => error,
        })
    });
    let tried = read.collect::<Result<Vec<Order>, VerbError>>()?;
    reading_long(&state, who, id, Need::Drafts, move |at| {
        let asker = at.who.asker(at.state);
        let outcome =
            scrutineer_desk::looking::tried(&asker, at.store, at.stream, asking.cut, &tried);
        let outcome = outcome.map_err(|error| asking.named(error))?;
        let mut given = at.tagged(outcome.answer());
        given.json["recorded"] = false.into();
        Ok(given)
    })
    .await
}

/// Gives the tournament in one file, without its names.
///
/// # Errors
/// Where it cannot be made.
pub async fn bundle(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    let shared = Arc::clone(&state);
    let made = state.read_long(move |store| {
        read_in(&shared, store, &who, &id, Need::Published, |at| {
            at.check_records()?;
            let mut bytes = Vec::new();
            let (both, keys) = ((store, at.store), &shared.setup.asker.keys);
            scrutineer_desk::looking::bundle(both, at.stream, keys, &mut bytes)?;
            let name = format!("{}.bundle", at.stream);
            Ok(Out { name, kind: "application/octet-stream", bytes })
        })
    });
    Ok(download(made.await?))
}

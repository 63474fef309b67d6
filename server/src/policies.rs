//! What the organizer shows of a tournament, as it is chosen: for programs, and as forms.

use crate::body::object_of;
use crate::gate::Need;
use crate::house::KeptPolicy;
use crate::join::refusal_page;
use crate::language::Language;
use crate::orders_api::find;
use crate::posted::{Fields, Posted, back_of, field, fields_of, see, with_query};
use crate::problem::{Refusal, bad_request};
use crate::reading::{json_response, reading};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use scrutineer_desk::public::{Policy, Records, ShownName};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_replay::loaded::short_id;
use std::sync::Arc;

/// What is said of a policy in the list of changes; whose wishes they are is not.
fn told(stream: StreamId, policy: &Policy) -> String {
    let hidden = policy.hidden_from.map_or("standings are shown".into(), |round| {
        format!("standings are hidden from round {round} on")
    });
    format!(
        "chose what is public of {}: names {}, records {}, {hidden}, {} by a wish of their own",
        short_id(stream),
        policy.names.word(),
        policy.records.word(),
        policy.wishes.len(),
    )
}

fn check(policy: &Policy, state: &Tournament) -> Result<(), VerbError> {
    if policy.hidden_from == Some(0) {
        return Err(bad_request("hidden_from is a round, 1 or later"));
    }
    match policy.wishes.keys().find(|player| state.player(**player).is_none()) {
        Some(unknown) => Err(VerbError::new(
            Code::not_found("unknown-player"),
            format!("there is no player {unknown}"),
            "look at the players",
        )),
        None => Ok(()),
    }
}

/// Keeps a policy that somebody makes out of the one before; what was public stays so.
fn choose(
    state: &State,
    store: &Store,
    stream: StreamId,
    who: &Who,
    change: impl Fn(Policy) -> Policy,
) -> Result<Policy, VerbError> {
    let (policy, is_new) = state.house.deciding(|| {
        let before = state.horizons.policy(stream);
        let policy = change(before.clone());
        let (_, now) = store.handler().load(stream).map_err(StoreError::from)?;
        check(&policy, &now)?;
        let is_new = policy != before;
        if is_new {
            let public = state.horizons.of(store, stream)?.seq;
            let kept = KeptPolicy { policy: policy.clone(), public };
            state.house.keep_policy(stream, &kept, &who.told(), told(stream, &policy))?;
        }
        Ok((policy, is_new))
    })?;
    if is_new {
        state.live.chosen_anew(store, stream);
    }
    Ok(policy)
}

async fn chosen(
    state: &Arc<State>,
    who: &Who,
    id: String,
    need: Need,
    change: impl Fn(Policy) -> Policy + Send + 'static,
) -> Result<Policy, VerbError> {
    need.check(who.role)?;
    let stream = state.read(move |store| find(store, &id)).await?;
    who.check_in(need, stream)?;
    let who = who.clone();
    state.act(stream, move |state, store| choose(state, store, stream, &who, change)).await
}

/// Gives what is shown of a tournament.
///
/// # Errors
/// Where there is no such tournament.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Owner, |at| {
        Ok(crate::reading::Given::of(
            serde_json::to_value(at.state.horizons.policy(at.stream)).unwrap_or_default(),
        ))
    })
    .await
}

/// Chooses what is shown of a tournament: all of it, what is left out is as usual.
///
/// # Errors
/// Where it cannot be read or kept.
pub async fn put(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    Need::Owner.check(who.role)?;
    let wanted: Policy = object_of(&body, "this is no policy")?;
    let policy = chosen(&state, &who, id, Need::Owner, move |_| wanted.clone()).await?;
    let json = serde_json::to_value(policy).unwrap_or_default();
    Ok(json_response(&HeaderMap::new(), &who, crate::reading::Given::of(json)))
}

fn seen(done: Result<String, VerbError>) -> Response {
    match done {
        Ok(back) => see(back),
        Err(error) => refusal_page(&error.into(), Language::English).into_response(),
    }
}

/// Reads by how much names are shown.
fn shown_name(fields: &Fields, name: &str) -> Result<ShownName, VerbError> {
    let shown = ShownName::of_word(field(fields, name).unwrap_or_default().trim());
    shown.ok_or_else(|| bad_request("names are shown by one of four words"))
}

/// The same as a form; wishes stay as they are.
pub async fn form(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    posted: Posted,
) -> Response {
    let done = async {
        Need::Owner.check(who.role)?;
        let fields = fields_of(posted)?;
        let word = |name: &str| field(&fields, name).unwrap_or_default().trim().to_string();
        let names = shown_name(&fields, "names")?;
        let records = match word("records").as_str() {
            "public" => Records::Public,
            "with-token" => Records::WithToken,
            _ => return Err(bad_request("records are `public` or `with-token`")),
        };
        let hidden = word("hidden_from");
        let unread = |_| bad_request(format!("{hidden:?} is no round"));
        let hidden_from = match hidden.is_empty() {
            true => None,
            false => Some(hidden.parse().map_err(unread)?),
        };
        let back = format!("/t/{id}/policies?kept=public");
        let change =
            move |before: Policy| Policy { names, records, hidden_from, wishes: before.wishes };
        chosen(&state, &who, id, Need::Owner, change).await?;
        Ok(back)
    };
    seen(done.await)
}

/// By how much a player wishes to be shown, as staff write it down for them.
pub async fn wish(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    posted: Posted,
) -> Response {
    let done = async {
        Need::Staff.check(who.role)?;
        let fields = fields_of(posted)?;
        let player = field(&fields, "player").unwrap_or_default();
        let player: PlayerNumber = player
            .trim_start_matches('#')
            .parse()
            .map_err(|_| bad_request("the player is named by their number"))?;
        let shown = shown_name(&fields, "shown")?;
        let back = back_of(&fields, &format!("/t/{id}/players?player={player}"));
        let back = with_query(&back, &[("kept", player.to_string())]);
        let change = move |mut policy: Policy| {
            match shown {
                ShownName::Full => policy.wishes.remove(&player),
                less => policy.wishes.insert(player, less),
            };
            policy
        };
        chosen(&state, &who, id, Need::Staff, change).await?;
        Ok(back)
    };
    seen(done.await)
}

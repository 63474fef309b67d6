//! What players can still reach, for programs.

use crate::api::{check_out, part};
use crate::gate::Need;
use crate::problem::Refusal;
use crate::reading::{Answer, Asking, Reading, check_rules, reading};
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, Query, State as Shared};
use axum::http::HeaderMap;
use axum::response::Response;
use scrutineer_desk::answers::{Dated, ReachAnswer, Reachable};
use scrutineer_desk::looking::{no_place, reachable};
use scrutineer_desk::orders::load;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::reach::Effort;
use std::sync::Arc;

/// Says what everybody can still reach.
///
/// # Errors
/// Where no Swiss and no round robin is played, or its last round is a draft.
pub async fn everybody(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, move |at| given(at, &asking, None)).await
}

/// Says what a player can still reach, with each end of their match.
///
/// # Errors
/// As [`everybody`], and where they take no place.
pub async fn player(
    Shared(state): Shared<Arc<State>>,
    Path((id, number)): Path<(String, u32)>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, move |at| given(at, &asking, Some(number)))
        .await
}

fn given(at: &Reading<'_>, asking: &Asking, player: Option<PlayerNumber>) -> Answer {
    check_rules(at.who.role_in(at.stream), asking.rules.as_deref())?;
    if !at.sees_drafts() {
        check_out(at.store, at.stream, None)?;
    }
    let event = load(at.store, at.stream, at.moment(asking)?, false)?;
    let rules = crate::pages::rules_of(&event, asking.rules.as_deref())?;
    let found = reachable(&event, &rules, asking.cut, Effort::USUAL);
    let found = found.map_err(|error| asking.named(error))?;
    if let Some(player) = player.filter(|player| found.player(*player).is_none()) {
        return Err(no_place(&event, player));
    }
    let mut answer = ReachAnswer::of(&event, &rules, &found, player);
    let last = part(&mut answer.players, asking, |row: &Reachable| row.player.number);
    let mut given = at.tagged(Dated::of(&event, answer));
    given.next =
        last.map(|last| at.next_page_as_of("reach", asking, &event.state, (None, last.into())));
    Ok(given)
}

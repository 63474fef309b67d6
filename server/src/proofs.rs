//! What programs read to check a log, and the bracket as data.

use crate::api::check_out;
use crate::gate::Need;
use crate::language::Language;
use crate::live::{is_out, state_of};
use crate::pages::bracket::{Bracket, brackets};
use crate::problem::{Refusal, bad_request};
use crate::reading::{Answer, Reading, reading};
use crate::reads::{last_checkpoint, nothing_signed};
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, Query, State as Shared};
use axum::http::HeaderMap;
use axum::response::Response;
use scrutineer_desk::orders;
use scrutineer_desk::receipts::{Whole, receipt as made};
use scrutineer_desk::sign::kept as kept_checkpoints;
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::to_hex;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::receipt::{events_of_player, with_withdrawals};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The brackets of a tournament.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Brackets {
    /// One for each phase that is a bracket.
    pub brackets: Vec<Bracket>,
}

/// Between which sizes of the log.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Between {
    from: Option<u64>,
    to: Option<u64>,
}

/// A proof that a log begins with what it was.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Proof {
    /// How many records it had.
    pub from: u64,
    /// The root of the tree over them.
    pub from_root: String,
    /// How many it has.
    pub to: u64,
    /// The root of the tree over those.
    pub to_root: String,
    /// The hashes by which the one root leads to the other, as docs/FORMAT.md says.
    pub hashes: Vec<String>,
}

/// A receipt of a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerReceipt {
    /// The number of the player.
    pub player: u32,
    /// The events in it.
    pub events: Vec<u64>,
    /// How many records its checkpoint stands for.
    pub records: u64,
    /// The receipt, as `check-receipt` reads it.
    pub receipt: String,
}

/// Gives the brackets, once their rounds are out.
///
/// # Errors
/// Where the last round is a draft.
pub async fn bracket(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, bracket_in).await
}

/// The brackets, as far as their reader may see them.
///
/// # Errors
/// As [`bracket`].
pub fn bracket_in(at: &Reading<'_>) -> Answer {
    if !at.sees_drafts() {
        check_out(at.store, at.stream, None)?;
    }
    let event = orders::load(at.store, at.stream, None, true)?;
    Ok(at.tagged(Brackets { brackets: brackets(&event, Language::English)? }))
}

/// Proves that the log begins with what it was.
///
/// # Errors
/// Where it has or had not so many records.
pub async fn proof(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(between): Query<Between>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, move |at| {
        let history = History::read(at.store.log(), at.stream).map_err(StoreError::from)?;
        let tree = history.tree();
        let Some(from) = between.from else {
            return Err(bad_request("say how many records are known: ?from=57"));
        };
        let to = between.to.unwrap_or(tree.size());
        let made = tree.consistency(from, to).zip(tree.root_at(from)).zip(tree.root_at(to));
        let Some(((hashes, from_root), to_root)) = made else {
            let message = format!("no log of {to} records begins with {from} of them here");
            let hint = format!("the log has {} records", tree.size());
            return Err(VerbError::new(Code::not_found("no-such-event"), message, hint));
        };
        Ok(at.tagged(Proof {
            from,
            from_root: to_hex(&from_root),
            to,
            to_root: to_hex(&to_root),
            hashes: hashes.iter().map(|hash| to_hex(hash)).collect(),
        }))
    })
    .await
}

/// Gives a receipt for what was recorded of a player, without names.
///
/// # Errors
/// Where there is no such player, or nothing was signed yet.
pub async fn receipt(
    Shared(state): Shared<Arc<State>>,
    Path((id, player)): Path<(String, u32)>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Drafts, move |at| receipt_of(at, player, false)).await
}

/// Returns the receipt of a player under the last checkpoint; unless its reader sees drafts, and where nothing
/// that was signed of the player lies behind what is public, under the last one that is public. What is only drafted is left out of it for
/// them. The name of the player is opened where it is their own receipt, and is nobody's otherwise.
///
/// # Errors
/// Where there is no such player, or nothing was signed yet.
pub fn receipt_of(at: &Reading<'_>, player: u32, is_own: bool) -> Answer {
    let mut signed = last_checkpoint(at)?;
    let mut whole = Whole::read(at.store, at.stream)?;
    // What was recorded since is proved by the next checkpoint.
    whole.until(signed.checkpoint.size);
    let state = state_of(at.store, at.stream)?;
    let draft = state.last_round().filter(|last| !at.sees_drafts() && !is_out(&state, last));
    let draft = draft.map(|round| round.opened);
    let own = |whole: &Whole| {
        let mut events = events_of_player(&whole.log, player, None);
        events.retain(|seq| draft.is_none_or(|draft| *seq < draft));
        events
    };
    let mut events = own(&whole);
    if !at.sees_drafts() {
        let last = with_withdrawals(&whole.log, &events).last().copied().unwrap_or(0);
        let public = at.state.horizons.of(at.store, at.stream)?.seq;
        if last <= public {
            let is_public = |one: &Signed| one.checkpoint.size <= public;
            let known = kept_checkpoints(at.store, at.stream)?.into_iter().rfind(is_public);
            signed = known.ok_or_else(nothing_signed)?;
            whole.until(signed.checkpoint.size);
            events = own(&whole);
        }
    }
    if events.is_empty() {
        let message = format!("there is no player {player}");
        let hint = "look at the players; who came after the last checkpoint is in the next one";
        return Err(VerbError::new(Code::not_found("unknown-player"), message, hint));
    }
    let records = signed.checkpoint.size;
    let named = is_own.then_some(player);
    let made = made((at.store, at.stream), whole, &events, &signed, None, named)?;
    let (events, receipt) = (made.events, made.text);
    Ok(at.tagged(PlayerReceipt { player, events, records, receipt }))
}

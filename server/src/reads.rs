//! What programs read beside where things stand: looking back, checkpoints, rulesets.

use crate::gate::Need;
use crate::orders_api::find;
use crate::pages::rules_of;
use crate::problem::{Refusal, bad_request};
use crate::reading::{
    Answer, Asking, Given, Reading, check_rules, json_response, reading, reading_long, up_to,
};
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, Query, State as Shared};
use axum::http::HeaderMap;
use axum::response::Response;
use scrutineer_desk::answers::{
    CheckpointAnswer, CompareAnswer, Dated, EventShown, ReplayStep, RulesetChecked, RulesetListed,
    RulesetShown, TraceStep,
};
use scrutineer_desk::compared::{Compared, compared};
use scrutineer_desk::looking::no_place;
use scrutineer_desk::orders::{self, When, scope};
use scrutineer_desk::sign::{kept as kept_checkpoints, sign};
use scrutineer_desk::store::StoreError;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_projections::crosstable::check_rulings;
use scrutineer_projections::ruleset::Library;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::replay::{Pace, Replay, Step};
use scrutineer_replay::staff::Staff;
use scrutineer_replay::trust::checkpoint::Signed;
use scrutineer_replay::trust::history::History;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// How many records a page has; a full one never changes.
const RECORDS: u64 = 256;
/// How many steps of a replay are answered at once.
const STEPS: usize = 1_000;

/// A tournament again, step by step.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Steps {
    /// In their order, 1,000 at a time.
    pub steps: Vec<ReplayStep>,
}

/// What moved a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Traced {
    /// In their order.
    pub steps: Vec<TraceStep>,
}

/// Records of a log.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Records {
    /// The number of the page, from 1.
    pub page: u64,
    /// Whether it is full: then it never changes.
    pub full: bool,
    /// Up to 256 of them, with their bytes.
    pub records: Vec<EventShown>,
}

/// Checkpoints that are kept.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Checkpoints {
    /// The smallest first.
    pub checkpoints: Vec<CheckpointAnswer>,
}

/// Rulesets that are shipped.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Rulesets {
    /// By their ids.
    pub rulesets: Vec<RulesetListed>,
}

/// Gives a player of the roster.
///
/// # Errors
/// Where there is none with this number.
pub async fn player(
    Shared(state): Shared<Arc<State>>,
    Path((id, number)): Path<(String, u32)>,
    Query(asking): Query<Asking>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Staff, move |at| {
        let when = When { as_of: at.moment(&asking)?, through: asking.through, out: at.out()? };
        let players = at.at_desk(|desk| orders::players(desk, &when));
        let players = players.map_err(|error| asking.named(error))?.json["players"].take();
        let rows = players.as_array().into_iter().flatten();
        let found = rows.into_iter().find(|row| row["number"] == number).cloned();
        let none = || {
            let code = Code::not_found("unknown-player");
            VerbError::new(code, format!("there is no player {number}"), "look at the players")
        };
        Ok(at.tagged(found.ok_or_else(none)?))
    })
    .await
}

fn moved_back(at: &Reading<'_>, asking: &Asking) -> Result<LoadedTournament, VerbError> {
    check_rules(at.who.role_in(at.stream), asking.rules.as_deref())?;
    orders::load(at.store, at.stream, at.moment(asking)?, true)
}

/// Says who would stand elsewhere under another ruleset.
///
/// # Errors
/// Where there is no such ruleset, or it cannot rank what was recorded.
pub async fn compare(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
) -> Result<Response, Refusal> {
    reading_long(&state, who, id, Need::Staff, move |at| {
        let event = moved_back(at, &asking)?;
        let Some(other) = asking.rules.as_deref() else {
            return Err(bad_request("name the other ruleset: ?rules=carde"));
        };
        let pair = [&rules_of(&event, None)?, &rules_of(&event, Some(other))?];
        let scope = scope(&event.state, asking.through).map_err(|error| asking.named(error))?;
        let found = compared(&event, pair, up_to(scope, at.out()?), asking.cut);
        let Compared { first, second, found } = found.map_err(|error| asking.named(error))?;
        Ok(at.tagged(Dated::of(&event, CompareAnswer::of(&event, [&first, &second], &found))))
    })
    .await
}

/// Walks through a tournament.
fn play(
    event: &LoadedTournament,
    asking: &Asking,
    visit: &mut dyn FnMut(Step<'_>),
) -> Result<(), VerbError> {
    let pace = match asking.by.as_deref() {
        None | Some("round") => Pace::Round,
        Some("event") => Pace::Event,
        Some(_) => return Err(bad_request("by is `round` or `event`")),
    };
    let last = rules_of(event, asking.rules.as_deref())?;
    check_rulings(&event.state, &last)?;
    let scope = scope(&event.state, asking.through).map_err(|error| asking.named(error))?;
    let rules = asking.rules.as_ref().map(|_| last);
    Ok(Replay { log: &event.log, rules, scope }.play(pace, visit)?)
}

/// The steps that are asked for, so many at most, and behind which event the further ones begin; none: there
/// are no more.
fn steps_of(
    event: &LoadedTournament,
    asking: &Asking,
    most: usize,
) -> Result<(Vec<ReplayStep>, Option<u64>), VerbError> {
    let (after, mut last, mut is_more) = (asking.after.unwrap_or(0), 0, false);
    let mut steps = Vec::new();
    play(event, asking, &mut |step| match step.first() > after {
        true if steps.len() < most => {
            last = step.first();
            steps.push(ReplayStep::of(event, &step, None));
        }
        told => is_more |= told,
    })?;
    Ok((steps, is_more.then_some(last)))
}

/// Gives the tournament again, round by round or event by event.
///
/// # Errors
/// Where it cannot be ranked.
pub async fn replay(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    Query(asking): Query<Asking>,
    who: Who,
) -> Result<Response, Refusal> {
    reading_long(&state, who, id, Need::Drafts, move |at| {
        let (steps, last) = steps_of(&moved_back(at, &asking)?, &asking, STEPS)?;
        let mut given = at.tagged(Steps { steps });
        given.next = last.map(|last| at.next_page("replay", &asking, last));
        Ok(given)
    })
    .await
}

/// Says what moved a player.
///
/// # Errors
/// Where there is no such player, or the tournament cannot be ranked.
pub async fn trace(
    Shared(state): Shared<Arc<State>>,
    Path((id, player)): Path<(String, u32)>,
    Query(asking): Query<Asking>,
    who: Who,
) -> Result<Response, Refusal> {
    reading_long(&state, who, id, Need::Drafts, move |at| {
        let event = moved_back(at, &asking)?;
        if event.state.player(player).is_none() {
            return Err(no_place(&event, player));
        }
        let mut steps = Vec::new();
        play(&event, &asking, &mut |step| {
            if let Some(moved) = step.moved(player) {
                steps.push(TraceStep::of(&event, &step, moved, &step.passed(player)));
            }
        })?;
        Ok(at.tagged(Traced { steps }))
    })
    .await
}

/// Gives a page of records, with their bytes.
///
/// # Errors
/// Where the log has no such page.
pub async fn records(
    Shared(state): Shared<Arc<State>>,
    Path((id, page)): Path<(String, u64)>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Published, move |at| {
        at.check_records()?;
        let event = at.store.load(at.stream, true)?;
        let first = page.checked_sub(1).and_then(|before| before.checked_mul(RECORDS));
        let Some(first) = first.filter(|first| *first < event.state.head()) else {
            let message = format!("the log has no page {page}");
            let code = Code::not_found("no-such-event");
            return Err(VerbError::new(code, message, "pages hold 256 records each, from 1 on"));
        };
        let staff = Staff::of(&event);
        let read = at.store.log().read(at.stream, first).take(RECORDS as usize);
        let mut records = Vec::new();
        for record in read {
            let record = record.map_err(StoreError::from)?;
            let place = usize::try_from(record.header().seq - 1).unwrap_or(usize::MAX);
            if let Some(row) = event.log.get(place) {
                records.push(EventShown::of(&event, &staff, row, Some(&record)));
            }
        }
        Ok(at.tagged(Records { page, full: records.len() as u64 == RECORDS, records }))
    })
    .await
}

/// The last checkpoint that is kept.
///
/// # Errors
/// Where nothing was signed yet.
pub(crate) fn last_checkpoint(at: &Reading<'_>) -> Result<Signed, VerbError> {
    kept_checkpoints(at.store, at.stream)?.pop().ok_or_else(nothing_signed)
}

/// Returns the refusal of what is proved under a checkpoint, where there is none for its reader.
pub(crate) fn nothing_signed() -> VerbError {
    let hint = "completed rounds are signed where the key is; the owner signs at any time";
    VerbError::new(Code::refused("nothing-signed"), "nothing was signed yet", hint)
}

/// The checkpoints that are kept, as they are answered.
fn checkpoints_of(at: &Reading<'_>) -> Result<Vec<CheckpointAnswer>, VerbError> {
    let history = History::read(at.store.log(), at.stream).map_err(StoreError::from)?;
    let kept: Vec<Signed> = kept_checkpoints(at.store, at.stream)?;
    Ok(kept.iter().map(|signed| CheckpointAnswer::of(&history, signed)).collect())
}

/// Gives the last checkpoint that is kept.
///
/// # Errors
/// Where nothing was signed yet.
pub async fn checkpoint(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, |at| {
        let last = last_checkpoint(at)?;
        let history = History::read(at.store.log(), at.stream).map_err(StoreError::from)?;
        Ok(at.tagged(CheckpointAnswer::of(&history, &last)))
    })
    .await
}

/// Gives every checkpoint that is kept.
///
/// # Errors
/// Where they cannot be read.
pub async fn checkpoints(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    reading(&state, who, headers, id, Need::Anyone, |at| {
        Ok(at.tagged(Checkpoints { checkpoints: checkpoints_of(at)? }))
    })
    .await
}

/// Signs the log as it stands.
///
/// # Errors
/// Where the key is not here.
pub async fn sign_now(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    Need::Owner.check(who.role)?;
    let caller = who.clone();
    let stream = state.read(move |store| find(store, &id)).await?;
    who.check_in(Need::Owner, stream)?;
    let done = state.act(stream, move |state, store| -> Answer {
        let signed = sign(store, stream, &state.setup.asker.keys)?;
        let history = History::read(store.log(), stream).map_err(StoreError::from)?;
        let at = Reading::of(state, store, stream, &who)?;
        Ok(at.tagged(CheckpointAnswer::of(&history, &signed)))
    });
    Ok(json_response(&HeaderMap::new(), &caller, done.await?))
}

/// Lists the rulesets that are shipped.
///
/// # Errors
/// Never: they are a part of the program.
pub async fn rulesets(who: Who, headers: HeaderMap) -> Result<Response, Refusal> {
    let rulesets = Library::shipped().editions().into_iter().map(RulesetListed::from).collect();
    let json = serde_json::to_value(Rulesets { rulesets }).unwrap_or_default();
    Ok(json_response(&headers, &who, Given::of(json)))
}

/// Gives a ruleset with its texts.
///
/// # Errors
/// Where there is none with this id.
pub async fn ruleset(
    Path(rules): Path<String>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    check_rules(who.role, Some(&rules))?;
    let library = Library::shipped();
    let read = library.ruleset(&rules).and_then(|read| Ok((read, library.chain(&rules)?)));
    let (read, files) = read.map_err(VerbError::from)?;
    let json = serde_json::to_value(RulesetShown::of(&read, &files)).unwrap_or_default();
    Ok(json_response(&headers, &who, Given::of(json)))
}

/// Reads a ruleset that somebody wrote, and says what is wrong with it.
///
/// # Errors
/// Where it is no text.
pub async fn check_ruleset(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    body: Bytes,
) -> Result<Response, Refusal> {
    let text = String::from_utf8(body.to_vec()).map_err(|_| bad_request("a ruleset is a text"))?;
    let json = state.beside(move |_| {
        let mut library = Library::shipped();
        let read = library.load_file("sent.toml", &text).and_then(|id| library.ruleset(&id));
        let problem = |error: &_| VerbError::from(Clone::clone(error)).problem();
        let read = read.as_ref().map_err(problem);
        let answer = RulesetChecked::of(std::path::Path::new("sent.toml"), read);
        Ok(serde_json::to_value(answer).unwrap_or_default())
    });
    Ok(json_response(&HeaderMap::new(), &who, Given::of(json.await?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::kit::hall;

    /// A replay ended after 1,000 steps, and nobody was told that more follow.
    #[test]
    fn a_replay_is_led_on_to_the_steps_behind() {
        let hall = hall();
        let event = hall.store.load(hall.stream, true).expect("loaded");
        let asking = |after| Asking { by: Some("event".into()), after, ..Asking::default() };
        let (all, none) = steps_of(&event, &asking(None), STEPS).expect("all");
        assert_eq!(none, None);
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let (page, last) = steps_of(&event, &asking(after), 2).expect("a page");
            pages.extend(page);
            match last {
                Some(_) => after = last,
                None => break,
            }
        }
        let told = |steps| serde_json::to_value(Steps { steps }).expect("JSON");
        assert!(all.len() > 3, "{}", all.len());
        assert_eq!(told(pages), told(all));
    }
}

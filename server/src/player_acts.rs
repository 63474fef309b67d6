//! What a player does on their page: they report, check in, call a judge, dispute, wish to drop. Each is
//! done once under its key.

use crate::floor_api::by_player;
use crate::gate::Role;
use crate::holder::{Holder, device_in, no_player};
use crate::house::{Waiting, device_hash};
use crate::live::{is_out, state_of};
use crate::once::{command_id, floor_key, key_of, once_id};
use crate::orders_api::{find, sent_otherwise};
use crate::pages::entry::{only_line, pad};
use crate::posted::{
    Fields, Posted, back_of, check_each_once, field, fields_of, refused_saying, see, wants_json,
    with_query,
};
use crate::problem::{Refusal, bad_request};
use crate::query::encoded;
use crate::reader::Reader;
use crate::state::State;
use crate::who::device_in_words;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::claims::is_of_match;
use scrutineer_desk::desk::{Asked, DeskError, Objection, match_of_player, parse_slip};
use scrutineer_desk::floor::Change;
use scrutineer_desk::orders::{self, CheckIn, Dispute, Order};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{How, PlayerNumber, RoundNumber, Seq};
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::{Round, Tournament};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a player asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Act {
    /// They report a result: their own games stand first.
    Claim { round: RoundNumber, slip: String },
    /// They are here.
    CheckIn,
    /// They call a judge to their table.
    Call { what: Option<String> },
    /// They take their call back.
    EndCall,
    /// They dispute the result of a match of theirs.
    Dispute { round: RoundNumber, claim: String },
    /// They wish to drop, or not any more.
    Wish { drops: bool },
}

impl Act {
    fn read(fields: &Fields) -> Result<Act, VerbError> {
        let text = |name: &str| field(fields, name).map(|text| text.trim().to_string());
        let round = || match text("round").map(|round| round.parse()) {
            Some(Ok(round)) => Ok(round),
            _ => Err(bad_request("`round` is the number of the round")),
        };
        Ok(match text("do").as_deref() {
            Some("claim") => Act::Claim { round: round()?, slip: text("slip").unwrap_or_default() },
            Some("check-in") => Act::CheckIn,
            Some("call") => Act::Call { what: text("what").filter(|what| !what.is_empty()) },
            Some("end-call") => Act::EndCall,
            Some("dispute") => {
                Act::Dispute { round: round()?, claim: text("claim").unwrap_or_default() }
            }
            Some("wish-drop") => Act::Wish { drops: true },
            Some("end-wish") => Act::Wish { drops: false },
            _ => {
                let words =
                    "`do` is claim, check-in, call, end-call, dispute, wish-drop or end-wish";
                return Err(bad_request(words));
            }
        })
    }

    const fn word(&self) -> &'static str {
        match self {
            Act::Claim { .. } => "claim",
            Act::CheckIn => "check-in",
            Act::Call { .. } => "call",
            Act::EndCall => "end-call",
            Act::Dispute { .. } => "dispute",
            Act::Wish { drops: true } => "wish-drop",
            Act::Wish { drops: false } => "end-wish",
        }
    }
}

/// What was done.
struct Done {
    word: &'static str,
    json: Value,
    repeated: bool,
}

impl Done {
    fn recorded(act: &Act, (first, last): (u64, u64), repeated: bool) -> Done {
        let mut json = json!({
            "do": act.word(), "first_seq": first, "last_seq": last, "repeated": repeated,
        });
        // Behind a claim stands the result that it became.
        let is_recorded = matches!(act, Act::Claim { .. }) && last > first;
        if matches!(act, Act::Claim { .. }) {
            json["recorded"] = is_recorded.into();
        }
        Done { word: if is_recorded { "recorded" } else { act.word() }, json, repeated }
    }
}

/// The pairing by which they sat on the page that sent it; none: an older page or a program does not say so.
fn seen_of(fields: &Fields) -> Result<Option<Seq>, VerbError> {
    let seen = field(fields, "pairing").map(|seq| seq.trim().parse());
    seen.transpose().map_err(|_| bad_request("`pairing` is the number of an event"))
}

/// The last round that is out: a draft is none to players.
fn last_out(state: &Tournament) -> Option<&Round> {
    state.rounds().iter().rfind(|round| !round.withdrawn && is_out(state, round))
}

/// The round that is meant, as far as players know of it.
fn round_of(state: &Tournament, number: RoundNumber) -> Result<&Round, VerbError> {
    let found = state.round(number).filter(|round| is_out(state, round));
    found.ok_or_else(|| {
        let hint = match last_out(state) {
            Some(last) => format!("rounds are 1 to {}", last.number),
            None => "look at your page and report again once it is".to_string(),
        };
        // Whoever sat in it before it was taken back knows that there is one.
        let message = format!("round {number} is not out");
        VerbError::new(Code::not_found("no-such-round"), message, hint)
    })
}

/// Refuses what is said of a match where they have another one in that round by now.
fn check_seat(
    (store, stream): (&Store, StreamId),
    now: &Tournament,
    (round, player): (RoundNumber, PlayerNumber),
    seen: Option<Seq>,
) -> Result<(), VerbError> {
    if let (Some(found), Some(seen)) = (match_of_player(now, round, player), seen)
        && !is_of_match(store, stream, found, seen)?
    {
        return Err(DeskError::from(Objection::SeatedElsewhere { round }).into());
    }
    Ok(())
}

/// Refuses a score that no slip of the round has, as the page offers them.
fn check_slip(state: &Tournament, round: &Round, slip: &str) -> Result<(), VerbError> {
    let in_bracket = state.phase_of(round).is_some_and(|phase| phase.kind.is_bracket());
    let sheet = state.scoresheet(round);
    let keys = sheet.map_or(Vec::new(), |sheet| pad(sheet, !in_bracket));
    let line = sheet.and_then(only_line);
    let is_of_line = || {
        let (sheet, line) = (sheet?, line?);
        let read = parse_slip(sheet, 2, slip).ok()?;
        let is_score = read.rulings.is_empty() && read.how == How::Played;
        let mut values = read.score.seats.iter().flatten();
        Some(is_score && values.all(|value| (line.min..=line.max).contains(value)))
    };
    if keys.iter().any(|key| key.slip == slip) || is_of_line() == Some(true) {
        return Ok(());
    }
    let words: Vec<&str> = keys.iter().map(|key| key.slip).collect();
    let hint = match (line, words.is_empty()) {
        (Some(line), _) => {
            format!("your own number stands first, each from {} to {}", line.min, line.max)
        }
        (None, true) => "this slip has more than a phone can say: fill in the paper".to_string(),
        (None, false) => format!("your own games stand first: {}", words.join(", ")),
    };
    Err(VerbError::new(Code::invalid("bad-slip"), format!("{slip:?} is no score here"), hint))
}

fn carry_out(
    state: &State,
    store: &Store,
    holder: &Holder,
    (act, seen): (&Act, Option<Seq>),
    key: &str,
    phone: &str,
) -> Result<Done, VerbError> {
    let (stream, player) = (holder.stream, holder.player);
    let principal = holder.principal();
    let count = || state.house.count_of_player(stream, player);
    let on_floor = |change: Change| {
        let by = Some(format!("player {player}"));
        let changed = by_player(state, store, stream, (&principal, key), (change, by), count)?;
        let json = json!({
            "do": act.word(), "number": changed.number, "repeated": changed.repeated,
        });
        Ok(Done { word: act.word(), json, repeated: changed.repeated })
    };
    match act {
        Act::Wish { drops: true } => return on_floor(Change::WishDrop { player }),
        Act::Wish { drops: false } => return on_floor(Change::EndWish { player }),
        Act::Call { what } => {
            let floor = state.floor(stream)?;
            let done = floor.done_under(&floor_key(&principal, stream, key));
            if let Some(Change::Call { table, round, .. }) = done.map(|done| &done.change) {
                // Sent again, it is the call that it made, wherever they sit by now.
                let (table, round, what) = (*table, *round, what.clone());
                return on_floor(Change::Call { table, what, round });
            }
            let now = state_of(store, stream)?;
            let round = last_out(&now).map(|round| round.number);
            // What waited on their phone may come once their table is gone: nobody would know where to go.
            let Some(own) = round.and_then(|round| match_of_player(&now, round, player)) else {
                count()?;
                let (message, hint) = ("you sit at no table now", "if you play, go to the desk");
                return Err(VerbError::new(Code::not_found("no-table"), message, hint));
            };
            return on_floor(Change::Call { table: own.table(), what: what.clone(), round });
        }
        Act::EndCall => {
            let floor = state.floor(stream)?;
            let own = floor.open_calls().find(|call| call.is_by(player));
            // Sent again, it finds the call that it ended.
            let ended = || floor.calls().iter().rfind(|call| call.is_by(player));
            let call = own.or_else(ended).map_or(0, |call| call.call);
            return on_floor(Change::Finish { call });
        }
        Act::Claim { .. } | Act::CheckIn | Act::Dispute { .. } => {}
    }
    let id = command_id(&principal, stream, key);
    let body = format!("{act:?}");
    if let Some(trace) = store.log().command(stream, id).map_err(StoreError::from)? {
        // Sent again since nobody heard the answer.
        return match state.house.sent_otherwise(id, key, body.as_bytes()) {
            true => Err(sent_otherwise()),
            false => Ok(Done::recorded(act, (trace.first_seq, trace.last_seq), true)),
        };
    }
    count()?;
    let asked = Asked { id: Some(id), expected: None };
    let now = state_of(store, stream)?;
    let order = order_of(&now, player, act)?;
    if let Act::Dispute { round, .. } = act {
        check_seat((store, stream), &now, (*round, player), seen)?;
    }
    let done = match order {
        Some(order) => orders::record(&holder.asker(state), store, stream, asked, &order).0?.done,
        None => Some(claim(state, store, holder, (act, seen), asked)?),
    };
    state.house.remember_sent(id, key, body.as_bytes());
    let done = done.unwrap_or_default();
    if matches!(act, Act::Claim { .. }) {
        // The claim is on the disk: nothing that comes behind it may fail.
        let _ = state.floors.came_from(&state.house, stream, done.0, phone);
    }
    Ok(Done::recorded(act, done, false))
}

/// The phone that a claim came from, as a dispute's file says it: of its key, which is kept as a hash alone, a few
/// digits.
fn phone_in_words(headers: &HeaderMap, hash: &str) -> String {
    device_in_words(headers, &format!("phone {hash}"))
}

/// The order that says what a player does; none: a claim has its own way.
fn order_of(now: &Tournament, player: PlayerNumber, act: &Act) -> Result<Option<Order>, VerbError> {
    match act {
        Act::CheckIn if now.last_round().is_some() => {
            let message = "players check in themselves before the first round";
            Err(VerbError::new(Code::refused("check-in-over"), message, "go to the desk"))
        }
        Act::CheckIn => Ok(Some(CheckIn { player: format!("#{player}") }.into())),
        Act::Dispute { round, claim } => {
            round_of(now, *round)?;
            let (own, claim) = (format!("#{player}"), claim.clone());
            let by = Some(own.clone());
            Ok(Some(Dispute { table: own, claim, by, round: Some(*round) }.into()))
        }
        _ => Ok(None),
    }
}

/// Records a claim, and with it the result where both players say the same.
fn claim(
    state: &State,
    store: &Store,
    holder: &Holder,
    (act, seen): (&Act, Option<Seq>),
    asked: Asked,
) -> Result<(u64, u64), VerbError> {
    let Act::Claim { round, slip } = act else { return Err(bad_request("this is no claim")) };
    let (stream, player) = (holder.stream, holder.player);
    {
        let now = state_of(store, stream)?;
        check_slip(&now, round_of(&now, *round)?, slip)?;
    }
    let links = state.house.player_links(stream);
    let own = links.get(&player).cloned().unwrap_or_default();
    // Two who agree are two devices that were known before the round was out.
    let counts = |one: PlayerNumber, published| {
        links.get(&one).is_some_and(|link| {
            link.was_bound_before(published) && (one == player || !link.shares_its_device(&own))
        })
    };
    let (done, _) = orders::at_stream(&holder.asker(state), store, stream, asked, |at| {
        let claimed = at.desk.claim_own(player, (*round, seen), slip, &counts);
        let names = at.names()?;
        let done = claimed.map_err(|error| at.refused(&names, error))?.heard.done;
        Ok((done.first_seq, done.first_seq + done.events.len() as u64 - 1))
    });
    done
}

/// Does what a player sent to a public server; under its id it is done once.
///
/// # Errors
/// As what is done on their page, and where the device is not theirs.
pub fn from_elsewhere(
    state: &State,
    store: &Store,
    stream: StreamId,
    one: &Waiting,
) -> Result<(), VerbError> {
    let (act, seen) = (Act::read(&one.fields)?, seen_of(&one.fields)?);
    state.house.bind_elsewhere(stream, one.player, &one.device)?;
    let holder = Holder { stream, player: one.player, all: vec![one.player] };
    // Of what kind it is the public server does not say.
    let phone = phone_in_words(&HeaderMap::new(), &one.device);
    carry_out(state, store, &holder, (&act, seen), &one.id, &phone).map(drop)
}

/// Keeps what a player sends to a copy until its venue has fetched it.
fn wait(
    state: &State,
    store: &Store,
    holder: &Holder,
    act: &Act,
    (key, fields, device): (&str, &Fields, &str),
) -> Result<Done, VerbError> {
    let (stream, player) = (holder.stream, holder.player);
    let now = match state.horizons.pairings(store, stream)? {
        Some(pairings) => pairings.state,
        None => state_of(store, stream)?,
    };
    match act {
        Act::Claim { round, slip } => check_slip(&now, round_of(&now, *round)?, slip)?,
        act => drop(order_of(&now, player, act)?),
    }
    // Whether they sit there still the venue says, whose log is further.
    const KEPT: [&str; 6] = ["do", "round", "pairing", "slip", "what", "claim"];
    let kept = fields.iter().filter(|(name, _)| KEPT.contains(&name.as_str()));
    let one = Waiting {
        id: once_id(&holder.principal(), &stream.to_string(), key),
        tournament: stream.to_string(),
        player,
        device: device_hash(device),
        fields: kept.map(|(name, text)| (name.clone(), text.clone())).collect(),
        at: crate::house::now(),
        ..Waiting::default()
    };
    let is_known = state.house.sent_by(stream, player).iter().any(|known| known.id == one.id);
    if !is_known {
        state.house.count_of_player(stream, player)?;
    }
    let repeated = !state.house.put_in_inbox(one)?;
    let json = json!({ "do": act.word(), "is": "sent", "repeated": repeated });
    Ok(Done { word: "sent", json, repeated })
}

async fn acted(
    state: &Arc<State>,
    id: String,
    headers: &HeaderMap,
    fields: &Fields,
) -> Result<Done, Refusal> {
    check_each_once(fields)?;
    let stream = state.read(move |store| find(store, &id)).await?;
    let player = field(fields, "player").map(|number| number.parse());
    let player = player.transpose().map_err(|_| bad_request("`player` is a number"))?;
    let holder = Holder::of(state, stream, headers, player)?;
    if field(fields, "signer").is_some_and(|signer| signer != holder.signer()) {
        let message = "this was entered for another player";
        let hint = "open their link on this device, then it is sent";
        return Err(VerbError::new(Code::forbidden("not-allowed"), message, hint).into());
    }
    let key = key_of(field(fields, "key"))?;
    let key = key.ok_or_else(|| bad_request("`key` is needed: with it a repeat is harmless"))?;
    let mut fields = fields.clone();
    // Two numbers that were typed one by one are a slip.
    if let (Some(own), Some(theirs)) = (field(&fields, "own"), field(&fields, "theirs")) {
        let slip = format!("{}-{}", own.trim(), theirs.trim());
        fields.push(("slip".into(), slip));
    }
    // A match that was chosen from a list is a round and a pairing.
    if let Some((round, pairing)) = field(&fields, "match").and_then(|one| one.split_once('-')) {
        let both = [("round", round), ("pairing", pairing)];
        fields.extend(both.map(|(name, text)| (name.to_string(), text.to_string())));
    }
    let (act, seen) = (Act::read(&fields)?, seen_of(&fields)?);
    let device = device_in(headers).unwrap_or_default().to_string();
    let phone = phone_in_words(headers, &device_hash(&device));
    state.second.wake().await;
    state.second.is_the_rooms()?;
    let done = state.act(stream, move |state, store| match store.followed(stream)? {
        Some(_) => wait(state, store, &holder, &act, (&key, &fields, &device)),
        None => carry_out(state, store, &holder, (&act, seen), &key, &phone),
    });
    Ok(done.await?)
}

/// Does what a player asks for, and leads back to their page.
pub async fn post(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    reader: Reader,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    // A refusal is read by a player, whoever sends it.
    let in_words =
        |refusal: Refusal| match reader.language(Role::Public).refusal(refusal.error.code.word) {
            Some(message) => refusal.saying(message),
            None => refusal,
        };
    let known = match device_in(&headers) {
        Some(_) => Ok(()),
        None => Err(no_player()),
    };
    let fields = match known.and_then(|()| fields_of(posted)) {
        Ok(fields) => fields,
        Err(error) => return in_words(Refusal::from(error)).into_response(),
    };
    let back = back_of(&fields, &format!("/t/{}/me", encoded(&id)));
    match acted(&state, id, &headers, &fields).await.map_err(in_words) {
        Ok(done) if wants_json(&headers) => {
            let status = if done.repeated { StatusCode::OK } else { StatusCode::CREATED };
            let kinds =
                [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
            (status, kinds, format!("{}\n", done.json)).into_response()
        }
        Ok(done) => see(with_query(&back, &[("said", done.word.to_string())])),
        Err(refusal) if wants_json(&headers) => refusal.into_response(),
        Err(refusal) => {
            let error = &refusal.error;
            let hint = error.hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
            let why = format!("{}{hint}", error.message);
            refused_saying(&back, &refusal, vec![("why", why)])
        }
    }
}

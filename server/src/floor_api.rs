//! The floor over HTTP: as it stands for programs and pages, what is done there, and the same as
//! forms.

use crate::body::{UNREAD, value_of};
use crate::floor::{for_staff, in_file, in_folder, now, open, whole};
use crate::gate::{Need, may_change};
use crate::horizon::check_there;
use crate::house::{NotDecided, not_kept};
use crate::live::state_of;
use crate::local::Server;
use crate::once::{command_id, floor_key, key_of};
use crate::orders_api::find;
use crate::posted::{Posted, back_of, field, fields_of, refused_at, see, wants_json, with_query};
use crate::problem::{Refusal, bad_request};
use crate::query::encoded;
use crate::reading::tell_rewritten;
use crate::state::State;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::desk::Asked;
use scrutineer_desk::floor::{Change, Entry, Floor};
use scrutineer_desk::orders::{self, Note};
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::Event;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::text_or;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Fields of a form that hold a number.
const NUMBERS: [&str; 7] = ["table", "minutes", "round", "call", "announcement", "player", "seq"];
/// Fields of the form that are no part of the change.
const AROUND: [&str; 4] = ["key", "back", "note", "signer"];

/// What was done on the floor.
pub struct Changed {
    /// How it stands now.
    pub floor: Arc<Floor>,
    /// The number of what was done.
    pub number: u64,
    /// What was done.
    pub entry: Entry,
    /// Whether it had been done before under this key, and nothing was done now.
    pub repeated: bool,
}

/// What stands beside a change.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// What makes a repeat harmless.
    pub key: Option<String>,
    /// Whether it is written into the log as well, as a note about its table.
    pub note: bool,
}

/// Does something on the floor, where its giver may; once under its key.
///
/// # Errors
/// Why it is not done.
fn carry_out(
    state: &State,
    store: &Store,
    stream: StreamId,
    who: &Who,
    asked: Change,
    beside: &Beside,
) -> Result<Changed, VerbError> {
    may_change(who.role_in(stream), &asked)?;
    let key = beside.key.as_deref();
    let kept_key = key.map(|key| floor_key(&who.principal, stream, key));
    if let Some(done) = done_before(&state.floor(stream)?, kept_key.as_deref(), &asked)? {
        return Ok(done);
    }
    let may_be_noted = matches!(
        asked,
        Change::Extend { .. } | Change::CheckDecks { .. } | Change::UncheckDecks { .. }
    );
    if beside.note && !may_be_noted {
        return Err(bad_request(
            "`note` stands beside an extension or a deck check alone, also one that is taken back",
        ));
    }
    if let Change::Settle { seq } = asked {
        check_claim(store, stream, seq)?;
    }
    let mut is_noted = false;
    let done = state.floors.deciding(&state.house, stream, || {
        let floor = state.floor(stream)?;
        if let Some(done) = done_before(&floor, kept_key.as_deref(), &asked)? {
            return Ok(done);
        }
        let change = asked.clone().accepted(&floor, &*state_of(store, stream)?)?;
        let is_to_be_noted = beside.note || takes_back_noted(store, stream, &change)?;
        if let Some(place) = change.place().filter(|_| is_to_be_noted && !is_noted) {
            note(state, store, stream, who, &change, place, key)?;
            is_noted = true;
        }
        added(
            state,
            store,
            stream,
            Entry { at: now(), by: who.name.clone(), key: kept_key.clone(), change },
        )
    });
    done.map_err(|error| if is_noted { only_noted(&error) } else { error })
}

/// Refuses an event that is no claim: there is nothing to settle.
fn check_claim(store: &Store, stream: StreamId, seq: u64) -> Result<(), VerbError> {
    let event = store.load(stream, true)?;
    let found = event.log.iter().find(|(header, _)| header.seq == seq);
    match found.is_some_and(|(_, event)| matches!(event, Event::ResultClaimed(_))) {
        true => Ok(()),
        false => {
            let hint = "the log says which events are claims: it is asked for them by `kind=claim`";
            let message = format!("event {seq} is no claim of a player");
            Err(VerbError::new(Code::not_found("no-such-event"), message, hint))
        }
    }
}

/// What was done under a key already; something else under it is refused.
fn done_before(
    floor: &Arc<Floor>,
    key: Option<&str>,
    asked: &Change,
) -> Result<Option<Changed>, VerbError> {
    let Some(done) = key.and_then(|key| floor.done_under(key)) else { return Ok(None) };
    if !is_same(&done.change, asked) {
        let message = "something else was done under this key";
        let code = Code::conflict("command-id-reused");
        return Err(VerbError::new(code, message, "take a new key for something new"));
    }
    let (entry, number) = (done.clone(), number_of(floor, done));
    Ok(Some(Changed { floor: Arc::clone(floor), number, entry, repeated: true }))
}

/// Tells those who watch how a floor stands. Who is told asks for pages at once, so none that was kept is
/// given any more.
pub fn tell(state: &State, store: &Store, stream: StreamId, floor: &Floor) {
    state.changed(stream);
    // Where the log cannot be read just now, no table is told as featured.
    let round = state.horizons.round_out(store, stream).ok().flatten();
    state.live.tell(stream, "floor", &open(floor, round, now()), true);
    // The clock of a draft is the staff's, behind what everybody was told.
    if floor.clock().is_some_and(|clock| Some(clock.round) > round) {
        state.live.tell(stream, "floor", &for_staff(floor, round, now()), false);
    }
}

/// Adds what was done, and tells those who watch.
fn added(
    state: &State,
    store: &Store,
    stream: StreamId,
    entry: Entry,
) -> Result<Changed, NotDecided> {
    let floor = state.floors.add(&state.house, stream, entry.clone())?;
    tell(state, store, stream, &floor);
    state.live.tell_table(stream, &floor, &entry.change);
    Ok(Changed { number: floor.version(), floor, entry, repeated: false })
}

/// Does something on the floor that a player asks for, once under its key; `count` may refuse what was not
/// done before.
///
/// # Errors
/// Why it is not done.
pub fn by_player(
    state: &State,
    store: &Store,
    stream: StreamId,
    (principal, key): (&str, &str),
    (asked, by): (Change, Option<String>),
    count: impl FnOnce() -> Result<(), VerbError>,
) -> Result<Changed, VerbError> {
    let key = floor_key(principal, stream, key);
    let mut count = Some(count);
    state.floors.deciding(&state.house, stream, || {
        let floor = state.floor(stream)?;
        if let Some(done) = done_before(&floor, Some(&key), &asked)? {
            return Ok(done);
        }
        if let Some(count) = count.take() {
            count()?;
        }
        let change = asked.clone().accepted(&floor, &*state_of(store, stream)?)?;
        let (by, key) = (by.clone(), Some(key.clone()));
        added(state, store, stream, Entry { at: now(), by, key, change })
    })
}

/// The refusal of a change that stands in the log and not on the floor: "nothing was done" would not be so.
fn only_noted(error: &VerbError) -> VerbError {
    let message = format!("it is noted in the log, and not done on the floor: {}", error.message);
    let hint = "send it again under its key: it is not noted twice";
    VerbError::new(Code::unknown_outcome("outcome-unknown"), message, hint)
}

fn number_of(floor: &Floor, entry: &Entry) -> u64 {
    floor.entries().iter().position(|known| known == entry).map_or(0, |at| at as u64 + 1)
}

/// Whether a change that is asked for is the one that was done; a round that was not named was found.
fn is_same(done: &Change, asked: &Change) -> bool {
    let bare = |change: &Change| {
        let mut value = serde_json::to_value(change).unwrap_or_default();
        let round = value.as_object_mut().and_then(|fields| fields.remove("round"));
        (value, round.filter(|round| !round.is_null()))
    };
    let ((done, of), (asked, named)) = (bare(done), bare(asked));
    done == asked && named.is_none_or(|named| of == Some(named))
}

/// Whether a change takes back what was written into the log, where it would stand as if it held.
fn takes_back_noted(store: &Store, stream: StreamId, change: &Change) -> Result<bool, VerbError> {
    let noted = match *change {
        Change::Extend { table, minutes, round } if minutes < 0 => {
            Change::Extend { table, minutes: -minutes, round }
        }
        Change::UncheckDecks { table, round } => Change::CheckDecks { table, found: None, round },
        _ => return Ok(false),
    };
    let Some((round, _)) = noted.place() else { return Ok(false) };
    let words = in_log(round, &noted);
    let event = store.load(stream, true)?;
    let is_it = |logged: &Event| match logged {
        Event::NoteAdded(one) => text_or(&event.book, &one.note, "").starts_with(&words),
        _ => false,
    };
    Ok(event.log.iter().any(|(_, logged)| is_it(logged)))
}

/// What the log says of a change.
fn in_log(round: u16, change: &Change) -> String {
    format!("round {round}, {}", change.told())
}

/// Writes a change into the log, as a note about its table.
fn note(
    state: &State,
    store: &Store,
    stream: StreamId,
    who: &Who,
    change: &Change,
    (round, table): (u16, u32),
    key: Option<&str>,
) -> Result<(), VerbError> {
    let about = state_of(store, stream)?.at_table(round, table).map(|found| found.seq());
    let id = key.map(|key| command_id(&who.principal, stream, &format!("floor {key} note")));
    let note = Note { text: in_log(round, change), about };
    let asked = Asked { id, expected: None };
    orders::record(&who.asker(state), store, stream, asked, &note.into()).0.map(drop)
}

/// Returns the floor of a tournament of the store in a folder, for the command line: from the server
/// that has it, or from the house; none where nothing was ever done.
///
/// # Errors
/// Where it cannot be read.
pub fn of_store(folder: &std::path::Path, stream: StreamId) -> Result<Option<Floor>, VerbError> {
    if let Some(server) = Server::of(folder) {
        let json =
            server.ask_json("GET", &format!("/api/v1/tournaments/{stream}/floor/entries"), None)?;
        let entries: Vec<Entry> =
            serde_json::from_value(json["entries"].clone()).map_err(not_kept)?;
        return Ok(Some(Floor::of(entries)).filter(|floor| floor.version() > 0));
    }
    in_folder(folder, stream)
}

fn answer(status: StatusCode, json: &Value) -> Response {
    let kinds = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, kinds, format!("{json}\n")).into_response()
}

/// Says how the floor stands.
///
/// # Errors
/// Where there is no such tournament.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    let shared = Arc::clone(&state);
    let read = state.read(move |store| {
        let stream = find(store, &id)?;
        let floor = shared.floor(stream)?;
        let mut told = match Need::Staff.admits(who.role_in(stream)) {
            true => whole(&floor, &*state_of(store, stream)?, now()),
            false => {
                check_there(store, stream)?;
                open(&floor, shared.horizons.round_out(store, stream)?, now())
            }
        };
        tell_rewritten(store, stream, &mut told)?;
        Ok(told)
    });
    Ok(answer(StatusCode::OK, &read.await?))
}

/// Gives everything that was done on the floor.
///
/// # Errors
/// Where there is no such tournament, or its reader is not of the staff.
pub async fn entries(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Response, Refusal> {
    let shared = Arc::clone(&state);
    let read = state.read(move |store| {
        who.check(Need::Drafts)?;
        let stream = find(store, &id)?;
        who.check_in(Need::Drafts, stream)?;
        let mut told = in_file(&*shared.floor(stream)?);
        tell_rewritten(store, stream, &mut told)?;
        Ok(told)
    });
    Ok(answer(StatusCode::OK, &read.await?))
}

async fn carried(
    state: &Arc<State>,
    id: String,
    who: Who,
    change: Change,
    beside: Beside,
) -> Result<Changed, Refusal> {
    who.check(Need::ByOrder)?;
    if matches!(change, Change::Device { .. }) {
        return Err(bad_request("only the server says where an event came from").into());
    }
    let stream = state.read(move |store| find(store, &id)).await?;
    who.check_in(Need::ByOrder, stream)?;
    let done = state
        .act(stream, move |state, store| carry_out(state, store, stream, &who, change, &beside));
    Ok(done.await?)
}

fn told(changed: &Changed) -> Response {
    let status = if changed.repeated { StatusCode::OK } else { StatusCode::CREATED };
    let mut json = json!({
        "number": changed.number,
        "version": changed.floor.version(),
        "repeated": changed.repeated,
        "done": changed.entry.change,
        "at": changed.entry.at,
        "by": changed.entry.by,
    });
    if let Change::Call { .. } = changed.entry.change {
        let calls = changed.floor.entries().iter().take(changed.number as usize);
        json["call"] = calls.filter(|one| matches!(one.change, Change::Call { .. })).count().into();
    }
    answer(status, &json)
}

/// Reads what is to be done; `note` may stand beside it.
fn read(mut value: Value) -> Result<(Change, bool), VerbError> {
    let Some(fields) = value.as_object_mut() else {
        return Err(bad_request("what is done on the floor is an object whose key `do` names it"));
    };
    let note = match fields.remove("note") {
        None => false,
        Some(note) => note.as_bool().ok_or_else(|| bad_request("`note` is `true` or `false`"))?,
    };
    let change = serde_json::from_value(value)
        .map_err(|error| bad_request(format!("this cannot be done on the floor: {error}")))?;
    Ok((change, note))
}

/// Does something on the floor.
///
/// # Errors
/// Why it is not done.
pub async fn change(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::ByOrder)?;
    let (change, note) = read(value_of(&body, UNREAD)?)?;
    let beside = Beside { key: who.needed_key(&headers)?, note };
    Ok(told(&carried(&state, id, who, change, beside).await?))
}

/// Calls a judge.
///
/// # Errors
/// Why it is not done.
pub async fn call(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::ByOrder)?;
    let mut value = value_of(&body, UNREAD)?;
    match value.as_object_mut() {
        Some(fields) => drop(fields.insert("do".into(), "call".into())),
        None => return Err(bad_request("a call is an object with `table` and `what`").into()),
    }
    let (change, note) = read(value)?;
    let beside = Beside { key: who.needed_key(&headers)?, note };
    Ok(told(&carried(&state, id, who, change, beside).await?))
}

/// The refusal of a form that cannot be read, for whoever filled it in.
fn of_page(message: String) -> VerbError {
    let hint = "look at what was typed, or load the page again, then try again";
    VerbError::new(Code::invalid("bad-request"), message, hint)
}

/// The change that a form asks for.
fn of_form(fields: &[(String, String)]) -> Result<(Change, bool), VerbError> {
    let yes = |value: &str| matches!(value, "on" | "true" | "1" | "yes");
    let mut object = Map::new();
    for (name, value) in fields.iter().filter(|(name, _)| !AROUND.contains(&&name[..])) {
        let (name, value) = (&name[..], value.trim());
        let value = match name {
            _ if value.is_empty() => continue,
            "on" => Value::from(yes(value)),
            name if NUMBERS.contains(&name) => Value::from(
                value.parse::<i64>().map_err(|_| of_page(format!("{value:?} is no number")))?,
            ),
            _ => Value::from(value),
        };
        object.insert(name.to_string(), value);
    }
    let note = fields.iter().any(|(name, value)| name == "note" && yes(value));
    // What a form says, and not how a program would have to.
    let wrong = "a field is empty that has to be filled in, or a number cannot be meant";
    let change =
        serde_json::from_value(Value::Object(object)).map_err(|_| of_page(wrong.into()))?;
    Ok((change, note))
}

/// Does what a form asks for, and leads back to its page.
pub async fn form(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    let fields = match fields_of(posted) {
        Ok(fields) => fields,
        Err(error) => return Refusal::from(error).into_response(),
    };
    let back = back_of(&fields, &format!("/t/{}/floor", encoded(&id)));
    let asked = async {
        who.check_signer(field(&fields, "signer"))?;
        who.check(Need::ByOrder)?;
        let (change, note) = of_form(&fields)?;
        let beside = Beside { key: key_of(field(&fields, "key"))?, note };
        carried(&state, id, who, change, beside).await
    };
    match asked.await {
        Ok(changed) if wants_json(&headers) => told(&changed),
        Ok(changed) => see(with_query(&back, &[("floor", changed.number.to_string())])),
        Err(refusal) if wants_json(&headers) => refusal.into_response(),
        Err(refusal) => refused_at(&back, &refusal, vec![]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_does_what_a_program_does() {
        let fields = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
        };
        let asked =
            [("do", "extend"), ("table", "12"), ("minutes", "5"), ("note", "on"), ("key", "k")];
        let extend = Change::Extend { table: 12, minutes: 5, round: None };
        assert_eq!(of_form(&fields(&asked)).expect("read"), (extend, true));
        let asked = [("do", "feature"), ("table", "1"), ("on", "false"), ("round", "")];
        let feature = Change::Feature { table: 1, on: false, round: None };
        assert_eq!(of_form(&fields(&asked)).expect("read"), (feature, false));
        assert!(of_form(&fields(&[("do", "extend"), ("table", "x"), ("minutes", "1")])).is_err());
        assert!(of_form(&fields(&[("do", "fly")])).is_err());
    }

    /// The button of the desk that lets a result stand against a late report was refused with the name of a
    /// type, and so was the one that keeps a player who had wished to drop.
    #[test]
    fn every_number_of_a_form_is_read_as_one_and_no_refusal_names_a_type() {
        let fields = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
        };
        let read = |all: &[(&str, &str)]| of_form(&fields(all)).expect("read").0;
        let settle = read(&[("do", "settle"), ("seq", "116"), ("key", "k")]);
        assert_eq!(settle, Change::Settle { seq: 116 });
        let wish = [Change::WishDrop { player: 7 }, Change::EndWish { player: 7 }];
        assert_eq!(
            ["wish-drop", "end-wish"].map(|word| read(&[("do", word), ("player", "7")])),
            wish
        );
        for change in [
            &[("do", "settle"), ("seq", "x")][..],
            &[("do", "settle"), ("seq", "-1")],
            &[("do", "settle"), ("seq", "99999999999999999999")],
            &[("do", "extend"), ("table", "99999999999"), ("minutes", "5")],
            &[("do", "extend"), ("table", ""), ("minutes", "5")],
            &[("do", "fly")],
            &[],
        ] {
            let refused = of_form(&fields(change)).expect_err("refused");
            let said = refused.told();
            for word in ["u16", "u32", "u64", "i32", "invalid", "expected", "`", "API"] {
                assert!(!said.contains(word), "{change:?}: {said}");
            }
        }
    }

    #[test]
    fn what_is_noted_and_not_done_on_the_floor_is_not_said_to_be_nothing() {
        use crate::gate::Role;
        use crate::pages::kit::{break_floors, hall, state};
        let (hall, state, who) = (hall(), state(), Who::in_role(Role::Judge));
        break_floors(&state, hall.stream);
        let extend = Change::Extend { table: 1, minutes: 5, round: None };
        let give = |note| {
            let beside = Beside { key: Some("k".into()), note };
            let given = carry_out(&state, &hall.store, hall.stream, &who, extend.clone(), &beside);
            let error = given.err().expect("it cannot be kept");
            (
                Refusal::from(error).status().as_u16(),
                state_of(&hall.store, hall.stream).map(|now| now.head()),
            )
        };
        let (before, noted, again) = (give(false), give(true), give(true));
        assert_eq!((before.0, noted.0, again.0), (503, 504, 504));
        let [before, noted, again] = [before, noted, again].map(|(_, head)| head.expect("read"));
        assert_eq!((noted, again), (before + 1, before + 1), "it is noted once");
    }

    #[test]
    fn minutes_that_the_log_names_are_taken_back_in_the_log_too() {
        use crate::gate::Role;
        use crate::pages::kit::{hall, state};
        let (hall, state, who) = (hall(), state(), Who::in_role(Role::Judge));
        let give = |minutes, note| {
            let change = Change::Extend { table: 1, minutes, round: None };
            let beside = Beside { key: None, note };
            carry_out(&state, &hall.store, hall.stream, &who, change, &beside).expect("given");
        };
        let noted = || {
            let event = hall.store.load(hall.stream, true).expect("loaded");
            let words = |logged: &Event| match logged {
                Event::NoteAdded(one) => Some(text_or(&event.book, &one.note, "")),
                _ => None,
            };
            event.log.iter().filter_map(|(_, logged)| words(logged)).collect::<Vec<_>>()
        };
        give(3, false);
        give(-3, false);
        assert_eq!(noted(), [""; 0], "the log names none of them");
        give(5, true);
        give(-5, false);
        let both = ["round 1, table 1: 5 min more", "round 1, table 1: 5 min taken back"];
        assert_eq!(noted(), both);
    }

    #[test]
    fn the_same_change_is_known_whether_its_round_was_named_or_not() {
        let more = |round| Change::Extend { table: 3, minutes: 5, round };
        assert!(is_same(&more(Some(1)), &more(None)) && is_same(&more(Some(1)), &more(Some(1))));
        assert!(!is_same(&more(Some(1)), &more(Some(2))));
        assert!(!is_same(&more(Some(1)), &Change::StandUp {}));
    }
}

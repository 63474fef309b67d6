//! Orders over HTTP: one or many, each done once under its key.

use crate::body::{UNREAD, check_objects, object_of, value_of, wrong_field};
use crate::editions::resolved;
use crate::gate::{Need, may};
use crate::horizon::last_told;
use crate::kept::LINES;
use crate::live::{state_of, tag_of};
use crate::once::{command_id, header_of, one_header, stream_id};
use crate::problem::{IF_MATCH_NEEDED, Refusal, bad_request};
use crate::seen::{Seen, expected, tag_at};
use crate::state::State;
use crate::taken_back;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::asker::Asker;
use scrutineer_desk::desk::Asked;
use scrutineer_desk::looking::{NO_REASON, of_line};
use scrutineer_desk::orders::{self, Announce, New, Order, Told};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use scrutineer_engine::record::{CommandId, StreamId};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

/// How many orders stand in a request at most.
pub const MOST_ORDERS: usize = 1_000;

/// What the reader of JSON says of a text without line breaks.
const AT_LINE_1: &str = " at line 1 column ";

/// What a program says of an order beside what it asks for.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// What makes a repeat harmless.
    pub key: Option<String>,
    /// Where the log stood when the order was decided on.
    pub seen: Option<Seen>,
    /// Whether an order that needs that is refused without it.
    pub must_have_seen: bool,
}

/// An order that was carried out.
pub struct Carried {
    /// What was told.
    pub told: Told,
    /// The same for programs.
    pub json: Value,
    /// Where the log stood once it was carried out, as its ETag; none: that cannot be read.
    pub head: Option<String>,
}

impl Carried {
    /// Returns the status: 201 where something was recorded now.
    pub fn status(&self) -> StatusCode {
        match self.told.done {
            Some(_) if !self.told.repeated => StatusCode::CREATED,
            _ => StatusCode::OK,
        }
    }
}

/// Carries out an order, where its giver may, and counts it.
///
/// # Errors
/// Why it is refused: then nothing was recorded.
pub fn carry_out(
    state: &State,
    store: &Store,
    stream: StreamId,
    who: &Who,
    order: &Order,
    beside: &Beside,
) -> Result<Carried, Refusal> {
    let begun = Instant::now();
    let done = carried(state, store, stream, who, order, beside);
    let code = done.as_ref().err().map(|refusal| refusal.error.code.word);
    state.counted.order(order.verb(), code, begun.elapsed());
    done
}

fn carried(
    state: &State,
    store: &Store,
    stream: StreamId,
    who: &Who,
    order: &Order,
    beside: &Beside,
) -> Result<Carried, Refusal> {
    let role = who.role_in(stream);
    may(role, order)?;
    let id = beside.key.as_ref().map(|key| command_id(&who.principal, stream, key));
    let body = serde_json::to_vec(order).unwrap_or_default();
    let known = match id {
        Some(id) => store.log().command(stream, id).map_err(StoreError::from)?,
        None => None,
    };
    let at_head = |error: VerbError| Refusal {
        head: tag_of(store, stream).ok().map(Into::into),
        ..Refusal::from(error)
    };
    let sent = id.zip(beside.key.as_deref());
    if sent.is_some_and(|(id, key)| known.is_some() && state.house.sent_otherwise(id, key, &body)) {
        return Err(at_head(sent_otherwise()));
    }
    // What was recorded already needs no look at what stands now.
    let expected = match (&beside.seen, known) {
        (_, Some(_)) => None,
        (Some(Seen::Page(_)), None) if !orders::is_decided_on_sight(order) => None,
        (Some(seen), None) => expected(store, stream, order, seen)?,
        (None, None) if beside.must_have_seen && orders::is_decided_on_sight(order) => {
            let message = format!("`{}` is decided on what stands: say what you saw", order.verb());
            let hint = "send the tournament's ETag as If-Match";
            return Err(at_head(VerbError::new(IF_MATCH_NEEDED, message, hint)));
        }
        (None, None) => None,
    };
    let asker = who.asker(state);
    if known.is_none() {
        taken_back::check(role, &asker, store, stream, order)?;
    }
    let as_read = as_read(state, store, stream, order)?;
    let given = as_read.as_ref().unwrap_or(order);
    let (answer, notes) = orders::record(&asker, store, stream, Asked { id, expected }, given);
    let mut told = match (answer, known) {
        (Ok(told), _) => told,
        (Err(error), Some(_)) if error.code == "command-id-reused" => return Err(at_head(error)),
        // It was recorded and cannot be told again as it was, since more happened: its numbers stand.
        (Err(_), Some(trace)) => {
            let done = Some((trace.first_seq, trace.last_seq));
            Told { done, repeated: true, ..Told::default() }
        }
        (Err(error), None) => return Err(at_head(error)),
    };
    told.notes.extend(notes);
    state.other_program.goes_on(stream, &mut told);
    if let (Order::Claim(_), Some((seq, _)), false) = (order, told.done, told.repeated)
        && let Some(device) = &who.device
        && let Err(error) = state.floors.came_from(&state.house, stream, seq, device)
    {
        // The claim is on the disk: nothing that comes behind it may fail.
        told.notes.push(format!("from which device it came is not kept: {}", error.message));
    }
    if let Some((id, key)) = sent {
        state.house.remember_sent(id, key, &body);
    }
    let json = answer_json(state, &asker, store, stream, order.verb(), &told);
    // Whoever sends it again has not seen what others recorded since.
    let head = match told.done.filter(|_| told.repeated) {
        Some((_, last)) => tag_at(store, stream, last).ok().flatten(),
        None => tag_of(store, stream).ok(),
    };
    Ok(Carried { told, json, head })
}

/// An announcement without a round, where standings are hidden: of the table that everybody reads, and not into a
/// round without a result, of which it would count the byes.
fn as_read(
    state: &State,
    store: &Store,
    stream: StreamId,
    order: &Order,
) -> Result<Option<Order>, VerbError> {
    let Order::Announce(Announce { through: None }) = order else { return Ok(None) };
    let told = last_told(&state.horizons.policy(stream), false, &*state_of(store, stream)?);
    Ok(told.filter(|told| *told > 0).map(|told| Announce { through: Some(told) }.into()))
}

/// Returns the refusal of another order under a key that was used.
pub fn sent_otherwise() -> VerbError {
    let message = "something else was recorded under this key";
    let code = Code::conflict("command-id-reused");
    VerbError::new(code, message, "take a new key for a new order")
}

/// The key of a line of a list, made of the key of the list and of its place.
fn key_of_line(key: &str, number: usize) -> String {
    format!("{key}#{number}")
}

/// Refuses a key under which something was recorded: a single order's, where a list comes under it, and that of a
/// list's first line, where a single order does.
fn check_unused(store: &Store, stream: StreamId, who: &Who, key: &str) -> Result<(), VerbError> {
    let id = command_id(&who.principal, stream, key);
    match store.log().command(stream, id).map_err(StoreError::from)? {
        Some(_) => Err(sent_otherwise()),
        None => Ok(()),
    }
}

/// What is answered to an order, for programs.
fn answer_json(
    state: &State,
    asker: &Asker,
    store: &Store,
    stream: StreamId,
    verb: &str,
    told: &Told,
) -> Value {
    let (tournament, _) =
        orders::at_stream(asker, store, stream, Asked::default(), |at| Ok(at.tournament()));
    let tournament =
        tournament.unwrap_or_else(|_| scrutineer_desk::answers::TournamentName::untitled(stream));
    let mut told = told.clone();
    if !told.json.is_object() {
        told.json = json!({});
    }
    let mut json = serde_json::to_value(told.answer(tournament)).unwrap_or_default();
    // Lots have an order of their own: the players', which the verb would stand in for.
    if let Some(drawn) = json.get_mut("order").map(Value::take) {
        json["drawn"] = drawn;
    }
    json["order"] = verb.into();
    json["by"] = told.done.and_then(|(first, _)| recorder(state, store, stream, first)).into();
    json["repeated"] = told.repeated.into();
    json["next"] = told.next.into();
    json
}

/// Who recorded an event, as the log calls them now. It is on the disk: nothing that comes behind it may fail.
fn recorder(state: &State, store: &Store, stream: StreamId, seq: u64) -> Option<String> {
    let book = store.book(stream).ok()?;
    let kept = || state.named.lock().unwrap_or_else(PoisonError::into_inner);
    // Nobody else waits while a log is read.
    let mut named = kept().remove(&stream).unwrap_or_default();
    let found = named.who_recorded(store.log(), stream, &book, seq);
    kept().insert(stream, named);
    found.ok().flatten()
}

/// Returns the tournament that a path names: by its id, its first eight digits or more, or its whole title.
///
/// # Errors
/// Where there is none.
pub fn find(store: &Store, name: &str) -> Result<StreamId, VerbError> {
    Ok(store.find_whole(name)?)
}

/// Finds the tournament that a path names, for somebody who may give orders in it.
pub fn found_by(
    who: &Who,
    name: String,
) -> impl FnOnce(&Store) -> Result<StreamId, VerbError> + Send + 'static {
    let who = who.clone();
    move |store| {
        let stream = find(store, &name)?;
        who.check_in(Need::ByOrder, stream)?;
        Ok(stream)
    }
}

/// Reads an order.
///
/// # Errors
/// Where it is none.
pub fn order_of(value: Value) -> Result<Order, VerbError> {
    let no_order = || bad_request("an order is an object whose key `order` names the verb");
    if !value.is_object() {
        return Err(no_order());
    }
    let order = Order::deserialize(&value).map_err(|error| {
        let why = error.to_string();
        match value.get("order").and_then(Value::as_str) {
            None | Some("") => no_order(),
            Some(verb) => bad_request(match wrong_field::<Order>(&value, &why) {
                Some(field) => format!("the order `{verb}` cannot be read: `{field}`: {why}"),
                None => format!("the order `{verb}` cannot be read: {why}"),
            }),
        }
    })?;
    check_objects(&value, &order, &format!("the order `{}` cannot be read", order.verb()))?;
    Ok(order)
}

/// As [`order_of`], an order that is only tried: nobody has to give a reason for what does not happen, or to say what
/// is claimed.
///
/// # Errors
/// Where it is none.
pub fn tried_of(value: Value) -> Result<Order, VerbError> {
    let refused = match order_of(value.clone()) {
        Ok(order) => return Ok(order),
        Err(refused) => refused,
    };
    let is_missing =
        |name: &&'static str| refused.message.ends_with(&format!("missing field `{name}`"));
    let missing = ["reason", "claim"].into_iter().find(is_missing);
    match (missing, value) {
        (Some(name), Value::Object(mut order)) if !order.contains_key(name) => {
            order.insert(name.into(), NO_REASON.into());
            tried_of(order.into())
        }
        _ => Err(refused),
    }
}

/// Reads the orders of a body: one, an array of them, by itself or as `orders` of an object, or one a line; and whether
/// they are many, which are answered by lines.
///
/// # Errors
/// Where they are none, or too many.
pub fn orders_of(headers: &HeaderMap, body: &[u8]) -> Result<(Vec<Value>, bool), VerbError> {
    let kind = header_of(headers, "content-type").unwrap_or("");
    let read = |json: &[u8]| value_of(json, UNREAD);
    let (orders, many) = if kind.starts_with(LINES) {
        let lines = body.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let read = (1_usize..).zip(lines).map(|(number, line)| {
            // A line has no lines: which one it is stands before.
            read(line).map_err(|error| VerbError {
                message: of_line(number, &error.message.replace(AT_LINE_1, " at column ")),
                ..error
            })
        });
        (read.collect::<Result<Vec<Value>, _>>()?, true)
    } else {
        let mut sent = read(body)?;
        let list = sent.as_object_mut().filter(|object| object.len() == 1);
        let list = list.and_then(|object| object.get_mut("orders")).filter(|list| list.is_array());
        if let Some(list) = list {
            sent = list.take();
        }
        match sent {
            Value::Array(orders) => (orders, true),
            one => (vec![one], false),
        }
    };
    if orders.len() > MOST_ORDERS {
        let message = format!("{} orders are more than {MOST_ORDERS}", orders.len());
        let code = Code::too_large("too-large");
        return Err(VerbError::new(code, message, "send them in parts"));
    }
    Ok((orders, many))
}

fn quoted(tag: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{tag}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// The answer to one order.
pub fn answered(carried: Carried) -> Response {
    let mut response = (carried.status(), format!("{}\n", carried.json)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(head) = &carried.head {
        headers.insert(header::ETAG, quoted(head));
    }
    if carried.told.repeated {
        headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
    }
    response
}

/// Carries out the orders of a request.
///
/// # Errors
/// Why none of them could be.
pub async fn post(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::ByOrder)?;
    let found = found_by(&who, id);
    let key = who.needed_key(&headers)?;
    let seen = one_header(&headers, "If-Match")?.map(|tag| Seen::Tag(tag.to_string()));
    let (values, many) = orders_of(&headers, &body)?;
    let beside = Beside { key, seen, must_have_seen: true };
    if !many {
        let order = values
            .into_iter()
            .next()
            .map_or_else(|| Err(bad_request("there is no order")), order_of)?;
        let order = resolved(&state.editions.now(), order)?;
        let done = state.act_found(found, move |state, store, stream| {
            if let Some(key) = &beside.key {
                check_unused(store, stream, &who, &key_of_line(key, 1))?;
            }
            Ok(carry_out(state, store, stream, &who, &order, &beside))
        });
        return Ok(answered(done.await??));
    }
    let (sender, key) = (who.clone(), beside.key.clone());
    let stream = state.read(move |store| {
        let stream = found(store)?;
        if let Some(key) = key {
            check_unused(store, stream, &sender, &key)?;
        }
        Ok(stream)
    });
    let stream = stream.await?;
    let (mut lines, mut seen) = (String::new(), beside.seen);
    for (number, value) in (1..).zip(values) {
        let key = beside.key.as_ref().map(|key| key_of_line(key, number));
        let beside = Beside { key, seen: seen.clone(), must_have_seen: true };
        let who = who.clone();
        let done = match order_of(value).and_then(|order| resolved(&state.editions.now(), order)) {
            Ok(order) => {
                let done = state.act(stream, move |state, store| {
                    Ok(carry_out(state, store, stream, &who, &order, &beside))
                });
                done.await.map_err(Refusal::from).and_then(|done| done)
            }
            Err(error) => Err(error.into()),
        };
        let is_stale =
            done.as_ref().is_err_and(|refusal| refusal.error.code.kind == ErrorKind::Stale);
        let line = match done {
            Ok(carried) => {
                let status = carried.status().as_u16();
                // What stands behind an order that saw the log is what its giver knows next.
                seen = seen.map(|seen| carried.head.map_or(seen, Seen::Tag));
                let mut line = carried.json;
                line["status"] = status.into();
                line
            }
            Err(refusal) => refusal.json(),
        };
        lines.push_str(&with_line(line, number));
        // Who has not seen what stands decides anew, about the rest too.
        if is_stale {
            break;
        }
    }
    let kind = [(header::CONTENT_TYPE, LINES), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, lines).into_response())
}

fn with_line(mut line: Value, number: usize) -> String {
    line["line"] = number.into();
    format!("{line}\n")
}

/// Opens a tournament.
///
/// # Errors
/// Why it is not opened.
pub async fn open(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    who.check(Need::Owner)?;
    let key = who.needed_key(&headers)?;
    let unread = "this opens no tournament";
    let new: New = object_of(&body, unread)?;
    check_objects(&value_of(&body, unread)?, &new, unread)?;
    let (stream, carried) = opened(&state, who, new, key).await?;
    let mut response = answered(carried);
    let place = HeaderValue::from_str(&format!("/api/v1/tournaments/{stream}"));
    if let Ok(place) = place {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

/// Opens a tournament, once under a key.
///
/// # Errors
/// Why it is not opened.
pub async fn opened(
    state: &Arc<State>,
    who: Who,
    new: New,
    key: Option<String>,
) -> Result<(StreamId, Carried), Refusal> {
    let done = state.act_alone(move |state, store| {
        let asker = who.asker(state);
        let id = key.as_deref().map(|key| stream_id(&who.principal, key));
        let body = serde_json::to_vec(&new).unwrap_or_default();
        let sent = id.map(|id| CommandId(u128::from_le_bytes(id.0))).zip(key.as_deref());
        if let Some((id, key)) = sent
            && state.house.sent_otherwise(id, key, &body)
        {
            return Err(sent_otherwise());
        }
        let (stream, told) = orders::open_as(&asker, store, &new, id)?;
        if let Some((id, key)) = sent {
            state.house.remember_sent(id, key, &body);
        }
        let json = answer_json(state, &asker, store, stream, "new", &told);
        // Sent again, it is answered as it was: whoever goes on from there has seen nothing that came later.
        let head = match told.done.filter(|_| told.repeated) {
            Some((_, last)) => tag_at(store, stream, last).ok().flatten(),
            None => tag_of(store, stream).ok(),
        };
        Ok((stream, Carried { told, json, head }))
    });
    Ok(done.await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Role;
    use crate::pages::kit::{break_floors, hall, state};
    use scrutineer_desk::orders::{Claim, Note};

    #[test]
    fn an_order_that_cannot_be_read_is_told_with_the_field_that_is_wrong() {
        let told = |order: Value| order_of(order).expect_err("no order").message;
        let slip = json!({"order": "result", "slip": 1, "round": 2});
        assert!(told(slip).contains("cannot be read: `slip`: invalid type"));
        let people = json!({"order": "enroll", "people": [{"name": 1}]});
        assert!(told(people).contains("cannot be read: `people`: invalid type"));
        assert!(told(json!({"order": "result"})).contains("missing field `slip`"));
        for no_object in [json!([]), json!(["publish"]), json!(["result", "1 2-0", null])] {
            assert!(told(no_object).contains("key `order` names the verb"));
        }
        let people = json!({"order": "enroll", "people": [{"name": "Ann"}, ["Bob"]]});
        assert!(told(people).ends_with("`people`: an object is expected, and no list"));
        let person = json!({"order": "late", "person": ["Ann"]});
        assert!(told(person).ends_with("`person`: an object is expected, and no list"));
    }

    #[test]
    fn an_order_that_says_something_twice_is_refused_and_not_taken_by_its_last_word() {
        let twice = br#"{"order":"result","slip":"1 2-0","slip":"1 0-2"}"#;
        let lines = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(LINES))]);
        for headers in [HeaderMap::new(), lines] {
            let told = orders_of(&headers, twice).expect_err("refused").message;
            assert!(told.contains("`slip` stands twice in one object"), "{told}");
        }
    }

    #[test]
    fn orders_are_read_one_by_itself_in_an_array_as_orders_and_a_line_each() {
        let [one, other] = [r#"{"order":"note","text":"a"}"#, r#"{"order":"note","text":"b"}"#];
        let by_line =
            HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(LINES))]);
        let read = |headers: &HeaderMap, body: &str| {
            orders_of(headers, body.as_bytes()).map_err(|error| error.message)
        };
        let json = |body: &str| read(&HeaderMap::new(), body);
        let lines = |body: &str| read(&by_line, body);
        let both: Vec<Value> =
            [one, other].map(|text| serde_json::from_str(text).expect("JSON")).to_vec();
        assert_eq!(json(one), Ok((both[..1].to_vec(), false)));
        assert_eq!(json(&format!("[{one},{other}]")), Ok((both.clone(), true)));
        assert_eq!(json(&format!(r#"{{"orders":[{one},{other}]}}"#)), Ok((both.clone(), true)));
        assert_eq!(lines(&format!("{one}\n\n{other}\n")), Ok((both, true)));
        let unread = lines(&format!("{one}\n{{\n")).expect_err("no JSON");
        assert!(unread.starts_with("line 2: this cannot be read: "), "{unread}");
        assert!(unread.contains(" at column ") && !unread.contains("line 1"), "{unread}");
        // With something beside them they are no list.
        let (values, many) = json(&format!(r#"{{"orders":[{one}],"key":"k"}}"#)).expect("JSON");
        assert!(!many && order_of(values[0].clone()).is_err());
        let many = vec![one; MOST_ORDERS + 1];
        let too_many = Err("1001 orders are more than 1000".to_string());
        let list = format!("[{}]", many.join(","));
        assert_eq!(json(&list), too_many);
        assert_eq!(json(&format!(r#"{{"orders":{list}}}"#)), too_many);
        assert_eq!(lines(&many.join("\n")), too_many);
    }

    #[test]
    fn what_is_only_tried_needs_no_reason_and_everything_else_that_an_order_needs() {
        let correct = json!({ "order": "correct", "slip": "1 2-0" });
        assert!(order_of(correct.clone()).is_err(), "what is recorded has a reason");
        let Ok(Order::Correct(read)) = tried_of(correct) else { panic!("another order") };
        assert_eq!((&read.slip[..], &read.reason[..]), ("1 2-0", NO_REASON));
        let given = json!({ "order": "withdraw", "seq": 3, "reason": "typo" });
        let Ok(Order::Withdraw(read)) = tried_of(given) else { panic!("another order") };
        assert_eq!(read.reason, "typo");
        assert!(tried_of(json!({ "order": "dispute", "table": "1" })).is_ok());
        for (order, missing) in [("correct", "slip"), ("advance", "table"), ("dispute", "table")] {
            let told = tried_of(json!({ "order": order })).expect_err("refused").message;
            assert!(told.ends_with(&format!("missing field `{missing}`")), "{told}");
        }
        let unknown = json!({ "order": "pair", "reason": "why" });
        assert!(tried_of(unknown).is_err(), "`pair` takes no reason");
    }

    #[test]
    fn an_answer_says_who_recorded_it_and_the_same_when_it_is_sent_again() {
        let (hall, state) = (hall(), state());
        let by = |who: &Who, key: &str, text: &str| {
            let note: Order = Note { text: text.into(), about: None }.into();
            let beside = Beside { key: Some(key.into()), ..Beside::default() };
            let carried = carry_out(&state, &hall.store, hall.stream, who, &note, &beside);
            let json = carried.expect("it is recorded").json;
            (json["repeated"] == true, json["by"].as_str().map(str::to_string))
        };
        let named = Who::in_role(Role::Scorekeeper);
        let mut nameless = named.clone();
        nameless.name = None;
        nameless.principal = "session 7b21".into();
        let mut in_capitals = named.clone();
        in_capitals.name = Some("BO PARK".into());
        in_capitals.principal = "session 5c90".into();
        let (bo, nobody) = (Some("Bo Park".to_string()), Some("actor 1".to_string()));
        assert_eq!(by(&named, "a", "one"), (false, bo.clone()));
        assert_eq!(by(&nameless, "a", "two"), (false, nobody.clone()));
        // It is the person whom the log names already.
        assert_eq!(by(&in_capitals, "a", "three"), (false, bo.clone()));
        state.named.lock().expect("not poisoned").clear();
        assert_eq!(by(&named, "a", "one"), (true, bo));
        assert_eq!(by(&nameless, "a", "two"), (true, nobody));
    }

    #[test]
    fn a_claim_that_is_on_the_disk_is_answered_so_where_its_device_cannot_be_kept() {
        let (hall, state, who) = (hall(), state(), Who::in_role(Role::Judge));
        break_floors(&state, hall.stream);
        let claim: Order = Claim { slip: "ann 2-0".into() }.into();
        let beside = Beside { key: Some("k".into()), ..Beside::default() };
        let give = || carry_out(&state, &hall.store, hall.stream, &who, &claim, &beside);
        let head = hall.store.log().head(hall.stream).expect("a head").seq;
        let carried = give().expect("it is recorded");
        assert_eq!(
            (carried.status().as_u16(), carried.told.done),
            (201, Some((head + 1, head + 1)))
        );
        let told = &carried.json["notes"][0];
        assert!(told.as_str().is_some_and(|note| note.contains("device")), "{}", carried.json);
        assert_eq!(give().expect("the same").status().as_u16(), 200);
    }
}

//! Orders of pages: a form is posted, and its page says what came of it.

use crate::editions::resolved;
use crate::fields as read;
use crate::gate::Need;
use crate::once::key_of;
use crate::orders_api::{Beside, Carried, answered, carry_out, find, found_by, opened};
use crate::pages::Said;
use crate::pages::confirm;
use crate::pages::tournaments::new_page;
use crate::posted::{
    Fields, Posted, back_of, field, fields_for, fields_of, is_own, new_key, refused_at, see,
    see_beside, wants_json, with_query,
};
use crate::problem::{Refusal, bad_request, status_of};
use crate::query::encoded;
use crate::reader::Reader;
use crate::seen::{Seen, expected};
use crate::sites::{Asked, Make, looked_at};
use crate::state::State;
use crate::who::Who;
use axum::extract::{Path, State as Shared};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use std::sync::Arc;

/// What was typed and is to stand in its field again: a slip, a list of players.
fn typed_again(fields: &Fields) -> Vec<(&'static str, String)> {
    const AGAIN: [(&str, &str); 3] = [("slip", "typed"), ("people", "people"), ("csv", "csv")];
    let again = AGAIN.iter().filter_map(|(name, to)| Some((*to, field(fields, name)?.to_string())));
    again.collect()
}

/// Carries out the order of a form.
pub async fn post(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    reader: Reader,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    let fields = match fields_of(posted) {
        Ok(fields) => fields,
        Err(error) => return Refusal::from(error).into_response(),
    };
    let id_shown = id.clone();
    let back = back_of(&fields, &format!("/t/{}/desk", encoded(&id)));
    if !wants_json(&headers)
        && let Some(page) = asked_first(&state, &id, &who, reader, &fields, &back).await
    {
        return Html(page).into_response();
    }
    match carried(&state, id, who, &fields).await {
        Ok(done) if wants_json(&headers) => answered(done),
        Ok(done) => {
            let first = done.told.done.map_or(String::new(), |(first, _)| first.to_string());
            // A correction is answered by who moves.
            let back = match (field(&fields, "order"), done.told.done) {
                (Some("correct"), Some((first, _))) => {
                    format!("/t/{}/moved/{first}", encoded(&id_shown))
                }
                // It has no page any more.
                (Some("remove"), _) => "/".into(),
                _ => back,
            };
            // Who of a list was there before is told beside it, by number.
            let already = done.json.get("already").and_then(|all| all.as_array());
            let numbers = already.into_iter().flatten().filter_map(|one| one.get("number"));
            let numbers: Vec<String> = numbers.map(ToString::to_string).collect();
            see(match numbers.is_empty() {
                true => with_query(&back, &[("done", first)]),
                false => with_query(&back, &[("done", first), ("already", numbers.join("-"))]),
            })
        }
        Err(refusal) if wants_json(&headers) => refusal.into_response(),
        Err(refusal) => refused_at(&back, &refusal, typed_again(&fields)),
    }
}

/// The page that asks before an order of a form is carried out, where something speaks against it and
/// nobody has said yet that it is meant. What is refused anyway is asked about by nobody.
async fn asked_first(
    state: &Arc<State>,
    id: &str,
    who: &Who,
    reader: Reader,
    fields: &Fields,
    back: &str,
) -> Option<String> {
    let order = read::order(fields).ok().filter(confirm::is_asked_about)?;
    let is_sure = match field(fields, "sure") {
        Some("stands") => field(fields, "score").is_none(),
        sure => sure.is_some(),
    };
    if is_sure || who.check_signer(field(fields, "signer")).is_err() {
        return None;
    }
    let (fields, back) = (fields.clone(), back.to_string());
    let seen = field(&fields, "seen").map(|tag| Seen::Page(tag.to_string()));
    let make: Make<Option<String>> = Box::new(move |at, _| {
        let has_moved = |seen| expected(at.store, at.stream, &order, &seen).is_err();
        if seen.is_some_and(has_moved) {
            return Ok(None);
        }
        confirm::page(at, &order, &fields, &back)
    });
    let (state, who) = (Arc::clone(state), who.clone());
    let asked = Asked::default();
    let made = looked_at(state, who, reader, id.to_string(), asked, Need::ByOrder, make);
    made.await.ok().flatten()
}

/// Leads to a page with what is asked for there: names and other words are kept beside its address.
pub async fn find_on_page(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    who: Who,
    posted: Posted,
) -> Response {
    const BESIDE: [&str; 6] = ["name", "player", "drop", "slip", "search", "person"];
    const ASKED: [&str; 11] = [
        "round", "event", "kind", "table", "changed", "lang", "through", "as-of", "rules",
        "division", "back",
    ];
    let page = async {
        let fields = fields_for(Need::Staff, &who, posted)?;
        let caller = who.clone();
        let checked = state.read(move |store| caller.check_in(Need::Staff, find(store, &id)?));
        checked.await?;
        let knows = |name: &str| BESIDE.contains(&name) || ASKED.contains(&name);
        let unknown = fields.iter().find(|(name, _)| !knows(name));
        let Some(back) = field(&fields, "back").filter(|back| is_own(back) && unknown.is_none())
        else {
            return Err(Refusal::from(bad_request("this asks for nothing that a page knows")));
        };
        let asked = fields.iter().filter(|(name, text)| name != "back" && !text.is_empty());
        let (beside, open): (Fields, Fields) =
            asked.cloned().partition(|(name, _)| BESIDE.contains(&&name[..]));
        let open: Vec<(&str, String)> =
            open.iter().map(|(name, text)| (&name[..], text.clone())).collect();
        Ok(see_beside(with_query(back, &open), beside))
    };
    page.await.unwrap_or_else(IntoResponse::into_response)
}

async fn carried(
    state: &Arc<State>,
    id: String,
    who: Who,
    fields: &Fields,
) -> Result<Carried, Refusal> {
    who.check_signer(field(fields, "signer"))?;
    who.check(Need::ByOrder)?;
    let order = resolved(&state.editions.now(), read::order(fields)?)?;
    let key = key_of(field(fields, "key"))?;
    let seen = field(fields, "seen").map(|tag| Seen::Page(tag.to_string()));
    let beside = Beside { key, seen, must_have_seen: false };
    let done = state.act_found(found_by(&who, id), move |state, store, stream| {
        Ok(carry_out(state, store, stream, &who, &order, &beside))
    });
    done.await?
}

/// Opens a tournament from a form.
pub async fn new(
    Shared(state): Shared<Arc<State>>,
    who: Who,
    headers: HeaderMap,
    posted: Posted,
) -> Response {
    let fields = match fields_of(posted) {
        Ok(fields) => fields,
        Err(error) => return Refusal::from(error).into_response(),
    };
    let done = async {
        who.check(Need::Owner)?;
        let key = key_of(field(&fields, "key"))?;
        let mut new = read::new(&fields)?;
        if let Some(like) = field(&fields, "like").map(str::to_string) {
            let files = move |store: &_| crate::pages::tournaments::files_like(store, &like);
            new.files = state.read(files).await?;
        }
        opened(&state, who, new, key).await
    };
    let regulars = field(&fields, "like").filter(|_| field(&fields, "regulars").is_some());

    match done.await {
        Ok((_, done)) if wants_json(&headers) => answered(done),
        Ok((stream, _)) => see(match regulars {
            Some(like) => format!("/t/{stream}/players?done=1&like={}", encoded(like)),
            None => format!("/t/{stream}/desk?done=1"),
        }),
        Err(refusal) if wants_json(&headers) => refusal.into_response(),
        Err(refusal) => match shown_again(&state, fields, &refusal).await {
            Ok(page) => (status_of(refusal.error.code), Html(page)).into_response(),
            Err(error) => Refusal::from(error).into_response(),
        },
    }
}

/// The form for a new tournament with all that was typed, and why it was refused.
async fn shown_again(
    state: &Arc<State>,
    fields: Fields,
    refusal: &Refusal,
) -> Result<String, VerbError> {
    let error = &refusal.error;
    let said = Said {
        refused: Some(error.code.word.to_string()),
        why: Some(error.message.clone()),
        hint: error.hint.as_ref().map(ToString::to_string),
        ..Said::default()
    };
    let key = new_key()?;
    let made = state.read(move |store| {
        let like = field(&fields, "like").map(str::to_string);
        new_page(store, &key, like.as_deref(), &said, Some(&fields))
    });
    made.await
}

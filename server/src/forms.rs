//! Orders of pages: a form is posted, and its page says what came of it.

use crate::fields as read;
use crate::gate::Need;
use crate::once::key_of;
use crate::orders_api::{Beside, Carried, answered, carry_out, find, opened};
use crate::problem::{Refusal, bad_request, too_large};
use crate::publisher::editions::resolved;
use crate::query::encoded;
use crate::seen::Seen;
use crate::state::State;
use crate::who::Who;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Path, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use std::fmt::Write;
use std::sync::Arc;

/// The fields of a form, in their order.
pub type Fields = Vec<(String, String)>;

/// A form, or why there is none.
pub type Posted = Result<Form<Fields>, FormRejection>;

/// Returns a field that is not empty.
pub fn field<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    let found = fields.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
}

/// Reads a form.
///
/// # Errors
/// Where it is none.
pub fn fields_of(posted: Posted) -> Result<Fields, VerbError> {
    posted.map(|Form(fields)| fields).map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => bad_request(format!("this is no form: {}", rejection.body_text())),
    })
}

/// Where a form's page is: a path of this server, and of no other.
pub fn back_of(fields: &Fields, usual: &str) -> String {
    let back = field(fields, "back").map(str::to_string);
    back.filter(|back| is_own(back)).unwrap_or_else(|| usual.to_string())
}

/// Whether a path is one of this server.
pub fn is_own(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && path.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The path of a page with what is to be said there.
pub(crate) fn with_query(back: &str, said: &[(&str, String)]) -> String {
    let (path, fragment) = back.split_once('#').unwrap_or((back, ""));
    let mut to = path.to_string();
    for (name, value) in said {
        let sign = if to.contains('?') { '&' } else { '?' };
        // A text takes whatever is written into it.
        let _ = write!(to, "{sign}{name}={}", encoded(value));
    }
    if !fragment.is_empty() {
        to.push('#');
        to.push_str(fragment);
    }
    to
}

/// Leads to a page.
pub fn see(to: String) -> Response {
    let headers = [(header::LOCATION, to), (header::CACHE_CONTROL, "no-store".into())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// What was typed and is to stand in its field again: a slip, a list of players. What is longer than an
/// address may be is left to the browser's way back.
fn typed_again(fields: &Fields) -> Vec<(&'static str, String)> {
    const AGAIN: [(&str, &str); 3] = [("slip", "typed"), ("people", "people"), ("csv", "csv")];
    const MOST: usize = 6_000;
    let again = AGAIN.iter().filter_map(|(name, to)| Some((*to, field(fields, name)?.to_string())));
    again.filter(|(_, text)| encoded(text).len() <= MOST).collect()
}

pub(crate) fn refused_at(
    back: &str,
    refusal: &Refusal,
    typed: Vec<(&'static str, String)>,
) -> Response {
    let error = &refusal.error;
    let mut said = vec![
        ("refused", error.code.word.to_string()),
        ("why", error.message.clone()),
        ("hint", error.hint.as_ref().map_or(String::new(), ToString::to_string)),
    ];
    said.extend(typed);
    see(with_query(back, &said))
}

/// Returns whether a program asks, and not a browser.
pub fn wants_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("application/json"))
}

/// Carries out the order of a form.
pub async fn post(
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
    let id_shown = id.clone();
    let back = back_of(&fields, &format!("/t/{}/desk", encoded(&id)));
    match carried(&state, id, who, &fields).await {
        Ok(done) if wants_json(&headers) => answered(done),
        Ok(done) => {
            let first = done.told.done.map_or(String::new(), |(first, _)| first.to_string());
            // A correction is answered by who moves.
            let back = match (field(&fields, "order"), done.told.done) {
                (Some("correct"), Some((first, _))) => {
                    format!("/t/{}/moved/{first}", encoded(&id_shown))
                }
                _ => back,
            };
            see(with_query(&back, &[("done", first)]))
        }
        Err(refusal) if wants_json(&headers) => refusal.into_response(),
        Err(refusal) => refused_at(&back, &refusal, typed_again(&fields)),
    }
}

async fn carried(
    state: &Arc<State>,
    id: String,
    who: Who,
    fields: &Fields,
) -> Result<Carried, Refusal> {
    who.check_signer(field(fields, "signer"))?;
    who.check(Need::ByOrder)?;
    let stream = state.read(move |store| find(store, &id)).await?;
    who.check_in(Need::ByOrder, stream)?;
    let order = resolved(state, read::order(fields)?)?;
    let key = key_of(field(fields, "key"))?;
    let seen = field(fields, "seen").map(|tag| Seen::Page(tag.to_string()));
    let beside = Beside { key, seen, must_have_seen: false };
    let done = state.act(stream, move |state, store| {
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
        Err(refusal) => refused_at(&back_of(&fields, "/new"), &refusal, vec![]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_back_to_this_server_and_to_no_other() {
        let of = |back: &str| back_of(&vec![("back".into(), back.into())], "/usual");
        assert_eq!(of("/t/7b9adae3/entry?table=4"), "/t/7b9adae3/entry?table=4");
        for foreign in
            ["//evil.example", "https://evil.example", "/\\evil", "/a\r\nSet-Cookie: x", ""]
        {
            assert_eq!(of(foreign), "/usual", "{foreign:?}");
        }
    }

    #[test]
    fn what_is_said_at_a_page_stands_in_its_query_whatever_it_is() {
        let said = [("why", "a&b=c #é".to_string())];
        assert_eq!(with_query("/x?y=1#z", &said), "/x?y=1&why=a%26b%3Dc%20%23%C3%A9#z");
    }
}

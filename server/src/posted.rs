//! Forms as they are posted: their fields, and the page to which they lead back.

use crate::gate::Need;
use crate::house::secret;
use crate::problem::{Refusal, bad_request, too_large};
use crate::query::encoded;
use crate::who::Who;
use axum::extract::Form;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The fields of a form, in their order.
pub type Fields = Vec<(String, String)>;

/// A form, or why there is none.
pub type Posted = Result<Form<Fields>, FormRejection>;

/// The fields that an answer has beside its address, for the page to which it leads.
#[derive(Clone, Debug)]
pub(crate) struct Aside(pub(crate) Fields);

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

/// Refuses a form in which a field stands twice: nobody can tell which of them is meant.
///
/// # Errors
/// Which one does.
pub fn check_each_once(fields: &Fields) -> Result<(), VerbError> {
    let mut known = BTreeSet::new();
    for (name, _) in fields {
        if !known.insert(name) {
            return Err(bad_request(format!("`{name}` stands twice in this form")));
        }
    }
    Ok(())
}

/// Reads a form of somebody who may post it.
///
/// # Errors
/// Where they may not, or it is none.
pub fn fields_for(need: Need, who: &Who, posted: Posted) -> Result<Fields, Refusal> {
    Ok(who.check(need).and_then(|()| fields_of(posted))?)
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

/// Leads back to the page of a form with why it was refused, and what was typed.
pub(crate) fn refused_at(
    back: &str,
    refusal: &Refusal,
    typed: Vec<(&'static str, String)>,
) -> Response {
    let error = &refusal.error;
    let mut said = vec![
        ("why", error.message.clone()),
        ("hint", error.hint.as_ref().map_or(String::new(), ToString::to_string)),
    ];
    said.extend(typed);
    refused_saying(back, refusal, said)
}

/// Leads back to a page with the code of a refusal in its address, and beside it what is said there.
pub(crate) fn refused_saying(
    back: &str,
    refusal: &Refusal,
    said: Vec<(&'static str, String)>,
) -> Response {
    let code = refusal.error.code.word.to_string();
    let said = said.into_iter().map(|(name, text)| (name.to_string(), text)).collect();
    see_beside(with_query(back, &[("refused", code)]), said)
}

/// Leads to a page, with fields that stand beside its address.
pub(crate) fn see_beside(to: String, beside: Fields) -> Response {
    let mut response = see(to);
    if !beside.is_empty() {
        response.extensions_mut().insert(Aside(beside));
    }
    response
}

/// Returns whether a program asks, and not a browser.
pub fn wants_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("application/json"))
}

/// Returns whether a browser asks for something to show.
pub fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// Returns a new key for forms.
///
/// # Errors
/// Where the system has no random bytes.
pub fn new_key() -> Result<String, VerbError> {
    Ok(secret()?.chars().take(32).collect())
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

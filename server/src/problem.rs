//! Refusals as programs read them over HTTP: problem details (RFC 9457), one status for each kind.

use crate::gate::NOBODY;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scrutineer_desk::hint::Hint;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::{Code, ErrorKind};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Returns the status of a kind of error.
pub const fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Refused | ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::Stale => StatusCode::PRECONDITION_FAILED,
        ErrorKind::SignIn => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::SlowDown => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Busy | ErrorKind::Damaged | ErrorKind::Io => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::UnknownOutcome => StatusCode::GATEWAY_TIMEOUT,
        // A kind that is not known here is one that this program should know.
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns the one status of a code: that of its kind, but for a few.
pub fn status_of(code: Code) -> StatusCode {
    match code.word {
        "if-match-needed" => StatusCode::PRECONDITION_REQUIRED,
        "bad-request" | "bad-usage" => StatusCode::BAD_REQUEST,
        "method-not-allowed" => StatusCode::METHOD_NOT_ALLOWED,
        "command-id-reused" => StatusCode::UNPROCESSABLE_ENTITY,
        _ => status(code.kind),
    }
}

/// Said where an order needs to know what its giver saw.
pub const IF_MATCH_NEEDED: Code = Code::invalid("if-match-needed");

/// A refusal on its way to whoever asked.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Why.
    pub error: VerbError,
    /// Where the log stands, as its ETag, where that is known.
    pub head: Option<Box<str>>,
    /// The path of what was recorded since, where that is why.
    pub since: Option<Box<str>>,
    /// In how many seconds to ask again, where it says so; also where it is said in other words.
    pub seconds: Option<u32>,
}

impl From<VerbError> for Refusal {
    fn from(error: VerbError) -> Refusal {
        let seconds = error.hint.as_ref().and_then(Hint::seconds);
        Refusal { error, head: None, since: None, seconds }
    }
}

impl From<scrutineer_desk::store::StoreError> for Refusal {
    fn from(error: scrutineer_desk::store::StoreError) -> Refusal {
        VerbError::from(error).into()
    }
}

impl Refusal {
    /// The same in other words, which say what to do too.
    pub fn saying(mut self, message: String) -> Refusal {
        self.error = VerbError { message, hint: None, ..self.error };
        self
    }

    /// Returns the status.
    pub fn status(&self) -> StatusCode {
        status_of(self.error.code)
    }

    /// Returns the problem as programs read it.
    pub fn json(&self) -> Value {
        let (problem, status) = (self.error.problem(), self.status());
        // A page leads to where people sign in; a program is told what it left out.
        let hint = problem.hint.map(|hint| match problem.message == NOBODY {
            true => format!("{hint}; a program sends `Authorization: Bearer <token>`"),
            false => hint,
        });
        let details = Details {
            link: format!("/problems/{}", problem.code),
            title: status.canonical_reason().unwrap_or("refused").to_string(),
            status: status.as_u16(),
            kind: problem.kind,
            code: problem.code,
            detail: problem.message,
            hint,
            head: self.head.as_deref().map(str::to_string),
            since: self.since.as_deref().map(str::to_string),
        };
        serde_json::to_value(details).unwrap_or_default()
    }
}

/// Why something was refused (RFC 9457).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ProblemDetails)]
pub struct Details {
    /// The page of its code.
    #[serde(rename = "type")]
    pub link: String,
    /// The status in words.
    pub title: String,
    /// The status.
    pub status: u16,
    /// The kind, from which the status follows.
    pub kind: String,
    /// The stable code.
    pub code: String,
    /// What is wrong.
    pub detail: String,
    /// What to do next.
    pub hint: Option<String>,
    /// Where the log stands, as its ETag; left out where that is not known.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The path of what was recorded since; left out where that is not why.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = format!("{}\n", self.json());
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let mut response = (status, kind, body).into_response();
        // Whoever asked for a page is told the same on one.
        response.extensions_mut().insert(self.clone());
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let seconds = match self.error.code.kind {
            ErrorKind::Busy => Some(1),
            // One that was kept as words, or came from another server, has its seconds in them alone.
            ErrorKind::SlowDown => Some(self.seconds.unwrap_or(60)),
            _ => None,
        };
        if let Some(seconds) = seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Returns what was written for a terminal as pages say it: without the marks around what is typed.
pub fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// Returns the refusal of what waited too long or found no place in the queue: nothing was done.
pub fn too_busy() -> VerbError {
    let hint = "nothing was done; send it again in a second";
    VerbError::new(Code::busy("too-busy"), "the desk has its hands full", hint)
}

/// Returns the refusal of what the database must keep or know, while it does not answer: nothing was done.
pub fn waiting_for_database(why: &str) -> VerbError {
    let hint = "nothing was done, and nothing is lost: send it again in a second";
    let code = Code::busy("waiting-for-database");
    VerbError::new(code, format!("waiting for the database: {why}"), hint)
}

/// Returns a refusal with the parameter of the query that it is about.
pub fn of_parameter(name: &str, error: VerbError) -> VerbError {
    VerbError { message: format!("`{name}`: {}", error.message), ..error }
}

/// Returns the refusal of a request that cannot be read.
pub fn bad_request(what: impl Into<String>) -> VerbError {
    let hint = "docs/API.md and /api/v1/openapi.json say how it is written";
    VerbError::new(Code::invalid("bad-request"), without_types(what.into()), hint)
}

/// What is said of a value that cannot be read, without the name that its type has in this program.
fn without_types(what: String) -> String {
    let Some((before, behind)) = what.split_once("expected struct ") else { return what };
    let place = behind.find(" at line ").map_or("", |at| &behind[at..]);
    format!("{before}expected an object{place}")
}

/// Returns the refusal of a method that a path does not have.
pub fn no_method(method: &str, path: &str) -> VerbError {
    let message = format!("{path} takes no {method}");
    let hint = "docs/API.md says which methods it takes";
    VerbError::new(Code::invalid("method-not-allowed"), message, hint)
}

/// Returns the refusal of a body that is larger than any.
pub fn too_large() -> VerbError {
    let hint = "send it in parts";
    VerbError::new(Code::too_large("too-large"), "this is more than is read at once", hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Role, not_allowed};

    #[test]
    fn each_kind_has_its_status_and_whoever_is_told_to_wait_is_told_how_long() {
        assert_eq!(status(ErrorKind::Stale).as_u16(), 412);
        assert_eq!(status(ErrorKind::Refused).as_u16(), 409);
        assert_eq!(status(ErrorKind::Invalid).as_u16(), 422);
        let busy = Refusal::from(too_busy()).into_response();
        assert_eq!(busy.status().as_u16(), 503);
        assert_eq!(busy.headers()["retry-after"], "1");
        let wait = Hint::to_wait(420, "");
        let slow = VerbError::new(Code::slow_down("slow-down"), "too many", wait);
        let slow = Refusal::from(slow).saying("zu viele".into()).into_response();
        assert_eq!(slow.status().as_u16(), 429);
        assert_eq!(slow.headers()["retry-after"], "420", "in other words too");
        let needed = VerbError::new(IF_MATCH_NEEDED, "say what you saw", "send If-Match");
        assert_eq!(Refusal::from(needed).into_response().status().as_u16(), 428);
    }

    #[test]
    fn what_cannot_be_read_is_told_without_names_of_this_program_and_says_where_fields_stand() {
        let read = "invalid length 0, expected struct Wanted with 5 elements at line 1 column 2";
        let told = bad_request(format!("this cannot be read: {read}"));
        let said = "this cannot be read: invalid length 0, expected an object at line 1 column 2";
        assert_eq!(told.message, said);
        assert!(told.told().contains("/api/v1/openapi.json"), "{}", told.told());
        let other = "this cannot be read: EOF while parsing a value at line 1 column 0";
        assert_eq!(bad_request(other).message, other);
    }

    #[test]
    fn a_program_without_a_token_is_told_in_which_header_one_is_sent() {
        let hint = |role| Refusal::from(not_allowed(role, "the staff may")).json()["hint"].clone();
        let said = "the staff may; a program sends `Authorization: Bearer <token>`";
        assert_eq!(hint(Role::Public), said);
        assert_eq!(hint(Role::Judge), "the staff may");
    }

    /// The answer had the status 405, and its body 400.
    #[test]
    fn a_method_that_a_path_does_not_have_is_refused_with_one_status() {
        let refusal = Refusal::from(no_method("PUT", "/api/v1/tournaments/7b9adae3/orders"));
        assert_eq!(refusal.json()["status"], 405);
        assert_eq!(refusal.json()["code"], "method-not-allowed");
        assert_eq!(refusal.into_response().status().as_u16(), 405);
    }
}

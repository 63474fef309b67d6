//! What pages of other sites may read: what everybody reads over the paths of programs, and the streams of it,
//! as long as nothing shows who asks. Browsers keep the rest from them.

use crate::rooms::shows_who;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::collections::HashSet;
use std::sync::OnceLock;

/// The streams that everybody may read; they stand in no table.
const STREAMS: [&str; 2] = ["/t/{id}/live", "/api/v1/tournaments/{id}/live"];
/// What a browser may ask a path with beside what it asks any site with, and for how many seconds it remembers that.
const ASKED_WITH: &str = "if-none-match, last-event-id, accept";
const REMEMBERED: &str = "86400";
/// What a page is told of an answer's headers.
const TOLD: &str = "etag, link, retry-after";
/// What an answer depends on: somebody who shows who they are gets another one.
const VARIES: &str = "authorization, cookie";

/// The paths of programs that everybody may read. The table of routes says which.
static OPEN: OnceLock<HashSet<&'static str>> = OnceLock::new();

/// Takes in which paths everybody may read.
pub fn open(paths: impl Iterator<Item = &'static str>) {
    let _ = OPEN.get_or_init(|| paths.collect());
}

/// Returns whether a route is one that everybody may read and a page of another site may too.
fn is_open(route: &str) -> bool {
    STREAMS.contains(&route) || OPEN.get().is_some_and(|open| open.contains(route))
}

/// Returns whether what is asked is read by everybody alike; none: it is nothing that other sites may read at all.
pub fn is_public(method: &Method, route: &str, headers: &HeaderMap) -> Option<bool> {
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    (is_read && is_open(route)).then(|| !shows_who(headers))
}

/// Says in an answer who may read it, where [`is_public`] is known of what was asked.
pub fn tell(headers: &mut HeaderMap, is_public: bool) {
    let varies = headers.get_all(header::VARY).iter();
    let mut varies = varies.filter_map(|value| value.to_str().ok());
    // What was made for everybody says it already.
    if !varies.any(|names| names.contains("cookie")) {
        headers.append(header::VARY, HeaderValue::from_static(VARIES));
    }
    if !is_public {
        return;
    }
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, TOLD),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Answers a browser that asks whether a page of another site may read a path; none: it may not, or this is no such
/// question.
pub fn preflight(method: &Method, route: &str, headers: &HeaderMap) -> Option<Response> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let wanted = text(header::ACCESS_CONTROL_REQUEST_METHOD)?;
    let with = text(header::ACCESS_CONTROL_REQUEST_HEADERS).unwrap_or_default();
    let is_taken = |name: &str| {
        let mut all = ASKED_WITH.split(", ");
        name.is_empty() || all.any(|taken| taken.eq_ignore_ascii_case(name))
    };
    let may = *method == Method::OPTIONS
        && is_open(route)
        && !shows_who(headers)
        && matches!(wanted, "GET" | "HEAD")
        && with.split(',').map(str::trim).all(is_taken);
    may.then(|| {
        let says = [
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, ASKED_WITH),
            (header::ACCESS_CONTROL_MAX_AGE, REMEMBERED),
            (header::VARY, "access-control-request-method, access-control-request-headers"),
        ];
        (StatusCode::NO_CONTENT, says).into_response()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "/api/v1/tournaments/{id}/live";

    fn sent(all: &[(HeaderName, &'static str)]) -> HeaderMap {
        let all = all.iter().cloned();
        all.map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn what_is_public_is_read_by_other_sites_and_what_somebody_shows_themselves_for_is_not() {
        let nobody = sent(&[(header::ORIGIN, "https://stream.example")]);
        assert_eq!(is_public(&Method::GET, STREAM, &nobody), Some(true));
        let staff = sent(&[(header::AUTHORIZATION, "Bearer scr_0")]);
        assert_eq!(is_public(&Method::GET, STREAM, &staff), Some(false));
        let phone = sent(&[(header::COOKIE, "scrutineer-me=0")]);
        assert_eq!(is_public(&Method::HEAD, STREAM, &phone), Some(false));
        assert_eq!(is_public(&Method::POST, STREAM, &nobody), None);
        assert_eq!(is_public(&Method::GET, "/t/{id}/me/live", &nobody), None);
        let mut headers = HeaderMap::new();
        tell(&mut headers, false);
        assert!(!headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN), "{headers:?}");
        assert_eq!(headers[header::VARY], VARIES);
    }

    #[test]
    fn a_browser_is_allowed_to_read_and_nothing_else() {
        let asks = |wanted, with| {
            let asked = sent(&[
                (header::ACCESS_CONTROL_REQUEST_METHOD, wanted),
                (header::ACCESS_CONTROL_REQUEST_HEADERS, with),
            ]);
            preflight(&Method::OPTIONS, STREAM, &asked).is_some()
        };
        assert!(asks("GET", "last-event-id") && asks("HEAD", "Accept,If-None-Match"));
        assert!(asks("GET", ""));
        assert!(!asks("POST", "") && !asks("GET", "authorization"));
        assert!(!asks("GET", "accept, idempotency-key"));
        let none = preflight(&Method::OPTIONS, STREAM, &HeaderMap::new());
        assert!(none.is_none(), "no question of a browser");
    }
}

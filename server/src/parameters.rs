//! What may stand in the query of a path of `/api/v1`: what its description says, and nothing else.

use crate::guard::route_of;
use crate::openapi::{BASE, document};
use crate::problem::{Refusal, bad_request};
use axum::body::Body;
use axum::http::{Method, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use scrutineer_desk::verb_error::VerbError;

/// Refuses a parameter that a path does not take: its answer would be taken for the one that was asked for.
pub async fn only_described(request: Request<Body>, next: Next) -> Response {
    let checked = match request.uri().query() {
        Some(query) => check(request.method(), &route_of(&request), query),
        None => Ok(()),
    };
    match checked {
        Ok(()) => next.run(request).await,
        Err(error) => Refusal::from(error).into_response(),
    }
}

fn check(method: &Method, route: &str, query: &str) -> Result<(), VerbError> {
    let Some(path) = route.strip_prefix(BASE) else { return Ok(()) };
    // What is asked for by HEAD is what GET gives.
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    let said = document()["paths"][path][method.to_lowercase()]["parameters"].as_array();
    let said = said.into_iter().flatten().filter(|one| one["in"] == "query");
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (part, None),
        };
        let name = percent_decode_str(name).decode_utf8_lossy();
        let Some(one) = said.clone().find(|one| one["name"] == *name) else {
            let known = said.map(|one| format!("`{}`", one["name"].as_str().unwrap_or_default()));
            let known = match known.collect::<Vec<_>>() {
                known if known.is_empty() => "no parameter".to_string(),
                known => known.join(", "),
            };
            let message = format!("`{name}` is no parameter of {path}: it takes {known}");
            return Err(bad_request(message));
        };
        let is_flag = one["schema"]["type"] == "boolean";
        match value {
            Some("") if is_flag => {
                return Err(bad_request(format!("`{name}` is `true` or `false`")));
            }
            Some("") | None if !is_flag => {
                let about = one["description"].as_str().unwrap_or_default();
                return Err(bad_request(format!("`{name}` is empty; what it says: {about}")));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_takes_what_its_description_says() {
        let log = "/api/v1/tournaments/{id}/log";
        let told = |method: Method, route: &str, query: &str| {
            check(&method, route, query).err().map(|error| error.message).unwrap_or_default()
        };
        for query in ["", "after=3&wait=4", "changed", "%61fter=3&"] {
            assert_eq!(told(Method::GET, log, query), "", "{query}");
            assert_eq!(told(Method::HEAD, log, query), "", "{query}");
        }
        assert!(told(Method::GET, log, "as-of=10").starts_with("`as-of` is no parameter of"));
        assert!(told(Method::GET, log, "as-of=10").contains("it takes `after`, `wait`"));
        let bracket = "/api/v1/tournaments/{id}/bracket";
        assert!(told(Method::GET, bracket, "as-of=1").ends_with("it takes no parameter"));
        assert!(told(Method::POST, "/api/v1/tokens", "bogus=1").contains("`bogus`"));
        let exports = "/api/v1/tournaments/{id}/exports/{format}";
        assert_eq!(told(Method::POST, exports, "names="), "`names` is `true` or `false`");
        assert_eq!(told(Method::POST, exports, "names=false"), "");
        // An empty one was answered as if it were not there.
        let compare = "/api/v1/tournaments/{id}/compare";
        for query in ["rules=", "rules", "cut=2&rules="] {
            let said = told(Method::GET, compare, query);
            assert_eq!(said, "`rules` is empty; what it says: Under this ruleset, by its id.");
        }
        // A page takes what it takes.
        assert_eq!(told(Method::GET, "/t/{id}/log", "as-of=10"), "");
    }
}

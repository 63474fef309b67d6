//! What stands before every route: other sites are kept out, browsers are told what a page may do, and
//! each request is taken note of.

use crate::addresses::{bare, host_of};
use crate::asides::{KEY, Whose, filled};
use crate::checked_page;
use crate::gate::Role;
use crate::holder::device_in;
use crate::house::{Left, REQUESTS_A_SECOND, REQUESTS_AT_ONCE};
use crate::join::{LedOn, OnAPage, refusal_page};
use crate::kept::{PAGE, PROBLEM, takes};
use crate::language::Language;
use crate::other_sites;
use crate::posted::{Aside, with_query};
use crate::problem::{Refusal, bad_request, too_large};
use crate::reader::Reader;
use crate::request_log::{Line, now, tournament_in};
use crate::season_api;
use crate::state::State;
use crate::who::{COOKIE, Ends, HOST_COOKIE, Who, session_in, sessions_in};
use axum::body::Body;
use axum::extract::{MatchedPath, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::error::Code;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// How large a body is of somebody who is not of the staff.
pub const BODY_OF_NOBODY: usize = 64 << 10;
/// What a page may load: nothing but what this server has, and nothing that stands in the page.
const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'";

/// What the page that checks itself may do. All of it stands in it, so that it can be saved and opened
/// anywhere; here it is as if it came from nowhere, and has no part in what this server's pages have.
const CHECKED_PAGE_SECURITY: &str = "default-src 'none'; script-src 'unsafe-inline'; \
     style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     sandbox allow-scripts allow-downloads allow-modals allow-forms";

/// The same of the page of who moves in a season, which has no script.
const SEASON_SECURITY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'; sandbox";

/// Counts a request, and writes its line where lines are written.
pub fn note(
    state: &State,
    (method, route, path): (&Method, &str, &str),
    (who, role): (&str, &str),
    status: StatusCode,
    begun: Instant,
) {
    let took = begun.elapsed();
    state.counted.request(route, status.as_u16(), took);
    let Some(log) = &state.setup.log else { return };
    log.write(&Line {
        time: now(),
        id: log.number(),
        method: method.as_str(),
        route,
        status: status.as_u16(),
        ms: (took.as_secs_f64() * 1e6).round() / 1e3,
        who,
        role,
        tournament: tournament_in(path),
    });
}

/// Who asks, in words that say nothing of them: by which right, and in which role; and what is left to the token
/// with which they ask, of which this request is counted.
fn kind(state: &State, request: &Request<Body>) -> (String, Role, Option<Left>) {
    let ends = request.extensions().get::<Ends>().copied();
    match Who::of(state, request.headers(), ends) {
        Ok(who) if who.role == Role::Public && device_in(request.headers()).is_some() => {
            ("player".to_string(), Role::Public, None)
        }
        Ok(who) => {
            let right = who.principal.split(' ').next().unwrap_or_default().to_string();
            // Programs on this machine are the owner's own, and the command line is one of them.
            let is_counted = right == "token" && !who.address.to_canonical().is_loopback();
            let left = is_counted.then(|| state.house.count_of_token(&who.principal));
            (right, who.role, left)
        }
        Err(_) => ("unknown".to_string(), Role::Public, None),
    }
}

/// Says in an answer what is left to a token (draft-ietf-httpapi-ratelimit-headers).
fn tell_left(headers: &mut HeaderMap, left: Left) {
    let (all, seconds) = (REQUESTS_AT_ONCE, REQUESTS_AT_ONCE / REQUESTS_A_SECOND);
    let policy = format!("\"token\";q={all};w={seconds}");
    let left = format!("\"token\";r={};t={}", left.requests, left.full_in);
    for (name, value) in [("ratelimit-policy", policy), ("ratelimit", left)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

/// Refuses what is long, or as long as it likes, of somebody who is not of the staff.
fn check_length(request: &Request<Body>, role: Role) -> Result<(), VerbError> {
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    let is_long = text(header::TRANSFER_ENCODING).is_some() || length > Some(BODY_OF_NOBODY);
    // The other laptop is known by what it sends.
    let is_second = request.uri().path() == "/second";
    if role == Role::Public && is_long && !is_second { Err(too_large()) } else { Ok(()) }
}

/// Keeps out what comes from other sites, sets the headers of every answer, and takes note of it.
pub async fn guard(
    Shared(state): Shared<Arc<State>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let (path, method, begun) =
        (request.uri().path().to_string(), request.method().clone(), Instant::now());
    let route = route_of(&request);
    let (wants_page, wants_problem) =
        (takes(request.headers(), PAGE), takes(request.headers(), PROBLEM));
    let (right, role, left) = kind(&state, &request);
    let liked =
        request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let language = Reader::of(request.uri().query(), liked, String::new()).language(role);
    let ends = request.extensions().get::<Ends>().copied();
    let desk = at_the_desk(&state, &request, &route).filter(|_| method == Method::GET);
    let refused = check_host(&state, request.headers(), request.uri(), ends);
    let refused = refused.and_then(|()| check_origin(&request, ends));
    let refused = refused.and_then(|()| check_length(&request, role));
    // Who comes by another name is told nothing that a page could read: the name may be another site's.
    let is_public = other_sites::is_public(&method, &route, request.headers());
    let is_public = is_public.filter(|_| refused.is_ok());
    let refused = refused.and_then(|()| left.map_or(Ok(()), Left::check));
    let mut response = match refused {
        Ok(()) => match other_sites::preflight(&method, &route, request.headers()) {
            Some(allowed) => allowed,
            None => as_problem(next.run(request).await).await,
        },
        Err(error) => Refusal::from(error).into_response(),
    };
    let on_a_page = response.extensions_mut().remove::<OnAPage>().filter(|_| wants_problem);
    if let Some(OnAPage(refusal)) = on_a_page {
        response = refusal.into_response();
    }
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>().filter(|_| wants_page) {
        response = refusal_page(&refusal, language);
    }
    let desk = desk.filter(|_| response.extensions().get::<LedOn>().is_some());
    if let Some(desk) = desk {
        if wants_page {
            response = StatusCode::TEMPORARY_REDIRECT.into_response();
        }
        // A script of a page sees by it that its page would be led on.
        response.headers_mut().insert(header::LOCATION, desk);
        let alone = HeaderValue::from_static("no-store");
        response.headers_mut().insert(header::CACHE_CONTROL, alone);
    }
    let is_unavailable = response.status() == StatusCode::SERVICE_UNAVAILABLE;
    if method == Method::GET && wants_page && is_unavailable && state.trouble().is_some() {
        // It comes by itself once the database is back, with what was typed in its address.
        response.headers_mut().insert(header::REFRESH, HeaderValue::from_static("2"));
    }
    set_headers(&mut response, &route);
    let headers = response.headers_mut();
    if let Some(is_public) = is_public {
        other_sites::tell(headers, is_public);
    }
    if let Some(left) = left {
        tell_left(headers, left);
    }
    if ends.is_some_and(|ends| ends.is_secure) {
        keep_cookies_secure(headers);
    }
    if !path.starts_with("/s/") && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    note(&state, (&method, &route, &path), (&right, role.word()), response.status(), begun);
    response
}

/// The address of the same page at the desk, where that is on another laptop and heard. A browser keeps cookies for one
/// address: in its path this laptop names to that one, sealed, whose phone it is, unless it showed that over https alone.
fn at_the_desk(state: &State, request: &Request<Body>, route: &str) -> Option<HeaderValue> {
    let desk = state.second.desk_heard()?;
    let (asked, ends) = (request.uri(), request.extensions().get::<Ends>()?);
    let device = device_in(request.headers()).filter(|_| !ends.is_secure);
    let device = device.and_then(|device| state.second.phone_named(device));
    // Their own strip, read again, says no more than that.
    let path = match (route, device, asked.path().rsplit_once('/')) {
        ("/t/{id}/me", Some(device), _) => format!("{}/{device}", asked.path()),
        ("/t/{id}/me/{link}", Some(device), Some((page, _))) => format!("{page}/{device}"),
        _ => asked.path().to_string(),
    };
    let query = asked.query().map_or(String::new(), |query| format!("?{query}"));
    HeaderValue::from_str(&format!("http://{desk}{path}{query}")).ok()
}

/// Who asks, as far as their browser shows: what is kept for one is nobody else's.
fn whose(headers: &HeaderMap) -> Whose {
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let mut hasher = blake3::Hasher::new_derive_key("scrutineer 2026 aside v1");
    let sessions = [true, false].map(|is_secure| session_in(headers, is_secure));
    for one in sessions.into_iter().chain([device_in(headers), token]) {
        let text = one.unwrap_or_default();
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    hasher.finalize().into()
}

/// Has pages read what is kept for them beside their address, and keeps what answers have for the pages to
/// which they lead.
pub async fn carry_aside(
    Shared(state): Shared<Arc<State>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let whose = whose(request.headers());
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let asked = filled(request.uri(), &state.asides, whose).filter(|_| is_read);
    if let Some(asked) = asked {
        *request.uri_mut() = asked;
    }
    let mut response = next.run(request).await;
    let Some(Aside(fields)) = response.extensions_mut().remove() else { return response };
    let key = state.asides.keep(whose, fields);
    let to = response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
    let to = key.zip(to).map(|(key, to)| with_query(to, &[(KEY, key)]));
    if let Some(to) = to.and_then(|to| HeaderValue::from_str(&to).ok()) {
        response.headers_mut().insert(header::LOCATION, to);
    }
    response
}

/// Has browsers send the cookies of an answer over https alone; that of a session under the name of which no other site
/// can set one.
fn keep_cookies_secure(headers: &mut HeaderMap) {
    if let header::Entry::Occupied(mut cookies) = headers.entry(header::SET_COOKIE) {
        for cookie in cookies.iter_mut() {
            let Ok(text) = cookie.to_str() else { continue };
            let text = match text.split_once('=') {
                Some((COOKIE, rest)) => format!("{HOST_COOKIE}={rest}; Secure"),
                _ => format!("{text}; Secure"),
            };
            if let Ok(secure) = HeaderValue::from_str(&text) {
                *cookie = secure;
            }
        }
    }
}

/// Returns the path of a request as the table of routes has it.
pub fn route_of(request: &Request<Body>) -> String {
    let matched = request.extensions().get::<MatchedPath>();
    matched.map_or("none".into(), |matched| matched.as_str().to_string())
}

/// Sets what every answer says to browsers, by the route that it is of.
pub fn set_headers(response: &mut Response, route: &str) {
    let is_refused = response.status().is_client_error() || response.status().is_server_error();
    let security = match route {
        checked_page::PATH if !is_refused => CHECKED_PAGE_SECURITY,
        season_api::PAGE if !is_refused => SEASON_SECURITY,
        _ => CONTENT_SECURITY,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, security),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer` browsers would send forms with the origin `null`, as from another site.
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Refusals of what stands before the routes, told like all others.
pub async fn as_problem(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_told = kind.is_some_and(|kind| !kind.starts_with("text/plain"));
    if is_told || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let error = match status {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        StatusCode::GATEWAY_TIMEOUT => {
            let hint = "send it again under its key, or look at the log";
            let message = "this takes longer than a request may; it may be done or not";
            VerbError::new(Code::unknown_outcome("outcome-unknown"), message, hint)
        }
        _ => {
            let said = axum::body::to_bytes(response.into_body(), 4_096).await.unwrap_or_default();
            let said = String::from_utf8_lossy(&said).into_owned();
            bad_request(no_number(&said).unwrap_or_else(|| of_query(&said)))
        }
    };
    Refusal::from(error).into_response()
}

/// What is said of a part of a path that is to be a number: as it is typed, without the type that it is read as.
fn no_number(said: &str) -> Option<String> {
    let (_, behind) = said.split_once(" with value `")?;
    let (typed, _) = behind.rsplit_once("` to a `")?;
    Some(format!("{typed:?} in the path is no whole number, or too large a one"))
}

/// What is said of a query that cannot be read: without the words of the libraries that read it.
fn of_query(said: &str) -> String {
    const NO_NUMBERS: [&str; 4] = [
        "cannot parse integer from empty string",
        "invalid digit found in string",
        "number too large to fit in target type",
        "number too small to fit in target type",
    ];
    let said = said.replace("Failed to deserialize query string", "the query cannot be read");
    let no_number = "this is no whole number, or too large a one";
    NO_NUMBERS.iter().fold(said, |said, words| said.replace(words, no_number))
}

/// Refuses a name that is not this machine's: another site's name may lead here.
///
/// # Errors
/// `other-host`.
pub fn check_host(
    state: &State,
    headers: &HeaderMap,
    uri: &Uri,
    ends: Option<Ends>,
) -> Result<(), VerbError> {
    let wrong = |host: &str| {
        let hint = "use the address that the server printed";
        let message = format!("{host:?} is no name of this server");
        VerbError::new(Code::forbidden("other-host"), message, hint)
    };
    let Some(host) = host_of(headers, uri) else { return Err(wrong("")) };
    let name = bare(host).to_ascii_lowercase();
    let local = ends.map(|ends| ends.local.ip().to_canonical());
    let is_named =
        || name == "localhost" || name == crate::second::NAME || state.setup.names.contains(&name);
    let is_known = match name.parse::<IpAddr>() {
        Ok(address) if address.is_loopback() || local == Some(address.to_canonical()) => true,
        _ => is_named(),
    };
    if is_known { Ok(()) } else { Err(wrong(host)) }
}

/// Refuses what changes who may do what where this laptop is not the desk. Orders are refused by
/// themselves, each on its page; who comes in here is this laptop's business.
pub async fn at_desk(
    Shared(state): Shared<Arc<State>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    match state.second.may_record() {
        Ok(()) => next.run(request).await,
        Err(error) if request.uri().path().starts_with("/api/") => {
            Refusal::from(error).into_response()
        }
        // Whoever signs in on a page that was open before is told where that is done.
        Err(error) if request.uri().path() == "/sign-in" => {
            let error = state.second.is_the_rooms().err().unwrap_or(error);
            refusal_page(&error.into(), Language::English)
        }
        Err(error) => refusal_page(&error.into(), Language::English),
    }
}

/// Refuses what another site makes a browser send.
fn check_origin(request: &Request<Body>, ends: Option<Ends>) -> Result<(), VerbError> {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let headers = request.headers();
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_own = match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let host = host_of(headers, request.uri());
            // A plain page of this name may be another's; a proxy's page is https before plain http.
            let is_secure = ends.is_some_and(|ends| ends.is_secure);
            let (scheme, from) = origin.split_once("://").unwrap_or_default();
            Some(from) == host && (scheme == "https" || !is_secure)
        }
        // No browser: then nothing comes by itself that says who it is.
        (None, None) => sessions_in(headers).next().is_none() && device_in(headers).is_none(),
    };
    if is_own {
        return Ok(());
    }
    let hint = "post from a page of this server, or with a token";
    let message = format!("this comes from another site, or with the cookie `{COOKIE}` from none");
    Err(VerbError::new(Code::forbidden("other-origin"), message, hint))
}

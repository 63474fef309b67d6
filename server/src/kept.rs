//! What everybody sees alike: made once for all who ask, and kept compressed until something changes.
//! It is answered without a look at the store.

use crate::language::Language;
use crate::rooms::shows_who;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::{Compression, write::GzEncoder};
use lru::LruCache;
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many pages are kept, and how many bytes of them.
const MOST: NonZeroUsize = NonZeroUsize::new(4_096).unwrap();
const MOST_BYTES: usize = 64 << 20;
/// How long the path of a page is that is kept.
const LONGEST: usize = 512;
/// What caches of others may do with it.
pub const CACHING: &str = "public, max-age=2, stale-while-revalidate=20";
/// The same of what never changes under its address.
pub const FOR_GOOD: &str = "public, max-age=31536000, immutable";
/// What a list is that comes line by line (NDJSON).
pub const LINES: &str = "application/x-ndjson";
/// What a page is, and what a refusal is that programs read.
pub const PAGE: &str = "text/html";
/// See [`PAGE`].
pub const PROBLEM: &str = "application/problem+json";
/// What it depends on beside its path.
const VARIES: &str = "accept, accept-encoding, accept-language, authorization, cookie";

/// A page as it was made.
pub(crate) struct Kept {
    /// The path of its route.
    pub(crate) route: String,
    pub(crate) status: StatusCode,
    pub(crate) tag: HeaderValue,
    pub(crate) kind: HeaderValue,
    /// Where the next page of a list is.
    pub(crate) link: Option<HeaderValue>,
    /// Under which name browsers save it, where it is a file.
    pub(crate) file: Option<HeaderValue>,
    /// Whether it never changes under its address.
    pub(crate) is_for_good: bool,
    pub(crate) plain: Bytes,
    pub(crate) packed: Bytes,
    /// How often the tournament had changed when it was begun, and how often it has.
    pub(crate) at: u64,
    pub(crate) changes: Arc<AtomicU64>,
    pub(crate) begun: Instant,
    pub(crate) took: Duration,
}

/// A place for a page, and the turn of whoever makes it.
#[derive(Default)]
pub(crate) struct Place {
    kept: Mutex<Option<Arc<Kept>>>,
    pub(crate) making: tokio::sync::Mutex<()>,
}

impl Place {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<Arc<Kept>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn holding(&self) -> Option<Arc<Kept>> {
        self.lock().clone().filter(|kept| kept.holds())
    }
}

/// The pages that are kept, those that were asked for last the longest.
pub struct Pages {
    places: Mutex<LruCache<String, Arc<Place>>>,
    /// How many were answered as they were kept, and how many were made.
    pub answered: AtomicU64,
    /// How many were made.
    pub made: AtomicU64,
}

impl Default for Pages {
    fn default() -> Pages {
        let places = Mutex::new(LruCache::new(MOST));
        Pages { places, answered: AtomicU64::default(), made: AtomicU64::default() }
    }
}

/// Returns under what a page is kept, where it is one that everybody sees alike: whatever it depends
/// on beside the store stands in it.
pub fn key_of(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let path = uri.path();
    let is_page = path == "/"
        || path == "/calendar.ics"
        || ["/t/", "/api/v1/tournaments"].iter().any(|at| path.starts_with(at));
    if shows_who(headers)
        || method != Method::GET
        || !is_page
        || path.ends_with("/live")
        || path.ends_with("/floor")
        || takes_lines(headers)
        // A screen has a clock, which runs by the time at which its page was made.
        || path.contains("/screen")
        // Whoever waits for news is not told at once what was known before.
        || uri.query().is_some_and(|query| query.contains("wait=") || query.contains("aside="))
    {
        return None;
    }
    let asked = uri.path_and_query()?.as_str();
    // One for each language that there is, however a browser asks for it; `?lang=` stands in the query.
    let text = |name| headers.get(name).map_or("", |value| value.to_str().unwrap_or_default());
    let (host, language) = (text(header::HOST), Language::accepted(text(header::ACCEPT_LANGUAGE)));
    // Links on a page lead back the way by which it was asked for.
    let way = if text(HeaderName::from_static("x-forwarded-proto")) == "https" { "s" } else { "" };
    let key = format!("{}{way} {host} {asked}", language.tag());
    (key.len() <= LONGEST).then_some(key)
}

/// Returns the tournament that a path is about, as it stands there; none: all of them.
pub fn name_in(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("/t/").or_else(|| path.strip_prefix("/api/v1/tournaments/"))?;
    rest.split('/').next().filter(|name| !name.is_empty())
}

/// Returns whether an ETag is among those that somebody has.
pub fn has_tag(headers: &HeaderMap, tag: &[u8]) -> bool {
    let all = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut each =
        all.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
    each.any(|one| one == b"*" || one.strip_prefix(b"W/").unwrap_or(one) == tag)
}

/// Returns whether whoever asks names this kind of an answer.
pub fn takes(headers: &HeaderMap, kind: &str) -> bool {
    let asked = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    asked.is_some_and(|asked| asked.contains(kind))
}

/// Returns whether whoever asks takes a list line by line, and not as one answer.
pub fn takes_lines(headers: &HeaderMap) -> bool {
    takes(headers, LINES)
}

/// Returns whether whoever asks takes a refusal in the form in which it was made: a browser is told on a page, and a
/// program that asks for problems as one.
pub fn takes_refusal(headers: &HeaderMap, kind: &HeaderValue) -> bool {
    match kind.as_bytes() {
        page if page.starts_with(PAGE.as_bytes()) => !takes(headers, PROBLEM),
        problem if problem.starts_with(PROBLEM.as_bytes()) => !takes(headers, PAGE),
        _ => true,
    }
}

/// Returns whether whoever asks unpacks what is packed.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let asked = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let is_meant = |one: &str| {
        let (name, how) = one.split_once(';').unwrap_or((one, ""));
        name.trim() == "gzip" && !how.trim().starts_with("q=0")
    };
    asked.is_some_and(|asked| asked.split(',').any(is_meant))
}

impl Kept {
    fn holds(&self) -> bool {
        self.changes.load(Ordering::Acquire) == self.at
    }

    /// Whether it is in the form that whoever asks takes.
    pub(crate) fn fits(&self, headers: &HeaderMap) -> bool {
        self.status == StatusCode::OK || takes_refusal(headers, &self.kind)
    }

    fn size(&self) -> usize {
        self.plain.len() + self.packed.len()
    }

    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let is_page = self.status == StatusCode::OK;
        let mut response = if is_page && has_tag(headers, self.tag.as_bytes()) {
            StatusCode::NOT_MODIFIED.into_response()
        } else if takes_gzip(headers) {
            let packed = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
            (self.status, packed, Body::from(self.packed.clone())).into_response()
        } else {
            (self.status, Body::from(self.plain.clone())).into_response()
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.kind.clone());
        headers.insert(header::VARY, HeaderValue::from_static(VARIES));
        if is_page {
            headers.insert(header::ETAG, self.tag.clone());
        }
        if let Some(link) = &self.link {
            headers.insert(header::LINK, link.clone());
        }
        if let Some(file) = &self.file {
            headers.insert(header::CONTENT_DISPOSITION, file.clone());
        }
        let caching = match is_page {
            true if self.is_for_good => FOR_GOOD,
            true => CACHING,
            false => "no-store",
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
        response
    }
}

impl Pages {
    fn lock(&self) -> MutexGuard<'_, LruCache<String, Arc<Place>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a request, where it is kept, and the path of its route.
    pub fn quick(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Option<(Response, String)> {
        let key = key_of(method, uri, headers)?;
        let place = self.lock().get(&key).cloned()?;
        let kept = place.holding().filter(|kept| kept.fits(headers))?;
        self.answered.fetch_add(1, Ordering::Relaxed);
        Some((kept.answer(headers), kept.route.clone()))
    }

    pub(crate) fn place(&self, key: &str) -> Arc<Place> {
        let mut places = self.lock();
        Arc::clone(places.get_or_insert_ref(key, Arc::default))
    }

    /// Lets go of what nobody asked for longest, until the rest is small enough.
    pub(crate) fn tidy(&self) {
        let mut places = self.lock();
        let size = |place: &Place| place.lock().as_ref().map_or(0, |kept| kept.size());
        let mut all: usize = places.iter().map(|(_, place)| size(place)).sum();
        while all > MOST_BYTES {
            let Some((_, gone)) = places.pop_lru() else { return };
            all -= size(&gone);
        }
    }
}

/// Packs a page as browsers unpack it.
pub(crate) fn packed(plain: &[u8]) -> Bytes {
    let mut packer = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::new(3));
    // Memory takes whatever is written into it.
    let _ = packer.write_all(plain);
    packer.finish().unwrap_or_default().into()
}

/// Returns a part of a path as it is meant.
pub fn decoded(part: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), part.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match code.filter(|_| *first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(*first), rest = after).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(path: &'static str, headers: &[(header::HeaderName, &'static str)]) -> Option<String> {
        let headers =
            headers.iter().cloned().map(|(name, value)| (name, HeaderValue::from_static(value)));
        key_of(&Method::GET, &Uri::from_static(path), &headers.collect())
    }

    #[test]
    fn only_what_everybody_sees_alike_is_kept() {
        assert!(key("/t/friday/standings?through=2", &[]).is_some());
        assert!(key("/api/v1/tournaments", &[]).is_some() && key("/", &[]).is_some());
        for path in [
            "/t/friday/live",
            "/t/friday/screen/7kqm",
            "/api/v1/tournaments/friday/live",
            "/join/7KQM-2D4X",
            "/s/desk.css",
        ] {
            assert!(key(path, &[]).is_none(), "{path}");
        }
        let way = header::HeaderName::from_static("x-forwarded-proto");
        assert_ne!(key("/", &[(way, "https")]), key("/", &[]), "its links lead elsewhere");
        // Whoever waits for news is not told at once what was known before.
        assert!(key("/api/v1/tournaments/friday/log?after=3&wait=25", &[]).is_none());
        let lines = [(header::ACCEPT, "application/x-ndjson")];
        assert!(
            key("/api/v1/tournaments/friday/log?after=3", &lines).is_none(),
            "another form of it"
        );
        assert!(key("/t/friday/players?refused=x&aside=k", &[]).is_none(), "it is somebody's");
        assert!(key("/t/friday/standings", &[(header::COOKIE, "scrutineer=0")]).is_none());
        assert!(key("/t/friday/standings", &[(header::AUTHORIZATION, "Bearer scr_0")]).is_none());
        let german = key("/", &[(header::ACCEPT_LANGUAGE, "de-DE,de;q=0.9")]);
        assert!(german.is_some() && german != key("/", &[]));
    }

    /// A browser was given the problem that a program had asked for before, and a program the page.
    #[test]
    fn a_refusal_is_kept_for_those_who_take_it_in_its_form() {
        let takes = |accepted: &'static str, kind: &'static str| {
            let headers = [(header::ACCEPT, HeaderValue::from_static(accepted))];
            takes_refusal(&HeaderMap::from_iter(headers), &HeaderValue::from_static(kind))
        };
        let page = "text/html; charset=utf-8";
        assert!(takes("text/html,*/*;q=0.8", page) && !takes("text/html,*/*;q=0.8", PROBLEM));
        assert!(takes(PROBLEM, PROBLEM) && !takes(PROBLEM, page));
        for kind in [page, PROBLEM, "text/calendar"] {
            assert!(takes("*/*", kind), "{kind}");
        }
    }

    #[test]
    fn a_tag_is_found_among_others() {
        let headers = |value: &'static str| {
            HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static(value))])
        };
        assert!(has_tag(&headers("\"a\", W/\"b\""), b"\"b\"") && has_tag(&headers("*"), b"\"b\""));
        assert!(!has_tag(&headers("\"a\""), b"\"b\"") && !has_tag(&HeaderMap::new(), b"\"b\""));
    }

    #[test]
    fn a_path_is_read_as_it_is_meant() {
        assert_eq!(name_in("/t/Spring%20Open/round/2").map(decoded), Some("Spring Open".into()));
        assert_eq!(name_in("/api/v1/tournaments"), None);
        assert_eq!(decoded("50%"), "50%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }
}

//! What a page has to say that must not stand in its address: why something was refused, and what was typed or
//! is looked for, which often is somebody's name. It is kept here for whoever posted it; the address has its key.

use crate::house::secret;
use crate::query::encoded;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use lru::LruCache;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whose something is: what their browser shows, as a hash.
pub(crate) type Whose = [u8; 32];

/// How many are kept: those that were asked for last the longest.
pub const MOST: NonZeroUsize = NonZeroUsize::new(256).unwrap();
/// How many bytes are kept of each, as they stand in an address, which has 64 KiB at most.
pub const MOST_BYTES: usize = 48 << 10;
/// For how long.
pub const HOLDS: Duration = Duration::from_secs(3_600);
/// What the key is called in an address.
pub(crate) const KEY: &str = "aside";
/// What comes from here alone, and counts nowhere where an address has it.
const OWN: [&str; 5] = ["why", "hint", "typed", "people", "csv"];

struct Kept {
    whose: Whose,
    since: Instant,
    query: String,
}

/// What is kept for pages.
pub struct Asides(Mutex<LruCache<String, Kept>>);

impl Default for Asides {
    fn default() -> Asides {
        Asides(Mutex::new(LruCache::new(MOST)))
    }
}

impl Asides {
    /// Keeps fields, and returns their key; none: the system has no random bytes.
    pub(crate) fn keep(&self, whose: Whose, fields: Vec<(String, String)>) -> Option<String> {
        let mut query = String::new();
        for (name, text) in fields {
            let field = format!("{name}={}", encoded(&text));
            // What is longer is left to the browser's way back.
            if query.len() + field.len() < MOST_BYTES {
                let sign = if query.is_empty() { "" } else { "&" };
                query.extend([sign, &field]);
            }
        }
        let key: String = secret().ok()?.chars().take(32).collect();
        let kept = Kept { whose, since: Instant::now(), query };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(key.clone(), kept);
        Some(key)
    }

    /// The fields under a key, as they would stand in an address; they stay, for a page that is loaded again.
    fn find(&self, key: &str, whose: Whose) -> Option<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = all.get(key).filter(|kept| kept.whose == whose)?;
        (kept.since.elapsed() < HOLDS).then(|| kept.query.clone())
    }
}

/// An address with what is kept under its key for whoever asks; none: it has nothing of that.
pub(crate) fn filled(uri: &Uri, asides: &Asides, whose: Whose) -> Option<Uri> {
    let name = |field: &str| field.split('=').next().unwrap_or_default().to_string();
    let query = uri.query().filter(|_| !uri.path().starts_with("/api/"))?;
    let is_told = |field: &&str| name(field) == KEY || OWN.contains(&&name(field)[..]);
    let (told, mut rest): (Vec<&str>, Vec<&str>) = query.split('&').partition(is_told);
    let key = told.iter().find_map(|field| field.strip_prefix(KEY)?.strip_prefix('='));
    let kept = key.and_then(|key| asides.find(key, whose));
    if told.is_empty() {
        return None;
    }
    let known = kept.as_ref().and(key).map(|key| format!("{KEY}={key}"));
    rest.extend(known.as_deref());
    rest.extend(kept.as_deref());
    let asked = PathAndQuery::try_from(format!("{}?{}", uri.path(), rest.join("&"))).ok()?;
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(asked);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(text: &str) -> Uri {
        text.parse().expect("an address")
    }

    #[test]
    fn what_is_kept_is_read_by_whoever_posted_it_and_by_nobody_else() {
        let (asides, own) = (Asides::default(), [1; 32]);
        let fields = vec![("why".into(), "Ann Lee & Co".into()), ("typed".into(), "1".into())];
        let key = asides.keep(own, fields).expect("a key");
        let asked = uri(&format!("/t/x/players?refused=a&{KEY}={key}&lang=de"));
        let found = |whose| filled(&asked, &asides, whose).expect("an address").to_string();
        let said = "why=Ann%20Lee%20%26%20Co&typed=1";
        for _ in 0..2 {
            // Also where the page is loaded again.
            assert_eq!(found(own), format!("/t/x/players?refused=a&lang=de&{KEY}={key}&{said}"));
        }
        assert_eq!(found([2; 32]), "/t/x/players?refused=a&lang=de");
    }

    #[test]
    fn an_address_has_no_word_of_its_own_in_a_refusal() {
        let asides = Asides::default();
        let found = |text: &str| filled(&uri(text), &asides, [1; 32]).map(|uri| uri.to_string());
        let forged = "/t/x/desk?refused=a&why=call+this+number&hint=x";
        assert_eq!(found(forged).as_deref(), Some("/t/x/desk?refused=a"));
        assert_eq!(found("/t/x/standings?through=3"), None);
        assert_eq!(found("/api/v1/tournaments/x/log?why=x"), None, "a program is told of it");
    }

    #[test]
    fn a_field_that_is_too_long_is_left_to_the_browser() {
        let (asides, own) = (Asides::default(), [1; 32]);
        let long = "x".repeat(MOST_BYTES + 1);
        let fields = vec![("people".into(), long), ("why".into(), "y".into())];
        let key = asides.keep(own, fields).expect("a key");
        assert_eq!(asides.find(&key, own).as_deref(), Some("why=y"));
        assert!((0..MOST.get()).all(|_| asides.keep(own, Vec::new()).is_some()));
        assert_eq!(asides.find(&key, own), None, "the oldest goes first");
    }
}

//! When the venues that push to this server were heard, and how their copies stand.

use scrutineer_engine::record::StreamId;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Heard {
    /// When each venue was heard since the server started, by the source that its copies name.
    venues: HashMap<String, Instant>,
    /// The tournaments whose pages say so.
    told: HashSet<StreamId>,
}

/// When each venue was heard, whatever it asked or pushed.
#[derive(Default)]
pub struct Venues(Mutex<Heard>);

impl Venues {
    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A venue is heard now.
    pub fn hear(&self, venue: &str) {
        self.lock().venues.insert(venue.to_string(), Instant::now());
    }

    /// Returns how long ago the venue of a tournament was heard, for its pages; none: not since the server started.
    pub fn heard(&self, stream: StreamId, venue: &str) -> Option<Duration> {
        let mut heard = self.lock();
        heard.told.insert(stream);
        heard.venues.get(venue).map(Instant::elapsed)
    }

    /// Returns the tournaments whose pages say when their venue was heard.
    pub fn all(&self) -> Vec<StreamId> {
        self.lock().told.iter().copied().collect()
    }
}

/// How a copy stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// How long ago its venue was heard, where that pushes it.
    pub heard: Option<Duration>,
    /// Whether it is followed, or pushed here; it came in as a bundle otherwise.
    pub is_followed: bool,
    /// Whether a venue pushes it here.
    pub is_pushed: bool,
    /// Whether its log was rewritten where it is run.
    pub is_forked: bool,
    /// Whether only the server from which it is copied says so.
    pub is_said: bool,
    /// The event of the other log that says that it was restored from a copy.
    pub restored: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_venue_asks_it_is_heard_on_the_pages_of_all_its_tournaments() {
        let (venues, own) = (Venues::default(), [1, 2].map(|one| StreamId([one; 16])));
        assert_eq!(own.map(|stream| venues.heard(stream, "pushed by one")), [None, None]);
        venues.hear("pushed by one");
        assert!(own.iter().all(|stream| venues.heard(*stream, "pushed by one").is_some()));
        assert_eq!(venues.heard(StreamId([3; 16]), "pushed by another"), None);
        assert_eq!(venues.all().len(), 3, "a page is made anew, too, that said it was not heard");
    }
}

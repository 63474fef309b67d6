//! When the venues that push to this server were heard, and how their copies stand.

use scrutineer_engine::record::StreamId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When the venue of each tournament was heard since the server started.
#[derive(Default)]
pub struct Venues(Mutex<HashMap<StreamId, Instant>>);

impl Venues {
    fn lock(&self) -> MutexGuard<'_, HashMap<StreamId, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The venue of a tournament is heard now.
    pub fn hear(&self, stream: StreamId) {
        self.lock().insert(stream, Instant::now());
    }

    /// Returns how long ago the venue of a tournament was heard; none: not since the server started.
    pub fn heard(&self, stream: StreamId) -> Option<Duration> {
        self.lock().get(&stream).map(Instant::elapsed)
    }

    /// Returns the tournaments whose venues were heard.
    pub fn all(&self) -> Vec<StreamId> {
        self.lock().keys().copied().collect()
    }
}

/// How a copy stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// How long ago its venue was heard, where that pushes it.
    pub heard: Option<Duration>,
    /// Whether it is followed, or pushed here; it came in as a bundle otherwise.
    pub is_followed: bool,
    /// Whether its log was rewritten where it is run.
    pub is_forked: bool,
    /// Whether only the server from which it is copied says so.
    pub is_said: bool,
    /// The event of the other log that says that it was restored from a copy.
    pub restored: Option<u64>,
}

//! How fast programs ask: each token has a quota, which fills again as time goes by. It is in memory, on each
//! server by itself.

use super::{House, SLOW_DOWN};
use scrutineer_desk::hint::Hint;
use scrutineer_desk::verb_error::VerbError;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How many requests a token has at once, after it was still.
pub const REQUESTS_AT_ONCE: u64 = 200;
/// How many it has a second from then on.
pub const REQUESTS_A_SECOND: u64 = 50;
/// A second, in the unit in which time is counted here.
const SECOND: u64 = 1_000_000;
/// How long one request takes to come back.
const EACH: u64 = SECOND / REQUESTS_A_SECOND;
/// How many tokens are remembered before those are forgotten that have all of their quota. All are again after
/// four seconds of quiet, so what is left is what the owner's tokens ask just now.
const MOST_REMEMBERED: usize = 4_096;

/// What is left to a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// How many requests.
    pub requests: u64,
    /// In how many seconds it has all of them.
    pub full_in: u64,
    /// In how many seconds one more is answered; none: this one is.
    pub wait: Option<u64>,
}

impl Left {
    /// Returns the refusal of a request that is one too many.
    ///
    /// # Errors
    /// `slow-down` with the seconds.
    pub fn check(self) -> Result<(), VerbError> {
        let Some(seconds) = self.wait else { return Ok(()) };
        let message = format!(
            "a token has {REQUESTS_A_SECOND} requests a second, and {REQUESTS_AT_ONCE} at once"
        );
        Err(VerbError::new(SLOW_DOWN, message, Hint::to_wait(seconds, "nothing was done")))
    }
}

/// Takes one request at a time `now` from a quota that is full again at `full_at`; returns when it is full again
/// then, and what is left.
fn taken(full_at: u64, now: u64) -> (u64, Left) {
    let missing = full_at.saturating_sub(now);
    let too_much = (missing + EACH).saturating_sub(REQUESTS_AT_ONCE * EACH);
    let (missing, wait) = match too_much {
        0 => (missing + EACH, None),
        // What is refused costs nothing: who waits as long as it says is answered.
        more => (missing, Some(more.div_ceil(SECOND))),
    };
    let requests = (REQUESTS_AT_ONCE * EACH).saturating_sub(missing) / EACH;
    (now + missing, Left { requests, full_in: missing.div_ceil(SECOND), wait })
}

/// The quotas of tokens, as far as they are not full.
pub(super) struct Quotas {
    since: Instant,
    /// When each token has all of its quota again.
    full_at: Mutex<HashMap<String, u64>>,
}

impl Default for Quotas {
    fn default() -> Quotas {
        Quotas { since: Instant::now(), full_at: Mutex::default() }
    }
}

impl Quotas {
    fn take(&self, token: &str, now: u64) -> Left {
        let mut all = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_REMEMBERED {
            all.retain(|_, full_at| *full_at > now);
        }
        let full_at = all.entry(token.to_string()).or_default();
        let (later, left) = taken(*full_at, now);
        *full_at = later;
        left
    }
}

impl House {
    /// Counts a request of a token, named as its keys are, and says what is left to it.
    pub fn count_of_token(&self, principal: &str) -> Left {
        let since = self.quotas.since.elapsed();
        self.quotas.take(principal, u64::try_from(since.as_micros()).unwrap_or(u64::MAX / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_so_many_at_once_and_is_told_how_long_to_wait_for_more() {
        let (now, mut full_at) = (7 * SECOND, 0);
        for asked in 1..=REQUESTS_AT_ONCE {
            let (later, left) = taken(full_at, now);
            let full_in = (asked * EACH).div_ceil(SECOND);
            assert_eq!(left, Left { requests: REQUESTS_AT_ONCE - asked, full_in, wait: None });
            full_at = later;
        }
        let (later, left) = taken(full_at, now);
        assert_eq!(later, full_at, "what is refused costs nothing");
        assert_eq!(left, Left { requests: 0, full_in: 4, wait: Some(1) });
        let refused = left.check().expect_err("one too many");
        let seconds = refused.hint.as_ref().and_then(Hint::seconds);
        assert_eq!((refused.code.word, seconds), ("slow-down", Some(1)));
        // Who waits for so long has a second's worth.
        let (mut now, mut answered) = (now + SECOND, 0);
        while taken(full_at, now).1.wait.is_none() {
            full_at = taken(full_at, now).0;
            answered += 1;
        }
        assert_eq!(answered, REQUESTS_A_SECOND);
        now += 4 * SECOND;
        assert_eq!(
            taken(full_at, now).1.requests,
            REQUESTS_AT_ONCE - 1,
            "it is full, and no more than that"
        );
    }

    #[test]
    fn who_asks_as_fast_as_a_token_may_is_never_refused() {
        let mut full_at = 0;
        for asked in 0..10_000 {
            let (later, left) = taken(full_at, asked * EACH);
            assert_eq!(left, Left { requests: REQUESTS_AT_ONCE - 1, full_in: 1, wait: None });
            full_at = later;
        }
    }

    #[test]
    fn tokens_that_have_all_of_their_quota_are_forgotten_and_each_has_its_own() {
        let quotas = Quotas::default();
        for token in 0..MOST_REMEMBERED {
            quotas.take(&token.to_string(), 0);
        }
        assert_eq!(quotas.take("late", SECOND).requests, REQUESTS_AT_ONCE - 1);
        assert_eq!(quotas.full_at.lock().expect("no panic").len(), 1);
    }
}

//! Where a desk's time and random bytes come from: the machine, or for a rehearsal a word.
//!
//! A rehearsal can be played again byte by byte, so scripts are made with it. Whoever knows the
//! word foresees every draw, so it is no way to run a tournament.

use crate::store::{Store, StoreError};
use scrutineer_engine::book::BookError;
use scrutineer_engine::record::Time;
use scrutineer_store::texts::system_salt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The context of a rehearsal's bytes.
const CONTEXT: &str = "scrutineer 2026 rehearsal v1";
/// When rehearsals begin: 2026-01-01 10:00:00 UTC.
const BEGIN: i64 = 1_767_261_600_000_000;

/// Time and random bytes.
pub struct Chance {
    /// The key and how far the store is, where this is a rehearsal.
    rehearsed: Option<([u8; 32], u64)>,
    drawn: AtomicU64,
    asked: AtomicU64,
}

impl Chance {
    /// The machine's, or those of a rehearsal: each command at a store gets its own, since the
    /// store has grown.
    pub fn of(word: Option<&str>, store: &Store) -> Result<Chance, StoreError> {
        let (drawn, asked) = (AtomicU64::new(0), AtomicU64::new(0));
        let Some(word) = word else { return Ok(Chance { rehearsed: None, drawn, asked }) };
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        hasher.update(word.as_bytes());
        let mut streams = store.log().streams()?;
        streams.sort_unstable();
        let mut events = 0;
        for stream in streams {
            // Not the hash: a comment in a ruleset would change every draw of a script.
            let seq = store.log().head(stream)?.seq;
            hasher.update(&stream.0).update(&seq.to_le_bytes());
            events += seq;
        }
        Ok(Chance { rehearsed: Some((*hasher.finalize().as_bytes(), events)), drawn, asked })
    }

    /// The time.
    pub fn now(&self) -> Time {
        match self.rehearsed {
            Some((_, events)) => {
                let seconds = events + self.asked.fetch_add(1, Ordering::Relaxed);
                Time { unix_micros: BEGIN + seconds as i64 * 1_000_000 }
            }
            None => now(),
        }
    }

    /// The secret of a key. A rehearsal's has its own bytes: what else is drawn stays as it is.
    pub fn key(&self) -> Result<[u8; 32], BookError> {
        let Some((key, _)) = &self.rehearsed else { return system_salt() };
        Ok(*blake3::keyed_hash(key, b"key").as_bytes())
    }

    /// 32 bytes that nobody foresees, unless this is a rehearsal.
    pub fn random(&self) -> Result<[u8; 32], BookError> {
        let Some((key, _)) = &self.rehearsed else { return system_salt() };
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        Ok(*blake3::keyed_hash(key, &number.to_le_bytes()).as_bytes())
    }
}

/// The time by this machine's clock.
pub fn now() -> Time {
    Time { unix_micros: chrono::Utc::now().timestamp_micros() }
}

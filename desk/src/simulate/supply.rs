//! What a simulation is given in place of a clock and of the system's random bytes.

use super::{Rates, Simulation};
use scrutineer_engine::record::{StreamId, Time};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The context of the bytes that a simulation takes for random.
pub(crate) const SUPPLY_CONTEXT: &str = "scrutineer 2026 simulation v1";

/// The context of what happens at a simulated tournament.
pub(crate) const CHANCE_CONTEXT: &str = "scrutineer 2026 simulated event v1";

/// When simulated tournaments begin: 3 January 2026, 10 o'clock UTC.
const BEGINS: i64 = 1_767_434_400_000_000;

/// How long a command takes at a simulated desk.
const STEP: i64 = 7_000_000;

/// A clock and random bytes.
pub(crate) struct Supply {
    stream: StreamId,
    /// What the tournament's own dice are made of.
    chance: [u8; 32],
    bytes: Mutex<blake3::OutputReader>,
    time: AtomicI64,
}

impl Supply {
    /// The supply of a simulation: everything about it goes in, so that no two tournaments of a store
    /// share an id or a secret.
    pub fn of(simulation: &Simulation) -> Supply {
        let mut hasher = blake3::Hasher::new_derive_key(SUPPLY_CONTEXT);
        for number in numbers(simulation) {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&simulation.rules.hash);
        let mut bytes = hasher.finalize_xof();
        let mut stream = [0; 16];
        // The desk takes the first half of its first 32 bytes for the id; so does this.
        let at = bytes.position();
        bytes.fill(&mut stream);
        bytes.set_position(at);
        let seed = simulation.seed.to_le_bytes();
        let chance = blake3::derive_key(CHANCE_CONTEXT, &seed);
        let (bytes, time) = (Mutex::new(bytes), AtomicI64::new(BEGINS));
        Supply { stream: StreamId(stream), chance, bytes, time }
    }

    /// The tournament's id.
    pub fn stream(&self) -> StreamId {
        self.stream
    }

    /// What the tournament's own dice are made of: the seed alone, so that the same people play the
    /// same matches whatever the format.
    pub fn chance(&self) -> &[u8; 32] {
        &self.chance
    }

    /// The next 32 bytes.
    pub fn bytes(&self) -> [u8; 32] {
        let mut next = [0; 32];
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).fill(&mut next);
        next
    }

    /// The time, which goes on a little each time that somebody looks.
    pub fn time(&self) -> Time {
        Time { unix_micros: self.time.fetch_add(STEP, Ordering::Relaxed) + STEP }
    }
}

fn numbers(simulation: &Simulation) -> impl Iterator<Item = u64> {
    let Simulation { players, kind, rounds, seed, cut, cut_kind, best_of, .. } = simulation;
    let first = [
        *seed,
        u64::from(*players),
        *kind as u64,
        rounds.map_or(0, u64::from),
        cut.map_or(0, u64::from),
        *cut_kind as u64,
        u64::from(*best_of),
    ];
    first.into_iter().chain(rates(&simulation.rates).map(u64::from))
}

fn rates(rates: &Rates) -> [u32; 11] {
    let Rates { drops, no_shows, returns, late, wrong, penalties, draws, agreed, .. } = *rates;
    let Rates { repairs, byes, declines, .. } = *rates;
    [drops, no_shows, returns, late, wrong, penalties, draws, agreed, repairs, byes, declines]
}

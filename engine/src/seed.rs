//! The seeds of the draws: a chain of hashes that is committed to before the first draw and
//! revealed from its end, one seed for each draw.
//!
//! The organizer's secret is the last seed of the chain; each seed is the hash of the next one.
//! [`TournamentOpened`](crate::event::TournamentOpened) commits to seed 0. Draw `k` reveals seed
//! `k`: hashed `k` times it must give the commitment, which anyone can check at once and for ever,
//! and nobody can compute seed `k + 1` from it.
//!
//! ```
//! use scrutineer_engine::seed;
//! let secret = [7; 32];
//! let commitment = seed::commitment(&secret);
//! let revealed = seed::reveal(&secret, seed::draw_of_round(1)).expect("a chain serves 4,095 draws");
//! assert!(seed::leads_to(&commitment, seed::draw_of_round(1), &revealed));
//! assert!(!seed::leads_to(&commitment, seed::draw_of_round(2), &revealed));
//! ```

use crate::event::RoundNumber;
use blake3::hazmat::{ContextKey, HasherExt, hash_derive_key_context};

/// The context of the hash that leads from a seed to the one before it.
pub(crate) const SEED_CONTEXT: &str = "scrutineer 2026 seed v1";

/// How many draws a chain serves; the secret is the seed of the last one.
pub const DRAWS: u32 = 4096;

/// The draw that pairs a round. A round that was voided and is opened again uses its seed again,
/// so that nobody can draw until they like the outcome.
pub const fn draw_of_round(round: RoundNumber) -> u32 {
    2 * round as u32
}

/// The draw of lots after a round; 0: before the first.
pub const fn draw_of_lots(after_round: RoundNumber) -> u32 {
    2 * after_round as u32 + 1
}

/// The seed of a draw; none for the last draw of the chain, whose seed is the secret itself, and
/// beyond.
pub fn reveal(secret: &[u8; 32], draw: u32) -> Option<[u8; 32]> {
    Seeds::of(secret).reveal(draw)
}

/// What is committed to: seed 0.
pub fn commitment(secret: &[u8; 32]) -> [u8; 32] {
    Seeds::of(secret).commitment()
}

/// Every seed of a chain, for a desk that draws round after round.
#[derive(Clone)]
pub struct Seeds(Vec<[u8; 32]>);

impl Seeds {
    /// The chain that ends with this secret.
    pub fn of(secret: &[u8; 32]) -> Seeds {
        let (before, mut next) = (Before::new(), *secret);
        let mut from_last = vec![next];
        for draw in (1..=DRAWS).rev() {
            next = before.of(draw, &next);
            from_last.push(next);
        }
        from_last.reverse();
        Seeds(from_last)
    }

    /// What is committed to: seed 0.
    pub fn commitment(&self) -> [u8; 32] {
        self.0[0]
    }

    /// As [`reveal`].
    pub fn reveal(&self, draw: u32) -> Option<[u8; 32]> {
        let seed = self.0.get(draw as usize).copied();
        seed.filter(|_| draw < DRAWS)
    }
}

/// Whether `seed` is the seed of `draw` in the chain with this commitment.
pub fn leads_to(commitment: &[u8; 32], draw: u32, seed: &[u8; 32]) -> bool {
    if draw == 0 || draw > DRAWS {
        return false;
    }
    let before = Before::new();
    (1..=draw).rev().fold(*seed, |next, draw| before.of(draw, &next)) == *commitment
}

/// Leads from a seed to the one before it. The context is hashed once for the whole chain.
struct Before(ContextKey);

impl Before {
    fn new() -> Before {
        Before(hash_derive_key_context(SEED_CONTEXT))
    }

    /// The seed before seed `draw`.
    fn of(&self, draw: u32, seed: &[u8; 32]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_from_context_key(&self.0);
        hasher.update(&draw.to_le_bytes());
        hasher.update(seed);
        *hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seed_leads_to_the_commitment_and_to_no_other_draw() {
        let secret = [42; 32];
        let commitment = commitment(&secret);
        for draw in [1, 2, 3, 100, DRAWS - 1] {
            let seed = reveal(&secret, draw).expect("it is served");
            assert!(leads_to(&commitment, draw, &seed), "{draw}");
            assert!(!leads_to(&commitment, draw + 1, &seed), "{draw}");
            assert!(!leads_to(&commitment, draw - 1, &seed), "{draw}");
        }
        assert_eq!(reveal(&secret, DRAWS), None);
        assert_eq!(reveal(&secret, DRAWS + 1), None);
        assert!(!leads_to(&commitment, 0, &commitment));
        assert!(leads_to(&commitment, DRAWS, &secret));
        assert!(!leads_to(&commitment, DRAWS + 1, &secret));
        // A chain that is longer by one is no chain of ours, also where its hashes hold.
        let before = Before::new();
        let longer = (1..=DRAWS + 1).rev().fold(secret, |next, draw| before.of(draw, &next));
        assert!(!leads_to(&longer, DRAWS + 1, &secret));
    }

    #[test]
    fn a_whole_chain_holds_what_is_revealed_one_by_one() {
        let secret = [9; 32];
        let seeds = Seeds::of(&secret);
        for draw in [0, 1, 2, 77, DRAWS - 1, DRAWS, DRAWS + 1] {
            assert_eq!(seeds.reveal(draw), reveal(&secret, draw), "{draw}");
        }
        let mut hasher = blake3::Hasher::new_derive_key(SEED_CONTEXT);
        hasher.update(&DRAWS.to_le_bytes()).update(&secret);
        assert_eq!(Some(*hasher.finalize().as_bytes()), reveal(&secret, DRAWS - 1));
    }

    #[test]
    fn rounds_and_lots_never_share_a_seed() {
        assert_eq!((draw_of_lots(0), draw_of_round(1), draw_of_lots(1)), (1, 2, 3));
    }
}

//! The seeds of the draws: a chain of hashes that is committed to before the first draw and
//! revealed from its end, one seed for each draw.
//!
//! The organiser's secret is the last seed of the chain; each seed is the hash of the next one.
//! [`TournamentOpened`](crate::event::TournamentOpened) commits to seed 0. Draw `k` reveals seed
//! `k`: hashed `k` times it must give the commitment, which anyone can check at once and for ever,
//! and nobody can compute seed `k + 1` from it.
//!
//! ```
//! use scrutineer_engine::seed;
//! let secret = [7; 32];
//! let commitment = seed::commitment(&secret);
//! let revealed = seed::reveal(&secret, seed::draw_of_round(1));
//! assert!(seed::leads_to(&commitment, seed::draw_of_round(1), &revealed));
//! assert!(!seed::leads_to(&commitment, seed::draw_of_round(2), &revealed));
//! ```

use crate::event::RoundNumber;

/// The context of the hash that leads from a seed to the one before it.
pub const SEED_CONTEXT: &str = "scrutineer 2026 seed v1";

/// How many draws a chain serves; the secret is the seed of the last one.
pub const DRAWS: u32 = 4096;

/// The draw that pairs a round. A round that was voided and is opened again uses its seed again,
/// so that nobody can draw until he likes the outcome.
pub const fn draw_of_round(round: RoundNumber) -> u32 {
    2 * round as u32
}

/// The draw of lots after a round; 0: before the first.
pub const fn draw_of_lots(after_round: RoundNumber) -> u32 {
    2 * after_round as u32 + 1
}

/// The seed of a draw; seed 0 for a draw beyond [`DRAWS`] would be no secret, so that gives the
/// last one.
pub fn reveal(secret: &[u8; 32], draw: u32) -> [u8; 32] {
    (draw.min(DRAWS) + 1..=DRAWS).rev().fold(*secret, |next, draw| before(draw, &next))
}

/// What is committed to: seed 0.
pub fn commitment(secret: &[u8; 32]) -> [u8; 32] {
    reveal(secret, 0)
}

/// Whether `seed` is the seed of `draw` in the chain with this commitment.
pub fn leads_to(commitment: &[u8; 32], draw: u32, seed: &[u8; 32]) -> bool {
    if draw == 0 || draw > DRAWS {
        return false;
    }
    (1..=draw).rev().fold(*seed, |next, draw| before(draw, &next)) == *commitment
}

/// The seed before seed `draw`.
fn before(draw: u32, seed: &[u8; 32]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(SEED_CONTEXT);
    hasher.update(&draw.to_le_bytes());
    hasher.update(seed);
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seed_leads_to_the_commitment_and_to_no_other_draw() {
        let secret = [42; 32];
        let commitment = commitment(&secret);
        for draw in [1, 2, 3, 100, DRAWS] {
            let seed = reveal(&secret, draw);
            assert!(leads_to(&commitment, draw, &seed), "{draw}");
            assert!(!leads_to(&commitment, draw + 1, &seed), "{draw}");
            assert!(!leads_to(&commitment, draw - 1, &seed), "{draw}");
        }
        assert_eq!(reveal(&secret, DRAWS), secret);
        assert!(!leads_to(&commitment, 0, &commitment));
        assert!(!leads_to(&commitment, DRAWS + 1, &secret));
    }

    #[test]
    fn rounds_and_lots_never_share_a_seed() {
        assert_eq!((draw_of_lots(0), draw_of_round(1), draw_of_lots(1)), (1, 2, 3));
    }
}

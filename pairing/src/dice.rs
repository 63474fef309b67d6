//! The random numbers of a draw: a stream that anyone can make again from the revealed seed.

/// The context of a draw's stream of random numbers.
pub(crate) const DICE_CONTEXT: &str = "scrutineer 2026 draw v1";

/// Random numbers from a seed: the bytes of BLAKE3's extendable output, eight at a time, as
/// little-endian numbers; a number that would favour some values is thrown away.
pub struct Dice(blake3::OutputReader);

impl Dice {
    /// The dice of one draw: the seed revealed, the method with its version, and public dice
    /// (none: empty).
    pub fn new(seed: &[u8; 32], method: &str, version: u16, public: &[u8]) -> Dice {
        let mut hasher = blake3::Hasher::new_derive_key(DICE_CONTEXT);
        hasher.update(seed);
        hasher.update(&(method.len() as u32).to_le_bytes());
        hasher.update(method.as_bytes());
        hasher.update(&version.to_le_bytes());
        hasher.update(&(public.len() as u32).to_le_bytes());
        hasher.update(public);
        Dice(hasher.finalize_xof())
    }

    /// A number from 0 to below `count`, each equally likely; 0 where `count` is 0.
    pub fn below(&mut self, count: u64) -> u64 {
        if count == 0 {
            return 0;
        }
        // The largest multiple of `count` that fits: what lies above it is thrown away.
        let end = u64::MAX - (u64::MAX % count + 1) % count;
        loop {
            let mut bytes = [0; 8];
            self.0.fill(&mut bytes);
            let number = u64::from_le_bytes(bytes);
            if number <= end {
                return number % count;
            }
        }
    }

    /// Brings a list into an order in which every one is equally likely (Fisher and Yates, from
    /// the end).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let with = self.below(last as u64 + 1) as usize;
            list.swap(last, with);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn a_seed_gives_the_same_numbers_for_ever() {
        let mut dice = Dice::new(&[7; 32], "score-group-random", 1, b"");
        let numbers: Vec<u64> = (0..8).map(|_| dice.below(100)).collect();
        assert_eq!(numbers, [28, 36, 4, 95, 98, 23, 9, 46]);
    }

    #[test]
    fn every_number_is_about_as_likely() {
        let mut dice = Dice::new(&[1; 32], "test", 1, b"42");
        let mut counts = [0u32; 6];
        (0..60_000).for_each(|_| counts[dice.below(6) as usize] += 1);
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}

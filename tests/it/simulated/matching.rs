//! The best that any draw of a field could reach, found by looking at every pairing.

use std::collections::{BTreeMap, BTreeSet};

/// Fields up to this size are looked through.
pub const SMALL: usize = 12;

/// Pairs who have met before, and how many meetings they repeat.
pub type Repeats = (u32, u32);

/// A field before a draw; players by index.
pub struct Field {
    /// How often two have met, the lower index first.
    pub met: BTreeMap<(usize, usize), u32>,
    /// The byes of each.
    pub byes: Vec<u32>,
}

impl Field {
    fn met(&self, one: usize, other: usize) -> u32 {
        self.met.get(&(one.min(other), one.max(other))).copied().unwrap_or(0)
    }

    /// What these pairs repeat.
    pub fn repeats(&self, pairs: &[(usize, usize)]) -> Repeats {
        let met = pairs.iter().map(|&(one, other)| self.met(one, other));
        met.fold((0, 0), |(pairs, meetings), met| (pairs + u32::from(met > 0), meetings + met))
    }

    /// For everybody who could have the bye (nobody: an even number), the fewest repeats.
    pub fn best(&self) -> Vec<(Option<usize>, Repeats)> {
        let players = self.byes.len();
        let everybody = (1usize << players) - 1;
        let mut known = BTreeMap::new();
        match players % 2 {
            0 => vec![(None, self.fewest(everybody, &mut known))],
            _ => (0..players)
                .map(|bye| (Some(bye), self.fewest(everybody & !(1 << bye), &mut known)))
                .collect(),
        }
    }

    /// The fewest repeats among the players of a set.
    fn fewest(&self, set: usize, known: &mut BTreeMap<usize, Repeats>) -> Repeats {
        if set == 0 {
            return (0, 0);
        }
        if let Some(found) = known.get(&set) {
            return *found;
        }
        let first = set.trailing_zeros() as usize;
        let rest = set & !(1 << first);
        let others = (0..self.byes.len()).filter(|other| rest & (1 << other) != 0);
        let with = |other: usize| {
            let left = self.fewest(rest & !(1 << other), known);
            let met = self.met(first, other);
            (left.0 + u32::from(met > 0), left.1 + met)
        };
        let best = others.map(with).min().unwrap_or((0, 0));
        known.insert(set, best);
        best
    }

    /// Whether neither a rematch nor a second bye is needed, by a simple argument: where
    /// everybody could still meet at least half of the others, there are pairs for all of them
    /// (Dirac). Whoever takes the bye, if somebody without one is there, leaves such a field.
    pub fn is_surely_free(&self) -> bool {
        let players = self.byes.len();
        let mut met: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); players];
        for (one, other) in self.met.keys() {
            met[*one].insert(*other);
            met[*other].insert(*one);
        }
        let most = met.iter().map(BTreeSet::len).max().unwrap_or(0);
        let odd = players % 2;
        let paired = players - odd;
        (odd == 0 || self.byes.contains(&0)) && 2 * (paired.saturating_sub(1 + most)) >= paired
    }
}

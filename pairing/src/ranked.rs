//! Neighbours in the order meet: first against second, third against fourth.
//!
//! The first round is at random. The bye is decided before the pairs, so a bye is never moved to
//! spare somebody a rematch: the documents forbid a second bye and are silent about rematches.
//! Where rematches are to be avoided, the draw has as few of them as any could have; among those
//! draws the first in the order meets the highest whom they can, then the next one left, and so on.

mod bottom;
#[cfg(test)]
mod tests;

use crate::dice::Dice;
use scrutineer_engine::event::{PairingReason, PlayerNumber};
use std::collections::BTreeMap;

/// A player to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Their number.
    pub player: PlayerNumber,
    /// Their place in the running order, from 1; players who share it come in an order by lot.
    pub rank: u32,
    /// How many byes they have had that count against a further one.
    pub byes: u32,
    /// Whom they have met, in any order; it does not matter how often.
    pub met: Vec<PlayerNumber>,
}

/// A round as drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Who meets whom and why, the higher in the order first, from the top.
    pub tables: Vec<(PlayerNumber, PlayerNumber, PairingReason)>,
    /// Who has the bye and why, where the number of players is odd.
    pub bye: Option<(PlayerNumber, PairingReason)>,
}

/// The first round: pairs and bye by lot.
pub fn first_round(players: &[PlayerNumber], dice: &mut Dice) -> Round {
    let mut order = players.to_vec();
    dice.shuffle(&mut order);
    let pairs = order.chunks_exact(2);
    let bye = pairs.remainder().first().map(|player| (*player, PairingReason::FirstRound));
    Round { tables: pairs.map(|pair| (pair[0], pair[1], PairingReason::FirstRound)).collect(), bye }
}

/// A later round, in the running order. The bye goes to the lowest of those who have had the
/// fewest byes. Where `rematches_allowed`, simply neighbours meet.
pub(crate) fn later_round(field: &[Entrant], rematches_allowed: bool, dice: &mut Dice) -> Round {
    let mut order: Vec<&Entrant> = field.iter().collect();
    dice.shuffle(&mut order);
    order.sort_by_key(|entrant| entrant.rank);
    let bye = take_bye(&mut order);
    let tables = match rematches_allowed {
        true => order
            .chunks_exact(2)
            .map(|pair| (pair[0].player, pair[1].player, PairingReason::Neighbours))
            .collect(),
        false => avoiding(&order),
    };
    Round { tables, bye }
}

fn take_bye(order: &mut Vec<&Entrant>) -> Option<(PlayerNumber, PairingReason)> {
    if order.len().is_multiple_of(2) {
        return None;
    }
    let fewest = order.iter().map(|entrant| entrant.byes).min()?;
    let at = order.iter().rposition(|entrant| entrant.byes == fewest)?;
    let because = match (fewest, at + 1 == order.len()) {
        (0, true) => PairingReason::LowestRanked,
        (0, false) => PairingReason::SecondByeAvoided,
        _ => PairingReason::SecondByeUnavoidable,
    };
    Some((order.remove(at).player, because))
}

/// Pairs an even number of players with as few rematches as can be.
fn avoiding(order: &[&Entrant]) -> Vec<(PlayerNumber, PlayerNumber, PairingReason)> {
    let met = met(order);
    let most = met.iter().map(Vec::len).max().unwrap_or(0);
    // Where everybody has met fewer than half of the others, all can be paired without a rematch
    // (they can even sit in a circle beside players they have not met: Dirac). So from the top
    // each meets the highest whom they have not met, without a look at the rest, as long as the
    // rest is large enough for that.
    let mut left = Left::new(order.len());
    let mut pairs = Vec::with_capacity(order.len() / 2);
    while left.count >= 2 * (most + 1) + 2 {
        let top = left.first();
        let neighbour = left.after(top);
        let mut other = neighbour;
        while met[top].binary_search(&other).is_ok() {
            other = left.after(other);
        }
        left.take(top);
        left.take(other);
        pairs.push((top, other, because(other == neighbour, false)));
    }
    let bottom: Vec<usize> = left.all();
    let has_met = |a: usize, b: usize| met[bottom[a]].binary_search(&bottom[b]).is_ok();
    for pair in bottom::pairs(bottom.len(), has_met) {
        let (top, other) = (bottom[pair.top], bottom[pair.other]);
        pairs.push((top, other, because(pair.neighbours, pair.rematch)));
    }
    let named = |(top, other, because): (usize, usize, PairingReason)| {
        (order[top].player, order[other].player, because)
    };
    pairs.into_iter().map(named).collect()
}

fn because(neighbours: bool, rematch: bool) -> PairingReason {
    match (rematch, neighbours) {
        (true, _) => PairingReason::RematchUnavoidable,
        (false, true) => PairingReason::Neighbours,
        (false, false) => PairingReason::RematchAvoided,
    }
}

/// For each position in the order, the positions that they have met, sorted.
fn met(order: &[&Entrant]) -> Vec<Vec<usize>> {
    let positions: BTreeMap<PlayerNumber, usize> =
        order.iter().map(|entrant| entrant.player).zip(0..).collect();
    let mut met = vec![Vec::new(); order.len()];
    for (at, entrant) in order.iter().enumerate() {
        for other in entrant.met.iter().filter_map(|player| positions.get(player)) {
            // It is enough when one of the two says so.
            met[at].push(*other);
            met[*other].push(at);
        }
    }
    for list in &mut met {
        list.sort_unstable();
        list.dedup();
    }
    met
}

/// The positions not paired yet, as a list that can be walked from the top. `next[at]` is the
/// position after `at`, and position `len` the end; `next[len]` is the first.
struct Left {
    next: Vec<usize>,
    previous: Vec<usize>,
    count: usize,
}

impl Left {
    fn new(count: usize) -> Left {
        let ring = count + 1;
        let next = (0..ring).map(|at| (at + 1) % ring).collect();
        Left { next, previous: (0..ring).map(|at| (at + count) % ring).collect(), count }
    }

    fn first(&self) -> usize {
        self.next[self.next.len() - 1]
    }

    fn after(&self, at: usize) -> usize {
        self.next[at]
    }

    fn take(&mut self, at: usize) {
        let (before, after) = (self.previous[at], self.next[at]);
        self.next[before] = after;
        self.previous[after] = before;
        self.count -= 1;
    }

    fn all(&self) -> Vec<usize> {
        let end = self.next.len() - 1;
        std::iter::successors(Some(self.first()), |at| Some(self.after(*at)))
            .take_while(|at| *at != end)
            .collect()
    }
}

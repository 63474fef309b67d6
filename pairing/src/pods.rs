//! Pods: tables of four, as few tables of three as possible and none smaller.
//!
//! Only two players sit at a table of two, and of five, four sit at one table and one has a bye:
//! a three and a two would give three players a worse table to spare one a bye. A player alone
//! has a bye.
//!
//! The first round is at random. In later rounds the draw makes small, in this order: how often
//! players of a pod have met before; the points of the players in pods of three, so that these
//! are at the bottom; the spread of points inside the pods. Up to [`EXACT`] players every
//! draw is weighed and the best is taken; of more, a good one is found by exchanging players.

mod exact;
mod exchange;
#[cfg(test)]
mod tests;
mod weigh;

pub use exact::EXACT;

use crate::dice::Dice;
use scrutineer_engine::event::{PairingReason, PlayerNumber};
use std::cmp::Reverse;
use weigh::{Cost, Field};

/// A player to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Their number.
    pub player: PlayerNumber,
    /// Their points, in any unit.
    pub points: i64,
    /// How many byes they have had that count against a further one.
    pub byes: u32,
    /// Whom they have met, in any order, as often as they sat at one table. Both list each other.
    pub met: Vec<PlayerNumber>,
}

/// A round as drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The pods, from the top; in each the players from the top, those with the same points in
    /// an order by lot.
    pub tables: Vec<Vec<PlayerNumber>>,
    /// Why they were put together.
    pub because: Option<PairingReason>,
    /// Who has a bye, and why.
    pub bye: Option<(PlayerNumber, PairingReason)>,
    /// How often players of one pod have met before, over all pods.
    pub repeats: u64,
    /// A proof: no draw has fewer repeats than this.
    pub at_least: u64,
    /// The points of the players in pods of three, added up.
    pub points_in_threes: i64,
    /// The squared differences in points, over all pairs inside pods.
    pub spread: u64,
}

/// The sizes of the pods for so many players, and whether one player is left over.
pub fn sizes(players: usize) -> (Vec<usize>, bool) {
    match players {
        1 => (vec![], true),
        2 => (vec![2], false),
        5 => (vec![4], true),
        _ => {
            let threes = (4 - players % 4) % 4;
            let fours = (players - 3 * threes) / 4;
            ([vec![4; fours], vec![3; threes]].concat(), false)
        }
    }
}

/// The first round: pods and bye by lot.
pub fn first_round(players: &[PlayerNumber], dice: &mut Dice) -> Round {
    let mut order = players.to_vec();
    dice.shuffle(&mut order);
    let (sizes, left_over) = sizes(order.len());
    let bye = if left_over { order.pop() } else { None };
    let mut players = order.into_iter();
    let tables = sizes.iter().map(|size| players.by_ref().take(*size).collect()).collect();
    Round {
        tables,
        because: Some(PairingReason::FirstRound),
        bye: bye.map(|player| (player, PairingReason::LeftOver)),
        ..Round::default()
    }
}

/// A later round. A bye, where there is one, goes to the lowest of those with the fewest byes.
pub(crate) fn later_round(field: &[Entrant], dice: &mut Dice) -> Round {
    let mut order: Vec<&Entrant> = field.iter().collect();
    dice.shuffle(&mut order);
    order.sort_by_key(|entrant| Reverse(entrant.points));
    let (sizes, left_over) = sizes(order.len());
    let fewest = order.iter().map(|entrant| entrant.byes).min();
    let bye = order.iter().rposition(|entrant| Some(entrant.byes) == fewest);
    let bye = bye.filter(|_| left_over).map(|at| order.remove(at).player);
    let field = Field::of(&order);
    let mut pods = match order.len() {
        0..=EXACT => exact::best(&field, &sizes),
        _ => exchange::good(&field, &sizes, dice),
    };
    // The highest pod is the one with the highest player; pods of three come last.
    pods.iter_mut().for_each(|pod| pod.sort_unstable());
    pods.sort_by_key(|pod| (Reverse(pod.len()), pod.first().copied()));
    let Cost { repeats, points_in_threes, spread } = field.cost(&pods);
    Round {
        tables: pods.iter().map(|pod| pod.iter().map(|at| order[*at].player).collect()).collect(),
        because: Some(PairingReason::Pod),
        bye: bye.map(|player| (player, PairingReason::LeftOver)),
        repeats,
        at_least: field.at_least(&sizes),
        points_in_threes,
        spread,
    }
}

/// The pods of a cut, and who waits. With as many pods as the sizes say, the seeds are dealt to
/// them one after another: 16 seeds sit 1-5-9-13, 2-6-10-14, 3-7-11-15, 4-8-12-16, and pods of
/// three lack the lowest seeds. Where one is left over, the highest seed waits.
pub(crate) fn seeded_pods(
    seeds: &[PlayerNumber],
) -> (Vec<Vec<PlayerNumber>>, Option<PlayerNumber>) {
    let (sizes, left_over) = sizes(seeds.len());
    let (waiting, playing) = seeds.split_at(usize::from(left_over));
    let pods = (0..sizes.len())
        .map(|pod| playing.iter().skip(pod).step_by(sizes.len()).copied().collect())
        .collect();
    (pods, waiting.first().copied())
}

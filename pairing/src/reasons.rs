//! Why the draw of score groups put two players together, told from the outcome: the reason is
//! what a scorekeeper sees in the groups, not a step of the search.

use super::Situation;
use super::swiss::Field;
use scrutineer_engine::event::PairingReason;
use std::collections::{BTreeMap, BTreeSet};

/// A reason for each pair.
pub(crate) fn of_pairs(
    situation: &Situation,
    pairs: &[(u32, u32)],
    bye: Option<u32>,
    rematches_allowed: bool,
) -> Vec<PairingReason> {
    let points = |at: u32| situation.points[at as usize];
    let mut odd = odd_groups(situation, bye);
    let met: BTreeSet<(u32, u32)> =
        situation.meetings.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let reason = |&(a, b): &(u32, u32)| {
        let met = met.contains(&(a.min(b), a.max(b)));
        if met && !rematches_allowed {
            PairingReason::RematchUnavoidable
        } else if situation.round == 1 {
            PairingReason::FirstRound
        } else if points(a) == points(b) {
            PairingReason::SamePoints
        } else if odd.remove(&(points(a).max(points(b)), points(a).min(points(b)))) {
            PairingReason::OddGroup
        } else {
            PairingReason::RematchAvoided
        }
    };
    pairs.iter().map(reason).collect()
}

/// Says of pairs that colors put together whose points differ, and that were not so drawn, that it was for their colors.
pub(crate) fn of_colors(
    field: &Field,
    drawn: &[(u32, u32)],
    pairs: &[(u32, u32)],
    because: &mut [PairingReason],
) {
    let both = |&(a, b): &(u32, u32)| (a.min(b), a.max(b));
    let drawn: BTreeSet<(u32, u32)> = drawn.iter().map(both).collect();
    for (pair, because) in pairs.iter().zip(because) {
        let is_new = !drawn.contains(&both(pair));
        if is_new
            && field.points(pair.0) != field.points(pair.1)
            && *because == PairingReason::RematchAvoided
        {
            *because = PairingReason::Colors;
        }
    }
}

/// The pairs of groups, as (higher points, lower points), between which one player must go down
/// because a group is odd.
fn odd_groups(situation: &Situation, bye: Option<u32>) -> BTreeSet<(i64, i64)> {
    let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
    for (at, &points) in (0..).zip(&situation.points) {
        if Some(at) != bye {
            *sizes.entry(points).or_default() += 1;
        }
    }
    let mut odd = BTreeSet::new();
    let mut waiting: Option<i64> = None;
    for (&points, &size) in sizes.iter().rev() {
        let left = size - usize::from(waiting.is_some());
        if let Some(above) = waiting.take() {
            odd.insert((above, points));
        }
        if left % 2 == 1 {
            waiting = Some(points);
        }
    }
    odd
}

/// Why a player has the bye.
pub fn of_bye(situation: &Situation, at: u32) -> PairingReason {
    let had = situation.byes[at as usize];
    let lowest = situation.points.iter().min().copied().unwrap_or(0);
    if had > 0 {
        PairingReason::SecondByeUnavoidable
    } else if situation.round == 1 {
        PairingReason::FirstRound
    } else if situation.points[at as usize] > lowest {
        PairingReason::SecondByeAvoided
    } else {
        PairingReason::LowestPoints
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Players with these points and byes, before a round.
    fn situation(round: u16, points: &[i64], byes: &[u32]) -> Situation {
        Situation {
            round,
            players: (1..=points.len() as u32).collect(),
            with_byes: Vec::new(),
            points: points.to_vec(),
            byes: byes.to_vec(),
            meetings: vec![(2, 1)],
        }
    }

    #[test]
    fn why_somebody_has_the_bye() {
        let of = |round, byes: &[u32], at| of_bye(&situation(round, &[6, 3, 0], byes), at);
        assert_eq!(of(1, &[0, 0, 0], 0), PairingReason::FirstRound);
        assert_eq!(of(3, &[0, 0, 0], 2), PairingReason::LowestPoints);
        assert_eq!(of(3, &[0, 0, 1], 1), PairingReason::SecondByeAvoided);
        assert_eq!(of(3, &[1, 1, 1], 2), PairingReason::SecondByeUnavoidable);
        assert_eq!(of(1, &[1, 1, 1], 2), PairingReason::SecondByeUnavoidable);
    }

    #[test]
    fn why_two_meet() {
        use PairingReason::{FirstRound, OddGroup, RematchAvoided, RematchUnavoidable, SamePoints};
        let reasons = |round, points: &[i64], pairs: &[(u32, u32)], bye, allowed| {
            let byes = vec![0; points.len()];
            of_pairs(&situation(round, points, &byes), pairs, bye, allowed)
        };
        assert_eq!(reasons(1, &[0; 4], &[(0, 3), (1, 2)], None, true), [FirstRound; 2]);
        assert_eq!(
            reasons(2, &[3, 3, 0, 0], &[(0, 3), (1, 2)], None, false),
            [RematchAvoided, RematchUnavoidable],
        );
        assert_eq!(reasons(2, &[3, 3, 0, 0], &[(0, 1), (2, 3)], None, false), [SamePoints; 2],);
        // Three of nine points, one of six, two of three: one goes down from the first group,
        // and nobody from the last but one.
        let points = [9, 9, 9, 6, 3, 3];
        assert_eq!(
            reasons(4, &points, &[(0, 1), (3, 2), (4, 5)], None, false),
            [SamePoints, OddGroup, SamePoints],
        );
        // One is enough for an odd group: a second goes down to spare a rematch.
        let points = [9, 9, 9, 6, 6, 6];
        assert_eq!(
            reasons(4, &points, &[(0, 3), (1, 4), (2, 5)], None, false),
            [OddGroup, RematchAvoided, RematchAvoided],
        );
        // Whoever has the bye is missing from their group.
        let points = [6, 6, 3, 3, 3];
        assert_eq!(reasons(4, &points, &[(0, 1), (2, 3)], Some(4), false), [SamePoints; 2],);
        let points = [6, 6, 6, 3, 3];
        assert_eq!(reasons(4, &points, &[(0, 1), (2, 4)], Some(3), false), [SamePoints, OddGroup],);
    }
}

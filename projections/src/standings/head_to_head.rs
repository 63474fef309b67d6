//! Telling tied players apart by the matches among them: a step over the whole group, since
//! "beat" goes round in circles.

use crate::crosstable::{Crosstable, Index, PlayerRound};
use crate::measure::ByRound;
use crate::ruleset::{HeadToHead, Outcome, RoundKind};
use std::collections::BTreeMap;

/// What was played among a group.
struct Among<'a> {
    table: &'a Crosstable,
    group: &'a [Index],
    /// Whether a forfeited table is a match.
    forfeits: bool,
    /// The total by which matches count; none: points.
    by: Option<ByRound<'a>>,
}

/// A place within the group for each of its players, in their order; equal: still tied.
pub fn places(
    table: &Crosstable,
    group: &[Index],
    mode: HeadToHead,
    forfeits: bool,
    by: Option<ByRound<'_>>,
) -> Vec<u32> {
    let among = Among { table, group, forfeits, by };
    let mut places = vec![0; group.len()];
    match mode {
        HeadToHead::AllMet => {
            if among.all_met(group) {
                among.by_points(group, &mut places);
            }
        }
        HeadToHead::BeatAll => {
            among.one_by_one(&mut places, |left, player| {
                left.iter().all(|other| *other == player || among.beat(player, *other))
            });
        }
        HeadToHead::Certain | HeadToHead::CertainAnew => {
            let first =
                |left: &[Index], player| !among.all_met(left) && among.certain_first(left, player);
            let left = among.one_by_one(&mut places, first);
            if among.all_met(&left) {
                match mode {
                    HeadToHead::CertainAnew => among.by_points_anew(&left, &mut places),
                    _ => among.by_points(&left, &mut places),
                }
            }
        }
    }
    places
}

impl Among<'_> {
    /// The rounds that a player played, each with its column; a forfeited table was not played, but may be a
    /// match.
    fn played(&self, player: Index) -> impl Iterator<Item = (usize, PlayerRound)> {
        self.table.rounds_of(player).filter(|(_, entry)| match entry.kind {
            RoundKind::Played | RoundKind::DoubleLoss => true,
            RoundKind::ForfeitWin | RoundKind::ForfeitLoss => self.forfeits,
            _ => false,
        })
    }

    /// Those of them in which they met another.
    fn matches(&self, player: Index, other: Index) -> impl Iterator<Item = PlayerRound> {
        let rounds = self.played(player).map(|(_, entry)| entry);
        rounds.filter(move |entry| self.table.opponents_of(entry).contains(&other))
    }

    fn all_met(&self, players: &[Index]) -> bool {
        let met = |a: Index, b: Index| self.matches(a, b).next().is_some();
        players.iter().enumerate().all(|(at, a)| players[at + 1..].iter().all(|b| met(*a, *b)))
    }

    fn beat(&self, player: Index, other: Index) -> bool {
        let mut any = false;
        let all_won = self.matches(player, other).all(|entry| {
            any = true;
            entry.outcome == Outcome::Win
        });
        any && all_won
    }

    /// Points from the matches against any of `among`; a table of several of them counts once.
    fn points(&self, player: Index, among: &[Index]) -> i64 {
        let rounds = self.played(player);
        let met = rounds.filter(|(_, entry)| {
            self.table.opponents_of(entry).iter().any(|other| among.contains(other))
        });
        met.map(|(column, entry)| match &self.by {
            Some(by) => by.value(player, column, &entry),
            None => i64::from(entry.points),
        })
        .sum()
    }

    /// Tells those who are left apart by the points of the matches among them.
    fn by_points(&self, left: &[Index], places: &mut [u32]) {
        let points: Vec<i64> = left.iter().map(|player| self.points(*player, left)).collect();
        for (player, own) in left.iter().zip(&points) {
            let behind = points.iter().filter(|other| *other > own).count() as u32;
            let at = self.group.iter().position(|other| other == player);
            places[at.expect("who is left is of the group")] += behind;
        }
    }

    /// The same, and then anew among those who are equal by that, by the matches among them alone.
    fn by_points_anew(&self, left: &[Index], places: &mut [u32]) {
        self.by_points(left, places);
        let mut equal: BTreeMap<u32, Vec<Index>> = BTreeMap::new();
        for (player, place) in self.group.iter().zip(&*places) {
            if left.contains(player) {
                equal.entry(*place).or_default().push(*player);
            }
        }
        for tied in equal.values().filter(|tied| (2..left.len()).contains(&tied.len())) {
            self.by_points_anew(tied, places);
        }
    }

    /// Takes out whoever is first among those left, as long as there is exactly one; says who
    /// remains.
    fn one_by_one(
        &self,
        places: &mut [u32],
        is_first: impl Fn(&[Index], Index) -> bool,
    ) -> Vec<Index> {
        let mut left: Vec<Index> = self.group.to_vec();
        for place in 0..self.group.len() as u32 {
            let mut first = left.iter().copied().filter(|player| is_first(&left, *player));
            let (Some(found), None) = (first.next(), first.next()) else { break };
            left.retain(|player| *player != found);
            for (at, player) in self.group.iter().enumerate() {
                if *player == found {
                    places[at] = place;
                } else if left.contains(player) {
                    places[at] = place + 1;
                }
            }
        }
        left
    }

    /// Whether a player is first whatever the matches not played had brought: their points with
    /// all of them lost are above every other's with all of them won.
    fn certain_first(&self, left: &[Index], player: Index) -> bool {
        let worst = self.points(player, left);
        left.iter().filter(|other| **other != player).all(|other| {
            let missing = left
                .iter()
                .filter(|third| *third != other && self.matches(*other, **third).next().is_none());
            let missing = missing.count();
            // Nothing says how much a match could bring of another total.
            (self.by.is_none() || missing == 0)
                && worst > self.points(*other, left) + missing as i64 * self.table.possible
        })
    }
}

//! Telling tied players apart by the matches among them: a step over the whole group, since
//! "beat" goes round in circles.

use crate::crosstable::{Crosstable, Index, PlayerRound};
use crate::ruleset::{HeadToHead, Outcome, RoundKind};

/// What was played among a group.
struct Among<'a> {
    table: &'a Crosstable,
    group: &'a [Index],
}

/// A place within the group for each of its players, in their order; equal: still tied.
pub fn places(table: &Crosstable, group: &[Index], mode: HeadToHead) -> Vec<u32> {
    let among = Among { table, group };
    let mut places = vec![0; group.len()];
    match mode {
        HeadToHead::AllMet => {
            if among.all_met(group) {
                among.by_points(&mut places);
            }
        }
        HeadToHead::BeatAll => among.one_by_one(&mut places, |left, player| {
            left.iter().all(|other| *other == player || among.beat(player, *other))
        }),
        HeadToHead::Certain => {
            if among.all_met(group) {
                among.by_points(&mut places);
            } else {
                among.one_by_one(&mut places, |left, player| among.certain_first(left, player));
            }
        }
    }
    places
}

impl Among<'_> {
    /// The rounds that a player played against another; a forfeited table was not played.
    fn matches(&self, player: Index, other: Index) -> impl Iterator<Item = &PlayerRound> {
        let of_player = self.table.rounds_of(player).map(|(_, entry)| entry);
        of_player.filter(move |entry| {
            matches!(entry.kind, RoundKind::Played | RoundKind::DoubleLoss)
                && self.table.opponents_of(entry).contains(&other)
        })
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

    fn points(&self, player: Index, among: &[Index]) -> i64 {
        let others = among.iter().filter(|other| **other != player);
        others.flat_map(|other| self.matches(player, *other)).map(|entry| entry.points).sum()
    }

    fn by_points(&self, places: &mut [u32]) {
        let points: Vec<i64> = self.group.iter().map(|p| self.points(*p, self.group)).collect();
        for (place, own) in places.iter_mut().zip(&points) {
            *place = points.iter().filter(|other| *other > own).count() as u32;
        }
    }

    /// Takes out whoever is first among those left, as long as there is exactly one.
    fn one_by_one(&self, places: &mut [u32], is_first: impl Fn(&[Index], Index) -> bool) {
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
    }

    /// Whether a player is first whatever the matches not played had brought: his points with
    /// all of them lost are above every other's with all of them won.
    fn certain_first(&self, left: &[Index], player: Index) -> bool {
        let worst = self.points(player, left);
        left.iter().filter(|other| **other != player).all(|other| {
            let missing = left
                .iter()
                .filter(|third| *third != other && self.matches(*other, **third).next().is_none());
            worst > self.points(*other, left) + missing.count() as i64 * self.table.possible
        })
    }
}

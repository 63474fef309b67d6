//! What came out of a simulated tournament.

use crate::desk::Paired;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::record::StreamId;
use scrutineer_pairing::Situation;
use scrutineer_projections::standings::{Row, Standings};
use std::collections::{BTreeMap, BTreeSet};

/// How often what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events of the log.
    pub events: u64,
    /// Rounds played.
    pub rounds: u32,
    /// Results entered.
    pub results: u32,
    /// Results that were corrected.
    pub corrections: u32,
    /// Players who left.
    pub drops: u32,
    /// Players who did not appear.
    pub no_shows: u32,
    /// Players who came back.
    pub returns: u32,
    /// Players who came after round one.
    pub late: u32,
    /// Penalties.
    pub penalties: u32,
    /// Rounds that were repaired.
    pub repairs: u32,
    /// Rounds that were drawn anew.
    pub pairings_again: u32,
    /// Draws that were agreed on.
    pub agreed: u32,
    /// Matches of a bracket that a ruling decided.
    pub advanced: u32,
    /// Pairs of Swiss rounds who had met before, as drawn.
    pub rematches: u32,
    /// Byes of Swiss rounds for somebody who had had one, as drawn.
    pub second_byes: u32,
    /// Pairs of Swiss rounds with different points, as drawn.
    pub cross_group: u32,
}

impl Counts {
    /// Counts what a draw of a Swiss round could not avoid.
    pub(super) fn look_at(&mut self, before: Option<&Situation>, paired: &Paired) {
        let Some(before) = before else { return };
        let places: BTreeMap<PlayerNumber, usize> =
            before.players.iter().copied().zip(0..).collect();
        let at = |player: PlayerNumber| places.get(&player).copied();
        let pair = |one: u32, other: u32| (one.min(other), one.max(other));
        let met: BTreeSet<(u32, u32)> = before.meetings.iter().map(|m| pair(m.0, m.1)).collect();
        for table in &paired.drawn.tables {
            let seats: Vec<usize> = table.seats.iter().filter_map(|s| at(s.player)).collect();
            let [first, second] = seats[..] else { continue };
            self.rematches += u32::from(met.contains(&pair(first as u32, second as u32)));
            self.cross_group += u32::from(before.points[first] != before.points[second]);
        }
        let again = paired.drawn.byes.iter().filter_map(|bye| at(bye.player));
        self.second_byes += again.filter(|&at| before.byes[at] > 0).count() as u32;
    }
}

/// The players in the order of the standings, with their points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Player and points over [`Standing::points_den`], first place first.
    pub rows: Vec<(PlayerNumber, i64)>,
    /// The points' denominator.
    pub points_den: i64,
}

impl Standing {
    pub(super) fn of(standings: &Standings) -> Standing {
        let points = |row: &Row| {
            let rounds = standings.layer(row).table.rounds_of(row.index);
            (row.player, rounds.map(|(_, entry)| i64::from(entry.points)).sum())
        };
        let rows = standings.rows.iter().map(points).collect();
        Standing { rows, points_den: standings.table().points_den }
    }

    /// The players.
    pub fn order(&self) -> impl Iterator<Item = PlayerNumber> {
        self.rows.iter().map(|(player, _)| *player)
    }
}

/// A simulated tournament that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// The tournament.
    pub stream: StreamId,
    /// Who won the last bracket; without one who is first.
    pub champion: Option<PlayerNumber>,
    /// How good everybody really is, by number from 1.
    pub strengths: Vec<u32>,
    /// Who made the cut, in the order of their seeds; nobody where there was none.
    pub made_cut: Vec<PlayerNumber>,
    /// The standings before the cut; without one at the end.
    pub standing: Standing,
    /// How often what happened.
    pub counts: Counts,
}

impl Simulated {
    /// The players, the strongest first.
    pub fn by_strength(&self) -> Vec<PlayerNumber> {
        let mut players: Vec<PlayerNumber> = (1..=self.strengths.len() as PlayerNumber).collect();
        let strength = |player: &PlayerNumber| self.strengths[*player as usize - 1];
        players.sort_by_key(|player| (std::cmp::Reverse(strength(player)), *player));
        players
    }

    /// How many points the last one who made the cut had, and the first one who did not.
    pub(crate) fn points_at_cut(&self) -> (Option<i64>, Option<i64>) {
        let made_it = |player: &PlayerNumber| self.made_cut.contains(player);
        let points = |made: bool| {
            let rows = self.standing.rows.iter().filter(move |(player, _)| made_it(player) == made);
            rows.map(|(_, points)| *points)
        };
        match self.made_cut.is_empty() {
            true => (None, None),
            false => (points(true).min(), points(false).max()),
        }
    }
}

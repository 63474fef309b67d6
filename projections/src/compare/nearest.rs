//! Of those whom a player passes or who pass them, the nearest.

use super::Passing;
use crate::standings::{Row, Standings};
use scrutineer_engine::event::PlayerNumber;

/// Two standings, made ready to find for each player the nearest to whom they stand otherwise,
/// without looking at everybody for each.
pub(super) struct Nearest<'a> {
    first: &'a Standings,
    second: &'a Standings,
    /// For each row of the second standings the player's place in the first.
    before: Vec<Option<u32>>,
    /// The lowest place (the highest number) that anybody down to this row had before.
    lowest_to: Vec<u32>,
    /// The highest place (the lowest number) that anybody from this row on had before.
    highest_from: Vec<u32>,
}

impl<'a> Nearest<'a> {
    pub fn new(first: &'a Standings, second: &'a Standings) -> Nearest<'a> {
        let place = |row: &Row| first.row(row.player).map(|there| there.rank);
        let before: Vec<Option<u32>> = second.rows.iter().map(place).collect();
        let mut lowest_to = Vec::with_capacity(before.len());
        let mut lowest = 0;
        for place in &before {
            lowest = lowest.max(place.unwrap_or(0));
            lowest_to.push(lowest);
        }
        let mut highest_from = vec![u32::MAX; before.len()];
        let mut highest = u32::MAX;
        for (at, place) in before.iter().enumerate().rev() {
            highest = highest.min(place.unwrap_or(u32::MAX));
            highest_from[at] = highest;
        }
        Nearest { first, second, before, lowest_to, highest_from }
    }

    /// Of those to whom the player of a row stands otherwise, the one nearest to them under the
    /// second ruleset, the lower number first; whoever they change places with comes before whoever
    /// they are or were level with.
    pub fn passed(&self, at: usize) -> Option<(PlayerNumber, Passing)> {
        let own = self.before[at]?;
        let nearest = self.exchanged(at, own).or_else(|| self.level(at, own));
        nearest.map(|(_, player, passing)| (player, passing))
    }

    /// The nearest with whom they change places: each walk ends where nobody farther away can be it.
    fn exchanged(&self, at: usize, own: u32) -> Option<(u32, PlayerNumber, Passing)> {
        let (rows, rank) = (&self.second.rows, self.second.rows[at].rank);
        let mut best: Option<(u32, PlayerNumber, Passing)> = None;
        let mut look = |other: usize, is_it: bool, passing: Passing| {
            let (distance, player) = (rows[other].rank.abs_diff(rank), rows[other].player);
            if best.is_some_and(|(nearest, ..)| nearest < distance) {
                return false;
            }
            let ahead = |(d, p, _): &(u32, PlayerNumber, Passing)| (distance, player) < (*d, *p);
            if is_it && distance > 0 && best.as_ref().is_none_or(ahead) {
                best = Some((distance, player, passing));
            }
            true
        };
        for other in (0..at).rev().take_while(|other| self.lowest_to[*other] > own) {
            let behind = self.before[other].is_some_and(|place| place > own);
            if !look(other, behind, Passing::PassedBy) {
                break;
            }
        }
        for other in (at + 1..rows.len()).take_while(|other| self.highest_from[*other] < own) {
            let ahead = self.before[other].is_some_and(|place| place < own);
            if !look(other, ahead, Passing::Passes) {
                break;
            }
        }
        best
    }

    /// The nearest with whom they are level and were not, or were and no longer are.
    fn level(&self, at: usize, own: u32) -> Option<(u32, PlayerNumber, Passing)> {
        let row = &self.second.rows[at];
        let now = run(&self.second.rows, at).iter().filter_map(|other| {
            let place = self.first.row(other.player)?.rank;
            (place != own).then_some((0, other.player, Passing::NowLevel))
        });
        let there = self.first.position(row.player)?;
        let once = run(&self.first.rows, there).iter().filter_map(|other| {
            let distance = self.second.row(other.player)?.rank.abs_diff(row.rank);
            (distance > 0).then_some((distance, other.player, Passing::NoLongerLevel))
        });
        now.chain(once).min_by_key(|(distance, player, _)| (*distance, *player))
    }
}

/// The rows that share the place of the one at `at`.
fn run(rows: &[Row], at: usize) -> &[Row] {
    let rank = rows[at].rank;
    let from = rows.partition_point(|row| row.rank < rank);
    let to = rows.partition_point(|row| row.rank <= rank);
    &rows[from..to]
}

#[cfg(test)]
mod tests {
    use super::Nearest;
    use crate::compare::{Passing, passings};
    use crate::crosstable::Scope;
    use crate::ruleset::Library;
    use crate::standings::{Detail, Standings};
    use scrutineer_engine::book::Commitment;
    use scrutineer_engine::event::*;
    use scrutineer_engine::tournament::Tournament;
    use smallvec::smallvec;
    use std::sync::Arc;

    const NOBODY: Commitment = Commitment { number: 1, digest: [0; 32] };

    /// Four rounds among these players, who meet at random.
    fn played(players: u32, mut dice: u64) -> Tournament {
        let (name, unit) = ("games".into(), "games".into());
        let games = ScoreLine { name, per: Per::Seat, min: 0, max: 2, unit };
        let opened =
            TournamentOpened::new(NOBODY, Scoresheet { lines: vec![games], best_of: Some(3) });
        let enrolled = |player| PlayerEnrolled {
            sign_up: Some(player),
            ..PlayerEnrolled::new(player, NOBODY)
        };
        let mut below = |bound: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (dice >> 33) % bound
        };
        let mut events: Vec<Event> = vec![opened.into()];
        events.extend((1..=players).map(|player| Event::from(enrolled(player))));
        for round in 1..=4 {
            let weight = RoundWeight::ONE;
            let opened = RoundOpened { round, phase: 1, phase_round: round, weight, drawn: None };
            events.push(opened.into());
            let mut order: Vec<u32> = (1..=players).collect();
            order.sort_by_cached_key(|_| below(1 << 30));
            for (at, two) in order.chunks_exact(2).enumerate() {
                let seat = |player| Seat { player, role: 0 };
                let pairing = PairingMade {
                    round,
                    table: Some(at as u32 + 1),
                    seats: smallvec![seat(two[0]), seat(two[1])],
                    group: None,
                    bracket_slot: None,
                    origin: Origin::AS_GIVEN,
                };
                events.push(pairing.into());
                let (one, other) = [(2, 0), (2, 1), (1, 2), (0, 2), (1, 1)][below(5) as usize];
                let seats = smallvec![smallvec![one], smallvec![other]];
                let result = MatchResult::played(Score { seats, table: smallvec![] });
                events.push(ResultRecorded { pairing: events.len() as Seq, result }.into());
            }
        }
        Tournament::of(&events)
    }

    #[test]
    fn the_nearest_is_the_nearest_of_all_to_whom_he_stands_otherwise() {
        let rules = Arc::new(Library::shipped().ruleset("mtr").expect("it is shipped"));
        let mut seen = [0; 4];
        for (players, dice) in [(9, 1), (16, 2), (40, 3), (81, 4)] {
            let state = played(players, dice);
            // After the first round nearly everybody is level with somebody.
            let standings: Vec<Standings> = [1, 2, 4]
                .map(|round| Scope { through: Some(round), final_order: Some(true) })
                .map(|scope| {
                    Standings::of(&state, &rules, scope, Detail::Order).expect("its lines")
                })
                .into();
            for (first, second) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
                let (first, second) = (&standings[first], &standings[second]);
                let nearest = Nearest::new(first, second);
                for (at, row) in second.rows.iter().enumerate() {
                    let all = passings(first, second, row.player).into_iter();
                    let expected = all.min_by_key(|(other, passing)| {
                        let level = matches!(passing, Passing::NowLevel | Passing::NoLongerLevel);
                        let rank = second.row(*other).expect("he is in both").rank;
                        (level, rank.abs_diff(row.rank), *other)
                    });
                    assert_eq!(nearest.passed(at), expected, "player {}", row.player);
                    if let Some((_, passing)) = expected {
                        seen[passing as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|times| *times > 0), "every way is among them: {seen:?}");
    }
}

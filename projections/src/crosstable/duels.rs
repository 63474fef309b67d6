//! Tables of two on which nobody ruled: nearly all tables are, so they have a short way of their
//! own into the crosstable.

use super::Index;
use super::build::{NOBODY, place_of};
use super::cells::{Cell, ColumnMut};
use super::lines::{LineAt, pair};
use super::outcome::duel;
use crate::ruleset::{Outcome, RoundKind};
use scrutineer_engine::event::How;
use scrutineer_engine::tournament::MatchView;

/// The tables of one round, with everything looked up once for all of them.
pub struct Duels<'a> {
    /// The place of each player in the crosstable, by his number.
    pub index_of: &'a [Index],
    /// What a played round is worth by its outcome.
    pub worth: [i32; 4],
    /// The line of each seat that decides a match.
    pub decided: Option<usize>,
    /// Where the round's scoresheet holds each line.
    pub lines_at: &'a [Option<LineAt>],
    /// The cells of the round.
    pub cells: ColumnMut<'a>,
}

impl Duels<'_> {
    /// Takes a table of two, played or to be played, on which nobody ruled and whose points go by
    /// the outcome alone, and says whether it is one.
    #[inline]
    pub fn take(&mut self, found: MatchView<'_>) -> bool {
        let [first, second] = found.seats() else { return false };
        if found.how() != How::Played || first.ruling.is_some() || second.ruling.is_some() {
            return false;
        }
        let (score, finished) = (found.score(), found.result().is_some());
        let outcomes = match (score, self.decided) {
            (Some(score), Some(line)) if finished => {
                let [one, other] = score.of_two(line);
                duel(one, other)
            }
            _ => [Outcome::None; 2],
        };
        let kind = if finished { RoundKind::Played } else { RoundKind::Unfinished };
        let players = [first, second].map(|seat| place_of(self.index_of, seat.player));
        for (seat, outcome) in outcomes.into_iter().enumerate() {
            let (player, opponent) = (players[seat] as usize, players[1 - seat]);
            // Nobody has no cell.
            if let Some(cell) = self.cells.cells.get_mut(player) {
                self.cells.kinds.add(kind);
                let (opponents, points) =
                    (u8::from(opponent != NOBODY), self.worth[outcome as usize]);
                *cell = Some(Cell { kind, outcome, opponents, opponent, points });
            }
        }
        let Some(score) = score else { return true };
        for (values, place) in self.cells.lines.iter_mut().zip(self.lines_at) {
            let [one, other] = match *place {
                Some(LineAt::Seat(line)) => score.of_two(line),
                place => pair(score, place, 0, 2),
            };
            for (player, pair) in players.into_iter().zip([[one, other], [other, one]]) {
                if let Some(cell) = values.get_mut(player as usize) {
                    *cell = pair;
                }
            }
        }
        true
    }
}

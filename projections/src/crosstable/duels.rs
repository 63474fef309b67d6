//! Tables of two that were played and on which nobody ruled: nearly all tables are, so they have a
//! short way of their own into the crosstable.

use super::cells::{Cell, ColumnMut};
use super::lines::LineAt;
use super::{Index, NOBODY, place_of};
use crate::ruleset::{Outcome, RoundKind, RoundKinds};
use scrutineer_engine::event::{How, Per, Scoresheet};
use scrutineer_engine::tournament::MatchView;
use smallvec::SmallVec;

/// The tables of one round, with everything looked up once for all of them.
pub struct Duels<'a> {
    /// The place of each player in the crosstable, by their number.
    index_of: &'a [Index],
    /// A player's round by how many of two hold: they are not behind, they are ahead. So a loss, a draw,
    /// a win.
    played: [Cell; 3],
    /// How many values a slip has for each seat, and in all.
    slip: (usize, usize),
    /// Where on a slip the first and the second seat's value of the line that decides stand.
    decided: [usize; 2],
    /// The kinds of the column.
    kinds: &'a mut RoundKinds,
    /// The rounds of the column.
    cells: &'a mut [Option<Cell>],
    /// The score lines that are on a slip.
    lines: SmallVec<[Line<'a>; 4]>,
}

/// A score line of a round.
struct Line<'a> {
    /// Where on a slip the first and the second seat's value stand.
    at: [usize; 2],
    /// Own and opponent's value of every player.
    values: &'a mut [[i32; 2]],
}

impl<'a> Duels<'a> {
    /// The tables of a round with this scoresheet, on which the lines stand at `lines_at`; the first
    /// of them decides a match, so it must be one of each seat.
    pub fn new(
        index_of: &'a [Index],
        worth: [i32; 4],
        sheet: &Scoresheet,
        lines_at: &[Option<LineAt>],
        column: ColumnMut<'a>,
    ) -> Option<Duels<'a>> {
        let held = |per| sheet.lines.iter().filter(|line| line.per == per).count();
        let of_seat = held(Per::Seat);
        let slip = (of_seat, 2 * of_seat + held(Per::Table));
        let on_slip = |at: &LineAt| match *at {
            LineAt::Seat(line) => [line, of_seat + line],
            LineAt::Table(line) => [2 * of_seat + line; 2],
        };
        let decided = lines_at.first()?.as_ref().filter(|at| matches!(at, LineAt::Seat(_)))?;
        let round = |outcome: Outcome| {
            let points = worth[outcome as usize];
            let (opponents, is_second) = (1, false);
            Cell {
                kind: RoundKind::Played,
                outcome,
                opponents,
                is_second,
                opponent: NOBODY,
                points,
            }
        };
        // A line that is not on the slip is 0, and so it stands there.
        let line =
            |(values, at): (_, &Option<LineAt>)| Some(Line { at: on_slip(at.as_ref()?), values });
        Some(Duels {
            index_of,
            played: [Outcome::Loss, Outcome::Draw, Outcome::Win].map(round),
            slip,
            decided: on_slip(decided),
            kinds: column.kinds,
            cells: column.cells,
            lines: column.lines.into_iter().zip(lines_at).filter_map(line).collect(),
        })
    }

    /// Takes the tables of two that were played and on which nobody ruled, and gives the others.
    #[inline(never)] // Or all that is looked up would have no room in registers.
    pub fn take<'m>(mut self, matches: impl Iterator<Item = MatchView<'m>>) -> Vec<MatchView<'m>> {
        let mut others = Vec::new();
        for found in matches {
            if !self.take_one(found) {
                others.push(found);
            }
        }
        others
    }

    #[inline(always)]
    fn take_one(&mut self, found: MatchView<'_>) -> bool {
        let [first, second] = found.seats() else { return false };
        if found.how() != How::Played
            || found.result().is_none()
            || first.ruling.is_some()
            || second.ruling.is_some()
        {
            return false;
        }
        let Some(score) = found.score() else { return false };
        let values = score.values();
        if (score.seat_lines(), values.len()) != self.slip {
            return false;
        }
        let one = place_of(self.index_of, first.player);
        let other = place_of(self.index_of, second.player);
        if one == NOBODY || other == NOBODY {
            return false;
        }
        self.kinds.add(RoundKind::Played);
        let [own, against] = self.decided.map(|at| values[at]);
        // Without a branch, for nobody, also no processor, can foretell who won.
        let place = usize::from(own >= against) + usize::from(own > against);
        self.cells[one as usize] = Some(Cell { opponent: other, ..self.played[place] });
        let second = Cell { opponent: one, is_second: true, ..self.played[2 - place] };
        self.cells[other as usize] = Some(second);
        for line in &mut self.lines {
            let [own, against] = line.at.map(|at| values[at]);
            line.values[one as usize] = [own, against];
            line.values[other as usize] = [against, own];
        }
        true
    }
}

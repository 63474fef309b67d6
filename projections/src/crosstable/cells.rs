//! The cells of a crosstable: column after column one for each player.
//!
//! What nearly every measure reads of a round lies together; the score lines, of which each measure
//! reads one or none, lie apart.

use super::Index;
use crate::ruleset::{Outcome, RoundKind, RoundKinds};
use scrutineer_engine::event::RoundNumber;
use smallvec::SmallVec;
use std::ops::Range;

/// A player's round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// What it was.
    pub kind: RoundKind,
    /// How it came out.
    pub outcome: Outcome,
    /// How many opponents sat at the table.
    pub opponents: u8,
    /// Whether it was the second seat of two.
    pub is_second: bool,
    /// The opponent; where there are several, where they stand among the crosstable's opponents;
    /// `NOBODY` where there is none.
    pub opponent: Index,
    /// Points.
    pub points: i32,
}

/// Every round of every player.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// How many cells a column has.
    players: usize,
    /// For each column the kinds that stand in it.
    kinds: Vec<RoundKinds>,
    /// The rounds; none where the player does not appear.
    pub rounds: Vec<Option<Cell>>,
    /// For each score line own and opponent's value; 0 where nobody appears.
    pub lines: Vec<Vec<[i32; 2]>>,
}

impl Cells {
    /// No column yet, but room for so many.
    pub fn with_capacity(players: usize, columns: usize, lines: usize) -> Cells {
        let cells = players * columns;
        Cells {
            players,
            kinds: Vec::with_capacity(columns),
            rounds: Vec::with_capacity(cells),
            lines: (0..lines).map(|_| Vec::with_capacity(cells)).collect(),
        }
    }

    /// Adds a column in which nobody appears. Just before it is filled: then it still lies in the
    /// processor's cache.
    pub(crate) fn add_column(&mut self) {
        self.kinds.push(RoundKinds::default());
        let cells = self.kinds.len() * self.players;
        self.rounds.resize(cells, None);
        for line in &mut self.lines {
            line.resize(cells, [0; 2]);
        }
    }

    /// Where the cell of a player stands.
    #[inline]
    pub fn at(&self, player: Index, column: usize) -> usize {
        column * self.players + player as usize
    }

    /// Writes a cell but for its score lines.
    pub fn write(&mut self, column: usize, player: Index, cell: Cell) {
        let to = self.at(player, column);
        self.kinds[column].add(cell.kind);
        self.rounds[to] = Some(cell);
    }

    /// The cells of a round, to be written.
    pub(crate) fn column_mut(&mut self, column: usize) -> ColumnMut<'_> {
        let cells = self.range(column);
        ColumnMut {
            kinds: &mut self.kinds[column],
            cells: &mut self.rounds[cells.clone()],
            lines: self.lines.iter_mut().map(|line| &mut line[cells.clone()]).collect(),
        }
    }

    /// The cells of a round.
    pub fn column(&self, round: RoundNumber, column: usize) -> Column<'_> {
        let cells = self.range(column);
        Column { round, kinds: self.kinds[column], first: cells.start, cells: &self.rounds[cells] }
    }

    fn range(&self, column: usize) -> Range<usize> {
        column * self.players..(column + 1) * self.players
    }
}

/// The cells of one round, to be written; what each holds is said at [`Cells`].
pub(super) struct ColumnMut<'a> {
    pub kinds: &'a mut RoundKinds,
    pub cells: &'a mut [Option<Cell>],
    pub lines: SmallVec<[&'a mut [[i32; 2]]; 4]>,
}

/// The cells of one round.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    /// The round's number.
    pub round: RoundNumber,
    /// The kinds that stand in it.
    pub kinds: RoundKinds,
    /// The position of the first of them.
    pub first: usize,
    /// Each player's round; none: they do not appear.
    pub cells: &'a [Option<Cell>],
}

impl<'a> Column<'a> {
    /// The cells of these players.
    #[inline]
    pub fn part(self, players: Range<usize>) -> Column<'a> {
        Column { first: self.first + players.start, cells: &self.cells[players], ..self }
    }
}

//! The cells of a crosstable: column after column one for each player.
//!
//! What a measure reads lies together and apart from what it does not: adding up points touches
//! the points, and a mean over opponents touches the opponents.

use super::Index;
use crate::ruleset::{Outcome, RoundKind, RoundKinds};
use scrutineer_engine::event::RoundNumber;
use smallvec::SmallVec;
use std::ops::Range;

/// What a player's round was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Went {
    /// What it was.
    pub kind: RoundKind,
    /// How it came out.
    pub outcome: Outcome,
    /// How many opponents sat at the table.
    pub opponents: u8,
}

/// Every round of every player.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// How many cells a column has.
    players: usize,
    /// For each column the kinds that stand in it.
    kinds: Vec<RoundKinds>,
    /// What each was; none: the player does not appear.
    pub went: Vec<Option<Went>>,
    /// The opponent, see [`super::PlayerRound`].
    pub opponent: Vec<Index>,
    /// Points.
    pub points: Vec<i32>,
    /// For each score line own and opponent's value; 0 where nobody appears.
    pub lines: Vec<Vec<[i32; 2]>>,
}

impl Cells {
    /// Columns in which nobody appears.
    pub fn new(players: usize, columns: usize, lines: usize) -> Cells {
        let cells = players * columns;
        Cells {
            players,
            kinds: vec![RoundKinds::default(); columns],
            went: vec![None; cells],
            opponent: vec![0; cells],
            points: vec![0; cells],
            lines: vec![vec![[0; 2]; cells]; lines],
        }
    }

    /// Where the cell of a player stands.
    #[inline]
    pub fn at(&self, player: Index, column: usize) -> usize {
        column * self.players + player as usize
    }

    /// Writes a cell but for its score lines.
    #[inline(always)]
    pub fn write(
        &mut self,
        column: usize,
        player: Index,
        went: Went,
        opponent: Index,
        points: i32,
    ) {
        let to = self.at(player, column);
        self.kinds[column].add(went.kind);
        self.went[to] = Some(went);
        self.opponent[to] = opponent;
        self.points[to] = points;
    }

    /// The cells of a round, to be written.
    pub fn column_mut(&mut self, column: usize) -> ColumnMut<'_> {
        let first = column * self.players;
        let cells = first..first + self.players;
        ColumnMut {
            kinds: &mut self.kinds[column],
            went: &mut self.went[cells.clone()],
            opponent: &mut self.opponent[cells.clone()],
            points: &mut self.points[cells.clone()],
            lines: self.lines.iter_mut().map(|line| &mut line[cells.clone()]).collect(),
        }
    }

    /// The cells of a round.
    pub fn column(&self, round: RoundNumber, column: usize) -> Column<'_> {
        let first = column * self.players;
        let cells = first..first + self.players;
        Column {
            round,
            kinds: self.kinds[column],
            first,
            went: &self.went[cells.clone()],
            opponent: &self.opponent[cells.clone()],
            points: &self.points[cells],
        }
    }
}

/// The cells of one round, to be written; what each holds is said at [`Cells`].
pub(super) struct ColumnMut<'a> {
    pub kinds: &'a mut RoundKinds,
    pub went: &'a mut [Option<Went>],
    pub opponent: &'a mut [Index],
    pub points: &'a mut [i32],
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
    /// What each player's round was; none: he does not appear.
    pub went: &'a [Option<Went>],
    /// His opponent, where he has exactly one.
    pub opponent: &'a [Index],
    /// His points; 0 where he does not appear.
    pub points: &'a [i32],
}

impl<'a> Column<'a> {
    /// The cells of these players.
    #[inline]
    pub fn part(self, players: Range<usize>) -> Column<'a> {
        Column {
            first: self.first + players.start,
            went: &self.went[players.clone()],
            opponent: &self.opponent[players.clone()],
            points: &self.points[players],
            ..self
        }
    }
}

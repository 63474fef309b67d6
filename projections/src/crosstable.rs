//! The crosstable: every player's rounds, side by side, as a ruleset sees them.
//!
//! It lies flat: a player is an index, a round that counts is a column of cells, one for each
//! player, and the score lines that the ruleset asks for stand beside them. Filling a round so
//! touches one column only, which fits into a processor's cache. Measures are taken over it.

mod bracket;
mod build;
mod cells;
mod duels;
mod lines;
mod missing;
mod outcome;
mod points;
mod stage;

pub(crate) use bracket::knocked_out;
pub(crate) use cells::{Cell, Column};
pub use missing::is_free_round;
pub use outcome::{is_drawn, outcomes, rule_by_score};
pub(crate) use points::worth_of_a_round;
pub use stage::{Stage, last_entered, stages};

use crate::ruleset::{Outcome, OutcomeRule, RoundKind, RoundKinds, Ruleset};
use cells::Cells;
use scrutineer_engine::event::{PlayerNumber, RoundNumber, UnknownFact};
use scrutineer_engine::tournament::{MatchView, Tournament};

/// A player's place in the crosstable's arrays.
pub(crate) type Index = u32;

/// No place in the crosstable: of a player who is not in it.
const NOBODY: Index = Index::MAX;

/// A player's place in the crosstable, of those by number.
#[inline]
fn place_of(places: &[Index], player: PlayerNumber) -> Index {
    places.get(player as usize).copied().unwrap_or(NOBODY)
}

/// How far a tournament is folded, and whether what counts at its end counts already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The last round that counts; none: all.
    pub through: Option<RoundNumber>,
    /// Final or running; none: final once the tournament is closed and every round counts.
    pub final_order: Option<bool>,
}

impl Scope {
    /// Everything, in the final order.
    pub const FINAL: Scope = Scope { through: None, final_order: Some(true) };
}

scrutineer_engine::errors! {
    /// Why a tournament cannot be folded under a ruleset.
    #[derive(Clone, PartialEq, Eq)]
    pub enum FoldError -> &'static str {
        /// It was never opened.
        NotOpened = refused "not-opened", "the tournament has not been opened", "open it, or import a file";
        /// A score line is missing.
        MissingLine { ruleset: String, line: String } = refused "missing-score-line",
            "the ruleset {ruleset} needs the score line `{line}`, which this tournament never \
             recorded",
            "choose another ruleset with --rules; `scrutineer rules list` shows them";
        /// A fact is unknown.
        UnknownFact { ruleset: String, fact: UnknownFact } = refused "unknown-fact",
            "the ruleset {ruleset} needs the {fact}, which is unknown for this tournament",
            "choose another ruleset with --rules; `scrutineer rules list` shows them";
        /// Matches have a score and no ruling, and the ruleset goes by rulings alone.
        NotRuled { ruleset: String, count: usize, round: RoundNumber } = refused "not-ruled",
            "the ruleset {ruleset} goes by rulings alone, and {count} matches have a score but no \
             ruling (the first in round {round})",
            "fill the column `ruling` of the file (a, b or draw), or choose another ruleset";
        /// The numbers of this tournament are too large.
        TooLarge { what: String } = refused "cannot-fold", "{what} is too large to count with",
            "check the scores, and how many rounds were opened";
    }
}

/// One round of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRound {
    /// The round's number.
    pub round: RoundNumber,
    /// What it was.
    pub kind: RoundKind,
    /// How it came out.
    pub outcome: Outcome,
    /// How many opponents sat at the table.
    pub opponents: u8,
    /// Whether it was the second seat of two.
    pub is_second: bool,
    /// The opponent; where there are several, where they stand among the crosstable's opponents.
    opponent: Index,
    /// Points, over [`Crosstable::points_den`].
    pub points: i32,
}

/// An entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Their number.
    pub number: PlayerNumber,
    /// Whether they have dropped within the scope.
    pub dropped: bool,
    /// The round after which they left, if they have dropped within the scope.
    pub left_after: Option<RoundNumber>,
    /// Whether they dropped before the last round that is planned in the phase.
    pub dropped_early: bool,
    /// Whether they were disqualified: their results count for others, and they take no place.
    pub disqualified: bool,
}

/// Every player's rounds under a ruleset.
#[derive(Clone, Debug)]
pub struct Crosstable {
    /// The phase that it ends with, and how far that is known.
    pub stage: Stage,
    /// The last round of those whose players are in it.
    pub until: RoundNumber,
    /// The players.
    pub entrants: Vec<Entrant>,
    /// The rounds that count, as (number, weight's numerator, weight's denominator).
    pub rounds: Vec<(RoundNumber, u16, u16)>,
    /// What points are counted in.
    pub points_den: i64,
    /// The most that a round can be worth, over `points_den`.
    pub possible: i64,
    /// Names of the score lines kept.
    pub lines: Vec<String>,
    /// Column after column a cell for each player: nobody appears twice in a round.
    cells: Cells,
    /// The opponents at tables of more than two.
    opponents: Vec<Index>,
    won_final: Option<Index>,
}

/// Whether a ruleset that goes by rulings alone finds one in every match that was played.
///
/// # Errors
/// `NotRuled`, where nobody would have won or lost.
pub fn check_rulings(state: &Tournament, rules: &Ruleset) -> Result<(), FoldError> {
    if rules.outcome != OutcomeRule::RulingOnly {
        return Ok(());
    }
    let unruled = |found: &MatchView<'_>| {
        let counts = state.phase_of(found.round()).is_none_or(|phase| rules.judges(phase.kind));
        counts && found.result().is_some() && found.seats().iter().all(|s| s.ruling.is_none())
    };
    let mut found = state.matches().filter(unruled);
    let Some(first) = found.next() else { return Ok(()) };
    let (ruleset, round) = (rules.id.clone(), first.round().number);
    Err(FoldError::NotRuled { ruleset, count: found.count() + 1, round })
}

/// Whether a tournament's scoresheets hold the lines that a ruleset cannot do without.
///
/// # Errors
/// `MissingLine`, with the first one that they lack.
pub fn check_lines(state: &Tournament, rules: &Ruleset) -> Result<(), FoldError> {
    lines::lines_needed(rules, &lines::sheets(state)?).map(drop)
}

/// The score lines that a ruleset reads, each once: the outcome's first.
pub fn score_lines(rules: &Ruleset) -> Vec<String> {
    let (needed, wanted) = lines::lines_read(rules);
    let mut lines: Vec<String> = Vec::new();
    for line in needed.into_iter().chain(wanted) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

impl Crosstable {
    /// Folds a tournament.
    ///
    /// # Errors
    /// Where the ruleset needs what the tournament does not hold.
    pub fn of(state: &Tournament, rules: &Ruleset, scope: Scope) -> Result<Crosstable, FoldError> {
        let stages = stages(state, scope.through);
        let last = *stages.last().ok_or(FoldError::NotOpened)?;
        Crosstable::at(state, rules, last, last.through)
    }

    /// What was known at the end of a phase, of everybody who takes part up to the round `until`:
    /// the crosstables of a tournament's phases have the same players in the same places.
    ///
    /// # Errors
    /// As [`Crosstable::of`].
    pub fn at(
        state: &Tournament,
        rules: &Ruleset,
        stage: Stage,
        until: RoundNumber,
    ) -> Result<Crosstable, FoldError> {
        build::crosstable(state, rules, stage, until)
    }

    /// How many players there are.
    pub fn len(&self) -> usize {
        self.entrants.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.entrants.is_empty()
    }

    /// The index of a player, if they are in it.
    pub fn index_of(&self, number: PlayerNumber) -> Option<Index> {
        let found = self.entrants.binary_search_by_key(&number, |entrant| entrant.number);
        found.ok().map(|index| index as Index)
    }

    /// A player's rounds, in order, each with its column.
    #[inline]
    pub fn rounds_of(
        &self,
        player: Index,
    ) -> impl DoubleEndedIterator<Item = (usize, PlayerRound)> {
        self.rounds.iter().enumerate().filter_map(move |(column, (round, ..))| {
            let at = self.cells.at(player, column);
            let Cell { kind, outcome, opponents, is_second, opponent, points } =
                self.cells.rounds[at]?;
            let round = *round;
            Some((
                column,
                PlayerRound { round, kind, outcome, opponents, is_second, opponent, points },
            ))
        })
    }

    /// Round after round the cells of all players: the order in which they lie.
    pub(crate) fn columns(&self) -> impl Iterator<Item = Column<'_>> {
        let columns = self.rounds.iter().enumerate();
        columns.map(|(column, (round, ..))| self.cells.column(*round, column))
    }

    /// One cell as a column.
    pub(crate) fn single(&self, player: Index, column: usize) -> Column<'_> {
        let player = player as usize;
        self.cells.column(self.rounds[column].0, column).part(player..player + 1)
    }

    /// Own and opponent's value of a line in each cell of a column.
    pub(crate) fn values(&self, column: &Column<'_>, line: usize) -> &[[i32; 2]] {
        &self.cells.lines[line][column.first..column.first + column.cells.len()]
    }

    /// The opponents of a round.
    #[inline]
    pub(crate) fn opponents_of<'a>(&'a self, entry: &'a PlayerRound) -> &'a [Index] {
        let at = entry.opponent as usize;
        match entry.opponents {
            0 => &[],
            1 => std::slice::from_ref(&entry.opponent),
            several => &self.opponents[at..at + usize::from(several)],
        }
    }

    /// The same table as if everybody at a table of the last round had drawn there, whether they
    /// played, did not appear or have no result yet: their score lines count nothing (FIDE C.07, 8.3).
    /// None where the points of a draw do not fit.
    pub(crate) fn with_last_round_drawn(&self, rules: &Ruleset) -> Option<Crosstable> {
        let mut then = self.clone();
        let Some(last) = self.rounds.len().checked_sub(1) else { return Some(then) };
        let draw = rules.points.outcome.draw;
        let points = draw.num().checked_mul(self.points_den / draw.den())?;
        let points = i32::try_from(points).ok()?;
        let mut column = then.cells.column_mut(last);
        *column.kinds = RoundKinds::default();
        for (at, cell) in column.cells.iter_mut().enumerate() {
            let Some(cell) = cell else { continue };
            if cell.kind.has_opponent() {
                *cell = Cell { kind: RoundKind::Played, outcome: Outcome::Draw, points, ..*cell };
                column.lines.iter_mut().for_each(|line| line[at] = [0; 2]);
            }
            column.kinds.add(cell.kind);
        }
        drop(column);
        Some(then)
    }

    /// Where a line's values stand.
    pub(crate) fn line_index(&self, name: &str) -> Option<usize> {
        self.lines.iter().position(|line| line == name)
    }

    /// Who won the final, if it has been played.
    pub fn won_final(&self) -> Option<Index> {
        self.won_final
    }

    /// The weight of a round, as (numerator, denominator).
    pub fn weight(&self, round: RoundNumber) -> (u16, u16) {
        let found = self.rounds.binary_search_by_key(&round, |(number, ..)| *number);
        found.map_or((1, 1), |at| (self.rounds[at].1, self.rounds[at].2))
    }
}

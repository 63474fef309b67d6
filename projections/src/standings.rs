//! Standings: the places, what decided each, and the values behind it.

mod head_to_head;

use crate::crosstable::{Crosstable, FoldError, Index, Scope};
use crate::measure::{Column, Measured};
use crate::ruleset::{Outcome, Ruleset, Step, Ties};
use num_rational::BigRational;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;
use std::sync::Arc;

/// The version of the code that folds. It changes whenever the same log and ruleset would give
/// another table, so that such a change is a finding with that name.
pub const FOLD_VERSION: u32 = 1;

/// The context of a table's hash.
pub const TABLE_CONTEXT: &str = "scrutineer 2026 standings v1";

/// What told a player from the one above him.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Nothing stands above the first.
    First,
    /// This step of the order, from 0.
    Step(usize),
    /// Lots.
    Lots,
    /// Nothing: they share the place.
    Tied,
    /// Nothing yet: lots will decide, and they have not been drawn.
    LotsPending,
}

/// A player's matches won, lost and drawn; byes and awarded losses count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchRecord {
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
}

impl std::fmt::Display for MatchRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.losses, self.draws)
    }
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The place, from 1; tied players share theirs.
    pub rank: u32,
    /// The player's number.
    pub player: PlayerNumber,
    /// His index in the crosstable.
    pub index: Index,
    /// His record.
    pub record: MatchRecord,
    /// What told him from the one above.
    pub decided: Decided,
}

/// Which measures are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Those that the order needs.
    Order,
    /// All that the tournament holds enough for.
    All,
}

/// Standings, with everything that they were computed from.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The ruleset.
    pub rules: Arc<Ruleset>,
    /// The seq of the last event that they know.
    pub head: u64,
    /// The last round that counts.
    pub through: RoundNumber,
    /// Whether the final order holds, or the running one.
    pub is_final: bool,
    /// The rows, first place first.
    pub rows: Vec<Row>,
    /// For each player of the crosstable, where he stands among the rows.
    positions: Vec<u32>,
    /// The crosstable.
    pub table: Crosstable,
    /// The measures' columns.
    pub measured: Measured,
}

impl Standings {
    /// Folds a tournament into standings.
    ///
    /// # Errors
    /// Where the ruleset needs what the tournament does not hold.
    pub fn of(
        state: &Tournament,
        rules: &Arc<Ruleset>,
        scope: Scope,
        detail: Detail,
    ) -> Result<Standings, FoldError> {
        let table = Crosstable::of(state, rules, scope)?;
        let measured = Measured::of(state, rules, &table, detail == Detail::All)?;
        let is_final = scope.final_order.unwrap_or_else(|| is_over(state, scope));
        let mut standings = Standings {
            rules: Arc::clone(rules),
            head: state.head(),
            through: table.rounds.last().map_or(0, |(round, ..)| *round),
            is_final,
            rows: Vec::new(),
            positions: vec![u32::MAX; table.len()],
            table,
            measured,
        };
        standings.rows = standings.rank(state);
        for (at, row) in (0..).zip(&standings.rows) {
            standings.positions[row.index as usize] = at;
        }
        Ok(standings)
    }

    /// The steps of the order in force.
    pub fn steps(&self) -> &[Step] {
        match &self.rules.running_order {
            Some(running) if !self.is_final => running,
            _ => &self.rules.order,
        }
    }

    /// The row of a player.
    pub fn row(&self, player: PlayerNumber) -> Option<&Row> {
        Some(&self.rows[self.position(player)?])
    }

    /// Where a player stands among the rows, from 0.
    pub fn position(&self, player: PlayerNumber) -> Option<usize> {
        let index = self.table.index_of(player)?;
        let at = *self.positions.get(index as usize)?;
        (at != u32::MAX).then_some(at as usize)
    }

    /// The column of the measure with this id.
    pub fn column(&self, id: &str) -> Option<&Column> {
        let at = self.rules.measures.iter().position(|measure| measure.id == id)?;
        self.measured.column(at)
    }

    /// A player's value of the measure with this id.
    pub fn value(&self, row: &Row, id: &str) -> Option<BigRational> {
        Some(self.column(id)?.value(row.index))
    }

    /// Hash of the table over its meaning: for each row the rank, the player's number and the
    /// value of each measure of the order as reduced numerator and denominator; tied players by
    /// number. No names, no rounded text.
    pub fn hash(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key(TABLE_CONTEXT);
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| (row.rank, row.player));
        hasher.update(&(rows.len() as u32).to_le_bytes());
        for row in rows {
            hasher.update(&row.rank.to_le_bytes());
            hasher.update(&row.player.to_le_bytes());
            for column in self.steps().iter().filter_map(|step| self.step_column(step)) {
                let value = column.value(row.index);
                for part in [value.numer(), value.denom()] {
                    let bytes = part.to_signed_bytes_be();
                    hasher.update(&(bytes.len() as u32).to_le_bytes());
                    hasher.update(&bytes);
                }
            }
        }
        *hasher.finalize().as_bytes()
    }

    fn step_column(&self, step: &Step) -> Option<&Column> {
        match step {
            Step::Measure { measure, .. } => self.measured.column(*measure),
            Step::HeadToHead { .. } => None,
        }
    }

    /// Splits groups of tied players step by step until nothing tells them apart.
    fn rank(&self, state: &Tournament) -> Vec<Row> {
        let mut order: Vec<Index> = (0..self.table.len() as Index)
            .filter(|index| !self.table.entrants[*index as usize].disqualified)
            .collect();
        // What tells each player from the one above him; the first of a tied group has its step.
        let mut decided = vec![None; order.len()];
        for (at, step) in self.steps().iter().enumerate() {
            self.split_by(step, Decided::Step(at), &mut order, &mut decided);
        }
        let unresolved = self.split_by_lots(state, &mut order, &mut decided);
        self.rows(&order, &decided, unresolved)
    }

    fn split_by(
        &self,
        step: &Step,
        because: Decided,
        order: &mut [Index],
        decided: &mut [Option<Decided>],
    ) {
        for (from, to) in groups(decided) {
            let group = &mut order[from..to];
            match step {
                Step::Measure { measure, lowest_first } => {
                    let Some(column) = self.measured.column(*measure) else { continue };
                    let compare = |a: &Index, b: &Index| match lowest_first {
                        true => column.cmp(*a, *b),
                        false => column.cmp(*b, *a),
                    };
                    group.sort_by(compare);
                    for at in 1..group.len() {
                        if compare(&group[at - 1], &group[at]).is_ne() {
                            decided[from + at] = Some(because);
                        }
                    }
                }
                Step::HeadToHead { only_pairs, .. } if *only_pairs && group.len() != 2 => {}
                Step::HeadToHead { mode, .. } => {
                    let places = head_to_head::places(&self.table, group, *mode);
                    let mut placed: Vec<(u32, Index)> =
                        places.into_iter().zip(group.iter().copied()).collect();
                    placed.sort_by_key(|(place, _)| *place);
                    for (at, (place, index)) in placed.iter().enumerate() {
                        group[at] = *index;
                        if at > 0 && placed[at - 1].0 != *place {
                            decided[from + at] = Some(because);
                        }
                    }
                }
            }
        }
    }

    /// Lots decide what is left, where the ruleset says so and they were drawn.
    fn split_by_lots(
        &self,
        state: &Tournament,
        order: &mut [Index],
        decided: &mut [Option<Decided>],
    ) -> Decided {
        if self.rules.ties == Ties::Shared {
            return Decided::Tied;
        }
        let Some(lots) = state.lots() else { return Decided::LotsPending };
        let mut lot_of = vec![u32::MAX; self.table.len()];
        for (lot, number) in (0..).zip(&lots.order) {
            if let Some(index) = self.table.index_of(*number) {
                lot_of[index as usize] = lot;
            }
        }
        for (from, to) in groups(decided) {
            let group = &mut order[from..to];
            group.sort_by_key(|index| lot_of[*index as usize]);
            for at in 1..group.len() {
                if lot_of[group[at - 1] as usize] != lot_of[group[at] as usize] {
                    decided[from + at] = Some(Decided::Lots);
                }
            }
        }
        Decided::LotsPending
    }

    fn rows(&self, order: &[Index], decided: &[Option<Decided>], unresolved: Decided) -> Vec<Row> {
        let mut rank = 0;
        let row = |(at, index): (usize, &Index)| {
            let why = match decided[at] {
                _ if at == 0 => Decided::First,
                Some(why) => why,
                None => unresolved,
            };
            if !matches!(why, Decided::Tied | Decided::LotsPending) {
                rank = at as u32 + 1;
            }
            Row {
                rank,
                player: self.table.entrants[*index as usize].number,
                index: *index,
                record: self.record(*index),
                decided: why,
            }
        };
        order.iter().enumerate().map(row).collect()
    }

    fn record(&self, index: Index) -> MatchRecord {
        let mut record = MatchRecord::default();
        for (_, entry) in self.table.rounds_of(index) {
            match entry.outcome {
                Outcome::Win => record.wins += 1,
                Outcome::Loss => record.losses += 1,
                Outcome::Draw => record.draws += 1,
                Outcome::None => {}
            }
        }
        record
    }
}

/// Runs of players whom nothing tells apart yet, as (from, to), longer than one.
fn groups(decided: &[Option<Decided>]) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    let mut from = 0;
    for at in 1..=decided.len() {
        if at == decided.len() || decided[at].is_some() {
            if at - from > 1 {
                list.push((from, at));
            }
            from = at;
        }
    }
    list
}

fn is_over(state: &Tournament, scope: Scope) -> bool {
    let last = state.last_round().map_or(0, |round| round.number);
    state.is_closed() && scope.through.is_none_or(|through| through >= last)
}

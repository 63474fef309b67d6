//! The players of one phase, ranked among themselves.

use super::{Decided, head_to_head};
use crate::crosstable::{Crosstable, Index, Stage};
use crate::measure::{ByRound, Column, Measured};
use crate::ruleset::{Formula, Ruleset, Step, Ties};
use scrutineer_engine::tournament::Tournament;

/// A phase with what was known at its end.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The phase.
    pub stage: Stage,
    /// The steps of its order.
    pub steps: Vec<Step>,
    /// The crosstable at its end; it holds everybody, not only who belongs to the phase.
    pub table: Crosstable,
    /// The measures' columns.
    pub measured: Measured,
}

impl Layer {
    /// The column of a step's measure; none for a step that has no measure of its own.
    pub(super) fn column(&self, step: &Step) -> Option<&Column> {
        match step {
            Step::Measure { measure, .. } => self.measured.column(*measure),
            Step::HeadToHead { .. } => None,
        }
    }

    /// Splits groups of tied players step by step until nothing tells them apart. Gives what told
    /// each from the one above them, and why nothing did where that is missing.
    pub(super) fn rank(
        &self,
        lots: &[u32],
        rules: &Ruleset,
        players: &mut [Index],
    ) -> (Vec<Option<Decided>>, Decided) {
        let mut decided = vec![None; players.len()];
        for (at, step) in self.steps.iter().enumerate() {
            self.split_by(rules, step, Decided::Step(at), players, &mut decided);
        }
        let unresolved = match rules.ties {
            Ties::Shared => Decided::Tied,
            Ties::Lots => {
                split_by_lots(lots, players, &mut decided);
                Decided::LotsPending
            }
        };
        (decided, unresolved)
    }

    fn split_by(
        &self,
        rules: &Ruleset,
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
                    let apart = |at| decided[from + at] = Some(because);
                    column.sort(group, *lowest_first, apart);
                }
                Step::HeadToHead { only_pairs, .. } if *only_pairs && group.len() != 2 => {}
                Step::HeadToHead { mode, forfeits_in, by, .. } => {
                    let forfeits = forfeits_in.contains(&self.stage.kind);
                    let by = by.and_then(|total| match &rules.measures[total].formula {
                        Formula::Total(total) => ByRound::of(&self.table, rules, total),
                        _ => None,
                    });
                    let places = head_to_head::places(&self.table, group, *mode, forfeits, by);
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

    /// Lots decide what is left, where they were drawn.
    /// The place of each player in the order of lots, by index; empty: none were drawn.
    pub(super) fn lots(&self, state: &Tournament) -> Vec<u32> {
        let Some(lots) = state.lots() else { return Vec::new() };
        let mut lot_of = vec![u32::MAX; self.table.len()];
        for (lot, number) in (0..).zip(&lots.order) {
            if let Some(index) = self.table.index_of(*number) {
                lot_of[index as usize] = lot;
            }
        }
        lot_of
    }
}

fn split_by_lots(lot_of: &[u32], order: &mut [Index], decided: &mut [Option<Decided>]) {
    if lot_of.is_empty() {
        return;
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

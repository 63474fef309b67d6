//! What if: an event as it is, beside a copy of it on which something more was recorded. Who
//! moves, who is in the cut, and which tables would have been drawn otherwise.
//!
//! The copy is a [fork](crate::archive::Archive::fork) on which the very verbs of the desk were
//! carried out, so what is told here is what really doing it would give.

mod at_once;
mod least;
mod rounds;

pub use least::{Repairing, repairing};
pub use rounds::{AsDrawn, LaterRound};

use crate::archive::OpenEvent;
use crate::desk::{DeskError, could_go_on};
use at_once::AtOnce;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::compare::{AtCut, Comparison, compare};
use scrutineer_projections::crosstable::{FoldError, Scope, check_rulings};
use scrutineer_projections::ruleset::{RulesetError, parse};
use scrutineer_projections::standings::{Detail, Standings};
use std::sync::Arc;

/// Why it cannot be told what would be.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WhatIfError {
    /// The ruleset is not good.
    #[error("{0}")]
    Ruleset(#[from] RulesetError),
    /// The standings cannot be folded.
    #[error("{0}")]
    Fold(#[from] FoldError),
}

impl From<WhatIfError> for DeskError {
    fn from(error: WhatIfError) -> DeskError {
        match error {
            WhatIfError::Ruleset(error) => error.into(),
            WhatIfError::Fold(error) => error.into(),
        }
    }
}

/// The cut that is to come: the first so many who can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutChange {
    /// How many make it.
    pub size: u32,
    /// Who would make it and does not as things are.
    pub enters: Vec<PlayerNumber>,
    /// Who makes it and would not.
    pub leaves: Vec<PlayerNumber>,
    /// Whether the last one in and the first one out share a place, as things are or would be, so
    /// that lots decide.
    pub across_a_tie: bool,
}

/// A cut that was made before the change was known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeCut {
    /// The phase that began with it.
    pub phase: u16,
    /// How many made it.
    pub size: usize,
    /// Who would have made it and did not, in the order of the seeds.
    pub enters: Vec<PlayerNumber>,
    /// Who made it and would not have.
    pub leaves: Vec<PlayerNumber>,
    /// Whether lots that were not drawn would have decided who makes it, or his seed; then nothing
    /// more is known.
    pub by_lots: bool,
    /// Whether the same players would have had other seeds.
    pub reseeded: bool,
}

/// An event as it is, and as it would be.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// The standings as they are.
    pub before: Standings,
    /// The standings as they would be.
    pub after: Standings,
    /// Who moves.
    pub compared: Comparison,
    /// The cut that is to come.
    pub cut: Option<CutChange>,
    /// Who would take no place any more, with the place that he has.
    pub out: Vec<(PlayerNumber, u32)>,
    /// Cuts that were made and would have been others.
    pub cuts: Vec<MadeCut>,
    /// The rounds that were drawn after what changes, each drawn again with the change known at
    /// once, and with the results of the rounds before it as they are.
    pub rounds: Vec<LaterRound>,
}

impl WhatIf {
    /// Compares an event with a copy of it on which something was recorded. `cut` says how many
    /// make the cut that is to come, from the standings as they are.
    ///
    /// # Errors
    /// Where one of them gives no standings.
    pub fn of(
        before: &OpenEvent,
        after: &OpenEvent,
        cut: &dyn Fn(&Standings) -> Option<u32>,
    ) -> Result<WhatIf, WhatIfError> {
        let (is, would) = (standings(before)?, standings(after)?);
        let size = cut(&is).filter(|&size| (size as usize) < is.rows.len());
        let mut compared = compare(&is, &would, Vec::new(), &[], size);
        let cut = size.map(|size| {
            let could = |event: &OpenEvent, standings: &Standings| -> Vec<PlayerNumber> {
                let could = could_go_on(&event.state, standings, &|_| false);
                could.into_iter().map(|(player, _)| player).collect()
            };
            let (mut first, mut second) = (could(before, &is), could(after, &would));
            let across_a_tie = tie_at(&is, &first, size) || tie_at(&would, &second, size);
            first.truncate(size as usize);
            second.truncate(size as usize);
            let (enters, leaves) = (not_in(&first, &second), not_in(&second, &first));
            CutChange { size, enters, leaves, across_a_tie }
        });
        // Who has left makes no cut, wherever he stands.
        for one in &mut compared.moves {
            let of = |list: fn(&CutChange) -> &[PlayerNumber]| {
                cut.as_ref().is_some_and(|cut| list(cut).contains(&one.player))
            };
            one.at_cut = match (of(|cut| &cut.enters), of(|cut| &cut.leaves)) {
                (true, _) => Some(AtCut::Enters),
                (_, true) => Some(AtCut::Leaves),
                _ => None,
            };
        }
        let gone = is.rows.iter().filter(|row| would.row(row.player).is_none());
        let out = gone.map(|row| (row.player, row.rank)).collect();
        let known = AtOnce::of(before, after);
        let (cuts, rounds) = rounds::later(before, after, known);
        Ok(WhatIf { before: is, after: would, compared, cut, out, cuts, rounds })
    }

    /// Whether nobody moves and nobody would take no place any more.
    pub fn nobody_moves(&self) -> bool {
        self.compared.moves.is_empty() && self.out.is_empty()
    }
}

/// Whether the last one of the first so many shares his place with the next one.
fn tie_at(standings: &Standings, could: &[PlayerNumber], size: u32) -> bool {
    let rank = |at: u32| standings.row(*could.get(at as usize)?).map(|row| row.rank);
    let last = size.checked_sub(1).and_then(rank);
    last.is_some() && last == rank(size)
}

/// Those of a list whom another one has not.
fn not_in(other: &[PlayerNumber], list: &[PlayerNumber]) -> Vec<PlayerNumber> {
    list.iter().copied().filter(|player| !other.contains(player)).collect()
}

fn standings(event: &OpenEvent) -> Result<Standings, WhatIfError> {
    let rules = Arc::new(parse(event.state.ruleset().unwrap_or_default())?);
    check_rulings(&event.state, &rules)?;
    let scope = Scope { through: None, final_order: None };
    Ok(Standings::of(&event.state, &rules, scope, Detail::Order)?)
}

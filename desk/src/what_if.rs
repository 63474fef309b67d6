//! What if: a tournament as it is, beside a copy of it on which something more was recorded. Who
//! moves, who is in the cut, and which tables would have been paired otherwise.
//!
//! The copy is a [fork](crate::store::Store::fork) on which the very verbs of the desk were
//! carried out, so what is told here is what really doing it would give.

mod at_once;
mod least;
mod rounds;

pub use least::{Repairing, repairing};
pub(crate) use rounds::players_of;
pub use rounds::{Anew, AsDrawn, LaterRound, cut_by_now};

use crate::desk::DeskError;
use crate::rules::in_force;
use at_once::AtOnce;
use scrutineer_engine::event::{Event, PlayerNumber, Seq};
use scrutineer_projections::compare::{Comparison, compare};
use scrutineer_projections::crosstable::{FoldError, Scope, check_rulings};
use scrutineer_projections::cut::Cut;
use scrutineer_projections::ruleset::RulesetError;
use scrutineer_projections::standings::{Detail, Standings};
use scrutineer_replay::loaded::LoadedTournament;
use std::collections::BTreeSet;

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
    /// Who is tied across the line as things are, and would make it.
    pub no_longer_tied_in: Vec<PlayerNumber>,
    /// Who is tied across the line as things are, and would not make it.
    pub no_longer_tied_out: Vec<PlayerNumber>,
    /// Who would be tied across the line and is not as things are.
    pub newly_tied: Vec<PlayerNumber>,
    /// Whether the last one in and the first one out would share a place, so that lots decide.
    pub across_a_tie: bool,
}

impl CutChange {
    fn of([before, after]: &[Cut; 2]) -> CutChange {
        type Players = Vec<PlayerNumber>;
        let those = |list: &[PlayerNumber], is_one: &dyn Fn(PlayerNumber) -> bool| -> Players {
            list.iter().copied().filter(|player| is_one(*player)).collect()
        };
        let enters = |player| before.lacks_surely(player) && after.has_surely(player);
        let leaves = |player| before.has_surely(player) && after.lacks_surely(player);
        CutChange {
            size: before.size,
            enters: those(&after.players, &enters),
            leaves: those(&before.players, &leaves),
            no_longer_tied_in: those(&before.tied, &|player| after.has_surely(player)),
            no_longer_tied_out: those(&before.tied, &|player| after.lacks_surely(player)),
            newly_tied: those(&after.tied, &|player| !before.tied.contains(&player)),
            across_a_tie: after.tie.is_some(),
        }
    }
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
    /// Whether lots that were not drawn would have decided who makes it, or their seed; then nothing
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
    /// Who would take no place any more, with the place that they have.
    pub out: Vec<(PlayerNumber, u32)>,
    /// Cuts that were made and would have been others.
    pub cuts: Vec<MadeCut>,
    /// The rounds that were drawn after what changes, each drawn again with the change known at
    /// once, and with the results of the rounds before it as they are.
    pub rounds: Vec<LaterRound>,
}

impl WhatIf {
    /// Compares an event with a copy of it on which something was recorded. `asked` is how many make
    /// the cut that is to come; none: as many as the plan says.
    ///
    /// # Errors
    /// Where one of them gives no standings.
    pub fn of(
        before: &LoadedTournament,
        after: &LoadedTournament,
        asked: Option<u32>,
    ) -> Result<WhatIf, WhatIfError> {
        let (is, would) = (standings(before)?, standings(after)?);
        // A cut that was made is no longer to come; what it would have been is told of the phase.
        let first =
            Cut::of(&before.state, &is, asked).filter(|cut| asked.is_some() || !cut.is_made);
        let cuts = first.and_then(|first| {
            let second = Cut::of(&after.state, &would, Some(first.size))?;
            Some([first, second])
        });
        let cut = cuts.as_ref().map(CutChange::of);
        let compared = compare(&is, &would, Vec::new(), &[], cuts);
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

/// Those of a list whom another one has not.
fn not_in(other: &[PlayerNumber], list: &[PlayerNumber]) -> Vec<PlayerNumber> {
    list.iter().copied().filter(|player| !other.contains(player)).collect()
}

/// The players of the matches whose results change.
fn touched(before: &LoadedTournament, after: &LoadedTournament) -> BTreeSet<PlayerNumber> {
    let pairing_of = |seq: Seq| {
        let at = usize::try_from(seq).ok()?.checked_sub(1)?;
        match &before.log.get(at)?.1 {
            Event::ResultRecorded(e) => Some(e.pairing),
            Event::ResultCorrected(e) => Some(e.pairing),
            _ => None,
        }
    };
    let changed = after.log.iter().skip(before.log.len()).filter_map(|(_, event)| match event {
        Event::ResultCorrected(e) => Some(e.pairing),
        Event::Withdrawn(e) => pairing_of(e.seq),
        _ => None,
    });
    let matches = changed.filter_map(|pairing| before.state.match_at(pairing));
    matches.flat_map(|found| found.seats()).map(|seat| seat.player).collect()
}

fn standings(event: &LoadedTournament) -> Result<Standings, WhatIfError> {
    let rules = in_force(event.state.ruleset().unwrap_or_default())?;
    check_rulings(&event.state, &rules)?;
    let scope = Scope { through: None, final_order: None };
    Ok(Standings::of(&event.state, &rules, scope, Detail::Order)?)
}

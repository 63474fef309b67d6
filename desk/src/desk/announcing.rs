//! Standings are announced: their hash goes into the log, their table is kept beside it.

use super::plan::Plan;
use super::{Desk, DeskError, Done, Objection};
use scrutineer_engine::event::RoundNumber;
use scrutineer_projections::standings::Standings;
use scrutineer_replay::announced::{announcement, standings_in};

impl Desk<'_> {
    /// Announces the standings through a round, or as they stand.
    ///
    /// # Errors
    /// Where the ruleset needs what the tournament does not hold, or the log refuses.
    pub fn announce(&self, through: Option<RoundNumber>) -> Result<(Standings, Done), DeskError> {
        let mut announced = None;
        let done = self.record(&mut |state, _| {
            let mut plan = Plan::of(state);
            let rules = self.rules(state)?;
            let standings = standings_in(state, &rules, through)?;
            self.add_announcement(&mut plan, &standings);
            announced = Some(standings);
            Ok(plan.events)
        })?;
        match announced {
            Some(standings) => Ok((standings, done)),
            None => Err(Objection::NoRound.into()),
        }
    }

    /// Announces the standings as they stand in a plan. Where they cannot be folded, nothing is
    /// announced: that is no reason to hold up the hall.
    pub(super) fn announce_as_it_stands(&self, plan: &mut Plan) -> Result<(), DeskError> {
        let rules = self.rules(&plan.state)?;
        if let Ok(standings) = standings_in(&plan.state, &rules, None) {
            self.add_announcement(plan, &standings);
        }
        Ok(())
    }

    fn add_announcement(&self, plan: &mut Plan, standings: &Standings) {
        let (event, table) = announcement(standings);
        plan.add(event);
        super::locked(&self.announced).push(table);
    }

    /// Keeps the tables whose announcements are recorded now, and a snapshot now and then. The
    /// events are on the disk: what can be made again must not make them look refused.
    pub(super) fn keep_beside(&self) {
        let tables = std::mem::take(&mut *super::locked(&self.announced));
        let _ = self.store.keep_announced(self.stream, &tables);
        if let Ok((head, state)) = self.load() {
            let _ = self.store.snapshot_after(self.stream, head, &state);
        }
    }
}

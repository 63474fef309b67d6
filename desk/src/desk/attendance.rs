//! How many rounds are usual, and how many go on: the ruleset's table, looked up by attendance.

use crate::glance::attendance;
use scrutineer_engine::event::PhaseKind;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::{Attendance, Ruleset};

/// What the ruleset suggests for so many, where it has a table: it speaks of Swiss rounds, so it
/// says nothing of a tournament that begins with a bracket or a schedule.
pub fn suggested<'r>(rules: &'r Ruleset, state: &Tournament) -> Option<&'r Attendance> {
    let first = state.opened().and_then(|opened| opened.plan.first());
    match first.map_or(PhaseKind::Swiss, |phase| phase.kind) {
        PhaseKind::Swiss | PhaseKind::Pods => rules.attendance_for(attendance(state)),
        PhaseKind::Elimination | PhaseKind::DoubleElimination | PhaseKind::RoundRobin => None,
    }
}

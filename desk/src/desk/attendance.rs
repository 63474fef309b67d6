//! How many rounds are usual, and how many go on: the ruleset's table, looked up by attendance.

use scrutineer_engine::event::PhaseKind;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::{Attendance, Ruleset};

/// How many players the table counts: who brings k byes stands for the 2^k of whom they would have
/// been the one with k wins.
pub fn attendance(state: &Tournament) -> u32 {
    let came = state.players().iter().filter(|player| {
        let left_before = player.dropped().is_some_and(|(_, after)| after == 0);
        !player.withdrawn && !left_before
    });
    came.fold(0u32, |sum, player| {
        let stands_for = 1u32.checked_shl(player.awarded_byes.into()).unwrap_or(u32::MAX);
        sum.saturating_add(stands_for)
    })
}

/// What the ruleset suggests for so many, where it has a table: it speaks of Swiss rounds, so it
/// says nothing of an event that begins with a bracket or a schedule.
pub fn suggested<'r>(rules: &'r Ruleset, state: &Tournament) -> Option<&'r Attendance> {
    let first = state.opened().and_then(|opened| opened.plan.first());
    match first.map_or(PhaseKind::Swiss, |phase| phase.kind) {
        PhaseKind::Swiss | PhaseKind::Pods => rules.attendance_for(attendance(state)),
        PhaseKind::Elimination | PhaseKind::DoubleElimination | PhaseKind::RoundRobin => None,
    }
}

//! What is usually typed next.

use super::AtDesk;
use super::seats::quoted;
use crate::desk::{open_round, suggested};
use crate::glance::attendance;
use crate::verb_error::VerbError;
use scrutineer_engine::event::{PhaseKind, RoundCompleted};
use scrutineer_engine::tournament::{Player, Tournament};
use scrutineer_pairing::{PairedRound, PairingError, can_be_apart, next_round, running_phase};
use scrutineer_projections::divisions::{division_of_phase, divisions};
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::timeline::paired_by_engine;
use std::sync::Arc;

/// The next step of an event.
pub fn step(at: &AtDesk<'_>, state: &Tournament) -> Result<String, VerbError> {
    let round = open_round(state);
    if let Some(open) = round.filter(|open| open.open_matches > 0) {
        return Ok(at.command(match open.published {
            Some(_) => "result",
            None => "publish",
        }));
    }
    if state.is_closed() {
        return Ok(at.command("standings"));
    }
    let Some(phase) = running_phase(state) else { return Ok(at.command("pair")) };
    let played = state.rounds().iter().filter(|r| r.phase == phase.number && !r.withdrawn).count();
    if played == 0 {
        return Ok(at.command("pair"));
    }
    let rules = at.desk.rules(state)?;
    let plan = state.opened().map_or(&[][..], |opened| &opened.plan);
    let planned = plan.get(usize::from(phase.number) - 1);
    let has_next = plan.len() > usize::from(phase.number);
    let is_over = match phase.kind {
        PhaseKind::Elimination | PhaseKind::DoubleElimination | PhaseKind::RoundRobin => {
            match after_round(state, &rules) {
                Err(PairingError::NobodyAdvances { table, .. }) if table > 0 => {
                    let advance = format!("advance {table} <player> --reason <why>");
                    return Ok(format!("{}   (nobody won there)", at.command(&advance)));
                }
                found => matches!(found, Err(PairingError::PhaseOver { .. })),
            }
        }
        PhaseKind::Swiss | PhaseKind::Pods => {
            let usual = suggested(&rules, state).filter(|_| phase.number == 1);
            let rounds = planned.and_then(|p| p.rounds).or(usual.map(|row| row.rounds));
            rounds.is_some_and(|rounds| played >= rounds.into())
        }
    };
    let usual_cut = suggested(&rules, state).map(|row| row.cut);
    let in_bracket = phase.kind.is_bracket();
    if let Some(waits) = divisions_without_cut(state, false).first().filter(|_| is_over) {
        let cut = format!("cut --division {} --top {}", typed(waits.name), waits.top);
        let (cut, close) = (at.command(&cut), at.command("close"));
        let has_had_one = phase.number > 1;
        return Ok(match (has_had_one, plan.is_empty() && usual_cut == Some(0)) {
            (true, _) => format!("{cut}   (or {close})"),
            // A small tournament usually has none.
            (false, true) => format!("{close}   (or {cut})"),
            (false, false) => cut,
        });
    }
    Ok(match (is_over, phase.number == 1 && !in_bracket) {
        (false, _) => pair_as_before(at, state),
        (true, _) if has_next => at.command("cut"),
        // Who planned phases has planned all of them; a ruleset suggests where nobody has.
        (true, true) if plan.is_empty() && usual_cut > Some(0) => at.command("cut"),
        (true, true) if usual_cut != Some(0) => {
            let usual = usual_cut.or([8, 4].into_iter().find(|top| attendance(state) > *top));
            match usual {
                Some(top) => {
                    let cut = at.command(&format!("cut --top {top}"));
                    format!("{}   (or {cut})", at.command("close"))
                }
                None => at.command("close"),
            }
        }
        (true, _) => at.command("close"),
    })
}

/// Returns whether the next round is one that an engine can pair: a Swiss round of all divisions together.
pub fn is_for_engine(state: &Tournament) -> bool {
    let planned = || state.opened()?.plan.first().map(|phase| phase.kind);
    let kind = running_phase(state).map(|phase| phase.kind).or_else(planned);
    kind.is_none_or(|kind| kind == PhaseKind::Swiss) && !is_apart(state)
}

/// Whether divisions are paired apart in the phase that is running.
pub fn is_apart(state: &Tournament) -> bool {
    state.divisions_paired().apart
        && running_phase(state).is_some_and(|phase| can_be_apart(phase.kind))
}

/// A name of a division as a shell takes it.
pub(super) fn typed(name: &str) -> String {
    match name.chars().all(char::is_alphanumeric) {
        true => name.into(),
        false => quoted(name),
    }
}

/// A division that has had no cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithoutCut<'a> {
    /// What it is called.
    pub name: &'a str,
    /// How many usually go on: as planned, else the half of those who are here at most, to 8.
    pub top: u32,
}

/// The divisions that wait for a cut of their own: they are paired apart, or others had theirs, as whoever has
/// just asked for one knows.
pub fn divisions_without_cut(state: &Tournament, has_asked: bool) -> Vec<WithoutCut<'_>> {
    let phases = || state.phases().iter().filter(|phase| !phase.withdrawn);
    let later = || phases().filter(|phase| phase.number > 1);
    let paired_apart = state.divisions_paired().apart;
    // One cut to players of one division may be a cut of all.
    let had_own = later().filter(|phase| division_of_phase(state, phase).is_some()).count();
    if !has_asked && !paired_apart && had_own < 2 || later().count() > had_own {
        return Vec::new();
    }
    let planned = state.opened().and_then(|opened| opened.plan.get(1)?.players);
    let next = state.next_round_number();
    let waiting = divisions(state).into_iter().filter_map(|name| {
        let of = |player: &&Player| player.division.as_deref() == Some(name);
        let here = state.players().iter().filter(|player| player.takes_part_in(next));
        let here: Vec<u32> = here.filter(of).map(|player| player.number).collect();
        let had_one = later().any(|phase| here.iter().any(|one| phase.entrants.contains(one)));
        let many = here.len() as u32;
        let usual = || [8, 4, 2].into_iter().find(|top| top * 2 <= many).unwrap_or(2);
        let top = planned.filter(|top| *top <= many).unwrap_or_else(usual);
        (many > 1 && !had_one).then_some(WithoutCut { name, top })
    });
    waiting.collect()
}

/// Pairing the next round: by the engine that paired the one before, where none is here that does it by itself.
fn pair_as_before(at: &AtDesk<'_>, state: &Tournament) -> String {
    let by = state.last_round().and_then(paired_by_engine);
    match by.filter(|_| at.asker.engine.is_none() && is_for_engine(state)) {
        Some(engine) => {
            let pair = at.command("pair --engine <command>");
            format!("{pair}   ({engine} paired the round before)")
        }
        None => at.command("pair"),
    }
}

/// Whether nothing is left to play in a phase whose draw knows its end: a bracket, a schedule.
pub fn played_out(state: &Tournament, rules: &Arc<Ruleset>) -> bool {
    matches!(after_round(state, rules), Err(PairingError::PhaseOver { .. }))
}

/// What the draw would say if the round that is being played were completed.
fn after_round(state: &Tournament, rules: &Arc<Ruleset>) -> Result<PairedRound, PairingError> {
    let mut after = state.clone();
    if let Some(open) = open_round(state) {
        after.evolve(&RoundCompleted { round: open.number }.into());
    }
    next_round(&after, rules, &[0; 32], b"")
}

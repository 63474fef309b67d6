//! What is usually typed next.

use super::AtDesk;
use super::seats::quoted;
use crate::desk::{open_round, suggested};
use crate::glance::{attendance, postponed_in_words};
use crate::horizon::is_out;
use crate::verb_error::VerbError;
use scrutineer_engine::event::{Imported, PhaseKind, PlannedPhase, RoundCompleted, RoundNumber};
use scrutineer_engine::tournament::{Phase, Player, Round, Tournament};
use scrutineer_pairing::{
    PairedRound, PairingError, can_be_apart, decided, next_round, running_phase,
};
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::divisions::{division_of_phase, divisions};
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::standings::{Detail, Row, Standings};
use scrutineer_projections::timeline::paired_by_engine;
use std::sync::Arc;

/// How many cuts of divisions are named at once.
const CUTS_NAMED: usize = 4;

/// The next step of a tournament.
pub fn step(at: &AtDesk<'_>, state: &Tournament) -> Result<String, VerbError> {
    if state.is_removed() {
        return Ok(at.command("standings"));
    }
    let round = open_round(state);
    if let Some(open) = round.filter(|open| open.open_matches > 0) {
        return Ok(at.command(match is_out(state, open) {
            true => "result",
            false => "publish",
        }));
    }
    if state.is_closed() {
        return Ok(at.command("standings"));
    }
    let Some(phase) = running_phase(state) else { return Ok(pair_as_before(at, state)) };
    let played = state.rounds().iter().filter(|r| r.phase == phase.number && !r.withdrawn).count();
    if played == 0 {
        return Ok(pair_as_before(at, state));
    }
    let rules = at.desk.rules(state)?;
    let is_over = match is_over(state, &rules, phase, played) {
        Ok(is_over) => is_over,
        Err(table) => {
            let found = state.at_table(state.last_round().map_or(0, |last| last.number), table);
            let (order, why) = match found.is_some_and(|found| found.is_postponed()) {
                true => (format!("correct {table} <score> --reason <why>"), "it is postponed"),
                false => (format!("advance {table} <player> --reason <why>"), "nobody won there"),
            };
            return Ok(format!("{}   ({why})", at.command(&order)));
        }
    };
    let plan = state.opened().map_or(&[][..], |opened| &opened.plan);
    let has_next = plan.len() > usize::from(phase.number);
    if let Some(imported) = state.imported() {
        // Cuts are made where it is played; closing ends it as it stands. TOM's file does not say how many rounds are to come.
        return Ok(match (is_over && !has_next, &imported.format[..]) {
            (true, "tdf") => format!(
                "scrutineer import <file>   (TOM's file of round {}, or its final one; save it there first)",
                state.next_round_number()
            ),
            (true, _) => at.command("close"),
            (false, _) => paired_elsewhere(state),
        });
    }
    let usual_cut = suggested(&rules, state).map(|row| row.cut);
    let in_bracket = phase.kind.is_bracket();
    let cuts = is_over.then(|| cuts_of_divisions(state, &rules));
    // A planned phase that is still to come is everybody's, where it may be.
    let cuts = cuts.filter(|cuts| cuts.is_sure || !has_next);
    if let Some(cuts) = cuts.filter(|cuts| !cuts.waiting.is_empty()) {
        let of = |one: &WithoutCut<'_>| {
            let cut = at.command(&format!("cut --division {} --top {}", typed(one.name), one.top));
            without_postponed(state, cut)
        };
        let mut steps: Vec<String> = cuts.waiting.iter().take(CUTS_NAMED).map(of).collect();
        let close = at.command("close");
        let is_small = plan.is_empty() && usual_cut == Some(0);
        match phase.number > 1 {
            true if cuts.is_sure => steps.push(close),
            // A small tournament usually has none; and where the cut was one of all, nothing is left.
            true => steps.insert(0, close),
            false if is_small => steps.insert(0, close),
            false => {}
        }
        let first = steps.remove(0);
        return Ok(match steps.is_empty() {
            true => first,
            false => format!("{first}   (or {})", steps.join(", or ")),
        });
    }
    Ok(match (is_over, phase.number == 1 && !in_bracket) {
        (false, _) => pair_as_before(at, state),
        (true, _) if has_next => without_postponed(state, at.command("cut")),
        // Who planned phases has planned all of them; a ruleset suggests where nobody has.
        (true, true) if !is_planned(state) && usual_cut > Some(0) => {
            without_postponed(state, at.command("cut"))
        }
        (true, true) if usual_cut != Some(0) => {
            let usual = usual_cut.or([8, 4].into_iter().find(|top| attendance(state) > *top));
            match usual {
                Some(top) => {
                    let cut = at.command(&format!("cut --top {top}"));
                    let cut = without_postponed(state, cut);
                    format!("{}   (or {cut})", at.command("close"))
                }
                None => at.command("close"),
            }
        }
        (true, _) => at.command("close"),
    })
}

/// The command of a cut, with what is left out of it.
fn without_postponed(state: &Tournament, cut: String) -> String {
    match postponed_in_words(state, RoundNumber::MAX) {
        None => cut,
        Some(told) => format!("{cut}   ({told})"),
    }
}

/// Whether somebody said which phases are played: a tournament that was opened without a word of it has one, of as
/// many rounds as are usual.
pub fn is_planned(state: &Tournament) -> bool {
    let plan = state.opened().map_or(&[][..], |opened| &opened.plan);
    !matches!(plan, [] | [PlannedPhase { rounds: None, players: None, .. }])
}

/// Whether all that was planned of a phase is played. The error is a table of a bracket at which nobody won.
fn is_over(
    state: &Tournament,
    rules: &Arc<Ruleset>,
    phase: &Phase,
    played: usize,
) -> Result<bool, u32> {
    match phase.kind {
        PhaseKind::Elimination | PhaseKind::DoubleElimination | PhaseKind::RoundRobin => {
            // Nothing is left to pair behind a final, also where nobody won it.
            match won(state, rules).and_then(|()| after_round(state, rules)) {
                Err(PairingError::NobodyAdvances { table, .. }) if table > 0 => Err(table),
                found => Ok(matches!(found, Err(PairingError::PhaseOver { .. }))),
            }
        }
        PhaseKind::Swiss | PhaseKind::Pods => {
            let usual = suggested(rules, state).filter(|_| phase.number == 1);
            let rounds = state.planned_rounds(phase.number).or(usual.map(|row| row.rounds));
            Ok(rounds.is_some_and(|rounds| played >= rounds.into()))
        }
    }
}

/// What is done next in the program in which an imported tournament is played, once every result is in: `pair
/// round 4`, `pair the cut`, `end the tournament`.
pub fn next_there(state: &Tournament, rules: &Arc<Ruleset>) -> String {
    let round = format!("pair round {}", state.next_round_number());
    let Some(phase) = running_phase(state) else { return round };
    let played = state.rounds().iter().filter(|r| r.phase == phase.number && !r.withdrawn).count();
    let plan = state.opened().map_or(0, |opened| opened.plan.len());
    let has_cut = plan > usize::from(phase.number);
    // How many rounds come before a cut stands in no file; where divisions have different numbers they are counted.
    let is_counted = phase.kind.is_bracket() || state.division_rounds().next().is_some();
    // A bracket of another program has no slots by which the next round could be drawn: its last match alone, or beside the
    // one for third place, ends it.
    let tables = |at: &Round| state.matches().filter(|m| m.round().number == at.number).count();
    let mut of_phase =
        state.rounds().iter().rev().filter(|r| r.phase == phase.number && !r.withdrawn);
    let last = [of_phase.next(), of_phase.next()].map(|round| round.map(tables));
    let is_over = match phase.kind {
        PhaseKind::Elimination => matches!(last, [Some(1), _] | [Some(2), Some(2)]),
        _ => played > 0 && is_over(state, rules, phase, played) == Ok(true),
    };
    let waits = || !cuts_of_divisions(state, rules).waiting.is_empty();
    match (is_counted, is_over, has_cut) {
        (true, true, true) => "pair the cut".into(),
        // A file does not say of which division a planned cut is: behind Swiss rounds each may have one.
        (true, true, false) if phase.kind == PhaseKind::Swiss => {
            "pair the cut, or end the tournament,".into()
        }
        (true, true, false) if waits() => "end the tournament, or pair the next cut,".into(),
        (true, true, false) => "end the tournament".into(),
        (false, true, false) => format!("{round}, or end the tournament,"),
        (false, _, true) => format!("{round} or the cut"),
        _ => round,
    }
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

/// The divisions that have played their rounds before this one of a phase, each with how many.
pub fn played_out_divisions(state: &Tournament, phase: u16, phase_round: u16) -> Vec<(&str, u16)> {
    let done = |player: &&Player| {
        !player.withdrawn && state.has_played_its_rounds(player, phase, phase_round)
    };
    let of: Vec<&str> = state
        .players()
        .iter()
        .filter(done)
        .filter_map(|player| player.division.as_deref())
        .collect();
    state.division_rounds().filter(|(name, _)| of.contains(name)).collect()
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

/// The cuts of divisions that are still to come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutsOfDivisions<'a> {
    /// The divisions that have had none.
    pub waiting: Vec<WithoutCut<'a>>,
    /// Whether divisions have cuts of their own, or the one that was made may have been one of all.
    pub is_sure: bool,
}

/// The divisions that wait for a cut of their own: they are paired apart, or others had theirs.
pub fn cuts_of_divisions<'a>(state: &'a Tournament, rules: &Arc<Ruleset>) -> CutsOfDivisions<'a> {
    let apart = state.divisions_paired().apart;
    let had: Vec<(&Phase, &str)> =
        cuts(state).filter_map(|cut| Some((cut, division_of_phase(state, cut)?))).collect();
    let is_sure = apart
        || match &had[..] {
            [] => return CutsOfDivisions::default(),
            [(cut, division), others @ ..] => {
                others.iter().any(|(_, other)| other != division)
                    || went_by_division(state, rules, cut, division)
            }
        };
    CutsOfDivisions { waiting: divisions_without_cut(state), is_sure }
}

/// The phases that began with a cut.
fn cuts(state: &Tournament) -> impl Iterator<Item = &Phase> {
    state.phases().iter().filter(|phase| !phase.withdrawn && phase.number > 1)
}

/// Whether a cut to players of one division cannot have been one of everybody: somebody of another stood above
/// one of them, was here, and did not decline.
fn went_by_division(state: &Tournament, rules: &Arc<Ruleset>, cut: &Phase, division: &str) -> bool {
    let before = state.rounds().iter().filter(|round| round.phase < cut.number && !round.withdrawn);
    let through = before.map(|round| round.number).max();
    let scope = Scope { through, final_order: Some(true) };
    let Ok(standings) = Standings::of(state, rules, scope, Detail::Order) else { return false };
    let enters = |row: &Row| cut.entrants.contains(&row.player);
    let last = standings.rows.iter().rposition(enters).unwrap_or(0);
    standings.rows[..last].iter().any(|row| {
        let player = state.player(row.player);
        let player = player.filter(|player| player.takes_part_in(standings.through + 1));
        let is_other = player.is_some_and(|one| one.division.as_deref() != Some(division));
        is_other && !cut.passed_over.contains(&row.player)
    })
}

/// The divisions that have had no cut, where none was one of everybody.
pub fn divisions_without_cut(state: &Tournament) -> Vec<WithoutCut<'_>> {
    if cuts(state).any(|cut| division_of_phase(state, cut).is_none()) {
        return Vec::new();
    }
    let planned = state.opened().and_then(|opened| opened.plan.get(1)?.players);
    let next = state.next_round_number();
    let waiting = divisions(state).into_iter().filter_map(|name| {
        let of = |player: &&Player| player.division.as_deref() == Some(name);
        let here = state.players().iter().filter(|player| player.takes_part_in(next));
        let here: Vec<u32> = here.filter(of).map(|player| player.number).collect();
        let had_one = cuts(state).any(|cut| division_of_phase(state, cut) == Some(name));
        let many = here.len() as u32;
        let usual = || [8, 4, 2].into_iter().find(|top| top * 2 <= many).unwrap_or(2);
        let top = planned.filter(|top| *top <= many).unwrap_or_else(usual);
        (many > 1 && !had_one).then_some(WithoutCut { name, top })
    });
    waiting.collect()
}

/// The other program in which an imported tournament is played, as a person calls it.
pub fn program_of(imported: &Imported) -> &'static str {
    match &imported.format[..] {
        "tdf" => "TOM",
        "opengotha xml" => "OpenGotha",
        "macmahon xml" => "MacMahon",
        "swiss-manager tunx" => "Swiss-Manager",
        _ => "the other program",
    }
}

/// What brings the next round of a tournament that is played in another program.
fn paired_elsewhere(state: &Tournament) -> String {
    let program = state.imported().map_or("the other program", program_of);
    let round = state.next_round_number();
    format!(
        "scrutineer import <file>   (round {round} is paired in {program}; save it there first)"
    )
}

/// Pairing the next round: by the engine that paired the one before, where none is here that does it by itself;
/// where it is played in another program, there.
fn pair_as_before(at: &AtDesk<'_>, state: &Tournament) -> String {
    if state.imported().is_some() {
        return paired_elsewhere(state);
    }
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

/// The same, and somebody won each match of the last round.
pub fn is_decided(state: &Tournament, rules: &Arc<Ruleset>) -> bool {
    played_out(state, rules) && won(state, rules).is_ok()
}

/// Whether somebody won each match of the last round. What is played in another program is decided there.
fn won(state: &Tournament, rules: &Ruleset) -> Result<(), PairingError> {
    match state.imported() {
        None => decided(state, rules),
        Some(_) => Ok(()),
    }
}

/// What the draw would say if the round that is being played were completed.
fn after_round(state: &Tournament, rules: &Arc<Ruleset>) -> Result<PairedRound, PairingError> {
    let mut after = state.clone();
    if let Some(open) = open_round(state) {
        after.evolve(&RoundCompleted { round: open.number }.into());
    }
    next_round(&after, rules, &[0; 32], b"")
}

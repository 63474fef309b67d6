//! `pairings`: where everybody sits, and the results so far.

use super::sheet::{Sheet, of_displaced, of_old_cut, of_old_points};
use super::{AtDesk, Told, When, dated, load, no_such_round, scope, seats};
use crate::answers::{Dated, PairingsAnswer, Unseated};
use crate::desk::{DeskError, Objection, without_seat};
use crate::glance::postponed_in;
use crate::horizon::is_out;
use crate::names::Names;
use crate::signed::foot;
use crate::verb_error::VerbError;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::{Round, Tournament};
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_projections::timeline::paired_by_engine;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::trust::history::History;

/// In which order pairings are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedBy {
    /// Table by table.
    Table,
    /// By name.
    Name,
}

/// A round that is told: its sheet, the same for programs, and who has no table.
pub struct RoundTold {
    sheet: Sheet,
    names: Names,
    /// The answer for programs.
    pub answer: PairingsAnswer,
    without: Vec<(PlayerNumber, RoundNumber)>,
}

/// Says how a round stands of which so many results are missing.
pub fn how_it_stands(state: &Tournament, round: &Round, missing: u32) -> String {
    match (missing, round.completed, is_out(state, round)) {
        (0, Some(_), _) => "completed".into(),
        (0, None, _) => match postponed_in(state, round.number) {
            0 => "every result is in".into(),
            later => format!("every result is in, {later} postponed"),
        },
        (_, _, false) => "not published".into(),
        (1, _, _) => "1 result is missing".into(),
        (missing, _, _) => format!("{missing} results are missing"),
    }
}

/// Returns a round as it is told, or the last one up to `through`.
///
/// # Errors
/// Where there is no such round.
pub fn round_told(
    event: &LoadedTournament,
    rules: &Ruleset,
    round: Option<RoundNumber>,
    through: Option<RoundNumber>,
) -> Result<RoundTold, VerbError> {
    let state = &event.state;
    let names = Names::of(state, &event.book);
    let last = state.last_round().map(|last| last.number);
    let last = through.or(last).ok_or(DeskError::from(Objection::NoRound))?;
    let number = round.unwrap_or(last);
    let Some(round) = state.round(number).filter(|round| round.number <= last) else {
        return Err(no_such_round(number, last));
    };
    let sheet = Sheet::of(state, rules, number).as_paired(event);
    let status = how_it_stands(state, round, round.open_matches);
    let without = match round.completed {
        None => without_seat(state, number),
        Some(_) => Vec::new(),
    };
    let (tables, byes) = sheet.answered(&names);
    let unseated = |&(n, from_round)| Unseated { player: names.player(n), from_round };
    let answer = PairingsAnswer {
        verb: "pairings",
        round: number,
        called: sheet.called.clone(),
        status,
        engine: paired_by_engine(round),
        missing: round.open_matches,
        published: is_out(state, round),
        completed: round.completed.is_some(),
        tables,
        byes,
        unpaired: without.iter().map(unseated).collect(),
    };
    Ok(RoundTold { sheet, names, answer, without })
}

/// Prints a round's tables.
pub fn pairings(
    at: &AtDesk<'_>,
    round: Option<u16>,
    by: ListedBy,
    when: &When,
) -> Result<Told, VerbError> {
    // With its log: the points are those that the round was paired by.
    let event = load(at.store, at.desk.stream(), when.as_of, true)?;
    let through = scope(&event.state, when.through)?.through;
    let rules = at.desk.rules(&event.state)?;
    let RoundTold { sheet, names, answer, without } = round_told(&event, &rules, round, through)?;
    let table = match by {
        ListedBy::Table => sheet.by_table(&names),
        ListedBy::Name => sheet.by_name(&names),
    };
    let mut text = format!("{}, {}\n{table}", sheet.head(), answer.status);
    if let Some(engine) = &answer.engine {
        text.push_str(&format!("paired by {engine}\n"));
    }
    if !without.is_empty() {
        text.push_str(&format!(
            "without a table: {}\n",
            seats::told(&names, answer.round, &without)
        ));
    }
    let history = || History::read(at.store.log(), event.stream).ok();
    let (foot, note) = foot(at.store, &event, history);
    text.push_str(&foot);
    let list = |players: &[PlayerNumber]| names.list(players, ", ");
    let old = (!answer.published).then(|| of_old_points(&event, &rules, list)).flatten();
    let old = old.map(|old| format!("{old}; `pair --again` pairs it anew"));
    let old = old.or_else(|| of_old_cut(&event, list));
    let is_last = event.state.last_round().is_some_and(|last| last.number == answer.round);
    let wrong = match is_last {
        true => of_displaced(&event.state, &rules, &names, |typed| at.command(typed)),
        false => Vec::new(),
    };
    Ok(Told {
        notes: note.into_iter().chain(old).chain(wrong).collect(),
        ..Told::only(dated(&event, text), Dated::of(&event, answer))
    })
}

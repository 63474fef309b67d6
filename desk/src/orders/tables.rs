//! `repair`, `set-pairing`: tables of a round that is paired are changed.

use super::order::{Repair, SetPairing};
use super::{AtDesk, Told, next, seats};
use crate::answers::{Moved, NewTable, RepairAnswer};
use crate::desk::{Done, Repaired, displaced, open_round};
use crate::names::Names;
use crate::verb_error::VerbError;
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::running_phase;
use std::collections::BTreeMap;

/// Pairs anew what is out of order.
pub fn repair(at: &AtDesk<'_>, order: &Repair) -> Result<Told, VerbError> {
    let names = at.names()?;
    let mut out = Vec::new();
    for typed in &order.out {
        out.push(names.find(typed)?);
    }
    let before = at.state()?;
    let repaired = at.desk.repair(&out, &order.tables, &order.reason);
    let (repaired, done) = repaired.map_err(|error| {
        let mut fail = at.refused(&names, error);
        if let Some(open) = open_round(&before).filter(|_| fail.code == "nothing-to-repair")
            && let Some(note) = seats::note(at, &before, &names, open.number)
        {
            fail.message.push_str(&format!("; {note}"));
        }
        fail
    })?;
    told(at, "repair", &names, &out, &before, &repaired, &done)
}

/// Seats players by hand.
pub fn set(at: &AtDesk<'_>, order: &SetPairing) -> Result<Told, VerbError> {
    let names = at.names()?;
    let mut players = Vec::new();
    for typed in &order.players {
        players.push(names.find(typed)?);
    }
    let before = at.state()?;
    let set = at.desk.set_pairing(&players, order.table, &order.reason);
    let (repaired, done) = set.map_err(|error| at.refused(&names, error))?;
    let mut told = told(at, "set-pairing", &names, &[], &before, &repaired, &done)?;
    let after = at.state()?;
    told.notes.extend(not_in_the_bracket(&before, &after, &names, &players));
    Ok(told)
}

/// What is typed where somebody sits in the last round of a bracket and lost by a correction: it seats
/// who won instead.
pub fn to_seat(at: &AtDesk<'_>, state: &Tournament) -> Result<Option<String>, VerbError> {
    if state.is_removed() || !is_in_bracket(state) {
        return Ok(None);
    }
    let rules = at.desk.rules(state)?;
    // Once they have played there, nobody is seated in their place.
    let wrong = displaced(state, &rules).into_iter().find(|one| !one.is_played);
    let Some(wrong) = wrong else { return Ok(None) };
    let names = at.names()?;
    let (winner, loser) = (names.name(wrong.winner), names.name(wrong.loser));
    let opponent = wrong.opponent.map_or(String::new(), |one| format!(" {:?}", names.name(one)));
    let set = at.command(&format!("set-pairing {winner:?}{opponent} --reason <why>"));
    Ok(Some(format!("{set}   ({winner} won the match of {loser})")))
}

fn is_in_bracket(state: &Tournament) -> bool {
    running_phase(state).is_some_and(|phase| phase.kind.is_bracket())
}

/// That somebody is seated in a bracket into which they did not come, and in whose place they play on.
fn not_in_the_bracket(
    before: &Tournament,
    after: &Tournament,
    names: &Names,
    players: &[u32],
) -> Option<String> {
    let phase = before.phase_of(open_round(before)?).filter(|phase| phase.kind.is_bracket())?;
    let (was, is) = (before.field(phase), after.field(phase));
    let is_new = |player: &u32| !phase.entrants.contains(player) && !was.contains(player);
    let others: Vec<u32> = players.iter().copied().filter(is_new).collect();
    let out = was.iter().zip(is.iter()).find(|(was, is)| was != is).map(|(was, _)| *was);
    let place = out.map_or(String::new(), |out| {
        format!(" in the place of {}, who is out of it", names.name(out))
    });
    let (who, kind) = (names.list(&others, " and "), phase.kind.spelled());
    let now = format!("{who} did not come into the {kind} and plays in it now{place}");
    (!others.is_empty()).then(|| format!("LOOK: {now}; `undo` takes this back"))
}

fn told(
    at: &AtDesk<'_>,
    verb: &'static str,
    names: &Names,
    out: &[u32],
    before: &Tournament,
    repaired: &Repaired,
    done: &Done,
) -> Result<Told, VerbError> {
    let state = at.state()?;
    let mut text = String::new();
    if !out.is_empty() {
        text.push_str(&format!("out: {}\n", names.list(out, ", ")));
    }
    for (table, seats) in &repaired.tables {
        text.push_str(&format!("table {table}: {}\n", names.against(seats)));
    }
    for &player in &repaired.byes {
        text.push_str(&format!("{} has the bye\n", names.name(player)));
    }
    let moved = moved(before, &state, out);
    if !moved.is_empty() {
        let place = |was: &Option<u32>| match was {
            Some(table) => format!("from table {table}"),
            None => "had the bye".into(),
        };
        let who = moved.iter().map(|(n, was)| format!("{} ({})", names.name(*n), place(was)));
        text.push_str(&format!("moved: {}\n", who.collect::<Vec<_>>().join(", ")));
    }
    if !repaired.unpaired.is_empty() {
        let who = names.list(&repaired.unpaired, ", ");
        text.push_str(&format!("without a table now: {who}\n"));
    }
    let table = |(table, seats): &(u32, Vec<u32>)| NewTable {
        table: *table,
        players: names.players(seats),
    };
    let moved = moved.iter().map(|&(n, from_table)| Moved { player: names.player(n), from_table });
    let answer = RepairAnswer {
        verb,
        out: names.players(out),
        tables: repaired.tables.iter().map(table).collect(),
        byes: names.players(&repaired.byes),
        moved: moved.collect(),
        unpaired: names.players(&repaired.unpaired),
    };
    // A repair seats nobody in a bracket, or where another program pairs.
    let is_none = repaired.unpaired.is_empty() || is_in_bracket(&state);
    let next = match is_none || state.imported().is_some() {
        true => next::step(at, &state)?,
        false => at.command("repair --reason <why>"),
    };
    Ok(Told::of(done, text, answer).next(next))
}

/// Who had a place in the round that is being played and has another one now, each with the table
/// at which they sat; none: they had the bye.
fn moved(before: &Tournament, after: &Tournament, out: &[u32]) -> Vec<(u32, Option<u32>)> {
    let (was, is) = (places(before), places(after));
    let moved = was.into_iter().filter(|(player, place)| {
        !out.contains(player) && is.get(player).is_some_and(|now| now != place)
    });
    moved.collect()
}

/// Where everybody sits in the round that is being played; none: a bye.
fn places(state: &Tournament) -> BTreeMap<u32, Option<u32>> {
    let Some(open) = open_round(state).map(|open| open.number) else { return BTreeMap::new() };
    let tables = state.matches().filter(|found| found.round().number == open);
    let seats = tables.flat_map(|m| m.seats().iter().map(move |seat| (seat.player, m.table())));
    let byes = state.byes().filter(|bye| state.rounds()[bye.round as usize].number == open);
    seats.chain(byes.map(|bye| (bye.player, None))).collect()
}

//! `pair`, `publish`: a round is drawn and shown.

use super::claims::paired_unseen;
use super::disputes::notes as of_disputes;
use super::enroll::suggestion;
use super::hall::shared_tables;
use super::next::{is_apart, is_for_engine, played_out_divisions};
use super::order::{HowDivided, Pair};
use super::sheet::{Sheet, of_displaced, of_old_cut, of_old_points};
use super::{AtDesk, Told, load, seats};
use crate::answers::{PairAnswer, PublishAnswer};
use crate::desk::{Divided, Divisions, open_round, suggested, waiting};
use crate::horizon::is_out;
use crate::names::Names;
use crate::pairing_engine::PairingEngine;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{PairingReason, PhaseKind, PlayerNumber, RoundNumber};
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::record::to_hex as hex;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::tournament::{Bye, Tournament};
use scrutineer_pairing::{PairedRound, Parts, robin, running_phase};
use scrutineer_projections::bracket_rounds::round_in_words;
use scrutineer_projections::counted;
use scrutineer_projections::ruleset::called;
use scrutineer_projections::timeline::paired_by_engine;

/// The word for pairing without the engine that a server has.
pub const NO_ENGINE: &str = "none";

/// Draws the next round.
pub fn pair(at: &AtDesk<'_>, order: &Pair) -> Result<Told, VerbError> {
    let names = at.names()?;
    let refused = |error| at.refused(&names, error);
    let before = at.state()?;
    let dice = order.dice.as_deref().map(str::as_bytes);
    let divisions = match (order.divisions, &order.merge[..]) {
        (None, []) => None,
        (Some(HowDivided::Together), []) => Some(Divisions::Together),
        (Some(HowDivided::Together), _) => {
            let rejection = CommandError::from(Rejection::NothingMerged);
            return Err(refused(rejection.into()));
        }
        (_, merge) => {
            let group = |typed: &String| typed.split(',').map(|one| one.trim().into()).collect();
            Some(Divisions::Apart(merge.iter().map(group).collect()))
        }
    };
    let divided = Divided { how: divisions, rounds: rounds_of_divisions(&order.rounds)? };
    if !order.further && !order.again {
        at.desk.within_plan(&divided).map_err(refused)?;
    }
    let paired = at
        .desk
        .pair_divided(engine(at, order, &before)?, dice, order.again, &divided)
        .map_err(|error| {
            let mut fail = refused(error);
            if let Some(open) = open_round(&before).filter(|_| fail.code == "already-paired") {
                fail.message.extend(
                    seats::note(at, &before, &names, open.number).map(|n| format!("; {n}")),
                );
            }
            fail
        })?;
    let state = at.state()?;
    let rules = at.desk.rules(&state)?;
    let mut sheet = Sheet::of(&state, &rules, paired.round);
    for (row, drawn) in sheet.tables.iter_mut().zip(&paired.drawn.tables) {
        if row.remark.is_empty() && is_unusual(drawn.because) {
            row.remark = drawn.because.to_string();
        }
    }
    let method = method(&state, paired.round);
    let apart = if is_apart(&state) { ", divisions apart" } else { "" };
    let text = format!("{}\n{}{method}{apart}\n", sheet.head(), sheet.by_table(&names));
    let (tables, byes) = sheet.answered(&names);
    let drawn = state.round(paired.round).and_then(|round| round.drawn.clone());
    let answer = PairAnswer {
        verb: "pair",
        round: paired.round,
        called: sheet.called.clone(),
        tables,
        byes,
        apart: is_apart(&state),
        method: paired.drawn.method.to_string(),
        version: paired.drawn.version,
        engine: state.round(paired.round).and_then(paired_by_engine),
        seed_number: drawn.as_ref().map(|used| used.draw),
        seed: drawn.as_ref().map(|used| hex(&used.seed)),
    };
    let mut told = Told::of(&paired.done, text, answer).next(at.command("publish"));
    told.notes = warnings(&state, &names, &paired.drawn, paired.round);
    told.notes.extend(seats::note(at, &state, &names, paired.round));
    told.notes.extend(shared_tables(&state, &names, |_| true));
    told.notes.extend(of_disputes(&state));
    told.notes.extend(absent(at, &state, &names, paired.round));
    if paired.round == 1 {
        told.notes.extend(suggestion(at, &state)?.lines().map(str::to_string));
    }
    told.notes.extend(alone(&state, &names, paired.round));
    told.notes.extend(divisions_done(&state, paired.round));
    told.notes.extend(beyond_the_schedule(&state, paired.round));
    let phase = running_phase(&state).map(|phase| phase.number);
    let usual = suggested(&rules, &state).filter(|_| phase == Some(1));
    if let Some(row) = usual.filter(|row| paired.round > row.rounds) {
        let rounds = row.rounds;
        told.notes.push(format!(
            "round {} of {rounds} that {} suggests",
            paired.round,
            called(&rules.files)
        ));
    }
    let was = Sheet::of(&before, &rules, paired.round);
    if order.again && was.same_tables(&Sheet::of(&state, &rules, paired.round)) {
        told.notes.push("the same tables: it uses its seed again, and nobody came or went".into());
    }
    Ok(told)
}

/// How many rounds divisions play, as it is typed: `junior=4,senior=6`, `junior=all`.
fn rounds_of_divisions(typed: &[String]) -> Result<Vec<(String, Option<u16>)>, VerbError> {
    let one = |typed: &str| {
        let (division, rounds) = typed.rsplit_once('=')?;
        let rounds = match rounds.trim() {
            word if word.eq_ignore_ascii_case("all") => None,
            number => Some(number.parse().ok()?),
        };
        Some((division.trim().to_string(), rounds))
    };
    let parts = typed.iter().flat_map(|typed| typed.split(',')).map(str::trim);
    let read = parts.filter(|part| !part.is_empty()).map(|part| {
        one(part).ok_or_else(|| {
            VerbError::new(
                Code::invalid("bad-phase"),
                format!("{part:?} is no division with its number of rounds"),
                "write it like `pair --rounds junior=4`; `junior=all` plays as many as everybody",
            )
        })
    });
    read.collect()
}

/// The divisions that have played their rounds before this one.
fn divisions_done(state: &Tournament, round: RoundNumber) -> Vec<String> {
    let Some(round) = state.round(round) else { return Vec::new() };
    let done = played_out_divisions(state, round.phase, round.phase_round);
    let told = done.into_iter().map(|(name, rounds)| {
        format!("{name} has played its {}, and is not paired", counted(rounds, "round"))
    });
    told.collect()
}

/// The engine that pairs: the one that is named, which has to be the one that is there; otherwise that one, where
/// it can.
fn engine<'a>(
    at: &'a AtDesk<'_>,
    order: &Pair,
    state: &Tournament,
) -> Result<Option<&'a PairingEngine>, VerbError> {
    let own = at.asker.engine.as_deref();
    let typed = order.engine.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
    let Some(typed) = typed else {
        let is_apart =
            matches!(order.divisions, Some(HowDivided::Apart)) || !order.merge.is_empty();
        return Ok(own.filter(|_| is_for_engine(state) && !is_apart));
    };
    if typed.eq_ignore_ascii_case(NO_ENGINE) {
        return Ok(None);
    }
    let is_it = |own: &&PairingEngine| {
        [&own.name, &own.called()].iter().any(|called| called.eq_ignore_ascii_case(typed))
    };
    own.filter(is_it).map(Some).ok_or_else(|| {
        let there = own.map_or("none".into(), PairingEngine::called);
        VerbError::new(
            Code::not_found("no-such-engine"),
            format!("there is no pairing engine {typed:?} here; there is {there}"),
            "the engine is named where the server is started: `scrutineer serve --engine <command>`",
        )
    })
}

/// Who is alone in their division, where divisions are paired apart: there is nobody for them to meet.
pub fn alone_in_division(state: &Tournament, round: RoundNumber) -> Vec<PlayerNumber> {
    let Some(phase) = running_phase(state).filter(|_| is_apart(state)) else { return Vec::new() };
    let phase_round = state.round(round).map_or(0, |round| round.phase_round);
    let here = state.players().iter().filter(|player| {
        player.takes_part_in(round)
            && !state.has_played_its_rounds(player, phase.number, phase_round)
    });
    let here: Vec<u32> = here.map(|player| player.number).collect();
    let parts = Parts::of(state, phase).split(&here);
    let alone = parts.iter().filter_map(|part| match part[..] {
        [player] => Some(player),
        _ => None,
    });
    alone.collect()
}

/// The same in words, with what to do.
fn alone(state: &Tournament, names: &Names, round: RoundNumber) -> Vec<String> {
    let merge = "`pair --again --by-division --merge <division>,<division>` pairs two as one";
    let told = |player: PlayerNumber| {
        let division = state.player(player).and_then(|player| player.division.as_deref());
        let of = division.map_or("without a division".into(), |name| format!("in {name}"));
        format!("{} is alone {of}, so they have a bye: {merge}", names.name(player))
    };
    alone_in_division(state, round).into_iter().map(told).collect()
}

/// Who sits in a round, or has a bye, and has not checked in, where others have.
fn absent(
    at: &AtDesk<'_>,
    state: &Tournament,
    names: &Names,
    round: RoundNumber,
) -> Option<String> {
    let absent = paired_unseen(state, round);
    let [first, ..] = absent[..] else { return None };
    let who = names.list(&absent, ", ");
    let drop = at.command(&format!("drop {first} --no-show"));
    Some(format!("paired without having checked in: {who}; who is not there: `{drop}`"))
}

/// That a round robin is planned with other rounds than it takes: said when it begins, and before
/// the first rematch.
fn beyond_the_schedule(state: &Tournament, round: RoundNumber) -> Option<String> {
    let phase = running_phase(state).filter(|phase| phase.kind == PhaseKind::RoundRobin)?;
    let plan = &state.opened()?.plan;
    let planned = u32::from(plan.get(usize::from(phase.number) - 1)?.rounds?);
    let players = phase.entrants.len() as u32;
    let cycle = robin::rounds(players);
    let number = u32::from(state.round(round)?.phase_round);
    let is_time = number == 1 || number == cycle + 1;
    (is_time && planned != cycle && planned != 2 * cycle).then(|| match planned > cycle {
        true => format!(
            "{planned} rounds are planned, and {players} players have all met after {cycle}: from \
             round {} on they meet again; `cut` or `close` ends the phase before",
            cycle + 1
        ),
        false => format!(
            "{planned} rounds are planned, and {players} players take {cycle} until all have met"
        ),
    })
}

/// Reasons that a scorekeeper is asked about.
fn is_unusual(because: PairingReason) -> bool {
    use PairingReason::*;
    matches!(because, OddGroup | RematchAvoided | RematchUnavoidable | Colors)
}

/// By which method a round was drawn, and from which seed.
fn method(state: &Tournament, round: RoundNumber) -> String {
    let found = state.round(round);
    let used = found.and_then(|round| round.drawn.as_ref());
    let engine = found.and_then(paired_by_engine);
    used.map_or("set by hand".into(), |used| {
        let dice = if used.dice.is_some() { " and public dice" } else { "" };
        let seed: String = hex(&used.seed).chars().take(8).collect();
        if let Some(engine) = engine {
            return format!("paired by {engine}, with seed {} ({seed}…){dice}", used.draw);
        }
        format!(
            "paired by {} {} from seed {} ({seed}…){dice}",
            used.method, used.version, used.draw
        )
    })
}

fn warnings(
    state: &Tournament,
    names: &Names,
    drawn: &PairedRound,
    round: RoundNumber,
) -> Vec<String> {
    let mut notes = Vec::new();
    for (table, at) in (1..).zip(&drawn.tables) {
        let seats: Vec<u32> = at.seats.iter().map(|seat| seat.player).collect();
        if at.because == PairingReason::RematchUnavoidable {
            let who = names.against(&seats);
            notes.push(format!("table {table}: {who} is a rematch: nobody else was left"));
        }
        let found = state.at_table(round, table);
        for penalty in found.map(|found| waiting(state, found)).unwrap_or_default() {
            let who = names.name(penalty.player);
            notes.push(format!("table {table}: {who} has a {} waiting", penalty.kind));
        }
    }
    let had_one = |player| {
        let before = |bye: &&Bye| state.rounds()[bye.round as usize].number < round;
        state.byes().filter(before).any(|bye| bye.player == player)
    };
    let everybody = drawn.tables.iter().flat_map(|at| &at.seats).all(|seat| had_one(seat.player));
    for bye in drawn.byes.iter().filter(|bye| bye.because == PairingReason::SecondByeUnavoidable) {
        let who = names.name(bye.player);
        let why = match everybody {
            true => "everybody has had one",
            false => "nobody else could be spared without a rematch",
        };
        notes.push(format!("{who} has a second bye: {why}"));
    }
    notes
}

/// As [`of_old_points`], of the tournament at this desk.
pub fn draft_of_old_points(
    at: &AtDesk<'_>,
    state: &Tournament,
) -> Result<Option<String>, VerbError> {
    // Its log is read only where there is a draft that could be an old one.
    let is_draft = state.last_round().is_some_and(|last| last.number > 1 && !is_out(state, last));
    if !is_draft {
        return Ok(None);
    }
    let event = load(at.store, at.desk.stream(), None, true)?;
    let names = Names::of(&event.state, &event.book);
    let rules = at.desk.rules(&event.state)?;
    Ok(of_old_points(&event, &rules, |players| names.list(players, ", ")))
}

/// As [`of_old_cut`], of the tournament at this desk, whose next round is a draft of a bracket.
fn draft_of_old_cut(at: &AtDesk<'_>, state: &Tournament) -> Result<Option<String>, VerbError> {
    let draft = state.last_round().filter(|last| !is_out(state, last));
    let phase = draft.and_then(|draft| state.phase_of(draft));
    if phase.is_none_or(|phase| phase.number < 2) {
        return Ok(None);
    }
    let event = load(at.store, at.desk.stream(), None, true)?;
    let names = Names::of(&event.state, &event.book);
    Ok(of_old_cut(&event, |players| names.list(players, ", ")))
}

/// Shows players the pairings.
pub fn publish(at: &AtDesk<'_>) -> Result<Told, VerbError> {
    let names = at.names()?;
    let before = at.state()?;
    let back = "`undo` takes this back, then `pair --again` pairs it anew";
    let old = draft_of_old_points(at, &before)?.map(|old| format!("{old}; {back}"));
    let of_cut = draft_of_old_cut(at, &before)?;
    let done = at.desk.publish().map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let round = state.last_round().map_or(0, |last| last.number);
    let text = format!("the pairings of {} are out\n", round_in_words(&state, round));
    let mut told = Told::of(&done, text, PublishAnswer { verb: "publish", round });
    told.notes.extend(old.into_iter().chain(of_cut).map(|old| format!("LOOK: {old}")));
    let rules = at.desk.rules(&state)?;
    told.notes.extend(of_displaced(&state, &rules, &names, |typed| at.command(typed)));
    let next = format!("{}   (reads slips; or one: result 1 2-0)", at.command("result"));
    Ok(told.next(next))
}

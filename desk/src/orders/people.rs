//! `drop`, `reinstate`, `disqualify`, `penalty`: what becomes of a player.

use super::hall::{as_it_is_paired, shared_tables};
use super::is_played;
use super::order::{
    Bye, Describe, Disqualify, Drop, Penalty, Reinstate, Rename, SetDivision, Takes,
};
use super::{AtDesk, Told, seats};
use crate::answers::{
    ByeAnswer, DescribeAnswer, DropAnswer, PenaltyAnswer, Player, ReinstateAnswer, RenameAnswer,
    SetDivisionAnswer,
};
use crate::desk::{Description, Done, open_round};
use crate::names::Names;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{ByeKind, DropReason, Event, PlayerNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::running_phase;
use scrutineer_projections::timeline::{described, identified, rated};
use scrutineer_replay::loaded::text_or;

/// Whether a player sits at a table of the open round that has no result.
fn plays(state: &Tournament, player: PlayerNumber) -> Option<u32> {
    let open = open_round(state)?;
    let sits = |found: &scrutineer_engine::tournament::MatchView<'_>| {
        let here = found.seats().iter().any(|seat| seat.player == player);
        found.round().number == open.number && found.result().is_none() && here
    };
    state.matches().find(sits)?.table()
}

/// A player leaves.
pub fn leave(at: &AtDesk<'_>, order: &Drop) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let why = if order.no_show { DropReason::NoShow } else { DropReason::Left };
    let done = at.desk.drop_player(number, why);
    let done = done.map_err(|error| at.refused(&names, error))?;
    dropped(at, "drop", &names, number, &done)
}

fn dropped(
    at: &AtDesk<'_>,
    verb: &'static str,
    names: &Names,
    number: PlayerNumber,
    done: &Done,
) -> Result<Told, VerbError> {
    let state = at.state()?;
    let drop = state.player(number).and_then(|player| player.dropped());
    let how = match drop {
        Some((DropReason::NoShow, _)) => "is dropped as a no-show",
        Some((DropReason::Disqualified, _)) => "is disqualified",
        _ => "drops",
    };
    let after = match drop {
        Some((_, 0)) | None => "before round 1".to_string(),
        Some((_, round)) => format!("after round {round}"),
    };
    let lost = done.events.iter().any(|event| matches!(event, Event::ResultRecorded(_)));
    let rest = match (lost, plays(&state, number)) {
        (true, _) => ", their match goes to the opponent".to_string(),
        (_, Some(table)) => format!("; table {table} is still played"),
        _ => String::new(),
    };
    let text = format!("{} {how} {after}{rest}\n", names.name(number));
    let (player, after_round) = (names.player(number), drop.map(|(_, after)| after));
    Ok(Told::of(done, text, DropAnswer { verb, player, after_round, match_lost: lost }))
}

/// A player's name was misspelt.
pub fn rename(at: &AtDesk<'_>, order: &Rename) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let name = order.name.trim();
    let done = at.desk.rename(number, name, order.same_name, order.reason.as_deref());
    let done = done.map_err(|error| at.refused(&names, error))?;
    let (was, is) = (names.name(number), at.names()?.name(number));
    let text = format!("{was} is {is} from now on, everywhere\n");
    let player = Player { number, name: is };
    Ok(Told::of(&done, text, RenameAnswer { verb: "rename", player, was }))
}

/// A player's division was wrong.
pub fn set_division(at: &AtDesk<'_>, order: &SetDivision) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let before = at.state()?;
    let division = order.division.as_deref().map(str::trim).filter(|typed| !typed.is_empty());
    let can = match order.new_division {
        true => Ok(()),
        false => at.desk.can_have_divisions(division.into_iter()),
    };
    let done = can.and_then(|()| at.desk.set_division(number, division, &order.reason));
    let done = done.map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let of = |state: &Tournament| state.player(number).and_then(|one| one.division.clone());
    let (was, is) = (of(&before), of(&state));
    let called = |division: &Option<String>| match division {
        Some(division) => format!("of the division {division}"),
        None => "of no division".into(),
    };
    let (name, is_now, was_then) = (names.name(number), called(&is), called(&was));
    let text = format!("{name} is {is_now} from now on, and was {was_then}\n");
    let (player, verb) = (names.player(number), "set-division");
    let mut told = Told::of(&done, text, SetDivisionAnswer { verb, player, was, division: is });
    told.notes.extend(as_it_is_paired(&state).filter(|_| state.divisions_paired().apart));
    Ok(told)
}

/// A player's title, federation, rating or id was wrong, or was not known.
pub fn describe(at: &AtDesk<'_>, order: &Describe) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let said = Description {
        title: order.title.as_deref().map(str::trim),
        federation: order.federation.as_deref().map(str::trim),
        rating: order.rating.as_deref().map(|typed| rating(typed.trim())).transpose()?,
        id: order.id.as_deref().map(str::trim),
    };
    let done = at.desk.describe(number, &said);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let book = at.store.book_of(at.desk.stream(), &state)?;
    let told = (done.first_seq..).zip(&done.events).filter_map(|(seq, event)| match event {
        Event::PlayerDescribed(e) => Some(described(e)),
        Event::PlayerRated(e) => Some(rated(e.rating, state.rating_before(e.player, seq))),
        Event::PlayerIdCorrected(e) => {
            let id = e.publisher_id.map(|id| text_or(&book, &id, "(erased)"));
            Some(identified(id.as_deref()))
        }
        _ => None,
    });
    let told: Vec<String> = told.collect();
    let text = format!("{} {}\n", names.name(number), told.join(" and "));
    let known = state.player(number);
    let id = known.and_then(|one| one.publisher_id);
    let answer = DescribeAnswer {
        verb: "describe",
        player: names.player(number),
        title: known.and_then(|one| one.title.clone()),
        federation: known.and_then(|one| one.federation.clone()),
        rating: known.and_then(|one| one.rating),
        id: id.map(|id| text_or(&book, &id, "")).filter(|id| !id.is_empty()),
    };
    let mut told = Told::of(&done, text, answer);
    if order.rating.is_some() {
        told.notes.extend(unusual_ratings(&state, &names, &[number]));
    }
    Ok(told)
}

/// Ratings as they are in use; another one is taken, and told.
const USUAL_RATINGS: std::ops::RangeInclusive<i32> = 0..=4_000;

/// Who of these has a rating that looks like a slip.
pub(super) fn unusual_ratings(
    state: &Tournament,
    names: &Names,
    players: &[PlayerNumber],
) -> Option<String> {
    let rating = |player: &PlayerNumber| state.player(*player).and_then(|one| one.rating);
    let is_odd =
        |player: &&PlayerNumber| rating(player).is_some_and(|one| !USUAL_RATINGS.contains(&one));
    let mut odd = players.iter().filter(is_odd);
    let first = odd.next()?;
    let others = match odd.count() {
        0 => String::new(),
        more => format!(", as have {more} more"),
    };
    let (name, rating) = (names.name(*first), rating(first)?);
    Some(format!("{name} has the rating {rating}{others}: look whether it is typed right"))
}

/// A rating that was typed; none where nothing was: they have none.
fn rating(typed: &str) -> Result<Option<i32>, VerbError> {
    if typed.is_empty() {
        return Ok(None);
    }
    typed.parse().map(Some).map_err(|_| {
        let message = format!("the rating {typed:?} is no whole number");
        let hint = "type it in digits, such as 1912; where they have none, leave it empty";
        VerbError::new(Code::invalid("bad-rating"), message, hint)
    })
}

/// A player asks for a bye in a round to come, or plays in it after all.
pub fn bye(at: &AtDesk<'_>, order: &Bye) -> Result<Told, VerbError> {
    let names = at.names()?;
    let (number, round, kind) = (names.find(&order.player)?, order.round, order.kind.kind());
    let done = at.desk.request_bye(number, round, kind);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let name = names.name(number);
    let text = match kind {
        Some(ByeKind::Awarded) => format!("{name} has an awarded bye in round {round}\n"),
        Some(kind) => format!("{name} has a {kind} in round {round}\n"),
        None => format!("{name} plays in round {round}\n"),
    };
    let (player, kind) = (names.player(number), kind.map(|kind| kind.to_string()));
    let mut told = Told::of(&done, text, ByeAnswer { verb: "bye", player, round, kind });
    let state = at.state()?;
    let takes_part = state.player(number).is_some_and(|one| one.takes_part_in(round));
    if order.kind.kind().is_some() && !takes_part {
        told.notes.push(format!("{name} does not take part in round {round} as it stands"));
    }
    Ok(told)
}

/// A player is back.
pub fn reinstate(at: &AtDesk<'_>, order: &Reinstate) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let done = at.desk.reinstate(number, order.now, &order.reason);
    let done = done.map_err(|error| {
        let mut fail = at.refused(&names, error);
        if fail.code == "not-in-phase"
            && let Some(how) = at.state().ok().and_then(|state| begun_anew(at, &state))
        {
            fail.hint = Some(how.into());
        }
        fail
    })?;
    let from = done.events.iter().find_map(|event| match event {
        Event::PlayerReinstated(back) => Some(back.from_round),
        _ => None,
    });
    let name = names.name(number);
    let text = match from {
        Some(round) => format!("{name} is back from round {round}\n"),
        None => format!("{name} is back as if they had never left\n"),
    };
    let player = names.player(number);
    let answer = ReinstateAnswer { verb: "reinstate", player, from_round: from };
    let mut told = Told::of(&done, text, answer);
    let state = at.state()?;
    told.next = seats::bring_in(at, &state, &names).map(|next| next.replace('`', ""));
    told.notes.extend(shared_tables(&state, &names, |(_, keepers)| keepers.contains(&number)));
    if let Some(kind) = at.desk.shut_out_of(&state, number)? {
        let how = begun_anew(at, &state).map_or(String::new(), |how| format!("; {how}"));
        told.notes
            .push(format!("{name} is not in the {kind} phase, and no round of it seats them{how}"));
    }
    Ok(told)
}

/// What is typed so that the phase that is running begins anew, with who is here then; none: too
/// much of it is played.
pub fn begun_anew(at: &AtDesk<'_>, state: &Tournament) -> Option<String> {
    let phase = running_phase(state)?;
    let mut played = state.matches().filter(|found| found.round().phase == phase.number);
    if played.any(|found| found.result().is_some()) {
        return None;
    }
    let rounds = state.rounds().iter().filter(|r| r.phase == phase.number && !r.withdrawn);
    // A first phase begins in one command with its first round, a cut by itself.
    let mut undo: Vec<u64> = rounds.map(|round| round.opened).collect();
    if phase.number > 1 {
        undo.insert(0, phase.started);
    }
    let undo = undo
        .iter()
        .rev()
        .map(|seq| format!("`{}`", at.command(&format!("undo {seq} --reason <why>"))));
    let undo = undo.collect::<Vec<_>>().join(", then ");
    let anew = if phase.number > 1 { "make the cut anew" } else { "reinstate them and pair anew" };
    Some(format!("where that was wrong: {undo}, then {anew}"))
}

/// A player is disqualified.
pub fn disqualify(at: &AtDesk<'_>, order: &Disqualify) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let done = at.desk.disqualify(number, &order.reason);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let told = dropped(at, "disqualify", &names, number, &done)?;
    Ok(told.next(at.command("standings")))
}

/// A player is penalized.
pub fn penalty(at: &AtDesk<'_>, order: &Penalty) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let takes = order.takes.ok_or_else(|| {
        let hint = "a warning, a game-loss or a match-loss";
        VerbError::new(Code::invalid("bad-order"), "no penalty is named", hint)
    })?;
    if let Some(round) = order.round {
        is_played(&*at.state()?, round)?;
    }
    let kind = takes.into();
    let done = at.desk.penalise(number, kind, order.now, &order.reason);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let table = plays(&*at.state()?, number).filter(|_| order.now);
    let name = names.name(number);
    let when = match (takes, table) {
        (Takes::Warning, _) => String::new(),
        (_, Some(table)) => format!(" in the match at table {table}"),
        (_, None) => " in the next match".into(),
    };
    let text = format!("{name}: {kind}{when}\n");
    let (player, penalty) = (names.player(number), kind.to_string());
    let answer = PenaltyAnswer { verb: "penalty", player, penalty, table };
    Ok(Told::of(&done, text, answer))
}

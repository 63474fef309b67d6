//! `drop`, `reinstate`, `disqualify`, `penalty`: what becomes of a player.

use super::{AtDesk, Told, seats};
use crate::args::{DropPlayers, Penalty, Reinstate, Rename, WithReason};
use crate::error::CliError;
use crate::names::Names;
use crate::{Answer, Report};
use scrutineer_desk::answers::{DropAnswer, PenaltyAnswer, Player, ReinstateAnswer, RenameAnswer};
use scrutineer_desk::desk::{Done, open_round};
use scrutineer_engine::event::{DropReason, Event, PlayerNumber};
use scrutineer_engine::tournament::Tournament;
use scrutineer_pairing::running_phase;

/// Whether a player sits at a table of the open round that has no result.
fn plays(state: &Tournament, player: PlayerNumber) -> Option<u32> {
    let open = open_round(state)?;
    let sits = |found: &scrutineer_engine::tournament::MatchView<'_>| {
        let here = found.seats().iter().any(|seat| seat.player == player);
        found.round().number == open.number && found.result().is_none() && here
    };
    state.matches().find(sits)?.table()
}

/// Players leave; each by themselves, so that one who has left already does not stop the rest.
pub fn leave(at: &AtDesk<'_>, options: &DropPlayers) -> Result<Report, CliError> {
    let names = at.names()?;
    let mut who = Vec::new();
    for typed in &options.players {
        who.push(names.find(typed)?);
    }
    let why = if options.no_show { DropReason::NoShow } else { DropReason::Left };
    let (mut text, mut refused) = (String::new(), None);
    for number in who {
        match at.desk.drop_player(number, why) {
            Ok(done) => {
                let told = dropped(at, "drop", &names, number, &done)?;
                text.push_str(&at.answer(told).text);
            }
            Err(error) => {
                let fail = at.refused(&names, error);
                let alone = options.players.len() == 1 || at.is_trial;
                if alone || fail.code.kind.is_of_the_store() {
                    return Err(fail);
                }
                fail.print(at.session.json);
                refused = Some(fail);
            }
        }
    }
    let answer = refused.map_or(Answer::Yes, |_| Answer::No);
    Ok(Report { text, answer })
}

fn dropped(
    at: &AtDesk<'_>,
    verb: &'static str,
    names: &Names,
    number: PlayerNumber,
    done: &Done,
) -> Result<Told, CliError> {
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
pub fn rename(at: &AtDesk<'_>, options: &Rename) -> Result<Report, CliError> {
    let names = at.names()?;
    let number = names.find(&options.player)?;
    let name = options.name.trim();
    let done = at.desk.rename(number, name, options.same_name, options.reason.as_deref());
    let done = done.map_err(|error| at.refused(&names, error))?;
    let (was, is) = (names.name(number), at.names()?.name(number));
    let text = format!("{was} is {is} from now on, everywhere\n");
    let player = Player { number, name: is };
    Ok(at.answer(Told::of(&done, text, RenameAnswer { verb: "rename", player, was })))
}

/// A player is back.
pub fn reinstate(at: &AtDesk<'_>, options: &Reinstate) -> Result<Report, CliError> {
    let names = at.names()?;
    let number = names.find(&options.player)?;
    let done = at.desk.reinstate(number, options.now, &options.reason);
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
    if let Some(kind) = at.desk.shut_out_of(&state, number)? {
        let how = begun_anew(at, &state).map_or(String::new(), |how| format!("; {how}"));
        told.notes
            .push(format!("{name} is not in the {kind} phase, and no round of it seats them{how}"));
    }
    Ok(at.answer(told))
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
pub fn disqualify(at: &AtDesk<'_>, options: &WithReason) -> Result<Report, CliError> {
    let names = at.names()?;
    let number = names.find(&options.player)?;
    let done = at.desk.disqualify(number, &options.reason);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let told = dropped(at, "disqualify", &names, number, &done)?;
    Ok(at.answer(told.next(at.command("standings"))))
}

/// A player is penalized.
pub fn penalty(at: &AtDesk<'_>, options: &Penalty) -> Result<Report, CliError> {
    let names = at.names()?;
    let number = names.find(&options.player)?;
    let kind = options.takes.into();
    let done = at.desk.penalise(number, kind, options.now, &options.reason);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let table = plays(&*at.state()?, number).filter(|_| options.now);
    let name = names.name(number);
    let when = match (options.takes, table) {
        (crate::args::Takes::Warning, _) => String::new(),
        (_, Some(table)) => format!(" in the match at table {table}"),
        (_, None) => " in the next match".into(),
    };
    let text = format!("{name}: {kind}{when}\n");
    let (player, penalty) = (names.player(number), kind.to_string());
    let answer = PenaltyAnswer { verb: "penalty", player, penalty, table };
    Ok(at.answer(Told::of(&done, text, answer)))
}

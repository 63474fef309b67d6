//! `undo`: a whole command is taken back.

use super::hall::shared_tables;
use super::order::Undo;
use super::words::not_taken_back;
use super::{AtDesk, Told, next};
use crate::answers::{self, UndoAnswer};
use crate::desk::{DeskError, Undone};
use crate::verb_error::VerbError;
use scrutineer_engine::handler::CommandError;
use scrutineer_engine::rejection::Rejection;
use scrutineer_pairing::kept_twice;
use scrutineer_projections::timeline::sentence;
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::staff::Staff;
use std::collections::BTreeSet;

/// How many events are told one by one.
const TOLD: usize = 12;

/// Undoes a command, and says what it did.
pub fn undo(at: &AtDesk<'_>, order: &Undo) -> Result<Told, VerbError> {
    let names = at.names()?;
    // Before they are taken back their tables are still there to be named.
    let before = at.store.load(at.desk.stream(), true)?;
    let undone = match at.desk.undo(order.seq, order.reason.as_deref().unwrap_or("undone")) {
        Ok(undone) => undone,
        Err(error) => {
            let needed = match &error {
                DeskError::Refused(CommandError::Rejected(Rejection::StillNeeded {
                    by, ..
                })) => Some(*by),
                _ => None,
            };
            let stays = match &error {
                DeskError::Refused(CommandError::Rejected(Rejection::CannotWithdraw { seq })) => {
                    Some(*seq)
                }
                _ => None,
            };
            let mut fail = not_taken_back(at, &names, error)?;
            if fail.code == "cannot-withdraw" {
                let before_note = match order.seq {
                    None => at.desk.own_last()?.filter(|(_, last)| Some(*last) < stays),
                    Some(_) => None,
                };
                let hint = match before_note {
                    Some((first, _)) => {
                        let event = before.log.iter().find(|(header, _)| header.seq == first);
                        let what = event.map_or(String::new(), |(header, event)| {
                            sentence(&before.state, header.seq, event, &before)
                        });
                        let undo = at.command(&format!("undo {first}"));
                        format!("a note stays; `{undo}` takes back what you recorded before it: {what}")
                    }
                    None => "`scrutineer log` shows what came before: `undo <event>` undoes the command of \
                             that event"
                        .into(),
                };
                fail.hint = Some(hint.into());
            }
            if let Some(by) = needed {
                // What an undo put back is taken back by itself.
                let how = match at.desk.names_a_command(by)? {
                    true => format!("undo {by}"),
                    false => format!("withdraw {by} --reason <why>"),
                };
                fail.hint = Some(format!("take that back first: `{}`", at.command(&how)).into());
            }
            return Err(fail);
        }
    };
    let of_command = |seq: u64| (undone.first..=undone.last).contains(&seq);
    let logged = before.log.iter().filter(|(header, _)| of_command(header.seq));
    let all: Vec<(u64, String)> = logged
        .filter(|(header, _)| !undone.stays.contains(&header.seq))
        .map(|(header, event)| (header.seq, sentence(&before.state, header.seq, event, &before)))
        .collect();
    let mut text = match undone.first == undone.last {
        true => format!("undone, event {}:\n", undone.first),
        false => format!("undone, events {} to {}:\n", undone.first, undone.last),
    };
    for (_, what) in all.iter().take(TOLD) {
        text.push_str(&format!("  {what}\n"));
    }
    if all.len() > TOLD {
        text.push_str(&format!("  and {} more\n", all.len() - TOLD));
    }
    let answer = UndoAnswer {
        verb: "undo",
        undone_first: undone.first,
        undone_last: undone.last,
        undone: all.into_iter().map(|(seq, what)| answers::Undone { seq, what }).collect(),
        stays: undone.stays.clone(),
    };
    let state = at.state()?;
    let next = next::step(at, &state)?;
    let mut told = Told::of(&undone.done, text, answer).next(next);
    if order.seq.is_none() {
        told.notes.extend(newer_of_others(&before, &undone));
    }
    let known = kept_twice(&before.state);
    told.notes.extend(shared_tables(&state, &at.names()?, |one| !known.contains(one)));
    Ok(told)
}

/// That others recorded something since, which stays.
fn newer_of_others(before: &LoadedTournament, undone: &Undone) -> Option<String> {
    let own = before.log.iter().find(|(header, _)| header.seq == undone.first)?.0.actor;
    let staff = Staff::of(before);
    let newer = before.log.iter().map(|(header, _)| header);
    let newer = newer.filter(|header| header.seq > undone.last && header.actor != own);
    let who: BTreeSet<String> = newer.clone().map(|header| staff.who(header)).collect();
    let (first, last) = (newer.clone().map(|h| h.seq).min()?, newer.map(|h| h.seq).max()?);
    let who = who.into_iter().collect::<Vec<_>>().join(" and ");
    let events = match first == last {
        true => format!("event {first}"),
        false => format!("events {first} to {last}"),
    };
    Some(format!("newer commands by {who} stay ({events}); `undo <event>` takes one of them back"))
}

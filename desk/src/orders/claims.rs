//! `check-in`, `claim`, `note-score`, `name-staff`: what is said before a result is, and by whom.

use super::order::{CheckIn, Claim, NameStaff, NoteScore};
use super::slips::{seated, split, told};
use super::{AtDesk, Told};
use crate::answers::{CheckInAnswer, ClaimAnswer, NameStaffAnswer, NoteScoreAnswer};
use crate::claims::{agree, claims, is_said_by};
use crate::desk::{Spot, write_slip};
use crate::names::Names;
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_engine::tournament::{Player, Tournament};
use std::collections::BTreeSet;

/// Returns who takes part in a round and has not said that they are here, where anybody has. Whoever has
/// played is here.
pub fn not_here(state: &Tournament, round: u16) -> Vec<PlayerNumber> {
    let all = || state.players().iter().filter(|player| !player.withdrawn);
    if !all().any(|player| player.checked_in) {
        return Vec::new();
    }
    let played = state.matches().filter(|found| found.result().is_some());
    let played: BTreeSet<PlayerNumber> =
        played.flat_map(|found| found.seats().iter().map(|seat| seat.player)).collect();
    let misses = |player: &&Player| {
        player.takes_part_in(round) && !player.checked_in && !played.contains(&player.number)
    };
    all().filter(misses).map(|player| player.number).collect()
}

/// Of these, who sits in the round or has a bye in it.
pub fn paired_unseen(state: &Tournament, round: u16) -> Vec<PlayerNumber> {
    let mut unseen = not_here(state, round);
    if unseen.is_empty() {
        return unseen;
    }
    let of_round = state.matches().filter(|found| found.round().number == round);
    let seated = of_round.flat_map(|found| found.seats().iter().map(|seat| seat.player));
    let byes = state.byes().filter(|bye| state.rounds()[bye.round as usize].number == round);
    let paired: BTreeSet<PlayerNumber> = seated.chain(byes.map(|bye| bye.player)).collect();
    unseen.retain(|player| paired.contains(player));
    unseen
}

/// A player is here.
pub fn check_in(at: &AtDesk<'_>, order: &CheckIn) -> Result<Told, VerbError> {
    let names = at.names()?;
    let number = names.find(&order.player)?;
    let done = at.desk.check_in(number).map_err(|error| at.refused(&names, error))?;
    let state = at.state()?;
    let missing = not_here(&state, state.next_round_number()).len();
    let left = match missing {
        0 => "everybody is here".to_string(),
        missing => format!("{missing} not here yet"),
    };
    let text = format!("{} is here; {left}\n", names.name(number));
    let (player, missing) = (names.player(number), missing as u32);
    Ok(Told::of(&done, text, CheckInAnswer { verb: "check-in", player, missing }))
}

/// A player reports a result.
pub fn claim(at: &AtDesk<'_>, order: &Claim) -> Result<Told, VerbError> {
    let names = at.names()?;
    let (spot, score) = split(&order.slip, &names, &|_| Vec::new())?;
    let Spot::Player(player) = spot else {
        let message = format!("{:?} names no player", order.slip);
        let hint = "name who reports it, then the score as they say it: `ann 2-1`";
        return Err(VerbError::new(Code::invalid("bad-slip"), message, hint));
    };
    let heard = at.desk.claim(player, &score).map_err(|error| at.refused(&names, error))?;
    let event = at.store.load(at.desk.stream(), true)?;
    let (claims, result) = (claims(&event), event.state.match_at(heard.pairing));
    let (agrees, stands) = (agree(&claims, heard.pairing), result.and_then(|m| m.to_result()));
    let reported = told(&names, &heard.seats, &heard.result);
    let rest = match (&stands, agrees) {
        (Some(stands), _) if is_said_by(&heard.result, stands) => "; so it is recorded".into(),
        (Some(stands), _) => format!("; recorded is {}", told(&names, &heard.seats, stands)),
        (None, Some(true)) => "; both say so".to_string(),
        (None, Some(false)) => format!("; {}", other(&names, &claims, &heard, player)),
        (None, None) => String::new(),
    };
    let text = format!("table {}: {} reports {reported}{rest}\n", heard.table, names.name(player));
    let slip = write_slip(&heard.result);
    let answer = ClaimAnswer {
        verb: "claim",
        round: heard.round,
        table: heard.table,
        player: names.player(player),
        players: names.players(&heard.seats),
        score: slip.clone(),
        agrees,
        result: stands.as_ref().map(write_slip),
    };
    let told = Told::of(&heard.done, text, answer);
    Ok(match (stands, agrees) {
        (None, Some(true)) => told.next(at.command(&format!("result {} {slip}", heard.table))),
        _ => told,
    })
}

/// What the other one of two reports.
fn other(
    names: &Names,
    claims: &std::collections::BTreeMap<(u64, u8), crate::claims::Claim>,
    heard: &crate::desk::Heard,
    player: PlayerNumber,
) -> String {
    let others = (0u8..).zip(&heard.seats).filter(|(_, seat)| **seat != player);
    let says = others.filter_map(|(seat, other)| {
        let claim = claims.get(&(heard.pairing, seat))?;
        let says = told(names, &heard.seats, &claim.result);
        Some(format!("{} reports {says}", names.name(*other)))
    });
    says.collect::<Vec<_>>().join(", ")
}

/// How a match stands that is not finished.
pub fn note_score(at: &AtDesk<'_>, order: &NoteScore) -> Result<Told, VerbError> {
    let names = at.names()?;
    let (spot, score) = split(&order.slip, &names, &seated(&*at.state()?, None))?;
    let heard = at.desk.note_score(spot, &score).map_err(|error| at.refused(&names, error))?;
    let so_far = told(&names, &heard.seats, &heard.result);
    let text = format!("table {}: {so_far}, not finished\n", heard.table);
    let answer = NoteScoreAnswer {
        verb: "note-score",
        round: heard.round,
        table: heard.table,
        players: names.players(&heard.seats),
        score: write_slip(&heard.result),
    };
    Ok(Told::of(&heard.done, text, answer))
}

/// Somebody of the staff has another name.
pub fn name_staff(at: &AtDesk<'_>, order: &NameStaff) -> Result<Told, VerbError> {
    let (names, name) = (at.names()?, order.name.trim());
    let done = at.desk.name_staff(order.actor, name);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let text = format!("actor {} is {name} from now on, everywhere\n", order.actor);
    let answer = NameStaffAnswer { verb: "name-staff", actor: order.actor, name: name.into() };
    Ok(Told::of(&done, text, answer))
}

//! Who is here and has no seat in the round that is being played, and how they get one.

use super::AtDesk;
use crate::desk::{open_round, waits, without_seat};
use crate::names::Names;
use scrutineer_engine::event::{PlayerNumber, RoundNumber};
use scrutineer_engine::tournament::Tournament;

/// How many are named one by one.
const NAMED: usize = 12;

/// `Ann, Bob (from round 3)`.
pub fn told(names: &Names, round: RoundNumber, all: &[(PlayerNumber, RoundNumber)]) -> String {
    let one = |&(player, from): &(PlayerNumber, RoundNumber)| match from > round {
        true => format!("{} (from round {from})", names.name(player)),
        false => names.name(player),
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// That somebody has no seat, with what brings them in; none: everybody who is here has one.
pub fn note(
    at: &AtDesk<'_>,
    state: &Tournament,
    names: &Names,
    round: RoundNumber,
) -> Option<String> {
    let without = without_seat(state, round);
    let how = bring_in(at, state, names)?;
    Some(format!("without a table in round {round}: {}: {how}", told(names, round, &without)))
}

/// What is typed so that everybody who is here has a seat in the round that is being played; none also where another
/// program pairs it.
pub fn bring_in(at: &AtDesk<'_>, state: &Tournament, names: &Names) -> Option<String> {
    if state.imported().is_some() {
        return None;
    }
    let open = open_round(state).filter(|open| open.open_matches > 0)?;
    let without = without_seat(state, open.number);
    let later = || without.iter().filter(|(_, from)| *from > open.number).map(|(n, _)| *n);
    let (new, back): (Vec<PlayerNumber>, Vec<PlayerNumber>) =
        later().partition(|&player| waits(state, player));
    let mut steps: Vec<String> = Vec::new();
    if !new.is_empty() {
        steps.push(format!("`{}`", enroll(at, names, &new)));
    }
    steps.extend(back.iter().take(NAMED).map(|&player| {
        let back = format!("reinstate {} --now --reason <why>", quoted(&names.name(player)));
        format!("`{}`", at.command(&back))
    }));
    if !without.is_empty() {
        let bracket = state.phase_of(open).is_some_and(|phase| phase.kind.is_bracket());
        let seat = match bracket {
            true => "set-pairing <player> <opponent> --reason <why>",
            false => "repair --reason <why>",
        };
        steps.push(format!("`{}`", at.command(seat)));
    }
    (!steps.is_empty()).then(|| steps.join(", then "))
}

/// What is typed so that these, who were enrolled from the next round on, play in this one.
pub fn now(at: &AtDesk<'_>, names: &Names, players: &[PlayerNumber]) -> String {
    format!("`{}`, then `{}`", enroll(at, names, players), at.command("repair --reason <why>"))
}

/// A name as a shell takes it, as it stands.
pub(super) fn quoted(name: &str) -> String {
    match name.contains(['"', '$', '`', '\\', '!']) {
        true => shlex::try_quote(name).map_or("<player>".into(), |quoted| quoted.into_owned()),
        false => format!("\"{name}\""),
    }
}

fn enroll(at: &AtDesk<'_>, names: &Names, players: &[PlayerNumber]) -> String {
    let who = match players.len() <= NAMED {
        true => players.iter().map(|&n| quoted(&names.name(n))).collect::<Vec<_>>().join(" "),
        false => "<the same names, or the same --csv file>".into(),
    };
    at.command(&format!("enroll {who} --now"))
}

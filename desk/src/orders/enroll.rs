//! `enroll`, `late`: who takes part.

use super::order::{Enroll, Late};
use super::people::unusual_ratings;
use super::{AtDesk, Told, seats};
use crate::answers::EnrollAnswer;
use crate::desk::{
    DeskError, Enrolment, Joining, Latecomer, Objection, open_round, suggested, waits,
};
use crate::glance::attendance;
use crate::names::Names;
use crate::verb_error::VerbError;
use scrutineer_engine::event::{ByeKind, Event, PlayerNumber};
use scrutineer_engine::names::mixes_scripts;
use scrutineer_engine::tournament::Tournament;
use scrutineer_projections::ruleset::called;
use scrutineer_replay::loaded::text_or;
use std::collections::BTreeMap;

/// How many ratings that differ are named.
const SHOWN_RATINGS: usize = 8;

/// Enrolls players.
pub fn enroll(at: &AtDesk<'_>, order: &Enroll) -> Result<Told, VerbError> {
    let people: Vec<Enrolment> = order.people.iter().cloned().map(Enrolment::from).collect();
    let &Enroll { same_name, now, leave_known, new_division, .. } = order;
    let how = How { late: Latecomer::AsRuled, same_name, now, new_division };
    if !leave_known || same_name {
        return all(at, "enroll", people, &[], how);
    }
    let known = match at.desk.here_already(&people, now) {
        Ok(known) => known,
        Err(error) => return Err(at.refused(&at.names()?, error)),
    };
    let rated_otherwise = rated_otherwise(at, &people, &known)?;
    // Where nobody of it is new, the list was sent twice, and that is said.
    if known.iter().all(Option::is_some) {
        return all(at, "enroll", people, &[], how).map_err(|mut refused| {
            refused.hint = rated_otherwise.map(Into::into).or(refused.hint);
            refused
        });
    }
    let new = people.into_iter().zip(&known).filter(|(_, known)| known.is_none());
    let stay: Vec<PlayerNumber> = known.iter().flatten().copied().collect();
    let mut told = all(at, "enroll", new.map(|(person, _)| person).collect(), &stay, how)?;
    told.notes.extend(rated_otherwise);
    Ok(told)
}

/// Who is enrolled already, and has another rating in the list.
fn rated_otherwise(
    at: &AtDesk<'_>,
    people: &[Enrolment],
    known: &[Option<PlayerNumber>],
) -> Result<Option<String>, VerbError> {
    let (state, names) = (at.state()?, at.names()?);
    let other = |(person, known): (&Enrolment, &Option<PlayerNumber>)| {
        let (listed, player) = (person.rating?, state.player((*known)?)?);
        let has = player.rating.map_or("none".to_string(), |rating| rating.to_string());
        let one = || format!("{} has {has} and {listed} in the list", names.name(player.number));
        (player.rating != Some(listed)).then(one)
    };
    let all: Vec<String> = people.iter().zip(known).filter_map(other).collect();
    let more = all.len().saturating_sub(SHOWN_RATINGS);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let shown = all[..all.len().min(SHOWN_RATINGS)].join(", ");
    Ok((!all.is_empty()).then(|| {
        let right = at.command("describe <player> --rating <rating>");
        format!("other ratings than here: {shown}{more}; `{right}` puts one right")
    }))
}

/// Somebody comes late.
pub fn late(at: &AtDesk<'_>, order: &Late) -> Result<Told, VerbError> {
    let late = match order {
        Late { losses: true, .. } => Latecomer::Losses,
        Late { byes: true, .. } => Latecomer::Byes,
        Late { half_byes: true, .. } => Latecomer::HalfByes,
        _ => Latecomer::AsRuled,
    };
    let &Late { same_name, now, new_division, .. } = order;
    all(
        at,
        "late",
        vec![order.person.clone().into()],
        &[],
        How { late, same_name, now, new_division },
    )
}

/// How somebody is enrolled.
struct How {
    late: Latecomer,
    same_name: bool,
    now: bool,
    new_division: bool,
}

fn all(
    at: &AtDesk<'_>,
    verb: &'static str,
    people: Vec<Enrolment>,
    stay: &[PlayerNumber],
    how: How,
) -> Result<Told, VerbError> {
    let refused = |error: DeskError| -> Result<VerbError, VerbError> {
        let taken = match &error {
            DeskError::Objection(Objection::NameTaken { player, .. }) => Some(*player),
            _ => None,
        };
        let state = at.state()?;
        let mut fail = at.refused(&at.names()?, error);
        let dropped = taken.and_then(|player| state.player(player)).and_then(|p| p.dropped());
        if dropped.is_some() {
            fail.hint = Some(
                "they dropped: `scrutineer reinstate <player> --reason <why>` brings them back; \
                 if it is another person of this name, say so: --same-name, or its box on the page"
                    .into(),
            );
        }
        let waiting = taken.filter(|&player| waits(&state, player));
        let known = if taken.is_some() { at.desk.known_of(&people)? } else { 0 };
        match people.len() {
            all if known > 1 && known == all => {
                fail.message = format!("all {all} of the list are enrolled already");
                fail.hint = Some("`scrutineer players` lists them".into());
            }
            all if known == 2 => {
                fail.message.push_str(&format!("; so is one more of these {all}"));
            }
            all if known > 2 => {
                fail.message.push_str(&format!("; so are {} more of these {all}", known - 1));
            }
            _ => {}
        }
        if let Some(round) = waiting.and_then(|n| state.player(n)).map(|p| p.from_round) {
            fail.hint = Some(format!(
                "from round {round} on; to play in the round that is being played already, add \
                 --now; if it is another person of this name, say so: --same-name, or its box on the page"
            ).into());
        }
        Ok(fail)
    };
    let joining = Joining { now: how.now, same_name: how.same_name };
    let done = at.desk.can_enroll(&people, how.same_name, how.now);
    let typed = || people.iter().filter_map(|person| person.division.as_deref());
    let done = done.and_then(|()| match how.new_division {
        true => Ok(()),
        false => at.desk.can_have_divisions(typed()),
    });
    let done = done.and_then(|()| at.desk.enroll_from(&people, how.late, joining));
    let done = match done {
        Ok(done) => done,
        Err(error) => return Err(refused(error)?),
    };
    let (state, names) = (at.state()?, at.names()?);
    let first = state.players().len() - people.len() + 1;
    let numbers: Vec<u32> = (first as u32..).take(people.len()).collect();
    let first = numbers.first().and_then(|&number| state.player(number));
    let from_round = first.map_or(1, |player| player.from_round);
    let mut text = match (&numbers[..], people.len()) {
        ([one], _) => format!("{} is player {one}", names.name(*one)),
        ([from, .., to], 2..=12) => {
            format!("players {from} to {to}: {}", names.list(&numbers, ", "))
        }
        ([from, .., to], count) => format!("{count} players enrolled ({from} to {to})"),
        ([], _) => "nobody is enrolled".into(),
    };
    text.push_str(&format!("; {}\n", counted(&state)));
    let stayed = left_as_they_are(stay, |player| names.name(player));
    text.extend(stayed.map(|said| format!("{said}\n")));
    if from_round > 1 {
        text.push_str(&format!("{}\n", starts(&state, from_round, how.now)));
    }
    text.push_str(&suggestion(at, &state)?);
    let (players, already) = (names.players(&numbers), names.players(stay));
    let answer = EnrollAnswer { verb, players, already, from_round };
    let next = match state.last_round() {
        None => at.command("pair"),
        Some(_) if how.now => at.command("repair --reason \"came late\""),
        Some(_) => at.command("pairings"),
    };
    let mut told = Told::of(&done, text, answer).next(next);
    told.notes = same_ids(at, &state, &names, &numbers)?;
    told.notes.extend(unusual_ratings(&state, &names, &numbers));
    let left =
        |number: &&PlayerNumber| state.player(**number).is_some_and(|p| p.dropped().is_some());
    let left: Vec<PlayerNumber> = stay.iter().filter(left).copied().collect();
    if !left.is_empty() {
        told.notes.push(format!(
            "of those who were enrolled already {} dropped: `scrutineer reinstate <player> --reason \
             <why>` brings one back",
            names.list(&left, ", ")
        ));
    }
    told.notes.extend(numbers.iter().filter(|&&n| mixes_scripts(&names.name(n))).map(|&n| {
        format!(
            "{} has letters of two scripts in one word, which look alike: if that is a slip, `{}`",
            names.name(n),
            at.command(&format!("rename {n} <name>"))
        )
    }));
    let is_win =
        |event: &&Event| matches!(event, Event::ByeGiven(bye) if bye.kind == ByeKind::Awarded);
    let wins = done.events.iter().filter(is_win).count();
    if let ([player], 1..) = (&numbers[..], wins) {
        let missed = scrutineer_projections::counted(wins, "round");
        told.notes.push(format!(
            "{} has a win for each of the rounds missed, {missed}; with --losses none of them is one",
            names.name(*player),
        ));
    }
    if let Some(open) = open_round(&state).filter(|open| open.open_matches > 0 && !how.now) {
        let (who, them) = match numbers.len() {
            1 => (format!("{} plays", names.list(&numbers, ", ")), "this"),
            count => (format!("these {count} players play"), "all of it"),
        };
        told.notes.push(format!(
            "{who} from round {from_round} on, and not in round {}, which is being played; to seat \
             them in it, {}; to take {them} back: `{}`",
            open.number,
            seats::now(at, &names, &numbers),
            at.command("undo")
        ));
    }
    let again = |event: &Event| matches!(event, Event::Withdrawn(_));
    if done.events.iter().any(again) {
        told.notes.push("who was enrolled from a later round on has a new number".into());
    }
    Ok(told)
}

/// Who of a list was enrolled already, by `name`, of whom some are named; none: nobody was.
pub fn left_as_they_are(
    stay: &[PlayerNumber],
    name: impl Fn(PlayerNumber) -> String,
) -> Option<String> {
    const NAMED: usize = 12;
    let names = stay.iter().take(NAMED).map(|&player| name(player));
    let names = names.collect::<Vec<_>>().join(", ");
    Some(match stay.len() {
        0 => return None,
        1 => format!("{names} was enrolled already and stays as they are"),
        few if few <= NAMED => format!("{names} were enrolled already and stay as they are"),
        many => {
            let more = many - NAMED;
            format!("{names} and {more} more were enrolled already and stay as they are")
        }
    })
}

/// Players who are new and have the publisher's id of somebody else.
fn same_ids(
    at: &AtDesk<'_>,
    state: &Tournament,
    names: &Names,
    new: &[PlayerNumber],
) -> Result<Vec<String>, VerbError> {
    let book = at.store.book_of(at.desk.stream(), state)?;
    let mut holders: BTreeMap<String, PlayerNumber> = BTreeMap::new();
    let mut notes = Vec::new();
    for player in state.players().iter().filter(|player| !player.withdrawn) {
        let id = player.publisher_id.as_ref().map(|id| text_or(&book, id, ""));
        let Some(id) = id.filter(|id| !id.is_empty()) else { continue };
        let first = *holders.entry(id.to_lowercase()).or_insert(player.number);
        if first != player.number && new.contains(&player.number) {
            let who = names.list(&[first, player.number], " and ");
            notes.push(format!("{who} have the same id with the publisher, {id}"));
        }
    }
    Ok(notes)
}

/// From which round on new players play, and how they come into the one that is being played.
fn starts(state: &Tournament, from_round: u16, is_now: bool) -> String {
    if is_now {
        return format!("They take part from round {from_round}.");
    }
    let before = from_round - 1;
    let is_played = open_round(state).is_some_and(|open| open.open_matches > 0);
    let now = if is_played { " To seat them now: `scrutineer enroll --now`" } else { "" };
    format!("Round {before} is paired, so they start in round {from_round}.{now}")
}

/// How many take part now.
fn counted(state: &Tournament) -> String {
    let next = state.next_round_number();
    let here = state.players().iter().filter(|player| player.takes_part_in(next)).count();
    match here {
        1 => "1 player takes part".into(),
        here => format!("{here} players take part"),
    }
}

/// What the ruleset suggests for so many, as a line.
pub fn suggestion(at: &AtDesk<'_>, state: &Tournament) -> Result<String, VerbError> {
    let rules = at.desk.rules(state)?;
    let Some(row) = suggested(&rules, state) else { return Ok(String::new()) };
    let cut = match row.cut {
        0 => "no cut".into(),
        cut => format!("a cut to {cut}"),
    };
    let players = scrutineer_projections::counted(attendance(state) as usize, "player");
    let rounds = scrutineer_projections::counted(usize::from(row.rounds), "round");
    Ok(format!("{} suggests {rounds} and {cut} for {players}\n", called(&rules.files)))
}

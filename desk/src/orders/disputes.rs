//! `dispute open`, `dispute rule`, `disputes`: somebody says that a result is wrong.

use super::order::{Dispute as Open, Rule};
use super::slips::{answered, is_late, is_score, late, line, remarks, split};
use super::{AtDesk, Told, dated, load, table_in_words};
use crate::answers::{Dated, DisputeOpenAnswer, DisputeRow, DisputeRuleAnswer, DisputesAnswer};
use crate::desk::{Spot, dispute_number, dispute_of, disputed};
use crate::names::Names;
use crate::table::{Align, Aligned};
use crate::verb_error::VerbError;
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, PlayerNumber, Seq};
use scrutineer_engine::record::{Header, Time};
use scrutineer_engine::tournament::{Dispute, Tournament};
use scrutineer_projections::timeline::Words;
use scrutineer_replay::as_of::{AsOf, utc};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::mirror::in_words;
use scrutineer_replay::staff::Staff;

/// Somebody disputes a match.
pub fn open(at: &AtDesk<'_>, order: &Open) -> Result<Told, VerbError> {
    let names = at.names()?;
    let spot = match order.table.parse() {
        Ok(table) => Spot::Table(table),
        Err(_) => Spot::Player(names.find(&order.table)?),
    };
    let state = at.state()?;
    let found = disputed(&state, order.round, spot).map_err(|error| at.refused(&names, error))?;
    let seats: Vec<PlayerNumber> = found.seats().iter().map(|seat| seat.player).collect();
    let find = |typed: &str| names.find_at(typed, &table_in_words(&found), &seats);
    let by = order.by.as_deref().map(find).transpose()?;
    let opened = at.desk.dispute(order.round, spot, by, &order.claim);
    let (number, done) = opened.map_err(|error| {
        let fail = at.refused(&names, error);
        match fail.code.word {
            "no-reason" => VerbError {
                message: "the claim is empty".into(),
                hint: Some("say in a few words what is claimed".into()),
                ..fail
            },
            _ => fail,
        }
    })?;
    let state = at.state()?;
    let place = dispute_of(&state, number).map(|dispute| place(&state, dispute));
    let place = place.unwrap_or_default();
    let who = by.map_or("somebody".into(), |player| names.name(player));
    let text = format!("dispute {number} is open: {who} disputes {place}\n");
    let answer = DisputeOpenAnswer { verb: "dispute open", dispute: number, place };
    let next = at.command(&format!("dispute file {number}"));
    Ok(Told::of(&done, text, answer).next(next))
}

/// A dispute is ruled.
pub fn rule(at: &AtDesk<'_>, order: &Rule) -> Result<Told, VerbError> {
    let names = at.names()?;
    let score = order.score.as_deref().map(|score| score_of(score, &names)).transpose()?;
    let score = score.as_ref().map(|(player, score)| (*player, &score[..]));
    let number = order.dispute;
    let upheld = order.upheld.ok_or_else(|| {
        let hint = "say whether the dispute is upheld or denied";
        VerbError::new(Code::invalid("bad-order"), "the ruling says nothing", hint)
    })?;
    let ruled = at.desk.rule(number, upheld, score, &order.reason);
    let ruled = ruled.map_err(|error| {
        let mut fail = at.refused(&names, error);
        if fail.code == "same-result" {
            let rule = at.command(&format!("dispute rule {number}"));
            fail.hint = Some(format!(
                "if the result stands, `{rule} --denied --reason <why>`; otherwise name the right \
                 one with --score"
            ).into());
        }
        fail
    })?;
    let state = at.state()?;
    let dispute = dispute_of(&state, number).map_err(|error| at.refused(&names, error))?;
    let how = if upheld { "upheld" } else { "denied" };
    let place = place(&state, dispute);
    let mut text = format!("dispute {number} is {how}: {place}\n");
    let verb = if dispute.corrections.is_empty() { "result" } else { "correct" };
    let corrected = ruled.corrected.as_ref().map(|entered| answered(verb, &names, entered));
    let answer = DisputeRuleAnswer { verb: "dispute rule", dispute: number, upheld, corrected };
    let mut told = match &ruled.corrected {
        Some(corrected) => {
            let (line, remarks) = (line(&names, corrected), remarks(&names, &state, corrected));
            text.push_str(&format!("round {} {line}\n{remarks}", corrected.round));
            Told::of(&ruled.done, text, answer).next(at.command("standings"))
        }
        // Whoever is right wants another result.
        None if is_uncorrected(&state, dispute) => Told::of(&ruled.done, text, answer)
            .next(at.command(&correcting(&state, number, dispute))),
        None => Told::of(&ruled.done, text, answer).next(at.command("disputes --open")),
    };
    if let Some(corrected) = &ruled.corrected
        && (is_late(&state, corrected.round) || state.is_closed())
    {
        late(at, &names, corrected.round, ruled.done.first_seq, &mut told);
    }
    Ok(told)
}

/// A score in the order of the seats, or behind the player whose games come first.
fn score_of(typed: &str, names: &Names) -> Result<(Option<PlayerNumber>, String), VerbError> {
    if typed.split_whitespace().next().is_none_or(is_score) {
        return Ok((None, typed.to_string()));
    }
    match split(typed, names, &|_| Vec::new())? {
        (Spot::Player(player) | Spot::PlayerAt(_, player), score) => Ok((Some(player), score)),
        (Spot::Table(_), score) => Ok((None, score)),
    }
}

/// `round 2 table 3`.
pub fn place(state: &Tournament, dispute: &Dispute) -> String {
    match_place(state, dispute.pairing)
}

fn match_place(state: &Tournament, pairing: Seq) -> String {
    state.match_at(pairing).map_or("a match that is gone".into(), |found| {
        let table = found.table().map_or(String::new(), |table| format!(" table {table}"));
        format!("round {}{table}", found.round().number)
    })
}

/// That a dispute is about another match, in the words of the hall.
pub fn other_match(state: &Tournament, dispute: Seq, pairing: Seq) -> Option<String> {
    let number = dispute_number(state, dispute)?;
    let about = place(state, state.dispute(dispute)?);
    let here = match_place(state, pairing);
    Some(format!("dispute {number} is about {about}, not about {here}"))
}

/// How a dispute stands.
pub fn standing(state: &Tournament, dispute: &Dispute) -> &'static str {
    match dispute.ruled {
        _ if dispute.withdrawn => "withdrawn",
        _ if state.dispute(dispute.seq).is_none() => "gone with its round",
        None => "open",
        Some((_, true)) => "upheld",
        Some((_, false)) => "denied",
    }
}

/// Whether a dispute is upheld, and its result is still the one that was disputed.
pub fn is_uncorrected(state: &Tournament, dispute: &Dispute) -> bool {
    let result = state.match_at(dispute.pairing).and_then(|found| found.result());
    standing(state, dispute) == "upheld" && result.is_some_and(|result| result < dispute.seq)
}

/// What is typed where a dispute is upheld and its result stands.
pub fn correcting(state: &Tournament, number: u32, dispute: &Dispute) -> String {
    let found = state.match_at(dispute.pairing);
    let round = found.map_or(0, |found| found.round().number);
    let table = found.and_then(|found| found.table());
    let table = table.map_or("<player>".into(), |table| table.to_string());
    format!("correct {table} <score> --round {round} --dispute {number} --reason <why>")
}

/// What is worth a look before a round or the tournament ends: disputes that wait for a ruling, and those
/// that are upheld and whose result nobody has corrected.
pub fn notes(state: &Tournament) -> Vec<String> {
    let all = (1u32..).zip(state.disputes());
    let upheld = all.filter(|(_, dispute)| is_uncorrected(state, dispute));
    let upheld = upheld.map(|(number, dispute)| {
        let (place, correct) = (place(state, dispute), correcting(state, number, dispute));
        format!(
            "dispute {number} ({place}) is upheld, and its result stands uncorrected: `{correct}`"
        )
    });
    waiting_note(state).into_iter().chain(upheld).collect()
}

fn waiting_note(state: &Tournament) -> Option<String> {
    let open: Vec<(u32, String)> =
        state.open_disputes().map(|(number, dispute)| (number, place(state, dispute))).collect();
    match &open[..] {
        [] => None,
        [(number, place)] => Some(format!("dispute {number} ({place}) waits for a ruling")),
        several => {
            let shown = several.iter().take(8).map(|(number, place)| format!("{number} ({place})"));
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = if several.len() > 8 { ", …" } else { "" };
            Some(format!("{} disputes wait for a ruling: {shown}{more}", several.len()))
        }
    }
}

/// The event with this seq, with its envelope.
pub fn logged(event: &LoadedTournament, seq: Seq) -> Option<&(Header, Event)> {
    event.log.get(usize::try_from(seq).ok()?.checked_sub(1)?)
}

/// What is claimed.
pub fn claim(event: &LoadedTournament, dispute: &Dispute) -> String {
    match logged(event, dispute.seq) {
        Some((_, Event::DisputeOpened(opened))) => event.text(&opened.claim),
        _ => String::new(),
    }
}

/// How long ago: `40 s`, `12 min`, `3 h`, `2 d`.
pub fn age(since: Time, now: Time) -> String {
    let seconds = now.unix_micros.saturating_sub(since.unix_micros).max(0) / 1_000_000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// The time from which one looks at an event: the moment that was asked for, or now.
pub fn seen_at(event: &LoadedTournament, at: &AtDesk<'_>) -> Time {
    event.as_of.map_or_else(|| at.now(), |as_of| as_of.time)
}

/// Lists the disputes.
pub fn list(at: &AtDesk<'_>, only_open: bool, as_of: Option<AsOf>) -> Result<Told, VerbError> {
    let event = load(at.store, at.desk.stream(), as_of, true)?;
    let names = Names::of(&event.state, &event.book);
    let (state, staff, now) = (&event.state, Staff::of(&event), seen_at(&event, at));
    let all = || (1u32..).zip(state.disputes());
    let wanted = |dispute: &Dispute| !only_open || standing(state, dispute) == "open";
    let shown: Vec<(u32, &Dispute)> = all().filter(|(_, dispute)| wanted(dispute)).collect();
    let opened = |dispute: &Dispute| logged(&event, dispute.seq).map(|(header, _)| *header);
    let row = |(number, dispute): &(u32, &Dispute)| {
        let opened = opened(dispute);
        let age = |header: Header| (now.unix_micros - header.time.unix_micros) / 1_000_000;
        DisputeRow {
            dispute: *number,
            seq: dispute.seq,
            state: standing(state, dispute),
            place: place(state, dispute),
            opened: opened.map(|header| in_words(header.time)),
            age_seconds: opened.map(age),
            recorded_by: opened.map(|header| staff.who(&header)),
            by: dispute.by.map(|n| names.player(n)),
            claim: claim(&event, dispute),
            ruled_in: dispute.ruled.map(|(seq, _)| seq),
            uncorrected: is_uncorrected(state, dispute),
            corrected_in: dispute.corrections.to_vec(),
        }
    };
    let answer = DisputesAnswer { disputes: shown.iter().map(row).collect() };
    let answer = Dated::of(&event, answer);
    if shown.is_empty() {
        let text = match only_open && all().next().is_some() {
            true => "no dispute waits for a ruling\n",
            false => "there are no disputes\n",
        };
        let text = dated(&event, text.to_string());
        return Ok(Told::only(text, answer));
    }
    let mut table = Aligned::new([
        ("#", Align::Right),
        ("state", Align::Left),
        ("event", Align::Right),
        ("opened", Align::Left),
        ("age", Align::Right),
        ("where", Align::Left),
        ("by", Align::Left),
        ("claim", Align::Left),
    ]);
    for (number, dispute) in shown {
        let header = opened(dispute);
        let mut state_of = standing(state, dispute).to_string();
        if let Some(correction) = dispute.corrections.last() {
            state_of.push_str(&format!(", corrected in event {correction}"));
        } else if is_uncorrected(state, dispute) {
            state_of.push_str(", not corrected");
        }
        table.row([
            number.to_string(),
            state_of,
            dispute.seq.to_string(),
            header.map_or("-".into(), |header| utc(header.time)),
            header.map_or("-".into(), |header| age(header.time, now)),
            place(state, dispute),
            dispute.by.map_or("-".into(), |player| names.name(player)),
            claim(&event, dispute),
        ]);
    }
    Ok(Told::only(dated(&event, table.text()), answer))
}

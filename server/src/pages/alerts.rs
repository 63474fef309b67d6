//! What waits for a person at the desk: calls, disputes, what players report and wish, and more.

use super::bracket::gone_winners;
use super::called::round_within;
use super::frame::capital;
use super::{Looked, in_a_row, rules_of, seats_of, set_apart, set_score, won_in_words};
use crate::editions::rules_of as named;
use crate::gate::{Need, Role};
use scrutineer_desk::claims::claims;
use scrutineer_desk::desk::{
    Displaced, displaced, holds_penalties, is_fixed, open_round, waiting, waits, without_seat,
    write_slip,
};
use scrutineer_desk::effect::{is_due, would};
use scrutineer_desk::orders::{self, displaced_in_words, disputes};
use scrutineer_desk::overruled::overruled;
use scrutineer_desk::rebuild::rebuild;
use scrutineer_desk::reported::{agreed, differing, late, unanswered};
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::event::{ByeKind, MatchResult, PlayerNumber};
use scrutineer_engine::record::Time;
use scrutineer_engine::tournament::{Penalty, Round};
use scrutineer_pairing::kept_twice;
use scrutineer_projections::counted;
use scrutineer_projections::ruleset::Ruleset;
use scrutineer_replay::loaded::{LoadedTournament, text_or};
use scrutineer_replay::trust::note::fingerprint;
use serde_json::Value;
use std::sync::Arc;

/// How long an opponent has to report as well before somebody decides, in minutes.
const ANSWERED_WITHIN: i64 = 5;
const MINUTE: i64 = 60 * 1_000;

/// Something that waits for a person.
pub struct Alert {
    /// How urgent it is: `now`, `soon` or `note`.
    pub class: &'static str,
    /// What is to be done about it, in a word.
    pub verb: &'static str,
    /// What there is.
    pub text: String,
    /// Where that is done.
    pub href: String,
    /// What the link says.
    pub label: &'static str,
    /// What can be done about it here; empty: the link leads to it.
    pub acts: Vec<Act>,
}

/// A decision that is one button.
pub struct Act {
    /// Where it is posted: `orders` or `floor`.
    pub path: &'static str,
    /// What is posted.
    pub fields: Vec<(&'static str, String)>,
    /// What the button says.
    pub label: String,
}

impl Alert {
    /// An alert about which something is done elsewhere.
    pub fn leading(
        class: &'static str,
        verb: &'static str,
        text: String,
        href: String,
        label: &'static str,
    ) -> Alert {
        Alert { class, verb, text, href, label, acts: Vec::new() }
    }
}

/// A result that players report, with the button that records it; where a penalty changes it, with what to type
/// instead. `text` says it, given who won and whether it can be recorded so.
fn of_report(
    at: &Looked<'_>,
    event: &LoadedTournament,
    verb: &'static str,
    (table, result): (u32, &MatchResult),
    text: impl FnOnce(&str, bool) -> String,
) -> Alert {
    let state = &event.state;
    let found = open_round(state).and_then(|open| state.at_table(open.number, table));
    let won = won_in_words(event, &found.map_or(Vec::new(), seats_of), result);
    let lacking = found.filter(|found| !holds_penalties(state, *found, result));
    let text = text(&won, lacking.is_none());
    if let Some(found) = lacking {
        let one = |one: Penalty| format!("a {} of {}", one.kind, set_apart(event.name(one.player)));
        let taken: Vec<String> = waiting(state, found).into_iter().map(one).collect();
        let text = format!(
            "{text}. Not counted in that: {}. Enter the score with it: the game that was lost by penalty counts as won by the opponent, such as 2-1",
            taken.join(", ")
        );
        return Alert::leading("soon", verb, text, format!("entry?table={table}"), "Enter");
    }
    let mut alert = Alert::leading("soon", verb, text, "missing".into(), "Missing");
    if at.role >= Role::Judge {
        let slip = format!("{table} {}", write_slip(result));
        let fields = vec![("order", "result".into()), ("slip", slip)];
        alert.acts.push(Act { path: "orders", fields, label: format!("Record: {won}") });
    }
    alert
}

/// What players report that somebody has to decide, and who wishes to drop; a report without an answer once
/// it is so many minutes old.
fn reports(at: &Looked<'_>, event: &LoadedTournament, now: i64, within: i64) -> Vec<Alert> {
    let claims = claims(event);
    let may_decide = Need::Drafts.admits(at.role);
    let mut alerts = Vec::new();
    alerts.extend(differing(event, &claims).into_iter().map(|table| {
        let text = format!("Table {table}: the players report different results");
        Alert::leading("now", "Decide", text, format!("entry?table={table}"), "Decide")
    }));
    let both = |(table, result): (u32, MatchResult)| {
        of_report(at, event, "Confirm", (table, &result), |won, is_whole| match is_whole {
            true => format!(
                "Table {table}: both say: {won}; a phone of theirs is new since the round was out, or one is of both"
            ),
            false => format!("Table {table}: both say: {won}"),
        })
    };
    alerts.extend(agreed(event, &claims).into_iter().map(both));
    let by = Time { unix_micros: (now - within * MINUTE) * 1_000 };
    for one in unanswered(event, &claims, by) {
        let [player, silent] = [one.player, one.silent].map(|one| set_apart(event.name(one)));
        let since = minutes(one.since.unix_micros / 1_000, now);
        let table = one.table;
        alerts.push(of_report(at, event, "Decide", (table, &one.result), |won, _| {
            format!("Table {table}: {player} says: {won}, and {silent} said nothing for {since}")
        }));
    }
    for one in late(event, &claims).into_iter().filter(|one| !at.floor.is_settled(one.seq)) {
        let href = format!("round/{}", one.round);
        let mut alert = Alert::leading("soon", "Decide", one.told(event), href, "Round");
        if may_decide {
            let slip = write_slip(&one.claimed);
            let fields = vec![
                ("order", "correct".into()),
                ("slip", format!("{} {slip}", one.table)),
                ("round", one.round.to_string()),
                (
                    "reason",
                    match (one.is_of_both, one.is_late) {
                        (true, _) => "reported by both players".to_string(),
                        (_, true) => format!("reported late by player {}", one.player),
                        (_, false) => format!("reported by player {}", one.player),
                    },
                ),
            ];
            let label = format!("Correct to {}", set_score(&slip));
            alert.acts.push(Act { path: "orders", fields, label });
            let fields = vec![("do", "settle".into()), ("seq", one.seq.to_string())];
            let label = format!("{} stands", set_score(&write_slip(&one.stands)));
            alert.acts.push(Act { path: "floor", fields, label });
        }
        alerts.push(alert);
    }
    alerts.extend(at.floor.waiting_wishes(&event.state).map(|player| {
        let text = format!("{} wishes to drop", set_apart(event.name(player)));
        Alert::leading("soon", "Drop", text, format!("players?player={player}"), "Player")
    }));
    alerts
}

/// How long something has waited, in whole minutes.
fn minutes(since: i64, now: i64) -> String {
    match (now - since) / MINUTE {
        ..1 => "less than a minute".into(),
        minutes => counted(minutes as usize, "minute"),
    }
}

/// The time: that of the last event, where a rehearsal has times of its own.
fn time(at: &Looked<'_>, event: &LoadedTournament) -> i64 {
    match at.asker.rehearse.is_some() {
        true => event.log.last().map_or(0, |(header, _)| header.time.unix_micros / 1_000),
        false => crate::floor::now(),
    }
}

/// What is open to decide: reports, however young they are, wishes to drop, and disputes.
///
/// # Errors
/// Where the store cannot be read.
pub fn to_decide(at: &Looked<'_>, event: &LoadedTournament) -> Result<Vec<Alert>, VerbError> {
    let (answer, _) = at.at_desk(|desk| disputes(desk, false, None));
    let mut open = of_disputes(at, &answer?.json);
    open.extend(reports(at, event, time(at, event), 0));
    Ok(open)
}

/// The disputes that are open, and those whose result stands though they are upheld.
fn of_disputes(at: &Looked<'_>, answer: &Value) -> Vec<Alert> {
    let opens = Need::of_staff_page("disputes/file").admits(at.role);
    let alert = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
        let number = row["dispute"].as_u64().unwrap_or(0);
        // Who may not open the file finds the claim in the list.
        let (href, label) = match opens {
            true => (format!("disputes/{number}"), "Open file"),
            false => ("disputes".to_string(), "Disputes"),
        };
        let by = row["by"]["name"].as_str().map_or(String::new(), |name| format!(" by {name}"));
        let place = text("where");
        if text("state") == "open" {
            let text = format!("Dispute {number}{by}, {place}: {}", text("claim"));
            return Some(Alert::leading("now", "Rule", text, href, label));
        }
        (row["uncorrected"].as_bool() == Some(true)).then(|| {
            let text =
                format!("Dispute {number}, {place}, is upheld; its result stands uncorrected.");
            Alert::leading("soon", "Check", text, href, label)
        })
    };
    answer["disputes"].as_array().into_iter().flatten().filter_map(alert).collect()
}

/// That the draft was paired before an earlier result changed, so that somebody in it has other points by now;
/// none: whoever looks sees no draft, or there is none like it. The tournament is one that was read with its log.
pub fn of_old_points(at: &Looked<'_>, event: &LoadedTournament, rules: &Ruleset) -> Option<Alert> {
    let names = |players: &[PlayerNumber]| {
        let names: Vec<String> = players.iter().map(|one| set_apart(event.name(*one))).collect();
        in_a_row(&names)
    };
    let told = at.sees_drafts().then(|| orders::of_old_points(event, rules, names)).flatten()?;
    let text = format!("{}. Pair it anew", capital(&told));
    Some(Alert::leading("soon", "Look", text, "round".into(), "Pairings"))
}

/// That the cut was made before an earlier result changed, and who would be in it by now; none: whoever looks makes no
/// cut, or it would be the same. The tournament is one that was read with its log.
pub fn of_old_cut(at: &Looked<'_>, event: &LoadedTournament) -> Option<Alert> {
    let names = |players: &[PlayerNumber]| {
        let names: Vec<String> = players.iter().map(|one| set_apart(event.name(*one))).collect();
        in_a_row(&names)
    };
    let told = at.sees_drafts().then(|| orders::of_old_cut(event, names)).flatten()?;
    Some(Alert::leading("now", "Look", capital(&told), "log".into(), "Log"))
}

/// Who lost by a correction and sits in a round that was paired before it, each with the button that seats the
/// winner; where it was played, without one.
///
/// # Errors
/// Where the rules cannot be read.
pub fn of_displaced(at: &Looked<'_>, event: &LoadedTournament) -> Result<Vec<Alert>, VerbError> {
    let alert = |one: Displaced| {
        let round = round_within(&event.state, one.round);
        let name = |player| set_apart(event.name(player));
        let (winner, text) = (name(one.winner), displaced_in_words(&one, name, &round));
        let verb = if one.is_played { "Look" } else { "Seat" };
        let mut alert = Alert::leading("now", verb, text, "round".into(), "Pairings");
        if !one.is_played && Need::Drafts.admits(at.role) {
            let mut fields = vec![("order", "set-pairing".into())];
            let players = [Some(one.winner), one.opponent].into_iter().flatten();
            fields.extend(players.map(|player| ("players", format!("#{player}"))));
            fields.push(("reason", "the result of the round before was corrected".into()));
            alert.acts.push(Act {
                path: "orders",
                fields,
                label: format!("Seat {winner} instead"),
            });
        }
        alert
    };
    let rules = rules_of(event, None)?;
    Ok(displaced(&event.state, &rules).into_iter().map(alert).collect())
}

/// Who left while a round was a draft that has a table for them, with the button that pairs around them.
pub fn of_leaving(at: &Looked<'_>, event: &LoadedTournament) -> Vec<Alert> {
    let state = &event.state;
    let draft = open_round(state).filter(|round| round.published.is_none());
    let Some(draft) = draft.filter(|_| state.imported().is_none()) else { return Vec::new() };
    let of_draft = state.matches().filter(|found| found.round().number == draft.number);
    let of_draft = of_draft.filter(|found| found.result().is_none());
    let seats = of_draft.flat_map(|found| {
        let table = found.table().unwrap_or(0);
        found.seats().iter().map(move |seat| (table, seat.player)).collect::<Vec<_>>()
    });
    let has_left = |player| state.player(player).is_some_and(|one| one.dropped().is_some());
    let alert = |(table, player): (u32, PlayerNumber)| {
        let (name, round) = (set_apart(event.name(player)), round_within(state, draft.number));
        let text = format!("{name} has dropped and is paired at table {table} of {round}");
        let mut alert = Alert::leading("now", "Seat", text, "round".into(), "Pairings");
        if Need::Drafts.admits(at.role) {
            let reason = format!("left before {round} was out");
            let out = format!("#{player}");
            let fields = vec![("order", "repair".into()), ("out", out), ("reason", reason)];
            alert.acts.push(Act { path: "orders", fields, label: format!("Pair around {name}") });
        }
        alert
    };
    seats.filter(|(_, player)| has_left(*player)).map(alert).collect()
}

/// The tables that several players keep who are here: only one of them can sit there.
fn of_shared_tables(event: &LoadedTournament) -> Vec<Alert> {
    let state = &event.state;
    if state.is_closed() || state.imported().is_some() {
        return Vec::new();
    }
    let alert = |(table, keepers): (u32, Vec<PlayerNumber>)| {
        let last = keepers.last().copied().unwrap_or_default();
        let names: Vec<String> =
            keepers.into_iter().map(|one| set_apart(event.name(one))).collect();
        let text = format!(
            "{} keep table {table}: whoever of them is paired first sits there, unless one of them keeps another",
            names.join(" and ")
        );
        Alert::leading("soon", "Seat", text, format!("players?player={last}"), "Player")
    };
    kept_twice(state).into_iter().map(alert).collect()
}

/// Who is here and has no table in the round that is played, with the button that seats them; and who came late and
/// plays from the next round on though somebody has a bye in this one.
fn of_unseated(at: &Looked<'_>, event: &LoadedTournament, open: &Round) -> Vec<Alert> {
    let state = &event.state;
    // The program that pairs it seats them, such as a division that it pairs later.
    if state.imported().is_some() {
        return Vec::new();
    }
    let (now, later): (Vec<_>, Vec<_>) =
        without_seat(state, open.number).into_iter().partition(|(_, from)| *from <= open.number);
    let round = round_within(state, open.number);
    // In a bracket it is for somebody to say whose place they take.
    let phase = state.phase_of(open).filter(|phase| !phase.kind.is_bracket());
    let is_seated_here = phase.is_some() && Need::Drafts.admits(at.role);
    let mut alerts = Vec::new();
    let names: Vec<String> = now.iter().map(|(one, _)| set_apart(event.name(*one))).collect();
    if let Some(first) = names.first() {
        let text = format!("Here and without a table in {round}: {}", in_a_row(&names));
        let mut alert = Alert::leading("now", "Seat", text, "round".into(), "Pairings");
        if is_seated_here {
            let fields =
                vec![("order", "repair".into()), ("reason", "here and without a table".into())];
            let who = if names.len() == 1 { first.as_str() } else { "them" };
            alert.acts.push(Act {
                path: "orders",
                fields,
                label: format!("Seat {who} in {round}"),
            });
        }
        alerts.push(alert);
    }
    let of_round = |at: u32| state.rounds()[at as usize].number == open.number;
    let bye = state.byes().find(|bye| bye.kind == ByeKind::Assigned && of_round(bye.round));
    let Some(bye) = bye.filter(|_| is_seated_here && phase.is_some_and(|one| !is_fixed(one)))
    else {
        return alerts;
    };
    let other = set_apart(event.name(bye.player));
    let new = later.into_iter().filter(|(one, _)| waits(state, *one) && open.open_matches > 0);
    alerts.extend(new.filter_map(|(one, from)| {
        let (name, own) = (set_apart(event.name(one)), state.player(one)?);
        let text = format!("{name} plays from round {from} on, and {other} has the bye in {round}");
        let mut alert = Alert::leading("soon", "Seat", text, "round".into(), "Pairings");
        let typed = text_or(&event.book, &own.name, "");
        let fields = vec![("order", "late".into()), ("name", typed), ("now", "true".into())];
        let label = format!("{name} plays in {round} already");
        alert.acts.push(Act { path: "orders", fields, label });
        Some(alert)
    }));
    alerts
}

/// What waits for a person, what holds the round up first.
///
/// # Errors
/// Where the store cannot be read.
pub fn alerts(at: &Looked<'_>, event: &LoadedTournament) -> Result<Vec<Alert>, VerbError> {
    let (answer, notes) = at.at_desk(|desk| disputes(desk, false, None));
    let (answer, now) = (answer?.json, time(at, event));
    let mut alerts = Vec::new();
    if let Some(open) = at.open_round(&event.state) {
        alerts.extend(of_unseated(at, event, open));
    }
    let rules = rules_of(event, None)?;
    alerts.extend(gone_winners(&event.state, &rules).into_iter().map(|(table, player)| {
        let text = format!(
            "{} won at table {table} and is out since: whoever would meet them has a bye in the next round, unless somebody goes on in their place by ruling",
            set_apart(event.name(player))
        );
        Alert::leading("soon", "Look", text, "round".into(), "Pairings")
    }));
    alerts.extend(of_displaced(at, event)?);
    alerts.extend(of_old_points(at, event, &rules));
    alerts.extend(of_old_cut(at, event));
    alerts.extend(of_leaving(at, event));
    alerts.extend(of_shared_tables(event));
    // Who has waited the longest comes first, and it is said how long.
    let (open_calls, last) = (at.floor.open_calls(), at.last_round(&event.state));
    // Nobody is called to a table of a tournament that is closed.
    let open_calls = open_calls.filter(|call| !call.is_taken && !event.state.is_closed());
    alerts.extend(open_calls.map(|call| Alert {
        class: "now",
        verb: "Take",
        text: {
            let said = match (call.at_table(&event.state), call.what.as_deref()) {
                (Some(table), Some(what)) => format!("Table {table} calls a judge: {what}"),
                (Some(table), None) => format!("Table {table} calls a judge"),
                (None, Some(what)) => format!("A judge is called: {what}"),
                (None, None) => "A judge is called".into(),
            };
            let waits = minutes(call.at, crate::floor::now());
            // What is called from another round is at another table by now, as the floor says too.
            let from = call.round.filter(|of| *of != last);
            let from = from.map(|of| format!(" · from {}", round_within(&event.state, of)));
            format!("{said}{} · waits for {waits}", from.unwrap_or_default())
        },
        href: "floor".into(),
        label: "Floor",
        acts: Vec::new(),
    }));
    alerts.extend(reports(at, event, now, ANSWERED_WITHIN));
    alerts.extend(of_disputes(at, &answer));
    let not_pushed = at.publisher.as_ref().filter(|line| line.is_alarm && at.role == Role::Owner);
    alerts.extend(not_pushed.map(|line| {
        let text = format!("The publisher's server: {}", line.text);
        Alert::leading("soon", "Look", text, "/publisher".into(), "Publisher")
    }));
    let not_followed = at.other_program.as_ref().filter(|line| line.is_alarm);
    alerts.extend(not_followed.map(|line| {
        let text = format!("The other program's file: {}", line.text);
        Alert::leading("soon", "Look", text, "log".into(), "Log")
    }));
    alerts.extend(overruled(event).iter().map(|one| {
        let text = set_apart(one.told(event));
        Alert::leading("soon", "Check", text, format!("log?seq={}", one.seq), "Log")
    }));
    alerts.extend(at.given_up.iter().map(|url| {
        let text = format!("A webhook is paused, since {url} did not take what happened");
        Alert::leading("soon", "Look", text, "/webhooks".into(), "Webhooks")
    }));
    alerts.extend(new_rules(at, event));
    let note = |text| Alert::leading("note", "Watch", text, "log".into(), "Log");
    alerts.extend(notes.into_iter().map(note));
    // What holds the round up comes first.
    alerts.sort_by_key(|one| ["now", "soon", "note"].iter().position(|class| *class == one.class));
    Ok(alerts)
}

/// The newest edition of the rules by which the tournament is played, for those who may amend them: who signed
/// it, and what it would change.
fn new_rules(at: &Looked<'_>, event: &LoadedTournament) -> Option<Alert> {
    if at.role < Role::HeadJudge {
        return None;
    }
    let due = at.editions.all().filter(|edition| is_due(edition, &event.state));
    let edition = due.max_by(|one, other| one.time.cmp(&other.time))?;
    let own = rules_of(event, None).ok()?;
    let players = event.state.players().iter().filter(|player| !player.withdrawn).count();
    let would = match rebuild(&event.state, &own, &Arc::new(edition.rules.clone()), None) {
        Ok(rebuilt) => would(&rebuilt, u32::try_from(players).unwrap_or(u32::MAX)),
        Err(error) => format!("this tournament cannot be ranked by it: {error}"),
    };
    let text = format!(
        "An edition of rules is here: {}, signed by {}. {would}; nothing changes by itself",
        edition.titled(),
        fingerprint(&edition.key)
    );
    let href = format!("compare?rules={}", named(edition));
    Some(Alert::leading("note", "Rules", text, href, "What it changes"))
}

#[cfg(test)]
mod tests {
    use super::super::kit::hall;
    use super::*;
    use scrutineer_desk::floor::{Change, Entry, Floor};
    use scrutineer_desk::orders::{Claim, Correct, Cut, Pair, Publish};
    use scrutineer_engine::tournament::Tournament;
    use std::sync::Arc;

    #[test]
    fn who_lost_by_a_correction_and_sits_in_the_next_round_is_told_until_the_winner_is_seated() {
        let hall = hall();
        let state = || hall.store.load(hall.stream, false).expect("loaded").state;
        let missing = |state: &Tournament| -> Vec<u32> {
            state.matches().filter(|m| m.result().is_none()).filter_map(|m| m.table()).collect()
        };
        missing(&state()).iter().for_each(|table| hall.slip(&format!("{table} 2-0")));
        hall.order(Cut { top: Some(4), ..Cut::default() });
        for tables in [&["1 2-0", "2 2-0"][..], &[]] {
            hall.order(Pair::default());
            hall.order(Publish {});
            tables.iter().for_each(|slip| hall.slip(slip));
        }
        let seats = |state: &Tournament, round| -> Vec<u32> {
            state
                .at_table(round, 1)
                .expect("a table")
                .seats()
                .iter()
                .map(|one| one.player)
                .collect()
        };
        let semi_final = seats(&state(), 2);
        let waits = || {
            let event = hall.looked().load_whole().expect("loaded");
            let all = alerts(&hall.looked(), &event).expect("read");
            all.into_iter().filter(|one| one.text.contains("was corrected since")).collect()
        };
        assert!(<Vec<Alert>>::is_empty(&waits()));
        let reason = "read the wrong way round".to_string();
        let slip = "1 0-2".to_string();
        hall.order(Correct { slip, reason, round: Some(2), ..Correct::default() });
        // It stands where the correction leads, and on the page of the round too.
        let moved = super::super::moved::page(&hall.looked(), None).expect("a page");
        let round = super::super::round::page(&hall.looked(), None).expect("a page");
        for html in [&moved, &round] {
            let here =
                html.contains("was corrected since") && html.contains("value=\"set-pairing\"");
            assert!(here && html.contains(" instead</button>"), "{html}");
        }
        let told: Vec<Alert> = waits();
        assert!(told.len() == 1 && told[0].text.contains("the final"), "{}", told[0].text);
        let typed: Vec<&(&str, String)> = told[0].acts[0].fields.iter().collect();
        let order = crate::fields::order(
            &typed
                .iter()
                .map(|(name, value)| (name.to_string(), value.clone()))
                .collect::<Vec<_>>(),
        );
        hall.order(order.expect("an order"));
        assert!(waits().is_empty());
        let last = seats(&state(), 3);
        assert!(last.contains(&semi_final[1]) && !last.contains(&semi_final[0]), "{last:?}");
    }

    /// The command line said nothing of it, and once the final had a result nobody did.
    #[test]
    fn who_lost_by_a_correction_and_played_the_next_round_is_told_still_and_nobody_is_seated() {
        use scrutineer_desk::desk::Asked;
        use scrutineer_desk::orders::{ListedBy, When, pairings, record};
        let hall = hall();
        hall.all_in();
        hall.order(Cut { top: Some(4), ..Cut::default() });
        hall.order(Pair::default());
        hall.order(Publish {});
        hall.all_in();
        hall.order(Pair::default());
        let listed = || {
            let looked = hall.looked();
            let (told, _) =
                looked.at_desk(|at| pairings(at, None, ListedBy::Table, &When::default()));
            told.unwrap_or_else(|error| panic!("{}", error.told())).notes
        };
        let says = |notes: &[String], words: &str| {
            notes.iter().any(|note| note.starts_with("LOOK: ") && note.contains(words))
        };
        assert!(!says(&listed(), "was corrected since"), "nothing changed");
        let (slip, reason) = ("1 0-2".to_string(), "read the wrong way round".to_string());
        hall.order(Correct { slip, reason, round: Some(2), ..Correct::default() });
        let publish = orders::Order::from(Publish {});
        let (published, _) =
            record(&hall.asker, &hall.store, hall.stream, Asked::default(), &publish);
        let published = published.unwrap_or_else(|error| panic!("{}", error.told()));
        for notes in [listed(), published.notes] {
            assert!(says(&notes, " sits at table 1 of "), "{notes:?}");
            assert!(says(&notes, "set-pairing"), "{notes:?}");
        }
        hall.slip("1 2-0");
        let notes = listed();
        assert!(says(&notes, " played at table 1 of "), "{notes:?}");
        assert!(!says(&notes, "set-pairing"), "it was played: {notes:?}");
        let event = hall.looked().load_whole().expect("loaded");
        let all = alerts(&hall.looked(), &event).expect("read");
        let all: Vec<Alert> =
            all.into_iter().filter(|one| one.text.contains("was corrected since")).collect();
        assert!(all.len() == 1 && all[0].acts.is_empty(), "one, and no button");
        assert!(all[0].text.contains(" played at table 1 of the final, and "), "{}", all[0].text);
    }

    /// On the command line what stands after a ruling was told without the cut that it came too late for.
    #[test]
    fn the_file_of_a_ruling_behind_the_cut_says_what_the_cut_would_be_by_now() {
        use scrutineer_desk::orders::{Rule, dispute_file};
        let hall = hall();
        hall.all_in();
        hall.dispute(1);
        let told = || {
            let looked = hall.looked();
            let (told, _) = looked.at_desk(|at| dispute_file(at, 1, None, None, None));
            let text = told.unwrap_or_else(|error| panic!("{}", error.told())).text;
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        hall.order(Cut { top: Some(4), ..Cut::default() });
        let before = told();
        assert!(!before.contains("as it stands;"), "the cut is as it was made: {before}");
        let (score, reason) = (Some("0-2".to_string()), "turned round".to_string());
        hall.order(Rule { dispute: 1, upheld: Some(true), score, reason });
        let after = told();
        let [begun, lots] =
            ["as it stands; phase 2 had ", "as it stands; lots had decided the cut to phase 2"];
        assert!(after.contains(begun) || after.contains(lots), "{after}");
    }

    /// Ann left, Bo got her table, and Ann came back: whoever was paired first sat there, and nobody was told.
    #[test]
    fn two_who_came_to_keep_one_table_are_named_until_one_of_them_keeps_another() {
        use scrutineer_desk::orders::{Drop, KeepTable, Reinstate};
        let hall = super::super::kit::enrolled();
        let told = || {
            let event = hall.looked().load_whole().expect("loaded");
            let all = alerts(&hall.looked(), &event).expect("read");
            all.into_iter().filter(|one| one.text.contains("keep table 1")).count()
        };
        let keep = |player: u32, table| {
            hall.order(KeepTable { player: format!("#{player}"), table: Some(table) });
        };
        keep(1, 1);
        hall.order(Drop { player: "#1".into(), ..Drop::default() });
        keep(2, 1);
        assert_eq!(told(), 0, "who left needs no table");
        let reason = "the bus did not come".to_string();
        hall.order(Reinstate { player: "#1".into(), reason, ..Reinstate::default() });
        assert_eq!(told(), 1);
        keep(2, 3);
        assert_eq!(told(), 0);
    }

    /// Whoever came while a draft had a bye in it stood there without a button.
    #[test]
    fn who_comes_late_is_seated_against_the_bye_by_the_button_of_the_alert() {
        use scrutineer_desk::orders::{Enroll, Late, Person};
        let person = |name: &str| Person { name: name.into(), ..Person::default() };
        for now in [true, false] {
            let hall = super::super::kit::enrolled();
            hall.order(Enroll { people: vec![person("Odd One")], ..Enroll::default() });
            hall.order(Pair::default());
            let state = || hall.store.load(hall.stream, false).expect("loaded").state;
            assert_eq!(state().byes().count(), 1, "somebody has the bye");
            hall.order(Late { person: person("Zoe"), now, ..Late::default() });
            let zoe = |state: &Tournament| state.players().last().expect("a player").number;
            let press = |label: &str| {
                let event = hall.looked().load_whole().expect("loaded");
                let all = alerts(&hall.looked(), &event).expect("read");
                let acts: Vec<Act> = all.into_iter().flat_map(|one| one.acts).collect();
                let plain = |text: &str| text.replace(['\u{2068}', '\u{2069}'], "");
                let act = acts.iter().find(|act| plain(&act.label) == label);
                let act = act.unwrap_or_else(|| panic!("no button {label}"));
                let fields: Vec<(String, String)> = act
                    .fields
                    .iter()
                    .map(|(name, value)| (name.to_string(), value.clone()))
                    .collect();
                hall.order(crate::fields::order(&fields).expect("an order"));
            };
            if !now {
                press("Zoe plays in round 1 already");
            }
            press("Seat Zoe in round 1");
            let state = state();
            assert_eq!(state.byes().count(), 0, "nobody has a bye any more");
            let sits = |found: scrutineer_engine::tournament::MatchView<'_>| {
                found.seats().iter().any(|seat| seat.player == zoe(&state))
            };
            assert!(state.matches().any(sits), "Zoe has a table");
        }
    }

    fn told(at: &Looked<'_>) -> Vec<(String, usize)> {
        told_in(at, 0)
    }

    /// What waits so many minutes after the last event.
    fn told_in(at: &Looked<'_>, minutes: i64) -> Vec<(String, usize)> {
        let event = at.load_whole().expect("loaded");
        let last = event.log.last().expect("an event").0.time;
        let now = last.unix_micros / 1_000 + minutes * 60_000;
        reports(at, &event, now, ANSWERED_WITHIN)
            .into_iter()
            .map(|one| (one.text, one.acts.len()))
            .collect()
    }

    #[test]
    fn late_claims_that_differ_are_listed_for_one_decision_and_those_that_agree_are_not() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 2).expect("a table").seats();
        let [first, second] = [0, 1].map(|seat| seats[seat].player);
        // Table 2 has 2-1.
        hall.order(Claim { slip: format!("#{first} 2-1") });
        assert_eq!(told(&hall.looked()), []);
        hall.order(Claim { slip: format!("#{second} 2-1") });
        let listed = told(&hall.looked());
        assert!(listed.len() == 1 && listed[0].1 == 2, "{listed:?}");
        assert!(listed[0].0.contains("recorded is"), "{listed:?}");
        let seq = hall.store.log().head(hall.stream).expect("a head").seq;
        let settle = Entry { at: 1, by: None, key: None, change: Change::Settle { seq } };
        let mut looked = hall.looked();
        looked.floor = Arc::new(Floor::of([settle]));
        assert_eq!(told(&looked), []);
        // A later claim is a new question.
        hall.order(Claim { slip: format!("#{second} 2-0") });
        assert_eq!(told(&looked).len(), 1);
        hall.correct("2 0-2");
        assert_eq!(told(&hall.looked()), [], "a correction behind it decides");
    }

    /// A result that the desk entered against a report that was there already asked nobody anything.
    #[test]
    fn a_report_that_the_desk_passed_over_waits_for_a_person() {
        let claimed = |slips: [Option<&str>; 2], result: &str| {
            let hall = hall();
            let state = hall.store.load(hall.stream, false).expect("loaded").state;
            let seats = state.at_table(1, 1).expect("a table").seats();
            for (seat, slip) in seats.iter().zip(slips) {
                if let Some(slip) = slip {
                    hall.order(Claim { slip: format!("#{} {slip}", seat.player) });
                }
            }
            hall.slip(result);
            hall
        };
        let one = claimed([Some("1-2"), None], "1 2-0");
        let listed = told(&one.looked());
        assert!(listed.len() == 1 && listed[0].1 == 2, "{listed:?}");
        assert!(listed[0].0.starts_with("Round 1, table 1: "), "{listed:?}");
        assert!(listed[0].0.contains(" reports ") && listed[0].0.contains("recorded is"));
        one.correct("1 2-1");
        assert_eq!(told(&one.looked()), [], "a correction decides");
        let both = told(&claimed([Some("1-2"), Some("2-1")], "1 2-0").looked());
        assert!(both.len() == 1 && both[0].0.contains(": both report "), "{both:?}");
        for (slips, result) in [
            ([Some("2-0"), None], "1 2-0"),
            ([Some("2-0"), Some("0-2")], "1 2-0"),
            // Whoever had both reports before them decided.
            ([Some("2-0"), Some("2-0")], "1 2-0"),
            ([Some("2-0"), Some("2-0")], "1 2-1"),
        ] {
            assert_eq!(told(&claimed(slips, result).looked()), [], "{slips:?} {result}");
        }
    }

    /// Both who report late that the record is wrong were two questions, and neither said so of the other.
    #[test]
    fn two_who_report_the_same_late_are_one_question() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 2).expect("a table").seats();
        // Table 2 has 2-1.
        hall.order(Claim { slip: format!("#{} 0-2", seats[0].player) });
        hall.order(Claim { slip: format!("#{} 2-0", seats[1].player) });
        let listed = told(&hall.looked());
        assert!(listed.len() == 1 && listed[0].0.contains(": both report "), "{listed:?}");
    }

    #[test]
    fn who_gets_no_answer_for_five_minutes_is_shown_to_the_desk_and_not_before() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 1).expect("a table").seats();
        hall.order(Claim { slip: format!("#{} 2-1", seats[0].player) });
        assert_eq!(told_in(&hall.looked(), 4), []);
        let listed = told_in(&hall.looked(), 6);
        assert!(listed.len() == 1 && listed[0].1 == 1, "{listed:?}");
        assert!(listed[0].0.ends_with("said nothing for 6 minutes"), "{listed:?}");
        hall.order(Claim { slip: format!("#{} 2-1", seats[1].player) });
        let listed = told_in(&hall.looked(), 6);
        assert!(listed.len() == 1 && listed[0].0.contains("different results"), "{listed:?}");
    }

    /// The button recorded the score as it was reported, which was refused, and nothing said what to type.
    #[test]
    fn a_report_that_leaves_a_game_loss_out_has_no_button_and_says_what_to_enter() {
        use scrutineer_desk::orders::{Penalty, Takes};
        let hall = super::super::kit::enrolled();
        hall.order(Pair::default());
        hall.order(Publish {});
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 1).expect("a table").seats();
        let both = |slips: [&str; 2]| {
            for (seat, slip) in seats.iter().zip(slips) {
                hall.order(Claim { slip: format!("#{} {slip}", seat.player) });
            }
            let listed = told(&hall.looked());
            let [(text, acts)] = &listed[..] else { panic!("{listed:?}") };
            (text.clone(), *acts)
        };
        let (player, takes) = (format!("#{}", seats[0].player), Some(Takes::GameLoss));
        let reason = "late".to_string();
        hall.order(Penalty { player, takes, reason, now: true, ..Penalty::default() });
        let (text, acts) = both(["2-0", "0-2"]);
        assert!(acts == 0 && text.contains("Not counted in that: a game loss of "), "{text}");
        let missing = super::super::missing::page(&hall.looked()).expect("a page");
        assert!(!missing.contains("Enter what both say"), "{missing}");
        let (text, acts) = both(["2-1", "1-2"]);
        assert!(acts == 1 && !text.contains("Not counted"), "{text}");
    }

    /// A closed desk went on asking for a drop that is refused then.
    #[test]
    fn a_wish_to_drop_waits_for_nobody_once_the_tournament_is_closed() {
        let hall = hall();
        let wish = Change::WishDrop { player: 1 };
        let mut looked = hall.looked();
        looked.floor = Arc::new(Floor::of([Entry { at: 1, by: None, key: None, change: wish }]));
        let is_told = || told(&looked).iter().any(|(text, _)| text.ends_with("wishes to drop"));
        hall.all_in();
        assert!(is_told());
        hall.order(scrutineer_desk::orders::Close::default());
        assert!(!is_told());
        let desk = super::super::desk::page(&looked).expect("a page");
        assert!(!desk.contains("wishes to drop"), "{desk}");
    }

    #[test]
    fn both_who_say_the_same_are_confirmed_by_a_button_and_who_wishes_to_drop_is_told() {
        let hall = hall();
        let state = hall.store.load(hall.stream, false).expect("loaded").state;
        let seats = state.at_table(1, 1).expect("a table").seats();
        hall.order(Claim { slip: format!("#{} 2-1", seats[0].player) });
        hall.order(Claim { slip: format!("#{} 1-2", seats[1].player) });
        let wish = Change::WishDrop { player: seats[0].player };
        let mut looked = hall.looked();
        looked.floor = Arc::new(Floor::of([Entry { at: 1, by: None, key: None, change: wish }]));
        let listed = told(&looked);
        assert!(listed.iter().any(|(text, acts)| text.contains("both say: ") && *acts == 1));
        assert!(listed.iter().any(|(text, _)| text.ends_with("wishes to drop")), "{listed:?}");
    }
}

//! A tournament as lines of text, twice: from the auditor's model and from the state of the
//! program. Two pictures that differ show the line in which they do.

use super::model::Model;
use scrutineer_engine::event::*;
use scrutineer_engine::tournament::{MatchView, Tournament};
use std::fmt::Write as _;

/// Rounds for which it is written down who plays.
const ROUNDS: std::ops::RangeInclusive<RoundNumber> = 1..=6;

pub fn of_model(model: &Model) -> Vec<String> {
    let mut lines = vec![format!("{} facts, closed: {}", model.head(), model.is_closed())];
    for number in 1..=model.numbers_given() {
        let Some((seq, enrolled)) = model.player(number) else {
            lines.push(format!("player {number} never enrolled"));
            continue;
        };
        let plays: Vec<_> = ROUNDS.filter(|round| model.plays(number, *round)).collect();
        let out = model.out(number);
        let is_in =
            |event: &Event| matches!(event, Event::PlayerCheckedIn(e) if e.player == number);
        let present = model.standing().any(|(at, event)| at > seq && is_in(event));
        let byes = enrolled.awarded_byes;
        lines.push(format!("player {number} {seq} {byes} {present} plays {plays:?} {out:?}"));
    }
    for (seq, event) in model.standing() {
        match event {
            Event::PhaseStarted(e) if e.first_seed <= 1 => {
                let (entrants, end) = (model.entrants(seq), model.phase_end(seq));
                lines.push(format!("phase {} {seq} {} {entrants:?} {end:?}", e.phase, e.kind));
            }
            Event::RoundOpened(e) => round_of_model(model, seq, e, &mut lines),
            Event::PenaltyGiven(e) => {
                lines.push(format!("penalty {seq} {} {} {:?}", e.player, e.kind, e.pairing));
            }
            Event::DisputeOpened(e) => {
                let ruling = model.ruling(seq);
                lines.push(format!("dispute {seq} {} {:?} {ruling:?}", e.pairing, e.by));
            }
            _ => {}
        }
    }
    lines.push(format!("lots {:?} {:?}", model.lots(), model.lots_order()));
    sorted(lines)
}

fn round_of_model(model: &Model, seq: Seq, round: &RoundOpened, lines: &mut Vec<String>) {
    let (published, completed) = (model.published(seq), model.completed(seq));
    let (number, phase) = (round.round, (round.phase, round.phase_round));
    let tables = model.tables(seq);
    let open = tables.iter().filter(|(pairing, _)| model.result(*pairing).is_none()).count();
    lines.push(format!("round {number} {seq} {phase:?} {published:?} {completed:?} open {open}"));
    for (pairing, table) in tables {
        let seats: Vec<_> = table.seats.iter().map(|seat| seat.player).collect();
        let advanced = model.standing().filter_map(|(_, event)| match event {
            Event::PlayerAdvanced(e) if e.pairing == pairing => Some(e.player),
            _ => None,
        });
        let advanced = advanced.last();
        let said = match (model.result(pairing), model.noted(pairing)) {
            (Some((seq, result)), _) => format!("{seq} {}", result_line(result)),
            (None, Some(score)) => format!("so far {}", score_line(score)),
            (None, None) => "open".to_owned(),
        };
        let place = table.table;
        lines.push(format!("table {pairing} in {number} {place:?} {seats:?} {advanced:?}: {said}"));
    }
    for (bye, e) in model.byes(seq) {
        lines.push(format!("bye {bye} in {number} {} {}", e.player, e.kind));
    }
}

pub fn of_state(state: &Tournament) -> Vec<String> {
    let mut lines = vec![format!("{} facts, closed: {}", state.head(), state.is_closed())];
    for player in state.players() {
        let number = player.number;
        if player.withdrawn {
            lines.push(format!("player {number} never enrolled"));
            continue;
        }
        let plays: Vec<_> = ROUNDS.filter(|round| player.takes_part_in(*round)).collect();
        let (out, present) = (player.dropped(), player.checked_in);
        let (seq, byes) = (player.enrolled, player.awarded_byes);
        lines.push(format!("player {number} {seq} {byes} {present} plays {plays:?} {out:?}"));
    }
    for phase in state.phases().iter().filter(|phase| !phase.withdrawn) {
        let (seq, entrants, end) = (phase.started, &phase.entrants, phase.ended);
        lines.push(format!("phase {} {seq} {} {entrants:?} {end:?}", phase.number, phase.kind));
    }
    for round in state.rounds().iter().filter(|round| !round.withdrawn) {
        let phase = (round.phase, round.phase_round);
        let (published, completed) = (round.published, round.completed);
        let (number, seq, open) = (round.number, round.opened, round.open_matches);
        lines.push(format!(
            "round {number} {seq} {phase:?} {published:?} {completed:?} open {open}"
        ));
    }
    lines.extend(state.matches().map(table_of_state));
    for bye in state.byes() {
        let number = state.rounds()[bye.round as usize].number;
        lines.push(format!("bye {} in {number} {} {}", bye.seq, bye.player, bye.kind));
    }
    for penalty in state.penalties().iter().filter(|penalty| !penalty.withdrawn) {
        let (seq, player, kind) = (penalty.seq, penalty.player, penalty.kind);
        lines.push(format!("penalty {seq} {player} {kind} {:?}", penalty.pairing));
    }
    for dispute in state.disputes().iter().filter(|dispute| state.dispute(dispute.seq).is_some()) {
        let (seq, pairing, by) = (dispute.seq, dispute.pairing, dispute.by);
        lines.push(format!("dispute {seq} {pairing} {by:?} {:?}", dispute.ruled));
    }
    let lots = state.lots();
    let order = lots.map(|lots| lots.order.clone()).unwrap_or_default();
    lines.push(format!("lots {:?} {order:?}", lots.map(|lots| lots.seq)));
    sorted(lines)
}

fn table_of_state(found: MatchView<'_>) -> String {
    let seats: Vec<_> = found.seats().iter().map(|seat| seat.player).collect();
    let said = match (found.result(), found.to_result()) {
        (Some(seq), Some(result)) => format!("{seq} {}", result_line(&result)),
        _ => match found.score() {
            Some(score) => format!("so far {}", score_line(&score.to_score())),
            None => "open".to_owned(),
        },
    };
    let (seq, number, place) = (found.seq(), found.round().number, found.table());
    format!("table {seq} in {number} {place:?} {seats:?} {:?}: {said}", found.advanced())
}

fn result_line(result: &MatchResult) -> String {
    let mut line = score_line(&result.score);
    let rulings: Vec<_> = result.rulings.iter().flatten().map(Ruling::to_string).collect();
    let served = &result.penalties_served;
    let _ = write!(line, " {rulings:?} {} {:?} {served:?}", result.how, result.grade);
    line
}

/// A slip that was left empty says nothing, however many seats it has.
fn score_line(score: &Score) -> String {
    let values = score.seats.iter().filter(|values| !values.is_empty());
    format!("{:?}/{:?}", values.collect::<Vec<_>>(), score.table)
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

/// The first line that only one of two pictures has.
pub fn difference(one: &[String], other: &[String]) -> Option<String> {
    let mine = one.iter().find(|line| !other.contains(line));
    let theirs = other.iter().find(|line| !one.contains(line));
    let said = |line: Option<&String>| line.cloned().unwrap_or_else(|| "nothing".to_owned());
    match (mine, theirs) {
        (None, None) if one.len() == other.len() => None,
        _ => Some(format!("the auditor has `{}`, the program `{}`", said(mine), said(theirs))),
    }
}

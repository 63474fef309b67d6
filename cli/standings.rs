//! `standings`: the table, and what decided each place.

use crate::Report;
use crate::args;
use crate::error::VerbError;
use crate::session::{Session, dated, say};
use scrutineer_desk::answers::{Dated, StandingsAnswer, line};
use scrutineer_desk::looking::{division_of, no_divisions};
use scrutineer_desk::orders::postponed_in_words;
use scrutineer_desk::signed::foot as foot_of_sheet;
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::event::{PhaseKind, PlayerNumber};
use scrutineer_projections::bracket_rounds::round_in_words;
use scrutineer_projections::counted;
use scrutineer_projections::cut::Cut;
use scrutineer_projections::divisions::{DivisionPlaces, divisions};
use scrutineer_projections::explain::{decided, value_of};
use scrutineer_projections::reach::disputed;
use scrutineer_projections::ruleset::{Step, called, shipped_hashes};
use scrutineer_projections::standings::{FOLD_VERSION, Row, Standings, shown_place};
use scrutineer_replay::loaded::LoadedTournament;
use scrutineer_replay::trust::digits;
use scrutineer_replay::trust::history::History;
use std::collections::BTreeMap;

/// Prints the standings.
pub fn run(session: &Session, options: &args::Standings) -> Result<Report, VerbError> {
    let store = session.store_to_read()?;
    let (event, mut standings) = session.standings(&store, &options.view)?;
    if let Some(typed) = &options.division {
        standings = standings.of_division(&event.state, division_of(&event.state, typed)?);
    }
    let by_division = options.by_division;
    if by_division && divisions(&event.state).is_empty() {
        return Err(no_divisions());
    }
    Ok(Report::yes(match session.json {
        true => {
            let answer = StandingsAnswer::of(&event, &standings);
            line(&Dated::of(&event, if by_division { answer.by_division() } else { answer }))
        }
        false => {
            let text = match by_division {
                true => text_by_division(&event, &standings),
                false => text(&event, &standings),
            };
            let history = || History::read(store.log(), event.stream).ok();
            let (foot, note) = foot_of_sheet(&store, &event, history);
            note.iter().for_each(|note| say(note));
            dated(&event, format!("{text}{foot}"))
        }
    }))
}

/// The standings as a table, with a head and a foot.
pub fn text(event: &LoadedTournament, standings: &Standings) -> String {
    let mut text = format!("{}\n\n{}", head(event, standings), rows(event, standings));
    text.push('\n');
    text.push_str(&foot(event, standings));
    text
}

/// The standings of each division, one behind the other.
fn text_by_division(event: &LoadedTournament, standings: &Standings) -> String {
    let mut text = format!("{}\n", head(event, standings));
    let state = &event.state;
    let mut placed = 0;
    for division in divisions(state) {
        let own = standings.of_division(state, division);
        let players = counted(own.rows.len(), "player");
        text.push_str(&format!("\n{division} · {players}\n\n{}", rows(event, &own)));
        placed += own.rows.len();
    }
    text.push('\n');
    match standings.rows.len() - placed {
        0 => {}
        1 => text.push_str("1 player has no division: the standings of all have their place\n"),
        more => text.push_str(&format!(
            "{more} players have no division: the standings of all have their places\n"
        )),
    }
    text.push_str(&foot(event, standings));
    text
}

/// Title, size, round and ruleset.
pub fn head(event: &LoadedTournament, standings: &Standings) -> String {
    let last = event.state.last_round().map_or(0, |round| round.number);
    let missing = event.state.round(standings.through).map_or(0, |round| round.open_matches);
    let called_round = |round| round_in_words(&event.state, round);
    let through = match standings.through {
        0 => "before round 1".to_string(),
        round if missing > 0 => {
            format!("{}, {missing} of its results missing", called_round(round))
        }
        round if round == last => format!("after {}", called_round(round)),
        round => format!("after {} of {last}", called_round(round)),
    };
    let running = match (standings.is_final, &standings.rules.running_order) {
        (false, Some(_)) => ", running order",
        _ => "",
    };
    let day = event.state.opened().and_then(|opened| opened.held_on);
    let day = day.map_or(String::new(), |day| format!(" · {day}"));
    let (title, players) = (event.title(), counted(standings.rows.len(), "player"));
    let rules = called(&standings.rules.files);
    let division = standings.division().map_or(String::new(), |name| format!(" · {name}"));
    format!("{title}{day}{division} · {players} · {through} · {rules}{running}")
}

fn rows(event: &LoadedTournament, standings: &Standings) -> String {
    let measures = standings.ranking_measures();
    // Beside the place stands the one that it is not: that in the division, or that among all.
    let divided = DivisionPlaces::of(&event.state, standings);
    let other = match standings.division() {
        Some(_) => Some(("all", Align::Right)),
        None if divided.is_empty() => None,
        None => Some(("division", Align::Left)),
    };
    let everybody = standings.everybody();
    let among_all: BTreeMap<PlayerNumber, usize> = match standings.division() {
        Some(_) => everybody.iter().zip(0..).map(|(row, at)| (row.player, at)).collect(),
        None => BTreeMap::new(),
    };
    let other_place = |row: &Row| match (standings.division(), divided.of_player(row.player)) {
        (Some(_), _) => {
            let at = among_all.get(&row.player);
            at.map_or(String::new(), |at| shown_place(everybody, *at))
        }
        (None, Some(found)) => format!("{} {}", found.name, found.place()),
        (None, None) => String::new(),
    };
    let mut head = vec![("#", Align::Right)];
    head.extend(other);
    head.extend([("player", Align::Left), ("record", Align::Left)]);
    let of = |measure: &usize| (&standings.rules.measures[*measure].label[..], Align::Right);
    head.extend(measures.iter().map(of));
    head.push(("decided by", Align::Left));
    let mut table = Aligned::new(head);
    let cut = Cut::of(&event.state, standings, None);
    let line_at = cut.as_ref().and_then(Cut::line);
    let line = |cut: &Cut| {
        let tie = if cut.tie.is_some() { ", across a tie" } else { "" };
        let of = match cut.players.len() {
            all if all == cut.size as usize => String::new(),
            fewer => format!(", {fewer} of them are left"),
        };
        let mut line = vec!["—".to_string()];
        line.extend(other.map(|_| String::new()));
        line.push(format!("cut to top {}{tie}{of}", cut.size));
        line.into_iter().chain(measures.iter().map(|_| String::new()))
    };
    for (at, row) in standings.rows.iter().enumerate() {
        if let Some(cut) = cut.as_ref().filter(|_| line_at == Some(at)) {
            table.row(line(cut));
        }
        let passed = cut.iter().flat_map(|cut| &cut.passed).find(|(out, _)| *out == row.player);
        let passed = passed.map_or(String::new(), |(_, why)| format!(" ({why})"));
        let name = format!("{}{passed}", event.name(row.player));
        let mut cells = vec![shown_place(&standings.rows, at)];
        cells.extend(other.map(|_| other_place(row)));
        cells.extend([name, standings.record(row).map_or(String::new(), |won| won.to_string())]);
        cells.extend(measures.iter().map(|measure| value(standings, *measure, row)));
        cells.push(decided(&event.state, standings, row));
        table.row(cells);
    }
    let another = cut.filter(Cut::is_another).map_or(String::new(), |cut| {
        let went_on: Vec<String> = cut.went_on.iter().map(|one| event.name(*one)).collect();
        format!("another cut to top {} was made: {} went on\n", cut.size, went_on.join(", "))
    });
    let out = standings.disqualified(&event.state).into_iter();
    let out: Vec<String> = out.map(|(player, _)| event.name(player)).collect();
    let out = match out.is_empty() {
        true => String::new(),
        false => format!("disqualified, without a place: {}\n", out.join(", ")),
    };
    table.text() + &another + &out
}

fn measure_of(step: &Step) -> Option<usize> {
    match step {
        Step::Measure { measure, .. } => Some(*measure),
        Step::HeadToHead { .. } => None,
    }
}

/// A value; empty where the measure does not rank in the player's phase.
fn value(standings: &Standings, measure: usize, row: &Row) -> String {
    let mut ranks = standings.layer(row).steps.iter().filter_map(measure_of);
    if !ranks.any(|other| other == measure) {
        return String::new();
    }
    value_of(standings, measure, row).map_or("-".into(), |value| value.text)
}

/// Rounds of phases that the ruleset does not count, such as a cut after Swiss rounds, where they
/// decide nothing or only who is out of the bracket.
fn not_counted(event: &LoadedTournament, standings: &Standings) -> String {
    let rounds = event.state.rounds().iter().filter(|round| !round.withdrawn);
    let rounds = rounds.filter(|round| round.number <= standings.through);
    let other = rounds.filter_map(|round| {
        let kind = event.state.phase_of(round)?.kind;
        (!standings.rules.counts(kind, round.phase)).then_some((round.number, kind))
    });
    let other: Vec<(u16, PhaseKind)> = other.collect();
    let judged = other.iter().any(|(_, kind)| standings.rules.judges(*kind));
    let (rounds, counts) = match &other[..] {
        [] => return String::new(),
        [(one, _)] => (format!("round {one}"), "counts"),
        [(first, _), .., (last, _)] => (format!("rounds {first} to {last}"), "count"),
    };
    match judged {
        true => format!("{rounds} {counts} here only for who is knocked out\n"),
        false => format!("{rounds} of another phase {counts} for nothing here\n"),
    }
}

fn foot(event: &LoadedTournament, standings: &Standings) -> String {
    let mut foot = not_counted(event, standings);
    if let Some(postponed) = postponed_in_words(&event.state, standings.through) {
        foot.push_str(&format!("{postponed}: nothing of that counts yet\n"));
    }
    for found in disputed(&event.state).filter(|one| one.round().number <= standings.through) {
        let table = found.table().map_or("?".to_string(), |table| table.to_string());
        foot.push_str(&format!(
            "the result of table {table} in {} is disputed: until the ruling any other can come\n",
            round_in_words(&event.state, found.round().number)
        ));
    }
    let is_shipped = shipped_hashes().contains(&standings.rules.hash);
    let not_shipped = if is_shipped { "" } else { " · not shipped" };
    foot.push_str(&format!(
        "log head {} · scrutineer {} (fold {FOLD_VERSION})\nruleset {} {}{not_shipped}\ntable {}\n",
        event.state.head(),
        env!("CARGO_PKG_VERSION"),
        standings.rules.id,
        digits(&standings.rules.hash),
        digits(&standings.hash()),
    ));
    foot
}

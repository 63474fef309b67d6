//! A step in words, for whoever has to find out what went wrong.

use super::auditor::Said;
use super::flaky::{Fault, Rival};
use scrutineer_engine::command::Command;
use scrutineer_engine::event::Event;
use scrutineer_engine::handler::{Answer, CommandError, Request};

pub fn step(
    desk: usize,
    request: &Request,
    said: &Said,
    wrong: &[Fault],
    rival: Option<&Rival>,
) -> String {
    let mut text = format!("desk {}: {}", desk + 1, asked(request));
    if let Some((rival, answer)) = rival {
        let answer = answer.as_ref().map_or("had no occasion".to_owned(), answered);
        text.push_str(&format!("; meanwhile {} -> {answer}", asked(rival)));
    }
    let names: Vec<&str> = wrong.iter().map(|fault| fault.name()).collect();
    if !names.is_empty() {
        text.push_str(&format!("; {}", names.join(", ")));
    }
    let answer = said.as_ref().map_or("the power failed".to_owned(), answered);
    format!("{text} -> {answer}")
}

fn asked(request: &Request) -> String {
    let expected = request.expected.map(|head| format!(", made up at {head}")).unwrap_or_default();
    let words = match request.private.len() {
        0 => String::new(),
        count => format!(", {count} words"),
    };
    let Request { id, time, .. } = request;
    format!(
        "{} (id {:x}, time {}{expected}{words})",
        what(&request.command),
        id.0,
        time.unix_micros
    )
}

fn answered(said: &Result<Answer, CommandError>) -> String {
    match said {
        Ok(Answer { first_seq, last_seq, repeated }) => {
            let again = if *repeated { ", again" } else { "" };
            format!("events {first_seq} to {last_seq}{again}")
        }
        Err(refusal) => format!("{}: {refusal}", refusal.code()),
    }
}

fn what(command: &Command) -> String {
    match command {
        Command::Record(events) => {
            let events: Vec<String> = events.iter().map(event).collect();
            format!("record [{}]", events.join(", "))
        }
        Command::Enrol(players) => format!("enroll {}", players.len()),
        Command::OpenRound { round, pairings, byes } => {
            let seats = |pairing: &scrutineer_engine::event::PairingMade| {
                let players: Vec<_> = pairing.seats.iter().map(|seat| seat.player).collect();
                format!("{players:?}")
            };
            let tables: Vec<String> = pairings.iter().map(seats).collect();
            let byes: Vec<_> = byes.iter().map(|bye| bye.player).collect();
            format!("open round {}: {}, byes {byes:?}", round.round, tables.join(" "))
        }
        Command::Result { round, table, .. } => format!("result of table {table} in round {round}"),
        Command::Correct { round, table, .. } => format!("correct table {table} in round {round}"),
        Command::Advance { round, table, player, .. } => {
            format!("advance {player} from table {table} in round {round}")
        }
        Command::CompleteRound => "complete the round".to_owned(),
    }
}

fn event(event: &Event) -> String {
    let fields = serde_json::to_string(event).unwrap_or_default();
    let mut text = format!("{} {fields}", event.word());
    // An opening or an enrollment in full would be too much.
    if let Some((end, _)) = text.char_indices().nth(160) {
        text.truncate(end);
        text.push('…');
    }
    text
}

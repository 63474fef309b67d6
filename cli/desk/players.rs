//! `players`: the roster.

use super::{AtDesk, Told};
use crate::Report;
use crate::fail::Fail;
use crate::table::{Align, Aligned};
use scrutineer_engine::event::DropReason;
use scrutineer_engine::tournament::Player;
use scrutineer_projections::crosstable::Scope;
use scrutineer_projections::standings::{Detail, Standings};
use serde_json::{Value, json};

/// Lists the players.
pub fn run(at: &AtDesk<'_>) -> Result<Report, Fail> {
    let (state, names) = (at.state()?, at.names()?);
    let rules = at.desk.rules(&state)?;
    let played = state.last_round().is_some();
    // A roster is shown even where results cannot be ranked.
    let standings = match played {
        true => Standings::of(&state, &rules, Scope::default(), Detail::Order).ok(),
        false => None,
    };
    let record = |player: &Player| {
        let row = standings.as_ref().and_then(|standings| standings.row(player.number));
        row.map_or(String::new(), |row| row.record.to_string())
    };
    let here: Vec<&Player> = state.players().iter().filter(|player| !player.withdrawn).collect();
    let rated = here.iter().any(|player| player.rating.is_some());
    let mut head = vec![("number", Align::Right), ("player", Align::Left)];
    head.extend(rated.then_some(("rating", Align::Right)));
    head.extend(played.then_some(("record", Align::Left)));
    head.push(("", Align::Left));
    let mut table = Aligned::new(head);
    for player in &here {
        let mut cells = vec![player.number.to_string(), names.name(player.number)];
        let rating = || player.rating.map_or(String::new(), |rating| rating.to_string());
        cells.extend(rated.then(rating));
        cells.extend(played.then(|| record(player)));
        cells.push(remarks(player).join(", "));
        table.row(cells);
    }
    let next = state.next_round_number();
    let taking_part = here.iter().filter(|player| player.takes_part_in(next)).count();
    let text = format!(
        "{}\n{taking_part} of {} take part in round {next}\n",
        table.text().trim_end(),
        here.len()
    );
    let rows: Vec<Value> = here
        .iter()
        .map(|player| {
            json!({
                "number": player.number, "name": names.name(player.number),
                "rating": player.rating, "division": player.division,
                "byes": player.awarded_byes, "from_round": player.from_round,
                "record": record(player),
                "dropped": player.dropped().map(|(why, _)| why.to_string()),
                "after_round": player.dropped().map(|(_, after)| after),
            })
        })
        .collect();
    Ok(at.answer(Told::only(text, json!({ "verb": "players", "players": rows }))))
}

fn remarks(player: &Player) -> Vec<String> {
    let mut words = Vec::new();
    if let Some((why, after)) = player.dropped() {
        let how = match why {
            DropReason::Left => "dropped",
            DropReason::NoShow => "no-show",
            DropReason::Disqualified => "disqualified",
        };
        words.push(match after {
            0 => format!("{how} before round 1"),
            after => format!("{how} after round {after}"),
        });
    }
    if player.from_round > 1 {
        words.push(format!("from round {}", player.from_round));
    }
    match player.awarded_byes {
        0 => {}
        1 => words.push("1 bye".into()),
        byes => words.push(format!("{byes} byes")),
    }
    words.extend(player.division.clone());
    words
}

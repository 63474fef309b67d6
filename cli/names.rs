//! Finding a player by what somebody typed.

use crate::fail::Fail;
use scrutineer_engine::event::PlayerNumber;
use scrutineer_replay::archive::OpenEvent;

/// The player that is meant: by number, by name, or by a part of it that only he has.
pub fn find_player(event: &OpenEvent, typed: &str) -> Result<PlayerNumber, Fail> {
    let players = || event.state.players().iter().filter(|player| !player.withdrawn);
    let all: Vec<(PlayerNumber, String)> =
        players().map(|player| (player.number, event.name(player.number))).collect();
    let wanted = typed.trim().to_lowercase();
    let exact = |name: &str| name.to_lowercase() == wanted;
    let part = |name: &str| name.to_lowercase().contains(&wanted);
    let by_number = wanted.trim_start_matches('#').parse::<PlayerNumber>().ok();
    let by_number = by_number.filter(|n| all.iter().any(|(number, _)| number == n));
    if let Some(number) = by_number.filter(|_| !all.iter().any(|(_, name)| exact(name))) {
        return Ok(number);
    }
    let tests: [&dyn Fn(&str) -> bool; 2] = [&exact, &part];
    for test in tests {
        let found: Vec<&(PlayerNumber, String)> =
            all.iter().filter(|(_, name)| test(name)).collect();
        match &found[..] {
            [] => {}
            [(number, _)] => return Ok(*number),
            several => return Err(ambiguous(typed, several)),
        }
    }
    let number = wanted.parse().ok().filter(|n| all.iter().any(|(number, _)| number == n));
    number.ok_or_else(|| unknown(typed, &wanted, &all))
}

fn ambiguous(typed: &str, several: &[&(PlayerNumber, String)]) -> Fail {
    let shown = several.iter().take(8).map(|(number, name)| format!("{name} (number {number})"));
    let mut names = shown.collect::<Vec<_>>().join(", ");
    if several.len() > 8 {
        names.push_str(", …");
    }
    let message = format!("{} players could be meant by {typed:?}: {names}", several.len());
    Fail::new("which-player", message, "type more of the name, or the number")
}

fn unknown(typed: &str, wanted: &str, all: &[(PlayerNumber, String)]) -> Fail {
    let likeness = |name: &str| strsim::jaro_winkler(&name.to_lowercase(), wanted);
    let close = all.iter().map(|(_, name)| (likeness(name), name));
    let best = close.filter(|(likeness, _)| *likeness > 0.75);
    let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
    let meant = best.map_or(String::new(), |(_, name)| format!("; did you mean {name:?}?"));
    let message = format!("no player is called {typed:?}{meant}");
    Fail::new("unknown-player", message, "`scrutineer standings` lists them")
}

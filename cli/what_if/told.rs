//! What would be, in words and for programs.

use super::Outcome;
use crate::compare::{because, moved};
use crate::desk::against;
use crate::names::Names;
use crate::session::{hex, rules_in_words};
use crate::table::{Align, Aligned};
use scrutineer_engine::event::PlayerNumber;
use scrutineer_projections::compare::{AtCut, Comparison};
use scrutineer_replay::redraw::Place;
use scrutineer_replay::what_if::{AsDrawn, LaterRound, MadeCut, Repairing, WhatIf};
use serde_json::{Value, json};

/// All of it in words.
pub fn text(outcome: &Outcome, names: &Names, shown: usize) -> String {
    let Outcome { event, what_if, .. } = outcome;
    let mut text = format!("What if, in {} after event {}:\n", event.title(), event.state.head());
    for (number, step) in (1..).zip(&outcome.steps) {
        let mut lines = step.said.lines().filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or(&step.typed);
        text.push_str(&format!("  {number}. {first}\n"));
        lines.for_each(|line| text.push_str(&format!("     {}\n", line.trim())));
    }
    text.push('\n');
    text.push_str(&places(outcome, shown));
    for cut in &what_if.cuts {
        text.push_str(&format!("{}\n", made(names, cut)));
    }
    for round in &what_if.rounds {
        text.push_str(&drawn(names, round, shown));
    }
    if let Some(repair) = &outcome.repair {
        text.push_str(&repaired(names, repair));
    }
    text.push_str("Nothing was recorded.\n");
    text
}

fn places(outcome: &Outcome, shown: usize) -> String {
    let Outcome { after, what_if, .. } = outcome;
    let found = &what_if.compared;
    let mut text = String::new();
    let (is, would) = (&what_if.before.rules.id, &what_if.after.rules.id);
    if is != would {
        let (is, would) = (rules_in_words(is), rules_in_words(would));
        text.push_str(&format!("Under {would}, no longer {is}.\n"));
    }
    if what_if.nobody_moves() {
        let changed = what_if.before.hash() != what_if.after.hash();
        let values = if changed { ", though values behind them differ" } else { "" };
        text.push_str(&format!(
            "Nobody moves: all {} places are the same{values}.\n",
            found.unchanged
        ));
        return text + &cut_line(outcome);
    }
    let mut table = Aligned::new([
        ("player", Align::Left),
        ("now", Align::Right),
        ("then", Align::Right),
        ("", Align::Left),
        ("because", Align::Left),
    ]);
    for one in found.moves.iter().take(shown) {
        let (is, how) = match one.first {
            0 => ("-".to_string(), "takes a place".to_string()),
            first => (first.to_string(), moved(one, found.cut)),
        };
        table.row([after.name(one.player), is, one.second.to_string(), how, because(after, one)]);
    }
    for (player, place) in &what_if.out {
        let how = "takes no place".to_string();
        table.row([after.name(*player), place.to_string(), "-".into(), how, String::new()]);
    }
    text.push_str(&table.text());
    if found.moves.len() > shown {
        let rest = found.moves.len() - shown;
        text.push_str(&format!("  … and {rest} more, all of them with --all\n"));
    }
    text.push_str(&match found.unchanged {
        0 => "Everybody moves.\n".to_string(),
        1 => "One player stays where he is.\n".to_string(),
        count => format!("{count} players stay where they are.\n"),
    });
    text + &cut_line(outcome)
}

fn cut_line(outcome: &Outcome) -> String {
    let found = &outcome.what_if.compared;
    let names = Names::of(&outcome.after.state, &outcome.after.book);
    cut_in_words(&names, &outcome.what_if).map_or(String::new(), |words| match found.cut {
        Some(cut) => format!("Top {cut}: {words}.\n"),
        None => String::new(),
    })
}

/// Who crosses the cut that is to come: `Ann enters, Bob leaves`; none where no cut is to come.
pub fn cut_in_words(names: &Names, what_if: &WhatIf) -> Option<String> {
    let cut = what_if.compared.cut?;
    let (enters, leaves) = crossing(&what_if.compared, what_if, cut);
    Some(match (enters.is_empty(), leaves.is_empty()) {
        (true, true) => "the same".into(),
        (false, true) => in_or_out(names, &enters, "enter"),
        (true, false) => in_or_out(names, &leaves, "leave"),
        (false, false) => {
            let enters = in_or_out(names, &enters, "enter");
            format!("{enters}, {}", in_or_out(names, &leaves, "leave"))
        }
    })
}

/// Who enters the cut and who leaves it.
fn crossing(
    found: &Comparison,
    what_if: &WhatIf,
    cut: u32,
) -> (Vec<PlayerNumber>, Vec<PlayerNumber>) {
    let at = |which: AtCut| {
        let of_it = found.moves.iter().filter(move |one| one.at_cut == Some(which));
        of_it.map(|one| one.player).collect::<Vec<_>>()
    };
    let mut leaves = at(AtCut::Leaves);
    let was_in = |player| what_if.before.position(player).is_some_and(|at| at < cut as usize);
    leaves.extend(what_if.out.iter().map(|(player, _)| *player).filter(|&player| was_in(player)));
    (at(AtCut::Enters), leaves)
}

fn in_or_out(names: &Names, players: &[PlayerNumber], verb: &str) -> String {
    let s = if players.len() == 1 { "s" } else { "" };
    format!("{} {verb}{s}", names.list(players, ", "))
}

/// A cut that was made and would have been another.
fn made(names: &Names, cut: &MadeCut) -> String {
    let MadeCut { phase, size, enters, leaves, reseeded } = cut;
    match reseeded {
        true => format!(
            "Phase {phase} began with these {size} players; they would have had other seeds."
        ),
        false => format!(
            "Phase {phase} began with {} and would have begun with {} (of {size}); it stays as it is.",
            names.list(leaves, ", "),
            names.list(enters, ", "),
        ),
    }
}

/// A round in a few words: `round 3: 4 of 12 tables otherwise`; none where it would be the same.
fn round_in_words(round: &LaterRound) -> Option<String> {
    let (number, tables) = (round.round, round.tables);
    match &round.drawn {
        AsDrawn::Same | AsDrawn::NotDrawn => None,
        AsDrawn::Otherwise { .. } if round.otherwise() == 0 => {
            Some(format!("round {number}: other byes"))
        }
        AsDrawn::Otherwise { .. } => {
            Some(format!("round {number}: {} of {tables} tables otherwise", round.otherwise()))
        }
        AsDrawn::Unknown(why) => Some(format!("round {number}: {why}")),
    }
}

/// The rounds that would have been drawn otherwise, in a few words.
pub fn rounds_in_words(what_if: &WhatIf) -> Vec<String> {
    what_if.rounds.iter().filter_map(round_in_words).collect()
}

fn drawn(names: &Names, round: &LaterRound, shown: usize) -> String {
    let number = round.round;
    let seen = match round.is_out {
        true => "and stays as it is",
        false => "and nobody has seen it: `pair --again` draws it anew",
    };
    let mut text = match &round.drawn {
        AsDrawn::Same => format!("Round {number} would have been drawn the same.\n"),
        AsDrawn::NotDrawn => format!("Round {number} was not drawn here, so it says nothing.\n"),
        AsDrawn::Unknown(why) => format!("Round {number}: {why}.\n"),
        AsDrawn::Otherwise { drawn, instead } => {
            let (count, tables) = (round.otherwise(), round.tables);
            let mut text = format!(
                "Round {number}, known at once, would have been drawn otherwise at {count} of {tables} tables; it is drawn {seen}.\n"
            );
            for (head, places) in [("drawn", drawn), ("would be", instead)] {
                let mut sorted: Vec<&Place> = places.iter().collect();
                sorted.sort_by_key(|place| (place.bye.is_some(), place.table));
                for place in sorted.iter().take(shown) {
                    text.push_str(&format!("  {head:<9} {}\n", place_in_words(names, place)));
                }
                if sorted.len() > shown {
                    text.push_str(&format!(
                        "  … and {} more, all with --all\n",
                        sorted.len() - shown
                    ));
                }
            }
            text
        }
    };
    for place in round.by_hand.iter().take(shown) {
        text.push_str(&format!("  by hand   {}\n", place_in_words(names, place)));
    }
    text
}

fn place_in_words(names: &Names, place: &Place) -> String {
    match (place.bye, place.table) {
        (Some(kind), _) => format!("{}, {kind}", names.list(&place.players, ", ")),
        (None, Some(table)) => format!("table {table}: {}", against(names, &place.players)),
        (None, None) => against(names, &place.players),
    }
}

fn repaired(names: &Names, repair: &Repairing) -> String {
    let Repairing { round, out, broken, tables, kept, found } = repair;
    let mut words = vec!["repair".to_string()];
    words.extend(out.iter().map(|&player| format!("--out {:?}", names.name(player))));
    words.extend(broken.iter().map(|table| format!("--table {table}")));
    words.push("--reason <why>".into());
    let command = words.join(" ");
    let who = match out.is_empty() {
        true => String::new(),
        false => format!("If {} does not play round {round}: ", names.list(out, " or ")),
    };
    let found = match found {
        Err(error) => {
            return format!("{who}round {round} cannot be repaired: {error}\n");
        }
        Ok(_) if kept == tables => {
            return format!("{who}a repair of round {round} would set the same tables again.\n");
        }
        Ok(found) => found,
    };
    let mut text = format!(
        "{who}the least repair of round {round} leaves {kept} of {tables} tables as they are:\n"
    );
    for (table, seats) in &found.tables {
        text.push_str(&format!("  table {table}: {}\n", against(names, seats)));
    }
    for &player in &found.byes {
        text.push_str(&format!("  {} has the bye\n", names.name(player)));
    }
    text.push_str(&format!("  so it is done: scrutineer {command}\n"));
    text
}

fn person(names: &Names, number: PlayerNumber) -> Value {
    json!({ "number": number, "name": names.name(number) })
}

fn people(names: &Names, numbers: &[PlayerNumber]) -> Vec<Value> {
    numbers.iter().map(|&number| person(names, number)).collect()
}

/// All of it for programs.
pub fn to_json(outcome: &Outcome, names: &Names) -> Value {
    let Outcome { event, steps, what_if, repair, .. } = outcome;
    let mut value = changes_json(names, what_if);
    value["event"] = json!(event.title());
    value["id"] = json!(event.stream.to_string());
    value["log_head"] = json!(event.state.head());
    value["commands"] = steps.iter().map(super::Step::to_json).collect();
    value["repair"] = json!(repair.as_ref().map(|repair| repair_json(names, repair)));
    value
}

/// What would change, for programs.
pub fn changes_json(names: &Names, what_if: &WhatIf) -> Value {
    let found = &what_if.compared;
    let moves: Vec<Value> = found
        .moves
        .iter()
        .map(|one| {
            json!({
                "player": person(names, one.player),
                "now": (one.first > 0).then_some(one.first), "then": one.second,
                "passes": one.passes.map(|(player, _)| person(names, player)),
                "passing": one.passes.map(|(_, passing)| format!("{passing:?}")),
                "step_now": one.first_step, "step_then": one.second_step,
            })
        })
        .collect();
    let out: Vec<Value> = what_if
        .out
        .iter()
        .map(|(player, place)| json!({ "player": person(names, *player), "now": place }))
        .collect();
    let cut = found.cut.map(|cut| {
        let (enters, leaves) = crossing(found, what_if, cut);
        json!({ "top": cut, "enters": people(names, &enters), "leaves": people(names, &leaves) })
    });
    let made = |cut: &MadeCut| {
        json!({
            "phase": cut.phase, "players": cut.size, "enters": people(names, &cut.enters),
            "leaves": people(names, &cut.leaves), "reseeded": cut.reseeded,
        })
    };
    let table = |standings: &scrutineer_projections::standings::Standings| json!({ "rules": standings.rules.id, "table_hash": hex(&standings.hash()) });
    json!({
        "now": table(&what_if.before), "then": table(&what_if.after),
        "moves": moves, "out": out, "unchanged": found.unchanged, "cut": cut,
        "cuts_made": what_if.cuts.iter().map(made).collect::<Vec<Value>>(),
        "rounds": what_if.rounds.iter().map(|one| round_json(names, one)).collect::<Vec<Value>>(),
    })
}

fn round_json(names: &Names, round: &LaterRound) -> Value {
    let places = |places: &[Place]| -> Vec<Value> {
        let place = |place: &Place| json!({ "table": place.table, "players": people(names, &place.players), "bye": place.bye.map(|kind| kind.to_string()) });
        places.iter().map(place).collect()
    };
    let (verdict, drawn, instead, why) = match &round.drawn {
        AsDrawn::Same => ("same", Vec::new(), Vec::new(), None),
        AsDrawn::NotDrawn => ("not drawn", Vec::new(), Vec::new(), None),
        AsDrawn::Unknown(why) => ("unknown", Vec::new(), Vec::new(), Some(why)),
        AsDrawn::Otherwise { drawn, instead } => {
            ("otherwise", places(drawn), places(instead), None)
        }
    };
    json!({
        "round": round.round, "out": round.is_out, "tables": round.tables, "verdict": verdict,
        "drawn": drawn, "instead": instead, "why": why, "by_hand": places(&round.by_hand),
    })
}

fn repair_json(names: &Names, repair: &Repairing) -> Value {
    let (tables, byes, error) = match &repair.found {
        Ok(found) => {
            let table = |(table, seats): &(u32, Vec<PlayerNumber>)| json!({ "table": table, "players": people(names, seats) });
            let tables: Vec<Value> = found.tables.iter().map(table).collect();
            (tables, people(names, &found.byes), None)
        }
        Err(error) => (
            Vec::new(),
            Vec::new(),
            Some(json!({ "code": error.code(), "message": error.to_string() })),
        ),
    };
    json!({
        "round": repair.round, "out": people(names, &repair.out), "broken": repair.broken,
        "of": repair.tables, "kept": repair.kept, "tables": tables, "byes": byes, "error": error,
    })
}

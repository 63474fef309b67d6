//! `repair`, `set-pairing`: tables of a round that is paired are changed.

use super::sheet::against;
use super::{AtDesk, Told, next};
use crate::Report;
use crate::args::{Repair, SetPairing};
use crate::fail::Fail;
use crate::names::Names;
use scrutineer_replay::desk::{Done, Repaired};
use serde_json::{Value, json};

/// Pairs anew what is out of order.
pub fn repair(at: &AtDesk<'_>, options: &Repair) -> Result<Report, Fail> {
    let names = at.names()?;
    let mut out = Vec::new();
    for typed in &options.out {
        out.push(names.find(typed)?);
    }
    let repaired = at.desk.repair(&out, &options.table, &options.reason);
    let (repaired, done) = repaired.map_err(|error| at.refused(&names, error))?;
    told(at, "repair", &names, &out, &repaired, &done)
}

/// Seats players by hand.
pub fn set(at: &AtDesk<'_>, options: &SetPairing) -> Result<Report, Fail> {
    let names = at.names()?;
    let mut players = Vec::new();
    for typed in &options.players {
        players.push(names.find(typed)?);
    }
    let set = at.desk.set_pairing(&players, options.table, &options.reason);
    let (repaired, done) = set.map_err(|error| at.refused(&names, error))?;
    told(at, "set-pairing", &names, &[], &repaired, &done)
}

fn told(
    at: &AtDesk<'_>,
    verb: &str,
    names: &Names,
    out: &[u32],
    repaired: &Repaired,
    done: &Done,
) -> Result<Report, Fail> {
    let state = at.state()?;
    let mut text = String::new();
    if !out.is_empty() {
        text.push_str(&format!("out: {}\n", names.list(out, ", ")));
    }
    for (table, seats) in &repaired.tables {
        text.push_str(&format!("table {table}: {}\n", against(names, seats)));
    }
    for &player in &repaired.byes {
        text.push_str(&format!("{} has the bye\n", names.name(player)));
    }
    if !repaired.unpaired.is_empty() {
        let who = names.list(&repaired.unpaired, ", ");
        text.push_str(&format!("without a table now: {who}\n"));
    }
    let player = |&n: &u32| json!({ "number": n, "name": names.name(n) });
    let table = |(table, seats): &(u32, Vec<u32>)| json!({ "table": table, "players": seats.iter().map(player).collect::<Vec<Value>>() });
    let json = json!({
        "verb": verb, "out": out.iter().map(player).collect::<Vec<Value>>(),
        "tables": repaired.tables.iter().map(table).collect::<Vec<Value>>(),
        "byes": repaired.byes.iter().map(player).collect::<Vec<Value>>(),
        "unpaired": repaired.unpaired.iter().map(player).collect::<Vec<Value>>(),
    });
    let next = match repaired.unpaired.is_empty() {
        true => next::step(at, &state)?,
        false => at.command("repair --reason <why>"),
    };
    Ok(at.answer(Told::of(done, text, json).next(next)))
}

//! `undo`: a whole command is taken back.

use super::words::not_taken_back;
use super::{AtDesk, Told, next};
use crate::Report;
use crate::args::Undo;
use crate::events::Known;
use crate::fail::Fail;
use scrutineer_projections::timeline::sentence;
use serde_json::{Value, json};

/// How many events are told one by one.
const TOLD: usize = 12;

/// Undoes a command, and says what it did.
pub fn run(at: &AtDesk<'_>, options: &Undo) -> Result<Report, Fail> {
    let names = at.names()?;
    // Before they are taken back their tables are still there to be named.
    let before = at.archive.load(at.desk.stream(), true)?;
    let undone = match at.desk.undo(options.seq, &options.reason) {
        Ok(undone) => undone,
        Err(error) => {
            let mut fail = not_taken_back(at, &names, error)?;
            if fail.code == "cannot-withdraw" {
                fail.hint = Some(
                    "`scrutineer log` shows what came before: `undo <event>` undoes the command of \
                     that event"
                        .into(),
                );
            }
            if fail.code == "still-needed" {
                fail.hint = Some("undo that first: `scrutineer undo <event>`".into());
            }
            return Err(fail);
        }
    };
    let of_command = |seq: u64| (undone.first..=undone.last).contains(&seq);
    let logged = before.log.iter().filter(|(header, _)| of_command(header.seq));
    let all: Vec<(u64, String)> = logged
        .filter(|(header, _)| !undone.stays.contains(&header.seq))
        .map(|(header, event)| {
            (header.seq, sentence(&before.state, header.seq, event, &Known(&before)))
        })
        .collect();
    let mut text = match undone.first == undone.last {
        true => format!("undone, event {}:\n", undone.first),
        false => format!("undone, events {} to {}:\n", undone.first, undone.last),
    };
    for (_, what) in all.iter().take(TOLD) {
        text.push_str(&format!("  {what}\n"));
    }
    if all.len() > TOLD {
        text.push_str(&format!("  and {} more\n", all.len() - TOLD));
    }
    let events: Vec<Value> =
        all.iter().map(|(seq, what)| json!({ "seq": seq, "what": what })).collect();
    let json = json!({
        "verb": "undo", "undone_first": undone.first, "undone_last": undone.last,
        "undone": events, "stays": undone.stays,
    });
    let next = next::step(at, &*at.state()?)?;
    Ok(at.answer(Told::of(&undone.done, text, json).next(next)))
}

//! `note`, `withdraw`, `reseed`: what is said about the log itself.

use super::{AtDesk, Told};
use crate::Report;
use crate::args::{Note, Reseed, Withdraw};
use crate::events::Known;
use crate::fail::Fail;
use crate::session::hex;
use scrutineer_engine::event::Event;
use scrutineer_engine::rejection::Rejection;
use scrutineer_engine::scorekeeper::Refusal;
use scrutineer_projections::timeline::sentence;
use scrutineer_replay::desk::DeskError;
use serde_json::json;

/// Writes something down.
pub fn note(at: &AtDesk<'_>, options: &Note) -> Result<Report, Fail> {
    let names = at.names()?;
    let done = at.desk.note(&options.text, options.about);
    let done = done.map_err(|error| at.refused(&names, error))?;
    let json = json!({ "verb": "note", "about": options.about });
    Ok(at.answer(Told::of(&done, String::new(), json)))
}

/// An event of the log in words.
fn told(at: &AtDesk<'_>, seq: u64) -> Result<String, Fail> {
    let event = at.archive.load(at.desk.stream(), true)?;
    let found = event.log.iter().find(|(header, _)| header.seq == seq);
    let tell = |(_, logged): &(_, Event)| sentence(&event.state, seq, logged, &Known(&event));
    Ok(found.map_or(String::new(), tell))
}

/// Takes an event of the log back.
pub fn withdraw(at: &AtDesk<'_>, options: &Withdraw) -> Result<Report, Fail> {
    let names = at.names()?;
    // Before it is taken back its table is still there to be named.
    let what = told(at, options.seq)?;
    let done = match at.desk.withdraw(options.seq, &options.reason) {
        Ok(done) => done,
        Err(error) => {
            let by = match &error {
                DeskError::Refused(Refusal::Rejected(Rejection::StillNeeded { by, .. })) => {
                    Some(*by)
                }
                _ => None,
            };
            let mut fail = at.refused(&names, error);
            if let Some(by) = by {
                let by_words = told(at, by)?;
                fail.message.push_str(&format!(": {by_words}"));
            }
            return Err(fail);
        }
    };
    let text = format!("event {} is taken back: {what}\n", options.seq);
    let json = json!({ "verb": "withdraw", "seq": options.seq, "what": what });
    Ok(at.answer(Told::of(&done, text, json)))
}

/// Replaces the secret of the seeds.
pub fn reseed(at: &AtDesk<'_>, options: &Reseed) -> Result<Report, Fail> {
    let names = at.names()?;
    let done = at.desk.reseed(&options.reason).map_err(|error| at.refused(&names, error))?;
    let seed = at.state()?.opened().and_then(|opened| opened.seed_commitment).unwrap_or_default();
    let text = format!(
        "a new seed is committed to: {}\n  the draws so far keep theirs; tell the players why\n",
        hex(&seed)
    );
    let json = json!({ "verb": "reseed", "seed_commitment": hex(&seed) });
    Ok(at.answer(Told::of(&done, text, json)))
}

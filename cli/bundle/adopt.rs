//! `adopt`: what another desk recorded, asked again here.

use super::{count, foreign_file, not_a_bundle, opened, verify};
use crate::args;
use crate::error::VerbError;
use crate::loading::doubt_other_log;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_desk::answers::{AdoptAnswer, line};
use scrutineer_desk::bundle::{Adopted, Asked, ImportError, Outcome, adopt, is_signed};
use scrutineer_desk::signed::{is_carried_on, refuse_other_log};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::bundle::{Checked, Held};

/// Brings another desk's commands in.
pub fn run(session: &Session, options: &args::Adopt) -> Result<Report, VerbError> {
    let fail = |error: &std::io::Error| VerbError::file(&options.file, error);
    let file = opened(&options.file)?;
    let against = verify::against(options.key.as_deref(), &options.known)?;
    let mut held = Held::check(file, &against).map_err(|error| fail(&error))?;
    if let Some(foreign) = held.checked().is_foreign() {
        return Err(foreign_file(&options.file, foreign));
    }
    if !held.checked().holds() {
        return Err(ImportError::NotInOrder.into());
    }
    if held.checked().unchecked() > 0 && !options.unsigned {
        return verify::not_taken(session, &options.file, held.checked(), &against);
    }
    let store = match options.dry_run {
        true => session.store_to_read()?,
        false => session.opened_store()?,
    };
    is_trusted(session, &store, held.checked(), options.unsigned)?;
    let is_here = |stream: &StreamId| store.log().head(*stream).is_ok_and(|head| head.seq > 0);
    let here = held.checked().stream.filter(is_here);
    let other = held.open().map_err(|error| fail(&error))?;
    let other = other.ok_or_else(|| not_a_bundle(&options.file, "it has no tournament"))?;
    if let Some(stream) = here {
        let state = store.load(stream, false)?.state;
        match options.dry_run {
            true => doubt_other_log(session, &store, stream, &state),
            false => refuse_other_log(&session.asker, &store, stream, &state)?,
        }
    }
    let adopted = adopt(&store, &other, options.dry_run)?;
    let answer = if adopted.all() { Answer::Yes } else { Answer::No };
    let text = match session.json {
        true => line(&AdoptAnswer::from(&adopted)),
        false => describe(&adopted, options.dry_run),
    };
    Ok(Report { text, answer })
}

/// Whether what the bundle adds may be asked for here. A desk that has the tournament's key, or the secret
/// of its draws, answers for what it records; in a copy of somebody else's tournament their key has to stand
/// for it.
fn is_trusted(
    session: &Session,
    store: &Store,
    checked: &Checked,
    unsigned: bool,
) -> Result<(), VerbError> {
    let Some(stream) = checked.stream.filter(|_| !unsigned) else { return Ok(()) };
    let state = match store.log().head(stream).map_err(StoreError::from)?.seq {
        0 => return Ok(()),
        _ => store.load(stream, false)?.state,
    };
    let own = state.signers().last().map(|(_, key)| *key);
    let is_ours = match own {
        Some(_) => is_carried_on(&session.asker.keys, store, stream, &state)?,
        None => !store.secrets(stream)?.is_empty(),
    };
    // A key that was retired here stands for nothing more.
    let is_retired = |key: &[u8; 32]| state.retired_keys().iter().any(|(_, e)| e.key == *key);
    match checked.key.is_some() || !is_ours {
        true => Ok(is_signed(checked, own.filter(|key| !is_retired(key)))?),
        false => Ok(()),
    }
}

fn describe(adopted: &Adopted, is_dry_run: bool) -> String {
    let mut text = format!("both desks have the first {}\n", count(adopted.shared, "event"));
    let (mut new, mut known, mut refused) = (0, 0, 0);
    for asked in &adopted.commands {
        let (first, last) = asked.there;
        let place = match first == last {
            true => format!("event {first}"),
            false => format!("events {first} to {last}"),
        };
        let here = |first: u64, last: u64| match first == last {
            true => format!("event {first}"),
            false => format!("events {first} to {last}"),
        };
        let what = match &asked.outcome {
            Outcome::Adopted(first, last) => {
                new += 1;
                let verb = if is_dry_run { "would be" } else { "now" };
                format!("{verb} {}", here(*first, *last))
            }
            Outcome::Known(first, last) => {
                known += 1;
                format!("here already as {}", here(*first, *last))
            }
            Outcome::Same(seq) => {
                known += 1;
                format!("the same is here as event {seq}")
            }
            Outcome::LeftOut(why) => format!("left out: {why}"),
            Outcome::Refused { code, sentence, hint } => {
                refused += 1;
                format!("REFUSED: {sentence}   [{code}]\n    hint: {hint}")
            }
        };
        text.push_str(&format!("  {place}, {}:\n    {what}\n", words(asked)));
    }
    let verb = if is_dry_run { "would be adopted" } else { "adopted" };
    text.push_str(&format!("{new} {verb}, {known} here already, {refused} refused\n"));
    if adopted.is_beginning && is_dry_run {
        text.push_str(
            "this desk has recorded nothing else: `scrutineer bundle import <file>` brings the other \
             history in as it is, with its checkpoints; where that desk made a key of its own, name \
             it: --key <key>\n",
        );
    }
    text
}

/// What a command asked for.
fn words(asked: &Asked) -> String {
    let events = asked.there.1 - asked.there.0 + 1;
    let two = &asked.sentences[..asked.sentences.len().min(2)];
    let told = two.join("; ");
    match events {
        0..=2 => told,
        _ => format!("{told} … ({})", count(events, "event")),
    }
}

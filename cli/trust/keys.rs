//! `keys`: the organizer's keys, and which of them signs for which tournament.

use super::streams;
use crate::Report;
use crate::args::{Keys as Verb, Which};
use crate::desk::at_stream;
use crate::error::VerbError;
use crate::session::{Session, hex};
use scrutineer_desk::answers::{
    KeyAnswer, KeyRetireAnswer, KeyRow, RetiredIn, TournamentName, line,
};
use scrutineer_desk::desk::{DeskError, Objection};
use scrutineer_desk::keys::Key;
use scrutineer_desk::rehearsal::Chance;
use scrutineer_desk::sign::{SignError, kept, sign};
use scrutineer_desk::signed::{is_carried_on, made_in_words, make, refuse_other_log};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::counted;
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::trust::history::History;
use scrutineer_replay::trust::note::{fingerprint, is_called};
use std::collections::BTreeSet;

/// Why a tournament of somebody else is left alone.
const COPY: &str = "it is a copy of somebody else's tournament";

/// Makes, lists, changes and retires keys.
pub fn run(session: &Session, verb: &Verb) -> Result<Report, VerbError> {
    match verb {
        Verb::New { which } => new(session, which),
        Verb::Show => show(session),
        Verb::Rotate { reason, which } => rotate(session, reason, which),
        Verb::Retire { key, reason, after, which } => retire(session, key, reason, *after, which),
    }
}

fn new(session: &Session, which: &Which) -> Result<Report, VerbError> {
    let current = session.asker.keys.current()?;
    let Some(name) = which.tournament.as_deref() else {
        if let Some(key) = current {
            let message = format!("you have a key: {}", fingerprint(&key.public()));
            let hint = "to take another one: `scrutineer keys rotate --reason <why>`";
            return Err(VerbError::new(Code::conflict("key-exists"), message, hint));
        }
        let key = make(
            &session.asker,
            &Chance::of(session.asker.rehearse.as_deref(), &Store::in_memory())?,
        )?;
        return Ok(told(
            session,
            "keys new",
            &key,
            &[],
            format!("{}\n", made_in_words(&session.asker, &key)),
        ));
    };
    let store = session.opened_store()?;
    let stream = store.find(Some(name))?;
    let chance = Chance::of(session.asker.rehearse.as_deref(), &store)?;
    if let Some((_, key)) = store.load(stream, false)?.state.signers().last() {
        let message = format!("this tournament has a key: {}", fingerprint(key));
        let hint = "to take another one: `scrutineer keys rotate --reason <why>`";
        return Err(VerbError::new(Code::conflict("has-signer"), message, hint));
    }
    let mut text = String::new();
    let key = match current {
        Some(key) => key,
        None => {
            let key = make(&session.asker, &chance)?;
            text.push_str(&format!("{}\n", made_in_words(&session.asker, &key)));
            key
        }
    };
    let title = store.summary(stream)?.title;
    at_stream(session, &store, stream, |at| {
        at.desk.change_signer(key.public(), "the first key of this tournament")?;
        Ok(sign(at.store, stream, &at.asker.keys)?)
    })?;
    text.push_str(&format!("{title} is signed by the key {}\n", fingerprint(&key.public())));
    Ok(told(session, "keys new", &key, &[(stream, title)], text))
}

fn told(
    session: &Session,
    verb: &'static str,
    key: &Key,
    events: &[(StreamId, String)],
    text: String,
) -> Report {
    if !session.json {
        return Report::yes(text);
    }
    let names = events.iter().map(|(id, title)| TournamentName::new(*id, title));
    let (key, tournaments) = (hex(&key.public()), names.collect());
    Report::yes(line(&KeyAnswer { verb, key, tournaments }))
}

fn show(session: &Session) -> Result<Report, VerbError> {
    let current = session.asker.keys.current()?.map(|key| key.public());
    let here = session.asker.keys.all()?;
    let mut signs: Vec<([u8; 32], String)> = Vec::new();
    let mut retired: Vec<([u8; 32], String)> = Vec::new();
    if session.has_store() {
        let store = session.store_to_read()?;
        for summary in store.events()? {
            let event = store.load(summary.stream, false)?;
            let signer = event.state.signers().last().map(|(_, key)| *key);
            let title = format!("{} ({})", event.title(), short_id(event.stream));
            let gone = event.state.retired_keys().iter();
            let gone: BTreeSet<[u8; 32]> = gone.map(|(_, retired)| retired.key).collect();
            retired.extend(gone.into_iter().map(|key| (key, title.clone())));
            signs.extend(signer.map(|key| (key, title)));
        }
    }
    let mut keys = here.clone();
    for (key, _) in &signs {
        if !keys.contains(key) {
            keys.push(*key);
        }
    }
    type Titled = ([u8; 32], String);
    let titles = |of: &[Titled], key: &[u8; 32]| -> Vec<String> {
        of.iter().filter(|(other, _)| other == key).map(|(_, title)| title.clone()).collect()
    };
    let state = |key: &[u8; 32]| match (current == Some(*key), here.contains(key)) {
        (true, _) => "current",
        (false, true) => "older",
        (false, false) => "not here",
    };
    if session.json {
        let row = |key: &[u8; 32]| KeyRow {
            key: hex(key),
            fingerprint: fingerprint(key),
            state: state(key),
            signs: titles(&signs, key),
            retired: titles(&retired, key),
        };
        return Ok(Report::yes(line(&keys.iter().map(row).collect::<Vec<_>>())));
    }
    let mut text = String::new();
    for key in &keys {
        text.push_str(&format!(
            "key {}, {}\n  public  {}\n",
            fingerprint(key),
            state(key),
            hex(key)
        ));
        for title in titles(&signs, key) {
            text.push_str(&format!("  signs   {title}\n"));
        }
        for title in titles(&retired, key) {
            text.push_str(&format!("  retired in {title}\n"));
        }
    }
    text.push_str(&match keys.is_empty() {
        true => "you have no key yet; `scrutineer new` makes one\n".to_string(),
        false => format!("your keys are in {}\n", session.asker.keys.shown()),
    });
    Ok(Report::yes(text))
}

fn rotate(session: &Session, reason: &str, which: &Which) -> Result<Report, VerbError> {
    let store = session.opened_store()?;
    let (mut wanted, mut left) = (Vec::new(), Vec::new());
    for stream in streams(&store, which)? {
        let event = store.load(stream, false)?;
        let why = match () {
            () if which.tournament.is_some() => None,
            () if event.state.is_closed() => Some("it is closed"),
            () if event.state.signers().is_empty() => Some("it has no key"),
            () if !is_carried_on(&session.asker.keys, &store, stream, &event.state)? => Some(COPY),
            () => None,
        };
        match why {
            None => wanted.push((stream, event.title())),
            Some(why) => left.push((stream, event.title(), why)),
        }
    }
    if reason.trim().is_empty() {
        return Err(DeskError::from(Objection::NoReason).into());
    }
    // All of them, before anything is recorded in one.
    for (stream, _) in &wanted {
        refuse_other_log(&session.asker, &store, *stream, &store.load(*stream, false)?.state)?;
    }
    let chance = Chance::of(session.asker.rehearse.as_deref(), &store)?;
    let key = make(&session.asker, &chance)?;
    let mut text = format!("{}\n", made_in_words(&session.asker, &key));
    for (stream, title) in &wanted {
        let before = store.load(*stream, false)?;
        let old = before.state.signers().last().map(|(_, key)| *key);
        let signed = at_stream(session, &store, *stream, |at| {
            at.desk.change_signer(key.public(), reason)?;
            Ok(sign(at.store, *stream, &at.asker.keys))
        })?;
        text.push_str(&match (old, signed) {
            (_, Err(error)) => {
                format!("{title}: no checkpoint was signed: {error}   [{}]\n", error.code())
            }
            (None, Ok(_)) => format!("{title}: it had no key\n"),
            (Some(old), Ok(signed)) if signed.is_signed_by(&old) => {
                format!("{title}: the change is signed by the old key too\n")
            }
            (Some(_), Ok(_)) => format!(
                "{title}: the old key did not sign the change, which `verify` will say; tell the \
                 publisher the new key\n"
            ),
        });
    }
    for (stream, title, why) in &left {
        let rest = match *why {
            "it is closed" | COPY => {
                format!(", and keeps its key; to change it: --tournament {}", short_id(*stream))
            }
            _ => String::new(),
        };
        text.push_str(&format!("{title}: not touched: {why}{rest}\n"));
    }
    let public = hex(&key.public());
    text.push_str(&format!("new key {}\n  public  {public}\n", fingerprint(&key.public())));
    Ok(told(session, "keys rotate", &key, &wanted, text))
}

fn retire(
    session: &Session,
    typed: &str,
    reason: &str,
    after: Option<u64>,
    which: &Which,
) -> Result<Report, VerbError> {
    let store = session.opened_store()?;
    let mut text = String::new();
    let mut rows = Vec::new();
    let (mut again, mut copies) = (false, Vec::new());
    // All of them, before anything is recorded in one.
    for stream in streams(&store, which)? {
        let state = store.load(stream, false)?.state;
        if state.signers().iter().any(|(_, key)| is_called(key, typed)) {
            refuse_other_log(&session.asker, &store, stream, &state)?;
        }
    }
    for stream in streams(&store, which)? {
        let history = History::read(store.log(), stream).map_err(StoreError::from)?;
        let mut keys = history.signers().iter().map(|(_, key)| *key);
        let Some(key) = keys.find(|key| is_called(key, typed)) else { continue };
        let title = store.summary(stream)?.title;
        let state = store.load(stream, false)?.state;
        if which.tournament.is_none()
            && !is_carried_on(&session.asker.keys, &store, stream, &state)?
        {
            copies.push(short_id(stream));
            text.push_str(&format!(
                "{title}: not touched: {COPY}; if it is yours: --tournament {}\n",
                short_id(stream)
            ));
            continue;
        }
        let held = kept(&store, stream)?;
        let own = held.iter().filter(|signed| signed.is_signed_by(&key));
        let own = own.filter(|signed| history.begins_with(&signed.checkpoint));
        let last = own.map(|signed| signed.checkpoint.size).max().unwrap_or(0);
        let last = after.unwrap_or(last);
        let still = history.signer(history.size()) == Some(key);
        let known = history.retired(&key, u64::MAX).filter(|(_, known)| *known <= last);
        if let Some((seq, known_last)) = known {
            let known = counted(known_last, "record");
            text.push_str(&format!("{title}: retired already after {known} (event {seq})\n"));
            rows.push(RetiredIn {
                tournament: TournamentName::new(stream, title),
                last: known_last,
            });
            again |= still;
            continue;
        }
        at_stream(session, &store, stream, |at| {
            at.desk.retire_key(key, last, reason)?;
            match sign(at.store, stream, &at.asker.keys) {
                Ok(_) => Ok(()),
                Err(SignError::Retired { .. } | SignError::NoKey { .. }) => Ok(()),
                Err(error) => Err(error.into()),
            }
        })?;
        again |= still;
        text.push_str(&format!(
            "{title}: checkpoints of this key hold up to {}\n",
            counted(last, "record")
        ));
        rows.push(RetiredIn { tournament: TournamentName::new(stream, title), last });
    }
    if rows.is_empty() && !copies.is_empty() {
        let message = format!(
            "neither a key nor the pairing secret is here for what the key {typed:?} signed: {COPY}"
        );
        let hint = format!("if it is yours, name it: --tournament {}", copies[0]);
        return Err(VerbError::new(Code::invalid("not-carried-on"), message, hint));
    }
    if rows.is_empty() {
        let message = format!("no tournament of this store was signed by a key {typed:?}");
        return Err(VerbError::new(
            Code::not_found("unknown-key"),
            message,
            "`scrutineer keys show` lists them",
        ));
    }
    if again {
        let next = session.command_in_this_store("scrutineer keys rotate --reason <why>");
        text.push_str(&format!("next: {next}\n"));
    }
    Ok(Report::yes(match session.json {
        true => line(&KeyRetireAnswer { verb: "keys retire", tournaments: rows }),
        false => text,
    }))
}

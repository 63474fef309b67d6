//! `restore`: a store brought back from a mirror or a backup.

use crate::args;
use crate::backup::{answer, counted, holds, read_back};
use crate::beside::bring_house;
use crate::desk::at_stream;
use crate::error::VerbError;
use crate::session::Session;
use crate::trust::say_restored;
use crate::{Answer, Report};
use scrutineer_desk::answers::{RestoreAnswer, ShorterLog, TournamentName, line};
use scrutineer_desk::store::{Restored, Store, StoreAt, restore, restore_database};
use scrutineer_engine::record::StreamId;
use scrutineer_replay::loaded::short_id;
use std::path::Path;

/// What is written down where nobody says why.
const REASON: &str = "the store was restored from a copy";

/// Brings the store back, and records where it lacks what was signed.
pub fn run(session: &Session, options: &args::Restore) -> Result<Report, VerbError> {
    let copy =
        "name a backup or a mirror; `scrutineer store copy <from> <to>` copies out of a database";
    session.check_folder(&options.from, copy)?;
    let (restored, store) = match &session.store {
        StoreAt::Folder(folder) => (restore(&options.from, folder)?, session.store()?),
        StoreAt::Database(at) => {
            let store = session.store()?;
            let house = |folder: &Path| bring_house(folder, &store);
            let restored = restore_database(&options.from, &store, at, &house)?;
            (restored, store)
        }
    };
    let reason = options.reason.as_deref().unwrap_or(REASON);
    // A copy that is only looked at signs nothing: the store itself goes on elsewhere.
    let goes_on = restored.aside.is_some() || options.reason.is_some();
    let taken_up = restored.events.iter().filter(|_| goes_on);
    let shorter = taken_up
        .filter_map(|stream| attested(session, &store, *stream, reason).transpose())
        .collect::<Result<Vec<_>, VerbError>>()?;
    let unsaid = shorter.iter().any(|shorter| shorter.recorded.is_none());
    let answer = match restored.lost.is_empty() && !unsaid {
        true => answer(&restored.checked),
        false => Answer::No,
    };
    let text = match session.json {
        true => {
            let shorter = shorter.iter().map(Shorter::answer).collect();
            line(&RestoreAnswer::of(&options.from, &restored, shorter))
        }
        false => words(session, options, &restored, &shorter),
    };
    Ok(Report { text, answer })
}

/// A tournament that lacks records which were signed.
struct Shorter {
    stream: StreamId,
    /// The event of the log that says so, or why it could not be recorded.
    recorded: Option<u64>,
    why_not: Option<String>,
}

impl Shorter {
    fn answer(&self) -> ShorterLog {
        let Shorter { stream, recorded, why_not } = self;
        let (tournament, why_not) = (TournamentName::untitled(*stream), why_not.clone());
        ShorterLog { tournament, recorded: *recorded, why_not }
    }
}

/// Records that a tournament lacks what was signed, where it does.
fn attested(
    session: &Session,
    store: &Store,
    stream: StreamId,
    reason: &str,
) -> Result<Option<Shorter>, VerbError> {
    let said = at_stream(session, store, stream, |at| {
        say_restored(at, None, reason)?;
        Ok(at.state()?.head())
    });
    Ok(match said {
        Ok(seq) => Some(Shorter { stream, recorded: Some(seq), why_not: None }),
        Err(fail) if fail.code == "nothing-lost" => None,
        Err(fail) => Some(Shorter { stream, recorded: None, why_not: Some(fail.told()) }),
    })
}

fn words(
    session: &Session,
    options: &args::Restore,
    restored: &Restored,
    shorter: &[Shorter],
) -> String {
    let (store, from) = (&session.store, options.from.display());
    let mut text = format!(
        "{store} is brought back from {from}: {}\n{}",
        holds(&restored.checked),
        read_back(&restored.checked)
    );
    if restored.aside.is_some() {
        text.push_str(&format!(
            "{} only in the copy, {} only in the store that was there\n",
            counted(restored.from_copy, "command"),
            counted(restored.from_store, "command"),
        ));
    }
    for mended in &restored.mended {
        text.push_str(&format!("was damaged, and came from the other: {mended}\n"));
    }
    for lost in &restored.lost {
        text.push_str(&format!("not brought back: {lost}\n"));
    }
    for shorter in shorter {
        let event = short_id(shorter.stream);
        match (&shorter.recorded, &shorter.why_not) {
            (Some(seq), _) => text.push_str(&format!(
                "tournament {event} lacks records that were signed; event {seq} of its log says so\n"
            )),
            (None, why) => text.push_str(&format!(
                "tournament {event} may lack records that were signed, and its log does not say so: \
                 {}\n",
                why.as_deref().unwrap_or_default()
            )),
        }
    }
    match &restored.aside {
        Some(aside) => {
            text.push_str(&format!("what was there is set aside in {}\n", aside.display()));
        }
        None if options.reason.is_some() => {}
        None => text.push_str(&format!(
            "to go on with it in place of a store that is lost: where a public server has more of it, bring that \
             back first (the file behind <its address>/api/v1/tournaments/<id>/bundle): {}\n\
             then say so in its log: {}\n",
            session.command_in_this_store("scrutineer bundle import <file>"),
            session.command_in_this_store("scrutineer checkpoint --restored --reason <why>")
        )),
    }
    if !restored.secrets {
        text.push_str(&format!(
            "the pairing secrets are in no copy; where `pair` asks for one: {}\n",
            session.command_in_this_store("scrutineer reseed --reason <why>")
        ));
    }
    text
}

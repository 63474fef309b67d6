//! `bundle import`: a bundle into the store.

use super::{count, foreign_file, opened, verify};
use crate::args;
use crate::error::VerbError;
use crate::session::Session;
use crate::{Answer, Report};
use scrutineer_desk::answers::{BundleImportAnswer, TournamentName, line};
use scrutineer_desk::bundle::{ImportError, Imported, Signatures};
use scrutineer_desk::follow::bring_in;
use scrutineer_replay::bundle::Held;
use scrutineer_replay::loaded::short_id;

/// Brings a bundle in.
pub fn run(session: &Session, options: &args::BundleImport) -> Result<Report, VerbError> {
    if options.file.is_dir() {
        return super::folder::bring_in(session, options);
    }
    let file = opened(&options.file)?;
    // Before there is a store: a bundle that is refused leaves none behind.
    let against = verify::against(options.key.as_deref(), &options.known)?;
    let held = Held::check(file, &against);
    let mut held = held.map_err(|error| VerbError::file(&options.file, &error))?;
    let checked = held.checked();
    if let Some(foreign) = checked.is_foreign() {
        return Err(foreign_file(&options.file, foreign));
    }
    if !checked.holds() && !session.json {
        let text = verify::describe(&options.file, checked, &against);
        let text = format!("{text}nothing of it was kept   [bundle-not-in-order]\n");
        return Ok(Report { text, answer: Answer::No });
    }
    if !checked.holds() {
        return Err(ImportError::NotInOrder.into());
    }
    if checked.unchecked() > 0 && !options.unsigned {
        return verify::not_taken(session, &options.file, checked, &against);
    }
    let store = session.store()?;
    let signatures = match options.unsigned {
        true => Signatures::NotAsked,
        false => Signatures::Wanted,
    };
    let imported = bring_in(&store, &session.asker.keys, &mut held, signatures)?;
    let checked = held.into_checked();
    let Some(stream) = checked.stream else { return Ok(Report::yes("")) };
    let title = store.summary(stream)?.title;
    if session.json {
        let (what, records) = match imported {
            Imported::New { records } => ("new", records),
            Imported::Extended { records, .. } => ("extended", records),
            Imported::Known { beyond, .. } => ("known", checked.records + beyond),
        };
        let tournament = TournamentName::new(stream, title);
        return Ok(Report::yes(line(&BundleImportAnswer { tournament, what, records })));
    }
    let id = short_id(stream);
    let mut text = match imported {
        Imported::New { records } => {
            format!("{title} ({id}): {} brought in\n", count(records, "event"))
        }
        Imported::Extended { had, records } => format!(
            "{title} ({id}): {} added to the {had} that were here\n",
            count(records - had, "event")
        ),
        Imported::Known { beyond, words, secrets } => {
            let more = match beyond {
                0 => String::new(),
                _ => format!(", and {} more", count(beyond, "event")),
            };
            let mut text = format!("{title} ({id}): already there{more}\n");
            if words > 0 {
                text.push_str(&format!("new here: {}\n", count(words, "private entry")));
            }
            if secrets > 0 {
                text.push_str("new here: the pairing secret\n");
            }
            text
        }
    };
    text.push_str(&verify::told_anyway(&checked));
    if matches!(imported, Imported::New { .. }) && against.key.is_none() && against.known.is_empty()
    {
        text.push_str(
            "compared with nothing from outside: `--key` names the organizer's key, `--known` a \
             checkpoint that you hold\n",
        );
    }
    Ok(Report::yes(text))
}

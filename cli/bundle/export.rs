//! `export`: a tournament in one file.

use super::left_out::{left_out_in_words, tell_refused};
use super::{count, opened, page, report, sheets};
use crate::Report;
use crate::args;
use crate::beside::floor_of;
use crate::error::VerbError;
use crate::loading::doubt_other_log;
use crate::noted::note_export;
use crate::output::publish;
use crate::session::Session;
use scrutineer_desk::answers::{ExportAnswer, line};
use scrutineer_desk::bundle::{Covered, write_file};
use scrutineer_desk::floor::Entry;
use scrutineer_desk::outgoing::{file_name, format_called, word_by_ending};
use scrutineer_desk::store::Store;
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_replay::bundle::{Give, Written};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Returns the options with what the file's ending says, where nothing else does: nobody means a bundle by `club.html`.
fn by_ending(options: &args::Export) -> Result<args::Export, VerbError> {
    let mut options = options.clone();
    let is_told = options.html || options.format.is_some() || options.audit || options.handover;
    let ending = options.output.as_deref().and_then(|file| file.extension()?.to_str());
    let ending = ending.filter(|_| !is_told).map(str::to_lowercase).unwrap_or_default();
    match &ending[..] {
        "html" | "htm" => options.html = true,
        "xlsx" => options.xlsx = options.output.take(),
        "csv" => {
            let message = "standings and matches are two files, and one was named";
            let hint = "`--csv <folder>` writes both, `--xlsx <file>` one workbook, and --format a \
                        file of another program";
            return Err(VerbError::new(Code::invalid("unknown-format"), message, hint));
        }
        ending => {
            let found = word_by_ending(ending)?.map(str::to_string);
            options.format = found.or(options.format.take());
        }
    }
    Ok(options)
}

/// Writes a bundle, or what else is asked for.
pub fn run(session: &Session, options: &args::Export) -> Result<Report, VerbError> {
    let options = &by_ending(options)?;
    let store = session.store_to_read()?;
    let stream = store.find(options.which.tournament.as_deref())?;
    doubt_other_log(session, &store, stream, &store.load(stream, false)?.state);
    if let Some(folder) = &options.csv {
        let report = sheets::write(session, &store, stream, folder, options)?;
        note(session, &store, stream, "sheets", folder, options)?;
        return Ok(report);
    }
    if let Some(file) = &options.xlsx {
        let report = sheets::write_workbook(session, &store, stream, file, options)?;
        note(session, &store, stream, "sheets", file, options)?;
        return Ok(report);
    }
    let give = match (options.handover, options.audit, options.roster) {
        (true, ..) => Give::Handover,
        (_, true, _) => Give::Audit,
        (.., true) => Give::Roster,
        _ => Give::Nothing,
    };
    let title = store.summary(stream)?.title;
    let format = options.format.as_deref().map(format_called).transpose()?;
    let ending = match (options.html, format) {
        (true, _) => "html",
        (_, Some(format)) => format.ending(),
        _ => "bundle",
    };
    let name = || name(&title, stream, give, ending);
    let file = options.output.clone().unwrap_or_else(name);
    let what = match (options.html, give) {
        (true, _) => "page",
        (_, Give::Handover) => "handover",
        (_, Give::Audit) => "audit",
        _ => "bundle",
    };
    if let Some(format) = format {
        let written = report::write(session, &store, stream, format, &file, options)?;
        note(session, &store, stream, "report", &file, options)?;
        return Ok(written);
    }
    if options.html {
        let report = page::write(session, &store, stream, &file, options)?;
        note(session, &store, stream, what, &file, options)?;
        return Ok(report);
    }
    let covered = Covered::of((&store, &store), stream, &session.asker.keys);
    let written = write_file(&covered, stream, give, &file, options.force)?;
    tell_refused(session, &mut BufReader::with_capacity(1 << 16, opened(&file)?));
    note(session, &store, stream, what, &file, options)?;
    let floor = match give {
        Give::Handover => with_floor(session, &store, stream, &file, options)?,
        _ => None,
    };
    Ok(Report::yes(match session.json {
        true => {
            let answer = ExportAnswer::of(&file, give, &written);
            let floor = floor.as_ref().map(|floor| floor.display().to_string());
            line(&ExportAnswer { floor, ..answer })
        }
        false => {
            let floor = floor.map(|floor| format!("the floor: {}\n", floor.display()));
            describe(&title, &file, give, &written) + &floor.unwrap_or_default()
        }
    }))
}

/// Writes what was done on the floor beside a handover, where anything was; gives the file.
fn with_floor(
    session: &Session,
    store: &Store,
    stream: StreamId,
    file: &Path,
    options: &args::Export,
) -> Result<Option<PathBuf>, VerbError> {
    let Some(floor) = floor_of(&session.store, || session.opened_store(), stream)? else {
        return Ok(None);
    };
    let beside = file.with_extension("floor.json");
    // A key is a device's own.
    let entries = floor.entries().iter().map(|entry| Entry { key: None, ..entry.clone() });
    let text = serde_json::json!({ "entries": entries.collect::<Vec<Entry>>() }).to_string();
    publish(&beside, text.as_bytes(), options.force)?;
    note(session, store, stream, "floor", &beside, options)?;
    Ok(Some(beside))
}

/// Notes what has left the store with names: whoever is forgotten later can be told where copies
/// are.
fn note(
    session: &Session,
    store: &Store,
    stream: StreamId,
    what: &str,
    path: &Path,
    options: &args::Export,
) -> Result<(), VerbError> {
    if !options.roster && !options.audit && !options.handover {
        return Ok(());
    }
    note_export(session, store, Some(stream), what, path)
}

/// `spring-open-3fa2c1d4.bundle`.
fn name(title: &str, stream: StreamId, give: Give, ending: &str) -> PathBuf {
    let more = match give {
        Give::Handover => Some("handover"),
        Give::Audit => Some("audit"),
        Give::Nothing | Give::Roster => None,
    };
    file_name(title, stream, more, ending).into()
}

fn describe(title: &str, file: &Path, give: Give, written: &Written) -> String {
    let Written { header, tables, checkpoints, entries, missing, .. } = written;
    let Written { lacks_secret, left_out, erased, .. } = written;
    let mut text = format!(
        "{title}: {}, head {}, {}, {}\n",
        count(header.records, "record"),
        header.head.short(),
        count(*tables, "announced table"),
        count(*checkpoints, "checkpoint"),
    );
    text.push_str(&left_out_in_words(*left_out));
    if *erased > 0 {
        let what = count(*erased, "text");
        text.push_str(&format!(
            "erased in this store though no event says that they were forgotten: {what}: \
             `scrutineer verify`\n"
        ));
    }
    text.push_str(&match give {
        Give::Nothing => "no names, no private texts\n".to_string(),
        Give::Roster if *entries == 0 => {
            "no names: this store has none of them, as after an import without a roster\n"
                .to_string()
        }
        Give::Roster => format!("with names: {}\n", count(*entries, "private entry")),
        Give::Audit => format!(
            "PRIVATE: every text of this tournament, reasons and notes too: {}; no pairing secret. \
             Give it to an auditor only\n",
            count(*entries, "private entry")
        ),
        Give::Handover => {
            let secret = match lacks_secret {
                false => " and the pairing secret",
                true => "",
            };
            format!(
                "PRIVATE: {}{secret}. Give it to the other desk only: after \
                 `scrutineer --store <its store> keys rotate --reason <why>` it signs with its own key\n",
                count(*entries, "private entry")
            )
        }
    });
    if *missing > 0 && *entries > 0 {
        let what = count(*missing, "private entry");
        text.push_str(&format!(
            "it lacks {what}: erased, altered, or never brought in: `scrutineer verify`\n"
        ));
    }
    if give == Give::Handover {
        if *lacks_secret {
            text.push_str(
                "it LACKS the pairing secret, which this store does not have: the other desk \
                 pairs after `scrutineer --store <its store> reseed --reason <why>`\n",
            );
        }
        text.push_str(
            "From now on record nothing here: no result, no round, no checkpoint. What both desks \
             record cannot be merged, only asked for again there with `scrutineer adopt <handover>`\n",
        );
    }
    text.push_str(&format!("written to {}\n", file.display()));
    text
}

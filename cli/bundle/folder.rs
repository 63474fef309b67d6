//! Bundles by the hundred: all tournaments into a folder, and a folder of bundles into the store.

use super::{foreign_file, opened, verify};
use crate::args;
use crate::error::VerbError;
use crate::import::{PassedOver, Walked, ends_in, walk};
use crate::noted::note_export;
use crate::session::{Session, say};
use crate::{Answer, Report};
use indicatif::{ProgressBar, ProgressStyle};
use scrutineer_desk::answers::{BundleExportAnswer, BundleFolderAnswer, BundleRefused, line};
use scrutineer_desk::bundle::{Covered, ImportError, Imported, Signatures, write_changed};
use scrutineer_desk::follow;
use scrutineer_desk::in_order::in_order;
use scrutineer_desk::keys::KeyFolder;
use scrutineer_desk::signed::{doubt, rewritten};
use scrutineer_desk::store::{Store, StoreError};
use scrutineer_engine::error::Code;
use scrutineer_engine::record::StreamId;
use scrutineer_projections::counted;
use scrutineer_replay::bundle::{Against, Give, Held, check};
use scrutineer_replay::verify::Severity;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// How the names of bundles end.
const ENDINGS: [&str; 3] = ["bundle", "handover", "audit"];

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

fn progress(count: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    let style = ProgressStyle::with_template(&format!(
        "{{bar:30}} {{pos}} of {{len}} {what}, {{eta}} left"
    ));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn refused(file: &Path, fail: &VerbError) -> BundleRefused {
    BundleRefused {
        file: file.display().to_string(),
        code: fail.code.word.into(),
        message: fail.message.clone(),
    }
}

fn lines(refused: &[BundleRefused]) -> String {
    let one = |one: &BundleRefused| format!("{}: {}   [{}]\n", one.file, one.message, one.code);
    refused.iter().map(one).collect()
}

/// Writes the bundle of every tournament into a folder. Who has an unchanged one, keeps it.
pub fn export(session: &Session, options: &args::BundleExport) -> Result<Report, VerbError> {
    let store = session.store_to_read()?;
    let mut streams = store.log().streams().map_err(StoreError::from)?;
    let removed: BTreeSet<StreamId> =
        store.listed()?.removed.into_iter().map(|event| event.stream).collect();
    streams.retain(|stream| !removed.contains(stream));
    let folder = &options.folder;
    std::fs::create_dir_all(folder).map_err(|error| not_made(folder, &error))?;
    let give = match (options.audit, options.roster) {
        (true, _) => Give::Audit,
        (_, true) => Give::Roster,
        _ => Give::Nothing,
    };
    let bar = progress(streams.len(), "tournaments");
    // The title is a private text: it is in no name of a file.
    let file = |stream: StreamId| folder.join(format!("{stream}.bundle"));
    let keys = &session.asker.keys;
    let work =
        |(): &mut (), at: usize| write((&store, keys), streams[at], give, &file(streams[at]));
    let mut answer = BundleExportAnswer {
        folder: folder.display().to_string(),
        tournaments: streams.len() as u64,
        written: 0,
        unchanged: 0,
        refused: Vec::new(),
    };
    let ahead = threads() * 4;
    for (stream, done) in streams.iter().zip(in_order(streams.len(), threads(), ahead, || (), work))
    {
        bar.inc(1);
        match done {
            Ok(false) => answer.unchanged += 1,
            Ok(true) => {
                answer.written += 1;
                note(session, &store, *stream, give, &file(*stream))?;
            }
            Err(fail) => answer.refused.push(refused(&file(*stream), &fail)),
        }
    }
    bar.finish_and_clear();
    for stream in &streams {
        if let Some(note) = in_doubt(session, &store, *stream)? {
            session.in_doubt.set(true);
            say(&format!("{}: {note}", file(*stream).display()));
        }
    }
    let text = match session.json {
        true => line(&answer),
        false => format!(
            "{}{} in {}: {} written, {} unchanged, {} refused\n",
            lines(&answer.refused),
            counted(answer.tournaments, "tournament"),
            folder.display(),
            answer.written,
            answer.unchanged,
            answer.refused.len()
        ),
    };
    let told = if answer.refused.is_empty() { Answer::Yes } else { Answer::No };
    Ok(Report { text, answer: told })
}

/// Writes one, unless it is there as it is; says whether it wrote.
fn write(
    (store, keys): (&Store, &KeyFolder),
    stream: StreamId,
    give: Give,
    file: &Path,
) -> Result<bool, VerbError> {
    let covered = Covered::of((store, store), stream, keys);
    if write_changed(&covered, stream, give, file)?.is_none() {
        return Ok(false);
    }
    let mut input = BufReader::with_capacity(1 << 16, opened(file)?);
    let checked = check(&mut input, &Against::default());
    let checked = checked.map_err(|error| VerbError::file(file, &error))?;
    let mut findings = checked.findings.iter().map(|found| &found.finding);
    match findings.find(|finding| finding.severity == Severity::Error) {
        None => Ok(true),
        Some(first) => {
            let message = format!(
                "it was written, and whoever checks it will refuse it: {} ({})",
                first.sentence, first.code
            );
            let hint = "see `scrutineer verify`";
            Err(VerbError::new(Code::refused("bundle-not-in-order"), message, hint))
        }
    }
}

/// Notes what left the store with names.
fn note(
    session: &Session,
    store: &Store,
    stream: StreamId,
    give: Give,
    file: &Path,
) -> Result<(), VerbError> {
    let what = match give {
        Give::Nothing => return Ok(()),
        Give::Audit => "audit",
        _ => "bundle",
    };
    note_export(session, store, Some(stream), what, file)
}

fn not_made(folder: &Path, error: &std::io::Error) -> VerbError {
    let message = format!("cannot make the folder {}: {error}", folder.display());
    let hint = "check the name and the permissions";
    VerbError::new(Code::io("file-not-written"), message, hint)
}

/// Brings the bundles of a folder in: each whole or not at all, the longest of a tournament first.
pub fn bring_in(session: &Session, options: &args::BundleImport) -> Result<Report, VerbError> {
    let folder = &options.file;
    if !options.known.is_empty() {
        let message = "a checkpoint is one of a single tournament, and this is a folder";
        let hint = "leave --known out, or bring that bundle in by itself";
        return Err(VerbError::new(crate::usage::BAD_USAGE, message, hint));
    }
    let against = verify::against(options.key.as_deref(), &[])?;
    let (mut found, mut passed_over) = (Walked::default(), PassedOver::default());
    let is_such = |path: &Path| ENDINGS.iter().any(|known| ends_in(path, known));
    walk(folder, &is_such, &mut found, &mut passed_over);
    passed_over.tell();
    if found.files.is_empty() {
        let message = format!("{} holds no bundle", folder.display());
        let hint = "bundles end in .bundle: `scrutineer bundle export <folder>` writes them";
        return Err(VerbError::new(Code::not_found("no-files"), message, hint));
    }
    let mut files = Vec::new();
    let mut answer = BundleFolderAnswer {
        folder: folder.display().to_string(),
        bundles: found.files.len() as u64,
        new: 0,
        extended: 0,
        known: 0,
        refused: Vec::new(),
    };
    for (path, readable) in found.files {
        match readable {
            Ok(()) => files.push(path),
            Err(fail) => answer.refused.push(refused(&path, &fail)),
        }
    }
    longest_first(&mut files);
    let store = session.store()?;
    let bar = progress(files.len(), "bundles");
    let work = |(): &mut (), at: usize| held(&files[at], &against);
    let signatures = match options.unsigned {
        true => Signatures::NotAsked,
        false => Signatures::Wanted,
    };
    let all = in_order(files.len(), threads(), threads(), || (), work);
    for (path, held) in files.iter().zip(all) {
        bar.inc(1);
        let brought = held.and_then(|mut held| {
            if !held.checked().holds() {
                return Err(VerbError::of_bundle(ImportError::NotInOrder, held.checked()));
            }
            Ok(follow::bring_in(&store, &session.asker.keys, &mut held, signatures)?)
        });
        match brought {
            Ok(Imported::New { .. }) => answer.new += 1,
            Ok(Imported::Extended { .. }) => answer.extended += 1,
            Ok(Imported::Known { .. }) => answer.known += 1,
            Err(fail) => answer.refused.push(refused(path, &fail)),
        }
    }
    bar.finish_and_clear();
    let text = match session.json {
        true => line(&answer),
        false => format!(
            "{}{}: {} new, {} went on, {} known, {} refused\n",
            lines(&answer.refused),
            counted(answer.bundles, "bundle"),
            answer.new,
            answer.extended,
            answer.known,
            answer.refused.len()
        ),
    };
    let told = if answer.refused.is_empty() { Answer::Yes } else { Answer::No };
    Ok(Report { text, answer: told })
}

/// A bundle that was checked.
fn held(path: &Path, against: &Against) -> Result<Held, VerbError> {
    let held = Held::check(opened(path)?, against);
    let held = held.map_err(|error| VerbError::file(path, &error))?;
    match held.checked().is_foreign() {
        Some(foreign) => Err(foreign_file(path, foreign)),
        None => Ok(held),
    }
}

/// By tournament, and of several bundles of one the longest first: a shorter one is known then.
fn longest_first(files: &mut [PathBuf]) {
    let header = |path: &PathBuf| {
        let input = std::fs::File::open(path).ok()?;
        let header = scrutineer_replay::bundle::header(&mut BufReader::new(input)).ok()??;
        Some((header.stream, Reverse(header.records)))
    };
    files.sort();
    files.sort_by_cached_key(header);
}

/// What whoever is given a tournament's bundle should know of its log. One that is not carried on here is not read for
/// that: nothing of it was signed here.
fn in_doubt(
    session: &Session,
    store: &Store,
    stream: StreamId,
) -> Result<Option<String>, VerbError> {
    if store.secrets(stream)?.is_empty() {
        return Ok(rewritten(store, stream));
    }
    let state = store.load(stream, false)?.state;
    Ok(doubt(&session.asker, store, stream, &state))
}

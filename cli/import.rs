//! `import`: bring in files, and hold their published standings against computed ones.

mod report;

use crate::Report;
use crate::args;
use crate::fail::Fail;
use crate::session::{PROGRAM, Session, now};
use indicatif::{ProgressBar, ProgressStyle};
use report::{Checked, FileReport};
use scrutineer_replay::archive::{Added, Archive, EventSummary, Prepared, prepare};
use scrutineer_replay::import::limits;
use scrutineer_replay::published::check;
use std::path::{Path, PathBuf};

/// Brings in files and folders; one bad file does not stop the rest.
pub fn run(session: &Session, options: &args::Import) -> Result<Report, Fail> {
    let files = candidates(&options.files)?;
    let rules = match &options.rules {
        Some(name) => Some(session.ruleset_id(name)?),
        None => None,
    };
    let archive = match options.dry_run {
        true => None,
        false => Some(session.archive()?),
    };
    let mut known = match &archive {
        Some(archive) => archive.events()?,
        None => Vec::new(),
    };
    let bar = progress(files.len());
    let mut reports = Vec::new();
    for file in &files {
        let mut importer = Importer { session, options, rules: rules.as_deref() };
        reports.push(importer.one(file, archive.as_ref(), &mut known));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let is_no = reports.iter().any(FileReport::is_no);
    let text = match session.json {
        true => report::json_lines(&reports),
        false => report::text(&reports, options),
    };
    Ok(Report { text, is_no })
}

fn progress(files: usize) -> ProgressBar {
    if files < 8 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(files as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} files, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

struct Importer<'a> {
    session: &'a Session,
    options: &'a args::Import,
    rules: Option<&'a str>,
}

impl Importer<'_> {
    fn one(
        &mut self,
        path: &Path,
        archive: Option<&Archive>,
        known: &mut Vec<EventSummary>,
    ) -> FileReport {
        let mut report = FileReport::new(path);
        if let Err(fail) = self.bring_in(path, archive, known, &mut report) {
            report.error = Some(fail);
        }
        report
    }

    fn bring_in(
        &mut self,
        path: &Path,
        archive: Option<&Archive>,
        known: &mut Vec<EventSummary>,
        report: &mut FileReport,
    ) -> Result<(), Fail> {
        let bytes = read_bounded(path)?;
        let name = path.file_name().map_or("file".into(), |name| name.to_string_lossy());
        let library = self.session.library.borrow();
        let prepared = prepare(&name, &bytes, self.rules, &library)?;
        drop(library);
        report.title = prepared.source.title.clone();
        report.rules = prepared.rules.id.clone();
        report.players = prepared.source.players.len();
        report.oddities = prepared.source.oddities.clone();
        if self.options.check_standings {
            report.checked = self.check(&prepared, report)?;
        }
        if let Some(archive) = archive {
            let added = archive.add(prepared, known, PROGRAM, now())?;
            report.known = matches!(added, Added::Known(_));
        }
        Ok(())
    }

    /// Where there is nothing to compare, that is said and the file is brought in all the same.
    fn check(&self, prepared: &Prepared, report: &mut FileReport) -> Result<Option<Checked>, Fail> {
        let name = |number: u32| prepared.source.players[number as usize - 1].name.clone();
        match check(&prepared.source, &prepared.state, &prepared.rules) {
            Ok(found) => Ok(Some(Checked::new(&found, name))),
            Err(error) => {
                report.error = Some(Fail::new(
                    "standings-not-checked",
                    error.to_string(),
                    "without --check-standings it is imported all the same",
                ));
                Ok(None)
            }
        }
    }
}

/// Reads a file whose size is within what is imported.
fn read_bounded(path: &Path) -> Result<Vec<u8>, Fail> {
    let read = || {
        let length = std::fs::metadata(path)?.len();
        if length > limits::FILE_BYTES as u64 {
            let limit = limits::FILE_BYTES;
            let message = format!("it has {length} bytes, more than the {limit} that are read");
            return Err(std::io::Error::other(message));
        }
        std::fs::read(path)
    };
    read().map_err(|error| Fail::file(path, &error))
}

/// The files named, and in folders every .json and .csv file, in order.
fn candidates(named: &[PathBuf]) -> Result<Vec<PathBuf>, Fail> {
    let mut list = Vec::new();
    for path in named {
        if !path.is_dir() {
            list.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        walk(path, &mut found)?;
        if found.is_empty() {
            let message = format!("{} holds no .json or .csv file", path.display());
            return Err(Fail::new("no-files", message, "name the files themselves"));
        }
        found.sort();
        list.extend(found);
    }
    Ok(list)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Fail> {
    let entries = std::fs::read_dir(folder).map_err(|error| Fail::file(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| Fail::file(folder, &error))?.path();
        let is_file = path.extension().is_some_and(|end| end == "json" || end == "csv");
        // A link to a folder is not followed: it may lead round in a circle.
        if path.is_dir() && !path.is_symlink() {
            walk(&path, found)?;
        } else if is_file {
            found.push(path);
        }
    }
    Ok(())
}

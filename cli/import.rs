//! `import`: bring in files, and hold their published standings against computed ones.

mod parts;
mod report;

use crate::args;
use crate::error::VerbError;
use crate::printable::printable;
use crate::session::{PROGRAM, Session, read_bounded};
use crate::{Answer, Report};
use indicatif::{ProgressBar, ProgressStyle};
pub use parts::{Given, together};
use report::FileReport;
use scrutineer_desk::incoming::{Checked, understand};
use scrutineer_desk::rehearsal::now;
use scrutineer_desk::store::{Added, Store, TournamentSummary};
use scrutineer_engine::error::Code;
use scrutineer_formats::{Asked, ENDINGS, asks_for_columns, is_one, limits};
use scrutineer_projections::counted;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Brings in files and folders; one bad file does not stop the rest.
pub fn run(session: &Session, options: &args::Import) -> Result<Report, VerbError> {
    let (files, passed_over) = candidates(&options.files);
    passed_over.tell();
    let rules = match &options.rules {
        Some(name) => Some(session.ruleset(name)?.id),
        None => None,
    };
    // A misspelt name makes no store.
    let nothing_there = !options.files.iter().any(|path| path.exists());
    // What would be brought up to date is seen in the store, where there is one.
    let store = match (nothing_there, options.dry_run) {
        (true, _) => None,
        (_, true) => session.has_store().then(|| session.store_to_read()).transpose()?,
        (_, false) => Some(session.store()?),
    };
    let mut known = match &store {
        Some(store) => store.events()?,
        None => Vec::new(),
    };
    let files = together(files);
    let bar = progress(files.len());
    let mut reports = Vec::new();
    // Of several files a choice of columns is for those that ask for one, if any does.
    let asks =
        |file: &Given| file.bytes().is_ok_and(|bytes| asks_for_columns(&file.name(), &bytes));
    let of_asking = files.len() > 1 && options.columns.is_some() && files.iter().any(asks);
    for file in &files {
        let is_alone = files.len() == 1;
        let rules = rules.as_deref();
        let mut importer = Importer { session, options, rules, is_alone, of_asking };
        reports.push(importer.one(file, store.as_ref(), &mut known));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let answer = reports.iter().map(FileReport::answer).max().unwrap_or(Answer::Yes);
    let text = match session.json {
        true => report::json_lines(&reports),
        false => {
            report::print_errors(&reports);
            report::text(&reports, options)
        }
    };
    Ok(Report { text, answer })
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
    is_alone: bool,
    /// Whether the choice of columns is for files alone that ask for one.
    of_asking: bool,
}

impl Importer<'_> {
    fn one(
        &mut self,
        given: &Given,
        store: Option<&Store>,
        known: &mut Vec<TournamentSummary>,
    ) -> FileReport {
        let mut report = FileReport::new(&given.path);
        let error = self.bring_in(given, store, known, &mut report).err();
        report.error =
            error.map(|error| VerbError { message: given.said(&error.message), ..error });
        for one in &mut report.understood.oddities {
            one.place = given.said(&one.place);
        }
        report
    }

    fn bring_in(
        &mut self,
        given: &Given,
        store: Option<&Store>,
        known: &mut Vec<TournamentSummary>,
        report: &mut FileReport,
    ) -> Result<(), VerbError> {
        let bytes = given.bytes()?;
        let name = given.name();
        let is_asked = !self.of_asking || asks_for_columns(&name, &bytes);
        let asked = Asked { columns: self.options.columns.clone().filter(|_| is_asked) };
        let library = self.session.rulesets.borrow();
        let (mut prepared, understood) = understand(&name, &bytes, &asked, self.rules, &library)?;
        drop(library);
        report.understood = understood;
        if self.options.check_standings {
            // Where there is nothing to compare, that is said and the file is brought in all the same.
            match Checked::of(&prepared) {
                Ok(found) => report.checked = Some(found),
                Err(why) => report.not_checked = Some(why),
            }
        }
        if self.is_alone {
            prepared.by_hand();
        }
        if let Some(store) = store {
            let alike = store.alike(&prepared, known)?;
            let added = match self.options.dry_run {
                true => store.would_add(&prepared, known)?,
                false => store.add(prepared, known, PROGRAM, now())?,
            };
            report.understood.beside(store, &added)?;
            report.understood.alike(alike.as_ref());
            match added {
                Added::New(_) => {}
                Added::Known(stream) => {
                    let stored = known.iter().find(|event| event.stream == stream);
                    report.known_under = stored.map(|event| event.ruleset.clone());
                }
                Added::Renewed(_, told) => report.renewed = told,
            }
        }
        Ok(())
    }
}

/// A file to bring in, or why there is none.
pub type Candidate = (PathBuf, Result<(), VerbError>);

/// How many files that were passed over are named.
const NAMED: usize = 3;

/// The files of a folder that are not read.
#[derive(Default)]
pub struct PassedOver {
    count: u64,
    first: Vec<PathBuf>,
}

impl PassedOver {
    fn add(&mut self, path: PathBuf) {
        self.count += 1;
        // The same ones are named whatever the order in which a folder lists its files.
        self.first.push(path);
        self.first.sort();
        self.first.truncate(NAMED);
    }

    /// Says on standard error what was not read.
    pub fn tell(&self) {
        if self.count == 0 {
            return;
        }
        let name = |path: &PathBuf| path.display().to_string();
        let mut names: Vec<String> = self.first.iter().map(name).collect();
        if self.count > NAMED as u64 {
            names.push("…".into());
        }
        let files = counted(self.count, "file");
        let text = format!("passed over {files}, not known as a tournament: {}", names.join(", "));
        let _ = writeln!(anstream::stderr(), "note: {}", printable(&text));
    }
}

/// The files named, and in folders every file that by its name or its content is a tournament, in order.
fn candidates(named: &[PathBuf]) -> (Vec<Candidate>, PassedOver) {
    let (mut list, mut passed_over) = (Vec::new(), PassedOver::default());
    for path in named {
        if !path.is_dir() {
            list.push((path.clone(), Ok(())));
            continue;
        }
        let mut walked = Walked::default();
        walk(path, &is_tournament, &mut walked, &mut passed_over);
        let mut found = walked.files;
        if found.is_empty() {
            let message = format!("{} holds no file of a tournament", path.display());
            let fail =
                VerbError::new(Code::not_found("no-files"), message, "name the files themselves");
            found.push((path.clone(), Err(fail)));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        list.extend(found);
    }
    (list, passed_over)
}

/// What a folder holds.
#[derive(Default)]
pub struct Walked {
    /// The files of tournaments.
    pub files: Vec<Candidate>,
    /// The stores, which are not walked.
    pub stores: Vec<PathBuf>,
}

/// Whether a file of a folder is a tournament: its name says so, or, under another name, what stands in it.
pub fn is_tournament(path: &Path) -> bool {
    let is_known = ENDINGS.iter().any(|known| ends_in(path, known));
    // A pipe has no end.
    let read = || read_bounded(path, limits::FILE_BYTES).is_ok_and(|bytes| is_one(&bytes));
    is_known || path.is_file() && read()
}

/// The files of a folder and of those in it that are such as are looked for.
pub fn walk(
    folder: &Path,
    is_such: &dyn Fn(&Path) -> bool,
    found: &mut Walked,
    passed_over: &mut PassedOver,
) {
    if folder.join("FORMAT").is_file() {
        return found.stores.push(folder.into());
    }
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            return found.files.push((folder.into(), Err(VerbError::file(folder, &error))));
        }
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        // A link to a folder is not followed: it may lead round in a circle.
        if path.is_dir() && !path.is_symlink() {
            walk(&path, is_such, found, passed_over);
        } else if path.is_dir() {
            continue;
        } else if is_such(&path) {
            found.files.push((path, Ok(())));
        } else {
            passed_over.add(path);
        }
    }
}

/// Whether a file's name ends so, in letters of any case.
pub fn ends_in(path: &Path, known: &str) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case(known))
}
